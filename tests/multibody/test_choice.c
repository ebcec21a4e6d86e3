/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms whose redundant row becomes another as they move, while the rank stays: cones on balls that roll in
 * circles, hinges of two ball joints whose axes turn in space, loops on a tumbling body. The oracle is a model of the
 * same mechanism whose rows do not come to depend on each other: a disk and an apex, a hinge, rows along a body's axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/width.h>
#include <liegrp/groups/so3.h>
#include <liegrp/multibody/linearise.h>

#include "support/allocations.h"
#include "support/mechanisms.h"

enum { DRAWN = 60, BODIES = 4, KINDS = 3, INSTANCES = 5 };
enum { TURNING, ORACLE };

static double between(lg_rng *rng, double a, double b)
{
    return a + (b - a) * lg_rng_uniform(rng);
}

static void add_body(lg_mechanism *m, const char *name, const double *x, const double *q, double size, lg_rng *rng)
{
    lg_body b = lg_body_default(name);
    b.mass = between(rng, 0.5, 2);
    for (int k = 0; k < 3; k++) b.inertia[k] = size * between(rng, 0.5, 1);
    memcpy(b.position, x, sizeof b.position);
    if (q != NULL) memcpy(b.attitude, q, sizeof b.attitude);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
}

static void add_joint(lg_mechanism *m, const char *name, lg_joint_kind kind, const char *a, const char *b,
                      const double *point, const double *axis, int in_space)
{
    lg_joint j = lg_joint_default(name, kind, a, b);
    memcpy(j.point, point, sizeof j.point);
    if (axis != NULL) memcpy(j.axis, axis, sizeof j.axis);
    j.in_space = in_space;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
}

/* ---- cones ---- */

/* The attitude of a cone that lies on the ground, its axis e_y towards `heading`, tilted down by `tilt`. */
static void cone_attitude(double *q, double heading, double tilt)
{
    const double turn[3] = {0, 0, heading}, lean[3] = {-tilt, 0, 0};
    double a[4], b[4];
    lg_so3_exp(a, turn), lg_so3_exp(b, lean);
    lg_so3_compose(q, a, b);
}

static void add_ball(lg_mechanism *m, const char *name, const char *body, double radius, double y)
{
    lg_wheel w = lg_wheel_default(name, body);
    w.kind = LG_WHEEL_BALL, w.radius = radius, w.centre[1] = y;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
}

/* Balls on an axis, of radii linear along it; or the disk through the first contact, and the apex. */
static void add_cone(lg_mechanism *m, const double *where, double heading, int model, lg_rng *rng)
{
    const double big = between(rng, 0.2, 0.4), slope = between(rng, 0.05, 0.25), tilt = asin(slope);
    const double y0 = between(rng, -0.6, -0.3), y1 = between(rng, 0.3, 0.6), radius = big - slope * y0;
    const double x[3] = {where[0], where[1], big}, apex[3] = {0, big / slope, 0};
    double q[4], point[3];
    cone_attitude(q, heading, tilt);
    add_body(m, "cone", x, q, 0.05, rng);
    if (model == TURNING) {
        add_ball(m, "big", "cone", radius, y0), add_ball(m, "small", "cone", big - slope * y1, y1);
        if (lg_rng_uniform(rng) < 0.3) add_ball(m, "middle", "cone", big, 0);
        return;
    }
    (void)lg_rng_uniform(rng);
    lg_so3_act(point, q, apex);
    for (int k = 0; k < 3; k++) point[k] += x[k];
    add_joint(m, "apex", LG_JOINT_SPHERICAL, NULL, "cone", point, NULL, 0);
    lg_wheel w = lg_wheel_default("rim", "cone");
    w.radius = radius * cos(tilt), w.centre[1] = y0 + radius * sin(tilt);
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
}

