/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees that swing: pendulums, chains, arms. */
#include <stdio.h>

#include "multibody/gallery/gallery.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* ---- double pendulum ---- */

static void double_pendulum(mb_builder *g)
{
    static const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {2, 0, 0};
    mb_build_rod(g, "upper", 1, a, b);
    mb_build_rod(g, "lower", 1, b, c);
    mb_build_hinge(g, "shoulder", NULL, "upper", a, y_axis);
    mb_build_hinge(g, "elbow", "upper", "lower", b, y_axis);
}

/* ---- chain ---- */

enum { LINKS = 10 };

static void chain(mb_builder *g)
{
    char link[LINKS][8], joint[8];
    for (int i = 0; i < LINKS; i++) {
        const double from[3] = {0.5 * i, 0, 0}, to[3] = {0.5 * (i + 1), 0, 0};
        (void)snprintf(link[i], sizeof link[i], "l%d", i);
        (void)snprintf(joint, sizeof joint, "j%d", i);
        mb_build_rod(g, link[i], 1, from, to);
        mb_build_hinge(g, joint, i > 0 ? link[i - 1] : NULL, link[i], from, i % 2 ? z_axis : y_axis);
    }
}

static lg_status start_chain(mb_sparse *mo)
{
    static const mb_rate rates[] = {{"j1", 0.5}, {"j3", -0.5}};
    return mb_start_with(mo, rates, 2);
}

/* ---- Furuta's pendulum ---- */

static void furuta(mb_builder *g)
{
    static const double origin[3] = {0, 0, 0}, pin[3] = {0.2, 0, 0}, top[3] = {0.2, 0.03, 0.3};
    mb_build_rod(g, "arm", 0.25, origin, pin);
    mb_build_rod(g, "pendulum", 0.12, pin, top);
    mb_build_damped(g, "turn", NULL, "arm", origin, z_axis, 0.002);
    mb_build_damped(g, "swing", "arm", "pendulum", pin, x_axis, 0.0005);
    mb_build_motor(g, "motor", "turn");
    mb_build_bars(g, -1, 0.02, LG_SHADE_METAL, (const double[][3]){{0, 0, -0.2}, {0, 0, -0.012}}, 2);
    mb_build_bars(g, 0, 0.008, LG_SHADE_BODY, (const double[][3]){{0, 0, 0}, {0.2, 0, 0}, {0.2, 0.03, 0}}, 3);
    mb_build_bars(g, 1, 0.006, LG_SHADE_SECOND, (const double[][3]){{0.2, 0.03, 0}, {0.2, 0.03, 0.3}}, 2);
    mb_build_tip(g, 1, 0.012, top);
}

static lg_status start_furuta(mb_sparse *mo)
{
    const double torque = 0.01;
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, &torque) : st;
}

/* ---- arm ---- */

/* A base, and links that become thinner. */
static void show_arm(mb_builder *g, const double *height)
{
    mb_build_bars(g, -1, 0.12, LG_SHADE_METAL, (const double[][3]){{0, 0, -0.08}, {0, 0, -0.02}}, 2);
    for (int i = 0; i < 7; i++) {
        const double ends[2][3] = {{0, 0, height[i]}, {0, 0, height[i + 1]}};
        mb_build_bars(g, i, i < 6 ? 0.06 - 0.006 * i : 0.036, i % 2 ? LG_SHADE_SECOND : LG_SHADE_BODY, ends, 2);
    }
    for (int side = -1; side <= 1; side += 2) {
        const double y = 0.03 * side, finger[2][3] = {{0, y, 1.29}, {0, y, 1.4}};
        mb_build_bars(g, 6, 0.01, LG_SHADE_METAL, finger, 2);
    }
    mb_build_tip(g, 6, 0.015, (const double[]){0, 0, 1.35});
}

static void arm(mb_builder *g)
{
    static const double height[8] = {0, 0.15, 0.4, 0.65, 0.85, 1.05, 1.2, 1.3};
    static const double mass[7] = {4, 3.5, 3, 2.5, 2, 1.2, 0.6};
    char link[7][8], joint[7][8], motor[8];
    for (int i = 0; i < 7; i++) {
        const double from[3] = {0, 0, height[i]}, middle[3] = {0.02, 0, 0.5 * (height[i] + height[i + 1])};
        const double across = mass[i] * 0.02, along = mass[i] * 0.004;
        (void)snprintf(link[i], sizeof link[i], "link%d", i + 1);
        (void)snprintf(joint[i], sizeof joint[i], "axis%d", i + 1);
        (void)snprintf(motor, sizeof motor, "motor%d", i + 1);
        mb_build_body(g, link[i], mass[i], across, across, along, middle);
        mb_build_damped(g, joint[i], i > 0 ? link[i - 1] : NULL, link[i], from, i % 2 ? y_axis : z_axis, 0.3);
        mb_build_motor(g, motor, joint[i]);
    }
    show_arm(g, height);
}

static lg_status start_arm(mb_sparse *mo)
{
    static const double torque[7] = {2, -20, 1, -8, 0.3, -1, 0.1};
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, torque) : st;
}

const mb_exhibit mb_pendulums[] = {
    {"double-pendulum", "Two rods of 1 m and 1 kg on parallel axes, falling from the horizontal: chaotic.", 0.005,
     double_pendulum, mb_start_at_rest, NULL},
    {"chain",
     "Ten rods of 0.5 m and 1 kg, their axes turned by 90 degrees from link to link, falling from the horizontal.",
     0.005, chain, start_chain, NULL},
    {"furuta", "Furuta's pendulum: a driven arm about the vertical, and a pendulum that falls from near the top.",
     0.005, furuta, start_furuta, NULL},
    {"arm", "An arm with seven axes under constant torques.", 0.005, arm, start_arm, NULL},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
