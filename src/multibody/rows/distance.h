/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.h: (d.d - l^2)/(2 l) = 0, two points keep their distance l. */
#ifndef LG_MULTIBODY_DISTANCE_H
#define LG_MULTIBODY_DISTANCE_H

#include "multibody/rows/slider.h"

KERNEL void mb_distance_row(const mb_joint *j, mb_pair *w, real *phi, const real *xa, const real *xb, const real *d)
{
    real a[3];
    for (int k = 0; k < 3; k++) a[k] = d[k] / j->length;
    mb_row_along(w, phi, a, xa, xb, d, 1);
    *phi = 0.5 * (*phi - j->length);
}

KERNEL real mb_distance_bend(const mb_joint *j, const mb_moving *d)
{
    return mb_product_bend(d, d) / (2 * j->length);
}

#endif
