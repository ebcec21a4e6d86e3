/* SPDX-License-Identifier: BSD-3-Clause */
/** @file linearisation.h
 *  The derivative of a step: of the next state and the multipliers with respect to the state, the controls, the step
 *  size and the parameters, for every method (docs/theory.md section 14).
 *
 *  A step is written as F(z; x) = 0 with unknowns z and an output map y = Y(z; x), and differentiated implicitly: dy =
 *  (Y_x - Y_z F_z^-1 F_x) dx. This is the derivative of the formulas, at states off the constraints too.
 *
 *  Inputs x, in this order: eta (n), p (n), controls (lg_callbacks::control_count), h (1), parameters
 *  (lg_system::parameter_count). If controls are polynomials when the linearisation is created
 *  (lg_integrator_set_control_nodes()), they are those at all nodes, node after node. Outputs y: eta (n), p (n),
 *  multipliers (holonomic constraints first, then velocity constraints) in units of force. eta is the left-trivialised
 *  variation of a configuration, g exp(eta). p is the momentum that the method carries from step to step: p^-, which
 *  leaves a node, for gni, gni-r, rattle and variational; p^+, which arrives there, for DLA; and p~, the momentum at
 *  the node that satisfies the constraints, for all others (docs/conventions.md). Varying h keeps the time of the
 *  present state. With `gauss` a varied state has the energy that is its own, which the step keeps; whether the step
 *  keeps it is decided by the state as it is.
 *
 *  Parameters vary where callbacks see them (lg_call::param), and in the arrays of the system (a constant inertia,
 *  constant rows), which lg_callbacks::arrays computes from them; the catalog and every lg_model have it. Derivatives
 *  with respect to a parameter are not known where it is missing, where the arrays are not what it gives, and where it
 *  or another callback fails for values on one side, however near. They are NaN then, and lg_linearisation_message()
 *  names the parameter and the cause. Numbers in lg_system::context do not vary. Callbacks are evaluated at
 *  configurations, controls, times and parameters near the given ones, on both sides. */
#ifndef LIEGRP_INTEGRATORS_LINEARISATION_H
#define LIEGRP_INTEGRATORS_LINEARISATION_H

#include "integrator.h"

LG_BEGIN

/** The derivative of a step: opaque. */
typedef struct lg_linearisation lg_linearisation;

/** How derivatives of a step are found. */
typedef enum lg_derivatives {
    LG_DERIVATIVES_DIFFERENCES, /**< differences of the step's residual */
    LG_DERIVATIVES_TANGENTS     /**< the step evaluated with numbers that carry derivatives; only callbacks without
                                 *   derivatives of their own, and lg_callbacks::arrays, are differenced */
} lg_derivatives;

/** Takes all memory for the derivatives of steps of `it`. `it` need not be started and may be destroyed before the
 *  linearisation; the system's group, its context and the retraction must outlive both. On failure *lin still holds the
 *  message: read it with lg_linearisation_message() and free it with lg_linearisation_destroy().
 *  - LG_ERROR_ARGUMENT: `it` is NULL, or its creation failed.
 *  - LG_ERROR_MEMORY: out of memory; *lin is NULL. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_create(lg_linearisation **lin, const lg_integrator *it);
/** Frees the object. NULL is allowed. */
LG_API void lg_linearisation_destroy(lg_linearisation *lin);
/** Memory of the object in bytes, everything included. */
LG_API size_t lg_linearisation_bytes(const lg_linearisation *lin);
/** The text of the last error. After success it names the parameters whose derivatives are not known (NaN) and says
 *  why; "" without such parameters. For NULL it says that there is no object. */
LG_API const char *lg_linearisation_message(const lg_linearisation *lin);

