/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured orders over the whole catalog, and the reference that they rest on: where there is an exact solution the
 * computed one must be as near to it as it says. */
#include <math.h>
#include <string.h>

#include "run/reference.h"
#include "support/models.h"
#include "support/motions.h"
#include "support/run_models.h"

static const char *const retractions[] = {"exp", "cayley"};

/* About 1 in steps of `factor` times the system's own. */
static model_run options_of(const lg_model_definition *d, double factor)
{
    model_run o = model_run_default();
    o.motion.step = factor * (d->step > 0 ? d->step : 0.01);
    o.run.steps = (int64_t)fmax(1, round(1 / o.motion.step));
    return o;
}

static lg_model *open_model(const lg_model_definition *d)
{
    lg_model *M = NULL;
    if (lg_model_create(&M, d) != LG_OK) suite_fail("%s: %s", d->name, lg_model_message(M));
    return M;
}

static lg_reference *reference_of(lg_model *M, const model_run *o)
{
    lg_reference *R = NULL;
    if (lg_reference_create(&R, M, &o->motion, o->run.steps, o->project) != LG_OK)
        suite_fail("reference: %s", lg_reference_message(R));
    return R;
}

static int find_column(const lg_reference *R, const char *name)
{
    for (int i = 0; i < lg_reference_column_count(R); i++) {
        if (strcmp(lg_reference_column(R, i)->name, name) == 0) return i;
    }
    suite_fail("there is no column %s", name);
}

/* Measures, and wants each order that at least three errors tell to be within `margin` of `order`. Returns how many
 * there were; 0 where the combination is refused. */
static int check_orders(lg_model *M, const lg_reference *R, model_run o, const char *method, int levels, double order,
                        double margin)
{
    int told = 0;
    for (int k = 0; k < 2; k++) {
        lg_convergence c;
        lg_status status;
        o.motion.method = method;
        o.motion.retraction = retractions[k];
        suite_case("%s, %s, %s, h = %g", lg_model_describe(M)->name, method, retractions[k], o.motion.step);
        status = lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, levels);
        if (status == LG_ERROR_UNSUPPORTED) continue;
        if (status != LG_OK) suite_fail("%s", c.message);
        for (int i = 0; i < c.columns; i++) {
            int used = 0;
            for (int q = 0; q < levels; q++) used += c.level[q].used[i];
            if (used < 3) continue;
            told++;
            if (!(fabs(c.order[i] - order) <= margin)) {
                suite_fail("%s: order %.3f instead of %g", lg_reference_column(R, i)->name, c.order[i], order);
            }
        }
    }
    return told;
}

/* Every method of order 2 in every column, also reduced and reconstructed variables for themselves. Half the system's
 * own step, where all of them have left the first wiggles of the rattleback behind. */
static void test_order_2(void **state)
{
    static const char *const methods[] = {"sem", "gni", "dla:midpoint"};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        if (model_left_out(name)) continue;
        const lg_model_definition *d = lg_catalog_definition(*name);
        const model_run o = options_of(d, 0.5);
        lg_model *M = open_model(d);
        lg_reference *R = reference_of(M, &o);
        for (int k = 0; k < 3; k++) {
            const int told = check_orders(M, R, o, methods[k], 4, 2, 0.1);
            if (told < 2) suite_fail("%s, %s: no order was measured", *name, methods[k]);
        }
        lg_reference_destroy(R);
        lg_model_destroy(M);
    }
}

/* Compositions, where rounding leaves three errors to see. */
static void test_compositions(void **state)
{
    static const struct {
        const char *method;
        double order, margin, factor;
        int least; /* number of orders over the whole catalog that must be measured */
    } table[] = {
        {"sem@suzuki4", 4, 0.15, 1, 100}, {"gni@yoshida4", 4, 0.3, 0.5, 100}, {"sem@kahan-li6", 6, 0.4, 2, 20}};
    enum { ROWS = sizeof table / sizeof table[0] };
    int told[ROWS] = {0};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        if (model_left_out(name)) continue;
        const lg_model_definition *d = lg_catalog_definition(*name);
        lg_model *M = open_model(d);
        lg_reference *R = NULL;
        double end = NAN;
        for (int k = 0; k < ROWS; k++) {
            const model_run o = options_of(d, table[k].factor);
            const double T = o.motion.step * (double)o.run.steps;
            if (T != end) { /* otherwise the same reference serves */
                lg_reference_destroy(R);
                R = reference_of(M, &o);
                end = T;
            }
            told[k] += check_orders(M, R, o, table[k].method, 4, table[k].order, table[k].margin);
        }
        lg_reference_destroy(R);
        lg_model_destroy(M);
    }
    for (int k = 0; k < ROWS; k++)
        suite_above(table[k].method, told[k], suite_reduced() ? table[k].least / 10 : table[k].least);
}

