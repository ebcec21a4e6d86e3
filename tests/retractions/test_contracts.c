/* SPDX-License-Identifier: BSD-3-Clause */
/* What retraction.h promises besides the mathematics: names, products, a user's own retraction, aliasing, NaN, NULL,
 * domains. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"

typedef struct unary {
    const char *name;
    lg_status (*call)(const lg_retraction *r, const lg_group *G, double *out, const double *in);
    int matrix, element_in, element_out;
} unary;

typedef struct binary {
    const char *name;
    lg_status (*call)(const lg_retraction *r, const lg_group *G, double *out, const double *xi, const double *v);
    int matrix;
} binary;

static const unary unaries[] = {{"tau", lg_retraction_tau, 0, 0, 1},
                                {"tau_inv", lg_retraction_tau_inv, 0, 1, 0},
                                {"dtau", lg_retraction_dtau, 1, 0, 0},
                                {"dtau_inv", lg_retraction_dtau_inv, 1, 0, 0}};
static const binary binaries[] = {{"dtau_apply", lg_retraction_dtau_apply, 0},
                                  {"dtau_inv_apply", lg_retraction_dtau_inv_apply, 0},
                                  {"dtau_dual", lg_retraction_dtau_dual, 0},
                                  {"dtau_inv_dual", lg_retraction_dtau_inv_dual, 0},
                                  {"dtau_inv_dual_derivative", lg_retraction_dtau_inv_dual_derivative, 1}};
enum { UNARIES = sizeof unaries / sizeof unaries[0], BINARIES = sizeof binaries / sizeof binaries[0] };

static int count_in(const unary *u, const lg_group *G)
{
    return u->element_in ? lg_group_element_size(G) : lg_group_dim(G);
}

static int count_out(const unary *u, const lg_group *G)
{
    return u->element_out ? lg_group_element_size(G) : u->matrix ? lg_group_dim(G) * lg_group_dim(G) : lg_group_dim(G);
}

static void draw(const roster_group *r, const unary *u, double *in, lg_rng *rng)
{
    double xi[SUITE_DIM];
    suite_algebra(r->like, xi, rng, 0.7);
    if (u != NULL && u->element_in) {
        suite_ok("exp", lg_group_exp(r->like, in, xi));
    } else {
        memcpy(in, xi, sizeof(double) * (size_t)lg_group_dim(r->G));
    }
}

static void test_aliasing(void **state)
{
    (void)state;
    double a[SUITE_MATRIX], b[SUITE_MATRIX], out[SUITE_MATRIX], x[SUITE_MATRIX];
    for (int i = 0; i < ROSTER_GROUPS * ROSTER_RETRACTIONS; i++) {
        const roster_group *g = &roster_groups()[i / ROSTER_RETRACTIONS];
        const lg_retraction *r = roster_retractions()[i % ROSTER_RETRACTIONS];
        lg_rng rng = suite_rng(12000 + (uint64_t)i);
        size_t bytes = sizeof(double) * (size_t)lg_group_dim(g->G);
        for (int k = 0; k < UNARIES; k++) {
            const unary *u = &unaries[k];
            suite_case("%s of %s on %s in place", u->name, r->name, g->label);
            draw(g, u, a, &rng);
            suite_input("in", a, count_in(u, g->G));
            memcpy(x, a, sizeof(double) * (size_t)count_in(u, g->G));
            suite_ok(u->name, u->call(r, g->G, out, a));
            suite_ok(u->name, u->call(r, g->G, x, x));
            suite_same_bits("out = in", x, out, count_out(u, g->G));
        }
        for (int k = 0; k < BINARIES; k++) {
            const binary *o = &binaries[k];
            int n = o->matrix ? lg_group_dim(g->G) * lg_group_dim(g->G) : lg_group_dim(g->G);
            suite_case("%s of %s on %s in place", o->name, r->name, g->label);
            draw(g, NULL, a, &rng);
            draw(g, NULL, b, &rng);
            suite_ok(o->name, o->call(r, g->G, out, a, b));
            memcpy(x, a, bytes);
            suite_ok(o->name, o->call(r, g->G, x, x, b));
            suite_same_bits("out = xi", x, out, n);
            memcpy(x, b, bytes);
            suite_ok(o->name, o->call(r, g->G, x, a, x));
            suite_same_bits("out = v", x, out, n);
            suite_ok(o->name, o->call(r, g->G, out, a, a));
            memcpy(x, a, bytes);
            suite_ok(o->name, o->call(r, g->G, x, x, x));
            suite_same_bits("out = xi = v", x, out, n);
        }
    }
}

static void test_nan_in_nan_out(void **state)
{
    (void)state;
    double a[SUITE_MATRIX], b[SUITE_MATRIX], out[SUITE_MATRIX];
    for (int i = 0; i < ROSTER_GROUPS * ROSTER_RETRACTIONS; i++) {
        const roster_group *g = &roster_groups()[i / ROSTER_RETRACTIONS];
        const lg_retraction *r = roster_retractions()[i % ROSTER_RETRACTIONS];
        lg_rng rng = suite_rng(13000 + (uint64_t)i);
        for (int k = 0; k < UNARIES; k++) {
            const unary *u = &unaries[k];
            for (int at = 0; at < count_in(u, g->G); at++) {
                suite_case("%s of %s on %s, NaN in entry %d", u->name, r->name, g->label, at);
                draw(g, u, a, &rng);
                a[at] = NAN;
                memset(out, 0, sizeof out);
                lg_status status = u->call(r, g->G, out, a);
                if (status == LG_OK && !suite_any_nan(out, count_out(u, g->G))) suite_fail("a NaN was swallowed");
            }
        }
        for (int k = 0; k < BINARIES; k++) {
            const binary *o = &binaries[k];
            int n = o->matrix ? lg_group_dim(g->G) * lg_group_dim(g->G) : lg_group_dim(g->G);
            for (int at = 0; at < 2 * lg_group_dim(g->G); at++) {
                suite_case("%s of %s on %s, NaN in entry %d", o->name, r->name, g->label, at);
                draw(g, NULL, a, &rng);
                draw(g, NULL, b, &rng);
                *(at < lg_group_dim(g->G) ? &a[at] : &b[at - lg_group_dim(g->G)]) = NAN;
                memset(out, 0, sizeof out);
                lg_status status = o->call(r, g->G, out, a, b);
                if (status == LG_OK && !suite_any_nan(out, n)) suite_fail("a NaN was swallowed");
            }
        }
    }
}

static void test_null_arguments(void **state)
{
    (void)state;
    const lg_retraction *r = lg_retraction_exp();
    const lg_group *G = lg_so3();
    double a[4] = {0, 0, 0, 1}, out[9];
    for (int k = 0; k < UNARIES; k++) {
        const unary *u = &unaries[k];
        suite_case("%s of NULL", u->name);
        suite_status("no retraction", u->call(NULL, G, out, a), LG_ERROR_ARGUMENT);
        suite_status("no group", u->call(r, NULL, out, a), LG_ERROR_ARGUMENT);
        suite_status("no output", u->call(r, G, NULL, a), LG_ERROR_ARGUMENT);
        suite_status("no input", u->call(r, G, out, NULL), LG_ERROR_ARGUMENT);
    }
    for (int k = 0; k < BINARIES; k++) {
        const binary *o = &binaries[k];
        suite_case("%s of NULL", o->name);
        suite_status("no retraction", o->call(NULL, G, out, a, a), LG_ERROR_ARGUMENT);
        suite_status("no group", o->call(r, NULL, out, a, a), LG_ERROR_ARGUMENT);
        suite_status("no output", o->call(r, G, NULL, a, a), LG_ERROR_ARGUMENT);
        suite_status("no xi", o->call(r, G, out, NULL, a), LG_ERROR_ARGUMENT);
        suite_status("no vector", o->call(r, G, out, a, NULL), LG_ERROR_ARGUMENT);
    }
    assert_int_equal(lg_retraction_supports(NULL, G), 0);
    assert_int_equal(lg_retraction_supports(r, NULL), 0);
    lg_retraction_destroy(NULL);
}

static void test_names(void **state)
{
    (void)state;
    assert_ptr_equal(lg_retraction_named("exp"), lg_retraction_exp());
    assert_ptr_equal(lg_retraction_named("cayley"), lg_retraction_cayley());
    assert_ptr_equal(lg_retraction_named("second-kind"), lg_retraction_second_kind());
    assert_ptr_equal(lg_retraction_named("exp:order=0"), lg_retraction_series(0));
    assert_ptr_equal(lg_retraction_named("exp:order=4"), lg_retraction_series(4));
    assert_ptr_equal(lg_retraction_named("exp:order=20"), lg_retraction_series(20));
    assert_null(lg_retraction_series(-1));
    assert_null(lg_retraction_series(21));
    static const char *const wrong[] = {"",
                                        "Exp",
                                        "cay",
                                        "exp:",
                                        "exp:order",
                                        "exp:order=",
                                        "exp:order=-1",
                                        "exp:order=21",
                                        "exp:order=4x",
                                        "exp:order=99999999999999999999",
                                        "cayley:order=4",
                                        " exp",
                                        "exp ",
                                        "second kind",
                                        "exp:order= 4",
                                        "exp:order=+4"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        suite_case("name \"%s\"", wrong[i]);
        if (lg_retraction_named(wrong[i]) != NULL) suite_fail("taken for a retraction");
    }
    assert_null(lg_retraction_named(NULL));
    int count = 0;
    for (const char *const *name = lg_retraction_names(); *name != NULL; name++, count++) {
        const lg_retraction *r = lg_retraction_named(*name);
        assert_non_null(r);
        assert_string_equal(r->name, *name);
    }
    assert_int_equal(count, 4);
}

/* One retraction a factor: the same blocks as each gives alone, and zeros off the diagonal. */
static void test_products(void **state)
{
    (void)state;
    const lg_group *groups[3] = {lg_so3(), lg_se2(), lg_so3()};
    const lg_retraction *parts[3] = {lg_retraction_cayley(), lg_retraction_exp(), lg_retraction_second_kind()};
    lg_group *G = NULL;
    lg_retraction *r = NULL;
    suite_case("cayley x exp x second-kind on SO(3) x SE(2) x SO(3)");
    suite_ok("group", lg_group_create_product(&G, groups, 3));
    suite_ok("retraction", lg_retraction_create_product(&r, parts, 3));
    assert_int_equal(lg_retraction_supports(r, G), 1);
    assert_int_equal(lg_retraction_supports(r, lg_so3()), 0);
    assert_false(r->flags & LG_RETRACTION_SYMMETRIC);
    assert_true(r->flags & LG_RETRACTION_EXACT);
    lg_rng rng = suite_rng(14000);
    for (int k = 0; k < suite_count(100); k++) {
        double xi[9], mu[9], g[12], back[9], M[81], D[81], part[16], v[9];
        suite_algebra(G, xi, &rng, 0.7);
        suite_normal(mu, 9, &rng);
        suite_ok("tau", lg_retraction_tau(r, G, g, xi));
        suite_ok("tau_inv", lg_retraction_tau_inv(r, G, back, g));
        suite_near("round trip", back, xi, 9, 1e-12, fmax(1, mat_norm(xi, 9)));
        suite_ok("dtau_inv", lg_retraction_dtau_inv(r, G, M, xi));
        suite_ok("derivative", lg_retraction_dtau_inv_dual_derivative(r, G, D, xi, mu));
        suite_ok("dual", lg_retraction_dtau_inv_dual(r, G, v, xi, mu));
        for (int f = 0; f < 3; f++) {
            suite_ok("tau", lg_retraction_tau(parts[f], groups[f], part, xi + 3 * f));
            suite_same_bits("tau of a factor", g + 4 * f, part, 4);
            suite_ok("dual", lg_retraction_dtau_inv_dual(parts[f], groups[f], part, xi + 3 * f, mu + 3 * f));
            suite_same_bits("dual of a factor", v + 3 * f, part, 3);
            suite_ok("dtau_inv", lg_retraction_dtau_inv(parts[f], groups[f], part, xi + 3 * f));
            for (int i = 0; i < 81; i++) {
                int row = i / 9 - 3 * f, column = i % 9 - 3 * f, inside = column >= 0 && column < 3;
                if (row >= 0 && row < 3) suite_near1("block", M[i], inside ? part[row * 3 + column] : 0, 0, 1);
            }
            suite_ok("derivative",
                     lg_retraction_dtau_inv_dual_derivative(parts[f], groups[f], part, xi + 3 * f, mu + 3 * f));
            for (int i = 0; i < 9; i++) suite_near1("block", D[(3 * f + i / 3) * 9 + 3 * f + i % 3], part[i], 0, 1);
        }
    }
    lg_retraction *bad = NULL;
    const lg_retraction *hole[2] = {lg_retraction_exp(), NULL};
    suite_status("no factors", lg_retraction_create_product(&bad, NULL, 2), LG_ERROR_ARGUMENT);
    suite_status("a hole", lg_retraction_create_product(&bad, hole, 2), LG_ERROR_ARGUMENT);
    suite_status("none", lg_retraction_create_product(&bad, parts, 0), LG_ERROR_ARGUMENT);
    suite_status("into NULL", lg_retraction_create_product(NULL, parts, 3), LG_ERROR_ARGUMENT);
    suite_ok("two", lg_retraction_create_product(&bad, parts, 2));
    double xi[9] = {0}, g[12];
    suite_status("wrong number of factors", lg_retraction_tau(bad, G, g, xi), LG_ERROR_UNSUPPORTED);
    lg_retraction_destroy(bad);
    lg_retraction_destroy(r);
    lg_group_destroy(G);
}

