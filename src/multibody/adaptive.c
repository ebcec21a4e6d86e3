/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/adaptive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "multibody/activation.h"

mb_adaptive *mb_adaptive_carve(lg_arena *a, const mb_plan *plan, int s)
{
    const size_t state = MB_STATE * sz(plan->bodies);
    mb_adaptive none = {.step_size = {.tolerance = 0}}, *c = mb_take(a, sizeof *c), *to = c != NULL ? c : &none;
    mb_motion_carve(&to->numbers, a, plan, 1);
    to->numbers.collocation = mb_collocation_carve(a, plan, s);
    mb_node_carve(&to->probe, a, plan);
    to->whole = MB_TAKE(a, double, state);
    to->around = MB_TAKE(a, double, sz(mb_state_numbers(plan)) * sz(s));
    to->now.motor_work = MB_TAKE(a, double, plan->works);
    to->before.motor_work = MB_TAKE(a, double, plan->works);
    to->now.impulse = MB_TAKE(a, double, MB_REACTION *mb_room(plan)->blocks);
    to->before.impulse = MB_TAKE(a, double, MB_REACTION *mb_room(plan)->blocks);
    if (c == NULL) return NULL;
    for (int i = 0; i < 2; i++) mb_world_load(&c->numbers.node[i].pose[plan->bodies]);
    mb_world_load(&c->probe.pose[plan->bodies]);
    return c;
}

void mb_adaptive_set(mb_adaptive *c, double tolerance)
{
    mb_collocation *o = c->numbers.collocation;
    c->step_size = (lg_step_size){.tolerance = tolerance};
    o->tolerance = tolerance > 0 ? fmin(fmax(1e-3 * tolerance, 1e-16), 1e-8) : 1e-16;
    o->sweeps_most = LG_SUBSTEP_SWEEPS;
}

/* ---- states and errors ---- */

/* A body at a node, in the order of stages.h, with its spin in space. */
static void adaptive_write_body(double *to, const mb_node *n, int b)
{
    memcpy(to + MB_AT_Q, n->pose[b].q, sizeof n->pose[b].q);
    memcpy(to + MB_AT_R, n->pose[b].r, sizeof n->pose[b].r);
    memcpy(to + MB_AT_P, n->p[b].v, sizeof n->p[b].v);
}

/* What number i of a body is compared with. */
static double adaptive_size(const mb_adaptive *c, int i)
{
    const double *size = c->numbers.collocation->size;
    const int spin = i >= MB_AT_L;
    if (i < MB_AT_R) return 1;
    if (i < MB_AT_P) return c->numbers.plan->reach;
    return fmax(fmax(size[spin], c->momentum_scale[spin]), DBL_MIN);
}

/* How far a node is from c->whole. */
static double adaptive_apart(const mb_adaptive *c, const mb_node *n)
{
    double x[MB_STATE], most = 0;
    for (int b = 0; b < c->numbers.plan->bodies; b++) {
        adaptive_write_body(x, n, b);
        for (int i = 0; i < MB_STATE; i++) {
            const double off = fabs(x[i] - c->whole[MB_STATE * b + i]) / adaptive_size(c, i);
            if (!(off <= most)) most = off;
        }
    }
    return most;
}

/* The last Legendre coefficient of the rates of a step of length h, as a change of the state. */
static double adaptive_roughness(const mb_adaptive *c, double h)
{
    const mb_collocation *o = c->numbers.collocation;
    const lg_tableau *T = &o->tableau;
    static const int parts[] = {MB_AT_Q, MB_AT_R, MB_AT_P, MB_AT_L, MB_STATE};
    double most = 0;
    for (int b = 0; b < c->numbers.plan->bodies; b++)
        for (int i = 0; i < 4; i++) {
            const double *rates = o->rates + (MB_STATE * b + parts[i]) * T->s;
            const double rough = lg_tableau_last(T, rates, parts[i + 1] - parts[i]) / adaptive_size(c, parts[i]);
            if (!(rough <= most)) most = rough;
        }
    return fabs(h) * (2 * T->s - 1) * most;
}

/* How fast poses change at the first stage of the last step, 1/s: by velocities, or by what accelerations make of them
 * in that time. */
