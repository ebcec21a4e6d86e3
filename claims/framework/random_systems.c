/* SPDX-License-Identifier: BSD-3-Clause */
/* Random systems. */
#include "claims/framework/random_systems.h"

static int random_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    const random_system *d = c->context;
    const int n = d->s.n;
    double M[CLAIM_DIM * CLAIM_DIM];
    (void)Y;
    if (lg_group_Ad(d->s.G, M, g) != LG_OK) return 1;
    for (int a = 0; a < d->s.m; a++) {
        double *row = mu + a * n, f = 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) row[i] += d->C[a * n + j] * M[j * n + i];
        if (d->general) f = row[0] + 0.5 * row[1];
        for (int i = 0; i < n; i++) row[i] = d->B[a * n + i] + f * row[i];
    }
    return 0;
}

static lg_status random_group(random_system *d, int which)
{
    const lg_group *two[2] = {which == 1 ? lg_rn(2) : lg_se2(), lg_so3()};
    lg_status status = LG_OK;
    switch (which) {
    case 0:
        d->s.G = lg_so3();
        return LG_OK;
    case 3:
        d->s.G = lg_se3();
        return LG_OK;
    case 2:
        status = lg_group_create_so(&d->made, 4);
        break;
    case 5:
        status = lg_group_create_so_pq(&d->made, 2, 1);
        break;
    default:
        status = lg_group_create_product(&d->made, two, 2);
        break;
    }
    d->s.G = d->made;
    return status;
}

/* The metric: bi-invariant (a multiple of 1 on simple groups, anything on R^2), or close to 1 and symmetric. */
static void draw_metric(random_system *d, int which, int biinvariant, lg_rng *rng)
{
    const int n = d->s.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double entry = (i == j) + (biinvariant ? 0 : 0.1 * lg_rng_normal(rng));
            d->J[i * n + j] = d->J[j * n + i] = entry * (biinvariant && which < 2 ? 0.7 : 1);
        }
    }
    if (biinvariant && which == 1) d->J[0] = 1.3, d->J[1] = d->J[n] = 0.2;
}

int claim_random_system(claim_report *r, random_system *d, int which, int rows, int m, int biinvariant, uint64_t seed)
{
    lg_rng rng = {seed};
    memset(d, 0, sizeof *d);
    claim_case(r, "drawn at random", NULL, NULL);
    if (!claim_ok(r, random_group(d, which), "a group", NULL)) return 0;
    d->S = lg_system_default(d->s.G);
    d->s.S = &d->S;
    d->s.name = d->s.label;
    d->s.h = 0.1;
    d->s.n = lg_group_dim(d->s.G), d->s.m = m, d->s.size = lg_group_element_size(d->s.G);
    strncpy(d->s.label, lg_group_name(d->s.G), sizeof d->s.label - 1);
    strncat(d->s.label, " drawn", sizeof d->s.label - strlen(d->s.label) - 1);
    draw_metric(d, which, biinvariant, &rng);
    for (int i = 0; i < m * d->s.n; i++) {
        d->B[i] = rows & RANDOM_LEFT ? lg_rng_normal(&rng) : 0;
        d->C[i] = rows & RANDOM_RIGHT ? lg_rng_normal(&rng) : 0;
    }
    d->S.inertia = d->J;
    d->S.constraint_count = m;
    d->S.context = d;
    d->general = rows == (RANDOM_LEFT | RANDOM_RIGHT);
    if (rows == RANDOM_LEFT)
        d->S.covector_matrix = d->B;
    else
        d->S.callbacks.covectors = random_rows;
    for (int i = 0; i < d->s.n; i++) d->s.xi0[i] = 0.4 * lg_rng_normal(&rng); /* also the logarithm of g_0 */
    return claim_ok(r, lg_group_exp(d->s.G, d->s.g0, d->s.xi0), "a configuration", NULL);
}

void claim_random_system_free(random_system *d)
{
    lg_group_destroy(d->made);
}
