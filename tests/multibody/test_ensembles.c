/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of motions: every instance has the bits of a motion alone, whatever the width and the number of threads,
 * beside instances that fail too. */
#include <math.h>
#include <string.h>

#include <liegrp/base/width.h>
#include <liegrp/multibody/motion_ensemble.h>

#include "support/mechanisms.h"

enum { INSTANCES = 11, MOST = 64 };

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* An arm of `axes` links with a motor and a spring on every axis. */
static lg_mechanism *sprung(int axes, double damping, double stiffness)
{
    static const double *const axis[3] = {z_axis, y_axis, x_axis};
    lg_mechanism *m;
    char name[16], last[16] = "", joint[16];
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < axes; i++) {
        const double at[3] = {0.1 * i, 0, 0.3 * i};
        (void)snprintf(name, sizeof name, "link %d", i + 1);
        (void)snprintf(joint, sizeof joint, "axis %d", i + 1);
        mechanism_add_body(m, name, 0.1 * i, 0.02, 0.3 * i + 0.15);
        lg_joint j = lg_joint_default(joint, LG_JOINT_REVOLUTE, i > 0 ? last : NULL, name);
        memcpy(j.point, at, sizeof at), memcpy(j.axis, axis[i % 3], sizeof j.axis);
        j.damping = damping, j.stiffness = stiffness;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        const lg_motor motor = lg_motor_default(name, joint);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
        memcpy(last, name, sizeof last);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_mechanism *arm(int axes, double damping)
{
    return sprung(axes, damping, 0);
}

/* A ball on a long rod and a wheel that rolls: rows of position and of velocity. */
static lg_mechanism *wheel(void)
{
    static const double at[3] = {0, 0, 0.5};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "disk", 0, 0, 0.5);
    mechanism_add_body(m, "bob", 0, 0, 0.2);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, "disk", "bob", at, y_axis);
    lg_wheel w = lg_wheel_default("rim", "disk");
    w.radius = 0.5;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* What the instances of a case do. */
typedef struct plan {
    const lg_mechanism *m;
    const char *method;
    double h;
    int halvings;
    int wild;     /* instance that turns too fast for the step; -1: none */
    double speed; /* of its joints, times 1/h */
} plan;

static void controls_of(double *u, int64_t i, int count)
{
    for (int k = 0; k < count; k++) u[k] = 0.3 * sin((double)(3 * i + k));
}

/* Starts instance i. */
static lg_status begin(int64_t i, lg_motion *mo, void *context)
{
    const plan *p = context;
    double q[MOST], v[MOST], u[MOST];
    const int n = lg_motion_position_count(mo);
    assert_in_range(n, 1, MOST);
    const lg_status st = lg_motion_positions(mo, q, NULL);
    if (st != LG_OK) return st;
    for (int k = 0; k < n; k++) {
        v[k] = 0.4 * cos((double)(5 * i + 7 * k));
        if (i == p->wild) v[k] *= p->speed / p->h;
    }
    controls_of(u, i, lg_mechanism_motor_count(p->m));
    if (lg_mechanism_motor_count(p->m) > 0 && lg_motion_set_control(mo, u) != LG_OK) return LG_ERROR_ARGUMENT;
    return lg_motion_start(mo, 0.5, q, v, 1);
}

static lg_motion *alone(const plan *p, int64_t i)
{
    lg_motion *mo;
    motion_well(lg_motion_create(&mo, p->m, p->method, p->h), mo);
    motion_well(lg_motion_set_halvings(mo, p->halvings), mo);
    motion_well(lg_motion_start(mo, 0, NULL, NULL, 1), mo);
    motion_well(begin(i, mo, (void *)(uintptr_t)p), mo);
    return mo;
}

static lg_motion_ensemble *make(const plan *p, int width, int threads)
{
    lg_motion_ensemble_options o = lg_motion_ensemble_options_default();
    lg_motion_ensemble *E;
    o.method = p->method, o.step = p->h, o.halvings = p->halvings, o.width = width, o.threads = threads;
    suite_ok("create", lg_motion_ensemble_create(&E, p->m, INSTANCES, &o));
    suite_ok("set all", lg_motion_ensemble_set_all(E, begin, (void *)(uintptr_t)p));
    assert_int_equal(lg_motion_ensemble_width(E), width);
    return E;
}

/* All that can be read of a motion, as numbers. */
static int figures(double *x, const plan *p, const lg_motion *mo)
{
    double *at = x;
    *at++ = lg_motion_time(mo), *at++ = lg_motion_energy(mo), *at++ = lg_motion_work(mo);
    for (int b = 0; b < lg_mechanism_body_count(p->m); b++) {
        suite_ok("pose", lg_motion_body_pose(mo, at, b)), at += 7;
        suite_ok("twist", lg_motion_body_twist(mo, at, b)), at += 6;
    }
    for (int k = 0; k < lg_mechanism_motor_count(p->m); k++) *at++ = lg_motion_motor_work(mo, k);
    suite_ok("positions", lg_motion_positions(mo, at, NULL));
    return (int)(at - x) + lg_motion_position_count(mo);
}

