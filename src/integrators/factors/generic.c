/* SPDX-License-Identifier: BSD-3-Clause */
/* Any group, retraction and inertia through their descriptors: general, and costly. At width 1 only; beyond it the
 * tables have no operations. */
#include "integrators/engine/workspace.h"

#if LANES == 1

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "groups/coadjoint.h"
#include "integrators/steps/quadrature.h"
#include "integrators/engine/scratch.h"
#include "retractions/retraction.h"

/* The matrices M and D, which lg_workspace_load() uses, too; the rest only for generic code. */
static lg_dense generic_carve(lg_arena *a, const lg_plan *P, int generic)
{
    size_t n = sz(P->n), element_size = sz(P->element_size);
    lg_dense d = {.M = lg_borrow_doubles(a, n * n)};
    d.D = lg_borrow_doubles(a, n * n);
    if (!generic) return d;
    d.J = lg_borrow_doubles(a, n * n);
    d.x = lg_borrow_doubles(a, n), d.v = lg_borrow_doubles(a, n), d.f = lg_borrow_doubles(a, n);
    d.W = lg_borrow_doubles(a, element_size);
    d.pivots = (int *)lg_borrow(a, n * sizeof *d.pivots);
    if (P->fused) return d;
    d.trial = lg_borrow_doubles(a, n), d.delta = lg_borrow_doubles(a, n), d.half = lg_borrow_doubles(a, n);
    d.U = lg_borrow_doubles(a, element_size);
    return d;
}

size_t lg_dense_bytes(const lg_plan *P)
{
    lg_arena a = {NULL, 0};
    int generic = !P->fused;
    for (int k = 0; k < P->flow_count; k++) generic |= !(P->flows[k].table->facts & LG_FACTOR_FUSED);
    (void)generic_carve(&a, P, generic);
    return a.used;
}

lg_dense lg_dense_of(const lg_workspace *w)
{
    lg_arena a = {(char *)w->dense, 0};
    return generic_carve(&a, w->plan, 1);
}

/* p' = Ad*_W p where the tangent is exact, else (dtau^-1_{-x})^* v (a truncated series keeps the step symmetric that
 * way); factor by factor on products. M is scratch for a matrix. */
static lg_status generic_transport_by(lg_workspace *w, const lg_group *G, const lg_retraction *r, const double *x,
                                      const double *W, const double *v, const double *p, double *out, double *M)
{
    if (G->kind == LG_KIND_PRODUCT) {
        int at = 0, element_offset = 0;
        for (int i = 0; i < lg_group_factor_count(G); i++) {
            const lg_group *F = lg_group_factor(G, i);
            const lg_retraction *rf = r->kind == LG_RETRACTION_PRODUCT ? r->factors[i] : r;
            lg_status st = generic_transport_by(w, F, rf, x + at, W + element_offset, v + at, p + at, out + at, M);
            if (st != LG_OK) return st;
            at += F->dim, element_offset += F->element_size;
        }
        return LG_OK;
    }
    if (!(r->flags & LG_RETRACTION_EXACT)) {
        for (int i = 0; i < G->dim; i++) M[i] = -x[i];
        return lg_retraction_dtau_inv_dual_with(r, G, out, M, v, w->scratch);
    }
    return lg_coadjoint(G, out, W, p, M, w->scratch);
}

/* g1 = g0 W, projected onto the group. */
static lg_status generic_advance_to(lg_workspace *w, const lg_group *G, double *g1, const double *g0, const double *W)
{
    lg_status st = G->compose(G, g1, g0, W, w->scratch);
    if (st == LG_OK && G->project) st = G->project(G, g1, g1, w->scratch);
    return st;
}

static void generic_apply_inertia(const lg_block *b, double *v, const double *xi)
{
    int n = b->factor->n;
    if (!b->factor->diagonal)
        lg_matvec(v, b->J, xi, n, n);
    else
        for (int i = 0; i < n; i++) v[i] = b->J[i] * xi[i];
}

/* M = (dtau^-1)^T J + h D, from the matrix of dtau^-1 in `T`. */
static void generic_slope(const lg_block *b, duration h, double *M, const double *T, const double *D)
{
    int n = b->factor->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = h * D[i * n + j];
            if (b->factor->diagonal)
                s += T[j * n + i] * b->J[j];
            else
                for (int k = 0; k < n; k++) s += T[k * n + i] * b->J[k * n + j];
            M[i * n + j] = s;
        }
}

/* One Newton correction of (dtau^-1_{h xi})^* J xi = p into d->f. */
static lg_status generic_correction(lg_workspace *w, const lg_block *b, duration h, const double *p, const double *xi,
                                    lg_dense *d)
{
    const lg_group *G = b->factor->group;
    const lg_retraction *r = b->factor->retraction;
    int n = b->factor->n;
    for (int i = 0; i < n; i++) d->x[i] = h * xi[i];
    generic_apply_inertia(b, d->v, xi);
    lg_status st = lg_retraction_dtau_inv_dual_with(r, G, d->f, d->x, d->v, w->scratch);
    if (st == LG_OK) st = lg_retraction_dtau_inv_dual_derivative_with(r, G, d->D, d->x, d->v, w->scratch);
    if (st == LG_OK) st = lg_retraction_dtau_inv_with(r, G, d->J, d->x, w->scratch);
    if (st != LG_OK) return st;
    generic_slope(b, h, d->M, d->J, d->D);
    for (int i = 0; i < n; i++) d->f[i] -= p[i];
    if (!lg_all_finite(d->M, n * n) || !lg_all_finite(d->f, n)) return LG_ERROR_NOT_FINITE;
    st = lg_lu_factor(d->M, d->pivots, n);
    if (st == LG_OK) lg_lu_solve(d->M, d->pivots, n, d->f);
    return st;
}

