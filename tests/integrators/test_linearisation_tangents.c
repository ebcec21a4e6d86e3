/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step by numbers that carry derivatives: against differences of the step; by the identity that
 * energy gives; its bits; what a failure leaves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/run/model.h>

#include "integrators/integrator.h"
#include "integrators/linearisation/linearisation.h"
#include "support/bench.h"
#include "support/runs.h"
#include "support/steered.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

static const char *const retractions[] = {"exp", "cayley"};
static const char *const own[] = {"sem", "gni", "nsv", "gauss"}; /* for all systems of the catalog */
static const char *const composed[] = {"sem@yoshida4", "gni@suzuki4", "nsv@yoshida4", NULL};

static lg_linearisation *make(const lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_linearisation_create(&lin, it));
    return lin;
}

/* The Jacobian of the next step of `it`, and its size. */
static int jacobian(lg_linearisation *lin, const lg_integrator *it, double *J)
{
    suite_ok(lg_linearisation_message(lin), lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    return lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
}

/* ---- against differences ---- */

/* Differences with respect to a small parameter, displaced by its 64th, are as uncertain as that is small. */
static double rounded(const lg_linearisation *lin, int column)
{
    const lg_system *S = &lin->implicit_copy->S;
    const int k = column - lin->nx + S->parameter_count;
    const double value = k >= 0 ? fabs(S->parameter_values[k]) : 0;
    return value != 0 && value < 1 ? 1024 * SUITE_EPS / value : 0;
}

/* Rows of both, relative to the largest entry; with t.h far below 1 multipliers are quotients by h^2. Parameters that
 * are unknown are so in both. */
static void compare(const lg_linearisation *lin, const double *J, double *other, double tolerance)
{
    const int rows = lg_linearisation_rows(lin), columns = lg_linearisation_columns(lin);
    static double exact[ROWS * COLUMNS];
    memcpy(exact, J, sizeof(double) * (size_t)(rows * columns));
    for (int i = 0; i < rows * columns; i++)
        if (isnan(exact[i]) && isnan(other[i])) exact[i] = other[i] = 0;
    for (int r = 0; r < rows; r++) {
        double size = 1;
        for (int c = 0; c < columns; c++) size = fmax(size, fabs(exact[r * columns + c]));
        for (int c = 0; c < columns; c++)
            suite_near1("entry", exact[r * columns + c], other[r * columns + c], tolerance + rounded(lin, c), size);
    }
}

/* Compares, if tangents differentiate this method; 1 if so. */
static int check(const test_system *t, lg_integrator *it, double tolerance)
{
    static double J[ROWS * COLUMNS], other[ROWS * COLUMNS];
    lg_linearisation *lin = make(it), *plain = make(it);
    const int tangents = lg_linearisation_kind(lin) == LG_DERIVATIVES_TANGENTS;
    (void)t;
    if (tangents) {
        plain->exact.width = 0;
        plain->implicit_copy->workspace->tolerance = 1e-13; /* of Newton's iteration in explicit steps */
        jacobian(lin, it, J), jacobian(plain, it, other);
        compare(lin, J, other, tolerance);
        suite_below("error", lg_linearisation_error(lin), 1e-7);
    }
    lg_linearisation_destroy(lin), lg_linearisation_destroy(plain);
    return tangents;
}

static int check_method(const test_system *t, const char *method, const char *retraction)
{
    lg_integrator *it = NULL;
    int tangents = 0;
    suite_case("%s, %s, %s", t->name, method, retraction);
    if (lg_integrator_create(&it, &t->S, method, retraction, t->h) == LG_OK) {
        suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
        run_steps(it, 3);
        tangents = check(t, it, bench_sharp(t) || strchr(method, '@') ? 2e-10 : 3e-11);
    }
    lg_integrator_destroy(it);
    return tangents;
}

/* A system of the catalog, at its own initial state. */
static lg_model *open_model(test_system *t, const char *name)
{
    lg_model *M = NULL;
    const lg_system *S = NULL;
    suite_ok("model", lg_catalog_create(&M, name));
    suite_ok("system", lg_model_system(M, &S));
    memset(t, 0, sizeof *t);
    t->name = name, t->S = *S, t->h = lg_model_default_step(M);
    suite_ok("initial", lg_model_initial(M, t->g0, t->xi0, NULL));
    return M;
}

static void test_every_method(void **state)
{
    (void)state;
    test_system t;
    int count = 0;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 4 : 1)
        for (int r = 0; r < 2; r++) {
            for (const char *const *m = lg_method_names(); *m; m++) count += check_method(&t, *m, retractions[r]);
            for (const char *const *m = composed; *m; m++) count += check_method(&t, *m, retractions[r]);
        }
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        lg_model *M = open_model(&t, *name);
        for (int r = 0; r < 2; r++) {
            for (size_t k = 0; k < sizeof own / sizeof *own; k++) count += check_method(&t, own[k], retractions[r]);
        }
        lg_model_destroy(M);
    }