static void cone(lg_mechanism *m, int model, lg_rng *rng)
{
    const double where[3] = {between(rng, -1, 1), between(rng, -1, 1), 0};
    double axis[3], point[3] = {where[0], where[1], 0.3};
    add_cone(m, where, between(rng, -3, 3), model, rng);
    if (lg_rng_uniform(rng) < 0.5) return;
    suite_direction(axis, 3, rng);
    const double x[3] = {where[0] + between(rng, -0.3, 0.3), where[1] + between(rng, -0.3, 0.3), 0.5};
    add_body(m, "pendulum", x, NULL, 0.02, rng);
    add_joint(m, "pivot", LG_JOINT_REVOLUTE, "cone", "pendulum", point, axis, 0);
}

/* ---- hinges ---- */

static void hinges(lg_mechanism *m, int model, lg_rng *rng)
{
    static const char *const body[] = {"b0", "b1", "b2"}, *const one[] = {"h0", "h1", "h2"},
                             *const two[] = {"k0", "k1", "k2"};
    const int floats = lg_rng_uniform(rng) < 0.4, count = 2 + (lg_rng_uniform(rng) < 0.5);
    double point[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        double x[3], axis[3], other[3];
        for (int k = 0; k < 3; k++) x[k] = point[k] + between(rng, -0.5, 0.5);
        add_body(m, body[i], x, NULL, 0.1, rng);
        suite_direction(axis, 3, rng);
        const double apart = between(rng, 0.2, 0.5);
        for (int k = 0; k < 3; k++) other[k] = point[k] + apart * axis[k];
        const char *parent = i > 0 ? body[i - 1] : NULL;
        if (i == 0 && floats) continue;
        add_joint(m, one[i], model == ORACLE ? LG_JOINT_REVOLUTE : LG_JOINT_SPHERICAL, parent, body[i], point, axis,
                  model == TURNING);
        if (model == TURNING) add_joint(m, two[i], LG_JOINT_SPHERICAL, parent, body[i], other, NULL, 1);
        for (int k = 0; k < 3; k++) point[k] += between(rng, -0.5, 0.5);
    }
}

/* ---- loops ---- */

/* A point of the plane of a loop, in space. */
static const double *seen(double *x, const double *q, double u, double v)
{
    const double p[3] = {u, v, 0};
    lg_so3_act(x, q, p);
    return x;
}

static void loop(lg_mechanism *m, int model, lg_rng *rng)
{
    static const double up[3] = {0, 0, 1}, centre[3] = {0, 0, 0};
    const double a = between(rng, 0.8, 1.8), crank = between(rng, 0.3, 0.4), base = between(rng, 0.5, 0.7);
    const int in_space = model == TURNING;
    double q[4], x[3], axis[3];
    suite_direction(q, 4, rng);
    lg_so3_act(axis, q, up);
    const double u = crank * cos(a), v = crank * sin(a), far = between(rng, 1.05, 1.3); /* no parallelogram */
    add_body(m, "base", centre, q, 0.3, rng);
    add_body(m, "crank", seen(x, q, 0.5 * u, 0.5 * v), q, 0.02, rng);
    add_body(m, "rod", seen(x, q, u + 0.5 * base, 0.5 * v * (1 + far)), q, 0.02, rng);
    add_body(m, "rocker", seen(x, q, base + 0.5 * u, 0.5 * far * v), q, 0.02, rng);
    add_joint(m, "A", LG_JOINT_REVOLUTE, "base", "crank", seen(x, q, 0, 0), axis, in_space);
    add_joint(m, "B", LG_JOINT_REVOLUTE, "crank", "rod", seen(x, q, u, v), axis, in_space);
    add_joint(m, "C", LG_JOINT_REVOLUTE, "rod", "rocker", seen(x, q, base + u, far * v), axis, in_space);
    add_joint(m, "D", LG_JOINT_REVOLUTE, "base", "rocker", seen(x, q, base, 0), axis, in_space);
}

/* ---- motions ---- */

static lg_mechanism *draw(int i, int model)
{
    static void (*const kinds[KINDS])(lg_mechanism *, int, lg_rng *) = {cone, hinges, loop};
    lg_rng rng = {(uint64_t)(71 + i)};
    lg_mechanism *m;
    suite_ok("create", lg_mechanism_create(&m));
    kinds[i % KINDS](m, model, &rng);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motion *begin(const lg_mechanism *m, const char *method, double h, double tolerance)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    if (tolerance > 0) motion_well(lg_motion_set_tolerance(mo, tolerance), mo);
    motion_well(lg_motion_set_halvings(mo, 8), mo);
    return mo;
}

