# SPDX-License-Identifier: BSD-3-Clause
"""What must hold at all nodes of an Optimum: bounds, balls that bodies avoid, functions in Python."""
import math

import numpy as np

from ._callbacks import taken, view
from ._core import ArgumentError, check_names, default, ffi, lib, real
from ._map import one, reals


class Path:
    """A function in Python that C calls at nodes, and what it has raised."""

    def __init__(self, function, sizes, start):
        self.function, self.sizes, self.raised = function, sizes, None
        self.handle = ffi.new_handle(self)
        found = function(0.0, *start, np.zeros(sizes[2]))
        self.exact, self.count = isinstance(found, tuple), np.size(found[0] if isinstance(found, tuple) else found)
        if self.count == 0:
            raise ArgumentError('path must return at least one number')

    def answer(self, found, columns):
        """Values and jacobian of what the function returns."""
        if isinstance(found, tuple) != self.exact or (self.exact and len(found) != 2):
            raise ArgumentError('path must return values, or (values, jacobian), and the same in every call')
        values, jacobian = found if self.exact else (found, None)
        values = np.atleast_1d(reals(values, 'what path returns'))
        if values.shape != (self.count,):
            raise ArgumentError(f'path must return {self.count} numbers, as in its first call, got {values.shape}')
        if jacobian is not None:
            jacobian = one(np.reshape(jacobian, (self.count, -1)), (self.count, columns), 'the jacobian of path')
        return values, jacobian

    def reraise(self):
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


def failed(kind, exception, traceback):
    """Keeps the exception that left the function, Ctrl-C too: C must return first."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals['c'].context).raised = exception
    return 1


@ffi.def_extern(onerror=failed, error=1)
def _lgp_path(c, values, jacobian):
    path = ffi.from_handle(c.context)
    size, n, controls = path.sizes
    u = None if c.u == ffi.NULL else taken(c.u, math.prod(controls)).reshape(controls)
    found = path.function(c.t, taken(c.g, size), taken(c.p, n), u)
    columns = 2 * n + (0 if u is None else u.size)
    numbers, slopes = path.answer(found, columns)
    view(values, path.count)[:] = numbers
    if slopes is not None and jacobian != ffi.NULL:
        view(jacobian, path.count * columns)[:] = np.ravel(slopes)
    return 0


def set_path(problem, function, sizes, start):
    """The problem's path becomes `function`, which lives as long as what is returned."""
    if not callable(function):
        raise ArgumentError(f'path must be a function of (t, g, p, u), got {function!r}')
    path = Path(function, sizes, start)
    problem.path, problem.path_context = lib._lgp_path, path.handle
    problem.path_count, problem.path_jacobian = path.count, path.exact
    return path


def set_bounds(problem, bounds, numbers, names, model):
    """Bounds of all nodes from a dictionary of names, or from two arrays."""
    if isinstance(bounds, dict):
        if names is None:
            raise ArgumentError('names of bounds are those of mechanisms; give (low, high), two arrays for (g, p)')
        check_names(bounds, names, 'position or velocity', model.name)
        low, high = np.full(numbers, -np.inf), np.full(numbers, np.inf)
        for name, limits in bounds.items():
            if not isinstance(limits, (tuple, list)) or len(limits) != 2:
                raise ArgumentError(f'bounds of {name} must be a pair, got {limits!r}')
            low[names.index(name)], high[names.index(name)] = limits
    else:
        if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
            raise ArgumentError(f'bounds must be a dictionary or a pair of arrays, got {bounds!r}')
        low, high = (np.array(reals(part, 'bounds'), float) for part in bounds)
        if low.shape != (numbers,) or high.shape != (numbers,):
            raise ArgumentError(f'bounds must have {numbers} numbers each, got {low.shape} and {high.shape}')
    problem.state_low, problem.state_high = (ffi.from_buffer('double[]', part) for part in (low, high))
    return low, high


OBSTACLES = {'sphere': 'LG_OBSTACLE_SPHERE', 'box': 'LG_OBSTACLE_BOX', 'half space': 'LG_OBSTACLE_HALF_SPACE'}


def set_avoid(problem, avoid):
    """Clearances from dictionaries."""
    made, kept = ffi.new('lg_clearance[]', len(avoid)), []
    for i, wish in enumerate(avoid):
        wish = dict(wish)
        kind = [name for name in OBSTACLES if name in wish]
        if 'body' not in wish or 'at' not in wish or len(kind) != 1:
            raise ArgumentError(f"avoid[{i}] must have 'body', 'at' and one of 'sphere', 'box', 'half space', "
                                f'got {wish!r}')
        body, at = ffi.new('char[]', str(wish.pop('body')).encode()), wish.pop('at')
        made[i] = default('lg_clearance', lib.lg_clearance_init, body)[0]
        made[i].obstacle = getattr(lib, OBSTACLES[kind[0]])
        made[i].place = list(one(at, (3,), 'at'))
        extent = wish.pop(kind[0])
        made[i].extent = [real(extent, 'sphere'), 0, 0] if kind[0] == 'sphere' else list(one(extent, (3,), kind[0]))
        made[i].point = list(one(wish.pop('point', (0, 0, 0)), (3,), 'point'))
        made[i].radius = real(wish.pop('radius', 0), 'radius')
        if wish:
            raise ArgumentError(f'avoid[{i}] has unknown words {", ".join(map(repr, wish))}; known are body, at, '
                                'sphere, box, half space, point, radius')
        kept.append(body)
    problem.clearances, problem.clearance_count = made, len(avoid)
    return made, kept
