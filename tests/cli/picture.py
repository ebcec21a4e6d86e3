#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""picture.py FILE.svg...: what every picture must satisfy, read from gnuplot's SVG. Symbols instead of their names in
ASCII; a unit on every axis; no text on another text, over the edge or, but for single digits and the word `rounding`, in
a frame; every entry of a legend has its own look. Prints what fails; the exit status tells whether something did."""
import re
import sys

WIDTH = 0.53  # of a character, in units of the font size
GREEK = ('alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi|omega')
STAND_INS = re.compile(r'[a-zA-Z]~|\^|\b(?:' + GREEK + r')(?:\b|_)|\b[A-Za-z]_|\d[eE]-?\d', re.IGNORECASE)
TEXT = re.compile(r'translate\(([-\d.]+),([-\d.]+)\)(?: rotate\((\d+)\))?"[^>]*font-size="([\d.]+)"[^>]*'
                  r'text-anchor="(\w+)">\s*<text>(.*?)</text>', re.DOTALL)
FRAME = re.compile(r"d='M([\d.]+),([\d.]+) L\1,([\d.]+) L([\d.]+),\3 L\4,\2 L\1,\2 Z")
PLOT = re.compile(r'<g id="gnuplot_plot_\d+([a-z]*)"\s*>(.*?)\n\t</g>', re.DOTALL)


class Text:
    """A text and its box."""
    def __init__(self, match):
        x, y, turn, size, self.anchor, inside = match.groups()
        x, y, self.size, self.turn = float(x), float(y), float(size), int(turn or 0)
        self.text = re.sub('<[^>]*>', '', inside).replace('&gt;', '>').replace('&lt;', '<').replace('&amp;', '&')
        length = WIDTH * self.size * len(re.sub('[\u0300-\u036f]', '', self.text))
        start = {'start': 0, 'middle': -length / 2, 'end': -length}[self.anchor]
        along, across = (start, start + length), (-0.7 * self.size, 0.1 * self.size)
        if self.turn == 270:
            self.box = (x + across[0], y - along[1], x + across[1], y - along[0])
        else:
            self.box = (x + along[0], y + across[0], x + along[1], y + across[1])


def meet(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def look(plot):
    """Colour, dashes and mark of a curve."""
    colour = re.search(r"(?:path stroke|color)='(rgb[^']*)'", plot) or re.search(r'stroke="(rgb[^"]*)"', plot)
    dashes = re.search(r"stroke-dasharray=['\"]([^'\"]*)", plot)
    mark = re.search(r"xlink:href='#(gp\w+)'", plot)
    return tuple(found.group(1) if found else '' for found in (colour, dashes, mark))


def check_axes(texts, frames):
    """Every axis has a name with a unit, or names below it instead of numbers."""
    tilted = any(t.turn not in (0, 270) for t in texts)
    for left, top, right, bottom in frames:
        upright = [t for t in texts if t.turn == 270 and t.box[2] < left and t.box[0] > left - 108
                   and top - 20 < (t.box[1] + t.box[3]) / 2 < bottom + 20]
        below = [t for t in texts if t.turn == 0 and t.anchor == 'middle' and bottom + 25 < t.box[3] < bottom + 70
                 and abs((t.box[0] + t.box[2] - left - right) / 2) < 3]
        for axis, labels in (('y', upright), ('x', [] if tilted else below)):
            if (axis == 'y' or not tilted) and not any(t.text.endswith(']') for t in labels):
                yield f'the {axis} axis of the frame at {left:.0f}, {top:.0f} has no unit: ' + \
                      ', '.join(t.text for t in labels)


def check_legends(texts, frames, plots):
    """Every entry has its own look: among all curves if the legend is common, else among those of its panel."""
    last = max((frame[3] for frame in frames), default=0)
    entries = [t for t in texts if len(t.text) > 1 and t.anchor == 'start' and t.turn == 0 and t.size < 15
               and t.box[1] < last and not re.match(r'\([a-z]\) ', t.text)]
    if len({t.text for t in entries}) <= len({look(plot) for _, plot in plots}):
        return
    panels = list(dict.fromkeys(letters for letters, _ in plots))
    for frame, panel in zip(frames, panels):
        above = [t.text for t in entries if t.box[3] < frame[1] and frame[0] <= t.box[0] < frame[2] + 30
                 and not any(o[0] == frame[0] and t.box[3] < o[1] < frame[1] for o in frames)]
        looks = {look(plot) for letters, plot in plots if letters == panel}
        if len(looks) < len(set(above)):
            yield f'{len(above)} names in the legend above {frame[0]:.0f}, {frame[1]:.0f} but {len(looks)} looks'


def problems(svg):
    width, height = (float(x) for x in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    texts = [Text(m) for m in TEXT.finditer(svg)]
    frames = [(float(l), float(t), float(r), float(b)) for l, t, b, r in dict.fromkeys(FRAME.findall(svg))]
    if not frames:
        yield 'no frame is found'
    yield from check_axes(texts, frames)
    for i, t in enumerate(texts):
        if STAND_INS.search(t.text):
            yield f'a symbol is written in ASCII: {t.text}'
        if t.turn in (0, 270) and (min(t.box) < 0 or t.box[2] > width or t.box[3] > height):
            yield f'over the edge: {t.text}'
        for other in texts[:i]:
            if t.text and other.text and t.turn in (0, 270) and other.turn in (0, 270) and meet(t.box, other.box):
                yield f'"{t.text}" is on "{other.text}"'
        if t.turn == 0 and len(t.text) > 1 and t.text != 'rounding' and any(meet(t.box, frame) for frame in frames):
            yield f'in a frame: {t.text}'
    yield from check_legends(texts, frames, PLOT.findall(svg))


def main():
    failed = 0
    for name in sys.argv[1:]:
        with open(name, encoding='utf-8') as file:
            for problem in problems(file.read()):
                print(f'{name}: {problem}')
                failed = 1
    return failed


sys.exit(main())
