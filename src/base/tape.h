/* SPDX-License-Identifier: BSD-3-Clause */
/** @file tape.h
 *  The numbers of an object, one after the other: one function lists them, for measuring, writing and reading alike, so
 *  the three cannot disagree. */
#ifndef LIEGRP_SRC_BASE_TAPE_H
#define LIEGRP_SRC_BASE_TAPE_H

#include <stddef.h>
#include <stdint.h>

typedef struct lg_tape {
    unsigned char *at; /**< where the next number goes; NULL: numbers are only counted */
    size_t used;       /**< bytes so far */
    int reads;         /**< 1: from the tape into the object, which is the only thing that changes */
    const char *wrong; /**< why a number that was read is invalid; NULL: all are valid */
} lg_tape;

/** Numbers of any kind without padding, `size` bytes. */
void lg_tape_bytes(lg_tape *t, void *x, size_t size);
void lg_tape_doubles(lg_tape *t, double *x, size_t count);
void lg_tape_double(lg_tape *t, double *x);
/** Whole numbers. One that is read and is not in [low, high] is `wrong`, and not taken. */
void lg_tape_int(lg_tape *t, int *x, int low, int high, const char *wrong);
void lg_tape_long(lg_tape *t, int64_t *x, int64_t low, int64_t high, const char *wrong);
/** 1: x is a whole number from 0 to `most`. */
static inline int lg_tape_is_whole(double x, int most)
{
    return x >= 0 && x <= most && x == (double)(int)x;
}

#endif
