/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls of ensembles: every instance has its own, and steps with them as it would alone, to the last bit. */
#include <math.h>
#include <string.h>

#include "support/ensembles.h"

enum { COUNT = 21, CONTROLS = 2, PHASES = 5 };

/* ---- models with controls ---- */

/* The motors of the sleigh, for callers that ask for several instances at once. */
static int motors(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g;
    for (int l = 0; l < L; l++) {
        if (c->control[l] > 50) return 9;
        f[l] = c->control[l] - c->param[l] * xi[l];
        f[2 * L + l] = c->control[L + l] - c->param[l] * xi[2 * L + l];
    }
    return 0;
}

/* A table under the ball that is driven: rows see the controls too. */
static int driven_table(const lg_call *c, const double *g, double *Y)
{
    const int L = c->lanes;
    const double *Omega = c->param + 2 * L;
    for (int l = 0; l < L; l++) {
        Y[l] = -(Omega[l] + 0.1 * c->control[l]) * g[L + l];
        Y[L + l] = (Omega[l] + 0.1 * c->control[l]) * g[l];
    }
    return 0;
}

static int table_rate(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    (void)g, (void)dmu;
    return driven_table(c, eta, dY);
}

static int push(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g, (void)xi;
    for (int l = 0; l < L; l++) f[4 * L + l] = c->control[L + l];
    return 0;
}

/* A cart whose controls are its velocities. */
static int cart(const lg_call *c, const double *g, double *Y)
{
    const int L = c->lanes;
    (void)g;
    for (int l = 0; l < L; l++) Y[l] = c->control[l], Y[2 * L + l] = c->control[L + l];
    return 0;
}

static int cart_configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)why;
    for (int i = 0; i < 3; i++) J[4 * i] = rows[4 * i] = 1;
    return 0;
}

static int cart_initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)xi0;
    g0[2] = 1;
    return 0;
}

static lg_model_definition make_cart(int lanes)
{
    lg_model_definition d = run_models_sleigh;
    d.constraint_count = 3, d.configure = cart_configure, d.initial = cart_initial;
    d.callbacks = (lg_callbacks){.drift = cart, .control_count = CONTROLS, .lanes = lanes};
    d.invariant_count = 0, d.step = 0.03;
    return d;
}

static lg_model_definition make_definition(int driven, int lanes)
{
    lg_model_definition d = driven ? *lg_catalog_definition("rolling-ball") : run_models_sleigh;
    if (driven) d.callbacks.drift = driven_table, d.callbacks.covectors_derivative = table_rate;
    d.callbacks.force = driven ? push : motors;
    d.callbacks.control_count = CONTROLS;
    d.invariant_count = 0;
    d.callbacks.lanes = lanes;
    d.step = 0.03;
    return d;
}

/* ---- alone and together ---- */

/* One instance alone. */
typedef struct alone {
    lg_model *M;
    lg_integrator *it;
} alone;

static double control_of(int phase, int64_t i, int k)
{
    return sin(1.7 * phase + 0.3 * (double)i + k);
}

static void start_alone(alone *a, const lg_model_definition *d, const char *method, double tolerance, int64_t i)
{
    const lg_system *S = NULL;
    double g[8], xi[8];
    lg_model_destroy(a->M);
    lg_integrator_destroy(a->it);
    suite_ok("model", lg_model_create(&a->M, d));
    suite_ok("vary", ensemble_vary(i, a->M, NULL, NULL));
    suite_ok("system", lg_model_system(a->M, &S));
    suite_ok("initial", lg_model_initial(a->M, g, xi, NULL));
    suite_ok("create", lg_integrator_create(&a->it, S, method, "cayley", d->step));
    suite_ok("tolerance", tolerance != 0 ? lg_integrator_set_tolerance(a->it, tolerance) : LG_OK);
    suite_ok("start", lg_integrator_start(a->it, 0, g, xi, LG_START_REACTION, 1));
}

static int same_in_observer(int64_t i, const lg_motion *mo, void *context)
{
    const lg_integrator *it = lg_motion_integrator(mo);
    const lg_integrator *own = ((alone *)context)[i].it;
    const int n = lg_group_dim(lg_integrator_group(own));
    if (lg_integrator_step_index(it) != lg_integrator_step_index(own)) return 0;
    suite_same_bits("p~ observed", lg_integrator_momentum(it), lg_integrator_momentum(own), n);
    suite_same_bits("p^- observed", lg_integrator_momentum_minus(it), lg_integrator_momentum_minus(own), n);
    suite_same_bits("multipliers observed", lg_integrator_multipliers(it), lg_integrator_multipliers(own), 1);
    return 0;
}

