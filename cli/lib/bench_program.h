/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp bench, and the same with other software for comparison. */
#ifndef LIEGRP_CLI_BENCH_H
#define LIEGRP_CLI_BENCH_H

#include "benchmarks/suite/bench.h"
#include "cli/lib/manual.h"

/* A command line: its manual with cli_bench_options and cli_bench_exits, and its benchmarks; the others as in
 * bench_settings. argv[0] is ignored. */
typedef struct cli_bench_program {
    const cli_manual *manual;
    const bench_entry *entries;
    const bench_peer *const *peers;
    const bench_step_peer *const *step_peers;
    const bench_mechanism_peer *const *mechanism_peers;
    const bench_dynamics_peer *const *dynamics_peers;
} cli_bench_program;

extern const cli_option cli_bench_options[];
extern const cli_item cli_bench_exits[];

int cli_bench_main(const cli_bench_program *program, int argc, char **argv);

/* Draws the curves. 0, or the exit status after a message. */
int cli_bench_draw(const bench_report *r, const char *file);

#endif