int lg_generic_flow(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,
                    real *g1, real *p_plus)
{
    const lg_group *G = b->factor->group;
    const lg_retraction *r = b->factor->retraction;
    lg_dense d = lg_dense_of(w);
    int n = b->factor->n, it = 0;
    double d2 = 0;
    if (b->factor->diagonal)
        for (int i = 0; i < n; i++) xi[i] = b->Jinv[i] * p_minus[i];
    else
        lg_matvec(xi, b->Jinv, p_minus, n, n);
    do {
        if (it++ == w->iterations_max) {
            lg_workspace_fail(w, LG_ERROR_CONVERGENCE, G->name, 0, w->iterations_max, sqrt(d2));
            return -1;
        }
        lg_status st = generic_correction(w, b, h, p_minus, xi, &d);
        if (it > 1 && (st == LG_ERROR_SINGULAR || st == LG_ERROR_NOT_FINITE)) { /* the iteration has run away */
            lg_workspace_fail(w, LG_ERROR_CONVERGENCE, G->name, 0, it, sqrt(d2));
            return -1;
        }
        if (st != LG_OK) {
            lg_workspace_fail_status(w, st, G->name);
            return -1;
        }
        for (int i = 0; i < n; i++) xi[i] -= d.f[i];
        d2 = lg_dot(d.f, d.f, n);
    } while (d2 > w->tolerance * w->tolerance * lg_dot(xi, xi, n));
    for (int i = 0; i < n; i++) d.x[i] = h * xi[i];
    generic_apply_inertia(b, d.v, xi);
    lg_status st = lg_retraction_tau_with(r, G, d.W, d.x, w->scratch);
    if (st == LG_OK) st = generic_advance_to(w, G, g1, g0, d.W);
    if (st == LG_OK) st = generic_transport_by(w, G, r, d.x, d.W, d.v, p_minus, p_plus, d.M);
    if (st == LG_OK) return it;
    lg_workspace_fail_status(w, st, G->name);
    return -1;
}

/* ---- the same for implicit steps ---- */

static int generic_failed(lg_workspace *w, lg_status st, const lg_factor_plan *f)
{
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, f->group->name);
}

int lg_generic_advance(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,
                       real *k)
{
    const lg_group *G = f->group;
    lg_status st = lg_retraction_tau_with(f->retraction, G, W, x, w->scratch);
    if (st == LG_OK) st = generic_advance_to(w, G, g1, g0, W);
    *k = splat(1);
    return generic_failed(w, st, f);
}

int lg_generic_points(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,
                      const real *g0, real *U, real *g, int stride)
{
    const lg_group *G = f->group;
    lg_dense d = lg_dense_of(w);
    for (int k = 0; k < count; k++, U += stride, g += stride) {
        for (int i = 0; i < f->n; i++) d.x[i] = c[k].c * y[i];
        lg_status st = G->exp->tau(G, U, d.x, w->scratch);
        if (st == LG_OK) st = G->compose(G, g, g0, U, w->scratch);
        if (st != LG_OK) return generic_failed(w, st, f);
    }
    return 0;
}

int lg_generic_transport(lg_workspace *w, const lg_factor_plan *f, const real *W, const real *p, real *out)
{
    const lg_group *G = f->group;
    lg_dense d = lg_dense_of(w);
    return generic_failed(w, lg_coadjoint(G, out, W, p, d.M, w->scratch), f);
}

int lg_generic_dual(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *p, real *out)
{
    return generic_failed(w, lg_retraction_dtau_inv_dual_with(f->retraction, f->group, out, x, p, w->scratch), f);
}

/* Y' = Y hat(xi). */
static lg_status generic_quadratic_rate(const lg_factor_plan *f, real *out, const real *g, const real *xi, real *W,
                                        void *work)
{
    const lg_group *G = f->group;
    lg_status st = G->hat(G, W, xi, work);
    if (st == LG_OK) lg_matmul(out, g, W, G->matrix_size, G->matrix_size, G->matrix_size);
    return st;
}

#endif

/* ---- the tables ---- */

static const lg_factor lg_factor_generic[] = {
    {
        .retractions = LG_SERVES(EXP) | LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC,
        LG_GENERIC_FLOW,
        LG_GENERIC_ARC,
    },
    {.retractions = LG_SERVES_ALL, LG_GENERIC_FLOW, LG_GENERIC_ARC},
};

static const lg_factor lg_factor_quadratic[] = {
    {
        .retractions = LG_SERVES(EXP) | LG_SERVES(SERIES),
        .facts = LG_FACTOR_EXPONENTIAL | LG_FACTOR_GEODESIC,
        LG_GENERIC_FLOW,
        LG_GENERIC_ARC,
        .rate = LG_WIDTH_1(generic_quadratic_rate),
    },
    {
        .retractions = LG_SERVES_ALL,
        LG_GENERIC_FLOW,
        LG_GENERIC_ARC,
        .rate = LG_WIDTH_1(generic_quadratic_rate),
    },
};
