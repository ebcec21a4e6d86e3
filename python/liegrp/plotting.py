# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of runs with Matplotlib: the motion above, conserved quantities below."""
from __future__ import annotations

import fnmatch
import re
from typing import Any, NamedTuple

import numpy as np

from ._core import ArgumentError
from ._notebook import unit_text
from ._types import Array
from .runs import Result

_VELOCITY = re.compile(r'(xi_\d+|.*_(vel(_\d+)?|vx|vy|vz|wx|wy|wz))(_\d+)?')
_QUATERNION = re.compile(r'(.*)q[xyzw](_\d+)?')
_AXIS = re.compile(r'(.*)e([123])_([xyz])(_\d+)?')
_MOST = 9  # curves of a panel that is chosen here
_NOISE = 1e-13  # what rounding makes of numbers near 1 in a run, as in the pictures of the tool
_COLOURS = ('#0072b2', '#d55e00', '#009e73', '#000000', '#cc79a7', '#56b4e9', '#b87800', '#882255', '#8a8a8a',
            '#332288', '#808000')  # those of the tool
_RESIDUALS = ('constraint', 'gap', 'slip')


class Panel(NamedTuple):
    """Curves in one frame: (x, y) names in the plane, or (None, y) over time."""

    curves: list

    @property
    def plane(self):
        """True: its curves are in the plane."""
        return self.curves[0][0] is not None


def pyplot():
    """Matplotlib, which is optional."""
    try:
        from matplotlib import pyplot as found
    except ImportError:
        raise ImportError('plot() draws with Matplotlib, which is not installed: apt install python3-matplotlib, or '
                          'pip install matplotlib') from None
    return found


class Rows:
    """The rows of a run, and the quantities that follow from them: NAME_change, work, balance, axes such as e3_x."""

    def __init__(self, rows):
        self.rows = getattr(rows, 'rows', rows)
        self.work, self.units = getattr(rows, 'work_so_far', None), getattr(rows, 'units', {})
        self.names = list(getattr(getattr(self.rows, 'dtype', None), 'names', None) or ())
        if 't' not in self.names:
            raise ArgumentError('plot() takes the rows of a run: a structured array with a field t')
        if 'work' in self.names:
            self.work = self.rows['work']

    def __getitem__(self, name):
        if name in self.names:
            return self.rows[name]
        if name in ('work', 'balance') and 'energy' in self.names:
            if self.work is None:
                raise ArgumentError(f'{name!r} needs the Result of a run; an array of rows does not have the work')
            if np.isnan(self.work[-1]):
                raise ArgumentError(f'{name!r}: the run does not account for work; sem does, from its start')
            return self.work if name == 'work' else self['energy_change'] - (self.work - self.work[0])
        if name.endswith('_change') and name[:-7] in self.names:
            column = self.rows[name[:-7]]
            return column - column[0]
        return self.axis(name)

    def axis(self, name):
        """A component of a body's axis from its quaternion (x, y, z, w)."""
        match = _AXIS.fullmatch(name)
        names = [f'{match[1]}q{c}{match[4] or ""}' for c in 'xyzw'] if match else []
        if not match or not set(names) <= set(self.names):
            raise ArgumentError(f'there is no column {name!r}; there are {", ".join(self.names)}, NAME_change'
                                f'{", work, balance" if self.work is not None else ""} and axes e1_x ... e3_z')
        v, w = np.array([self.rows[n] for n in names[:3]]), self.rows[names[3]]
        e = np.zeros_like(v)
        e[int(match[2]) - 1] = 1
        cross = np.cross(v, e, axis=0)
        return (e + 2 * (w * cross + np.cross(v, cross, axis=0)))['xyz'.index(match[3])]

    def unit(self, name):
        """The unit, '' where it is not known or the number is pure."""
        of = 'energy' if name in ('work', 'balance') else name[:-7] if name.endswith('_change') else name
        unit = self.units.get(of, '')
        return '' if unit == '-' else unit

    def label(self, name):
        """The name with its unit, where that is known."""
        return f'{name} [{unit_text(self.unit(name))}]' if self.unit(name) else name

    def magnitude(self, name):
        """The largest value that a change or a balance is the difference of; None: it is neither."""
        if name == 'work' or name == 'balance':
            parts = [self['work'], self['energy']]
        elif name.endswith('_change') and name not in self.names:
            parts = [self[name[:-7]]]
        else:
            return None
        return max(float(np.nanmax(np.abs(part), initial=0)) for part in parts)

    def noise(self, panel):
        """The height below which the curves of a panel show rounding; 0: they are neither residuals nor changes."""
        names = [y for _, y in panel.curves]
        if panel.plane:
            return 0
        if all(name in _RESIDUALS for name in names):
            return _NOISE
        scales = [self.magnitude(name) for name in names]
        return 0 if None in scales else _NOISE * max(scales)

    def apart(self, panels):
        """The panels, split so that the curves of each have one unit on each axis."""
        found = []
        for panel in panels:
            of = {}
            for x, y in panel.curves:
                of.setdefault((self.unit(x) if x else None, self.unit(y)), []).append((x, y))
            found += [Panel(curves) for curves in of.values()]
        return found

    def moves(self, name):
        """True: the column shows something, and is not constant."""
        column = self[name]
        return bool(np.isfinite(column).any()) and bool((column != column[0]).any())

    def motion(self):
        """Panels of the motion: paths in the plane, the third axes of bodies, other positions."""
        names = self.configuration()
        planes, axes, others = [], [], []
        for name in names:
            stem = name[:-1]
            if _QUATERNION.fullmatch(name):
                q = _QUATERNION.fullmatch(name)
                if name.endswith('qx' + (q[2] or '')):
                    axes.append([(None, f'{q[1]}e3_{c}{q[2] or ""}') for c in 'xyz'])
            elif name.endswith('x') and stem + 'y' in names:
                planes.append([(name, stem + 'y')])
            elif not (name.endswith('y') and stem + 'x' in names):
                others.append((None, name))
        panels = planes[:1] + axes[:2] + ([others[:_MOST]] if others else [])
        return [Panel(curves) for curves in panels]

    def configuration(self):
        """The columns between t and the velocities."""
        start = self.names.index('t') + 1
        velocities = [i for i, name in enumerate(self.names) if i >= start and _VELOCITY.fullmatch(name)]
        if velocities:
            return self.names[start:velocities[0]]
        return [name for name in self.names[start:] if name != 'energy'][:_MOST]

    def conserved(self):
        """Panels of conserved quantities: energy and its balance, invariants, residuals of constraints."""
        energy = [(None, name + '_change') for name in ('energy', 'energy_post')
                  if name in self.names and np.isfinite(self.rows[name]).any()]
        if self.work is not None and np.isfinite(self.work[-1]) and self.moves('work'):
            energy.append((None, 'work'))
            energy = [energy, [(None, 'balance')]]
        else:
            energy = [energy]
        invariants = [(None, name + '_change') for name in self.names if name.startswith('inv_')]
        residuals = [(None, name) for name in _RESIDUALS if name in self.names and self.moves(name)]
        return [Panel(curves) for curves in (*energy, invariants[:_MOST], residuals) if curves]

    def chosen(self, columns):
        """The panels of a text: '/' separates panels, a comma curves."""
        panels = []
        for part in columns.split('/'):
            if part in ('motion', 'conserved'):
                panels += getattr(self, part)()
                continue
            curves = [curve for item in part.split(',') for curve in self.item(item)]
            over_time = [curve for curve in curves if curve[0] is None]
            panels += [Panel(each) for each in ([c for c in curves if c[0] is not None], over_time) if each]
        return self.apart(panels)

    def item(self, item):
        """The curves of an item: NAME, X:Y or a pattern."""
        if any(c in item for c in '*?['):
            end = '_change' if item.endswith('_change') else ''
            found = fnmatch.filter(self.names, item[:len(item) - len(end)])
            if not found:
                raise ArgumentError(f'no column matches {item!r}; there are {", ".join(self.names)}')
            return [(None, name + end) for name in found]
        x, _, y = item.rpartition(':')
        self[y]
        if x:
            self[x]
        return [(x or None, y)]


