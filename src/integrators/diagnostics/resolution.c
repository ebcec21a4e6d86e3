/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a step resolve the motion? Steps against smaller ones from the same state. */
#include <float.h>
#include <math.h>

#include <liegrp/integrators/event.h>

#include "base/dense.h"
#include "base/sized.h"
#include "groups/blocks.h"
#include "integrators/diagnostics/diagnostics.h"
#include "integrators/integrator.h"

/* What of the motion in a step may be wrong; and where a step turns by more than TURN, in which less is a lot. */
#define LIMIT         0.03
#define LIMIT_TURNING 0.002
#define TURN          1.0
#define HALF_TURN     3.141592653589793
/* Round-off of a few steps, relative to a configuration's numbers, velocities and forces. */
#define ROUNDING 1e-13
/* A smaller part of the motion that a body's energy allows is ignored, such as the drift of a spinning body. */
#define SLIGHT 1e-5

/* Configurations ------------------------------------------------------------------------------------------------ */

static double resolution_angle(double c0, double s0, double c1, double s1)
{
    return atan2(c0 * s1 - s0 * c1, c0 * c1 + s0 * s1);
}

/* The angle between two attitudes, unit quaternions (x, y, z, w). */
static double resolution_turned(const double *a, const double *b)
{
    const double x = a[3] * b[0] - b[3] * a[0] - (a[1] * b[2] - a[2] * b[1]);
    const double y = a[3] * b[1] - b[3] * a[1] - (a[2] * b[0] - a[0] * b[2]);
    const double z = a[3] * b[2] - b[3] * a[2] - (a[0] * b[1] - a[1] * b[0]);
    return 2 * atan2(sqrt(x * x + y * y + z * z), fabs(lg_dot(a, b, 4)));
}

/* |b - a|, without what is round-off. */
static double resolution_moved(const double *a, const double *b, int n)
{
    double sum = 0, size = 0;
    for (int i = 0; i < n; i++) {
        sum = hypot(sum, b[i] - a[i]);
        size = fmax(size, fabs(a[i]));
    }
    return sum <= ROUNDING * size ? 0 : sum;
}

static void resolution_collect(lg_apart *d, double rotation, double position)
{
    if (fabs(rotation) > ROUNDING || isnan(rotation)) d->rotation = hypot(d->rotation, rotation);
    d->position = hypot(d->position, position);
}

static void resolution_compare(lg_apart *d, const lg_group_block *block, const double *a, const double *b)
{
    switch (block->kind) {
    case LG_BLOCK_ANGLES:
        for (int i = 0; i < block->element_size; i++) resolution_collect(d, remainder(b[i] - a[i], 2 * acos(-1.0)), 0);
        break;
    case LG_BLOCK_PLANE_ROTATION:
        resolution_collect(d, resolution_angle(a[0], a[1], b[0], b[1]), 0);
        break;
    case LG_BLOCK_QUATERNION:
        resolution_collect(d, resolution_turned(a, b), 0);
        break;
    default:
        resolution_collect(d, 0, resolution_moved(a, b, block->element_size));
        break;
    }
}

void lg_apart_add(lg_apart *d, const double *a, const double *b)
{
    resolution_collect(d, resolution_turned(a + 3, b + 3), resolution_moved(a, b, 3));
}

lg_apart lg_configurations_apart(const lg_group *G, const double *a, const double *b)
{
    lg_apart d = {0, 0};
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block block = lg_group_block_at(G, i);
        resolution_compare(&d, &block, a + block.element, b + block.element);
    }
    return d;
}

/* Velocities ---------------------------------------------------------------------------------------------------- */

/* |a's velocity - b's|; b may be NULL. Differences of p and xi, so that the metric is the one in between. */
static double resolution_speed(const lg_integrator *a, const lg_integrator *b)
{
    const lg_node *x = a->workspace->now, *y = b != NULL ? b->workspace->now : NULL;
    double *u = a->report, *v = b != NULL ? b->report : NULL, sum = 0;
    lg_raise(&a->plan, u, x, x->p_tilde);
    if (y != NULL) lg_raise(&b->plan, v, y, y->p_tilde);
    for (int i = 0; i < a->plan.n; i++)
        sum += y != NULL ? (x->p_tilde[i] - y->p_tilde[i]) * (u[i] - v[i]) : x->p_tilde[i] * u[i];
    return sqrt(fabs(sum));
}

double lg_velocities_apart(const lg_integrator *a, const lg_integrator *b, double *speed)
{
    if (speed != NULL) *speed = resolution_speed(a, NULL);
    return resolution_speed(a, b);
}

/* Adds the rates of rotations and positions in `velocity`; *turn: the largest rate of a block that turns. Entries of a
 * matrix are compared as positions. */
