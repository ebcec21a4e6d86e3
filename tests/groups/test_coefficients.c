/* SPDX-License-Identifier: BSD-3-Clause */
/* The scalar functions of src/groups/coefficients.h against multiprecision values, on both sides of every seam: the
 * reference implementation's table (coefficients.json, functions of the angle t) and our own denser one (accuracy.json,
 * functions of x = t^2, with derivatives in x). */
#include <math.h>
#include <string.h>

#include "groups/coefficients.h"
#include "support/reference.h"
#include "support/suite.h"

typedef struct values {
    double S, c, A, B[3], C[3], E[3];
} values;

static values at(double x)
{
    values v;
    double B, C;
    coef_half(x, &v.S, &v.c);
    coef_ABC_angle(sqrt(x), &v.A, &B, &C);
    coef_BC2(x, v.B, v.C);
    coef_E2(x, v.E);
    return v;
}

/* Relative error, measured against `floor` where the function itself passes through zero. */
static void check(const char *what, double got, const cJSON *want, double tolerance, double floor)
{
    double w = ref_number(want);
    suite_near1(what, got, w, tolerance, fmax(fabs(w), floor));
}

/* 2e-15 relative, the promise; A, S and c vanish at t = pi, 2 pi, pi and are held to 2e-15 of their largest value
 * there: in exp and its tangents they are added to terms of that size. Beyond t = pi only the closed forms' own
 * rounding is allowed; second derivatives (Newton's matrix only) are held to 1e-13. */
static void test_table_in_x(void **state)
{
    (void)state;
    cJSON *root = ref_load_shared("accuracy.json");
    const cJSON *item;
    cJSON_ArrayForEach(item, ref_get(root, "coefficients"))
    {
        double x = ref_number(ref_get(item, "x"));
        values v = at(x);
        double first = 2e-15, second = 1e-13, pole = 1 / (1 - fmin(x / COEF_POLE, 0.999999));
        suite_case("x = t^2 = %.17g", x);
        check("S", v.S, ref_get(item, "S"), first, x > 9 ? 0.3 : 0);
        check("c", v.c, ref_get(item, "c"), first, x > 2 ? 1 : 0);
        check("A", v.A, ref_get(item, "A"), first, x > 4 ? 0.3 : 0);
        check("B", v.B[0], ref_get(item, "B"), first, x > COEF_SERIES ? 0.05 : 0);
        check("C", v.C[0], ref_get(item, "C"), first, 0);
        check("E", v.E[0], ref_get(item, "E"), first * pole, 0);
        check("B'", v.B[1], ref_get(item, "B1"), first, x > COEF_SERIES ? 0.02 : 0);
        check("C'", v.C[1], ref_get(item, "C1"), first, 0);
        check("E'", v.E[1], ref_get(item, "E1"), 4 * first * pole * pole, 0);
        check("B''", v.B[2], ref_get(item, "B2"), second, x > COEF_SERIES ? 1e-3 : 0);
        check("C''", v.C[2], ref_get(item, "C2"), second, 0);
        check("E''", v.E[2], ref_get(item, "E2"), second * pole * pole * pole, 0);
    }
    cJSON_Delete(root);
}

/* coefficients.json: D1 = (1/2 - B)/x = B' + C/2 and D2 = -C'. The angle is exact there, x = t^2 rounds once: that
 * costs another eps x f'/f, at most 2 eps away from zeros. */
static void test_table_in_t(void **state)
{
    (void)state;
    cJSON *root = ref_load("coefficients.json");
    static const char *const names[] = {"A", "B", "C", "D1", "D2", "E"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const cJSON *pair;
        cJSON_ArrayForEach(pair, ref_get(root, names[k]))
        {
            double t = ref_number(cJSON_GetArrayItem(pair, 0)), A, B, C;
            if (t > 4 && k == 1)
                continue; /* B ~ (2 pi - t)^2 there: only its absolute size matters, as in the table in x */
            values v = at(t * t);
            coef_ABC_angle(t, &A, &B, &C);
            const double got[] = {A, B, C, v.B[1] + 0.5 * v.C[0], -v.C[1], v.E[0]};
            double pole = 1 / (1 - fmin(t * t / COEF_POLE, 0.999999)), floor = k == 0 && t > 2 ? 0.3 : 0;
            suite_case("%s at t = %.17g", names[k], t);
            check(names[k], got[k], cJSON_GetArrayItem(pair, 1), k == 5 ? 2e-15 * pole : 2e-15, floor);
        }
    }
    cJSON_Delete(root);
}

