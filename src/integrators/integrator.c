/* SPDX-License-Identifier: BSD-3-Clause */
/* The public integrator: creation, starts, stepping. Reading a state is report.c, texts of failures are failure_text.c.
 */
#include "integrators/integrator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/collocation/collocation.h"
#include "integrators/instances.h"
#include "mechanics/copy.h"
#include "mechanics/standalone.h"
#include "retractions/retraction.h"

/* An integrator whose creation failed; it only holds the message. */
static lg_status integrator_fail_creation(lg_integrator **it, const lg_error *e)
{
    lg_integrator *o = e->status == LG_ERROR_MEMORY ? NULL : lg_reserve(sizeof *o);
    if (o) o->error = *e;
    *it = o;
    return e->status;
}

/* Copies the system's numbers, except for the inertia, which integrator_adopt_inertia() takes from
 * the workspace. */
static void integrator_copy_system(lg_integrator *o, lg_arena *a, const lg_system *S)
{
    lg_system rest = *S;
    rest.inertia = rest.inertia_diagonal = NULL;
    lg_system own = lg_system_copy(a, &rest);
    own.inertia = S->inertia, own.inertia_diagonal = S->inertia_diagonal;
    if (a->base) o->S = own;
}

/* Carves all memory of an integrator in one place; `o` is a local while the size is measured. */
static void integrator_carve(lg_integrator *o, lg_arena *a, const lg_system *S)
{
    integrator_copy_system(o, a, S);
    lg_field_carve(&o->field, a);
    size_t bytes = lg_workspace_bytes(&o->plan, &o->field);
    void *memory = lg_take(a, bytes);
    if (memory) o->workspace = lg_workspace_bind(memory, &o->plan, &o->field);
    o->first_g = lg_take_doubles(a, (size_t)o->plan.element_size);
    o->first = lg_take_doubles(a, 4 * (size_t)o->plan.n + (size_t)o->plan.m);
    int rest =
        o->plan.n + o->plan.holonomic > o->plan.element_size ? o->plan.n + o->plan.holonomic : o->plan.element_size;
    if (rest < S->callbacks.control_count) rest = S->callbacks.control_count;
    o->report = lg_take_doubles(a, (size_t)(o->plan.n + rest));
    o->control = lg_take_doubles(a, (size_t)S->callbacks.control_count);
    o->field.control = o->control;
    if (!o->plan.method.collocation_stages) return;
    lg_align(a);
    memory = lg_take(a, lg_collocation_bytes(&o->plan));
    if (!memory) return;
    o->workspace->collocation = lg_collocation_bind(memory, &o->plan);
    o->workspace->collocation->controls.end = o->control;
}

/* After loading, the workspace holds the constant inertia, as a diagonal if it is diagonal. */
static void integrator_adopt_inertia(lg_integrator *o)
{
    if (!o->plan.constant_metric) return;
    o->S.inertia = o->plan.diagonal ? NULL : o->workspace->constants.metric;
    o->S.inertia_diagonal = o->plan.diagonal ? o->workspace->constants.metric : NULL;
}

static void integrator_set_defaults(lg_integrator *o, double h)
{
    o->h = h;
    o->workspace->tolerance = 1e-8;
    o->workspace->iterations_max = 50;
    o->workspace->implicit_tolerance = o->plan.method.collocation_stages ? 1e-16
                                       : o->plan.keeps_energy ? 0x1p-52 /* what is left returns (compensation.h) */
                                       : o->plan.compensated  ? 1e-18
                                                              : 1e-14;
    o->workspace->evaluations_max = 4 * o->plan.n > 100 ? 4 * o->plan.n : 100; /* a derivative by differences takes n */
}

