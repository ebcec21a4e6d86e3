/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pullback.h
 *  The same discrete mechanics in constrained and in generalised coordinates.
 *
 *  A system on a vector space V = R^s with holonomic constraints phi = 0 (lg_callbacks::holonomic_count) is the
 *  constrained coordinate formulation of DLA. With a chart v = J(q), q in R^r, onto phi = 0, the generalised coordinate
 *  formulation is a system on R^r. The two have the same trajectories v_k = J(q_k) and the same multipliers of the
 *  velocity constraints if the *discrete* Lagrangian and the *discrete* constraint are pulled back,
 *
 *      L_d(q_0, q_1) = L_d^V(J(q_0), J(q_1)),   omega_d(q_0, q_1) = omega_d^V(J(q_0), J(q_1)),
 *
 *  with L_d^V = h sum_i w_i L(v_i, (v_1 - v_0)/h), v_i = (1 - alpha_i) v_0 + alpha_i v_1, and omega_d^V from the same
 *  points. For a curved phi = 0 the midpoint of the chart differs, at the same order. The system made here has these as
 *  its discrete_slope_1, discrete_slope_2 and discrete_constraint, for the method "dla:user" (or "gni:user" and
 *  "variational:user"). Its metric, potential, rows and force are the pulled-back continuous ones. */
#ifndef LIEGRP_MECHANICS_PULLBACK_H
#define LIEGRP_MECHANICS_PULLBACK_H

#include "system.h"

LG_BEGIN

/** A system pulled back by a chart: opaque. */
typedef struct lg_pullback lg_pullback;

/** The largest s. */
#define LG_PULLBACK_MAX 16

/** Creates the pullback of the system S on R^s by a chart of `dimension` r.
 *  - chart(c, q, v): v = J(q), s numbers.
 *  - jacobian(c, q, DJ): DJ is s x r, row-major, zero on entry.
 *  - rule: how V discretises, "midpoint", "trapezoidal", "midleft" (L_d at the middle, omega_d at the left end),
 *    "alpha=A", "symmetric-alpha=A" with A from 0 to 1, or "user" for S's own discrete Lagrangian and constraint; NULL
 *    is "midpoint".
 *
 *  Both callbacks see `context` as c->context, and S's parameters. The numbers of S are copied.
 *  With other values of the parameters its arrays (inertia, constant rows) are what lg_callbacks::arrays gives; without
 *  that the callbacks of the pulled-back system fail there with LG_ERROR_UNSUPPORTED. On failure *o still
 *  holds the message: read it with lg_pullback_message() and free it with lg_pullback_destroy(). Errors:
 *  - LG_ERROR_ARGUMENT: S is incomplete or not on R^s, a callback is NULL, r is not in 1..s, the rule is unknown, or it
 *    is "user" and S has no discrete Lagrangian and constraint of its own.
 *  - LG_ERROR_UNSUPPORTED: s > LG_PULLBACK_MAX.
 *  - LG_ERROR_SINGULAR: as for lg_system_validate().
 *  - LG_ERROR_MEMORY: out of memory; *o is NULL. */
LG_API LG_MUST_CHECK lg_status lg_pullback_create(lg_pullback **o, const lg_system *S, int dimension, const char *rule,
                                                  lg_field_fn chart, lg_field_fn jacobian, const void *context);
/** Frees the object. NULL is allowed. */
LG_API void lg_pullback_destroy(lg_pullback *o);
/** The text of the last error; "" after success. For NULL it says that there is no object. */
LG_API const char *lg_pullback_message(const lg_pullback *o);
/** The system on R^r; NULL after a failed creation. It lives as long as `o`, and `o` must outlive every integrator of
 *  it. Running it changes nothing in it, so it may serve several threads. A drift Y of S must be tangent to phi = 0. */
LG_API const lg_system *lg_pullback_system(const lg_pullback *o);
/** v = J(q).
 *  - LG_ERROR_CALLBACK: the chart failed. */
LG_API LG_MUST_CHECK lg_status lg_pullback_point(const lg_pullback *o, double *v, const double *q);
/** w = DJ(q) u (s numbers), the velocity for u (r numbers); the transpose of DJ(q) acts on covectors.
 *  - LG_ERROR_CALLBACK: a callback failed. */
LG_API LG_MUST_CHECK lg_status lg_pullback_velocity(const lg_pullback *o, double *w, const double *q, const double *u);
/** Checks the chart at q. The message says where it fails.
 *  - LG_ERROR_ARGUMENT: DJ differs from differences of J by more than 1e-6 of its size.
 *  - LG_ERROR_SINGULAR: the columns of DJ are dependent.
 *  - LG_ERROR_INCONSISTENT: phi(J(q)) is not 0 to 1e-9.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_pullback_check(lg_pullback *o, const double *q);

LG_END

#endif
