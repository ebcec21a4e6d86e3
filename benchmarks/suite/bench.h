/* SPDX-License-Identifier: BSD-3-Clause */
/* The benchmarks, through the public API only: the command line runs them alone, the programs in benchmarks/ together
 * with other software. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "benchmarks/suite/peer.h"
#include "benchmarks/suite/report.h"

typedef struct bench_settings {
    int quick;                      /* small, only to check that it runs */
    const bench_peer *const *peers; /* NULL at the end; or NULL */
    const bench_step_peer *const *step_peers;
    const bench_mechanism_peer *const *mechanism_peers;
    const bench_dynamics_peer *const *dynamics_peers;
    void (*progress)(const char *what); /* may be NULL */
} bench_settings;

/* Fills the report; failures go to bench_fail(). */
typedef void (*bench_function)(bench_report *r, const bench_settings *s);

/* A benchmark of the command line. A list of them ends with a NULL name. */
typedef struct bench_entry {
    const char *name, *help;
    bench_function run;
    int curves; /* 1: there is something to draw */
} bench_entry;

/* Operations on groups: each with each retraction in each layout, time and error. */
void bench_groups(bench_report *r, const bench_settings *s);
/* Error against cost of retractions. */
void bench_retractions(bench_report *r, const bench_settings *s);
/* Error against cost of methods, and the long run. */
void bench_methods(bench_report *r, const bench_settings *s);
/* A step of the library against the same step by hand. */
void bench_steps(bench_report *r, const bench_settings *s);
/* Many instances: by width, threads and count. */
void bench_ensembles(bench_report *r, const bench_settings *s);

/* Chains and a loop: time, energy and gap. */
void bench_mechanisms(bench_report *r, const bench_settings *s);
/* Derivatives of steps, in steps: by width. */
void bench_linearised(bench_report *r, const bench_settings *s);

/* Default numbers of rounds and of warm-up rounds, and those for few long rounds. */
enum { BENCH_MANY = 31, BENCH_FEW = 5 };

/* The common protocol: pins the process, records the protocol in the report, measures. */
void bench_begin(bench_report *r, const bench_settings *s, int rounds);
void bench_time(bench_report *r, bench_case *cases, int count);
void bench_tell(const bench_settings *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
