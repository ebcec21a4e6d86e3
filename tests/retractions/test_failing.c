/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions on groups of a user whose operations fail: the status is handed on, at whichever call it happens, one at
 * a time and in batches, and the checks of groups and retractions tell it. */
#include <string.h>

#include "support/failing.h"
#include "support/roster.h"

enum { COPIES = 3 };

typedef struct inputs {
    const lg_retraction *r;
    const lg_group *G;
    double xi[COPIES * SUITE_DIM], mu[SUITE_DIM], g[COPIES * SUITE_ELEMENT];
} inputs;

#define SINGLE(name, ...)                                                                                              \
    static lg_status call_##name(const void *context, double *out)                                                     \
    {                                                                                                                  \
        const inputs *x = context;                                                                                     \
        return lg_retraction_##name(x->r, x->G, out, __VA_ARGS__);                                                     \
    }
#define BATCH(name, in)                                                                                                \
    static lg_status call_batch_##name(const void *context, double *out)                                               \
    {                                                                                                                  \
        const inputs *x = context;                                                                                     \
        const lg_batch batch = lg_batch_default(COPIES);                                                               \
        return lg_batch_##name(x->r, x->G, &batch, out, x->in);                                                        \
    }
SINGLE(tau, x->xi)
SINGLE(tau_inv, x->g)
SINGLE(dtau, x->xi)
SINGLE(dtau_inv, x->xi)
SINGLE(dtau_apply, x->xi, x->mu)
SINGLE(dtau_inv_apply, x->xi, x->mu)
SINGLE(dtau_dual, x->xi, x->mu)
SINGLE(dtau_inv_dual, x->xi, x->mu)
SINGLE(dtau_inv_dual_derivative, x->xi, x->mu)
BATCH(tau, xi)
BATCH(tau_inv, g)
BATCH(dtau, xi)
BATCH(dtau_inv, xi)

static const struct {
    const char *name;
    failing_call call;
    int searches; /* by Newton's method, where there is no closed form */
} calls[] = {{"tau", call_tau, 0},
             {"tau_inv", call_tau_inv, 1},
             {"dtau", call_dtau, 0},
             {"dtau_inv", call_dtau_inv, 0},
             {"dtau_apply", call_dtau_apply, 0},
             {"dtau_inv_apply", call_dtau_inv_apply, 0},
             {"dtau_dual", call_dtau_dual, 0},
             {"dtau_inv_dual", call_dtau_inv_dual, 0},
             {"dtau_inv_dual_derivative", call_dtau_inv_dual_derivative, 0},
             {"tau of a batch", call_batch_tau, 0},
             {"tau_inv of a batch", call_batch_tau_inv, 1},
             {"dtau of a batch", call_batch_dtau, 0},
             {"dtau_inv of a batch", call_batch_dtau_inv, 0}};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void draw(inputs *x, const lg_group *like)
{
    lg_rng rng = suite_rng(78);
    suite_normal(x->mu, like->dim, &rng);
    for (int k = 0; k < COPIES; k++) {
        double *xi = x->xi + k * like->dim;
        for (int i = 0; i < like->dim; i++) xi[i] = 0.1 + 0.03 * i + 0.02 * k;
        suite_ok("tau", lg_retraction_tau(x->r, like, x->g + k * like->element_size, xi));
    }
}

static void over_retractions(const lg_group *G, const lg_group *like)
{
    for (int i = 0; i < ROSTER_RETRACTIONS; i++) {
        inputs x = {.r = roster_retractions()[i], .G = G};
        if (!lg_retraction_supports(x.r, G)) continue;
        draw(&x, like);
        for (int c = 0; c < CALLS; c++) {
            suite_case("a failing %s, %s of %s", like->name, calls[c].name, x.r->name);
            (void)failing_each(calls[c].name, calls[c].call, &x, SUITE_MATRIX, calls[c].searches);
        }
    }
}

