/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels with rollers: a base on four mecanum wheels and one on three omni wheels against the formulas of textbooks:
 * rates of the wheels, closed forms under motors, forces of the ground, work, a turntable, redundant heights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/mechanism_systems.h"

#define PI 3.14159265358979323846

enum { MOST = 4 };

typedef struct base {
    int wheels, freedoms;
    struct {
        double x, y, axle[2], angle;
    } wheel[MOST];
    double spin; /* of the ground */
} base;

static const char *const names[MOST] = {"w0", "w1", "w2", "w3"};
static const double R = 0.1, LX = 0.3, LY = 0.25, ARM = 0.35, MASS = 20, YAW = 1.5, WHEEL = 1.2, SPIN = 0.006,
                    ACROSS = 0.004;

/* Front left, front right, rear left, rear right; axles to the left. On the ground the rollers' axes form a diamond. */
static const base mecanum = {
    4,
    3,
    {{LX, LY, {0, 1}, -PI / 4}, {LX, -LY, {0, 1}, PI / 4}, {-LX, LY, {0, 1}, PI / 4}, {-LX, -LY, {0, 1}, -PI / 4}},
    0};

static base kiwi(void)
{
    base b = {.wheels = 3, .freedoms = 3};
    for (int i = 0; i < 3; i++) {
        const double c = cos(PI / 2 + i * 2 * PI / 3), s = sin(PI / 2 + i * 2 * PI / 3);
        b.wheel[i].x = ARM * c, b.wheel[i].y = ARM * s, b.wheel[i].axle[0] = c, b.wheel[i].axle[1] = s;
    }
    return b;
}

/* Rates of the wheels from the velocity of the base in its own axes, as textbooks have them. */
static void rates_of(const base *b, double *rate, const double *v)
{
    const double across = v[1] + (LX + LY) * v[2];
    if (b->wheels == 4) {
        rate[0] = (v[0] - across) / R, rate[1] = (v[0] + across) / R;
        rate[2] = (v[0] + v[1] - (LX + LY) * v[2]) / R, rate[3] = (v[0] - v[1] + (LX + LY) * v[2]) / R;
    } else {
        for (int i = 0; i < 3; i++)
            rate[i] = (b->wheel[i].axle[1] * v[0] - b->wheel[i].axle[0] * v[1] - ARM * v[2]) / R;
    }
}

static lg_mechanism *mechanism_on(const base *b)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    lg_body d = lg_body_default("base");
    d.mass = MASS, d.inertia[0] = 0.8, d.inertia[1] = 1, d.inertia[2] = YAW, d.position[2] = 0.2;
    mechanism_well(lg_mechanism_add_body(m, NULL, &d), m);
    for (int i = 0; i < b->wheels; i++) {
        const double x = b->wheel[i].x, y = b->wheel[i].y, *u = b->wheel[i].axle;
        const double axis[3] = {u[0], u[1], 0}, place[3] = {x, y, R};
        lg_body w = lg_body_default(names[i]);
        w.mass = WHEEL, w.inertia[2] = ACROSS;
        w.inertia[0] = SPIN * u[0] * u[0] + ACROSS * u[1] * u[1],
        w.inertia[1] = SPIN * u[1] * u[1] + ACROSS * u[0] * u[0];
        w.inertia[3] = (SPIN - ACROSS) * u[0] * u[1];
        memcpy(w.position, place, sizeof place);
        mechanism_well(lg_mechanism_add_body(m, NULL, &w), m);
        mechanism_add_joint(m, names[i], LG_JOINT_REVOLUTE, "base", names[i], place, axis);
        lg_wheel o = lg_wheel_default(names[i], names[i]);
        memcpy(o.axle, axis, sizeof axis);
        o.radius = R, o.contact = LG_CONTACT_OMNI, o.roller_angle = b->wheel[i].angle, o.ground_spin = b->spin;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &o), m);
        const lg_motor motor = lg_motor_default(names[i], names[i]);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Joints are the wheels', and the base floats. The velocity of the base is that in its own axes at yaw 0. */
static lg_status start(lg_motion *mo, const base *b, const double *rate, const double *v)
{
    double velocities[MOST + 6] = {0};
    memcpy(velocities, rate, (size_t)b->wheels * sizeof *rate);
    double *floating = velocities + b->wheels;
    floating[0] = v[0], floating[1] = v[1], floating[5] = v[2];
    return lg_motion_start_joints(mo, 0, NULL, velocities, 0);
}

/* Position, yaw, and the velocity in the base's axes. */
static void read_base(const lg_motion *mo, double *place, double *v)
{
    double pose[7], twist[6];
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    suite_ok("twist", lg_motion_body_twist(mo, twist, 0));
    const double yaw = 2 * atan2(pose[5], pose[6]);
    place[0] = pose[0], place[1] = pose[1], place[2] = yaw;
    v[0] = cos(yaw) * twist[0] + sin(yaw) * twist[1], v[1] = cos(yaw) * twist[1] - sin(yaw) * twist[0], v[2] = twist[5];
}

/* ---- rates of the wheels ---- */

