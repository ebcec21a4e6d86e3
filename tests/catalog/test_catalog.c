/* SPDX-License-Identifier: BSD-3-Clause */
/* Every system of the catalog, with many sets of parameters: derivatives, initial data, invariants and closed forms
 * against the continuous equations as the tests write them (system_truth()), methods, names and refusals. Reference
 * values: test_truths.c; The kinetic energies of the bodies: claims/consistency. */
#include <math.h>
#include <string.h>

#include "support/energy_systems.h"
#include "support/matrix.h"
#include "catalog/examples.h"

/* Who has a function has its derivatives. */
static void check_complete(const lg_callbacks *c, int rows)
{
    assert_true((c->potential == NULL) == (c->potential_gradient == NULL));
    assert_true((c->potential == NULL) == (c->potential_hessian == NULL));
    assert_true((c->metric == NULL) == (c->metric_gradient == NULL));
    assert_true(rows == 0 || c->covectors == NULL || c->covectors_derivative != NULL);
    assert_true((c->holonomic_count == 0) == (c->holonomic_differential == NULL));
}

static void test_derivatives(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        check_complete(&model_system(M)->callbacks, model_system(M)->constraint_count);
        model_derivatives(M);
        lg_model_destroy(M);
    }
}

static void test_invariants(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k += suite_reduced() ? 3 : 1) {
        lg_model *M = model_open(&examples[k]);
        model_invariants(M, fmin(3, 300 * examples[k].h), 2700, 1e-8, examples[k].undefined);
        lg_model_destroy(M);
    }
}

static void test_exact(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_exact(&examples[k], M, 4, 4000, 1e-9);
        lg_model_destroy(M);
    }
}

static void test_methods(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = model_open(&examples[k]);
        model_methods(&examples[k], M, 400);
        lg_model_destroy(M);
    }
}

/* ---- closed forms ---- */

/* Elements as matrices, so that angles are compared as such. */
static void same_state(const lg_group *G, const double *g, const double *xi, const double *want_g,
                       const double *want_xi, double tolerance)
{
    double R[2][SUITE_MATRIX];
    const int N = lg_group_matrix_size(G);
    suite_ok("matrix", lg_group_to_matrix(G, R[0], g));
    suite_ok("matrix", lg_group_to_matrix(G, R[1], want_g));
    suite_near("g", R[0], R[1], N * N, tolerance, fmax(1, mat_norm(R[1], N * N)));
    suite_near("xi", xi, want_xi, lg_group_dim(G), tolerance, fmax(1, mat_norm(want_xi, lg_group_dim(G))));
}

/* `steps` lead from 0 to 7, and as many in proportion to the other times; nothing here depends on t. */
static void check_exact(const lg_model *M, const lg_system *S, const double *g0, const double *xi0, int steps)
{
    static const double times[] = {2.5, 7, -2}; /* 7 is after a turn of most angles; reduced: only 2.5 */
    const lg_model_definition *d = lg_model_describe(M);
    double g[SUITE_ELEMENT], xi[SUITE_DIM], exact_g[SUITE_ELEMENT], exact_xi[SUITE_DIM], before = 0;
    for (int k = 0; k < (suite_reduced() ? 1 : 3); k++) {
        const double T = times[k];
        if (k != 1) { /* 7 continues from 2.5 */
            memcpy(g, g0, sizeof g);
            memcpy(xi, xi0, sizeof xi);
            before = 0;
        }
        system_truth(S, T - before, (int)(fabs(T - before) / 7 * steps), g, xi);
        before = T;
        assert_int_equal(
            d->exact(&(lg_call){.param = S->parameter_values, .t = T, .lanes = 1}, g0, xi0, exact_g, exact_xi), 0);
        assert_true(lg_group_is_valid(S->group, exact_g, 1e-15));
        same_state(S->group, exact_g, exact_xi, g, xi, 1e-10);
    }
}

/* Branches of the closed forms: motions backwards, a slow board with fast axles, axles at rest, no turning; and a state
 * off the constraints, which is refused. */
static void test_exact_branches(void **state)
{
    static const char *const systems[] = {"snakeboard", "snakeboard-planar", "chaplygin-sleigh",
                                          "chaplygin-sleigh-planar"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        const model_example x = {.system = systems[k]};
        lg_model *M = model_open(&x);
        const lg_system *S = model_system(M);
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        model_start(M, g, xi);
        const int n = lg_group_dim(S->group);
        for (int i = 0; i < n; i++) xi[i] = -xi[i];
        check_exact(M, S, g, xi, 3000);
        for (int i = 0; i < 3 && n == 5; i++) xi[i] *= 0.01;
        if (n == 5) xi[4] = 5;
        check_exact(M, S, g, xi, n == 5 ? 12000 : 3000);
        for (int i = n == 5 ? 4 : 2; i < n; i++) xi[i] = 0;
        system_project(S, 0, g, xi);
        check_exact(M, S, g, xi, 3000);
        xi[n == 5 ? 2 : 1] += 0.1;
        const lg_call c = {.param = S->parameter_values, .t = 1, .lanes = 1};
        if (k != 0) assert_int_not_equal(lg_model_describe(M)->exact(&c, g, xi, (double[6]){0}, (double[5]){0}), 0);
        lg_model_destroy(M);
    }
    lg_model *M = NULL;
    const model_example ball = {
        "veselova-top",
        {{"chi1", 0}, {"chi2", 0}, {"chi3", 0}, {"I12", 0}, {"I13", 0}, {"I23", 0}, {"I11", 1.4}, {"I33", 1.4}},
        0.02,
        1,
        0,
        0};
    M = model_open(&ball);
    assert_int_equal(model_exact(&ball, M, 5, 4000, 1e-9), 7); /* it turns uniformly about a horizontal axis */
    lg_model_destroy(M);
}

