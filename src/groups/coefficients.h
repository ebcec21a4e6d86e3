/* SPDX-License-Identifier: BSD-3-Clause */
/* coefficients.h: the scalar functions of x = t^2, t = |w|, of which exp, its tangents and their derivatives are made.
 *   S = sin(t/2)/(t/2), c = cos(t/2), A = sin t/t = S c, B = (1 - cos t)/t^2 = S^2/2, C = (t - sin t)/t^3,
 *   E = (1 - (t/2) cot(t/2))/t^2, and derivatives with respect to x.
 * With sigma_k(x) = sum_n (-x)^n/(2n+k)!: A = sigma_1, B = sigma_2, C = sigma_3, sigma_k = 1/k! - x sigma_{k+2},
 *   sigma_k' = (k sigma_{k+2} - sigma_{k+1})/2.
 * All but E are entire functions of x, so for x <= 10 (t <= 3.16) one minimax polynomial each, without root, division,
 * seam or branch, is accurate down to 0. E has its first pole at x = 4 pi^2: (4 pi^2 - x) E is a polynomial.
 * Beyond 10 the closed forms are used; nothing cancels there. Errors: below 1e-15 relative for t <= pi, 1e-13 for the
 * second derivatives. An angle that comes from x has a relative error of eps: beyond 2^20 rad that costs
 * the tenth digit of sine and cosine, and callers refuse it. Formulas: docs/theory.md, section 2. */
#ifndef LIEGRP_SRC_GROUPS_COEFFICIENTS_H
#define LIEGRP_SRC_GROUPS_COEFFICIENTS_H

#include "base/lane.h"

#define COEF_SERIES 10.0                            /* polynomials up to here */
#define COEF_FAR    (LG_ANGLE_MOST * LG_ANGLE_MOST) /* the x of the largest angle */

/* sin h/h and cos h in h^2 <= 2.5; errors 3e-19, 1e-20. */
static const double coef_sinc[9] = {1,
                                    -0.16666666666666666,
                                    0.0083333333333332031,
                                    -0.00019841269841210484,
                                    2.7557319211141531e-06,
                                    -2.5052106859402539e-08,
                                    1.6058938509235069e-10,
                                    -7.6429496078563123e-13,
                                    2.7206417961778384e-15};
static const double coef_cosine[10] = {1,
                                       -0.5,
                                       0.041666666666666664,
                                       -0.001388888888888869,
                                       2.4801587301521233e-05,
                                       -2.7557319212581426e-07,
                                       2.0876755845557792e-09,
                                       -1.1470676625026207e-11,
                                       4.7769991278977115e-14,
                                       -1.5130276287038601e-16};
/* sigma_4 .. sigma_7 in x <= 10; relative errors 1.8e-16, 4e-17, 2e-15, 6e-16 (the last two for second derivatives). */
static const double coef_sigma4[9] = {0.041666666666666664,    -0.0013888888888887987,  2.4801587301323603e-05,
                                      -2.7557319196154662e-07, 2.0876755541995271e-09,  -1.1470703650368797e-11,
                                      4.778763380299121e-14,   -1.5548247037100352e-16, 3.7271198065152862e-19};
static const double coef_sigma5[9] = {0.0083333333333333332,   -0.00019841269841269451, 2.755731922387231e-06,
                                      -2.5052108373439541e-08, 1.6059043211783547e-10,  -7.6471455524783796e-13,
                                      2.8111471318654068e-15,  -8.1897560902221735e-18, 1.7903843026146979e-20};
static const double coef_sigma6[8] = {0.0013888888888888889,   -2.4801587301564005e-05, 2.7557319218088543e-07,
                                      -2.0876756482889155e-09, 1.1470725053825123e-11,  -4.7790291340568162e-14,
                                      1.5565257292111242e-16,  -3.7710355284578215e-19};
static const double coef_sigma7[8] = {0.00019841269841269841, -2.7557319223975741e-06, 2.5052108382878665e-08,
                                      -1.60590436172193e-10,  7.647154788910568e-13,   -2.8112619769437133e-15,
                                      8.1971165340509249e-18, -1.8094089813207611e-20};
