/* SPDX-License-Identifier: BSD-3-Clause */
/* Spheres that roll or slide on each other: the rows' derivatives, both engines, slip and energy to round-off, the
 * equations of a ball on a ball by a method of its own, momenta, normal forces, what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>
#include <liegrp/run/run.h>

#include "base/small.h"
#include "support/mechanism_systems.h"

static const double gravity[3] = {0.3, -0.2, -9.81}, none[3] = {0, 0, 0};

/* A body of 1.3 kg with the inertia xx, yy, zz. */
static void add_ball(lg_mechanism *m, const char *name, const double *at, const double *inertia)
{
    lg_body b = lg_body_default(name);
    b.mass = 1.3;
    memcpy(b.inertia, inertia, 3 * sizeof *inertia), memcpy(b.position, at, sizeof b.position);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

/* A ball of radius 0.2 on, or in, a sphere of radius 0.5 of the world, near the direction (0.6, 0.3, 0.7) from there.
 */
static lg_mechanism *ball(lg_contact contact, int inside, const double *g, const double *inertia)
{
    static const double at[3] = {0.42, 0.21, 0.5};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, g), m);
    add_ball(m, "ball", at, inertia);
    lg_sphere_contact c = lg_sphere_contact_default("foot", NULL, "ball");
    c.contact = contact, c.inside = inside, c.parent_radius = 0.5, c.child_radius = 0.2;
    mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Three bodies on a joint and two contacts, off their centres: the second rolls on the first, the third in the second.
 */
