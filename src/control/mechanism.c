/* SPDX-License-Identifier: BSD-3-Clause */
/* What an optimum of a mechanism does in its own way. Nodes are states of a course; people give and read joint
 * positions q and velocities v, which change by C y near a node. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "control/mechanism.h"
#include "control/problem.h"
#include "multibody/parts/joint.h"

static const double DEPENDENT = 1e-4; /* an end condition follows from others if they leave less of it, in scales */
static const double UNMOVED = 1e-6;   /* and is moved by nothing if that is less, in relation to others */

static lg_status mechanism_say(lg_optimum *o, lg_status st, int k)
{
    return st == LG_OK ? LG_OK : lg_fail(&o->error, st, "node %d: %.300s", k, o->course->error.message);
}

/* ---- the problem ---- */

lg_status lg_steer_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e)
{
    const lg_mechanism *m = p->mechanism;
    if (p->retraction && strcmp(p->retraction, "exp") != 0)
        return lg_fail(e, LG_ERROR_UNSUPPORTED,
                       "lg_optimum_create: the step of mechanisms has no retraction, got '%.40s'; leave it NULL",
                       p->retraction);
    const lg_status st = mb_course_create(&o->course, m, p->method, p->time / p->steps, e);
    if (st != LG_OK) return st;
    o->moves = &lg_moves_mechanism;
    o->controls = m->plan.controls, o->limited = 1;
    o->n = o->course->positions, o->element = o->course->state;
    o->k = o->course->k, o->half = o->course->at.count[0];
    if (o->controls > 0) return LG_OK;
    return lg_fail(e, LG_ERROR_ARGUMENT, "lg_optimum_create: the mechanism has no motors; add an lg_motor");
}

lg_status lg_steer_limit(const lg_optimum *o, int control, double *low, double *high, lg_error *e)
{
    const lg_mechanism *m = o->course->base->mechanism;
    double own[2];
    mb_control_limits(&m->plan, control, own);
    if ((isfinite(*low) && *low < own[0]) || (isfinite(*high) && *high > own[1])) {
        const char *name, *noun = mb_control_noun(m, control, &name);
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "lg_optimum_create: limits %g and %g of %s '%.60s' go beyond its own, %g and %g", *low, *high,
                       noun, name, own[0], own[1]);
    }
    *low = fmax(*low, own[0]), *high = fmin(*high, own[1]);
    return LG_OK;
}

void lg_steer_effort(lg_optimum *o)
{
    for (int j = 0; j < o->controls; j++) {
        double own[2];
        mb_control_limits(&o->course->base->mechanism->plan, j, own);
        const double most = lg_larger(fabs(own[0]), fabs(own[1]));
        if (isfinite(most) && most > 0) o->effort[j * o->controls + j] = 1 / (most * most);
    }
}

/* Node 0 <- these positions and velocities; NULL: as they are. */
static lg_status mechanism_start(lg_optimum *o, const double *q, const double *v, lg_error *e)
{
    mb_course *course = o->course;
    double *x = lg_steer_node(o, o->made && o->frees ? &o->trial : &o->now, 0); /* node 0 is free: pinned later */
    lg_status st = LG_OK;
    if (!o->made) {
        st = mb_course_start(course, x, NULL, NULL, 1);
        if (st == LG_OK) st = mb_course_read(course, o->start_g, o->start_p, x);
    }
    if (st == LG_OK && (q || v)) st = mb_course_start(course, x, q ? q : o->start_g, v ? v : o->start_p, 0);
    if (st != LG_OK) {
        (void)lg_fail(e, st, "lg_optimum: start: %.300s", course->error.message);
        if (o->made) lg_status_ignore(mb_course_start(course, x, o->start_g, o->start_p, 0));
        return st;
    }
    if (q) memcpy(o->start_g, q, sz(o->n) * sizeof *q);
    if (v) memcpy(o->start_p, v, sz(o->n) * sizeof *v);
    return LG_OK;
}

