/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep of width.c over numbers that carry derivatives, whose operators make this unit C++ (src/meson.build).
 * Compiled with -DLG_TANGENT=2, 4, 8, -DLG_DIRECTIONS=N and -DLANES=N+1. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "integrators/engine/width.h"

#include "multibody/contact/rows.c"
#include "multibody/convergence.c"
#include "multibody/corrections.c"
#include "multibody/derivative.h"
#include "multibody/forces/forces.c"
#include "multibody/history.c"
#include "multibody/lanes.h"
#include "multibody/newton.c"
#include "multibody/node.c"
#include "multibody/numbers.c"
#include "multibody/project.c"
#include "multibody/rattle.c"
#include "multibody/reactions.c"
#include "multibody/step.c"

#include "multibody/contact/derivative.c"

enum { DERIVATIVE_SWEEPS = 60 };
#define DERIVATIVE_SLOW 0.15 /* contraction beyond which Newton's correction is worth its time */

typedef struct mb_derivative {
    mb_motion numbers;
    real work, scale, pivot, jumped, *motor_work, *near, *x;
    int open;                                          /* directions that have not converged */
    int steady[LG_DIRECTIONS];                         /* 1: a direction has converged */
    double last[LG_DIRECTIONS];                        /* its last change */
    double change[LG_DIRECTIONS], size[LG_DIRECTIONS]; /* squares */
    double greatest[LG_DIRECTIONS];                    /* with contacts: the size before these hold bodies */
    touch contacts;
} mb_derivative;

static mb_derivative *derivative_carve(lg_arena *a, const mb_plan *plan)
{
    mb_derivative local, *home = MB_TAKE(a, mb_derivative, 1), *o = home != NULL ? home : &local;
    mb_motion_carve(&o->numbers, a, plan, 1);
    o->motor_work = MB_TAKE(a, real, plan->works);
    o->near = MB_TAKE(a, real, plan->coordinates);
    o->x = MB_TAKE(a, real, 2 * (plan->rows + 1));
    o->numbers.newton.factor = MB_TAKE(a, real, mb_room(plan)->saddle.factor.numbers);
    o->numbers.newton.x = MB_TAKE(a, real, 6 * plan->bodies + plan->rows);
    o->numbers.newton.inertia = MB_TAKE(a, mb_mobility, plan->bodies);
    o->numbers.mixing.before = MB_TAKE(a, mb_pair, plan->bodies);
    touch_carve(&o->contacts, a, plan);
    lg_align(a);
    return home;
}

static size_t derivative_bytes(const mb_plan *plan)
{
    lg_arena a = {NULL, 0};
    (void)derivative_carve(&a, plan);
    return a.used;
}

/* The numbers of the motion, with derivatives 0. */
static void derivative_load(mb_derivative *o, const mb_derivative_task *task)
{
    mb_motion *m = &o->numbers;
    const mb_totals totals = {&o->work, o->motor_work, &o->scale, &o->pivot, &o->jumped};
    mb_span span[MB_SPANS_MOST];
    int state;
    (void)mb_spans(m, 1, totals, span, &state);
    for (int i = 0; i < task->spans; i++)
        for (int k = 0; k < task->span[i].count; k++) ((real *)span[i].at)[k] = splat(task->span[i].at[k]);
    for (int i = 0; i < 2; i++) mb_world_load(&m->node[i].pose[m->plan->bodies]);
    mb_world_load(&m->mean_pose[m->plan->bodies]);
}

/* Deviation z of body b at a node, as direction k; w is its angular velocity. */
static void derivative_seed_body(mb_node *n, int b, int k, const double *z, const double *v, real *w)
{
    mb_pose *p = &n->pose[b];
    const real *q = p->q;
    const double half[3] = {0.5 * z[3], 0.5 * z[4], 0.5 * z[5]}, at[4] = {q[0].v, q[1].v, q[2].v, q[3].v};
    double turn[3];
    for (int i = 0; i < 3; i++) turn[i] = half[(i + 1) % 3] * at[(i + 2) % 3] - half[(i + 2) % 3] * at[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        tangent_set(p->r[i], k, z[i]);
        tangent_set(p->q[i], k, at[3] * half[i] + turn[i]);
        tangent_set(n->p[b].v[i], k, v[i]); /* a velocity so far */
        tangent_set(w[i], k, v[3 + i]);
    }
    tangent_set(p->q[3], k, -(half[0] * at[0] + half[1] * at[1] + half[2] * at[2]));
}

