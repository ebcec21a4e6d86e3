# SPDX-License-Identifier: BSD-3-Clause
"""Whole trajectories: the rows, figures and files of the command line."""
from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._callbacks import view
from ._core import ArgumentError, check_counts, default, error, ffi, flag, lib, one_of, real, step_of, text
from ._map import one, pointer
from ._types import Array, ArrayLike, Function, Path
from .integrators import STARTS, check_given
from .models import Model, model_of
from .states import State
from .views import ModelRun, View, page_of

_FORMATS = {name[len('LG_FORMAT_'):].lower(): getattr(lib, name) for name in dir(lib) if name.startswith('LG_FORMAT_')}
_MOST_STEPS = 10**15


class Result:
    """A run: `rows` is a structured array with the columns of `liegrp run`; the other attributes are the fields of
    lg_run_result, such as steps, time, energy_slope, constraint, error_position, seconds. `monitor` has the figures of
    the monitor, or is None. `interrupted` says whether progress, observer or Ctrl-C stopped the run. `units` are those
    of the columns, '' where none is known. `work_so_far` is the work of forces, drift and time-dependence up to each
    row, J: NaN for methods that do not account for it, and after a resumed run.
    Of a motion, `wheel_forces` has for each wheel its least normal force and when, nan where it is not determined;
    `wheel` is the one with the least (None: none is known). Where the ground pulls, Motion.run() also gives a
    RuntimeWarning.

    >>> result = liegrp.run(liegrp.Model('suslov'), step=0.1, steps=10)
    >>> (result.steps, len(result.rows), result.rows['t'][-1])
    (10, 11, 1.0)
    """

    def __init__(self, rows, figures, monitor=None, units=None, work_so_far=None):
        self.rows, self.monitor, self._source = rows, monitor, None
        self.units = units or {}
        self.work_so_far = np.full(len(rows), np.nan) if work_so_far is None else work_so_far
        self._names = [name for name, _ in ffi.typeof('lg_run_result').fields if name != 'size']
        for name in self._names:
            value = getattr(figures, name)
            setattr(self, name, text(value) if isinstance(value, ffi.CData) else value)
        self.interrupted, self.resolved = bool(self.interrupted), bool(self.resolved)
        self.wheel, self.wheel_forces = (self.wheel if self.wheel >= 0 else None), {}

    def __getitem__(self, column):
        return self.rows[column]

    def __getstate__(self):
        """What goes to another process: rows and figures, not what made them."""
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

    def view(self, path: Path | None = None, *, compare: str | Sequence[str] = ()) -> View:
        """A page that shows the run in a browser: the motion in three dimensions, its energy and constraints and any
        column. path: writes it there, NAME.html. compare: methods with which the run is made once more, to be shown
        beside it; one that fails on the way ends early. A notebook shows the page. The model is shown with the
        parameters that it has now.

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


class _Job:
    """The functions in Python of a run, and the exception of one that failed."""

    def __init__(self, model, progress, observer, control):
        self.model, self.failure = model, None
        self.on_progress, self.on_state, self.on_step = progress, observer, control
        if control is not None and not callable(control):
            values = one(control, (model.control_count,), 'control')
            self.on_step = (lambda state, u: values)
        self.handle, self.state = ffi.new_handle(self), None

    def progress(self, step, steps):
        """Also the moment at which Python sees signals, and at which a run ends whose function failed where the library
        goes on with NaN: in the energy of a row, in an invariant."""
        return self.model._has_failed() or self.on_progress is not None and self.on_progress(step, steps)

    def at(self, it):
        """The state of an integrator of the library's."""
        if self.state is None:
            self.state = State(it, self.model)
        self.state._pointer = it
        return self.state

    def close(self):
        """A state that somebody kept shows nothing any more: its integrator goes with the run."""
        del self.state._pointer

    def observe(self, it):
        try:
            return self.on_state(self.at(it))
        finally:
            self.close()

    def control(self, it, u):
        controls = view(u, self.model.control_count)
        try:
            found = self.on_step(self.at(it), controls.copy())
        finally:
            self.close()
        controls[:] = one(found, controls.shape, 'what control returns')


def count_steps(h, steps, time, exact=False, depth=3):
    """The number of steps: given, or 1000, or to the multiple of h that is nearest to a time, which warns if it is not
    the time itself, or is refused."""
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
    """Refuses what cannot be called."""
    for name, function in functions.items():
        if function is not None and not callable(function):
            raise ArgumentError(f'{name} must be a function, got {function!r}')


def file_format(output, name):
    """The format of a name, of a file's ending, or CSV."""
    if name is not None:
        return one_of(name, _FORMATS, 'format')
    return max(lib.lg_format_of_file(ffi.NULL if output is None else os.fsencode(output)), lib.LG_FORMAT_CSV)


