/* SPDX-License-Identifier: BSD-3-Clause */
/* The variational step of mechanisms: against the dense integrator's `rattle` on the same chain, its order, the
 * momenta it keeps, its energy and its return; and what it refuses. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism_systems.h"

static const double y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

static lg_mechanism *chain(int links, lg_joint_kind kind, int hangs, double stiffness)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < links; i++) {
        char name[16], parent[16], joint[16];
        (void)snprintf(name, sizeof name, "b%d", i), (void)snprintf(parent, sizeof parent, "b%d", i - 1);
        (void)snprintf(joint, sizeof joint, "j%d", i);
        mechanism_add_body(m, name, 0.25 + 0.5 * i, 0, 0);
        if (i == 0 && !hangs) continue;
        lg_joint j = lg_joint_default(joint, kind, i > 0 ? parent : NULL, name);
        memcpy(j.axis, i % 2 ? z_axis : y_axis, sizeof j.axis);
        j.point[0] = 0.5 * i, j.stiffness = stiffness;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    return m;
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h)
{
    double v[64];
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    for (int i = 0; i < lg_motion_position_count(mo); i++) v[i] = 0.7 - 0.4 * (i % 4);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

/* The dense engine knows nothing of bodies and joints: the chain is a system on (R^3 x SO(3))^n to it. */
static void against_dense(void **unused)
{
    static const char *const methods[] = {"rattle", "rattle@suzuki4"};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        const double h = 0.01;
        lg_mechanism *m = chain(2 + i / 2, i / 2 ? LG_JOINT_REVOLUTE : LG_JOINT_SPHERICAL, 1, 0);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_case("%d links, %s", 2 + i / 2, methods[i % 2]);
        lg_motion *mo = started(m, methods[i % 2], h);
        lg_integrator *it = dense_of(m, mo, methods[i % 2], h);
        for (int k = 0; k < 20; k++) integrator_well(lg_integrator_step(it), it);
        motion_well(lg_motion_step(mo, 20), mo);
        mechanism_compare(mo, it, lg_mechanism_body_count(m), 1e-11);
        lg_integrator_destroy(it);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* The last body after 0.4 s. */
static void end_at(double *pose, const lg_mechanism *m, const char *method, double h)
{
    lg_motion *mo = started(m, method, h);
    motion_well(lg_motion_step(mo, lround(0.4 / h)), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, lg_mechanism_body_count(m) - 1));
    suite_below("gap", lg_motion_gap(mo), 1e-14);
    suite_below("slip", lg_motion_slip(mo), 1e-13);
    lg_motion_destroy(mo);
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void orders(void **unused)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_SPHERICAL, LG_JOINT_REVOLUTE, LG_JOINT_UNIVERSAL,
                                          LG_JOINT_CYLINDRICAL};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        double at[3][7], fine[7];
        lg_mechanism *m = chain(3, kinds[i], 1, kinds[i] == LG_JOINT_REVOLUTE ? 5 : 0);
        lg_spring s = lg_spring_default("spring", NULL, "b2");
        s.stiffness = 20, s.rest = 0.5;
        mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_case("joints of kind %d", (int)kinds[i]);
        end_at(fine, m, "sem@suzuki4", 0.002);
        for (int k = 0; k < 3; k++) end_at(at[k], m, k < 2 ? "rattle" : "rattle@suzuki4", 0.004 / (1 + k % 2));
        const double e[3] = {distance(at[0], fine), distance(at[1], fine), distance(at[2], fine)};
        suite_near1("order", log2(e[0] / e[1]), 2, 0.1, 1);
        suite_below("error of order 4", e[2], 1e-3 * e[0]);
        lg_mechanism_destroy(m);
    }
}

/* Free chains keep momenta, hanging ones their energy within bounds; and the step comes back. */
static void conserved(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const lg_joint_kind kind = i ? LG_JOINT_REVOLUTE : LG_JOINT_SPHERICAL;
        double P[2][3], L[2][3];
        suite_case("free chain, joints of kind %d", (int)kind);
        lg_mechanism *m = chain(4, kind, 0, 0);
        const double none[3] = {0, 0, 0};
        mechanism_well(lg_mechanism_set_gravity(m, none), m);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo = started(m, "rattle", 0.01);
        suite_ok("momentum", lg_motion_momentum(mo, P[0], L[0]));
        motion_well(lg_motion_step(mo, 500), mo);
        suite_ok("momentum", lg_motion_momentum(mo, P[1], L[1]));
        suite_near("linear momentum", P[1], P[0], 3, 1e-13, 1);
        suite_near("angular momentum", L[1], L[0], 3, 1e-12, 1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    suite_case("energy");
    lg_mechanism *m = chain(2, LG_JOINT_SPHERICAL, 1, 0);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo = started(m, "rattle", 0.005);
    const double H = lg_motion_energy(mo);
    double worst = 0;
    for (int k = 0; k < 20000; k++) {
        motion_well(lg_motion_step(mo, 1), mo);
        worst = fmax(worst, fabs(lg_motion_energy(mo) - H));
    }
    suite_below("drift of the energy in 100 s", worst, 0.05);
    suite_above("it is not constant", worst, 1e-4);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = chain(2, LG_JOINT_REVOLUTE, 1, 0);
    lg_joint j = lg_joint_default("damped", LG_JOINT_REVOLUTE, "b0", "b1");
    j.damping = 0.1, j.point[0] = 0.5, memcpy(j.axis, z_axis, sizeof z_axis);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_motion_message(mo), "no forces that dissipate and joint 'damped'"));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);

    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "ball", 0, 0, 1);
    lg_wheel w = lg_wheel_default("sole", "ball");
    w.kind = LG_WHEEL_BALL, w.radius = 1;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(lg_motion_message(mo), "wheel 'sole' rolls"));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_dense),
        cmocka_unit_test(orders),
        cmocka_unit_test(conserved),
        cmocka_unit_test(refused),
    };
    suite_begin("multibody/rattle");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
