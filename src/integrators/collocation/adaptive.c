/* SPDX-License-Identifier: BSD-3-Clause */
/* The internal integrator of a system: its substeps, and the states that it delivers at output points. The step size is
 * chosen in step_size.c. */
#include "integrators/collocation/adaptive.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/step.h"

/* Errors of momenta are compared with at least this part of a potential's impulse in an output interval. */
#define ADAPTIVE_LEAST 0.01

void lg_adaptive_set(lg_workspace *w, double tolerance)
{
    lg_step_size *o = &w->collocation->step_size;
    *o = (lg_step_size){.tolerance = tolerance};
    w->collocation->span = 0;
    w->implicit_tolerance = tolerance > 0 ? fmin(fmax(1e-3 * tolerance, 1e-16), 1e-7) : 1e-16;
}

void lg_adaptive_forget(lg_workspace *w)
{
    lg_step_size *o = &w->collocation->step_size;
    *o = (lg_step_size){.tolerance = o->tolerance};
}

static void adaptive_copy_node(lg_node *to, const lg_workspace *w, lg_node *from, const lg_workspace *other)
{
    lg_span a[LG_SPANS], b[LG_SPANS];
    const int count = lg_workspace_node_spans(w, to, a);
    (void)lg_workspace_node_spans(other, from, b);
    for (int k = 0; k < count; k++) memcpy(a[k].at, b[k].at, sz(a[k].count) * sizeof(double));
}

void lg_adaptive_copy(lg_workspace *to, const lg_workspace *from)
{
    to->collocation->step_size = from->collocation->step_size;
    to->implicit_tolerance = from->implicit_tolerance;
    if (!from->collocation->step_size.valid) return;
    for (int k = LG_INTERNAL_NOW; k <= LG_INTERNAL_BEFORE; k++)
        adaptive_copy_node(to->internal[k], to, from->internal[k], from);
}

void lg_adaptive_list_nodes(lg_workspace *w, lg_tape *t)
{
    for (int k = LG_INTERNAL_NOW; k <= LG_INTERNAL_NEXT; k++) { /* the three rotate */
        lg_span s[LG_SPANS];
        lg_span_list(t, s, lg_workspace_node_spans(w, w->internal[k], s));
    }
}

/* ---- errors ---- */

/* Errors of momenta are relative to the largest momentum. */
static double adaptive_momentum_scale(const lg_workspace *w, const lg_node *b)
{
    return lg_larger(lg_larger(lg_norm_max(b->p_tilde, w->plan->n), w->collocation->step_size.momentum_scale), DBL_MIN);
}

/* The distance of b from a: elements relative to their size or 1, momenta relative to the largest. */
static double adaptive_apart(const lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const double size = adaptive_momentum_scale(w, a);
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

/* The roughness: the last Legendre coefficient of the rates of a step of length h, as a change of the state. */
static double adaptive_roughness(const lg_workspace *w, double h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_tableau *T = &w->collocation->tableau;
    const double *rates = w->collocation->rates;
    const double moving = lg_tableau_last(T, rates, P->element_size);
    const double pushing = lg_tableau_last(T, rates + P->element_size * T->s, P->n) / adaptive_momentum_scale(w, b);
    const double most = pushing <= moving ? moving : pushing;
    return fabs(h) * (2 * T->s - 1) * most;
}

/* ---- steps ---- */

/* A step from a to b, whose time becomes `t`; predicted from the rates of a step of length `span` before or around. */
static int adaptive_move(lg_workspace *w, const lg_node *a, lg_node *b, double h, double t, const double *rates,
                         double span, double at)
{
    const int most = w->evaluations_max;
    b->t = t;
    w->destination = b;
    w->evaluations_max = most < LG_SUBSTEP_SWEEPS ? most : LG_SUBSTEP_SWEEPS;
    const int bad = lg_collocation_solve_from(w, h, a, rates, span, at);
    w->evaluations_max = most;
    if (bad) {
        memcpy(b->g, a->g, sz(w->plan->element_size) * sizeof *b->g);
        return 1;
    }
    lg_collocation_sum(w, h, a, b);
    w->collocation->step_size.sweeps += w->sweeps;
    return lg_collocation_arrive(w, a, b) || lg_step_is_astray(w, h, b);
}

/* The error of a substep of length h, by repeating it in two halves. */
static int adaptive_measure(void *moving, double h, double *error)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    const lg_node *a = w->internal[LG_INTERNAL_NOW];
    lg_node *whole = w->internal[LG_INTERNAL_WHOLE], *half = w->internal[LG_INTERNAL_HALF];
    lg_node *end = w->internal[LG_INTERNAL_END];
    if (adaptive_move(w, a, whole, h, a->t + h, o->memory, o->span, o->at)) return 1;
    o->step_size.contraction = o->contraction, o->step_size.measured_sweeps = w->sweeps;
    o->step_size.roughness = adaptive_roughness(w, h, whole);
    memcpy(o->around, o->rates, lg_collocation_rates(w->plan) * sizeof *o->around);
    if (adaptive_move(w, a, half, 0.5 * h, a->t + 0.5 * h, o->around, h, 0)) return 1;
    if (adaptive_move(w, half, end, 0.5 * h, a->t + h, o->around, h, 0.5)) return 1;
    *error = adaptive_apart(w, end, whole);
    return 0;
}

