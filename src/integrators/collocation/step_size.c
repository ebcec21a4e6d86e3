/* SPDX-License-Identifier: BSD-3-Clause */
/* The step size for a tolerance.
 *
 * The error of a step is measured by repeating it in two halves, whose own error is 4^S times smaller. This is done at
 * the start, until the step size suits the tolerance, and occasionally later. Between measurements the error is
 * estimated from the roughness, the last Legendre coefficient of the rates, which costs nothing: for one motion the
 * error is proportional to the square of the roughness. Over all motions the factor varies little enough for a first
 * guess. If round-off would hide the error, a longer step is measured instead. */
#include "integrators/collocation/step_size.h"

#include <float.h>
#include <stdio.h>

/* Share of the tolerance that one step may use. */
#define STEP_SIZE_SHARE 0.01
/* Errors below this are round-off and cannot be measured. */
#define STEP_SIZE_VISIBLE 5e-14
/* Errors below this part of the tolerance are residuals of the solver. */
#define STEP_SIZE_NOISE 1e-4
/* An error too small to measure is taken as this times the square of the roughness (1e-4 to 1e-1 in the catalog). */
#define STEP_SIZE_TYPICAL 3e-3
/* A roughness below this is round-off, and so is an error that is measured with it. */
#define STEP_SIZE_SMOOTH 1e-12
/* Upper bound, relative to a step that failed. */
#define STEP_SIZE_UNDER 0.9
/* A measured error may be extrapolated over this change of step. */
#define STEP_SIZE_NEAR 1.3
/* The first measured step may be longer than the one that was tried by at most this factor. */
#define STEP_SIZE_GROWTH 8.0
/* Slower contraction of the sweeps costs too much: shorter steps are cheaper in total. */
#define STEP_SIZE_CONTRACTION 0.25
/* A step size is kept while the contraction is at most this times STEP_SIZE_CONTRACTION. */
#define STEP_SIZE_SLOWER 1.3
/* The ratio of error and squared roughness changes by at most this factor within one motion. */
#define STEP_SIZE_ALIKE 100
/* The factor by which costly steps become shorter, and the growth of the cap in each step. */
#define STEP_SIZE_SHORTER 0.8
#define STEP_SIZE_FORGET  1.005
/* Steps with more sweeps than STEP_SIZE_COSTLY become shorter, with more than STEP_SIZE_CHEAP not longer. The error is
 * measured every STEP_SIZE_MEASURE_EVERY steps, less often if it is steady, and at most every STEP_SIZE_RECENT steps
 * if the motion changes. After STEP_SIZE_SMALL_ERRORS steps whose error is small the step size grows. */
enum {
    STEP_SIZE_COSTLY = 30,
    STEP_SIZE_CHEAP = 20,
    STEP_SIZE_MEASURE_EVERY = 320,
    STEP_SIZE_MEASURE_EVERY_MOST = 5120,
    STEP_SIZE_RECENT = 12,
    STEP_SIZE_SMALL_ERRORS = 4,
    STEP_SIZE_TRIALS = 40
};
/* A step whose error exceeds its share by the first factor is repeated; steps grow if it is below the second. */
#define STEP_SIZE_REFUSED 3.0
#define STEP_SIZE_WASTED  0.02
/* The first steps, relative to the output interval (to measure the rates), then to the time scale of the state. */
#define STEP_SIZE_TINY  1e-6
#define STEP_SIZE_FIRST 0.5
/* The error that a new step size aims at, in shares. */
#define STEP_SIZE_AIM 0.5
/* The largest step, in output intervals. */
#define STEP_SIZE_INTERVALS 512
/* Larger than any count, since counts are reset, or an output point comes first. */
#define STEP_SIZE_COUNTS (1 << 30)

static double step_size_share(const lg_step_size *p)
{
    return STEP_SIZE_SHARE * p->tolerance;
}

/* Roughness and error of a step are proportional to these powers of its length. */
static double step_size_rough_power(int stages, double ratio)
{
    double power = 1;
    for (int k = 0; k < stages; k++) power *= ratio;
    return power;
}

static double step_size_error_power(int stages, double ratio)
{
    const double power = step_size_rough_power(stages, ratio);
    return ratio * power * power;
}

/* The factor of the step size that makes the error `ratio` times as large. */
static double step_size_stretch(int stages, double ratio)
{
    return pow(ratio, 1.0 / (2 * stages + 1));
}

