/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders over five step sizes (docs/theory.md sections 4 and 5): against the independently integrated truth of
 * group_truth.json where there is one, against Richardson's own finest run elsewhere. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/roster.h"
#include "support/systems.h"

static const char *const retractions[] = {"cayley", "exp"};
enum { LEVELS = 5 };

/* g (as a matrix), p~ and what else is looked at at t = 1; H(p~) less what it was at the start. */
typedef struct state_at_1 {
    double M[SUITE_MATRIX], p[SUITE_DIM], multipliers[4], post[SUITE_DIM], gain;
} state_at_1;

static void run(state_at_1 *out, const test_system *t, const char *method, const char *retraction, int count,
                lg_start start)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, &t->S, method, retraction, 1.0 / count) != LG_OK)
        suite_fail("create: %s", lg_integrator_message(it));
    if (lg_integrator_start(it, 0, t->g0, t->xi0, start, 0) != LG_OK)
        suite_fail("start: %s", lg_integrator_message(it));
    memset(out, 0, sizeof *out);
    out->gain = -lg_integrator_energy(it);
    if (lg_integrator_run(it, count, count, NULL, NULL) != LG_OK) suite_fail("run: %s", lg_integrator_message(it));
    out->gain += lg_integrator_energy(it);
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, out->M, lg_integrator_configuration(it)));
    memcpy(out->p, lg_integrator_momentum(it), sizeof(double) * (size_t)lg_group_dim(t->S.group));
    memcpy(out->post, lg_integrator_momentum_minus(it), sizeof(double) * (size_t)lg_group_dim(t->S.group));
    memcpy(out->multipliers, lg_integrator_multipliers(it), sizeof(double) * (size_t)t->S.constraint_count);
    lg_integrator_destroy(it);
}

/* The truth at t = 1 from the file; 0 if this system is not in it. */
static int truth_of(state_at_1 *out, const test_system *t, const cJSON *root)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, t->name);
    memset(out, 0, sizeof *out);
    if (item == NULL) return 0;
    double g[SUITE_ELEMENT];
    test_system_element(t->S.group, g, ref_get(ref_get(item, "t=1"), "g"));
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, out->M, g));
    ref_exactly(out->p, lg_group_dim(t->S.group), ref_get(item, "t=1"), "p");
    return 1;
}

