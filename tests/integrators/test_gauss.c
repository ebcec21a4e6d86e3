/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation against an implementation that shares no formula (collocation_states.json, 40 digits): stages
 * and forms, the same bits at every width, dense output. Its order and what it keeps: gauss-order, gauss-keeps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/energy_systems.h"
#include "support/reference.h"

static const int widths[] = {1, 2, 4, 8};

/* What integrators that are made from now on take. */
static void use_width(int width)
{
    char text[8];
    snprintf(text, sizeof text, "%d", width);
    setenv("LIEGRP_WIDTH", text, 1);
}

static lg_integrator *make(const lg_system *S, const char *method, double h)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, "exp", h) != LG_OK)
        suite_fail("create %s: %s", method, lg_integrator_message(it));
    return it;
}

static void step(lg_integrator *it, int count)
{
    for (int k = 0; k < count; k++)
        if (lg_integrator_step(it) != LG_OK) suite_fail("step %d: %s", k + 1, lg_integrator_message(it));
}

/* ---- the particle of the reference: V = x^2 + y^2 + x^4/4, row (-y, 0, 1) ---- */

static int quartic(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = g[0] * g[0] + g[1] * g[1] + 0.25 * g[0] * g[0] * g[0] * g[0];
    return 0;
}

static int quartic_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c;
    dV[0] = 2 * g[0] + g[0] * g[0] * g[0], dV[1] = 2 * g[1], dV[2] = 0;
    return 0;
}

static int row(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1], mu[1] = 0, mu[2] = 1;
    return 0;
}

static int row_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)c, (void)g, (void)dY;
    dmu[0] = -eta[1], dmu[1] = dmu[2] = 0;
    return 0;
}

static void make_system(test_system *t, const char *name)
{
    static const double one[3] = {1, 1, 1};
    if (strcmp(name, "particle") != 0) {
        energy_system_make(t, strcmp(name, "ball_rest") == 0 ? "ball_phys0" : name);
        return;
    }
    memset(t, 0, sizeof *t);
    t->S = lg_system_default(lg_rn(3));
    t->S.inertia_diagonal = one, t->S.constraint_count = 1;
    t->S.callbacks.potential = quartic, t->S.callbacks.potential_gradient = quartic_gradient;
    t->S.callbacks.covectors = row, t->S.callbacks.covectors_derivative = row_along;
}

/* ---- the reference ---- */

static void check_run(const cJSON *run)
{
    test_system t;
    const char *name = ref_get(run, "system")->valuestring, *form = ref_get(run, "form")->valuestring;
    char method[64];
    double g[SUITE_ELEMENT], p[SUITE_DIM];
    int done = 0;
    make_system(&t, name);
    const int n = t.S.group->dim, e = t.S.group->element_size;
    snprintf(method, sizeof method, "gauss:stages=%d,%s", (int)ref_number(ref_get(run, "s")), form);
    ref_exactly(g, e, run, "g0"), ref_exactly(p, n, run, "p0");
    lg_integrator *it = make(&t.S, method, ref_number(ref_get(run, "h")));
    suite_ok("start", lg_integrator_start_momentum(it, 0, g, p));
    for (const cJSON *state = ref_get(run, "states")->child; state != NULL; state = state->next) {
        const int k = (int)ref_number(ref_get(state, "k"));
        step(it, k - done);
        done = k;
        ref_exactly(g, e, state, "g"), ref_exactly(p, n, state, "p");
        suite_case("%s, %s, step %d", name, method, k);
        suite_near("g", lg_integrator_configuration(it), g, e, 1e-13, 10);
        suite_near("p", lg_integrator_momentum(it), p, n, 1e-13, 10);
    }
    assert_int_equal(done, 10);
    lg_integrator_destroy(it);
}

static void agrees_with_the_reference(void **state)
{
    cJSON *root = ref_load("collocation_states.json");
    int count = 0;
    (void)state;
    for (int w = 0; w < 4; w++) {
        use_width(widths[w]);
        for (const cJSON *run = ref_get(root, "runs")->child; run != NULL; run = run->next, count++) check_run(run);
    }
    assert_int_equal(count, 4 * 24);
    cJSON_Delete(root);
    use_width(8);
}

/* ---- over all systems ---- */

/* The state after `steps` of h: g, then p. 1: the first step is too long. */
static int runs_to(double *out, const test_system *t, const char *method, double h, int steps)
{
    lg_integrator *it = make(&t->S, method, h);
    const int e = t->S.group->element_size;
    suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 1));
    if (lg_integrator_step(it) == LG_ERROR_CONVERGENCE) {
        lg_integrator_destroy(it);
        return 1;
    }
    step(it, steps - 1);
    memcpy(out, lg_integrator_configuration(it), (size_t)e * sizeof *out);
    memcpy(out + e, lg_integrator_momentum(it), (size_t)t->S.group->dim * sizeof *out);
    lg_integrator_destroy(it);
    return 0;
}

