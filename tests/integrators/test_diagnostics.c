/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes: reversibility, determinant and parasitic rate on everything, against what theory says of each method. */
#include <math.h>
#include <string.h>

#include "support/combinations.h"

static int starts_with(const char *text, const char *part)
{
    return strncmp(text, part, strlen(part)) == 0;
}

/* Some steps away from the initial state, which may be special. */
static void walk(lg_integrator *it)
{
    for (int k = 0; k < 20; k++)
        if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
}

static int is_abelian(const lg_group *G)
{
    int abelian = 1;
    for (int i = 0; i < lg_group_factor_count(G); i++) abelian &= lg_group_factor(G, i)->abelian;
    return abelian;
}

/* ---- reversibility ---- */

/* Methods that theory calls symmetric; one-sided points matter only where something depends on them. */
static int is_symmetric(const combination *c, const char *method, const char *retraction)
{
    if (starts_with(method, "rk") || strcmp(method, "gni-r") == 0) return 0;
    if (strcmp(retraction, "second-kind") == 0 && !is_abelian(c->S->group)) return 0;
    return strstr(method, "euler") == NULL && strstr(method, "alpha") == NULL;
}

/* The way back through the public interface: another integrator with -h that starts from p^+, p~ where that is the
 * state. */
static double by_hand(const combination *c, const lg_integrator *it, const char *method, const char *retraction,
                      int steps)
{
    const lg_group *G = c->S->group;
    const int n = lg_group_dim(G), minus = (starts_with(method, "gni") && strcmp(method, "gni-r") != 0) ||
                                           starts_with(method, "variational") || starts_with(method, "rattle");
    lg_integrator *forth = NULL, *back = NULL;
    double distance = 0, size = 0;
    suite_ok("clone", lg_integrator_clone(&forth, it));
    suite_ok("forth", lg_integrator_run(forth, steps, 1, NULL, NULL));
    suite_ok("create", lg_integrator_create(&back, c->S, method, retraction, -c->h));
    suite_ok("start",
             lg_integrator_start_momentum(back, lg_integrator_time(forth), lg_integrator_configuration(forth),
                                          minus || starts_with(method, "dla") ? lg_integrator_momentum_plus(forth)
                                                                              : lg_integrator_momentum(forth)));
    suite_ok("back", lg_integrator_run(back, steps, 1, NULL, NULL));
    const double *p = minus ? lg_integrator_momentum_minus(it) : lg_integrator_momentum(it);
    const double *q = minus ? lg_integrator_momentum_plus(back) : lg_integrator_momentum(back);
    suite_ok("distance",
             lg_group_distance(G, &distance, lg_integrator_configuration(it), lg_integrator_configuration(back)));
    for (int i = 0; i < n; i++) size = fmax(size, fabs(p[i]));
    for (int i = 0; i < n; i++) distance = fmax(distance, fabs(p[i] - q[i]) / fmax(size, 1e-300));
    lg_integrator_destroy(forth);
    lg_integrator_destroy(back);
    return distance;
}

/* Round-off of 20 steps each way: 1e-14 typically, more where small momenta ride on large ones. */
static void reversal_of_each(const combination *c, lg_integrator *it, const char *method, const char *retraction)
{
    double defect = NAN, g[SUITE_ELEMENT], p[SUITE_DIM];
    const size_t element = sizeof *g * (size_t)lg_group_element_size(c->S->group);
    const size_t dim = sizeof *p * (size_t)lg_group_dim(c->S->group);
    const lg_status status = lg_diagnostics_reversibility(it, &defect, 20);
    if (!is_symmetric(c, method, retraction)) {
        if (status != LG_OK) assert_true(isnan(defect)); /* a way back that is not there */
        return;
    }
    suite_ok("probe", status);
    suite_below("defect", defect, 5e-13);
    walk(it);
    memcpy(g, lg_integrator_configuration(it), element), memcpy(p, lg_integrator_momentum(it), dim);
    suite_ok("probe", lg_diagnostics_reversibility(it, &defect, 10));
    suite_below("defect later on", defect, 5e-13);
    suite_near("the state is left alone: g", lg_integrator_configuration(it), g, lg_group_element_size(c->S->group), 0,
               1);
    suite_near("the state is left alone: p", lg_integrator_momentum(it), p, lg_group_dim(c->S->group), 0, 1);
    suite_below("by hand", by_hand(c, it, method, retraction, 10), 1e-11);
}

static void test_reversible(void **state)
{
    (void)state;
    combination_each(reversal_of_each);
}

/* Control: gni-r wherever there are velocity rows and they do work on the next step, Runge-Kutta, one-sided points with
 * a potential, second kind on a group. */
static void test_irreversible(void **state)
{
    static const struct {
        const char *system, *method, *retraction;
    } cases[] = {{"suslov", "gni-r", "exp"},          {"chaplygin-sleigh", "gni-r", "cayley"},
                 {"rolling-disk", "gni-r", "exp"},    {"chaplygin-sphere", "gni-r", "exp"},
                 {"particle", "gni-r", "exp"},        {"particle-quadratic", "gni:euler-a", "exp"},
                 {"heavy-top", "gni:euler-b", "exp"}, {"heavy-top", "dla:alpha=0.2", "exp"},
                 {"rolling-ball", "rk4", "exp"},      {"chaplygin-sphere", "rkmk4", "exp"},
                 {"rigid-body", "nsv", "second-kind"}};
    combination c;
    (void)state;
    for (int i = 0; combination_open(&c, i); i++) {
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
            double defect;
            if (strcmp(cases[k].system, c.name) != 0) continue;
            lg_integrator *it = combination_start(&c, cases[k].method, cases[k].retraction);
            suite_ok("probe", lg_diagnostics_reversibility(it, &defect, 20));
            suite_above("defect", defect, 1e-11);
            lg_integrator_destroy(it);
        }
        lg_model_destroy(c.M);
    }
}

