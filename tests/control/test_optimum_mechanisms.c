/* SPDX-License-Identifier: BSD-3-Clause */
/* Optima of mechanisms: a slide in closed form; arms, a loop and wheels, whose controls are replayed by a motion and
 * whose slopes an adjoint sweep finds; order; limits of motors; refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>
#include <liegrp/multibody/gallery.h>

#include "support/allocations.h"
#include "support/mechanisms.h"

static const double zero[64], y_axis[3] = {0, 1, 0};

/* ---- mechanisms ---- */

/* A mass of 2 kg on a rail along x, with a motor. */
static lg_mechanism *slide(void)
{
    lg_mechanism *m;
    lg_body body = lg_body_default("cart");
    lg_joint joint = lg_joint_default("rail", LG_JOINT_PRISMATIC, NULL, "cart");
    const lg_motor motor = lg_motor_default("push", "rail");
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    body.mass = 2, body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    joint.axis[0] = 1, joint.axis[1] = joint.axis[2] = 0;
    mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &joint), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Two links that hang, each with a motor whose torque is held within `limit`. */
static lg_mechanism *arm(double limit)
{
    static const char *const link[2] = {"upper", "lower"}, *const name[2] = {"shoulder", "elbow"};
    const double gravity[3] = {0, 0, -9.81};
    lg_mechanism *m;
    assert_int_equal(lg_mechanism_create(&m), LG_OK);
    mechanism_well(lg_mechanism_set_gravity(m, gravity), m);
    for (int i = 0; i < 2; i++) {
        lg_body body = lg_body_default(link[i]);
        lg_motor motor = lg_motor_default(i ? "bend" : "lift", name[i]);
        const double point[3] = {0, 0, -0.5 * i};
        body.mass = 1, body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.02, body.position[2] = -0.25 - 0.5 * i;
        motor.lower = -limit, motor.upper = limit;
        mechanism_well(lg_mechanism_add_body(m, NULL, &body), m);
        mechanism_add_joint(m, name[i], LG_JOINT_REVOLUTE, i ? link[0] : NULL, link[i], point, y_axis);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_optimum_problem problem_of(const lg_mechanism *m, int steps, double time, const double *target)
{
    lg_optimum_problem p = lg_optimum_problem_default(NULL);
    p.mechanism = m, p.steps = steps, p.time = time, p.target_g = target, p.target_p = zero;
    return p;
}

static lg_optimum *open(const lg_optimum_problem *p)
{
    lg_optimum *o = NULL;
    const lg_status st = lg_optimum_create(&o, p);
    if (st != LG_OK) suite_fail("create: %s", lg_optimum_message(o));
    return o;
}

static lg_optimum_figures solve(lg_optimum *o, int iterations, double tolerance)
{
    lg_optimum_figures f;
    const lg_status st = lg_optimum_solve(o, iterations, tolerance);
    if (st != LG_OK) suite_fail("solve: %s", lg_optimum_message(o));
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    return f;
}

/* The motion that starts as the optimum does. */
static lg_motion *begin(const lg_mechanism *m, const lg_optimum *o, double time)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, "sem", time / lg_optimum_steps(o)), mo);
    motion_well(lg_motion_start_joints(mo, 0, lg_optimum_configurations(o), lg_optimum_momenta(o), 0), mo);
    return mo;
}

/* A motion with the optimum's controls passes its nodes, and ends at the target where that is asked for (rows). */
static void replay(const lg_mechanism *m, const lg_optimum *o, const lg_optimum_problem *p, double tolerance)
{
    lg_motion *mo = begin(m, o, p->time);
    const int n = lg_motion_position_count(mo), c = lg_model_control_count(lg_motion_model(mo));
    double q[64], v[64];
    for (int k = 1; k <= p->steps; k++) {
        motion_well(lg_motion_set_control(mo, lg_optimum_controls(o) + (k - 1) * c), mo);
        motion_well(lg_motion_step(mo, 1), mo);
        motion_well(lg_motion_positions(mo, q, v), mo);
        for (int i = 0; i < n; i++) {
            suite_near1("position", q[i], lg_optimum_configurations(o)[k * n + i], tolerance, 1);
            suite_near1("velocity", v[i], lg_optimum_momenta(o)[k * n + i], tolerance, 1);
        }
    }
    for (int i = 0; i < n; i++) {
        if (!p->target_rows || p->target_rows[i]) suite_near1("target", q[i], p->target_g[i], tolerance, 1);
        if (!p->target_rows || p->target_rows[n + i]) suite_near1("its velocity", v[i], zero[i], tolerance, 1);
    }
    suite_below("gap", lg_motion_gap(mo), 1e-12);
    lg_motion_destroy(mo);
}

