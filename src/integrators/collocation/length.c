/* SPDX-License-Identifier: BSD-3-Clause */
/* A length for a tolerance.
 *
 * The error of a step is measured: the step once more in two halves, which for order 2 S are so much better that the
 * difference is the error. That is done where the motion begins, until the step suits the tolerance, and now and then
 * on the way; in between the last Legendre coefficient of the rates (their roughness), which costs nothing, tells how
 * the error has changed since: for one motion it goes with the square of the roughness, and for any motion it is a part
 * of that square, by which the first guess is made. Where round-off would hide the error, a longer step is measured
 * instead. */
#include "integrators/collocation/length.h"

#include <float.h>
#include <stdio.h>

/* The part of the tolerance that one step may have. */
#define PACE_SHARE 0.01
/* Errors below this are round-off and cannot be measured. */
#define PACE_VISIBLE 5e-14
/* Below that part of the tolerance they are what the solver left of the stages. */
#define PACE_NOISE 1e-4
/* Where an error cannot be seen: it is about that part of the square of the roughness (1e-4 to 1e-1 over the catalog).
 */
#define PACE_TYPICAL 3e-3
/* A roughness below this is round-off, and so is an error that is measured there. */
#define PACE_SMOOTH 1e-12
/* A length that was too long is not come nearer to than this. */
#define PACE_UNDER 0.9
/* From an error that was measured to that of a step longer or shorter by this nothing need be measured again. */
#define PACE_NEAR 1.3
/* By how much the first step that is measured may be longer than the one that was tried. */
#define PACE_LEAP 8.0
/* Sweeps that contract no faster than this cost too much: shorter steps cost less in all. */
#define PACE_CONTRACTION 0.25
/* A length that sweeps suit for no worse than that many times this is kept. */
#define PACE_SLOWER 1.3
/* An error that goes with the square of the roughness up to that factor is still of the same motion. */
#define PACE_ALIKE 100
/* By how much they become shorter, and what a step adds to a length that was costly. */
#define PACE_SHORTER 0.8
#define PACE_FORGET  1.005
/* Steps of more sweeps than PACE_COSTLY are made shorter, of more than PACE_CHEAP not longer. Steps between two
 * measurements, and between those that a change of the motion asks for; steps that could be longer before they are. */
