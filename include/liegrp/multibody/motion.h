/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion.h
 *  One motion of a mechanism: create, start, step, read.
 *
 *  A step keeps joints, loops and rolling exact to round-off at every node, and the energy, or its balance with the
 *  work of motors, dampers and moving ground, for any step size (docs/theory.md section 17). Its cost is linear in the
 *  number of bodies. All memory is taken at creation; a step does not allocate, lock or print, and one that fails
 *  leaves the state unchanged.
 *
 *  Twists are the velocity of the centre of mass and the angular velocity, both in space. */
#ifndef LIEGRP_MULTIBODY_MOTION_H
#define LIEGRP_MULTIBODY_MOTION_H

#include <stdint.h>

#include "mechanism.h"

LG_BEGIN

/** A motion: opaque. It belongs to one thread at a time. */
typedef struct lg_motion lg_motion;

/** Wrenches of your own: adds to wrench[6 b ...], force in space and torque about the centre of mass in space, of each
 *  body b. Poses are centre of mass and quaternion, 7 numbers a body, at the middle of the step, with gauss at each of
 *  its stages; twists 6 a body. Called several times a step. A nonzero return aborts the step and is reported. */
typedef int (*lg_wrench_fn)(double t, const double *poses, const double *twists, double *wrench, void *context);

/** Creates a motion with step h; a negative h goes back in time. `method` is "sem" (NULL too) or "rattle", or one of
 *  them with "@" and a name of lg_composition_names(), or "gauss" or "gauss:stages=S" with S from 1 to 8 or 16. sem
 *  keeps the energy; rattle is symplectic, keeps momenta and energy within bounds and costs less, but takes no rolling
 *  wheels, dampers or wrench functions; gauss has order 2 S (16 by default), for trajectories, and takes everything.
 *  The mechanism must outlive it. On failure *motion still holds the message: read it with lg_motion_message() and free
 *  it with lg_motion_destroy().
 *  - LG_ERROR_ARGUMENT: the mechanism is not compiled, the method is unknown, h is 0 or not finite, or rattle does not
 *    apply to the mechanism.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_create(lg_motion **motion, const lg_mechanism *mechanism, const char *method,
                                                double h);
/** Frees it. NULL is allowed. */
LG_API void lg_motion_destroy(lg_motion *mo);
/** The size of a checkpoint of the present state, in bytes; 0: there is no motion, or it is not started. */
LG_API size_t lg_motion_saved_bytes(const lg_motion *mo);
/** Writes a checkpoint of the present state: lg_motion_saved_bytes() bytes, opaque, with a sum. A motion that reads
 *  them goes on to the bit as if it had made all steps itself.
 *  - LG_ERROR_ARGUMENT: not started, `bytes` is NULL, or `size` is not lg_motion_saved_bytes(). */
LG_API LG_MUST_CHECK lg_status lg_motion_save(const lg_motion *mo, void *bytes, size_t size);
/** Takes the state of a checkpoint, by a motion of the same mechanism, method and step, whose wrench function is set;
 *  it need not be started. On failure the motion stays what it was, and lg_motion_message() says what is wrong or what
 *  differs.
 *  - LG_ERROR_ARGUMENT: the bytes are no checkpoint, damaged, or of another method, step or mechanism.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_load(lg_motion *mo, const void *bytes, size_t size);
/** What the last call that failed had to say; "" if none did. Never NULL. */
LG_API const char *lg_motion_message(const lg_motion *mo);

/** Number of joint positions: those of the joints of the spanning tree, and six of each body that floats. */
LG_API int lg_motion_position_count(const lg_motion *mo);
/** The index of the first position of a joint, and how many it has in *count (may be NULL); -1: it closes a loop. */
LG_API int lg_motion_joint_index(const lg_motion *mo, int *count, int joint);
/** The index of the first of the six positions of a body that floats; -1: it does not. */
LG_API int lg_motion_float_index(const lg_motion *mo, int body);

