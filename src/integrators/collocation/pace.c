/* SPDX-License-Identifier: BSD-3-Clause */
/* The carrier of a system: its steps, and the rows between them. Their length is decided in length.c. */
#include "integrators/collocation/pace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/arrival.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/step.h"

/* The part of that which counts. */
#define PACE_LEAST 0.01

void lg_pace_set(lg_workspace *w, double tolerance)
{
    lg_pace *o = &w->collocation->pace;
    *o = (lg_pace){.tolerance = tolerance};
    w->collocation->span = 0;
    w->implicit_tolerance = tolerance > 0 ? fmin(fmax(1e-3 * tolerance, 1e-16), 1e-7) : 1e-16;
}

void lg_pace_forget(lg_workspace *w)
{
    lg_pace *o = &w->collocation->pace;
    *o = (lg_pace){.tolerance = o->tolerance};
}

static void pace_copy_node(lg_node *to, const lg_workspace *w, lg_node *from, const lg_workspace *other)
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    const int count = lg_workspace_node_spans(w, to, a);
    (void)lg_workspace_node_spans(other, from, b);
    for (int k = 0; k < count; k++) memcpy(a[k].at, b[k].at, sz(a[k].count) * sizeof(double));
}

void lg_pace_copy(lg_workspace *to, const lg_workspace *from)
{
    to->collocation->pace = from->collocation->pace;
    to->implicit_tolerance = from->implicit_tolerance;
    if (!from->collocation->pace.valid) return;
    for (int k = LG_CARRIER; k <= LG_CARRIER_BEFORE; k++) pace_copy_node(to->carrier[k], to, from->carrier[k], from);
}

void lg_pace_list_nodes(lg_workspace *w, lg_tape *t)
{
    for (int k = LG_CARRIER; k <= LG_CARRIER_NEXT; k++) { /* they take each other's places */
        lg_span s[LG_SPANS];
        lg_span_list(t, s, lg_workspace_node_spans(w, w->carrier[k], s));
    }
}

/* ---- errors ---- */

/* Momenta are compared with their largest. */
static double pace_momentum(const lg_workspace *w, const lg_node *b)
{
    return lg_larger(lg_larger(lg_norm_max(b->p_tilde, w->plan->n), w->collocation->pace.momentum), DBL_MIN);
}

/* How far b is from a: elements relative to their size or 1, momenta to theirs. */
static double pace_apart(const lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const double size = pace_momentum(w, a);
    double most = 0;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        const double *x = a->g + f->element_offset, *y = b->g + f->element_offset;
        const double scale = fmax(1, lg_norm_max(x, f->element_size));
        for (int i = 0; i < f->element_size; i++) {
            const double d = x[i] - y[i];
            const double off = fabs(f->table->facts & LG_FACTOR_ANGLES ? remainder(d, 2 * LG_PI) : d);
            if (!(off <= most * scale)) most = off / scale;
        }
    }
    for (int i = 0; i < P->n; i++) {
        const double off = fabs(a->p_tilde[i] - b->p_tilde[i]);
        if (!(off <= most * size)) most = off / size;
    }
    return most;
}

/* Of the rates at the stages of a step of length h: its last Legendre coefficient, as a change of the state. */
static double pace_roughness(const lg_workspace *w, double h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_tableau *T = &w->collocation->tableau;
    const double *rates = w->collocation->rates;
    const double moving = lg_tableau_last(T, rates, P->element_size);
    const double pushing = lg_tableau_last(T, rates + P->element_size * T->s, P->n) / pace_momentum(w, b);
    const double most = pushing <= moving ? moving : pushing;
    return fabs(h) * (2 * T->s - 1) * most;
}

/* ---- steps ---- */

/* From a to b, whose time becomes `t`; predicted from the rates of a step of length `span` before or around it. */
static int pace_move(lg_workspace *w, const lg_node *a, lg_node *b, double h, double t, const double *rates,
                     double span, double at)
{
    const int most = w->evaluations_max;
    b->t = t;
    w->destination = b;
    w->evaluations_max = most < LG_PACE_SWEEPS ? most : LG_PACE_SWEEPS;
    const int bad = lg_collocation_solve_from(w, h, a, rates, span, at);
    w->evaluations_max = most;
    if (bad) {
        memcpy(b->g, a->g, sz(w->plan->element_size) * sizeof *b->g);
        return 1;
    }
    lg_collocation_sum(w, h, a, b);
    w->collocation->pace.sweeps += w->sweeps;
    return lg_collocation_arrive(w, a, b) || lg_step_is_astray(w, h, b);
}

/* The error of a step of length h from the carrier's node. */
static int pace_measure(void *moving, double h, double *error)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *whole = w->carrier[LG_CARRIER_WHOLE], *half = w->carrier[LG_CARRIER_HALF];
    lg_node *end = w->carrier[LG_CARRIER_END];
    if (pace_move(w, a, whole, h, a->t + h, o->memory, o->span, o->at)) return 1;
    o->pace.contraction = o->contraction, o->pace.measured_sweeps = w->sweeps;
    o->pace.rough = pace_roughness(w, h, whole);
    memcpy(o->around, o->rates, lg_collocation_rates(w->plan) * sizeof *o->around);
    if (pace_move(w, a, half, 0.5 * h, a->t + 0.5 * h, o->around, h, 0)) return 1;
    if (pace_move(w, half, end, 0.5 * h, a->t + h, o->around, h, 0.5)) return 1;
    *error = pace_apart(w, end, whole);
    return 0;
}

