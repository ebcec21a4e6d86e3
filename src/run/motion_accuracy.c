/* SPDX-License-Identifier: BSD-3-Clause */
/* What an accuracy asks of a motion. Configurations are the poses of all bodies, velocities are compared in the kinetic
 * norm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "base/dense.h"
#include "groups/rotation.h"
#include "multibody/motion.h"
#include "run/motion_private.h"

/* Round-off of a few steps, relative to a turn of 1 rad and to the mechanism's size. */
#define ROUNDING 1e-13

static int bodies_of(const lg_motion *mo)
{
    return lg_mechanism_body_count(mo->mechanism);
}

/* States ---------------------------------------------------------------------------------------------------------- */

/* The present poses and twists; either may be NULL. */
static void read_state(const lg_motion *mo, double *poses, double *twists)
{
    for (int b = 0; b < bodies_of(mo); b++) {
        if (poses != NULL) lg_status_ignore(lg_motion_body_pose(mo, poses + 7 * b, b));
        if (twists != NULL) lg_status_ignore(lg_motion_body_twist(mo, twists + 6 * b, b));
    }
}

lg_status lg_motion_source_take(lg_motion_source *s, const lg_motion *mo)
{
    const size_t bodies = (size_t)bodies_of(mo), motors = (size_t)lg_mechanism_motor_count(mo->mechanism);
    s->like = mo;
    s->t = lg_motion_time(mo);
    s->poses = calloc(13 * bodies + motors + 1, sizeof *s->poses);
    if (s->poses == NULL) return LG_ERROR_MEMORY;
    s->twists = s->poses + 7 * bodies;
    s->control = s->twists + 6 * bodies;
    read_state(mo, s->poses, s->twists);
    memcpy(s->control, mo->numbers.control, motors * sizeof *s->control);
    return LG_OK;
}

void lg_motion_source_free(lg_motion_source *s)
{
    free(s->poses);
    s->poses = NULL;
}

/* A motion of the same mechanism, method and forces, with another step. */
static lg_status create_like(lg_motion **mo, const lg_motion *like, double h)
{
    lg_status st = lg_motion_create(mo, like->mechanism, like->method[0] != '\0' ? like->method : NULL, h);
    if (st == LG_OK && like->collocation_stages > 0)
        st = lg_motion_set_solver(*mo, like->numbers.collocation->tolerance);
    if (st == LG_OK && lg_motion_tolerance(like) > 0) st = lg_motion_set_tolerance(*mo, lg_motion_tolerance(like));
    if (st == LG_OK) st = lg_motion_set_wrench(*mo, like->wrench, like->context);
    return st == LG_OK ? lg_motion_set_halvings(*mo, like->halvings) : st;
}

static lg_status motion_begin(void **it, const void *source, double h)
{
    const lg_motion_source *s = source;
    lg_motion *mo = NULL;
    lg_status st = create_like(&mo, s->like, h);
    *it = mo;
    if (st == LG_OK) st = lg_motion_start_poses(mo, s->t, s->poses, s->twists, 0);
    return st == LG_OK ? lg_motion_set_control(mo, s->control) : st;
}

static lg_status motion_follow(void *it, const void *other)
{
    lg_motion *mo = it;
    lg_motion_source s = {NULL, 0, NULL, NULL, NULL};
    lg_status st = lg_motion_source_take(&s, other);
    if (st == LG_OK) st = lg_motion_start_poses(mo, s.t, s.poses, s.twists, 0);
    if (st == LG_OK) st = lg_motion_set_control(mo, s.control);
    lg_motion_source_free(&s);
    return st;
}

static lg_status motion_clone(void **copy, const void *it)
{
    const lg_motion *like = it;
    lg_motion *mo = NULL;
    const lg_status st = create_like(&mo, like, like->h);
    *copy = mo;
    return st == LG_OK ? motion_follow(mo, it) : st;
}

static void motion_destroy(void *it)
{
    lg_motion_destroy(it);
}

/* Steps ----------------------------------------------------------------------------------------------------------- */

static lg_status motion_step(void *it)
{
    return lg_motion_step(it, 1);
}

static lg_status motion_set_control(void *it, const double *u)
{
    return lg_motion_set_control(it, u);
}

static double motion_step_size(const void *it)
{
    const lg_motion *mo = it;
    return mo->h;
}

static double motion_time(const void *it)
{
    return lg_motion_time(it);
}

static int motion_iterations(const void *it)
{
    return lg_motion_iterations(it);
}

static int motion_order(const void *it)
{
    const lg_motion *mo = it;
    if (mo->collocation_stages > 0) return 2 * mo->collocation_stages;
    return mo->composition != NULL ? mo->composition->order : 2;
}

/* Comparisons ----------------------------------------------------------------------------------------------------- */

static size_t motion_size(const void *it)
{
    return 7 * (size_t)bodies_of(it);
}

static void motion_configuration(double *g, const void *it)
{
    read_state(it, g, NULL);
}

static lg_apart motion_apart(const void *it, const double *a, const double *b)
{
    lg_apart d = {0, 0};
    for (int i = 0; i < bodies_of(it); i++) lg_apart_add(&d, a + 7 * i, b + 7 * i);
    return d;
}

