/* SPDX-License-Identifier: BSD-3-Clause */
/* Every system of the catalog has the derivatives of its rows, and all its callbacks give each instance of a call the
 * bits that it gets alone, next to any neighbours: other elements, times and parameters, other cases. */
#include <math.h>
#include <string.h>

#include "mechanics/field.h"
#include "support//suite.h"

enum { LANES_MOST = 8, PARAMETERS = 24, NUMBERS = 80 };

/* Some instances of a system, apart and in lanes. */
typedef struct instances {
    const lg_system *S;
    double t[LANES_MOST], g[LANES_MOST][SUITE_ELEMENT], xi[LANES_MOST][SUITE_DIM], param[LANES_MOST][PARAMETERS];
    double control[LANES_MOST][SUITE_DIM];
    _Alignas(64) double wide_t[LANES_MOST], wide_g[SUITE_ELEMENT * LANES_MOST], wide_xi[SUITE_DIM * LANES_MOST],
        wide_param[PARAMETERS * LANES_MOST], wide_control[SUITE_DIM * LANES_MOST];
} instances;

static void choose(instances *o, lg_rng *rng)
{
    const lg_system *S = o->S;
    for (int l = 0; l < LANES_MOST; l++) {
        o->t[l] = lg_rng_normal(rng);
        suite_ok("random", lg_group_random(S->group, o->g[l], rng));
        for (int i = 0; i < SUITE_DIM; i++) o->xi[l][i] = lg_rng_normal(rng), o->control[l][i] = lg_rng_normal(rng);
        for (int i = 0; i < S->parameter_count; i++) {
            const lg_parameter *p = &S->parameters[i];
            const double value = S->parameter_values[i] * (1 + 0.1 * lg_rng_uniform(rng));
            o->param[l][i] = strcmp(p->name, "distribution") == 0 ? l % 2 : fmax(value, p->low);
        }
    }
}

static void spread(double *wide, const double *from, int stride, int count, int lanes)
{
    for (int l = 0; l < lanes; l++)
        for (int i = 0; i < count; i++) wide[i * lanes + l] = from[l * stride + i];
}

typedef struct question {
    const char *name;
    lg_scalar_fn scalar;
    lg_field_fn field;
    lg_field_along_fn along;
    lg_covectors_fn covectors;
    lg_covectors_along_fn covectors_along;
} question;

static int ask(const question *q, const lg_call *c, const double *g, const double *xi, double *out, double *Y)
{
    if (q->scalar) return q->scalar(c, g, out);
    if (q->field) return q->field(c, g, out);
    if (q->along) return q->along(c, g, xi, out);
    return q->covectors ? q->covectors(c, g, out, Y) : q->covectors_along(c, g, xi, out, Y);
}

static void compare(instances *o, const question *q, int lanes)
{
    static _Alignas(64) double wide[NUMBERS * LANES_MOST], wide_Y[SUITE_DIM * LANES_MOST];
    const lg_system *S = o->S;
    if (!q->scalar && !q->field && !q->along && !q->covectors && !q->covectors_along) return;
    suite_case("%s, width %d", q->name, lanes);
    spread(o->wide_t, o->t, 1, 1, lanes);
    spread(o->wide_g, o->g[0], SUITE_ELEMENT, S->group->element_size, lanes);
    spread(o->wide_xi, o->xi[0], SUITE_DIM, S->group->dim, lanes);
    spread(o->wide_param, o->param[0], PARAMETERS, S->parameter_count, lanes);
    spread(o->wide_control, o->control[0], SUITE_DIM, S->callbacks.control_count, lanes);
    memset(wide, 0, sizeof wide), memset(wide_Y, 0, sizeof wide_Y);
    const lg_call all = {S->context, o->wide_param, o->t[0], lanes, o->wide_control, o->wide_t};
    assert_int_equal(ask(q, &all, o->wide_g, o->wide_xi, wide, wide_Y), 0);
    for (int l = 0; l < lanes; l++) {
        double out[NUMBERS] = {0}, Y[SUITE_DIM] = {0}, got[NUMBERS], got_Y[SUITE_DIM];
        const lg_call one = {S->context, o->param[l], o->t[l], 1, o->control[l], &o->t[l]};
        assert_int_equal(ask(q, &one, o->g[l], o->xi[l], out, Y), 0);
        for (int i = 0; i < NUMBERS; i++) got[i] = wide[i * lanes + l];
        for (int i = 0; i < SUITE_DIM; i++) got_Y[i] = wide_Y[i * lanes + l];
        suite_same_bits("out", got, out, NUMBERS);
        suite_same_bits("drift", got_Y, Y, SUITE_DIM);
    }
}

static void check_system(const char *name, lg_rng *rng)
{
    static instances o;
    lg_model *M = NULL;
    suite_ok(name, lg_catalog_create(&M, name));
    suite_ok(name, lg_model_system(M, &o.S));
    const lg_callbacks *f = &o.S->callbacks;
    const question questions[] = {
        {.name = "potential", .scalar = f->potential},
        {.name = "potential_gradient", .field = f->potential_gradient},
        {.name = "potential_hessian", .along = f->potential_hessian},
        {.name = "metric", .field = f->metric},
        {.name = "metric_gradient", .along = f->metric_gradient},
        {.name = "force", .along = f->force},
        {.name = "covectors", .covectors = f->covectors},
        {.name = "covectors_derivative", .covectors_along = f->covectors_derivative},
        {.name = "covectors_rate", .covectors = f->covectors_rate},
        {.name = "drift", .field = f->drift},
        {.name = "holonomic", .field = f->holonomic},
        {.name = "holonomic_differential", .field = f->holonomic_differential},
        {.name = "holonomic_acceleration", .along = f->holonomic_acceleration},
    };
    for (int k = 0; k < suite_count(30); k++) {
        choose(&o, rng);
        for (int lanes = 2; lanes <= LANES_MOST; lanes *= 2)
            for (size_t q = 0; q < sizeof questions / sizeof questions[0] && lg_width_supported(lanes); q++)
                compare(&o, &questions[q], lanes);
    }
    lg_model_destroy(M);
}

static void test_bits(void **state)
{
    lg_rng rng = suite_rng(52000);
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) check_system(*name, &rng);
}

static void test_complete(void **state)
{
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        const lg_callbacks *f = &lg_catalog_definition(*name)->callbacks;
        suite_case("%s", *name);
        assert_true(!(f->covectors || f->drift) == !f->covectors_derivative);
        assert_true(!f->potential == !f->potential_hessian);
        const int any = f->covectors || f->drift || f->potential || f->metric || f->force || f->holonomic;
        assert_int_equal(f->lanes, any ? LG_LANES_OWN_TIMES | LG_LANES_DERIVATIVES | LG_LANES_TANGENTS : LG_LANES_ONE);
    }
}

int main(void)
{
    suite_begin("catalog in lanes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_complete)};
    return cmocka_run_group_tests_name("catalog in lanes", tests, NULL, NULL);
}
