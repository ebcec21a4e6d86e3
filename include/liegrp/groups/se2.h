/* SPDX-License-Identifier: BSD-3-Clause */
/** @file se2.h
 *  SE(2) directly, without a descriptor: motions of the plane.
 *
 *  - *Elements* g = (x, y, cos, sin): the motion z -> R z + r with r = (x, y) and R = [[cos, -sin], [sin, cos]].
 *  - *Algebra* xi = (v1, v2, w): hat(xi) = [[0, -w, v1], [w, 0, v2], [0, 0, 0]]. Covectors are R^3, paired by the dot
 *    product.
 *  - *Matrices* are 3 x 3, row-major. J2 = [[0, -1], [1, 0]].
 *  - *Tangents* are right-trivialised: D tau(xi).eta = hat(dtau_xi eta) tau(xi). dexp is the left Jacobian of robotics
 *    (jacobian.h has both by name).
 *  - *Aliasing*: outputs may be inputs, in every function.
 *  - *NaN* in gives NaN out, with LG_OK if there is a status.
 *  - *Accuracy*: 2e-15 of the largest term for |w| <= pi. Functions renormalise only if their description states it.
 *  - *Large arguments*: exp takes any angle as it is, with as many digits of 2 pi as it needs. Its tangents are NaN
 *    beyond |w| = 2^20; numbers beyond 1e100 overflow. The operations of lg_se2() return LG_ERROR_DOMAIN then.
 *
 *  Sources: N. Bou-Rabee, J. Marsden, Hamilton-Pontryagin integrators on Lie groups, Found. Comput. Math. 9 (2009),
 *  doi:10.1007/s10208-008-9030-4, for tau and dtau; M. Kobilarov, K. Crane, M. Desbrun, Lie group integrators for
 *  animation and control of vehicles, ACM Trans. Graphics 28 (2009), doi:10.1145/1516522.1516527, for both maps on
 * SE(2) (there with the rotation first). */
#ifndef LIEGRP_GROUPS_SE2_H
#define LIEGRP_GROUPS_SE2_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** @name Group */
/** @{ */
/** g = e = (0, 0, 1, 0). */
LG_API void lg_se2_identity(double g[LG_LEN(4)]);
/** r = a b: first b, then a. */
LG_API void lg_se2_compose(double r[LG_LEN(4)], const double a[LG_LEN(4)], const double b[LG_LEN(4)]);
/** r = g^-1. */
LG_API void lg_se2_inverse(double r[LG_LEN(4)], const double g[LG_LEN(4)]);
/** y = R p + r, a point of the plane. */
LG_API void lg_se2_act(double y[LG_LEN(2)], const double g[LG_LEN(4)], const double p[LG_LEN(2)]);
/** y = R^T (p - r). */
LG_API void lg_se2_act_inverse(double y[LG_LEN(2)], const double g[LG_LEN(4)], const double p[LG_LEN(2)]);
/** d = |log(a^-1 b)| in the coordinates (v1, v2, w). It adds lengths and radians, so it depends on the unit of length.
 *  NaN if a or b is not a motion. */
LG_API double lg_se2_distance(const double a[LG_LEN(4)], const double b[LG_LEN(4)]);
/** r = a exp(s log(a^-1 b)): from a (s = 0) to b (s = 1) by a screw; other s extrapolate.
 *  - LG_ERROR_DOMAIN: a^-1 b is not a motion (cos^2 + sin^2 < 1/4). */
LG_API LG_MUST_CHECK lg_status lg_se2_interpolate(double r[LG_LEN(4)], const double a[LG_LEN(4)],
                                                  const double b[LG_LEN(4)], double s);
/** r = g with (cos, sin) brought to length 1.
 *  - LG_ERROR_DOMAIN: cos = sin = 0. */
LG_API LG_MUST_CHECK lg_status lg_se2_project(double r[LG_LEN(4)], const double g[LG_LEN(4)]);
/** @} */

/** @name Conversions */
/** @{ */
/** T = [[R, r], [0, 1]], 3 x 3. */
LG_API void lg_se2_to_matrix(double T[LG_LEN(9)], const double g[LG_LEN(4)]);
/** g = the motion nearest to the matrix T, which may be noisy.
 *  - LG_ERROR_DOMAIN: the upper left block has det <= 0 or is farther from its rotation than half of its norm
 *    (Frobenius), or the last row is not (0, 0, 1) within 1/2. */
