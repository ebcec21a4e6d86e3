/* SPDX-License-Identifier: BSD-3-Clause */
/** @file elementary.h
 *  Sine, cosine, arctangent, exponential and logarithm with the same bits on every machine.
 *
 *  The C library's functions differ: it chooses variants with fused multiply-adds by the processor at run time, and
 *  changes them from version to version. A trajectory computed with them differs in its last digits from machine to
 *  machine and, if it is chaotic, in all digits. The functions below use only additions, multiplications, divisions and
 *  square roots, which IEEE 754 fixes to the bit. The library's own steps and the systems of the catalog use them. A
 *  callback that must give the same bits everywhere uses them too, and of `<math.h>` only what is exact or correctly
 *  rounded: sqrt, fabs, floor, ceil, trunc, round, rint, fmod, remainder, copysign, frexp, ldexp (docs/bits.md).
 *
 *  All accept any double; NaN gives NaN. None sets errno. Errors are in units in the last place (ulp) of the result,
 *  measured against multiple precision. */
#ifndef LIEGRP_BASE_ELEMENTARY_H
#define LIEGRP_BASE_ELEMENTARY_H

#include "export.h"

LG_BEGIN

/** *s = sin x and *c = cos x, x in radians, at the cost of one of them. The error is below 1 ulp for every x, also near
 *  the zeros. The argument is reduced with as many digits of 2/pi as needed, at about 10 times the cost beyond |x| =
 *  1e5. Infinite x gives NaN. s and c must not overlap. */
LG_API void lg_real_sincos(double *s, double *c, double x);
/** sin x, as by lg_real_sincos(). */
LG_API double lg_real_sin(double x);
/** cos x, as by lg_real_sincos(). */
LG_API double lg_real_cos(double x);
/** The angle of the point (x, y) in [-pi, pi], with the signs of zeros and infinities of C's atan2. The error is below
 *  4 ulp. */
LG_API double lg_real_atan2(double y, double x);
/** e^x (lg_group_exp() is the exponential of groups). The error is below 1 ulp. Infinite above 709.78, 0 below -745.13;
 *  denormal results have an error below 1 ulp of the smallest denormal number. */
LG_API double lg_real_exp(double x);
/** ln x. The error is below 1 ulp. Minus infinity at 0, NaN for x < 0. */
LG_API double lg_real_log(double x);

LG_END

#endif
