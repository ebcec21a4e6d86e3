/* SPDX-License-Identifier: BSD-3-Clause */
/* Every pair of shapes that touch, over random falls: one shape falls on another, which falls on the ground or is
 * fixed. LG_TEST_FALLS sets how many of each pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/shapes/shape.h"
#include "support/touching.h"

enum { KINDS = LG_SURFACE_PLANE, POINTS = 12 };

static double between(lg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lg_rng_uniform(rng);
}

/* The surface of a random size; body NULL: of the world, 0.52 m up and turned at random. */
static void add_shape(lg_mechanism *m, const char *name, const char *body, lg_surface_kind kind, double friction,
                      double restitution, lg_rng *rng)
{
    lg_surface s = lg_surface_default(name, body);
    double point[3 * POINTS];
    s.kind = kind, s.friction = friction, s.restitution = restitution;
    for (int k = 0; k < 3; k++) s.half[k] = between(rng, 0.05, 0.25);
    if (kind == LG_SURFACE_TORUS) s.half[1] = between(rng, 0.1, 0.9) * s.half[0];
    if (body == NULL) s.position[2] = 0.52, suite_direction(s.attitude, 4, rng);
    if (kind == LG_SURFACE_HULL) {
        s.points = 4 + (int)(8.99 * lg_rng_uniform(rng)), s.point = point;
        for (int i = 0; i < 3 * s.points; i++) point[i] = between(rng, -0.2, 0.2);
    }
    mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
}

static void add_body(lg_mechanism *m, const char *name, lg_rng *rng)
{
    double inertia[3];
    const double mass = between(rng, 0.1, 10);
    for (int k = 0; k < 3; k++) inertia[k] = 0.015 * mass * between(rng, 0.8, 1.2);
    touch_body(m, name, mass, inertia, (double[3]){0, 0, 0}, 0);
}

static int64_t fall(lg_surface_kind lower, lg_surface_kind upper, int i)
{
    lg_rng rng = suite_rng(1000000 * (uint64_t)(1 + KINDS * (int)lower + (int)upper) + (uint64_t)i);
    const double mu = i % 3 == 0 ? 0 : between(&rng, 0, 1), e = i % 4 < 2 ? between(&rng, 0, 0.8) : 0;
    const double h = 0.01 / (1 << i % 3);
    const int fixed = i % 2, bodies = 2 - fixed;
    double pose[14] = {0}, v[12];
    lg_mechanism *m = touch_ground(1, 1, 0);
    suite_case("%s on %s, fall %d: mu = %g, e = %g, h = %g, %s", lg_surface_kind_name(upper),
               lg_surface_kind_name(lower), i, mu, e, h, fixed ? "fixed" : "free");
    if (!fixed) add_body(m, "a", &rng);
    add_body(m, "b", &rng);
    add_shape(m, "lower", fixed ? NULL : "a", lower, mu, e, &rng), add_shape(m, "upper", "b", upper, mu, e, &rng);
    lg_motion *mo = touch_motion(m, h);
    pose[2] = 0.52, pose[7 * bodies - 5] = 1.55;
    for (int k = 0; k < bodies; k++) suite_direction(pose + 7 * k + 3, 4, &rng);
    for (int k = 0; k < 6 * bodies; k++) v[k] = k % 6 < 3 ? between(&rng, -0.7, 0.7) : between(&rng, -5, 5);
    motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, (int64_t)(0.9 / h));
    const int64_t impacts = lg_motion_impacts(mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    return impacts;
}

static void falls(void **unused)
{
    const char *given = getenv("LG_TEST_FALLS");
    const int count = given != NULL ? atoi(given) : suite_count(10);
    (void)unused;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            int64_t impacts = 0;
            if (!mb_shapes_can_touch((lg_surface_kind)a, (lg_surface_kind)b)) continue;
            for (int i = 0; i < count; i++) impacts += fall((lg_surface_kind)a, (lg_surface_kind)b, i);
            suite_above("impacts", (double)impacts, 0.5 * count);
        }
}

/* ---- what lies on another ---- */

static double turn(int i)
{
    return i == 0 ? 0.5 : i == 1 ? 0 : 0.3;
}

/* A box, a hull or a capsule of mass 1 on a box that lies on the ground: it stays, and pushed it slides as Coulomb
 * says. */