static void same_bits(const double *a, const double *b, int count, int64_t i)
{
    if (memcmp(a, b, (size_t)count * sizeof *a) == 0) return;
    for (int k = 0; k < count; k++)
        if (memcmp(a + k, b + k, sizeof *a) != 0)
            fail_msg("instance %lld: number %d is %.17g, alone %.17g", (long long)i, k, a[k], b[k]);
}

/* Every instance against a motion alone, after 7 + 6 steps in two runs. */
static void compare(const plan *p, lg_motion_ensemble *E, int64_t retired)
{
    double a[256], b[256];
    lg_motion *read;
    suite_ok("run", lg_motion_ensemble_run(E, 7, 1, NULL, NULL));
    suite_ok("run", lg_motion_ensemble_run(E, 6, 1, NULL, NULL));
    assert_int_equal(lg_motion_ensemble_retired(E), retired);
    motion_well(lg_motion_create(&read, p->m, p->method, p->h), read);
    for (int64_t i = 0; i < INSTANCES; i++) {
        lg_motion *mo = alone(p, i);
        const lg_status st = lg_motion_step(mo, 13);
        assert_int_equal(lg_motion_ensemble_status(E, i), st);
        assert_string_equal(lg_motion_ensemble_reason(E, i), lg_motion_message(mo));
        motion_well(lg_motion_ensemble_read(E, read, i), read);
        same_bits(a, b, figures(a, p, read) + 0 * figures(b, p, mo), i);
        if (st == LG_OK) assert_int_equal(lg_motion_ensemble_steps(E, i), 13);
        lg_motion_destroy(mo);
    }
    lg_motion_destroy(read);
}

static void case_of(const plan *p, int64_t retired)
{
    static const int widths[] = {1, 2, 4, 8};
    for (int w = 0; w < 4; w++)
        for (int threads = 1; threads <= 2; threads++) {
            if (!lg_width_supported(widths[w])) continue;
            suite_case("%s, width %d, %d threads", p->method, widths[w], threads);
            lg_motion_ensemble *E = make(p, widths[w], threads);
            compare(p, E, retired);
            lg_motion_ensemble_destroy(E);
        }
}

static void bits(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(7, 0), *rolls = wheel();
    case_of(&(plan){m, "sem", 0.01, 0, -1, 0}, 0);
    case_of(&(plan){m, "sem@suzuki4", 0.02, 0, -1, 0}, 0);
    case_of(&(plan){rolls, "sem", 0.01, 0, -1, 0}, 0);
    lg_mechanism_destroy(m);
    lg_mechanism_destroy(rolls);
}

/* Instances whose sweeps alone do not contract, all of them or one among others. */
static void stiff(void **unused)
{
    (void)unused;
    lg_mechanism *spring = sprung(4, 0, 1e5), *damper = sprung(3, 1e3, 0), *m = arm(4, 0);
    case_of(&(plan){spring, "sem", 0.01, 0, -1, 0}, 0);
    case_of(&(plan){spring, "sem@suzuki4", 0.01, 0, -1, 0}, 0);
    case_of(&(plan){damper, "sem", 0.01, 0, -1, 0}, 0);
    for (int i = 1; i <= 3; i++) case_of(&(plan){m, "sem", 0.02, 0, 6, 0.25 * i}, 0);
    lg_mechanism_destroy(spring);
    lg_mechanism_destroy(damper);
    lg_mechanism_destroy(m);
}

static void variational(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(5, 0), *spring = sprung(3, 0, 100);
    case_of(&(plan){m, "rattle", 0.01, 0, -1, 0}, 0);
    case_of(&(plan){m, "rattle@suzuki4", 0.02, 0, 2, 1}, 0);
    case_of(&(plan){m, "rattle", 0.02, 0, 3, 20}, 1);
    case_of(&(plan){spring, "rattle", 0.01, 0, -1, 0}, 0);
    lg_mechanism_destroy(m);
    lg_mechanism_destroy(spring);
}

