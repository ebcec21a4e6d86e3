/* SPDX-License-Identifier: BSD-3-Clause */
/* Linkages with loops. Planar ones lie in the plane x, z; a positive angle turns x towards z. */
#include <math.h>
#include <stdio.h>

#include <liegrp/base/elementary.h>

#include "multibody/gallery/gallery.h"

typedef struct point {
    double x, z;
} point;

static const double out_of_plane[3] = {0, -1, 0};

static point polar(point from, double length, double angle)
{
    return (point){from.x + length * lg_real_cos(angle), from.z + length * lg_real_sin(angle)};
}

/* Where circles about a and b meet, left of the way from a to b (side = 1) or right of it (-1). */
static point meet(point a, double ra, point b, double rb, int side)
{
    const double dx = b.x - a.x, dz = b.z - a.z, d = sqrt(dx * dx + dz * dz);
    const double along = (ra * ra - rb * rb + d * d) / (2 * d), across = side * sqrt(ra * ra - along * along);
    return (point){a.x + (along * dx - across * dz) / d, a.z + (along * dz + across * dx) / d};
}

static void pin(mb_builder *g, const char *name, const char *parent, const char *child, point at)
{
    const double p[3] = {at.x, 0, at.z};
    mb_build_hinge(g, name, parent, child, p, out_of_plane);
}

static void rod(mb_builder *g, const char *name, double mass, point a, point b)
{
    const double from[3] = {a.x, 0, a.z}, to[3] = {b.x, 0, b.z};
    mb_build_rod(g, name, mass, from, to);
}

/* A plate of which only mass, centre and moment of inertia are known. */
static void plate(mb_builder *g, const char *name, double mass, double inertia, point centre)
{
    const double p[3] = {centre.x, 0, centre.z};
    mb_build_body(g, name, mass, inertia, inertia, inertia, p);
}

/* ---- four-bar ---- */

static void four_bar(mb_builder *g)
{
    const point a = {0, 0}, d = {0.9, 0}, b = polar(a, 0.4, 1), c = meet(b, 1, d, 0.8, 1);
    rod(g, "crank", 0.4, a, b);
    rod(g, "coupler", 1, b, c);
    rod(g, "rocker", 0.8, d, c);
    pin(g, "a", NULL, "crank", a);
    pin(g, "b", "crank", "coupler", b);
    pin(g, "c", "coupler", "rocker", c);
    pin(g, "d", NULL, "rocker", d);
}

static lg_status start_four_bar(mb_sparse *mo)
{
    return mb_start_driven(mo, "a", 12);
}

/* ---- Bricard ---- */

