/* SPDX-License-Identifier: BSD-3-Clause */
/** @file se3.h
 *  SE(3) directly, without a descriptor: motions of space.
 *
 *  - *Elements* g = (r, q): translation r (3), then the unit quaternion q = (x, y, z, w) (4), Hamilton convention. The
 *    motion is p -> R p + r with R = R(q).
 *  - *Algebra* xi = (v, w), translation first: hat(xi) = [[W, v], [0, 0]] with W = hat(w) of SO(3). Covectors are
 *    (m, n), paired by the dot product. V = hat(v), t = |w|.
 *  - *Matrices* on the algebra are 6 x 6, row-major, in 3 x 3 blocks.
 *  - *Tangents* are right-trivialised: D tau(xi).eta = hat(dtau_xi eta) tau(xi). dexp is the left Jacobian of robotics
 *    (jacobian.h has both by name).
 *  - *Aliasing*: outputs may be inputs, in every function.
 *  - *NaN* in gives NaN out, with LG_OK if there is a status.
 *  - *Accuracy*: 2e-15 of the largest term for 0 <= t <= pi. Functions renormalise only if their description states it.
 *  - *Large arguments*: the error of exp is at most 2e-15 max(1, t) of its largest term. Beyond t = 2^20 exp and its
 *    tangents are NaN; numbers beyond 1e100 overflow. The operations of lg_se3() return LG_ERROR_DOMAIN then.
 *
 *  Sources: T. Barfoot, P. Furgale, Associating uncertainty with three-dimensional poses, IEEE Trans. Robotics 30
 *  (2014), doi:10.1109/TRO.2014.2298059, for dexp (their left Jacobian; the same order of v and w); N. Bou-Rabee,
 *  J. Marsden, Hamilton-Pontryagin integrators on Lie groups, Found. Comput. Math. 9 (2009),
 *  doi:10.1007/s10208-008-9030-4, for tau and dtau. */
#ifndef LIEGRP_GROUPS_SE3_H
#define LIEGRP_GROUPS_SE3_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** @name Group */
/** @{ */
/** g = e = (0, 0, 0; 0, 0, 0, 1). */
LG_API void lg_se3_identity(double g[LG_LEN(7)]);
/** r = a b: first b, then a. */
LG_API void lg_se3_compose(double r[LG_LEN(7)], const double a[LG_LEN(7)], const double b[LG_LEN(7)]);
/** r = g^-1 = (-R^T r, q^-1). */
LG_API void lg_se3_inverse(double r[LG_LEN(7)], const double g[LG_LEN(7)]);
/** y = R p + r, a point of space. */
LG_API void lg_se3_act(double y[LG_LEN(3)], const double g[LG_LEN(7)], const double p[LG_LEN(3)]);
/** y = R^T (p - r). */
LG_API void lg_se3_act_inverse(double y[LG_LEN(3)], const double g[LG_LEN(7)], const double p[LG_LEN(3)]);
/** d = |log(a^-1 b)| in the coordinates (v, w). It adds lengths and radians, so it depends on the unit of length. NaN
 *  if a or b is not a motion. */
LG_API double lg_se3_distance(const double a[LG_LEN(7)], const double b[LG_LEN(7)]);
/** r = a exp(s log(a^-1 b)): from a (s = 0) to b (s = 1) by a screw; other s extrapolate.
 *  - LG_ERROR_DOMAIN: the quaternion of a^-1 b is not a rotation (its square < 1/4). */
LG_API LG_MUST_CHECK lg_status lg_se3_interpolate(double r[LG_LEN(7)], const double a[LG_LEN(7)],
                                                  const double b[LG_LEN(7)], double s);
/** r = g with the quaternion brought to length 1.
 *  - LG_ERROR_DOMAIN: the quaternion is zero. */
LG_API LG_MUST_CHECK lg_status lg_se3_project(double r[LG_LEN(7)], const double g[LG_LEN(7)]);
/** @} */

/** @name Conversions */
/** @{ */
/** T = [[R, r], [0, 1]], 4 x 4. */
LG_API void lg_se3_to_matrix(double T[LG_LEN(16)], const double g[LG_LEN(7)]);
/** g = the motion nearest to the 4 x 4 matrix T, which may be noisy.
 *  - LG_ERROR_DOMAIN: as lg_so3_from_matrix(), or the last row is not (0, 0, 0, 1) within 1/2. */
LG_API LG_MUST_CHECK lg_status lg_se3_from_matrix(double g[LG_LEN(7)], const double T[LG_LEN(16)]);
/** The translation r and p = (w, x, y, z) of g. */
LG_API void lg_se3_to_wxyz(double r[LG_LEN(3)], double p[LG_LEN(4)], const double g[LG_LEN(7)]);
/** g = (r, (x, y, z, w)/|p|) of p = (w, x, y, z).
 *  - LG_ERROR_DOMAIN: p = 0. */
