/* SPDX-License-Identifier: BSD-3-Clause */
/* The public motion: what is asked of it is asked of its engine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "base/arena.h"
#include "base/sized.h"
#include "multibody/motion.h"
#include "run/engine.h"
#include "run/model_private.h"

static const lg_sized kind = LG_SIZED_AS(lg_motion_options, step, "start from lg_motion_options_default()");

void lg_motion_options_init(lg_motion_options *options, size_t size)
{
    const lg_motion_options own = {.size = sizeof own};
    lg_sized_give(&kind, options, size, &own);
}

/* Creation -------------------------------------------------------------------------------------------------------- */

/* A motion that holds the message alone. */
static lg_status only_message(lg_motion **motion, const lg_error *e)
{
    *motion = lg_reserve(sizeof **motion);
    if (*motion == NULL) return LG_ERROR_MEMORY;
    (*motion)->error = *e;
    return e->status;
}

lg_status lg_motion_options_take(lg_motion_options *o, const lg_model *M, const lg_motion_options *given, lg_error *e)
{
    lg_motion_options_init(o, sizeof *o);
    lg_status status = given != NULL ? lg_sized_take(&kind, o, given, e) : LG_OK;
    if (status != LG_OK) return status;
    if (!lg_model_is_made(M))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_create: %s",
                       M != NULL ? lg_model_message(M) : "the model is NULL");
    if (o->step == 0) o->step = lg_model_default_step(M);
    if (!isfinite(o->step))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: the step is %g; expected a finite number, or 0 for the "
                       "model's own",
                       o->step);
    if (o->start != LG_START_REACTION && o->start != LG_START_LEGENDRE && o->start != LG_START_PAPER)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_create: unknown start %d", (int)o->start);
    if (o->halvings < 0 || o->halvings > 30)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_motion_create: %lld halvings; expected 0 to 30",
                       (long long)o->halvings);
    if (o->own_retraction != NULL && o->retraction != NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_motion_create: a retraction is given by name, '%.40s', and as an object; "
                       "leave one out",
                       o->retraction);
    if (o->method == NULL) o->method = "sem";
    return LG_OK;
}

lg_status lg_motion_create(lg_motion **motion, lg_model *M, const lg_motion_options *options)
{
    lg_motion_options o;
    lg_error e = {LG_OK, ""};
    if (motion == NULL) return LG_ERROR_ARGUMENT;
    *motion = NULL;
    lg_status status = lg_motion_options_take(&o, M, options, &e);
    if (status != LG_OK) return only_message(motion, &e);
    if ((status = lg_model_now(&M, M)) != LG_OK) {
        (void)lg_fail(&e, status, "lg_motion_create: %s", lg_model_message(M));
        return only_message(motion, &e);
    }
    const int sparse = M->mechanism != NULL && lg_method_is_sparse(o.method);
    if (sparse && ((o.retraction != NULL && strcmp(o.retraction, "exp") != 0) || o.own_retraction != NULL))
        (void)lg_fail(
            &e, LG_ERROR_UNSUPPORTED,
            "lg_motion_create: the step of mechanisms has no retraction, got '%.40s'; leave it out, or choose "
            "a method such as sem:gauss=1, which has one",
            o.retraction != NULL ? o.retraction : "an object");
    if (sparse && o.start != LG_START_REACTION)
        (void)lg_fail(&e, LG_ERROR_UNSUPPORTED, "lg_motion_create: %.40s has one start, LG_START_REACTION", o.method);
    if (e.status != LG_OK) return only_message(motion, &e);
    if (o.retraction == NULL && o.own_retraction == NULL) o.retraction = "exp";
    status = sparse ? lg_sparse_create(motion, M, &o) : lg_dense_create(motion, M, &o);
    if (status == LG_OK || *motion == NULL) return status;
    e = (*motion)->error;
    (*motion)->engine->destroy(*motion);
    return only_message(motion, &e);
}

/* LG_OK: it was made. */
static lg_status made(lg_motion *mo)
{
    if (mo == NULL || mo->engine == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->error);
    return LG_OK;
}

/* 1: it has a state. */
static int has_state(const lg_motion *mo)
{
    return mo != NULL && mo->engine != NULL && lg_motion_seen(mo)->engine->started(mo);
}

lg_status lg_motion_ready(lg_motion *mo, const char *function)
{
    const lg_status status = made(mo);
    if (status != LG_OK || has_state(mo)) return status;
    return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "%s: the motion is not started; call lg_motion_start()", function);
}

