/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation of mechanisms: reference states of an independent implementation (multibody_states_order16.json),
 * the same bits at every width, the dense method, work, reactions, refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "support/matrix.h"
#include "support/mechanism_systems.h"
#include "support/random_mechanisms.h"

enum { NUMBERS = 13 * MECHANISM_MOST };

static const int widths[] = {1, 2, 4, 8};

/* What motions that are made from now on take. */
static void use_width(int width)
{
    char text[8];
    (void)snprintf(text, sizeof text, "%d", width);
    setenv("LIEGRP_WIDTH", text, 1);
}

/* Configuration and momentum; returns how many numbers they are. */
static int read_state(const lg_motion *mo, int bodies, double *x)
{
    suite_ok("state", lg_motion_state(mo, x, NULL, x + 7 * bodies));
    return 13 * bodies;
}

/* Two links in space. */
static lg_mechanism *pendulum(double gravity)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0.4, 0.02, 0);
    mechanism_add_body(m, "b", 0.8, 0, 0.1);
    mechanism_add_joint(m, "j", LG_JOINT_SPHERICAL, NULL, "a", (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0});
    mechanism_add_joint(m, "k", LG_JOINT_UNIVERSAL, "a", "b", (const double[3]){0.6, 0, 0}, (const double[3]){0, 1, 0});
    mechanism_well(lg_mechanism_set_gravity(m, (const double[3]){0, 0, -gravity}), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_motion *swinging(const lg_mechanism *m, const char *method, double h)
{
    const double v[5] = {0.3, -0.8, 0.4, 1.1, -0.6};
    lg_motion *mo;
    motion_well(motion_create(&mo, m, method, h), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

/* ---- reference states ---- */

static void check_run(const cJSON *run, const cJSON *item)
{
    const cJSON *state;
    lg_mechanism *m = mechanism_of(item);
    lg_motion *mo;
    const int bodies = lg_mechanism_body_count(m);
    char method[32];
    int k = 0;
    (void)snprintf(method, sizeof method, "gauss:stages=%d", (int)ref_number(ref_get(run, "s")));
    motion_well(motion_create(&mo, m, method, ref_number(ref_get(run, "h"))), mo);
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        double g[7 * 16], p[6 * 16], x[13 * 16];
        const int to = (int)ref_number(ref_get(state, "k"));
        ref_exactly(g, 7 * bodies, state, "g"), ref_exactly(p, 6 * bodies, state, "p");
        if (to == 0) motion_well(motion_start_momentum(mo, m, 0, g, p, 0), mo);
        motion_well(lg_motion_step(mo, to - k), mo);
        k = to;
        (void)read_state(mo, bodies, x);
        suite_near("configuration", x, g, 7 * bodies, 1e-13, 1);
        suite_near("momentum", x + 7 * bodies, p, 6 * bodies, 1e-13, fmax(1, mat_norm(p, 6 * bodies)));
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void states(void **unused)
{
    cJSON *all = ref_load("multibody_states.json"), *high = ref_load("multibody_states_order16.json"), *run;
    (void)unused;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        use_width(widths[w]);
        cJSON_ArrayForEach(run, ref_get(high, "runs"))
        {
            char name[48];
            (void)snprintf(name, sizeof name, "%s_chol", ref_get(run, "model")->valuestring);
            suite_case("%s, S = %d, width %d", name, (int)ref_number(ref_get(run, "s")), widths[w]);
            check_run(run, ref_get(all, name));
        }
    }
    use_width(0);
    cJSON_Delete(all), cJSON_Delete(high);
}

/* ---- bits and order ---- */

static void same_bits(void **unused)
{
    static const char *const methods[] = {"gauss:stages=1", "gauss:stages=3", "gauss:stages=6", "gauss",
                                          "gauss:stages=16"};
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++)
        for (int k = 0; k < 5; k++) {
            double x[2][NUMBERS];
            suite_case("%s, %s", lg_gallery_name(i), methods[k]);
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                use_width(widths[w]);
                lg_mechanism *m = gallery_mechanism(i, 0);
                lg_motion *mo = gallery_motion(m, i, methods[k], 0.5 * lg_gallery_step(i));
                motion_well(lg_motion_step(mo, 3), mo);
                const int count = read_state(mo, lg_mechanism_body_count(m), x[w > 0]);
                if (w > 0) suite_same_bits("width", x[1], x[0], count);
                lg_motion_destroy(mo);
                lg_mechanism_destroy(m);
            }
        }
    use_width(0);
}

/* ---- what the nodes keep ---- */

/* There and back: the method is symmetric, its node nearly. */
static void back(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        double x[NUMBERS], y[NUMBERS], *p = x;
        lg_mechanism *m = gallery_mechanism(i, 0);
        const int bodies = lg_mechanism_body_count(m);
        const double h = lg_gallery_step(i);
        suite_case("%s", lg_gallery_name(i));
        lg_motion *mo = gallery_motion(m, i, "gauss", h), *from = gallery_motion(m, i, "gauss", -h);
        const int count = read_state(mo, bodies, x);
        motion_well(lg_motion_step(mo, 5), mo);
        (void)read_state(mo, bodies, y);
        motion_well(motion_start_momentum(from, m, 5 * h, y, y + 7 * bodies, 0), from);
        motion_well(lg_motion_step(from, 5), from);
        (void)read_state(from, bodies, y);
        suite_near("state", y, p, count, 1e-11, 1 + mat_norm(x, count));
        lg_motion_destroy(mo), lg_motion_destroy(from);
        lg_mechanism_destroy(m);
    }
}

