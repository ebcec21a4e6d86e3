/* SPDX-License-Identifier: BSD-3-Clause */
/** @file integrator.h
 *  One trajectory of a system under a method: create, start, step, read.
 *
 *  One step leads from the state at g_k to the state at g_{k+1}:
 *  - depart: the state at g_k gives p^-_k;
 *  - free step: g_{k+1} = g_k tau(h xi_k), and p^-_k gives p^+_{k+1};
 *  - arrive: p^+_{k+1} gives the state at g_{k+1}.
 *
 *  Momenta are left-trivialised and kinetic (docs/conventions.md): p^+ arrives at a node, p^- leaves it after the
 *  reactions have acted, and p~ is the momentum at the node that satisfies the constraints. p~ is the state itself for
 *  shared multipliers and baselines, (p^+ + p^-)/2 for the GNI, and the projection of p^+ for DLA. W = g_k^-1 g_{k+1}
 *  is the increment of a step.
 *
 *  All memory is taken when the integrator is created. A step does not allocate, lock or print. A step that fails
 *  leaves the state unchanged. An integrator belongs to one thread at a time.
 *
 *  A callback may use other integrators, and of the one that calls it the time, the step index, the step size and the
 *  pointers to the state before. Whatever steps, starts, resets, sets, copies or differentiates that one returns
 *  LG_ERROR_ARGUMENT there, energies and residuals are NaN, and lg_integrator_destroy() does nothing. */
#ifndef LIEGRP_INTEGRATORS_INTEGRATOR_H
#define LIEGRP_INTEGRATORS_INTEGRATOR_H

#include <stdint.h>

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

/** An integrator: opaque. */
typedef struct lg_integrator lg_integrator;

/** How the GNI computes p^-_0 from an initial velocity (docs/theory.md section 4). Shared multipliers always start from
 *  p~_0 = J xi_0, DLA from p^+_0 = J xi_0. */
typedef enum lg_start {
    LG_START_REACTION = 0, /**< the default, p^-_0 = J xi_0 + (h/2) A^T lambda_0 + h (w_0 - 1/2) dV: excites no
                            *   parasitic mode under a symmetric rule (trapezoidal, midpoint) */
    LG_START_LEGENDRE = 1, /**< p^-_0 = J xi_0 */
    LG_START_PAPER = 2     /**< p^-_0 = (dtau^-1_{h xi_0})^* J xi_0 */
} lg_start;

/** Creates an integrator for step h. A negative h goes back in time. `method` is NAME[:OPTION,...][\@COMPOSITION] with
 *  a name of lg_method_names(); NULL is "sem":
 *  - sem (shared multipliers and energy-momentum step; options gauss=1..8, gonzalez, momentum, cholesky, compensated);
 *  - nsv, smv, sml;
 *  - gni (options trapezoidal, euler-a, euler-b, midpoint, alpha=A, symmetric-alpha=A, user, and compensated), gni-r;
 *  - dla (options midpoint, trapezoidal, midleft, alpha=A, symmetric-alpha=A, user);
 *  - rattle, variational (the options of gni);
 *  - gauss (Gauss collocation; options stages=1..8 or 16, and stage or rate);
 *  - rk4, rkmk4;
 *  - compositions \@yoshida4, \@suzuki4, \@kahan-li6, \@kahan-li8.
 *
 *  `retraction` is a name of lg_retraction_names(); NULL is "exp". On failure *it still holds the message: read it with
 *  lg_integrator_message() and free it with lg_integrator_destroy(). Errors:
 *  - LG_ERROR_ARGUMENT: a name is unknown, h is 0 or not finite, or the system is incomplete.
 *  - LG_ERROR_UNSUPPORTED: method, retraction and system do not fit together.
 *  - LG_ERROR_SINGULAR: the constant inertia is singular, or constant rows are dependent.
 *  - LG_ERROR_MEMORY: out of memory; *it is NULL. */
LG_API LG_MUST_CHECK lg_status lg_integrator_create(lg_integrator **it, const lg_system *S, const char *method,
                                                    const char *retraction, double h);
/** lg_integrator_create() with a retraction object, such as your own or a product with one retraction per factor. It
 *  must outlive the integrator. */
LG_API LG_MUST_CHECK lg_status lg_integrator_create_with(lg_integrator **it, const lg_system *S, const char *method,
                                                         const lg_retraction *retraction, double h);
/** Copies the integrator. The copy continues independently from the present state.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_integrator_clone(lg_integrator **copy, const lg_integrator *it);
/** Frees the integrator. NULL is allowed. */
LG_API void lg_integrator_destroy(lg_integrator *it);
/** Memory of the integrator in bytes, everything included. */
LG_API size_t lg_integrator_bytes(const lg_integrator *it);

