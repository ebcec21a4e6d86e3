/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on arrays, each a list of loops and the operation on one element. */
#include <liegrp/groups/jacobian.h>

#include "groups/product.h"
#include "retractions/batch/batch.h"

typedef lg_batch_operation operation;

/* clang-format off */
/* A step: one loop for every retraction, or one for exp and one for Cayley; then its outputs and inputs. */
#define LOOP(name, to, a, b, flags) {LG_BATCH_##name, LG_BATCH_##name, to, a, b, flags}
#define MAPS(exp, cay, to, a, b)    {LG_BATCH_##exp, LG_BATCH_##cay, to, a, b, 0}

/* Spans of the result and of the inputs, the operation on one element, 1 for a length, the steps. */
static const operation of_tau = {ELEMENT, ALGEBRA, NOTHING, {.retraction_1 = lg_retraction_tau}, 0, 1,
    {MAPS(EXP, CAY, TO, FIRST, NOWHERE)}};
static const operation of_tau_inv = {ALGEBRA, ELEMENT, NOTHING, {.retraction_1 = lg_retraction_tau_inv}, 0, 1,
    {MAPS(LOG, CAY_INV, TO, FIRST, NOWHERE)}};
static const operation of_dtau = {MATRIX, ALGEBRA, NOTHING, {.retraction_1 = lg_retraction_dtau}, 0, 1,
    {MAPS(DEXP, DCAY, TO, FIRST, NOWHERE)}};
static const operation of_dtau_inv = {MATRIX, ALGEBRA, NOTHING, {.retraction_1 = lg_retraction_dtau_inv}, 0, 1,
    {MAPS(DEXP_INV, DCAY_INV, TO, FIRST, NOWHERE)}};
static const operation of_dtau_apply = {ALGEBRA, ALGEBRA, ALGEBRA, {.retraction_2 = lg_retraction_dtau_apply}, 0, 1,
    {MAPS(DEXP_APPLY, DCAY_APPLY, TO, FIRST, SECOND)}};
static const operation of_dtau_inv_apply = {ALGEBRA, ALGEBRA, ALGEBRA,
    {.retraction_2 = lg_retraction_dtau_inv_apply}, 0, 1,
    {MAPS(DEXP_INV_APPLY, DCAY_INV_APPLY, TO, FIRST, SECOND)}};
static const operation of_dtau_dual = {ALGEBRA, ALGEBRA, ALGEBRA, {.retraction_2 = lg_retraction_dtau_dual}, 0, 1,
    {MAPS(DEXP_DUAL, DCAY_DUAL, TO, FIRST, SECOND)}};
static const operation of_dtau_inv_dual = {ALGEBRA, ALGEBRA, ALGEBRA,
    {.retraction_2 = lg_retraction_dtau_inv_dual}, 0, 1,
    {MAPS(DEXP_INV_DUAL, DCAY_INV_DUAL, TO, FIRST, SECOND)}};
static const operation of_compose = {ELEMENT, ELEMENT, ELEMENT, {.group_2 = lg_group_compose}, 0, 1,
    {LOOP(COMPOSE, TO, FIRST, SECOND, 0)}};
static const operation of_inverse = {ELEMENT, ELEMENT, NOTHING, {.group_1 = lg_group_inverse}, 0, 1,
    {LOOP(INVERSE, TO, FIRST, NOWHERE, 0)}};
static const operation of_project = {ELEMENT, ELEMENT, NOTHING, {.group_1 = lg_group_project}, 0, 1,
    {LOOP(PROJECT, TO, FIRST, NOWHERE, 0)}};
static const operation of_Ad = {MATRIX, ELEMENT, NOTHING, {.group_1 = lg_group_Ad}, 0, 1,
    {LOOP(AD, TO, FIRST, NOWHERE, 0)}};
static const operation of_coAd = {MATRIX, ELEMENT, NOTHING, {.group_1 = lg_group_coAd}, 0, 1,
    {LOOP(AD, TO, FIRST, NOWHERE, TRANSPOSED)}};
static const operation of_coAd_apply = {ALGEBRA, ELEMENT, ALGEBRA, {.group_2 = lg_group_coAd_apply}, 0, 1,
    {LOOP(COAD, TO, FIRST, SECOND, 0)}};
static const operation of_Ad_apply = {ALGEBRA, ELEMENT, ALGEBRA, {.group_2 = lg_group_Ad_apply}, 0, 1,
    {LOOP(AD_APPLY, TO, FIRST, SECOND, 0)}};