/* New controls for some, in the ensemble and alone. */
static void steer(lg_ensemble *E, alone *a, int phase)
{
    static const int64_t from[PHASES] = {0, 5, 2, 0, 20}, count[PHASES] = {COUNT, 1, 13, 0, 1};
    double u[COUNT * CONTROLS];
    for (int64_t k = 0; k < count[phase]; k++) {
        for (int c = 0; c < CONTROLS; c++) u[k * CONTROLS + c] = control_of(phase, from[phase] + k, c);
        suite_ok("control", lg_integrator_set_control(a[from[phase] + k].it, u + k * CONTROLS));
    }
    suite_ok("controls", lg_ensemble_set_controls(E, from[phase], u, count[phase]));
}

static lg_motion *motion_of(lg_model *M, const char *method, double tolerance, double h)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    o.method = method, o.retraction = "cayley", o.tolerance = tolerance, o.step = h;
    suite_ok("motion", lg_motion_create(&mo, M, &o));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    return mo;
}

/* One begins anew, without controls; another with those it has. */
static void restart(lg_ensemble *E, alone *a, const lg_model_definition *d, const char *method, double tolerance)
{
    double g[8], xi[8];
    start_alone(&a[7], d, method, tolerance, 8);
    lg_motion *mo = motion_of(a[7].M, method, tolerance, d->step);
    suite_ok("set", lg_ensemble_set(E, 7, mo));
    lg_motion_destroy(mo);
    suite_ok("initial", lg_model_initial(a[3].M, g, xi, NULL));
    suite_ok("start", lg_integrator_start(a[3].it, 0.5, g, xi, LG_START_REACTION, 1));
    suite_ok("start", lg_ensemble_start_state(E, 3, 0.5, g, xi, 1));
}

static void compare(const lg_ensemble *E, const alone *a)
{
    for (int64_t i = 0; i < COUNT; i++) {
        const lg_group *G = lg_integrator_group(a[i].it);
        lg_motion *copy = NULL;
        double t, g[8], p[8];
        suite_ok("state", lg_ensemble_state(E, &t, g, p, i));
        suite_same_bits("g", g, lg_integrator_configuration(a[i].it), lg_group_element_size(G));
        suite_same_bits("p", p, lg_integrator_momentum(a[i].it), lg_group_dim(G));
        suite_ok("motion", lg_ensemble_motion(&copy, E, i));
        suite_same_bits("p^-", lg_integrator_momentum_minus(lg_motion_integrator(copy)),
                        lg_integrator_momentum_minus(a[i].it), lg_group_dim(G));
        lg_motion_destroy(copy);
    }
}

static void same_as_alone(const lg_model_definition *d, const char *method, double tolerance, int width, int threads)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    alone a[COUNT] = {{NULL, NULL}};
    suite_case("%s, %s, tolerance %g, width %d, %d threads, lanes %d", d->name, method, tolerance, width, threads,
               d->callbacks.lanes);
    suite_ok("model", lg_model_create(&M, d));
    o.method = method, o.retraction = "cayley", o.project = 1, o.width = width, o.threads = threads;
    o.tolerance = tolerance;
    suite_ok("create", lg_ensemble_create(&E, M, COUNT, &o));
    suite_ok("set", lg_ensemble_set_all(E, ensemble_vary, NULL));
    for (int64_t i = 0; i < COUNT; i++) start_alone(&a[i], d, method, tolerance, i);
    for (int phase = 0; phase < PHASES; phase++) {
        if (phase == 3) restart(E, a, d, method, tolerance);
        steer(E, a, phase);
        compare(E, a);
        for (int64_t i = 0; i < COUNT; i++)
            if (lg_integrator_run(a[i].it, 6, 1, NULL, NULL) != LG_OK)
                suite_fail("alone: %s", lg_integrator_message(a[i].it));
        suite_ok("run", lg_ensemble_run(E, 6, 1, threads == 1 ? same_in_observer : NULL, a));
        compare(E, a);
    }
    for (int64_t i = 0; i < COUNT; i++) lg_integrator_destroy(a[i].it), lg_model_destroy(a[i].M);
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

