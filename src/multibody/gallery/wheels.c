/* SPDX-License-Identifier: BSD-3-Clause */
/* What rolls. */
#include <stdio.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include <liegrp/multibody/scene.h>

#include "multibody/gallery/gallery.h"
#include "multibody/motion.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* ---- bicycle ---- */

/* The look of a frame with its rigid rider, and of the fork with its handlebar. The tubes are ours; axles, steering
 * axis and ground are those of the benchmark. */
static void show_whipple(mb_builder *g)
{
    static const double tubes[6][3] = {{0, 0, 0.3},       {0.45, 0, 0.28},   {0.25, 0, 0.85},
                                       {0.816, 0, 0.875}, {0.853, 0, 0.761}, {0.45, 0, 0.28}};
    static const double stay[2][3] = {{0, 0, 0.3}, {0.29, 0, 0.74}}, back[2][3] = {{0.26, 0, 1}, {0.46, 0, 1.36}};
    static const double neck[2][3] = {{0.46, 0, 1.36}, {0.54, 0, 1.54}};
    enum { FRAME, REAR, FORK };
    mb_build_bars(g, FRAME, 0.018, LG_SHADE_BODY, tubes, 6);
    mb_build_bars(g, FRAME, 0.012, LG_SHADE_BODY, stay, 2);
    mb_build_bars(g, FRAME, 0.11, LG_SHADE_SECOND, back, 2);
    mb_build_bars(g, FRAME, 0.06, LG_SHADE_SECOND, neck, 2);
    for (int side = -1; side <= 1; side += 2) {
        const double y = side, leg[3][3] = {{0.27, 0.09 * y, 0.92}, {0.6, 0.09 * y, 0.7}, {0.47, 0.09 * y, 0.3}};
        const double blade[3][3] = {{0.859, 0, 0.742}, {0.859, 0.05 * y, 0.742}, {1.02, 0.05 * y, 0.35}};
        const double bar[3][3] = {{0.859, 0, 0.742}, {0.791, 0, 0.951}, {0.75, 0.28 * y, 0.97}};
        mb_build_bars(g, FRAME, 0.055, LG_SHADE_SECOND, leg, 3);
        mb_build_bars(g, FORK, 0.013, LG_SHADE_METAL, blade, 3);
        mb_build_bars(g, FORK, 0.016, LG_SHADE_METAL, bar, 3);
    }
}

/* Table 1 of Meijaard, Papadopoulos, Ruina, Schwab 2007, z upwards. */
void mb_build_whipple(mb_builder *g, lg_contact contact)
{
    static const double rear[3] = {0, 0, 0.3}, front[3] = {1.02, 0, 0.35}, steer[3] = {1.1, 0, 0};
    const double tilt = 3.14159265358979323846 / 10, axis[3] = {-lg_real_sin(tilt), 0, lg_real_cos(tilt)};
    lg_body frame = lg_body_default("frame"), fork = lg_body_default("fork");
    frame.mass = 85, fork.mass = 4;
    memcpy(frame.inertia, (const double[6]){9.2, 11, 2.8, 0, -2.4, 0}, sizeof frame.inertia);
    memcpy(fork.inertia, (const double[6]){0.05892, 0.06, 0.00708, 0, 0.00756, 0}, sizeof fork.inertia);
    memcpy(frame.position, (const double[3]){0.3, 0, 0.9}, sizeof frame.position);
    memcpy(fork.position, (const double[3]){0.9, 0, 0.7}, sizeof fork.position);
    g->status = lg_mechanism_add_body(g->m, NULL, &frame);
    mb_build_body(g, "rear", 2, 0.0603, 0.12, 0.0603, rear);
    if (g->status == LG_OK) g->status = lg_mechanism_add_body(g->m, NULL, &fork);
    mb_build_body(g, "front", 3, 0.1405, 0.28, 0.1405, front);
    mb_build_hinge(g, "rear axle", "frame", "rear", rear, y_axis);
    mb_build_hinge(g, "steer", "frame", "fork", steer, axis);
    mb_build_hinge(g, "front axle", "fork", "front", front, y_axis);
    mb_build_wheel(g, "rear wheel", "rear", 0.3, contact);
    mb_build_wheel(g, "front wheel", "front", 0.35, contact);
    show_whipple(g);
}

static void bicycle(mb_builder *g)
{
    mb_build_whipple(g, LG_CONTACT_ROLLS);
}