static void failures(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(4, 0.05);
    case_of(&(plan){m, "sem", 0.02, 0, 3, 20}, 1);
    case_of(&(plan){m, "sem@suzuki4", 0.02, 0, 5, 20}, 1);
    case_of(&(plan){m, "sem", 0.02, 1, 3, 20}, 1);
    const plan halved = {m, "sem", 0.02, 6, 3, 8}, whole = {m, "sem", 0.02, 0, 3, 8};
    case_of(&halved, 0);
    lg_motion *mo = alone(&whole, 3); /* halving was needed */
    assert_int_not_equal(lg_motion_step(mo, 13), LG_OK);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- observers, controls, single instances ---- */

typedef struct watch {
    const plan *p;
    double wrench[INSTANCES][6];
    int calls[INSTANCES];
    int64_t stop; /* instance that is to stop after its second call */
} watch;

static int look(int64_t i, const lg_motion *mo, void *context)
{
    watch *w = context;
    if (lg_motion_joint_wrench(mo, w->wrench[i], 1) != LG_OK) return 1;
    return ++w->calls[i] == 2 && i == w->stop;
}

static void observers(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(3, 0);
    const plan p = {m, "sem", 0.01, 0, -1, 0};
    watch w = {.p = &p, .stop = 4};
    lg_motion_ensemble *E = make(&p, 2, 2);
    double u[2 * 3] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, wrench[6];
    suite_ok("controls", lg_motion_ensemble_set_controls(E, 6, u, 2));
    suite_ok("run", lg_motion_ensemble_run(E, 9, 3, look, &w));
    for (int64_t i = 0; i < INSTANCES; i++) {
        lg_motion *mo = alone(&p, i);
        if (i == 6 || i == 7) motion_well(lg_motion_set_control(mo, u + 3 * (i - 6)), mo);
        motion_well(lg_motion_step(mo, i == w.stop ? 6 : 9), mo);
        motion_well(lg_motion_joint_wrench(mo, wrench, 1), mo);
        assert_int_equal(w.calls[i], i == w.stop ? 2 : 3);
        same_bits(w.wrench[i], wrench, 6, i);
        assert_int_equal(lg_motion_ensemble_status(E, i), i == w.stop ? LG_ERROR_INTERRUPTED : LG_OK);
        assert_int_equal(lg_motion_ensemble_steps(E, i), i == w.stop ? 6 : 9);
        if (i == 8) { /* an instance that goes on from another motion */
            double a[256], b[256];
            lg_motion *read = alone(&p, 0);
            suite_ok("set", lg_motion_ensemble_set(E, 4, mo));
            suite_ok("run", lg_motion_ensemble_run(E, 5, 1, NULL, NULL));
            motion_well(lg_motion_step(mo, 5), mo);
            motion_well(lg_motion_ensemble_read(E, read, 4), read);
            same_bits(a, b, figures(a, &p, read) + 0 * figures(b, &p, mo), 4);
            suite_ok("back", lg_motion_ensemble_run(E, 0, 1, NULL, NULL));
            lg_motion_destroy(read), lg_motion_destroy(mo);
            break;
        }
        lg_motion_destroy(mo);
    }
    lg_motion_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

static lg_status refuses(int64_t i, lg_motion *mo, void *context)
{
    const double bad[3] = {NAN, 0, 0};
    return i == 2 ? lg_motion_start(mo, 0, bad, NULL, 1) : i == 3 ? (lg_status)-5 : begin(i, mo, context);
}

static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(3, 0);
    const plan p = {m, "sem", 0.01, 0, -1, 0};
    lg_motion_ensemble *E;
    lg_motion_ensemble_options o = lg_motion_ensemble_options_default();
    o.width = 3;
    assert_int_equal(lg_motion_ensemble_create(&E, m, 4, &o), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_motion_ensemble_message(E), "width 3"));
    lg_motion_ensemble_destroy(E);
    o.width = 0, o.method = "euler";
    assert_int_equal(lg_motion_ensemble_create(&E, m, 4, &o), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_motion_ensemble_message(E), "no method 'euler'"));
    assert_int_equal(lg_motion_ensemble_run(E, 1, 1, NULL, NULL), LG_ERROR_ARGUMENT);
    lg_motion_ensemble_destroy(E);
    assert_int_equal(lg_motion_ensemble_create(&E, NULL, 4, NULL), LG_ERROR_ARGUMENT);
    lg_motion_ensemble_destroy(E);
    E = make(&p, 2, 1);
    suite_ok("set all", lg_motion_ensemble_set_all(E, refuses, (void *)(uintptr_t)&p));
    assert_int_equal(lg_motion_ensemble_retired(E), 2);
    assert_int_equal(lg_motion_ensemble_status(E, 2), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_motion_ensemble_status(E, 3), LG_ERROR_CALLBACK);
    suite_ok("run", lg_motion_ensemble_run(E, 2, 1, NULL, NULL));
    lg_motion *mo = alone(&p, 0);
    assert_int_equal(lg_motion_ensemble_read(E, mo, 2), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_motion_ensemble_read(E, mo, INSTANCES), LG_ERROR_ARGUMENT);
    const double u[3] = {0, INFINITY, 0};
    assert_int_equal(lg_motion_ensemble_set_controls(E, 0, u, 1), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_motion_ensemble_set_controls(E, INSTANCES, u, 1), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    lg_motion_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits),        cmocka_unit_test(failures),  cmocka_unit_test(stiff),
        cmocka_unit_test(variational), cmocka_unit_test(observers), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