/** Starts at (t0, g0) with body velocity xi0. `project` 1 projects g0 onto phi = 0 and xi0 onto the constraints; 0
 *  refuses data that violate them.
 *  - LG_ERROR_ARGUMENT: g0 is not on the group (it is projected if within 1e-6).
 *  - LG_ERROR_INCONSISTENT: phi(t0, g0) or A (xi0 - Y) is not 0; the message says which row and by how much.
 *  - LG_ERROR_SINGULAR: a matrix at g0 is singular.
 *  - LG_ERROR_CALLBACK: a callback failed at g0.
 *  - LG_ERROR_NOT_FINITE: a value at g0 is not finite. */
LG_API LG_MUST_CHECK lg_status lg_integrator_start(lg_integrator *it, double t0, const double *g0, const double *xi0,
                                                   lg_start start, int project);
/** Starts at (t0, g0) with the method's own momentum, which must satisfy the constraints where it is p~_0: p^-_0, which
 *  leaves the node, for GNI, rattle and variational (with holonomic constraints its part in their tangent space); p^+_0
 *  for DLA; p~_0 otherwise. Errors are those of lg_integrator_start(). */
LG_API LG_MUST_CHECK lg_status lg_integrator_start_momentum(lg_integrator *it, double t0, const double *g0,
                                                            const double *p_minus0);
/** Returns to the state of the last start.
 *  - LG_ERROR_ARGUMENT: the integrator was never started. */
LG_API LG_MUST_CHECK lg_status lg_integrator_reset(lg_integrator *it);

/** Sets Newton's relative tolerance on the last correction (default 1e-8: quadratic convergence makes the remaining
 *  error round-off) and the largest number of iterations (default 50).
 *  - LG_ERROR_ARGUMENT: a value is not positive. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_newton(lg_integrator *it, double tolerance, int iterations);

/** Sets the relative tolerance on the residual (default 1e-14) and the largest number of residual evaluations (default
 *  100, or 4 n where that is more) for steps that are solved as a whole: all but the GNI and variational steps with
 *  constant inertia and without forces.
 *  - LG_ERROR_ARGUMENT: a value is not positive. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_solver(lg_integrator *it, double tolerance, int evaluations);

/** Lets the library find the steps of the method `gauss`, so that one of them is wrong by at most a hundredth of
 *  `tolerance`: elements relative to the largest number of their factor or to 1, momenta relative to the largest one so
 *  far. A motion that does not amplify errors is then about as wrong as the tolerance after a hundred steps. The step
 *  that the integrator was created with becomes the interval of states: lg_integrator_step() advances by that, with one
 *  step for several states or several for one, and each state has the method's order. Energy and constraints are exact
 *  for any tolerance. Takes effect from the present state on; 0: back to steps of the given length. It replaces what
 *  lg_integrator_set_solver() set. At most a million steps are made for one state: lg_integrator_step() and the like
 *  return LG_ERROR_CONVERGENCE where it would take more, and the message says which h does.
 *  - LG_ERROR_UNSUPPORTED: another method, which has steps of the given length only.
 *  - LG_ERROR_ARGUMENT: neither 0 nor from 1e-14, what round-off lets a step keep, to 0.1. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_tolerance(lg_integrator *it, double tolerance);
/** The tolerance, 0 without. */
LG_API double lg_integrator_tolerance(const lg_integrator *it);
/** The length of the last step that was found for it; NaN before the first one and without a tolerance. */
LG_API double lg_integrator_found_step(const lg_integrator *it);
/** The error that is estimated for that step, in the measure of lg_integrator_set_tolerance(); NaN without a tolerance.
 */
