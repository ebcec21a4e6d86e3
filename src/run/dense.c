/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense engine: an integrator of the model's system. The motion has a copy of the model, so that the caller's may
 * change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>
#include <liegrp/run/run.h>

#include "base/arena.h"
#include "base/text.h"
#include "integrators/checkpoint.h"
#include "integrators/integrator.h"
#include "multibody/motion.h"
#include "run/begin.h"
#include "run/dense.h"

/* The integrator's message becomes the motion's. */
static lg_status say(lg_dense *d, lg_status status)
{
    if (status == LG_OK) lg_error_clear(&d->head.error);
    return status == LG_OK ? LG_OK : lg_fail(&d->head.error, status, "%s", lg_integrator_message(d->it));
}

void lg_dense_show(lg_dense *d)
{
    d->moves = d->it->moves;
    if (d->head.bodies == NULL) return;
    mb_sparse_show(d->head.bodies, lg_integrator_time(d->it), lg_integrator_configuration(d->it),
                   lg_integrator_momentum(d->it));
}

static size_t controls_of(const lg_dense *d)
{
    return (size_t)d->S->callbacks.control_count;
}

/* Creation -------------------------------------------------------------------------------------------------------- */

static void dense_destroy(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_integrator_destroy(d->it);
    lg_integrator_destroy(d->before);
    lg_integrator_destroy(d->whole);
    mb_sparse_destroy(d->head.bodies);
    lg_model_destroy(d->M);
    free(d->columns);
    lg_release(d);
}

static lg_status out_of_memory(lg_dense *d)
{
    return lg_fail(&d->head.error, LG_ERROR_MEMORY, "lg_motion: out of memory");
}

static lg_status make_numbers(lg_dense *d)
{
    const size_t columns = (size_t)d->M->columns, n = (size_t)d->M->n, size = (size_t)d->M->group->element_size;
    d->columns = calloc(3 * columns + 2 * n + size + controls_of(d), sizeof *d->columns);
    if (d->columns == NULL) return out_of_memory(d);
    d->written = d->columns + columns;
    d->given = d->written + columns;
    d->g = d->given + columns + n;
    d->xi = d->g + size;
    d->first = d->xi + n;
    return LG_OK;
}

static lg_status dense_set_halvings(lg_motion *mo, int halvings)
{
    lg_dense *d = lg_dense_of(mo);
    if (halvings < 0 || halvings > 30)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_halvings: %d; it must be from 0 to 30", halvings);
    if (halvings > 0 && lg_integrator_degree(d->it))
        return lg_fail(&mo->error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_halvings: controls are polynomials inside whole steps; set controls that are "
                       "held first");
    if (halvings > 0 && d->whole == NULL && lg_integrator_clone(&d->whole, d->it) != LG_OK) return out_of_memory(d);
    d->halvings = halvings;
    return LG_OK;
}

/* Of a mechanism, what its bodies are read from. */
static lg_status make_bodies(lg_dense *d, const lg_model *M, double h)
{
    if (M->mechanism == NULL) return LG_OK;
    const lg_status status = mb_sparse_create(&d->head.bodies, M->mechanism, NULL, h);
    return status == LG_OK ? LG_OK : out_of_memory(d);
}

static lg_status make(lg_dense *d, const lg_model *M, const lg_model *of, const lg_motion_options *o)
{
    lg_error *e = &d->head.error;
    lg_status status = lg_model_copy(&d->M, of, e);
    if (status == LG_OK && (status = lg_model_system(d->M, &d->S)) != LG_OK)
        return lg_fail(e, status, "%s", lg_model_message(d->M));
    if (status == LG_OK) status = make_numbers(d);
    if (status != LG_OK) return status;
    d->start = o->start;
    lg_text_copy(d->method, sizeof d->method, o->method);
    status = o->own_retraction != NULL ? lg_integrator_create_with(&d->it, d->S, o->method, o->own_retraction, o->step)
                                       : lg_integrator_create(&d->it, d->S, o->method, o->retraction, o->step);
    if (d->it == NULL) return out_of_memory(d);
    if (status == LG_OK && o->tolerance != 0) status = lg_integrator_set_tolerance(d->it, o->tolerance);
    if (status != LG_OK) return say(d, status);
    if (lg_integrator_clone(&d->before, d->it) != LG_OK) return out_of_memory(d);
    status = make_bodies(d, M, o->step);
    return status == LG_OK ? dense_set_halvings(&d->head, (int)o->halvings) : status;
}