LG_API LG_MUST_CHECK lg_status lg_se3_from_wxyz(double g[LG_LEN(7)], const double r[LG_LEN(3)],
                                                const double p[LG_LEN(4)]);
/** The rotation matrix R (3 x 3) and the translation r of g. */
LG_API void lg_se3_to_rotation(double R[LG_LEN(9)], double r[LG_LEN(3)], const double g[LG_LEN(7)]);
/** g = (r, the rotation nearest to R).
 *  - LG_ERROR_DOMAIN: as lg_so3_from_matrix(). */
LG_API LG_MUST_CHECK lg_status lg_se3_from_rotation(double g[LG_LEN(7)], const double R[LG_LEN(9)],
                                                    const double r[LG_LEN(3)]);
/** @} */

/** @name Algebra */
/** @{ */
/** X = hat(xi), 4 x 4. */
LG_API void lg_se3_hat(double X[LG_LEN(16)], const double xi[LG_LEN(6)]);
/** xi = vee(X): v from the last column, w from the skew part of the upper left block. */
LG_API void lg_se3_vee(double xi[LG_LEN(6)], const double X[LG_LEN(16)]);
/** M = Ad_g = [[R, hat(r) R], [0, R]]. */
LG_API void lg_se3_Ad(double M[LG_LEN(36)], const double g[LG_LEN(7)]);
/** out = Ad*_g p = (Ad_g)^T p = (R^T m, R^T (n - r x m)). */
LG_API void lg_se3_coAd_apply(double out[LG_LEN(6)], const double g[LG_LEN(7)], const double p[LG_LEN(6)]);
/** M = ad_xi = [[W, V], [0, W]]. */
LG_API void lg_se3_ad(double M[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** out = ad*_xi p = (ad_xi)^T p = (m x w, m x v + n x w). */
LG_API void lg_se3_coad_apply(double out[LG_LEN(6)], const double xi[LG_LEN(6)], const double p[LG_LEN(6)]);
/** @} */

/** @name Exponential
 *  D_w = dexp_w of SO(3); a block marked d is the derivative of the block of w along v. */
/** @{ */
/** g = exp(xi): rotation exp(w), translation D_w v. */
LG_API void lg_se3_exp(double g[LG_LEN(7)], const double xi[LG_LEN(6)]);
/** xi = log(g): w = log(q), |w| <= pi, v = D_w^-1 r.
 *  - LG_ERROR_DOMAIN: |q|^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_se3_log(double xi[LG_LEN(6)], const double g[LG_LEN(7)]);
/** M = dexp_xi = [[D_w, d D_w], [0, D_w]]; right-trivialised. Singular at t = 2 pi. */
LG_API void lg_se3_dexp(double M[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** M = dexp^-1_xi = [[D_w^-1, d D_w^-1], [0, D_w^-1]]. Its error grows as eps/|2 pi - t|^2. */
LG_API void lg_se3_dexp_inv(double M[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** out = (dexp^-1_xi)^* mu. */
LG_API void lg_se3_dexp_inv_dual(double out[LG_LEN(6)], const double xi[LG_LEN(6)], const double mu[LG_LEN(6)]);
/** M = d/dxi [(dexp^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se3_dexp_inv_dual_derivative(double M[LG_LEN(36)], const double xi[LG_LEN(6)],
                                            const double mu[LG_LEN(6)]);
/** @} */

/** @name Cayley map
 *  cay(xi) = (1 - hat(xi)/2)^-1 (1 + hat(xi)/2): the rotation is cay(w) of SO(3). */
/** @{ */
/** g = cay(xi): translation (I - W/2)^-1 v. */
LG_API void lg_se3_cay(double g[LG_LEN(7)], const double xi[LG_LEN(6)]);
/** xi = cay^-1(g): w = cay^-1(q), v = (I - W/2) r.
 *  - LG_ERROR_DOMAIN: as lg_so3_cay_inv(). */
LG_API LG_MUST_CHECK lg_status lg_se3_cay_inv(double xi[LG_LEN(6)], const double g[LG_LEN(7)]);
/** M = dcay_xi = [[(I - W/2)^-1, V dcay_w/2], [0, dcay_w]]; right-trivialised. */
LG_API void lg_se3_dcay(double M[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** M = dcay^-1_xi = [[I - W/2, -V/2 + W V/4], [0, I - W/2 + w w^T/4]]. */
LG_API void lg_se3_dcay_inv(double M[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** out = (dcay^-1_xi)^* mu. */
LG_API void lg_se3_dcay_inv_dual(double out[LG_LEN(6)], const double xi[LG_LEN(6)], const double mu[LG_LEN(6)]);
/** M = d/dxi [(dcay^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se3_dcay_inv_dual_derivative(double M[LG_LEN(36)], const double xi[LG_LEN(6)],
                                            const double mu[LG_LEN(6)]);
/** @} */

LG_END

#endif
