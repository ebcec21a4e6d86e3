/* SPDX-License-Identifier: BSD-3-Clause */
/* Composed joints: hinges and slides in series between two bodies, in random sequences. Positions and velocities into a
 * state and back; motions with their energy; against bodies that weigh next to nothing between the motions; with
 * springs, motors and rotors on the coordinates; in loops. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/composed.h"
#include "support/dynamic_states.h"

/* Positions and velocities into a state and back, of joints that are walked in both directions. */
static void round_trip(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(90); n++) {
        lg_rng rng = suite_rng(100 + (uint64_t)n);
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(1 + n % LG_JOINT_MOTIONS, &rng, 0, NULL);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, 1e-3), mo);
        const int count = lg_motion_position_count(mo);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], q1[COMPOSED_MOST], v1[COMPOSED_MOST];
        assert_int_equal(count, lg_mechanism_freedoms(m));
        composed_state(q, v, m, &rng);
        suite_input("q", q, count), suite_input("v", v, count);
        motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
        suite_ok("read", lg_motion_positions(mo, q1, v1));
        suite_near("positions", q1, q, count, 1e-13, 10);
        suite_near("velocities", v1, v, count, 1e-12, 10);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 30), mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-13, fmax(10, fabs(H)));
        suite_below("gap after 30 steps", lg_motion_gap(mo), 1e-13);
        suite_below("slip after 30 steps", lg_motion_slip(mo), 1e-11);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Poses far from those at assembly are found again, whichever angles lead there. */
static void start_poses(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(60); n++) {
        lg_rng rng = suite_rng(1000 + (uint64_t)n);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], pose[14], twist[12], again[14];
        lg_motion *mo, *other;
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(1 + n % LG_JOINT_MOTIONS, &rng, 0, NULL);
        composed_state(q, v, m, &rng);
        for (int k = 0; k < COMPOSED_MOST; k++) q[k] *= 6;
        motion_well(motion_create(&mo, m, NULL, 1e-3), mo), motion_well(motion_create(&other, m, NULL, 1e-3), other);
        motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
        for (int b = 0; b < 2; b++) {
            suite_ok("pose", lg_motion_body_pose(mo, pose + 7 * b, b));
            suite_ok("twist", lg_motion_body_twist(mo, twist + 6 * b, b));
        }
        motion_well(lg_motion_start_poses(other, 0, pose, twist, 0), other);
        suite_ok("positions", lg_motion_positions(other, q, v));
        motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
        for (int b = 0; b < 2; b++) suite_ok("pose", lg_motion_body_pose(mo, again + 7 * b, b));
        for (int b = 0; b < 2; b++) /* a quaternion and its negative are one attitude */
            for (int k = 3; again[7 * b + 6] * pose[7 * b + 6] < 0 && k < 7; k++) again[7 * b + k] *= -1;
        suite_near("poses", again, pose, 14, 1e-9, 1);
        lg_motion_destroy(mo), lg_motion_destroy(other), lg_mechanism_destroy(m);
    }
}

/* A body that floats is caught by a composed joint, far from the positions at assembly. */
static void caught(void **unused)
{
    (void)unused;
    for (int n = 0; n < 12; n++) {
        lg_rng rng = suite_rng(1100 + (uint64_t)n);
        lg_mechanism *m[2];
        lg_motion *mo, *other;
        lg_joint j = lg_joint_default("joint", LG_JOINT_COMPOSED, NULL, "body");
        double q[COMPOSED_MOST], v[COMPOSED_MOST], pose[7], twist[6] = {0.1, 0.2, 0.3, 1, 2, 3}, lost;
        suite_case("case %d", n);
        composed_motions(&j, 1 + n % 5, &rng);
        for (int held = 0; held < 2; held++) {
            mechanism_well(lg_mechanism_create(&m[held]), NULL);
            mechanism_add_body(m[held], "body", 0.3, 0.2, -0.1);
            if (held) mechanism_well(lg_mechanism_add_joint(m[held], NULL, &j), m[held]);
            mechanism_well(lg_mechanism_compile(m[held]), m[held]);
        }
        composed_state(q, v, m[1], &rng);
        for (int k = 0; k < COMPOSED_MOST; k++) q[k] *= 5;
        motion_well(motion_create(&mo, m[0], NULL, 0.01), mo),
            motion_well(motion_create(&other, m[1], NULL, 0.01), other);
        motion_well(lg_motion_start_joints(other, 0, q, NULL, 0), other);
        suite_ok("pose", lg_motion_body_pose(other, pose, 0));
        motion_well(lg_motion_start_poses(mo, 0, pose, twist, 0), mo);
        motion_well(lg_motion_continue(other, &lost, mo), other);
        suite_above("energy lost", lost, 0);
        suite_below("slip", lg_motion_slip(other), 1e-11);
        motion_well(lg_motion_step(other, 3), other);
        lg_motion_destroy(mo), lg_motion_destroy(other);
        lg_mechanism_destroy(m[0]), lg_mechanism_destroy(m[1]);
    }
}

