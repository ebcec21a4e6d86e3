/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations and controls of mechanisms with loops, gears and wheels: those of motions by differences, Gauss'
 * principle, and controls back from accelerations; which controls do not exist, or are not the only ones. */
#include <math.h>
#include <string.h>

#include "multibody/dynamics/dynamics.h"
#include "support/allocations.h"
#include "support/dynamic_states.h"

enum { MOST = DYNAMIC_MOST, ROWS = 400, MOTORS = RANDOM_BODIES };

static double G[ROWS * MOST], M[MOST * MOST];

/* G a + bend = 0 and G v = drift, relative to the largest terms of all rows. */
static void check_rows(const dynamic_state *s, const double *a, double tolerance)
{
    double drift[ROWS], bend[ROWS], v[MOST], size[2] = {0, 1e-3};
    const int rows = lg_dynamics_row_count(s->d);
    assert_in_range(rows, 0, ROWS);
    dynamics_well(lg_dynamics_rows(s->d, G, drift, bend), s->d);
    dynamics_well(lg_dynamics_state(s->d, NULL, v), s->d);
    for (int i = 0; i < rows * s->n; i++) {
        size[0] = fmax(size[0], fabs(bend[i / s->n]) + fabs(G[i] * a[i % s->n]));
        size[1] = fmax(size[1], fabs(drift[i / s->n]) + fabs(G[i] * v[i % s->n]));
    }
    const double all = dynamic_largest(a, s->n) + dynamic_largest(s->a, s->n) + pow(dynamic_largest(v, s->n), 2);
    size[0] += 1e-2 * all; /* G may be rounding */
    for (int r = 0; r < rows; r++) {
        suite_near1("G v", dynamic_dot(G + r * s->n, v, s->n), drift[r], 1e-7, size[1]);
        suite_near1("G a", dynamic_dot(G + r * s->n, a, s->n), -bend[r], tolerance, size[0]);
    }
}

/* How different two accelerations are, in the metric, relative to the larger. */
static double apart(const dynamic_state *s, const double *a, const double *b)
{
    double x[MOST], sum[3] = {0, 0, 0};
    dynamics_well(lg_dynamics_mass_matrix(s->d, M), s->d);
    for (int i = 0; i < s->n; i++) x[i] = a[i] - b[i];
    for (int i = 0; i < s->n; i++) {
        sum[0] += x[i] * dynamic_dot(M + i * s->n, x, s->n);
        sum[1] += a[i] * dynamic_dot(M + i * s->n, a, s->n), sum[2] += b[i] * dynamic_dot(M + i * s->n, b, s->n);
    }
    return sqrt(fmax(0, sum[0]) / (fmax(sum[1], sum[2]) + 1e-300));
}

/* What rounding does to accelerations: the condition of the rows' Gram matrix. */
static double tolerance_of(const dynamic_state *s)
{
    const double pivot = mb_smallest_pivot(s->d->mo, &s->d->mo->numbers.node[0]);
    return fmax(1e-8, 1e-8 / (pivot * pivot));
}

/* Forces that would accelerate the tree by a do so up to what the rows take: the acceleration that is nearest to a. */
static void check_gauss(const dynamic_state *s)
{
    double tau[MOST], a[MOST], b[MOST];
    dynamics_well(lg_dynamics_inverse(s->d, tau, s->a), s->d);
    dynamics_well(lg_dynamics_acceleration(s->d, a, NULL, tau), s->d);
    const double tolerance = tolerance_of(s);
    memcpy(b, s->a, sizeof b);
    dynamics_well(lg_dynamics_admissible(s->d, b), s->d);
    suite_below("Gauss' principle", apart(s, a, b), tolerance);
    check_rows(s, b, tolerance);
    dynamics_well(lg_dynamics_acceleration(s->d, tau, NULL, tau), s->d);
    suite_same_bits("in place", tau, a, s->n);
}

