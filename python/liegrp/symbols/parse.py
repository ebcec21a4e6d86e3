# SPDX-License-Identifier: BSD-3-Clause
"""Parses expressions given as text: numbers, names, functions and arithmetic. No text is executed."""
import ast
import operator
import unicodedata

import sympy

from .refusals import refuse

LONGEST = 10000  # letters
WIDEST = 10000  # bits of a whole number
CONSTANTS = {'pi': sympy.pi, 'E': sympy.E}
SIGNS = {ast.UAdd: operator.pos, ast.USub: operator.neg}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def parsed(text, what, symbols, functions):
    """The expression of a text. `symbols` are known by their names, and others are symbols too; `functions` are those
    that may be called. A power is a**b or a^b.

    >>> k = sympy.Symbol('k')
    >>> parsed('k*sin(2*x)^2/4', 'potential energy', {'k': k}, {'sin': sympy.sin})
    k*sin(2*x)**2/4
    """
    if len(text) > LONGEST:
        refuse(f'{what}: a text of {len(text)} letters is too long; give an expression of SymPy')
    try:
        tree = ast.parse(text.strip().replace('^', '**'), mode='eval')
    except SyntaxError as error:
        refuse(f'{what}: {text!r} cannot be read: {error.msg}')
    except ValueError as error:  # a NUL
        refuse(f'{what}: {text!r} cannot be read: {error}')
    except (RecursionError, MemoryError):  # more levels than Python's parser has
        refuse(f'{what}: a text of {len(text)} letters cannot be read: it is nested too deeply')
    try:
        return _Reader(text, what, symbols, functions).value(tree.body)
    except RecursionError:
        refuse(f'{what}: a text of {len(text)} letters cannot be read: it is nested too deeply')


class _Reader:
    def __init__(self, text, what, symbols, functions):
        self.text, self.what, self.functions = text, what, functions
        # Python's parser turns names into this form, such as the micro sign into mu.
        self.symbols = {unicodedata.normalize('NFKC', name): symbol for name, symbol in symbols.items()}

    def refuse(self, node, why):
        refuse(f'{self.what}: {self.text!r} cannot be read: {ast.unparse(node)} {why}')

    def value(self, node):
        """The expression of a node."""
        found = self._value(node)
        if found.is_Rational and max(found.p.bit_length(), found.q.bit_length()) > WIDEST:
            self.refuse(node, 'is too large')
        return found

    def _value(self, node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return sympy.sympify(node.value, strict=True)
        if isinstance(node, ast.Name):
            return self.symbols.get(node.id) or CONSTANTS.get(node.id) or sympy.Symbol(node.id, real=True)
        if isinstance(node, ast.UnaryOp) and type(node.op) in SIGNS:
            return SIGNS[type(node.op)](self.value(node.operand))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return OPERATIONS[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            return self._power(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._call(node)
        self.refuse(node, 'is no number, name, function or arithmetic (+ - * / **)')

    def _power(self, node):
        base, exponent = self.value(node.left), self.value(node.right)
        if base.is_Rational and exponent.is_Rational:
            if abs(exponent) * max(base.p.bit_length(), base.q.bit_length()) > WIDEST and abs(base) != 1:
                self.refuse(node, 'is too large')
        return base**exponent

    def _call(self, node):
        function = self.functions.get(node.func.id)
        if function is None:
            self.refuse(node, f'cannot be computed; known are {", ".join(self.functions)}')
        try:
            return function(*[self.value(argument) for argument in node.args])
        except TypeError:
            self.refuse(node, 'has another number of arguments')
