/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/suite/methods.h"

/* Timed runs ------------------------------------------------------------------------------------------------------ */

static double run_ours(void *context, long count)
{
    bench_trial *t = context;
    double sink = 0;
    for (long i = 0; i < count; i++) {
        if (lg_integrator_reset(t->it) != LG_OK || lg_integrator_run(t->it, t->steps, 1, NULL, NULL) != LG_OK)
            return (double)NAN;
        sink += lg_integrator_configuration(t->it)[0];
    }
    return sink;
}

static double run_peer(void *context, long count)
{
    bench_trial *t = context;
    double sink = 0, y[BENCH_STATE];
    for (long i = 0; i < count; i++) {
        if (t->peer->run(t->opened, t->motion->T, y, NULL, NULL)) return (double)NAN;
        sink += y[0];
    }
    return sink;
}

/* Observed runs ------------------------------------------------------------------------------------------- */

static void watch(void *context, double time, const double *y)
{
    bench_trial *t = context;
    const double energy = bench_motion_energy(t->motion, y), constraint = bench_motion_constraint(t->motion, y);
    (void)time;
    t->steps += t->peer != NULL;
    if (!(energy <= t->energy)) t->energy = energy;
    if (!(constraint <= t->constraint)) t->constraint = constraint;
}

static int state_of(const bench_motion *m, const lg_integrator *it, double *y)
{
    memcpy(y, lg_integrator_configuration(it), (size_t)m->element * sizeof *y);
    return lg_integrator_velocity(it, y + m->element) != LG_OK;
}

static int observe(const lg_integrator *it, void *context)
{
    bench_trial *t = context;
    double y[BENCH_STATE];
    if (state_of(t->motion, it, y)) return 1;
    watch(t, lg_integrator_time(it), y);
    return 0;
}

/* Nonzero: T is not reached. */
static int look(bench_trial *t)
{
    double y[BENCH_STATE];
    t->energy = t->constraint = 0;
    if (t->peer != NULL) {
        t->steps = 0;
        if (t->peer->run(t->opened, t->motion->T, y, watch, t)) return 1;
    } else if (lg_integrator_run(t->it, t->steps, 1, observe, t) != LG_OK || state_of(t->motion, t->it, y)) {
        return 1;
    }
    t->error = bench_motion_error(t->motion, y);
    return !isfinite(t->motion->known ? t->error : t->energy);
}

/* Ladders --------------------------------------------------------------------------------------------------------- */

static void close_trial(bench_trial *t)
{
    lg_integrator_destroy(t->it);
    if (t->opened != NULL) t->peer->close(t->opened);
    t->it = NULL, t->opened = NULL;
}

/* Evaluates a trial and keeps it if it reaches T. 1: the ladder continues. */
static int keep(bench_trials *all, const bench_trial *t, const bench_ladders *l)
{
    bench_trial *to = &all->trial[all->count];
    const double begin = 1e-9 * bench_clock();
    double quick;
    *to = *t;
    if (look(to)) {
        close_trial(to);
        return 1; /* a finer step may */
    }
    quick = 1e-9 * bench_clock();
    if (to->peer != NULL) {
        (void)run_peer(to, 1);
    } else {
        (void)run_ours(to, 1);
    }
    quick = fmin(1e-9 * bench_clock() - quick, quick - begin);
    to->timed = (bench_case){.name = to->name, .run = to->peer != NULL ? run_peer : run_ours, .context = to};
    to->timed.count = quick > 2e-4 ? 1 : 1 + (long)(2e-4 / fmax(quick, 1e-7));
    all->count++;
    return quick < (to->peer != NULL ? l->peer_seconds : l->seconds) && !(to->error <= 2 * to->motion->uncertain);
}

const char *bench_try_method(bench_trials *all, bench_motion *m, bench_way way, double coarsest, const bench_ladders *l)
{
    const char *name = way.name != NULL ? way.name : way.method;
    double h = m->step * coarsest;
    for (int k = 0, more = 1; k < l->levels && more && all->count < BENCH_TRIALS; k++, h /= 2) {
        bench_trial t = {.name = name, .retraction = way.retraction, .motion = m};
        t.steps = lround(m->T / h);
        if (t.steps < 1) continue;
        t.setting = m->T / (double)t.steps;
        t.it = bench_motion_integrator(m, way.method, lg_retraction_named(way.retraction), t.setting);
        if (t.it == NULL) return m->message;
        if (way.tolerance > 0 && lg_integrator_set_solver(t.it, way.tolerance, 100) != LG_OK)
            return lg_integrator_message(t.it);
        more = keep(all, &t, l);
    }
    return NULL;
}