/* The error is measured on a step that is longer by this factor. */
static double step_size_magnification(const lg_step_size *p, int stages)
{
    const double share = step_size_share(p);
    return share < STEP_SIZE_VISIBLE ? step_size_stretch(stages, STEP_SIZE_VISIBLE / share) : 1;
}

/* The factor by which a step may be longer than the one that was tried, from its roughness. */
static double step_size_growth(const lg_step_size *p, int stages)
{
    const double wanted = fmax(STEP_SIZE_AIM * step_size_share(p), STEP_SIZE_VISIBLE);
    const double error = fmax(STEP_SIZE_TYPICAL * p->roughness * p->roughness, 1e-60);
    const double factor =
        fmin(step_size_stretch(stages, wanted / error), STEP_SIZE_CONTRACTION / fmax(p->contraction, DBL_MIN));
    return fmin(fmax(factor, 1 / STEP_SIZE_GROWTH), STEP_SIZE_GROWTH);
}

/* The first guess: a step in which the state changes by a part of itself, made shorter until the stages converge, then
 * adjusted by their roughness. */
static int step_size_guess(lg_step_size *p, const lg_substepper *c, double h)
{
    double length = STEP_SIZE_TINY * fabs(h);
    int bad = c->probe(c->moving, copysign(length, h));
    if (bad && c->hopeless(c->moving)) return 1;
    if (!bad) length = fmin(fabs(h), STEP_SIZE_FIRST / fmax(c->rate(c->moving, h), DBL_MIN));
    for (int k = 0; k < STEP_SIZE_TRIALS; k++, length *= 0.25) {
        bad = c->probe(c->moving, copysign(length, h));
        if (bad && c->hopeless(c->moving)) break;
        if (!bad) break;
    }
    p->current = bad ? length : lg_few_digits(length * step_size_growth(p, c->stages));
    return bad;
}

/* The factor of the step size after an error that should have been `wanted`. */
static double step_size_factor(const lg_step_size *p, int stages, double error, double wanted)
{
    double factor = fmin(step_size_stretch(stages, wanted / fmax(error, 1e-25)), 4);
    factor = fmin(factor, STEP_SIZE_CONTRACTION / p->contraction);
    if (p->measured_sweeps > STEP_SIZE_COSTLY) factor = fmin(factor, STEP_SIZE_SHORTER);
    return factor < 1 ? 0.95 * factor : factor;
}

/* The step size changes only if necessary: errors of equal steps cancel in part, and the rates of one step predict an
 * equal step best. */
static int step_size_keeps(const lg_step_size *p, double error, double wanted)
{
    return error >= STEP_SIZE_WASTED * wanted && error <= STEP_SIZE_REFUSED * wanted &&
           p->contraction <= STEP_SIZE_SLOWER * STEP_SIZE_CONTRACTION && p->measured_sweeps <= STEP_SIZE_COSTLY;
}

/* The new step size, from the error of a step `magnification` times as long; returns the factor. */
static double step_size_adapt(lg_step_size *p, int stages, double error, double magnification, double longest,
                              int known)
{
    const double wanted = fmax(step_size_share(p), STEP_SIZE_VISIBLE);
    double factor =
        known && step_size_keeps(p, error, wanted) ? 1 : step_size_factor(p, stages, error, STEP_SIZE_AIM * wanted);
    factor = fmin(factor, longest / p->current);
    if (factor != 1) factor = lg_few_digits(p->current * factor) / p->current;
    p->current *= factor;
    p->measured_error = error * step_size_error_power(stages, factor / magnification);
    p->measured_roughness = p->roughness * step_size_rough_power(stages, factor / magnification);
    return factor;
}

/* The last measured error in units of the squared roughness. */
static double step_size_scale(const lg_step_size *p)
{
    return p->measured_error / fmax(p->measured_roughness * p->measured_roughness, DBL_MIN);
}

/* On a very smooth motion, such as a straight line, sweeps change nothing, so their contraction is unknown: in longer
 * steps round-off could grow beyond the tolerance. The last known contraction is used. */
static double step_size_longest(lg_step_size *p, double magnification, double longest)
{
    if (p->roughness >= STEP_SIZE_SMOOTH) return longest;
    if (p->contraction > STEP_SIZE_CONTRACTION)
        p->cap = magnification * p->current * STEP_SIZE_CONTRACTION / p->contraction / STEP_SIZE_SHORTER;
    return p->contraction == 0 && p->cap > 0 ? fmin(longest, STEP_SIZE_SHORTER * p->cap) : longest;
}

