/* SPDX-License-Identifier: BSD-3-Clause */
/* What contacts refuse, each with its sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/system.h>

#include "multibody/contact/shapes/shape.h"
#include "support/touching.h"

static const double ball[3] = {0.1, 0, 0}, box[3] = {0.1, 0.1, 0.1}, up[3] = {0, 0, 1}, y_axis[3] = {0, 1, 0};

static lg_mechanism *with_ball(lg_surface_kind kind)
{
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    touch_body(m, "b", 1, NULL, up, 0);
    touch_surface(m, "skin", "b", kind, kind == LG_SURFACE_SPHERE ? ball : box, 0.5, 0);
    return m;
}

/* ---- surfaces ---- */

static void refuse_surface(const lg_surface *s, const char *words)
{
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    touch_body(m, "b", 1, NULL, up, 0);
    suite_case("%s", words);
    lg_status st = lg_mechanism_add_surface(m, NULL, s);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status(lg_mechanism_message(m), st, LG_ERROR_ARGUMENT);
    if (s->size > 0) suite_contains("message", lg_mechanism_message(m), "surface 'bad'");
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void surfaces(void **unused)
{
    static const double points[3] = {0, 0, 0}, not_finite[3] = {0, NAN, 0};
    (void)unused;
#define REFUSE(words, ...)                                                                                             \
    do {                                                                                                               \
        lg_surface s = lg_surface_default("bad", "b");                                                                 \
        s.half[0] = 0.1;                                                                                               \
        __VA_ARGS__;                                                                                                   \
        refuse_surface(&s, words);                                                                                     \
    } while (0)
    REFUSE("friction is -0.1; it must be finite and not negative", s.friction = -0.1);
    REFUSE("friction is nan", s.friction = NAN);
    REFUSE("friction is inf", s.friction = INFINITY);
    REFUSE("restitution is -0.01; it must be from 0 to 1", s.restitution = -0.01);
    REFUSE("restitution is 1.01; it must be from 0 to 1", s.restitution = 1.01);
    REFUSE("restitution is nan", s.restitution = NAN);
    REFUSE("viscous is -1; it must be finite and not negative", s.viscous = -1);
    REFUSE("viscous is nan", s.viscous = NAN);
    REFUSE("half[0] is 0; of kind sphere it must be positive", s.half[0] = 0);
    REFUSE("half[0] is -0.1; of kind sphere", s.half[0] = -0.1);
    REFUSE("half[0] is nan; of kind sphere", s.half[0] = NAN);
    REFUSE("half[0] is inf; of kind sphere", s.half[0] = INFINITY);
    REFUSE("half[1] is 0; of kind capsule", s.kind = LG_SURFACE_CAPSULE);
    REFUSE("half[2] is 0; of kind box", s.kind = LG_SURFACE_BOX, s.half[1] = 0.1);
    REFUSE("half[2] is 0; of kind ellipsoid", s.kind = LG_SURFACE_ELLIPSOID, s.half[1] = 0.1);
    REFUSE("half[1] is 0; of kind cylinder", s.kind = LG_SURFACE_CYLINDER);
    REFUSE("half[1] is 0; of kind torus", s.kind = LG_SURFACE_TORUS);
    REFUSE("position or attitude is not finite", s.position[1] = NAN);
    REFUSE("position or attitude is not finite", s.attitude[0] = INFINITY);
    REFUSE("the attitude is a quaternion of length 0", s.attitude[3] = 0);
    REFUSE("kind 12 is not an lg_surface_kind", s.kind = (lg_surface_kind)12);
    REFUSE("kind -1 is not an lg_surface_kind", s.kind = (lg_surface_kind)-1);
    REFUSE("a hull has 0 points; give 1 to 4096", s.kind = LG_SURFACE_HULL);
    REFUSE("a hull has 0 points", s.kind = LG_SURFACE_HULL, s.points = 4);
    REFUSE("a hull has 5000 points", s.kind = LG_SURFACE_HULL, s.points = 5000, s.point = points);
    REFUSE("a point is not finite", s.kind = LG_SURFACE_HULL, s.points = 1, s.point = not_finite);
    REFUSE("a sphere has no points; only a hull has", s.points = 1, s.point = points);
    REFUSE("'nobody'", s.body = "nobody");
    REFUSE("size", s.size = 0);
#undef REFUSE
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    lg_surface again = lg_surface_default("ground", NULL);
    again.kind = LG_SURFACE_PLANE;
    suite_status("a name twice", lg_mechanism_add_surface(m, NULL, &again), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "ground");
    lg_mechanism_destroy(m);
}

/* ---- pairs ---- */

static void refuse_pair(const lg_surface_pair *p, int twice, const char *words)
{
    lg_mechanism *m = with_ball(LG_SURFACE_SPHERE);
    lg_surface_pair first = lg_surface_pair_default("other", "skin", "ground");
    suite_case("%s", words);
    touch_surface(m, "lamp", "b", LG_SURFACE_POINT, ball, 0.5, 0),
        touch_surface(m, "wall", NULL, LG_SURFACE_PLANE, ball, 0.5, 0);
    if (twice) mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &first), m);
    lg_status st = lg_mechanism_add_surface_pair(m, NULL, p);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status(lg_mechanism_message(m), st, LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void pairs(void **unused)
{
    (void)unused;
#define REFUSE(twice, words, ...)                                                                                      \
    do {                                                                                                               \
        lg_surface_pair p = lg_surface_pair_default("pair", "ground", "skin");                                         \
        __VA_ARGS__;                                                                                                   \
        refuse_pair(&p, twice, words);                                                                                 \
    } while (0)
    REFUSE(0, "'no such'", p.second = "no such");
    REFUSE(0, "'no such'", p.first = "no such");
    REFUSE(0, "pairs 'skin' with itself", p.first = "skin");
    REFUSE(1, "pair 'other' is of the same surfaces; give one", (void)p);
    REFUSE(0, "ignored is 2; it must be 0 or 1", p.ignored = 2);
    REFUSE(0, "friction is nan", p.friction = NAN);
    REFUSE(0, "restitution is 2; it must be from 0 to 1", p.restitution = 2);
    REFUSE(0, "viscous is inf; it must be finite", p.viscous = INFINITY);
    REFUSE(0, "'wall' and 'ground' are both of the world, and never touch", p.first = "wall", p.second = "ground");
    REFUSE(0, "'skin' and 'lamp' are both of one body, and never touch", p.first = "skin", p.second = "lamp");
#undef REFUSE
}

/* ---- which surfaces touch ---- */

static const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

static void refuse_kinds(lg_surface_kind kind, lg_surface_kind other, int of_world)
{
    lg_mechanism *m = touch_empty();
    const double at[3] = {1, 0, 0};
    lg_surface a = lg_surface_default("one", "b"), b = lg_surface_default("two", of_world ? NULL : "c");
    suite_case("%s and %s", lg_surface_kind_name(kind), lg_surface_kind_name(other));
    touch_body(m, "b", 1, NULL, up, 0), touch_body(m, "c", 1, NULL, at, 0);
    a.kind = kind, b.kind = other;
    for (int k = 0; k < 3; k++) a.half[k] = b.half[k] = 0.1;
    if (kind == LG_SURFACE_HULL) a.points = 4, a.point = corner;
    if (other == LG_SURFACE_HULL) b.points = 4, b.point = corner;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &a), m);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &b), m);
    suite_status(lg_mechanism_message(m), lg_mechanism_compile(m), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "'one'");
    suite_contains("message", lg_mechanism_message(m), "'two'");
    suite_contains("message", lg_mechanism_message(m), lg_surface_kind_name(kind));
    suite_contains("message", lg_mechanism_message(m), lg_surface_kind_name(other));
    suite_contains("message", lg_mechanism_message(m), "let an lg_surface_pair ignore them");
    lg_mechanism_destroy(m);
}

