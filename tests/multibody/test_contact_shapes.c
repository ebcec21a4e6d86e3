/* SPDX-License-Identifier: BSD-3-Clause */
/* Where surfaces touch: gaps and points of every kind, at any pose, against its support function; the values of two
 * surfaces; wheels that roll on a belt and strike a wall. */
#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "support/touching.h"

enum { POINTS = 7, POSES = 60 };

static double between(lg_rng *rng, double lo, double hi)
{
    return lo + (hi - lo) * lg_rng_uniform(rng);
}

/* ---- gaps ---- */

/* How far a surface reaches along a direction of its frame. */
static double support(const lg_surface *s, const double *d)
{
    const double *half = s->half, across = hypot(d[0], d[1]);
    double far = 0;
    switch (s->kind) {
    case LG_SURFACE_SPHERE:
        return half[0];
    case LG_SURFACE_CAPSULE:
        return half[0] + half[1] * fabs(d[2]);
    case LG_SURFACE_BOX:
        return half[0] * fabs(d[0]) + half[1] * fabs(d[1]) + half[2] * fabs(d[2]);
    case LG_SURFACE_CYLINDER:
        return half[0] * across + half[1] * fabs(d[2]);
    case LG_SURFACE_DISK:
        return half[0] * across;
    case LG_SURFACE_ELLIPSOID:
        return sqrt(pow(half[0] * d[0], 2) + pow(half[1] * d[1], 2) + pow(half[2] * d[2], 2));
    case LG_SURFACE_TORUS:
        return half[0] * across + half[1];
    case LG_SURFACE_HULL:
        far = -INFINITY;
        for (int i = 0; i < s->points; i++)
            far = fmax(far, s->point[3 * i] * d[0] + s->point[3 * i + 1] * d[1] + s->point[3 * i + 2] * d[2]);
        return far;
    default:
        return 0;
    }
}

static void random_frame(double *position, double *attitude, double far, lg_rng *rng)
{
    for (int k = 0; k < 3; k++) position[k] = between(rng, -far, far);
    suite_direction(attitude, 4, rng);
}

static void place(double *out, double *R, const double *pose, const double *position, const double *attitude)
{
    double q[4];
    lg_so3_act(out, pose + 3, position);
    for (int k = 0; k < 3; k++) out[k] += pose[k];
    lg_so3_compose(q, pose + 3, attitude);
    lg_so3_to_matrix(R, q);
}

/* The least gap at these poses of the thing and the plane's body is that of the lowest point, and each contact's point
 * is as far from the plane as its gap says. */
static void compare(const lg_motion *mo, const lg_surface *thing, const lg_surface *plane, const double *pose)
{
    static const double world[7] = {0, 0, 0, 0, 0, 0, 1};
    double at[3], R[9], floor[3], P[9], d[3] = {0}, height = 0, least = INFINITY;
    place(at, R, pose, thing->position, thing->attitude);
    place(floor, P, plane->body != NULL ? pose + 7 : world, plane->position, plane->attitude);
    for (int k = 0; k < 3; k++) {
        height += P[3 * k + 2] * (at[k] - floor[k]);
        for (int i = 0; i < 3; i++) d[i] -= R[3 * k + i] * P[3 * k + 2];
    }
    for (int i = 0; i < lg_motion_contact_count(mo); i++) {
        lg_contact_state c;
        double off = 0;
        suite_ok("contact", lg_motion_contact(mo, &c, i));
        least = fmin(least, c.gap);
        if (isinf(c.gap)) continue;
        for (int k = 0; k < 3; k++) {
            off += P[3 * k + 2] * (c.point[k] - floor[k]);
            suite_near1("normal", c.normal[k], P[3 * k + 2], 1e-14, 1);
        }
        suite_near1("point", off, c.gap, 1e-14, 4);
    }
    suite_near1("gap", least, height - support(thing, d), 1e-14, 4);
}

static void gaps_of(lg_surface_kind kind, int moving, lg_rng *rng)
{
    double points[3 * POINTS], pose[14], inertia[3] = {0.01, 0.01, 0.01};
    lg_mechanism *m = touch_empty();
    lg_surface thing = lg_surface_default("thing", "b"), plane = lg_surface_default("plane", moving ? "floor" : NULL);
    suite_case("%s, a plane of %s", lg_surface_kind_name(kind), moving ? "a body" : "the world");
    for (int k = 0; k < 3; k++) thing.half[k] = between(rng, 0.1, 0.3);
    if (kind == LG_SURFACE_TORUS) thing.half[1] *= 0.3;
    for (int i = 0; i < 3 * POINTS; i++) points[i] = between(rng, -0.3, 0.3);
    if (kind == LG_SURFACE_HULL) thing.points = POINTS, thing.point = points;
    thing.kind = kind, plane.kind = LG_SURFACE_PLANE;
    random_frame(thing.position, thing.attitude, 0.2, rng), random_frame(plane.position, plane.attitude, 0.2, rng);
    touch_body(m, "b", 1, inertia, plane.position, 0), touch_body(m, "floor", 1, inertia, plane.position, 0);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &thing), m);
    mechanism_well(lg_mechanism_add_surface(m, NULL, &plane), m);
    lg_motion *mo = touch_motion(m, 0.01);
    for (int i = 0, well = 0; well < POSES; i++) {
        for (int b = 0; b < 2; b++) random_frame(pose + 7 * b, pose + 7 * b + 3, 2, rng);
        if (lg_motion_start_poses(mo, 0, pose, NULL, 0) != LG_OK) continue; /* they overlap */
        compare(mo, &thing, &plane, pose), well++;
        if (i > 20 * POSES) suite_fail("most poses overlap");
    }
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void gaps(void **unused)
{
    lg_rng rng = suite_rng(41);
    (void)unused;
    for (int kind = 0; kind < LG_SURFACE_PLANE; kind++) {
        gaps_of((lg_surface_kind)kind, 0, &rng);
        if (kind < LG_SURFACE_CYLINDER || kind == LG_SURFACE_HULL) gaps_of((lg_surface_kind)kind, 1, &rng);
    }
}

