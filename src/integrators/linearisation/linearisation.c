/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step as an object: memory, and its products with vectors (docs/theory.md section 14). A step is a
 * chain of stages, one but for compositions; of each dz = -F_z^-1 F_x dx, dy = Y_x dx + Y_z dz, and the configuration
 * and momentum of y are those of the next stage's x. From the other side: w_z = Y_z^T w, w_x = Y_x^T w - F_x^T F_z^-T
 * w_z. */
#include "integrators/instances.h"
#include "integrators/linearisation/linearisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "retractions/retraction.h"

/* Coordinates near an element: their differential at 0 is the identity for every retraction. */
static const lg_retraction *linearisation_coordinates(const lg_plan *P)
{
    const lg_group *G = P->S->group;
    return G->exp && G->exp->tau && G->exp->tau_inv ? lg_retraction_exp() : P->retraction;
}

static void linearisation_carve_stages(lg_linearisation *o, lg_arena *a, const lg_plan *P)
{
    const size_t nz = sz(o->nz), nx = sz(o->nx), ny = sz(o->ny);
    o->stages = lg_take(a, sz(P->stages) * sizeof *o->stages);
    for (int i = 0; i < P->stages; i++) {
        lg_stage stage = {.partial = lg_take_doubles(a, (nz + ny) * (nz + nx)), .LU = lg_take_doubles(a, nz * nz)};
        stage.pivots = lg_take(a, nz * sizeof *stage.pivots);
        stage.g = lg_take_doubles(a, sz(P->element_size)), stage.p = lg_take_doubles(a, sz(P->n));
        stage.z = lg_take_doubles(a, nz);
        if (a->base) o->stages[i] = stage;
    }
}

/* Everything but the implicit_copy, in one place. */
static void linearisation_carve(lg_linearisation *o, lg_arena *a, const lg_integrator *it)
{
    const lg_plan *P = &it->plan;
    const size_t n = sz(P->n), element_size = sz(P->element_size), nz = sz(o->nz), nx = sz(o->nx), ny = sz(o->ny);
    const size_t parameters = sz(it->S.parameter_count);
    double **rows[] = {&o->plus, &o->minus, &o->eighth, &o->sixth, &o->big, &o->best, &o->error_of_best, &o->last};
    linearisation_carve_stages(o, a, P);
    o->g = lg_take_doubles(a, element_size), o->inverse = lg_take_doubles(a, element_size),
    o->moved = lg_take_doubles(a, element_size);
    o->p = lg_take_doubles(a, n), o->eta = lg_take_doubles(a, n);
    o->control = lg_take_doubles(a, sz(lg_integrator_control_numbers(it)));
    o->parameters = lg_take_doubles(a, parameters), o->seen = lg_take_doubles(a, parameters);
    o->z = lg_take_doubles(a, nz), o->trial = lg_take_doubles(a, nz), o->lagged = lg_take_doubles(a, nz);
    size_t most = P->method.collocation_stages ? sz(lg_slopes_outputs(P)) : nz + ny;
    if (sz(lg_exact_outputs(P)) > most) most = sz(lg_exact_outputs(P));
    if (sz(lg_arrays_constants(it)) > most) most = sz(lg_arrays_constants(it));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) *rows[i] = lg_take_doubles(a, most);
    o->scale = lg_take_doubles(a, nz + nx);
    o->input = lg_take_doubles(a, nz + nx), o->output = lg_take_doubles(a, ny);
    o->unit = lg_take_doubles(a, nx);
    o->scratch =
        lg_take(a, lg_retraction_work_bytes(linearisation_coordinates(P), P->S->group) + P->S->group->work_bytes);
    lg_expansions_carve(&o->expansions, a, &it->S, P);
    lg_slopes_carve(&o->slopes, a, it, o->nx, o->ny);
    lg_arrays_carve(&o->arrays, a, it);
    lg_exact_carve(o, a, it);
    lg_curvature_carve(&o->curvature, a, P, o->nx, o->ny);
    lg_curved_carve(o, a, it);
    o->jump.control = lg_take_doubles(a, sz(it->S.callbacks.control_count));
    o->jump.wanted = lg_take_doubles(a, sz(it->S.callbacks.control_count));
    o->jump.offset = lg_take_doubles(a, n);
}

