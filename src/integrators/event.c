/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of any length, and events found by them: f(s) at the end of a step of s h from the state before is a continuous
 * function of s, since a step tends to the identity on (g, p~) as s -> 0; its root is bracketed by the two ends of the
 * full step (search.h). */
#include <liegrp/integrators/event.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "base/sized.h"
#include "integrators/integrator.h"
#include "integrators/search.h"

/* Relative difference up to which a step counts as h: round-off of times. */
#define SLACK 1e-9
/* Shorter steps cannot determine the normal part, a difference of momenta that is divided by s. */
#define SHORTEST 1e-6

/* ---- one step of length s h ---- */

/* From w->now as lg_step(), which s = 1 is, under the controls that are set. The state is one for a step of h, before
 * and after: the normal part of p^- is proportional to the step. The old node gets its momenta back bit by bit. */
static int event_move_part(lg_integrator *it, double s, double t1)
{
    lg_workspace *w = it->workspace;
    const lg_rule *rule = it->plan.method.rule;
    const int n = it->plan.n;
    const size_t bytes = sz(n) * sizeof(double);
    lg_node *a = w->now;
    double *p_minus = it->report, *p_plus = p_minus + n;
    if (s == 1) return lg_step(w, it->h, &t1);
    if (!rule->rescale) return lg_step(w, s * it->h, &t1);
    memcpy(p_minus, a->p_minus, bytes), memcpy(p_plus, a->p_plus, bytes);
    rule->rescale(w, s, a);
    int bad = lg_step(w, s * it->h, &t1);
    memcpy(a->p_minus, p_minus, bytes), memcpy(a->p_plus, p_plus, bytes);
    if (bad) return 1;
    lg_node *b = w->now;
    if (s >= SHORTEST)
        rule->rescale(w, 1 / s, b);
    else
        for (int i = 0; i < n; i++) b->p_minus[i] = b->p_tilde[i] + (a->p_minus[i] - a->p_tilde[i]);
    return 0;
}

/* Controls that are polynomials are those of the whole step. */
static int event_step_part(lg_integrator *it, double s, double t1)
{
    if (s != 1) lg_integrator_reach_controls(it, s);
    const int bad = event_move_part(it, s, t1);
    if (s != 1) lg_integrator_reach_controls(it, 1);
    return bad;
}

/* Accepts the step to w->now; if it is not a full step the clock starts again. */
static lg_status event_accept(lg_integrator *it, double t_grid)
{
    it->step++, it->moves++;
    if (it->workspace->now->t != t_grid) it->base_t = it->workspace->now->t, it->base_step = it->step;
    if (it->error.status != LG_OK) lg_error_clear(&it->error);
    return LG_OK;
}

/* ---- the event function ---- */

/* f at a node `ahead` steps after the state. */
static lg_status event_evaluate(lg_integrator *it, const lg_event *e, const lg_node *b, int ahead, double *f)
{
    lg_call c = lg_field_call(&it->field, &b->t);
    double *xi = it->workspace->vector;
    char g[100];
    c.context = e->context;
    lg_raise(&it->plan, xi, b, b->p_tilde);
    *f = NAN;
    int code = e->value(&c, b->g, xi, f);
    if (!code && !isnan(*f)) return LG_OK;
    lg_print_values(g, sizeof g, b->g, it->plan.element_size);
    if (code)
        return lg_fail(&it->error, LG_ERROR_CALLBACK,
                       "lg_integrator_step_to_event: step %lld, t = %.9g: the event function returned %d at g = (%s)",
                       (long long)it->step + ahead, b->t, code, g);
    return lg_fail(
        &it->error, LG_ERROR_NOT_FINITE,
        "lg_integrator_step_to_event: step %lld, t = %.9g: the event function is NaN at g = (%s); it must be a number "
        "along the whole step",
        (long long)it->step + ahead, b->t, g);
}

/* 1: f rises through 0 from f0 to f1, -1: it falls, 0: neither. f0 = 0 was the previous event. */
static int event_crossing(double f0, double f1, lg_crossing direction)
{
    int sign = f0 < 0 && f1 >= 0 ? 1 : f0 > 0 && f1 <= 0 ? -1 : 0;
    return direction == LG_CROSSING_BOTH || sign == (int)direction ? sign : 0;
}

/* ---- the root ---- */

/* Repeats the step from node a with length s h, and evaluates f at its end. On failure w->now is a. */
static lg_status event_restep(lg_integrator *it, const lg_event *e, double s, double t_grid, double *f)
{
    lg_workspace *w = it->workspace;
    lg_step_back(w);
    if (event_step_part(it, s, s == 1 ? t_grid : w->now->t + s * it->h))
        return lg_explain(it, "lg_integrator_step_to_event", &it->error);
    lg_status st = event_evaluate(it, e, w->now, 1, f);
    if (st != LG_OK) lg_step_back(w);
    return st;
}

/* After a full step with f0 and f1 of different signs: sets w->now to the state just after the root. */
static lg_status event_find(lg_integrator *it, const lg_event *e, double f0, double f1, double t_grid)
{
    const double tolerance = e->tolerance > 0 ? e->tolerance : 1e-12;
    lg_search r = {.x = {1, 0, 0}, .f = {f1, f0, 0}};
    double f = f1;
    while (f != 0 && fabs(r.x[1] - r.x[0]) > tolerance) {
        double s = lg_search_propose(&r, tolerance);
        if (s == r.x[0] || s == r.x[1]) break; /* neighbours */
        lg_status st = event_restep(it, e, s, t_grid, &f);
        if (st != LG_OK) return st;
        lg_search_insert(&r, s, f);
    }
    if (f == 0 || (f < 0) != (f0 < 0)) return LG_OK;
    return event_restep(it, e, r.x[1], t_grid, &f); /* the last one fell short */
}

