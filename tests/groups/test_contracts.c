/* SPDX-License-Identifier: BSD-3-Clause */
/* What group.h promises besides the mathematics, over every group: outputs may alias inputs, a NaN that goes in comes
 * out, a NULL gets LG_ERROR_ARGUMENT, constructors refuse what makes no group. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "support/matrix.h"
#include "support/roster.h"

/* An operation of the generic interface with one array in, and the shapes of its input and output. */
typedef enum shape { ELEMENT, ALGEBRA, MATRIX, SQUARE } shape; /* SQUARE: n x n */

typedef struct unary {
    const char *name;
    lg_status (*call)(const lg_group *G, double *out, const double *in);
    shape out, in;
    int optional; /* a user's group may lack it */
    int constant; /* on an Abelian group the value does not depend on the input */
} unary;

typedef struct binary {
    const char *name;
    lg_status (*call)(const lg_group *G, double *out, const double *a, const double *b);
    shape out, a, b;
    int constant;
} binary;

static lg_status halfway(const lg_group *G, double *r, const double *a, const double *b)
{
    return lg_group_interpolate(G, r, a, b, 0.5);
}

static const unary unaries[] = {
    {"inverse", lg_group_inverse, ELEMENT, ELEMENT, 0, 0},
    {"Ad", lg_group_Ad, SQUARE, ELEMENT, 0, 1},
    {"coAd", lg_group_coAd, SQUARE, ELEMENT, 0, 1},
    {"ad", lg_group_ad, SQUARE, ALGEBRA, 0, 1},
    {"coad", lg_group_coad, SQUARE, ALGEBRA, 0, 1},
    {"hat", lg_group_hat, MATRIX, ALGEBRA, 1, 0},
    {"vee", lg_group_vee, ALGEBRA, MATRIX, 1, 0},
    {"to_matrix", lg_group_to_matrix, MATRIX, ELEMENT, 1, 0},
    {"from_matrix", lg_group_from_matrix, ELEMENT, MATRIX, 1, 0},
    {"project", lg_group_project, ELEMENT, ELEMENT, 1, 0},
    {"exp", lg_group_exp, ELEMENT, ALGEBRA, 0, 0},
    {"log", lg_group_log, ALGEBRA, ELEMENT, 0, 0},
};
static const binary binaries[] = {
    {"compose", lg_group_compose, ELEMENT, ELEMENT, ELEMENT, 0},
    {"Ad_apply", lg_group_Ad_apply, ALGEBRA, ELEMENT, ALGEBRA, 0},
    {"coAd_apply", lg_group_coAd_apply, ALGEBRA, ELEMENT, ALGEBRA, 0},
    {"ad_apply", lg_group_ad_apply, ALGEBRA, ALGEBRA, ALGEBRA, 1},
    {"coad_apply", lg_group_coad_apply, ALGEBRA, ALGEBRA, ALGEBRA, 1},
    {"interpolate", halfway, ELEMENT, ELEMENT, ELEMENT, 0},
};
enum { UNARIES = sizeof unaries / sizeof unaries[0], BINARIES = sizeof binaries / sizeof binaries[0] };

static int count(const lg_group *G, shape s)
{
    switch (s) {
    case ELEMENT:
        return lg_group_element_size(G);
    case ALGEBRA:
        return lg_group_dim(G);
    case MATRIX:
        return lg_group_matrix_size(G) * lg_group_matrix_size(G);
    case SQUARE:
    default:
        return lg_group_dim(G) * lg_group_dim(G);
    }
}

static void draw(const roster_group *r, shape s, double *x, lg_rng *rng)
{
    double g[SUITE_ELEMENT];
    if (s == ELEMENT) {
        double xi[SUITE_DIM];
        suite_algebra(r->like, xi, rng, 2.5); /* not at a cut of the logarithm */
        suite_ok("exp", lg_group_exp(r->like, x, xi));
    } else if (s == ALGEBRA) {
        suite_algebra(r->like, x, rng, 2.5);
    } else {
        draw(r, ELEMENT, g, rng);
        suite_ok("to_matrix", lg_group_to_matrix(r->like, x, g));
    }
}

static int missing(const roster_group *r, const unary *u)
{
    return u->optional && r->G != r->like && r->G->to_matrix == NULL;
}

