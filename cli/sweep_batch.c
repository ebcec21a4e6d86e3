/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank's points of a sweep: an ensemble, observed while it runs, and the rows it produces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lib/progress.h"
#include "cli/sweep.h"
#include "groups/blocks.h"

/* ---- columns ---- */

enum { NAME = 176 };

/* First column of the configuration in a row, and the number of its columns. */
enum { FIRST = 2 };

static int written_columns(const lg_model *M)
{
    int count = 0;
    for (int i = 0; i < lg_model_column_count(M); i++) count += lg_model_column(M, i)->kind == LG_COLUMN_CONFIGURATION;
    return count;
}

static int find_column(const lg_model *M, const char *name)
{
    const int i = lg_model_column_find(M, name);
    return i >= 0 && lg_model_column(M, i)->kind == LG_COLUMN_CONFIGURATION ? i - FIRST : -1;
}

static const char *kind_of(const cli_range *r)
{
    return r->control > 0 ? "control" : r->initial ? "init" : "param";
}

int cli_sweep_columns(cli_sweep *s)
{
    int at = 0;
    s->watch = s->group != NULL && lg_columns_are_unwrapped(s->group) ? s->e.monitor : 0;
    s->unwrapped = s->watch > 0 ? written_columns(s->S.M) : 0;
    s->run_columns = lg_model_column_count(s->S.M);
    s->columns = 2 + s->grid.swept + s->run_columns + 2;
    s->names = calloc((size_t)s->columns, sizeof *s->names + NAME + 1);
    s->column_of = calloc((size_t)s->grid.ranges + 1, sizeof *s->column_of);
    if (s->names == NULL || s->column_of == NULL) return 1;
    for (int i = 0; i < s->columns; i++) s->names[i] = (char *)(s->names + s->columns) + (size_t)i * NAME;
    s->integers = (char *)(s->names + s->columns) + (size_t)s->columns * NAME;
    s->integers[at] = 1;
    snprintf(s->names[at++], NAME, "instance");
    for (int i = 0; i < s->grid.ranges; i++) {
        const cli_range *r = &s->grid.range[i];
        s->column_of[i] = r->initial && s->S.R == NULL ? find_column(s->S.M, r->name) : -1;
        if (r->swept) snprintf(s->names[at++], NAME, "%s_%s", kind_of(r), r->name);
    }
    s->at_status = at;
    s->integers[at] = 1;
    snprintf(s->names[at++], NAME, "status");
    s->at_row = at;
    s->integers[at] = 1; /* the step */
    for (int i = 0; i < s->run_columns; i++) snprintf(s->names[at++], NAME, "%s", lg_model_column(s->S.M, i)->name);
    snprintf(s->names[at++], NAME, "energy_drift");
    snprintf(s->names[at++], NAME, "constraint_largest");
    return 0;
}

void cli_sweep_free(cli_sweep *s)
{
    cli_grid_free(&s->grid);
    cli_controls_free(&s->controls);
    free(s->names);
    free(s->column_of);
    cli_close_system(&s->S);
}

int64_t cli_sweep_each(const cli_sweep *s)
{
    return s->every > 0 ? s->steps / s->every + 2 : 1; /* plus one for a failure between rows */
}

/* ---- points ---- */

/* About 16 blocks per rank, so that every rank gets a share of an expensive region; enough points to fill the lanes; no
 * more than a piece of text holds, since a rank formats one in advance. All ranks use the same number. */
cli_deal cli_deal_out(int64_t first, int64_t count, int rank, int ranks)
{
    const int64_t each = count / ranks / 16, longest = each < 8 ? 8 : each > 1024 ? 1024 : each;
    const int64_t blocks = (count + longest * ranks - 1) / (longest * ranks) * ranks;
    const cli_deal d = {first, count, blocks > 0 ? (count + blocks - 1) / blocks : 1, rank, ranks};
    return d;
}

int64_t cli_deal_count(const cli_deal *d)
{
    const int64_t full = d->count / d->block, rest = d->count % d->block;
    return (full / d->ranks + (d->rank < full % d->ranks)) * d->block + (d->rank == full % d->ranks ? rest : 0);
}

int64_t cli_deal_point(const cli_deal *d, int64_t i)
{
    return d->first + (i / d->block * d->ranks + d->rank) * d->block + i % d->block;
}

