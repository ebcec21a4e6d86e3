/* SPDX-License-Identifier: BSD-3-Clause */
/* A series in blocks: when all LG_TREND_BLOCKS are full, each two become one. Means of blocks are nearly independent
 * where the points are not, which is what a confidence interval needs. */
#include <liegrp/run/trend.h>

#include <float.h>
#include <math.h>
#include <string.h>

void lg_trend_begin(lg_trend *s)
{
    memset(s, 0, sizeof *s);
    s->width = 1;
    s->low = INFINITY;
    s->high = -INFINITY;
}

static void merge(lg_trend *s)
{
    for (int i = 0; i < LG_TREND_BLOCKS / 2; i++) {
        s->t[i] = (s->t[2 * i] + s->t[2 * i + 1]) / 2;
        s->x[i] = (s->x[2 * i] + s->x[2 * i + 1]) / 2;
    }
    s->blocks = LG_TREND_BLOCKS / 2;
    s->width *= 2;
}

void lg_trend_add(lg_trend *s, double t, double x)
{
    if (s->count++ == 0) s->first = x;
    if (isless(x, s->low) || isnan(x)) s->low = x; /* what is NaN stays so */
    if (isgreater(x, s->high) || isnan(x)) s->high = x;
    if (isgreater(fabs(x), s->scale) || isnan(x)) s->scale = fabs(x);
    s->t_sum += t;
    s->x_sum += x - s->first;
    if (++s->filled < s->width) return;
    s->t[s->blocks] = s->t_sum / (double)s->filled;
    s->x[s->blocks] = s->x_sum / (double)s->filled;
    s->t_sum = s->x_sum = 0;
    s->filled = 0;
    if (++s->blocks == LG_TREND_BLOCKS) merge(s);
}

/* The 97.5 % quantile of Student's t with `freedom` >= 6 degrees of freedom, to 1e-3: the first terms of its expansion
 * about the normal quantile (Abramowitz and Stegun 26.7.5). */
static double student(double freedom)
{
    const double z = 1.959963984540054, z2 = z * z;
    return z + z * (z2 + 1) / (4 * freedom) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * freedom * freedom) +
           z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * freedom * freedom * freedom);
}

double lg_trend_slope(const lg_trend *s, double *half)
{
    const int n = s->blocks;
    double t = 0, x = 0, tt = 0, tx = 0, square = 0, next = 0, before = 0, slope, spread, correlation;
    if (half != NULL) *half = NAN;
    if (n < 2 || isnan(s->scale)) return NAN;
    for (int i = 0; i < n; i++) t += s->t[i] / n, x += s->x[i] / n;
    for (int i = 0; i < n; i++) {
        tt += (s->t[i] - t) * (s->t[i] - t);
        tx += (s->t[i] - t) * (s->x[i] - x);
    }
    slope = tx / tt;
    if (n < 8) return slope;
    for (int i = 0; i < n; i++) {
        const double residual = s->x[i] - x - slope * (s->t[i] - t);
        square += residual * residual;
        if (i > 0) next += residual * before;
        before = residual;
    }
    correlation = square > 0 ? fmin(fmax(next / square, 0), 0.95) : 0;
    spread = sqrt(square / (n - 2) / tt * (1 + correlation) / (1 - correlation));
    if (half != NULL) *half = student(n - 2) * spread + DBL_EPSILON * s->scale / sqrt(tt);
    return slope;
}
