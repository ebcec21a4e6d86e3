/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse engine: the step of mechanisms (multibody/step.c). For the accuracy of a run configurations are the poses
 * of all bodies, and velocities are compared in the kinetic norm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/run/run.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/checkpoint.h"
#include "multibody/contact/landing.h"
#include "multibody/gallery/gallery.h"
#include "run/engine.h"
#include "run/model_private.h"
#include "run/motion_columns.h"

/* Creation -------------------------------------------------------------------------------------------------------- */

int lg_method_is_sparse(const char *method)
{
    const size_t length = strcspn(method, ":@");
    const int plain = method[length] != ':';
    if (length == 3 && strncmp(method, "sem", 3) == 0) return plain;
    if (length == 6 && strncmp(method, "rattle", 6) == 0) return plain;
    if (length == 5 && strncmp(method, "gauss", 5) == 0) return plain || strncmp(method + length, ":stages=", 8) == 0;
    return 0;
}

lg_status lg_sparse_create(lg_motion **motion, const lg_model *M, const lg_motion_options *o)
{
    mb_sparse *mo = NULL;
    lg_status status = mb_sparse_create(&mo, M->mechanism, o->method, o->step);
    *motion = mo != NULL ? &mo->head : NULL;
    if (mo == NULL) return status;
    mo->head.engine = &lg_engine_sparse;
    mo->head.model = M;
    if (status == LG_OK) status = mb_sparse_set_halvings(mo, (int)o->halvings);
    return status == LG_OK && o->tolerance != 0 ? mb_sparse_set_tolerance(mo, o->tolerance) : status;
}

static void sparse_destroy(lg_motion *mo)
{
    lg_model *own = mo->own;
    mb_sparse_destroy(mo->bodies);
    lg_model_destroy(own);
}

static const char *sparse_method(const lg_motion *mo)
{
    return mo->bodies->method[0] != '\0' ? mo->bodies->method : "sem";
}

/* Settings that a motion of the same method has. */
static lg_status sparse_furnish(mb_sparse *mo, const mb_sparse *like)
{
    const double tolerance = mb_sparse_tolerance(like);
    lg_status st = mb_sparse_set_halvings(mo, like->halvings);
    if (st == LG_OK && tolerance != 0) st = mb_sparse_set_tolerance(mo, tolerance);
    if (st == LG_OK && like->collocation_stages > 0 && tolerance == 0)
        st = mb_sparse_set_solver(mo, like->numbers.collocation->tolerance);
    const lg_contact_options options =
        like->numbers.contacts != NULL ? mb_contacts_options(like->numbers.contacts) : lg_contact_options_default();
    if (st == LG_OK && like->numbers.contacts != NULL) mb_contacts_set_options(mo->numbers.contacts, &options);
    return st == LG_OK ? mb_sparse_set_wrench(mo, like->wrench, like->context) : st;
}

/* *varied = the model with `count` parameters of its mechanism set: one of its own. */
static lg_status sparse_vary(lg_model **varied, const lg_model *M, const int *which, const double *values, int count,
                             lg_error *e)
{
    lg_mechanism *m = NULL;
    *varied = NULL;
    lg_status st = mb_describe_again(&m, M->mechanism);
    for (int i = 0; i < count && st == LG_OK; i++) mb_set_number(m, which[i], values[i]);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    if (st == LG_OK) st = lg_model_of_mechanism(varied, m, M->name);
    if (st == LG_OK) {
        (*varied)->owned = m;
        memcpy((*varied)->initial, M->initial, sz(M->names_count) * sizeof *M->initial);
        return LG_OK;
    }
    const char *why = m != NULL ? lg_mechanism_message(m) : "";
    st = lg_fail(e, st, "lg_motion_set_parameters: %.300s", why[0] != '\0' ? why : lg_status_text(st));
    lg_mechanism_destroy(m), lg_model_destroy(*varied);
    *varied = NULL;
    return st;
}

static lg_status sparse_like(lg_motion **copy, const lg_motion *mo, double h)
{
    lg_model *own = NULL;
    lg_error e = {LG_OK, ""};
    const lg_motion_options o = {.size = sizeof o, .method = sparse_method(mo), .step = h};
    *copy = NULL;
    lg_status st = mo->own != NULL ? sparse_vary(&own, mo->model, NULL, NULL, 0, &e) : LG_OK;
    if (st != LG_OK) return st;
    st = lg_sparse_create(copy, own != NULL ? own : mo->model, &o);
    if (*copy == NULL) {
        lg_model_destroy(own);
        return st;
    }
    (*copy)->own = own;
    return st == LG_OK ? sparse_furnish((*copy)->bodies, mo->bodies) : st;
}

