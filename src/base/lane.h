/* SPDX-License-Identifier: BSD-3-Clause */
/* lane.h: the number type of the kernels. Kernels are written once against `real` and compiled once per width: LANES is
 * 1 (`real` is double) or 2, 4, 8 (a vector of the compiler's). Final states agree to the last bit across widths. Hence
 * no fused multiply-add, our own sine, cosine and arctangent, and correctly rounded division and square root.
 *
 * Reals go by value only through KERNEL functions (a vector by value through a true call is slow). Rare cases: `if
 * (any(m)) y = sel(m, rare, y)`. */
#ifndef LIEGRP_SRC_BASE_LANE_H
#define LIEGRP_SRC_BASE_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef LANES
#define LANES 1 /* number of instances in a `real` */
#endif

/* Operations without an operator in C, by the compiler's builtins if it has them: including <immintrin.h> costs half a
 * second for every file. */
#ifdef __has_builtin
#define LANE_BUILTIN(name) __has_builtin(name)
#else
#define LANE_BUILTIN(name) 0
#endif
#if LANES == 2 && defined(__SSE2__)
#include <emmintrin.h>
#elif LANES == 4 && LANE_BUILTIN(__builtin_ia32_movmskpd256) && LANE_BUILTIN(__builtin_ia32_sqrtpd256)
#define LANE_SIGNS __builtin_ia32_movmskpd256
#define LANE_ROOT  __builtin_ia32_sqrtpd256
#elif LANES == 8 && LANE_BUILTIN(__builtin_ia32_cvtq2mask512) && LANE_BUILTIN(__builtin_ia32_sqrtpd512_mask)
#define LANE_SIGNS             __builtin_ia32_cvtq2mask512
#define LANE_ROOT_GCC(a, none) __builtin_ia32_sqrtpd512_mask(a, none, -1, 4) /* 4: rounded as everything else */
#elif LANES == 8 && LANE_BUILTIN(__builtin_ia32_cvtq2mask512) && LANE_BUILTIN(__builtin_ia32_sqrtpd512)
#define LANE_SIGNS   __builtin_ia32_cvtq2mask512
#define LANE_ROOT(a) __builtin_ia32_sqrtpd512(a, 4) /* clang's name */
#elif LANES > 2 && defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(LG_TANGENT) || LG_RED_ZONES == 2
#define KERNEL static inline /* large numbers, or watched addresses: the compiler chooses, in a tenth of the time */
#else
#define KERNEL static inline __attribute__((always_inline))
#endif
/* A rare path of a kernel: its code is kept apart. */
#define RARELY static __attribute__((noinline, cold, unused))

#define LG_PI     3.14159265358979312    /* pi rounded */
#define LG_PI_LOW 1.2246467991473532e-16 /* pi - LG_PI */

/* The ranges in which the groups compute (docs/groups.md, large numbers): angles whose last digits are still
 * meaningful, and numbers whose products do not overflow. */
#define LG_ANGLE_MOST  0x1p20
#define LG_NUMBER_MOST 1e100

#ifdef LG_TANGENT

#include "base/tangent.h"

#elif LANES == 1

typedef double real;
typedef _Bool mask;
typedef int64_t lane_bits;

KERNEL real splat(double a)
{
    return a;
}
KERNEL real sel(mask m, real a, real b)
{
    return m ? a : b;
}
KERNEL int any(mask m)
{
    return m;
}
KERNEL mask both(mask a, mask b)
{
    return a && b;
}
KERNEL mask either(mask a, mask b)
{
    return a || b;
}
KERNEL real root(real a)
{
    return sqrt(a);
}
KERNEL real apply(double (*f)(double), real a)
{
    return f(a);
}
KERNEL lane_bits bits_of(real a)
{
    const union {
        double d;
        int64_t i;
    } u = {a};
    return u.i;
}
KERNEL double lane_of(real a, int l)
{
    (void)l;
    return a;
}
KERNEL real lane_put(real a, int l, double x)
{
    (void)a, (void)l;
    return x;
}
KERNEL real magnitude(real a)
{
    return fabs(a);
}