void bench_try_peer(bench_trials *all, bench_motion *m, const bench_peer *peer, double loosest, const bench_ladders *l)
{
    const bench_problem p = {m->label, m->S->parameter_values, m->element, m->dim, m->y0};
    double tolerance = 1e-3;
    for (int k = 0, more = 1; k < l->tolerances && more && all->count < BENCH_TRIALS; k++, tolerance /= 10) {
        if (loosest > 0 && tolerance > 1.001 * loosest) continue;
        bench_trial t = {.name = peer->name, .retraction = "", .peer = peer, .motion = m, .setting = tolerance};
        t.opened = peer->open(&p, tolerance);
        if (t.opened == NULL) return;
        more = keep(all, &t, l);
    }
}

void bench_time_trials(bench_report *r, bench_trials *all)
{
    bench_case cases[BENCH_TRIALS];
    for (int i = 0; i < all->count; i++) cases[i] = all->trial[i].timed;
    bench_time(r, cases, all->count);
    for (int i = 0; i < all->count; i++) all->trial[i].timed = cases[i];
}

void bench_drop_trials(bench_trials *all)
{
    for (int i = 0; i < all->count; i++) close_trial(&all->trial[i]);
    all->count = 0;
}

/* Reading ladders ------------------------------------------------------------------------------------------------- */

static int same(const bench_trial *t, const char *name, const char *retraction)
{
    return strcmp(t->name, name) == 0 && strcmp(t->retraction, retraction) == 0;
}

double bench_coarsest(const bench_trials *all, const char *name, const char *retraction, double error)
{
    double largest = 0;
    for (int i = 0; i < all->count; i++) {
        const bench_trial *t = &all->trial[i];
        if (same(t, name, retraction) && t->error <= error) largest = fmax(largest, t->setting);
    }
    return largest;
}

int bench_is_first(const bench_trials *all, int i)
{
    const bench_trial *t = &all->trial[i];
    return i == 0 || !same(t - 1, t->name, t->retraction);
}

double bench_trial_value(const bench_trial *t, int what)
{
    return what == BENCH_OF_ERROR ? t->error : fmax(t->energy, t->constraint);
}

/* y at x on the line through two points, in logarithms. */
static double between(double x, double x0, double y0, double x1, double y1)
{
    const double s = log(x / x0) / log(x1 / x0);
    return exp((1 - s) * log(y0) + s * log(y1));
}

double bench_cost(const bench_trials *all, const char *name, const char *retraction, int what, double target)
{
    double least = INFINITY;
    for (int i = 0; i < all->count; i++) {
        const bench_trial *t = &all->trial[i];
        if (!same(t, name, retraction)) continue;
        if (what == BENCH_OF_ERROR && target < 2 * t->motion->uncertain) continue; /* unknown */
        const double value = bench_trial_value(t, what), ms = t->timed.median * 1e-6;
        if (value <= target) least = fmin(least, ms);
        if (bench_is_first(all, i)) continue;
        const double before = bench_trial_value(t - 1, what), cheaper = t[-1].timed.median * 1e-6;
        if (value > 0 && value < target && before > target)
            least = fmin(least, between(target, before, cheaper, value, ms));
    }
    return isfinite(least) ? least : (double)NAN;
}

double bench_reached(const bench_trials *all, const char *name, const char *retraction, int what, double cost)
{
    double least = INFINITY;
    for (int i = 0; i < all->count; i++) {
        const bench_trial *t = &all->trial[i];
        if (!same(t, name, retraction)) continue;
        const double value = bench_trial_value(t, what), ms = t->timed.median * 1e-6;
        if (ms <= cost) least = fmin(least, value);
        if (bench_is_first(all, i)) continue;
        const double before = bench_trial_value(t - 1, what), cheaper = t[-1].timed.median * 1e-6;
        if (cheaper < cost && ms > cost && before > 0 && value > 0)
            least = fmin(least, between(cost, cheaper, before, ms, value));
    }
    return isfinite(least) ? least : (double)NAN;
}
