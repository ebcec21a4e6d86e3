/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps whose length is set anew: they are those of steps to a time, of an integrator that starts there, and of one
 * that was created with that length. What is refused. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"

enum { SIZE = 24 };

static lg_integrator *started(const lg_system *S, const char *method, double h)
{
    lg_integrator *it;
    double g[SIZE], xi[SIZE] = {0.3, 0.2, -0.4, 0.5, 0.1, 0.2};
    suite_ok("create", lg_integrator_create(&it, S, method, "exp", h));
    suite_ok("identity", lg_group_identity(S->group, g));
    suite_ok("start", lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1));
    return it;
}

static void same(const char *what, const lg_integrator *a, const lg_integrator *b)
{
    const lg_group *G = lg_integrator_group(a);
    const int n = lg_group_dim(G);
    suite_case("%s", what);
    suite_near("g", lg_integrator_configuration(a), lg_integrator_configuration(b), (int)lg_group_element_size(G),
               1e-13, 1);
    suite_near("p~", lg_integrator_momentum(a), lg_integrator_momentum(b), n, 1e-13, 1);
    suite_near1("t", lg_integrator_time(a), lg_integrator_time(b), 1e-15, 1);
}

static void check(const char *system, const char *method)
{
    const double h = 0.04;
    lg_model *M;
    const lg_system *S;
    suite_ok("model", lg_catalog_create(&M, system));
    suite_ok("system", lg_model_system(M, &S));
    lg_integrator *it = started(S, method, h), *other = started(S, method, h);
    suite_ok("run", lg_integrator_run(it, 3, 1, NULL, NULL)),
        suite_ok("run", lg_integrator_run(other, 3, 1, NULL, NULL));
    suite_ok("set", lg_integrator_set_step(it, 0.5 * h));
    assert_true(lg_integrator_step_size(it) == 0.5 * h && lg_integrator_step_index(it) == 3);
    for (int k = 1; k <= 3; k++) {
        suite_ok("step", lg_integrator_step(it));
        suite_ok("step to", lg_integrator_step_to(other, 3 * h + 0.5 * h * k));
        same("half steps are steps to a time", it, other);
    }
    suite_ok("reset", lg_integrator_reset(it));
    lg_integrator_destroy(other);
    other = started(S, method, 0.5 * h);
    suite_ok("run", lg_integrator_run(it, 4, 1, NULL, NULL)),
        suite_ok("run", lg_integrator_run(other, 4, 1, NULL, NULL));
    same("reset, then steps of one that was created so", it, other);
    suite_near("p-", lg_integrator_momentum_minus(it), lg_integrator_momentum_minus(other), lg_group_dim(S->group),
               1e-13, 1);
    lg_integrator_destroy(it), lg_integrator_destroy(other);
    lg_model_destroy(M);
}

static void integrators(void **unused)
{
    static const char *const methods[] = {"sem",         "gni",        "dla", "gauss", "rk4", "gni:compensated",
                                          "sem@suzuki4", "gni@suzuki4"};
    (void)unused;
    for (int i = 0; i < 8; i++) check("rolling-ball", methods[i]), check(i == 5 ? "suslov" : "snakeboard", methods[i]);
    check("heavy-top", "rattle");
}

/* A mechanism: as steps to a time, forward and back again. */
static void motions(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rattle", "gni"};
    (void)unused;
    lg_mechanism *m;
    const int exhibit = lg_gallery_index("double-pendulum");
    mechanism_well(lg_gallery_create(&m, exhibit), m);
    for (int i = 0; i < 4; i++) {
        lg_motion *mo, *other;
        double q[8], x[8];
        suite_case("%s", methods[i]);
        motion_well(motion_create(&mo, m, methods[i], 0.01), mo),
            motion_well(motion_create(&other, m, methods[i], 0.01), other);
        motion_well(lg_gallery_start(mo, exhibit), mo), motion_well(lg_gallery_start(other, exhibit), other);
        motion_well(lg_motion_step(mo, 5), mo), motion_well(lg_motion_step(other, 5), other);
        motion_well(lg_motion_set_step(mo, 0.005), mo);
        motion_well(lg_motion_step(mo, 1), mo), motion_well(lg_motion_run_to(other, 0.055), other);
        motion_well(lg_motion_positions(mo, q, q + 2), mo), motion_well(lg_motion_positions(other, x, x + 2), other);
        suite_near("state", q, x, 4, 1e-12, 10);
        suite_near1("t", lg_motion_time(mo), 0.055, 1e-15, 1);
        motion_well(lg_motion_step(mo, 3), mo);
        motion_well(lg_motion_set_step(mo, -0.005), mo), motion_well(lg_motion_step(mo, 3), mo);
        motion_well(lg_motion_positions(mo, q, q + 2), mo);
        suite_near("and back", q, x, 4, 1e-10, 10);
        suite_status("0", lg_motion_set_step(mo, 0), LG_ERROR_ARGUMENT);
        suite_status("not finite", lg_motion_set_step(mo, NAN), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_motion_message(mo), "must be finite and not 0");
        assert_true(lg_motion_step_size(mo) == -0.005);
        motion_well(lg_motion_reset(mo), mo);
        lg_motion_destroy(mo), lg_motion_destroy(other);
    }
    suite_status("no motion", lg_motion_set_step(NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("no integrator", lg_integrator_set_step(NULL, 1), LG_ERROR_ARGUMENT);
    lg_mechanism_destroy(m);
}

/* Contacts: a ball that falls, with steps that become longer; never back in time. */
static void contacts(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo, *other;
    double q[12], x[12];
    const int exhibit = lg_gallery_index("bouncing-ball");
    mechanism_well(lg_gallery_create(&m, exhibit), m);
    motion_well(motion_create(&mo, m, "sem", 0.001), mo), motion_well(motion_create(&other, m, "sem", 0.004), other);
    motion_well(lg_gallery_start(mo, exhibit), mo), motion_well(lg_gallery_start(other, exhibit), other);
    suite_status("back", lg_motion_set_step(mo, -0.001), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "forwards only");
    motion_well(lg_motion_set_step(mo, 0.004), mo);
    motion_well(lg_motion_step(mo, 300), mo), motion_well(lg_motion_step(other, 300), other);
    motion_well(lg_motion_positions(mo, q, q + 6), mo), motion_well(lg_motion_positions(other, x, x + 6), other);
    suite_near("state", q, x, 12, 1e-12, 10);
    lg_motion_destroy(mo), lg_motion_destroy(other);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(integrators), cmocka_unit_test(motions),
                                       cmocka_unit_test(contacts)};
    suite_begin("run/set_step");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
