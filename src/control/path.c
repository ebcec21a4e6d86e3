/* SPDX-License-Identifier: BSD-3-Clause */
/* Inequalities at nodes: what the problem says of them, and their values. */
#include "control/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/sized.h"
#include "base/small.h"
#include "control/mechanism.h"
#include "control/problem.h"
#include "multibody/parts/part.h"

static const lg_sized clearance_size = LG_SIZED_AS(lg_clearance, radius, "start from lg_clearance_default()");

void lg_clearance_init(lg_clearance *clearance, size_t size, const char *body)
{
    const lg_clearance own = {.body = body};
    lg_sized_give(&clearance_size, clearance, size, &own);
}

/* ---- the problem ---- */

/* Numbers of (g, p) as people give them. */
static int path_numbers(const lg_optimum *o)
{
    return (o->course ? o->n : o->element) + o->n;
}

static int path_count_bounds(const lg_optimum *o, const lg_optimum_problem *p)
{
    int count = 0;
    for (int i = 0; i < path_numbers(o); i++) {
        if (p->state_low && p->state_low[i] != -INFINITY) count++;
        if (p->state_high && p->state_high[i] != INFINITY) count++;
    }
    return count;
}

lg_status lg_path_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    lg_path *path = &o->path;
    if (p->path_count < 0 || (p->path_count > 0) != (p->path != NULL))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: path_count is %d, and there is %s path; expected a function and a positive "
                       "number, or neither",
                       p->path_count, p->path ? "a" : "no");
    if (p->clearance_count < 0 || p->clearance_count > 1000000 || (p->clearance_count > 0 && !p->clearances))
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: %lld clearances; expected as many as `clearances` has",
                       (long long)p->clearance_count);
    if (p->clearance_count > 0 && !o->course)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: clearances are those of bodies of a mechanism; describe them by `path`");
    path->own = p->path_count, path->balls = (int)p->clearance_count, path->bounds = path_count_bounds(o, p);
    path->count = path->own + path->balls + path->bounds;
    path->call = p->path, path->context = p->path_context, path->exact = p->path_jacobian != 0;
    return LG_OK;
}

void lg_path_carve(lg_optimum *o, lg_arena *a)
{
    lg_path *path = &o->path;
    const size_t m = sz(path->count), nodes = sz(o->steps) + 1, w = sz(lg_optimum_w(o));
    if (m == 0) return;
    path->ball = lg_take(a, sz(path->balls) * sizeof *path->ball);
    path->bound = lg_take(a, sz(path->bounds) * sizeof *path->bound);
    path->scale = lg_take_doubles(a, m), path->z = lg_take_doubles(a, nodes * m);
    path->by = lg_take_doubles(a, nodes * m), path->change = lg_take_doubles(a, nodes * m);
    path->weight = lg_take_doubles(a, nodes * m), path->next = lg_take_doubles(a, nodes * m);
    path->lack = lg_take_doubles(a, nodes * m);
    path->jacobian = lg_take_doubles(a, nodes * m * w);
    path->slope = lg_take_doubles(a, nodes * w), path->kept = lg_take_doubles(a, nodes * w);
    path->own_jacobian = lg_take_doubles(a, sz(path->own) * (2 * sz(o->n) + sz(o->controls)));
    path->table = lg_take_doubles(a, 8 * m), path->move = lg_take_doubles(a, 3 * w);
}

static lg_status path_fill_ball(lg_optimum *o, int i, const lg_clearance *given, lg_error *e)
{
    const lg_mechanism *m = o->course->base->mechanism;
    lg_path_ball *ball = &o->path.ball[i];
    lg_clearance own = {.body = NULL};
    lg_status st = lg_sized_take(&clearance_size, &own, given, e);
    if (st != LG_OK) return st;
    const int body = own.body ? mb_find(m, MB_BODIES, own.body) : -1;
    if (body < 0)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: clearance %d: the mechanism has no body '%.60s'",
                       i + 1, own.body ? own.body : "");
    if (!lg_all_finite(own.point, 3) || !lg_all_finite(own.place, 3) || !lg_all_finite(own.extent, 3) ||
        !(own.radius >= 0 && isfinite(own.radius)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: clearance %d: a number is not finite, or the radius %g", i + 1, own.radius);
    const double length = sqrt(lg_dot(own.extent, own.extent, 3));
    const int box = own.obstacle == LG_OBSTACLE_BOX && own.extent[0] > 0 && own.extent[1] > 0 && own.extent[2] > 0;
    if (!box && !(own.obstacle == LG_OBSTACLE_SPHERE && own.extent[0] > 0) &&
        !(own.obstacle == LG_OBSTACLE_HALF_SPACE && length > 0))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: clearance %d: obstacle %d with extent %g, %g, %g; expected the radius of a "
                       "sphere, half edges of a box, or the normal of a half space",
                       i + 1, (int)own.obstacle, own.extent[0], own.extent[1], own.extent[2]);
    const mb_placed at = mb_placed_of(m, body);
    *ball = (lg_path_ball){.body = body, .radius = own.radius, .obstacle = own.obstacle};
    mb_anchor(ball->point, &at, own.point);
    for (int k = 0; k < 3; k++) {
        ball->place[k] = own.place[k];
        ball->size[k] = own.obstacle == LG_OBSTACLE_HALF_SPACE ? own.extent[k] / length : own.extent[k];
    }
    return LG_OK;
}

