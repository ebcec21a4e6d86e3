/* SPDX-License-Identifier: BSD-3-Clause */
/* Group operations on arrays: every operation, group, retraction, layout and width has the bits of single elements. */
#include <math.h>
#include <string.h>

#include "base/lapack.h"
#include "batched.h"
#include "suite.h"

enum { COUNT = 261, MOST = COUNT * SUITE_MATRIX };

/* One element of an array in a layout. */
static double *entry(double *array, const lg_batch *b, size_t size, size_t k, size_t i)
{
    return b->layout == LG_LAYOUT_ENTRIES ? &array[i * b->count + k] : &array[k * size + i];
}

static void gather(double *x, double *array, const lg_batch *b, size_t size, size_t k)
{
    for (size_t i = 0; i < size; i++) x[i] = *entry(array, b, size, k, i);
}

static void scatter(const double *x, double *array, const lg_batch *b, size_t size, size_t k)
{
    for (size_t i = 0; i < size; i++) *entry(array, b, size, k, i) = x[i];
}

/* Arrays of algebra vectors and elements, and of results. */
static double xi[MOST], p[MOST], g[MOST], h[MOST], out[MOST];
static const batched_arrays arrays = {out, xi, p, g, h};

static void fill(const lg_group *G, const lg_batch *b, lg_rng *rng)
{
    double x[SUITE_ELEMENT];
    for (size_t k = 0; k < b->count; k++) {
        suite_algebra(G, x, rng, 3);
        scatter(x, xi, b, (size_t)lg_group_dim(G), k);
        suite_normal(x, lg_group_dim(G), rng);
        scatter(x, p, b, (size_t)lg_group_dim(G), k);
        suite_element(G, x, rng);
        scatter(x, g, b, (size_t)lg_group_element_size(G), k);
        suite_element(G, x, rng);
        scatter(x, h, b, (size_t)lg_group_element_size(G), k);
    }
}

/* Equal bits, but all NaNs are one. */
static void same_numbers(const char *what, double *got, double *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(got[i]) && isnan(want[i])) got[i] = want[i] = 0;
    }
    suite_same_bits(what, got, want, (int)n);
}

static size_t input_size(char which, const lg_group *G)
{
    return which == '-' ? 0 : (size_t)(which == 'g' || which == 'h' ? lg_group_element_size(G) : lg_group_dim(G));
}

static void compare(int op, const lg_retraction *r, const lg_group *G, const lg_batch *b)
{
    const batched_row *row = &batched[op];
    const size_t size = batched_size(row->out, G), first = input_size(row->first, G), next = input_size(row->second, G);
    const lg_status status = batched_operation(op, r, G, b, &arrays);
    lg_status want = LG_OK;
    for (size_t k = 0; k < b->count; k++) {
        double a[SUITE_ELEMENT], second[SUITE_ELEMENT], y[SUITE_MATRIX], got[SUITE_MATRIX];
        lg_status single;
        gather(a, (double *)(uintptr_t)batched_input(row->first, &arrays), b, first, k);
        gather(second, (double *)(uintptr_t)batched_input(row->second, &arrays), b, next, k);
        single = batched_one(op, r, G, y, a, second);
        gather(got, out, b, size, k);
        if (single != LG_OK) {
            want = want == LG_OK ? single : want;
            assert_true(suite_any_nan(got, (int)size));
        } else {
            same_numbers(row->name, got, y, size);
        }
    }
    assert_int_equal(status, want);
}

static void bits(void **state)
{
    const lg_group *factors[4] = {lg_rn(2), lg_so3(), lg_torus(2), lg_se2()};
    lg_group *product = NULL, *so4 = NULL;
    lg_rng rng = suite_rng(77);
    (void)state;
    suite_ok("product", lg_group_create_product(&product, factors, 4));
    suite_status("SO(4)", lg_group_create_so(&so4, 4), LG_HAS_LAPACK ? LG_OK : LG_ERROR_UNSUPPORTED);
    const lg_group *groups[] = {lg_rn(3), lg_torus(2), lg_so3(), lg_se2(), lg_se3(),
                                lg_so2(), lg_se23(),   product,  so4}; /* the last needs LAPACK */
    static const char *const names[] = {"exp", "cayley", "second-kind"};
    static const size_t counts[] = {1, 4, 29, COUNT}; /* the last: more than a loop or a product takes at a time */
    for (size_t i = 0; i < 8 + LG_HAS_LAPACK; i++) {
        for (int layout = 0; layout < 2; layout++) {
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                const size_t count = counts[c];
                lg_batch b = lg_batch_default(count);
                b.layout = (lg_layout)layout;
                fill(groups[i], &b, &rng);
                for (int width = 1; width <= 8; width *= 2) {
                    if (!lg_width_supported(width)) continue;
                    b.width = width;
                    for (int op = 0; op < BATCHED_OPERATIONS; op++) {
                        for (int r = 0; r < 3; r++) {
                            suite_case("%s, %s, %s, layout %d, width %d, %zu elements", batched[op].name,
                                       lg_group_name(groups[i]), names[r], layout, width, count);
                            compare(op, lg_retraction_named(names[r]), groups[i], &b);
                        }
                    }
                }
            }
        }
    }
    lg_group_destroy(product);
    lg_group_destroy(so4);
}