static void resolution_rates(lg_apart *rate, double *turn, const lg_group *G, const double *velocity)
{
    for (int b = 0; b < lg_group_block_count(G); b++) {
        const lg_group_block block = lg_group_block_at(G, b);
        const double *xi = velocity + block.algebra, size = sqrt(lg_dot(xi, xi, block.algebra_size));
        const int turns = lg_block_turns(block.kind);
        double *sum = turns && block.kind != LG_BLOCK_MATRIX ? &rate->rotation : &rate->position;
        *sum = hypot(*sum, size);
        if (block.kind == LG_BLOCK_ANGLES)
            for (int i = 0; i < block.algebra_size; i++) *turn = fmax(*turn, fabs(xi[i]));
        else if (turns)
            *turn = fmax(*turn, size);
    }
}

/* A resolution -------------------------------------------------------------------------------------------------- */

static const lg_sized resolution_kind = LG_SIZED_AS(lg_resolution, speed, "start from lg_resolution_default()");

void lg_resolution_init(lg_resolution *r, size_t size)
{
    const lg_resolution own = {.size = sizeof own};
    lg_sized_give(&resolution_kind, r, size, &own);
}

/* *own = the caller's struct in the library's size; 0: it is absent or has an invalid size. */
static int resolution_take(lg_resolution *own, const lg_resolution *r)
{
    lg_error e;
    lg_resolution_init(own, sizeof *own);
    return r != NULL && lg_sized_take(&resolution_kind, own, r, &e) == LG_OK;
}

/* part / whole, where NaN and overflow count as infinite. */
static double resolution_part(double part, double whole)
{
    if (!isfinite(part) || !isfinite(whole)) return INFINITY;
    return part > 0 ? part / fmax(whole, DBL_MIN) : 0;
}

double lg_resolution_worst(const lg_resolution *given)
{
    lg_resolution r;
    if (!resolution_take(&r, given)) return NAN;
    if (r.failed > 0) return INFINITY;
    if (r.rotation_in_step > HALF_TURN) r.rotation_in_step = HALF_TURN; /* r.rotation is no more than that either */
    return fmax(fmax(resolution_part(r.rotation, r.rotation_in_step), resolution_part(r.position, r.position_in_step)),
                resolution_part(r.velocity, r.speed));
}

int lg_resolution_suffices(const lg_resolution *given)
{
    lg_resolution r;
    if (!resolution_take(&r, given)) return 0;
    return lg_resolution_worst(&r) <= (r.turn <= TURN ? LIMIT : LIMIT_TURNING);
}

/* The larger one; a NaN stays. */
static void resolution_keep(double *most, double value)
{
    if (!isnan(*most) && !(value <= *most)) *most = value;
}

/* Two, and of some samples sixteen, since a method that overshoots may do so alike with h and h/2. */
int lg_resolution_parts(const lg_resolution *r)
{
    return r->samples < 4 || r->samples % 16 == 0 ? 16 : 2;
}

void lg_resolution_move(lg_resolution *r, lg_apart in_step, double turn, double speed)
{
    resolution_keep(&r->turn, turn);
    resolution_keep(&r->rotation_in_step, in_step.rotation);
    resolution_keep(&r->position_in_step, in_step.position);
    resolution_keep(&r->speed, speed);
}

double lg_resolution_differ(lg_resolution *r, lg_apart d, double velocity)
{
    resolution_keep(&r->rotation, d.rotation);
    resolution_keep(&r->position, d.position);
    resolution_keep(&r->velocity, velocity);
    return fmax(
        fmax(resolution_part(d.rotation, r->rotation_in_step), resolution_part(d.position, r->position_in_step)),
        resolution_part(velocity, r->speed));
}

static lg_status resolution_part_steps(lg_integrator *it, int parts)
{
    const double t = lg_integrator_time(it), end = lg_next_time(it);
    lg_status status = LG_OK;
    for (int i = 1; status == LG_OK && i < parts; i++) status = lg_integrator_step_to(it, t + it->h * i / parts);
    return status == LG_OK ? lg_integrator_step_to(it, end) : status;
}

/* The motion in a step from `before` to `it`: what has moved, or would have with the velocity at its end. */
static lg_apart resolution_add_motion(lg_resolution *r, const lg_integrator *it, const lg_integrator *before)
{
    const lg_group *G = it->S.group;
    const double h = fabs(it->h);
    const lg_apart moved = lg_configurations_apart(G, before->workspace->now->g, it->workspace->now->g);
    lg_apart rate = {0, 0};
    double turn = 0;
    resolution_keep(&r->speed, resolution_speed(before, NULL));
    resolution_keep(&r->speed, resolution_speed(it, NULL)); /* leaves xi in the report */
    resolution_rates(&rate, &turn, G, it->report);
    const lg_apart in_step = {fmax(moved.rotation, h * rate.rotation), fmax(moved.position, h * rate.position)};
    lg_resolution_move(r, in_step, h * turn, r->speed);
    return in_step;
}

