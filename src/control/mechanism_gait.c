/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaits of mechanisms, and starts that are free: which displacements of joint positions are symmetries, which positions
 * and velocities of the start are free, its tangents, and the end conditions that decide. */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/mechanism.h"
#include "control/problem.h"

static const double SYMMETRIC = 1e-7;   /* difference of displaced motions, relative to what moves */
static const double INDEPENDENT = 1e-4; /* length of a row of C that is left without others, in relation to its own */
static const int TRIAL_STEPS = 3;       /* in which motions are compared */

/* ---- symmetries ---- */

/* One step of the motion whose state is node `which` of the trial. */
static lg_status gait_advance(lg_optimum *o, int which, double t)
{
    double *x = lg_steer_node(o, &o->trial, which);
    lg_status st = mb_course_set(o->course, x, NULL, o->trial.u, t, o->time / o->steps, NULL, NULL);
    return st == LG_OK ? mb_course_step(o->course, x) : st;
}

/* *off = max |q1 + D - q0, v1 - v0| of nodes 0 and 1 of the trial, each relative to what moved from the start. */
static lg_status gait_off(lg_optimum *o, const double *D, double *off)
{
    const int n = o->n;
    double *q0 = o->reading, *v0 = q0 + n, *q1 = v0 + n, *v1 = q1 + n, moved = 0, turned = 0;
    lg_status st = mb_course_read(o->course, q0, v0, lg_steer_node(o, &o->trial, 0));
    if (st == LG_OK) st = mb_course_read(o->course, q1, v1, lg_steer_node(o, &o->trial, 1));
    if (st != LG_OK) return st;
    double far = 0, fast = 0;
    for (int i = 0; i < n; i++) {
        moved = lg_larger(moved, fabs(q0[i] - o->start_g[i])), turned = lg_larger(turned, fabs(v0[i]));
        far = lg_larger(far, fabs(q1[i] - q0[i] - (D ? D[i] : 0))), fast = lg_larger(fast, fabs(v1[i] - v0[i]));
    }
    *off = lg_larger(moved > 0 ? far / moved : 0, turned > 0 ? fast / turned : 0);
    return LG_OK;
}

/* Two motions from rest near the start, with controls of this size; the second one starts displaced by D. */
static lg_status gait_compare(lg_optimum *o, const double *D, double size, double *off)
{
    const int n = o->n, c = o->controls;
    lg_rng rng = {1};
    double *q = o->reading + 2 * n, *u = o->trial.u;
    for (int i = 0; i < n; i++) q[i] = o->start_g[i] + size * lg_rng_normal(&rng);
    lg_status st = mb_course_start(o->course, lg_steer_node(o, &o->trial, 0), q, NULL, 1);
    if (st == LG_OK) st = mb_course_read(o->course, q, NULL, lg_steer_node(o, &o->trial, 0));
    for (int i = 0; i < n; i++) q[i] += D[i];
    if (st == LG_OK) st = mb_course_start(o->course, lg_steer_node(o, &o->trial, 1), q, NULL, 1);
    for (int k = 0; st == LG_OK && k < TRIAL_STEPS; k++) {
        for (int j = 0; j < c; j++) u[j] = lg_problem_inside(size * lg_rng_normal(&rng), o->low[j], o->high[j]);
        st = gait_advance(o, 0, 0);
        if (st == LG_OK) st = gait_advance(o, 1, 0);
    }
    return st == LG_OK ? gait_off(o, D, off) : st;
}

/* *commutes = 1 if steps commute with q -> q + D. Sizes fall until steps can be made. */
static lg_status gait_commutes(lg_optimum *o, const double *D, int *commutes, lg_error *e)
{
    lg_status st = LG_OK;
    for (double size = 0.3; size > 1e-4; size *= 0.1) {
        double off;
        st = gait_compare(o, D, size, &off);
        *commutes = st == LG_OK && off <= SYMMETRIC;
        if (st == LG_OK) return LG_OK;
    }
    return lg_fail(e, st, "lg_optimum: no step can be made near the start and the displaced start: %.240s",
                   o->course->error.message);
}

lg_status lg_steer_check(lg_optimum *o, const double *D, lg_error *e)
{
    int commutes;
    const lg_status st = gait_commutes(o, D, &commutes, e);
    if (st != LG_OK || commutes) return st;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "lg_optimum: target_g, the displacement of a motion that closes, is no symmetry of the mechanism: "
                   "motions from a start and from the displaced start differ; displace places and angles that nothing "
                   "depends on, and let shapes close");
}

