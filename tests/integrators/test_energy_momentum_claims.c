/* SPDX-License-Identifier: BSD-3-Clause */
/* What `sem` promises (docs/theory.md section 6): order 2, position and velocity constraints to round-off, H exact or
 * exactly balanced by the work, passivity, independence of the frame, reversibility, momenta. Runs of 1e5 steps are in
 * test_long_runs.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

/* The systems of the energy-momentum step proper: J(g), holonomic constraints, forces, time. */
static const struct {
    const char *name;
    double T;      /* for orders: 40 to 640 steps */
    double energy; /* bound of |H - H_0| over 1000 steps; 0: there is work */
} list[] = {
    {"sleighM", 1, 1e-13},   {"twolink", 0.5, 1e-11}, {"arm", 1, 1e-11},     {"arm_free", 1, 1e-11},
    {"racer", 1, 1e-12},     {"diskB", 0.4, 1e-11},   {"sphp", 1, 1e-12},    {"sphs", 1, 1e-12},
    {"sphm", 1, 1e-11},      {"dsp", 1, 1e-12},       {"movpend", 1, 0},     {"diskH", 0.4, 1e-11},
    {"rattle-", 0.1, 1e-14}, {"rattle+", 0.1, 1e-14}, {"trailer", 1, 1e-12}, {"sdrive", 1, 0},
    {"dtop", 1, 0},          {"top", 1, 1e-11},       {"vtop", 1, 1e-11},    {"ballt", 1, 0},
    {"blade", 1, 1e-12},
};

enum { LIST = sizeof list / sizeof list[0] };

/* ---- claim 2: orders, against the continuous equations ---- */

static void near_order(const char *what, double order)
{
    if (!(order >= 1.9 && order <= 2.1)) suite_fail("%s: order %.3f instead of 2", what, order);
}

static void test_orders(void **state)
{
    (void)state;
    static const int counts[5] = {40, 80, 160, 320, 640};
    for (int i = 0; i < LIST; i++) {
        test_system t;
        run_state truth;
        energy_system_make(&t, list[i].name);
        run_truth(&truth, &t, list[i].T, 1000);
        for (int k = 0; k < 4; k++) {
            const char *method = k < 2 ? "sem" : "sem:momentum";
            if ((k >= 2 && t.S.callbacks.holonomic_count == 0) || !run_fits(&t, retractions[k % 2])) continue;
            suite_case("order of %s, %s, %s", t.name, method, retractions[k % 2]);
            run_orders o = run_measure(&t, &truth, method, retractions[k % 2], list[i].T, counts, 5, 1e-12);
            near_order("g", o.g);
            near_order("p", o.p);
        }
    }
}

/* Multipliers in force units and in the user's rows tend to those of the continuous equations; they belong to the
 * middle of the last step, so with order 1 at the node. */
static void test_multipliers(void **state)
{
    (void)state;
    for (int i = 0; i < LIST; i++)
        for (int k = 0; k < 2; k++) {
            test_system t;
            double g[SUITE_ELEMENT], xi[SUITE_DIM], unused[SUITE_DIM], lambda[6], error[2] = {0}, size = 1;
            energy_system_make(&t, list[i].name);
            if (t.S.callbacks.holonomic_count + t.S.constraint_count == 0) continue;
            const char *method = k == 0 ? "sem" : "sem:momentum";
            memcpy(g, t.g0, sizeof g);
            memcpy(xi, t.xi0, sizeof xi);
            system_truth(&t.S, list[i].T, 1000, g, xi);
            system_acceleration(&t.S, list[i].T, g, xi, unused, lambda);
            for (int level = 0; level < 2; level++) {
                const int count = level == 0 ? 160 : 640;
                lg_integrator *it = run_start(&t, method, "exp", list[i].T / count);
                run_steps(it, count);
                for (int a = 0; a < t.S.callbacks.holonomic_count + t.S.constraint_count; a++) {
                    const double got = a < t.S.callbacks.holonomic_count
                                           ? lg_integrator_holonomic_multipliers(it)[a]
                                           : lg_integrator_multipliers(it)[a - t.S.callbacks.holonomic_count];
                    error[level] = fmax(error[level], fabs(got - lambda[a]));
                    size = fmax(size, fabs(lambda[a]));
                }
                run_end(&it);
            }
            suite_case("multipliers of %s, %s", t.name, method);
            suite_below("error", error[1], 0.02 * size);
            suite_below("error of a quarter of the step", error[1], 0.35 * error[0]);
        }
}

