/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the stages of collocation, with stages in the lanes of `real`. A block is LANES stages; numbers are stored
 * block by block, `numbers` of them in a block. Every sum has the same order, and so the same bits, at every width. */
#ifndef LG_INTEGRATORS_SUMS_H
#define LG_INTEGRATORS_SUMS_H

#include <string.h>

#include "base/lane.h"
#include "base/lane_size.h"
#include "integrators/collocation/tableau.h"

/* sum_j weights_j r_j, even and odd ones apart; r_j is at r[at(j)]. */
#define LG_STAGES_SUM(s, weights, blocks, r, at)                                                                       \
    real even = (weights)[0] * (r)[at(0)], odd = splat(0);                                                             \
    for (int j = 1; j < (s); j++) {                                                                                    \
        const real term = (weights)[j * (blocks)] * (r)[at(j)];                                                        \
        if (j & 1)                                                                                                     \
            odd = j == 1 ? term : odd + term;                                                                          \
        else                                                                                                           \
            even = even + term;                                                                                        \
    }                                                                                                                  \
    return (s) > 1 ? even + odd : even;

/* Of the stages' own numbers. */
KERNEL real stages_sum(int s, int blocks, int numbers, const real *weights, const double *r){
#define STAGES_AT(j) ((j) / LANES * numbers * LANES + (j) % LANES)
    LG_STAGES_SUM(s, weights, blocks, r, STAGES_AT)
#undef STAGES_AT
}

/* The sum over numbers that are stored stage by stage, with the weights of one block. */
KERNEL real stages_sum_of(int s, const real *weights, const double *r){
#define STAGES_AT(j) (j)
    LG_STAGES_SUM(s, weights, 1, r, STAGES_AT)
#undef STAGES_AT
}

/* Column j of M (s x s) times `factor` in the lanes of each block; lanes beyond the last stage repeat it. */
KERNEL void stages_columns(real *to, const double *M, double factor, int s, int blocks)
{
    for (int j = 0; j < s; j++)
        for (int i = 0; i < blocks * LANES; i++)
            as_doubles(to)[j * blocks * LANES + i] = factor * M[(i < s ? i : s - 1) * s + j];
}

/* rate = E memory at the stages of all blocks; `memory` is stored stage by stage, `columns` are those of E. */
KERNEL void stages_continue_of(real *rate, int s, int blocks, int numbers, const real *columns, const double *memory)
{
    for (int b = 0; b < blocks; b++) {
        real column[LG_STAGES_MOST];
        for (int j = 0; j < s; j++) column[j] = columns[j * blocks + b];
        for (int i = 0; i < numbers; i++) rate[b * numbers + i] = stages_sum_of(s, column, memory + i * s);
    }
}
KERNEL void stages_continue(real *rate, int s, int blocks, int numbers, const real *columns, const double *memory)
{
    if (s == LG_STAGES_USUAL)
        stages_continue_of(rate, LG_STAGES_USUAL, LG_STAGES_USUAL / (LANES < 8 ? LANES : 8), numbers, columns, memory);
    else
        stages_continue_of(rate, s, blocks, numbers, columns, memory);
}

/* Number i of stage j to [i s + j]. */
KERNEL void stages_gather_of(double *to, int s, int numbers, const double *r)
{
    for (int i = 0; i < numbers; i++)
        for (int j = 0; j < s; j += LANES)
            memcpy(to + i * s + j, r + (j / LANES * numbers + i) * LANES,
                   sz(s - j < LANES ? s - j : LANES) * sizeof *r);
}
KERNEL void stages_gather(double *to, int s, int numbers, const double *r)
{
    if (s == LANES) /* no gaps between the stages */
        memcpy(to, r, sz(numbers * s) * sizeof *r);
    else if (s == LG_STAGES_USUAL)
        stages_gather_of(to, LG_STAGES_USUAL, numbers, r);
    else
        stages_gather_of(to, s, numbers, r);
}

/* The other way, into one block; lanes beyond the last stage repeat it. */
KERNEL void stages_scatter(real *to, int s, int numbers, int block, const double *from)
{
    for (int i = 0; i < numbers; i++)
        for (int l = 0; l < LANES; l++) {
            const int j = block * LANES + l;
            as_doubles(to)[i * LANES + l] = from[i * s + (j < s ? j : s - 1)];
        }
}

/* to[b] = start + sum_j h a_ij r_j for `count` numbers of every block; most, unless NULL: of each block the largest
 * change, NaN where there is one. */
KERNEL void stages_move(int s, int blocks, int numbers, int count, const real *weights, const double *start,
                        const double *r, real *const *to, real *most)
{
    real alone[LG_STAGES_MOST], change[LG_STAGES_MOST];
    for (int j = 0; blocks == 1 && j < s; j++) alone[j] = weights[j]; /* they stay in registers */
    for (int b = 0; b < blocks; b++) change[b] = splat(0);
    for (int i = 0; i < count; i++) {
        real even[LG_STAGES_MOST], odd[LG_STAGES_MOST];
        for (int j = 0; j < s; j++) {
            const double rate = r[(j / LANES * numbers + i) * LANES + j % LANES];
            real *sum = j & 1 ? odd : even;
            for (int b = 0; b < blocks; b++) {
                const real term = (blocks == 1 ? alone[j] : weights[j * blocks + b]) * rate;
                sum[b] = j < 2 ? term : sum[b] + term;
            }
        }
        for (int b = 0; b < blocks; b++) {
            const real sum = (s > 1 ? even[b] + odd[b] : even[b]) + start[i];
            if (most) change[b] = larger_size(change[b], magnitude(sum - to[b][i]));
            to[b][i] = sum;
        }
    }
    for (int b = 0; most && b < blocks; b++) most[b] = change[b];
}

#endif
