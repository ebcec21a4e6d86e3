# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs of a motion, as rows."""
import os
import warnings

import numpy as np

from ._core import check_counts, default, error, ffi, flag, lib, text
from ._motion_calls import pointer
from .runs import Result, check_functions, count_steps, file_format
from .views import MotionRun


def _options(motion, place, keep, steps, every, settings):
    """lg_motion_run_options of the arguments of Motion.run()."""
    calls = motion._calls
    o = default('lg_motion_run_options', lib.lg_motion_run_options_init)
    o.steps, o.every, o.accuracy = steps, every, flag(settings['accuracy'], 'accuracy')
    o.row, o.row_context = ffi.addressof(lib, 'lgp_row'), place
    o.progress, o.progress_context = lib._lgp_motion_progress, calls.handle
    for name in ('output', 'checkpoint'):
        if settings[name] is not None:
            keep.append(ffi.new('char[]', os.fsencode(settings[name])))
            setattr(o, name, keep[-1])
    o.format = file_format(settings['output'], settings['format']) if settings['output'] is not None else 0
    o.checkpoint_every, o.resume = settings['checkpoint_every'], flag(settings['resume'], 'resume')
    calls.control, calls.observer, calls.progress = (settings[name] for name in ('control', 'observer', 'progress'))
    if calls.control is not None:
        o.control, o.control_context = lib._lgp_motion_control, calls.handle
    if calls.observer is not None:
        o.observe, o.observe_context = lib._lgp_motion_observe, calls.handle
    return o


def _look_at_wheels(motion, result):
    """Names the wheels of a Result, and warns of those that their ground pulls."""
    force, time = ffi.new('double *'), ffi.new('double *')
    for i, name in enumerate(motion.mechanism.wheels):
        if lib.lg_motion_least_normal(motion.pointer, force, time, i) == lib.LG_OK:
            result.wheel_forces[name] = (force[0], time[0])
    if result.wheel is not None:
        result.wheel = motion.mechanism.wheels[result.wheel]
    if not np.isnan(result.lift_time):
        warnings.warn(f'the ground pulls on wheel {result.wheel!r} with up to {-result.wheel_force:.3g} N '
                      f'(t = {result.wheel_force_time:.4g}); the first pull is at t = {result.lift_time:.4g}. Real wheels '
                      'lift there; what follows is the motion of wheels that cannot', RuntimeWarning, stacklevel=4)


def run(motion, columns, settings):
    """Motion.run(): a Result, or an exception with the Result so far."""
    check_functions(**{name: settings[name] for name in ('control', 'observer', 'progress')})
    every = settings['every']
    steps = count_steps(motion.step_size, settings['steps'], settings['time'], depth=4)
    check_counts(steps, every)
    rows = np.zeros(2 + steps // every, dtype=columns.dtype)
    place = ffi.new('lgp_rows *', {'at': pointer(rows.view(np.float64)), 'room': len(rows)})
    keep = []
    options = _options(motion, place, keep, steps, every, settings)
    figures = default('lg_run_result', lib.lg_run_result_init)
    status = lib.lg_motion_run(motion.pointer, figures, options)
    made = rows[:place.count]
    result = Result(made, figures, units=dict(zip(columns.names, columns.units)), work_so_far=made['work'])
    _look_at_wheels(motion, result)
    if place.count > 0:
        result._source = MotionRun(motion, columns, {**settings, 'first': rows[0].copy()})
    try:
        motion._calls.reraise()
        if status != lib.LG_OK:
            raise error(status, result.message or text(lib.lg_motion_message(motion.pointer)))
    except BaseException as raised:
        raised.result = result
        raise
    return result
