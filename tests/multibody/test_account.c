/* SPDX-License-Identifier: BSD-3-Clause */
/* The account: H changes by its sum, and each kind of work is what a body that nothing else moves gains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/base/width.h>
#include <liegrp/multibody/gallery.h>

#include "support/accounts.h"
#include "support/mechanisms.h"

/* max(T + |V|) along a run begins with this. */
static double size_of(const lg_motion *mo)
{
    const lg_mechanism *m = lg_model_mechanism(lg_motion_model(mo));
    const int n = 6 * lg_mechanism_body_count(m);
    double *xi = calloc(2 * (size_t)n, sizeof *xi), T = 0;
    suite_ok("state", lg_motion_state(mo, NULL, xi, xi + n));
    for (int i = 0; i < n; i++) T += 0.5 * xi[i] * xi[n + i];
    free(xi);
    return T + fabs(lg_motion_energy(mo) - T);
}

/* ---- every mechanism of the gallery ---- */

static const struct {
    const char *method;
    double tolerance;
    int halvings;
    double step, run; /* bounds, relative to max(T + |V|) */
} ways[] = {{"sem", 0, 0, 1e-13, 1e-12},          {"sem", 0, 3, 1e-13, 1e-12},   {"sem@suzuki4", 0, 0, 1e-13, 1e-12},
            {"sem@yoshida4", 0, 0, 1e-13, 1e-12}, {"gauss", 0, 0, 1e-13, 1e-12}, {"gauss:stages=6", 0, 0, 1e-13, 1e-12},
            {"gauss", 1e-10, 0, 1e-11, 1e-11}};
enum { WAYS = sizeof ways / sizeof *ways, SEM = 2 }; /* the first two are of sem, which takes contacts */

static lg_motion *begin(const lg_mechanism *m, int way, double h)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, ways[way].method, h), mo);
    if (ways[way].tolerance > 0) motion_well(lg_motion_set_tolerance(mo, ways[way].tolerance), mo);
    motion_well(lg_motion_set_halvings(mo, ways[way].halvings), mo);
    return mo;
}

static void balance(lg_motion *mo, int way, int steps)
{
    const double H0 = lg_motion_energy(mo);
    double size = size_of(mo), step = 0, all = 0;
    for (int k = 0; k < steps; k++) {
        const double H = lg_motion_energy(mo), before = account_sum(mo);
        motion_well(lg_motion_step(mo, 1), mo);
        size = fmax(size, size_of(mo));
        step = fmax(step, fabs((lg_motion_energy(mo) - H) - (account_sum(mo) - before)));
        all = fmax(all, fabs((lg_motion_energy(mo) - H0) - account_sum(mo)));
    }
    suite_below("a step", step, ways[way].step * size);
    suite_below("the run", all, ways[way].run * size);
    suite_near1("work", lg_motion_work(mo), account_sum(mo), 1e-13, size);
}

