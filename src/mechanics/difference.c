/* SPDX-License-Identifier: BSD-3-Clause */
/* Central differences with steps adapted to the point.
 *
 * The usual step is e = 1e-3 (1e-2 for second derivatives), divided by the speed along a velocity. Where lengths are
 * about 1, order four, (8 (f(e) - f(-e)) - (f(2e) - f(-2e))) / (12 e), then has a truncation e^4 f^(5)/30 and a
 * round-off eps f / e of 1e-13 of the field's scale both; order six, used for rates of d phi, has e^6 f^(7)/140 =
 * 7e-21 f^(7); the second derivative of phi e^6 f^(8)/560 = 2e-15 f^(8) and 6 eps f / e^2 = 1e-11 f.
 *
 * Two things are known of each result without further evaluations: its round-off, about eps (|f| + |g| |f'|) / e, since
 * g is rounded too, and the result of the next lower order at these points. Where round-off is more than LOUD of the
 * derivative's size (LOUD_2 of a second one's) the step grows, where the lower order is off by more than COARSE or
 * COARSE_6 of that it shrinks, by a factor of 8 each time, at order six (its truncation: by what order four differs);
 * the best result is kept. */
#include "mechanics/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/differences.h"
#include "retractions/retraction.h"

#define DIFFERENCE_STEP        1e-3
#define SECOND_DIFFERENCE_STEP 1e-2
#define LOUD                   4e-12
#define LOUD_2                 4e-9
#define COARSE                 3e-5
#define COARSE_6               1e-6
/* Beyond this size of coordinates the step is a power of two, so that g + e is rounded less. */
#define FAR 16
/* The loss of accuracy allowed in callbacks, in units of the rounding of their arguments and result. */
#define LOSSES 64

enum { REACH = 3, LEVELS = 18, FACTOR = 8, COLUMNS = 5 };

/* Weights of f(ke), k = 0, ..., 3; f(-ke) has equal ones, with the other sign for a first derivative. `lower` has the
 * lower order, `across` the other parity: the curvature for a first derivative, and the slope for a second one. */
typedef struct stencil {
    int reach, second;
    double fine[REACH + 1], lower[REACH + 1], across[REACH + 1];
} stencil;

static const stencil stencils[] = {
    [LG_FIRST_4] = {2, 0, {0, LG_CENTRAL_4}, {0, 0.5}, {0, -1.0 / 3, 1.0 / 3}},
    [LG_FIRST_6] = {3, 0, {0, LG_CENTRAL_6}, {0, LG_CENTRAL_4}, {0, -1.0 / 3, 1.0 / 3}},
    [LG_SECOND_6] =
        {3, 1, {-490.0 / 180, 270.0 / 180, -27.0 / 180, 2.0 / 180}, {-5.0 / 2, 4.0 / 3, -1.0 / 12}, {0, 0.5}},
};

/* The sums over one stencil, and the errors of the best one so far. */
typedef struct sums {
    double *values, *fine, *lower, *across, *big, *size; /* `count` each; size: over all directions */
    double *noise, *error;                               /* like the result */
} sums;

size_t lg_difference_size(int count, int directions)
{
    return sz(count) * (COLUMNS + 2 * sz(directions));
}

static sums difference_bind(const lg_field *f, const lg_difference *d, int directions)
{
    const size_t count = sz(d->count);
    double *v = f->differences;
    return (sums){f->values,           v,
                  v + count,           v + 2 * count,
                  v + 3 * count,       v + 4 * count,
                  v + COLUMNS * count, v + COLUMNS * count + count * sz(directions)};
}

/* f->moved = g exp(s eta) up to s^3, where a second derivative needs it: a retraction that is not symmetric deviates
 * from the curve at s^2 already, but tau(s eta/2) tau(-s eta/2)^-1 is odd in s like exp, for every tau. */
static int difference_move(lg_field *f, const lg_difference *d, int j, double s)
{
    const lg_group *G = f->S->group;
    const int bent = d->order == LG_SECOND_6 && !(f->r->flags & LG_RETRACTION_SYMMETRIC);
    memset(f->eta, 0, sz(f->n) * sizeof *f->eta);
    if (d->axes) f->eta[j] = s;
    for (int i = 0; d->eta && i < f->n; i++) f->eta[i] = bent ? 0.5 * s * d->eta[i] : s * d->eta[i];
    if (!d->axes && !d->eta) {
        memcpy(f->moved, d->g, sz(f->element_size) * sizeof *f->moved);
        return 0;
    }
    int code = lg_field_move(f, f->moved, d->g, f->eta);
    if (code || !bent) return code;
    for (int i = 0; i < f->n; i++) f->eta[i] = -f->eta[i];
    lg_status st = lg_retraction_tau_with(f->r, G, f->step, f->eta, f->work);
    if (st == LG_OK) st = G->inverse(G, f->step, f->step, f->work);
    if (st == LG_OK) st = G->compose(G, f->moved, f->moved, f->step, f->work);
    return lg_field_failed_to_move(f, st);
}