static void read_state(const lg_motion *mo, const lg_mechanism *m, double *poses, double *twists)
{
    for (int b = 0; b < lg_mechanism_body_count(m); b++) {
        suite_ok("pose", lg_motion_body_pose(mo, poses + 7 * b, b));
        suite_ok("twist", lg_motion_body_twist(mo, twists + 6 * b, b));
    }
}

/* Starts both at the same state with random velocities. */
static void start_both(lg_motion *mo, lg_motion *oracle, const lg_mechanism *m, int i)
{
    double poses[7 * BODIES], twists[6 * BODIES], rest[6 * BODIES];
    lg_rng rng = {(uint64_t)(1000 + i)};
    motion_well(lg_motion_start_joints(oracle, 0, NULL, NULL, 1), oracle);
    read_state(oracle, m, poses, rest);
    suite_normal(twists, 6 * BODIES, &rng);
    for (int k = 0; k < 6 * BODIES; k++) twists[k] *= k % 6 < 3 ? 0.5 : 2;
    motion_well(lg_motion_start_poses(oracle, 0, poses, twists, 1), oracle);
    read_state(oracle, m, poses, twists);
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 1), mo);
}

/* The largest distance of poses. */
static double apart(const lg_motion *a, const lg_motion *b, const lg_mechanism *m)
{
    double x[7 * BODIES], y[7 * BODIES], twists[6 * BODIES], most = 0;
    read_state(a, m, x, twists), read_state(b, m, y, twists);
    for (int k = 0; k < lg_mechanism_body_count(m); k++) {
        double *q = x + 7 * k + 3, *p = y + 7 * k + 3, dot = 0;
        for (int j = 0; j < 4; j++) dot += q[j] * p[j];
        for (int j = 0; j < 4; j++) p[j] *= dot < 0 ? -1 : 1;
        most = fmax(most, suite_distance(x + 7 * k, y + 7 * k, 7));
    }
    return most;
}

/* How far a motion of time 2 ends from the oracle. */
static double error_of(int i, const char *method, double h, double tolerance, double *jump)
{
    lg_mechanism *m = draw(i, TURNING), *n = draw(i, ORACLE);
    lg_motion *mo = begin(m, method, h, tolerance), *oracle = begin(n, "gauss", 0.05, 1e-11);
    start_both(mo, oracle, m, i);
    const double H = lg_motion_energy(mo);
    double turn[6], before[6];
    suite_ok("twist", lg_motion_body_twist(mo, before, 0));
    for (int k = 0; k < (int)lround(2 / h); k++) {
        motion_well(lg_motion_step(mo, 1), mo);
        suite_ok("twist", lg_motion_body_twist(mo, turn, 0));
        *jump = fmax(*jump, suite_distance(turn, before, 6) / h);
        memcpy(before, turn, sizeof before);
    }
    motion_well(lg_motion_step(oracle, 40), oracle);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-9, 1 + fabs(H));
    suite_below("gap", lg_motion_gap(mo), 1e-11);
    suite_below("slip", lg_motion_slip(mo), 1e-9);
    const double error = apart(mo, oracle, m);
    lg_motion_destroy(mo), lg_motion_destroy(oracle), lg_mechanism_destroy(m), lg_mechanism_destroy(n);
    return error;
}

static void arrive(void **unused)
{
    (void)unused;
    for (int i = 0; i < suite_count(DRAWN); i++) {
        double none = 0, jump[2] = {0, 0};
        suite_case("mechanism %d", i);
        suite_below("gauss", error_of(i, "gauss", 0.005, 0, &none), 1e-7);
        suite_below("gauss with a tolerance", error_of(i, "gauss", 0.05, 1e-10, &none), 1e-7);
        const double coarse = error_of(i, "sem", 0.002, 0, &jump[0]), fine = error_of(i, "sem", 0.001, 0, &jump[1]);
        suite_below("sem is of order 2", fine, 0.35 * coarse);
        suite_below("accelerations do not jump", jump[1], 1.5 * jump[0] + 1);
    }
}

