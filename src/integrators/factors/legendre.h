/* SPDX-License-Identifier: BSD-3-Clause */
/* The Legendre transform of a fused flow: xi from p = (dtau^-1_{h xi})^* J xi. Newton starts at J^-1 p, converges
 * quadratically and stops when the correction is below the tolerance (1e-8): the next one would be round-off. A lane
 * that is finished no longer moves. The transported p carries the momentum exactly whatever the residual is. */
#ifndef LG_INTEGRATORS_FACTORS_LEGENDRE_H
#define LG_INTEGRATORS_FACTORS_LEGENDRE_H

#include "base/small.h"
#include "integrators/engine/workspace.h"

typedef void (*legendre_dual)(real *out, const real *x, const real *mu);
typedef void (*legendre_derivative)(real *M, const real *x, const real *mu);

static inline int legendre_failed(lg_workspace *w, const lg_block *b, int iterations, double residual2)
{
    lg_workspace_fail(w, LG_ERROR_CONVERGENCE, b->factor->group->name, 0, iterations, sqrt(residual2));
    return -1;
}

/* The iterations of every lane, for the node: at width 1 what the flow returns. */
KERNEL void legendre_note_iterations(lg_workspace *w, real count)
{
    if (LANES > 1) w->flow_iterations = greater(w->flow_iterations, count);
}

/* xi from p for one factor; returns the iterations, or -1. */
KERNEL int legendre_solve(lg_workspace *w, const lg_block *b, int n, int diagonal, legendre_dual dual,
                          legendre_derivative derivative, duration h, const real *p, real *xi)
{
    real x[6], v[6], F[6], M[36], D[36], column[6], dual_column[6], d2 = splat(0), count = splat(0);
    double tolerance2 = w->tolerance * w->tolerance;
    mask live = every_lane();
    small_apply(n, diagonal, xi, b->Jinv, p);
    for (int it = 1; it <= w->iterations_max; it++) {
        for (int i = 0; i < n; i++) x[i] = h * xi[i];
        small_apply(n, diagonal, v, b->J, xi);
        dual(F, x, v);
        derivative(D, x, v);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) column[i] = diagonal ? (i == j ? b->J[i] : splat(0)) : b->J[i * n + j];
            dual(dual_column, x, column);
            for (int i = 0; i < n; i++) M[i * n + j] = dual_column[i] + h * D[i * n + j];
        }
        for (int i = 0; i < n; i++) F[i] = F[i] - p[i];
        small_solve(n, M, F);
        for (int i = 0; i < n; i++) xi[i] = sel(live, xi[i] - F[i], xi[i]);
        d2 = small_dot(n, F, F);
        if (LANES > 1) count = sel(live, splat(it), count);
        live = both(live, d2 > tolerance2 * small_dot(n, xi, xi));
        if (any(live)) continue;
        legendre_note_iterations(w, count);
        return it;
    }
    return legendre_failed(w, b, w->iterations_max, lane_of(d2, 0));
}

#endif
