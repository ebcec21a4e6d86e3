/* SPDX-License-Identifier: BSD-3-Clause */
/** @file sum.h
 *  A checksum of bytes, FNV-1a: it detects damage and hashes names, but gives no protection against forgery. */
#ifndef LIEGRP_SRC_BASE_SUM_H
#define LIEGRP_SRC_BASE_SUM_H

#include <stddef.h>
#include <stdint.h>

/** Begin with this. */
#define LG_SUM UINT64_C(0xcbf29ce484222325)

static inline uint64_t lg_sum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *b = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; i++) sum = (sum ^ b[i]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif
