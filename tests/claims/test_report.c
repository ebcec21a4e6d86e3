/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger's own machinery: ranges, verdicts, the measurement that speaks for a claim, claims checked side by side,
 * slopes, small linear algebra, systems opened and sorted. */
#include "claims/framework/examples.h"
#include "claims/framework/harness.h"
#include "suite.h"

/* Measurements and verdicts ---------------------------------------------------------------------------------------- */

static void ranges(void **state)
{
    static const struct {
        double value, low, high, share;
        int passed;
    } cases[] = {
        {0.5, -INFINITY, 1, 0.5, 1},
        {1, -INFINITY, 1, 1, 1},
        {1.5, -INFINITY, 1, 1.5, 0},
        {-3, -INFINITY, 1, 0, 1},
        {NAN, -INFINITY, 1, INFINITY, 0},
        {4, 2, INFINITY, 0.5, 1},
        {1, 2, INFINITY, 2, 0},
        {2, 1.9, 2.1, 0, 1},
        {2.1, 1.9, 2.1, 1, 1},
        {2.2, 1.9, 2.1, 2, 0},
        {0, -INFINITY, 0, 0, 1},
        {NAN, 1.9, 2.1, INFINITY, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        claim_report r = {0};
        suite_case("range %zu", i);
        claim_case(&r, "system", NULL, "exp");
        if (isinf(cases[i].low)) {
            claim_below(&r, cases[i].value, cases[i].high, "why", "what %d", 7);
        } else if (isinf(cases[i].high)) {
            claim_above(&r, cases[i].value, cases[i].low, "why", "what %d", 7);
        } else {
            claim_between(&r, cases[i].value, cases[i].low, cases[i].high, "why", "what %d", 7);
        }
        assert_int_equal(r.count, 1);
        assert_string_equal(r.measures[0].what, "what 7");
        assert_string_equal(r.measures[0].system, "system");
        assert_string_equal(r.measures[0].method, "");
        assert_int_equal(r.measures[0].passed, cases[i].passed);
        assert_int_equal(claim_verdict(&r), cases[i].passed);
        if (isinf(cases[i].share)) {
            assert_true(isinf(claim_share(&r.measures[0])));
        } else {
            suite_near1("share", claim_share(&r.measures[0]), cases[i].share, 1e-12, 1);
        }
        claim_report_free(&r);
    }
}

static void verdicts(void **state)
{
    claim_report r = {0};
    (void)state;
    suite_case("verdicts");
    assert_int_equal(claim_verdict(&r), 0); /* nothing measured is no proof */
    assert_null(claim_worst(&r));
    claim_control(&r, 2, 1, "", "a control that is seen to fail");
    assert_int_equal(claim_verdict(&r), 0); /* a control alone shows nothing */
    claim_below(&r, 0.1, 1, "", "easy");
    claim_below(&r, 0.9, 1, "", "near");
    assert_int_equal(claim_verdict(&r), 1);
    assert_string_equal(claim_worst(&r)->what, "near");
    claim_control(&r, 0.5, 1, "", "a control that does not fail");
    assert_int_equal(claim_verdict(&r), 0);
    assert_string_equal(claim_worst(&r)->what, "a control that does not fail");
    claim_report_free(&r);
    claim_below(&r, 0.1, 1, "", "easy");
    claim_trouble(&r, "trouble with %s", "something");
    assert_int_equal(claim_verdict(&r), 0);
    assert_string_equal(claim_worst(&r)->trouble, "trouble with something");
    assert_true(isinf(claim_share(claim_worst(&r))));
    claim_report_free(&r);
    r.only = claim_example_at(0);
    assert_int_equal(claim_verdict(&r), -1); /* does not apply to the user's system */
    r.broken = 1;
    assert_int_equal(claim_verdict(&r), 0);
}

/* A user's system -------------------------------------------------------------------------------------------------- */

/* Controls without effect are skipped, errors are not. */
static void of_a_user(void **state)
{
    claim_report r = {.only = claim_example_at(0), .slack = 1000};
    (void)state;
    suite_case("a user's system");
    claim_below(&r, 5e-13, 1e-15, "", "round-off, widened");
    claim_control(&r, 0.5, 1, "", "a control that it does not show");
    claim_above(&r, 0.5, 1, "", "an effect that it does not show");
    claim_order_between(&r, 4, 1.9, 2.1, "", "smoother than the theorem needs");
    claim_order_between(&r, NAN, 1.9, 2.1, "", "no error above round-off");
    claim_order_between(&r, 1.5, 1.9, 2.1, "", "steps that are not small");
    claim_skip(&r, "nothing");
    assert_int_equal(claim_verdict(&r), 1);
    assert_int_equal(r.count, 7);
    assert_int_equal(claim_measured(&r), 2);
    assert_string_equal(claim_worst(&r)->what, "steps that are not small");
    claim_below(&r, 1e-5, 1e-15, "", "wrong");
    assert_int_equal(claim_verdict(&r), 0);
    assert_string_equal(claim_worst(&r)->what, "wrong");
    claim_report_free(&r);
    r.slack = 1e12;
    claim_below(&r, 2e-6, 1e-12, "", "no system rounds that badly");
    assert_int_equal(claim_verdict(&r), 0);
    claim_report_free(&r);
    claim_order_between(&r, 1, 1.9, 2.1, "", "an order lost");
    assert_int_equal(claim_verdict(&r), 0);
    claim_report_free(&r);
    r = (claim_report){0}; /* of the ledger's all three fail */
    claim_order_between(&r, NAN, 1.9, 2.1, "", "no error above round-off");
    claim_order_between(&r, 1.8, 1.9, 2.1, "", "too low");
    claim_above(&r, 0.5, 1, "", "an effect that must occur");
    for (int i = 0; i < r.count; i++) assert_int_equal(r.measures[i].passed, 0);
    claim_report_free(&r);
}

/* Units are changed where they must be, and the motion is the same: 1e3 and 1e-3 of everything. */
static int far_V(const lg_call *c, const double *q, double *V)
{
    (void)c;
    *V = 5e5 * (q[0] * q[0] + q[1] * q[1] * q[1] * q[1] / 4e6);
    return 0;
}

static int far_mass(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    J[0] = J[3] = 3e-2;
    return 0;
}

static int far_start(const lg_call *c, double *q, double *v)
{
    (void)c;
    q[0] = 4e3, q[1] = -2e3, v[0] = 1e7, v[1] = 3e6;
    return 0;
}

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *many(void)
{
    return lg_rn(24);
}

static int many_masses(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)rows, (void)why;
    for (int i = 0; i < 24; i++) J[25 * i] = 1;
    return 0;
}

