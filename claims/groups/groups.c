/* SPDX-License-Identifier: BSD-3-Clause */
#include "claims/groups/groups.h"

static void add(claim_report *r, claim_groups *all, lg_status status, lg_group *G, const char *name)
{
    if (!claim_ok(r, status, name, NULL)) return;
    all->made[all->owned++] = G;
    all->group[all->count++] = G;
}

/* out = T^T P T with a shear T, so that no entry of the form is 0 or 1. */
static void shear(double *out, const double *P, int n)
{
    double T[16], PT[16];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) T[i * n + j] = i == j ? 1 + 0.2 * i : j > i ? 0.3 - 0.1 * (i + j) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            PT[i * n + j] = 0;
            for (int k = 0; k < n; k++) PT[i * n + j] += P[i * n + k] * T[k * n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (int k = 0; k < n; k++) out[i * n + j] += T[k * n + i] * PT[k * n + j];
        }
}

/* Y^T P Y = P for a definite P, a symmetric P of both signs, and the one of U(2) in R^4, which is 1 + an area. */
static void add_forms(claim_report *r, claim_groups *all)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, turned[9] = {0, 0, 1, 0, -1, 0, 1, 0, 0};
    static const double unitary[16] = {1, 0, 1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, -1, 0, 1};
    double P[16];
    lg_group *G = NULL;
    lg_status status;
    shear(P, one, 3);
    status = lg_group_create_quadratic(&G, P, 3);
    add(r, all, status, G, "definite form");
    shear(P, turned, 3);
    status = lg_group_create_quadratic(&G, P, 3);
    add(r, all, status, G, "form of both signs");
    shear(P, unitary, 4);
    status = lg_group_create_quadratic(&G, P, 4);
    add(r, all, status, G, "form without symmetry");
}

void claim_groups_open(claim_report *r, claim_groups *all)
{
    static const lg_group *(*const plain[])(void) = {lg_so3, lg_se2, lg_se3};
    const lg_group *factors[3];
    lg_group *G = NULL;
    lg_status status;
    memset(all, 0, sizeof *all);
    all->group[all->count++] = lg_rn(3);
    all->group[all->count++] = lg_torus(2);
    for (int i = 0; i < 3; i++) all->group[all->count++] = plain[i]();
    all->group[all->count++] = lg_catalog_definition("affine-line")->group(); /* a user's group */
    factors[0] = lg_rn(2), factors[1] = lg_so3(), factors[2] = lg_se2();
    status = lg_group_create_product(&G, factors, 3);
    add(r, all, status, G, "product");
    factors[0] = lg_torus(1), factors[1] = all->group[all->count - 1];
    status = lg_group_create_product(&G, factors, 2);
    add(r, all, status, G, "product of products");
    factors[0] = lg_so3(), factors[1] = lg_catalog_definition("affine-line")->group(); /* which has no Ad* of its own */
    status = lg_group_create_product(&G, factors, 2);
    add(r, all, status, G, "product with a user's group");
    status = lg_group_create_so(&G, 4);
    add(r, all, status, G, "SO(4)");
    status = lg_group_create_so_pq(&G, 2, 1);
    add(r, all, status, G, "SO(2,1)");
    status = lg_group_create_sp(&G, 1);
    add(r, all, status, G, "Sp(2)");
    status = lg_group_create_sp(&G, 2);
    add(r, all, status, G, "Sp(4)");
    add_forms(r, all);
}

void claim_groups_close(claim_groups *all)
{
    for (int i = all->owned - 1; i >= 0; i--) lg_group_destroy(all->made[i]);
}
