/* SPDX-License-Identifier: BSD-3-Clause */
/* What succeeds divides nothing by 0, overflows nowhere and makes and compares no NaN: a program may have let such
 * things stop it (feenableexcept() of the GNU C library, -ffpe-trap of gfortran). */
#include <fenv.h>

#include "support/batched.h"
#include "support/combinations.h"
#include "support/motions.h"
#include "support/roster.h"

/* Forgets what was raised so far. */
static void quietly(void)
{
    (void)feclearexcept(FE_ALL_EXCEPT);
}

/* Fails if something was raised since then. */
static void quiet(const char *what)
{
    const int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    if (raised)
        suite_fail("%s raised%s%s%s", what, raised & FE_INVALID ? " invalid" : "",
                   raised & FE_DIVBYZERO ? " division by zero" : "", raised & FE_OVERFLOW ? " overflow" : "");
    quietly();
}

/* Traps of a call that returned this, if it succeeded. */
static void quiet_if(lg_status status, const char *what)
{
    if (status == LG_OK) quiet(what);
    quietly();
}

/* ---- groups and retractions ---- */

static void quiet_group(const roster_group *r, lg_rng *rng)
{
    double xi[SUITE_DIM], g[SUITE_ELEMENT], h[SUITE_ELEMENT], M[SUITE_MATRIX], d;
    suite_algebra(r->like, xi, rng, SUITE_PI);
    suite_input("xi", xi, lg_group_dim(r->G));
    suite_element(r->like, h, rng);
    quietly();
    quiet_if(lg_group_exp(r->G, g, xi), "exp");
    quiet_if(lg_group_log(r->G, xi, g), "log");
    quiet_if(lg_group_distance(r->G, &d, g, h), "distance");
    quiet_if(lg_group_interpolate(r->G, g, g, h, 0.3), "interpolate");
    suite_ok("Ad", lg_group_Ad(r->G, M, g));
    suite_ok("inverse", lg_group_inverse(r->G, g, g));
    suite_ok("compose", lg_group_compose(r->G, g, g, h));
    suite_ok("project", lg_group_project(r->G, g, g));
    quiet("Ad, inverse, compose or project");
    if (lg_group_right_jacobian(r->G, M, xi) == LG_OK && lg_group_left_jacobian_inv(r->G, M, xi) == LG_OK)
        quiet("jacobian");
}

static void test_groups(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        const roster_group *r = &roster_groups()[i];
        lg_rng rng = suite_rng(5100 + (uint64_t)i);
        suite_case("group %s", r->label);
        quietly();
        suite_ok("check", lg_group_check(r->G, &rng, 20, 0, NULL));
        quiet("lg_group_check()");
        for (int k = 0; k < suite_count(300); k++) {
            suite_case("group %s", r->label);
            quiet_group(r, &rng);
        }
    }
}

typedef lg_status (*retraction_one)(const lg_retraction *r, const lg_group *G, double *out, const double *in);
typedef lg_status (*retraction_two)(const lg_retraction *r, const lg_group *G, double *out, const double *xi,
                                    const double *v);

static void quiet_retraction(const lg_retraction *r, const roster_group *g, lg_rng *rng)
{
    static const retraction_one one[] = {lg_retraction_tau, lg_retraction_dtau, lg_retraction_dtau_inv};
    static const retraction_two two[] = {lg_retraction_dtau_apply, lg_retraction_dtau_inv_apply,
                                         lg_retraction_dtau_dual, lg_retraction_dtau_inv_dual,
                                         lg_retraction_dtau_inv_dual_derivative};
    double xi[SUITE_DIM], v[SUITE_DIM], at[SUITE_ELEMENT], out[SUITE_MATRIX];
    suite_algebra(g->like, xi, rng, SUITE_PI);
    suite_normal(v, lg_group_dim(g->G), rng);
    suite_input("xi", xi, lg_group_dim(g->G));
    quietly();
    for (size_t k = 0; k < sizeof one / sizeof *one; k++) quiet_if(one[k](r, g->G, out, xi), "tau, dtau or dtau_inv");
    for (size_t k = 0; k < sizeof two / sizeof *two; k++)
        quiet_if(two[k](r, g->G, out, xi, v), "an operation on a vector");
    if (lg_retraction_tau(r, g->G, at, xi) == LG_OK && lg_retraction_tau_inv(r, g->G, xi, at) == LG_OK)
        quiet("tau_inv");
}

