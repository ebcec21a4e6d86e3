/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_TRAJECTORIES_H
#define BENCH_TRAJECTORIES_H

#include "benchmarks/suite/bench.h"

/* A table of bench_mechanisms(): what a trajectory of a chain costs for an error. */
void bench_trajectories(bench_report *report, const bench_settings *s);

#endif
