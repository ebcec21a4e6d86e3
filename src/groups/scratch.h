/* SPDX-License-Identifier: BSD-3-Clause */
/** @file scratch.h
 *  Scratch of an operation on any group: on the stack while it fits, else from the heap. */
#ifndef LIEGRP_SRC_GROUPS_SCRATCH_H
#define LIEGRP_SRC_GROUPS_SCRATCH_H

#include <stdlib.h>

#include <liegrp/groups/group.h>

#include "base/arena.h"

#define LG_SCRATCH_BYTES 8192

typedef struct lg_scratch {
    _Alignas(16) unsigned char stack[LG_SCRATCH_BYTES];
    void *heap;
    double *own; /**< requested by the wrapper */
    void *work;  /**< needed by the descriptor's operations */
} lg_scratch;

static inline lg_status lg_scratch_open(lg_scratch *s, const lg_group *G, size_t doubles)
{
    size_t own = lg_round_up(doubles * sizeof(double)), bytes = own + G->work_bytes;
    s->heap = bytes > LG_SCRATCH_BYTES ? malloc(bytes) : NULL;
    if (bytes > LG_SCRATCH_BYTES && !s->heap) return LG_ERROR_MEMORY;
    unsigned char *base = s->heap ? s->heap : s->stack;
    s->own = (double *)(void *)base;
    s->work = base + own;
    return LG_OK;
}

static inline void lg_scratch_close(lg_scratch *s)
{
    free(s->heap);
}

#endif
