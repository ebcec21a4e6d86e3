/* SPDX-License-Identifier: BSD-3-Clause */
/** @file elementary.h
 *  Sine, cosine, arctangent, exponential and logarithm whose bits are the same on every machine.
 *
 *  The C library's are not: it picks variants with fused multiply-adds by the processor at run time, and changes them
 *  from version to version. A trajectory computed with them differs in its last digits from machine to machine, and by
 *  chaos in all digits. These use only additions, multiplications, divisions and square roots, which IEEE 754 fixes to
 *  the bit; so do the library's own steps and the systems of the catalog. A callback that shall keep the promise calls
 *  them, and of `<math.h>` only what is exact or correctly rounded: sqrt, fabs, floor, ceil, trunc, round, rint, fmod,
 *  remainder, copysign, frexp, ldexp (docs/bits.md).
 *
 *  All take any double; NaN gives NaN. None sets errno. Errors are in units in the last place of the result, measured
 *  against multiple precision. */
#ifndef LIEGRP_BASE_ELEMENTARY_H
#define LIEGRP_BASE_ELEMENTARY_H

#include "export.h"

LG_BEGIN

/** *s = sin x and *c = cos x, x in radians, at the cost of one of them. Below 1 ulp for every x, beside the zeros too;
 *  the argument is reduced with as many digits of 2/pi as it takes, at some 10 times the cost beyond |x| = 1e5.
 *  Infinite x: NaN. s and c do not overlap. */
LG_API void lg_real_sincos(double *s, double *c, double x);
/** sin x as lg_real_sincos(). */
LG_API double lg_real_sin(double x);
/** cos x as lg_real_sincos(). */
LG_API double lg_real_cos(double x);
/** The angle of the point (x, y) in [-pi, pi], with the signs of zeros and infinities as C's atan2. Below 4 ulp. */
LG_API double lg_real_atan2(double y, double x);
/** e^x (lg_group_exp() is that of groups), below 1 ulp; infinite above 709.78, 0 below -745.13, below that 1 ulp of the
 * least denormal number. */
LG_API double lg_real_exp(double x);
/** ln x, below 1 ulp; minus infinity at 0, NaN for x < 0. */
LG_API double lg_real_log(double x);

LG_END

#endif
