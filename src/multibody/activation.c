/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/activation.h"

#include <math.h>
#include <string.h>

#include "multibody/motion.h"
#include "multibody/parts/part.h"

static double within(double x, const double *limit)
{
    return fmin(fmax(x, limit[0]), limit[1]);
}

/* Where a is after a time s, without its limits: a + (u - a) (1 - e^(-s/T)), or a + u s. */
static double flow(const mb_activation *a, double from, double u, double s)
{
    return a->kind == LG_ACTIVATION_FILTER ? from - (u - from) * expm1(-s / a->time) : from + u * s;
}

/* The time in which it comes from one value to another. */
static double between(const mb_activation *a, double from, double to, double u)
{
    return a->kind == LG_ACTIVATION_FILTER ? a->time * log((from - u) / (to - u)) : (to - from) / u;
}

double mb_activation_at(const mb_plan *plan, int i, const double *control, const double *act, double t)
{
    const mb_activation *a = &plan->activation[i];
    const double u = within(control[i], a->limit);
    if (a->kind == LG_ACTIVATION_NONE) return u;
    return within(flow(a, act[2 * i], u, t - act[2 * i + 1]), a->range);
}

/* The mean over a time `span` that begins with `from`, without limits. */
static double free_mean(const mb_activation *a, double from, double to, double u, double span)
{
    const double y = span / a->time;
    return a->kind == LG_ACTIVATION_FILTER ? u - (from - u) * expm1(-y) / y : 0.5 * (from + to);
}

/* It waits at a limit until it comes within both, moves, since it is monotone once, and waits at the other one. */
static double mean(const mb_activation *a, double from, double u, double span)
{
    const double to = flow(a, from, u, span), first = within(from, a->range), last = within(to, a->range);
    const int late = first < from || first > from, early = last < to || last > to;
    if (!late && !early) return free_mean(a, from, to, u, span);
    const double waits = late ? fmin(between(a, from, first, u), span) : 0;
    const double moves = early && (first < last || first > last) ? between(a, first, last, u)
                         : early                                 ? 0
                                                                 : span - waits;
    const double area = moves > 0 ? moves * free_mean(a, first, last, u, moves) : 0;
    return (first * waits + area + last * fmax(span - waits - moves, 0)) / span;
}

/* Of a step backwards, such as a composition has, that of the same time forwards. */
static double mean_of(const mb_plan *plan, int i, const double *control, const double *act, double t, double h)
{
    const mb_activation *a = &plan->activation[i];
    const double u = within(control[i], a->limit), begin = fmin(t, t + h);
    if (a->kind == LG_ACTIVATION_NONE) return u;
    return mean(a, flow(a, act[2 * i], u, begin - act[2 * i + 1]), u, fabs(h));
}

void mb_inputs(const mb_plan *plan, double *input, const double *control, const double *act, double t, double h)
{
    for (int i = 0; i < plan->controls; i++)
        input[i] = h == 0 ? mb_activation_at(plan, i, control, act, t) : mean_of(plan, i, control, act, t, h);
}

void mb_inputs_of_activations(const mb_plan *plan, double *input, const double *u)
{
    for (int i = 0; i < plan->controls; i++) {
        const mb_activation *a = &plan->activation[i];
        input[i] = plan->activations == 0 ? u[i] : within(u[i], a->kind == LG_ACTIVATION_NONE ? a->limit : a->range);
    }
}

double mb_activations_rest(const mb_plan *plan, const double *control, const double *act, double t, double rest,
                           double slack)
{
    for (int i = 0; i < plan->controls && plan->activations > 0; i++) {
        const mb_activation *a = &plan->activation[i];
        const double u = within(control[i], a->limit), from = act[2 * i];
        const double to = a->kind == LG_ACTIVATION_FILTER ? u : u > 0 ? INFINITY : u < 0 ? -INFINITY : from;
        const double limit = within(to, a->range);
        if (a->kind == LG_ACTIVATION_NONE || !(limit < to || limit > to)) continue;
        const double left = act[2 * i + 1] + between(a, from, limit, u) - t;
        if (left * rest > 0 && fabs(left) > slack && fabs(left) < fabs(rest)) rest = left;
    }
    return rest;
}

void mb_activations_begin(const mb_plan *plan, double *act, double t)
{
    for (int i = 0; i < plan->controls && plan->activations > 0; i++)
        act[2 * i] = within(0, plan->activation[i].range), act[2 * i + 1] = t;
}

void mb_activations_turn(const mb_plan *plan, double *act, const double *control, const double *u, double t)
{
    for (int i = 0; i < plan->controls && plan->activations > 0; i++) {
        if (plan->activation[i].kind == LG_ACTIVATION_NONE || u[i] == control[i]) continue;
        act[2 * i] = mb_activation_at(plan, i, control, act, t), act[2 * i + 1] = t;
    }
}

void mb_activation_take(mb_sparse *mo, int i, const mb_sparse *from, int other)
{
    const mb_motion *n = &from->numbers;
    if (other < 0 || mo->plan.activations == 0 || from->plan.activations == 0) return;
    if (from->plan.activation[other].kind == LG_ACTIVATION_NONE) return;
    mo->numbers.act[2 * i] =
        within(mb_activation_at(&from->plan, other, n->control, n->act, from->t), mo->plan.activation[i].range);
}

void mb_show_activations(mb_sparse *mo, double t, const mb_saved *from)
{
    double *act = mo->numbers.act;
    for (int i = 0; i < mo->plan.controls && mo->plan.activations > 0; i++)
        act[2 * i] = mb_activation_at(&mo->plan, i, from->control, from->act, t), act[2 * i + 1] = t;
}

