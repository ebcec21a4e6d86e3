# SPDX-License-Identifier: BSD-3-Clause
"""Whole trajectories: the rows, figures and files of the command line."""
from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import ArgumentError, check_counts, default, error, ffi, flag, lib, one_of, real, text
from ._map import one, pointer
from ._notebook import of_result
from ._types import Array, Path
from .views import Source, View, page_of

if TYPE_CHECKING:
    from .motions import Motion

_FORMATS = {name[len('LG_FORMAT_'):].lower(): getattr(lib, name) for name in dir(lib) if name.startswith('LG_FORMAT_')}
_MOST_STEPS = 10**15


class Result:
    """A run: `rows` is a structured array with the columns of `liegrp run`; the other attributes are the fields of
    lg_run_result, such as steps, time, energy_slope, constraint, error_position, seconds. `monitor` has the figures of
    the monitor, or is None. `interrupted` says whether progress, observer or Ctrl-C stopped the run. `columns`, `units`
    and `meanings` are those of the model. `work_so_far` is Motion.work at each row, `account` Motion.account at the end.
    Of a mechanism, `wheel_forces` has the least normal force of each wheel and its time, nan if it is not determined,
    and `sphere_contact_forces` that of each contact of spheres; `wheel` is the wheel with the least one (None: unknown).
    If a wheel or a sphere would have to pull, or impacts add energy (Motion.impact_gain), the run also gives a
    RuntimeWarning.

    >>> result = liegrp.run(liegrp.Model('suslov'), step=0.1, steps=10)
    >>> (result.steps, len(result.rows), result.rows['t'][-1])
    (10, 11, 1.0)
    """

    def __init__(self, rows: Array, figures: Any, motion: Motion, monitor: dict | None = None,
                 work_so_far: Array | None = None) -> None:
        model = motion.model
        self.rows, self.monitor, self._source = rows, monitor, None
        self.columns, self.units, self.meanings = model.columns, model.units, model.meanings
        self.account = motion.account
        self.work_so_far = np.full(len(rows), np.nan) if work_so_far is None else work_so_far
        self._names = [name for name, _ in ffi.typeof('lg_run_result').fields if name != 'size']
        for name in self._names:
            value = getattr(figures, name)
            setattr(self, name, text(value) if isinstance(value, ffi.CData) else value)
        self.interrupted, self.resolved = bool(self.interrupted), bool(self.resolved)
        self.wheel = self.wheel if self.wheel >= 0 else None
        self.wheel_forces, self.sphere_contact_forces = {}, {}

    def __getitem__(self, column):
        return self.rows[column]

    def __getstate__(self):
        """Rows and figures can go to another process, their source cannot."""
        return {**vars(self), '_source': None}

    def array(self, *columns: str) -> Array:
        """Some columns as a plain array (rows, columns).

        >>> liegrp.run(liegrp.Model('suslov'), step=0.1, steps=10).array('t', 'energy').shape
        (11, 2)
        """
        return np.stack([self.rows[column] for column in columns], axis=-1).astype(np.float64)

    def figures(self) -> dict[str, Any]:
        """All figures as a dictionary.

        >>> liegrp.run(liegrp.Model('suslov'), step=0.1, steps=10).figures()['steps']
        10
        """
        return {name: getattr(self, name) for name in self._names}

    def plot(self, columns: str = 'motion/conserved', *, title: str | None = None) -> Any:
        """The rows as a Matplotlib figure, as plot() draws them.

        >>> liegrp.run('suslov', steps=100).plot('xi_*/energy_change').savefig('suslov.png')
        """
        from .plotting import plot  # which needs this module
        return plot(self, columns, title=title)

    def view(self, path: Path | None = None, *, compare: str | Sequence[str] = ()) -> View:
        """A page that shows the run in a browser: the motion in three dimensions, its energy and constraints and any
        column. path: the file to write, NAME.html. compare: methods with which the run is repeated, to be shown with
        it; a method that fails during the run ends early. A notebook shows the page. The model is shown with its
        present parameters.

        >>> result = liegrp.run('chaplygin-sleigh', time=2.0)
        >>> result.view('sleigh.html', compare=['gni', 'rk4'])
        <liegrp.View of chaplygin-sleigh: sem, gni, rk4>
        """
        if self._source is None:
            raise ArgumentError('these rows do not say what made them: view() takes the Result of a run')
        page = page_of(self, self._source, compare)
        if path is not None:
            page.save(path)
        return page

    def __repr__(self):
        return f'<run of {self.steps} steps to t = {self.time:g}, {len(self.rows)} rows>'

    def _repr_html_(self):
        return of_result(self)


