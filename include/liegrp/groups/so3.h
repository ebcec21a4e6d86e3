/* SPDX-License-Identifier: BSD-3-Clause */
/** @file so3.h
 *  SO(3) directly, without a descriptor: rotations as unit quaternions.
 *
 *  - *Elements* q = (x, y, z, w), Hamilton convention, |q| = 1; q and -q are the same rotation R(q).
 *  - *Algebra* so(3) = R^3 by lg_so3_hat(): hat(a) b = a x b. Covectors are R^3 too, paired by the dot product.
 *  - *Matrices* are 3 x 3, row-major. W stands for hat(w), t for |w|.
 *  - *Tangents* are right-trivialised: D tau(w).eta = hat(dtau_w eta) R(tau(w)). dexp is the left Jacobian of robotics
 *    (jacobian.h has both by name).
 *  - *Aliasing*: outputs may be inputs, in every function.
 *  - *NaN* in gives NaN out, with LG_OK if there is a status.
 *  - *Accuracy*: 2e-15 of the largest term for 0 <= t <= pi. Functions renormalise only if their description states it.
 *  - *Large arguments*: the error of exp is at most 2e-15 max(1, t). Beyond t = 2^20 exp and its tangents are NaN;
 *    beyond 1e100 those of Cayley are, or they overflow. The operations of lg_so3() return LG_ERROR_DOMAIN then.
 *
 *  Sources: A. Iserles, H. Munthe-Kaas, S. Norsett, A. Zanna, Lie-group methods, Acta Numerica 9 (2000),
 *  doi:10.1017/S0962492900002154, for dexp and its inverse; N. Bou-Rabee, J. Marsden, Hamilton-Pontryagin integrators
 * on Lie groups, Found. Comput. Math. 9 (2009), doi:10.1007/s10208-008-9030-4, for tau, dtau and the Cayley map; S.
 * Shepperd, Quaternion from rotation matrix, J. Guidance Control 1 (1978), doi:10.2514/3.55767b. */
#ifndef LIEGRP_GROUPS_SO3_H
#define LIEGRP_GROUPS_SO3_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** @name Group */
/** @{ */
/** q = e = (0, 0, 0, 1). */
LG_API void lg_so3_identity(double q[LG_LEN(4)]);
/** r = a b: first b, then a. 28 operations. */
LG_API void lg_so3_compose(double r[LG_LEN(4)], const double a[LG_LEN(4)], const double b[LG_LEN(4)]);
/** r = q^-1, the conjugate. */
LG_API void lg_so3_inverse(double r[LG_LEN(4)], const double q[LG_LEN(4)]);
/** y = R(q) x, a point or a vector. */
LG_API void lg_so3_act(double y[LG_LEN(3)], const double q[LG_LEN(4)], const double x[LG_LEN(3)]);
/** y = R(q)^T x. */
LG_API void lg_so3_act_inverse(double y[LG_LEN(3)], const double q[LG_LEN(4)], const double x[LG_LEN(3)]);
/** d = |log(a^-1 b)|, the angle between two rotations, in [0, pi]. NaN if a or b is zero. */
LG_API double lg_so3_distance(const double a[LG_LEN(4)], const double b[LG_LEN(4)]);
/** r = a exp(s log(a^-1 b)): the shortest way from a (s = 0) to b (s = 1); other s extrapolate.
 *  - LG_ERROR_DOMAIN: a^-1 b is not a rotation (|a^-1 b|^2 < 1/4). */
LG_API LG_MUST_CHECK lg_status lg_so3_interpolate(double r[LG_LEN(4)], const double a[LG_LEN(4)],
                                                  const double b[LG_LEN(4)], double s);
/** r = q/|q|, the unit quaternion nearest to q.
 *  - LG_ERROR_DOMAIN: q = 0. */
LG_API LG_MUST_CHECK lg_status lg_so3_project(double r[LG_LEN(4)], const double q[LG_LEN(4)]);
/** @} */

/** @name Conversions */
/** @{ */
/** R = the rotation matrix of q. */
LG_API void lg_so3_to_matrix(double R[LG_LEN(9)], const double q[LG_LEN(4)]);
/** q = the rotation nearest to the matrix R (polar factor by Newton's iteration X <- (X + X^-T)/2, then Shepperd's
 *  formula), w >= 0. R may be noisy.
 *  - LG_ERROR_DOMAIN: det R <= 0, or R is farther from that rotation than half of its norm (Frobenius), as a scaled or
 *    singular matrix is. */
LG_API LG_MUST_CHECK lg_status lg_so3_from_matrix(double q[LG_LEN(4)], const double R[LG_LEN(9)]);
/** p = (w, x, y, z) of q = (x, y, z, w). */
LG_API void lg_so3_to_wxyz(double p[LG_LEN(4)], const double q[LG_LEN(4)]);
/** q = (x, y, z, w)/|p| of p = (w, x, y, z).
 *  - LG_ERROR_DOMAIN: p = 0. */
