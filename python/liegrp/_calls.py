# SPDX-License-Identifier: BSD-3-Clause
"""Functions in Python that a motion calls. Their exceptions are kept, and raised again once C has returned."""
import numpy as np

from ._callbacks import taken, view
from ._core import ArgumentError, ffi, lib
from ._map import reals, vector
from .states import State


class Calls:
    """The functions that one motion calls, its context in C, and what they have raised."""

    def __init__(self, model):
        self.handle = ffi.new_handle(self)
        self.model = model
        self.wrench = self.impact = self.event = self.control = self.observer = self.progress = None
        self.raised, self.at_work = None, False
        self.state = State(None, model)
        del self.state.pointer

    def ask(self, function, *arguments):
        """Calls a function of the user, which must not move this motion."""
        try:
            self.at_work = True
            return function(*arguments)
        finally:
            self.at_work = False

    def show(self, function, motion_pointer, *arguments):
        """Calls a function with the State of a pointer, which ends with the call."""
        state = self.state
        state.pointer, self.at_work = motion_pointer, True
        try:
            return function(state, *arguments)
        finally:
            del state.pointer
            self.at_work = False

    def check_free(self):
        """Refuses what would change the motion while it waits for a function that it has called."""
        if self.at_work or getattr(getattr(self.model._owner, 'at_work', None), 'on', False):
            raise ArgumentError('called by a function that this motion calls, such as its wrench, observer or drive; take '
                                'another Motion of the model, or for a drive one of another model')

    def reraise(self):
        """Raises the exception of a function of the motion or the model, if there is one."""
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised
        self.model._raise_failure()


def failed(kind, exception, traceback):
    """Keeps the exception that left a function, Ctrl-C too: C must return first."""
    if traceback is not None:
        ffi.from_handle(traceback.tb_frame.f_locals['context']).raised = exception
    return 1


@ffi.def_extern(onerror=failed, error=1)
def _lgp_wrench(t, poses, twists, wrench, context):
    calls = ffi.from_handle(context)
    bodies = lib.lg_mechanism_body_count(calls.model.mechanism.pointer)
    g, xi = taken(poses, 7 * bodies).reshape(bodies, 7), taken(twists, 6 * bodies).reshape(bodies, 6)
    found = reals(calls.ask(calls.wrench, t, g, xi), 'what wrench returns')
    if found.shape != (bodies, 6):
        raise ArgumentError(f'wrench must return an array of shape {bodies, 6}, got {found.shape}')
    out = view(wrench, 6 * bodies)
    out += found.reshape(-1)
    return 0


_IMPACT = np.dtype([('contact', int), ('surfaces', int, 2), ('joint', int), ('wheel', int), ('approach', float), ('impulse', float, 3),
                    ('loss', float)])


@ffi.def_extern(onerror=failed, error=1)
def _lgp_impact(t, impacts, count, context):
    calls = ffi.from_handle(context)
    seen = np.array([(i.contact, list(i.surface), i.joint, i.wheel, i.approach, list(i.impulse), i.loss)
                     for i in ffi.unpack(impacts, count)], _IMPACT)
    calls.ask(calls.impact, t, seen)
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
    controls = view(u, calls.model.control_count)
    controls[:] = vector(calls.show(calls.control, motion, controls.copy()), controls.size, 'what control returns')
    return 0


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_observe(motion, context):
    calls = ffi.from_handle(context)
    return bool(calls.show(calls.observer, motion))


@ffi.def_extern(onerror=failed, error=1)
def _lgp_motion_progress(step, steps, context):
    # Signals arrive here, about ten times a second. A run also ends here if a function failed where the library
    # continues with NaN, in the energy of a row or an invariant.
    calls = ffi.from_handle(context)
    return calls.model._has_failed() or calls.progress is not None and bool(calls.ask(calls.progress, step, steps))
