/* SPDX-License-Identifier: BSD-3-Clause */
/* The planar systems of the catalog, and those on which methods are known to fail: against the same physics written for
 * the tests (support/energy_systems.h), the continuous equations integrated in small steps, reference values, closed
 * forms; what the default method keeps and what others lose. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support/catalog_examples.h"
#include "support/energy_systems.h"
#include "support/matrix.h"
#include "support/reference.h"

typedef struct example {
    catalog_example x;
    const char *twin; /* the test system that it is, or NULL */
    int exact;        /* 1: there is a closed form */
    int undefined;    /* invariants that are NaN */
    double h;         /* a good step */
} example;

static const example examples[] = {
    {{"snakeboard", {{0}}}, NULL, 1, 0, 0.1},
    {{"snakeboard", {{"m", 3}, {"J", 0.2}, {"J0", 0.7}, {"J1", 0.05}, {"r", 0.6}}}, NULL, 1, 0, 0.1},
    {{"snakeboard", {{"m", 0.02}, {"J", 2}}}, NULL, 1, 0, 0.05},
    {{"snakeboard-planar", {{0}}}, "snakeboard", 1, 0, 0.1},
    {{"snakeboard-planar", {{"m", 3}, {"J", 0.2}, {"J0", 0.7}, {"J1", 0.05}, {"r", 0.6}}}, NULL, 1, 0, 0.1},
    {{"mobile-robot", {{0}}}, "robot", 0, 0, 0.05},
    {{"mobile-robot", {{"m", 2}, {"I", 0.3}, {"Iw", 0.4}, {"r", 0.7}}}, NULL, 0, 0, 0.05},
    {{"chaplygin-sleigh-planar", {{0}}}, "sleighM", 1, 0, 0.1},
    {{"chaplygin-sleigh-planar", {{"m", 1.5}, {"I", 0.4}, {"a", -0.7}}}, NULL, 1, 0, 0.05},
    {{"chaplygin-sleigh-planar", {{"a", 0}}}, NULL, 1, 2, 0.1},
    {{"cvt", {{0}}}, "cvt_rev", 0, 0, 0.05},
    {{"cvt", {{"c2", -0.1}}}, "cvt_non", 0, 0, 0.05},
    {{"cvt", {{"c2", -0.1}, {"quartic", 1}}}, "cvt_non4", 0, 0, 0.05},
    {{"contact-oscillator", {{0}}}, "contact_eps", 0, 0, 0.1},
    {{"contact-oscillator", {{"eps", 0}}}, "contact", 0, 0, 0.1},
    {{"contact-oscillator", {{"eps", 0}, {"shift", 1}}}, "contact_shift", 0, 0, 0.1},
    {{"two-link-arm", {{0}}}, "twolink", 0, 1, 0.02},
    {{"two-link-arm", {{"m1", 0.7}, {"m2", 1.6}, {"l1", 0.8}, {"l2", 1.3}}}, NULL, 0, 1, 0.02},
    {{"two-link-arm", {{"g", 0}, {"m2", 2}, {"l2", 0.5}}}, NULL, 0, 0, 0.02},
    {{"double-spherical-pendulum", {{0}}}, "dsp", 0, 0, 0.05},
    {{"double-spherical-pendulum", {{"m1", 0.3}, {"m2", 2}, {"l1", 1.4}, {"l2", 0.6}, {"g", 9.81}}}, NULL, 0, 0, 0.01},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

/* ---- what a definition says ---- */

/* The default data satisfy all constraints before any projection, whatever the parameters. */
static void test_initial_data(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = catalog_open(&examples[k].x);
        double g[SUITE_ELEMENT], xi[SUITE_DIM], A[SUITE_MATRIX], b[6], phi[2] = {0}, got[6];
        const lg_system *S = catalog_start(M, g, xi);
        const lg_call c = system_call(S, 0);
        const int m = system_rows(S, 0, g, A, b);
        assert_true(lg_group_is_valid(S->group, g, 1e-15));
        mat_apply(got, A, xi, m, lg_group_dim(S->group));
        for (int i = 0; i < m; i++) suite_near1("A xi", got[i], b[i], 4 * SUITE_EPS, 3);
        if (S->callbacks.holonomic_count) assert_int_equal(S->callbacks.holonomic(&c, g, phi), 0);
        suite_near("phi", phi, (double[2]){0}, 2, 4 * SUITE_EPS, 2);
        lg_model_destroy(M);
    }
}

