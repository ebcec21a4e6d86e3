/* SPDX-License-Identifier: BSD-3-Clause */
/* DLA on every test system (docs/theory.md sections 7 and 9): compositions, the momentum reported, multipliers, and
 * equal steps with a user-supplied L_d and omega_d. Its order, two-form, momenta and frames: claims/cortes2001. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/bench.h"
#include "support/matrix.h"
#include "support/runs.h"
#include "support/user_systems.h"

static const char *const retractions[] = {"exp", "cayley"};

/* With the exponential and Cayley, but once on R^n, where they are the same. */
static int repeats(const test_system *t, int r)
{
    return r == 1 && t->S.group->kind == LG_KIND_RN;
}

/* ---- orders ---- */

/* The state of DLA is p+ up to multiples of the rows, which the next multiplier takes up; on those classes the step is
 * its own adjoint, and compositions have their orders. */
static void test_compositions(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int order, counts[5];
        double slack;
    } list[] = {{"dla:midpoint@suzuki4", 4, {12, 16, 24, 32, 48}, 0.05},
                {"dla:trapezoidal@suzuki4", 4, {12, 16, 24, 32, 48}, 0.05},
                {"dla:symmetric-alpha=0.25@yoshida4", 4, {24, 32, 48, 64, 96}, 0.1},
                {"dla:trapezoidal@kahan-li6", 6, {6, 8, 10, 12, 16}, 0.2}};
    static const char *const names[] = {"particle",  "snakeboard", "sleighM", "suslov",  "sleigh",
                                        "ball_phys", "racer",      "diskB",   "blade",   "ballt",
                                        "arm",       "sphp",       "movpend", "trailer", "sleigh_pot"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_system t;
        run_state truth;
        energy_system_make(&t, names[i]);
        run_truth(&truth, &t, 10 * t.h, 4000);
        for (int k = 0; k < 8; k++) {
            if (repeats(&t, k % 2)) continue;
            suite_case("order of %s, %s, %s", t.name, list[k / 2].method, retractions[k % 2]);
            run_orders o =
                run_measure(&t, &truth, list[k / 2].method, retractions[k % 2], 10 * t.h, list[k / 2].counts, 5, 5e-13);
            run_near_order("g", o.g, o.used_g, list[k / 2].order, list[k / 2].slack);
            run_near_order("p~", o.p, o.used_p, list[k / 2].order, list[k / 2].slack);
        }
    }
}

/* ---- what is reported ---- */

/* p~ = P* p+ + Q* Pi by the test's own projector, for a step that fails neither constraints nor order. */
static void test_reported(void **state)
{
    (void)state;
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal", "dla:midleft"};
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < 6; k++) {
            if (repeats(&t, k % 2)) continue;
            const int n = lg_group_dim(t.S.group);
            double v[SUITE_DIM], J[SUITE_MATRIX], want[SUITE_DIM], size = 1;
            lg_integrator *it = run_start(&t, methods[k / 2], retractions[k % 2], t.h);
            for (int step = 1; step <= suite_count(200); step++) {
                run_steps(it, 1);
                suite_case("%s, %s, %s, step %d", t.name, methods[k / 2], retractions[k % 2], step);
                const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
                for (int j = 0; j < n; j++) size = fmax(size, fabs(p[j]));
                suite_below("|A xi - b|", lg_integrator_constraint_residual(it), 1e-14 * size);
                if (step % 50) continue;
                system_metric(&t.S, lg_integrator_time(it), g, J);
                assert_true(mat_solve(v, J, lg_integrator_momentum_plus(it), n));
                system_project(&t.S, lg_integrator_time(it), g, v);
                system_momentum(&t.S, lg_integrator_time(it), g, v, want);
                suite_near("p~", p, want, n, 1e-13, size);
                suite_same_bits("p-", lg_integrator_momentum_minus(it), p, n);
                suite_near("velocity", (lg_status_ignore(lg_integrator_velocity(it, want)), want), v, n,
                           bench_sharp(&t) ? 1e-10 : 1e-13, size);
            }
            run_end(&it);
        }
}

