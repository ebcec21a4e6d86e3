# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs of a motion, as rows."""
import os

import numpy as np

from ._core import ArgumentError, default, ffi, lib, one_of, text
from ._motion_calls import pointer

FORMATS = {'csv': lib.LG_FORMAT_CSV, 'npy': lib.LG_FORMAT_NPY}


def steps_of(steps, time, step):
    """The number of steps of a run."""
    if (steps is None) == (time is None):
        raise ArgumentError('give either steps or time')
    return int(steps) if steps is not None else int(round(time / step))


def figures(result):
    """The figures of a run as a dictionary."""
    out = {}
    for name, member in ffi.typeof('lg_run_result').fields:
        value = getattr(result, name)
        if name == 'message' or member.type.kind == 'pointer':
            value = text(value)
        if name != 'size':
            out[name] = value
    return out


def format_of(output, format):
    """The format of a file: as asked, or by its name."""
    if format is None:
        format = os.path.splitext(str(output or 'x.csv'))[1].lstrip('.')
    return one_of(format, FORMATS, 'format')


def run(motion, steps, time, every, control, observe, output, format, accuracy):
    """Motion.run(): (figures, rows)."""
    from .motions import Columns
    columns = Columns(motion.mechanism)
    calls = motion._calls
    options = default('lg_motion_run_options', lib.lg_motion_run_options_init)
    options.steps = steps_of(steps, time, motion.step_size)
    options.every = every
    options.accuracy = bool(accuracy)
    rows = np.zeros(1 + options.steps // max(every, 1), dtype=columns.dtype)
    place = ffi.new('lgp_rows *', {'at': pointer(rows.view(np.float64)), 'room': len(rows), 'count': 0})
    options.row, options.row_context = ffi.addressof(lib, 'lgp_row'), place
    options.progress, options.progress_context = lib._lgp_motion_progress, calls.handle
    if control is not None:
        calls.control = control
        options.control, options.control_context = lib._lgp_motion_control, calls.handle
    if observe is not None:
        calls.observe = observe
        options.observe, options.observe_context = lib._lgp_motion_observe, calls.handle
    name = ffi.new('char[]', os.fsencode(output)) if output is not None else ffi.NULL
    options.output, options.format = name, format_of(output, format) if output is not None else 0
    result = default('lg_run_result', lib.lg_run_result_init)
    motion._check(lib.lg_motion_run(motion.pointer, result, options))
    return figures(result), rows[:place.count]