/* Starts ---------------------------------------------------------------------------------------------------------- */

lg_status lg_model_start_bodies(const lg_model *M, mb_sparse *mo, double t0, const double *row, int project)
{
    const int count = lg_motion_columns_count(M->bodies), gallery = M->mechanism->gallery;
    double *wanted = malloc((size_t)count * sizeof *wanted);
    int given = 0;
    if (wanted == NULL) return lg_fail(&mo->head.error, LG_ERROR_MEMORY, "lg_motion_start: out of memory");
    lg_status st = gallery > 0 ? mb_gallery_start(mo, gallery - 1) : mb_sparse_start(mo, t0, NULL, NULL, 1);
    for (int i = 0; i < count; i++) {
        const double x = row != NULL && lg_motion_columns_is_initial(M->bodies, i) ? row[i] : (double)NAN;
        wanted[i] = isnan(x) ? M->initial[i] : x;
        given |= !isnan(wanted[i]);
    }
    if (st == LG_OK && (given || t0 != 0)) st = lg_motion_columns_start(M->bodies, mo, t0, wanted, project);
    free(wanted);
    return st;
}

/* The bodies have been started: lg_motion_reset() comes back to this. What was started on the way, such as the position
 * at assembly, may overlap. */
static lg_status sparse_adopt(lg_motion *mo)
{
    const lg_status st = mb_contacts_check_start(mo->bodies);
    return st == LG_OK ? mb_sparse_remember(mo->bodies) : st;
}

static lg_status sparse_start(lg_motion *mo, double t0, const double *row, int project)
{
    const lg_status st = lg_model_start_bodies(mo->model, mo->bodies, t0, row, project);
    return st == LG_OK ? sparse_adopt(mo) : st;
}

static lg_status sparse_start_state(lg_motion *mo, double t0, const double *g, const double *xi, int project)
{
    const lg_status st = mb_sparse_start_state(mo->bodies, t0, g, xi, project);
    return st == LG_OK ? sparse_adopt(mo) : st;
}

static lg_status sparse_reset(lg_motion *mo)
{
    return mb_sparse_reset(mo->bodies);
}

static lg_status sparse_follow(lg_motion *motion, const lg_motion *other)
{
    mb_sparse *mo = motion->bodies;
    const mb_sparse *from = other->bodies;
    mb_sparse_poses(from, mo->poses);
    for (int b = 0; b < lg_mechanism_body_count(mo->mechanism); b++)
        lg_status_ignore(lg_motion_body_twist(other, mo->twists + 6 * b, b));
    const lg_status st = mb_sparse_start_poses(mo, from->t, mo->poses, mo->twists, 0);
    if (st != LG_OK) return st;
    mb_copy_controls(mo, from);
    return LG_OK;
}

/* What the engine is asked ---------------------------------------------------------------------------------------- */

static lg_status sparse_set_control(lg_motion *mo, const double *u)
{
    return mb_sparse_set_control(mo->bodies, u);
}

static lg_status sparse_set_control_nodes(lg_motion *mo, int degree, const double *u)
{
    (void)degree, (void)u;
    return lg_fail(&mo->error, LG_ERROR_UNSUPPORTED,
                   "lg_motion_set_control_nodes: mechanisms hold their controls; degree must be 0");
}

static lg_status sparse_set_step(lg_motion *mo, double h)
{
    return mb_sparse_set_step(mo->bodies, h);
}

/* The motion starts at the time, the joint positions and the velocities of another one. */
static lg_status sparse_restart(mb_sparse *mo, double t, const double *q, const mb_sparse *from)
{
    lg_status st = sparse_furnish(mo, from);
    if (st != LG_OK || q == NULL) return st;
    mb_copy_controls(mo, from);
    st = mb_sparse_start(mo, t, q, q + from->positions, 1);
    if (st == LG_OK) mb_copy_controls(mo, from); /* with activations at present */
    return st == LG_OK ? sparse_adopt(&mo->head) : st;
}