static const operation of_ad = {MATRIX, ALGEBRA, NOTHING, {.group_1 = lg_group_ad}, 0, 1,
    {LOOP(SMALL_AD, TO, FIRST, NOWHERE, 0)}};
static const operation of_coad = {MATRIX, ALGEBRA, NOTHING, {.group_1 = lg_group_coad}, 0, 1,
    {LOOP(SMALL_AD, TO, FIRST, NOWHERE, TRANSPOSED)}};
static const operation of_ad_apply = {ALGEBRA, ALGEBRA, ALGEBRA, {.group_2 = lg_group_ad_apply}, 0, 1,
    {LOOP(SMALL_AD_APPLY, TO, FIRST, SECOND, 0)}};
static const operation of_coad_apply = {ALGEBRA, ALGEBRA, ALGEBRA, {.group_2 = lg_group_coad_apply}, 0, 1,
    {LOOP(SMALL_COAD_APPLY, TO, FIRST, SECOND, 0)}};
static const operation of_to_matrix = {REPRESENTATION, ELEMENT, NOTHING, {.group_1 = lg_group_to_matrix}, 0, 1,
    {LOOP(TO_MATRIX, TO, FIRST, NOWHERE, 0)}};
static const operation of_from_matrix = {ELEMENT, REPRESENTATION, NOTHING, {.group_1 = lg_group_from_matrix}, 0, 1,
    {LOOP(FROM_MATRIX, TO, FIRST, NOWHERE, 0)}};
static const operation of_hat = {REPRESENTATION, ALGEBRA, NOTHING, {.group_1 = lg_group_hat}, 0, 1,
    {LOOP(HAT, TO, FIRST, NOWHERE, 0)}};
static const operation of_between = {ELEMENT, ELEMENT, ELEMENT, {.group_2 = lg_group_between}, 0, 2,
    {LOOP(INVERSE, ONE, FIRST, NOWHERE, 0), LOOP(COMPOSE, TO, ONE, SECOND, 0)}};
static const operation of_right_plus = {ELEMENT, ELEMENT, ALGEBRA, {.group_2 = lg_group_right_plus}, 0, 2,
    {LOOP(EXP, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TO, FIRST, ONE, 0)}};
static const operation of_left_plus = {ELEMENT, ELEMENT, ALGEBRA, {.group_2 = lg_group_left_plus}, 0, 2,
    {LOOP(EXP, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TO, ONE, FIRST, 0)}};
static const operation of_right_minus = {ALGEBRA, ELEMENT, ELEMENT, {.group_2 = lg_group_right_minus}, 0, 3,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, ONE, FIRST, 0),
     LOOP(LOG, TO, TWO, NOWHERE, 0)}};
static const operation of_left_minus = {ALGEBRA, ELEMENT, ELEMENT, {.group_2 = lg_group_left_minus}, 0, 3,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, FIRST, ONE, 0),
     LOOP(LOG, TO, TWO, NOWHERE, 0)}};
/* The length of right_minus(b, a). */
static const operation of_distance = {ALGEBRA, ELEMENT, ELEMENT, {.group_2 = lg_group_right_minus}, 1, 3,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, ONE, FIRST, 0),
     LOOP(LOG, TO, TWO, NOWHERE, 0)}};
static const operation of_left_jacobian = {MATRIX, ALGEBRA, NOTHING, {.group_1 = lg_group_left_jacobian}, 0, 1,
    {LOOP(DEXP, TO, FIRST, NOWHERE, RAW)}};
static const operation of_left_jacobian_inv = {MATRIX, ALGEBRA, NOTHING, {.group_1 = lg_group_left_jacobian_inv}, 0, 1,
    {LOOP(DEXP_INV, TO, FIRST, NOWHERE, RAW)}};
static const operation of_right_jacobian = {MATRIX, ALGEBRA, NOTHING, {.group_1 = lg_group_right_jacobian}, 0, 2,
    {LOOP(NEGATE, X, FIRST, NOWHERE, 0), LOOP(DEXP, TO, X, NOWHERE, RAW)}};
static const operation of_right_jacobian_inv = {MATRIX, ALGEBRA, NOTHING,
    {.group_1 = lg_group_right_jacobian_inv}, 0, 2,
    {LOOP(NEGATE, X, FIRST, NOWHERE, 0), LOOP(DEXP_INV, TO, X, NOWHERE, RAW)}};