static void resting(void **unused)
{
    static const double big[3] = {0.3, 0.3, 0.1}, small[3] = {0.1, 0.1, 0.1},
                        corner[24] = {-0.1, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, 0.1, -0.1, 0.1, 0.1, -0.1,
                                      -0.1, -0.1, 0.1,  0.1, -0.1, 0.1,  -0.1, 0.1, 0.1,  0.1, 0.1, 0.1};
    static const lg_surface_kind kinds[] = {LG_SURFACE_BOX, LG_SURFACE_HULL};
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const double speed = 0.5 * i, mu = 0.4;
            double pose[14] = {0, 0, 0.1, 0, 0, 0, 1, 0, 0, 0.3, 0, 0, sin(turn(i)), cos(turn(i))}, v[12] = {0};
            lg_mechanism *m = touch_ground(1, 0, 0);
            suite_case("%s on a box, %g m/s", lg_surface_kind_name(kinds[k]), speed);
            touch_thing(m, "a", LG_SURFACE_BOX, big, (double[3]){0, 0, 0.1}, 0, 1, 0);
            touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.3}, 0);
            lg_surface s = lg_surface_default("b", "b");
            s.kind = kinds[k], s.friction = mu;
            if (k == 0) memcpy(s.half, small, sizeof small);
            if (k == 1) s.points = 8, s.point = corner;
            mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
            lg_motion *mo = touch_motion(m, 0.01);
            v[6] = speed;
            motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
            touch_watch w = touch_begin(mo);
            touch_run(&w, mo, 50);
            const double way = speed * speed / (2 * mu * 9.81);
            suite_near1("how far it slides", touch_x(mo, 1, 0) - touch_x(mo, 0, 0), way, i == 0 ? 1e-13 : 1e-4, 1);
            suite_near1("height", touch_x(mo, 1, 2), 0.3, 1e-12, 1);
            int closed = 0;
            for (int c = 0; c < lg_motion_contact_count(mo); c++) {
                lg_contact_state at;
                suite_ok("contact", lg_motion_contact(mo, &at, c));
                closed += at.surface[0] >= 0 && at.surface[1] >= 0 && at.gap < 1e-10 && at.surface[0] != 0;
            }
            if (closed < 4 || closed > 8) suite_fail("they touch at %d points", closed);
            lg_motion_destroy(mo);
            lg_mechanism_destroy(m);
        }
}

/* What lies on a cylinder or is one: a pile of three at most, in which all stays, and what is pushed a little stays on
 * the others. */
typedef struct piled {
    lg_surface_kind kind;
    double half[3], at[3], axis[3]; /* turned by a quarter about the axis, or not */
} piled;

