/* SPDX-License-Identifier: BSD-3-Clause */
/** @file chaplygin.h
 *  Chaplygin systems: reduction by a principal connection, the midpoint RDLA on shape space, reconstruction.
 *
 *  The configuration space is Q = M x G. Some directions of the system's group, all in factors R^n or T^n, are the
 *  shape r in M. The others make up the structure group G, abelian or not, which acts from the left. Metric, potential
 *  and rows depend on r alone. There are dim G rows, which define the principal connection: with rows [A(r), 1] on (r',
 *  xi) and body velocity xi = g^-1 g',
 *
 *      xi = -A(r) r'.
 *
 *  Any other rows with the same kernel do as well. The motion of r alone follows from the reduced Lagrangian L*(r, v) =
 *  L(r, v, -A v) = 1/2 v.J*(r) v - V(r) and a gyroscopic force F,
 *
 *      d/dt L*_v - L*_r = -F,   F_b = p.(v^c (d_c A_b - d_b A_c) + [xi, A_b]),   p = dL/dxi at xi = -A v.
 *
 *  One step of length h: with v = (r_{k+1} - r_k)/h and everything at the middle r_m, L*_d = h L*(r_m, v), solve
 *
 *      D_1 L*_d(r_k, r_{k+1}) + D_2 L*_d(r_{k-1}, r_k) = F^-(r_k, r_{k+1}) + F^+(r_{k-1}, r_k)
 *
 *  for r_{k+1}, then reconstruct g_{k+1} = g_k tau(h xi_k), xi_k = -A(r_m) v. With these F^- and F^+ the result is
 *  exactly the projection of "dla:midpoint" for every structure group and retraction (docs/theory.md, section on
 *  reduction). The state on M is one covector, P_k = D_2 L*_d - F^+ = -D_1 L*_d + F^-, the momentum that DLA projects.
 *
 *  All memory is taken when the object is created. A step does not allocate, lock or print. A step that fails leaves
 *  the state unchanged. An object belongs to one thread at a time. */
#ifndef LIEGRP_REDUCTION_CHAPLYGIN_H
#define LIEGRP_REDUCTION_CHAPLYGIN_H

#include <stdint.h>

#include "../mechanics/system.h"
#include "../retractions/retraction.h"

LG_BEGIN

/** A Chaplygin system with its reduced trajectory: opaque. Below, s = dim M, d = dim G, n = s + d. */
typedef struct lg_chaplygin lg_chaplygin;

/** Creates the reduction of the system S for step h. `shape` lists the s = `count` directions (indices of the body
 *  velocity, from 0) that make up M, in the order of the components of r; the others make up G. `retraction` is a name
 *  of lg_retraction_names(); NULL is "exp". Arrays are copied; group and context must outlive the object. On failure *o
 *  still holds the message: read it with lg_chaplygin_message() and free it with lg_chaplygin_destroy().
 *  - LG_ERROR_ARGUMENT: the system is incomplete, the number of rows is not d, an index is out of range or occurs
 *    twice, a shape direction is outside R^n and T^n, h is 0 or not finite, or the retraction is unknown.
 *  - LG_ERROR_UNSUPPORTED: there are forces, holonomic constraints or time dependence, or the retraction does not fit.
 *  - LG_ERROR_SINGULAR: the constant inertia is singular, or constant rows are dependent.
 *  - LG_ERROR_MEMORY: out of memory; *o is NULL. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_create(lg_chaplygin **o, const lg_system *S, const int *shape, int count,
                                                   const char *retraction, double h);
/** lg_chaplygin_create() with a retraction object, which must outlive the Chaplygin object. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_create_with(lg_chaplygin **o, const lg_system *S, const int *shape,
                                                        int count, const lg_retraction *r, double h);
/** Frees the object. NULL is allowed. */
LG_API void lg_chaplygin_destroy(lg_chaplygin *o);
/** Memory of the object in bytes, one block. */
LG_API size_t lg_chaplygin_bytes(const lg_chaplygin *o);
/** The text of the last error; "" after success. For NULL it says that there is no object. */
LG_API const char *lg_chaplygin_message(const lg_chaplygin *o);