/* ---- where a motion starts ---- */

/* A cone turned by a right angle from where it was compiled: the row that was kept is redundant there, entirely. */
static void starts_anywhere(void **unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++) {
        const double tilt = asin(0.1), heading = SUITE_PI / 2 * (i % 4) + (i < 4 ? 0 : 1e-7);
        const double x[3] = {0, 0, 0.26}, still[6] = {0, 0, 0, 0, 0, 0};
        lg_mechanism *m;
        lg_rng rng = {3};
        lg_motion *mo;
        double pose[7] = {0, 0, 0.26}, q[4];
        suite_case("heading %g", heading);
        suite_ok("create", lg_mechanism_create(&m));
        cone_attitude(q, 0, tilt);
        add_body(m, "cone", x, q, 0.05, &rng);
        add_ball(m, "big", "cone", 0.3, -0.4), add_ball(m, "small", "cone", 0.2, 0.6);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, NULL, 0.01), mo);
        cone_attitude(pose + 3, heading, tilt);
        motion_well(lg_motion_start_poses(mo, 0, pose, still, i % 2), mo);
        motion_well(lg_motion_step(mo, 10), mo);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- who holds a motion ---- */

static lg_status set(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const double v[6] = {0, 0, 0, 0, 4 + (double)i, 0};
    double pose[7];
    (void)M, (void)context;
    lg_status st = lg_motion_body_pose(mo, pose, 0);
    return st == LG_OK ? lg_motion_start_poses(mo, 0, pose, v, 1) : st;
}

