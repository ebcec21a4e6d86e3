/* SPDX-License-Identifier: BSD-3-Clause */
/* Monitors: their figures against the same worked out by hand, the growth of the parasitic mode where it is known,
 * how often they look, wrong input. */
#include <math.h>
#include <string.h>

#include "run/watch.h"
#include "support/combinations.h"
#include "support/motions.h"

/* ---- helpers ---- */

static lg_monitor_figures watch(lg_monitor *m, lg_motion *mo, int steps)
{
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_monitor_observe(m, mo);
    for (int k = 0; k < steps; k++) {
        if (lg_motion_step(mo, 1) != LG_OK) suite_fail("step: %s", lg_motion_message(mo));
        lg_monitor_observe(m, mo);
    }
    suite_ok("read", lg_monitor_read(m, &f));
    return f;
}

static lg_motion *started(lg_model *M, const char *method)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo;
    o.method = method;
    if (lg_motion_create(&mo, M, &o) != LG_OK || lg_motion_start(mo, 0, NULL, 1) != LG_OK)
        suite_fail("%s", lg_motion_message(mo));
    return mo;
}

/* ---- figures by hand ---- */

typedef struct range {
    double first, low, high;
} range;

static void extend(range *r, double x, int first)
{
    if (first) *r = (range){x, x, x};
    if (!(x >= r->low)) r->low = x;
    if (!(x <= r->high)) r->high = x;
}

typedef struct by_hand {
    range energy, invariant[8];
    double constraint, holonomic, group, normal[2], work, post_first, post;
    int samples;
} by_hand;

static double most(double a, double b)
{
    return b <= a ? a : b;
}

static void look(by_hand *w, const combination *b, const lg_integrator *it, int step, int steps)
{
    static const double still[8] = {0};
    const double t = lg_integrator_time(it);
    const lg_call call = lg_system_call(b->S, &t, still);
    const lg_model_definition *d = lg_model_describe(b->M);
    const int first = w->samples++ == 0;
    if (first) w->post_first = lg_integrator_energy_post(it);
    w->post = most(w->post, fabs(lg_integrator_energy_post(it) - w->post_first));
    extend(&w->energy, lg_integrator_energy(it), first);
    for (int i = 0; i < d->invariant_count; i++) {
        double x = NAN;
        if (d->invariants[i].value(&call, lg_integrator_configuration(it), lg_integrator_momentum(it), &x) != 0)
            x = NAN;
        extend(&w->invariant[i], x, first);
    }
    w->constraint = most(w->constraint, lg_integrator_constraint_residual(it));
    w->holonomic = most(w->holonomic, lg_integrator_holonomic_residual(it));
    w->group = most(w->group, lg_group_residual(lg_integrator_group(it), lg_integrator_configuration(it)));
    if (step <= steps / 10) w->normal[0] = most(w->normal[0], lg_integrator_normal_part(it));
    if (step >= steps - steps / 10) w->normal[1] = most(w->normal[1], lg_integrator_normal_part(it));
}

static void compare(const char *what, const lg_monitor_quantity *q, const range *r)
{
    if (isnan(r->low) || isnan(r->high)) {
        assert_true(isnan(q->first) && isnan(q->deviation) && isnan(q->slope));
        return;
    }
    suite_near1(what, q->first, r->first, 0, 1);
    suite_near1(what, q->low, r->low, 0, 1);
    suite_near1(what, q->high, r->high, 0, 1);
    suite_near1(what, q->deviation, fmax(r->high - r->first, r->first - r->low), 0, 1);
}

