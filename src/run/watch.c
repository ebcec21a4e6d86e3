/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a run. */
#include "run/watch.h"

#include <math.h>
#include <string.h>

double lg_watch_larger(double a, double b)
{
    return isnan(a) || islessequal(b, a) ? a : b;
}

static double watch_smaller(double a, double b)
{
    return isnan(a) || isgreaterequal(b, a) ? a : b;
}

/* ---- extremes ---- */

void lg_extremes_begin(lg_ensemble_figures *x, double energy, double constraint)
{
    x->energy_first = x->energy_low = x->energy_high = energy;
    x->constraint = constraint;
}

void lg_extremes_add(lg_ensemble_figures *x, double energy, double constraint)
{
    x->energy_low = watch_smaller(x->energy_low, energy);
    x->energy_high = lg_watch_larger(x->energy_high, energy);
    x->constraint = lg_watch_larger(x->constraint, constraint);
}

/* ---- peaks ---- */

void lg_peaks_begin(lg_peaks *s)
{
    s->complete = 0;
    s->width = 1;
    s->filled = 0;
}

static void peaks_merge(lg_peaks *s)
{
    for (int i = 0; i < LG_PEAK_BLOCKS / 2; i++) {
        const lg_peak *pair = &s->block[2 * i];
        s->block[i] = (lg_peak){pair[0].begin, pair[1].end, lg_watch_larger(pair[0].largest, pair[1].largest)};
    }
    s->complete = LG_PEAK_BLOCKS / 2;
    s->width *= 2;
}

void lg_peaks_add(lg_peaks *s, double t, double x)
{
    lg_peak *b;
    if (s->complete == LG_PEAK_BLOCKS) peaks_merge(s);
    b = &s->block[s->complete];
    if (s->filled == 0) *b = (lg_peak){t, t, x};
    b->end = t;
    b->largest = lg_watch_larger(b->largest, x);
    if (++s->filled < s->width) return;
    s->filled = 0;
    s->complete++;
}

static double peaks_largest(const lg_peaks *s, int from, int to)
{
    double largest = from < to ? s->block[from].largest : NAN;
    for (int i = from + 1; i < to; i++) largest = lg_watch_larger(largest, s->block[i].largest);
    return largest;
}

double lg_peaks_first(const lg_peaks *s)
{
    const int all = s->complete + (s->filled > 0);
    return peaks_largest(s, 0, (all + 9) / 10);
}

double lg_peaks_last(const lg_peaks *s)
{
    const int all = s->complete + (s->filled > 0);
    return peaks_largest(s, all - (all + 9) / 10, all);
}

double lg_peaks_growth(const lg_peaks *s, double *half)
{
    lg_trend trend;
    double slope;
    lg_trend_begin(&trend);
    for (int i = 0; i < s->complete; i++) {
        const lg_peak *b = &s->block[i];
        if (b->largest > 0) lg_trend_add(&trend, 0.5 * (b->begin + b->end), log(b->largest));
    }
    slope = lg_trend_slope(&trend, half);
    return isnan(*half) ? NAN : slope;
}

/* ---- the watch ---- */

lg_observation lg_observe(const lg_integrator *it)
{
    const lg_observation s = {lg_integrator_time(it),
                              lg_integrator_energy(it),
                              lg_integrator_energy_post(it),
                              lg_integrator_constraint_residual(it),
                              lg_integrator_holonomic_residual(it),
                              lg_integrator_normal_part(it)};
    return s;
}

void lg_watch_begin(lg_watch *w)
{
    memset(w, 0, sizeof *w);
    w->time_first = w->time_last = w->post_first = w->post = w->holonomic = w->balance = w->normal = NAN;
    lg_extremes_begin(&w->extremes, NAN, NAN);
    lg_trend_begin(&w->energy);
    lg_peaks_begin(&w->peaks);
}

static void watch_first(lg_watch *w, const lg_observation *s)
{
    w->time_first = s->t;
    lg_extremes_begin(&w->extremes, s->energy, s->constraint);
    w->post_first = s->energy_post;
    w->post = fabs(s->energy_post - w->post_first);
    w->holonomic = s->holonomic;
    w->balance = 0;
    w->normal = s->normal;
    w->has_normal = !isnan(s->normal);
}

void lg_watch_add(lg_watch *w, const lg_observation *s, double work)
{
    if (w->count++ == 0) watch_first(w, s);
    w->time_last = s->t;
    w->work += work;
    lg_extremes_add(&w->extremes, s->energy, s->constraint);
    lg_trend_add(&w->energy, s->t, s->energy);
    w->post = lg_watch_larger(w->post, fabs(s->energy_post - w->post_first));
    w->holonomic = lg_watch_larger(w->holonomic, s->holonomic);
    w->balance = lg_watch_larger(w->balance, fabs(s->energy - w->extremes.energy_first - w->work));
    w->normal = lg_watch_larger(w->normal, s->normal);
    if (w->has_normal) lg_peaks_add(&w->peaks, s->t, s->normal);
}

/* ---- checkpoints ---- */

static const char watch_wrong[] = "one of its figures is impossible";

void lg_trend_list(lg_tape *t, lg_trend *s)
{
    lg_tape_long(t, &s->count, 0, INT64_MAX, watch_wrong), lg_tape_long(t, &s->width, 1, INT64_MAX, watch_wrong);
    lg_tape_int(t, &s->blocks, 0, LG_TREND_BLOCKS - 1, watch_wrong);
    lg_tape_double(t, &s->first), lg_tape_double(t, &s->low), lg_tape_double(t, &s->high);
    lg_tape_doubles(t, s->t, LG_TREND_BLOCKS), lg_tape_doubles(t, s->x, LG_TREND_BLOCKS);
    lg_tape_long(t, &s->filled, 0, INT64_MAX, watch_wrong);
    lg_tape_double(t, &s->t_sum), lg_tape_double(t, &s->x_sum), lg_tape_double(t, &s->scale);
}

static void peaks_list(lg_tape *t, lg_peaks *s)
{
    for (int i = 0; i < LG_PEAK_BLOCKS; i++) {
        lg_peak *b = &s->block[i];
        lg_tape_double(t, &b->begin), lg_tape_double(t, &b->end), lg_tape_double(t, &b->largest);
    }
    lg_tape_int(t, &s->complete, 0, LG_PEAK_BLOCKS, watch_wrong);
    lg_tape_long(t, &s->width, 1, INT64_MAX, watch_wrong), lg_tape_long(t, &s->filled, 0, INT64_MAX, watch_wrong);
    if (t->reads && s->complete == LG_PEAK_BLOCKS && s->filled > 0) t->wrong = watch_wrong;
}

void lg_watch_list(lg_tape *t, lg_watch *w)
{
    lg_ensemble_figures *x = &w->extremes;
    double *const numbers[] = {&w->time_first,  &w->time_last,  &x->energy_first, &x->energy_low,
                               &x->energy_high, &x->constraint, &w->post_first,   &w->post,
                               &w->holonomic,   &w->work,       &w->balance,      &w->normal};
    lg_tape_long(t, &w->count, 0, INT64_MAX, watch_wrong);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) lg_tape_double(t, numbers[i]);
    lg_tape_int(t, &w->has_normal, 0, 1, watch_wrong);
    lg_trend_list(t, &w->energy);
    peaks_list(t, &w->peaks);
}
