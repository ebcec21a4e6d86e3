/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a stage by tangents: the derivatives of callbacks, and the call of the engine. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/callbacks.h"
#include "integrators/linearisation/linearisation.h"

/* Newton's iteration of explicit steps: derivatives are one iteration behind the values. */
#define EXACT_TOLERANCE 1e-12
/* More sweeps of the derivatives of stages are a failure. */
#define EXACT_SWEEPS 1000

/* ---- the derivatives of a callback ---- */

static int exact_evaluate(lg_linearisation *lin, double t, const double *g, const double *xi, double *out)
{
    const lg_exact *o = &lin->exact;
    lg_field *f = &lin->implicit_copy->field;
    if (o->kind == LG_TANGENT_ROWS) return lg_field_rows(f, t, g, out, out + f->m * f->n);
    if (o->kind == LG_TANGENT_ROW_RATES) return lg_field_rows_rate(f, t, g, xi, out, out + f->m * f->n);
    return lg_field_evaluate(f, (lg_callback_kind)o->kind, t, g, xi, out);
}

/* The control or the parameter that is input j, as callbacks see it; NULL for other inputs. */
static double *exact_number(lg_linearisation *lin, int j)
{
    lg_integrator *copy = lin->implicit_copy;
    const int k = j - 2 * copy->plan.n - 1, controls = copy->S.callbacks.control_count;
    if (k < 0) return NULL;
    return k < controls ? &copy->control[k] : &lin->seen[k - controls];
}

/* The callback with input j displaced by e. */
static int exact_sample(lg_linearisation *lin, int j, double e, double *out)
{
    const lg_exact *o = &lin->exact;
    lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n;
    const double *g = o->g, *xi = o->xi;
    if (j < n) {
        if (lg_linearisation_move(lin, o->place, o->g, j, e)) return 1;
        g = o->place;
    } else if (j < 2 * n) {
        memcpy(o->velocity, o->xi, sz(n) * sizeof *o->xi);
        o->velocity[j - n] += e;
        xi = o->velocity;
    }
    double *number = exact_number(lin, j), kept = number ? *number : 0;
    if (number) *number += e;
    const int code = exact_evaluate(lin, j == 2 * n ? o->t + e : o->t, g, xi, out);
    if (number) *number = kept;
    if (code) return lg_workspace_fail_callback(copy->workspace, code);
    if (lg_all_finite(out, o->count)) return 0;
    return lg_workspace_fail_status(copy->workspace, LG_ERROR_NOT_FINITE, copy->field.failed);
}

static int exact_is_parameter(const lg_linearisation *lin, int j)
{
    return j > 2 * lin->implicit_copy->plan.n + lin->exact.task.controls;
}

/* The scale of input j: of differences with time, a share of the step. */
static double exact_scale(lg_linearisation *lin, int j)
{
    const int n = lin->implicit_copy->plan.n;
    if (j < n) return 1;
    if (j < 2 * n) return fmax(1, lg_norm_max(lin->exact.xi, n));
    if (j == 2 * n) return 8 * fabs(lin->h);
    const double value = fabs(*exact_number(lin, j));
    return exact_is_parameter(lin, j) ? (value != 0 ? value : 1) : fmax(1, value);
}

/* Does no bit of the value change where input j does, both ways? */
static int exact_ignores(lg_linearisation *lin, int j, double scale)
{
    const lg_exact *o = &lin->exact;
    const size_t bytes = sz(o->count) * sizeof(double);
    for (int side = -1; side <= 1; side += 2)
        if (exact_sample(lin, j, side * scale / 16, lin->plus) || memcmp(lin->plus, o->task.value, bytes)) return 0;
    return 1;
}

static int exact_difference(lg_linearisation *lin, int j)
{
    lg_exact *o = &lin->exact;
    const double scale = exact_scale(lin, j);
    o->task.acts[j] = !exact_ignores(lin, j, scale);
    if (!o->task.acts[j]) return 0;
    const lg_differenced f = {exact_sample, 1, {o->count}, {lg_norm_max(o->task.value, o->count)}};
    if (exact_is_parameter(lin, j) ? lg_differentiate_input(lin, &f, j, scale, j) : lg_differentiate(lin, &f, j, scale))
        return 1;
    memcpy(o->task.slope + j * o->count, lin->best, sz(o->count) * sizeof *lin->best);
    return 0;
}

/* A unit vector of the algebra. */
static const double *exact_unit(lg_linearisation *lin, int j)
{
    memset(lin->exact.velocity, 0, sz(lin->implicit_copy->plan.n) * sizeof(double));
    lin->exact.velocity[j] = 1;
    return lin->exact.velocity;
}

/* Derivatives along the group that the system has: 1 if it does, or -1 with the code of a callback that failed. */
static int exact_known(lg_linearisation *lin, int *code)
{
    lg_exact *o = &lin->exact;
    lg_field *f = &lin->implicit_copy->field;
    const lg_callbacks *c = &f->S->callbacks;
    const lg_call call = lg_field_call(f, &o->t);
    const int n = f->n, rows = f->m * n;
    double *to = o->task.slope;
    const int hessian = o->kind == LG_CALLBACK_GRADIENT && c->potential_hessian;
    const int derivative = o->kind == LG_TANGENT_ROWS && c->covectors && c->covectors_derivative;
    if (o->kind == LG_CALLBACK_HOLONOMIC) {
        *code = lg_field_holonomic_rows(f, o->t, o->g, o->rows);
        for (int r = 0; r < o->count; r++)
            for (int j = 0; j < n; j++) to[j * o->count + r] = o->rows[r * n + j];
        return 1;
    }
    if (o->kind == LG_CALLBACK_POTENTIAL) *code = lg_field_gradient(f, o->t, o->g, to);
    if (o->kind == LG_CALLBACK_POTENTIAL) return 1;
    if (!hessian && !derivative) return 0;
    memset(to, 0, sz(n * o->count) * sizeof *to);
    f->failed = hessian ? "potential_hessian" : "covectors_derivative";
    for (int j = 0; !*code && j < n; j++, to += o->count)
        *code = hessian ? c->potential_hessian(&call, o->g, exact_unit(lin, j), to)
                        : c->covectors_derivative(&call, o->g, exact_unit(lin, j), to, to + rows);
    return 1;
}

