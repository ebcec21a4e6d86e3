/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of one size, and their kernels: X(KIND, name, n, e, m, turn), the numbers of a vector and of
 * an element, rows of the matrix that represents one, and numbers of the rotation, the last ones of an element. */
#ifndef LIEGRP_SRC_GROUPS_LIST_H
#define LIEGRP_SRC_GROUPS_LIST_H

#include "groups/se2.h"
#include "groups/se23.h"
#include "groups/se3.h"
#include "groups/so2.h"
#include "groups/so3.h"

/* clang-format off */
#define LG_GROUPS(X)                                                                                                   \
    X(SO2, so2, 1, 2, 2, 2)                                                                                            \
    X(SO3, so3, 3, 4, 3, 4)                                                                                            \
    X(SE2, se2, 3, 4, 3, 2)                                                                                            \
    X(SE3, se3, 6, 7, 4, 4)                                                                                            \
    X(SE23, se23, 9, 10, 5, 4)
/* clang-format on */

#endif
