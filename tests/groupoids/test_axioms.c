/* SPDX-License-Identifier: BSD-3-Clause */
/* The axioms of a groupoid ([P2] definition 8.1) and of its sections, on every supplied groupoid over every group, and
 * what composing and constructing refuse. */
#include <math.h>
#include <string.h>

#include "support/groupoids.h"

/* Composable elements g[0], g[1], g[2] through the points x[0], ..., x[3]. */
typedef struct chain {
    const lg_groupoid *gpd;
    double x[4][SUITE_ELEMENT], g[3][GROUPOID_ELEMENT];
    double tolerance;
} chain;

static void source(const lg_groupoid *gpd, double *x, const double *g)
{
    suite_ok("source", lg_groupoid_source(gpd, x, g));
}

static void target(const lg_groupoid *gpd, double *x, const double *g)
{
    suite_ok("target", lg_groupoid_target(gpd, x, g));
}

static void compose(const lg_groupoid *gpd, double *r, const double *g, const double *h)
{
    lg_error e;
    if (lg_groupoid_compose(gpd, r, g, h, &e) != LG_OK) suite_fail("compose: %s", e.message);
    assert_string_equal(e.message, "");
}

/* Points and increments are small, so that no angle passes pi and elements compare number by number. The tolerance:
 * sums of up to 12 terms in each of three products, times the cube of the largest entry. */
static void make_chain(chain *c, const groupoid_entry *entry, lg_rng *rng)
{
    const lg_groupoid *gpd = c->gpd = entry->gpd;
    double size = 1, eta[2 * SUITE_DIM];
    for (int i = 0; i < SUITE_DIM; i++) eta[i] = lg_rng_uniform(rng) - 0.5;
    suite_normal(c->x[0], gpd->base_size, rng);
    if (entry->M != NULL) suite_ok("exp", lg_group_exp(entry->M, c->x[0], eta));
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < gpd->dim; i++) eta[i] = lg_rng_uniform(rng) - 0.5;
        suite_ok("section", lg_groupoid_section(gpd, c->g[k], c->x[k], eta));
        target(gpd, c->x[k + 1], c->g[k]);
        for (int i = 0; i < gpd->element_size; i++) size = fmax(size, fabs(c->g[k][i]));
    }
    c->tolerance = 40 * SUITE_EPS * size * size * size;
}

static void same_element(const chain *c, const char *what, const double *got, const double *want)
{
    suite_near(what, got, want, c->gpd->element_size, c->tolerance, 1);
}

static void same_point(const chain *c, const char *what, const double *got, const double *want)
{
    suite_near(what, got, want, c->gpd->base_size, c->tolerance, 1);
}

static void check_products(const chain *c)
{
    double gh[GROUPOID_ELEMENT], hk[GROUPOID_ELEMENT], left[GROUPOID_ELEMENT], right[GROUPOID_ELEMENT];
    double x[SUITE_ELEMENT];
    compose(c->gpd, gh, c->g[0], c->g[1]);
    source(c->gpd, x, gh);
    same_point(c, "source(gh) = source(g)", x, c->x[0]);
    target(c->gpd, x, gh);
    same_point(c, "target(gh) = target(h)", x, c->x[2]);
    compose(c->gpd, hk, c->g[1], c->g[2]);
    compose(c->gpd, left, gh, c->g[2]);
    compose(c->gpd, right, c->g[0], hk);
    same_element(c, "(gh)k = g(hk)", left, right);
}

static void check_units(const chain *c)
{
    double at_source[GROUPOID_ELEMENT], at_target[GROUPOID_ELEMENT], r[GROUPOID_ELEMENT], x[SUITE_ELEMENT];
    suite_ok("unit", lg_groupoid_unit(c->gpd, at_source, c->x[0]));
    suite_ok("unit", lg_groupoid_unit(c->gpd, at_target, c->x[1]));
    source(c->gpd, x, at_source);
    same_point(c, "source of a unit", x, c->x[0]);
    target(c->gpd, x, at_source);
    same_point(c, "target of a unit", x, c->x[0]);
    compose(c->gpd, r, at_source, c->g[0]);
    same_element(c, "1 g = g", r, c->g[0]);
    compose(c->gpd, r, c->g[0], at_target);
    same_element(c, "g 1 = g", r, c->g[0]);
}