/* Adds one point; weights are divided before or after, as the results have always been rounded. */
static void difference_add(const lg_field *f, const lg_difference *d, const sums *o, const stencil *s, int k, double e)
{
    const int a = k < 0 ? -k : k;
    const double unit = s->second ? e * e : e, odd = k < 0 ? -1 : 1;
    const double fine = (s->second ? 1 : odd) * s->fine[a], lower = (s->second ? 1 : odd) * s->lower[a];
    const double across = (s->second ? odd : 1) * s->across[a];
    const int after = d->axes || !d->eta || s->second, terms = d->factors ? f->n : 1;
    for (int i = 0; i < d->count * terms; i++) {
        const double factor = d->factors ? d->factors[i % terms] : 1, v = o->values[i];
        const int at = i / terms;
        o->fine[at] += after ? fine * v / unit : fine / unit * v * factor;
        o->lower[at] += lower * v * factor / unit;
        o->across[at] += across * v * factor / (s->second ? e : e * e);
        o->big[at] = fmax(o->big[at], fabs(v * factor));
    }
}

static int difference_sum(lg_field *f, const lg_difference *d, const sums *o, const stencil *s, int j, double e)
{
    for (int i = 0; i < d->count; i++) o->fine[i] = o->lower[i] = o->across[i] = o->big[i] = 0;
    for (int k = -s->reach; k <= s->reach; k++) {
        if (k == 0 && !s->second) continue;
        int code = difference_move(f, d, j, k * e);
        if (!code) code = d->sample(f, d, d->timed ? d->t + k * e : d->t, o->values);
        if (code) return code;
        difference_add(f, d, o, s, k, e);
    }
    return 0;
}

/* The speed of g along the line. */
static double difference_speed(const lg_field *f, const lg_difference *d)
{
    return d->eta ? fmax(1, lg_norm_max(d->eta, f->n)) : 1;
}

/* The step nearest to e such that t + e is a double: at large t the rounding of t + e, divided by e, would dominate all
 * other errors. */
static double difference_representable(const lg_difference *d, double e)
{
    const double rounded = (d->t + e) - d->t;
    return d->timed && rounded > 0 ? rounded : e;
}

/* What g can hold: g + e is rounded by less than a thousandth of shorter steps; of second derivatives e^2 counts. */
static double difference_least(const lg_field *f, const lg_difference *d, double place)
{
    return (d->order == LG_SECOND_6 ? 0x1p-18 : 0x1p-40) * place / difference_speed(f, d);
}

static double difference_step(const lg_field *f, const lg_difference *d, double place)
{
    double e = (d->order == LG_SECOND_6 ? SECOND_DIFFERENCE_STEP : DIFFERENCE_STEP) / difference_speed(f, d);
    int exponent;
    if (place > FAR) {
        (void)frexp(fmax(e, difference_least(f, d, place)), &exponent);
        e = ldexp(0.5, exponent);
    }
    return difference_representable(d, e);
}

/* The round-off of value i in the last sum. */
static double difference_noise(const lg_difference *d, const sums *o, int i, double e, double place)
{
    const double unit = DBL_EPSILON / e;
    if (d->order ==
        LG_SECOND_6) /* along a constraint phi and its slope are small, not the terms that phi consists of */
        return 6 * unit / e * (o->big[i] + place * fabs(o->across[i]) + place * place * fabs(o->fine[i]));
    return unit * (o->big[i] + place * fabs(o->fine[i]));
}

/* The scale of the derivative: its size or, near its zeros, the other parity over an eighth of a unit of length; for
 * values with a natural scale also that scale. */
static double difference_scale(const lg_difference *d, const sums *o, int i, double speed, double place)
{
    const double beside = d->order == LG_SECOND_6 ? fabs(o->across[i]) * speed : fabs(o->across[i]) / speed;
    const double own = d->sized ? 4 * o->big[i] * speed / fmax(FAR, place) : 0;
    return fmax(fabs(o->fine[i]), fmax(beside / 8, own));
}

/* Differences with the usual step in all directions. */
static int difference_usual(lg_field *f, const lg_difference *d, const sums *o, int directions, double e, double place,
                            double *out)
{
    const stencil *s = &stencils[d->order];
    const double speed = difference_speed(f, d);
    for (int i = 0; i < d->count; i++) o->size[i] = 0;
    for (int j = 0; j < directions; j++) {
        const int code = difference_sum(f, d, o, s, j, e);
        if (code) return code;
        for (int i = 0; i < d->count; i++) {
            const int at = i * directions + j;
            out[at] = o->fine[i];
            o->noise[at] = difference_noise(d, o, i, e, place);
            o->error[at] = fabs(o->fine[i] - o->lower[i]);
            o->size[i] = fmax(o->size[i], difference_scale(d, o, i, speed, place));
        }
    }
    return 0;
}

