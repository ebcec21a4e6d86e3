/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of what groups take: named distances and interpolations against the generic ones and where they have no
 * value, descriptors of older callers, incomplete ones, arguments that are not there, sizes and numbers beyond the
 * limits; angles that a torus wraps. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include <liegrp/groups/se2.h>
#include <liegrp/groups/se23.h>
#include <liegrp/groups/se3.h>
#include <liegrp/groups/so2.h>
#include <liegrp/groups/so3.h>

#include "support/failing.h"
#include "support/matrix.h"
#include "support/roster.h"

/* ---- named groups ---- */

#define NAMED(name)                                                                                                    \
    static double name##_far(const double *a, const double *b)                                                         \
    {                                                                                                                  \
        return lg_##name##_distance(a, b);                                                                             \
    }                                                                                                                  \
    static lg_status name##_between(double *r, const double *a, const double *b, double s)                             \
    {                                                                                                                  \
        return lg_##name##_interpolate(r, a, b, s);                                                                    \
    }
NAMED(so2)
NAMED(so3)
NAMED(se2)
NAMED(se3)
NAMED(se23)
#undef NAMED

static const struct {
    const lg_group *(*group)(void);
    double (*far)(const double *a, const double *b);
    lg_status (*between)(double *r, const double *a, const double *b, double s);
} named[] = {{lg_so2, so2_far, so2_between},
             {lg_so3, so3_far, so3_between},
             {lg_se2, se2_far, se2_between},
             {lg_se3, se3_far, se3_between},
             {lg_se23, se23_far, se23_between}};

static void test_named(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(41);
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const lg_group *G = named[i].group();
        double a[SUITE_ELEMENT], b[SUITE_ELEMENT], r[SUITE_ELEMENT], want[SUITE_ELEMENT], d;
        suite_case("%s", G->name);
        for (int k = 0; k < suite_count(40); k++) {
            suite_ok("random", lg_group_random(G, a, &rng));
            suite_ok("random", lg_group_random(G, b, &rng));
            suite_ok("distance", lg_group_distance(G, &d, a, b));
            suite_near1("distance", named[i].far(a, b), d, 1e-14, 1 + d);
            suite_ok("between", named[i].between(r, a, b, 0.3));
            suite_ok("between", lg_group_interpolate(G, want, a, b, 0.3));
            suite_near("between", r, want, G->element_size, 1e-14, 1 + d);
        }
        for (int k = 0; k < G->element_size; k++) b[k] = NAN;
        assert_true(isnan(named[i].far(a, b)));
        if (named[i].between(r, a, b, 0.3) == LG_OK) assert_true(suite_any_nan(r, G->element_size));
        suite_ok("random", lg_group_random(G, b, &rng));
        if (G->dim > 1) suite_status("too far", named[i].between(r, a, b, 1e150), LG_ERROR_DOMAIN);
    }
}

/* ---- descriptors ---- */

/* Callers compiled against an old version have nothing after `random`: bytes there are not read. */
static void test_older_descriptor(void **state)
{
    (void)state;
    lg_group old;
    double g[4], h[4];
    lg_error e = {LG_OK, ""};
    lg_rng rng = {3};
    failing_group(&old, lg_so3());
    failing_at(0, LG_OK);
    old.size = offsetof(lg_group, second_kind_inv);
    memset((char *)&old + old.size, 0x5a, sizeof old - old.size);
    if (lg_group_check(&old, &rng, 1, 0, &e) != LG_OK) suite_fail("%s", e.message);
    suite_ok("random", lg_group_random(&old, g, &rng));
    suite_ok("inverse", lg_group_inverse(&old, h, g));
    lg_group_destroy(&old); /* it has no such function */
    double xi[3] = {0.1, 0.2, 0.3}, y[3];
    suite_ok("second kind", lg_retraction_tau(lg_retraction_second_kind(), &old, g, xi));
    suite_ok("second kind", lg_retraction_tau_inv(lg_retraction_second_kind(), &old, y, g));
    suite_near("second kind", y, xi, 3, 1e-12, 1);
    old.size = 8;
    suite_status("no size", lg_group_inverse(&old, h, g), LG_ERROR_ARGUMENT);
}

