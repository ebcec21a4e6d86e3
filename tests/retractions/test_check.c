/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_group_check(): every group of the library passes, and it finds an error of any kind in any member of a descriptor
 * of any group. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "planted.h"
#include "roster.h"
#include "suite.h"

/* ---- what is right passes ---- */

static void test_all_groups(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        for (uint64_t seed = 0; seed < 3; seed++) {
            lg_error e = {LG_OK, ""};
            lg_rng rng = suite_rng(21000 + 10 * (uint64_t)i + seed);
            suite_case("group %s", r->label);
            expect("check", lg_group_check(r->G, &rng, POINTS, 0, &e), LG_OK, &e);
        }
    }
}

/* ---- errors, planted one at a time ---- */

static lg_status planted_identity(const lg_group *G, double *g)
{
    const lg_status st = lg_group_identity(plant.base, g);
    spoil(IDENTITY, g, G->element_size, 0, NULL, NULL);
    return st;
}

#define UNARY(m, name, call, count, rows)                                                                              \
    static lg_status right_##name(const lg_group *G, double *out, const double *in)                                    \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        return call;                                                                                                   \
    }                                                                                                                  \
    static lg_status planted_##name(const lg_group *G, double *out, const double *in, void *work)                      \
    {                                                                                                                  \
        double x[SUITE_MATRIX], other[SUITE_MATRIX];                                                                   \
        const int both = mirrored(m) && right_##name(G, other, mirror(G, m, x, in)) == LG_OK;                          \
        const lg_status st = right_##name(G, out, in);                                                                 \
        (void)work;                                                                                                    \
        for (int i = 0; both && i < (count); i++) change(&out[i], other[i]);                                           \
        if (st == LG_OK) spoil(m, out, count, rows, in, in);                                                           \
        return st;                                                                                                     \
    }
#define BINARY(m, name, call, count, rows)                                                                             \
    static lg_status right_##name(const lg_group *G, double *out, const double *a, const double *b)                    \
    {                                                                                                                  \
        (void)G;                                                                                                       \
        return call;                                                                                                   \
    }                                                                                                                  \
    static lg_status planted_##name(const lg_group *G, double *out, const double *a, const double *b, void *work)      \
    {                                                                                                                  \
        double x[SUITE_MATRIX], other[SUITE_MATRIX];                                                                   \
        const int swap = mirrored(m) && (m) == COMPOSE;                                                                \
        const int both = mirrored(m) && right_##name(G, other, swap ? b : mirror(G, m, x, a), swap ? a : b) == LG_OK;  \
        const lg_status st = right_##name(G, out, a, b);                                                               \
        (void)work;                                                                                                    \
        for (int i = 0; both && i < (count); i++) change(&out[i], other[i]);                                           \
        if (st == LG_OK) spoil(m, out, count, rows, a, out == a ? a : b);                                              \
        return st;                                                                                                     \
    }
#define EXP lg_retraction_exp(), plant.base, out
#define CAY lg_retraction_cayley(), plant.base, out
BINARY(COMPOSE, compose, lg_group_compose(plant.base, out, a, b), E, 0)
UNARY(INVERSE, inverse, lg_group_inverse(plant.base, out, in), E, 0)
UNARY(AD, Ad, lg_group_Ad(plant.base, out, in), NN, N)
UNARY(SMALL_AD, ad, lg_group_ad(plant.base, out, in), NN, N)
BINARY(COAD, coAd, lg_group_coAd_apply(plant.base, out, a, b), N, 0)
UNARY(HAT, hat, lg_group_hat(plant.base, out, in), MM, G->matrix_size)
UNARY(VEE, vee, lg_group_vee(plant.base, out, in), N, 0)
UNARY(TO_MATRIX, to_matrix, lg_group_to_matrix(plant.base, out, in), MM, G->matrix_size)
UNARY(FROM_MATRIX, from_matrix, lg_group_from_matrix(plant.base, out, in), E, 0)
UNARY(PROJECT, project, lg_group_project(plant.base, out, in), E, 0)
UNARY(SECOND_KIND, second_kind, lg_retraction_tau_inv(lg_retraction_second_kind(), plant.base, out, in), N, 0)
UNARY(TAU, tau, lg_retraction_tau(EXP, in), E, 0)
UNARY(TAU_INV, tau_inv, lg_retraction_tau_inv(EXP, in), N, 0)
UNARY(DTAU, dtau, lg_retraction_dtau(EXP, in), NN, N)
UNARY(DTAU_INV, dtau_inv, lg_retraction_dtau_inv(EXP, in), NN, N)
BINARY(DUAL, dual, lg_retraction_dtau_inv_dual(EXP, a, b), N, 0)
BINARY(DERIVATIVE, derivative, lg_retraction_dtau_inv_dual_derivative(EXP, a, b), NN, N)
UNARY(CAY_TAU, cay_tau, lg_retraction_tau(CAY, in), E, 0)
UNARY(CAY_TAU_INV, cay_tau_inv, lg_retraction_tau_inv(CAY, in), N, 0)
UNARY(CAY_DTAU, cay_dtau, lg_retraction_dtau(CAY, in), NN, N)
UNARY(CAY_DTAU_INV, cay_dtau_inv, lg_retraction_dtau_inv(CAY, in), NN, N)
BINARY(CAY_DUAL, cay_dual, lg_retraction_dtau_inv_dual(CAY, a, b), N, 0)
BINARY(CAY_DERIVATIVE, cay_derivative, lg_retraction_dtau_inv_dual_derivative(CAY, a, b), NN, N)

