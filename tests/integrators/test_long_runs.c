/* SPDX-License-Identifier: BSD-3-Clause */
/* Long runs of the default method, `sem`, and of those that it replaces: 1e5 and 1e6 steps on the problems that break
 * published methods (sleigh, Suslov, rattleback, non-reversible transmission, chaotic oscillator). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

/* ---- 1e5 steps: constraints, phi, H or its balance ---- */

static void test_100000_steps(void **state)
{
    (void)state;
    static const struct {
        const char *name, *retraction;
        double energy, balance; /* bounds of |H - H_0| (0: there is work) and of |H - H_0 - work| / max(1, |H - H_0|) */
    } list[] = {
        {"sleighM", "exp", 1e-12, 1e-12},
        {"twolink", "exp", 1e-10, 1e-10},
        {"arm", "exp", 1e-11, 1e-11},
        {"racer", "exp", 1e-11, 1e-11},
        {"diskB", "exp", 1e-11, 1e-11},
        {"diskB", "cayley", 1e-11, 1e-11},
        {"sphp", "exp", 1e-11, 1e-11},
        {"sphs", "exp", 1e-11, 1e-11},
        {"dsp", "exp", 1e-11, 1e-11},
        {"diskH", "exp", 1e-11, 1e-11},
        {"diskH", "cayley", 1e-11, 1e-11},
        {"rattle-", "cayley", 1e-14, 1e-14},
        {"trailer", "cayley", 1e-11, 1e-11},
        {"blade", "exp", 1e-11, 1e-11},
        {"vtop", "exp", 1e-11, 1e-11},
        {"vtop", "cayley", 1e-11, 1e-11},
        {"top", "cayley", 1e-11, 1e-11},
        {"robot", "exp", 1e-11, 1e-11},
        {"ballt", "cayley", 0, 1e-12},
        {"movpend", "exp", 0, 1e-11},
        {"sdrive", "exp", 0, 1e-10},
        {"snakeboard", "exp", 1e-11, 1e-11},
        {"particle_quad", "exp", 1e-11, 1e-11},
        {"disk", "cayley", 1e-11, 1e-11},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        test_system t;
        energy_system_make(&t, list[i].name);
        suite_case("1e5 steps of %s, sem, %s", t.name, list[i].retraction);
        lg_integrator *it = run_start(&t, "sem", list[i].retraction, t.h);
        run_extremes w = run_watch(it, suite_count(100000), 1);
        suite_below("|A(xi - Y)|", w.constraint, 1e-14 * w.size);
        suite_below("|phi|", w.position, 1e-14);
        if (list[i].energy > 0) suite_below("|H - H_0|", w.energy, list[i].energy);
        suite_below("H - H_0 - work", w.balance, list[i].balance * fmax(1, w.energy));
        run_end(&it);
    }
}

/* Multipliers of the momentum-consistent form keep L_z of a pendulum; the default one lets it oscillate. */
static void test_rotational_momentum(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        test_system t;
        double worst = 0, first = NAN;
        energy_system_make(&t, "dsp");
        suite_case("L_z of the double pendulum over 1e5 steps, alpha = %d", k);
        lg_integrator *it = run_start(&t, k ? "sem:momentum" : "sem", "exp", 0.1);
        for (int i = 0; i <= suite_count(100000); i++) {
            const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
            const double L = q[0] * p[1] - q[1] * p[0] + q[3] * p[4] - q[4] * p[3];
            if (i == 0) first = L;
            worst = fmax(worst, fabs(L - first));
            run_steps(it, 1);
        }
        if (k)
            suite_below("change", worst, 1e-12);
        else
            suite_above("change", worst, 1e-4);
        run_end(&it);
    }
}

/* ---- attracting motions ---- */

static void test_attracted(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double truth[3];
    } list[] = {{"sleigh", {1.183215956619923, 0, 0}}, {"suslov", {1.161177563, 0.774118375, 0}}};
    for (int i = 0; i < 2; i++)
        for (int r = 0; r < 2; r++) {
            test_system t;
            double xi[3];
            energy_system_make(&t, list[i].name);
            suite_case("%s to t = 1e4, sem, %s", t.name, retractions[r]);
            lg_integrator *it = run_start(&t, "sem", retractions[r], 0.1);
            run_extremes w = run_watch(it, suite_count(100000), 0);
            suite_ok("velocity", lg_integrator_velocity(it, xi));
            suite_near("xi", xi, list[i].truth, 3, 1e-8, 1);
            suite_below("|H - H_0|", w.energy, 1e-12);
            run_end(&it);
        }
}

