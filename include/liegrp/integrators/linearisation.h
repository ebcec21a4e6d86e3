/* SPDX-License-Identifier: BSD-3-Clause */
/** @file linearisation.h
 *  The derivative of a step: of the next state and the multipliers with respect to the state, the controls, the step
 *  size and the parameters, for every method (docs/theory.md section 14).
 *
 *  A step is stated as F(z; x) = 0 with its unknowns z and an output map y = Y(z; x), and differentiated implicitly:
 *  dy = (Y_x - Y_z F_z^-1 F_x) dx. It is the derivative of the formulas, at states off the constraints too.
 *
 *  Inputs x, in this order: eta (n), p (n), controls (lg_callbacks::control_count), h (1), parameters
 *  (lg_system::parameter_count). Outputs y: eta (n), p (n), multipliers (holonomic constraints first, then velocity
 *  rows), in units of force. eta is the variation of a configuration, left-trivialised: g exp(eta). p is the momentum
 *  that the method carries on: p^- for gni, gni-r, rattle and variational, p^+ for DLA, p~ for all
 *  others. Varying h leaves the time of the present state as it is.
 *
 *  Parameters are varied where callbacks see them (lg_call::param); numbers that you computed from them yourself and
 *  gave as arrays (an inertia, constant rows) do not follow. Callbacks are asked at configurations, controls, times and
 *  parameters near the given ones, on both sides. */
#ifndef LIEGRP_INTEGRATORS_LINEARISATION_H
#define LIEGRP_INTEGRATORS_LINEARISATION_H

#include "integrator.h"

LG_BEGIN

/** The derivative of a step: opaque. */
typedef struct lg_linearisation lg_linearisation;

/** Takes all memory for the derivatives of steps of `it`, which need not be started and may be destroyed before the
 *  linearisation is; the system's group, its context and the retraction must outlive both. On failure *lin still holds
 *  the message, to be read by lg_linearisation_message() and freed by lg_linearisation_destroy(). LG_ERROR_ARGUMENT:
 *  `it` is NULL or was never made; LG_ERROR_MEMORY (then *lin is NULL). */
LG_API LG_MUST_CHECK lg_status lg_linearisation_create(lg_linearisation **lin, const lg_integrator *it);
/** Frees the object. NULL is allowed. */
LG_API void lg_linearisation_destroy(lg_linearisation *lin);
/** Memory of the object in bytes, everything included. */
LG_API size_t lg_linearisation_bytes(const lg_linearisation *lin);
/** The text of the last error; "" if there was none. If the object is NULL, it says out of memory. */
LG_API const char *lg_linearisation_message(const lg_linearisation *lin);

/** The derivative of the step that `it` would make from its present state; `it` is only read. Allocates nothing.
 *  It solves the step once more and then asks for 16 residuals of it, seldom more, per input and unknown: what the
 *  residual has for derivatives is found by differences of order eight, but for those of the potential where
 *  lg_callbacks::potential_hessian is given. That is about a hundred steps' time; against exact values the Jacobian is
 * off by 1e-13 to 1e-10 of its largest entries, more where multipliers are quotients by the squares of small h. `it` is
 * the integrator that `lin` was created for or one with the same system, method and retraction; its state, h, controls
 * and parameters are taken as they are. LG_ERROR_ARGUMENT: another integrator, or one that is not started;
 *  LG_ERROR_SINGULAR: dF/dz is singular; LG_ERROR_CALLBACK: a callback failed however small the difference; else as
 *  lg_integrator_step(). On failure `lin` holds no derivative. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_compute(lg_linearisation *lin, const lg_integrator *it);
/** lg_linearisation_compute(), then lg_integrator_step(): the derivative of the step that is made. If one fails `it`
 * stays where it was and `lin` holds no derivative; lg_linearisation_message() says why. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_step(lg_linearisation *lin, lg_integrator *it);

/** Number of outputs: 2 n + holonomic_count + constraint_count. 0 for NULL. */
LG_API int lg_linearisation_rows(const lg_linearisation *lin);
/** Number of inputs: 2 n + control_count + 1 + parameter_count. 0 for NULL. */
LG_API int lg_linearisation_columns(const lg_linearisation *lin);
/** J = dy/dx, rows x columns. LG_ERROR_ARGUMENT: there is no derivative, J is NULL (so for the next two). */
LG_API LG_MUST_CHECK lg_status lg_linearisation_jacobian(const lg_linearisation *lin, double *J);
/** out = J in, without forming J: `in` has `columns` numbers, `out` has `rows`; they do not overlap. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_apply(const lg_linearisation *lin, double *out, const double *in);
/** out = J^T in, without forming J: `in` has `rows` numbers, `out` has `columns`; they do not overlap. */
LG_API LG_MUST_CHECK lg_status lg_linearisation_apply_transposed(const lg_linearisation *lin, double *out,
                                                                 const double *in);

LG_END

#endif
