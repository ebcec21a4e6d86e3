/* SPDX-License-Identifier: BSD-3-Clause */
/* Elementary functions from operations that IEEE 754 defines to the bit: the kernels' polynomials at width 1, and the
 * reduction of large arguments. */
#include <liegrp/base/elementary.h>

#include <math.h>

#include "base/lane.h"

/* ---- arguments beyond 1e5: M. Payne and R. Hanek, "Radian reduction for trigonometric functions", 1983 ---- */

/* 2/pi as 32-bit words, after 64 zero bits. */
static const uint32_t two_over_pi[40] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

enum { WINDOW = 7 }; /* words of a product that keep every significant bit: 2 + 53 + 62 + 106 bits */

static void shift_left(uint32_t *w, int bits)
{
    if (bits == 0) return;
    for (int i = 0; i < WINDOW; i++) {
        const uint32_t below = i + 1 < WINDOW ? w[i + 1] : 0;
        w[i] = w[i] << bits | below >> (32 - bits);
    }
}

/* w <- 2^WINDOW*32 times (x 2/pi / 4 modulo 1), most significant word first: with x = m 2^e, 53 bits in m, the words of
 * 2/pi whose products with x are multiples of 4 are skipped, and so are those too small to matter. */
static void quarters_of(uint32_t *w, double x)
{
    int e;
    const uint64_t m = (uint64_t)ldexp(frexp(x, &e), 53);
    const int skip = e - 53 - 2 + 64; /* bits; at least 0 for x >= 1e5 */
    const uint32_t *const p = two_over_pi + skip / 32;
    const uint64_t low = m & 0xffffffff, high = m >> 32;
    uint64_t carry = 0;
    for (int i = WINDOW - 1; i >= 0; i--) {
        const uint64_t a = p[i] * low, b = i + 1 < WINDOW ? p[i + 1] * high : 0;
        const uint64_t sum = (a & 0xffffffff) + (b & 0xffffffff) + (carry & 0xffffffff);
        w[i] = (uint32_t)sum;
        carry = (sum >> 32) + (a >> 32) + (b >> 32) + (carry >> 32);
    }
    shift_left(w, skip % 32);
}

/* x = quarter pi/2 + y + low, |y| <= pi/4, for finite |x| > 1e5. The smallest remainder of any double is 2^-61 of a
 * quarter. */
static void reduce(double x, lane_bits *quarter, double *y, double *low)
{
    uint32_t w[WINDOW];
    quarters_of(w, fabs(x));
    lane_bits n = w[0] >> 30;
    shift_left(w, 2);
    const int over = (w[0] >> 31) != 0; /* round to nearest: the rest is negative */
    for (int i = 0; over && i < WINDOW; i++) w[i] = ~w[i];
    int zeros = 0;
    for (; (w[0] >> 31) == 0 && zeros < 128; zeros++) shift_left(w, 1);
    const uint64_t first = (uint64_t)w[0] << 21 | w[1] >> 11;
    const uint64_t second = (uint64_t)(w[1] & 0x7ff) << 42 | (uint64_t)w[2] << 10 | w[3] >> 22;
    const double a = ldexp((double)first, -53 - zeros), b = ldexp((double)second, -106 - zeros);
    const double a1 = ldexp((double)(first >> 27 << 27), -53 - zeros), a2 = a - a1;
    const double half_pi = 0x1.921fb54442d18p0, half_pi_1 = 0x1.921fb5p0, half_pi_2 = half_pi - half_pi_1;
    const double product = a * half_pi; /* exactly: product + error */
    const double error = ((a1 * half_pi_1 - product) + a1 * half_pi_2 + a2 * half_pi_1) + a2 * half_pi_2;
    const double rest = error + (a * 0x1.1a62633145c07p-54 + b * half_pi), sum = product + rest;
    const double sign = (x < 0) != over ? -1 : 1;
    if (over) n = n + 1;
    *quarter = x < 0 ? -n : n;
    *y = sign * sum;
    *low = sign * (rest - (sum - product));
}

