/* SPDX-License-Identifier: BSD-3-Clause */
/* Curvature of a mechanism's steps, positions and costs: second differences of values. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "control/mechanism.h"

/* Steps of the differences: of positions turns and parts of the reach, of all else scales. */
static const double CURVATURE_STEP = 5e-5;

/* Of the sum of costates times step k: the variables (z, u), and steps of their differences. */
typedef struct curve_terms {
    mb_course_weights weights;
    int count; /* (y, h, u), or y at the last node */
    double *y, *u, *step;
    double *centre; /* controls around which they are displaced */
} curve_terms;

/* The slope of the node's cost with respect to positions and velocities, with multipliers of end conditions. */
static lg_status curve_slopes(lg_optimum *o, int k, double *slope)
{
    const int last = k == o->steps;
    const lg_cost_fn own = last ? o->final : o->running;
    lg_cost_call call = {o->context, k * o->now.h, k, o->steps, NULL, NULL, last ? NULL : o->now.u + k * o->controls};
    memset(o->raw, 0, sz(2 * o->n) * sizeof *o->raw);
    if (own) {
        double value;
        lg_status st = lg_steer_read(o, &o->now, k, &call.g, &call.p);
        if (st == LG_OK) st = lg_point_own_cost(o, "lg_optimum_solve", &call, &value, o->raw, o->J);
        if (st != LG_OK) return st;
    }
    for (int i = 0; i < 2 * o->n; i++) slope[i] = (last ? 1 : o->now.h) * o->raw[i];
    for (int i = 0; last && i < o->ends; i++) slope[o->row[i]] += o->nu[i] / o->end_scale[i];
    for (int i = 0; k == 0 && o->closes && i < o->ends; i++) slope[o->row[i]] -= o->nu[i] / o->end_scale[i];
    return LG_OK;
}

/* The value where variables i and j (-1: none) are displaced by a and b steps. */
static lg_status curve_value(lg_optimum *o, const curve_terms *q, int i, double a, int j, double b, double *value)
{
    const int half = o->k, z = lg_optimum_z(o), c = o->controls;
    double longer = 0;
    memset(q->y, 0, sz(half) * sizeof *q->y);
    memcpy(q->u, q->centre, sz(c) * sizeof *q->u);
    for (int which = 0; which < 2; which++) {
        const int v = which ? j : i;
        if (v >= 0) *(v < half ? &q->y[v] : v < z ? &longer : &q->u[v - z]) += (which ? b : a) * q->step[v];
    }
    return mb_course_value(o->course, value, q->y, q->u, longer, &q->weights);
}

/* H <- second differences: of f(+), f(-) and f(0) on the diagonal, of f(++), f(+0), f(0+) and f(0) besides. */
static lg_status curve_differences(lg_optimum *o, const curve_terms *q, double *H)
{
    const int w = lg_optimum_w(o);
    double at, minus, both, *plus = o->value + 2 * w;
    lg_status st = curve_value(o, q, -1, 0, -1, 0, &at);
    for (int i = 0; st == LG_OK && i < q->count; i++) {
        st = curve_value(o, q, i, 1, -1, 0, &plus[i]);
        if (st == LG_OK) st = curve_value(o, q, i, -1, -1, 0, &minus);
        H[i * w + i] = (plus[i] - at) + (minus - at);
    }
    for (int i = 0; st == LG_OK && i < q->count; i++)
        for (int j = 0; st == LG_OK && j < i; j++) {
            st = curve_value(o, q, i, 1, j, 1, &both);
            H[i * w + j] = (both - plus[i]) - (plus[j] - at);
        }
    for (int i = 0; i < q->count; i++)
        for (int j = 0; j <= i; j++) H[i * w + j] = H[j * w + i] = H[i * w + j] / (q->step[i] * q->step[j]);
    return st;
}

/* Controls of a step, so far inside of their motors' limits, where forces bend, that differences stay inside. */
static void curve_centre(const lg_optimum *o, const curve_terms *q, int step)
{
    const int c = o->controls, z = lg_optimum_z(o);
    for (int j = 0; j < c; j++) {
        double own[2];
        mb_control_limits(&o->course->base->mechanism->plan, j, own);
        const double far = 2 * q->step[z + j], u = o->now.u[step * c + j];
        q->centre[j] = own[1] - own[0] > 2 * far ? fmin(fmax(u, own[0] + far), own[1] - far) : u;
    }
}

/* A light body among heavy ones turns far while a position moves by its scale: positions go by what they turn. */
static void curve_steps(const lg_optimum *o, const curve_terms *q, const double *frame)
{
    const int n = o->k, z = lg_optimum_z(o), w = lg_optimum_w(o);
    for (int i = 0; i < w; i++)
        q->step[i] = CURVATURE_STEP * (i < n ? o->scale[i] : i < z ? o->now.h : o->scale[i - o->timed]);
    for (int i = 0; i < o->half; i++)
        q->step[i] = CURVATURE_STEP / mb_linear_size(&o->course->at, frame + sz(i) * sz(o->course->at.n));
}

void lg_steer_curve(lg_optimum *o, int k)
{
    const int n = o->k, w = lg_optimum_w(o), last = k == o->steps;
    double *H = o->curvature + k * w * w, *slope = o->reading + 2 * o->n;
    curve_terms q = {.count = last ? n : w, .y = o->value, .u = o->displaced, .step = o->value + w};
    q.centre = o->value + 3 * w;
    memset(H, 0, sz(w * w) * sizeof *H);
    curve_steps(o, &q, lg_steer_frame(o, &o->now, k));
    curve_centre(o, &q, last ? k - 1 : k);
    lg_status st = curve_slopes(o, k, slope);
    if (st == LG_OK) st = lg_steer_set(o, k);
    mb_course_spread(o->course, o->before, o->costate + k * n, lg_steer_frame(o, &o->now, k));
    if (!last) mb_course_spread(o->course, o->after, o->costate + (k + 1) * n, lg_steer_frame(o, &o->now, k + 1));
    const int opens = k == 0 && o->frees; /* there is no step before, and the end may depend on the node */
    q.weights.after = last ? NULL : o->after, q.weights.before = opens ? NULL : o->before;
    q.weights.reading = last || o->running || (opens && o->closes) ? slope : NULL;
    if (st == LG_OK) st = curve_differences(o, &q, H);
    if (st != LG_OK || !lg_all_finite(H, w * w)) memset(H, 0, sz(w * w) * sizeof *H);
}
