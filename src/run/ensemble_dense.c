/* SPDX-License-Identifier: BSD-3-Clause */
/* Instances of a definition: an integrator takes them in turn (integrators/instances.h), lanes are those of
 * engine/wide.h. A record is parameters, controls, snapshot. */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "integrators/instances.h"
#include "integrators/integrator.h"
#include "run/begin.h"
#include "run/dense.h"
#include "run/ensemble_private.h"

static const lg_model *model_of(const lg_motion *mo)
{
    return lg_dense_seen(mo)->M;
}

static lg_integrator *its(const lg_motion *mo)
{
    return lg_motion_integrator(mo);
}

static size_t parameters_of(const lg_integrator *it)
{
    return (size_t)it->S.parameter_count;
}

static size_t controls_of(const lg_integrator *it)
{
    return (size_t)it->S.callbacks.control_count;
}

/* ---- classes ---- */

static lg_status dense_add(lg_worker *worker, lg_ensemble *E, lg_error *e)
{
    lg_motion **mo = &worker->motion[worker->classes];
    void **wide = &worker->wide[worker->classes];
    lg_wide *W = NULL;
    lg_status status = lg_motion_create(mo, worker->M, &E->o);
    if (status != LG_OK) {
        (void)lg_fail(e, status, "%s", *mo != NULL ? lg_motion_message(*mo) : lg_status_text(status));
        lg_motion_destroy(*mo);
        *mo = NULL;
        return status;
    }
    lg_dense *d = lg_dense_of(*mo);
    (*mo)->model = d->M, (*mo)->look = NULL;
    if (E->width > 1 && lg_wide_has_form(d->it)) status = lg_wide_create(&W, d->it, E->width);
    *wide = W;
    worker->classes++;
    if (worker == E->workers[0] && worker->classes == 1) /* the caller's texts may end with the call */
        E->o.method = d->method, E->o.retraction = NULL, E->o.own_retraction = d->it->plan.retraction;
    return status == LG_OK ? LG_OK : lg_fail(e, status, "lg_ensemble: %s", lg_status_text(status));
}

static void dense_remove(lg_worker *worker)
{
    const int last = --worker->classes;
    lg_wide_destroy(worker->wide[last]);
    lg_motion_destroy(worker->motion[last]);
    worker->wide[last] = worker->motion[last] = NULL;
}

static size_t dense_bytes(const lg_worker *worker, const lg_ensemble *E)
{
    size_t bytes = sizeof *worker + lg_model_bytes(worker->M);
    (void)E;
    for (int c = 0; c < worker->classes; c++) {
        bytes += sizeof(lg_dense) + lg_model_bytes(worker->M) + 2 * lg_integrator_bytes(its(worker->motion[c]));
        if (worker->wide[c] != NULL) bytes += lg_wide_bytes(worker->wide[c]);
    }
    return bytes;
}

/* The class of worker->M among those that the worker knows from `from` on; -1: none of them. Every motion has a product
 * group of its own, equal to that of worker->M. */
static int find_class(const lg_worker *worker, int from)
{
    lg_system S = worker->M->system;
    for (int c = from; c < worker->classes; c++) {
        S.group = model_of(worker->motion[c])->group;
        if (lg_integrator_fits(its(worker->motion[c]), &S)) return c;
    }
    return -1;
}

/* 1: records have room for its state. */
static int has_room(const lg_worker *worker, const lg_integrator *it, lg_error *e)
{
    if (lg_instance_size(it) <= lg_instance_size(its(worker->motion[0]))) return 1;
    (void)lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: the state of this instance is larger than the first's");
    return 0;
}

/* Catches up with the other workers; if worker->M is of none of their classes either, it makes one. `param` holds its
 * parameters. */