static void test_aliasing_unary(void **state)
{
    (void)state;
    double in[SUITE_MATRIX], out[SUITE_MATRIX], both[SUITE_MATRIX];
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        lg_rng rng = suite_rng(2000 + (uint64_t)i);
        for (int k = 0; k < UNARIES * suite_count(20); k++) {
            const unary *u = &unaries[k % UNARIES];
            if (missing(r, u)) continue;
            suite_case("group %s, %s in place", r->label, u->name);
            draw(r, u->in, in, &rng);
            suite_input("in", in, count(r->G, u->in));
            memset(both, 0, sizeof both);
            memcpy(both, in, sizeof(double) * (size_t)count(r->G, u->in));
            suite_ok(u->name, u->call(r->G, out, in));
            suite_ok(u->name, u->call(r->G, both, both));
            suite_same_bits("out = in", both, out, count(r->G, u->out));
        }
    }
}

static void test_aliasing_binary(void **state)
{
    (void)state;
    double a[SUITE_MATRIX], b[SUITE_MATRIX], out[SUITE_MATRIX], x[SUITE_MATRIX];
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        lg_rng rng = suite_rng(2100 + (uint64_t)i);
        for (int k = 0; k < BINARIES * suite_count(20); k++) {
            const binary *o = &binaries[k % BINARIES];
            int na = count(r->G, o->a), nb = count(r->G, o->b), n = count(r->G, o->out);
            suite_case("group %s, %s in place", r->label, o->name);
            draw(r, o->a, a, &rng);
            draw(r, o->b, b, &rng);
            suite_input("a", a, na);
            suite_input("b", b, nb);
            suite_ok(o->name, o->call(r->G, out, a, b));
            memcpy(x, a, sizeof(double) * (size_t)na);
            suite_ok(o->name, o->call(r->G, x, x, b));
            suite_same_bits("out = a", x, out, n);
            memcpy(x, b, sizeof(double) * (size_t)nb);
            suite_ok(o->name, o->call(r->G, x, a, x));
            suite_same_bits("out = b", x, out, n);
            if (o->a != o->b) continue;
            suite_ok(o->name, o->call(r->G, out, a, a));
            memcpy(x, a, sizeof(double) * (size_t)na);
            suite_ok(o->name, o->call(r->G, x, x, x));
            suite_same_bits("out = a = b", x, out, n);
        }
    }
}

/* A NaN in any one entry must show: as a NaN in the output. Matrices that an Abelian factor makes constant are called
 * all the same (no crash), but may say nothing. */
static void test_nan_in_nan_out(void **state)
{
    (void)state;
    double a[SUITE_MATRIX], b[SUITE_MATRIX], out[SUITE_MATRIX], d;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        lg_rng rng = suite_rng(2200 + (uint64_t)i);
        int speaks = roster_no_abelian_factor(r->G);
        for (int k = 0; k < UNARIES; k++) {
            const unary *u = &unaries[k];
            if (missing(r, u)) continue;
            int whole =
                u->in == MATRIX ? 1 : count(r->G, u->in); /* a matrix has entries that a projection ignores: all NaN */
            for (int at = 0; at < whole; at++) {
                suite_case("group %s, %s of a NaN in entry %d", r->label, u->name, at);
                draw(r, u->in, a, &rng);
                if (u->in == MATRIX) {
                    for (int j = 0; j < count(r->G, MATRIX); j++) a[j] = NAN;
                } else {
                    a[at] = NAN;
                }
                memset(out, 0, sizeof out);
                lg_status status = u->call(r->G, out, a);
                if (u->constant && !speaks) continue;
                if (status == LG_OK && !suite_any_nan(out, count(r->G, u->out))) suite_fail("a NaN was swallowed");
            }
        }
        for (int k = 0; k < BINARIES; k++) {
            const binary *o = &binaries[k];
            for (int at = 0; at < count(r->G, o->a) + count(r->G, o->b); at++) {
                suite_case("group %s, %s of a NaN in entry %d", r->label, o->name, at);
                draw(r, o->a, a, &rng);
                draw(r, o->b, b, &rng);
                int in_a = at < count(r->G, o->a);
                *(in_a ? &a[at] : &b[at - count(r->G, o->a)]) = NAN;
                memset(out, 0, sizeof out);
                lg_status status = o->call(r->G, out, a, b);
                if ((o->constant || (in_a && o->b == ALGEBRA)) && !speaks) continue;
                if (status == LG_OK && !suite_any_nan(out, count(r->G, o->out))) suite_fail("a NaN was swallowed");
            }
        }
        draw(r, ELEMENT, a, &rng);
        draw(r, ELEMENT, b, &rng);
        b[0] = NAN;
        suite_case("group %s, NaN in distance and residual", r->label);
        d = 0;
        if (lg_group_distance(r->G, &d, a, b) == LG_OK && !isnan(d)) suite_fail("distance swallowed a NaN");
        if (r->G->residual != NULL && !isnan(lg_group_residual(r->G, b))) suite_fail("residual swallowed a NaN");
        if (r->G->residual != NULL) assert_int_equal(lg_group_is_valid(r->G, b, 1e300), 0);
    }
}