/* Least-squares slope of log error against log h. */
static double slope(const double *error, const int *counts, int n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        double x = -log(counts[i]), y = log(error[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

typedef struct orders {
    double g, p, post;
    double least_g, least_p; /* errors at the finest step: round-off where the method is exact */
} orders;

static orders measure(const test_system *t, const state_at_1 *truth, const char *method, const char *retraction,
                      lg_start start)
{
    static const int counts[LEVELS] = {40, 80, 160, 320, 640};
    double eg[LEVELS], ep[LEVELS], em[LEVELS];
    int N = lg_group_matrix_size(t->S.group), n = lg_group_dim(t->S.group);
    for (int i = 0; i < LEVELS; i++) {
        state_at_1 s;
        run(&s, t, method, retraction, counts[i], start);
        eg[i] = suite_distance(s.M, truth->M, N * N);
        ep[i] = suite_distance(s.p, truth->p, n);
        em[i] = suite_distance(s.post, truth->p, n);
    }
    return (orders){slope(eg, counts, LEVELS), slope(ep, counts, LEVELS), slope(em, counts, LEVELS), eg[LEVELS - 1],
                    ep[LEVELS - 1]};
}

/* Where no truth is on file: a run with 1/8 of the finest step, extrapolated once (order 2 with even powers). */
static void own_truth(state_at_1 *out, const test_system *t)
{
    state_at_1 fine, coarse;
    run(&fine, t, "gni", "exp", 4096, LG_START_REACTION);
    run(&coarse, t, "gni", "exp", 2048, LG_START_REACTION);
    *out = fine;
    for (int i = 0; i < SUITE_MATRIX; i++) out->M[i] += (fine.M[i] - coarse.M[i]) / 3;
    for (int i = 0; i < SUITE_DIM; i++) out->p[i] += (fine.p[i] - coarse.p[i]) / 3;
}

static void near_order(const char *what, double got, double want, double margin)
{
    if (!(fabs(got - want) <= margin)) suite_fail("%s: order %.3f instead of %.1f", what, got, want);
}

typedef struct expectation {
    const char *method;
    double order;
} expectation;

static const expectation expected[] = {
    {"gni:trapezoidal", 2}, {"gni:midpoint", 2}, {"gni:euler-a", 1}, {"gni:euler-b", 1}};

static void test_orders(void **state)
{
    (void)state;
    cJSON *root = ref_load("group_truth.json");
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        state_at_1 truth;
        test_system_make(&t, test_system_names[i]);
        suite_case("truth of %s", t.name);
        int on_file = truth_of(&truth, &t, root);
        if (!on_file) own_truth(&truth, &t);
        for (int k = 0; k < 8; k++) {
            const expectation *e = &expected[k / 2];
            if (e->order < 2 && t.S.callbacks.potential == NULL) continue; /* V = 0: all four coincide */
            suite_case("order of %s, %s, %s%s", t.name, e->method, retractions[k % 2], on_file ? "" : " (own truth)");
            orders o = measure(&t, &truth, e->method, retractions[k % 2], LG_START_REACTION);
            int exact = strcmp(t.name, "so3_right") == 0; /* p~ always (T2), g with exp: a one-parameter subgroup */
            if (!exact || k % 2 == 0) near_order("g", o.g, e->order, 0.02);
            if (!exact) near_order("p~", o.p, e->order, 0.02);
            if (exact) suite_below("p~ of so3_right", o.least_p, 1e-12);
            if (exact && k % 2) suite_below("g of so3_right with exp", o.least_g, 1e-12);
        }
    }
    cJSON_Delete(root);
}

/* Without rows: the top of veselova_top set free. (With them a kick that is off along gamma would be projected away.)
 */
static void test_variational_orders(void **state)
{
    (void)state;
    static const expectation free_expected[] = {{"variational:trapezoidal", 2},
                                                {"variational:midpoint", 2},
                                                {"variational:euler-a", 1},
                                                {"variational:euler-b", 1}};
    test_system t;
    state_at_1 truth;
    test_system_make(&t, "veselova_top");
    t.S.constraint_count = 0;
    t.S.callbacks.covectors = NULL;
    t.S.callbacks.covectors_derivative = NULL;
    own_truth(&truth, &t);
    for (int k = 0; k < 8; k++) {
        const expectation *e = &free_expected[k / 2];
        suite_case("order of the free top, %s, %s", e->method, retractions[k % 2]);
        /* the start `reaction` turns the Euler methods into Verlet's: their positions would have order 2 */
        orders o =
            measure(&t, &truth, e->method, retractions[k % 2], e->order < 2 ? LG_START_LEGENDRE : LG_START_REACTION);
        near_order("g", o.g, e->order, 0.02);
        near_order("p", o.p, e->order, 0.02);
    }
}

/* J(g) = J_0 + 0.3 diag(R00^2, R11^2, R22^2) on SO(3), its slope left to differences. */
static int curved_metric(const lg_call *c, const double *g, double *J)
{
    static const double J0[9] = {1, 0.1, 0.3, 0.1, 1.4, 0.2, 0.3, 0.2, 2};
    double R[9];
    (void)c;
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g));
    for (int i = 0; i < 9; i++) J[i] = J0[i] + (i % 4 == 0 ? 0.3 * R[i] * R[i] : 0);
    return 0;
}

/* A metric that depends on the configuration: trapezoidal and midpoint converge with order 2 to the same motion, with
 * rows and without, and the energy of that motion is constant (which it is only if dT is right). */