/* ---- rattleback: the spin gamma.w about the vertical over 20 s ---- */

typedef struct spin {
    int crossings;
    double first, last, end; /* times of the first and the last change of sign, spin at the end */
} spin;

static double vertical_spin(const lg_integrator *it)
{
    double R[9], xi[6];
    suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, lg_integrator_configuration(it) + 3));
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    return mat_dot(R + 6, xi + 3, 3);
}

static spin spin_of(const char *name, const char *method, const char *retraction, double h)
{
    test_system t;
    spin s = {0};
    energy_system_make(&t, name);
    lg_integrator *it = run_start(&t, method, retraction, h);
    double before = vertical_spin(it);
    for (int64_t k = 0, steps = (int64_t)(20 / h + 0.5); k < steps; k++) {
        run_steps(it, 1);
        const double now = vertical_spin(it);
        if ((before < 0) != (now < 0)) {
            const double at = lg_integrator_time(it) - h * now / (now - before);
            if (s.crossings++ == 0) s.first = at;
            s.last = at;
        }
        before = now;
    }
    s.end = before;
    run_end(&it);
    return s;
}

static void test_rattleback(void **state)
{
    (void)state;
    suite_case("rattleback over 20 s, exact height, h = 5e-4");
    spin s = spin_of("rattle-", "sem", "cayley", 5e-4);
    assert_int_equal(s.crossings, 1);
    suite_near1("reversal", s.first, 1.930, 2e-3, 1);
    suite_near1("spin at 20 s", s.end, 1.2627, 3e-4, 1); /* the truth is between 1.2625 and 1.2626 */
    suite_case("rattleback over 20 s, the other way");
    s = spin_of("rattle+", "sem", "cayley", 1e-3);
    assert_int_equal(s.crossings, 0);
    static const double h[] = {1e-3, 2e-3};
    for (int k = 0; k < 2; k++) {
        suite_case("rattleback over 20 s, height by its rate, h = %g", h[k]);
        s = spin_of("rattleback-", "sem", "cayley", h[k]);
        assert_int_equal(s.crossings, 1);
        suite_near1("reversal", s.first, k == 0 ? 1.928 : 1.925, 3e-3, 1);
        suite_near1("spin at 20 s", s.end, 1.2625, 5e-4, 1);
        s = spin_of("rattleback+", "sem", "cayley", h[k]);
        assert_int_equal(s.crossings, 0);
        suite_near1("spin at 20 s", s.end, 1.1722, 1e-3, 1);
    }
}

/* ---- transmission, not reversible: the total energy and the driver's ---- */

typedef struct transmission {
    double energy, last, driver; /* largest deviations of H, of H in the last quarter, of the driver's energy */
} transmission;

static double driver(const lg_integrator *it)
{
    const double s = lg_integrator_configuration(it)[2], v = lg_integrator_momentum(it)[2];
    return v * v / 2 + cos(s) - 0.1 * sin(2 * s);
}

static transmission transmit(const char *name, const char *method, int64_t steps)
{
    test_system t;
    transmission r = {0};
    energy_system_make(&t, name);
    lg_integrator *it = run_start(&t, method, "exp", 0.1);
    const double H = lg_integrator_energy(it), D = driver(it);
    for (int64_t k = 0; k < steps; k++) {
        run_steps(it, 1);
        r.energy = fmax(r.energy, fabs(lg_integrator_energy(it) - H));
        r.driver = fmax(r.driver, fabs(driver(it) - D));
        if (4 * k >= 3 * steps) r.last = fmax(r.last, fabs(lg_integrator_energy(it) - H));
    }
    run_end(&it);
    return r;
}

