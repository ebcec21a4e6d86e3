/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_system: what validate refuses and says, what check finds, energy and projectors against their definitions. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "support/laned.h"
#include "support/matrix.h"
#include "support/systems.h"

static void refused(const char *what, const lg_system *S, lg_status want, const char *word)
{
    lg_error e;
    suite_case("%s", what);
    suite_status(what, lg_system_validate(S, &e), want);
    assert_int_equal(e.status, want);
    suite_contains("message", e.message, word);
    suite_status("without an error to fill", lg_system_validate(S, NULL), want);
}

/* Every test system is complete and its derivatives are right. */
static void test_good_systems(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        lg_error e;
        lg_rng rng = suite_rng(30000 + (uint64_t)i);
        test_system_make(&t, test_system_names[i]);
        suite_case("%s", t.name);
        suite_ok("validate", lg_system_validate(&t.S, &e));
        assert_string_equal(e.message, "");
        if (lg_system_check(&t.S, &rng, t.g0, 20, 0, &e) != LG_OK) suite_fail("near g0: %s", e.message);
        if (strstr(t.name, "so3_bi") == NULL && lg_system_check(&t.S, &rng, NULL, 20, 0, &e) != LG_OK)
            suite_fail("anywhere: %s", e.message);
    }
}

static void test_contradictions(void **state)
{
    (void)state;
    test_system t, v;
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, diagonal[3] = {1, 1, 1};
    test_system_make(&t, "suslov");
    test_system_make(&v, "particle");
    lg_system S;
    refused("no system", NULL, LG_ERROR_ARGUMENT, "NULL");
    S = lg_system_default(NULL);
    refused("no group", &S, LG_ERROR_ARGUMENT, "group");
    S = lg_system_default(lg_so3());
    refused("no metric", &S, LG_ERROR_ARGUMENT, "inertia");
    S.inertia = one;
    suite_ok("a metric is enough", lg_system_validate(&S, NULL));
    S.inertia_diagonal = diagonal;
    refused("two metrics", &S, LG_ERROR_ARGUMENT, "metric");
    S = t.S;
    S.size = 8;
    refused("wrong size", &S, LG_ERROR_ARGUMENT, "size");
    S = t.S;
    S.constraint_count = 4;
    refused("more rows than dimensions", &S, LG_ERROR_ARGUMENT, "expected 0 to 3");
    S.constraint_count = -1;
    refused("negative number of rows", &S, LG_ERROR_ARGUMENT, "-1");
    S = t.S;
    S.covector_matrix = NULL;
    refused("rows missing", &S, LG_ERROR_ARGUMENT, "covector");
    S = t.S;
    S.callbacks.covectors = v.S.callbacks.covectors;
    refused("rows twice", &S, LG_ERROR_ARGUMENT, "covector");
    S = t.S;
    S.constraint_count = 0;
    refused("rows without their number", &S, LG_ERROR_ARGUMENT, "constraints");
    S = v.S;
    S.callbacks.potential = NULL;
    refused("gradient without potential", &S, LG_ERROR_ARGUMENT, "potential");
    lg_group lame = *lg_so3();
    lame.kind = LG_KIND_USER;
    lame.Ad = NULL;
    S = t.S;
    S.group = &lame;
    refused("a group without Ad", &S, LG_ERROR_ARGUMENT, "Ad");
}