/* The reference without the exact solution, against it: no column is farther off than ten times what it says. */
static void test_honest(void **state)
{
    int compared = 0;
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        if (model_left_out(name)) continue;
        const lg_model_definition *d = lg_catalog_definition(*name);
        for (int k = 0; d->exact != NULL && k < 3; k++) { /* from large steps too, and so long that rounding adds up */
            lg_model_definition blind = *d;
            model_run o = options_of(d, k == 1 ? 8 : 1);
            double off[LG_CONVERGENCE_COLUMNS];
            lg_model *M = open_model(d), *N;
            lg_reference *exact, *computed;
            blind.exact = NULL;
            if (k == 2) o.run.steps *= 50;
            exact = reference_of(M, &o);
            N = open_model(&blind);
            computed = reference_of(N, &o);
            suite_case("%s at t = %g, h = %g", *name, o.motion.step * (double)o.run.steps, o.motion.step);
            assert_non_null(lg_reference_method(computed));
            lg_reference_compare(exact, off, &exact->state, &computed->state);
            for (int i = 0; i < lg_reference_column_count(exact); i++) {
                const lg_convergence_column *a = lg_reference_column(exact, i), *b = lg_reference_column(computed, i);
                assert_int_equal(b->exact, 0);
                if (!a->exact) continue;
                compared++;
                suite_below(b->name, off[i], 10 * b->error);
                if (k < 2) suite_below("the estimate, relative", b->error / b->scale, 1e-12);
                suite_above("rounding of the exact solution", a->error, 0);
            }
            lg_reference_destroy(exact);
            lg_reference_destroy(computed);
            lg_model_destroy(M);
            lg_model_destroy(N);
        }
    }
    suite_above("columns with an exact solution", compared, suite_reduced() ? 10 : 50);
}

/* The reference is what the exact solution tells, as far as it does, and the errors are those against it: the ball on
 * its turntable is at x = 1.776198340778839 at t = 1. */
static void test_exact(void **state)
{
    const lg_model_definition *d = lg_catalog_definition("rolling-ball");
    model_run o = options_of(d, 1);
    lg_model *M = open_model(d);
    lg_reference *R = reference_of(M, &o);
    const lg_system *S = NULL;
    lg_integrator *it = NULL;
    lg_convergence c;
    double g0[6], xi0[5];
    (void)state;
    suite_case("rolling-ball");
    assert_int_equal(lg_reference_column(R, find_column(R, "R^2"))->exact, 1);
    assert_int_equal(lg_reference_column(R, find_column(R, "SO(3)"))->exact, 0);
    assert_int_equal(lg_reference_column(R, find_column(R, "momentum"))->exact, 1);
    assert_string_equal(lg_reference_method(R), "sem@kahan-li8");
    suite_near1("x(1)", R->state.g[0], 1.776198340778839, 1e-14, 1);
    suite_ok("measure", lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, 2));
    suite_ok("system", lg_model_system(M, &S));
    suite_ok("initial", lg_model_initial(M, g0, xi0, NULL));
    suite_ok("create", lg_integrator_create(&it, S, "sem", "exp", 0.1));
    suite_ok("start", lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1));
    suite_ok("run", lg_integrator_run(it, 10, 10, NULL, NULL));
    const double *g = lg_integrator_configuration(it);
    suite_near1("error", c.level[0].error[find_column(R, "R^2")],
                hypot(g[0] - 1.776198340778839, g[1] - 2.170893370764414), 1e-13, 1);
    lg_integrator_destroy(it);
    lg_reference_destroy(R);
    lg_model_destroy(M);

    suite_case("chaplygin-sleigh");
    d = lg_catalog_definition("chaplygin-sleigh");
    o = options_of(d, 1);
    M = open_model(d);
    R = reference_of(M, &o);
    assert_null(lg_reference_method(R));
    assert_true(isnan(lg_reference_step(R)));
    for (int i = 0; i < lg_reference_column_count(R); i++) assert_int_equal(lg_reference_column(R, i)->exact, 1);
    lg_reference_destroy(R);
    lg_model_destroy(M);
}

