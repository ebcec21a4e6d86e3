/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a motion, and the list of its numbers. */
#include <string.h>

#include "multibody/collocation.h"
#include "multibody/contact/contact.h"

static void mb_rows_carve(mb_rows *r, lg_arena *a, int parts)
{
    r->row = MB_TAKE(a, mb_pair, parts);
    r->product = MB_TAKE(a, mb_pair, parts);
}

LG_ENGINE void mb_node_carve(mb_node *n, lg_arena *a, const mb_plan *plan)
{
    n->pose = MB_TAKE(a, mb_pose, mb_frames(plan));
    n->mobility = MB_TAKE(a, mb_mobility, mb_frames(plan));
    mb_rows_carve(&n->rows, a, mb_room(plan)->parts);
    n->factor = MB_TAKE(a, real, mb_room(plan)->node.numbers);
    n->phi = MB_TAKE(a, real, plan->holonomic_rows);
    n->p = MB_TAKE(a, mb_pair, mb_frames(plan)); /* rows push on the world too: mb_settle() */
    n->drift = MB_TAKE(a, real, plan->rows);
    n->q = MB_TAKE(a, real, plan->coordinates);
    n->given = MB_TAKE(a, mb_pair, 2 * plan->grounds);
}

static void mb_unknowns_carve(mb_unknowns *x, lg_arena *a, const mb_plan *plan)
{
    x->xi = MB_TAKE(a, mb_pair, plan->bodies);
    x->l = MB_TAKE(a, real, plan->rows);
    x->mu = MB_TAKE(a, real, plan->holonomic_rows);
}

/* What steps need where sweeps alone do not do. */
static void mb_stiff_carve(mb_motion *m, lg_arena *a)
{
    const mb_plan *plan = m->plan;
    mb_mixing *x = &m->mixing;
    m->newton.factor = MB_TAKE(a, real, mb_room(plan)->saddle.factor.numbers);
    m->newton.x = MB_TAKE(a, real, 6 * plan->bodies + plan->rows);
    m->newton.inertia = MB_TAKE(a, mb_mobility, plan->bodies);
    x->before = MB_TAKE(a, mb_pair, plan->bodies);
    x->f = MB_TAKE(a, mb_pair, plan->bodies);
    mb_unknowns_carve(&x->last, a, plan);
    for (int i = 0; i < MB_MIXED; i++) {
        mb_unknowns_carve(&x->dF[i], a, plan);
        x->df[i] = MB_TAKE(a, mb_pair, plan->bodies);
    }
}

LG_ENGINE void mb_motion_carve(mb_motion *m, lg_arena *a, const mb_plan *plan, int stages)
{
    m->plan = plan;
    m->now = 0;
    for (int i = 0; i < 2; i++) mb_node_carve(&m->node[i], a, plan);
    mb_rows_carve(&m->mean, a, mb_room(plan)->holonomic_parts);
    m->mean_factor = MB_TAKE(a, real, mb_room(plan)->mean.numbers);
    m->mean_mobility = MB_TAKE(a, mb_mobility, mb_frames(plan));
    m->mean_pose = MB_TAKE(a, mb_pose, mb_frames(plan));
    mb_unknowns_carve(&m->x, a, plan);
    if (LANES > 1) mb_unknowns_carve(&m->held, a, plan);
    mb_history *history = MB_TAKE(a, mb_history, stages);
    for (int i = 0; i < stages; i++) {
        mb_history none = {0}, *h = a->base != NULL ? &history[i] : &none;
        for (int k = 0; k <= MB_PAST; k++) mb_unknowns_carve(&h->past[k], a, plan);
        h->known = splat(0), h->theta = splat(0.1), h->stiff = splat(0);
    }
    m->history = history;
    m->minus = MB_TAKE(a, mb_pair, mb_frames(plan));
    m->plus = MB_TAKE(a, mb_pair, mb_frames(plan));
    m->force = MB_TAKE(a, mb_pair, mb_frames(plan));
    m->wrench = MB_TAKE(a, mb_pair, mb_frames(plan));
    m->twist = MB_TAKE(a, mb_pair, mb_frames(plan));
    m->led = MB_TAKE(a, mb_pair, plan->grounds);
    m->slope = MB_TAKE(a, mb_pair, plan->slopes);
    m->control = MB_TAKE(a, real, plan->controls);
    m->input = plan->activations > 0 ? MB_TAKE(a, real, plan->controls) : m->control;
    m->act = MB_TAKE(a, real, mb_activation_numbers(plan));
    m->motor_work = MB_TAKE(a, real, plan->works);
    m->limit = MB_TAKE(a, char, plan->controls);
    m->servo = MB_TAKE(a, real, plan->controls);
    m->choice = MB_TAKE(a, real, mb_choice_numbers(plan));
    m->y = MB_TAKE(a, real, plan->rows);
    for (int i = 0; i < 2; i++) m->kick[i] = MB_TAKE(a, real, plan->rows);
    m->owed = MB_TAKE(a, real, plan->rows);
    m->reaction = MB_TAKE(a, real, MB_REACTION * mb_room(plan)->blocks);
    if (LANES == 1) mb_stiff_carve(m, a);
}

