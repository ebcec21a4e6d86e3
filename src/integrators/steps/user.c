/* SPDX-License-Identifier: BSD-3-Clause */
/* The free step of a user-supplied discrete Lagrangian: D = -D_1 L_d, p^+ = D_2 L_d. */
#include "integrators/steps/variational.h"

#include <string.h>

#include "integrators/engine/free_step.h"
#include "integrators/engine/workspace.h"

/* With a user-supplied discrete Lagrangian forces act at both ends, half each. */
static int user_force(lg_workspace *w, double h, const lg_node *a, const real *xi, const lg_node *b)
{
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_trial *trial = &w->implicit->trial;
    const int n = w->plan->n;
    if (!w->plan->force) return 0;
    int code = lg_field_force(w->field, a->t, a->g, xi, o->share_0);
    if (!code) code = lg_field_force(w->field, b->t, b->g, xi, o->share_1);
    for (int i = 0; i < n; i++) o->slope[i] -= 0.5 * h * o->share_0[i], trial->impulse[i] += 0.5 * h * o->share_1[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

static int user_trial(lg_workspace *w, double h, const lg_node *a, const real *xi, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    const lg_lagrangian_scratch *o = &w->implicit->lagrangian;
    lg_trial *trial = &w->implicit->trial;
    lg_call c = lg_field_call(w->field, &a->t);
    const int n = P->n;
    int code;
    trial->transported = 0;
    if (lg_variational_advance(w, h, a, xi, b)) return 1;
    memset(o->slope, 0, sz(n) * sizeof *o->slope);
    memset(trial->impulse, 0, sz(n) * sizeof *trial->impulse);
    w->field->failed = "discrete_slope_1";
    if ((code = S->callbacks.discrete_slope_1(&c, h, a->g, b->g, o->slope))) return lg_workspace_fail_callback(w, code);
    w->field->failed = "discrete_slope_2";
    if ((code = S->callbacks.discrete_slope_2(&c, h, a->g, b->g, trial->impulse)))
        return lg_workspace_fail_callback(w, code);
    for (int i = 0; i < n; i++) o->slope[i] = -o->slope[i];
    return user_force(w, h, a, xi, b);
}

const lg_free_step lg_free_step_user = {.name = "user",
                                        .gives = LG_CAN_POSITION | LG_CAN_CONSTRAIN,
                                        .needs = LG_NEEDS_SLOPES | LG_NEEDS_SOLVER,
                                        .acts = LG_ACTS_UNKNOWN,
                                        .why_not_symmetric = "a discrete Lagrangian of your own is not known to be",
                                        .trial = user_trial,
                                        .residual = lg_variational_residual};
