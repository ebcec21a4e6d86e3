/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies with many joints, which compilation takes apart: the same mechanism to all who look, the same motion as the
 * body in one piece (lg_mechanism_keep_order() keeps it whole), at a cost that grows with the number of joints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mechanisms.h"

enum { LEGS = 25, BODIES = LEGS + 1, MOST = LEGS + 8 };

/* A floating hub whose legs hang on it in turn by revolute, spherical and prismatic joints; neighbours 0 and 1, and 7
 * and 19, are tied by a bar; joint "spare" repeats joint "j3". */
static lg_mechanism *spider(int whole)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_SPHERICAL, LG_JOINT_PRISMATIC};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body hub = lg_body_default("hub");
    hub.mass = 12, hub.inertia[0] = 1, hub.inertia[1] = 1.5, hub.inertia[2] = 2, hub.inertia[3] = 0.2;
    hub.centre[0] = 0.1, hub.centre[2] = -0.05;
    mechanism_well(lg_mechanism_add_body(m, NULL, &hub), m);
    for (int i = 0; i < LEGS; i++) {
        char leg[16], joint[16];
        const double a = 6.283185307179586 * i / LEGS;
        (void)snprintf(leg, sizeof leg, "leg%d", i), (void)snprintf(joint, sizeof joint, "j%d", i);
        lg_body b = lg_body_default(leg);
        b.mass = 0.3 + 0.01 * i;
        b.inertia[0] = 0.02, b.inertia[1] = 0.03, b.inertia[2] = 0.025;
        b.position[0] = 1.4 * cos(a), b.position[1] = 1.4 * sin(a), b.position[2] = -0.2 - 0.01 * i;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        lg_joint j = lg_joint_default(joint, kinds[i % 3], i % 2 ? leg : "hub", i % 2 ? "hub" : leg);
        j.point[0] = cos(a), j.point[1] = sin(a);
        j.axis[0] = -sin(a), j.axis[1] = cos(a), j.axis[2] = 0.3;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        if (i != 3) continue;
        j.name = "spare";
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    lg_joint bar = lg_joint_default("bar", LG_JOINT_DISTANCE, "leg0", "leg1");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &bar), m);
    bar.name = "beam", bar.parent = "leg7", bar.child = "leg19";
    mechanism_well(lg_mechanism_add_joint(m, NULL, &bar), m);
    if (whole) mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* A motion from its assembled pose with velocities of all joints, in `count` steps to time 0.2. */
