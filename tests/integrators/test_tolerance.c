/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are found for a tolerance: what came for what was asked over the catalog, how honest the estimates of
 * steps are, rows at any interval, bits, events, controls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/collocation/collocation.h"
#include "support/toleranced.h"

/* ---- the catalog ---- */

/* The measure of lg_integrator_set_tolerance(). */
static double apart(const lg_integrator *it, const double *g, const double *p, double momentum)
{
    const lg_plan *P = &it->plan;
    const double *x = lg_integrator_configuration(it), *q = lg_integrator_momentum(it);
    double most = 0;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        double size = 1;
        for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) size = fmax(size, fabs(x[i]));
        for (int i = f->element_offset; i < f->element_offset + f->element_size; i++) {
            const double d = x[i] - g[i];
            most = fmax(most, fabs(f->table->facts & LG_FACTOR_ANGLES ? remainder(d, 2 * SUITE_PI) : d) / size);
        }
    }
    for (int i = 0; i < P->n; i++) most = fmax(most, fabs(q[i] - p[i]) / momentum);
    return most;
}

/* ---- what came for what was asked ---- */

static void gives_what_is_asked_for(void **state)
{
    static const double tolerances[] = {1e-4, 1e-6, 1e-9, 1e-11};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        subject s;
        open_subject(&s, *name);
        lg_integrator *truth = start(&s, 40 * s.h, 1e-13);
        step(truth, 2);
        for (int k = 0; k < 4; k++) {
            lg_integrator *it = start(&s, 40 * s.h, tolerances[k]);
            step(it, 2);
            suite_case("%s, tolerance %g", *name, tolerances[k]);
            suite_below("the error that came",
                        apart(it, lg_integrator_configuration(truth), lg_integrator_momentum(truth),
                              it->workspace->collocation->step_size.momentum_scale),
                        3 * tolerances[k]);
            suite_near1("t", lg_integrator_time(it), 80 * s.h, 1e-14, 80 * s.h);
            lg_integrator_destroy(it);
        }
        lg_integrator_destroy(truth);
        lg_model_destroy(s.M);
    }
}

/* ---- what it costs ---- */

/* Sweeps until `end` with rows h apart: found steps do not stay short where the motion no longer asks for it. */
static void stays_cheap(const subject *s, const char *name, double end, double h, double tolerance)
{
    int64_t sweeps = 0;
    lg_integrator *it = start(s, h, tolerance);
    suite_case("%s, tolerance %g", name, tolerance);
    while (lg_integrator_time(it) < end && sweeps < 100000) step(it, 1), sweeps += lg_integrator_iterations(it);
    suite_below("sweeps", (double)sweeps, 30000);
    lg_integrator_destroy(it);
}

/* A disk that nearly falls flat, and all of the catalog, to loose tolerances: the solver's first change is small then.
 */
static void costs_little(void **state)
{
    static const double turning[] = {0.8, 0.4, 0.2, 0.1}, tolerances[] = {0.1, 0.03, 0.01, 3e-3, 1e-4, 1e-8, 1e-12};
    subject s;
    (void)state;
    open_subject(&s, "rolling-disk");
    s.g0[2] = sin(1.3), s.g0[3] = sin(0.65), s.g0[4] = s.g0[5] = 0, s.g0[6] = cos(0.65);
    for (int k = 0; k < 4; k++) {
        memset(s.xi0, 0, sizeof s.xi0);
        s.xi0[4] = s.xi0[5] = turning[k];
        for (int i = 0; i < 7; i++) stays_cheap(&s, "a disk near the ground", 8, 0.5, tolerances[i]);
    }
    lg_model_destroy(s.M);
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        open_subject(&s, *name);
        for (int i = 0; i < 3; i++) stays_cheap(&s, *name, 300 * s.h, 20 * s.h, tolerances[2 * i]);
        lg_model_destroy(s.M);
    }
}

/* ---- honest estimates ---- */

