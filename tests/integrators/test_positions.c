/* SPDX-License-Identifier: BSD-3-Clause */
/* Holonomic constraints under every method but `sem` (docs/theory.md section 7): orders, phi and the hidden constraint
 * at every node, reversibility, compositions, multipliers, a user-supplied discrete Lagrangian. The claims of claims/
 * cover what the methods conserve. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"
#include "support/user_systems.h"

static const char *const retractions[] = {"exp", "cayley"};

/* With velocity rows and without; `movpend` is held at a moving point. */
static const char *const names[] = {"sphp", "sphs", "dsp", "movpend", "trailer", "diskH", "rattle-", "rattle+"};
enum { NAMES = sizeof names / sizeof names[0] };

/* Methods, their order, whether they take velocity rows, whether they are symmetric. */
static const struct {
    const char *name;
    int order, rows, symmetric;
} methods[] = {{"rattle", 2, 0, 1},
               {"variational", 2, 0, 1},
               {"variational:midpoint", 2, 0, 1},
               {"variational:symmetric-alpha=0.2", 2, 0, 1},
               {"gni", 2, 1, 1},
               {"gni:midpoint", 2, 1, 1},
               {"gni:symmetric-alpha=0.2", 2, 1, 1},
               {"gni-r", 2, 1, 0},
               {"dla", 2, 1, 1},
               {"dla:trapezoidal", 2, 1, 1},
               {"dla:symmetric-alpha=0.2", 2, 1, 1},
               {"variational:euler-a", 1, 0, 0},
               {"gni:euler-a", 1, 1, 0},
               {"gni:euler-b", 1, 1, 0},
               {"gni:alpha=0.3", 1, 1, 0},
               {"rk4", 4, 1, 0},
               {"rkmk4", 4, 1, 0}};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* 1 if the case is to be run. */
static int fits(const test_system *t, int k, int r)
{
    return (methods[k].rows || t->S.constraint_count == 0) && (r == 0 || t->S.group->kind != LG_KIND_RN);
}

/* ---- orders ---- */

static void test_orders(void **state)
{
    (void)state;
    static const int counts[4] = {40, 80, 160, 320};
    for (int i = 0; i < NAMES; i++) {
        test_system t;
        run_state truth;
        energy_system_make(&t, names[i]);
        run_truth(&truth, &t, 10 * t.h, 2000);
        for (int k = 0; k < METHODS; k++)
            for (int r = 0; r < 2; r++) {
                if (!fits(&t, k, r)) continue;
                const double slack = methods[k].order == 4 ? 0.1 : 0.05;
                suite_case("order of %s, %s, %s", t.name, methods[k].name, retractions[r]);
                run_orders o = run_measure(&t, &truth, methods[k].name, retractions[r], 10 * t.h, counts, 4, 1e-12);
                /* one-sided: the start is that of the trapezoidal rule, whose positions follow unless V bends */
                if (methods[k].order > 1) run_near_order("g", o.g, o.used_g, methods[k].order, slack);
                run_near_order("p~", o.p, o.used_p, methods[k].order, slack);
                suite_below("error of p~", o.error_p, methods[k].order == 1 ? 1e-2 : 1e-5);
                suite_below("error of g", o.error_g, methods[k].order == 1 ? 1e-2 : 1e-5);
            }
    }
}

