/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.h: kernels for the group element nearest to a matrix; that of SO(3) is in so3.h. They return the lanes where
 * no element is near, or a row below the rotation is far from that of the identity. NaN is not far; it propagates. */
#ifndef LIEGRP_SRC_GROUPS_NEAREST_H
#define LIEGRP_SRC_GROUPS_NEAREST_H

#include "groups/rotation.h"
#include "groups/so3.h"

/* The plane rotation nearest to [[a, b], [c, d]]: (cos, sin) = (a + d, c - b) brought to length 1. Returns the lanes
 * without one: det <= 0, or too far; NaN gives NaN. */
KERNEL mask lane_plane_rotation(real cs[2], real a, real b, real c, real d)
{
    const real v[2] = {a + d, c - b}, sum = a + b + c + d;
    const mask lost = sum != sum, none = either(lane_unit(cs, v, 2), other(a * d - b * c > 0.0));
    const real p = a - cs[0], q = b + cs[1], r = c - cs[1], s = d - cs[0], far = p * p + q * q + r * r + s * s;
    for (int i = 0; i < 2; i++) cs[i] = sel(lost, splat((double)NAN), cs[i]);
    return both(either(none, other(far <= 2 * LG_ROTATION_NEAR * LG_ROTATION_NEAR)), other(lost));
}

/* The rotation nearest to R. */
KERNEL mask so2_from_matrix(real g[2], const real R[4])
{
    return lane_plane_rotation(g, R[0], R[1], R[2], R[3]);
}

/* The distance of a row of m numbers from row i of the identity. */
KERNEL real from_identity(const real *row, int m, int i)
{
    real sum = splat(0.0);
    for (int j = 0; j < m; j++) {
        const real d = row[j] - (i == j ? 1.0 : 0.0);
        sum = sum + d * d;
    }
    return root(sum);
}

/* The pose whose matrix is nearest to T. */
KERNEL mask se2_from_matrix(real g[4], const real T[9])
{
    const real off = from_identity(T + 6, 3, 2);
    g[0] = T[2] + 0.0 * off;
    g[1] = T[5];
    return either(lane_plane_rotation(g + 2, T[0], T[1], T[3], T[4]), off > LG_ROTATION_NEAR);
}

/* [[R, r...], [0, 1]] with m rows; the vectors r begin in the last column and continue to its left. */
KERNEL mask space_from_matrix(real *g, const real *T, int m, real off)
{
    const int r = 3 * (m - 3);
    real R[9];
    for (int i = 0; i < 9; i++) R[i] = T[m * (i / 3) + i % 3];
    for (int i = 0; i < r; i++) g[i] = T[m * (i % 3) + m - 1 - i / 3];
    g[0] = g[0] + 0.0 * off;
    return either(so3_from_matrix(g + r, R), off > LG_ROTATION_NEAR);
}

KERNEL mask se3_from_matrix(real g[7], const real T[16])
{
    return space_from_matrix(g, T, 4, from_identity(T + 12, 4, 3));
}

KERNEL mask se23_from_matrix(real g[10], const real T[25])
{
    const real a = from_identity(T + 15, 5, 3), b = from_identity(T + 20, 5, 4);
    return space_from_matrix(g, T, 5, sel(either(a != a, a > b), a, b)); /* NaN, or the farther one */
}

#endif