/* |J^-1 f| in the kinetic norm; 0 if it is not known. */
static double resolution_pull(const lg_integrator *it, const double *f, double *v)
{
    lg_raise(&it->plan, v, it->workspace->now, f);
    const double square = lg_dot(f, v, it->plan.n);
    return isfinite(square) ? sqrt(fabs(square)) : 0;
}

/* What velocities would become in a step by potential, forces and reactions, each alone: where they cancel, round-off
 * of this is left. In the kinetic norm. */
static double resolution_effort(const lg_integrator *it)
{
    lg_workspace *w = it->workspace;
    const lg_system *S = &it->S;
    const lg_node *b = w->now;
    const int n = it->plan.n;
    double *f = it->report, *v = f + n, sum = 0;
    if (S->callbacks.potential && !lg_field_gradient(w->field, b->t, b->g, f)) sum += resolution_pull(it, f, v);
    lg_raise(&it->plan, v, b, b->p_tilde);
    if (S->callbacks.force && !lg_field_force(w->field, b->t, b->g, v, f)) sum += resolution_pull(it, f, v);
    for (int r = 0; r < it->plan.m; r++) {
        const double reaction = fabs(b->lambda[r]) * resolution_pull(it, b->rows + r * n, v);
        if (isfinite(reaction)) sum += reaction;
    }
    return fabs(it->h) * sum;
}

/* What configurations may change by in a step at this speed: |xi_i| is at most speed (J^-1)_ii^1/2. */
static lg_apart resolution_reach(const lg_integrator *it, double speed)
{
    const lg_plan *P = &it->plan;
    const double h = fabs(it->h), *inverse = it->workspace->now->metric_inverse;
    double *most = it->report, turn = 0;
    lg_apart rate = {0, 0};
    for (int i = 0; i < P->n; i++) most[i] = speed * sqrt(inverse[P->diagonal ? i : i * P->n + i]);
    resolution_rates(&rate, &turn, it->S.group, most);
    return (lg_apart){h * rate.rotation, h * rate.position};
}

/* The difference, or 0 if it is round-off of velocities and forces, or if it and the motion are both slight.
 * Coordinates cannot decide this: they may all be 0. */
static double resolution_relevant(double difference, double motion, double reach)
{
    if (difference <= ROUNDING * reach || fmax(difference, motion) <= SLIGHT * reach) return 0;
    return difference;
}

double lg_resolution_add(lg_resolution *r, const lg_integrator *it, lg_integrator *before)
{
    const int parts = lg_resolution_parts(r);
    const lg_apart in_step = resolution_add_motion(r, it, before);
    r->samples++;
    if (resolution_part_steps(before, parts) != LG_OK) {
        r->failed++;
        return INFINITY;
    }
    const double speed = fmax(resolution_speed(it, NULL), resolution_speed(before, NULL)) + resolution_effort(it);
    const double velocity = resolution_speed(it, before);
    const lg_apart reach = resolution_reach(it, speed);
    lg_apart d = lg_configurations_apart(it->S.group, it->workspace->now->g, before->workspace->now->g);
    d.rotation = resolution_relevant(d.rotation, in_step.rotation, reach.rotation);
    d.position = resolution_relevant(d.position, in_step.position, reach.position);
    return lg_resolution_differ(r, d, velocity <= ROUNDING * speed ? 0 : velocity);
}

lg_status lg_diagnostics_resolution(const lg_integrator *it, lg_resolution *r, int64_t steps)
{
    lg_integrator *ahead = NULL, *before = NULL;
    lg_resolution own;
    lg_status status;
    if (!resolution_take(&own, r) || it == NULL || !it->made || !it->started || steps < 1) return LG_ERROR_ARGUMENT;
    if (lg_integrator_degree(it)) return LG_ERROR_UNSUPPORTED;
    status = lg_integrator_clone(&ahead, it);
    if (status == LG_OK) status = lg_integrator_clone(&before, it);
    for (int64_t k = 0; status == LG_OK && k < steps; k++) {
        status = lg_integrator_follow(before, ahead);
        if (status == LG_OK) status = lg_integrator_step(ahead);
        if (status == LG_OK) (void)lg_resolution_add(&own, ahead, before);
    }
    lg_integrator_destroy(ahead);
    lg_integrator_destroy(before);
    lg_sized_give(&resolution_kind, r, r->size, &own);
    return status;
}
