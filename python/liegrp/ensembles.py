# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles: many instances of one model side by side, as arrays with the instances first."""
from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from ._core import (ArgumentError, Pinned, check, check_counts, check_names, create, default, ffi, flag, lib, merged,
                    one_of, real, step_of, text)
from ._map import pointer, reals
from ._types import Array, ArrayLike
from .integrators import STARTS, check_given
from .models import Model, model_of


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


class Samples:
    """States of all instances: arrays whose first axis is the instance, then, for several times, the time. NaN: the
    instance did not get there.

    >>> samples = liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).run(4, every=2)
    >>> samples.t.shape, samples.xi.shape
    ((3, 2), (3, 2, 5))
    """

    def __init__(self, **arrays: Array) -> None:
        self.__dict__.update(arrays)

    def __repr__(self):
        return 'Samples(' + ', '.join(f'{name}: {array.shape}' for name, array in vars(self).items()) + ')'


class Retirements(Pinned):
    """What all ensembles tell about instances that failed. `pointer` is the ensemble, `_calls` its functions in C."""

    _prefix = 'lg_ensemble_'

    def _c(self, name):
        return getattr(lib, self._prefix + name)

    def _check(self, status):
        check(status, lambda: self._c('message')(self.pointer))

    def _done(self, status):
        self._check(status)
        return self

    def __len__(self):
        return self._c('count')(self.pointer)

    @property
    def threads(self) -> int:
        """Threads of a run.

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).threads
        1
        """
        return self._c('threads')(self.pointer)

    @property
    def width(self) -> int:
        """Instances that the vector units handle at a time.

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).width in (1, 2, 4, 8)
        True
        """
        return self._c('width')(self.pointer)

    @property
    def bytes(self) -> int:
        """Memory.

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).bytes > 0
        True
        """
        return self._c('bytes')(self.pointer)

    @property
    def retired(self) -> Array:
        """True for each instance that failed and was retired (instances).

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).retired
        array([False, False, False])
        """
        if self._c('retired')(self.pointer) == 0:
            return np.zeros(len(self), dtype=bool)
        return np.array([self._c('status')(self.pointer, i) != lib.LG_OK for i in range(len(self))])

    def reason(self, i: int) -> str:
        """Why instance i was retired; '' if it was not.

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).reason(0)
        ''
        """
        return text(self._c('reason')(self.pointer, i))

    def steps_done(self) -> Array:
        """Steps of each instance since it was started (instances).

        >>> ensemble = liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).run(5)
        >>> ensemble.steps_done()
        array([5, 5, 5])
        """
        return np.array([self._c('steps')(self.pointer, i) for i in range(len(self))])

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

    def _advance(self, steps, every, controls, sampler):
        """run() of all ensembles: the ensemble, or Samples that the function `sampler` in C takes."""
        check_counts(steps, 1 if every is None else every)
        pieces = 1 if controls is None else controls.shape[1]
        if pieces < 1 or steps % pieces != 0:
            raise ArgumentError(f'{steps} steps cannot be shared out among {pieces} pieces of controls: the steps must '
                                'be a multiple of the pieces')
        if every is not None and 0 < steps < every:
            raise ArgumentError(f'every = {every} is more than the {steps} steps: no state would be sampled')
        if self._c('retired')(self.pointer) == len(self):
            warnings.warn(f'all {len(self)} instances are retired, so none moves; the first: {self.reason(0)}',
                          RuntimeWarning, stacklevel=3)
        if every is None:
            self._run(steps, None, controls, ffi.NULL, ffi.NULL)
            return self
        samples, struct = self._samples(steps // every)
        self._run(steps, every, controls, ffi.addressof(lib, sampler), struct)
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
                    self._check(self._c('run')(self.pointer, piece, period or piece,
                                               observer if period else ffi.NULL, samples))


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


class Ensemble(Retirements):
    """`count` instances of a model, each with parameters, initial data and controls of its own; all share method,
    retraction and step. Every instance ends, to the last bit, where it would have ended alone in an Integrator. One
    that fails is retired: it keeps its last state, `retired` and reason() tell, the others go on.

    tolerance: for the method `gauss`: every instance finds its steps, `step` is the interval of its states.
    start: 'reaction', 'legendre' or 'paper'; project: all initial data are projected onto the constraints. threads: 0
    takes one per processor, which pays for runs of some milliseconds and more, on processors that nothing else needs.
    Models with functions in Python run in one thread; others release Python's lock. monitor: K, for figures().

    >>> ball = liegrp.Model('rolling-ball')
    >>> ensemble = liegrp.Ensemble(ball, 100, step=0.1, Omega=numpy.linspace(0, 1, 100)).run(10)
    >>> ensemble.g.shape
    (100, 6)
    """

    def __init__(self, model: Model | str, count: int, method: str = 'sem', retraction: str = 'exp',
                 step: float | None = None, *, tolerance: float | None = None, start: str = 'reaction',
                 project: bool = False, threads: int = 1,
                 width: int = 0, monitor: int = 0,
                 parameters: Mapping[str, ArrayLike] | None = None, initial: Mapping[str, ArrayLike] | None = None,
                 **values: ArrayLike) -> None:
        model = model_of(model)
        options = default('lg_ensemble_options', lib.lg_ensemble_options_init)
        kept = [ffi.new('char[]', word.encode()) for word in (method, retraction)]
        options.method, options.retraction = kept
        options.step, options.start = step_of(step, model.default_step), one_of(start, STARTS, 'start')
        options.project, options.width, options.monitor = flag(project, 'project'), width, monitor
        if tolerance is not None:
            options.tolerance = real(tolerance, 'tolerance')
        options.threads = 1 if in_python(model) else threads
        self.model = model
        self._size, self._n = model.group.element_size, model.dim
        self.pointer = create('lg_ensemble', lambda slot: lib.lg_ensemble_create(slot, model._pointer, count, options),
                              lib.lg_ensemble_destroy, lib.lg_ensemble_message)
        self.step_size = options.step
        if not project:
            check_given(model, method, retraction, self.step_size)
        if parameters or initial or values:
            self.set(merged(parameters, values), initial)

    def _check(self, status):
        self.model._raise_failure()
        super()._check(status)

    def set(self, parameters: Mapping[str, ArrayLike] | None = None,
            initial: Mapping[str, ArrayLike] | None = None) -> Ensemble:
        """Gives every instance parameters and initial data and starts it at time 0: dictionaries of numbers or arrays
        (instances,) by the names of parameters and initial columns. What is not named is the model's.

        >>> ensemble = liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).set({'Omega': [0.1, 0.2, 0.3]}, {'x': 1.5})
        >>> ensemble.g[:, 0]
        array([1.5, 1.5, 1.5])
        """
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

    def start(self, g: ArrayLike, xi: ArrayLike, t0: float = 0.0) -> Ensemble:
        """Starts every instance at time t0 from elements (instances, element) and body velocities (instances, n), with
        its present parameters and controls.

        >>> ensemble = liegrp.Ensemble(liegrp.Model('rolling-ball'), 3)
        >>> _ = ensemble.start(ensemble.g, ensemble.xi, t0=1.0)
        >>> ensemble.state().t
        array([1., 1., 1.])
        """
        g = rows_of(g, (len(self), self._size), 'g')
        xi = rows_of(xi, (len(self), self._n), 'xi')
        lib.lgp_ensemble_start(self.pointer, real(t0, 't0'), pointer(g), self._size, pointer(xi), self._n)
        self.model._raise_failure()
        return self

    def set_controls(self, u: ArrayLike) -> Ensemble:
        """Sets the controls (instances, controls), which hold until they are set again.

        >>> ensemble = liegrp.Ensemble(liegrp.Model('two-wheeled-robot'), 3)
        >>> _ = ensemble.set_controls([[0.1, 0.1], [0.1, 0.2], [0.2, 0.1]])
        """
        u = rows_of(u, (len(self), self.model.control_count), 'controls')
        return self._done(lib.lg_ensemble_set_controls(self.pointer, 0, pointer(u), len(self)))

    def run(self, steps: int, every: int | None = None, controls: ArrayLike | None = None) -> Ensemble | Samples:
        """Makes `steps` steps of every instance.

        controls: (instances, pieces, controls), of which each is held for steps/pieces steps, a whole number. every:
        returns Samples after every so many steps of the run, in whatever piece they are: t (instances, times), g
        (instances, times, element), xi and p (instances, times, n), energy (instances, times), with steps // every
        times. Without it returns the ensemble.

        >>> robots = liegrp.Ensemble(liegrp.Model('two-wheeled-robot'), 3)
        >>> robots.run(100, every=10, controls=numpy.zeros((3, 5, 2))).energy.shape
        (3, 10)
        """
        return self._advance(steps, every, self._schedule(controls, self.model.control_count), 'lgp_sample')

    def _samples(self, slots):
        """Arrays for `slots` states of each instance, and the struct that fills them."""
        count = len(self)
        seen = np.zeros(count, dtype=np.int64)
        samples = Samples(
            t=np.full((count, slots), np.nan), g=np.full((count, slots, self._size), np.nan),
            xi=np.full((count, slots, self._n), np.nan), p=np.full((count, slots, self._n), np.nan),
            energy=np.full((count, slots), np.nan))
        self._seen = seen
        struct = ffi.new('lgp_samples *', {
            'slots': slots, 'seen': ffi.from_buffer('int64_t[]', seen), 'size': self._size, 'n': self._n,
            't': pointer(samples.t), 'g': pointer(samples.g), 'xi': pointer(samples.xi),
            'p': pointer(samples.p), 'energy': pointer(samples.energy)})
        return samples, struct

    def state(self) -> Samples:
        """The present state of all instances, also of those that are retired, as Samples: t (instances,), g (instances,
        element), xi and p (instances, n), energy (instances,).

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).state().p.shape
        (3, 5)
        """
        samples, struct = self._samples(1)
        self._check(lib.lg_ensemble_visit(self.pointer, ffi.addressof(lib, 'lgp_sample'), struct))
        return Samples(**{name: array[:, 0] for name, array in vars(samples).items()})

    @property
    def g(self) -> Array:
        """The elements (instances, element).

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).g.shape
        (3, 6)
        """
        return self.state().g

    @property
    def xi(self) -> Array:
        """The body velocities (instances, n).

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).xi.shape
        (3, 5)
        """
        return self.state().xi

    @property
    def energy(self) -> Array:
        """H of every instance (instances).

        >>> liegrp.Ensemble(liegrp.Model('rolling-ball'), 3).energy.shape
        (3,)
        """
        return self.state().energy

    def figures(self) -> Array:
        """With monitor=K: the extremes of every instance since its start, a structured array (instances) with the
        fields energy_first, energy_low, energy_high, constraint.

        >>> ensemble = liegrp.Ensemble(liegrp.Model('rolling-ball'), 3, monitor=10).run(100)
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


def in_python(model):
    """True: steps of the model call functions in Python."""
    owner = getattr(model, '_owner', None)
    return owner is not None and not set(owner.functions) <= {'configure', 'initial'}


def with_inputs(model: Model, matrix: ArrayLike, names: Sequence[str] | None = None) -> Model:
    """A model that is driven: its force is B u, with the constant matrix B (n, controls) and controls of its own.

    matrix: B; row i is the direction of velocity i, so a motor between two angles i and j has the column with 1 at i
    and -1 at j. names: of the controls, default u_1, .... Parameters are those of `model` at this moment, initial data
    its defaults. Invariants and exact solutions of the free motion are left out. The force is computed in C, for all
    instances of an ensemble at once.

    >>> board = liegrp.with_inputs(liegrp.Model('snakeboard'), [[0, 0], [0, 0], [-1, 0], [1, 0], [0, 1]])
    >>> board.control_count
    2
    """
    B = np.array(reals(matrix, 'matrix'), ndmin=2)
    if B.shape[0] != model.dim:
        raise ArgumentError(f'matrix must have the shape ({model.dim}, controls), got {B.shape}')
    words = [ffi.new('char[]', word.encode()) for word in (names or [])]
    if words and len(words) != B.shape[1]:
        raise ArgumentError(f'there are {B.shape[1]} controls and {len(words)} names')
    empty = ffi.new('char[]', b'')
    texts = ffi.new('lg_column_text[]', [{'name': word, 'unit': empty, 'meaning': ffi.NULL} for word in words])
    owner = model._owner
    inputs = ffi.new('lgp_inputs *', {'matrix': {'n': model.dim, 'k': B.shape[1], 'entries': pointer(B)}})
    if owner is not None and len(owner.block) == 1:  # no numbers that compiled functions see
        inputs.owner = owner.handle
    if not lib.lgp_with_inputs(inputs, model._pointer, texts if words else ffi.NULL):
        raise ArgumentError(f'{model.name} has forces, controls or a context of its own; add B u to its forces')
    driven = type(model).__new__(type(model))
    driven._owner, driven._given = owner, model._given
    definition = ffi.addressof(inputs, 'definition')
    driven._take(lambda slot: lib.lg_model_create(slot, definition), (inputs, B, words, texts, empty, model))
    driven.group = model.group
    driven.set(model.parameters)
    return driven
