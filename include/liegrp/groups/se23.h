/* SPDX-License-Identifier: BSD-3-Clause */
/** @file se23.h
 *  SE_2(3) directly, without a descriptor: extended poses, that is position, velocity and attitude, as inertial
 *  navigation has them.
 *
 *  - *Elements* g = (r, v, q): position r (3), velocity v (3), then the unit quaternion q = (x, y, z, w) (4), Hamilton
 *    convention, R = R(q). The matrix is [[R, v, r], [0, 1, 0], [0, 0, 1]], 5 x 5.
 *  - *Algebra* xi = (a, b, w), that of r first, then that of v: hat(xi) = [[W, b, a], [0, 0, 0], [0, 0, 0]] with W =
 *    hat(w) of SO(3). Covectors are (k, m, n), paired by the dot product. A = hat(a), B = hat(b), t = |w|.
 *  - *Matrices* on the algebra are 9 x 9, row-major, in 3 x 3 blocks.
 *  - (r, q) and (v, q) are motions of SE(3) with one rotation; so are (a, w) and (b, w) its algebra vectors. Every
 *    formula is that of se3.h, for both.
 *  - *Tangents* are right-trivialised: D tau(xi).eta = hat(dtau_xi eta) tau(xi). dexp is the left Jacobian of robotics
 *    (jacobian.h has both by name).
 *  - *Aliasing*: outputs may be inputs, in every function.
 *  - *NaN* in gives NaN out, with LG_OK if there is a status.
 *  - *Accuracy*: 2e-15 of the largest term for 0 <= t <= pi. Functions renormalise only if their description states it.
 *  - *Large arguments*: the error of exp is at most 2e-15 max(1, t) of its largest term. Beyond t = 2^20 exp and its
 *    tangents are NaN; numbers beyond 1e100 overflow. The operations of lg_se23() return LG_ERROR_DOMAIN then.
 *
 *  Sources: A. Barrau, S. Bonnabel, The invariant extended Kalman filter as a stable observer, IEEE Trans. Automatic
 *  Control 62 (2017), doi:10.1109/TAC.2016.2594085, for the group; M. Brossard, A. Barrau, P. Chauchat, S. Bonnabel,
 *  Associating uncertainty to extended poses, IEEE Trans. Robotics 38 (2022), arXiv:2007.14097, for exp and dexp (their
 *  left Jacobian, in the order w, b, a). */
#ifndef LIEGRP_GROUPS_SE23_H
#define LIEGRP_GROUPS_SE23_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** @name Group */
/** @{ */
/** g = e = (0, 0, 0; 0, 0, 0; 0, 0, 0, 1). */
LG_API void lg_se23_identity(double g[LG_LEN(10)]);
/** r = a b = (r_a + R_a r_b, v_a + R_a v_b, q_a q_b). */
LG_API void lg_se23_compose(double r[LG_LEN(10)], const double a[LG_LEN(10)], const double b[LG_LEN(10)]);
/** r = g^-1 = (-R^T r, -R^T v, q^-1). */
LG_API void lg_se23_inverse(double r[LG_LEN(10)], const double g[LG_LEN(10)]);
/** y = R p + r, a point of space; the velocity plays no part. */
LG_API void lg_se23_act(double y[LG_LEN(3)], const double g[LG_LEN(10)], const double p[LG_LEN(3)]);
/** y = R^T (p - r). */
LG_API void lg_se23_act_inverse(double y[LG_LEN(3)], const double g[LG_LEN(10)], const double p[LG_LEN(3)]);
/** d = |log(a^-1 b)| in the coordinates (a, b, w). It adds lengths, velocities and radians, so it depends on the units.
 *  NaN if a or b is not an extended pose. */
LG_API double lg_se23_distance(const double a[LG_LEN(10)], const double b[LG_LEN(10)]);
/** r = a exp(s log(a^-1 b)): from a (s = 0) to b (s = 1); other s extrapolate.
 *  - LG_ERROR_DOMAIN: the quaternion of a^-1 b is not a rotation (its square < 1/4). */
LG_API LG_MUST_CHECK lg_status lg_se23_interpolate(double r[LG_LEN(10)], const double a[LG_LEN(10)],
                                                   const double b[LG_LEN(10)], double s);
/** r = g with the quaternion brought to length 1.
 *  - LG_ERROR_DOMAIN: the quaternion is zero. */
LG_API LG_MUST_CHECK lg_status lg_se23_project(double r[LG_LEN(10)], const double g[LG_LEN(10)]);
/** @} */

/** @name Conversions */
/** @{ */
/** T = [[R, v, r], [0, 1, 0], [0, 0, 1]], 5 x 5. */
LG_API void lg_se23_to_matrix(double T[LG_LEN(25)], const double g[LG_LEN(10)]);
/** g = the extended pose nearest to the 5 x 5 matrix T, which may be noisy.
 *  - LG_ERROR_DOMAIN: as lg_so3_from_matrix(), or the last two rows are not (0, 0, 0, 1, 0) and (0, 0, 0, 0, 1) within
 *    1/2. */
