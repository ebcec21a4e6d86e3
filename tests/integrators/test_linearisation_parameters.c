/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of a step with respect to parameters, which enter callbacks and the system's arrays (inertia, constant
 * rows): each is that of steps with a changed parameter, or NaN with a message. */
#include <math.h>
#include <string.h>

#include <liegrp/mechanics/pullback.h>

#include "support/models.h"
#include "support/runs.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

/* ---- the catalog ---- */

static int check_model(const char *name, const char *method)
{
    const model_example x = {.system = name};
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    lg_integrator *it = NULL;
    int unknown = 0;
    suite_case("%s, %s", name, method);
    model_start(M, g, xi);
    /* inertias of 1e-4 and 1, and steps of 1e-3: differences of the step are less certain */
    const int sharp = strncmp(name, "rattleback", 10) == 0;
    if (lg_integrator_create(&it, S, method, "exp", lg_model_default_step(M)) == LG_OK) {
        suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
        run_steps(it, 2);
        unknown = step_derivative_check(it, sharp);
    }
    lg_integrator_destroy(it);
    lg_model_destroy(M);
    return unknown;
}

/* Not known are the derivatives with respect to a switch, 0 or 1. */
static int has_switch(const char *name)
{
    return strcmp(name, "biinvariant-so3") == 0 || strcmp(name, "contact-oscillator") == 0;
}

static void test_catalog(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "gni", "gauss", "dla", "rk4", "sem@yoshida4"};
    for (const char *const *name = lg_catalog_names(); *name; name++)
        for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
            if (!model_left_out(name)) assert_int_equal(check_model(*name, methods[k]), has_switch(*name));
}

