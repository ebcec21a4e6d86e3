/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mechanism looks like: shapes that somebody gave, and for all else what masses, joints and wheels tell. */
#include "multibody/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "groups/rotation.h"
#include "multibody/motion.h"
#include "scene/scene.h"

/* Shapes of one's own --------------------------------------------------------------------------------------------- */

/* Adds the bodies of the mechanism that the scene lacks. */
static lg_status add_bodies(const lg_mechanism *m, lg_scene *scene)
{
    lg_status status = LG_OK;
    for (int b = lg_scene_body_count(scene); b < mb_seen(m, MB_BODIES) && status == LG_OK; b++)
        status = lg_scene_add_body(scene, NULL, MB_BODY(m, b)->name);
    return status;
}

lg_status lg_mechanism_add_shape(lg_mechanism *m, int *index, const lg_shape *shape)
{
    lg_status status = LG_OK;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (m->look == NULL) status = lg_scene_create(&m->look);
    if (status != LG_OK) return lg_fail(&m->error, status, "lg_mechanism_add_shape: out of memory");
    status = add_bodies(m, m->look);
    if (status == LG_OK) status = lg_scene_add(m->look, index, shape);
    return status == LG_OK ? LG_OK : lg_fail(&m->error, status, "%s", lg_scene_message(m->look));
}

/* What follows from the mechanism --------------------------------------------------------------------------------- */

/* A scene in the making. */
typedef struct maker {
    const lg_mechanism *m;
    lg_scene *scene;
    double *size; /* of each body that was described: the way from its centre of mass to the farthest joint, or the
                   * diagonal of its box */
    int *shown;   /* 1: a body has shapes of its own, or is seen as a wheel */
} maker;

/* The body that was described, of which body b of the plan may be a share; -1: the world. */
static int host(const maker *k, int b)
{
    return b >= k->m->plan.bodies ? -1 : k->m->hub != NULL ? k->m->hub[b].host : b;
}

static void add(const maker *k, const lg_shape *shape)
{
    lg_status_ignore(lg_scene_add(k->scene, NULL, shape)); /* the scene remembers it */
}

/* x = a point from the centre of mass of a body, in its frame. */
static void from_centre(const maker *k, double *x, int body, const double *anchor)
{
    for (int i = 0; i < 3; i++) x[i] = anchor[i] + (body >= 0 ? MB_BODY(k->m, body)->centre[i] : 0);
}

/* The attitude whose z is along the unit vector d. */
static void along(double *q, const double *d)
{
    const double w = 1 + d[2], length = sqrt(d[0] * d[0] + d[1] * d[1] + w * w);
    const int down = !(length > 1e-6);
    q[0] = down ? 1 : -d[1] / length, q[1] = down ? 0 : d[0] / length, q[2] = 0, q[3] = down ? 0 : w / length;
}

/* Principal moments and axes of a symmetric matrix by Jacobi's rotations; columns of R, a rotation. */
static void principal(double *moments, double *R, const double *inertia)
{
    double A[9];
    memcpy(A, inertia, sizeof A);
    for (int i = 0; i < 9; i++) R[i] = i % 4 == 0;
    for (int sweep = 0; sweep < 30; sweep++) {
        for (int pair = 0; pair < 3; pair++) {
            const int p = pair == 2, q = pair == 0 ? 1 : 2;
            if (fabs(A[3 * p + q]) <= 1e-14 * (fabs(A[4 * p]) + fabs(A[4 * q]))) continue;
            const double theta = (A[4 * q] - A[4 * p]) / (2 * A[3 * p + q]);
            const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1);
            for (int i = 0; i < 3; i++) {
                const double x = A[3 * i + p], y = A[3 * i + q], u = R[3 * i + p], v = R[3 * i + q];
                A[3 * i + p] = c * x - t * c * y, A[3 * i + q] = t * c * x + c * y;
                R[3 * i + p] = c * u - t * c * v, R[3 * i + q] = t * c * u + c * v;
            }
            for (int i = 0; i < 3; i++) {
                const double x = A[3 * p + i], y = A[3 * q + i];
                A[3 * p + i] = c * x - t * c * y, A[3 * q + i] = t * c * x + c * y;
            }
        }
    }
    for (int i = 0; i < 3; i++) moments[i] = A[4 * i];
}

static void find_sizes(const maker *k)
{
    for (int b = 0; b < mb_seen(k->m, MB_BODIES); b++) {
        const double *I = MB_BODY(k->m, b)->inertia;
        k->size[b] = sqrt(6 * (I[0] + I[1] + I[2]) / MB_BODY(k->m, b)->mass);
    }
    for (int i = 0; i < mb_seen(k->m, MB_JOINTS); i++) {
        const mb_joint *j = &k->m->joint[i];
        const int a = host(k, j->a), b = host(k, j->b);
        if (a >= 0) k->size[a] = fmax(k->size[a], lg_length(j->anchor_a, 3));
        if (b >= 0) k->size[b] = fmax(k->size[b], lg_length(j->anchor_b, 3));
    }
}

