/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of models with holonomic constraints, forces, controls, metrics J(g) and time, and what a run reports of them.
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motions.h"
#include "support/run_models.h"
#include "support/suite.h"

/* ---- helpers ---- */

static lg_model *open_model(const lg_model_definition *d)
{
    lg_model *M = NULL;
    if (lg_model_create(&M, d) != LG_OK) suite_fail("%s: %s", d->name, lg_model_message(M));
    return M;
}

static model_run steps_of(double h, int64_t steps)
{
    model_run o = model_run_default();
    o.motion.step = h;
    o.run.steps = steps;
    return o;
}

/* The last row, and the step it belongs to. */
enum { ROW = 40 };
typedef struct last {
    double first[ROW], row[ROW];
    int count;
} last;

static int keep(const double *row, int columns, void *context)
{
    last *l = context;
    assert_true(columns <= ROW);
    if (l->count++ == 0) memcpy(l->first, row, (size_t)columns * sizeof *row);
    memcpy(l->row, row, (size_t)columns * sizeof *row);
    return 0;
}

static lg_run_result run(lg_model *M, model_run o, last *l)
{
    lg_run_result f = lg_run_result_default();
    memset(l, 0, sizeof *l);
    o.run.row = keep;
    o.run.row_context = l;
    if (model_run_whole(M, &f, &o) != LG_OK)
        suite_fail("%s, %s: %s", lg_model_describe(M)->name, o.motion.method, f.message);
    return f;
}

static double column(const lg_model *M, const double *row, const char *name)
{
    for (int i = 0; i < lg_model_column_count(M); i++)
        if (strcmp(lg_model_column(M, i)->name, name) == 0) return row[i];
    suite_fail("no column %s", name);
}

/* ---- what a model carries ---- */

static void test_system_has_everything(void **state)
{
    (void)state;
    const lg_system *S = NULL;
    lg_model *M = open_model(&run_models_rod);
    suite_case("fields");
    suite_ok("rod", lg_model_system(M, &S));
    assert_int_equal(S->callbacks.holonomic_count, 1);
    assert_true(S->callbacks.holonomic == run_models_rod.callbacks.holonomic &&
                S->callbacks.holonomic_rate == run_models_rod.callbacks.holonomic_rate &&
                S->callbacks.holonomic_differential == run_models_rod.callbacks.holonomic_differential);
    assert_int_equal(S->callbacks.time_dependent, 1);
    lg_model_destroy(M);
    M = open_model(&run_models_sleigh);
    suite_ok("sleigh", lg_model_system(M, &S));
    assert_true(S->callbacks.control_count == 2 && S->callbacks.force == run_models_sleigh.callbacks.force);
    lg_model_destroy(M);
    M = open_model(&run_models_links);
    suite_ok("links", lg_model_system(M, &S));
    assert_true(S->callbacks.metric == run_models_links.callbacks.metric &&
                S->callbacks.metric_gradient == run_models_links.callbacks.metric_gradient);
    assert_true(S->callbacks.discrete_slope_1 == run_models_links.callbacks.discrete_slope_1 &&
                S->callbacks.discrete_slope_2 == run_models_links.callbacks.discrete_slope_2);
    assert_true(S->inertia == NULL && S->inertia_diagonal == NULL);
    lg_model_destroy(M);
}

/* Derivatives agree with differences: the definitions above are what the other tests rely on. */
static void test_derivatives(void **state)
{
    static const lg_model_definition *const all[] = {&run_models_rod, &run_models_sleigh, &run_models_links};
    (void)state;
    for (int k = 0; k < 3; k++) {
        lg_model *M = open_model(all[k]);
        const lg_system *S = NULL;
        lg_rng rng = suite_rng((uint64_t)k);
        lg_error e;
        double g[8] = {0}, xi[8] = {0};
        suite_case("%s", all[k]->name);
        if (k == 0) suite_ok("a", lg_model_set(M, "a", 0.2));
        suite_ok("system", lg_model_system(M, &S));
        suite_ok("initial", lg_model_initial(M, g, xi, NULL));
        if (lg_system_check(S, &rng, g, 20, 1e-6, &e) != LG_OK) suite_fail("%s", e.message);
        lg_model_destroy(M);
    }
}

