/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs, monitors, observed orders and trends against the steps themselves. */
#include <stdio.h>

#include "claims/consistency/along_run.h"

enum { STEPS = 40, COLUMNS = 96, INVARIANTS = 8 };

/* The states of a run, from our own steps. */
typedef struct told {
    double first, low, high, constraint, work, balance, position, post, post_drift, iterations;
    int most;
    double normal[STEPS + 1], t[STEPS + 1], H[STEPS + 1], inv_low[INVARIANTS], inv_high[INVARIANTS];
    double group;
    int invariants;
} told;

/* Columns of the configuration: from the third one on. */
static int coordinates(const lg_model *M)
{
    int count = 0;
    while (2 + count < lg_model_column_count(M) && lg_model_column(M, 2 + count)->kind == LG_COLUMN_CONFIGURATION)
        count++;
    return count;
}

/* A motion of the system from its model's initial state. */
static lg_status motion_of(lg_motion **mo, const claim_system *s, const lg_motion_options *o)
{
    const lg_status status = lg_motion_create(mo, s->M, o);
    return status == LG_OK ? lg_motion_start(*mo, 0, NULL, 1) : status;
}

static double larger(double a, double b)
{
    return b > a || isnan(a) ? b : a; /* NaNs do not count */
}

static void look(told *x, const claim_system *s, const lg_integrator *it, int k)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const double H = lg_integrator_energy(it), post = lg_integrator_energy_post(it);
    const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
    static const double nothing = NAN;
    double value;
    if (k == 0) {
        x->first = x->low = x->high = H;
        x->post = post;
        x->position = x->balance = x->post_drift = nothing;
        x->constraint = 0;
    } else {
        x->work += lg_integrator_step_work(it);
    }
    x->t[k] = lg_integrator_time(it), x->H[k] = H;
    x->post_drift = larger(x->post_drift, fabs(post - x->post));
    if (k > 0) x->iterations += (double)lg_integrator_iterations(it) / STEPS;
    if (k > 0 && lg_integrator_iterations(it) > x->most) x->most = lg_integrator_iterations(it);
    x->low = fmin(x->low, H), x->high = fmax(x->high, H);
    x->constraint = fmax(x->constraint, lg_integrator_constraint_residual(it));
    x->group = fmax(x->group, lg_group_residual(s->G, lg_integrator_configuration(it)));
    x->balance = isnan(x->work) ? nothing : larger(x->balance, fabs(H - x->first - x->work));
    if (s->S->callbacks.holonomic_count > 0) x->position = larger(x->position, lg_integrator_holonomic_residual(it));
    x->normal[k] = lg_integrator_normal_part(it);
    for (int i = 0; i < x->invariants; i++) {
        if (d->invariants[i].value(&c, lg_integrator_configuration(it), lg_integrator_momentum(it), &value) != 0)
            value = NAN;
        if (k == 0) x->inv_low[i] = x->inv_high[i] = value;
        x->inv_low[i] = fmin(x->inv_low[i], value), x->inv_high[i] = fmax(x->inv_high[i], value);
    }
}

/* Rows: the last one, and how many there were. */
typedef struct rows {
    double last[COLUMNS];
    int count, columns;
} rows;

static int keep_row(const double *row, int columns, void *context)
{
    rows *k = context;
    k->count++;
    k->columns = columns;
    if (columns <= COLUMNS) memcpy(k->last, row, (size_t)columns * sizeof *row);
    return 0;
}

/* 1: both NaN or the same up to round-off of the scale. */
static int same(double a, double b, double scale)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-13 * scale;
}

static double slope_of(const told *x)
{
    lg_trend trend;
    lg_trend_begin(&trend);
    for (int k = 0; k <= STEPS; k++) lg_trend_add(&trend, x->t[k], x->H[k]);
    return lg_trend_slope(&trend, NULL);
}

static double most_of(const double *v, int from, int to)
{
    double most = NAN;
    for (int k = from; k <= to; k++) most = larger(most, v[k]);
    return most;
}

