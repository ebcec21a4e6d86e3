/* SPDX-License-Identifier: BSD-3-Clause */
/* An operation on arrays as a list of loops, and its execution. */
#ifndef LG_RETRACTIONS_BATCH_BATCH_H
#define LG_RETRACTIONS_BATCH_BATCH_H

#include <liegrp/retractions/batch.h>

#include "retractions/batch/kernels.h"

/* The size of an argument: dim, element_size, dim^2, matrix_size^2, 2 dim^2. */
typedef enum lg_batch_span { NOTHING, ALGEBRA, ELEMENT, MATRIX, REPRESENTATION, PAIR } lg_batch_span;

/* Where a loop reads and writes: the arguments of the call, of a PAIR the second matrix in BESIDE, then intermediate
 * vectors and elements. */
typedef enum lg_batch_place { TO, BESIDE, FIRST, SECOND, X, Y, ONE, TWO, NOWHERE } lg_batch_place;

/* Of the matrix of a step; the last one is lg_loop::raw. */
enum { TRANSPOSED = 1, NEGATIVE = 2, RAW = 4 };

typedef struct lg_batch_step {
    lg_batch_op exp, cay; /* for each retraction; equal if the operation has none */
    lg_batch_place out, a, b;
    int flags;
} lg_batch_step;

/* The operation on one element; exactly one member is set. */
typedef struct lg_batch_single {
    lg_status (*group_1)(const lg_group *G, double *out, const double *a);
    lg_status (*group_2)(const lg_group *G, double *out, const double *a, const double *b);
    lg_status (*group_pair)(const lg_group *G, double *out, double *beside, const double *a, const double *b);
    lg_status (*retraction_1)(const lg_retraction *r, const lg_group *G, double *out, const double *a);
    lg_status (*retraction_2)(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b);
} lg_batch_single;

typedef struct lg_batch_operation {
    lg_batch_span out, first, second;
    lg_batch_single single;
    int length; /* 1: the result is the length of the vector `out`, one number an element */
    int count;
    lg_batch_step steps[6];
} lg_batch_operation;

/* r: NULL without retraction; b: NULL without second argument. */
lg_status lg_batch_run(const lg_batch_operation *op, const lg_retraction *r, const lg_group *G, const lg_batch *batch,
                       double *out, const double *a, const double *b);

#endif