/** Starts at time t0 from joint positions and velocities. NULL positions: as assembled; NULL velocities: at rest.
 *
 *  Positions are those of lg_joint_kind; zero is where the joint's frames on both bodies coincide, for a joint that was
 *  described by point and axis that at assembly. Angular velocities of spherical and free joints are those of the child
 *  relative to the parent, in the joint's frame on the parent. Of a floating body: position of its frame's origin and
 *  rotation vector in space; velocity of the origin and angular velocity in space.
 *
 *  A call that fails leaves the motion without a state: it must be started again. Numbers that are not finite are
 *  refused before that.
 *
 *  With project = 1 poses and velocities are projected onto loops, wheels and gears; with 0 they must satisfy them.
 *  - LG_ERROR_INCONSISTENT: project is 0 and a constraint is violated; the message names it.
 *  - LG_ERROR_CONVERGENCE: the projection does not converge.
 *  - LG_ERROR_SINGULAR: the configuration is singular.
 *  - LG_ERROR_NOT_FINITE: a number is not finite. */
LG_API LG_MUST_CHECK lg_status lg_motion_start(lg_motion *mo, double t0, const double *positions,
                                               const double *velocities, int project);
/** Starts from poses (position of the body's frame and quaternion, 7 a body) and twists (6 a body; NULL: at rest).
 *  Errors as lg_motion_start(). */
LG_API LG_MUST_CHECK lg_status lg_motion_start_poses(lg_motion *mo, double t0, const double *poses,
                                                     const double *twists, int project);

/** Sets the controls: torque or force of each motor, constant until they are set again.
 *  - LG_ERROR_NOT_FINITE: a control is not finite. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_control(lg_motion *mo, const double *u);
/** Sets wrenches of your own; NULL: none.
 *  - LG_ERROR_ARGUMENT: the method is rattle. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_wrench(lg_motion *mo, lg_wrench_fn wrench, void *context);
/** A step that fails is tried again as 2, 4, ... 2^halvings steps. Default 0: it is not. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_halvings(lg_motion *mo, int halvings);

/** Sets when the stages of `gauss` have come to rest: where their change, times its contraction, is below `tolerance`,
 *  relative; default 1e-16. Trajectories of 1e-6 do with 1e-8 and half the sweeps; joints and energy are exact at the
 *  nodes all the same. lg_motion_set_tolerance() sets its own.
 *  - LG_ERROR_UNSUPPORTED: another method.
 *  - LG_ERROR_ARGUMENT: not from 1e-16 to 1e-3. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_solver(lg_motion *mo, double tolerance);
/** Lets the library find the steps of the method `gauss`, so that one of them is wrong by at most a hundredth of
 *  `tolerance`: positions relative to the size of the mechanism, quaternions to 1, momenta and spins to the largest so
 *  far, or to what forces and joints give bodies in a step. A motion that does not amplify errors is then about as
 *  wrong as the tolerance after a hundred steps. The step that the motion was created with becomes the interval of
 *  states: lg_motion_step() goes on by that, with one step for several states or several for one. Mean wrenches and
 *  forces are then those of the step that ended last. Energy and joints are exact for any tolerance. At most a million
 *  steps are made for one state: lg_motion_step() returns LG_ERROR_CONVERGENCE where it would take more, and its
 *  message says which h does. 0: back to steps of the given length.
 *  - LG_ERROR_UNSUPPORTED: another method, which has steps of the given length only.
 *  - LG_ERROR_ARGUMENT: neither 0 nor from 1e-14, what round-off lets a step keep, to 0.1. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_tolerance(lg_motion *mo, double tolerance);
/** The tolerance, 0 without. */
LG_API double lg_motion_tolerance(const lg_motion *mo);
/** The length of the last step that was found for it; NaN before the first one and without a tolerance. */
LG_API double lg_motion_found_step(const lg_motion *mo);
/** The error that is estimated for that step, in the measure of lg_motion_set_tolerance(); NaN likewise. */
LG_API double lg_motion_step_error(const lg_motion *mo);

/** What the projection at the last start changed, if more than rounding: "projection moved body 'cart' by 4.9 m" or
 *  "projection changed the velocity of body 'rod' by 2 m/s"; NULL: nothing by more than 1e-4 of the mechanism's size,
 *  of its velocities, or 1e-4 rad. */
LG_API const char *lg_motion_remark(const lg_motion *mo);

/** Makes `steps` steps. Errors leave the state after the last step that succeeded:
 *  - LG_ERROR_CONVERGENCE: no solution was found: the step is too large for the motion.
 *  - LG_ERROR_SINGULAR: the mechanism comes to a singular configuration, or passed one: the step's own balance of
 *    energy is violated, a row that was left out as redundant opens, or velocities jump to where those of quarters
 *    of the step do not.
 *  - LG_ERROR_CALLBACK: your wrench function failed.
 *  - LG_ERROR_NOT_FINITE: your wrench function gave a number that is not finite.
 *  - LG_ERROR_ARGUMENT: the motion has not been started, or `steps` is negative. */
