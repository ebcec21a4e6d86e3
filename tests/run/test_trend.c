/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of series with their confidence intervals: exact ones, noise with memory, rounding, NaN, few points. */
#include <float.h>
#include <math.h>

#include "support/suite.h"

typedef double (*series)(double t, lg_rng *rng, double *memory);

static lg_trend collect(series f, int64_t count, double dt, lg_rng *rng)
{
    lg_trend s;
    double memory = 0;
    lg_trend_begin(&s);
    for (int64_t i = 0; i < count; i++) {
        const double t = dt * (double)i;
        lg_trend_add(&s, t, f(t, rng, &memory));
    }
    return s;
}

/* ---- exact lines ---- */

static double line(double t, lg_rng *rng, double *memory)
{
    (void)rng, (void)memory;
    return 7 - 0.25 * t;
}

/* Lines are found to round-off whatever their number of points; the interval is round-off too, and contains them. */
static void test_lines(void **state)
{
    static const int64_t counts[] = {8, 9, 31, 63, 64, 65, 127, 128, 129, 1000, 4095, 4096, 100001};
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        double half;
        suite_case("%lld points", (long long)counts[k]);
        const lg_trend s = collect(line, counts[k], 0.5, NULL);
        const double slope = lg_trend_slope(&s, &half);
        suite_near1("slope", slope, -0.25, 1e-13, 1);
        suite_below("half width", half, 1e-12);
        suite_below("inside", fabs(slope + 0.25), half);
        suite_near1("first", s.first, 7, 0, 1);
        suite_near1("high", s.high, 7, 0, 1);
        suite_near1("low", s.low, line(0.5 * (double)(counts[k] - 1), NULL, NULL), 0, 1);
        assert_true(s.count == counts[k] && s.blocks < LG_TREND_BLOCKS && s.blocks * s.width + s.filled == s.count);
        suite_near1("without an interval", lg_trend_slope(&s, NULL), slope, 0, 1);
    }
}

/* Time may run backward, and begin anywhere. */
static void test_times(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        lg_trend s;
        double half;
        suite_case("direction %d", sign);
        lg_trend_begin(&s);
        for (int i = 0; i < 500; i++) lg_trend_add(&s, 1e4 + 0.01 * sign * i, 3 * (0.01 * sign * i));
        suite_near1("slope", lg_trend_slope(&s, &half), 3, 1e-9, 1);
    }
}

/* ---- few points ---- */

static void test_few_points(void **state)
{
    lg_trend s;
    double half = 0;
    (void)state;
    suite_case("few points");
    lg_trend_begin(&s);
    for (int i = 0; i <= 7; i++) {
        const double slope = lg_trend_slope(&s, &half);
        assert_true(isnan(half)); /* too few for an interval */
        if (i < 2)
            assert_true(isnan(slope));
        else
            suite_near1("slope", slope, 1, 1e-14, 1);
        lg_trend_add(&s, i, i);
    }
    suite_near1("eight points", lg_trend_slope(&s, &half), 1, 1e-14, 1);
}

/* ---- NaN ---- */

/* One NaN anywhere, first, last or in a block that is not complete, makes all answers NaN. */
static void test_nan(void **state)
{
    static const int places[] = {0, 1, 7, 63, 64, 500, 998, 999};
    (void)state;
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        lg_trend s;
        double half = 0;
        suite_case("NaN at %d", places[k]);
        lg_trend_begin(&s);
        for (int i = 0; i < 1000; i++) lg_trend_add(&s, i, i == places[k] ? NAN : 1.0 + i);
        assert_true(isnan(lg_trend_slope(&s, &half)) && isnan(half));
        assert_true(isnan(s.low) && isnan(s.high) && isnan(s.scale));
    }
}

/* ---- rounding ---- */

/* A constant that is rounded to one of its neighbours: 1e8 with a pattern of one unit in the last place. */
static double rounded(double t, lg_rng *rng, double *memory)
{
    (void)t, (void)memory;
    return 1e8 * (1 + (lg_rng_uniform(rng) < 0.5 ? 0 : DBL_EPSILON));
}

