/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/loop.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/sized.h"

double lg_loop_now(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void lg_loop_begin(lg_loop *l)
{
    l->began = l->reported = lg_loop_now();
    l->stride = 1;
    lg_watch_begin(&l->watch);
}

/* The figures of the present state. */
static int observe(lg_loop *l, int64_t step)
{
    lg_run_result *f = l->result;
    l->sight = l->kind->sight(l->run);
    lg_watch_add(&l->watch, &l->sight, step > 0 ? l->kind->work(l->run) : 0);
    if (step > 0 && f->iterations != NULL) {
        const int iterations = l->kind->iterations(l->run);
        if (iterations > f->iterations_most) f->iterations_most = iterations;
        f->iterations_mean += ((double)iterations - f->iterations_mean) / (double)step;
    }
    f->steps = step;
    return l->kind->observe(l->run);
}

/* The row of the present state, if it is due; *stop = 1: the caller wants no more. */
static lg_status hand_out(lg_loop *l, int64_t step, int *stop)
{
    const int due = step % l->every == 0 && (l->writer != NULL || l->hand_out != NULL);
    l->kind->row(l->row, l->run, step, due);
    if (!due) return LG_OK;
    if (l->writer != NULL) {
        const lg_status status = lg_writer_row(l->writer, l->row, l->error);
        if (status != LG_OK) return status;
    }
    if (l->hand_out != NULL && l->hand_out(l->row, l->columns, l->row_context) != 0) *stop = 1;
    return LG_OK;
}

/* Calls progress about every 100 ms; how many steps that takes is learnt. Nonzero: stop. */
static int report_progress(lg_loop *l, int64_t step)
{
    double time;
    if (l->progress == NULL || step < l->next) return 0;
    time = lg_loop_now();
    if (time - l->reported < 0.05 && l->stride < 1 << 30) {
        l->stride *= 2;
    } else if (time - l->reported > 0.2 && l->stride > 1) {
        l->stride /= 2;
    }
    l->reported = time;
    l->next = step + l->stride;
    return l->progress(step, l->steps, l->progress_context);
}

lg_status lg_loop_walk(lg_loop *l)
{
    int stop = 0;
    lg_status status = LG_OK;
    for (int64_t step = 0;; step++) {
        if (observe(l, step)) stop = 1;
        if (l->kind->prepare != NULL) status = l->kind->prepare(l->run);
        if (status == LG_OK) status = hand_out(l, step, &stop);
        if (status != LG_OK || step >= l->steps) return status;
        if (report_progress(l, step)) stop = 1;
        if (stop) {
            l->result->interrupted = 1;
            return LG_OK;
        }
        status = l->kind->advance(l->run, step);
        if (status != LG_OK) return status;
    }
}

static void conclude(lg_loop *l)
{
    const lg_watch *w = &l->watch;
    lg_run_result *f = l->result;
    f->time = w->time_last;
    f->energy_first = w->extremes.energy_first;
    f->energy_low = w->extremes.energy_low;
    f->energy_high = w->extremes.energy_high;
    f->energy_slope = lg_trend_slope(&w->energy, &f->energy_slope_half);
    f->energy_post_drift = w->post / fmax(1e-300, fabs(w->post_first));
    f->work = w->work;
    f->balance = w->balance;
    f->constraint = w->extremes.constraint;
    f->holonomic = w->holonomic;
    f->normal_first = lg_peaks_first(&w->peaks);
    f->normal_last = lg_peaks_last(&w->peaks);
    f->seconds = lg_loop_now() - l->began - lg_accuracy_seconds(l->accuracy);
}

lg_status lg_loop_end(lg_loop *l, lg_status status)
{
    /* What was computed until then is kept, unless it is the file that failed. */
    const lg_status closed = lg_writer_close(l->writer, status != LG_ERROR_IO, status == LG_OK ? l->error : NULL);
    l->writer = NULL;
    conclude(l);
    return status == LG_OK ? closed : status;
}

/* The result ------------------------------------------------------------------------------------------------------ */

static const lg_sized kind = LG_SIZED_AS(lg_run_result, message, "start from lg_run_result_default()");

void lg_run_result_blank(lg_run_result *f)
{
    memset(f, 0, sizeof *f);
    f->size = sizeof *f;
    f->energy_first = f->energy_low = f->energy_high = f->energy_slope = NAN;
    f->energy_slope_half = NAN;
    f->energy_post_drift = f->balance = f->constraint = f->holonomic = f->normal_first = f->normal_last = NAN;
    f->error_rotation = f->error_position = f->error_velocity = f->error_lost = NAN;
    f->resolution = f->resolution_time = f->turn = NAN;
    f->resolved = 1;
    f->found_shortest = f->found_longest = NAN;
}

void lg_run_result_found(lg_run_result *f, double step)
{
    f->found_shortest = fmin(f->found_shortest, fabs(step));
    f->found_longest = fmax(f->found_longest, fabs(step));
}

void lg_run_result_init(lg_run_result *result, size_t size)
{
    lg_run_result own;
    lg_run_result_blank(&own);
    lg_sized_give(&kind, result, size, &own);
}

lg_status lg_run_result_check(const lg_run_result *result, lg_error *e)
{
    return lg_sized_check(&kind, result->size, NULL, e);
}

void lg_run_result_give(lg_run_result *result, const lg_run_result *own)
{
    lg_sized_give(&kind, result, result->size, own);
}

int lg_run_result_has_accuracy(const lg_run_result *result)
{
    return result->size >= LG_END_OF(lg_run_result, resolved);
}