/* How fast the state changes at the first stage of the last step, in units of its size; from rest, of what it becomes
 * in h. */
static double pace_rate(const void *moving, double h)
{
    const lg_workspace *w = moving;
    const lg_node *b = w->carrier[LG_CARRIER_WHOLE];
    const lg_plan *P = w->plan;
    const lg_collocation *o = w->collocation;
    double turning = 0, pushing = 0;
    for (int i = 0; i < P->element_size; i++) turning = fmax(turning, fabs(o->rates[i * o->tableau.s]));
    for (int i = P->element_size; i < P->element_size + P->n; i++)
        pushing = fmax(pushing, fabs(o->rates[i * o->tableau.s]));
    return fmax(turning, pushing / fmax(pace_momentum(w, b), fmax(fabs(h) * pushing, DBL_MIN)));
}

static int pace_hopeless(const void *moving)
{
    const lg_workspace *w = moving;
    return w->failure.status == LG_ERROR_CALLBACK;
}

/* A step of h from the carrier's node, from nothing. */
static int pace_try(void *moving, double h)
{
    lg_workspace *w = moving;
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *whole = w->carrier[LG_CARRIER_WHOLE];
    if (pace_move(w, a, whole, h, a->t + h, NULL, 0, 0)) return 1;
    w->collocation->pace.contraction = w->collocation->contraction;
    w->collocation->pace.rough = pace_roughness(w, h, whole);
    return 0;
}

/* ---- the carrier ---- */

static int pace_attempt(void *moving)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    lg_pace *p = &o->pace;
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *b = w->carrier[LG_CARRIER_NEXT];
    if (pace_move(w, a, b, p->leg, a->t + (p->leg + p->late), o->memory, o->span, o->at)) return 1;
    p->rough = pace_roughness(w, p->leg, b), p->noise = o->defect * o->contraction, p->tried = w->sweeps;
    return 0;
}

static void pace_accept(void *moving)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    lg_node *before = w->carrier[LG_CARRIER_BEFORE];
    double *memory = o->memory;
    const double t = lg_pace_clock(&o->pace, w->carrier[LG_CARRIER]->t);
    w->carrier[LG_CARRIER_BEFORE] = w->carrier[LG_CARRIER], w->carrier[LG_CARRIER] = w->carrier[LG_CARRIER_NEXT];
    w->carrier[LG_CARRIER_NEXT] = before;
    w->carrier[LG_CARRIER]->t = t;
    o->memory = o->rates, o->rates = memory;
    o->span = o->pace.taken, o->at = 1;
    o->pace.momentum = lg_larger(lg_norm_max(w->carrier[LG_CARRIER]->p_tilde, w->plan->n), o->pace.momentum);
}

static lg_carrier pace_carrier(lg_workspace *w)
{
    return (lg_carrier){.stages = w->plan->method.collocation,
                        .alone = w->plan->S->callbacks.control_count > 0,
                        .moving = w,
                        .try = pace_try,
                        .rate = pace_rate,
                        .measure = pace_measure,
                        .attempt = pace_attempt,
                        .accept = pace_accept,
                        .hopeless = pace_hopeless,
                        .pause = &w->collocation->pause};
}

/* The momentum that errors are compared with at least: at an equilibrium it is round-off of what the potential's force
 * would do between two rows. */
static int pace_weigh(lg_workspace *w, double h)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    lg_pace *p = &w->collocation->pace;
    p->momentum = fmax(p->momentum, lg_norm_max(b->p_tilde, P->n));
    if (!P->potential) return 0;
    if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, w->vector, P->n)) return 1;
    p->momentum = fmax(p->momentum, PACE_LEAST * fabs(h) * lg_norm_max(w->vector, P->n));
    return 0;
}

/* It begins where the rows are. */
static int pace_board(lg_workspace *w, double h)
{
    lg_collocation *o = w->collocation;
    pace_copy_node(w->carrier[LG_CARRIER], w, w->now, w);
    o->span = 0, o->pace.legs = 0, o->pace.late = 0;
    if (pace_weigh(w, h)) return 1;
    const lg_carrier c = pace_carrier(w);
    if (o->pace.length == 0 && lg_pace_find(&o->pace, &c, h)) return 1;
    o->pace.valid = 1;
    return 0;
}

/* The carrier's next step, towards a row `rest` ahead. */
static int pace_carry(lg_workspace *w, double rest, double h)
{
    lg_collocation *o = w->collocation;
    const lg_carrier c = pace_carrier(w);
    switch (lg_pace_carry(&o->pace, &c, rest, h)) {
    case LG_PACE_WENT:
        return 0;
    case LG_PACE_NONE:
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, w->sweeps, o->defect);
    case LG_PACE_FAR:
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
    case LG_PACE_STOPPED:
        return lg_workspace_fail(w, LG_ERROR_INTERRUPTED, "the row", 0, 0, 0);
    default:
        return 1;
    }
}

