/* SPDX-License-Identifier: BSD-3-Clause */
/** @file bits.h
 *  Digests of what the library computes: 64-bit FNV-1a over the bits of the numbers, all NaNs taken for one. */
#ifndef TESTS_BITS_BITS_H
#define TESTS_BITS_BITS_H

#include <stddef.h>
#include <stdint.h>

#include <liegrp/liegrp.h>

enum { BITS_NUMBERS = 64 /**< most numbers of an element */ };

/** What is asked for. */
typedef struct bits_ways {
    int width, threads; /**< of ensembles and batches; width 0: single integrators and single elements */
    int thin, phase;    /**< only every so many-th line, from which one on: 1, 0 for all */
} bits_ways;

/** The digest of nothing. */
uint64_t bits_none(void);
/** Goes on with n numbers. */
void bits_fold(uint64_t *digest, const double *x, size_t n);

/** Takes a line: its words and the digest. */
void bits_line(const char *words, uint64_t digest);
/** Counts an instance, and whether it was stepped to the end: most must be. */
void bits_instance(int ended_well);
/** Whether the next line is to be computed; a line left out counts too. */
int bits_wanted(const bits_ways *ways);

/** A system of dimension 17. */
extern const lg_model_definition bits_large;
/** A system on SO(2) x SO(2) x R^2. */
extern const lg_model_definition bits_wheel;

/** All systems, methods, compositions and retractions; */
void bits_of_runs(const bits_ways *ways);
/** all mechanisms of the gallery; */
void bits_of_motions(const bits_ways *ways);
/** all operations of all groups and retractions; */
void bits_of_operations(const bits_ways *ways);
/** all elementary functions and random numbers. */
void bits_of_functions(void);

#endif