typedef struct tally {
    int count, near;
    double estimated, true_error;
} tally;

/* The last substep once more, in four; 0 where it began at an element that no start takes (on the affine group
 * of the line, scales that tend to 0). */
static double true_error(const lg_integrator *it)
{
    const lg_workspace *w = it->workspace;
    const lg_node *a = w->internal[LG_INTERNAL_BEFORE], *b = w->internal[LG_INTERNAL_NOW];
    lg_integrator *fine = NULL;
    suite_ok("create", lg_integrator_create(&fine, &it->S, "gauss", "exp", w->collocation->step_size.taken / 4));
    if (it->S.callbacks.control_count) suite_ok("control", lg_integrator_set_control(fine, it->control));
    const int starts = lg_integrator_start_momentum(fine, a->t, a->g, a->p_tilde) == LG_OK;
    if (starts) step(fine, 4);
    const double error = starts ? apart(fine, b->g, b->p_tilde, w->collocation->step_size.momentum_scale) : 0;
    lg_integrator_destroy(fine);
    return error;
}

static void follow(tally *all, const char *name, double tolerance)
{
    subject s;
    tally own = {0};
    double last = 0;
    open_subject(&s, name);
    lg_integrator *it = start(&s, s.h, tolerance);
    for (int k = 0; k < suite_count(2000) && own.count < 60; k++) {
        step(it, 1);
        const double now = it->workspace->internal[LG_INTERNAL_NOW]->t;
        if (now == last) continue;
        last = now;
        const double error = true_error(it), estimate = lg_integrator_step_error(it);
        if (error < 1e-2 * 1e-2 * tolerance) continue; /* a hundredth of what a step may have */
        own.count++, own.near += estimate >= 0.1 * error && estimate <= 10 * error;
        own.estimated += estimate, own.true_error += error;
    }
    suite_case("%s, tolerance %g", name, tolerance);
    if (own.count > 5) suite_above("estimates in all", own.estimated / own.true_error, 0.1);
    all->count += own.count, all->near += own.near;
    lg_integrator_destroy(it);
    lg_model_destroy(s.M);
}

/* Nine of ten within a factor of ten, and none an order of magnitude too small on the whole. */
static void estimates_honestly(void **state)
{
    tally all = {0};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) follow(&all, *name, 1e-9);
    suite_case("the catalog");
    suite_above("steps", all.count, suite_reduced() ? 20 : 300);
    suite_above("near", (double)all.near / all.count, suite_reduced() ? 0.8 : 0.9);
}

/* ---- rows ---- */

/* At any interval they are on the same trajectory. */
static void rows_fall_anywhere(void **state)
{
    static const int parts[] = {1, 3, 40, 333};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        subject s;
        open_subject(&s, *name);
        const double T = 60 * s.h;
        lg_integrator *truth = start(&s, T, 1e-12);
        step(truth, 1);
        for (int k = 0; k < 4; k++) {
            lg_integrator *it = start(&s, T / parts[k], 1e-8);
            step(it, parts[k]);
            suite_case("%s, %d rows", *name, parts[k]);
            suite_below("the distance",
                        apart(it, lg_integrator_configuration(truth), lg_integrator_momentum(truth),
                              it->workspace->collocation->step_size.momentum_scale),
                        3e-8);
            suite_below("constraints", lg_integrator_constraint_residual(it),
                        1e-13 * (1 + it->workspace->collocation->step_size.momentum_scale));
            lg_integrator_destroy(it);
        }
        lg_integrator_destroy(truth);
        lg_model_destroy(s.M);
    }
}

