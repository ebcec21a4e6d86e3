/* SPDX-License-Identifier: BSD-3-Clause */
/* What a controller asks of a tree: the mass matrix is that of the kinetic energy, inverse dynamics is M a + c and
 * gives back the controls of motions, gravity and springs are derivatives of the energy. */
#include <math.h>
#include <string.h>

#include "support/dynamic_states.h"

enum { MOST = DYNAMIC_MOST };

static double energy_at(const dynamic_state *s, const double *q, const double *v)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, s->m, NULL, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
    const double H = lg_motion_energy(mo);
    lg_motion_destroy(mo);
    return H;
}

/* 1/2 v.Mv = T, up to the rounding of energies, for v and for each unit vector; M is symmetric and positive. */
static void check_masses(const dynamic_state *s, int energies)
{
    static double M[MOST * MOST], L[MOST * MOST];
    double Mv[MOST];
    const int n = s->n;
    dynamics_well(lg_dynamics_mass_matrix(s->d, M), s->d);
    for (int i = 0; i < n; i++) {
        Mv[i] = dynamic_dot(M + i * n, s->v, n);
        for (int j = 0; j < i; j++) suite_same_bits("symmetric", &M[i * n + j], &M[j * n + i], 1);
    }
    memcpy(L, M, sizeof L);
    for (int k = 0; k < n; k++) /* Cholesky */
        for (int i = k; i < n; i++) {
            const double x = L[i * n + k] - dynamic_dot(L + i * n, L + k * n, k);
            if (i == k) suite_above("positive", x, 0);
            L[i * n + k] = i == k ? sqrt(x) : x / L[k * n + k];
        }
    if (!energies) return;
    const double at_rest = energy_at(s, s->q, NULL), H = energy_at(s, s->q, s->v);
    suite_near1("kinetic energy", 0.5 * dynamic_dot(s->v, Mv, n), H - at_rest, 1e-12, fabs(at_rest) + fabs(H));
}

/* tau = M a + c; c = its parts. */
static void check_inverse(const dynamic_state *s)
{
    static double M[MOST * MOST];
    double tau[MOST], c[MOST], sum[MOST], g[MOST], p[MOST], slow[MOST], rest[MOST] = {0};
    const int n = s->n;
    dynamics_well(lg_dynamics_mass_matrix(s->d, M), s->d);
    dynamics_well(lg_dynamics_inverse(s->d, tau, s->a), s->d);
    dynamics_well(lg_dynamics_bias(s->d, c), s->d);
    dynamics_well(lg_dynamics_inverse(s->d, sum, NULL), s->d);
    suite_same_bits("bias", sum, c, n);
    for (int i = 0; i < n; i++) sum[i] = dynamic_dot(M + i * n, s->a, n) + c[i];
    suite_near("M a + c", tau, sum, n, 1e-12, dynamic_largest(M, n * n) + dynamic_largest(c, n));
    memcpy(sum, s->a, sizeof sum);
    dynamics_well(lg_dynamics_inverse(s->d, sum, sum), s->d);
    suite_same_bits("in place", sum, tau, n);
    dynamics_well(lg_dynamics_gravity(s->d, g), s->d);
    dynamics_well(lg_dynamics_set(s->d, s->q, NULL), s->d);
    dynamics_well(lg_dynamics_bias(s->d, slow), s->d);
    dynamics_well(lg_dynamics_passive(s->d, p), s->d);
    for (int i = 0; i < n; i++) rest[i] = g[i] - p[i];
    suite_near("at rest", slow, rest, n, 1e-12, dynamic_largest(g, n) + dynamic_largest(p, n));
    dynamics_well(lg_dynamics_set(s->d, s->q, s->v), s->d);
}

/* Power of gravity and springs: the rate of the energy at rest. */
static void check_potential(const dynamic_state *s, double size)
{
    double q[MOST], c[MOST], rate = 0, most = 0;
    const double e = 0.01 * fmin(1, size) / fmax(1, dynamic_largest(s->v, s->n));
    for (int k = 1; k <= 4; k++)
        for (int side = -1; side <= 1; side += 2) {
            dynamic_move(q, s, side * k * e);
            const double H = energy_at(s, q, NULL);
            rate += side * dynamic_weight[k - 1] * H / e, most = fmax(most, fabs(H));
        }
    dynamics_well(lg_dynamics_set(s->d, s->q, NULL), s->d);
    dynamics_well(lg_dynamics_bias(s->d, c), s->d);
    dynamics_well(lg_dynamics_set(s->d, s->q, s->v), s->d);
    suite_near1("power", dynamic_dot(c, s->v, s->n), rate, 1e-8, most / fmin(e, 0.01));
}

