/* SPDX-License-Identifier: BSD-3-Clause */
/* Composed joints: dynamics for controllers against energies and motions, lanes, checkpoints, singular positions, and
 * what is refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/width.h>
#include <liegrp/multibody/linearise.h>
#include <liegrp/multibody/system.h>

#include "support/composed.h"
#include "support/dynamic_states.h"

/* A spring and a rotor on the first motion, a motor on the first and on the last. */
static void some_forces(lg_mechanism *m, const char *mark, int motions)
{
    lg_coordinate c = lg_coordinate_default("c", "first.1");
    (void)mark;
    c.stiffness = 15, c.rest = 0.2, c.damping = 0.4, c.armature = 0.3;
    mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    for (int i = 0; i < 2; i++) {
        char of[16];
        (void)snprintf(of, sizeof of, "first.%d", i ? motions : 1);
        const lg_motor d = lg_motor_default(i ? "last motor" : "motor", of);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    }
}

static const double torques[2] = {0.7, -0.4};

static lg_motion *started(const lg_mechanism *m, const char *method, double h, const double *q, const double *v)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 1), mo);
    if (lg_mechanism_motor_count(m) > 0) motion_well(lg_motion_set_control(mo, torques), mo);
    return mo;
}

/* ---- dynamics ---- */

/* The velocities' rates at the start of a motion, by differences of order 6. */
static void rates(double *a, const lg_mechanism *m, const double *q, const double *v, int n)
{
    static const double weight[7] = {-147 / 60., 360 / 60., -450 / 60., 400 / 60., -225 / 60., 72 / 60., -10 / 60.};
    const double e = 0.002;
    double x[2 * COMPOSED_MOST];
    lg_motion *mo = started(m, "gauss", e, q, v);
    memset(a, 0, (size_t)n * sizeof *a);
    for (int k = 0; k < 7; k++) {
        if (k > 0) motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("positions", lg_motion_positions(mo, x, x + n));
        for (int i = 0; i < n; i++) a[i] += weight[k] * x[n + i] / e;
    }
    lg_motion_destroy(mo);
}

