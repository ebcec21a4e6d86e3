/* SPDX-License-Identifier: BSD-3-Clause */
/* Every kind of joint: positions and velocities into a state and back, its freedoms and rows, motion with its energy;
 * in random chains that mix all kinds, described in space and on the bodies, walked in both directions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanisms.h"

enum { LINKS = 6 };

static const lg_joint_kind kinds[] = {LG_JOINT_FIXED,     LG_JOINT_REVOLUTE,  LG_JOINT_PRISMATIC, LG_JOINT_CYLINDRICAL,
                                      LG_JOINT_UNIVERSAL, LG_JOINT_SPHERICAL, LG_JOINT_PLANAR,    LG_JOINT_FREE};

static void random_body(lg_mechanism *m, const char *name, lg_rng *rng)
{
    lg_body b = lg_body_default(name);
    double q[4], x[3], y[3];
    suite_normal(q, 4, rng), suite_normal(x, 3, rng), suite_normal(y, 3, rng);
    b.mass = 0.5 + lg_rng_uniform(rng);
    for (int k = 0; k < 3; k++)
        b.inertia[k] = 0.1 + 0.05 * lg_rng_uniform(rng), b.inertia[3 + k] = 0.02 * lg_rng_uniform(rng);
    suite_ok("attitude", lg_so3_project(b.attitude, q));
    for (int k = 0; k < 3; k++) b.position[k] = x[k], b.centre[k] = 0.3 * y[k];
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

/* A chain of LINKS bodies whose first joint has this kind; every other joint is described the other way round. */
static lg_mechanism *random_chain(lg_joint_kind first, lg_rng *rng)
{
    lg_mechanism *m;
    char names[LINKS][8];
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < LINKS; i++) {
        (void)snprintf(names[i], sizeof names[i], "b%d", i);
        random_body(m, names[i], rng);
    }
    for (int i = 0; i < LINKS; i++) {
        char name[8];
        const lg_joint_kind kind = i == 0 ? first : kinds[1 + (int)(6 * lg_rng_uniform(rng))];
        (void)snprintf(name, sizeof name, "j%d", i);
        const char *a = i > 0 ? names[i - 1] : NULL, *b = names[i];
        lg_joint j = lg_joint_default(name, kind, i % 2 ? b : a, i % 2 ? a : b);
        suite_normal(j.point, 3, rng), suite_normal(j.axis, 3, rng);
        j.in_space = i % 3 == 1 && (kind == LG_JOINT_SPHERICAL || kind == LG_JOINT_REVOLUTE);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void round_trip(void **unused)
{
    lg_rng rng = suite_rng(1);
    (void)unused;
    for (int n = 0; n < suite_count(80); n++) {
        suite_case("kind %d, chain %d", (int)kinds[n % 8], n);
        lg_mechanism *m = random_chain(kinds[n % 8], &rng);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, 0.001), mo);
        const int count = lg_motion_position_count(mo);
        assert_int_equal(count, lg_mechanism_freedoms(m));
        double q[6 * LINKS], v[6 * LINKS], q1[6 * LINKS], v1[6 * LINKS];
        suite_normal(q, count, &rng), suite_normal(v, count, &rng);
        for (int i = 0; i < count; i++) q[i] = tanh(q[i]); /* rotation vectors shorter than pi */
        suite_input("q", q, count), suite_input("v", v, count);
        motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
        suite_ok("read", lg_motion_positions(mo, q1, v1));
        suite_near("positions", q1, q, count, 1e-13, 1);
        suite_near("velocities", v1, v, count, 1e-12, 10);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 30), mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-12, fmax(1, fabs(H)));
        suite_below("gap after 30 steps", lg_motion_gap(mo), 1e-13);
        suite_below("slip after 30 steps", lg_motion_slip(mo), 1e-11);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Positions and velocities of a body that floats are those of its frame, not of its centre of mass. */
static void floating(void **unused)
{
    const double q[6] = {1, 2, 3, 0.3, -0.2, 0.9}, v[6] = {0.1, 0.2, 0.3, 2, -1, 0.5}, origin[3] = {0, 0, 0};
    (void)unused;
    lg_rng rng = suite_rng(3);
    lg_mechanism *m;
    lg_motion *mo;
    double x[3], dx[3], twist[6], q1[6], v1[6];
    mechanism_well(lg_mechanism_create(&m), NULL);
    random_body(m, "body", &rng);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
    suite_ok("point", lg_motion_point(mo, x, dx, 0, origin));
    suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
    suite_near("origin", x, q, 3, 1e-15, 10);
    suite_near("its velocity", dx, v, 3, 1e-15, 10);
    suite_near("angular velocity", twist + 3, v + 3, 3, 1e-15, 10);
    suite_above("velocity of the centre", fabs(twist[0] - v[0]) + fabs(twist[1] - v[1]), 0.1);
    suite_ok("positions", lg_motion_positions(mo, q1, v1));
    suite_near("positions", q1, q, 6, 1e-15, 10);
    suite_near("velocities", v1, v, 6, 1e-15, 10);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A revolute joint turns beyond pi: its position increases beyond pi, too. */
static void unwinding(void **unused)
{
    static const double point[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "wheel", 0, 0, 0);
    mechanism_add_joint(m, "axle", LG_JOINT_REVOLUTE, NULL, "wheel", point, axis);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    double q = 7, v = 5;
    motion_well(lg_motion_start_joints(mo, 0, &q, &v, 0), mo);
    motion_well(lg_motion_step(mo, 1000), mo);
    suite_ok("read", lg_motion_joint(mo, &q, &v, 0));
    suite_near1("angle", q, 7 + 2 / 0.01 * atan(5 * 0.01 / 2) * 10, 1e-12, 57); /* Cayley's rate */
    suite_near1("rate", v, 5, 1e-13, 5);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(unwinding),
        cmocka_unit_test(floating),
    };
    suite_begin("multibody/joints");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
