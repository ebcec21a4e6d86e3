/* SPDX-License-Identifier: BSD-3-Clause */
/* Anderson's acceleration. Sweeps that contract slowly do so in few directions. With unknowns u and sweeps F, f = F -
 * u, and the differences dF, df between the last sweeps, gamma makes |f - df gamma| least in the metric of the
 * velocities and u becomes F - dF gamma; the multipliers follow with the same gamma. */
#include "multibody/mixing.h"

#include <math.h>
#include <string.h>

void mb_mixing_begin(mb_motion *m)
{
    m->mixing.count = 0;
}

static double inner(const mb_plan *plan, const mb_pair *x, const mb_pair *y)
{
    double sum = 0;
    for (int b = 0; b < plan->bodies; b++) {
        const double *I = plan->inertia + 9 * b;
        const real *p = x[b].v, *q = y[b].v;
        sum += plan->mass[b] * mb_dot(p, q) + (I[0] * p[3] * q[3] + I[4] * p[4] * q[4] + I[8] * p[5] * q[5]);
    }
    return sum;
}

/* gamma of the normal equations by Cholesky; a direction that depends on those before it gets none. */
static void least(const mb_plan *plan, const mb_mixing *x, int count, double *gamma)
{
    double L[MB_MIXED][MB_MIXED] = {{0}};
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            double s = inner(plan, x->df[i], x->df[k]);
            for (int j = 0; j < k; j++) s -= L[i][j] * L[k][j];
            L[i][k] = L[k][k] > 0 ? s / L[k][k] : 0;
        }
        const double length = inner(plan, x->df[i], x->df[i]);
        double s = length;
        for (int j = 0; j < i; j++) s -= L[i][j] * L[i][j];
        L[i][i] = s > 1e-10 * length ? sqrt(s) : 0;
        s = inner(plan, x->df[i], x->f);
        for (int j = 0; j < i; j++) s -= L[i][j] * gamma[j];
        gamma[i] = L[i][i] > 0 ? s / L[i][i] : 0;
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int j = i + 1; j < count; j++) gamma[i] -= L[j][i] * gamma[j];
        gamma[i] = L[i][i] > 0 ? gamma[i] / L[i][i] : 0;
    }
}

/* last <- F, dF <- F - last, over the unknowns of one kind. */
static void advance(real *last, real *dF, const real *F, int count)
{
    for (int i = 0; i < count; i++) dF[i] = F[i] - last[i], last[i] = F[i];
}

static void add(real *to, double s, const real *x, int count)
{
    for (int i = 0; i < count; i++) to[i] -= s * x[i];
}

void mb_mixing_sweep(mb_motion *m, int mix)
{
    const mb_plan *plan = m->plan;
    mb_mixing *x = &m->mixing;
    const int numbers = 6 * plan->bodies, slot = (x->count + MB_MIXED - 1) % MB_MIXED;
    mb_unknowns *dF = &x->dF[slot];
    for (int b = 0; b < plan->bodies; b++)
        for (int k = 0; k < 6; k++) {
            const real f = m->x.xi[b].v[k] - x->before[b].v[k];
            x->df[slot][b].v[k] = f - x->f[b].v[k];
            x->f[b].v[k] = f;
        }
    advance(x->last.xi->v, dF->xi->v, m->x.xi->v, numbers);
    advance(x->last.l, dF->l, m->x.l, plan->rows);
    advance(x->last.mu, dF->mu, m->x.mu, plan->holonomic_rows);
    const int count = x->count < MB_MIXED ? x->count : MB_MIXED;
    x->count++;
    if (!mix || count == 0) return;
    double gamma[MB_MIXED];
    least(plan, x, count, gamma);
    for (int i = 0; i < count; i++) {
        add(m->x.xi->v, gamma[i], x->dF[i].xi->v, numbers);
        add(m->x.l, gamma[i], x->dF[i].l, plan->rows);
        add(m->x.mu, gamma[i], x->dF[i].mu, plan->holonomic_rows);
    }
}
