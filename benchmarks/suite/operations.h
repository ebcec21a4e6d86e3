/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on many elements of a group, in all the ways to call them. */
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include <liegrp/liegrp.h>

#include "benchmarks/suite/measure.h"

typedef enum bench_operation {
    BENCH_TAU,
    BENCH_TAU_INV,
    BENCH_DTAU,
    BENCH_DTAU_INV,
    BENCH_COMPOSE,
    BENCH_INVERSE,
    BENCH_AD,
    BENCH_COAD,
    BENCH_OPERATIONS
} bench_operation;

/* The data of a loop. Arrays hold `elements` items one after the other, or entry by entry. */
typedef struct bench_work {
    bench_operation operation;
    const lg_group *G;
    const lg_retraction *r; /* of the first four */
    long elements;
    const double *a, *b; /* inputs; b only of compose and Ad* */
    double *out;
    lg_layout layout;
    int width;     /* of a batch; 0: the best */
    long failures; /* calls with a status other than LG_OK */
} bench_work;

/* The numbers in an item of a, b, out; b: 0 if the operation has one argument. */
int bench_size_a(const bench_work *w);
int bench_size_b(const bench_work *w);
int bench_size_out(const bench_work *w);

/* bench_run on a bench_work: one element at a time through the public function of any group, ... */
double bench_single(void *work, long count);
/* ... all at once. */
double bench_batch(void *work, long count);

/* The public functions of one group, such as lg_so3_exp(), and a textbook's version, one element at a time. */
typedef struct bench_direct {
    bench_run ours, textbook; /* may be NULL */
    double best;              /* the figure of C++ libraries on this kind of machine, ns; NaN: unknown */
} bench_direct;

/* The operations of a group with a retraction ("exp", "cayley"). */
bench_direct bench_direct_find(const lg_group *G, bench_operation operation, const char *retraction);

/* Largest error of all items against the stored values of `key` ("SE3_exp", "SE3"), relative to the largest number of
 * its block; NaN: no stored values. A product R^2 x G uses the values of G. */
double bench_error(const bench_work *w, bench_run run, const char *key);

#endif