/* The differences of lg_system_check() are good to 1e-10 of a function's size. */
static void test_derivatives(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = catalog_open(&examples[k].x);
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        const lg_system *S = catalog_start(M, g, xi);
        lg_rng rng = suite_rng(7);
        lg_error error;
        if (lg_system_check(S, &rng, g, suite_count(200), 1e-9, &error) != LG_OK) suite_fail("%s", error.message);
        assert_true((S->callbacks.potential == NULL) == (S->callbacks.potential_gradient == NULL));
        assert_true((S->callbacks.potential == NULL) == (S->callbacks.potential_hessian == NULL));
        assert_true((S->callbacks.metric == NULL) == (S->callbacks.metric_gradient == NULL));
        assert_true((S->constraint_count == 0) == (S->callbacks.covectors_derivative == NULL));
        assert_true((S->callbacks.holonomic_count == 0) == (S->callbacks.holonomic_differential == NULL));
        lg_model_destroy(M);
    }
}

static double potential_of(const lg_system *S, const double *g)
{
    const lg_call c = system_call(S, 0);
    double V = 0;
    if (S->callbacks.potential) assert_int_equal(S->callbacks.potential(&c, g, &V), 0);
    return V;
}

/* Metric, rows, potential, accelerations and start are those of the system in tests/support. */
static void test_twins(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        if (!examples[k].twin) continue;
        lg_model *M = catalog_open(&examples[k].x);
        test_system twin;
        double g0[SUITE_ELEMENT], xi0[SUITE_DIM], A[2][SUITE_MATRIX], b[6], J[2][SUITE_MATRIX], a[2][SUITE_DIM];
        const lg_system *S = catalog_start(M, g0, xi0);
        const int n = lg_group_dim(S->group);
        lg_rng rng = suite_rng(8);
        energy_system_make(&twin, examples[k].twin);
        for (int round = 0; round < suite_count(100); round++) {
            double q[SUITE_DIM], v[SUITE_DIM];
            suite_normal(q, n, &rng);
            suite_normal(v, n, &rng);
            system_project(S, 0, q, v);
            system_metric(S, 0, q, J[0]);
            system_metric(&twin.S, 0, q, J[1]);
            suite_near("J", J[0], J[1], n * n, 1e-15, 10);
            const int m = system_rows(S, 0, q, A[0], b);
            assert_int_equal(system_rows(&twin.S, 0, q, A[1], b), m);
            suite_near("A", A[0], A[1], m * n, 1e-15, 10);
            suite_near1("V", potential_of(S, q), potential_of(&twin.S, q), 1e-14, fmax(10, potential_of(S, q)));
            system_acceleration(S, 0, q, v, a[0], NULL);
            system_acceleration(&twin.S, 0, q, v, a[1], NULL);
            suite_near("acceleration", a[0], a[1], n, 1e-11, 10 + mat_norm(a[1], n));
        }
        if (strcmp(examples[k].twin, "sleighM") != 0) { /* which starts elsewhere */
            system_project(&twin.S, 0, twin.g0, twin.xi0);
            suite_near("g0", g0, twin.g0, n, 1e-15, 2);
            suite_near("xi0", xi0, twin.xi0, n, 1e-15, 2);
        }
        lg_model_destroy(M);
    }
}

