/* SPDX-License-Identifier: BSD-3-Clause */
/* What touches: surfaces, friction and impacts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/multibody/contact.h>
#include <liegrp/multibody/scene.h>

#include "multibody/gallery/gallery.h"

static const double y_axis[3] = {0, 1, 0};

/* ---- parts ---- */

static lg_surface surface_of(const char *name, const char *body, lg_surface_kind kind, double x, double y, double z)
{
    lg_surface s = lg_surface_default(name, body);
    s.kind = kind, s.half[0] = x, s.half[1] = y, s.half[2] = z;
    return s;
}

static void add_surface(mb_builder *g, lg_surface s, double friction, double restitution)
{
    s.friction = friction, s.restitution = restitution;
    if (g->status == LG_OK) g->status = lg_mechanism_add_surface(g->m, NULL, &s);
}

/* The values of what falls on it count. */
static void add_ground(mb_builder *g, int group, double slope)
{
    lg_surface s = surface_of("ground", NULL, LG_SURFACE_PLANE, 0, 0, 0);
    s.group = group, s.attitude[1] = lg_real_sin(0.5 * slope), s.attitude[3] = lg_real_cos(0.5 * slope);
    add_surface(g, s, 100, 1);
}

/* Of surfaces of one group those touch that are named. */
static void add_pair(mb_builder *g, const char *first, const char *second)
{
    char name[40];
    (void)snprintf(name, sizeof name, "%.15s on %.15s", first, second);
    const lg_surface_pair p = lg_surface_pair_default(name, first, second);
    if (g->status == LG_OK) g->status = lg_mechanism_add_surface_pair(g->m, NULL, &p);
}

/* A homogeneous box about a place. */
static void add_box(mb_builder *g, const char *name, double mass, const double *half, const double *at)
{
    const double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
    mb_build_body(g, name, mass, mass * (y + z) / 3, mass * (x + z) / 3, mass * (x + y) / 3, at);
}

static void add_ball(mb_builder *g, const char *name, double mass, double radius, const double *at)
{
    const double inertia = 0.4 * mass * radius * radius;
    mb_build_body(g, name, mass, inertia, inertia, inertia, at);
}

/* One body, at a height, turned about the y axis, with velocity and angular velocity in space. */
static lg_status start_one(mb_sparse *mo, double height, double tilt, const double *twist)
{
    const double half = 0.5 * tilt, pose[7] = {0, 0, height, 0, lg_real_sin(half), 0, lg_real_cos(half)};
    return mb_sparse_start_poses(mo, 0, pose, twist, 0);
}

/* ---- bouncing ball ---- */

static void bouncing_ball(mb_builder *g)
{
    static const double at[3] = {0, 0, 1.1};
    add_ball(g, "ball", 1, 0.1, at);
    add_surface(g, surface_of("skin", "ball", LG_SURFACE_SPHERE, 0.1, 0, 0), 0.3, 0.8);
    add_ground(g, 0, 0);
}

static lg_status start_bouncing_ball(mb_sparse *mo)
{
    static const double twist[6] = {0.5, 0, 0, 0, 0, 0};
    return start_one(mo, 1.1, 0, twist);
}

/* ---- cradle ---- */

/* Gaps of 1 um between the balls: their impacts come one after the other. */
enum { BALLS = 5 };

static void cradle(mb_builder *g)
{
    static const double here[3] = {0, 0, 0}, above[3] = {0, 0, 0.5};
    for (int i = 0; i < BALLS; i++) {
        const double x = (0.1 + 1e-6) * i, at[3] = {x, 0, 0}, pin[3] = {x, 0, 0.5};
        char ball[24], hinge[24];
        (void)snprintf(ball, sizeof ball, "ball%d", i + 1);
        (void)snprintf(hinge, sizeof hinge, "hinge%d", i + 1);
        add_ball(g, ball, 0.5, 0.05, at);
        mb_build_hinge(g, hinge, NULL, ball, pin, y_axis);
        mb_build_bar(g, "string", i, 0.003, LG_SHADE_METAL, here, above);
        add_surface(g, surface_of(ball, ball, LG_SURFACE_SPHERE, 0.05, 0, 0), 0, 1);
    }
}

