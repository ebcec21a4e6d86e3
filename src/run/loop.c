/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/loop.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/sized.h"
#include "run/model_private.h"

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
    const lg_engine *engine = l->mo->engine;
    lg_run_result *f = l->result;
    l->observation = engine->observation(l->mo);
    lg_watch_add(&l->watch, &l->observation, step > 0 ? engine->step_work(l->mo) : 0);
    if (step > 0 && f->iterations != NULL) {
        const int iterations = engine->iterations(l->mo);
        if (iterations > f->iterations_most) f->iterations_most = iterations;
        f->iterations_mean += ((double)iterations - f->iterations_mean) / (double)step;
    }
    f->steps = step;
    if (l->monitor != NULL) lg_monitor_observe_state(l->monitor, l->mo, &l->observation);
    return l->o->observe != NULL && l->o->observe(l->mo, l->o->observe_context) != 0;
}

/* The controls of the coming step. */
static lg_status set_control(lg_loop *l)
{
    if (l->o->control == NULL) return LG_OK;
    const int code = l->o->control(l->mo, l->u, l->o->control_context);
    if (code != 0)
        return lg_fail(l->error, LG_ERROR_CALLBACK, "lg_run: the controls' callback returned %d at t = %.10g", code,
                       lg_motion_time(l->mo));
    const lg_status status = lg_motion_set_control_nodes(l->mo, (int)l->o->control_degree, l->u);
    return status == LG_OK ? LG_OK : lg_fail(l->error, status, "%s", lg_motion_message(l->mo));
}

/* The row of the present state, if it is due; *stop = 1: the caller wants no more. */
static lg_status hand_out(lg_loop *l, int64_t step, int *stop)
{
    if (step % l->o->every != 0 || (l->writer == NULL && l->o->row == NULL)) return LG_OK;
    lg_status_ignore(l->mo->engine->row(l->mo, l->row, &l->observation));
    if (l->writer != NULL) {
        const lg_status status = lg_writer_row(l->writer, l->row, l->error);
        if (status != LG_OK) return status;
    }
    if (l->o->row != NULL && l->o->row(l->row, lg_model_column_count(l->mo->model), l->o->row_context) != 0) *stop = 1;
    return LG_OK;
}

/* About every 100 ms: progress, which may stop the run, and a checkpoint if one is due; how many steps that takes is
 * learnt. */
static lg_status look_at_clock(lg_loop *l, int64_t step, int *stop)
{
    double time;
    if ((l->o->progress == NULL && l->keeper.path == NULL) || step < l->next) return LG_OK;
    time = lg_loop_now();
    if (time - l->reported < 0.05 && l->stride < 1 << 30) {
        l->stride *= 2;
    } else if (time - l->reported > 0.2 && l->stride > 1) {
        l->stride /= 2;
    }
    l->reported = time;
    l->next = step + l->stride;
    if (l->o->progress != NULL && l->o->progress(step, l->o->steps, l->o->progress_context) != 0) *stop = 1;
    if (*stop || !lg_keeper_is_due(&l->keeper, time)) return LG_OK;
    return lg_keeper_write(&l->keeper, l->writer, time, l->error);
}

static int look_on_the_way(void *context)
{
    lg_loop *l = context;
    const double time = lg_loop_now();
    if (l->o->progress == NULL || time - l->reported < 0.1) return 0;
    l->reported = time;
    return l->o->progress(l->step, l->o->steps, l->o->progress_context) != 0;
}

lg_pause lg_loop_pause(lg_loop *l)
{
    return (lg_pause){look_on_the_way, l};
}

/* The present state: its figures, and its row. */
static lg_status show(lg_loop *l, int64_t step, int *stop)
{
    if (observe(l, step)) *stop = 1;
    const lg_status status = set_control(l);
    return status == LG_OK ? hand_out(l, step, stop) : status;
}

/* Makes step number `step` + 1. LG_ERROR_INTERRUPTED: lg_loop_pause() stopped it, and the state is as before. */
static lg_status advance(lg_loop *l, int64_t step)
{
    lg_run_result *f = l->result;
    lg_accuracy_before(l->accuracy, l->mo, step);
    const lg_status status = lg_motion_step(l->mo, 1);
    if (lg_motion_tolerance(l->mo) > 0) {
        const double found = fabs(lg_motion_found_step(l->mo));
        f->found_shortest = fmin(f->found_shortest, found);
        f->found_longest = fmax(f->found_longest, found);
    }
    if (status == LG_ERROR_INTERRUPTED) lg_accuracy_not_yet(l->accuracy, step);
    if (status != LG_OK) return lg_fail(l->error, status, "%s", lg_motion_message(l->mo));
    l->mo->engine->run->watch(l->mo, 0);
    lg_accuracy_after(l->accuracy, l->mo, l->u, step);
    return LG_OK;
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
    while (status == LG_OK && step < l->o->steps) {
        status = look_at_clock(l, step, &stop);
        if (status != LG_OK) return status;
        if (stop) return interrupt(l);
        l->step = step;
        status = advance(l, step);
        if (status == LG_ERROR_INTERRUPTED) return interrupt(l);
        if (status == LG_OK) status = show(l, ++step, &stop);
    }
    return status;
}

/* The scale of H(p^-): its first value, or where that vanishes compared with the energies of the run, the largest of
 * them. */
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

/* 1: the run may continue later, from its last checkpoint. */
static int is_unfinished(const lg_loop *l, lg_status status)
{
    return l->keeper.path != NULL && (l->result->interrupted || status == LG_ERROR_IO || status == LG_ERROR_MEMORY);
}

/* The rows computed so far are kept, unless the file failed. */
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