/** How the linearisation finds derivatives; it is decided at its creation. LG_DERIVATIVES_TANGENTS needs a library that
 *  was built with a compiler for C++ (option `tangents`), a group R^n, T^n, SO(2), SO(3), SE(2), SE(3)
 *  or a product of these, and
 *  - `sem` with a step in lanes (docs/ensembles.md); or `gni`, `dla`, `rattle`, `variational`, `nsv`, `smv` with exp, or
 *    with Cayley where that is geodesic or no points lie inside the step, and at most three rows with `nsv` where they or
 *    the metric vary; or `rk4`, `rkmk4` with a constant metric, and with holonomic_acceleration where positions are
 *    constrained; or `gauss` without a tolerance at that time, without holonomic constraints, and without rows where
 *    there is J(g);
 *  - for `rk4`, `rkmk4` and `gauss`, covectors_derivative of rows that vary, and covectors_rate where they do with time;
 *  - no compensated step, no discrete Lagrangian of the user's, and with callbacks that are not of the catalog no
 *    controls inside a step (lg_integrator_set_control_nodes());
 *  - the callbacks' derivatives that a step needs: potential_gradient, metric_gradient, holonomic_differential;
 *  - none of the means holonomic_mean, potential_mean, force_mean.
 *
 *  LG_DERIVATIVES_DIFFERENCES otherwise, and for NULL. */
LG_API lg_derivatives lg_linearisation_kind(const lg_linearisation *lin);
/** The largest error estimate among the differences that the last derivative is made of, each relative to the
 *  largest derivative or value that was differenced with it; 0: nothing was differenced. NaN without a derivative. */
LG_API double lg_linearisation_error(const lg_linearisation *lin);

