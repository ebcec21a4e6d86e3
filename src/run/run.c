/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole trajectory of a model: what stands in its rows, and what surrounds the loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/run/run.h>

#include "integrators/checkpoint.h"
#include "integrators/diagnostics/diagnostics.h"
#include "integrators/integrator.h"
#include "run/begin.h"
#include "run/loop.h"
#include "run/model_private.h"

typedef struct run {
    lg_loop loop;
    lg_model *M;
    const lg_system *S;
    const lg_run_options *o;
    lg_integrator *it;
    lg_error error;
    double *columns;       /* configuration of the last step, to unwrap the next from */
    double *control;       /* the controls that are held */
    lg_monitor *monitor;   /* NULL: the caller wants none */
    lg_model_source again; /* what the accuracy begins with */
} run;

int lg_run_column_count(const lg_model *M)
{
    return M != NULL && M->definition != NULL ? M->names_count : 0;
}

const char *lg_run_column(const lg_model *M, int i)
{
    return i >= 0 && i < lg_run_column_count(M) ? M->names[i] : NULL;
}

/* What the loop asks ---------------------------------------------------------------------------------------------- */

static lg_observation observation_of(const void *of)
{
    const run *r = of;
    return lg_observe(r->it);
}

static double work_of(const void *of)
{
    const run *r = of;
    return lg_integrator_step_work(r->it);
}

static int iterations_of(const void *of)
{
    const run *r = of;
    return lg_integrator_iterations(r->it);
}

static int observe(void *of)
{
    run *r = of;
    if (r->monitor != NULL) lg_monitor_add(r->monitor, r->it, &r->loop.observation);
    return r->o->observe != NULL && r->o->observe(r->it, r->o->observe_context) != 0;
}

static lg_status advance(void *of, int64_t step)
{
    run *r = of;
    lg_accuracy_before(r->loop.accuracy, r->it, step);
    const lg_status status = lg_run_advance(r->it, r->o, r->control, &r->error);
    if (r->o->tolerance != 0) lg_run_result_found(r->loop.result, lg_integrator_found_step(r->it));
    if (status == LG_ERROR_INTERRUPTED) lg_accuracy_not_yet(r->loop.accuracy, step);
    if (status == LG_OK) lg_accuracy_after(r->loop.accuracy, r->it, r->control, step);
    return status;
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static void fill_row(double *at, const lg_model *M, const lg_integrator *it, const double *columns,
                     const lg_observation *s)
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
        lg_group_columns(lg_integrator_group(it)) != M->columns) {
        return LG_ERROR_ARGUMENT;
    }
    const lg_observation observation = lg_observe(it);
    fill_row(row, M, it, columns, &observation);
    return LG_OK;
}

static void row_of(double *row, void *of, int64_t step, int due)
{
    run *r = of;
    if (step == 0) {
        lg_model_columns(r->M, r->columns, lg_integrator_configuration(r->it), r->M->initial);
    } else if (due || r->M->angles) {
        lg_model_columns(r->M, r->columns, lg_integrator_configuration(r->it), r->columns);
    }
    if (due) fill_row(row, r->M, r->it, r->columns, &r->loop.observation);
}

static const lg_loop_kind loop_kind = {
    .observation = observation_of,
    .work = work_of,
    .iterations = iterations_of,
    .observe = observe,
    .row = row_of,
    .advance = advance,
};

/* Provenance ------------------------------------------------------------------------------------------------------ */