/* The node before the step with the deviations first, first + 1, ... as directions. */
static void derivative_seed(mb_derivative *o, mb_node *n, const mb_derivative_task *task, int first)
{
    mb_motion *m = &o->numbers;
    const mb_plan *plan = m->plan;
    const int n6 = 6 * plan->bodies;
    for (int b = 0; b < plan->bodies; b++) {
        real w[3], t[3], spin[3];
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        for (int i = 0; i < 3; i++) n->p[b].v[i] = n->p[b].v[i] * n->mobility[b].inverse_mass;
        for (int k = 0; k < LG_DIRECTIONS && first + k < task->columns; k++) {
            const double *z = task->z + (first + k) * 2 * n6 + 6 * b;
            derivative_seed_body(n, b, k, z, z + n6, w);
        }
        so3_to_matrix(n->pose[b].R, n->pose[b].q);
        mb_back(t, n->pose[b].R, w);
        const double *I = plan->inertia + 9 * b;
        for (int i = 0; i < 3; i++) spin[i] = I[3 * i] * t[0] + I[3 * i + 1] * t[1] + I[3 * i + 2] * t[2];
        mb_turn(n->p[b].v + 3, n->pose[b].R, spin);
        for (int i = 0; i < 3; i++) n->p[b].v[i] = plan->mass[b] * n->p[b].v[i];
    }
    for (int j = 0; j < plan->controls; j++) {
        const int k = task->columns + j - first;
        if (k >= 0 && k < LG_DIRECTIONS) tangent_set(m->control[j], k, 1);
    }
    for (int c = 0; c < plan->coordinates; c++) o->near[c] = still(n->q[c]);
    mb_node_place(plan, n, o->near);
    mb_node_rows(plan, n, 0);
    mb_settle(plan, n, o->x, m->twist);
}

/* x of a sweep becomes what the next one begins with: the values that the step has, and the derivatives of directions
 * that have not converged. Adds to change and size, with weight w. */
static void derivative_keep(mb_derivative *o, real *x, real *held, int count, double w)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < LG_DIRECTIONS; k++) {
            if (o->steady[k]) continue;
            const double d = tangent_get(x[i], k), e = d - tangent_get(held[i], k);
            o->size[k] += w * d * d, o->change[k] += w * e * e;
            tangent_set(held[i], k, d);
        }
        x[i] = held[i];
    }
}

/* After a sweep: which directions stand? */
static void derivative_judge(mb_derivative *o, int sweep)
{
    o->open = 0;
    for (int k = 0; k < LG_DIRECTIONS; k++) {
        if (o->steady[k]) continue;
        const double change = sqrt(o->change[k]), theta = change / o->last[k];
        const double size = sqrt(fmax(o->size[k], o->greatest[k]));
        const int small = change * fmin(theta, 1) <= 1e-16 * size, idle = theta > 0.5 && change <= 1e-13 * size;
        o->steady[k] = sweep > 1 && (small || idle);
        o->last[k] = change;
        o->open += !o->steady[k];
    }
}

/* The sizes of derivatives before contacts act. */
static void derivative_measure(mb_derivative *o)
{
    const mb_plan *plan = o->numbers.plan;
    for (int b = 0; b < plan->bodies; b++)
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < LG_DIRECTIONS; k++) {
                const double d = tangent_get(o->numbers.x.xi[b].v[i], k);
                o->greatest[k] += (i < 3 ? plan->mass[b] : plan->inertia[9 * b + 4 * (i - 3)]) * d * d;
            }
}

/* Sweeps contract slowly: each is followed by Newton's correction. Its matrix is that of the first sweep, since any
 * has the same fixed points. */
static int derivative_is_stiff(const mb_motion *m)
{
    return m->history->stiff.v > 0 || m->history->theta.v > DERIVATIVE_SLOW;
}

static void derivative_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int sweep, int stiff)
{
    real scale;
    memcpy(m->mixing.before, m->x.xi, sz(m->plan->bodies) * sizeof *m->x.xi);
    (void)mb_correct(m, n0, n1, h, &scale);
    if (!stiff) return;
    if (sweep == 1) mb_newton_factor(m, n0, n1, h);
    (void)mb_newton_correct(m, n0, n1, h);
}