lg_status mb_start_whipple(mb_sparse *mo, double speed, double lean_rate)
{
    static const double radius[4] = {0, 0.3, 0, 0.35};
    double poses[4 * 7], twists[4 * 6];
    lg_status st = mb_start_at_rest(mo);
    for (int b = 0; b < 4 && st == LG_OK; b++) {
        double *twist = twists + 6 * b;
        st = lg_motion_body_pose(&mo->head, poses + 7 * b, b);
        memset(twist, 0, 6 * sizeof *twist);
        twist[0] = speed, twist[1] = -lean_rate * poses[7 * b + 2], twist[3] = lean_rate;
        twist[4] = radius[b] > 0 ? speed / radius[b] : 0;
    }
    return st == LG_OK ? mb_sparse_start_poses(mo, 0, poses, twists, 1) : st;
}

static lg_status start_bicycle(mb_sparse *mo)
{
    return mb_start_whipple(mo, 4.6, 0.5);
}

/* ---- vehicle ---- */

/* A plate on the axle and the swivel, and the fork of the caster. */
static void show_vehicle(mb_builder *g)
{
    enum { CHASSIS = 0, FORK = 3 };
    lg_shape plate = lg_shape_default("chassis", LG_SHAPE_BOX, CHASSIS);
    memcpy(plate.position, (const double[3]){0.08, 0, 0.02}, sizeof plate.position);
    memcpy(plate.dimensions, (const double[3]){0.52, 0.3, 0.05}, sizeof plate.dimensions);
    if (g->status == LG_OK) g->status = lg_mechanism_add_shape(g->m, NULL, &plate);
    for (int side = -1; side <= 1; side += 2) {
        const double y = 0.03 * side, blade[3][3] = {{0.4, 0, 0.13}, {0.4, y, 0.12}, {0.36, y, 0.05}};
        mb_build_bars(g, FORK, 0.008, LG_SHADE_METAL, blade, 3);
    }
}

static void vehicle(mb_builder *g)
{
    static const double chassis[3] = {0.1, 0, 0.15}, left[3] = {0, 0.2, 0.1}, right[3] = {0, -0.2, 0.1};
    static const double fork[3] = {0.38, 0, 0.1}, caster[3] = {0.36, 0, 0.05}, swivel[3] = {0.4, 0, 0.1};
    mb_build_body(g, "chassis", 5, 0.1, 0.11, 0.12, chassis);
    mb_build_body(g, "left", 0.5, 0.0015, 0.0025, 0.0015, left);
    mb_build_body(g, "right", 0.5, 0.0015, 0.0025, 0.0015, right);
    mb_build_body(g, "fork", 0.2, 0.001, 0.001, 0.001, fork);
    mb_build_body(g, "caster", 0.2, 0.0002, 0.0003, 0.0002, caster);
    mb_build_damped(g, "left axle", "chassis", "left", left, y_axis, 0.01);
    mb_build_damped(g, "right axle", "chassis", "right", right, y_axis, 0.01);
    mb_build_damped(g, "swivel", "chassis", "fork", swivel, z_axis, 0.01);
    mb_build_damped(g, "caster axle", "fork", "caster", caster, y_axis, 0.001);
    mb_build_wheel(g, "left wheel", "left", 0.1, LG_CONTACT_ROLLS);
    mb_build_wheel(g, "right wheel", "right", 0.1, LG_CONTACT_ROLLS);
    mb_build_wheel(g, "caster wheel", "caster", 0.05, LG_CONTACT_ROLLS);
    mb_build_motor(g, "left motor", "left axle");
    mb_build_motor(g, "right motor", "right axle");
    show_vehicle(g);
}

static lg_status start_vehicle(mb_sparse *mo)
{
    static const double torque[2] = {0.3, 0.2};
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, torque) : st;
}

/* ---- balancing robot ---- */

static void balancing_robot(mb_builder *g)
{
    static const double body[3] = {0, 0, 0.45}, left[3] = {0, 0.2, 0.1}, right[3] = {0, -0.2, 0.1};
    mb_build_body(g, "body", 6, 0.25, 0.22, 0.08, body);
    mb_build_body(g, "left", 0.6, 0.0016, 0.003, 0.0016, left);
    mb_build_body(g, "right", 0.6, 0.0016, 0.003, 0.0016, right);
    mb_build_hinge(g, "left axle", "body", "left", left, y_axis);
    mb_build_hinge(g, "right axle", "body", "right", right, y_axis);
    mb_build_wheel(g, "left wheel", "left", 0.1, LG_CONTACT_ROLLS);
    mb_build_wheel(g, "right wheel", "right", 0.1, LG_CONTACT_ROLLS);
    mb_build_motor(g, "left motor", "left axle");
    mb_build_motor(g, "right motor", "right axle");
}

