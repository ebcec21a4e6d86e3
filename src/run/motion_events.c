/* SPDX-License-Identifier: BSD-3-Clause */
/* The step that ends where a function of the motion changes its sign. */
#include <math.h>

#include "base/sized.h"
#include "integrators/search.h"
#include "run/engine.h"

/* Shorter steps only show round-off: what a row is open by is divided by their length. */
#define SHORTEST 1e-6

static const lg_sized event_kind = LG_SIZED_AS(lg_motion_event, direction, "start from lg_motion_event_default()");

void lg_motion_event_init(lg_motion_event *event, size_t size, lg_motion_event_fn value, void *context)
{
    const lg_motion_event own = {sizeof own, value, context, LG_CROSSING_BOTH, 0};
    lg_sized_give(&event_kind, event, size, &own);
}

static lg_status evaluate(lg_motion *mo, const lg_motion_event *e, double *f)
{
    const double t = lg_motion_time(mo);
    *f = NAN;
    const int code = e->value(mo, f, e->context);
    if (code != 0)
        return lg_fail(&mo->error, LG_ERROR_CALLBACK,
                       "lg_motion_step_to_event: t = %.10g: the event function returned %d", t, code);
    if (isnan(*f))
        return lg_fail(&mo->error, LG_ERROR_NOT_FINITE,
                       "lg_motion_step_to_event: t = %.10g: the event function is NaN; it must be a number along the "
                       "whole step",
                       t);
    return LG_OK;
}

/* The step of s h from the state before, and f at its end. */
static lg_status again(lg_motion *mo, const lg_motion_event *e, double s, double *f)
{
    mo->engine->back(mo);
    const lg_status status = mo->engine->advance(mo, s);
    return status == LG_OK ? evaluate(mo, e, f) : status;
}

/* After the full step, with f0 and f1 of different signs: the state becomes the one just behind the root. */
static lg_status find(lg_motion *mo, const lg_motion_event *e, double f0, double f1)
{
    const double tolerance = e->tolerance > 0 ? e->tolerance : 1e-10;
    lg_search r = {.x = {1, 0, 0}, .f = {f1, f0, 0}};
    double f = f1;
    while (f != 0 && fabs(r.x[1] - r.x[0]) > tolerance && fmax(r.x[0], r.x[1]) > SHORTEST) {
        const double s = fmax(lg_search_propose(&r, tolerance), SHORTEST);
        if (s == r.x[0] || s == r.x[1]) break;
        const lg_status status = again(mo, e, s, &f);
        if (status != LG_OK) return status;
        lg_search_insert(&r, s, f);
    }
    if (f == 0 || (f < 0) != (f0 < 0)) return LG_OK;
    return again(mo, e, r.x[1], &f); /* the last one fell short */
}

static lg_status check_event(lg_motion *mo, lg_motion_event *e, const int *found, const lg_motion_event *given)
{
    if (given == NULL) return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_step_to_event: the event is NULL");
    const lg_status status = lg_sized_take(&event_kind, e, given, &mo->error);
    if (status != LG_OK) return status;
    if (found == NULL || e->value == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_step_to_event: %s is NULL",
                       found == NULL ? "found" : "lg_motion_event::value");
    if (e->direction != LG_CROSSING_BOTH && e->direction != LG_CROSSING_UP && e->direction != LG_CROSSING_DOWN)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_step_to_event: direction %d; expected LG_CROSSING_BOTH, _UP or _DOWN",
                       (int)e->direction);
    if (e->tolerance != 0 && !(e->tolerance >= 1e-12 && e->tolerance <= 0.1))
        return lg_fail(
            &mo->error, LG_ERROR_ARGUMENT,
            "lg_motion_step_to_event: tolerance %g; expected 0 (the default 1e-10) or from 1e-12 to 0.1 steps",
            e->tolerance);
    return LG_OK;
}

lg_status lg_motion_step_to_event(lg_motion *mo, int *found, const lg_motion_event *event)
{
    lg_motion_event e = {0};
    double f0, f1;
    if (found != NULL) *found = 0;
    lg_status status = lg_motion_ready(mo, "lg_motion_step_to_event");
    if (status == LG_OK) status = check_event(mo, &e, found, event);
    if (status == LG_OK) status = evaluate(mo, &e, &f0);
    if (status != LG_OK) return status;
    mo->engine->keep(mo);
    if ((status = mo->engine->advance(mo, 1)) != LG_OK) return status;
    status = evaluate(mo, &e, &f1);
    int sign = status != LG_OK ? 0 : f0 < 0 && f1 >= 0 ? 1 : f0 > 0 && f1 <= 0 ? -1 : 0;
    if (e.direction != LG_CROSSING_BOTH && sign != (int)e.direction) sign = 0;
    if (sign != 0) status = find(mo, &e, f0, f1);
    if (status != LG_OK) {
        const lg_error why = mo->error;
        mo->engine->back(mo);
        mo->error = why;
        return status;
    }
    *found = sign;
    mo->engine->settle(mo, sign == 0);
    return LG_OK;
}