static void units(void **state)
{
    static const lg_model_definition far = {.size = sizeof(lg_model_definition),
                                            .name = "far",
                                            .group = plane,
                                            .configure = far_mass,
                                            .initial = far_start,
                                            .step = 1e-5,
                                            .callbacks = {.potential = far_V}};
    lg_model_definition none = far;
    const lg_model_definition *own;
    char why[LG_MESSAGE_SIZE] = "";
    claim_report r = {0};
    claim_system a, b;
    claim_state x, y;
    (void)state;
    suite_case("units");
    assert_ptr_equal(claim_in_own_units(claim_example_at(0), why), claim_example_at(0));
    assert_ptr_equal(claim_in_own_units(lg_catalog_definition("rattleback"), why), lg_catalog_definition("rattleback"));
    own = claim_in_own_units(&far, why);
    assert_ptr_not_equal(own, &far);
    none.group = many, none.configure = many_masses, none.callbacks.potential = NULL;
    assert_null(claim_in_own_units(&none, why));
    assert_non_null(strstr(why, "at most dimension 20"));
    own = claim_in_own_units(&far, why);
    assert_int_equal(claim_open_definition(&r, &a, &far, NULL), 1);
    assert_int_equal(claim_open_definition(&r, &b, own, NULL), 1);
    assert_true(b.h > 0.005 && b.h < 0.5 && fabs(b.g0[0]) < 20 && fabs(b.g0[0]) > 0.1 && fabs(b.xi0[0]) < 50);
    lg_integrator *in_metres = claim_start(&r, &a, "gni", "exp", a.h, LG_START_REACTION);
    lg_integrator *in_its_own = claim_start(&r, &b, "gni", "exp", b.h, LG_START_REACTION);
    assert_int_equal(claim_steps(&r, in_metres, 50) && claim_steps(&r, in_its_own, 50), 1);
    claim_read(in_metres, &x), claim_read(in_its_own, &y);
    for (int i = 0; i < 2; i++) suite_near1("place", y.g[i] / b.g0[i], x.g[i] / a.g0[i], 1e-7, 1);
    suite_near1("momentum", y.p[0] / y.p[1] * (b.xi0[0] / b.xi0[1]), x.p[0] / x.p[1] * (a.xi0[0] / a.xi0[1]), 1e-7, 1);
    lg_integrator_destroy(in_metres), lg_integrator_destroy(in_its_own);
    claim_close(&a), claim_close(&b);
    claim_report_free(&r);
}