LG_API double lg_integrator_step_error(const lg_integrator *it);
/** Sets the length h of the steps that follow; negative: back in time. Time continues from the present state, which
 *  stays: the part of the momentum that belongs to the coming step, half of its reaction in p^-, is made one for the
 *  new length. lg_integrator_reset() then returns to the start of an integrator that was created with this h. With a
 *  tolerance it is the interval of states.
 *  - LG_ERROR_ARGUMENT: h is 0 or not finite, or called by a callback of this integrator. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_step(lg_integrator *it, double h);
/** Sets the controls u, lg_callbacks::control_count numbers. They hold until set again and are zero at first. The p^-
 *  of the GNI contains half the reaction of the coming step, so it changes with them.
 *  - LG_ERROR_ARGUMENT: u is NULL, or the system has no controls.
 *  - LG_ERROR_NOT_FINITE: a control is not finite.
 *  - LG_ERROR_UNSUPPORTED: constraints prescribe all velocities, and the method is none whose state is a velocity, such
 *    as `sem` and `gauss`; at the present node these take the velocity of the new controls.
 *  - LG_ERROR_CALLBACK: a callback failed. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_control(lg_integrator *it, const double *u);
/** Sets controls that are polynomials of this degree d inside each step, from now on and until controls are set again:
 *  with them optima converge with order 2 (d + 1) (control/optimum.h), where controls that are held let every method
 *  have order 2. u are their values at the nodes t + c_i h of lg_control_nodes(), node after node: (d + 1) x
 *  control_count numbers. Forces take them at the stages of `gauss`; multipliers of the node at the end, at the end.
 *  Degree 0: lg_integrator_set_control(). Until held controls are set, lg_integrator_save() returns
 *  LG_ERROR_UNSUPPORTED and lg_integrator_set_tolerance() refuses a tolerance. lg_integrator_interpolate() and events
 *  follow the polynomials.
 *  - LG_ERROR_ARGUMENT: degree is not within 0 and 7, or `gauss` has fewer than d + 1 stages; u is NULL, or the system
 *    has no controls.
 *  - LG_ERROR_UNSUPPORTED: degree > 0 with another method than `gauss`, with a tolerance, or where constraints prescribe
 *    all velocities.
 *  - LG_ERROR_NOT_FINITE: a control is not finite. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_control_nodes(lg_integrator *it, int degree, const double *u);
/** Nodes c_i and weights b_i, i = 0 ... degree, of Gauss quadrature on [0, 1] with degree + 1 points; both may be NULL.
 *  - LG_ERROR_ARGUMENT: degree is not within 0 and 7. */
LG_API LG_MUST_CHECK lg_status lg_control_nodes(int degree, double *nodes, double *weights);
/** out = `count` controls at t + x h, x from 0 to 1, of polynomials with the values u at these nodes, (degree + 1) x
 *  count numbers.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or a number is out of its range. */
LG_API LG_MUST_CHECK lg_status lg_control_at(double *out, int degree, const double *u, int count, double x);

/** Makes one step. On failure the state is unchanged, and lg_integrator_message() says why.
 *  - LG_ERROR_ARGUMENT: not started, or called by a callback of this integrator.
 *  - LG_ERROR_CONVERGENCE: Newton's method did not converge (h too large).
 *  - LG_ERROR_CONVERGENCE: the step was solved, but with shared multipliers the constraints are off by more than 1e-6
 *    of their terms, or with `sem` and 4 Gauss nodes or more the energy by more than 1e-6 of its largest one.
 *  - LG_ERROR_DOMAIN: a retraction or logarithm left its domain, or the step turned by more than 2^20 rad.
 *  - LG_ERROR_SINGULAR: the rows at the new node are dependent.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_integrator_step(lg_integrator *it);
/** Called after a step; nonzero stops the run with LG_ERROR_INTERRUPTED. */
typedef int (*lg_observer)(const lg_integrator *it, void *context);
/** Makes `steps` steps and calls the observer (NULL: none) after every `every`-th. */
LG_API LG_MUST_CHECK lg_status lg_integrator_run(lg_integrator *it, int64_t steps, int64_t every, lg_observer observer,
                                                 void *context);

/** The size of a checkpoint of the present state, in bytes; 0: there is no integrator, or it is not started. */
LG_API size_t lg_integrator_saved_bytes(const lg_integrator *it);
/** Writes a checkpoint of the present state: lg_integrator_saved_bytes() bytes, opaque, with a sum. They hold all that
 *  the next steps depend on, the settings and controls, and the start that lg_integrator_reset() goes back to, so an
 *  integrator that reads them continues to the bit as if it had made all steps itself. They are the same for the same
 *  state. Of the system they hold its numbers and names, not its functions.
 *  - LG_ERROR_ARGUMENT: not started, `bytes` is NULL, `size` is not lg_integrator_saved_bytes(), or called by a
 *    callback of this integrator.
 *  - LG_ERROR_UNSUPPORTED: controls are polynomials (lg_integrator_set_control_nodes()). */
LG_API LG_MUST_CHECK lg_status lg_integrator_save(const lg_integrator *it, void *bytes, size_t size);
/** Takes the state of a checkpoint, by an integrator that was created with the same system, method, retraction and
 *  step; it need not be started. Versions of the library that read each other's checkpoints agree to the digits that
 *  the changelog promises. On failure the integrator stays what it was, and lg_integrator_message() says what is wrong
 *  or the difference from this integrator.
 *  - LG_ERROR_ARGUMENT: the bytes are no checkpoint, damaged, or of another method, retraction, step or system, be it
 *    that its functions say something else at the state; or called by a callback of this integrator.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_integrator_load(lg_integrator *it, const void *bytes, size_t size);

/** The text of the last error: what failed, at which step, the values, and what would be right. "" after success.
 *  For NULL it says that there is no integrator. */
