/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole trajectory of a motion: what surrounds the loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/run/run.h>

#include "base/sized.h"
#include "integrators/collocation/controls.h"
#include "run/loop.h"
#include "run/model_private.h"

typedef struct run {
    lg_loop loop;
    uint64_t first; /* a sum of the first state */
    lg_error error;
} run;

/* Options --------------------------------------------------------------------------------------------------------- */

static const lg_sized kind = LG_SIZED_AS(lg_run_options, observe_context, "start from lg_run_options_default()");

void lg_run_options_init(lg_run_options *options, size_t size)
{
    const lg_run_options own = {.size = sizeof own, .steps = 1000, .every = 1, .accuracy = 1};
    lg_sized_give(&kind, options, size, &own);
}

static lg_status check(const lg_motion *mo, const lg_run_options *o, lg_error *e)
{
    if (o->steps < 0 || o->steps > INT64_C(1000000000000000))
        return lg_fail(e, LG_ERROR_ARGUMENT, "the number of steps must be in [0, 1e15], got %lld", (long long)o->steps);
    if (o->every < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "rows every %lld steps: it must be at least 1", (long long)o->every);
    if (o->monitor_every < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "a monitor every %lld steps: it must be at least 1, or 0 for a good one",
                       (long long)o->monitor_every);
    if (o->accuracy != 0 && o->accuracy != 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "accuracy is %lld: expected 1 to measure it, 0 not to",
                       (long long)o->accuracy);
    if (o->control != NULL && lg_model_control_count(mo->model) == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_run: control is set, but %s has no controls",
                       lg_model_name(mo->model));
    if (o->control_degree < 0 || o->control_degree > LG_CONTROL_DEGREE_MOST)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_run: control_degree is %lld; expected 0 to %d",
                       (long long)o->control_degree, LG_CONTROL_DEGREE_MOST);
    if (o->control_degree > 0 && o->control == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_run: control_degree is %lld, but there is no control",
                       (long long)o->control_degree);
    if ((o->control_degree > 0 || (o->control == NULL && mo->engine->control_degree(mo))) &&
        (o->accuracy != 0 || o->checkpoint != NULL))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_run: with controls that are polynomials inside a step %s",
                       o->accuracy != 0 ? "the accuracy is not measured; set accuracy to 0"
                                        : "there are no checkpoints; set checkpoint to NULL");
    return lg_format_check(o->format, e);
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

static void describe_run(lg_lines *lines, const void *of)
{
    const run *r = of;
    const lg_run_options *o = r->loop.o;
    lg_motion *mo = r->loop.mo;
    lg_lines_text(lines, "system", lg_model_name(mo->model));
    lg_loop_describe(lines, &r->loop);
    lg_lines_number(lines, "tolerance", lg_motion_tolerance(mo));
    lg_lines_number(lines, "halvings", mo->engine->halvings(mo));
    lg_keeper_describe(lines, o->output != NULL, o->format);
    lg_lines_text(lines, "control", o->control != NULL ? "given" : "none");
    lg_lines_text(lines, "monitor", r->loop.monitor != NULL ? "watches" : "none");
    lg_lines_sum(lines, "initial-state", r->first);
    mo->engine->describe(lines, mo);
}

static void list_run(lg_tape *t, void *of)
{
    run *r = of;
    lg_motion *mo = r->loop.mo;
    lg_loop_list(t, &r->loop);
    mo->engine->list(t, mo);
    lg_tape_doubles(t, r->loop.u, (size_t)lg_model_control_count(mo->model));
    if (r->loop.monitor != NULL) lg_monitor_list(t, r->loop.monitor, mo);
}

/* A sum of the present state: a checkpoint of a run from another one is refused. LG_ERROR_MEMORY. */
static lg_status sum_state(uint64_t *sum, const lg_motion *mo)
{
    const size_t size = mo->engine->run->size(mo);
    double *g = calloc(size + 1, sizeof *g);
    if (g == NULL) return LG_ERROR_MEMORY;
    mo->engine->run->configuration(g, mo);
    *sum = lg_sum(LG_SUM, g, size * sizeof *g);
    const double speed[2] = {lg_motion_energy(mo), lg_motion_time(mo)};
    *sum = lg_sum(*sum, speed, sizeof speed);
    free(g);
    return LG_OK;
}

/* Beginning and end ----------------------------------------------------------------------------------------------- */

static lg_status prepare_accuracy(run *r)
{
    const double began = lg_loop_now();
    const lg_run_options *o = r->loop.o;
    const size_t controls = o->control != NULL ? (size_t)lg_model_control_count(r->loop.mo->model) : 0;
    const lg_accuracy_options accuracy = {o->steps, controls, o->progress, o->progress_context};
    const lg_status status = lg_accuracy_create(&r->loop.accuracy, &accuracy, r->loop.mo, &r->error);
    r->loop.began += lg_loop_now() - began;
    return status;
}

