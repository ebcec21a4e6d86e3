# SPDX-License-Identifier: BSD-3-Clause
"""Pages that show runs in a browser, and in a notebook."""
from __future__ import annotations

import html
import os
import pathlib

import numpy as np

from ._core import ArgumentError, Pinned, UnsupportedError, create, error, ffi, lib, text
from ._types import Path

_MARK = '@LIEGRP_VIEW_DATA@'  # LG_VIEW_MARK


def _frame():
    """The page without its data: what `web/` of the source tree makes, where three.js is."""
    file = pathlib.Path(__file__).with_name('view.html')
    if not file.exists():
        raise UnsupportedError(f'there is no {file}, the page without its data: it belongs to every liegrp that was '
                               'built with three.js (Debian: libjs-three); set the build up again, build and install')
    return file.read_text(encoding='utf-8')


class View(Pinned):
    """A page that shows runs; Result.view() makes one. It needs no network. In a notebook it displays itself.

    >>> page = liegrp.run('rolling-disk', time=1.0).view()
    >>> page.html.startswith('<!DOCTYPE html>')
    True
    """

    def __init__(self, title: str, summary: str = '') -> None:
        self._frame, self._kept, self._title, self._labels = _frame(), [], title, []
        self._view = create('lg_view', lambda slot: lib.lg_view_create(slot, title.encode(), summary.encode()),
                            lib.lg_view_destroy)

    def _check(self, status, source=None):
        if status != lib.LG_OK:
            if source is not None:
                source.raise_failure()
            raise error(status, text(lib.lg_view_message(self._view)))

    def _add(self, source, label, result, note=''):
        """A track: the rows of a result, and why they end early."""
        track = ffi.new('int *')
        self._kept.append(source)
        self._labels.append(label)
        self._check(source.add(self._view, track, label.encode()), source)
        names = result.rows.dtype.names
        rows = np.stack([result.rows[name].astype(np.float64) for name in names], axis=-1)
        for row in np.ascontiguousarray(rows):
            self._check(lib.lg_view_row(self._view, track[0], ffi.from_buffer('double[]', row)), source)
        if note:
            self._check(lib.lg_view_note(self._view, track[0], note.encode()))

    @property
    def html(self) -> str:
        """The page as text.

        >>> '</html>' in liegrp.run('suslov', steps=3).view().html
        True
        """
        json = ffi.new('const char **')
        self._check(lib.lg_view_json(self._view, json))
        return self._frame.replace(_MARK, text(json[0]))

    def save(self, path: Path) -> None:
        """Writes the page; the file appears complete or not at all.

        >>> liegrp.run('suslov', steps=3).view().save('suslov.html')
        """
        self._check(lib.lg_view_write(self._view, os.fsencode(path), self._frame.encode()))

    def __repr__(self):
        return f'<liegrp.View of {self._title}: {", ".join(self._labels)}>'

    def _repr_html_(self):
        return ('<iframe title="liegrp" style="width:100%;height:860px;border:0" sandbox="allow-scripts" srcdoc="'
                + html.escape(self.html, quote=True) + '"></iframe>')


class ModelRun:
    """What a run of a model came from, so that it can be shown and made again."""

    def __init__(self, model, settings):
        self.model, self.settings = model, settings
        self.title, self.method = model.name, settings['method']
        self.summary = model.summary or ''

    def add(self, view, track, label):
        return lib.lg_view_add_model(view, track, self.model._pointer, label)

    def raise_failure(self):
        """Raises the exception that a look in Python raised."""
        self.model._raise_failure()

    def again(self, method):
        """The same run with another method."""
        from .runs import run
        same = ('retraction', 'step', 'steps', 'time', 'every', 'start', 'project', 'control')
        return run(self.model, method, accuracy=False, **{name: self.settings[name] for name in same})


class MotionRun:
    """The same of a motion."""

    def __init__(self, motion, columns, settings):
        self.mechanism, self.columns, self.settings = motion.mechanism, columns, settings
        self.title, self.method, self.step = motion.mechanism.name, motion.method, motion.step_size
        self.wrench, self.summary = motion._calls.wrench, ''

    def add(self, view, track, label):
        return lib.lg_view_add_motion(view, track, self.mechanism.pointer, self.columns.pointer, label)

    def raise_failure(self):
        """Mechanisms have no look in Python."""

    def again(self, method):
        from .motions import Motion
        first = self.settings['first']
        if first['t'] != 0:
            raise ArgumentError(f'a run is compared from its beginning at t = 0; this one began at {first["t"]:g}')
        motion = Motion(self.mechanism, method, self.step)
        row = np.array([float(first[name]) for name in first.dtype.names])
        motion._check(lib.lg_motion_columns_start(self.columns.pointer, motion.pointer,
                                                  ffi.from_buffer('double[]', row), 1))
        if self.wrench is not None:
            motion.set_wrench(self.wrench)
        return motion.run(accuracy=False, **{name: self.settings[name] for name in ('steps', 'time', 'every', 'control')})


def page_of(result, source, compare):
    """The page of a result and of other methods' runs."""
    page = View(source.title, source.summary)
    others = []
    for method in [compare] if isinstance(compare, str) else compare:
        try:
            others.append((method, source.again(method), ''))
        except Exception as failure:
            part = getattr(failure, 'result', None)
            if part is None or len(part.rows) == 0:
                raise  # the method refuses the system
            others.append((method, part, f'ended at t = {part.time:g}: {failure}'))
    page._add(source, source.method, result, result.message or '')
    for other in others:
        page._add(source, *other)
    return page