/* Side by side ----------------------------------------------------------------------------------------------------- */

static void good(claim_report *r)
{
    for (int i = 0; i < 100; i++) claim_below(r, i, 100, "", "%d", i);
}

static void bad(claim_report *r)
{
    claim_below(r, 2, r->full ? 3 : 1, "", "bad unless full");
}

static void heard(int index, void *context)
{
    ((int *)context)[index]++;
}

static void side_by_side(void **state)
{
    enum { MANY = 40 };
    static const claim both[2] = {{"good", "", "", 1, good}, {"bad", "", "", 2, bad}};
    const claim *chosen[MANY];
    claim_report reports[MANY];
    (void)state;
    for (int i = 0; i < MANY; i++) chosen[i] = &both[i % 3 == 0];
    for (int threads = 1; threads <= 8; threads *= 2) {
        for (int full = 0; full < 2; full++) {
            int told[MANY] = {0};
            suite_case("%d threads, full %d", threads, full);
            const int failed = claim_verify(chosen, reports, MANY, threads, full, NULL, heard, told);
            assert_int_equal(failed, full ? 0 : 14);
            for (int i = 0; i < MANY; i++) {
                assert_int_equal(told[i], 1);
                assert_int_equal(reports[i].count, i % 3 == 0 ? 1 : 100);
                assert_true(reports[i].seconds >= 0);
                claim_report_free(&reports[i]);
            }
        }
    }
    assert_int_equal(claim_verify(chosen, reports, 0, 2, 0, NULL, NULL, NULL), 0);
}

/* The list --------------------------------------------------------------------------------------------------------- */

