# SPDX-License-Identifier: BSD-3-Clause
"""Ensembles of motions of one mechanism, as arrays with the instances first."""
from __future__ import annotations

import numpy as np

from ._core import create, default, ffi, flag, lib, real
from ._motion_calls import pointer
from ._types import Array, ArrayLike
from .ensembles import Retirements, Samples, rows_of
from .mechanisms import Mechanism
from .motions import Motion


class MotionEnsemble(Retirements):
    """`count` motions of one mechanism, each with a state and controls of its own; all share method and step. Every
    instance ends, to the last bit, where it would have ended alone in a Motion. One that fails is retired. The
    mechanism is compiled if it is not. Instances start as Motion.start() does. tolerance: for the method `gauss`: every
    instance finds its steps, `step` is the interval of its states.

    >>> q = numpy.random.default_rng(1).uniform(-1, 1, (10, 2))
    >>> pendulums = liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 10, step=0.01)
    >>> pendulums.start(positions=q).run(100).positions.shape
    (10, 2)
    """

    _prefix = 'lg_motion_ensemble_'

    def __init__(self, mechanism: Mechanism, count: int, method: str = 'sem', step: float | None = None, *,
                 threads: int = 1, width: int = 0, halvings: int = 0, tolerance: float = 0) -> None:
        self._probe = Motion(mechanism, method, step, halvings=halvings, tolerance=tolerance)
        self.mechanism = mechanism
        self.step_size = self._probe.step_size
        options = default('lg_motion_ensemble_options', lib.lg_motion_ensemble_options_init)
        kept = ffi.new('char[]', method.encode())
        options.method, options.step, options.threads = kept, self.step_size, threads
        options.width, options.halvings, options.tolerance = width, halvings, tolerance
        self.pointer = create('lg_motion_ensemble', lambda slot: lib.lg_motion_ensemble_create(
            slot, mechanism.pointer, count, options), lib.lg_motion_ensemble_destroy, lib.lg_motion_ensemble_message)
        self.start()

    @property
    def position_count(self) -> int:
        """Numbers of positions of an instance.

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).position_count
        2
        """
        return self._probe.position_count

    def start(self, positions: ArrayLike | None = None, velocities: ArrayLike | None = None, *, t0: float = 0.0,
              project: bool = True) -> MotionEnsemble:
        """Starts every instance at time t0 from positions and velocities (instances, position_count); None as in
        Motion.start(). Instances that cannot be started are retired.

        >>> ensemble = liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3)
        >>> ensemble.start(velocities=numpy.ones((3, 2))).velocities[0]
        array([1., 1.])
        """
        shape, t0 = (len(self), self.position_count), real(t0, 't0')
        if positions is None and velocities is None and t0 != 0:  # the mechanism's own state, at another time
            self._probe.start()
            positions, velocities = self._probe.positions, self._probe.velocities
        q, v = rows_of(positions, shape, 'positions'), rows_of(velocities, shape, 'velocities')
        context = ffi.new('lgp_starts *', {
            'positions': pointer(q), 'velocities': pointer(v), 'numbers': self.position_count, 't0': t0,
            'project': flag(project, 'project'), 'gallery': self.mechanism.gallery_index})
        return self._done(lib.lg_motion_ensemble_set_all(self.pointer, ffi.addressof(lib, 'lgp_start_motion'), context))

    def set(self, i: int, motion: Motion) -> MotionEnsemble:
        """Instance i goes on from the state of a motion of the same mechanism, method, step and tolerance.

        >>> ensemble = liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3)
        >>> _ = ensemble.set(1, liegrp.Motion(ensemble.mechanism))
        """
        return self._done(lib.lg_motion_ensemble_set(self.pointer, i, motion.pointer))

    def motion(self, i: int) -> Motion:
        """A Motion of its own that goes on from instance i.

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).motion(2).t
        0.0
        """
        taken = Motion(self.mechanism, self._probe.method, self.step_size, tolerance=self._probe.tolerance)
        self._check(lib.lg_motion_ensemble_read(self.pointer, taken.pointer, i))
        return taken

    def set_controls(self, u: ArrayLike) -> MotionEnsemble:
        """Sets the controls (instances, motors), which hold until they are set again.

        >>> ensemble = liegrp.MotionEnsemble(liegrp.Mechanism.gallery('arm'), 3)
        >>> _ = ensemble.set_controls(numpy.zeros((3, 7)))
        """
        u = rows_of(u, (len(self), self._probe.motor_count), 'controls')
        return self._done(lib.lg_motion_ensemble_set_controls(self.pointer, 0, pointer(u), len(self)))

    def run(self, steps: int, every: int | None = None, controls: ArrayLike | None = None) -> MotionEnsemble | Samples:
        """Makes `steps` steps of every instance.

        controls: (instances, pieces, motors), of which each is held for steps/pieces steps, a whole number. every:
        returns Samples after every so many steps of the run, in whatever piece they are: t (instances, times),
        positions and velocities (instances, times, position_count), poses (instances, times, bodies, 7), energy and
        work (instances, times), with steps // every times. Without it returns the ensemble.

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).run(20, every=5).poses.shape
        (3, 4, 2, 7)
        """
        return self._advance(steps, every, self._schedule(controls, self._probe.motor_count), 'lgp_sample_motion')

    def _samples(self, slots):
        count, numbers, bodies = len(self), self.position_count, self._probe.body_count
        seen = self._seen = np.zeros(count, dtype=np.int64)
        shapes = {'t': (), 'positions': (numbers,), 'velocities': (numbers,), 'poses': (bodies, 7), 'energy': (),
                  'work': ()}
        samples = Samples(**{name: np.full((count, slots, *shape), np.nan) for name, shape in shapes.items()})
        struct = ffi.new('lgp_motions *', {
            'slots': slots, 'seen': ffi.from_buffer('int64_t[]', seen), 'numbers': numbers, 'bodies': bodies,
            **{name: pointer(array) for name, array in vars(samples).items()}})
        return samples, struct

    def state(self) -> Samples:
        """The present state of all instances as Samples: t, energy and work (instances,), positions and velocities
        (instances, position_count), poses (instances, bodies, 7).

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).state().work
        array([0., 0., 0.])
        """
        samples, struct = self._samples(1)
        lib.lgp_read_motions(self.pointer, self._probe.pointer, struct)
        return Samples(**{name: array[:, 0] for name, array in vars(samples).items()})

    @property
    def positions(self) -> Array:
        """The positions (instances, position_count).

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).positions.shape
        (3, 2)
        """
        return self.state().positions

    @property
    def velocities(self) -> Array:
        """The velocities (instances, position_count).

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).velocities.shape
        (3, 2)
        """
        return self.state().velocities

    @property
    def energy(self) -> Array:
        """H of every instance (instances), J.

        >>> liegrp.MotionEnsemble(liegrp.Mechanism.gallery('double-pendulum'), 3).energy.shape
        (3,)
        """
        return self.state().energy

    def __repr__(self):
        return f'<liegrp.MotionEnsemble of {len(self)} x {self.mechanism.name}>'
