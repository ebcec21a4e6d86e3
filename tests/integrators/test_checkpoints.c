/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: under every method, an integrator that reads one continues as if it had made all steps itself, bit for
 * bit; a checkpoint that does not fit is refused with its reason and changes nothing. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/integrators/event.h>

#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"
#include "support/bench.h"
#include "support/energy_systems.h"
#include "support/saved.h"
#include "support/suite.h"

enum { BEFORE = 5, AFTER = 6 };

static saved save(const lg_integrator *it)
{
    saved s = {NULL, lg_integrator_saved_bytes(it)};
    assert_true(s.size > 0);
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    suite_ok("save", lg_integrator_save(it, s.bytes, s.size));
    return s;
}

/* All that can be read. */
static void same(const lg_integrator *a, const lg_integrator *b)
{
    const int n = a->plan.n, holonomic = a->plan.holonomic;
    const double figures[2][6] = {
        {lg_integrator_energy(a), lg_integrator_energy_post(a), lg_integrator_constraint_residual(a),
         lg_integrator_holonomic_residual(a), lg_integrator_step_work(a), lg_integrator_time(a)},
        {lg_integrator_energy(b), lg_integrator_energy_post(b), lg_integrator_constraint_residual(b),
         lg_integrator_holonomic_residual(b), lg_integrator_step_work(b), lg_integrator_time(b)}};
    suite_same_bits("g", lg_integrator_configuration(a), lg_integrator_configuration(b), a->plan.element_size);
    suite_same_bits("p~", lg_integrator_momentum(a), lg_integrator_momentum(b), n);
    suite_same_bits("p^-", lg_integrator_momentum_minus(a), lg_integrator_momentum_minus(b), n);
    suite_same_bits("p^+", lg_integrator_momentum_plus(a), lg_integrator_momentum_plus(b), n);
    suite_same_bits("xi", lg_integrator_step_velocity(a), lg_integrator_step_velocity(b), n);
    suite_same_bits("holonomic", lg_integrator_holonomic_multipliers(a), lg_integrator_holonomic_multipliers(b),
                    holonomic);
    suite_same_bits("multipliers", lg_integrator_multipliers(a), lg_integrator_multipliers(b), a->plan.m - holonomic);
    suite_same_bits("figures", figures[0], figures[1], 6);
    assert_int_equal(lg_integrator_iterations(a), lg_integrator_iterations(b));
    assert_int_equal(lg_integrator_step_index(a), lg_integrator_step_index(b));
}

/* Equal states have equal bytes. */
static void same_checkpoints(const lg_integrator *a, const lg_integrator *b)
{
    saved x = save(a), y = save(b);
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.bytes, y.bytes, x.size);
    free(x.bytes), free(y.bytes);
}

static lg_status run(lg_integrator *it, const test_system *t, int steps)
{
    lg_status st = LG_OK;
    for (int k = 0; st == LG_OK && k < steps; k++) {
        double u[16];
        for (int i = 0; i < t->S.callbacks.control_count && i < 16; i++)
            u[i] = 0.1 * (double)(lg_integrator_step_index(it) % 3) - 0.05 * i;
        if (t->S.callbacks.control_count > 0) st = lg_integrator_set_control(it, u);
        if (st == LG_OK) st = lg_integrator_step(it);
    }
    return st;
}

/* A value between the last two states, which the checkpoint knows too. */
static void same_between(const lg_integrator *a, const lg_integrator *b)
{
    double t[2] = {0, 0}, g[2][64] = {{0}}, xi[2][64] = {{0}};
    if (a->plan.element_size > 64) return;
    const lg_status st = lg_integrator_interpolate(a, &t[0], g[0], xi[0], 0.37);
    suite_status("between", lg_integrator_interpolate(b, &t[1], g[1], xi[1], 0.37), st);
    suite_same_bits("t between", &t[0], &t[1], 1);
    suite_same_bits("g between", g[0], g[1], a->plan.element_size);
    suite_same_bits("xi between", xi[0], xi[1], a->plan.n);
}

