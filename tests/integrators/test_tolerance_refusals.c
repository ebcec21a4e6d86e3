/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are found for a tolerance: what is refused and with which advice, and rows that are stopped on their
 * way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/collocation/collocation.h"
#include "support/toleranced.h"

static int failing(const lg_call *c, const double *g, double *dV)
{
    dV[2] = 1;
    return g[2] < 0.5 && c->t > 0.2 ? 7 : 0;
}

static int falling(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[2];
    return 0;
}

static void refuses_with_advice(void **state)
{
    static const double one[3] = {1, 1, 1}, g0[3] = {0, 0, 1}, xi0[3] = {1, 0, 0};
    lg_system S = lg_system_default(lg_rn(3));
    lg_integrator *it = NULL;
    (void)state;
    S.inertia_diagonal = one;
    suite_ok("create", lg_integrator_create(&it, &S, "sem", "exp", 0.1));
    suite_status("sem", lg_integrator_set_tolerance(it, 1e-6), LG_ERROR_UNSUPPORTED);
    suite_contains("sem", lg_integrator_message(it), "use gauss");
    assert_true(lg_integrator_tolerance(it) == 0 && isnan(lg_integrator_found_step(it)));
    lg_integrator_destroy(it);
    S.callbacks.potential = falling, S.callbacks.potential_gradient = failing, S.callbacks.time_dependent = 1;
    suite_ok("create", lg_integrator_create(&it, &S, "gauss", "exp", 0.1));
    static const double wrong[] = {-1, 9e-15, 0.2, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        suite_status("out of range", lg_integrator_set_tolerance(it, wrong[i]), LG_ERROR_ARGUMENT);
        suite_contains("out of range", lg_integrator_message(it), "from 1e-14, what round-off lets a step keep");
    }
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
    suite_ok("tolerance", lg_integrator_set_tolerance(it, 1e-6));
    lg_status st = LG_OK;
    double g[3];
    for (int k = 0; st == LG_OK && k < 100; k++) {
        memcpy(g, lg_integrator_configuration(it), sizeof g);
        st = lg_integrator_step(it);
    }
    suite_status("a callback that fails", st, LG_ERROR_CALLBACK);
    suite_same_bits("the state", lg_integrator_configuration(it), g, 3);
    suite_ok("off", lg_integrator_set_tolerance(it, 0));
    lg_integrator_destroy(it);
}

/* What stops a row after so many questions, or lets it be as if it had taken many steps. */
typedef struct patience {
    lg_step_size *step_size;
    int asked, most, ages;
} patience;

static int loses_it(void *context)
{
    patience *p = context;
    if (p->ages) p->step_size->substeps = LG_SUBSTEPS_MOST - 1;
    return ++p->asked == p->most;
}

static lg_integrator *restless(const subject *s, double h, patience *p)
{
    lg_integrator *it = start(s, h, 1e-9);
    p->step_size = &it->workspace->collocation->step_size;
    lg_integrator_set_pause(it, (lg_pause){loses_it, p});
    return it;
}

static void too_far(lg_integrator *it, const subject *s, const char *words)
{
    suite_status("too far", lg_integrator_step(it), LG_ERROR_CONVERGENCE);
    suite_contains("too far", lg_integrator_message(it), words);
    suite_contains("too far", lg_integrator_message(it), "the limit is 1e+06: set h to at most");
    suite_same_bits("the state", lg_integrator_configuration(it), s->g0, it->plan.element_size);
    assert_true(lg_integrator_time(it) == 0);
}

/* A row that would take for ever is refused at once, one that takes too many steps when it has; a step of what the
 * message says is not. */