def count_steps(h, steps, time, exact=False, depth=3):
    """The number of steps: given, or 1000, or the one whose time is nearest to `time`. If that differs from `time`,
    it warns or, with exact=True, refuses."""
    if time is None:
        return 1000 if steps is None else steps
    if steps is not None:
        raise ArgumentError('steps and time exclude each other')
    count = real(time, 'time') / h
    if not count >= 0:
        raise ArgumentError(f'time {time!r} and step {h!r} point in opposite directions')
    if not count <= _MOST_STEPS:
        raise ArgumentError(f'time {time!r} takes more than {_MOST_STEPS:g} steps of {h!r}')
    whole = round(count)
    if abs(count - whole) > 1e-9 * max(1, count):
        said = f'time {time!r} is not a multiple of the step {h!r}'
        if exact:
            raise ArgumentError(f'{said}; {math.floor(count) * h:.15g} and {math.ceil(count) * h:.15g} are')
        warnings.warn(f'{said}; the run ends at the nearest one, t = {whole * h:.15g}', stacklevel=depth)
    return whole


def check_functions(**functions):
    """Refuses arguments that are not callable."""
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise ArgumentError(f'{name} must be a function, got {function!r}')


def file_format(output, name):
    """The format of a name, of a file's ending, or CSV."""
    if name is not None:
        return one_of(name, _FORMATS, 'format')
    return max(lib.lg_format_of_file(ffi.NULL if output is None else os.fsencode(output)), lib.LG_FORMAT_CSV)


def _options(motion, rows, keep, steps, settings):
    """lg_run_options of the arguments of Motion.run()."""
    calls = motion._calls
    o = default('lg_run_options', lib.lg_run_options_init)
    for name in ('output', 'checkpoint'):
        if settings[name] is not None:
            keep.append(ffi.new('char[]', os.fsencode(settings[name])))
            setattr(o, name, keep[-1])
    o.steps, o.every, o.accuracy = steps, settings['every'], flag(settings['accuracy'], 'accuracy')
    o.format = file_format(settings['output'], settings['format'])
    o.checkpoint_every, o.resume = settings['checkpoint_every'], flag(settings['resume'], 'resume')
    o.monitor_every = settings['monitor_every']
    o.row, o.row_context = ffi.addressof(lib, 'lgp_row'), rows
    o.observe, o.observe_context = ffi.addressof(lib, 'lgp_state'), rows
    o.progress, o.progress_context = lib._lgp_motion_progress, calls.handle
    calls.control, calls.observer, calls.progress = (settings[name] for name in ('control', 'observer', 'progress'))
    if calls.control is not None:
        o.control, o.control_context = lib._lgp_motion_control, calls.handle
    if calls.observer is not None:
        rows.observe, rows.context = lib._lgp_motion_observe, calls.handle
    return o


