/* SPDX-License-Identifier: BSD-3-Clause */
/* Controls that are polynomials inside a step: a motion in closed form; parts of a step; derivatives of steps against
 * differences, and by tangents; bits at all widths; refusals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/catalog/catalog.h>
#include <liegrp/integrators/diagnostics.h>
#include <liegrp/run/model.h>
#include <liegrp/run/run.h>
#include <liegrp/run/trajectory.h>

#include "integrators/integrator.h"
#include "integrators/linearisation/linearisation.h"
#include "support/runs.h"
#include "support/steered.h"
#include "support/step_derivative.h"

enum { MOST = 7 };

/* Any values at the nodes. */
static void wave(double *u, int count)
{
    for (int i = 0; i < count; i++) u[i] = 0.4 * cos(1.3 * i) - 0.1;
}

static int push(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i];
    return 0;
}

static lg_system mass(void)
{
    static const double one = 1;
    lg_system S = lg_system_default(lg_rn(1));
    S.inertia_diagonal = &one;
    S.callbacks.force = push, S.callbacks.control_count = 1, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

/* x'' = x^d in units of the step, from rest: x = 1/((d + 1)(d + 2)) and x' = 1/(d + 1) at its end. */
static void test_closed_form(void **state)
{
    (void)state;
    const lg_system S = mass();
    for (int d = 0; d <= MOST; d++)
        for (int k = 0; k < 3; k++) {
            const int s = k == 0 ? d + 1 : 8 * k;
            char method[40];
            double nodes[MOST + 1], weights[MOST + 1], u[MOST + 1], sum = 0, at;
            const double rest = 0, h = 0.5;
            suite_ok("nodes", lg_control_nodes(d, nodes, weights));
            for (int i = 0; i <= d; i++) u[i] = pow(nodes[i], d), sum += weights[i] * u[i];
            suite_near1("quadrature", sum, 1.0 / (d + 1), 1e-15, 1);
            suite_ok("at", lg_control_at(&at, d, u, 1, 0.3));
            suite_near1("polynomial", at, pow(0.3, d), 1e-14, 1);
            snprintf(method, sizeof method, "gauss:stages=%d", s);
            suite_case("degree %d, %s", d, method);
            lg_integrator *it = run_start_at(&S, method, "exp", h, 0, &rest, &rest);
            suite_ok("controls", lg_integrator_set_control_nodes(it, d, u));
            suite_ok("step", lg_integrator_step(it));
            suite_near1("x", lg_integrator_configuration(it)[0], h * h / (d + 1) / (d + 2), 1e-15, 1);
            suite_near1("p", lg_integrator_momentum(it)[0], h / (d + 1), 1e-15, 1);
            run_end(&it);
        }
}

/* Controls that are equal at all nodes are held ones; setting these, or a clone, forgets nothing and keeps nothing. */
static void test_held(void **state)
{
    (void)state;
    test_system t;
    double u[16], g[SUITE_ELEMENT], p[SUITE_DIM];
    steered_make(&t, STEERED_CAR);
    const int c = t.S.callbacks.control_count, e = t.S.group->element_size, n = t.S.group->dim;
    for (int i = 0; i < 4 * c; i++) u[i] = 0.3 + 0.1 * (i % c);
    lg_integrator *it = run_start(&t, "gauss", "exp", 0.1), *held = run_start(&t, "gauss", "exp", 0.1), *copy = NULL;
    suite_ok("controls", lg_integrator_set_control_nodes(it, 3, u));
    suite_ok("control", lg_integrator_set_control(held, u));
    suite_ok("step", lg_integrator_step(it)), suite_ok("step", lg_integrator_step(held));
    suite_near("g", lg_integrator_configuration(it), lg_integrator_configuration(held), e, 1e-14, 1);
    suite_near("p", lg_integrator_momentum(it), lg_integrator_momentum(held), n, 1e-14, 1);
    suite_near("lambda", lg_integrator_multipliers(it), lg_integrator_multipliers(held), t.S.constraint_count, 1e-13,
               1);
    wave(u, 4 * c);
    suite_ok("controls", lg_integrator_set_control_nodes(it, 3, u));
    suite_ok("clone", lg_integrator_clone(&copy, it));
    suite_ok("step", lg_integrator_step(it)), suite_ok("step", lg_integrator_step(copy));
    suite_same_bits("clone", lg_integrator_configuration(it), lg_integrator_configuration(copy), e);
    suite_above("distance", suite_distance(lg_integrator_momentum(it), lg_integrator_momentum(held), n), 1e-3);
    memcpy(g, lg_integrator_configuration(it), sizeof(double) * (size_t)e);
    memcpy(p, lg_integrator_momentum(it), sizeof(double) * (size_t)n);
    suite_ok("control", lg_integrator_set_control(it, u)), suite_ok("control", lg_integrator_set_control(held, u));
    suite_ok("start", lg_integrator_start_momentum(it, 0.2, g, p));
    suite_ok("start", lg_integrator_start_momentum(held, 0.2, g, p));
    suite_ok("step", lg_integrator_step(it)), suite_ok("step", lg_integrator_step(held));
    suite_same_bits("held again", lg_integrator_configuration(it), lg_integrator_configuration(held), e);
    run_end(&it), run_end(&held), run_end(&copy);
}

/* A state inside a step is on the motion of the polynomial: x = t^3/6 for u = t. */
static void test_inside(void **state)
{
    (void)state;
    const lg_system S = mass();
    const double rest = 0, h = 0.5;
    double nodes[2], at, x, v;
    lg_integrator *it = run_start_at(&S, "gauss", "exp", h, 0, &rest, &rest);
    suite_ok("nodes", lg_control_nodes(1, nodes, NULL));
    const double u[2] = {h * nodes[0], h * nodes[1]};
    suite_ok("controls", lg_integrator_set_control_nodes(it, 1, u));
    suite_ok("step", lg_integrator_step(it));
    suite_ok("interpolate", lg_integrator_interpolate(it, &at, &x, &v, 0.4));
    suite_near1("x", x, at * at * at / 6, 1e-15, 1);
    suite_near1("v", v, at * at / 2, 1e-15, 1);
    suite_ok("step", lg_integrator_step(it)); /* of the whole polynomial again */
    suite_near1("v", lg_integrator_momentum(it)[0], h * h, 1e-15, 1);
    run_end(&it);
}

/* A part of a step takes that part of the polynomial, to the bit the one of the other length that is given by it. */
static void test_parts(void **state)
{
    (void)state;
    const lg_system S = mass();
    const double rest = 0, h = 0.5;
    double nodes[2];
    lg_integrator *it = run_start_at(&S, "gauss", "exp", h, 0, &rest, &rest);
    suite_ok("nodes", lg_control_nodes(1, nodes, NULL));
    const double u[2] = {h * nodes[0], h * nodes[1]};
    suite_ok("controls", lg_integrator_set_control_nodes(it, 1, u));
    suite_ok("part", lg_integrator_step_to(it, 0.3));
    suite_near1("x", lg_integrator_configuration(it)[0], 0.3 * 0.3 * 0.3 / 6, 1e-15, 1);
    suite_near1("p", lg_integrator_momentum(it)[0], 0.3 * 0.3 / 2, 1e-15, 1);
    suite_ok("step", lg_integrator_step(it)); /* of the whole polynomial again */
    suite_near1("p", lg_integrator_momentum(it)[0], 0.3 * 0.3 / 2 + h * h / 2, 1e-15, 1);
    run_end(&it);
}

/* A trajectory's derivatives with respect to controls are those to values at nodes. */
static void test_trajectory(void **state)
{
    (void)state;
    const lg_system S = mass();
    const double rest = 0, h = 0.5, u[6] = {1, 2, 3, 4, 5, 6};
    double nodes[3], weights[3], to[12];
    lg_integrator *it = run_start_at(&S, "gauss", "exp", h, 0, &rest, &rest);
    lg_trajectory *tr = NULL;
    suite_ok("nodes", lg_control_nodes(2, nodes, weights));
    suite_ok("controls", lg_integrator_set_control_nodes(it, 2, u));
    suite_ok("create", lg_trajectory_create(&tr, it, 2));
    assert_int_equal(lg_trajectory_controls(tr), 3);
    assert_int_equal(lg_trajectory_inputs(tr), 2 + 6 + 1);
    suite_ok("run", lg_trajectory_run(tr, u));
    const double of_nodes[6] = {0, 0, 0, 0, 0, 1}; /* p at the end */
    suite_ok("gradient", lg_trajectory_gradient(tr, to, of_nodes, NULL));
    for (int i = 0; i < 6; i++) suite_near1("dp/du", to[2 + i], h * weights[i % 3], 1e-12, 1);
    lg_trajectory_destroy(tr);
    run_end(&it);
}

/* ---- derivatives ---- */

static void test_derivatives(void **state)
{
    (void)state;
    static const char *const methods[] = {"gauss", "gauss:stages=4", "gauss:stages=8,rate"};
    for (int kind = 0; kind < STEERED; kind++)
        for (int k = 0; k < 3; k++)
            for (int d = 1; d <= 3; d += 2) {
                test_system t;
                double u[32];
                steered_make(&t, kind);
                suite_case("steered %d, %s, degree %d", kind, methods[k], d);
                if (!t.S.callbacks.control_count || (k == 2 && t.S.callbacks.metric)) continue;
                lg_integrator *it = run_start(&t, methods[k], "exp", t.h);
                wave(u, 32);
                suite_ok("controls", lg_integrator_set_control_nodes(it, d, u));
                (void)step_derivative_check(it, 0);
                run_end(&it);
            }
}

static int jacobian(const lg_integrator *it, int tangents, double *J)
{
    lg_linearisation *lin = NULL;
    suite_ok("create", lg_linearisation_create(&lin, it));
#ifdef LG_TANGENTS
    assert_int_equal(lg_linearisation_kind(lin), LG_DERIVATIVES_TANGENTS);
#endif
    if (!tangents) lin->exact.width = 0;
    suite_ok(lg_linearisation_message(lin), lg_linearisation_compute(lin, it));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    const int numbers = lg_linearisation_rows(lin) * lg_linearisation_columns(lin);
    lg_linearisation_destroy(lin);
    return numbers;
}

/* Systems of the catalog: by tangents and by differences, and to the bit at every width. */
static void test_tangents(void **state)
{
    (void)state;
    static const char *const names[] = {"two-wheeled-robot", "ball-on-inclined-turntable"};
    enum { ROOM = STEP_DERIVATIVE_ROWS * STEP_DERIVATIVE_COLUMNS };
    static double exact[ROOM], other[ROOM], again[ROOM];
    for (int i = 0; i < 2; i++)
        for (int d = 1; d <= 7; d += 2) {
            lg_model *M = NULL;
            const lg_system *S = NULL;
            double u[16], g[2][SUITE_ELEMENT], g0[SUITE_ELEMENT], xi0[SUITE_DIM];
            suite_case("%s, degree %d", names[i], d);
            suite_ok("model", lg_catalog_create(&M, names[i]));
            suite_ok("system", lg_model_system(M, &S));
            suite_ok("initial", lg_model_initial(M, g0, xi0, NULL));
            wave(u, 16);
            for (int width = 1; width <= 8; width *= 2) {
                char text[16];
                snprintf(text, sizeof text, "%d", width);
                setenv("LIEGRP_WIDTH", text, 1);
                lg_integrator *it = NULL;
                suite_ok("create", lg_integrator_create(&it, S, "gauss", "exp", 0.05));
                suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
                run_steps(it, 1);
                suite_ok("controls", lg_integrator_set_control_nodes(it, d, u));
                const int numbers = jacobian(it, 1, width == 1 ? exact : again);
                if (width > 1) suite_same_bits("J", again, exact, numbers);
                if (width == 1) {
                    (void)jacobian(it, 0, other);
                    for (int k = 0; k < numbers; k++)
                        suite_near1("entry", exact[k], other[k], 1e-9, 1 + fabs(exact[k]));
                }
                suite_ok("step", lg_integrator_step(it));
                memcpy(g[width > 1], lg_integrator_configuration(it), sizeof(double) * (size_t)S->group->element_size);
                if (width > 1) suite_same_bits("g", g[1], g[0], S->group->element_size);
                run_end(&it);
            }
            unsetenv("LIEGRP_WIDTH");
            lg_model_destroy(M);
        }
}

/* ---- motions and runs ---- */

/* lg_controller: other polynomials in every step. */
static int vary(const lg_motion *mo, double *u, void *context)
{
    (void)context;
    for (int i = 0; i < 8; i++) u[i] = 0.2 * cos(i + (double)lg_motion_step_index(mo));
    return 0;
}

static lg_motion *robot(lg_model *M, const char *method)
{
    lg_motion_options o = lg_motion_options_default();
    lg_motion *mo = NULL;
    o.method = method, o.step = 0.1;
    suite_ok("motion", lg_motion_create(&mo, M, &o));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 0));
    return mo;
}