static void kinds(void **unused)
{
    (void)unused;
    for (int a = 0; a < LG_SURFACE_PLANE; a++)
        for (int b = 0; b < LG_SURFACE_PLANE; b++)
            if (!mb_shapes_can_touch((lg_surface_kind)a, (lg_surface_kind)b))
                refuse_kinds((lg_surface_kind)a, (lg_surface_kind)b, (a + b) % 2);
    for (int a = LG_SURFACE_CYLINDER; a <= LG_SURFACE_TORUS; a++)
        refuse_kinds((lg_surface_kind)a, LG_SURFACE_PLANE, 0), refuse_kinds(LG_SURFACE_PLANE, (lg_surface_kind)a, 0);
    refuse_kinds(LG_SURFACE_PLANE, LG_SURFACE_PLANE, 0);
    for (int a = 0; a < LG_SURFACE_PLANE; a++) /* the table of docs/contact.md */
        for (int b = 0; b < LG_SURFACE_PLANE; b++) {
            const int flat =
                a == LG_SURFACE_DISK || a == LG_SURFACE_TORUS || b == LG_SURFACE_DISK || b == LG_SURFACE_TORUS;
            const int touch = mb_shapes_can_touch((lg_surface_kind)a, (lg_surface_kind)b);
            if (flat && touch != (a == LG_SURFACE_SPHERE || b == LG_SURFACE_SPHERE))
                suite_fail("%d and %d: %d", a, b, touch);
        }
}