static void ledger(void **state)
{
    const claim *c;
    (void)state;
    assert_null(claim_at_index(-1));
    assert_null(claim_find("no-such-claim"));
    assert_int_equal(claim_count() > 0, 1);
    for (int i = 0; (c = claim_at_index(i)) != NULL; i++) {
        suite_case("claim %s", c->id);
        assert_ptr_equal(claim_find(c->id), c); /* ids occur once */
        assert_non_null(c->check);
        assert_true(strlen(c->text) > 20);
        assert_true(strlen(c->source) > 3);
        assert_true(c->cost > 0);
        assert_true(claim_expected(c->id) > 0);
        assert_int_equal(strspn(c->id, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(c->id));
    }
}

/* A claim that measures less or more than it should, under the id of one that is counted. */
static void counts(void **state)
{
    static const claim less = {"gni-volume", "", "", 1, good}, more = {"affine-order", "", "", 1, good};
    const claim *chosen = claim_find("sleigh-balanced"), *wrong[2] = {&less, &more};
    claim_report r, of[2];
    (void)state;
    suite_case("counts");
    assert_int_equal(claim_verify(&chosen, &r, 1, 1, 0, NULL, NULL, NULL), 0);
    assert_int_equal(r.count, claim_expected("sleigh-balanced"));
    claim_report_free(&r);
    assert_int_equal(claim_expected("no-such-claim"), 0);
    assert_int_equal(claim_verify(wrong, of, 2, 1, 0, NULL, NULL, NULL), 2);
    assert_non_null(strstr(claim_worst(&of[0])->trouble, "100 measurements where "));
    assert_non_null(strstr(claim_worst(&of[0])->trouble, "something is refused or left out"));
    assert_non_null(strstr(claim_worst(&of[1])->trouble, "write claims/framework/counts.h again"));
    for (int i = 0; i < 2; i++) claim_report_free(&of[i]);
    assert_int_equal(claim_verify(wrong, of, 2, 1, 1, NULL, NULL, NULL), 1); /* long runs may measure more */
    for (int i = 0; i < 2; i++) claim_report_free(&of[i]);
    assert_int_equal(claim_verify(wrong, of, 2, 1, 0, claim_example_at(0), NULL, NULL), 0);
    for (int i = 0; i < 2; i++) claim_report_free(&of[i]);
}

/* Refusals that the theory excuses, and others. */
static void refusals(void **state)
{
    static const struct {
        const char *system, *method, *retraction;
        int excused;
    } cases[] = {
        {"suslov", "rattle", "exp", 1},
        {"two-link-arm", "sml", "exp", 1},
        {"rolling-disk-exact", "nsv", "exp", 1},
        {"two-wheeled-robot", "sem:gonzalez", "exp", 1},
        {"rigid-body", "sem", "second-kind", 1},
        {"rigid-body", "gni@kahan-li6", "second-kind", 1},
        {"affine-line", "sem", "cayley", 1},
        {"two-link-arm", "gni", "exp", 0},
        {"two-link-arm", "sem", "exp", 0},
        {"rolling-disk-exact", "gni", "cayley", 0},
        {"suslov", "nsv", "exp", 0},
        {"rigid-body", "gni", "second-kind", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        claim_report r = {0};
        claim_system s;
        suite_case("%s, %s, %s", cases[i].system, cases[i].method, cases[i].retraction);
        assert_int_equal(claim_open(&r, &s, cases[i].system, NULL), 1);
        assert_int_equal(claim_refused(&r, &s, cases[i].method, cases[i].retraction, LG_OK, ""), 0);
        assert_int_equal(r.count, 0);
        assert_int_equal(claim_refused(&r, &s, cases[i].method, cases[i].retraction, LG_ERROR_UNSUPPORTED, "no"), 1);
        assert_int_equal(r.count, !cases[i].excused);
        claim_report_free(&r);
        r.only = claim_example_at(0); /* a user's system may have what the list does not know */
        assert_int_equal(claim_refused(&r, &s, cases[i].method, cases[i].retraction, LG_ERROR_UNSUPPORTED, "no"), 1);
        assert_int_equal(r.count, 0);
        claim_close(&s);
    }
}

/* Systems ---------------------------------------------------------------------------------------------------------- */

static void sorting(void **state)
{
    static const struct {
        const char *name, *settings;
        unsigned with, without;
    } cases[] = {
        {"particle", "", CLAIM_BIINVARIANT | CLAIM_ABELIAN | CLAIM_VELOCITY_ROWS,
         CLAIM_CONSTANT_ROWS | CLAIM_WORK | CLAIM_POTENTIAL | CLAIM_METRIC},
        {"biinvariant-so3", "", CLAIM_BIINVARIANT, CLAIM_ABELIAN | CLAIM_CONSTANT_ROWS},
        {"suslov", "", CLAIM_CONSTANT_ROWS, CLAIM_BIINVARIANT | CLAIM_NOT_LEFT_INVARIANT},
        {"rolling-ball", "", CLAIM_DRIFT, CLAIM_FORCE | CLAIM_POTENTIAL},
        {"chaplygin-sphere", "Omega=0", 0, CLAIM_DRIFT},
        {"two-link-arm", "", CLAIM_METRIC | CLAIM_POTENTIAL, CLAIM_VELOCITY_ROWS},
        {"rolling-disk-exact", "", CLAIM_POSITION_ROWS | CLAIM_VELOCITY_ROWS, CLAIM_METRIC},
        {"turntable", "", CLAIM_TIME | CLAIM_DRIFT, 0},
        {"two-wheeled-robot", "", CLAIM_FORCE | CLAIM_CONTROLS, 0},
        {"body-se3", "", CLAIM_CONSTANT_ROWS, CLAIM_NOT_LEFT_INVARIANT | CLAIM_ABELIAN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        claim_report r = {0};
        claim_system s;
        suite_case("%s %s", cases[i].name, cases[i].settings);
        assert_int_equal(claim_open(&r, &s, cases[i].name, cases[i].settings), 1);
        assert_int_equal(s.traits & cases[i].with, cases[i].with);
        assert_int_equal(s.traits & cases[i].without, 0);
        claim_close(&s);
        assert_int_equal(r.count, 0);
    }
}

static void count_system(claim_report *r, const claim_system *s, void *context)
{
    double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS];
    (void)r;
    ++*(int *)context;
    claim_rows(s, 0, s->g0, A, b);
    for (int k = s->S->callbacks.holonomic_count; k < s->m; k++) { /* consistent initial data */
        double slip = -b[k];
        for (int i = 0; i < s->n; i++) slip += A[k * s->n + i] * s->xi0[i];
        suite_case("%s, row %d", s->name, k);
        suite_near1("A xi = b", slip, 0, 1e-12, 1);
    }
}

static void loops(void **state)
{
    claim_report r = {0};
    int all = 0, some = 0, catalog = 0;
    (void)state;
    suite_case("loops");
    while (lg_catalog_names()[catalog] != NULL) catalog++;
    claim_each(&r, 0, 0, count_system, &all);
    assert_true(all > catalog);
    claim_each(&r, CLAIM_DRIFT, 0, count_system, &some);
    assert_true(some > 2 && some < all);
    r.only = lg_catalog_definition("cvt");
    some = 0;
    claim_each(&r, 0, 0, count_system, &some);
    assert_int_equal(some, 1);
    claim_each(&r, CLAIM_DRIFT, 0, count_system, &some);
    assert_int_equal(some, 1);
    assert_int_equal(r.count, 0);
    assert_int_equal(claim_open(&r, &(claim_system){0}, "no-such-system", NULL), 0);
    assert_int_equal(claim_open(&r, &(claim_system){0}, "suslov", "I11=-1"), 0);
    assert_int_equal(r.count, 2);
    claim_report_free(&r);
}

/* Numbers ---------------------------------------------------------------------------------------------------------- */

static void numbers(void **state)
{
    static const double errors[4] = {1, 0.25, 0.0625, 1e-17}, A[9] = {0, 2, 0, -2, 0, 0, 0, 0, 3};
    double re[3], im[3], x[3];
    const double b[3] = {4, -2, 9};
    (void)state;
    suite_case("numbers");
    suite_near1("slope", claim_slope(errors, 4, 1e-14), 2, 1e-12, 1);
    assert_true(isnan(claim_slope(errors, 1, 0)));
    suite_near1("det", claim_determinant(3, A), 12, 1e-14, 1);
    assert_int_equal(claim_solve(3, A, b, x), 1);
    suite_near("x", x, (double[]){1, 2, 3}, 3, 1e-14, 1);
    assert_int_equal(claim_eigenvalues(3, A, re, im), 1);
    suite_near1("|lambda|", hypot(re[0], im[0]) * hypot(re[1], im[1]) * hypot(re[2], im[2]), 12, 1e-14, 1);
    assert_int_equal(claim_solve(2, (double[]){1, 2, 2, 4}, b, x), 0);
    assert_true(isnan(claim_gap((double[]){1, NAN}, (double[]){1, 1}, 2)));
}

/* The truth by compositions is as good as it says where the closed form is known. */
static void truth(void **state)
{
    static const char *const systems[] = {"chaplygin-sleigh", "rolling-ball", "suslov", "rigid-body"};
    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        claim_report r = {0};
        claim_system s;
        claim_state exact, composed;
        double xi[CLAIM_DIM], error;
        suite_case("%s", systems[i]);
        assert_int_equal(claim_open(&r, &s, systems[i], NULL), 1);
        lg_integrator *it = claim_start(&r, &s, "sem@kahan-li8", "exp", 0.05, LG_START_REACTION);
        assert_non_null(it);
        assert_int_equal(claim_steps(&r, it, 20), 1);
        claim_read(it, &composed);
        lg_integrator_destroy(it);
        assert_int_equal(claim_truth(&r, &s, 1, 20, &exact, &error), 1);
        int known = lg_model_describe(s.M)->exact(&(lg_call){.param = s.S->parameter_values, .t = 1, .lanes = 1}, s.g0,
                                                  s.xi0, exact.g, xi) == 0;
        for (int k = 0; k < s.size; k++) known &= !isnan(exact.g[k]);
        if (known) suite_near1("distance", claim_distance(s.G, exact.g, composed.g), 0, 1e-11, 1);
        if (known) assert_true(error == 0);
        assert_int_equal(r.count, 0);
        claim_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),  cmocka_unit_test(verdicts), cmocka_unit_test(of_a_user),    cmocka_unit_test(units),
        cmocka_unit_test(counts),  cmocka_unit_test(refusals), cmocka_unit_test(side_by_side), cmocka_unit_test(ledger),
        cmocka_unit_test(sorting), cmocka_unit_test(loops),    cmocka_unit_test(numbers),      cmocka_unit_test(truth),
    };
    suite_begin("claims/report");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
