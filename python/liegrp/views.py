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
                source.model._raise_failure()
            raise error(status, text(lib.lg_view_message(self._view)))

    def _add(self, source, label, result, note=''):
        """A track: the rows of a result, and why they end early."""
        track = ffi.new('int *')
        self._kept.append(source)
        self._labels.append(label)
        self._check(lib.lg_view_add(self._view, track, source.model._pointer, label.encode()), source)
        names = result.rows.dtype.names
        rows = np.stack([result.rows[name].astype(np.float64) for name in names], axis=-1)
        rows, done, seen = np.ascontiguousarray(rows), 0, -1

        def show(count):
            nonlocal done
            for row in rows[done:count]:
                self._check(lib.lg_view_row(self._view, track[0], ffi.from_buffer('double[]', row)), source)
            done = max(done, count)

        def look(state):
            """Contacts are not in rows: a repetition of the run shows them. True: it differs from the run."""
            nonlocal seen
            seen += 1
            if seen % source.settings['every'] != 0 or done == len(rows):
                return False
            row = state.row
            if any(row[name] != rows[done][i] for i, name in enumerate(names) if name in source.state):
                return True
            show(done + 1)
            self._check(lib.lg_view_motion(self._view, track[0], state.pointer))
            return False

        if source.touches and label.split(':')[0].split('@')[0] == 'sem':
            try:
                source.again(label, look)
            except Exception:
                if not note:  # the run ended well, and its repetition does not
                    raise
        if source.touches and 0 < done < len(rows):
            note = '; '.join(part for part in (note, 'contacts are shown up to t = %g: a repetition of the run, which '
                                               'finds them, differs from there' % rows[done - 1][names.index('t')]) if part)
        show(len(rows))
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
        """Writes the page atomically.

        >>> liegrp.run('suslov', steps=3).view().save('suslov.html')
        """
        self._check(lib.lg_view_write(self._view, os.fsencode(path), self._frame.encode()))

    def __repr__(self):
        return f'<liegrp.View of {self._title}: {", ".join(self._labels)}>'

    def _repr_html_(self):
        return ('<iframe title="liegrp" style="width:100%;height:860px;border:0" sandbox="allow-scripts" srcdoc="'
                + html.escape(self.html, quote=True) + '"></iframe>')


class Source:
    """The source of a run: its model, method and start, to show it and to repeat it."""

    def __init__(self, motion, settings, begun):
        self.model, self.settings, self.begun = motion.model, settings, begun
        self.title, self.summary, self.method = motion.model.name, motion.model.summary or '', motion.method
        self.how = {**motion._how, 'step': motion.step_size}
        self.wrench, self.contact = motion._calls.wrench, motion._contact
        self.state = set(motion.model._initial_names())
        self.touches = motion.model.mechanism is not None and lib.lg_motion_contact_count(motion.pointer) > 0

    def again(self, method, observer=None):
        """The run with another method."""
        from .motions import Motion
        motion = Motion(self.model, method, started=False, **self.how)
        motion.start(**self.begun)
        if self.contact:
            motion.set_contact(**self.contact)
        if self.wrench is not None:
            motion.set_wrench(self.wrench)
        control = self.settings.get('controls', self.settings['control'])
        same = {name: self.settings[name] for name in ('steps', 'time', 'every')}
        return motion.run(accuracy=False, control=control, observer=observer, **same)


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