/* A motion of the varied mechanism is tried first; what it does the motion itself does then, too. */
static lg_status sparse_set_parameters(lg_motion *mo, const int *which, const double *values, int count)
{
    mb_sparse *bodies = mo->bodies;
    lg_model *varied;
    lg_motion *trial = NULL;
    const double t = bodies->t;
    const lg_impact_fn impact = bodies->impact;
    void *context = bodies->impact_context;
    const lg_motion_options o = {.size = sizeof o, .method = sparse_method(mo), .step = bodies->h};
    double *q = bodies->started ? malloc((2 * sz(bodies->positions) + 1) * sizeof *q) : NULL;
    if (bodies->started && q == NULL)
        return lg_fail(&mo->error, LG_ERROR_MEMORY, "lg_motion_set_parameters: out of memory");
    lg_status st = sparse_vary(&varied, mo->model, which, values, count, &mo->error);
    if (st == LG_OK) {
        st = lg_sparse_create(&trial, varied, &o);
        if (st == LG_OK && q != NULL) st = lg_motion_positions(mo, q, q + bodies->positions);
        if (st == LG_OK) st = sparse_restart(trial->bodies, t, q, bodies);
        if (st != LG_OK)
            (void)lg_fail(&mo->error, st, "lg_motion_set_parameters: %.300s",
                          trial != NULL ? lg_motion_message(trial) : lg_status_text(st));
    }
    if (st == LG_OK) st = mb_sparse_renew(bodies, varied->mechanism);
    if (st == LG_OK) {
        lg_model_destroy(mo->own);
        mo->model = mo->own = varied, varied = NULL;
        bodies->impact = impact, bodies->impact_context = context;
        st = sparse_restart(bodies, t, q, trial->bodies);
    }
    if (trial != NULL) sparse_destroy(trial);
    lg_model_destroy(varied), free(q);
    return st;
}

static double sparse_parameter(const lg_motion *mo, int i)
{
    return lg_mechanism_parameter_value(mo->bodies->mechanism, i);
}

static lg_status sparse_set_halvings(lg_motion *mo, int halvings)
{
    return mb_sparse_set_halvings(mo->bodies, halvings);
}

static lg_status sparse_set_tolerance(lg_motion *mo, double tolerance)
{
    return mb_sparse_set_tolerance(mo->bodies, tolerance);
}

static lg_status sparse_set_solver(lg_motion *mo, double tolerance)
{
    return mb_sparse_set_solver(mo->bodies, tolerance);
}

static lg_status sparse_step(lg_motion *mo, int64_t steps)
{
    return mb_sparse_step(mo->bodies, steps);
}

static void sparse_keep(lg_motion *mo)
{
    mb_save(mo->bodies, &mo->bodies->saved[2]);
}

static void sparse_back(lg_motion *mo)
{
    mb_restore(mo->bodies, &mo->bodies->saved[2]);
    mo->bodies->stepped = 0; /* its multipliers are invalid */
}

static lg_status sparse_advance(lg_motion *mo, double part)
{
    return mb_advance(mo->bodies, part * mo->bodies->h);
}

/* Where a part of a step was made the clock starts again, and what the solver remembers is of other steps. */
static void sparse_settle(lg_motion *motion, int whole)
{
    mb_sparse *mo = motion->bodies;
    mo->stepped = 1;
    mo->count++;
    if (whole) {
        mo->t = mo->t0 + (double)mo->count * mo->h;
    } else {
        mo->t0 = mo->t, mo->count = 0;
        mb_forget(mo);
    }
}

static int sparse_control_degree(const lg_motion *mo)
{
    (void)mo;
    return 0;
}

static int sparse_started(const lg_motion *mo)
{
    return mo->bodies->started;
}

static lg_status sparse_row(const lg_motion *mo, double *row, const lg_observation *s)
{
    (void)s;
    return lg_motion_columns_row(mo->model->bodies, row, mo->bodies, mo->bodies->count, mo->bodies->work,
                                 mb_account(mo->bodies));
}

static lg_status sparse_interpolate(const lg_motion *mo, double *row, double s)
{
    mb_sparse *own = mo->bodies, *in = own->inside;
    double t;
    if (in == NULL && mb_sparse_create(&own->inside, own->mechanism, NULL, own->h) != LG_OK) return LG_ERROR_MEMORY;
    in = own->inside;
    const lg_status st = mb_sparse_interpolate(own, &t, in->poses, in->twists, s);
    if (st != LG_OK) return st;
    in->wrench = own->wrench, in->context = own->context;
    mb_copy_controls(in, own);
    mb_show_activations(in, t, &own->saved[0]); /* controls may have been set since */
    memcpy(in->numbers.node[in->numbers.now].q, mb_now(own)->q, (size_t)own->plan.coordinates * sizeof(double));
    return lg_motion_columns_show(mo->model->bodies, row, in, t, in->poses, in->twists);
}