/* P = (4 pi^2 - x) E, P', P''; relative errors 9e-17, 6e-16, 3e-13. */
#define COEF_POLE 39.478417604357432 /* 4 pi^2 */
static const double coef_pole[9] = {3.2898681336964528,      -0.028502197771722512,   -8.3385661241442598e-05,
                                    -4.3120236678559929e-07, -2.5382516432701215e-09, -1.5608892073850816e-11,
                                    -9.7916609021279882e-14, -5.8914036606646173e-16, -5.2005613960027422e-18};
static const double coef_pole1[9] = {-0.028502197771725801,   -0.0001667713224628695,  -1.2936071327534344e-06,
                                     -1.0152983790975195e-08, -7.805280962125041e-11,  -5.857833220787679e-13,
                                     -4.3232920205290453e-15, -2.9400976053452166e-17, -3.0609938234317931e-19};
static const double coef_pole2[8] = {-0.00016677132246307631, -2.5872142648275826e-06, -3.0458951999500118e-08,
                                     -3.1221099306821391e-10, -2.9289633179196179e-12, -2.593540972462703e-14,
                                     -2.0597648277809214e-16, -2.4475028937083131e-18};

/* S and c by the closed form, from t (of either sign); t = 0 is not allowed. */
KERNEL void coef_half_direct(real t, real *S, real *c)
{
    real s;
    lane_sincos(0.5 * t, &s, c);
    *S = s / (0.5 * t);
}

/* |v|^2 is beyond that of a vector of numbers up to LG_NUMBER_MOST. */
KERNEL mask coef_too_large(real square)
{
    return square > LG_NUMBER_MOST * LG_NUMBER_MOST;
}

/* k/y, y >= 1 the square of an argument and more; NaN where it is too large. */
KERNEL real coef_over(double k, real y)
{
    const real q = k / y;
    const mask lost = coef_too_large(y);
    return any(lost) ? sel(lost, splat((double)NAN), q) : q;
}

/* S = sin(t/2)/(t/2), c = cos(t/2) from x = t^2. */
KERNEL void coef_half(real x, real *S, real *c)
{
    const real y = 0.25 * x;
    *S = poly9(coef_sinc, y);
    *c = poly10(coef_cosine, y);
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real Sf, cf;
        coef_half_direct(root(x), &Sf, &cf);
        *S = sel(far, Sf, *S);
        *c = sel(far, cf, *c);
    }
}

/* Half-angle coefficients from the angle t itself, which a large t needs: t^2 rounds. */
KERNEL void coef_half_angle(real t, real *S, real *c)
{
    const real x = t * t, y = 0.25 * x;
    *S = poly9(coef_sinc, y);
    *c = poly10(coef_cosine, y);
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real Sf, cf;
        coef_half_direct(t, &Sf, &cf);
        *S = sel(far, Sf, *S);
        *c = sel(far, cf, *c);
    }
}

/* C from x and A = sin t/t, which exp has already computed: (1 - A)/x where it is accurate. */
KERNEL real coef_C(real x, real A)
{
    const real C = 1.0 / 6 - x * poly9(coef_sigma5, x);
    const mask far = x > COEF_SERIES;
    return any(far) ? sel(far, (1.0 - A) / x, C) : C;
}

/* Beyond the polynomials: A, B, C from their definitions. */
KERNEL void coef_ABC_direct(real t, real x, real *A, real *B, real *C)
{
    real S, c;
    coef_half_direct(t, &S, &c);
    *A = S * c;
    *B = 0.5 * S * S;
    *C = (1.0 - *A) / x;
}

/* B and C. */
KERNEL void coef_BC(real x, real *B, real *C)
{
    *B = 0.5 - x * poly9(coef_sigma4, x);
    *C = 1.0 / 6 - x * poly9(coef_sigma5, x);
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real Af, Bf, Cf;
        coef_ABC_direct(root(x), x, &Af, &Bf, &Cf);
        *B = sel(far, Bf, *B);
        *C = sel(far, Cf, *C);
    }
}

/* A, B and C from the angle t itself. */
KERNEL void coef_ABC_angle(real t, real *A, real *B, real *C)
{
    const real x = t * t;
    *B = 0.5 - x * poly9(coef_sigma4, x);
    *C = 1.0 / 6 - x * poly9(coef_sigma5, x);
    *A = 1.0 - x * *C;
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real Af, Bf, Cf;
        coef_ABC_direct(t, x, &Af, &Bf, &Cf);
        *A = sel(far, Af, *A);
        *B = sel(far, Bf, *B);
        *C = sel(far, Cf, *C);
    }
}

