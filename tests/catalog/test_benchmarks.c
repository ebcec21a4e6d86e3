/* SPDX-License-Identifier: BSD-3-Clause */
/* What the methods keep and lose on the catalog's planar systems and benchmarks: reference states, the invariants, the
 * failures for which these problems are known (docs/theory.md sections 5 to 7). */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support/catalog_examples.h"
#include "support/energy_systems.h"
#include "support/reference.h"
#include "support/runs.h"

/* ---- reference states of methods ---- */

static void check_states(const char *file, const char *key, const char *run, const catalog_example *x,
                         const char *method)
{
    cJSON *root = ref_load(file);
    const cJSON *item = ref_get(ref_get(root, "systems"), key), *state;
    lg_model *M = catalog_open(x);
    double g[SUITE_ELEMENT], xi[SUITE_DIM], want[SUITE_DIM];
    int count = 0;
    const lg_system *S = catalog_start(M, g, xi);
    const int n = lg_group_dim(S->group);
    if (run) item = ref_get(item, run);
    lg_integrator *it = run_start_at(S, method, "exp", ref_number(ref_get(item, "h")), 0, g, xi);
    cJSON_ArrayForEach(state, ref_get(item, "states"))
    {
        const int64_t k = (int64_t)ref_number(ref_get(state, "k"));
        run_steps(it, k - lg_integrator_step_index(it));
        assert_int_equal(ref_numbers(want, n, ref_get(state, "g")), n);
        suite_near("g", lg_integrator_configuration(it), want, n, 1e-13, 2);
        ref_exactly(want, n, state, "p");
        suite_near("p", lg_integrator_momentum(it), want, n, 1e-13, 3);
        suite_near1("H", lg_integrator_energy(it), ref_number(ref_get(state, "H")), 1e-13, 15);
        count++;
    }
    assert_true(count == 4);
    run_end(&it);
    lg_model_destroy(M);
    cJSON_Delete(root);
}

static void test_reference_states(void **state)
{
    const catalog_example arm = {.system = "two-link-arm"}, contact = {.system = "contact-oscillator"};
    (void)state;
    check_states("energy_momentum_states.json", "twolink_exp", NULL, &arm, "sem");
    check_states("methods_states.json", "contact_eps", "none_SEM", &contact, "sem");
    check_states("methods_states.json", "contact_eps", "none_NSV", &contact, "nsv");
    check_states("methods_states.json", "contact_eps", "none_SMV", &contact, "smv");
}

/* ---- invariants ---- */

/* Horizontal symmetries and the energies of drivers that feel no reaction, for `sem` at once with H; 1000 steps of
 * round-off and of the Gauss error of H. */
static void test_sem_keeps_invariants(void **state)
{
    static const struct {
        catalog_example x;
        double h;
    } cases[] = {
        {{.system = "snakeboard"}, 0.1},         {{.system = "snakeboard-planar"}, 0.1},
        {{.system = "mobile-robot"}, 0.05},      {{"cvt", {{"c2", -0.1}, {"quartic", 1}}}, 0.05},
        {{.system = "contact-oscillator"}, 0.1}, {{"contact-oscillator", {{"shift", 1}}}, 0.1},
        {{"two-link-arm", {{"g", 0}}}, 0.02},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lg_model *M = catalog_open(&cases[k].x);
        catalog_changes c;
        catalog_watch(&c, M, "sem", cases[k].h, 1000);
        for (int i = 0; i < lg_model_describe(M)->invariant_count; i++)
            suite_below(lg_model_describe(M)->invariants[i].name, c.largest[i], 3e-12);
        lg_model_destroy(M);
    }
}

/* Angular momentum about the vertical: exact with `sem:momentum` and for SHAKE-RATTLE, of order 2 for `sem`. */
static void test_vertical_momentum(void **state)
{
    static const struct {
        const char *method;
        int exact;
    } methods[] = {{"sem:momentum", 1}, {"rattle", 1}, {"sem", 0}};
    const catalog_example x = {.system = "double-spherical-pendulum"};
    lg_model *M = catalog_open(&x);
    (void)state;
    for (int k = 0; k < 3; k++) {
        catalog_changes c;
        catalog_watch(&c, M, methods[k].method, 0.1, suite_count(5000));
        if (methods[k].exact)
            suite_below(methods[k].method, c.largest[0], 1e-12);
        else
            suite_above(methods[k].method, c.largest[0], 1e-4);
    }
    lg_model_destroy(M);
}

/* ---- known failures ---- */

/* The transmission that is not reversible, T = 2000: the energy of `smv`, `sml` and DLA drifts (the last quarter is
 * twice as far out as the first), that of `nsv` and `gni` does not while V is quadratic; Gonzalez' discrete gradient
 * keeps H and lets the driver drift. `sem` keeps both to the Gauss error. */
