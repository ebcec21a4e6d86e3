# SPDX-License-Identifier: BSD-3-Clause
"""One trajectory: create, start, step, read."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._callbacks import Event
from ._core import (ArgumentError, Error, check_counts, create, default, ffi, flag, lib, one_of, real, step_of, text,
                    texts)
from ._map import one, pointer
from ._types import ArrayLike, Function
from .models import Model, model_of
from .retractions import Retraction
from .states import State

STARTS = {'reaction': lib.LG_START_REACTION, 'legendre': lib.LG_START_LEGENDRE, 'paper': lib.LG_START_PAPER}
_CROSSINGS = {'down': lib.LG_CROSSING_DOWN, 'both': lib.LG_CROSSING_BOTH, 'up': lib.LG_CROSSING_UP}
_MOVED = 1e-8  # relative change of a configuration by a projection: more is a violation, less round-off
_SECONDS = 0.05  # between looks for signals


def methods() -> dict[str, str]:
    """The methods and what they are: a dictionary of names and summaries.

    >>> 'sem' in liegrp.methods()
    True
    """
    return {name: text(lib.lg_method_summary(name.encode())) for name in texts(lib.lg_method_names())}


def compositions() -> dict[str, str]:
    """The compositions that may follow '@' in a method's name, and what they are.

    >>> 'suzuki4' in liegrp.compositions()
    True
    """
    return {name: text(lib.lg_composition_summary(name.encode())) for name in texts(lib.lg_composition_names())}


def must_be_checked(model):
    """Has the user given initial data that constraints could contradict?"""
    return model._given and model.constraint_count + model.holonomic_count > 0


def check_given(model, method='sem', retraction='exp', step=None):
    """Refuses initial data that were given for a model and violate its constraints at t = 0."""
    if not must_be_checked(model):
        return
    try:
        it = Integrator(model, method, retraction, step)
    except Error:  # the method does not suit the model, which is said where it runs
        return
    it.start()


class Integrator(State):
    """A trajectory of a model (or System) under a method, with a step of h.

    The model's parameters are those at this moment. `method` is NAME[:OPTION,...][@COMPOSITION], `retraction` a name or
    a Retraction, `tolerance` lets the method `gauss` find its steps. Methods that change the state return the
    integrator. What fails leaves the state as it was, and raises what a callback in Python raised.

    >>> it = liegrp.Integrator(liegrp.Model('rolling-ball'), 'sem', step=0.1).start()
    >>> it.step(10).t
    1.0
    """

    def __init__(self, model: Model | str, method: str = 'sem', retraction: str | Retraction = 'exp',
                 step: float | None = None, tolerance: float | None = None) -> None:
        model = model_of(model)
        self._system, self.retraction = model._system(), Retraction.of(retraction)
        h = step_of(step, model.default_step)
        made = create('lg_integrator', lambda slot: lib.lg_integrator_create_with(
            slot, self._system, method.encode(), self.retraction._pointer, h),
            lib.lg_integrator_destroy, lib.lg_integrator_message)
        super().__init__(made, model)
        self.method = method
        if tolerance is not None:
            self.set_tolerance(tolerance)

    def _done(self, status):
        """Raises what failed."""
        if status != lib.LG_OK:
            self.model._check(status, lambda: lib.lg_integrator_message(self._pointer))
        return self

    def start(self, g: ArrayLike | None = None, xi: ArrayLike | None = None, t0: float = 0.0,
              start: str = 'reaction', project: bool | None = None) -> Integrator:
        """Starts at time t0 from g (k,) and the body velocity xi (n,), by default those of the model. `project` moves
        them onto the constraints; False refuses data that violate them; None projects the model's default velocity,
        as run() does, and refuses what was given for the model and violates them. `start` is 'reaction', 'legendre' or
        'paper' and matters to gni, rattle and variational.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start([0, 0, 0, 1], [0, 0.5, 0], project=True).t
        0.0
        """
        g0, xi0, given = self.model._initial()
        t0 = real(t0, 't0')
        if project is None:
            project = g is None and xi is None and not given
            if project and must_be_checked(self.model):
                self._check_given(g0, xi0, t0, start)
        g = g0 if g is None else one(g, self.model.group._g, 'g')
        xi = xi0 if xi is None else one(xi, self.model.group._xi, 'xi')
        return self._done(lib.lg_integrator_start(self._pointer, t0, pointer(g), pointer(xi),
                                                  one_of(start, STARTS, 'start'), flag(project, 'project')))

    def _check_given(self, g, xi, t0, start):
        """Refuses initial data of the user's that the projection of a start would change."""
        said = None
        if 'velocity' in self.model._given:
            try:
                self.start(g, xi, t0, start, False)
            except ArgumentError as refused:
                if refused.status != 'LG_ERROR_INCONSISTENT':
                    raise
                said = str(refused).split('; set project')[0]
        self.start(g, xi, t0, start, True)
        moved = abs(self.g - g).max()
        if said is None and moved > _MOVED * (1 + abs(g).max()):
            said = f'the configuration violates the constraints: the nearest that satisfies them is {moved:.3g} away'
        if said is not None:
            raise ArgumentError(f'initial data of {self.model.name}: {said}. The nearest that satisfy the constraints '
                                f'are {self.g.tolist()} and {self.xi.tolist()}; give these, or project=True to take '
                                'the nearest', 'LG_ERROR_INCONSISTENT')

    def start_momentum(self, g: ArrayLike, p: ArrayLike, t0: float = 0.0) -> Integrator:
        """Starts from the method's own momentum (n,): p^- of gni, rattle and variational, p^+ of dla, else p.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), 'gni', step=0.1).start()
        >>> it.start_momentum(it.g, it.p_minus).step_index
        0
        """
        g, p = one(g, self.model.group._g, 'g'), one(p, self.model.group._xi, 'p')
        return self._done(lib.lg_integrator_start_momentum(self._pointer, real(t0, 't0'), pointer(g), pointer(p)))

    def reset(self) -> Integrator:
        """Goes back to the last start.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step(5).reset().step_index
        0
        """
        return self._done(lib.lg_integrator_reset(self._pointer))

    def step(self, n: int = 1) -> Integrator:
        """Makes n steps in C. Signals are seen about every 50 ms: Ctrl-C raises KeyboardInterrupt after a whole step.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step(1000).t
        100.0
        """
        if n == 1:
            return self._done(lib.lg_integrator_step(self._pointer))
        check_counts(n)
        done = ffi.new('int64_t *')
        while n > 0:
            self._done(lib.lgp_steps(self._pointer, done, n, _SECONDS))
            n -= done[0]
        return self

    def step_to(self, t: float) -> Integrator:
        """Makes full steps while they fit, then one that ends at t exactly; Ctrl-C as in step().

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step_to(0.25).t
        0.25
        """
        done, t = ffi.new('int *'), real(t, 't')
        while not done[0]:
            self._done(lib.lgp_steps_to(self._pointer, done, t, _SECONDS))
        return self

    def step_to_event(self, f: Function, direction: str = 'both', tolerance: float = 0.0) -> int:
        """Makes one step, shortened to end where f(c, g, xi) changes sign: 'up', 'down' or 'both'. Returns 1 if f rose
        through 0, -1 if it fell, 0 without an event. `f` is a Python function or a compiled one, liegrp.compiled().

        >>> it = liegrp.Integrator(liegrp.Model('rolling-ball'), step=0.1).start()
        >>> it.step_to_event(lambda c, g, xi: c.t - 0.05), it.t
        (1, 0.05)
        """
        watch, found = Event(f, self.model), ffi.new('int *')
        event = default('lg_event', lib.lg_event_init, watch.function, watch.context)
        event.direction, event.tolerance = one_of(direction, _CROSSINGS, 'direction'), tolerance
        status = lib.lg_integrator_step_to_event(self._pointer, found, event)
        watch.raise_failure()
        self._done(status)
        return found[0]

    def set_control(self, u: ArrayLike) -> Integrator:
        """Sets the controls, (control_count,); they hold until set again.

        >>> it = liegrp.Integrator(liegrp.System(liegrp.Rn(1), [2.0], force=lambda c, g, xi: c.u, controls=['push']),
        ...                        step=0.5).start()
        >>> it.set_control([2.0]).step(2).p
        array([2.])
        """
        u = one(u, (self.model.control_count,), 'u')
        return self._done(lib.lg_integrator_set_control(self._pointer, pointer(u)))

    def set_tolerance(self, tolerance: float) -> Integrator:
        """Lets the method `gauss` find its steps from here on; 0: steps of h again.

        >>> liegrp.Integrator(liegrp.Model('suslov'), 'gauss', step=0.1).set_tolerance(1e-9).tolerance
        1e-09
        """
        return self._done(lib.lg_integrator_set_tolerance(self._pointer, real(tolerance, 'tolerance')))

    def set_newton(self, tolerance: float = 1e-08, iterations: int = 50) -> Integrator:
        """Newton's relative tolerance on the last correction, and the largest number of iterations.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).set_newton(1e-10, 20).step_index
        0
        """
        return self._done(lib.lg_integrator_set_newton(self._pointer, tolerance, iterations))

    def set_solver(self, tolerance: float = 1e-14, evaluations: int = 100) -> Integrator:
        """The relative tolerance on the residual of steps that are solved as a whole, and their evaluations at most.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).set_solver(1e-13, 200).step_index
        0
        """
        return self._done(lib.lg_integrator_set_solver(self._pointer, tolerance, evaluations))

    @property
    def tolerance(self) -> float:
        """The tolerance, 0 without.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).tolerance
        0.0
        """
        return lib.lg_integrator_tolerance(self._pointer)

    @property
    def found_step(self) -> float:
        """The length of the last step that was found for the tolerance; NaN without.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).found_step
        nan
        """
        return lib.lg_integrator_found_step(self._pointer)

    @property
    def step_error(self) -> float:
        """The error that is estimated for that step; NaN without.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).step_error
        nan
        """
        return lib.lg_integrator_step_error(self._pointer)

    def save(self) -> bytes:
        """The state as bytes, from which load() goes on to the bit.

        >>> type(liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().save())
        <class 'bytes'>
        """
        size = lib.lg_integrator_saved_bytes(self._pointer)
        saved = ffi.new('char[]', max(size, 1))
        self._done(lib.lg_integrator_save(self._pointer, saved, size))
        return bytes(ffi.buffer(saved, size))

    def load(self, saved: bytes) -> Integrator:
        """Takes the state that save() gave, of an integrator with the same model, method, retraction and step.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().step(3)
        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).load(it.save()).step_index
        3
        """
        return self._done(lib.lg_integrator_load(self._pointer, ffi.from_buffer(saved), len(saved)))

    def copy(self) -> Integrator:
        """Another integrator that goes on from the present state.

        >>> it = liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start()
        >>> it.copy().step(2).step_index, it.step_index
        (2, 0)
        """
        other = Integrator.__new__(Integrator)
        made = create('lg_integrator', lambda slot: lib.lg_integrator_clone(slot, self._pointer),
                      lib.lg_integrator_destroy, lib.lg_integrator_message)
        State.__init__(other, made, self.model)
        other._system, other.method, other.retraction = self._system, self.method, self.retraction
        return other

    def __repr__(self):
        return f'<liegrp.Integrator of {self.model.name}, {self.method}, h = {self.step_size}, t = {self.t}>'

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def reversibility(self, steps: int = 100) -> float:
        """How far the method is from being reversible: `steps` steps there and back; round-off for symmetric methods.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().reversibility(10) < 1e-12
        True
        """
        defect = ffi.new('double *')
        self._done(lib.lg_diagnostics_reversibility(self._pointer, defect, steps))
        return defect[0]

    def determinant(self) -> float:
        """The determinant of the next step's derivative on (eta, p).

        >>> round(liegrp.Integrator(liegrp.Model('suslov'), 'gni', step=0.1).start().determinant(), 6)
        -1.0
        """
        found = ffi.new('double *')
        self._done(lib.lg_diagnostics_determinant(self._pointer, found))
        return found[0]

    def parasitic_growth(self) -> tuple[float, int]:
        """(rate, count) of the parasitic mode of the GNI at the present state; (nan, 0) for other methods.

        >>> liegrp.Integrator(liegrp.Model('suslov'), 'gni', step=0.1).start().parasitic_growth()[1]
        1
        """
        rate, count = ffi.new('double *'), ffi.new('int *')
        self._done(lib.lg_diagnostics_parasitic_growth(self._pointer, rate, count))
        return rate[0], count[0]

    def resolution(self, steps: int = 16) -> dict[str, Any]:
        """How well the step resolves the motion, from `steps` steps that are repeated in smaller ones: a dictionary of
        the figures of lg_resolution, `worst` and `suffices`.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.01).start().resolution()['suffices']
        True
        """
        found = default('lg_resolution', lib.lg_resolution_init)
        self._done(lib.lg_diagnostics_resolution(self._pointer, found, steps))
        figures = {name: getattr(found, name) for name, _ in ffi.typeof('lg_resolution').fields if name != 'size'}
        return {**figures, 'worst': lib.lg_resolution_worst(found), 'suffices': bool(lib.lg_resolution_suffices(found))}

    def row(self) -> np.void:
        """The row of the present state, as run() writes it: a record with the names model.columns.

        >>> liegrp.Integrator(liegrp.Model('suslov'), step=0.1).start().row()['t']
        0.0
        """
        names = self.model.columns
        row, columns = np.empty(len(names)), np.empty(lib.lg_model_column_count(self.model._pointer))
        lib.lg_model_columns(self.model._pointer, pointer(columns), lib.lg_integrator_configuration(self._pointer),
                             ffi.NULL)
        self._done(lib.lg_run_row(self.model._pointer, pointer(row), self._pointer, pointer(columns)))
        record = np.empty(1, dtype=[(name, 'i8' if i == 0 else 'f8') for i, name in enumerate(names)])
        record[0] = tuple(row)
        return record[0]