def _options(model, job, rows, keep, step, steps, settings):
    """lg_run_options of the arguments of run()."""
    o = default('lg_run_options', lib.lg_run_options_init)
    for name in ('method', 'retraction', 'output', 'checkpoint'):
        if settings[name] is not None:
            keep.append(ffi.new('char[]', os.fsencode(settings[name])))
            setattr(o, name, keep[-1])
    o.step, o.steps, o.every, o.project = step, steps, settings['every'], flag(settings['project'], 'project')
    o.start = one_of(settings['start'], STARTS, 'start')
    if settings['tolerance'] is not None:
        o.tolerance = real(settings['tolerance'], 'tolerance')
    o.format, o.accuracy = file_format(settings['output'], settings['format']), flag(settings['accuracy'], 'accuracy')
    o.checkpoint_every, o.resume = settings['checkpoint_every'], flag(settings['resume'], 'resume')
    o.row, o.row_context = ffi.addressof(lib, 'lgp_row'), rows
    if not o.resume:  # the work up to a checkpoint is not in it
        o.observe, o.observe_context = ffi.addressof(lib, 'lgp_state'), rows
    o.progress, o.progress_context = lib._lgp_progress, job.handle
    if job.on_state is not None:
        rows.observe, rows.context = lib._lgp_observe, job.handle
        o.observe, o.observe_context = ffi.addressof(lib, 'lgp_state'), rows
    if job.on_step is not None:
        o.control, o.control_context = lib._lgp_control, job.handle
    o.monitor_every = settings['monitor_every']
    return o


def run(model: Model | str, method: str = 'sem', retraction: str = 'exp', *, step: float | None = None,
        steps: int | None = None, time: float | None = None, every: int = 1, tolerance: float | None = None,
        start: str = 'reaction', project: bool = False, output: Path | None = None, format: str | None = None,
        control: ArrayLike | Function | None = None, observer: Function | None = None,
        progress: Function | None = None, monitor: bool = False, monitor_every: int = 0, accuracy: bool = True,
        checkpoint: Path | None = None, checkpoint_every: float = 0.0, resume: bool = False) -> Result:
    """Runs a model, or that of this name in the catalog, from its initial data; the rows are those of `liegrp run`, bit for bit. Returns a Result.

    step: h, by default the model's own; steps (default 1000) or time, a multiple of h. A row every `every` steps.
    tolerance: for the method `gauss`. start, project: as Integrator.start().
    output: a file too; format: 'csv', 'npy', 'npz' or 'hdf5', by default by its ending.
    control: constants, or a function control(state, u) that returns those of the coming step; u are those before.
    observer: a function observer(state), called with every state; True stops the run.
    progress: a function progress(step, steps), about ten times a second; True stops the run.
    monitor: also watch energy, invariants, residuals: Result.monitor, a dictionary of lg_monitor_figures.
    accuracy: measure the accuracy once the run is over. checkpoint, checkpoint_every, resume: as `liegrp run`.

    The run itself holds no lock of Python's. Where it fails or a function raises, the exception has the Result so far
    as its attribute `result`. Ctrl-C stops the run within about 0.1 s: the file is complete with the rows so far, then
    KeyboardInterrupt comes, with `result`.

    >>> rows = liegrp.run(liegrp.Model('rolling-ball', Omega=0.9), step=0.1, time=10).rows
    >>> bool(numpy.ptp(rows['constraint']) < 1e-14)
    True
    """
    settings = dict(locals())
    model = model_of(model)
    check_functions(observer=observer, progress=progress)
    h = step_of(step, model.default_step)
    steps = count_steps(h, steps, time)
    names = model.columns
    check_counts(steps, every)
    table = np.empty((steps // every + 2, len(names)))
    work = np.full(len(table), np.nan)
    dtype = np.dtype([(name, 'i8' if i == 0 else 'f8') for i, name in enumerate(names)])
    figures = default('lg_run_result', lib.lg_run_result_init)
    if not project and not resume:
        try:
            check_given(model, method, retraction, h)
        except BaseException as failure:
            failure.result = Result(np.empty(0, dtype), figures)
            raise
    job = _Job(model, progress, observer, control)
    rows, keep = ffi.new('lgp_rows *', {'at': pointer(table), 'room': len(table)}), []
    if not resume:
        rows.work = pointer(work)
    options = _options(model, job, rows, keep, h, steps, settings)
    watch = ffi.new('lg_monitor **')
    if monitor:
        options.monitor = watch
    status = lib.lg_run(model._pointer, figures, options)
    watched = _monitored(watch[0])
    table, work = table[:rows.count], work[:rows.count]
    if rows.count < 0.9 * (steps // every):
        table, work = table.copy(), work.copy()
    if figures.work == 0 and not resume:  # nothing does work, of which methods without account know nothing
        work[:] = np.nan_to_num(work)
    result = Result(table.view(dtype).reshape(-1), figures, watched, model.units, work)
    result._source = ModelRun(model, settings)
    return _finish(model, job, status, result)


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


def _finish(model, job, status, result):
    """The result, or the exception with it."""
    failure = job.failure
    if failure is None:
        try:
            model._raise_failure()  # also where the library goes on with NaN, as with invariants
            if status != lib.LG_OK:
                raise error(status, result.message or text(lib.lg_model_message(model._pointer)))
        except BaseException as raised:
            failure = raised
    if failure is None:
        return result
    failure.result = result
    raise failure