/* The variants agree with one another: what takes t with what takes x, what gives one value with what gives three. */
static void test_variants(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(1);
    for (int k = 0; k < suite_count(20000); k++) {
        double t = k % 2 ? suite_angle(&rng, 6) : 6 * lg_rng_uniform(&rng), x = t * t;
        double S, c, S2, c2, A, B, C, B1[2], C1[2], B0, C0, E1[2];
        suite_case("variants");
        suite_input("t", &t, 1);
        values v = at(x);
        coef_half_angle(t, &S, &c);
        coef_half(x, &S2, &c2);
        suite_near1("S", S, S2, 1e-15, 1);
        suite_near1("c", c, c2, 1e-15, 1);
        coef_ABC_angle(t, &A, &B, &C);
        suite_near1("A = S c", A, S * c, 2e-15, 1);
        suite_near1("B = S^2/2", B, 0.5 * S * S, 2e-15, 1);
        coef_BC(x, &B0, &C0);
        coef_BC1(x, B1, C1);
        coef_E1(x, E1);
        suite_near1("B", B0, v.B[0], 1e-15, 1);
        suite_near1("B", B1[0], v.B[0], 1e-15, 1);
        suite_near1("C", C0, v.C[0], 1e-15, 1);
        suite_near1("C", coef_C(x, S * c), v.C[0], 2e-15, 1);
        suite_near1("B'", B1[1], v.B[1], 1e-15, 1);
        suite_near1("C'", C1[1], v.C[1], 1e-15, 1);
        suite_near1("E", E1[0], v.E[0], 1e-15, v.E[0]);
        suite_near1("E", coef_E(x), v.E[0], 1e-15, v.E[0]);
        suite_near1("E'", E1[1], v.E[1], 1e-15, v.E[1]);
    }
}

/* Continuity across every seam: neighbouring doubles give values that differ by rounding only. */
static void test_seams(void **state)
{
    (void)state;
    static const double seams[] = {1.0, 4.0, COEF_SERIES, SUITE_PI * SUITE_PI};
    for (size_t k = 0; k < sizeof seams / sizeof seams[0]; k++) {
        double x = seams[k];
        values low = at(nextafter(x, 0)), high = at(nextafter(x, 100));
        suite_case("seam x = %.17g", x);
        suite_near1("S", high.S, low.S, 1e-15, 1);
        suite_near1("c", high.c, low.c, 1e-15, 1);
        suite_near1("A", high.A, low.A, 1e-15, 1);
        suite_near("B", high.B, low.B, 2, 1e-15, 1);
        suite_near("C", high.C, low.C, 2, 1e-15, 1);
        suite_near1("E", high.E[0], low.E[0], 4e-15, low.E[0]);
        suite_near1("E'", high.E[1], low.E[1], 2e-14, low.E[1]);
        suite_near1("E''", high.E[2], low.E[2], 4e-13, low.E[2]);
    }
}

static double ulps(double got, long double want)
{
    double size = fabs(got);
    return fabs((double)(((long double)got - want) / (nextafter(size, INFINITY) - size)));
}

/* sin, cos and arctan of the kernels against libm in long double: below 1 ulp, near the zeros too (0.84 measured). */
static void test_sincos(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(2);
    for (int k = 0; k < suite_count(400000); k++) {
        double x = (lg_rng_uniform(&rng) - 0.5) * pow(10, 8 * lg_rng_uniform(&rng) - 2), s, c;
        if (k % 16 == 0) x = SUITE_PI / 2 * (1 + floor(60000 * lg_rng_uniform(&rng)));
        lane_sincos(x, &s, &c);
        suite_case("sincos");
        suite_input("x", &x, 1);
        suite_below("sin, in ulps", ulps(s, sinl((long double)x)), 1);
        suite_below("cos, in ulps", ulps(c, cosl((long double)x)), 1);
        double a = 1.7 * lg_rng_uniform(&rng), n = sin(a), w = fabs(cos(a));
        suite_input("a", &a, 1);
        suite_near1("arctan2", n * arctan2_ratio(n * n, w), (double)atan2l(n, w), 4 * SUITE_EPS, atan2(n, w));
        double wrapped = lg_wrap(x);
        assert_true(wrapped > -LG_PI && wrapped <= LG_PI);
        suite_near1("wrap", sin(wrapped), (double)sinl((long double)x), 4 * SUITE_EPS, 1);
    }
}

int main(void)
{
    suite_begin("coefficients");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_in_x), cmocka_unit_test(test_table_in_t), cmocka_unit_test(test_variants),
        cmocka_unit_test(test_seams),      cmocka_unit_test(test_sincos),
    };
    return cmocka_run_group_tests_name("coefficients", tests, NULL, NULL);
}