/* The dense engine knows nothing of bodies and joints. */
static void dense(void **unused)
{
    int same = 0;
    const int drawn = suite_count(60);
    (void)unused;
    for (int i = 0; i < drawn; i++) {
        lg_rng rng = suite_rng(3000 + (uint64_t)i);
        random_mechanism r;
        const lg_system *S;
        suite_case("mechanism %d of family %d", i, i % RANDOM_NEARLY);
        random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 2 + i % 4, 0.5, &rng);
        if (lg_mechanism_compile(r.m) == LG_OK && lg_mechanism_system(r.m, &S) == LG_OK) {
            const double h = 0.004 * sqrt(r.size);
            lg_motion *mo;
            double v[6 * RANDOM_BODIES];
            suite_normal(v, 6 * RANDOM_BODIES, &rng);
            for (int k = 0; k < 6 * RANDOM_BODIES; k++) v[k] /= sqrt(r.size);
            motion_well(motion_create(&mo, r.m, "gauss", h), mo);
            if (lg_motion_start_joints(mo, 0, NULL, v, 1) == LG_OK) {
                lg_integrator *it = dense_of(r.m, mo, "gauss:rate", h);
                const lg_status a = lg_motion_step(mo, 10), b = lg_integrator_run(it, 10, 10, NULL, NULL);
                if (a == LG_OK && b == LG_OK) mechanism_compare(mo, it, r.bodies, 1e-10), same++;
                lg_integrator_destroy(it);
            }
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(r.m);
    }
    suite_above("share that moves by both", same, 0.5 * drawn);
}

/* ---- forces ---- */

/* Gravity by a function of one's own. */
static int weigh(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    const int *bodies = context;
    (void)t, (void)poses, (void)twists;
    for (int b = 0; b < *bodies; b++) wrench[6 * b + 2] -= 1 * 9.81;
    return 0;
}

/* A drag that depends on velocities and time. */
static int drag(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)poses, (void)context;
    for (int k = 0; k < 6; k++) wrench[k] -= (0.3 + 0.1 * sin(3 * t)) * twists[k];
    return 0;
}

static void wrenches(void **unused)
{
    lg_mechanism *heavy = pendulum(9.81), *light = pendulum(0);
    double x[NUMBERS], y[NUMBERS];
    int bodies = 2;
    (void)unused;
    suite_case("gravity as a function");
    lg_motion *a = swinging(heavy, "gauss", 0.05), *b = swinging(light, "gauss", 0.05);
    motion_well(lg_motion_set_wrench(b, weigh, &bodies), b);
    const double before = lg_motion_energy(b);
    motion_well(lg_motion_step(a, 20), a), motion_well(lg_motion_step(b, 20), b);
    (void)read_state(a, 2, x), (void)read_state(b, 2, y);
    suite_near("state", y, x, 26, 1e-11, 10);
    suite_near1("work", lg_motion_work(b), lg_motion_energy(b) - before, 1e-11, 20);
    lg_motion_destroy(a), lg_motion_destroy(b);
    suite_case("drag, halves");
    a = swinging(heavy, "gauss", 0.04), b = swinging(heavy, "gauss", 0.02);
    motion_well(lg_motion_set_wrench(a, drag, NULL), a), motion_well(lg_motion_set_wrench(b, drag, NULL), b);
    const double start = lg_motion_energy(a);
    motion_well(lg_motion_step(a, 20), a), motion_well(lg_motion_step(b, 40), b);
    (void)read_state(a, 2, x), (void)read_state(b, 2, y);
    suite_near("state", x, y, 26, 1e-12, 10);
    suite_near1("work", lg_motion_work(a), lg_motion_energy(a) - start, 1e-11, 20);
    suite_below("it brakes", lg_motion_work(a), -0.01);
    lg_motion_destroy(a), lg_motion_destroy(b);
    lg_mechanism_destroy(heavy), lg_mechanism_destroy(light);
}

