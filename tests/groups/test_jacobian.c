/* SPDX-License-Identifier: BSD-3-Clause */
/* Plus, minus and the Jacobians: against differences on every group of the roster, identities between left and right,
 * the named ones against multiprecision values (data/accuracy.json). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/roster.h"
#include "support/suite.h"

enum { SIDES = 2 };
typedef lg_status (*plus_fn)(const lg_group *, double *, const double *, const double *);

static const plus_fn plus[SIDES] = {lg_group_right_plus, lg_group_left_plus};
static const plus_fn minus[SIDES] = {lg_group_right_minus, lg_group_left_minus};
static const char *const side_names[SIDES] = {"right", "left"};

/* The function to differentiate, r = f(a, b). Vectors change by plain sums. */
typedef struct function {
    const char *name;
    lg_status (*f[SIDES])(const lg_group *G, double *r, const double *a, const double *b);
    lg_status (*jacobian[SIDES])(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b);
    int vector_b, vector_r;
} function;

static lg_status inverse_of(const lg_group *G, double *r, const double *a, const double *b)
{
    (void)b;
    return lg_group_inverse(G, r, a);
}

static lg_status exp_of(const lg_group *G, double *r, const double *a, const double *b)
{
    (void)a;
    return lg_group_exp(G, r, b);
}

static lg_status log_of(const lg_group *G, double *r, const double *a, const double *b)
{
    (void)b;
    return lg_group_log(G, r, a);
}

#define WRAPPED(name, call)                                                                                            \
    static lg_status name(const lg_group *G, double *Ja, double *Jb, const double *a, const double *b)                 \
    {                                                                                                                  \
        double xi[SUITE_DIM];                                                                                          \
        (void)Ja, (void)Jb, (void)a, (void)b, (void)xi;                                                                \
        return call;                                                                                                   \
    }
WRAPPED(inverse_right, Ja ? lg_group_inverse_right_jacobian(G, Ja, a) : LG_OK)
WRAPPED(inverse_left, Ja ? lg_group_inverse_left_jacobian(G, Ja, a) : LG_OK)
WRAPPED(exp_right, Jb ? lg_group_right_jacobian(G, Jb, b) : LG_OK)
WRAPPED(exp_left, Jb ? lg_group_left_jacobian(G, Jb, b) : LG_OK)
WRAPPED(log_right, lg_group_log(G, xi, a) == LG_OK && Ja ? lg_group_right_jacobian_inv(G, Ja, xi) : LG_OK)
WRAPPED(log_left, lg_group_log(G, xi, a) == LG_OK && Ja ? lg_group_left_jacobian_inv(G, Ja, xi) : LG_OK)

