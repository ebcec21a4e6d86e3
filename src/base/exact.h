/* SPDX-License-Identifier: BSD-3-Clause */
/* exact.h: sums and products of two doubles as the rounded one and what rounding took off (T. J. Dekker, A
 * floating-point technique for extending the available precision, Numer. Math. 18, 1971; D. E. Knuth). */
#ifndef LIEGRP_SRC_BASE_EXACT_H
#define LIEGRP_SRC_BASE_EXACT_H

#include "base/lane.h"

/* a + b = *sum + *rest. */
KERNEL void exact_sum(real *sum, real *rest, real a, real b)
{
    const real s = a + b, back = s - a;
    *rest = (a - (s - back)) + (b - back);
    *sum = s;
}

/* a b = *p + *rest. */
KERNEL void exact_product(real *p, real *rest, real a, real b)
{
    const real x = 134217729.0 * a, y = 134217729.0 * b; /* 2^27 + 1 */
    const real a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
    *p = a * b;
    *rest = ((a1 * b1 - *p) + (a1 * b2 + a2 * b1)) + a2 * b2;
}

#endif
