/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion.h
 *  Functions that only motions of mechanisms (run/motion.h) have: starts from joints and poses, user-supplied wrenches,
 *  readings of joints, wheels and bodies.
 *
 *  The sparse step keeps joints, loops and rolling exact to round-off at every node, and the energy, or its balance
 * with the work of motors, drives, dampers and moving ground, for any step size (docs/theory.md section 17). Its cost
 * is linear in the number of bodies. For other motions these functions return LG_ERROR_ARGUMENT, NaN or -1.
 *
 *  Twists are the velocity of the centre of mass and the angular velocity, both in space. */
#ifndef LIEGRP_MULTIBODY_MOTION_H
#define LIEGRP_MULTIBODY_MOTION_H

#include <stdint.h>

#include "mechanism.h"

LG_BEGIN

/** A motion: opaque (run/motion.h). */
typedef struct lg_motion lg_motion;

/** User-supplied wrenches: adds to wrench[6 b ...], force in space and torque about the centre of mass in space, of
 * each body b. Poses are centre of mass and quaternion, 7 numbers a body, at the middle of the step, with gauss at each
 * of its stages; twists 6 a body. Called several times a step. A nonzero return aborts the step and is reported. */
typedef int (*lg_wrench_fn)(double t, const double *poses, const double *twists, double *wrench, void *context);

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
 *  - LG_ERROR_SINGULAR: the configuration is singular, or motions of a composed joint depend on each other in it.
 *  - LG_ERROR_NOT_FINITE: a number is not finite. */
LG_API LG_MUST_CHECK lg_status lg_motion_start_joints(lg_motion *mo, double t0, const double *positions,
                                                      const double *velocities, int project);
/** Starts from poses (position of the body's frame and quaternion, 7 a body) and twists (6 a body; NULL: at rest).
 *  Angles begin between -pi and pi, and of several positions of a composed joint with these poses those near 0 are taken;
 *  of a joint of a file that starts elsewhere (MJCF: `ref`), those nearest to that.
 *  Errors as lg_motion_start_joints(). */
LG_API LG_MUST_CHECK lg_status lg_motion_start_poses(lg_motion *mo, double t0, const double *poses,
                                                     const double *twists, int project);

/** Sets the function of user-supplied wrenches; NULL removes it.
 *  - LG_ERROR_ARGUMENT: the method is rattle.
 *  - LG_ERROR_UNSUPPORTED: a dense method. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_wrench(lg_motion *mo, lg_wrench_fn wrench, void *context);

/** The work of one motor since the start; thruster i is number i behind the motors. NaN: not started, no such motor, or
 *  a dense method, which knows the sum of all work alone. */
LG_API double lg_motion_motor_work(const lg_motion *mo, int motor);

/** The activation of control i at the present time, such as that of motor i (lg_motor::activation); of one that acts at
 *  once the control itself, within its limits. NaN: not started, or no such control. */
LG_API double lg_motion_activation(const lg_motion *mo, int control);
/** Sets the activation of control i at the present time. A start sets all of them to 0, or to the limit next to it, and
 *  lg_motion_reset() to those that the motion was started with.
 *  - LG_ERROR_ARGUMENT: the motion is not one of a mechanism or not started, there is no such control, it acts at once,
 *    or the value is outside of its limits.
 *  - LG_ERROR_NOT_FINITE: the value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_motion_set_activation(lg_motion *mo, int control, double activation);

/** The pose of a body's frame: position and quaternion. */
LG_API LG_MUST_CHECK lg_status lg_motion_body_pose(const lg_motion *mo, double *pose, int body);
/** The twist of a body. */
LG_API LG_MUST_CHECK lg_status lg_motion_body_twist(const lg_motion *mo, double *twist, int body);
/** Position and velocity (each may be NULL) of a point given in a body's frame. */
LG_API LG_MUST_CHECK lg_status lg_motion_point(const lg_motion *mo, double *position, double *velocity, int body,
                                               const double *point);
/** Positions and velocities (each may be NULL) of all joints of the tree, as lg_motion_start_joints() takes them.
 * Angles of revolute, cylindrical, universal (the first), planar and composed joints are unwound. */
LG_API LG_MUST_CHECK lg_status lg_motion_positions(const lg_motion *mo, double *positions, double *velocities);
/** Positions and velocities of one joint, as many as it has, loop joints included. */
LG_API LG_MUST_CHECK lg_status lg_motion_joint(const lg_motion *mo, double *positions, double *velocities, int joint);
/** The mean wrench that a joint exerted on its child during the last step: force in space and torque about the joint's
 *  point, in space; that of a composed joint is its first hinge's at position 0, on the child. Rows that are left out
 * as redundant carry nothing: how joints and wheels whose rows depend on each other share a load is not determined, and
 * jumps where the motion starts to keep other rows. The wrench excludes the forces of the joint's spring, damper, motor
 * and gears along its position.
 *  - LG_ERROR_ARGUMENT: there is no such joint, no step was made since the start, or the last one failed.
 *  - LG_ERROR_UNSUPPORTED: a dense method. */
