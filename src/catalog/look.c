/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/look.h"

#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/groups/so3.h>

int lg_look_body(lg_scene *scene, const char *name)
{
    int index = -1;
    lg_status_ignore(lg_scene_add_body(scene, &index, name));
    return index;
}

int lg_look_add(lg_scene *scene, const lg_shape *shape)
{
    int index = -1;
    lg_status_ignore(lg_scene_add(scene, &index, shape));
    return index;
}

/* Shapes ---------------------------------------------------------------------------------------------------------- */

lg_shape lg_look_at(const char *name, int kind, int shade, int body, double x, double y, double z)
{
    lg_shape shape = lg_shape_default(name, kind, body);
    shape.shade = shade;
    shape.position[0] = x, shape.position[1] = y, shape.position[2] = z;
    return shape;
}

/* The shortest turn from e_3 to d/|d|: half of it has the quaternion (e_3 x d, |d| + d_3) up to its length. */
void lg_look_along(lg_shape *shape, double x, double y, double z)
{
    const double length = sqrt(x * x + y * y + z * z);
    double *q = shape->attitude;
    if (!(length > 0)) return;
    q[0] = -y, q[1] = x, q[2] = 0, q[3] = length + z;
    if (!(q[3] > 1e-9 * length)) q[0] = 1, q[1] = q[3] = 0; /* downwards: about x */
    const double scale = sqrt(q[0] * q[0] + q[1] * q[1] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= scale;
}

int lg_look_ground(lg_scene *scene, const char *name, int body, double edge)
{
    lg_shape shape = lg_look_at(name, LG_SHAPE_PLANE, LG_SHADE_GROUND, body, 0, 0, 0);
    shape.dimensions[0] = shape.dimensions[1] = edge;
    return lg_look_add(scene, &shape);
}

void lg_look_ball(lg_scene *scene, const char *name, int shade, int body, const double *at, double radius)
{
    lg_shape shape = lg_look_at(name, LG_SHAPE_SPHERE, shade, body, at[0], at[1], at[2]);
    shape.dimensions[0] = radius;
    lg_look_add(scene, &shape);
}

void lg_look_rod(lg_scene *scene, const char *name, int shade, int body, const double *from, const double *to,
                 double radius)
{
    lg_shape shape = lg_look_at(name, LG_SHAPE_ROD, shade, body, from[0], from[1], from[2]);
    memcpy(shape.end, to, sizeof shape.end);
    shape.dimensions[0] = radius;
    lg_look_add(scene, &shape);
}

/* A box with edges a_i has I_1 = m (a_2^2 + a_3^2)/12, and so on: a_1^2 = 6 (I_2 + I_3 - I_1)/m. */
void lg_look_inertia(lg_scene *scene, const char *name, int body, const double *at, double mass, const double *moments)
{
    const double sum = moments[0] + moments[1] + moments[2];
    lg_shape shape = lg_look_at(name, LG_SHAPE_BOX, LG_SHADE_BODY, body, at[0], at[1], at[2]);
    for (int i = 0; i < 3; i++) shape.dimensions[i] = sqrt(6 * fmax(0, sum - 2 * moments[i]) / mass);
    lg_look_add(scene, &shape);
}

/* Poses ----------------------------------------------------------------------------------------------------------- */

void lg_look_place(double *pose, double x, double y, double z)
{
    const double there[LG_POSE_SIZE] = {x, y, z, 0, 0, 0, 1};
    memcpy(pose, there, sizeof there);
}

void lg_look_turn(double *pose, int axis, double angle)
{
    double turn[4] = {0};
    turn[axis] = lg_real_sin(angle / 2), turn[3] = lg_real_cos(angle / 2);
    lg_so3_compose(pose + 3, pose + 3, turn);
}

void lg_look_turn_by(double *pose, int axis, double cosine, double sine)
{
    lg_look_turn(pose, axis, lg_real_atan2(sine, cosine));
}

void lg_look_carry(double *pose, const double *base, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    double arm[3];
    lg_so3_act(arm, base + 3, at);
    for (int i = 0; i < 3; i++) pose[i] = base[i] + arm[i];
    memcpy(pose + 3, base + 3, 4 * sizeof *pose);
}

/* Balls ----------------------------------------------------------------------------------------------------------- */

int lg_look_ball_on_table(lg_scene *scene, double radius)
{
    const int turning = lg_look_body(scene, "table"), body = lg_look_body(scene, "ball");
    const int table = lg_look_ground(scene, "table", turning, 16 * radius);
    lg_shape pivot = lg_look_at("axis of the table", LG_SHAPE_CYLINDER, LG_SHADE_METAL, turning, 0, 0, -0.1 * radius);
    lg_shape ball = lg_look_at("ball", LG_SHAPE_SPHERE, LG_SHADE_WHEEL, body, 0, 0, 0);
    lg_shape axes = lg_look_at("principal axes", LG_SHAPE_AXES, LG_SHADE_MARK, body, 0, 0, 0);
    pivot.dimensions[0] = 0.3 * radius, pivot.dimensions[1] = 0.2 * radius;
    ball.dimensions[0] = radius, ball.rolls_on = table, ball.trail = 2;
    axes.dimensions[0] = 1.4 * radius;
    lg_look_add(scene, &pivot);
    lg_look_add(scene, &ball);
    lg_look_add(scene, &axes);
    return 0;
}

void lg_look_ball_poses(double *poses, double angle, double radius, const double *g, const double *q)
{
    double *ball = poses + LG_POSE_SIZE;
    lg_look_turn(poses, 2, angle);
    lg_look_place(ball, g[0], g[1], radius);
    memcpy(ball + 3, q, 4 * sizeof *q);
}