/* The first ball is raised. */
static lg_status start_cradle(mb_sparse *mo)
{
    static const double raised[BALLS] = {0.5, 0, 0, 0, 0};
    return mb_sparse_start(mo, 0, raised, NULL, 0);
}

/* ---- tippe top ---- */

/* Data of Rauch-Wojciechowski, Skoeldstam and Glad 2005. */
static void tippe_top(mb_builder *g)
{
    static const double m = 0.02, R = 0.02, at[3] = {0, 0, 0.02};
    lg_surface s = surface_of("peel", "top", LG_SURFACE_SPHERE, R, 0, 0);
    mb_build_body(g, "top", m, 131. / 350 * m * R * R, 131. / 350 * m * R * R, 0.4 * m * R * R, at);
    s.position[2] = 0.3 * R, s.viscous = 0.3;
    add_surface(g, s, 0, 0);
    add_ground(g, 0, 0);
}

static lg_status start_tippe_top(mb_sparse *mo)
{
    static const double R = 0.02, tilt = 0.1, spin = 155;
    const double s = lg_real_sin(tilt), c = lg_real_cos(tilt), twist[6] = {0, 0, 0, spin * s, 0, spin * c};
    return start_one(mo, R * (1 - 0.3 * c), tilt, twist);
}

/* ---- rocking block ---- */

static void rocking_block(mb_builder *g)
{
    static const double half[3] = {0.1, 0.1, 0.4}, at[3] = {0, 0, 0.4};
    add_box(g, "block", 20, half, at);
    add_surface(g, surface_of("sides", "block", LG_SURFACE_BOX, half[0], half[1], half[2]), 0.7, 0);
    add_ground(g, 0, 0);
}

/* On an edge, at rest. */
static lg_status start_rocking_block(mb_sparse *mo)
{
    static const double tilt = 0.15, twist[6] = {0};
    return start_one(mo, 0.4 * lg_real_cos(tilt) + 0.1 * lg_real_sin(tilt), tilt, twist);
}

/* ---- dominoes ---- */

enum { DOMINOES = 8 };
static const double domino[3] = {0.004, 0.012, 0.024}, domino_gap = 0.02; /* half the sides; from one to the next */

/* An edge along y and a plane of a domino, of which the neighbours touch the other: planes have no end, so that only
 * the edges that reach the neighbour's face take part. */
static void add_edge(mb_builder *g, const char *word, int i, double x, double z)
{
    const double ends[6] = {x, -domino[1], z, x, domino[1], z};
    char name[24], body[24];
    (void)snprintf(name, sizeof name, "%s%d", word, i), (void)snprintf(body, sizeof body, "domino%d", i);
    lg_surface s = surface_of(name, body, LG_SURFACE_HULL, 0, 0, 0);
    s.group = 1, s.points = 2, s.point = ends;
    add_surface(g, s, 0.2, 0);
}

static void add_face(mb_builder *g, const char *word, int i, double side)
{
    char name[24], body[24];
    (void)snprintf(name, sizeof name, "%s%d", word, i), (void)snprintf(body, sizeof body, "domino%d", i);
    lg_surface s = surface_of(name, body, LG_SURFACE_PLANE, 0, 0, 0);
    s.group = 1, s.position[0] = side * domino[0], s.attitude[1] = side * 0.5 * sqrt(2), s.attitude[3] = 0.5 * sqrt(2);
    add_surface(g, s, 0.2, 0);
}

static void dominoes(mb_builder *g)
{
    add_ground(g, 1, 0);
    for (int i = 1; i <= DOMINOES; i++) {
        const double at[3] = {domino_gap * (i - 1), 0, domino[2]};
        char name[24], other[24];
        (void)snprintf(name, sizeof name, "domino%d", i);
        add_box(g, name, 0.01, domino, at);
        lg_surface s = surface_of(name, name, LG_SURFACE_BOX, domino[0], domino[1], domino[2]);
        s.group = 1;
        add_surface(g, s, 0.4, 0);
        add_pair(g, name, "ground");
        if (i < DOMINOES) add_edge(g, "top", i, domino[0], domino[2]), add_face(g, "front", i, 1);
        if (i == 1) continue;
        add_edge(g, "foot", i, -domino[0], -domino[2]), add_face(g, "back", i, -1);
        (void)snprintf(name, sizeof name, "top%d", i - 1), (void)snprintf(other, sizeof other, "back%d", i);
        add_pair(g, name, other);
        (void)snprintf(name, sizeof name, "foot%d", i), (void)snprintf(other, sizeof other, "front%d", i - 1);
        add_pair(g, name, other);
    }
}

