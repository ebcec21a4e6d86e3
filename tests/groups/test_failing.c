/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of a user whose operations fail: every function of groups hands the status on, at whichever call it happens,
 * and is not changed by it. And groups that lack what is optional. */
#include <math.h>
#include <string.h>

#include "support/failing.h"
#include "support/matrix.h"

/* The arguments of the functions. */
typedef struct inputs {
    const lg_group *G;
    const char *name;
    double g[SUITE_ELEMENT], h[SUITE_ELEMENT], xi[SUITE_DIM], p[SUITE_DIM], X[SUITE_MATRIX], R[SUITE_MATRIX];
    double elements[4 * SUITE_ELEMENT], velocities[4 * SUITE_DIM]; /* of a spline */
} inputs;

#define CALL(name, expression)                                                                                         \
    static lg_status call_##name(const void *context, double *out)                                                     \
    {                                                                                                                  \
        const inputs *x = context;                                                                                     \
        return lg_group_##name expression;                                                                             \
    }
#define UNARY(name, in)    CALL(name, (x->G, out, x->in))
#define BINARY(name, a, b) CALL(name, (x->G, out, x->a, x->b))
#define PAIR(name, a, b)   CALL(name, (x->G, out, out + SUITE_MATRIX / 2, x->a, x->b))
CALL(identity, (x->G, out))
CALL(interpolate, (x->G, out, x->g, x->h, 0.25))
UNARY(inverse, g)
UNARY(Ad, g)
UNARY(coAd, g)
UNARY(ad, xi)
UNARY(coad, xi)
UNARY(hat, xi)
UNARY(vee, X)
UNARY(to_matrix, g)
UNARY(from_matrix, R)
UNARY(project, g)
UNARY(exp, xi)
UNARY(log, g)
UNARY(right_jacobian, xi)
UNARY(left_jacobian, xi)
UNARY(right_jacobian_inv, xi)
UNARY(left_jacobian_inv, xi)
UNARY(inverse_right_jacobian, g)
UNARY(inverse_left_jacobian, g)
BINARY(compose, g, h)
BINARY(Ad_apply, g, xi)
BINARY(coAd_apply, g, p)
BINARY(ad_apply, xi, p)
BINARY(coad_apply, xi, p)
BINARY(distance, g, h)
BINARY(between, g, h)
BINARY(right_plus, g, xi)
BINARY(left_plus, g, xi)
BINARY(right_minus, g, h)
BINARY(left_minus, g, h)
PAIR(compose_right_jacobian, g, h)
PAIR(compose_left_jacobian, g, h)
PAIR(between_right_jacobian, g, h)
PAIR(between_left_jacobian, g, h)
PAIR(right_plus_jacobian, g, xi)
PAIR(left_plus_jacobian, g, xi)
PAIR(right_minus_jacobian, g, h)
PAIR(left_minus_jacobian, g, h)

static lg_status call_random(const void *context, double *out)
{
    const inputs *x = context;
    lg_rng rng = {5};
    return lg_group_random(x->G, out, &rng);
}

/* A spline, and the curve at its middle. */
static lg_status curve(lg_status made, lg_spline *s, const lg_error *e, double *out)
{
    if (made == LG_OK)
        made = lg_spline_evaluate(s, out, out + SUITE_ELEMENT, out + SUITE_ELEMENT + SUITE_DIM, 0.5);
    else
        suite_contains("lg_spline", e->message, "lg_spline");
    lg_spline_destroy(s);
    return made;
}

static lg_status call_bspline(const void *context, double *out)
{
    const inputs *x = context;
    lg_spline *s = NULL;
    lg_error e = {LG_OK, ""};
    const lg_status made = lg_spline_create_bspline(&s, x->G, x->elements, 4, 0, 1, &e);
    return curve(made, s, &e, out);
}

static lg_status call_hermite(const void *context, double *out)
{
    const inputs *x = context;
    const double times[3] = {0, 1, 3};
    lg_spline *s = NULL;
    lg_error e = {LG_OK, ""};
    const lg_status made = lg_spline_create_hermite(&s, x->G, times, x->elements, x->velocities, 3, &e);
    return curve(made, s, &e, out);
}

#define ROW(name)                                                                                                      \
    {                                                                                                                  \
#name, call_##name                                                                                             \
    }
static const struct {
    const char *name;
    failing_call call;
} calls[] = {
    ROW(identity),
    ROW(inverse),
    ROW(Ad),
    ROW(coAd),
    ROW(ad),
    ROW(coad),
    ROW(hat),
    ROW(vee),
    ROW(to_matrix),
    ROW(from_matrix),
    ROW(project),
    ROW(exp),
    ROW(log),
    ROW(compose),
    ROW(Ad_apply),
    ROW(coAd_apply),
    ROW(ad_apply),
    ROW(coad_apply),
    ROW(distance),
    ROW(interpolate),
    ROW(random),
    ROW(between),
    ROW(right_plus),
    ROW(left_plus),
    ROW(right_minus),
    ROW(left_minus),
    ROW(right_jacobian),
    ROW(left_jacobian),
    ROW(right_jacobian_inv),
    ROW(left_jacobian_inv),
    ROW(compose_right_jacobian),
    ROW(compose_left_jacobian),
    ROW(inverse_right_jacobian),
    ROW(inverse_left_jacobian),
    ROW(between_right_jacobian),
    ROW(between_left_jacobian),
    ROW(right_plus_jacobian),
    ROW(left_plus_jacobian),
    ROW(right_minus_jacobian),
    ROW(left_minus_jacobian),
    ROW(bspline),
    ROW(hermite),
};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void draw(inputs *x, const lg_group *G, const lg_group *like)
{
    lg_rng rng = suite_rng(77);
    memset(x, 0, sizeof *x);
    x->G = G;
    suite_algebra(like, x->xi, &rng, 0.7);
    suite_normal(x->p, like->dim, &rng);
    for (int i = 0; i < 4; i++) {
        double step[SUITE_DIM];
        for (int k = 0; k < like->dim; k++) step[k] = 0.1 * (i + 1) + 0.05 * k;
        suite_ok("exp", lg_group_exp(like, x->elements + i * like->element_size, step));
        memcpy(x->velocities + i * like->dim, step, sizeof(double) * (size_t)like->dim);
    }
    memcpy(x->g, x->elements, sizeof x->g);
    memcpy(x->h, x->elements + like->element_size, sizeof x->h);
    suite_ok("hat", lg_group_hat(like, x->X, x->xi));
    suite_ok("to_matrix", lg_group_to_matrix(like, x->R, x->g));
}