#ifdef LG_TANGENTS
    if (!suite_reduced()) suite_above("combinations", count, 1000);
#else
    suite_below("combinations", count, 1);
#endif
}

/* Explicit steps so long that Newton's iteration takes several turns: derivatives are one behind the values. */
static void test_long_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"rigid-body", "suslov", "heavy-top", NULL};
    test_system t;
    for (const char *const *name = names; *name; name++) {
        lg_model *M = open_model(&t, *name);
        for (int k = 1; k <= 5; k++)
            for (int r = 0; r < 2; r++) {
                t.h = 0.12 * k;
                (void)check_method(&t, "gni", retractions[r]);
            }
        lg_model_destroy(M);
    }
}

/* Controls, parameters, time, and h < 0. */
static void test_steered(void **state)
{
    (void)state;
    const double u[2] = {0.3, -0.4};
    for (int kind = 0; kind < STEERED; kind++)
        for (const char *const *method = lg_method_names(); *method; method++)
            for (int r = 0; r < 4; r++) {
                test_system t;
                lg_integrator *it = NULL;
                steered_make(&t, kind);
                suite_case("steered %d, %s, %s", kind, *method, retractions[r & 1]);
                if (lg_integrator_create(&it, &t.S, *method, retractions[r & 1], r & 2 ? t.h : -t.h) == LG_OK) {
                    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
                    if (t.S.callbacks.control_count) suite_ok("control", lg_integrator_set_control(it, u));
                    run_steps(it, 2);
                    (void)check(&t, it, 1e-11);
                }
                lg_integrator_destroy(it);
            }
}

#ifdef LG_TANGENTS

/* ---- without differences ---- */

/* d H along (eta, p): (dV, J^-1 p) at the state of `it`. */
static void energy_gradient(lg_integrator *it, double *dH)
{
    const lg_node *b = it->workspace->now;
    suite_ok("dV", (lg_status)lg_field_gradient(&it->field, b->t, b->g, dH));
    lg_raise(&it->plan, dH + it->plan.n, b, b->p_tilde);
}