static const operation of_inverse_right_jacobian = {MATRIX, ELEMENT, NOTHING,
    {.group_1 = lg_group_inverse_right_jacobian}, 0, 1,
    {LOOP(AD, TO, FIRST, NOWHERE, NEGATIVE)}};
static const operation of_inverse_left_jacobian = {MATRIX, ELEMENT, NOTHING,
    {.group_1 = lg_group_inverse_left_jacobian}, 0, 2,
    {LOOP(INVERSE, ONE, FIRST, NOWHERE, 0), LOOP(AD, TO, ONE, NOWHERE, NEGATIVE)}};
/* Both Jacobians of a function of two arguments. */
static const operation of_compose_right_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_compose_right_jacobian}, 0, 3,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(AD, TO, ONE, NOWHERE, 0),
     LOOP(IDENTITY, BESIDE, NOWHERE, NOWHERE, 0)}};
static const operation of_compose_left_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_compose_left_jacobian}, 0, 2,
    {LOOP(AD, BESIDE, FIRST, NOWHERE, 0), LOOP(IDENTITY, TO, NOWHERE, NOWHERE, 0)}};
static const operation of_between_right_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_between_right_jacobian}, 0, 4,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, ONE, FIRST, 0), LOOP(AD, TO, TWO, NOWHERE, NEGATIVE),
     LOOP(IDENTITY, BESIDE, NOWHERE, NOWHERE, 0)}};
static const operation of_between_left_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_between_left_jacobian}, 0, 3,
    {LOOP(INVERSE, ONE, FIRST, NOWHERE, 0), LOOP(AD, TO, ONE, NOWHERE, NEGATIVE), LOOP(AD, BESIDE, ONE, NOWHERE, 0)}};
static const operation of_right_plus_jacobian = {PAIR, ELEMENT, ALGEBRA,
    {.group_pair = lg_group_right_plus_jacobian}, 0, 4,
    {LOOP(NEGATE, X, SECOND, NOWHERE, 0), LOOP(EXP, ONE, X, NOWHERE, 0), LOOP(AD, TO, ONE, NOWHERE, 0),
     LOOP(DEXP, BESIDE, X, NOWHERE, RAW)}};
static const operation of_left_plus_jacobian = {PAIR, ELEMENT, ALGEBRA,
    {.group_pair = lg_group_left_plus_jacobian}, 0, 3,
    {LOOP(EXP, ONE, SECOND, NOWHERE, 0), LOOP(AD, TO, ONE, NOWHERE, 0), LOOP(DEXP, BESIDE, SECOND, NOWHERE, RAW)}};
static const operation of_right_minus_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_right_minus_jacobian}, 0, 6,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, ONE, FIRST, 0), LOOP(LOG, X, TWO, NOWHERE, 0),
     LOOP(NEGATE, Y, X, NOWHERE, 0), LOOP(DEXP_INV, TO, Y, NOWHERE, RAW),
     LOOP(DEXP_INV, BESIDE, X, NOWHERE, RAW | NEGATIVE)}};
static const operation of_left_minus_jacobian = {PAIR, ELEMENT, ELEMENT,
    {.group_pair = lg_group_left_minus_jacobian}, 0, 6,
    {LOOP(INVERSE, ONE, SECOND, NOWHERE, 0), LOOP(COMPOSE, TWO, FIRST, ONE, 0), LOOP(LOG, X, TWO, NOWHERE, 0),
     LOOP(NEGATE, Y, X, NOWHERE, 0), LOOP(DEXP_INV, TO, X, NOWHERE, RAW),
     LOOP(DEXP_INV, BESIDE, Y, NOWHERE, RAW | NEGATIVE)}};
/* The functions of a retraction, and of a group alone, with one input and with two. */
#define RETRACTION_1(name, op)                                                                                         \
    lg_status name(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *out, const double *a)     \
    {                                                                                                                  \
        return lg_batch_run(&op, r, G, batch, out, a, NULL);                                                           \
    }
#define RETRACTION_2(name, op)                                                                                         \
    lg_status name(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *out, const double *a,     \
                   const double *b)                                                                                    \
    {                                                                                                                  \
        return lg_batch_run(&op, r, G, batch, out, a, b);                                                              \
    }
#define GROUP_1(name, op)                                                                                              \
    lg_status name(const lg_group *G, const lg_batch *batch, double *out, const double *a)                             \
    {                                                                                                                  \
        return lg_batch_run(&op, NULL, G, batch, out, a, NULL);                                                        \
    }