static void test_definitions_that_are_refused(void **state)
{
    lg_model_definition d = run_models_rod;
    lg_model *M = NULL;
    const lg_system *S = NULL;
    (void)state;
    suite_case("refused definitions");
    d.callbacks.holonomic_count = -1;
    suite_status("holonomic", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "holonomic");
    lg_model_destroy(M);
    d.callbacks.holonomic_count = 1, d.callbacks.holonomic = NULL;
    suite_ok("create", lg_model_create(&M, &d));
    suite_status("no callback", lg_model_system(M, &S), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "holonomic");
    lg_model_destroy(M);
    d = run_models_sleigh, d.callbacks.force = NULL;
    suite_ok("create", lg_model_create(&M, &d));
    suite_status("controls of nothing", lg_model_system(M, &S), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), "controls");
    lg_model_destroy(M);
}

static void refuse_names(const char *what, const lg_model_definition *d)
{
    lg_model *M = NULL;
    suite_case("names: %s", what);
    suite_status("refused", lg_model_create(&M, d), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_model_message(M), what);
    lg_model_destroy(M);
}

static const lg_group *space(void)
{
    return lg_rn(9);
}

/* Coordinates may be called anything, or nothing; no two columns have one name. */
static void test_names(void **state)
{
    static const char *const given[] = {
        "a,b",  NULL,    "",
        "x",    "x",     "energy",
        "xi_2", "inv_c", "0123456789012345678901234567890123456789012345678901234567\xe2\x82\xac"};
    static const char *const want[] = {"a,b",    "q_2",   "q_3",
                                       "x",      "x_2",   "energy_2",
                                       "xi_2_2", "inv_c", "0123456789012345678901234567890123456789012345678901234567"};
    lg_model_definition d = run_models_links;
    lg_parameter parameter = {.name = NULL};
    lg_invariant invariant = {"c", "nothing", NULL};
    lg_model *M;
    (void)state;
    d.group = space, d.factors = NULL, d.coordinate_names = given;
    suite_case("names");
    M = open_model(&d);
    for (int i = 0; i < 9; i++) assert_string_equal(lg_model_column(M, 2 + i)->name, want[i]);
    for (int i = 0; i < lg_model_column_count(M); i++)
        for (int k = 0; k < i; k++) assert_string_not_equal(lg_model_column(M, i)->name, lg_model_column(M, k)->name);
    lg_model_destroy(M);
    d.parameter_count = 1, d.parameters = &parameter;
    refuse_names("parameter 1", &d);
    d.parameter_count = 0;
    d.invariant_count = 1, d.invariants = &invariant;
    refuse_names("callback", &d);
    invariant.name = NULL;
    refuse_names("invariant 1", &d);
}

/* A definition's own step, 0.01 where it has none. */
static void test_step(void **state)
{
    lg_model_definition d = run_models_rod;
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    (void)state;
    suite_case("steps");
    for (int own = 0; own < 2; own++) {
        lg_model *M;
        d.step = own ? 0.25 : 0;
        M = open_model(&d);
        suite_near1("step", lg_model_default_step(M), own ? 0.25 : 0.01, 0, 1);
        o.run.steps = 1;
        suite_ok("run", model_run_whole(M, &f, &o));
        suite_near1("step of a run", f.time, own ? 0.25 : 0.01, 0, 1);
        lg_model_destroy(M);
    }
    assert_true(isnan(lg_model_default_step(NULL)));
    suite_case("a model that was never made");
    d.name = NULL;
    lg_model *M = NULL;
    suite_status("no name", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_model_default_step(M)));
    lg_model_destroy(M);
}

