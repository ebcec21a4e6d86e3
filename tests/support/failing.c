/* SPDX-License-Identifier: BSD-3-Clause */
#include "failing.h"

#include <string.h>

static struct {
    int at, calls, lasting;
    lg_status status;
    const char *operation;
} failing;

void failing_at(int at, lg_status status)
{
    failing.at = at;
    failing.calls = 0;
    failing.status = status;
    failing.operation = NULL;
    failing.lasting = 0;
}

void failing_from(int at, lg_status status)
{
    failing_at(at, status);
    failing.lasting = 1;
}

int failing_calls(void)
{
    return failing.calls;
}

const char *failing_operation(void)
{
    return failing.operation;
}

lg_status failing_met(const char *operation)
{
    failing.calls++;
    if (failing.at == 0 || failing.calls < failing.at || (failing.calls > failing.at && !failing.lasting)) return LG_OK;
    if (failing.calls == failing.at) failing.operation = operation;
    return failing.status;
}

static const lg_group *base_of(const lg_group *G)
{
    return G->data;
}

static lg_status failing_identity(const lg_group *G, double *g)
{
    const lg_status status = failing_met("identity");
    return status == LG_OK ? base_of(G)->identity(base_of(G), g) : status;
}

static double failing_residual(const lg_group *G, const double *g, void *work)
{
    return base_of(G)->residual(base_of(G), g, work);
}

static lg_status failing_random(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    const lg_status status = failing_met("random");
    return status == LG_OK ? base_of(G)->random(base_of(G), g, rng, work) : status;
}

#define UNARY(name, member)                                                                                            \
    static lg_status failing_##name(const lg_group *G, double *out, const double *in, void *work)                      \
    {                                                                                                                  \
        const lg_status status = failing_met(#name);                                                                   \
        return status == LG_OK ? base_of(G)->member(base_of(G), out, in, work) : status;                               \
    }
#define BINARY(name, member)                                                                                           \
    static lg_status failing_##name(const lg_group *G, double *out, const double *a, const double *b, void *work)      \
    {                                                                                                                  \
        const lg_status status = failing_met(#name);                                                                   \
        return status == LG_OK ? base_of(G)->member(base_of(G), out, a, b, work) : status;                             \
    }
#define MAPS(retraction)                                                                                               \
    UNARY(retraction##_tau, retraction->tau)                                                                           \
    UNARY(retraction##_tau_inv, retraction->tau_inv)                                                                   \
    UNARY(retraction##_dtau, retraction->dtau)                                                                         \
    UNARY(retraction##_dtau_inv, retraction->dtau_inv)                                                                 \
    BINARY(retraction##_dual, retraction->dtau_inv_dual)                                                               \
    BINARY(retraction##_derivative, retraction->dtau_inv_dual_derivative)                                              \
    static const lg_group_maps retraction##_whole = {failing_##retraction##_tau,  failing_##retraction##_tau_inv,      \
                                                     failing_##retraction##_dtau, failing_##retraction##_dtau_inv,     \
                                                     failing_##retraction##_dual, failing_##retraction##_derivative};  \
    static const lg_group_maps retraction##_bare = {failing_##retraction##_tau,                                        \
                                                    failing_##retraction##_tau_inv,                                    \
                                                    failing_##retraction##_dtau,                                       \
                                                    failing_##retraction##_dtau_inv,                                   \
                                                    NULL,                                                              \
                                                    NULL};
BINARY(compose, compose)
BINARY(coAd, coAd)
UNARY(inverse, inverse)
UNARY(Ad, Ad)
UNARY(ad, ad)
UNARY(hat, hat)
UNARY(vee, vee)
UNARY(to_matrix, to_matrix)
UNARY(from_matrix, from_matrix)
UNARY(project, project)
MAPS(exp)
MAPS(cay)

static const lg_group_maps *maps_like(const lg_group_maps *base, const lg_group_maps *whole, const lg_group_maps *bare)
{
    return base == NULL ? NULL : base->dtau_inv_dual != NULL && base->dtau_inv_dual_derivative != NULL ? whole : bare;
}

void failing_group(lg_group *U, const lg_group *base)
{
    *U = (lg_group){.size = sizeof *U,
                    .name = "failing copy",
                    .kind = LG_KIND_USER,
                    .dim = base->dim,
                    .element_size = base->element_size,
                    .matrix_size = base->matrix_size,
                    .abelian = base->abelian,
                    .work_bytes = base->work_bytes,
                    .data = base,
                    .identity = failing_identity,
                    .compose = failing_compose,
                    .inverse = failing_inverse,
                    .Ad = failing_Ad,
                    .ad = failing_ad,
                    .coAd = base->coAd ? failing_coAd : NULL,
                    .hat = base->hat ? failing_hat : NULL,
                    .vee = base->vee ? failing_vee : NULL,
                    .to_matrix = base->to_matrix ? failing_to_matrix : NULL,
                    .from_matrix = base->from_matrix ? failing_from_matrix : NULL,
                    .residual = base->residual ? failing_residual : NULL,
                    .project = base->project ? failing_project : NULL,
                    .exp = maps_like(base->exp, &exp_whole, &exp_bare),
                    .cay = maps_like(base->cay, &cay_whole, &cay_bare),
                    .random = base->random ? failing_random : NULL};
}

int failing_each(const char *what, failing_call call, const void *context, int count, int searches)
{
    double right[SUITE_MATRIX] = {0}, out[SUITE_MATRIX];
    failing_at(0, LG_OK);
    suite_ok(what, call(context, right));
    const int calls = failing_calls();
    for (int k = 1; k <= calls; k++) {
        (searches ? failing_from : failing_at)(k, LG_ERROR_IO);
        memset(out, 0, sizeof out);
        const lg_status status = call(context, out);
        if (searches ? status == LG_OK : status != LG_ERROR_IO)
            suite_fail("%s: operation %d of %d, %s, failed, and the status is %d", what, k, calls, failing_operation(),
                       (int)status);
        failing_at(0, LG_OK);
        memset(out, 0, sizeof out);
        suite_ok(what, call(context, out));
        suite_same_bits(what, out, right, count);
    }
    return calls;
}