#define GROUP_2(name, op)                                                                                              \
    lg_status name(const lg_group *G, const lg_batch *batch, double *out, const double *a, const double *b)            \
    {                                                                                                                  \
        return lg_batch_run(&op, NULL, G, batch, out, a, b);                                                           \
    }
/* clang-format on */

RETRACTION_1(lg_batch_tau, of_tau)
RETRACTION_1(lg_batch_tau_inv, of_tau_inv)
RETRACTION_1(lg_batch_dtau, of_dtau)
RETRACTION_1(lg_batch_dtau_inv, of_dtau_inv)
RETRACTION_2(lg_batch_dtau_apply, of_dtau_apply)
RETRACTION_2(lg_batch_dtau_inv_apply, of_dtau_inv_apply)
RETRACTION_2(lg_batch_dtau_dual, of_dtau_dual)
RETRACTION_2(lg_batch_dtau_inv_dual, of_dtau_inv_dual)
GROUP_2(lg_batch_compose, of_compose)
GROUP_1(lg_batch_inverse, of_inverse)
GROUP_1(lg_batch_project, of_project)
GROUP_1(lg_batch_Ad, of_Ad)
GROUP_1(lg_batch_coAd, of_coAd)
GROUP_2(lg_batch_coAd_apply, of_coAd_apply)
GROUP_2(lg_batch_Ad_apply, of_Ad_apply)
GROUP_1(lg_batch_ad, of_ad)
GROUP_1(lg_batch_coad, of_coad)
GROUP_2(lg_batch_ad_apply, of_ad_apply)
GROUP_2(lg_batch_coad_apply, of_coad_apply)

lg_status lg_batch_to_matrix(const lg_group *G, const lg_batch *batch, double *R, const double *g)
{
    if (lg_group_complete(G) && G->to_matrix == NULL) return LG_ERROR_UNSUPPORTED;
    return lg_batch_run(&of_to_matrix, NULL, G, batch, R, g, NULL);
}

lg_status lg_batch_from_matrix(const lg_group *G, const lg_batch *batch, double *g, const double *R)
{
    if (lg_group_complete(G) && G->from_matrix == NULL) return LG_ERROR_UNSUPPORTED;
    return lg_batch_run(&of_from_matrix, NULL, G, batch, g, R, NULL);
}

lg_status lg_batch_hat(const lg_group *G, const lg_batch *batch, double *W, const double *xi)
{
    if (lg_group_complete(G) && G->hat == NULL) return LG_ERROR_UNSUPPORTED;
    return lg_batch_run(&of_hat, NULL, G, batch, W, xi, NULL);
}

GROUP_2(lg_batch_between, of_between)
GROUP_2(lg_batch_right_plus, of_right_plus)
GROUP_2(lg_batch_left_plus, of_left_plus)
GROUP_2(lg_batch_right_minus, of_right_minus)
GROUP_2(lg_batch_left_minus, of_left_minus)

lg_status lg_batch_distance(const lg_group *G, const lg_batch *batch, double *d, const double *a, const double *b)
{
    return lg_batch_run(&of_distance, NULL, G, batch, d, b, a);
}

GROUP_1(lg_batch_left_jacobian, of_left_jacobian)
GROUP_1(lg_batch_left_jacobian_inv, of_left_jacobian_inv)
GROUP_1(lg_batch_right_jacobian, of_right_jacobian)
GROUP_1(lg_batch_right_jacobian_inv, of_right_jacobian_inv)
GROUP_1(lg_batch_inverse_right_jacobian, of_inverse_right_jacobian)
GROUP_1(lg_batch_inverse_left_jacobian, of_inverse_left_jacobian)
GROUP_2(lg_batch_compose_right_jacobian, of_compose_right_jacobian)
GROUP_2(lg_batch_compose_left_jacobian, of_compose_left_jacobian)
GROUP_2(lg_batch_between_right_jacobian, of_between_right_jacobian)
GROUP_2(lg_batch_between_left_jacobian, of_between_left_jacobian)
GROUP_2(lg_batch_right_plus_jacobian, of_right_plus_jacobian)
GROUP_2(lg_batch_left_plus_jacobian, of_left_plus_jacobian)
GROUP_2(lg_batch_right_minus_jacobian, of_right_minus_jacobian)
GROUP_2(lg_batch_left_minus_jacobian, of_left_minus_jacobian)
