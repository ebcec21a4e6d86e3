/* SPDX-License-Identifier: BSD-3-Clause */
/* P' and L' at the stages of a block: forces, rows, lambda. */
#include "multibody/equations.h"

#include <math.h>
#include <string.h>

#include "multibody/forces/along.h"
#include "multibody/rows/block.h"
#include "multibody/rows/point.h"

LG_ENGINE void mb_stage_twists(mb_stage_workspace *o, int block)
{
    const mb_plan *plan = o->plan;
    const real *r = o->rate + block * o->numbers + MB_AT_R, *w = o->spin + 3 * block * plan->bodies;
    for (int b = 0; b < plan->bodies; b++, r += MB_STATE, w += 3) {
        for (int k = 0; k < 3; k++) o->twist[b].v[k] = r[k];
        mb_turn(o->twist[b].v + 3, o->node[block].pose[b].R, w);
    }
    mb_ground_twists(plan, o->twist, o->node[block].given);
}

/* Adds the caller's wrenches. */
static int equations_ask(mb_stage_workspace *o, mb_stage_task *task, int block)
{
    const int bodies = o->plan->bodies, count = mb_stages_of(o, block);
    mb_pair *own = o->own + block * bodies;
    if (task->ask == NULL) return 0;
    for (int l = 0; l < LANES; l++) {
        const int i = block * LANES + l;
        for (int b = 0; b < bodies && l < count; b++) {
            const mb_pose *p = &o->node[block].pose[b];
            double *to = o->poses + 7 * b, length = 0;
            for (int k = 0; k < 3; k++) to[k] = lane_of(p->r[k], l);
            for (int k = 0; k < 4; k++) to[3 + k] = lane_of(p->q[k], l), length += to[3 + k] * to[3 + k];
            for (int k = 0; k < 4; k++) to[3 + k] /= sqrt(length);
            for (int k = 0; k < 6; k++) o->twists[6 * b + k] = lane_of(o->twist[b].v[k], l);
        }
        memset(o->wrenches, 0, 6 * sz(bodies) * (l < count ? sizeof *o->wrenches : 0)); /* the last one repeats */
        if (l < count)
            task->callback =
                task->ask(task->owner, task->t + task->h * task->tableau->c[i], o->poses, o->twists, o->wrenches);
        if (task->callback != 0) return 1;
        for (int b = 0; b < bodies; b++)
            for (int k = 0; k < 6; k++) as_doubles(&own[b].v[k])[l] = o->wrenches[6 * b + k];
    }
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < 6; k++) o->force[b].v[k] = o->force[b].v[k] + own[b].v[k];
    return 0;
}

/* J^-1 of the forces and gyroscopic torques, in space; L' without the rows of this call. */
static void equations_accelerate(mb_stage_workspace *o, int block)
{
    const mb_plan *plan = o->plan;
    const real *s = o->state + block * o->numbers, *w = o->spin + 3 * block * plan->bodies;
    real *r = o->rate + block * o->numbers;
    mb_ground_twists(plan, o->acceleration, o->node[block].given + plan->grounds);
    for (int b = 0; b < plan->bodies; b++, s += MB_STATE, r += MB_STATE, w += 3) {
        const real *R = o->node[block].pose[b].R, *f = o->force[b].v;
        real turn[3], *a = o->acceleration[b].v;
        mb_back(turn, R, f + 3);
        small_cross(r + MB_AT_L, s + MB_AT_L, w);
        for (int k = 0; k < 3; k++) {
            r[MB_AT_L + k] = r[MB_AT_L + k] + turn[k];
            a[k] = f[k] * (1.0 / plan->mass[b]);
        }
        mb_inverse_inertia(plan, b, turn, r + MB_AT_L);
        mb_turn(a + 3, R, turn);
    }
}

/* Adds a body's contribution to the Gram matrix of two blocks of rows/point.h, as mb_gram_of_body() does. */
static void equations_plain_gram(const mb_plan *plan, real *L, mb_rows A, const int *t)
{
    const mb_block *p = &plan->block[t[1]], *q = &plan->block[t[3]];
    const mb_pair *P = A.product + p->part + t[2], *Q = A.row + q->part + t[4];
    const int square = p == q && t[2] == t[4];
#define EQUATIONS_TERM(m)                                                                                              \
    if (q->rows == (m))                                                                                                \
        mb_plain_gram(L + t[0], m, m, P, Q, square);                                                                   \
    else                                                                                                               \
        mb_plain_gram(L + t[0], m, q->rows, P, Q, square)
    MB_EACH(p->rows, EQUATIONS_TERM)
#undef EQUATIONS_TERM
}

LG_ENGINE void mb_stage_push(const mb_stage_workspace *o, int block, mb_pair *f, const real *x)
{
    const mb_pair *row = o->node[block].rows.row;
    for (int e = 0; e < o->plan->blocks; e++) {
        const mb_block *k = &o->plan->block[e];
        if (o->plain[e])
            mb_plain_push(k, row, f, x);
        else
            mb_push_block(k, row, f, 1, x);
    }
}