/* NaN, infinities and numbers that are too large here and there: what has no result is NaN where it is alone, and its
 * neighbours are as they were. */
static void not_numbers(void **state)
{
    static const double wrong[] = {(double)NAN, (double)INFINITY, 1e200, (double)-INFINITY};
    const lg_group *factors[3] = {lg_se2(), lg_rn(2), lg_se3()};
    lg_group *product = NULL;
    lg_rng rng = suite_rng(78);
    (void)state;
    suite_ok("product", lg_group_create_product(&product, factors, 3));
    const lg_group *groups[] = {lg_rn(3), lg_torus(2), lg_so3(), lg_se2(), lg_se3(), lg_so2(), lg_se23(), product};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        for (int layout = 0; layout < 2; layout++) {
            lg_batch b = lg_batch_default(77);
            b.layout = (lg_layout)layout;
            fill(groups[i], &b, &rng);
            const size_t n = (size_t)lg_group_dim(groups[i]), e = (size_t)lg_group_element_size(groups[i]);
            for (size_t k = 0; k < b.count; k += 5) {
                *entry(xi, &b, n, k, k % n) = *entry(p, &b, n, k + k % 2, k % n) = wrong[k / 5 % 4];
                *entry(g, &b, e, k, k % e) = wrong[k / 5 % 4];
            }
            for (int width = 1; width <= lg_width_best(); width *= 2) {
                b.width = width;
                for (int op = 0; op < BATCHED_OPERATIONS; op++)
                    for (int r = 0; r < 2; r++) {
                        suite_case("%s, %s, layout %d, width %d, NaN", batched[op].name, lg_group_name(groups[i]),
                                   layout, width);
                        compare(op, r ? lg_retraction_cayley() : lg_retraction_exp(), groups[i], &b);
                    }
            }
        }
    }
    lg_group_destroy(product);
}

/* Zeros of both signs, where sums cancel: their signs are bits too. */
static void zeros(void **state)
{
    static const double values[] = {0, -0.0, 0, -0.0, 1, -1, 0.5, -0.25};
    const lg_group *groups[] = {lg_rn(2), lg_torus(2), lg_so3(), lg_se2(), lg_se3(), lg_so2(), lg_se23()};
    lg_rng rng = suite_rng(80);
    (void)state;
    for (int again = 0; again < 40; again++) {
        const lg_group *G = groups[again % 7];
        lg_batch b = lg_batch_default(COUNT);
        double *array[] = {xi, p, g, h};
        for (int k = 0; k < 4; k++)
            for (size_t i = 0; i < b.count * (size_t)lg_group_element_size(G); i++)
                array[k][i] = values[(int)(8 * lg_rng_uniform(&rng))];
        for (int width = 1; width <= lg_width_best(); width *= 2) {
            b.width = width;
            for (int op = 0; op < BATCHED_OPERATIONS; op++)
                for (int r = 0; r < 2; r++) {
                    suite_case("%s, %s, width %d, zeros", batched[op].name, lg_group_name(G), width);
                    compare(op, r ? lg_retraction_cayley() : lg_retraction_exp(), G, &b);
                }
        }
    }
}

/* Matrices of elements with noise, a few that are far from any element, one NaN. */
static void fill_matrices(const lg_group *G, const lg_batch *b, double *R, lg_rng *rng)
{
    const size_t size = batched_size('R', G);
    for (size_t k = 0; k < b->count; k++) {
        double one[SUITE_ELEMENT], matrix[SUITE_MATRIX];
        const double noise = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-3 : 0.05;
        suite_element(G, one, rng);
        suite_ok("to_matrix", lg_group_to_matrix(G, matrix, one));
        for (size_t i = 0; i < size; i++) matrix[i] = (k % 11 == 10 ? -2 : 1) * matrix[i] + noise * lg_rng_normal(rng);
        if (k == 20) matrix[k % size] = (double)NAN;
        scatter(matrix, R, b, size, k);
    }
}

static void from_matrix(void **state)
{
    const lg_group *factors[3] = {lg_so3(), lg_rn(2), lg_se3()};
    static double R[MOST];
    lg_group *product = NULL;
    lg_rng rng = suite_rng(81);
    (void)state;
    suite_ok("product", lg_group_create_product(&product, factors, 3));
    const lg_group *groups[] = {lg_rn(3), lg_torus(2), lg_so3(), lg_se2(), lg_se3(), lg_so2(), lg_se23(), product};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const lg_group *G = groups[i];
        for (int layout = 0; layout < 2; layout++) {
            lg_batch b = lg_batch_default(77);
            b.layout = (lg_layout)layout;
            fill_matrices(G, &b, R, &rng);
            for (int width = 1; width <= lg_width_best(); width *= 2) {
                suite_case("from_matrix, %s, layout %d, width %d", lg_group_name(G), layout, width);
                b.width = width;
                assert_int_equal(lg_batch_from_matrix(G, &b, out, R), LG_ERROR_DOMAIN);
                for (size_t k = 0; k < b.count; k++) {
                    double matrix[SUITE_MATRIX], want[SUITE_ELEMENT], got[SUITE_ELEMENT];
                    gather(matrix, R, &b, batched_size('R', G), k);
                    gather(got, out, &b, batched_size('e', G), k);
                    if (lg_group_from_matrix(G, want, matrix) != LG_OK || (i == 0 && suite_any_nan(matrix, 16)))
                        assert_true(suite_any_nan(got, lg_group_element_size(G)));
                    else
                        same_numbers("from_matrix", got, want, batched_size('e', G));
                }
            }
        }
    }
    lg_group_destroy(product);
}