static void run_to(double *out, const test_system *t, const char *method, double h, int steps)
{
    if (runs_to(out, t, method, h, steps)) suite_fail("%s, %s: h = %g is too long", t->name, method, h);
}

/* A coarse run of more stages is the fine run of fewer. */
static void stages_agree(void **state)
{
    static const int stages[] = {4, 5, 6, 7, 16};
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double a[2 * SUITE_ELEMENT], b[2 * SUITE_ELEMENT];
        char method[32];
        energy_system_make(&t, energy_system_name(i));
        run_to(a, &t, "gauss", t.h / 4, 32);
        for (int k = 0; k < (suite_reduced() ? 2 : 5); k++) {
            snprintf(method, sizeof method, "gauss:stages=%d", stages[k]);
            run_to(b, &t, method, t.h / 4, 32);
            suite_case("%s, %s", t.name, method);
            suite_near("state", b, a, t.S.group->element_size + t.S.group->dim, 3e-11, 1 + fabs(a[0]));
        }
    }
}

/* Both forms are the same motion. */
static void forms_agree(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double a[2 * SUITE_ELEMENT], b[2 * SUITE_ELEMENT];
        energy_system_make(&t, energy_system_name(i));
        if (t.S.callbacks.metric != NULL) continue;
        run_to(a, &t, "gauss:stage", t.h / 2, 16), run_to(b, &t, "gauss:rate", t.h / 2, 16);
        suite_case("%s", t.name);
        suite_near("state", b, a, t.S.group->element_size + t.S.group->dim, 3e-11, 1 + fabs(a[0]));
    }
}

static void widths_have_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++)
        for (int s = 0; s < 4; s++) {
            static const char *const methods[] = {"gauss", "gauss:stages=3", "gauss:stages=6,stage", "gauss:stages=16"};
            test_system t;
            double a[2 * SUITE_ELEMENT], b[2 * SUITE_ELEMENT];
            energy_system_make(&t, energy_system_name(i));
            for (int w = 0; w < 4; w++) {
                use_width(widths[w]);
                run_to(w ? b : a, &t, methods[s], t.h, 5);
                suite_case("%s, %s, width %d", t.name, methods[s], widths[w]);
                if (w) suite_same_bits("state", b, a, t.S.group->element_size + t.S.group->dim);
            }
        }
    use_width(8);
}

/* ---- dense output ---- */

static void interpolates_to_its_order(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double g[SUITE_ELEMENT], xi[SUITE_DIM], want[SUITE_DIM], time;
        energy_system_make(&t, energy_system_name(i));
        const int n = t.S.group->dim, e = t.S.group->element_size;
        lg_integrator *it = make(&t.S, "gauss", t.h), *part = make(&t.S, "gauss", 0.3 * t.h);
        lg_integrator *undisturbed = make(&t.S, "gauss", t.h);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        suite_ok("start", lg_integrator_start(undisturbed, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        step(it, 3), step(undisturbed, 3);
        suite_ok("start", lg_integrator_start_momentum(part, lg_integrator_time(it), lg_integrator_configuration(it),
                                                       lg_integrator_momentum(it)));
        step(part, 1), step(it, 1), step(undisturbed, 1);
        suite_case("%s", t.name);
        suite_ok("interpolate", lg_integrator_interpolate(it, &time, g, xi, 0.3));
        suite_ok("velocity", lg_integrator_velocity(part, want));
        suite_near1("t", time, lg_integrator_time(part), 1e-14, 1);
        suite_near("g", g, lg_integrator_configuration(part), e, 1e-12, 10);
        suite_near("xi", xi, want, n, 1e-11, 10);
        step(it, 2), step(undisturbed, 2);
        suite_same_bits("g later", lg_integrator_configuration(it), lg_integrator_configuration(undisturbed), e);
        suite_same_bits("p later", lg_integrator_momentum(it), lg_integrator_momentum(undisturbed), n);
        lg_integrator_destroy(it), lg_integrator_destroy(part), lg_integrator_destroy(undisturbed);
    }
}

/* ---- continuing ---- */

static void clones_and_resets(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double a[SUITE_ELEMENT];
        lg_integrator *copy = NULL;
        energy_system_make(&t, energy_system_name(i));
        const int e = t.S.group->element_size;
        lg_integrator *it = make(&t.S, "gauss", t.h);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        step(it, 3);
        suite_ok("clone", lg_integrator_clone(&copy, it));
        step(it, 3), step(copy, 3);
        suite_case("%s", t.name);
        suite_same_bits("clone", lg_integrator_configuration(copy), lg_integrator_configuration(it), e);
        memcpy(a, lg_integrator_configuration(it), (size_t)e * sizeof *a);
        suite_ok("reset", lg_integrator_reset(it));
        step(it, 6);
        suite_same_bits("reset", lg_integrator_configuration(it), a, e);
        lg_integrator_destroy(it), lg_integrator_destroy(copy);
    }
}

