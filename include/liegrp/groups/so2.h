/* SPDX-License-Identifier: BSD-3-Clause */
/** @file so2.h
 *  SO(2) directly, without a descriptor: rotations of the plane.
 *
 *  - *Elements* g = (cos, sin): the unit complex number of R = [[cos, -sin], [sin, cos]]. Unlike an angle of T^1, an
 *    element never jumps.
 *  - *Algebra* xi = (w): hat(xi) = [[0, -w], [w, 0]]. The group is abelian: Ad = 1 and ad = 0.
 *  - *Aliasing*: outputs may be inputs, in every function.
 *  - *NaN* in gives NaN out, with LG_OK if there is a status.
 *  - *Accuracy*: all functions give the bits of the rotational part of SE(2). Functions renormalise only if their
 *    description states it.
 *  - *Large arguments*: exp takes any angle as it is. The operations of lg_so2() return LG_ERROR_DOMAIN beyond 1e100.
 */
#ifndef LIEGRP_GROUPS_SO2_H
#define LIEGRP_GROUPS_SO2_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** @name Group */
/** @{ */
/** g = e = (1, 0). */
LG_API void lg_so2_identity(double g[LG_LEN(2)]);
/** r = a b. */
LG_API void lg_so2_compose(double r[LG_LEN(2)], const double a[LG_LEN(2)], const double b[LG_LEN(2)]);
/** r = g^-1. */
LG_API void lg_so2_inverse(double r[LG_LEN(2)], const double g[LG_LEN(2)]);
/** y = R p, a point of the plane. */
LG_API void lg_so2_act(double y[LG_LEN(2)], const double g[LG_LEN(2)], const double p[LG_LEN(2)]);
/** y = R^T p. */
LG_API void lg_so2_act_inverse(double y[LG_LEN(2)], const double g[LG_LEN(2)], const double p[LG_LEN(2)]);
/** d = |log(a^-1 b)|, an angle in [0, pi]. NaN if a or b is not a rotation. */
LG_API double lg_so2_distance(const double a[LG_LEN(2)], const double b[LG_LEN(2)]);
/** r = a exp(s log(a^-1 b)): from a (s = 0) to b (s = 1) the short way; other s extrapolate.
 *  - LG_ERROR_DOMAIN: a^-1 b is not a rotation (cos^2 + sin^2 < 1/4). */
LG_API LG_MUST_CHECK lg_status lg_so2_interpolate(double r[LG_LEN(2)], const double a[LG_LEN(2)],
                                                  const double b[LG_LEN(2)], double s);
/** r = g brought to length 1.
 *  - LG_ERROR_DOMAIN: cos = sin = 0. */
LG_API LG_MUST_CHECK lg_status lg_so2_project(double r[LG_LEN(2)], const double g[LG_LEN(2)]);
/** @} */

/** @name Conversions */
/** @{ */
/** R = [[cos, -sin], [sin, cos]]. */
LG_API void lg_so2_to_matrix(double R[LG_LEN(4)], const double g[LG_LEN(2)]);
/** g = the rotation nearest to the matrix R, which may be noisy.
 *  - LG_ERROR_DOMAIN: det R <= 0, or R is farther from its rotation than half of its norm (Frobenius). */
LG_API LG_MUST_CHECK lg_status lg_so2_from_matrix(double g[LG_LEN(2)], const double R[LG_LEN(4)]);
/** The angle of g, in (-pi, pi]. */
LG_API double lg_so2_to_angle(const double g[LG_LEN(2)]);
/** g = (cos angle, sin angle), any angle. */
LG_API void lg_so2_from_angle(double g[LG_LEN(2)], double angle);
/** @} */

/** @name Algebra */
/** @{ */
/** X = hat(xi), 2 x 2. */
LG_API void lg_so2_hat(double X[LG_LEN(4)], const double xi[LG_LEN(1)]);
/** xi = vee(X), from the skew part of X. */
LG_API void lg_so2_vee(double xi[LG_LEN(1)], const double X[LG_LEN(4)]);
/** M = Ad_g = 1. */
LG_API void lg_so2_Ad(double M[LG_LEN(1)], const double g[LG_LEN(2)]);
/** out = Ad*_g p = p. */
LG_API void lg_so2_coAd_apply(double out[LG_LEN(1)], const double g[LG_LEN(2)], const double p[LG_LEN(1)]);
/** M = ad_xi = 0. */
LG_API void lg_so2_ad(double M[LG_LEN(1)], const double xi[LG_LEN(1)]);
/** out = ad*_xi p = 0. */
LG_API void lg_so2_coad_apply(double out[LG_LEN(1)], const double xi[LG_LEN(1)], const double p[LG_LEN(1)]);
/** @} */

/** @name Exponential */
/** @{ */
/** g = exp(xi) = (cos w, sin w). */
LG_API void lg_so2_exp(double g[LG_LEN(2)], const double xi[LG_LEN(1)]);
/** xi = log(g), w in (-pi, pi].
 *  - LG_ERROR_DOMAIN: cos^2 + sin^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_so2_log(double xi[LG_LEN(1)], const double g[LG_LEN(2)]);
/** M = dexp_xi = 1. */
LG_API void lg_so2_dexp(double M[LG_LEN(1)], const double xi[LG_LEN(1)]);
/** M = dexp^-1_xi = 1. */
LG_API void lg_so2_dexp_inv(double M[LG_LEN(1)], const double xi[LG_LEN(1)]);
/** out = (dexp^-1_xi)^* mu = mu. */
LG_API void lg_so2_dexp_inv_dual(double out[LG_LEN(1)], const double xi[LG_LEN(1)], const double mu[LG_LEN(1)]);
/** M = d/dxi [(dexp^-1_xi)^* mu] = 0. */
LG_API void lg_so2_dexp_inv_dual_derivative(double M[LG_LEN(1)], const double xi[LG_LEN(1)],
                                            const double mu[LG_LEN(1)]);
/** @} */

/** @name Cayley map
 *  cay(xi) = (1 - hat(xi)/2)^-1 (1 + hat(xi)/2): the angle is 2 arctan(w/2), below pi. d = 1 + w^2/4. */
/** @{ */
/** g = cay(xi): cos = (1 - w^2/4)/d, sin = w/d. */
LG_API void lg_so2_cay(double g[LG_LEN(2)], const double xi[LG_LEN(1)]);
/** xi = cay^-1(g): w = 2 sin/(1 + cos).
 *  - LG_ERROR_DOMAIN: g turns by pi within round-off (|w|/2 >= 1/(4 eps)), or cos = sin = 0. */
LG_API LG_MUST_CHECK lg_status lg_so2_cay_inv(double xi[LG_LEN(1)], const double g[LG_LEN(2)]);
/** M = dcay_xi = 1/d. */
LG_API void lg_so2_dcay(double M[LG_LEN(1)], const double xi[LG_LEN(1)]);
/** M = dcay^-1_xi = d. */
LG_API void lg_so2_dcay_inv(double M[LG_LEN(1)], const double xi[LG_LEN(1)]);
/** out = (dcay^-1_xi)^* mu = d mu. */
LG_API void lg_so2_dcay_inv_dual(double out[LG_LEN(1)], const double xi[LG_LEN(1)], const double mu[LG_LEN(1)]);
/** M = d/dxi [(dcay^-1_xi)^* mu] = (w/2) mu. */
LG_API void lg_so2_dcay_inv_dual_derivative(double M[LG_LEN(1)], const double xi[LG_LEN(1)],
                                            const double mu[LG_LEN(1)]);
/** @} */

LG_END

#endif
