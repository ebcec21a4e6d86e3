/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the dense engine, and what runs ask of it besides: what the rows come from, how far states are apart. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <liegrp/run/run.h>

#include "integrators/integrator.h"
#include "run/dense.h"
#include "run/motion_columns.h"

/* The integrator may have been moved by itself (lg_motion_integrator()): the work of a step there is in no sum. */
void lg_dense_look(const lg_motion *mo)
{
    lg_dense *d = (lg_dense *)(uintptr_t)mo;
    if (d->it == NULL) return;
    if (mo->bodies != NULL)
        memcpy(mo->bodies->numbers.control, d->it->control, (size_t)d->S->callbacks.control_count * sizeof(double));
    if (d->moves == d->it->moves) return;
    const double work = d->it->step == 0 ? 0 : NAN;
    d->now = (lg_dense_totals){.work = work, .step_work = work};
    lg_model_write(d->M, d->columns, lg_integrator_configuration(d->it), d->columns);
    lg_dense_show(d);
}

/* Step, t, configuration, velocity, momentum, figures, invariants. */
static void fill_row(const lg_model *M, double *at, const lg_integrator *it, int64_t step, const double *columns,
                     const lg_observation *s)
{
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    const double t = lg_integrator_time(it);
    const lg_call call = lg_integrator_call(it, &t);
    *at++ = (double)step;
    *at++ = t;
    memcpy(at, columns, (size_t)M->columns * sizeof *at);
    at += M->columns;
    if (lg_integrator_velocity(it, at) != LG_OK)
        for (int i = 0; i < M->n; i++) at[i] = NAN;
    at += M->n;
    memcpy(at, p, (size_t)M->n * sizeof *at);
    at += M->n;
    *at++ = s->energy, *at++ = s->energy_post, *at++ = s->constraint, *at++ = s->normal;
    for (int i = 0; i < M->definition->invariant_count; i++, at++)
        if (M->definition->invariants[i].value(&call, g, p, at) != 0) *at = NAN;
}

lg_status lg_dense_row(const lg_motion *mo, double *row, const lg_observation *s)
{
    const lg_dense *d = lg_dense_seen(mo);
    if (mo->bodies == NULL) {
        const lg_observation seen_now = s != NULL ? *s : lg_observe(d->it);
        lg_model_write(d->M, d->written, lg_integrator_configuration(d->it), d->columns);
        fill_row(d->M, row, d->it, lg_motion_step_index(mo), d->written, &seen_now);
        return LG_OK;
    }
    return lg_motion_columns_row(mo->model->bodies, row, mo->bodies, lg_motion_step_index(mo), d->now.work, NULL);
}

lg_status lg_dense_interpolate(const lg_motion *mo, double *row, double s)
{
    lg_dense *d = (lg_dense *)(uintptr_t)mo;
    mb_sparse *bodies = mo->bodies;
    double t;
    lg_status status = lg_integrator_interpolate(d->it, &t, d->g, d->xi, s);
    if (status != LG_OK) return status;
    if (bodies == NULL) {
        row[1] = t;
        lg_model_write(d->M, row + LG_ROW_CONFIGURATION, d->g, d->columns);
        memcpy(row + LG_ROW_CONFIGURATION + d->M->columns, d->xi, (size_t)d->M->n * sizeof *d->xi);
        return LG_OK;
    }
    mb_save(bodies, &bodies->saved[0]);
    status = lg_motion_columns_show(mo->model->bodies, row, bodies, t, d->g, d->xi);
    memcpy(bodies->numbers.node[bodies->numbers.now].q, bodies->saved[0].q,
           (size_t)bodies->plan.coordinates * sizeof *bodies->saved[0].q);
    lg_dense_show(d);
    return status;
}

static const char *dense_iterations_name(const lg_motion *mo)
{
    return lg_integrator_iterations_name(lg_dense_seen(mo)->it);
}

static int dense_order(const lg_motion *mo)
{
    return lg_integrator_order(lg_dense_seen(mo)->it);
}

static void dense_set_pause(lg_motion *mo, lg_pause pause)
{
    lg_integrator_set_pause(lg_dense_of(mo)->it, pause);
}

static void dense_watch(lg_motion *mo, int first)
{
    (void)mo, (void)first;
}

static void dense_conclude(const lg_motion *mo, lg_run_result *result)
{
    if (lg_dense_seen(mo)->S->callbacks.holonomic_count == 0) result->holonomic = NAN;
}

/* Parameters, and the initial data: what the caller gave of them by name, and what they became. */
static void describe_system(lg_json *j, const lg_dense *d)
{
    const lg_model *M = d->M;
    const lg_model_definition *of = M->definition;
    const int64_t n = M->n;
    lg_json_open(j, "parameters", '{');
    for (int i = 0; i < of->parameter_count; i++) lg_json_number(j, of->parameters[i].name, M->param[i]);
    lg_json_close(j, '}');
    lg_json_open(j, "given", '{');
    for (int i = 0; i < M->columns + M->n; i++)
        if (!isnan(d->given[i])) lg_json_number(j, M->names[LG_ROW_CONFIGURATION + i], d->given[i]);
    lg_json_close(j, '}');
    lg_json_open(j, "initial", '{');
    lg_json_numbers(j, "configuration", lg_integrator_configuration(d->it), M->group->element_size);
    if (lg_integrator_velocity(d->it, d->xi) == LG_OK) lg_json_numbers(j, "velocity", d->xi, n);
    lg_json_numbers(j, "momentum", lg_integrator_momentum(d->it), n);
    lg_json_close(j, '}');
}

static void dense_origin(lg_provenance *p, const lg_motion *mo)
{
    const lg_dense *d = lg_dense_seen(mo);
    lg_json_text(&p->json, "group", lg_group_name(d->M->group));
    describe_system(&p->json, d);
    lg_provenance_text(p, "method", d->method);
    lg_provenance_text(p, "retraction", d->it->plan.retraction->name);
    lg_provenance_start(p, d->start);
}

static size_t dense_size(const lg_motion *mo)
{
    return (size_t)lg_dense_seen(mo)->M->group->element_size;
}

static void dense_configuration(double *g, const lg_motion *mo)
{
    memcpy(g, lg_integrator_configuration(lg_dense_seen(mo)->it), dense_size(mo) * sizeof *g);
}

static lg_apart dense_apart(const lg_motion *mo, const double *a, const double *b)
{
    return lg_configurations_apart(lg_dense_seen(mo)->M->group, a, b);
}

static double dense_velocities(const lg_motion *a, const lg_motion *b, double *speed)
{
    return lg_velocities_apart(lg_dense_seen(a)->it, lg_dense_seen(b)->it, speed);
}

static double dense_repeat(lg_resolution *r, const lg_motion *mo, lg_motion *before)
{
    return lg_resolution_add(r, lg_dense_seen(mo)->it, lg_dense_of(before)->it);
}

/* As far as numbers go: below what may be asked for, round-off is all that is left. */
static void dense_tighten(lg_motion *mo)
{
    lg_integrator *it = lg_dense_of(mo)->it;
    lg_adaptive_set(it->workspace, fmax(1e-3 * lg_integrator_tolerance(it), 1e-16));
}

const lg_run_engine lg_run_engine_dense = {
    .iterations_name = dense_iterations_name,
    .order = dense_order,
    .set_pause = dense_set_pause,
    .watch = dense_watch,
    .conclude = dense_conclude,
    .origin = dense_origin,
    .size = dense_size,
    .configuration = dense_configuration,
    .apart = dense_apart,
    .velocities = dense_velocities,
    .repeat = dense_repeat,
    .tighten = dense_tighten,
};
