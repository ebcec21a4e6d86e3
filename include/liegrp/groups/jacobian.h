/* SPDX-License-Identifier: BSD-3-Clause */
/** @file jacobian.h
 *  Calculus on any group, in the words of robotics: plus and minus, and the Jacobians of the operations, left and
 *  right.
 *
 *  A small change of an element is a vector of the algebra. On the *right* it changes g to g exp(d) (in the body's
 *  frame), on the *left* to exp(d) g (in the frame of space). A right Jacobian of r = f(a) is the n x n matrix J with
 *  f(a exp(d)) = f(a) exp(J d + O(|d|^2)), a left one that with f(exp(d) a) = exp(J d + O(|d|^2)) f(a). Where f takes
 *  or gives vectors, their changes are plain differences.
 *
 *  The tangents of retraction.h are right-trivialised: dexp_xi is the *left* Jacobian J_l(xi). The right one is J_r(xi)
 *  = dexp_{-xi} = Ad_exp(-xi) J_l(xi).
 *
 *  | operation | right Jacobians | left Jacobians |
 *  |---|---|---|
 *  | a b | Ad_b^-1, 1 | 1, Ad_a |
 *  | a^-1 | -Ad_a | -Ad_a^-1 |
 *  | a^-1 b | -Ad_(b^-1 a), 1 | -Ad_a^-1, Ad_a^-1 |
 *  | exp(xi) | J_r(xi) | J_l(xi) |
 *  | log(g), xi = log(g) | J_r^-1(xi) | J_l^-1(xi) |
 *  | a exp(xi), exp(xi) a | Ad_exp(-xi), J_r(xi) | Ad_exp(xi), J_l(xi) |
 *  | log(b^-1 a), log(a b^-1) = xi | J_r^-1(xi), -J_l^-1(xi) | J_l^-1(xi), -J_r^-1(xi) |
 *
 *  In the last two rows the first operation has the right Jacobians, the second one the left Jacobians. Matrices are n
 *  x n and row-major. Where there are two, either may be NULL if it is not wanted. Outputs may be inputs, but the two
 *  matrices must differ. All functions return
 *  - LG_ERROR_ARGUMENT: a NULL, or the group is incomplete.
 *  - LG_ERROR_UNSUPPORTED: the group lacks an operation that this needs, such as its exponential.
 *  - LG_ERROR_DOMAIN: there is no logarithm, or numbers are too large (docs/groups.md, large numbers).
 *  - LG_ERROR_MEMORY: the scratch of a large group. */
#ifndef LIEGRP_GROUPS_JACOBIAN_H
#define LIEGRP_GROUPS_JACOBIAN_H

#include "group.h"

LG_BEGIN

/** @name Between, plus and minus */
/** @{ */
/** r = a^-1 b, b as seen from a. */
LG_API LG_MUST_CHECK lg_status lg_group_between(const lg_group *G, double *r, const double *a, const double *b);
/** r = a exp(xi). */
LG_API LG_MUST_CHECK lg_status lg_group_right_plus(const lg_group *G, double *r, const double *a, const double *xi);
/** r = exp(xi) a. */
LG_API LG_MUST_CHECK lg_status lg_group_left_plus(const lg_group *G, double *r, const double *a, const double *xi);
/** xi = log(b^-1 a): a = b exp(xi). */
LG_API LG_MUST_CHECK lg_status lg_group_right_minus(const lg_group *G, double *xi, const double *a, const double *b);
/** xi = log(a b^-1): a = exp(xi) b. */
LG_API LG_MUST_CHECK lg_status lg_group_left_minus(const lg_group *G, double *xi, const double *a, const double *b);
/** @} */

/** @name Jacobians of exp and log */
/** @{ */
/** J = J_r(xi) = dexp_{-xi}: exp(xi + d) = exp(xi) exp(J d + O(|d|^2)). */
LG_API LG_MUST_CHECK lg_status lg_group_right_jacobian(const lg_group *G, double *J, const double *xi);
/** J = J_l(xi) = dexp_xi: exp(xi + d) = exp(J d + O(|d|^2)) exp(xi). */
LG_API LG_MUST_CHECK lg_status lg_group_left_jacobian(const lg_group *G, double *J, const double *xi);
/** J = J_r(xi)^-1, with xi = log(g) the right Jacobian of log at g. */
LG_API LG_MUST_CHECK lg_status lg_group_right_jacobian_inv(const lg_group *G, double *J, const double *xi);
/** J = J_l(xi)^-1, with xi = log(g) the left Jacobian of log at g. */
LG_API LG_MUST_CHECK lg_status lg_group_left_jacobian_inv(const lg_group *G, double *J, const double *xi);
/** @} */

