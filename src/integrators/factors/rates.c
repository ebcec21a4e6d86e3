/* SPDX-License-Identifier: BSD-3-Clause */
/* g' = g xi^ in the numbers of an element, and ad*_xi p, for one factor: from its table, or by its group's descriptor.
 */
#include "integrators/engine/workspace.h"

#if LANES == 1

#include <math.h>

#include "base/dense.h"
#include "base/differences.h"
#include "integrators/collocation/stages.h"
#include "retractions/retraction.h"

/* Of order eight, since a user-supplied group has no exact derivative. */
static lg_status rates_difference(lg_workspace *w, const lg_factor_plan *f, const real *g, const real *xi, real *out)
{
    static const double weight[4] = {LG_CENTRAL_8};
    const lg_group *G = f->group;
    double *x = w->stages->vector, *W = w->stages->element, *moved = W + f->element_size;
    const double e = 0.02 / fmax(1, lg_norm_max(xi, f->n));
    for (int i = 0; i < f->element_size; i++) out[i] = 0;
    for (int k = 0; k < 8; k++) {
        const int side = k & 1 ? -1 : 1, at = k / 2;
        for (int i = 0; i < f->n; i++) x[i] = side * (at + 1) * e * xi[i];
        lg_status st = lg_retraction_tau_with(f->retraction, G, W, x, w->scratch);
        if (st == LG_OK) st = G->compose(G, moved, g, W, w->scratch);
        if (st != LG_OK) return st;
        for (int i = 0; i < f->element_size; i++) out[i] += side * weight[at] / e * moved[i];
    }
    return LG_OK;
}

/* out = (ad_xi)^T p. */
static lg_status rates_coad(lg_workspace *w, const lg_factor_plan *f, const real *xi, const real *p, real *out)
{
    double *M = w->stages->matrix;
    const lg_status st = f->group->ad(f->group, M, xi, w->scratch);
    if (st == LG_OK) lg_matvec_transposed(out, M, p, f->n, f->n);
    return st;
}

#endif

int lg_factor_rate(lg_workspace *w, const lg_factor_plan *f, const real *g, const real *xi, real *dg)
{
    const lg_factor *T = f->table;
#if LANES == 1
    const lg_status st = T->rate ? T->rate(f, dg, g, xi, w->stages ? w->stages->element : NULL, w->scratch)
                                 : rates_difference(w, f, g, xi, dg);
#else
    const lg_status st = T->rate(f, dg, g, xi, NULL, NULL);
#endif
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, f->group->name);
}

int lg_factor_turn(lg_workspace *w, const lg_factor_plan *f, const real *xi, const real *p, real *dp)
{
    const lg_factor *T = f->table;
    lg_status st = LG_OK;
    if (T->coad) T->coad(dp, xi, p);
#if LANES == 1
    if (!T->coad && !f->group->abelian) st = rates_coad(w, f, xi, p, dp);
#endif
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, f->group->name);
}
