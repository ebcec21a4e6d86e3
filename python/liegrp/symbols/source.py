# SPDX-License-Identifier: BSD-3-Clause
"""The whole text of a plug-in: callbacks, parameters, initial data, invariants, and the definition of the model."""
import math

import sympy

from .emit import Names, function, number

HEAD = '''/* Made by liegrp.from_sympy(): {name}. Compiled as a shared object it runs like a system of the catalog:
 *   cc -shared -fPIC -O2 -ffp-contract=off -fno-math-errno this.c -o system.so && liegrp run ./system.so */
#include <liegrp/liegrp.h>

#include <math.h>

static inline double square(double x)
{{
    return x * x;
}}

static inline double power(double x, int n)
{{
    double y = 1;
    for (; n > 0; n /= 2, x *= x)
        if (n % 2) y *= x;
    return y;
}}
'''

# xi = J^-1 p by Cholesky's factor, for invariants.
VELOCITY = '''static int velocity(const lg_call *c, const double *g, const double *p, double *xi)
{{
    enum {{ N = {n} }};
    double J[N * N] = {{0}};
    {metric}
    for (int j = 0; j < N; j++) {{
        for (int i = j; i < N; i++) {{
            double s = J[i * N + j];
            for (int k = 0; k < j; k++) s -= J[i * N + k] * J[j * N + k];
            J[i * N + j] = i == j ? sqrt(s) : s / J[j * N + j];
        }}
    }}
    for (int i = 0; i < N; i++) {{
        xi[i] = p[i];
        for (int k = 0; k < i; k++) xi[i] -= J[i * N + k] * xi[k];
        xi[i] /= J[i * N + i];
    }}
    for (int i = N - 1; i >= 0; i--) {{
        for (int k = i + 1; k < N; k++) xi[i] -= J[k * N + i] * xi[k];
        xi[i] /= J[i * N + i];
    }}
    return 0;
}}
'''

FIELD, ALONG = 'const double *g, double *out', 'const double *g, const double *xi, double *out'
FORCE_ALONG = 'const double *g, const double *xi, const double *eta, const double *dxi, const double *du, double *out'
COVECTORS = 'const double *g, double *mu, double *Y'
COVECTORS_ALONG = 'const double *g, const double *eta, double *dmu, double *dY'
TOGETHER = 'const double *g, const double *xi, double *mu, double *Y, double *dmu, double *dY, double *dV'


def quoted(text):
    """A string of C, with all bytes that might be read otherwise as octal numbers."""
    return '"' + ''.join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f'\\{b:03o}'
                         for b in str(text).encode()) + '"'


def commented(text):
    """The text of a comment, with everything that could end it replaced, also line splices and trigraphs."""
    return ''.join(letter if letter.isascii() and (letter.isalnum() or letter in ' _-.') else '-' for letter in text)


def bound(value):
    """A bound of a parameter, which may be infinite."""
    return ('INFINITY' if value > 0 else '-INFINITY') if math.isinf(value) else number(value)


