/* SPDX-License-Identifier: BSD-3-Clause */
/* The mean of elements: the exponential barycentre, sum_i w_i log(r^-1 g_i) = 0, by its fixed-point iteration. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/group.h>

#include "groups/product.h"
#include "groups/rotation.h"
#include "groups/scratch.h"

enum { MEAN_ROUNDS_MOST = 200 };

/* The sum of the weights; NaN: they are none. */
static double weigh(const double *weights, int count)
{
    double sum = weights != NULL ? 0 : count;
    for (int i = 0; weights != NULL && i < count; i++) sum = weights[i] >= 0 ? sum + weights[i] : NAN;
    return sum > 0 && isfinite(sum) ? sum : NAN;
}

/* mean = sum_i w_i log(r^-1 g_i), the largest |log| into *far; e and xi are scratch. */
static lg_status tangent_mean(const lg_group *G, lg_scratch *s, double *mean, double *far, const double *r,
                              const double *elements, const double *weights, int count)
{
    double *xi = mean + G->dim, *e = xi + G->dim;
    const double whole = weigh(weights, count);
    memset(mean, 0, (size_t)G->dim * sizeof *mean);
    *far = 0;
    for (int i = 0; i < count; i++) {
        const double w = weights != NULL ? weights[i] / whole : 1 / whole;
        if (w == 0) continue;
        lg_status st = G->inverse(G, e, r, s->work);
        if (st == LG_OK) st = G->compose(G, e, e, elements + (size_t)i * (size_t)G->element_size, s->work);
        if (st == LG_OK) st = G->exp->tau_inv(G, xi, e, s->work);
        if (st != LG_OK) return st;
        for (int k = 0; k < G->dim; k++) mean[k] += w * xi[k];
        *far = fmax(*far, lg_length(xi, G->dim));
    }
    return LG_OK;
}

/* Steps shrink until they are round-off, of the distances or of the element. */
static lg_status find_mean(const lg_group *G, lg_scratch *s, double *r, const double *elements, const double *weights,
                           int count)
{
    double *mean = s->own, *e = mean + 2 * G->dim, far, last = INFINITY;
    for (int round = 0; round < MEAN_ROUNDS_MOST; round++) {
        lg_status st = tangent_mean(G, s, mean, &far, r, elements, weights, count);
        if (st != LG_OK) return st;
        const double step = lg_length(mean, G->dim);
        if (!isfinite(step)) return LG_ERROR_NOT_FINITE;
        double size = 0;
        for (int k = 0; k < G->element_size; k++) size = fmax(size, fabs(r[k]));
        if (step == 0 || (step <= 1e-13 * far + 1e-14 * size && step >= 0.5 * last)) return LG_OK;
        last = step;
        st = G->exp->tau(G, e, mean, s->work);
        if (st == LG_OK) st = G->compose(G, r, r, e, s->work);
        if (st != LG_OK) return st;
    }
    return LG_ERROR_CONVERGENCE;
}

lg_status lg_group_mean(const lg_group *G, double *r, const double *elements, const double *weights, int count)
{
    lg_scratch s;
    if (!lg_group_complete(G) || r == NULL || elements == NULL || count < 1 || isnan(weigh(weights, count)))
        return LG_ERROR_ARGUMENT;
    if (G->exp == NULL || G->exp->tau == NULL || G->exp->tau_inv == NULL) return LG_ERROR_UNSUPPORTED;
    const size_t k = (size_t)G->element_size;
    if (lg_scratch_open(&s, G, 2 * (size_t)G->dim + 2 * k) != LG_OK) return LG_ERROR_MEMORY;
    double *at = s.own + 2 * (size_t)G->dim + k;
    int first = 0;
    while (weights != NULL && weights[first] == 0) first++;
    memcpy(at, elements + (size_t)first * k, k * sizeof *at);
    const lg_status st = find_mean(G, &s, at, elements, weights, count);
    if (st == LG_OK) memcpy(r, at, k * sizeof *r);
    lg_scratch_close(&s);
    return st;
}