#else

typedef double real __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES)));
typedef mask lane_bits;

KERNEL real splat(double a)
{
    return a - (real){0};
}
KERNEL real sel(mask m, real a, real b)
{
    return (real)((m & (mask)a) | (~m & (mask)b));
}
KERNEL mask both(mask a, mask b)
{
    return a & b;
}
KERNEL mask either(mask a, mask b)
{
    return a | b;
}
/* The signs of all lanes at once, where there is an instruction for it: tests that control loops should be cheap. */
KERNEL int any(mask m)
{
#if LANES == 8 && defined(__AVX512DQ__) && defined(LANE_SIGNS)
    typedef long long words __attribute__((vector_size(64)));
    return LANE_SIGNS((words)m) != 0;
#elif LANES == 8 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)m) != 0;
#elif LANES == 4 && defined(__AVX__) && defined(LANE_SIGNS)
    return LANE_SIGNS((real)m) != 0;
#elif LANES == 4 && defined(__AVX__)
    return _mm256_movemask_pd((__m256d)m) != 0;
#elif LANES == 2 && defined(__SSE2__)
    return _mm_movemask_pd((__m128d)m) != 0;
#else
    int64_t r = 0;
    for (int l = 0; l < LANES; l++) r |= m[l];
    return r != 0;
#endif
}
KERNEL real root(real a)
{
#if (LANES == 8 && defined(__AVX512F__) || LANES == 4 && defined(__AVX__)) && defined(LANE_ROOT)
    return LANE_ROOT(a);
#elif LANES == 8 && defined(__AVX512F__) && defined(LANE_ROOT_GCC)
    real none = none; /* of no lane: no value */
    return LANE_ROOT_GCC(a, none);
#elif LANES == 8 && defined(__AVX512F__)
    return (real)_mm512_sqrt_pd((__m512d)a);
#elif LANES == 4 && defined(__AVX__)
    return (real)_mm256_sqrt_pd((__m256d)a);
#elif LANES == 2 && defined(__SSE2__)
    return (real)_mm_sqrt_pd((__m128d)a);
#else
    for (int l = 0; l < LANES; l++) a[l] = sqrt(a[l]);
    return a;
#endif
}
KERNEL real apply(double (*f)(double), real a)
{
    for (int l = 0; l < LANES; l++) a[l] = f(a[l]);
    return a;
}
KERNEL lane_bits bits_of(real a)
{
    return (lane_bits)a;
}
KERNEL double lane_of(real a, int l)
{
    return a[l];
}
/* a with x in lane l. */
KERNEL real lane_put(real a, int l, double x)
{
    a[l] = x;
    return a;
}
KERNEL real magnitude(real a)
{
    return (real)((mask)a & INT64_MAX);
}

#endif

/* Iterations that converge quadratically go on so often after the last one for their values: first derivatives converge
 * with these, second ones follow. */
#ifdef LG_CURVED
enum { LANES_BEHIND = 1 };
#else
enum { LANES_BEHIND = 0 };
#endif

#ifndef LG_TANGENT
/* The length of a step. Every lane has the same; it is a type of its own since steps are differentiated with respect to
 * it, too, by units whose numbers carry derivatives (tangent.h). */
typedef double duration;
/* The value of a length. */
KERNEL double seconds(duration h)
{
    return h;
}
/* A length that does not vary. */
KERNEL duration lasting(double h)
{
    return h;
}
/* Lanes where x is not 0, nor stays so where it is varied. */
KERNEL mask nonzero(real x)
{
    return x != 0.0;
}
/* x without derivatives: what a rounding to whole numbers gives. */
KERNEL real still(real x)
{
    return x;
}
/* x = h y, of which only the value of h was taken. */
KERNEL real lengthened(real x, duration h)
{
    (void)h;
    return x;
}
/* f(a) of a function without a kernel; its derivative is `sign` times slope(a), and the second one -f(a); or `sign` and
 * 0 where that is NULL. */
