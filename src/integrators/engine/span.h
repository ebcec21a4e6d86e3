/* SPDX-License-Identifier: BSD-3-Clause */
/* A stretch of numbers of a workspace: number i of lane l at at[i * width + l]. Lists of these say which numbers move
 * between instances. */
#ifndef LG_INTEGRATORS_SPAN_H
#define LG_INTEGRATORS_SPAN_H

#include "base/tape.h"

typedef struct lg_span {
    double *at;
    int count;
} lg_span;

enum { LG_SPANS = 32 };

/* For checkpoints, at width 1. */
static inline void lg_span_list(lg_tape *t, const lg_span *s, int count)
{
    for (int k = 0; k < count; k++) lg_tape_doubles(t, s[k].at, (size_t)s[k].count);
}

#endif