/* A cone that has turned by more than a right angle after 300 steps of 0.01. */
static lg_mechanism *roller(void)
{
    const double x[3] = {0, 0, 0.26};
    lg_mechanism *m;
    lg_rng rng = {5};
    double q[4];
    suite_ok("create", lg_mechanism_create(&m));
    cone_attitude(q, 0, asin(0.1));
    add_body(m, "cone", x, q, 0.05, &rng);
    add_ball(m, "big", "cone", 0.3, -0.4), add_ball(m, "small", "cone", 0.2, 0.6);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void ensembles(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"sem", "sem@suzuki4", "gauss"};
    lg_mechanism *m = roller();
    for (int k = 0; k < 6; k++) {
        double first[INSTANCES][13], g[7], p[6];
        for (int width = 1; width <= lg_width_best(); width *= 2) {
            lg_ensemble_options o = lg_ensemble_options_default();
            lg_ensemble *E;
            lg_motion *mo = begin(m, methods[k % 3], 0.01, 0), *read;
            motion_well(lg_motion_set_halvings(mo, 0), mo);
            o.method = methods[k % 3], o.step = 0.01, o.width = width, o.threads = 1 + k / 3;
            suite_case("%s, width %d", o.method, width);
            suite_ok("create", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
            suite_ok("set", lg_ensemble_set_all(E, set, NULL));
            for (int part = 0; part < 3; part++) suite_ok("run", lg_ensemble_run(E, 400, 1, NULL, NULL));
            for (int i = 0; i < INSTANCES; i++) {
                suite_contains("nothing failed", "", lg_ensemble_reason(E, i));
                suite_ok("motion", lg_ensemble_motion(&read, E, i));
                suite_ok("state", lg_motion_state(read, g, NULL, p));
                lg_motion_destroy(read);
                if (width == 1) memcpy(first[i], g, sizeof g), memcpy(first[i] + 7, p, sizeof p);
                suite_same_bits("pose", g, first[i], 7), suite_same_bits("momentum", p, first[i] + 7, 6);
            }
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
            suite_ok("set", set(2, NULL, mo, NULL));
            motion_well(lg_motion_step(mo, 1200), mo);
            suite_ok("state", lg_motion_state(mo, g, NULL, p));
            suite_same_bits("alone", g, first[2], 7), suite_same_bits("alone", p, first[2] + 7, 6);
            lg_motion_destroy(mo), lg_ensemble_destroy(E);
        }
    }
    lg_mechanism_destroy(m);
}

static void checkpoints(void **unused)
{
    (void)unused;
    lg_mechanism *m = roller();
    for (int k = 0; k < 3; k++) {
        double g[2][7], p[2][6];
        lg_motion *mo = begin(m, k ? "gauss" : "sem", 0.01, k == 2 ? 1e-9 : 0), *other;
        other = begin(m, k ? "gauss" : "sem", 0.01, k == 2 ? 1e-9 : 0);
        suite_case("method %d", k);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        suite_ok("set", set(3, NULL, mo, NULL));
        for (int part = 0; part < 8; part++) {
            motion_well(lg_motion_step(mo, 77), mo);
            const size_t size = lg_motion_saved_bytes(mo);
            char *bytes = malloc(size);
            assert_non_null(bytes);
            suite_ok("save", lg_motion_save(mo, bytes, size));
            motion_well(lg_motion_load(other, bytes, size), other);
            free(bytes);
            motion_well(lg_motion_step(mo, 60), mo), motion_well(lg_motion_step(other, 60), other);
            suite_ok("state", lg_motion_state(mo, g[0], NULL, p[0]));
            suite_ok("state", lg_motion_state(other, g[1], NULL, p[1]));
            suite_same_bits("pose", g[1], g[0], 7), suite_same_bits("momentum", p[1], p[0], 6);
        }
        lg_motion_destroy(mo), lg_motion_destroy(other);
    }
    lg_mechanism_destroy(m);
}

/* Derivatives are those of the oracle everywhere, although the kept rows may be others next to the state. */
static void derivatives(void **unused)
{
    (void)unused;
    enum { FREE = 18, POINTS = 60 };
    for (int i = 1; i < 5 * KINDS; i += KINDS)
        for (int k = 0; k < 2; k++) {
            const char *method = k ? "sem" : "gauss";
            lg_mechanism *m = draw(i, TURNING), *n = draw(i, ORACLE);
            lg_motion *mo = begin(m, method, 0.002, 0), *oracle = begin(n, method, 0.002, 0);
            double pose[7 * BODIES], twist[6 * BODIES], A[2][FREE * FREE], B[2][FREE * FREE];
            start_both(mo, oracle, m, i);
            const int free = lg_motion_freedoms(mo, NULL), numbers = free * free;
            assert_int_equal(free, lg_motion_freedoms(oracle, NULL));
            assert_true(free <= FREE);
            for (int point = 0; point < POINTS; point++) {
                suite_case("mechanism %d, %s, %d", i, method, point);
                read_state(mo, m, pose, twist);
                motion_well(lg_motion_start_poses(oracle, 0, pose, twist, 1), oracle);
                motion_well(lg_motion_linearise_step(mo, A[0], NULL, NULL, NULL), mo);
                motion_well(lg_motion_linearise_step(oracle, A[1], NULL, NULL, NULL), oracle);
                motion_well(lg_motion_linearise(mo, B[0], NULL, NULL, NULL), mo);
                motion_well(lg_motion_linearise(oracle, B[1], NULL, NULL, NULL), oracle);
                const double scale = 1 + suite_distance(B[1], A[1], numbers);
                suite_near("of a step", A[0], A[1], numbers, k ? 1e-5 : 1e-8, scale);
                suite_near("of the equations", B[0], B[1], numbers, 1e-7, scale);
                motion_well(lg_motion_step(mo, 10), mo);
            }
            lg_motion_destroy(mo), lg_motion_destroy(oracle), lg_mechanism_destroy(m), lg_mechanism_destroy(n);
        }
}

static void nothing_is_allocated(void **unused)
{
    (void)unused;
    only_if_counted();
    lg_mechanism *m = roller();
    for (int k = 0; k < 3; k++) {
        lg_motion *mo = begin(m, k ? "gauss" : "sem", 0.01, k == 2 ? 1e-9 : 0);
        const long before = allocations;
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        suite_ok("set", set(3, NULL, mo, NULL));
        motion_well(lg_motion_step(mo, 800), mo);
        assert_int_equal(allocations, before);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrive),      cmocka_unit_test(starts_anywhere), cmocka_unit_test(ensembles),
        cmocka_unit_test(checkpoints), cmocka_unit_test(derivatives),     cmocka_unit_test(nothing_is_allocated),
    };
    suite_begin("multibody/choice");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
