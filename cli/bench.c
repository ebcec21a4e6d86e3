/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp bench: the list of its benchmarks. */
#include "cli/commands.h"
#include "cli/lib/bench_program.h"

static const bench_entry entries[] = {
    {"groups", "operations on groups, with each retraction in each layout: time and error", bench_groups, 0},
    {"steps", "a step of the library against the same step written by hand", bench_steps, 0},
    {"retractions", "error against cost of exp, Cayley, second kind and truncated series", bench_retractions, 1},
    {"methods", "error against cost of all methods on six systems, for a short and a long time", bench_methods, 1},
    {"ensembles", "many instances: by width, threads and count, with their memory", bench_ensembles, 0},
    {"mechanisms", "chains of bodies and a four-bar: time of a step and body, energy, gap", bench_mechanisms, 0},
    {"linearised", "what the derivative of a step costs, in steps, by width", bench_linearised, 0},
    {NULL, NULL, NULL, 0},
};

static cli_item item(int i)
{
    return (cli_item){entries[i].name, entries[i].help};
}

const cli_manual cli_bench_manual = {
    .command = "bench",
    .summary = "measures the cost of operations, steps and methods on this machine",
    .usage = "liegrp bench NAME [OPTION...]",
    .text = "Measures the speed of liegrp on this machine, on one thread (ensembles also on several):",
    .shown = item,
    .options = cli_bench_options,
    .notes = "The programs in benchmarks/ of the sources measure other software.",
    .exits = cli_bench_exits,
    .examples = "liegrp bench groups",
    .words = item,
};

int cli_bench(int argc, char **argv)
{
    static const cli_bench_program program = {.manual = &cli_bench_manual, .entries = entries};
    return cli_bench_main(&program, argc, argv);
}
