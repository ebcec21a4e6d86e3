/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors of a motion in a view: velocities and momenta of bodies, and what joints exert. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>
#include <liegrp/multibody/motion.h>

#include "base/base64.h"
#include "multibody/motion.h"
#include "run/model_private.h"
#include "run/view_private.h"

enum { BODY = LG_VIEW_BODY_ARROWS, TWIST = 6, MOST_DIRECTIONS = 16 };

/* Of a difference of poses: a part of the time that a motion of speed 1 takes. */
#define SHIFT 1e-5

/* Of a mechanism -------------------------------------------------------------------------------------------------- */

/* Of the centre of mass: velocity, momentum, and angular momentum about it, in space. */
static lg_status body_vectors(const lg_motion *mo, const lg_body *of, int b, double *out)
{
    double pose[LG_POSE_SIZE], twist[TWIST], inverse[4], w[3];
    const double *I = of->inertia;
    lg_status status = lg_motion_body_pose(mo, pose, b);
    if (status == LG_OK) status = lg_motion_body_twist(mo, twist, b);
    if (status == LG_OK) status = lg_motion_point(mo, NULL, out, b, of->centre);
    if (status != LG_OK) return status;
    for (int k = 0; k < 3; k++) out[3 + k] = of->mass * out[k];
    lg_so3_inverse(inverse, pose + 3);
    lg_so3_act(w, inverse, twist + 3);
    const double L[3] = {I[0] * w[0] + I[3] * w[1] + I[4] * w[2], I[3] * w[0] + I[1] * w[1] + I[5] * w[2],
                         I[4] * w[0] + I[5] * w[1] + I[2] * w[2]};
    lg_so3_act(out + 6, pose + 3, L);
    return LG_OK;
}

static lg_status mechanism_vectors(const lg_view_track *t, const lg_motion *mo, float *to)
{
    const lg_mechanism *m = t->M->mechanism;
    for (int b = 0; b < t->bodies_count; b++, to += BODY) {
        double out[BODY];
        const lg_status status = body_vectors(mo, MB_BODY(m, b), b, out);
        if (status != LG_OK) return status;
        for (int k = 0; k < BODY; k++) to[k] = (float)out[k];
    }
    for (int j = 0; j < t->joints_count; j++, to += 3) {
        double wrench[TWIST];
        if (lg_motion_joint_wrench(mo, wrench, j) == LG_OK) /* unknown before the first step, and of dense methods */
            for (int k = 0; k < 3; k++) to[k] = (float)wrench[k];
    }
    return LG_OK;
}

/* Of a model of one's own ----------------------------------------------------------------------------------------- */

/* twists = velocities of the bodies' origins and angular velocities, in space: (poses at g exp(s direction) and time
 * t + rate s), from both sides. */
static lg_status differentiate(lg_view_track *t, double *twists, double time, double rate, const double *g,
                               const double *direction)
{
    const lg_group *G = t->M->group;
    const int bodies = t->bodies_count, n = t->M->n;
    double length = rate;
    for (int i = 0; i < n; i++) length = fmax(length, fabs(direction[i]));
    const double s = length > 0 ? SHIFT / length : SHIFT;
    double *x = t->work, *near = x + n, *poses = near + 2 * G->element_size;
    for (int side = 0; side < 2; side++) {
        const double by = side == 0 ? -s : s;
        for (int i = 0; i < n; i++) x[i] = by * direction[i];
        lg_status status = lg_group_exp(G, near, x);
        if (status == LG_OK) status = lg_group_compose(G, near + G->element_size, g, near);
        if (status == LG_OK)
            status =
                lg_model_poses(t->M, poses + side * LG_POSE_SIZE * bodies, time + rate * by, near + G->element_size);
        if (status != LG_OK) return status;
    }
    for (int b = 0; b < bodies; b++, twists += TWIST) {
        const double *p0 = poses + LG_POSE_SIZE * b, *p1 = p0 + LG_POSE_SIZE * bodies;
        double inverse[4], turn[4];
        lg_so3_inverse(inverse, p0 + 3);
        lg_so3_compose(turn, p1 + 3, inverse);
        if (lg_so3_log(twists + 3, turn) != LG_OK) return LG_ERROR_DOMAIN;
        for (int k = 0; k < 3; k++) twists[k] = (p1[k] - p0[k]) / (2 * s), twists[3 + k] /= 2 * s;
    }
    return LG_OK;
}

