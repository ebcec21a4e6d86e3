/* SPDX-License-Identifier: BSD-3-Clause */
/* Stiff springs and dampers, long levers and large steps, where sweeps alone run away. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanisms.h"

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *v)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

/* A mass of 1 kg on a rail along x: stiffness, rest position, damping. */
static void add_rail(lg_mechanism *m, double stiffness, double rest, double damping)
{
    mechanism_add_body(m, "mass", 0, 7, 0);
    lg_joint rail = lg_joint_default("rail", LG_JOINT_PRISMATIC, NULL, "mass");
    memcpy(rail.axis, x_axis, sizeof x_axis);
    rail.point[1] = 7, rail.stiffness = stiffness, rail.rest = rest, rail.damping = damping;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &rail), m);
}

static void oscillators(void **unused)
{
    static const double at[] = {0.1, 0.5, 1, 1.9, 2.1, 3, 10, 30};
    const double h = 0.01, v0 = 0.3;
    (void)unused;
    for (int i = 0; i < 16; i++) {
        const int damped = i >= 8;
        const double x = at[i % 8];
        suite_case(damped ? "h damping / m = %g" : "h omega = %g", x);
        lg_mechanism *m;
        mechanism_well(lg_mechanism_create(&m), NULL);
        add_rail(m, damped ? 0 : (x / h) * (x / h), 0, damped ? x / h : 0);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo = started(m, NULL, h, &v0);
        double q, v;
        motion_well(lg_motion_step(mo, 50), mo);
        suite_ok("joint", lg_motion_joint(mo, &q, &v, 0));
        if (damped) {
            suite_near1("velocity", v, v0 * pow((1 - 0.5 * x) / (1 + 0.5 * x), 50), 1e-12, v0);
        } else {
            const double angle = 50 * 2 * atan(0.5 * x); /* the midpoint rule turns by 2 atan(h omega/2) */
            suite_near1("position", q * (x / h), v0 * sin(angle), 1e-11, v0);
            suite_near1("velocity", v, v0 * cos(angle), 1e-11, v0);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

typedef struct chain_options {
    lg_joint_kind kind;
    int links, turned;       /* turned: every other axis is along z */
    double torsion, tension; /* stiffness of springs at joints, and between bodies */
} chain_options;

static lg_mechanism *chain(const chain_options *o, double rail)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < o->links; i++) {
        char name[16], parent[16], before[16], joint[16];
        (void)snprintf(name, sizeof name, "b%d", i), (void)snprintf(parent, sizeof parent, "b%d", i - 1);
        (void)snprintf(before, sizeof before, "b%d", i - 2), (void)snprintf(joint, sizeof joint, "j%d", i);
        mechanism_add_body(m, name, 0.25 + 0.5 * i, 0, 0);
        lg_joint j = lg_joint_default(joint, o->kind, i > 0 ? parent : NULL, name);
        memcpy(j.axis, i % 2 && o->turned ? z_axis : y_axis, sizeof j.axis);
        j.point[0] = 0.5 * i, j.stiffness = o->torsion;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        if (o->tension == 0) continue;
        lg_spring s = lg_spring_default(name, i > 1 ? before : NULL, name);
        s.parent_point[2] = 0.3, s.stiffness = o->tension;
        s.rest = hypot(i > 1 ? 1 : 0.25 + 0.5 * i, 0.3);
        mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    }
    if (rail > 0) add_rail(m, rail, 1e-3, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void fall(const chain_options *o, double h, int steps, double most_sweeps)
{
    lg_mechanism *m = chain(o, 0);
    lg_motion *mo = started(m, NULL, h, NULL);
    const double H = lg_motion_energy(mo);
    int sweeps = 0;
    for (int i = 0; i < steps; i++) {
        motion_well(lg_motion_step(mo, 1), mo);
        sweeps += lg_motion_iterations(mo);
    }
    suite_near1("energy", lg_motion_energy(mo), H, 1e-11, 100);
    suite_below("gap", lg_motion_gap(mo), 1e-14);
    suite_below("slip", lg_motion_slip(mo), 1e-11);
    suite_below("sweeps of a step", sweeps / (double)steps, most_sweeps);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* The links' own frequencies are up to sqrt(stiffness/0.01): h omega reaches 0.3 to 300. */
static void springs(void **unused)
{
    (void)unused;
    for (double k = 10; k < 2e7; k *= 10) {
        suite_case("torsion springs, k = %g", k);
        fall(&(chain_options){LG_JOINT_REVOLUTE, 5, 0, k, 0}, 0.01, 60, 30);
        suite_case("springs between bodies, k = %g", k);
        fall(&(chain_options){LG_JOINT_SPHERICAL, 5, 0, 0, k}, 0.01, 60, 30);
    }
}

static void large_steps(void **unused)
{
    (void)unused;
    suite_case("spherical, h = 0.02");
    fall(&(chain_options){LG_JOINT_SPHERICAL, 10, 0, 0, 0}, 0.02, 140, 30);
    suite_case("revolute, h = 0.02");
    fall(&(chain_options){LG_JOINT_REVOLUTE, 10, 1, 0, 0}, 0.02, 400, 30);
    suite_case("revolute, h = 0.05");
    fall(&(chain_options){LG_JOINT_REVOLUTE, 10, 1, 0, 0}, 0.05, 60, 40);
}

/* Bodies that turn by 0.2 rad a step: Newton's correction of the velocities alone takes twice as many sweeps. */
static void whip(void **unused)
{
    (void)unused;
    lg_mechanism *m = chain(&(chain_options){LG_JOINT_REVOLUTE, 10, 1, 0, 0}, 0);
    for (int i = 0; i < 5; i++) {
        const double v[10] = {i - 2};
        int most = 0;
        suite_case("first joint at %g rad/s", v[0]);
        lg_motion *mo = started(m, NULL, 0.01, v);
        const double H = lg_motion_energy(mo);
        for (int k = 0; k < 600; k++) {
            motion_well(lg_motion_step(mo, 1), mo);
            if (lg_motion_iterations(mo) > most) most = lg_motion_iterations(mo);
        }
        suite_below("sweeps of a step", most, 50);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-13, 245);
        suite_below("gap", lg_motion_gap(mo), 1e-14);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* A stiff rail next to the chain makes the step use Newton's method; the chain moves as alone, where sweeps suffice. */
static void same_solution(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4"};
    const chain_options kinds[] = {{LG_JOINT_REVOLUTE, 4, 1, 20, 0},
                                   {LG_JOINT_SPHERICAL, 4, 0, 0, 50},
                                   {LG_JOINT_UNIVERSAL, 3, 1, 0, 0},
                                   {LG_JOINT_CYLINDRICAL, 2, 1, 0, 10}};
    (void)unused;
    for (int i = 0; i < 8; i++) {
        double pose[2][7];
        for (int stiff = 0; stiff < 2; stiff++) {
            const chain_options *o = &kinds[i % 4];
            suite_case("joints of kind %d, %s", (int)o->kind, methods[i / 4]);
            lg_mechanism *m = chain(o, stiff ? 1e7 : 0);
            lg_motion *mo = started(m, methods[i / 4], 0.005, NULL);
            motion_well(lg_motion_step(mo, 20), mo);
            suite_ok("pose", lg_motion_body_pose(mo, pose[stiff], o->links - 1));
            lg_motion_destroy(mo);
            lg_mechanism_destroy(m);
        }
        suite_near("pose", pose[1], pose[0], 7, 1e-13, 1);
    }
}

/* A ball on a turntable with an arm on a stiff hinge, held by a stiff spring. */
static void rolling(void **unused)
{
    (void)unused;
    for (double k = 100; k < 2e6; k *= 100) {
        suite_case("k = %g", k);
        lg_mechanism *m;
        mechanism_well(lg_mechanism_create(&m), NULL);
        for (int i = 0; i < 2; i++) {
            lg_body b = lg_body_default(i ? "arm" : "ball");
            b.mass = 1, b.position[0] = i, b.position[2] = 1;
            for (int n = 0; n < 3; n++) b.inertia[n] = i ? 0.1 : 0.4;
            mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        }
        lg_joint j = lg_joint_default("hinge", LG_JOINT_REVOLUTE, "ball", "arm");
        memcpy(j.axis, y_axis, sizeof y_axis);
        j.point[2] = 1, j.stiffness = k, j.rest = 0.02, j.damping = k > 1e3 ? 1e4 : 0;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        lg_wheel w = lg_wheel_default("sole", "ball");
        w.kind = LG_WHEEL_BALL, w.radius = 1, w.ground_spin = 0.5;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
        lg_spring s = lg_spring_default("spring", NULL, "ball");
        s.parent_point[0] = -1, s.parent_point[1] = 0.5, s.parent_point[2] = 1, s.rest = 1.1, s.stiffness = k;
        mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo = started(m, "sem@suzuki4", 0.01, NULL);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 100), mo);
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-12, 100 + fabs(lg_motion_work(mo)));
        suite_below("gap", lg_motion_gap(mo), 1e-14);
        suite_below("slip", lg_motion_slip(mo), 1e-12);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whip),        cmocka_unit_test(oscillators),   cmocka_unit_test(springs),
        cmocka_unit_test(large_steps), cmocka_unit_test(same_solution), cmocka_unit_test(rolling),
    };
    suite_begin("multibody/stiffness");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