/* Parameters, and the initial data: what the caller gave of them by name, and what they became. */
static void describe_system(lg_json *j, const run *r)
{
    const lg_model *M = r->M;
    const lg_model_definition *d = M->definition;
    const size_t element = (size_t)r->it->plan.element_size, n = (size_t)M->n;
    lg_json_open(j, "parameters", '{');
    for (int i = 0; i < d->parameter_count; i++) lg_json_number(j, d->parameters[i].name, M->param[i]);
    lg_json_close(j, '}');
    lg_json_open(j, "given", '{');
    for (int i = 0; i < M->columns; i++)
        if (!isnan(M->initial[i])) lg_json_number(j, M->names[LG_ROW_CONFIGURATION + i], M->initial[i]);
    for (int i = M->columns; i < M->columns + M->n; i++)
        if (!isnan(M->initial[i])) lg_json_number(j, M->names[LG_ROW_CONFIGURATION + i], M->initial[i]);
    lg_json_close(j, '}');
    lg_json_open(j, "initial", '{');
    lg_json_numbers(j, "configuration", lg_integrator_configuration(r->it), (int64_t)element);
    if (lg_integrator_velocity(r->it, r->loop.row) == LG_OK) lg_json_numbers(j, "velocity", r->loop.row, (int64_t)n);
    lg_json_numbers(j, "momentum", lg_integrator_momentum(r->it), (int64_t)n);
    lg_json_close(j, '}');
}

static void describe_origin(lg_provenance *p, const void *of)
{
    const run *r = of;
    const lg_run_options *o = r->o;
    const double h = lg_integrator_step_size(r->it);
    lg_provenance_text(p, "system", r->M->definition->name);
    lg_json_text(&p->json, "group", lg_group_name(r->M->group));
    describe_system(&p->json, r);
    lg_provenance_text(p, "method", o->method);
    lg_provenance_text(p, "retraction", o->retraction);
    lg_provenance_start(p, o->start);
    lg_json_whole(&p->json, "project", o->project);
    lg_provenance_number(p, "step", h);
    lg_provenance_whole_number(p, "steps", o->steps);
    lg_provenance_number(p, "time", (double)o->steps * h);
    lg_provenance_whole_number(p, "every", o->every);
    lg_provenance_number(p, "tolerance", o->tolerance);
    lg_provenance_text(p, "controls", o->control != NULL ? "given" : "none");
}

