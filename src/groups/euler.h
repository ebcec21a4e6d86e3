/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of the second kind on SO(3): the angles of rotations about x, y and z, one after the other. */
#ifndef LIEGRP_SRC_GROUPS_EULER_H
#define LIEGRP_SRC_GROUPS_EULER_H

#include <float.h>
#include <math.h>

#include <liegrp/base/elementary.h>
#include <liegrp/base/status.h>

static inline double euler_wrapped(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle > pi ? angle - 2 * pi : angle <= -pi ? angle + 2 * pi : angle;
}

/* R = R_x(a) R_y(b) R_z(c) from its quaternion q = (x, y, z, w). The half-angle products give
 *   (x + z, w + y) = (cos(b/2) + sin(b/2)) (sin, cos)((a + c)/2),
 *   (x - z, w - y) = (cos(b/2) - sin(b/2)) (sin, cos)((a - c)/2),
 * so a + c stays accurate where a - c is lost (b near pi/2) and the other way round; sin b = 2 (x z + w y), and cos b
 * is the product of the two factors. -pi < a, c <= pi; |b| <= pi/2. */
static inline lg_status euler_angles(double *angles, const double *q)
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double plus = sqrt((x + z) * (x + z) + (w + y) * (w + y));
    const double minus = sqrt((x - z) * (x - z) + (w - y) * (w - y));
    const double cosine = plus * minus;
    if (cosine <= 8 * DBL_EPSILON) return LG_ERROR_DOMAIN;
    const double half_sum = lg_real_atan2(x + z, w + y), half_difference = lg_real_atan2(x - z, w - y);
    angles[0] = euler_wrapped(half_sum + half_difference);
    angles[1] = lg_real_atan2(2 * (x * z + w * y), cosine);
    angles[2] = euler_wrapped(half_sum - half_difference);
    return LG_OK;
}

#endif