class Source:
    """Collects functions and members of the definition, and puts them in order."""

    def __init__(self, problem, derived):
        self.problem, self.of = problem, derived
        self.names = Names(problem, derived)
        self.parts, self.callbacks, self.members = [], [], []
        self.depends = problem.coordinates + ([problem.time] if problem.time is not None else [])

    def _add(self, member, arguments, arrays, all_of_them=False):
        self.parts.append(function(self.names, member, arguments, arrays, all_of_them))
        self.callbacks.append(f'.{member} = {member}')

    def _varies(self, expressions):
        return any(e.free_symbols & set(self.depends) for e in expressions)

    # ---- callbacks ----

    def _energies(self):
        d = self.of
        if d.metric_slope is not None:
            self._add('metric', FIELD, [('out', list(d.metric))])
            self._add('metric_gradient', ALONG, [('out', d.metric_slope)])
        if d.potential != 0:
            self._add('potential', FIELD, [('out', [d.potential])], True)
            self._add('potential_gradient', FIELD, [('out', d.slope)])
            self._along('potential_hessian', d.hessian)
        if any(e != 0 for e in d.force):
            self._add('force', ALONG, [('out', d.force)])
            if any(e != 0 for e in d.force_along):
                self._add('force_derivative', FORCE_ALONG, [('out', d.force_along)])

    def _along(self, member, expressions):
        """Of a direction, which the callback calls xi."""
        names = dict(zip(self.of.eta, self.problem.velocities))
        self._add(member, ALONG, [('out', [e.xreplace(names) for e in expressions])])

    def _velocity_constraints(self):
        d = self.of
        if d.rows.rows == 0:
            return
        rows, drift = list(d.rows), any(e != 0 for e in d.drift)
        self.constant_rows = not self._varies(rows)
        if not self.constant_rows:
            self._add('covectors', COVECTORS, [('mu', rows), ('Y', d.drift)])
        elif drift:
            self._add('drift', FIELD, [('out', d.drift)])
        if not self.constant_rows or drift:
            self._add('covectors_derivative', COVECTORS_ALONG, [('dmu', list(d.rows_along)), ('dY', d.drift_along)])
            if self.problem.time is not None:
                self._add('covectors_rate', COVECTORS, [('mu', list(d.rows_rate)), ('Y', d.drift_rate)])

    def _together(self):
        """Rows, their derivatives along xi, and dV, with what they have in common computed once.

        With more than two rows the derivatives cost more here, lane after lane, than `gauss` saves by them."""
        d = self.of
        if d.rows.rows not in (1, 2) or self.constant_rows or d.metric_slope is not None or d.positions or \
                self.problem.time is not None:
            return
        names = dict(zip(d.eta, self.problem.velocities))
        along = [[e.xreplace(names) for e in expressions] for expressions in (d.rows_along, d.drift_along)]
        slope = d.slope if d.potential != 0 else []
        self.parts.append(function(self.names, 'three', TOGETHER, [
            ('mu', list(d.rows)), ('Y', d.drift), ('dmu', along[0]), ('dY', along[1]), ('dV', slope)]))
        gradient = 'potential_gradient' if slope else 'NULL'
        self.parts.append('static const lg_together together = '
                          f'{{three, covectors, covectors_derivative, {gradient}}};\n')
        self.callbacks.append('.together = &together')

    def _position_constraints(self):
        d = self.of
        if not d.positions:
            return
        self._add('holonomic', FIELD, [('out', d.positions)])
        self._add('holonomic_differential', FIELD, [('out', [e for row in d.differential for e in row])])
        if self.problem.time is not None:
            self._add('holonomic_rate', FIELD, [('out', d.rate)])
        self._add('holonomic_acceleration', ALONG, [('out', d.acceleration)])
        self.callbacks.append(f'.holonomic_count = {len(d.positions)}')

    # ---- members of the definition that are not callbacks ----

    def _configure(self):
        constant = [] if self.of.metric_slope is not None else [('J', list(self.of.metric))]
        if self.constant_rows:
            constant.append(('rows', list(self.of.rows)))
            self.members.append('.has_constant_rows = 1')
        text = function(self.names, 'configure', 'double *J, double *rows, char *why', constant)
        self.parts.append(text)
        self.members.append('.configure = configure')

    def _initial(self):
        element = [sympy.Integer(v) for factor in self.problem.factors for v in factor.identity()]
        velocity = [sympy.Integer(0)] * self.of.n
        for index, formula in self.problem.initial_element.items():
            element[index] = formula
        for index, formula in self.problem.initial_velocity.items():
            velocity[index] = formula
        self.parts.append(function(self.names, 'initial', 'double *g0, double *xi0',
                                   [('g0', element), ('xi0', velocity)]))
        self.members.append('.initial = initial')

    def _invariants(self):
        invariants = self.problem.invariants
        if not invariants:
            return
        if any(e.free_symbols & set(self.problem.velocities) for e in invariants.values()):
            metric = 'if (configure(c, J, (double[N * N]){0}, NULL)) return 1;'
            if self.of.metric_slope is not None:
                metric = 'if (metric(c, g, J)) return 1;'
            self.parts.append(VELOCITY.format(n=self.of.n, metric=metric))
        lines = []
        for i, (name, formula) in enumerate(invariants.items()):
            self.parts.append(self._invariant(f'invariant_{i + 1}', formula))
            lines.append(f'    {{{quoted(name)}, {quoted(formula)}, invariant_{i + 1}}},')
        self.parts.append('static const lg_invariant invariants[] = {\n' + '\n'.join(lines) + '\n};\n')
        self.members += [f'.invariant_count = {len(invariants)}', '.invariants = invariants']

    def _invariant(self, name, formula):
        text = function(self.names, name, 'const double *g, const double *p, double *out', [('out', [formula])], True)
        if formula.free_symbols & set(self.problem.velocities):
            solve = f'    double xi[{self.of.n}];\n    if (velocity(c, g, p, xi)) return 1;\n'
            text = text.replace('    const int L = c->lanes;\n', '    const int L = c->lanes;\n' + solve)
        return text.replace('c->times[l]', 'c->t')

    def _parameters(self):
        lines = [f'    {{{quoted(s)}, {quoted(p.unit)}, {quoted(p.meaning)}, {number(p.value)}, {bound(p.low)}, '
                 f'{bound(p.high)}, {int(p.open)}}},' for s, p in self.problem.parameters.items()]
        if lines:
            self.parts.append('static const lg_parameter parameters[] = {\n' + '\n'.join(lines) + '\n};\n')
            self.members += [f'.parameter_count = {len(lines)}', '.parameters = parameters']

    def _words(self):
        controls = [f'    {{{quoted(s)}, {quoted(unit)}, ""}},' for s, unit in self.problem.controls.items()]
        columns = [f'    {{{quoted(name)}, {quoted(unit)}, NULL}},' for name, unit in self.problem.units.items()]
        for what, lines in (('controls', controls), ('columns', columns)):
            if lines:
                self.parts.append(f'static const lg_column_text {what}[] = {{\n' + '\n'.join(lines) +
                                  '\n    {NULL, NULL, NULL},\n};\n')
                self.callbacks.append(f'.{what} = {what}')
        if controls:
            self.callbacks.append(f'.control_count = {len(controls)}')

    def _group(self):
        calls = [factor.call for factor in self.problem.factors]
        for i, call in enumerate(calls):
            self.parts.append(f'static const lg_group *factor_{i + 1}(void)\n{{\n    return {call};\n}}\n')
        if len(calls) == 1:
            self.members.append('.group = factor_1')
        else:
            listed = ', '.join(f'factor_{i + 1}' for i in range(len(calls)))
            self.parts.append(f'static const lg_group *(*const factors[])(void) = {{{listed}}};\n')
            self.members += [f'.factor_count = {len(calls)}', '.factors = factors']
        names = [name for factor in self.problem.factors for name in factor.columns]
        if names:
            self.parts.append(f'static const char *const coordinates[] = {{{", ".join(map(quoted, names))}}};\n')
            self.members.append('.coordinate_names = coordinates')

    # ---- all of it ----

    def text(self):
        """The file."""
        self.constant_rows = False
        self._energies()
        self._velocity_constraints()
        self._together()
        self._position_constraints()
        self._configure()
        self._initial()
        self._invariants()
        self._parameters()
        self._words()
        self._group()
        problem = self.problem
        self.callbacks.append('.lanes = LG_LANES_OWN_TIMES | LG_LANES_DERIVATIVES')
        if problem.time is not None:
            self.callbacks.append('.time_dependent = 1')
        members = ['.size = sizeof(lg_model_definition)', f'.name = {quoted(problem.name)}',
                   f'.summary = {quoted(problem.summary)}', '.source = "liegrp.from_sympy()"',
                   f'.constraint_count = {self.of.rows.rows}', f'.step = {number(problem.step)}', *self.members]
        if problem.remark:
            members.append(f'.remark = {quoted(problem.remark)}')
        members.append('.callbacks = {\n        ' + ',\n        '.join(self.callbacks) + ',\n    }')
        self.parts.append('static const lg_model_definition definition = {\n    ' + ',\n    '.join(members) + ',\n};\n')
        self.parts.append('LG_API const lg_model_definition *liegrp_system(void);\n'
                          'const lg_model_definition *liegrp_system(void)\n{\n    return &definition;\n}\n')
        return '\n'.join([HEAD.format(name=commented(problem.name)), *self.parts])