static const function functions[] = {
    {"compose",
     {lg_group_compose, lg_group_compose},
     {lg_group_compose_right_jacobian, lg_group_compose_left_jacobian},
     0,
     0},
    {"between",
     {lg_group_between, lg_group_between},
     {lg_group_between_right_jacobian, lg_group_between_left_jacobian},
     0,
     0},
    {"plus",
     {lg_group_right_plus, lg_group_left_plus},
     {lg_group_right_plus_jacobian, lg_group_left_plus_jacobian},
     1,
     0},
    {"minus",
     {lg_group_right_minus, lg_group_left_minus},
     {lg_group_right_minus_jacobian, lg_group_left_minus_jacobian},
     0,
     1},
    {"inverse", {inverse_of, inverse_of}, {inverse_right, inverse_left}, 0, 0},
    {"exp", {exp_of, exp_of}, {exp_right, exp_left}, 1, 0},
    {"log", {log_of, log_of}, {log_right, log_left}, 0, 1},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* out = x changed by s along e_j; a plain sum for vectors. */
static void moved(const lg_group *G, double *out, const double *x, int vector, int side, int j, double s)
{
    double d[SUITE_DIM] = {0};
    d[j] = s;
    if (!vector) {
        suite_ok("plus", plus[side](G, out, x, d));
        return;
    }
    for (int i = 0; i < lg_group_dim(G); i++) out[i] = x[i] + d[i];
}

/* Column j of the Jacobian by the argument `which`, from central differences. */
static void column(const lg_group *G, const function *F, int side, int which, int j, const double *a, const double *b,
                   double *out)
{
    const double step = 1e-5;
    double r[2][SUITE_ELEMENT], x[SUITE_ELEMENT];
    for (int k = 0; k < 2; k++) {
        const double s = k ? -step : step;
        moved(G, x, which ? b : a, which && F->vector_b, side, j, s);
        suite_ok(F->name, F->f[side](G, r[k], which ? a : x, which ? x : b));
    }
    const int n = lg_group_dim(G);
    if (F->vector_r)
        for (int i = 0; i < n; i++) out[i] = r[0][i] - r[1][i];
    else
        suite_ok("minus", minus[side](G, out, r[0], r[1]));
    for (int i = 0; i < n; i++) out[i] /= 2 * step;
}

static int all_of(const function *F)
{
    return F->f[0] != inverse_of && F->f[0] != exp_of && F->f[0] != log_of;
}

static void compare(const lg_group *G, const function *F, int side, const double *a, const double *b)
{
    double J[2][SUITE_MATRIX], alone[SUITE_MATRIX], got[SUITE_DIM], want[SUITE_DIM];
    const int n = lg_group_dim(G);
    suite_ok(F->name, F->jacobian[side](G, J[0], J[1], a, b));
    for (int which = 0; which < 2; which++) {
        if (!all_of(F) && which != (F->f[0] == exp_of)) continue;
        suite_ok("one of two", F->jacobian[side](G, which ? NULL : alone, which ? alone : NULL, a, b));
        suite_same_bits("one of two", alone, J[which], n * n);
        for (int j = 0; j < n; j++) {
            char entry[64];
            column(G, F, side, which, j, a, b, want);
            for (int i = 0; i < n; i++) got[i] = J[which][i * n + j];
            snprintf(entry, sizeof entry, "%s, by argument %d, column %d", F->name, which + 1, j);
            suite_near(entry, got, want, n, 1e-7, 1 + mat_norm(want, n) + mat_norm(J[which], n * n));
        }
    }
}

static void test_differences(void **state)
{
    const roster_group *list = roster_groups();
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const lg_group *G = list[i].G;
        lg_rng rng = suite_rng(93000 + (uint64_t)i);
        if (!G->exp || !G->exp->dtau) continue;
        for (int k = 0; k < 3; k++) {
            double a[SUITE_ELEMENT], b[SUITE_ELEMENT], c[SUITE_ELEMENT], xi[SUITE_DIM], eta[SUITE_DIM];
            for (int j = 0; j < lg_group_dim(G); j++) {
                xi[j] = 0.35 * lg_rng_normal(&rng);
                eta[j] = 0.35 * lg_rng_normal(&rng);
            }
            suite_ok("exp", lg_group_exp(G, a, xi));
            suite_ok("exp", lg_group_exp(G, c, eta));
            suite_ok("compose", lg_group_compose(G, b, a, c));
            for (int f = 0; f < FUNCTIONS; f++)
                for (int side = 0; side < SIDES; side++) {
                    suite_case("%s, %s, %s", list[i].label, functions[f].name, side_names[side]);
                    suite_input("xi", xi, lg_group_dim(G));
                    compare(G, &functions[f], side, a, functions[f].vector_b ? eta : b);
                }
        }
    }
}

