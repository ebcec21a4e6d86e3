/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems whose callbacks, or whose group's operations, fail at a chosen call: computations with the system, its check
 * and its formulation in a chart report it. */
#include <math.h>
#include <string.h>

#include "support/combinations.h"
#include "support/failing.h"
#include "support/level_sets.h"

enum { PLACES = 12 };

/* ---- systems ---- */

typedef struct subject {
    const lg_system *S;
    const double *g0, *xi0;
} subject;

static lg_status ask_check(const subject *s, lg_error *e)
{
    lg_rng rng = {9};
    return lg_system_check(s->S, &rng, s->g0, 1, 0, e);
}

static lg_status ask_energy(const subject *s, lg_error *e)
{
    double H;
    return lg_system_energy(s->S, &H, 0, s->g0, s->xi0, e);
}

static lg_status ask_projectors(const subject *s, lg_error *e)
{
    double P[SUITE_MATRIX], Q[SUITE_MATRIX], Pi[SUITE_DIM];
    return lg_system_projectors(s->S, P, Q, Pi, 0, s->g0, e);
}

static const struct {
    const char *name;
    lg_status (*ask)(const subject *s, lg_error *e);
} questions[] = {{"check", ask_check}, {"energy", ask_energy}, {"projectors", ask_projectors}};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static void ask_all(const combination *c, const lg_system *S, const char *what)
{
    const subject s = {S, c->g0, c->xi0};
    for (int q = 0; q < QUESTIONS; q++) {
        lg_error e = {LG_OK, ""};
        suite_case("%s, %s, %s", c->name, what, questions[q].name);
        failing_at(0, LG_OK);
        if (questions[q].ask(&s, &e) != LG_OK) suite_fail("%s", e.message);
        const int calls = failing_calls();
        for (int k = 1; k <= calls; k += 1 + (k > 6 ? calls / PLACES : 0)) {
            e.message[0] = '\0';
            failing_from(k, LG_ERROR_IO);
            const lg_status status = questions[q].ask(&s, &e);
            /* differences look for a better step than they have, and leave it where the system has no value */
            if (status == LG_OK && q == 0 && k > calls / 3) continue;
            if (status == LG_OK)
                suite_fail("call %d of %d, %s, failed, and nothing is said", k, calls, failing_operation());
            if (e.message[0] == '\0') suite_fail("no message");
        }
    }
    failing_at(0, LG_OK);
}

static void test_systems(void **state)
{
    (void)state;
    combination c;
    for (int i = 0; combination_open(&c, i); i++) {
        lg_system S;
        failing_callbacks(&S, c.S);
        ask_all(&c, &S, "callbacks");
        S = *c.S;
        S.group = failing_factors(c.S->group);
        S.callbacks.holonomic_mean = S.callbacks.potential_mean = S.callbacks.force_mean = NULL;
        ask_all(&c, &S, "operations");
        lg_model_destroy(c.M);
    }
    subject nothing = {NULL, NULL, NULL};
    lg_error e;
    for (int q = 1; q < QUESTIONS; q++) {
        e.message[0] = '\0';
        suite_status("no system", questions[q].ask(&nothing, &e), LG_ERROR_ARGUMENT);
        assert_true(e.message[0] != '\0');
    }
}

/* ---- charts ---- */

static int failing_chart(const lg_call *c, const double *q, double *v)
{
    return failing_met("chart") == LG_OK ? sphere_set.chart(c, q, v) : 1;
}

static int failing_jacobian(const lg_call *c, const double *q, double *D)
{
    return failing_met("jacobian") == LG_OK ? sphere_set.jacobian(c, q, D) : 1;
}

/* Point, velocity, check of the chart, and two steps of a method in it; the first failure. */
static lg_status in_chart(lg_pullback *p, const double *q, const double *u, const char *method, const char **why)
{
    double v[8], w[8];
    lg_integrator *it = NULL;
    lg_status status = lg_pullback_point(p, v, q);
    *why = "point";
    if (status == LG_OK) status = lg_pullback_velocity(p, w, q, u);
    if (status == LG_OK) status = lg_pullback_check(p, q), *why = lg_pullback_message(p);
    if (status == LG_OK) {
        status = lg_integrator_create(&it, lg_pullback_system(p), method, "exp", 0.05);
        if (status == LG_OK) status = lg_integrator_start(it, 0, q, u, LG_START_REACTION, 1);
        if (status == LG_OK) status = lg_integrator_run(it, 2, 1, NULL, NULL);
        static char text[512];
        strncpy(text, lg_integrator_message(it), sizeof text - 1);
        *why = text;
    }
    lg_integrator_destroy(it);
    return status;
}