/* ---- positions ---- */

/* phi and its rate to round-off: |q| and |v| are below 5, and a few operations end in phi. */
static void check_rod(const char *method, double l, double a)
{
    lg_model *M = open_model(&run_models_rod);
    model_run o = steps_of(0.02, 400);
    last w;
    suite_case("%s, l = %g, a = %g", method, l, a);
    suite_ok("l", lg_model_set(M, "l", l));
    suite_ok("a", lg_model_set(M, "a", a));
    o.motion.method = method;
    lg_run_result f = run(M, o, &w);
    suite_near1("x(0) is the default", w.first[2], 0.8 * l, 1e-15, 1);
    suite_below("|phi|", f.holonomic, 1e-14 * fmax(1, l * l));
    suite_below("|d phi xi + phi_t|", f.constraint, 2e-14 * fmax(1, l));
    lg_model_destroy(M);
}

static void test_positions_are_kept(void **state)
{
    static const char *const methods[] = {"sem", "sem:gauss=2", "sem@suzuki4", "rattle", "gni", "dla"};
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        check_rod(methods[k], 1, 0);
        check_rod(methods[k], 2.5, 0);
        check_rod(methods[k], 1, 0.1);
    }
}

static lg_status try(lg_model *M, const model_run *o, lg_run_result *f)
{
    return model_run_whole(M, f, o);
}

/* A user's configuration is checked, and projected only on request; the default velocity always is. */
static void test_initial_configuration(void **state)
{
    model_run o = steps_of(0.01, 1);
    lg_run_result f = lg_run_result_default();
    last w;
    (void)state;
    lg_model *M = open_model(&run_models_rod);
    suite_case("off the constraint");
    suite_ok("x", lg_model_set_initial(M, "q_1", 0.9));
    suite_status("x", try(M, &o, &f), LG_ERROR_INCONSISTENT);
    suite_contains("message", f.message, "holonomic constraint 1");
    suite_contains("message", f.message, "phi = 0.085");
    suite_contains("message", f.message, "project = 1");
    o.project = 1;
    f = run(M, o, &w);
    suite_below("projected", f.holonomic, 1e-15);
    assert_true(fabs(w.first[2] - 0.9) > 1e-3);
    lg_model_destroy(M);

    M = open_model(&run_models_rod);
    suite_case("on the constraint, velocity by default");
    o.project = 0;
    suite_ok("x", lg_model_set_initial(M, "q_1", 0.6));
    suite_ok("z", lg_model_set_initial(M, "q_3", -0.8));
    f = run(M, o, &w);
    suite_near1("x(0)", w.first[2], 0.6, 1e-15, 1);
    suite_below("|d phi xi|", f.constraint, 1e-14);
    suite_case("a velocity off the constraint");
    suite_ok("v", lg_model_set_initial(M, "xi_1", 1));
    suite_status("v", try(M, &o, &f), LG_ERROR_INCONSISTENT);
    suite_contains("message", f.message, "holonomic constraint 1");
    lg_model_destroy(M);
}

static void test_methods_without_positions(void **state)
{
    static const char *const methods[] = {"nsv", "smv", "sml", "sem:gonzalez"};
    (void)state;
    lg_model *M = open_model(&run_models_rod);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        model_run o = steps_of(0.01, 5);
        lg_run_result f = lg_run_result_default();
        suite_case("%s", methods[k]);
        o.motion.method = methods[k];
        suite_status("status", try(M, &o, &f), LG_ERROR_UNSUPPORTED);
        suite_contains("message", f.message, "holonomic constraints");
        suite_contains("message", f.message, "sem");
    }
    lg_model_destroy(M);
}

/* ---- the figures ---- */