lg_status lg_steer_begin(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const int n = o->n;
    double *D = o->C;
    int phase = 0; /* 1: the phase is known */
    lg_status st = LG_OK;
    for (int i = 0; p->start_free && i < 2 * n; i++) o->free[i] = p->start_free[i] != 0;
    if (!o->closes) return LG_OK;
    if ((st = lg_steer_check(o, o->target_g, e)) != LG_OK) return st;
    for (int i = 0; i < n; i++) {
        int invariant;
        memset(D, 0, sz(n) * sizeof *D), D[i] = 0.3;
        if ((st = gait_commutes(o, D, &invariant, e)) != LG_OK) return st;
        if (p->target_rows && !p->target_rows[i] && !invariant)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "lg_optimum_create: end condition %d must hold: the motion closes, and the mechanism is not "
                           "invariant under displacements of this position",
                           i + 1);
        if (p->start_free || invariant) continue;
        o->free[i] = phase, phase = 1;
    }
    for (int i = 0; !p->start_free && i < n; i++) o->free[n + i] = 1;
    return LG_OK;
}

/* ---- the start ---- */

lg_status lg_steer_pin(lg_optimum *o, lg_iterate *x)
{
    const int n = o->n;
    double *node = lg_steer_node(o, x, 0), *q = o->reading, *v = q + n;
    lg_status st = mb_course_read(o->course, q, v, node);
    for (int i = 0; i < n; i++) {
        if (!o->free[i]) q[i] = o->start_g[i];
        if (!o->free[n + i]) v[i] = o->start_p[i];
    }
    if (st == LG_OK) st = mb_course_start(o->course, node, q, v, 1);
    return st == LG_OK ? LG_OK : lg_fail(&o->error, st, "node 0: %.300s", o->course->error.message);
}

/* C of node 0. */
static lg_status gait_C(lg_optimum *o)
{
    const lg_status st =
        mb_course_reading(o->course, o->C, lg_steer_node(o, &o->now, 0), lg_steer_frame(o, &o->now, 0));
    return st == LG_OK ? LG_OK : lg_fail(&o->error, st, "node 0: %.300s", o->course->error.message);
}

/* Rows of C that belong to coordinates with free[i] = 0, in scales and of length 1; their number. */
static int gait_held(const lg_optimum *o, double *rows)
{
    const int k = o->k;
    int count = 0;
    for (int i = 0; i < 2 * o->n; i++) {
        double *row = rows + count * k, square = 0;
        if (o->free[i]) continue;
        for (int j = 0; j < k; j++) row[j] = o->C[i * k + j] * o->scale[j], square += row[j] * row[j];
        for (int j = 0; j < k && square > 0; j++) row[j] /= sqrt(square);
        count += square > 0;
    }
    return lg_gait_orthonormalise(rows, o->order, count, k, INDEPENDENT);
}

lg_status lg_steer_tangents(lg_optimum *o)
{
    const int k = o->k;
    double *held = o->turned, *rows = o->J;
    const lg_status st = gait_C(o);
    if (st != LG_OK) return st;
    const int fixed = gait_held(o, held);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            rows[i * k + j] = i == j;
            for (int l = 0; l < fixed; l++) rows[i * k + j] -= held[l * k + i] * held[l * k + j];
        }
    const int rank = lg_gait_orthonormalise(rows, o->order, k, k, INDEPENDENT);
    o->model.size.frees = rank;
    for (int r = 0; r < k; r++)
        for (int j = 0; j < rank; j++) o->model.E[r * rank + j] = o->scale[r] * rows[j * k + r];
    return LG_OK;
}

/* ---- the end ---- */

/* Leaves those end conditions out of the model that follow from others before them where the motion ends. */
static void gait_rows(lg_optimum *o)
{
    const int k = o->k, z = lg_optimum_z(o);
    double *Q = o->turned; /* orthonormal rows, in scales */
    int kept = 0;
    for (int i = 0; i < o->ends; i++) {
        double *row = Q + kept * k;
        for (int j = 0; j < k; j++) row[j] = o->model.C[i * z + j] * o->scale[j];
        for (int l = 0; l < 2 * kept; l++) { /* twice, for what rounding leaves */
            const double *other = Q + l % kept * k, along = lg_dot(row, other, k);
            for (int j = 0; j < k; j++) row[j] -= along * other[j];
        }
        const double left = sqrt(lg_dot(row, row, k));
        o->implied[i] = kept == k || !(left > INDEPENDENT);
        if (!o->implied[i]) {
            for (int j = 0; j < k; j++) row[j] /= left;
            kept++;
            continue;
        }
        o->model.e[i] = 0;
        memset(o->model.C + i * z, 0, sz(z) * sizeof *o->model.C);
        memset(o->model.C0 + i * k, 0, sz(k) * sizeof *o->model.C0);
    }
}

lg_status lg_steer_close(lg_optimum *o)
{
    const int k = o->k;
    const lg_status st = gait_C(o);
    if (st != LG_OK) return st;
    for (int i = 0; i < o->ends; i++)
        for (int j = 0; j < k; j++) o->model.C0[i * k + j] = -o->C[o->row[i] * k + j] / o->end_scale[i];
    gait_rows(o);
    return LG_OK;
}