/** @name Jacobians of the operations
 *  Ja, Jb and Jxi are those with respect to a, b and xi; formulas are in the table above. */
/** @{ */
/** Of a b, right. */
LG_API LG_MUST_CHECK lg_status lg_group_compose_right_jacobian(const lg_group *G, double *Ja, double *Jb,
                                                               const double *a, const double *b);
/** Of a b, left. */
LG_API LG_MUST_CHECK lg_status lg_group_compose_left_jacobian(const lg_group *G, double *Ja, double *Jb,
                                                              const double *a, const double *b);
/** Of a^-1, right. */
LG_API LG_MUST_CHECK lg_status lg_group_inverse_right_jacobian(const lg_group *G, double *J, const double *a);
/** Of a^-1, left. */
LG_API LG_MUST_CHECK lg_status lg_group_inverse_left_jacobian(const lg_group *G, double *J, const double *a);
/** Of a^-1 b, right. */
LG_API LG_MUST_CHECK lg_status lg_group_between_right_jacobian(const lg_group *G, double *Ja, double *Jb,
                                                               const double *a, const double *b);
/** Of a^-1 b, left. */
LG_API LG_MUST_CHECK lg_status lg_group_between_left_jacobian(const lg_group *G, double *Ja, double *Jb,
                                                              const double *a, const double *b);
/** Of lg_group_right_plus(), right. */
LG_API LG_MUST_CHECK lg_status lg_group_right_plus_jacobian(const lg_group *G, double *Ja, double *Jxi, const double *a,
                                                            const double *xi);
/** Of lg_group_left_plus(), left. */
LG_API LG_MUST_CHECK lg_status lg_group_left_plus_jacobian(const lg_group *G, double *Ja, double *Jxi, const double *a,
                                                           const double *xi);
/** Of lg_group_right_minus(), right. */
LG_API LG_MUST_CHECK lg_status lg_group_right_minus_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a,
                                                             const double *b);
/** Of lg_group_left_minus(), left. */
LG_API LG_MUST_CHECK lg_status lg_group_left_minus_jacobian(const lg_group *G, double *Ja, double *Jb, const double *a,
                                                            const double *b);
/** @} */

/** @name The named groups
 *  What these give is what the functions above give; they have no status: NaN where those return LG_ERROR_DOMAIN. */