/* Held at rest by the rows alone, below three gimbals: the wrench of the joint is the weight. Twelve such bodies on
 * one, which compilation takes apart. */
static void hub(void **unused)
{
    enum { LEGS = 12 };
    double wrench[6];
    lg_mechanism *m;
    lg_motion *mo;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "hub", 0, 0, 0);
    mechanism_add_joint(m, "ground", LG_JOINT_FIXED, NULL, "hub", (const double[3]){0, 0, 0},
                        (const double[3]){0, 0, 1});
    for (int i = 0; i < LEGS; i++) {
        char name[2][16];
        (void)snprintf(name[0], sizeof name[0], "leg %d", i), (void)snprintf(name[1], sizeof name[1], "hip %d", i);
        const double x = cos(i), y = sin(i);
        mechanism_add_body(m, name[0], x, y, -0.4);
        lg_joint j = lg_joint_default(name[1], LG_JOINT_COMPOSED, "hub", name[0]);
        j.motions = 3;
        for (int k = 0; k < 3; k++) {
            j.motion[k].kind = LG_JOINT_REVOLUTE, j.motion[k].axis[(k + 1) % 3] = 1;
            j.motion[k].point[0] = x, j.motion[k].point[1] = y;
        }
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_freedoms(m), 3 * LEGS);
    for (int k = 0; k < 2; k++) {
        motion_well(motion_create(&mo, m, k ? "gauss" : "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        motion_well(lg_motion_step(mo, 5), mo);
        suite_ok("wrench", lg_motion_joint_wrench(mo, wrench, lg_mechanism_joint(m, "hip 7")));
        suite_near("weight", wrench, (const double[6]){0, 0, 9.81, 0, 0, 0}, 6, 1e-10, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- forces on coordinates ---- */

enum { MOTORS = 2 };
static const double torques[MOTORS] = {0.7, -0.4};

/* Springs, dampers, friction and armature on every motion of the first joint; a motor on its first and on its last. */
static void all_forces(lg_mechanism *m, const char *mark, int motions)
{
    for (int i = 0; i < motions; i++) {
        char name[24], of[24];
        (void)snprintf(name, sizeof name, "c%d", i + 1), (void)snprintf(of, sizeof of, "first%s%d", mark, i + 1);
        lg_coordinate c = lg_coordinate_default(name, of);
        c.stiffness = 20 + 5 * i, c.rest = 0.1, c.damping = 0.3, c.friction = 0.2, c.friction_speed = 0.4;
        c.armature = i % 2 ? 0.2 : 0;
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    }
    for (int i = 0; i < MOTORS; i++) {
        char name[24], of[24];
        (void)snprintf(name, sizeof name, "m%d", i + 1);
        (void)snprintf(of, sizeof of, "first%s%d", mark, i ? motions : 1);
        lg_motor d = lg_motor_default(name, of);
        d.ratio = 1.5;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *q, const double *v)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
    if (lg_mechanism_motor_count(m) > 0) motion_well(lg_motion_set_control(mo, torques), mo);
    return mo;
}

/* The energy less the work is conserved, however long the step; the work of each motor is torque times angle. */
static void balance(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    (void)unused;
    for (int n = 0; n < suite_count(36); n++) {
        lg_rng rng = suite_rng(300 + (uint64_t)n);
        const int motions = 1 + n % LG_JOINT_MOTIONS, forced = n / LG_JOINT_MOTIONS % 2;
        suite_case("case %d, %d motions", n, motions);
        lg_mechanism *m = composed_pair(motions, &rng, 0, forced ? all_forces : NULL);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], q1[COMPOSED_MOST];
        composed_state(q, v, m, &rng);
        for (int k = 0; k < 2; k++) {
            lg_motion *mo = started(m, methods[k], k ? 0.005 : 0.02, q, v);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_step(mo, 20), mo);
            suite_near1(methods[k], lg_motion_energy(mo) - lg_motion_work(mo), H, k && forced ? 1e-9 : 1e-13, 100);
            suite_ok("read", lg_motion_positions(mo, q1, NULL));
            for (int i = 0; forced && i < MOTORS; i++) {
                const int c = i ? motions - 1 : 0;
                suite_near1("motor's work", lg_motion_motor_work(mo, i), 1.5 * torques[i] * (q1[c] - q[c]), 1e-12, 10);
            }
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

/* The limit of light bodies between the motions. */
static void light_bodies(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(12); n++) {
        const int motions = 1 + n % LG_JOINT_MOTIONS, forced = n / LG_JOINT_MOTIONS % 2;
        double q[2][COMPOSED_MOST], v[2][COMPOSED_MOST];
        suite_case("case %d, %d motions", n, motions);
        for (int light = 0; light < 2; light++) {
            lg_rng rng = suite_rng(500 + (uint64_t)n);
            lg_mechanism *m = composed_pair(motions, &rng, light ? 1e-9 : 0, forced ? all_forces : NULL);
            composed_state(q[light], v[light], m, &rng);
            lg_motion *mo = started(m, "gauss", 0.001, q[light], v[light]);
            motion_well(lg_motion_run_to(mo, 0.25), mo);
            suite_ok("read", lg_motion_positions(mo, q[light], v[light]));
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
        suite_near("positions", q[0], q[1], motions, 1e-6, fmax(1, dynamic_largest(q[1], motions)));
        suite_near("velocities", v[0], v[1], motions, 1e-6, fmax(1, dynamic_largest(v[1], motions)));
    }
}

static void order(void **unused)
{
    (void)unused;
    for (int motions = 1; motions <= LG_JOINT_MOTIONS; motions++) {
        lg_rng rng = suite_rng(700 + (uint64_t)motions);
        double v[COMPOSED_MOST], u[MOTORS];
        suite_case("%d motions", motions);
        lg_mechanism *m = composed_pair(motions, &rng, 0, all_forces);
        for (int k = 0; k < COMPOSED_MOST; k++) v[k] = cos(k + 1.);
        for (int k = 0; k < MOTORS; k++) u[k] = 0.1 * torques[k];
        mechanism_sem_order(m, v, u, 0.0025, 1e-9);
        lg_mechanism_destroy(m);
    }
}

/* Springs that are far stiffer than the step. */
static void stiff(void **unused)
{
    (void)unused;
    for (int motions = 1; motions < LG_JOINT_MOTIONS; motions++)
        for (double k = 1e3; k < 2e6; k *= 10) {
            lg_rng rng = suite_rng(800 + (uint64_t)motions);
            lg_mechanism *m;
            double q[COMPOSED_MOST], v[COMPOSED_MOST];
            lg_joint j = lg_joint_default("joint", LG_JOINT_COMPOSED, NULL, "body");
            suite_case("%d motions, k = %g", motions, k);
            mechanism_well(lg_mechanism_create(&m), NULL);
            mechanism_add_body(m, "body", 0.3, 0.2, -0.1);
            composed_motions(&j, motions, &rng);
            j.stiffness = k;
            mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
            mechanism_well(lg_mechanism_compile(m), m);
            composed_state(q, v, m, &rng);
            for (int i = 0; i < motions; i++) q[i] *= 0.02, v[i] *= 0.02;
            lg_motion *mo = started(m, "sem", 0.01, q, v);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_step(mo, 60), mo);
            suite_near1("energy", lg_motion_energy(mo), H, 1e-11, fmax(100, H));
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
}

/* ---- loops ---- */

/* Three composed joints in a ring: the world, one, two, the world; the last has motions that leave freedoms. */
static lg_mechanism *ring(lg_rng *rng, int last)
{
    lg_mechanism *m;
    lg_joint j[3] = {lg_joint_default("first", LG_JOINT_COMPOSED, NULL, "one"),
                     lg_joint_default("second", LG_JOINT_COMPOSED, "two", "one"),
                     lg_joint_default("last", LG_JOINT_COMPOSED, "two", NULL)};
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "one", 0.3, 0.2, -0.1), mechanism_add_body(m, "two", -0.2, 0.4, 0.3);
    for (int i = 0; i < 3; i++) {
        composed_motions(&j[i], i < 2 ? 3 : last, rng);
        j[i].stiffness = i == 2 ? 10 : 0, j[i].armature = i == 2 ? 0.1 : 0;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j[i]), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_freedoms(m), last);
    return m;
}

static void loops(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(12); n++) {
        lg_rng rng = suite_rng(900 + (uint64_t)n);
        const int last = 2 + n % 4;
        double v[COMPOSED_MOST], q[COMPOSED_MOST];
        suite_case("case %d, %d motions", n, last);
        lg_mechanism *m = ring(&rng, last);
        for (int k = 0; k < COMPOSED_MOST; k++) v[k] = 0.5 * cos(k + 1.);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, 0.005), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 40), mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-13, fmax(10, fabs(H)));
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-11);
        suite_ok("the last joint", lg_motion_joint(mo, q, NULL, 2));
        suite_above("it moves", dynamic_largest(q, last), 1e-3);
        lg_motion_destroy(mo);
        if (n < 4) mechanism_sem_order(m, v, NULL, 0.0025, 1e-8);
        lg_mechanism_destroy(m);
    }
}