static int goes_on(const test_system *t, const char *method, const char *retraction, double tolerance)
{
    lg_integrator *it = NULL, *other = NULL;
    suite_case("%s, %s, %s, tolerance %g", t->name, method, retraction, tolerance);
    int runs = lg_integrator_create(&it, &t->S, method, retraction, t->h) == LG_OK &&
               (tolerance == 0 || lg_integrator_set_tolerance(it, tolerance) == LG_OK) &&
               lg_integrator_start(it, 0.3, t->g0, t->xi0, LG_START_REACTION, 1) == LG_OK &&
               run(it, t, BEFORE) == LG_OK;
    if (runs) {
        saved s = save(it);
        suite_ok("create", lg_integrator_create(&other, &t->S, method, retraction, t->h));
        if (lg_integrator_load(other, s.bytes, s.size) != LG_OK) suite_fail("%s", lg_integrator_message(other));
        same(it, other);
        same_between(it, other);
        same_checkpoints(it, other);
        for (int k = 0; runs && k < AFTER; k++) {
            const lg_status st = run(it, t, 1);
            suite_status("step", run(other, t, 1), st);
            same(it, other);
            runs = st == LG_OK;
        }
        if (runs) same_checkpoints(it, other);
        suite_ok("reset", lg_integrator_reset(it)), suite_ok("reset", lg_integrator_reset(other));
        same(it, other);
        free(s.bytes);
    }
    lg_integrator_destroy(it);
    lg_integrator_destroy(other);
    return runs;
}

static void test_goes_on(void **state)
{
    static const char *const retractions[] = {"exp", "cayley"};
    test_system t;
    int cases = 0;
    (void)state;
    static const char *const compensated[] = {"sem:compensated", "gni:compensated", "variational:compensated", NULL};
    const char *const *const lists[] = {lg_method_names(), compensated};
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < 2; m++)
            for (const char *const *method = lists[m]; *method; method++)
                for (int k = 0; k < (suite_reduced() ? 2 : 4); k++) {
                    char spec[80];
                    snprintf(spec, sizeof spec, "%s%s", *method, k % 2 ? "@suzuki4" : "");
                    cases += goes_on(&t, spec, retractions[k / 2], 0);
                }
    printf("%d cases\n", cases);
    assert_true(cases > (suite_reduced() ? 700 : 1400));
}

static void test_goes_on_with_a_tolerance(void **state)
{
    test_system t;
    int cases = 0;
    (void)state;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < 3; k++) cases += goes_on(&t, k == 2 ? "gauss:stages=3" : "gauss", "exp", k ? 1e-7 : 1e-11);
    printf("%d cases\n", cases);
    assert_true(cases > 80);
}

/* ---- what does not fit ---- */

typedef struct bench_pair {
    test_system t;
    lg_integrator *it, *other;
    saved s;
} bench_pair;

static void begin_pair(bench_pair *p, const char *name, const char *method)
{
    if (strcmp(name, "sphp") == 0)
        energy_system_make(&p->t, name);
    else
        test_system_make(&p->t, name);
    p->it = p->other = NULL;
    suite_ok("create", lg_integrator_create(&p->it, &p->t.S, method, "exp", p->t.h));
    suite_ok("create", lg_integrator_create(&p->other, &p->t.S, method, "exp", p->t.h));
    suite_ok("start", lg_integrator_start(p->it, 0, p->t.g0, p->t.xi0, LG_START_REACTION, 1));
    suite_ok("start", lg_integrator_start(p->other, 1, p->t.g0, p->t.xi0, LG_START_REACTION, 1));
    suite_ok("steps", lg_integrator_run(p->it, 5, 1, NULL, NULL));
    suite_ok("steps", lg_integrator_run(p->other, 3, 1, NULL, NULL));
    p->s = save(p->it);
}

static void end_pair(bench_pair *p)
{
    lg_integrator_destroy(p->it);
    lg_integrator_destroy(p->other);
    free(p->s.bytes);
}

/* The other one refuses the bytes with these words, and stays what it was. */
static void refuses(lg_integrator *other, const void *bytes, size_t size, const char *words)
{
    saved before = save(other), after;
    suite_status("load", lg_integrator_load(other, bytes, size), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(other), words);
    after = save(other);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    free(before.bytes), free(after.bytes);
}

static void test_damage(void **state)
{
    bench_pair p;
    (void)state;
    begin_pair(&p, "ball_phys", "sem");
    suite_case("damage");
    refuses(p.other, NULL, 0, "no checkpoint");
    refuses(p.other, "hello\n\n", 7, "no checkpoint");
    for (size_t size = 0; size < p.s.size; size += size < 400 ? 1 : 97) {
        suite_case("the first %zu bytes of %zu", size, p.s.size);
        refuses(p.other, p.s.bytes, size, "checkpoint");
    }
    for (size_t at = 0; at < p.s.size; at += at < 300 ? 1 : 61) {
        suite_case("byte %zu", at);
        p.s.bytes[at] ^= 4;
        refuses(p.other, p.s.bytes, p.s.size, "checkpoint");
        p.s.bytes[at] ^= 4;
    }
    suite_case("whole");
    suite_ok("load", lg_integrator_load(p.other, p.s.bytes, p.s.size));
    same(p.it, p.other);
    end_pair(&p);
}