/* The least w, of which torques count `part`, with T w = p for the n rows of T; by conjugate gradients. 0: none. */
static int least(double *w, const double *T, const double *p, int n, double part)
{
    double r[MOST_DIRECTIONS], d[MOST_DIRECTIONS], y[MOST_DIRECTIONS] = {0}, all = 0, left;
    const double weight[TWIST] = {1, 1, 1, part, part, part};
    for (int i = 0; i < n; i++) r[i] = d[i] = p[i], all += p[i] * p[i];
    left = all;
    for (int turn = 0; turn < 3 * TWIST && left > 1e-24 * all; turn++) {
        double u[TWIST] = {0}, up[MOST_DIRECTIONS] = {0}, steep = 0, next = 0;
        for (int k = 0; k < TWIST; k++)
            for (int i = 0; i < n; i++) u[k] += weight[k] * T[TWIST * i + k] * d[i];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < TWIST; k++) up[i] += T[TWIST * i + k] * u[k];
            steep += d[i] * up[i];
        }
        if (!(steep > 0)) return 0;
        for (int i = 0; i < n; i++) y[i] += left / steep * d[i], r[i] -= left / steep * up[i], next += r[i] * r[i];
        for (int i = 0; i < n; i++) d[i] = r[i] + next / left * d[i];
        left = next;
    }
    memset(w, 0, TWIST * sizeof *w);
    for (int k = 0; k < TWIST; k++)
        for (int i = 0; i < n; i++) w[k] += weight[k] * T[TWIST * i + k] * y[i];
    return left <= 1e-16 * all;
}

/* Momentum and angular momentum about its origin of the one body that moves with the configuration: p = T w, where they
 * follow from p alone. Otherwise they stay unknown. */
static void momentum(lg_view_track *t, float *to, double time, const double *g, const double *p)
{
    const int n = t->M->n, bodies = t->bodies_count;
    double T[MOST_DIRECTIONS * TWIST], direction[MOST_DIRECTIONS], w[TWIST], other[TWIST], size = 0, apart = 0;
    double *twists = t->twists + (size_t)bodies * TWIST;
    int body = -1;
    if (n > MOST_DIRECTIONS) return;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) direction[k] = k == i;
        if (differentiate(t, twists, time, 0, g, direction) != LG_OK) return;
        memset(T + TWIST * i, 0, TWIST * sizeof *T);
        for (int k = 0; k < TWIST * bodies; k++) {
            if (!(fabs(twists[k]) > 1e-7)) continue;
            if (body >= 0 && body != k / TWIST) return; /* there are several */
            body = k / TWIST, T[TWIST * i + k % TWIST] = twists[k];
        }
    }
    if (body < 0 || !least(w, T, p, n, 1) || !least(other, T, p, n, 9)) return;
    for (int k = 0; k < TWIST; k++) size = fmax(size, fabs(w[k])), apart = fmax(apart, fabs(w[k] - other[k]));
    if (apart > 1e-6 * size) return; /* a force can do what a torque does */
    for (int k = 0; k < TWIST; k++) to[BODY * body + 3 + k] = (float)w[k];
}

static lg_status model_vectors(lg_view_track *t, const lg_motion *mo, float *to)
{
    const int n = t->M->n;
    double *g = t->state, *xi = g + t->M->group->element_size, *p = xi + n;
    const double time = lg_motion_time(mo);
    const lg_status status = lg_motion_state(mo, g, xi, p);
    if (status != LG_OK) return status;
    if (differentiate(t, t->twists, time, 1, g, xi) != LG_OK) return LG_OK; /* as in a group without exp: unknown */
    for (int b = 0; b < t->bodies_count; b++)
        for (int k = 0; k < 3; k++) to[BODY * b + k] = (float)t->twists[TWIST * b + k];
    momentum(t, to, time, g, p);
    return LG_OK;
}

/* Of a track ------------------------------------------------------------------------------------------------------ */

