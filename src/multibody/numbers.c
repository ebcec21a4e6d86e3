/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a motion. */
#include "multibody/step.h"

static void *mb_take(lg_arena *a, size_t bytes)
{
    lg_align(a);
    return lg_take(a, bytes);
}

#define MB_TAKE(a, type, count) ((type *)mb_take(a, (size_t)(count) * sizeof(type)))

static void mb_rows_carve(mb_rows *r, lg_arena *a, int parts)
{
    r->row = MB_TAKE(a, mb_pair, parts);
    r->product = MB_TAKE(a, mb_pair, parts);
}

void mb_node_carve(mb_node *n, lg_arena *a, const mb_plan *plan)
{
    n->pose = MB_TAKE(a, mb_pose, plan->bodies + 1);
    n->mobility = MB_TAKE(a, mb_mobility, plan->bodies + 1);
    mb_rows_carve(&n->rows, a, plan->parts);
    n->factor = MB_TAKE(a, real, plan->node.numbers);
    n->phi = MB_TAKE(a, real, plan->holonomic_rows);
    n->p = MB_TAKE(a, mb_pair, plan->bodies);
    n->drift = MB_TAKE(a, real, plan->rows);
    n->q = MB_TAKE(a, real, plan->coordinates);
}

static void mb_unknowns_carve(mb_unknowns *x, lg_arena *a, const mb_plan *plan)
{
    x->xi = MB_TAKE(a, mb_pair, plan->bodies);
    x->l = MB_TAKE(a, real, plan->rows);
    x->mu = MB_TAKE(a, real, plan->holonomic_rows);
}

void mb_motion_carve(mb_motion *m, lg_arena *a, const mb_plan *plan, int stages)
{
    m->plan = plan;
    m->now = 0;
    for (int i = 0; i < 2; i++) mb_node_carve(&m->node[i], a, plan);
    mb_rows_carve(&m->mean, a, plan->holonomic_parts);
    m->mean_factor = MB_TAKE(a, real, plan->mean.numbers);
    m->mean_mobility = MB_TAKE(a, mb_mobility, plan->bodies + 1);
    m->mean_pose = MB_TAKE(a, mb_pose, plan->bodies + 1);
    mb_unknowns_carve(&m->x, a, plan);
    mb_history *history = MB_TAKE(a, mb_history, stages);
    for (int i = 0; i < stages; i++) {
        mb_history none = {{{0}}, 0, 0, 0}, *h = a->base != NULL ? &history[i] : &none;
        for (int k = 0; k < 3; k++) mb_unknowns_carve(&h->past[k], a, plan);
        h->known = 0, h->theta = 0.1;
    }
    m->history = history;
    m->minus = MB_TAKE(a, mb_pair, plan->bodies + 1);
    m->plus = MB_TAKE(a, mb_pair, plan->bodies + 1);
    m->force = MB_TAKE(a, mb_pair, plan->bodies + 1);
    m->wrench = MB_TAKE(a, mb_pair, plan->bodies + 1);
    m->twist = MB_TAKE(a, mb_pair, plan->bodies + 1);
    m->slope = MB_TAKE(a, mb_pair, 2 * plan->coordinates);
    m->control = MB_TAKE(a, real, plan->controls);
    m->motor_work = MB_TAKE(a, real, plan->controls);
    m->y = MB_TAKE(a, real, plan->rows);
    for (int i = 0; i < 2; i++) m->kick[i] = MB_TAKE(a, real, plan->rows);
    m->newton.factor = MB_TAKE(a, real, plan->saddle.factor.numbers);
    m->newton.x = MB_TAKE(a, real, 6 * plan->bodies + plan->rows);
    m->newton.before = MB_TAKE(a, mb_pair, plan->bodies);
    m->newton.inertia = MB_TAKE(a, mb_mobility, plan->bodies);
}