/* The number of figures that differ; the measurement shows where. */
static int compare_result(const lg_run_result *f, const told *x, double scale)
{
    const double T = x->t[STEPS] - x->t[0];
    int wrong = 0;
    wrong += f->steps != STEPS || !same(f->time, x->t[STEPS], fabs(T));
    wrong += !same(f->energy_first, x->first, scale) || !same(f->energy_low, x->low, scale);
    wrong += !same(f->energy_high, x->high, scale) || !same(f->energy_slope, slope_of(x), scale / fabs(T));
    wrong += !same(f->constraint, x->constraint, 0) || !same(f->holonomic, x->position, 0);
    wrong += !same(f->work, x->work, scale) || !same(f->balance, x->balance, scale);
    const double most = fmax(fabs(x->low), fabs(x->high));
    const double drift = x->post_drift / (fabs(x->post) > 1e-9 * most ? fabs(x->post) : fmax(most, 1e-300));
    wrong += !same(f->energy_post_drift, drift, fmax(1, drift));
    if (f->iterations != NULL) wrong += f->iterations_most != x->most || !same(f->iterations_mean, x->iterations, 100);
    wrong += !same(f->normal_first, most_of(x->normal, 0, STEPS / 10), 1);
    wrong += !same(f->normal_last, most_of(x->normal, STEPS - STEPS / 10, STEPS), 1);
    return wrong;
}

static int compare_monitor(const lg_monitor *m, const lg_monitor_figures *f, const told *x, double scale)
{
    int wrong = 0;
    wrong += f->samples != STEPS + 1 || f->every != 1 || !same(f->time_last, x->t[STEPS], 1);
    wrong += !same(f->energy.first, x->first, scale) || !same(f->energy.low, x->low, scale);
    wrong += !same(f->energy.high, x->high, scale);
    wrong += !same(f->energy.deviation, fmax(x->high - x->first, x->first - x->low), scale);
    wrong += !same(f->constraint, x->constraint, 0) || !same(f->group, x->group, 0);
    wrong += !same(f->holonomic, x->position, 0) || !same(f->work, x->work, scale);
    wrong += !same(f->balance, x->balance, scale);
    if (!isnan(f->normal_first)) wrong += !same(f->normal_first, most_of(x->normal, 0, STEPS / 10), 1);
    for (int i = 0; i < x->invariants; i++) {
        lg_monitor_quantity q;
        if (lg_monitor_invariant(m, &q, i) != LG_OK) return 99;
        if (isnan(x->inv_low[i]) || isnan(q.first)) continue;
        wrong += !same(q.low, x->inv_low[i], 1 + fabs(q.low)) || !same(q.high, x->inv_high[i], 1 + fabs(q.high));
    }
    return wrong;
}

/* The last row against the last state: step, t, configuration, xi, p, energies and residuals, invariants. */
static double compare_row(const claim_system *s, const rows *k, const lg_integrator *it)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
    const double *at = k->last, *p = lg_integrator_momentum(it);
    double columns[COLUMNS], xi[CLAIM_DIM], value, most = 0;
    const double after[4] = {lg_integrator_energy(it), lg_integrator_energy_post(it),
                             lg_integrator_constraint_residual(it), lg_integrator_normal_part(it)};
    const int n = s->n, count = coordinates(s->M);
    if (k->columns > COLUMNS || k->count != STEPS / 4 + 1 || lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    most = fmax(most, fabs(at[0] - STEPS));
    most = fmax(most, fabs(at[1] - lg_integrator_time(it)));
    at += 2;
    lg_model_write(s->M, columns, lg_integrator_configuration(it), at); /* angles on the branch of the row itself */
    most = fmax(most, claim_gap(at, columns, count));
    at += count;
    most = fmax(most, fmax(claim_gap(at, xi, n), claim_gap(at + n, p, n)));
    at += 2 * n;
    for (int i = 0; i < 4; i++)
        if (!same(at[i], after[i], 1 + fabs(after[i]))) most = INFINITY;
    at += 4;
    for (int i = 0; i < d->invariant_count; i++) {
        if (d->invariants[i].value(&c, lg_integrator_configuration(it), p, &value) != 0) value = NAN;
        if (!same(at[i], value, 1 + fabs(value))) most = INFINITY;
    }
    return most;
}

