/* SPDX-License-Identifier: BSD-3-Clause */
/** @file gni.h
 *  Discrete mechanics on a Lie groupoid: Legendre transformations of a discrete Lagrangian, and the GNI.
 *
 *  A discrete Lagrangian is a function L_d on the groupoid; it contains the factor h. Its Legendre transformations are
 *
 *      <F^+L_d(g), eta> =  d/ds L_d(g sigma(target(g), s eta))     at s = 0, a covector at target(g),
 *      <F^-L_d(g), eta> = -d/ds L_d(sigma(source(g), s eta)^-1 g)  at s = 0, a covector at source(g).
 *
 *  The GNI goes from g_k to g_{k+1} by source(g_{k+1}) = target(g_k) = q and F^-L_d(g_{k+1}) = (P - Q)* F^+L_d(g_k) + 2
 *  Q* Pi. The projectors P and Q are those of the constraints A(q)(xi - Y(q)) = 0 in the bundle metric J(q), and Pi = J
 *  Y is the momentum of the drift Y: equations (48) of [P2] (docs/theory.md) with the affine term of (38) there. Slopes
 *  that are not given are differences of L_d, extrapolated as far as round-off allows. Momenta: p^+ arrives at a node,
 *  p^- leaves it, p~ is the momentum at the node that satisfies the constraints (docs/conventions.md). */
#ifndef LIEGRP_GROUPOIDS_GNI_H
#define LIEGRP_GROUPOIDS_GNI_H

#include <stdint.h>

#include "../mechanics/system.h"
#include "groupoid.h"

LG_BEGIN

/** *L = L_d(g) over a step h that begins at lg_call::t. Set *L to NaN where L_d is not defined; a difference then tries
 *  a smaller displacement. A nonzero return aborts the step and is reported. */
typedef int (*lg_groupoid_scalar_fn)(const lg_call *c, double h, const double *g, double *L);
/** out = F^-L_d(g) or F^+L_d(g), n numbers. */
typedef int (*lg_groupoid_slope_fn)(const lg_call *c, double h, const double *g, double *out);

/** A discrete mechanical system on a groupoid. Start from lg_groupoid_system_default(). An integrator copies the arrays
 *  of numbers when it is created; groupoid and context must outlive it. Callbacks see lg_call::context and lg_call::t.
 *  Fields are evaluated at a point of the base. */
typedef struct lg_groupoid_system {
    size_t size;                 /**< sizeof(lg_groupoid_system), set by lg_groupoid_system_default() */
    const lg_groupoid *groupoid; /**< the groupoid on which the motion takes place */
    const void *context;         /**< passed to every callback */

    lg_groupoid_scalar_fn lagrangian; /**< L_d; may be NULL if both slopes are given */
    lg_groupoid_slope_fn slope_minus; /**< F^-L_d; NULL: differences of L_d */
    lg_groupoid_slope_fn slope_plus;  /**< F^+L_d; NULL: differences of L_d */
    const double *scales;             /**< n lengths over which L_d varies, for differences; NULL: all 1 */

    /** The metric on the fibres: exactly one of inertia_diagonal, inertia and metric. This one is a constant diagonal,
     *  n numbers. */
    const double *inertia_diagonal;
    const double *inertia; /**< constant symmetric positive definite n x n matrix */
    lg_field_fn metric;    /**< J(x), n x n */

    int constraint_count;          /**< m, number of rows; 0 <= m < n */
    const double *covector_matrix; /**< constant rows, m x n; no drift */
    lg_covectors_fn covectors;     /**< rows A(x), m x n, and drift Y(x), n */
} lg_groupoid_system;

/** Initialises a system of `size` bytes; see lg_groupoid_system_default(). */
LG_API void lg_groupoid_system_init(lg_groupoid_system *S, size_t size, const lg_groupoid *gpd);
/** An empty system on gpd. */
static inline lg_groupoid_system lg_groupoid_system_default(const lg_groupoid *gpd)
{
    lg_groupoid_system S;
    lg_groupoid_system_init(&S, sizeof S, gpd);
    return S;
}

/** minus = F^-L_d(g) and plus = F^+L_d(g) for a step h that begins at t; either may be NULL. *accuracy (may be NULL) is
 *  the estimated error of their largest entry, 0 if slopes are given.
 *  - LG_ERROR_ARGUMENT: a NULL, or an incomplete system.
 *  - LG_ERROR_NOT_FINITE: L_d is not finite near g.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_DOMAIN: an operation of the groupoid is not defined there.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_legendre(const lg_groupoid_system *S, double *minus, double *plus,
                                                    double *accuracy, double t, double h, const double *g,
                                                    lg_error *error);

/** One trajectory: opaque. It belongs to one thread at a time. A step allocates nothing. */
typedef struct lg_groupoid_gni lg_groupoid_gni;