/* Cost and end together do not change with the controls: an adjoint sweep from the last costate. */
static void slopes(const lg_mechanism *m, const lg_optimum *o, const lg_optimum_problem *p, double tolerance)
{
    static double nodes[81 * 40], direct[81 * 8], gradient[40 + 81 * 8 + 1], C[40 * 40];
    lg_motion *mo = begin(m, o, p->time);
    lg_trajectory *tr;
    assert_int_equal(lg_trajectory_of_motion(&tr, mo, p->steps), LG_OK);
    suite_ok("run", lg_trajectory_run(tr, lg_optimum_controls(o)));
    const int k = lg_trajectory_deviations(tr), c = lg_trajectory_controls(tr), x = lg_trajectory_state_size(tr);
    const double *last = lg_optimum_costates(o) + p->steps * x, *u = lg_optimum_controls(o), h = p->time / p->steps;
    double most = 0;
    memset(nodes, 0, sizeof nodes);
    suite_ok("basis", lg_trajectory_basis(tr, C, p->steps));
    for (int i = 0; i < k; i++)
        for (int l = 0; l < x; l++) nodes[p->steps * k + i] += C[l * k + i] * last[l];
    for (int i = 0; i < p->steps * c; i++) direct[i] = h * u[i], most = fmax(most, fabs(direct[i]));
    suite_ok("gradient", lg_trajectory_gradient(tr, gradient, nodes, direct));
    for (int i = 0; i < p->steps * c; i++) suite_near1("slope", gradient[k + i], 0, tolerance, most);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo);
}

/* ---- known optima ---- */

/* A mass in a line: 6 (m d)^2/T^3/(1 - 1/N^2), in one step of Newton's. */
static void test_slide(void **state)
{
    (void)state;
    lg_mechanism *m = slide();
    const double target = 3;
    for (int N = 10; N <= 40; N *= 2) {
        suite_case("%d steps", N);
        const lg_optimum_problem p = problem_of(m, N, 2, &target);
        lg_optimum *o = open(&p);
        const lg_optimum_figures f = solve(o, 3, 1e-10);
        const double known = 6 * 36 / 8.0 / (1 - 1.0 / (N * N));
        suite_near1("cost", f.cost, known, 1e-11, known);
        suite_below("iterations", f.iterations, 1);
        replay(m, o, &p, 1e-11);
        suite_near1("costate", lg_optimum_costates(o)[0], lg_optimum_costates(o)[2 * N], 1e-9, known);
        lg_optimum_destroy(o);
    }
    lg_mechanism_destroy(m);
}

/* An arm lifts both links: the controls lead there, nothing is gained by other ones, and the cost has order 2. */
static void test_arm(void **state)
{
    (void)state;
    lg_mechanism *m = arm(INFINITY);
    const double target[2] = {0.3, 0};
    double cost[3];
    for (int i = 0; i < 3; i++) {
        suite_case("%d steps", 20 << i);
        const lg_optimum_problem p = problem_of(m, 20 << i, 0.25, target);
        lg_optimum *o = open(&p);
        cost[i] = solve(o, 40, 1e-10).cost;
        replay(m, o, &p, 1e-9);
        if (i == 0) slopes(m, o, &p, 1e-8);
        lg_optimum_destroy(o);
    }
    suite_case("order");
    suite_near1("ratio", (cost[0] - cost[1]) / (cost[1] - cost[2]), 4, 0.1, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slide),
        cmocka_unit_test(test_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
