/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of memory and what is taken from them. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void *lg_reserve(size_t bytes)
{
    const size_t all = lg_aligned(bytes > 0 ? bytes : 1);
    void *block = aligned_alloc(LG_ALIGN, all);
    return block != NULL ? memset(block, 0, all) : NULL;
}

void lg_release(void *block)
{
    free(block);
}

void *lg_take(lg_arena *a, size_t bytes)
{
    return lg_part(a, bytes);
}
