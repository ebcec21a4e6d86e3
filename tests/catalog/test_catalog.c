/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of the catalog against the continuous equations
 *   J xi' = ad*_xi J xi - dV + A^T lambda,   A (xi' - Y') + A' (xi - Y) = 0,
 * integrated here by a Runge-Kutta-Munthe-Kaas method of order 4 from nothing but configure(), the rows, their
 * derivative and the gradient: invariants stay, exact solutions agree, and so do reference values computed elsewhere.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <liegrp/liegrp.h>

#include "support/matrix.h"

enum { MOST = 8, ROWS = 2 };

static const lg_system *system_of(lg_model *M)
{
    const lg_system *S = NULL;
    if (lg_model_system(M, &S) != LG_OK) fail_msg("%s", lg_model_message(M));
    return S;
}

static lg_model *open_model(const char *name)
{
    lg_model *M = NULL;
    if (lg_catalog_create(&M, name) != LG_OK) fail_msg("%s", lg_model_message(M));
    return M;
}

static void set(lg_model *M, const char *parameter, double value)
{
    if (lg_model_set(M, parameter, value) != LG_OK) fail_msg("%s", lg_model_message(M));
}

static void start(lg_model *M, double *g, double *xi)
{
    if (lg_model_initial(M, g, xi, NULL) != LG_OK) fail_msg("%s", lg_model_message(M));
}

/* Continuous equations ------------------------------------------------------------------------------------------ */

static void rows_of(const lg_system *S, const double *g, double *A, double *Y)
{
    static const double t = 0;
    const lg_call c = lg_system_call(S, &t, NULL);
    memset(A, 0, ROWS * MOST * sizeof *A);
    memset(Y, 0, MOST * sizeof *Y);
    if (S->callbacks.covectors) assert_int_equal(S->callbacks.covectors(&c, g, A, Y), 0);
    if (S->covector_matrix)
        memcpy(A, S->covector_matrix, (size_t)(S->constraint_count * lg_group_dim(S->group)) * sizeof *A);
    if (S->callbacks.drift) assert_int_equal(S->callbacks.drift(&c, g, Y), 0);
}

static double inertia(const lg_system *S, int i, int j)
{
    if (S->inertia) return S->inertia[i * lg_group_dim(S->group) + j];
    return i == j ? S->inertia_diagonal[i] : 0;
}

static void momentum(const lg_system *S, const double *xi, double *p)
{
    const int n = lg_group_dim(S->group);
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        for (int j = 0; j < n; j++) p[i] += inertia(S, i, j) * xi[j];
    }
}

static void acceleration(const lg_system *S, const double *g, const double *xi, double *a)
{
    const int n = lg_group_dim(S->group), m = S->constraint_count, N = n + m;
    static const double t = 0;
    const lg_call c = lg_system_call(S, &t, NULL);
    double A[ROWS * MOST], Y[MOST], dA[ROWS * MOST] = {0}, dY[MOST] = {0}, p[MOST], f[MOST], dV[MOST] = {0};
    double M[(MOST + ROWS) * (MOST + ROWS)] = {0}, b[MOST + ROWS] = {0}, x[MOST + ROWS];
    rows_of(S, g, A, Y);
    if (S->callbacks.covectors_derivative) assert_int_equal(S->callbacks.covectors_derivative(&c, g, xi, dA, dY), 0);
    if (S->callbacks.potential_gradient) assert_int_equal(S->callbacks.potential_gradient(&c, g, dV), 0);
    momentum(S, xi, p);
    assert_int_equal(lg_group_coad_apply(S->group, f, xi, p), LG_OK);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) M[i * N + j] = inertia(S, i, j);
        b[i] = f[i] - dV[i];
        for (int k = 0; k < m; k++) {
            M[i * N + n + k] = -A[k * n + i];
            M[(n + k) * N + i] = A[k * n + i];
            b[n + k] += A[k * n + i] * dY[i] - dA[k * n + i] * (xi[i] - Y[i]);
        }
    }
    assert_true(mat_solve(x, M, b, N));
    memcpy(a, x, (size_t)n * sizeof *a);
}