/* ---- rows ---- */

/* From a, where a step of length `span` began whose rates are remembered, to time t within it. */
static int pace_restart(lg_workspace *w, const lg_node *a, double t, lg_node *to)
{
    const lg_collocation *o = w->collocation;
    return pace_move(w, a, to, t - a->t, t, o->memory, o->span, 0);
}

/* Is time t within the carrier's last step? */
static int pace_covers(const lg_workspace *w, double t)
{
    const lg_collocation *o = w->collocation;
    const double back = w->carrier[LG_CARRIER]->t - t;
    return o->pace.valid && o->span != 0 && back / o->span >= 0 && back / o->span <= 1;
}

/* Node `b` from the carrier, which is there but for rounding of its time. Constraints that depend on time would show
 * that: then the end of its last step is moved. */
static int pace_alight(lg_workspace *w, lg_node *b, double t)
{
    lg_node *there = w->carrier[LG_CARRIER];
    const int timed = w->plan->m > 0 && w->plan->S->callbacks.time_dependent;
    if (timed && there->t != t && w->collocation->span != 0)
        return pace_restart(w, w->carrier[LG_CARRIER_BEFORE], t, b);
    pace_copy_node(b, w, there, w);
    b->t = t;
    return 0;
}

/* New controls are another trajectory. */
static void pace_look_at_controls(lg_workspace *w)
{
    lg_collocation *o = w->collocation;
    const lg_system *S = w->plan->S;
    const size_t bytes = sz(S->callbacks.control_count) * sizeof(double);
    if (bytes && memcmp(o->values + S->parameter_count, w->field->control, bytes)) o->pace.valid = 0;
}

static int pace_row(lg_workspace *w, double h, double t1, lg_node *b)
{
    lg_pace *p = &w->collocation->pace;
    const double slack = LG_PACE_SAME * fabs(h);
    lg_pace_begin_row(p);
    pace_look_at_controls(w);
    if (!p->valid && pace_board(w, h)) return 1;
    for (int boarded = 0;;) {
        const double rest = t1 - w->carrier[LG_CARRIER]->t;
        if (fabs(rest) <= slack) return pace_alight(w, b, t1);
        if (rest * h > 0) {
            if (pace_carry(w, rest, h)) return 1;
        } else if (pace_covers(w, t1))
            return pace_restart(w, w->carrier[LG_CARRIER_BEFORE], t1, b);
        else if (boarded++) /* a row that is not ahead of the one before */
            return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, w->sweeps, 0);
        else if (pace_board(w, h)) /* it is ahead of a row that somebody went back from */
            return 1;
    }
}

int lg_pace_step(lg_workspace *w, double h, double t1)
{
    lg_node *a = w->now, *b = w->next;
    w->length = 0;
    const int bad = pace_row(w, h, t1, b);
    const int sweeps = lg_pace_end_row(&w->collocation->pace, bad && w->failure.status == LG_ERROR_INTERRUPTED);
    if (bad) {
        w->destination = b;
        return 1;
    }
    b->iterations = sweeps;
    w->now = b, w->next = a;
    w->length = h;
    return 0;
}

static int pace_inside(lg_workspace *w, double t, lg_node *to)
{
    const lg_node *a = w->next;
    lg_node *other = w->carrier[LG_CARRIER_WHOLE];
    const double length = w->collocation->pace.length;
    if (pace_covers(w, t)) return pace_restart(w, w->carrier[LG_CARRIER_BEFORE], t, to);
    const double count = fmax(ceil(fabs(t - a->t) / length), 1), step = (t - a->t) / count;
    lg_pace_begin_row(&w->collocation->pace);
    if (!(count <= LG_PACE_STEPS)) return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
    for (double k = 1; k <= count; k++) { /* the last one ends at `to` */
        lg_node *b = fmod(count - k, 2) == 0 ? to : other;
        if (pace_move(w, a, b, step, k < count ? a->t + step : t, NULL, 0, 0)) return 1;
        a = b;
    }
    return 0;
}

int lg_pace_inside(lg_workspace *w, double t, lg_node *to)
{
    lg_pace *p = &w->collocation->pace;
    const int sweeps = p->sweeps; /* those of rows are counted */
    const int bad = pace_inside(w, t, to);
    p->sweeps = sweeps;
    return bad;
}

int lg_pace_legs(lg_workspace *w, const lg_workspace *from, double h, double *count)
{
    const double tolerance = w->implicit_tolerance;
    double length = from->collocation->pace.length;
    int bad = 0;
    *count = 1;
    if (from->collocation->pace.tolerance == 0) return 0;
    if (length == 0) {
        lg_pace_set(w, from->collocation->pace.tolerance);
        bad = pace_board(w, h);
        length = w->collocation->pace.length;
        lg_pace_set(w, 0);
        w->implicit_tolerance = tolerance;
    }
    if (bad) return bad;
    *count = fmax(ceil(fabs(h / length)), 1);
    return *count <= LG_PACE_STEPS ? 0 : lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
}
