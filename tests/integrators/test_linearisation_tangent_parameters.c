/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of parameters of a step that is differentiated by tangents: against differences of whole steps, and by
 * the identity that energy gives. */
#include <math.h>
#include <string.h>

#include "base/differences.h"
#include "integrators/collocation/collocation.h"
#include "integrators/integrator.h"
#include "integrators/linearisation/linearisation.h"
#include "support/models.h"
#include "support/runs.h"
#include "support/step_derivative.h"

enum { ROWS = STEP_DERIVATIVE_ROWS, COLUMNS = STEP_DERIVATIVE_COLUMNS };

static lg_linearisation *make(const lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_linearisation_create(&lin, it));
    return lin;
}

/* The Jacobian of the next step of `it`, and its size. */
static int jacobian(lg_linearisation *lin, const lg_integrator *it, double *J)
{
    suite_ok(lg_linearisation_message(lin), lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    return lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
}

/* A system of the catalog, at its own initial state. */
static lg_model *open_model(test_system *t, const char *name)
{
    lg_model *M = NULL;
    const lg_system *S = NULL;
    suite_ok("model", lg_catalog_create(&M, name));
    suite_ok("system", lg_model_system(M, &S));
    memset(t, 0, sizeof *t);
    t->name = name, t->S = *S, t->h = lg_model_default_step(M);
    suite_ok("initial", lg_model_initial(M, t->g0, t->xi0, NULL));
    return M;
}

#ifdef LG_TANGENTS

/* sem keeps H(theta) of every theta: dH_1 J = dH_0 for parameters, too, of which the moments of inertia enter H by
 * d H/d I_i = -omega_i^2/2. */
static void test_inertia(void **state)
{
    (void)state;
    static double J[ROWS * COLUMNS];
    test_system t;
    lg_model *M = open_model(&t, "rigid-body");
    lg_integrator *it = run_start_at(&t.S, "sem", "exp", 0.1, 0, t.g0, t.xi0);
    double before[3], after[3], dH[6];
    run_steps(it, 2);
    lg_linearisation *lin = make(it);
    const int columns = lg_linearisation_columns(lin);
    assert_int_equal(columns, 10); /* h and three moments of inertia */
    suite_ok("velocity", lg_integrator_velocity(it, before));
    suite_ok("step", lg_linearisation_step(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    suite_ok("velocity", lg_integrator_velocity(it, after));
    memset(dH, 0, sizeof dH), memcpy(dH + 3, after, sizeof after); /* no potential */
    for (int k = 0; k < 3; k++) {
        double sum = -0.5 * after[k] * after[k];
        for (int r = 0; r < 6; r++) sum += dH[r] * J[r * columns + 7 + k];
        suite_near1("dH J", sum, -0.5 * before[k] * before[k], 1e-13, 1);
    }
    lg_linearisation_destroy(lin);
    run_end(&it);
    lg_model_destroy(M);
}

/* (eta, p) after a step from the state of `it` with parameter k displaced by e; eta in coordinates near the inverse of
 * an element, or that element's inverse itself if y is NULL. */
static void step_with(const lg_integrator *it, const char *name, int k, double e, double *inverse, double *y)
{
    const lg_group *G = it->S.group;
    double g[SUITE_ELEMENT], value;
    test_system t;
    lg_model *M = open_model(&t, name);
    lg_integrator *probe = NULL;
    suite_ok("get", lg_model_get(M, &value, it->S.parameters[k].name));
    suite_ok("set", lg_model_set(M, it->S.parameters[k].name, value + e));
    suite_ok("create",
             lg_integrator_create_with(&probe, model_system(M), it->plan.method.name, it->plan.retraction, it->h));
    suite_ok("solver", lg_integrator_set_solver(probe, 1e-16, 400));
    lg_node *b = probe->workspace->now;
    lg_copy_node(&probe->plan, b, it->workspace->now);
    lg_collocation_begin(probe->workspace, b);
    probe->started = 1;
    if (lg_node_evaluate(probe->workspace, b)) suite_fail("the node cannot be evaluated");
    suite_ok(lg_integrator_message(probe), lg_integrator_step(probe));
    const double *g1 = lg_integrator_configuration(probe);
    if (!y) {
        suite_ok("inverse", lg_group_inverse(G, inverse, g1));
    } else {
        suite_ok("compose", lg_group_compose(G, g, inverse, g1));
        suite_ok("log", lg_group_log(G, y, g));
        memcpy(y + it->plan.n, it->plan.method.rule->depart(probe->workspace, it->h, probe->workspace->now),
               sizeof(double) * (size_t)it->plan.n);
    }
    lg_integrator_destroy(probe);
    lg_model_destroy(M);
}

/* Column `column` of J against differences of order eight of the step, whose round-off is that of a step over e. */
static void check_column(const lg_integrator *it, const char *name, int k, const double *J, int columns, int column)
{
    static const double weights[4] = {LG_CENTRAL_8};
    const int n2 = 2 * it->plan.n;
    const double value = fabs(it->S.parameter_values[k]), e = (value != 0 ? value : 1) / 128;
    const double tolerance = 1e-12 + 16 * SUITE_EPS / e;
    double inverse[SUITE_ELEMENT], y[2][2 * SUITE_DIM], d[2 * SUITE_DIM] = {0}, largest = 0;
    step_with(it, name, k, 0, inverse, NULL);
    for (int i = 1; i <= 4; i++) {
        step_with(it, name, k, i * e, inverse, y[0]), step_with(it, name, k, -i * e, inverse, y[1]);
        for (int r = 0; r < n2; r++) d[r] += weights[i - 1] * (y[0][r] - y[1][r]) / e;
    }
    for (int r = 0; r < n2; r++) largest = fmax(largest, fabs(d[r]));
    for (int r = 0; r < n2; r++)
        suite_near1(it->S.parameters[k].name, J[r * columns + column], d[r], tolerance, fmax(largest, 1));
}

/* Parameters in the inertia, in constant rows, in rows, metrics and forces that callbacks evaluate. */
static void test_parameters(void **state)
{
    (void)state;
    static const char *const names[] = {"rigid-body", "heavy-top",         "suslov",      "chaplygin-sleigh",
                                        "snakeboard", "two-wheeled-robot", "roller-racer"};
    static const char *const methods[] = {"sem", "gni", "nsv", "gauss", "sem@yoshida4"};
    static double J[ROWS * COLUMNS];
    int count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            test_system t;
            lg_integrator *it = NULL;
            lg_model *M = open_model(&t, names[i]);
            suite_case("%s, %s", names[i], methods[m]);
            if (lg_integrator_create(&it, &t.S, methods[m], "exp", t.h) == LG_OK) {
                suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 1));
                run_steps(it, 2);
                lg_linearisation *lin = make(it);
                const int exact = lg_linearisation_kind(lin) == LG_DERIVATIVES_TANGENTS;
                jacobian(lin, it, J);
                assert_string_equal(lg_linearisation_message(lin), "");
                for (int k = 0; exact && k < t.S.parameter_count; k++, count++)
                    check_column(it, names[i], k, J, lin->nx, lin->nx - t.S.parameter_count + k);
                lg_linearisation_destroy(lin);
            }
            lg_integrator_destroy(it);
            lg_model_destroy(M);
        }
    suite_above("columns", count, 140);
}

