/* SPDX-License-Identifier: BSD-3-Clause */
/** @file dynamics.h
 *  What a controller asks of a mechanism at a state: mass matrix, bias and gravity forces, inverse and forward
 * dynamics, controls of motors, Jacobians with their rates, centre of mass, centroidal momentum, inverse kinematics.
 *
 *  Coordinates are those of lg_motion_positions(): n positions q and n velocities v of the joints of the spanning tree
 *  and of bodies that float. Velocities of spherical and free joints and of floating bodies are angular velocities, as
 *  lg_motion_start_joints() states; an acceleration a is the rate of v, number by number. The equations of motion are
 *
 *      M(q) a + c(q, v) = B u + tau + G^T lambda,    G v = drift,    G a + bend = 0,
 *
 *  with the mass matrix M, the bias c (lg_dynamics_bias()), the controls u of the motors (of one with an activation, that) and their forces B u,
 *  further forces tau along the coordinates, and the rows G of loops, gears, wheels and contacts (lg_dynamics_rows()), of which
 *  trees have none. Rotors of joints (lg_joint::armature) are a diagonal part of M, but for those of
 *  joints that close loops.
 *
 *  All is computed recursively along the tree: lg_dynamics_set(), lg_dynamics_inverse() and lg_dynamics_acceleration()
 *  cost a number of operations linear in the bodies. Matrices are row-major. Nothing is allocated after creation, but
 * by the first call of lg_dynamics_motors(), lg_dynamics_admissible() or lg_dynamics_reach(). */
#ifndef LIEGRP_MULTIBODY_DYNAMICS_H
#define LIEGRP_MULTIBODY_DYNAMICS_H

#include "motion.h"

LG_BEGIN

/** A state of a mechanism with all that is computed from it: opaque; one thread at a time. Any number may share a
 *  mechanism. */
typedef struct lg_dynamics lg_dynamics;

/** Creates it for a compiled mechanism, which must live longer; the state is q = 0, v = 0. Forces of surfaces, stops and
 *  dry friction (contact.h) are none of its terms: they are among tau.
 *  - LG_ERROR_ARGUMENT: `dynamics` is NULL; or `mechanism` is NULL or not compiled, and *dynamics holds the message.
 *  - LG_ERROR_MEMORY: out of memory; *dynamics is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_create(lg_dynamics **dynamics, const lg_mechanism *mechanism);
/** Frees it. NULL is allowed. */
LG_API void lg_dynamics_destroy(lg_dynamics *d);
/** The message of the last call that failed; "" if every call succeeded. Never NULL. */
LG_API const char *lg_dynamics_message(const lg_dynamics *d);

/** n, the number of positions and of velocities; 0: `d` is NULL. */
LG_API int lg_dynamics_count(const lg_dynamics *d);
/** The index of the first coordinate of a joint, and how many it has in *count (may be NULL); -1: it closes a loop, or
 *  there is no such joint. */
LG_API int lg_dynamics_joint_index(const lg_dynamics *d, int *count, int joint);
/** The index of the first of the six coordinates of a body that floats; -1: it does not, or there is no such body. */
LG_API int lg_dynamics_float_index(const lg_dynamics *d, int body);

/** Takes a state: n positions and n velocities. NULL velocities: at rest. Loops and wheels need not be satisfied: the
 *  functions that use their rows check them. On failure the state is as it was.
 *  - LG_ERROR_ARGUMENT: `d` or `q` is NULL.
 *  - LG_ERROR_NOT_FINITE: a number is not finite, or so large that a body's place is not. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_set(lg_dynamics *d, const double *q, const double *v);
/** Takes the present state of a motion.
 *  - LG_ERROR_ARGUMENT: `mo` is no motion of this mechanism, or it is not started.
 *  - LG_ERROR_NOT_FINITE: as lg_dynamics_set(). */
