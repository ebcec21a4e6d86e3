/* SPDX-License-Identifier: BSD-3-Clause */
/** @file batch.h
 *  Group operations on arrays: many elements in one call, several at a time on the machine's vector units.
 *
 *  On products of R^n, T^n, SO(2), SO(3), SE(2), SE(3) and SE_2(3) with exp or Cayley the results are, to the last bit
 *  and at every width, those of the operations on single elements (group.h, jacobian.h, retraction.h). Other groups and
 *  retractions are evaluated one element at a time: quadratic groups, user-defined groups, and, for operations made
 *  of several, R^n and T^n with n > 32.
 *
 *  Elements g, a, b, c have lg_group_element_size() numbers; xi, eta, zeta, mu, p and q have lg_group_dim() = n
 *  numbers; matrices M and J are n x n, R and W are m x m with m = lg_group_matrix_size(), all row-major; the Jacobians
 *  of a function of two arguments are 2 n^2 numbers, one matrix after the other. Tangents are right-trivialised. The
 *  output may be one of the inputs if it has the same size. All calls return
 *  - LG_ERROR_ARGUMENT: a NULL, no elements, a count so large that the arrays exceed the address space, an unknown
 *    layout, or a width that is invalid or that the machine lacks (for the environment variable LIEGRP_WIDTH the next
 *    smaller width is used instead).
 *  - LG_ERROR_UNSUPPORTED: the retraction does not work on G, or G lacks an operation that this needs.
 *  - LG_ERROR_MEMORY: out of memory for the scratch of groups without a fast path, or for intermediate results.
 *  - LG_ERROR_DOMAIN, and other errors of an operation on one element: at least one element failed. Its results are NaN
 *    (in a product, those of the factor that failed); all other results are correct. */
#ifndef LIEGRP_RETRACTIONS_BATCH_H
#define LIEGRP_RETRACTIONS_BATCH_H

#include <stdint.h>

#include "../base/width.h"
#include "retraction.h"

LG_BEGIN

/** The layout of an array of `count` items of `size` numbers each. */
typedef enum lg_layout {
    LG_LAYOUT_ELEMENTS = 0, /**< one item after the other: number i of item k at [k * size + i] */
    LG_LAYOUT_ENTRIES = 1   /**< number by number ("structure of arrays"): at [i * count + k]; faster */
} lg_layout;

/** The settings of a call; start from lg_batch_default(). */
typedef struct lg_batch {
    size_t size;      /**< sizeof(lg_batch), set by lg_batch_default() */
    size_t count;     /**< number of elements */
    lg_layout layout; /**< layout of all arrays of the call; default LG_LAYOUT_ELEMENTS */
    int64_t width;    /**< elements at a time: 1, 2, 4 or 8; 0, the default: the machine's best, or the value of the
                       *   environment variable LIEGRP_WIDTH */
} lg_batch;

/** Initialises a batch of `size` bytes; see lg_batch_default(). */
LG_API void lg_batch_init(lg_batch *batch, size_t size, size_t count);
/** `count` elements one after the other, at the machine's best width. */
static inline lg_batch lg_batch_default(size_t count)
{
    lg_batch batch;
    lg_batch_init(&batch, sizeof batch, count);
    return batch;
}

/** g_k = tau(xi_k). */
LG_API LG_MUST_CHECK lg_status lg_batch_tau(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *g,
                                            const double *xi);
/** xi_k = tau^-1(g_k). */
LG_API LG_MUST_CHECK lg_status lg_batch_tau_inv(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                double *xi, const double *g);
/** M_k = matrix of dtau at xi_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                             double *M, const double *xi);
/** M_k = matrix of dtau^-1 at xi_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau_inv(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                 double *M, const double *xi);
/** zeta_k = dtau_{xi_k} eta_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau_apply(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                   double *zeta, const double *xi, const double *eta);
/** zeta_k = dtau^-1_{xi_k} eta_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau_inv_apply(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                       double *zeta, const double *xi, const double *eta);
/** q_k = (dtau_{xi_k})^* mu_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau_dual(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                  double *q, const double *xi, const double *mu);
/** q_k = (dtau^-1_{xi_k})^* mu_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_dtau_inv_dual(const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                                                      double *q, const double *xi, const double *mu);
/** c_k = a_k b_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_compose(const lg_group *G, const lg_batch *batch, double *c, const double *a,
                                                const double *b);
/** c_k = a_k^-1. */
LG_API LG_MUST_CHECK lg_status lg_batch_inverse(const lg_group *G, const lg_batch *batch, double *c, const double *a);
/** c_k = the element nearest to a_k, as lg_group_project() has it. */
LG_API LG_MUST_CHECK lg_status lg_batch_project(const lg_group *G, const lg_batch *batch, double *c, const double *a);
/** M_k = matrix of Ad at g_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_Ad(const lg_group *G, const lg_batch *batch, double *M, const double *g);
/** M_k = matrix of Ad* at g_k, the transpose of that of Ad. */
LG_API LG_MUST_CHECK lg_status lg_batch_coAd(const lg_group *G, const lg_batch *batch, double *M, const double *g);
/** q_k = Ad*_{g_k} p_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_coAd_apply(const lg_group *G, const lg_batch *batch, double *q, const double *g,
                                                   const double *p);
/** zeta_k = Ad_{g_k} eta_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_Ad_apply(const lg_group *G, const lg_batch *batch, double *zeta,
                                                 const double *g, const double *eta);
/** M_k = matrix of ad at xi_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_ad(const lg_group *G, const lg_batch *batch, double *M, const double *xi);
/** M_k = matrix of ad* at xi_k, the transpose of that of ad. */
LG_API LG_MUST_CHECK lg_status lg_batch_coad(const lg_group *G, const lg_batch *batch, double *M, const double *xi);
/** zeta_k = ad_{xi_k} eta_k = [xi_k, eta_k]. */
LG_API LG_MUST_CHECK lg_status lg_batch_ad_apply(const lg_group *G, const lg_batch *batch, double *zeta,
                                                 const double *xi, const double *eta);
