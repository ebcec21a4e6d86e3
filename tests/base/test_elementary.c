/* SPDX-License-Identifier: BSD-3-Clause */
/* The elementary functions against libm in long double, where that is wider than double: errors in ulps over all sizes
 * of arguments, the special values, and the agreement of the forms. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/suite.h"

#define SAMPLES 300000

/* The distance in units in the last place of `want`. */
static double ulps(double got, long double want)
{
    const double size = fabs((double)want), next = nextafter(size, INFINITY);
    return fabs((double)(((long double)got - want) / (isinf(next) ? size - nextafter(size, 0) : next - size)));
}

static double worst;

/* The argument is written down where it is needed only: that takes longer than the function. */
static void near_ulps(const char *what, const double *x, int count, double got, long double want, double bound)
{
    const double off = ulps(got, want), most = LDBL_MANT_DIG > DBL_MANT_DIG ? bound : bound + 1;
    if (off > worst) worst = off;
    if (off <= most) return;
    suite_case("%s", what);
    suite_input("arguments", x, count);
    suite_below(what, off, most);
}

/* Any size and sign. */
static double any_size(lg_rng *rng, double least, double most)
{
    const double mantissa = 1 + lg_rng_uniform(rng);
    const double size = ldexp(mantissa, (int)floor(least + (most - least) * lg_rng_uniform(rng)));
    return lg_rng_uniform(rng) < 0.5 ? -size : size;
}

static void check_sincos(double x)
{
    double s, c;
    lg_real_sincos(&s, &c, x);
    near_ulps("sin, in ulps", &x, 1, s, sinl((long double)x), 1);
    near_ulps("cos, in ulps", &x, 1, c, cosl((long double)x), 1);
    const double alone[2] = {lg_real_sin(x), lg_real_cos(x)}, both[2] = {s, c};
    if (memcmp(alone, both, sizeof both) == 0) return;
    suite_case("sine and cosine of %a", x);
    suite_same_bits("alone", alone, both, 2);
}

/* 6381956970095103 * 2^797 is the double that comes nearest to a multiple of pi/2: 2^-61 of it is left. */
static void test_sincos(void **state)
{
    lg_rng rng = suite_rng(1);
    (void)state;
    worst = 0;
    for (int k = 0; k < suite_count(SAMPLES); k++) {
        check_sincos(any_size(&rng, -40, 17));
        check_sincos(any_size(&rng, 16, 1024));
        check_sincos(SUITE_PI / 2 * floor(lg_rng_uniform(&rng) * 1e6));
        check_sincos(nearbyint(any_size(&rng, 16, 60)) * (SUITE_PI / 2));
    }
    const double special[] = {0,
                              1e5,
                              nextafter(1e5, INFINITY),
                              -1e5,
                              DBL_MAX,
                              -DBL_MAX,
                              6381956970095103 * 0x1p797,
                              -6381956970095103 * 0x1p797,
                              5319372648326541 * 0x1p255,
                              DBL_MIN,
                              0x1p-1074,
                              0x1p100};
    for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) check_sincos(special[k]);
    assert_true(signbit(lg_real_sin(-0.0)) && !signbit(lg_real_sin(0.0)) && lg_real_cos(-0.0) == 1);
    assert_true(isnan(lg_real_sin(INFINITY)) && isnan(lg_real_cos(-INFINITY)) && isnan(lg_real_sin(NAN)) &&
                isnan(lg_real_cos(NAN)));
    printf("sin, cos: %.3f ulp\n", worst);
}

static void test_atan2(void **state)
{
    static const double zeros[] = {0, -0.0, 1, -1, 1e-300, INFINITY, -INFINITY, 0x1p-1074, DBL_MAX, -DBL_MAX};
    lg_rng rng = suite_rng(2);
    (void)state;
    worst = 0;
    for (int k = 0; k < suite_count(SAMPLES); k++)
        for (int wide = 0; wide < 2; wide++) {
            const double y = any_size(&rng, wide ? -500 : -3, wide ? 1024 : 3);
            const double x = any_size(&rng, wide ? -1074 : -3, wide ? 500 : 3);
            near_ulps("atan2, in ulps", (double[2]){y, x}, 2, lg_real_atan2(y, x),
                      atan2l((long double)y, (long double)x), 4);
            if (fabs(x / y) > DBL_MIN)
                near_ulps("atan2, in ulps", (double[2]){x, y}, 2, lg_real_atan2(x, y),
                          atan2l((long double)x, (long double)y), 4);
        }
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 10; k++) {
            const double y = zeros[i], x = zeros[k], got = lg_real_atan2(y, x), want = atan2(y, x);
            suite_case("atan2(%a, %a)", y, x);
            suite_near1("special", got, want, 2 * SUITE_EPS, fabs(want));
            assert_true(!signbit(got) == !signbit(want));
        }
    assert_true(isnan(lg_real_atan2(NAN, 1)) && isnan(lg_real_atan2(1, NAN)) && isnan(lg_real_atan2(NAN, NAN)));
    printf("atan2: %.3f ulp\n", worst);
}

static void test_exp_and_log(void **state)
{
    lg_rng rng = suite_rng(3);
    (void)state;
    worst = 0;
    for (int k = 0; k < suite_count(SAMPLES); k++) {
        const double x[] = {1400 * lg_rng_uniform(&rng) - 700, any_size(&rng, -60, 3)};
        for (int i = 0; i < 2; i++) near_ulps("exp, in ulps", &x[i], 1, lg_real_exp(x[i]), expl((long double)x[i]), 1);
    }
    printf("exp: %.3f ulp\n", worst);
    worst = 0;
    for (int k = 0; k < suite_count(SAMPLES); k++) {
        const double x[] = {fabs(any_size(&rng, -1074, 1024)), 0.5 + lg_rng_uniform(&rng), 1 + any_size(&rng, -52, -2)};
        for (int i = 0; i < 3; i++)
            if (x[i] != 1) near_ulps("log, in ulps", &x[i], 1, lg_real_log(x[i]), logl((long double)x[i]), 1);
    }
    printf("log: %.3f ulp\n", worst);
    assert_true(lg_real_exp(0) == 1 && lg_real_exp(-INFINITY) == 0 && isinf(lg_real_exp(INFINITY)) &&
                isnan(lg_real_exp(NAN)));
    assert_true(isinf(lg_real_exp(709.79)) && lg_real_exp(709.78) > 1e308 && lg_real_exp(-745.2) == 0 &&
                lg_real_exp(-745) > 0);
    assert_true(lg_real_log(1) == 0 && lg_real_log(0) == -INFINITY && lg_real_log(INFINITY) == INFINITY &&
                isnan(lg_real_log(-1)));
    assert_true(isnan(lg_real_log(NAN)));
}

int main(void)
{
    suite_begin("elementary");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sincos),
        cmocka_unit_test(test_atan2),
        cmocka_unit_test(test_exp_and_log),
    };
    return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