static void test_null_arguments(void **state)
{
    (void)state;
    double a[SUITE_MATRIX], b[SUITE_MATRIX], out[SUITE_MATRIX];
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        lg_rng rng = suite_rng(2300 + (uint64_t)i);
        for (int k = 0; k < UNARIES; k++) {
            const unary *u = &unaries[k];
            draw(r, u->in, a, &rng);
            suite_case("group %s, %s of NULL", r->label, u->name);
            suite_status("no group", u->call(NULL, out, a), LG_ERROR_ARGUMENT);
            suite_status("no output", u->call(r->G, NULL, a), LG_ERROR_ARGUMENT);
            suite_status("no input", u->call(r->G, out, NULL), LG_ERROR_ARGUMENT);
        }
        for (int k = 0; k < BINARIES; k++) {
            const binary *o = &binaries[k];
            draw(r, o->a, a, &rng);
            draw(r, o->b, b, &rng);
            suite_case("group %s, %s of NULL", r->label, o->name);
            suite_status("no group", o->call(NULL, out, a, b), LG_ERROR_ARGUMENT);
            suite_status("no output", o->call(r->G, NULL, a, b), LG_ERROR_ARGUMENT);
            suite_status("no first input", o->call(r->G, out, NULL, b), LG_ERROR_ARGUMENT);
            suite_status("no second input", o->call(r->G, out, a, NULL), LG_ERROR_ARGUMENT);
        }
        draw(r, ELEMENT, a, &rng);
        suite_status("identity", lg_group_identity(NULL, a), LG_ERROR_ARGUMENT);
        suite_status("identity", lg_group_identity(r->G, NULL), LG_ERROR_ARGUMENT);
        suite_status("distance", lg_group_distance(r->G, NULL, a, a), LG_ERROR_ARGUMENT);
        suite_status("distance", lg_group_distance(r->G, out, NULL, a), LG_ERROR_ARGUMENT);
        suite_status("distance", lg_group_distance(r->G, out, a, NULL), LG_ERROR_ARGUMENT);
        suite_status("random", lg_group_random(r->G, NULL, &rng), LG_ERROR_ARGUMENT);
        suite_status("random", lg_group_random(r->G, out, NULL), LG_ERROR_ARGUMENT);
    }
}

