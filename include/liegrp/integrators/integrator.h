/* SPDX-License-Identifier: BSD-3-Clause */
/** @file integrator.h
 *  One trajectory of a system under a method: create, start, step, read.
 *
 *  One step: state at g_k -- depart --> p^-_k -- free step: g_{k+1} = g_k tau(h xi_k), p^+_{k+1} -- arrive --> state
 * at g_{k+1}. Momenta are left-trivialised and kinetic; p^+ arrives at a node, p^- leaves it, p~ is the momentum that
 *  satisfies the constraints: the state itself for shared multipliers and baselines, (p^+ + p^-)/2 for the GNI, the
 *  projection of p^+ for DLA. All memory is taken when the integrator is made; a step allocates, locks and prints
 * nothing; a step that fails leaves the state as it was. An integrator belongs to one thread at a time. */
#ifndef LIEGRP_INTEGRATORS_INTEGRATOR_H
#define LIEGRP_INTEGRATORS_INTEGRATOR_H

#include <stdint.h>

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

/** An integrator: opaque. */
typedef struct lg_integrator lg_integrator;

/** How p^-_0 is made from an initial velocity (docs/theory.md section 4).
 *  They concern the GNI; shared multipliers start from p~_0 = J xi_0, DLA from p^+_0 = J xi_0. */
typedef enum lg_start {
    LG_START_REACTION = 0, /**< p^-_0 = J xi_0 + (h/2) A^T lambda_0 + h (w_0 - 1/2) dV, the default: excites no
                              parasitic mode under a symmetric rule (trapezoidal, midpoint) */
    LG_START_LEGENDRE = 1, /**< p^-_0 = J xi_0 */
    LG_START_PAPER = 2     /**< p^-_0 = (dtau^-1_{h xi_0})^* J xi_0 */
} lg_start;

/** Creates an integrator for step h. Methods are NAME[:OPTION,...][\@COMPOSITION], lg_method_names():
 *  sem (shared multipliers x energy-momentum: the default; options gauss=1..8, gonzalez, momentum), nsv, smv, sml;
 *  gni (trapezoidal, euler-a, euler-b, midpoint, alpha=A, symmetric-alpha=A, user), gni-r;
 *  dla (midpoint, trapezoidal, midleft, alpha=A, symmetric-alpha=A, user); rattle, variational (the options of gni);
 *  rk4, rkmk4; compositions \@yoshida4, \@suzuki4, \@kahan-li6,
 *  \@kahan-li8. NULL is "sem"; a NULL retraction is "exp".
 *  Retractions: lg_retraction_names(). On failure *it still holds the message, to be read by lg_integrator_message()
 * and freed by lg_integrator_destroy(). LG_ERROR_ARGUMENT: unknown name, h not finite or 0, incomplete system;
 *  LG_ERROR_UNSUPPORTED: parts that do not fit; LG_ERROR_SINGULAR: constant inertia or rows that are; LG_ERROR_MEMORY
 *  (then *it is NULL). Negative h goes back in time. */
LG_API LG_MUST_CHECK lg_status lg_integrator_create(lg_integrator **it, const lg_system *S, const char *method,
                                                    const char *retraction, double h);
/** The same with a retraction object (your own, or one a factor); it must outlive the integrator. */
LG_API LG_MUST_CHECK lg_status lg_integrator_create_with(lg_integrator **it, const lg_system *S, const char *method,
                                                         const lg_retraction *retraction, double h);
/** A copy that goes its own way from the present state. LG_ERROR_MEMORY. */
LG_API LG_MUST_CHECK lg_status lg_integrator_clone(lg_integrator **copy, const lg_integrator *it);
/** Frees it; NULL is left alone. */
LG_API void lg_integrator_destroy(lg_integrator *it);
/** Bytes that it takes, everything included. */
LG_API size_t lg_integrator_bytes(const lg_integrator *it);

/** Starts at (t0, g0) with body velocity xi0. `project` 1: projects g0 onto phi = 0 and xi0 onto the
 *  constraints; 0: refuses what violates them.
 *  LG_ERROR_ARGUMENT: g0 is not on the group (projected if within 1e-6); LG_ERROR_INCONSISTENT: phi(t0, g0) or
 *  A(xi0 - Y) is not 0 (says which row and by how much); LG_ERROR_SINGULAR, LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE at
 * g0. */
LG_API LG_MUST_CHECK lg_status lg_integrator_start(lg_integrator *it, double t0, const double *g0, const double *xi0,
                                                   lg_start start, int project);
/** Starts at (t0, g0) with the method's own momentum: p^-_0 that leaves the node for GNI, rattle and variational (with
 *  holonomic constraints its part in their tangent space), p^+_0 for DLA, p~_0 else, which must satisfy the
 * constraints. Errors as lg_integrator_start(). */
LG_API LG_MUST_CHECK lg_status lg_integrator_start_momentum(lg_integrator *it, double t0, const double *g0,
                                                            const double *p_minus0);
/** Back to the state of the last start. LG_ERROR_ARGUMENT: it was never started. */
LG_API LG_MUST_CHECK lg_status lg_integrator_reset(lg_integrator *it);

/** Newton's tolerance on the last correction, relative (default 1e-8: quadratic convergence makes that round-off), and
 *  the largest number of iterations (default 50). LG_ERROR_ARGUMENT: not positive. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_newton(lg_integrator *it, double tolerance, int iterations);

/** For steps that are solved as a whole (all but the GNI and variational steps with constant inertia and without
 *  forces): relative tolerance on the residual (default 1e-14) and the largest number of residual evaluations (default
 *  100). LG_ERROR_ARGUMENT: not positive. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_solver(lg_integrator *it, double tolerance, int evaluations);
/** The controls u, lg_callbacks::control_count numbers, held until they are set again (zeros at first). The p^- of the
 * GNI, which holds half the reaction of the step to come, changes with them. LG_ERROR_ARGUMENT: NULL, the system has
 * none; LG_ERROR_NOT_FINITE; LG_ERROR_CALLBACK. */