static lg_mechanism *pile(void)
{
    static const double at[3][3] = {{0, 0, 0}, {0.5, 0.2, 0.4}, {0.6, 0.3, 0.5}}, axis[3] = {0, 1, 1};
    static const double inertia[3][3] = {{0.1, 0.12, 0.14}, {0.2, 0.25, 0.3}, {0.03, 0.04, 0.05}};
    static const char *const names[3] = {"a", "b", "c"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_keep_order(m), m);
    for (int i = 0; i < 3; i++) add_ball(m, names[i], at[i], inertia[i]);
    mechanism_add_joint(m, "pin", LG_JOINT_UNIVERSAL, NULL, "a", none, axis);
    for (int i = 0; i < 2; i++) {
        lg_sphere_contact c = lg_sphere_contact_default(i ? "in" : "on", names[i], names[i + 1]);
        c.inside = i, c.parent_radius = 0.4, c.child_radius = i ? 0.25 : 0.4;
        c.parent_centre[0] = 0.1, c.child_centre[2] = 0.05;
        mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* ---- both engines ---- */

static void derivatives(void **unused)
{
    (void)unused;
    lg_mechanism *m = pile();
    lg_rng rng = {3};
    lg_motion *mo = motion_started(m, "sem", 0.001, &rng);
    mechanism_derivatives(m, mo, 2, &rng);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void engines(void **unused)
{
    (void)unused;
    lg_mechanism *m = pile();
    lg_rng rng = {5};
    lg_motion *mo = motion_started(m, "sem", 0.001, &rng);
    mechanism_both_steps(m, mo, 0.001, 10, 1e-12);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- what a motion keeps ---- */

static void keeps(void **unused)
{
    static const char *const methods[] = {"sem", "gauss:stages=4"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        suite_case("%s", methods[i]);
        lg_mechanism *m = pile();
        lg_rng rng = {7};
        lg_motion *mo = motion_started(m, methods[i], 0.001, &rng);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 300), mo);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-11, fmax(1, fabs(H)));
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Two balls that touch, in free space: what one does to the other does nothing to their momenta. */
static void momenta(void **unused)
{
    static const double at[2][3] = {{0, 0, 0}, {0.6, 0.2, 0.1}}, inertia[3] = {0.02, 0.03, 0.04};
    (void)unused;
    lg_mechanism *m;
    lg_rng rng = {9};
    double P[2][3], L[2][3];
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    for (int i = 0; i < 2; i++) add_ball(m, i ? "b" : "a", at[i], inertia);
    lg_sphere_contact c = lg_sphere_contact_default("pair", "a", "b");
    c.parent_radius = 0.4, c.child_radius = 0.3, c.child_centre[1] = 0.1;
    mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = motion_started(m, "gauss", 0.01, &rng);
    suite_ok("momentum", lg_motion_momentum(mo, P[0], L[0]));
    motion_well(lg_motion_step(mo, 50), mo);
    suite_ok("momentum", lg_motion_momentum(mo, P[1], L[1]));
    suite_near("P", P[1], P[0], 3, 1e-11, 1);
    suite_near("L", L[1], L[0], 3, 1e-11, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- a ball on a sphere, by textbook equations ---- */

enum { N = 3, V = 6, STATE = 7 }; /* l n = x, then v, then the spin w.n about the normal, which stays */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* With v = r w x n (r < 0 inside), I = k m r^2, x = l n: the tangential part of v' is
 * (g - n (n.g) + k r (w.n) (n x v)/l)/(1 + k), the normal one -v^2/l. */
static void rate(double *out, const double *z, const double *g, double k, double r, double l)
{
    const double *x = z, *v = z + 3, n[3] = {x[0] / l, x[1] / l, x[2] / l};
    double nv[3];
    small_cross(nv, n, v);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i];
        out[3 + i] = (g[i] - n[i] * dot(n, g) + k * r * z[6] * nv[i] / l) / (1 + k) - n[i] * dot(v, v) / l;
    }
    out[6] = 0;
}

static void integrate(double *z, const double *g, double k, double r, double l, double time, int steps)
{
    const double h = time / steps;
    for (int n = 0; n < steps; n++) {
        double at[STATE], slope[4][STATE];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < STATE; i++)
                at[i] = z[i] + (s == 0 ? 0 : s == 3 ? h : h / 2) * slope[s > 0 ? s - 1 : 0][i] * (s > 0);
            rate(slope[s], at, g, k, r, l);
        }
        for (int i = 0; i < STATE; i++) z[i] += h / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
    }
}

static void own_equations(void **unused)
{
    const double k = 0.4, I = k * 1.3 * 0.2 * 0.2, inertia[3] = {I, I, I};
    (void)unused;
    for (int inside = 0; inside < 2; inside++) {
        suite_case("%s", inside ? "inside" : "outside");
        lg_mechanism *m = ball(LG_CONTACT_ROLLS, inside, gravity, inertia);
        const double r = inside ? -0.2 : 0.2, l = 0.5 + r, velocities[6] = {0.5, 0.3, 0.2, 1, -2, 7};
        lg_motion *mo;
        double z[STATE] = {0}, pose[7], twist[6], force[3], want[3], zdot[STATE], n[3];
        motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, velocities, 1), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
        memcpy(z, pose, 3 * sizeof *z), memcpy(z + 3, twist, 3 * sizeof *z);
        for (int i = 0; i < 3; i++) n[i] = pose[i] / l;
        z[6] = dot(twist + 3, n);
        integrate(z, gravity, k, r, l, 0.5, 4000);
        motion_well(lg_motion_step(mo, 50), mo);
        suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
        suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
        suite_near("position", pose, z, 3, 1e-10, 1);
        suite_near("velocity", twist, z + 3, 3, 1e-9, 1);
        suite_near1("spin", dot(twist + 3, pose) / l, z[6], 1e-9, fabs(z[6]));
        suite_ok("force", lg_motion_sphere_contact_force(mo, force, 0)); /* in the mean of a step of 0.01 */
        integrate(z, gravity, k, r, l, -0.005, 40);
        rate(zdot, z, gravity, k, r, l);
        for (int i = 0; i < 3; i++) want[i] = 1.3 * (zdot[3 + i] - gravity[i]);
        suite_near("force", force, want, 3, 2e-3, 10);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* Another motion reads a checkpoint of this one: its least normal force, too. */
static void saved_normal(lg_mechanism *m, const lg_motion *mo, double force, double time)
{
    const size_t size = lg_motion_saved_bytes(mo);
    void *bytes = malloc(size);
    double saved_force, saved_time;
    lg_motion *other;
    suite_ok("save", lg_motion_save(mo, bytes, size));
    motion_well(motion_create(&other, m, "sem", 0.001), other);
    motion_well(lg_motion_load(other, bytes, size), other);
    suite_ok("normal", lg_motion_sphere_contact_normal(other, &saved_force, &saved_time, 0));
    suite_same_bits("force", &saved_force, &force, 1);
    suite_same_bits("time", &saved_time, &time, 1);
    lg_motion_destroy(other), free(bytes);
}

/* A point that slides from the top of a sphere of radius R parts from it where it has fallen by R/3. */
static void parts(void **unused)
{
    static const double down[3] = {0, 0, -9.81}, inertia[3] = {0.02, 0.02, 0.02};
    (void)unused;
    lg_mechanism *m = ball(LG_CONTACT_SLIDES, 0, down, inertia);
    lg_motion *mo;
    lg_run_result result = lg_run_result_default();
    double force, time, pose[7] = {0.7 * sin(0.01), 0, 0.7 * cos(0.01), 0, 0, 0, 1};
    motion_well(motion_create(&mo, m, "sem", 0.001), mo);
    motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 1), mo);
    lg_run_options o = lg_run_options_default();
    o.steps = 2000;
    motion_well(lg_run(mo, &result, &o), mo);
    suite_ok("normal", lg_motion_sphere_contact_normal(mo, &force, &time, 0));
    suite_below("pulls", force, -1);
    saved_normal(m, mo, force, time);
    const double lift = result.lift_time;
    motion_well(lg_motion_start_poses(mo, 0, pose, NULL, 1), mo);
    while (lg_motion_time(mo) < lift - 1e-9) motion_well(lg_motion_step(mo, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    suite_near1("height", pose[2], 2. / 3 * 0.7 * cos(0.01), 3e-3, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- what is refused ---- */

static void refused_as(lg_sphere_contact c, const char *why)
{
    static const double at[3] = {0, 0, 0}, inertia[3] = {1, 1, 1};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_ball(m, "ball", at, inertia);
    lg_status st = lg_mechanism_add_sphere_contact(m, NULL, &c);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status(why, st, LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), why);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    const double inertia[3] = {0.02, 0.02, 0.02};
    lg_sphere_contact c = lg_sphere_contact_default("foot", NULL, "ball"), bad;
    (void)unused;
    c.parent_radius = 0.5, c.child_radius = 0.2;
    bad = c, bad.contact = LG_CONTACT_EDGE, refused_as(bad, "spheres roll (0) or slide (2)");
    bad = c, bad.parent_radius = -1, refused_as(bad, "must not be negative");
    bad = c, bad.child_radius = (double)NAN, refused_as(bad, "all values finite");
    bad = c, bad.parent_radius = bad.child_radius = 0, refused_as(bad, "nor both 0");
    bad = c, bad.inside = 1, bad.child_radius = 0.5, refused_as(bad, "does not fit into the parent's");
    bad = c, bad.child = "bull", refused_as(bad, "there is no body 'bull'");
    bad = c, bad.child = NULL, refused_as(bad, "connects the world with itself");
    refused_as(c, "the centres coincide at assembly");
    lg_mechanism *m = ball(LG_CONTACT_ROLLS, 0, gravity, inertia);
    lg_motion *mo;
    suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("rattle", lg_motion_message(mo), "sphere contact 'foot' rolls");
    lg_motion_destroy(mo);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("no step", lg_motion_sphere_contact_force(mo, (double[3]){0}, 0), LG_ERROR_ARGUMENT);
    suite_status("no contact", lg_motion_sphere_contact_normal(mo, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_ok("read", lg_mechanism_read_sphere_contact(m, &c, 0));
    assert_string_equal(lg_mechanism_sphere_contact_name(m, 0), "foot");
    assert_null(lg_mechanism_sphere_contact_name(m, 1));
    suite_near1("radius", c.child_radius, 0.2, 0, 1);
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "foot.parent_radius")), 0.5, 0,
                1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A ball on a belt, and one that rolls on a sphere: no system, unless the belt slides under it. */
static void with_a_belt(void **unused)
{
    static const double at[3] = {0.42, 0.21, 0.5}, away[3] = {5, 0, 0.2}, inertia[3] = {0.02, 0.02, 0.02};
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        const lg_system *S;
        lg_mechanism *m;
        mechanism_well(lg_mechanism_create(&m), NULL);
        add_ball(m, "ball", at, inertia);
        add_ball(m, "rider", away, inertia);
        lg_sphere_contact c = lg_sphere_contact_default("foot", NULL, "ball");
        c.parent_radius = 0.5, c.child_radius = 0.2;
        mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
        lg_wheel w = lg_wheel_default("belt", "rider");
        w.kind = LG_WHEEL_BALL, w.radius = 0.2, w.ground_velocity[0] = 1;
        w.contact = slides ? LG_CONTACT_SLIDES : LG_CONTACT_ROLLS;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_status("system", lg_mechanism_system(m, &S), slides ? LG_OK : LG_ERROR_UNSUPPORTED);
        if (!slides) suite_contains("message", lg_mechanism_message(m), "only the sparse step finds");
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives), cmocka_unit_test(engines),       cmocka_unit_test(keeps),
        cmocka_unit_test(momenta),     cmocka_unit_test(own_equations), cmocka_unit_test(parts),
        cmocka_unit_test(refused),     cmocka_unit_test(with_a_belt),
    };
    suite_begin("multibody/spheres");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