static lg_status open_rows(run *r)
{
    const lg_run_options *o = r->o;
    const lg_writer_options rows = {.path = o->output, .stream = o->stream, .format = o->format, .names = r->M->names};
    const lg_loop_origin origin = {o->provenance,
                                   {o->arguments, o->argument_count, o->inputs, o->input_count},
                                   o->read_provenance,
                                   o->read_provenance_context};
    const lg_status status = lg_loop_tell(&r->loop, &origin, &rows, "model", describe_origin);
    return status == LG_OK ? lg_loop_open(&r->loop, &rows) : status;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

static void describe_run(lg_lines *lines, const void *of)
{
    const run *r = of;
    const lg_run_options *o = r->o;
    lg_lines_text(lines, "system", r->M->definition->name);
    lg_loop_describe(lines, &r->loop);
    lg_lines_number(lines, "tolerance", o->tolerance);
    lg_keeper_describe(lines, o->output != NULL, o->format);
    lg_lines_text(lines, "control", o->control != NULL ? "given" : "none");
    lg_lines_text(lines, "monitor", r->monitor != NULL ? "watches" : "none");
    lg_lines_numbers(lines, "initial-configuration", r->it->first_g, (size_t)r->it->plan.element_size);
    lg_lines_numbers(lines, "initial-momentum", r->it->first, 3 * (size_t)r->M->n);
    lg_integrator_describe(lines, r->it);
}

static void list_run(lg_tape *t, void *of)
{
    run *r = of;
    lg_loop_list(t, &r->loop);
    lg_integrator_list(t, r->it);
    lg_tape_doubles(t, r->columns, (size_t)r->M->columns);
    lg_tape_doubles(t, r->control, (size_t)r->S->callbacks.control_count);
    if (r->monitor != NULL) lg_monitor_list(t, r->monitor, r->it);
}

/* Beginning and end --------------------------------------------------------------------------------------------- */

static lg_status prepare_accuracy(run *r)
{
    const double began = lg_loop_now();
    const size_t controls = r->o->control != NULL ? (size_t)r->S->callbacks.control_count : 0;
    const lg_accuracy_options o = {&lg_mover_integrator,  &r->again, r->o->steps, controls, r->o->progress,
                                   r->o->progress_context};
    r->again = (lg_model_source){r->M, r->o};
    const lg_status status = lg_accuracy_create(&r->loop.accuracy, &o, r->it, &r->error);
    r->loop.began += lg_loop_now() - began;
    return status;
}

static void prepare_loop(run *r)
{
    const lg_run_options *o = r->o;
    lg_loop *l = &r->loop;
    l->kind = &loop_kind;
    l->run = r;
    l->steps = o->steps;
    l->every = o->every;
    l->progress = o->progress;
    l->progress_context = o->progress_context;
    l->hand_out = o->row;
    l->row_context = o->row_context;
    l->columns = r->M->names_count;
    l->error = &r->error;
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
    const lg_run_options *o = r->o;
    lg_status status = lg_run_check(o, &r->error);
    if (status == LG_OK) status = lg_run_begin(&r->it, r->M, o, lg_run_step(r->M, o), &r->error);
    if (status == LG_OK) status = lg_model_system(r->M, &r->S);
    if (status != LG_OK) return status;
    prepare_loop(r);
    r->loop.result->iterations = lg_integrator_iterations_name(r->it);
    r->loop.row = calloc((size_t)(r->M->names_count + r->M->columns + r->S->callbacks.control_count), sizeof(double));
    if (r->loop.row == NULL) return lg_fail(&r->error, LG_ERROR_MEMORY, "out of memory");
    r->columns = r->loop.row + r->M->names_count;
    r->control = r->columns + r->M->columns;
    if (o->monitor != NULL) {
        status = lg_monitor_create(o->monitor, r->M, r->it, o->steps, o->monitor_every);
        if (status != LG_OK) return lg_fail(&r->error, status, "out of memory");
        r->monitor = *o->monitor;
    }
    if (o->accuracy) status = prepare_accuracy(r);
    if (status != LG_OK) return status;
    return open_rows(r);
}

static lg_status run_whole(lg_model *M, lg_run_result *result, const lg_run_options *options)
{
    lg_status status;
    run *r = calloc(1, sizeof *r);
    if (options->monitor != NULL) *options->monitor = NULL;
    if (r == NULL) {
        snprintf(result->message, sizeof result->message, "lg_run: out of memory");
        return LG_ERROR_MEMORY;
    }
    r->M = M;
    r->o = options;
    r->loop.result = result;
    lg_loop_begin(&r->loop);
    status = prepare(r);
    if (status == LG_OK) {
        lg_integrator_set_pause(r->it, lg_loop_pause(&r->loop));
        status = lg_loop_end(&r->loop, lg_loop_walk(&r->loop));
        lg_integrator_set_pause(r->it, (lg_pause){NULL, NULL});
        if (r->S->callbacks.holonomic_count == 0) result->holonomic = NAN;
        if (r->monitor != NULL) lg_status_ignore(lg_monitor_predict(r->monitor, r->it)); /* no reason to fail */
        if (options->finish != NULL) (void)options->finish(r->it, options->finish_context);
        lg_accuracy_conclude(r->loop.accuracy, result);
    }
    if (status != LG_OK) memcpy(result->message, r->error.message, sizeof result->message);
    lg_accuracy_destroy(r->loop.accuracy);
    lg_integrator_destroy(r->it);
    lg_provenance_free(&r->loop.origin);
    free(r->loop.row);
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
    status = lg_run_result_check(result, &e);
    if (status != LG_OK) { /* there may be no room for a message in the result */
        if (M != NULL && M->definition != NULL) M->error = e;
        return status;
    }
    lg_run_result_blank(&own);
    if (M == NULL || M->definition == NULL || options == NULL)
        status = lg_fail(&e, LG_ERROR_ARGUMENT, "lg_run: %s",
                         M == NULL || options == NULL ? "a pointer is NULL" : lg_model_message(M));
    else
        status = lg_run_options_take(&o, options, &e);
    if (status == LG_OK && !lg_run_result_has_accuracy(result)) o.accuracy = 0; /* nowhere to put it */
    if (status == LG_OK)
        status = run_whole(M, &own, &o);
    else
        memcpy(own.message, e.message, sizeof own.message);
    lg_run_result_give(result, &own);
    return status;
}