/* Allocates, then binds and loads. */
static lg_status integrator_build(lg_integrator **it, const lg_system *S, const lg_method *method,
                                  const lg_retraction *r, double h, lg_error *e)
{
    int factors = lg_plan_factor_count(S->group) + 1;
    const size_t head = lg_aligned(sizeof(lg_integrator) + (size_t)factors * sizeof(lg_factor_plan));
    char *probe_memory = malloc(head);
    if (!probe_memory) return lg_fail(e, LG_ERROR_MEMORY, "lg_integrator_create: out of memory");
    lg_integrator *probe = (lg_integrator *)(void *)probe_memory;
    memset(probe, 0, sizeof *probe);
    lg_factor_plan *plans = (lg_factor_plan *)(void *)(probe_memory + sizeof *probe);
    lg_status st = lg_plan_make(&probe->plan, plans, S, method, r, e);
    lg_arena a = {NULL, 0};
    if (st == LG_OK) {
        lg_field_init(&probe->field, S, r);
        integrator_carve(probe, &a, S);
    }
    free(probe_memory);
    if (st != LG_OK) return st;
    const size_t bytes = head + lg_aligned(a.used);
    lg_integrator *o = lg_reserve(bytes);
    if (!o) return lg_fail(e, LG_ERROR_MEMORY, "lg_integrator_create: out of memory (%zu bytes)", bytes);
    o->bytes = bytes;
    o->made = 1;
    plans = (lg_factor_plan *)(void *)((char *)o + sizeof *o);
    o->S = *S;
    (void)lg_plan_make(&o->plan, plans, &o->S, method, r, e);
    lg_field_init(&o->field, &o->S, r);
    a = (lg_arena){(char *)o + head, 0};
    integrator_carve(o, &a, S);
    integrator_set_defaults(o, h);
    if (lg_workspace_load(o->workspace)) {
        st = lg_explain(o, "lg_integrator_create", e);
        lg_release(o);
        return st;
    }
    integrator_adopt_inertia(o);
    *it = o;
    return LG_OK;
}