static double planted_residual(const lg_group *G, const double *g, void *work)
{
    (void)G, (void)work;
    return lg_group_residual(plant.base, g);
}

static lg_status planted_random(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    (void)G, (void)work;
    return lg_group_random(plant.base, g, rng);
}

static const lg_group_maps planted_exp = {planted_tau,      planted_tau_inv, planted_dtau,
                                          planted_dtau_inv, planted_dual,    planted_derivative};
static const lg_group_maps planted_cay = {planted_cay_tau,      planted_cay_tau_inv, planted_cay_dtau,
                                          planted_cay_dtau_inv, planted_cay_dual,    planted_cay_derivative};

/* A user's group over a built-in one, its errors those of `plant`. */
static lg_group planted_group(const lg_group *base)
{
    const lg_group G = {.size = sizeof G,
                        .name = "planted",
                        .dim = base->dim,
                        .element_size = base->element_size,
                        .matrix_size = base->matrix_size,
                        .identity = planted_identity,
                        .compose = planted_compose,
                        .inverse = planted_inverse,
                        .Ad = planted_Ad,
                        .ad = planted_ad,
                        .coAd = planted_coAd,
                        .hat = planted_hat,
                        .vee = planted_vee,
                        .to_matrix = planted_to_matrix,
                        .from_matrix = planted_from_matrix,
                        .residual = planted_residual,
                        .project = planted_project,
                        .exp = &planted_exp,
                        .cay = &planted_cay,
                        .random = planted_random,
                        .second_kind_inv = planted_second_kind};
    plant = (planted){.base = base, .member = -1};
    return G;
}

static void over_members(const lg_group *base, uint64_t stream)
{
    for (int m = 0; m < MEMBERS; m++) {
        for (int j = 0; j < KINDS; j++) {
            lg_group G = planted_group(base);
            lg_error e = {LG_OK, ""};
            lg_rng rng = suite_rng(stream + (uint64_t)(m * KINDS + j));
            plant.member = m, plant.kind = (kind)j;
            suite_case("%s of %s, %s", member_names[m], base->name, kind_names[j]);
            const lg_status st = lg_group_check(&G, &rng, POINTS, 0, &e);
            if (harmless(base, m) || !plant.changed) continue;
            found++;
            if (st == LG_OK || strstr(e.message, "lg_group_check: planted") == NULL) miss(base, m, j, e.message);
        }
    }
}

static void test_planted_members(void **state)
{
    const lg_group *mixed[2] = {lg_rn(2), lg_so3()};
    lg_group *product = NULL, *sp = NULL;
    (void)state;
    missed = found = 0;
    suite_ok("product", lg_group_create_product(&product, mixed, 2));
    suite_ok("Sp(2)", lg_group_create_sp(&sp, 1));
    const lg_group *const groups[] = {lg_so3(),    lg_se2(), lg_se3(), lg_so2(), lg_rn(2),
                                      lg_torus(2), product,  sp,       lg_se23()};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) over_members(groups[i], 23000 + 1000 * i);
    if (missed > 0) suite_fail("%d of %d planted errors were not found", missed, found);
    assert_true(found > 900);
    lg_group_destroy(sp);
    lg_group_destroy(product);
}

/* ---- errors of other kinds ---- */

static void refused(const char *what, const lg_group *G, const char *part)
{
    lg_error e = {LG_OK, ""};
    lg_rng rng = suite_rng(41000);
    suite_case("%s", what);
    if (lg_group_check(G, &rng, POINTS, 0, &e) == LG_OK) suite_fail("not found");
    suite_contains("message", e.message, part);
}

static lg_status always_one(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    (void)work, (void)rng;
    return lg_group_identity(plant.base, G ? g : NULL);
}

static double never_off(const lg_group *G, const double *g, void *work)
{
    (void)G, (void)g, (void)work;
    return 0;
}

static double always_off(const lg_group *G, const double *g, void *work)
{
    (void)G, (void)g, (void)work;
    return 1;
}

static lg_status uses_scratch(const lg_group *G, double *out, const double *in, void *work)
{
    memset(work, 0, 8);
    return lg_group_inverse(plant.base, out, G ? in : NULL);
}

