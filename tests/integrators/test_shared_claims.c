/* SPDX-License-Identifier: BSD-3-Clause */
/* What shared-multiplier methods conserve, and which of them do not (docs/theory.md section 6): energies, momenta, the
 * asymptotic motions. Each claim is shown to be one: the method that must fail it does. Long runs: test_long_runs.c. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"

static const char *const retractions[] = {"exp", "cayley"};

/* ---- H exact for `sem`: V = 0, gravity, polynomials to round-off, others to the quadrature ---- */

static void test_energy(void **state)
{
    (void)state;
    static const struct {
        const char *name, *retraction;
        double bound; /* relative */
    } list[] = {
        {"particle_quad", "exp", 1e-12}, {"snakeboard", "exp", 1e-12}, {"contact", "exp", 1e-12},
        {"contact_eps", "exp", 1e-12},   {"chaotic", "exp", 1e-12},    {"sleigh", "exp", 1e-12},
        {"sleigh", "cayley", 1e-12},     {"suslov", "exp", 1e-12},     {"suslov", "cayley", 1e-12},
        {"so3_bi", "cayley", 1e-12},     {"ball_phys0", "exp", 1e-12}, {"ball_phys0", "cayley", 1e-12},
        {"disk", "cayley", 1e-12},       {"disk", "exp", 1e-12},       {"rattleback-", "cayley", 1e-12},
        {"robot", "exp", 1e-11},         {"vtop", "exp", 1e-12},       {"vtop", "cayley", 1e-12},
        {"contact_shift", "exp", 1e-12}, {"cvt_rev", "exp", 1e-9},     {"cvt_non", "exp", 1e-9},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        test_system t;
        energy_system_make(&t, list[i].name);
        suite_case("energy of %s, sem, %s", t.name, list[i].retraction);
        lg_integrator *it = run_start(&t, "sem", list[i].retraction, t.h);
        const double H = fmax(1, fabs(lg_integrator_energy(it)));
        run_extremes w = run_watch(it, suite_count(10000), 0);
        suite_below("|H - H_0|", w.energy, list[i].bound * H);
        run_end(&it);
    }
}

/* The Gonzalez form is exact with one force a step; the variational ones oscillate: the figures above are no accident.
 */
static void test_other_energies(void **state)
{
    (void)state;
    static const char *const forms[] = {"sem:gonzalez", "nsv", "smv", "sml", "gni-r"};
    for (int k = 0; k < 5; k++) {
        test_system t;
        energy_system_make(&t, "robot");
        suite_case("energy of robot, %s", forms[k]);
        lg_integrator *it = run_start(&t, forms[k], "exp", t.h);
        run_extremes w = run_watch(it, suite_count(10000), 0);
        if (k == 0)
            suite_below("|H - H_0|", w.energy, 1e-11);
        else
            suite_above("|H - H_0|", w.energy, 1e-3);
        if (k < 4) suite_below("|H - H_0|", w.energy, 0.1); /* bounded; gni-r drifts to 1 */
        run_end(&it);
    }
}

/* Theorem 1 of [P0] holds for H(p~) itself with nsv: V = 0, bi-invariant J, any distribution. smv fails it. */
static void test_theorem_1(void **state)
{
    (void)state;
    static const char *const names[] = {"so3_bi", "snakeboard"};
    for (int i = 0; i < 2; i++)
        for (int r = 0; r < 2; r++)
            for (int raw = 0; raw < 2; raw++) {
                test_system t;
                energy_system_make(&t, names[i]);
                suite_case("H(p~) of %s, %s, %s", t.name, raw ? "smv" : "nsv", retractions[r]);
                lg_integrator *it = run_start(&t, raw ? "smv" : "nsv", retractions[r], 0.1);
                run_extremes w = run_watch(it, 10000, 0);
                if (raw)
                    suite_above("|H - H_0|", w.energy, 1e-6);
                else
                    suite_below("|H - H_0|", w.energy, 1e-12);
                run_end(&it);
            }
}

/* ---- momenta ---- */