static void test_compositions(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        int rows, order, counts[5];
        double slack;
    } list[] = {{"gni@yoshida4", 1, 4, {24, 32, 48, 64, 96}, 0.15},
                {"gni@suzuki4", 1, 4, {12, 16, 24, 32, 48}, 0.15},
                {"gni:midpoint@suzuki4", 1, 4, {12, 16, 24, 32, 48}, 0.15},
                {"gni@kahan-li6", 1, 6, {6, 8, 10, 12, 16}, 0.3},
                {"rattle@suzuki4", 0, 4, {12, 16, 24, 32, 48}, 0.1},
                {"rattle@kahan-li6", 0, 6, {6, 8, 10, 12, 16}, 0.3},
                {"variational:midpoint@yoshida4", 0, 4, {24, 32, 48, 64, 96}, 0.1}};
    for (int i = 0; i < NAMES; i++) {
        test_system t;
        run_state truth;
        int slopes = 0;
        energy_system_make(&t, names[i]);
        run_truth(&truth, &t, 10 * t.h, 8000);
        for (int k = 0; k < 7; k++)
            for (int r = 0; r < 2; r++) {
                if (!list[k].rows && t.S.constraint_count > 0) continue;
                if (r == 1 && t.S.group->kind == LG_KIND_RN) continue;
                suite_case("order of %s, %s, %s", t.name, list[k].method, retractions[r]);
                run_orders o =
                    run_measure(&t, &truth, list[k].method, retractions[r], 10 * t.h, list[k].counts, 5, 1e-12);
                run_near_order("g", o.g, o.used_g, list[k].order, list[k].slack);
                run_near_order("p~", o.p, o.used_p, list[k].order, list[k].slack);
                slopes += (o.used_g >= 3) + (o.used_p >= 3);
            }
        suite_case("compositions of %s", t.name);
        suite_above("slopes measured", slopes, 5);
    }
}

/* ---- what every node satisfies ---- */

/* |phi| <= 1e-14, hidden and velocity rows to round-off of the momenta: 1e4 steps of each method and each system with
 * some partner, 1000 of all the others. */
static void test_nodes(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < METHODS; k++)
            for (int r = 0; r < 2; r++) {
                test_system t;
                energy_system_make(&t, names[i]);
                if (!fits(&t, k, r) || methods[k].order == 4) continue;
                const int wild = methods[k].order == 1 && strcmp(names[i], "trailer") == 0; /* gains energy */
                suite_case("%s, %s, %s", t.name, methods[k].name, retractions[r]);
                lg_integrator *it = run_start(&t, methods[k].name, retractions[r], t.h);
                run_extremes w = run_watch(it, suite_count(wild || (i + k + r) % 4 ? 1000 : 10000), 0);
                suite_below("|phi|", w.position, 1e-14);
                suite_below("|A xi - b|", w.constraint, 1e-14 * w.size);
                run_end(&it);
            }
    test_system t;
    energy_system_make(&t, "diskH");
    for (int k = 0; k < 2; k++) {
        suite_case("diskH, %s", k == 0 ? "rk4" : "rkmk4");
        lg_integrator *it = run_start(&t, k == 0 ? "rk4" : "rkmk4", "exp", t.h);
        suite_above("|phi|", run_watch(it, 10000, 0).position, 1e-6); /* baselines drift */
        run_end(&it);
    }
}

/* The multipliers come out of a Newton step in each residual: few residuals a step, many fewer than the cap. */
static void test_cost(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < METHODS; k++) {
            test_system t;
            user_system u;
            double sum[2] = {0};
            energy_system_make(&t, names[i]);
            if (!fits(&t, k, 0) || methods[k].order != 2) continue;
            user_system_open(&u, &t.S, "exp");
            lg_integrator *it = run_start(&t, methods[k].name, "exp", t.h);
            lg_integrator *own = run_start_at(&u.S, "dla:user", "exp", t.h, 0, t.g0, t.xi0);
            for (int step = 0; step < 200; step++) {
                run_steps(it, 1), run_steps(own, 1);
                sum[0] += lg_integrator_iterations(it), sum[1] += lg_integrator_iterations(own);
            }
            suite_case("%s, %s", t.name, methods[k].name);
            suite_below("residuals a step", sum[0] / 200, 8); /* measured: 3.4 to 6.7 */
            suite_below("residuals a step, dla:user", sum[1] / 200, 8);
            run_end(&it), run_end(&own);
        }
}