static void test_as_alone(void **state)
{
    static const char *const methods[] = {"sem", "gni", "dla", "rk4", "nsv", "sem@yoshida4", "gauss", "gauss"};
    (void)state;
    for (int m = 0; m < 8; m++)
        for (int k = 0; k < 4; k++)
            for (int width = 1; width <= lg_width_best(); width *= 2) {
                const lg_model_definition d = make_definition(k / 2, k % 2);
                if (m == 7 && k / 2) continue; /* rows that jump with the controls have no step for a tolerance */
                same_as_alone(&d, methods[m], m == 7 ? 1e-8 : 0, width, 1 + (width + k) % 2);
            }
}

static void test_velocities(void **state)
{
    static const char *const methods[] = {"sem", "sem@yoshida4", "gauss"};
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int width = 1; width <= lg_width_best(); width *= 2) {
            const lg_model_definition d = make_cart(width % 2);
            same_as_alone(&d, methods[m], 0, width, 1 + width % 2);
        }
}

/* ---- failures and wrong calls ---- */

static void test_wrong_calls(void **state)
{
    const lg_model_definition d = make_definition(0, 1);
    double u[3 * CONTROLS] = {1, 2, 60, 4, 5, 6}, p[3], before[3];
    lg_ensemble *E = NULL, *without = NULL;
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_model *M = NULL, *other = NULL;
    (void)state;
    suite_case("wrong calls");
    suite_ok("model", lg_model_create(&M, &d));
    suite_ok("model", lg_catalog_create(&other, "rolling-ball"));
    suite_ok("create", lg_ensemble_create(&without, other, 3, NULL));
    suite_status("none", lg_ensemble_set_controls(without, 0, u, 3), LG_ERROR_ARGUMENT);
    suite_contains("none", lg_ensemble_message(without), "no controls");
    o.method = "gni";
    suite_ok("create", lg_ensemble_create(&E, M, 3, &o));
    suite_status("NULL", lg_ensemble_set_controls(NULL, 0, u, 3), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_ensemble_set_controls(E, 0, NULL, 3), LG_ERROR_ARGUMENT);
    suite_status("first", lg_ensemble_set_controls(E, -1, u, 2), LG_ERROR_ARGUMENT);
    suite_status("count", lg_ensemble_set_controls(E, 1, u, 3), LG_ERROR_ARGUMENT);
    suite_contains("count", lg_ensemble_message(E), "there are 3");
    suite_status("count", lg_ensemble_set_controls(E, 1, u, INT64_MAX), LG_ERROR_ARGUMENT);
    suite_status("first", lg_ensemble_set_controls(E, INT64_MAX, u, 1), LG_ERROR_ARGUMENT);
    u[5] = NAN;
    suite_status("NaN", lg_ensemble_set_controls(E, 0, u, 3), LG_ERROR_NOT_FINITE);
    suite_contains("NaN", lg_ensemble_message(E), "control 2 of instance 2");
    u[5] = 6;
    suite_ok("state", lg_ensemble_state(E, NULL, NULL, before, 1));
    suite_ok("one fails", lg_ensemble_set_controls(E, 0, u, 3)); /* the GNI asks for the force */
    assert_int_equal(lg_ensemble_retired(E), 1);
    suite_status("one fails", lg_ensemble_status(E, 1), LG_ERROR_CALLBACK);
    suite_contains("one fails", lg_ensemble_reason(E, 1), "force returned 9");
    suite_ok("state", lg_ensemble_state(E, NULL, NULL, p, 1));
    suite_same_bits("it is as it was", p, before, 3);
    suite_ok("run", lg_ensemble_run(E, 4, 1, NULL, NULL));
    assert_int_equal(lg_ensemble_steps(E, 1), 0);
    assert_int_equal(lg_ensemble_steps(E, 2), 4);
    lg_ensemble_destroy(E);
    lg_ensemble_destroy(without);
    lg_model_destroy(M);
    lg_model_destroy(other);
}

int main(void)
{
    suite_begin("ensemble controls");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_alone), cmocka_unit_test(test_velocities),
                                       cmocka_unit_test(test_wrong_calls)};
    return cmocka_run_group_tests_name("ensemble controls", tests, NULL, NULL);
}