static void test_bad_numbers(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "suslov");
    lg_system S = t.S;
    double J[9], rows[6] = {1, 0, 2, -0.5, 0, -1};
    memcpy(J, t.S.inertia, sizeof J);
    S.inertia = J;
    J[1] = 0.2;
    refused("asymmetric inertia", &S, LG_ERROR_SINGULAR, "(1,2)");
    J[1] = t.S.inertia[1];
    J[8] = 0.01;
    refused("indefinite inertia", &S, LG_ERROR_SINGULAR, "pivot 3");
    J[8] = NAN;
    refused("NaN in the inertia", &S, LG_ERROR_NOT_FINITE, "(3,3)");
    const double negative[3] = {1, -2, 1}, zero[3] = {1, 2, 0}, infinite[3] = {INFINITY, 1, 1};
    S.inertia = NULL;
    S.inertia_diagonal = negative;
    refused("negative inertia", &S, LG_ERROR_SINGULAR, "entry 2");
    S.inertia_diagonal = zero;
    refused("zero inertia", &S, LG_ERROR_SINGULAR, "entry 3");
    S.inertia_diagonal = infinite;
    refused("infinite inertia", &S, LG_ERROR_NOT_FINITE, "entry 1");
    S = t.S;
    S.constraint_count = 2;
    S.covector_matrix = rows;
    refused("dependent rows", &S, LG_ERROR_SINGULAR, "row 2");
    rows[3] = -0.5 + 1e-15; /* dependent to rounding */
    refused("nearly dependent rows", &S, LG_ERROR_SINGULAR, "row 2");
    rows[0] = rows[2] = 0;
    refused("a zero row", &S, LG_ERROR_SINGULAR, "row 1");
    rows[0] = NAN;
    refused("NaN in a row", &S, LG_ERROR_NOT_FINITE, "covector");
    rows[0] = 1e-100, rows[1] = 0, rows[2] = 2e-100, rows[3] = 0, rows[4] = 1e100, rows[5] = 0;
    suite_case("rows of very different size");
    suite_ok("validate", lg_system_validate(&S, NULL));
    S = t.S;
    S.projector_metric = J;
    refused("NaN in the projector metric", &S, LG_ERROR_NOT_FINITE, "projector_metric");
}

/* ---- derivatives that are wrong in one entry ---- */

typedef struct wrong {
    const test_system *t;
    int entry; /* the one that is off */
    double by;
    int code; /* returned by the callback that is asked for */
    int nan;  /* it returns NaN instead */
} wrong;

static int wrong_dV(const lg_call *c, const double *g, double *out)
{
    const wrong *w = c->context;
    w->t->S.callbacks.potential_gradient(c, g, out);
    out[w->entry] = w->nan ? NAN : out[w->entry] + w->by;
    return w->code;
}

static int wrong_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    const wrong *w = c->context;
    int m = w->t->S.constraint_count * lg_group_dim(w->t->S.group);
    w->t->S.callbacks.covectors_derivative(c, g, eta, dmu, dY);
    double *out = w->entry < m ? &dmu[w->entry] : &dY[w->entry - m];
    *out = w->nan ? NAN : *out + w->by;
    return w->code;
}

static int curved_metric(const lg_call *c, const double *g, double *J)
{
    (void)c;
    J[0] = 2 + sin(g[0]);
    J[4] = 3 + g[0] * g[1];
    J[8] = 1 + g[2] * g[2];
    J[1] = J[3] = 0.3 * cos(g[1]);
    return 0;
}

static int curved_dT(const lg_call *c, const double *g, const double *xi, double *out)
{
    const wrong *w = c->context;
    out[0] = 0.5 * (cos(g[0]) * xi[0] * xi[0] + g[1] * xi[1] * xi[1]);
    out[1] = 0.5 * g[0] * xi[1] * xi[1] - 0.3 * sin(g[1]) * xi[0] * xi[1];
    out[2] = g[2] * xi[2] * xi[2];
    out[w->entry] = w->nan ? NAN : out[w->entry] + w->by;
    return w->code;
}

static void found(const wrong *w, const lg_system *S, lg_status want, const char *word, const char *entry)
{
    lg_rng rng = suite_rng(31000);
    lg_error e;
    lg_status status = lg_system_check(S, &rng, w->t->g0, 5, 0, &e);
    if (status != want) suite_fail("%s instead of %s: %s", lg_status_name(status), lg_status_name(want), e.message);
    suite_contains("which callback", e.message, word);
    suite_contains("which entry", e.message, entry);
}