lg_status lg_steer_fill_ends(lg_optimum *o, const double *start_q, const double *start_v, const double *target_q,
                             const double *target_v, lg_error *e)
{
    const size_t bytes = sz(o->n) * sizeof(double);
    lg_status st = lg_problem_check_vector("start_g", start_q, o->n, e);
    if (st == LG_OK) st = lg_problem_check_vector("start_p", start_v, o->n, e);
    if (st == LG_OK) st = lg_problem_check_vector("target_g", target_q, o->n, e);
    if (st == LG_OK) st = lg_problem_check_vector("target_p", target_v, o->n, e);
    if (st == LG_OK && o->made && o->closes && target_q) st = lg_steer_check(o, target_q, e);
    if (st == LG_OK) st = mechanism_start(o, start_q, start_v, e);
    if (st != LG_OK) return st;
    if (target_q) memcpy(o->target_g, target_q, bytes);
    if (target_v) memcpy(o->target_p, target_v, bytes);
    return LG_OK;
}

/* Positions and velocities from start to target, linearly; those without a target stay, and come to rest. */
static void mechanism_line(const lg_optimum *o, double s, double *q, double *v)
{
    const int n = o->n;
    for (int i = 0; i < n; i++) q[i] = o->start_g[i], v[i] = (o->closes ? 1 : 1 - s) * o->start_p[i];
    for (int i = 0; i < o->ends; i++) {
        const int r = o->row[i];
        if (r < n)
            q[r] += s * (o->target_g[r] - (o->closes ? 0 : o->start_g[r]));
        else if (!o->closes)
            v[r - n] += s * o->target_p[r - n];
    }
}

lg_status lg_steer_guess(lg_optimum *o, const double *q, const double *v)
{
    const int n = o->n;
    for (int k = o->frees ? 0 : 1; k <= o->steps; k++) {
        mechanism_line(o, (double)k / o->steps, o->reading, o->reading + n);
        if (q) memcpy(o->reading, q + k * n, sz(n) * sizeof *q);
        if (v) memcpy(o->reading + n, v + k * n, sz(n) * sizeof *v);
        const lg_status st = mb_course_start(o->course, lg_steer_node(o, &o->now, k), o->reading, o->reading + n, 1);
        if (st != LG_OK)
            return lg_fail(&o->error, st, "lg_optimum_guess: node %d: %.300s", k, o->course->error.message);
    }
    if (o->frees) {
        const lg_status st = lg_steer_pin(o, &o->now);
        if (st != LG_OK) return st;
    }
    memset(o->costate, 0, sz((o->steps + 1) * o->k) * sizeof *o->costate);
    for (int k = 0; k <= o->steps; k++) {
        const lg_status st =
            mb_course_read(o->course, o->positions + k * n, o->velocities + k * n, lg_steer_node(o, &o->now, k));
        if (st != LG_OK) return mechanism_say(o, st, k);
    }
    memset(o->shown, 0, sz((o->steps + 1) * 2 * n) * sizeof *o->shown);
    return LG_OK;
}

/* ---- points ---- */

static lg_status mechanism_displace(lg_optimum *o, lg_iterate *to, int k, double length)
{
    const double *x = lg_steer_node(o, &o->now, k);
    for (int i = 0; i < o->k; i++) o->value[i] = length * o->model.stages[k].x[i];
    if (k == 0 && !o->frees) {
        memcpy(to->g, x, sz(o->element) * sizeof *x); /* the start is what was given, to the bit */
        return LG_OK;
    }
    const lg_status st =
        mb_course_displace(o->course, lg_steer_node(o, to, k), x, lg_steer_frame(o, &o->now, k), o->value);
    return st == LG_OK && k == 0 ? lg_steer_pin(o, to) : mechanism_say(o, st, k);
}

static lg_status mechanism_settle(lg_optimum *o, lg_iterate *x)
{
    lg_status st = LG_OK;
    for (int k = 0; st == LG_OK && k <= o->steps; k++)
        st = mechanism_say(o, mb_course_look(o->course, lg_steer_frame(o, x, k), lg_steer_node(o, x, k)), k);
    return st;
}

/* to <- the end of step k of x. */
static lg_status mechanism_go(lg_optimum *o, const lg_iterate *x, int k, double *to)
{
    lg_status st =
        mb_course_set(o->course, lg_steer_node(o, x, k), NULL, x->u + k * o->controls, k * x->h, x->h, NULL, NULL);
    if (st == LG_OK) st = mb_course_step(o->course, to);
    return st == LG_OK ? LG_OK : lg_fail(&o->error, st, "step from node %d: %.300s", k, o->course->error.message);
}