static void linearisation_set_sizes(lg_linearisation *o, const lg_integrator *implicit_copy)
{
    const lg_plan *P = &implicit_copy->plan;
    o->nz = implicit_copy->workspace->implicit ? lg_implicit_size(P) : 0;
    o->controls = lg_integrator_control_numbers(implicit_copy);
    o->nx = 2 * P->n + o->controls + 1 + implicit_copy->S.parameter_count;
    o->ny = 2 * P->n + P->m;
}

static lg_status linearisation_copy(lg_integrator **implicit_copy, const lg_integrator *it, lg_error *e)
{
    lg_system wide;
    double *memory;
    lg_status st = lg_arrays_widen(&wide, &memory, &it->S);
    if (st != LG_OK)
        (void)lg_fail(e, st, "lg_linearisation_create: out of memory");
    else if ((st = lg_integrator_copy_in_form(implicit_copy, it, &wide, !lg_tangent_width(it), e)) == LG_OK &&
             !lg_tangent_width(*implicit_copy)) {
        lg_integrator_destroy(*implicit_copy);
        st = lg_integrator_copy_in_form(implicit_copy, it, &wide, 1, e);
    }
    free(memory);
    return st;
}

/* A linearisation that could not be made: it only holds its message. */
static lg_status linearisation_fail_creation(lg_linearisation **lin, const lg_error *e)
{
    lg_linearisation *o = e->status == LG_ERROR_MEMORY ? NULL : lg_reserve(sizeof *o);
    if (o) o->error = *e;
    *lin = o;
    return e->status;
}

lg_status lg_linearisation_create(lg_linearisation **lin, const lg_integrator *it)
{
    lg_error e = {LG_OK, ""};
    lg_linearisation probe = {0};
    lg_integrator *implicit_copy = NULL;
    if (!lin) return LG_ERROR_ARGUMENT;
    *lin = NULL;
    if (!it || !it->made)
        return lg_fail(&e, LG_ERROR_ARGUMENT, "lg_linearisation_create: there is no integrator"),
               linearisation_fail_creation(lin, &e);
    if (linearisation_copy(&implicit_copy, it, &e) != LG_OK) return linearisation_fail_creation(lin, &e);
    lg_integrator_shape_controls(implicit_copy, lg_integrator_degree(it));
    lg_arena a = {NULL, 0};
    linearisation_set_sizes(&probe, implicit_copy);
    linearisation_carve(&probe, &a, implicit_copy);
    const size_t head = lg_aligned(sizeof **lin), bytes = head + lg_aligned(a.used);
    lg_linearisation *o = lg_reserve(bytes);
    if (!o) {
        lg_integrator_destroy(implicit_copy);
        return LG_ERROR_MEMORY;
    }
    a = (lg_arena){(char *)o + head, 0};
    linearisation_set_sizes(o, implicit_copy);
    linearisation_carve(o, &a, implicit_copy);
    o->implicit_copy = implicit_copy;
    o->near = linearisation_coordinates(&implicit_copy->plan);
    o->bytes = bytes + lg_integrator_bytes(implicit_copy);
    if (implicit_copy->S.parameter_count) implicit_copy->S.parameter_values = o->seen;
    o->made = 1;
    *lin = o;
    return LG_OK;
}

void lg_linearisation_destroy(lg_linearisation *lin)
{
    if (lin && lin->made && lin->implicit_copy->busy) return; /* called by a callback of its own */
    if (lin) lg_integrator_destroy(lin->implicit_copy);
    lg_release(lin);
}

size_t lg_linearisation_bytes(const lg_linearisation *lin)
{
    return lin ? lin->bytes : 0;
}

const char *lg_linearisation_message(const lg_linearisation *lin)
{
    return lin ? lin->error.message : LG_NO_OBJECT("linearisation");
}

int lg_linearisation_rows(const lg_linearisation *lin)
{
    return lin ? lin->ny : 0;
}

int lg_linearisation_columns(const lg_linearisation *lin)
{
    return lin ? lin->nx : 0;
}

lg_derivatives lg_linearisation_kind(const lg_linearisation *lin)
{
    return lin && lin->exact.width ? LG_DERIVATIVES_TANGENTS : LG_DERIVATIVES_DIFFERENCES;
}

double lg_linearisation_error(const lg_linearisation *lin)
{
    return lin && lin->ready ? lin->inexact : (double)NAN;
}