int lg_step_size_find(lg_step_size *p, const lg_substepper *c, double h)
{
    const double magnification = step_size_magnification(p, c->stages), scale = step_size_scale(p);
    const int known = p->current != 0;
    double longest = STEP_SIZE_INTERVALS * fabs(h);
    p->since_measured = 0, p->small_errors = 0, p->substeps_left = 0;
    if (!known && step_size_guess(p, c, h)) return 1;
    for (int k = 0; k < STEP_SIZE_TRIALS; k++) {
        double error;
        if (c->measure(c->moving, copysign(magnification * p->current, h), &error)) {
            if (c->hopeless(c->moving)) return 1;
            longest = STEP_SIZE_UNDER * p->current;
            p->current *= 0.5;
            continue;
        }
        if (error < fmax(STEP_SIZE_VISIBLE, STEP_SIZE_NOISE * p->tolerance) || p->roughness < STEP_SIZE_SMOOTH)
            error = fmin(error, STEP_SIZE_TYPICAL * p->roughness * p->roughness);
        const double tried = p->current;
        const double factor =
            step_size_adapt(p, c->stages, error, magnification, step_size_longest(p, magnification, longest), known);
        if (factor <= STEP_SIZE_NEAR && factor >= 1 / STEP_SIZE_NEAR) break;
        if (factor < 1) longest = fmin(longest, STEP_SIZE_UNDER * tried); /* it was too long */
    }
    const int same =
        known && step_size_scale(p) < STEP_SIZE_ALIKE * scale && scale < STEP_SIZE_ALIKE * step_size_scale(p);
    p->measure_every = !same                                             ? STEP_SIZE_MEASURE_EVERY
                       : p->measure_every < STEP_SIZE_MEASURE_EVERY_MOST ? 2 * p->measure_every
                                                                         : p->measure_every;
    return 0;
}

/* The number of substeps to the output point `rest` ahead, or one over several output intervals h. */
static void step_size_fit(lg_step_size *p, const lg_substepper *c, double rest, double h)
{
    const double most = p->current * (1 + LG_SAME_TIME);
    if (fabs(rest) > most) {
        const double count = fmin(ceil(fabs(rest) / most), LG_SUBSTEPS_HOPELESS);
        p->substeps_left = (int)count;
        p->substep = rest / count;
        return;
    }
    p->substeps_left = 1;
    p->substep = rest + (c->alone ? 0 : floor((most - fabs(rest)) / fabs(h)) * h);
}

/* The error of the step that was tried, from that of the step that was measured. */
static double step_size_estimate(const lg_step_size *p)
{
    const double ratio = p->measured_roughness > 0 ? p->roughness / p->measured_roughness : 1;
    return p->roughness < STEP_SIZE_SMOOTH ? 0 : p->measured_error * ratio * ratio;
}

/* Shorter steps after one with many sweeps, longer steps after small errors. */
static void step_size_change(lg_step_size *p, int stages, double whole)
{
    if (p->tried_sweeps > STEP_SIZE_COSTLY) {
        p->cap = fabs(p->substep);
        p->current = lg_few_digits(STEP_SIZE_SHORTER * fmax(fabs(p->substep), 0.5 * p->current));
        p->small_errors = 0;
    } else if (p->small_errors >= STEP_SIZE_SMALL_ERRORS && p->tried_sweeps < STEP_SIZE_CHEAP) {
        const double stretch = whole > 0 ? step_size_stretch(stages, STEP_SIZE_AIM * step_size_share(p) / whole) : 1.5;
        const double longer = fmin(stretch, 1.5) * p->current;
        if (p->cap == 0 || longer < STEP_SIZE_SHORTER * p->cap) p->current = lg_few_digits(longer);
        p->small_errors = 0;
    }
}

/* The error of a step of size `current`, which is at least that of the fitted substep; INFINITY if it is not small. */
static double step_size_whole(const lg_step_size *p, int stages)
{
    if (p->error >= 1.01 * STEP_SIZE_WASTED * step_size_share(p)) return INFINITY;
    return p->error / step_size_error_power(stages, fabs(p->substep) / p->current);
}

/* 1: the step that was tried is accepted. Otherwise the step size changes, by the estimate or, if that is old
 * (*measure), by a measurement. */
