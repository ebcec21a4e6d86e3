/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

mb_course *mb_course_carve(lg_arena *a, const mb_plan *plan, int s)
{
    const size_t state = 13 * sz(plan->bodies);
    mb_course none = {.pace = {.tolerance = 0}}, *c = mb_take(a, sizeof *c), *to = c != NULL ? c : &none;
    mb_motion_carve(&to->numbers, a, plan, 1);
    to->numbers.gauss = mb_collocation_carve(a, plan, s);
    mb_node_carve(&to->probe, a, plan);
    to->whole = MB_TAKE(a, double, state);
    to->around = MB_TAKE(a, double, sz(mb_state_numbers(plan)) * sz(s));
    to->now.motor_work = MB_TAKE(a, double, plan->controls);
    to->before.motor_work = MB_TAKE(a, double, plan->controls);
    if (c == NULL) return NULL;
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    mb_pose_load(&c->numbers.node[0].pose[plan->bodies], world);
    mb_pose_load(&c->numbers.node[1].pose[plan->bodies], world);
    mb_pose_load(&c->probe.pose[plan->bodies], world);
    return c;
}

void mb_course_set(mb_course *c, double tolerance)
{
    mb_collocation *o = c->numbers.gauss;
    c->pace = (lg_pace){.tolerance = tolerance};
    o->tolerance = tolerance > 0 ? fmin(fmax(1e-3 * tolerance, 1e-16), 1e-8) : 1e-16;
    o->sweeps_most = LG_PACE_SWEEPS;
}

/* ---- states and errors ---- */

/* r, q, p of a node as 13 numbers a body. */
static void write_state(const mb_plan *plan, const mb_node *n, double *to)
{
    for (int b = 0; b < plan->bodies; b++, to += 13) {
        memcpy(to, n->pose[b].r, 3 * sizeof *to), memcpy(to + 3, n->pose[b].q, 4 * sizeof *to);
        memcpy(to + 7, n->p[b].v, 6 * sizeof *to);
    }
}

/* What a number of a state is compared with. */
static double size_of(const mb_course *c, int i)
{
    const double *size = c->numbers.gauss->size;
    if (i < 3) return c->numbers.plan->reach;
    if (i < 7) return 1;
    return fmax(fmax(size[i >= 10], c->momentum[i >= 10]), DBL_MIN);
}

/* How far a node is from c->whole. */
static double apart(const mb_course *c, const mb_node *n)
{
    double x[13], most = 0;
    for (int b = 0; b < c->numbers.plan->bodies; b++) {
        memcpy(x, n->pose[b].r, 3 * sizeof *x), memcpy(x + 3, n->pose[b].q, 4 * sizeof *x);
        memcpy(x + 7, n->p[b].v, 6 * sizeof *x);
        for (int i = 0; i < 13; i++) {
            const double off = fabs(x[i] - c->whole[13 * b + i]) / size_of(c, i);
            if (!(off <= most)) most = off;
        }
    }
    return most;
}

/* The number of stages.h that number i of a state is: the same order, but for r and q. */
static int state_index(int i)
{
    return i < MB_AT_R ? i + 3 : i < MB_AT_P ? i - MB_AT_R : i;
}

/* Of the rates of a step of length h: their last Legendre coefficient, as a change of the state. */
static double roughness(const mb_course *c, double h)
{
    const mb_collocation *o = c->numbers.gauss;
    const lg_tableau *T = &o->tableau;
    const double *last = T->legendre + (T->s - 1) * T->s;
    double most = 0;
    for (int k = 0; k < MB_STATE * c->numbers.plan->bodies; k++) {
        double sum = 0;
        for (int j = 0; j < T->s; j++) sum += T->b[j] * last[j] * o->rates[k * T->s + j];
        sum = fabs(sum) / size_of(c, state_index(k % MB_STATE));
        if (!(sum <= most)) most = sum;
    }
    return fabs(h) * (2 * T->s - 1) * most;
}

/* How fast poses change at the first stage of the last step, 1/s: by velocities, or by what accelerations make of them
 * in that time. */
static double rate_of(const mb_course *c)
{
    const mb_collocation *o = c->numbers.gauss;
    const mb_plan *plan = c->numbers.plan;
    const int s = o->tableau.s;
    double most = 0;
    for (int b = 0; b < plan->bodies; b++) {
        const double *r = o->rates + MB_STATE * b * s;
        double dL[3], turn[3];
        for (int k = 0; k < 3; k++) dL[k] = r[(MB_AT_L + k) * s];
        mb_inverse_inertia(plan, b, turn, dL);
        for (int k = 0; k < 4; k++) most = fmax(most, 2 * fabs(r[(MB_AT_Q + k) * s]));
        for (int k = 0; k < 3; k++) {
            most = fmax(most, fabs(r[(MB_AT_R + k) * s]) / plan->reach);
            most = fmax(most, sqrt(fabs(r[(MB_AT_P + k) * s]) / (plan->mass[b] * plan->reach)));
            most = fmax(most, sqrt(fabs(turn[k])));
        }
    }
    return most;
}