/* Controls give an acceleration, from which motors() finds controls that give it too. */
static int check_motors(const dynamic_state *s, const double *u)
{
    double a[MOST], b[MOST], found[MOTORS], bias[2][MOST];
    const int motors = lg_mechanism_motor_count(s->m);
    dynamics_well(lg_dynamics_bias(s->d, bias[0]), s->d);
    dynamics_well(lg_dynamics_acceleration(s->d, a, u, NULL), s->d);
    const double tolerance = tolerance_of(s);
    dynamics_well(lg_dynamics_bias(s->d, bias[1]), s->d); /* controls are not a part of it */
    suite_same_bits("bias", bias[1], bias[0], s->n);
    check_rows(s, a, tolerance);
    if (dynamic_largest(a, s->n) < 1e-4 * dynamic_largest(s->a, s->n)) return 0; /* rounding: rows hold it all */
    dynamics_well(lg_dynamics_motors(s->d, found, a, 1), s->d);
    dynamics_well(lg_dynamics_acceleration(s->d, b, found, NULL), s->d);
    suite_below("controls", apart(s, a, b), tolerance);
    const int unique = lg_dynamics_motors(s->d, found, a, 0) == LG_OK;
    if (!unique) suite_contains("message", lg_dynamics_message(s->d), "least = 1");
    for (int i = 0; i < motors && unique; i++)
        suite_near1("u", found[i], u[i], 1e-5, dynamic_largest(u, motors) + dynamic_largest(bias[0], s->n));
    return unique;
}