static void test_every_call(void **state)
{
    (void)state;
    const lg_group *const bases[] = {lg_torus(2), lg_so3(), lg_se2()};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        lg_group failing;
        failing_group(&failing, bases[i]);
        over_retractions(&failing, bases[i]);
    }
}

static void test_products(void **state)
{
    (void)state;
    lg_group turns, *G, *like;
    failing_group(&turns, lg_so3());
    const lg_group *const factors[] = {lg_se2(), &turns}, *const sound[] = {lg_se2(), lg_so3()};
    suite_ok("product", lg_group_create_product(&G, factors, 2));
    suite_ok("product", lg_group_create_product(&like, sound, 2));
    over_retractions(G, like);
    lg_group_destroy(G);
    lg_group_destroy(like);
}

/* A check of a group hands on what its operations return, or names the identity that could not be looked at. */
static void check_tells(const char *what, lg_status (*check)(const lg_group *G, lg_error *e), const lg_group *G)
{
    lg_error e = {LG_OK, ""};
    failing_at(0, LG_OK);
    suite_ok(what, check(G, &e));
    const int operations = failing_calls();
    for (int k = 1; k <= operations; k += 1 + k / 60) {
        e.message[0] = '\0';
        failing_from(k, LG_ERROR_IO);
        const lg_status status = check(G, &e);
        suite_case("%s, operation %d of %d (%s)", what, k, operations, failing_operation());
        if (status == LG_OK) suite_fail("the failure is not reported");
        suite_contains("message", e.message, what);
    }
}

static lg_status group_check(const lg_group *G, lg_error *e)
{
    lg_rng rng = {11};
    return lg_group_check(G, &rng, 1, 0, e);
}

static const lg_retraction *checked;

static lg_status retraction_check(const lg_group *G, lg_error *e)
{
    lg_rng rng = {12};
    return lg_retraction_check(checked, G, &rng, 1, 0, e);
}

static void test_checks(void **state)
{
    (void)state;
    const lg_group *const bases[] = {lg_torus(2), lg_so3(), lg_se2()};
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        lg_group failing;
        failing_group(&failing, bases[i]);
        check_tells("lg_group_check", group_check, &failing);
        for (int r = 0; r < ROSTER_RETRACTIONS; r++) {
            checked = roster_retractions()[r];
            if (lg_retraction_supports(checked, &failing))
                check_tells("lg_retraction_check", retraction_check, &failing);
        }
    }
}

/* Members that a check can do without: matrices, a logarithm, a random element, each of the closed forms. */
static void test_checks_of_bare_groups(void **state)
{
    (void)state;
    const lg_group *const bases[] = {lg_rn(2), lg_so3(), lg_se2()};
    lg_error e = {LG_OK, ""};
    failing_at(0, LG_OK);
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        lg_group bare;
        failing_group(&bare, bases[i]);
        for (int k = 0; k < 7; k++) {
            lg_rng rng = {13};
            suite_case("a bare %s, %d", bases[i]->name, k);
            if (k == 0) bare.name = NULL;
            if (k == 1) bare.coAd = NULL;
            if (k == 2) bare.project = NULL;
            if (k == 3) bare.residual = NULL;
            if (k == 4) bare.cay = NULL;
            if (k == 5) bare.to_matrix = bare.from_matrix = bare.hat = bare.vee = NULL, bare.matrix_size = 0;
            if (k == 6) bare.exp = NULL;
            if (lg_group_check(&bare, &rng, 2, 0, &e) != LG_OK) suite_fail("%s", e.message);
        }
        bare.random = NULL;
        lg_rng rng = {13};
        suite_status("no random elements", lg_group_check(&bare, &rng, 2, 0, &e), LG_ERROR_UNSUPPORTED);
        suite_contains("no random elements", e.message, "random");
    }
}

int main(void)
{
    suite_begin("retractions on failing groups");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_checks_of_bare_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