/* Fails without a change of state; the solver's history is of steps that were not accepted. */
static lg_status event_fail(lg_integrator *it, lg_status st)
{
    lg_history_clear(it->workspace);
    return st;
}

static const lg_sized event_kind = LG_SIZED_AS(lg_event, direction, "start from lg_event_default()");

void lg_event_init(lg_event *event, size_t size, lg_event_fn value, const void *context)
{
    const lg_event own = {sizeof own, value, context, LG_CROSSING_BOTH, 0};
    lg_sized_give(&event_kind, event, size, &own);
}

static lg_status event_refuse(lg_integrator *it, const int *found, const lg_event *e)
{
    if (!found || !e || !e->value)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT, "lg_integrator_step_to_event: %s is NULL",
                       !found ? "found"
                       : !e   ? "the event"
                              : "lg_event::value");
    if (e->direction != LG_CROSSING_BOTH && e->direction != LG_CROSSING_UP && e->direction != LG_CROSSING_DOWN)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_step_to_event: direction %d; expected LG_CROSSING_BOTH, _UP or _DOWN",
                       (int)e->direction);
    if (e->tolerance != 0 && !(e->tolerance >= 1e-15 && e->tolerance <= 0.1))
        return lg_fail(
            &it->error, LG_ERROR_ARGUMENT,
            "lg_integrator_step_to_event: tolerance %g; expected 0 (the default 1e-12) or from 1e-15 to 0.1 steps",
            e->tolerance);
    return LG_OK;
}

static lg_status event_step(lg_integrator *it, int *found, const lg_event *e)
{
    lg_workspace *w = it->workspace;
    const double t_grid = lg_next_time(it);
    double f0, f1;
    lg_status st = event_evaluate(it, e, w->now, 0, &f0);
    if (st != LG_OK) return st;
    if (lg_step(w, it->h, &t_grid)) return lg_explain(it, "lg_integrator_step_to_event", &it->error);
    if ((st = event_evaluate(it, e, w->now, 1, &f1)) != LG_OK) {
        lg_step_back(w);
        return event_fail(it, st);
    }
    int sign = event_crossing(f0, f1, e->direction);
    if (sign && (st = event_find(it, e, f0, f1, t_grid)) != LG_OK) return event_fail(it, st);
    *found = sign;
    return event_accept(it, t_grid);
}

lg_status lg_integrator_step_to_event(lg_integrator *it, int *found, const lg_event *event)
{
    lg_event own = {0};
    const lg_event *e = event != NULL ? &own : NULL;
    if (found) *found = 0;
    if (!it || !it->started) return lg_not_ready(it, "lg_integrator_step_to_event");
    lg_status st = event != NULL ? lg_sized_take(&event_kind, &own, event, &it->error) : LG_OK;
    if (st == LG_OK) st = event_refuse(it, found, e);
    if (st == LG_OK) st = lg_integrator_enter(it, "lg_integrator_step_to_event");
    return st == LG_OK ? lg_integrator_leave(it, event_step(it, found, e)) : st;
}

/* ---- steps to a time ---- */

static int event_same_time(double a, double b)
{
    return isfinite(a) && fabs(a - b) <= 4 * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

lg_status lg_integrator_step_to(lg_integrator *it, double t)
{
    if (!it || !it->started) return lg_not_ready(it, "lg_integrator_step_to");
    const double now = it->workspace->now->t, t_grid = lg_next_time(it);
    double s = event_same_time(t, t_grid) ? 1 : (t - now) / it->h;
    if (!(s > 0 && s <= 1 + SLACK))
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_step_to: t = %.17g is not within the next step, from %.17g to %.17g", t, now,
                       t_grid);
    lg_status st = lg_integrator_enter(it, "lg_integrator_step_to");
    if (st != LG_OK) return st;
    if (event_step_part(it, s, t)) return lg_integrator_leave(it, lg_explain(it, "lg_integrator_step_to", &it->error));
    return lg_integrator_leave(it, event_accept(it, t_grid));
}

lg_status lg_integrator_run_to(lg_integrator *it, double t, int64_t every, lg_observer observer, void *context)
{
    lg_status st = lg_not_ready(it, "lg_integrator_run_to");
    if (st != LG_OK) return st;
    const double now = it->workspace->now->t, steps = event_same_time(t, now) ? 0 : (t - now) / it->h;
    if (!(steps >= 0 && steps < 9e18) || every < 1)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_run_to: t = %.17g, every %lld; expected a time ahead of %.17g (h = %g) and >= 1",
                       t, (long long)every, now, it->h);
    if (steps == 0) return LG_OK;
    int64_t full = (int64_t)fmax(ceil(steps * (1 - DBL_EPSILON) - SLACK) - 1, 0);
    if ((st = lg_integrator_run(it, full, every, observer, context)) != LG_OK) return st;
    if ((st = lg_integrator_step_to(it, t)) != LG_OK) return st;
    if (observer && (full + 1) % every == 0 && observer(it, context))
        return lg_fail(&it->error, LG_ERROR_INTERRUPTED,
                       "lg_integrator_run_to: the observer asked to stop at step %lld", (long long)it->step);
    return LG_OK;
}
