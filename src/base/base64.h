/* SPDX-License-Identifier: BSD-3-Clause */
/** @file base64.h
 *  Numbers as base64 text, little-endian on every machine. */
#ifndef LIEGRP_SRC_BASE_BASE64_H
#define LIEGRP_SRC_BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

/** Numbers come in, text goes out. Begins with .at = text, which has room for LG_BASE64_ROOM(bytes) characters. */
typedef struct lg_base64 {
    char *at;
    uint32_t bits; /**< of bytes that wait */
    int bytes;     /**< how many do, 0 to 2 */
} lg_base64;

/** Characters of so many bytes and the terminating zero, at most. */
#define LG_BASE64_ROOM(bytes) ((bytes) / 3 * 4 + 8)

void lg_base64_double(lg_base64 *c, double x);
void lg_base64_float(lg_base64 *c, float x);
void lg_base64_word(lg_base64 *c, uint32_t x);
/** Writes what waits, and ends the text. */
void lg_base64_finish(lg_base64 *c);

#endif