/* lambda of step k belongs to node k, where it is centred: order 2 with a symmetric rule. */
static void test_multipliers(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "snakeboard", "sleighM", "suslov", "vtop",    "ball_phys",
                                        "racer",    "diskB",      "ballt",   "sphp",   "trailer", "movpend"};
    static const char *const methods[] = {"dla:midpoint", "dla:trapezoidal"};
    static const int counts[2] = {40, 80};
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 2; k++) {
            test_system t;
            double error[2];
            energy_system_make(&t, names[i]);
            suite_case("multipliers of %s, %s", t.name, methods[k]);
            const double size = run_multipliers(error, &t, methods[k], 5 * t.h, counts, 1);
            suite_below("error", error[1], 0.01 * size);
            suite_near1("order", log2(error[0] / error[1]), 2, 0.15, 1);
        }
}

/* In a composition the normal part of p+, half a kick, is scaled to the next step's length; else lambda would not tend
 * to anything where lengths change. It belongs to the node before the last stage. */
static void test_multipliers_composed(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "snakeboard", "vtop", "ball_phys", "sphp", "trailer"};
    static const int counts[2] = {40, 160};
    for (int i = 0; i < 6; i++) {
        test_system t;
        double error[2];
        energy_system_make(&t, names[i]);
        suite_case("multipliers of %s, dla:midpoint@yoshida4", t.name);
        const double size = run_multipliers(error, &t, "dla:midpoint@yoshida4", 5 * t.h, counts, 0);
        suite_below("error", error[1], 0.02 * size);
        suite_below("error of a quarter of the step", error[1], 0.35 * error[0]);
    }
}

/* A start with any p+: what is normal to the constraints shows in the first multiplier only. */
static void test_normal_part(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "vtop", "ball_phys", "sleighM", "sphp", "trailer"};
    for (int i = 0; i < 6; i++) {
        test_system t;
        run_state a, b;
        double p[SUITE_DIM], q[SUITE_DIM], A[6 * SUITE_DIM], right[6], l[2];
        energy_system_make(&t, names[i]);
        const int n = lg_group_dim(t.S.group), m = system_rows(&t.S, 0, t.g0, A, right);
        system_momentum(&t.S, 0, t.g0, t.xi0, p);
        for (int j = 0; j < n; j++) {
            q[j] = p[j];
            for (int r = 0; r < m; r++) q[j] += (0.3 - 0.2 * r) * A[r * n + j];
        }
        suite_case("p+ with a normal part, %s", t.name);
        lg_integrator *plain = run_start(&t, "dla", "exp", t.h), *other = run_start(&t, "dla", "exp", t.h);
        suite_ok("start", lg_integrator_start_momentum(other, 0, t.g0, q));
        suite_same_bits("p+", lg_integrator_momentum_plus(other), q, n);
        suite_near("p~", lg_integrator_momentum(other), p, n, 1e-14, 2);
        for (int k = 1; k <= 10; k++) {
            run_steps(plain, 1), run_steps(other, 1);
            run_read(&a, plain), run_read(&b, other);
            suite_below("difference", run_difference(t.S.group, &a, &b), 1e-12);
            l[0] = t.S.callbacks.holonomic_count ? lg_integrator_holonomic_multipliers(plain)[0]
                                                 : lg_integrator_multipliers(plain)[0];
            l[1] = t.S.callbacks.holonomic_count ? lg_integrator_holonomic_multipliers(other)[0]
                                                 : lg_integrator_multipliers(other)[0];
            suite_near1("impulse", (l[0] - l[1]) * t.h, k == 1 ? 0.3 : 0, 1e-12, 1);
        }
        suite_ok("reset", lg_integrator_reset(other));
        suite_same_bits("p+ after a reset", lg_integrator_momentum_plus(other), q, n);
        run_end(&plain), run_end(&other);
    }
}

