/* SPDX-License-Identifier: BSD-3-Clause */
/* The accuracy that a run reports: its estimate against a reference, and whether the reader is warned where the step
 * is too large. */
#include <math.h>
#include <string.h>

#include "integrators/diagnostics/diagnostics.h"
#include "support/motions.h"
#include "support/run_models.h"
#include "support/suite.h"

static const char *const methods[] = {"sem", "gni", "dla"};
enum { METHODS = 3 };

static lg_model *open_system(const char *name)
{
    lg_model *M = NULL;
    if (lg_catalog_create(&M, name) != LG_OK) suite_fail("%s: %s", name, lg_model_message(M));
    return M;
}

/* A run with `factor` times the system's own step. */
static lg_status run(lg_run_result *f, const char *name, const char *method, double factor, int64_t steps)
{
    lg_model *M = open_system(name);
    model_run o = model_run_default();
    o.motion.method = method;
    o.motion.step = factor * lg_model_default_step(M);
    o.run.steps = steps;
    *f = lg_run_result_default();
    suite_case("%s, %s, %g times the default step, %d steps", name, method, factor, (int)steps);
    const lg_status status = model_run_whole(M, f, &o);
    lg_model_destroy(M);
    return status;
}

/* Default steps resolve the motion, but for the GNI's parasitic mode, which takes the trajectory along. */
static void test_no_false_alarm(void **state)
{
    static const int64_t steps[] = {1, 2, 64, 1000};
    (void)state;
    for (const char *const *s = lg_catalog_names(); *s != NULL; s++) {
        for (int m = 0; m < METHODS; m++) {
            for (int k = 0; k < 4; k++) {
                lg_run_result f;
                const lg_status status = run(&f, *s, methods[m], 1, steps[k]);
                if (status != LG_OK) suite_fail("%s", f.message);
                if (!f.resolved && isnan(f.error_lost))
                    suite_fail("resolution %g at t = %g, turn %g", f.resolution, f.resolution_time, f.turn);
                assert_int_equal(f.error_steps, steps[k]);
            }
        }
    }
}

/* A step that is too large fails, or the reader is warned. */
static void test_too_large(void **state)
{
    static const double factors[] = {30, 100, 1000};
    static const int64_t steps[] = {7, 200};
    (void)state;
    for (const char *const *s = lg_catalog_names(); *s != NULL; s++) {
        for (int m = 0; m < METHODS; m++) {
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 2; l++) {
                    lg_run_result f;
                    if (run(&f, *s, methods[m], factors[k], steps[l]) != LG_OK || !f.resolved) continue;
                    suite_fail("resolution %g, turn %g, errors %g rad, %g, velocity %g", f.resolution, f.turn,
                               f.error_rotation, f.error_position, f.error_velocity);
                }
            }
        }
    }
}

/* Energy says nothing: it is exact. */
static void test_suslov(void **state)
{
    lg_run_result f;
    (void)state;
    suite_ok("run", run(&f, "suslov", "sem", 100, 1000));
    suite_below("energy", f.energy_high - f.energy_low, 1e-12);
    assert_int_equal(f.resolved, 0);
    assert_int_equal(f.error_parts, 8);
    suite_above("velocity", f.error_velocity, 0.1);
    suite_below("lost at once", f.error_lost, 5.1);
    suite_ok("back in time", run(&f, "suslov", "sem", -30, 50));
    assert_int_equal(f.resolved, 0);
    suite_ok("back in time", run(&f, "suslov", "sem", -1, 50));
    assert_int_equal(f.resolved, 1);
    suite_below("velocity", f.error_velocity, 0.01);
}

/* Steps of many turns, in which half a turn that is wrong is little. */
static void test_many_turns(void **state)
{
    static const double rates[] = {50, 1e3, 1e5, 1e9};
    lg_model *M = open_system("rigid-body");
    model_run o = model_run_default();
    (void)state;
    o.motion.method = "gni";
    o.motion.retraction = "cayley";
    o.run.steps = 20;
    for (int i = 0; i < 4; i++) {
        lg_run_result f = lg_run_result_default();
        suite_case("gni, cayley, xi_1 = %g", rates[i]);
        suite_ok("xi_1", lg_model_set_initial(M, "xi_1", rates[i]));
        suite_ok("run", model_run_whole(M, &f, &o));
        assert_int_equal(f.resolved, 0);
    }
    lg_model_destroy(M);
}

/* ---- the estimate ---- */

typedef struct errors {
    double rotation, position, velocity;
} errors;

