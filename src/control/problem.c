/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a problem, and its first guess. */
#include "control/problem.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "base/sized.h"
#include "retractions/retraction.h"

static const double OFF_GROUP = 1e-6; /* farther elements are refused */
static const double INSIDE = 1e-2;    /* distance of a guess from limits, in relation to their distance */

static const lg_sized problem_size =
    LG_SIZED_AS(lg_optimum_problem, cost_context, "start from lg_optimum_problem_default()");

void lg_optimum_problem_init(lg_optimum_problem *problem, size_t size, const lg_system *S)
{
    const lg_optimum_problem own = {.system = S, .steps = 40, .time = 1};
    lg_sized_give(&problem_size, problem, size, &own);
}

lg_status lg_problem_take(lg_optimum_problem *own, const lg_optimum_problem *problem, lg_error *e)
{
    if (!problem) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: the problem is missing");
    return lg_sized_take(&problem_size, own, problem, e);
}

/* ---- checks ---- */

static lg_status problem_check_times(const lg_optimum_problem *p, lg_error *e)
{
    const int timed = p->time_low != 0 || p->time_high != 0;
    if (p->steps < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: %d steps; expected at least 1", p->steps);
    if (!(p->time > 0) || !isfinite(p->time))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: time %g; expected a finite positive number", p->time);
    if (timed && !(p->time_low > 0 && p->time_low < p->time_high && isfinite(p->time_high)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: a free time within %g and %g; expected 0 < time_low < time_high",
                       p->time_low, p->time_high);
    if (timed && !(p->time >= p->time_low && p->time <= p->time_high))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: time %g is not within its bounds %g and %g", p->time,
                       p->time_low, p->time_high);
    if (!isfinite(p->time_weight))
        return lg_fail(e, LG_ERROR_NOT_FINITE, "lg_optimum_create: time_weight is not finite");
    if (!timed && p->time_weight != 0)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: time_weight is %g, but the time is given; set time_low and time_high",
                       p->time_weight);
    return LG_OK;
}

static lg_status problem_check_system(const lg_optimum_problem *p, lg_error *e)
{
    const lg_system *S = p->system;
    if (S && p->mechanism)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: there are a system and a mechanism; leave one NULL");
    if (!S || !S->group) return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: there is no system and no mechanism");
    if (S->callbacks.control_count < 1)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: the system has no controls; set lg_callbacks::control_count, and read "
                       "lg_call::control in its forces");
    if (S->callbacks.holonomic_count)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: holonomic constraints are not supported; choose a group without them");
    if (S->callbacks.time_dependent && p->time_high != 0)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: the system depends on time, so the time must be given");
    if (!lg_retraction_supports(lg_retraction_exp(), S->group))
        return lg_fail(e, LG_ERROR_UNSUPPORTED, "lg_optimum_create: the group %s has no logarithm", S->group->name);
    return LG_OK;
}

static lg_status problem_check_element(const lg_group *G, const char *name, const double *g, lg_error *e)
{
    if (!g) return LG_OK;
    if (!lg_all_finite(g, G->element_size))
        return lg_fail(e, LG_ERROR_NOT_FINITE, "lg_optimum: %s is not finite", name);
    const double off = lg_group_residual(G, g);
    if (off <= OFF_GROUP) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum: %s is off the group %s by %.3g; expected less than %g", name,
                   G->name, off, OFF_GROUP);
}

lg_status lg_problem_check_vector(const char *name, const double *v, int count, lg_error *e)
{
    return !v || lg_all_finite(v, count) ? LG_OK
                                         : lg_fail(e, LG_ERROR_NOT_FINITE, "lg_optimum: %s is not finite", name);
}

/* The end conditions: o->row may be NULL, to count them. */
static lg_status problem_rows(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    o->ends = 0;
    for (int i = 0; i < 2 * o->n; i++) {
        const int target = p->closes || (i < o->n ? p->target_g != NULL : p->target_p != NULL);
        if (p->target_rows && p->target_rows[i] && !target)
            return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: end condition %d holds, but there is no target_%c",
                           i + 1, i < o->n ? 'g' : 'p');
        if (!(p->target_rows ? p->target_rows[i] != 0 : target)) continue;
        if (o->row) o->row[o->ends] = i;
        o->ends++;
    }
    return LG_OK;
}

/* A momentum must satisfy the constraints at g. */
static lg_status problem_check_momentum(lg_optimum *o, const char *name, const double *g, const double *p, lg_error *e)
{
    if (!o->constrained) return LG_OK;
    if (o->kinematic) return LG_OK; /* it follows */
    const lg_status st = lg_integrator_start_momentum(o->it, 0, g, p);
    return st == LG_OK ? LG_OK : lg_fail(e, st, "lg_optimum: %s: %.240s", name, lg_integrator_message(o->it));
}

