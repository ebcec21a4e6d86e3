/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences that are too inexact for a step: it fails with advice. */
#include "integrators/engine/inexact.h"

/* Bounds on the error of velocities and of positions, relative to the largest, so that small motions may be uncertain;
 * and of d phi relative to itself. */
#define VELOCITY 1e-6
#define POSITION 1e-9
#define ROWS     1e-6

static real inexact_largest(const real *v, int n)
{
    real most = splat(0);
    for (int i = 0; i < n; i++) most = greater(most, magnitude(v[i]));
    return most;
}

int lg_inexact_spoils(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_callbacks *c = &P->S->callbacks;
    const real off = lg_inexact_velocity(w, h, a), speed = inexact_largest(b->xi, P->n);
    const real place = greater(splat(1), inexact_largest(b->g, P->element_size));
    const mask forces = both(off > VELOCITY * speed, (h < 0 ? -h : h) * off > POSITION * place);
    const mask rows = w->row_noise > ROWS;
    if (!any(either(forces, rows))) return 0;
    if (!any(forces))
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "holonomic_differential", LG_FAILED_DIFFERENCES, 0,
                                 lane_of(w->row_noise, 0));
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE,
                             c->potential && !c->potential_gradient ? "potential_gradient" : "metric_gradient",
                             LG_FAILED_DIFFERENCES, 0, lane_of(w->force_noise, 0));
}
