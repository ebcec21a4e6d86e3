/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinetic metric. */
#include "multibody/dynamics/metric.h"

#include <math.h>

#include "base/arena.h"
#include "base/dense.h"

static mb_dense *dense_carve(lg_arena *a, const lg_dynamics *d)
{
    const size_t n = sz(d->n), r = sz(d->rows) + n + sz(d->limits), k = sz(d->m->plan.controls), most = n > k ? n : k;
    mb_dense sizes, *taken = lg_take(a, sizeof *taken), *w = taken != NULL ? taken : &sizes;
    w->L = lg_take_doubles(a, n * n);
    w->G = lg_take_doubles(a, r * n), w->rows = lg_take_doubles(a, r * n);
    w->bend = lg_take_doubles(a, r), w->unit = lg_take_doubles(a, r);
    w->B = lg_take_doubles(a, n * most);
    w->tau = lg_take_doubles(a, n), w->x = lg_take_doubles(a, most), w->start = lg_take_doubles(a, n);
    w->work = lg_take_doubles(a, most * (most + 5)), w->beta = lg_take_doubles(a, 2 * r);
    w->pivot = lg_take(a, (r + 2 * most) * sizeof(int));
    w->held = lg_take(a, n + sz(d->limits));
    return taken;
}

lg_status mb_metric(lg_dynamics *d, const char *who)
{
    lg_arena a = {NULL, 0};
    int bad = -1;
    if (d->dense == NULL) {
        (void)dense_carve(&a, d);
        a = (lg_arena){lg_reserve(a.used), 0};
        if (a.base == NULL) return lg_fail(&d->error, LG_ERROR_MEMORY, "%s: out of memory", who);
        d->dense = dense_carve(&a, d);
    }
    lg_status st = lg_dynamics_mass_matrix(d, d->dense->L);
    if (st == LG_OK) st = lg_cholesky(d->dense->L, d->n, &bad);
    return st == LG_OK ? st
                       : lg_fail(&d->error, LG_ERROR_SINGULAR,
                                 "%s: the mass matrix has no inertia left at coordinate %d", who, bad);
}

void mb_metric_rows(lg_dynamics *d, int count, int transposed)
{
    mb_dense *w = d->dense;
    const int n = d->n, stride = transposed ? count : 1;
    for (int r = 0; r < count; r++) {
        double *to = w->rows + (transposed ? r : r * n);
        for (int i = 0; i < n; i++) to[i * stride] = w->G[r * n + i];
        mb_into_metric(d, to, stride);
        const double length = mb_stride_length(to, n, stride);
        w->unit[r] = length > MB_DEPENDENT * w->unit[r] ? 1 / length : 0;
        for (int i = 0; i < n; i++) to[i * stride] *= w->unit[r];
    }
}

void mb_into_metric(const lg_dynamics *d, double *x, int stride)
{
    const double *L = d->dense->L;
    for (int i = 0; i < d->n; i++) {
        double s = x[i * stride];
        for (int k = 0; k < i; k++) s -= L[i * d->n + k] * x[k * stride];
        x[i * stride] = s / L[i * d->n + i];
    }
}

void mb_out_of_metric(const lg_dynamics *d, double *x)
{
    const double *L = d->dense->L;
    for (int i = d->n - 1; i >= 0; i--) {
        for (int k = i + 1; k < d->n; k++) x[i] -= L[k * d->n + i] * x[k];
        x[i] /= L[i * d->n + i];
    }
}

double mb_metric_length(const lg_dynamics *d, const double *a)
{
    double square = 0;
    for (int i = 0; i < d->n; i++) {
        double s = 0;
        for (int k = i; k < d->n; k++) s += d->dense->L[k * d->n + i] * a[k];
        square += s * s;
    }
    return sqrt(square);
}

double mb_stride_length(const double *x, int n, int stride)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i * stride] * x[i * stride];
    return sqrt(s);
}