static void check_run(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                      double *truncated)
{
    lg_motion_options how = lg_motion_options_default();
    lg_run_options o = lg_run_options_default();
    lg_motion *mo = NULL;
    lg_monitor *m = NULL;
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_run_result result = lg_run_result_default();
    rows kept = {.count = 0};
    told x = {.first = 0};
    lg_integrator *it = NULL;
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], scale;
    lg_status status = lg_model_initial(s->M, g, xi, NULL);
    if (status == LG_OK) status = lg_integrator_create(&it, s->S, method, retraction, s->h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1);
    claim_case(r, s->name, method, retraction);
    if (claim_refused(r, s, method, retraction, status, lg_integrator_message(it))) goto done;
    if (!claim_ok(r, status, "start", lg_integrator_message(it))) goto done;
    x.invariants = lg_model_describe(s->M)->invariant_count;
    if (x.invariants > INVARIANTS) x.invariants = 0;
    look(&x, s, it, 0);
    for (int k = 1; k <= STEPS; k++) {
        if (!claim_steps(r, it, 1)) goto done;
        look(&x, s, it, k);
    }
    how.method = method, how.retraction = retraction, how.step = s->h;
    o.steps = STEPS, o.every = 4, o.accuracy = 0;
    o.row = keep_row, o.row_context = &kept, o.monitor = &m, o.monitor_every = 1;
    if (!claim_ok(r, motion_of(&mo, s, &how), "motion", lg_motion_message(mo))) goto done;
    if (!claim_ok(r, lg_run(mo, &result, &o), "lg_run", result.message)) goto done;
    if (!claim_ok(r, lg_monitor_read(m, &f), "lg_monitor_read", "")) goto done;
    scale = fmax(fabs(x.low), fmax(fabs(x.high), 1e-3));
    claim_below(r, compare_result(&result, &x, scale), 0, "the same states", "figures of the run that differ");
    claim_below(r, compare_monitor(m, &f, &x, scale), 0, "the same states", "figures of the monitor that differ");
    claim_below(r, compare_row(s, &kept, it), 1e-13, "the same state", "the last row against the last state");
    if (!isnan(f.momentum)) {
        if (strncmp(retraction, "exp:", 4) == 0)
            *truncated = fmax(*truncated, f.momentum);
        else
            claim_below(r, f.momentum, 5e-14, "round-off; of points inside by log and exp",
                        "residual of the momentum equation");
    }
done:
    lg_monitor_destroy(m);
    lg_motion_destroy(mo);
    lg_integrator_destroy(it);
}

/* Columns ---------------------------------------------------------------------------------------------------------- */

/* The columns of a configuration, given as initial values, give that configuration. */
static void check_columns(claim_report *r, const claim_system *s)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    double g[CLAIM_ELEMENT], back[CLAIM_ELEMENT], xi[CLAIM_DIM], v[CLAIM_DIM], columns[COLUMNS], turned[COLUMNS];
    char name[16];
    lg_model *M = NULL;
    lg_rng rng = {47};
    lg_status status = lg_model_create(&M, d);
    for (int i = 0; i < s->n; i++) xi[i] = 0.6 * lg_rng_normal(&rng);
    if (status == LG_OK) status = lg_group_exp(s->G, g, xi);
    if (status == LG_OK) status = lg_group_compose(s->G, g, s->g0, g);
    lg_model_write(M, columns, g, NULL);
    const int count = coordinates(M);
    for (int i = 0; status == LG_OK && i < count; i++)
        status = lg_model_set_initial(M, lg_model_column(M, 2 + i)->name, columns[i]);
    for (int i = 0; status == LG_OK && i < s->n; i++) {
        snprintf(name, sizeof name, "xi_%d", i + 1);
        status = lg_model_set_initial(M, name, xi[i]);
    }
    if (status == LG_OK) status = lg_model_initial(M, back, v, NULL);
    if (claim_ok(r, status, "initial values by column", lg_model_message(M))) {
        double most = 0;
        claim_below(r, fmax(claim_distance(s->G, g, back), claim_gap(xi, v, s->n)), 4e-15, "round-off",
                    "a configuration written and read again");
        for (int i = 0; i < count; i++) turned[i] = columns[i] + 40;
        lg_model_write(M, turned, g,
                       turned); /* angles are those nearest to the row before; other columns do not depend on it */
        for (int i = 0; i < count; i++) {
            const double turns = (turned[i] - columns[i]) / (8 * atan(1.0));
            most = fmax(most, fabs(turns - nearbyint(turns)));
            if (turns != 0) most = fmax(most, fabs(turns - 6) > 0.5);
        }
        claim_below(r, most, 1e-14, "round-off", "angles on the branch of the row before, 6 turns on");
    }
    lg_model_destroy(M);
}

/* A long run ------------------------------------------------------------------------------------------------------- */

enum { LONG = 1500, BLOCKS = 375 }; /* 375 of 4 and a state more: more than 400 of 2, less than 400 of 4 */

