# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories: steps that are stored with their derivatives."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._core import ArgumentError, Pinned, create, error, lib, text
from ._map import one, pointer, reals
from ._types import Array, ArrayLike

if TYPE_CHECKING:
    from .motions import Motion


class Gradient(NamedTuple):
    """A gradient, or a sensitivity, by the inputs of a trajectory: start (k), the deviation of node 0; controls (steps,
    control_count); step, the length of all steps; parameters of the model in their order, of a mechanism those that the
    trajectory was made for.

    >>> path = liegrp.Trajectory(liegrp.Motion('suslov', step=0.1), 5).run()
    >>> path.gradient(numpy.ones((6, 6)))._fields
    ('start', 'controls', 'step', 'parameters')
    """

    start: Array
    controls: Array
    step: Array
    parameters: Array


class Trajectory(Pinned):
    """Steps of a motion, stored with their derivatives: gradients of any cost, sensitivities, Floquet multipliers.

    Nodes are numbered 0, ..., steps. A *deviation* of a node has k numbers: eta, the left-trivialised variation
    g exp(eta) of the configuration, then that of the momentum p which the method carries from step to step; of a
    mechanism with the sparse step those y of which `basis()` @ y are changes of joint positions and velocities.

    parameters: names of parameters of such a mechanism; a model of another kind has all of its parameters.

    >>> motion = liegrp.Motion('two-wheeled-robot', step=0.05)
    >>> path = liegrp.Trajectory(motion, 20).run(numpy.ones((20, 2)))
    >>> path.states.shape, path.deviations
    ((21, 11), 10)
    >>> nodes = numpy.zeros((21, 10))
    >>> nodes[-1, 0] = 1  # the cost: how far the robot comes along itself
    >>> path.gradient(nodes).controls.shape
    (20, 2)
    """

    def __init__(self, motion: Motion, steps: int, parameters: Sequence[str] = ()) -> None:
        motion._calls.check_free()
        which = motion._parameter_numbers(parameters)
        if not 1 <= steps < 2**31:
            raise ArgumentError(f'steps must be 1 or more, got {steps}')
        self._pointer = create('lg_trajectory', lambda slot:
                               lib.lg_trajectory_of_parameters(slot, motion.pointer, steps, which, len(parameters))
                               if len(parameters) else lib.lg_trajectory_of_motion(slot, motion.pointer, steps),
                               lib.lg_trajectory_destroy, lib.lg_trajectory_message)
        self.motion, self.steps = motion, steps
        self.deviations = lib.lg_trajectory_deviations(self._pointer)
        self._controls = lib.lg_trajectory_controls(self._pointer)
        self._inputs = lib.lg_trajectory_inputs(self._pointer)
        self._size = lib.lg_trajectory_state_size(self._pointer)

    def _check(self, status, node=None):
        if status == lib.LG_OK:
            return
        reached = self.reached
        if node is not None and node > reached:
            raise ArgumentError(f'the last run reached node {reached}, not {node}' if reached >= 0 else
                                'there was no run yet; call run()')
        raise error(status)

    def _of_steps(self, controls):
        """Controls of all steps, with a degree those at nodes too, as C takes them."""
        controls = reals(controls, 'controls')
        if controls.ndim == 3:
            controls = np.ascontiguousarray(controls.reshape(len(controls), -1))
        return one(controls, (self.steps, self._controls), 'controls')

    def run(self, controls: ArrayLike | None = None) -> Trajectory:
        """Makes the steps from the present state of the motion, which they move. controls: (steps, control_count), held
        during each step, or (steps, degree + 1, control_count) where they were polynomials at creation; None: those that are set stay. To run again from the same start call motion.reset(). If a step
        fails the error names its node; what was reached stays readable.

        >>> motion = liegrp.Motion('furuta')
        >>> liegrp.Trajectory(motion, 3).run().reached, motion.step_index
        (3, 3)
        """
        if controls is not None:
            controls = self._of_steps(controls)
        self.motion._check_free()
        status = lib.lg_trajectory_run(self._pointer, pointer(controls))
        self.motion._calls.reraise()
        if status != lib.LG_OK:
            raise error(status, text(lib.lg_trajectory_message(self._pointer)))
        return self

    @property
    def reached(self) -> int:
        """The last node of the last run; -1 before it.

        >>> liegrp.Trajectory(liegrp.Motion('suslov', step=0.1), 5).reached
        -1
        """
        return lib.lg_trajectory_reached(self._pointer)

    @property
    def unknown(self) -> str:
        """The parameters whose derivatives are not known, and why; '' if all are known.

        >>> liegrp.Trajectory(liegrp.Motion('rigid-body', step=0.1), 5).run().unknown
        ''
        """
        return text(lib.lg_trajectory_message(self._pointer))

    def _nodes(self):
        if self.reached < 0:
            raise ArgumentError('there was no run yet; call run()')
        t, states = np.empty(self.reached + 1), np.empty((self.reached + 1, self._size))
        for node, row in enumerate(states):
            self._check(lib.lg_trajectory_state(self._pointer, pointer(t[node:node + 1]), pointer(row), node))
        return t, states

    @property
    def t(self) -> Array:
        """The times of the nodes that were reached.

        >>> liegrp.Trajectory(liegrp.Motion('suslov', step=0.5), 2).run().t
        array([0. , 0.5, 1. ])
        """
        return self._nodes()[0]

    @property
    def states(self) -> Array:
        """The states of the nodes that were reached: g, then p; of a mechanism with the sparse step joint positions,
        then velocities.

        >>> liegrp.Trajectory(liegrp.Motion('furuta'), 2).run().states.shape
        (3, 4)
        """
        return self._nodes()[1]

    def basis(self, node: int = -1) -> Array:
        """What deviations of a node of a mechanism mean: joint positions, then velocities, change by basis @ y.

        >>> liegrp.Trajectory(liegrp.Motion('vehicle'), 2).run().basis().shape
        (20, 9)
        """
        node, C = self._node(node), np.empty((self._size, self.deviations))
        self._check(lib.lg_trajectory_basis(self._pointer, pointer(C), node), node)
        return C

    def offset(self, node: int = -1) -> Array:
        """What parameters of a mechanism change besides deviations, (state_size, parameters): joint positions, then
        velocities, change by basis @ y + offset @ p. It is 0 but for parameters that move joints, wheels or centres of
        mass.

        >>> path = liegrp.Trajectory(liegrp.Motion('furuta'), 2, ['pendulum.mass']).run()
        >>> bool(abs(path.offset()).max() < 1e-9)
        True
        """
        node, D = self._node(node), np.empty((self._size, lib.lg_trajectory_parameters(self._pointer)))
        self._check(lib.lg_trajectory_offset(self._pointer, pointer(D), node), node)
        return D

    def _node(self, node):
        found = self.steps + 1 + node if node < 0 else node
        if not 0 <= found <= self.steps:
            raise ArgumentError(f'node {node}; there are nodes 0 to {self.steps}')
        return found

    def _split(self, x):
        k, end = self.deviations, self.deviations + self.steps * self._controls
        return Gradient(x[..., :k], x[..., k:end].reshape(*x.shape[:-1], self.steps, self._controls), x[..., end],
                        x[..., end + 1:])

    def gradient(self, nodes: ArrayLike, controls: ArrayLike | None = None) -> Gradient:
        """The gradient of a cost by one sweep backward. nodes: its derivative by the deviation of each node,
        (steps + 1, k); of a mechanism that by joint positions and velocities times `basis()`. controls: its direct
        derivative by the controls, (steps, control_count). NaN for parameters whose derivatives are not known.

        >>> motion = liegrp.Motion('heavy-top', step=0.05)
        >>> path = liegrp.Trajectory(motion, 10).run()
        >>> g = path.gradient(numpy.ones((11, 6)))
        >>> g.start.shape, g.controls.shape, g.parameters.shape == (len(motion.model.parameters),)
        ((6,), (10, 0), True)
        """
        nodes = one(nodes, (self.steps + 1, self.deviations), 'nodes')
        if controls is not None:
            controls = self._of_steps(controls)
        found = np.empty(self._inputs)
        self._check(lib.lg_trajectory_gradient(self._pointer, pointer(found), pointer(nodes), pointer(controls)),
                    self.steps)
        return self._split(found)

    def gradient_by_states(self, states: ArrayLike, controls: ArrayLike | None = None) -> Gradient:
        """gradient() of a cost of joint positions and velocities of a mechanism with the sparse step. states: its
        derivative by `states`, (steps + 1, state_size). `parameters` is the derivative at given joint positions and
        velocities of node 0, also by parameters that move joints; where constraints do not leave them as they are, at
        those that differ least, in least squares.

        >>> motion = liegrp.Motion('furuta')
        >>> path = liegrp.Trajectory(motion, 10, ['pendulum.mass', 'pendulum.centre_z']).run()
        >>> path.gradient_by_states(path.states).parameters.shape
        (2,)
        """
        states = one(states, (self.steps + 1, self._size), 'states')
        nodes = np.array([states[i] @ self.basis(i) for i in range(self.steps + 1)])
        found = self.gradient(nodes, controls)
        if found.parameters.size:
            moved = np.linalg.lstsq(self.basis(0), -self.offset(0), rcond=None)[0]
            found.parameters[:] += found.start @ moved + sum(states[i] @ self.offset(i) for i in range(self.steps + 1))
        return found

    def apply(self, start: ArrayLike | None = None, controls: ArrayLike | None = None, step: float = 0,
              parameters: ArrayLike | None = None) -> Array:
        """The deviations of all nodes, (steps + 1, k), for changes of the inputs; None: they do not change. NaN where a
        run did not get.

        >>> path = liegrp.Trajectory(liegrp.Motion('heavy-top', step=0.05), 10).run()
        >>> path.apply(start=[1, 0, 0, 0, 0, 0]).shape
        (11, 6)
        """
        given, changes = self._split(np.zeros(self._inputs)), (start, controls, step, parameters)
        for name, to, change in zip(Gradient._fields, given, changes):
            if change is not None:
                to[...] = one(change, to.shape, name)
        flat = np.concatenate([part.reshape(-1) for part in given])
        nodes = np.empty((self.steps + 1, self.deviations))
        self._check(lib.lg_trajectory_apply(self._pointer, pointer(nodes), pointer(flat)), 0)
        return nodes

    def sensitivity(self, node: int = -1) -> Gradient:
        """The derivatives of the deviation of a node: start (k, k), controls (k, steps, control_count), step (k,),
        parameters (k, parameters). A covariance P of the start becomes start @ P @ start.T.

        >>> path = liegrp.Trajectory(liegrp.Motion('rolling-ball', step=0.05), 10).run()
        >>> path.sensitivity(5).start.shape
        (10, 10)
        """
        node, S = self._node(node), np.empty((self.deviations, self._inputs))
        self._check(lib.lg_trajectory_sensitivity(self._pointer, pointer(S), node), node)
        return self._split(S)

    def monodromy(self) -> Array:
        """The derivative of the last node by the first one, (k, k). eta is in body axes: of a relative periodic orbit of
        a system that is invariant on the left it is the relative monodromy matrix.

        >>> path = liegrp.Trajectory(liegrp.Motion('rolling-ball', step=0.05), 10).run()
        >>> bool(numpy.allclose(path.monodromy(), path.sensitivity().start))
        True
        """
        M = np.empty((self.deviations, self.deviations))
        self._check(lib.lg_trajectory_monodromy(self._pointer, pointer(M)), self.steps)
        return M

    def multipliers(self) -> Array:
        """The eigenvalues of monodromy(), the largest first: Floquet multipliers of a periodic orbit.

        >>> path = liegrp.Trajectory(liegrp.Motion('rolling-ball', step=0.05), 10).run()
        >>> path.multipliers().shape
        (10,)
        """
        re, im = np.empty(self.deviations), np.empty(self.deviations)
        self._check(lib.lg_trajectory_multipliers(self._pointer, pointer(re), pointer(im)), self.steps)
        return re + 1j * im