lg_status lg_motion_clone(lg_motion **copy, const lg_motion *mo)
{
    if (copy == NULL) return LG_ERROR_ARGUMENT;
    *copy = NULL;
    if (mo == NULL || mo->engine == NULL) return LG_ERROR_ARGUMENT;
    const size_t bytes = lg_motion_saved_bytes(mo);
    void *state = bytes > 0 ? malloc(bytes) : NULL;
    lg_status status =
        bytes > 0 && state == NULL ? LG_ERROR_MEMORY : mo->engine->like(copy, mo, lg_motion_step_size(mo));
    if (status == LG_OK && bytes > 0) status = lg_motion_save(mo, state, bytes);
    if (status == LG_OK && bytes > 0) status = lg_motion_load(*copy, state, bytes);
    free(state);
    return status;
}

void lg_motion_destroy(lg_motion *mo)
{
    if (mo != NULL && mo->engine != NULL)
        mo->engine->destroy(mo);
    else
        lg_release(mo);
}

const char *lg_motion_message(const lg_motion *mo)
{
    return mo != NULL ? mo->error.message : LG_NO_OBJECT("motion");
}

const lg_model *lg_motion_model(const lg_motion *mo)
{
    return mo != NULL ? mo->model : NULL;
}

const char *lg_motion_method(const lg_motion *mo)
{
    return mo != NULL && mo->engine != NULL ? mo->engine->method(mo) : "";
}

/* Starts and settings --------------------------------------------------------------------------------------------- */

lg_status lg_motion_start(lg_motion *mo, double t0, const double *row, int project)
{
    const lg_status status = made(mo);
    if (status != LG_OK) return status;
    if (!isfinite(t0)) return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_start: t0 is %g", t0);
    return mo->engine->start(mo, t0, row, project);
}

lg_status lg_motion_start_key(lg_motion *mo, int key, int project)
{
    lg_status status = made(mo);
    if (status != LG_OK) return status;
    lg_model *M = (lg_model *)(uintptr_t)mo->model; /* its message alone changes */
    int control = 0;
    const int count = lg_model_column_count(M);
    double *row = malloc((size_t)count * sizeof *row);
    if (row == NULL) return lg_fail(&mo->error, LG_ERROR_MEMORY, "lg_motion_start_key: out of memory");
    status = lg_model_key(M, row, key);
    if (status != LG_OK) (void)lg_fail(&mo->error, status, "lg_motion_start_key: %s", lg_model_message(M));
    while (control < count && lg_model_column(M, control)->kind != LG_COLUMN_CONTROL) control++;
    if (status == LG_OK && control < count) status = mo->engine->set_control(mo, row + control);
    if (status == LG_OK) status = mo->engine->start(mo, row[1], row, project);
    free(row);
    return status;
}

lg_status lg_motion_start_state(lg_motion *mo, double t0, const double *g, const double *xi, int project)
{
    const lg_status status = made(mo);
    if (status != LG_OK) return status;
    if (g == NULL || xi == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_start_state: configuration and velocity are needed");
    return mo->engine->start_state(mo, t0, g, xi, project);
}

lg_status lg_motion_reset(lg_motion *mo)
{
    const lg_status status = lg_motion_ready(mo, "lg_motion_reset");
    return status == LG_OK ? mo->engine->reset(mo) : status;
}

lg_status lg_motion_set_control(lg_motion *mo, const double *u)
{
    const lg_status status = made(mo);
    if (status != LG_OK) return status;
    if (lg_model_control_count(mo->model) == 0)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_control: %s has no controls",
                       lg_model_name(mo->model));
    return mo->engine->set_control(mo, u);
}

lg_status lg_motion_set_control_nodes(lg_motion *mo, int degree, const double *u)
{
    const lg_status status = made(mo);
    if (status != LG_OK) return status;
    if (lg_model_control_count(mo->model) == 0)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_control_nodes: %s has no controls",
                       lg_model_name(mo->model));
    return degree ? mo->engine->set_control_nodes(mo, degree, u) : mo->engine->set_control(mo, u);
}

const double *lg_motion_control(const lg_motion *mo)
{
    if (mo == NULL || mo->engine == NULL || mo->model == NULL || lg_model_control_count(mo->model) == 0) return NULL;
    return mo->engine->control(mo);
}

lg_status lg_motion_set_step(lg_motion *mo, double h)
{
    const lg_status status = made(mo);
    if (status != LG_OK) return status;
    if (!isfinite(h) || h == 0)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_step: step h is %g; it must be finite and not 0",
                       h);
    return mo->engine->set_step(mo, h);
}

/* How many parameters there are, and their names. */
static int parameters_of(const lg_motion *mo)
{
    const lg_model *M = mo->model;
    return M->mechanism != NULL ? lg_mechanism_parameter_count(M->mechanism) : M->definition->parameter_count;
}

