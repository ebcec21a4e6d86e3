# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as C: functions of all lanes, without common subexpressions. Equal formulas give equal code."""
import math
import re

import sympy
from sympy.printing.c import C99CodePrinter

from .refusals import refuse


def number(value):
    """A finite double of C."""
    found = float(value)
    if not math.isfinite(found):
        refuse(f'a number of the formulas, or of their derivatives, is no double: {str(value)[:60]}')
    return repr(found)


class _Printer(C99CodePrinter):
    """Prints expressions with the library's elementary functions, which have the same bits on every machine."""

    math_macros = {}  # M_LN2 and the like are not in ISO C
    _known = {'exp': 'lg_real_exp', 'log': 'lg_real_log', 'sin': 'lg_real_sin', 'cos': 'lg_real_cos',
              'atan2': 'lg_real_atan2', 'Abs': 'fabs'}

    def __init__(self):
        super().__init__({'user_functions': self._known})

    def _print_Pow(self, expr, rational=False):
        base, exponent = expr.as_base_exp()
        if exponent.is_negative and exponent.is_number:
            return f'(1 / {self._power(base, -exponent)})'
        return self._power(base, exponent)

    def _power(self, base, exponent):
        text = self._print(base)
        if exponent == 1:
            return self.parenthesize(base, 1000)
        if exponent.is_Integer and exponent < 1000:
            return f'square({text})' if exponent == 2 else f'power({text}, {exponent})'
        twice = 2 * exponent
        if twice.is_Integer and twice < 1000:
            return f'sqrt({text})' if twice == 1 else f'power(sqrt({text}), {twice})'
        return f'lg_real_exp({self.parenthesize(exponent, 1000)} * lg_real_log({text}))'

    def _print_NumberSymbol(self, expr):
        return number(expr)

    def _print_Float(self, expr):
        return number(expr)

    def _print_Rational(self, expr):
        return f'({expr.p}.0 / {expr.q}.0)' if max(abs(expr.p), expr.q) < 2 ** 53 else number(expr)

    def _print_Integer(self, expr):
        return str(expr) if abs(int(expr)) < 2 ** 31 else number(expr)

    def _print_sign(self, expr):
        text = self._print(expr.args[0])
        return f'(double)(({text} > 0) - ({text} < 0))'

    def _print_DiracDelta(self, expr):
        return '0'

    def _print_atan(self, expr):
        return f'lg_real_atan2({self._print(expr.args[0])}, 1)'

    def _print_asin(self, expr):
        x = self._print(expr.args[0])
        return f'lg_real_atan2({x}, sqrt((1 - ({x})) * (1 + ({x}))))'

    def _print_acos(self, expr):
        x = self._print(expr.args[0])
        return f'lg_real_atan2(sqrt((1 - ({x})) * (1 + ({x}))), {x})'


def identifier(prefix, symbol, place):
    """A name in C for a user's symbol, which may have any name. Numbered names have no underscore, so that they differ
    from the names of all symbols."""
    plain = re.fullmatch(r'[A-Za-z0-9_]+', symbol.name)
    return f'{prefix}_{symbol.name}' if plain else f'{prefix}{place + 1}'


class Names:
    """Where formulas find the values of symbols: for each symbol its name in C and the place it is read from."""

    def __init__(self, problem, derived):
        self.places, self.written = {}, {}
        self._add('k', problem.parameters, 'c->param[{} * L + l]')
        self._add('u', problem.controls, 'c->control[{} * L + l]')
        self._add('d', derived.eta, 'eta[{} * L + l]')
        self._add('w', derived.dxi, 'dxi[{} * L + l]')
        self._add('b', derived.du, 'du[{} * L + l]')
        self._add('v', problem.velocities, 'xi[{} * L + l]')
        at = 0
        for factor in problem.factors:
            for slot in factor.stored():
                self._add('q', [slot.symbol], 'g[{} * L + l]', at + slot.index)
            for i, (symbol, formula) in enumerate(factor.written().items()):
                self.written[symbol] = (sympy.Symbol(f'r_{at}_{i // 3 + 1}{i % 3 + 1}', real=True), formula)
            at += factor.size
        if problem.time is not None:
            self.places[problem.time] = (sympy.Symbol('t', real=True), 'c->times[l]')

    def _add(self, prefix, symbols, place, first=0):
        for i, symbol in enumerate(symbols, first):
            self.places[symbol] = (sympy.Symbol(identifier(prefix, symbol, i), real=True), place.format(i))

    def locals_of(self, expressions):
        """(declarations, the expressions in names of C)."""
        used = sorted(set().union(*[e.free_symbols for e in expressions]), key=str)
        lines, names = [], {}
        inner = {s for symbol in used if symbol in self.written for s in self.written[symbol][1].free_symbols}
        for symbol in self.places:  # in their order
            if symbol in used or symbol in inner:
                names[symbol], place = self.places[symbol]
                lines.append(f'const double {names[symbol]} = {place};')
        for symbol in self.written:
            if symbol in used:
                name, formula = self.written[symbol]
                lines.append(f'const double {name} = {_Printer().doprint(formula.xreplace(names))};')
                names[symbol] = name
        return lines, [e.xreplace(names) for e in expressions]


def _turns(expressions):
    """Sines and cosines by one call for each angle: (lines, expressions). Inner angles come first."""
    lines, printer = [], _Printer()
    while True:
        angles = {node.args[0] for e in expressions for node in e.atoms(sympy.sin, sympy.cos)
                  if not node.args[0].has(sympy.sin, sympy.cos)}
        if not angles:
            return lines, expressions
        for angle in sorted(angles, key=sympy.default_sort_key):
            s, c = (sympy.Symbol(f'{letter}_{len(lines) + 1}', real=True) for letter in 'sc')
            lines.append(f'double {s}, {c}; lg_real_sincos(&{s}, &{c}, {printer.doprint(angle)});')
            expressions = [e.subs({sympy.sin(angle): s, sympy.cos(angle): c}) for e in expressions]


def statements(names, outputs):
    """The lines that compute outputs, pairs of a place in C and a formula."""
    lines, expressions = names.locals_of([expression for _, expression in outputs])
    turning, expressions = _turns(expressions)
    common, expressions = sympy.cse(expressions, symbols=sympy.numbered_symbols('t_'), order='canonical')
    printer = _Printer()
    lines = lines + turning
    lines += [f'const double {symbol} = {printer.doprint(expression)};' for symbol, expression in common]
    return lines + [f'{place} = {printer.doprint(expression)};' for (place, _), expression in zip(outputs, expressions)]


def _places(array, expressions, all_of_them=False):
    """Outputs of an array that is zero on entry."""
    return [(f'{array}[{i} * L + l]', e) for i, e in enumerate(expressions) if all_of_them or e != 0]


def function(names, name, arguments, arrays, all_of_them=False):
    """A callback. `arrays` are pairs of an output's name and its formulas in order."""
    outputs = [pair for array, expressions in arrays for pair in _places(array, expressions, all_of_them)]
    body = statements(names, outputs) if outputs else []
    if not body:
        return f'static int {name}(const lg_call *c, {arguments})\n{{\n    return 0;\n}}\n'
    inner = '\n'.join('        ' + line for line in body)
    return (f'static int {name}(const lg_call *c, {arguments})\n{{\n    const int L = c->lanes;\n'
            f'    for (int l = 0; l < L; l++) {{\n{inner}\n    }}\n    return 0;\n}}\n')
