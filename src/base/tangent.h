/* SPDX-License-Identifier: BSD-3-Clause */
/* tangent.h: `real` as a number with its derivatives along LG_DIRECTIONS directions, for units in C++ that include the
 * sources of the kernels (integrators/engine/tangent.c). LG_TANGENT is the number of derivatives in a vector of the
 * machine, LANES the count of doubles in a number, whose last one is the value: LG_DIRECTIONS + 1. Whatever sets these
 * sources apart from width 1 holds for a tangent, too.
 *
 * With LG_CURVED a number has second derivatives, too, each along its direction twice: it is x + x' s + x'' s^2 along
 * as many curves, x'' being half the second derivative, and LANES is 2 LG_DIRECTIONS + 1. What is linear treats both
 * alike; tangent_bend() is the rest.
 *
 * Comparisons and masks are those of values, so the derivative is that of the branch that a value takes. No derivative
 * depends on another direction: its bits are equal for every LG_DIRECTIONS and LG_TANGENT. */
#ifndef LIEGRP_SRC_BASE_TANGENT_H
#define LIEGRP_SRC_BASE_TANGENT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* lane.h declares them; they are functions of C. */
extern "C" double lg_far_sine(double x);
extern "C" double lg_far_cosine(double x);
extern "C" double lg_far_wrap(double x);

#define TANGENT_KERNEL static inline __attribute__((always_inline))

extern "C++" {

#ifdef LG_CURVED
enum { TANGENT_ORDERS = 2 };
#else
enum { TANGENT_ORDERS = 1 };
#endif
enum { TANGENT_FIRST = LG_DIRECTIONS / LG_TANGENT, TANGENT_VECTORS = TANGENT_ORDERS * TANGENT_FIRST };

/* Without the vectors' alignment, which would pad every number. */
typedef double tangent_vector __attribute__((vector_size(8 * LG_TANGENT), aligned(8)));

struct real {
    tangent_vector d[TANGENT_VECTORS]; /* derivatives: the first ones, then halves of the second ones */
    double v;                          /* the value */
};
typedef bool mask;
typedef int64_t lane_bits;

/* A number with derivatives x a.d + y b.d. */
TANGENT_KERNEL real tangent_of(double v, double x, const real &a, double y, const real &b)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = x * a.d[k] + y * b.d[k];
    r.v = v;
    return r;
}
/* A number with derivatives x a.d. */
TANGENT_KERNEL real tangent_of(double v, double x, const real &a)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = x * a.d[k];
    r.v = v;
    return r;
}
/* A number with the derivatives of a. */
TANGENT_KERNEL real tangent_of(double v, const real &a)
{
    real r = a;
    r.v = v;
    return r;
}
/* r'' += s a' b': what second derivatives have besides the terms that they share with the first ones. */
TANGENT_KERNEL void tangent_bend(real &r, double s, const real &a, const real &b)
{
    for (int k = TANGENT_FIRST; k < TANGENT_VECTORS; k++) r.d[k] += s * a.d[k - TANGENT_FIRST] * b.d[k - TANGENT_FIRST];
}

TANGENT_KERNEL real splat(double a)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = tangent_vector{};
    r.v = a;
    return r;
}

/* A length (lane.h) as a number. */
TANGENT_KERNEL real splat(const real &h)
{
    return h;
}

TANGENT_KERNEL real operator-(const real &a)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = -a.d[k];
    r.v = -a.v;
    return r;
}
TANGENT_KERNEL real operator+(const real &a, const real &b)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = a.d[k] + b.d[k];
    r.v = a.v + b.v;
    return r;
}
TANGENT_KERNEL real operator-(const real &a, const real &b)
{
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = a.d[k] - b.d[k];
    r.v = a.v - b.v;
    return r;
}
TANGENT_KERNEL real operator*(const real &a, const real &b)
{
    real r = tangent_of(a.v * b.v, b.v, a, a.v, b);
    tangent_bend(r, 1, a, b);
    return r;
}
TANGENT_KERNEL real operator/(const real &a, const real &b)
{
    const double q = a.v / b.v, per = 1.0 / b.v;
    real r;
    for (int k = 0; k < TANGENT_VECTORS; k++) r.d[k] = (a.d[k] - q * b.d[k]) * per;
    r.v = q;
    tangent_bend(r, -per, r, b);
    return r;
}
TANGENT_KERNEL real operator+(const real &a, double b)
{
    return tangent_of(a.v + b, a);
}
TANGENT_KERNEL real operator+(double a, const real &b)
{
    return tangent_of(a + b.v, b);
}
TANGENT_KERNEL real operator-(const real &a, double b)
{
    return tangent_of(a.v - b, a);
}
TANGENT_KERNEL real operator-(double a, const real &b)
{
    return tangent_of(a - b.v, -b);
}
TANGENT_KERNEL real operator*(const real &a, double b)
{
    return tangent_of(a.v * b, b, a);
}
TANGENT_KERNEL real operator*(double a, const real &b)
{
    return tangent_of(a * b.v, a, b);
}
TANGENT_KERNEL real operator/(const real &a, double b)
{
    return tangent_of(a.v / b, 1.0 / b, a);
}
TANGENT_KERNEL real operator/(double a, const real &b)
{
    const double q = a / b.v;
    real r = tangent_of(q, -q / b.v, b);
    tangent_bend(r, -1.0 / b.v, r, b);
    return r;
}