static int derivative_sweep(mb_derivative *o, const mb_node *n0, mb_node *n1, double h)
{
    mb_motion *m = &o->numbers;
    const mb_plan *plan = m->plan;
    const int stiff = derivative_is_stiff(m);
    memset(o->steady, 0, sizeof o->steady), memset(o->greatest, 0, sizeof o->greatest);
    for (int k = 0; k < LG_DIRECTIONS; k++) o->last[k] = 1;
    memcpy(m->held.xi, m->x.xi, sz(plan->bodies) * sizeof *m->x.xi);
    memcpy(m->held.l, m->x.l, sz(plan->rows) * sizeof *m->x.l);
    memcpy(m->held.mu, m->x.mu, sz(plan->holonomic_rows) * sizeof *m->x.mu);
    touch *c = &o->contacts;
    for (int sweep = 1; sweep <= DERIVATIVE_SWEEPS; sweep++) {
        mb_arc(m, n0, n1, h);
        mb_linearise(m, n0, n1);
        if (c->count > 0) touch_begin_sweep(c, m, n0, n1, h);
        derivative_correct(m, n0, n1, h, sweep, stiff);
        if (c->count > 0 && sweep == 1) derivative_measure(o);
        if (c->count > 0 && touch_end_sweep(c, m, n1, h, sweep)) return 2;
        memset(o->change, 0, sizeof o->change), memset(o->size, 0, sizeof o->size);
        for (int b = 0; b < plan->bodies; b++) {
            derivative_keep(o, m->x.xi[b].v, m->held.xi[b].v, 3, plan->mass[b]);
            for (int i = 0; i < 3; i++)
                derivative_keep(o, m->x.xi[b].v + 3 + i, m->held.xi[b].v + 3 + i, 1, plan->inertia[9 * b + 4 * i]);
        }
        derivative_keep(o, m->x.l, m->held.l, plan->rows, h * h);
        derivative_keep(o, m->x.mu, m->held.mu, plan->holonomic_rows, 0);
        derivative_keep(o, c->P, c->before, c->rows, 0);
        derivative_judge(o, sweep);
        if (!o->open) return c->count == 0 || touch_holds(c, m, h, o->greatest) ? 0 : 2;
    }
    return 1;
}

/* The deviations of the node after the step. */
static int derivative_read(const mb_derivative *o, const mb_node *n, const mb_derivative_task *task, int first)
{
    const mb_plan *plan = o->numbers.plan;
    const int n6 = 6 * plan->bodies;
    for (int b = 0; b < plan->bodies; b++) {
        const real *q = n->pose[b].q;
        real w[3];
        mb_mobile(w, &n->mobility[b], n->p[b].v + 3);
        for (int k = 0; k < LG_DIRECTIONS && first + k < task->columns + plan->controls; k++) {
            double *z = task->to + (first + k) * 2 * n6 + 6 * b, d[4];
            for (int i = 0; i < 4; i++) d[i] = tangent_get(q[i], k);
            for (int i = 0; i < 3; i++) {
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
                z[i] = tangent_get(n->pose[b].r[i], k);
                z[3 + i] = 2 * ((q[3].v * d[i] - d[3] * q[i].v) - (d[i1] * q[i2].v - d[i2] * q[i1].v));
                z[n6 + i] = tangent_get(n->p[b].v[i] * n->mobility[b].inverse_mass, k);
                z[n6 + 3 + i] = tangent_get(w[i], k);
            }
            for (int i = 0; i < 6; i++)
                if (!(fabs(z[i]) < INFINITY && fabs(z[n6 + i]) < INFINITY)) return 1;
        }
    }
    return 0;
}

/* The directions first, first + 1, ... */
static int derivative_pass(mb_derivative *o, const mb_derivative_task *task, int first)
{
    mb_motion *m = &o->numbers;
    const mb_plan *plan = m->plan;
    mb_node *n1 = &m->node[m->now], *n0 = &m->node[m->now ^ 1];
    derivative_load(o, task);
    m->t = task->t;
    if (!mb_follow(m, n0, n1, task->h)) return 1;
    for (int i = 0; i < 2 * plan->grounds; i++)
        for (int k = 0; k < 6; k++) n1->given[i].v[k] = splat(n1->given[i].v[k].v);
    derivative_seed(o, n0, task, first);
    touch_gaps(&o->contacts, plan, n0);
    const int failed = derivative_sweep(o, n0, n1, task->h);
    if (failed) return failed;
    mb_arc(m, n0, n1, task->h);
    mb_linearise(m, n0, n1);
    if (o->contacts.count > 0) touch_begin_sweep(&o->contacts, m, n0, n1, task->h);
    mb_momenta(m, n0, n1, task->h);
    mb_arrive(m, n1, task->h);
    if (o->contacts.count > 0 && touch_node(&o->contacts, m, n1)) return 2;
    return derivative_read(o, n1, task, first);
}

static int derivative_step(void *memory, const mb_plan *plan, const mb_derivative_task *task)
{
    lg_arena a = {(char *)memory, 0};
    mb_derivative *o = derivative_carve(&a, plan);
    int failed = 0;
    for (int first = 0; first < task->columns + plan->controls && !failed; first += LG_DIRECTIONS) {
        touch_load(&o->contacts, task);
        failed = derivative_pass(o, task, first);
    }
    return failed;
}

#define DERIVATIVE_TABLE_(vector) mb_derivative_##vector
#define DERIVATIVE_TABLE(vector)  DERIVATIVE_TABLE_(vector)

extern const mb_derivative_table DERIVATIVE_TABLE(LG_TANGENT) = {derivative_bytes, derivative_step};
}
