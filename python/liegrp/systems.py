# SPDX-License-Identifier: BSD-3-Clause
"""Systems of your own, from functions in Python or compiled ones."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._callbacks import FIELDS, OTHERS, Owner, address_of, compiled_function, failed, owner_of, put, view
from ._core import ArgumentError, ffi, flag, lib, nearest, real
from ._map import items, pointer, reals
from ._types import Array, ArrayLike, Function
from .models import Model, Parameter
from .motions import check_given

if TYPE_CHECKING:
    from .groups import Group

_TYPES = {name: field.type for name, field in ffi.typeof('lg_callbacks').fields}


class System(Model):
    """A mechanical system L = xi.J(g) xi / 2 - V(g) on a group, with constraints and forces; it is a Model.

    inertia: J, constant: (n,) or (n, n), or a function of the dictionary of parameters that returns one.
    parameters: a dictionary of values or of Parameter.
    initial: (g0, xi0), or a function of the parameters that returns them; by default the identity at rest. Given data
    must satisfy the constraints, also for parameters that are set later; project=True: a start moves them to the
    nearest data that do. The default is always projected.
    covectors: the rows A of the velocity constraints A (xi - Y) = 0, constant (m, n), or a function.
    constraint_count, holonomic_count: m and s, where functions compute the rows and phi.
    controls, coordinates: names. invariants: a dictionary of functions f(c, g, p) that the motion conserves.
    context: numbers that compiled functions see as c[0].
    check: compare all derivatives with differences at once, Model.check().

    The functions get c (a Call: c.t, c['name'], c.parameters, c.u) and arrays of their own, which cannot be written;
    they return numbers or arrays. Derivatives are left-trivialised: <dV(g), eta> = d/ds V(g exp(s eta)).

    | function | returns |
    |---|---|
    | metric(c, g) | J(g) instead of `inertia`, (n, n) |
    | metric_gradient(c, g, xi) | left differential of xi.J(g) xi / 2, (n,) |
    | potential(c, g), potential_gradient(c, g) | V, and dV (n,) |
    | potential_hessian(c, g, eta) | d/ds dV(g exp(s eta)), (n,) |
    | force(c, g, xi) | a covector (n,) |
    | force_derivative(c, g, xi, eta, dxi, du) | its derivative along changes of g, xi and c.u, (n,) |
    | covectors(c, g) | rows (m, n), or (rows, drift) |
    | drift(c, g) | Y (n,) for constant rows |
    | covectors_derivative(c, g, eta), covectors_rate(c, g) | derivatives of rows and drift along eta, and by t |
    | holonomic(c, g), holonomic_rate(c, g) | phi, and its derivative by t, (s,) |
    | holonomic_differential(c, g) | d phi, (s, n) |
    | holonomic_acceleration(c, g, xi) | second derivative of phi along xi, (s,) |
    | discrete_constraint, discrete_slope_1, discrete_slope_2 (c, h, g0, g1) | (m,), (n,), (n,) |
    | holonomic_mean, potential_mean, force_mean (c, h, g0, g1) | (s, n), (n,), (n,) |
    | look(c) | bodies and shapes to draw, as Model.scene: {'bodies': names, 'shapes': dictionaries} |
    | poses(c, g) | where these bodies are, (bodies, 7): position and quaternion x, y, z, w |

    All but `look` may be compiled: by liegrp.compiled(), or as a function pointer of ctypes or cffi that has the type
    of lg_callbacks. An exception in a function is raised by the call that needed it, and the state stays as it was.

    >>> spring = liegrp.System(liegrp.Rn(1), [1.0], parameters={'k': 4.0}, initial=([1.0], [0.0]),
    ...                        potential=lambda c, q: 0.5 * c['k'] * q[0]**2,
    ...                        potential_gradient=lambda c, q: c['k'] * q)
    >>> motion = liegrp.Motion(spring, step=0.01).run_to(numpy.pi / 2)
    >>> bool(abs(motion.g[0] + 1) < 1e-4)
    True
    """

    def __init__(self, group: Group, inertia: ArrayLike | Function | None = None, *, name: str = 'system',
                 summary: str = '', parameters: Mapping[str, float | Parameter] | None = None,
                 initial: tuple[ArrayLike, ArrayLike] | Function | None = None, project: bool = False,
                 covectors: ArrayLike | Function | None = None, constraint_count: int | None = None,
                 holonomic_count: int | None = None, controls: Sequence[str] = (),
                 coordinates: Sequence[str] | None = None, invariants: Mapping[str, Function] | None = None,
                 step: float = 0.0, time_dependent: bool = False, context: ArrayLike = (), check: bool = True,
                 look: Function | None = None, **functions: Any) -> None:
        unknown = [given for given in functions if given not in FIELDS]
        if unknown:
            raise ArgumentError(f'unknown function {unknown[0]!r}; expected some of {", ".join(FIELDS)}'
                                f'{nearest(unknown[0], FIELDS)}')
        functions = {field: f for field, f in functions.items() if f is not None}
        rows = None
        if covectors is not None and is_function(covectors):
            functions['covectors'] = covectors
        elif covectors is not None:
            rows = items(np.atleast_2d(covectors) if np.ndim(covectors) else covectors, group._xi, 'covectors')
            if rows.ndim != 2 or constraint_count not in (None, len(rows)):
                raise ArgumentError(f'covectors must be rows (m, {group.dim}) of m = constraint_count constraints, got '
                                    f'{rows.shape} and constraint_count={constraint_count}')
            constraint_count = len(rows)
        m, s = counted(constraint_count, 'covectors', functions), counted(holonomic_count, 'holonomic', functions)
        described = {key: p if isinstance(p, Parameter) else Parameter(real(p, key))
                     for key, p in (parameters or {}).items()}
        sizes = {'g': group.element_size, 'n': group.dim, 'm': m, 's': s}
        self._owner = Owner(sizes, described, len(controls), np.ravel(reals(context, 'context')))
        self._texts = []
        d = ffi.new('lg_model_definition *', {'size': ffi.sizeof('lg_model_definition'), 'step': step})
        d.name, d.summary, d.source = self._text(name), self._text(summary), self._text('')
        self._texts.append(ffi.callback('const lg_group *(void)', lambda: group._pointer))
        d.group = self._texts[-1]
        d.constraint_count, d.has_constant_rows = m, rows is not None
        d.configure, d.initial = lib._lgp_configure, lib._lgp_initial
        self._owner.functions['configure'] = configurer(inertia, rows, described, group.dim, 'metric' in functions)
        self._owner.functions['initial'] = starter(initial, described, group)
        self._describe(d, described, controls, coordinates, group)
        self._add_invariants(d, invariants or {})
        if (look is None) != ('poses' not in functions):
            raise ArgumentError('look says which bodies are seen and poses where they are: a system has both or neither')
        if look is not None:
            self._owner.add_look(look)
            d.callbacks.look = lib._lgp_look
        self._add_functions(d.callbacks, functions)
        d.callbacks.control_count, d.callbacks.holonomic_count = len(controls), s
        d.callbacks.time_dependent = flag(time_dependent, 'time_dependent')
        d.callbacks.model_context = self._owner.context
        self._take(lambda slot: lib.lg_model_create(slot, d), (group, d))
        self.group = group
        if check:
            self.check()
        if initial is not None and not flag(project, 'project'):
            self._given = frozenset(('configuration', 'velocity'))
            if check:
                for method in ('sem', 'gauss', 'rk4'):
                    check_given(self, method, step=self.default_step or 1.0)

    @property
    def context(self) -> Array:
        """The numbers that compiled functions see as c[0]: an array that may be written to.

        >>> liegrp.System(liegrp.Rn(1), [1.0], context=[3.0]).context
        array([3.])
        """
        return self._owner.block[1:]

    def _text(self, string):
        """A C string that lives as long as the system."""
        self._texts.append(ffi.new('char[]', str(string).encode()))
        return self._texts[-1]

    def _array(self, kind, values):
        """A C array that lives as long as the system."""
        self._texts.append(ffi.new(kind + '[]', values))
        return self._texts[-1]

    def _describe(self, d, parameters, controls, coordinates, group):
        """Names, units, meanings, ranges."""
        d.parameter_count = len(parameters)
        if parameters:
            d.parameters = self._array('lg_parameter', [
                [self._text(name), self._text(p.unit), self._text(p.meaning), p.value, p.low, p.high, p.open]
                for name, p in parameters.items()])
        if controls:
            d.callbacks.controls = self._array('lg_column_text', [
                [self._text(name), self._text(''), self._text('')] for name in controls])
        if coordinates is not None:
            blocks = [lib.lg_group_block_at(group._pointer, i)
                      for i in range(lib.lg_group_block_count(group._pointer))]
            kinds = (lib.LG_BLOCK_VECTOR, lib.LG_BLOCK_ANGLES)
            expected = sum(b.element_size for b in blocks if b.kind in kinds and b.names == ffi.NULL)
            if len(coordinates) != expected:
                raise ArgumentError(f'{group.name} has {expected} coordinates, got {len(coordinates)} names')
            d.coordinate_names = self._array('const char *', [self._text(name) for name in coordinates])

    def _add_functions(self, callbacks, functions):
        """Functions in Python by way of the owner, compiled ones directly."""
        for name, function in functions.items():
            address = compiled_function(function, _TYPES[name], name)
            if address is None:
                self._owner.add(name, function)
                address = getattr(lib, '_lgp_' + name)
            self._texts.append(function)
            setattr(callbacks, name, address)

    def _add_invariants(self, d, invariants):
        """Functions f(c, g, p) -> number."""
        kind = dict(ffi.typeof('lg_invariant').fields)['value'].type
        made = []
        for name, function in invariants.items():
            address = compiled_function(function, kind, f'invariant {name}')
            if address is None:
                address = invariant(self._owner, name, function, kind)
            self._texts += [address, function]
            made.append([self._text(name), self._text(name), address])
        d.invariant_count = len(made)
        if made:
            d.invariants = self._array('lg_invariant', made)


def is_function(value):
    """A function in Python or a compiled one?"""
    return callable(value) or hasattr(value, 'address') or address_of(value) is not None


def counted(count, name, functions):
    """The number of constraints."""
    if name in functions and count is None:
        key = 'constraint_count' if name == 'covectors' else 'holonomic_count'
        raise ArgumentError(f'{name} is a function, so {key} must say how many constraints there are')
    return count or 0


def invariant(owner, name, function, kind):
    """A C function that calls one in Python."""
    owner.add('invariant ' + name, function, OTHERS['invariant'])

    def value(c, *pointers):
        owner_of(c).functions['invariant ' + name](c, pointers)
        return 0
    return ffi.callback(kind, value, error=1, onerror=failed)


def values_of(c, parameters):
    """The present values of the parameters by name."""
    return {name: c.param[i] for i, name in enumerate(parameters)}


def configurer(inertia, rows, parameters, n, has_metric):
    """Fills the constant inertia and rows from the parameters."""
    if (inertia is None) != has_metric:
        raise ArgumentError('a system has either an inertia or a function metric')

    def matrix(value):
        value = reals(value, 'inertia').copy()
        return np.diag(value) if value.shape == (n,) else value
    constant = None if inertia is None or callable(inertia) else matrix(inertia)

    def configure(c, pointers):
        J, A, _ = pointers
        if inertia is not None:
            put(J, matrix(inertia(values_of(c, parameters))) if constant is None else constant, (n, n), 'inertia')
        if rows is not None:
            view(A, rows.size)[:] = rows.reshape(-1)
    return configure


def starter(initial, parameters, group):
    """Fills the initial data from the parameters."""
    def start(c, pointers):
        found = initial(values_of(c, parameters)) if callable(initial) else initial
        if found is None:
            found = group.identity(), np.zeros(group.dim)
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise ArgumentError(f'initial must be a pair (g0, xi0), got {found!r}')
        g, xi = found
        put(pointers[0], g, group._g, 'initial: g0')
        put(pointers[1], xi, group._xi, 'initial: xi0')
    return start


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