LG_API LG_MUST_CHECK lg_status lg_dynamics_take(lg_dynamics *d, const lg_motion *mo);
/** The state: n positions and n velocities; either may be NULL.
 *  - LG_ERROR_ARGUMENT: `d` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_state(const lg_dynamics *d, double *q, double *v);

/** M, n x n: the kinetic energy is 1/2 v.Mv. Symmetric and positive definite. Composite rigid bodies: the cost is that
 * of the pairs of coordinates of which one carries the other.
 *  - LG_ERROR_ARGUMENT: `d` or `M` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_mass_matrix(lg_dynamics *d, double *M);
/** tau (n) = M a + c: the forces along the coordinates that accelerate the tree by a (n; NULL: 0, which gives c). It is
 *  what motors, other forces and the reactions of loops and wheels must be together. tau may be a. Recursive
 *  Newton-Euler.
 *  - LG_ERROR_ARGUMENT: `d` or `tau` is NULL.
 *  - LG_ERROR_NOT_FINITE: an acceleration is not finite. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_inverse(lg_dynamics *d, double *tau, const double *a);
/** c (n) = Coriolis and centrifugal forces + lg_dynamics_gravity() - lg_dynamics_passive().
 *  - LG_ERROR_ARGUMENT: `d` or `c` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_bias(lg_dynamics *d, double *c);
/** g (n): the forces that hold the mechanism against gravity alone, the derivative of the potential of gravity along
 * the velocities.
 *  - LG_ERROR_ARGUMENT: `d` or `g` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_gravity(lg_dynamics *d, double *g);
/** p (n): the forces of all springs, dampers and dry frictions, of joints and between points, with their sign: a spring
 *  stretched pulls back.
 *  - LG_ERROR_ARGUMENT: `d` or `p` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_passive(lg_dynamics *d, double *p);

/** Rows of loops, gears, wheels and contacts in tree coordinates, redundant ones too; 0: a tree. Wheels of a body that
 *  floats count: all rows but those of the tree's own joints. */
LG_API int lg_dynamics_row_count(const lg_dynamics *d);
/** These rows: G (rows x n), and drift and bend (one number a row), with G v = drift and G a + bend = 0. Each may be
 *  NULL. The drift is that of grounds that move.
 *  - LG_ERROR_ARGUMENT: `d` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_rows(lg_dynamics *d, double *G, double *drift, double *bend);
/** a (n): the acceleration with controls u (one a motor) and further forces tau along the coordinates (n); each may be
 *  NULL for zeros. Loops and wheels are obeyed: their rows are solved with the sparse factor of a motion's step, so
 * that the cost is linear in the bodies. a may be tau. Wrench functions of motions (lg_motion_set_wrench()) are not
 * known here.
 *  - LG_ERROR_ARGUMENT: `d` or `a` is NULL.
 *  - LG_ERROR_NOT_FINITE: a control or force is not finite.
 *  - LG_ERROR_INCONSISTENT: the state violates a loop, gear, wheel or contact by more than 1e-8; the message names it.
 *  - LG_ERROR_SINGULAR: the configuration is singular.
 *  - LG_ERROR_UNSUPPORTED: the mechanism has surfaces, stops or dry friction (contact.h). */
LG_API LG_MUST_CHECK lg_status lg_dynamics_acceleration(lg_dynamics *d, double *a, const double *u, const double *tau);
/** a becomes the nearest acceleration that all rows allow, in the kinetic metric: the one that an ideal constraint
 *  leaves of it (Gauss' principle). Of a tree it stays as it is. The first call allocates n^2 numbers and more; the
 * cost is n^3.
 *  - LG_ERROR_ARGUMENT: `d` or `a` is NULL.
 *  - LG_ERROR_NOT_FINITE: an acceleration is not finite.
 *  - LG_ERROR_INCONSISTENT: as lg_dynamics_acceleration().
 *  - LG_ERROR_SINGULAR: the mass matrix is singular to rounding.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_admissible(lg_dynamics *d, double *a);
/** u: the torques or forces of motors, before their ratios, then the controls of thrusters (NULL without any)
 *  with which the mechanism accelerates by a (n): the inverse dynamics of the motors that are there. Of a servo it is
 * the force that it has to exert, beyond its limits too, not its set-point. Reactions of loops and wheels take their
 * part. With fewer motors than freedoms some accelerations can be reached. Several u may do it, as with more motors
 * than freedoms: `least` = 1 takes the one with the least sum of squares. Ranks are decided at 1e-10 in the kinetic
 * metric. The first call allocates n^2 numbers and more; the cost is n^3.
 *  - LG_ERROR_ARGUMENT: `d`, `u` or `a` is NULL.
 *  - LG_ERROR_NOT_FINITE: an acceleration is not finite.
 *  - LG_ERROR_INCONSISTENT: the state violates a row, or the rows do not allow this acceleration: by more than 1e-8 of
 *    the terms; the message names the part.
 *  - LG_ERROR_SINGULAR: no controls reach this acceleration, and u comes nearest; or several do and `least` is 0, and u
 *    is the shortest. The message has the rank of the motors and the number of freedoms. Or the mass matrix is singular
 *    to rounding, and u is as it was.
 *  - LG_ERROR_UNSUPPORTED: a motor is a brake, lg_motor::damping_gain.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_motors(lg_dynamics *d, double *u, const double *a, int least);

/** The frame at a point of a body, with the body's axes: pose (7: position, quaternion x, y, z, w) and twist (6:
 * velocity of the point, angular velocity), both in space; either may be NULL. `point` is in the body's frame; NULL:
 * its origin.
 *  - LG_ERROR_ARGUMENT: `d` is NULL, or there is no such body.
 *  - LG_ERROR_NOT_FINITE: the point is not finite. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_frame(lg_dynamics *d, double *pose, double *twist, int body,
                                                 const double *point);
/** J, 6 x n, of that frame: its twist is J v.
 *  - LG_ERROR_ARGUMENT: `d` or `J` is NULL, or there is no such body.
 *  - LG_ERROR_NOT_FINITE: the point is not finite. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_jacobian(lg_dynamics *d, double *J, int body, const double *point);
/** J', 6 x n, the rate of lg_dynamics_jacobian() at the present velocities: the frame accelerates by J a + J' v. Errors
 *  as lg_dynamics_jacobian(). */