/* Reduced and reconstructed variables. */
static void test_columns(void **state)
{
    static const struct {
        const char *system, *column;
        lg_variables kind;
    } table[] = {
        {"snakeboard", "SE(2)", LG_VARIABLES_RECONSTRUCTED},
        {"snakeboard", "T^2", LG_VARIABLES_REDUCED},
        {"snakeboard", "configuration", LG_VARIABLES_BOTH},
        {"snakeboard", "momentum", LG_VARIABLES_REDUCED},
        {"cart-trailer", "SE(2)_2", LG_VARIABLES_RECONSTRUCTED},
        {"suslov", "configuration", LG_VARIABLES_RECONSTRUCTED},
        {"suslov", "energy", LG_VARIABLES_BOTH},
        {"snakeboard-planar", "R^2", LG_VARIABLES_RECONSTRUCTED}, /* no group to tell a shape from */
    };
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        const lg_model_definition *d = lg_catalog_definition(table[k].system);
        const model_run o = options_of(d, 1);
        lg_model *M = open_model(d);
        lg_reference *R = reference_of(M, &o);
        suite_case("%s, %s", table[k].system, table[k].column);
        assert_int_equal(lg_reference_column(R, find_column(R, table[k].column))->kind, table[k].kind);
        assert_null(lg_reference_column(R, -1));
        assert_null(lg_reference_column(R, lg_reference_column_count(R)));
        lg_reference_destroy(R);
        lg_model_destroy(M);
    }
}

/* A step that is too large is reported in its level, and the others show the order; time may run backwards. */
static void test_failing_levels(void **state)
{
    const lg_model_definition *d = lg_catalog_definition("rattleback");
    model_run o = options_of(d, 1);
    lg_model *M = open_model(d);
    lg_reference *R;
    lg_convergence c;
    (void)state;
    suite_case("rattleback");
    o.motion.step = -0.5;
    o.run.steps = 1;
    R = reference_of(M, &o);
    suite_ok("measure", lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, 12));
    suite_status("h = -0.5", c.level[0].status, LG_ERROR_CONVERGENCE);
    suite_contains("why", c.level[0].message, "too large");
    assert_true(isnan(c.level[0].error[0]));
    assert_int_equal(c.level[0].used[0], 0);
    suite_ok("the finest", c.level[11].status);
    assert_int_equal(c.level[11].steps, 2048);
    assert_int_equal(c.level[11].used[find_column(R, "configuration")], 1);
    lg_reference_destroy(R);
    lg_model_destroy(M);
}

/* An error of a method without one: the momentum of Suslov's problem that is exact to rounding has no order. */
static void test_floor(void **state)
{
    const lg_model_definition *d = lg_catalog_definition("suslov");
    const model_run o = options_of(d, 1);
    lg_model *M = open_model(d);
    lg_reference *R = reference_of(M, &o);
    const int energy = find_column(R, "energy");
    lg_convergence c;
    (void)state;
    suite_case("suslov: the energy of sem");
    suite_ok("measure", lg_convergence_measure(M, &c, R, &o.motion, o.run.steps, 5));
    assert_true(isnan(c.order[energy]));
    for (int k = 0; k < 5; k++) {
        assert_int_equal(c.level[k].used[energy], 0);
        suite_below("error", c.level[k].error[energy], c.level[k].floor[energy]);
        suite_below("floor", c.level[k].floor[energy], 1e-12);
    }
    lg_reference_destroy(R);
    lg_model_destroy(M);
}