static lg_status integrator_create(lg_integrator **it, const lg_system *S, const char *method, const lg_retraction *r,
                                   double h, lg_error *e)
{
    lg_method M;
    lg_system own;
    lg_status st = lg_system_take(&own, S, e);
    if (st == LG_OK) st = lg_system_validate(&own, e);
    if (st == LG_OK) st = lg_method_parse(&M, method, e);
    if (st != LG_OK) return st;
    if (!isfinite(h) || h == 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_integrator_create: step h is %g; it must be finite and not 0", h);
    return integrator_build(it, &own, &M, r, h, e);
}

lg_status lg_integrator_create_with(lg_integrator **it, const lg_system *S, const char *method, const lg_retraction *r,
                                    double h)
{
    lg_error e = {LG_OK, ""};
    if (!it) return LG_ERROR_ARGUMENT;
    *it = NULL;
    lg_status st = lg_retraction_validate(r, "lg_integrator_create", &e);
    if (st == LG_OK) st = integrator_create(it, S, method, r, h, &e);
    return st == LG_OK ? LG_OK : integrator_fail_creation(it, &e);
}

lg_status lg_integrator_create(lg_integrator **it, const lg_system *S, const char *method, const char *retraction,
                               double h)
{
    lg_error e = {LG_OK, ""};
    if (!it) return LG_ERROR_ARGUMENT;
    const lg_retraction *r = lg_retraction_named(retraction ? retraction : "exp");
    if (r) return lg_integrator_create_with(it, S, method, r, h);
    lg_fail(&e, LG_ERROR_ARGUMENT,
            "unknown retraction '%.60s'; expected exp, cayley, second-kind or exp:order=N with N from 0 to 20",
            retraction ? retraction : "(null)");
    return integrator_fail_creation(it, &e);
}

static void integrator_copy_settings(lg_integrator *o, const lg_integrator *it)
{
    lg_workspace *to = o->workspace;
    const lg_workspace *from = it->workspace;
    to->tolerance = from->tolerance, to->iterations_max = from->iterations_max;
    to->implicit_tolerance = from->implicit_tolerance, to->evaluations_max = from->evaluations_max;
    o->t0 = it->t0, o->step = it->step, o->started = it->started;
    o->base_t = it->base_t, o->base_step = it->base_step;
    lg_integrator_shape_controls(o, lg_integrator_degree(it));
    lg_integrator_put_controls(o, lg_integrator_controls(it));
}

lg_status lg_integrator_follow(lg_integrator *o, const lg_integrator *it)
{
    integrator_copy_settings(o, it);
    memcpy(o->first_g, it->first_g, (size_t)it->plan.element_size * sizeof *o->first_g);
    memcpy(o->first, it->first, 4 * (size_t)it->plan.n * sizeof *o->first);
    for (int i = 0; i < it->plan.m; i++) lg_first_lambda(o)[i] = lg_first_lambda(it)[i];
    if (!o->started) return LG_OK;
    o->workspace->now->t = it->workspace->now->t;
    lg_copy_node(&o->plan, o->workspace->now, it->workspace->now);
    if (lg_node_evaluate(o->workspace, o->workspace->now)) return lg_explain(o, "lg_integrator_clone", &o->error);
    lg_history_copy(o->workspace, it->workspace);
    return LG_OK;
}

lg_status lg_integrator_clone(lg_integrator **copy, const lg_integrator *it)
{
    lg_error e = {LG_OK, ""};
    if (!copy) return LG_ERROR_ARGUMENT;
    *copy = NULL;
    if (!it || !it->made || it->busy)
        return lg_fail(&e, LG_ERROR_ARGUMENT, "lg_integrator_clone: %s",
                       it && it->busy ? "called by a callback of the integrator, which is at work"
                                      : "there is no integrator"),
               integrator_fail_creation(copy, &e);
    lg_status st = integrator_build(copy, &it->S, &it->plan.method, it->plan.retraction, it->h, &e);
    if (st != LG_OK) return integrator_fail_creation(copy, &e);
    return lg_integrator_follow(*copy, it);
}

lg_status lg_integrator_copy_in_form(lg_integrator **copy, const lg_integrator *it, const lg_system *S, int implicit,
                                     lg_error *e)
{
    lg_method method = it->plan.method;
    if (implicit) method.implicit = 1;
    return integrator_build(copy, S, &method, it->plan.retraction, it->h, e);
}

lg_status lg_integrator_enter(lg_integrator *it, const char *function)
{
    if (it->busy)
        return lg_fail(
            &it->error, LG_ERROR_ARGUMENT,
            "%s: called by a callback of this integrator, which is at work; step a clone that was made before",
            function);
    it->busy = 1;
    return LG_OK;
}

void lg_integrator_destroy(lg_integrator *it)
{
    if (it && it->busy) return; /* called by a callback: the function that called it still uses the integrator */
    lg_release(it);
}

size_t lg_integrator_bytes(const lg_integrator *it)
{
    return it ? it->bytes : 0;
}

const char *lg_integrator_message(const lg_integrator *it)
{
    return it ? it->error.message : LG_NO_OBJECT("integrator");
}

lg_status lg_integrator_set_newton(lg_integrator *it, double tolerance, int iterations)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    if (!(tolerance > 0) || !isfinite(tolerance) || iterations < 1)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_set_newton: tolerance %g and %d iterations; both must be positive", tolerance,
                       iterations);
    lg_status st = lg_integrator_enter(it, "lg_integrator_set_newton");
    if (st != LG_OK) return st;
    it->workspace->tolerance = tolerance;
    it->workspace->iterations_max = iterations;
    return lg_integrator_leave(it, LG_OK);
}

lg_status lg_integrator_set_solver(lg_integrator *it, double tolerance, int evaluations)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    if (!(tolerance > 0) || !isfinite(tolerance) || evaluations < 1)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_set_solver: tolerance %g and %d evaluations; both must be positive", tolerance,
                       evaluations);
    lg_status st = lg_integrator_enter(it, "lg_integrator_set_solver");
    if (st != LG_OK) return st;
    it->workspace->implicit_tolerance = tolerance;
    it->workspace->evaluations_max = evaluations;
    return lg_integrator_leave(it, LG_OK);
}

