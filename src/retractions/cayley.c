/* SPDX-License-Identifier: BSD-3-Clause */
/* The Cayley map over the closed forms G->cay. If a group lacks some, factor.c computes the dual from the matrix, and
 * the derivative by a central difference, which is exact because dcay^-1_xi is quadratic in xi. */
#include "retractions/retraction.h"

static size_t cayley_work_bytes(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->work_bytes;
}

static int cayley_supports(const lg_retraction *r, const lg_group *G)
{
    (void)r;
    return G->cay && G->cay->tau && G->cay->dtau_inv;
}

LG_CLOSED_UNARY(cayley_tau, G->cay->tau)
LG_CLOSED_UNARY(cayley_tau_inv, G->cay->tau_inv)
LG_CLOSED_UNARY(cayley_dtau, G->cay->dtau)
LG_CLOSED_UNARY(cayley_dtau_inv, G->cay->dtau_inv)
LG_CLOSED_BINARY(cayley_dtau_inv_dual, G->cay->dtau_inv_dual)
LG_CLOSED_BINARY(cayley_dtau_inv_dual_derivative, G->cay->dtau_inv_dual_derivative)

static const lg_retraction cayley = {
    .size = sizeof(lg_retraction),
    .name = "cayley",
    .kind = LG_RETRACTION_CAYLEY,
    .flags = LG_RETRACTION_SYMMETRIC | LG_RETRACTION_EXACT | LG_RETRACTION_COMMUTING,
    .work_bytes = cayley_work_bytes,
    .tau = cayley_tau,
    .tau_inv = cayley_tau_inv,
    .dtau = cayley_dtau,
    .dtau_inv = cayley_dtau_inv,
    .dtau_inv_dual = cayley_dtau_inv_dual,
    .dtau_inv_dual_derivative = cayley_dtau_inv_dual_derivative,
    .supports = cayley_supports,
};

const lg_retraction *lg_retraction_cayley(void)
{
    return &cayley;
}