static void note_momentum(mb_course *c, const mb_node *n)
{
    for (int b = 0; b < c->numbers.plan->bodies; b++)
        for (int k = 0; k < 6; k++) c->momentum[k / 3] = fmax(c->momentum[k / 3], fabs(n->p[b].v[k]));
}

/* ---- the carrier's steps ---- */

static const mb_node *here(const mb_course *c)
{
    return &c->numbers.node[c->numbers.now];
}

static mb_node *there(mb_course *c)
{
    return &c->numbers.node[c->numbers.now ^ 1];
}

/* A step of h from a node at time t; nonzero: it failed. */
static int move(mb_course *c, const mb_node *a, mb_node *b, double t, double h, const mb_guide *guide)
{
    mb_motion *m = &c->numbers;
    m->gauss->t = t;
    m->sweeps = 0;
    const int bad = !mb_collocate(m, a, b, h, guide);
    c->pace.sweeps += (int)m->sweeps;
    return bad;
}

static int hopeless(const void *moving)
{
    const mb_course *c = moving;
    return c->numbers.callback != 0;
}

static int try(void *moving, double h)
{
    mb_course *c = moving;
    const mb_guide none = {NULL, 0, 0};
    return move(c, here(c), there(c), c->now.t, h, &none);
}

static int measure(void *moving, double h, double *error)
{
    mb_course *c = moving;
    const mb_node *a = here(c);
    const mb_guide memory = mb_collocation_memory(c->numbers.gauss);
    const mb_collocation *o = c->numbers.gauss;
    if (move(c, a, there(c), c->now.t, h, &memory)) return 1;
    c->pace.contraction = o->contraction, c->pace.measured_sweeps = (int)c->numbers.sweeps;
    c->pace.rough = roughness(c, h);
    write_state(c->numbers.plan, there(c), c->whole);
    memcpy(c->around, o->rates, sz(mb_state_numbers(c->numbers.plan)) * sz(o->tableau.s) * sizeof *c->around);
    const mb_guide first = {c->around, h, 0}, second = {c->around, h, 0.5};
    if (move(c, a, there(c), c->now.t, 0.5 * h, &first)) return 1;
    if (move(c, there(c), &c->probe, c->now.t + 0.5 * h, 0.5 * h, &second)) return 1;
    *error = apart(c, &c->probe);
    return 0;
}

static int guess(void *moving, double h);

static int attempt(void *moving)
{
    mb_course *c = moving;
    lg_pace *p = &c->pace;
    const mb_collocation *o = c->numbers.gauss;
    const mb_guide memory = mb_collocation_memory(o);
    if (move(c, here(c), there(c), c->now.t, p->leg, &memory)) return 1;
    p->rough = roughness(c, p->leg), p->tried = (int)c->numbers.sweeps;
    p->noise = o->defect * o->contraction + fmax(o->open, o->miss); /* what is mended at the node was an error too */
    return 0;
}

static void accept(void *moving)
{
    mb_course *c = moving;
    lg_pace *p = &c->pace;
    mb_motion *m = &c->numbers;
    const mb_ledger before = c->before;
    const double leg = p->leg + p->late, sum = c->now.t + leg;
    p->late = leg - (sum - c->now.t);
    p->taken = p->leg;
    mb_collocation_keep(m->gauss, p->leg);
    c->before = c->now, c->now = before;
    c->now.t = sum, c->now.work = c->before.work + m->work;
    for (int u = 0; u < m->plan->controls; u++) c->now.motor_work[u] = c->before.motor_work[u] + m->motor_work[u];
    m->now ^= 1;
    note_momentum(c, here(c));
}

static lg_carrier carrier_of(mb_course *c)
{
    return (lg_carrier){.stages = c->numbers.gauss->tableau.s,
                        .alone = c->numbers.plan->controls > 0,
                        .moving = c,
                        .guess = guess,
                        .measure = measure,
                        .attempt = attempt,
                        .accept = accept,
                        .hopeless = hopeless};
}

/* The state changes by a part of itself; shorter, until the stages come to rest. */
static int guess(void *moving, double h)
{
    mb_course *c = moving;
    lg_pace *p = &c->pace;
    const lg_carrier own = carrier_of(c);
    p->length = LG_PACE_TINY * fabs(h);
    const int bad = try(c, copysign(p->length, h));
    if (bad && hopeless(c)) return 1;
    if (!bad) p->length = lg_pace_first(rate_of(c), h);
    return lg_pace_shorten(p, &own, try, h);
}

/* ---- rows ---- */