static void test_metric_orders(void **state)
{
    (void)state;
    static const int counts[LEVELS] = {40, 80, 160, 320, 640};
    for (int free = 0; free < 2; free++) {
        test_system t;
        state_at_1 truth;
        test_system_make(&t, "veselova_top");
        t.S.inertia = NULL;
        t.S.callbacks.metric = curved_metric;
        if (free) {
            t.S.constraint_count = 0;
            t.S.callbacks.covectors = NULL;
            t.S.callbacks.covectors_derivative = NULL;
        }
        own_truth(&truth, &t);
        for (int k = 0; k < 4; k++) {
            suite_case("J(g), free %d, %s, %s", free, expected[k / 2].method, retractions[k % 2]);
            orders o = measure(&t, &truth, expected[k / 2].method, retractions[k % 2], LG_START_REACTION);
            near_order("g", o.g, 2, 0.03);
            near_order("p~", o.p, 2, 0.03);
            double gain[LEVELS];
            for (int i = 0; i < LEVELS; i++) {
                state_at_1 s;
                run(&s, &t, expected[k / 2].method, retractions[k % 2], counts[i], LG_START_REACTION);
                gain[i] = fabs(s.gain);
            }
            near_order("energy", slope(gain, counts, LEVELS), 2, 0.1);
            suite_below("energy", gain[LEVELS - 1], 1e-5);
        }
    }
}

/* O2-O4: `legendre` keeps order 2; `paper` has order 1 where ad*_xi J xi has a component along D; p- alone has order 1.
 */
static void test_starts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double paper;
    } table[] = {{"suslov", 1}, {"sleigh", 1}, {"so3_bi", 2}, {"ball_hom", 2}};
    cJSON *root = ref_load("group_truth.json");
    for (int i = 0; i < 4; i++) {
        test_system t;
        state_at_1 truth;
        test_system_make(&t, table[i].name);
        assert_true(truth_of(&truth, &t, root));
        suite_case("starts of %s", t.name);
        orders o = measure(&t, &truth, "gni", "cayley", LG_START_LEGENDRE);
        near_order("legendre, g", o.g, 2, 0.05);
        o = measure(&t, &truth, "gni", "cayley", LG_START_PAPER);
        near_order("paper, g", o.g, table[i].paper, 0.15);
        o = measure(&t, &truth, "gni", "cayley", LG_START_REACTION);
        near_order("p- alone", o.post, 1, 0.15);
    }
    cJSON_Delete(root);
}

/* The three starts as formulas (section 5), and how much parasitic mode each excites: O(h) and O(h^3). */
static void test_start_formulas(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        test_system_make(&t, "suslov");
        const double h = 0.1;
        double p[3], w[3], want[3];
        lg_integrator *it = NULL;
        suite_case("starts of suslov, %s", retractions[k]);
        mat_apply(p, t.S.inertia, t.xi0, 3, 3);
        for (int i = 0; i < 3; i++) w[i] = h * t.xi0[i];
        suite_ok("create", lg_integrator_create(&it, &t.S, "gni", retractions[k], h));
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_LEGENDRE, 0));
        suite_near("legendre", lg_integrator_momentum_minus(it), p, 3, 1e-15, 1);
        suite_near1("normal part", lg_integrator_normal_part(it), 0, 1e-15, 1);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_PAPER, 0));
        suite_ok("dual", lg_retraction_dtau_inv_dual(lg_retraction_named(retractions[k]), lg_so3(), want, w, p));
        suite_near("paper", lg_integrator_momentum_minus(it), want, 3, 1e-15, 1);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        suite_near("p~_0 = J xi_0", lg_integrator_momentum(it), p, 3, 1e-14, 1);
        lg_integrator_destroy(it);
    }
}

/* Multipliers in force units converge to those of the continuous equation C lambda = -A' xi - A J^-1 (ad*_xi J xi - dV)
 * with constant rows, here at the truth's state at t = 1. */
