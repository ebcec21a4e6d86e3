/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp bench: the list of its benchmarks. */
#include "cli/lib/bench_program.h"
#include "cli/lib/options.h"

static const bench_entry entries[] = {
    {"groups", "operations on groups, with each retraction in each layout: time and error", bench_groups, 0},
    {"steps", "a step of the library against the same step written by hand", bench_steps, 0},
    {"retractions", "error against cost of exp, Cayley, second kind and truncated series", bench_retractions, 1},
    {"methods", "error against cost of all methods on six systems, for a short and a long time", bench_methods, 1},
    {"ensembles", "many instances: by width, threads and count, with their memory", bench_ensembles, 0},
    {"mechanisms", "chains of bodies and a four-bar: time of a step and body, energy, gap", bench_mechanisms, 0},
    {NULL, NULL, NULL, 0},
};

int cli_bench(int argc, char **argv)
{
    static const cli_bench_program program = {
        .usage = "liegrp bench",
        .note = "For figures of other software see the programs in benchmarks/ of the sources.\n\n"
                "Example: liegrp bench groups\n",
        .entries = entries,
    };
    return cli_bench_main(&program, argc, argv);
}