static void of_the_gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m;
        mechanism_well(lg_gallery_create(&m, i), m);
        for (int way = 0; way < (i < gallery_without_contacts() ? WAYS : SEM); way++) {
            lg_motion *mo = begin(m, way, lg_gallery_step(i));
            double u[64];
            suite_case("%s, %s, tolerance %g", lg_gallery_name(i), ways[way].method, ways[way].tolerance);
            motion_well(lg_gallery_start(mo, i), mo);
            const int controls = lg_model_control_count(lg_motion_model(mo));
            if (controls > 0) memcpy(u, lg_motion_control(mo), sizeof(double) * (size_t)controls);
            for (int k = 0; k < controls; k++) u[k] += 0.1;
            if (controls > 0) motion_well(lg_motion_set_control(mo, u), mo);
            balance(mo, way, 60);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

/* ---- each kind ---- */

/* Bodies of 1 kg on slides along x, each of which one kind of work moves, on joints about their centres, and a ball on
 * a turntable. */
enum { MOTORS, SERVOS, DAMPERS, FRICTION, DRIVES, WRENCH, SPUN, TURNED, BALL, BODIES, SLIDES = SPUN };
static const char *const body_names[BODIES] = {"pushed", "held", "damped", "rubbed", "led",
                                               "blown",  "spun", "turned", "ball"};
static const double speeds[BODIES] = {0.3, 0.2, 2, 3, 0.4, 0.1, 4, 3, 0.5}, wind[3] = {-0.8, 0, 0};
static const double inertia = 0.4; /* about any axis */

static int swings(double t, double *q, void *unused)
{
    (void)unused;
    q[0] = 0.2 * sin(2 * t), q[1] = 0.4 * cos(2 * t), q[2] = -0.8 * sin(2 * t);
    return 0;
}

static int blows(double t, const double *poses, const double *twists, double *wrench, void *unused)
{
    (void)t, (void)poses, (void)twists, (void)unused;
    for (int k = 0; k < 3; k++) wrench[6 * WRENCH + k] += wind[k];
    return 0;
}

static void add_bodies(lg_mechanism *m)
{
    static const double x_axis[3] = {1, 0, 0};
    for (int i = 0; i < BODIES; i++) {
        lg_body b = lg_body_default(body_names[i]);
        lg_joint j =
            lg_joint_default(body_names[i], i < SLIDES ? LG_JOINT_PRISMATIC : LG_JOINT_SPHERICAL, NULL, body_names[i]);
        b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = inertia;
        b.position[1] = j.point[1] = i, b.position[2] = i == BALL ? 0.1 : 0;
        memcpy(j.axis, x_axis, sizeof x_axis);
        if (i == DAMPERS || i == SPUN) j.damping = 0.9;
        if (i == FRICTION) j.friction = 0.5, j.friction_speed = 1e-3;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        if (i != BALL) mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
}

static lg_mechanism *of_all_kinds(int drives)
{
    lg_mechanism *m;
    lg_wheel w = lg_wheel_default("ball", body_names[BALL]);
    lg_motor motor = lg_motor_default("motor", body_names[MOTORS]), servo = lg_motor_default("servo", "held");
    lg_motor turn = lg_motor_default("turn", "turned.3");
    lg_thruster thruster = lg_thruster_default("jet", body_names[MOTORS]);
    lg_drive drive = lg_drive_default("drive", body_names[DRIVES]);
    mechanism_well(lg_mechanism_create(&m), NULL);
    add_bodies(m);
    w.kind = LG_WHEEL_BALL, w.radius = 0.1, w.ground_spin = 3;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    servo.position_gain = 20, servo.velocity_gain = 2;
    thruster.axis[0] = 1, thruster.axis[2] = 0;
    drive.motion = swings;
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &servo), m);
    mechanism_well(lg_mechanism_add_motor(m, NULL, &turn), m);
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &thruster), m);
    if (drives) mechanism_well(lg_mechanism_add_drive(m, NULL, &drive), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Started, with controls of the motors and the thruster. */
static void start(lg_motion *mo, double faster)
{
    const double u[4] = {1.5, 0.4, 0.7, -0.25};
    double poses[7 * BODIES] = {0}, twists[6 * BODIES] = {0};
    for (int b = 0; b < BODIES; b++) {
        poses[7 * b + 1] = b, poses[7 * b + 2] = b == BALL ? 0.1 : 0, poses[7 * b + 6] = 1;
        twists[6 * b + (b == SPUN || b == TURNED ? 3 : 0)] = speeds[b] * (b == DRIVES ? 1 : faster);
    }
    motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 1), mo);
}

static double kinetic(const lg_motion *mo, int body)
{
    double v[6], T = 0;
    suite_ok("twist", lg_motion_body_twist(mo, v, body));
    for (int k = 0; k < 6; k++) T += 0.5 * (k < 3 ? 1 : inertia) * v[k] * v[k];
    return T;
}

static double place(const lg_motion *mo, int body)
{
    double pose[7];
    suite_ok("pose", lg_motion_body_pose(mo, pose, body));
    return pose[0];
}