static lg_status learn_class(lg_worker *worker, lg_ensemble *E, const double *param, int *which, lg_error *e)
{
    const size_t np = (size_t)worker->M->definition->parameter_count;
    const int known = worker->classes;
    lg_status status = lg_worker_catch_up(worker, E, e);
    memcpy(worker->M->param, param, np * sizeof *param);
    worker->M->ready = 0;
    if (status == LG_OK && (status = lg_model_assemble(worker->M)) != LG_OK)
        (void)lg_fail(e, status, "%s", lg_model_message(worker->M));
    if (status != LG_OK || (*which = find_class(worker, known)) >= 0) return status;
    if (worker->classes == LG_CLASSES)
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_ensemble: more than %d structures among the instances", LG_CLASSES);
    status = dense_add(worker, E, e);
    if (status != LG_OK) return status;
    if (!has_room(worker, its(worker->motion[worker->classes - 1]), e)) {
        dense_remove(worker);
        return e->status;
    }
    *which = E->classes;
    memcpy(E->class_parameters + (size_t)E->classes * np, param, np * sizeof *param);
    E->classes++;
    return LG_OK;
}

static lg_status dense_classify(lg_worker *worker, lg_ensemble *E, int64_t i, int *which, lg_error *e)
{
    const lg_system *S = NULL;
    lg_model *M = worker->M;
    lg_status status = lg_model_system(M, &S);
    if (status != LG_OK) return lg_fail(e, status, "%s", lg_model_message(M));
    *which = find_class(worker, 0);
    if (*which < 0) {
#ifdef _OPENMP
        omp_set_lock(&E->lock);
#endif
        status = learn_class(worker, E, lg_ensemble_record(E, i), which, e);
#ifdef _OPENMP
        omp_unset_lock(&E->lock);
#endif
    }
    if (status != LG_OK) return status;
    lg_dense *d = lg_dense_of(worker->motion[*which]);
    memcpy(d->M->initial, M->initial, (size_t)(M->columns + M->n) * sizeof *M->initial);
    return lg_dense_adopt(d, M->param, e);
}

/* ---- records ---- */

static size_t dense_size(const lg_motion *mo, size_t *control_at)
{
    *control_at = parameters_of(its(mo));
    return *control_at + controls_of(its(mo)) + lg_instance_size(its(mo));
}

static void dense_pack(const lg_motion *mo, double *record)
{
    const lg_integrator *it = its(mo);
    const size_t np = parameters_of(it), nc = controls_of(it);
    if (np > 0) memcpy(record, it->S.parameter_values, np * sizeof *record);
    memcpy(record + np, it->control, nc * sizeof *record);
    lg_instance_save(it, record + np + nc);
}

/* Its angles are not unwrapped from others. */
static void forget_angles(lg_dense *d)
{
    for (int k = 0; k < d->M->columns; k++) d->columns[k] = NAN;
}

static lg_status dense_unpack(lg_motion *mo, const double *record, double t0, int64_t steps, lg_error *e)
{
    lg_dense *d = lg_dense_of(mo);
    const double *control = record + parameters_of(d->it), t = t0 + (double)steps * d->it->h;
    const lg_status status = lg_dense_adopt(d, record, e);
    d->now = (lg_dense_totals){.work = NAN, .step_work = NAN};
    forget_angles(d);
    return status != LG_OK ? status : lg_instance_load(d->it, control, t0, steps, t, control + controls_of(d->it), e);
}

static void dense_clock(const lg_motion *mo, double *t0, int64_t *steps)
{
    *t0 = its(mo)->base_t;
    *steps = its(mo)->step - its(mo)->base_step;
}

static void dense_give_control(lg_motion *mo, const double *u)
{
    lg_instance_set_control(its(mo), u);
}

static int dense_feels_control(const lg_motion *mo)
{
    return lg_instance_feels_control(its(mo));
}

static int same_settings(const lg_dense *a, const lg_dense *b)
{
    const lg_workspace *v = a->it->workspace, *w = b->it->workspace;
    return strcmp(a->method, b->method) == 0 && a->it->plan.retraction == b->it->plan.retraction &&
           a->it->h == b->it->h && a->halvings == b->halvings && a->start == b->start && v->tolerance == w->tolerance &&
           v->iterations_max == w->iterations_max && v->implicit_tolerance == w->implicit_tolerance &&
           v->evaluations_max == w->evaluations_max;
}