void mb_copy_controls(mb_sparse *mo, const mb_sparse *from)
{
    const mb_motion *n = &from->numbers;
    memcpy(mo->numbers.control, n->control, sz(mo->plan.controls) * sizeof *n->control);
    memcpy(mo->numbers.act, n->act, sz(mb_activation_numbers(&mo->plan)) * sizeof *n->act);
}

int mb_first_activation(const mb_plan *plan)
{
    for (int i = 0; i < plan->controls && plan->activations > 0; i++)
        if (plan->activation[i].kind != LG_ACTIVATION_NONE) return i;
    return -1;
}

/* Of a motion --------------------------------------------------------------------------------------------------------
 */

double lg_motion_activation(const lg_motion *motion, int control)
{
    const mb_sparse *mo = mb_of(motion);
    if (mo == NULL || !mo->started || control < 0 || control >= mo->plan.controls) return NAN;
    const mb_motion *n = &mo->numbers;
    if (mo->plan.activations == 0) return n->control[control];
    return mb_activation_at(&mo->plan, control, n->control, n->act, mo->t);
}

lg_status mb_set_activation(mb_sparse *mo, int control, double activation, const char *who)
{
    const char *name, *noun = mb_control_noun(mo->mechanism, control, &name);
    const mb_activation *a = &mo->plan.activation[control];
    if (a->kind == LG_ACTIVATION_NONE)
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT, "%s: %s '%.60s' has no activation; its control acts at once",
                       who, noun, name);
    if (!isfinite(activation))
        return lg_fail(&mo->head.error, LG_ERROR_NOT_FINITE, "%s: %s '%.60s' gets the activation %g", who, noun, name,
                       activation);
    if (activation < a->range[0] || activation > a->range[1])
        return lg_fail(&mo->head.error, LG_ERROR_ARGUMENT,
                       "%s: %s '%.60s' gets the activation %g, which is held between %g and %g", who, noun, name,
                       activation, a->range[0], a->range[1]);
    mo->numbers.act[2 * control] = activation, mo->numbers.act[2 * control + 1] = mo->t;
    return LG_OK;
}

lg_status lg_motion_set_activation(lg_motion *motion, int control, double activation)
{
    static const char who[] = "lg_motion_set_activation";
    mb_sparse *mo = mb_of(motion);
    if (motion == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&motion->error);
    if (mo == NULL || !mo->started)
        return lg_fail(&motion->error, LG_ERROR_ARGUMENT, "%s: the motion is %s", who,
                       mo == NULL ? "not one of a mechanism" : "not started");
    if (control < 0 || control >= mo->plan.controls)
        return lg_fail(&motion->error, LG_ERROR_ARGUMENT, "%s: there is no control %d; the mechanism has %d", who,
                       control, mo->plan.controls);
    const lg_status st = mb_set_activation(mo, control, activation, who);
    return &mo->head == motion || st == LG_OK ? st : lg_fail(&motion->error, st, "%s", mo->head.error.message);
}

/* Parts ------------------------------------------------------------------------------------------------------------ */

static const char *const names[] = {"none", "filter", "integrator"};

const char *lg_activation_name(lg_activation activation)
{
    return (unsigned)activation <= LG_ACTIVATION_INTEGRATOR ? names[activation] : NULL;
}

lg_status mb_check_activation(lg_mechanism *m, const char *noun, const char *name, const mb_activation *a)
{
    lg_error *e = &m->error;
    if (lg_activation_name(a->kind) == NULL)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s '%.60s': activation %d is not an lg_activation", noun, name,
                       (int)a->kind);
    if (a->kind == LG_ACTIVATION_FILTER && !(a->time > 0 && isfinite(1 / a->time) && isfinite(a->time)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "%s '%.60s': the time_constant of its filter is %g; it must be positive and finite", noun, name,
                       a->time);
    if (a->kind != LG_ACTIVATION_FILTER && a->time != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s '%.60s': time_constant %g without a filter; set its activation", noun,
                       name, a->time);
    if (a->kind == LG_ACTIVATION_NONE && (a->range[0] > -INFINITY || a->range[1] < INFINITY))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s '%.60s': limits of an activation that it does not have", noun, name);
    const lg_status st = mb_check_limits(m, noun, name, a->range[0], a->range[1]);
    return st == LG_OK ? mb_check_limits(m, noun, name, a->limit[0], a->limit[1]) : st;
}

int mb_activation_add(lg_mechanism *m, int control, const mb_activation *a)
{
    const int varies = a->kind != LG_ACTIVATION_NONE;
    m->activation[control] = *a;
    m->plan.activations += varies || a->limit[0] > -INFINITY || a->limit[1] < INFINITY;
    return varies;
}

lg_status mb_activation_of_system(lg_mechanism *m, const char *noun, const char *name, int control)
{
    if (m->activation[control].kind == LG_ACTIVATION_NONE) return LG_OK;
    return lg_fail(&m->error, LG_ERROR_UNSUPPORTED,
                   "lg_mechanism_system: %s '%.60s' has an activation, a state that configurations and velocities do "
                   "not hold; use the sparse step",
                   noun, name);
}

void mb_activation_describe(lg_lines *l, const mb_activation *a)
{
    if (a->limit[0] > -INFINITY || a->limit[1] < INFINITY) lg_lines_numbers(l, "control limits", a->limit, 2);
    if (a->kind == LG_ACTIVATION_NONE) return;
    lg_lines_text(l, "activation", lg_activation_name(a->kind));
    lg_lines_number(l, "time constant", a->time), lg_lines_numbers(l, "activation limits", a->range, 2);
}
