/* SPDX-License-Identifier: BSD-3-Clause */
/* A step for a tolerance.
 *
 * The error of a step is measured: the step once more in two halves, which for order 2 S are so much better that the
 * difference is the error. That is done where the motion begins, until the step suits the tolerance, and now and then
 * on the way; in between the last Legendre coefficient of the rates (their roughness), which costs nothing, tells how
 * the error has changed since. Where round-off would hide the error, a longer step is measured instead. */
#include "integrators/collocation/pace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/arrival.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/step.h"

/* The part of the tolerance that one step may have. */
#define PACE_SHARE 0.01
/* Errors below this are round-off and cannot be measured. */
#define PACE_VISIBLE 5e-14
/* Sweeps that contract no faster than this are too dear: shorter steps cost less in all. */
#define PACE_CONTRACTION 0.35
/* Steps of more sweeps than PACE_DEAR are made shorter, of more than PACE_CHEAP not longer; PACE_MOST and no rest: they
 * are too long. Steps between two measurements, and between those that a change of the motion asks for; steps that
 * could be longer before they are. */
#define PACE_SHORTER 0.8
/* What a step adds to a length that was dear. */
#define PACE_FORGET 1.005
enum {
    PACE_DEAR = 30,
    PACE_CHEAP = 20,
    PACE_MOST = 40,
    PACE_PATIENCE = 40,
    PACE_MOST_PATIENT = 320,
    PACE_RECENT = 12,
    PACE_CALM = 4,
    PACE_TRIALS = 40
};
/* A step with that many times its share is made again; below that part of it the next ones become longer. */
#define PACE_REFUSED 3.0
#define PACE_WASTED  0.02
/* The first steps: of the interval of rows, for the rates; of the time in which the state changes by its size. */
#define PACE_TINY  1e-6
#define PACE_FIRST 0.5
/* What a new length aims at, in shares. */
#define PACE_AIM 0.5
/* Times closer than this part of a row are the same. */
#define PACE_SAME 1e-9
/* The carrier's step in rows, at most. */
#define PACE_ROWS 512

static double pace_share(const lg_pace *o)
{
    return PACE_SHARE * o->tolerance;
}

/* A step's error is measured on one that is so much longer. */
static double pace_lens(const lg_workspace *w)
{
    const double share = pace_share(&w->collocation->pace);
    return share < PACE_VISIBLE ? pow(PACE_VISIBLE / share, 1.0 / (2 * w->plan->method.collocation + 1)) : 1;
}

