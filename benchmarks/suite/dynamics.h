/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_DYNAMICS_H
#define BENCH_DYNAMICS_H

#include "benchmarks/suite/bench.h"

/* A table of bench_mechanisms(): what a controller asks of chains, and how its cost grows with their length. */
void bench_dynamics(bench_report *report, const bench_settings *s);

#endif