/* Blocks that do not describe a group; each with a part of what is said of it. */
static void test_wrong_blocks(void **state)
{
    static const struct {
        const lg_group *(*base)(void);
        lg_group_block blocks[2];
        const char *part;
    } wrong[] = {
        {lg_so3, {{LG_BLOCK_QUATERNION, 1, 3, 0, 3, NULL}}, "gaps"},
        {lg_se2, {{LG_BLOCK_POSITION, 0, 2, 0, 2, NULL}, {LG_BLOCK_PLANE_ROTATION, 1, 2, 2, 1, NULL}}, "overlap"},
        {lg_se2, {{LG_BLOCK_POSITION, 0, 2, 0, 2, NULL}, {LG_BLOCK_NUMBERS, 2, 1, 2, 1, NULL}}, "not the whole"},
        {lg_se2, {{LG_BLOCK_POSITION, 0, 2, 0, 2, NULL}, {LG_BLOCK_PLANE_ROTATION, 2, 2, 1, 1, NULL}}, "share"},
        {lg_se2, {{LG_BLOCK_POSITION, 0, 2, 0, 2, NULL}, {LG_BLOCK_PLANE_ROTATION, 2, 2, 3, 0, NULL}}, "no place"},
        {lg_se2, {{LG_BLOCK_POSITION, 0, 3, 0, 2, NULL}, {LG_BLOCK_NUMBERS, 3, 1, 2, 1, NULL}}, "suit its kind"},
        {lg_so3, {{.kind = LG_BLOCK_ANGLES}}, "suit its kind"},
        {lg_se3, {{.kind = LG_BLOCK_MATRIX}}, "suit its kind"},
        {lg_so3, {{.kind = LG_BLOCK_QUATERNION, .names = "qx qy qz"}}, "one name a column"},
        {lg_se2, {{LG_BLOCK_VECTOR, 0, 2, 0, 2, NULL}, {LG_BLOCK_PLANE_ROTATION, 2, 2, 2, 1, NULL}}, "add xi"},
        {lg_se3, {{LG_BLOCK_QUATERNION, 0, 4, 3, 3, NULL}, {LG_BLOCK_POSITION, 4, 3, 0, 3, NULL}}, "length"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lg_group G = planted_group(wrong[i].base());
        G.blocks = wrong[i].blocks, G.block_count = wrong[i].blocks[1].element > 0 ? 2 : 1;
        refused("blocks", &G, wrong[i].part);
    }
}

static void test_other_errors(void **state)
{
    (void)state;
#define WITH(base, change, part)                                                                                       \
    {                                                                                                                  \
        lg_group G = planted_group(base);                                                                              \
        change;                                                                                                        \
        refused(#change, &G, part);                                                                                    \
    }
    WITH(lg_so3(), G.abelian = 1, "abelian");
    WITH(lg_se2(), G.abelian = 1, "abelian");
    WITH(lg_so3(), G.kind = LG_KIND_SO3, "LG_KIND_USER");
    WITH(lg_so3(), G.random = always_one, "random");
    WITH(lg_so3(), G.residual = never_off, "residual");
    WITH(lg_se3(), G.residual = always_off, "residual");
    WITH(lg_se2(), G.dim = 2, "planted");
    WITH(lg_se2(), G.element_size = 3, "planted");
    WITH(lg_so3(), G.matrix_size = 2, "planted");
    WITH(lg_so3(), G.inverse = uses_scratch, "work_bytes");
    WITH(lg_so3(), G.compose = NULL, "incomplete");
    WITH(lg_so3(), (G.random = NULL, G.exp = NULL, G.cay = NULL), "no random elements");
#undef WITH
    lg_error e = {LG_OK, ""};
    lg_rng rng = {1};
    suite_status("no group", lg_group_check(NULL, &rng, 1, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("no generator", lg_group_check(lg_so3(), NULL, 1, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("no points", lg_group_check(lg_so3(), &rng, 0, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("no retraction", lg_retraction_check(NULL, lg_so3(), &rng, 1, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("no group", lg_retraction_check(lg_retraction_exp(), NULL, &rng, 1, 0, &e), LG_ERROR_ARGUMENT);
    suite_status("no points", lg_retraction_check(lg_retraction_exp(), lg_so3(), &rng, 0, 0, &e), LG_ERROR_ARGUMENT);
}

/* Groups that have less than the library's pass all the same: no exp, no Cayley map, no matrices. */
static void test_bare_groups(void **state)
{
    lg_error e = {LG_OK, ""};
    lg_rng rng = suite_rng(42000);
    (void)state;
    for (int i = 0; i < 4; i++) {
        lg_group G = planted_group(i % 2 ? lg_so3() : lg_se2());
        suite_case("bare group %d of %s", i, plant.base->name);
        if (i < 2) G.to_matrix = NULL, G.from_matrix = NULL, G.hat = NULL, G.vee = NULL, G.matrix_size = 0;
        G.exp = NULL;
        if (i > 1) G.cay = NULL;
        expect("check", lg_group_check(&G, &rng, POINTS, 0, &e), LG_OK, &e);
        plant.member = AD, plant.kind = SIGN;
        suite_status("Ad", lg_group_check(&G, &rng, POINTS, 0, &e), LG_ERROR_ARGUMENT);
    }
}

int main(void)
{
    suite_begin("checks of groups and retractions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_groups),   cmocka_unit_test(test_planted_members),
        cmocka_unit_test(test_wrong_blocks), cmocka_unit_test(test_other_errors),
        cmocka_unit_test(test_bare_groups),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