/* g = g0 exp(u): u' = dexp^-1_{-u} xi, since tangents are right-trivialised here. */
static void algebra_rate(const lg_group *G, const double *u, const double *xi, double *rate)
{
    double minus[MOST];
    for (int i = 0; i < lg_group_dim(G); i++) minus[i] = -u[i];
    assert_int_equal(lg_retraction_dtau_inv_apply(lg_retraction_exp(), G, rate, minus, xi), LG_OK);
}

static void rkmk_step(const lg_system *S, double *g, double *xi, double h)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const int n = lg_group_dim(S->group);
    double du[MOST] = {0}, dx[MOST] = {0}, u[MOST], x[MOST], sum_u[MOST] = {0}, at[MOST], e[MOST];
    double sum_x[MOST] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < n; i++) {
            u[i] = h * node[s] * du[i];
            x[i] = xi[i] + h * node[s] * dx[i];
        }
        assert_int_equal(lg_group_exp(S->group, e, u), LG_OK);
        assert_int_equal(lg_group_compose(S->group, at, g, e), LG_OK);
        acceleration(S, at, x, dx);
        algebra_rate(S->group, u, x, du);
        for (int i = 0; i < n; i++) {
            sum_u[i] += h * weight[s] * du[i];
            sum_x[i] += h * weight[s] * dx[i];
        }
    }
    assert_int_equal(lg_group_exp(S->group, e, sum_u), LG_OK);
    assert_int_equal(lg_group_compose(S->group, g, g, e), LG_OK);
    for (int i = 0; i < n; i++) xi[i] += sum_x[i];
}

/* Cases: a system with some of its parameters set --------------------------------------------------------------- */

typedef struct setting {
    const char *name;
    double value;
} setting;

typedef struct example {
    const char *system;
    setting set[4];
    int exact;     /* 1: exact() must hold, 0: must refuse, -1: there is none */
    int whole;     /* 1: all of it is known, no NaN */
    int undefined; /* number of invariants that are NaN */
} example;

static const example examples[] = {
    {"particle", {{0}}, 1, 1, 0},
    {"particle-quadratic", {{0}}, -1, 0, 0},
    {"rigid-body", {{0}}, 0, 0, 0},
    {"rigid-body", {{"I1", 1.3}, {"I2", 1.3}}, 1, 1, 0},
    {"rigid-body", {{"I2", 1.3}, {"I3", 1.3}}, 1, 1, 0},
    {"rigid-body", {{"I1", 1.3}, {"I3", 1.3}}, 1, 1, 0},
    {"rigid-body", {{"I1", 1.3}, {"I2", 1.3}, {"I3", 1.3}}, 1, 1, 0},
    {"biinvariant-so3", {{0}}, 0, 0, 3},
    {"biinvariant-so3", {{"distribution", 1}, {"I", 1.7}}, 1, 1, 0},
    {"suslov", {{0}}, 1, 0, 0},
    {"suslov", {{"I12", 0.9}, {"I13", -0.9}, {"I23", -0.9}}, 1, 0, 0},
    {"suslov", {{"I13", 0}, {"I23", 0}}, 1, 1, 0},
    {"suslov", {{"a1", 0.3}, {"a2", -0.2}}, 0, 0, 0},
    {"chaplygin-sleigh", {{0}}, 1, 1, 0},
    {"chaplygin-sleigh", {{"a", -0.7}, {"m", 1.5}, {"I", 0.4}}, 1, 1, 0},
    {"chaplygin-sleigh", {{"a", 0}}, 1, 1, 2},
    {"rolling-ball", {{0}}, 1, 0, 0},
    {"rolling-ball", {{"r", 0.3}, {"m", 2}, {"Omega", -0.7}}, 1, 0, 0},
    {"rolling-ball", {{"Omega", 0}}, 1, 1, 0},
    {"rolling-ball", {{"I2", 0.9}}, 0, 0, 3},
    {"chaplygin-sphere", {{0}}, 0, 0, 0},
    {"chaplygin-sphere", {{"Omega", 0}, {"r", 0.6}}, 0, 0, 0},
    {"chaplygin-sphere", {{"I2", 1}, {"I3", 1}, {"r", 0.6}}, 1, 0, 0},
    {"chaplygin-sphere", {{"I2", 1}, {"I3", 1}, {"Omega", 0}}, 1, 1, 0},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

static lg_model *open_example(const example *x)
{
    lg_model *M = open_model(x->system);
    for (int i = 0; i < 4 && x->set[i].name; i++) set(M, x->set[i].name, x->set[i].value);
    return M;
}

/* The default velocity satisfies A (xi - Y) = 0 for every choice of parameters, before any projection. */
static void test_initial_data_are_consistent(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = open_example(&examples[k]);
        const lg_system *S = system_of(M);
        double g[MOST], xi[MOST], A[ROWS * MOST], Y[MOST];
        int given = 1;
        assert_int_equal(lg_model_initial(M, g, xi, &given), LG_OK);
        assert_int_equal(given, 0);
        assert_true(lg_group_is_valid(S->group, g, 1e-15));
        rows_of(S, g, A, Y);
        for (int i = 0; i < S->constraint_count; i++) {
            double residual = 0;
            for (int j = 0; j < lg_group_dim(S->group); j++)
                residual += A[i * lg_group_dim(S->group) + j] * (xi[j] - Y[j]);
            assert_true(fabs(residual) < 2e-15);
        }
        lg_model_destroy(M);
    }
}