lg_status lg_integrator_set_tolerance(lg_integrator *it, double tolerance)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    if (!it->workspace->collocation)
        return lg_fail(&it->error, LG_ERROR_UNSUPPORTED,
                       "lg_integrator_set_tolerance: '%s' has steps of one length; use gauss, or choose the step",
                       it->plan.method.name);
    if (tolerance != 0 && !(tolerance >= LG_TOLERANCE_LEAST && tolerance <= LG_TOLERANCE_MOST))
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_set_tolerance: tolerance %g; expected 0, or from %g, what round-off lets a step "
                       "keep, to %g",
                       tolerance, LG_TOLERANCE_LEAST, LG_TOLERANCE_MOST);
    if (tolerance != 0 && lg_integrator_degree(it))
        return lg_fail(&it->error, LG_ERROR_UNSUPPORTED,
                       "lg_integrator_set_tolerance: controls are polynomials inside steps of the given length; set "
                       "controls that are held, or choose the step");
    lg_status st = lg_integrator_enter(it, "lg_integrator_set_tolerance");
    if (st != LG_OK) return st;
    lg_adaptive_set(it->workspace, tolerance);
    return lg_integrator_leave(it, LG_OK);
}

void lg_integrator_set_pause(lg_integrator *it, lg_pause pause)
{
    if (it->workspace->collocation) it->workspace->collocation->pause = pause;
}

/* The state of the last start, for steps that are `ratio` times as long. */
static void integrator_rescale_first(lg_integrator *it, double ratio)
{
    const size_t n = sz(it->plan.n), element = sz(it->plan.element_size);
    lg_node b = *it->workspace->now;
    b.p_plus = it->first, b.p_minus = it->first + n, b.p_tilde = it->first + 2 * n;
    memset(it->report, 0, (element + n) * sizeof *it->report);
    b.carry = it->report;
    it->plan.method.rule->rescale(it->workspace, ratio, &b);
}

lg_status lg_integrator_set_step(lg_integrator *it, double h)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    if (!isfinite(h) || h == 0)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_set_step: step h is %g; it must be finite and not 0", h);
    lg_status st = lg_integrator_enter(it, "lg_integrator_set_step");
    if (st != LG_OK || h == it->h) return st == LG_OK ? lg_integrator_leave(it, st) : st;
    lg_workspace *w = it->workspace;
    if (it->started && it->plan.method.rule->rescale) {
        it->plan.method.rule->rescale(w, h / it->h, w->now);
        integrator_rescale_first(it, h / it->h);
    }
    it->h = h;
    it->base_t = w->now->t, it->base_step = it->step;
    lg_history_clear(w);
    it->moves++;
    return lg_integrator_leave(it, LG_OK);
}

/* Adds s A^T lambda of the continuous equations to p^-; the reported multipliers stay. */
static int integrator_shift_reaction(lg_integrator *it, double s)
{
    lg_workspace *w = it->workspace;
    lg_node *b = w->now;
    const int n = it->plan.n, m = it->plan.m;
    memcpy(w->reflection.kept, b->lambda, (size_t)m * sizeof *w->reflection.kept);
    lg_raise(&it->plan, w->vector, b, b->p_tilde);
    int bad = lg_continuous_multipliers(w, b, w->vector, NULL);
    for (int a = it->plan.holonomic; !bad && a < m; a++)
        for (int i = 0; i < n; i++) b->p_minus[i] += s * b->lambda[a] * b->rows[a * n + i];
    memcpy(b->lambda, w->reflection.kept, (size_t)m * sizeof *w->reflection.kept);
    return bad || (it->plan.holonomic && lg_project_hidden(w, b, b->p_minus, 0));
}