/* ---- room ---- */

void cli_batch_begin(cli_batch *b, const cli_sweep *s)
{
    memset(b, 0, sizeof *b);
    b->sweep = s;
    b->each = cli_sweep_each(s);
}

static void release(cli_batch *b)
{
    lg_ensemble_destroy(b->E);
    free(b->rows);
    free(b->filled);
    free(b->seen);
    b->E = NULL;
    b->rows = NULL;
    b->filled = NULL;
    b->seen = NULL;
    b->made = 0;
}

void cli_batch_end(cli_batch *b)
{
    release(b);
    free(b->text);
    b->text = NULL;
}

/* At least one row; the length of a piece of text that goes to rank 0. */
static lg_status make_text(cli_batch *b)
{
    const size_t row = (size_t)b->sweep->columns * LG_WRITER_ROOM, piece = (size_t)1 << 20;
    if (b->text != NULL) return LG_OK;
    b->text_size = row > piece ? row : piece;
    b->text = malloc(b->text_size);
    return b->text != NULL ? LG_OK : LG_ERROR_MEMORY;
}

static lg_status make_ensemble(cli_batch *b, int64_t count, const char **message)
{
    lg_model *M = NULL;
    lg_status status =
        lg_model_create(&M, lg_model_describe(b->sweep->S.M)); /* without the values that were tried on the other */
    if (status == LG_OK) status = lg_ensemble_create(&b->E, M, count, &b->sweep->e);
    lg_model_destroy(M);
    if (status != LG_OK) *message = b->E != NULL ? lg_ensemble_message(b->E) : "out of memory";
    return status;
}

lg_status cli_batch_size(cli_batch *b, int64_t count, const char **message)
{
    const cli_sweep *s = b->sweep;
    const size_t written = (size_t)s->unwrapped, row = (size_t)(b->each * s->columns);
    lg_status status;
    if (b->made == count && b->text != NULL) return LG_OK;
    release(b);
    *message = "out of memory";
    if (make_text(b) != LG_OK) return LG_ERROR_MEMORY;
    if (count == 0) return LG_OK;
    status = s->S.R == NULL ? make_ensemble(b, count, message) : cli_batch_make_mechanism(b, count, message);
    if (status != LG_OK) return status;
    b->filled = calloc((size_t)count, sizeof *b->filled);
    b->rows = malloc((size_t)count * (row + written + 3) * sizeof *b->rows);
    b->seen = malloc((size_t)count * sizeof *b->seen);
    *message = "out of memory";
    if (b->filled == NULL || b->rows == NULL || b->seen == NULL) return LG_ERROR_MEMORY;
    b->written = b->rows + (size_t)count * row;
    b->drift = b->written + (size_t)count * written;
    b->constraint = b->drift + count;
    b->gain = b->constraint + count;
    b->made = count;
    return LG_OK;
}

/* ---- one point ---- */

static lg_status set_point(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const cli_batch *b = context;
    if (cli_caught()) return LG_ERROR_INTERRUPTED;
    if (M == NULL) return cli_batch_start_motion(b, i, mo);
    const cli_system S = cli_system_of(M);
    return cli_grid_set(&b->sweep->grid, cli_deal_point(&b->deal, i), &S);
}

static double *row_of(const cli_batch *b, int64_t i, int64_t k)
{
    return b->rows + (size_t)(i * b->each + k) * (size_t)b->sweep->columns;
}

static double *begin_row(cli_batch *b, int64_t i, lg_status status)
{
    const cli_sweep *s = b->sweep;
    double *row = row_of(b, i, b->filled[i]++);
    row[0] = (double)(cli_deal_point(&b->deal, i));
    cli_grid_point(&s->grid, cli_deal_point(&b->deal, i), row + 1);
    row[s->at_status] = (double)status;
    row[s->columns - 2] = b->drift[i];
    row[s->columns - 1] = b->constraint[i];
    return row + s->at_row;
}

void cli_batch_add_row(cli_batch *b, int64_t i, const lg_motion *mo, lg_status status)
{
    const cli_sweep *s = b->sweep;
    double *row = begin_row(b, i, status);
    b->gain[i] = lg_motion_impact_gain(mo);
    if (lg_motion_row(mo, row) != LG_OK)
        for (int k = 0; k < s->run_columns; k++) row[k] = (double)NAN;
    else
        for (int k = 0; k < s->unwrapped; k++) row[FIRST + k] = b->written[i * s->unwrapped + k];
}