/* A hull is a body only if it meets what is no plane. */
static void flat_hulls(void **unused)
{
    static const double points[21] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5, 0.5, 0, 0, 0, 0, 1, 0, 0};
    (void)unused;
    for (int count = 1; count <= 7; count++)
        for (int meets = 0; meets < 2; meets++) {
            lg_mechanism *m = with_ball(LG_SURFACE_SPHERE);
            lg_surface s = lg_surface_default("sole", "c");
            suite_case("%d points, %s", count, meets ? "a ball" : "a plane");
            touch_body(m, "c", 1, NULL, (double[3]){3, 0, 1}, 0);
            s.kind = LG_SURFACE_HULL, s.points = count, s.point = points;
            mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
            lg_surface_pair p = lg_surface_pair_default("none", "sole", "skin");
            p.ignored = !meets;
            mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
            suite_status("compile", lg_mechanism_compile(m), meets ? LG_ERROR_UNSUPPORTED : LG_OK);
            if (meets) suite_contains("message", lg_mechanism_message(m), "surface 'sole' is a hull that touches");
            if (meets) suite_contains("message", lg_mechanism_message(m), "is flat: give it four points or more");
            if (meets)
                suite_contains("message", lg_mechanism_message(m), "let it touch planes alone: --contacts ground");
            lg_mechanism_destroy(m);
        }
}

/* Points that are twice there count once: four corners of them are a hull, and three are flat. */
static void points_twice(void **unused)
{
    (void)unused;
    for (int count = 3; count <= 4; count++) {
        lg_mechanism *m = with_ball(LG_SURFACE_SPHERE);
        lg_surface s = lg_surface_default("sole", "c");
        double point[24];
        suite_case("%d corners", count);
        memcpy(point, corner, 3 * (size_t)count * sizeof *point);
        memcpy(point + 3 * count, corner, 3 * (size_t)count * sizeof *point);
        touch_body(m, "c", 1, NULL, (double[3]){3, 0, 1}, 0);
        s.kind = LG_SURFACE_HULL, s.points = 2 * count, s.point = point;
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        suite_status(lg_mechanism_message(m), lg_mechanism_compile(m), count == 3 ? LG_ERROR_UNSUPPORTED : LG_OK);
        if (count == 3) suite_contains("message", lg_mechanism_message(m), "surface 'sole' is a hull that touches");
        if (count == 3) suite_contains("message", lg_mechanism_message(m), "is flat: give it four points or more");
        lg_mechanism_destroy(m);
    }
}