lg_status lg_integrator_jump(lg_integrator *it, const double *u)
{
    lg_integrator_shape_controls(it, 0);
    const double s = 0.5 * it->h * lg_plan_stage(&it->plan, 0);
    const size_t bytes = (size_t)it->S.callbacks.control_count * sizeof *u;
    if (it->started && lg_instance_is_prescribed(it)) {
        if (memcmp(it->control, u, bytes) == 0) return LG_OK;
        if (it->plan.method.rule->state == LG_STATE_P_TILDE) return lg_integrator_obey(it, u);
        return lg_fail(&it->error, LG_ERROR_UNSUPPORTED,
                       "lg_integrator_set_control: constraints prescribe the velocity, which new controls may change, "
                       "but the state of '%s' is no velocity; use sem",
                       it->plan.method.name);
    }
    if (!it->started || !lg_instance_feels_control(it)) {
        memcpy(it->control, u, bytes);
        return LG_OK;
    }
    double *before = it->report; /* room for n and more */
    memcpy(before, it->workspace->now->p_minus, (size_t)it->plan.n * sizeof *before);
    it->workspace->destination = it->workspace->now;
    int bad = integrator_shift_reaction(it, -s);
    if (!bad) {
        memcpy(it->control, u, bytes);
        bad = integrator_shift_reaction(it, s);
    }
    if (!bad) return LG_OK;
    memcpy(it->workspace->now->p_minus, before, (size_t)it->plan.n * sizeof *before);
    return lg_explain(it, "lg_integrator_set_control", &it->error);
}

lg_status lg_integrator_set_control(lg_integrator *it, const double *u)
{
    if (!it || !it->made) return LG_ERROR_ARGUMENT;
    int count = it->S.callbacks.control_count;
    if (!count || !u)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT, "lg_integrator_set_control: %s",
                       u ? "the system has no controls; set lg_callbacks::control_count" : "the controls are NULL");
    if (!lg_all_finite(u, count))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "lg_integrator_set_control: a control is not finite");
    lg_status st = lg_integrator_enter(it, "lg_integrator_set_control");
    return st == LG_OK ? lg_integrator_leave(it, lg_integrator_jump(it, u)) : st;
}

lg_status lg_not_ready(lg_integrator *it, const char *function)
{
    if (!it) return LG_ERROR_ARGUMENT;
    if (!it->made) return it->error.status == LG_OK ? LG_ERROR_ARGUMENT : it->error.status;
    if (it->started) return LG_OK;
    return lg_fail(&it->error, LG_ERROR_ARGUMENT, "%s: not started; call lg_integrator_start() first", function);
}

lg_status lg_integrator_step(lg_integrator *it)
{
    if (!it || !it->started) return lg_not_ready(it, "lg_integrator_step");
    const double t1 = lg_next_time(it);
    lg_status st = lg_integrator_enter(it, "lg_integrator_step");
    if (st != LG_OK) return st;
    if (lg_step(it->workspace, it->h, &t1))
        return lg_integrator_leave(it, lg_explain(it, "lg_integrator_step", &it->error));
    it->step++, it->moves++;
    if (it->error.status != LG_OK) lg_error_clear(&it->error);
    return lg_integrator_leave(it, LG_OK);
}

lg_status lg_integrator_run(lg_integrator *it, int64_t steps, int64_t every, lg_observer observer, void *context)
{
    lg_status st = lg_not_ready(it, "lg_integrator_run");
    if (st != LG_OK) return st;
    if (steps < 0 || every < 1)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_run: %lld steps, every %lld; expected >= 0 and >= 1", (long long)steps,
                       (long long)every);
    int64_t until = every;
    for (int64_t k = 0; k < steps; k++) {
        if ((st = lg_integrator_step(it)) != LG_OK) return st;
        if (!observer || --until) continue;
        until = every;
        if (observer(it, context))
            return lg_fail(&it->error, LG_ERROR_INTERRUPTED,
                           "lg_integrator_run: the observer asked to stop at step %lld", (long long)it->step);
    }
    return LG_OK;
}
