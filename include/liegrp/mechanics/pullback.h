/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pullback.h
 *  The same discrete mechanics in constrained and in generalised coordinates.
 *
 *  A system on a vector space V = R^s with holonomic constraints phi = 0 (lg_callbacks::holonomic_count) is the
 * constrained coordinate formulation of DLA. With a chart v = J(q), q in R^r, onto phi = 0, the generalised coordinate
 * formulation is a system on R^r. The two have the same trajectories v_k = J(q_k) and the same multipliers of the
 * velocity rows if what is pulled back is the *discrete* Lagrangian and the *discrete* constraint,
 *
 *      L_d(q_0, q_1) = L_d^V(J(q_0), J(q_1)),   omega_d(q_0, q_1) = omega_d^V(J(q_0), J(q_1)),
 *
 *  with L_d^V = h sum_i w_i L(v_i, (v_1 - v_0)/h), v_i = (1 - alpha_i) v_0 + alpha_i v_1, and omega_d^V likewise. For a
 *  curved phi = 0 the midpoint of the chart is something else, of the same order. The system made here has these as its
 *  discrete_slope_1, discrete_slope_2 and discrete_constraint, to be run by "dla:user" (or "gni:user" and
 *  "variational:user"), and as its metric, potential, rows and force the continuous ones pulled back. */
#ifndef LIEGRP_MECHANICS_PULLBACK_H
#define LIEGRP_MECHANICS_PULLBACK_H

#include "system.h"

LG_BEGIN

/** A system seen through a chart: opaque. */
typedef struct lg_pullback lg_pullback;

/** Largest s. */
#define LG_PULLBACK_MAX 16

/** Makes one from the system S on R^s for a chart of `dimension` r. chart(c, q, v): v = J(q), s numbers;
 *  jacobian(c, q, DJ): s x r, row-major, zero on entry; both see `context` as c->context, and S's parameters. `rule` is
 *  how V discretises: "midpoint", "trapezoidal", "midleft" (L_d at the middle, omega_d at the left end), "alpha=A",
 *  "symmetric-alpha=A" with A from 0 to 1, or "user" for S's own discrete Lagrangian and constraint; NULL is
 *  "midpoint". On failure *o still holds the message, to be read by lg_pullback_message() and freed by
 *  lg_pullback_destroy(). LG_ERROR_ARGUMENT: S is incomplete or not on R^s, a callback is NULL, r is not in 1..s, no
 *  such rule, "user" without S's own; LG_ERROR_UNSUPPORTED: s > LG_PULLBACK_MAX; LG_ERROR_SINGULAR as
 *  lg_system_validate(); LG_ERROR_MEMORY (then *o is NULL). Numbers of S are copied. */
LG_API LG_MUST_CHECK lg_status lg_pullback_create(lg_pullback **o, const lg_system *S, int dimension, const char *rule,
                                                  lg_field_fn chart, lg_field_fn jacobian, const void *context);
/** Frees the object. NULL is allowed. */
LG_API void lg_pullback_destroy(lg_pullback *o);
/** The text of the last error; "" if there was none. If the object is NULL, it says out of memory. */
LG_API const char *lg_pullback_message(const lg_pullback *o);
/** The system on R^r; NULL if there is none. It lives as long as `o`, and so must `o` as long as an integrator of it.
 *  Nothing in it changes when it runs, so it may serve several threads. A drift Y of S must be tangent to phi = 0. */
LG_API const lg_system *lg_pullback_system(const lg_pullback *o);
/** v = J(q). LG_ERROR_CALLBACK. */
LG_API LG_MUST_CHECK lg_status lg_pullback_point(const lg_pullback *o, double *v, const double *q);
/** w = DJ(q) u, the velocity (or, with the transpose, what pairs with covectors). LG_ERROR_CALLBACK. */
LG_API LG_MUST_CHECK lg_status lg_pullback_velocity(const lg_pullback *o, double *w, const double *q, const double *u);
/** Does the chart fit at q? LG_ERROR_ARGUMENT: DJ differs from differences of J by more than 1e-6 of its size;
 *  LG_ERROR_SINGULAR: its columns are dependent; LG_ERROR_INCONSISTENT: phi(J(q)) is not 0 to 1e-9; LG_ERROR_CALLBACK;
 *  LG_ERROR_NOT_FINITE. The message says where. */
LG_API LG_MUST_CHECK lg_status lg_pullback_check(lg_pullback *o, const double *q);

LG_END

#endif
