# SPDX-License-Identifier: BSD-3-Clause
"""Checks the user's input: every symbol is known, every expression can be computed."""
import difflib
import math
import warnings
from collections.abc import Mapping

import sympy
from sympy.core.function import AppliedUndef, Application

from ..models import Parameter
from .factors import Factor
from .parse import parsed
from .refusals import refuse

FUNCTIONS = (sympy.sin, sympy.cos, sympy.exp, sympy.log, sympy.Abs, sympy.sign, sympy.atan2, sympy.atan, sympy.asin,
             sympy.acos)
REWRITTEN = (sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.sinh, sympy.cosh, sympy.tanh)
CALLED = {'sqrt': sympy.sqrt, 'abs': sympy.Abs, 'ln': sympy.log, **{f.__name__: f for f in FUNCTIONS + REWRITTEN}}
KNOWN = 'powers, sqrt, exp, log, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, Abs and sign'


def _parameter(name, value):
    """A checked parameter."""
    if not isinstance(value, Parameter):
        value = Parameter(*value) if isinstance(value, (tuple, list)) else Parameter(value)
    what = f'parameter {name!r}'
    for words in (value.unit, value.meaning):
        check_words(what, words)
    try:
        numbers = [float(v) for v in (value.value, value.low, value.high)]
    except (TypeError, ValueError):
        refuse(f'{what}: not numbers: value {value.value!r}, range from {value.low!r} to {value.high!r}')
    default, low, high = numbers
    if not math.isfinite(default):
        refuse(f'{what}: its value {default} is not a finite number')
    if not (low < default < high if value.open else low <= default <= high):
        refuse(f'{what}: {default:g} is outside its range from {low:g} to {high:g}'
               f'{", bounds not allowed" if value.open else ""}')
    return value._replace(value=default, low=low, high=high)


def check_name(kind, name):
    """The command line writes name=value, files of rows write names with commas between them, and messages all of
    them."""
    if not name or '=' in name:
        refuse(f"{kind} {name!r} needs a name without '='")
    if not name.isprintable() or name != name.strip() or ',' in name or '"' in name:
        refuse(f'{kind} {name!r} needs a name of letters that can be printed, without commas, quotes and blanks at its '
               'ends')
    try:
        float(name)
    except ValueError:
        return
    refuse(f"{kind} {name!r} reads like a number; give it another name, such as 'x{name}'")


def check_words(what, words, extra=''):
    """A text for people: no control characters but those in `extra`."""
    if not isinstance(words, str) or not all(letter.isprintable() or letter in extra for letter in words):
        refuse(f'{what} {words!r}: expected a text without control characters')


def _name(symbol):
    if isinstance(symbol, sympy.Symbol):
        return symbol.name
    if isinstance(symbol, str):
        return symbol
    refuse(f'{symbol!r} is no symbol and no name')


def listed(what, given):
    """A list; a single object is refused."""
    try:
        if not isinstance(given, str):
            return list(given)
    except TypeError:
        pass
    refuse(f'{what}: expected a list, got {given!r}')


def by_name(kind, given):
    """A dictionary of symbols or names, by their names."""
    if not isinstance(given, Mapping):
        refuse(f'{kind}: expected a dictionary, got {given!r}')
    found = {}
    for symbol, value in given.items():
        name = _name(symbol)
        if name in found:
            refuse(f'{kind}: {name!r} is given twice')
        found[name] = value
    return found


def _units(controls):
    """The units of controls, which may be a dictionary or symbols alone."""
    if isinstance(controls, Mapping):
        for symbol, unit in controls.items():
            check_words(f'unit of the control {symbol}', unit)
        return controls
    names = [_name(symbol) for symbol in listed('controls', controls or ())]
    if len(set(names)) < len(names):
        refuse(f'controls: a name is given twice in {", ".join(names)}')
    return dict.fromkeys(names, '')


def suitable_step(step):
    """A step that suits the motion, or 0."""
    try:
        found = float(step)
    except (TypeError, ValueError):
        found = math.nan
    if not 0 <= found < math.inf:
        refuse(f'step {step!r}: expected a positive number, or 0 for the usual step')
    return found


class Problem:
    """A system as expressions of real symbols, each of which is known by its name.

    `kinetic`, `potential`, `rows`, `positions` (expressions that are 0), `forces` (pairs of a velocity and the force
    along it), `invariants` (by name), `initial` (formulas by symbol); `coordinates`, `velocities`, `parameters`,
    `controls`, `time` are the symbols.
    """

    def __init__(self, name, factors, parameters, controls, time):
        if not isinstance(name, str):
            refuse(f'the name of a system is a text, got {name!r}')
        check_name('system', name)
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
        self.parameters = {sympy.Symbol(s, real=True): _parameter(s, v)
                           for s, v in by_name('parameters', parameters or {}).items()}
        self.controls = {sympy.Symbol(s, real=True): unit for s, unit in by_name('controls', _units(controls)).items()}
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
        """The user's expression in the known symbols. `without`: kinds of symbols that it must not have."""
        if isinstance(expression, sympy.Equality):
            expression = expression.lhs - expression.rhs
        try:
            found = parsed(expression, what, self.known, CALLED) if isinstance(expression, str) else \
                sympy.sympify(expression, strict=True)  # which would run a text
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
                way = '. Let the time be a coordinate, Reals(\'tau\'): add taudot**2/2 and velocity_constraints=' \
                      '[Eq(taudot, 1)]' if (what, self.kind[symbol.name]) == ('kinetic energy', 'the time') else ''
                refuse(f'{what} must not depend on {self.kind[symbol.name]}, and it contains {symbol}: {found}{way}')
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
            if node.is_Number and not math.isfinite(float(node)):
                refuse(f'{what}: a number of {len(str(node))} digits is larger than any of the computer')

    def warn_unused(self):
        """Warns of a parameter or control that nothing depends on, which is usually a mistake."""
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
