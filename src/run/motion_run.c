/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole motion of a mechanism: what surrounds the loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "multibody/checkpoint.h"
#include "multibody/motion.h"
#include "multibody/parts/part.h"
#include "run/loop.h"
#include "run/motion_private.h"

typedef struct run {
    lg_loop loop;
    const lg_motion_run_options *o;
    lg_motion *mo;
    lg_motion_columns *columns;
    lg_error error;
    double *control; /* that the motors hold */
    double worked;   /* work until the last state */
    double work;     /* of the last step */
    uint64_t first;  /* a sum of the first state */
    lg_motion_source again;
} run;

static const lg_sized kind =
    LG_SIZED_AS(lg_motion_run_options, observe_context, "start from lg_motion_run_options_default()");

void lg_motion_run_options_init(lg_motion_run_options *options, size_t size)
{
    const lg_motion_run_options own = {.size = sizeof own, .steps = 1000, .every = 1, .accuracy = 1};
    lg_sized_give(&kind, options, size, &own);
}

/* What the loop asks ---------------------------------------------------------------------------------------------- */

static lg_observation observation_of(const void *of)
{
    const run *r = of;
    const lg_observation s = {.t = lg_motion_time(r->mo),
                              .energy = lg_motion_energy(r->mo),
                              .energy_post = NAN,
                              .constraint = lg_motion_slip(r->mo),
                              .holonomic = lg_motion_gap(r->mo),
                              .normal = NAN};
    return s;
}

static double work_of(const void *of)
{
    const run *r = of;
    return r->work;
}

static int iterations_of(const void *of)
{
    const run *r = of;
    return lg_motion_iterations(r->mo);
}

static int observe(void *of)
{
    run *r = of;
    return r->o->observe != NULL && r->o->observe(r->mo, r->o->observe_context) != 0;
}

static lg_status set_control(void *of)
{
    run *r = of;
    if (r->o->control == NULL) return LG_OK;
    const int code = r->o->control(r->mo, r->control, r->o->control_context);
    if (code != 0)
        return lg_fail(&r->error, LG_ERROR_CALLBACK, "lg_motion_run: the controls' callback returned %d at t = %.10g",
                       code, lg_motion_time(r->mo));
    const lg_status st = lg_motion_set_control(r->mo, r->control);
    return st == LG_OK ? LG_OK : lg_fail(&r->error, st, "%s", lg_motion_message(r->mo));
}

static void row_of(double *row, void *of, int64_t step, int due)
{
    run *r = of;
    (void)step;
    if (due) lg_status_ignore(lg_motion_columns_row(r->columns, row, r->mo));
}

static lg_status advance(void *of, int64_t step)
{
    run *r = of;
    lg_accuracy_before(r->loop.accuracy, r->mo, step);
    const lg_status st = lg_motion_step(r->mo, 1);
    if (lg_motion_tolerance(r->mo) > 0) lg_run_result_found(r->loop.result, lg_motion_found_step(r->mo));
    if (st == LG_ERROR_INTERRUPTED) lg_accuracy_not_yet(r->loop.accuracy, step);
    if (st != LG_OK) return lg_fail(&r->error, st, "%s", lg_motion_message(r->mo));
    mb_watch_normals(r->mo);
    const double worked = lg_motion_work(r->mo);
    r->work = worked - r->worked;
    r->worked = worked;
    lg_accuracy_after(r->loop.accuracy, r->mo, r->control, step);
    return LG_OK;
}

static const lg_loop_kind loop_kind = {
    .observation = observation_of,
    .work = work_of,
    .iterations = iterations_of,
    .observe = observe,
    .prepare = set_control,
    .row = row_of,
    .advance = advance,
};

/* Provenance ------------------------------------------------------------------------------------------------------ */

enum { FIRST = 2, FIGURES = 4 }; /* columns before the first position, and after the last control */

/* All numbers of its parts, and the state that it starts from. */
static void describe_system(lg_json *j, const run *r)
{
    const int count = lg_motion_columns_count(r->columns);
    lg_json_open(j, "parameters", '{');
    mb_list_parameters(r->mo->mechanism, j);
    lg_json_close(j, '}');
    lg_json_open(j, "initial", '{');
    if (r->columns != NULL && lg_motion_columns_row(r->columns, r->loop.row, r->mo) == LG_OK)
        for (int i = FIRST; i < count - FIGURES; i++)
            lg_json_number(j, lg_motion_columns_name(r->columns, i), r->loop.row[i]);
    lg_json_close(j, '}');
}