/* The normal part grows; blocks and pieces are merged during the run. */
static void check_long(claim_report *r, const char *name)
{
    double normal[LONG + 1];
    lg_motion_options how = lg_motion_options_default();
    lg_run_options o = lg_run_options_default();
    lg_motion *mo = NULL, *other = NULL;
    lg_monitor *m = NULL, *thin = NULL;
    lg_monitor_figures f = lg_monitor_figures_default(), coarse = f;
    lg_run_result result = lg_run_result_default();
    claim_system s;
    const lg_integrator *it;
    lg_trend growth;
    double rate;
    int64_t samples = 0;
    if (!claim_open(r, &s, name, NULL)) return;
    s.h /= 5;
    how.method = "gni", how.retraction = "cayley", how.step = s.h;
    claim_case(r, s.name, how.method, how.retraction);
    o.steps = LONG, o.monitor = &m, o.monitor_every = 1, o.accuracy = 0;
    if (!claim_ok(r, motion_of(&mo, &s, &how), "motion", lg_motion_message(mo)) ||
        !claim_ok(r, motion_of(&other, &s, &how), "motion", lg_motion_message(other)) ||
        !claim_ok(r, lg_monitor_create(&thin, mo, 10 * LONG, 0), "lg_monitor_create", ""))
        goto done;
    it = lg_motion_integrator(mo);
    for (int k = 0; k <= LONG; k++) {
        normal[k] = lg_integrator_normal_part(it);
        lg_monitor_observe(thin, mo);
        if (k < LONG && !claim_ok(r, lg_motion_step(mo, 1), "step", lg_motion_message(mo))) goto done;
    }
    lg_trend_begin(&growth); /* of largest values in blocks */
    for (int k = 0; k < BLOCKS; k++)
        lg_trend_add(&growth, 0.5 * (4 * k * s.h + (4 * k + 3) * s.h), log(most_of(normal, 4 * k, 4 * k + 3)));
    if (!claim_ok(r, lg_run(other, &result, &o), "lg_run", result.message)) goto done;
    if (!claim_ok(r, lg_monitor_read(m, &f), "lg_monitor_read", "")) goto done;
    if (!claim_ok(r, lg_monitor_read(thin, &coarse), "lg_monitor_read", "")) goto done;
    samples = coarse.samples;
    claim_below(r, fabs(result.normal_first - most_of(normal, 0, 4 * 38 - 1)), 1e-12, "38 blocks of 4 in 376",
                "normal part in the first tenth of %d steps", LONG);
    claim_below(r, fabs(result.normal_last - most_of(normal, 4 * 338, LONG)), 1e-12, "38 blocks of 4 in 376",
                "and in the last tenth");
    claim_below(r, fabs(f.normal_first - most_of(normal, 0, 4 * 38 - 1)), 1e-12, "38 blocks of 4 in 376",
                "the same of the monitor");
    claim_below(r, fabs(f.normal_last - most_of(normal, 4 * 338, LONG)), 1e-12, "38 blocks of 4 in 376",
                "and in the last tenth, of the monitor");
    claim_between(r, f.growth / lg_trend_slope(&growth, NULL), 1 - 1e-10, 1 + 1e-10, "the same blocks",
                  "growth of the monitor");
    claim_between(r, (double)samples, LONG / 15, LONG / 15 + 1, "every 15th state",
                  "samples of a monitor for more steps");
    if (claim_ok(r, lg_diagnostics_parasitic_growth(it, &rate, NULL), "lg_diagnostics_parasitic_growth", ""))
        claim_below(r, fabs(f.growth_predicted - rate), 1e-9, "the same state", "predicted growth of the monitor");
    if (claim_ok(r, lg_monitor_predict(m, mo), "lg_monitor_predict", "") && lg_monitor_read(m, &f) == LG_OK)
        claim_below(r, fabs(f.growth_predicted - rate), 1e-9, "the mean of two", "computed again");
done:
    lg_monitor_destroy(thin);
    lg_monitor_destroy(m);
    lg_motion_destroy(other);
    lg_motion_destroy(mo);
    claim_close(&s);
}

void claim_run_figures(claim_report *r, const claim_system *s, int index, double *truncated)
{
    const char *retraction = claim_retraction(index % 2);
    check_run(r, s, claim_run_method(index), retraction, truncated);
    check_run(r, s, claim_run_method(index + 2), claim_retraction((index + 1) % 2), truncated);
    check_columns(r, s);
    for (int i = 0; index == 0 && claim_own_systems(r) && i < 3; i++) {
        static const char *const names[] = {"chaplygin-sleigh", "snakeboard", "contact-oscillator"};
        check_long(r, names[i]);
    }
    if (s->S->callbacks.force != NULL) check_run(r, s, "sem", retraction, truncated);
    if (index % 3 == 0) check_run(r, s, "gni", "exp:order=1", truncated);
}