/* sem keeps H from every state, and so does gauss: dH_1 J = dH_0. */
static void check_energy(const test_system *t, const char *method, double tolerance)
{
    static double J[ROWS * COLUMNS];
    lg_integrator *it = run_start(t, method, "exp", 0.01);
    double before[2 * SUITE_DIM], after[2 * SUITE_DIM], size = 1;
    suite_case("%s, %s", t->name, method);
    run_steps(it, 2);
    lg_linearisation *lin = make(it);
    const int n2 = 2 * it->plan.n, columns = lg_linearisation_columns(lin);
    assert_int_equal(lg_linearisation_kind(lin), LG_DERIVATIVES_TANGENTS);
    energy_gradient(it, before);
    suite_ok("step", lg_linearisation_step(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    energy_gradient(it, after);
    for (int r = 0; r < n2; r++)
        for (int c = 0; c < n2; c++) size = fmax(size, fabs(after[r] * J[r * columns + c]));
    for (int c = 0; c < n2; c++) {
        double sum = 0;
        for (int r = 0; r < n2; r++) sum += after[r] * J[r * columns + c];
        suite_near1("dH J", sum, before[c], tolerance, size);
    }
    lg_linearisation_destroy(lin);
    run_end(&it);
}

static void test_energy(void **state)
{
    (void)state;
    static const char *const names[] = {"rigid-body", "heavy-top"};
    test_system t;
    for (int i = 0; i < 2; i++) {
        lg_model *M = open_model(&t, names[i]);
        check_energy(&t, "sem", 1e-13), check_energy(&t, "gauss", 1e-13);
        lg_model_destroy(M);
    }
    energy_system_make(&t, "top"); /* dV without a derivative: differences */
    check_energy(&t, "sem", 2e-12);
}

/* ---- collocation ---- */

/* Which systems of the catalog have tangents of their stages. */
static void test_gauss(void **state)
{
    (void)state;
    static const char *const names[] = {"rigid-body", "heavy-top",         "suslov",       "chaplygin-sleigh",
                                        "snakeboard", "two-wheeled-robot", "rolling-ball", "rattleback"};
    test_system t;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lg_model *M = open_model(&t, names[i]);
        for (int k = 0; k < 4; k++) {
            static const char *const methods[] = {"gauss", "gauss:stages=3", "gauss:stages=7", "gauss:stages=16"};
            t.h = lg_model_default_step(M) * (k + 1);
            if (!check_method(&t, methods[k], "exp")) suite_fail("%s: no tangents", methods[k]);
        }
        lg_model_destroy(M);
    }
}

/* Along motions there are derivatives of which only round-off is left: sweeps must end there, too. */
static void test_along(void **state)
{
    (void)state;
    static const char *const names[] = {"suslov", "rolling-ball", "chaplygin-sleigh"};
    test_system t;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lg_model *M = open_model(&t, names[i]);
        lg_integrator *first = NULL, *it = NULL;
        suite_case("%s", names[i]);
        suite_ok("create", lg_integrator_create(&first, &t.S, "gauss", "exp", t.h));
        suite_ok("start", lg_integrator_start(first, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        run_steps(first, 3);
        suite_ok("clone", lg_integrator_clone(&it, first));
        lg_linearisation *lin = make(it);
        for (int k = 0; k < 80; k++)
            if (lg_linearisation_step(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
        lg_linearisation_destroy(lin);
        run_end(&first), run_end(&it);
        lg_model_destroy(M);
    }
}

/* Several steps to a row. */
static void test_tolerance(void **state)
{
    (void)state;
    static double J[ROWS * COLUMNS], other[ROWS * COLUMNS];
    test_system t;
    lg_model *M = open_model(&t, "heavy-top");
    lg_integrator *it = run_start_at(&t.S, "gauss", "exp", 1, 0, t.g0, t.xi0);
    lg_linearisation *lin = make(it), *plain = make(it);
    assert_int_equal(lg_linearisation_kind(lin), LG_DERIVATIVES_TANGENTS);
    plain->exact.width = 0;
    suite_ok("tolerance", lg_integrator_set_tolerance(it, 1e-13));
    run_steps(it, 2);
    (void)jacobian(lin, it, J), (void)jacobian(plain, it, other);
    compare(lin, J, other, 3e-11);
    lg_linearisation_destroy(lin), lg_linearisation_destroy(plain);
    run_end(&it);
    lg_model_destroy(M);
}

/* ---- bits ---- */

/* Equal bits at every width, whose vectors differ in length and their numbers in directions; and whether the step is
 * made first or solved for. */
static void check_bits(const test_system *t, const char *method)
{
    static const char *const widths[] = {"2", "4", "8"};
    static double J[4][ROWS * COLUMNS];
    lg_integrator *it = NULL;
    int count = 0;
    suite_case("%s, %s", t->name, method);
    if (lg_integrator_create(&it, &t->S, method, "exp", t->h) == LG_OK) {
        suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
        run_steps(it, 3);
        for (int w = 0; w < 4; w++) {
            if (w < 3) setenv("LIEGRP_WIDTH", widths[w], 1);
            lg_linearisation *lin = make(it);
            if (w < 3)
                count = jacobian(lin, it, J[w]);
            else {
                suite_ok("step", lg_linearisation_step(lin, it));
                suite_ok("jacobian", lg_linearisation_jacobian(lin, J[w]));
            }
            suite_same_bits("J", J[w], J[0], count);
            lg_linearisation_destroy(lin);
            unsetenv("LIEGRP_WIDTH");
        }
    }
    lg_integrator_destroy(it);
}

static void test_same_bits(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "gni",    "nsv",         "gauss", "sem@yoshida4", "gni:midpoint",
                                          "dla", "rattle", "variational", "rk4",   "rkmk4"};
    static const char *const names[] = {"heavy-top", "suslov", "two-wheeled-robot", "snakeboard", "rattleback"};
    test_system t;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int i = 0; bench_system(&t, i); i += 3) check_bits(&t, methods[m]);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            lg_model *M = open_model(&t, names[i]);
            check_bits(&t, methods[m]);
            lg_model_destroy(M);
        }
    }
}