/* ---- determinant ---- */

/* 1 or -1: symplectic steps with reflections of `constraints` rows between them; no forces, which contract, and no
 * positions, which project. A truncated tangent would not do. */
static void determinant_of_each(const combination *c, lg_integrator *it, const char *method, const char *retraction)
{
    double determinant;
    const int reflects = starts_with(method, "gni") && strcmp(method, "gni-r") != 0;
    const int m = c->S->constraint_count;
    (void)retraction;
    walk(it);
    suite_ok("probe", lg_diagnostics_determinant(it, &determinant));
    if ((reflects || starts_with(method, "variational")) && c->S->callbacks.force == NULL &&
        c->S->callbacks.holonomic_count == 0) {
        const double want = strchr(method, '@') == NULL && m % 2 ? -1 : 1; /* a composition makes every stage twice */
        suite_near1("determinant", determinant, want, 1e-8, 1);
    } else if (starts_with(method, "sem") && c->S->constraint_count + c->S->callbacks.holonomic_count > 0) {
        suite_below("no map onto", fabs(determinant), 1e-8);
    }
}

static void test_determinant(void **state)
{
    (void)state;
    combination_each(determinant_of_each);
}

/* A force -R xi on the line: the determinant of exact flow is exp(-R h/m), of the step that up to O(h^3). */
static int friction(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c, (void)g;
    out[0] = -0.8 * xi[0];
    return 0;
}

static void test_contraction(void **state)
{
    static const double mass[1] = {2}, g0[1] = {0}, xi0[1] = {1};
    static const char *const methods[] = {"sem", "gni", "variational", "dla"};
    lg_system S = lg_system_default(lg_rn(1));
    (void)state;
    S.inertia_diagonal = mass;
    S.callbacks.force = friction;
    for (int k = 0; k < 4; k++) {
        lg_integrator *it = NULL;
        double determinant;
        suite_case("friction, %s", methods[k]);
        suite_ok("create", lg_integrator_create(&it, &S, methods[k], "exp", 0.01));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        suite_ok("probe", lg_diagnostics_determinant(it, &determinant));
        suite_near1("determinant", determinant, exp(-0.8 * 0.01 / 2), 1e-7, 1);
        lg_integrator_destroy(it);
    }
}

/* ---- parasitic rate ---- */

/* As many multipliers as rows, near -1, for the GNI; none elsewhere. */
static void rate_of_each(const combination *c, lg_integrator *it, const char *method, const char *retraction)
{
    double rate;
    int count = -1;
    (void)retraction;
    walk(it);
    suite_ok("probe", lg_diagnostics_parasitic_growth(it, &rate, &count));
    if (starts_with(method, "gni") && strcmp(method, "gni-r") != 0 && strchr(method, '@') == NULL &&
        c->S->constraint_count > 0) {
        assert_int_equal(count, c->S->constraint_count);
        suite_below("the mode is slow", fabs(rate), 20);
    } else {
        assert_true(count == 0 && isnan(rate));
    }
}

static void test_rates(void **state)
{
    (void)state;
    combination_each(rate_of_each);
}

/* ---- wrong input ---- */

static void test_wrong_input(void **state)
{
    combination c;
    lg_integrator *late = NULL, *huge = NULL;
    double x = 0;
    int count = 7;
    (void)state;
    assert_true(combination_open(&c, 2));
    lg_integrator *it = combination_start(&c, "gni", "exp");
    suite_ok("create", lg_integrator_create(&late, c.S, "gni", "exp", 0.1));
    suite_case("wrong input");
    for (int k = 0; k < 2; k++) {
        const lg_integrator *bad = k ? late : NULL;
        x = 0;
        suite_status("reversibility", lg_diagnostics_reversibility(bad, &x, 1), LG_ERROR_ARGUMENT);
        assert_true(isnan(x));
        x = 0;
        suite_status("determinant", lg_diagnostics_determinant(bad, &x), LG_ERROR_ARGUMENT);
        assert_true(isnan(x));
        x = 0;
        suite_status("growth", lg_diagnostics_parasitic_growth(bad, &x, &count), LG_ERROR_ARGUMENT);
        assert_true(isnan(x) && count == 0);
    }
    suite_status("no steps", lg_diagnostics_reversibility(it, &x, 0), LG_ERROR_ARGUMENT);
    suite_status("no place", lg_diagnostics_reversibility(it, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no place", lg_diagnostics_determinant(it, NULL), LG_ERROR_ARGUMENT);
    suite_status("no place", lg_diagnostics_parasitic_growth(it, NULL, &count), LG_ERROR_ARGUMENT);
    suite_ok("create", lg_integrator_create(&huge, c.S, "gni", "exp", 1e200));
    suite_ok("start", lg_integrator_start(huge, 0, c.g0, c.xi0, LG_START_LEGENDRE, 1));
    assert_true(lg_diagnostics_reversibility(huge, &x, 3) != LG_OK && isnan(x));
    assert_true(lg_diagnostics_determinant(huge, &x) != LG_OK && isnan(x));
    assert_true(lg_diagnostics_parasitic_growth(huge, &x, NULL) != LG_OK || isnan(x));
    lg_integrator_destroy(it), lg_integrator_destroy(late), lg_integrator_destroy(huge);
    lg_model_destroy(c.M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reversible),  cmocka_unit_test(test_irreversible), cmocka_unit_test(test_determinant),
        cmocka_unit_test(test_contraction), cmocka_unit_test(test_rates),        cmocka_unit_test(test_wrong_input),
    };
    suite_begin("diagnostics");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