static void random_states(void **unused)
{
    int moved = 0, unique = 0;
    (void)unused;
    for (int i = 0; i < suite_count(180); i++) {
        lg_rng rng = suite_rng(2000 + (uint64_t)i);
        random_mechanism r;
        lg_motion *mo;
        static dynamic_state s;
        double v[MOST], u[MOTORS];
        const random_family family = (random_family)(i % RANDOM_FAMILIES);
        if (family == RANDOM_NEARLY) continue;
        random_mechanism_draw(&r, family, 2 + i % 10, 1, &rng);
        suite_case("family %d, %d", (int)family, i);
        if (lg_mechanism_compile(r.m) == LG_OK) {
            motion_well(motion_create(&mo, r.m, NULL, 0.001), mo);
            dynamic_draw(&s, r.m, r.size, &rng);
            suite_normal(v, s.n, &rng), suite_normal(u, MOTORS, &rng);
            for (int k = 0; k < s.n; k++) v[k] /= sqrt(r.size);
            for (int k = 0; k < MOTORS; k++) u[k] *= r.mass * r.size;
            if (lg_motion_start_joints(mo, 0, NULL, v, 1) == LG_OK) {
                dynamics_well(lg_dynamics_take(s.d, mo), s.d);
                check_gauss(&s);
                unique += check_motors(&s, u), moved++;
            }
            lg_dynamics_destroy(s.d), lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("moved", moved, suite_count(180) / 4);
    suite_above("unique", unique, moved / 4);
}

/* Accelerations of a motion by differences of order 8, and all the rest, at the state four steps on. */
static void check_motion(lg_motion *mo, const lg_mechanism *m, const double *u, double h, lg_rng *rng)
{
    static dynamic_state s;
    static double x[9][2 * MOST];
    double a[MOST], want[MOST] = {0};
    dynamic_draw(&s, m, 1, rng);
    for (int k = 0; k < 9; k++) {
        if (k > 0) motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("positions", lg_motion_positions(mo, x[k], x[k] + s.n));
        if (k == 4) dynamics_well(lg_dynamics_take(s.d, mo), s.d);
    }
    for (int c = 0; c < s.n; c++)
        for (int k = 1; k <= 4; k++) want[c] += dynamic_weight[k - 1] * (x[4 + k][s.n + c] - x[4 - k][s.n + c]) / h;
    dynamics_well(lg_dynamics_acceleration(s.d, a, u, NULL), s.d);
    suite_near("acceleration", a, want, s.n, 1e-8,
               dynamic_largest(want, s.n) + 1e-4 * dynamic_largest(x[4] + s.n, s.n) / h);
    check_gauss(&s);
    (void)check_motors(&s, u);
    lg_dynamics_destroy(s.d);
}

static void gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        lg_mechanism *m = gallery_mechanism(i, 0);
        const double h = 0.1 * lg_gallery_step(i);
        lg_motion *mo = gallery_motion(m, i, "gauss", h);
        lg_rng rng = suite_rng(2200 + (uint64_t)i);
        suite_case("%s", lg_gallery_name(i));
        check_motion(mo, m, gallery_controls, h, &rng);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* A ball rolls or slides on a sphere of the world, or in it. */
static void contacts(void **unused)
{
    static const double v[6] = {0.3, -0.2, 0.1, 2, 1, -3};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        lg_mechanism *m;
        lg_motion *mo;
        lg_rng rng = suite_rng(2300 + (uint64_t)i);
        lg_sphere_contact c = lg_sphere_contact_default("foot", NULL, "ball");
        c.contact = i % 2 ? LG_CONTACT_SLIDES : LG_CONTACT_ROLLS, c.inside = i / 2;
        c.parent_radius = 0.5, c.child_radius = 0.2;
        suite_case("contact %d", i);
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "ball", 0.42, 0.21, 0.5);
        mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, "gauss", 0.001), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
        check_motion(mo, m, NULL, 0.001, &rng);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* A body that floats with twelve legs, which compilation takes apart; in one piece it is the same. */
static lg_mechanism *hub(int whole)
{
    static const lg_joint_kind kinds[] = {LG_JOINT_REVOLUTE, LG_JOINT_SPHERICAL, LG_JOINT_PRISMATIC};
    static const char *const legs[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "hub", 0, 0, 0);
    for (int i = 0; i < 12; i++) {
        const double point[3] = {cos(0.5 * i), sin(0.5 * i), 0}, axis[3] = {-point[1], point[0], 0.3};
        mechanism_add_body(m, legs[i], 1.4 * point[0], 1.4 * point[1], -0.1 * i);
        mechanism_add_joint(m, legs[i], kinds[i % 3], i % 2 ? legs[i] : "hub", i % 2 ? "hub" : legs[i], point, axis);
    }
    if (whole) mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void wide_bodies(void **unused)
{
    static double matrix[2][MOST * MOST];
    double tau[2][MOST], a[2][MOST], centre[2][3];
    (void)unused;
    int n = 0;
    for (int whole = 0; whole < 2; whole++) {
        lg_mechanism *m = hub(whole);
        lg_rng rng = suite_rng(2400);
        dynamic_state s;
        dynamic_draw(&s, m, 1, &rng);
        n = s.n;
        dynamics_well(lg_dynamics_mass_matrix(s.d, matrix[whole]), s.d);
        dynamics_well(lg_dynamics_inverse(s.d, tau[whole], s.a), s.d);
        dynamics_well(lg_dynamics_acceleration(s.d, a[whole], NULL, NULL), s.d);
        dynamics_well(lg_dynamics_centre(s.d, centre[whole], NULL), s.d);
        lg_dynamics_destroy(s.d), lg_mechanism_destroy(m);
    }
    suite_near1("coordinates", n, 6 + 4 * (1 + 3 + 1), 0, 1);
    suite_near("M", matrix[0], matrix[1], n * n, 1e-13, dynamic_largest(matrix[1], n * n));
    suite_near("tau", tau[0], tau[1], n, 1e-12, dynamic_largest(tau[1], n));
    suite_near("a", a[0], a[1], n, 1e-10, dynamic_largest(a[1], n));
    suite_near("centre", centre[0], centre[1], 3, 1e-13, 1);
}

/* Motors on some hinges of a planar double pendulum, whose end may slide along x: then it has one freedom. */
static lg_mechanism *double_pendulum(int motors, int slides)
{
    static const double axis[3] = {0, 1, 0}, along[3] = {1, 0, 0}, at[3][3] = {{0, 0, 0}, {1, 0, 0.2}, {1.5, 0, 1}};
    static const char *const names[] = {"first", "second", "third"};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.5, 0, 0), mechanism_add_body(m, "b", 1, 0, 0.5);
    mechanism_add_joint(m, names[0], LG_JOINT_REVOLUTE, NULL, "a", at[0], axis);
    mechanism_add_joint(m, names[1], LG_JOINT_REVOLUTE, "a", "b", at[1], axis);
    if (slides) {
        mechanism_add_body(m, "c", 1.5, 0, 1);
        mechanism_add_joint(m, names[2], LG_JOINT_REVOLUTE, "b", "c", at[2], axis);
        mechanism_add_joint(m, "slider", LG_JOINT_PRISMATIC, NULL, "c", at[2], along);
    }
    for (int i = 0; i < motors; i++) {
        lg_motor motor = lg_motor_default(names[i], names[i]);
        motor.ratio = i == 1 ? -3 : 1;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void ranks(void **unused)
{
    lg_dynamics *d;
    double u[3] = {7, 7, 7}, a[2] = {1, -2}, tau[2];
    (void)unused;
    lg_mechanism *m = double_pendulum(1, 0);
    dynamics_well(lg_dynamics_create(&d, m), d);
    suite_near1("rows", lg_dynamics_row_count(d), 0, 0, 1);
    suite_status("too few", lg_dynamics_motors(d, u, a, 1), LG_ERROR_SINGULAR);
    suite_contains("message", lg_dynamics_message(d), "1 motors have rank 1 on 2 freedoms");
    dynamics_well(lg_dynamics_acceleration(d, a, u, NULL), d);
    dynamics_well(lg_dynamics_motors(d, u + 1, a, 0), d); /* one that it reaches */
    suite_near1("u", u[1], u[0], 1e-10, fabs(u[0]));
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    m = double_pendulum(2, 0);
    dynamics_well(lg_dynamics_create(&d, m), d);
    dynamics_well(lg_dynamics_motors(d, u, a, 0), d);
    dynamics_well(lg_dynamics_inverse(d, tau, a), d);
    tau[1] /= -3;
    suite_near("tree", u, tau, 2, 1e-13, 10);
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    m = double_pendulum(3, 1);
    dynamics_well(lg_dynamics_create(&d, m), d);
    double b[4] = {1, 1, 1, 1}, c[4];
    dynamics_well(lg_dynamics_admissible(d, b), d);
    suite_status("several", lg_dynamics_motors(d, u, b, 0), LG_ERROR_SINGULAR);
    suite_contains("message", lg_dynamics_message(d), "3 motors have rank 1 on 1 freedoms");
    dynamics_well(lg_dynamics_motors(d, u, b, 1), d);
    dynamics_well(lg_dynamics_acceleration(d, c, u, NULL), d);
    suite_near("acceleration", c, b, lg_dynamics_count(d), 1e-11, 10);
    const double square = dynamic_dot(u, u, 3), e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) { /* what others that accelerate alike would take */
        double other[2][4], more[3], power[3];
        for (int k = 0; k < 3; k++) {
            dynamics_well(lg_dynamics_acceleration(d, other[0], e[k], NULL), d);
            dynamics_well(lg_dynamics_acceleration(d, other[1], NULL, NULL), d);
            power[k] = other[0][0] - other[1][0];
        }
        for (int k = 0; k < 3; k++) more[k] = u[k];
        more[i % 3] += 0.1 * power[(i + 1) % 3], more[(i + 1) % 3] -= 0.1 * power[i % 3];
        dynamics_well(lg_dynamics_acceleration(d, c, more, NULL), d);
        suite_near("alike", c, b, lg_dynamics_count(d), 1e-11, 10);
        suite_above("longer", dynamic_dot(more, more, 3), square);
    }
    lg_dynamics_destroy(d), lg_mechanism_destroy(m);
}

/* Bricard's linkage, open by less than is refused: the rank of its rows stays that of closed ones. */
static void nearly_closed(void **unused)
{
    const int i = lg_gallery_index("bricard");
    lg_mechanism *m = gallery_mechanism(i, 0);
    lg_motion *mo = gallery_motion(m, i, NULL, lg_gallery_step(i));
    lg_dynamics *d;
    double q[MOST], v[MOST], a[MOST] = {0}, open = 0;
    (void)unused;
    dynamics_well(lg_dynamics_create(&d, m), d);
    motion_well(lg_motion_step(mo, 10), mo);
    suite_ok("positions", lg_motion_positions(mo, q, v));
    for (int k = 0; k < lg_dynamics_count(d); k++) q[k] += 2e-9 * sin(1.0 + k * k), v[k] = 0;
    dynamics_well(lg_dynamics_set(d, q, v), d);
    motion_well(lg_motion_start_joints(mo, 0, q, NULL, 1), mo);
    suite_ok("positions", lg_motion_positions(mo, v, NULL));
    for (int k = 0; k < lg_dynamics_count(d); k++) open = fmax(open, fabs(q[k] - v[k]));
    suite_above("open", open, 1e-10);
    dynamics_well(lg_dynamics_admissible(d, a), d);
    suite_status("no motor", lg_dynamics_motors(d, NULL, a, 0), LG_ERROR_SINGULAR);
    suite_contains("message", lg_dynamics_message(d), "0 motors have rank 0 on 1 freedoms");
    lg_dynamics_destroy(d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* Nothing is allocated after the first calls; creation and these may run out of memory. */
/* A body that floats with thrusters, and on a ball joint with a damper and motors another: controls give accelerations
 * and come back; a servo on a hinge further out is given the force that it has to exert. */
static void drives(void **unused)
{
    static const double axis[3] = {0, 1, 0}, at[3] = {0.5, 0, 0}, outer[3] = {1, 0, 0};
    enum { CONTROLS = 9 };
    double u[CONTROLS], found[CONTROLS], a[MOST], b[MOST], passive[MOST], q[13], v[13];
    lg_rng rng = suite_rng(41);
    (void)unused;
    for (int servo = 0; servo < 2; servo++) {
        lg_mechanism *m;
        lg_motion *mo;
        static dynamic_state s;
        suite_case("%s", servo ? "servo" : "motors");
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_add_body(m, "a", 0, 0, 0), mechanism_add_body(m, "b", 0.8, 0.1, 0.2);
        mechanism_add_body(m, "c", 1.3, 0.2, 0.1);
        lg_joint ball = lg_joint_default("ball", LG_JOINT_SPHERICAL, "a", "b");
        memcpy(ball.point, at, sizeof at), ball.damping = 0.4;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &ball), m);
        mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, "b", "c", outer, axis);
        for (int i = 0; i < 3; i++) {
            char name[8] = "m0", place[8] = "ball.1";
            name[1] = (char)('0' + i), place[5] = (char)('1' + i);
            lg_motor d = lg_motor_default(name, place);
            d.ratio = 2 + i;
            mechanism_well(lg_mechanism_add_motor(m, NULL, &d), m);
        }
        lg_motor drive = lg_motor_default("drive", "hinge");
        drive.ratio = -3, drive.position_gain = servo ? 50 : 0, drive.velocity_gain = servo ? 2 : 0;
        mechanism_well(lg_mechanism_add_motor(m, NULL, &drive), m);
        for (int i = 0; i < 5; i++) {
            char name[8] = "t0";
            name[1] = (char)('0' + i);
            lg_thruster t = lg_thruster_default(name, "a");
            for (int k = 0; k < 3; k++) t.point[k] = 0.3 * sin(3. * i + k), t.axis[k] = cos(2. * i + 5 * k);
            t.torque = 0.1 * i;
            mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
        }
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, NULL, 0.001), mo);
        dynamic_draw(&s, m, 1, &rng);
        suite_normal(u, CONTROLS, &rng);
        memcpy(q, s.q, sizeof q), memcpy(v, s.v, sizeof v);
        dynamics_well(lg_dynamics_set(s.d, q, v), s.d);
        dynamics_well(lg_dynamics_acceleration(s.d, a, u, NULL), s.d);
        dynamics_well(lg_dynamics_motors(s.d, found, a, 0), s.d);
        if (servo) { /* n (kp (u - n q) - kv n q') of the joint is n times what is found */
            const int hinge = lg_motion_joint_index(mo, NULL, 1);
            suite_near1("servo", found[3], 50 * (u[3] + 3 * q[hinge]) + 2 * 3 * v[hinge], 1e-9, 1e2);
            found[3] = u[3];
        }
        suite_near("controls", found, u, CONTROLS, 1e-9, 10);
        dynamics_well(lg_dynamics_acceleration(s.d, b, found, NULL), s.d);
        suite_near("acceleration", b, a, s.n, 1e-9, dynamic_largest(a, s.n));
        dynamics_well(lg_dynamics_passive(s.d, passive), s.d);
        const int first = lg_motion_joint_index(mo, NULL, 0);
        for (int k = 0; k < s.n; k++)
            suite_near1("damper", passive[k], k >= first && k < first + 3 ? -0.4 * v[k] : 0, 1e-12, 10);
        lg_dynamics_destroy(s.d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

static void memory(void **unused)
{
    const int i = lg_gallery_index("balancing-robot"), body = 0;
    double u[MOTORS], a[MOST], pose[7], J[6 * MOST], M0[MOST];
    (void)unused;
    only_if_counted();
    lg_mechanism *m = gallery_mechanism(i, 0);
    lg_motion *mo = gallery_motion(m, i, NULL, lg_gallery_step(i));
    lg_dynamics *d = NULL;
    long start = allocations;
    for (int n = 0;; n++) {
        const long held = live;
        fail_at = allocations + n;
        const lg_status st = lg_dynamics_create(&d, m);
        fail_at = -1;
        if (st == LG_OK) break;
        suite_status("creation", st, LG_ERROR_MEMORY);
        assert_null(d);
        assert_int_equal(live, held);
    }
    dynamics_well(lg_dynamics_take(d, mo), d);
    dynamics_well(lg_dynamics_acceleration(d, a, gallery_controls, NULL), d);
    fail_at = allocations;
    suite_status("motors", lg_dynamics_motors(d, u, a, 1), LG_ERROR_MEMORY);
    suite_contains("message", lg_dynamics_message(d), "out of memory");
    fail_at = -1;
    for (int pass = 0; pass < 2; pass++) {
        if (pass > 0) start = allocations;
        dynamics_well(lg_dynamics_take(d, mo), d);
        dynamics_well(lg_dynamics_acceleration(d, a, gallery_controls, NULL), d);
        dynamics_well(lg_dynamics_motors(d, u, a, 1), d);
        dynamics_well(lg_dynamics_admissible(d, a), d);
        dynamics_well(lg_dynamics_inverse(d, M0, a), d);
        dynamics_well(lg_dynamics_jacobian(d, J, body, NULL), d);
        dynamics_well(lg_dynamics_frame(d, pose, NULL, body, NULL), d);
        dynamics_well(lg_dynamics_reach(d, NULL, &body, pose, NULL, NULL, 1), d);
    }
    assert_int_equal(allocations, start);
    lg_dynamics_destroy(d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    lg_mechanism *m;
    lg_dynamics *d;
    double u[2], a[MOST] = {1}, q[MOST] = {0}, v[MOST] = {1};
    lg_motion *mo;
    (void)unused;
    const int i = lg_gallery_index("four-bar");
    m = gallery_mechanism(i, 0);
    dynamics_well(lg_dynamics_create(&d, m), d);
    mo = gallery_motion(m, i, NULL, 0.001);
    dynamics_well(lg_dynamics_take(d, mo), d);
    suite_status("not allowed", lg_dynamics_motors(d, u, a, 1), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_dynamics_message(d), "does not allow this acceleration");
    suite_contains("advice", lg_dynamics_message(d), "lg_dynamics_admissible()");
    dynamics_well(lg_dynamics_admissible(d, a), d);
    suite_status("no motor", lg_dynamics_motors(d, NULL, a, 0), LG_ERROR_SINGULAR);
    suite_contains("message", lg_dynamics_message(d), "0 motors have rank 0 on 1 freedoms");
    double bad[MOST] = {0, NAN};
    suite_status("no number", lg_dynamics_motors(d, NULL, bad, 0), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_dynamics_message(d), "lg_dynamics_motors: acceleration 1 is nan");
    suite_status("no number", lg_dynamics_admissible(d, bad), LG_ERROR_NOT_FINITE);
    suite_status("no number", lg_dynamics_inverse(d, q, bad), LG_ERROR_NOT_FINITE);
    suite_status("no number", lg_dynamics_acceleration(d, q, NULL, bad), LG_ERROR_NOT_FINITE);
    dynamics_well(lg_dynamics_state(d, q, v), d);
    v[0] += 1;
    dynamics_well(lg_dynamics_set(d, q, v), d);
    suite_status("velocities", lg_dynamics_acceleration(d, a, NULL, NULL), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_dynamics_message(d), "these velocities violate joint");
    q[0] += 0.1;
    dynamics_well(lg_dynamics_set(d, q, NULL), d);
    suite_status("open", lg_dynamics_admissible(d, a), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_dynamics_message(d), "is open by");
    suite_status("open", lg_dynamics_acceleration(d, a, NULL, NULL), LG_ERROR_INCONSISTENT);
    lg_dynamics_destroy(d), lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_states), cmocka_unit_test(gallery), cmocka_unit_test(contacts),
        cmocka_unit_test(wide_bodies),   cmocka_unit_test(ranks),   cmocka_unit_test(nearly_closed),
        cmocka_unit_test(drives),        cmocka_unit_test(memory),  cmocka_unit_test(refusals),
    };
    suite_begin("multibody/dynamics_motors");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