static void far_sincos(double x, double *s, double *c)
{
    lane_bits quarter;
    double y, low;
    *s = *c = NAN;
    if (!isfinite(x) || fabs(x) <= 1e5) return; /* a small argument in one lane, next to a large one in another */
    reduce(x, &quarter, &y, &low);
    lane_sincos_of(quarter, y, low, s, c);
}

double lg_far_sine(double x)
{
    double s, c;
    far_sincos(x, &s, &c);
    return s;
}

double lg_far_cosine(double x)
{
    double s, c;
    far_sincos(x, &s, &c);
    return c;
}

double lg_far_wrap(double x)
{
    double s, c;
    far_sincos(x, &s, &c);
    return lg_real_atan2(s, c);
}

/* ---- sine, cosine, arctangent ---- */

void lg_real_sincos(double *s, double *c, double x)
{
    double sine, cosine;
    lane_sincos(x, &sine, &cosine);
    *s = x == 0 ? x : sine; /* keeps the sign of zero */
    *c = cosine;
}

double lg_real_sin(double x)
{
    double s, c;
    lg_real_sincos(&s, &c, x);
    return s;
}

double lg_real_cos(double x)
{
    double s, c;
    lane_sincos(x, &s, &c);
    return c;
}

double lg_real_atan2(double y, double x)
{
    double n = fabs(y), w = fabs(x);
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(n) || isinf(w)) n = isinf(n) ? 1 : 0, w = isinf(w) ? 1 : 0;
    if (n == 0 && w == 0) w = 1;
    const double most = n > w ? n : w;
    if (most > 0x1p500 || most < 0x1p-400) { /* for the squares */
        int exponent;
        (void)frexp(most, &exponent);
        n = ldexp(n, -exponent);
        w = ldexp(w, -exponent);
    }
    double angle = n * arctan2_ratio(n * n, w);
    if (signbit(x)) angle = LG_PI - (angle - LG_PI_LOW);
    return copysign(angle, y);
}

/* ---- exponential, logarithm ---- */

#define LN2_HIGH 0x1.62e42p-1 /* 21 bits: a count of octaves times it is exact */
#define LN2_LOW  0x1.fdf473de6af28p-22

/* 1/(k + 2)! */
static const double exp_terms[12] = {1.0 / 2,       1.0 / 6,        1.0 / 24,        1.0 / 120,
                                     1.0 / 720,     1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                     1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
/* 2/(2k + 3): ln((1 + s)/(1 - s)) = 2 s + s (2/3 s^2 + 2/5 s^4 + ...). */
static const double log_terms[10] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                     2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};

/* e^x = 2^n e^(r + low), |r| <= ln(2)/2. */
double lg_real_exp(double x)
{
    if (!(fabs(x) <= 1000)) return isnan(x) ? NAN : x > 0 ? INFINITY : 0;
    const double shifted = x * 0x1.71547652b82fep0 + 0x1.8p52, n = shifted - 0x1.8p52;
    const double a = x - n * LN2_HIGH, b = n * LN2_LOW, r = a - b, low = (a - r) - b;
    const double r2 = r * r, r4 = r2 * r2;
    const double tail = poly4(exp_terms, r, r2) + r4 * (poly4(exp_terms + 4, r, r2) + r4 * poly4(exp_terms + 8, r, r2));
    return ldexp(1 + (r + (r2 * tail + (low + low * r))), (int)n);
}

/* x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), s = f/(2 + f): ln(1 + f) = f - (f^2/2 - s (f^2/2 + tail)). */
double lg_real_log(double x)
{
    if (isnan(x) || x < 0) return NAN;
    if (x == 0) return -INFINITY;
    if (isinf(x)) return x;
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654757) m *= 2, k--;
    const double f = m - 1, s = f / (2 + f), z = s * s, z2 = z * z, half = 0.5 * f * f;
    const double tail = z * (poly4(log_terms, z, z2) +
                             z2 * z2 * (poly4(log_terms + 4, z, z2) + z2 * z2 * (log_terms[8] + z * log_terms[9])));
    return k * LN2_HIGH - ((half - (s * (half + tail) + k * LN2_LOW)) - f);
}