static void test_reversible(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < METHODS; k++)
            for (int r = 0; r < 2; r++) {
                test_system t;
                energy_system_make(&t, names[i]);
                if (!fits(&t, k, r)) continue;
                /* the GNI's p- has a normal part that p~ does not tell: back from p- itself */
                if (!methods[k].symmetric || strncmp(methods[k].name, "gni", 3) == 0) continue;
                suite_case("100 steps and back: %s, %s, %s", t.name, methods[k].name, retractions[r]);
                suite_below("distance", run_there_and_back(&t, methods[k].name, retractions[r], t.h, 100), 1e-11);
            }
}

/* (g, p-) -> N steps -> p- := -p+ -> N steps. Only systems without Y and phi_t, which would change their signs. */
static void test_gni_reversible(void **state)
{
    (void)state;
    static const char *const reversible[] = {"gni", "gni:midpoint", "gni:symmetric-alpha=0.2"};
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < 6; k++) {
            test_system t;
            double p[SUITE_DIM], g[SUITE_ELEMENT], plus[SUITE_DIM];
            run_state start, end;
            energy_system_make(&t, names[i]);
            if (t.S.callbacks.time_dependent || (k % 2 && t.S.group->kind == LG_KIND_RN)) continue;
            const int n = lg_group_dim(t.S.group);
            suite_case("100 steps and back: %s, %s, %s", t.name, reversible[k / 2], retractions[k % 2]);
            lg_integrator *it = run_start(&t, reversible[k / 2], retractions[k % 2], t.h);
            run_read(&start, it);
            memcpy(plus, lg_integrator_momentum_plus(it), sizeof(double) * (size_t)n);
            run_steps(it, 100);
            memcpy(g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(t.S.group));
            for (int j = 0; j < n; j++) p[j] = -lg_integrator_momentum_plus(it)[j];
            suite_ok("start", lg_integrator_start_momentum(it, 0, g, p));
            run_steps(it, 100);
            run_read(&end, it);
            for (int j = 0; j < n; j++) end.p[j] = -end.p[j];
            suite_below("distance", run_difference(t.S.group, &start, &end), 1e-10);
            for (int j = 0; j < n; j++) plus[j] = -plus[j];
            suite_near("p-", lg_integrator_momentum_minus(it), plus, n, 1e-10, 1);
            run_end(&it);
        }
}

/* ---- multipliers ---- */

/* A pendulum that hangs at rest: p' = 0 = -dV + d phi^T sigma, with q = (0, 0, -1) and V = z: sigma = -1. */
static void test_at_rest(void **state)
{
    (void)state;
    static const char *const all[] = {"sem",
                                      "sem:momentum",
                                      "rattle",
                                      "variational:midpoint",
                                      "variational:euler-a",
                                      "variational:euler-b",
                                      "gni",
                                      "gni:midpoint",
                                      "gni:euler-a",
                                      "gni:alpha=0.3",
                                      "gni-r",
                                      "dla",
                                      "dla:trapezoidal",
                                      "dla:alpha=0.3",
                                      "rk4",
                                      "rkmk4"};
    for (int k = 0; k < 16; k++) {
        test_system t;
        energy_system_make(&t, "sphs");
        const double q[3] = {0, 0, -1}, v[3] = {0};
        memcpy(t.g0, q, sizeof q), memcpy(t.xi0, v, sizeof v);
        suite_case("a pendulum at rest, %s", all[k]);
        lg_integrator *it = run_start(&t, all[k], "exp", 0.1);
        for (int step = 0; step < 10; step++) {
            run_steps(it, 1);
            suite_near("q", lg_integrator_configuration(it), q, 3, 1e-15, 1);
            /* DLA: of the node that was left, which at the start only has the part of L_d on its right */
            if (step == 0 && strncmp(all[k], "dla", 3) == 0) continue;
            /* what the solver leaves of a velocity, over h */
            suite_near1("sigma", lg_integrator_holonomic_multipliers(it)[0], -1, 1e-13, 1);
        }
        run_end(&it);
    }
}

