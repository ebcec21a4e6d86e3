/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms at rest, at height 0, without gravity, and motors that start from there: errors are compared with scales
 * that cannot vanish. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/system.h>
#include <liegrp/run/run.h>

#include "support/mechanism_systems.h"
#include "support/mechanisms.h"

static const struct {
    const char *method;
    double tolerance;
} ways[] = {{"sem", 0},      {"sem@yoshida4", 0}, {"gauss", 0}, {"gauss:stages=3", 0},
            {"gauss", 1e-9}, {"gauss", 1e-13},    {"rattle", 0}};

enum { WAYS = sizeof ways / sizeof ways[0], STEPS = 10 };

static lg_motion *make(const lg_mechanism *m, int way, double h)
{
    lg_motion *mo = NULL;
    const double tolerance = ways[way].tolerance;
    /* rattle takes neither dampers nor wheels, and gauss no tolerance with contacts */
    if (motion_create(&mo, m, ways[way].method, h) != LG_OK ||
        (tolerance > 0 && lg_motion_set_tolerance(mo, tolerance) == LG_ERROR_UNSUPPORTED)) {
        lg_motion_destroy(mo);
        return NULL;
    }
    if (tolerance > 0) motion_well(lg_motion_set_tolerance(mo, tolerance), mo);
    return mo;
}

static void check_resolution(const lg_motion *mo)
{
    lg_resolution r = lg_resolution_default();
    motion_well(lg_motion_resolution(mo, &r, STEPS), mo);
    if (!lg_resolution_suffices(&r))
        suite_fail("worst %.3g: rotation %.3g of %.3g, position %.3g of %.3g, velocity %.3g of %.3g",
                   lg_resolution_worst(&r), r.rotation, r.rotation_in_step, r.position, r.position_in_step, r.velocity,
                   r.speed);
}

/* The state of a motion is one that the dense methods start from. */
static void check_dense(lg_mechanism *m, const lg_motion *mo, double h)
{
    const lg_system *S = NULL;
    double g[SUITE_MATRIX], p[SUITE_MATRIX];
    if (lg_mechanism_system(m, &S) != LG_OK || lg_group_dim(S->group) > 60) return;
    motion_well(lg_motion_state(mo, g, NULL, p), mo);
    for (int way = 0; way < 3; way += 2) {
        lg_integrator *it = NULL;
        suite_ok("create", lg_integrator_create(&it, S, way ? "gauss" : "sem:cholesky", "cayley", h));
        if (lg_integrator_start_momentum(it, 0, g, p) != LG_OK) suite_fail("%s", lg_integrator_message(it));
        if (lg_integrator_step(it) != LG_OK) suite_fail("dense: %s", lg_integrator_message(it));
        lg_integrator_destroy(it);
    }
}

/* At rest, with gravity or without. */
static void test_gallery(void **state)
{
    (void)state;
    static const double none[3] = {0, 0, 0};
    for (int i = 0; i < lg_gallery_count(); i++)
        for (int weightless = 0; weightless < 2; weightless++)
            for (int way = 0; way < WAYS; way++) {
                lg_mechanism *m = NULL;
                const double h = lg_gallery_step(i);
                if (ways[way].tolerance > 0 && ways[way].tolerance < 1e-9) continue; /* more than the stiff ones give */
                suite_case("%s at rest%s, %s %g", lg_gallery_name(i), weightless ? " without gravity" : "",
                           ways[way].method, ways[way].tolerance);
                mechanism_well(lg_gallery_describe(&m, i), m);
                if (weightless) mechanism_well(lg_mechanism_set_gravity(m, none), m);
                mechanism_well(lg_mechanism_compile(m), m);
                lg_motion *mo = make(m, way, h);
                if (mo != NULL) {
                    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
                    if (ways[way].tolerance == 0) check_resolution(mo);
                    motion_well(lg_motion_step(mo, STEPS), mo);
                    check_dense(m, mo, h);
                }
                lg_motion_destroy(mo);
                lg_mechanism_destroy(m);
            }
}

/* The states of the gallery, as others start from them. */
static void test_states(void **state)
{
    (void)state;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m = NULL;
        suite_case("%s", lg_gallery_name(i));
        mechanism_well(lg_gallery_create(&m, i), m);
        lg_motion *mo = make(m, 0, lg_gallery_step(i));
        motion_well(lg_gallery_start(mo, i), mo);
        check_dense(m, mo, lg_gallery_step(i));
        motion_well(lg_motion_step(mo, 10), mo);
        check_dense(m, mo, lg_gallery_step(i));
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Two links in a horizontal plane at height z, the first turned by an angle, with a motor at the shoulder. */
static lg_mechanism *flat_arm(double z, double angle, int weightless)
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
    if (weightless) mechanism_well(lg_mechanism_set_gravity(m, (const double[3]){0, 0, 0}), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* An arm that turns about a vertical axis, its energy at height 0 exactly 0 at rest. Then the motor starts. */
static void rests_then_moves(const lg_mechanism *m, int way)
{
    double q = 0;
    lg_motion *mo = make(m, way, 0.05);
    assert_non_null(mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, (const double[1]){0}), mo);
    if (ways[way].tolerance == 0) check_resolution(mo);
    motion_well(lg_motion_step(mo, STEPS), mo);
    suite_ok("angle", lg_motion_joint(mo, &q, NULL, 0));
    suite_below("it rests", fabs(q), 1e-14);
    motion_well(lg_motion_set_control(mo, (const double[1]){1}), mo);
    motion_well(lg_motion_step(mo, STEPS), mo);
    suite_ok("angle", lg_motion_joint(mo, &q, NULL, 0));
    suite_above("it turns", fabs(q), 1e-3);
    lg_motion_destroy(mo);
}

static void test_motor(void **state)
{
    static const double heights[] = {0, 1e-17, 1e-9, 0.1}, angles[] = {0, 0.3, 1.234, 3};
    (void)state;
    for (int k = 0; k < 32; k++) {
        lg_mechanism *m = flat_arm(heights[k / 8], angles[k / 2 % 4], k % 2);
        for (int way = 0; way < WAYS; way++) {
            suite_case("height %g, turned by %g%s, %s %g", heights[k / 8], angles[k / 2 % 4],
                       k % 2 ? ", no gravity" : "", ways[way].method, ways[way].tolerance);
            rests_then_moves(m, way);
        }
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gallery), cmocka_unit_test(test_states),
                                       cmocka_unit_test(test_motor)};
    suite_begin("origin of mechanisms");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