/* A step of the free rigid body does depend on its moments of inertia. */
static void test_rigid_body(void **state)
{
    (void)state;
    static double J[ROWS * COLUMNS];
    const model_example x = {.system = "rigid-body"};
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    lg_model *M = model_open(&x);
    lg_linearisation *lin = NULL;
    suite_case("rigid-body");
    model_start(M, g, xi);
    lg_integrator *it = run_start_at(model_system(M), "sem", "exp", 0.1, 0, g, xi);
    suite_ok("create", lg_linearisation_create(&lin, it));
    suite_ok("linearise", lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    const int columns = lg_linearisation_columns(lin);
    double largest = 0;
    for (int r = 0; r < lg_linearisation_rows(lin); r++) largest = fmax(largest, fabs(J[r * columns + 7]));
    suite_above("derivative with respect to I1", largest, 1e-3);
    assert_string_equal(lg_linearisation_message(lin), "");
    lg_linearisation_destroy(lin);
    run_end(&it);
    lg_model_destroy(M);
}

/* ---- a particle in the plane with a constant row: parameters (mass, slope, offset of the mass) ---- */

static const lg_parameter parameters[3] = {{.name = "mass", .value = 2, .low = -INFINITY, .high = INFINITY},
                                           {.name = "slope", .value = 0.5, .low = -INFINITY, .high = INFINITY},
                                           {.name = "coupling", .value = 0, .low = -INFINITY, .high = INFINITY}};

static int particle_arrays(const lg_call *c, double *J, double *rows, char *why)
{
    (void)why;
    J[0] = J[4] = J[8] = c->param[0];
    J[1] = J[3] = c->param[2]; /* off the diagonal only for other values than the present one */
    rows[0] = c->param[1], rows[1] = 1;
    return 0;
}

static int refuses_mass(const lg_call *c, double *J, double *rows, char *why)
{
    memcpy(why, "no such mass", sizeof "no such mass");
    return c->param[0] > 2 || particle_arrays(c, J, rows, why);
}

static int particle_potential(const lg_call *c, const double *g, double *V)
{
    *V = c->param[0] * (cos(g[0]) + g[0] * g[1] + 0.5 * g[2] * g[2]);
    return 0;
}

static void make_particle(test_system *t)
{
    static const double diagonal[3] = {2, 2, 2}, row[3] = {0.5, 1, 0};
    memset(t, 0, sizeof *t);
    t->name = "particle", t->h = 0.1;
    t->S = lg_system_default(lg_rn(3));
    t->S.inertia_diagonal = diagonal, t->S.constraint_count = 1, t->S.covector_matrix = row;
    t->S.parameter_count = 3, t->S.parameters = parameters;
    t->S.callbacks.potential = particle_potential, t->S.callbacks.arrays = particle_arrays;
    t->g0[0] = 0.3, t->g0[1] = -0.2, t->xi0[0] = 1, t->xi0[1] = -0.5, t->xi0[2] = 0.7;
}

/* The inertia is diagonal for the present values only. */
static void test_forms(void **state)
{
    (void)state;
    for (const char *const *method = lg_method_names(); *method; method++) {
        test_system t;
        lg_integrator *it = NULL;
        make_particle(&t);
        suite_case("%s, %s", t.name, *method);
        if (lg_integrator_create(&it, &t.S, *method, "exp", t.h) == LG_OK) {
            suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
            run_steps(it, 2);
            assert_int_equal(step_derivative_check(it, 0), 0);
        }
        lg_integrator_destroy(it);
    }
}

/* ---- what is not known ---- */

/* Columns of parameters are NaN where `lost` is 1 and finite elsewhere; products agree; the message contains `word`.
 */
static void check_unknown(const test_system *t, const char *method, const int *lost, const char *word)
{
    static double J[ROWS * COLUMNS];
    double in[COLUMNS] = {0}, out[ROWS], back[COLUMNS];
    lg_linearisation *lin = NULL;
    suite_case("%s: %s", method, word);
    lg_integrator *it = run_start(t, method, "exp", t->h);
    suite_ok("create", lg_linearisation_create(&lin, it));
    if (lg_linearisation_compute(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
    suite_contains("message", lg_linearisation_message(lin), word);
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    const int rows = lg_linearisation_rows(lin), columns = lg_linearisation_columns(lin), first = columns - 3;
    for (int r = 0; r < rows; r++) in[r] = 0, out[r] = 1;
    suite_ok("transposed", lg_linearisation_apply_transposed(lin, back, out));
    for (int c = 0; c < columns; c++) {
        const int unknown = c >= first && lost[c - first];
        for (int r = 0; r < rows; r++) assert_int_equal(isnan(J[r * columns + c]) != 0, unknown);
        assert_int_equal(isnan(back[c]) != 0, unknown);
        in[c] = 1;
        suite_ok("apply", lg_linearisation_apply(lin, out, in));
        for (int r = 0; r < rows; r++) assert_int_equal(isnan(out[r]) != 0, unknown);
        in[c] = 0;
    }
    for (int k = 0; k < 3; k++)
        if (lost[k]) suite_contains("message", lg_linearisation_message(lin), parameters[k].name);
    lg_linearisation_destroy(lin);
    run_end(&it);
}

static int broken_potential(const lg_call *c, const double *g, double *V)
{
    return c->param[1] > 0.5 || particle_potential(c, g, V);
}

static void test_unknown(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "gni", "gauss", "gauss:stage", "dla", "sem@yoshida4"};
    static const int all[3] = {1, 1, 1}, mass[3] = {1, 0, 0}, slope[3] = {0, 1, 0};
    static const double other[3] = {2, 0.6, 0}, metric[9] = {1, 0, 0, 0, 2, 0, 0, 0, 1};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++) {
        test_system t;
        make_particle(&t), t.S.callbacks.arrays = NULL;
        check_unknown(&t, methods[k], all, "set lg_callbacks::arrays");
        make_particle(&t), t.S.parameter_values = other;
        check_unknown(&t, methods[k], all, "are not what lg_callbacks::arrays gives");
        make_particle(&t), t.S.callbacks.arrays = refuses_mass;
        check_unknown(&t, methods[k], mass, "no such mass");
        make_particle(&t), t.S.callbacks.potential = broken_potential;
        check_unknown(&t, methods[k], slope, "a value nearby");
    }
    test_system t;
    make_particle(&t), t.S.projector_metric = metric;
    check_unknown(&t, "gni", all, "projector_metric");
}

/* ---- a system that another one is made of ---- */

static int chart(const lg_call *c, const double *q, double *v)
{
    (void)c;
    memcpy(v, q, 3 * sizeof *v);
    return 0;
}

static int chart_jacobian(const lg_call *c, const double *q, double *DJ)
{
    (void)c, (void)q;
    DJ[0] = DJ[4] = DJ[8] = 1;
    return 0;
}

/* The pulled-back metric and rows follow the arrays; where nothing computes these, derivatives are not known. */
static void test_pullback(void **state)
{
    (void)state;
    static const int all[3] = {1, 1, 1};
    static double J[2][ROWS * COLUMNS];
    test_system t;
    make_particle(&t);
    for (int known = 1; known >= 0; known--) {
        test_system pulled = t;
        lg_pullback *o = NULL;
        suite_case("pulled back");
        if (!known) t.S.callbacks.arrays = NULL;
        suite_ok("pullback", lg_pullback_create(&o, &t.S, 3, NULL, chart, chart_jacobian, NULL));
        pulled.S = *lg_pullback_system(o);
        for (int way = 0; known && way < 2; way++) {
            lg_linearisation *lin = NULL;
            lg_integrator *it = run_start(way ? &pulled : &t, "gni", "exp", t.h);
            suite_ok("create", lg_linearisation_create(&lin, it));
            suite_ok("linearise", lg_linearisation_compute(lin, it));
            suite_ok("jacobian", lg_linearisation_jacobian(lin, J[way]));
            if (way) suite_near("J", J[1], J[0], lg_linearisation_rows(lin) * lg_linearisation_columns(lin), 1e-9, 1);
            lg_linearisation_destroy(lin);
            run_end(&it);
        }
        if (!known) check_unknown(&pulled, "gni", all, "a value nearby");
        lg_pullback_destroy(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_catalog), cmocka_unit_test(test_rigid_body),
                                       cmocka_unit_test(test_forms), cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_pullback)};
    suite_begin("linearisation_parameters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
