/* SPDX-License-Identifier: BSD-3-Clause */
/* FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. */
#include "base/sha256.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/message.h"

enum { BLOCK = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* 6.2.2 */
static void add_block(uint32_t *h, const unsigned char *block)
{
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        const uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; t++) {
        const uint32_t a = v[0], e = v[4];
        const uint32_t one =
            v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        const uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

/* The initial hash value, 5.3.3. */
static const uint32_t begin[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* Adds whole blocks. */
static void add_blocks(uint32_t *h, const unsigned char *at, size_t size)
{
    for (size_t done = 0; done < size; done += BLOCK) add_block(h, at + done);
}

/* Adds the bytes after the last whole block and the padding of 5.1.1; `size` counts all bytes. */
static void finish(char *text, uint32_t *h, const unsigned char *at, uint64_t size)
{
    unsigned char end[2 * BLOCK] = {0};
    const size_t rest = size % BLOCK, last = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (rest > 0) memcpy(end, at, rest);
    end[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) end[last - 1 - i] = (unsigned char)(8 * size >> (8 * i));
    add_blocks(h, end, last);
    for (int i = 0; i < 8; i++) snprintf(text + (size_t)(8 * i), 9, "%08x", (unsigned)h[i]);
}

void lg_sha256(char *text, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    const size_t whole = size - size % BLOCK;
    uint32_t h[8];
    memcpy(h, begin, sizeof h);
    add_blocks(h, at, whole);
    finish(text, h, whole < size ? at + whole : NULL, size);
}

lg_status lg_sha256_file(char *text, const char *path, lg_error *error)
{
    unsigned char piece[64 * BLOCK];
    uint64_t size = 0;
    uint32_t h[8];
    size_t got;
    FILE *f;
    lg_status status = lg_file_open_to_read(&f, path, LG_FILE_MOST, error);
    if (status != LG_OK) return status;
    memcpy(h, begin, sizeof h);
    while ((got = fread(piece, 1, sizeof piece, f)) == sizeof piece && size < LG_FILE_MOST) {
        add_blocks(h, piece, got);
        size += got;
    }
    if (ferror(f)) status = lg_fail_system(error, path, errno);
    (void)fclose(f);
    if (status != LG_OK) return status;
    if (got == sizeof piece) return lg_fail(error, LG_ERROR_IO, "%.160s: it grows while it is read", path);
    add_blocks(h, piece, got - got % BLOCK);
    finish(text, h, piece + (got - got % BLOCK), size + got);
    return LG_OK;
}