/* ---- values of two surfaces ---- */

/* A block of these values slides, and a ball of these values bounces, on ground of others. */
static void values_of(double friction, double restitution, double ground_friction, double ground_restitution, int own)
{
    const double half[3] = {0.1, 0.1, 0.1}, pose[14] = {0, 0, 0.1, 0, 0, 0, 1, 0, 2, 0.11, 0, 0, 0, 1};
    const double twist[12] = {3, [8] = -1};
    const double mu = own ? 0.25 : fmin(friction, ground_friction);
    const double e = own ? 0.35 : fmin(restitution, ground_restitution);
    lg_mechanism *m = touch_ground(ground_friction, ground_restitution, 0);
    touch_thing(m, "block", LG_SURFACE_BOX, half, pose, 0, friction, restitution);
    touch_thing(m, "ball", LG_SURFACE_SPHERE, half, pose + 7, 0, friction, restitution);
    lg_surface_pair none = lg_surface_pair_default("none", "block", "ball");
    none.ignored = 1;
    mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &none), m);
    for (int i = 0; i < 2 && own; i++) {
        lg_surface_pair p = lg_surface_pair_default(i ? "one" : "two", i ? "ground" : "block", i ? "ball" : "ground");
        p.friction = 0.25, p.restitution = 0.35;
        mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    }
    lg_motion *mo = touch_motion(m, 0.01);
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
    motion_well(lg_motion_step(mo, 2), mo);
    const double fall = sqrt(1 + 2 * 9.81 * 0.01), begins = (fall - 1) / 9.81;
    suite_case("friction %g on %g, restitution %g on %g, own %d", friction, ground_friction, restitution,
               ground_restitution, own);
    suite_near1("slides", touch_v(mo, 0, 0), 3 - mu * 9.81 * 0.02, 1e-12, 1);
    suite_near1("bounces", touch_v(mo, 1, 2), e * fall - 9.81 * (0.02 - begins), 1e-10, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void values(void **unused)
{
    (void)unused;
    for (int own = 0; own < 2; own++)
        values_of(0.2, 0.9, 0.5, 0.3, own), values_of(0.5, 0.3, 0.2, 0.9, own), values_of(0.4, 0.4, 0.4, 0.4, own);
}

/* ---- a belt ---- */

/* A ball that rolls on a belt without slip strikes a wall, which the ground's work shows, and rolls back. */
static void on_a_belt(void **unused)
{
    (void)unused;
    for (int law = 0; law <= LG_IMPACT_SEQUENTIAL; law++) {
        const double radius[3] = {0.1, 0, 0}, up[3] = {0, 0, 0.1}, v[6] = {2, 0, 0, 0, (2 - 0.7) / 0.1, 0},
                     pose[7] = {0, 0, 0.1, 0, 0, 0, 1};
        lg_mechanism *m = touch_empty();
        lg_wheel w = lg_wheel_default("wheel", "b");
        lg_surface wall = lg_surface_default("wall", NULL);
        touch_body(m, "b", 1, NULL, up, 0);
        w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.ground_velocity[0] = 0.7;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        touch_surface(m, "skin", "b", LG_SURFACE_SPHERE, radius, 0.3, 0.6);
        wall.kind = LG_SURFACE_PLANE, wall.restitution = 1, wall.position[0] = 0.5;
        touch_tilt(wall.attitude, -0.5 * SUITE_PI);
        mechanism_well(lg_mechanism_add_surface(m, NULL, &wall), m);
        lg_motion *mo = touch_motion_by(m, 0.01, (lg_impact_law)law, 0.01);
        suite_case("%s", lg_impact_law_name((lg_impact_law)law));
        motion_well(lg_motion_start_poses(mo, 0, pose, v, 0), mo);
        touch_watch watch = touch_begin(mo);
        watch.gains = law == LG_IMPACT_NEWTON;
        touch_run(&watch, mo, 50);
        assert_int_equal(lg_motion_impacts(mo), 1);
        suite_below("it comes back", touch_v(mo, 0, 0), -0.5);
        suite_above("the belt works", fabs(touch_account(mo).ground), 0.01);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

int main(void)
{
    suite_begin("contact_shapes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaps), cmocka_unit_test(values), cmocka_unit_test(on_a_belt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
