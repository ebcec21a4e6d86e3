/* SPDX-License-Identifier: BSD-3-Clause */
/* One block of memory, divided in one place: the same function runs once over an empty arena to compute the size and
 * once over the block to set the pointers, so the two cannot disagree.
 *
 * To a sanitizer the arrays of a block are one allocation, so it misses an overrun from one array into the next. Builds
 * with LG_RED_ZONES therefore put a red zone behind every array that lg_take() returns (arena.c). Nothing may rely on
 * the positions of two arrays relative to each other. */
#ifndef LG_BASE_ARENA_H
#define LG_BASE_ARENA_H

#include <stddef.h>

#define LG_ALIGN 64u /* a cache line, and the widest vector */

/* A count as a size. */
static inline size_t sz(int count)
{
    return (size_t)count;
}

typedef struct lg_arena {
    char *base; /* NULL while the size is computed */
    size_t used;
} lg_arena;

/* The next multiple of 16, the alignment of everything taken from the arena. */
static inline size_t lg_round_up(size_t bytes)
{
    return (bytes + 15u) & ~(size_t)15u;
}

/* The next multiple of LG_ALIGN. */
static inline size_t lg_aligned(size_t bytes)
{
    return (bytes + LG_ALIGN - 1) / LG_ALIGN * LG_ALIGN;
}

/* Aligns what is taken next to LG_ALIGN, if the block is so aligned. */
static inline void lg_align(lg_arena *a)
{
    a->used = lg_aligned(a->used);
}

/* ---- blocks that objects own ---- */

/* A block of zeros, aligned to LG_ALIGN, for lg_release(); NULL: out of memory. */
void *lg_reserve(size_t bytes);
/* Frees a block, NULL too. With red zones the program ends, with a message, if one of the block was written to. */
void lg_release(void *block);

/* `bytes` bytes aligned to 16, NULL while sizing: an array that lives as long as its block. */
void *lg_take(lg_arena *a, size_t bytes);

static inline double *lg_take_doubles(lg_arena *a, size_t count)
{
    return (double *)lg_take(a, count * sizeof(double));
}

/* ---- scratch, divided anew in every call ---- */

/* lg_take() in memory that a caller lends for one call: without a red zone, since it may be anything afterwards. */
static inline void *lg_part(lg_arena *a, size_t bytes)
{
    void *p = a->base ? a->base + a->used : NULL;
    a->used += lg_round_up(bytes);
    return p;
}

static inline double *lg_part_doubles(lg_arena *a, size_t count)
{
    return (double *)lg_part(a, count * sizeof(double));
}

/* lg_take() in an array of a block which several functions divide, each in its own way: red zones under the address
 * sanitizer alone, until the next function divides it or calls lg_undivide(). */
#if LG_RED_ZONES == 2
void *lg_borrow(lg_arena *a, size_t bytes);
void lg_undivide(void *array, size_t bytes);
#else
static inline void *lg_borrow(lg_arena *a, size_t bytes)
{
    return lg_part(a, bytes);
}

static inline void lg_undivide(void *array, size_t bytes)
{
    (void)array, (void)bytes;
}
#endif

static inline double *lg_borrow_doubles(lg_arena *a, size_t count)
{
    return (double *)lg_borrow(a, count * sizeof(double));
}

#endif