/* ---- claims 3 to 5: what is exact ---- */

static void test_exact(void **state)
{
    (void)state;
    for (int i = 0; i < LIST; i++) {
        for (int k = 0; k < 4; k++) {
            const char *method = k < 2 ? "sem" : "sem:momentum";
            test_system t;
            energy_system_make(&t, list[i].name);
            if ((k >= 2 && t.S.callbacks.holonomic_count == 0) || !run_fits(&t, retractions[k % 2])) continue;
            suite_case("%s, %s, %s", t.name, method, retractions[k % 2]);
            lg_integrator *it = run_start(&t, method, retractions[k % 2], t.h);
            const int steps = suite_count(1000);
            const double H = fmax(1, fabs(lg_integrator_energy(it)));
            run_extremes w = run_watch(it, steps, 1);
            suite_below("|A(xi - Y)|", w.constraint, 1e-14 * w.size);
            suite_below("|phi|", w.position, 1e-14);
            suite_below("H - H_0 - work", w.balance, 1e-11 * fmax(H, w.energy));
            if (list[i].energy > 0) suite_below("|H - H_0|", w.energy, list[i].energy * H);
            if (list[i].energy <= 0) suite_above("|H - H_0|", w.energy, 1e-3); /* so that the balance says something */
            run_end(&it);
        }
    }
}

/* At high speed the residual of xi alone would leave more than round-off in phi, in which it is multiplied by h. */
static void test_fast_positions(void **state)
{
    (void)state;
    static const char *const names[] = {"sphp", "sphs", "sphm"};
    for (int i = 0; i < 3; i++) {
        test_system t;
        energy_system_make(&t, names[i]);
        suite_case("%s, 8 times faster", t.name);
        for (int j = 0; j < 3; j++) t.xi0[j] *= 8;
        lg_integrator *it = run_start(&t, "sem", "exp", t.h);
        suite_below("|phi|", run_watch(it, 1000, 0).position, 5e-15);
        run_end(&it);
    }
}

/* The work is that of the force along the step velocity, controls included: W = h <f, xi> where nothing else works. */
static int push(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    out[0] = c->control[0] - 0.1 * xi[0];
    out[2] = c->control[1] - 0.2 * xi[2];
    return 0;
}

static void test_work(void **state)
{
    (void)state;
    const double u[2] = {0.3, -0.5}, h = 0.1;
    for (int r = 0; r < 2; r++) {
        test_system t;
        energy_system_make(&t, "sleigh_pot");
        t.S.callbacks.force = push;
        t.S.callbacks.control_count = 2;
        suite_case("work of controls, %s", retractions[r]);
        lg_integrator *it = run_start(&t, "sem", retractions[r], h);
        for (int k = 0; k < 100; k++) {
            const double H = lg_integrator_energy(it), on = k < 50 ? 0 : 1;
            if (k == 50) suite_ok("set_control", lg_integrator_set_control(it, u));
            run_steps(it, 1);
            const double *xi = lg_integrator_step_velocity(it);
            const double W = h * (on * (u[0] * xi[0] + u[1] * xi[2]) - 0.1 * xi[0] * xi[0] - 0.2 * xi[2] * xi[2]);
            suite_near1("work", lg_integrator_step_work(it), W, 1e-13, 1);
            suite_near1("balance", lg_integrator_energy(it) - H, W, 2e-10, 1); /* what four Gauss nodes leave of V */
        }
        run_end(&it);
    }
}

/* ---- claim 6: dissipation is monotone for every h ---- */

