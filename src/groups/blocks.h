/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of an element and their columns in a row: angles are written unwrapped and read back into (-pi, pi]; a
 * quaternion that is read is scaled to length 1. */
#ifndef LIEGRP_SRC_GROUPS_BLOCKS_H
#define LIEGRP_SRC_GROUPS_BLOCKS_H

#include <liegrp/groups/group.h>

/* Is |xi| h an angle? */
static inline int lg_block_turns(lg_block_kind kind)
{
    return kind == LG_BLOCK_ANGLES || kind == LG_BLOCK_PLANE_ROTATION || kind == LG_BLOCK_QUATERNION ||
           kind == LG_BLOCK_MATRIX;
}

/* Are its columns coordinates, which a model names? */
static inline int lg_block_has_coordinates(const lg_group_block *b)
{
    return (b->kind == LG_BLOCK_VECTOR || b->kind == LG_BLOCK_ANGLES) && b->names == NULL;
}

static inline int lg_block_columns(const lg_group_block *b)
{
    return b->kind == LG_BLOCK_PLANE_ROTATION ? 1 : b->element_size;
}

static inline int lg_group_columns(const lg_group *G)
{
    int columns = 0;
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        columns += lg_block_columns(&b);
    }
    return columns;
}

/* Do columns depend on those of the row before? */
static inline int lg_columns_are_unwrapped(const lg_group *G)
{
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_block_kind kind = lg_group_block_at(G, i).kind;
        if (kind == LG_BLOCK_ANGLES || kind == LG_BLOCK_PLANE_ROTATION) return 1;
    }
    return 0;
}

/* Are all blocks of one of these two kinds? */
static inline int lg_group_consists_of(const lg_group *G, lg_block_kind a, lg_block_kind b)
{
    for (int i = 0; i < lg_group_block_count(G); i++) {
        const lg_block_kind kind = lg_group_block_at(G, i).kind;
        if (kind != a && kind != b) return 0;
    }
    return 1;
}

/* lg_group::residual and random: rotations have length 1, all numbers are finite; uniform rotations and angles, normal
 * numbers. */
double lg_blocks_residual(const lg_group *G, const double *g, void *work);
lg_status lg_blocks_random(const lg_group *G, double *g, lg_rng *rng, void *work);
/* The reason why the blocks of a descriptor are invalid, or NULL. */
const char *lg_group_blocks_wrong(const lg_group *G);
/* The name of column i of a block; "" for a coordinate. */
void lg_block_column_name(const lg_group_block *b, char *name, size_t room, int i);
/* Writes the columns of g; angles are on the branch nearest to `previous`, or on the principal branch if that is NULL
 * or NaN. */
void lg_columns_write(const lg_group *G, double *columns, const double *g, const double *previous);
/* Changes g to the given columns; a NaN leaves the value of g. LG_ERROR_ARGUMENT: a quaternion's length is not 1. */
lg_status lg_columns_read(const lg_group *G, double *g, const double *given, lg_error *error);

#endif