/* ---- far from assembly ---- */

/* Sequences whose motions never depend on each other: two hinges askew, and slides or a hinge behind them. */
static void steady_motions(lg_joint *j, int motions, int arm)
{
    static const double axes[5][3] = {{0, 0, 1}, {0.6, 0, 0.8}, {1, 0.2, 0}, {0, 1, 0.3}, {0.2, 0, 1}};
    j->motions = motions;
    for (int i = 0; i < motions; i++) {
        lg_joint_motion *of = &j->motion[i];
        const int parallel = arm && i == 2; /* to the second, further out */
        of->kind = i < 2 || parallel ? LG_JOINT_REVOLUTE : LG_JOINT_PRISMATIC;
        memcpy(of->axis, axes[parallel ? 1 : i], sizeof of->axis);
        of->point[0] = 0.1 * i, of->point[1] = -0.3 * i, of->point[2] = 0.05;
    }
}

/* Motors turn the hinges many times: energy, gap, and the angles that are counted on. */
static void turns(void **unused)
{
    static const double zeros[3] = {0, 0, 0};
    (void)unused;
    for (int n = 0; n < 6; n++) {
        const int motions = n < 5 ? n + 1 : 3;
        const double h = 0.01, u[MOTORS] = {0.3, motions > 1 ? -0.2 : 0};
        lg_mechanism *m;
        double q[COMPOSED_MOST], v[COMPOSED_MOST];
        suite_case("case %d, %d motions", n, motions);
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_well(lg_mechanism_set_gravity(m, zeros), m);
        mechanism_add_body(m, "body", 0.3, 0.2, -0.1);
        lg_joint j = lg_joint_default("joint", LG_JOINT_COMPOSED, NULL, "body");
        steady_motions(&j, motions, n == 5);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        for (int i = 0; i < MOTORS; i++) {
            const lg_motor d = lg_motor_default(i ? "b" : "a", i && motions > 1 ? "joint.2" : "joint.1");
            mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
        }
        for (int i = 2; i < motions; i++) { /* slides stay near */
            char name[8], of[16];
            (void)snprintf(name, sizeof name, "c%d", i), (void)snprintf(of, sizeof of, "joint.%d", i + 1);
            lg_coordinate c = lg_coordinate_default(name, of);
            c.stiffness = 50, c.damping = 2;
            mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
        }
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, h), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_step(mo, 400), mo);
        suite_ok("read", lg_motion_positions(mo, q, v));
        suite_above("the first angle", q[0], 7);
        for (int i = 0; i < MOTORS; i++)
            suite_near1("motor's work", lg_motion_motor_work(mo, i), u[i] * q[motions > 1 ? i : 0], 1e-12, 100);
        suite_near1("balance", lg_motion_energy(mo) - lg_motion_work(mo), H, 1e-13, 100);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip), cmocka_unit_test(start_poses),  cmocka_unit_test(hub),   cmocka_unit_test(caught),
        cmocka_unit_test(balance),    cmocka_unit_test(light_bodies), cmocka_unit_test(order), cmocka_unit_test(stiff),
        cmocka_unit_test(loops),      cmocka_unit_test(turns),
    };
    suite_begin("multibody/composed");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
