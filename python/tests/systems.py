# SPDX-License-Identifier: BSD-3-Clause
"""Systems of the catalog, written with SymPy. Each gives the name in the catalog and the model from symbols.

Parameters and initial data are those of the catalog, read from it.
"""
import functools

import sympy
from sympy import Matrix, cos, eye, sin, sqrt

import liegrp
from liegrp.symbols import Angles, Planar, Reals, Rotation, from_sympy


def parameters_of(name):
    """The parameters of a system of the catalog, and a function that gives their symbols."""
    info = liegrp.Model(name).parameter_info
    return dict(info), lambda names: sympy.symbols(names, real=True)


def squares(vector):
    return sum(entry ** 2 for entry in vector)


def heavy_top():
    body = Rotation()
    given, symbols = parameters_of('heavy-top')
    m, g, I1, I2, I3, c1, c2, c3 = symbols('m g I1 I2 I3 chi1 chi2 chi3')
    w, centre = body.w, Matrix([c1, c2, c3])
    spatial = body.R * Matrix([I1 * w[0], I2 * w[1], I3 * w[2]])
    return from_sympy('heavy-top', body, kinetic=(I1 * w[0]**2 + I2 * w[1]**2 + I3 * w[2]**2) / 2,
                      potential=m * g * (body.R * centre)[2], parameters=given,
                      invariants={'spatial_momentum_3': spatial[2]})


def suslov():
    body = Rotation()
    given, symbols = parameters_of('suslov')
    I = Matrix(3, 3, lambda i, j: symbols(f'I{min(i, j) + 1}{max(i, j) + 1}'))
    a = Matrix(symbols('a1 a2 a3'))
    return from_sympy('suslov', body, kinetic=(body.w.T * I * body.w)[0] / 2, velocity_constraints=[a.dot(body.w)],
                      parameters=given)


def ball(table):
    """On a table that turns, in the plane and with an attitude."""
    plane, attitude = Reals('x y'), Rotation()
    return plane, attitude, [plane.dot[0] + table * plane.coordinates[1], plane.dot[1] - table * plane.coordinates[0]]


def rolling_ball():
    given, symbols = parameters_of('rolling-ball')
    m, r, Omega, I1, I2, I3 = symbols('m r Omega I1 I2 I3')
    plane, attitude, slip = ball(Omega)
    w = attitude.w
    kinetic = (m * squares(plane.dot) + I1 * w[0]**2 + I2 * w[1]**2 + I3 * w[2]**2) / 2
    return from_sympy('rolling-ball', [plane, attitude], kinetic=kinetic, parameters=given,
                      velocity_constraints=[slip[0] - r * w[1], slip[1] + r * w[0]])


def turntable():
    given, symbols = parameters_of('turntable')
    m, r, mean, I1, I2, I3, amplitude, rate, t = symbols('m r Omega0 I1 I2 I3 amplitude rate t')
    plane, attitude, slip = ball(mean + amplitude * sin(rate * t))
    w, W = attitude.w, attitude.W
    kinetic = (m * squares(plane.dot) + I1 * w[0]**2 + I2 * w[1]**2 + I3 * w[2]**2) / 2
    return from_sympy('turntable', [plane, attitude], kinetic=kinetic, parameters=given, time=t,
                      velocity_constraints=[slip[0] - r * W[1], slip[1] + r * W[0]])


def rolling_disk():
    """No slip: the centre moves with W x (from contact to centre)."""
    given, symbols = parameters_of('rolling-disk')
    m, g, r, Id, Ia = symbols('m g r Id Ia')
    space, attitude = Reals('x y z'), Rotation()
    up = attitude.R[2, :]
    lever = attitude.R * Matrix([up[0], up[1], 0]) * (r / sqrt(up[0]**2 + up[1]**2))
    velocity = attitude.W.cross(lever)
    w = attitude.w
    return from_sympy('rolling-disk', [space, attitude], parameters=given,
                      kinetic=(m * squares(space.dot) + Id * (w[0]**2 + w[1]**2) + Ia * w[2]**2) / 2,
                      potential=m * g * space.coordinates[2],
                      velocity_constraints=[space.dot[i] - velocity[i] for i in range(3)])


def chaplygin_sleigh_planar():
    given, symbols = parameters_of('chaplygin-sleigh-planar')
    m, I, a = symbols('m I a')
    plane, heading = Reals('x y'), Angles('theta')
    (dx, dy), dtheta, (theta,) = plane.dot, heading.dot[0], heading
    kinetic = m * (dx**2 + dy**2) / 2 + (I + m * a**2) * dtheta**2 / 2
    kinetic += m * a * dtheta * (dy * cos(theta) - dx * sin(theta))
    return from_sympy('chaplygin-sleigh-planar', [plane, heading], lagrangian=kinetic, parameters=given,
                      velocity_constraints=[sympy.Eq(dx * sin(theta), dy * cos(theta))])


def snakeboard():
    given, symbols = parameters_of('snakeboard')
    m, J, J0, J1, r = symbols('m J J0 J1 r')
    board, shape = Planar(), Angles('psi phi')
    (dpsi, dphi), phi = shape.dot, shape.coordinates[1]
    kinetic = (m * (board.xdot**2 + board.ydot**2) + (J + 2 * J1) * board.w**2 + J0 * dpsi**2 + 2 * J1 * dphi**2) / 2
    return from_sympy('snakeboard', [board, shape], kinetic=kinetic, parameters=given,
                      velocity_constraints=[-board.v[1], sin(phi) * board.v[0] + r * cos(phi) * board.w])


def two_wheeled_robot():
    given, symbols = parameters_of('two-wheeled-robot')
    m, I, a, b, r, Iw, c, left, right, u1, u2 = symbols('m I a b r Iw c tau_left tau_right u_1 u_2')
    body, wheels = Planar(), Angles('phi_left phi_right')
    v, w, turning = body.v, body.w, wheels.dot
    centre = Matrix([v[0], v[1] + a * w])
    return from_sympy('two-wheeled-robot', [body, wheels], parameters=given, controls=[u1, u2],
                      kinetic=(m * squares(centre) + I * w**2 + Iw * squares(turning)) / 2,
                      velocity_constraints=[v[1], v[0] - b * w - r * turning[0], v[0] + b * w - r * turning[1]],
                      forces=[(turning[0], left + u1 - c * turning[0]), (turning[1], right + u2 - c * turning[1])])


def double_spherical_pendulum():
    given, symbols = parameters_of('double-spherical-pendulum')
    m1, m2, l1, l2, g = symbols('m1 m2 l1 l2 g')
    space = Reals(liegrp.Model('double-spherical-pendulum').configuration_columns)
    q, v = space.coordinates, space.dot
    upper, lower = q[:3], [b - a for a, b in zip(q[:3], q[3:])]
    return from_sympy('double-spherical-pendulum', space, parameters=given,
                      lagrangian=(m1 * squares(v[:3]) + m2 * squares(v[3:])) / 2 - g * (m1 * q[2] + m2 * q[5]),
                      position_constraints=[(squares(upper) - l1**2) / 2, (squares(lower) - l2**2) / 2])


# Each is derived once in a process; no test changes a model.
ALL = [functools.cache(make) for make in (
    heavy_top, suslov, rolling_ball, turntable, rolling_disk, chaplygin_sleigh_planar, snakeboard, two_wheeled_robot,
    double_spherical_pendulum)]