/* H_k - H_0 is the work until k, to the round-off of as many sums and to the Gauss error (docs/theory.md). */
static void test_balance(void **state)
{
    last w;
    (void)state;
    lg_model *M = open_model(&run_models_sleigh);
    suite_case("drag");
    lg_run_result f = run(M, steps_of(0.02, 500), &w);
    suite_below("balance", f.balance, 500 * SUITE_EPS);
    suite_above("drag takes", -f.work, 0.1);
    suite_near1("what it took", f.work, w.row[11] - f.energy_first, 500 * SUITE_EPS, 1);
    assert_true(isnan(f.holonomic));
    lg_model_destroy(M);

    M = open_model(&run_models_rod);
    suite_case("the pivot at rest");
    f = run(M, steps_of(0.02, 500), &w);
    suite_near1("work", f.work, 0, 1e-12, 1); /* V_t is a difference */
    suite_below("energy", f.balance, 1e-11);
    suite_ok("a", lg_model_set(M, "a", 0.1));
    suite_case("a moving pivot");
    f = run(M, steps_of(0.02, 500), &w);
    suite_above("work", fabs(f.work), 1e-3);
    suite_below("balance", f.balance, 1e-11);
    suite_above("the energy itself changes", f.energy_high - f.energy_low, 0.01);
    lg_model_destroy(M);
}

/* What only the GNI has, only `sem` has, and what a step counts. */
static void check_figures(const char *system, const char *method)
{
    const int fast = strcmp(system, "rattleback") == 0 || strncmp(system, "rolling-disk", 12) == 0;
    lg_model *M = NULL;
    model_run o = steps_of(fast ? 0.001 : 0.02, 50);
    lg_run_result f = lg_run_result_default();
    last w;
    memset(&w, 0, sizeof w);
    suite_case("%s, %s", system, method);
    suite_ok("open", lg_catalog_create(&M, system));
    o.motion.method = method;
    o.run.row = keep;
    o.run.row_context = &w;
    const lg_status status = model_run_whole(M, &f, &o);
    const int reflection = strncmp(method, "gni", 3) == 0 && strncmp(method, "gni-r", 5) != 0;
    const int exact = strncmp(method, "sem", 3) == 0 && strcmp(method, "sem:gonzalez") != 0;
    if (status != LG_OK) { /* rattle and variational take no rows, `user` needs slopes of the system's */
        suite_status("refused", status, LG_ERROR_UNSUPPORTED);
        assert_int_equal(w.count, 0);
    } else {
        assert_true(isfinite(column(M, w.row, "energy")) && isfinite(column(M, w.row, "constraint")));
        assert_true(isfinite(column(M, w.row, "energy_post")) == reflection);
        assert_true(isfinite(column(M, w.row, "normal")) == reflection);
        assert_true(isfinite(f.energy_post_drift) == reflection && isfinite(f.normal_last) == reflection);
        assert_true(isfinite(f.balance) == exact && isfinite(f.work) == exact);
        assert_true((f.iterations == NULL) == (strncmp(method, "rk", 2) == 0));
        assert_true(f.iterations_mean <= f.iterations_most);
        assert_true(f.iterations_mean > 0 || f.iterations == NULL || !strcmp(f.iterations, "Newton iterations"));
    }
    lg_model_destroy(M);
}

static void test_figures(void **state)
{
    (void)state;
    for (const char *const *system = lg_catalog_names(); *system != NULL; system++)
        for (const char *const *method = lg_method_names(); *method != NULL; method++) check_figures(*system, *method);
}

static void test_defaults(void **state)
{
    lg_model *M = NULL;
    last named, none;
    model_run o = steps_of(0.01, 100);
    (void)state;
    suite_case("defaults");
    assert_true(o.motion.method == NULL && o.motion.retraction == NULL);
    suite_ok("open", lg_catalog_create(&M, "suslov"));
    o.motion.method = "sem", o.motion.retraction = "exp";
    (void)run(M, o, &named);
    o.motion.method = o.motion.retraction = NULL;
    lg_run_result f = lg_run_result_default();
    memset(&none, 0, sizeof none);
    o.run.row = keep;
    o.run.row_context = &none;
    suite_ok("NULL is the default", model_run_whole(M, &f, &o));
    suite_same_bits("rows", none.row, named.row, 13);
    lg_model_destroy(M);
}

