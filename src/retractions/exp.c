/* SPDX-License-Identifier: BSD-3-Clause */
/* The exponential over the closed forms G->exp. What they lack comes from factor.c: the dual from the matrix, the
 * derivative by differences. */
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

static lg_status exponential_tau(const lg_retraction *r, const lg_group *G, double *g, const double *xi, void *work)
{
    (void)r;
    return G->exp->tau(G, g, xi, work);
}

static lg_status exponential_tau_inv(const lg_retraction *r, const lg_group *G, double *xi, const double *g, void *work)
{
    (void)r;
    return lg_closed_unary(G->exp->tau_inv, G, xi, g, work);
}

static lg_status exponential_dtau(const lg_retraction *r, const lg_group *G, double *M, const double *xi, void *work)
{
    (void)r;
    return lg_closed_unary(G->exp->dtau, G, M, xi, work);
}

static lg_status exponential_dtau_inv(const lg_retraction *r, const lg_group *G, double *M, const double *xi,
                                      void *work)
{
    (void)r;
    return G->exp->dtau_inv(G, M, xi, work);
}

static lg_status exponential_dtau_inv_dual(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                           const double *mu, void *work)
{
    (void)r;
    return lg_closed_binary(G->exp->dtau_inv_dual, G, out, xi, mu, work);
}

static lg_status exponential_dtau_inv_dual_derivative(const lg_retraction *r, const lg_group *G, double *M,
                                                      const double *xi, const double *mu, void *work)
{
    (void)r;
    return lg_closed_binary(G->exp->dtau_inv_dual_derivative, G, M, xi, mu, work);
}

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
