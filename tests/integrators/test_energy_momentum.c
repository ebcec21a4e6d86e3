/* SPDX-License-Identifier: BSD-3-Clause */
/* `sem` with metrics J(g), holonomic constraints, forces and time, against the independent implementation of
 * energy_momentum_states.json: states after 1, 2 and 10 steps (it reached 1.2e-15 in double; 1e-13 is asked for), step
 * velocities, energies, the balance of work and the reaction; multipliers, cost. What `sem` keeps and its orders:
 * claims/sem. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

enum { ROWS = 4 };

/* ---- the reaction of a step: (N0^T l + N1^T O l)/2, l from the kick p~ - p^+ = (h/2) N1^T O l at the arriving node
 * ---- */

/* O: the orthogonal factor of the polar decomposition of a k x k matrix, by X <- (X + X^-T)/2. */
static void polar(double *X, int k)
{
    for (int it = 0; it < 30; it++) {
        double T[ROWS * ROWS], next[ROWS * ROWS];
        mat_transpose(T, X, k);
        for (int i = 0; i < k; i++) {
            double e[ROWS] = {0}, column[ROWS];
            e[i] = 1;
            assert_true(mat_solve(column, T, e, k)); /* column i of X^-T */
            for (int j = 0; j < k; j++) next[j * k + i] = (X[j * k + i] + column[j]) / 2;
        }
        memcpy(X, next, sizeof(double) * (size_t)(k * k));
    }
}

typedef struct node {
    double t, g[SUITE_ELEMENT];
} node;

static node here(const lg_integrator *it)
{
    node a = {.t = lg_integrator_time(it)};
    memcpy(a.g, lg_integrator_configuration(it),
           sizeof(double) * (size_t)lg_group_element_size(lg_integrator_group(it)));
    return a;
}

static void reaction(double *out, double *lambda, const lg_system *S, const node *a, const lg_integrator *it)
{
    const node b = here(it);
    const int n = lg_group_dim(S->group);
    double L0[ROWS * ROWS], L1[ROWS * ROWS], N0[ROWS * SUITE_DIM], N1[ROWS * SUITE_DIM], O[ROWS * ROWS];
    double J0[SUITE_MATRIX], J1[SUITE_MATRIX], kick[SUITE_DIM], raised[SUITE_DIM], Ol[ROWS], l[ROWS];
    const int m = system_frame(S, a->t, a->g, L0, N0);
    system_frame(S, b.t, b.g, L1, N1);
    system_metric(S, a->t, a->g, J0);
    system_metric(S, b.t, b.g, J1);
    for (int j = 0; j < m; j++) {
        double u0[SUITE_DIM], u1[SUITE_DIM];
        assert_true(mat_solve(u0, J0, N0 + j * n, n) && mat_solve(u1, J1, N0 + j * n, n));
        for (int i = 0; i < m; i++) O[i * m + j] = mat_dot(N1 + i * n, u0, n) + mat_dot(N1 + i * n, u1, n);
    }
    polar(O, m);
    for (int i = 0; i < n; i++)
        kick[i] =
            2 / lg_integrator_step_size(it) * (lg_integrator_momentum(it)[i] - lg_integrator_momentum_plus(it)[i]);
    assert_true(mat_solve(raised, J1, kick, n));
    mat_apply(Ol, N1, raised, m, n); /* kick = N1^T O l, rows orthonormal in J^-1 */
    for (int i = 0; i < m; i++) {
        l[i] = 0;
        for (int k = 0; k < m; k++) l[i] += O[k * m + i] * Ol[k];
    }
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int k = 0; k < m; k++) out[i] += (N0[k * n + i] * l[k] + N1[k * n + i] * Ol[k]) / 2;
    }
    for (int j = m - 1; j >= 0; j--) { /* in the user's rows: L1^-T O l */
        lambda[j] = Ol[j];
        for (int k = j + 1; k < m; k++) lambda[j] -= L1[k * m + j] * lambda[k];
        lambda[j] /= L1[j * m + j];
    }
}

/* ---- states ---- */

static void check_state(const lg_integrator *it, const cJSON *state)
{
    const lg_group *G = lg_integrator_group(it);
    const int n = lg_group_dim(G);
    const double H = ref_number(ref_get(state, "H"));
    test_system_same_element("g", G, lg_integrator_configuration(it), ref_get(state, "g"), 1e-13);
    ref_near("p", lg_integrator_momentum(it), state, "p", n, 1e-13);
    ref_near("xi", lg_integrator_step_velocity(it), state, "xi", n, 1e-13);
    suite_near1("H", lg_integrator_energy(it), H, 1e-13, fmax(1, fabs(H)));
}

