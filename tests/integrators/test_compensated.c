/* SPDX-License-Identifier: BSD-3-Clause */
/* Compensated steps: H stays where it was, coefficients have the digits that rounding took off, and nothing of what was
 * carried survives a start. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/engine/compensation.h"
#include "integrators/integrator.h"
#include "support/energy_systems.h"
#include "support/suite.h"

static lg_integrator *begin(const test_system *t, const char *method, double h)
{
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, &t->S, method, "exp", h));
    suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 1));
    return it;
}

/* The largest error of H minus the work since the start in `steps` steps, relative to the larger of its terms. */
static double farthest(const test_system *t, const char *method, int steps)
{
    lg_integrator *it = begin(t, method, t->h);
    long double done = 0;
    double first = 0, most = 0, size = 0;
    for (int k = 0; k < steps; k++) {
        suite_ok("step", lg_integrator_step(it));
        double V = 0;
        const double H = lg_integrator_energy(it);
        lg_field field = it->field;
        (void)lg_field_potential(&field, lg_integrator_time(it), lg_integrator_configuration(it), &V);
        done = k ? done + (long double)lg_integrator_step_work(it) : 0;
        first = k ? first : H;
        size = fmax(size, fmax(fabs(H - V), fabs(V)));
        most = fmax(most, (double)fabsl(H - first - done));
    }
    lg_integrator_destroy(it);
    return most / size;
}

/* The last one moves steadily: there nothing can be returned. */
static const char *const names[] = {"se3", "suslov", "top", "particle_quad", "robot", "twolink", "racer", "snakeboard"};
enum { SYSTEMS = sizeof names / sizeof *names };

/* Free, with a potential, rows, a dense inertia, a metric J(g). */
static void test_energy_stays(void **state)
{
    (void)state;
    for (int i = 0; i < SYSTEMS; i++) {
        test_system t;
        energy_system_make(&t, names[i]);
        suite_case("%s", names[i]);
        const int steps = suite_count(4000);
        const double plain = farthest(&t, "sem", steps), stays = farthest(&t, "sem:compensated", steps);
        printf("%-14s %.1e, compensated %.1e\n", names[i], plain, stays);
        suite_below("H with compensated steps", stays, 3e-15); /* what evaluating H itself rounds */
    }
}

/* Where H is off by some ulp of what is kept, steps return that, by no more than round-off of velocities at a time. */
static void test_energy_returns(void **state)
{
    (void)state;
    for (int i = 0; i < SYSTEMS - 1; i++) {
        test_system t;
        energy_system_make(&t, names[i]);
        suite_case("%s", names[i]);
        lg_integrator *it = begin(&t, "sem:compensated", t.h);
        suite_ok("run", lg_integrator_run(it, 3, 3, NULL, NULL));
        real *balance = it->workspace->now->balance;
        const double kept = balance[LG_BALANCE_KEPT], off = 1e-14 * fabs(kept);
        balance[LG_BALANCE_KEPT] -= off, balance[LG_BALANCE_EXCESS] += off;
        suite_ok("run", lg_integrator_run(it, 3000, 3000, NULL, NULL));
        balance = it->workspace->now->balance;
        printf("%-14s %.1e of %.1e\n", names[i], balance[LG_BALANCE_EXCESS], off);
        suite_near1("what is kept", balance[LG_BALANCE_KEPT], kept - off, 1e-15, fabs(kept));
        suite_near1("what is left", balance[LG_BALANCE_EXCESS], 0, 0.1, off);
        lg_integrator_destroy(it);
    }
}

/* a.b in pairs is right to 1e-31 of its terms, where doubles have lost all. */
static void test_products(void **state)
{
    lg_rng rng = suite_rng(1);
    (void)state;
    for (int k = 0; k < suite_count(2000); k++) {
        const double x = lg_rng_normal(&rng), y = lg_rng_normal(&rng), tiny = 1e-17 * lg_rng_normal(&rng);
        const double a[3] = {x, y, -x}, b[3] = {y, tiny, y}, none[3] = {0, 0, 0};
        double sum, rest;
        compensated_dot(3, a, b, none, &sum, &rest);
        suite_case("%d", k), suite_input("a", a, 3), suite_input("b", b, 3);
        suite_near1("a.b", sum + rest, y * tiny, 1e-31, fmax(1, fabs(x * y)));
    }
}

/* (K + rest) A^T = 1 far beyond double precision, by which K A^T misses it. */
static void test_reflector(void **state)
{
    static const double J[9] = {1.3, 0.2, -0.1, 0.2, 1.7, 0.3, -0.1, 0.3, 2.1}, A[6] = {0.3, 0.7, 0.2, -0.4, 0.1, 0.9};
    test_system t;
    (void)state;
    test_system_make(&t, "suslov");
    t.S.inertia = J, t.S.inertia_diagonal = NULL, t.S.covector_matrix = A, t.S.constraint_count = 2;
    lg_integrator *it = NULL;
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni:compensated", "exp", 0.1));
    const lg_constants *o = &it->workspace->constants;
    double plain = 0, compensated = 0;
    for (int r = 0; r < 2; r++)
        for (int s = 0; s < 2; s++) {
            double sum, rest;
            compensated_dot(3, A + 3 * s, o->reflector + 3 * r, o->reflector_rest + 3 * r, &sum, &rest);
            compensated = fmax(compensated, fabs((sum - (r == s)) + rest));
            compensated_dot(3, A + 3 * s, o->reflector + 3 * r, (double[3]){0, 0, 0}, &sum, &rest);
            plain = fmax(plain, fabs((sum - (r == s)) + rest));
        }
    printf("K A^T - 1: %.1e, with its rest %.1e\n", plain, compensated);
    suite_above("what rounding takes off", plain, 1e-18);
    suite_below("what is left", compensated, 1e-30);
    lg_integrator_destroy(it);
}

/* A start after a run gives the state of a new integrator, bit for bit, and so do the steps after it. */
static void test_starts_afresh(void **state)
{
    static const char *const methods[] = {"gni:compensated", "sem:compensated"};
    test_system t;
    (void)state;
    test_system_make(&t, "suslov");
    for (int m = 0; m < 2; m++) {
        lg_integrator *fresh = begin(&t, methods[m], t.h), *used = begin(&t, methods[m], t.h);
        suite_case("%s", methods[m]);
        suite_ok("run", lg_integrator_run(used, 7, 7, NULL, NULL));
        suite_ok("start", lg_integrator_start(used, 0, t.g0, t.xi0, LG_START_REACTION, 1));
        for (int k = 0; k < 5; k++) {
            suite_same_bits("p^+", used->workspace->now->p_plus, fresh->workspace->now->p_plus, t.S.group->dim);
            suite_same_bits("p^-", used->workspace->now->p_minus, fresh->workspace->now->p_minus, t.S.group->dim);
            suite_ok("step", lg_integrator_step(used)), suite_ok("step", lg_integrator_step(fresh));
        }
        lg_integrator_destroy(fresh), lg_integrator_destroy(used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_stays), cmocka_unit_test(test_energy_returns), cmocka_unit_test(test_products),
        cmocka_unit_test(test_reflector),    cmocka_unit_test(test_starts_afresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