/* p+ = p~ - (h/2) A^T lambda: the momentum that arrives. */
static void arriving(const test_system *t, const lg_integrator *it, double *out)
{
    const int n = lg_group_dim(t->S.group);
    double A[6 * SUITE_DIM], b[6];
    const int m = system_rows(&t->S, lg_integrator_time(it), lg_integrator_configuration(it), A, b);
    memcpy(out, lg_integrator_momentum(it), sizeof(double) * (size_t)n);
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++)
            out[i] -= lg_integrator_step_size(it) / 2 * lg_integrator_multipliers(it)[a] * A[a * n + i];
}

/* The element zeta = (a, b, w) of se(2), acting on the plane from the left, whose generator lies in the snakeboard's
 * distribution at q; and the pairing of a covector with that generator. */
static void section(const double *q, double *zeta)
{
    zeta[2] = -sin(q[4]);
    zeta[0] = cos(q[2]) * cos(q[4]) + zeta[2] * q[1];
    zeta[1] = sin(q[2]) * cos(q[4]) - zeta[2] * q[0];
}

static double pairing(const double *p, const double *zeta, const double *q)
{
    return p[0] * (zeta[0] - zeta[2] * q[1]) + p[1] * (zeta[1] + zeta[2] * q[0]) + p[2] * zeta[2];
}

/* J_{k+1} - J_k = <p+_{k+1}, (zeta_{k+1} - zeta_k)_Q>: the discrete momentum equation. */
static void test_momentum_equation(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "nsv", "smv", "sem:gonzalez"}; /* sml kicks between the nodes */
    for (int k = 0; k < 4; k++) {
        test_system t;
        double before[3], zeta[3], change[3], p[5], moved = 0;
        energy_system_make(&t, "snakeboard");
        suite_case("momentum equation of the snakeboard, %s", methods[k]);
        lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
        section(lg_integrator_configuration(it), before);
        double J = pairing(lg_integrator_momentum(it), before, lg_integrator_configuration(it));
        for (int i = 0; i < 500; i++) {
            run_steps(it, 1);
            const double *q = lg_integrator_configuration(it);
            section(q, zeta);
            for (int j = 0; j < 3; j++) change[j] = zeta[j] - before[j];
            arriving(&t, it, p);
            const double next = pairing(lg_integrator_momentum(it), zeta, q);
            suite_near1("J_(k+1) - J_k", next - J, pairing(p, change, q), 1e-12, 10);
            moved = fmax(moved, fabs(next - J));
            memcpy(before, zeta, sizeof zeta);
            J = next;
        }
        suite_above("change of J", moved, 1e-3);
        run_end(&it);
    }
}

/* What a horizontal symmetry keeps, as numbers of a state. */
static int horizontal(const test_system *t, const lg_integrator *it, double *out)
{
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    double R[9];
    if (strcmp(t->name, "snakeboard") == 0) { /* psi and phi */
        out[0] = p[3];
        out[1] = p[4];
        return 2;
    }
    if (strcmp(t->name, "robot") == 0) { /* theta */
        out[0] = p[2];
        return 1;
    }
    if (strcmp(t->name, "veselova") == 0) { /* momentum in space along e_1, e_2 */
        suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g));
        mat_apply(out, R, p, 2, 3);
        return 2;
    }
    suite_ok("to_matrix",
             lg_group_to_matrix(lg_so3(), R, g + 2)); /* a ball about its contact: K = R p_w + r (-p_y, p_x, 0) */
    mat_apply(out, R, p + 2, 3, 3);
    out[0] -= p[1];
    out[1] += p[0];
    return 3;
}

static double horizontal_change(const char *name, const char *method, const char *retraction, int steps)
{
    test_system t;
    double before[3], now[3], worst = 0;
    energy_system_make(&t, name);
    lg_integrator *it = run_start(&t, method, retraction, t.h);
    const int count = horizontal(&t, it, before);
    for (int k = 0; k < steps; k++) {
        run_steps(it, 1);
        horizontal(&t, it, now);
        worst = fmax(worst, suite_distance(now, before, count));
    }
    run_end(&it);
    return worst;
}

