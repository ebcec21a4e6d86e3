/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing. Cases are warmed up, then timed in rounds that go over all of them in turn, so that noise of the machine hits
 * all alike; what counts are medians, quartiles, and ratios of times taken in the same round. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

enum { BENCH_ROUNDS = 61 };

/* Does `count` units of work; the result depends on all of it, so that none can be left out. */
typedef double (*bench_run)(void *context, long count);

typedef struct bench_case {
    const char *name;
    bench_run run;
    void *context;
    long count; /* units of work in a round */
    int wall;   /* 1: by the clock on the wall, for what runs in several threads */
    int rounds;
    double ns[BENCH_ROUNDS];                /* nanoseconds per unit, round by round */
    double median, first, third, low, high; /* first and third quartile, least and largest */
    double sink;                            /* what run() returned last */
} bench_case;

/* Nanoseconds that this thread has computed. */
double bench_clock(void);
/* Times all cases in turn in `rounds` (at most BENCH_ROUNDS) rounds after `warm` that do not count. */
void bench_rounds(bench_case *cases, int count, int rounds, int warm);
/* Median over the rounds of a's time divided by b's in the same round; NaN: one of them has none. */
double bench_ratio(const bench_case *a, const bench_case *b);
/* Quantile q in [0, 1] of n values, which it sorts. */
double bench_quantile(double *values, int n, double q);

/* Keeps the process on the processor that it runs on; its number, or -1 where that cannot be done. */
int bench_pin(void);

/* What the figures depend on. */
typedef struct bench_machine {
    char processor[128], system[128];
    const char *compiler, *flags;
    int processors, width; /* online; the widest vectors in doubles */
} bench_machine;

void bench_look(bench_machine *m);

#endif
