/* SPDX-License-Identifier: BSD-3-Clause */
/* The accelerations of the continuous system, by the multiplier system. With F = ad*_xi J xi + dT - J' xi - dV + f and
 * A xi' = r, the derivative of A xi = b along the motion,
 *   C lambda = r - A J^-1 F,   C = A J^-1 A^T,   J xi' = F + A^T lambda.
 * A row mu has r = mu Y' - mu' (xi - Y), a holonomic constraint r = -d^2/ds^2 phi(t + s, g exp(s xi)). */
#include <string.h>

#include "base/dense.h"
#include "mechanics/field.h"
#include "mechanics/gram.h"

void lg_acceleration_carve(lg_acceleration *o, const lg_field *f, lg_arena *a)
{
    size_t n = sz(f->n), rows = sz(f->holonomic + f->m);
    o->M = lg_borrow_doubles(a, n * n), o->Jinv = lg_borrow_doubles(a, n * n);
    o->A = lg_borrow_doubles(a, rows * n), o->AW = lg_borrow_doubles(a, rows * n);
    o->C = lg_borrow_doubles(a, rows * rows);
    o->force = lg_borrow_doubles(a, n), o->t1 = lg_borrow_doubles(a, n), o->t2 = NULL;
    o->lambda = lg_borrow_doubles(a, rows);
    o->bad = o->inverted = 0;
}

/* o->t2 = J xi, and o->Jinv = J^-1. */
static lg_status load_metric(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi, int *code)
{
    size_t nn = sz(f->n * f->n);
    if ((*code = lg_field_metric(f, t, g, o->M))) return LG_ERROR_CALLBACK;
    lg_matvec(o->t2, o->M, xi, f->n, f->n);
    if (o->inverted) return LG_OK;
    if (!lg_all_finite(o->M, f->n * f->n)) return LG_ERROR_NOT_FINITE;
    memcpy(o->Jinv, o->M, nn * sizeof *o->Jinv);
    lg_status st = lg_spd_inverse(o->Jinv, o->Jinv, f->n, o->M);
    o->inverted = st == LG_OK && !f->S->callbacks.metric;
    return st;
}

/* o->force = F, with J xi in o->t2. */
static lg_status applied_force(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi, int *code)
{
    const lg_group *G = f->S->group;
    int n = f->n;
    lg_status st = G->abelian ? LG_OK : G->ad(G, o->M, xi, f->work);
    if (st != LG_OK) return st;
    if ((*code = lg_field_force(f, t, g, xi, o->force))) return LG_ERROR_CALLBACK;
    if (!G->abelian) {
        lg_matvec_transposed(o->t1, o->M, o->t2, n, n);
        for (int i = 0; i < n; i++) o->force[i] += o->t1[i];
    }
    if ((*code = lg_field_gradient(f, t, g, o->t1))) return LG_ERROR_CALLBACK;
    for (int i = 0; i < n; i++) o->force[i] -= o->t1[i];
    if (!f->S->callbacks.metric) return LG_OK;
    if ((*code = lg_field_metric_gradient(f, t, g, xi, o->t1))) return LG_ERROR_CALLBACK;
    if ((*code = lg_field_metric_rate(f, t, g, xi, o->t2))) return LG_ERROR_CALLBACK;
    for (int i = 0; i < n; i++) o->force[i] += o->t1[i] - o->t2[i];
    return LG_OK;
}

/* o->lambda = r, with Y in o->t1. */
static int row_rates(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi)
{
    int n = f->n, holonomic = f->holonomic, code = lg_field_hidden_rate(f, t, g, xi, o->lambda);
    const double *Y = o->t1;
    double *dmu = o->M, *dY = o->t2;
    if (!code && f->m) code = lg_field_rows_rate(f, t, g, xi, dmu, dY);
    if (code) return code;
    for (int a = 0; a < holonomic; a++) o->lambda[a] = -o->lambda[a];
    for (int a = 0; a < f->m; a++) {
        const double *mu = o->A + (holonomic + a) * n;
        double r = 0;
        for (int i = 0; i < n; i++) r += mu[i] * dY[i] - dmu[a * n + i] * (xi[i] - Y[i]);
        o->lambda[holonomic + a] = r;
    }
    return 0;
}

/* o->force += A^T lambda. */
static lg_status add_reactions(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi, int *code)
{
    int n = f->n, all = f->holonomic + f->m;
    if (!all) return LG_OK;
    if ((*code = lg_field_holonomic_rows(f, t, g, o->A))) return LG_ERROR_CALLBACK;
    if ((*code = lg_field_rows(f, t, g, o->A + f->holonomic * n, o->t1))) return LG_ERROR_CALLBACK;
    gram_rows(o->AW, o->A, o->Jinv, 0, all, n);
    o->bad = gram_factor(o->C, o->AW, o->A, all, n);
    if (o->bad) return LG_ERROR_SINGULAR;
    if ((*code = row_rates(f, o, t, g, xi))) return LG_ERROR_CALLBACK;
    for (int a = 0; a < all; a++) o->lambda[a] -= lg_dot(o->AW + a * n, o->force, n);
    gram_solve(o->C, o->lambda, all);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < all; a++) o->force[i] += o->A[a * n + i] * o->lambda[a];
    return LG_OK;
}

lg_status lg_field_acceleration(lg_field *f, lg_acceleration *o, double t, const double *g, const double *xi,
                                double *xidot, int *code)
{
    *code = 0;
    o->bad = 0;
    o->t2 = xidot;
    lg_status st = load_metric(f, o, t, g, xi, code);
    if (st == LG_OK) st = applied_force(f, o, t, g, xi, code);
    if (st == LG_OK) st = add_reactions(f, o, t, g, xi, code);
    if (st != LG_OK) return st;
    lg_matvec(xidot, o->Jinv, o->force, f->n, f->n);
    return lg_all_finite(xidot, f->n) ? LG_OK : LG_ERROR_NOT_FINITE; /* a multiplier that is not finite shows in it */
}