static void check_rates(const base *b, const lg_motion *mo)
{
    double place[3], v[3], right[MOST], rate[MOST + 6];
    read_base(mo, place, v);
    rates_of(b, right, v);
    suite_ok("rates", lg_motion_positions(mo, NULL, rate));
    suite_near("rates of the wheels", rate, right, b->wheels, 1e-12, 10);
    if (b->wheels == 4) suite_near1("their dependency", rate[0] + rate[1], rate[2] + rate[3], 1e-12, 10);
}

/* A base that is driven about: rates follow the base, work and energy balance. */
static void driven(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4", "gauss"};
    const base bases[] = {mecanum, kiwi()};
    const double v[3] = {0.4, -0.3, 0.7};
    (void)unused;
    for (int k = 0; k < 6; k++) {
        const base *b = &bases[k % 2];
        double rate[MOST];
        suite_case("%d wheels, %s", b->wheels, methods[k / 2]);
        lg_mechanism *m = mechanism_on(b);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, methods[k / 2], 0.01), mo);
        rates_of(b, rate, v);
        rate[1] += 1e-3;
        assert_int_equal(start(mo, b, rate, v), LG_ERROR_INCONSISTENT);
        rate[1] -= 1e-3;
        motion_well(start(mo, b, rate, v), mo);
        const double H = lg_motion_energy(mo);
        for (int i = 0; i < 100; i++) {
            double u[MOST];
            for (int w = 0; w < MOST; w++) u[w] = 0.5 * sin(0.1 * i * (w + 1));
            motion_well(lg_motion_set_control(mo, u), mo);
            motion_well(lg_motion_step(mo, 1), mo);
            check_rates(b, mo);
        }
        suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), k < 4 ? 1e-13 : 1e-11, 10);
        suite_below("slip", lg_motion_slip(mo), 1e-13);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* ---- closed forms ---- */