def plot(rows: Array | Result, columns: str = 'motion/conserved', *, title: str | None = None) -> Any:
    """Draws the rows of a run and returns the Matplotlib figure: figure.savefig('run.png').

    columns: the panels, as `liegrp run --plot-columns` takes them. '/' separates panels, a comma curves; a curve is a
    column, a pattern such as 'xi_*', a path in the plane 'x:y', the change of a column 'energy_change', 'work',
    'balance' = H - H_0 - work, both of a Result, or an axis of a body 'e3_x'. Labels have units where known, and curves
    of other units have a panel of their own. 'motion' and 'conserved' are the panels that suit every run. What is
    rounding lies in a grey band: residuals have a logarithmic axis, changes of conserved quantities one of at least ten
    times its height.

    >>> rows = liegrp.Motion(liegrp.Mechanism.gallery('vehicle')).run(time=1)
    >>> figure = liegrp.plot(rows, 'chassis_x:chassis_y/conserved')
    >>> len(figure.axes)
    4
    """
    source = Rows(rows)
    panels = source.chosen(columns)
    plt = pyplot()
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    figure, frames = plt.subplots(down, across, figsize=(5.2 * across, 3.1 * down), squeeze=False,
                                  layout='constrained')
    for frame, panel in zip(frames.flat, panels):
        draw(frame, panel, source)
    for frame in list(frames.flat)[len(panels):]:
        frame.remove()
    if title:
        figure.suptitle(title)
    return figure


def show_noise(frame, noise, residual):
    """A grey band of what is rounding, which does not fill the height: of residuals on a logarithmic axis."""
    low, high = frame.get_ylim()
    if residual:
        low, high = 1e-5 * noise, max(high, 1e13 * noise)
        frame.set_yscale('log')
    elif high - low < 10 * noise:
        low, high = (low + high) / 2 - 5 * noise, (low + high) / 2 + 5 * noise
    frame.set_ylim(low, high)
    if residual or 2 * noise > 0.05 * (high - low):
        frame.axhspan(low if residual else -noise, noise, color='#ebebeb', zorder=0)
        frame.annotate('rounding', (0.02, noise), xycoords=('axes fraction', 'data'), xytext=(0, -3),
                       textcoords='offset points', va='top', color='#8a8a8a', fontsize='small')


def draw(frame, panel, source):
    """One panel."""
    noise, first = source.noise(panel), panel.curves[0]
    residual = noise > 0 and first[1] in _RESIDUALS
    frame.set_prop_cycle(color=_COLOURS)
    for x, y in panel.curves:
        column = np.abs(source[y]) if residual else source[y]
        frame.plot(source[x or 't'], column, linewidth=1, label=source.label(y) if len(panel.curves) > 1 else None)
    if noise > 0:
        show_noise(frame, noise, residual)
    frame.set_xlabel(source.label(first[0] or 't'))
    if panel.plane:
        frame.set_aspect('equal', adjustable='datalim')
    if len(panel.curves) > 1:
        frame.legend(fontsize='small')
    else:
        frame.set_ylabel(source.label(first[1]))
    frame.grid(alpha=0.3)
