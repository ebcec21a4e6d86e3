/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearised equations: the Whipple bicycle's eigenvalues (multibody_bicycle.json) at seven speeds; a pendulum's with a
 * spring and a damper in closed form; the derivative of a step, whose eigenvalues approach theirs with order 2; what a
 * step does with a deviation and with a control. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define lapack_complex_double double _Complex
#include <lapacke.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "support/mechanisms.h"

enum { MOST = 48 };

static void eigenvalues(double complex *e, const double *A, int n)
{
    static double M[MOST * MOST];
    double re[MOST], im[MOST];
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    assert_int_equal(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, M, n, re, im, NULL, n, NULL, n), 0);
    for (int i = 0; i < n; i++) e[i] = re[i] + I * im[i];
}

/* The distance of e from the nearest of n numbers. */
static double nearest(double complex e, const double complex *from, int n)
{
    double best = INFINITY;
    for (int i = 0; i < n; i++) best = fmin(best, cabs(e - from[i]));
    return best;
}

/* The bicycle, upright, riding straight. */
static lg_motion *ride(const lg_mechanism *m, const char *method, double speed, double h)
{
    lg_motion *mo;
    double twists[6 * 4], poses[7 * 4];
    static const double radius[4] = {0, 0.3, 0, 0.35};
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    memset(twists, 0, sizeof twists);
    for (int b = 0; b < 4; b++) {
        motion_well(lg_motion_body_pose(mo, poses + 7 * b, b), mo);
        twists[6 * b] = speed;
        if (radius[b] > 0) twists[6 * b + 4] = speed / radius[b];
    }
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 1), mo);
    return mo;
}

static lg_mechanism *gallery(const char *name)
{
    lg_mechanism *m;
    mechanism_well(lg_gallery_create(&m, lg_gallery_index(name)), m);
    return m;
}