/* Numbers that no integrator has; where any number is possible, it is taken, and the next step must not crash. */
static void test_impossible_numbers(void **state)
{
    static const double values[] = {-1, NAN, INFINITY, 1e300, 0.5, 7};
    static const char *const methods[] = {"sem", "gni", "gauss", "sem@suzuki4"};
    int refused = 0, taken = 0;
    (void)state;
    for (int m = 0; m < 4; m++) {
        bench_pair p;
        begin_pair(&p, "sphp", methods[m]);
        for (size_t at = p.s.size % 8; at + 16 <= p.s.size; at += 8) {
            unsigned char before[8];
            memcpy(before, p.s.bytes + at, 8);
            memcpy(p.s.bytes + at, &values[at / 8 % 6], 8);
            saved_mend(&p.s);
            suite_case("%s, number at %zu", methods[m], at);
            if (lg_integrator_load(p.other, p.s.bytes, p.s.size) == LG_OK) {
                lg_status_ignore(lg_integrator_step(p.other));
                taken++;
            } else {
                assert_true(lg_integrator_message(p.other)[0] != '\0');
                refused++;
            }
            memcpy(p.s.bytes + at, before, 8);
        }
        saved_mend(&p.s);
        suite_ok("load", lg_integrator_load(p.other, p.s.bytes, p.s.size));
        same(p.it, p.other);
        end_pair(&p);
    }
    printf("%d refused, %d taken\n", refused, taken);
    assert_true(refused > 50 && taken > 50);
}

/* A state of another time than that of its steps is refused: with a tolerance the next row would never come. */
static void test_another_time(void **state)
{
    static const double tolerances[] = {0, 1e-6};
    (void)state;
    for (int k = 0; k < 2; k++) {
        bench_pair p;
        begin_pair(&p, "sphp", "gauss:stages=2");
        suite_case("a state of another time, tolerance %g", tolerances[k]);
        suite_ok("tolerance", lg_integrator_set_tolerance(p.it, tolerances[k]));
        suite_ok("step", lg_integrator_step(p.it));
        const double t = lg_integrator_time(p.it), later[] = {t + 1, t - 1e300, NAN};
        for (int i = 0; i < 3; i++) {
            saved s = save(p.it);
            int found = 0;
            for (size_t at = 0; at + 16 <= s.size; at++) {
                if (memcmp(s.bytes + at, &t, sizeof t)) continue;
                memcpy(s.bytes + at, &later[i], sizeof t);
                found++;
            }
            saved_mend(&s);
            assert_true(found > 0);
            refuses(p.other, s.bytes, s.size, "its time is not that of its steps");
            free(s.bytes);
        }
        end_pair(&p);
    }
}

static int other_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c, (void)g;
    for (int i = 0; i < 3; i++) dV[i] = 0.25;
    return 0;
}

static int other_potential(const lg_call *c, const double *g, double *V)
{
    (void)c, (void)g;
    *V = 1;
    return 0;
}

static void test_foreign(void **state)
{
    test_system t;
    lg_integrator *it = NULL, *other = NULL;
    saved s;
    (void)state;
    suite_case("foreign");
    energy_system_make(&t, "sphp");
    suite_ok("create", lg_integrator_create(&it, &t.S, "sem", "exp", t.h));
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
    suite_ok("step", lg_integrator_step(it));
    s = save(it);
    const struct {
        const char *method, *retraction;
        double h;
        const char *words;
    } wrong[] = {{"gauss", "exp", t.h, "'method sem', and what reads it 'method gauss'"},
                 {"sem", "cayley", t.h, "'retraction exp', and what reads it 'retraction cayley'"},
                 {"sem", "exp", 2 * t.h, "'step "}};
    for (int i = 0; i < 3; i++) {
        suite_ok("create", lg_integrator_create(&other, &t.S, wrong[i].method, wrong[i].retraction, wrong[i].h));
        suite_status("load", lg_integrator_load(other, s.bytes, s.size), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_integrator_message(other), wrong[i].words);
        assert_null(lg_integrator_configuration(other)); /* still not started */
        lg_integrator_destroy(other);
    }
    lg_system S = t.S;
    S.callbacks.potential_gradient = other_gradient, S.callbacks.potential = other_potential;
    S.callbacks.lanes = LG_LANES_ONE;
    suite_ok("create", lg_integrator_create(&other, &S, "sem", "exp", t.h));
    suite_status("load", lg_integrator_load(other, s.bytes, s.size), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(other), "another potential");
    lg_integrator_destroy(other);
    lg_integrator_destroy(it);
    free(s.bytes);
}

