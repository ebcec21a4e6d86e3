/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of a motion, found by making the step again with other lengths (integrators/event.c does so for integrators),
 * and impacts: the change to another set of constraints. */
#include <liegrp/multibody/motion_event.h>

#include <math.h>
#include <string.h>

#include "base/sized.h"
#include "integrators/search.h"
#include "multibody/motion.h"

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
    *f = NAN;
    const int code = e->value(mo, f, e->context);
    if (code != 0)
        return lg_fail(&mo->error, LG_ERROR_CALLBACK,
                       "lg_motion_step_to_event: t = %.10g: the event function returned %d", mo->t, code);
    if (isnan(*f))
        return lg_fail(&mo->error, LG_ERROR_NOT_FINITE,
                       "lg_motion_step_to_event: t = %.10g: the event function is NaN; it must be a number along the "
                       "whole step",
                       mo->t);
    return LG_OK;
}

/* The step of s h from the state before, and f at its end. */
static lg_status again(lg_motion *mo, const lg_motion_event *e, double s, double *f)
{
    mb_restore(mo, &mo->saved[2]);
    const lg_status st = mb_advance(mo, s * mo->h);
    return st == LG_OK ? evaluate(mo, e, f) : st;
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
        const lg_status st = again(mo, e, s, &f);
        if (st != LG_OK) return st;
        lg_search_insert(&r, s, f);
    }
    if (f == 0 || (f < 0) != (f0 < 0)) return LG_OK;
    return again(mo, e, r.x[1], &f); /* the last one fell short */
}

static lg_status refuse(lg_motion *mo, const int *found, const lg_motion_event *e)
{
    if (found == NULL || e->value == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_step_to_event: %s is NULL",
                       found == NULL ? "found" : "lg_motion_event::value");
    if (e->direction != LG_CROSSING_BOTH && e->direction != LG_CROSSING_UP && e->direction != LG_CROSSING_DOWN)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_step_to_event: direction %d; expected LG_CROSSING_BOTH, _UP or _DOWN",
                       (int)e->direction);
    if (e->tolerance != 0 && !(e->tolerance >= 1e-12 && e->tolerance <= 0.1))
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_step_to_event: tolerance %g; expected 0 (the default 1e-10) or from 1e-12 to 0.1 "
                       "steps",
                       e->tolerance);
    return LG_OK;
}

lg_status lg_motion_step_to_event(lg_motion *mo, int *found, const lg_motion_event *event)
{
    lg_motion_event e = {0};
    double f0, f1;
    if (found != NULL) *found = 0;
    if (mo == NULL || mo->numbers.plan == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->error);
    if (!mo->started || event == NULL)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_step_to_event: %s",
                       event == NULL ? "the event is NULL" : "the motion is not started; call lg_motion_start()");
    lg_status st = lg_sized_take(&event_kind, &e, event, &mo->error);
    if (st == LG_OK) st = refuse(mo, found, &e);
    if (st == LG_OK) st = evaluate(mo, &e, &f0);
    if (st != LG_OK) return st;
    mo->t = mo->t0 + (double)mo->count * mo->h;
    mb_save(mo, &mo->saved[2]);
    if ((st = mb_advance(mo, mo->h)) != LG_OK) return st;
    st = evaluate(mo, &e, &f1);
    int sign = st != LG_OK ? 0 : f0 < 0 && f1 >= 0 ? 1 : f0 > 0 && f1 <= 0 ? -1 : 0;
    if (e.direction != LG_CROSSING_BOTH && sign != (int)e.direction) sign = 0;
    if (sign != 0) st = find(mo, &e, f0, f1);
    if (st != LG_OK) {
        mb_restore(mo, &mo->saved[2]);
        mo->stepped = 0; /* its multipliers are nobody's */
        return st;
    }
    mo->stepped = 1;
    *found = sign;
    mo->count++;
    if (sign != 0) { /* the clock starts again, and what the solver remembers is of other steps */
        mo->t0 = mo->t, mo->count = 0;
        mb_forget(mo);
    } else {
        mo->t = mo->t0 + (double)mo->count * mo->h;
    }
    return LG_OK;
}

/* ---- other constraints ---- */