static double difference_loud(const lg_difference *d)
{
    return d->order == LG_SECOND_6 ? LOUD_2 : LOUD;
}

/* 1: grow, -1: shrink. */
static int difference_step_direction(const lg_difference *d, const sums *o, int directions, int j)
{
    const double coarse = stencils[d->order].reach == 2 ? COARSE : COARSE_6;
    int grow = 0;
    for (int i = 0; i < d->count; i++) {
        const int at = i * directions + j;
        if (o->error[at] > coarse * o->size[i] && o->error[at] > LOSSES * o->noise[at]) return -1;
        if (o->noise[at] > difference_loud(d) * o->size[i]) grow = 1;
    }
    return grow;
}

/* The truncation error of a result d that differs by `off` from the next lower order: for a short stencil, e/L < 1,
 * orders 2, 4 and 6 have the errors (e/L)^2 d/6, (e/L)^4 d/30 and (e/L)^6 d/140. */
static double difference_truncation(const stencil *s, double off, double d)
{
    if (!(off < 0.01 * fabs(d))) return off;
    const double ratio = off / fabs(d);
    return 1.2 * off * (s->reach == 2 ? ratio : sqrt(ratio));
}

/* Of the last sum what is better than before; 1: another step in that direction may be better still. */
static int difference_keep(const lg_difference *d, const sums *o, const stencil *s, int directions, int j, double e,
                           double place, int way, double *out)
{
    int more = 0;
    for (int i = 0; i < d->count; i++) {
        const int at = i * directions + j;
        const double noise = difference_noise(d, o, i, e, place), off = fabs(o->fine[i] - o->lower[i]);
        if (!isfinite(off)) continue;
        if (way > 0)
            more |= off <= 4 * noise && noise > difference_loud(d) / 16 * o->size[i];
        else
            more |= off > LOSSES * noise && off > difference_loud(d) / 16 * o->size[i];
        const double error = difference_truncation(s, off, o->fine[i]) + noise;
        if (error >= 0.5 * o->error[at]) continue;
        out[at] = o->fine[i], o->noise[at] = noise, o->error[at] = error;
    }
    return more;
}

/* Tries other steps in direction j. A failing callback counts as a value that is not finite, since the usual step has
 * succeeded. */
static void difference_refine(lg_field *f, const lg_difference *d, const sums *o, int directions, int j, double e,
                              double place, double *out)
{
    const stencil *s = &stencils[d->order == LG_FIRST_4 ? LG_FIRST_6 : d->order];
    const int way = difference_step_direction(d, o, directions, j);
    const double most = fmax(1, place) / (16 * difference_speed(f, d));
    for (int i = 0; i < d->count; i++) {
        const int at = i * directions + j;
        o->error[at] = difference_truncation(&stencils[d->order], o->error[at], out[at]) + o->noise[at];
    }
    if (!way) return;
    for (int level = 0; level < LEVELS; level++) {
        e = difference_representable(d, way > 0 ? e * FACTOR : e / FACTOR);
        if (way < 0 && e < difference_least(f, d, place)) break;
        if ((way > 0 && e > most) || difference_sum(f, d, o, s, j, e)) return;
        if (!difference_keep(d, o, s, directions, j, e, place, way, out)) return;
    }
    for (int i = 0; way < 0 && i < d->count; i++) { /* too fine for the numbers at this place */
        const int at = i * directions + j;
        if (o->error[at] > COARSE * o->size[i]) o->noise[at] = o->error[at];
    }
}

int lg_difference_all(lg_field *f, const lg_difference *d, double *out)
{
    const int directions = d->axes ? f->n : 1;
    const sums o = difference_bind(f, d, directions);
    const double place = lg_norm_max(d->g, f->element_size);
    const double e = difference_step(f, d, place);
    const int code = difference_usual(f, d, &o, directions, e, place, out);
    if (code) return code;
    for (int j = 0; j < directions; j++) difference_refine(f, d, &o, directions, j, e, place, out);
    f->found = (lg_inexact){0, 0, 0};
    for (int i = 0; i < d->count * directions; i++) {
        const double size = o.size[i / directions];
        f->found.noise = fmax(f->found.noise, o.noise[i]);
        f->found.error = fmax(f->found.error, o.error[i]);
        if (size > 0) f->found.relative = fmax(f->found.relative, o.noise[i] / size);
    }
    return 0;
}