/* ---- user-supplied L_d and omega_d ---- */

static int drag(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    out[0] = 0.3 * cos(2 * c->t) - 0.2 * xi[0];
    out[1] = -0.1 * xi[0];
    out[2] = 0.4 - 0.2 * xi[2] * xi[2];
    return 0;
}

/* The trapezoidal rule written down once more: the same states and multipliers, with forces (half at either end) and
 * without, with holonomic constraints too. */
static void test_user(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "affine_particle", "snakeboard", "suslov", "vtop",    "ball_phys",
                                        "ballt",    "blade",           "sphp",       "dsp",    "movpend", "trailer"};
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 4; k++) {
            test_system t;
            user_system u;
            const char *r = retractions[k % 2];
            if (i == 1)
                test_system_make(&t, names[i]);
            else
                energy_system_make(&t, names[i]);
            if (k >= 2) t.S.callbacks.force = drag, t.S.callbacks.time_dependent = 1;
            user_system_open(&u, &t.S, r);
            const int n = lg_group_dim(t.S.group);
            lg_integrator *own = run_start_at(&u.S, "dla:user", r, t.h, 0, t.g0, t.xi0);
            lg_integrator *ours = run_start(&t, "dla:trapezoidal", r, t.h);
            for (int step = 1; step <= 50; step++) {
                run_state a, b;
                suite_case("%s%s, dla:user, %s, step %d", t.name, k < 2 ? "" : " with a force", r, step);
                run_steps(own, 1), run_steps(ours, 1);
                run_read(&a, own), run_read(&b, ours);
                suite_below("difference", run_difference(t.S.group, &a, &b), 1e-11);
                suite_near("p+", lg_integrator_momentum_plus(own), lg_integrator_momentum_plus(ours), n, 1e-11, 1);
                suite_near("lambda", lg_integrator_multipliers(own), lg_integrator_multipliers(ours),
                           t.S.constraint_count, 1e-10, 1);
                suite_near("sigma", lg_integrator_holonomic_multipliers(own), lg_integrator_holonomic_multipliers(ours),
                           t.S.callbacks.holonomic_count, 1e-10, 1);
            }
            run_end(&own), run_end(&ours);
        }
}

static void test_user_refused(void **state)
{
    (void)state;
    test_system t;
    user_system u;
    lg_integrator *it = NULL;
    energy_system_make(&t, "vtop");
    suite_case("dla:user without L_d");
    suite_status("create", lg_integrator_create(&it, &t.S, "dla:user", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "discrete_constraint");
    run_end(&it);
    suite_case("gni:user without L_d");
    suite_status("create", lg_integrator_create(&it, &t.S, "gni:user", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    run_end(&it);
    user_system_open(&u, &t.S, "exp");
    lg_system S = u.S;
    S.callbacks.discrete_constraint = NULL;
    suite_case("dla:user without omega_d");
    suite_status("create", lg_integrator_create(&it, &S, "dla:user", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "discrete_constraint");
    run_end(&it);
    suite_case("dla:user@suzuki4"); /* its symmetry is unknown */
    suite_status("create", lg_integrator_create(&it, &u.S, "dla:user@suzuki4", NULL, 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "symmetric");
    run_end(&it);
}

int main(void)
{
    suite_begin("DLA on groups");
    const struct CMUnitTest tests[] = {

        cmocka_unit_test(test_compositions), cmocka_unit_test(test_reported),
        cmocka_unit_test(test_multipliers),  cmocka_unit_test(test_multipliers_composed),
        cmocka_unit_test(test_normal_part),  cmocka_unit_test(test_user),
        cmocka_unit_test(test_user_refused),
    };
    return cmocka_run_group_tests_name("dla_groups", tests, NULL, NULL);
}