/* The largest change of each invariant over the true motion: h^4 leaves 1e-10. */
static void test_invariants_stay(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = catalog_open(&examples[k].x);
        const lg_model_definition *d = lg_model_describe(M);
        double g[SUITE_ELEMENT], xi[SUITE_DIM], p[SUITE_DIM], first[8], now, scale = 1;
        const lg_system *S = catalog_start(M, g, xi);
        const lg_call c = system_call(S, 0);
        int undefined = 0;
        assert_true(d->invariant_count > 0 && d->invariant_count <= 8);
        for (int round = 0; round < 4; round++) {
            system_momentum(S, 0, g, xi, p);
            for (int i = 0; i < d->invariant_count; i++) {
                assert_int_equal(d->invariants[i].value(&c, g, p, &now), 0);
                if (round == 0) {
                    first[i] = now;
                    undefined += isnan(now) != 0;
                } else if (!isnan(first[i])) {
                    scale = fmax(1, fabs(first[i]));
                    suite_near1(d->invariants[i].name, now, first[i], 1e-10, scale);
                }
            }
            system_truth(S, 1, 1000, g, xi);
        }
        assert_int_equal(undefined, examples[k].undefined);
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
        if (k != 1) { /* 7 goes on from 2.5 */
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

static void test_exact(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = catalog_open(&examples[k].x);
        const lg_model_definition *d = lg_model_describe(M);
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        const lg_system *S = catalog_start(M, g, xi);
        const int n = lg_group_dim(S->group);
        assert_int_equal(d->exact != NULL, examples[k].exact);
        if (d->exact) {
            check_exact(M, S, g, xi, 3000);
            for (int i = 0; i < n; i++) xi[i] = -xi[i];
            check_exact(M, S, g, xi, 3000);
            for (int i = 0; i < 3 && n == 5; i++) xi[i] *= 0.01;
            if (n == 5) xi[4] = 5; /* a slow board with fast axles */
            check_exact(M, S, g, xi, n == 5 ? 12000 : 3000);
            for (int i = n == 5 ? 4 : 2; i < n; i++) xi[i] = 0; /* axles at rest; no turning */
            system_project(S, 0, g, xi);
            check_exact(M, S, g, xi, 3000);
            xi[n == 5 ? 2 : 1] += 0.1; /* off the constraint */
            assert_int_not_equal(d->exact(&(lg_call){.param = S->parameter_values, .t = 1, .lanes = 1}, g, xi,
                                          (double[6]){0}, (double[5]){0}),
                                 0);
        }
        lg_model_destroy(M);
    }
}

/* The truth of planar_*.json, computed with 35 digits. */
static void check_planar_truth(const char *file, const char *system, int angles)
{
    cJSON *root = ref_load(file);
    const cJSON *truth = ref_get(root, "truth");
    const catalog_example x = {.system = system};
    lg_model *M = catalog_open(&x);
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], q[5], v[5], got_q[5], got_v[5];
    const lg_system *S = catalog_start(M, g0, xi0);
    const int n = lg_group_dim(S->group);
    ref_exactly(q, n, root, "q0");
    ref_exactly(v, n, root, "v0");
    suite_near("q0", g0, q, n, SUITE_EPS, 1);
    suite_near("v0", xi0, v, n, 2 * SUITE_EPS, 2);
    int count = cJSON_GetArraySize(ref_get(truth, "t"));
    assert_true(count > 3);
    for (int i = 0; i < count; i++) {
        const double t = ref_number(cJSON_GetArrayItem(ref_get(truth, "t"), i));
        assert_int_equal(ref_numbers(q, n, cJSON_GetArrayItem(ref_get(truth, "q"), i)), n);
        assert_int_equal(ref_numbers(v, n, cJSON_GetArrayItem(ref_get(truth, "v"), i)), n);
        assert_int_equal(lg_model_describe(M)->exact(&(lg_call){.param = S->parameter_values, .t = t, .lanes = 1}, g0,
                                                     xi0, got_q, got_v),
                         0);
        for (int j = 2; j < 2 + angles; j++) q[j] = remainder(q[j], 2 * SUITE_PI);
        suite_near("q", got_q, q, n, 1e-13, 10);
        suite_near("v", got_v, v, n, 1e-13, 10);
    }
    lg_model_destroy(M);
    cJSON_Delete(root);
}

static void test_planar_truth(void **state)
{
    (void)state;
    check_planar_truth("planar_snakeboard.json", "snakeboard-planar", 3);
    check_planar_truth("planar_sleigh.json", "chaplygin-sleigh-planar", 1);
}

static void same_energy(const lg_system *SB, const double *g, const double *xi, const lg_system *SP, const double *q,
                        const double *v)
{
    double p[2][SUITE_DIM], H[2] = {0, 1};
    for (int i = 0; i < lg_group_dim(SB->group); i++) { /* with every velocity alone, too: the metric's diagonal */
        double alone[SUITE_DIM] = {0};
        alone[i] = 1;
        system_momentum(SB, 0, g, alone, p[0]);
        system_momentum(SP, 0, q, alone, p[1]);
        suite_near1("diagonal of J", p[0][i], p[1][i], 1e-15, 1);
    }
    system_momentum(SB, 0, g, xi, p[0]);
    system_momentum(SP, 0, q, v, p[1]);
    suite_ok("H", lg_system_energy(SB, &H[0], 0, g, p[0], NULL));
    suite_ok("H", lg_system_energy(SP, &H[1], 0, q, p[1], NULL));
    suite_near1("H", H[0], H[1], 1e-14, 1);
}

/* Rows of the plane in the body's axes. */
static void same_rows(const lg_system *SB, const double *g, const lg_system *SP, const double *q)
{
    double A[2][SUITE_MATRIX], b[6];
    const int n = lg_group_dim(SB->group), m = system_rows(SB, 0, g, A[0], b);
    assert_int_equal(system_rows(SP, 0, q, A[1], b), m);
    for (int i = 0; i < m; i++) {
        double *row = A[1] + i * n;
        const double along = g[2] * row[0] + g[3] * row[1], across = g[2] * row[1] - g[3] * row[0];
        row[0] = along;
        row[1] = across;
    }
    suite_near("rows", A[0], A[1], m * n, 4 * SUITE_EPS, 1);
}

