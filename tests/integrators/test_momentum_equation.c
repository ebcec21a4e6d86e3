/* SPDX-License-Identifier: BSD-3-Clause */
/* The momentum equation as monitors evaluate it: round-off for everything that has one, and not so with errors planted
 * in the state and in the impulse. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "run/watch.h"
#include "support/combinations.h"

static lg_monitor_figures watch(lg_monitor *m, lg_integrator *it, int steps)
{
    lg_monitor_figures f = lg_monitor_figures_default();
    (void)lg_monitor_observer(it, m);
    for (int k = 0; k < steps; k++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
        (void)lg_monitor_observer(it, m);
    }
    suite_ok("read", lg_monitor_read(m, &f));
    return f;
}

/* Where it must be known, as monitor.h says. */
static int is_known(const combination *b, const char *method)
{
    if (b->S->callbacks.holonomic_count > 0 || strchr(method, '@') != NULL || strncmp(method, "rk", 2) == 0) return 0;
    if (strcmp(method, "sml") == 0) return 0;
    return strcmp(method, "sem:gonzalez") != 0 || b->S->callbacks.potential == NULL;
}

/* Round-off: 10 to 50 eps, with springs that are stiff and times of forces against the momentum left. sem with J(g)
 * takes (v^+ - v^-)/2 from the evaluation before: to its solver's tolerance, times what dT does with it. */
static void equation_of_each(const combination *b, lg_integrator *it, const char *method, const char *retraction)
{
    lg_monitor *m = NULL;
    (void)retraction;
    suite_ok("monitor", lg_monitor_create_for(&m, b->M, it, 100, 1));
    const lg_monitor_figures f = watch(m, it, 100);
    if (is_known(b, method)) {
        assert_int_equal(f.momentum_samples, 100);
        suite_below("momentum equation", f.momentum, b->S->callbacks.metric != NULL ? 5e-12 : 5e-14);
    } else {
        assert_int_equal(f.momentum_samples, 0);
        assert_true(isnan(f.momentum));
    }
    lg_monitor_destroy(m);
}

static void test_momentum_equation(void **state)
{
    (void)state;
    combination_each(equation_of_each);
}

/* p^+ changed by 1e-6 in one of its components: seen in some of them, those outside the span of the rows. */
static void planted_in_each(const combination *b, lg_integrator *it, const char *method, const char *retraction)
{
    double seen = 0;
    (void)retraction;
    if (!is_known(b, method) || b->S->constraint_count >= lg_group_dim(b->S->group)) return;
    for (int i = 0; i < lg_group_dim(b->S->group); i++) {
        lg_monitor *m = NULL;
        lg_monitor_figures f = lg_monitor_figures_default();
        double *p = it->workspace->now->p_plus, before;
        if (lg_integrator_reset(it) != LG_OK || lg_integrator_step(it) != LG_OK)
            suite_fail("step: %s", lg_integrator_message(it));
        p = it->workspace->now->p_plus;
        before = p[i];
        p[i] += 1e-6 * sqrt(lg_group_dim(b->S->group) * fabs(lg_integrator_energy(it)) + 1);
        suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, 1, 1));
        (void)lg_monitor_observer(it, m);
        suite_ok("read", lg_monitor_read(m, &f));
        seen = fmax(seen, f.momentum);
        p[i] = before;
        lg_monitor_destroy(m);
    }
    suite_above("the error is seen", seen, 1e-8);
}

static void test_planted_momentum(void **state)
{
    (void)state;
    combination_each(planted_in_each);
}

/* A gradient that is off by a thousandth when the monitor asks: the impulse is evaluated anew, with the method's own
 * weights. */
static double lie;
static lg_field_fn honest;

static int lying_gradient(const lg_call *c, const double *g, double *out)
{
    const int code = honest(c, g, out);
    for (int i = 0; i < 3; i++) out[i] *= 1 + lie;
    return code;
}

static void test_planted_gradient(void **state)
{
    static const char *const methods[9] = {"sem",   "sem:gauss=7", "nsv",           "gni",        "gni:euler-a",
                                           "gni-r", "dla",         "dla:alpha=0.2", "variational"};
    combination b;
    (void)state;
    for (int i = 0; combination_open(&b, i); i++) {
        lg_system S = *b.S;
        honest = S.callbacks.potential_gradient;
        S.callbacks.potential_gradient = lying_gradient;
        b.S = &S;
        for (int k = 0; strcmp(b.name, "heavy-top") == 0 && k < 9; k++) {
            lg_integrator *it = combination_start(&b, methods[k], "exp");
            for (int pass = 0; pass < 2; pass++) {
                lg_monitor *m = NULL;
                lg_monitor_figures f = lg_monitor_figures_default();
                lie = 0;
                suite_ok("step", lg_integrator_step(it));
                lie = pass * 1e-3;
                suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, 1, 1));
                (void)lg_monitor_observer(it, m);
                suite_ok("read", lg_monitor_read(m, &f));
                if (pass) {
                    suite_above("the lie is seen", f.momentum, 1e-8);
                } else {
                    suite_below("the truth", f.momentum, 5e-14);
                }
                lg_monitor_destroy(m);
            }
            lie = 0;
            lg_integrator_destroy(it);
        }
        lg_model_destroy(b.M);
    }
}

/* A truncated tangent does not transport the momentum: seen; it goes away with the order. */
static void test_truncated_series(void **state)
{
    static const char *const series[] = {"exp:order=2", "exp:order=4", "exp:order=8"};
    combination b;
    double last = 1;
    (void)state;
    for (int i = 0; combination_open(&b, i); i++) {
        for (int k = 0; strcmp(b.name, "rigid-body") == 0 && k < 3; k++) {
            lg_monitor *m = NULL;
            b.h = 0.3;
            lg_integrator *it = combination_start(&b, "gni", series[k]);
            suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, 1, 1));
            const lg_monitor_figures f = watch(m, it, 50);
            suite_below("smaller than with fewer terms", f.momentum, 1e-2 * last);
            if (k < 2) suite_above("not transported", f.momentum, 1e-12);
            last = f.momentum;
            lg_monitor_destroy(m);
            lg_integrator_destroy(it);
        }
        lg_model_destroy(b.M);
    }
}

/* Shortened steps are left out; so are those before the first. */
static void test_steps_without_equation(void **state)
{
    combination b;
    lg_monitor *m = NULL;
    lg_monitor_figures f = lg_monitor_figures_default();
    (void)state;
    assert_true(combination_open(&b, 0));
    lg_integrator *it = combination_start(&b, "sem", "exp");
    suite_ok("monitor", lg_monitor_create_for(&m, b.M, it, 10, 1));
    (void)lg_monitor_observer(it, m);
    suite_ok("short", lg_integrator_step_to(it, 0.3 * b.h));
    (void)lg_monitor_observer(it, m);
    suite_ok("read", lg_monitor_read(m, &f));
    assert_true(f.samples == 2 && f.momentum_samples == 0 && isnan(f.momentum));
    suite_ok("full", lg_integrator_step(it));
    (void)lg_monitor_observer(it, m);
    suite_ok("read", lg_monitor_read(m, &f));
    assert_true(f.samples == 3 && f.momentum_samples == 1);
    lg_monitor_destroy(m);
    lg_integrator_destroy(it);
    lg_model_destroy(b.M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_equation),      cmocka_unit_test(test_planted_momentum),
        cmocka_unit_test(test_planted_gradient),       cmocka_unit_test(test_truncated_series),
        cmocka_unit_test(test_steps_without_equation),
    };
    suite_begin("momentum");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
