/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of numbers that carry derivatives (src/base/tangent.h): every operation against its derivatives in long
 * double, at random values and at the seams of the kernels. A program of its own, since it is C++ like the unit that
 * uses these numbers; compiled once more with -DLG_CURVED, for second derivatives. */
#ifdef LG_CURVED
#define LANES (2 * LG_DIRECTIONS + 1)
#else
#define LANES (LG_DIRECTIONS + 1)
#endif

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include "base/lane.h"
}

static int failures;

static void near(const char *what, double x, double got, long double want, double tolerance)
{
    const long double scale = fmaxl(1, fabsl(want));
    if (fabsl((long double)got - want) <= tolerance * scale) return;
    printf("%s at %.17g: %.17g, not %.17Lg\n", what, x, got, want);
    failures++;
}

/* x with derivative 2 in the first and -3 in the last direction, and second derivatives 1 and 0.5. */
static real variable(double x)
{
    real r = splat(x);
    tangent_set(r, 0, 2), tangent_set(r, LG_DIRECTIONS - 1, -3);
    if (TANGENT_ORDERS > 1) tangent_set(r, LG_DIRECTIONS, 0.5), tangent_set(r, 2 * LG_DIRECTIONS - 1, 0.25);
    return r;
}

/* y = f(x) has this value and these derivatives; nothing moves in the other directions. */
static void check(const char *what, double x, const real &y, long double value, long double slope, long double bend,
                  double tolerance)
{
    if (TANGENT_ORDERS > 1) { /* those of a minimax polynomial are off by more than its values */
        near(what, x, tangent_get(y, LG_DIRECTIONS), 2 * bend + 0.5L * slope, 1e-12);
        near(what, x, tangent_get(y, 2 * LG_DIRECTIONS - 1), 4.5L * bend + 0.25L * slope, 1e-12);
    }
    near(what, x, y.v, value, tolerance);
    near(what, x, tangent_get(y, 0), 2 * slope, tolerance);
    near(what, x, tangent_get(y, LG_DIRECTIONS - 1), -3 * slope, tolerance);
    for (int k = 1; k < LG_DIRECTIONS - 1; k++) near(what, x, tangent_get(y, k), 0, 0);
}

static void check_arithmetic(double x)
{
    const double eps = 4e-16, a = 1.7;
    const long double X = x;
    const real v = variable(x);
    const long double u = 1 + X * X, r = sqrtl(u);
    check("-x", x, -v, -X, -1, 0, eps);
    check("x + a", x, v + a, X + a, 1, 0, eps), check("a + x", x, a + v, X + a, 1, 0, eps);
    check("x - a", x, v - a, X - a, 1, 0, eps), check("a - x", x, a - v, a - X, -1, 0, eps);
    check("x a", x, v * a, X * a, a, 0, eps), check("a x", x, a * v, X * a, a, 0, eps);
    check("x / a", x, v / a, X / a, 1 / (long double)a, 0, eps);
    check("a / x", x, a / v, a / X, -a / (X * X), 2 * a / (X * X * X), eps);
    check("x x", x, v * v, X * X, 2 * X, 2, eps);
    check("x + x", x, v + v, 2 * X, 2, 0, eps), check("x - x", x, v - v, 0, 0, 0, 0);
    check("x / (1 + x x)", x, v / (1.0 + v * v), X / u, (1 - X * X) / (u * u), 2 * X * (X * X - 3) / (u * u * u),
          4 * eps);
    check("|x|", x, magnitude(v), fabsl(X), x < 0 ? -1 : 1, 0, eps);
    check("root", x, root(v * v + 1.0), r, X / r, 1 / (r * u), 4 * eps);
    check("still", x, still(v), X, 0, 0, eps);
    check("sel", x, sel(v < 0.0, -v, v * v), x < 0 ? -X : X * X, x < 0 ? -1 : 2 * X, x < 0 ? 0 : 2, eps);
    check("greater", x, greater(v, splat(0.5)), x < 0.5 ? 0.5L : X, x < 0.5 ? 0 : 1, 0, eps);
    check("lengthened", x, lengthened(v * 0.7, v), X * 0.7L, 1.4L, 1.4L / X, 4 * eps);
}

static void check_angles(double x)
{
    const long double X = x, turn = 2 * 3.14159265358979323846264338327950288L;
    real s, c;
    lane_sincos(variable(x), &s, &c);
    check("sin", x, s, sinl(X), cosl(X), -sinl(X), 3e-15), check("cos", x, c, cosl(X), -sinl(X), -cosl(X), 3e-15);
    const long double wrapped = X - turn * ceill(X / turn - 0.5L);
    check("wrap", x, lg_wrap(variable(x)), wrapped, 1, 0, 1e-14);
}

int main()
{
    static const double quarter = 1.5707963267948966;
    static const double angles[] = {0.1, 0.78, 0.79, 1.57, 1.58, 3, 3.2, -3.2, 7, -25, 1e3, 9e4, 2e5, -3e5, 1e6};
    for (int i = -40; i <= 40; i++)
        if (i) check_arithmetic(0.173 * i);
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) check_angles(angles[i]);
    for (int i = -9; i <= 9; i++) check_angles(i * quarter + 1e-3), check_angles(i * quarter - 1e-3);
    for (double n = 0; n < 4; n += 0.37) {
        const long double N = n, w = 0.8L, r = n > 0 ? atan2l(N, w) / N : 1 / w;
        const real y = arctan2_ratio(variable(n) * variable(n), splat(0.8));
        const long double slope = n > 0 ? (w / (w * w + N * N) - r) / N : 0;
        const long double bend = n > 0 ? (-2 * w * N / ((w * w + N * N) * (w * w + N * N)) - 2 * slope) / N
                                       : -2 / (3 * w * w * w);
        check("arctan2 ratio", n, y, r, slope, bend, 1e-14);
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