/* Surfaces of one body, of the world, of neighbours, of a group and ignored ones do not touch. */
static int contacts_with(int neighbour, int group, int pair)
{
    lg_mechanism *m = touch_empty();
    const double at[3] = {1, 0, 0};
    touch_body(m, "b", 1, NULL, up, 0), touch_body(m, "c", 1, NULL, at, 0);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"s0", "s1", "w0", "w1"};
        lg_surface s = lg_surface_default(names[i], i == 0 ? "b" : i == 1 ? "c" : NULL);
        s.half[0] = 0.1, s.group = group;
        if (i >= 2) s.group = 1, s.position[0] = 5;
        if (i < 2) s.group = group;
        if (i == 2 || i == 3) s.kind = LG_SURFACE_BOX, s.half[1] = s.half[2] = 0.1, s.group = 7;
        if (i < 2 || pair < 2) mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        if (i >= 2 && pair < 2)
            for (int k = 0; k < 2; k++) {
                char name[16];
                snprintf(name, sizeof name, "p%d%d", i, k);
                lg_surface_pair p = lg_surface_pair_default(name, names[k], names[i]);
                p.ignored = 1;
                mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
            }
    }
    if (neighbour) {
        lg_joint j = lg_joint_default("j", LG_JOINT_SPHERICAL, "b", "c");
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    if (pair % 2) {
        lg_surface_pair p = lg_surface_pair_default("own", "s1", "s0");
        mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    }
    lg_motion *mo = touch_motion(m, 0.01);
    const int count = lg_motion_contact_count(mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    return count;
}

static void filters(void **unused)
{
    (void)unused;
    assert_int_equal(contacts_with(0, 0, 0), 1);
    assert_int_equal(contacts_with(1, 0, 0), 0);
    assert_int_equal(contacts_with(0, 3, 0), 0);
    assert_int_equal(contacts_with(1, 0, 1), 1);
    assert_int_equal(contacts_with(0, 3, 1), 1);
}

static void too_many(void **unused)
{
    static double points[3 * LG_SURFACE_POINTS];
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    char name[16];
    (void)unused;
    for (int i = 0; i < 3 * LG_SURFACE_POINTS; i++) points[i] = 0.1 * cos(i);
    for (int i = 0; i < 10; i++) {
        const double at[3] = {i, 0, 1};
        snprintf(name, sizeof name, "b%d", i);
        touch_body(m, name, 1, NULL, at, 0);
        lg_surface s = lg_surface_default(name, name);
        s.kind = LG_SURFACE_HULL, s.points = LG_SURFACE_POINTS, s.point = points, s.group = 1;
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
    }
    suite_status(lg_mechanism_message(m), lg_mechanism_compile(m), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "more than 40000 contacts");
    lg_mechanism_destroy(m);
}

/* ---- stops and dry friction ---- */

static void stops(void **unused)
{
    static const struct {
        double lower, upper, restitution;
        int stops;
        const char *words;
    } bad[] = {{1, 1, 0, 1, "stops at 1 and 1 leave no room; lower must be less than upper"},
               {2, 1, 0, 1, "lower"},
               {-INFINITY, INFINITY, 0, 1, "it has stops, but no limits"},
               {-1, 1, -0.1, 1, "stop_restitution is -0.1; it must be from 0 to 1"},
               {-1, 1, 1.5, 1, "stop_restitution is 1.5"},
               {-1, 1, NAN, 1, "stop_restitution is nan"},
               {-1, 1, 0, 2, "stops is 2; it must be 0 or 1"},
               {NAN, 1, 0, 1, "lower"}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int by_coordinate = 0; by_coordinate < 2; by_coordinate++) {
            lg_mechanism *m = touch_empty();
            lg_joint j = lg_joint_default("hinge", LG_JOINT_REVOLUTE, NULL, "b");
            lg_coordinate c = lg_coordinate_default("angle", "hinge");
            suite_case("%s, coordinate %d", bad[i].words, by_coordinate);
            touch_body(m, "b", 1, NULL, up, 0);
            if (by_coordinate)
                c.lower = bad[i].lower, c.upper = bad[i].upper, c.stops = bad[i].stops,
                c.stop_restitution = bad[i].restitution;
            else
                j.lower = bad[i].lower, j.upper = bad[i].upper, j.stops = bad[i].stops,
                j.stop_restitution = bad[i].restitution;
            lg_status st = lg_mechanism_add_joint(m, NULL, &j);
            if (st == LG_OK && by_coordinate) st = lg_mechanism_add_coordinate(m, NULL, &c);
            if (st == LG_OK) st = lg_mechanism_compile(m);
            suite_status(lg_mechanism_message(m), st, LG_ERROR_ARGUMENT);
            suite_contains("message", lg_mechanism_message(m), by_coordinate ? "'angle'" : "'hinge'");
            suite_contains("message", lg_mechanism_message(m), bad[i].words);
            lg_mechanism_destroy(m);
        }
}

static lg_mechanism *hinged(int with_stops, double friction)
{
    lg_mechanism *m = touch_empty();
    lg_joint j = lg_joint_default("hinge", LG_JOINT_REVOLUTE, NULL, "b");
    touch_body(m, "b", 1, NULL, (double[3]){0.3, 0, 0}, 0);
    memcpy(j.axis, y_axis, sizeof y_axis);
    j.friction = friction;
    if (with_stops) j.stops = 1, j.lower = -0.5, j.upper = 0.5;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    return m;
}

/* ---- starts ---- */

static void starts(void **unused)
{
    lg_mechanism *m = with_ball(LG_SURFACE_BOX);
    lg_motion *mo = touch_motion(m, 0.01);
    double pose[7] = {0, 0, 0.1 - 1e-6, 0, 0, 0, 1}, q = 0.6;
    (void)unused;
    suite_status("overlap", lg_motion_start_poses(mo, 0, pose, NULL, 0), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "surfaces 'ground' and 'skin' overlap by 1e-06 m");
    suite_status("not started", lg_motion_step(mo, 1), LG_ERROR_ARGUMENT);
    for (int k = 0; k < 2; k++) { /* an overlap that is no rounding is not pushed out, which would take work */
        pose[2] = 0.1 - (k ? 1e-13 : 5e-10);
        motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 0), mo);
        motion_well(lg_motion_step(mo, 10), mo);
        suite_near1("height", touch_x(mo, 0, 2), k ? 0.1 : pose[2], 1e-15, 1);
    }
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    m = hinged(1, 0), mo = touch_motion(m, 0.01);
    for (int side = -1; side < 2; side += 2, q = -q) {
        suite_status("beyond", lg_motion_start_joints(mo, 0, &q, NULL, 0), LG_ERROR_INCONSISTENT);
        suite_contains("message", lg_motion_message(mo),
                       q > 0 ? "joint 'hinge' is at 0.6, beyond its stop at 0.5" : "joint 'hinge' is at -0.6, beyond");
    }
    q = 0.5;
    motion_well(lg_motion_start_joints(mo, 0, &q, NULL, 0), mo);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A start counts, not the position at assembly from which it is found: of a row, of an ensemble's instances. */
