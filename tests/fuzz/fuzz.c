/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fuzz_more(const fuzz_bytes *b)
{
    return b->at < b->size;
}

int fuzz_byte(fuzz_bytes *b)
{
    return b->at < b->size ? b->data[b->at++] : 0;
}

int fuzz_between(fuzz_bytes *b, int low, int high)
{
    return low + fuzz_byte(b) % (high - low + 1);
}

double fuzz_mild(fuzz_bytes *b)
{
    return (fuzz_byte(b) - 128) / 64.0;
}

double fuzz_number(fuzz_bytes *b)
{
    static const double hostile[] = {0,
                                     -0.0,
                                     NAN,
                                     INFINITY,
                                     -INFINITY,
                                     DBL_MIN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     5e-324,
                                     DBL_EPSILON,
                                     1e-8,
                                     0x1p-5,
                                     1,
                                     -1,
                                     0x1p20,
                                     1e100,
                                     1e101,
                                     -1e154,
                                     1e300,
                                     0x1p-1022 / 3,
                                     1e-300,
                                     1e-160,
                                     0x1.921fb54442d18p1,
                                     -0x1.921fb54442d18p1,
                                     0x1.921fb54442d18p2,
                                     0x1.921fb54442d17p1,
                                     4,
                                     1e6,
                                     -1e16,
                                     0x1p53};
    enum { COUNT = sizeof hostile / sizeof hostile[0] };
    const int kind = fuzz_byte(b);
    if (kind < 192) return (kind - 96) / 64.0;
    if (kind < 192 + COUNT) return hostile[kind - 192];
    if (kind < 240) return ldexp(fuzz_mild(b), fuzz_byte(b) - 128);
    uint64_t bits = 0;
    double number;
    for (int i = 0; i < 8; i++) bits = bits << 8 | (uint64_t)fuzz_byte(b);
    memcpy(&number, &bits, sizeof number);
    return number;
}

void fuzz_numbers(fuzz_bytes *b, double *out, int count, int mild)
{
    for (int i = 0; i < count; i++) out[i] = mild ? fuzz_mild(b) : fuzz_number(b);
}

char *fuzz_text(const fuzz_bytes *b)
{
    const size_t length = b->size - b->at;
    char *text = malloc(length + 1);
    if (text == NULL) abort();
    if (length > 0) memcpy(text, b->data + b->at, length);
    text[length] = '\0';
    return text;
}

int fuzz_all;

int fuzz_thorough(const uint8_t *data, size_t size)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size; i++) sum = (sum ^ data[i]) * 16777619u;
    return fuzz_all || (sum >> 24) % 8 == 0;
}

void fuzz_require(int holds, const char *words, const char *more)
{
    if (holds) return;
    fprintf(stderr, "fuzzing: %s: %s\n", words, more);
    abort();
}

void fuzz_require_message(lg_status status, const char *message, const char *call)
{
    fuzz_require((int)status >= 0 && status < LG_STATUS_COUNT, "this is no status", call);
    fuzz_require(status == LG_OK || (message != NULL && message[0] != '\0'), "a failure without a message", call);
}

void fuzz_require_same(const void *a, const void *b, size_t size, const char *words)
{
    fuzz_require(size == 0 || memcmp(a, b, size) == 0, "bits differ", words);
}