LG_API const char *lg_integrator_message(const lg_integrator *it);
/** t_k = t_0 + k h, counted from the last start, event or change of the step size; never accumulated. */
LG_API double lg_integrator_time(const lg_integrator *it);
/** k, the number of steps since the start. */
LG_API int64_t lg_integrator_step_index(const lg_integrator *it);
/** The step h. */
LG_API double lg_integrator_step_size(const lg_integrator *it);
/** g_k, lg_group_element_size() numbers. This and all other pointers that these functions return are valid until the
 *  next call that changes the integrator. */
LG_API const double *lg_integrator_configuration(const lg_integrator *it);
/** p^+_k (n numbers), the momentum that arrives, before the kick of a shared multiplier; p~_k for baselines. */
LG_API const double *lg_integrator_momentum_plus(const lg_integrator *it);
/** p^-_k (n numbers), the momentum that leaves, for the GNI and variational. Other methods do not know it before the
 *  next step and return p~_k. */
LG_API const double *lg_integrator_momentum_minus(const lg_integrator *it);
/** p~_k (n numbers), which satisfies the constraints and converges with the method's order: (p^+_k + p^-_k)/2 for the
 *  GNI, the state itself for shared multipliers and baselines, the projection of p^+_k for DLA. */
LG_API const double *lg_integrator_momentum(const lg_integrator *it);
/** xi = J(g_k)^-1 p~_k (n numbers), the body velocity at the node. */
LG_API LG_MUST_CHECK lg_status lg_integrator_velocity(const lg_integrator *it, double *xi);
/** xi_{k-1} of the last step (n numbers), a quantity of time t_k - h/2; zeros before the first step. */
LG_API const double *lg_integrator_step_velocity(const lg_integrator *it);
/** The m multipliers (velocity constraints), in the user's rows and force units, p' = ... + A^T lambda.
 *  - GNI and baselines: those at the node.
 *  - dla: those at the node that the last step left.
 *  - sml: the mean over the last step (sub-step of a composition), of order 2 as a value at its middle.
 *  - other shared multipliers: the mean over the last step (sub-step of a composition), in the rows of its end, of
 *    order 1. */
LG_API const double *lg_integrator_multipliers(const lg_integrator *it);
/** The multipliers sigma of the holonomic constraints, p' = ... + d phi^T sigma.
 *  - sem, gni, rattle, variational: the mean over the last step, or sub-step of a composition (order 2 as a value at
 *    its middle).
 *  - dla: those at the node that the last step left.
 *  - gni-r and baselines, and every method at the start: the continuous ones at the node. */
LG_API const double *lg_integrator_holonomic_multipliers(const lg_integrator *it);
/** The largest |phi(t_k, g_k)|. */
LG_API double lg_integrator_holonomic_residual(const lg_integrator *it);
/** The work that forces, drift, moving constraints and the time-dependent potential did in the last step. For `sem`,
 *  H_{k+1} - H_k is equal to it up to the Gauss error along the arc and, for V(t, g), the error of differences in t
 *  (docs/theory.md section 6). NaN for other methods, and where the differences of V(t, g) need a time before or after
 *  the step at which the callback fails; a callback that fails inside the step makes the step fail. */
LG_API double lg_integrator_step_work(const lg_integrator *it);
/** H(g_k, p~_k); NaN if a callback fails. */
LG_API double lg_integrator_energy(const lg_integrator *it);
/** H(g_k, p^-_k), the energy of theorem 1, for the GNI; NaN for other methods. */
LG_API double lg_integrator_energy_post(const lg_integrator *it);
/** The largest |A (J^-1 p~ - Y)| over the rows. */
LG_API double lg_integrator_constraint_residual(const lg_integrator *it);
/** |p^- - p~| in the J^-1 norm for the GNI; if it grows, that is the parasitic mode. NaN for other methods. */
LG_API double lg_integrator_normal_part(const lg_integrator *it);
/** Newton iterations of the last step (the largest over the factors), or residual evaluations if the step is solved as
 *  a whole. */
LG_API int lg_integrator_iterations(const lg_integrator *it);
/** The system's group. */
LG_API const lg_group *lg_integrator_group(const lg_integrator *it);

/** The names of the methods, terminated by NULL. */
LG_API const char *const *lg_method_names(void);
/** The compositions that may follow '\@' in a method's name, terminated by NULL. */
LG_API const char *const *lg_composition_names(void);
/** A one-line summary of a composition; NULL for an unknown name. */
LG_API const char *lg_composition_summary(const char *name);
/** A one-line summary of a method; NULL for an unknown name. */
LG_API const char *lg_method_summary(const char *name);

LG_END

#endif