static void refuses_rows_too_far(void **state)
{
    subject s;
    (void)state;
    suite_case("rows too far apart");
    open_subject(&s, "rigid-body");
    lg_integrator *it = start(&s, 1e12, 1e-9);
    too_far(it, &s, "h = 1e+12, the interval between states");
    const double advice = strtod(strstr(lg_integrator_message(it), "h to at most") + 12, NULL);
    assert_true(advice > 1e3 && advice < 1e7);
    lg_integrator_destroy(it);
    it = start(&s, 0.001 * advice, 1e-9);
    step(it, 1);
    lg_integrator_destroy(it);
    patience p = {NULL, 0, 0, 1};
    it = restless(&s, 1000, &p);
    too_far(it, &s, "h = 1000, the interval between states");
    assert_int_equal(p.asked, 1);
    lg_integrator_destroy(it);
    lg_model_destroy(s.M);
}

/* Stopped on the way to a row, it continues from there to the same bits, and so does one that reads a checkpoint. */
static void stops_on_the_way(void **state)
{
    subject s;
    (void)state;
    suite_case("stopped on the way");
    open_subject(&s, "rigid-body");
    patience none = {NULL, 0, 0, 0}, three = {NULL, 0, 3, 0};
    lg_integrator *whole = restless(&s, 3000, &none), *it = restless(&s, 3000, &three), *read = start(&s, 3000, 1e-9);
    step(whole, 2);
    assert_true(none.asked > 6);
    suite_status("stopped", lg_integrator_step(it), LG_ERROR_INTERRUPTED);
    suite_same_bits("the state", lg_integrator_configuration(it), s.g0, whole->plan.element_size);
    const size_t size = lg_integrator_saved_bytes(it);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    suite_ok("save", lg_integrator_save(it, bytes, size));
    suite_ok("load", lg_integrator_load(read, bytes, size));
    lg_integrator *const both[] = {it, read};
    for (int i = 0; i < 2; i++) {
        step(both[i], 2);
        suite_same_bits("continues", lg_integrator_configuration(both[i]), lg_integrator_configuration(whole),
                        whole->plan.element_size);
        assert_int_equal(lg_integrator_iterations(both[i]), lg_integrator_iterations(whole));
        lg_integrator_destroy(both[i]);
    }
    free(bytes);
    lg_integrator_destroy(whole);
    lg_model_destroy(s.M);
}

/* ---- the search for a length ---- */

/* An internal integrator whose steps are nearly exact up to a length of 0.6 and far too inaccurate beyond it: no length
 * gives the error that is wanted. */
typedef struct cliff {
    lg_step_size *step_size;
    int measured;
} cliff;

static int cliff_try(void *moving, double h)
{
    cliff *c = moving;
    c->step_size->roughness = 1e-4 * fabs(h), c->step_size->contraction = 0.01;
    return 0;
}

static double cliff_rate(const void *moving, double h)
{
    (void)moving, (void)h;
    return 1;
}

static int cliff_measure(void *moving, double h, double *error)
{
    cliff *c = moving;
    c->measured++;
    c->step_size->roughness = fabs(h) < 0.6 ? 1e-6 : 1e-4, c->step_size->contraction = 0.01,
    c->step_size->measured_sweeps = 8;
    *error = fabs(h) < 0.6 ? 1e-13 : 1e-8;
    return 0;
}

static int cliff_hopeless(const void *moving)
{
    (void)moving;
    return 0;
}

/* The search ends near the cliff instead of jumping over it and back. */
static void finds_a_length_near_a_cliff(void **state)
{
    lg_step_size p = {.tolerance = 1e-8};
    cliff moving = {&p, 0};
    const lg_substepper c = {.stages = 8,
                             .moving = &moving,
                             .probe = cliff_try,
                             .rate = cliff_rate,
                             .measure = cliff_measure,
                             .hopeless = cliff_hopeless};
    (void)state;
    suite_case("a cliff");
    assert_int_equal(lg_step_size_find(&p, &c, 1), 0);
    suite_below("measurements", moving.measured, 8);
    suite_below("the length", p.current, 0.65);
    suite_below("its inverse", 1 / p.current, 1 / 0.4);
}

int main(void)
{
    suite_begin("tolerance_refusals");
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_with_advice), cmocka_unit_test(refuses_rows_too_far),
                                       cmocka_unit_test(stops_on_the_way),
                                       cmocka_unit_test(finds_a_length_near_a_cliff)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
