/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI against the reference implementation: group_steps.json (the systems of tests/support/systems.c under three
 * discrete Lagrangians, Cayley and exp), the run on SO(4) of quadratic_groups.json. Claim C3: double precision attains
 * 2.2e-15 after ten steps; 1e-13 is asked for. Every structure that takes another path through the engine (a user's
 * group, a user's retraction, one retraction a factor, inertia as a full matrix) must give the same to 1e-12. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/roster.h"
#include "support/systems.h"

static void check_state(const lg_integrator *it, const lg_group *like, const cJSON *state, double tolerance)
{
    int n = lg_group_dim(like);
    test_system_same_element("g", like, lg_integrator_configuration(it), ref_get(state, "g"), tolerance);
    ref_near("p+", lg_integrator_momentum_plus(it), state, "p_plus", n, tolerance);
    ref_near("p-", lg_integrator_momentum_minus(it), state, "p_minus", n, tolerance);
    ref_near("p~", lg_integrator_momentum(it), state, "p_avg", n, tolerance);
    ref_near("xi", lg_integrator_step_velocity(it), state, "xi_prev", n, 10 * tolerance); /* a quotient by h = 0.1 */
    if (cJSON_GetObjectItemCaseSensitive(state, "energy_p_avg") == NULL) return;
    suite_near1("H(p~)", lg_integrator_energy(it), ref_number(ref_get(state, "energy_p_avg")), tolerance,
                fmax(1, fabs(lg_integrator_energy(it))));
    suite_near1("H(p-)", lg_integrator_energy_post(it), ref_number(ref_get(state, "energy_p_minus")), tolerance,
                fmax(1, fabs(lg_integrator_energy_post(it))));
}

static const char *method_of(const char *key)
{
    const char *bar = strchr(key, '|');
    if (strcmp(bar, "|rattle") == 0) return "gni:trapezoidal";
    if (strcmp(bar, "|eulerA") == 0) return "gni:euler-a";
    if (strcmp(bar, "|eulerB") == 0) return "gni:euler-b";
    suite_fail("reference: no method '%s'", key);
}

/* "suslov_cay|rattle" is `suslov` with Cayley; a name without a suffix belongs to R^n. */
static const lg_retraction *split(const char *key, char *name)
{
    size_t length = strcspn(key, "|");
    memcpy(name, key, length);
    name[length] = '\0';
    char *end = length > 4 ? name + length - 4 : name;
    const lg_retraction *r = strcmp(end, "_cay") == 0 ? lg_retraction_cayley() : lg_retraction_exp();
    if (strcmp(end, "_cay") == 0 || strcmp(end, "_exp") == 0) *end = '\0';
    return r;
}

static void run(const lg_system *S, const lg_group *like, const lg_retraction *r, const char *method, const double *g0,
                const cJSON *item, double tolerance)
{
    static const struct {
        const char *key;
        int steps;
    } stops[] = {{"N1", 1}, {"N2", 2}, {"N10", 10}};
    lg_integrator *it = NULL;
    double p_minus[SUITE_DIM];
    ref_exactly(p_minus, lg_group_dim(like), item, "p_minus_0");
    lg_status status = lg_integrator_create_with(&it, S, method, r, 0.1);
    if (status != LG_OK) suite_fail("create: %s", lg_integrator_message(it));
    status = lg_integrator_start_momentum(it, 0, g0, p_minus);
    if (status != LG_OK) suite_fail("start: %s", lg_integrator_message(it));
    for (int k = 0, done = 0; k < 3; k++) {
        const cJSON *state = cJSON_GetObjectItemCaseSensitive(item, stops[k].key);
        if (state == NULL) continue;
        for (; done < stops[k].steps; done++) {
            if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
        }
        assert_int_equal(lg_integrator_step_index(it), stops[k].steps);
        suite_near1("t", lg_integrator_time(it), 0.1 * stops[k].steps, 1e-15, 1);
        check_state(it, like, state, tolerance);
    }
    lg_integrator_destroy(it);
}

typedef void (*visitor)(const test_system *t, const lg_retraction *r, const char *method, const cJSON *item);

static void over_group_steps(visitor visit)
{
    cJSON *root = ref_load("group_steps.json");
    int count = 0;
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        if (!cJSON_IsObject(item)) continue;
        char name[64];
        test_system t;
        const lg_retraction *r = split(item->string, name);
        test_system_make(&t, name);
        suite_case("%s", item->string);
        visit(&t, r, method_of(item->string), item);
        count++;
    }
    assert_true(count >= 21);
    cJSON_Delete(root);
}