static void test_derivatives_agree_with_differences(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = open_example(&examples[k]);
        lg_error error;
        lg_rng rng = {11};
        double g[MOST], xi[MOST];
        start(M, g, xi);
        if (lg_system_check(system_of(M), &rng, g, 20, 1e-9, &error) != LG_OK)
            fail_msg("%s: %s", examples[k].system, error.message);
        lg_model_destroy(M);
    }
}

/* The largest change of each invariant over the true motion; round-off and h^4 leave 1e-10 at most. */
static void test_invariants_stay(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = open_example(&examples[k]);
        const lg_model_definition *d = lg_model_describe(M);
        const lg_system *S = system_of(M);
        static const double t = 0;
        const lg_call c = lg_system_call(S, &t, NULL);
        double g[MOST], xi[MOST], p[MOST], first[MOST], now;
        int undefined = 0;
        start(M, g, xi);
        momentum(S, xi, p);
        for (int i = 0; i < d->invariant_count; i++) {
            assert_int_equal(d->invariants[i].value(&c, g, p, &first[i]), 0);
            undefined += isnan(first[i]) != 0;
        }
        assert_int_equal(undefined, examples[k].undefined);
        for (int step = 0; step < 1500; step++) {
            rkmk_step(S, g, xi, 0.002);
            momentum(S, xi, p);
            for (int i = 0; i < d->invariant_count; i++) {
                assert_int_equal(d->invariants[i].value(&c, g, p, &now), 0);
                if (!(fabs(now - first[i]) < 1e-10) && !isnan(first[i]))
                    fail_msg("%s: %s moved by %g", d->name, d->invariants[i].name, now - first[i]);
            }
        }
        lg_model_destroy(M);
    }
}

/* How far b is from a where b is known; counts what is not. Quaternions have two signs. */
static double gap(const double *a, const double *b, int n, int *unknown)
{
    double d = 0, e = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(b[i])) {
            ++*unknown;
        } else {
            d = fmax(d, fabs(a[i] - b[i]));
            e = fmax(e, fabs(a[i] + b[i]));
        }
    }
    return n == 4 ? fmin(d, e) : d;
}

