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
    const int k = j - lin->exact.task.elements - copy->plan.n - 1, controls = copy->S.callbacks.control_count;
    if (k < 0) return NULL;
    return k < controls ? &copy->control[k] : &lin->seen[k - controls];
}

/* o->place = g displaced by e: on the group, or one of its numbers where stages leave it. */
static int exact_displace(lg_linearisation *lin, int j, double e)
{
    const lg_exact *o = &lin->exact;
    const lg_plan *P = &lin->implicit_copy->plan;
    if (o->task.elements == P->n) return lg_linearisation_move(lin, o->place, o->g, j, e);
    memcpy(o->place, o->g, sz(P->element_size) * sizeof *o->place);
    o->place[j] += e;
    return 0;
}

/* The callback with input j displaced by e. */
static int exact_sample(lg_linearisation *lin, int j, double e, double *out)
{
    const lg_exact *o = &lin->exact;
    lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n, elements = o->task.elements, time = elements + n;
    const double *g = o->g, *xi = o->xi;
    if (j < elements) {
        if (exact_displace(lin, j, e)) return 1;
        g = o->place;
    } else if (j < time) {
        memcpy(o->velocity, o->xi, sz(n) * sizeof *o->xi);
        o->velocity[j - elements] += e;
        xi = o->velocity;
    }
    double *number = exact_number(lin, j), kept = number ? *number : 0;
    if (number) *number += e;
    const int code = exact_evaluate(lin, j == time ? o->t + e : o->t, g, xi, out);
    if (number) *number = kept;
    if (code) return lg_workspace_fail_callback(copy->workspace, code);
    if (lg_all_finite(out, o->count)) return 0;
    return lg_workspace_fail_status(copy->workspace, LG_ERROR_NOT_FINITE, copy->field.failed);
}

static int exact_is_parameter(const lg_linearisation *lin, int j)
{
    const lg_tangent_task *task = &lin->exact.task;
    return j > task->elements + lin->implicit_copy->plan.n + task->controls;
}