static void check_inverses(const chain *c)
{
    double inverse[GROUPOID_ELEMENT], r[GROUPOID_ELEMENT], unit[GROUPOID_ELEMENT], x[SUITE_ELEMENT];
    suite_ok("inverse", lg_groupoid_inverse(c->gpd, inverse, c->g[0]));
    source(c->gpd, x, inverse);
    same_point(c, "source of the inverse", x, c->x[1]);
    target(c->gpd, x, inverse);
    same_point(c, "target of the inverse", x, c->x[0]);
    compose(c->gpd, r, c->g[0], inverse);
    suite_ok("unit", lg_groupoid_unit(c->gpd, unit, c->x[0]));
    same_element(c, "g g^-1 = 1", r, unit);
    compose(c->gpd, r, inverse, c->g[0]);
    suite_ok("unit", lg_groupoid_unit(c->gpd, unit, c->x[1]));
    same_element(c, "g^-1 g = 1", r, unit);
    suite_ok("inverse", lg_groupoid_inverse(c->gpd, r, inverse));
    same_element(c, "the inverse of the inverse", r, c->g[0]);
}

static void check_sections(const chain *c)
{
    double g[GROUPOID_ELEMENT], unit[GROUPOID_ELEMENT], x[SUITE_ELEMENT], eta[2 * SUITE_DIM] = {0};
    suite_ok("section", lg_groupoid_section(c->gpd, g, c->x[1], eta));
    suite_ok("unit", lg_groupoid_unit(c->gpd, unit, c->x[1]));
    same_element(c, "sigma(x, 0) = 1", g, unit);
    source(c->gpd, x, c->g[1]);
    same_point(c, "source of a section", x, c->x[1]);
}

static void check_aliasing(const chain *c)
{
    double want[GROUPOID_ELEMENT], r[GROUPOID_ELEMENT];
    compose(c->gpd, want, c->g[0], c->g[1]);
    memcpy(r, c->g[0], sizeof r);
    compose(c->gpd, r, r, c->g[1]);
    suite_same_bits("g <- gh", r, want, c->gpd->element_size);
    memcpy(r, c->g[1], sizeof r);
    compose(c->gpd, r, c->g[0], r);
    suite_same_bits("h <- gh", r, want, c->gpd->element_size);
    suite_ok("inverse", lg_groupoid_inverse(c->gpd, want, c->g[0]));
    memcpy(r, c->g[0], sizeof r);
    suite_ok("inverse", lg_groupoid_inverse(c->gpd, r, r));
    suite_same_bits("g <- g^-1", r, want, c->gpd->element_size);
}

static void test_axioms(void **state)
{
    (void)state;
    int count;
    const groupoid_entry *entries = groupoid_roster(&count);
    lg_rng rng = suite_rng(1);
    assert_true(count > 100);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < suite_count(20); k++) {
            chain c;
            suite_case("%s", entries[i].gpd->name);
            make_chain(&c, &entries[i], &rng);
            for (int j = 0; j < 3; j++) suite_input("element", c.g[j], c.gpd->element_size);
            check_products(&c);
            check_units(&c);
            check_inverses(&c);
            check_sections(&c);
            check_aliasing(&c);
        }
}

/* Elements that do not meet are refused, and by how much is said; those that meet to round-off are not. */
static void test_matching(void **state)
{
    (void)state;
    int count;
    const groupoid_entry *entries = groupoid_roster(&count);
    lg_rng rng = suite_rng(2);
    for (int i = 0; i < count; i++) {
        chain c;
        double r[GROUPOID_ELEMENT];
        lg_error e;
        suite_case("%s", entries[i].gpd->name);
        make_chain(&c, &entries[i], &rng);
        for (int j = 0; j < GROUPOID_ELEMENT; j++) r[j] = 0.25;
        lg_status status = lg_groupoid_compose(c.gpd, r, c.g[0], c.g[2], &e);
        if (c.gpd->base_size == 0) {
            suite_ok("over a point all elements match", status);
            continue;
        }
        suite_status("elements that do not match", status, LG_ERROR_DOMAIN);
        suite_contains("message", e.message, "apart");
        suite_contains("message", e.message, c.gpd->name);
        for (int j = 0; j < GROUPOID_ELEMENT; j++) assert_true(r[j] == 0.25);
        suite_status("without a place for the message", lg_groupoid_compose(c.gpd, r, c.g[0], c.g[2], NULL),
                     LG_ERROR_DOMAIN);
        c.g[1][0] += 1e-11;
        suite_ok("elements that match to round-off", lg_groupoid_compose(c.gpd, r, c.g[0], c.g[1], &e));
        c.g[1][0] = NAN;
        assert_int_not_equal(lg_groupoid_compose(c.gpd, r, c.g[0], c.g[1], &e), LG_OK);
    }
}

/* Both quaternions of an attitude are the same point of a pair groupoid. */
static void test_signs_of_quaternions(void **state)
{
    (void)state;
    lg_groupoid *gpd = NULL;
    lg_error e;
    const double g[8] = {0, 0, 0, 1, 0.6, 0, 0, 0.8}, h[8] = {-0.6, 0, 0, -0.8, 0, 0.6, 0, 0.8};
    double r[8];
    suite_ok("pair", lg_groupoid_create_pair(&gpd, lg_so3(), NULL, &e));
    compose(gpd, r, g, h);
    suite_same_bits("source", r, g, 4);
    suite_same_bits("target", r + 4, h + 4, 4);
    lg_groupoid_destroy(gpd);
}