lg_status lg_view_arrows_begin(lg_view_track *t)
{
    const size_t bodies = (size_t)t->bodies_count;
    if (t->bodies != NULL) t->joints_count = mb_seen(t->M->mechanism, MB_JOINTS);
    t->arrows_size = BODY * t->bodies_count + 3 * t->joints_count;
    if (t->bodies != NULL) return LG_OK;
    const size_t n = (size_t)t->M->n, element = (size_t)t->M->group->element_size;
    t->work = calloc(n + 2 * element + 2 * LG_POSE_SIZE * bodies + 1, sizeof *t->work);
    t->state = calloc(element + 2 * n + 1, sizeof *t->state);
    t->twists = calloc(2 * TWIST * bodies + 1, sizeof *t->twists);
    return t->work != NULL && t->state != NULL && t->twists != NULL ? LG_OK : LG_ERROR_MEMORY;
}

void lg_view_arrows_free(lg_view_track *t)
{
    free(t->work), free(t->state), free(t->twists), free(t->arrows);
}

void lg_view_arrows_clear(lg_view_track *t, int64_t row)
{
    float *to = t->arrows + row * t->arrows_size;
    for (int i = 0; i < t->arrows_size; i++) to[i] = NAN;
}

lg_status lg_view_motion(lg_view *v, int track, const lg_motion *mo)
{
    lg_status status = lg_view_contacts(v, track, mo);
    if (status != LG_OK) return status;
    lg_view_track *t = lg_view_track_of(v, track);
    float *to = t->arrows + (t->kept - !lg_view_has_tail(t)) * t->arrows_size;
    status = t->bodies != NULL ? mechanism_vectors(t, mo, to) : model_vectors(t, mo, to);
    t->has_arrows = 1;
    return status == LG_OK ? LG_OK
                           : lg_fail(&v->error, status, "lg_view_motion: velocities of track %d: %s", track,
                                     lg_status_text(status));
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

/* The joint's point on its child, whose reaction is shown. */
static void write_joint(lg_json *j, const lg_mechanism *m, int i, char *scratch)
{
    const mb_joint *k = &m->joint[i];
    const int body = k->b < 0 || k->b >= m->plan.bodies ? -1 : m->hub != NULL ? m->hub[k->b].host : k->b;
    lg_base64 c = {.at = scratch};
    for (int x = 0; x < 3; x++)
        lg_base64_float(&c, (float)(k->anchor_b[x] + (body >= 0 ? MB_BODY(m, body)->centre[x] : 0)));
    lg_base64_finish(&c);
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", MB_JOINT_OF(m, i)->name);
    lg_json_whole(j, "body", body);
    lg_json_text(j, "point", scratch);
    lg_json_close(j, '}');
}

/* Numbers from..to of each row. */
static void write_rows(lg_json *j, const char *name, const lg_view_track *t, int64_t rows, int from, int to,
                       char *scratch)
{
    lg_base64 c = {.at = scratch};
    for (int64_t i = 0; i < rows; i++)
        for (int k = from; k < to; k++) lg_base64_float(&c, t->arrows[i * t->arrows_size + k]);
    lg_base64_finish(&c);
    lg_json_text(j, name, scratch);
}

void lg_view_arrows_write(lg_json *j, const lg_view_track *t, int64_t rows, char *scratch)
{
    const int bodies = BODY * t->bodies_count;
    lg_base64 c = {.at = scratch};
    if (!t->has_arrows || t->arrows_size == 0) return;
    lg_json_open(j, "arrows", '{');
    for (int b = 0; b < t->bodies_count; b++)
        for (int k = 0; k < 3; k++)
            lg_base64_float(&c, t->bodies != NULL ? (float)MB_BODY(t->M->mechanism, b)->centre[k] : 0);
    lg_base64_finish(&c);
    lg_json_text(j, "centres", scratch);
    write_rows(j, "bodies", t, rows, 0, bodies, scratch);
    if (t->joints_count > 0) {
        lg_json_open(j, "joints", '[');
        for (int i = 0; i < t->joints_count; i++) write_joint(j, t->M->mechanism, i, scratch);
        lg_json_close(j, ']');
        write_rows(j, "reactions", t, rows, bodies, t->arrows_size, scratch);
    }
    lg_json_close(j, '}');
}
