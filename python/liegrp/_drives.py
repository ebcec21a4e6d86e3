# SPDX-License-Identifier: BSD-3-Clause
"""Functions in Python that give the motion of a joint or a body."""
import threading

import numpy as np

from ._callbacks import view
from ._core import ArgumentError, ffi
from ._jets import Jet, jet
from ._map import reals


class Drives:
    """The functions of a mechanism's drives, and the exception of one that failed."""

    def __init__(self):
        self.failure, self.handles, self.given, self.functions = None, [], {}, {}
        self.at_work = threading.local()  # its attribute `on`: this thread is in a function

    def add(self, name, motion, numbers):
        """The context of a function in Python, which returns so many numbers."""
        self.functions[name] = motion
        handle = ffi.new_handle((self, name, motion, numbers))
        self.handles.append(handle)
        return handle

    def raise_failure(self):
        """Raises the exception that a function raised."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure


def failed(kind, exception, traceback):
    """Keeps the exception that left a function, Ctrl-C too: C must return first."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals['context'])[0].failure = exception
    return 1


def differentiated(motion, name, t):
    """q, q' and q'' of a function that returns q alone."""
    try:
        q = motion(Jet(t, 1.0))
        q = jet(q.item() if isinstance(q, np.ndarray) else q)
    except TypeError as reason:
        raise ArgumentError(f"the function of drive {name!r} returns q alone and cannot be differentiated ({reason}); "
                            "return (q, q', q''), or use + - * / ** and numpy's functions of one number") from None
    return q.x, q.rate, q.bend


@ffi.def_extern(onerror=failed, error=1)
def _lgp_drive(t, out, context):
    drives, name, motion, numbers = ffi.from_handle(context)
    drives.at_work.on = True
    try:
        found = motion(t)
        if numbers == 3 and np.ndim(found) == 0:
            found = differentiated(motion, name, t)
    finally:
        drives.at_work.on = False
    if numbers == 19 and isinstance(found, (tuple, list)) and len(found) == 3:
        found = np.concatenate([np.ravel(part) for part in found])
    found = reals(found, f'what the function of drive {name!r} returns')
    if found.shape != (numbers,):
        raise ArgumentError(f'the function of drive {name!r} must return '
                            + ("q, or (q, q', q'')" if numbers == 3 else
                               'a pose (7), a twist (6) and its derivative (6)') + f', got {found.shape}')
    view(out, numbers)[:] = found
    return 0