/* Without any one of the required members a descriptor is not a group: every function and product refuses it. */
static void test_incomplete(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        lg_group lame, *product = NULL;
        double g[SUITE_MATRIX] = {0, 0, 0, 1}, out[SUITE_MATRIX];
        lg_rng rng = {3};
        lg_error e = {LG_OK, ""};
        lg_spline *s = NULL;
        failing_group(&lame, lg_so3());
        lame.name = NULL;
        if (k == 0) lame.identity = NULL;
        if (k == 1) lame.compose = NULL;
        if (k == 2) lame.inverse = NULL;
        if (k == 3) lame.Ad = NULL;
        if (k == 4) lame.ad = NULL;
        if (k == 5) lame.dim = 0;
        if (k == 6) lame.element_size = 0;
        if (k == 7) lame.size = 0;
        suite_case("without member %d", k);
        const lg_group *const factors[] = {lg_so3(), &lame};
        suite_status("product", lg_group_create_product(&product, factors, 2), LG_ERROR_ARGUMENT);
        suite_status("compose", lg_group_compose(&lame, out, g, g), LG_ERROR_ARGUMENT);
        suite_status("random", lg_group_random(&lame, out, &rng), LG_ERROR_ARGUMENT);
        suite_status("distance", lg_group_distance(&lame, out, g, g), LG_ERROR_ARGUMENT);
        suite_status("interpolate", lg_group_interpolate(&lame, out, g, g, 0.5), LG_ERROR_ARGUMENT);
        suite_status("between", lg_group_between(&lame, out, g, g), LG_ERROR_ARGUMENT);
        suite_status("check", lg_group_check(&lame, &rng, 1, 0, &e), LG_ERROR_ARGUMENT);
        assert_true(e.message[0] != '\0');
        suite_status("spline", lg_spline_create_bspline(&s, &lame, g, 4, 0, 1, &e), LG_ERROR_ARGUMENT);
        suite_status("spline", lg_spline_create_hermite(&s, &lame, g, g, g, 2, &e), LG_ERROR_ARGUMENT);
        assert_true(isnan(lg_group_residual(&lame, g)));
    }
}

/* A descriptor with half of a retraction has no retraction. */
static void test_half_of_maps(void **state)
{
    (void)state;
    lg_group half;
    lg_group_maps maps;
    double g[4] = {0, 0, 0, 1}, out[SUITE_MATRIX];
    lg_error e = {LG_OK, ""};
    lg_spline *s = NULL;
    failing_group(&half, lg_so3());
    failing_at(0, LG_OK);
    maps = *half.exp;
    half.exp = &maps;
    maps.tau_inv = NULL;
    suite_status("distance", lg_group_distance(&half, out, g, g), LG_ERROR_UNSUPPORTED);
    suite_status("interpolate", lg_group_interpolate(&half, out, g, g, 0.5), LG_ERROR_UNSUPPORTED);
    suite_status("log", lg_group_log(&half, out, g), LG_ERROR_UNSUPPORTED);
    suite_status("spline", lg_spline_create_bspline(&s, &half, out, 4, 0, 1, &e), LG_ERROR_UNSUPPORTED);
    maps.tau = NULL;
    suite_status("interpolate", lg_group_interpolate(&half, out, g, g, 0.5), LG_ERROR_UNSUPPORTED);
    suite_status("spline", lg_spline_create_bspline(&s, &half, out, 4, 0, 1, &e), LG_ERROR_UNSUPPORTED);
    half.random = NULL;
    half.cay = NULL;
    lg_rng rng = {4};
    suite_status("random", lg_group_random(&half, g, &rng), LG_ERROR_UNSUPPORTED);
    half.project = NULL;
    half.exp = NULL;
    double off[4] = {0, 0, 0, 2};
    suite_status("project", lg_group_project(&half, g, off), LG_ERROR_UNSUPPORTED);
    suite_ok("project", lg_group_project(&half, g, (double[]){0, 0, 0, 1}));
}

/* ---- arguments ---- */

