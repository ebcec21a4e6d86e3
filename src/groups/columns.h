/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups with angles and quaternions do with the columns of a row: angles leave unwrapped and come back into
 * (-pi, pi], a quaternion that is given is brought to length 1. */
#ifndef LIEGRP_SRC_GROUPS_COLUMNS_H
#define LIEGRP_SRC_GROUPS_COLUMNS_H

#include <math.h>

#include <liegrp/groups/group.h>

#define LG_TWO_PI 6.283185307179586476925286766559

/* The angle equal to `angle` modulo 2 pi that is nearest to `previous`; without one the angle itself. */
static inline double lg_unwrap(double angle, double previous)
{
    if (!isfinite(previous) || !isfinite(angle)) return angle;
    return angle + LG_TWO_PI * nearbyint((previous - angle) / LG_TWO_PI);
}

/* Into (-pi, pi]. */
static inline double lg_principal(double angle)
{
    const double r = remainder(angle, LG_TWO_PI);
    return r <= -0.5 * LG_TWO_PI ? 0.5 * LG_TWO_PI : r;
}

/* g <- what is given of `count` numbers. */
static inline void lg_columns_take(double *g, const double *given, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isnan(given[i])) g[i] = given[i];
    }
}

/* so3.c: q <- what is given of a quaternion, the rest as it is, normalised. LG_ERROR_ARGUMENT: its length is not 1. */
lg_status lg_columns_take_quaternion(double *q, const double *given, lg_error *error);

#endif
