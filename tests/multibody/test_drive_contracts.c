/* SPDX-License-Identifier: BSD-3-Clause */
/* Drives: what is refused and what is said; starts; a motion that is saved, reset, halved, followed with a tolerance or
 * in an ensemble is the same one. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/parameters.h>

#include <liegrp/multibody/gallery.h>

#include "support/mechanism_systems.h"

static const double none[3] = {0, 0, 0}, y[3] = {0, -1, 0};

/* q = sin 3t; context: after that time it returns 7, NaN or no derivatives. */
typedef struct fate {
    double time;
    int kind;
} fate;

static int waves(double t, double *q, void *context)
{
    const fate *f = context;
    const int over = f != NULL && t > f->time;
    q[0] = sin(3 * t);
    if (over && f->kind == 0) return 7;
    if (over && f->kind == 2) return 0;
    q[1] = 3 * cos(3 * t), q[2] = over && f->kind == 1 ? (double)NAN : -9 * sin(3 * t);
    return 0;
}

/* A double pendulum whose first angle is driven; drive NULL: none. */
static lg_mechanism *described(const lg_drive *drive)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "upper", 0.3, 0, 0);
    mechanism_add_body(m, "lower", 0.9, 0, 0);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "upper", none, y);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, "upper", "lower", (double[3]){0.6, 0, 0}, y);
    if (drive != NULL) mechanism_well(lg_mechanism_add_drive(m, NULL, drive), m);
    return m;
}

static lg_drive on(const char *joint, fate *f)
{
    lg_drive d = lg_drive_default("walk", joint);
    d.motion = waves, d.context = f;
    return d;
}