/* plus and minus undo each other, and J_r = Ad_exp(-xi) J_l. */
static void test_identities(void **state)
{
    const lg_group *const groups[] = {lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_se23(), lg_rn(4), lg_torus(3)};
    (void)state;
    for (int k = 0; k < 7 * 60; k++) {
        const lg_group *G = groups[k % 7];
        const int n = lg_group_dim(G);
        lg_rng rng = suite_rng(94000 + (uint64_t)k);
        double a[SUITE_ELEMENT], r[SUITE_ELEMENT], xi[SUITE_DIM], eta[SUITE_DIM], L[SUITE_MATRIX], R[SUITE_MATRIX],
            A[SUITE_MATRIX], P[SUITE_MATRIX];
        suite_normal(eta, n, &rng);
        suite_ok("exp", lg_group_exp(G, a, eta));
        for (int i = 0; i < n; i++) xi[i] = 0.5 * lg_rng_normal(&rng);
        for (int side = 0; side < SIDES; side++) {
            suite_case("%s, %s", G->name, side_names[side]);
            suite_input("xi", xi, n);
            suite_ok("plus", plus[side](G, r, a, xi));
            suite_ok("minus", minus[side](G, eta, r, a));
            suite_near("minus of plus", eta, xi, n, 1e-14, 4 + mat_norm(a, lg_group_element_size(G)));
        }
        for (int i = 0; i < n; i++) eta[i] = -xi[i];
        suite_ok("left", lg_group_left_jacobian(G, L, xi));
        suite_ok("right", lg_group_right_jacobian(G, R, xi));
        suite_ok("exp", lg_group_exp(G, r, eta));
        suite_ok("Ad", lg_group_Ad(G, A, r));
        mat_mul(P, A, L, n, n, n);
        suite_near("J_r = Ad_exp(-xi) J_l", R, P, n * n, 1e-14, 4);
        suite_ok("right inverse", lg_group_right_jacobian_inv(G, L, xi));
        mat_mul(P, R, L, n, n, n);
        mat_identity(A, n);
        suite_near("J_r J_r^-1 = 1", P, A, n * n, 1e-14, 4);
    }
}

typedef void (*named_fn)(double *J, const double *xi);
typedef struct named {
    const char *key;
    int n;
    named_fn left, right, left_inv, right_inv;
} named;

#define WIDE(f)                                                                                                        \
    static void wide_##f(double *J, const double *xi)                                                                  \
    {                                                                                                                  \
        lg_##f(J, xi);                                                                                                 \
    }
