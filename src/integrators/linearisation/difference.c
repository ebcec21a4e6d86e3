/* SPDX-License-Identifier: BSD-3-Clause */
/* Central differences of order eight, f' = sum_k c_k (f(ke) - f(-ke))/e + e^8 f^(9)/630,   c = 4/5, -1/5, 4/105,
 * -1/280, with a round-off of 2 eps/e for f of size 1. How far off they are is estimated in two ways, and the larger
 * counts:
 * - The first three pairs give order six, off by e^6 f^(7)/140. Where f bends on a length L the two differ by T =
 * (e/L)^6 f'/140, and order eight is off by (e/L)^8 f'/630, about T (T/f')^(1/3); 16 times that where L is a distance
 * to poles, which make f^(k) grow like k!.
 * - A quarter of the step divides the error by 4^8, so that the change is the coarser one's; 256 is taken of that.
 * So the step is quartered once at least, and then until what is left is round-off; every entry takes the step at which
 * both together are least. */
#include <float.h>
#include <math.h>

#include <liegrp/base/elementary.h>

#include "base/dense.h"
#include "base/differences.h"
#include "integrators/linearisation/linearisation.h"

enum { LEVELS = 7 };

static const double coarsest = 1.0 / 64, finer = 0.25;

/* Orders eight and six with step e, into lin->eighth and lin->sixth. */
static int difference_stencil(lg_linearisation *lin, const lg_differenced *f, int column, double e)
{
    static const double order8[4] = {LG_CENTRAL_8}, order6[3] = {LG_CENTRAL_6};
    const int count = f->end[f->groups - 1];
    for (int i = 0; i < count; i++) lin->eighth[i] = lin->sixth[i] = lin->big[i] = 0;
    for (int k = 1; k <= 4; k++) {
        if (f->sample(lin, column, k * e, lin->plus) || f->sample(lin, column, -k * e, lin->minus)) return 1;
        for (int i = 0; i < count; i++) {
            const double d = (lin->plus[i] - lin->minus[i]) / e;
            lin->eighth[i] += order8[k - 1] * d;
            if (k < 4) lin->sixth[i] += order6[k - 1] * d;
            lin->big[i] = fmax(lin->big[i], fmax(fabs(lin->plus[i]), fabs(lin->minus[i])));
        }
    }
    return 0;
}

/* The best of what is known so far of rows whose terms are of one size; 1 if round-off dominates in all of them. */
static int difference_keep_best(lg_linearisation *lin, int first, double e, int from, int to, double size)
{
    int done = !first;
    for (int i = from; i < to; i++) size = fmax(size, lin->big[i]);
    const double noise = 4 * DBL_EPSILON * size / e;
    for (int i = from; i < to; i++) {
        const double d = lin->eighth[i], T = fabs(d - lin->sixth[i]), f = fabs(d);
        double off = !first && T < f ? fmin(T, 16 * T * lg_real_exp(lg_real_log(T / f) / 3)) : T;
        if (!first) off = fmax(off, fabs(d - lin->last[i]) / 256);
        if (first || off + noise < lin->error_of_best[i]) {
            lin->best[i] = d;
            lin->error_of_best[i] = (first ? T : off) + noise;
        }
        lin->last[i] = d;
        done &= off <= 4 * noise;
    }
    return done;
}

/* Keeps the largest error so far, relative to the largest derivative of its column or value of the function. */
static void difference_note(lg_linearisation *lin, int count, double scale)
{
    const double size = fmax(lg_norm_max(lin->best, count), lg_norm_max(lin->big, count) / scale);
    const double error = lg_norm_max(lin->error_of_best, count);
    if (size > 0) lin->inexact = fmax(lin->inexact, error / size);
}

int lg_differentiate(lg_linearisation *lin, const lg_differenced *f, int column, double scale)
{
    double e = coarsest * scale;
    int known = 0;
    for (int level = 0; level < LEVELS; level++, e *= finer) {
        int done = 1;
        if (difference_stencil(lin, f, column, e)) continue; /* outside of some domain: nearer, then */
        for (int k = 0; k < f->groups; k++)
            done &= difference_keep_best(lin, !known, e, k ? f->end[k - 1] : 0, f->end[k], f->size[k]);
        known = 1;
        if (done) break;
    }
    if (known) difference_note(lin, f->end[f->groups - 1], scale);
    return !known;
}
