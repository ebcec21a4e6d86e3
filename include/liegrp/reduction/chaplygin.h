/* SPDX-License-Identifier: BSD-3-Clause */
/** @file chaplygin.h
 *  Chaplygin systems: reduction by a principal connection, the midpoint RDLA on shape space, reconstruction.
 *
 *  The configuration space is Q = M x G: some directions of the system's group, all in factors R^n or T^n, are the
 *  shape r in M; the others make up the structure group G, abelian or not, which acts from the left. Metric, potential
 *  and rows depend on r alone, and there are dim G rows: they are the principal connection. A system says it as rows
 *  [A(r), 1] on (r', xi), body velocity xi = g^-1 g':
 *
 *      xi = -A(r) r',
 *
 *  and any other rows with the same kernel do as well. The motion of r alone then follows from the reduced Lagrangian
 *  L*(r, v) = L(r, v, -A v) = 1/2 v.J*(r) v - V(r) and a gyroscopic force F,
 *
 *      d/dt L*_v - L*_r = -F,   F_b = p.(v^c (d_c A_b - d_b A_c) + [xi, A_b]),   p = dL/dxi at xi = -A v.
 *
 *  One step of length h: with v = (r_{k+1} - r_k)/h and everything at the middle r_m, L*_d = h L*(r_m, v), solve
 *
 *      D_1 L*_d(r_k, r_{k+1}) + D_2 L*_d(r_{k-1}, r_k) = F^-(r_k, r_{k+1}) + F^+(r_{k-1}, r_k)
 *
 *  for r_{k+1}, then reconstruct g_{k+1} = g_k tau(h xi_k), xi_k = -A(r_m) v. With these F^-, F^+ that is exactly the
 *  projection of "dla:midpoint" for every structure group and retraction (docs/theory.md, section on reduction). The
 *  state on M is one covector, P_k = D_2 L*_d - F^+ = -D_1 L*_d + F^-, the momentum that DLA projects.
 *
 *  All memory is taken when the object is made; a step allocates, locks and prints nothing; one that fails leaves the
 *  state as it was. An object belongs to one thread at a time. */
#ifndef LIEGRP_REDUCTION_CHAPLYGIN_H
#define LIEGRP_REDUCTION_CHAPLYGIN_H

#include <stdint.h>

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

/** A Chaplygin system with its reduced trajectory: opaque. In what follows s = dim M, d = dim G, n = s + d. */
typedef struct lg_chaplygin lg_chaplygin;

/** Makes one from the system S for step h. `shape` lists the s = `count` directions (indices of body velocity, from 0)
 *  that make up M, in the order in which r is to be read; the rest make up G. Retractions: lg_retraction_names(); NULL
 *  is "exp". On failure *o still holds the message, to be read by lg_chaplygin_message() and freed by
 *  lg_chaplygin_destroy(). LG_ERROR_ARGUMENT: incomplete system, the number of rows is not d, an index out of range or
 *  twice, a shape direction outside R^n and T^n, h not finite or 0, unknown retraction; LG_ERROR_UNSUPPORTED: forces,
 *  holonomic constraints, time dependence, a retraction that does not fit; LG_ERROR_SINGULAR: constant inertia or rows
 *  that are; LG_ERROR_MEMORY (then *o is NULL). Arrays are copied; group and context must outlive the object. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_create(lg_chaplygin **o, const lg_system *S, const int *shape, int count,
                                                   const char *retraction, double h);
/** The same with a retraction object; it must outlive the Chaplygin object. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_create_with(lg_chaplygin **o, const lg_system *S, const int *shape,
                                                        int count, const lg_retraction *r, double h);
/** Frees the object. NULL is allowed. */
LG_API void lg_chaplygin_destroy(lg_chaplygin *o);
/** Bytes of the one block that it takes. */
LG_API size_t lg_chaplygin_bytes(const lg_chaplygin *o);
/** The text of the last error; "" if there was none. If the object is NULL, it says out of memory. */
LG_API const char *lg_chaplygin_message(const lg_chaplygin *o);