/* Six edges of a cube, one of them the ground; every axis is perpendicular to both of its rods. */
static void bricard(mb_builder *g)
{
    static const double corner[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    static const double axis[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, gravity[3] = {0, -9.81, 0};
    static const char *const name[5] = {"rod1", "rod2", "rod3", "rod4", "rod5"};
    const double along = 1. / 600, across = (1 + 0.01) / 12;
    for (int i = 0; i < 5; i++) {
        const double *a = corner[i], *b = corner[i + 1];
        double at[3], inertia[3];
        for (int k = 0; k < 3; k++) {
            at[k] = 0.5 * (a[k] + b[k]);
            inertia[k] = fabs(b[k] - a[k]) > 0.5 ? along : across;
        }
        mb_build_body(g, name[i], 1, inertia[0], inertia[1], inertia[2], at);
    }
    for (int i = 0; i < 6; i++) {
        char joint[4];
        (void)snprintf(joint, sizeof joint, "p%d", i);
        mb_build_hinge(g, joint, i > 0 ? name[i - 1] : NULL, i < 5 ? name[i] : NULL, corner[i], axis[i % 3]);
    }
    if (g->status == LG_OK) g->status = lg_mechanism_set_gravity(g->m, gravity);
}

/* ---- Andrews ---- */

/* Data and angles of Hairer and Wanner, Solving Ordinary Differential Equations II, section VII.7. */
static void andrews(mb_builder *g)
{
    const double beta = -0.0617138900142764496358948458001, gamma = 0.455279819163070380255912382449;
    const double phi = 0.222668390165885884674473185609, delta = 0.487364979543842550225598953530;
    const double omega = -0.222668390165885884674473185609, epsilon = 1.23054744454982119249735015568;
    const double quarter = 1.57079632679489661923;
    const point o = {0, 0}, a = {-0.06934, -0.00227}, b = {-0.03635, 0.03273};
    const point crank = polar(o, 0.007, beta), k5 = polar(a, 0.04, delta), k7 = polar(a, 0.04, epsilon - quarter);
    const point p = polar(crank, -0.028, beta);
    const double along4 = phi + delta - quarter, along6 = omega + epsilon;
    plate(g, "k1", 0.04325, 2.194e-6, polar(o, 0.00092, beta));
    plate(g, "k2", 0.00365, 4.410e-7, polar(crank, -0.0115, beta));
    plate(g, "k3", 0.02373, 5.255e-6, polar(polar(b, 0.01874, gamma), 0.01043, gamma + quarter));
    plate(g, "k4", 0.00706, 5.667e-7, polar(k5, 0.02 - 0.01421, along4));
    plate(g, "k5", 0.07050, 1.169e-5, polar(polar(a, 0.02308, delta), 0.00916, delta + quarter));
    plate(g, "k6", 0.00706, 5.667e-7, polar(k7, 0.02 - 0.01421, along6));
    plate(g, "k7", 0.05498, 1.912e-5, polar(polar(a, 0.01228, epsilon), 0.00449, epsilon - quarter));
    pin(g, "o", NULL, "k1", o);
    pin(g, "k1k2", "k1", "k2", crank);
    pin(g, "b", NULL, "k3", b);
    pin(g, "a5", NULL, "k5", a);
    pin(g, "a7", NULL, "k7", a);
    pin(g, "k5k4", "k5", "k4", k5);
    pin(g, "k7k6", "k7", "k6", k7);
    pin(g, "p3", "k2", "k3", p);
    pin(g, "p4", "k2", "k4", p);
    pin(g, "p6", "k2", "k6", p);
    lg_spring s = lg_spring_default("spring", NULL, "k3");
    const point centre = polar(polar(b, 0.01874, gamma), 0.01043, gamma + quarter);
    const point end = polar(polar(b, 0.02, gamma), 0.018, gamma - quarter);
    s.stiffness = 4530, s.rest = 0.07785;
    s.parent_point[0] = 0.014, s.parent_point[2] = 0.072;
    s.child_point[0] = end.x - centre.x, s.child_point[2] = end.z - centre.z;
    if (g->status == LG_OK) g->status = lg_mechanism_add_spring(g->m, NULL, &s);
    mb_build_motor(g, "motor", "o");
    if (g->status == LG_OK) g->status = lg_mechanism_set_gravity(g->m, (const double[3]){0, 0, 0});
}

static lg_status start_andrews(mb_sparse *mo)
{
    const double torque = 0.033;
    const lg_status st = mb_start_at_rest(mo);
    return st == LG_OK ? mb_sparse_set_control(mo, &torque) : st;
}

/* ---- Strandbeest ---- */

/* Theo Jansen's proportions, in centimetres. */
static void strandbeest(mb_builder *g)
{
    const double cm = 0.01;
    const point o = {0, 0}, pivot = {-38.0 * cm, -7.8 * cm}, crank = polar(o, 15.0 * cm, 0.3);
    const point top = meet(pivot, 41.5 * cm, crank, 50.0 * cm, 1);
    const point left = meet(pivot, 40.1 * cm, top, 55.8 * cm, 1);
    const point low = meet(pivot, 39.3 * cm, crank, 61.9 * cm, -1);
    const point knee = meet(left, 39.4 * cm, low, 36.7 * cm, -1);
    const point foot = meet(knee, 65.7 * cm, low, 49.0 * cm, -1);
    rod(g, "crank", 0.3, o, crank);
    rod(g, "j", 0.5, crank, top);
    rod(g, "k", 0.62, crank, low);
    rod(g, "c", 0.39, pivot, low);
    rod(g, "f", 0.39, left, knee);
    plate(g, "upper", 1.37, 0.05, (point){(pivot.x + top.x + left.x) / 3, (pivot.z + top.z + left.z) / 3});
    plate(g, "lower", 1.51, 0.06, (point){(low.x + knee.x + foot.x) / 3, (low.z + knee.z + foot.z) / 3});
    pin(g, "axle", NULL, "crank", o);
    pin(g, "crank pin j", "crank", "j", crank);
    pin(g, "crank pin k", "crank", "k", crank);
    pin(g, "pivot upper", NULL, "upper", pivot);
    pin(g, "pivot c", NULL, "c", pivot);
    pin(g, "top", "j", "upper", top);
    pin(g, "low k", "k", "c", low);
    pin(g, "low", "c", "lower", low);
    pin(g, "left", "upper", "f", left);
    pin(g, "knee", "f", "lower", knee);
    mb_build_motor(g, "motor", "axle");
}

static lg_status start_strandbeest(mb_sparse *mo)
{
    const double torque = 0.5;
    const lg_status st = mb_start_driven(mo, "axle", 12);
    return st == LG_OK ? mb_sparse_set_control(mo, &torque) : st;
}

const mb_exhibit mb_loops[] = {
    {"four-bar",
     "A four-bar: crank 0.4 m, coupler 1 m, rocker 0.8 m, ground 0.9 m; three of its 20 rows are redundant.", 0.005,
     four_bar, start_four_bar, NULL},
    {"bricard",
     "Bricard's mechanism of the IFToMM benchmarks (A04): five rods of 1 m and 1 kg and the ground in a loop of "
     "six axes, which moves although a count of freedoms gives none.",
     0.005, bricard, mb_start_at_rest, NULL},
    {"andrews",
     "Andrews' squeezing mechanism: seven bodies in three loops, a spring and a torque; published values at "
     "0.03 s.",
     1e-5, andrews, start_andrews, "o,k1k2/b,a5,a7,k5k4,k7k6/o_vel,k1k2_vel/conserved"},
    {"strandbeest", "A leg of Theo Jansen's Strandbeest: seven bodies, ten joints, a driven crank.", 0.005, strandbeest,
     start_strandbeest, NULL},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