static void describe_origin(lg_provenance *p, const void *of)
{
    const run *r = of;
    const double h = lg_motion_step_size(r->mo);
    lg_provenance_text(p, "system", r->o->system != NULL ? r->o->system : "mechanism");
    describe_system(&p->json, r);
    lg_provenance_text(p, "method", r->mo->method[0] != '\0' ? r->mo->method : "sem");
    lg_json_number(&p->json, "from", lg_motion_time(r->mo));
    lg_provenance_number(p, "step", h);
    lg_provenance_whole_number(p, "steps", r->o->steps);
    lg_provenance_number(p, "time", (double)r->o->steps * h);
    lg_provenance_whole_number(p, "every", r->o->every);
    lg_provenance_number(p, "tolerance", lg_motion_tolerance(r->mo));
    lg_provenance_text(p, "controls", r->o->control != NULL ? "given" : "none");
    lg_json_whole(&p->json, "halvings", r->mo->halvings);
    lg_json_text(&p->json, "wrenches", r->mo->wrench != NULL ? "given" : "none");
}

static lg_status open_rows(run *r)
{
    const lg_motion_run_options *o = r->o;
    const lg_writer_options rows = {.path = o->output,
                                    .stream = o->stream,
                                    .format = (lg_format)o->format,
                                    .names = r->columns != NULL ? lg_motion_columns_names(r->columns) : NULL};
    const lg_loop_origin origin = {o->provenance,
                                   {o->arguments, o->argument_count, o->inputs, o->input_count},
                                   o->read_provenance,
                                   o->read_provenance_context};
    const lg_status st = lg_loop_tell(&r->loop, &origin, &rows, "motion", describe_origin);
    return st == LG_OK ? lg_loop_open(&r->loop, &rows) : st;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

static void describe_run(lg_lines *lines, const void *of)
{
    const run *r = of;
    const lg_motion_run_options *o = r->o;
    lg_loop_describe(lines, &r->loop);
    lg_keeper_describe(lines, o->output != NULL, (lg_format)o->format);
    lg_lines_text(lines, "control", o->control != NULL ? "given" : "none");
    lg_lines_number(lines, "tolerance", lg_motion_tolerance(r->mo));
    lg_lines_number(lines, "halvings", r->mo->halvings);
    lg_lines_sum(lines, "initial-state", r->first);
    lg_motion_describe(lines, r->mo);
}

static void list_run(lg_tape *t, void *of)
{
    run *r = of;
    lg_loop_list(t, &r->loop);
    lg_motion_list(t, r->mo);
    lg_tape_doubles(t, r->control, (size_t)lg_mechanism_motor_count(r->mo->mechanism));
    lg_tape_double(t, &r->worked), lg_tape_double(t, &r->work);
    const size_t normals = sz(mb_normals_before(r->mo->mechanism, MB_KINDS));
    lg_tape_doubles(t, r->mo->normal_least, normals), lg_tape_doubles(t, r->mo->normal_time, normals);
    lg_tape_double(t, &r->mo->lift_time);
}

/* Beginning and end ----------------------------------------------------------------------------------------------- */

static lg_status check(const lg_motion_run_options *o, lg_error *e)
{
    if (o->steps < 0 || o->steps > INT64_C(1000000000000000))
        return lg_fail(e, LG_ERROR_ARGUMENT, "the number of steps must be in [0, 1e15], got %lld", (long long)o->steps);
    if (o->every < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "rows every %lld steps: it must be at least 1", (long long)o->every);
    if (o->accuracy != 0 && o->accuracy != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "accuracy is %lld: expected 1 to measure it, 0 not to",
                       (long long)o->accuracy);
    return lg_format_check((lg_format)o->format, e);
}

static lg_status prepare_accuracy(run *r)
{
    const double began = lg_loop_now();
    const size_t motors = (size_t)lg_mechanism_motor_count(r->mo->mechanism);
    const lg_accuracy_options o = {&lg_mover_motion, &r->again,      r->o->steps,
                                   motors,           r->o->progress, r->o->progress_context};
    lg_status st = lg_motion_source_take(&r->again, r->mo);
    if (st != LG_OK) return lg_fail(&r->error, st, "out of memory");
    st = lg_accuracy_create(&r->loop.accuracy, &o, r->mo, &r->error);
    r->loop.began += lg_loop_now() - began;
    return st;
}

static uint64_t sum_of_state(const lg_motion *mo)
{
    const mb_node *n = mb_now(mo);
    const size_t bodies = (size_t)mo->mechanism->plan.bodies;
    const uint64_t sum = lg_sum(LG_SUM, n->pose, bodies * sizeof *n->pose);
    return lg_sum(sum, n->p, bodies * sizeof *n->p);
}

static void prepare_loop(run *r)
{
    const lg_motion_run_options *o = r->o;
    lg_loop *l = &r->loop;
    l->kind = &loop_kind;
    l->run = r;
    l->steps = o->steps;
    l->every = o->every;
    l->progress = o->progress;
    l->progress_context = o->progress_context;
    l->hand_out = o->row;
    l->row_context = o->row_context;
    l->columns = lg_motion_columns_count(r->columns);
    l->error = &r->error;
    l->result->iterations = "sweeps";
    l->keeping = (lg_loop_keeping){.options = {o->checkpoint, o->checkpoint_every, o->resume != 0},
                                   .label = o->checkpoint_label,
                                   .memory = o->memory,
                                   .count = o->memory_count,
                                   .resumed = o->resumed,
                                   .context = o->resumed_context};
    l->keeper.kept = (lg_kept){"run", NULL, describe_run, list_run};
    l->keeper.run = r;
}

static lg_status prepare(run *r)
{
    const lg_motion_run_options *o = r->o;
    const size_t motors = (size_t)lg_mechanism_motor_count(r->mo->mechanism);
    lg_status st = check(o, &r->error);
    if (st == LG_OK && (o->row != NULL || o->output != NULL || o->stream != NULL || o->read_provenance != NULL))
        st = lg_motion_columns_create(&r->columns, r->mo->mechanism);
    if (st == LG_ERROR_MEMORY) return lg_fail(&r->error, st, "out of memory");
    if (st != LG_OK) return st;
    prepare_loop(r);
    r->worked = lg_motion_work(r->mo);
    r->first = sum_of_state(r->mo);
    r->loop.row = calloc((size_t)r->loop.columns + motors + 1, sizeof(double));
    if (r->loop.row == NULL) return lg_fail(&r->error, LG_ERROR_MEMORY, "out of memory");
    r->control = r->loop.row + r->loop.columns;
    memcpy(r->control, r->mo->numbers.control, motors * sizeof *r->control);
    if (o->accuracy) st = prepare_accuracy(r);
    if (st != LG_OK) return st;
    return open_rows(r);
}

static void conclude_wheels(const lg_motion *mo, lg_run_result *result)
{
    const int wheel = mb_least_normal(mo);
    result->wheel = wheel, result->lift_time = mo->lift_time;
    if (wheel < 0) return;
    result->wheel_force = mo->normal_least[wheel], result->wheel_force_time = mo->normal_time[wheel];
}

static lg_status run_whole(lg_motion *mo, lg_run_result *result, const lg_motion_run_options *options)
{
    run *r = calloc(1, sizeof *r);
    if (r == NULL) {
        snprintf(result->message, sizeof result->message, "lg_motion_run: out of memory");
        return LG_ERROR_MEMORY;
    }
    r->mo = mo;
    r->o = options;
    r->loop.result = result;
    mb_forget_normals(mo);
    lg_loop_begin(&r->loop);
    lg_status status = prepare(r);
    if (status == LG_OK) {
        mb_set_pause(mo, lg_loop_pause(&r->loop));
        status = lg_loop_end(&r->loop, lg_loop_walk(&r->loop));
        mb_set_pause(mo, (lg_pause){NULL, NULL});
        lg_accuracy_conclude(r->loop.accuracy, result);
        conclude_wheels(mo, result);
    }
    if (status != LG_OK) memcpy(result->message, r->error.message, sizeof result->message);
    lg_accuracy_destroy(r->loop.accuracy);
    lg_motion_source_free(&r->again);
    lg_motion_columns_destroy(r->columns);
    lg_provenance_free(&r->loop.origin);
    free(r->loop.row);
    free(r);
    return status;
}

lg_status lg_motion_run(lg_motion *mo, lg_run_result *result, const lg_motion_run_options *options)
{
    lg_motion_run_options o;
    lg_run_result own;
    lg_error e = {LG_OK, ""};
    lg_status status;
    if (result == NULL || lg_run_result_check(result, &e) != LG_OK) return LG_ERROR_ARGUMENT;
    lg_run_result_blank(&own);
    lg_motion_run_options_init(&o, sizeof o);
    if (mo == NULL || options == NULL)
        status = lg_fail(&e, LG_ERROR_ARGUMENT, "lg_motion_run: a pointer is NULL");
    else if (!mo->started)
        status =
            lg_fail(&e, LG_ERROR_ARGUMENT, "lg_motion_run: the motion is not started; call lg_motion_start() before");
    else
        status = lg_sized_take(&kind, &o, options, &e);
    if (status == LG_OK && !lg_run_result_has_accuracy(result)) o.accuracy = 0; /* nowhere to put it */
    if (status == LG_OK)
        status = run_whole(mo, &own, &o);
    else
        memcpy(own.message, e.message, sizeof own.message);
    lg_run_result_give(result, &own);
    return status;
}