static lg_status sparse_state(const lg_motion *mo, double *g, double *xi, double *p)
{
    return mb_sparse_state(mo->bodies, g, xi, p);
}

static lg_status sparse_poses(const lg_motion *mo, double *poses)
{
    mb_sparse_poses(mo->bodies, poses);
    return LG_OK;
}

static double sparse_time(const lg_motion *mo)
{
    return mb_sparse_time(mo->bodies);
}

static int64_t sparse_step_index(const lg_motion *mo)
{
    return mo->bodies->count;
}

static double sparse_step_size(const lg_motion *mo)
{
    return mo->bodies->h;
}

static double sparse_energy(const lg_motion *mo)
{
    return mb_sparse_energy(mo->bodies);
}

static double sparse_gap(const lg_motion *mo)
{
    return mb_sparse_gap(mo->bodies);
}

static double sparse_slip(const lg_motion *mo)
{
    return mb_sparse_slip(mo->bodies);
}

static double sparse_work(const lg_motion *mo)
{
    return mo->bodies->work;
}

static void sparse_account(const lg_motion *mo, double *account)
{
    memcpy(account, mb_account(mo->bodies), LG_WORKS * sizeof *account);
}

static double sparse_step_work(const lg_motion *mo)
{
    return mo->bodies->step_work;
}

static int sparse_iterations(const lg_motion *mo)
{
    return mb_sparse_iterations(mo->bodies);
}

static int sparse_halvings(const lg_motion *mo)
{
    return mo->bodies->halvings;
}

static double sparse_tolerance(const lg_motion *mo)
{
    return mb_sparse_tolerance(mo->bodies);
}

static double sparse_found_step(const lg_motion *mo)
{
    return mb_sparse_found_step(mo->bodies);
}

static double sparse_step_error(const lg_motion *mo)
{
    return mb_sparse_step_error(mo->bodies);
}

static lg_observation sparse_sight(const lg_motion *mo)
{
    const lg_observation s = {.t = mb_sparse_time(mo->bodies),
                              .energy = mb_sparse_energy(mo->bodies),
                              .energy_post = NAN,
                              .constraint = mb_sparse_slip(mo->bodies),
                              .holonomic = mb_sparse_gap(mo->bodies),
                              .normal = NAN};
    return s;
}

static const double *sparse_control(const lg_motion *mo)
{
    return mo->bodies->numbers.control;
}

const lg_engine lg_engine_sparse = {
    .run = &lg_run_engine_sparse,
    .like = sparse_like,
    .destroy = sparse_destroy,
    .follow = sparse_follow,
    .adopt = sparse_adopt,
    .start = sparse_start,
    .start_state = sparse_start_state,
    .reset = sparse_reset,
    .set_control = sparse_set_control,
    .set_control_nodes = sparse_set_control_nodes,
    .set_step = sparse_set_step,
    .set_parameters = sparse_set_parameters,
    .parameter = sparse_parameter,
    .set_halvings = sparse_set_halvings,
    .set_tolerance = sparse_set_tolerance,
    .set_solver = sparse_set_solver,
    .step = sparse_step,
    .keep = sparse_keep,
    .back = sparse_back,
    .advance = sparse_advance,
    .settle = sparse_settle,
    .describe = mb_sparse_describe,
    .list = mb_sparse_list,
    .control_degree = sparse_control_degree,
    .started = sparse_started,
    .row = sparse_row,
    .interpolate = sparse_interpolate,
    .state = sparse_state,
    .poses = sparse_poses,
    .time = sparse_time,
    .step_index = sparse_step_index,
    .step_size = sparse_step_size,
    .energy = sparse_energy,
    .gap = sparse_gap,
    .slip = sparse_slip,
    .work = sparse_work,
    .step_work = sparse_step_work,
    .account = sparse_account,
    .iterations = sparse_iterations,
    .halvings = sparse_halvings,
    .tolerance = sparse_tolerance,
    .found_step = sparse_found_step,
    .step_error = sparse_step_error,
    .method = sparse_method,
    .observation = sparse_sight,
    .control = sparse_control,
};