void lg_pace_set(lg_workspace *w, double tolerance)
{
    lg_pace *o = &w->collocation->pace;
    *o = (lg_pace){.tolerance = tolerance};
    w->collocation->span = 0;
    w->implicit_tolerance = tolerance > 0 ? fmin(fmax(1e-4 * tolerance, 1e-16), 1e-9) : 1e-16;
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

/* ---- errors ---- */

/* Momenta are compared with their largest. */
static double pace_momentum(const lg_workspace *w, const lg_node *b)
{
    return fmax(fmax(lg_norm_max(b->p_tilde, w->plan->n), w->collocation->pace.momentum), DBL_MIN);
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
    const double *last = T->legendre + (T->s - 1) * T->s, size = pace_momentum(w, b);
    double most = 0;
    for (int i = 0; i < P->element_size + P->n; i++) {
        const double *r = w->collocation->rates + i * T->s;
        double sum = 0;
        for (int j = 0; j < T->s; j++) sum += T->b[j] * last[j] * r[j];
        sum = fabs(sum) / (i < P->element_size ? 1 : size);
        if (!(sum <= most)) most = sum;
    }
    return fabs(h) * (2 * T->s - 1) * most;
}

/* Of a step, with its length: error and roughness go with these powers of it. */
static double pace_rough_power(const lg_workspace *w, double ratio)
{
    double power = 1;
    for (int k = 0; k < w->plan->method.collocation; k++) power *= ratio;
    return power;
}

static double pace_error_power(const lg_workspace *w, double ratio)
{
    const double power = pace_rough_power(w, ratio);
    return ratio * power * power;
}

/* By how much a step may be longer for an error that is `ratio` times as large. */
static double pace_stretch(const lg_workspace *w, double ratio)
{
    return pow(ratio, 1.0 / (2 * w->plan->method.collocation + 1));
}

/* Of few digits, so that machines whose powers differ in the last one take the same step. */
static double pace_rounded(double length)
{
    int exponent;
    const double part = frexp(length, &exponent);
    return ldexp(floor(256 * part) / 256, exponent);
}

/* ---- steps ---- */

/* From a to b, whose time becomes `t`; predicted from the rates of a step of length `span` before or around it. */
static int pace_move(lg_workspace *w, const lg_node *a, lg_node *b, double h, double t, const double *rates,
                     double span, double at)
{
    const int most = w->evaluations_max;
    b->t = t;
    w->destination = b;
    w->evaluations_max = most < PACE_MOST ? most : PACE_MOST;
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
static int pace_measure(lg_workspace *w, double h, double *error)
{
    lg_collocation *o = w->collocation;
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *whole = w->carrier[LG_CARRIER_WHOLE], *half = w->carrier[LG_CARRIER_HALF];
    lg_node *end = w->carrier[LG_CARRIER_END];
    if (pace_move(w, a, whole, h, a->t + h, o->memory, o->span, o->at)) return 1;
    o->pace.contraction = o->contraction, o->pace.dear = w->sweeps > PACE_DEAR;
    o->pace.rough = pace_roughness(w, h, whole);
    memcpy(o->around, o->rates, lg_collocation_rates(w->plan) * sizeof *o->around);
    if (pace_move(w, a, half, 0.5 * h, a->t + 0.5 * h, o->around, h, 0)) return 1;
    if (pace_move(w, half, end, 0.5 * h, a->t + h, o->around, h, 0.5)) return 1;
    *error = pace_apart(w, end, whole);
    return 0;
}

/* How fast the state changes at the first stage of the last step, in units of its size; from rest, of what it becomes
 * in h. */
static double pace_rate(const lg_workspace *w, const lg_node *b, double h)
{
    const lg_plan *P = w->plan;
    const lg_collocation *o = w->collocation;
    double turning = 0, pushing = 0;
    for (int i = 0; i < P->element_size; i++) turning = fmax(turning, fabs(o->rates[i * o->tableau.s]));
    for (int i = P->element_size; i < P->element_size + P->n; i++)
        pushing = fmax(pushing, fabs(o->rates[i * o->tableau.s]));
    return fmax(turning, pushing / fmax(pace_momentum(w, b), fmax(fabs(h) * pushing, DBL_MIN)));
}

/* The first guess: the state changes by a part of itself; shorter, until the stages come to rest. */
static int pace_guess(lg_workspace *w, double h)
{
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *b = w->carrier[LG_CARRIER_WHOLE];
    double length = PACE_TINY * fabs(h);
    int bad = pace_move(w, a, b, copysign(length, h), a->t, NULL, 0, 0);
    if (bad && w->failure.status == LG_ERROR_CALLBACK) return 1;
    length = bad ? length : fmin(fabs(h), PACE_FIRST / fmax(pace_rate(w, b, h), DBL_MIN));
    for (int k = 0; k < PACE_TRIALS; k++, length *= 0.25) {
        const double step = copysign(length, h);
        bad = pace_move(w, a, b, step, a->t + step, NULL, 0, 0);
        if (bad && w->failure.status == LG_ERROR_CALLBACK) break;
        w->collocation->pace.length = length;
        if (!bad) break;
    }
    return bad;
}

/* The length that suits the tolerance where the carrier is. */
static int pace_find(lg_workspace *w, double h)
{
    lg_pace *p = &w->collocation->pace;
    const double share = pace_share(p), lens = pace_lens(w), visible = fmax(share, PACE_VISIBLE);
    double longest = PACE_ROWS * fabs(h);
    const double before = p->length;
    p->quiet = 0, p->calm = 0, p->legs = 0;
    if (p->length == 0 && pace_guess(w, h)) return 1;
    for (int k = 0; k < PACE_TRIALS; k++) {
        double error;
        if (pace_measure(w, copysign(lens * p->length, h), &error)) {
            if (w->failure.status == LG_ERROR_CALLBACK) return 1;
            longest = 0.9 * p->length;
            p->length *= 0.5;
            continue;
        }
        double factor = fmin(pace_stretch(w, visible / fmax(error, 1e-25)), 4);
        factor = fmin(factor, PACE_CONTRACTION / p->contraction);
        if (p->dear) factor = fmin(factor, PACE_SHORTER);
        if (factor < 1) factor *= 0.95;
        factor = fmin(factor, longest / p->length);
        factor = pace_rounded(p->length * factor) / p->length;
        p->length *= factor;
        p->measured = error * pace_error_power(w, factor / lens);
        p->roughness = p->rough * pace_rough_power(w, factor / lens);
        if (factor >= 0.85 && factor <= 1.2) break;
    }
    const int same = p->length > 0.85 * before && p->length < 1.2 * before; /* then the next look may wait */
    p->patience = !same ? PACE_PATIENCE : p->patience < PACE_MOST_PATIENT ? 2 * p->patience : p->patience;
    return 0;
}

/* ---- the carrier ---- */

/* It begins where the rows are. */
static int pace_board(lg_workspace *w, double h)
{
    lg_collocation *o = w->collocation;
    pace_copy_node(w->carrier[LG_CARRIER], w, w->now, w);
    o->span = 0, o->pace.legs = 0, o->pace.late = 0;
    o->pace.momentum = fmax(o->pace.momentum, lg_norm_max(w->now->p_tilde, w->plan->n));
    if (o->pace.length == 0 && pace_find(w, h)) return 1;
    o->pace.valid = 1;
    return 0;
}

/* Steps to the row that is `rest` ahead, or one over several rows of h. */
static void pace_fit(lg_workspace *w, double rest, double h)
{
    lg_pace *p = &w->collocation->pace;
    const double most = p->length * (1 + PACE_SAME);
    const int alone = w->plan->S->callbacks.control_count > 0; /* controls may change at a row */
    if (fabs(rest) > most) {
        const double count = fmin(ceil(fabs(rest) / most), 1e9);
        p->legs = (int)count;
        p->leg = rest / count;
        return;
    }
    p->legs = 1;
    p->leg = rest + (alone ? 0 : floor((most - fabs(rest)) / fabs(h)) * h);
}

/* The error of the step that was tried, from that of the step that was measured: for one motion it goes with the square
 * of the roughness. */
static double pace_estimate(const lg_workspace *w)
{
    const lg_pace *p = &w->collocation->pace;
    const double ratio = p->roughness > 0 ? p->rough / p->roughness : 1;
    return p->measured * ratio * ratio;
}

/* May the step that was tried stand, and the next ones be as long? Else they become shorter or longer, by the estimate
 * or, if that is old, by a measurement. */
static int pace_suits(lg_workspace *w, int *measure)
{
    lg_pace *p = &w->collocation->pace;
    const double share = pace_share(p), fitted = fabs(p->leg) / p->length;
    p->error = pace_estimate(w) + w->collocation->defect * w->collocation->contraction;
    const double whole = p->error / pace_error_power(w, fitted); /* of a step of the whole length */
    p->calm = whole < PACE_WASTED * share ? p->calm + 1 : 0;
    const int refused = p->error > PACE_REFUSED * share;
    p->cap *= PACE_FORGET;
    *measure = p->quiet >= (refused || p->calm >= PACE_CALM ? PACE_RECENT : p->patience);
    if (*measure) return 0;
    if (refused) {
        p->length = pace_rounded(fmax(0.95 * pace_stretch(w, PACE_AIM * share / p->error), 0.2) * fabs(p->leg));
        return 0;
    }
    if (w->sweeps > PACE_DEAR) {
        p->cap = fabs(p->leg);
        p->length = pace_rounded(PACE_SHORTER * fmax(fabs(p->leg), 0.5 * p->length));
        p->calm = 0;
    } else if (p->calm >= PACE_CALM && w->sweeps < PACE_CHEAP) {
        const double longer = fmin(pace_stretch(w, PACE_AIM * share / whole), 1.5) * p->length;
        if (p->cap == 0 || longer < PACE_SHORTER * p->cap) p->length = pace_rounded(longer);
        p->calm = 0;
    }
    return 1;
}

/* The step that was tried is the carrier's. */
static void pace_accept(lg_workspace *w, double t)
{
    lg_collocation *o = w->collocation;
    lg_node *before = w->carrier[LG_CARRIER_BEFORE];
    double *memory = o->memory;
    const double sum = (w->carrier[LG_CARRIER]->t + (o->pace.leg + o->pace.late));
    o->pace.late = (o->pace.leg + o->pace.late) - (sum - w->carrier[LG_CARRIER]->t);
    w->carrier[LG_CARRIER_BEFORE] = w->carrier[LG_CARRIER], w->carrier[LG_CARRIER] = w->carrier[LG_CARRIER_NEXT];
    w->carrier[LG_CARRIER_NEXT] = before;
    w->carrier[LG_CARRIER]->t = t;
    o->memory = o->rates, o->rates = memory;
    o->span = o->pace.taken = o->pace.leg, o->at = 1;
    o->pace.momentum = fmax(o->pace.momentum, lg_norm_max(w->carrier[LG_CARRIER]->p_tilde, w->plan->n));
    o->pace.legs--, o->pace.quiet++;
}

/* The carrier's next step, towards a row `rest` ahead. */
static int pace_carry(lg_workspace *w, double rest, double h)
{
    lg_collocation *o = w->collocation;
    lg_pace *p = &o->pace;
    const lg_node *a = w->carrier[LG_CARRIER];
    lg_node *b = w->carrier[LG_CARRIER_NEXT];
    for (int k = 0, measure = 0, measured = 0; k < PACE_TRIALS; k++) {
        if (p->legs <= 0) pace_fit(w, rest, h);
        const double t = a->t + (p->leg + p->late);
        if (pace_move(w, a, b, p->leg, t, o->memory, o->span, o->at)) {
            if (w->failure.status == LG_ERROR_CALLBACK) return 1;
            p->length = 0.5 * fabs(p->leg), p->legs = 0;
            continue;
        }
        p->rough = pace_roughness(w, p->leg, b);
        if (pace_suits(w, &measure) || measured) {
            pace_accept(w, t);
            return 0;
        }
        p->legs = 0;
        if (measure && pace_find(w, h)) return 1;
        measured = measure;
    }
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, PACE_TRIALS, o->defect);
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

/* Node `b` from the carrier, which is there. */
static int pace_alight(lg_workspace *w, lg_node *b, double t)
{
    pace_copy_node(b, w, w->carrier[LG_CARRIER], w);
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
    const double slack = PACE_SAME * fabs(h);
    p->sweeps = 0;
    pace_look_at_controls(w);
    if (!p->valid && pace_board(w, h)) return 1;
    for (;;) {
        const double rest = t1 - w->carrier[LG_CARRIER]->t;
        if (fabs(rest) <= slack) return pace_alight(w, b, t1);
        if (rest * h > 0) {
            if (pace_carry(w, rest, h)) return 1;
        } else if (pace_covers(w, t1))
            return pace_restart(w, w->carrier[LG_CARRIER_BEFORE], t1, b);
        else if (pace_board(w, h)) /* it is ahead of a row that somebody went back from */
            return 1;
    }
}

int lg_pace_step(lg_workspace *w, double h, double t1)
{
    lg_node *a = w->now, *b = w->next;
    w->length = 0;
    if (pace_row(w, h, t1, b)) {
        w->destination = b;
        return 1;
    }
    b->iterations = w->collocation->pace.sweeps;
    w->now = b, w->next = a;
    w->length = h;
    return 0;
}

int lg_pace_inside(lg_workspace *w, double t, lg_node *to)
{
    const lg_node *a = w->next;
    lg_node *other = w->carrier[LG_CARRIER_WHOLE];
    const double length = w->collocation->pace.length;
    if (pace_covers(w, t)) return pace_restart(w, w->carrier[LG_CARRIER_BEFORE], t, to);
    const double count = fmax(ceil(fabs(t - a->t) / length), 1), step = (t - a->t) / count;
    for (double k = 1; k <= count; k++) { /* the last one ends at `to` */
        lg_node *b = fmod(count - k, 2) == 0 ? to : other;
        if (pace_move(w, a, b, step, a->t + step, NULL, 0, 0)) return 1;
        a = b;
    }
    to->t = t;
    return 0;
}