/** Creates an integrator for step h; a negative h goes back in time. On failure *it still holds the message: read it
 *  with lg_groupoid_gni_message() and free it with lg_groupoid_gni_destroy().
 *  - LG_ERROR_ARGUMENT: h is 0 or not finite, an operation of the groupoid is NULL, or the system is incomplete.
 *  - LG_ERROR_SINGULAR: a constant inertia is not positive definite.
 *  - LG_ERROR_MEMORY: out of memory; *it is NULL. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_create(lg_groupoid_gni **it, const lg_groupoid_system *S, double h);
/** Frees the object. NULL is allowed. */
LG_API void lg_groupoid_gni_destroy(lg_groupoid_gni *it);
/** Memory of the object in bytes, everything included. */
LG_API size_t lg_groupoid_gni_bytes(const lg_groupoid_gni *it);

/** Starts at the point x0 (NULL if the base is one point) with the momentum p^-_0 that leaves it (n numbers). The
 *  element of step 0 is the unit of x0.
 *  - LG_ERROR_ARGUMENT: a NULL.
 *  - LG_ERROR_NOT_FINITE: a value at x0 is not finite.
 *  - LG_ERROR_SINGULAR: a matrix at x0 is singular.
 *  - LG_ERROR_CALLBACK: a callback failed at x0.
 *  - LG_ERROR_DOMAIN: an operation of the groupoid is not defined at x0. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_start(lg_groupoid_gni *it, double t0, const double *x0,
                                                     const double *p_minus0);
/** Starts with the element g0 that begins at t0: the state is that at target(g0) and t0 + h. Errors are those of
 *  lg_groupoid_gni_start(). */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_start_element(lg_groupoid_gni *it, double t0, const double *g0);
/** Sets Newton's tolerance (default 1e-11) and the largest number of iterations (default 50). The next element is
 *  accepted if the last correction is round-off, or if it no longer shrinks and is below `tolerance` times max(|eta|,
 *  1e-3), in units of the scales.
 *  - LG_ERROR_ARGUMENT: a value is not positive. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_set_newton(lg_groupoid_gni *it, double tolerance, int iterations);
/** Makes one step. On failure the state is unchanged, and lg_groupoid_gni_message() says why.
 *  - LG_ERROR_CONVERGENCE: the next element was not found (h too large, or differences of L_d too rough).
 *  - LG_ERROR_SINGULAR: the rows are dependent, or the metric is not definite.
 *  - LG_ERROR_CALLBACK: a callback failed.
 *  - LG_ERROR_NOT_FINITE: a value is not finite.
 *  - LG_ERROR_DOMAIN: an operation of the groupoid is not defined there. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_step(lg_groupoid_gni *it);

/** The text of the last error; "" after success. For NULL it says that there is no object. */
LG_API const char *lg_groupoid_gni_message(const lg_groupoid_gni *it);
/** t_k = t_0 + k h. */
LG_API double lg_groupoid_gni_time(const lg_groupoid_gni *it);
/** k, the number of steps since the start. */
LG_API int64_t lg_groupoid_gni_step_index(const lg_groupoid_gni *it);
/** The point q_k. This and all other pointers that these functions return are valid until the next call that changes
 *  the integrator. */
LG_API const double *lg_groupoid_gni_base(const lg_groupoid_gni *it);
/** g_k, the element that led to q_k. */
LG_API const double *lg_groupoid_gni_element(const lg_groupoid_gni *it);
/** p^+_k = F^+L_d(g_k), the momentum that arrives at q_k. */
LG_API const double *lg_groupoid_gni_momentum_plus(const lg_groupoid_gni *it);
/** p^-_k = F^-L_d(g_{k+1}), the momentum that leaves q_k. */
LG_API const double *lg_groupoid_gni_momentum_minus(const lg_groupoid_gni *it);
/** p~_k = (p^+_k + p^-_k)/2, which satisfies the constraints. */
LG_API const double *lg_groupoid_gni_momentum(const lg_groupoid_gni *it);
/** xi = J(q_k)^-1 p~_k, n numbers. */
LG_API LG_MUST_CHECK lg_status lg_groupoid_gni_velocity(const lg_groupoid_gni *it, double *xi);
/** The m multipliers at q_k in force units: h A^T lambda = p^-_k - p^+_k. */
LG_API const double *lg_groupoid_gni_multipliers(const lg_groupoid_gni *it);
/** The largest |A (J^-1 p~_k - Y)| over the rows. */
LG_API double lg_groupoid_gni_constraint_residual(const lg_groupoid_gni *it);
/** The estimated error, largest entry, of the differences that replaced slopes in the last step; 0 if slopes are
 *  given. */
LG_API double lg_groupoid_gni_slope_error(const lg_groupoid_gni *it);
/** Newton corrections of the last step. */
LG_API int lg_groupoid_gni_iterations(const lg_groupoid_gni *it);

LG_END

#endif
