/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism of bench_mechanisms() that moves by a method of ours or by a peer. */
#ifndef BENCH_RACER_H
#define BENCH_RACER_H

#include "benchmarks/suite/bench.h"

typedef struct bench_racer {
    const bench_mechanism *what;
    const char *name; /* ours: the method */
    const bench_mechanism_peer *peer;
    void *opened;
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
    int started;
} bench_racer;

/* NULL, or why it cannot be raced. Close it in either case. */
const char *bench_racer_open(bench_racer *r);
void bench_racer_start(bench_racer *r);
/* Nonzero: it failed. */
int bench_racer_step(bench_racer *r, long count);
void bench_racer_close(bench_racer *r);

#endif