/* Indices are ints: a system whose n * n is not an int is refused before anything is allocated. */
static void test_too_large(void **state)
{
    static double one[50000];
    lg_group *G = NULL, *P = NULL;
    lg_error e;
    (void)state;
    for (int i = 0; i < 50000; i++) one[i] = 1;
    for (int n = 10001; n <= 50000; n += 39999) {
        suite_ok("R^n", lg_group_create_rn(&G, n));
        lg_system S = lg_system_default(G);
        S.inertia_diagonal = one;
        suite_status("a system", lg_system_validate(&S, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, "at most 10000");
        lg_group_destroy(G);
    }
    suite_status("R^n", lg_group_create_rn(&G, INT_MAX), LG_ERROR_ARGUMENT);
    suite_status("T^n", lg_group_create_torus(&G, INT_MAX), LG_ERROR_ARGUMENT);
    suite_ok("R^n", lg_group_create_rn(&G, INT_MAX / 2 - 1));
    const lg_group *const factors[] = {G, G, G};
    suite_status("a product", lg_group_create_product(&P, factors, 3), LG_ERROR_ARGUMENT);
    lg_group_destroy(G);
}

/* A share of an inertia that is left when the others give way. */
static void test_nearly_singular(void **state)
{
    lg_error e;
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int k = 0; k < 16; k++) {
            const double eps = pow(10, -k), scale = pow(10, sign * 8);
            const double J[9] = {1, 0.6, 1 * scale, 0.6, 1, 0.6 * scale, scale, 0.6 * scale, (1 + eps) * scale * scale};
            lg_system S = lg_system_default(lg_so3());
            S.inertia = J;
            const lg_status st = lg_system_validate(&S, &e);
            suite_case("1e-%d", k);
            if (k < 7) suite_ok("inertia", st);
            if (k < 8) continue;
            suite_status("inertia", st, LG_ERROR_SINGULAR);
            suite_contains("message", e.message, "inertia is n");
        }
    const double light[3] = {1e-12, 1, 1e12};
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = light;
    suite_ok("a diagonal", lg_system_validate(&S, &e));
}

static void test_wrong_derivatives(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "reduced_affine");
    wrong w = {.t = &t};
    lg_system S = t.S;
    S.context = &w;
    S.callbacks.potential_gradient = wrong_dV;
    w.by = 1e-4;
    static const char *const entries[] = {"entry 1", "entry 2", "entry 3", "entry 4", "entry 5"};
    for (w.entry = 0; w.entry < 5; w.entry++) {
        suite_case("potential_gradient, %s", entries[w.entry]);
        found(&w, &S, LG_ERROR_ARGUMENT, "potential_gradient", entries[w.entry]);
    }
    w.entry = 1;
    w.by = 1e-9; /* below the tolerance */
    suite_case("a difference below the tolerance");
    found(&w, &S, LG_OK, "", "");
    w.nan = 1;
    suite_case("potential_gradient returns NaN");
    found(&w, &S, LG_ERROR_NOT_FINITE, "potential_gradient", "entry 2");
    w.nan = 0;
    w.code = 5;
    suite_case("potential_gradient fails");
    found(&w, &S, LG_ERROR_CALLBACK, "potential_gradient", "5");
    w.code = 0;
    w.by = 1e-4;
    S.callbacks.potential_gradient = t.S.callbacks.potential_gradient;
    S.callbacks.covectors_derivative = wrong_along;
    suite_case("covectors_derivative, row 2, column 4");
    w.entry = 8;
    found(&w, &S, LG_ERROR_ARGUMENT, "covectors_derivative", "(2,4)");
    suite_case("covectors_derivative, drift 3");
    w.entry = 12;
    found(&w, &S, LG_ERROR_ARGUMENT, "drift", "entry 3");
    w.nan = 1;
    suite_case("covectors_derivative returns NaN");
    found(&w, &S, LG_ERROR_NOT_FINITE, "covectors_derivative", "entry 3");
    w.code = 6;
    suite_case("covectors_derivative fails");
    found(&w, &S, LG_ERROR_CALLBACK, "covectors_derivative", "6");
}

static void test_wrong_metric_gradient(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "particle");
    wrong w = {.t = &t};
    lg_system S = t.S;
    S.context = &w;
    S.inertia_diagonal = NULL;
    S.callbacks.metric = curved_metric;
    S.callbacks.metric_gradient = curved_dT;
    suite_case("metric_gradient is right");
    found(&w, &S, LG_OK, "", "");
    w.by = 1e-3;
    w.entry = 2;
    suite_case("metric_gradient, entry 3");
    found(&w, &S, LG_ERROR_ARGUMENT, "metric_gradient", "entry 3");
    w.code = 9;
    suite_case("metric_gradient fails");
    found(&w, &S, LG_ERROR_CALLBACK, "metric_gradient", "9");
}

/* Shapes at points: an indefinite metric, NaN from rows and potential, rows that vanish somewhere. */
static int bad_metric(const lg_call *c, const double *g, double *J)
{
    (void)c, (void)g;
    J[0] = J[4] = 1;
    J[8] = -1;
    return 0;
}

static int nan_V(const lg_call *c, const double *g, double *V)
{
    (void)c, (void)g;
    *V = NAN;
    return 0;
}

static int nan_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)g, (void)Y;
    mu[0] = NAN;
    return 0;
}

static int zero_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c, (void)g, (void)mu, (void)Y;
    return 0;
}