static void test_missing_arguments(void **state)
{
    (void)state;
    const lg_group *G = lg_so3();
    double g[SUITE_MATRIX] = {0, 0, 0, 1}, out[SUITE_MATRIX], t[4] = {0, 1, 2, 3};
    lg_spline *s = NULL;
    lg_error e;
    lg_rng rng = {5};
    typedef lg_status (*two)(const lg_group *, double *, const double *, const double *);
    static const two calls[] = {lg_group_compose,    lg_group_distance,    lg_group_between,    lg_group_right_plus,
                                lg_group_left_plus,  lg_group_right_minus, lg_group_left_minus, lg_group_Ad_apply,
                                lg_group_coAd_apply, lg_group_ad_apply,    lg_group_coad_apply};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        suite_case("call %d", (int)i);
        suite_status("group", calls[i](NULL, out, g, g), LG_ERROR_ARGUMENT);
        suite_status("out", calls[i](G, NULL, g, g), LG_ERROR_ARGUMENT);
        suite_status("a", calls[i](G, out, NULL, g), LG_ERROR_ARGUMENT);
        suite_status("b", calls[i](G, out, g, NULL), LG_ERROR_ARGUMENT);
    }
    suite_case("facts of no group");
    assert_int_equal(lg_group_dim(NULL), 0);
    assert_int_equal(lg_group_element_size(NULL), 0);
    assert_int_equal(lg_group_matrix_size(NULL), 0);
    assert_int_equal(lg_group_factor_count(NULL), 0);
    assert_null(lg_group_factor(NULL, 0));
    assert_true(isnan(lg_group_residual(NULL, g)) && isnan(lg_group_residual(G, NULL)));
    lg_group_destroy(NULL);
    suite_status("random", lg_group_random(NULL, out, &rng), LG_ERROR_ARGUMENT);
    suite_status("random", lg_group_random(G, NULL, &rng), LG_ERROR_ARGUMENT);
    suite_status("random", lg_group_random(G, out, NULL), LG_ERROR_ARGUMENT);
    suite_case("splines");
    suite_status("out", lg_spline_create_bspline(NULL, G, g, 4, 0, 1, &e), LG_ERROR_ARGUMENT);
    suite_status("group", lg_spline_create_bspline(&s, NULL, g, 4, 0, 1, &e), LG_ERROR_ARGUMENT);
    suite_status("elements", lg_spline_create_bspline(&s, G, NULL, 4, 0, 1, &e), LG_ERROR_ARGUMENT);
    suite_status("time", lg_spline_create_bspline(&s, G, g, 4, NAN, 1, &e), LG_ERROR_ARGUMENT);
    suite_status("end", lg_spline_create_bspline(&s, G, g, 14, 1e308, 1e308, &e), LG_ERROR_ARGUMENT);
    suite_status("out", lg_spline_create_hermite(NULL, G, t, g, g, 2, &e), LG_ERROR_ARGUMENT);
    suite_status("group", lg_spline_create_hermite(&s, NULL, t, g, g, 2, &e), LG_ERROR_ARGUMENT);
    suite_status("times", lg_spline_create_hermite(&s, G, NULL, g, g, 2, &e), LG_ERROR_ARGUMENT);
    suite_status("elements", lg_spline_create_hermite(&s, G, t, NULL, g, 2, &e), LG_ERROR_ARGUMENT);
    suite_status("velocities", lg_spline_create_hermite(&s, G, t, g, NULL, 2, &e), LG_ERROR_ARGUMENT);
    suite_status("one", lg_spline_create_hermite(&s, G, t, g, g, 1, &e), LG_ERROR_ARGUMENT);
    t[0] = -INFINITY;
    suite_status("infinite", lg_spline_create_hermite(&s, G, t, g, g, 2, &e), LG_ERROR_ARGUMENT);
    suite_contains("infinite", e.message, "time");
    assert_true(isnan(lg_spline_begin(NULL)) && isnan(lg_spline_end(NULL)));
    suite_status("curve", lg_spline_evaluate(NULL, out, NULL, NULL, 0), LG_ERROR_ARGUMENT);
}

