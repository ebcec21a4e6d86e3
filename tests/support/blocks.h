/* SPDX-License-Identifier: BSD-3-Clause */
/** @file blocks.h
 *  Different instances of a system, each alone in an integrator and all of them together in a wide work. */
#ifndef TESTS_SUPPORT_BLOCKS_H
#define TESTS_SUPPORT_BLOCKS_H

#include "integrators/engine/wide.h"
#include "suite.h"

enum { BLOCK_LANES = 8, BLOCK_PARAMETERS = 32 };

/** An instance's numbers. */
typedef struct block_numbers {
    double inertia[SUITE_MATRIX], rows[SUITE_MATRIX], projector[SUITE_MATRIX], values[BLOCK_PARAMETERS];
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM];
} block_numbers;

/** Do not copy it: the systems point into the numbers. */
typedef struct block {
    block_numbers numbers[BLOCK_LANES];
    lg_system S[BLOCK_LANES];
    lg_integrator *alone[BLOCK_LANES], *scalar;
    int retired[BLOCK_LANES]; /**< failed, alone and in the block */
    lg_wide *W;
    int width;
    double h, t0[BLOCK_LANES];        /**< instances begin at different times, but where callbacks see them together */
    int64_t step, begun[BLOCK_LANES]; /**< begun: the step at which a lane was started */
    long at_once, apart;              /**< steps done by all lanes together, and lane by lane */
    double snapshots[2][4096];
} block;

/** `width` instances of S near (g0, xi0), with numbers and parameters a little different from lane to lane. 0: the
 *  method does not take the system, or has no wide form (what lg_wide_has_form() says is tried). */
int block_open(block *b, const lg_system *S, const char *method, const char *retraction, double h, const double *g0,
               const double *xi0, int width);
/** One step; messages are the same. After every seventh one, and after those done lane by lane, it compares. */
void block_step(block *b);
/** Everything that can be read is the same to the bit. */
void block_compare(block *b);
/** Lane l starts again: its solver then remembers less than its neighbours'. */
void block_restart(block *b, int l);
void block_close(block *b);

#endif