static int failing_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)zero_rows(c, g, mu, Y);
    return -3;
}

static void test_check_finds_shapes(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "particle");
    wrong w = {.t = &t};
    lg_system S = t.S;
    S.inertia_diagonal = NULL;
    S.callbacks.metric = bad_metric;
    suite_case("indefinite metric");
    found(&w, &S, LG_ERROR_SINGULAR, "metric", "pivot 3");
    S = t.S;
    S.callbacks.potential = nan_V;
    S.callbacks.potential_gradient = NULL;
    suite_case("NaN potential");
    found(&w, &S, LG_ERROR_NOT_FINITE, "potential", "nan");
    S = t.S;
    S.callbacks.covectors_derivative = NULL;
    S.callbacks.covectors = nan_rows;
    suite_case("NaN rows");
    found(&w, &S, LG_ERROR_NOT_FINITE, "covectors", "");
    S.callbacks.covectors = zero_rows;
    suite_case("zero rows");
    found(&w, &S, LG_ERROR_SINGULAR, "covectors", "row 1");
    S.callbacks.covectors = failing_rows;
    suite_case("failing rows");
    found(&w, &S, LG_ERROR_CALLBACK, "covectors", "-3");
    lg_rng rng = suite_rng(1);
    suite_status("no points", lg_system_check(&t.S, &rng, NULL, 0, 0, NULL), LG_ERROR_ARGUMENT);
    suite_status("no generator", lg_system_check(&t.S, NULL, NULL, 3, 0, NULL), LG_ERROR_ARGUMENT);
    suite_status("no system", lg_system_check(NULL, &rng, NULL, 3, 0, NULL), LG_ERROR_ARGUMENT);
}

/* P* + Q* = 1, P*^2 = P*, Q* A^T = A^T, A J'^-1 P* = 0, Pi = J Y; the rank of Q* is m. */
static void check_projectors(const test_system *t, const lg_system *S, const double *metric)
{
    int n = lg_group_dim(S->group), m = S->constraint_count;
    double P[36], Q[36], Pi[6], PP[36], E[36], A[12] = {0}, Y[6] = {0}, AT[12], w[36], trace = 0, Z[36] = {0};
    static const double start = 0;
    const lg_call c = lg_system_call(S, &start, NULL);
    suite_ok("projectors", lg_system_projectors(S, P, Q, Pi, 0, t->g0, NULL));
    mat_identity(E, n);
    for (int i = 0; i < n * n; i++) w[i] = P[i] + Q[i];
    suite_near("P* + Q* = 1", w, E, n * n, 4 * SUITE_EPS, 1 + mat_norm(Q, n * n));
    mat_mul(PP, P, P, n, n, n);
    suite_near("P*^2 = P*", PP, P, n * n, 64 * SUITE_EPS, 1 + mat_norm(P, n * n) * mat_norm(P, n * n));
    if (S->covector_matrix != NULL) memcpy(A, S->covector_matrix, sizeof(double) * (size_t)(m * n));
    if (S->callbacks.covectors != NULL) S->callbacks.covectors(&c, t->g0, A, Y);
    if (S->callbacks.drift != NULL) S->callbacks.drift(&c, t->g0, Y);
    for (int a = 0; a < m; a++) {
        double JinvA[6];
        mat_apply(AT, Q, A + a * n, n, n);
        suite_near("Q* A^T = A^T", AT, A + a * n, n, 64 * SUITE_EPS, mat_norm(A, m * n) * (1 + mat_norm(Q, n * n)));
        assert_true(mat_solve(JinvA, metric, A + a * n, n));
        mat_mul(w, JinvA, P, 1, n, n);
        suite_near("A J'^-1 P* = 0", w, Z, n, 64 * SUITE_EPS, 1 + mat_norm(JinvA, n) * mat_norm(P, n * n));
    }
    for (int i = 0; i < n; i++) trace += Q[i * n + i];
    suite_near1("trace of Q* = m", trace, m, 64 * SUITE_EPS, 1 + mat_norm(Q, n * n));
    double J[36] = {0}, want[6];
    for (int j = 0; j < n; j++) J[j * n + j] = S->inertia_diagonal != NULL ? S->inertia_diagonal[j] : 0;
    if (S->inertia != NULL) memcpy(J, S->inertia, sizeof(double) * (size_t)(n * n));
    mat_apply(want, J, Y, n, n);
    suite_near("Pi = J Y", Pi, want, n, 8 * SUITE_EPS, 1 + mat_norm(want, n));
    suite_ok("outputs may be missing", lg_system_projectors(S, NULL, NULL, NULL, 0, t->g0, NULL));
}

