/* SPDX-License-Identifier: BSD-3-Clause */
/* Where scales vanish: systems and mechanisms at the origin, at rest, with zero energy, and with every coordinate 0 in
 * turn. No step fails, no step is said to be too long, and motors start what rests. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "support/mechanisms.h"

enum { MOST = 64, STEPS = 12 };

static const struct {
    const char *method;
    double tolerance;
} ways[] = {{"sem", 0}, {"gni", 0}, {"nsv", 0}, {"gauss", 0}, {"gauss", 1e-9}, {"gauss", 1e-13}};
enum { WAYS = sizeof ways / sizeof *ways };

static int moves(const lg_model *M, const lg_system *S, const double *g, const double *xi)
{
    const double h = lg_model_default_step(M);
    int tried = 0;
    for (int w = 0; w < WAYS; w++) {
        lg_integrator *it = NULL;
        lg_resolution r = lg_resolution_default();
        int well = lg_integrator_create(&it, S, ways[w].method, "exp", h) == LG_OK;
        if (well && ways[w].tolerance > 0) well = lg_integrator_set_tolerance(it, ways[w].tolerance) == LG_OK;
        well = well && lg_integrator_start(it, 0, g, xi, LG_START_REACTION, 1) == LG_OK;
        for (int k = 0; well && k < STEPS; k++) {
            const lg_status st = lg_integrator_step(it);
            if (st != LG_OK) fprintf(stderr, "%s: %s\n", ways[w].method, lg_integrator_message(it));
            suite_ok(ways[w].method, st);
        }
        if (well && w == 0) {
            suite_ok("resolution", lg_diagnostics_resolution(it, &r, 8));
            assert_true(lg_resolution_suffices(&r));
        }
        tried += well;
        lg_integrator_destroy(it);
    }
    return tried;
}

/* From the model's own start: as it is, at rest, and with one number 0; from the identity. */
static int system_at_rest(const char *name)
{
    lg_model *M = NULL;
    const lg_system *S = NULL;
    double g0[MOST], xi0[MOST], g[MOST], still[MOST] = {0};
    int tried = 0;
    suite_ok("create", lg_catalog_create(&M, name));
    suite_ok("system", lg_model_system(M, &S));
    const lg_group *G = S->group;
    const int n = lg_group_dim(G), size = lg_group_element_size(G);
    suite_ok("initial", lg_model_initial(M, g0, xi0, NULL));
    suite_ok("identity", lg_group_identity(G, g));
    suite_case("%s at the identity", name);
    tried += moves(M, S, g, still) + moves(M, S, g, xi0);
    for (int i = 0; i < size; i++) {
        memcpy(g, g0, sizeof g);
        g[i] = 0;
        if (lg_group_project(G, g, g) != LG_OK) continue;
        suite_case("%s with number %d of the configuration 0", name, i);
        tried += moves(M, S, g, still);
    }
    for (int i = 0; i < n; i++) {
        double xi[MOST];
        memcpy(xi, xi0, sizeof xi);
        xi[i] = 0;
        suite_case("%s with velocity %d 0", name, i);
        tried += moves(M, S, g0, xi);
    }
    lg_model_destroy(M);
    return tried;
}

static void systems(void **unused)
{
    int tried = 0;
    (void)unused;
    for (const char *const *name = lg_catalog_names(); *name != NULL; name++) tried += system_at_rest(*name);
    printf("%d starts\n", tried);
    assert_true(tried > 1000);
}

/* Two links in a horizontal plane at height z, the first turned by an angle, with a motor at the shoulder. */
static lg_mechanism *flat_arm(double z, double angle)
{
    lg_mechanism *m;
    const double axis[3] = {0, 0, 1}, c = cos(angle), s = sin(angle);
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < 2; i++) {
        const double at[3] = {i * c, i * s, z};
        const lg_motor motor = lg_motor_default("motor", "shoulder");
        mechanism_add_body(m, i ? "fore" : "upper", (i + 0.5) * c, (i + 0.5) * s, z);
        mechanism_add_joint(m, i ? "elbow" : "shoulder", LG_JOINT_REVOLUTE, i ? "upper" : NULL, i ? "fore" : "upper",
                            at, axis);
        if (i == 0) mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void rests_then_moves(const lg_mechanism *m, const char *method, double tolerance)
{
    for (int driven = 0; driven < 2; driven++) {
        lg_motion *mo = NULL;
        lg_resolution r = lg_resolution_default();
        double q = 0;
        motion_well(lg_motion_create(&mo, m, method, 0.05), mo);
        if (tolerance > 0) motion_well(lg_motion_set_tolerance(mo, tolerance), mo);
        motion_well(lg_motion_start(mo, 0, NULL, NULL, 0), mo);
        motion_well(lg_motion_set_control(mo, (const double[1]){driven}), mo);
        if (!driven && tolerance == 0) {
            suite_ok("resolution", lg_motion_resolution(mo, &r, 8));
            assert_true(lg_resolution_suffices(&r));
        }
        motion_well(lg_motion_step(mo, STEPS), mo);
        suite_ok("angle", lg_motion_joint(mo, &q, NULL, 0));
        if (driven)
            suite_above("it turns", fabs(q), 1e-3);
        else
            suite_below("it rests", fabs(q), 1e-14);
        lg_motion_destroy(mo);
    }
}

static void mechanisms(void **unused)
{
    const double heights[] = {0, 1e-17, 1e-9, 0.1}, angles[] = {0, 0.3, 1.234, 3};
    static const char *const methods[] = {"sem", "rattle", "sem@suzuki4", "gauss", "gauss:stages=3"};
    (void)unused;
    for (int z = 0; z < 4; z++) {
        for (int a = 0; a < 4; a++) {
            lg_mechanism *m = flat_arm(heights[z], angles[a]);
            suite_case("height %g, turned by %g", heights[z], angles[a]);
            for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) rests_then_moves(m, methods[k], 0);
            rests_then_moves(m, "gauss", 1e-9);
            rests_then_moves(m, "gauss", 1e-13);
            lg_mechanism_destroy(m);
        }
    }
}

/* A state that the sparse engine took is a start of the dense one, however small its residuals are. */
static void states_are_starts(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m = NULL;
        lg_motion *mo = NULL;
        const lg_system *S = NULL;
        lg_integrator *it = NULL;
        double g[400], p[400];
        suite_case("%s", lg_gallery_name(i));
        mechanism_well(lg_gallery_create(&m, i), m);
        motion_well(lg_motion_create(&mo, m, "sem", lg_gallery_step(i)), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        if (lg_mechanism_system(m, &S) == LG_OK && lg_group_dim(S->group) <= 60) {
            motion_well(lg_motion_step(mo, 10), mo);
            suite_ok("state", lg_motion_state(mo, g, p));
            suite_ok("create", lg_integrator_create(&it, S, "sem:cholesky", "cayley", 0.01));
            suite_ok("start", lg_integrator_start_momentum(it, 0, g, p));
        }
        lg_integrator_destroy(it);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    suite_begin("at rest");
    const struct CMUnitTest tests[] = {cmocka_unit_test(systems), cmocka_unit_test(mechanisms),
                                       cmocka_unit_test(states_are_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