lg_status lg_problem_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    lg_status st = p->mechanism && !p->system ? LG_OK : problem_check_system(p, e);
    if (st == LG_OK) st = problem_check_times(p, e);
    if (st != LG_OK) return st;
    o->timed = p->time_high != 0, o->steps = p->steps;
    o->limited = p->control_low || p->control_high;
    o->running = p->running_cost, o->final = p->end_cost, o->context = p->cost_context;
    if (p->mechanism && p->degree)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: controls of mechanisms are held over a step; degree must be 0");
    if (p->mechanism) {
        st = lg_steer_open(o, p, e);
        if (st == LG_OK) st = lg_gait_open(o, p, e);
        if (o->frees > o->k) o->frees = o->k;
        if (st == LG_OK) st = lg_free_open(o, p, e);
        if (st == LG_OK) st = lg_path_open(o, p, e);
        return st == LG_OK ? problem_rows(o, p, e) : st;
    }
    o->moves = &lg_moves_system;
    st = lg_integrator_create(&o->it, p->system, p->method, p->retraction, p->time / p->steps);
    if (st != LG_OK) return lg_fail(e, st, "lg_optimum_create: %.280s", lg_integrator_message(o->it));
    if ((st = lg_nodes_open(o, p, e)) != LG_OK) return st;
    st = lg_linearisation_create(&o->lin, o->it);
    if (st != LG_OK) return lg_fail(e, st, "lg_optimum_create: %.280s", lg_linearisation_message(o->lin));
    if ((st = lg_free_open(o, p, e)) != LG_OK) return st;
    const lg_plan *P = &o->it->plan;
    o->G = o->it->S.group, o->map = lg_retraction_exp();
    o->n = P->n, o->element = P->element_size;
    o->k = 2 * o->n, o->half = o->n;
    o->constrained = P->m > 0;
    o->curved = o->constrained && (o->it->S.callbacks.covectors || o->it->S.callbacks.metric);
    if (o->constrained && P->method.rule->state != LG_STATE_P_TILDE)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: '%s' does not keep the momentum of its nodes on velocity constraints; use "
                       "sem or gauss",
                       P->method.name);
    st = lg_kinematic_open(o, p, e);
    if (st == LG_OK) st = lg_gait_open(o, p, e);
    if (st == LG_OK) st = lg_path_open(o, p, e);
    return st == LG_OK ? problem_rows(o, p, e) : st;
}

/* ---- numbers ---- */

static lg_status problem_fill_effort(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int c = lg_nodes_count(o);
    int bad;
    lg_set_identity(o->effort, c);
    if (!p->effort && o->course) lg_steer_effort(o);
    if (!p->effort) return LG_OK;
    memcpy(o->effort, p->effort, sz(c * c) * sizeof *o->effort);
    if (!lg_all_finite(o->effort, c * c))
        return lg_fail(e, LG_ERROR_NOT_FINITE, "lg_optimum_create: the effort is not finite");
    for (int i = 0; i < c; i++)
        for (int j = 0; j < i; j++)
            if (o->effort[i * c + j] != o->effort[j * c + i])
                return lg_fail(
                    e, LG_ERROR_ARGUMENT,
                    "lg_optimum_create: the effort is not symmetric: entries (%d, %d) and (%d, %d) are %g and "
                    "%g",
                    i + 1, j + 1, j + 1, i + 1, o->effort[i * c + j], o->effort[j * c + i]);
    memcpy(o->model.G, o->effort, sz(c * c) * sizeof *o->effort);
    if (lg_cholesky(o->model.G, c, &bad) == LG_OK) return LG_OK;
    return lg_fail(e, LG_ERROR_SINGULAR, "lg_optimum_create: the effort is not positive definite: pivot %d", bad + 1);
}

static lg_status problem_fill_limits(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    for (int j = 0; j < o->controls; j++) {
        const int own = j % lg_nodes_count(o);
        o->low[j] = p->control_low ? p->control_low[own] : -INFINITY;
        o->high[j] = p->control_high ? p->control_high[own] : INFINITY;
        const lg_status st = o->course ? lg_steer_limit(o, j, &o->low[j], &o->high[j], e) : LG_OK;
        if (st != LG_OK) return st;
        if (!(o->low[j] < o->high[j]))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: limits %g and %g of control %d; the first must be below the second",
                           o->low[j], o->high[j], own + 1);
    }
    return LG_OK;
}