static void other_starts(void **unused)
{
    lg_mechanism *m = touch_ground(0.5, 0, 0);
    double row[64];
    (void)unused;
    touch_body(m, "b", 1, NULL, (double[3]){0, 0, 0.05}, 0);
    touch_surface(m, "skin", "b", LG_SURFACE_SPHERE, ball, 0.5, 0);
    lg_motion *mo = touch_motion(m, 0.01);
    lg_dynamics *d = NULL;
    suite_ok("dynamics", lg_dynamics_create(&d, m));
    lg_dynamics_destroy(d);
    suite_status("as assembled", lg_motion_start(mo, 0, NULL, 0), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "surfaces 'ground' and 'skin' overlap by 0.05 m");
    suite_status("not started", lg_motion_row(mo, row), LG_ERROR_ARGUMENT);
    const lg_model *M = lg_motion_model(mo);
    for (int k = 0; k < lg_model_column_count(M); k++)
        row[k] = strcmp(lg_model_column(M, k)->name, "b_z") == 0 ? 0.5 : NAN;
    motion_well(lg_motion_start(mo, 0, row, 0), mo);
    suite_near1("z", touch_x(mo, 0, 2), 0.5, 1e-15, 1);
    lg_ensemble *E;
    const lg_ensemble_options o = lg_ensemble_options_default();
    suite_ok("ensemble", lg_ensemble_create(&E, M, 2, &o));
    suite_status("retired", lg_ensemble_status(E, 0), LG_ERROR_INCONSISTENT);
    suite_ok("instance", lg_ensemble_start(E, 1, 0, row, 0));
    suite_ok("run", lg_ensemble_run(E, 10, 10, NULL, NULL));
    suite_status("still retired", lg_ensemble_status(E, 0), LG_ERROR_INCONSISTENT);
    suite_ok("it falls", lg_ensemble_status(E, 1));
    lg_ensemble_destroy(E);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* With `separate` a start that overlaps is moved apart: as far as it overlaps, in proportion to the inverse masses, and
 * with the joints satisfied. */
static void separated(void **unused)
{
    const double radius[3] = {0.1, 0, 0}, pose[14] = {0, 0, 0, 0, 0, 0, 1, 0.18, 0, 0, 0, 0, 0, 1};
    lg_contact_options o = lg_contact_options_default();
    lg_mechanism *m = touch_empty();
    (void)unused;
    touch_body(m, "light", 1, NULL, pose, 0), touch_body(m, "heavy", 3, NULL, pose + 7, 0);
    touch_surface(m, "one", "light", LG_SURFACE_SPHERE, radius, 0.5, 0);
    touch_surface(m, "two", "heavy", LG_SURFACE_SPHERE, radius, 0.5, 0);
    lg_motion *mo = touch_motion(m, 0.01);
    suite_status("refused", lg_motion_start_poses(mo, 0, pose, NULL, 0), LG_ERROR_INCONSISTENT);
    o.separate = 1;
    motion_well(lg_motion_set_contact(mo, &o), mo);
    motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 0), mo);
    suite_near1("light", touch_x(mo, 0, 0), -0.015, 1e-13, 1);
    suite_near1("heavy", touch_x(mo, 1, 0), 0.185, 1e-13, 1);
    suite_contains("remark", lg_motion_remark(mo), "surfaces that overlapped by up to 0.02 m were moved apart");
    motion_well(lg_motion_step(mo, 1), mo);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    m = with_ball(LG_SURFACE_BOX), mo = touch_motion(m, 0.01);
    motion_well(lg_motion_set_contact(mo, &o), mo);
    motion_well(lg_motion_start_poses(mo, 0, (double[7]){0, 0, 0.07, 0, 0, 0, 1}, NULL, 0), mo);
    suite_near1("height", touch_x(mo, 0, 2), 0.1, 1e-13, 1);
    suite_contains("remark", lg_motion_remark(mo),
                   "overlapped by up to 0.03 m were moved apart, which changed the energy by 0.294 J");
    motion_well(lg_motion_start_poses(mo, 0, (double[7]){0, 0, 0.1, 0, 0, 0, 1}, NULL, 0), mo);
    assert_null(lg_motion_remark(mo));
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    double q = 0.6;
    m = hinged(1, 0), mo = touch_motion(m, 0.01);
    motion_well(lg_motion_set_contact(mo, &o), mo);
    motion_well(lg_motion_start_joints(mo, 0, &q, NULL, 0), mo);
    motion_well(lg_motion_positions(mo, &q, NULL), mo);
    suite_near1("at the stop", q, 0.5, 1e-12, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    lg_surface roof = lg_surface_default("roof", NULL);
    roof.kind = LG_SURFACE_PLANE, roof.position[2] = 0.15, roof.attitude[0] = 1, roof.attitude[3] = 0;
    m = with_ball(LG_SURFACE_SPHERE);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &roof), m);
    mo = touch_motion(m, 0.01);
    motion_well(lg_motion_set_contact(mo, &o), mo);
    suite_status("no room", lg_motion_start_poses(mo, 0, (double[7]){0, 0, 0.07, 0, 0, 0, 1}, NULL, 0),
                 LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "overlap by ");
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- methods and uses without contacts ---- */

