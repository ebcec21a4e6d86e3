/* SPDX-License-Identifier: BSD-3-Clause */
/* Deviations that the rows allow: orthonormal bases of their kernels in the kinetic metric. */
#include <math.h>
#include <string.h>

#include "multibody/linear.h"

void mb_linear_metric(const mb_linear *L, double *y, const double *x)
{
    const mb_plan *plan = &L->mo->plan;
    const mb_node *n = mb_now(L->mo);
    for (int b = 0; b < plan->bodies; b++) {
        double w[3], p[3];
        for (int k = 0; k < 3; k++) y[6 * b + k] = plan->mass[b] * x[6 * b + k];
        mb_back(w, n->pose[b].R, x + 6 * b + 3);
        mb_turn(p, plan->inertia + 9 * b, w);
        mb_turn(y + 6 * b + 3, n->pose[b].R, p);
    }
}

/* v <- v - J^-1 A^T C^-1 A v at the base, with the rows of the first blocks and their factor. */
static void remove_rows(mb_linear *L, double *v, const mb_symbolic *S, const double *factor, int blocks)
{
    const mb_plan *plan = &L->mo->plan;
    const mb_node *n = mb_now(L->mo);
    mb_pair *f = L->copy->numbers.wrench;
    for (int round = 0; round < 2; round++) {
        memset(f, 0, sz(mb_frames(plan)) * sizeof *f);
        for (int b = 0; b < plan->bodies; b++) memcpy(f[b].v, v + 6 * b, sizeof f[b].v);
        mb_pull(plan, n->rows.row, L->x, f, blocks);
        mb_forward(plan, S, factor, L->x);
        mb_backward(plan, S, factor, L->x);
        memset(f, 0, sz(mb_frames(plan)) * sizeof *f);
        mb_push(plan, n->rows.row, f, -1, L->x, blocks);
        for (int b = 0; b < plan->bodies; b++) {
            double w[3];
            mb_mobile(w, &n->mobility[b], f[b].v + 3);
            for (int k = 0; k < 3; k++) {
                v[6 * b + k] += f[b].v[k] * n->mobility[b].inverse_mass;
                v[6 * b + 3 + k] += w[k];
            }
        }
    }
}

/* A J-orthonormal basis of what the rows leave, `count` vectors: the longest projection of a unit vector comes first.
 * Rotors have no vectors of their own. */
static int make_basis(mb_linear *L, double *basis, int count, const mb_symbolic *S, const double *factor, int blocks)
{
    const int n = L->n, own = n - 6 * L->mo->plan.rotors;
    double *v = L->candidate[0], *Jv = L->candidate[1];
    for (int i = 0; i < own; i++) {
        double *e = v + (size_t)i * (size_t)n;
        memset(e, 0, (size_t)n * sizeof *e);
        e[i] = 1;
        mb_linear_metric(L, L->z, e);
        e[i] = 1 / sqrt(L->z[i]);
        remove_rows(L, e, S, factor, blocks);
        mb_linear_metric(L, Jv + (size_t)i * (size_t)n, e);
    }
    for (int c = 0; c < count; c++) {
        double most = 0;
        int best = 0;
        for (int i = 0; i < own; i++) {
            const double size = small_dot(n, v + (size_t)i * (size_t)n, Jv + (size_t)i * (size_t)n);
            if (size > most * (1 + 1e-9)) most = size, best = i; /* rounding does not choose between equals */
        }
        if (!(most > 1e-12)) return 0;
        double *to = basis + (size_t)c * (size_t)n;
        memcpy(to, v + (size_t)best * (size_t)n, (size_t)n * sizeof *to);
        remove_rows(L, to, S, factor, blocks);
        for (int j = 0; j < c; j++) {
            mb_linear_metric(L, L->z, to);
            const double d = small_dot(n, L->z, basis + (size_t)j * (size_t)n);
            for (int k = 0; k < n; k++) to[k] -= d * basis[(size_t)j * (size_t)n + (size_t)k];
        }
        mb_linear_metric(L, L->z, to);
        const double scale = 1 / sqrt(small_dot(n, L->z, to));
        for (int k = 0; k < n; k++) to[k] *= scale, L->z[k] *= scale;
        for (int i = 0; i < own; i++) {
            double *e = v + (size_t)i * (size_t)n, *Je = Jv + (size_t)i * (size_t)n;
            const double d = small_dot(n, L->z, e);
            for (int k = 0; k < n; k++) e[k] -= d * to[k], Je[k] -= d * L->z[k];
        }
    }
    return 1;
}

lg_status mb_linear_bases(mb_linear *L)
{
    const mb_plan *plan = &L->mo->plan;
    const mb_node *n = mb_now(L->mo);
    double *factor = L->copy->numbers.mean_factor;
    mb_gram(plan, &plan->mean, factor, n->rows);
    mb_factor(plan, &plan->mean, factor);
    if (make_basis(L, L->basis[0], L->count[0], &plan->mean, factor, plan->holonomic_blocks) &&
        make_basis(L, L->basis[1], L->count[1], &plan->node, n->factor, plan->blocks))
        return LG_OK;
    return lg_fail(&L->mo->head.error, LG_ERROR_SINGULAR, "%s: the configuration is singular", L->who);
}
