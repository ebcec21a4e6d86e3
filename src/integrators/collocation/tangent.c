/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of collocation in numbers that carry derivatives: the fields of the stages, each a block of instances.c;
 * what arrives at the node, from the derivatives of the stages (sensitivity.c); and the node.
 *
 * Callbacks are evaluated through engine/callbacks.h, off the group, too: they must understand these numbers. */
#include "integrators/collocation/instances.h"

#include "integrators/engine/callbacks.h"
#include "integrators/engine/tangent.h"

/* ---- fields.c for these numbers ---- */

static void fields_begin(lg_workspace *w)
{
    w->stages->together = NULL;
}

KERNEL int fields_at(int, int, lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    if (P->constant_metric && P->constant_rows && !P->drift) return 0;
    return lg_node_evaluate_rows(w, w->stages->node[at]);
}

KERNEL int fields_gradient(int n, lg_workspace *w, int at, real *dV)
{
    lg_node *b = w->stages->node[at];
    return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, dV, n);
}

KERNEL int fields_together(int, int, lg_workspace *, int, const real *)
{
    return 1; /* fields_begin() */
}

static int fields_steered_force(lg_workspace *w, int at, const real *xi, real *f)
{
    const lg_node *b = w->stages->node[at];
    double *held = w->lanes->wide_control;
    w->lanes->wide_control = as_doubles(w->stages->controls + at * w->plan->S->callbacks.control_count);
    const int bad = lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, f, w->plan->n);
    w->lanes->wide_control = held;
    return bad;
}

KERNEL int fields_row_rates(int m, int n, lg_workspace *w, int at, const real *xi)
{
    real *A = w->stages->rows_rate;
    return lg_evaluate_row_rates(w, w->stages->node[at], xi, A, A + m * n, w->stages->partial);
}

#include "integrators/collocation/sweep.c"

#include "integrators/collocation/instances.c"

#include "integrators/collocation/sensitivity.c"

/* ---- the step ---- */

static int tangent_collocate(lg_workspace *w, duration h, const lg_node *a, const real *, lg_node *b)
{
    w->now->kept = splat((double)NAN);
    sensitivity_apply(w, h, a, b);
    instances_take_round_off(w->plan, b->g);
    return 0;
}

/* ---- the node ---- */

/* lambda = -C^-1 (A J^-1 f - b' + A' xi) at b, by the first stage, with the controls of b. */
static int tangent_multipliers(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    const int m = P->m, n = P->n;
    lg_node *at = of->node[0];
    real *f = w->vector, *xi = of->velocity;
    if (!m) return 0;
    of->steered = 0;
    at->t = b->t;
    for (int i = 0; i < P->element_size; i++) at->g[i] = b->g[i];
    for (int i = 0; i < n; i++) at->p_tilde[i] = b->p_tilde[i];
    if (fields_at(m, n, w, 0)) return 1;
    sweep_raise(n, P, at, at->p_tilde, xi);
    if (sweep_forces(n, w, 0, xi, f) || sweep_turn(w, SWEEP_ANY, 0, n, xi, at->p_tilde, f) ||
        sweep_right(m, n, w, 0, xi, of->residual, of->residual) || sweep_prepare(m, n, w, at, of->raised, of->gram))
        return 1;
    sweep_share(m, n, of->raised, of->gram, f, of->residual, b->lambda);
    for (int i = 0; i < m; i++) b->lambda[i] = -b->lambda[i];
    return 0;
}

static int tangent_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    return instances_arrive(w, h, a, b) || tangent_multipliers(w, b);
}

static const lg_rule tangent_collocation_rule = {
    .name = "collocation", .needs = LG_NEEDS_SIDES, .depart = lg_depart_state, .arrive = tangent_arrive};

static const lg_free_step tangent_collocation_step = {
    .name = "collocation", .needs = LG_IS_DIRECT, .advance = tangent_collocate};