/** q_k = ad*_{xi_k} p_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_coad_apply(const lg_group *G, const lg_batch *batch, double *q,
                                                   const double *xi, const double *p);
/** R_k = the m x m matrix that represents g_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_to_matrix(const lg_group *G, const lg_batch *batch, double *R, const double *g);
/** g_k = the element whose matrix is R_k; LG_ERROR_DOMAIN where lg_group_from_matrix() has it. */
LG_API LG_MUST_CHECK lg_status lg_batch_from_matrix(const lg_group *G, const lg_batch *batch, double *g,
                                                    const double *R);
/** W_k = the m x m matrix of the algebra vector xi_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_hat(const lg_group *G, const lg_batch *batch, double *W, const double *xi);
/** c_k = a_k^-1 b_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_between(const lg_group *G, const lg_batch *batch, double *c, const double *a,
                                                const double *b);
/** c_k = a_k exp(xi_k). */
LG_API LG_MUST_CHECK lg_status lg_batch_right_plus(const lg_group *G, const lg_batch *batch, double *c, const double *a,
                                                   const double *xi);
/** c_k = exp(xi_k) a_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_left_plus(const lg_group *G, const lg_batch *batch, double *c, const double *a,
                                                  const double *xi);
/** xi_k = log(b_k^-1 a_k). */
LG_API LG_MUST_CHECK lg_status lg_batch_right_minus(const lg_group *G, const lg_batch *batch, double *xi,
                                                    const double *a, const double *b);
/** xi_k = log(a_k b_k^-1). */
LG_API LG_MUST_CHECK lg_status lg_batch_left_minus(const lg_group *G, const lg_batch *batch, double *xi,
                                                   const double *a, const double *b);
/** d_k = |log(a_k^-1 b_k)|, one number an element. */
LG_API LG_MUST_CHECK lg_status lg_batch_distance(const lg_group *G, const lg_batch *batch, double *d, const double *a,
                                                 const double *b);
/** J_k = J_l(xi_k), the left Jacobian of exp. */
LG_API LG_MUST_CHECK lg_status lg_batch_left_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                      const double *xi);
/** J_k = J_l(xi_k)^-1. */
LG_API LG_MUST_CHECK lg_status lg_batch_left_jacobian_inv(const lg_group *G, const lg_batch *batch, double *J,
                                                          const double *xi);
/** J_k = J_r(xi_k), the right Jacobian of exp. */
LG_API LG_MUST_CHECK lg_status lg_batch_right_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                       const double *xi);
/** J_k = J_r(xi_k)^-1. */
LG_API LG_MUST_CHECK lg_status lg_batch_right_jacobian_inv(const lg_group *G, const lg_batch *batch, double *J,
                                                           const double *xi);
/** J_k = the right Jacobian of a^-1 at a_k: -Ad. */
LG_API LG_MUST_CHECK lg_status lg_batch_inverse_right_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                               const double *a);
/** J_k = the left Jacobian of a^-1 at a_k: -Ad of a_k^-1. */
LG_API LG_MUST_CHECK lg_status lg_batch_inverse_left_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                              const double *a);
/** J_k = the right Jacobians of a b with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_compose_right_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                               const double *a, const double *b);
/** J_k = the left Jacobians of a b with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_compose_left_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                              const double *a, const double *b);
/** J_k = the right Jacobians of a^-1 b with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_between_right_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                               const double *a, const double *b);
/** J_k = the left Jacobians of a^-1 b with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_between_left_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                              const double *a, const double *b);
/** J_k = the right Jacobians of lg_group_right_plus() with respect to a and xi. */
LG_API LG_MUST_CHECK lg_status lg_batch_right_plus_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                            const double *a, const double *xi);
/** J_k = the left Jacobians of lg_group_left_plus() with respect to a and xi. */
LG_API LG_MUST_CHECK lg_status lg_batch_left_plus_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                           const double *a, const double *xi);
/** J_k = the right Jacobians of lg_group_right_minus() with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_right_minus_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                             const double *a, const double *b);
/** J_k = the left Jacobians of lg_group_left_minus() with respect to a and b. */
LG_API LG_MUST_CHECK lg_status lg_batch_left_minus_jacobian(const lg_group *G, const lg_batch *batch, double *J,
                                                            const double *a, const double *b);

LG_END

#endif