static void test_incomplete_descriptors(void **state)
{
    (void)state;
    lg_error e;
    double g[4] = {0}, x[2] = {0};
    static const char *const names[] = {"source", "target", "unit", "inverse", "multiply", "section"};
    for (int i = 0; i < 6; i++) {
        lg_groupoid gpd = groupoid_by_hand();
        suite_case("without %s", names[i]);
        assert_int_equal(lg_groupoid_complete(&gpd, &e), 1);
        if (i == 0) gpd.source = NULL;
        if (i == 1) gpd.target = NULL;
        if (i == 2) gpd.unit = NULL;
        if (i == 3) gpd.inverse = NULL;
        if (i == 4) gpd.multiply = NULL;
        if (i == 5) gpd.section = NULL;
        assert_int_equal(lg_groupoid_complete(&gpd, NULL), 0);
        assert_int_equal(lg_groupoid_complete(&gpd, &e), 0);
        suite_contains("message", e.message, names[i]);
        suite_contains("message", e.message, "by hand");
        suite_status("compose", lg_groupoid_compose(&gpd, g, g, g, &e), LG_ERROR_ARGUMENT);
        suite_status("source", lg_groupoid_source(&gpd, x, g), LG_ERROR_ARGUMENT);
        suite_status("target", lg_groupoid_target(&gpd, x, g), LG_ERROR_ARGUMENT);
        suite_status("unit", lg_groupoid_unit(&gpd, g, x), LG_ERROR_ARGUMENT);
        suite_status("inverse", lg_groupoid_inverse(&gpd, g, g), LG_ERROR_ARGUMENT);
        suite_status("section", lg_groupoid_section(&gpd, g, x, x), LG_ERROR_ARGUMENT);
    }
    lg_groupoid gpd = groupoid_by_hand();
    gpd.size = 8;
    assert_int_equal(lg_groupoid_complete(&gpd, &e), 0);
    suite_contains("message", e.message, "size");
    gpd = groupoid_by_hand();
    gpd.dim = 0;
    assert_int_equal(lg_groupoid_complete(&gpd, &e), 0);
    suite_contains("message", e.message, "dim");
    assert_int_equal(lg_groupoid_complete(NULL, &e), 0);
    suite_contains("message", e.message, "NULL");
    gpd = groupoid_by_hand();
    suite_status("compose into NULL", lg_groupoid_compose(&gpd, NULL, g, g, &e), LG_ERROR_ARGUMENT);
    suite_status("source of NULL", lg_groupoid_source(&gpd, x, NULL), LG_ERROR_ARGUMENT);
    lg_groupoid_destroy(&gpd); /* left alone */
    lg_groupoid_destroy(NULL);
}

static void test_refusals_of_the_constructors(void **state)
{
    (void)state;
    lg_error e;
    lg_group broken = *lg_so3();
    lg_groupoid *gpd = NULL;
    const lg_retraction *cayley = lg_retraction_cayley();
    broken.compose = NULL;
    suite_status("no place", lg_groupoid_create_pair(NULL, lg_so3(), NULL, &e), LG_ERROR_ARGUMENT);
    suite_status("no group", lg_groupoid_create_pair(&gpd, NULL, NULL, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "lg_groupoid_create_pair");
    suite_status("no group", lg_groupoid_create_group(&gpd, NULL, cayley, NULL), LG_ERROR_ARGUMENT);
    suite_status("no first group", lg_groupoid_create_atiyah(&gpd, NULL, lg_so3(), NULL, &e), LG_ERROR_ARGUMENT);
    suite_status("no second group", lg_groupoid_create_atiyah(&gpd, lg_rn(2), NULL, NULL, &e), LG_ERROR_ARGUMENT);
    suite_status("broken group", lg_groupoid_create_group(&gpd, &broken, NULL, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "compose");
    suite_status("no action", lg_groupoid_create_action(&gpd, lg_so3(), NULL, 3, NULL, NULL, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "action");
    suite_status("no base", lg_groupoid_create_action(&gpd, lg_so3(), NULL, 0, groupoid_turn, NULL, &e),
                 LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, "base_size");
    broken = *lg_so3();
    broken.cay = NULL;
    broken.kind = LG_KIND_USER;
    suite_status("chart", lg_groupoid_create_group(&gpd, &broken, cayley, &e), LG_ERROR_UNSUPPORTED);
    suite_contains("message", e.message, "cayley");
    assert_null(gpd);
}

int main(void)
{
    suite_begin("groupoids/axioms");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axioms),
        cmocka_unit_test(test_matching),
        cmocka_unit_test(test_signs_of_quaternions),
        cmocka_unit_test(test_incomplete_descriptors),
        cmocka_unit_test(test_refusals_of_the_constructors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
