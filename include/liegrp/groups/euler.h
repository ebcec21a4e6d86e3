/* SPDX-License-Identifier: BSD-3-Clause */
/** @file euler.h
 *  Euler angles of rotations, in all 24 conventions by name.
 *
 *  A convention is three letters, the axes in the order of the angles; no two neighbours are equal.
 *  - *Capital* letters turn about the axes of the body as they are by then (intrinsic): "ZYX" is R_z(a) R_y(b) R_x(c),
 *    which is yaw, pitch and roll.
 *  - *Small* letters turn about the fixed axes of space (extrinsic): "xyz" is R_z(c) R_y(b) R_x(a), the same rotation
 *    with its angles in the other order.
 *
 *  Six orders have three different axes (b within [-pi/2, pi/2]), six begin and end with the same one, such as "ZXZ" (b
 *  within [0, pi]). a and c are in (-pi, pi]. Angles are in radians.
 *
 *  *Gimbal lock*: at the ends of the range of b only a sum or difference of a and c is defined. Within 4 eps of it b is
 *  at that end, the third angle is 0 and the first one takes all, so that the rotation is right within 4e-15 there,
 *  too. Near it a and c are sensitive, the rotation is not: going there and back is within 4e-15 everywhere.
 *
 *  Source: E. Bernardes, S. Viollet, Quaternion to Euler angles conversion: a direct, general and computationally
 *  efficient method, PLoS ONE 17 (2022), doi:10.1371/journal.pone.0276302; here the sine of b comes from q itself, so
 *  that small angles keep their digits. */
#ifndef LIEGRP_GROUPS_EULER_H
#define LIEGRP_GROUPS_EULER_H

#include "../base/export.h"
#include "../base/status.h"

LG_BEGIN

/** q = the rotation of the angles (a, b, c), of any size, q = (x, y, z, w).
 *  - LG_ERROR_ARGUMENT: `convention` is not one of the 24 names, or NULL. */
LG_API LG_MUST_CHECK lg_status lg_so3_from_euler(double q[LG_LEN(4)], const double angles[LG_LEN(3)],
                                                 const char *convention);
/** angles = (a, b, c) of q, which need not have length 1.
 *  - LG_ERROR_ARGUMENT: `convention` is not one of the 24 names, or NULL.
 *  - LG_ERROR_DOMAIN: |q|^2 < 1/4. */
LG_API LG_MUST_CHECK lg_status lg_so3_to_euler(double angles[LG_LEN(3)], const double q[LG_LEN(4)],
                                               const char *convention);
/** The names of all 24 conventions, terminated by NULL. */
LG_API const char *const *lg_so3_euler_names(void);

LG_END

#endif