/* The first one is pushed over its corner. */
static lg_status start_dominoes(mb_sparse *mo)
{
    static const double tilt = 0.2, rate = 6;
    const double s = lg_real_sin(tilt), c = lg_real_cos(tilt), h = lg_real_sin(0.5 * tilt);
    double poses[7 * DOMINOES] = {0}, twists[6 * DOMINOES] = {0};
    for (int i = 0; i < DOMINOES; i++)
        poses[7 * i] = domino_gap * i, poses[7 * i + 2] = domino[2], poses[7 * i + 6] = 1;
    poses[0] = domino[0] * (1 - c) + domino[2] * s, poses[2] = domino[0] * s + domino[2] * c;
    poses[4] = h, poses[6] = lg_real_cos(0.5 * tilt);
    twists[0] = rate * poses[2], twists[2] = -rate * (poses[0] - domino[0]), twists[4] = rate;
    return mb_sparse_start_poses(mo, 0, poses, twists, 0);
}

/* ---- pushed stack ---- */

enum { STACK = 5 };

/* Corners of each box touch the ground or the top of the one below. */
static void pushed_stack(mb_builder *g)
{
    static const double half[3] = {0.15, 0.15, 0.1};
    lg_thruster push = lg_thruster_default("push", "box1");
    add_ground(g, 1, 0);
    for (int i = 0; i < STACK; i++) {
        const double at[3] = {0, 0, half[2] * (2 * i + 1)};
        char name[24], top[24], below[24];
        (void)snprintf(name, sizeof name, "box%d", i + 1);
        (void)snprintf(top, sizeof top, "top%d", i + 1);
        (void)snprintf(below, sizeof below, "top%d", i);
        add_box(g, name, 1, half, at);
        lg_surface s = surface_of(name, name, LG_SURFACE_BOX, half[0], half[1], half[2]);
        s.group = 1;
        add_surface(g, s, 0.5, 0);
        add_pair(g, name, i > 0 ? below : "ground");
        s = surface_of(top, name, LG_SURFACE_PLANE, 0, 0, 0);
        s.group = 1, s.position[2] = half[2];
        if (i + 1 < STACK) add_surface(g, s, 0.5, 0);
    }
    push.axis[0] = 1, push.axis[2] = 0;
    if (g->status == LG_OK) g->status = lg_mechanism_add_thruster(g->m, NULL, &push);
}

/* Pushed by 26 N, more than the 24.525 N at which it slips. */
static lg_status start_pushed_stack(mb_sparse *mo)
{
    static const double force = 26;
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, &force) : st;
}

/* ---- passive walker ---- */

enum { LEGS = 8 };

/* McGeer's rimless wheel: a hub with feet of two points. */
static void passive_walker(mb_builder *g)
{
    static const double origin[3] = {0, 0, 1}, third = 0.2;
    mb_build_body(g, "wheel", 10, 0.8, 1.5, 0.8, origin);
    for (int i = 0; i < LEGS; i++) {
        const double turn = 2 * LG_PI * (i + 0.5) / LEGS, x = lg_real_sin(turn), z = -lg_real_cos(turn);
        const double feet[6] = {x, -third, z, x, third, z};
        char name[24];
        (void)snprintf(name, sizeof name, "foot%d", i + 1);
        lg_surface s = surface_of(name, "wheel", LG_SURFACE_HULL, 0, 0, 0);
        s.points = 2, s.point = feet;
        add_surface(g, s, 1, 0);
        for (int side = 0; side < 2; side++) {
            const double hub[3] = {0, feet[3 * side + 1], 0};
            mb_build_bar(g, name, 0, 0.02, LG_SHADE_METAL, hub, feet + 3 * side);
        }
    }
    add_ground(g, 0, 0.08);
}