LG_API LG_MUST_CHECK lg_status lg_motion_joint_wrench(const lg_motion *mo, double *wrench, int joint);
/** The mean force of the ground on a wheel during the last step, which is that of lg_motion_joint_wrench(), in space.
 *  Errors as there. */
LG_API LG_MUST_CHECK lg_status lg_motion_wheel_force(const lg_motion *mo, double *force, int wheel);
/** The least normal force of the ground on a wheel in the steps of the last lg_run() with this motion, in N, and
 *  the time at the end of that step; either may be NULL. Each step counts with its lg_motion_wheel_force(). Negative:
 * the ground pulls, where a real wheel lifts. NaN: no step was made, or the wheel shares its load with others in a way
 * that the motion of rigid bodies does not determine, as one of four wheels of a rigid cart does.
 *  - LG_ERROR_ARGUMENT: there is no such wheel, or the motion was not created. */
LG_API LG_MUST_CHECK lg_status lg_motion_wheel_normal(const lg_motion *mo, double *force, double *time, int wheel);
/** The mean force of the parent on the child at a contact of spheres during the last step, which is that of
 *  lg_motion_joint_wrench(), in space, N. Errors as there. */
LG_API LG_MUST_CHECK lg_status lg_motion_sphere_contact_force(const lg_motion *mo, double *force, int contact);
/** The least normal force at a contact of spheres in the steps of the last lg_run() with this motion, in N, and
 *  the end of the step with it; each may be NULL. Negative: the spheres pull each other, where real ones part. NaN as
 * of lg_motion_wheel_normal().
 *  - LG_ERROR_ARGUMENT: there is no such contact, or the motion was not created. */
LG_API LG_MUST_CHECK lg_status lg_motion_sphere_contact_normal(const lg_motion *mo, double *force, double *time,
                                                               int contact);
/** What drive i took: the mean of its force during the last step, which is that of lg_motion_joint_wrench(), and its
 *  work since the start, J; each may be NULL.
 *  Of a joint's position force[1], N or N m, along the position; of a body force[6], the force in space and the torque
 *  about the origin of the body's frame. lg_motion_work() contains the work.
 *  - LG_ERROR_ARGUMENT: there is no such drive, the motion is not started, or a force is asked for and no step was made
 *    since the start, or the last one failed. */
LG_API LG_MUST_CHECK lg_status lg_motion_drive(const lg_motion *mo, double *force, double *work, int drive);
/** How far joints are from their limits: the least of q - lower and upper - q over all joints that have limits, in rad
 *  or m. Negative: *joint (may be NULL) has passed its limit by that much. It is continuous in the state, so that its
 *  root is the time at which a joint reaches a limit. INFINITY, and -1 for the joint: none has a limit; NaN: not
 *  started. */
LG_API double lg_motion_limit(const lg_motion *mo, int *joint);
/** Linear momentum, and angular momentum about the origin. */
LG_API LG_MUST_CHECK lg_status lg_motion_momentum(const lg_motion *mo, double *linear, double *angular);

/** `mo` starts where `from` is: a motion of another mechanism with the same bodies, in the same order, but other
 *  joints, wheels or gears, such as a robot in the air and on the ground. Momenta are projected onto the new
 *  constraints in the kinetic metric: a plastic impact where there are more, nothing where there are fewer. *lost (may
 *  be NULL) is the kinetic energy that the impact takes; lg_motion_work() continues from that of `from` plus the change
 *  of energy, lg_motion_account() from that of `from`, with *lost as an impact: where wheels and skates begin to roll
 *  as impact_friction, less the work of ground that moves below them, otherwise as impact_normal; the change of the
 *  potential energy is a projection, lg_motion_motor_work() from that of the motor of the same name. Joints of the same
 *  name keep the turns of their angles. Controls are those of `mo`. Errors are those of lg_motion_start_joints(), and:
 *  - LG_ERROR_ARGUMENT: a motion is NULL, `from` is not started, or the bodies differ.
 *  - LG_ERROR_UNSUPPORTED: `mo` has a dense method.
 *  - LG_ERROR_INCONSISTENT: the poses violate the new constraints by more than 1e-6 of the mechanism's size. */
LG_API LG_MUST_CHECK lg_status lg_motion_continue(lg_motion *mo, double *lost, const lg_motion *from);

LG_END

#endif