static void find_shown(const maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) {
        const int64_t body = lg_scene_shape(k->m->look, i)->body;
        if (body >= 0) k->shown[body] = 1;
    }
    for (int i = 0; i < mb_seen(k->m, MB_WHEELS); i++) {
        const mb_wheel *w = &k->m->wheel[i];
        if (!(lg_length(w->centre, 3) > 1e-9 * w->radius)) k->shown[host(k, w->b)] = 1;
    }
}

/* The smaller one of two bodies, one of which may be the world. */
static double size_of_pair(const maker *k, int a, int b)
{
    const double x = a >= 0 ? k->size[a] : INFINITY, y = b >= 0 ? k->size[b] : INFINITY;
    return x < y ? x : y;
}

/* The box of mass and inertia: a_1^2 = 6 (I_2 + I_3 - I_1)/m. A needle or a plate keeps some thickness. */
static void add_box(const maker *k, int body)
{
    const lg_body *b = MB_BODY(k->m, body);
    const double *I = b->inertia, M[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
    double moments[3], R[9];
    lg_shape box = lg_shape_default(b->name, LG_SHAPE_BOX, body);
    principal(moments, R, M);
    const double sum = moments[0] + moments[1] + moments[2], thin = 0.02 * k->size[body];
    if (lg_so3_from_matrix(box.attitude, R) != LG_OK) return;
    for (int i = 0; i < 3; i++) box.dimensions[i] = fmax(thin, sqrt(6 * fmax(0, sum - 2 * moments[i]) / b->mass));
    memcpy(box.position, b->centre, sizeof box.position);
    box.shade = body % 2 == 0 ? LG_SHADE_BODY : LG_SHADE_SECOND;
    add(k, &box);
}

/* A rod from the centre of mass of a body to a joint. */
static void add_arm(const maker *k, int body, const double *anchor)
{
    if (body < 0 || k->shown[body] || !(lg_length(anchor, 3) > 1e-9 * k->size[body])) return;
    lg_shape rod = lg_shape_default(MB_BODY(k->m, body)->name, LG_SHAPE_ROD, body);
    memcpy(rod.position, MB_BODY(k->m, body)->centre, sizeof rod.position);
    from_centre(k, rod.end, body, anchor);
    rod.dimensions[0] = 0.02 * k->size[body], rod.shade = LG_SHADE_METAL;
    add(k, &rod);
}

/* A rod between points of two bodies. */
static void add_link(const maker *k, const char *name, int a, int b, const double *from, const double *to, int shade)
{
    lg_shape rod = lg_shape_default(name, LG_SHAPE_ROD, a);
    from_centre(k, rod.position, a, from);
    from_centre(k, rod.end, b, to);
    rod.end_body = b, rod.shade = shade;
    rod.dimensions[0] = 0.015 * size_of_pair(k, a, b);
    add(k, &rod);
}

static void add_joint(const maker *k, int i)
{
    const mb_joint *j = &k->m->joint[i];
    const lg_joint *described = MB_JOINT_OF(k->m, i);
    const int a = host(k, j->a), b = host(k, j->b), body = b >= 0 ? b : a;
    const double *F = b >= 0 ? j->frame_b : j->frame_a, axis[3] = {F[2], F[5], F[8]};
    const double size = size_of_pair(k, a, b);
    if (described->kind == LG_JOINT_DISTANCE) {
        add_link(k, described->name, a, b, j->anchor_a, j->anchor_b, LG_SHADE_METAL);
        return;
    }
    if (described->kind == LG_JOINT_FREE) return;
    add_arm(k, a, j->anchor_a);
    add_arm(k, b, j->anchor_b);
    if (described->kind == LG_JOINT_FIXED || described->kind == LG_JOINT_PLANAR) return;
    const int ball = described->kind == LG_JOINT_SPHERICAL || described->kind == LG_JOINT_UNIVERSAL;
    lg_shape s = lg_shape_default(described->name, ball ? LG_SHAPE_SPHERE : LG_SHAPE_CYLINDER, body);
    from_centre(k, s.position, body, b >= 0 ? j->anchor_b : j->anchor_a);
    along(s.attitude, axis);
    s.dimensions[0] = 0.04 * size, s.dimensions[1] = ball ? 0 : 0.2 * size;
    s.shade = LG_SHADE_METAL;
    add(k, &s);
}

/* Wheels ---------------------------------------------------------------------------------------------------------- */

/* The plane of wheel i among the shapes from `first` on, a new one if there is none: its number; -1: the scene refused
 * it. */
static int ground_of(const maker *k, int first, int i)
{
    const mb_wheel *w = &k->m->wheel[i];
    lg_shape shape = lg_shape_default("ground", LG_SHAPE_PLANE, -1);
    int index = -1;
    memcpy(shape.position, w->origin, sizeof shape.position);
    along(shape.attitude, w->normal);
    shape.shade = LG_SHADE_GROUND;
    for (int s = first; s < lg_scene_shape_count(k->scene); s++) {
        const lg_shape *other = lg_scene_shape(k->scene, s);
        double apart = 0;
        for (int n = 0; n < 3; n++) apart += w->normal[n] * (w->origin[n] - other->position[n]);
        if (other->kind == LG_SHAPE_PLANE && apart == 0 &&
            memcmp(other->attitude, shape.attitude, sizeof shape.attitude) == 0)
            return s;
    }
    lg_status_ignore(lg_scene_add(k->scene, &index, &shape));
    return index;
}

static void add_wheel(const maker *k, int i, int plane)
{
    const mb_wheel *w = &k->m->wheel[i];
    const lg_wheel *described = MB_WHEEL_OF(k->m, i);
    const int ball = w->kind == MB_WHEEL_BALL, body = host(k, w->b);
    lg_shape s = lg_shape_default(described->name,
                                  ball          ? LG_SHAPE_SPHERE
                                  : w->tube > 0 ? LG_SHAPE_TORUS
                                                : LG_SHAPE_CYLINDER,
                                  body);
    from_centre(k, s.position, body, w->centre);
    along(s.attitude, w->axle);
    s.dimensions[0] = w->radius, s.dimensions[1] = ball ? 0 : w->tube;
    s.shade = described->contact == LG_CONTACT_ROLLS ? LG_SHADE_WHEEL : LG_SHADE_MARK;
    s.rolls_on = plane, s.trail = plane >= 0 ? 2 : 0;
    add(k, &s);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

/* The shapes that were given, in their order. */
static void add_given(const maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) add(k, lg_scene_shape(k->m->look, i));
}

static void fill(const maker *k)
{
    const lg_mechanism *m = k->m;
    find_sizes(k);
    find_shown(k);
    add_given(k);
    const int first = lg_scene_shape_count(k->scene);
    for (int i = 0; i < mb_seen(m, MB_WHEELS); i++) add_wheel(k, i, ground_of(k, first, i));
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        if (!k->shown[b]) add_box(k, b);
    }
    for (int i = 0; i < mb_seen(m, MB_JOINTS); i++) add_joint(k, i);
    for (int i = 0; i < mb_seen(m, MB_SPRINGS); i++) {
        const mb_spring *s = &m->spring[i];
        add_link(k, MB_SPRING_OF(m, i)->name, host(k, s->a), host(k, s->b), s->anchor_a, s->anchor_b, LG_SHADE_MARK);
    }
}

