/* SPDX-License-Identifier: BSD-3-Clause */
/** @file linearise.h
 *  Linearised equations of a motion, and the derivative of its step, in independent coordinates: for stability and for
 *  control (docs/theory.md section 14).
 *
 *  Small deviations z of a state are, for each body, a displacement of its centre of mass, a small rotation, and
 *  changes of velocity and angular velocity, all along the axes of space. Those that joints, loops, wheels and gears
 *  allow are z = Z y: y has as many numbers as positions have freedoms, then as many as velocities have. The basis Z is
 *  orthonormal in the kinetic metric, depends on the present state alone, and is the same in all functions here. What y
 *  means in joint positions and velocities is the matrix C. lg_motion_linearise_along() has the basis of the next state
 *  at the end of its step.
 *
 *  Coefficients are constant, and eigenvalues say something, where the motion is steady: at an equilibrium, in straight
 *  motion (rolling of wheels that are round included), or on a circle, seen from axes that turn with it. */
#ifndef LIEGRP_MULTIBODY_LINEARISE_H
#define LIEGRP_MULTIBODY_LINEARISE_H

#include "motion.h"

LG_BEGIN

/** k, the numbers in y; *positions (may be NULL): how many of them, the first, displace. */
LG_API int lg_motion_freedoms(const lg_motion *mo, int *positions);

/** The continuous equations y' = A y + B u', linearised at the present state with its controls: A is k x k, B is k x
 *  motors for changes u' of the controls, and C is 2 position_count x k: joint positions, then velocities, change by
 *  C y. A motor without gains, or a thruster, at its limit or beyond has a column of zeros. B and C may be NULL.
 *  `spin` is the angular velocity of the axes from which the motion is steady, in space; NULL: they are at rest.
 *  Row-major. The motion stays as it is.
 *
 *  Derivatives are differences of order eight of projected states: 1e-11 of the largest entry or better. The call
 *  allocates, and takes the time of a few hundred steps for each freedom.
 *  - LG_ERROR_ARGUMENT: the motion has not been started, or A is NULL.
 *  - LG_ERROR_SINGULAR: the configuration is singular, or so near to a singular one that neighbouring states
 *    cannot be projected.
 *  - LG_ERROR_UNSUPPORTED: a control has an activation (lg_motor::activation), a state that is not among these; or the
 *    mechanism has contacts, with which lg_motion_linearise_along() works.
 *  - LG_ERROR_CALLBACK: your wrench function failed.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_linearise(lg_motion *mo, double *A, double *B, double *C, const double *spin);

/** The step that lg_motion_step() would make next, linearised: y1 = A y0 + B u', with the same y, C and `spin`; y1 is
 *  the deviation after the step, on the basis of the present state turned by h times `spin`. The eigenvalues s of A
 *  approach exp(h e) of the continuous equations' e with the order of the method. A and B are found as
 *  lg_motion_linearise_along() finds them. Errors are those of lg_motion_linearise() and of lg_motion_step(). */
LG_API LG_MUST_CHECK lg_status lg_motion_linearise_step(lg_motion *mo, double *A, double *B, double *C,
                                                        const double *spin);

/** The step that lg_motion_step() would make next, linearised along the motion: y1 = A y0 + B u' + h h', where y0 is a
 *  deviation on the basis of the present state and y1 one on the basis of the state after the step, the one that
 *  lg_motion_linearise_along() starts from there. So the matrices of successive steps can be multiplied. A is k x k, B
 *  is k x motors, `h` k numbers: the derivative with respect to the length of the step, which begins at the same time.
 *  B and h may be NULL. The motion stays as it is.
 *
 *  Steps of `sem` are differentiated by numbers that carry derivatives (build option `tangents`), to 1e-12 of the
 *  largest entry; those of other methods and of compositions, of mechanisms with servos, composed joints or your wrench
 *  function, and the column `h` by differences of order eight of whole steps, which take several times as long: after
 *  fifty steps of mechanisms of the gallery their products are right to 1e-11, 3e-11 for the arm with seven axes, which
 *  amplifies their round-off.
 *
 *  With contacts (contact.h), a step of `sem` has a derivative inside a *mode*: what is closed stays closed and bears
 *  load, and sticks or slips, at both ends and between them; what is open stays open. Numbers that carry derivatives
 *  find it. Deviations that open or close a contact have it closed after the step; those of velocities that make it
 *  slip or stick likewise. Closed contacts may be of points, balls and round shapes on planes, of balls, stops and dry
 *  friction, at least one of them with friction. Where several share a load that the equations do not determine, such
 *  as the corners of a box, the motion must not depend on their shares. Column h is a difference of steps whose length
 *  differs by up to a fifth.
 *
 *  Errors are those of lg_motion_linearise() and of lg_motion_step(), and:
 *  - LG_ERROR_SINGULAR: the configuration after the step is singular.
 *  - LG_ERROR_SINGULAR: with contacts, there is an event in the step, something lands, opens, strikes, begins to slip
 *    or comes to stick; or contacts share the load in a way that changes the motion. The message names a contact.
 *  - LG_ERROR_UNSUPPORTED: with contacts, another method than sem, servos, composed joints or your wrench function;
 *    contacts of other shapes, or without any friction, are closed; or the library was built without tangents.
 *  - LG_ERROR_UNSUPPORTED: the motion has a tolerance, whose steps are no smooth function of the state; or it has a
 *    dense method, whose derivatives lg_linearisation has. */
LG_API LG_MUST_CHECK lg_status lg_motion_linearise_along(lg_motion *mo, double *A, double *B, double *h);

/** The step that lg_motion_step() would make next, differentiated with respect to `count` parameters of the mechanism,
 *  numbered as in parameters.h: y1 = A y0 + P p', with A and the bases of lg_motion_linearise_along(). P is k x count.
 *  Where a parameter is one of a mass, an inertia, gravity or a force, poses and velocities of the present state stay
 *  as they are. Where it moves joints, wheels or centres of mass, they are projected onto the constraints, so that
 *  joint positions, then velocities, change by C y0 + D p'; D, 2 position_count x count, may be NULL. With the D of the
 *  state after the step, C y1 + D p' are their changes there. So P of successive steps can be chained as the h of
 *  lg_motion_linearise_along(). Row-major. The motion stays as it is.
 *
 *  P and D are differences of order eight of steps of mechanisms next to this one, on both sides, or on one side of a
 *  parameter at a bound, such as a damping of 0; after fifty steps chained products are right to 1e-11. The call
 *  compiles eight mechanisms for each parameter; lg_trajectory_of_parameters() does so once for all its steps. Errors
 *  are those of lg_motion_linearise_along(), and:
 *  - LG_ERROR_ARGUMENT: P or `which` is NULL, there is no such parameter, or one is named twice.
 *  - LG_ERROR_SINGULAR: differences of two orders disagree: steps are no smooth function of a parameter.
 *  - LG_ERROR_UNSUPPORTED: mechanisms next to this one are refused or have other rows (the message says why), or the
 *    mechanism has contacts. */
LG_API LG_MUST_CHECK lg_status lg_motion_linearise_parameters(lg_motion *mo, double *P, double *D, const int *which,
                                                              int count);

/** What y means at the present state: joint positions, then velocities, change by C y, 2 position_count x k. It is the
 *  C of lg_motion_linearise() without its equations. Errors are those of that function. */
LG_API LG_MUST_CHECK lg_status lg_motion_basis(lg_motion *mo, double *C);

LG_END

#endif
