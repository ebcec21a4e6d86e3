/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of Gauss collocation satisfy their conditions to the last digits, at every number of stages: an
 * error of a step's order would hide one of 1e-12. */
#include <float.h>
#include <math.h>

#include "integrators/collocation/tableau.h"
#include "support/suite.h"

/* Sums of s terms, each of which is off by a rounding or two. */
static double digits(int s)
{
    return 2 * s * DBL_EPSILON;
}

/* P_k(2 x - 1). */
static double legendre(int k, double x)
{
    double before = 1, P = 2 * x - 1;
    if (k == 0) return 1;
    for (int i = 1; i < k; i++) {
        const double next = ((2 * i + 1) * (2 * x - 1) * P - i * before) / (i + 1);
        before = P, P = next;
    }
    return P;
}

/* int_0^x P_k(2 t - 1) dt. */
static double integral(int k, double x)
{
    return k == 0 ? x : (legendre(k + 1, x) - legendre(k - 1, x)) / (2 * (2 * k + 1));
}

static void check(const lg_tableau *o)
{
    const int s = o->s;
    suite_case("s = %d", s);
    for (int k = 0; k < 2 * s; k++) { /* of polynomials up to degree 2 s - 1 the weights give the integral */
        double sum = 0;
        for (int j = 0; j < s; j++) sum += o->b[j] * legendre(k, o->c[j]);
        suite_near1("weights", sum, k == 0, digits(s), 1);
    }
    for (int i = 0; i < s; i++) {
        suite_near1("nodes", legendre(s, o->c[i]), 0, 4 * s * digits(s), 1);
        suite_near1("pairs of nodes", o->c[i] + o->c[s - 1 - i], 1, DBL_EPSILON, 1);
        suite_near1("pairs of weights", o->b[i], o->b[s - 1 - i], DBL_EPSILON, 1);
        suite_near1("last", o->last[i], o->b[i] * legendre(s - 1, o->c[i]), s * digits(s), 1);
        for (int k = 0; k < s; k++) { /* and a that up to each node, up to degree s - 1 */
            double sum = 0, unit = 0;
            for (int j = 0; j < s; j++) {
                sum += o->a[i * s + j] * legendre(k, o->c[j]);
                unit += o->inverse[i * s + j] * o->a[j * s + k];
            }
            suite_near1("a", sum, integral(k, o->c[i]), digits(s), 1);
            suite_near1("inverse", unit, i == k, s * s * digits(s), 1);
            suite_near1("legendre", o->legendre[k * s + i], legendre(k, o->c[i]), s * digits(s), 1);
            /* quadratic invariants are kept */
            suite_near1("symplectic", o->b[i] * o->a[i * s + k] + o->b[k] * o->a[k * s + i], o->b[i] * o->b[k],
                        digits(1), 1);
        }
    }
}

static void test_conditions(void **state)
{
    (void)state;
    lg_tableau o;
    for (int s = 1; s <= LG_STAGES_MOST; s++) {
        lg_tableau_make(&o, s);
        check(&o);
    }
}

static void test_values_elsewhere(void **state)
{
    (void)state;
    lg_tableau o;
    double E[LG_STAGES_MOST * LG_STAGES_MOST];
    for (int s = 1; s <= LG_STAGES_MOST; s++) {
        suite_case("s = %d", s);
        lg_tableau_make(&o, s);
        lg_tableau_extend(&o, 0.25, 0.5, E);
        for (int i = 0; i < s; i++)
            for (int k = 0; k < s; k++) {
                double sum = 0;
                for (int j = 0; j < s; j++) sum += E[i * s + j] * legendre(k, o.c[j]);
                suite_near1("extended", sum, legendre(k, 0.25 + 0.5 * o.c[i]), s * digits(s), 1);
            }
    }
}

int main(void)
{
    suite_begin("tableau");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions), cmocka_unit_test(test_values_elsewhere)};
    return cmocka_run_group_tests_name("tableau", tests, NULL, NULL);
}