/* What a step reads of a node, and what can be read of it. */
static void copy_node(const mb_plan *plan, mb_node *to, const mb_node *from)
{
    const size_t bodies = sz(plan->bodies);
    memcpy(to->pose, from->pose, bodies * sizeof *to->pose);
    memcpy(to->p, from->p, bodies * sizeof *to->p);
    memcpy(to->q, from->q, sz(plan->coordinates) * sizeof *to->q);
    memcpy(to->mobility, from->mobility, bodies * sizeof *to->mobility);
    memcpy(to->rows.row, from->rows.row, sz(plan->parts) * sizeof *to->rows.row);
    memcpy(to->rows.product, from->rows.product, sz(plan->parts) * sizeof *to->rows.product);
    memcpy(to->factor, from->factor, sz(plan->node.numbers) * sizeof *to->factor);
    memcpy(to->phi, from->phi, sz(plan->holonomic_rows) * sizeof *to->phi);
    memcpy(to->drift, from->drift, sz(plan->rows) * sizeof *to->drift);
}

static void copy_ledger(const mb_plan *plan, mb_ledger *to, const mb_ledger *from)
{
    to->t = from->t, to->work = from->work;
    memcpy(to->motor_work, from->motor_work, sz(plan->controls) * sizeof *to->motor_work);
}

/* The carrier begins where the rows are. */
static int board(mb_course *c, const mb_motion *m, const mb_ledger *from, double h)
{
    mb_motion *n = &c->numbers;
    const lg_carrier own = carrier_of(c);
    copy_node(n->plan, &n->node[n->now], &m->node[m->now]);
    copy_ledger(n->plan, &c->now, from);
    memcpy(n->control, m->control, sz(n->plan->controls) * sizeof *n->control);
    n->gauss->ask = m->gauss->ask, n->gauss->owner = m->gauss->owner;
    mb_collocation_forget(n->gauss);
    c->pace.legs = 0, c->pace.late = 0;
    c->momentum[0] = c->momentum[1] = 0;
    note_momentum(c, here(c));
    if (c->pace.length == 0 && lg_pace_find(&c->pace, &own, h)) return 1;
    c->pace.valid = 1;
    return 0;
}

/* New controls or another function are another trajectory. */
static void look_at_forces(mb_course *c, const mb_motion *m)
{
    const mb_motion *n = &c->numbers;
    const size_t bytes = sz(n->plan->controls) * sizeof *n->control;
    if ((bytes > 0 && memcmp(n->control, m->control, bytes) != 0) || n->gauss->ask != m->gauss->ask) c->pace.valid = 0;
}

/* Is time t within the carrier's last step? */
static int covers(const mb_course *c, double t)
{
    const double span = c->numbers.gauss->span, back = c->now.t - t;
    return c->pace.valid && span != 0 && back / span >= 0 && back / span <= 1;
}

/* The row is where the carrier is. */
static void alight(mb_course *c, mb_motion *m, const mb_ledger *from)
{
    const mb_collocation *o = c->numbers.gauss;
    copy_node(m->plan, &m->node[m->now ^ 1], here(c));
    m->work = c->now.work - from->work;
    for (int u = 0; u < m->plan->controls; u++) m->motor_work[u] = c->now.motor_work[u] - from->motor_work[u];
    memcpy(m->gauss->reaction, o->reaction, 6 * sz(m->plan->blocks) * sizeof *o->reaction);
}

/* The row at t is inside the carrier's last step. */
static int restart(mb_course *c, mb_motion *m, const mb_ledger *from, double t)
{
    mb_collocation *o = m->gauss;
    const mb_collocation *carried = c->numbers.gauss;
    const mb_guide guide = {carried->memory, carried->span, 0};
    o->t = c->before.t, o->tolerance = carried->tolerance, o->kept = carried->kept;
    m->sweeps = 0;
    if (!mb_collocate(m, there(c), &m->node[m->now ^ 1], t - c->before.t, &guide)) return 1;
    m->work += c->before.work - from->work;
    for (int u = 0; u < m->plan->controls; u++) m->motor_work[u] += c->before.motor_work[u] - from->motor_work[u];
    c->pace.sweeps += (int)m->sweeps;
    return 0;
}

static int find_row(mb_course *c, mb_motion *m, const mb_ledger *from, double h, double t1)
{
    const double slack = LG_PACE_SAME * fabs(h);
    look_at_forces(c, m);
    if (!c->pace.valid && board(c, m, from, h)) return 1;
    for (;;) {
        const double rest = t1 - c->now.t;
        const lg_carrier own = carrier_of(c);
        if (fabs(rest) <= slack) {
            alight(c, m, from);
            return 0;
        }
        if (rest * h > 0) {
            if (lg_pace_carry(&c->pace, &own, rest, h)) return 1;
        } else if (covers(c, t1))
            return restart(c, m, from, t1);
        else if (board(c, m, from, h)) /* it is ahead of a row that somebody went back from */
            return 1;
    }
}

int mb_course_step(mb_course *c, mb_motion *m, const mb_ledger *from, double h, double t1)
{
    c->pace.sweeps = 0;
    c->numbers.callback = m->callback = 0;
    const int bad = find_row(c, m, from, h, t1);
    m->callback |= c->numbers.callback;
    m->sweeps = c->pace.sweeps;
    m->surprise = m->abrupt = 0;
    m->gauss->defect = c->numbers.gauss->defect;
    if (bad) return 1;
    m->now ^= 1;
    return 0;
}