static lg_status mechanism_step(lg_optimum *o, lg_iterate *x, int k)
{
    double *d = x->defect + k * o->k;
    const lg_status st = mechanism_go(o, x, k, o->move_g);
    if (st != LG_OK) return st;
    mb_course_difference(o->course, d, o->move_g, lg_steer_node(o, x, k + 1), lg_steer_frame(o, x, k + 1));
    for (int i = 0; i < o->k; i++) x->violation += d[i] * d[i] / (o->scale[i] * o->scale[i]);
    return LG_OK;
}

static lg_status mechanism_follow(lg_optimum *o, lg_iterate *x, int k)
{
    return mechanism_go(o, x, k, lg_steer_node(o, x, k + 1));
}

lg_status lg_steer_read(lg_optimum *o, const lg_iterate *x, int k, const double **q, const double **v)
{
    *q = o->reading, *v = o->reading + o->n;
    return mechanism_say(o, mb_course_read(o->course, o->reading, o->reading + o->n, lg_steer_node(o, x, k)), k);
}

static lg_status mechanism_end(lg_optimum *o, lg_iterate *x)
{
    const double *q, *v;
    double *first = o->reading + 2 * o->n; /* of a motion that closes: q_0 and v_0 */
    lg_status st = LG_OK;
    if (o->closes) st = mechanism_say(o, mb_course_read(o->course, first, first + o->n, lg_steer_node(o, x, 0)), 0);
    if (st == LG_OK) st = lg_steer_read(o, x, o->steps, &q, &v);
    for (int i = 0; st == LG_OK && i < o->ends; i++) {
        const int r = o->row[i];
        x->end[i] = r < o->n ? q[r] - o->target_g[r] : v[r - o->n] - o->target_p[r - o->n];
        if (o->closes) x->end[i] -= first[r];
        x->violation += x->end[i] * x->end[i] / (o->end_scale[i] * o->end_scale[i]);
    }
    return st;
}

/* ---- the model ---- */

static lg_status mechanism_C(const lg_optimum *o, const lg_iterate *x, int k)
{
    return mb_course_reading(o->course, o->C, lg_steer_node(o, x, k), lg_steer_frame(o, x, k));
}

/* (q, v, u) -> (y, u): G <- D^T G, H <- D^T H D with D = diag(C, 1). */
static lg_status mechanism_pull(lg_optimum *o, const lg_iterate *x, int node, double *G, double *H)
{
    const int n2 = 2 * o->n, k = o->k, c = node < o->steps ? o->controls : 0, s = n2 + c, w = k + c;
    double *T = o->turned; /* H D, s x w */
    const lg_status st = mechanism_say(o, mechanism_C(o, x, node), node);
    if (st != LG_OK) return st;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < w; j++) {
            double sum = j < k ? 0 : H[i * s + n2 + j - k];
            for (int l = 0; j < k && l < n2; l++) sum += H[i * s + l] * o->C[l * k + j];
            T[i * w + j] = sum;
        }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            double sum = i < k ? 0 : T[(n2 + i - k) * w + j];
            for (int l = 0; i < k && l < n2; l++) sum += o->C[l * k + i] * T[l * w + j];
            H[i * w + j] = sum;
        }
    lg_matvec_transposed(o->value, o->C, G, n2, k);
    memcpy(o->value + k, G + n2, sz(c) * sizeof *G);
    memcpy(G, o->value, sz(w) * sizeof *G);
    return LG_OK;
}

lg_status lg_steer_set(lg_optimum *o, int k)
{
    const lg_iterate *x = &o->now;
    const int next = k < o->steps ? k + 1 : k, step = k < o->steps ? k : k - 1;
    return mb_course_set(o->course, lg_steer_node(o, x, k), lg_steer_frame(o, x, k), x->u + step * o->controls,
                         k * x->h, x->h, lg_steer_node(o, x, next), lg_steer_frame(o, x, next));
}