static void methods(void **unused)
{
    static const char *const others[] = {"rattle", "sem@suzuki4", "sem@yoshida4", "rattle@suzuki4"};
    static const char *const nouns[] = {"surface 'skin'", "the stops of joint 'hinge'",
                                        "the dry friction of joint 'hinge'"};
    (void)unused;
    for (int k = 0; k < 3; k++) {
        lg_mechanism *m = k == 0 ? with_ball(LG_SURFACE_SPHERE) : hinged(k == 1, k == 2 ? 0.3 : 0);
        mechanism_well(lg_mechanism_compile(m), m);
        for (size_t i = 0; i <= sizeof others / sizeof *others; i++) {
            const int backwards = i == sizeof others / sizeof *others;
            lg_motion *mo = NULL;
            suite_case("%s, %s", nouns[k], backwards ? "backwards" : others[i]);
            suite_status("created", motion_create(&mo, m, backwards ? "sem" : others[i], backwards ? -0.01 : 0.01),
                         LG_ERROR_UNSUPPORTED);
            suite_contains("message", lg_motion_message(mo), nouns[k]);
            suite_contains("message", lg_motion_message(mo), backwards ? "forwards only" : "use sem");
            lg_motion_destroy(mo);
        }
        const lg_system *system = NULL;
        lg_dynamics *d = NULL;
        double A[144];
        suite_case("%s, other uses", nouns[k]);
        suite_status("system", lg_mechanism_system(m, &system), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_mechanism_message(m), nouns[k]);
        double a[6];
        suite_ok("dynamics", lg_dynamics_create(&d, m));
        suite_status("accelerations", lg_dynamics_acceleration(d, a, NULL, NULL), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_dynamics_message(d), nouns[k]);
        lg_dynamics_destroy(d);
        lg_motion *mo = NULL;
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        suite_status("linearised", lg_motion_linearise(mo, A, NULL, NULL, NULL), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_motion_message(mo), nouns[k]);
        suite_status("linearised step", lg_motion_linearise_step(mo, A, NULL, NULL, NULL), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_motion_message(mo), nouns[k]);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

static void options(void **unused)
{
    lg_mechanism *m = with_ball(LG_SURFACE_SPHERE);
    lg_motion *mo = touch_motion(m, 0.01);
    (void)unused;
#define REFUSE(words, ...)                                                                                             \
    do {                                                                                                               \
        lg_contact_options o = lg_contact_options_default();                                                           \
        __VA_ARGS__;                                                                                                   \
        suite_status(words, lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);                                         \
        suite_contains("message", lg_motion_message(mo), words);                                                       \
    } while (0)
    REFUSE("law 3 is not an lg_impact_law", o.law = (lg_impact_law)3);
    REFUSE("capture_speed is 0; it must be positive", o.capture_speed = 0);
    REFUSE("capture_speed is -1", o.capture_speed = -1);
    REFUSE("capture_speed is nan", o.capture_speed = NAN);
    REFUSE("capture_speed is inf", o.capture_speed = INFINITY);
    REFUSE("localise is 2", o.localise = 2);
    REFUSE("events -1", o.events = -1);
    REFUSE("separate is 2; give 0 or 1", o.separate = 2);
    REFUSE("size", o.size = 0);
#undef REFUSE
    suite_status("NULL", lg_motion_set_contact(mo, NULL), LG_ERROR_ARGUMENT);
    lg_contact_state s;
    suite_status("not started", lg_motion_contact(mo, &s, 0), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    suite_ok("contact", lg_motion_contact(mo, &s, 0));
    suite_status("beyond", lg_motion_contact(mo, &s, 1), LG_ERROR_ARGUMENT);
    suite_status("below", lg_motion_contact(mo, &s, -1), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_motion_contact(mo, NULL, 0), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    m = touch_empty();
    touch_body(m, "b", 1, NULL, up, 0);
    mo = touch_motion(m, 0.01);
    const lg_contact_options o = lg_contact_options_default();
    suite_status("no contacts", lg_motion_set_contact(mo, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "the motion has no contacts");
    assert_int_equal(lg_motion_contact_count(mo), 0);
    assert_int_equal(lg_motion_impacts(mo), 0);
    assert_int_equal(lg_motion_contact_count(NULL), 0);
    assert_int_equal(lg_motion_impacts(NULL), -1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    assert_null(lg_surface_kind_name((lg_surface_kind)12)), assert_null(lg_surface_kind_name((lg_surface_kind)-1));
    assert_null(lg_impact_law_name((lg_impact_law)3)), assert_null(lg_impact_law_name((lg_impact_law)-1));
}

int main(void)
{
    suite_begin("contact_refusals");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces),   cmocka_unit_test(pairs),        cmocka_unit_test(kinds),
        cmocka_unit_test(flat_hulls), cmocka_unit_test(points_twice), cmocka_unit_test(filters),
        cmocka_unit_test(too_many),   cmocka_unit_test(stops),        cmocka_unit_test(starts),
        cmocka_unit_test(methods),    cmocka_unit_test(other_starts), cmocka_unit_test(separated),
        cmocka_unit_test(options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
