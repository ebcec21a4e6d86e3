/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotors of joints: states of MuJoCo, bodies with as much more inertia, the rows' derivatives, both engines, energy,
 * momenta, motors with a ratio, linearisation, what is refused. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/parameters.h>

#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0};

/* Kinds of joints that have positions. */
static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE,  LG_JOINT_PRISMATIC, LG_JOINT_CYLINDRICAL, LG_JOINT_UNIVERSAL,
                                      LG_JOINT_SPHERICAL, LG_JOINT_PLANAR,    LG_JOINT_FREE};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* A joint about z at the origin. */
static void join(lg_mechanism *m, lg_joint_kind kind, const char *parent, const char *child, const double *axis,
                 double armature)
{
    lg_joint j = lg_joint_default("joint", kind, parent, child);
    memcpy(j.axis, axis, sizeof j.axis), j.armature = armature;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
}

/* Two bodies on a joint of this kind, the first on a universal joint to the world. */
static lg_mechanism *pair(lg_joint_kind kind, double armature)
{
    static const double at[3] = {-0.4, 0.1, 0.2}, axis[3] = {1, 2, 2}, along[3] = {0, 1, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
    mechanism_add_joint(m, "hook", LG_JOINT_UNIVERSAL, NULL, "a", at, along);
    join(m, kind, "a", "b", axis, armature);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* ---- MuJoCo ---- */

/* Three links on hinges about z, y, x, each with an armature of 0.1: MuJoCo 3.14, RK4 with steps of 1e-4, at t = 1. */
static lg_mechanism *arm(void)
{
    static const double axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, inertia[3] = {0.002, 0.01, 0.01};
    static const char *const bodies[4] = {NULL, "b0", "b1", "b2"}, *const joints[3] = {"j0", "j1", "j2"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 3; i++) {
        lg_body b = lg_body_default(bodies[i + 1]);
        lg_joint j = lg_joint_default(joints[i], LG_JOINT_REVOLUTE, bodies[i], bodies[i + 1]);
        b.mass = 1, b.centre[0] = 0.15, b.position[0] = 0.3 * i;
        memcpy(b.inertia, inertia, sizeof inertia), memcpy(j.axis, axes[i], sizeof j.axis);
        j.point[0] = 0.3 * i, j.armature = 0.1;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void mujoco(void **unused)
{
    static const double start[6] = {0, 0.3, 0, 1, 0, 2};
    static const double q[3] = {3.1758070959494686, 2.327458385776232, 2.0388378515838843};
    static const double v[3] = {4.822327203794468, -2.224737500487644, 2.0629597261990407};
    (void)unused;
    lg_mechanism *m = arm();
    lg_motion *mo;
    double to[6];
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, start, start + 3, 0), mo);
    const double H = lg_motion_energy(mo);
    suite_near1("freedoms", lg_mechanism_freedoms(m), 3, 0, 1);
    suite_near1("positions", lg_motion_position_count(mo), 3, 0, 1);
    suite_near1("rank", lg_mechanism_rank(m), 15, 0, 1);
    motion_well(lg_motion_step(mo, 100), mo);
    suite_ok("positions", lg_motion_positions(mo, to, to + 3));
    suite_near("q", to, q, 3, 1e-9, 1);
    suite_near("v", to + 3, v, 3, 1e-8, 1);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-13, 10);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* ---- a body with more inertia ---- */

/* A body on a joint to the world, without weight; `more` of mass and inertia. */
static lg_mechanism *alone(lg_joint_kind kind, double armature, double mass, const double *more)
{
    static const double z[3] = {0, 0, 1};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    lg_body b = lg_body_default("body");
    b.mass = 2 + mass;
    for (int i = 0; i < 3; i++) b.inertia[i] = 0.4 + 0.05 * i + more[i];
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    join(m, kind, NULL, "body", z, armature);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void more_inertia(void **unused)
{
    const double I = 0.3, zz[3] = {0, 0, I}, all[3] = {I, I, I}, velocities[6] = {0.7, -0.4, 1.1, 0.5, 2, -3};
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        const lg_joint_kind kind = kinds[i];
        const int ball = kind == LG_JOINT_SPHERICAL || kind == LG_JOINT_FREE;
        const double mass = kind == LG_JOINT_REVOLUTE || kind == LG_JOINT_SPHERICAL ? 0 : I;
        double q[2][12];
        int n = 0;
        if (kind == LG_JOINT_UNIVERSAL) continue; /* no body is like that */
        suite_case("kind %d", (int)kind);
        for (int with = 0; with < 2; with++) {
            lg_mechanism *m = alone(kind, with ? I : 0, with ? 0 : mass, with ? none : ball ? all : zz);
            lg_motion *mo;
            motion_well(motion_create(&mo, m, "gauss", 0.02), mo);
            n = lg_motion_position_count(mo);
            motion_well(lg_motion_start_joints(mo, 0, NULL, velocities, 0), mo);
            motion_well(lg_motion_step(mo, 60), mo);
            suite_ok("positions", lg_motion_positions(mo, q[with], q[with] + n));
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
        suite_near("state", q[1], q[0], 2 * n, 1e-11, 1);
    }
}

/* ---- any two bodies ---- */

/* The rotor adds I/2 for each velocity squared to the energy at the same state. */
static void energy(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        double H[2], v[6], sum = 0;
        int count = 0;
        suite_case("kind %d", (int)kinds[i]);
        for (int with = 0; with < 2; with++) {
            lg_mechanism *m = pair(kinds[i], with ? 0.3 : 0);
            lg_motion *mo;
            double x[16];
            for (int k = 0; k < 16; k++) x[k] = 0.3 * sin(k + 1.);
            motion_well(motion_create(&mo, m, NULL, 0.01), mo);
            motion_well(lg_motion_start_joints(mo, 0, x, x + 8, 0), mo);
            H[with] = lg_motion_energy(mo);
            const int first = lg_motion_joint_index(mo, &count, 1);
            suite_ok("joint", lg_motion_joint(mo, NULL, v, 1));
            suite_near("velocities", v, x + 8 + first, count, 1e-14, 1);
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
        for (int k = 0; k < count; k++) sum += 0.5 * 0.3 * v[k] * v[k];
        suite_near1("energy", H[1] - H[0], sum, 1e-14, fabs(H[0]) + sum);
    }
}

static void derivatives(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m = pair(kinds[i], 0.3);
        lg_rng rng = {3};
        lg_motion *mo = motion_started(m, "sem", 0.001, &rng);
        mechanism_derivatives(m, mo, 2, &rng);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void keeps(void **unused)
{
    static const char *const methods[] = {"sem", "gauss:stages=4"};
    (void)unused;
    for (int i = 0; i < 2 * KINDS; i++) {
        suite_case("%s, kind %d", methods[i % 2], (int)kinds[i / 2]);
        lg_mechanism *m = pair(kinds[i / 2], 0.3);
        lg_rng rng = {7};
        lg_motion *mo = motion_started(m, methods[i % 2], 0.005, &rng);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 200), mo);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-12, fmax(10, fabs(H)));
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void engines(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m = pair(kinds[i], 0.3);
        lg_rng rng = {5};
        lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
        mechanism_both_steps(m, mo, 0.002, 10, 1e-12);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* On a turntable, whose rotors turn with what the ground moves. */
static void on_moving_ground(void **unused)
{
    static const double at[3] = {0, 0, 0.7}, axis[3] = {0, 1, 1};
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m;
        lg_rng rng = {11};
        lg_wheel w = lg_wheel_default("sole", "a");
        lg_joint j = lg_joint_default("joint", kinds[i], "a", "b");
        w.kind = LG_WHEEL_BALL, w.radius = 0.5, w.ground_spin = 2, w.ground_velocity[0] = 0.3;
        memcpy(j.axis, axis, sizeof axis), memcpy(j.point, at, sizeof at), j.armature = 0.3;
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "a", 0.1, 0.2, 0.5), mechanism_add_body(m, "b", 0.2, 0.1, 0.9);
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
        mechanism_both_steps(m, mo, 0.002, 10, 1e-12);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void order(void **unused)
{
    double v[8];
    (void)unused;
    for (int k = 0; k < 8; k++) v[k] = cos(k + 1.);
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m = pair(kinds[i], 0.3);
        mechanism_sem_order(m, v, NULL, 0.01, 1e-10);
        lg_mechanism_destroy(m);
    }
}

/* Momenta in space of two bodies that float are those of bodies alone, and stay. */
static void momenta(void **unused)
{
    static const double axis[3] = {1, 2, 2};
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        lg_mechanism *m;
        lg_rng rng = {9};
        double P[2][3], L[2][3];
        suite_case("kind %d", (int)kinds[i]);
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_well(lg_mechanism_set_gravity(m, none), m);
        mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
        join(m, kinds[i], "a", "b", axis, 0.3);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo = motion_started(m, "gauss", 0.01, &rng);
        suite_ok("momentum", lg_motion_momentum(mo, P[0], L[0]));
        motion_well(lg_motion_step(mo, 50), mo);
        suite_ok("momentum", lg_motion_momentum(mo, P[1], L[1]));
        suite_near("P", P[1], P[0], 3, 1e-11, 1);
        suite_near("L", L[1], L[0], 3, 1e-11, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- motors ---- */

/* A motor u with ratio n and rotor I on a hinge of inertia J turns it with n u/(J + n^2 I), and does n u q. */
static void motor(void **unused)
{
    static const double z[3] = {0, 0, 1};
    const double u = 0.2, n = -30, I = 1e-3, t = 0.5, turn = n * u / (0.3 + 0.1 + n * n * I) * t * t / 2;
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double q;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("body");
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.3;
    lg_motor d = lg_motor_default("drive", "joint");
    d.ratio = n, d.rotor_inertia = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    join(m, LG_JOINT_REVOLUTE, NULL, "body", z, 0.1);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < 3; i++) { /* sem's angles are those of Cayley's map; the last is a dense method */
        static const char *const methods[3] = {"sem", "gauss", "sem:gauss=2"};
        static const double tolerance[3] = {1e-4, 1e-12, 1e-7};
        suite_case("%s", methods[i]);
        motion_well(motion_create(&mo, m, methods[i], 0.01), mo);
        motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
        motion_well(lg_motion_set_control(mo, &u), mo);
        motion_well(lg_motion_step(mo, 50), mo);
        suite_ok("joint", lg_motion_joint(mo, &q, NULL, 0));
        suite_near1("turn", q, turn, tolerance[i], fabs(turn));
        suite_near1("work", lg_motion_work(mo), n * u * q, 1e-12, fabs(n * u * q));
        suite_near1("energy", lg_motion_energy(mo), n * u * q, 1e-12, fabs(n * u * q));
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- linearisation ---- */

/* A pendulum with a rotor swings like one whose inertia is as much larger. */
static void linearised(void **unused)
{
    static const double axis[3] = {0, 1, 0};
    double A[2][4], B[4];
    (void)unused;
    for (int with = 0; with < 2; with++) {
        lg_mechanism *m;
        lg_motion *mo;
        lg_body b = lg_body_default("body");
        int positions;
        b.mass = 2, b.position[2] = -0.5;
        for (int i = 0; i < 3; i++) b.inertia[i] = with ? 0.1 : 0.35;
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        join(m, LG_JOINT_REVOLUTE, NULL, "body", axis, with ? 0.25 : 0);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        suite_near1("freedoms", lg_motion_freedoms(mo, &positions), 2, 0, 1);
        suite_near1("of positions", positions, 1, 0, 1);
        motion_well(lg_motion_linearise(mo, A[with], NULL, NULL, NULL), mo);
        suite_near1("frequency", A[with][2] * A[with][1], -2 * 9.81 * 0.5 / (2 * 0.25 + 0.35), 1e-9, 10);
        motion_well(lg_motion_linearise_step(mo, B, NULL, NULL, NULL), mo);
        suite_near1("volume", B[0] * B[3] - B[1] * B[2], 1, 1e-10, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- what is refused ---- */

static void refused(void **unused)
{
    static const double bad[] = {-0.1, NAN, INFINITY};
    lg_mechanism *m;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 3; i++) {
        lg_joint j = lg_joint_default("joint", LG_JOINT_REVOLUTE, NULL, "b");
        lg_motor d = lg_motor_default("motor", "joint");
        j.armature = d.rotor_inertia = bad[i];
        suite_status("armature", lg_mechanism_add_joint(m, NULL, &j), LG_ERROR_ARGUMENT);
        suite_contains("armature", lg_mechanism_message(m), i ? "not finite" : "armature is -0.1");
        suite_status("rotor", lg_mechanism_add_motor(m, NULL, &d), LG_ERROR_ARGUMENT);
        suite_contains("rotor", lg_mechanism_message(m), "rotor_inertia");
        d.rotor_inertia = 0, d.ratio = i ? bad[i] : 0;
        suite_status("ratio", lg_mechanism_add_motor(m, NULL, &d), LG_ERROR_ARGUMENT);
        suite_contains("ratio", lg_mechanism_message(m), "ratio is");
    }
    lg_joint j = lg_joint_default("joint", LG_JOINT_FIXED, NULL, "b");
    j.armature = 1;
    suite_status("fixed", lg_mechanism_add_joint(m, NULL, &j), LG_ERROR_ARGUMENT);
    suite_contains("fixed", lg_mechanism_message(m), "a fixed joint has none");
    lg_mechanism_destroy(m);
    m = pair(LG_JOINT_SPHERICAL, 0.3);
    lg_motion *mo;
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "joint.armature")), 0.3, 0, 1);
    suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("rattle", lg_motion_message(mo), "joint 'joint' turns a rotor");
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mujoco),  cmocka_unit_test(more_inertia), cmocka_unit_test(energy),
        cmocka_unit_test(keeps),   cmocka_unit_test(derivatives),  cmocka_unit_test(engines),
        cmocka_unit_test(order),   cmocka_unit_test(momenta),      cmocka_unit_test(motor),
        cmocka_unit_test(refused), cmocka_unit_test(linearised),   cmocka_unit_test(on_moving_ground),
    };
    suite_begin("multibody/rotors");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