/* The output in the place of an input. */
static void in_place(void **state)
{
    const lg_group *factors[3] = {lg_so3(), lg_torus(1), lg_se3()};
    static double want[MOST];
    const lg_retraction *r = lg_retraction_exp();
    lg_group *product = NULL;
    lg_rng rng = suite_rng(79);
    (void)state;
    suite_ok("product", lg_group_create_product(&product, factors, 3));
    for (int layout = 0; layout < 2; layout++) {
        lg_batch b = lg_batch_default(77);
        const int size = 77 * lg_group_element_size(product), small = 77 * lg_group_dim(product);
        suite_case("in place, layout %d", layout);
        b.layout = (lg_layout)layout;
        fill(product, &b, &rng);
        suite_ok("coAd", lg_batch_coAd_apply(product, &b, want, g, p));
        suite_ok("coAd", lg_batch_coAd_apply(product, &b, p, g, p));
        suite_same_bits("coAd", p, want, small);
        suite_ok("compose", lg_batch_compose(product, &b, want, g, h));
        memcpy(out, g, sizeof out);
        suite_ok("compose", lg_batch_compose(product, &b, out, out, h));
        suite_same_bits("compose", out, want, size);
        suite_ok("compose", lg_batch_compose(product, &b, h, g, h));
        suite_same_bits("compose", h, want, size);
        suite_ok("inverse", lg_batch_inverse(product, &b, want, g));
        suite_ok("inverse", lg_batch_inverse(product, &b, g, g));
        suite_same_bits("inverse", g, want, size);
        fill(product, &b, &rng);
        suite_ok("between", lg_batch_between(product, &b, want, g, h));
        memcpy(out, h, sizeof out);
        suite_ok("between", lg_batch_between(product, &b, out, g, out));
        suite_same_bits("between", out, want, size);
        suite_ok("between", lg_batch_between(product, &b, g, g, h));
        suite_same_bits("between", g, want, size);
        suite_ok("dtau_apply", lg_batch_dtau_apply(r, product, &b, want, xi, p));
        memcpy(out, p, sizeof out);
        suite_ok("dtau_apply", lg_batch_dtau_apply(r, product, &b, out, xi, out));
        suite_same_bits("dtau_apply", out, want, small);
        suite_ok("dtau_apply", lg_batch_dtau_apply(r, product, &b, xi, xi, p));
        suite_same_bits("dtau_apply", xi, want, small);
    }
    lg_group_destroy(product);
}

static void wrong(void **state)
{
    const lg_group *G = lg_so3();
    const lg_retraction *r = lg_retraction_exp();
    lg_group bare = *G;
    lg_batch b = lg_batch_default(4);
    (void)state;
    bare.to_matrix = NULL;
    suite_case("wrong use");
    suite_status("none", lg_batch_tau(r, G, &(lg_batch){sizeof b, 0, 0, 0}, out, xi), LG_ERROR_ARGUMENT);
    suite_status("overflow", lg_batch_tau(r, G, &(lg_batch){sizeof b, SIZE_MAX / 16, 0, 0}, out, xi),
                 LG_ERROR_ARGUMENT);
    suite_status("width", lg_batch_tau(r, G, &(lg_batch){sizeof b, 4, 0, 3}, out, xi), LG_ERROR_ARGUMENT);
    suite_status("layout", lg_batch_tau(r, G, &(lg_batch){sizeof b, 4, (lg_layout)7, 0}, out, xi), LG_ERROR_ARGUMENT);
    suite_status("no group", lg_batch_tau(r, NULL, &b, out, xi), LG_ERROR_ARGUMENT);
    suite_status("no retraction", lg_batch_tau(NULL, G, &b, out, xi), LG_ERROR_ARGUMENT);
    suite_status("no input", lg_batch_distance(G, &b, out, g, NULL), LG_ERROR_ARGUMENT);
    suite_status("no representation", lg_batch_to_matrix(&bare, &b, out, g), LG_ERROR_UNSUPPORTED);
    suite_status("no input", lg_batch_compose(G, &b, out, g, NULL), LG_ERROR_ARGUMENT);
    memset(g, 0, sizeof g); /* no rotations */
    suite_status("no logarithm", lg_batch_tau_inv(r, G, &b, out, g), LG_ERROR_DOMAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits),        cmocka_unit_test(not_numbers),
                                       cmocka_unit_test(zeros),       cmocka_unit_test(in_place),
                                       cmocka_unit_test(from_matrix), cmocka_unit_test(wrong)};
    suite_begin("retractions/batch");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