LG_API LG_MUST_CHECK lg_status lg_dynamics_jacobian_rate(lg_dynamics *d, double *rate, int body, const double *point);

/** Position and velocity (3 each, in space; either may be NULL) of the centre of mass of all bodies.
 *  - LG_ERROR_ARGUMENT: `d` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_centre(lg_dynamics *d, double *position, double *velocity);
/** J, 3 x n: the velocity of the centre of mass is J v.
 *  - LG_ERROR_ARGUMENT: `d` or `J` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_centre_jacobian(lg_dynamics *d, double *J);
/** The centroidal momentum matrix A, 6 x n: A v is the linear momentum, and the angular momentum about the centre of
 *  mass, in space. `bend` (6; may be NULL) is A' v: the sum of all forces on the mechanism, and of their torques about
 *  the centre of mass, is A a + bend. Rotors have no momentum in space.
 *  - LG_ERROR_ARGUMENT: `d` or `A` is NULL. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_centroidal(lg_dynamics *d, double *A, double *bend);

/** Inverse kinematics: moves the state, from where it is, to one in which frames on bodies have given poses, at rest.
 *  Target i is the frame at `point` (3, in the body's frame; NULL: the origins) of body[i], with the body's axes; its
 *  pose is 7 numbers, position and quaternion. Weights are 2 a target, of the position and of the attitude (NULL: 1); 0
 *  leaves it free. They count where not all can be met: lengths relative to the mechanism's size, angles in rad.
 * Without targets (count = 0) loops are closed and limits satisfied, and nothing else.
 *
 *  Loops, gears and wheels' heights are kept, and limits of joints, lg_joint::lower and upper, and of coordinates,
 *  lg_coordinate::lower and upper: those of the tree exactly, those of joints that close loops to 1e-10 m or rad. An
 *  angle of a joint that closes a loop is the one nearest to the middle of its limits. off (2; may be NULL) is the
 *  largest distance (m) and angle (rad) that are left among targets with a weight. The result depends on the start:
 *  where there are several solutions, or several nearest states, it is one of those near it. The method is Levenberg's;
 *  each of its rounds costs n^3: 3 to 10 where the poses are reached, more where not. The first call allocates n^2
 *  numbers and more.
 *  - LG_ERROR_ARGUMENT: `d`, `body` or `pose` is NULL, `count` is negative, there is no such body, a weight is
 * negative, or a quaternion is zero.
 *  - LG_ERROR_NOT_FINITE: a number is not finite.
 *  - LG_ERROR_DOMAIN: the targets cannot be reached from this start to 1e-9 of the mechanism's size and 1e-9 rad; the
 *    state is the nearest, `off` and the message say how far.
 *  - LG_ERROR_CONVERGENCE: the search did not come to an end in 1000 rounds, or stopped where no step comes nearer
 *    although some direction does; the state is the nearest so far.
 *  - LG_ERROR_INCONSISTENT: from this start loops and limits cannot both be satisfied; the state is at rest where it
 * was.
 *  - LG_ERROR_SINGULAR: the mass matrix is singular to rounding.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_dynamics_reach(lg_dynamics *d, double *off, const int *body, const double *pose,
                                                 const double *point, const double *weight, int count);

LG_END

#endif
