/* SPDX-License-Identifier: BSD-3-Clause */
/* What exists beyond width 1 alone: a step of several motions that can be taken back. */
#include "multibody/lanes.h"

#include <math.h>
#include <string.h>

#include "multibody/sound.h"

struct mb_wide {
    mb_motion numbers;
    int stages;
    const double *part;
    double h;
    real work, scale, pivot, jumped, *motor_work;
    /* before the step */
    mb_pose *pose;
    mb_pair *p;
    real *q, *motor_before, *known, *theta;
    real work_before, scale_before;
};

static mb_wide *lanes_carve(lg_arena *a, const mb_plan *plan, int stages)
{
    mb_wide local, *home, *w;
    lg_align(a);
    home = (mb_wide *)lg_take(a, sizeof *home);
    w = home != NULL ? home : &local;
    lg_align(a);
    mb_motion_carve(&w->numbers, a, plan, stages);
    const size_t bodies = sz(mb_frames(plan)), works = sz(plan->works);
    lg_align(a);
    w->pose = (mb_pose *)lg_take(a, bodies * sizeof *w->pose);
    w->p = (mb_pair *)lg_take(a, bodies * sizeof *w->p);
    w->q = (real *)lg_take(a, sz(plan->coordinates) * sizeof *w->q);
    w->motor_work = (real *)lg_take(a, works * sizeof *w->motor_work);
    w->motor_before = (real *)lg_take(a, works * sizeof *w->motor_before);
    w->known = (real *)lg_take(a, sz(stages) * sizeof *w->known);
    w->theta = (real *)lg_take(a, sz(stages) * sizeof *w->theta);
    lg_align(a);
    return home;
}

static size_t lanes_bytes(const mb_plan *plan, int stages)
{
    lg_arena a = {NULL, 0};
    (void)lanes_carve(&a, plan, stages);
    return a.used;
}

static mb_wide *lanes_make(void *memory, const mb_plan *plan, int stages, const double *part, double h, int rattle)
{
    lg_arena a = {(char *)memory, 0};
    mb_wide *w = lanes_carve(&a, plan, stages);
    w->stages = stages, w->part = part, w->h = h;
    w->numbers.rattle = rattle;
    for (int i = 0; i < 2; i++) mb_world_load(&w->numbers.node[i].pose[plan->bodies]);
    mb_world_load(&w->numbers.mean_pose[plan->bodies]);
    return w;
}

static int lanes_spans(mb_wide *w, mb_span *span, int *state)
{
    const mb_totals totals = {&w->work, w->motor_work, &w->scale, &w->pivot, &w->jumped};
    return mb_spans(&w->numbers, w->stages, totals, span, state);
}

static void lanes_place(mb_wide *w)
{
    mb_node *n = &w->numbers.node[w->numbers.now];
    mb_turn_bodies(w->numbers.plan, n); /* coordinates are numbers of the state */
    mb_node_rows(w->numbers.plan, n, 0);
}

static void lanes_save(mb_wide *w)
{
    const mb_plan *plan = w->numbers.plan;
    const mb_node *n = &w->numbers.node[w->numbers.now];
    memcpy(w->pose, n->pose, sz(plan->bodies) * sizeof *n->pose);
    memcpy(w->p, n->p, sz(plan->bodies) * sizeof *n->p);
    memcpy(w->q, n->q, sz(plan->coordinates) * sizeof *n->q);
    memcpy(w->motor_before, w->motor_work, sz(plan->works) * sizeof *w->motor_work);
    for (int s = 0; s < w->stages; s++)
        w->known[s] = w->numbers.history[s].known, w->theta[s] = w->numbers.history[s].theta;
    w->work_before = w->work, w->scale_before = w->scale;
}

/* As saved; the first `done` sub-steps were made. */
static void lanes_restore(mb_wide *w, int done)
{
    const mb_plan *plan = w->numbers.plan;
    mb_node *n = &w->numbers.node[w->numbers.now];
    w->work = w->work_before, w->scale = w->scale_before;
    if (done == 0) return;
    memcpy(n->pose, w->pose, sz(plan->bodies) * sizeof *n->pose);
    memcpy(n->p, w->p, sz(plan->bodies) * sizeof *n->p);
    memcpy(n->q, w->q, sz(plan->coordinates) * sizeof *n->q);
    memcpy(w->motor_work, w->motor_before, sz(plan->works) * sizeof *w->motor_work);
    for (int s = 0; s < done; s++) mb_unremember(&w->numbers.history[s], w->known[s], w->theta[s]);
    lanes_place(w);
}

/* 1: the step of a lane is invalid (check.c). */
static int lanes_unsound(mb_wide *w)
{
    const mb_motion *m = &w->numbers;
    const mb_plan *plan = m->plan;
    const mb_node *n1 = &m->node[m->now];
    real most;
    const real off = mb_imbalance(m, &w->scale, &most);
    mask sound = off <= most;
    if (plan->excess_count > 0) {
        const real open = mb_excess_open(plan, n1, NULL), slip = mb_excess_slip(plan, n1, mb_excess_least(w->h), NULL);
        sound = both(sound, both(open <= MB_EXCESS_OPEN, slip <= MB_EXCESS_SLIP));
    }
    if (plan->closes) sound = both(sound, both(m->velocity_jump <= mb_jump_most(m, w->jumped), m->abrupt <= 1.0));
    return any(other(sound));
}

/* 1: lanes keep rows of their own, or are to choose again. */
static int lanes_differ(mb_wide *w)
{
    mb_motion *m = &w->numbers;
    if (m->plan->whole == NULL) return 0;
    if (any(m->choice[MB_CHOICE_OTHER] > 0.0)) return 1;
    const mb_node *n = &m->node[m->now];
    real *limit = m->choice + MB_CHOICE_LIMITS;
    const mask falls = mb_falls(m->plan, n, limit);
    if (!any(falls)) return 0;
    const real pivot = mb_pivot_of(mb_slender(m->plan, &m->plan->node, n->factor, n->rows));
    if (any(both(falls, pivot < MB_FALLEN))) return 1;
    mb_watch(m->plan, n, limit, falls);
    return 0;
}

static int lanes_step(mb_wide *w)
{
    mb_motion *m = &w->numbers;
    if (m->plan->drives > 0 || m->plan->activations > 0) return 1; /* they ask for the time of each lane */
    if (lanes_differ(w)) return 1;
    lanes_save(w);
    m->span = fabs(w->h);
    mb_reactions_begin(m, w->stages > 1);
    for (int s = 0; s < w->stages; s++) {
        const int failed = mb_step(m, w->part[s], s);
        if (failed || lanes_unsound(w)) {
            lanes_restore(w, failed ? s : s + 1);
            return 1;
        }
        w->work = w->work + m->work;
        for (int u = 0; u < m->plan->works; u++) w->motor_work[u] = w->motor_work[u] + m->motor_work[u];
        if (w->stages > 1) mb_reactions_add(m, w->part[s] / w->h);
    }
    if (w->stages > 1) mb_reactions_end(m);
    return 0;
}

#define MB_LANES_NAME(width) mb_lanes_##width
#define MB_LANES(width)      MB_LANES_NAME(width)
const mb_lanes_table MB_LANES(LANES) = {lanes_bytes, lanes_make, lanes_spans, lanes_place, lanes_step};
