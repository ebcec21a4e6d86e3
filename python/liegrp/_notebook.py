# SPDX-License-Identifier: BSD-3-Clause
"""What a notebook shows of results, models and tables."""
from __future__ import annotations

import html
import math
import re

# Figures of a run that say how good it is, and what they are called.
_FIGURES = (('energy_first', 'energy at the start', 'J'), ('work', 'work since the start', 'J'),
            ('balance', 'largest |H − H₀ − work|', 'J'),
            ('constraint', 'largest residual of the velocity constraints', ''),
            ('holonomic', 'largest residual of the holonomic constraints', ''),
            ('error_rotation', 'error of the attitudes, by half steps', 'rad'),
            ('error_position', 'error of the positions, by half steps', ''),
            ('error_velocity', 'error of the velocities, by half steps, relative', ''))

_RAISED = str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹')


def unit_text(unit):
    """A unit as people read it: m/s² of m/s^2, '' of a pure number."""
    half = '' if unit == '-' else unit.replace('^(1/2)', '¹ᐟ²')
    return re.sub(r'\^(-?\d+)', lambda power: power[1].translate(_RAISED), half)


def _cell(value):
    if isinstance(value, float):
        value = f'{value:.6g}' if math.isfinite(value) else ''
    return html.escape(str(value))


def table(caption, head, rows, remarks=()):
    """A table of HTML: a head, rows of texts and numbers, remarks below. A number that is not finite is left empty."""
    line = '<tr>{}</tr>'.format
    parts = [f'<table><caption style="text-align:left">{html.escape(caption)}</caption>']
    parts.append('<thead>' + line(''.join(f'<th scope="col">{_cell(name)}</th>' for name in head)) + '</thead>')
    parts += [line(''.join(f'<td>{_cell(value)}</td>' for value in row)) for row in rows]
    return ''.join(parts) + '</table>' + ''.join(f'<p>{html.escape(remark)}</p>' for remark in remarks if remark)


def of_result(result):
    """Figures of a run that are known, with their units."""
    rows = [('steps', result.steps, ''), ('time reached', float(result.time), 's'),
            ('largest change of the energy', max(result.energy_high - result.energy_first, result.energy_first -
                                                 result.energy_low), 'J')]
    rows += [(called, float(getattr(result, name)), unit) for name, called, unit in _FIGURES
             if math.isfinite(getattr(result, name))]
    if not result.units.get('energy'):
        rows = [(called, value, '' if unit == 'J' else unit) for called, value, unit in rows]
    unresolved = '' if result.resolved else 'The steps do not resolve the motion: take shorter ones.'
    return table(repr(result).strip('<>'), ('figure', 'value', 'unit'), rows, (result.message, unresolved))


def of_model(model):
    """A system with its parameters."""
    info = model.parameter_info
    rows = [(name, model[name], unit_text(info[name].unit), info[name].meaning) for name in info]
    about = f'{model.name}: {model.summary}' if model.summary else model.name
    group = f'{model.group.name}; velocities: {model.dim}; velocity constraints: {model.constraint_count}'
    return table(about, ('parameter', 'value', 'unit', 'meaning'), rows, (group, model.source))


def of_mechanism(mechanism):
    """Bodies and joints of a mechanism."""
    rows = [('body', name) for name in mechanism.bodies] + [('joint', name) for name in mechanism.joints]
    return table(repr(mechanism).strip('<>'), ('part', 'name'), rows)


def of_convergence(found):
    """Errors and orders, a row for each step."""
    rows = [(float(step), *map(float, errors)) for step, errors in zip(found.steps, found.errors)]
    rows.append(('order', *(f'{order:.2f}' if math.isfinite(order) else '' for order in found.orders)))
    said = [f'step {step:g}: {message}' for step, message in zip(found.steps, found.messages) if message]
    return table(f'errors of {found.method}, {found.retraction}', ('step', *found.columns), rows, said)


def of_identification(found):
    """Unknowns with their standard errors."""
    known = found.figures['rank'] >= 0
    rows = [(name, value, found.errors[name] if known else '') for name, value in found.values.items()]
    return table('identification' + ('' if known else ', before solve()'), ('unknown', 'value', 'standard error'), rows)