void mb_fill_scene(const lg_mechanism *m, lg_scene *scene)
{
    const size_t bodies = (size_t)mb_seen(m, MB_BODIES) + 1;
    const maker k = {m, scene, calloc(bodies, sizeof(double)), calloc(bodies, sizeof(int))};
    if (k.size == NULL || k.shown == NULL) {
        (void)lg_fail(&scene->error, LG_ERROR_MEMORY, "out of memory");
    } else if (add_bodies(m, scene) == LG_OK) {
        fill(&k);
    }
    free(k.size);
    free(k.shown);
}

lg_status lg_mechanism_scene(const lg_mechanism *m, lg_scene **scene)
{
    lg_scene *made = NULL;
    if (scene == NULL) return LG_ERROR_ARGUMENT;
    *scene = NULL;
    if (m == NULL || !m->compiled) return LG_ERROR_ARGUMENT;
    lg_status status = lg_scene_create(&made);
    if (status != LG_OK) return status;
    mb_fill_scene(m, made);
    status = made->error.status;
    if (status != LG_OK) {
        lg_scene_destroy(made);
        return status;
    }
    *scene = made;
    return LG_OK;
}

void mb_frames_of(const lg_mechanism *m, double *poses, const double *g)
{
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        double x[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(m, b)->centre);
        for (int i = 0; i < 3; i++) poses[7 * b + i] = g[7 * b + i] - x[i];
        memcpy(poses + 7 * b + 3, g + 7 * b + 3, 4 * sizeof *poses);
    }
}

lg_status lg_motion_poses(const lg_motion *mo, double *poses)
{
    lg_status status = mo != NULL && poses != NULL ? LG_OK : LG_ERROR_ARGUMENT;
    const int bodies = status == LG_OK ? mb_seen(mo->mechanism, MB_BODIES) : 0;
    for (int b = 0; b < bodies && status == LG_OK; b++) status = lg_motion_body_pose(mo, poses + LG_POSE_SIZE * b, b);
    return status;
}