/* Orders ----------------------------------------------------------------------------------------------------------- */

/* sem is of order 2 in every column with a significant error; the reference is the true motion. */
void claim_run_orders(claim_report *r, const claim_system *s)
{
    enum { PARTS = 4 };
    lg_motion_options o = lg_motion_options_default();
    lg_reference *R = NULL;
    lg_convergence c;
    double order, least = INFINITY, most = 0, own = 0;
    int wrong = 0;
    o.step = s->h / 2;
    claim_case(r, s->name, "sem", "exp");
    if (!claim_ok(r, lg_reference_create(&R, s->M, &o, PARTS, 1), "lg_reference_create", lg_reference_message(R)))
        goto done;
    if (!claim_ok(r, lg_convergence_measure(s->M, &c, R, &o, PARTS, 4), "lg_convergence_measure", c.message)) goto done;
    for (int i = 0; i < c.columns; i++) {
        const lg_convergence_column *column = lg_reference_column(R, i);
        int used = 0;
        own = fmax(own, column->error / column->scale);
        for (int k = 0; k < c.levels; k++) {
            const double floor = 10 * column->error + 1e-14 * sqrt((double)c.level[k].steps) * column->scale;
            wrong += !same(c.level[k].floor[i], floor, floor);
        }
        for (int k = 0; k < c.levels; k++) used += c.level[k].used[i];
        if (used < 4 || strcmp(lg_reference_column(R, i)->name, "energy") == 0) continue;
        least = fmin(least, c.order[i]), most = fmax(most, c.order[i]);
    }
    claim_below(r, own, 2e-13, "halved until rounding is left", "error of the reference, as it estimates it");
    claim_below(r, wrong, 0, "10 times the reference's error and rounding", "floors of errors that differ");
    if (most > 0) {
        claim_order_between(r, least, 1.95, INFINITY, "O(h^2), least squares over 4 steps", "least observed order");
        claim_order_between(r, most, -INFINITY, 2.05, "O(h^2), least squares over 4 steps", "largest observed order");
    } else {
        for (int i = 0; i < 2; i++) claim_skip(r, "observed order");
    }
    order = lg_run_observed_order(s->M, &o, PARTS);
    if (!isnan(order) && !isnan(c.order[c.columns - 3]))
        claim_below(r, fabs(order - c.order[c.columns - 3]), 0.01, "steps h, h/2, h/4 against h ... h/8",
                    "observed order without a reference");
    else
        claim_skip(r, "observed order without a reference");
done:
    lg_reference_destroy(R);
}

/* Trends ----------------------------------------------------------------------------------------------------------- */

/* b t + noise in `count` points: the slope, and how often the interval holds b. */
static double covered(double b, double noise, int count, int series, double *error)
{
    lg_rng rng = {37};
    int inside = 0;
    *error = 0;
    for (int k = 0; k < series; k++) {
        lg_trend s;
        double half, slope;
        lg_trend_begin(&s);
        for (int i = 0; i < count; i++) lg_trend_add(&s, 0.1 * i, 2 + b * 0.1 * i + noise * lg_rng_normal(&rng));
        slope = lg_trend_slope(&s, &half);
        inside += fabs(slope - b) <= half;
        *error = fmax(*error, fabs(slope - b));
    }
    return (double)inside / series;
}

void claim_run_trends(claim_report *r)
{
    double error, share;
    claim_case(r, NULL, NULL, NULL);
    share = covered(0.3, 0, 1000, 1, &error);
    claim_below(r, error, 1e-14, "round-off", "slope of a straight line, 1000 points");
    claim_above(r, share, 1, "round-off is known", "and its interval");
    share = covered(0.3, 1, 16, 2000, &error);
    claim_between(r, share, 0.93, 0.98, "95 % +- 4 standard deviations; correlation is only widened for",
                  "series of 16 points with white noise whose interval holds the slope");
    share = covered(0.3, 1, 300, 1000, &error);
    claim_between(r, share, 0.93, 0.98, "95 % +- 4 standard deviations", "series of 300 points, in blocks");
    claim_control(r, error, 1e-4, "noise", "slope of a noisy line");
}
