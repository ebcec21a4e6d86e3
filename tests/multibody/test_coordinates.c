/* SPDX-License-Identifier: BSD-3-Clause */
/* Springs, motors, gears and limits on every position of joints that have several: closed forms, energies and powers,
 * both engines, order, turns, what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0}, z[3] = {0, 0, 1};

static const lg_joint_kind kinds[] = {LG_JOINT_CYLINDRICAL, LG_JOINT_UNIVERSAL, LG_JOINT_PLANAR};
enum { KINDS = 3 };

/* Two bodies on a joint of this kind, the first on a hinge to the world; with a spring and a damper on every position
 * and a motor on each. */
static lg_mechanism *pair(lg_joint_kind kind, double stiffness, double damping)
{
    static const double at[3] = {-0.4, 0.1, 0.2}, along[3] = {0, 1, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "a", at, along);
    lg_joint j = lg_joint_default("joint", kind, "a", "b");
    j.axis[0] = 1, j.axis[1] = 2, j.axis[2] = 2;
    j.stiffness = stiffness, j.rest = 0.1, j.damping = damping, j.friction = 0.2 * damping, j.friction_speed = 0.5;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    for (int i = 0; i < lg_joint_kind_positions(kind); i++) {
        char name[2][24];
        (void)snprintf(name[0], sizeof name[0], "m%d", i), (void)snprintf(name[1], sizeof name[1], "joint.%d", i + 1);
        const lg_motor d = lg_motor_default(name[0], name[1]);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *q, const double *v)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
    return mo;
}

/* ---- closed forms ---- */

