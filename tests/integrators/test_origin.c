/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems at the origin, at rest, with every coordinate 0 in turn, and where forces cancel: errors are compared with
 * scales that cannot vanish, so that nothing is refused, and no step is called too large for a motion there is not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/watch.h"
#include "support/bench.h"
#include "support/models.h"
#include "support/runs.h"

static const struct {
    const char *method;
    double tolerance;
} ways[] = {{"sem", 0}, {"gni", 0}, {"nsv", 0}, {"gauss", 0}, {"gauss", 1e-9}, {"gauss", 1e-13}, {"dla", 0}};

enum { WAYS = sizeof ways / sizeof ways[0], STEPS = 5 };

/* ---- what everybody must get ---- */

static lg_integrator *make(const lg_system *S, int way, double h)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, ways[way].method, "exp", h) != LG_OK) {
        lg_integrator_destroy(it);
        return NULL;
    }
    if (ways[way].tolerance > 0) suite_ok("tolerance", lg_integrator_set_tolerance(it, ways[way].tolerance));
    return it;
}

/* A step is resolved. */
static void check_resolution(const lg_integrator *it)
{
    lg_resolution r = lg_resolution_default();
    if (lg_diagnostics_resolution(it, &r, STEPS) != LG_OK) suite_fail("%s", lg_integrator_message(it));
    if (!lg_resolution_suffices(&r))
        suite_fail(
            "worst %.3g: rotation %.3g of %.3g, position %.3g of %.3g, velocity %.3g of %.3g, turn %.3g, %d failed",
            lg_resolution_worst(&r), r.rotation, r.rotation_in_step, r.position, r.position_in_step, r.velocity,
            r.speed, r.turn, (int)r.failed);
}

/* Steps, their figures, and a start from the momentum that they lead to. */
static void check_steps(lg_integrator *it, int way)
{
    double g[SUITE_ELEMENT], p[SUITE_DIM];
    const lg_group *G = lg_integrator_group(it);
    lg_monitor *m = NULL;
    lg_monitor_figures f = lg_monitor_figures_default();
    suite_ok("monitor", lg_monitor_create_for(&m, NULL, it, STEPS, 1));
    for (int k = 0; k < STEPS; k++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step: %s", lg_integrator_message(it));
        (void)lg_monitor_observer(it, m);
    }
    suite_ok("figures", lg_monitor_read(m, &f));
    assert_true(isfinite(f.energy.first));
    lg_monitor_destroy(m);
    memcpy(g, lg_integrator_configuration(it), sizeof *g * (size_t)lg_group_element_size(G));
    memcpy(p, lg_integrator_momentum(it), sizeof *p * (size_t)lg_group_dim(G));
    if (strcmp(ways[way].method, "dla") != 0 && lg_integrator_start_momentum(it, lg_integrator_time(it), g, p) != LG_OK)
        suite_fail("start from a momentum: %s", lg_integrator_message(it));
}

/* Returns 1 if it could start there. */
static int check_way(const lg_system *S, int way, const double *g, const double *xi, double h, int resolves)
{
    lg_integrator *it = make(S, way, h);
    const lg_status st = it ? lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1) : LG_ERROR_UNSUPPORTED;
    /* a disk that lies flat, a rod of length 0: rows are dependent there, or 0/0 */
    if (it && st != LG_OK && st != LG_ERROR_SINGULAR && st != LG_ERROR_CALLBACK && st != LG_ERROR_NOT_FINITE)
        suite_fail("start: %s", lg_integrator_message(it));
    if (st == LG_OK) {
        if (resolves && ways[way].tolerance == 0) check_resolution(it);
        check_steps(it, way);
    }
    lg_integrator_destroy(it);
    return st == LG_OK;
}

static int check_place(const char *name, const char *place, const lg_system *S, const double *g, const double *xi,
                       double h, int resolves)
{
    int started = 0;
    for (int way = 0; way < WAYS; way++) {
        suite_case("%s, %s, %s%s", name, place, ways[way].method, ways[way].tolerance > 0 ? " with a tolerance" : "");
        started += check_way(S, way, g, xi, h, resolves);
    }
    return started;
}

/* What falls from rest must be resolved with a step that is small for it. */
static int check_system(const char *name, const lg_system *S, const double *g0, const double *xi0, double h)
{
    const lg_group *G = S->group;
    double g[SUITE_ELEMENT], xi[SUITE_DIM] = {0};
    int started = check_place(name, "at rest", S, g0, xi, h / 8, 1);
    suite_ok("identity", lg_group_identity(G, g));
    started += check_place(name, "at rest at the identity", S, g, xi, h / 8, 1);
    started += check_place(name, "at the identity", S, g, xi0, h, 0);
    for (int b = 0; b < lg_group_block_count(G); b++) {
        const lg_group_block block = lg_group_block_at(G, b);
        for (int i = block.element; i < block.element + block.element_size; i++) {
            if (block.element_size != block.algebra_size || block.kind == LG_BLOCK_NUMBERS || g0[i] == 0) continue;
            memcpy(g, g0, sizeof *g * (size_t)G->element_size); /* a number that may be 0 by itself */
            g[i] = 0;
            started += check_place(name, "a coordinate 0", S, g, xi0, h, 0);
        }
    }
    for (int i = 0; i < G->dim; i++) {
        memcpy(xi, xi0, sizeof *xi * (size_t)G->dim);
        xi[i] = 0;
        if (xi0[i] != 0) started += check_place(name, "a velocity 0", S, g0, xi, h, 0);
    }
    return started;
}