static void test_constructors(void **state)
{
    (void)state;
    lg_group *G = NULL;
    const lg_group *none[2] = {lg_so3(), NULL};
    const double singular[4] = {1, 2, 2, 4}, general[4] = {1, 0.2, 0.3, 5};
    suite_case("constructors");
    suite_status("R^0", lg_group_create_rn(&G, 0), LG_ERROR_ARGUMENT);
    suite_status("R^-1", lg_group_create_rn(&G, -1), LG_ERROR_ARGUMENT);
    suite_status("R^n into NULL", lg_group_create_rn(NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("T^0", lg_group_create_torus(&G, 0), LG_ERROR_ARGUMENT);
    suite_status("T^n into NULL", lg_group_create_torus(NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("SO(1)", lg_group_create_so(&G, 1), LG_ERROR_ARGUMENT);
    suite_status("SO(n) into NULL", lg_group_create_so(NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("SO(-1, 3)", lg_group_create_so_pq(&G, -1, 3), LG_ERROR_ARGUMENT);
    suite_status("SO(3, -1)", lg_group_create_so_pq(&G, 3, -1), LG_ERROR_ARGUMENT);
    suite_status("SO(1, 0)", lg_group_create_so_pq(&G, 1, 0), LG_ERROR_ARGUMENT);
    suite_status("Sp(0)", lg_group_create_sp(&G, 0), LG_ERROR_ARGUMENT);
    suite_status("P of size 1", lg_group_create_quadratic(&G, singular, 1), LG_ERROR_ARGUMENT);
    suite_status("no P", lg_group_create_quadratic(&G, NULL, 2), LG_ERROR_ARGUMENT);
    suite_status("singular P", lg_group_create_quadratic(&G, singular, 2), LG_ERROR_SINGULAR);
    suite_status("empty product", lg_group_create_product(&G, none, 0), LG_ERROR_ARGUMENT);
    suite_status("product with a hole", lg_group_create_product(&G, none, 2), LG_ERROR_ARGUMENT);
    suite_status("product of NULL", lg_group_create_product(&G, NULL, 2), LG_ERROR_ARGUMENT);
    suite_status("product into NULL", lg_group_create_product(NULL, none, 1), LG_ERROR_ARGUMENT);
    lg_group lame = *lg_so3();
    lame.kind = LG_KIND_USER;
    lame.compose = NULL;
    const lg_group *with_lame[1] = {&lame};
    suite_status("product with a factor without compose", lg_group_create_product(&G, with_lame, 1), LG_ERROR_ARGUMENT);
    suite_ok("any other P", lg_group_create_quadratic(&G, general, 2));
    assert_int_equal(lg_group_dim(G), 1);
    lg_group_destroy(G);
    assert_null(lg_rn(0));
    assert_null(lg_rn(33));
    assert_null(lg_torus(0));
    assert_null(lg_torus(33));
    lg_group_destroy(NULL);
    assert_int_equal(lg_group_factor_count(lg_so3()), 1);
    assert_ptr_equal(lg_group_factor(lg_so3(), 0), lg_so3());
    assert_null(lg_group_factor(lg_so3(), 1));
    assert_null(lg_group_factor(lg_so3(), -1));
}

static void expect_block(const lg_group *G, int i, lg_group_block want)
{
    const lg_group_block b = lg_group_block_at(G, i);
    suite_case("block %d of %s", i, lg_group_name(G));
    assert_int_equal(b.kind, want.kind);
    assert_int_equal(b.element, want.element);
    assert_int_equal(b.element_size, want.element_size);
    assert_int_equal(b.algebra, want.algebra);
    assert_int_equal(b.algebra_size, want.algebra_size);
}

/* A product has the blocks of its factors; a group without a table, or of an older header, is one block. */
static void test_blocks(void **state)
{
    static const lg_group_block short_block[] = {{LG_BLOCK_POSITION, 0, 2, 0, 2, NULL}};
    lg_group plain = *lg_so3(), lame = *lg_so3();
    lg_group *inner = NULL, *G = NULL;
    const lg_group *const pair[] = {lg_se2(), lg_torus(2)};
    (void)state;
    plain.kind = lame.kind = LG_KIND_USER;
    plain.size = offsetof(lg_group, block_count);
    lame.blocks = short_block;
    suite_ok("inner product", lg_group_create_product(&inner, pair, 2));
    const lg_group *const factors[] = {lg_rn(2), &plain, inner, lg_so3()};
    suite_ok("product", lg_group_create_product(&G, factors, 4));
    assert_int_equal(lg_group_block_count(G), 6);
    expect_block(G, 0, (lg_group_block){LG_BLOCK_VECTOR, 0, 2, 0, 2, NULL});
    expect_block(G, 1, (lg_group_block){LG_BLOCK_NUMBERS, 2, 4, 2, 3, NULL});
    expect_block(G, 2, (lg_group_block){LG_BLOCK_POSITION, 6, 2, 5, 2, NULL});
    expect_block(G, 3, (lg_group_block){LG_BLOCK_PLANE_ROTATION, 8, 2, 7, 1, NULL});
    expect_block(G, 4, (lg_group_block){LG_BLOCK_ANGLES, 10, 2, 8, 2, NULL});
    expect_block(G, 5, (lg_group_block){LG_BLOCK_QUATERNION, 12, 4, 10, 3, NULL});
    expect_block(G, 6, (lg_group_block){.kind = LG_BLOCK_NUMBERS});
    expect_block(G, -1, (lg_group_block){.kind = LG_BLOCK_NUMBERS});
    lg_group_destroy(G);
    lg_group_destroy(inner);
    assert_int_equal(lg_group_block_count(NULL), 0);
    const lg_group *const with_lame[] = {&lame};
    suite_status("product with wrong blocks", lg_group_create_product(&G, with_lame, 1), LG_ERROR_ARGUMENT);
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        int group, dim, element;
    } table[] = {{0, 1, 1},   {2, 12, 12}, {5, 3, 4},  {6, 3, 4},    {7, 6, 7},
                 {10, 6, 16}, {13, 6, 16}, {14, 3, 4}, {15, 10, 16}, {23, 12, 23}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const roster_group *r = &roster_groups()[table[i].group];
        suite_case("sizes of %s", r->label);
        assert_int_equal(lg_group_dim(r->G), table[i].dim);
        assert_int_equal(lg_group_element_size(r->G), table[i].element);
    }
    assert_string_equal(lg_group_name(lg_so3()), "SO(3)");
    suite_contains("name of a product", lg_group_name(roster_groups()[20].G), "SO(3)");
}

int main(void)
{
    suite_begin("contracts of groups");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aliasing_unary), cmocka_unit_test(test_aliasing_binary),
        cmocka_unit_test(test_nan_in_nan_out), cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_constructors),   cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests_name("contracts", tests, NULL, NULL);
}