static void over_calls(lg_pullback *p, const char *method)
{
    const char *why;
    double u[3];
    failing_at(0, LG_OK);
    level_set_initial(p, u);
    failing_at(0, LG_OK);
    if (in_chart(p, sphere_set.q0, u, method, &why) != LG_OK) suite_fail("%s", why);
    const int calls = failing_calls();
    for (int k = 1; k <= calls; k += 1 + (k > 20 ? calls / 40 : 0)) {
        failing_from(k, LG_ERROR_IO);
        if (in_chart(p, sphere_set.q0, u, method, &why) == LG_OK)
            suite_fail("call %d of %d, %s, failed, and nothing is said", k, calls, failing_operation());
        if (why[0] == '\0') suite_fail("no message");
    }
    failing_at(0, LG_OK);
    if (in_chart(p, sphere_set.q0, u, method, &why) != LG_OK) suite_fail("%s", why);
}

static void test_charts(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:user", "sem", "gauss", "gni"};
    for (int i = 0; i < 2 * RULES; i++) {
        level_space o;
        lg_system S;
        lg_pullback *p = NULL;
        level_space_open(&o, &discrete_rules[i / 2]);
        failing_callbacks(&S, &o.S);
        failing_at(0, LG_OK);
        if (lg_pullback_create(&p, &S, 3, i % 2 ? "user" : NULL, failing_chart, failing_jacobian, NULL) != LG_OK)
            suite_fail("%s", lg_pullback_message(p));
        for (int m = 0; m < 4; m++) {
            suite_case("%s, %s", i % 2 ? "user" : "the library's rule", methods[m]);
            over_calls(p, methods[m]);
        }
        lg_pullback_destroy(p);
    }
}

static void test_no_chart(void **state)
{
    (void)state;
    double x[8] = {0};
    suite_status("point", lg_pullback_point(NULL, x, x), LG_ERROR_ARGUMENT);
    suite_status("velocity", lg_pullback_velocity(NULL, x, x, x), LG_ERROR_ARGUMENT);
    suite_status("check", lg_pullback_check(NULL, x), LG_ERROR_ARGUMENT);
    assert_null(lg_pullback_system(NULL));
    level_space o;
    level_space_open(&o, &discrete_rules[0]);
    lg_pullback *p = level_set_pull_back(&o, NULL);
    suite_status("point", lg_pullback_point(p, NULL, x), LG_ERROR_ARGUMENT);
    suite_status("point", lg_pullback_point(p, x, NULL), LG_ERROR_ARGUMENT);
    suite_status("velocity", lg_pullback_velocity(p, NULL, x, x), LG_ERROR_ARGUMENT);
    suite_status("velocity", lg_pullback_velocity(p, x, NULL, x), LG_ERROR_ARGUMENT);
    suite_status("velocity", lg_pullback_velocity(p, x, x, NULL), LG_ERROR_ARGUMENT);
    lg_pullback_destroy(p);
}

/* ---- incomplete systems ---- */

static int some_field(const lg_call *c, const double *g, double *out)
{
    (void)c;
    (void)g;
    out[0] = 0;
    return 0;
}

static int some_along(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)xi;
    return some_field(c, g, out);
}

static int some_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)Y;
    return some_field(c, g, mu);
}

static int some_slope(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)h;
    (void)g1;
    return some_field(c, g0, out);
}

static void test_contradictions(void **state)
{
    (void)state;
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 0; k < 11; k++) {
        lg_system S = lg_system_default(lg_so3());
        lg_error e = {LG_OK, ""};
        S.inertia = unit;
        suite_case("contradiction %d", k);
        suite_ok("sound", lg_system_validate(&S, &e));
        switch (k) {
        case 0:
            S.callbacks.metric_gradient = some_along;
            break;
        case 1:
            S.callbacks.covectors_rate = some_rows;
            break;
        case 2:
            S.callbacks.discrete_slope_1 = some_slope;
            break;
        case 3:
            S.callbacks.discrete_slope_2 = some_slope;
            break;
        case 4:
            S.parameter_count = -1;
            break;
        case 5:
            S.parameter_count = 2;
            break;
        case 6:
            S.callbacks.drift = some_field;
            break;
        case 7:
            S.covector_matrix = unit;
            break;
        case 8:
            S.callbacks.covectors = some_rows;
            break;
        case 9:
            S.constraint_count = 1, S.callbacks.covectors = some_rows, S.callbacks.drift = some_field;
            break;
        default:
            S.callbacks.control_count = -1;
            break;
        }
        if (lg_system_validate(&S, &e) == LG_OK) suite_fail("it is taken");
        assert_true(e.message[0] != '\0');
    }
}

int main(void)
{
    suite_begin("failing systems");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems), cmocka_unit_test(test_charts),
                                       cmocka_unit_test(test_no_chart), cmocka_unit_test(test_contradictions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