/* lg_tangent_task::call. */
static int exact_call(lg_tangent_task *task, int kind, double t, const double *g, const double *xi, int count)
{
    lg_linearisation *lin = task->context;
    lg_exact *o = &lin->exact;
    lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n, inputs = 2 * n + 1 + task->controls + copy->S.parameter_count;
    o->kind = kind, o->count = count, o->t = t, o->g = g, o->xi = xi;
    int code = exact_evaluate(lin, t, g, xi, task->value);
    const int known = code ? 0 : exact_known(lin, &code);
    o->failed = code != 0;
    if (code) return lg_workspace_fail_callback(copy->workspace, code);
    for (int j = 0; j < inputs; j++) {
        task->acts[j] = j < n || (j < 2 * n ? xi != NULL : j > 2 * n || copy->S.callbacks.time_dependent);
        if (!task->acts[j] || (known && j < n)) continue;
        o->failed = exact_difference(lin, j);
        if (o->failed) return 1;
    }
    return task->chart(task, g);
}

/* lg_tangent_task::chart. */
static int exact_chart(lg_tangent_task *task, const double *g)
{
    lg_linearisation *lin = task->context;
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = &lin->implicit_copy->plan;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int j = 0; j < f->n; j++) {
            double *basis = task->basis + (f->offset + j) * P->element_size + f->element_offset;
            double *left = task->left + (f->offset + j) * P->element_size + f->element_offset;
            if (lg_factor_rate(w, f, g + f->element_offset, exact_unit(lin, j), basis)) return 1;
            const double size = lg_dot(basis, basis, f->element_size); /* these are orthogonal */
            for (int i = 0; i < f->element_size; i++) left[i] = basis[i] / size;
        }
    }
    return 0;
}

/* ---- a stage ---- */

void lg_exact_carve(lg_linearisation *lin, lg_arena *a, const lg_integrator *copy)
{
    const lg_wide_settings settings = {EXACT_TOLERANCE, 0, copy->workspace->iterations_max, EXACT_SWEEPS};
    const lg_plan *P = &copy->plan;
    lg_plan plan = *P;
    plan.instances = P->method.collocation_stages > 0; /* a stage is a block */
    lg_exact *o = &lin->exact;
    const size_t n = sz(P->n), e = sz(P->element_size);
    const size_t inputs = 2 * n + 1 + sz(copy->S.callbacks.control_count) + sz(copy->S.parameter_count);
    o->width = lg_tangent_width(copy);
    if (!o->width) return;
    const size_t count = sz(lg_exact_outputs(P));
    o->task.value = lg_take_doubles(a, count), o->task.slope = lg_take_doubles(a, inputs * count);
    o->task.acts = lg_take(a, inputs * sizeof *o->task.acts);
    o->task.basis = lg_take_doubles(a, n * e), o->task.left = lg_take_doubles(a, n * e);
    o->g1 = lg_take_doubles(a, e), o->p1 = lg_take_doubles(a, n);
    o->place = lg_take_doubles(a, e), o->velocity = lg_take_doubles(a, n);
    o->rows = lg_take_doubles(a, sz(P->holonomic) * n);
    lg_align(a);
    void *memory = lg_take(a, lg_wide_place_bytes(&plan, o->width));
    if (memory) o->tangent = lg_wide_place(memory, &plan, &settings, o->width);
    copy->workspace->tolerance = EXACT_TOLERANCE;
}

int lg_exact_outputs(const lg_plan *P)
{
    const int rows = P->holonomic > P->nonholonomic + 1 ? P->holonomic : P->nonholonomic + 1;
    return P->n * (P->constant_metric || rows > P->n ? rows : P->n);
}

int lg_exact_differentiate(lg_linearisation *lin, lg_stage *stage)
{
    lg_exact *o = &lin->exact;
    lg_tangent_task *task = &o->task;
    lg_workspace *w = lin->implicit_copy->workspace;
    lg_failure failure;
    task->t0 = lin->t0, task->h = lin->h, task->before = lin->before, task->share = lin->share;
    task->ratio = lin->ratio, task->parameters = lin->parameters, task->control = lin->control;
    task->g = lin->g, task->p = lin->p, task->z = w->collocation ? w->collocation->rates : lin->z, task->g1 = o->g1,
    task->p1 = o->p1;
    task->controls = lin->implicit_copy->S.callbacks.control_count;
    task->constants = lin->arrays.make ? lin->arrays.slope : NULL, task->constants_count = lin->arrays.constants;
    task->call = exact_call, task->chart = exact_chart, task->context = lin;
    task->partial = stage->partial, task->width = lin->nz + lin->nx;
    o->failed = 0;
    lg_wide_set_numbers(o->tangent, lg_wide_width(o->tangent) - 1, w);
    if (lg_wide_stage(o->tangent, task, &failure)) {
        if (!o->failed) w->failure = failure;
        return 1;
    }
    if (lg_all_finite(stage->partial, (lin->nz + lin->ny) * task->width)) return 0;
    return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "a derivative of the step");
}
