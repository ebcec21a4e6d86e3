/* SPDX-License-Identifier: BSD-3-Clause */
/* spans.h: all numbers of a motion as a list, in the same order at every width. */
#ifndef LG_MULTIBODY_SPANS_H
#define LG_MULTIBODY_SPANS_H

#include "multibody/plan.h"

/* Numbers side by side: number i of lane l is at [i * lanes + l]. */
typedef struct mb_span {
    double *at;
    int count;
} mb_span;

#endif