static void mb_list(mb_span **to, void *at, int count, size_t size)
{
    *(*to)++ = (mb_span){(double *)at, count * (int)(size / sizeof(real))};
}

#define MB_LIST(to, at, count) mb_list(to, at, count, sizeof *(at))

static void mb_list_state(const mb_plan *plan, mb_span **to, mb_node *n)
{
    MB_LIST(to, n->pose, plan->bodies);
    MB_LIST(to, n->p, plan->bodies);
    MB_LIST(to, n->q, plan->coordinates);
    if (plan->drives == 0) return;
    MB_LIST(to, n->pose + plan->bodies + 1, plan->drives);
    MB_LIST(to, n->given, 2 * plan->grounds);
}

static void mb_list_rows(const mb_plan *plan, mb_span **to, mb_node *n)
{
    MB_LIST(to, n->mobility, plan->bodies);
    MB_LIST(to, n->rows.row, mb_room(plan)->parts);
    MB_LIST(to, n->rows.product, mb_room(plan)->parts);
    MB_LIST(to, n->factor, mb_room(plan)->node.numbers);
    MB_LIST(to, n->phi, plan->holonomic_rows);
    MB_LIST(to, n->drift, plan->rows);
}

LG_ENGINE void mb_node_copy(const mb_plan *plan, mb_node *to, const mb_node *from)
{
    mb_span a[16], b[16], *end = a, *same = b;
    mb_node source = *from; /* lists are of what may be written */
    mb_list_state(plan, &end, to), mb_list_rows(plan, &end, to);
    mb_list_state(plan, &same, &source), mb_list_rows(plan, &same, &source);
    for (int k = 0; k < end - a; k++) memcpy(a[k].at, b[k].at, sz(a[k].count) * sizeof(real));
}

static void mb_list_unknowns(const mb_plan *plan, mb_span **to, mb_unknowns *x)
{
    MB_LIST(to, x->xi, plan->bodies);
    MB_LIST(to, x->l, plan->rows);
    MB_LIST(to, x->mu, plan->holonomic_rows);
}

#if LANES == 1
static void mb_contacts_state(mb_contacts *c, mb_span **to)
{
    MB_LIST(to, c->P, 3 * c->most);
    MB_LIST(to, c->key, c->keyed ? c->most : 0);
    MB_LIST(to, &c->length, 1);
    MB_LIST(to, &c->impacts, 1);
    MB_LIST(to, &c->gained, 1);
    MB_LIST(to, c->carry, c->totals);
}
#endif

LG_ENGINE int mb_spans(mb_motion *m, int stages, mb_totals totals, mb_span *span, int *state)
{
    const mb_plan *plan = m->plan;
    mb_span *to = span;
    mb_list_state(plan, &to, &m->node[m->now]);
    MB_LIST(&to, m->control, plan->controls);
    MB_LIST(&to, m->act, mb_activation_numbers(plan));
    MB_LIST(&to, m->choice, mb_choice_numbers(plan));
    for (int i = 0; i < stages; i++) {
        mb_history *h = &m->history[i];
        for (int k = 0; k < MB_PAST; k++) mb_list_unknowns(plan, &to, &h->past[k]);
        MB_LIST(&to, &h->known, 1);
        MB_LIST(&to, &h->theta, 1);
        MB_LIST(&to, &h->stiff, 1);
    }
#if LANES == 1
    if (m->collocation != NULL) {
        mb_collocation *o = m->collocation;
        MB_LIST(&to, o->memory, mb_state_numbers(plan) * o->tableau.s);
        MB_LIST(&to, &o->span, 1);
        MB_LIST(&to, &o->contraction, 1);
        MB_LIST(&to, &o->kept, 1);
    }
#endif
#if LANES == 1
    if (m->contacts != NULL) mb_contacts_state(m->contacts, &to);
#endif
    MB_LIST(&to, totals.work, 1);
    MB_LIST(&to, totals.motor_work, plan->works);
    MB_LIST(&to, totals.scale, 1);
    MB_LIST(&to, totals.pivot, 1);
    MB_LIST(&to, totals.jumped, 1);
    *state = (int)(to - span);
    mb_list_rows(plan, &to, &m->node[m->now]);
    mb_list_state(plan, &to, &m->node[m->now ^ 1]);
    mb_list_rows(plan, &to, &m->node[m->now ^ 1]);
    MB_LIST(&to, m->mean.row, mb_room(plan)->holonomic_parts);
    MB_LIST(&to, m->mean_pose, plan->bodies);
    mb_list_unknowns(plan, &to, &m->x);
    for (int i = 0; i < 2; i++) MB_LIST(&to, m->kick[i], plan->rows);
    MB_LIST(&to, &m->sweeps, 1);
#if LANES == 1
    if (m->contacts != NULL) MB_LIST(&to, m->contacts->force, 3 * m->contacts->most);
#endif
    MB_LIST(&to, m->reaction, MB_REACTION * mb_room(plan)->blocks);
    MB_LIST(&to, &m->summed, 1);
#if LANES == 1
    if (m->collocation != NULL) MB_LIST(&to, m->collocation->reaction, MB_REACTION * mb_room(plan)->blocks);
#endif
    return (int)(to - span);
}