static void piles(void **unused)
{
    static const struct {
        const char *name;
        piled thing[3];
        int count;
    } pile[] = {
#define UP {0, 0, 0}
#define ALONG_Y                                                                                                        \
    {                                                                                                                  \
        1, 0, 0                                                                                                        \
    }
#define ALONG_X                                                                                                        \
    {                                                                                                                  \
        0, 1, 0                                                                                                        \
    }
        {"a cylinder on a box",
         {{LG_SURFACE_BOX, {0.1, 0.05, 0.1}, {0, 0, 0.1}, UP}, {LG_SURFACE_CYLINDER, {0.12, 0.1}, {0, 0, 0.3}, UP}},
         2},
        {"a long box on a cylinder",
         {{LG_SURFACE_CYLINDER, {0.1, 0.1}, {0, 0, 0.1}, UP}, {LG_SURFACE_BOX, {0.3, 0.05, 0.1}, {0.03, 0, 0.3}, UP}},
         2},
        {"a cylinder beside the middle of another",
         {{LG_SURFACE_CYLINDER, {0.2, 0.1}, {0, 0, 0.1}, UP}, {LG_SURFACE_CYLINDER, {0.15, 0.1}, {0.12, 0, 0.3}, UP}},
         2},
        {"a cylinder lies on a box",
         {{LG_SURFACE_BOX, {0.2, 0.1, 0.1}, {0, 0, 0.1}, UP},
          {LG_SURFACE_CYLINDER, {0.1, 0.3}, {0, 0.02, 0.3}, ALONG_Y}},
         2},
        {"a capsule lies on a cylinder's face",
         {{LG_SURFACE_CYLINDER, {0.3, 0.1}, {0, 0, 0.1}, UP},
          {LG_SURFACE_CAPSULE, {0.05, 0.15}, {0, 0, 0.25}, ALONG_Y}},
         2},
        {"a capsule lies over a cylinder's face",
         {{LG_SURFACE_CYLINDER, {0.2, 0.1}, {0, 0, 0.1}, UP},
          {LG_SURFACE_CAPSULE, {0.05, 0.3}, {0.05, 0.02, 0.25}, ALONG_Y}},
         2},
        {"a cylinder lies over another's face",
         {{LG_SURFACE_CYLINDER, {0.2, 0.1}, {0, 0, 0.1}, UP},
          {LG_SURFACE_CYLINDER, {0.05, 0.3}, {0.05, 0.02, 0.25}, ALONG_Y}},
         2},
        {"a pile of cylinders",
         {{LG_SURFACE_CYLINDER, {0.1, 0.3}, {-0.11, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_CYLINDER, {0.1, 0.3}, {0.11, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_CYLINDER, {0.1, 0.25}, {0, 0.02, 0.26703293088490065}, ALONG_Y}},
         3},
        {"a box on two cylinders",
         {{LG_SURFACE_CYLINDER, {0.1, 0.3}, {-0.15, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_CYLINDER, {0.1, 0.3}, {0.15, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_BOX, {0.3, 0.2, 0.05}, {0, 0, 0.25}, UP}},
         3},
        {"a cylinder across two",
         {{LG_SURFACE_CYLINDER, {0.1, 0.3}, {-0.15, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_CYLINDER, {0.1, 0.3}, {0.15, 0, 0.1}, ALONG_Y},
          {LG_SURFACE_CYLINDER, {0.1, 0.3}, {0, 0, 0.3}, ALONG_X}},
         3}};
    (void)unused;
    for (int i = 0; i < (int)(sizeof pile / sizeof *pile); i++)
        for (int pushed = 0; pushed < 2; pushed++) {
            const int count = pile[i].count;
            const char *const name[3] = {"a", "b", "c"};
            double pose[21] = {0}, v[18] = {0};
            lg_mechanism *m = touch_ground(1, 1, 0);
            suite_case("%s%s", pile[i].name, pushed ? ", pushed" : "");
            for (int k = 0; k < count; k++) {
                const piled *p = &pile[i].thing[k];
                const double s = sqrt(0.5), turned = p->axis[0] + p->axis[1];
                touch_body(m, name[k], 1, (double[3]){0.006, 0.005, 0.007}, (double[3]){0, 0, 0}, 0);
                touch_surface(m, name[k], name[k], p->kind, p->half, 0.4, 0);
                memcpy(pose + 7 * k, p->at, sizeof p->at);
                for (int c = 0; c < 3; c++) pose[7 * k + 3 + c] = s * p->axis[c];
                pose[7 * k + 6] = turned > 0 ? s : 1;
            }
            double *top = v + 6 * (count - 1);
            if (pushed) top[2] = 0.02, top[3] = 0.05, top[4] = 0.03;
            lg_motion *mo = touch_motion(m, 0.005);
            motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
            touch_watch w = touch_begin(mo);
            touch_run(&w, mo, 100);
            suite_near1("height", touch_x(mo, count - 1, 2), pile[i].thing[count - 1].at[2], pushed ? 1e-4 : 1e-12, 1);
            lg_motion_destroy(mo);
            lg_mechanism_destroy(m);
        }
}

/* Housner's block of 0.2 by 0.8 m rocks on a box of the world, on two of its corners, until the other two land: that is
 * an impact as on a plane, which loses the share 1 - r^2 of what the fall gave. */
static void rocks(void **unused)
{
    const double floor_half[3] = {1, 1, 0.1}, half[3] = {0.1, 0.1, 0.4}, tilt = 0.15;
    const double height = sqrt(0.17) * cos(atan(0.25) - tilt);
    lg_mechanism *m = touch_empty();
    lg_surface table = lg_surface_default("table", NULL);
    (void)unused;
    table.kind = LG_SURFACE_BOX, table.friction = 2, table.position[2] = -0.1;
    memcpy(table.half, floor_half, sizeof floor_half);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &table), m);
    touch_thing(m, "block", LG_SURFACE_BOX, half, (double[3]){0, 0, height}, tilt, 2, 0);
    lg_motion *mo = touch_motion(m, 0.0025);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    touch_watch w = touch_begin(mo);
    while (lg_motion_impacts(mo) == 0 && lg_motion_time(mo) < 3) touch_run(&w, mo, 1);
    const lg_account a = touch_account(mo);
    suite_near1("impacts", (double)lg_motion_impacts(mo), 1, 0, 1);
    suite_near1("share", (a.impact_normal + a.impact_friction) / (9.81 * (height - 0.4)), 0.16868512110726652, 1e-5, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("contact_pairs");
    const struct CMUnitTest tests[] = {cmocka_unit_test(rocks), cmocka_unit_test(falls), cmocka_unit_test(resting),
                                       cmocka_unit_test(piles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