static int is_written(const lg_run_options *o)
{
    return o->output != NULL || o->stream != NULL;
}

/* 1: a caller reads it, or a file has a place for it. */
static int is_wanted(const lg_run_options *o)
{
    const int holds = lg_format_at((int)o->format)->text != NULL;
    if (o->read_provenance != NULL) return 1;
    return is_written(o) && (o->provenance > 0 || (o->provenance == 0 && holds));
}

static lg_status tell(lg_loop *l)
{
    char *text = lg_provenance_whole(&l->origin, NULL, 0);
    if (text == NULL) return lg_fail(l->error, LG_ERROR_MEMORY, "out of memory");
    const int refused = l->o->read_provenance(text, l->o->read_provenance_context);
    free(text);
    return refused ? lg_fail(l->error, LG_ERROR_INTERRUPTED, "the run was refused for its provenance") : LG_OK;
}

static void describe_origin(lg_provenance *p, const lg_loop *l)
{
    const lg_run_options *o = l->o;
    const double h = lg_motion_step_size(l->mo);
    lg_provenance_text(p, "system", o->system != NULL ? o->system : lg_model_name(l->mo->model));
    l->mo->engine->run->origin(p, l->mo);
    lg_provenance_number(p, "step", h);
    lg_provenance_whole_number(p, "steps", o->steps);
    lg_provenance_number(p, "time", (double)o->steps * h);
    lg_provenance_whole_number(p, "every", o->every);
    lg_provenance_number(p, "tolerance", lg_motion_tolerance(l->mo));
    lg_provenance_text(p, "controls", o->control != NULL ? "given" : "none");
    if (o->control_degree > 0) lg_provenance_whole_number(p, "control_degree", o->control_degree);
}

lg_status lg_loop_tell(lg_loop *l)
{
    const lg_run_options *o = l->o;
    const lg_model *M = l->mo->model;
    const lg_provenance_caller caller = {o->arguments, o->argument_count, o->inputs, o->input_count};
    if (o->provenance < -1 || o->provenance > 1)
        return lg_fail(l->error, LG_ERROR_ARGUMENT, "provenance is %lld: expected -1, 0 or 1",
                       (long long)o->provenance);
    if (!is_wanted(o)) return LG_OK;
    lg_provenance_begin(&l->origin, M->mechanism != NULL ? "motion" : "model");
    describe_origin(&l->origin, l);
    const lg_status status = lg_provenance_rows(&l->origin, M->names, M->names_count, o->format, &caller, l->error);
    return status == LG_OK && o->read_provenance != NULL ? tell(l) : status;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

void lg_loop_describe(lg_lines *lines, const lg_loop *l)
{
    lg_lines_number(lines, "steps", (double)l->o->steps);
    lg_lines_number(lines, "every", (double)l->o->every);
    lg_lines_text(lines, "accuracy", l->accuracy != NULL ? "measured" : "not-measured");
    if (l->o->checkpoint_label != NULL) lg_lines_text(lines, "of", l->o->checkpoint_label);
    for (int64_t i = 0; i < l->o->memory_count; i++) lg_lines_number(lines, "memory", (double)l->o->memory[i].bytes);
}

void lg_loop_list(lg_tape *t, lg_loop *l)
{
    lg_run_result *f = l->result;
    double elapsed = lg_loop_now() - l->began;
    lg_tape_long(t, &f->steps, 0, l->o->steps, LG_WRONG_STEPS);
    lg_tape_double(t, &f->iterations_mean);
    lg_tape_int(t, &f->iterations_most, 0, INT_MAX, "its number of iterations is impossible");
    lg_tape_double(t, &f->found_shortest), lg_tape_double(t, &f->found_longest);
    lg_tape_double(t, &elapsed);
    if (t->reads) l->began = lg_loop_now() - elapsed;
    lg_watch_list(t, &l->watch);
    lg_accuracy_list(t, l->accuracy);
    lg_keeper_list(t, &l->keeper);
    for (int64_t i = 0; i < l->o->memory_count; i++) lg_tape_bytes(t, l->o->memory[i].at, l->o->memory[i].bytes);
}

static lg_status check_keeper(const lg_keeper_options *w, const char *output, FILE *stream, lg_error *e)
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
static lg_status resume(lg_loop *l, const lg_keeper_options *keep)
{
    const lg_run_options *o = l->o;
    lg_status status = lg_keeper_begin(&l->keeper, keep, lg_loop_now(), &l->resumed, l->error);
    if (status == LG_OK && l->resumed && o->resumed != NULL && o->resumed(l->result->steps, o->resumed_context) != 0)
        status = lg_fail(l->error, LG_ERROR_INTERRUPTED, "%.160s: the run was not taken up again", keep->path);
    return status;
}

lg_status lg_loop_open(lg_loop *l)
{
    const lg_run_options *o = l->o;
    const lg_keeper_options keep = {o->checkpoint, o->checkpoint_every, o->resume != 0};
    const lg_writer_options rows = {.path = o->output,
                                    .stream = o->stream,
                                    .format = o->format,
                                    .names = l->mo->model->names,
                                    .columns = l->mo->model->names_count,
                                    .provenance = l->origin.json.text != NULL && o->provenance >= 0 ? &l->origin : NULL,
                                    .beside = o->provenance > 0};
    lg_status status = check_keeper(&keep, o->output, o->stream, l->error);
    if (status == LG_OK) status = resume(l, &keep);
    if (status != LG_OK || !is_written(o)) return status;
    if (l->resumed) return lg_writer_resume(&l->writer, &rows, &l->keeper.rows, l->error);
    return lg_writer_open(&l->writer, &rows, l->error);
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