/* 60 steps, looked at every `every`: the very same numbers. */
static void check_figures(const combination *b, lg_integrator *it, int every)
{
    enum { STEPS = 60 };
    lg_monitor *m = NULL;
    by_hand w = {.samples = 0};
    lg_monitor_figures f = lg_monitor_figures_default();
    suite_ok("monitor", lg_monitor_create_for(&m, b->M, it, STEPS, every));
    for (int k = 0; k <= STEPS; k++) {
        if (k > 0 && lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
        (void)lg_monitor_observer(it, m);
        if (k > 0) w.work += lg_integrator_step_work(it);
        if (k % every == 0) look(&w, b, it, k, STEPS);
    }
    suite_ok("read", lg_monitor_read(m, &f));
    assert_true(f.samples == STEPS / every + 1 && f.every == every && f.size == sizeof f);
    compare("energy", &f.energy, &w.energy);
    assert_int_equal(f.invariants, lg_model_describe(b->M)->invariant_count);
    for (int i = 0; i < f.invariants; i++) {
        lg_monitor_quantity q;
        suite_ok("invariant", lg_monitor_invariant(m, &q, i));
        assert_string_equal(q.name, lg_model_describe(b->M)->invariants[i].name);
        compare(q.name, &q, &w.invariant[i]);
    }
    suite_near1("constraint", f.constraint, w.constraint, 0, 1);
    assert_true(isnan(f.work) == isnan(w.work) && isnan(f.balance) == isnan(w.work));
    if (!isnan(w.work)) suite_near1("work", f.work, w.work, 1e-13, fmax(1, fabs(w.work))); /* summed in parts */
    assert_true(isnan(f.energy_post_deviation) == isnan(w.post_first));
    if (!isnan(w.post_first)) suite_near1("H(p^-)", f.energy_post_deviation, w.post, 0, 1);
    suite_near1("group", f.group, w.group, 0, 1);
    if (b->S->callbacks.holonomic_count > 0) {
        suite_near1("position", f.holonomic, w.holonomic, 0, 1);
    } else {
        assert_true(isnan(f.holonomic));
    }
    suite_near1("time", f.time_last - f.time_first, STEPS * b->h, 1e-13, 1);
    if (isnan(lg_integrator_normal_part(it)) || b->S->constraint_count == 0) {
        assert_true(isnan(f.normal_first) && isnan(f.normal_last) && isnan(f.growth));
    } else if (every == 1) {
        suite_near1("first tenth", f.normal_first, w.normal[0], 0, 1);
        suite_near1("last tenth", f.normal_last, w.normal[1], 0, 1);
    }
    lg_monitor_destroy(m);
}

static void figures_of_each(const combination *b, lg_integrator *it, const char *method, const char *retraction)
{
    (void)method, (void)retraction;
    check_figures(b, it, 1);
    if (lg_integrator_reset(it) != LG_OK) suite_fail("reset: %s", lg_integrator_message(it));
    check_figures(b, it, 4);
}

static void test_figures(void **state)
{
    (void)state;
    combination_each(figures_of_each);
}

/* ---- growth ---- */

/* The sleigh runs straight at speed u, its p^- has a normal part of 1e-9: that grows at the rate m a u/K, which the
 * linearisation predicts. Where it decays, the true motion is unstable and takes over. */
static void check_growth(double a, double moment, double u, double h)
{
    enum { STEPS = 2000 };
    lg_model *M = NULL;
    lg_motion *mo = NULL;
    lg_monitor *m = NULL;
    lg_motion_options o = lg_motion_options_default();
    const double g0[4] = {0, 0, 1, 0}, p0[3] = {u, 1e-9, 0}, rate = a * u / (moment + a * a);
    suite_case("sleigh, a = %g, I = %g, u = %g, h = %g", a, moment, u, h);
    suite_ok("open", lg_catalog_create(&M, "chaplygin-sleigh"));
    suite_ok("a", lg_model_set(M, "a", a));
    suite_ok("I", lg_model_set(M, "I", moment));
    o.method = "gni", o.step = h;
    suite_ok("create", lg_motion_create(&mo, M, &o));
    suite_ok("start", lg_integrator_start_momentum(lg_motion_integrator(mo), 0, g0, p0));
    suite_ok("monitor", lg_monitor_create(&m, mo, STEPS, 0));
    suite_ok("predict", lg_monitor_predict(m, mo));
    lg_monitor_figures f = watch(m, mo, STEPS);
    suite_near1("predicted", f.growth_predicted, rate, 1e-4, fabs(rate)); /* (rate h)^2/12 and differences */
    assert_int_equal(f.growth_predictions, 1);
    if (rate > 0) {
        suite_near1("measured", f.growth, rate, 1e-3, rate);
        suite_below("the interval is narrow", f.growth_half, 1e-3 * rate);
    }
    suite_ok("predict", lg_monitor_predict(m, mo));
    suite_ok("read", lg_monitor_read(m, &f));
    suite_near1("mean of two", f.growth_predicted, rate, 1e-3, fabs(rate));
    assert_int_equal(f.growth_predictions, 2);
    lg_monitor_destroy(m);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
}

static void test_growth(void **state)
{
    (void)state;
    check_growth(0.2, 1, 1, 0.02);
    check_growth(0.2, 1, -1, 0.02);
    check_growth(0.5, 2, 0.7, 0.02);
    check_growth(-0.3, 1, 1, 0.03);
    check_growth(0.1, 0.5, -1.5, 0.01);
}

/* ---- how often ---- */

static void test_every(void **state)
{
    static const struct {
        int64_t steps, every, want;
    } cases[] = {
        {0, 0, 1},        {1, 0, 1},     {1000, 0, 1},       {1001, 0, 2},
        {100000, 0, 100}, {12345, 7, 7}, {1000000, 0, 1000}, {INT64_C(1000000000000000), 0, INT64_C(1000000000000)}};
    combination b;
    (void)state;
    assert_true(combination_open(&b, 0));
    lg_motion *mo = started(b.M, "sem");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lg_monitor *m = NULL;
        lg_monitor_figures f = lg_monitor_figures_default();
        suite_ok("monitor", lg_monitor_create(&m, mo, cases[k].steps, cases[k].every));
        suite_ok("read", lg_monitor_read(m, &f));
        assert_true(f.every == cases[k].want);
        assert_true(lg_monitor_bytes(m) > 0 && lg_monitor_bytes(m) < 100000);
        lg_monitor_destroy(m);
    }
    lg_motion_destroy(mo);
    lg_model_destroy(b.M);
}