static void problem_copy_element(lg_optimum *o, double *to, const double *g)
{
    if (!o->G->project || o->G->project(o->G, to, g, o->scratch) != LG_OK) memcpy(to, g, sz(o->element) * sizeof *g);
}

static lg_status problem_fill_ends(lg_optimum *o, const double *start_g, const double *start_p, const double *target_g,
                                   const double *target_p, lg_error *e)
{
    const size_t bytes = sz(o->n) * sizeof(double);
    if (o->course) return lg_steer_fill_ends(o, start_g, start_p, target_g, target_p, e);
    lg_status st = problem_check_element(o->G, "start_g", start_g, e);
    if (st == LG_OK) st = problem_check_element(o->G, "target_g", target_g, e);
    if (st == LG_OK) st = lg_problem_check_vector("start_p", start_p, o->n, e);
    if (st == LG_OK) st = lg_problem_check_vector("target_p", target_p, o->n, e);
    if (st == LG_OK && o->made && o->kinematic && start_p)
        st =
            lg_fail(e, LG_ERROR_ARGUMENT,
                    "lg_optimum_move: constraints prescribe the velocity here, and the momentum follows from it; leave "
                    "start_p NULL");
    if (st == LG_OK && (start_g || start_p))
        st = problem_check_momentum(o, "start_p", start_g ? start_g : o->start_g, start_p ? start_p : o->start_p, e);
    if (st == LG_OK && o->made && o->closes && target_g) st = lg_gait_check(o, target_g, e);
    if (st == LG_OK && target_p && o->has_g)
        st = problem_check_momentum(o, "target_p", target_g ? target_g : o->target_g, target_p, e);
    if (st != LG_OK) return st;
    if (start_g) problem_copy_element(o, o->start_g, start_g);
    if (target_g) problem_copy_element(o, o->target_g, target_g);
    if (start_p) memcpy(o->start_p, start_p, bytes);
    if (target_p) memcpy(o->target_p, target_p, bytes);
    return LG_OK;
}

lg_status lg_problem_fill(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    lg_status st = problem_fill_effort(o, p, e);
    if (st == LG_OK) lg_nodes_spread_effort(o);
    if (st == LG_OK) st = problem_fill_limits(o, p, e);
    if (st == LG_OK) st = lg_path_fill(o, p, e);
    if (st == LG_OK) st = lg_free_fill(o, p, e);
    if (st == LG_OK) st = problem_rows(o, p, e);
    if (st == LG_OK && o->G) st = o->G->identity(o->G, o->start_g);
    if (st == LG_OK && o->G) st = o->G->identity(o->G, o->target_g);
    if (st != LG_OK) return st;
    o->has_g = p->closes || p->target_g, o->has_p = p->closes || p->target_p;
    o->time = p->time, o->weight = p->time_weight;
    o->h_low = p->time_low / p->steps, o->h_high = p->time_high / p->steps;
    for (int i = 0; i < o->k + o->controls; i++) o->scale[i] = 1;
    for (int i = 0; i < o->ends; i++) o->end_scale[i] = 1;
    if (o->course) {
        st = lg_steer_fill_ends(o, p->start_g, p->start_p, p->target_g, p->target_p, e);
        return st == LG_OK ? lg_steer_begin(o, p, e) : st;
    }
    st = problem_fill_ends(o, p->start_g ? p->start_g : o->start_g, p->start_p ? p->start_p : o->start_p, p->target_g,
                           p->target_p, e);
    if (st == LG_OK) st = lg_kinematic_check(o, e);
    return st == LG_OK ? lg_gait_begin(o, p, e) : st;
}

/* ---- guess ---- */

double lg_problem_inside(double x, double low, double high)
{
    const double near = isfinite(high - low) ? INSIDE * (high - low)
                        : isfinite(low)      ? INSIDE * (low != 0 ? fabs(low) : 1)
                        : isfinite(high)     ? INSIDE * (high != 0 ? fabs(high) : 1)
                                             : 0;
    return fmin(fmax(x, low + near), high - near);
}

