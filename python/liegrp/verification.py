# SPDX-License-Identifier: BSD-3-Clause
"""The ledger of claims, checked by the tool liegrp; observed orders of convergence."""
from __future__ import annotations

import json
import math
import os
import pathlib
import shutil
import subprocess
from typing import NamedTuple

import numpy as np

from ._core import ArgumentError, check, create, default, error, ffi, flag, lib, step_of, text
from ._notebook import of_convergence
from ._types import Path
from .mechanisms import Mechanism, model_of
from .models import Model
from .motions import check_given
from .retractions import Retraction
from .runs import count_steps

REDUCED = {lib.LG_VARIABLES_REDUCED: 'reduced', lib.LG_VARIABLES_RECONSTRUCTED: 'reconstructed',
           lib.LG_VARIABLES_BOTH: 'both'}


def tool() -> str:
    """The path of the command-line tool liegrp: that of the same build or installation, otherwise the one on PATH.

    >>> liegrp.tool().split('/')[-1]
    'liegrp'
    """
    package = pathlib.Path(__file__).absolute().parent
    for place in ('../../cli/liegrp', '../../../../bin/liegrp'):  # build/python/liegrp; lib/python3/dist-packages/liegrp
        file = os.path.normpath(package / place)
        if os.path.isfile(file) and os.access(file, os.X_OK):
            return file
    found = shutil.which('liegrp')
    if found is None:
        raise FileNotFoundError('the tool liegrp is neither next to the package nor on PATH; the Debian package liegrp '
                                "has it, and 'meson install -C build' installs it from the sources")
    return found


class Measure(NamedTuple):
    """A measurement of a claim: it passed if low <= value <= high. A control must violate the claim; what was skipped
    is refused by the method, and `what` says why.

    >>> liegrp.Measure._fields[0]
    'claim'
    """

    claim: str
    passed: bool
    value: float
    low: float
    high: float
    system: str
    method: str
    retraction: str
    what: str
    bound_from: str
    control: bool
    skipped: bool


class Claim(NamedTuple):
    """A theorem with its measurements: verdict 'holds' or 'fails', text, source, seconds that it took.

    >>> liegrp.Claim._fields[:2]
    ('name', 'verdict')
    """

    name: str
    verdict: str
    text: str
    source: str
    seconds: float
    measures: list

    @property
    def holds(self) -> bool:
        """True: all its measurements passed.

        >>> liegrp.verify('gni-parasitic-growth')[0].holds
        True
        """
        return self.verdict == 'holds'


def _number(value):
    return math.nan if value is None else float(value)


def _claim(found):
    measures = [Measure(found['id'], m['passed'], _number(m['value']), _number(m['low']), _number(m['high']),
                        m['system'], m['method'], m['retraction'], m['what'], m['bound_from'], m['control'],
                        m['skipped']) for m in found['measures']]
    return Claim(found['id'], found['verdict'], found['text'], found['source'], found['seconds'], measures)


def verify(*claims: str, full: bool = False, system: Path | None = None, threads: int = 0) -> list[Claim]:
    """Checks claims of the ledger by measurement and returns a list of Claim. `claims`: names of claims, or of folders
    such as 'sem'; none: all, which takes minutes. full: with the long runs, which take about an hour. system: checks
    this one instead of the ledger's own, such as './my-system.so'. It runs `liegrp verify --json`.

    >>> claim = liegrp.verify('gni-parasitic-growth')[0]
    >>> claim.holds, claim.measures[0].system
    (True, 'suslov')
    """
    for claim in claims:
        if not isinstance(claim, str):
            raise ArgumentError(f"claims are names, as in verify('rattle-order', 'sem'), got {claim!r}")
    command = [tool(), 'verify', '--json', *claims]
    command += ['--full'] * bool(full) + ['--system', str(system)] * bool(system)
    command += ['--threads', str(threads)] * bool(threads)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise error(lib.LG_ERROR_ARGUMENT, done.stderr.strip() or f'{command[0]} ended with {done.returncode}')
    return [_claim(found) for found in json.loads(done.stdout)['claims']]


class Convergence(NamedTuple):
    """Errors of a method at a time T over steps that are halved. `columns` names what is measured, `kinds` says whether
    that is a 'reduced' or 'reconstructed' variable or 'both'. Arrays: steps (levels,), errors, floors and used (levels,
    columns), orders (columns,). NaN: T was not reached; no order. `messages` says why, a text for each level.

    >>> liegrp.Convergence._fields[:2]
    ('method', 'retraction')
    """

    method: str
    retraction: str
    columns: list
    kinds: list
    steps: np.ndarray
    errors: np.ndarray
    floors: np.ndarray
    used: np.ndarray
    orders: np.ndarray
    messages: list

    def order(self, column: str = 'configuration') -> float:
        """The observed order of a column.

        >>> model = liegrp.Model('rolling-ball')
        >>> round(liegrp.convergence(model, step=0.1, levels=3).order('momentum'), 1)
        2.0
        """
        return float(self.orders[self.columns.index(column)])

    def _repr_html_(self):
        return of_convergence(self)


def convergence(model: Model | Mechanism | str, method: str = 'sem', retraction: str | Retraction = 'exp', *,
                step: float | None = None, time: float = 1.0, levels: int = 5, project: bool = False) -> Convergence:
    """The observed order of a method on a model: errors at `time` against an exact or far more accurate solution, with
    the steps `step`, 1/2, 1/4, ... of it, 2 to 12 levels. Returns a Convergence.

    >>> order = liegrp.convergence(liegrp.Model('rolling-ball'), 'sem', step=0.1, levels=3).order()
    >>> round(order, 1)
    2.0
    """
    model = model_of(model)
    step = step_of(step, model.default_step)
    if not project:
        check_given(model, method, retraction, step)
    options = default('lg_motion_options', lib.lg_motion_options_init)
    words = [ffi.new('char[]', word.encode()) for word in (method, Retraction.of(retraction).name)]
    options.method, options.retraction = words
    options.step, steps = step, count_steps(step, None, time, exact=True)
    reference = create('lg_reference', lambda slot: lib.lg_reference_create(
        slot, model._pointer, options, steps, flag(project, 'project')), lib.lg_reference_destroy,
        lib.lg_reference_message)
    found = ffi.new('lg_convergence *')
    check(lib.lg_convergence_measure(model._pointer, found, reference, options, steps, levels), lambda: found.message)
    return _measured(method, Retraction.of(retraction).name, reference, found)


def _measured(method, retraction, reference, found):
    columns = [lib.lg_reference_column(reference, i) for i in range(found.columns)]
    levels = [found.level[i] for i in range(found.levels)]

    def table(name, kind=float):
        return np.array([[getattr(level, name)[i] for i in range(found.columns)] for level in levels], dtype=kind)
    return Convergence(method, retraction, [text(c.name) for c in columns], [REDUCED[c.kind] for c in columns],
                       np.array([level.step for level in levels]), table('error'), table('floor'), table('used', bool),
                       np.array([found.order[i] for i in range(found.columns)]),
                       [text(level.message) for level in levels])
