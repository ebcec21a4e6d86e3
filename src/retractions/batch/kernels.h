/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops behind lg_batch_*(): one table a width, filled by kernels.c, which is compiled once for each. */
#ifndef LG_RETRACTIONS_BATCH_KERNELS_H
#define LG_RETRACTIONS_BATCH_KERNELS_H

#include <stddef.h>

/* Number i of thing k at at[i * entry + k * instance]. */
typedef struct lg_view {
    double *at;
    size_t entry, instance;
} lg_view;

/* What a loop works on. Matrices have their entry (i, j) at number i * row + j. */
typedef struct lg_loop {
    lg_view out, a, b;
    size_t row, count;
    int n; /* dimension, for R^n and T^n */
} lg_loop;

/* Runs over all elements; returns how many had no result (theirs is NaN). */
typedef size_t (*lg_loop_fn)(const lg_loop *L);

typedef enum lg_batch_group {
    LG_BATCH_RN,
    LG_BATCH_TORUS,
    LG_BATCH_SO3,
    LG_BATCH_SE2,
    LG_BATCH_SE3,
    LG_BATCH_GROUPS
} lg_batch_group;
typedef enum lg_batch_op {
    LG_BATCH_EXP,
    LG_BATCH_LOG,
    LG_BATCH_DEXP,
    LG_BATCH_DEXP_INV,
    LG_BATCH_CAY,
    LG_BATCH_CAY_INV,
    LG_BATCH_DCAY,
    LG_BATCH_DCAY_INV,
    LG_BATCH_COMPOSE,
    LG_BATCH_INVERSE,
    LG_BATCH_AD,
    LG_BATCH_COAD,
    LG_BATCH_OPS
} lg_batch_op;

typedef struct lg_batch_table {
    lg_loop_fn loop[LG_BATCH_GROUPS][LG_BATCH_OPS];
} lg_batch_table;

extern const lg_batch_table lg_batch_table_1, lg_batch_table_2, lg_batch_table_4, lg_batch_table_8;

#endif
