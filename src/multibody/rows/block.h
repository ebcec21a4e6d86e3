/* SPDX-License-Identifier: BSD-3-Clause */
/* block.h: the rows of a block of any kind. */
#ifndef LG_MULTIBODY_BLOCK_H
#define LG_MULTIBODY_BLOCK_H

#include "multibody/rows/composed.h"
#include "multibody/rows/drive.h"
#include "multibody/rows/gear.h"
#include "multibody/rows/height.h"
#include "multibody/rows/held.h"
#include "multibody/rows/joint.h"
#include "multibody/rows/roll.h"
#include "multibody/rows/rolling.h"
#include "multibody/rows/rotor.h"
#include "multibody/rows/skate.h"
#include "multibody/rows/touch.h"

/* All rows of one block, and phi of a holonomic one or the drift of another. */
KERNEL void mb_block_rows(const mb_plan *plan, const mb_block *k, mb_pair *row, real *value, const mb_site *at)
{
#define MB_ROW_CASE(KIND, name, ...)                                                                                   \
    case MB_##KIND:                                                                                                    \
        mb_##name##_rows(plan, k, row, value, at);                                                                     \
        break;
    switch (k->kind) {
        MB_ROW_LIST(MB_ROW_CASE)
    }
#undef MB_ROW_CASE
}

/* The rows of a block that the plan keeps, with their phi or drift. */
KERNEL void mb_block_kept(const mb_plan *plan, const mb_block *k, mb_pair *parts, real *value, const mb_site *at)
{
    if (k->rows == k->all) {
        mb_block_rows(plan, k, parts + k->part, value + k->at, at);
        return;
    }
    mb_pair row[MB_SIDES_MOST * MB_ROWS_MOST];
    real all[MB_ROWS_MOST];
    mb_block_rows(plan, k, row, all, at);
    for (int i = 0; i < k->rows; i++) {
        for (int s = 0; s < k->sides; s++) parts[k->part + i * k->sides + s] = row[k->kept[i] * k->sides + s];
        value[k->at + i] = all[k->kept[i]];
    }
}

/* A' xi - drift' of all rows of one block. */
KERNEL void mb_block_bend(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
#define MB_ROW_CASE(KIND, name, ...)                                                                                   \
    case MB_##KIND:                                                                                                    \
        mb_##name##_bend(plan, k, bend, at);                                                                           \
        break;
    switch (k->kind) {
        MB_ROW_LIST(MB_ROW_CASE)
    }
#undef MB_ROW_CASE
}

/* A' xi - drift' of the rows that the plan keeps. */
KERNEL void mb_block_curvature(const mb_plan *plan, const mb_block *k, real *bend, const mb_site *at)
{
    real all[MB_ROWS_MOST];
    mb_block_bend(plan, k, all, at);
    for (int i = 0; i < k->rows; i++) bend[k->at + i] = all[k->kept[i]];
}

#endif