#endif

/* One linearisation for integrators whose parameters differ: nothing of the one before is left. */
static void test_other_parameters(void **state)
{
    (void)state;
    static double J[2][ROWS * COLUMNS];
    test_system t;
    lg_model *M = open_model(&t, "suslov");
    lg_integrator *it = run_start_at(&t.S, "sem", "exp", 0.1, 0, t.g0, t.xi0);
    lg_linearisation *lin = make(it);
    (void)jacobian(lin, it, J[0]);
    run_end(&it);
    suite_ok("set", lg_model_set(M, "I11", 1.25));
    it = run_start_at(model_system(M), "sem", "exp", 0.1, 0, t.g0, t.xi0);
    lg_linearisation *fresh = make(it);
    const int count = jacobian(lin, it, J[0]);
    (void)jacobian(fresh, it, J[1]);
    suite_same_bits("J", J[0], J[1], count);
    suite_same_bits("J", (double[]){lg_linearisation_error(lin)}, (double[]){lg_linearisation_error(fresh)}, 1);
    lg_linearisation_destroy(lin), lg_linearisation_destroy(fresh);
    run_end(&it);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef LG_TANGENTS
        cmocka_unit_test(test_inertia),
        cmocka_unit_test(test_parameters),
#endif
        cmocka_unit_test(test_other_parameters),
    };
    suite_begin("linearisation_tangent_parameters");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
