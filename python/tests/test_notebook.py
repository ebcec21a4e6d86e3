# SPDX-License-Identifier: BSD-3-Clause
"""Tables that a notebook shows: well-formed HTML, the figures of the object, names of anybody's."""
import html
import xml.etree.ElementTree as xml

import liegrp
import pytest


def cells(thing):
    """The rows of the table, and the remarks below it."""
    root = xml.fromstring('<div>' + thing._repr_html_() + '</div>')
    return [[cell.text or '' for cell in row] for row in root.iter('tr')], [p.text for p in root.findall('p')]


def test_result():
    result = liegrp.run('two-wheeled-robot', time=1.0)
    rows, remarks = cells(result)
    shown = {row[0]: row[1:] for row in rows}
    assert shown['steps'] == [str(result.steps), ''] and shown['time reached'] == ['1', 's']
    assert shown['largest change of the energy'] == [f'{result.energy_high:.6g}', 'J']
    assert shown['work since the start'] == [f'{result.work:.6g}', 'J']
    assert shown['error of the positions, by half steps'][0] == f'{result.error_position:.6g}'
    assert 'largest residual of the holonomic constraints' not in shown  # it has none
    assert remarks == []


def test_result_that_does_not_resolve():
    result = liegrp.run('heavy-top', step=0.4, steps=50)
    assert not result.resolved and 'do not resolve' in cells(result)[1][-1]


def test_model():
    model = liegrp.Model('rolling-ball', Omega=0.25)
    rows, remarks = cells(model)
    assert ['Omega', '0.25', 'rad/s', model.parameter_info['Omega'].meaning] in rows
    assert len(rows) == 1 + len(model.parameters) and remarks[-1] == model.source
    assert [row[2] for row in cells(liegrp.Model('heavy-top'))[0] if row[0] in ('g', 'I1')] == ['m/s²', 'kg m²']
    system = liegrp.System(liegrp.SE2, [[1, 0, 0], [0, 1, 0.2], [0, 0.2, 1.04]], covectors=[[0, 1, 0]],
                           initial=([0, 0, 1, 0], [-0.6, 0, 1]))
    assert 'SE(2); velocities: 3; velocity constraints: 1' in cells(system)[1]


def test_mechanism():
    mechanism = liegrp.Mechanism()
    mechanism.add_body('<b>&', mass=1, inertia=[1, 1, 1])
    rows, _ = cells(mechanism)
    assert ['body', '<b>&'] in rows and html.escape('<b>&') in mechanism._repr_html_()
    assert cells(liegrp.Mechanism.gallery('four-bar').model) == cells(liegrp.Mechanism.gallery('four-bar'))


def test_convergence():
    found = liegrp.convergence('rolling-ball', step=0.1, levels=3)
    rows, _ = cells(found)
    assert rows[0] == ['step', *found.columns] and len(rows) == 5
    assert rows[-1][1:] == [f'{order:.2f}' for order in found.orders]


def test_identification():
    found = liegrp.Identification('rigid-body', {'t': [1.0], 'xi_1': [0.62]}, free=['I1'], sigma=1e-3)
    assert cells(found)[0][1][::2] == ['I1', '']
    found.solve()
    assert cells(found)[0][1] == ['I1', f'{found.values["I1"]:.6g}', f'{found.errors["I1"]:.6g}']


def test_plot():
    pytest.importorskip('matplotlib')
    figure = liegrp.run('suslov', steps=50).plot('xi_*/energy_change', title='Suslov')
    assert len(figure.axes) == 2 and figure._suptitle.get_text() == 'Suslov'