/** @{ */
/** J = J_r(w) = 1, 1 x 1, as the three below: SO(2) is Abelian. */
LG_API void lg_so2_right_jacobian(double J[LG_LEN(1)], const double w[LG_LEN(1)]);
/** J = J_l(w) = 1. */
LG_API void lg_so2_left_jacobian(double J[LG_LEN(1)], const double w[LG_LEN(1)]);
/** J = J_r(w)^-1 = 1. */
LG_API void lg_so2_right_jacobian_inv(double J[LG_LEN(1)], const double w[LG_LEN(1)]);
/** J = J_l(w)^-1 = 1. */
LG_API void lg_so2_left_jacobian_inv(double J[LG_LEN(1)], const double w[LG_LEN(1)]);
/** J = J_r(w) = dexp_{-w} = I - B W + C W^2 (so3.h). */
LG_API void lg_so3_right_jacobian(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = J_l(w) = dexp_w, which is lg_so3_dexp(). */
LG_API void lg_so3_left_jacobian(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = J_r(w)^-1 = I + W/2 + E W^2. */
LG_API void lg_so3_right_jacobian_inv(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = J_l(w)^-1, which is lg_so3_dexp_inv(). */
LG_API void lg_so3_left_jacobian_inv(double J[LG_LEN(9)], const double w[LG_LEN(3)]);
/** J = J_r(xi) = dexp_{-xi} of SE(2). */
LG_API void lg_se2_right_jacobian(double J[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** J = J_l(xi), which is lg_se2_dexp(). */
LG_API void lg_se2_left_jacobian(double J[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** J = J_r(xi)^-1 of SE(2). */
LG_API void lg_se2_right_jacobian_inv(double J[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** J = J_l(xi)^-1, which is lg_se2_dexp_inv(). */
LG_API void lg_se2_left_jacobian_inv(double J[LG_LEN(9)], const double xi[LG_LEN(3)]);
/** J = J_r(xi) = dexp_{-xi} of SE(3). */
LG_API void lg_se3_right_jacobian(double J[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** J = J_l(xi), which is lg_se3_dexp(). */
LG_API void lg_se3_left_jacobian(double J[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** J = J_r(xi)^-1 of SE(3). */
LG_API void lg_se3_right_jacobian_inv(double J[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** J = J_l(xi)^-1, which is lg_se3_dexp_inv(). */
LG_API void lg_se3_left_jacobian_inv(double J[LG_LEN(36)], const double xi[LG_LEN(6)]);
/** J = J_r(xi) = dexp_{-xi} of SE_2(3). */
LG_API void lg_se23_right_jacobian(double J[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** J = J_l(xi), which is lg_se23_dexp(). */
LG_API void lg_se23_left_jacobian(double J[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** J = J_r(xi)^-1 of SE_2(3). */
LG_API void lg_se23_right_jacobian_inv(double J[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** J = J_l(xi)^-1, which is lg_se23_dexp_inv(). */
LG_API void lg_se23_left_jacobian_inv(double J[LG_LEN(81)], const double xi[LG_LEN(9)]);
/** @} */

/** @name Jacobians of the action on points
 *  y = g x, as lg_so3_act() and the like have it: the matrix of dy by the change of g. That by x is R. */
/** @{ */
/** J = R (-x_2, x_1), 2 x 1. */
LG_API void lg_so2_act_right_jacobian(double J[LG_LEN(2)], const double g[LG_LEN(2)], const double x[LG_LEN(2)]);
/** J = (-y_2, y_1), y = R x, 2 x 1: the same, for SO(2) is Abelian. */
LG_API void lg_so2_act_left_jacobian(double J[LG_LEN(2)], const double g[LG_LEN(2)], const double x[LG_LEN(2)]);
/** J = -R hat(x), 3 x 3. */
LG_API void lg_so3_act_right_jacobian(double J[LG_LEN(9)], const double q[LG_LEN(4)], const double x[LG_LEN(3)]);
/** J = -hat(y), y = R x, 3 x 3. */
LG_API void lg_so3_act_left_jacobian(double J[LG_LEN(9)], const double q[LG_LEN(4)], const double x[LG_LEN(3)]);
/** J = [R, R (-x_2, x_1)], 2 x 3. */
LG_API void lg_se2_act_right_jacobian(double J[LG_LEN(6)], const double g[LG_LEN(4)], const double x[LG_LEN(2)]);
/** J = [I, (-y_2, y_1)], y = R x + r, 2 x 3. */
LG_API void lg_se2_act_left_jacobian(double J[LG_LEN(6)], const double g[LG_LEN(4)], const double x[LG_LEN(2)]);
/** J = [R, -R hat(x)], 3 x 6. */
LG_API void lg_se3_act_right_jacobian(double J[LG_LEN(18)], const double g[LG_LEN(7)], const double x[LG_LEN(3)]);
/** J = [I, -hat(y)], y = R x + r, 3 x 6. */
LG_API void lg_se3_act_left_jacobian(double J[LG_LEN(18)], const double g[LG_LEN(7)], const double x[LG_LEN(3)]);
/** J = [R, 0, -R hat(x)], 3 x 9. */
LG_API void lg_se23_act_right_jacobian(double J[LG_LEN(27)], const double g[LG_LEN(10)], const double x[LG_LEN(3)]);
/** J = [I, 0, -hat(y)], y = R x + r, 3 x 9. */
LG_API void lg_se23_act_left_jacobian(double J[LG_LEN(27)], const double g[LG_LEN(10)], const double x[LG_LEN(3)]);
/** @} */

LG_END

#endif