/* "sphp_exp_a1" is sphp with exp and alpha = 1. */
static const char *split(const char *key, char *name, const char **retraction)
{
    snprintf(name, 64, "%s", key);
    char *end = strrchr(name, '_');
    const int momentum = strcmp(end, "_a1") == 0;
    if (momentum) *end = '\0';
    end = strrchr(name, '_');
    *retraction = strcmp(end, "_cay") == 0 ? "cayley" : "exp";
    *end = '\0';
    return momentum ? "sem:momentum" : "sem";
}

static void run(const char *key, const lg_system *S, const test_system *t, const char *method, const char *retraction,
                const cJSON *item)
{
    lg_integrator *it = run_start_at(S, method, retraction, ref_number(ref_get(item, "h")), 0, t->g0, t->xi0);
    for (const cJSON *state = ref_get(item, "states")->child; state != NULL; state = state->next) {
        const int k = (int)ref_number(ref_get(state, "k"));
        suite_case("%s after %d steps", key, k);
        if (k == 0) continue;
        double H = lg_integrator_energy(it), r[SUITE_DIM], lambda[ROWS];
        node a = here(it);
        while (lg_integrator_step_index(it) < k) {
            H = lg_integrator_energy(it);
            a = here(it);
            run_steps(it, 1);
        }
        check_state(it, state);
        suite_near1("H_k - H_(k-1) - W", lg_integrator_energy(it) - H - lg_integrator_step_work(it),
                    ref_number(ref_get(state, "balance_defect")), 1e-14, fmax(1, fabs(H)));
        if (S->callbacks.holonomic_count + S->constraint_count == 0) continue;
        reaction(r, lambda, &t->S, &a, it);
        ref_near("reaction", r, state, "reaction_l", lg_group_dim(S->group), 1e-11); /* a quotient by h = 0.01 */
        suite_near("multipliers", lg_integrator_multipliers(it), lambda + S->callbacks.holonomic_count,
                   S->constraint_count, 1e-11, 10);
    }
    run_end(&it);
}

typedef void (*visitor)(const char *key, test_system *t, const char *method, const char *retraction, const cJSON *item);

static void over_states(visitor visit)
{
    cJSON *root = ref_load("energy_momentum_states.json");
    int count = 0;
    for (const cJSON *item = ref_get(root, "systems")->child; item != NULL; item = item->next, count++) {
        char name[64];
        const char *retraction, *method = split(item->string, name, &retraction);
        test_system t;
        energy_system_make(&t, name);
        visit(item->string, &t, method, retraction, item);
    }
    assert_int_equal(count, 12);
    cJSON_Delete(root);
}

static void plain(const char *key, test_system *t, const char *method, const char *retraction, const cJSON *item)
{
    run(key, &t->S, t, method, retraction, item);
}

/* Four Gauss nodes are the default, `sem` is the default method. */
static void named(const char *key, test_system *t, const char *method, const char *retraction, const cJSON *item)
{
    run(key, &t->S, t, strcmp(method, "sem") == 0 ? "sem:gauss=4" : "sem:momentum,gauss=4", retraction, item);
    if (strcmp(method, "sem") == 0) run(key, &t->S, t, NULL, retraction, item);
}

/* Constant rows by a callback. */
static const double *constant_rows;
static size_t constant_entries;

static int rows_by_callback(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)g;
    (void)Y;
    memcpy(mu, constant_rows, constant_entries * sizeof *mu);
    return 0;
}

static void by_callback(const char *key, test_system *t, const char *method, const char *retraction, const cJSON *item)
{
    lg_system S = t->S;
    if (S.covector_matrix == NULL) return;
    constant_entries = (size_t)(S.constraint_count * lg_group_dim(S.group));
    constant_rows = S.covector_matrix;
    S.covector_matrix = NULL;
    S.callbacks.covectors = rows_by_callback;
    run(key, &S, t, method, retraction, item);
}

static void test_states(void **state)
{
    (void)state;
    over_states(plain);
}

static void test_names(void **state)
{
    (void)state;
    over_states(named);
}

static void test_callbacks(void **state)
{
    (void)state;
    over_states(by_callback);
}