/* On two feet, and rolling forwards. */
static lg_status start_passive_walker(mb_sparse *mo)
{
    static const double slope = 0.08, rate = 1;
    const double reach = lg_real_cos(LG_PI / LEGS), half = 0.5 * slope, s = lg_real_sin(slope), c = lg_real_cos(slope);
    const double pose[7] = {reach * s, 0, reach * c, 0, lg_real_sin(half), 0, lg_real_cos(half)};
    /* about the forward foot, at (sin, -cos)(pi/8) of the wheel */
    const double fx = lg_real_sin(LG_PI / LEGS), rx = -fx * c + reach * s, rz = fx * s + reach * c;
    const double twist[6] = {rate * rz, 0, -rate * rx, 0, rate, 0};
    return mb_sparse_start_poses(mo, 0, pose, twist, 0);
}

/* ---- gripper ---- */

/* Two fingers close about a box, and a lift raises them. Corners of the box touch the ground and the fingers' pads. */
static void gripper(mb_builder *g)
{
    static const double half[3] = {0.05, 0.05, 0.08}, at[3] = {0, 0, 0.08}, palm[3] = {0, 0, 0.35}, up[3] = {0, 0, 1};
    lg_joint lift = lg_joint_default("lift", LG_JOINT_PRISMATIC, NULL, "palm");
    lg_motor servo = lg_motor_default("raise", "lift");
    add_ground(g, 1, 0);
    add_box(g, "box", 1, half, at);
    lg_surface s = surface_of("sides", "box", LG_SURFACE_BOX, half[0], half[1], half[2]);
    s.group = 1;
    add_surface(g, s, 0.6, 0);
    add_pair(g, "sides", "ground");
    mb_build_body(g, "palm", 1, 0.005, 0.005, 0.005, palm);
    memcpy(lift.axis, up, sizeof up);
    if (g->status == LG_OK) g->status = lg_mechanism_add_joint(g->m, NULL, &lift);
    servo.position_gain = 4000, servo.velocity_gain = 200;
    servo.activation = LG_ACTIVATION_FILTER, servo.time_constant = 0.3;
    if (g->status == LG_OK) g->status = lg_mechanism_add_motor(g->m, NULL, &servo);
    for (int i = 0; i < 2; i++) {
        const char *const finger = i ? "right" : "left", *const slide = i ? "right slide" : "left slide";
        const char *const pad = i ? "right pad" : "left pad";
        const double side = i ? 1 : -1, place[3] = {0, side * 0.07, 0.16};
        static const double size[3] = {0.03, 0.01, 0.12};
        lg_joint j = lg_joint_default(slide, LG_JOINT_PRISMATIC, "palm", finger);
        add_box(g, finger, 0.2, size, place);
        lg_shape plate = lg_shape_default(finger, LG_SHAPE_BOX, 2 + i);
        for (int k = 0; k < 3; k++) plate.dimensions[k] = 2 * size[k];
        plate.shade = LG_SHADE_METAL;
        if (g->status == LG_OK) g->status = lg_mechanism_add_shape(g->m, NULL, &plate);
        j.axis[0] = j.axis[2] = 0, j.axis[1] = -side;
        if (g->status == LG_OK) g->status = lg_mechanism_add_joint(g->m, NULL, &j);
        mb_build_motor(g, i ? "right grip" : "left grip", slide);
        s = surface_of(pad, finger, LG_SURFACE_PLANE, 0, 0, 0);
        s.group = 1, s.position[1] = -side * size[1], s.attitude[0] = side * 0.5 * sqrt(2),
        s.attitude[3] = 0.5 * sqrt(2);
        add_surface(g, s, 1, 0);
        add_pair(g, "sides", pad);
    }
}

static lg_status start_gripper(mb_sparse *mo)
{
    static const double target[3] = {0.3, 20, 20};
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, target) : st;
}

/* ---- falling bicycle ---- */