/* A run sets polynomials as its caller says, to the bit as an integrator does; what it cannot do with them is refused.
 */
static void test_runs(void **state)
{
    (void)state;
    lg_model *M = NULL;
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    double u[8], g[2][SUITE_ELEMENT], bytes[1];
    suite_ok("model", lg_catalog_create(&M, "two-wheeled-robot"));
    lg_motion *mo = robot(M, "gauss"), *by_hand = robot(M, "gauss"), *sem = robot(M, "sem");
    o.steps = 5, o.control = vary, o.control_degree = 3, o.provenance = -1;
    suite_status("accuracy", lg_run(mo, &f, &o), LG_ERROR_UNSUPPORTED);
    suite_contains("message", f.message, "accuracy");
    o.accuracy = 0;
    suite_ok("run", lg_run(mo, &f, &o));
    for (int k = 0; k < 5; k++) {
        (void)vary(by_hand, u, NULL);
        suite_ok("controls", lg_motion_set_control_nodes(by_hand, 3, u));
        suite_ok("step", lg_motion_step(by_hand, 1));
    }
    suite_ok("state", lg_motion_state(mo, g[0], NULL, NULL)),
        suite_ok("state", lg_motion_state(by_hand, g[1], NULL, NULL));
    suite_same_bits("g", g[0], g[1], 5);
    suite_status("sem", lg_run(sem, &f, &o), LG_ERROR_UNSUPPORTED);
    suite_contains("message", f.message, "use gauss");
    o.control_degree = 8;
    suite_status("degree", lg_run(mo, &f, &o), LG_ERROR_ARGUMENT);
    o.control_degree = 0, o.control = NULL, o.accuracy = 1;
    suite_status("its own polynomials", lg_run(by_hand, &f, &o), LG_ERROR_UNSUPPORTED);
    suite_status("start", lg_motion_start(by_hand, 0, NULL, 0), LG_ERROR_UNSUPPORTED);
    suite_status("halvings", lg_motion_set_halvings(by_hand, 2), LG_ERROR_UNSUPPORTED);
    suite_status("save", lg_motion_save(by_hand, bytes, lg_motion_saved_bytes(by_hand)), LG_ERROR_UNSUPPORTED);
    suite_ok("held", lg_motion_set_control(by_hand, u));
    suite_ok("start", lg_motion_start(by_hand, 0, NULL, 0));
    suite_ok("halvings", lg_motion_set_halvings(by_hand, 2));
    suite_status("with halvings", lg_motion_set_control_nodes(by_hand, 3, u), LG_ERROR_UNSUPPORTED);
    lg_trajectory *tr = NULL;
    suite_ok("trajectory", lg_trajectory_of_motion(&tr, mo, 1));
    suite_ok("run", lg_trajectory_run(tr, u)); /* of polynomials, as its motion */
    assert_int_equal(lg_trajectory_controls(tr), 8);
    lg_trajectory_destroy(tr);
    lg_motion_destroy(mo), lg_motion_destroy(by_hand), lg_motion_destroy(sem);
    lg_model_destroy(M);
}