/** Starts at (t0, g0), an element of the system's group, with the shape velocity v0 (s numbers): P_0 = J*(r_0) v_0, the
 *  projection of DLA's p^+_0 = J xi_0, the momentum that arrives at the node (docs/conventions.md).
 *  - LG_ERROR_ARGUMENT: g0 is not on the group (it is projected if within 1e-6), or the metric, the potential or the
 *    connection changes along G there, so that this is not a Chaplygin system.
 *  - LG_ERROR_UNSUPPORTED: the constraints have a drift.
 *  - LG_ERROR_SINGULAR: the rows do not determine xi, or the metric is not positive definite.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_start(lg_chaplygin *o, double t0, const double *g0, const double *v0);
/** Sets Newton's relative tolerance on the last correction (default 1e-8: the next one would be round-off) and the
 *  largest number of iterations (default 50).
 *  - LG_ERROR_ARGUMENT: a value is not positive. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_set_newton(lg_chaplygin *o, double tolerance, int iterations);
/** Makes one step. On failure the state is unchanged, and lg_chaplygin_message() says why.
 *  - LG_ERROR_CONVERGENCE: Newton's method did not converge (h too large).
 *  - LG_ERROR_DOMAIN: the retraction left its domain.
 *  - LG_ERROR_SINGULAR: a matrix is singular.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_step(lg_chaplygin *o);

/** t_k = t_0 + k h. */
LG_API double lg_chaplygin_time(const lg_chaplygin *o);
/** k, the number of steps since the start. */
LG_API int64_t lg_chaplygin_step_index(const lg_chaplygin *o);
/** Newton iterations of the last step. */
LG_API int lg_chaplygin_iterations(const lg_chaplygin *o);
/** The reconstructed element of the system's group at t_k. This and all other pointers that these functions return are
 *  valid until the next step. */
LG_API const double *lg_chaplygin_configuration(const lg_chaplygin *o);
/** r = r_k (s numbers), in the order of `shape`. */
LG_API void lg_chaplygin_shape(const lg_chaplygin *o, double *r);
/** P_k (s numbers). */
LG_API const double *lg_chaplygin_momentum(const lg_chaplygin *o);
/** p = p^+_k of DLA (n numbers), in the order of the system's group: the shape part is P + A^T M^+, the group part M^+
 *  as it arrived. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_momentum_plus(lg_chaplygin *o, double *p);
/** v = J*(r_k)^-1 P_k (s numbers).
 *  - LG_ERROR_SINGULAR: the metric or the rows are singular.
 *  - LG_ERROR_CALLBACK: a callback failed. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_velocity(lg_chaplygin *o, double *v);
/** The whole body velocity (v, xi)_{k-1} of the last step (n numbers), in the order of the system's group; zeros at the
 *  start. */
LG_API const double *lg_chaplygin_step_velocity(const lg_chaplygin *o);
/** The d multipliers at the node that the last step left, t_{k-1}, in the system's rows and force units: p' = ... + A^T
 *  lambda. Zeros at the start. */
LG_API const double *lg_chaplygin_multipliers(const lg_chaplygin *o);
/** 1/2 P.J*^-1 P + V at r_k, the energy of the projected momentum; NaN if a callback fails. */
LG_API double lg_chaplygin_energy(lg_chaplygin *o);

/** A = A(r), d x s, rows in the order of the group's directions, columns in the order of `shape`; r has s numbers. This
 *  and all functions below need no start and fail with
 *  - LG_ERROR_SINGULAR: the rows do not determine xi.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_connection(lg_chaplygin *o, double *A, const double *r);
/** J = J*(r) = [1, -A^T] J [1; -A], s x s. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_metric(lg_chaplygin *o, double *J, const double *r);
/** *L = L*(r, v). */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_lagrangian(lg_chaplygin *o, double *L, const double *r, const double *v);
/** F = F(r, v) (s numbers): d/dt L*_v - L*_r = -F. It does no work: v.F = 0. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_force(lg_chaplygin *o, double *F, const double *r, const double *v);
/** D_1 L*_d, D_2 L*_d, F^- and F^+ (s numbers each) for the pair (r, r + h v). Derivatives of the connection are the
 *  system's covectors_derivative, or differences. */
LG_API LG_MUST_CHECK lg_status lg_chaplygin_slopes(lg_chaplygin *o, double *D1, double *D2, double *F_minus,
                                                   double *F_plus, const double *r, const double *v);

LG_END

#endif
