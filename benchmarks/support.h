/* SPDX-License-Identifier: BSD-3-Clause */
/* For separate programs that need internals or make special comparisons: arguments and output around the timing of
 * bench/measure.h. Users run `liegrp bench`. */
#ifndef LG_BENCHMARKS_SUPPORT_H
#define LG_BENCHMARKS_SUPPORT_H

#include "benchmarks/suite/measure.h"

typedef struct bench_options {
    int quick;   /* --quick: few small rounds, only to check that it runs */
    int json;    /* --json */
    int written; /* entries of the JSON list so far */
} bench_options;

/* Reads --quick, --json and --help; leaves the program on --help and on anything else. */
bench_options bench_parse(int argc, char **argv, const char *what);
/* Times all cases in turn. */
void bench_measure(bench_case *cases, int count, const bench_options *o);

/* Output: a heading with the machine, or the opening of a JSON object {"benchmark", "machine": {...}, "results": [. */
void bench_open(bench_options *o, const char *benchmark);
/* One entry of the results as JSON: name, median, quartiles, least and largest ns, and then `count` named numbers (NaN:
 * left out). */
void bench_json_case(bench_options *o, const bench_case *c, const char *const *names, const double *values, int count);
void bench_close(bench_options *o);

#endif