/* Torques that drive along a direction alone, from rest: a = sum(torque dw/dv) / (mass + inertia of the wheels). */
static void straight(const base *b, const char *method, int direction)
{
    double unit[3] = {0, 0, 0}, u[MOST], turns[MOST], place[3], v[3], push = 0, mass = 0;
    const double tolerance = strcmp(method, "sem") == 0 ? 1e-4 : 1e-12; /* it turns a wheel by 2 atan(h w/2) */
    suite_case("%d wheels, %s, direction %d", b->wheels, method, direction);
    unit[direction] = 1;
    rates_of(b, turns, unit);
    for (int i = 0; i < b->wheels; i++) {
        const double x = b->wheel[i].x, y = b->wheel[i].y;
        u[i] = 0.02 * turns[i], push += u[i] * turns[i];
        mass += SPIN * turns[i] * turns[i] + (direction < 2 ? WHEEL : WHEEL * (x * x + y * y) + ACROSS);
    }
    mass += direction < 2 ? MASS : YAW;
    lg_mechanism *m = mechanism_on(b);
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    read_base(mo, place, v);
    for (int k = 0; k < 3; k++) {
        suite_near1("velocity", v[k], k == direction ? push / mass : 0, tolerance, 1);
        if (direction < 2) suite_near1("place", place[k], k == direction ? push / mass / 2 : 0, tolerance, 1);
    }
    for (int i = 0; i < b->wheels && direction < 2; i++) { /* the ground pushes along the axis of the roller, and up */
        const double *axle = b->wheel[i].axle, c = cos(b->wheel[i].angle), s = sin(b->wheel[i].angle);
        const double axis[2] = {c * axle[1] + s * axle[0], -c * axle[0] + s * axle[1]};
        double f[3];
        suite_ok("force", lg_motion_wheel_force(mo, f, i));
        suite_near1("across the roller", axis[0] * f[1] - axis[1] * f[0], 0, 10 * tolerance, 1);
        suite_near1("along the roller", (axis[0] * f[0] + axis[1] * f[1]) * c * R, u[i] - SPIN * turns[i] * push / mass,
                    10 * tolerance, 1);
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void straights(void **unused)
{
    const base bases[] = {mecanum, kiwi()};
    (void)unused;
    for (int k = 0; k < 2; k++)
        for (int direction = 0; direction < 3; direction++)
            for (int method = 0; method < 2; method++) straight(&bases[k], method ? "gauss" : "sem", direction);
}

/* ---- what a compiled base says ---- */

/* Three of four heights suffice; the load of each wheel is not determined then. */
static void counted(void **unused)
{
    const base bases[] = {mecanum, kiwi()};
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double force, time;
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        lg_mechanism *m = mechanism_on(&bases[k]);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
        o.steps = 10;
        motion_well(lg_run(mo, &r, &o), mo);
        assert_int_equal(lg_mechanism_freedoms(m), 3);
        assert_int_equal(lg_mechanism_row_count(m) - lg_mechanism_rank(m), k == 0);
        suite_ok("normal", lg_motion_wheel_normal(mo, &force, &time, 0));
        assert_int_equal(isnan(force), k == 0);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* (A1 - 1)/h and B1/h of a short step are A and B to O(h), while the base drives and turns. */
static void linearised(void **unused)
{
    enum { NUMBERS = 20 };
    const base bases[] = {mecanum, kiwi()};
    const double h = 1e-5, v[3] = {0.4, -0.3, 0.7};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const int motors = bases[i].wheels;
        double A[NUMBERS * NUMBERS], A1[NUMBERS * NUMBERS], B[NUMBERS * MOST], B1[NUMBERS * MOST], rate[MOST],
            largest = 0;
        lg_mechanism *m = mechanism_on(&bases[i]);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, h), mo);
        rates_of(&bases[i], rate, v);
        motion_well(start(mo, &bases[i], rate, v), mo);
        const int k = lg_motion_freedoms(mo, NULL);
        suite_case("%d wheels, %d numbers", motors, k);
        assert_in_range(k, 1, NUMBERS);
        motion_well(lg_motion_linearise(mo, A, B, NULL, NULL), mo);
        motion_well(lg_motion_linearise_step(mo, A1, B1, NULL, NULL), mo);
        for (int j = 0; j < k * k; j++) A1[j] = (A1[j] - (j % (k + 1) == 0)) / h, largest = fmax(largest, fabs(A[j]));
        suite_near("A", A1, A, k * k, 1e-3, largest);
        for (int j = 0; j < k * motors; j++) B1[j] /= h;
        suite_near("B", B1, B, k * motors, 1e-3, 1);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Rollers are drawn: the lowest one of a wheel lies along the direction in which the ground pushes. */
static void drawn(void **unused)
{
    const base bases[] = {mecanum, kiwi()};
    (void)unused;
    for (int i = 0; i < 8; i++) {
        const base *b = &bases[i / 4];
        const int w = i % 4, body = 1 + w;
        double lowest = 0, along[3] = {0, 0, 0};
        lg_scene *scene;
        if (w >= b->wheels) continue;
        suite_case("wheel %d of %d", w, b->wheels);
        lg_mechanism *m = mechanism_on(b);
        suite_ok("scene", lg_mechanism_scene(m, &scene));
        for (int k = 0; k < lg_scene_shape_count(scene); k++) {
            const lg_shape *s = lg_scene_shape(scene, k);
            if (s->kind != LG_SHAPE_ROD || s->body != body || !(s->position[2] + s->end[2] < lowest - 1e-9)) continue;
            lowest = s->position[2] + s->end[2];
            for (int n = 0; n < 3; n++) along[n] = s->end[n] - s->position[n];
        }
        const double *axle = b->wheel[w].axle, c = cos(b->wheel[w].angle), s = sin(b->wheel[w].angle);
        suite_near1("at the rim", lowest, -2 * R, 1e-12, 1);
        suite_near1("direction", along[0] * (s * axle[1] - c * axle[0]) - along[1] * (c * axle[1] + s * axle[0]), 0,
                    1e-12, 1);
        lg_scene_destroy(scene);
        lg_mechanism_destroy(m);
    }
}

/* A motion does not continue with rollers at another angle. */
static void checkpoints(void **unused)
{
    base b = mecanum;
    lg_mechanism *m[2];
    lg_motion *mo[2];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        m[i] = mechanism_on(&b);
        motion_well(motion_create(&mo[i], m[i], NULL, 0.01), mo[i]);
        motion_well(lg_motion_start_joints(mo[i], 0, NULL, NULL, 0), mo[i]);
        b.wheel[1].angle += 0.01;
    }
    const size_t size = lg_motion_saved_bytes(mo[0]);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    suite_ok("save", lg_motion_save(mo[0], bytes, size));
    motion_well(lg_motion_load(mo[0], bytes, size), mo[0]);
    suite_status("load", lg_motion_load(mo[1], bytes, size), LG_ERROR_ARGUMENT);
    free(bytes);
    for (int i = 0; i < 2; i++) lg_motion_destroy(mo[i]), lg_mechanism_destroy(m[i]);
}

/* On a turntable a base whose wheels stand still goes round with it. */
static void turntable(void **unused)
{
    const double none[MOST] = {0}, v[3] = {0, 0, 0.8};
    base b = kiwi();
    double place[3], seen[3], turned[MOST + 6];
    (void)unused;
    b.spin = 0.8;
    lg_mechanism *m = mechanism_on(&b);
    lg_motion *mo;
    motion_well(motion_create(&mo, m, "sem", 0.01), mo);
    motion_well(start(mo, &b, none, v), mo);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_run_to(mo, 1), mo);
    read_base(mo, place, seen);
    suite_ok("angles", lg_motion_positions(mo, turned, NULL));
    suite_near("angles", turned, none, 3, 1e-12, 1);
    suite_near("velocity", seen, v, 3, 1e-12, 1);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-12, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(driven),   cmocka_unit_test(straights),
                                       cmocka_unit_test(counted),  cmocka_unit_test(linearised),
                                       cmocka_unit_test(drawn),    cmocka_unit_test(checkpoints),
                                       cmocka_unit_test(turntable)};
    suite_begin("multibody/omni");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