/* The Whipple bicycle on wheels that lift off and slip, with shoulders, pedals and ends of its handlebar. */
static void falling_bicycle(mb_builder *g)
{
    static const double knob[6][3] = {{-0.1, 0.2, 0.5},    {-0.1, -0.2, 0.5},  {0.1, 0.18, -0.65},
                                      {0.1, -0.18, -0.65}, {-0.15, 0.3, 0.35}, {-0.15, -0.3, 0.35}};
    static const char *const name[6] = {"left shoulder", "right shoulder", "left pedal",
                                        "right pedal",   "left grip",      "right grip"};
    mb_build_whipple(g, LG_CONTACT_REAL);
    for (int i = 0; i < 6; i++) {
        lg_surface s = surface_of(name[i], i < 4 ? "frame" : "fork", LG_SURFACE_SPHERE, i < 2 ? 0.1 : 0.04, 0, 0);
        s.group = 1;
        memcpy(s.position, knob[i], sizeof s.position);
        add_surface(g, s, 0.3, 0);
    }
    add_ground(g, 0, 0);
}

static lg_status start_falling_bicycle(mb_sparse *mo)
{
    return mb_start_whipple(mo, 2.5, 0.5);
}

/* ---- rattleback with friction ---- */

/* Data of Kane and Levinson 1982, as the system rattleback. */
static void rattleback(mb_builder *g)
{
    static const double at[3] = {0, 0, 0.01};
    lg_body b = lg_body_default("stone");
    lg_surface s = surface_of("belly", "stone", LG_SURFACE_ELLIPSOID, 0.2, 0.03, 0.02);
    b.mass = 1;
    memcpy(b.inertia, (const double[6]){0.0002, 0.0016, 0.0017, -2e-5, 0, 0}, sizeof b.inertia);
    memcpy(b.position, at, sizeof at);
    if (g->status == LG_OK) g->status = lg_mechanism_add_body(g->m, NULL, &b);
    s.position[2] = 0.01;
    add_surface(g, s, 0.6, 0);
    add_ground(g, 0, 0);
}

/* Half a degree about its short axis, and it rolls. */
static lg_status start_rattleback(mb_sparse *mo)
{
    static const double tilt = 0.0087266462599716477, at = 0.01007563010538033, twist[6] = {0, 0.0173876505388463, 0};
    double v[6];
    memcpy(v, twist, sizeof v);
    v[3] = -lg_real_sin(tilt), v[5] = -lg_real_cos(tilt);
    return start_one(mo, at, tilt, v);
}

const mb_exhibit mb_touching[] = {
    {"bouncing-ball",
     "A ball that falls from 1 m with a restitution of 0.8, forwards at 0.5 m/s: it bounces, and rolls.", 0.01,
     bouncing_ball, start_bouncing_ball, "ball_x:ball_z/ball_z/skin_ground_n/ball_vx,ball_wy"},
    {"cradle", "Newton's cradle of five balls, the first of which is raised by 0.5 rad.", 0.005, cradle, start_cradle,
     "hinge1,hinge3,hinge5/hinge1_vel,hinge3_vel,hinge5_vel/balance"},
    {"tippe-top",
     "The tippe top of Rauch-Wojciechowski, Skoeldstam and Glad (2005), spun at 155 rad/s on viscous ground: it turns "
     "over.",
     0.001, tippe_top, start_tippe_top, "top_x:top_y/top_wx,top_wy/top_wz/energy"},
    {"rocking-block", "Housner's rocking block of 0.2 by 0.2 by 0.8 m, released on an edge at 0.15 rad.", 0.005,
     rocking_block, start_rocking_block, NULL},
    {"dominoes", "Eight dominoes in a row, the first of which is pushed over.", 0.002, dominoes, start_dominoes, NULL},
    {"pushed-stack",
     "A stack of five boxes of 1 kg with a friction of 0.5, pushed at the lowest with 26 N: it slips at "
     "24.525 N.",
     0.005, pushed_stack, start_pushed_stack, NULL},
    {"passive-walker",
     "McGeer's rimless wheel, the simplest passive walker: eight legs of 1 m walk down a slope of 0.08.", 0.005,
     passive_walker, start_passive_walker, NULL},
    {"gripper", "Two fingers close about a box of 1 kg with 20 N each, and lift it by friction.", 0.005, gripper,
     start_gripper, NULL},
    {"falling-bicycle", "The Whipple bicycle at 2.5 m/s, too slow to stay up: it falls, and slides to rest.", 0.002,
     falling_bicycle, start_falling_bicycle, NULL},
    {"rattleback-friction",
     "The rattleback of Kane and Levinson (1982) as an ellipsoid on ground with a friction of 0.6: its spin reverses.",
     0.001, rattleback, start_rattleback, NULL},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
