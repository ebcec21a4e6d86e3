/* SPDX-License-Identifier: BSD-3-Clause */
/* Gaits of mechanisms: a snakeboard of bodies, joints and wheels against the system of test_gait.c; stability; a snake
 * from a sine of its shape; symmetries. */
#include <math.h>
#include <string.h>

#include "support/reaching.h"

enum { STEPS = 10, X = 0, Y, THETA, PSI, FRONT, REAR, POSITIONS };

static const double PERIOD = 4;

static void add_axle(lg_mechanism *m, const char *name, double x)
{
    const double point[3] = {x, 0, 0.1}, up[3] = {0, 0, 1};
    lg_body body = lg_body_default(name);
    lg_wheel wheel = lg_wheel_default(name, name);
    body.mass = 0.1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.125;
    memcpy(body.position, point, sizeof point);
    wheel.radius = 0.1, wheel.contact = LG_CONTACT_EDGE;
    mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
    mechanism_add_joint(m, name, LG_JOINT_REVOLUTE, "board", name, point, up);
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &wheel), m);
}

/* In total as that of gaits.h: m = r = 1, J = 0.5 with the axles as points, J0 = 0.25, J1 = 0.125, friction 0.2. The
 * axles turn against each other, by a motor on the front one. */
static lg_mechanism *snakeboard(void)
{
    static const double origin[3], up[3] = {0, 0, 1};
    lg_mechanism *m = NULL;
    lg_body body = lg_body_default("board"), rotor = lg_body_default("rotor");
    lg_joint ground = lg_joint_default("ground", LG_JOINT_PLANAR, NULL, "board");
    lg_gear gear = lg_gear_default("steering", "rear", "front");
    const lg_motor turn = lg_motor_default("turn", "spin"), steer = lg_motor_default("steer", "front");
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    body.mass = 0.7, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.3;
    rotor.mass = 0.1, rotor.inertia[0] = rotor.inertia[1] = rotor.inertia[2] = 0.25;
    ground.axis[0] = ground.axis[1] = 0, ground.axis[2] = 1, ground.second[0] = 1, ground.damping = 0.2;
    gear.ratio = -1;
    mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &ground), m);
    mechanism_well(lg_mechanism_add_body(m, NULL, &rotor), m);
    mechanism_add_joint(m, "spin", LG_JOINT_REVOLUTE, "board", "rotor", origin, up);
    add_axle(m, "front", 1), add_axle(m, "rear", -1);
    mechanism_well(lg_mechanism_add_gear(m, NULL, &gear), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &turn), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &steer), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_optimum_problem stride_of(const lg_mechanism *m, int steps, const double *displacement)
{
    lg_optimum_problem p = lg_optimum_problem_default(NULL);
    p.mechanism = m, p.steps = steps, p.time = PERIOD, p.closes = 1, p.target_g = displacement;
    return p;
}

/* Rotor and axles swing as a sine, while the board rolls ahead. */
static void swing(lg_optimum *o, double stride)
{
    double q[41 * POSITIONS];
    const int steps = lg_optimum_steps(o);
    memset(q, 0, sizeof q);
    for (int k = 0; k <= steps; k++) {
        const double s = (double)k / steps, by = 0.3 * sin(2 * SUITE_PI * s);
        double *at = q + k * POSITIONS;
        at[X] = stride * s, at[PSI] = at[FRONT] = by, at[REAR] = -by;
    }
    suite_ok("guess", lg_optimum_guess(o, q, NULL, NULL, 0));
}

/* The motion of the gait, `periods` of it, begun with the velocity of the rotor changed by `off`. */
static lg_motion *run(const lg_mechanism *m, const lg_optimum *o, int periods, double off)
{
    lg_motion *mo = NULL;
    double v[POSITIONS];
    const int steps = lg_optimum_steps(o);
    memcpy(v, lg_optimum_momenta(o), sizeof v), v[PSI] += off;
    motion_well(motion_create(&mo, m, "sem", PERIOD / steps), mo);
    motion_well(lg_motion_start_joints(mo, 0, lg_optimum_configurations(o), v, 0), mo);
    for (int k = 0; k < periods * steps; k++) {
        motion_well(lg_motion_set_control(mo, lg_optimum_controls(o) + k % steps * 2), mo);
        motion_well(lg_motion_step(mo, 1), mo);
    }
    return mo;
}