static void plain(const test_system *t, const lg_retraction *r, const char *method, const cJSON *item)
{
    test_system_same_element("g0", t->S.group, t->g0, ref_get(item, "g0"), 1e-15);
    ref_near("xi0", t->xi0, item, "xi0", lg_group_dim(t->S.group), 1e-15);
    run(&t->S, t->S.group, r, method, t->g0, item, 1e-13);
}

static void variants(const test_system *t, const lg_retraction *r, const char *method, const cJSON *item)
{
    const lg_group *G = t->S.group;
    int n = lg_group_dim(G), count = lg_group_factor_count(G);
    char label[128];
    snprintf(label, sizeof label, "%s", item->string);
    for (int full = 0; full < 2; full++) {
        lg_group user;
        lg_system S = t->S;
        roster_user_group(&user, G, full);
        S.group = &user;
        suite_case("%s on a user's group (full: %d)", label, full);
        run(&S, G, r, method, t->g0, item, 1e-12);
    }
    lg_retraction user;
    roster_user_retraction(&user, r);
    suite_case("%s with a user's retraction", label);
    run(&t->S, G, &user, method, t->g0, item, 1e-12);
    const lg_retraction *parts[2] = {r, r};
    lg_retraction *product = NULL;
    suite_ok("product", lg_retraction_create_product(&product, parts, count));
    suite_case("%s with one retraction a factor", label);
    if (count > 1) run(&t->S, G, product, method, t->g0, item, 1e-12);
    lg_retraction_destroy(product);
    if (t->S.inertia_diagonal != NULL) {
        double J[SUITE_MATRIX] = {0};
        lg_system S = t->S;
        for (int i = 0; i < n; i++) J[i * n + i] = t->S.inertia_diagonal[i];
        S.inertia_diagonal = NULL;
        S.inertia = J;
        suite_case("%s with a full inertia", label);
        run(&S, G, r, method, t->g0, item, 1e-12);
    }
    lg_system S = t->S;
    S.callbacks.potential_gradient = NULL;
    suite_case("%s with a differenced potential", label);
    run(&S, G, r, method, t->g0, item, 1e-8);
}

/* Constant rows and drift by a callback instead of a matrix; the context is the original system. */
static int rows_by_callback(const lg_call *c, const double *g, double *mu, double *Y)
{
    const lg_system *S = c->context;
    memcpy(mu, S->covector_matrix, sizeof(double) * (size_t)(S->constraint_count * lg_group_dim(S->group)));
    return S->callbacks.drift != NULL ? S->callbacks.drift(c, g, Y) : 0;
}

/* The constant inertia by a callback: the path for J(g). */
static int metric_by_callback(const lg_call *c, const double *g, double *J)
{
    const lg_system *S = c->context;
    int n = lg_group_dim(S->group);
    (void)g;
    if (S->inertia != NULL) memcpy(J, S->inertia, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < n && S->inertia_diagonal != NULL; i++) J[i * n + i] = S->inertia_diagonal[i];
    return 0;
}

static void by_callbacks(const test_system *t, const lg_retraction *r, const char *method, const cJSON *item)
{
    lg_system S = t->S;
    char label[128];
    snprintf(label, sizeof label, "%s", item->string);
    S.context = &t->S;
    if (S.covector_matrix != NULL) {
        S.covector_matrix = NULL;
        S.callbacks.drift = NULL;
        S.callbacks.covectors = rows_by_callback;
        suite_case("%s with constant rows by a callback", label);
        run(&S, t->S.group, r, method, t->g0, item, 1e-13);
    }
    S = t->S;
    S.context = &t->S;
    S.inertia = S.inertia_diagonal = NULL;
    S.callbacks.metric = metric_by_callback;
    suite_case("%s with the inertia by a callback", label);
    run(&S, t->S.group, r, method, t->g0, item, 1e-8); /* dT by differences */
}