/* The rate of change of the state at the first stage of the last step, in units of its size; from rest, in units of its
 * size after h. */
static double adaptive_rate(const void *moving, double h)
{
    const lg_workspace *w = moving;
    const lg_node *b = w->internal[LG_INTERNAL_WHOLE];
    const lg_plan *P = w->plan;
    const lg_collocation *o = w->collocation;
    double turning = 0, pushing = 0;
    for (int i = 0; i < P->element_size; i++) turning = fmax(turning, fabs(o->rates[i * o->tableau.s]));
    for (int i = P->element_size; i < P->element_size + P->n; i++)
        pushing = fmax(pushing, fabs(o->rates[i * o->tableau.s]));
    return fmax(turning, pushing / fmax(adaptive_momentum_scale(w, b), fmax(fabs(h) * pushing, DBL_MIN)));
}

static int adaptive_hopeless(const void *moving)
{
    const lg_workspace *w = moving;
    return w->failure.status == LG_ERROR_CALLBACK;
}

/* A substep of h without a predictor. */
static int adaptive_try(void *moving, double h)
{
    lg_workspace *w = moving;
    const lg_node *a = w->internal[LG_INTERNAL_NOW];
    lg_node *whole = w->internal[LG_INTERNAL_WHOLE];
    if (adaptive_move(w, a, whole, h, a->t + h, NULL, 0, 0)) return 1;
    w->collocation->step_size.contraction = w->collocation->contraction;
    w->collocation->step_size.roughness = adaptive_roughness(w, h, whole);
    return 0;
}

/* ---- the internal integrator ---- */

static int adaptive_attempt(void *moving)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    lg_step_size *p = &o->step_size;
    const lg_node *a = w->internal[LG_INTERNAL_NOW];
    lg_node *b = w->internal[LG_INTERNAL_NEXT];
    if (adaptive_move(w, a, b, p->substep, a->t + (p->substep + p->time_rest), o->memory, o->span, o->at)) return 1;
    p->roughness = adaptive_roughness(w, p->substep, b), p->noise = o->defect * o->contraction,
    p->tried_sweeps = w->sweeps;
    return 0;
}

static void adaptive_accept(void *moving)
{
    lg_workspace *w = moving;
    lg_collocation *o = w->collocation;
    lg_node *before = w->internal[LG_INTERNAL_BEFORE];
    double *memory = o->memory;
    const double t = lg_step_size_end_time(&o->step_size, w->internal[LG_INTERNAL_NOW]->t);
    w->internal[LG_INTERNAL_BEFORE] = w->internal[LG_INTERNAL_NOW],
    w->internal[LG_INTERNAL_NOW] = w->internal[LG_INTERNAL_NEXT];
    w->internal[LG_INTERNAL_NEXT] = before;
    w->internal[LG_INTERNAL_NOW]->t = t;
    o->memory = o->rates, o->rates = memory;
    o->span = o->step_size.taken, o->at = 1;
    o->step_size.momentum_scale =
        lg_larger(lg_norm_max(w->internal[LG_INTERNAL_NOW]->p_tilde, w->plan->n), o->step_size.momentum_scale);
}

