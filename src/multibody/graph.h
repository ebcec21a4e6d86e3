/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.h: the order in which blocks of rows are eliminated, and what the factor looks like in that order. */
#ifndef LG_MULTIBODY_GRAPH_H
#define LG_MULTIBODY_GRAPH_H

#include "multibody/plan.h"

/* order[position] = block, by least degree; among equals the block that comes first. `world` joins nothing. 0: out of
 * memory. */
int mb_order(int *order, const mb_block *block, int count, int world);

/* The symbolic factor of `count` blocks in this order; its arrays are the caller's to free with mb_symbolic_free().
 * 0: out of memory; then there is nothing to free. */
int mb_symbolic_make(mb_symbolic *S, const mb_block *block, const int *order, int count, int world);

/* The symbolic factor of `count` vertices with these numbers of rows, joined in pairs, in the order of least degree; a
 * vertex from `late` on comes after its neighbours before `late`. position[vertex] <- its place in that order. 0: out
 * of memory; then there is nothing to free. */
int mb_symbolic_join(mb_symbolic *S, int *position, const int *rows, int count, const int *pair, int pairs, int late);

/* Where the numbers of block (i, k), positions i >= k, begin. */
int mb_number_at(const mb_symbolic *S, int i, int k);

void mb_symbolic_free(mb_symbolic *S);

#endif
