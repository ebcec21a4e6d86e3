/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole trajectory: the loop over steps, the figures that are kept at every step, the rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <liegrp/run/run.h>
#include <liegrp/run/trend.h>

#include "base/sized.h"
#include "integrators/integrator.h"
#include "run/begin.h"
#include "run/model_private.h"
#include "run/writer.h"

/* The normal part's largest values are kept in at most this many pieces of the run; when it gets longer, each two
 * become one. So its first and last tenth are known wherever it ends. */
#define PIECES 400

typedef struct run {
    lg_model *M;
    const lg_system *S;
    const lg_run_options *o;
    lg_run_result *result;
    lg_integrator *it;
    lg_writer *writer;
    lg_error error;
    double *row;                   /* the columns of lg_run_column() */
    double *columns;               /* configuration of the last step, to unwrap the next from */
    double *control;               /* the controls that are held */
    double seen[4];                /* H(p~), H(p^-), constraint residual and normal part of the present state */
    double pieces[PIECES];         /* largest normal part in each */
    int64_t width;                 /* steps in one of them */
    double mean_t, mean_H, tt, tH; /* running means and co-moments (Welford) of t and H(p~) */
    lg_trend trend;                /* of H(p~), for the confidence in its slope */
    lg_monitor *watch;             /* NULL: the caller wants none */
    double post_first;             /* H(p^-) at the start */
    double began, asked;           /* clock at the start and when progress was last told */
    int64_t stride, next;          /* the clock is read every `stride` steps, next at this one */
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

static double larger(double a, double b)
{
    return b > a || isnan(a) ? b : a; /* what is NaN does not count */
}

/* Least squares of H(p~) against t, one point more. */
static void fit(run *r, int64_t step, double t, double H)
{
    const double count = (double)step + 1, dt = t - r->mean_t;
    r->mean_t += dt / count;
    r->tt += dt * (t - r->mean_t);
    r->mean_H += (H - r->mean_H) / count;
    r->tH += dt * (H - r->mean_H);
}

/* The largest normal part of each piece, this step's included. */
static void keep_normal(run *r, int64_t step, double normal)
{
    if (step / r->width >= PIECES) {
        for (int i = 0; i < PIECES / 2; i++) r->pieces[i] = larger(r->pieces[2 * i], r->pieces[2 * i + 1]);
        for (int i = PIECES / 2; i < PIECES; i++) r->pieces[i] = NAN;
        r->width *= 2;
    }
    r->pieces[step / r->width] = larger(r->pieces[step / r->width], normal);
}

/* What the step's iterations are: see lg_run_result. */
static const char *iterations_of(const lg_plan *plan)
{
    const lg_method *method = &plan->method;
    if (method->inner->needs & LG_IS_DIRECT) return NULL;
    return plan->fused && method->rule->middle_kick == NULL ? "Newton iterations" : "residual evaluations";
}

/* The figures that only some methods or systems have. */
static void monitor_special(run *r, int64_t step, double H, double post)
{
    lg_run_result *f = r->result;
    const int iterations = step > 0 && f->iterations != NULL ? lg_integrator_iterations(r->it) : 0;
    f->energy_post_drift = larger(f->energy_post_drift, fabs(post - r->post_first) / fmax(1e-300, fabs(r->post_first)));
    if (step > 0) f->work += lg_integrator_step_work(r->it);
    f->balance = isnan(f->work) ? NAN : larger(f->balance, fabs(H - f->energy_first - f->work));
    if (r->S->callbacks.holonomic_count > 0)
        f->holonomic = larger(f->holonomic, lg_integrator_holonomic_residual(r->it));
    if (iterations > f->iterations_most) f->iterations_most = iterations;
    if (step > 0) f->iterations_mean += ((double)iterations - f->iterations_mean) / (double)step;
}

/* The figures of the present state. */
static void monitor(run *r, int64_t step)
{
    lg_run_result *f = r->result;
    const double H = r->seen[0] = lg_integrator_energy(r->it), post = r->seen[1] = lg_integrator_energy_post(r->it);
    if (step == 0) {
        f->energy_first = f->energy_low = f->energy_high = H;
        r->post_first = post;
    }
    if (H < f->energy_low) f->energy_low = H;
    if (H > f->energy_high) f->energy_high = H;
    monitor_special(r, step, H, post);
    r->seen[2] = lg_integrator_constraint_residual(r->it);
    r->seen[3] = lg_integrator_normal_part(r->it);
    f->constraint = larger(f->constraint, r->seen[2]);
    keep_normal(r, step, r->seen[3]);
    f->steps = step;
    f->time = lg_integrator_time(r->it);
    fit(r, step, f->time, H);
    lg_trend_add(&r->trend, f->time, H);
    if (r->watch != NULL) lg_monitor_observe(r->watch, r->it);
}

static double largest(const double *values, int64_t from, int64_t to)
{
    double most = NAN;
    for (int64_t i = from; i <= to; i++) most = larger(most, values[i]);
    return most;
}

/* What is known only at the end. */
static void conclude(run *r)
{
    const int64_t last = r->result->steps / r->width;
    r->result->energy_slope = r->tt > 0 ? r->tH / r->tt : 0;
    if (isnan(r->result->energy_slope)) r->result->energy_slope = NAN; /* whatever its sign was */
    r->result->normal_first = largest(r->pieces, 0, last / 10);
    r->result->normal_last = largest(r->pieces, last - last / 10, last);
    r->result->energy_trend = lg_trend_slope(&r->trend, &r->result->energy_trend_half);
    r->result->seconds = now() - r->began;
    if (r->watch != NULL) lg_status_ignore(lg_monitor_predict(r->watch, r->it)); /* no reason for the run to fail */
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

/* `seen` is H(p~), H(p^-), the constraint residual and the normal part. */
static void fill_row(double *at, const lg_model *M, const lg_integrator *it, const double *columns, const double *seen)
{
    const lg_model_definition *d = M->definition;
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    const double t = lg_integrator_time(it);
    const lg_call call = lg_system_call(&it->S, &t, it->control);
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
    memcpy(at, seen, 4 * sizeof *seen);
    at += 4;
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
    const double seen[4] = {lg_integrator_energy(it), lg_integrator_energy_post(it),
                            lg_integrator_constraint_residual(it), lg_integrator_normal_part(it)};
    fill_row(row, M, it, columns, seen);
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
    fill_row(r->row, r->M, r->it, r->columns, r->seen);
    if (r->writer != NULL) {
        const lg_status status = lg_writer_row(r->writer, r->row, &r->error);
        if (status != LG_OK) return status;
    }
    if (o->row != NULL && o->row(r->row, r->M->names_count, o->row_context) != 0) *stop = 1;
    return LG_OK;
}

/* The loop ------------------------------------------------------------------------------------------------------ */

/* Tells progress about every 100 ms; how many steps that is, is learnt. Nonzero: stop. */
static int tell(run *r, int64_t step)
{
    double time;
    if (r->o->progress == NULL || step < r->next) return 0;
    time = now();
    if (time - r->asked < 0.05 && r->stride < 1 << 30) {
        r->stride *= 2;
    } else if (time - r->asked > 0.2 && r->stride > 1) {
        r->stride /= 2;
    }
    r->asked = time;
    r->next = step + r->stride;
    return r->o->progress(step, r->o->steps, r->o->progress_context);
}

static lg_status walk(run *r)
{
    int stop = 0;
    lg_status status = LG_OK;
    for (int64_t step = 0;; step++) {
        monitor(r, step);
        status = hand_out(r, step, &stop);
        if (status != LG_OK || step >= r->o->steps) return status;
        if (tell(r, step)) stop = 1;
        if (stop) {
            r->result->interrupted = 1;
            return LG_OK;
        }
        status = lg_run_advance(r->it, r->o, r->control, &r->error);
        if (status != LG_OK) return status;
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
    r->result->iterations = iterations_of(&r->it->plan);
    r->row = calloc((size_t)(r->M->names_count + r->M->columns + r->S->callbacks.control_count), sizeof *r->row);
    if (r->row == NULL) return lg_fail(&r->error, LG_ERROR_MEMORY, "out of memory");
    r->columns = r->row + r->M->names_count;
    r->control = r->columns + r->M->columns;
    for (int i = 0; i < PIECES; i++) r->pieces[i] = NAN;
    r->stride = r->width = 1;
    lg_trend_begin(&r->trend);
    if (o->monitor != NULL) {
        status = lg_monitor_create(o->monitor, r->M, r->it, o->steps, o->monitor_every);
        if (status != LG_OK) return lg_fail(&r->error, status, "out of memory");
        r->watch = *o->monitor;
    }
    if (o->output == NULL && o->stream == NULL) return LG_OK;
    return lg_writer_open(&r->writer, o->output, o->stream, o->format, r->M->names, NULL, r->M->names_count, &r->error);
}

static void blank(lg_run_result *f)
{
    memset(f, 0, sizeof *f);
    f->size = sizeof *f;
    f->energy_first = f->energy_low = f->energy_high = f->energy_slope = NAN;
    f->energy_trend = f->energy_trend_half = NAN;
    f->energy_post_drift = f->balance = f->constraint = f->holonomic = f->normal_first = f->normal_last = NAN;
}

static const lg_sized kind = LG_SIZED_AS(lg_run_result, energy_trend, "start from lg_run_result_default()");

void lg_run_result_init(lg_run_result *result, size_t size)
{
    lg_run_result own;
    blank(&own);
    lg_sized_give(&kind, result, size, &own);
}

static lg_status run_whole(lg_run_result *result, lg_model *M, const lg_run_options *options)
{
    lg_status status, closed;
    run *r = calloc(1, sizeof *r);
    if (options->monitor != NULL) *options->monitor = NULL;
    if (r == NULL) return LG_ERROR_MEMORY;
    r->M = M;
    r->o = options;
    r->result = result;
    r->began = r->asked = now();
    status = prepare(r);
    if (status == LG_OK) {
        status = walk(r);
        /* What was computed until then is kept, unless it is the file that failed. */
        closed = lg_writer_close(r->writer, status != LG_ERROR_IO, status == LG_OK ? &r->error : NULL);
        if (status == LG_OK) status = closed;
        conclude(r);
        if (options->finish != NULL) (void)options->finish(r->it, options->finish_context);
    }
    if (status != LG_OK) memcpy(result->message, r->error.message, sizeof result->message);
    lg_integrator_destroy(r->it);
    free(r->row);
    free(r);
    return status;
}

lg_status lg_run(lg_run_result *result, lg_model *M, const lg_run_options *options)
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
    if (status == LG_OK)
        status = run_whole(&own, M, &o);
    else
        memcpy(own.message, e.message, sizeof own.message);
    lg_sized_give(&kind, result, result->size, &own);
    return status;
}
