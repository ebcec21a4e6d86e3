/* SPDX-License-Identifier: BSD-3-Clause */
/* What all targets of the fuzzer share: a reader of its bytes, numbers that hurt, and requirements that end the
 * program. A target is one file that defines LLVMFuzzerTestOneInput(); docs/trust.md, Fuzzing. */
#ifndef LIEGRP_TESTS_FUZZ_H
#define LIEGRP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <liegrp/base/status.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes of an input from front to back; after the last one they are 0. */
typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size, at;
} fuzz_bytes;

int fuzz_more(const fuzz_bytes *b);
int fuzz_byte(fuzz_bytes *b);
/* From `low` to `high`, both included. */
int fuzz_between(fuzz_bytes *b, int low, int high);
/* One of the numbers that break formulas (0, NaN, infinities, the smallest, 2^20, 1e100, pi ...), any bits at all, or
 * in most cases a multiple of 1/64 between -2 and 2. */
double fuzz_number(fuzz_bytes *b);
/* fuzz_number() without the first two kinds. */
double fuzz_mild(fuzz_bytes *b);
void fuzz_numbers(fuzz_bytes *b, double *out, int count, int mild);
/* The rest of the bytes as a string, which is to be freed; it ends at a byte 0. */
char *fuzz_text(const fuzz_bytes *b);

/* Whether an input is one of the few, an eighth by a sum of their bytes, that do all that is long: the others leave out
 * what takes most of a target's time, so that there are many more of them. Where a corpus is called without the fuzzer,
 * each input comes as the one and as the other: fuzz_all. */
int fuzz_thorough(const uint8_t *data, size_t size);
extern int fuzz_all;

/* Ends the program with the words, unless it holds. */
void fuzz_require(int holds, const char *words, const char *more);
/* A call that failed has a message, and its status is one. */
void fuzz_require_message(lg_status status, const char *message, const char *call);
/* Same bits. */
void fuzz_require_same(const void *a, const void *b, size_t size, const char *words);

#endif