/* As an observer of lg_integrator_run(). */
static void test_observer(void **state)
{
    combination b;
    lg_monitor *m = NULL;
    lg_monitor_figures f = lg_monitor_figures_default();
    (void)state;
    assert_true(combination_open(&b, 1));
    lg_integrator *it = combination_start(&b, "gni", "exp");
    suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, 100, 10));
    suite_ok("run", lg_integrator_run(it, 100, 1, lg_monitor_observer, m));
    suite_ok("read", lg_monitor_read(m, &f));
    assert_true(f.samples == 10 && f.invariants == 0);
    suite_near1("first", f.time_first, b.h, 1e-15, 1);
    lg_monitor_destroy(m);
    lg_integrator_destroy(it);
    lg_model_destroy(b.M);
}

/* ---- lg_run ---- */

static void test_run(void **state)
{
    combination b;
    (void)state;
    for (int i = 0; combination_open(&b, i); i++) {
        for (int k = 0; k < 2; k++) {
            model_run o = model_run_default();
            lg_run_result f = lg_run_result_default();
            lg_monitor *m = NULL;
            lg_monitor_figures q = lg_monitor_figures_default();
            lg_motion *mo = NULL;
            suite_case("run of %s, %d", lg_model_describe(b.M)->name, k);
            o.motion.method = k ? "gni" : "sem";
            o.motion.step = b.h, o.run.steps = 100;
            o.run.monitor = &m;
            if (model_run_motion(&mo, b.M, &f, &o) != LG_OK) suite_fail("%s", f.message);
            suite_ok("read", lg_monitor_read(m, &q));
            suite_near1("end", lg_motion_time(mo), f.time, 0, 1);
            assert_true(q.samples == 101);
            suite_near1("low", q.energy.low, f.energy_low, 0, 1);
            suite_near1("high", q.energy.high, f.energy_high, 0, 1);
            suite_near1("constraint", q.constraint, f.constraint, 0, 1);
            suite_near1("slope", q.energy.slope, f.energy_slope, 0, 1);
            suite_near1("half width", q.energy.half, f.energy_slope_half, 0, 1);
            assert_true(isnan(q.work) == k && isnan(f.balance) == k && isnan(q.energy_post_deviation) == !k);
            if (!k) suite_near1("balance", q.balance, f.balance, 0, 1);
            assert_int_equal(q.growth_predictions, k && b.S->constraint_count > 0);
            lg_monitor_destroy(m);
            lg_motion_destroy(mo);
        }
        lg_model_destroy(b.M);
    }
}