static void test_retractions(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS * ROSTER_RETRACTIONS; i++) {
        const roster_group *g = &roster_groups()[i / ROSTER_RETRACTIONS];
        const lg_retraction *r = roster_retractions()[i % ROSTER_RETRACTIONS];
        lg_rng rng = suite_rng(5200 + (uint64_t)i);
        for (int k = 0; lg_retraction_supports(r, g->G) && k < suite_count(100); k++) {
            suite_case("group %s, retraction %d", g->label, i % ROSTER_RETRACTIONS);
            quiet_retraction(r, g, &rng);
        }
    }
}

/* Of arrays whose length is no multiple of any width. */
static void quiet_arrays(const lg_retraction *r, const roster_group *G, lg_rng *rng)
{
    enum { COUNT = 11 };
    static double xi[COUNT * SUITE_DIM], p[COUNT * SUITE_DIM], g[COUNT * SUITE_ELEMENT], h[COUNT * SUITE_ELEMENT],
        out[COUNT * SUITE_MATRIX];
    const int n = lg_group_dim(G->G), e = lg_group_element_size(G->G);
    lg_batch b;
    lg_batch_init(&b, sizeof b, COUNT);
    for (int i = 0; i < COUNT; i++) {
        suite_algebra(G->like, xi + i * n, rng, 2.5);
        suite_normal(p + i * n, n, rng);
        suite_element(G->like, g + i * e, rng);
        suite_element(G->like, h + i * e, rng);
    }
    quietly();
    for (int k = 0; k < BATCHED_OPERATIONS; k++) {
        const batched_arrays a = {out, xi, p, g, h};
        suite_case("operation %d on arrays of group %s", k, G->label);
        quiet_if(batched_operation(k, r, G->G, &b, &a), "an operation on arrays");
    }
}

static void test_arrays(void **state)
{
    (void)state;
    for (int i = 0; i < ROSTER_GROUPS * ROSTER_RETRACTIONS; i++) {
        const roster_group *g = &roster_groups()[i / ROSTER_RETRACTIONS];
        const lg_retraction *r = roster_retractions()[i % ROSTER_RETRACTIONS];
        lg_rng rng = suite_rng(5300 + (uint64_t)i);
        for (int k = 0; lg_retraction_supports(r, g->G) && k < suite_count(20); k++) quiet_arrays(r, g, &rng);
    }
}

/* ---- systems ---- */

/* Reads between steps. */
static void quiet_reading(const lg_integrator *it)
{
    double xi[SUITE_DIM], g[SUITE_ELEMENT], t;
    quietly();
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    (void)(lg_integrator_energy(it) + lg_integrator_energy_post(it) + lg_integrator_constraint_residual(it) +
           lg_integrator_holonomic_residual(it) + lg_integrator_normal_part(it));
    quiet("what is read");
    quiet_if(lg_integrator_interpolate(it, &t, g, xi, 0.4), "lg_integrator_interpolate()");
}

static void quiet_derivative(lg_integrator *it)
{
    lg_linearisation *lin = NULL;
    quietly();
    if (lg_linearisation_create(&lin, it) == LG_OK && lg_linearisation_step(lin, it) == LG_OK)
        quiet("lg_linearisation_step()");
    lg_linearisation_destroy(lin);
    quietly();
}

static void quiet_steps(const combination *c, lg_integrator *it, const char *method, const char *retraction)
{
    (void)c, (void)method, (void)retraction;
    quiet("start");
    for (int k = 0; k < 20; k++) {
        if (lg_integrator_step(it) != LG_OK) suite_fail("step %d: %s", k + 1, lg_integrator_message(it));
        quiet("step");
    }
    quiet_reading(it);
    quiet_derivative(it);
}