/* ---- names, refusals ---- */

static void test_names(void **state)
{
    const char *const *names = lg_catalog_names();
    int count = 0;
    (void)state;
    for (; names[count]; count++) {
        const lg_model_definition *d = lg_catalog_definition(names[count]);
        const model_example x = {.system = names[count]};
        lg_model *M = model_open(&x);
        assert_non_null(d);
        assert_string_equal(d->name, names[count]);
        assert_memory_equal(lg_model_describe(M), d, sizeof *d);
        assert_true(d->summary && d->summary[0] && d->source && d->source[0]);
        for (int i = 0; i < d->parameter_count; i++) {
            const lg_parameter *p = &d->parameters[i];
            double value = -1;
            assert_true(p->name[0] && p->meaning[0] && p->unit);
            assert_int_equal(lg_model_get(M, &value, p->name), LG_OK);
            assert_true(value == p->value);
            assert_int_equal(lg_model_set(M, p->name, value), LG_OK);
            if (p->low == 0) model_refused(names[count], p->name, -1, p->open ? "must be > 0" : p->name);
            if (p->low == 0 && p->open) model_refused(names[count], p->name, 0, p->name);
            model_refused(names[count], p->name, NAN, "finite");
            model_refused(names[count], p->name, -INFINITY, "finite");
        }
        for (int i = 0; i < d->invariant_count; i++)
            assert_true(d->invariants[i].name[0] && d->invariants[i].meaning[0]);
        lg_model_destroy(M);
    }
    assert_true(count >= 29);
    assert_null(lg_catalog_definition("rolling"));
    assert_null(lg_catalog_definition(NULL));
}

static void test_unknown_system(void **state)
{
    static const char *const bad[] = {"rolling-bal", "", NULL};
    (void)state;
    for (int k = 0; k < 3; k++) {
        lg_model *M = NULL;
        assert_int_equal(lg_catalog_create(&M, bad[k]), LG_ERROR_ARGUMENT);
        assert_non_null(strstr(lg_model_message(M), "lg_catalog_names()"));
        if (k == 0) assert_non_null(strstr(lg_model_message(M), "'rolling-ball'"));
        lg_model_destroy(M);
    }
    assert_int_equal(lg_catalog_create(NULL, "suslov"), LG_ERROR_ARGUMENT);
}

static void test_refusals(void **state)
{
    static const struct {
        const char *system, *parameter;
        double value;
        const char *word;
    } list[] = {
        {"suslov", "I12", 3, "not positive definite"},
        {"suslov", "I13", -1.5, "not positive definite"},
        {"suslov", "a3", 0, "is not a constraint"},
        {"biinvariant-so3", "distribution", 0.5, "neither"},
        {"biinvariant-so3", "distribution", 2, "distribution"},
        {"rolling-ball", "I4", 1, "Omega"},
        {"mobile-robot", "R", 1, "m, I, Iw, r"},
        {"contact-oscillator", "shift", 0.5, "shift = 0.5 is neither 0 (plain) nor 1"},
        {"contact-oscillator", "shift", 2, "in [0, 1]"},
        {"heavy-top", "chi4", 1, "chi3"},
        {"veselova-top", "I12", 2, "not positive definite"},
        {"veselova-top", "I13", 1.5, "not positive definite"},
        {"rattleback", "offset", 0.02, "outside the body"},
        {"rattleback", "I12", 6e-4, "not positive definite"},
        {"chaplygin-top", "chi1", 1, "outside the ball"},
        {"chaplygin-top", "r", 0.1, "outside the ball"},
        {"ball-on-inclined-turntable", "tilt", 1.6, "'tilt'"},
    };
    static const setting flat[] = {{"b", 0}, {"d", 0}};
    static const char *const hinged[] = {"roller-racer", "cart-trailer"};
    (void)state;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        model_refused(list[k].system, list[k].parameter, list[k].value, list[k].word);
    for (int k = 0; k < 2; k++) {
        const model_example x = {.system = hinged[k]};
        lg_model *M = model_open(&x);
        const lg_system *S = NULL;
        for (int i = 0; i < 2; i++) suite_ok("set", lg_model_set(M, flat[i].name, 0));
        suite_status("system", lg_model_system(M, &S), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_model_message(M), "one of b, d must differ from 0");
        lg_model_destroy(M);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_invariants), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_exact_branches), cmocka_unit_test(test_methods),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_unknown_system), cmocka_unit_test(test_refusals),
    };
    suite_begin("catalog");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