/* A stream that the caller opened stays open. */
static void test_streams(void **state)
{
    const char *const files[] = {NULL, "/dev/null", "no/such/folder/rows.csv"};
    (void)state;
    if (fcntl(0, F_GETFD) < 0) assert_int_equal(open("/dev/null", O_RDONLY), 0);
    for (int k = 0; k < 3; k++) {
        lg_model *M = NULL;
        model_run o = steps_of(0.01, 3);
        lg_run_result f = lg_run_result_default();
        FILE *stream = tmpfile();
        suite_case("stream %d", k);
        suite_ok("open", lg_catalog_create(&M, "particle"));
        o.run.output = files[k];
        if (k == 0) o.run.stream = stream;
        suite_status("run", model_run_whole(M, &f, &o), k < 2 ? LG_OK : LG_ERROR_IO);
        assert_true(fcntl(0, F_GETFD) >= 0);
        assert_int_equal(fclose(stream), 0);
        lg_model_destroy(M);
    }
}

/* ---- controls ---- */

/* u_1 grows by 0.1 a step from what it was, u_2 follows the turning. */
static int steer(const lg_motion *mo, double *u, void *context)
{
    int *calls = context;
    double xi[3];
    if (lg_motion_state(mo, NULL, xi, NULL) != LG_OK) return 1;
    u[0] += 0.1;
    u[1] = -xi[2];
    ++*calls;
    return 0;
}

static int refuse(const lg_motion *mo, double *u, void *context)
{
    (void)u, (void)context;
    return lg_motion_step_index(mo) == 3 ? 42 : 0;
}

static void test_controls(void **state)
{
    lg_model *M = open_model(&run_models_sleigh);
    model_run o = steps_of(0.05, 40);
    lg_motion *mo = NULL;
    double p[3], u[2] = {0, 0};
    int calls = 0, again = 0;
    last w;
    (void)state;
    suite_case("controls");
    o.run.control = steer;
    o.run.control_context = &calls;
    lg_run_result f = run(M, o, &w);
    assert_int_equal(calls, 41); /* of the last row, too */
    suite_near1("the last u_1", column(M, w.row, "inv_u"), 4.1, 40 * SUITE_EPS, 4);
    suite_below("balance", f.balance, 1e-12);
    suite_ok("create", lg_motion_create(&mo, M, &o.motion));
    suite_ok("start", lg_motion_start(mo, 0, NULL, 1));
    for (int k = 0; k < 40; k++) {
        assert_int_equal(steer(mo, u, &again), 0);
        suite_ok("control", lg_motion_set_control(mo, u));
        suite_ok("step", lg_motion_step(mo, 1));
    }
    suite_ok("state", lg_motion_state(mo, NULL, NULL, p));
    suite_same_bits("p", w.row + 8, p, 3);
    lg_motion_destroy(mo);

    suite_case("a controller that gives up");
    o.run.control = refuse;
    suite_status("run", model_run_whole(M, &f, &o), LG_ERROR_CALLBACK);
    suite_contains("message", f.message, "returned 42 at t = 0.15");
    assert_int_equal(f.steps, 3);
    lg_model_destroy(M);

    suite_case("controls of a system that has none");
    M = open_model(&run_models_links);
    o.run.control = steer;
    suite_status("run", model_run_whole(M, &f, &o), LG_ERROR_ARGUMENT);
    suite_contains("message", f.message, "no controls");
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system_has_everything),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_definitions_that_are_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_positions_are_kept),
        cmocka_unit_test(test_initial_configuration),
        cmocka_unit_test(test_methods_without_positions),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_figures),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_controls),
    };
    suite_begin("models");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