/** Starts at (t0, g0), g0 an element of the system's group, with the shape velocity v0 (s numbers): P_0 = J*(r_0) v_0,
 *  DLA's p^+_0 = J xi_0 projected. LG_ERROR_ARGUMENT: g0 is not on the group (projected if within 1e-6), or the metric,
 *  the potential or the connection changes along G there: not a Chaplygin system; LG_ERROR_UNSUPPORTED: a drift;
 *  LG_ERROR_SINGULAR: the rows do not determine xi, or a metric that is not positive; LG_ERROR_CALLBACK,
 *  LG_ERROR_NOT_FINITE. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_start(lg_chaplygin *o, double t0, const double *g0, const double *v0);
/** Newton's tolerance on the last correction, relative (default 1e-8: the next one would be round-off), and the largest
 *  number of iterations (default 50). LG_ERROR_ARGUMENT: not positive. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_set_newton(lg_chaplygin *o, double tolerance, int iterations);
/** One step. LG_ERROR_CONVERGENCE: Newton did not converge (h too large), LG_ERROR_DOMAIN, LG_ERROR_SINGULAR,
 *  LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE; the state stays as it was and lg_chaplygin_message() says why. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_step(lg_chaplygin *o);

/** t_k = t_0 + k h. */
LG_API double lg_chaplygin_time(const lg_chaplygin *o);
/** k, steps done since the start. */
LG_API int64_t lg_chaplygin_step_index(const lg_chaplygin *o);
/** Newton iterations of the last step. */
LG_API int lg_chaplygin_iterations(const lg_chaplygin *o);
/** The reconstructed element of the system's group at t_k, valid until the next step (so for all pointers here). */
LG_API const double *lg_chaplygin_configuration(const lg_chaplygin *o);
/** r = r_k, s numbers in the order of `shape`. */
LG_API void lg_chaplygin_shape(const lg_chaplygin *o, double *r);
/** P_k, s numbers. */
LG_API const double *lg_chaplygin_momentum(const lg_chaplygin *o);
/** p^+_k of DLA, n numbers in the order of the system's group: shape part P + A^T M^+, group part M^+ as it arrived. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_momentum_plus(lg_chaplygin *o, double *p);
/** v = J*(r_k)^-1 P_k, s numbers. LG_ERROR_SINGULAR, LG_ERROR_CALLBACK. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_velocity(lg_chaplygin *o, double *v);
/** The whole body velocity (v, xi)_{k-1} of the last step in the order of the system's group; zeros at the start. */
LG_API const double *lg_chaplygin_step_velocity(const lg_chaplygin *o);
/** The d multipliers at the node that the last step left, t_{k-1}, in the system's rows and force units:
 *  p' = ... + A^T lambda; zeros at the start. */
LG_API const double *lg_chaplygin_multipliers(const lg_chaplygin *o);
/** 1/2 P.J*^-1 P + V at r_k, the energy of the projected momentum; NaN if a callback fails. */
LG_API double lg_chaplygin_energy(lg_chaplygin *o);

/** A(r), d x s, rows in the order of the group's directions, columns in the order of `shape`; r has s numbers (so for
 *  all that follow, which need no start). LG_ERROR_SINGULAR, LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_connection(lg_chaplygin *o, double *A, const double *r);
/** J*(r) = [1, -A^T] J [1; -A], s x s. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_metric(lg_chaplygin *o, double *J, const double *r);
/** *L = L*(r, v). */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_lagrangian(lg_chaplygin *o, double *L, const double *r, const double *v);
/** F(r, v), s numbers: d/dt L*_v - L*_r = -F. It does no work: v.F = 0. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_force(lg_chaplygin *o, double *F, const double *r, const double *v);
/** D_1 L*_d, D_2 L*_d, F^- and F^+ (s numbers each) for the pair (r, r + h v). Derivatives of the connection are the
 *  system's covectors_derivative, or differences. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_slopes(lg_chaplygin *o, double *D1, double *D2, double *F_minus,
                                                   double *F_plus, const double *r, const double *v);

LG_END

#endif