/* y = A v over all blocks. */
static void equations_pull(const mb_stage_workspace *o, int block, real *y, const mb_pair *v)
{
    const mb_pair *row = o->node[block].rows.row;
    for (int e = 0; e < o->plan->blocks; e++) {
        const mb_block *k = &o->plan->block[e];
        if (o->plain[e])
            mb_plain_pull(k, row, y, v);
        else
            mb_pull_block(k, row, y, v);
    }
}

/* The Gram matrix of the rows, factored. */
static void equations_factor(mb_stage_workspace *o, int block)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    for (int b = 0; b < plan->bodies; b++)
        mb_mobility_of(&n->mobility[b], n->pose[b].R, 1.0 / plan->mass[b], plan->inverse_inertia + 9 * b);
    for (int e = 0; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        if (o->plain[e])
            mb_plain_products(k, n->rows, n->mobility);
        else
            mb_products_block(k, n->rows, n->mobility);
    }
    for (int i = 0; i < plan->node.numbers; i++) n->factor[i] = splat(0);
    for (int i = 0; i < plan->node.terms; i++) {
        const int *t = plan->node.term + 5 * i;
        if (o->plain[t[1]] && o->plain[t[3]])
            equations_plain_gram(plan, n->factor, n->rows, t);
        else
            mb_gram_of_body(plan, n->factor, n->rows, t);
    }
    mb_factor(plan, &plan->node, n->factor);
}

/* Rows and A' xi of a block; where the factor is kept, lambda already pushes. */
static void equations_rows(mb_stage_workspace *o, int block, int factor)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    real *lambda = o->lambda + block * plan->rows;
    for (int i = 0; factor && i < plan->rows; i++) lambda[i] = splat(0);
    for (int e = 0; e < plan->blocks; e++) {
        const mb_block *k = &plan->block[e];
        const mb_site at = {k->body, n->pose, n->pose, n->pose, n->q, n->q, o->twist};
        if (o->plain[e]) {
            const mb_ends ends = mb_ends_of(&at, k->body[0], k->body[1]);
            mb_plain_rows(&plan->joint[k->source], n->rows.row + k->part, o->bend + k->at, &ends);
            if (!factor) mb_plain_push(k, n->rows.row, o->force, lambda);
            continue;
        }
        mb_block_kept(plan, k, n->rows.row, e < plan->holonomic_blocks ? n->phi : n->drift, &at);
        if (!factor) mb_push_block(k, n->rows.row, o->force, 1, lambda);
        mb_block_curvature(plan, k, o->bend, &at);
    }
}

/* lambda of a block and with it P', L'; `factor`: of this sweep's rows. */
static void equations_react(mb_stage_workspace *o, int block, int factor)
{
    const mb_plan *plan = o->plan;
    const mb_node *n = &o->node[block];
    real *lambda = o->lambda + block * plan->rows, *r = o->rate + block * o->numbers;
    if (factor) equations_factor(o, block);
    equations_accelerate(o, block);
    equations_pull(o, block, o->x, o->acceleration);
    for (int i = 0; i < plan->rows; i++) o->x[i] = -o->x[i] - o->bend[i];
    mb_forward(plan, &plan->node, n->factor, o->x);
    mb_backward(plan, &plan->node, n->factor, o->x);
    for (int i = 0; i < plan->rows; i++) lambda[i] = lambda[i] + o->x[i];
    mb_clear(o->acceleration, plan->bodies);
    mb_stage_push(o, block, o->acceleration, o->x); /* what they push */
    for (int b = 0; b < plan->bodies; b++, r += MB_STATE) {
        real turn[3];
        mb_back(turn, n->pose[b].R, o->acceleration[b].v + 3);
        for (int k = 0; k < 3; k++) {
            r[MB_AT_P + k] = o->force[b].v[k] + o->acceleration[b].v[k];
            r[MB_AT_L + k] = r[MB_AT_L + k] + turn[k];
        }
    }
}

LG_ENGINE int mb_stage_rates(mb_stage_workspace *o, mb_stage_task *task, int block, int factor)
{
    const mb_plan *plan = o->plan;
    mb_node *n = &o->node[block];
    real *rate = o->rate + block * o->numbers + MB_STATE * plan->bodies;
    mb_stage_twists(o, block); /* v, w in space */
    (void)mb_node_forces(plan, o->force, n, o->twist, o->slope, o->control + block * plan->controls, NULL); /* f */
    for (int c = 0; c < plan->driven; c++) rate[c] = mb_rate_along(plan, o->slope, o->twist, c); /* of coordinates */
    if (equations_ask(o, task, block)) return 1;                                                 /* f of the caller */
    equations_rows(o, block, factor);  /* A, A' xi, the factor of C */
    equations_react(o, block, factor); /* lambda; P', L' */
#if LANES == 1
    if (task->events != NULL) mb_events_react(task->events, o, task, block); /* those of contacts too */
#endif
    return 0;
}