static int step_size_suits(lg_step_size *p, int stages, int *measure)
{
    const double share = step_size_share(p);
    p->error = step_size_estimate(p) + p->noise;
    const double whole = step_size_whole(p, stages);
    p->small_errors = whole < STEP_SIZE_WASTED * share ? p->small_errors + 1 : 0;
    const int refused = p->error > STEP_SIZE_REFUSED * share;
    p->cap *= STEP_SIZE_FORGET;
    *measure = p->since_measured >=
               (refused || p->small_errors >= STEP_SIZE_SMALL_ERRORS ? STEP_SIZE_RECENT : p->measure_every);
    if (*measure) return 0;
    if (refused) {
        p->current = lg_few_digits(fmax(0.95 * step_size_stretch(stages, STEP_SIZE_AIM * share / p->error), 0.2) *
                                   fabs(p->substep));
        return 0;
    }
    step_size_change(p, stages, whole);
    return 1;
}

/* Is the output point too far away? Before the first substep the step size decides, with a margin because it may be
 * short only for a while, as in a close encounter; later the substeps are counted. */
static int step_size_is_far(const lg_step_size *p, double rest)
{
    return p->substeps > 0 ? p->substeps >= LG_SUBSTEPS_MOST
                           : !(fabs(rest) <= (double)LG_SUBSTEPS_HOPELESS * p->current);
}

void lg_step_size_print_far(const lg_step_size *p, double h, char *text, size_t size)
{
    const double step = p->substeps > 0 ? p->elapsed / p->substeps : p->current;
    snprintf(text, size,
             "h = %g, the interval between states, takes about %.2g steps of %.2g for the tolerance %g; the limit is "
             "%.0e: set h to at most %.2g and store only every n-th state",
             h, fabs(h) / step, step, p->tolerance, (double)LG_SUBSTEPS_MOST, 0.5 * LG_SUBSTEPS_MOST * step);
}

static int step_size_is_paused(const lg_step_size *p, const lg_pause *pause)
{
    return p->substeps % LG_PAUSE_EVERY == LG_PAUSE_EVERY - 1 && pause->asked != NULL &&
           pause->asked(pause->context) != 0;
}

static void step_size_take(lg_step_size *p, const lg_substepper *c)
{
    c->accept(c->moving);
    p->substeps_left--, p->since_measured++, p->substeps++;
    p->elapsed += fabs(p->substep);
}

lg_substep_end lg_step_size_advance(lg_step_size *p, const lg_substepper *c, double rest, double h)
{
    if (step_size_is_far(p, rest)) return LG_SUBSTEP_TOO_MANY;
    if (step_size_is_paused(p, c->pause)) return LG_SUBSTEP_STOPPED;
    for (int k = 0, measure = 0, measured = 0; k < STEP_SIZE_TRIALS; k++) {
        if (p->substeps_left <= 0) step_size_fit(p, c, rest, h);
        if (c->attempt(c->moving)) {
            if (c->hopeless(c->moving)) return LG_SUBSTEP_FAILED;
            p->current = 0.5 * fabs(p->substep), p->substeps_left = 0, p->cap = fabs(p->substep);
            continue;
        }
        if (step_size_suits(p, c->stages, &measure) || measured) {
            step_size_take(p, c);
            return LG_SUBSTEP_MADE;
        }
        p->substeps_left = 0;
        if (measure && lg_step_size_find(p, c, h)) return LG_SUBSTEP_FAILED;
        measured = measure;
    }
    return LG_SUBSTEP_TOO_LONG;
}

/* ---- checkpoints ---- */

void lg_step_size_list(lg_step_size *p, lg_tape *t)
{
    static const char wrong[] = "the length of a step is impossible";
    double *const numbers[] = {
        &p->tolerance,          &p->current,        &p->substep,  &p->cap,       &p->measured_error,
        &p->measured_roughness, &p->error,          &p->taken,    &p->roughness, &p->noise,
        &p->contraction,        &p->momentum_scale, &p->time_rest};
    int *const counts[] = {&p->measure_every, &p->since_measured,  &p->small_errors,
                           &p->tried_sweeps,  &p->measured_sweeps, &p->sweeps};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lg_tape_double(t, numbers[i]);
    lg_tape_int(t, &p->substeps_left, 0, LG_SUBSTEPS_HOPELESS, wrong);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) lg_tape_int(t, counts[i], 0, STEP_SIZE_COUNTS, wrong);
    lg_tape_int(t, &p->valid, 0, 1, wrong);
    if (!t->reads || t->wrong != NULL) return;
    if (!(p->tolerance == 0 || (p->tolerance >= LG_TOLERANCE_LEAST && p->tolerance <= LG_TOLERANCE_MOST)) ||
        !isfinite(p->current) || p->current < 0 || !isfinite(p->substep) || (p->valid && p->current == 0))
        t->wrong = wrong;
}