/* ---- a step ---- */

/* Is `it` such an integrator as the implicit_copy was made for? */
static lg_status linearisation_check(lg_linearisation *lin, const lg_integrator *it)
{
    if (!lin) return LG_ERROR_ARGUMENT;
    if (!lin->made) return lin->error.status == LG_OK ? LG_ERROR_ARGUMENT : lin->error.status;
    if (!it || !it->made)
        return lg_fail(&lin->error, LG_ERROR_ARGUMENT, "lg_linearisation_compute: there is no integrator");
    const lg_plan *P = &lin->implicit_copy->plan, *Q = &it->plan;
    if (strcmp(P->method.name, Q->method.name) || P->retraction != Q->retraction || P->S->group != Q->S->group ||
        P->S->context != Q->S->context || P->m != Q->m || P->holonomic != Q->holonomic ||
        P->S->callbacks.control_count != Q->S->callbacks.control_count ||
        lg_integrator_degree(lin->implicit_copy) != lg_integrator_degree(it) ||
        P->S->parameter_count != Q->S->parameter_count || !lg_plan_holds(P, Q->S))
        return lg_fail(
            &lin->error, LG_ERROR_ARGUMENT,
            "lg_linearisation_compute: this linearisation belongs to method '%s' on %s with retraction '%s' and "
            "controls of degree %d; make one for this integrator",
            P->method.name, P->S->group->name, P->retraction->name, lg_integrator_degree(lin->implicit_copy));
    if (!it->started)
        return lg_fail(&lin->error, LG_ERROR_ARGUMENT,
                       "lg_linearisation_compute: not started; call lg_integrator_start() first");
    if (lg_instance_is_prescribed(it))
        return lg_fail(
            &lin->error, LG_ERROR_UNSUPPORTED,
            "lg_linearisation_compute: constraints prescribe the velocity from controls, so that momenta are "
            "no inputs of the step; lg_optimum differentiates such steps");
    return LG_OK;
}

/* The state, h, controls and parameters of `it`, and what its solver remembers. */
static void linearisation_adopt(lg_linearisation *lin, const lg_integrator *it)
{
    lg_integrator *implicit_copy = lin->implicit_copy;
    const lg_plan *P = &implicit_copy->plan;
    const lg_node *from = it->workspace->now;
    lg_workspace *w = implicit_copy->workspace;
    memcpy(lin->g, from->g, sz(P->element_size) * sizeof *lin->g);
    memcpy(lin->p, P->method.rule->depart(it->workspace, it->h, from), sz(P->n) * sizeof *lin->p);
    memcpy(lin->control, lg_integrator_controls(it), sz(lg_integrator_control_numbers(it)) * sizeof *lin->control);
    for (int i = 0; i < it->S.parameter_count; i++) lin->parameters[i] = it->S.parameter_values[i];
    lin->t0 = from->t;
    lin->h = implicit_copy->h = it->h;
    implicit_copy->step = it->step, implicit_copy->started = 1;
    w->iterations_max = it->workspace->iterations_max;
    if (it->workspace->evaluations_max > w->evaluations_max) w->evaluations_max = it->workspace->evaluations_max;
    lg_history_clear(w);
    if (it->workspace->history) lg_history_copy(w, it->workspace);
}

static int linearisation_stages(lg_linearisation *lin)
{
    const lg_plan *P = &lin->implicit_copy->plan;
    for (int i = 0; i < P->stages; i++) {
        lin->share = lg_plan_stage(P, i);
        lin->ratio = i + 1 < P->stages ? lg_plan_stage(P, i + 1) / lin->share : 0;
        lin->implicit_copy->workspace->substep = i;
        if (lg_stage_differentiate(lin, i)) return 1;
        lin->before += lin->share;
    }
    return 0;
}

/* Of collocation with a tolerance: steps of one length, as many as it takes where that is found. */
static int linearisation_substeps(lg_linearisation *lin, const lg_integrator *it)
{
    double count, h;
    lin->share = 1, lin->ratio = 0;
    if (lg_stage_displace(lin, LG_NO_COLUMN, 0, &h)) return 1;
    if (lg_adaptive_substeps(lin->implicit_copy->workspace, it->workspace, h, &count)) return 1;
    lin->share = 1 / count;
    for (double k = 0; k < count; k++) {
        lin->before = k / count;
        if (lg_slopes_differentiate(lin)) return 1;
    }
    return 0;
}