/* Moving: both kinds tend to those of the continuous equations. With order 2 where they are centred at the node: the
 * reflection's of velocity rows, the continuous equations' of gni-r; with order 1 where they are the mean of a step. */
static void test_multipliers(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        test_system t;
        double g[SUITE_ELEMENT], xi[SUITE_DIM], unused[SUITE_DIM], lambda[6];
        energy_system_make(&t, names[i]);
        memcpy(g, t.g0, sizeof g), memcpy(xi, t.xi0, sizeof xi);
        system_truth(&t.S, 5 * t.h, 1000, g, xi);
        system_acceleration(&t.S, 5 * t.h, g, xi, unused, lambda);
        for (int k = 0; k < METHODS; k++) {
            double sigma[2] = {0}, rows[2] = {0};
            /* one-sided rules with velocity rows start with a normal part of order h: lambda then alternates */
            if (!fits(&t, k, 0) || (methods[k].order == 1 && t.S.constraint_count > 0)) continue;
            const int early = strncmp(methods[k].name, "dla", 3) == 0; /* those of the node that was left */
            for (int level = 0; level < 2; level++) {
                const int count = level == 0 ? 80 : 320;
                lg_integrator *it = run_start(&t, methods[k].name, "exp", 5 * t.h / count);
                run_steps(it, count + early);
                for (int a = 0; a < t.S.callbacks.holonomic_count; a++)
                    sigma[level] = fmax(sigma[level], fabs(lg_integrator_holonomic_multipliers(it)[a] - lambda[a]));
                for (int a = 0; a < t.S.constraint_count; a++)
                    rows[level] = fmax(rows[level], fabs(lg_integrator_multipliers(it)[a] -
                                                         lambda[t.S.callbacks.holonomic_count + a]));
                run_end(&it);
            }
            suite_case("multipliers of %s, %s", t.name, methods[k].name);
            const int centred = early || strcmp(methods[k].name, "gni-r") == 0;
            suite_below("error of sigma", sigma[1], fmax(sigma[0] / (centred ? 14 : 3.5), 1e-11));
            suite_below("error of lambda", rows[1], fmax(rows[0] / 14, 1e-11));
            suite_below("error of sigma", sigma[1], 0.01 * fmax(1, fabs(lambda[0])));
        }
    }
}

/* ---- a user's own discrete Lagrangian ---- */

static void test_user(void **state)
{
    (void)state;
    static const char *const list[][2] = {{"gni:user", "gni"}, {"variational:user", "variational"}};
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < 4; k++) {
            test_system t;
            user_system u;
            run_state a, b;
            const char *r = retractions[k % 2];
            energy_system_make(&t, names[i]);
            if (k >= 2 && t.S.constraint_count > 0) continue;
            user_system_open(&u, &t.S, r);
            suite_case("%s, %s, %s", t.name, list[k / 2][0], r);
            lg_integrator *own = run_start_at(&u.S, list[k / 2][0], r, t.h, 0, t.g0, t.xi0);
            lg_integrator *ours = run_start(&t, list[k / 2][1], r, t.h);
            run_steps(own, 50), run_steps(ours, 50);
            run_read(&a, own), run_read(&b, ours);
            suite_below("difference", run_difference(t.S.group, &a, &b), 1e-11);
            suite_near("sigma", lg_integrator_holonomic_multipliers(own), lg_integrator_holonomic_multipliers(ours),
                       t.S.callbacks.holonomic_count, 1e-9, 10);
            run_end(&own), run_end(&ours);
        }
}

int main(void)
{
    suite_begin("holonomic constraints");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_compositions),   cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_reversible),  cmocka_unit_test(test_gni_reversible), cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_multipliers), cmocka_unit_test(test_user),           cmocka_unit_test(test_cost),

    };
    return cmocka_run_group_tests_name("positions", tests, NULL, NULL);
}
