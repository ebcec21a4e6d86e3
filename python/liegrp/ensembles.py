# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles: many instances of one model, as arrays with the instances first."""
from __future__ import annotations

import time
import warnings
from collections.abc import Mapping

import numpy as np

from ._core import (ArgumentError, Error, Pinned, UnsupportedError, check, check_counts, check_names, create, default,
                    ffi, flag, lib, merged, one_of, real, step_of, text)
from ._map import pointer, reals
from ._types import Array, ArrayLike
from .integrators import STARTS
from .mechanisms import Mechanism, model_of
from .models import Model
from .motions import Motion, check_given, contact_options
from .retractions import Retraction


def rows_of(value, shape, name):
    """`value` as a contiguous float64 array of this shape, whose first axis may be 1 or absent: the same for all
    instances. None stays None."""
    if value is None:
        return None
    array = reals(value, name)
    if array.shape not in (shape, shape[1:], (1, *shape[1:])):
        raise ArgumentError(f'{name} must have the shape {shape}, or {shape[1:]} for all instances alike, got '
                            f'{array.shape}')
    return np.ascontiguousarray(np.broadcast_to(array, shape))


_CONTACT = ('law', 'capture_speed', 'localise', 'events', 'separate')


class Samples:
    """States of all instances: arrays whose first axis is the instance, then, for several times, the time. NaN: the
    instance did not get there.

    >>> samples = liegrp.Ensemble('rolling-ball', 3).run(4, every=2)
    >>> samples.t.shape, samples.xi.shape
    ((3, 2), (3, 2, 5))
    """

    def __init__(self, **arrays: Array) -> None:
        self.__dict__.update(arrays)

    def __repr__(self):
        return 'Samples(' + ', '.join(f'{name}: {array.shape}' for name, array in vars(self).items()) + ')'