static lg_status linearisation_differentiate(lg_linearisation *lin, const lg_integrator *it)
{
    lin->before = 0, lin->inexact = 0;
    if (lg_arrays_begin(lin, it) || (lin->exact.width && lg_arrays_differentiate(lin)) ||
        (it->plan.method.collocation_stages ? linearisation_substeps(lin, it) : linearisation_stages(lin)))
        return lg_explain(lin->implicit_copy, "lg_linearisation_compute", &lin->error);
    lin->ready = 1;
    lg_error_clear(&lin->error);
    lg_arrays_end(lin);
    return LG_OK;
}

lg_status lg_linearisation_enter(lg_linearisation *lin, const lg_integrator *it)
{
    lg_status st = linearisation_check(lin, it);
    if (st != LG_OK) return st;
    if (it->busy || lin->implicit_copy->busy)
        return lg_fail(&lin->error, LG_ERROR_ARGUMENT,
                       "lg_linearisation_compute: called by a callback of %s, which is at work",
                       it->busy ? "the integrator" : "this linearisation");
    lin->ready = 0, lin->solved = 0;
    linearisation_adopt(lin, it);
    return LG_OK;
}

lg_status lg_linearisation_go(lg_linearisation *lin, const lg_integrator *it)
{
    lin->implicit_copy->busy = 1;
    return lg_integrator_leave(lin->implicit_copy, linearisation_differentiate(lin, it));
}

lg_status lg_linearisation_compute(lg_linearisation *lin, const lg_integrator *it)
{
    lg_status st = lg_linearisation_enter(lin, it);
    return st == LG_OK ? lg_linearisation_go(lin, it) : st;
}

static lg_status linearisation_step(lg_linearisation *lin, lg_integrator *it)
{
    const lg_status st = lg_integrator_step(it);
    if (st == LG_OK) return LG_OK;
    lin->ready = 0;
    return lg_fail(&lin->error, st, "lg_linearisation_step: %s", lg_integrator_message(it));
}

/* Is the solution of one implicit step all that tangents need? Then it need not be solved twice. */
static int linearisation_uses_step(const lg_linearisation *lin, const lg_integrator *it)
{
    const lg_integrator *copy = lin->implicit_copy;
    return lin->exact.width && lin->nz && copy->plan.stages == 1 && !it->plan.fused;
}

lg_status lg_linearisation_step(lg_linearisation *lin, lg_integrator *it)
{
    lg_status st = lg_linearisation_enter(lin, it);
    if (st != LG_OK) return st;
    if (!linearisation_uses_step(lin, it)) {
        st = lg_linearisation_go(lin, it);
        return st == LG_OK ? linearisation_step(lin, it) : st;
    }
    st = linearisation_step(lin, it);
    if (st != LG_OK) return st;
    lg_implicit_gather(it->workspace, it->workspace->now->xi, lin->z);
    lin->solved = 1;
    st = lg_linearisation_go(lin, it);
    if (st == LG_OK) return LG_OK;
    lg_step_back(it->workspace);
    lg_history_copy(it->workspace, lin->implicit_copy->workspace); /* adopted before the step */
    it->step--, it->moves--;
    return st;
}

lg_status lg_linearisation_control(lg_linearisation *lin, double *D, const lg_integrator *it, const double *u)
{
    static const char function[] = "lg_linearisation_control";
    const lg_status st = lg_linearisation_enter(lin, it);
    if (st != LG_OK) return st;
    const int count = it->S.callbacks.control_count;
    if (!count || !D || !u)
        return lg_fail(&lin->error, LG_ERROR_ARGUMENT, "%s: %s", function,
                       count ? "D or the controls are NULL" : "the system has no controls");
    if (!lg_all_finite(u, count))
        return lg_fail(&lin->error, LG_ERROR_NOT_FINITE, "%s: a control is not finite", function);
    lin->implicit_copy->busy = 1;
    if (lg_jump_differentiate(lin, it, u, D))
        return lg_integrator_leave(lin->implicit_copy, lg_explain(lin->implicit_copy, function, &lin->error));
    lg_error_clear(&lin->error);
    lg_arrays_end(lin);
    return lg_integrator_leave(lin->implicit_copy, LG_OK);
}