/* A run that fails on the way leaves what was seen until then. */
static void test_run_that_fails(void **state)
{
    lg_model *M = NULL;
    lg_monitor *m = NULL;
    lg_monitor_figures q = lg_monitor_figures_default();
    lg_run_result f = lg_run_result_default();
    lg_motion *mo = NULL;
    model_run o = model_run_default();
    (void)state;
    suite_case("a run that fails");
    suite_ok("open", lg_catalog_create(&M, "suslov"));
    o.motion.method = "gni", o.motion.step = 50, o.run.monitor = &m;
    assert_true(model_run_motion(&mo, M, &f, &o) != LG_OK);
    suite_ok("read", lg_monitor_read(m, &q));
    assert_true(q.samples == f.steps + 1);
    suite_near1("end", lg_motion_time(mo), f.time, 0, 1);
    assert_string_equal(lg_motion_message(mo), f.message);
    lg_motion_destroy(mo);
    lg_monitor_destroy(m);
    o.run.monitor_every = -1;
    suite_status("every", model_run_whole(M, &f, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", f.message, "monitor every -1");
    assert_null(m);
    lg_model_destroy(M);
}

/* ---- wrong input ---- */

static void test_wrong_input(void **state)
{
    combination b, other;
    lg_monitor *m = NULL;
    lg_monitor_figures f = lg_monitor_figures_default();
    lg_monitor_quantity q;
    (void)state;
    assert_true(combination_open(&b, 0) && combination_open(&other, 2));
    lg_motion *mo = started(b.M, "gni"), *stranger = started(other.M, "gni"), *sem = started(b.M, "sem"), *late, *none;
    lg_integrator *it = lg_motion_integrator(mo);
    const lg_motion_options gni = {.size = sizeof gni, .method = "gni"};
    suite_case("wrong input");
    suite_ok("create", lg_motion_create(&late, b.M, &gni));
    suite_status("no motion of it", lg_motion_create(&none, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("no place", lg_monitor_create(NULL, mo, 1, 1), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_monitor_create(&m, NULL, 1, 1), LG_ERROR_ARGUMENT);
    suite_status("a motion that failed", lg_monitor_create(&m, none, 1, 1), LG_ERROR_ARGUMENT);
    suite_status("K", lg_monitor_create(&m, mo, 1, -1), LG_ERROR_ARGUMENT);
    suite_status("steps", lg_monitor_create(&m, mo, -1, 1), LG_ERROR_ARGUMENT);
    assert_null(m);
    suite_status("another group", lg_monitor_create_for(&m, other.M, it, 1, 1), LG_ERROR_ARGUMENT);
    suite_status("no integrator", lg_monitor_create_for(&m, b.M, NULL, 1, 1), LG_ERROR_ARGUMENT);
    assert_null(m);
    suite_ok("monitor", lg_monitor_create(&m, mo, 1, 1));
    lg_monitor_observe(NULL, mo);
    lg_monitor_observe(m, NULL);
    lg_monitor_observe(m, none);
    lg_monitor_observe(m, stranger);
    lg_monitor_observe(m, late);
    lg_monitor_observe(m, sem);
    suite_ok("read", lg_monitor_read(m, &f));
    assert_true(f.samples == 0 && isnan(f.energy.first) && isnan(f.time_first) && isnan(f.group));
    assert_true(isnan(f.constraint) && isnan(f.normal_first) && isnan(f.growth) && isnan(f.growth_predicted));
    suite_status("read nowhere", lg_monitor_read(m, NULL), LG_ERROR_ARGUMENT);
    suite_status("read nothing", lg_monitor_read(NULL, &f), LG_ERROR_ARGUMENT);
    suite_status("invariant -1", lg_monitor_invariant(m, &q, -1), LG_ERROR_ARGUMENT);
    suite_status("invariant beyond", lg_monitor_invariant(m, &q, f.invariants), LG_ERROR_ARGUMENT);
    suite_status("predict without", lg_monitor_predict(NULL, mo), LG_ERROR_ARGUMENT);
    suite_status("predict nothing", lg_monitor_predict(m, NULL), LG_ERROR_ARGUMENT);
    suite_status("predict unstarted", lg_monitor_predict(m, late), LG_ERROR_ARGUMENT);
    suite_ok("nothing to predict", lg_monitor_predict(m, sem));
    assert_int_equal(lg_monitor_bytes(NULL), 0);
    lg_monitor_destroy(NULL);
    lg_monitor_destroy(m);
    lg_motion_destroy(mo), lg_motion_destroy(stranger), lg_motion_destroy(late), lg_motion_destroy(sem);
    lg_motion_destroy(none);
    lg_model_destroy(b.M), lg_model_destroy(other.M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),     cmocka_unit_test(test_growth), cmocka_unit_test(test_every),
        cmocka_unit_test(test_observer),    cmocka_unit_test(test_run),    cmocka_unit_test(test_run_that_fails),
        cmocka_unit_test(test_wrong_input),
    };
    suite_begin("monitor");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