#define WIDE_ALL(g)                                                                                                    \
    WIDE(g##_left_jacobian) WIDE(g##_right_jacobian) WIDE(g##_left_jacobian_inv) WIDE(g##_right_jacobian_inv)
WIDE_ALL(so3)
WIDE_ALL(se2)
WIDE_ALL(se3)
WIDE_ALL(se23)
#define NAMED(key, n, g)                                                                                               \
    {                                                                                                                  \
        key, n, wide_##g##_left_jacobian, wide_##g##_right_jacobian, wide_##g##_left_jacobian_inv,                     \
            wide_##g##_right_jacobian_inv                                                                              \
    }

/* Against 50 digits: the left ones as the tangents are, the right ones at -xi; 2e-15 of the largest entry. */
static void test_named(void **state)
{
    static const named all[] = {NAMED("SO3_exp", 3, so3), NAMED("SE2_exp", 3, se2), NAMED("SE3_exp", 6, se3),
                                NAMED("SE23_exp", 9, se23)};
    cJSON *root = ref_load_shared("accuracy.json");
    (void)state;
    for (int k = 0; k < 4; k++) {
        const named *N = &all[k];
        const cJSON *item;
        cJSON_ArrayForEach(item, ref_get(root, N->key))
        {
            double xi[9], back[9], want[81], J[81];
            const int n = N->n;
            ref_exactly(xi, n, item, "xi");
            for (int i = 0; i < n; i++) back[i] = -xi[i];
            suite_case("%s", N->key);
            suite_input("xi", xi, n);
            ref_exactly(want, n * n, item, "dtau");
            N->left(J, xi);
            suite_near("left", J, want, n * n, 2e-15, fmax(1, mat_norm(want, n * n)));
            N->right(J, back);
            suite_near("right", J, want, n * n, 2e-15, fmax(1, mat_norm(want, n * n)));
            ref_exactly(want, n * n, item, "dtau_inv");
            N->left_inv(J, xi);
            suite_near("left inverse", J, want, n * n, 2e-15, fmax(1, mat_norm(want, n * n)));
            N->right_inv(J, back);
            suite_near("right inverse", J, want, n * n, 2e-15, fmax(1, mat_norm(want, n * n)));
        }
    }
    cJSON_Delete(root);
}

/* ---- the action on points ---- */

#define ACTION(g)                                                                                                      \
    static void act_##g(double *y, const double *a, const double *x)                                                   \
    {                                                                                                                  \
        lg_##g##_act(y, a, x);                                                                                         \
    }                                                                                                                  \
    static void right_##g(double *J, const double *a, const double *x)                                                 \
    {                                                                                                                  \
        lg_##g##_act_right_jacobian(J, a, x);                                                                          \
    }                                                                                                                  \
    static void left_##g(double *J, const double *a, const double *x)                                                  \
    {                                                                                                                  \
        lg_##g##_act_left_jacobian(J, a, x);                                                                           \
    }
ACTION(so2)
ACTION(so3)
ACTION(se2)
ACTION(se3)
ACTION(se23)

typedef struct action {
    const lg_group *(*group)(void);
    int points;
    void (*act)(double *y, const double *g, const double *x);
    void (*jacobian[SIDES])(double *J, const double *g, const double *x);
} action;

static void test_actions(void **state)
{
    static const action actions[] = {{lg_so2, 2, act_so2, {right_so2, left_so2}},
                                     {lg_so3, 3, act_so3, {right_so3, left_so3}},
                                     {lg_se2, 2, act_se2, {right_se2, left_se2}},
                                     {lg_se3, 3, act_se3, {right_se3, left_se3}},
                                     {lg_se23, 3, act_se23, {right_se23, left_se23}}};
    (void)state;
    for (int k = 0; k < 5 * 40; k++) {
        const action *A = &actions[k % 5];
        const lg_group *G = A->group();
        const int n = lg_group_dim(G), m = A->points, side = k / 5 % 2;
        lg_rng rng = suite_rng(95000 + (uint64_t)k);
        double g[10], x[3], J[27], y[2][3], d[9], moved_g[10];
        suite_ok("random", lg_group_random(G, g, &rng));
        suite_normal(x, m, &rng);
        suite_case("action of %s, %s", G->name, side_names[side]);
        suite_input("x", x, m);
        A->jacobian[side](J, g, x);
        for (int j = 0; j < n; j++) {
            for (int s = 0; s < 2; s++) {
                for (int i = 0; i < n; i++) d[i] = i == j ? (s ? -1e-5 : 1e-5) : 0;
                suite_ok("plus", plus[side](G, moved_g, g, d));
                A->act(y[s], moved_g, x);
            }
            for (int i = 0; i < m; i++) suite_near1("J", J[i * n + j], (y[0][i] - y[1][i]) / 2e-5, 1e-8, 4);
        }
    }
}

static void test_refused(void **state)
{
    double J[36], g[7] = {0, 0, 0, 0, 0, 0, 1}, xi[6] = {0, 0, 0, 0, 0, 2e6};
    lg_group bare = *lg_so3();
    (void)state;
    suite_case("refused");
    bare.kind = LG_KIND_USER;
    bare.exp = NULL;
    suite_status("no exp", lg_group_right_plus(&bare, g, g, xi), LG_ERROR_UNSUPPORTED);
    suite_status("no exp", lg_group_left_jacobian(&bare, J, xi), LG_ERROR_UNSUPPORTED);
    suite_ok("Ad is enough", lg_group_inverse_left_jacobian(&bare, J, g + 3));
    suite_status("NULL", lg_group_right_jacobian(lg_se3(), NULL, xi), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_group_between(NULL, g, g, g), LG_ERROR_ARGUMENT);
    suite_status("far", lg_group_right_plus(lg_se3(), g, g, xi), LG_ERROR_DOMAIN);
    suite_status("far", lg_group_right_jacobian(lg_se3(), J, xi), LG_ERROR_DOMAIN);
    lg_se3_right_jacobian(J, xi);
    assert_true(isnan(J[0]) && isnan(J[35]));
}

int main(void)
{
    suite_begin("jacobian");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_identities), cmocka_unit_test(test_named),
        cmocka_unit_test(test_actions),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("jacobian", tests, NULL, NULL);
}