static lg_substepper adaptive_substepper(lg_workspace *w)
{
    return (lg_substepper){.stages = w->plan->method.collocation_stages,
                           .alone = w->plan->S->callbacks.control_count > 0,
                           .moving = w,
                           .probe = adaptive_try,
                           .rate = adaptive_rate,
                           .measure = adaptive_measure,
                           .attempt = adaptive_attempt,
                           .accept = adaptive_accept,
                           .hopeless = adaptive_hopeless,
                           .pause = &w->collocation->pause};
}

/* The least momentum with which errors are compared: at an equilibrium momenta are round-off of the potential's impulse
 * between two output points. */
static int adaptive_set_momentum_scale(lg_workspace *w, double h)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    lg_step_size *p = &w->collocation->step_size;
    p->momentum_scale = fmax(p->momentum_scale, lg_norm_max(b->p_tilde, P->n));
    if (!P->potential) return 0;
    if (lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, w->vector, P->n)) return 1;
    p->momentum_scale = fmax(p->momentum_scale, ADAPTIVE_LEAST * fabs(h) * lg_norm_max(w->vector, P->n));
    return 0;
}

/* Restarts the internal integrator at the output point w->now. */
static int adaptive_restart(lg_workspace *w, double h)
{
    lg_collocation *o = w->collocation;
    adaptive_copy_node(w->internal[LG_INTERNAL_NOW], w, w->now, w);
    o->span = 0, o->step_size.substeps_left = 0, o->step_size.time_rest = 0;
    if (adaptive_set_momentum_scale(w, h)) return 1;
    const lg_substepper c = adaptive_substepper(w);
    if (o->step_size.current == 0 && lg_step_size_find(&o->step_size, &c, h)) return 1;
    o->step_size.valid = 1;
    return 0;
}

/* The next substep, towards an output point `rest` ahead. */
static int adaptive_substep(lg_workspace *w, double rest, double h)
{
    lg_collocation *o = w->collocation;
    const lg_substepper c = adaptive_substepper(w);
    switch (lg_step_size_advance(&o->step_size, &c, rest, h)) {
    case LG_SUBSTEP_MADE:
        return 0;
    case LG_SUBSTEP_TOO_LONG:
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, w->sweeps, o->defect);
    case LG_SUBSTEP_TOO_MANY:
        return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
    case LG_SUBSTEP_STOPPED:
        return lg_workspace_fail(w, LG_ERROR_INTERRUPTED, "the row", 0, 0, 0);
    default:
        return 1;
    }
}

/* ---- output points ---- */

/* Delivers the state at time t within the last substep, which began at a: a shorter step, predicted by its rates. */
static int adaptive_deliver_within(lg_workspace *w, const lg_node *a, double t, lg_node *to)
{
    const lg_collocation *o = w->collocation;
    return adaptive_move(w, a, to, t - a->t, t, o->memory, o->span, 0);
}

/* Is time t within the last substep? */
static int adaptive_covers(const lg_workspace *w, double t)
{
    const lg_collocation *o = w->collocation;
    const double back = w->internal[LG_INTERNAL_NOW]->t - t;
    return o->step_size.valid && o->span != 0 && back / o->span >= 0 && back / o->span <= 1;
}

/* Delivers the internal node, whose time is t up to rounding. Time-dependent constraints would be violated by the
 * rounding: for these the end of the last substep is moved to t. */
static int adaptive_deliver(lg_workspace *w, lg_node *b, double t)
{
    lg_node *there = w->internal[LG_INTERNAL_NOW];
    const int timed = w->plan->m > 0 && w->plan->S->callbacks.time_dependent;
    if (timed && there->t != t && w->collocation->span != 0)
        return adaptive_deliver_within(w, w->internal[LG_INTERNAL_BEFORE], t, b);
    adaptive_copy_node(b, w, there, w);
    b->t = t;
    return 0;
}