static void keeps_energy_at_any_tolerance(void **state)
{
    static const char *const names[] = {"heavy-top", "rolling-disk", "particle-quadratic", "suslov", "cvt"};
    static const double tolerances[] = {1e-2, 1e-5, 1e-8, 1e-11, 1e-14};
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            const double tolerance = tolerances[j];
            subject s;
            open_subject(&s, names[i]);
            lg_integrator *it = start(&s, 30 * s.h, tolerance);
            const double H = lg_integrator_energy(it);
            suite_case("%s, tolerance %g", names[i], tolerance);
            for (int k = 0; k < 20; k++) {
                step(it, 1);
                suite_near1("H", lg_integrator_energy(it), H, 3e-15, 1 + fabs(H));
            }
            lg_integrator_destroy(it);
            lg_model_destroy(s.M);
        }
}

/* ---- bits ---- */

static void has_one_result(void **state)
{
    static const char *const widths[] = {"1", "2", "4", "8"};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        subject s;
        double first[SUITE_ELEMENT];
        open_subject(&s, *name);
        suite_case("%s", *name);
        for (int k = 0; k < 4; k++) {
            setenv("LIEGRP_WIDTH", widths[k], 1);
            lg_integrator *it = start(&s, 7 * s.h, 1e-8), *copy = NULL;
            const size_t bytes = (size_t)it->plan.element_size * sizeof(double);
            step(it, 4);
            suite_ok("clone", lg_integrator_clone(&copy, it));
            step(it, 4), step(copy, 4);
            suite_same_bits("clone", lg_integrator_configuration(copy), lg_integrator_configuration(it),
                            it->plan.element_size);
            if (k == 0) memcpy(first, lg_integrator_configuration(it), bytes);
            suite_same_bits("width", lg_integrator_configuration(it), first, it->plan.element_size);
            suite_ok("reset", lg_integrator_reset(it));
            step(it, 8);
            suite_same_bits("reset", lg_integrator_configuration(it), first, it->plan.element_size);
            lg_integrator_destroy(it), lg_integrator_destroy(copy);
        }
        unsetenv("LIEGRP_WIDTH");
        lg_model_destroy(s.M);
    }
}

/* ---- what else an integrator does ---- */

static int height(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)c, (void)xi;
    *f = g[0] - 0.3;
    return 0;
}

/* An event between rows is where the motion has it. */
static void finds_events(void **state)
{
    subject s;
    double times[2];
    (void)state;
    open_subject(&s, "particle-quadratic");
    for (int k = 0; k < 2; k++) {
        lg_integrator *it = start(&s, k ? 0.01 : 0.25, k ? 0 : 1e-11);
        const lg_event e = lg_event_default(height, NULL);
        int found = 0;
        while (!found && lg_integrator_time(it) < 10) suite_ok("step", lg_integrator_step_to_event(it, &found, &e));
        assert_true(found != 0);
        times[k] = lg_integrator_time(it);
        step(it, 3);
        lg_integrator_destroy(it);
    }
    suite_near1("the time", times[0], times[1], 1e-10, 1);
    lg_model_destroy(s.M);
}

static void goes_on_with_new_controls(void **state)
{
    subject s;
    double g[2][SUITE_ELEMENT];
    (void)state;
    open_subject(&s, "two-wheeled-robot");
    for (int k = 0; k < 2; k++) {
        lg_integrator *it = start(&s, k ? 0.005 : 0.05, k ? 0 : 1e-10);
        for (int i = 0; i < 10; i++) {
            const double u[2] = {0.3 * i, 0.1};
            suite_ok("control", lg_integrator_set_control(it, u));
            step(it, k ? 10 : 1);
        }
        memcpy(g[k], lg_integrator_configuration(it), (size_t)it->plan.element_size * sizeof(double));
        if (k) suite_near("g", g[0], g[1], it->plan.element_size, 1e-10, 1);
        lg_integrator_destroy(it);
    }
    lg_model_destroy(s.M);
}

