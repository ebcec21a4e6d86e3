/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole trajectory: the loop over steps, the figures that are kept at every step, the rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <liegrp/run/run.h>

#include "base/sized.h"
#include "integrators/diagnostics/diagnostics.h"
#include "run/accuracy.h"
#include "run/begin.h"
#include "run/model_private.h"
#include "run/watch.h"
#include "run/writer.h"

typedef struct run {
    lg_model *M;
    const lg_system *S;
    const lg_run_options *o;
    lg_run_result *result;
    lg_integrator *it;
    lg_writer *writer;
    lg_error error;
    double *row;            /* the columns of lg_run_column() */
    double *columns;        /* configuration of the last step, to unwrap the next from */
    double *control;        /* the controls that are held */
    lg_sight sight;         /* of the present state */
    lg_watch watch;         /* of all states */
    lg_monitor *monitor;    /* NULL: the caller wants none */
    lg_accuracy *accuracy;  /* the same */
    double began, reported; /* clock at the start and when progress was last called */
    int64_t stride, next;   /* the clock is read every `stride` steps, next at this one */
} run;

int lg_run_column_count(const lg_model *M)
{
    return M != NULL && M->definition != NULL ? M->names_count : 0;
}

const char *lg_run_column(const lg_model *M, int i)
{
    return i >= 0 && i < lg_run_column_count(M) ? M->names[i] : NULL;
}