lg_status lg_path_fill(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    lg_path_bound *next = o->path.bound;
    const char *at = (const char *)p->clearances;
    for (int i = 0; i < path_numbers(o); i++) {
        const double low = p->state_low ? p->state_low[i] : -INFINITY;
        const double high = p->state_high ? p->state_high[i] : INFINITY;
        if (!(low < high))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: bounds %g and %g of number %d of the state; the first must be below "
                           "the second",
                           low, high, i + 1);
        if (low != -INFINITY) *next++ = (lg_path_bound){i, low, 1};
        if (high != INFINITY) *next++ = (lg_path_bound){i, high, -1};
    }
    for (int i = 0; i < o->path.balls; i++) {
        const lg_status st = path_fill_ball(o, i, (const void *)at, e);
        if (st != LG_OK) return st;
        at += p->clearances->size;
    }
    for (int i = 0; i < o->path.count; i++) o->path.scale[i] = 1;
    return LG_OK;
}

/* ---- values ---- */

/* How far the point x is outside of an obstacle, and the direction in which that grows. */
static double path_distance(const lg_path_ball *ball, const double *x, double *direction)
{
    double d[3], out[3], most = -INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; k++) d[k] = x[k] - ball->place[k];
    if (ball->obstacle == LG_OBSTACLE_HALF_SPACE) {
        memcpy(direction, ball->size, sizeof d);
        return lg_dot(d, ball->size, 3);
    }
    if (ball->obstacle == LG_OBSTACLE_SPHERE) {
        const double length = sqrt(lg_dot(d, d, 3));
        for (int k = 0; k < 3; k++) direction[k] = length > 0 ? d[k] / length : k == 0;
        return length - ball->size[0];
    }
    for (int k = 0; k < 3; k++) {
        out[k] = fmax(fabs(d[k]) - ball->size[k], 0);
        if (fabs(d[k]) - ball->size[k] > most) most = fabs(d[k]) - ball->size[k], axis = k;
    }
    const double length = sqrt(lg_dot(out, out, 3));
    for (int k = 0; k < 3; k++) direction[k] = copysign(length > 0 ? out[k] / length : k == axis, d[k]);
    return length > 0 ? length : most;
}

/* arm <- R point, the ball's centre from the centre of mass of its body, of a state of a course. */
static void path_arm(const lg_path_ball *ball, const double *state, double *arm)
{
    const double *q = state + 7 * ball->body + 3;
    double c[3], d[3];
    small_cross(c, q, ball->point);
    for (int k = 0; k < 3; k++) c[k] = 2 * c[k];
    small_cross(d, q, c);
    for (int k = 0; k < 3; k++) arm[k] = ball->point[k] + q[3] * c[k] + d[k];
}

static double path_ball_value(const lg_path_ball *ball, const double *state, double *direction)
{
    double x[3];
    path_arm(ball, state, x);
    for (int k = 0; k < 3; k++) x[k] += state[7 * ball->body + k];
    return path_distance(ball, x, direction) - ball->radius;
}

void lg_path_ball_slope(const lg_optimum *o, const lg_path_ball *ball, int k, double *row)
{
    const double *state = lg_steer_node(o, &o->now, k), *frame = lg_steer_frame(o, &o->now, k);
    double direction[3], arm[3], turn[3];
    (void)path_ball_value(ball, state, direction);
    path_arm(ball, state, arm);
    small_cross(turn, arm, direction);
    for (int i = 0; i < o->half; i++) {
        const double *z = frame + sz(i) * sz(o->course->at.n) + 6 * ball->body;
        row[i] = lg_dot(z, direction, 3) + lg_dot(z + 3, turn, 3);
    }
}

