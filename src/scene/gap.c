/* SPDX-License-Identifier: BSD-3-Clause */
/* The support points of shapes, at which they touch planes: the point with the largest d.y in a direction d. */
#include "scene/scene.h"

#include <math.h>

#include <liegrp/groups/so3.h>

static const double rest[LG_POSE_SIZE] = {0, 0, 0, 0, 0, 0, 1};

static const double *pose_of(const double *poses, int64_t body)
{
    return body < 0 ? rest : poses + LG_POSE_SIZE * body;
}

/* y = the point x of a pose's frame, in space. */
static void place(double *y, const double *pose, const double *x)
{
    double turned[3];
    lg_so3_act(turned, pose + 3, x);
    for (int i = 0; i < 3; i++) y[i] = pose[i] + turned[i];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

/* The point of a circle of radius r about z that is farthest along d; the centre if all points are. */
static void on_circle(double *y, double r, const double *d)
{
    const double across = sqrt(d[0] * d[0] + d[1] * d[1]);
    y[0] = across > 0 ? r * d[0] / across : 0;
    y[1] = across > 0 ? r * d[1] / across : 0;
    y[2] = 0;
}

/* y = the support point in the shape's frame for the unit vector d in it: all kinds but rods. */
static void support(double *y, const lg_shape *s, const double *d)
{
    const double *a = s->dimensions;
    double length;
    switch (s->kind) {
    case LG_SHAPE_ELLIPSOID: /* D^2 d/|D d| */
        length = sqrt(a[0] * a[0] * d[0] * d[0] + a[1] * a[1] * d[1] * d[1] + a[2] * a[2] * d[2] * d[2]);
        for (int i = 0; i < 3; i++) y[i] = length > 0 ? a[i] * a[i] * d[i] / length : 0;
        break;
    case LG_SHAPE_CYLINDER:
        on_circle(y, a[0], d);
        y[2] = sign(d[2]) * a[1] / 2;
        break;
    case LG_SHAPE_TORUS:
        on_circle(y, a[0], d);
        for (int i = 0; i < 3; i++) y[i] += a[1] * d[i];
        break;
    case LG_SHAPE_BOX:
        for (int i = 0; i < 3; i++) y[i] = sign(d[i]) * a[i] / 2;
        break;
    default: /* a sphere */
        for (int i = 0; i < 3; i++) y[i] = a[0] * d[i];
    }
}

/* The support point of a rod from `from` to `to`, all in space: one of its ends, and r across its axis. */
static void support_of_rod(double *y, double r, const double *from, const double *to, const double *d)
{
    const double axis[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, along = dot(axis, d);
    const double square = dot(axis, axis), share = 0.5 + 0.5 * sign(along);
    double out[3];
    for (int i = 0; i < 3; i++) out[i] = d[i] - (square > 0 ? along / square * axis[i] : 0);
    const double length = sqrt(dot(out, out));
    for (int i = 0; i < 3; i++) y[i] = from[i] + share * axis[i] + (length > 0 ? r * out[i] / length : 0);
}

/* y = the support point of a shape in space. */
static void support_in_space(double *y, const lg_shape *s, const double *poses, const double *d)
{
    const double *pose = pose_of(poses, s->body);
    double frame[LG_POSE_SIZE], local[3];
    place(frame, pose, s->position);
    if (s->kind == LG_SHAPE_ROD) {
        double end[3];
        place(end, pose_of(poses, s->end_body), s->end);
        support_of_rod(y, s->dimensions[0], frame, end, d);
        return;
    }
    lg_so3_compose(frame + 3, pose + 3, s->attitude);
    lg_so3_act_inverse(local, frame + 3, d);
    double lowest[3];
    support(lowest, s, local);
    place(y, frame, lowest);
}

lg_status lg_scene_gap(const lg_scene *scene, double *gap, double *point, const double *poses, int i)
{
    static const double up[3] = {0, 0, 1};
    const lg_shape *s = lg_scene_shape(scene, i);
    if (gap == NULL || poses == NULL || s == NULL || s->rolls_on < 0) return LG_ERROR_ARGUMENT;
    const lg_shape *plane = lg_scene_shape(scene, (int)s->rolls_on);
    const double *ground = pose_of(poses, plane->body);
    double origin[3], n[3], y[3];
    place(origin, ground, plane->position);
    lg_so3_act(n, plane->attitude, up);
    lg_so3_act(n, ground + 3, n);
    const double down[3] = {-n[0], -n[1], -n[2]};
    support_in_space(y, s, poses, down);
    *gap = 0;
    for (int k = 0; k < 3; k++) *gap += n[k] * (y[k] - origin[k]);
    for (int k = 0; k < 3 && point != NULL; k++) point[k] = y[k];
    return LG_OK;
}