static lg_status mechanism_stage(lg_optimum *o, int k)
{
    const int n = o->k, c = o->controls, z = lg_optimum_z(o);
    lg_riccati_stage *t = &o->model.stages[k];
    double *A = o->jacobian, *B = A + n * n, *H = o->timed ? B + n * c : NULL;
    lg_status st = lg_steer_set(o, k);
    if (st == LG_OK) st = mb_course_linearise(o->course, A, B, H);
    if (st != LG_OK) return lg_fail(&o->error, st, "step from node %d: %.300s", k, o->course->error.message);
    for (int i = 0; i < n; i++) {
        memcpy(t->A + i * z, A + i * n, sz(n) * sizeof *A);
        if (H) t->A[i * z + n] = H[i];
    }
    memcpy(t->B, B, sz(n * c) * sizeof *B);
    memcpy(t->d, o->now.defect + k * n, sz(n) * sizeof *t->d);
    return LG_OK;
}

/* End conditions that follow from those before them do so to rounding, which differences do not know; at rest those of
 * velocities that wheels forbid do, and near to it nearly. */
static void mechanism_join(lg_optimum *o)
{
    const int k = o->k, z = lg_optimum_z(o);
    double *Q = o->turned, *left = o->value; /* orthonormal rows; what they leave of a row; both in scales */
    for (int i = 0; i < o->ends; i++) {
        double *row = o->model.C + i * z;
        for (int j = 0; j < k; j++) left[j] = row[j] * o->scale[j];
        for (int round = 0; round < 2; round++)
            for (int l = 0; l < i; l++) {
                const double d = lg_dot(left, Q + l * k, k);
                for (int j = 0; j < k; j++) left[j] -= d * Q[l * k + j];
            }
        const double rest = lg_dot(left, left, k);
        const int follows = !(rest > DEPENDENT * DEPENDENT);
        for (int j = 0; j < k; j++) {
            if (follows) row[j] -= left[j] / o->scale[j];
            Q[i * k + j] = follows ? 0 : left[j] / sqrt(rest);
        }
    }
}

static lg_status mechanism_target(lg_optimum *o)
{
    const int k = o->k, z = lg_optimum_z(o);
    const lg_status st = mechanism_say(o, mechanism_C(o, &o->now, o->steps), o->steps);
    memset(o->model.C, 0, sz(o->ends * z) * sizeof *o->model.C);
    for (int i = 0; i < o->ends; i++) {
        for (int j = 0; j < k; j++) o->model.C[i * z + j] = o->C[o->row[i] * k + j] / o->end_scale[i];
        o->model.e[i] = o->now.end[i] / o->end_scale[i];
    }
    if (st == LG_OK && o->closes) return lg_steer_close(o);
    if (st == LG_OK) mechanism_join(o);
    return st;
}

/* An end condition has the size of what moves it; what nothing moves that of the largest, of positions or velocities.
 */
static void mechanism_rescale_ends(lg_optimum *o)
{
    double most[2] = {0, 0};
    for (int i = 0; i < o->ends; i++) {
        double square = 0;
        for (int j = 0; j < o->k; j++) {
            const double moved = o->C[o->row[i] * o->k + j] * o->scale[j];
            square += moved * moved;
        }
        o->end_scale[i] = sqrt(square);
        most[o->row[i] >= o->n] = lg_larger(most[o->row[i] >= o->n], o->end_scale[i]);
    }
    for (int i = 0; i < o->ends; i++) {
        const double largest = most[o->row[i] >= o->n];
        if (!(o->end_scale[i] > UNMOVED * largest)) o->end_scale[i] = largest > 0 ? largest : 1;
    }
}

/* Positions: the size of the mechanism; velocities: what they are, or what moves by that in the whole time. End
 * conditions: what these are in joint positions. */
static lg_status mechanism_rescale(lg_optimum *o)
{
    const mb_plan *plan = &o->course->base->plan;
    const int k = o->k, n6 = o->course->at.n;
    const double size = plan->reach * sqrt(plan->whole_mass);
    double most = size / (o->now.h * sqrt(o->steps));
    for (int node = 0; node <= o->steps; node++) {
        const double *dual = lg_steer_frame(o, &o->now, node) + sz(k) * sz(n6);
        const double *twist = lg_steer_node(o, &o->now, node) + 7 * plan->bodies;
        double square = 0;
        for (int i = o->half; i < k; i++) {
            const double v = lg_dot(dual + sz(i) * sz(n6), twist, n6);
            square += v * v;
        }
        most = lg_larger(most, sqrt(square));
    }
    for (int i = 0; i < k; i++) o->scale[i] = i < o->half ? size : most;
    const lg_status st = mechanism_say(o, mechanism_C(o, &o->now, o->steps), o->steps);
    if (st == LG_OK) mechanism_rescale_ends(o);
    return st;
}