static void refuse(lg_model *M, const lg_reference *R, const model_run *o, int levels, lg_status want, const char *word)
{
    lg_convergence c;
    suite_status(word, lg_convergence_measure(M, &c, R, &o->motion, o->run.steps, levels), want);
    suite_contains("message", c.message, word);
    assert_int_equal(c.levels > 0 && isfinite(c.order[0]), 0);
}

static void test_arguments(void **state)
{
    const lg_model_definition *d = lg_catalog_definition("suslov");
    const model_run good = options_of(d, 1);
    model_run o = good;
    lg_model *M = open_model(d), *other = open_model(lg_catalog_definition("rolling-ball"));
    lg_reference *R = reference_of(M, &good), *failed = NULL;
    (void)state;
    suite_case("arguments");
    refuse(M, R, &good, 1, LG_ERROR_ARGUMENT, "from 2 to 12");
    refuse(M, R, &good, 13, LG_ERROR_ARGUMENT, "from 2 to 12");
    refuse(NULL, R, &good, 3, LG_ERROR_ARGUMENT, "NULL");
    refuse(M, NULL, &good, 3, LG_ERROR_ARGUMENT, "NULL");
    refuse(other, R, &good, 3, LG_ERROR_ARGUMENT, "another model");
    suite_status("no room", lg_convergence_measure(M, NULL, R, &good.motion, good.run.steps, 3), LG_ERROR_ARGUMENT);
    o.run.steps++;
    refuse(M, R, &o, 3, LG_ERROR_ARGUMENT, "do not end");
    o = good;
    o.motion.method = "gnu";
    refuse(M, R, &o, 3, LG_ERROR_ARGUMENT, "unknown method");
    o.motion.method = "rattle";
    refuse(M, R, &o, 3, LG_ERROR_UNSUPPORTED, "velocity constraints");
    o = good;
    o.run.steps = 0;
    suite_status("no steps", lg_reference_create(&failed, M, &o.motion, o.run.steps, o.project), LG_ERROR_ARGUMENT);
    refuse(M, failed, &good, 3, LG_ERROR_ARGUMENT, "failed");
    lg_reference_destroy(failed);
    suite_status("no model", lg_reference_create(&failed, NULL, &good.motion, good.run.steps, good.project),
                 LG_ERROR_ARGUMENT);
    suite_contains("message", lg_reference_message(failed), "NULL");
    lg_reference_destroy(failed);
    suite_ok("xi_3", lg_model_set_initial(M, "xi_3", 1));
    suite_status("off the constraint", lg_reference_create(&failed, M, &good.motion, good.run.steps, good.project),
                 LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_reference_message(failed), "violates constraint 1");
    lg_reference_destroy(failed);
    lg_reference_destroy(NULL);
    lg_reference_destroy(R);
    lg_model_destroy(M);
    lg_model_destroy(other);
}

/* The order that a run observes: 2 of `sem` with every feature that a model can have; 0.1 is the accuracy of three step
 * sizes. */
static void test_observed_order(void **state)
{
    static const lg_model_definition *const all[] = {&run_models_rod, &run_models_sleigh, &run_models_links};
    (void)state;
    for (int k = 0; k < 3; k++) {
        lg_model *M = open_model(all[k]);
        model_run o = model_run_default();
        o.motion.step = 0.02, o.run.steps = 50;
        suite_case("%s", all[k]->name);
        suite_near1("order of sem", lg_run_observed_order(M, &o.motion, o.run.steps), 2, 0.1, 1);
        o.motion.step = 0.1, o.run.steps = 10;
        o.motion.method = "sem@suzuki4";
        suite_near1("order of sem@suzuki4", lg_run_observed_order(M, &o.motion, o.run.steps), 4, 0.2, 1);
        lg_model_destroy(M);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_2), cmocka_unit_test(test_compositions), cmocka_unit_test(test_honest),
        cmocka_unit_test(test_exact),   cmocka_unit_test(test_columns),      cmocka_unit_test(test_failing_levels),
        cmocka_unit_test(test_floor),   cmocka_unit_test(test_arguments),    cmocka_unit_test(test_observed_order),
    };
    suite_begin("convergence");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
