# SPDX-License-Identifier: BSD-3-Clause
"""Functions of Python's that a motion calls. What they raise is kept, and raised again once C has returned."""
import weakref

import numpy as np

from ._core import ffi


def array(pointer, *shape):
    """Numbers of C's as an array, without a copy: valid during the call."""
    count = int(np.prod(shape))
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64, count=count).reshape(shape)


def pointer(numbers):
    """The numbers of a C-contiguous float64 array; NULL for None."""
    return ffi.NULL if numbers is None else ffi.from_buffer('double[]', numbers)


class Calls:
    """The functions that one motion calls, its context in C, and what they have raised."""

    def __init__(self, motion):
        self.handle = ffi.new_handle(self)
        self._motion = weakref.ref(motion)
        self.body_count, self.motor_count = motion.body_count, motion.motor_count
        self.wrench = self.event = self.control = self.observer = self.progress = None
        self.raised = None

    def state(self, motion_pointer):
        """A state that C shows."""
        return self._motion().shown(motion_pointer)

    def reraise(self):
        """Raises what a function has raised since the last time."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


def failed(kind, exception, traceback):
    """Keeps the exception that left a function, Ctrl-C too: C must return first."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals['context']).raised = exception
    return 1


@ffi.def_extern(onerror=failed, error=1)
def _lgp_wrench(t, poses, twists, wrench, context):
    calls = ffi.from_handle(context)
    bodies = calls.body_count
    out = array(wrench, bodies, 6)
    out += calls.wrench(t, array(poses, bodies, 7), array(twists, bodies, 6))
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_event(motion, f, context):
    calls = ffi.from_handle(context)
    f[0] = calls.event(calls.state(motion))
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_control(motion, u, context):
    calls = ffi.from_handle(context)
    controls = array(u, calls.motor_count)
    controls[:] = calls.control(calls.state(motion), controls.copy())
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_observe(motion, context):
    calls = ffi.from_handle(context)
    return bool(calls.observer(calls.state(motion)))


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_progress(step, steps, context):
    # Signals arrive here, about ten times a second.
    calls = ffi.from_handle(context)
    return calls.progress is not None and bool(calls.progress(step, steps))