static lg_integrator *start(lg_model *M, const char *method, double h)
{
    const lg_system *S = NULL;
    lg_integrator *it = NULL;
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM];
    suite_ok("system", lg_model_system(M, &S));
    suite_ok("initial", lg_model_initial(M, g0, xi0, NULL));
    suite_ok("create", lg_integrator_create(&it, S, method, "exp", h));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    return it;
}

/* The largest errors at the nodes, by a run of small steps of order 4. */
static errors measure(lg_model *M, const char *method, double h, int64_t steps)
{
    enum { PARTS = 16 };
    errors e = {0, 0, 0};
    double fastest = 0;
    lg_integrator *it = start(M, method, h), *exact = start(M, "rk4", h / PARTS);
    for (int64_t k = 0; k < steps; k++) {
        double speed, velocity;
        suite_ok("step", lg_integrator_step(it));
        for (int i = 0; i < PARTS; i++) suite_ok("step", lg_integrator_step(exact));
        const lg_apart d = lg_configurations_apart(lg_integrator_group(it), lg_integrator_configuration(it),
                                                   lg_integrator_configuration(exact));
        velocity = lg_velocities_apart(it, exact, &speed);
        e.rotation = fmax(e.rotation, d.rotation);
        e.position = fmax(e.position, d.position);
        e.velocity = fmax(e.velocity, velocity);
        fastest = fmax(fastest, speed);
    }
    e.velocity /= fastest;
    lg_integrator_destroy(it);
    lg_integrator_destroy(exact);
    return e;
}

static void compare(const char *what, double estimate, double truth)
{
    if (isnan(estimate) || truth < 1e-11) return;
    if (estimate < 0.3 * truth || estimate > 3 * truth) suite_fail("%s: %g, but it is %g", what, estimate, truth);
}

static void check_estimate(const char *name, const char *method, int64_t steps)
{
    lg_run_result f;
    lg_model *M = open_system(name);
    suite_ok("run", run(&f, name, method, 1, steps));
    const errors e = measure(M, method, lg_model_default_step(M), steps);
    compare("rotation", f.error_rotation, e.rotation);
    compare("position", f.error_position, e.position);
    compare("velocity", f.error_velocity, e.velocity);
    lg_model_destroy(M);
}

static void test_estimate(void **state)
{
    static const char *const systems[] = {"particle",     "rigid-body",  "suslov",       "chaplygin-sleigh",
                                          "rolling-ball", "mobile-arm",  "heavy-top",    "cart-trailer",
                                          "snakeboard",   "affine-line", "rolling-disk", "chaplygin-top"};
    static const char *const others[] = {"nsv",   "sml",         "gni:euler-a", "dla:midleft",
                                         "gni-r", "sem@suzuki4", "rkmk4",       "gni@yoshida4"};
    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        for (int m = 0; m < METHODS; m++) check_estimate(systems[i], methods[m], 200);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        check_estimate("suslov", others[i], 100);
        check_estimate("rolling-disk", others[i], 100);
    }
}

/* A longer run: its beginning is measured, and the error of the rest is not smaller. */
static void test_long_run(void **state)
{
    lg_run_result head, whole;
    (void)state;
    suite_ok("head", run(&head, "rolling-ball", "sem", 0.1, 1000));
    suite_ok("whole", run(&whole, "rolling-ball", "sem", 0.1, 20000));
    assert_int_equal(whole.error_steps, 1000);
    assert_true(whole.samples >= 100 && whole.samples < 300);
    suite_above("it grows", whole.error_rotation, 10 * head.error_rotation);
    assert_int_equal(whole.resolved, 1);
}

/* ---- distances ---- */

/* g and g exp(xi): xi's angles and translations, up to its square. */
static void check_apart(const lg_group *G, const int *turns, uint64_t stream)
{
    lg_rng rng = suite_rng(stream);
    double xi[SUITE_DIM], g[SUITE_ELEMENT], step[SUITE_ELEMENT], b[SUITE_ELEMENT];
    lg_apart want = {0, 0};
    suite_case("%s", lg_group_name(G));
    for (int i = 0; i < lg_group_dim(G); i++) {
        double *part = turns[i] ? &want.rotation : &want.position;
        xi[i] = 1e-4 * (i + 1);
        *part = hypot(*part, xi[i]);
    }
    suite_ok("random", lg_group_random(G, g, &rng));
    suite_ok("exp", lg_group_exp(G, step, xi));
    suite_ok("compose", lg_group_compose(G, b, g, step));
    const lg_apart d = lg_configurations_apart(G, g, b), none = lg_configurations_apart(G, g, g);
    suite_near1("rotation", d.rotation, want.rotation, 1e-11, 1);
    suite_near1("position", d.position, want.position, 1e-6, 1);
    assert_true(none.rotation == 0 && none.position == 0);
}