enum {
    PACE_COSTLY = 30,
    PACE_CHEAP = 20,
    PACE_PATIENCE = 320,
    PACE_MOST_PATIENT = 5120,
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
/* The carrier's step in rows, at most. */
#define PACE_ROWS 512
/* No count comes near it: they begin again, or a row ends first. */
#define PACE_COUNTS (1 << 30)

static double pace_share(const lg_pace *p)
{
    return PACE_SHARE * p->tolerance;
}

/* Error and roughness of a step go with these powers of its length. */
static double pace_rough_power(int stages, double ratio)
{
    double power = 1;
    for (int k = 0; k < stages; k++) power *= ratio;
    return power;
}

static double pace_error_power(int stages, double ratio)
{
    const double power = pace_rough_power(stages, ratio);
    return ratio * power * power;
}

/* By how much a step may be longer for an error that is `ratio` times as large. */
static double pace_stretch(int stages, double ratio)
{
    return pow(ratio, 1.0 / (2 * stages + 1));
}

/* A step's error is measured on one that is so much longer. */
static double pace_lens(const lg_pace *p, int stages)
{
    const double share = pace_share(p);
    return share < PACE_VISIBLE ? pace_stretch(stages, PACE_VISIBLE / share) : 1;
}

/* By how much a step may be longer than the one that was tried, by its roughness. */
static double pace_leap(const lg_pace *p, int stages)
{
    const double wanted = fmax(PACE_AIM * pace_share(p), PACE_VISIBLE);
    const double error = fmax(PACE_TYPICAL * p->rough * p->rough, 1e-60);
    const double factor = fmin(pace_stretch(stages, wanted / error), PACE_CONTRACTION / fmax(p->contraction, DBL_MIN));
    return fmin(fmax(factor, 1 / PACE_LEAP), PACE_LEAP);
}

/* The first guess: the state changes by a part of itself; shorter, until the stages come to rest; then by how rough
 * they are. */
static int pace_guess(lg_pace *p, const lg_carrier *c, double h)
{
    double length = PACE_TINY * fabs(h);
    int bad = c->try(c->moving, copysign(length, h));
    if (bad && c->hopeless(c->moving)) return 1;
    if (!bad) length = fmin(fabs(h), PACE_FIRST / fmax(c->rate(c->moving, h), DBL_MIN));
    for (int k = 0; k < PACE_TRIALS; k++, length *= 0.25) {
        bad = c->try(c->moving, copysign(length, h));
        if (bad && c->hopeless(c->moving)) break;
        if (!bad) break;
    }
    p->length = bad ? length : lg_few_digits(length * pace_leap(p, c->stages));
    return bad;
}

/* By how much the length changes, after an error that should be `wanted`. */
static double pace_factor(const lg_pace *p, int stages, double error, double wanted)
{
    double factor = fmin(pace_stretch(stages, wanted / fmax(error, 1e-25)), 4);
    factor = fmin(factor, PACE_CONTRACTION / p->contraction);
    if (p->measured_sweeps > PACE_COSTLY) factor = fmin(factor, PACE_SHORTER);
    return factor < 1 ? 0.95 * factor : factor;
}

/* A length that the carrier goes at (`known`) changes for a reason only: errors of steps of one length make up for each
 * other, and the rates of one continue into the next one best. */
static int pace_keeps(const lg_pace *p, double error, double wanted)
{
    return error >= PACE_WASTED * wanted && error <= PACE_REFUSED * wanted &&
           p->contraction <= PACE_SLOWER * PACE_CONTRACTION && p->measured_sweeps <= PACE_COSTLY;
}

/* The new length, from the error of a step `lens` times as long; returns by how much it changed. */
static double pace_adapt(lg_pace *p, int stages, double error, double lens, double longest, int known)
{
    const double wanted = fmax(pace_share(p), PACE_VISIBLE);
    double factor = known && pace_keeps(p, error, wanted) ? 1 : pace_factor(p, stages, error, PACE_AIM * wanted);
    factor = fmin(factor, longest / p->length);
    if (factor != 1) factor = lg_few_digits(p->length * factor) / p->length;
    p->length *= factor;
    p->measured = error * pace_error_power(stages, factor / lens);
    p->roughness = p->rough * pace_rough_power(stages, factor / lens);
    return factor;
}

/* Errors in squares of the roughness, as they were measured last. */
static double pace_scale(const lg_pace *p)
{
    return p->measured / fmax(p->roughness * p->roughness, DBL_MIN);
}

/* Where a motion is so smooth that the sweeps have nothing to do, as a straight one, they do not tell what they would
 * make of a disturbance: longer steps could make more of round-off than the tolerance. What they told before counts. */
static double pace_longest(lg_pace *p, double lens, double longest)
{
    if (p->rough >= PACE_SMOOTH) return longest;
    if (p->contraction > PACE_CONTRACTION) p->cap = lens * p->length * PACE_CONTRACTION / p->contraction / PACE_SHORTER;
    return p->contraction == 0 && p->cap > 0 ? fmin(longest, PACE_SHORTER * p->cap) : longest;
}

int lg_pace_find(lg_pace *p, const lg_carrier *c, double h)
{
    const double lens = pace_lens(p, c->stages), scale = pace_scale(p);
    const int known = p->length != 0;
    double longest = PACE_ROWS * fabs(h);
    p->quiet = 0, p->calm = 0, p->legs = 0;
    if (!known && pace_guess(p, c, h)) return 1;
    for (int k = 0; k < PACE_TRIALS; k++) {
        double error;
        if (c->measure(c->moving, copysign(lens * p->length, h), &error)) {
            if (c->hopeless(c->moving)) return 1;
            longest = PACE_UNDER * p->length;
            p->length *= 0.5;
            continue;
        }
        if (error < fmax(PACE_VISIBLE, PACE_NOISE * p->tolerance) || p->rough < PACE_SMOOTH)
            error = fmin(error, PACE_TYPICAL * p->rough * p->rough);
        const double tried = p->length;
        const double factor = pace_adapt(p, c->stages, error, lens, pace_longest(p, lens, longest), known);
        if (factor <= PACE_NEAR && factor >= 1 / PACE_NEAR) break;
        if (factor < 1) longest = fmin(longest, PACE_UNDER * tried); /* it was too long once */
    }
    const int same = known && pace_scale(p) < PACE_ALIKE * scale && scale < PACE_ALIKE * pace_scale(p);
    p->patience = !same ? PACE_PATIENCE : p->patience < PACE_MOST_PATIENT ? 2 * p->patience : p->patience;
    return 0;
}

/* Steps to the row that is `rest` ahead, or one over several rows of h. */
static void pace_fit(lg_pace *p, const lg_carrier *c, double rest, double h)
{
    const double most = p->length * (1 + LG_PACE_SAME);
    if (fabs(rest) > most) {
        const double count = fmin(ceil(fabs(rest) / most), LG_PACE_HOPELESS);
        p->legs = (int)count;
        p->leg = rest / count;
        return;
    }
    p->legs = 1;
    p->leg = rest + (c->alone ? 0 : floor((most - fabs(rest)) / fabs(h)) * h);
}

/* The error of the step that was tried, from that of the step that was measured. */
static double pace_estimate(const lg_pace *p)
{
    const double ratio = p->roughness > 0 ? p->rough / p->roughness : 1;
    return p->rough < PACE_SMOOTH ? 0 : p->measured * ratio * ratio;
}

/* The step that was tried took many sweeps, or those after it may be longer. */
static void pace_change(lg_pace *p, int stages, double whole)
{
    if (p->tried > PACE_COSTLY) {
        p->cap = fabs(p->leg);
        p->length = lg_few_digits(PACE_SHORTER * fmax(fabs(p->leg), 0.5 * p->length));
        p->calm = 0;
    } else if (p->calm >= PACE_CALM && p->tried < PACE_CHEAP) {
        const double stretch = whole > 0 ? pace_stretch(stages, PACE_AIM * pace_share(p) / whole) : 1.5;
        const double longer = fmin(stretch, 1.5) * p->length;
        if (p->cap == 0 || longer < PACE_SHORTER * p->cap) p->length = lg_few_digits(longer);
        p->calm = 0;
    }
}

/* The error of a step of the whole length, which is hardly below that of the fitted one; infinite where nobody asks. */
static double pace_whole(const lg_pace *p, int stages)
{
    if (p->error >= 1.01 * PACE_WASTED * pace_share(p)) return INFINITY;
    return p->error / pace_error_power(stages, fabs(p->leg) / p->length);
}

/* May the step that was tried stand, and the next ones be as long? Else they become shorter or longer, by the estimate
 * or, if that is old, by a measurement. */
static int pace_suits(lg_pace *p, int stages, int *measure)
{
    const double share = pace_share(p);
    p->error = pace_estimate(p) + p->noise;
    const double whole = pace_whole(p, stages);
    p->calm = whole < PACE_WASTED * share ? p->calm + 1 : 0;
    const int refused = p->error > PACE_REFUSED * share;
    p->cap *= PACE_FORGET;
    *measure = p->quiet >= (refused || p->calm >= PACE_CALM ? PACE_RECENT : p->patience);
    if (*measure) return 0;
    if (refused) {
        p->length = lg_few_digits(fmax(0.95 * pace_stretch(stages, PACE_AIM * share / p->error), 0.2) * fabs(p->leg));
        return 0;
    }
    pace_change(p, stages, whole);
    return 1;
}

/* Is the row too far away? Before the first step that is seen from its length, which is short for a while in a close
 * encounter; then they are counted. */
static int pace_is_far(const lg_pace *p, double rest)
{
    return p->steps > 0 ? p->steps >= LG_PACE_STEPS : !(fabs(rest) <= (double)LG_PACE_HOPELESS * p->length);
}

void lg_pace_print_far(const lg_pace *p, double h, char *text, size_t size)
{
    const double step = p->steps > 0 ? p->gone / p->steps : p->length;
    snprintf(text, size,
             "h = %g is the interval of states, and one takes about %.2g steps of %.2g for the tolerance %g; at most "
             "%.0e are made for a state, so take h of at most %.2g and leave out states",
             h, fabs(h) / step, step, p->tolerance, (double)LG_PACE_STEPS, 0.5 * LG_PACE_STEPS * step);
}

static int pace_asks(const lg_pace *p, const lg_pause *pause)
{
    return p->steps % LG_PACE_ASKS == LG_PACE_ASKS - 1 && pause->asked != NULL && pause->asked(pause->context) != 0;
}

static void pace_take(lg_pace *p, const lg_carrier *c)
{
    c->accept(c->moving);
    p->legs--, p->quiet++, p->steps++;
    p->gone += fabs(p->leg);
}

lg_pace_end lg_pace_carry(lg_pace *p, const lg_carrier *c, double rest, double h)
{
    if (pace_is_far(p, rest)) return LG_PACE_FAR;
    if (pace_asks(p, c->pause)) return LG_PACE_STOPPED;
    for (int k = 0, measure = 0, measured = 0; k < PACE_TRIALS; k++) {
        if (p->legs <= 0) pace_fit(p, c, rest, h);
        if (c->attempt(c->moving)) {
            if (c->hopeless(c->moving)) return LG_PACE_FAILED;
            p->length = 0.5 * fabs(p->leg), p->legs = 0, p->cap = fabs(p->leg);
            continue;
        }
        if (pace_suits(p, c->stages, &measure) || measured) {
            pace_take(p, c);
            return LG_PACE_WENT;
        }
        p->legs = 0;
        if (measure && lg_pace_find(p, c, h)) return LG_PACE_FAILED;
        measured = measure;
    }
    return LG_PACE_NONE;
}

/* ---- checkpoints ---- */

void lg_pace_list(lg_pace *p, lg_tape *t)
{
    static const char wrong[] = "the length of a step is impossible";
    double *const numbers[] = {&p->tolerance,   &p->length,   &p->leg,   &p->cap,   &p->measured,
                               &p->roughness,   &p->error,    &p->taken, &p->rough, &p->noise,
                               &p->contraction, &p->momentum, &p->late};
    int *const counts[] = {&p->patience, &p->quiet, &p->calm, &p->tried, &p->measured_sweeps, &p->sweeps};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lg_tape_double(t, numbers[i]);
    lg_tape_int(t, &p->legs, 0, LG_PACE_HOPELESS, wrong);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lg_tape_int(t, counts[i], 0, PACE_COUNTS, wrong);
    lg_tape_int(t, &p->valid, 0, 1, wrong);
    if (!t->reads || t->wrong != NULL) return;
    if (!(p->tolerance == 0 || (p->tolerance >= LG_TOLERANCE_LEAST && p->tolerance <= LG_TOLERANCE_MOST)) ||
        !isfinite(p->length) || p->length < 0 || !isfinite(p->leg) || (p->valid && p->length == 0))
        t->wrong = wrong;
}