static void test_steps(void **state)
{
    combination c;
    (void)state;
    quietly();
    combination_each(quiet_steps);
    for (int i = 0; combination_open(&c, i); i++) {
        lg_integrator *it = combination_start(&c, "gauss", "exp");
        quiet_steps(&c, it, "gauss", "exp");
        lg_integrator_destroy(it);
        lg_model_destroy(c.M);
    }
}

/* A whole run, with what is measured after it and along it. */
static void quiet_run(lg_model *M, const char *method, double tolerance)
{
    model_run o = model_run_default();
    lg_run_result f = lg_run_result_default();
    lg_monitor *m = NULL;
    o.motion.method = method;
    o.motion.tolerance = tolerance;
    o.project = 1;
    o.run.steps = 40;
    o.run.monitor = &m;
    suite_case("%s, %s, tolerance %g", lg_model_describe(M)->name, method, tolerance);
    quietly();
    const lg_status status = model_run_whole(M, &f, &o);
    if (status == LG_OK)
        quiet("model_run_whole()");
    else
        suite_status("model_run_whole()", status, LG_ERROR_UNSUPPORTED);
    lg_monitor_destroy(m);
}

static void test_runs(void **state)
{
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) {
        lg_model *M = NULL;
        suite_ok("create", lg_catalog_create(&M, *name));
        quiet_run(M, "sem", 0);
        quiet_run(M, "gni", 0);
        quiet_run(M, "gauss", 0);
        quiet_run(M, "gauss", 1e-9);
        quiet_run(M, "gauss", 1e-3);
        lg_model_destroy(M);
    }
}

static void quiet_ensemble(const char *name, const char *method, int width)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E = NULL;
    lg_model *M = NULL;
    o.method = method;
    o.width = width;
    o.threads = 1; /* what is raised is a thread's own */
    o.project = 1;
    o.monitor = 1;
    suite_case("%s, %s, width %d", name, method, width);
    suite_ok("create", lg_catalog_create(&M, name));
    quietly();
    if (lg_ensemble_create(&E, M, 11, &o) == LG_OK) {
        suite_ok("run", lg_ensemble_run(E, 20, 20, NULL, NULL));
        quiet("an ensemble");
    }
    lg_ensemble_destroy(E);
    lg_model_destroy(M);
}

static void test_ensembles(void **state)
{
    static const char *const methods[] = {"sem", "gni", "gauss"};
    (void)state;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++)
        for (int width = 1; width <= lg_width_best(); width *= 2)
            for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) quiet_ensemble(*name, methods[k], width);
}

/* ---- mechanisms ---- */

static void quiet_motion(int i, const char *method, double tolerance)
{
    lg_mechanism *m = NULL;
    lg_motion *mo = NULL;
    suite_case("%s, %s, tolerance %g", lg_gallery_name(i), method, tolerance);
    quietly();
    suite_ok("create", lg_gallery_create(&m, i));
    lg_status status = motion_create(&mo, m, method, lg_gallery_step(i));
    if (status == LG_OK && tolerance > 0) status = lg_motion_set_tolerance(mo, tolerance);
    if (status != LG_OK) assert_int_equal(status, LG_ERROR_UNSUPPORTED); /* such as a tolerance with contacts */
    if (status == LG_OK) {
        suite_ok("start", lg_gallery_start(mo, i));
        suite_ok("steps", lg_motion_step(mo, 20));
        (void)lg_motion_energy(mo);
        quiet("a motion");
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void test_motions(void **state)
{
    (void)state;
    for (int i = 0; i < lg_gallery_count(); i++) {
        quiet_motion(i, "sem", 0);
        quiet_motion(i, "rattle", 0);
        quiet_motion(i, "gauss", 0);
        quiet_motion(i, "gauss", 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),  cmocka_unit_test(test_retractions), cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_runs),        cmocka_unit_test(test_ensembles),
        cmocka_unit_test(test_motions),
    };
    suite_begin("run/traps");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
