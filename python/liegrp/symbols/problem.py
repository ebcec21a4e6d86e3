# SPDX-License-Identifier: BSD-3-Clause
"""What the user wrote, checked: every symbol is known, every expression can be computed."""
import difflib
import math
import warnings

import sympy
from sympy.core.function import AppliedUndef, Application

from ..models import Parameter
from .factors import Factor
from .refusals import refuse

FUNCTIONS = (sympy.sin, sympy.cos, sympy.exp, sympy.log, sympy.Abs, sympy.sign, sympy.atan2, sympy.atan, sympy.asin,
             sympy.acos)
REWRITTEN = (sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.sinh, sympy.cosh, sympy.tanh)
KNOWN = 'powers, sqrt, exp, log, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, Abs and sign'


def _parameter(symbol, value):
    """A parameter with a value that is possible."""
    if not isinstance(value, Parameter):
        value = Parameter(*value) if isinstance(value, (tuple, list)) else Parameter(value)
    what = f'parameter {_name(symbol)!r}'
    try:
        numbers = [float(v) for v in (value.value, value.low, value.high)]
    except (TypeError, ValueError):
        refuse(f'{what}: {value.value!r} is no number, or its range from {value.low!r} to {value.high!r} is none')
    default, low, high = numbers
    if not math.isfinite(default):
        refuse(f'{what}: its value {default} is no finite number')
    if not (low < default < high if value.open else low <= default <= high):
        refuse(f'{what}: {default:g} is outside its range from {low:g} to {high:g}'
               f'{", bounds not allowed" if value.open else ""}')
    return value._replace(value=default, low=low, high=high)


def check_name(kind, name):
    """The command line writes name=value."""
    if not name or '=' in name:
        refuse(f"{kind} {name!r} needs a name without '='")


def _name(symbol):
    return symbol.name if isinstance(symbol, sympy.Symbol) else str(symbol)