static void test_horizontal(void **state)
{
    (void)state;
    static const char *const names[] = {"snakeboard", "robot", "veselova", "ball_phys0", "ball_phys"};
    static const char *const methods[] = {"sem", "nsv", "smv", "sml", "gni-r"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            for (int r = 0; r < 2; r++) {
                suite_case("horizontal momenta of %s, %s, %s", names[i], methods[k], retractions[r]);
                suite_below("change", horizontal_change(names[i], methods[k], retractions[r], suite_count(2000)),
                            1e-12);
            }
    suite_case("horizontal momentum of robot, sem:gonzalez");
    suite_above("change", horizontal_change("robot", "sem:gonzalez", "exp", 2000), 1e-5);
}

/* ---- affine constraints: the table's work, the moving energy H - <p, Y> ---- */

static double moving_energy(const lg_integrator *it)
{
    const double *g = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    return lg_integrator_energy(it) - 0.2 * (g[0] * p[1] - g[1] * p[0]); /* Y = Omega e_z x x */
}

static void test_affine(void **state)
{
    (void)state;
    for (int r = 0; r < 2; r++) {
        test_system t;
        double worst = 0, sum = 0, swing = 0;
        energy_system_make(&t, "ball_phys");
        suite_case("ball on a turning table, %s", retractions[r]);
        lg_integrator *it = run_start(&t, "sem", retractions[r], 0.1);
        const double start = moving_energy(it), first = lg_integrator_energy(it);
        for (int k = 0; k < suite_count(10000); k++) {
            const double H = lg_integrator_energy(it);
            run_steps(it, 1);
            suite_near1("H_(k+1) - H_k - W", lg_integrator_energy(it) - H - lg_integrator_step_work(it), 0, 1e-13,
                        fmax(1, fabs(H)));
            sum += lg_integrator_step_work(it);
            worst = fmax(worst, fabs(moving_energy(it) - start));
            swing = fmax(swing, fabs(lg_integrator_energy(it) - first));
        }
        suite_below("moving energy", worst, 1e-11);
        suite_above("H", swing, 0.1);
        suite_near1("sum of the works", sum, lg_integrator_energy(it) - first, 1e-11, 1);
        run_end(&it);
    }
}

/* ---- asymptotic motions at T = 200: sleigh and Suslov ---- */

static void end_of(const char *name, const char *method, const char *retraction, double *xi)
{
    test_system t;
    energy_system_make(&t, name);
    lg_integrator *it = run_start(&t, method, retraction, 0.1);
    run_steps(it, 2000);
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    run_end(&it);
}

static void test_ends(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double truth[3];
    } list[] = {{"sleigh", {1.183215957, 0, 0}}, {"suslov", {1.161177563, 0.774118375, 0}}};
    for (int i = 0; i < 2; i++)
        for (int r = 0; r < 2; r++) {
            double xi[3];
            suite_case("%s at t = 200, sem, %s", list[i].name, retractions[r]);
            end_of(list[i].name, "sem", retractions[r], xi);
            suite_near("xi", xi, list[i].truth, 3, 1e-5, 1);
            suite_case("%s at t = 200, gni, %s: reverses spuriously", list[i].name, retractions[r]);
            end_of(list[i].name, "gni", retractions[r], xi);
            suite_above("error", suite_distance(xi, list[i].truth, 3), 0.01);
        }
}

/* ---- a driver that feels nothing: cvt_non, T = 1000 ---- */

static void test_driver(void **state)
{
    (void)state;
    static const char *const methods[] = {"sem", "sem:gonzalez"};
    for (int k = 0; k < 2; k++) {
        test_system t;
        energy_system_make(&t, "cvt_non");
        suite_case("driver of cvt_non, %s", methods[k]);
        lg_integrator *it = run_start(&t, methods[k], "exp", 0.1);
        double first = NAN, worst = 0;
        for (int i = 0; i <= 10000; i++) {
            const double s = lg_integrator_configuration(it)[2], v = lg_integrator_momentum(it)[2];
            const double H = v * v / 2 + cos(s) - 0.1 * sin(2 * s);
            if (i == 0) first = H;
            worst = fmax(worst, fabs(H - first));
            run_steps(it, 1);
        }
        if (k == 0)
            suite_below("energy of the driver", worst, 1e-9);
        else
            suite_above("energy of the driver", worst, 1e-3);
        run_end(&it);
    }
}

int main(void)
{
    suite_begin("claims on shared multipliers");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy),     cmocka_unit_test(test_other_energies),
        cmocka_unit_test(test_theorem_1),  cmocka_unit_test(test_momentum_equation),
        cmocka_unit_test(test_horizontal), cmocka_unit_test(test_affine),
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_driver),
    };
    return cmocka_run_group_tests_name("shared_claims", tests, NULL, NULL);
}