LG_API LG_MUST_CHECK lg_status lg_se23_from_matrix(double g[LG_LEN(10)], const double T[LG_LEN(25)]);
/** @} */

/** @name Algebra */
/** @{ */
/** X = hat(xi), 5 x 5. */
LG_API void lg_se23_hat(double X[LG_LEN(25)], const double xi[LG_LEN(9)]);
/** xi = vee(X): a and b from the last two columns, w from the skew part of the upper left block. */
LG_API void lg_se23_vee(double xi[LG_LEN(9)], const double X[LG_LEN(25)]);
/** M = Ad_g = [[R, 0, hat(r) R], [0, R, hat(v) R], [0, 0, R]]. */
LG_API void lg_se23_Ad(double M[LG_LEN(81)], const double g[LG_LEN(10)]);
/** out = Ad*_g p = (Ad_g)^T p = (R^T k, R^T m, R^T (n - r x k - v x m)). */
LG_API void lg_se23_coAd_apply(double out[LG_LEN(9)], const double g[LG_LEN(10)], const double p[LG_LEN(9)]);
/** M = ad_xi = [[W, 0, A], [0, W, B], [0, 0, W]]. */
LG_API void lg_se23_ad(double M[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** out = ad*_xi p = (ad_xi)^T p = (k x w, m x w, k x a + m x b + n x w). */
LG_API void lg_se23_coad_apply(double out[LG_LEN(9)], const double xi[LG_LEN(9)], const double p[LG_LEN(9)]);
/** @} */

/** @name Exponential
 *  D_w = dexp_w of SO(3); a block marked d_a or d_b is the derivative of the block of w along a or b. */
/** @{ */
/** g = exp(xi): rotation exp(w), position D_w a, velocity D_w b. */
LG_API void lg_se23_exp(double g[LG_LEN(10)], const double xi[LG_LEN(9)]);
/** xi = log(g): w = log(q), |w| <= pi, a = D_w^-1 r, b = D_w^-1 v.
 *  - LG_ERROR_DOMAIN: |q|^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_se23_log(double xi[LG_LEN(9)], const double g[LG_LEN(10)]);
/** M = dexp_xi = [[D_w, 0, d_a D_w], [0, D_w, d_b D_w], [0, 0, D_w]]; right-trivialised. Singular at t = 2 pi. */
LG_API void lg_se23_dexp(double M[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** M = dexp^-1_xi = [[D_w^-1, 0, d_a D_w^-1], [0, D_w^-1, d_b D_w^-1], [0, 0, D_w^-1]]. Its error grows as
 *  eps/|2 pi - t|^2. */
LG_API void lg_se23_dexp_inv(double M[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** out = (dexp^-1_xi)^* mu. */
LG_API void lg_se23_dexp_inv_dual(double out[LG_LEN(9)], const double xi[LG_LEN(9)], const double mu[LG_LEN(9)]);
/** M = d/dxi [(dexp^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se23_dexp_inv_dual_derivative(double M[LG_LEN(81)], const double xi[LG_LEN(9)],
                                             const double mu[LG_LEN(9)]);
/** @} */

/** @name Cayley map
 *  cay(xi) = (1 - hat(xi)/2)^-1 (1 + hat(xi)/2): the rotation is cay(w) of SO(3). */
/** @{ */
/** g = cay(xi): position (I - W/2)^-1 a, velocity (I - W/2)^-1 b. */
LG_API void lg_se23_cay(double g[LG_LEN(10)], const double xi[LG_LEN(9)]);
/** xi = cay^-1(g): w = cay^-1(q), a = (I - W/2) r, b = (I - W/2) v.
 *  - LG_ERROR_DOMAIN: as lg_so3_cay_inv(). */
LG_API LG_MUST_CHECK lg_status lg_se23_cay_inv(double xi[LG_LEN(9)], const double g[LG_LEN(10)]);
/** M = dcay_xi = [[S, 0, A dcay_w/2], [0, S, B dcay_w/2], [0, 0, dcay_w]], S = (I - W/2)^-1; right-trivialised. */
LG_API void lg_se23_dcay(double M[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** M = dcay^-1_xi = [[I - W/2, 0, -A/2 + W A/4], [0, I - W/2, -B/2 + W B/4], [0, 0, I - W/2 + w w^T/4]]. */
LG_API void lg_se23_dcay_inv(double M[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** out = (dcay^-1_xi)^* mu. */
LG_API void lg_se23_dcay_inv_dual(double out[LG_LEN(9)], const double xi[LG_LEN(9)], const double mu[LG_LEN(9)]);
/** M = d/dxi [(dcay^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se23_dcay_inv_dual_derivative(double M[LG_LEN(81)], const double xi[LG_LEN(9)],
                                             const double mu[LG_LEN(9)]);
/** @} */

LG_END

#endif