/* B[0], B[1] = B, B' and C[0], C[1] = C, C':
 * B' = sigma_4 - C/2 = (A/2 - B)/x, C' = (3 sigma_5 - sigma_4)/2 = (B - 3C)/(2x). */
KERNEL void coef_BC1(real x, real B[2], real C[2])
{
    const real s4 = poly9(coef_sigma4, x), s5 = poly9(coef_sigma5, x);
    B[0] = 0.5 - x * s4;
    C[0] = 1.0 / 6 - x * s5;
    B[1] = s4 - 0.5 * C[0];
    C[1] = 1.5 * s5 - 0.5 * s4;
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real Af, Bf, Cf;
        coef_ABC_direct(root(x), x, &Af, &Bf, &Cf);
        const real i = 0.5 / x;
        B[0] = sel(far, Bf, B[0]);
        C[0] = sel(far, Cf, C[0]);
        B[1] = sel(far, (Af - 2.0 * Bf) * i, B[1]);
        C[1] = sel(far, (Bf - 3.0 * Cf) * i, C[1]);
    }
}

/* Up to B'' = sigma_4' - C'/2 = (A'/2 - 2B')/x and C'' = (3 sigma_5' - sigma_4')/2 = (B' - 5C')/(2x), where
 * A' = (C - B)/2. */
KERNEL void coef_BC2(real x, real B[3], real C[3])
{
    coef_BC1(x, B, C);
    const real s5 = poly9(coef_sigma5, x), s6 = poly8(coef_sigma6, x), s7 = poly8(coef_sigma7, x);
    const real d4 = 2.0 * s6 - 0.5 * s5, d5 = 2.5 * s7 - 0.5 * s6;
    B[2] = d4 - 0.5 * C[1];
    C[2] = 1.5 * d5 - 0.5 * d4;
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        B[2] = sel(far, (0.25 * (C[0] - B[0]) - 2.0 * B[1]) / x, B[2]);
        C[2] = sel(far, (B[1] - 5.0 * C[1]) / (2.0 * x), C[2]);
    }
}

/* Beyond the polynomials: gamma = (t/2) cot(t/2) = c/S, E = (1 - gamma)/x, E' = (1/(2B) + gamma - 2)/(2x^2),
 * E'' = (E/(2B) - E - x E')/(2x^2) - 2E'/x. */
KERNEL void coef_E_direct(real x, real E[3])
{
    real S, c;
    coef_half_direct(root(x), &S, &c);
    const real gamma = c / S, j = 1.0 / (S * S), i = 0.5 / (x * x); /* j = 1/(2B) */
    E[0] = (1.0 - gamma) / x;
    E[1] = (j + gamma - 2.0) * i;
    E[2] = (E[0] * j - E[0] - x * E[1]) * i - 2.0 * E[1] / x;
}

/* E. */
KERNEL real coef_E(real x)
{
    const real E = poly9(coef_pole, x) / (COEF_POLE - x);
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real f[3];
        coef_E_direct(x, f);
        return sel(far, f[0], E);
    }
    return E;
}

/* E and E': (4 pi^2 - x) E' = P' + E. */
KERNEL void coef_E1(real x, real E[2])
{
    const real i = 1.0 / (COEF_POLE - x);
    E[0] = poly9(coef_pole, x) * i;
    E[1] = (poly9(coef_pole1, x) + E[0]) * i;
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real f[3];
        coef_E_direct(x, f);
        E[0] = sel(far, f[0], E[0]);
        E[1] = sel(far, f[1], E[1]);
    }
}

/* E, E' and E'': (4 pi^2 - x) E'' = P'' + 2E'. */
KERNEL void coef_E2(real x, real E[3])
{
    const real i = 1.0 / (COEF_POLE - x);
    E[0] = poly9(coef_pole, x) * i;
    E[1] = (poly9(coef_pole1, x) + E[0]) * i;
    E[2] = (poly8(coef_pole2, x) + 2.0 * E[1]) * i;
    const mask far = x > COEF_SERIES;
    if (any(far)) {
        real f[3];
        coef_E_direct(x, f);
        for (int k = 0; k < 3; k++) E[k] = sel(far, f[k], E[k]);
    }
}

#endif