static void test_passive(void **state)
{
    (void)state;
    static const double h[] = {0.1, 0.5, 1};
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 3; k++) {
            test_system t;
            energy_system_make(&t, "dtop");
            suite_case("dtop, %s, h = %g", retractions[r], h[k]);
            lg_integrator *it = run_start(&t, "sem", retractions[r], h[k]);
            run_extremes w = run_watch(it, (int64_t)(300 / h[k]), 0);
            suite_below("H_(k+1) - H_k", w.rise, 1e-15);
            suite_above("H", lg_integrator_energy(it), -sqrt(0.78) - 1e-14); /* the least V: -|chi| */
            if (k == 0) suite_near1("H", lg_integrator_energy(it), -0.8831760, 2e-7, 1);
            run_end(&it);
        }
}

/* ---- claims 8, 9: momenta ---- */

/* Ad*_{g^-1} p: the momentum in space. */
static void spatial(const lg_integrator *it, double *out)
{
    double back[SUITE_ELEMENT];
    const lg_group *G = lg_integrator_group(it);
    suite_ok("inverse", lg_group_inverse(G, back, lg_integrator_configuration(it)));
    suite_ok("coAd", lg_group_coAd_apply(G, out, back, lg_integrator_momentum(it)));
}

static void test_free_arm(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        test_system t;
        double before[4], now[4], worst = 0;
        energy_system_make(&t, "arm_free");
        suite_case("spatial momentum of the free arm, %s", retractions[r]);
        lg_integrator *it = run_start(&t, "sem", retractions[r], t.h);
        spatial(it, before);
        for (int k = 0; k < suite_count(2000); k++) {
            run_steps(it, 1);
            spatial(it, now);
            worst = fmax(worst, suite_distance(now, before, 3));
        }
        suite_below("change", worst, 1e-10);
        run_end(&it);
    }
}

/* sum of (q x p)_z over the masses of dsp. */
static double vertical(const lg_integrator *it)
{
    const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    return q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
}

static void test_rotational_momentum(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "sem:momentum"};
    for (int k = 0; k < 2; k++) {
        test_system t;
        energy_system_make(&t, "dsp");
        suite_case("L_z of the double pendulum, %s", methods[k]);
        lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
        const double before = vertical(it);
        double worst = 0;
        for (int i = 0; i < suite_count(2000); i++) {
            run_steps(it, 1);
            worst = fmax(worst, fabs(vertical(it) - before));
        }
        if (k == 0)
            suite_above("change", worst, 1e-4);
        else
            suite_below("change", worst, 1e-12);
        run_end(&it);
    }
}

/* ---- claim 10: rows B(t, g) A, holonomic constraints times a constant matrix ---- */

static void test_frames(void **state)
{
    (void)state;
    for (int i = 0; i < LIST; i++) {
        for (int k = 0; k < 8; k++) {
            const char *method = k % 4 < 2 ? "sem" : "sem:momentum";
            test_system t, other;
            run_state a, b;
            energy_system_make(&t, list[i].name);
            if (t.S.callbacks.holonomic_count + t.S.constraint_count == 0 ||
                (k % 4 >= 2 && t.S.callbacks.holonomic_count == 0))
                continue;
            if (!run_fits(&t, retractions[k % 2])) continue;
            system_reframe(&other, &t, k < 4 ? 0 : t.h);
            suite_case("rows of %s in another frame, %s, %s", t.name, method, retractions[k % 2]);
            run_to(&a, &t, method, retractions[k % 2], 20 * t.h, 20);
            run_to(&b, &other, method, retractions[k % 2], 20 * t.h, 20);
            suite_below("difference", run_difference(t.S.group, &a, &b), 1e-12);
        }
    }
}

/* ---- claim 11: reversibility; claim 12: the sleigh's end ---- */

static void test_reversible(void **state)
{
    (void)state;
    for (int i = 0; i < LIST; i++) {
        for (int k = 0; k < 4; k++) {
            const char *method = k < 2 ? "sem" : "sem:momentum";
            test_system t;
            energy_system_make(&t, list[i].name);
            if ((k >= 2 && t.S.callbacks.holonomic_count == 0) || !run_fits(&t, retractions[k % 2])) continue;
            suite_case("200 steps and back: %s, %s, %s", t.name, method, retractions[k % 2]);
            suite_below("distance from the start", run_there_and_back(&t, method, retractions[k % 2], t.h, 200), 1e-11);
        }
    }
}