/* |x|^2 of a body's twist x in space. */
static double square_of(const lg_motion *mo, int body, const double *x)
{
    const lg_body *b = MB_BODY(mo->mechanism, body);
    const double *I = b->inertia;
    double pose[7], R[9], w[3] = {0, 0, 0};
    lg_status_ignore(lg_motion_body_pose(mo, pose, body));
    lg_so3_to_matrix(R, pose + 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) w[i] += R[3 * k + i] * x[3 + k];
    return b->mass * lg_dot(x, x, 3) + I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2] +
           2 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
}

/* |velocity of a - that of b|, without what is round-off; b may be NULL. */
static double speed_of(const lg_motion *a, const lg_motion *b)
{
    const double jitter = ROUNDING * a->mechanism->plan.reach / a->h;
    double sum = 0, least = 0;
    for (int i = 0; i < bodies_of(a); i++) {
        double x[6], y[6] = {0, 0, 0, 0, 0, 0};
        lg_status_ignore(lg_motion_body_twist(a, x, i));
        if (b != NULL) lg_status_ignore(lg_motion_body_twist(b, y, i));
        for (int k = 0; k < 6; k++) x[k] -= y[k];
        sum += square_of(a, i, x);
        least += MB_BODY(a->mechanism, i)->mass * jitter * jitter;
    }
    return sum > least ? sqrt(sum) : 0;
}

static double motion_velocities(const void *a, const void *b, double *speed)
{
    *speed = speed_of(a, NULL);
    return speed_of(a, b);
}

/* The motion in a step from `before` to `it`: what has moved, or would have with the velocity at its end. */
static void add_motion(lg_resolution *r, const lg_motion *it, const lg_motion *before)
{
    const double h = fabs(it->h);
    lg_apart moved = {0, 0}, rate = {0, 0};
    double turn = 0;
    for (int b = 0; b < bodies_of(it); b++) {
        double a[7], c[7], x[6];
        lg_status_ignore(lg_motion_body_pose(before, a, b));
        lg_status_ignore(lg_motion_body_pose(it, c, b));
        lg_status_ignore(lg_motion_body_twist(it, x, b));
        lg_apart_add(&moved, a, c);
        rate.position = hypot(rate.position, lg_length(x, 3));
        rate.rotation = hypot(rate.rotation, lg_length(x + 3, 3));
        turn = fmax(turn, lg_length(x + 3, 3));
    }
    const lg_apart in_step = {fmax(moved.rotation, h * rate.rotation), fmax(moved.position, h * rate.position)};
    lg_resolution_move(r, in_step, h * turn, speed_of(before, NULL));
    lg_resolution_move(r, in_step, h * turn, speed_of(it, NULL));
}

/* The difference of all poses, without what is round-off: of turns, and of positions in the mechanism's size and where
 * it is. */
static lg_apart poses_apart(const lg_motion *it, const lg_motion *other)
{
    lg_apart d = {0, 0};
    double scale = it->mechanism->plan.reach;
    for (int b = 0; b < bodies_of(it); b++) {
        double x[7], y[7];
        lg_status_ignore(lg_motion_body_pose(it, x, b));
        lg_status_ignore(lg_motion_body_pose(other, y, b));
        lg_apart_add(&d, x, y);
        scale = fmax(scale, lg_length(x, 3));
    }
    if (d.rotation <= ROUNDING) d.rotation = 0;
    if (d.position <= ROUNDING * scale) d.position = 0;
    return d;
}

static double motion_repeat(lg_resolution *r, const void *of, void *from)
{
    const lg_motion *it = of;
    lg_motion *before = from;
    const int parts = lg_resolution_parts(r);
    add_motion(r, it, before);
    r->samples++;
    before->h = it->h / parts;
    const lg_status st = lg_motion_step(before, parts);
    before->h = it->h;
    if (st != LG_OK) {
        r->failed++;
        return INFINITY;
    }
    return lg_resolution_differ(r, poses_apart(it, before), speed_of(it, before));
}

lg_status lg_motion_resolution(const lg_motion *mo, lg_resolution *r, int64_t steps)
{
    void *ahead = NULL, *before = NULL;
    if (mo == NULL || !mo->started || r == NULL || r->size != sizeof *r || steps < 1) return LG_ERROR_ARGUMENT;
    lg_status st = motion_clone(&ahead, mo);
    if (st == LG_OK) st = motion_clone(&before, mo);
    for (int64_t k = 0; st == LG_OK && k < steps; k++) {
        st = motion_follow(before, ahead);
        if (st == LG_OK) st = lg_motion_step(ahead, 1);
        if (st == LG_OK) (void)motion_repeat(r, ahead, before);
    }
    lg_motion_destroy(ahead);
    lg_motion_destroy(before);
    return st;
}

static int motion_controlled(const void *it)
{
    return lg_motion_tolerance(it) > 0;
}

/* As far as numbers go: below what may be asked for, round-off is all that is left. */
static void motion_tighten(void *it)
{
    const lg_motion *mo = it;
    mb_adaptive_set(mo->adaptive, fmax(1e-3 * lg_motion_tolerance(mo), 1e-16));
}

const lg_mover_kind lg_mover_motion = {
    .begin = motion_begin,
    .clone = motion_clone,
    .destroy = motion_destroy,
    .follow = motion_follow,
    .step = motion_step,
    .set_control = motion_set_control,
    .step_size = motion_step_size,
    .time = motion_time,
    .iterations = motion_iterations,
    .order = motion_order,
    .size = motion_size,
    .configuration = motion_configuration,
    .apart = motion_apart,
    .velocities = motion_velocities,
    .repeat = motion_repeat,
    .controlled = motion_controlled,
    .tighten = motion_tighten,
};