static double constant(double t, lg_rng *rng, double *memory)
{
    (void)t, (void)rng, (void)memory;
    return -0.1;
}

static void test_rounding(void **state)
{
    lg_rng rng = suite_rng(0);
    (void)state;
    for (int k = 0; k < 50; k++) {
        double half;
        suite_case("rounding, sample %d", k);
        const lg_trend s = collect(rounded, 2000, 0.01, &rng);
        const double slope = lg_trend_slope(&s, &half);
        suite_below("no drift", fabs(slope), 3 * half); /* one in 1e8 lies outside, were it not for Student's t */
        suite_below("half width", half, 1e8 * DBL_EPSILON / 20);
    }
    double half;
    suite_case("constant");
    const lg_trend s = collect(constant, 1000, 0.01, NULL);
    suite_near1("slope", lg_trend_slope(&s, &half), 0, 0, 1);
    suite_above("an interval of round-off", half, 0.05 * DBL_EPSILON / 10 / sqrt(64.0 * 9));
}

/* ---- noise ---- */

static const double drift = 0.2;
static double correlation; /* of neighbouring points */

/* A drift with Gauss-Markov noise of variance 1. */
static double noisy(double t, lg_rng *rng, double *memory)
{
    if (t == 0) *memory = lg_rng_normal(rng);
    *memory = correlation * *memory + sqrt(1 - correlation * correlation) * lg_rng_normal(rng);
    return 3 + drift * t + *memory;
}

/* How often the interval contains the drift. */
static double coverage(int64_t points, double rho, int trials)
{
    int inside = 0;
    lg_rng rng = suite_rng(1); /* one for all trials: neighbouring streams of it overlap */
    correlation = rho;
    suite_case("%lld points, correlation %g", (long long)points, rho);
    for (int k = 0; k < trials; k++) {
        double half;
        const lg_trend s = collect(noisy, points, 0.1, &rng);
        const double slope = lg_trend_slope(&s, &half);
        inside += fabs(slope - drift) <= half;
    }
    return (double)inside / trials;
}

/* 95 % with a hundred times the noise's memory, 1/(1 - rho) points; the scatter of 400 trials is 1.1 %. */
static void test_coverage(void **state)
{
    static const struct {
        int64_t points;
        double rho;
    } cases[] = {{8, 0}, {20, 0}, {64, 0}, {1000, 0}, {200, 0.5}, {1000, 0.9}, {10000, 0.99}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const double share = coverage(cases[k].points, cases[k].rho, suite_reduced() ? 100 : 400);
        suite_above("coverage", share, suite_reduced() ? 0.85 : 0.9);
        suite_below("coverage", share, 0.999);
    }
    suite_below("control: a memory as long as the series", coverage(64, 0.99, 200), 0.8);
}

/* A drift ten times the half width is detected, also under an oscillation. */
static double swinging(double t, lg_rng *rng, double *memory)
{
    (void)rng, (void)memory;
    return sin(3 * t) + 1e-3 * t;
}

static double still(double t, lg_rng *rng, double *memory)
{
    (void)rng, (void)memory;
    return sin(3 * t);
}

static void test_significance(void **state)
{
    double half;
    (void)state;
    suite_case("oscillations");
    const lg_trend s = collect(swinging, 100000, 0.01, NULL), none = collect(still, 100000, 0.01, NULL);
    const double slope = lg_trend_slope(&s, &half);
    suite_near1("slope", slope, 1e-3, 1e-5, 1);
    suite_above("significant", slope, 10 * half);
    const double zero = lg_trend_slope(&none, &half);
    suite_below("no drift", fabs(zero), half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),        cmocka_unit_test(test_times),    cmocka_unit_test(test_few_points),
        cmocka_unit_test(test_nan),          cmocka_unit_test(test_rounding), cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_significance),
    };
    suite_begin("trend");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