static lg_status dense_fits(const lg_ensemble *E, const lg_motion *mo, const char *function, lg_error *e)
{
    const lg_motion *own_motion = E->workers[0]->motion[0];
    const lg_dense *a = lg_dense_seen(own_motion), *b = lg_dense_seen(mo);
    if (mo->engine != own_motion->engine || mo->bodies != NULL || !lg_model_same(a->M, b->M))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s: mixed systems: an ensemble of %s, a motion of %s; make an ensemble for each", function,
                       lg_model_name(E->model), lg_model_name(mo->model));
    if (lg_motion_tolerance(mo) != E->o.tolerance)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the motion has the tolerance %g, the ensemble %g", function,
                       lg_motion_tolerance(mo), E->o.tolerance);
    if (same_settings(a, b)) return has_room(E->workers[0], b->it, e) ? LG_OK : e->status;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "%s: the motion has another method, retraction, step, start or solver, or halvings; create it with "
                   "those of the ensemble",
                   function);
}

static void dense_remember(lg_motion *mo)
{
    lg_dense *d = lg_dense_of(mo);
    lg_instance_set_first(d->it);
    memcpy(d->first, d->it->control, controls_of(d->it) * sizeof *d->first);
    forget_angles(d);
    for (int i = 0; i < d->M->columns + d->M->n; i++) d->given[i] = NAN;
}

/* Halves end where the step would, and count as one. */
static int dense_step(lg_motion *mo, lg_error *e)
{
    lg_dense *d = lg_dense_of(mo);
    lg_integrator *it = d->it;
    if (!lg_instance_step(it, "lg_ensemble_run", e)) return 0;
    if (d->halvings == 0 || !lg_run_is_numeric(e->status)) return 1;
    const double t0 = it->base_t, t1 = lg_next_time(it);
    const int64_t steps = it->step - it->base_step + 1;
    if (mo->engine->advance(mo, 1) != LG_OK) return 1; /* *e says why the whole step fails */
    lg_instance_set_clock(it, t0, steps);
    it->workspace->now->t = t1;
    d->now = (lg_dense_totals){.work = NAN, .step_work = NAN};
    lg_error_clear(e);
    return 0;
}

/* ---- lanes ---- */

static lg_status dense_load(lg_ensemble_block *b, int l, int64_t i, lg_error *e)
{
    const lg_ensemble *E = b->E;
    const lg_status status = dense_unpack(b->motion, lg_ensemble_record(E, i), E->t0[i], E->steps[i], e);
    if (status == LG_OK) lg_wide_put(b->wide, l, its(b->motion));
    return status;
}

static void dense_get(const lg_ensemble_block *b, int l)
{
    lg_integrator *it = its(b->motion);
    lg_wide_get(b->wide, l, it);
    lg_instance_set_clock(it, b->t0[l], (int64_t)b->step[l]);
}

static void dense_put(const lg_ensemble_block *b, int l)
{
    lg_wide_put(b->wide, l, its(b->motion));
}

static void dense_copy(const lg_ensemble_block *b, int to, int from)
{
    lg_wide_copy(b->wide, to, from);
}

static void dense_save(const lg_ensemble_block *b, int l, double *record)
{
    const lg_integrator *it = its(b->motion);
    lg_wide_save(b->wide, l, record + parameters_of(it) + controls_of(it));
}

static int dense_step_lanes(lg_ensemble_block *b)
{
    const double h = b->E->o.step;
    double t1[LG_WIDTH_MOST];
    for (int l = 0; l < b->E->width; l++) t1[l] = b->t0[l] + (b->step[l] + 1) * h;
    return lg_wide_step(b->wide, h, t1);
}

static int dense_figures(const lg_ensemble_block *b, double *energy, double *constraint)
{
    return lg_wide_figures(b->wide, energy, constraint);
}

const lg_ensemble_engine lg_ensemble_dense = {
    .add = dense_add,
    .remove = dense_remove,
    .bytes = dense_bytes,
    .size = dense_size,
    .pack = dense_pack,
    .unpack = dense_unpack,
    .clock = dense_clock,
    .classify = dense_classify,
    .give_control = dense_give_control,
    .feels_control = dense_feels_control,
    .fits = dense_fits,
    .remember = dense_remember,
    .step = dense_step,
    .load = dense_load,
    .get = dense_get,
    .put = dense_put,
    .copy = dense_copy,
    .save = dense_save,
    .step_lanes = dense_step_lanes,
    .figures = dense_figures,
};