static double now(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Figures ------------------------------------------------------------------------------------------------------- */

/* The figures of the present state. */
static void observe(run *r, int64_t step)
{
    lg_run_result *f = r->result;
    r->sight = lg_sight_of(r->it);
    lg_watch_add(&r->watch, &r->sight, step > 0 ? lg_integrator_step_work(r->it) : 0);
    if (step > 0 && f->iterations != NULL) {
        const int iterations = lg_integrator_iterations(r->it);
        if (iterations > f->iterations_most) f->iterations_most = iterations;
        f->iterations_mean += ((double)iterations - f->iterations_mean) / (double)step;
    }
    f->steps = step;
    if (r->monitor != NULL) lg_monitor_observe_sight(r->monitor, r->it, &r->sight);
}

/* What was seen becomes the result. */
static void conclude(run *r)
{
    const lg_watch *w = &r->watch;
    lg_run_result *f = r->result;
    f->time = w->time_last;
    f->energy_first = w->extremes.energy_first;
    f->energy_low = w->extremes.energy_low;
    f->energy_high = w->extremes.energy_high;
    f->energy_slope = lg_trend_slope(&w->energy, &f->energy_slope_half);
    f->energy_post_drift = w->post / fmax(1e-300, fabs(w->post_first));
    f->work = w->work;
    f->balance = w->balance;
    f->constraint = w->extremes.constraint;
    f->holonomic = r->S->callbacks.holonomic_count > 0 ? w->holonomic : NAN;
    f->normal_first = lg_peaks_first(&w->peaks);
    f->normal_last = lg_peaks_last(&w->peaks);
    f->seconds = now() - r->began - lg_accuracy_seconds(r->accuracy);
    if (r->monitor != NULL) lg_status_ignore(lg_monitor_predict(r->monitor, r->it)); /* no reason for the run to fail */
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static void fill_row(double *at, const lg_model *M, const lg_integrator *it, const double *columns, const lg_sight *s)
{
    const lg_model_definition *d = M->definition;
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    const double t = lg_integrator_time(it);
    const lg_call call = lg_integrator_call(it, &t);
    *at++ = (double)lg_integrator_step_index(it);
    *at++ = call.t;
    memcpy(at, columns, (size_t)M->columns * sizeof *at);
    at += M->columns;
    if (lg_integrator_velocity(it, at) != LG_OK) {
        for (int i = 0; i < M->n; i++) at[i] = NAN;
    }
    at += M->n;
    memcpy(at, p, (size_t)M->n * sizeof *at);
    at += M->n;
    *at++ = s->energy;
    *at++ = s->energy_post;
    *at++ = s->constraint;
    *at++ = s->normal;
    for (int i = 0; i < d->invariant_count; i++, at++) {
        *at = NAN;
        if (d->invariants[i].value(&call, g, p, at) != 0) *at = NAN;
    }
}

lg_status lg_run_row(const lg_model *M, double *row, const lg_integrator *it, const double *columns)
{
    if (M == NULL || M->definition == NULL || lg_integrator_configuration(it) == NULL || columns == NULL ||
        row == NULL || lg_group_dim(lg_integrator_group(it)) != M->n ||
        lg_columns_of_group(lg_integrator_group(it)) != M->columns) {
        return LG_ERROR_ARGUMENT;
    }
    const lg_sight sight = lg_sight_of(it);
    fill_row(row, M, it, columns, &sight);
    return LG_OK;
}

/* The row of the present state, if it is due; *stop = 1: the caller wants no more. */
static lg_status hand_out(run *r, int64_t step, int *stop)
{
    const lg_run_options *o = r->o;
    const int due = step % o->every == 0 && (r->writer != NULL || o->row != NULL);
    if (step == 0) {
        lg_model_columns(r->M, r->columns, lg_integrator_configuration(r->it), r->M->initial);
    } else if (due || r->M->angles) {
        lg_model_columns(r->M, r->columns, lg_integrator_configuration(r->it), r->columns);
    }
    if (!due) return LG_OK;
    fill_row(r->row, r->M, r->it, r->columns, &r->sight);
    if (r->writer != NULL) {
        const lg_status status = lg_writer_row(r->writer, r->row, &r->error);
        if (status != LG_OK) return status;
    }
    if (o->row != NULL && o->row(r->row, r->M->names_count, o->row_context) != 0) *stop = 1;
    return LG_OK;
}

/* The loop ------------------------------------------------------------------------------------------------------ */

/* Calls progress about every 100 ms; how many steps that takes is learnt. Nonzero: stop. */
static int report_progress(run *r, int64_t step)
{
    double time;
    if (r->o->progress == NULL || step < r->next) return 0;
    time = now();
    if (time - r->reported < 0.05 && r->stride < 1 << 30) {
        r->stride *= 2;
    } else if (time - r->reported > 0.2 && r->stride > 1) {
        r->stride /= 2;
    }
    r->reported = time;
    r->next = step + r->stride;
    return r->o->progress(step, r->o->steps, r->o->progress_context);
}

static lg_status walk(run *r)
{
    int stop = 0;
    lg_status status = LG_OK;
    for (int64_t step = 0;; step++) {
        observe(r, step);
        if (r->o->observe != NULL && r->o->observe(r->it, r->o->observe_context) != 0) stop = 1;
        status = hand_out(r, step, &stop);
        if (status != LG_OK || step >= r->o->steps) return status;
        if (report_progress(r, step)) stop = 1;
        if (stop) {
            r->result->interrupted = 1;
            return LG_OK;
        }
        lg_accuracy_before(r->accuracy, r->it);
        status = lg_run_advance(r->it, r->o, r->control, &r->error);
        if (status != LG_OK) return status;
        lg_accuracy_after(r->accuracy, r->it, r->control);
    }
}

/* Beginning and end --------------------------------------------------------------------------------------------- */

static lg_status prepare(run *r)
{
    const lg_run_options *o = r->o;
    lg_status status = lg_run_check(o, &r->error);
    if (status == LG_OK) status = lg_run_begin(&r->it, r->M, o, lg_run_step(r->M, o), &r->error);
    if (status == LG_OK) status = lg_model_system(r->M, &r->S);
    if (status != LG_OK) return status;
    r->result->iterations = lg_integrator_iterations_name(r->it);
    r->row = calloc((size_t)(r->M->names_count + r->M->columns + r->S->callbacks.control_count), sizeof *r->row);
    if (r->row == NULL) return lg_fail(&r->error, LG_ERROR_MEMORY, "out of memory");
    r->columns = r->row + r->M->names_count;
    r->control = r->columns + r->M->columns;
    r->stride = 1;
    lg_watch_begin(&r->watch);
    if (o->monitor != NULL) {
        status = lg_monitor_create(o->monitor, r->M, r->it, o->steps, o->monitor_every);
        if (status != LG_OK) return lg_fail(&r->error, status, "out of memory");
        r->monitor = *o->monitor;
    }
    if (o->accuracy) {
        const double began = now();
        status = lg_accuracy_create(&r->accuracy, r->M, o, r->it, &r->error);
        r->began += now() - began;
        if (status != LG_OK) return status;
    }
    if (o->output == NULL && o->stream == NULL) return LG_OK;
    return lg_writer_open(&r->writer, o->output, o->stream, o->format, r->M->names, NULL, r->M->names_count, &r->error);
}

static void blank(lg_run_result *f)
{
    memset(f, 0, sizeof *f);
    f->size = sizeof *f;
    f->energy_first = f->energy_low = f->energy_high = f->energy_slope = NAN;
    f->energy_slope_half = NAN;
    f->energy_post_drift = f->balance = f->constraint = f->holonomic = f->normal_first = f->normal_last = NAN;
    f->error_rotation = f->error_position = f->error_velocity = f->error_lost = NAN;
    f->resolution = f->resolution_time = f->turn = NAN;
    f->resolved = 1;
}

static const lg_sized kind = LG_SIZED_AS(lg_run_result, message, "start from lg_run_result_default()");

void lg_run_result_init(lg_run_result *result, size_t size)
{
    lg_run_result own;
    blank(&own);
    lg_sized_give(&kind, result, size, &own);
}

static lg_status run_whole(lg_model *M, lg_run_result *result, const lg_run_options *options)
{
    lg_status status, closed;
    run *r = calloc(1, sizeof *r);
    if (options->monitor != NULL) *options->monitor = NULL;
    if (r == NULL) return LG_ERROR_MEMORY;
    r->M = M;
    r->o = options;
    r->result = result;
    r->began = r->reported = now();
    status = prepare(r);
    if (status == LG_OK) {
        status = walk(r);
        /* What was computed until then is kept, unless it is the file that failed. */
        closed = lg_writer_close(r->writer, status != LG_ERROR_IO, status == LG_OK ? &r->error : NULL);
        if (status == LG_OK) status = closed;
        conclude(r);
        if (options->finish != NULL) (void)options->finish(r->it, options->finish_context);
        lg_accuracy_conclude(r->accuracy, result);
    }
    if (status != LG_OK) memcpy(result->message, r->error.message, sizeof result->message);
    lg_accuracy_destroy(r->accuracy);
    lg_integrator_destroy(r->it);
    free(r->row);
    free(r);
    return status;
}

lg_status lg_run(lg_model *M, lg_run_result *result, const lg_run_options *options)
{
    lg_run_options o;
    lg_run_result own;
    lg_error e = {LG_OK, ""};
    lg_status status;
    if (result == NULL) return LG_ERROR_ARGUMENT;
    status = lg_sized_check(&kind, result->size, NULL, &e);
    if (status != LG_OK) { /* there may be no room for a message in the result */
        if (M != NULL && M->definition != NULL) M->error = e;
        return status;
    }
    blank(&own);
    if (M == NULL || M->definition == NULL || options == NULL)
        status = lg_fail(&e, LG_ERROR_ARGUMENT, "lg_run: %s",
                         M == NULL || options == NULL ? "a pointer is NULL" : lg_model_message(M));
    else
        status = lg_run_options_take(&o, options, &e);
    if (status == LG_OK && result->size < LG_END_OF(lg_run_result, resolved)) o.accuracy = 0; /* nowhere to put it */
    if (status == LG_OK)
        status = run_whole(M, &own, &o);
    else
        memcpy(own.message, e.message, sizeof own.message);
    lg_sized_give(&kind, result, result->size, &own);
    return status;
}