static void test_catalog(void **state)
{
    (void)state;
    int started = 0;
    for (const char *const *name = lg_catalog_names(); *name; name++) {
        const model_example x = {.system = *name};
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        if (model_left_out(name)) continue;
        lg_model *M = model_open(&x);
        suite_ok("initial", lg_model_initial(M, g, xi, NULL));
        started += check_system(*name, model_system(M), g, xi, lg_model_default_step(M));
        lg_model_destroy(M);
    }
    if (!suite_reduced()) suite_above("starts", started, 500);
}

static void test_systems(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i += suite_reduced() ? 4 : 1)
        (void)check_system(t.name, &t.S, t.g0, t.xi0, t.h);
}

/* ---- a body that spins at the origin, with a velocity that is round-off ---- */

static void test_spinning(void **state)
{
    (void)state;
    static const double inertia[9] = {1, 1, 1, 1, 1, 1, 1, 1.2, 1.3};
    const lg_group *const groups[] = {lg_se2(), lg_se3(), lg_se23()};
    for (int k = 0; k < 3; k++)
        for (double v = 0; v < 1e-9; v = v == 0 ? 1e-17 : 1e3 * v)
            for (double h = 0.05; h < 0.6; h *= 2) {
                double g[SUITE_ELEMENT], xi[SUITE_DIM] = {v};
                lg_system S = lg_system_default(groups[k]);
                S.inertia_diagonal = inertia + (k == 0 ? 0 : k == 1 ? 3 : 0);
                xi[groups[k]->dim - 1] = 1;
                suite_ok("identity", lg_group_identity(groups[k], g));
                char place[60];
                snprintf(place, sizeof place, "spins, v = %g, h = %g", v, h);
                (void)check_place(lg_group_name(groups[k]), place, &S, g, xi, h, 1);
            }
}

/* SE_2(3) is measured like SE(3). */
static void test_extended_pose(void **state)
{
    (void)state;
    static const double inertia[9] = {1, 1, 1, 1, 1, 1, 1, 1.2, 1.3}, xi[9] = {0, 0, 0, 0, 0, 0, 1, 2, 0.3};
    for (double h = 0.3; h < 0.7; h += 0.1) {
        lg_resolution r[2] = {lg_resolution_default(), lg_resolution_default()};
        suite_case("SE_2(3), h = %g", h);
        for (int k = 0; k < 2; k++) {
            double g[SUITE_ELEMENT];
            lg_system S = lg_system_default(k ? lg_se23() : lg_se3());
            S.inertia_diagonal = inertia + (k ? 0 : 3);
            suite_ok("identity", lg_group_identity(S.group, g));
            lg_integrator *it = run_start_at(&S, "sem", "exp", h, 0, g, xi + (k ? 0 : 3));
            suite_ok("resolution", lg_diagnostics_resolution(it, &r[k], 20));
            run_end(&it);
        }
        suite_near1("turn", r[1].turn, r[0].turn, 1e-12, 1);
        suite_near1("rotation", r[1].rotation, r[0].rotation, 1e-12, 1);
        assert_int_equal(lg_resolution_suffices(&r[1]), lg_resolution_suffices(&r[0]));
    }
}

/* ---- forces that cancel, and a motor that starts ---- */

/* A drone: weight against thrust, c->control[0]; drag that is 0 at rest. */
static int weight(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = 9.81 * 0.3 * g[0];
    return 0;
}

static int weight_gradient(const lg_call *c, const double *g, double *dV)
{
    (void)c, (void)g;
    dV[0] = 9.81 * 0.3;
    return 0;
}

static int thrust(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g;
    f[0] = c->control[0] / 3 + c->control[0] / 3 + c->control[0] / 3 - 0.2 * xi[0];
    f[1] = c->control[1] - 0.1 * xi[1];
    return 0;
}

static void test_motors(void **state)
{
    (void)state;
    static const double inertia[2] = {0.3, 0.01}, zero[2] = {0, 0}, hover[2] = {9.81 * 0.3, 0},
                        go[2] = {9.81 * 0.3, 0.5};
    lg_system S = lg_system_default(lg_rn(2));
    S.inertia_diagonal = inertia;
    S.callbacks.potential = weight, S.callbacks.potential_gradient = weight_gradient;
    S.callbacks.force = thrust, S.callbacks.control_count = 2;
    for (int way = 0; way < WAYS; way++) {
        suite_case("hovers, %s %g", ways[way].method, ways[way].tolerance);
        lg_integrator *it = make(&S, way, 0.05);
        assert_non_null(it);
        suite_ok("start", lg_integrator_start(it, 0, zero, zero, LG_START_REACTION, 0));
        suite_ok("control", lg_integrator_set_control(it, hover));
        if (ways[way].tolerance == 0) check_resolution(it);
        for (int k = 0; k < 20; k++)
            if (lg_integrator_step(it) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        suite_below("height", fabs(lg_integrator_configuration(it)[0]), 1e-13);
        suite_ok("control", lg_integrator_set_control(it, go));
        for (int k = 0; k < 20; k++)
            if (lg_integrator_step(it) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        suite_above("moved", lg_integrator_configuration(it)[1], 1);
        lg_integrator_destroy(it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_catalog), cmocka_unit_test(test_systems),
                                       cmocka_unit_test(test_spinning), cmocka_unit_test(test_extended_pose),
                                       cmocka_unit_test(test_motors)};
    suite_begin("origin");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