static void mechanism_carry(lg_optimum *o, const lg_iterate *from)
{
    for (int k = 0; k <= o->steps; k++) {
        mb_course_spread(o->course, o->after, o->costate + k * o->k, lg_steer_frame(o, from, k));
        mb_course_gather(o->course, o->costate + k * o->k, o->after, lg_steer_frame(o, &o->now, k));
    }
}

/* ---- what people read ---- */

/* out, 2 n numbers <- C (C^T C)^-1 in, with C of the node. NaN where positions do not tell y. */
static void mechanism_lift(const lg_optimum *o, double *out, double *in)
{
    const int n2 = 2 * o->n, k = o->k;
    double *M = o->turned;
    int bad;
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int l = 0; l < n2; l++) sum += o->C[l * k + i] * o->C[l * k + j];
            M[i * k + j] = M[j * k + i] = sum;
        }
    if (lg_cholesky(M, k, &bad) != LG_OK) {
        for (int i = 0; i < n2; i++) out[i] = NAN;
        return;
    }
    lg_cholesky_solve(M, k, in);
    lg_matvec(out, o->C, in, n2, k);
}

void lg_steer_show(lg_optimum *o)
{
    const int n = o->n;
    for (int k = 0; k <= o->steps; k++) {
        const double *x = lg_steer_node(o, &o->now, k);
        lg_status_ignore(mb_course_read(o->course, o->positions + k * n, o->velocities + k * n, x));
        memcpy(o->value, o->costate + k * o->k, sz(o->k) * sizeof *o->value);
        lg_status st = mb_course_look(o->course, lg_steer_frame(o, &o->now, k), x);
        if (st == LG_OK) st = mechanism_C(o, &o->now, k);
        for (int i = 0; i < 2 * n; i++) o->shown[k * 2 * n + i] = NAN;
        if (st == LG_OK) mechanism_lift(o, o->shown + k * 2 * n, o->value);
    }
}

lg_status lg_steer_gains(const lg_optimum *o, double *K)
{
    const int n2 = 2 * o->n, c = o->controls, z = lg_optimum_z(o);
    for (int k = 0; k < o->steps; k++) {
        const lg_status st = mechanism_C(o, &o->now, k);
        if (st != LG_OK) return st;
        for (int j = 0; j < c; j++) {
            memcpy(o->value, o->model.stages[k].K + j * z, sz(o->k) * sizeof *K);
            mechanism_lift(o, K + (k * c + j) * n2, o->value);
        }
    }
    return LG_OK;
}

static void mechanism_name(const lg_optimum *o, int row, int end, char *text, size_t size)
{
    const mb_sparse *mo = o->course->base;
    const lg_mechanism *m = mo->mechanism;
    const int r = row % o->n;
    const char *what = row < o->n ? "position" : "velocity";
    if (!end) {
        snprintf(text, size, "%d (of the freedoms of the node)", row + 1);
        return;
    }
    for (int j = 0; j < m->part[MB_JOINTS].count; j++) {
        const int first = mo->position_of_joint[j], count = mb_position_count(MB_JOINT_OF(m, j));
        if (first < 0 || r < first || r >= first + count) continue;
        snprintf(text, size, "%d (%s %d of joint '%.40s')", row + 1, what, r - first + 1, MB_JOINT_OF(m, j)->name);
        return;
    }
    for (int b = 0; b < m->plan.bodies; b++)
        if (mo->position_of_body[b] >= 0 && r >= mo->position_of_body[b] && r < mo->position_of_body[b] + 6)
            snprintf(text, size, "%d (%s %d of body '%.40s')", row + 1, what, r - mo->position_of_body[b] + 1,
                     MB_BODY(m, b)->name);
}

const lg_moves lg_moves_mechanism = {mechanism_displace, mechanism_settle, mechanism_step,    mechanism_follow,
                                     mechanism_end,      lg_steer_read,    mechanism_pull,    mechanism_stage,
                                     mechanism_target,   lg_steer_curve,   mechanism_rescale, mechanism_carry,
                                     lg_steer_tangents,  mechanism_name};
