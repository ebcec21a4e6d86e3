/* SPDX-License-Identifier: BSD-3-Clause */
/** @file saved.h
 *  The bytes of a checkpoint that a test changes. */
#ifndef TESTS_SUPPORT_SAVED_H
#define TESTS_SUPPORT_SAVED_H

#include <string.h>

#include "base/sum.h"

typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

/** Corrects the checksum after a change. */
static inline void saved_mend(const saved *s)
{
    const uint64_t sum = lg_sum(LG_SUM, s->bytes, s->size - sizeof sum);
    memcpy(s->bytes + s->size - sizeof sum, &sum, sizeof sum);
}

#endif