/** Computes the derivative of the step that `it` would make from its present state. `it` is only read. It is the
 *  integrator that `lin` was created for, or one with the same system, method and retraction; its state, h, controls
 *  and parameters are used as they are. The call allocates nothing.
 *
 *  With tangents (lg_linearisation_kind()) it solves the step once more and evaluates its residual once for 8 or 16
 *  inputs and unknowns, in the time of 5 to 30 steps where the system gives the derivatives of its callbacks. Of
 *  `gauss` it repeats the sweeps of the stages, in the time of 40 to 200 steps. Of a callback that has none differences
 *  of order eight are formed: once at each place where the step calls it, for each of its inputs. Stages of `gauss` and
 *  `rk4` are off the group, where the derivatives of callbacks that are not of the catalog do not exist: those are
 *  differenced with respect to all numbers of an element. So is lg_callbacks::arrays, for each parameter, where the
 *  parameters are not those of the call before. The Jacobian is exact to round-off but for what
 *  lg_linearisation_error() says.
 *
 *  Without them it solves the step once more and then evaluates its residual 16 times, rarely more often, per input and
 *  unknown: derivatives of the residual are differences of order eight, except those of the potential if
 *  lg_callbacks::potential_hessian is given. This takes the time of 100 to 400 steps. Compared with exact values the
 *  Jacobian is off by 1e-13 to 1e-10 of its largest entries, more where multipliers are quotients by the squares of
 *  small h.
 *
 *  With `gauss`, without tangents, the right sides of all stages are differenced, at once, with respect to a stage's
 *  numbers (element, momentum, multipliers), and so is the node behind them; one linear system of S (e + n + m)
 *  unknowns joins the stages, and `lin` has memory for its matrix. potential_hessian serves the stages on groups whose
 *  elements have as many numbers as dimensions (R^n, T^n). The rows of the state are off by 1e-14 to 1e-12, those of
 *  multipliers by up to 1e-10 where derivatives of rows are not given. With a tolerance (lg_integrator_set_tolerance())
 *  the derivative is that of a row, made in as many steps of one length as it takes where that length is found.
 *
 *  On failure `lin` holds no derivative. Errors are those of lg_integrator_step(), and:
 *  - LG_ERROR_ARGUMENT: `it` is another integrator, has controls of another degree, or is not started.
 *  - LG_ERROR_SINGULAR: dF/dz is singular, or may be, by the error of differenced callbacks.
 *  - LG_ERROR_UNSUPPORTED: the system has controls, and constraints prescribe all of its velocities.
 *  - LG_ERROR_CALLBACK: a callback failed however small the difference, but for differences of parameters. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_compute(lg_linearisation *lin, const lg_integrator *it);
/** lg_linearisation_compute() and lg_integrator_step(): the derivative of the step that is made. With tangents an
 *  implicit step that is no composition is solved once, not twice. If one of them fails, `it` stays where it was,
 *  `lin` holds no derivative, and lg_linearisation_message() says why. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_step(lg_linearisation *lin, lg_integrator *it);

/** D = the derivative of the momentum that the method carries across lg_integrator_set_control(it, u), which this call
 *  does not make: n x (columns + control_count), row-major, with respect to the inputs x, whose controls are those that
 *  held before, and to u. With velocity constraints p^- of `gni`, `gni-r` and the like contains half the reaction of
 *  the coming step, so it jumps where controls change; products of steps' Jacobians alone are wrong there by 1e-3 and
 *  more. For all other methods, the momentum stays: D is 1 at p. Differences of order eight; the columns of parameters
 *  whose derivatives are not known are NaN. `lin` holds no derivative of a step afterwards. Errors are those of
 *  lg_linearisation_compute(), and:
 *  - LG_ERROR_ARGUMENT: the system has no controls, or a pointer is NULL.
 *  - LG_ERROR_NOT_FINITE: a control is not finite. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_control(lg_linearisation *lin, double *D, const lg_integrator *it,
                                                        const double *u);

/** H = sum_r weights[r] d^2 y_r/dx dx: the second derivatives of the step that `it` would make, with respect to the
 *  first `count` inputs, contracted with one weight for each output; count x count, symmetric, row-major. A variation
 *  of the state is g exp(eta), p + dp; eta of the outputs is log(g_1^-1 g), g_1 being the configuration after the step:
 *  charts at both ends, as in J. For Newton's method on costs along a motion the weights are the costates of the next
 *  node. Where the group has no exp the method's retraction takes its place.
 *
 *  With tangents of `sem`, composed or not, a symmetric retraction (exp, Cayley, series), and callbacks of the catalog or
 *  none, the step is evaluated with numbers that carry second derivatives: H is exact to round-off, and takes the time
 *  of 20 to 40 steps for n = 3, of up to 65 for twelve inputs, with vectors of eight numbers; once and a half as long
 *  with those of two. Parameters are differenced then, too, unless the system has no lg_callbacks::arrays.
 *
 *  Otherwise these are differences of order eight of the gradient J^T weights: 8 derivatives of a step for each of the
 *  inputs, that of a parameter of arrays with differences of lg_callbacks::arrays, so that leaving parameters out with
 *  `count` saves most of the time. With tangents and derivatives of all callbacks they are right to 1e-11 of the largest
 *  entry, else less. Inputs are displaced by up to a sixteenth of their scale (1 for eta, h for h). Rows and columns of
 *  parameters whose derivatives are not known are NaN. `lin` holds the derivative of the step afterwards, whose
 *  lg_linearisation_error() then contains how far from symmetric the differences were, relative to the largest entry.
 *  The call allocates nothing. Errors are those of lg_linearisation_compute(), and:
 *  - LG_ERROR_ARGUMENT: H or weights is NULL, or count is not from 1 to lg_linearisation_columns().
 *  - LG_ERROR_NOT_FINITE: a weight is not finite.
 *  - LG_ERROR_UNSUPPORTED: the integrator has a tolerance. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_curvature(lg_linearisation *lin, double *H, const lg_integrator *it,
                                                          const double *weights, int count);

/** Number of outputs: 2 n + holonomic_count + constraint_count. 0 for NULL. */
LG_API int lg_linearisation_rows(const lg_linearisation *lin);
/** Number of inputs: 2 n + control_count + 1 + parameter_count, with polynomials of degree d (d + 1) control_count. 0
 *  for NULL. */
LG_API int lg_linearisation_columns(const lg_linearisation *lin);
/** J = dy/dx, rows x columns, row-major. Columns of parameters whose derivatives are not known are NaN. This and the
 *  next two functions fail with
 *  - LG_ERROR_ARGUMENT: there is no derivative, or a pointer is NULL. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_jacobian(const lg_linearisation *lin, double *J);
/** out = J in, without forming J: `in` has `columns` numbers, `out` has `rows`. They must not overlap. A derivative
 *  that is not known counts only where `in` is not 0 there: `out` is NaN then. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_apply(const lg_linearisation *lin, double *out, const double *in);
/** out = J^T in, without forming J: `in` has `rows` numbers, `out` has `columns`. They must not overlap. `out` is NaN
 *  at parameters whose derivatives are not known. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_apply_transposed(const lg_linearisation *lin, double *out,
                                                                 const double *in);

LG_END

#endif