/* Groups with failing factors: alone, and two of them in a product. */
static void test_every_call(void **state)
{
    (void)state;
    lg_group *so4;
    suite_ok("SO(4)", lg_group_create_so(&so4, 4));
    const lg_group *const bases[] = {lg_rn(3), lg_torus(2), lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_se23(), so4};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        lg_group failing;
        failing_group(&failing, bases[i]);
        inputs x;
        int operations = 0;
        draw(&x, &failing, bases[i]);
        for (int c = 0; c < CALLS; c++) {
            suite_case("a failing %s, %s", bases[i]->name, calls[c].name);
            operations += failing_each(calls[c].name, calls[c].call, &x, SUITE_MATRIX, 0);
        }
        if (operations < CALLS) suite_fail("%s: %d operations in %d calls", bases[i]->name, operations, (int)CALLS);
    }
    lg_group_destroy(so4);
}

static void test_every_call_of_a_product(void **state)
{
    (void)state;
    lg_group turns, moves, *G, *like;
    failing_group(&turns, lg_so3());
    failing_group(&moves, lg_se2());
    const lg_group *const factors[] = {&moves, lg_rn(2), &turns}, *const sound[] = {lg_se2(), lg_rn(2), lg_so3()};
    suite_ok("product", lg_group_create_product(&G, factors, 3));
    suite_ok("product", lg_group_create_product(&like, sound, 3));
    inputs x;
    draw(&x, G, like);
    for (int c = 0; c < CALLS; c++) {
        suite_case("a product with failing factors, %s", calls[c].name);
        if (failing_each(calls[c].name, calls[c].call, &x, SUITE_MATRIX, 0) < 2)
            suite_fail("%s asks less than two factors", calls[c].name);
    }
    lg_group_destroy(G);
    lg_group_destroy(like);
}

/* ---- what is optional ---- */

/* Without exponential, matrices and random elements: what needs them says LG_ERROR_UNSUPPORTED, the rest works. */
static void test_bare_groups(void **state)
{
    (void)state;
    static const char *const well[] = {"identity",
                                       "inverse",
                                       "Ad",
                                       "coAd",
                                       "ad",
                                       "coad",
                                       "project",
                                       "compose",
                                       "Ad_apply",
                                       "coAd_apply",
                                       "ad_apply",
                                       "coad_apply",
                                       "between",
                                       "compose_right_jacobian",
                                       "compose_left_jacobian",
                                       "inverse_right_jacobian",
                                       "inverse_left_jacobian",
                                       "between_right_jacobian",
                                       "between_left_jacobian"};
    lg_group bare, *pair;
    failing_group(&bare, lg_so3());
    bare.exp = bare.cay = NULL;
    bare.hat = bare.vee = bare.to_matrix = bare.from_matrix = NULL;
    bare.coAd = NULL;
    bare.random = NULL;
    bare.project = NULL;
    bare.residual = NULL;
    bare.name = NULL;
    bare.matrix_size = 0;
    const lg_group *const factors[] = {&bare, &bare}, *const sound[] = {lg_so3(), lg_so3()};
    lg_group *like;
    suite_ok("product", lg_group_create_product(&pair, factors, 2));
    suite_ok("product", lg_group_create_product(&like, sound, 2));
    failing_at(0, LG_OK);
    for (int k = 0; k < 2; k++) {
        inputs x, y;
        draw(&x, k ? pair : &bare, k ? like : lg_so3());
        draw(&y, k ? like : lg_so3(), k ? like : lg_so3());
        for (int c = 0; c < CALLS; c++) {
            double out[SUITE_MATRIX] = {0}, right[SUITE_MATRIX] = {0};
            int works = 0;
            for (size_t i = 0; i < sizeof well / sizeof well[0]; i++) works |= strcmp(well[i], calls[c].name) == 0;
            suite_case("a bare %s, %s", k ? "product" : "group", calls[c].name);
            const lg_status status = calls[c].call(&x, out);
            suite_status(calls[c].name, status, works ? LG_OK : LG_ERROR_UNSUPPORTED);
            if (!works) continue;
            suite_ok("the library's", calls[c].call(&y, right));
            suite_near(calls[c].name, out, right, SUITE_MATRIX, 1e-15, 1);
        }
    }
    suite_contains("name", lg_group_name(&bare), "no group");
    suite_contains("name", lg_group_name(pair), "?");
    assert_true(lg_group_residual(&bare, (double[]){0, 0, 0, 3}) >= 0);
    lg_group_destroy(pair);
    lg_group_destroy(like);
}

int main(void)
{
    suite_begin("failing groups");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_every_call_of_a_product),
        cmocka_unit_test(test_bare_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