lg_status lg_dense_create(lg_motion **motion, lg_model *M, const lg_motion_options *o)
{
    const lg_model *of = M;
    lg_status status = LG_OK;
    lg_dense *d = lg_reserve(sizeof *d);
    if (d == NULL) return LG_ERROR_MEMORY;
    *motion = &d->head;
    d->head.engine = &lg_engine_dense;
    d->head.model = M;
    d->head.look = lg_dense_look;
    if (M->mechanism != NULL) status = lg_model_dense(M, &of);
    if (status != LG_OK) return lg_fail(&d->head.error, status, "%s", lg_model_message(M));
    return make(d, M, of, o);
}

static lg_status dense_like(lg_motion **copy, const lg_motion *mo, double h)
{
    const lg_dense *d = lg_dense_seen(mo);
    const lg_motion_options o = {.size = sizeof o,
                                 .method = d->method,
                                 .step = h,
                                 .tolerance = lg_integrator_tolerance(d->it),
                                 .start = d->start,
                                 .halvings = d->halvings,
                                 .own_retraction = d->it->plan.retraction};
    lg_dense *like = lg_reserve(sizeof *like);
    if (like == NULL) return LG_ERROR_MEMORY;
    *copy = &like->head;
    like->head.engine = &lg_engine_dense;
    like->head.look = mo->look;
    like->head.model = mo->model;
    const lg_status status = make(like, mo->model, d->M, &o);
    if (mo->model == d->M) like->head.model = like->M; /* of an ensemble, whose motions are of their own models */
    return status;
}

/* Starts ---------------------------------------------------------------------------------------------------------- */

lg_status lg_dense_begin(lg_dense *d, double t0, int project)
{
    if (lg_integrator_degree(d->it))
        return lg_fail(
            &d->head.error, LG_ERROR_UNSUPPORTED,
            "lg_motion_start: controls are polynomials inside a step, and a motion starts with controls that "
            "are held; call lg_motion_set_control() first");
    const lg_status status = lg_integrator_start(d->it, t0, d->g, d->xi, d->start, project);
    d->now = (lg_dense_totals){0};
    if (status != LG_OK) return say(d, status);
    memcpy(d->first, d->it->control, controls_of(d) * sizeof *d->first);
    lg_model_write(d->M, d->columns, lg_integrator_configuration(d->it), d->given);
    lg_dense_show(d);
    return say(d, LG_OK);
}

static lg_status dense_adopt(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_status_ignore(mb_sparse_state(d->head.bodies, d->g, d->xi, NULL));
    if (controls_of(d) > 0) lg_status_ignore(lg_integrator_set_control(d->it, d->head.bodies->numbers.control));
    for (int i = 0; i < d->M->columns + d->M->n; i++) d->given[i] = NAN;
    return lg_dense_begin(d, d->head.bodies->t, 1);
}

static lg_status start_mechanism(lg_dense *d, double t0, const double *row, int project)
{
    const lg_status status = lg_model_start_bodies(d->head.model, d->head.bodies, t0, row, project);
    if (status != LG_OK) return lg_fail(&d->head.error, status, "%s", d->head.bodies->head.error.message);
    return dense_adopt(&d->head);
}

static lg_status dense_start(lg_motion *mo, double t0, const double *row, int project)
{
    lg_dense *d = lg_dense_of(mo);
    int said;
    if (mo->bodies != NULL) return start_mechanism(d, t0, row, project);
    for (int i = 0; i < d->M->columns + d->M->n; i++) {
        const double x = row != NULL ? row[LG_ROW_CONFIGURATION + i] : NAN;
        d->given[i] = isnan(x) ? d->M->initial[i] : x;
    }
    lg_status status = lg_model_initial_from(d->M, d->given, d->g, d->xi, &said, &mo->error);
    if (status == LG_OK && !project) {
        project = !said;
        status = lg_run_check_configuration(&mo->error, d->M, d->given, d->g);
    }
    return status == LG_OK ? lg_dense_begin(d, t0, project) : status;
}