static void test_apart(void **state)
{
    static const int turning[] = {1, 1, 1}, flat[] = {0, 0, 0}, plane[] = {0, 0, 1}, space[] = {0, 0, 0, 1, 1, 1},
                     all[] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0};
    const lg_group *factors[] = {lg_se3(), lg_so2(), lg_se2(), lg_rn(2)};
    lg_group *product = NULL;
    (void)state;
    suite_ok("product", lg_group_create_product(&product, factors, 4));
    for (uint64_t i = 0; i < 20; i++) {
        check_apart(lg_so2(), turning, i);
        check_apart(lg_so3(), turning, i);
        check_apart(lg_torus(3), turning, i);
        check_apart(lg_rn(3), flat, i);
        check_apart(lg_se2(), plane, i);
        check_apart(lg_se3(), space, i);
        check_apart(product, all, i);
    }
    lg_group_destroy(product);
}

/* ---- the run itself ---- */

enum { ROW = 40 };
typedef struct rows {
    double last[ROW];
    int columns, calls;
} rows;

static int keep(const double *row, int columns, void *context)
{
    rows *r = context;
    r->columns = columns;
    r->calls++;
    memcpy(r->last, row, (size_t)columns * sizeof *row);
    return 0;
}

static int push(const lg_motion *mo, double *u, void *context)
{
    ++*(int *)context;
    u[0] = sin(lg_motion_time(mo));
    u[1] = 0.5;
    return 0;
}

/* It neither changes the run nor calls back for rows and controls. */
static void test_run_is_the_same(void **state)
{
    lg_model *M = NULL;
    rows with = {.calls = 0}, without = {.calls = 0};
    int calls = 0;
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    (void)state;
    suite_case("controls");
    suite_ok("create", lg_model_create(&M, &run_models_sleigh));
    o.motion.step = 0.02, o.run.steps = 1300, o.motion.method = "gni";
    o.run.row = keep, o.run.control = push, o.run.control_context = &calls;
    o.run.row_context = &with;
    suite_ok("with", model_run_whole(M, &f, &o));
    assert_int_equal(calls, 1301); /* of the last row, too */
    assert_int_equal(f.error_steps, 1000);
    assert_true(f.samples > 100);
    suite_above("error", f.error_velocity, 1e-9);
    suite_below("error", f.error_velocity, 0.05);
    o.run.accuracy = 0, o.run.row_context = &without;
    suite_ok("without", model_run_whole(M, &f, &o));
    assert_int_equal(f.error_steps, 0);
    assert_int_equal(f.samples, 0);
    assert_int_equal(f.resolved, 1);
    assert_true(isnan(f.error_rotation) && isnan(f.error_velocity) && isnan(f.resolution) && isnan(f.turn));
    assert_int_equal(with.calls, without.calls);
    suite_same_bits("the last row", with.last, without.last, with.columns);
    o.run.accuracy = 7;
    suite_status("accuracy 7", model_run_whole(M, &f, &o), LG_ERROR_ARGUMENT);
    lg_model_destroy(M);
}

static void test_resolution(void **state)
{
    lg_model *M = open_system("suslov");
    lg_resolution r = lg_resolution_default();
    lg_integrator *it = start(M, "sem", 1.5);
    double g[4];
    (void)state;
    suite_case("lg_diagnostics_resolution");
    assert_true(lg_resolution_worst(&r) == 0 && lg_resolution_suffices(&r));
    memcpy(g, lg_integrator_configuration(it), sizeof g);
    suite_ok("ten steps", lg_diagnostics_resolution(it, &r, 10));
    suite_same_bits("the state", lg_integrator_configuration(it), g, 4);
    assert_int_equal(r.samples, 10);
    suite_above("worst", lg_resolution_worst(&r), 0.1);
    assert_false(lg_resolution_suffices(&r));
    suite_status("no step", lg_diagnostics_resolution(it, &r, 0), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_diagnostics_resolution(it, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("NULL", lg_diagnostics_resolution(NULL, &r, 1), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_resolution_worst(NULL)) && !lg_resolution_suffices(NULL));
    lg_integrator_destroy(it);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_false_alarm),  cmocka_unit_test(test_too_large),  cmocka_unit_test(test_suslov),
        cmocka_unit_test(test_many_turns),      cmocka_unit_test(test_estimate),   cmocka_unit_test(test_long_run),
        cmocka_unit_test(test_run_is_the_same), cmocka_unit_test(test_resolution), cmocka_unit_test(test_apart),
    };
    suite_begin("accuracy");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