/* ---- failures ---- */

static int refuse(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)c, (void)g, (void)eta, (void)out;
    return 7;
}

/* The step is made first, and undone where its derivative fails: later steps do not know of it. */
static void test_failures(void **state)
{
    (void)state;
    test_system t;
    lg_integrator *it = NULL, *other = NULL;
    test_system_make(&t, "particle");
    assert_int_equal(t.S.parameter_count, 0);
    t.S.callbacks.potential_hessian = refuse;
    suite_ok("create", lg_integrator_create(&it, &t.S, "sem", "exp", t.h));
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    run_steps(it, 5);
    suite_ok("clone", lg_integrator_clone(&other, it));
    lg_linearisation *lin = make(it);
    assert_int_equal(lg_linearisation_kind(lin), LG_DERIVATIVES_TANGENTS);
    assert_int_equal(lg_linearisation_step(lin, it), LG_ERROR_CALLBACK);
    assert_non_null(strstr(lg_linearisation_message(lin), "potential_hessian"));
    assert_true(isnan(lg_linearisation_error(lin)));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lg_integrator_step_index(it), lg_integrator_step_index(other));
        suite_same_bits("g", lg_integrator_configuration(it), lg_integrator_configuration(other),
                        it->plan.element_size);
        suite_same_bits("p", lg_integrator_momentum(it), lg_integrator_momentum(other), it->plan.n);
        suite_same_bits("history", &it->workspace->history->known, &other->workspace->history->known, 1);
        suite_same_bits("history", it->workspace->history->inverse_jacobian,
                        other->workspace->history->inverse_jacobian, it->plan.n * it->plan.n);
        run_steps(it, 1), run_steps(other, 1);
    }
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(it), lg_integrator_destroy(other);
}

#endif

/* A torque that is 0 where it is evaluated, but not near it. */
static int torque(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < 3 * c->lanes; i++) f[i] = c->control[i];
    return 0;
}

/* The derivative of the first momentum with respect to an input, at rest at the identity. */
static double from_rest(lg_system S, const char *method, int input)
{
    lg_integrator *it = NULL;
    const double zero[3] = {0};
    double g[4], J[ROWS * COLUMNS];
    suite_ok("identity", lg_group_identity(S.group, g));
    suite_ok("create", lg_integrator_create(&it, &S, method, NULL, 0.1));
    suite_ok("start", lg_integrator_start_momentum(it, 0, g, zero));
    lg_linearisation *lin = make(it);
    suite_ok("compute", lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    const int n = S.group->dim;
    const double derivative = J[n * lg_linearisation_columns(lin) + input];
    lg_linearisation_destroy(lin), lg_integrator_destroy(it);
    return derivative;
}

/* A drift that is 0 at the origin, but not near it. */
static int tide(const lg_call *c, const double *g, double *Y)
{
    (void)c;
    Y[0] = lg_real_sin(g[1]);
    return 0;
}

static void test_what_is_zero(void **state)
{
    (void)state;
    const double one[3] = {1, 1, 1}, row[2] = {1, 0};
    lg_system body = lg_system_default(lg_so3());
    body.inertia_diagonal = one;
    body.callbacks.force = torque, body.callbacks.control_count = 3, body.callbacks.lanes = LG_LANES_OWN_TIMES;
    static const char *const methods[] = {"sem", "nsv"};
    for (int i = 0; i < 2; i++) {
        suite_case("%s", methods[i]);
        suite_near1("momentum by a torque", from_rest(body, methods[i], 6), 0.1, 1e-12, 1);
    }
    lg_system boat = lg_system_default(lg_rn(2));
    boat.inertia_diagonal = one, boat.constraint_count = 1, boat.covector_matrix = row, boat.callbacks.drift = tide;
    for (int i = 0; i < 2; i++) {
        suite_case("%s, drift", methods[i]);
        suite_near1("momentum by a drift", from_rest(boat, methods[i], 1), 1, 1e-12, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method), cmocka_unit_test(test_long_steps), cmocka_unit_test(test_steered),
        cmocka_unit_test(test_what_is_zero),
#ifdef LG_TANGENTS
        cmocka_unit_test(test_gauss),        cmocka_unit_test(test_along),      cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_energy),       cmocka_unit_test(test_same_bits),  cmocka_unit_test(test_failures),
#endif
    };
    suite_begin("linearisation_tangents");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