static void test_exact_solutions(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = open_example(&examples[k]);
        const lg_model_definition *d = lg_model_describe(M);
        const lg_system *S = system_of(M);
        double g0[MOST], xi0[MOST], g[MOST], xi[MOST], exact_g[MOST], exact_xi[MOST];
        int unknown = 0;
        start(M, g0, xi0);
        assert_int_equal(d->exact == NULL, examples[k].exact < 0);
        for (double T = 0; T < 4 && d->exact; T += 3) {
            const int refused = d->exact(&(lg_call){.param = S->parameter_values, .t = T, .lanes = 1}, g0, xi0, exact_g,
                                         exact_xi) != 0,
                      gn = lg_group_element_size(S->group);
            assert_int_equal(refused, examples[k].exact == 0);
            if (refused) break;
            memcpy(g, g0, sizeof g);
            memcpy(xi, xi0, sizeof xi);
            for (int step = 0; T > 0 && step < 1500; step++) rkmk_step(S, g, xi, T / 1500);
            const int at = gn == 6 ? 2 : 0; /* the quaternion of R^2 x SO(3) apart */
            double error = gap(g, exact_g, at, &unknown);
            error = fmax(error, gap(g + at, exact_g + at, gn - at, &unknown));
            error = fmax(error, gap(xi, exact_xi, lg_group_dim(S->group), &unknown));
            if (!(error < 1e-10)) fail_msg("%s, case %d, t = %g: off by %g", d->name, k, T, error);
        }
        if (examples[k].exact > 0) assert_int_equal(unknown == 0, examples[k].whole);
        lg_model_destroy(M);
    }
}

/* Reference values computed by an independent implementation in multiprecision ---------------------------------- */

typedef struct truth {
    const char *system;
    double t;
    int exact;                /* 1: compare exact(), 0: compare the integration above */
    double g[MOST], xi[MOST]; /* NaN: not compared; rotations by their matrix's first row in place of the quaternion */
} truth;

static const truth truths[] = {
    {"particle", 2, 1, {2.518874246081882, -3, -9.8754845034029}, {1.6124515496597098, 1, -4.8373546489791295}},
    {"particle-quadratic",
     2,
     0,
     {-0.15564869234802367, 0.308071742363045, -0.9975697645494606},
     {-1.6418595201408195, -1.3454306385372659, -0.5058105230851353}},
    {"rigid-body",
     5,
     0,
     {-0.085866883545564608, -0.87860609652323888, 0.46976398910768955},
     {0.75852115336640373, -0.72478226081705842, -0.47418910281518346}},
    {"biinvariant-so3",
     2,
     0,
     {0.3239258883932014588641, -0.8719029598157242829667, -0.3672291484798758164006},
     {-0.1153497962455782207982, -0.0534941494717811861508, 0.2555060418968531168133}},
    {"suslov",
     5,
     0,
     {0.68699388181376720, 0.14595540541964493, -0.71185421680231612},
     {1.4005378548018648, 0.47147322181417750, 0}},
    {"chaplygin-sleigh",
     5,
     1,
     {-0.46663819768527767, -1.1372307930830890, 0.71655866563638, -0.69752683009431},
     {0.61747916551139396, 0, 0.98971610156230415}},
    {"rolling-ball",
     10,
     1,
     {-5.026115290428850415, 3.242102813889209158, NAN, NAN, NAN},
     {0.1031588744443163367, -1.410446116171540166, -3.615669174257310249, 3.345261688333525494, 0}},
    {"rolling-ball",
     2,
     0,
     {2.03515700061672045637, 3.551623453880893351766, 0.7273975013667217513516, -0.04775371096721100791545,
      -0.6845527431062635797269},
     {-0.02064938155235734070642, 1.414062800246688182548, 0.6210942003700322738219, 3.53097407232853601106, 0}},
};