/* ---- snake ---- */

enum { SEGMENTS = 20 };

/* Cosine and sine of 0.6 cos(i/2): in numbers, which are the same with every libm. */
static const double headings[SEGMENTS][2] = {
    {0.82533561490967833, 0.56464247339503537},   {0.86454625492139059, 0.50255325399543271},
    {0.94791180029368438, 0.31853291645289361},   {0.99909945988858995, 0.042429579898084567},
    {0.96898953939912269, -0.24710174530965198},  {0.88667785528634047, -0.46238769549460929},
    {0.82871111312112222, -0.55967659499888911},  {0.84625817434135997, -0.53277303081183491},
    {0.92407569282320412, -0.38220951575453394},  {0.99201237995700808, -0.12614054864329999},
    {0.98555136613901362, 0.16937681276232547},   {0.91095548143323102, 0.41250467978769684},
    {0.83859239335015245, 0.54475939442589083},   {0.83318569614362703, 0.55299330533168256},
    {0.89942622750256995, 0.43707260412944587},   {0.97844976219624757, 0.20648501848344025},
    {0.99619177278582915, -0.087189172686905222}, {0.93547089700570984, -0.35340373633470917},
    {0.85425610006424535, -0.51985239780444026},  {0.82629245888896652, -0.56324130919458093}};

static void snake(mb_builder *g)
{
    static const double half = 0.05, height = 0.03;
    char link[SEGMENTS][8], name[16];
    double x = 0, y = 0;
    for (int i = 0; i < SEGMENTS; i++) {
        const double c = headings[i][0], s = headings[i][1];
        const double from[3] = {x, y, height}, to[3] = {x + 2 * half * c, y + 2 * half * s, height};
        (void)snprintf(link[i], sizeof link[i], "s%d", i);
        mb_build_rod(g, link[i], 0.2, from, to);
        lg_wheel w = lg_wheel_default(link[i], link[i]);
        w.radius = height, w.contact = LG_CONTACT_EDGE;
        w.axle[0] = -s, w.axle[1] = c;
        if (g->status == LG_OK) g->status = lg_mechanism_add_wheel(g->m, NULL, &w);
        (void)snprintf(name, sizeof name, "j%d", i);
        lg_joint j =
            lg_joint_default(name, i > 0 ? LG_JOINT_REVOLUTE : LG_JOINT_PLANAR, i > 0 ? link[i - 1] : NULL, link[i]);
        memcpy(j.point, from, sizeof j.point);
        if (i > 0) j.stiffness = 0.5;
        if (g->status == LG_OK) g->status = lg_mechanism_add_joint(g->m, NULL, &j);
        x = to[0], y = to[1];
    }
    for (int i = 1; i < SEGMENTS; i++) {
        char joint[16];
        (void)snprintf(name, sizeof name, "m%d", i);
        (void)snprintf(joint, sizeof joint, "j%d", i);
        mb_build_motor(g, name, joint);
    }
}

/* It glides along its own curve. */
static lg_status start_snake(mb_sparse *mo)
{
    static const mb_rate rates[] = {{"j0", 1}};
    return mb_start_with(mo, rates, 1);
}

const mb_exhibit mb_wheeled[] = {
    {"bicycle",
     "The Whipple bicycle of the benchmark by Meijaard, Papadopoulos, Ruina and Schwab (2007), at 4.6 m/s with "
     "a lean rate of 0.5 rad/s.",
     0.01, bicycle, start_bicycle, "frame_x:frame_y/frame_e3_x,frame_e3_y/steer/steer_vel/conserved"},
    {"vehicle", "A vehicle on two driven wheels and a caster; one of its 29 rows is redundant.", 0.01, vehicle,
     start_vehicle, "chassis_x:chassis_y/left axle_vel,right axle_vel/swivel/conserved"},
    {"balancing-robot", "A robot on two driven wheels, upright at rest: unstable until a controller balances it.",
     0.005, balancing_robot, mb_start_at_rest, "body_x:body_y/body_e3_x,body_e3_y/left axle,right axle/conserved"},
    {"snake",
     "A snake of twenty links, each on a wheel that does not slip sideways, with springs and motors in its "
     "joints.",
     0.005, snake, start_snake, NULL},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