static void test_projectors(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        double J[36] = {0}, other[36];
        test_system_make(&t, test_system_names[i]);
        int n = lg_group_dim(t.S.group);
        suite_case("projectors of %s", t.name);
        for (int j = 0; j < n; j++) J[j * n + j] = t.S.inertia_diagonal != NULL ? t.S.inertia_diagonal[j] : 0;
        if (t.S.inertia != NULL) memcpy(J, t.S.inertia, sizeof(double) * (size_t)(n * n));
        check_projectors(&t, &t.S, J);
        suite_case("projectors of %s in another metric", t.name);
        for (int j = 0; j < n * n; j++) other[j] = j % (n + 1) == 0 ? 2 + 0.3 * (j % 5) : 0.1 * cos(j / n + j % n);
        lg_system S = t.S;
        S.projector_metric = other;
        check_projectors(&t, &S, other);
    }
}

/* Callbacks that are said to understand lanes answer for as many as a width has as for each alone, to the
 * bit. */
static void test_check_finds_lanes(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        laned o;
        lg_error e = {LG_OK, ""};
        lg_rng rng = suite_rng(31000 + (uint64_t)i);
        test_system_make(&t, test_system_names[i]);
        const int asked = t.S.callbacks.potential || t.S.callbacks.covectors || t.S.callbacks.drift ||
                          t.S.callbacks.force || t.S.callbacks.metric || t.S.callbacks.holonomic_count;
        suite_case("lanes of %s", t.name);
        lg_system S = laned_make(&o, &t.S, LG_LANES_EQUAL_TIME | (i % 2 ? LG_LANES_DERIVATIVES : 0));
        if (lg_system_check(&S, &rng, t.g0, 5, 0, &e) != LG_OK) suite_fail("%s", e.message);
        if (asked) assert_true(o.together > 0);
        S = t.S, S.callbacks.lanes = 1; /* callbacks of the tests look at the first instance alone */
        if (strncmp(t.name, "reduced_", 8) != 0) continue;
        suite_status("no lanes", lg_system_check(&S, &rng, t.g0, 5, 0, &e), LG_ERROR_ARGUMENT);
        suite_contains("message", e.message, "i*lanes + l");
    }
}

/* Two motors and drag, by callbacks that take the controls, or the velocity, of the first instance for all. */
typedef struct mistake {
    int control, velocity;
} mistake;

static int motors(const lg_call *c, const double *g, const double *xi, double *f)
{
    const mistake *slip = c->context;
    const int L = c->lanes;
    (void)g;
    for (int l = 0; l < L; l++)
        for (int i = 0; i < 2; i++)
            f[i * L + l] = c->control[i * L + (slip->control ? 0 : l)] - xi[i * L + (slip->velocity ? 0 : l)];
    return 0;
}

static void test_check_finds_whose_controls(void **state)
{
    static const double inertia[3] = {1, 2, 3}, g0[4] = {0, 0, 1, 0};
    (void)state;
    for (int k = 0; k < 3; k++) {
        mistake slip = {k == 1, k == 2};
        lg_error e = {LG_OK, ""};
        lg_rng rng = suite_rng(32000);
        lg_system S = lg_system_default(lg_se2());
        S.inertia_diagonal = inertia, S.callbacks.force = motors, S.callbacks.control_count = 2, S.callbacks.lanes = 1,
        S.context = &slip;
        suite_case("whose controls, %d", k);
        suite_status("check", lg_system_check(&S, &rng, g0, 3, 0, &e), k == 0 ? LG_OK : LG_ERROR_ARGUMENT);
        if (k > 0) suite_contains("message", e.message, "force: entry 1 of instance 2 of 2");
    }
}

int main(void)
{
    suite_begin("systems");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_systems),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_nearly_singular),
        cmocka_unit_test(test_wrong_derivatives),
        cmocka_unit_test(test_wrong_metric_gradient),
        cmocka_unit_test(test_check_finds_shapes),
        cmocka_unit_test(test_check_finds_lanes),
        cmocka_unit_test(test_check_finds_whose_controls),
        cmocka_unit_test(test_projectors),
    };
    return cmocka_run_group_tests_name("systems", tests, NULL, NULL);
}
