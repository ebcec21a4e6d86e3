/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces of joints, wheels and drives are means over the whole step, with sub-steps, halves and found steps. */
#include <math.h>

#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"

static const double none[3] = {0, 0, 0}, up[3] = {0, 0, 1}, along[3] = {0, 1, 0}, g = 9.81;

/* q = -5 t^3 */
static int falls(double t, double *q, void *context)
{
    (void)context;
    q[0] = -5 * t * t * t, q[1] = -15 * t * t, q[2] = -30 * t;
    return 0;
}

/* A ball that slides on the ground carries a load along a rail, and the load a bob by a hinge at its centre; 1 kg each.
 * The ground pulls for t > 0.4905. */
static lg_mechanism *lift(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 3; i++)
        mechanism_add_body(m, i == 0 ? "ball" : i == 1 ? "load" : "bob", 0, 0, i == 0 ? 0.3 : 1);
    lg_wheel w = lg_wheel_default("ground", "ball");
    w.kind = LG_WHEEL_BALL, w.contact = LG_CONTACT_SLIDES, w.radius = 0.3;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_add_joint(m, "rail", LG_JOINT_PRISMATIC, "ball", "load", none, up);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, "load", "bob", up, along);
    lg_drive d = lg_drive_default("drive", "rail");
    d.motion = falls;
    mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Along z: of the hinge, of the drive, of the ground, in the last step of h. */
static void read_forces(const lg_motion *mo, double *f)
{
    double hinge[6], ground[3];
    suite_ok("hinge", lg_motion_joint_wrench(mo, hinge, 1));
    suite_ok("drive", lg_motion_drive(mo, &f[1], NULL, 0));
    suite_ok("ground", lg_motion_wheel_force(mo, ground, 0));
    f[0] = hinge[2], f[2] = ground[2];
}

static void expect_forces(const lg_motion *mo, double h)
{
    const double t = lg_motion_time(mo), a = -15 * (2 * t - h);
    const double want[3] = {g + a, 2 * (g + a), 3 * g + 2 * a};
    double f[3];
    read_forces(mo, f);
    suite_near("mean forces", f, want, 3, 1e-11, 100);
}

typedef struct way {
    const char *method;
    double h, tolerance;
} way;

static const way ways[] = {{"sem", 0.02, 0},       {"sem@suzuki4", 0.02, 0},      {"sem@kahan-li8", 0.1, 0},
                           {"gauss", 0.02, 0},     {"gauss", 0.02, 1e-6},         {"gauss:stages=2", 0.3, 1e-9},
                           {"gauss", 0.001, 1e-6}, {"gauss:stages=1", 0.02, 1e-7}};
enum { WAYS = sizeof ways / sizeof *ways };

static lg_motion *on_the_way(const lg_mechanism *m, const way *w)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, m, w->method, w->h), mo);
    if (w->tolerance > 0) motion_well(lg_motion_set_tolerance(mo, w->tolerance), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    return mo;
}

