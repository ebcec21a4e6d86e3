# SPDX-License-Identifier: BSD-3-Clause
"""Identification: what fits measurements."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._core import ArgumentError, Pinned, check_names, create, default, ffi, lib, real, step_of
from ._map import one, pointer, reals
from ._notebook import of_identification
from ._types import Array, ArrayLike
from .mechanisms import Mechanism, model_of
from .models import Model


class Identification(Pinned):
    """The parameters and initial values of a model with which its motion fits measurements best, by least squares.

    model: a Model, System or Mechanism, or the name of one; its present values are the first guess.
    data: measured columns by name, each (S,): a dictionary, or rows such as `Result.rows`. NaN: not measured. Angles are
    compared modulo 2 pi, attitudes by the angle between them: give all four columns of a quaternion.
    times: (S,), ascending; by default data['t']. Samples between steps are compared with interpolated states.
    free: names of parameters that are looked for, or a dictionary of names and scales, changes that count. start:
    columns of the start that are looked for, also.
    sigma: the standard deviation of all columns, or a dictionary of them (of an attitude in rad). Without it the
    deviation is taken to be equal in all columns and estimated.
    controls: (steps, controls) from t0 on, held in each step. method, retraction, step: of the motion.

    >>> rows = liegrp.run('double-pendulum', step=0.01, steps=100).rows
    >>> guess = liegrp.Mechanism.gallery('double-pendulum')
    >>> guess.parameters['lower.mass'] = 1.4
    >>> fit = liegrp.Identification(guess, {name: rows[name] for name in ('t', 'shoulder', 'elbow')},
    ...                             free=['lower.mass'], step=0.01).solve()
    >>> bool(abs(fit.values['lower.mass'] - 1) < 1e-8)
    True
    """

    def __init__(self, model: Model | Mechanism | str | Any, data: Mapping[str, ArrayLike] | Array,
                 times: ArrayLike | None = None, *, free: Sequence[str] | Mapping[str, float] = (),
                 start: Sequence[str] | Mapping[str, float] = (), sigma: float | Mapping[str, float] | None = None,
                 controls: ArrayLike | None = None, t0: float = 0.0, method: str = 'sem', retraction: str = 'exp',
                 step: float | None = None) -> None:
        self.model = model = model_of(model)
        names = list(data.dtype.names or () if isinstance(data, np.ndarray) else data)
        if times is None and 't' not in names:
            raise ArgumentError("there are no times: give times, or data with 't'")
        times = reals(data['t'] if times is None else times, 'times').reshape(-1).copy()
        self._columns = [name for name in names if name != 't']
        check_names(self._columns, model.columns, 'column', model.name)
        values = np.stack([one(data[name], times.shape, name) for name in self._columns] or [times[:0]], axis=-1)
        self._values, self.t = np.ascontiguousarray(values), times
        self._unknowns = [(name, initial, scale) for initial, given in enumerate((free, start))
                          for name, scale in scales(given, ('free', 'start')[initial])]
        problem = default('lg_identification_problem', lib.lg_identification_problem_init, model._pointer)
        kept = self._fill(problem, sigma, t0)
        kept += self._motion(problem, method, retraction, step, controls)
        self._pointer = create('lg_identification', lambda slot: self._made(slot, problem),
                               lib.lg_identification_destroy, lib.lg_identification_message)
        self._keep = model, kept

    def _made(self, slot, problem):
        status = lib.lg_identification_create(slot, problem)
        if status != lib.LG_OK:
            self.model._raise_failure()
        return status

    def _fill(self, problem, sigma, t0):
        """Unknowns and data; returns what must stay alive."""
        words = [ffi.new('char[]', name.encode()) for name, _, _ in self._unknowns]
        unknowns = ffi.new('lg_unknown[]', [{'name': word, 'initial': initial, 'scale': scale}
                                            for word, (_, initial, scale) in zip(words, self._unknowns)])
        columns = [ffi.new('char[]', name.encode()) for name in self._columns]
        list_of = ffi.new('char *[]', columns)
        problem.t0, problem.unknown_count, problem.unknowns = real(t0, 't0'), len(words), unknowns
        problem.column_count, problem.columns = len(columns), list_of
        problem.sample_count, problem.times, problem.values = len(self.t), pointer(self.t), pointer(self._values)
        deviations = None
        if isinstance(sigma, Mapping):
            check_names(sigma, self._columns, 'column', 'the data')
            missing = [name for name in self._columns if name not in sigma]
            if missing:
                raise ArgumentError(f'sigma of {", ".join(missing)} is missing')
            deviations = np.array([real(sigma[name], f'sigma of {name}') for name in self._columns])
        elif sigma is not None:
            deviations = np.full(len(self._columns), real(sigma, 'sigma'))
        problem.sigma = pointer(deviations)
        return [words, unknowns, columns, list_of, deviations]

    def _motion(self, problem, method, retraction, step, controls):
        """How motions are made; returns what must stay alive."""
        options = default('lg_motion_options', lib.lg_motion_options_init)
        words = [ffi.new('char[]', word.encode()) for word in (method, retraction)]
        options.method, options.retraction = words
        options.step = step_of(step, self.model.default_step)
        problem.options = options
        if controls is not None:
            controls = reals(controls, 'controls')
            if controls.ndim != 2 or controls.shape[1] != self.model.control_count or not len(controls):
                raise ArgumentError(f'controls must have the shape (steps, {self.model.control_count}), got '
                                    f'{controls.shape}')
            controls = np.ascontiguousarray(controls)
            problem.controls, problem.control_steps = pointer(controls), len(controls)
        return [options, words, controls]

    def solve(self, iterations: int = 50, tolerance: float = 1e-8) -> Identification:
        """Improves the values until a correction changes none by more than `tolerance` of its scale. An error says which
        combination of the unknowns the data do not determine; the best values so far stay readable.

        >>> body = liegrp.Model('rigid-body')
        >>> rows = liegrp.run(body, steps=50, step=0.1).rows
        >>> data = {name: rows[name] for name in ('t', 'xi_1', 'xi_2', 'xi_3')}
        >>> liegrp.Identification(body, data, free=['I1', 'I2', 'I3'], sigma=1e-3, step=0.1).solve()
        Traceback (most recent call last):
            ...
        liegrp._core.Error: lg_identification_solve: the data determine 2 of 3 combinations: ...
        """
        self.model._check(lib.lg_identification_solve(self._pointer, iterations, real(tolerance, 'tolerance')),
                          lambda: lib.lg_identification_message(self._pointer))
        return self

    @property
    def values(self) -> dict[str, float]:
        """The values by name.

        >>> liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1']).values
        {'I1': 1.0}
        """
        found = ffi.unpack(lib.lg_identification_values(self._pointer), len(self._unknowns))
        return dict(zip([name for name, _, _ in self._unknowns], found))

    @property
    def errors(self) -> dict[str, float]:
        """The standard errors of the values by name; nan before solve(), inf where the data do not determine one.

        >>> liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1']).errors
        {'I1': nan}
        """
        if self.figures['rank'] < 0:
            return dict.fromkeys(self.values, np.nan)
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist()))

    @property
    def covariance(self) -> Array:
        """The covariance of the values in their order, (P, P).

        >>> liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1']).solve().covariance.shape
        (1, 1)
        """
        C = np.empty((len(self._unknowns),) * 2)
        if lib.lg_identification_covariance(self._pointer, pointer(C)) != lib.LG_OK:
            raise ArgumentError('there is no covariance before solve()')
        return C

    @property
    def predicted(self) -> dict[str, Array]:
        """What the model has in place of the data: columns by name.

        >>> liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1']).predicted['xi_1'].shape
        (1,)
        """
        found = np.frombuffer(ffi.buffer(lib.lg_identification_predicted(self._pointer), self._values.nbytes))
        return dict(zip(self._columns, found.reshape(self._values.shape).T.copy()))

    @property
    def figures(self) -> dict[str, float]:
        """chi2, the sum of squared residuals in units of sigma; measurements; rank, combinations of the unknowns that
        the data determine (-1 before solve()); iterations; solved; scatter, 1 where model and sigma are right;
        correction, the last one relative to the scales.

        >>> liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1']).solve().figures['rank']
        1
        """
        f = ffi.new('lg_identification_figures *')
        self.model._check(lib.lg_identification_read(self._pointer, f, ffi.sizeof('lg_identification_figures')), None)
        return {name: getattr(f, name) for name, _ in ffi.typeof('lg_identification_figures').fields}

    def __repr__(self):
        if self.figures['rank'] < 0:
            return f'<identification of {", ".join(self.values)}>'
        found = ', '.join(f'{name} = {value:.8g} +- {self.errors[name]:.2g}' for name, value in self.values.items())
        return f'<identification: {found}>'

    def _repr_html_(self):
        return of_identification(self)


def identify(model: Model | Mechanism | str | Any, data: Mapping[str, ArrayLike] | Array,
             times: ArrayLike | None = None, **settings: Any) -> Identification:
    """Identification(model, data, times, ...).solve().

    >>> rows = liegrp.run('heavy-top', step=0.02, steps=100).rows
    >>> top = liegrp.Model('heavy-top')
    >>> top.set(chi3=0.25)
    >>> attitudes = {name: rows[name] for name in ('t', 'qx', 'qy', 'qz', 'qw')}
    >>> round(liegrp.identify(top, attitudes, free=['chi3'], sigma=1e-3, step=0.02).values['chi3'], 9)
    0.3
    """
    return Identification(model, data, times, **settings).solve()


def scales(given, what):
    """Names with their scales; 0: by the library."""
    if isinstance(given, str):
        raise ArgumentError(f'{what} must be a list of names, or a dictionary of names and scales, got {given!r}')
    if isinstance(given, Mapping):
        return [(name, real(scale, f'scale of {name}')) for name, scale in given.items()]
    return [(name, 0.0) for name in given]