class Ensemble(Pinned):
    """`count` instances of a model or a mechanism. Each has its own initial data and controls, and for a model its own
    parameters; all share method, retraction and step. Every instance ends, to the last bit, where it would have ended
    alone in a Motion. An instance that fails is retired: it keeps its last state, see `retired` and reason(); the
    others continue. A mechanism's methods are sem, rattle and gauss here.

    method, retraction, step, tolerance, halvings, start: as Motion. project: all initial data are projected onto the
    constraints. threads: 0 takes one per processor, which pays for runs of some milliseconds and more, on idle
    processors. Models with functions in Python run in one thread; others release Python's lock. monitor: K, for
    figures(). contact: how a mechanism's contacts land, a dictionary of the arguments of Motion.set_contact(). parameters, initial, keywords: as start(); keywords are parameters.

    >>> ensemble = liegrp.Ensemble('rolling-ball', 100, step=0.1, Omega=numpy.linspace(0, 1, 100)).run(10)
    >>> ensemble.g.shape
    (100, 6)
    >>> q = numpy.random.default_rng(1).uniform(-1, 1, (10, 2))
    >>> pendulums = liegrp.Ensemble('double-pendulum', 10, step=0.01)
    >>> pendulums.start_joints(q).run(100).positions.shape
    (10, 2)
    """

    _numbers = None

    def __init__(self, model: Model | Mechanism | str, count: int, method: str = 'sem',
                 retraction: str | Retraction = 'exp', step: float | None = None, *,
                 tolerance: float | None = None, halvings: int = 0,
                 start: str = 'reaction', project: bool = False, threads: int = 1, width: int = 0, monitor: int = 0,
                 contact: Mapping[str, object] | None = None,
                 parameters: Mapping[str, ArrayLike] | None = None, initial: Mapping[str, ArrayLike] | None = None,
                 **values: ArrayLike) -> None:
        model = self.model = model_of(model)
        options = default('lg_ensemble_options', lib.lg_ensemble_options_init)
        kept = [ffi.new('char[]', word.encode()) for word in (method, Retraction.of(retraction).name)]
        options.method, options.retraction = kept
        options.step, options.width, options.halvings = step_of(step, model.default_step), width, halvings
        options.threads = 1 if in_python(model) else threads
        options.tolerance = 0 if tolerance is None else real(tolerance, 'tolerance')
        options.start, options.monitor = one_of(start, STARTS, 'start'), monitor
        options.project = self._project = flag(project, 'project')
        if contact is not None:
            if not isinstance(contact, Mapping):
                raise ArgumentError(f'contact must be a dictionary with {", ".join(_CONTACT)}, got {contact!r}')
            check_names(contact, _CONTACT, 'option of contact', 'Motion.set_contact()')
            kept.append(contact_options(**contact))
            options.contact = kept[-1]
        self.step_size, self._how = options.step, (method, {'retraction': retraction, 'start': start})
        of = model._pointer
        self.pointer = create('lg_ensemble', lambda slot: lib.lg_ensemble_create(slot, of, count, options),
                              lambda E, of=of: lib.lg_ensemble_destroy(E), lib.lg_ensemble_message)
        if model.mechanism is None and not project:
            check_given(model, method, retraction, self.step_size)
        if parameters or initial or values:
            self.start(initial, merged(parameters, values))

    def _check(self, status):
        self.model._raise_failure()
        check(status, lambda: lib.lg_ensemble_message(self.pointer))

    def _done(self, status):
        self._check(status)
        return self

    def _position_count(self):
        """The number of positions of a mechanism's motions, or an exception."""
        if self.model.mechanism is None:
            raise UnsupportedError(f'{self.model.name} is no mechanism: its ensembles have no joints or bodies; '
                                   'read g, xi or state()')
        if self._numbers is None:
            self._numbers = Motion(self.model, started=False).position_count
        return self._numbers

    def __len__(self):
        return lib.lg_ensemble_count(self.pointer)

    @property
    def threads(self) -> int:
        """Threads of a run.

        >>> liegrp.Ensemble('rolling-ball', 3).threads
        1
        """
        return lib.lg_ensemble_threads(self.pointer)

    @property
    def width(self) -> int:
        """Instances that the vector units handle at a time.

        >>> liegrp.Ensemble('rolling-ball', 3).width in (1, 2, 4, 8)
        True
        """
        return lib.lg_ensemble_width(self.pointer)

    @property
    def bytes(self) -> int:
        """Memory.

        >>> liegrp.Ensemble('rolling-ball', 3).bytes > 0
        True
        """
        return lib.lg_ensemble_bytes(self.pointer)

    @property
    def retired(self) -> Array:
        """True for each instance that failed and was retired (instances).

        >>> liegrp.Ensemble('rolling-ball', 3).retired
        array([False, False, False])
        """
        if lib.lg_ensemble_retired(self.pointer) == 0:
            return np.zeros(len(self), dtype=bool)
        return np.array([lib.lg_ensemble_status(self.pointer, i) != lib.LG_OK for i in range(len(self))])

    def reason(self, i: int) -> str:
        """Why instance i was retired; '' if it was not.

        >>> liegrp.Ensemble('rolling-ball', 3).reason(0)
        ''
        """
        return text(lib.lg_ensemble_reason(self.pointer, i))

    def steps_done(self) -> Array:
        """Steps of each instance since it was started (instances).

        >>> ensemble = liegrp.Ensemble('rolling-ball', 3).run(5)
        >>> ensemble.steps_done()
        array([5, 5, 5])
        """
        return np.array([lib.lg_ensemble_steps(self.pointer, i) for i in range(len(self))])

    def _pieces(self, steps, every):
        """Runs are cut where signals are to be seen: in multiples of `every` that take a tenth of a second or so."""
        every = every or 1
        piece = max(every, 1000 // len(self) // every * every)
        while steps > 0:
            begun = time.monotonic()
            yield min(piece, steps)
            steps -= piece
            if time.monotonic() - begun < 0.05:
                piece *= 2

    def _schedule(self, controls, width):
        """Controls as an array (instances, pieces, width), or None."""
        if controls is None:
            return None
        controls = reals(controls, 'controls')
        if controls.ndim == 1:
            controls = controls.reshape(1, 1, -1)
        if controls.ndim != 3:
            raise ArgumentError(f'controls must have the shape ({len(self)}, pieces, {width}), (1, pieces, {width}) or '
                                f'({width},), got {controls.shape}')
        return rows_of(controls, (len(self), controls.shape[1], width), 'controls')

    def _advance(self, steps, every, controls):
        """run() with a schedule of controls."""
        check_counts(steps, 1 if every is None else every)
        pieces = 1 if controls is None else controls.shape[1]
        if pieces < 1 or steps % pieces != 0:
            raise ArgumentError(f'{steps} steps cannot be shared out among {pieces} pieces of controls: the steps must '
                                'be a multiple of the pieces')
        if every is not None and 0 < steps < every:
            raise ArgumentError(f'every = {every} is more than the {steps} steps: no state would be sampled')
        if lib.lg_ensemble_retired(self.pointer) == len(self):
            warnings.warn(f'all {len(self)} instances are retired, so none moves; the first: {self.reason(0)}',
                          RuntimeWarning, stacklevel=3)
        if every is None:
            self._run(steps, None, controls, ffi.NULL, ffi.NULL)
            return self
        samples, struct = self._samples(steps // every)
        self._run(steps, every, controls, ffi.addressof(lib, 'lgp_sample'), struct)
        return samples

    def _run(self, steps, every, controls, observer, samples):
        """Runs, with the controls (instances, pieces, controls) each held for its part of the steps."""
        pieces = 1 if controls is None else controls.shape[1]
        share = steps // pieces
        for k in range(pieces):
            if controls is not None:
                self.set_controls(controls[:, k])
            for count, period in spans(k * share, share, every):
                for piece in self._pieces(count, period):
                    self._check(lib.lg_ensemble_run(self.pointer, piece, period or piece,
                                               observer if period else ffi.NULL, samples))

    def start(self, initial: Mapping[str, ArrayLike] | None = None,
              parameters: Mapping[str, ArrayLike] | None = None) -> Ensemble:
        """Starts every instance at time 0 from initial data, with parameters of its own: dictionaries of numbers or
        arrays (instances,) by the names of columns and parameters. Other values are the model's. Parameters of a
        mechanism are set before it is compiled.

        >>> ensemble = liegrp.Ensemble('rolling-ball', 3).start({'x': 1.5}, {'Omega': [0.1, 0.2, 0.3]})
        >>> ensemble.g[:, 0]
        array([1.5, 1.5, 1.5])
        """
        for name, given in (('initial', initial), ('parameters', parameters)):
            if not isinstance(given, (Mapping, type(None))):
                raise ArgumentError(f'{name} must be a dictionary of numbers or arrays by name, got {given!r}; '
                                    'start_state() and start_joints() take arrays')
        if self.model.mechanism is not None:
            if parameters:
                raise UnsupportedError(f'the instances of an ensemble share the mechanism {self.model.name}; set its '
                                       'parameters before it is compiled')
            return self._start_rows(initial or {})
        check_names(parameters or {}, self.model._parameter_names, 'parameter', self.model.name)
        check_names(initial or {}, self.model._initial_names(), 'initial value', self.model.name)
        named = [*(parameters or {}).items()], [*(initial or {}).items()]
        values = np.empty((len(self), len(named[0]) + len(named[1])))
        for k, (name, value) in enumerate(named[0] + named[1]):
            values[:, k] = rows_of(value, (len(self),), name)
        kept = [ffi.new('char[]', name.encode()) for name, _ in named[0] + named[1]]
        names = ffi.new('const char *[]', kept or [ffi.NULL])
        context = ffi.new('lgp_values *', {'names': names, 'parameters': len(named[0]), 'initials': len(named[1]),
                                           'values': pointer(values)})
        return self._done(lib.lg_ensemble_set_all(self.pointer, ffi.addressof(lib, 'lgp_set_values'), context))

    def _start_rows(self, initial):
        """start() of a mechanism."""
        columns = self.model.columns
        check_names(initial, self.model._initial_names(), 'initial value', self.model.name)
        rows = np.full((len(self), len(columns)), np.nan)
        for name, value in initial.items():
            rows[:, columns.index(name)] = rows_of(value, (len(self),), name)
        return self._start_each({'rows': pointer(rows), 'columns': len(columns), 'project': self._project})

    def _start_each(self, values):
        context = ffi.new('lgp_starts *', values)
        return self._done(lib.lg_ensemble_set_all(self.pointer, ffi.addressof(lib, 'lgp_start_motion'), context))

    def start_state(self, g: ArrayLike, xi: ArrayLike, *, t0: float = 0.0) -> Ensemble:
        """Starts every instance of a model at time t0 from elements (instances, element) and velocities (instances, n),
        with its present parameters and controls.

        >>> ensemble = liegrp.Ensemble('rolling-ball', 3)
        >>> _ = ensemble.start_state(ensemble.g, ensemble.xi, t0=1.0)
        >>> ensemble.state().t
        array([1., 1., 1.])
        """
        if self.model.mechanism is not None:
            raise UnsupportedError('instances of a mechanism start by start() or start_joints()')
        size, n = self.model.group.element_size, self.model.dim
        g, xi = rows_of(g, (len(self), size), 'g'), rows_of(xi, (len(self), n), 'xi')
        lib.lgp_ensemble_start(self.pointer, real(t0, 't0'), pointer(g), size, pointer(xi), n,
                               self._project)
        self.model._raise_failure()
        return self

    def start_joints(self, positions: ArrayLike | None = None, velocities: ArrayLike | None = None, *, t0: float = 0.0,
                     project: bool = False) -> Ensemble:
        """Starts every instance of a mechanism at time t0 from positions and velocities (instances, position_count),
        as Motion.start_joints(). Instances that cannot be started are retired.

        >>> ensemble = liegrp.Ensemble('double-pendulum', 3)
        >>> ensemble.start_joints(velocities=numpy.ones((3, 2))).velocities[0]
        array([1., 1.])
        """
        numbers = self._position_count()
        q, v = (rows_of(value, (len(self), numbers), name) for value, name in ((positions, 'positions'),
                                                                               (velocities, 'velocities')))
        return self._start_each({'positions': pointer(q), 'velocities': pointer(v), 'numbers': numbers,
                                 't0': real(t0, 't0'), 'project': flag(project, 'project')})

    def continue_from(self, i: int, motion: Motion) -> Ensemble:
        """Instance i continues from the state of a motion of the same model, method and step, with its parameters and
        controls.

        >>> ensemble = liegrp.Ensemble('double-pendulum', 3)
        >>> _ = ensemble.continue_from(1, liegrp.Motion(ensemble.model))
        """
        return self._done(lib.lg_ensemble_set(self.pointer, i, motion.pointer))

    def motion(self, i: int) -> Motion:
        """A Motion of its own that continues from instance i.

        >>> liegrp.Ensemble('double-pendulum', 3).motion(2).t
        0.0
        """
        if not 0 <= i < len(self):
            raise ArgumentError(f'no instance {i}; there are {len(self)}, from 0')
        taken = Motion.__new__(Motion)
        try:
            taken._take(self.model, lambda slot: lib.lg_ensemble_motion(slot, self.pointer, i), self.pointer)
        except Error as failure:
            raise type(failure)(self.reason(i) or str(failure), failure.status) from None
        taken.method, taken._how = self._how
        return taken

    def set_controls(self, u: ArrayLike) -> Ensemble:
        """Sets the controls (instances, controls), which hold until they are set again.

        >>> ensemble = liegrp.Ensemble('two-wheeled-robot', 3)
        >>> _ = ensemble.set_controls([[0.1, 0.1], [0.1, 0.2], [0.2, 0.1]])
        """
        u = rows_of(u, (len(self), self.model.control_count), 'controls')
        return self._done(lib.lg_ensemble_set_controls(self.pointer, 0, pointer(u), len(self)))

    def run(self, steps: int, every: int | None = None, controls: ArrayLike | None = None) -> Ensemble | Samples:
        """Makes `steps` steps of every instance.

        controls: (instances, pieces, controls); each piece is held for steps/pieces steps, a whole number. every: the
        number of steps between Samples, counted over all pieces. Samples have t and energy (instances, times), with
        steps // every times. Those of a model have g (instances, times, element), xi and p (instances, times, n), those
        of a mechanism positions and velocities (instances, times, position_count), poses (instances, times, bodies, 7)
        and work (instances, times). Without `every` returns the ensemble.

        >>> robots = liegrp.Ensemble('two-wheeled-robot', 3)
        >>> robots.run(100, every=10, controls=numpy.zeros((3, 5, 2))).energy.shape
        (3, 10)
        """
        return self._advance(steps, every, self._schedule(controls, self.model.control_count))

    def _samples(self, slots):
        """Arrays for `slots` states of each instance, and the struct that fills them."""
        count, shapes, model = len(self), {'t': (), 'energy': ()}, self.model
        if model.mechanism is None:
            numbers = {'size': model.group.element_size, 'n': model.dim}
            shapes |= {'g': (numbers['size'],), 'xi': (numbers['n'],), 'p': (numbers['n'],)}
        else:
            numbers = {'numbers': self._position_count(),
                       'bodies': lib.lg_mechanism_body_count(model.mechanism.pointer)}
            shapes |= {'positions': (numbers['numbers'],), 'velocities': (numbers['numbers'],),
                       'poses': (numbers['bodies'], 7), 'work': ()}
        seen = self._seen = np.zeros(count, dtype=np.int64)
        samples = Samples(**{name: np.full((count, slots, *shape), np.nan) for name, shape in shapes.items()})
        struct = ffi.new('lgp_samples *', {'slots': slots, 'seen': ffi.from_buffer('int64_t[]', seen), **numbers,
                                           **{name: pointer(array) for name, array in vars(samples).items()}})
        return samples, struct

    def state(self) -> Samples:
        """The present state of all instances, also of those that are retired, as Samples: the arrays of run() without
        the axis of times.

        >>> liegrp.Ensemble('rolling-ball', 3).state().p.shape
        (3, 5)
        """
        samples, struct = self._samples(1)
        self._check(lib.lg_ensemble_visit(self.pointer, ffi.addressof(lib, 'lgp_sample'), struct))
        return Samples(**{name: array[:, 0] for name, array in vars(samples).items()})

    @property
    def g(self) -> Array:
        """The elements (instances, element).

        >>> liegrp.Ensemble('rolling-ball', 3).g.shape
        (3, 6)
        """
        return self._of_state('g')

    def _of_state(self, name):
        """An array of the state; the instances of models and of mechanisms have others."""
        if name not in ('energy', 'g', 'xi'):
            self._position_count()
        elif name != 'energy' and self.model.mechanism is not None:
            raise UnsupportedError(f'instances of a mechanism have no {name}; they have positions and velocities')
        return getattr(self.state(), name)

    @property
    def xi(self) -> Array:
        """The body velocities (instances, n).

        >>> liegrp.Ensemble('rolling-ball', 3).xi.shape
        (3, 5)
        """
        return self._of_state('xi')

    @property
    def positions(self) -> Array:
        """The positions of a mechanism (instances, position_count).

        >>> liegrp.Ensemble('double-pendulum', 3).positions.shape
        (3, 2)
        """
        return self._of_state('positions')

    @property
    def velocities(self) -> Array:
        """The velocities of a mechanism (instances, position_count).

        >>> liegrp.Ensemble('double-pendulum', 3).velocities.shape
        (3, 2)
        """
        return self._of_state('velocities')

    @property
    def energy(self) -> Array:
        """H of every instance (instances).

        >>> liegrp.Ensemble('rolling-ball', 3).energy.shape
        (3,)
        """
        return self._of_state('energy')

    def figures(self) -> Array:
        """With monitor=K: the extremes of every instance since its start, a structured array (instances) with the
        fields energy_first, energy_low, energy_high, constraint.

        >>> ensemble = liegrp.Ensemble('rolling-ball', 3, monitor=10).run(100)
        >>> bool((ensemble.figures()['constraint'] < 1e-12).all())
        True
        """
        out = np.full(len(self), np.nan, dtype=[(name, '<f8') for name in (
            'energy_first', 'energy_low', 'energy_high', 'constraint')])
        places = ffi.cast('lg_ensemble_figures *', ffi.from_buffer(out))
        for i in range(len(self)):
            status = lib.lg_ensemble_read(self.pointer, places + i, i)
            if status == lib.LG_ERROR_ARGUMENT:
                self._check(status)
        return out

    def __repr__(self):
        return f'<liegrp.Ensemble of {len(self)} x {self.model.name}>'


def spans(first, count, every):
    """The runs of C that make steps first + 1 to first + count: pairs (steps, every so many of them a sample, or None).
    C counts from the beginning of each run; samples belong to the multiples of `every` from the beginning of all."""
    if every is None:
        return [(count, None)]
    head = min(-first % every, count)
    whole = (count - head) // every * every
    meets = (first + head) % every == 0
    parts = (head, head if meets else None), (whole, every), (count - head - whole, None)
    return [(steps, period) for steps, period in parts if steps > 0]


def in_python(model):
    """True: steps of the model call functions in Python."""
    owner = getattr(model, '_owner', None)
    return owner is not None and not set(owner.functions) <= {'configure', 'initial'}