/* The reactions of the joints account for the change of momentum. */
static void reactions(void **unused)
{
    lg_mechanism *m = pendulum(9.81);
    lg_motion *mo = swinging(m, "gauss", 0.05);
    (void)unused;
    for (int n = 0; n < 10; n++) {
        double x[NUMBERS], y[NUMBERS], force[2][6];
        (void)read_state(mo, 2, x);
        motion_well(lg_motion_step(mo, 1), mo);
        (void)read_state(mo, 2, y);
        for (int j = 0; j < 2; j++) suite_ok("wrench", lg_motion_joint_wrench(mo, force[j], j));
        for (int k = 0; k < 3; k++) {
            const double weight = k == 2 ? -9.81 : 0;
            suite_near1("first", (y[14 + k] - x[14 + k]) / 0.05, force[0][k] - force[1][k] + weight, 1e-9, 30);
            suite_near1("second", (y[20 + k] - x[20 + k]) / 0.05, force[1][k] + weight, 1e-9, 30);
        }
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* ---- events, ensembles, linearisation ---- */

static int height(const lg_motion *mo, double *value, void *context)
{
    double pose[7];
    (void)context;
    const lg_status st = lg_motion_body_pose(mo, pose, 1);
    *value = pose[0] - 0.3;
    return st != LG_OK;
}

static void events(void **unused)
{
    lg_mechanism *m = pendulum(9.81);
    double t[2];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = swinging(m, "gauss", k ? 0.0125 : 0.05);
        lg_motion_event e = lg_motion_event_default(height, NULL);
        e.tolerance = 1e-12;
        int found = 0;
        for (int n = 0; n < 200 && !found; n++) motion_well(lg_motion_step_to_event(mo, &found, &e), mo);
        assert_int_equal(found, -1);
        t[k] = lg_motion_time(mo);
        lg_motion_destroy(mo);
    }
    suite_near1("time", t[0], t[1], 1e-11, 1);
    lg_mechanism_destroy(m);
}

static lg_motion *spun(const lg_mechanism *m, int i)
{
    const double v[5] = {0.3, -0.8, 0.4 * i, 1.1, -0.6};
    lg_motion *mo = swinging(m, "gauss", 0.05);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    return mo;
}

static void ensembles(void **unused)
{
    lg_mechanism *m = pendulum(9.81);
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    const int count = 3;
    (void)unused;
    o.method = "gauss", o.step = 0.05, o.threads = 2;
    suite_ok("create", lg_ensemble_create(&E, motion_model(m), count, &o));
    assert_int_equal(lg_ensemble_width(E), 1);
    for (int i = 0; i < count; i++) {
        lg_motion *mo = spun(m, i);
        suite_ok("set", lg_ensemble_set(E, i, mo));
        lg_motion_destroy(mo);
    }
    for (int n = 0; n < 3; n++) suite_ok("run", lg_ensemble_run(E, 7, 7, NULL, NULL));
    for (int i = 0; i < count; i++) {
        double x[NUMBERS], y[NUMBERS];
        lg_motion *mo = spun(m, i), *read;
        motion_well(lg_motion_step(mo, 21), mo);
        suite_ok("motion", lg_ensemble_motion(&read, E, i));
        (void)read_state(mo, 2, x), (void)read_state(read, 2, y);
        suite_same_bits("instance", y, x, 26);
        lg_motion_destroy(mo), lg_motion_destroy(read);
    }
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

/* The derivative of a step is that of the flow, which another method of high order has too. */
static void linearised(void **unused)
{
    lg_mechanism *m = pendulum(9.81);
    double A[2][100];
    (void)unused;
    for (int k = 0; k < 2; k++) {
        lg_motion *mo = swinging(m, k ? "sem@kahan-li6" : "gauss", 0.01);
        assert_int_equal(lg_motion_freedoms(mo, NULL), 10);
        motion_well(lg_motion_linearise_step(mo, A[k], NULL, NULL, NULL), mo);
        lg_motion_destroy(mo);
    }
    suite_near("derivative", A[0], A[1], 100, 2e-7, 1);
    lg_mechanism_destroy(m);
}

/* ---- refusals ---- */

static void refuse(const lg_mechanism *m, const char *method, const char *why)
{
    lg_motion *mo;
    suite_case("%s", method);
    if (motion_create(&mo, m, method, 0.1) == LG_OK) suite_fail("it is made");
    suite_contains("message", lg_motion_message(mo), why);
    lg_motion_destroy(mo);
}

static int fail_late(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)poses, (void)twists, (void)wrench;
    const double *from = context;
    return t > *from ? 7 : 0;
}

static void refusals(void **unused)
{
    lg_mechanism *m = pendulum(9.81);
    double x[NUMBERS], y[NUMBERS], from = 0.22;
    (void)unused;
    refuse(m, "gauss:stages=9", "from 1 to 8, or 16");
    refuse(m, "gauss@suzuki4", "projection");
    refuse(m, "gausss", "unknown method");
    suite_case("a step that is too long names one that does");
    lg_motion *mo = swinging(m, "gauss", 4);
    (void)read_state(mo, 2, x);
    assert_int_equal(lg_motion_step(mo, 1), LG_ERROR_CONVERGENCE);
    (void)read_state(mo, 2, y);
    suite_same_bits("state", y, x, 26);
    const char *would = strstr(lg_motion_message(mo), "; h = ");
    assert_non_null(would);
    const double h = atof(would + 6);
    suite_below("shorter", h, 4);
    lg_motion_destroy(mo);
    mo = swinging(m, "gauss", h);
    motion_well(lg_motion_step(mo, 1), mo);
    lg_motion_destroy(mo);
    suite_case("a looser solver");
    double loose[NUMBERS], tight[NUMBERS];
    int sweeps[2];
    for (int k = 0; k < 2; k++) {
        mo = swinging(m, "gauss", 0.05);
        if (k) motion_well(lg_motion_set_solver(mo, 1e-8), mo);
        const double H = lg_motion_energy(mo);
        motion_well(lg_motion_step(mo, 20), mo);
        sweeps[k] = lg_motion_iterations(mo);
        suite_near1("energy", lg_motion_energy(mo), H, 1e-14, 10);
        suite_below("gap", lg_motion_gap(mo), 5e-15);
        (void)read_state(mo, 2, k ? loose : tight);
        assert_int_equal(lg_motion_set_solver(mo, 1e-17), LG_ERROR_ARGUMENT);
        assert_int_equal(lg_motion_set_solver(mo, NAN), LG_ERROR_ARGUMENT);
        lg_motion_destroy(mo);
    }
    suite_near("state", loose, tight, 26, 1e-7, 10);
    assert_true(sweeps[1] < sweeps[0]);
    mo = swinging(m, "sem", 0.01);
    assert_int_equal(lg_motion_set_solver(mo, 1e-8), LG_ERROR_UNSUPPORTED);
    lg_motion_destroy(mo);
    suite_case("halvings");
    mo = swinging(m, "gauss", 0.8);
    motion_well(lg_motion_set_halvings(mo, 6), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    lg_motion_destroy(mo);
    suite_case("a function that fails");
    mo = swinging(m, "gauss", 0.05);
    motion_well(lg_motion_set_wrench(mo, fail_late, &from), mo);
    motion_well(lg_motion_step(mo, 4), mo);
    (void)read_state(mo, 2, x);
    assert_int_equal(lg_motion_step(mo, 1), LG_ERROR_CALLBACK);
    suite_contains("message", lg_motion_message(mo), "returned 7");
    (void)read_state(mo, 2, y);
    suite_same_bits("state", y, x, 26);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),   cmocka_unit_test(same_bits), cmocka_unit_test(back),
        cmocka_unit_test(dense),    cmocka_unit_test(wrenches),  cmocka_unit_test(reactions),
        cmocka_unit_test(events),   cmocka_unit_test(ensembles), cmocka_unit_test(linearised),
        cmocka_unit_test(refusals),
    };
    suite_begin("multibody/gauss");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