/* The start `reaction` makes the file's p^-_0: exactly with the rows' derivative, to the differences' 1e-9 without. */
static void start(const test_system *t, const lg_retraction *r, const char *method, const cJSON *item)
{
    for (int derivative = 0; derivative < 2; derivative++) {
        lg_system S = t->S;
        lg_integrator *it = NULL;
        if (!derivative) S.callbacks.covectors_derivative = NULL;
        suite_ok("create", lg_integrator_create_with(&it, &S, method, r, 0.1));
        lg_status status = lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0);
        if (status != LG_OK) suite_fail("start: %s", lg_integrator_message(it));
        ref_near("p-_0 of the start `reaction`", lg_integrator_momentum_minus(it), item, "p_minus_0",
                 lg_group_dim(S.group), derivative ? 1e-13 : 1e-9);
        if (strcmp(method, "gni:trapezoidal") == 0) { /* the Euler starts carry half a kick in the normal part too */
            ref_near("lambda_0", lg_integrator_multipliers(it), item, "lambda0", S.constraint_count,
                     derivative ? 1e-12 : 1e-8);
        }
        lg_integrator_destroy(it);
    }
}

static void test_steps(void **state)
{
    (void)state;
    over_group_steps(plain);
}

static void test_variants(void **state)
{
    (void)state;
    over_group_steps(variants);
}

static void test_callbacks(void **state)
{
    (void)state;
    over_group_steps(by_callbacks);
}

static void test_start(void **state)
{
    (void)state;
    over_group_steps(start);
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
        suite_case("starts of suslov, %s", k ? "exp" : "cayley");
        mat_apply(p, t.S.inertia, t.xi0, 3, 3);
        for (int i = 0; i < 3; i++) w[i] = h * t.xi0[i];
        suite_ok("create", lg_integrator_create(&it, &t.S, "gni", k ? "exp" : "cayley", h));
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_LEGENDRE, 0));
        suite_near("legendre", lg_integrator_momentum_minus(it), p, 3, 1e-15, 1);
        suite_near1("normal part", lg_integrator_normal_part(it), 0, 1e-15, 1);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_PAPER, 0));
        suite_ok("dual", lg_retraction_dtau_inv_dual(lg_retraction_named(k ? "exp" : "cayley"), lg_so3(), want, w, p));
        suite_near("paper", lg_integrator_momentum_minus(it), want, 3, 1e-15, 1);
        suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
        suite_near("p~_0 = J xi_0", lg_integrator_momentum(it), p, 3, 1e-14, 1);
        lg_integrator_destroy(it);
    }
}

static void test_so4(void **state)
{
    (void)state;
    cJSON *root = ref_load("quadratic_groups.json");
    lg_group *G = NULL;
    suite_ok("SO(4)", lg_group_create_so(&G, 4));
    for (int k = 0; k < 2; k++) {
        const cJSON *item = ref_get(root, k ? "GNI_SO4_exp" : "GNI_SO4_cay");
        double J[6], A[12], g0[16], xi0[6];
        lg_system S = lg_system_default(G);
        ref_exactly(J, 6, item, "J_diag");
        ref_exactly(A, 12, item, "A");
        ref_exactly(xi0, 6, item, "xi0");
        S.inertia_diagonal = J;
        S.constraint_count = 2;
        S.covector_matrix = A;
        suite_ok("identity", lg_group_identity(G, g0));
        suite_case("GNI on SO(4) with %s", k ? "exp" : "Cayley");
        const lg_retraction *r = k ? lg_retraction_exp() : lg_retraction_cayley();
        run(&S, G, r, "gni", g0, item, 1e-13);
        test_system t = {.name = "SO(4)", .S = S};
        memcpy(t.g0, g0, sizeof g0);
        memcpy(t.xi0, xi0, sizeof xi0);
        lg_integrator *it = NULL;
        suite_ok("create", lg_integrator_create_with(&it, &S, "gni", r, 0.1));
        suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 0));
        ref_near("p-_0", lg_integrator_momentum_minus(it), item, "p_minus_0", 6, 1e-13);
        lg_integrator_destroy(it);
    }
    lg_group_destroy(G);
    cJSON_Delete(root);
}

int main(void)
{
    suite_begin("integrators against the reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps),          cmocka_unit_test(test_start),
                                       cmocka_unit_test(test_start_formulas), cmocka_unit_test(test_variants),
                                       cmocka_unit_test(test_callbacks),      cmocka_unit_test(test_so4)};
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