/* No body feels its weight: the work of a kind is what its bodies gain. */
static void of_each_kind(void **unused)
{
    static const struct {
        const char *name;
        int bodies[2], losing;
        size_t kind;
    } kinds[] = {{"motors", {MOTORS, TURNED}, 0, offsetof(lg_account, motors)},
                 {"servos", {SERVOS, -1}, 0, offsetof(lg_account, servos)},
                 {"dampers", {DAMPERS, SPUN}, 0, offsetof(lg_account, dampers)},
                 {"friction", {FRICTION, -1}, 1, offsetof(lg_account, friction)},
                 {"drives", {DRIVES, -1}, 0, offsetof(lg_account, drives)},
                 {"wrench", {WRENCH, -1}, 0, offsetof(lg_account, wrench)},
                 {"ground", {BALL, -1}, 0, offsetof(lg_account, ground)}};
    lg_mechanism *m = of_all_kinds(1);
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_motion *mo = begin(m, way, 0.01);
        motion_well(lg_motion_set_wrench(mo, blows, NULL), mo);
        start(mo, 1);
        double T0[BODIES];
        for (int b = 0; b < BODIES; b++) T0[b] = kinetic(mo, b);
        for (int k = 0; k < 60; k++) {
            motion_well(lg_motion_step(mo, 1), mo);
            const lg_account a = account_of(mo);
            for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
                const double got = *(const double *)(const void *)((const char *)&a + kinds[i].kind);
                double gain = 0;
                for (int e = 0; e < 2; e++)
                    if (kinds[i].bodies[e] >= 0) gain += kinetic(mo, kinds[i].bodies[e]) - T0[kinds[i].bodies[e]];
                suite_case("%s, tolerance %g: %s", ways[way].method, ways[way].tolerance, kinds[i].name);
                suite_near1("work", got, kinds[i].losing ? -gain : gain, fmax(1e-12, ways[way].tolerance), 10);
                if (k == 59) suite_above("there is some", fabs(got), 1e-2);
            }
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Constant forces do work in proportion to the distance; the work of the dampers, of the torque and of the drive is
 * known in closed form. */
static void of_known_forces(void **unused)
{
    lg_mechanism *m = of_all_kinds(1);
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_motion *mo = begin(m, way, 0.01);
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        motion_well(lg_motion_set_wrench(mo, blows, NULL), mo);
        start(mo, 1);
        motion_well(lg_motion_step(mo, 60), mo);
        const lg_account a = account_of(mo);
        const int exact = strncmp(ways[way].method, "gauss", 5) == 0;
        suite_near1("motors", a.motors, 1.25 * place(mo, MOTORS) + 0.7 * (3 * 0.6 + 0.5 * 0.7 / inertia * 0.36), 1e-11,
                    10);
        suite_near1("friction", a.friction, 0.5 * place(mo, FRICTION), 1e-12, 10);
        suite_near1("wrench", a.wrench, wind[0] * place(mo, WRENCH), 1e-12, 10);
        suite_near1("dampers", a.dampers,
                    -2 * (1 - exp(-2 * 0.9 * 0.6)) - 0.5 * inertia * 16 * (1 - exp(-2 * 0.9 / inertia * 0.6)),
                    exact ? 1e-11 : 1e-3, 2);
        suite_near1("drives", a.drives, 0.08 * (pow(cos(1.2), 2) - 1), exact ? 1e-11 : 1e-3, 2);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* The balance of a run is that of its account, and rows have its kinds as columns. */
static int keep_last(const double *row, int count, void *last)
{
    memcpy(last, row, sizeof(double) * (size_t)count);
    return 0;
}

static void of_runs(void **unused)
{
    static const char *const columns[] = {"motors", "drives", "servos", "dampers", "ground", "friction"};
    lg_mechanism *m = of_all_kinds(1);
    lg_model *M = motion_model(m);
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        double row[128], x[KINDS];
        lg_motion *mo = begin(m, way, 0.01);
        lg_run_options o = lg_run_options_default();
        lg_run_result result = lg_run_result_default();
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        assert_true(lg_model_column_count(M) <= 128);
        start(mo, 1);
        motion_well(lg_motion_step(mo, 5), mo);
        const double before = account_sum(mo);
        o.steps = 60, o.row = keep_last, o.row_context = row;
        suite_ok(result.message, lg_run(mo, &result, &o));
        suite_below("balance", result.balance, fmax(1e-12, ways[way].tolerance) * 20);
        suite_near1("work", result.work, account_sum(mo) - before, 1e-13, 20);
        account_numbers(x, mo);
        for (int c = 0; c < 6; c++) {
            const double *number = &x[c < 5 ? c : LOSSES];
            if (row[lg_model_column_find(M, columns[c])] != *number) suite_fail("column %s", columns[c]);
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Of a model that is not a mechanism, forces are one kind, what is given in time the other. */
static void of_systems(void **unused)
{
    static const struct {
        const char *name, *method;
        int forced, led;
    } systems[] = {
        {"two-wheeled-robot", "sem", 1, 0}, {"rolling-ball", "sem", 0, 1}, {"rolling-ball", "sem@suzuki4", 0, 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        lg_model *M;
        lg_motion *mo;
        lg_motion_options o = lg_motion_options_default();
        o.method = systems[i].method;
        suite_case("%s, %s", systems[i].name, o.method);
        suite_ok("model", lg_catalog_create(&M, systems[i].name));
        motion_well(lg_motion_create(&mo, M, &o), mo);
        motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
        const int controls = lg_model_control_count(M);
        const double u[4] = {0.3, -0.2, 0.1, 0}, H0 = lg_motion_energy(mo);
        if (controls > 0) motion_well(lg_motion_set_control(mo, u), mo);
        motion_well(lg_motion_step(mo, 50), mo);
        const lg_account a = account_of(mo);
        suite_near1("balance", lg_motion_energy(mo) - H0, account_sum(mo), 1e-12, 10);
        assert_int_equal(fabs(a.wrench) > 1e-4, systems[i].forced);
        assert_int_equal(fabs(a.ground) > 1e-4, systems[i].led);
        suite_near1("no other kind", lg_motion_work(mo), a.wrench + a.ground, 1e-14, 10);
        lg_motion_destroy(mo);
        lg_model_destroy(M);
    }
}

/* ---- the account is part of the state ---- */

static void expect_same(const char *what, const lg_motion *a, const lg_motion *b)
{
    double x[KINDS], y[KINDS];
    account_numbers(x, a), account_numbers(y, b);
    if (memcmp(x, y, sizeof x) != 0) suite_fail("%s: the accounts differ", what);
}

static void of_states(void **unused)
{
    lg_mechanism *m = of_all_kinds(1);
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        lg_motion *mo = begin(m, way, 0.01), *other = begin(m, way, 0.01), *copy;
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        start(mo, 1);
        suite_near1("at the start", fabs(account_sum(mo)), 0, 1e-300, 1);
        motion_well(lg_motion_step(mo, 10), mo);
        motion_well(lg_motion_clone(&copy, mo), mo);
        expect_same("a clone", mo, copy);
        const size_t bytes = lg_motion_saved_bytes(mo);
        void *state = malloc(bytes);
        assert_non_null(state);
        suite_ok("save", lg_motion_save(mo, state, bytes));
        motion_well(lg_motion_load(other, state, bytes), other);
        expect_same("from a checkpoint", mo, other);
        motion_well(lg_motion_step(mo, 5), mo);
        motion_well(lg_motion_step(copy, 5), copy);
        motion_well(lg_motion_step(other, 5), other);
        expect_same("a clone that goes on", mo, copy);
        expect_same("a checkpoint that goes on", mo, other);
        motion_well(lg_motion_reset(mo), mo);
        suite_near1("after a reset", fabs(account_sum(mo)), 0, 1e-300, 1);
        free(state);
        lg_motion_destroy(mo), lg_motion_destroy(other), lg_motion_destroy(copy);
    }
    lg_mechanism_destroy(m);
}

static int refuses(double t, const double *poses, const double *twists, double *wrench, void *after)
{
    (void)poses, (void)twists, (void)wrench;
    return t > *(const double *)after;
}

/* Of a step that fails nothing counts, also where its first sub-step was made; one that is halved counts once. */
static void of_failures(void **unused)
{
    const int arm = lg_gallery_index("arm");
    double after = 0.104, before[KINDS], now[KINDS];
    lg_mechanism *m = of_all_kinds(1);
    (void)unused;
    for (int way = 0; way < WAYS; way++) {
        if (ways[way].tolerance > 0) continue; /* its substeps are ahead */
        lg_motion *mo = begin(m, way, 0.01);
        suite_case("%s, tolerance %g", ways[way].method, ways[way].tolerance);
        motion_well(lg_motion_set_wrench(mo, refuses, &after), mo);
        start(mo, 1);
        motion_well(lg_motion_step(mo, 10), mo);
        account_numbers(before, mo);
        suite_status("step", lg_motion_step(mo, 1), LG_ERROR_CALLBACK);
        account_numbers(now, mo);
        assert_memory_equal(before, now, sizeof now);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
    mechanism_well(lg_gallery_create(&m, arm), m);
    for (int halvings = 0; halvings <= 6; halvings += 6) {
        lg_motion *mo;
        motion_well(motion_create(&mo, m, "sem", 16 * lg_gallery_step(arm)), mo);
        motion_well(lg_motion_set_halvings(mo, halvings), mo);
        motion_well(lg_gallery_start(mo, arm), mo);
        suite_case("arm, %d halvings", halvings);
        if (halvings > 0)
            balance(mo, 0, 20);
        else
            suite_status("steps", lg_motion_step(mo, 20), LG_ERROR_CONVERGENCE);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

enum { INSTANCES = 9 };

static int look(int64_t i, const lg_motion *mo, void *context)
{
    account_numbers((double *)context + KINDS * i, mo);
    return 0;
}

static void of_instances(void **unused)
{
    lg_mechanism *m = of_all_kinds(0);
    (void)unused;
    for (int way = 0; way < WAYS; way++)
        for (int width = 1; width <= lg_width_best(); width *= 2) {
            double seen[KINDS * INSTANCES], alone[KINDS];
            lg_motion *mo[INSTANCES], *copy;
            lg_ensemble *E;
            lg_ensemble_options o = lg_ensemble_options_default();
            o.method = ways[way].method, o.tolerance = ways[way].tolerance, o.halvings = ways[way].halvings;
            o.step = 0.01, o.width = width, o.threads = 2;
            suite_case("%s, tolerance %g, width %d", o.method, o.tolerance, width);
            suite_ok("ensemble", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
            for (int i = 0; i < INSTANCES; i++) {
                mo[i] = begin(m, way, 0.01);
                start(mo[i], 1 + 0.1 * i);
                suite_ok("instance", lg_ensemble_set(E, i, mo[i]));
                motion_well(lg_motion_step(mo[i], 12), mo[i]);
            }
            suite_ok("run", lg_ensemble_run(E, 12, 12, look, seen));
            for (int i = 0; i < INSTANCES; i++) {
                account_numbers(alone, mo[i]);
                if (memcmp(alone, seen + KINDS * i, sizeof alone) != 0) suite_fail("instance %d differs", i);
                suite_ok("motion", lg_ensemble_motion(&copy, E, i));
                expect_same("a motion of an instance", copy, mo[i]);
                lg_motion_destroy(copy), lg_motion_destroy(mo[i]);
            }
            lg_ensemble_destroy(E);
        }
    lg_mechanism_destroy(m);
}

static void of_nothing(void **unused)
{
    lg_mechanism *m = of_all_kinds(1);
    lg_motion *mo = begin(m, 0, 0.01);
    lg_account a = lg_account_default(), untouched = a;
    (void)unused;
    suite_status("not started", lg_motion_account(mo, &a), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_account(NULL, &a), LG_ERROR_ARGUMENT);
    start(mo, 1);
    motion_well(lg_motion_step(mo, 1), mo);
    suite_status("no account", lg_motion_account(mo, NULL), LG_ERROR_ARGUMENT);
    a.size = untouched.size = 0;
    suite_status("no size", lg_motion_account(mo, &a), LG_ERROR_ARGUMENT);
    assert_memory_equal(&a, &untouched, sizeof a);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("account");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_gallery), cmocka_unit_test(of_each_kind), cmocka_unit_test(of_known_forces),
        cmocka_unit_test(of_runs),        cmocka_unit_test(of_systems),   cmocka_unit_test(of_states),
        cmocka_unit_test(of_failures),    cmocka_unit_test(of_instances), cmocka_unit_test(of_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