/* A user's retraction with tau and dtau_inv only gives what the built-in one gives. */
static void test_user_equals_built_in(void **state)
{
    (void)state;
    const lg_retraction *base[] = {lg_retraction_exp(), lg_retraction_cayley(), lg_retraction_second_kind()};
    for (int i = 0; i < ROSTER_GROUPS * 3; i++) {
        const roster_group *g = &roster_groups()[i / 3];
        lg_retraction user;
        roster_user_retraction(&user, base[i % 3]);
        lg_rng rng = suite_rng(15000 + (uint64_t)i);
        int n = lg_group_dim(g->G);
        for (int k = 0; k < suite_count(20); k++) {
            double xi[SUITE_DIM], mu[SUITE_DIM], e[SUITE_ELEMENT], a[SUITE_MATRIX], b[SUITE_MATRIX];
            suite_algebra(g->like, xi, &rng, 0.7);
            for (int j = 0; j < n; j++) xi[j] = fmin(fmax(xi[j], -2), 2);
            suite_normal(mu, n, &rng);
            suite_case("user's %s on %s", base[i % 3]->name, g->label);
            suite_input("xi", xi, n);
            double scale = fmax(1, mat_norm(mu, n)) * fmax(1, mat_norm(xi, n));
            suite_ok("tau", lg_retraction_tau(&user, g->G, e, xi));
            suite_ok("tau_inv", lg_retraction_tau_inv(&user, g->G, a, e));
            suite_near("tau_inv", a, xi, n, 1e-11, scale);
            suite_ok("dtau", lg_retraction_dtau(&user, g->G, a, xi));
            suite_ok("dtau", lg_retraction_dtau(base[i % 3], g->G, b, xi));
            suite_near("dtau", a, b, n * n, 1e-12, fmax(1, mat_norm(b, n * n)));
            suite_ok("dual", lg_retraction_dtau_inv_dual(&user, g->G, a, xi, mu));
            suite_ok("dual", lg_retraction_dtau_inv_dual(base[i % 3], g->G, b, xi, mu));
            suite_near("dtau_inv_dual", a, b, n, 1e-13, scale * fmax(1, mat_norm(b, n)));
            suite_ok("dual", lg_retraction_dtau_dual(&user, g->G, a, xi, mu));
            suite_ok("dual", lg_retraction_dtau_dual(base[i % 3], g->G, b, xi, mu));
            suite_near("dtau_dual", a, b, n, 1e-12, scale * fmax(1, mat_norm(b, n)));
            suite_ok("derivative", lg_retraction_dtau_inv_dual_derivative(&user, g->G, a, xi, mu));
            suite_ok("derivative", lg_retraction_dtau_inv_dual_derivative(base[i % 3], g->G, b, xi, mu));
            suite_near("derivative", a, b, n * n, 1e-7, scale * fmax(1, mat_norm(b, n * n)));
        }
    }
}