static void check_truth(const truth *r)
{
    lg_model *M = open_model(r->system);
    const lg_system *S = system_of(M);
    const lg_group *last = lg_group_factor(S->group, lg_group_factor_count(S->group) - 1);
    double g0[MOST], xi0[MOST], g[MOST], xi[MOST], R[9], error = 0;
    int unknown = 0, at = lg_group_element_size(S->group), shown = at;
    start(M, g0, xi0);
    memcpy(g, g0, sizeof g);
    memcpy(xi, xi0, sizeof xi);
    if (r->exact) {
        assert_int_equal(lg_model_describe(M)->exact(&(lg_call){.param = S->parameter_values, .t = r->t, .lanes = 1},
                                                     g0, xi0, g, xi),
                         0);
    } else {
        for (int step = 0; step < 4000; step++) rkmk_step(S, g, xi, r->t / 4000);
    }
    if (last->kind == LG_KIND_SO3) {
        at -= 4;
        shown = at + 3;
        assert_int_equal(lg_group_to_matrix(last, R, g + at), LG_OK);
        memcpy(g + at, R, 3 * sizeof *R);
    }
    for (int i = 0; i < shown; i++)
        if (!isnan(r->g[i])) error = fmax(error, fabs(g[i] - r->g[i]));
    error = fmax(error, gap(r->xi, xi, lg_group_dim(S->group), &unknown));
    assert_int_equal(unknown, 0);
    if (!(error < 1e-11)) fail_msg("%s at t = %g: off by %g", r->system, r->t, error);
    lg_model_destroy(M);
}

static void test_reference_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++) check_truth(&truths[k]);
}

/* Names, descriptions, refusals --------------------------------------------------------------------------------- */

static void test_names(void **state)
{
    const char *const *names = lg_catalog_names();
    int count = 0;
    (void)state;
    for (; names[count]; count++) {
        const lg_model_definition *d = lg_catalog_definition(names[count]);
        lg_model *M = open_model(names[count]);
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
            if (p->low == 0 && p->open) assert_int_equal(lg_model_set(M, p->name, 0), LG_ERROR_ARGUMENT);
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

static void expect_refusal(const char *system, const char *parameter, double value, const char *word)
{
    lg_model *M = open_model(system);
    const lg_system *S = NULL;
    lg_status status = lg_model_set(M, parameter, value);
    if (status == LG_OK) status = lg_model_system(M, &S);
    assert_int_equal(status, LG_ERROR_ARGUMENT);
    if (!strstr(lg_model_message(M), word)) fail_msg("'%s' does not say '%s'", lg_model_message(M), word);
    lg_model_destroy(M);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal("suslov", "I12", 3, "not positive definite");
    expect_refusal("suslov", "I13", -1.5, "not positive definite");
    expect_refusal("suslov", "a3", 0, "is not a constraint");
    expect_refusal("suslov", "I33", -1, "I33");
    expect_refusal("biinvariant-so3", "distribution", 0.5, "neither");
    expect_refusal("biinvariant-so3", "distribution", 2, "distribution");
    expect_refusal("rolling-ball", "m", 0, "'m'");
    expect_refusal("rolling-ball", "I4", 1, "Omega");
    expect_refusal("chaplygin-sphere", "r", -1, "'r'");
    expect_refusal("chaplygin-sleigh", "a", INFINITY, "'a'");
}

/* The defaults of the issue and of the papers. */
static void test_default_data(void **state)
{
    lg_model *M = open_model("rolling-ball");
    double g[MOST], xi[MOST];
    (void)state;
    start(M, g, xi);
    assert_true(g[0] == 1 && g[1] == 1 && g[5] == 1);
    assert_true(xi[0] == 1 && xi[1] == 1 && xi[2] == 0 && xi[3] == 2 && xi[4] == 0);
    lg_model_destroy(M);
    M = open_model("biinvariant-so3");
    start(M, g, xi);
    assert_true(fabs(xi[0] + 0.1118960767975264217) < 1e-15 && fabs(xi[1] + 0.05669314730775032954) < 1e-15);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_unknown_system),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_default_data),
        cmocka_unit_test(test_initial_data_are_consistent),
        cmocka_unit_test(test_derivatives_agree_with_differences),
        cmocka_unit_test(test_invariants_stay),
        cmocka_unit_test(test_exact_solutions),
        cmocka_unit_test(test_reference_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