void cli_batch_add_failure(cli_batch *b, int64_t i, const lg_motion *mo, lg_status status)
{
    const cli_sweep *s = b->sweep;
    double *last = b->filled[i] > 0 ? row_of(b, i, b->filled[i] - 1) : NULL;
    if (last != NULL && last[s->at_row] == (double)lg_motion_step_index(mo))
        last[s->at_status] = (double)status; /* its row is there already */
    else
        cli_batch_add_row(b, i, mo, status);
}

/* Angles start at their initial values. */
static void begin_angles(const cli_sweep *s, int64_t point, double *written)
{
    double values[CLI_RANGES];
    const double *value = values;
    cli_grid_point(&s->grid, point, values);
    for (int k = 0; k < s->unwrapped; k++) written[k] = (double)NAN;
    for (int k = 0; k < s->grid.ranges; k++) {
        const cli_range *r = &s->grid.range[k];
        const double v = r->swept ? *value++ : r->from;
        if (s->column_of[k] >= 0) written[s->column_of[k]] = v;
    }
}

double cli_batch_larger(double a, double b)
{
    return isnan(a) || b <= a ? a : b; /* a NaN stays */
}

double cli_batch_residual(const lg_motion *mo)
{
    const double slip = lg_motion_slip(mo);
    return lg_model_mechanism(lg_motion_model(mo)) == NULL ? slip : cli_batch_larger(lg_motion_gap(mo), slip);
}

/* The monitor's figures, and the current state. */
static void keep_figures(cli_batch *b, int64_t i, const lg_motion *mo)
{
    lg_ensemble_figures m;
    if (lg_ensemble_read(b->E, &m, i) != LG_OK) return;
    b->drift[i] = cli_batch_larger(fabs(m.energy_high - m.energy_first), fabs(m.energy_first - m.energy_low));
    b->drift[i] = cli_batch_larger(b->drift[i], fabs(lg_motion_energy(mo) - m.energy_first));
    b->constraint[i] = cli_batch_larger(m.constraint, cli_batch_residual(mo));
}

/* Unwraps angles from the last observation on. */
static void unwrap(cli_batch *b, int64_t i, const lg_motion *mo)
{
    double *written = b->written + i * b->sweep->unwrapped;
    if (b->sweep->watch > 0)
        lg_model_write(b->sweep->S.M, written, lg_integrator_configuration(lg_motion_integrator(mo)), written);
}

/* At the start, where a row is due, and in between where angles are unwrapped. */
static int look(int64_t i, const lg_motion *mo, void *context)
{
    cli_batch *b = context;
    const cli_sweep *s = b->sweep;
    const int64_t step = lg_motion_step_index(mo);
    if (step == 0 && s->watch > 0) begin_angles(s, cli_deal_point(&b->deal, i), b->written + i * s->unwrapped);
    unwrap(b, i, mo);
    if (s->every > 0 ? step % s->every != 0 : step != s->steps) return 0;
    keep_figures(b, i, mo);
    cli_batch_add_row(b, i, mo, LG_OK);
    return 0;
}

/* For a point that was retired: its last good state. */
static int look_at_retired(int64_t i, const lg_motion *mo, void *context)
{
    cli_batch *b = context;
    const lg_status status = lg_ensemble_status(b->E, i);
    if (status == LG_OK) return 0;
    unwrap(b, i, mo);
    keep_figures(b, i, mo);
    cli_batch_add_failure(b, i, mo, status);
    return 0;
}

/* ---- all points ---- */

static int64_t divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* All steps, in pieces of about a tenth of a second, to allow reports in between. 1: the run is to stop. */
static int walk(cli_batch *b, int (*tell)(double, void *), void *context)
{
    const cli_sweep *s = b->sweep;
    const int64_t rows = s->every > 0 ? s->every : s->steps, period = s->watch > 0 ? divisor(rows, s->watch) : rows;
    int64_t piece = 64;
    for (int64_t done = 0; done < s->steps;) {
        const double began = cli_now();
        const int64_t mark = cli_batch_mark(s, done), left = mark - done;
        const int64_t due = period - done % period; /* steps to the next observation */
        const int64_t next = due < left || mark == s->steps ? (due < left ? due : left) : left + 1;
        int64_t n = piece < left ? piece : left;
        lg_ensemble_observer observer = look;
        if (due == period && n >= period)
            n -= n % period;
        else if (n >= next)
            n = next;
        else
            observer = NULL;
        if (lg_ensemble_run(b->E, n, n < period ? n : period, observer, b) != LG_OK) return 1;
        done += n;
        if (done == mark && done < s->steps && cli_batch_examine(b)) return 1;
        if (tell((double)done / (double)s->steps, context)) return 1;
        if (cli_now() - began < 0.05 && piece < INT64_C(1) << 40) piece *= 2;
        if (cli_now() - began > 0.2 && piece > 64) piece /= 2;
    }
    return 0;
}