static void test_transmission(void **state)
{
    (void)state;
    suite_case("cvt_non, sem, T = 1e5");
    transmission r = transmit("cvt_non", "sem", suite_count(1000000));
    suite_below("|H - H_0|", r.energy, 1e-7);
    suite_below("driver", r.driver, 1e-7);
    suite_case("cvt_non4, sem, T = 1e5");
    r = transmit("cvt_non4", "sem", suite_count(1000000));
    suite_below("|H - H_0|", r.energy, 1e-7);
    suite_case("cvt_non, sem, T = 1e4");
    r = transmit("cvt_non", "sem", suite_count(100000));
    suite_below("|H - H_0|", r.energy, 1e-8);
    suite_below("driver", r.driver, 1e-8);
    suite_case("cvt_non, nsv, T = 1e4");
    r = transmit("cvt_non", "nsv", suite_count(100000));
    suite_below("|H - H_0|", r.energy, 0.01);
    if (suite_reduced()) return; /* what follows drifts only in the long run */
    suite_case("cvt_non, smv, T = 1e4");
    r = transmit("cvt_non", "smv", 100000);
    suite_above("|H - H_0|", r.last, 0.1);
    suite_case("cvt_non, sml, T = 1e4");
    r = transmit("cvt_non", "sml", 100000);
    suite_above("|H - H_0|", r.last, 0.3);
    suite_case("cvt_non, sem:gonzalez, T = 1e4");
    r = transmit("cvt_non", "sem:gonzalez", 100000);
    suite_below("|H - H_0|", r.energy, 1e-10);
    suite_above("driver", r.driver, 0.1);
}

/* ---- oscillators ---- */

static void test_oscillators(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t steps;
    } list[] = {{"contact", 1000000}, {"contact_eps", 1000000}, {"contact_shift", 100000}, {"chaotic", 1000000}};
    for (int i = 0; i < 4; i++) {
        test_system t;
        energy_system_make(&t, list[i].name);
        suite_case("%s, sem, T = %g", t.name, 0.1 * (double)list[i].steps);
        lg_integrator *it = run_start(&t, "sem", "exp", 0.1);
        run_extremes w = run_watch(it, suite_reduced() ? list[i].steps / 100 : list[i].steps, 0);
        suite_below("|H - H_0|", w.energy, 1e-11);
        suite_below("|A xi|", w.constraint, 1e-14 * w.size);
        run_end(&it);
    }
}

/* ---- theorem 1 with nsv, Suslov without sem ---- */

static void test_others(void **state)
{
    (void)state;
    test_system t;
    for (int r = 0; r < 2; r++) {
        energy_system_make(&t, "so3_bi");
        suite_case("theorem 1 over 1e5 steps, nsv, %s", retractions[r]);
        lg_integrator *it = run_start(&t, "nsv", retractions[r], 0.1);
        run_extremes w = run_watch(it, suite_count(100000), 0);
        suite_below("|H(p~) - H_0|", w.energy, 1e-12);
        run_end(&it);
    }
    energy_system_make(&t, "suslov");
    suite_case("Suslov to t = 1e3, nsv: energy grows");
    lg_integrator *it = run_start(&t, "nsv", "cayley", 0.1);
    run_extremes w = run_watch(it, 10000, 0);
    suite_above("|H - H_0|", w.last, 0.1);
    run_end(&it);
    suite_case("moving energy of a ball on a turning table to t = 1e4");
    energy_system_make(&t, "ball_phys");
    it = run_start(&t, "sem", "cayley", 0.1);
    double worst = 0, first = NAN;
    for (int k = 0; k <= suite_count(100000); k++) {
        const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
        const double E = lg_integrator_energy(it) - 0.2 * (g[0] * p[1] - g[1] * p[0]);
        if (k == 0) first = E;
        worst = fmax(worst, fabs(E - first));
        run_steps(it, 1);
    }
    suite_below("change", worst, 1e-11);
    run_end(&it);
}

/* Compositions of `sem` keep H as its steps do: T = 2000 with macro steps 0.2. */
static void test_compositions(void **state)
{
    (void)state;
    static const char *const names[] = {"suslov", "particle_quad", "vtop", "sphp"};
    static const char *const methods[] = {"sem@yoshida4", "sem@suzuki4", "sem@kahan-li6", "sem@kahan-li8"};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            test_system t;
            energy_system_make(&t, names[i]);
            suite_case("%s, %s, T = 2000", t.name, methods[k]);
            lg_integrator *it = run_start(&t, methods[k], "exp", 0.2);
            run_extremes w = run_watch(it, suite_count(10000), 0);
            suite_below("|H - H_0|", w.energy, 1e-11);
            suite_below("|A xi|", w.constraint, 1e-14 * w.size);
            run_end(&it);
        }
}

int main(void)
{
    suite_begin("long runs");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_100000_steps), cmocka_unit_test(test_rotational_momentum),
        cmocka_unit_test(test_attracted),    cmocka_unit_test(test_rattleback),
        cmocka_unit_test(test_transmission), cmocka_unit_test(test_oscillators),
        cmocka_unit_test(test_others),       cmocka_unit_test(test_compositions),
    };
    return cmocka_run_group_tests_name("long_runs", tests, NULL, NULL);
}