lg_status lg_path_own(lg_optimum *o, const char *who, const lg_cost_call *call, double *values, double *jacobian)
{
    const int m = o->path.own, s = 2 * o->n + (call->u ? o->controls : 0);
    memset(values, 0, sz(m) * sizeof *values);
    if (jacobian) memset(jacobian, 0, sz(m * s) * sizeof *jacobian);
    const int code = o->path.call(call, values, jacobian);
    if (code) return lg_fail(&o->error, LG_ERROR_CALLBACK, "%s: path returned %d at node %d", who, code, call->node);
    for (int i = 0; i < m; i++) {
        const int holds = values[i] != INFINITY;
        if (isnan(values[i]) || values[i] == -INFINITY || (holds && jacobian && !lg_all_finite(jacobian + i * s, s)))
            return lg_fail(&o->error, LG_ERROR_NOT_FINITE, "%s: path inequality %d is not finite at node %d", who,
                           i + 1, call->node);
        for (int j = 0; jacobian && !holds && j < s; j++) jacobian[i * s + j] = 0;
    }
    return LG_OK;
}

/* Values at a state: element and momentum, or a state of a course. */
static lg_status path_all(lg_optimum *o, int k, const double *g, const double *p, const double *u, double t,
                          double *values)
{
    const lg_path *path = &o->path;
    const int last = k == o->steps, size = o->course ? o->n : o->element;
    const double *q = g, *v = p;
    double direction[3], *value = values + path->own;
    lg_status st = LG_OK;
    if (o->course && path->own + path->bounds) {
        q = o->reading, v = o->reading + o->n;
        st = mb_course_read(o->course, o->reading, o->reading + o->n, g);
        if (st != LG_OK) return lg_fail(&o->error, st, "node %d: %.300s", k, o->course->error.message);
    }
    const lg_cost_call call = {path->context, t, k, o->steps, q, v, last ? NULL : u};
    if (path->own) st = lg_path_own(o, "lg_optimum_solve", &call, values, NULL);
    for (int i = 0; i < path->balls; i++) *value++ = path_ball_value(&path->ball[i], g, direction);
    for (const lg_path_bound *b = path->bound; b < path->bound + path->bounds; b++)
        *value++ = b->sign * ((b->number < size ? q[b->number] : v[b->number - size]) - b->level);
    return st;
}

lg_status lg_path_values(lg_optimum *o, const lg_iterate *x, int k, double *values)
{
    return path_all(o, k, x->g + k * o->element, x->p + k * o->n, x->u + k * o->controls, k * x->h, values);
}

lg_status lg_path_displaced(lg_optimum *o, int k, const double *by, double *values)
{
    const lg_iterate *x = &o->now;
    const int n = o->n, c = o->controls, z = lg_optimum_z(o);
    const double *g = x->g + k * o->element, t = k * (x->h + (o->timed ? by[o->k] : 0));
    double *u = o->displaced + n;
    for (int j = 0; k < o->steps && j < c; j++) u[j] = x->u[k * c + j] + by[z + j];
    if (o->course) {
        const lg_status st = mb_course_displace(o->course, o->move_g, g, lg_steer_frame(o, x, k), by);
        if (st != LG_OK) return lg_fail(&o->error, st, "node %d: %.300s", k, o->course->error.message);
        return path_all(o, k, o->move_g, NULL, u, t, values);
    }
    const lg_status st = lg_optimum_displace(o, o->move_g, g, by);
    if (st != LG_OK) return lg_fail(&o->error, st, "node %d cannot be displaced", k);
    for (int i = 0; i < n; i++) o->move_p[i] = x->p[k * n + i] + by[n + i];
    return path_all(o, k, o->move_g, o->move_p, u, t, values);
}

void lg_path_name(const lg_optimum *o, int i, char *text, size_t size)
{
    static const char *const obstacles[] = {"sphere", "box", "half space"};
    const lg_path *path = &o->path;
    const int numbers = o->course ? o->n : o->element, ball = i - path->own;
    char row[96];
    if (ball < 0) {
        snprintf(text, size, "path inequality %d", i + 1);
        return;
    }
    if (ball < path->balls) {
        snprintf(text, size, "the distance of body '%.60s' from %s %d",
                 MB_BODY(o->course->base->mechanism, path->ball[ball].body)->name, obstacles[path->ball[ball].obstacle],
                 ball + 1);
        return;
    }
    const lg_path_bound *b = &path->bound[ball - path->balls];
    if (o->course)
        o->moves->name(o, b->number, 1, row, sizeof row);
    else
        snprintf(row, sizeof row, "number %d of the %s", 1 + b->number - (b->number < numbers ? 0 : numbers),
                 b->number < numbers ? "configuration" : "momentum");
    snprintf(text, size, "the %s bound %g of %s", b->sign > 0 ? "lower" : "upper", b->level, row);
}