void cli_batch_count(cli_batch *b, int64_t i, lg_status status, int64_t steps, const char *reason)
{
    cli_tally *t = &b->tally;
    t->instances++;
    t->steps += steps;
    t->by_status[status]++;
    cli_batch_count_resolution(b, i);
    if (b->drift[i] > t->drift) t->drift = b->drift[i], t->drift_at = cli_deal_point(&b->deal, i);
    if (b->constraint[i] > t->constraint)
        t->constraint = b->constraint[i], t->constraint_at = cli_deal_point(&b->deal, i);
    if (b->gain[i] > 0 && b->gain[i] > t->gain) t->gain = b->gain[i], t->gain_at = cli_deal_point(&b->deal, i);
    if (status == LG_OK) return;
    t->failed++;
    if (t->described == CLI_DESCRIBED) return;
    t->failure[t->described].instance = cli_deal_point(&b->deal, i);
    t->failure[t->described].status = status;
    snprintf(t->failure[t->described].message, LG_MESSAGE_SIZE, "%s", reason);
    t->described++;
}

void cli_batch_add_empty_row(cli_batch *b, int64_t i, lg_status status)
{
    double *row = begin_row(b, i, status);
    for (int k = 1; k < b->sweep->run_columns; k++) row[k] = (double)NAN;
    row[0] = 0;
}

/* The controls. 0: out of memory, or refused. */
static int set_controls(const cli_batch *b)
{
    const cli_controls *c = &b->sweep->controls;
    double *u;
    lg_status status = LG_OK;
    if (c->count == 0) return 1;
    u = calloc((size_t)c->count, sizeof *u);
    if (u == NULL) return 0;
    cli_controls_at(c, u, 0, 0);
    for (int64_t i = 0; i < b->count && status == LG_OK; i++) {
        cli_grid_controls(&b->sweep->grid, cli_deal_point(&b->deal, i), u);
        status = lg_ensemble_set_controls(b->E, i, u, 1);
    }
    free(u);
    return status == LG_OK;
}

int cli_batch_compute(cli_batch *b, const cli_deal *deal, int (*tell)(double done, void *context), void *context)
{
    b->deal = *deal;
    b->count = b->made;
    memset(&b->tally, 0, sizeof b->tally);
    b->tally.drift = b->tally.constraint = b->tally.gain = b->tally.worst = -1;
    if (b->count == 0) return tell(1, context) != 0;
    memset(b->filled, 0, (size_t)b->count * sizeof *b->filled);
    for (int64_t i = 0; i < b->count; i++) {
        b->drift[i] = b->constraint[i] = b->gain[i] = (double)NAN;
        b->seen[i] = lg_resolution_default();
    }
    if (b->E == NULL) return cli_batch_compute_apart(b, tell, context);
    if (lg_ensemble_set_all(b->E, set_point, b) != LG_OK) return 1;
    if (b->sweep->S.R == NULL && !set_controls(b)) return 1;
    if (lg_ensemble_visit(b->E, look, b) != LG_OK) return 1;
    if (cli_batch_examine(b) || tell(0, context) || walk(b, tell, context)) return 1;
    if (lg_ensemble_retired(b->E) > 0 && lg_ensemble_visit(b->E, look_at_retired, b) != LG_OK) return 1;
    for (int64_t i = 0; i < b->count; i++) {
        const lg_status status = lg_ensemble_status(b->E, i);
        if (b->filled[i] == 0) cli_batch_add_empty_row(b, i, status);
        cli_batch_count(b, i, status, lg_ensemble_steps(b->E, i), lg_ensemble_reason(b->E, i));
    }
    return 0;
}