static lg_status dense_start_state(lg_motion *mo, double t0, const double *g, const double *xi, int project)
{
    lg_dense *d = lg_dense_of(mo);
    memmove(d->g, g, (size_t)d->M->group->element_size * sizeof *g);
    memmove(d->xi, xi, (size_t)d->M->n * sizeof *xi);
    for (int i = 0; i < d->M->columns + d->M->n; i++) d->given[i] = NAN;
    return lg_dense_begin(d, t0, project);
}

static lg_status dense_set_control(lg_motion *mo, const double *u)
{
    lg_dense *d = lg_dense_of(mo);
    const lg_status status = lg_integrator_set_control(d->it, u);
    if (status == LG_OK && mo->bodies != NULL) lg_status_ignore(mb_sparse_set_control(mo->bodies, u));
    return say(d, status);
}

static lg_status dense_set_control_nodes(lg_motion *mo, int degree, const double *u)
{
    lg_dense *d = lg_dense_of(mo);
    if (mo->bodies != NULL)
        return lg_fail(&mo->error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_control_nodes: mechanisms hold their controls; degree must be 0");
    if (d->halvings > 0)
        return lg_fail(&mo->error, LG_ERROR_UNSUPPORTED,
                       "lg_motion_set_control_nodes: steps that may be halved hold controls; call "
                       "lg_motion_set_halvings() with 0");
    return say(d, lg_integrator_set_control_nodes(d->it, degree, u));
}

static lg_status dense_set_step(lg_motion *mo, double h)
{
    lg_dense *d = lg_dense_of(mo);
    const lg_status status = lg_integrator_set_step(d->it, h);
    if (status != LG_OK) return say(d, status);
    lg_status_ignore(lg_integrator_set_step(d->before, h));
    if (d->whole != NULL) lg_status_ignore(lg_integrator_set_step(d->whole, h));
    d->moves = d->it->moves;
    return say(d, LG_OK);
}

static double dense_parameter(const lg_motion *mo, int i)
{
    const lg_dense *d = lg_dense_of((lg_motion *)(uintptr_t)mo);
    return mo->bodies != NULL ? lg_mechanism_parameter_value(mo->bodies->mechanism, i) : d->M->param[i];
}

static lg_status dense_reset(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_status status = lg_integrator_reset(d->it);
    if (status == LG_OK && controls_of(d) > 0) status = dense_set_control(mo, d->first);
    if (status != LG_OK) return say(d, status);
    d->now = (lg_dense_totals){0};
    lg_model_write(d->M, d->columns, lg_integrator_configuration(d->it), d->given);
    lg_dense_show(d);
    return say(d, LG_OK);
}

static lg_status dense_follow(lg_motion *mo, const lg_motion *other)
{
    lg_dense *d = lg_dense_of(mo);
    const lg_dense *from = lg_dense_seen(other);
    lg_status status = LG_OK;
    if (lg_integrator_step_size(d->it) == lg_integrator_step_size(from->it)) {
        status = lg_integrator_follow(d->it, from->it);
    } else {
        status = lg_integrator_velocity(from->it, d->xi);
        memcpy(d->g, lg_integrator_configuration(from->it), (size_t)d->M->group->element_size * sizeof *d->g);
        if (status == LG_OK)
            status = lg_integrator_start(d->it, lg_integrator_time(from->it), d->g, d->xi, d->start, 1);
    }
    if (status != LG_OK) return say(d, status);
    d->now = from->now;
    memcpy(d->columns, from->columns, (size_t)d->M->columns * sizeof *d->columns);
    memcpy(d->given, from->given, (size_t)(d->M->columns + d->M->n) * sizeof *d->given);
    lg_dense_show(d);
    return LG_OK;
}

/* Steps ----------------------------------------------------------------------------------------------------------- */

static lg_status dense_set_tolerance(lg_motion *mo, double tolerance)
{
    return say(lg_dense_of(mo), lg_integrator_set_tolerance(lg_dense_of(mo)->it, tolerance));
}

static lg_status dense_set_solver(lg_motion *mo, double tolerance)
{
    lg_dense *d = lg_dense_of(mo);
    return say(d, lg_integrator_set_solver(d->it, tolerance, d->it->workspace->evaluations_max));
}

static void dense_keep(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_status_ignore(lg_integrator_follow(d->before, d->it));
    d->kept = d->now;
}

static void dense_back(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_status_ignore(lg_integrator_follow(d->it, d->before));
    d->now = d->kept;
    lg_dense_show(d);
}

/* A part of a step. */
static lg_status advance(lg_dense *d, double part)
{
    const double h = lg_integrator_step_size(d->it);
    const lg_status status =
        part == 1 ? lg_integrator_step(d->it) : lg_integrator_step_to(d->it, lg_integrator_time(d->it) + part * h);
    if (status != LG_OK) return status;
    d->now.step_work += lg_integrator_step_work(d->it);
    d->now.force_work += d->it->workspace->now->force_work;
    return status;
}

/* As advance(), or as 2, 4, ... 2^depth parts; only the caller can restore what came before them. */
static lg_status advance_halving(lg_dense *d, double part, int depth)
{
    const lg_status status = advance(d, part);
    if (status == LG_OK || depth == 0 || !lg_run_is_numeric(status)) return status;
    lg_status half = advance_halving(d, 0.5 * part, depth - 1);
    if (half == LG_OK) half = advance_halving(d, 0.5 * part, depth - 1);
    d->now.parts++;
    return half;
}

static lg_status dense_advance(lg_motion *mo, double part)
{
    lg_dense *d = lg_dense_of(mo);
    if (d->halvings > 0) lg_status_ignore(lg_integrator_follow(d->whole, d->it));
    d->uncut = d->now;
    d->now.step_work = 0;
    const lg_status status = say(d, advance_halving(d, part, d->halvings));
    if (status == LG_OK) {
        d->now.work += d->now.step_work;
    } else {
        d->now = d->uncut;
        if (d->halvings > 0 && status != LG_ERROR_INTERRUPTED) lg_status_ignore(lg_integrator_follow(d->it, d->whole));
    }
    lg_dense_show(d);
    return status;
}

/* Angles are unwrapped from here on. */
static void dense_settle(lg_motion *mo, int whole)
{
    lg_dense *d = lg_dense_of(mo);
    (void)whole; /* the integrator counts, and its clock starts again where a part of a step was made */
    if (d->M->angles) lg_model_write(d->M, d->columns, lg_integrator_configuration(d->it), d->columns);
}

static lg_status dense_step(lg_motion *mo, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        const lg_status status = dense_advance(mo, 1);
        if (status != LG_OK) return status;
        dense_settle(mo, 1);
    }
    return LG_OK;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

static void dense_describe(lg_lines *l, const void *object)
{
    const lg_dense *d = object;
    lg_lines_text(l, "system", d->M->definition->name);
    lg_integrator_describe(l, d->it);
}

static void dense_list(lg_tape *t, void *object)
{
    lg_dense *d = object;
    lg_integrator_list(t, d->it);
    lg_tape_long(t, &d->now.parts, 0, INT64_MAX / 2, LG_WRONG_STEPS);
    lg_tape_double(t, &d->now.work), lg_tape_double(t, &d->now.step_work), lg_tape_double(t, &d->now.force_work);
    lg_tape_doubles(t, d->columns, (size_t)d->M->columns);
    lg_tape_doubles(t, d->first, controls_of(d));
    lg_tape_doubles(t, d->given, (size_t)(d->M->columns + d->M->n));
    if (!t->reads || t->at == NULL || !d->it->started) return;
    lg_dense_show(d);
    if (d->head.bodies != NULL) lg_status_ignore(mb_sparse_set_control(d->head.bodies, d->it->control));
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static int dense_control_degree(const lg_motion *mo)
{
    return lg_integrator_degree(lg_dense_seen(mo)->it);
}

static int dense_started(const lg_motion *mo)
{
    return lg_dense_seen(mo)->it->started;
}

static lg_status dense_poses(const lg_motion *mo, double *poses)
{
    const lg_dense *d = lg_dense_seen(mo);
    if (mo->bodies == NULL)
        return lg_model_poses(d->M, poses, lg_integrator_time(d->it), lg_integrator_configuration(d->it));
    mb_sparse_poses(mo->bodies, poses);
    return LG_OK;
}

static double dense_time(const lg_motion *mo)
{
    return lg_integrator_time(lg_dense_seen(mo)->it);
}

static int64_t dense_step_index(const lg_motion *mo)
{
    return lg_integrator_step_index(lg_dense_seen(mo)->it) - lg_dense_seen(mo)->now.parts;
}

static double dense_step_size(const lg_motion *mo)
{
    return lg_integrator_step_size(lg_dense_seen(mo)->it);
}

static double dense_energy(const lg_motion *mo)
{
    return lg_integrator_energy(lg_dense_seen(mo)->it);
}

static double dense_gap(const lg_motion *mo)
{
    return lg_integrator_holonomic_residual(lg_dense_seen(mo)->it);
}

static double dense_slip(const lg_motion *mo)
{
    return lg_integrator_constraint_residual(lg_dense_seen(mo)->it);
}

static double dense_work(const lg_motion *mo)
{
    return lg_dense_seen(mo)->now.work;
}

/* Forces are one, what is given in time is the other. */
static void dense_account(const lg_motion *mo, double *account)
{
    const lg_dense_totals *now = &lg_dense_seen(mo)->now;
    for (int i = 0; i < LG_WORKS; i++) account[i] = isnan(now->work) ? now->work : 0;
    if (isnan(now->work)) return;
    account[LG_WORK_WRENCH] = now->force_work;
    account[LG_WORK_GROUND] = now->work - now->force_work;
}

static double dense_step_work(const lg_motion *mo)
{
    return lg_dense_seen(mo)->now.step_work;
}

static int dense_iterations(const lg_motion *mo)
{
    return lg_integrator_iterations(lg_dense_seen(mo)->it);
}

static int dense_halvings(const lg_motion *mo)
{
    return lg_dense_seen(mo)->halvings;
}

static double dense_tolerance(const lg_motion *mo)
{
    return lg_integrator_tolerance(lg_dense_seen(mo)->it);
}

static double dense_found_step(const lg_motion *mo)
{
    return lg_integrator_found_step(lg_dense_seen(mo)->it);
}

static double dense_step_error(const lg_motion *mo)
{
    return lg_integrator_step_error(lg_dense_seen(mo)->it);
}

static const char *dense_method(const lg_motion *mo)
{
    return lg_dense_seen(mo)->method;
}

static lg_observation dense_sight(const lg_motion *mo)
{
    return lg_observe(lg_dense_seen(mo)->it);
}

static const double *dense_control(const lg_motion *mo)
{
    return lg_dense_seen(mo)->it->control;
}

static lg_status dense_state(const lg_motion *mo, double *g, double *xi, double *p)
{
    const lg_dense *d = lg_dense_seen(mo);
    const size_t n = (size_t)d->M->n;
    if (g != NULL) memcpy(g, lg_integrator_configuration(d->it), (size_t)d->M->group->element_size * sizeof *g);
    if (p != NULL) memcpy(p, lg_integrator_momentum(d->it), n * sizeof *p);
    return xi != NULL ? lg_integrator_velocity(d->it, xi) : LG_OK;
}

lg_integrator *lg_motion_integrator(const lg_motion *mo)
{
    return mo != NULL && mo->engine == &lg_engine_dense ? lg_dense_seen(mo)->it : NULL;
}

const lg_engine lg_engine_dense = {
    .run = &lg_run_engine_dense,
    .like = dense_like,
    .destroy = dense_destroy,
    .follow = dense_follow,
    .adopt = dense_adopt,
    .start = dense_start,
    .start_state = dense_start_state,
    .reset = dense_reset,
    .set_control = dense_set_control,
    .set_control_nodes = dense_set_control_nodes,
    .set_step = dense_set_step,
    .set_parameters = lg_dense_set_parameters,
    .parameter = dense_parameter,
    .set_halvings = dense_set_halvings,
    .set_tolerance = dense_set_tolerance,
    .set_solver = dense_set_solver,
    .step = dense_step,
    .keep = dense_keep,
    .back = dense_back,
    .advance = dense_advance,
    .settle = dense_settle,
    .describe = dense_describe,
    .list = dense_list,
    .control_degree = dense_control_degree,
    .started = dense_started,
    .row = lg_dense_row,
    .interpolate = lg_dense_interpolate,
    .state = dense_state,
    .poses = dense_poses,
    .time = dense_time,
    .step_index = dense_step_index,
    .step_size = dense_step_size,
    .energy = dense_energy,
    .gap = dense_gap,
    .slip = dense_slip,
    .work = dense_work,
    .step_work = dense_step_work,
    .account = dense_account,
    .iterations = dense_iterations,
    .halvings = dense_halvings,
    .tolerance = dense_tolerance,
    .found_step = dense_found_step,
    .step_error = dense_step_error,
    .method = dense_method,
    .observation = dense_sight,
    .control = dense_control,
};