/* New controls change the trajectory: restart. */
static void adaptive_check_controls(lg_workspace *w)
{
    lg_collocation *o = w->collocation;
    const lg_system *S = w->plan->S;
    const size_t bytes = sz(S->callbacks.control_count) * sizeof(double);
    if (bytes && memcmp(o->values + S->parameter_count, w->field->control, bytes)) o->step_size.valid = 0;
}

static int adaptive_output(lg_workspace *w, double h, double t1, lg_node *b)
{
    lg_step_size *p = &w->collocation->step_size;
    const double slack = LG_SAME_TIME * fabs(h);
    lg_step_size_begin_output(p);
    adaptive_check_controls(w);
    if (!p->valid && adaptive_restart(w, h)) return 1;
    for (int restarts = 0;;) {
        const double rest = t1 - w->internal[LG_INTERNAL_NOW]->t;
        if (fabs(rest) <= slack) return adaptive_deliver(w, b, t1);
        if (rest * h > 0) {
            if (adaptive_substep(w, rest, h)) return 1;
        } else if (adaptive_covers(w, t1))
            return adaptive_deliver_within(w, w->internal[LG_INTERNAL_BEFORE], t1, b);
        else if (restarts++) /* the output point is not ahead of the last one */
            return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, w->sweeps, 0);
        else if (adaptive_restart(w, h)) /* the integrator was moved back, behind the internal node */
            return 1;
    }
}

int lg_adaptive_step(lg_workspace *w, double h, double t1)
{
    lg_node *a = w->now, *b = w->next;
    w->length = 0;
    const int bad = adaptive_output(w, h, t1, b);
    const int sweeps =
        lg_step_size_end_output(&w->collocation->step_size, bad && w->failure.status == LG_ERROR_INTERRUPTED);
    if (bad) {
        w->destination = b;
        return 1;
    }
    b->iterations = sweeps;
    w->now = b, w->next = a;
    w->length = h;
    return 0;
}

static int adaptive_inside(lg_workspace *w, double t, lg_node *to)
{
    const lg_node *a = w->next;
    lg_node *other = w->internal[LG_INTERNAL_WHOLE];
    const double length = w->collocation->step_size.current;
    if (adaptive_covers(w, t)) return adaptive_deliver_within(w, w->internal[LG_INTERNAL_BEFORE], t, to);
    const double count = fmax(ceil(fabs(t - a->t) / length), 1), step = (t - a->t) / count;
    lg_step_size_begin_output(&w->collocation->step_size);
    if (!(count <= LG_SUBSTEPS_MOST)) return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
    for (double k = 1; k <= count; k++) { /* the last one ends at `to` */
        lg_node *b = fmod(count - k, 2) == 0 ? to : other;
        if (adaptive_move(w, a, b, step, k < count ? a->t + step : t, NULL, 0, 0)) return 1;
        a = b;
    }
    return 0;
}

int lg_adaptive_inside(lg_workspace *w, double t, lg_node *to)
{
    lg_step_size *p = &w->collocation->step_size;
    const int sweeps = p->sweeps; /* only those of output points are counted */
    const int bad = adaptive_inside(w, t, to);
    p->sweeps = sweeps;
    return bad;
}

int lg_adaptive_substeps(lg_workspace *w, const lg_workspace *from, double h, double *count)
{
    const double tolerance = w->implicit_tolerance;
    double length = from->collocation->step_size.current;
    int bad = 0;
    *count = 1;
    if (from->collocation->step_size.tolerance == 0) return 0;
    if (length == 0) {
        lg_adaptive_set(w, from->collocation->step_size.tolerance);
        bad = adaptive_restart(w, h);
        length = w->collocation->step_size.current;
        lg_adaptive_set(w, 0);
        w->implicit_tolerance = tolerance;
    }
    if (bad) return bad;
    *count = fmax(ceil(fabs(h / length)), 1);
    return *count <= LG_SUBSTEPS_MOST ? 0 : lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the row", LG_FAILED_FAR, 0, 0);
}
