/* SPDX-License-Identifier: BSD-3-Clause */
/* Three callbacks in one (lg_together), for every system of the catalog whose rows change: `gauss` gives the bits of
 * the three, for any number of lanes that a callback sees; errors are found and reported; where one of the three is
 * replaced, lg_together is not called. */
#include <stdint.h>
#include <string.h>

#include "support/models.h"
#include "support/runs.h"
#include "support/suite.h"

static const double step = 0.02; /* of the stiffest of them */
enum { STEPS = 12, STATE = SUITE_ELEMENT + SUITE_DIM };

static lg_together of;                    /* the system's own */
static long calls;                        /* of counted() */
static int code, spoilt = -1, rows_asked; /* what it returns; the output that is wrong, of 5 */

static int counted(const lg_call *c, const double *g, const double *xi, double *mu, double *Y, double *dmu, double *dY,
                   double *dV)
{
    double *const out[] = {mu, Y, dmu, dY, dV};
    calls++;
    if (code) return code;
    const int failed = of.value(c, g, xi, mu, Y, dmu, dY, dV);
    for (int l = 0; spoilt >= 0 && l < c->lanes; l++) out[spoilt][l] += 1e-3;
    return failed;
}

/* For systems that have none: the three, one after another. */
static int three(const lg_call *c, const double *g, const double *xi, double *mu, double *Y, double *dmu, double *dY,
                 double *dV)
{
    int failed = of.covectors(c, g, mu, Y);
    if (!failed) failed = of.covectors_derivative(c, g, xi, dmu, dY);
    return failed || of.potential_gradient == NULL ? failed : of.potential_gradient(c, g, dV);
}

/* Not the same function, the same numbers. */
static int other_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    rows_asked++;
    return of.covectors(c, g, mu, Y);
}

/* Calls visit(S, g, xi) for all systems that can have an lg_together, whose function is counted() now. */
static void each(void (*visit)(lg_system S, const double *g, const double *xi))
{
    int found = 0;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        lg_model *M = NULL;
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        suite_ok(*name, lg_catalog_create(&M, *name));
        const lg_system *S = model_system(M);
        model_start(M, g, xi);
        const lg_callbacks *f = &S->callbacks;
        if (f->covectors && f->covectors_derivative && !f->metric && !f->time_dependent && !f->holonomic) {
            lg_system copy = *S;
            const lg_together none = {three, f->covectors, f->covectors_derivative, f->potential_gradient};
            of = f->together ? *f->together : none;
            lg_together mine = of;
            mine.value = counted;
            copy.callbacks.together = &mine;
            calls = 0, code = 0, spoilt = -1, rows_asked = 0, found += f->together != NULL;
            suite_case("%s", *name);
            visit(copy, g, xi);
        }
        lg_model_destroy(M);
    }
    assert_true(found >= 5);
}

/* The state after some steps, to out. */
static void run(const lg_system *S, const char *method, const double *g, const double *xi, double *out)
{
    lg_integrator *it = run_start_at(S, method, "exp", step, 0, g, xi);
    const int e = lg_group_element_size(S->group), n = lg_group_dim(S->group);
    run_steps(it, STEPS);
    memcpy(out, lg_integrator_configuration(it), (size_t)e * sizeof *out);
    memcpy(out + e, lg_integrator_momentum(it), (size_t)n * sizeof *out);
    run_end(&it);
}

static void compare(lg_system S, const double *g, const double *xi)
{
    static const char *const methods[] = {"gauss", "gauss:rate", "gauss:stages=3,rate", NULL};
    static const int lanes[] = {LG_LANES_OWN_TIMES | LG_LANES_DERIVATIVES, LG_LANES_OWN_TIMES, LG_LANES_ONE};
    double first[STATE] = {0}, now[STATE] = {0};
    for (int k = 0; methods[k]; k++)
        for (int with = 1; with >= 0; with--)
            for (int i = 0; i < 3; i++) {
                lg_system one = S;
                const long before = calls;
                const char *method = k == 0 ? with ? "gauss" : "gauss:rate" : methods[k];
                one.callbacks.lanes = lanes[i];
                if (!with) one.callbacks.together = NULL;
                if (k == 0 && i > 0) continue; /* it may take the other form */
                suite_case("%s, lanes %d, together %d", method, lanes[i], with);
                run(&one, method, g, xi, with && i == 0 ? first : now);
                assert_int_equal(calls > before, with);
                if (!with || i > 0) suite_same_bits("state", now, first, STATE);
            }
}

static void test_bits(void **state)
{
    (void)state;
    each(compare);
}

static void refuse(lg_system S, const double *g, const double *xi)
{
    static const char *const names[] = {"together (rows)", "together (drift)", "together (dmu)", "together (dY)",
                                        "together (dV)"};
    lg_rng rng = suite_rng(7);
    lg_error e;
    (void)xi;
    suite_ok("check", lg_system_check(&S, &rng, g, 3, 0, &e));
    assert_true(calls > 0);
    for (spoilt = 0; spoilt < 5; spoilt++) {
        S.callbacks.lanes = LG_LANES_ONE;
        suite_status(names[spoilt], lg_system_check(&S, &rng, g, 1, 0, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, names[spoilt]);
        suite_contains("message", e.message, "the callback that it stands for");
    }
    spoilt = -1, code = 9;
    suite_status("a check that fails", lg_system_check(&S, &rng, g, 1, 0, &e), LG_ERROR_CALLBACK);
    suite_contains("message", e.message, "together returned 9");
}

static void test_check(void **state)
{
    (void)state;
    each(refuse);
}

/* A failed step is reported and leaves the state as it was; the steps after it are those of a run without a failure. */
static void stumble(lg_system S, const double *g, const double *xi)
{
    lg_integrator *it = run_start_at(&S, "gauss:rate", "exp", step, 0, g, xi);
    double want[STATE], before[SUITE_ELEMENT];
    const int e = lg_group_element_size(S.group);
    run(&S, "gauss:rate", g, xi, want);
    suite_ok("step", lg_integrator_step(it));
    memcpy(before, lg_integrator_configuration(it), (size_t)e * sizeof *before);
    code = 9;
    suite_status("a step that fails", lg_integrator_step(it), LG_ERROR_CALLBACK);
    suite_contains("message", lg_integrator_message(it), "together");
    suite_same_bits("g", lg_integrator_configuration(it), before, e);
    code = 0;
    run_steps(it, STEPS - 1);
    suite_same_bits("g", lg_integrator_configuration(it), want, e);
    run_end(&it);
}

static void test_failure(void **state)
{
    (void)state;
    each(stumble);
}

/* Whoever has other rows has no lg_together. */
static void change(lg_system S, const double *g, const double *xi)
{
    double want[STATE] = {0}, now[STATE] = {0};
    run(&S, "gauss:rate", g, xi, want);
    const long before = calls;
    S.callbacks.covectors = other_rows;
    run(&S, "gauss:rate", g, xi, now);
    assert_int_equal(calls, before);
    assert_true(rows_asked > 0);
    suite_same_bits("state", now, want, STATE);
}

static void test_change(void **state)
{
    (void)state;
    each(change);
}

int main(void)
{
    suite_begin("together");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_check),
                                       cmocka_unit_test(test_failure), cmocka_unit_test(test_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