LG_API LG_MUST_CHECK lg_status lg_motion_step(lg_motion *mo, int64_t steps);

/** Time, t0 + k h. */
LG_API double lg_motion_time(const lg_motion *mo);
/** The step h. */
LG_API double lg_motion_step_size(const lg_motion *mo);
/** H = T + V, in joules. */
LG_API double lg_motion_energy(const lg_motion *mo);
/** The work that motors, dampers, moving ground and your wrenches have done since the start. */
LG_API double lg_motion_work(const lg_motion *mo);
/** The work of one motor since the start. */
LG_API double lg_motion_motor_work(const lg_motion *mo, int motor);
/** The largest |phi|: how far joints, wheels and gears are open, redundant rows included. */
LG_API double lg_motion_gap(const lg_motion *mo);
/** The largest |A xi - drift| over all rows, redundant ones included. */
LG_API double lg_motion_slip(const lg_motion *mo);
/** Sweeps of the last step. */
LG_API int lg_motion_iterations(const lg_motion *mo);

/** The pose of a body's frame: position and quaternion. */
LG_API LG_MUST_CHECK lg_status lg_motion_body_pose(const lg_motion *mo, double *pose, int body);
/** The twist of a body. */
LG_API LG_MUST_CHECK lg_status lg_motion_body_twist(const lg_motion *mo, double *twist, int body);
/** Position and velocity (each may be NULL) of a point given in a body's frame. */
LG_API LG_MUST_CHECK lg_status lg_motion_point(const lg_motion *mo, double *position, double *velocity, int body,
                                               const double *point);
/** Positions and velocities (each may be NULL) of all joints of the tree, as lg_motion_start() takes them. Angles of
 *  revolute, cylindrical, universal (the first) and planar joints are unwound. */
LG_API LG_MUST_CHECK lg_status lg_motion_positions(const lg_motion *mo, double *positions, double *velocities);
/** Positions and velocities of one joint, as many as it has, loop joints included. */
LG_API LG_MUST_CHECK lg_status lg_motion_joint(const lg_motion *mo, double *positions, double *velocities, int joint);
/** The mean wrench that a joint exerted on its child during the last step: force in space and torque about the joint's
 *  point, in space. Rows that are left out as redundant carry nothing: how joints and wheels whose rows depend on each
 *  other share a load is not determined, and jumps where the motion comes to keep other rows. What a joint's spring,
 *  damper, motor and gears exert along its position is not in it.
 *  - LG_ERROR_ARGUMENT: there is no such joint, no step was made since the start, or the last one failed. */
LG_API LG_MUST_CHECK lg_status lg_motion_joint_wrench(const lg_motion *mo, double *wrench, int joint);
/** The mean force of the ground on a wheel during the last step, in space. */
LG_API LG_MUST_CHECK lg_status lg_motion_wheel_force(const lg_motion *mo, double *force, int wheel);
/** The least normal force of the ground on a wheel in the steps of the last lg_motion_run() with this motion, in N, and
 *  the time at the end of that step; either may be NULL. Each step counts with its mean force. Negative: the ground
 *  pulls, where a real wheel lifts. NaN: no step was made, or the wheel shares its load with others in a way that the
 *  motion of rigid bodies does not determine, as one of four wheels of a rigid cart does.
 *  - LG_ERROR_ARGUMENT: there is no such wheel, or the motion was not created. */
LG_API LG_MUST_CHECK lg_status lg_motion_least_normal(const lg_motion *mo, double *force, double *time, int wheel);
/** How far joints are from their limits: the least of q - lower and upper - q over all joints that have limits, in rad
 *  or m. Negative: *joint (may be NULL) has passed its limit by that much. It is continuous in the state, so that its
 *  root is the time at which a joint reaches a limit. INFINITY, and -1 for the joint: none has a limit; NaN: not
 *  started. */
LG_API double lg_motion_limit(const lg_motion *mo, int *joint);
/** Linear momentum, and angular momentum about the origin. */
LG_API LG_MUST_CHECK lg_status lg_motion_momentum(const lg_motion *mo, double *linear, double *angular);

LG_END

#endif