/* The multipliers of a node are those of the continuous equations there. */
static void tells_the_multipliers(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double xi[SUITE_DIM], xidot[SUITE_DIM], lambda[SUITE_DIM];
        energy_system_make(&t, energy_system_name(i));
        if (t.S.constraint_count == 0) continue;
        lg_integrator *it = make(&t.S, "gauss", t.h);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        step(it, 4);
        suite_ok("velocity", lg_integrator_velocity(it, xi));
        system_acceleration(&t.S, lg_integrator_time(it), lg_integrator_configuration(it), xi, xidot, lambda);
        suite_case("%s", t.name);
        suite_near("lambda", lg_integrator_multipliers(it), lambda + t.S.callbacks.holonomic_count,
                   t.S.constraint_count, 1e-6, 1 + fabs(lambda[0]) * 10);
        lg_integrator_destroy(it);
    }
}

/* ---- refusals ---- */

static void refused(const lg_system *S, const char *method, lg_status status, const char *part)
{
    lg_integrator *it = NULL;
    suite_case("%s", method);
    suite_status("create", lg_integrator_create(&it, S, method, "exp", 0.1), status);
    suite_contains("message", lg_integrator_message(it), part);
    lg_integrator_destroy(it);
}

static void refuses_with_advice(void **state)
{
    test_system t, arm;
    (void)state;
    energy_system_make(&t, "top"), energy_system_make(&arm, "twolink");
    refused(&t.S, "gauss:stages=9", LG_ERROR_ARGUMENT, "a whole number from 1 to 8, or 16");
    refused(&t.S, "gauss:stages=2.5", LG_ERROR_ARGUMENT, "a whole number from 1 to 8, or 16");
    refused(&t.S, "gauss:symmetric", LG_ERROR_UNSUPPORTED, "no solver that always converges");
    refused(&t.S, "gauss:lobatto", LG_ERROR_ARGUMENT, "stages=S with S from 1 to 8 or 16, stage, rate");
    refused(&t.S, "gauss@suzuki4", LG_ERROR_UNSUPPORTED, "more stages");
    refused(&arm.S, "gauss:rate", LG_ERROR_UNSUPPORTED, "use gauss:stage");
}

/* A step without a fixed point is refused with one that has, and changes nothing. */
static void advises_a_step(void **state)
{
    test_system t;
    double g[SUITE_ELEMENT];
    (void)state;
    energy_system_make(&t, "top");
    lg_integrator *it = make(&t.S, "gauss", 200);
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
    memcpy(g, lg_integrator_configuration(it), 4 * sizeof *g);
    suite_status("step", lg_integrator_step(it), LG_ERROR_CONVERGENCE);
    suite_same_bits("g", lg_integrator_configuration(it), g, 4);
    const char *advice = strstr(lg_integrator_message(it), "a step of ");
    if (advice == NULL) suite_fail("no advice: %s", lg_integrator_message(it));
    const double h = atof(advice + strlen("a step of "));
    suite_above("the advice", h, 0), suite_below("the advice", h, 100);
    lg_integrator_destroy(it);
    it = make(&t.S, "gauss", h);
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
    step(it, 1);
    lg_integrator_destroy(it);
}

/* Constant rows with a drift without derivative: differences replace it, in the lanes too. */
static void drifts_without_a_derivative(void **state)
{
    lg_model_definition d = *lg_catalog_definition("rolling-ball");
    double g[2][SUITE_ELEMENT], xi[SUITE_DIM];
    (void)state;
    suite_case("a drift without a derivative");
    for (int given = 1; given >= 0; given--) {
        lg_model *M = NULL;
        const lg_system *S = NULL;
        lg_integrator *it = NULL;
        if (!given) d.callbacks.covectors_derivative = NULL;
        suite_ok("model", lg_model_create(&M, &d));
        suite_ok("system", lg_model_system(M, &S));
        assert_non_null(S->covector_matrix);
        suite_ok("initial", lg_model_initial(M, g[given], xi, NULL));
        suite_ok("create", lg_integrator_create(&it, S, "gauss:rate", "exp", 0.1));
        suite_ok("start", lg_integrator_start(it, 0, g[given], xi, LG_START_REACTION, 1));
        if (lg_integrator_run(it, 10, 1, NULL, NULL) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        memcpy(g[given], lg_integrator_configuration(it), (size_t)lg_group_element_size(S->group) * sizeof(double));
        lg_integrator_destroy(it);
        lg_model_destroy(M);
    }
    suite_near("g", g[0], g[1], 6, 1e-7, 1);
}

int main(void)
{
    suite_begin("gauss");
    const struct CMUnitTest tests[] = {cmocka_unit_test(drifts_without_a_derivative),
                                       cmocka_unit_test(agrees_with_the_reference),

                                       cmocka_unit_test(stages_agree),
                                       cmocka_unit_test(forms_agree),
                                       cmocka_unit_test(widths_have_the_same_bits),

                                       cmocka_unit_test(interpolates_to_its_order),
                                       cmocka_unit_test(clones_and_resets),
                                       cmocka_unit_test(tells_the_multipliers),
                                       cmocka_unit_test(refuses_with_advice),
                                       cmocka_unit_test(advises_a_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
