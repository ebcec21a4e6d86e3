/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h: frames and moments of files, for reading and for writing. */
#ifndef LG_MULTIBODY_FILES_PLACE_H
#define LG_MULTIBODY_FILES_PLACE_H

/* A frame in another: an element of SE(3), position and quaternion. */
typedef struct mb_place {
    double g[7];
} mb_place;

static const mb_place mb_here = {{0, 0, 0, 0, 0, 0, 1}};

/* c <- the coefficients of P(x + by) for those of P(x), from that of x^0 to that of x^4. */
static inline void mb_shift_polynomial(double *c, double by)
{
    for (int from = 0; from < 4; from++)
        for (int k = 3; k >= from; k--) c[k] += by * c[k + 1];
}

/* points.c: the principal moments w of xx, yy, zz, xy, xz, yz, and their axes, the columns of V, by Jacobi's rotations.
 */
void mb_principal_axes(double *w, double *V, const double *I);
/* points.c: the moments alone, ascending. */
void mb_principal(double *to, const double *I);

#endif
