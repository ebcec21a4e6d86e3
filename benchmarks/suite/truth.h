/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiprecision values of group operations: data/accuracy.json and operations.json, made into arrays by
 * embed_truth.py. Inputs ("xi", "g", "a", "b", "p") are exact doubles, results have 19 digits. */
#ifndef BENCH_TRUTH_H
#define BENCH_TRUTH_H

typedef struct bench_truth {
    const char *key, *field; /* "SO3_exp", "dtau" */
    int count, size;         /* items, numbers in an item */
    const long double *values;
} bench_truth;

/* The list ends with a NULL key. */
extern const bench_truth bench_truths[];

#endif