class Problem:
    """A system as expressions of real symbols, each of which is known by its name.

    `kinetic`, `potential`, `rows`, `positions` (expressions that are 0), `forces` (pairs of a velocity and the force
    along it), `invariants` (by name), `initial` (formulas by symbol); `coordinates`, `velocities`, `parameters`,
    `controls`, `time` are the symbols.
    """

    def __init__(self, name, factors, parameters, controls, time):
        self.name = name
        self.factors = [factors] if isinstance(factors, Factor) else list(factors)
        for factor in self.factors:
            if not isinstance(factor, Factor):
                refuse(f'{factor!r} is no factor of the configuration: expected Reals, Angles, Circle, Rotation, '
                       'Planar or Pose')
        if not self.factors:
            refuse('a system needs a configuration: one factor or a list of factors')
        self.coordinates = [s for factor in self.factors for s in factor.coordinates]
        self.velocities = [s for factor in self.factors for s in factor.velocities]
        self.parameters = {sympy.Symbol(_name(s), real=True): _parameter(s, v)
                           for s, v in (parameters or {}).items()}
        named = controls if isinstance(controls, dict) else {symbol: '' for symbol in controls or ()}
        self.controls = {sympy.Symbol(_name(s), real=True): unit for s, unit in named.items()}
        self.time = sympy.Symbol(_name(time), real=True) if time is not None else None
        self._know()
        self._used = set()

    def _know(self):
        """The symbols by name; a name may mean one thing."""
        self.angles = {factor.theta for factor in self.factors if hasattr(factor, 'theta')}
        kinds = [('a coordinate', self.coordinates), ('an angle', sorted(self.angles, key=str)),
                 ('a velocity', self.velocities), ('a parameter', self.parameters), ('a control', self.controls),
                 ('the time', [self.time] if self.time is not None else [])]
        self.known, self.kind = {}, {}
        for kind, symbols in kinds:
            for symbol in symbols:
                check_name(kind.split()[-1], symbol.name)
                if symbol.name in self.known:
                    refuse(f'the name {symbol.name!r} is {self.kind[symbol.name]} and {kind}; give one of them another '
                           "name (factors take a prefix: Rotation('b') has bw1, ...)")
                self.known[symbol.name], self.kind[symbol.name] = symbol, kind
        self.spelling = {}
        for factor in self.factors:
            if hasattr(factor, 'spelled'):
                self.spelling.update(factor.spelled())

    # ---- reading ----

    def read(self, expression, what, without=()):
        """An expression of the user's with the known symbols. `without` are kinds of symbols that it must not have."""
        if isinstance(expression, sympy.Equality):
            expression = expression.lhs - expression.rhs
        try:
            found = sympy.sympify(expression)
        except (sympy.SympifyError, TypeError) as error:
            refuse(f'{what}: {expression!r} is no expression of SymPy ({error})')
        if isinstance(found, sympy.MatrixBase) and found.shape == (1, 1):  # as w.T * I * w is
            found = found[0]
        if not isinstance(found, sympy.Expr) or isinstance(found, (sympy.MatrixBase, sympy.MatrixExpr)):
            refuse(f'{what}: {expression!r} is no expression; matrices are given entry by entry')
        found = self._renamed(found, what)
        found = found.replace(lambda e: isinstance(e, REWRITTEN), _rewritten)
        if found.free_symbols & self.angles:
            found = sympy.expand_trig(found).subs(self.spelling)
        self._computable(found, what)
        for symbol in sorted(found.free_symbols, key=str):
            if self.kind[symbol.name] in without:
                refuse(f'{what} must not depend on {self.kind[symbol.name]}, and it contains {symbol}: {found}')
        self._used |= found.free_symbols
        return found

    def _renamed(self, found, what):
        """With the symbols that are known by these names."""
        names = {}
        for symbol in sorted(found.free_symbols, key=str):
            if symbol.name not in self.known:
                near = difflib.get_close_matches(symbol.name, self.known, 1)
                hint = f'did you mean {near[0]!r}? ' if near else ''
                refuse(f'{what}: undefined symbol {symbol.name!r} in {found}; {hint}Parameters are declared with '
                       f'parameters={{...}}, controls with controls=[...], the time with time=. '
                       f'Known: {", ".join(self.known)}')
            names[symbol] = self.known[symbol.name]
        return found.xreplace(names)

    def _computable(self, found, what):
        for node in sympy.preorder_traversal(found):
            if isinstance(node, (sympy.Derivative, AppliedUndef)):
                refuse(f'{what}: {node} is a function of the time for SymPy; write coordinates and velocities as the '
                       f'symbols of their factors ({", ".join(map(str, self.coordinates + self.velocities))})')
            if isinstance(node, sympy.Symbol) and node.name in self.kind and self.kind[node.name] == 'an angle':
                refuse(f'{what}: the angle {node} itself is not a function on the group, only its cosine and sine are; '
                       'where turns count, take Angles or Reals')
            if isinstance(node, Application) and not isinstance(node, FUNCTIONS):
                refuse(f'{what}: {type(node).__name__} in {found} cannot be computed; known are {KNOWN}')
            if node in (sympy.I, sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
                refuse(f'{what}: {node} in {found} is no real number')

    def warn_unused(self):
        """A parameter or control that nothing depends on is a slip of the pen."""
        for kind, symbols in (('parameter', self.parameters), ('control', self.controls)):
            unused = [str(symbol) for symbol in symbols if symbol not in self._used]
            if unused:
                warnings.warn(f'{self.name}: nothing depends on the {kind} {", ".join(unused)}', stacklevel=4)


def _rewritten(node):
    """tan and the like by what is known."""
    if isinstance(node, (sympy.sinh, sympy.cosh, sympy.tanh)):
        return node.rewrite(sympy.exp)
    s, c = sympy.sin(node.args[0]), sympy.cos(node.args[0])
    return {sympy.tan: s / c, sympy.cot: c / s, sympy.sec: 1 / c, sympy.csc: 1 / s}[type(node)]