KERNEL real apply_smooth(double (*f)(double), double (*slope)(double), double sign, real a)
{
    (void)slope, (void)sign;
    return apply(f, a);
}
#endif

/* The numbers in an array of reals: number i of lane l is at [i * LANES + l]. */
KERNEL double *as_doubles(real *x)
{
    return (double *)x;
}

/* The mask of all lanes, and the complement of m. */
KERNEL mask every_lane(void)
{
    return splat(0) < splat(1);
}
KERNEL mask other(mask m)
{
    return m == 0;
}

KERNEL real greater(real a, real b)
{
    return sel(b > a, b, a);
}

/* c0 + c1 x + c2 x^2 + c3 x^3 in two levels: short chains, so that neighbouring elements overlap in the pipeline. */
KERNEL real poly4(const double *c, real x, real x2)
{
    return (c[0] + c[1] * x) + x2 * (c[2] + c[3] * x);
}

/* Sums of 6, 8, 9, 10 and 20 terms c[i] x^i. The first term is separate: it determines the accuracy. */
KERNEL real poly6(const double *c, real x)
{
    const real x2 = x * x;
    return c[0] + x * (poly4(c + 1, x, x2) + x2 * x2 * c[5]);
}

KERNEL real poly8(const double *c, real x)
{
    const real x2 = x * x;
    return c[0] + x * (poly4(c + 1, x, x2) + x2 * x2 * ((c[5] + c[6] * x) + x2 * c[7]));
}

KERNEL real poly9(const double *c, real x)
{
    const real x2 = x * x;
    return c[0] + x * (poly4(c + 1, x, x2) + x2 * x2 * poly4(c + 5, x, x2));
}

KERNEL real poly10(const double *c, real x)
{
    const real x2 = x * x, x4 = x2 * x2;
    return c[0] + x * (poly4(c + 1, x, x2) + x4 * (poly4(c + 5, x, x2) + x4 * c[9]));
}

KERNEL real poly20(const double *c, real x)
{
    const real x2 = x * x, x4 = x2 * x2;
    const real high = poly4(c + 13, x, x2) + x4 * ((c[17] + c[18] * x) + x2 * c[19]);
    return c[0] + x * (poly4(c + 1, x, x2) + x4 * (poly4(c + 5, x, x2) + x4 * (poly4(c + 9, x, x2) + x4 * high)));
}

/* (sin y - y)/y^3 and (cos y - 1 + y^2/2)/y^4 in z = y^2, |y| <= pi/4: minimax, error 2e-17. */
static const double lane_sin_terms[6] = {-0.16666666666666666,   0.0083333333333313244,  -0.00019841269837104833,
                                         2.7557316231780084e-06, -2.505115287494881e-08, 1.5919371543155132e-10};
static const double lane_cos_terms[6] = {0.041666666666666664,    -0.0013888888888886441, 2.4801587297391426e-05,
                                         -2.7557316593739047e-07, 2.0876011737553203e-09, -1.1373394964791466e-11};

/* sin and cos of `quarter` pi/2 + y + low, |y| <= pi/4, |low| <= ulp(y)/2. */
KERNEL void lane_sincos_of(lane_bits quarter, real y, real low, real *s, real *c)
{
    const real z = y * y, h = 0.5 * z, w = 1.0 - h;
    const real sy = y + (y * z * poly6(lane_sin_terms, z) + low * w);
    const real cy = w + (((1.0 - w) - h) + (z * z * poly6(lane_cos_terms, z) - y * low));
    const mask odd = (quarter & 1) != 0, sin_minus = (quarter & 2) != 0;
    const mask cos_minus = ((quarter ^ (quarter >> 1)) & 1) != 0; /* bit 1 of quarter + 1, which may be too large */
    const real sx = sel(odd, cy, sy), cx = sel(odd, sy, cy);
    *s = sel(sin_minus, -sx, sx);
    *c = sel(cos_minus, -cx, cx);
}