static void test_board(void **state)
{
    (void)state;
    const double ahead[POSITIONS] = {1, 0, 0, 0, 0, 0}, study[2] = {0.37321136702691776, 0.359688578876};
    /* heading and axles of the start are held, as there */
    static const int as_study[2 * POSITIONS] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    double cost[3];
    lg_mechanism *m = snakeboard();
    for (int i = 0; i < 3; i++) {
        suite_case("%d steps", STEPS << i);
        lg_optimum_problem p = stride_of(m, STEPS << i, ahead);
        p.start_free = as_study;
        lg_optimum *o = open(&p);
        swing(o, 1);
        const lg_optimum_figures f = solve(o, 40, 1e-9);
        cost[i] = f.cost;
        if (i > 0) suite_near1("as the system", f.cost, study[i - 1], 1e-2, 1);
        const double *q = lg_optimum_configurations(o), *last = q + (STEPS << i) * POSITIONS;
        for (int k = 0; k < POSITIONS; k++) suite_near1("closed", last[k] - q[k], ahead[k], 1e-10, 1);
        suite_near1("place", q[X], 0, 0, 1);
        suite_near1("phase", q[FRONT], 0, 0, 1);
        lg_motion *mo = run(m, o, 3, 0);
        double at[POSITIONS], v[POSITIONS];
        motion_well(lg_motion_positions(mo, at, v), mo);
        for (int k = 0; k < POSITIONS; k++) {
            suite_near1("three periods", at[k], q[k] + 3 * ahead[k], 1e-9, 1);
            suite_near1("velocity", v[k], lg_optimum_momenta(o)[k], 1e-9, 1);
        }
        lg_motion_destroy(mo);
        lg_optimum_destroy(o);
    }
    const double limit = study[1] + (0.356441855179 - study[1]) * 4 / 3;
    suite_near1("order", log2((cost[0] - cost[1]) / (cost[1] - cost[2])), 2, 0.5, 1);
    suite_near1("limit", cost[2] + (cost[2] - cost[1]) / 3, limit, 1e-3, 1);
    lg_mechanism_destroy(m);
}

/* Without held coordinates the heading gives the phase, and the stride costs less; a longer one continues from it, and
 * the costate is the derivative of the cost by the stride. */