static void test_constructors(void **state)
{
    (void)state;
    lg_group *G = NULL;
    const double bad[4] = {1, NAN, 0, 1}, good[4] = {1, 0.5, 0.5, 1}, minus[4] = {-1, 0, 0, -1};
    const double huge[9] = {-DBL_MAX, 0.5, 1, 1, 1, -1e16, -1e16, DBL_MAX, -1};
    const double twice[9] = {1, 0, 0, 1, 0, 0, 0, 0, 1}; /* two entries in one column */
    suite_status("so", lg_group_create_so(NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("so", lg_group_create_so(&G, 257), LG_ERROR_UNSUPPORTED);
    suite_status("so(p,q)", lg_group_create_so_pq(NULL, 2, 1), LG_ERROR_ARGUMENT);
    suite_status("so(p,q)", lg_group_create_so_pq(&G, 257, 1), LG_ERROR_UNSUPPORTED);
    suite_status("so(p,q)", lg_group_create_so_pq(&G, 1, 257), LG_ERROR_UNSUPPORTED);
    suite_status("so(p,q)", lg_group_create_so_pq(&G, 200, 100), LG_ERROR_UNSUPPORTED);
    suite_status("so(p,q)", lg_group_create_so_pq(&G, 1, 0), LG_ERROR_ARGUMENT);
    suite_status("so(p,q)", lg_group_create_so_pq(&G, 0, 1), LG_ERROR_ARGUMENT);
    suite_status("sp", lg_group_create_sp(NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("sp", lg_group_create_sp(&G, 129), LG_ERROR_UNSUPPORTED);
    suite_status("P", lg_group_create_quadratic(NULL, good, 2), LG_ERROR_ARGUMENT);
    suite_status("P", lg_group_create_quadratic(&G, NULL, 2), LG_ERROR_ARGUMENT);
    suite_status("P", lg_group_create_quadratic(&G, bad, 2), LG_ERROR_ARGUMENT);
    suite_status("P", lg_group_create_quadratic(&G, good, 65), LG_ERROR_UNSUPPORTED);
    suite_status("P", lg_group_create_quadratic(&G, twice, 3), LG_ERROR_SINGULAR);
    suite_status("huge P", lg_group_create_quadratic(&G, huge, 3), LG_ERROR_ARGUMENT); /* LAPACK does not return */
    suite_ok("P = -1", lg_group_create_quadratic(&G, minus, 2));                       /* the rotations too */
    double g[4] = {0, -1, 1, 0};
    assert_true(lg_group_residual(G, g) < 1e-15);
    assert_int_equal(lg_group_dim(G), 1);
    lg_group_destroy(G);
    lg_group large;
    failing_group(&large, lg_rn(1));
    large.dim = large.element_size = INT_MAX / 2 + 1;
    const lg_group *const factors[] = {&large, &large};
    suite_status("a product too large", lg_group_create_product(&G, factors, 2), LG_ERROR_ARGUMENT);
}

/* A NaN that goes in comes out of every map of quadratic groups of each kind; infinity does no harm. */
static void test_quadratic_numbers(void **state)
{
    (void)state;
    static const double general[9] = {2, 0.3, 0, 0.3, 1, 0, 0, 0, -1}, definite[9] = {2, 0.3, 0, 0.3, 1, 0, 0, 0, 3};
    lg_group *groups[4];
    suite_ok("SO(4)", lg_group_create_so(&groups[0], 4));
    suite_ok("Sp(2)", lg_group_create_sp(&groups[1], 1));
    suite_ok("general", lg_group_create_quadratic(&groups[2], general, 3));
    suite_ok("definite", lg_group_create_quadratic(&groups[3], definite, 3));
    for (int i = 0; i < 4; i++) {
        const lg_group *G = groups[i];
        const lg_group_maps *const maps[] = {G->exp, G->cay};
        double xi[SUITE_DIM], mu[SUITE_DIM], g[SUITE_ELEMENT], out[SUITE_MATRIX];
        void *work = test_malloc(G->work_bytes + 8);
        for (int k = 0; k < 2; k++) {
            for (int spoiled = 0; spoiled < 2; spoiled++) {
                const double wrong = k ? NAN : INFINITY;
                for (int j = 0; j < G->dim; j++) xi[j] = mu[j] = 0.1;
                if (G->dim < 1) suite_fail("%s has dimension %d", G->name, G->dim);
                *(spoiled ? mu : xi) = wrong;
                for (int j = 0; j < G->element_size; j++) g[j] = wrong;
                for (int m = 0; m < 2 && maps[m] != NULL; m++) {
                    suite_case("%s, map %d, number %g", G->name, m, wrong);
                    const lg_group_unary of_vectors[] = {maps[m]->tau, maps[m]->dtau, maps[m]->dtau_inv};
                    const lg_group_binary of_both[] = {maps[m]->dtau_inv_dual, maps[m]->dtau_inv_dual_derivative};
                    for (int f = 0; f < 3 && !spoiled; f++) {
                        const lg_status status = of_vectors[f](G, out, xi, work);
                        if (k == 1 && status == LG_OK && !suite_any_nan(out, f ? G->dim * G->dim : G->element_size))
                            suite_fail("map %d is finite", f);
                    }
                    for (int f = 0; f < 2; f++) {
                        if (of_both[f] == NULL) continue;
                        const lg_status status = of_both[f](G, out, xi, mu, work);
                        if (k == 1 && status == LG_OK && !suite_any_nan(out, f ? G->dim * G->dim : G->dim))
                            suite_fail("dual %d is finite", f);
                    }
                    if (maps[m]->tau_inv(G, out, g, work) == LG_OK && k == 1 && !suite_any_nan(out, G->dim))
                        suite_fail("the inverse is finite");
                }
            }
        }
        test_free(work);
        lg_group_destroy(groups[i]);
    }
}

/* T^n keeps its angles in (-pi, pi], for any input. */
static void test_torus_wraps(void **state)
{
    (void)state;
    const lg_group *T = lg_torus(1);
    static const double inputs[] = {SUITE_PI, -SUITE_PI, 3.5,          -3.5,          7, 100,
                                    -100,     1e6,       3 * SUITE_PI, -3 * SUITE_PI, 0, -1e-300};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        double g, r, back;
        suite_case("T^1");
        suite_input("x", &inputs[i], 1);
        suite_ok("exp", lg_group_exp(T, &g, &inputs[i]));
        assert_true(g > -SUITE_PI && g <= SUITE_PI);
        suite_near1("sin", sin(g), sin(inputs[i]), 4e-16, fmax(1, fabs(inputs[i])));
        suite_near1("cos", cos(g), cos(inputs[i]), 4e-16, fmax(1, fabs(inputs[i])));
        suite_ok("compose", lg_group_compose(T, &r, &g, &g));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
        suite_ok("inverse", lg_group_inverse(T, &r, &g));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
        suite_ok("log", lg_group_log(T, &back, &g));
        assert_true(back > -SUITE_PI && back <= SUITE_PI);
        suite_ok("project", lg_group_project(T, &r, &inputs[i]));
        assert_true(r > -SUITE_PI && r <= SUITE_PI);
    }
}

/* Random elements are reproducible, and a user's group without matrices has no hat. */
static void test_random_and_bare(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        double g[2][SUITE_ELEMENT], X[SUITE_MATRIX] = {0}, xi[SUITE_DIM] = {0};
        suite_case("group %s", r->label);
        for (int k = 0; k < 2; k++) {
            lg_rng rng = suite_rng(1200 + (uint64_t)i);
            if (r->G->random != NULL) suite_ok("random", lg_group_random(r->G, g[k], &rng));
        }
        if (r->G->random != NULL) suite_same_bits("random", g[0], g[1], lg_group_element_size(r->G));
        if (r->G->to_matrix != NULL || r->G == r->like) continue;
        suite_status("hat", lg_group_hat(r->G, X, xi), LG_ERROR_UNSUPPORTED);
        suite_status("vee", lg_group_vee(r->G, xi, X), LG_ERROR_UNSUPPORTED);
    }
}

int main(void)
{
    suite_begin("limits of groups");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torus_wraps),
                                       cmocka_unit_test(test_random_and_bare),
                                       cmocka_unit_test(test_named),
                                       cmocka_unit_test(test_older_descriptor),
                                       cmocka_unit_test(test_incomplete),
                                       cmocka_unit_test(test_half_of_maps),
                                       cmocka_unit_test(test_missing_arguments),
                                       cmocka_unit_test(test_constructors),
                                       cmocka_unit_test(test_quadratic_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
