/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of memory and the arrays taken from them. With LG_RED_ZONES, every array of a block has a red zone behind it:
 * 1 KiB, as long as a pose of eight lanes. It is filled with numbers that lg_release() compares, and if LG_RED_ZONES is
 * 2 it is poisoned for the address sanitizer, which stops at the instruction that touches it.
 *
 * A number of a red zone contains its index in the zone and a hash of its address. So lg_release() finds the zones
 * of a block without a list of them; and since a double with these bits is about 1e-303, any sum or product with
 * another number changes it. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#ifndef LG_RED_ZONES

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

#else

#include <stdint.h>
#include <stdio.h>

#if LG_RED_ZONES == 2
#include <sanitizer/asan_interface.h>
#define ZONES_POISON(p, bytes)   __asan_poison_memory_region(p, bytes)
#define ZONES_UNPOISON(p, bytes) __asan_unpoison_memory_region(p, bytes)
#else
#define ZONES_POISON(p, bytes)   ((void)(p), (void)(bytes))
#define ZONES_UNPOISON(p, bytes) ((void)(p), (void)(bytes))
#endif

enum { ZONE_WORDS = 128, ZONE_BYTES = 8 * ZONE_WORDS };

/* The header in front of a block. */
typedef struct zones_head {
    _Alignas(LG_ALIGN) size_t bytes;
    uint64_t mark;
} zones_head;

/* Word k of a red zone: a small exponent, k, and 40 bits of the address, mixed. */
static uint64_t zones_word(const uint64_t *at, uint64_t k)
{
    return UINT64_C(0x0123) << 48 | k << 40 | ((uint64_t)(uintptr_t)at * UINT64_C(0x9e3779b97f4a7c15)) >> 24;
}

/* The index of this word within a red zone; ZONE_WORDS if it is not part of one. */
static uint64_t zones_index(const uint64_t *at)
{
    const uint64_t k = *at >> 40 & 0xff;
    return k < ZONE_WORDS && *at == zones_word(at, k) ? k : ZONE_WORDS;
}

static _Noreturn void zones_broken(const zones_head *head, size_t at, size_t off, int array)
{
    (void)fprintf(
        stderr, "red zone: something wrote %zu bytes behind array %d of a block of %zu bytes, which ends at byte %zu\n",
        off, array, head->bytes, at);
    abort();
}

void *lg_reserve(size_t bytes)
{
    const size_t all = sizeof(zones_head) + lg_aligned(bytes);
    zones_head *head = aligned_alloc(LG_ALIGN, all);
    if (head == NULL) return NULL;
    memset(head, 0, all);
    head->bytes = lg_aligned(bytes), head->mark = zones_word(&head->mark, 0);
    ZONES_POISON(head, sizeof *head);
    return head + 1;
}

void lg_release(void *block)
{
    if (block == NULL) return;
    zones_head *head = (zones_head *)block - 1;
    ZONES_UNPOISON(head, sizeof *head);
    if (head->mark != zones_word(&head->mark, 0)) zones_broken(head, 0, 0, 0);
    ZONES_UNPOISON(block, head->bytes);
    const uint64_t *word = block;
    const size_t words = head->bytes / sizeof *word;
    int array = 0;
    for (size_t i = 0; i < words;) {
        const uint64_t k = zones_index(word + i);
        const size_t first = i - (size_t)k; /* its first words may be broken */
        if (k == ZONE_WORDS) {
            i++;
            continue;
        }
        array++;
        for (size_t j = 0; j < ZONE_WORDS; j++)
            if (word[first + j] != zones_word(word + first + j, j))
                zones_broken(head, first * sizeof *word, j * sizeof *word, array);
        i = first + ZONE_WORDS;
    }
    free(head);
}

void *lg_take(lg_arena *a, size_t bytes)
{
    char *p = lg_part(a, bytes);
    a->used += ZONE_BYTES;
    if (p == NULL) return NULL;
    uint64_t *zone = (uint64_t *)(void *)(p + (bytes + 7) / 8 * 8);
    for (size_t k = 0; k < ZONE_WORDS; k++) zone[k] = zones_word(zone + k, k);
    ZONES_POISON(p + bytes, (size_t)(a->base + a->used - (p + bytes)));
    return p;
}

#if LG_RED_ZONES == 2

void *lg_borrow(lg_arena *a, size_t bytes)
{
    char *p = lg_part(a, bytes);
    a->used += ZONE_BYTES;
    if (p == NULL) return NULL;
    ZONES_UNPOISON(p, bytes);
    ZONES_POISON(p + bytes, (size_t)(a->base + a->used - (p + bytes)));
    return p;
}

void lg_undivide(void *array, size_t bytes)
{
    ZONES_UNPOISON(array, bytes);
}

#endif
#endif
