/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse of a metric that depends on the configuration. */
#include "integrators/engine/node.h"

#include <float.h>

#include "base/dense.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"

enum { METRIC_AT_ONCE = 8 }; /* larger ones lane by lane: their factors would fill the stack */

/* J = L D L^T, L with ones on its diagonal: its part below the diagonal, and 1/D. Is J positive definite? */
KERNEL mask metric_factor(int n, real *L, real *per, const real *J)
{
    const double tolerance = 8.0 * n * DBL_EPSILON;
    mask good = every_lane();
    for (int i = 0; i < n; i++) {
        real pivot = J[i * n + i];
        for (int j = 0; j < i; j++) { /* L D before L */
            L[i * n + j] = J[i * n + j];
            for (int k = 0; k < j; k++) L[i * n + j] = L[i * n + j] - L[i * n + k] * L[j * n + k];
        }
        for (int j = 0; j < i; j++) {
            const real scaled = L[i * n + j];
            L[i * n + j] = scaled * per[j];
            pivot = pivot - scaled * L[i * n + j];
        }
        good = both(good, both(pivot > tolerance * magnitude(J[i * n + i]), pivot <= DBL_MAX));
        per[i] = 1.0 / pivot;
    }
    return good;
}

/* L <- L^-1, the part below the diagonal. */
KERNEL void metric_invert_factor(int n, real *L)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            real sum = L[i * n + j];
            for (int k = j + 1; k < i; k++) sum = sum + L[i * n + k] * L[k * n + j];
            L[i * n + j] = -sum;
        }
}

/* Fails because J is not finite or not positive definite. */
static int metric_refused(int n, lg_workspace *w, const real *J)
{
    mask finite = every_lane();
    for (int i = 0; i < n * n; i++) finite = both(finite, magnitude(J[i]) <= DBL_MAX);
    return lg_workspace_fail_status(w, any(other(finite)) ? LG_ERROR_NOT_FINITE : LG_ERROR_SINGULAR, "metric");
}

/* J^-1 = L^-T D^-1 L^-1. */
KERNEL int metric_invert(int n, lg_workspace *w, real *Jinv, const real *J)
{
    real L[METRIC_AT_ONCE * METRIC_AT_ONCE], per[METRIC_AT_ONCE];
    mask good = metric_factor(n, L, per, J);
    if (any(other(good))) return metric_refused(n, w, J);
    metric_invert_factor(n, L);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            real sum = i == j ? per[i] : per[i] * L[i * n + j];
            for (int k = i + 1; k < n; k++) sum = sum + per[k] * L[k * n + i] * L[k * n + j];
            Jinv[i * n + j] = Jinv[j * n + i] = sum;
        }
    for (int i = 0; i < n; i++) good = both(good, J[i * n + i] * Jinv[i * n + i] <= 1 / LG_LEAST_SHARE);
    return any(other(good)) ? lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "metric") : 0;
}

/* The inverse for one lane; its factor is stored in w->dense. */
static int metric_invert_large(lg_workspace *w, double *inverse, const double *J)
{
    const int n = w->plan->n;
    if (!lg_all_finite(J, n * n)) return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "metric");
    lg_undivide(w->dense, sz(n * n) * sizeof *w->dense);
    return lg_spd_inverse(inverse, J, n, w->dense) != LG_OK ? lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "metric")
                                                            : 0;
}

int lg_invert_metric(lg_workspace *w, real *Jinv, const real *J)
{
    const int n = w->plan->n;
    if (n == 2) return metric_invert(2, w, Jinv, J);
    if (n == 4) return metric_invert(4, w, Jinv, J);
    if (n <= METRIC_AT_ONCE) return LG_SIZED_COLUMNS(n, metric_invert, w, Jinv, J);
#if LANES == 1
    return metric_invert_large(w, Jinv, J);
#else
    const lg_lanes *o = w->lanes;
    const int nn = n * n;
    for (int l = 0; l < LANES; l++) {
        lanes_get(o->matrix, J, nn, l);
        if (metric_invert_large(w, o->inverse, o->matrix)) return 1;
        lanes_put(Jinv, o->inverse, nn, l);
    }
    return 0;
#endif
}
