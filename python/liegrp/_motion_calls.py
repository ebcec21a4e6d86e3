# SPDX-License-Identifier: BSD-3-Clause
"""Functions of Python's that a motion calls. What they raise is kept, and raised again once C has returned."""
import weakref

from ._callbacks import taken, view
from ._core import ArgumentError, ffi
from ._map import reals


def pointer(numbers):
    """The numbers of a C-contiguous float64 array; NULL for None."""
    return ffi.NULL if numbers is None else ffi.from_buffer('double[]', numbers)


def vector(value, count, name):
    """`count` numbers as an array, or None. One number need not be an array."""
    if value is None:
        return None
    array = reals(value, name)
    if array.shape != (count,) and not (count == 1 and array.shape == ()):
        raise ArgumentError(f'{name} must have the shape ({count},), got {array.shape}')
    return array.reshape(count)


class Calls:
    """The functions that one motion calls, its context in C, and what they have raised."""

    def __init__(self, motion):
        self.handle = ffi.new_handle(self)
        self._motion = weakref.ref(motion)
        self.body_count, self.motor_count = motion.body_count, motion.motor_count
        self.wrench = self.event = self.control = self.observer = self.progress = None
        self.raised, self.at_work = None, False

    def ask(self, function, *arguments):
        """Calls a function of the user's, which must not move the motion that asks."""
        try:
            self.at_work = True
            return function(*arguments)
        finally:
            self.at_work = False

    def show(self, function, motion_pointer, *arguments):
        """The same with a state that C shows: of the motion itself, which the state keeps alive, or of one of the
        library's, which goes with the call."""
        motion = self._motion()
        state = motion.shown(motion_pointer)
        try:
            return self.ask(function, state, *arguments)
        finally:
            if motion_pointer != motion.pointer:
                del state.pointer

    def check_free(self):
        """Refuses what would change the motion while it waits for a function that it has called."""
        if self.at_work:
            raise ArgumentError('called by a function that this motion calls, such as its wrench or observer; take '
                                'another Motion of the mechanism')

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
    g, xi = taken(poses, 7 * bodies).reshape(bodies, 7), taken(twists, 6 * bodies).reshape(bodies, 6)
    found = reals(calls.ask(calls.wrench, t, g, xi), 'what wrench returns')
    if found.shape != (bodies, 6):
        raise ArgumentError(f'wrench must return an array of shape {bodies, 6}, got {found.shape}')
    out = view(wrench, 6 * bodies)
    out += found.reshape(-1)
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_event(motion, f, context):
    calls = ffi.from_handle(context)
    found = reals(calls.show(calls.event, motion), 'what the function of an event returns')
    if found.size != 1:
        raise ArgumentError(f'the function of an event must return a number, got {found.shape}')
    f[0] = found.item()
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_control(motion, u, context):
    calls = ffi.from_handle(context)
    controls = view(u, calls.motor_count)
    controls[:] = vector(calls.show(calls.control, motion, controls.copy()), controls.size, 'what control returns')
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_observe(motion, context):
    calls = ffi.from_handle(context)
    return bool(calls.show(calls.observer, motion))


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_progress(step, steps, context):
    # Signals arrive here, about ten times a second.
    calls = ffi.from_handle(context)
    return calls.progress is not None and bool(calls.ask(calls.progress, step, steps))