/* ---- refusals ---- */

static void test_refusals(void **state)
{
    (void)state;
    const lg_system S = mass();
    lg_system free_mass = S;
    const double rest = 0, u[8] = {0}, bad[2] = {0, NAN};
    char bytes[8];
    double out;
    free_mass.callbacks.force = NULL, free_mass.callbacks.control_count = 0;
    lg_integrator *it = run_start_at(&S, "gauss:stages=2", "exp", 0.1, 0, &rest, &rest),
                  *sem = run_start_at(&S, "sem", "exp", 0.1, 0, &rest, &rest),
                  *none = run_start_at(&free_mass, "gauss", "exp", 0.1, 0, &rest, &rest);
    lg_linearisation *lin = NULL;
    suite_ok("linearisation", lg_linearisation_create(&lin, it));
    suite_status("degree", lg_integrator_set_control_nodes(it, -1, u), LG_ERROR_ARGUMENT);
    suite_status("degree", lg_integrator_set_control_nodes(it, 8, u), LG_ERROR_ARGUMENT);
    suite_status("stages", lg_integrator_set_control_nodes(it, 2, u), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_integrator_message(it), "gauss:stages=3");
    suite_status("NULL", lg_integrator_set_control_nodes(it, 1, NULL), LG_ERROR_ARGUMENT);
    suite_status("NaN", lg_integrator_set_control_nodes(it, 1, bad), LG_ERROR_NOT_FINITE);
    suite_status("sem", lg_integrator_set_control_nodes(sem, 1, u), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(sem), "use gauss");
    suite_ok("held", lg_integrator_set_control_nodes(sem, 0, u));
    suite_status("no controls", lg_integrator_set_control_nodes(none, 1, u), LG_ERROR_ARGUMENT);
    suite_ok("degree 1", lg_integrator_set_control_nodes(it, 1, u));
    suite_status("tolerance", lg_integrator_set_tolerance(it, 1e-8), LG_ERROR_UNSUPPORTED);
    suite_status("linearisation", lg_linearisation_compute(lin, it), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_linearisation_message(lin), "degree 0");
    suite_status("reversibility", lg_diagnostics_reversibility(it, &out, 1), LG_ERROR_UNSUPPORTED);
    suite_status("save", lg_integrator_save(it, bytes, sizeof bytes), LG_ERROR_UNSUPPORTED);
    suite_ok("held", lg_integrator_set_control(it, u));
    suite_ok("tolerance", lg_integrator_set_tolerance(it, 1e-8));
    suite_status("with a tolerance", lg_integrator_set_control_nodes(it, 1, u), LG_ERROR_UNSUPPORTED);
    suite_status("nodes", lg_control_nodes(8, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("at", lg_control_at(&out, 1, u, 1, 1.5), LG_ERROR_ARGUMENT);
    lg_linearisation_destroy(lin);
    run_end(&it), run_end(&sem), run_end(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_held),        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_parts),       cmocka_unit_test(test_derivatives), cmocka_unit_test(test_tangents),
        cmocka_unit_test(test_trajectory),  cmocka_unit_test(test_runs),        cmocka_unit_test(test_refusals)};
    suite_begin("controls inside a step");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
