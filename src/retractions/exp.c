/* SPDX-License-Identifier: BSD-3-Clause */
/* The exponential over the closed forms G->exp. If a group lacks some, factor.c computes the dual from the matrix and
 * the derivative by differences. */
#include "retractions/retraction.h"

static size_t exponential_work_bytes(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->work_bytes;
}

static int exponential_supports(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->exp && G->exp->tau && G->exp->dtau_inv;
}

LG_CLOSED_UNARY(exponential_tau, G->exp->tau)
LG_CLOSED_UNARY(exponential_tau_inv, G->exp->tau_inv)
LG_CLOSED_UNARY(exponential_dtau, G->exp->dtau)
LG_CLOSED_UNARY(exponential_dtau_inv, G->exp->dtau_inv)
LG_CLOSED_BINARY(exponential_dtau_inv_dual, G->exp->dtau_inv_dual)
LG_CLOSED_BINARY(exponential_dtau_inv_dual_derivative, G->exp->dtau_inv_dual_derivative)

static const lg_retraction exponential = {
    .size = sizeof(lg_retraction),
    .name = "exp",
    .kind = LG_RETRACTION_EXP,
    .flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING,
    .work_bytes = exponential_work_bytes,
    .tau = exponential_tau,
    .tau_inv = exponential_tau_inv,
    .dtau = exponential_dtau,
    .dtau_inv = exponential_dtau_inv,
    .dtau_inv_dual = exponential_dtau_inv_dual,
    .dtau_inv_dual_derivative = exponential_dtau_inv_dual_derivative,
    .supports = exponential_supports,
};

const lg_retraction *lg_retraction_exp(void)
{
    return &exponential;
}