/* Equally spaced configurations from start to target. */
static lg_status guess_line(lg_optimum *o)
{
    const int n = o->n;
    double *whole = o->column;
    lg_status st = LG_OK;
    memcpy(o->now.g, o->start_g, sz(o->element) * sizeof *o->now.g);
    memset(whole, 0, sz(n) * sizeof *whole);
    if (o->has_g) st = lg_gait_goal(o, &o->now);
    if (st == LG_OK && o->has_g) st = lg_optimum_difference(o, whole, o->start_g, o->goal);
    if (st != LG_OK)
        return lg_fail(&o->error, st, "lg_optimum_guess: start_g^-1 target_g has no logarithm; give configurations");
    for (int k = 0; k <= o->steps; k++) {
        for (int i = 0; i < n; i++) o->displaced[i] = k * whole[i] / o->steps;
        st = lg_optimum_displace(o, o->now.g + k * o->element, o->start_g, o->displaced);
        if (st != LG_OK) return lg_fail(&o->error, st, "lg_optimum_guess: node %d cannot be computed", k);
    }
    return LG_OK;
}

static lg_status guess_nodes(lg_optimum *o, const double *g, const double *p)
{
    const int n = o->n, e = o->element;
    const double *end_p = o->closes ? o->start_p : o->target_p;
    const lg_status st = g ? LG_OK : guess_line(o);
    if (st != LG_OK) return st;
    for (int k = 0; g && k <= o->steps; k++) problem_copy_element(o, o->now.g + k * e, g + k * e);
    for (int i = 0; i < (o->steps + 1) * n; i++) {
        const double s = (double)(i / n) / o->steps;
        o->now.p[i] = p ? p[i] : (1 - s) * o->start_p[i % n] + (o->has_p ? s * end_p[i % n] : 0);
    }
    return lg_gait_pin(o);
}

static lg_status guess_check(lg_optimum *o, const double *g, const double *p, const double *u, double time)
{
    lg_status st = lg_problem_check_vector("a momentum of the guess", p, (o->steps + 1) * o->n, &o->error);
    if (st == LG_OK) st = lg_problem_check_vector("a control of the guess", u, o->steps * o->controls, &o->error);
    if (st == LG_OK && o->course)
        st = lg_problem_check_vector("a configuration of the guess", g, (o->steps + 1) * o->n, &o->error);
    for (int k = 0; st == LG_OK && o->G && g && k <= o->steps; k++)
        st = problem_check_element(o->G, "a configuration of the guess", g + k * o->element, &o->error);
    if (st != LG_OK) return st;
    const double low = o->timed ? o->h_low * o->steps : o->time, high = o->timed ? o->h_high * o->steps : o->time;
    if (time == 0 || (time >= low * (1 - 1e-12) && time <= high * (1 + 1e-12))) return LG_OK;
    return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_optimum_guess: time %g; expected 0, or %g to %g", time, low, high);
}

lg_status lg_optimum_guess(lg_optimum *o, const double *g, const double *p, const double *u, double time)
{
    if (!o || !o->made || o->busy) return LG_ERROR_ARGUMENT;
    const int c = o->controls;
    lg_status st = guess_check(o, g, p, u, time);
    if (st == LG_OK) st = o->course ? lg_steer_guess(o, g, p) : guess_nodes(o, g, p);
    if (st != LG_OK) return st;
    for (int i = 0; i < o->steps * c; i++) o->now.u[i] = lg_problem_inside(u ? u[i] : 0, o->low[i % c], o->high[i % c]);
    o->now.h = (time != 0 ? time : o->time) / o->steps;
    if (o->timed) o->now.h = lg_problem_inside(o->now.h, o->h_low, o->h_high);
    lg_free_guess(o);
    o->measured = o->shaken = o->solved = 0;
    lg_path_forget(o);
    lg_error_clear(&o->error);
    return LG_OK;
}

lg_status lg_optimum_move(lg_optimum *o, const double *start_g, const double *start_p, const double *target_g,
                          const double *target_p)
{
    if (!o || !o->made || o->busy) return LG_ERROR_ARGUMENT;
    if (target_p && o->closes)
        return lg_fail(
            &o->error, LG_ERROR_ARGUMENT,
            "lg_optimum_move: a motion that closes ends with the momentum of its start; there is no target_p");
    if ((target_g && !o->has_g) || (target_p && !o->has_p))
        return lg_fail(&o->error, LG_ERROR_ARGUMENT, "lg_optimum_move: the problem has no target_%c",
                       target_g && !o->has_g ? 'g' : 'p');
    const lg_status st = problem_fill_ends(o, start_g, start_p, target_g, target_p, &o->error);
    if (st != LG_OK) return st;
    o->solved = 0;
    lg_error_clear(&o->error);
    if (o->frees) return o->course ? lg_steer_pin(o, &o->now) : lg_gait_pin(o);
    if (start_g && !o->course) memcpy(o->now.g, o->start_g, sz(o->element) * sizeof *start_g);
    if (start_p && !o->course) memcpy(o->now.p, o->start_p, sz(o->n) * sizeof *start_p);
    return LG_OK;
}
