/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of groups on arrays, and elementary functions. Inputs are uniform numbers of many sizes: nothing that a
 * library of the machine rounds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bits.h"
#include "support/batched.h"

enum { COUNT = 203, MATRIX = 11 * 11 };

/* ---- groups ---- */

static double xi[COUNT * BITS_NUMBERS], p[COUNT * BITS_NUMBERS], g[COUNT * BITS_NUMBERS], h[COUNT * BITS_NUMBERS],
    out[COUNT * MATRIX];
static const batched_arrays arrays = {out, xi, p, g, h};

/* Of size 2^least to 2^most, any sign. One number after the other: the order of arguments is the compiler's. */
static double of_size(lg_rng *rng, double least, double most)
{
    const double mantissa = 1 + lg_rng_uniform(rng);
    const double size = ldexp(mantissa, (int)floor(least + (most - least) * lg_rng_uniform(rng)));
    return lg_rng_uniform(rng) < 0.5 ? -size : size;
}

static double some(lg_rng *rng)
{
    return of_size(rng, -30, 2);
}

static lg_status single(int op, const lg_retraction *r, const lg_group *G, size_t k)
{
    const size_t n = (size_t)lg_group_dim(G), e = (size_t)lg_group_element_size(G);
    switch (op) {
    case 0:
        return lg_retraction_tau(r, G, out + k * e, xi + k * n);
    case 1:
        return lg_retraction_tau_inv(r, G, out + k * n, g + k * e);
    case 2:
        return lg_retraction_dtau(r, G, out + k * n * n, xi + k * n);
    case 3:
        return lg_retraction_dtau_inv(r, G, out + k * n * n, xi + k * n);
    case 4:
        return lg_group_compose(G, out + k * e, g + k * e, h + k * e);
    case 5:
        return lg_group_inverse(G, out + k * e, g + k * e);
    case 6:
        return lg_group_Ad(G, out + k * n * n, g + k * e);
    default:
        return lg_group_coAd_apply(G, out + k * n, g + k * e, p + k * n);
    }
}

/* g and h are products of exponentials and Cayley maps. */
static void fill(const lg_group *G)
{
    const size_t n = (size_t)lg_group_dim(G), e = (size_t)lg_group_element_size(G);
    lg_rng rng = {4711};
    double x[BITS_NUMBERS];
    lg_status status = LG_OK;
    for (size_t k = 0; k < COUNT; k++) {
        for (size_t i = 0; i < n; i++) xi[k * n + i] = some(&rng), p[k * n + i] = some(&rng), x[i] = some(&rng);
        if (status == LG_OK) status = lg_retraction_tau(lg_retraction_cayley(), G, h + k * e, x);
        if (status == LG_OK) status = lg_retraction_tau(lg_retraction_exp(), G, g + k * e, xi + k * n);
        if (status == LG_OK) status = lg_group_compose(G, g + k * e, g + k * e, h + k * e);
        if (status == LG_OK) status = lg_retraction_tau(lg_retraction_exp(), G, h + k * e, p + k * n);
    }
    if (status != LG_OK) printf("inputs: %s\n", lg_status_name(status));
}

static void operation(const lg_group *G, const lg_retraction *r, int op, const bits_ways *ways)
{
    static const char *const names[BATCHED_FIRST] = {"tau",     "tau_inv", "dtau", "dtau_inv",
                                                     "compose", "inverse", "Ad",   "coAd_apply"};
    static const int elements[BATCHED_FIRST] = {1, 0, 2, 2, 1, 1, 2, 0};
    const size_t n = (size_t)lg_group_dim(G), e = (size_t)lg_group_element_size(G);
    const size_t count = COUNT * (elements[op] == 0 ? n : elements[op] == 1 ? e : n * n);
    lg_batch b = lg_batch_default(COUNT);
    lg_status status = LG_OK;
    char words[120];
    uint64_t digest = bits_none();
    b.width = ways->width;
    memset(out, 0, sizeof out);
    for (size_t k = 0; ways->width == 0 && k < COUNT; k++) {
        const lg_status st = single(op, r, G, k);
        if (st != LG_OK) status = st;
    }
    if (ways->width > 0) status = batched_operation(op, r, G, &b, &arrays);
    if (status == LG_ERROR_UNSUPPORTED) return;
    bits_fold(&digest, out, count);
    snprintf(words, sizeof words, "operation %s %s %s", lg_group_name(G), r->name, names[op]);
    bits_line(words, digest);
}

void bits_of_operations(const bits_ways *ways)
{
    const lg_group *factors[3] = {lg_se3(), lg_torus(2), lg_so3()}, *plane[2] = {lg_rn(3), lg_se2()},
                   *circles[2] = {lg_so2(), lg_se2()};
    const lg_retraction *const retractions[] = {lg_retraction_exp(), lg_retraction_cayley(),
                                                lg_retraction_second_kind(), lg_retraction_series(4)};
    lg_group *made[3] = {NULL, NULL, NULL};
    if (lg_group_create_product(&made[0], factors, 3) != LG_OK ||
        lg_group_create_product(&made[1], plane, 2) != LG_OK || lg_group_create_product(&made[2], circles, 2) != LG_OK)
        return;
    /* the largest has dimension 11 */
    const lg_group *const groups[] = {lg_rn(3), lg_torus(2), lg_so3(), lg_se2(), lg_se3(),
                                      made[0],  made[1],     lg_so2(), made[2]};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        fill(groups[i]);
        for (int r = 0; r < 4; r++)
            for (int op = 0; op < BATCHED_FIRST; op++)
                if ((r == 0 || op < 4) && bits_wanted(ways)) operation(groups[i], retractions[r], op, ways);
    }
    lg_group_destroy(made[0]);
    lg_group_destroy(made[1]);
    lg_group_destroy(made[2]);
}

/* ---- functions ---- */

static double any_size(lg_rng *rng)
{
    return of_size(rng, -1060, 1020);
}

/* Few and quick: never thinned. */
void bits_of_functions(void)
{
    static const char *const names[] = {"sin", "cos", "atan2", "exp", "log", "random_normal"};
    for (int f = 0; f < 6; f++) {
        lg_rng rng = {31};
        uint64_t digest = bits_none();
        char words[40];
        for (int k = 0; k < 20000; k++) {
            const double x = k % 2 ? any_size(&rng) : 40 * some(&rng), u = k % 2 ? any_size(&rng) : some(&rng);
            const double y = f == 0   ? lg_real_sin(x)
                             : f == 1 ? lg_real_cos(x)
                             : f == 2 ? lg_real_atan2(u, x)
                             : f == 3 ? lg_real_exp(x)
                             : f == 4 ? lg_real_log(fabs(x))
                                      : lg_rng_normal(&rng);
            bits_fold(&digest, &y, 1);
        }
        snprintf(words, sizeof words, "function %s", names[f]);
        bits_line(words, digest);
    }
}
