/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/loop.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/sized.h"

double lg_loop_now(void)
{
    struct timespec t = {0, 0}; /* which stays where there is no clock */
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
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
    l->observation = l->kind->observation(l->run);
    lg_watch_add(&l->watch, &l->observation, step > 0 ? l->kind->work(l->run) : 0);
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

/* About every 100 ms: progress, which may stop the run, and a checkpoint if one is due; how many steps that takes is
 * learnt. */
static lg_status look_at_clock(lg_loop *l, int64_t step, int *stop)
{
    double time;
    if ((l->progress == NULL && l->keeper.path == NULL) || step < l->next) return LG_OK;
    time = lg_loop_now();
    if (time - l->reported < 0.05 && l->stride < 1 << 30) {
        l->stride *= 2;
    } else if (time - l->reported > 0.2 && l->stride > 1) {
        l->stride /= 2;
    }
    l->reported = time;
    l->next = step + l->stride;
    if (l->progress != NULL && l->progress(step, l->steps, l->progress_context) != 0) *stop = 1;
    if (*stop || !lg_keeper_is_due(&l->keeper, time)) return LG_OK;
    return lg_keeper_write(&l->keeper, l->writer, time, l->error);
}

static int look_on_the_way(void *context)
{
    lg_loop *l = context;
    const double time = lg_loop_now();
    if (l->progress == NULL || time - l->reported < 0.1) return 0;
    l->reported = time;
    return l->progress(l->step, l->steps, l->progress_context) != 0;
}

lg_pause lg_loop_pause(lg_loop *l)
{
    return (lg_pause){look_on_the_way, l};
}

/* The present state: its figures, and its row. */
static lg_status show(lg_loop *l, int64_t step, int *stop)
{
    lg_status status = LG_OK;
    if (observe(l, step)) *stop = 1;
    if (l->kind->prepare != NULL) status = l->kind->prepare(l->run);
    return status == LG_OK ? hand_out(l, step, stop) : status;
}

/* Somebody wants no more: the rest may follow later. */
static lg_status interrupt(lg_loop *l)
{
    l->result->interrupted = 1;
    return l->keeper.path != NULL ? lg_keeper_write(&l->keeper, l->writer, lg_loop_now(), l->error) : LG_OK;
}

lg_status lg_loop_walk(lg_loop *l)
{
    int stop = 0;
    int64_t step = l->resumed ? l->result->steps : 0;
    lg_status status = l->resumed ? LG_OK : show(l, 0, &stop);
    if (status == LG_OK && l->keeper.path != NULL && !l->resumed) /* from now on no rows are lost */
        status = lg_keeper_write(&l->keeper, l->writer, lg_loop_now(), l->error);
    while (status == LG_OK && step < l->steps) {
        status = look_at_clock(l, step, &stop);
        if (status != LG_OK) return status;
        if (stop) return interrupt(l);
        l->step = step;
        status = l->kind->advance(l->run, step);
        if (status == LG_ERROR_INTERRUPTED) return interrupt(l);
        if (status == LG_OK) status = show(l, ++step, &stop);
    }
    return status;
}

/* The scale of H(p^-): its first value, or where that vanishes beside the energies of the run, the largest of them. */
static double post_scale(double first, double low, double high)
{
    const double most = fmax(fabs(low), fabs(high));
    if (isnan(first)) return 1; /* there is no p^-; a comparison would raise an exception */
    return fabs(first) > 1e-9 * most ? fabs(first) : fmax(most, 1e-300);
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
    f->energy_post_drift = w->post / post_scale(w->post_first, f->energy_low, f->energy_high);
    f->work = w->work;
    f->balance = w->balance;
    f->constraint = w->extremes.constraint;
    f->holonomic = w->holonomic;
    f->normal_first = lg_peaks_first(&w->peaks);
    f->normal_last = lg_peaks_last(&w->peaks);
    f->seconds = lg_loop_now() - l->began - lg_accuracy_seconds(l->accuracy);
}

/* 1: the run may go on later, from its last checkpoint. */
static int is_unfinished(const lg_loop *l, lg_status status)
{
    return l->keeper.path != NULL && (l->result->interrupted || status == LG_ERROR_IO || status == LG_ERROR_MEMORY);
}

/* What was computed until then is kept, unless it is the file that failed. */
static lg_status close_rows(lg_loop *l, lg_status status)
{
    lg_error *e = status == LG_OK ? l->error : NULL;
    lg_status closed = LG_OK;
    lg_writer *w = l->writer;
    const int keeps = w != NULL && l->keeper.path != NULL;
    l->writer = NULL;
    lg_writer_conclude(w,
                       status != LG_OK          ? "failed"
                       : l->result->interrupted ? "interrupted"
                                                : "complete",
                       l->result->steps);
    if (keeps) closed = lg_writer_mark(w, &l->keeper.rows, e);
    if (keeps && closed == LG_OK && !is_unfinished(l, status)) closed = lg_writer_complete(w, e);
    if (closed != LG_OK || is_unfinished(l, status)) {
        const lg_status left = lg_writer_leave(w, closed == LG_OK ? e : NULL);
        return closed == LG_OK ? left : closed;
    }
    closed = lg_writer_close(w, status != LG_ERROR_IO, e);
    if (closed == LG_OK) lg_keeper_end(&l->keeper);
    return closed;
}

lg_status lg_loop_end(lg_loop *l, lg_status status)
{
    const lg_status closed = close_rows(l, status);
    conclude(l);
    return status == LG_OK ? closed : status;
}

/* Provenance ------------------------------------------------------------------------------------------------------ */

static int is_written(const lg_writer_options *rows)
{
    return rows->path != NULL || rows->stream != NULL;
}

/* 1: somebody reads it, or there is a place for it. */
static int is_wanted(const lg_loop_origin *origin, const lg_writer_options *rows)
{
    const int holds = lg_format_at((int)rows->format)->text != NULL;
    if (origin->read_provenance != NULL) return 1;
    return is_written(rows) && (origin->wanted > 0 || (origin->wanted == 0 && holds));
}

static lg_status tell(lg_loop *l, const lg_loop_origin *origin)
{
    char *text = lg_provenance_whole(&l->origin, NULL, 0);
    if (text == NULL) return lg_fail(l->error, LG_ERROR_MEMORY, "out of memory");
    const int refused = origin->read_provenance(text, origin->context);
    free(text);
    return refused ? lg_fail(l->error, LG_ERROR_INTERRUPTED, "the run was refused for its provenance") : LG_OK;
}

lg_status lg_loop_tell(lg_loop *l, const lg_loop_origin *origin, const lg_writer_options *rows, const char *run,
                       void (*describe)(lg_provenance *p, const void *run))
{
    lg_status status;
    if (origin->wanted < -1 || origin->wanted > 1)
        return lg_fail(l->error, LG_ERROR_ARGUMENT, "provenance is %lld: expected -1, 0 or 1",
                       (long long)origin->wanted);
    l->wanted = origin->wanted;
    if (!is_wanted(origin, rows)) return LG_OK;
    lg_provenance_begin(&l->origin, run);
    describe(&l->origin, l->run);
    status = lg_provenance_rows(&l->origin, rows->names, l->columns, rows->format, &origin->caller, l->error);
    return status == LG_OK && origin->read_provenance != NULL ? tell(l, origin) : status;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

void lg_loop_describe(lg_lines *lines, const lg_loop *l)
{
    lg_lines_number(lines, "steps", (double)l->steps);
    lg_lines_number(lines, "every", (double)l->every);
    lg_lines_text(lines, "accuracy", l->accuracy != NULL ? "measured" : "not-measured");
    if (l->keeping.label != NULL) lg_lines_text(lines, "of", l->keeping.label);
    for (int64_t i = 0; i < l->keeping.count; i++) lg_lines_number(lines, "memory", (double)l->keeping.memory[i].bytes);
}

void lg_loop_list(lg_tape *t, lg_loop *l)
{
    lg_run_result *f = l->result;
    double elapsed = lg_loop_now() - l->began;
    lg_tape_long(t, &f->steps, 0, l->steps, LG_WRONG_STEPS);
    lg_tape_double(t, &f->iterations_mean);
    lg_tape_int(t, &f->iterations_most, 0, INT_MAX, "its number of iterations is impossible");
    lg_tape_double(t, &f->found_shortest), lg_tape_double(t, &f->found_longest);
    lg_tape_double(t, &elapsed);
    if (t->reads) l->began = lg_loop_now() - elapsed;
    lg_watch_list(t, &l->watch);
    lg_accuracy_list(t, l->accuracy);
    lg_keeper_list(t, &l->keeper);
    for (int64_t i = 0; i < l->keeping.count; i++)
        lg_tape_bytes(t, l->keeping.memory[i].at, l->keeping.memory[i].bytes);
}

static lg_status check_options(const lg_keeper_options *w, const char *output, FILE *stream, lg_error *e)
{
    if (w->path == NULL && !w->resume) return LG_OK;
    if (w->path == NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "resume is set, but no checkpoint to go on from");
    if (!(w->every >= 0) || isinf(w->every))
        return lg_fail(e, LG_ERROR_ARGUMENT, "a checkpoint every %g seconds: expected 0, for %g, or more", w->every,
                       LG_KEEPER_EVERY);
    if (stream != NULL || (output != NULL && lg_file_names_device(output)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%.160s: rows that go to a stream or a device cannot be taken up again; a run with a checkpoint "
                       "needs a file for them, or none",
                       w->path);
    if (output != NULL && lg_file_same(output, w->path))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%.160s: the checkpoint and the rows need two files", w->path);
    return LG_OK;
}

/* Reads the checkpoint, if there is one. */
static lg_status resume(lg_loop *l)
{
    const lg_loop_keeping *k = &l->keeping;
    lg_status status = lg_keeper_begin(&l->keeper, &k->options, lg_loop_now(), &l->resumed, l->error);
    if (status == LG_OK && l->resumed && k->resumed != NULL && k->resumed(l->result->steps, k->context) != 0)
        status = lg_fail(l->error, LG_ERROR_INTERRUPTED, "%.160s: the run was not taken up again", k->options.path);
    return status;
}

lg_status lg_loop_open(lg_loop *l, const lg_writer_options *rows)
{
    lg_writer_options options = *rows;
    lg_status status = check_options(&l->keeping.options, rows->path, rows->stream, l->error);
    if (status == LG_OK) status = resume(l);
    if (status != LG_OK || !is_written(rows)) return status;
    options.columns = l->columns;
    options.provenance = l->origin.json.text != NULL && l->wanted >= 0 ? &l->origin : NULL;
    options.beside = l->wanted > 0;
    if (l->resumed) return lg_writer_resume(&l->writer, &options, &l->keeper.rows, l->error);
    return lg_writer_open(&l->writer, &options, l->error);
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
    f->wheel = -1, f->wheel_force = f->wheel_force_time = f->lift_time = NAN;
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
