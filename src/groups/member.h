/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a descriptor that a caller compiled against older headers does not have: lg_group::size tells. */
#ifndef LIEGRP_SRC_GROUPS_MEMBER_H
#define LIEGRP_SRC_GROUPS_MEMBER_H

#include <stddef.h>

#include <liegrp/groups/group.h>

/* G->member, 0 or NULL where the descriptor ends before it. */
#define LG_GROUP_MEMBER(G, member) (offsetof(lg_group, member) + sizeof(G)->member <= (G)->size ? (G)->member : 0)

/* group.c: lg_group::destroy of a group that is one block. */
void lg_group_free(lg_group *G);

#endif