static void name_parameter(const lg_motion *mo, char *name, size_t size, int i)
{
    const lg_model *M = mo->model;
    if (M->mechanism != NULL)
        (void)lg_mechanism_parameter_name(M->mechanism, name, size, i);
    else
        (void)snprintf(name, size, "%s", M->definition->parameters[i].name);
}

/* Refuses numbers and values of parameters that make no sense. */
static lg_status check_parameters(lg_motion *mo, const int *which, const double *values, int count)
{
    const int all = parameters_of(mo);
    char name[80];
    if (count < 1 || which == NULL || values == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       count < 1 ? "lg_motion_set_parameters: %d parameters; give at least one"
                                 : "lg_motion_set_parameters: the numbers or the values of %d parameters are NULL",
                       count);
    for (int i = 0; i < count; i++) {
        if (which[i] < 0 || which[i] >= all)
            return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                           "lg_motion_set_parameters: there is no parameter number %d; %.60s has %d, from 0", which[i],
                           lg_model_name(mo->model), all);
        name_parameter(mo, name, sizeof name, which[i]);
        if (!isfinite(values[i]))
            return lg_fail(&mo->error, LG_ERROR_NOT_FINITE, "lg_motion_set_parameters: parameter '%s' gets %g", name,
                           values[i]);
        for (int j = 0; j < i; j++)
            if (which[j] == which[i])
                return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_set_parameters: parameter '%s' is named twice",
                               name);
    }
    return LG_OK;
}

lg_status lg_motion_set_parameters(lg_motion *mo, const int *which, const double *values, int count)
{
    lg_status status = made(mo);
    if (status == LG_OK) status = check_parameters(mo, which, values, count);
    return status == LG_OK ? mo->engine->set_parameters(mo, which, values, count) : status;
}

double lg_motion_parameter(const lg_motion *mo, int i)
{
    if (mo == NULL || mo->engine == NULL || i < 0 || i >= parameters_of(mo)) return NAN;
    return mo->engine->parameter(mo, i);
}

lg_status lg_motion_set_halvings(lg_motion *mo, int halvings)
{
    const lg_status status = made(mo);
    return status == LG_OK ? mo->engine->set_halvings(mo, halvings) : status;
}

lg_status lg_motion_set_tolerance(lg_motion *mo, double tolerance)
{
    const lg_status status = made(mo);
    return status == LG_OK ? mo->engine->set_tolerance(mo, tolerance) : status;
}

lg_status lg_motion_set_solver(lg_motion *mo, double tolerance)
{
    const lg_status status = made(mo);
    return status == LG_OK ? mo->engine->set_solver(mo, tolerance) : status;
}

/* Steps ----------------------------------------------------------------------------------------------------------- */

lg_status lg_motion_step(lg_motion *mo, int64_t steps)
{
    const lg_status status = lg_motion_ready(mo, "lg_motion_step");
    if (status != LG_OK) return status;
    if (steps < 0)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_step: %lld steps; the number must not be negative (a negative h goes back in time)",
                       (long long)steps);
    return mo->engine->step(mo, steps);
}

/* Times that differ by rounding are the same. */
#define SLACK 1e-9

lg_status lg_motion_run_to(lg_motion *mo, double t)
{
    lg_status status = lg_motion_ready(mo, "lg_motion_run_to");
    if (status != LG_OK) return status;
    const double h = lg_motion_step_size(mo), steps = (t - lg_motion_time(mo)) / h;
    if (!(steps >= -SLACK && steps < 9e18))
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_run_to: t = %.17g; expected a time ahead of %.17g (h = %g)", t, lg_motion_time(mo),
                       h);
    status = mo->engine->step(mo, (int64_t)floor(steps + SLACK));
    const double rest = (t - lg_motion_time(mo)) / h;
    if (status != LG_OK || rest <= SLACK) return status;
    status = mo->engine->advance(mo, rest);
    if (status == LG_OK) mo->engine->settle(mo, 0);
    return status;
}

/* Checkpoints ----------------------------------------------------------------------------------------------------- */

static void describe(lg_lines *l, const void *object)
{
    ((const lg_motion *)object)->engine->describe(l, object);
}

static void list(lg_tape *t, void *object)
{
    ((lg_motion *)object)->engine->list(t, object);
}

static const lg_kept kept = {"motion", "lg_motion_load", describe, list};

size_t lg_motion_saved_bytes(const lg_motion *mo)
{
    return has_state(mo) ? lg_checkpoint_bytes(&kept, mo) : 0;
}