/* A rotation by pi has no inverse Cayley image; the matrix -1 and its like have no real logarithm. */
static void test_domain(void **state)
{
    (void)state;
    const lg_retraction *cay = lg_retraction_cayley();
    const double q[3][4] = {{1, 0, 0, 0}, {0, 0.6, 0.8, 0}, {0, 0, -1, 0}}, half_turn[4] = {0.3, 0.4, -1, 0};
    double xi[10], big[7] = {1, 2, 3, 0, 1, 0, 0}, product[6] = {1, 2, 0, 1, 0, 0};
    for (int i = 0; i < 3; i++) {
        suite_case("half turn %d of SO(3)", i);
        suite_status("cay^-1", lg_retraction_tau_inv(cay, lg_so3(), xi, q[i]), LG_ERROR_DOMAIN);
        suite_ok("log", lg_group_log(lg_so3(), xi, q[i]));
        suite_near1("|log|", mat_norm(xi, 3), SUITE_PI, 2 * SUITE_EPS, SUITE_PI);
    }
    suite_case("half turns elsewhere");
    suite_status("SE(2)", lg_retraction_tau_inv(cay, lg_se2(), xi, half_turn), LG_ERROR_DOMAIN);
    suite_status("SE(3)", lg_retraction_tau_inv(cay, lg_se3(), xi, big), LG_ERROR_DOMAIN);
    suite_status("R^2 x SO(3)", lg_retraction_tau_inv(cay, roster_groups()[20].G, xi, product), LG_ERROR_DOMAIN);
    double so4[16] = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    suite_status("SO(4)", lg_retraction_tau_inv(cay, roster_groups()[10].G, xi, so4), LG_ERROR_DOMAIN);
    double sp2[4] = {-2, 0, 0, -0.5}, minus_one[4] = {-1, 0.7, 0, -1};
    suite_status("log on Sp(2): eigenvalues -2, -1/2", lg_group_log(roster_groups()[14].G, xi, sp2), LG_ERROR_DOMAIN);
    suite_status("log on Sp(2): a Jordan block of -1", lg_group_log(roster_groups()[14].G, xi, minus_one),
                 LG_ERROR_DOMAIN);
    double zero[4] = {0, 0, 0, 0};
    lg_status status = lg_group_log(lg_so3(), xi, zero); /* not a rotation: an error, or NaN; no crash */
    assert_true(status != LG_OK || suite_any_nan(xi, 3) || mat_norm(xi, 3) <= SUITE_PI);
}

/* The second kind at the gimbal position: no tangent's inverse there. sin and cos of the rounded pi/2 leave 6e-17. */
static void test_gimbal(void **state)
{
    (void)state;
    const double xi[3] = {0.4, SUITE_PI / 2, 0.3};
    double M[9], g[4];
    suite_case("second kind at the gimbal position");
    suite_ok("tau", lg_retraction_tau(lg_retraction_second_kind(), lg_so3(), g, xi));
    lg_status status = lg_retraction_dtau_inv(lg_retraction_second_kind(), lg_so3(), M, xi);
    if (status == LG_OK) {
        suite_above("largest entry of dtau^-1", mat_norm(M, 9), 1e14);
    } else {
        suite_status("dtau_inv", status, LG_ERROR_SINGULAR);
    }
}

int main(void)
{
    suite_begin("contracts of retractions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aliasing),       cmocka_unit_test(test_nan_in_nan_out),
        cmocka_unit_test(test_null_arguments), cmocka_unit_test(test_names),
        cmocka_unit_test(test_products),       cmocka_unit_test(test_user_equals_built_in),
        cmocka_unit_test(test_domain),         cmocka_unit_test(test_gimbal),
    };
    return cmocka_run_group_tests_name("retractions", tests, NULL, NULL);
}