static void dynamics(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(30); n++) {
        static double M[COMPOSED_MOST * COMPOSED_MOST];
        lg_rng rng = suite_rng(100 + (uint64_t)n);
        const int motions = 1 + n % LG_JOINT_MOTIONS;
        double q[COMPOSED_MOST], v[COMPOSED_MOST], a[COMPOSED_MOST], to[COMPOSED_MOST], tau[COMPOSED_MOST], T = 0, u[2];
        lg_dynamics *d;
        suite_case("case %d, %d motions", n, motions);
        lg_mechanism *m = composed_pair(motions, &rng, 0, motions > 1 ? some_forces : NULL);
        composed_state(q, v, m, &rng);
        dynamics_well(lg_dynamics_create(&d, m), d);
        const int count = lg_dynamics_count(d);
        dynamics_well(lg_dynamics_set(d, q, v), d);
        dynamics_well(lg_dynamics_mass_matrix(d, M), d);
        for (int i = 0; i < count; i++) T += 0.5 * v[i] * dynamic_dot(M + i * count, v, count);
        lg_motion *moves = started(m, NULL, 0.01, q, v), *rests = started(m, NULL, 0.01, q, NULL);
        suite_near1("kinetic energy", lg_motion_energy(moves) - lg_motion_energy(rests), T, 1e-12, 100);
        lg_motion_destroy(moves), lg_motion_destroy(rests);
        dynamics_well(lg_dynamics_acceleration(d, a, motions > 1 ? torques : NULL, NULL), d);
        rates(to, m, q, v, count);
        suite_near("acceleration", a, to, count, 1e-6, fmax(1, dynamic_largest(a, count)));
        dynamics_well(lg_dynamics_inverse(d, tau, a), d);
        if (motions > 1) tau[0] -= torques[0], tau[motions - 1] -= torques[1];
        suite_near("forces left", tau, (const double[COMPOSED_MOST]){0}, count, 1e-11,
                   dynamic_largest(M, count * count) * fmax(1, dynamic_largest(a, count)));
        if (motions > 1 && count == 2) {
            dynamics_well(lg_dynamics_motors(d, u, a, 0), d);
            suite_near("controls", u, torques, 2, 1e-10, 10);
        }
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

/* The rate of the Jacobian by differences along the velocities. */
static void jacobian_rates(void **unused)
{
    static const double point[3] = {0.1, -0.2, 0.3};
    (void)unused;
    for (int n = 0; n < suite_count(12); n++) {
        static double J[6 * COMPOSED_MOST], rate[6 * COMPOSED_MOST], sum[6 * COMPOSED_MOST];
        lg_rng rng = suite_rng(200 + (uint64_t)n);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], to[COMPOSED_MOST];
        lg_dynamics *d;
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(1 + n % LG_JOINT_MOTIONS, &rng, 0, NULL);
        composed_state(q, v, m, &rng);
        dynamics_well(lg_dynamics_create(&d, m), d);
        const int count = lg_dynamics_count(d);
        const double e = 0.01 / fmax(1, dynamic_largest(v, count));
        dynamics_well(lg_dynamics_set(d, q, v), d);
        dynamics_well(lg_dynamics_jacobian_rate(d, rate, 1, point), d);
        memset(sum, 0, sizeof sum);
        for (int k = 1; k <= 4; k++)
            for (int side = -1; side <= 1; side += 2) {
                for (int i = 0; i < count; i++) to[i] = q[i] + side * k * e * v[i];
                dynamics_well(lg_dynamics_set(d, to, v), d);
                dynamics_well(lg_dynamics_jacobian(d, J, 1, point), d);
                for (int i = 0; i < 6 * count; i++) sum[i] += side * dynamic_weight[k - 1] * J[i] / e;
            }
        suite_near("J'", rate, sum, 6 * count, 1e-9, fmax(10, dynamic_largest(sum, 6 * count)));
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

/* Rows of a loop of composed joints: its accelerations are those of its motion, and reach() closes it. */
static void loops(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(6); n++) {
        lg_rng rng = suite_rng(300 + (uint64_t)n);
        lg_mechanism *m;
        double x[2 * COMPOSED_MOST], a[COMPOSED_MOST], to[COMPOSED_MOST], v[COMPOSED_MOST], pose[7], off[2];
        const int body = 1;
        lg_dynamics *d;
        lg_joint j[3] = {lg_joint_default("first", LG_JOINT_COMPOSED, NULL, "one"),
                         lg_joint_default("second", LG_JOINT_COMPOSED, "two", "one"),
                         lg_joint_default("last", LG_JOINT_COMPOSED, "two", NULL)};
        suite_case("case %d", n);
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "one", 0.3, 0.2, -0.1), mechanism_add_body(m, "two", -0.2, 0.4, 0.3);
        for (int i = 0; i < 3; i++) {
            composed_motions(&j[i], 3 + (i == 2 ? n % 3 : 0), &rng);
            mechanism_well(lg_mechanism_add_joint(m, NULL, &j[i]), m);
        }
        mechanism_well(lg_mechanism_compile(m), m);
        for (int k = 0; k < COMPOSED_MOST; k++) v[k] = 0.5 * cos(k + 1.);
        lg_motion *mo = started(m, "gauss", 0.01, NULL, v);
        motion_well(lg_motion_step(mo, 5), mo);
        dynamics_well(lg_dynamics_create(&d, m), d);
        dynamics_well(lg_dynamics_take(d, mo), d);
        const int count = lg_dynamics_count(d);
        suite_ok("positions", lg_motion_positions(mo, x, x + count));
        dynamics_well(lg_dynamics_acceleration(d, a, NULL, NULL), d);
        rates(to, m, x, x + count, count);
        suite_near("acceleration", a, to, count, 1e-6, fmax(1, dynamic_largest(a, count)));
        dynamics_well(lg_dynamics_frame(d, pose, NULL, body, NULL), d);
        dynamics_well(lg_dynamics_set(d, (const double[COMPOSED_MOST]){0}, NULL), d);
        const double place[2] = {1, 0}; /* not its attitude: freedoms are fewer than six */
        dynamics_well(lg_dynamics_reach(d, off, &body, pose, NULL, place, 1), d);
        suite_below("off", off[0], 1e-8);
        lg_motion_destroy(mo), lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

static void weightless(lg_mechanism *m, const char *mark, int motions)
{
    some_forces(m, mark, motions);
    mechanism_well(lg_mechanism_set_gravity(m, (const double[3]){0, 0, 0}), m);
}

/* At an equilibrium (q, v)' along a deviation, C A, is the derivative of (v, a(q, v)) along it, J C. */
static void linearised(void **unused)
{
    (void)unused;
    for (int n = 0; n < suite_count(6); n++) {
        static double A[4 * COMPOSED_MOST * COMPOSED_MOST], C[4 * COMPOSED_MOST * COMPOSED_MOST];
        lg_rng rng = suite_rng(600 + (uint64_t)n);
        double x[2 * COMPOSED_MOST], to[2 * COMPOSED_MOST], a[COMPOSED_MOST], left[COMPOSED_MOST], right[COMPOSED_MOST];
        lg_dynamics *d;
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(1 + n % LG_JOINT_MOTIONS, &rng, 0, weightless);
        composed_state(x, x + COMPOSED_MOST, m, &rng);
        dynamics_well(lg_dynamics_create(&d, m), d);
        const int count = lg_dynamics_count(d), all = 2 * count;
        memset(x + count, 0, (size_t)count * sizeof *x);
        x[0] = 0.2; /* where the spring is slack */
        lg_motion *mo = started(m, NULL, 0.01, x, x + count);
        motion_well(lg_motion_set_control(mo, (const double[2]){0, 0}), mo);
        motion_well(lg_motion_linearise(mo, A, NULL, C, NULL), mo);
        for (int y = 0; y < all; y++) { /* each deviation of the basis */
            double column[2 * COMPOSED_MOST];
            const double e = 0.01;
            for (int i = 0; i < all; i++) column[i] = C[i * all + y];
            memset(right, 0, sizeof right);
            for (int k = 1; k <= 4; k++)
                for (int side = -1; side <= 1; side += 2) {
                    const double s = side * k * e / fmax(1, dynamic_largest(column, all));
                    for (int i = 0; i < all; i++) to[i] = x[i] + s * column[i];
                    dynamics_well(lg_dynamics_set(d, to, to + count), d);
                    dynamics_well(lg_dynamics_acceleration(d, a, NULL, NULL), d);
                    for (int i = 0; i < count; i++) right[i] += dynamic_weight[k - 1] * a[i] * k / s;
                }
            for (int i = 0; i < count; i++) {
                left[i] = 0;
                for (int k = 0; k < all; k++) left[i] += C[(count + i) * all + k] * A[k * all + y];
            }
            suite_near("C A = J C", left, right, count, 1e-6, fmax(1, dynamic_largest(right, count)));
        }
        lg_motion_destroy(mo), lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
}

/* ---- lanes and checkpoints ---- */

static lg_status begin(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    double q[COMPOSED_MOST], v[COMPOSED_MOST];
    (void)M, (void)context;
    for (int k = 0; k < COMPOSED_MOST; k++) q[k] = 0.2 * sin((double)(3 * i + k)), v[k] = cos((double)(5 * i + 7 * k));
    if (lg_motion_set_control(mo, torques) != LG_OK) return LG_ERROR_ARGUMENT;
    return lg_motion_start_joints(mo, 0, q, v, 1);
}

/* Every instance has the bits of a motion alone. */
static void lanes(void **unused)
{
    enum { INSTANCES = 5 };
    static const char *const methods[] = {"sem", "gauss"};
    (void)unused;
    for (int n = 0; n < 12; n++)
        for (int width = 1; width <= 8 && lg_width_supported(width); width *= 2) {
            lg_rng rng = suite_rng(400 + (uint64_t)n);
            lg_mechanism *m = composed_pair(2 + n % 5, &rng, 0, some_forces);
            lg_ensemble_options o = lg_ensemble_options_default();
            lg_ensemble *E;
            lg_motion *read;
            double x[2][2 * COMPOSED_MOST];
            suite_case("case %d, width %d", n, width);
            o.method = methods[n % 2], o.step = 0.01, o.width = width;
            suite_ok("create", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
            suite_ok("set all", lg_ensemble_set_all(E, begin, NULL));
            suite_ok("run", lg_ensemble_run(E, 12, 1, NULL, NULL));
            for (int64_t i = 0; i < INSTANCES; i++) {
                lg_motion *mo;
                const int count = lg_mechanism_freedoms(m);
                motion_well(motion_create(&mo, m, o.method, o.step), mo);
                motion_well(begin(i, NULL, mo, NULL), mo);
                motion_well(lg_motion_step(mo, 12), mo);
                suite_ok("motion", lg_ensemble_motion(&read, E, i));
                suite_ok("read", lg_motion_positions(mo, x[0], x[0] + count));
                suite_ok("read", lg_motion_positions(read, x[1], x[1] + count));
                suite_same_bits("positions", x[0], x[1], 2 * count);
                lg_motion_destroy(mo), lg_motion_destroy(read);
            }
            lg_ensemble_destroy(E), lg_mechanism_destroy(m);
        }
}

/* A motion that reads a checkpoint continues bit for bit; one of another joint is refused. */
static void checkpoints(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rattle"};
    (void)unused;
    for (int n = 0; n < 15; n++) { /* rattle has no forces of these kinds */
        const composed_parts parts = n % 3 == 2 ? NULL : some_forces;
        lg_rng rng = suite_rng(500 + (uint64_t)n);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], x[2][2 * COMPOSED_MOST];
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(2 + n % 5, &rng, 0, parts), *other = composed_pair(2 + n % 5, &rng, 0, parts);
        composed_state(q, v, m, &rng);
        lg_motion *mo = started(m, methods[n % 3], 0.01, q, v), *second, *third;
        motion_well(lg_motion_step(mo, 7), mo);
        const size_t size = lg_motion_saved_bytes(mo);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        suite_ok("save", lg_motion_save(mo, bytes, size));
        motion_well(motion_create(&second, m, methods[n % 3], 0.01), second);
        motion_well(motion_create(&third, other, methods[n % 3], 0.01), third);
        motion_well(lg_motion_load(second, bytes, size), second);
        assert_int_not_equal(lg_motion_load(third, bytes, size), LG_OK);
        motion_well(lg_motion_step(mo, 9), mo), motion_well(lg_motion_step(second, 9), second);
        const int count = lg_motion_position_count(mo);
        suite_ok("read", lg_motion_positions(mo, x[0], x[0] + count));
        suite_ok("read", lg_motion_positions(second, x[1], x[1] + count));
        suite_same_bits("positions", x[0], x[1], 2 * count);
        lg_motion_destroy(mo), lg_motion_destroy(second), lg_motion_destroy(third), free(bytes);
        lg_mechanism_destroy(m), lg_mechanism_destroy(other);
    }
}

/* ---- singular positions ---- */

/* Gimbals about z, y and x with the last one in line with the first where the second is at 90 degrees. */
static lg_mechanism *gimbals(void)
{
    lg_mechanism *m;
    lg_joint j = lg_joint_default("gimbals", LG_JOINT_COMPOSED, NULL, "body");
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "body", 0.3, 0.1, -0.2);
    j.motions = 3;
    for (int i = 0; i < 3; i++) j.motion[i].kind = LG_JOINT_REVOLUTE, j.motion[i].axis[2 - i] = 1;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void singular(void **unused)
{
    const double locked[3] = {0.1, 1.5707963267948966, 0.2}, near[3] = {0.1, 1.2, 0.2}, towards[3] = {0, 3, 0};
    const double zeros[3] = {0, 0, 0};
    (void)unused;
    lg_mechanism *m = gimbals();
    lg_motion *mo;
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("in line", lg_motion_start_joints(mo, 0, locked, NULL, 1), LG_ERROR_SINGULAR);
    suite_contains("message", lg_motion_message(mo), "joint 'gimbals' is singular at these positions");
    motion_well(lg_motion_start_joints(mo, 0, near, towards, 1), mo);
    lg_status st = LG_OK;
    for (int k = 0; k < 100 && st == LG_OK; k++) st = lg_motion_step(mo, 1);
    if (st != LG_OK) suite_contains("message", lg_motion_message(mo), "joint 'gimbals' comes to a singular position");
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_well(lg_mechanism_set_gravity(m, zeros), m);
    mechanism_add_body(m, "body", 0.3, 0.1, -0.2);
    lg_joint j = lg_joint_default("same", LG_JOINT_COMPOSED, NULL, "body");
    j.motions = 2;
    for (int i = 0; i < 2; i++) j.motion[i].kind = LG_JOINT_PRISMATIC, j.motion[i].axis[2] = 1 + i;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    suite_status("one axis", lg_mechanism_compile(m), LG_ERROR_SINGULAR);
    suite_contains("message", lg_mechanism_message(m), "joint 'same': its motions depend on each other");
    lg_mechanism_destroy(m);
}

/* A step that fails, near singular positions too, leaves every bit of the state and has a message. */
static void failures(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rattle", "sem@yoshida4"};
    int failed = 0;
    (void)unused;
    for (int n = 0; n < suite_count(400); n++) {
        lg_rng rng = suite_rng(700 + (uint64_t)n);
        double q[COMPOSED_MOST], v[COMPOSED_MOST], x[2][2 * COMPOSED_MOST];
        suite_case("case %d", n);
        lg_mechanism *m = composed_pair(1 + n % LG_JOINT_MOTIONS, &rng, 0, NULL);
        lg_motion *mo;
        composed_state(q, v, m, &rng);
        const double faster = pow(10, 3 * lg_rng_uniform(&rng) - 1), h = pow(10, 3 * lg_rng_uniform(&rng) - 3);
        for (int k = 0; k < COMPOSED_MOST; k++) q[k] *= 4, v[k] *= faster;
        motion_well(motion_create(&mo, m, methods[n / LG_JOINT_MOTIONS % 4], h), mo);
        lg_status st = lg_motion_start_joints(mo, 0, q, v, 1);
        const int count = lg_motion_position_count(mo);
        for (int k = 0; k < 30 && st == LG_OK; k++) {
            suite_ok("before", lg_motion_positions(mo, x[0], x[0] + count));
            st = lg_motion_step(mo, 1);
            if (st == LG_OK) continue;
            suite_ok("after", lg_motion_positions(mo, x[1], x[1] + count));
            suite_same_bits("state", x[0], x[1], 2 * count);
            failed++;
        }
        assert_true(st == LG_OK || lg_motion_message(mo)[0] != '\0');
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    assert_true(failed > 10);
}

/* ---- refusals ---- */

static void refused(const lg_joint *j, const char *what)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "body", 0, 0, 0);
    suite_status(what, lg_mechanism_add_joint(m, NULL, j), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), what);
    lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    lg_joint j = lg_joint_default("j", LG_JOINT_COMPOSED, NULL, "body");
    const lg_system *S;
    (void)unused;
    refused(&j, "0 motions; a composed joint has 1 to 6");
    j.motions = 7;
    refused(&j, "7 motions; a composed joint has 1 to 6");
    j.motions = 1, j.motion[0].kind = LG_JOINT_SPHERICAL;
    refused(&j, "motion 1 is of kind 5; it must be revolute or prismatic");
    j.motion[0].kind = LG_JOINT_REVOLUTE;
    refused(&j, "the axis of motion 1 is zero");
    j.motion[0].axis[0] = NAN;
    refused(&j, "or a number is not finite");
    j.motion[0].axis[0] = 1, j.in_space = 1;
    refused(&j, "in_space must be 0");
    j.in_space = 0, j.kind = LG_JOINT_REVOLUTE;
    refused(&j, "motions are those of a composed joint");
    lg_mechanism *m = gimbals();
    suite_status("dense", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "joint 'gimbals' is composed");
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dynamics),   cmocka_unit_test(jacobian_rates), cmocka_unit_test(loops),
        cmocka_unit_test(linearised), cmocka_unit_test(lanes),          cmocka_unit_test(checkpoints),
        cmocka_unit_test(singular),   cmocka_unit_test(failures),       cmocka_unit_test(refusals),
    };
    suite_begin("multibody/composed_states");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