/* sum_j w_j x_j of numbers that are `stride` apart, even and odd ones by themselves. */
TANGENT_KERNEL real tangent_sum(int count, const double *w, const real *x, int stride)
{
    real sum;
    for (int k = 0; k < TANGENT_VECTORS; k++) {
        tangent_vector even = w[0] * x[0].d[k], odd = {};
        for (int j = 1; j < count; j += 2) odd += w[j] * x[j * stride].d[k];
        for (int j = 2; j < count; j += 2) even += w[j] * x[j * stride].d[k];
        sum.d[k] = even + odd;
    }
    double even = w[0] * x[0].v, odd = 0;
    for (int j = 1; j < count; j += 2) odd += w[j] * x[j * stride].v;
    for (int j = 2; j < count; j += 2) even += w[j] * x[j * stride].v;
    sum.v = even + odd;
    return sum;
}

TANGENT_KERNEL real &operator+=(real &a, const real &b)
{
    return a = a + b;
}
TANGENT_KERNEL real &operator-=(real &a, const real &b)
{
    return a = a - b;
}
TANGENT_KERNEL real &operator*=(real &a, const real &b)
{
    return a = a * b;
}
TANGENT_KERNEL real &operator*=(real &a, double b)
{
    return a = a * b;
}
TANGENT_KERNEL real &operator/=(real &a, const real &b)
{
    return a = a / b;
}

/* The derivative in direction k; half the second one in direction k - LG_DIRECTIONS. */
TANGENT_KERNEL double tangent_get(const real &a, int k)
{
    return ((const double *)a.d)[k];
}
/* Comparisons of values. */
#define TANGENT_COMPARISON(op)                                                                                         \
    TANGENT_KERNEL mask operator op(const real &a, const real &b)                                                      \
    {                                                                                                                  \
        return a.v op b.v;                                                                                             \
    }                                                                                                                  \
    TANGENT_KERNEL mask operator op(const real &a, double b)                                                           \
    {                                                                                                                  \
        return a.v op b;                                                                                               \
    }                                                                                                                  \
    TANGENT_KERNEL mask operator op(double a, const real &b)                                                           \
    {                                                                                                                  \
        return a op b.v;                                                                                               \
    }
TANGENT_COMPARISON(<)
TANGENT_COMPARISON(>)
TANGENT_COMPARISON(<=)
TANGENT_COMPARISON(>=)
TANGENT_COMPARISON(==)
TANGENT_COMPARISON(!=)
#undef TANGENT_COMPARISON

/* The number, or a derivative of it, is not 0. */
TANGENT_KERNEL mask nonzero(const real &a)
{
    auto some = a.d[0] != 0;
    for (int k = 1; k < TANGENT_VECTORS; k++) some |= a.d[k] != 0;
    bool any = a.v != 0;
    for (int k = 0; k < LG_TANGENT; k++) any |= some[k] != 0;
    return any;
}
TANGENT_KERNEL real sel(mask m, const real &a, const real &b)
{
    return m ? a : b;
}
TANGENT_KERNEL int any(mask m)
{
    return m;
}
TANGENT_KERNEL mask both(mask a, mask b)
{
    return a && b;
}
TANGENT_KERNEL mask either(mask a, mask b)
{
    return a || b;
}
TANGENT_KERNEL real root(const real &a)
{
    const double r = sqrt(a.v);
    real b = tangent_of(r, 0.5 / r, a);
    tangent_bend(b, -0.5 / r, b, b);
    return b;
}
TANGENT_KERNEL real apply_smooth(double (*f)(double), double (*slope)(double), double sign, const real &a)
{
    real r = tangent_of(f(a.v), slope ? sign * slope(a.v) : sign, a);
    tangent_bend(r, slope ? -0.5 * r.v : 0, a, a);
    return r;
}
TANGENT_KERNEL lane_bits bits_of(const real &a)
{
    lane_bits i;
    memcpy(&i, &a.v, sizeof i);
    return i;
}
TANGENT_KERNEL double lane_of(const real &a, int)
{
    return a.v;
}
TANGENT_KERNEL real lane_put(const real &a, int, double x)
{
    return tangent_of(x, a);
}
TANGENT_KERNEL real magnitude(const real &a)
{
    return a.v < 0 ? -a : tangent_of(fabs(a.v), a);
}
TANGENT_KERNEL real still(const real &a)
{
    return splat(a.v);
}

TANGENT_KERNEL void tangent_set(real &a, int k, double d)
{
    ((double *)a.d)[k] = d;
}

/* Direction k by itself; outside the directions: a number without derivatives. */
TANGENT_KERNEL real tangent_along(double v, int k)
{
    static const double number[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const tangent_vector at = *(const tangent_vector *)number, none = {};
    real r;
    for (int i = 0; i < TANGENT_VECTORS; i++) r.d[i] = at == (double)(k - i * LG_TANGENT) ? none + 1.0 : none;
    r.v = v;
    return r;
}

typedef real duration;
TANGENT_KERNEL double seconds(const duration &h)
{
    return h.v;
}
TANGENT_KERNEL duration lasting(double h)
{
    return splat(h);
}
TANGENT_KERNEL real lengthened(const real &x, const duration &h)
{
    real r = tangent_of(x.v, 1, x, x.v / h.v, h);
    tangent_bend(r, 1.0 / h.v, x, h);
    return r;
}
}

#endif
