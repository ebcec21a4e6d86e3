/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops behind lg_batch_*(): one list a width, filled by kernels.c, which is compiled once for each. */
#ifndef LG_RETRACTIONS_BATCH_KERNELS_H
#define LG_RETRACTIONS_BATCH_KERNELS_H

#include <stddef.h>

#include <liegrp/groups/group.h>

/* Number i of thing k at at[i * entry + k * instance]. */
typedef struct lg_view {
    double *at;
    size_t entry, instance;
} lg_view;

/* The operands of a loop. Entry (i, j) of its matrix, which is the output or the first input, is number
 * i * row + j * column; column = 1 for an input. */
typedef struct lg_loop {
    lg_view out, a, b;
    size_t row, column, count;
    double sign; /* a matrix is written times this, 1 or -1 */
    int raw;     /* tangents of exp: NaN propagates as in the formula, not to all entries */
    int n;       /* the dimension, for loops that serve any */
} lg_loop;

/* Runs over all elements; returns the number of those without a result (NaN). */
typedef size_t (*lg_loop_fn)(const lg_loop *L);

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
    LG_BATCH_AD_APPLY,
    LG_BATCH_SMALL_AD,
    LG_BATCH_SMALL_AD_APPLY,
    LG_BATCH_SMALL_COAD_APPLY,
    LG_BATCH_TO_MATRIX,
    LG_BATCH_HAT,
    LG_BATCH_PROJECT,
    LG_BATCH_DEXP_APPLY,
    LG_BATCH_DEXP_INV_APPLY,
    LG_BATCH_DEXP_DUAL,
    LG_BATCH_DEXP_INV_DUAL,
    LG_BATCH_DCAY_APPLY,
    LG_BATCH_DCAY_INV_APPLY,
    LG_BATCH_DCAY_DUAL,
    LG_BATCH_DCAY_INV_DUAL,
    LG_BATCH_FROM_MATRIX,
    LG_BATCH_IDENTITY, /* n x n matrices of any group */
    LG_BATCH_NEGATE,   /* vectors of n numbers */
    LG_BATCH_LENGTH,   /* one number: |a| */
    LG_BATCH_OPS
} lg_batch_op;

/* The loops of one kind of group. */
typedef struct lg_batch_row {
    lg_group_kind kind;
    lg_loop_fn loop[LG_BATCH_OPS]; /* NULL: one element at a time */
} lg_batch_row;

/* The rows of each width; the last one, LG_KIND_USER, serves every other group. */
extern const lg_batch_row lg_batch_rows_1[], lg_batch_rows_2[], lg_batch_rows_4[], lg_batch_rows_8[];

#endif