static void bicycle(void **unused)
{
    static const char *const speeds[] = {"0", "1", "2", "3", "4", "5", "10"};
    static double A[MOST * MOST];
    double complex e[MOST];
    (void)unused;
    cJSON *all = ref_load("multibody_bicycle.json");
    lg_mechanism *m = gallery("bicycle");
    for (int i = 0; i < 7; i++) {
        const cJSON *from;
        suite_case("bicycle at %s m/s", speeds[i]);
        lg_motion *mo = ride(m, "sem", atof(speeds[i]), 0.01);
        const int k = lg_motion_freedoms(mo, NULL);
        assert_true(k <= MOST);
        motion_well(lg_motion_linearise(mo, A, NULL, NULL, NULL), mo);
        eigenvalues(e, A, k);
        cJSON_ArrayForEach(from, ref_get(ref_get(all, "eigenvalues"), speeds[i]))
        {
            double x[2];
            (void)ref_numbers(x, 2, from);
            suite_below("distance from the table", nearest(x[0] + I * x[1], e, k), 1e-9);
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
    cJSON_Delete(all);
}

/* log(s)/h of a step's eigenvalues approach those of the equations with the method's order. */
static void step_of_bicycle(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4"};
    static double A[MOST * MOST];
    double complex e[MOST], s[MOST];
    double error[3];
    (void)unused;
    lg_mechanism *m = gallery("bicycle");
    for (int i = 0; i < 6; i++) {
        const double h = 0.01 / (1 << i % 3);
        suite_case("%s, h = %g", methods[i / 3], h);
        lg_motion *mo = ride(m, methods[i / 3], 5, h);
        const int k = lg_motion_freedoms(mo, NULL);
        motion_well(lg_motion_linearise(mo, A, NULL, NULL, NULL), mo);
        eigenvalues(e, A, k);
        motion_well(lg_motion_linearise_step(mo, A, NULL, NULL, NULL), mo);
        eigenvalues(s, A, k);
        error[i % 3] = 0;
        for (int j = 0; j < k; j++) s[j] = clog(s[j]) / h;
        for (int j = 0; j < k; j++)
            if (cabs(e[j]) > 0.1) error[i % 3] = fmax(error[i % 3], nearest(e[j], s, k));
        lg_motion_destroy(mo);
        if (i % 3 < 2) continue;
        suite_near1("order", log2(error[0] / error[1]), i < 3 ? 2 : 4, 0.2, 1);
        suite_near1("order", log2(error[1] / error[2]), i < 3 ? 2 : 4, 0.1, 1);
        suite_below("error at h = 0.0025", error[2], i < 3 ? 2e-2 : 1e-4);
    }
    lg_mechanism_destroy(m);
}

/* I q'' = -m g l sin q - k q - c q' + u at q = 0. */
static void pendulum(void **unused)
{
    static const double point[3] = {0, 0, 0}, y_axis[3] = {0, 1, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    double A[4], B[2], C[4], A1[4], B1[2], q[2];
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "bob", 0, 0, -0.5);
    lg_joint j = lg_joint_default("pivot", LG_JOINT_REVOLUTE, NULL, "bob");
    memcpy(j.point, point, sizeof point), memcpy(j.axis, y_axis, sizeof y_axis);
    j.stiffness = 2, j.damping = 0.2, j.friction = 0.05, j.friction_speed = 0.5; /* 0.3 at rest */
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const lg_motor motor = lg_motor_default("motor", "pivot");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("not started", lg_motion_linearise(mo, A, NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    assert_int_equal(lg_motion_freedoms(mo, NULL), 2);
    motion_well(lg_motion_linearise(mo, A, B, C, NULL), mo);
    const double J = 0.03 + 0.25, s = C[0]; /* q = s y */
    suite_near1("q of y", s * s, 1 / J, 1e-12, 4);
    suite_near("A", A, (const double[4]){0, 1, -(9.81 * 0.5 + 2) / J, -0.3 / J}, 4, 1e-12, 25);
    suite_near("B", B, (const double[2]){0, 1 / J / s}, 2, 1e-12, 4);
    suite_near("C", C, (const double[4]){s, 0, 0, s}, 4, 1e-12, 2);
    /* a step from a small deviation under a small control */
    motion_well(lg_motion_linearise_step(mo, A1, B1, NULL, NULL), mo);
    const double x[2] = {1e-5, 2e-5}, u = 3e-5;
    motion_well(lg_motion_start_joints(mo, 0, (const double[1]){s * x[0]}, (const double[1]){s * x[1]}, 1), mo);
    motion_well(lg_motion_set_control(mo, &u), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    motion_well(lg_motion_positions(mo, q, q + 1), mo);
    for (int i = 0; i < 2; i++)
        suite_near1("step", q[i] / s, A1[2 * i] * x[0] + A1[2 * i + 1] * x[1] + B1[i] * u, 1e-13, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A user-supplied wrench with drag that fails; the motion stays as it was. */
static int drag(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)t, (void)poses;
    for (int k = 0; k < 3; k++) wrench[3 + k] = -0.2 * twists[3 + k];
    return *(const int *)context;
}

static void wrenches(void **unused)
{
    static const double point[3] = {0, 0, 0}, y_axis[3] = {0, 1, 0};
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    int code = 0;
    double A[4], before[14], after[14];
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "bob", 0, 0, -0.5);
    mechanism_add_joint(m, "pivot", LG_JOINT_REVOLUTE, NULL, "bob", point, y_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, (const double[1]){0.3}, 1), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    motion_well(lg_motion_set_wrench(mo, drag, &code), mo);
    suite_ok("pose", lg_motion_body_pose(mo, before, 0));
    suite_ok("twist", lg_motion_body_twist(mo, before + 7, 0));
    before[13] = lg_motion_time(mo);
    motion_well(lg_motion_linearise(mo, A, NULL, NULL, NULL), mo);
    suite_near1("damping", A[3], -0.2 / (0.03 + 0.25), 1e-12, 1);
    motion_well(lg_motion_linearise_step(mo, A, NULL, NULL, NULL), mo);
    suite_near1("det A", A[0] * A[3] - A[1] * A[2], exp(-0.01 * 0.2 / (0.03 + 0.25)), 1e-5, 1);
    code = 7;
    suite_status("failing", lg_motion_linearise(mo, A, NULL, NULL, NULL), LG_ERROR_CALLBACK);
    suite_contains("message", lg_motion_message(mo), "lg_motion_linearise: your wrench function returned 7");
    suite_status("failing", lg_motion_linearise_step(mo, A, NULL, NULL, NULL), LG_ERROR_CALLBACK);
    suite_status("no matrix", lg_motion_linearise(mo, NULL, NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_linearise(NULL, A, NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_ok("pose", lg_motion_body_pose(mo, after, 0));
    suite_ok("twist", lg_motion_body_twist(mo, after + 7, 0));
    after[13] = lg_motion_time(mo);
    suite_same_bits("state", after, before, 14);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A ball that rolls on a turntable circles with 2/7 of its spin wherever it is: seen from axes that turn so, the motion
 * is steady. */
static void circling(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo;
    static double A[MOST * MOST];
    double complex e[MOST];
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body b = lg_body_default("ball");
    b.mass = 1, b.position[2] = 0.1, b.position[0] = 0.3;
    for (int k = 0; k < 3; k++) b.inertia[k] = 0.4 * 0.01;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    lg_wheel w = lg_wheel_default("ball", "ball");
    w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.ground_spin = 3;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, (const double[6]){0.3, 0, 0.1, 0, 0, 0}, NULL, 1), mo);
    const double rate = 3 * 2. / 7, v = rate * 0.3;
    motion_well(lg_motion_start_joints(mo, 0, (const double[6]){0.3, 0, 0.1, 0, 0, 0},
                                       (const double[6]){0, v, 0, -(v - 0.9) / 0.1, 0, 0}, 1),
                mo);
    const double spin[3] = {0, 0, rate};
    motion_well(lg_motion_linearise(mo, A, NULL, NULL, spin), mo);
    const int k = lg_motion_freedoms(mo, NULL);
    eigenvalues(e, A, k);
    const double turning = hypot((v - 0.9) / 0.1, rate); /* its orientation turns so, seen from the axes */
    const double complex known[5] = {0, I * rate, -I * rate, I * turning, -I * turning};
    for (int i = 0; i < k; i++) suite_below("distance from the known ones", nearest(e[i], known, 5), 1e-5); /* double */
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* The whole gallery: (A1 - 1)/h and B1/h of a short step are A and B to O(h), at states that are not steady too. */
static void short_steps(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        lg_mechanism *m = gallery(lg_gallery_name(i));
        const int motors = lg_mechanism_motor_count(m);
        const double h = 1e-3 * lg_gallery_step(i);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, h), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        const int k = lg_motion_freedoms(mo, NULL);
        suite_case("%s, %d numbers", lg_gallery_name(i), k);
        double *A = calloc((size_t)(2 * k * (k + motors + 1)), sizeof *A), *A1 = A + k * k, *B = A1 + k * k;
        double *B1 = B + k * motors, off = 0, size = 0;
        assert_non_null(A);
        motion_well(lg_motion_linearise(mo, A, B, NULL, NULL), mo);
        motion_well(lg_motion_linearise_step(mo, A1, B1, NULL, NULL), mo);
        for (int j = 0; j < k * k; j++) {
            off = fmax(off, fabs((A1[j] - (j % (k + 1) == 0)) / h - A[j]));
            size = fmax(size, fabs(A[j]));
        }
        suite_below("A", off, h * k * size * (1 + size) + 1e-6);
        off = size = 0;
        for (int j = 0; j < k * motors; j++) off = fmax(off, fabs(B1[j] / h - B[j])), size = fmax(size, fabs(B[j]));
        suite_below("B", off, 1e-2 * size);
        free(A);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Controls just within their limits act as those without limits; beyond them they do not act. */
static void limits(void **unused)
{
    static const double axis[3] = {0, 1, 0}, at[3] = {0, 0, 0}, u[2] = {0.2, -0.3};
    double B[3][2][2 * 2];
    (void)unused;
    for (int i = 0; i < 3; i++) {
        lg_mechanism *m;
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "a", 0, 0, -0.3);
        mechanism_add_joint(m, "j", LG_JOINT_REVOLUTE, NULL, "a", at, axis);
        lg_motor d = lg_motor_default("d", "j");
        lg_thruster t = lg_thruster_default("t", "a");
        d.ratio = -2, t.axis[0] = 1;
        if (i > 0) d.upper = i == 1 ? 0.21 : 0.2, t.lower = i == 1 ? -0.31 : -0.2;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
        mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo;
        double A[4];
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_linearise(mo, A, B[i][0], NULL, NULL), mo);
        motion_well(lg_motion_linearise_step(mo, A, B[i][1], NULL, NULL), mo);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    suite_above("the motor acts", fabs(B[0][0][2]), 1), suite_above("the thruster acts", fabs(B[0][0][3]), 0.1);
    suite_near("within", B[1][0], B[0][0], 4, 1e-10, 10), suite_near("within, step", B[1][1], B[0][1], 4, 1e-10, 10);
    for (int k = 0; k < 4; k++)
        suite_near1("beyond", B[2][0][k], 0, 0, 1), suite_near1("beyond, step", B[2][1][k], 0, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum), cmocka_unit_test(bicycle),  cmocka_unit_test(step_of_bicycle),
        cmocka_unit_test(circling), cmocka_unit_test(wrenches), cmocka_unit_test(short_steps),
        cmocka_unit_test(limits),
    };
    suite_begin("multibody/linearise");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