static void test_strides(void **state)
{
    (void)state;
    static const double stride[4] = {1, 1 - 1e-3, 1 + 1e-3, 1.25};
    double displacement[POSITIONS] = {0}, cost[4], slope = 0;
    lg_mechanism *m = snakeboard();
    displacement[X] = 1;
    const lg_optimum_problem p = stride_of(m, STEPS, displacement);
    lg_optimum *o = open(&p);
    swing(o, 1);
    for (int i = 0; i < 4; i++) {
        displacement[X] = stride[i];
        suite_ok("move", lg_optimum_move(o, NULL, NULL, displacement, NULL));
        cost[i] = solve(o, i ? 5 : 20, 1e-9).cost;
        if (i == 0) slope = lg_optimum_costates(o)[STEPS * 2 * POSITIONS + X];
        suite_near1("stride", lg_optimum_configurations(o)[STEPS * POSITIONS + X], stride[i], 1e-10, 1);
        suite_near1("heading", lg_optimum_configurations(o)[THETA], 0, 0, 1);
    }
    suite_below("cost", cost[0], 0.15);
    suite_near1("slope", -slope, (cost[2] - cost[1]) / 2e-3, 1e-6, 1);
    suite_above("a longer stride", cost[3], cost[2]);
    displacement[FRONT] = 0.3;
    suite_status("move", lg_optimum_move(o, NULL, NULL, displacement, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_optimum_message(o), "no symmetry");
    suite_near1("the same", solve(o, 1, 1e-9).cost, cost[3], 1e-12, 1);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* Multipliers of displacements and of the momenta of rotor and axles are 1 but for the error of a coarse step, in
 * pairs; the speed decays by friction, exp(-0.2 T) of a straight ride. Both ends have one basis, since only the place
 * differs.
 */
static void test_stability(void **state)
{
    (void)state;
    static const double ahead[POSITIONS] = {1};
    double re[2 * POSITIONS], im[2 * POSITIONS], first[2 * POSITIONS * 8], last[2 * POSITIONS * 8];
    lg_mechanism *m = snakeboard();
    const lg_optimum_problem p = stride_of(m, STEPS, ahead);
    lg_optimum *o = open(&p);
    swing(o, 1);
    solve(o, 40, 1e-10);
    lg_motion *mo = run(m, o, 0, 0);
    lg_trajectory *tr = NULL;
    suite_ok("trajectory", lg_trajectory_of_motion(&tr, mo, STEPS));
    suite_ok("run", lg_trajectory_run(tr, lg_optimum_controls(o)));
    suite_near1("deviations", lg_trajectory_deviations(tr), 8, 0, 1);
    suite_ok("multipliers", lg_trajectory_multipliers(tr, re, im));
    double product = 1;
    for (int i = 0; i < 7; i++) product *= hypot(re[i], im[i]);
    suite_near1("others", product, 1, 5e-3, 1);
    suite_near1("decay", re[7], exp(-0.2 * PERIOD), 2e-2, 1);
    suite_ok("basis", lg_trajectory_basis(tr, first, 0));
    suite_ok("basis", lg_trajectory_basis(tr, last, STEPS));
    suite_near("bases of both ends", last, first, 2 * POSITIONS * 8, 1e-10, 1);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* ---- a snake ---- */

enum { LINKS = 4, SHAPE = LINKS + 2, SNAKE_STEPS = 12 };

/* Links of 0.1 m on wheels that do not slip sideways; motors in the joints, against friction. */
static lg_mechanism *snake(void)
{
    static const double up[3] = {0, 0, 1};
    static const char *const name[LINKS] = {"a", "b", "c", "d"};
    lg_mechanism *m = NULL;
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    for (int i = 0; i < LINKS; i++) {
        lg_body body = lg_body_default(name[i]);
        lg_joint joint =
            lg_joint_default(name[i], i ? LG_JOINT_REVOLUTE : LG_JOINT_PLANAR, i ? name[i - 1] : NULL, name[i]);
        lg_wheel wheel = lg_wheel_default(name[i], name[i]);
        const lg_motor motor = lg_motor_default(name[i], name[i]);
        body.mass = 0.2, body.inertia[0] = 1e-4, body.inertia[1] = body.inertia[2] = 2e-4;
        body.position[0] = joint.point[0] = 0.1 * i, body.position[2] = joint.point[2] = 0.03, body.centre[0] = 0.05;
        memcpy(joint.axis, up, sizeof up), memset(joint.second, 0, sizeof joint.second), joint.second[0] = 1;
        joint.damping = i ? 0.02 : 0.1;
        wheel.radius = 0.03, wheel.contact = LG_CONTACT_EDGE, wheel.centre[0] = 0.05;
        mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &joint), m);
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &wheel), m);
        if (i) mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Positions q of a snake that glides along a sine of 0.5 m which swings by 0.6 rad, and their speeds v within 2 s;
 * returns how far it gets. */
static double glide(double *q, double *v)
{
    double ahead = 0, heading[LINKS], last = 0;
    for (int k = 1; k <= SNAKE_STEPS; k++) ahead += 0.5 * cos(0.6 * sin(2 * SUITE_PI * k / SNAKE_STEPS)) / SNAKE_STEPS;
    for (int k = 0; k <= SNAKE_STEPS; k++) {
        double *at = q + k * SHAPE;
        for (int i = 0; i < LINKS; i++)
            heading[i] = 0.6 * sin(2 * SUITE_PI * ((double)k / SNAKE_STEPS + 0.1 * i / 0.5));
        at[X] = ahead * k / SNAKE_STEPS, at[THETA] = heading[0];
        at[Y] = k ? at[Y - SHAPE] + ahead / SNAKE_STEPS * tan(0.5 * (heading[0] + last)) : 0;
        for (int i = 1; i < LINKS; i++) at[THETA + i] = heading[i] - heading[i - 1];
        last = heading[0];
    }
    for (int k = 0; k <= SNAKE_STEPS; k++)
        for (int i = 0; i < SHAPE; i++) {
            const int a = k ? k - 1 : 0, b = k < SNAKE_STEPS ? k + 1 : k;
            v[k * SHAPE + i] = (q[b * SHAPE + i] - q[a * SHAPE + i]) * SNAKE_STEPS / (2.0 * (b - a));
        }
    return ahead;
}

/* Counts iterations near the optimum. */
static int count_near(const lg_optimum *o, void *context)
{
    int *near = context;
    lg_optimum_figures f;
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    *near += f.stationarity < 1e-3;
    return 0;
}

/* A snake's gait from a sine of its shape. The iteration first makes a motion of the sine, so that it does not go to
 * rest; near the optimum its curvature is good for two digits a correction. */
static void test_snake(void **state)
{
    (void)state;
    double q[(SNAKE_STEPS + 1) * SHAPE], v[(SNAKE_STEPS + 1) * SHAPE], ahead[SHAPE] = {0};
    int near = 0;
    lg_mechanism *m = snake();
    ahead[X] = glide(q, v);
    lg_optimum_problem p = stride_of(m, SNAKE_STEPS, ahead);
    p.time = 2, p.start_g = q;
    lg_optimum *o = open(&p);
    lg_optimum_watch(o, count_near, &near);
    suite_ok("guess", lg_optimum_guess(o, q, v, NULL, 0));
    const lg_optimum_figures f = solve(o, 60, 1e-9);
    suite_near1("cost", f.cost, 0.000891407537565, 1e-9, f.cost);
    suite_below("iterations near the optimum", near, 5);
    const double *first = lg_optimum_configurations(o), *end = first + SNAKE_STEPS * SHAPE;
    for (int i = 0; i < SHAPE; i++) suite_near1("closed", end[i] - first[i], ahead[i], 1e-10, 1);
    lg_optimum_destroy(o);
    lg_mechanism_destroy(m);
}

/* Messages of problems that are refused. */
static void test_refused(void **state)
{
    (void)state;
    static const double bend[POSITIONS] = {1, 0, 0, 0, 0.3, -0.3}, turn[POSITIONS] = {0, 0, 0.3};
    static const int shape[2 * POSITIONS] = {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1},
                               speed[2 * POSITIONS] = {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1};
    lg_mechanism *m = snakeboard();
    const struct {
        const double *by, *velocity;
        const int *rows;
        const char *says;
    } cases[] = {{bend, NULL, NULL, "no symmetry of the mechanism"},
                 {turn, NULL, NULL, "no symmetry of the mechanism"},
                 {NULL, NULL, shape, "end condition 5 must hold"},
                 {NULL, NULL, speed, "end condition 7 must hold"},
                 {NULL, turn, NULL, "set target_p to NULL"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_optimum *o = NULL;
        lg_optimum_problem p = stride_of(m, STEPS, cases[i].by);
        p.target_p = cases[i].velocity, p.target_rows = cases[i].rows;
        suite_status("create", lg_optimum_create(&o, &p), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_optimum_message(o), cases[i].says);
        lg_optimum_destroy(o);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_board), cmocka_unit_test(test_strides),
                                       cmocka_unit_test(test_stability), cmocka_unit_test(test_snake),
                                       cmocka_unit_test(test_refused)};
    suite_begin("gait_mechanisms");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