static int failing; /* 1: the potential fails */

static int failing_potential(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 9.81 * g[0];
    return failing ? 5 : 0;
}

/* A callback that fails when the checkpoint is read: it is refused, and nothing has changed. */
static void test_callback_fails(void **state)
{
    static const double inertia[3] = {1, 2, 3}, g0[3] = {0, 0, 1}, xi0[3] = {1, 0.5, 0.25};
    static const char *const methods[] = {"sem", "gni", "gauss"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        lg_integrator *it = NULL, *other = NULL;
        lg_system S = lg_system_default(lg_rn(3));
        S.inertia_diagonal = inertia, S.callbacks.potential = failing_potential;
        suite_case("a callback that fails, %s", methods[i]);
        failing = 0;
        suite_ok("create", lg_integrator_create(&it, &S, methods[i], "exp", 0.1));
        suite_ok("create", lg_integrator_create(&other, &S, methods[i], "exp", 0.1));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        suite_ok("start", lg_integrator_start(other, 0, g0, xi0, LG_START_REACTION, 0));
        suite_ok("steps", lg_integrator_run(it, 3, 1, NULL, NULL));
        saved s = save(it), before = save(other), after;
        failing = 1;
        suite_status("load", lg_integrator_load(other, s.bytes, s.size), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_integrator_message(other), "at that state");
        failing = 0;
        after = save(other);
        assert_memory_equal(before.bytes, after.bytes, before.size);
        suite_ok("load", lg_integrator_load(other, s.bytes, s.size));
        same(it, other);
        free(s.bytes), free(before.bytes), free(after.bytes);
        lg_integrator_destroy(it), lg_integrator_destroy(other);
    }
}

static void test_contracts(void **state)
{
    bench_pair p;
    (void)state;
    begin_pair(&p, "ball_phys", "sem");
    suite_case("contracts");
    suite_status("size", lg_integrator_save(p.it, p.s.bytes, p.s.size - 1), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_integrator_save(p.it, NULL, p.s.size), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_integrator_save(NULL, p.s.bytes, p.s.size), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_integrator_load(NULL, p.s.bytes, p.s.size), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_integrator_saved_bytes(NULL), 0);
    end_pair(&p);
    suite_ok("create", lg_integrator_create(&p.it, &p.t.S, "sem", "exp", p.t.h));
    assert_int_equal(lg_integrator_saved_bytes(p.it), 0);
    suite_status("not started", lg_integrator_save(p.it, p.t.g0, 8), LG_ERROR_ARGUMENT);
    lg_integrator_destroy(p.it);
}

/* Steps of a tolerance that would be too many: so many in a row are refused, so short ones when a state is asked for.
 */
static void test_steps_without_end(void **state)
{
    bench_pair p;
    (void)state;
    begin_pair(&p, "sphp", "gauss:stages=2");
    suite_case("steps without end");
    suite_ok("tolerance", lg_integrator_set_tolerance(p.it, 1e-6));
    suite_ok("step", lg_integrator_step(p.it));
    lg_step_size *step_size = &p.it->workspace->collocation->step_size;
    const lg_step_size own = *step_size;
    step_size->substeps_left = LG_SUBSTEPS_HOPELESS + 1, step_size->substep = 1e-300;
    saved s = save(p.it);
    refuses(p.other, s.bytes, s.size, "the length of a step is impossible");
    free(s.bytes);
    *step_size = own;
    step_size->small_errors = INT_MAX;
    s = save(p.it);
    refuses(p.other, s.bytes, s.size, "the length of a step is impossible");
    free(s.bytes);
    *step_size = own;
    step_size->substeps_left = 0, step_size->current = 1e-300;
    s = save(p.it);
    suite_ok("load", lg_integrator_load(p.other, s.bytes, s.size));
    suite_status("step", lg_integrator_run(p.other, 100, 1, NULL, NULL), LG_ERROR_CONVERGENCE);
    suite_contains("message", lg_integrator_message(p.other), "the limit is 1e+06: set h");
    free(s.bytes);
    end_pair(&p);
}

int main(void)
{
    suite_begin("checkpoints");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),      cmocka_unit_test(test_goes_on_with_a_tolerance),
        cmocka_unit_test(test_damage),       cmocka_unit_test(test_impossible_numbers),
        cmocka_unit_test(test_another_time), cmocka_unit_test(test_steps_without_end),
        cmocka_unit_test(test_foreign),      cmocka_unit_test(test_callback_fails),
        cmocka_unit_test(test_contracts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