static void test_multipliers(void **state)
{
    (void)state;
    cJSON *root = ref_load("group_truth.json");
    static const char *const names[] = {"suslov", "sleigh"};
    for (int i = 0; i < 2; i++) {
        test_system t;
        double xi[3], p[3], force[3], a[3], b[3], error[LEVELS];
        static const int counts[LEVELS] = {40, 80, 160, 320, 640};
        test_system_make(&t, names[i]);
        suite_case("multipliers of %s", names[i]);
        const cJSON *truth = ref_get(ref_get(root, names[i]), "t=1");
        ref_exactly(xi, 3, truth, "xi");
        ref_exactly(p, 3, truth, "p");
        suite_ok("coad", lg_group_coad_apply(t.S.group, force, xi, p));
        assert_true(mat_solve(a, t.S.inertia, force, 3) && mat_solve(b, t.S.inertia, t.S.covector_matrix, 3));
        double lambda = -mat_dot(t.S.covector_matrix, a, 3) / mat_dot(t.S.covector_matrix, b, 3);
        for (int k = 0; k < LEVELS; k++) {
            state_at_1 s;
            run(&s, &t, "gni", "cayley", counts[k], LG_START_REACTION);
            error[k] = fabs(s.multipliers[0] - lambda);
        }
        suite_below("error of lambda", error[LEVELS - 1], 1e-3);
        double order = slope(error, counts, LEVELS);
        if (order < 0.8) suite_fail("multipliers converge with order %.2f only", order);
    }
    cJSON_Delete(root);
}

/* The user's discrete Lagrangian: the trapezoidal one written out by the user gives the built-in steps. */
static int slope_of_particle(const double *g0, const double *g1, double h, double side, const double *at, double *out)
{
    static const double J[3] = {1, 1.2, 0.8};
    const double dV[3] = {at[0] + at[2] / 2, 2 * at[1] - sin(at[1]) / 3, at[2] + at[0] / 2};
    for (int i = 0; i < 3; i++) out[i] = side * J[i] * (g1[i] - g0[i]) / h - h / 2 * dV[i];
    return 0;
}

static int slope_1(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c;
    return slope_of_particle(g0, g1, h, -1, g0, out);
}

static int slope_2(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c;
    return slope_of_particle(g0, g1, h, 1, g1, out);
}

static void test_user_lagrangian(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "affine_particle"};
    for (int i = 0; i < 2; i++) {
        test_system t;
        lg_integrator *ours = NULL, *theirs = NULL;
        test_system_make(&t, names[i]);
        suite_case("user's discrete Lagrangian of %s", names[i]);
        suite_ok("create", lg_integrator_create(&ours, &t.S, "gni:trapezoidal", "exp", 0.1));
        suite_status("gni:user without slopes", lg_integrator_create(&theirs, &t.S, "gni:user", "exp", 0.1),
                     LG_ERROR_UNSUPPORTED);
        lg_integrator_destroy(theirs);
        theirs = NULL;
        t.S.callbacks.discrete_slope_1 = slope_1;
        t.S.callbacks.discrete_slope_2 = slope_2;
        suite_ok("create", lg_integrator_create(&theirs, &t.S, "gni:user", "exp", 0.1));
        suite_ok("start", lg_integrator_start(ours, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        suite_ok("start", lg_integrator_start_momentum(theirs, 0, t.g0, lg_integrator_momentum_minus(ours)));
        for (int k = 0; k < 50; k++) {
            suite_ok("step", lg_integrator_step(ours));
            if (lg_integrator_step(theirs) != LG_OK) suite_fail("step: %s", lg_integrator_message(theirs));
            suite_near("q", lg_integrator_configuration(theirs), lg_integrator_configuration(ours), 3, 1e-12, 4);
            suite_near("p-", lg_integrator_momentum_minus(theirs), lg_integrator_momentum_minus(ours), 3, 1e-12, 4);
        }
        lg_integrator_destroy(ours);
        lg_integrator_destroy(theirs);
    }
}

int main(void)
{
    suite_begin("orders");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),          cmocka_unit_test(test_variational_orders),
        cmocka_unit_test(test_metric_orders),   cmocka_unit_test(test_starts),
        cmocka_unit_test(test_start_formulas),  cmocka_unit_test(test_multipliers),
        cmocka_unit_test(test_user_lagrangian),
    };
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