static lg_status check_bodies(lg_motion *mo, const lg_motion *from)
{
    const lg_mechanism *a = from->mechanism, *b = mo->mechanism;
    const int bodies = mb_seen(b, MB_BODIES), others = mb_seen(a, MB_BODIES);
    if (bodies != others)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                       "lg_motion_continue: %d bodies, the other mechanism has %d; they must be the same", bodies,
                       others);
    for (int i = 0; i < bodies; i++)
        if (strcmp(MB_BODY(a, i)->name, MB_BODY(b, i)->name) != 0 || MB_BODY(a, i)->mass != MB_BODY(b, i)->mass ||
            memcmp(MB_BODY(a, i)->inertia, MB_BODY(b, i)->inertia, sizeof MB_BODY(a, i)->inertia) != 0 ||
            memcmp(MB_BODY(a, i)->centre, MB_BODY(b, i)->centre, 3 * sizeof(double)) != 0)
            return lg_fail(&mo->error, LG_ERROR_ARGUMENT,
                           "lg_motion_continue: body '%.60s' is '%.60s' in the other mechanism, or has another mass, "
                           "inertia or centre; bodies must be the same, in the same order",
                           MB_BODY(b, i)->name, MB_BODY(a, i)->name);
    return LG_OK;
}

/* The frames of the other motion, and its joint positions by name. */
static lg_status take_over(lg_motion *mo, double *positions, const lg_motion *from)
{
    const lg_mechanism *m = mo->mechanism;
    const mb_node *n = mb_now(from);
    for (int b = 0; b < m->plan.bodies; b++) {
        const int i = m->hub[b].host;
        mb_frame *f = &mo->frame[b];
        memcpy(f->r, n->pose[i].r, sizeof f->r);
        memcpy(f->R, n->pose[i].R, sizeof f->R);
        for (int k = 0; k < 3; k++) f->v[k] = n->p[i].v[k] * n->mobility[i].inverse_mass;
        mb_mobile(f->w, &n->mobility[i], n->p[i].v + 3);
    }
    for (int j = 0; j < mb_seen(m, MB_JOINTS); j++) {
        const int other = mb_find(from->mechanism, MB_JOINTS, MB_JOINT_OF(m, j)->name), at = mo->position_of_joint[j];
        if (at < 0 || other < 0 || MB_JOINT_OF(m, j)->kind != MB_JOINT_OF(from->mechanism, other)->kind) continue;
        const lg_status st = lg_motion_joint(from, positions + at, NULL, other);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

lg_status lg_motion_continue(lg_motion *mo, double *lost, const lg_motion *from)
{
    if (mo == NULL || mo->numbers.plan == NULL || mo == from) return LG_ERROR_ARGUMENT;
    lg_error_clear(&mo->error);
    if (from == NULL || from->numbers.plan == NULL || !from->started)
        return lg_fail(&mo->error, LG_ERROR_ARGUMENT, "lg_motion_continue: the other motion is %s",
                       from == NULL ? "NULL" : "not started");
    lg_status st = check_bodies(mo, from);
    double *positions = mo->wrenches; /* at most 6 a body */
    memset(positions, 0, sz(mo->positions) * sizeof *positions);
    if (st == LG_OK) st = take_over(mo, positions, from);
    if (st == LG_OK) st = mb_start(mo, from->t, positions, 1);
    if (st != LG_OK) return st;
    double moved = 0;
    for (int b = 0; b < mb_seen(mo->mechanism, MB_BODIES); b++)
        for (int k = 0; k < 3; k++) moved = fmax(moved, fabs(mb_now(mo)->pose[b].r[k] - mb_now(from)->pose[b].r[k]));
    if (!(moved <= 1e-6 * mb_reach(mo->mechanism))) {
        mo->started = 0;
        return lg_fail(&mo->error, LG_ERROR_INCONSISTENT,
                       "lg_motion_continue: a body would have to move by %.3g m to satisfy the constraints; continue "
                       "where they are satisfied, at an event",
                       moved);
    }
    mo->work = from->work + (lg_motion_energy(mo) - lg_motion_energy(from));
    for (int i = 0; i < mo->mechanism->plan.controls; i++) {
        const int other = mb_find(from->mechanism, MB_MOTORS, MB_MOTOR_OF(mo->mechanism, i)->name);
        mo->motor_work[i] = other >= 0 ? from->motor_work[other] : 0;
    }
    if (lost != NULL)
        *lost = mb_kinetic(&from->mechanism->plan, mb_now(from)) - mb_kinetic(&mo->mechanism->plan, mb_now(mo));
    return LG_OK;
}