static double adaptive_rate(const void *moving, double h)
{
    const mb_adaptive *c = moving;
    (void)h;
    const mb_collocation *o = c->numbers.collocation;
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

static void adaptive_note_momentum(mb_adaptive *c, const mb_node *n)
{
    for (int b = 0; b < c->numbers.plan->bodies; b++)
        for (int k = 0; k < 6; k++) c->momentum_scale[k / 3] = fmax(c->momentum_scale[k / 3], fabs(n->p[b].v[k]));
}

/* ---- substeps ---- */

static const mb_node *adaptive_from(const mb_adaptive *c)
{
    return &c->numbers.node[c->numbers.now];
}

static mb_node *adaptive_to(mb_adaptive *c)
{
    return &c->numbers.node[c->numbers.now ^ 1];
}

/* A step of h from a node at time t; nonzero: it failed. */
static int adaptive_move(mb_adaptive *c, const mb_node *a, mb_node *b, double t, double h, const mb_guide *guide)
{
    mb_motion *m = &c->numbers;
    m->collocation->t = t;
    m->sweeps = 0;
    const int bad = !mb_collocate(m, a, b, h, guide);
    c->step_size.sweeps += (int)m->sweeps;
    return bad;
}

/* Numbers of all reactions. */
static int adaptive_reactions(const mb_adaptive *c)
{
    return MB_REACTION * mb_room(c->numbers.plan)->blocks;
}

static int adaptive_hopeless(const void *moving)
{
    const mb_adaptive *c = moving;
    const mb_stray_kind why = c->numbers.stray.kind;
    return c->numbers.callback != 0 || (why != MB_STRAY_NONE && why != MB_STRAY_TABLE); /* a shorter step has it */
}

static int adaptive_try(void *moving, double h)
{
    mb_adaptive *c = moving;
    const mb_guide none = {NULL, 0, 0};
    if (adaptive_move(c, adaptive_from(c), adaptive_to(c), c->now.t, h, &none)) return 1;
    c->step_size.contraction = c->numbers.collocation->contraction, c->step_size.roughness = adaptive_roughness(c, h);
    return 0;
}

static int adaptive_measure(void *moving, double h, double *error)
{
    mb_adaptive *c = moving;
    const mb_node *a = adaptive_from(c);
    const mb_guide memory = mb_collocation_memory(c->numbers.collocation);
    const mb_collocation *o = c->numbers.collocation;
    if (adaptive_move(c, a, adaptive_to(c), c->now.t, h, &memory)) return 1;
    c->step_size.contraction = o->contraction, c->step_size.measured_sweeps = (int)c->numbers.sweeps;
    c->step_size.roughness = adaptive_roughness(c, h);
    for (int b = 0; b < c->numbers.plan->bodies; b++) adaptive_write_body(c->whole + MB_STATE * b, adaptive_to(c), b);
    memcpy(c->around, o->rates, sz(mb_state_numbers(c->numbers.plan)) * sz(o->tableau.s) * sizeof *c->around);
    const mb_guide first = {c->around, h, 0}, second = {c->around, h, 0.5};
    if (adaptive_move(c, a, adaptive_to(c), c->now.t, 0.5 * h, &first)) return 1;
    if (adaptive_move(c, adaptive_to(c), &c->probe, c->now.t + 0.5 * h, 0.5 * h, &second)) return 1;
    *error = adaptive_apart(c, &c->probe);
    return 0;
}

static int adaptive_attempt(void *moving)
{
    mb_adaptive *c = moving;
    lg_step_size *p = &c->step_size;
    const mb_collocation *o = c->numbers.collocation;
    const mb_guide memory = mb_collocation_memory(o);
    if (adaptive_move(c, adaptive_from(c), adaptive_to(c), c->now.t, p->substep, &memory) &&
        (!mb_choice_again(c->choice, &c->numbers) ||
         adaptive_move(c, adaptive_from(c), adaptive_to(c), c->now.t, p->substep, &memory)))
        return 1;
    p->roughness = adaptive_roughness(c, p->substep), p->tried_sweeps = (int)c->numbers.sweeps;
    /* The correction by the projection at the node counts as an error. */
    p->noise = o->defect * o->contraction + fmax(o->open, o->miss);
    return 0;
}

static void adaptive_accept(void *moving)
{
    mb_adaptive *c = moving;
    lg_step_size *p = &c->step_size;
    mb_motion *m = &c->numbers;
    const mb_ledger before = c->before;
    mb_collocation_keep(m->collocation, p->substep);
    c->before = c->now, c->now = before;
    c->now.t = lg_step_size_end_time(p, c->before.t), c->now.work = c->before.work + m->work;
    for (int u = 0; u < m->plan->works; u++) c->now.motor_work[u] = c->before.motor_work[u] + m->motor_work[u];
    for (int i = 0; i < adaptive_reactions(c); i++)
        c->now.impulse[i] = c->before.impulse[i] + p->substep * m->collocation->reaction[i];
    m->now ^= 1;
    adaptive_note_momentum(c, adaptive_from(c));
}

static lg_substepper adaptive_substepper(mb_adaptive *c)
{
    return (lg_substepper){.stages = c->numbers.collocation->tableau.s,
                           .alone = c->numbers.plan->controls > 0 || mb_has_tables(c->numbers.plan),
                           .moving = c,
                           .probe = adaptive_try,
                           .rate = adaptive_rate,
                           .measure = adaptive_measure,
                           .attempt = adaptive_attempt,
                           .accept = adaptive_accept,
                           .hopeless = adaptive_hopeless,
                           .pause = &c->pause};
}

/* ---- output points ---- */

static void adaptive_copy_ledger(const mb_plan *plan, mb_ledger *to, const mb_ledger *from)
{
    to->t = from->t, to->work = from->work;
    memcpy(to->motor_work, from->motor_work, sz(plan->works) * sizeof *to->motor_work);
}

/* Restarts the internal integrator at the output point. */
static int adaptive_restart(mb_adaptive *c, const mb_motion *m, const mb_ledger *from, double h)
{
    mb_motion *n = &c->numbers;
    const lg_substepper own = adaptive_substepper(c);
    mb_node_copy(n->plan, &n->node[n->now], &m->node[m->now]);
    mb_choice_look(c->choice, n);
    adaptive_copy_ledger(n->plan, &c->now, from);
    memset(c->now.impulse, 0, sz(adaptive_reactions(c)) * sizeof *c->now.impulse);
    memcpy(n->control, m->control, sz(n->plan->controls) * sizeof *n->control);
    memcpy(n->act, m->act, sz(mb_activation_numbers(n->plan)) * sizeof *n->act);
    n->collocation->ask = m->collocation->ask, n->collocation->owner = m->collocation->owner;
    mb_collocation_forget(n->collocation);
    c->step_size.substeps_left = 0, c->step_size.time_rest = 0;
    c->momentum_scale[0] = c->momentum_scale[1] = 0;
    adaptive_note_momentum(c, adaptive_from(c));
    if (c->step_size.current == 0 && lg_step_size_find(&c->step_size, &own, h)) return 1;
    c->step_size.valid = 1;
    return 0;
}

/* New controls or another wrench function change the trajectory: restart. */
static void adaptive_look_at_forces(mb_adaptive *c, const mb_motion *m)
{
    const mb_motion *n = &c->numbers;
    const size_t bytes = sz(n->plan->controls) * sizeof *n->control;
    const size_t states = sz(mb_activation_numbers(n->plan)) * sizeof *n->act;
    if ((bytes > 0 && memcmp(n->control, m->control, bytes) != 0) ||
        (states > 0 && memcmp(n->act, m->act, states) != 0) || n->collocation->ask != m->collocation->ask)
        c->step_size.valid = 0;
}

/* Is time t within the last substep? */
static int adaptive_covers(const mb_adaptive *c, double t)
{
    const double span = c->numbers.collocation->span, back = c->now.t - t;
    return c->step_size.valid && span != 0 && back / span >= 0 && back / span <= 1;
}

/* The reactions' means over the output interval h, at whose end they add up to impulse[]: the next one begins. */
static void adaptive_deliver_reactions(mb_adaptive *c, double *reaction, const double *impulse, double h)
{
    for (int i = 0; i < adaptive_reactions(c); i++) {
        const double whole = impulse[i];
        c->now.impulse[i] -= whole, c->before.impulse[i] -= whole;
        reaction[i] = whole / h;
    }
}

/* Output point and internal node coincide. */
static void adaptive_deliver(mb_adaptive *c, mb_motion *m, const mb_ledger *from)
{
    mb_node_copy(m->plan, &m->node[m->now ^ 1], adaptive_from(c));
    m->work = c->now.work - from->work;
    for (int u = 0; u < m->plan->works; u++) m->motor_work[u] = c->now.motor_work[u] - from->motor_work[u];
    adaptive_deliver_reactions(c, m->collocation->reaction, c->now.impulse, c->now.t - from->t);
}

/* Delivers the state at time t inside the last substep: a shorter step from its beginning. */
static int adaptive_deliver_within(mb_adaptive *c, mb_motion *m, const mb_ledger *from, double t)
{
    mb_collocation *o = m->collocation;
    const mb_collocation *internal = c->numbers.collocation;
    const mb_guide guide = {internal->memory, internal->span, 0};
    o->t = c->before.t, o->tolerance = internal->tolerance, o->kept = internal->kept;
    m->sweeps = 0;
    if (!mb_collocate(m, adaptive_to(c), &m->node[m->now ^ 1], t - c->before.t, &guide)) return 1;
    m->work += c->before.work - from->work;
    for (int u = 0; u < m->plan->works; u++) m->motor_work[u] += c->before.motor_work[u] - from->motor_work[u];
    c->step_size.sweeps += (int)m->sweeps;
    for (int i = 0; i < adaptive_reactions(c); i++)
        o->reaction[i] = c->before.impulse[i] + (t - c->before.t) * o->reaction[i];
    adaptive_deliver_reactions(c, o->reaction, o->reaction, t - from->t);
    return 0;
}

static int adaptive_output(mb_adaptive *c, mb_motion *m, const mb_ledger *from, double h, double t1)
{
    const double slack = LG_SAME_TIME * fabs(h);
    lg_step_size_begin_output(&c->step_size);
    adaptive_look_at_forces(c, m);
    if (!c->step_size.valid && adaptive_restart(c, m, from, h)) return 1;
    for (int restarts = 0;;) {
        const double rest = t1 - c->now.t;
        const lg_substepper own = adaptive_substepper(c);
        if (fabs(rest) <= slack) {
            adaptive_deliver(c, m, from);
            return 0;
        }
        if (rest * h > 0) {
            mb_choice_look(c->choice, &c->numbers); /* output points inside the last substep keep its choice */
            const mb_motion *n = &c->numbers;
            const double smooth = mb_activations_rest(n->plan, n->control, n->act, c->now.t, rest, slack);
            if ((c->end = lg_step_size_advance(&c->step_size, &own, smooth, h)) != LG_SUBSTEP_MADE) return 1;
        } else if (adaptive_covers(c, t1))
            return adaptive_deliver_within(c, m, from, t1);
        else if (restarts++ ||
                 adaptive_restart(c, m, from, h)) /* the motion was moved back, behind the internal node */
            return 1;
    }
}

int mb_adaptive_step(mb_adaptive *c, mb_motion *m, const mb_ledger *from, double h, double t1)
{
    c->end = LG_SUBSTEP_MADE;
    c->numbers.callback = m->callback = 0;
    c->numbers.stray.kind = m->stray.kind = MB_STRAY_NONE;
    const int bad = !mb_tables_have(m->plan, t1, &c->numbers.stray) || adaptive_output(c, m, from, h, t1);
    m->callback |= c->numbers.callback;
    if (bad && c->numbers.stray.kind != MB_STRAY_NONE) m->stray = c->numbers.stray;
    m->sweeps = lg_step_size_end_output(&c->step_size, c->end == LG_SUBSTEP_STOPPED);
    m->velocity_jump = m->abrupt = 0;
    m->collocation->defect = c->numbers.collocation->defect;
    if (bad) return 1;
    m->now ^= 1;
    return 0;
}