/* The scale of input j: of differences with time, a share of the step. */
static double exact_scale(lg_linearisation *lin, int j)
{
    const int n = lin->implicit_copy->plan.n, elements = lin->exact.task.elements;
    if (j < elements) return 1;
    if (j < elements + n) return fmax(1, lg_norm_max(lin->exact.xi, n));
    if (j == elements + n) return 8 * fabs(lin->h);
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

/* Is the callback a polynomial of degree two, or less, in input j? */
static int exact_is_quadratic(const lg_linearisation *lin, int j)
{
    const lg_exact *o = &lin->exact;
    const int velocity = j >= o->task.elements && j < o->task.elements + lin->implicit_copy->plan.n;
    return velocity && (o->kind == LG_TANGENT_ROW_RATES || o->kind == LG_CALLBACK_METRIC_GRADIENT ||
                        o->kind == LG_CALLBACK_HOLONOMIC_ACCELERATION);
}

/* Of such polynomials one central difference is exact. */
static int exact_difference_once(lg_linearisation *lin, int j, double e)
{
    const lg_exact *o = &lin->exact;
    if (exact_sample(lin, j, e, lin->plus) || exact_sample(lin, j, -e, lin->minus)) return 1;
    for (int i = 0; i < o->count; i++) o->task.slope[j * o->count + i] = (lin->plus[i] - lin->minus[i]) / (2 * e);
    return 0;
}

static int exact_difference(lg_linearisation *lin, int j)
{
    lg_exact *o = &lin->exact;
    const double scale = exact_scale(lin, j);
    if (exact_is_quadratic(lin, j)) return exact_difference_once(lin, j, scale);
    o->task.acts[j] = !exact_ignores(lin, j, scale);
    if (!o->task.acts[j]) return 0;
    const lg_differenced f = {exact_sample, 1, {o->count}, {lg_norm_max(o->task.value, o->count)}};
    if (exact_is_parameter(lin, j)
            ? lg_differentiate_input(lin, &f, j, scale, j + lin->implicit_copy->plan.n - o->task.elements)
            : lg_differentiate(lin, &f, j, scale))
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

/* The inputs whose derivatives of a force are known: all but time, h and parameters. */
static int exact_force_knows(const lg_field *f, int j)
{
    return j < 2 * f->n || (j > 2 * f->n && j <= 2 * f->n + f->S->callbacks.control_count);
}

/* Of a force along one input after the other. */
static int exact_force(lg_linearisation *lin)
{
    lg_exact *o = &lin->exact;
    lg_field *f = &lin->implicit_copy->field;
    const lg_call call = lg_field_call(f, &o->t);
    const int n = f->n, inputs = 2 * n + 1 + f->S->callbacks.control_count;
    double *x = o->direction, *du = x + 2 * n;
    f->failed = "force_derivative";
    memset(x, 0, sz(inputs - 1) * sizeof *x);
    for (int j = 0; j < inputs; j++) {
        double *to = o->task.slope + j * o->count;
        const int at = j < 2 * n ? j : j - 1;
        if (!exact_force_knows(f, j)) continue;
        memset(to, 0, sz(o->count) * sizeof *to);
        x[at] = 1;
        const int code = f->S->callbacks.force_derivative(&call, o->g, o->xi, x, x + n, du, to);
        x[at] = 0;
        if (code) return code;
    }
    return 0;
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
    if (o->task.elements > n) return 0; /* off the group they do not exist */
    if (o->kind == LG_CALLBACK_HOLONOMIC) {
        *code = lg_field_holonomic_rows(f, o->t, o->g, o->rows);
        for (int r = 0; r < o->count; r++)
            for (int j = 0; j < n; j++) to[j * o->count + r] = o->rows[r * n + j];
        return 1;
    }
    if (o->kind == LG_CALLBACK_FORCE && c->force_derivative) {
        *code = exact_force(lin);
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

/* Where the state leaves the group the logarithm of g_1^-1 g is taken, by which a translation is not divided. */
static int exact_is_translation(const lg_linearisation *lin, const lg_factor_plan *f, int j)
{
    return lin->exact.task.elements > lin->implicit_copy->plan.n && (j < f->turn || j >= f->turn + f->turns);
}

/* lg_tangent_task::chart. */
static int exact_chart(lg_tangent_task *task, const double *g)
{
    lg_linearisation *lin = task->context;
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = &lin->implicit_copy->plan;
    task->left = lin->exact.left;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        for (int j = f->offset; j < f->offset + f->n; j++) {
            double *basis = task->basis + j * P->element_size + f->element_offset;
            double *left = task->left + j * P->element_size + f->element_offset;
            if (lg_factor_rate(w, f, g + f->element_offset, exact_unit(lin, j - f->offset), basis)) return 1;
            const double size = exact_is_translation(lin, f, j) ? 1 : lg_dot(basis, basis, f->element_size);
            for (int i = 0; i < f->element_size; i++) left[i] = basis[i] / size; /* these are orthogonal */
        }
    }
    return 0;
}

/* ---- its answers ---- */

static lg_exact_answer *exact_recall(lg_linearisation *lin)
{
    lg_exact *o = &lin->exact;
    const lg_plan *P = &lin->implicit_copy->plan;
    const size_t element = sz(P->element_size) * sizeof(double), n = sz(P->n) * sizeof(double);
    for (int k = 0; k < o->known; k++) {
        lg_exact_answer *at = &o->answers[k];
        if (at->kind == o->kind && at->t == o->t && !memcmp(at->g, o->g, element) &&
            (!o->xi || !memcmp(at->xi, o->xi, n)))
            return at;
    }
    return NULL;
}

/* The place of the next answer; it is known when it is complete. */
static lg_exact_answer *exact_replace(lg_linearisation *lin)
{
    lg_exact *o = &lin->exact;
    const lg_plan *P = &lin->implicit_copy->plan;
    lg_exact_answer *at = &o->answers[o->next];
    at->kind = o->kind, at->t = (double)NAN;
    memcpy(at->g, o->g, sz(P->element_size) * sizeof *at->g);
    if (o->xi) memcpy(at->xi, o->xi, sz(P->n) * sizeof *at->xi);
    return at;
}

static void exact_keep(lg_linearisation *lin, lg_exact_answer *at)
{
    lg_exact *o = &lin->exact;
    const lg_plan *P = &lin->implicit_copy->plan;
    memcpy(at->left, o->left, sz(P->n * P->element_size) * sizeof *at->left);
    at->t = o->t;
    o->next = (o->next + 1) % o->room;
    if (o->known < o->room) o->known++;
}

static void exact_answer(lg_tangent_task *task, const lg_exact_answer *at)
{
    task->value = at->value, task->slope = at->slope, task->acts = at->acts, task->left = at->left;
}

static int exact_find(lg_linearisation *lin)
{
    lg_exact *o = &lin->exact;
    lg_tangent_task *task = &o->task;
    lg_integrator *copy = lin->implicit_copy;
    const int n = copy->plan.n, time = task->elements + n, inputs = time + 1 + task->controls + copy->S.parameter_count;
    int code = exact_evaluate(lin, o->t, o->g, o->xi, task->value);
    const int known = code ? 0 : exact_known(lin, &code);
    o->failed = code != 0;
    if (code) return lg_workspace_fail_callback(copy->workspace, code);
    if (exact_chart(task, o->g)) return 1;
    for (int j = 0; j < inputs; j++) {
        const int moves =
            j < task->elements || j > time || (j < time ? o->xi != NULL : copy->S.callbacks.time_dependent);
        task->acts[j] = moves != 0;
        if (!moves || (known && (o->kind == LG_CALLBACK_FORCE ? exact_force_knows(&copy->field, j) : j < n))) continue;
        o->failed = exact_difference(lin, j);
        if (o->failed) return 1;
    }
    return 0;
}

/* lg_tangent_task::call. */
static int exact_call(lg_tangent_task *task, int kind, double t, const double *g, const double *xi, int count)
{
    lg_linearisation *lin = task->context;
    lg_exact *o = &lin->exact;
    o->kind = kind, o->count = count, o->t = t, o->g = g, o->xi = xi;
    lg_exact_answer *at = exact_recall(lin);
    if (!at) {
        at = exact_replace(lin);
        exact_answer(task, at);
        if (exact_find(lin)) return 1;
        exact_keep(lin, at);
    }
    exact_answer(task, at);
    return 0;
}

/* ---- a stage ---- */

/* A few for each stage, where callbacks do not understand tangents. */
static void exact_carve_answers(lg_exact *o, lg_arena *a, const lg_integrator *copy)
{
    const lg_plan *P = &copy->plan;
    const lg_callbacks *c = &copy->S.callbacks;
    const size_t n = sz(P->n), e = sz(P->element_size), count = sz(lg_exact_outputs(P));
    const size_t inputs = sz(o->task.elements) + n + 1 + sz(c->control_count) + sz(copy->S.parameter_count);
    const int stages = P->method.collocation_stages > 4 ? P->method.collocation_stages : 4;
    o->room = c->lanes & LG_LANES_TANGENTS ? 1 : 4 * stages + 4;
    o->answers = lg_take(a, sz(o->room) * sizeof *o->answers);
    for (int k = 0; k < o->room; k++) {
        lg_exact_answer at = {.g = lg_take_doubles(a, e), .xi = lg_take_doubles(a, n)};
        at.value = lg_take_doubles(a, count), at.slope = lg_take_doubles(a, inputs * count);
        at.left = lg_take_doubles(a, n * e), at.acts = lg_take(a, inputs * sizeof *at.acts);
        if (a->base) o->answers[k] = at;
    }
}

void lg_exact_carve(lg_linearisation *lin, lg_arena *a, const lg_integrator *copy)
{
    const lg_wide_settings settings = {EXACT_TOLERANCE, 0, copy->workspace->iterations_max, EXACT_SWEEPS};
    const lg_plan *P = &copy->plan;
    lg_plan plan = *P;
    plan.instances = P->method.collocation_stages > 0; /* a stage is a block */
    lg_exact *o = &lin->exact;
    const size_t n = sz(P->n), e = sz(P->element_size);
    o->width = lg_tangent_width(copy);
    if (!o->width) return;
    o->task.elements = P->method.step->needs & LG_LEAVES_GROUP ? P->element_size : P->n;
    exact_carve_answers(o, a, copy);
    o->task.basis = lg_take_doubles(a, n * e), o->left = lg_take_doubles(a, n * e);
    o->g1 = lg_take_doubles(a, e), o->p1 = lg_take_doubles(a, n);
    o->place = lg_take_doubles(a, e), o->velocity = lg_take_doubles(a, n);
    o->rows = lg_take_doubles(a, sz(P->holonomic) * n);
    o->direction = lg_take_doubles(a, 2 * n + sz(P->S->callbacks.control_count));
    lg_align(a);
    void *memory = lg_take(a, lg_wide_place_bytes(&plan, o->width));
    if (memory) o->tangent = lg_wide_place(memory, &plan, &settings, o->width);
    const int curved = lg_curved_width(copy);
    if (curved) {
        memory = lg_take(a, lg_wide_place_bytes(&plan, curved));
        if (memory) o->curved = lg_wide_place(memory, &plan, &settings, curved);
    }
    copy->workspace->tolerance = EXACT_TOLERANCE;
}

int lg_exact_outputs(const lg_plan *P)
{
    const int rows = P->holonomic > P->nonholonomic + 1 ? P->holonomic : P->nonholonomic + 1;
    return P->n * (P->constant_metric || rows > P->n ? rows : P->n);
}

/* The task of the stage that lin is at. */
static lg_tangent_task *exact_task(lg_linearisation *lin, const lg_stage *stage)
{
    lg_exact *o = &lin->exact;
    lg_tangent_task *task = &o->task;
    const lg_workspace *w = lin->implicit_copy->workspace;
    task->t0 = lin->t0, task->h = lin->h, task->before = lin->before, task->share = lin->share;
    task->ratio = lin->ratio, task->parameters = lin->parameters, task->control = lin->control;
    task->g = lin->g, task->p = lin->p, task->z = w->collocation ? w->collocation->rates : lin->z, task->g1 = o->g1,
    task->p1 = o->p1;
    task->controls = lin->controls;
    if (lg_integrator_degree(lin->implicit_copy)) {
        const lg_controls *u = &w->collocation->controls;
        task->to_stages = u->to_stages, task->to_end = u->to_end, task->control_nodes = u->degree + 1;
    }
    task->constants = lin->arrays.make ? lin->arrays.slope : NULL, task->constants_count = lin->arrays.constants;
    task->call = exact_call, task->chart = exact_chart, task->context = lin;
    task->partial = stage->partial, task->width = lin->nz + lin->nx;
    o->failed = o->known = o->next = 0;
    return task;
}

int lg_exact_curve(lg_linearisation *lin, const lg_stage *stage, const double *weights, int count)
{
    const lg_exact *o = &lin->exact;
    lg_tangent_task *task = exact_task(lin, stage);
    lg_failure failure;
    task->g = stage->g, task->p = stage->p, task->z = stage->z, task->constants = NULL;
    task->directions = lin->curvature.directions, task->stride = LG_TANGENT_BLOCK, task->count = count;
    task->weights = weights, task->curve = lin->curvature.curve;
    return lg_wide_stage(o->curved, task, &failure) || !lg_all_finite(task->curve, count);
}

int lg_exact_differentiate(lg_linearisation *lin, lg_stage *stage)
{
    const lg_exact *o = &lin->exact;
    lg_tangent_task *task = exact_task(lin, stage);
    lg_workspace *w = lin->implicit_copy->workspace;
    lg_failure failure;
    lg_wide_set_numbers(o->tangent, lg_wide_width(o->tangent) - 1, w);
    if (lg_wide_stage(o->tangent, task, &failure)) {
        if (!o->failed) w->failure = failure;
        return 1;
    }
    if (lg_all_finite(stage->partial, (lin->nz + lin->ny) * task->width)) return 0;
    return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "a derivative of the step");
}