static void random_states(void **unused)
{
    (void)unused;
    for (int i = 0; i < suite_count(120); i++) {
        lg_rng rng = suite_rng(500 + (uint64_t)i);
        const random_family family = (random_family)(i % RANDOM_FAMILIES);
        random_mechanism r;
        dynamic_state s;
        random_mechanism_draw(&r, family, 2 + i % 12, i / 6 % 2 ? 3 : 1, &rng);
        suite_case("family %d, %d", (int)family, i);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            dynamic_draw(&s, r.m, r.size, &rng);
            check_masses(&s, family == RANDOM_TREE && lg_mechanism_freedoms(r.m) == s.n);
            check_inverse(&s);
            if (family == RANDOM_TREE && lg_mechanism_freedoms(r.m) == s.n) check_potential(&s, r.size);
            lg_dynamics_destroy(s.d);
        }
        lg_mechanism_destroy(r.m);
    }
}

static void gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_rng rng = suite_rng(700 + (uint64_t)i);
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = gallery_motion(m, i, NULL, lg_gallery_step(i));
        dynamic_state s;
        double q[2 * MOST];
        suite_case("%s", lg_gallery_name(i));
        dynamic_draw(&s, m, 1, &rng);
        check_masses(&s, 0);
        check_inverse(&s);
        motion_well(lg_motion_step(mo, 3), mo);
        dynamics_well(lg_dynamics_take(s.d, mo), s.d);
        suite_ok("positions", lg_motion_positions(mo, q, q + s.n));
        dynamics_well(lg_dynamics_state(s.d, s.q, s.v), s.d);
        suite_same_bits("q", s.q, q, s.n), suite_same_bits("v", s.v, q + s.n, s.n);
        check_masses(&s, 1);
        lg_dynamics_destroy(s.d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- motions ---- */

/* The motion's controls are what inverse dynamics says, with accelerations by differences of its velocities. */
static void check_motion(lg_motion *mo, const lg_mechanism *m, const double *u, double h)
{
    lg_dynamics *d;
    static double M[MOST * MOST];
    double x[9][2 * MOST], a[MOST] = {0}, tau[MOST], c[MOST], want[MOST] = {0};
    dynamics_well(lg_dynamics_create(&d, m), d);
    const int n = lg_dynamics_count(d);
    for (int k = 0; k < 9; k++) {
        if (k > 0) motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("positions", lg_motion_positions(mo, x[k], x[k] + n));
    }
    for (int i = 0; i < n; i++)
        for (int k = 1; k <= 4; k++) a[i] += dynamic_weight[k - 1] * (x[4 + k][n + i] - x[4 - k][n + i]) / h;
    dynamics_well(lg_dynamics_set(d, x[4], x[4] + n), d);
    dynamics_well(lg_dynamics_inverse(d, tau, a), d);
    dynamics_well(lg_dynamics_bias(d, c), d);
    for (int i = 0; i < lg_mechanism_motor_count(m); i++) {
        int at = -1;
        for (int j = 0; j < lg_mechanism_joint_count(m); j++) /* motors are named as their joints */
            if (strcmp(lg_mechanism_joint_name(m, j), lg_mechanism_motor_name(m, i)) == 0)
                at = lg_dynamics_joint_index(d, NULL, j);
        want[at] += u[i];
    }
    dynamics_well(lg_dynamics_mass_matrix(d, M), d);
    const double rounding = 1e-5 * dynamic_largest(M, n * n) * dynamic_largest(x[4] + n, n) / h;
    suite_near("controls", tau, want, n, 1e-8, dynamic_largest(c, n) + dynamic_largest(want, n) + rounding);
    lg_dynamics_destroy(d);
}

static void motions(void **unused)
{
    int count = 0;
    (void)unused;
    for (int i = 0; i < suite_count(60); i++) {
        lg_rng rng = suite_rng(900 + (uint64_t)i);
        random_mechanism r;
        lg_motion *mo;
        double v[MOST], u[MOST];
        random_mechanism_draw(&r, RANDOM_TREE, 2 + i % 6, 1, &rng);
        suite_case("tree %d", i);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            const double h = 0.0005 * sqrt(r.size);
            motion_well(motion_create(&mo, r.m, "gauss", h), mo);
            const int n = lg_motion_position_count(mo);
            suite_normal(v, n, &rng), suite_normal(u, MOST, &rng);
            for (int k = 0; k < n; k++) v[k] /= sqrt(r.size);
            for (int k = 0; k < MOST; k++) u[k] *= r.mass * r.size;
            if (lg_mechanism_motor_count(r.m) > 0) motion_well(lg_motion_set_control(mo, u), mo);
            /* gears are rows, which this test has not */
            if (lg_mechanism_freedoms(r.m) == n && lg_motion_start_joints(mo, 0, NULL, v, 1) == LG_OK)
                check_motion(mo, r.m, u, h), count++;
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("motions", count, suite_count(60) / 2);
}

/* Joints of every kind with rotors, on a body that turns. */
static void rotors(void **unused)
{
    (void)unused;
    for (int kind = LG_JOINT_REVOLUTE; kind <= LG_JOINT_FREE; kind++) {
        lg_mechanism *m;
        lg_motion *mo;
        dynamic_state s;
        lg_rng rng = suite_rng(1100 + (uint64_t)kind);
        if (kind == LG_JOINT_DISTANCE) continue;
        suite_case("kind %d", kind);
        m = dynamic_rotor((lg_joint_kind)kind);
        dynamic_draw(&s, m, 1, &rng);
        check_masses(&s, 1);
        check_inverse(&s);
        motion_well(motion_create(&mo, m, "gauss", 0.002), mo);
        motion_well(lg_motion_start_joints(mo, 0, s.q, s.v, 1), mo);
        check_motion(mo, m, NULL, 0.002);
        lg_motion_destroy(mo), lg_dynamics_destroy(s.d), lg_mechanism_destroy(m);
    }
}

/* A cross whose angles have rotors of their own, those of a motor and of a coordinate, and one on a table. */
static void rotors_of_positions(void **unused)
{
    static const double at[3] = {-0.4, 0.1, 0.2}, along[3] = {0, 1, 0}, up[3] = {0, 0, 1};
    lg_mechanism *m;
    dynamic_state s;
    lg_rng rng = suite_rng(1200);
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", -0.2, 0.1, 0.3), mechanism_add_body(m, "b", 0.3, 0.2, -0.1);
    mechanism_add_joint(m, "cross", LG_JOINT_UNIVERSAL, NULL, "a", at, along);
    mechanism_add_joint(m, "table", LG_JOINT_PLANAR, "a", "b", at, up);
    lg_motor d = lg_motor_default("drive", "cross.1");
    lg_coordinate c = lg_coordinate_default("second", "cross.2"), across = lg_coordinate_default("across", "table.2");
    d.ratio = 5, d.rotor_inertia = 0.01, c.armature = 0.7, across.armature = 0.4;
    mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
    mechanism_well(lg_mechanism_add_coordinate(m, NULL, &c), m);
    mechanism_well(lg_mechanism_add_coordinate(m, NULL, &across), m);
    mechanism_well(lg_mechanism_compile(m), m);
    dynamic_draw(&s, m, 1, &rng);
    check_masses(&s, 1);
    check_inverse(&s);
    lg_dynamics_destroy(s.d), lg_mechanism_destroy(m);
}

/* A chain of joints of one kind from the world to the world: as many as leave a freedom. One closes the loop. */
static lg_mechanism *loop(lg_joint_kind kind)
{
    static const char *const names[] = {NULL, "a", "b", "c", "d", "e", "f", NULL};
    const int bodies = 6 / lg_joint_kind_positions(kind);
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 1; i <= bodies; i++) mechanism_add_body(m, names[i], 0.3 * i, 0.1 * sin(i), 0.2 * cos(2 * i));
    for (int i = 0; i <= bodies; i++) {
        const char name[3] = {'j', (char)('0' + i), 0};
        lg_joint j = lg_joint_default(name, kind, names[i], i < bodies ? names[i + 1] : NULL);
        j.point[0] = 0.3 * i + 0.15, j.point[1] = 0.2 * cos(i), j.armature = 0.3 + 0.1 * i;
        j.axis[0] = sin(3 * i), j.axis[1] = cos(5 * i);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Rotors on every joint of loops. Reactions do no work on what a loop allows. */
static void rotors_of_loops(void **unused)
{
    (void)unused;
    for (int kind = LG_JOINT_REVOLUTE; kind <= LG_JOINT_FREE; kind++) {
        lg_rng rng = suite_rng(1300 + (uint64_t)kind);
        double tau[MOST], left[MOST];
        dynamic_state s;
        if (kind == LG_JOINT_DISTANCE) continue;
        suite_case("kind %d", kind);
        lg_mechanism *m = loop((lg_joint_kind)kind);
        lg_motion *mo = motion_started(m, "sem", 0.01, &rng);
        dynamic_draw(&s, m, 1, &rng);
        motion_well(lg_motion_step(mo, 3), mo);
        dynamics_well(lg_dynamics_take(s.d, mo), s.d);
        dynamics_well(lg_dynamics_state(s.d, s.q, s.v), s.d);
        check_masses(&s, 1), check_inverse(&s);
        suite_normal(tau, s.n, &rng);
        dynamics_well(lg_dynamics_acceleration(s.d, s.a, NULL, tau), s.d);
        dynamics_well(lg_dynamics_inverse(s.d, left, s.a), s.d);
        for (int i = 0; i < s.n; i++) left[i] -= tau[i];
        const double size = dynamic_largest(left, s.n) + dynamic_largest(tau, s.n);
        suite_near1("work", dynamic_dot(left, s.v, s.n), 0, 1e-11, size * dynamic_largest(s.v, s.n));
        lg_motion_destroy(mo), lg_dynamics_destroy(s.d), lg_mechanism_destroy(m);
    }
}

/* ---- what is refused ---- */

static void refusals(void **unused)
{
    lg_dynamics *d;
    lg_mechanism *m;
    lg_motion *mo;
    (void)unused;
    suite_status("nowhere", lg_dynamics_create(NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_dynamics_create(&d, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "lg_mechanism_compile");
    suite_status("unfit", lg_dynamics_set(d, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_near1("count", lg_dynamics_count(d), 0, 0, 1);
    suite_near1("index", lg_dynamics_joint_index(d, NULL, 0), -1, 0, 1);
    lg_dynamics_destroy(d);
    mechanism_well(lg_mechanism_create(&m), NULL);
    suite_status("not compiled", lg_dynamics_create(&d, m), LG_ERROR_ARGUMENT);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("arm")), m);
    dynamics_well(lg_dynamics_create(&d, m), d);
    const int n = lg_dynamics_count(d);
    double x[MOST] = {0}, y[MOST] = {0};
    x[0] = 0.5;
    dynamics_well(lg_dynamics_set(d, x, x), d);
    x[0] = NAN;
    suite_status("no number", lg_dynamics_set(d, x, NULL), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_dynamics_message(d), "not finite");
    x[0] = 1e200;
    suite_status("too fast", lg_dynamics_set(d, y, x), LG_ERROR_NOT_FINITE);
    x[0] = 0.5;
    dynamics_well(lg_dynamics_state(d, y, NULL), d);
    suite_same_bits("kept", y, x, n);
    suite_status("no matrix", lg_dynamics_mass_matrix(d, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "lg_dynamics_mass_matrix: the array is NULL");
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("not started", lg_dynamics_take(d, mo), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "not started");
    suite_status("no motion", lg_dynamics_take(d, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_dynamics_message(d), "not one of this mechanism");
    lg_motion_destroy(mo), lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_states),
        cmocka_unit_test(gallery),
        cmocka_unit_test(motions),
        cmocka_unit_test(rotors),
        cmocka_unit_test(rotors_of_positions),
        cmocka_unit_test(rotors_of_loops),
        cmocka_unit_test(refusals),
    };
    suite_begin("multibody/dynamics");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