def run_on(motion, settings):
    """Motion.run(): a Result, or an exception with the Result so far. Called by what the user calls."""
    begun = motion._begun
    motion._check_free()
    if settings['control'] is not None and not callable(settings['control']):
        motion.set_control(one(settings['control'], (motion.model.control_count,), 'control'))
        settings = {**settings, 'control': None, 'controls': settings['control']}
    check_functions(**{name: settings[name] for name in ('observer', 'progress')})
    every = settings['every']
    steps = count_steps(motion.step_size, settings['steps'], settings['time'], depth=4)
    check_counts(steps, every)
    dtype = motion.model.dtype
    table = np.empty((steps // every + 2, len(dtype)))
    work = np.full(len(table), np.nan)
    rows = ffi.new('lgp_rows *', {'at': pointer(table), 'room': len(table), 'work': pointer(work)})
    keep, watch, figures = [], ffi.new('lg_monitor **'), default('lg_run_result', lib.lg_run_result_init)
    options = _options(motion, rows, keep, steps, settings)
    if settings['monitor']:
        options.monitor = watch
    status = lib.lg_run(motion.pointer, figures, options)
    watched = _monitored(watch[0])
    table, work = table[:rows.count], work[:rows.count]
    if rows.count < 0.9 * (steps // every):
        table, work = table.copy(), work.copy()
    if figures.work == 0:  # nothing does work, of which methods without account know nothing
        work[:] = np.nan_to_num(work)
    result = Result(table.view(dtype).reshape(-1), figures, motion, watched, work)
    if motion.model.mechanism is not None:
        _look_at_normals(motion, result)
        if motion.impact_gain > 0:
            warnings.warn(f'impacts added {motion.impact_gain:.6g} J: Newton\'s law may do so where there is friction, '
                          "law='poisson' does not", RuntimeWarning, stacklevel=3)
    if rows.count > 0:
        first = result.rows[0].copy()
        result._source = Source(motion, settings, begun or {'initial': first, 't0': float(first['t']), 'project': True})
    try:
        motion._calls.reraise()
        if status != lib.LG_OK:
            raise error(status, result.message or text(lib.lg_motion_message(motion.pointer)))
    except BaseException as raised:
        raised.result = result
        raise
    return result


def _look_at_normals(motion, result):
    """Names the wheels and contacts of spheres of a Result, and warns of those that would have to pull."""
    force, time = ffi.new('double *'), ffi.new('double *')
    mechanism = motion.mechanism
    for least, names, found, pulls, lift in (
            (lib.lg_motion_wheel_normal, mechanism.wheels, result.wheel_forces, 'the ground pulls on wheel {!r}',
             'wheels lift there; the later motion is that of wheels'),
            (lib.lg_motion_sphere_contact_normal, mechanism.sphere_contacts, result.sphere_contact_forces,
             'the spheres of {!r} pull each other', 'spheres part there; the later motion is that of spheres')):
        for i, name in enumerate(names):
            if least(motion.pointer, force, time, i) == lib.LG_OK:
                found[name] = force[0], time[0]
        name, (most, when) = min(found.items(), key=lambda of: np.nan_to_num(of[1][0], nan=np.inf), default=('', (0, 0)))
        if not np.isnan(result.lift_time) and most < 0:
            warnings.warn(f'{pulls.format(name)} with up to {-most:.3g} N (t = {when:.4g}); the first pull is at '
                          f't = {result.lift_time:.4g}. Real {lift} that cannot', RuntimeWarning, stacklevel=4)
    if result.wheel is not None:
        result.wheel = mechanism.wheels[result.wheel]


def _monitored(monitor):
    """The figures of a monitor as a dictionary, which is destroyed."""
    if monitor == ffi.NULL:
        return None
    monitor = ffi.gc(monitor, lib.lg_monitor_destroy)
    found = default('lg_monitor_figures', lib.lg_monitor_figures_init)
    if lib.lg_monitor_read(monitor, found) != lib.LG_OK:
        return None
    figures = {name: getattr(found, name) for name, _ in ffi.typeof('lg_monitor_figures').fields
               if name not in ('size', 'energy', 'invariants')}
    figures['energy'], figures['invariants'] = _quantity(found.energy), {}
    for i in range(found.invariants):
        quantity = ffi.new('lg_monitor_quantity *')
        if lib.lg_monitor_invariant(monitor, quantity, i) == lib.LG_OK:
            figures['invariants'][text(quantity.name)] = _quantity(quantity)
    return figures


def _quantity(quantity):
    """The figures of one quantity."""
    return {name: getattr(quantity, name) for name in ('first', 'low', 'high', 'deviation', 'slope', 'half')}
