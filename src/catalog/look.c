/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/look.h"

#include <math.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/groups/so3.h>

#include "scene/scene.h"

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

/* q = the shortest turn from e_3 to d/|d|: (e_3 x d, |d| + d_3) up to its length. */
static void turn_to(double *q, double x, double y, double z)
{
    const double length = sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return;
    q[0] = -y, q[1] = x, q[2] = 0, q[3] = length + z;
    if (!(q[3] > 1e-9 * length)) q[0] = 1, q[1] = q[3] = 0; /* downwards: about x */
    const double scale = sqrt(q[0] * q[0] + q[1] * q[1] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= scale;
}

void lg_look_along(lg_shape *shape, double x, double y, double z)
{
    turn_to(shape->attitude, x, y, z);
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

void lg_look_inertia(lg_scene *scene, const char *name, int body, double mass, const double *inertia)
{
    lg_shape box = lg_look_at(name, LG_SHAPE_BOX, LG_SHADE_BODY, body, 0, 0, 0);
    lg_shape_take_inertia(&box, mass, inertia);
    lg_look_add(scene, &box);
    lg_shape axes = lg_look_at("principal axes", LG_SHAPE_AXES, LG_SHADE_METAL, body, 0, 0, 0);
    memcpy(axes.attitude, box.attitude, sizeof axes.attitude);
    axes.dimensions[0] = fmax(box.dimensions[0], fmax(box.dimensions[1], box.dimensions[2]));
    lg_look_add(scene, &axes);
}

/* Vehicles -------------------------------------------------------------------------------------------------------- */

double lg_look_plate(lg_scene *scene, const char *name, int shade, int body, double mass, double moment, double a)
{
    const double length = sqrt(9.6 * moment / mass), z = 0.12 * length;
    lg_shape plate = lg_look_at(name, LG_SHAPE_BOX, shade, body, a, 0, z);
    plate.dimensions[0] = length, plate.dimensions[1] = length / 2, plate.dimensions[2] = 0.04 * length;
    lg_look_add(scene, &plate);
    lg_look_ball(scene, "centre of mass", LG_SHADE_MARK, body, (const double[3]){a, 0, z + 0.02 * length},
                 0.03 * length);
    return length;
}

void lg_look_axle(lg_scene *scene, const char *name, int body, int ground, double x, double half, double radius)
{
    lg_shape axle = lg_look_at(name, LG_SHAPE_CYLINDER, LG_SHADE_METAL, body, x, 0, radius);
    lg_look_along(&axle, 0, 1, 0);
    axle.dimensions[0] = 0.12 * radius, axle.dimensions[1] = 2 * half, axle.trail = 1;
    lg_look_add(scene, &axle);
    for (int side = -1; side <= 1; side += 2) {
        lg_shape wheel = lg_look_at(name, LG_SHAPE_CYLINDER, LG_SHADE_METAL, body, x, side * half, radius);
        lg_look_along(&wheel, 0, 1, 0);
        wheel.dimensions[0] = radius, wheel.rolls_on = ground;
        lg_look_add(scene, &wheel);
    }
}

void lg_look_hitch(lg_scene *scene, int first, double x, int second, double other_x, double z, double radius)
{
    lg_look_ball(scene, "hitch", LG_SHADE_METAL, first, (const double[3]){x, 0, z}, radius);
    lg_look_ball(scene, "hitch", LG_SHADE_METAL, second, (const double[3]){other_x, 0, z}, radius);
}

void lg_look_point(lg_scene *scene, int body, double size)
{
    lg_shape point = lg_look_at("particle", LG_SHAPE_SPHERE, LG_SHADE_BODY, body, 0, 0, 0);
    lg_shape plane = lg_look_at("velocities that are allowed", LG_SHAPE_CYLINDER, LG_SHADE_GHOST, body, 0, 0, 0);
    point.dimensions[0] = 0.25 * size, point.trail = 1;
    plane.dimensions[0] = size;
    lg_look_add(scene, &point);
    lg_look_add(scene, &plane);
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

void lg_look_face(double *pose, double x, double y, double z)
{
    turn_to(pose + 3, x, y, z);
}

void lg_look_plane_pose(double *pose, double x, double y, double cosine, double sine)
{
    lg_look_place(pose, x, y, 0);
    lg_look_turn_by(pose, 2, cosine, sine);
}

/* Balls ----------------------------------------------------------------------------------------------------------- */

int lg_look_ball_on_table(lg_scene *scene, double radius)
{
    const int turning = lg_look_body(scene, "table"), body = lg_look_body(scene, "ball");
    const int table = lg_look_ground(scene, "table", turning, 0);
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