static lg_status prepare(run *r)
{
    lg_loop *l = &r->loop;
    lg_motion *mo = l->mo;
    const lg_run_options *o = l->o;
    const size_t columns = (size_t)lg_model_column_count(mo->model),
                 controls = (size_t)lg_model_control_count(mo->model);
    lg_status status = check(mo, o, &r->error);
    if (status != LG_OK) return status;
    const size_t numbers = controls * (size_t)(o->control_degree + 1);
    l->error = &r->error;
    l->keeper.kept = (lg_kept){"run", NULL, describe_run, list_run};
    l->keeper.run = r;
    l->result->iterations = mo->engine->run->iterations_name(mo);
    l->row = calloc(columns + numbers + 1, sizeof *l->row);
    if (l->row == NULL || sum_state(&r->first, mo) != LG_OK)
        return lg_fail(&r->error, LG_ERROR_MEMORY, "out of memory");
    l->u = l->row + columns;
    if (controls > 0 && numbers == controls) memcpy(l->u, mo->engine->control(mo), controls * sizeof *l->u);
    mo->engine->run->watch(mo, 1);
    if (o->monitor != NULL) {
        status = lg_monitor_create(o->monitor, mo, o->steps, o->monitor_every);
        if (status != LG_OK) return lg_fail(&r->error, status, "out of memory");
        l->monitor = *o->monitor;
    }
    if (o->accuracy) status = prepare_accuracy(r);
    if (status == LG_OK) status = lg_loop_tell(l);
    return status == LG_OK ? lg_loop_open(l) : status;
}

static lg_status run_whole(lg_motion *mo, lg_run_result *result, const lg_run_options *o)
{
    run *r = calloc(1, sizeof *r);
    if (o->monitor != NULL) *o->monitor = NULL;
    if (r == NULL) {
        snprintf(result->message, sizeof result->message, "lg_run: out of memory");
        return LG_ERROR_MEMORY;
    }
    lg_loop *l = &r->loop;
    l->mo = mo;
    l->o = o;
    l->result = result;
    lg_loop_begin(l);
    lg_status status = prepare(r);
    if (status == LG_OK) {
        mo->engine->run->set_pause(mo, lg_loop_pause(l));
        status = lg_loop_end(l, lg_loop_walk(l));
        mo->engine->run->set_pause(mo, (lg_pause){NULL, NULL});
        if (l->monitor != NULL) lg_status_ignore(lg_monitor_predict(l->monitor, mo)); /* no reason to fail */
        lg_accuracy_conclude(l->accuracy, result);
        mo->engine->run->conclude(mo, result);
    }
    if (status != LG_OK) memcpy(result->message, r->error.message, sizeof result->message);
    lg_accuracy_destroy(l->accuracy);
    lg_provenance_free(&l->origin);
    free(l->row);
    free(r);
    return status;
}

lg_status lg_run(lg_motion *mo, lg_run_result *result, const lg_run_options *options)
{
    lg_run_options o;
    lg_run_result own;
    lg_error e = {LG_OK, ""};
    if (result == NULL) return LG_ERROR_ARGUMENT;
    lg_status status = lg_run_result_check(result, &e);
    if (status != LG_OK) { /* there may be no room for a message in the result */
        if (mo != NULL) mo->error = e;
        return status;
    }
    lg_run_result_blank(&own);
    lg_run_options_init(&o, sizeof o);
    if (mo == NULL || options == NULL)
        status = lg_fail(&e, LG_ERROR_ARGUMENT, "lg_run: a pointer is NULL");
    else if (mo->engine == NULL || !mo->engine->started(mo))
        status = lg_fail(&e, LG_ERROR_ARGUMENT, "lg_run: the motion is not started; call lg_motion_start() before");
    else
        status = lg_sized_take(&kind, &o, options, &e);
    if (status == LG_OK && !lg_run_result_has_accuracy(result)) o.accuracy = 0; /* nowhere to put it */
    if (status == LG_OK)
        status = run_whole(mo, &own, &o);
    else
        memcpy(own.message, e.message, sizeof own.message);
    if (status != LG_OK && mo != NULL && mo->engine != NULL) (void)lg_fail(&mo->error, status, "%s", own.message);
    lg_run_result_give(result, &own);
    return status;
}

/* Resolution ------------------------------------------------------------------------------------------------------ */

lg_status lg_motion_resolution(const lg_motion *mo, lg_resolution *r, int64_t steps)
{
    lg_motion *ahead = NULL, *before = NULL;
    if (mo == NULL || mo->engine == NULL || !mo->engine->started(mo) || r == NULL || r->size != sizeof *r || steps < 1)
        return LG_ERROR_ARGUMENT;
    lg_status status = lg_motion_clone(&ahead, mo);
    if (status == LG_OK) status = lg_motion_clone(&before, mo);
    for (int64_t k = 0; status == LG_OK && k < steps; k++) {
        status = mo->engine->follow(before, ahead);
        if (status == LG_OK) status = lg_motion_step(ahead, 1);
        if (status == LG_OK) (void)mo->engine->run->repeat(r, ahead, before);
    }
    lg_motion_destroy(ahead);
    lg_motion_destroy(before);
    return status;
}