LG_API LG_MUST_CHECK lg_status lg_se2_from_matrix(double g[LG_LEN(4)], const double T[LG_LEN(9)]);
/** p = (x, y, theta), theta in (-pi, pi]. */
LG_API void lg_se2_to_xytheta(double p[LG_LEN(3)], const double g[LG_LEN(4)]);
/** g = (x, y, cos theta, sin theta) of p = (x, y, theta), any theta. */
LG_API void lg_se2_from_xytheta(double g[LG_LEN(4)], const double p[LG_LEN(3)]);
/** @} */

/** @name Algebra */
/** @{ */
/** X = hat(xi), 3 x 3. */
LG_API void lg_se2_hat(double X[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** xi = vee(X): v from the last column, w from the skew part of the upper left block. */
LG_API void lg_se2_vee(double xi[LG_LEN(3)], const double X[LG_LEN(9)]);
/** M = Ad_g = [[R, -J2 r], [0, 1]]. */
LG_API void lg_se2_Ad(double M[LG_LEN(9)], const double g[LG_LEN(4)]);
/** out = Ad*_g p = (Ad_g)^T p. */
LG_API void lg_se2_coAd_apply(double out[LG_LEN(3)], const double g[LG_LEN(4)], const double p[LG_LEN(3)]);
/** M = ad_xi = [[w J2, -J2 v], [0, 0]]. */
LG_API void lg_se2_ad(double M[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** out = ad*_xi p = (ad_xi)^T p. */
LG_API void lg_se2_coad_apply(double out[LG_LEN(3)], const double xi[LG_LEN(3)], const double p[LG_LEN(3)]);
/** @} */

/** @name Exponential
 *  With A = sin w/w, B = (1 - cos w)/w^2, C = (w - sin w)/w^3, E = (1 - gamma)/w^2, gamma = (w/2) cot(w/2). */
/** @{ */
/** g = exp(xi): angle w, translation (A I + w B J2) v. */
LG_API void lg_se2_exp(double g[LG_LEN(4)], const double xi[LG_LEN(3)]);
/** xi = log(g): w in (-pi, pi], v = (gamma I - (w/2) J2) r.
 *  - LG_ERROR_DOMAIN: cos^2 + sin^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_se2_log(double xi[LG_LEN(3)], const double g[LG_LEN(4)]);
/** M = dexp_xi = [[A I + w B J2, (w C I - B J2) v], [0, 1]]; right-trivialised. Singular at w = +-2 pi. */
LG_API void lg_se2_dexp(double M[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** M = dexp^-1_xi = [[gamma I - (w/2) J2, (J2/2 + w E I) v], [0, 1]]. Its error grows as eps/|2 pi - |w||. */
LG_API void lg_se2_dexp_inv(double M[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** out = (dexp^-1_xi)^* mu. */
LG_API void lg_se2_dexp_inv_dual(double out[LG_LEN(3)], const double xi[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** M = d/dxi [(dexp^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se2_dexp_inv_dual_derivative(double M[LG_LEN(9)], const double xi[LG_LEN(3)],
                                            const double mu[LG_LEN(3)]);
/** @} */

/** @name Cayley map
 *  cay(xi) = (1 - hat(xi)/2)^-1 (1 + hat(xi)/2): the angle is 2 arctan(w/2), below pi. d = 1 + w^2/4. */
/** @{ */
/** g = cay(xi): cos = (1 - w^2/4)/d, sin = w/d, translation (I + w J2/2) v/d. */
LG_API void lg_se2_cay(double g[LG_LEN(4)], const double xi[LG_LEN(3)]);
/** xi = cay^-1(g): w = 2 sin/(1 + cos), v = (I - w J2/2) r.
 *  - LG_ERROR_DOMAIN: g turns by pi within round-off (|w|/2 >= 1/(4 eps)), or cos = sin = 0. */
LG_API LG_MUST_CHECK lg_status lg_se2_cay_inv(double xi[LG_LEN(3)], const double g[LG_LEN(4)]);
/** M = dcay_xi = [[I + w J2/2, -J2 v/2], [0, 1]]/d; right-trivialised. */
LG_API void lg_se2_dcay(double M[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** M = dcay^-1_xi = [[I - w J2/2, J2 v/2 + w v/4], [0, d]]. */
LG_API void lg_se2_dcay_inv(double M[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** out = (dcay^-1_xi)^* mu. */
LG_API void lg_se2_dcay_inv_dual(double out[LG_LEN(3)], const double xi[LG_LEN(3)], const double mu[LG_LEN(3)]);
/** M = d/dxi [(dcay^-1_xi)^* mu]: column j is the derivative along xi_j. */
LG_API void lg_se2_dcay_inv_dual_derivative(double M[LG_LEN(9)], const double xi[LG_LEN(3)],
                                            const double mu[LG_LEN(3)]);
/** @} */

LG_END

#endif
