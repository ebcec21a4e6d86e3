/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_group_check() and lg_retraction_check(): every group of the library passes with every retraction, and an error in
 * any member of a descriptor is found, whatever the group and whatever the kind of error. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "roster.h"
#include "suite.h"

enum { POINTS = 3 };

static void expect(const char *what, lg_status got, lg_status want, const lg_error *e)
{
    if (got != want) suite_fail("%s: %s (%s), not %s", what, lg_status_name(got), e->message, lg_status_name(want));
}

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

static void test_all_retractions(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        for (int j = 0; j < ROSTER_RETRACTIONS; j++) {
            const lg_retraction *r = roster_retractions()[j];
            lg_error e = {LG_OK, ""};
            lg_rng rng = suite_rng(22000 + (uint64_t)(i * ROSTER_RETRACTIONS + j));
            suite_case("%s on %s", r->name, roster_groups()[i].label);
            expect("check", lg_retraction_check(r, roster_groups()[i].G, &rng, POINTS, 0, &e), LG_OK, &e);
        }
    }
}

/* ---- errors, planted one at a time ---- */

typedef enum kind { TENTH_OF_A_PERCENT, SIGN, ZERO, TRANSPOSED, LEFT_OUT, TOO_MANY, IN_PLACE, KINDS } kind;
static const char *const kind_names[KINDS] = {"1e-3 off", "negative",        "zero",        "transposed",
                                              "left out", "one number more", "not in place"};

typedef enum member {
    IDENTITY,
    COMPOSE,
    INVERSE,
    AD,
    SMALL_AD,
    COAD,
    HAT,
    VEE,
    TO_MATRIX,
    FROM_MATRIX,
    PROJECT,
    SECOND_KIND,
    TAU,
    TAU_INV,
    DTAU,
    DTAU_INV,
    DUAL,
    DERIVATIVE,
    CAY_TAU,
    CAY_TAU_INV,
    CAY_DTAU,
    CAY_DTAU_INV,
    CAY_DUAL,
    CAY_DERIVATIVE,
    MEMBERS
} member;
static const char *const member_names[MEMBERS] = {"identity",
                                                  "compose",
                                                  "inverse",
                                                  "Ad",
                                                  "ad",
                                                  "coAd",
                                                  "hat",
                                                  "vee",
                                                  "to_matrix",
                                                  "from_matrix",
                                                  "project",
                                                  "second_kind_inv",
                                                  "tau",
                                                  "tau_inv",
                                                  "dtau",
                                                  "dtau_inv",
                                                  "dtau_inv_dual",
                                                  "dtau_inv_dual_derivative",
                                                  "cay tau",
                                                  "cay tau_inv",
                                                  "cay dtau",
                                                  "cay dtau_inv",
                                                  "cay dtau_inv_dual",
                                                  "cay dtau_inv_dual_derivative"};

/* What is planted where; `changed` tells whether a number became another. */
static struct plant {
    const lg_group *base;
    int member;
    kind kind;
    int changed;
} plant;

static void change(double *x, double value)
{
    plant.changed |= fabs(*x - value) > 1e-5 * fmax(1, fabs(value)) || isnan(value);
    *x = value;
}

/* Spoils `count` numbers; rows: of a square matrix, else 0. `in` is NULL where nothing can alias. */
static void spoil(member m, double *out, int count, int rows, const double *copy, const double *in)
{
    int top = 0;
    if (plant.member != (int)m) return;
    for (int i = 1; i < count; i++)
        if (fabs(out[i]) > fabs(out[top])) top = i;
    switch (plant.kind) {
    case TENTH_OF_A_PERCENT:
        change(&out[top], out[top] * 1.001);
        break;
    case SIGN:
        for (int i = 0; i < count; i++) change(&out[i], -out[i]);
        break;
    case ZERO:
        for (int i = 0; i < count; i++) change(&out[i], 0);
        break;
    case TRANSPOSED:
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < i; j++) {
                const double t = out[i * rows + j];
                change(&out[i * rows + j], out[j * rows + i]);
                change(&out[j * rows + i], t);
            }
        break;
    case LEFT_OUT:
        change(&out[count - 1], (double)NAN);
        break;
    case TOO_MANY:
        change(&out[count], 1);
        plant.changed = 1;
        break;
    default:
        if (in == out && copy) change(&out[top], out[top] + 1);
        plant.changed |= in == out;
    }
}

static lg_status planted_identity(const lg_group *G, double *g)
{
    const lg_status st = lg_group_identity(plant.base, g);
    spoil(IDENTITY, g, G->element_size, 0, NULL, NULL);
    return st;
}

#define UNARY(m, name, call, count, rows)                                                                              \
    static lg_status planted_##name(const lg_group *G, double *out, const double *in, void *work)                      \
    {                                                                                                                  \
        const lg_status st = call;                                                                                     \
        (void)work;                                                                                                    \
        if (st == LG_OK) spoil(m, out, count, rows, in, in);                                                           \
        return st;                                                                                                     \
    }
#define BINARY(m, name, call, count, rows)                                                                             \
    static lg_status planted_##name(const lg_group *G, double *out, const double *a, const double *b, void *work)      \
    {                                                                                                                  \
        const lg_status st = call;                                                                                     \
        (void)work;                                                                                                    \
        if (st == LG_OK) spoil(m, out, count, rows, a, out == a ? a : b);                                              \
        return st;                                                                                                     \
    }
#define N   G->dim
#define E   G->element_size
#define NN  N *N
#define MM  G->matrix_size * G->matrix_size
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
    plant = (struct plant){.base = base, .member = -1};
    return G;
}

/* -q is q, and on R^n and T^n the negative of e is e: no error. */
static int harmless(const lg_group *base, int m)
{
    const int element =
        m == IDENTITY || m == COMPOSE || m == INVERSE || m == FROM_MATRIX || m == PROJECT || m == TAU || m == CAY_TAU;
    return element && plant.kind == SIGN && base == lg_so3();
}

/* All that are missed are told, and the test fails at its end. */
static int missed;

static void miss(const lg_group *base, int m, int j, const char *message)
{
    printf("missed: %s of %s, %s: '%s'\n", member_names[m], base->name, kind_names[j], message);
    missed++;
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
            if (st == LG_OK || strstr(e.message, "lg_group_check: planted") == NULL) miss(base, m, j, e.message);
        }
    }
}

static void test_planted_members(void **state)
{
    const lg_group *mixed[2] = {lg_rn(2), lg_so3()};
    lg_group *product = NULL, *sp = NULL;
    (void)state;
    suite_ok("product", lg_group_create_product(&product, mixed, 2));
    const lg_group *const groups[] = {lg_so3(), lg_se2(), lg_se3(), lg_so2(), lg_rn(2), lg_torus(2), product};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) over_members(groups[i], 23000 + 1000 * i);
    suite_ok("Sp(2)", lg_group_create_sp(&sp, 1));
    over_members(sp, 31000);
    if (missed > 0) suite_fail("%d planted errors were not found", missed);
    lg_group_destroy(sp);
    lg_group_destroy(product);
}

int main(void)
{
    suite_begin("checks of groups and retractions");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_groups),
        cmocka_unit_test(test_all_retractions),
        cmocka_unit_test(test_planted_members),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