static void test_transmission(void **state)
{
    static const char *const drifting[] = {"smv", "sml", "dla", "dla:trapezoidal"}, *const bounded[] = {"nsv", "gni"};
    const catalog_example x = {"cvt", {{"c2", -0.1}}};
    lg_model *M = catalog_open(&x);
    catalog_changes c;
    (void)state;
    for (int k = 0; k < 4; k++) {
        catalog_watch(&c, M, drifting[k], 0.1, 20000);
        suite_above(drifting[k], c.energy_late, 2 * c.energy_early);
    }
    for (int k = 0; k < 2; k++) {
        catalog_watch(&c, M, bounded[k], 0.1, 20000);
        suite_below(bounded[k], c.energy_late, 1.2 * c.energy_early);
        suite_above(bounded[k], c.energy_early, 1e-3);
    }
    catalog_watch(&c, M, "sem:gonzalez", 0.1, 20000);
    suite_below("sem:gonzalez, H", c.energy_late, 1e-11);
    suite_above("sem:gonzalez, driver", c.late[0], 3 * c.early[0]);
    catalog_watch(&c, M, "sem", 0.1, 20000);
    suite_below("sem, H", c.energy_late, 1e-9);
    suite_below("sem, driver", c.late[0], 1e-9);
    lg_model_destroy(M);
}

/* Without the second harmonic all of them stay. */
static void test_reversible_transmission(void **state)
{
    static const char *const methods[] = {"smv", "sml", "dla", "dla:trapezoidal", "nsv", "gni"};
    const catalog_example x = {.system = "cvt"};
    lg_model *M = catalog_open(&x);
    (void)state;
    for (int k = 0; k < 6; k++) {
        catalog_changes c;
        catalog_watch(&c, M, methods[k], 0.1, 20000);
        suite_below(methods[k], c.energy_late, 1.2 * c.energy_early);
    }
    lg_model_destroy(M);
}

/* After the turn the sleigh runs straight with all its energy, at the speed sqrt(2E/m): theta' falls with e^{-28} until
 * t = 60. `sem` gets there; the GNI's parasitic mode grows by as much and turns it again. */
static void test_sleigh(void **state)
{
    const catalog_example x = {.system = "chaplygin-sleigh-planar"};
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    (void)state;
    lg_model *M = catalog_open(&x);
    for (int k = 0; k < 2; k++) {
        const lg_system *S = catalog_start(M, g, xi);
        lg_integrator *it = run_start_at(S, k ? "gni" : "sem", "exp", 0.1, 0, g, xi);
        const double speed = sqrt(2 * lg_integrator_energy(it));
        run_steps(it, 600);
        suite_ok("velocity", lg_integrator_velocity(it, xi));
        if (k) {
            suite_above("gni, theta'", fabs(xi[2]), 0.1);
        } else {
            suite_below("sem, theta'", fabs(xi[2]), 1e-9);
            suite_near1("sem, speed", hypot(xi[0], xi[1]), speed, 1e-13, speed);
        }
        run_end(&it);
    }
    lg_model_destroy(M);
}

/* Theorem 1 of the GNI: no potential, constant metric, abelian group: H(p^-) stays, H(p~) does not. */
static void test_board_energy(void **state)
{
    const catalog_example x = {.system = "snakeboard-planar"};
    (void)state;
    lg_model *M = catalog_open(&x);
    const lg_run_result r = catalog_run(M, "gni", 0.1, suite_count(20000));
    suite_below("H(p^-)", r.energy_post_drift, 1e-12);
    suite_above("H(p~)", r.energy_high - r.energy_low, 1e-5);
    lg_model_destroy(M);
}

/* The axles along the board, where the wheels' own conditions are dependent: the rows here are not. */
static void test_axles_along_the_board(void **state)
{
    static const char *const names[] = {"snakeboard", "snakeboard-planar"};
    static const char *const methods[] = {"sem", "gni", "dla", "nsv"};
    (void)state;
    for (int k = 0; k < 8; k++) {
        const catalog_example x = {.system = names[k % 2]};
        lg_model *M = catalog_open(&x);
        lg_run_options o = lg_run_options_default();
        lg_run_result r = lg_run_result_default();
        suite_ok("set", lg_model_set_initial(M, "phi", SUITE_PI / 2));
        o.method = methods[k / 2];
        o.project = 1;
        if (lg_run(M, &r, &o) != LG_OK) suite_fail("%s: %s", o.method, r.message);
        suite_below("energy", (r.energy_high - r.energy_low) / r.energy_high, 1e-3);
        suite_below("constraint", r.constraint, 1e-14);
        lg_model_destroy(M);
    }
}

/* ---- holonomic constraints ---- */

/* Rods of another length than that of the parameters are said, and moved onto them on request. */
static void test_wrong_lengths(void **state)
{
    const catalog_example x = {.system = "double-spherical-pendulum"};
    lg_run_options o = lg_run_options_default();
    lg_run_result r = lg_run_result_default();
    (void)state;
    lg_model *M = catalog_open(&x);
    suite_ok("set", lg_model_set_initial(M, "z1", -0.7));
    suite_status("run", lg_run(M, &r, &o), LG_ERROR_INCONSISTENT);
    suite_contains("message", r.message, "phi");
    o.project = 1;
    suite_ok("projected", lg_run(M, &r, &o));
    suite_below("phi", r.holonomic, 1e-14);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_states),
        cmocka_unit_test(test_sem_keeps_invariants),
        cmocka_unit_test(test_vertical_momentum),
        cmocka_unit_test(test_transmission),
        cmocka_unit_test(test_reversible_transmission),
        cmocka_unit_test(test_sleigh),
        cmocka_unit_test(test_board_energy),
        cmocka_unit_test(test_axles_along_the_board),
        cmocka_unit_test(test_wrong_lengths),
    };
    suite_begin("benchmarks");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