lg_status lg_motion_save(const lg_motion *mo, void *bytes, size_t size)
{
    if (!has_state(mo) || bytes == NULL || size != lg_checkpoint_bytes(&kept, mo)) return LG_ERROR_ARGUMENT;
    if (mo->engine->control_degree(mo)) return LG_ERROR_UNSUPPORTED;
    lg_checkpoint_write(&kept, mo, bytes);
    return LG_OK;
}

lg_status lg_motion_load(lg_motion *mo, const void *bytes, size_t size)
{
    const lg_status status = made(mo);
    return status == LG_OK ? lg_checkpoint_read(&kept, mo, bytes, size, &mo->error) : status;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

lg_status lg_motion_row(const lg_motion *mo, double *row)
{
    return has_state(mo) && row != NULL ? mo->engine->row(mo, row, NULL) : LG_ERROR_ARGUMENT;
}

lg_status lg_motion_interpolate(const lg_motion *mo, double *row, double s)
{
    lg_motion *own = (lg_motion *)(uintptr_t)mo; /* its message alone changes */
    const lg_status ready_now = lg_motion_ready(own, "lg_motion_interpolate");
    if (ready_now != LG_OK) return ready_now;
    if (row == NULL || !(s >= 0 && s <= 1))
        return lg_fail(&own->error, LG_ERROR_ARGUMENT,
                       row == NULL ? "lg_motion_interpolate: the row is NULL"
                                   : "lg_motion_interpolate: s = %g; expected a fraction of the last step, from 0 to 1",
                       s);
    for (int i = 0; i < lg_model_column_count(mo->model); i++) row[i] = NAN;
    const lg_status status = mo->engine->interpolate(mo, row, s);
    row[0] = (double)lg_motion_step_index(mo);
    if (status == LG_OK) return LG_OK;
    return lg_fail(&own->error, status, "lg_motion_interpolate: %s",
                   status == LG_ERROR_ARGUMENT ? "there is no last step: none was made since the start, or since the "
                                                 "state was read, or the last one failed"
                   : status == LG_ERROR_DOMAIN ? "a step turns by pi; take a smaller one"
                                               : lg_status_text(status));
}

lg_status lg_motion_state(const lg_motion *mo, double *g, double *xi, double *p)
{
    return has_state(mo) ? mo->engine->state(mo, g, xi, p) : LG_ERROR_ARGUMENT;
}

lg_status lg_motion_poses(const lg_motion *mo, double *poses)
{
    return has_state(mo) && poses != NULL ? mo->engine->poses(mo, poses) : LG_ERROR_ARGUMENT;
}

double lg_motion_time(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->time(mo) : NAN;
}

int64_t lg_motion_step_index(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->step_index(mo) : 0;
}

double lg_motion_step_size(const lg_motion *mo)
{
    return mo != NULL && mo->engine != NULL ? mo->engine->step_size(mo) : NAN;
}

double lg_motion_energy(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->energy(mo) : NAN;
}

double lg_motion_work(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->work(mo) : NAN;
}

static const lg_sized account_kind = LG_SIZED_AS(lg_account, node, "start from lg_account_default()");
_Static_assert(sizeof(lg_account) == offsetof(lg_account, motors) + LG_WORKS * sizeof(double),
               "one number for each kind of work");

void lg_account_init(lg_account *account, size_t size)
{
    const lg_account own = {.size = sizeof own};
    lg_sized_give(&account_kind, account, size, &own);
}

lg_status lg_motion_account(const lg_motion *mo, lg_account *account)
{
    lg_account own = lg_account_default();
    double number[LG_WORKS];
    if (!has_state(mo) || account == NULL || !lg_sized_fits(&account_kind, account->size)) return LG_ERROR_ARGUMENT;
    mo->engine->account(mo, number);
    for (int i = LG_WORK_FRICTION; i < LG_WORKS; i++) number[i] = 0 - number[i];
    memcpy((char *)&own + offsetof(lg_account, motors), number, sizeof number);
    lg_sized_give(&account_kind, account, account->size, &own);
    return LG_OK;
}

double lg_motion_gap(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->gap(mo) : NAN;
}

double lg_motion_slip(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->slip(mo) : NAN;
}

int lg_motion_iterations(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->iterations(mo) : 0;
}

double lg_motion_tolerance(const lg_motion *mo)
{
    return mo != NULL && mo->engine != NULL ? mo->engine->tolerance(mo) : 0;
}

double lg_motion_found_step(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->found_step(mo) : NAN;
}

double lg_motion_step_error(const lg_motion *mo)
{
    return has_state(mo) ? mo->engine->step_error(mo) : NAN;
}

const char *lg_motion_remark(const lg_motion *mo)
{
    return has_state(mo) && mo->bodies != NULL ? mb_sparse_remark(mo->bodies) : NULL;
}
