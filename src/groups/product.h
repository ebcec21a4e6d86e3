/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct products: the data of a group of LG_KIND_PRODUCT. */
#ifndef LIEGRP_SRC_GROUPS_PRODUCT_H
#define LIEGRP_SRC_GROUPS_PRODUCT_H

#include <liegrp/groups/group.h>

#include "base/sized.h"

typedef struct lg_product {
    int count;
    const lg_group *const *factors;
    const int *at, *gat, *mat; /* the offsets of a factor's algebra, element and matrix block */
} lg_product;

static inline const lg_product *lg_product_of(const lg_group *G)
{
    return (const lg_product *)G->data;
}

/* The operations that a user-supplied group must have. */
int lg_group_complete(const lg_group *G);
/* The most dimensions of a configuration space and the longest element that systems take: all arrays are dense, and
 * every product of two counts that their indices are made of, (4 n)^2 at most, is an int. */
enum { LG_DIM_MOST = 10000, LG_ELEMENT_MOST = 1 << 20 };
/* LG_OK, or an error that names a missing operation. */
lg_status lg_group_validate(const lg_group *G, const char *caller, lg_error *e);

#endif
