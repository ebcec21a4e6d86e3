/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense solver that closes an open form: metrics J(g), potentials at the geodesic midpoint, discrete Lagrangians of
 * the user's own. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/scratch.h"

/* The inverse of the residual's Jacobian at xi into H (forward differences, n more residuals), R = residual there. */
static int difference_inverse(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b, double *xi, double *R,
                              double *H)
{
    const lg_inner *inner = w->plan->method->inner;
    lg_dense d = lg_dense_of(w);
    int n = w->plan->n;
    double big = lg_norm_max(xi, n), e = 1e-7 * (big > 1 ? big : 1);
    if (inner->open(w, h, a, pm, xi, b, R)) return 1;
    for (int j = 0; j < n; j++) {
        double keep = xi[j];
        xi[j] = keep + e;
        if (inner->open(w, h, a, pm, xi, b, d.trial)) return 1;
        for (int i = 0; i < n; i++) H[i * n + j] = (d.trial[i] - R[i]) / (xi[j] - keep);
        xi[j] = keep;
    }
    if (!lg_all_finite(H, n * n))
        return lg_work_fail(w, LG_ERROR_NOT_FINITE, "the residual of the inner step", 0, 0, 0);
    memcpy(d.M, H, (size_t)(n * n) * sizeof *H);
    if (lg_lu_factor(d.M, d.pivots, n) != LG_OK)
        return lg_work_fail_status(w, LG_ERROR_SINGULAR, "the Jacobian of the inner step");
    lg_lu_inverse(H, d.M, d.pivots, n);
    return 0;
}

/* Broyden's good update of H = (dR/dxi)^-1 for a step s that changed the residual by y; Hy is scratch. */
static void broyden(double *H, const double *s, const double *y, double *Hy, double *sH, int n)
{
    lg_matvec(Hy, H, y, n, n);
    double denominator = lg_dot(s, Hy, n), s2 = lg_dot(s, s, n);
    if (!(fabs(denominator) > 1e-3 * s2)) return;
    lg_matvec_transposed(sH, H, s, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) H[i * n + j] += (s[i] - Hy[i]) * sH[j] / denominator;
}

/* Solves open(xi) = 0. The Jacobian is made by differences at J^-1 p^- and then kept up to date by Broyden's updates;
 * stops at round-off: a correction below 4 eps, or one that no longer shrinks below 1e-11. */
static int solve(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b)
{
    const lg_inner *inner = w->plan->method->inner;
    lg_dense d = lg_dense_of(w);
    int n = w->plan->n;
    double *H = w->inverse, *xi = b->xi, *R = d.R, *s = d.delta, last = INFINITY, size = 0;
    if (difference_inverse(w, h, a, pm, b, xi, R, H)) return 1;
    for (int it = 1; it <= w->iterations_max; it++) {
        b->iterations = it;
        lg_matvec(s, H, R, n, n);
        for (int i = 0; i < n; i++) s[i] = -s[i], xi[i] += s[i];
        size = sqrt(lg_dot(s, s, n));
        double scale = sqrt(lg_dot(xi, xi, n));
        if (inner->open(w, h, a, pm, xi, b, d.trial)) return 1;
        if (size <= 4 * DBL_EPSILON * scale || (size <= 1e-11 * scale && size >= 0.5 * last)) return 0;
        if (!(size < 1e100)) break;
        if (!lg_all_finite(d.trial, n) && scale < 1e8) /* not Newton running away: a callback did it */
            return lg_work_fail(w, LG_ERROR_NOT_FINITE, "the residual of the inner step", 0, it, 0);
        for (int i = 0; i < n; i++) { /* R <- new residual, trial <- its change */
            double now = d.trial[i];
            d.trial[i] -= R[i];
            R[i] = now;
        }
        broyden(H, s, d.trial, d.f, d.v, n);
        last = size;
    }
    return lg_work_fail(w, LG_ERROR_CONVERGENCE, "the inner step", 0, b->iterations, size);
}

int lg_solve_open(lg_work *w, double h, const lg_node *a, const real *pm, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    if (P->diagonal)
        for (int i = 0; i < P->n; i++) b->xi[i] = w->Jinv[i] * pm[i];
    else
        lg_matvec(b->xi, w->Jinv, pm, P->n, P->n);
    if (solve(w, h, a, pm, b)) return 1;
    lg_status st = G->project ? G->project(G, b->g, b->g, w->scratch) : LG_OK;
    return st == LG_OK ? 0 : lg_work_fail_status(w, st, G->name);
}