/* Both group structures show the same motion of the same body. */
static void test_same_board_and_sleigh(void **state)
{
    static const char *const pairs[][2] = {{"snakeboard", "snakeboard-planar"},
                                           {"chaplygin-sleigh", "chaplygin-sleigh-planar"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const catalog_example body = {.system = pairs[k][0]}, plane = {.system = pairs[k][1]};
        lg_model *B = catalog_open(&body), *P = catalog_open(&plane);
        double g[SUITE_ELEMENT], xi[SUITE_DIM], q[SUITE_ELEMENT], v[SUITE_DIM], p[2][SUITE_DIM], value[2];
        const lg_system *SB = catalog_start(B, g, xi), *SP = catalog_start(P, q, v);
        const int n = lg_group_dim(SB->group);
        const lg_call c = system_call(SB, 0);
        g[0] = q[0], g[1] = q[1], g[2] = cos(q[2]), g[3] = sin(q[2]);
        for (int i = 2; i < n; i++) xi[i] = v[i];
        xi[0] = v[0] * g[2] + v[1] * g[3];
        xi[1] = v[1] * g[2] - v[0] * g[3];
        same_energy(SB, g, xi, SP, q, v);
        if (k == 0) same_rows(SB, g, SP, q);
        system_truth(SB, 2, 4000, g, xi);
        system_truth(SP, 2, 4000, q, v);
        const double speed[2] = {g[2] * xi[0] - g[3] * xi[1], g[3] * xi[0] + g[2] * xi[1]};
        suite_near("(x, y)", g, q, 2, 1e-11, 1);
        suite_near1("theta", sin(atan2(g[3], g[2]) - q[2]), 0, 1e-11, 1);
        suite_near("(x', y')", speed, v, 2, 1e-11, 1);
        suite_near("other velocities", xi + 2, v + 2, n - 2, 1e-11, 1);
        system_momentum(SB, 0, g, xi, p[0]);
        system_momentum(SP, 0, q, v, p[1]);
        for (int i = 0; i < lg_model_describe(B)->invariant_count; i++) {
            assert_int_equal(lg_model_describe(B)->invariants[i].value(&c, g, p[0], &value[0]), 0);
            assert_int_equal(lg_model_describe(P)->invariants[i].value(&c, q, p[1], &value[1]), 0);
            suite_near1(lg_model_describe(B)->invariants[i].name, value[0], value[1], 1e-10, 1);
        }
        lg_model_destroy(B);
        lg_model_destroy(P);
    }
}

/* ---- the default method ---- */

/* Energy up to the Gauss error of the arcs (two-link-arm: 1e-11; cosines of angles of 0.1 in a step: 1e-13 each), all
 * constraints to round-off of their own size. */
static void test_sem_keeps(void **state)
{
    (void)state;
    for (int k = 0; k < EXAMPLES; k++) {
        lg_model *M = catalog_open(&examples[k].x);
        const lg_run_result r = catalog_run(M, "sem", examples[k].h, suite_count(2000));
        const double size = fmax(1, fmax(fabs(r.energy_low), fabs(r.energy_high)));
        suite_below("energy", (r.energy_high - r.energy_low) / size, 1e-11);
        suite_below("constraint", r.constraint, 2e-14);
        if (!isnan(r.holonomic)) suite_below("phi", r.holonomic, 2e-14);
        assert_true(r.work == 0 || isnan(r.work));
        lg_model_destroy(M);
    }
}

/* ---- refusals ---- */

static void refuse(const char *system, const char *parameter, double value, const char *word)
{
    const catalog_example x = {.system = system};
    lg_model *M = catalog_open(&x);
    const lg_system *S = NULL;
    lg_status status = lg_model_set(M, parameter, value);
    if (status == LG_OK) status = lg_model_system(M, &S);
    suite_input(parameter, &value, 1);
    suite_status("refused", status, LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), word);
    lg_model_destroy(M);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("snakeboard", "r", 0, "'r' of snakeboard must be > 0");
    refuse("snakeboard-planar", "J", -0.5, "'J' of snakeboard-planar must be > 0");
    refuse("mobile-robot", "Iw", 0, "'Iw'");
    refuse("mobile-robot", "R", 1, "m, I, Iw, r");
    refuse("chaplygin-sleigh-planar", "I", -1, "'I'");
    refuse("chaplygin-sleigh-planar", "a", NAN, "finite");
    refuse("cvt", "quartic", -1, "'quartic' of cvt must be >= 0");
    refuse("cvt", "c2", INFINITY, "finite");
    refuse("contact-oscillator", "eps", -0.1, ">= 0");
    refuse("contact-oscillator", "shift", 0.5, "shift = 0.5 is neither 0 (plain) nor 1");
    refuse("contact-oscillator", "shift", 2, "in [0, 1]");
    refuse("two-link-arm", "l2", 0, "'l2'");
    refuse("double-spherical-pendulum", "m1", 0, "'m1'");
    refuse("double-spherical-pendulum", "l1", -1, "'l1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_initial_data),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_invariants_stay),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_planar_truth),
        cmocka_unit_test(test_same_board_and_sleigh),
        cmocka_unit_test(test_sem_keeps),
        cmocka_unit_test(test_refusals),
    };
    suite_begin("planar");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