/* ---- products ---- */

void lg_linearisation_respond(const lg_linearisation *lin, const lg_stage *stage)
{
    const int nz = lin->nz, width = nz + lin->nx;
    double *z = lin->input;
    for (int i = 0; i < nz; i++) z[i] = -lg_dot(stage->partial + i * width + nz, z + nz, lin->nx);
    if (nz) lg_lu_solve(stage->LU, stage->pivots, nz, z);
}

void lg_linearisation_push(const lg_linearisation *lin, const lg_stage *stage)
{
    const int width = lin->nz + lin->nx;
    lg_linearisation_respond(lin, stage);
    lg_matvec(lin->output, stage->partial + lin->nz * width, lin->input, lin->ny, width);
}

void lg_linearisation_pull(const lg_linearisation *lin, const lg_stage *stage)
{
    const int nz = lin->nz, width = nz + lin->nx;
    double *z = lin->input;
    lg_matvec_transposed(z, stage->partial + nz * width, lin->output, lin->ny, width);
    if (nz) lg_lu_solve_transposed(stage->LU, stage->pivots, nz, z);
    for (int i = 0; i < nz; i++)
        for (int j = nz; j < width; j++) z[j] -= stage->partial[i * width + j] * z[i];
}

static int linearisation_has_derivative(const lg_linearisation *lin)
{
    return lin && lin->made && lin->ready;
}

/* out = J in. */
static void linearisation_chain(const lg_linearisation *lin, double *out, const double *in)
{
    const int n = lin->implicit_copy->plan.n, stages = lin->implicit_copy->plan.stages;
    double *x = lin->input + lin->nz;
    for (int i = 0; i < stages; i++) {
        memcpy(x, in, sz(lin->nx) * sizeof *x);
        if (i) memcpy(x, lin->output, sz(2 * n) * sizeof *x);
        lg_linearisation_push(lin, &lin->stages[i]);
    }
    memcpy(out, lin->output, sz(lin->ny) * sizeof *out);
}

lg_status lg_linearisation_apply(const lg_linearisation *lin, double *out, const double *in)
{
    if (!linearisation_has_derivative(lin) || !out || !in) return LG_ERROR_ARGUMENT;
    linearisation_chain(lin, out, in);
    for (int c = 0; c < lin->nx; c++)
        if (in[c] != 0 && lg_arrays_unknown(lin, c)) lg_fill_nan(out, lin->ny);
    return LG_OK;
}

lg_status lg_linearisation_apply_transposed(const lg_linearisation *lin, double *out, const double *in)
{
    if (!linearisation_has_derivative(lin) || !out || !in) return LG_ERROR_ARGUMENT;
    const int n = lin->implicit_copy->plan.n;
    memset(out, 0, sz(lin->nx) * sizeof *out);
    memcpy(lin->output, in, sz(lin->ny) * sizeof *in);
    for (int i = lin->implicit_copy->plan.stages - 1; i >= 0; i--) {
        const double *x = lin->input + lin->nz;
        lg_linearisation_pull(lin, &lin->stages[i]);
        for (int j = 2 * n; j < lin->nx; j++) out[j] += x[j];
        memcpy(lin->output, x, sz(2 * n) * sizeof *x);
        memset(lin->output + 2 * n, 0, sz(lin->ny - 2 * n) * sizeof *x); /* the last stage's multipliers only */
    }
    memcpy(out, lin->output, sz(2 * n) * sizeof *out);
    for (int c = 2 * n; c < lin->nx; c++)
        if (lg_arrays_unknown(lin, c)) out[c] = (double)NAN;
    return LG_OK;
}

lg_status lg_linearisation_jacobian(const lg_linearisation *lin, double *J)
{
    if (!linearisation_has_derivative(lin) || !J) return LG_ERROR_ARGUMENT;
    memset(lin->unit, 0, sz(lin->nx) * sizeof *lin->unit);
    for (int c = 0; c < lin->nx; c++) {
        lin->unit[c] = 1;
        lg_status_ignore(lg_linearisation_apply(lin, lin->plus, lin->unit));
        lin->unit[c] = 0;
        for (int r = 0; r < lin->ny; r++) J[r * lin->nx + c] = lin->plus[r];
    }
    return LG_OK;
}