static lg_mechanism *compiled(fate *f)
{
    const lg_drive d = on("hip", f);
    lg_mechanism *m = described(&d);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motion *started(const lg_mechanism *m, const char *method, double h)
{
    lg_motion *mo;
    suite_case("%s, h = %g", method, h);
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    return mo;
}

/* ---- descriptions ---- */

static void refuses(const lg_drive *d, lg_status want, const char *words)
{
    lg_mechanism *m = described(NULL);
    suite_case("%s", words);
    lg_status st = lg_mechanism_add_drive(m, NULL, d);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    suite_status("drive", st, want);
    suite_contains("drive", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

static void descriptions(void **unused)
{
    double times[4] = {0, 1, 1, 2}, values[28] = {0};
    (void)unused;
    lg_drive d = on("hip", NULL);
    d.body = "upper";
    refuses(&d, LG_ERROR_ARGUMENT, "drive 'walk': name either a joint or a body");
    d = lg_drive_default("walk", NULL);
    refuses(&d, LG_ERROR_ARGUMENT, "name either a joint or a body");
    d = lg_drive_default("walk", "hip");
    refuses(&d, LG_ERROR_ARGUMENT, "give a function, or a table of at least 2 times");
    d.count = 1, d.times = times, d.values = values;
    refuses(&d, LG_ERROR_ARGUMENT, "table of at least 2 times");
    d.count = 4;
    refuses(&d, LG_ERROR_ARGUMENT, "times of the table must increase, and row 3 has 1 after 1");
    times[2] = 0.5;
    refuses(&d, LG_ERROR_ARGUMENT, "row 3 has 0.5 after 1");
    times[2] = 1.5, values[1] = NAN;
    refuses(&d, LG_ERROR_NOT_FINITE, "row 2 of the table has a number that is not finite");
    values[1] = 0, d.motion = waves;
    refuses(&d, LG_ERROR_ARGUMENT, "a function and a table");
    d.motion = NULL, d.joint = NULL, d.body = "upper", values[6] = 1;
    refuses(&d, LG_ERROR_ARGUMENT, "row 2 of the table has the quaternion 0");
    d = on("ankle", NULL);
    refuses(&d, LG_ERROR_ARGUMENT, "drive 'walk': there is no joint 'ankle'");
    d = on(NULL, NULL), d.body = "third";
    refuses(&d, LG_ERROR_ARGUMENT, "drive 'walk': there is no body 'third'");
}

/* Motions that are given twice. */
static void twice(void **unused)
{
    (void)unused;
    lg_drive d = on("hip", NULL);
    lg_mechanism *m = described(&d);
    suite_status("name", lg_mechanism_add_drive(m, NULL, &d), LG_ERROR_ARGUMENT);
    d.name = "run";
    mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
    suite_status("joint", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
    suite_contains("joint", lg_mechanism_message(m), "drive 'run': drive 'walk' moves 'hip' already");
    lg_mechanism_destroy(m);
    for (int i = 0; i < 2; i++) { /* a four-bar has one freedom; a body's pose determines its joint */
        m = described(NULL);
        mechanism_add_body(m, "bar", 0.9, 0, 0.4);
        mechanism_add_joint(m, "toe", LG_JOINT_REVOLUTE, "lower", "bar", (double[3]){1.2, 0, 0.2}, y);
        mechanism_add_joint(m, "heel", LG_JOINT_REVOLUTE, NULL, "bar", (double[3]){0.6, 0, 0.5}, y);
        d = on("hip", NULL);
        mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
        if (i == 0) {
            d = on("heel", NULL);
        } else {
            d = on(NULL, NULL), d.body = "bar";
        }
        d.name = "run";
        mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
        suite_status("loop", lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        suite_contains("loop", lg_mechanism_message(m), "a motion is given twice");
        suite_contains("loop", lg_mechanism_message(m), "'run'");
        lg_mechanism_destroy(m);
    }
}

static void what_does_not_fit(void **unused)
{
    lg_motion *mo;
    lg_dynamics *dynamics;
    const lg_system *S;
    (void)unused;
    lg_mechanism *m = compiled(NULL);
    suite_status("rattle", motion_create(&mo, m, "rattle", 0.01), LG_ERROR_UNSUPPORTED);
    suite_contains("rattle", lg_motion_message(mo), "that of drive 'walk'; use sem");
    lg_motion_destroy(mo);
    suite_status("system", lg_mechanism_system(m, &S), LG_ERROR_UNSUPPORTED);
    suite_contains("system", lg_mechanism_message(m), "drive 'walk' depends on time");
    suite_status("dynamics", lg_dynamics_create(&dynamics, m), LG_ERROR_UNSUPPORTED);
    suite_contains("dynamics", lg_dynamics_message(dynamics), "drive 'walk' gives a motion in time");
    lg_dynamics_destroy(dynamics);
    mo = started(m, NULL, 0.01);
    double force;
    suite_status("before", lg_motion_drive(mo, &force, NULL, 0), LG_ERROR_ARGUMENT);
    suite_status("none", lg_motion_drive(mo, NULL, &force, 1), LG_ERROR_ARGUMENT);
    suite_ok("work", lg_motion_drive(mo, NULL, &force, 0));
    suite_near1("work", force, 0, 0, 1);
    suite_near1("count", lg_mechanism_drive_count(m), 1, 0, 1);
    assert_string_equal(lg_mechanism_drive_name(m, 0), "walk");
    lg_drive d = lg_drive_default(NULL, NULL);
    suite_ok("read", lg_mechanism_read_drive(m, &d, 0));
    assert_string_equal(d.joint, "hip");
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- functions and tables that fail ---- */

/* The step fails, and the motion is as it was. */
static void failing(lg_mechanism *m, const char *method, lg_status want, const char *words)
{
    double before[4], after[4];
    lg_motion *mo = started(m, method, 0.02);
    suite_case("%s: %s", method, words);
    motion_well(lg_motion_step(mo, 10), mo);
    suite_ok("before", lg_motion_positions(mo, before, before + 2));
    const lg_status st = lg_motion_step(mo, 1);
    suite_status("step", st, want);
    suite_contains("step", lg_motion_message(mo), words);
    suite_ok("after", lg_motion_positions(mo, after, after + 2));
    suite_same_bits("state", after, before, 4);
    suite_near1("time", lg_motion_time(mo), 0.2, 1e-15, 1);
    lg_motion_destroy(mo);
}

static void failures(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4", "gauss"},
                             *const words[3] = {"the function of drive 'walk' returned 7",
                                                "the function of drive 'walk' gives q, q' and q\"",
                                                "the function of drive 'walk' gives q, q' and q\""};
    static const lg_status want[3] = {LG_ERROR_CALLBACK, LG_ERROR_NOT_FINITE, LG_ERROR_NOT_FINITE};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        fate f = {INFINITY, i};
        lg_mechanism *m = compiled(&f);
        for (int k = 0; k < 3; k++) {
            f.time = 0.2 + 1e-9;
            if (k == 1) f.time = 0.206; /* sub-steps of Suzuki's go back from 0.2083 */
            failing(m, methods[k], want[i], words[i]);
        }
        lg_mechanism_destroy(m);
        f.time = -1;
        m = compiled(&f);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, NULL, 0.02), mo);
        suite_status("start", lg_motion_start_joints(mo, 0, NULL, NULL, 1), want[i]);
        suite_contains("start", lg_motion_message(mo), "lg_motion_start: t = 0: the function of drive 'walk'");
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

static void ends(void **unused)
{
    static const double times[5] = {0, 0.05, 0.1, 0.15, 0.2}, values[5] = {0, 0.1, 0.3, 0.2, 0.1};
    (void)unused;
    lg_drive d = lg_drive_default("walk", "hip");
    d.count = 5, d.times = times, d.values = values;
    lg_mechanism *m = described(&d);
    mechanism_well(lg_mechanism_compile(m), m);
    failing(m, "sem", LG_ERROR_DOMAIN,
            "t = 0.22: the table of drive 'walk', which moves 'hip', is from t = 0 to 0.2; give it rows");
    failing(m, "gauss", LG_ERROR_DOMAIN, "the table of drive 'walk'");
    lg_motion *mo;
    motion_well(motion_create(&mo, m, NULL, 0.02), mo);
    suite_status("start", lg_motion_start_joints(mo, -0.1, NULL, NULL, 1), LG_ERROR_DOMAIN);
    lg_motion_destroy(mo);
    mo = started(m, NULL, 0.02);
    motion_well(lg_motion_set_halvings(mo, 5), mo);
    motion_well(lg_motion_step(mo, 10), mo);
    suite_status("halvings", lg_motion_step(mo, 1), LG_ERROR_DOMAIN);
    lg_motion_destroy(mo);
    static const double intervals[3] = {0.02, 0.2, 0.05};
    for (int i = 0; i < 3; i++) { /* steps that a tolerance finds end with the table */
        mo = started(m, "gauss", intervals[i]);
        motion_well(lg_motion_set_tolerance(mo, i == 0 ? 1e-6 : 1e-10), mo);
        motion_well(lg_motion_step(mo, (int64_t)round(0.2 / intervals[i])), mo);
        suite_status("beyond", lg_motion_step(mo, 1), LG_ERROR_DOMAIN);
        suite_contains("beyond", lg_motion_message(mo),
                       "the table of drive 'walk', which moves 'hip', is from t = 0 to");
        suite_near1("stays", lg_motion_time(mo), 0.2, 1e-15, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* ---- starts ---- */

static void starts(void **unused)
{
    double q[2], v[2];
    lg_motion *mo;
    (void)unused;
    lg_mechanism *m = compiled(NULL);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    for (int project = 0; project < 2; project++) {
        motion_well(lg_motion_start_joints(mo, 0.3, NULL, NULL, project), mo);
        suite_ok("state", lg_motion_positions(mo, q, v));
        suite_near("q", q, (const double[2]){sin(0.9), 0}, 2, 1e-15, 1);
        suite_near("v", v, (const double[2]){3 * cos(0.9), 0}, 2, 1e-14, 1);
        motion_well(lg_motion_start_joints(mo, 0.3, (const double[2]){0, 0.5}, (const double[2]){0, -2}, project), mo);
        suite_ok("state", lg_motion_positions(mo, q, v));
        suite_near("q", q, (const double[2]){sin(0.9), 0.5}, 2, 1e-15, 1);
        suite_near("v", v, (const double[2]){3 * cos(0.9), -2}, 2, 1e-14, 1);
        suite_status("q", lg_motion_start_joints(mo, 0.3, (const double[2]){0.2, 0}, NULL, project),
                     LG_ERROR_INCONSISTENT);
        suite_contains("q", lg_motion_message(mo),
                       "joint 'hip' is to start at 0.2, and drive 'walk' has it at 0.7833269096 at t = 0.3");
        suite_status("v", lg_motion_start_joints(mo, 0.3, NULL, (const double[2]){1, 0}, project),
                     LG_ERROR_INCONSISTENT);
        suite_contains("v", lg_motion_message(mo), "with the velocity 1, and drive 'walk' has it moving with 1.86");
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* q = 10 t up to t = 0.0503, or back from there */
static int halts(double t, double *q, void *back)
{
    const double end = 0.0503, after = back != NULL ? -10 : 0;
    q[0] = t < end ? 10 * t : 10 * end + after * (t - end), q[1] = t < end ? 10 : after, q[2] = 0;
    return 0;
}

/* A leader's velocity jumps: no singular configuration, in a tree or in a loop. */
static void jumps(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4"};
    static int back;
    (void)unused;
    for (int i = 0; i < 8; i++) {
        lg_drive d = lg_drive_default("jump", "a");
        lg_mechanism *m;
        d.motion = halts, d.context = i & 1 ? &back : NULL;
        if (i & 4) {
            suite_ok("four-bar", lg_gallery_describe(&m, lg_gallery_index("four-bar")));
        } else {
            mechanism_well(lg_mechanism_create(&m), NULL);
            mechanism_add_body(m, "rod", 0.3, 0, 0), mechanism_add_body(m, "bob", 0.5, 0, 0);
            mechanism_add_joint(m, "a", LG_JOINT_REVOLUTE, NULL, "rod", (double[3]){0}, (double[3]){0, 1, 0});
            mechanism_add_joint(m, "b", LG_JOINT_REVOLUTE, "rod", "bob", (double[3]){0.4, 0, 0}, (double[3]){0, 1, 0});
        }
        mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_motion *mo;
        motion_well(motion_create(&mo, m, methods[(i >> 1) & 1], 0.01), mo);
        motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
        motion_well(lg_motion_step(mo, 12), mo);
        double q, want[3];
        suite_ok("joint", lg_motion_joint(mo, &q, NULL, 0));
        (void)halts(lg_motion_time(mo), want, i & 1 ? &back : NULL);
        suite_near1("angle", q, want[0], 1e-12, 1);
        suite_below("gap", lg_motion_gap(mo), 1e-12);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
}

/* ---- one motion in several ways ---- */

static void same_state(const lg_motion *a, const lg_motion *b, double tolerance)
{
    double x[6], w[6];
    suite_ok("a", lg_motion_positions(a, x, x + 2));
    suite_ok("b", lg_motion_positions(b, w, w + 2));
    suite_ok("a", lg_motion_drive(a, NULL, x + 4, 0));
    suite_ok("b", lg_motion_drive(b, NULL, w + 4, 0));
    x[5] = lg_motion_work(a), w[5] = lg_motion_work(b);
    if (tolerance > 0)
        suite_near("state", x, w, 6, tolerance, 10);
    else
        suite_same_bits("state", x, w, 6);
}

static void saved_and_reset(void **unused)
{
    static const char *const methods[] = {"sem", "sem@yoshida4", "gauss"};
    (void)unused;
    lg_mechanism *m = compiled(NULL);
    for (int i = 0; i < 3; i++) {
        lg_motion *a = started(m, methods[i], 0.01), *b = started(m, methods[i], 0.01);
        motion_well(lg_motion_step(a, 30), a);
        const size_t size = lg_motion_saved_bytes(a);
        unsigned char *bytes = test_malloc(size);
        suite_ok("save", lg_motion_save(a, bytes, size));
        motion_well(lg_motion_load(b, bytes, size), b);
        test_free(bytes);
        motion_well(lg_motion_step(a, 20), a), motion_well(lg_motion_step(b, 20), b);
        same_state(a, b, 0);
        motion_well(lg_motion_reset(b), b);
        motion_well(lg_motion_step(b, 50), b);
        same_state(a, b, 0);
        lg_motion_destroy(a), lg_motion_destroy(b);
    }
    lg_mechanism_destroy(m);
}

static void tolerances(void **unused)
{
    (void)unused;
    lg_mechanism *m = compiled(NULL);
    lg_motion *a = started(m, "gauss", 0.01), *b = started(m, "gauss", 0.13), *c = started(m, "sem@kahan-li8", 0.005);
    motion_well(lg_motion_set_tolerance(b, 1e-11), b);
    const double H = lg_motion_energy(b);
    motion_well(lg_motion_run_to(a, 1.3), a), motion_well(lg_motion_run_to(b, 1.3), b);
    motion_well(lg_motion_run_to(c, 1.3), c);
    same_state(b, a, 1e-9), same_state(c, a, 1e-7);
    suite_near1("balance", lg_motion_energy(b) - H, lg_motion_work(b), 1e-9, 10);
    suite_near1("work", lg_motion_energy(a) - H, lg_motion_work(a), 1e-12, 10);
    lg_motion_destroy(a), lg_motion_destroy(b), lg_motion_destroy(c);
    lg_mechanism_destroy(m);
}

/* A mechanism alone, and instances at other times. */
static void ensembles(void **unused)
{
    static const char *const methods[] = {"sem", "gauss"};
    enum { INSTANCES = 5 };
    (void)unused;
    lg_mechanism *m = compiled(NULL);
    for (int i = 0; i < 2; i++) {
        lg_ensemble_options o = lg_ensemble_options_default();
        lg_ensemble *E;
        o.method = methods[i], o.step = 0.01, o.threads = 2;
        suite_ok("create", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
        for (int k = 0; k < INSTANCES; k++) suite_ok("start", lg_ensemble_start(E, k, 0.1 * k, NULL, 1));
        suite_ok("run", lg_ensemble_run(E, 25, 25, NULL, NULL));
        for (int k = 0; k < INSTANCES; k++) {
            lg_motion *alone, *copy;
            motion_well(motion_create(&alone, m, methods[i], 0.01), alone);
            motion_well(lg_motion_start(alone, 0.1 * k, NULL, 1), alone);
            motion_well(lg_motion_step(alone, 25), alone);
            suite_ok("motion", lg_ensemble_motion(&copy, E, k));
            same_state(copy, alone, 0);
            lg_motion_destroy(alone), lg_motion_destroy(copy);
        }
        lg_ensemble_destroy(E);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions),    cmocka_unit_test(twice),      cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(failures),        cmocka_unit_test(ends),       cmocka_unit_test(starts),
        cmocka_unit_test(saved_and_reset), cmocka_unit_test(tolerances), cmocka_unit_test(ensembles),
        cmocka_unit_test(jumps),
    };
    suite_begin("multibody/drive_contracts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
