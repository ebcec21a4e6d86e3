/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing. Cases are warmed up, then timed in rounds that cover all of them in turn, so that noise of the machine
 * affects all alike. The results are medians, quartiles, and ratios of times from the same round. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

enum { BENCH_ROUNDS = 61 };

/* Does `count` units of work; the result depends on all of it, so that the compiler cannot drop any. */
typedef double (*bench_run)(void *context, long count);

typedef struct bench_case {
    const char *name;
    bench_run run;
    void *context;
    long count; /* units of work in a round */
    int wall;   /* 1: wall-clock time, for cases that run in several threads */
    int rounds;
    double ns[BENCH_ROUNDS];                /* nanoseconds per unit, round by round */
    double median, first, third, low, high; /* first and third quartile, least and largest */
    double sink;                            /* the last return value of run() */
} bench_case;

/* Nanoseconds of processor time of this thread. */
double bench_clock(void);
/* Times all cases in turn in `rounds` (at most BENCH_ROUNDS) rounds after `warm` rounds of warm-up. */
void bench_rounds(bench_case *cases, int count, int rounds, int warm);
/* Median over the rounds of a's time divided by b's in the same round; NaN: one of them has none. */
double bench_ratio(const bench_case *a, const bench_case *b);
/* Quantile q in [0, 1] of n values, which it sorts. */
double bench_quantile(double *values, int n, double q);

/* Pins the process to its current processor; returns the number of that, or -1 if pinning is impossible. */
int bench_pin(void);

/* The machine data on which the figures depend. */
typedef struct bench_machine {
    char processor[128], system[128];
    const char *compiler, *flags;
    int processors, width; /* online; the widest vectors in doubles */
} bench_machine;

void bench_look(bench_machine *m);

#endif