static lg_motion *spinning(const lg_mechanism *m, int count)
{
    lg_motion *mo;
    double v[3 * MOST];
    motion_well(motion_create(&mo, m, NULL, 0.2 / count), mo);
    assert_true(lg_motion_position_count(mo) <= 3 * MOST);
    for (int i = 0; i < lg_motion_position_count(mo); i++) v[i] = 0.8 * sin(1 + 2.3 * i);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

static void poses_of(const lg_motion *mo, double *poses)
{
    for (int b = 0; b < BODIES; b++) suite_ok("pose", lg_motion_body_pose(mo, poses + 7 * b, b));
}

static void same_to_all_who_look(void **unused)
{
    (void)unused;
    lg_mechanism *shared = spider(0), *whole = spider(1);
    lg_motion *a = spinning(shared, 100), *b = spinning(whole, 100);
    assert_int_equal(lg_mechanism_body_count(shared), BODIES);
    assert_int_equal(lg_mechanism_joint_count(shared), LEGS + 3);
    assert_null(lg_mechanism_body_name(shared, BODIES));
    assert_null(lg_mechanism_joint_name(shared, LEGS + 3));
    assert_int_equal(lg_mechanism_joint(shared, "hub"), -1);
    assert_int_equal(lg_mechanism_row_count(shared), lg_mechanism_row_count(whole));
    assert_int_equal(lg_mechanism_rank(shared), lg_mechanism_rank(whole));
    assert_int_equal(lg_mechanism_freedoms(shared), lg_mechanism_freedoms(whole));
    assert_string_equal(lg_mechanism_redundant(shared, 0), lg_mechanism_redundant(whole, 0));
    assert_null(lg_mechanism_redundant(shared, 1));
    assert_int_equal(lg_motion_position_count(a), lg_motion_position_count(b));
    double pose[7], P[6], Q[6];
    assert_int_equal(lg_motion_body_pose(a, pose, BODIES), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_motion_float_index(a, BODIES), -1);
    assert_int_equal(lg_motion_joint_index(a, NULL, LEGS + 3), -1);
    suite_near1("energy", lg_motion_energy(a), lg_motion_energy(b), 1e-13, 100);
    suite_ok("momentum", lg_motion_momentum(a, P, P + 3));
    suite_ok("momentum", lg_motion_momentum(b, Q, Q + 3));
    suite_near("momentum", P, Q, 6, 1e-13, 10);
    lg_motion_destroy(a), lg_motion_destroy(b);
    lg_mechanism_destroy(shared), lg_mechanism_destroy(whole);
}

/* The distance of both motions after 0.2 s; joints, energy and momentum of the shared one. */
static double distance(const lg_mechanism *shared, const lg_mechanism *whole, int count)
{
    lg_motion *a = spinning(shared, count), *b = spinning(whole, count);
    double x[7 * BODIES], y[7 * BODIES], most = 0;
    const double H = lg_motion_energy(a);
    motion_well(lg_motion_step(a, count), a);
    motion_well(lg_motion_step(b, count), b);
    suite_near1("energy", lg_motion_energy(a), H, 1e-12, 100);
    suite_below("gap", lg_motion_gap(a), 1e-13);
    suite_below("slip", lg_motion_slip(a), 1e-12);
    poses_of(a, x), poses_of(b, y);
    for (int i = 0; i < 7 * BODIES; i++) most = fmax(most, fabs(x[i] - y[i]));
    lg_motion_destroy(a), lg_motion_destroy(b);
    return most;
}

static void same_motion(void **unused)
{
    (void)unused;
    lg_mechanism *shared = spider(0), *whole = spider(1);
    const double coarse = distance(shared, whole, 50), fine = distance(shared, whole, 100);
    suite_below("distance", coarse, 1e-3);
    suite_above("distance", coarse, 1e-9); /* in another gauge */
    suite_near1("order", log2(coarse / fine), 2, 0.2, 1);
    lg_mechanism_destroy(shared), lg_mechanism_destroy(whole);
}

static void starts(void **unused)
{
    (void)unused;
    lg_mechanism *m = spider(0), *other = spider(1);
    lg_motion *a = spinning(m, 100), *b, *c;
    double poses[7 * BODIES], twists[6 * BODIES], x[7 * BODIES], y[7 * BODIES], lost;
    motion_well(lg_motion_step(a, 10), a);
    poses_of(a, poses);
    for (int i = 0; i < BODIES; i++) suite_ok("twist", lg_motion_body_twist(a, twists + 6 * i, i));
    motion_well(motion_create(&b, m, NULL, 0.002), b);
    motion_well(lg_motion_start_poses(b, 0.02, poses, twists, 0), b);
    motion_well(motion_create(&c, other, NULL, 0.002), c);
    motion_well(lg_motion_continue(c, &lost, a), c);
    suite_near1("lost", lost, 0, 1e-12, 100);
    motion_well(lg_motion_step(a, 10), a);
    motion_well(lg_motion_step(b, 10), b);
    poses_of(a, x), poses_of(b, y);
    suite_near("poses", x, y, 7 * BODIES, 1e-9, 1);
    motion_well(lg_motion_step(c, 10), c);
    poses_of(c, y);
    suite_near("poses in one piece", x, y, 7 * BODIES, 1e-4, 1);
    lg_motion_destroy(a), lg_motion_destroy(b), lg_motion_destroy(c);
    lg_mechanism_destroy(m), lg_mechanism_destroy(other);
}

/* What cannot be compiled stays as it was described. */
static void refused(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("hub");
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    b.name = "arm";
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    for (int i = 0; i < 12; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "j%d", i);
        const lg_joint j = lg_joint_default(name, LG_JOINT_REVOLUTE, i == 11 ? "hip" : "hub", "arm");
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    for (int again = 0; again < 2; again++) {
        assert_int_equal(lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        assert_non_null(strstr(lg_mechanism_message(m), "joint 'j11': there is no body 'hip'"));
        assert_int_equal(lg_mechanism_body_count(m), 2);
        assert_int_equal(lg_mechanism_joint_count(m), 12);
    }
    b.name = "hip";
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_body_count(m), 3);
    assert_string_equal(lg_mechanism_body_name(m, 2), "hip");
    lg_mechanism_destroy(m);
}

/* Shares have no names of their own that a checkpoint could hold. */
static void saved_and_loaded(void **unused)
{
    (void)unused;
    lg_mechanism *m = spider(0);
    lg_motion *a = spinning(m, 100), *b = spinning(m, 100);
    double x[7 * BODIES], y[7 * BODIES];
    motion_well(lg_motion_step(a, 5), a);
    const size_t size = lg_motion_saved_bytes(a);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    suite_ok("save", lg_motion_save(a, bytes, size));
    motion_well(lg_motion_load(b, bytes, size), b);
    motion_well(lg_motion_step(a, 5), a);
    motion_well(lg_motion_step(b, 5), b);
    poses_of(a, x), poses_of(b, y);
    suite_same_bits("poses", x, y, 7 * BODIES);
    free(bytes);
    lg_motion_destroy(a), lg_motion_destroy(b);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_to_all_who_look),
        cmocka_unit_test(same_motion),
        cmocka_unit_test(starts),
        cmocka_unit_test(refused),
        cmocka_unit_test(saved_and_loaded),
    };
    return cmocka_run_group_tests_name("wide bodies", tests, NULL, NULL);
}