/* elementary.c: sin x, cos x and lg_wrap(x) for |x| > 1e5; NaN if x is not finite. */
double lg_far_sine(double x);
double lg_far_cosine(double x);
double lg_far_wrap(double x);

/* *s = sin x, *c = cos x, relative error below 1 ulp also near the zeros. |x| <= 1e5: x = n pi/2 + y + low with pi/2 in
 * four parts, the first three of 33 bits, so that n times each is exact; larger, infinite or NaN: lane by lane. */
KERNEL void lane_sincos(real x, real *s, real *c)
{
    const real shifted = x * 0.63661977236758138 + 0x1.8p52, n = still(shifted - 0x1.8p52);
    const real a = x - n * 0x1.921fb544p0, b = n * 0x1.0b4611a6p-34; /* a is exact */
    const real r = a - b, back = r - a;
    const real e = (((a - (r - back)) - (b + back)) - n * 0x1.3198a2ep-69) - n * 0x1.b839a252049c1p-104;
    const real y = r + e, part = y - r, low = (r - (y - part)) + (e - part); /* two-sum: e may exceed r */
    lane_sincos_of(bits_of(shifted), y, low, s, c);
    const mask within = magnitude(x) <= 1e5, beyond = within == 0;
    if (any(beyond)) {
        *s = sel(beyond, apply_smooth(lg_far_sine, lg_far_cosine, 1, x), *s);
        *c = sel(beyond, apply_smooth(lg_far_cosine, lg_far_sine, -1, x), *c);
    }
}

/* arctan(u)/u in z = u^2, 0 <= u <= 1: minimax, relative error 3e-17. */
static const double lane_arctan_terms[20] = {1,
                                             -0.33333333333331855,
                                             0.19999999999754436,
                                             -0.14285714271304617,
                                             0.11111110677948123,
                                             -0.090909012225793312,
                                             0.076922127950567257,
                                             -0.066658593610397998,
                                             0.058773023850379448,
                                             -0.05239211414471405,
                                             0.046738839904405201,
                                             -0.040924854223233047,
                                             0.03406507457375698,
                                             -0.025823036940152502,
                                             0.016974108633588655,
                                             -0.0091814980238526175,
                                             0.0038542511452558364,
                                             -0.0011634095882037819,
                                             0.00022286716867394516,
                                             -2.0241803492602292e-05};

/* arctan2(n, w)/n from n2 = n^2 >= 0 and w >= 0, not both 0. With r = |(n, w)| half the angle has the tangent n/(r + w)
 * <= 1, so one polynomial serves the whole quadrant, n itself (which underflows) is not needed, and n = 0 is not a
 * special case. The norm r is arbitrary. */
KERNEL real arctan2_ratio(real n2, real w)
{
    const real i = 1.0 / (root(n2 + w * w) + w);
    return 2.0 * i * poly20(lane_arctan_terms, n2 * i * i);
}

/* The angle in (-pi, pi] that equals a modulo 2 pi. |a| <= pi comes back as it is. */
KERNEL real lg_wrap(real a)
{
    const mask inside = both(a <= LG_PI, a > -LG_PI), outside = inside == 0;
    if (!any(outside)) return a;
    const real n = still((a * 0.15915494309189535 + 0x1.8p52) - 0x1.8p52);
    real r = ((a - n * 0x1.921fb544p2) - n * 0x1.0b4611a6p-32) - n * 8.0890649951838025e-21;
    const mask within = magnitude(a) <= 1e5, beyond = within == 0;
    if (any(beyond)) r = sel(beyond, apply_smooth(lg_far_wrap, NULL, 1, a), r);
    r = sel(r > LG_PI, r - 2.0 * LG_PI, r);
    r = sel(r <= -LG_PI, r + 2.0 * LG_PI, r);
    return sel(inside, a, r);
}

#endif