/* Derivatives by differences instead of callbacks: equal states within the accuracy of the differences. */
static void test_differences(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        run_state with, without;
        energy_system_make(&t, energy_system_name(i));
        suite_case("%s without derivatives", t.name);
        run_to(&with, &t, "sem", "exp", 10 * t.h, 10);
        t.S.callbacks.potential_gradient = NULL;
        t.S.callbacks.metric_gradient = NULL;
        t.S.callbacks.holonomic_differential = NULL;
        t.S.callbacks.holonomic_rate = NULL;
        t.S.callbacks.covectors_derivative = NULL;
        run_to(&without, &t, "sem", "exp", 10 * t.h, 10);
        suite_below("difference", run_difference(t.S.group, &with, &without), 1e-8);
    }
}

/* ---- multipliers, against the continuous equations ---- */

static const struct {
    const char *name;
    double T;
} list[] = {{"sleighM", 1},   {"arm", 1},     {"arm_free", 1}, {"racer", 1},   {"diskB", 0.4}, {"sphp", 1},
            {"sphs", 1},      {"sphm", 1},    {"dsp", 1},      {"movpend", 1}, {"diskH", 0.4}, {"rattle-", 0.1},
            {"rattle+", 0.1}, {"trailer", 1}, {"sdrive", 1},   {"vtop", 1},    {"ballt", 1},   {"blade", 1}};

enum { LIST = sizeof list / sizeof list[0] };

/* Multipliers in force units and in the user's rows tend to those of the continuous equations; they belong to the
 * middle of the last step, so with order 1 at the node. */
static void test_multipliers(void **state)
{
    (void)state;
    static const int counts[2] = {160, 640};
    for (int i = 0; i < LIST; i++)
        for (int k = 0; k < 2; k++) {
            test_system t;
            double error[2];
            const char *method = k == 0 ? "sem" : "sem:momentum";
            energy_system_make(&t, list[i].name);
            suite_case("multipliers of %s, %s", t.name, method);
            const double size = run_multipliers(error, &t, method, list[i].T, counts, 0);
            suite_below("error", error[1], 0.02 * size);
            suite_below("error of a quarter of the step", error[1], 0.35 * error[0]);
        }
}

/* ---- positions, cost ---- */

/* At high speed the residual of xi alone would leave more than round-off in phi, in which it is multiplied by h. */
static void test_fast_positions(void **state)
{
    (void)state;
    static const char *const names[] = {"sphp", "sphs", "sphm"};
    for (int i = 0; i < 3; i++) {
        test_system t;
        energy_system_make(&t, names[i]);
        suite_case("%s, 8 times faster", t.name);
        for (int j = 0; j < 3; j++) t.xi0[j] *= 8;
        lg_integrator *it = run_start(&t, "sem", "exp", t.h);
        suite_below("|phi|", run_watch(it, 1000, 0).position, 5e-15);
        run_end(&it);
    }
}

/* Residual evaluations a step over 2000 steps, within a fifth of the reference solver's. */
static void test_evaluations(void **state)
{
    (void)state;
    static const struct {
        const char *name, *retraction;
        double reference;
    } costs[] = {
        {"particle", "exp", 4.0}, {"snakeboard", "exp", 3.4}, {"robot", "exp", 4.3},    {"suslov", "cayley", 1.4},
        {"vtop", "cayley", 5.0},  {"ball_phys", "exp", 5.5},  {"disk", "cayley", 3.5},  {"rattleback-", "cayley", 4.1},
        {"cvt_non", "exp", 5.2},  {"chaotic", "exp", 5.5},    {"sleighM", "exp", 1.7},  {"twolink", "exp", 5.6},
        {"arm", "exp", 9.2},      {"racer", "exp", 1.8},      {"diskB", "exp", 3.5},    {"sphp", "exp", 5.3},
        {"dsp", "exp", 6.5},      {"diskH", "exp", 3.5},      {"rattle-", "cayley", 6}, {"trailer", "cayley", 5.4},
        {"movpend", "exp", 6.8},  {"sdrive", "exp", 3.6},     {"dtop", "cayley", 3.3},  {"blade", "exp", 3.9},
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        test_system t;
        int64_t sum = 0;
        energy_system_make(&t, costs[i].name);
        suite_case("evaluations of %s, %s", t.name, costs[i].retraction);
        lg_integrator *it = run_start(&t, "sem", costs[i].retraction, t.h);
        for (int k = 0; k < 2000; k++) {
            run_steps(it, 1);
            sum += lg_integrator_iterations(it);
        }
        suite_below("evaluations a step", (double)sum / 2000, 1.2 * costs[i].reference);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("energy-momentum steps against the reference");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),      cmocka_unit_test(test_names),       cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_differences), cmocka_unit_test(test_multipliers), cmocka_unit_test(test_fast_positions),
        cmocka_unit_test(test_evaluations),
    };
    return cmocka_run_group_tests_name("energy_momentum", tests, NULL, NULL);
}
