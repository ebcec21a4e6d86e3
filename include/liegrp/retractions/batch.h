/* SPDX-License-Identifier: BSD-3-Clause */
/** @file batch.h
 *  Group operations on arrays: many elements in one call, several at a time on the machine's vector units.
 *
 *  Results are, to the last bit, those of the operations on single elements (group.h, retraction.h), whatever the width
 *  that is used, for products of R^n, T^n, SO(3), SE(2), SE(3) with exp or Cayley. Other groups and retractions go one
 *  element at a time.
 *
 *  Elements g, a, b, c have lg_group_element_size() numbers, xi, p, q lg_group_dim() = n, matrices M n x n, row-major
 * as everywhere; tangents are right-trivialised. The output may be one of the inputs if it has the same size. All calls
 * return
 *  - LG_ERROR_ARGUMENT: a NULL, no element, count so large that the arrays exceed the address space, an unknown layout,
 *    a width that is none or that the machine lacks (LIEGRP_WIDTH: one that it lacks is taken for the next smaller);
 *  - LG_ERROR_UNSUPPORTED: the retraction does not work on G;
 *  - LG_ERROR_MEMORY: scratch of groups without fast path;
 *  - LG_ERROR_DOMAIN, and what else an operation on one element may say: at least one element failed; its results, in a
 *    product those of the factor that failed, are NaN, those of the others are right. */
#ifndef LIEGRP_RETRACTIONS_BATCH_H
#define LIEGRP_RETRACTIONS_BATCH_H

#include <stdint.h>

#include "../base/width.h"
#include "retraction.h"

LG_BEGIN

/** How an array of `count` things of `size` numbers each is laid out. */
typedef enum lg_layout {
    LG_LAYOUT_ELEMENTS = 0, /**< one after the other: number i of thing k at [k * size + i] */
    LG_LAYOUT_ENTRIES = 1   /**< number by number ("structure of arrays"): at [i * count + k]; faster */
} lg_layout;

/** What a call works on; start from lg_batch_default(). */
typedef struct lg_batch {
    size_t size;      /**< sizeof(lg_batch), set by lg_batch_default() */
    size_t count;     /**< number of elements */
    lg_layout layout; /**< of all arrays of the call, LG_LAYOUT_ELEMENTS by default */
    int64_t width;    /**< elements at a time: 1, 2, 4 or 8; 0, the default: the machine's best, or what the environment
                           variable LIEGRP_WIDTH says */
} lg_batch;

/** Initialises a batch of `size` bytes; see lg_batch_default(). */
LG_API void lg_batch_init(lg_batch *batch, size_t size, size_t count);
/** `count` elements one after the other, the machine's best width. */
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
/** c_k = a_k b_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_compose(const lg_group *G, const lg_batch *batch, double *c, const double *a,
                                                const double *b);
/** c_k = a_k^-1. */
LG_API LG_MUST_CHECK lg_status lg_batch_inverse(const lg_group *G, const lg_batch *batch, double *c, const double *a);
/** M_k = matrix of Ad at g_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_Ad(const lg_group *G, const lg_batch *batch, double *M, const double *g);
/** q_k = Ad*_{g_k} p_k. */
LG_API LG_MUST_CHECK lg_status lg_batch_coAd_apply(const lg_group *G, const lg_batch *batch, double *q, const double *g,
                                                   const double *p);

LG_END

#endif
