/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

mb_course *mb_course_carve(lg_arena *a, const mb_plan *plan, int s)
{
    const size_t state = MB_STATE * sz(plan->bodies);
    mb_course none = {.pace = {.tolerance = 0}}, *c = mb_take(a, sizeof *c), *to = c != NULL ? c : &none;
    mb_motion_carve(&to->numbers, a, plan, 1);
    to->numbers.gauss = mb_collocation_carve(a, plan, s);
    mb_node_carve(&to->probe, a, plan);
    to->whole = MB_TAKE(a, double, state);
    to->around = MB_TAKE(a, double, sz(mb_state_numbers(plan)) * sz(s));
    to->now.motor_work = MB_TAKE(a, double, plan->controls);
    to->before.motor_work = MB_TAKE(a, double, plan->controls);
    if (c == NULL) return NULL;
    for (int i = 0; i < 2; i++) mb_world_load(&c->numbers.node[i].pose[plan->bodies]);
    mb_world_load(&c->probe.pose[plan->bodies]);
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

/* A body at a node, in the order of stages.h, but its spin in space. */
static void write_body(double *to, const mb_node *n, int b)
{
    memcpy(to + MB_AT_Q, n->pose[b].q, sizeof n->pose[b].q);
    memcpy(to + MB_AT_R, n->pose[b].r, sizeof n->pose[b].r);
    memcpy(to + MB_AT_P, n->p[b].v, sizeof n->p[b].v);
}

/* What number i of a body is compared with. */
static double size_of(const mb_course *c, int i)
{
    const double *size = c->numbers.gauss->size;
    const int spin = i >= MB_AT_L;
    if (i < MB_AT_R) return 1;
    if (i < MB_AT_P) return c->numbers.plan->reach;
    return fmax(fmax(size[spin], c->momentum[spin]), DBL_MIN);
}

/* How far a node is from c->whole. */
static double apart(const mb_course *c, const mb_node *n)
{
    double x[MB_STATE], most = 0;
    for (int b = 0; b < c->numbers.plan->bodies; b++) {
        write_body(x, n, b);
        for (int i = 0; i < MB_STATE; i++) {
            const double off = fabs(x[i] - c->whole[MB_STATE * b + i]) / size_of(c, i);
            if (!(off <= most)) most = off;
        }
    }
    return most;
}

/* Of the rates of a step of length h: their last Legendre coefficient, as a change of the state. */
static double roughness(const mb_course *c, double h)
{
    const mb_collocation *o = c->numbers.gauss;
    const lg_tableau *T = &o->tableau;
    static const int parts[] = {MB_AT_Q, MB_AT_R, MB_AT_P, MB_AT_L, MB_STATE};
    double most = 0;
    for (int b = 0; b < c->numbers.plan->bodies; b++)
        for (int i = 0; i < 4; i++) {
            const double *rates = o->rates + (MB_STATE * b + parts[i]) * T->s;
            const double rough = lg_tableau_last(T, rates, parts[i + 1] - parts[i]) / size_of(c, parts[i]);
            if (!(rough <= most)) most = rough;
        }
    return fabs(h) * (2 * T->s - 1) * most;
}

/* How fast poses change at the first stage of the last step, 1/s: by velocities, or by what accelerations make of them
 * in that time. */
static double rate_of(const void *moving, double h)
{
    const mb_course *c = moving;
    (void)h;
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
    if (move(c, here(c), there(c), c->now.t, h, &none)) return 1;
    c->pace.contraction = c->numbers.gauss->contraction, c->pace.rough = roughness(c, h);
    return 0;
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
    for (int b = 0; b < c->numbers.plan->bodies; b++) write_body(c->whole + MB_STATE * b, there(c), b);
    memcpy(c->around, o->rates, sz(mb_state_numbers(c->numbers.plan)) * sz(o->tableau.s) * sizeof *c->around);
    const mb_guide first = {c->around, h, 0}, second = {c->around, h, 0.5};
    if (move(c, a, there(c), c->now.t, 0.5 * h, &first)) return 1;
    if (move(c, there(c), &c->probe, c->now.t + 0.5 * h, 0.5 * h, &second)) return 1;
    *error = apart(c, &c->probe);
    return 0;
}

static int attempt(void *moving)
{
    mb_course *c = moving;
    lg_pace *p = &c->pace;
    const mb_collocation *o = c->numbers.gauss;
    const mb_guide memory = mb_collocation_memory(o);
    if (move(c, here(c), there(c), c->now.t, p->leg, &memory) &&
        (!mb_choice_again(c->choice, &c->numbers) || move(c, here(c), there(c), c->now.t, p->leg, &memory)))
        return 1;
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
    mb_collocation_keep(m->gauss, p->leg);
    c->before = c->now, c->now = before;
    c->now.t = lg_pace_clock(p, c->before.t), c->now.work = c->before.work + m->work;
    for (int u = 0; u < m->plan->controls; u++) c->now.motor_work[u] = c->before.motor_work[u] + m->motor_work[u];
    m->now ^= 1;
    note_momentum(c, here(c));
}

static lg_carrier carrier_of(mb_course *c)
{
    return (lg_carrier){.stages = c->numbers.gauss->tableau.s,
                        .alone = c->numbers.plan->controls > 0,
                        .moving = c,
                        .try = try,
                        .rate = rate_of,
                        .measure = measure,
                        .attempt = attempt,
                        .accept = accept,
                        .hopeless = hopeless,
                        .pause = &c->pause};
}

/* ---- rows ---- */

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
    mb_node_copy(n->plan, &n->node[n->now], &m->node[m->now]);
    mb_choice_look(c->choice, n);
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
    mb_node_copy(m->plan, &m->node[m->now ^ 1], here(c));
    m->work = c->now.work - from->work;
    for (int u = 0; u < m->plan->controls; u++) m->motor_work[u] = c->now.motor_work[u] - from->motor_work[u];
    memcpy(m->gauss->reaction, o->reaction, 6 * sz(mb_room(m->plan)->blocks) * sizeof *o->reaction);
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
    lg_pace_begin_row(&c->pace);
    look_at_forces(c, m);
    if (!c->pace.valid && board(c, m, from, h)) return 1;
    for (int boarded = 0;;) {
        const double rest = t1 - c->now.t;
        const lg_carrier own = carrier_of(c);
        if (fabs(rest) <= slack) {
            alight(c, m, from);
            return 0;
        }
        if (rest * h > 0) {
            mb_choice_look(c->choice, &c->numbers); /* rows inside its last step keep the choice of that */
            if ((c->end = lg_pace_carry(&c->pace, &own, rest, h)) != LG_PACE_WENT) return 1;
        } else if (covers(c, t1))
            return restart(c, m, from, t1);
        else if (boarded++ || board(c, m, from, h)) /* it is ahead of a row that somebody went back from */
            return 1;
    }
}

int mb_course_step(mb_course *c, mb_motion *m, const mb_ledger *from, double h, double t1)
{
    c->end = LG_PACE_WENT;
    c->numbers.callback = m->callback = 0;
    const int bad = find_row(c, m, from, h, t1);
    m->callback |= c->numbers.callback;
    m->sweeps = lg_pace_end_row(&c->pace, c->end == LG_PACE_STOPPED);
    m->surprise = m->abrupt = 0;
    m->gauss->defect = c->numbers.gauss->defect;
    if (bad) return 1;
    m->now ^= 1;
    return 0;
}