/* A body on springs k about the axis and along both directions of a plane. */
static void planar(void **unused)
{
    const double k = 3, mass = 2, I = 0.4, q[3] = {0.2, -0.1, 0.4}, t = 1;
    double to[6];
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("body");
    b.mass = mass, b.inertia[0] = b.inertia[1] = b.inertia[2] = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    lg_joint j = lg_joint_default("table", LG_JOINT_PLANAR, NULL, "body");
    j.stiffness = k;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "gauss", 0.02, q, NULL);
    suite_near1("energy", lg_motion_energy(mo), 0.5 * k * (0.04 + 0.01 + 0.16), 1e-15, 1);
    motion_well(lg_motion_run_to(mo, t), mo);
    suite_ok("positions", lg_motion_positions(mo, to, to + 3));
    for (int i = 0; i < 3; i++) {
        const double w = sqrt(k / (i < 2 ? mass : I));
        suite_near1("position", to[i], q[i] * cos(w * t), 1e-12, 1);
        suite_near1("rate", to[3 + i], -q[i] * w * sin(w * t), 1e-12, 1);
    }
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* A nut on a vertical screw: a gear from the length to the angle of one cylindrical joint. */
static void screw(void **unused)
{
    const double mass = 2, I = 0.4, n = 5, t = 0.7, a = -9.81 * mass / (mass + n * n * I);
    double to[4];
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("nut");
    b.mass = mass, b.inertia[0] = b.inertia[1] = b.inertia[2] = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_add_joint(m, "screw", LG_JOINT_CYLINDRICAL, NULL, "nut", none, z);
    lg_gear g = lg_gear_default("thread", "screw.2", "screw.1");
    g.ratio = n;
    mechanism_well(lg_mechanism_add_gear(m, NULL, &g), m);
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < 2; i++) {
        lg_motion *mo = started(m, i ? "gauss" : "sem", 0.01, NULL, NULL);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("joint", lg_motion_joint(mo, to, to + 2, 0));
        suite_near1("angle", to[1], n * to[0], 1e-13, 10);
        suite_near1("length", to[0], a * t * t / 2, i ? 1e-12 : 1e-3, 1);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-12, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* A motor on the second angle of a cross turns it any number of times; it alone of both angles. */
static void turns(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    const double I = 0.3, u[2] = {0, 6}, t = 2;
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    lg_body b = lg_body_default("body");
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_add_joint(m, "cross", LG_JOINT_UNIVERSAL, NULL, "body", none, z);
    for (int i = 0; i < 2; i++) {
        lg_motor d = lg_motor_default(i ? "second" : "first", i ? "cross.2" : "cross.1");
        d.rotor_inertia = i ? 0.2 : 0;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < 2; i++) {
        double to[4];
        suite_case("%s", methods[i]);
        lg_motion *mo = started(m, methods[i], 0.005, NULL, NULL);
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("joint", lg_motion_joint(mo, to, to + 2, 0));
        suite_near1("first", to[0], 0, 1e-12, 1);
        suite_near1("second", to[1], u[1] / (I + 0.2) * t * t / 2, i ? 1e-11 : 1e-3, 24);
        suite_near1("rate", to[3], u[1] / (I + 0.2) * t, i ? 1e-11 : 1e-3, 24);
        suite_near1("work", lg_motion_motor_work(mo, 1), u[1] * to[1], 1e-12, 144);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- any two bodies ---- */

/* The energy of a spring, and the power of motors. */
static void energies(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        double H[2], q[3], x[10];
        int n = 0;
        suite_case("kind %d", (int)kinds[i]);
        for (int k = 0; k < 10; k++) x[k] = 0.4 * sin(k + 1.);
        for (int with = 0; with < 2; with++) {
            lg_mechanism *m = pair(kinds[i], with ? 7 : 0, 0);
            lg_motion *mo = started(m, NULL, 0.01, x, x + 5);
            H[with] = lg_motion_energy(mo);
            suite_ok("joint", lg_motion_joint(mo, q, NULL, 1));
            n = lg_joint_kind_positions(kinds[i]);
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
        double V = 0;
        for (int k = 0; k < n; k++) V += 0.5 * 7 * (q[k] - 0.1) * (q[k] - 0.1);
        suite_near1("spring", H[1] - H[0], V, 1e-13, 10);
        lg_mechanism *m = pair(kinds[i], 0, 0);
        for (int k = 0; k < n; k++) {
            double u[3] = {0, 0, 0}, before[3], after[3];
            u[k] = 0.7;
            lg_motion *mo = started(m, NULL, 0.01, x, x + 5);
            motion_well(lg_motion_set_control(mo, u), mo);
            suite_ok("joint", lg_motion_joint(mo, before, NULL, 1));
            const double start = lg_motion_energy(mo);
            motion_well(lg_motion_step(mo, 20), mo);
            suite_ok("joint", lg_motion_joint(mo, after, NULL, 1));
            suite_near1("work", lg_motion_motor_work(mo, k), 0.7 * (after[k] - before[k]), 1e-13, 1);
            suite_near1("balance", lg_motion_energy(mo) - start, lg_motion_work(mo), 1e-12, 10);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

static void engines(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m = pair(kinds[i], 5, 0.3);
        lg_rng rng = {5};
        lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
        mechanism_derivatives(m, mo, 2, &rng);
        mechanism_both_steps(m, mo, 0.002, 10, 1e-12);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void order(void **unused)
{
    const double u[3] = {0.4, -0.3, 0.2};
    double v[4];
    (void)unused;
    for (int k = 0; k < 4; k++) v[k] = cos(k + 1.);
    for (int i = 0; i < KINDS; i++) {
        suite_case("kind %d", (int)kinds[i]);
        lg_mechanism *m = pair(kinds[i], 20, 0.1);
        mechanism_sem_order(m, v, u, 0.005, 1e-9);
        lg_mechanism_destroy(m);
    }
}

/* Stiff springs on every position, and servos, with steps far beyond them. */
static void stiff(void **unused)
{
    (void)unused;
    for (int i = 0; i < KINDS; i++)
        for (double k = 1e3; k < 2e7; k *= 100) {
            suite_case("kind %d, k = %g", (int)kinds[i], k);
            lg_mechanism *m = pair(kinds[i], k, 0);
            const double q[4] = {0.1, 0.1, 0.1, 0.1};
            lg_motion *mo = started(m, "sem", 0.01, q, NULL);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_step(mo, 60), mo);
            suite_near1("energy", lg_motion_energy(mo), H, 1e-11, 100);
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
}

/* ---- rotation vectors ---- */

/* A ball on a spherical joint at its centre with a damper and a motor about the second axis: w' = (u - c w)/I. */
static void ball(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    const double I = 0.4, c = 0.3, t = 1, w0[3] = {1, -0.5, 0}, u[3] = {0, 0.7, 0};
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("ball");
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    lg_joint j = lg_joint_default("socket", LG_JOINT_SPHERICAL, NULL, "ball");
    j.damping = c, j.second[0] = 1;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"x", "y", "z"}, *const places[] = {"socket.1", "socket.2", "socket.3"};
        const lg_motor d = lg_motor_default(names[i], places[i]);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < 2; i++) {
        double v[3];
        suite_case("%s", methods[i]);
        lg_motion *mo = started(m, methods[i], 0.01, NULL, w0);
        motion_well(lg_motion_set_control(mo, u), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("joint", lg_motion_joint(mo, NULL, v, 0));
        for (int k = 0; k < 3; k++)
            suite_near1("rate", v[k], u[k] / c + (w0[k] - u[k] / c) * exp(-c / I * t), i == 1 ? 1e-12 : 1e-4, 1);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 1);
        const double wanted = u[1] / c, left = (w0[1] - wanted) * (1 - exp(-c / I * t)) * I / c;
        suite_near1("work", lg_motion_motor_work(mo, 1), u[1] * (wanted * t + left), i ? 1e-12 : 1e-4, 1);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Two bodies on a ball or free of each other, with a damper and motors: both engines, balance, order, stiff dampers. */
static lg_mechanism *loose(lg_joint_kind kind, double damping)
{
    static const double at[3] = {-0.4, 0.1, 0.2}, along[3] = {0, 1, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "a", at, along);
    lg_joint j = lg_joint_default("joint", kind, "a", "b");
    j.axis[0] = 1, j.axis[1] = 2, j.axis[2] = 2, j.damping = damping;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const int first = kind == LG_JOINT_FREE ? 4 : 1;
    for (int i = 0; i < 3; i++) {
        const char name[3] = {'m', (char)('0' + i), 0},
                   place[8] = {'j', 'o', 'i', 'n', 't', '.', (char)('0' + first + i), 0};
        const lg_motor d = lg_motor_default(name, place);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void vectors(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const lg_joint_kind kind = i ? LG_JOINT_FREE : LG_JOINT_SPHERICAL;
        const double u[3] = {0.04, -0.03, 0.02};
        double v[8];
        for (int k = 0; k < 8; k++) v[k] = cos(k + 1.);
        suite_case("kind %d", (int)kind);
        lg_mechanism *m = loose(kind, 0.1);
        lg_rng rng = {5};
        lg_motion *mo = motion_started(m, "sem", 0.002, &rng);
        mechanism_derivatives(m, mo, 2, &rng);
        mechanism_both_steps(m, mo, 0.002, 10, 1e-12);
        lg_motion_destroy(mo);
        mechanism_sem_order(m, v, u, 0.005, 1e-9);
        lg_mechanism_destroy(m);
        for (double c = 10; c < 2e6; c *= 100) {
            suite_case("kind %d, damping %g", (int)kind, c);
            m = loose(kind, c);
            mo = motion_started(m, "sem", 0.01, &rng);
            const double H = lg_motion_energy(mo);
            motion_well(lg_motion_step(mo, 50), mo);
            suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-10, fmax(10, fabs(H)));
            lg_motion_destroy(mo), lg_mechanism_destroy(m);
        }
    }
}

/* ---- limits and names ---- */

static void limits(void **unused)
{
    const double q[2] = {0.1, 0.45};
    (void)unused;
    lg_mechanism *m;
    int which = -1;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "body", 0.3, 0, 0);
    lg_joint j = lg_joint_default("cross", LG_JOINT_UNIVERSAL, NULL, "body");
    j.lower = -0.5, j.upper = 0.5;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "sem", 0.01, q, NULL);
    suite_near1("nearest", lg_motion_limit(mo, &which), 0.05, 1e-14, 1);
    suite_near1("joint", which, 0, 0, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void named(void **unused)
{
    static const struct {
        const char *joint, *text;
    } wrong[] = {
        {"joint", "joint 'joint' has 2 positions; name one, from 'joint.1' to 'joint.2'"},
        {"joint.3", "joint 'joint' has 2 positions"},
        {"joint.0", "there is no joint 'joint.0'"},
        {"joint.x", "there is no joint 'joint.x'"},
        {"ball.2", "position 2 of joint 'ball' is a component of a rotation vector"},
        {"fixed", "joint 'fixed' has no position: it is fixed"},
        {"fixed.1", "joint 'fixed' has no position"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        static const char *const names[] = {"joint", "ball", "fixed"};
        static const lg_joint_kind of[] = {LG_JOINT_UNIVERSAL, LG_JOINT_SPHERICAL, LG_JOINT_FIXED};
        lg_mechanism *m;
        suite_case("%s", wrong[i].joint);
        mechanism_well(lg_mechanism_create(&m), NULL);
        for (int k = 0; k < 3; k++) {
            char body[8] = {'b', (char)('0' + k), 0};
            mechanism_add_body(m, body, 0.1 * k, 0, 0);
            mechanism_add_joint(m, names[k], of[k], NULL, body, none, z);
        }
        lg_motor d = lg_motor_default("motor", wrong[i].joint);
        d.position_gain = i == 4;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
        suite_status("compile", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_mechanism_message(m), wrong[i].text);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = pair(LG_JOINT_PLANAR, 1, 0);
    int position = 7;
    suite_near1("joint", lg_mechanism_joint_position(m, &position, "joint.3"), 1, 0, 1);
    suite_near1("position", position, 2, 0, 1);
    suite_near1("hinge", lg_mechanism_joint_position(m, &position, "hinge"), 0, 0, 1);
    suite_near1("position", position, 0, 0, 1);
    suite_near1("none", lg_mechanism_joint_position(m, NULL, NULL), -1, 0, 1);
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "joint.rest")), 0.1, 0, 1);
    lg_mechanism_destroy(m);
}

/* ---- numbers of one position ---- */

/* Numbers of coordinates add to those of the joint, position by position. */
static void numbers(void **unused)
{
    const double q[3] = {0.2, -0.1, 0.4}, k[3] = {3, 5, 0.7}, I[3] = {0.5, 0, 0.2}, t = 1;
    double to[6];
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("body");
    b.mass = 2, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.4;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_add_joint(m, "table", LG_JOINT_PLANAR, NULL, "body", none, z);
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"x", "y", "turn"}, *const places[] = {"table.1", "table.2", "table.3"};
        lg_coordinate c = lg_coordinate_default(names[i], places[i]);
        c.stiffness = k[i], c.rest = 0.05 * i, c.armature = I[i], c.upper = 0.5 - 0.1 * i;
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    }
    const lg_motor d = lg_motor_default("motor", "turn");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    for (int way = 0; way < 2; way++) {
        suite_case("%s", way ? "gauss" : "sem");
        lg_motion *mo = started(m, way ? "gauss" : "sem", way ? 0.02 : 1e-3, q, NULL);
        const double u = 0.3, H = lg_motion_energy(mo);
        int which;
        suite_near1("limit", lg_motion_limit(mo, &which), 0.3 - 0.4, 1e-14, 1);
        motion_well(lg_motion_set_control(mo, &u), mo);
        motion_well(lg_motion_run_to(mo, t), mo);
        suite_ok("positions", lg_motion_positions(mo, to, to + 3));
        for (int i = 0; i < 3; i++) {
            const double rest = 0.05 * i + (i == 2 ? u / k[2] : 0), w = sqrt(k[i] / ((i < 2 ? 2 : 0.4) + I[i]));
            suite_near1("position", to[i], rest + (q[i] - rest) * cos(w * t), way ? 1e-12 : 1e-5, 1);
        }
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 1);
        lg_motion_destroy(mo);
    }
    suite_near1("parameter", lg_mechanism_parameter_value(m, lg_mechanism_parameter(m, "turn.stiffness")), 0.7, 0, 1);
    lg_mechanism_destroy(m);
}

/* Many names for one position, each with a spring and friction of its own: they add up. */
static void many_names(void **unused)
{
    enum { NAMES = 300 };
    const double k = 2, I = 0.4, q = 0.3;
    double to;
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, none), m);
    lg_body b = lg_body_default("body");
    b.mass = 2, b.inertia[0] = b.inertia[1] = b.inertia[2] = I;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, NULL, "body", none, z);
    for (int i = 0; i < NAMES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "name%d", i);
        lg_coordinate c = lg_coordinate_default(name, "hinge.1");
        c.stiffness = k / NAMES, c.friction = 1e-14, c.friction_speed = 1;
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "gauss", 0.02, &q, NULL);
    motion_well(lg_motion_run_to(mo, 1), mo);
    suite_ok("positions", lg_motion_positions(mo, &to, NULL));
    suite_near1("angle", to, q * cos(sqrt(k / I)), 1e-11, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    static const char *const text[] = {"'joint' is a coordinate", "a joint has this name", "there is no joint 'none'"};
    lg_mechanism *m;
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 5; i++) {
        lg_coordinate c = lg_coordinate_default("c", "joint.1");
        *(double *[]){&c.stiffness, &c.damping, &c.friction, &c.armature, &c.rest}[i] = i < 4 ? -1 : NAN;
        suite_status("negative", lg_mechanism_add_coordinate(m, NULL, &c), LG_ERROR_ARGUMENT);
        suite_contains("negative", lg_mechanism_message(m), "must not be negative");
    }
    lg_coordinate c = lg_coordinate_default("c", "joint.1");
    c.stops = 1;
    suite_status("stops without limits", lg_mechanism_add_coordinate(m, NULL, &c), LG_ERROR_ARGUMENT);
    c.upper = 1, c.stop_restitution = 2;
    suite_status("stop_restitution", lg_mechanism_add_coordinate(m, NULL, &c), LG_ERROR_ARGUMENT);
    c.stops = 0, c.stop_restitution = 0, c.lower = 1, c.upper = 0;
    suite_status("limits", lg_mechanism_add_coordinate(m, NULL, &c), LG_ERROR_ARGUMENT);
    lg_mechanism_destroy(m);
    for (int i = 0; i < 3; i++) {
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "body", 0, 0, 0);
        mechanism_add_joint(m, "hook", LG_JOINT_UNIVERSAL, NULL, "body", none, z);
        const lg_coordinate first = lg_coordinate_default("joint", "hook.1");
        const lg_coordinate wrong = lg_coordinate_default(i == 1 ? "hook" : "c", i == 0   ? "joint"
                                                                                 : i == 1 ? "hook.2"
                                                                                          : "none");
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &first), m);
        mechanism_well(lg_mechanism_add_coordinate(m, NULL, &wrong), m);
        suite_status("compile", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_mechanism_message(m), text[i]);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar),     cmocka_unit_test(screw),   cmocka_unit_test(turns), cmocka_unit_test(energies),
        cmocka_unit_test(engines),    cmocka_unit_test(order),   cmocka_unit_test(stiff), cmocka_unit_test(limits),
        cmocka_unit_test(ball),       cmocka_unit_test(vectors), cmocka_unit_test(named), cmocka_unit_test(numbers),
        cmocka_unit_test(many_names), cmocka_unit_test(refused),
    };
    suite_begin("multibody/coordinates");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
