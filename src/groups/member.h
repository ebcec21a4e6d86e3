/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of a descriptor that callers with older headers lack, according to lg_group::size (LG_FIELD).
 */
#ifndef LIEGRP_SRC_GROUPS_MEMBER_H
#define LIEGRP_SRC_GROUPS_MEMBER_H

#include <liegrp/groups/group.h>

#include "base/sized.h"

/* group.c: lg_group::destroy of a group that is one block. */
void lg_group_free(lg_group *G);

#endif
