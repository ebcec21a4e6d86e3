/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing for the benchmarks: a table of {name, run, context, count}. Cases are warmed up, then timed in rounds that go
 * over all of them in turn, so that noise of the machine hits all alike; reported are the median and the extremes. */
#ifndef LG_BENCHMARKS_SUPPORT_H
#define LG_BENCHMARKS_SUPPORT_H

#define BENCH_ROUNDS 61

typedef struct bench_options {
    int quick;   /* --quick: few small rounds, only to see that it runs */
    int json;    /* --json */
    int written; /* entries of the JSON list so far */
} bench_options;

/* Does `count` units of work; the result depends on all of it, so that none can be left out. */
typedef double (*bench_run)(void *context, long count);

typedef struct bench_case {
    const char *name;
    bench_run run;
    void *context;
    long count; /* units of work in a round */
    int rounds;
    double ns[BENCH_ROUNDS]; /* nanoseconds per unit, round by round */
    double median, low, high;
    double sink; /* what run() returned last */
} bench_case;

/* Reads --quick, --json and --help; leaves the program on --help and on anything else. */
bench_options bench_parse(int argc, char **argv, const char *what);
/* Times all cases in turn and fills in ns, median, low, high. */
void bench_measure(bench_case *cases, int count, const bench_options *o);
/* Median over the rounds of a's time divided by b's in the same round. */
double bench_ratio(const bench_case *a, const bench_case *b);

/* Output: a heading with the machine, or the opening of a JSON object {"benchmark", "machine": {...}, "results": [. */
void bench_open(bench_options *o, const char *benchmark);
/* One entry of the results as JSON: name, median, least and largest ns, and then `count` named numbers (NaN: left out).
 */
void bench_json_case(bench_options *o, const bench_case *c, const char *const *names, const double *values, int count);
void bench_close(bench_options *o);

#endif