static void means(void **unused)
{
    (void)unused;
    lg_mechanism *m = lift();
    for (int i = 0; i < WAYS; i++) {
        lg_motion *mo = on_the_way(m, &ways[i]);
        for (int k = 0; k < 50; k++) {
            motion_well(lg_motion_step(mo, 1), mo);
            if (k % 7 != 3) expect_forces(mo, ways[i].h); /* the means of a step that is not read are not in the next */
        }
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* Saved within an internal step, a motion continues with the same forces; after a step back, too. */
static void saved(void **unused)
{
    (void)unused;
    lg_mechanism *m = lift();
    for (int i = 0; i < WAYS; i++) {
        lg_motion *a = on_the_way(m, &ways[i]), *b = on_the_way(m, &ways[i]);
        motion_well(lg_motion_step(a, 7), a);
        const size_t size = lg_motion_saved_bytes(a);
        unsigned char *bytes = test_malloc(size);
        suite_ok("save", lg_motion_save(a, bytes, size));
        motion_well(lg_motion_load(b, bytes, size), b);
        test_free(bytes);
        for (int k = 0; k < 3; k++) {
            double x[12], y[12];
            read_forces(a, x), read_forces(b, y);
            suite_same_bits("forces", x, y, 3);
            suite_ok("a", lg_motion_joint_wrench(a, x, 0)), suite_ok("a", lg_motion_joint_wrench(a, x + 6, 1));
            suite_ok("b", lg_motion_joint_wrench(b, y, 0)), suite_ok("b", lg_motion_joint_wrench(b, y + 6, 1));
            suite_same_bits("wrenches", x, y, 12);
            motion_well(lg_motion_step(a, 1), a), motion_well(lg_motion_step(b, 1), b);
        }
        motion_well(lg_motion_reset(b), b);
        motion_well(lg_motion_step(b, 1), b);
        expect_forces(b, ways[i].h);
        lg_motion_destroy(a), lg_motion_destroy(b);
    }
    lg_mechanism_destroy(m);
}

/* The time of the first pull, and the least force. */
static void lifts(void **unused)
{
    (void)unused;
    lg_mechanism *m = lift();
    for (int i = 0; i < WAYS; i++) {
        model_run r = model_run_default();
        lg_run_result found = lg_run_result_default();
        r.motion.method = ways[i].method, r.motion.step = ways[i].h, r.motion.tolerance = ways[i].tolerance;
        r.run.steps = (int64_t)round(0.9 / ways[i].h);
        lg_motion *mo;
        if (model_run_motion(&mo, motion_model(m), &found, &r) != LG_OK) suite_fail("%s", found.message);
        const double h = ways[i].h, first = h * (floor(0.4905 / h + 0.5) + 1), t = lg_motion_time(mo);
        suite_near1("lift", found.lift_time, first, 1e-9, 100);
        double least, when;
        suite_ok("least", lg_motion_wheel_normal(mo, &least, &when, 0));
        suite_near1("least", least, 3 * g - 30 * (2 * t - h), 1e-11, 100);
        suite_near1("when", when, t, 1e-12, 10);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

/* A step that is halved has the mean of its halves. */
static void halves(void **unused)
{
    (void)unused;
    const int item = lg_gallery_index("double-pendulum");
    assert_true(item >= 0);
    lg_mechanism *m;
    suite_ok("gallery", lg_gallery_create(&m, item));
    lg_motion *whole, *half;
    const double h = 0.2, v[2] = {6, 12};
    motion_well(motion_create(&whole, m, "sem", h), whole), motion_well(motion_create(&half, m, "sem", 0.5 * h), half);
    motion_well(lg_motion_start_joints(whole, 0, NULL, v, 1), whole);
    motion_well(lg_motion_start_joints(half, 0, NULL, v, 1), half);
    assert_int_not_equal(lg_motion_step(whole, 1), LG_OK);
    motion_well(lg_motion_set_halvings(whole, 1), whole);
    motion_well(lg_motion_step(whole, 1), whole);
    double mean[6], part[6] = {0}, sum[6] = {0};
    for (int k = 0; k < 2; k++) {
        motion_well(lg_motion_step(half, 1), half);
        suite_ok("half", lg_motion_joint_wrench(half, part, 0));
        for (int i = 0; i < 6; i++) sum[i] += 0.5 * part[i];
    }
    suite_ok("whole", lg_motion_joint_wrench(whole, mean, 0));
    suite_near("mean", mean, sum, 6, 1e-9, 1000);
    suite_near1("about the hinge", mean[4], 0, 1e-12, 1000);
    lg_motion_destroy(whole), lg_motion_destroy(half);
    lg_mechanism_destroy(m);
}

/* Instances in lanes have the wrenches of a motion alone. */
enum { INSTANCES = 9 };

static int look(int64_t i, const lg_motion *mo, void *context)
{
    double(*wrench)[6] = context;
    return lg_motion_joint_wrench(mo, wrench[i], 1) != LG_OK;
}

static void lanes(void **unused)
{
    static const char *const methods[] = {"sem", "sem@suzuki4", "rattle", "rattle@yoshida4"};
    (void)unused;
    lg_mechanism *m;
    suite_ok("gallery", lg_gallery_create(&m, lg_gallery_index("double-pendulum")));
    for (int i = 0; i < 4; i++) {
        lg_ensemble_options o = lg_ensemble_options_default();
        lg_ensemble *E;
        double wrench[INSTANCES][6], want[6];
        o.method = methods[i], o.step = 0.01;
        suite_ok("create", lg_ensemble_create(&E, motion_model(m), INSTANCES, &o));
        for (int k = 0; k < INSTANCES; k++) suite_ok("start", lg_ensemble_start(E, k, 0, NULL, 1));
        suite_ok("run", lg_ensemble_run(E, 12, 12, look, wrench));
        lg_motion *alone = on_the_way(m, &(way){methods[i], 0.01, 0});
        motion_well(lg_motion_step(alone, 12), alone);
        suite_ok("alone", lg_motion_joint_wrench(alone, want, 1));
        for (int k = 0; k < INSTANCES; k++) suite_same_bits("wrench", wrench[k], want, 6);
        lg_motion_destroy(alone), lg_ensemble_destroy(E);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(means), cmocka_unit_test(saved), cmocka_unit_test(lifts),
                                       cmocka_unit_test(halves), cmocka_unit_test(lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