LG_API LG_MUST_CHECK lg_status lg_integrator_set_control(lg_integrator *it, const double *u);

/** One step. LG_ERROR_CONVERGENCE: Newton did not converge (h too large), LG_ERROR_DOMAIN, LG_ERROR_SINGULAR: dependent
 *  rows at the new node, LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE; the state stays as it was and lg_integrator_message()
 * says why.
 */
LG_API LG_MUST_CHECK lg_status lg_integrator_step(lg_integrator *it);
/** Called after a step; nonzero stops the run with LG_ERROR_INTERRUPTED. */
typedef int (*lg_observer)(const lg_integrator *it, void *context);
/** `steps` steps, the observer (NULL: none) after every `every`-th. */
LG_API LG_MUST_CHECK lg_status lg_integrator_run(lg_integrator *it, int64_t steps, int64_t every, lg_observer observer,
                                                 void *context);

/** The last error's text, "" when all is well: what, at which step, with the values, what would be right. NULL: out of
 * memory. */
LG_API const char *lg_integrator_message(const lg_integrator *it);
/** t_k = t_0 + k h, counted from the last start, event or step of another length; never accumulated. */
LG_API double lg_integrator_time(const lg_integrator *it);
/** k, steps done since the start. */
LG_API int64_t lg_integrator_step_index(const lg_integrator *it);
/** h. */
LG_API double lg_integrator_step_size(const lg_integrator *it);
/** g_k, lg_group_element_size() numbers, valid until the next call that changes the integrator (so for all pointers
 * here). */
LG_API const double *lg_integrator_configuration(const lg_integrator *it);
/** p^+_k, the momentum that arrives, before a shared multiplier's kick; p~_k for baselines. */
LG_API const double *lg_integrator_momentum_plus(const lg_integrator *it);
/** p^-_k, the momentum that leaves, for the GNI and variational; elsewhere it is not known before the next step and
 *  this is p~_k. */
LG_API const double *lg_integrator_momentum_minus(const lg_integrator *it);
/** p~_k, which satisfies the constraints and converges with the method's order: (p^+_k + p^-_k)/2 for the GNI, the
 *  state itself for shared multipliers and baselines, the projection of p^+_k for dla. */
LG_API const double *lg_integrator_momentum(const lg_integrator *it);
/** J(g_k)^-1 p~_k, the body velocity at the node; in `xi` (n numbers). */
LG_API LG_MUST_CHECK lg_status lg_integrator_velocity(const lg_integrator *it, double *xi);
/** xi_{k-1} of the last step, a quantity of t_k - h/2; zeros before the first step. */
LG_API const double *lg_integrator_step_velocity(const lg_integrator *it);
/** The m multipliers in the user's rows and force units, p' = ... + A^T lambda: at the node for GNI and baselines, of
 *  the node that was left for dla; shared multipliers are means over the last step (sub-step of a composition), sml's
 *  of its middle with order 2, the others', in the rows of its end, with order 1. */
LG_API const double *lg_integrator_multipliers(const lg_integrator *it);
/** The multipliers of the holonomic constraints, p' = ... + d phi^T sigma. sem, gni, rattle, variational: the mean over
 *  the last step, or sub-step of a composition (order 2 as a value of its middle); dla: of the node that was left;
 *  gni-r and baselines, and at the start: the continuous ones at the node. */
LG_API const double *lg_integrator_holonomic_multipliers(const lg_integrator *it);
/** Largest |phi(t_k, g_k)|. */
LG_API double lg_integrator_holonomic_residual(const lg_integrator *it);
/** The work W that the last step's forces, drift, moving constraints and time-dependent potential did:
 *  H_{k+1} - H_k = W up to the Gauss error along the arc (and, for V(t, g), that of differences in t), for `sem`
 * (docs/theory.md section 6); NaN for other methods.
 */
LG_API double lg_integrator_step_work(const lg_integrator *it);
/** H(g_k, p~_k); NaN if a callback fails. */
LG_API double lg_integrator_energy(const lg_integrator *it);
/** H(g_k, p^-_k), the energy of theorem 1, for the GNI; NaN for other methods. */
LG_API double lg_integrator_energy_post(const lg_integrator *it);
/** Largest |A (J^-1 p~ - Y)| over the rows. */
LG_API double lg_integrator_constraint_residual(const lg_integrator *it);
/** |p^- - p~| in the J^-1 norm for the GNI; one that grows is the parasitic mode. NaN for other methods. */
LG_API double lg_integrator_normal_part(const lg_integrator *it);
/** Newton iterations of the last step (the largest over the factors), or residual evaluations where the step is solved
 *  as a whole. */
LG_API int lg_integrator_iterations(const lg_integrator *it);
/** The system's group. */
LG_API const lg_group *lg_integrator_group(const lg_integrator *it);

/** The names of the methods, NULL at the end. */
LG_API const char *const *lg_method_names(void);
/** The compositions that go behind '\@' in a method's name, NULL at the end. */
LG_API const char *const *lg_composition_names(void);
/** One line on a composition of that list, NULL for other names. */
LG_API const char *lg_composition_summary(const char *name);
/** One line on a method of that list, NULL for other names. */
LG_API const char *lg_method_summary(const char *name);

LG_END

#endif