static void goes_back_and_in_between(void **state)
{
    subject s;
    double g[SUITE_ELEMENT], xi[SUITE_DIM], t;
    (void)state;
    open_subject(&s, "heavy-top");
    lg_integrator *it = start(&s, 0.7, 1e-11), *fine = start(&s, 0.7 / 64, 0), *back = NULL;
    step(it, 3), step(fine, 2 * 64 + 16);
    suite_ok("interpolate", lg_integrator_interpolate(it, &t, g, xi, 0.25));
    suite_near1("t", t, lg_integrator_time(fine), 1e-13, 1);
    suite_near("g", g, lg_integrator_configuration(fine), 4, 1e-11, 1);
    step(it, 1);
    suite_ok("create", lg_integrator_create(&back, s.S, "gauss", "exp", -0.7));
    suite_ok("start", lg_integrator_start_momentum(back, lg_integrator_time(it), lg_integrator_configuration(it),
                                                   lg_integrator_momentum(it)));
    suite_ok("tolerance", lg_integrator_set_tolerance(back, 1e-11));
    step(back, 4);
    suite_near1("t", lg_integrator_time(back), 0, 1e-13, 1);
    suite_near("there and back", lg_integrator_configuration(back), s.g0, 4, 1e-10, 1);
    lg_integrator_destroy(it), lg_integrator_destroy(fine), lg_integrator_destroy(back);
    lg_model_destroy(s.M);
}

/* Nothing moves, nothing is wrong. */
static void stands_still(void **state)
{
    subject s;
    static const double rest[3] = {0, 0, 0};
    (void)state;
    open_subject(&s, "rigid-body");
    memcpy(s.xi0, rest, sizeof rest);
    lg_integrator *it = start(&s, 1, 1e-9);
    step(it, 10);
    suite_same_bits("g", lg_integrator_configuration(it), s.g0, 4);
    lg_integrator_destroy(it);
    lg_model_destroy(s.M);
}

/* At an equilibrium momenta are what rounding leaves of forces that cancel. */
static void hangs_still(void **state)
{
    static const double down[6] = {0, 0, -1, 0, 0, -2}, rest[6] = {0};
    subject s;
    (void)state;
    open_subject(&s, "double-spherical-pendulum");
    memcpy(s.g0, down, sizeof down), memcpy(s.xi0, rest, sizeof rest);
    for (int k = 4; k <= 12; k += 4) {
        suite_case("1e-%d", k);
        lg_integrator *it = start(&s, s.h, pow(10, -k));
        step(it, 100);
        suite_near("configuration", lg_integrator_configuration(it), down, 6, 1e-15, 1);
        lg_integrator_destroy(it);
    }
    lg_model_destroy(s.M);
}

/* A motion that tends to a straight one: in the end rates and errors are round-off, and say nothing of each other. */
static void runs_straight(void **state)
{
    static const char *const names[] = {"chaplygin-sleigh", "chaplygin-sleigh-planar", "roller-racer", "affine-line"};
    static const double rows[] = {1, 1000}, tolerances[] = {1e-6, 1e-10, 1e-14};
    (void)state;
    for (int n = 0; n < 4; n++) {
        subject s;
        open_subject(&s, names[n]);
        for (int k = 0; k < 6; k++) stays_cheap(&s, names[n], 1000, rows[k / 3], tolerances[k % 3]);
        lg_model_destroy(s.M);
    }
}

int main(void)
{
    suite_begin("tolerance");
    const struct CMUnitTest tests[] = {cmocka_unit_test(gives_what_is_asked_for),
                                       cmocka_unit_test(costs_little),
                                       cmocka_unit_test(estimates_honestly),
                                       cmocka_unit_test(rows_fall_anywhere),
                                       cmocka_unit_test(keeps_energy_at_any_tolerance),
                                       cmocka_unit_test(has_one_result),
                                       cmocka_unit_test(finds_events),
                                       cmocka_unit_test(goes_on_with_new_controls),
                                       cmocka_unit_test(goes_back_and_in_between),
                                       cmocka_unit_test(stands_still),
                                       cmocka_unit_test(hangs_still),
                                       cmocka_unit_test(runs_straight)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