static void test_sleigh_end(void **state)
{
    (void)state;
    test_system t;
    double v[3];
    energy_system_make(&t, "sleighM");
    suite_case("sleigh in the plane at t = 200");
    lg_integrator *it = run_start(&t, "sem", "exp", 0.1);
    run_steps(it, 2000);
    suite_ok("velocity", lg_integrator_velocity(it, v));
    const double theta = lg_integrator_configuration(it)[2];
    suite_near1("u", v[0] * cos(theta) + v[1] * sin(theta), 1.183215957, 1e-6, 1);
    run_end(&it);
}

/* ---- Gauss nodes: the energy error of a step is that of the quadrature, and each node takes two orders off ---- */

static void test_nodes(void **state)
{
    (void)state;
    double worst[6] = {0};
    test_system t;
    energy_system_make(&t, "twolink");
    for (int nodes = 1; nodes <= 6; nodes++) {
        char method[32];
        snprintf(method, sizeof method, "sem:gauss=%d", nodes);
        suite_case("twolink, %s", method);
        lg_integrator *it = run_start(&t, method, "exp", 0.08);
        worst[nodes - 1] = run_watch(it, 200, 0).energy;
        run_end(&it);
        if (nodes > 1) suite_below("|H - H_0|", worst[nodes - 1], fmax(worst[nodes - 2] / 20, 2e-11));
        suite_below("distance from the start", run_there_and_back(&t, method, "exp", 0.04, 100), 1e-11);
    }
    suite_above("|H - H_0| with one node", worst[0], 1e-3);
}

/* ---- cost: residual evaluations a step over 2000 steps, within a fifth of the reference solver's ---- */

static void test_evaluations(void **state)
{
    (void)state;
    static const struct {
        const char *name, *retraction;
        double reference;
    } costs[] = {
        {"particle", "exp", 4.0}, {"snakeboard", "exp", 3.4}, {"robot", "exp", 4.3},    {"suslov", "cayley", 1.4},
        {"vtop", "cayley", 5.0},  {"ball_phys", "exp", 5.5},  {"disk", "cayley", 3.5},  {"rattleback-", "cayley", 4.1},
        {"cvt_non", "exp", 5.2},  {"chaotic", "exp", 5.5},    {"sleighM", "exp", 1.7},  {"twolink", "exp", 5.6},
        {"arm", "exp", 9.2},      {"racer", "exp", 1.8},      {"diskB", "exp", 3.5},    {"sphp", "exp", 5.3},
        {"dsp", "exp", 6.5},      {"diskH", "exp", 3.5},      {"rattle-", "cayley", 6}, {"trailer", "cayley", 5.4},
        {"movpend", "exp", 6.8},  {"sdrive", "exp", 3.6},     {"dtop", "cayley", 3.3},  {"blade", "exp", 3.9},
    };
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        test_system t;
        int64_t sum = 0;
        energy_system_make(&t, costs[i].name);
        suite_case("evaluations of %s, %s", t.name, costs[i].retraction);
        lg_integrator *it = run_start(&t, "sem", costs[i].retraction, t.h);
        for (int k = 0; k < 2000; k++) {
            run_steps(it, 1);
            sum += lg_integrator_iterations(it);
        }
        suite_below("evaluations a step", (double)sum / 2000, 1.2 * costs[i].reference);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("claims on energy-momentum steps");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_multipliers),
        cmocka_unit_test(test_exact),       cmocka_unit_test(test_fast_positions),
        cmocka_unit_test(test_work),        cmocka_unit_test(test_passive),
        cmocka_unit_test(test_free_arm),    cmocka_unit_test(test_rotational_momentum),
        cmocka_unit_test(test_frames),      cmocka_unit_test(test_reversible),
        cmocka_unit_test(test_sleigh_end),  cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_evaluations),
    };
    return cmocka_run_group_tests_name("energy_momentum_claims", tests, NULL, NULL);
}
