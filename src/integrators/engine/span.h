/* SPDX-License-Identifier: BSD-3-Clause */
/* A stretch of numbers of a workspace: number i of lane l at at[i * width + l]. What moves between instances is a list
 * of these. */
#ifndef LG_INTEGRATORS_SPAN_H
#define LG_INTEGRATORS_SPAN_H

typedef struct lg_span {
    double *at;
    int count;
} lg_span;

enum { LG_SPANS = 32 };

#endif