LG_API LG_MUST_CHECK lg_status lg_so3_from_wxyz(double q[LG_LEN(4)], const double p[LG_LEN(4)]);
/** q = the rotation by `angle` (radians, any size) about `axis`, which need not have length 1.
 *  - LG_ERROR_DOMAIN: axis = 0. */
LG_API LG_MUST_CHECK lg_status lg_so3_from_axis_angle(double q[LG_LEN(4)], const double axis[LG_LEN(3)], double angle);
/** The unit axis and the angle in [0, pi] of q; the axis of the identity is (1, 0, 0).
 *  - LG_ERROR_DOMAIN: |q|^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_so3_to_axis_angle(double axis[LG_LEN(3)], double *angle, const double q[LG_LEN(4)]);
/** @} */

/** @name Algebra */
/** @{ */
/** W = hat(w): W b = w x b. */
LG_API void lg_so3_hat(double W[LG_LEN(9)], const double w[LG_LEN(3)]);
/** w = vee(W), of the skew part of W. */
LG_API void lg_so3_vee(double w[LG_LEN(3)], const double W[LG_LEN(9)]);
/** M = Ad_q = R(q). */
LG_API void lg_so3_Ad(double M[LG_LEN(9)], const double q[LG_LEN(4)]);
/** out = Ad*_q p = (Ad_q)^T p = R(q)^T p. */
LG_API void lg_so3_coAd_apply(double out[LG_LEN(3)], const double q[LG_LEN(4)], const double p[LG_LEN(3)]);
/** M = ad_w = W. */
LG_API void lg_so3_ad(double M[LG_LEN(9)], const double w[LG_LEN(3)]);
/** out = ad*_w p = (ad_w)^T p = p x w. */
LG_API void lg_so3_coad_apply(double out[LG_LEN(3)], const double w[LG_LEN(3)], const double p[LG_LEN(3)]);
/** @} */

/** @name Exponential
 *  With B = (1 - cos t)/t^2, C = (t - sin t)/t^3, E = (1 - (t/2) cot(t/2))/t^2. */
/** @{ */
/** q = exp(w) = (w sin(t/2)/t, cos(t/2)). */
LG_API void lg_so3_exp(double q[LG_LEN(4)], const double w[LG_LEN(3)]);
/** w = log(q), |w| <= pi; at angle pi the sign of w is that of the vector part.
 *  - LG_ERROR_DOMAIN: |q|^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_so3_log(double w[LG_LEN(3)], const double q[LG_LEN(4)]);
/** J = dexp_w = I + B W + C W^2; right-trivialised. Singular at t = 2 pi. */
LG_API void lg_so3_dexp(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = dexp^-1_w = I - W/2 + E W^2. Its error grows as eps/|2 pi - t|. */
LG_API void lg_so3_dexp_inv(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** out = (dexp^-1_w)^* mu = mu + w x mu/2 + E w x (w x mu). */
LG_API void lg_so3_dexp_inv_dual(double out[LG_LEN(3)], const double w[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** M = d/dw [(dexp^-1_w)^* mu]: column j is the derivative along w_j. */
LG_API void lg_so3_dexp_inv_dual_derivative(double M[LG_LEN(9)], const double w[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** @} */

/** @name Cayley map
 *  R(cay(w)) = (I - W/2)^-1 (I + W/2): the rotation about w by the angle 2 arctan(t/2) < pi. */
/** @{ */
/** q = cay(w) = (w/2, 1)/sqrt(1 + t^2/4). */
LG_API void lg_so3_cay(double q[LG_LEN(4)], const double w[LG_LEN(3)]);
/** w = cay^-1(q) = 2 (x, y, z)/w.
 *  - LG_ERROR_DOMAIN: q is a rotation by pi within round-off (|w| <= 4 eps |(x, y, z)|). */
LG_API LG_MUST_CHECK lg_status lg_so3_cay_inv(double w[LG_LEN(3)], const double q[LG_LEN(4)]);
/** J = dcay_w = 2/(4 + t^2) (2I + W); right-trivialised. */
LG_API void lg_so3_dcay(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = dcay^-1_w = I - W/2 + w w^T/4. */
LG_API void lg_so3_dcay_inv(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** out = (dcay^-1_w)^* mu = mu + w x mu/2 + (w.mu) w/4. */
LG_API void lg_so3_dcay_inv_dual(double out[LG_LEN(3)], const double w[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** M = d/dw [(dcay^-1_w)^* mu] = -hat(mu)/2 + ((w.mu) I + w mu^T)/4: column j is the derivative along w_j. */
LG_API void lg_so3_dcay_inv_dual_derivative(double M[LG_LEN(9)], const double w[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** @} */

LG_END

#endif
