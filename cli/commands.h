/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands, one file each, with its manual. */
#ifndef LIEGRP_CLI_COMMANDS_H
#define LIEGRP_CLI_COMMANDS_H

#include "cli/lib/manual.h"

/* argv[0] is the subcommand's name. */
typedef struct cli_command {
    const cli_manual *manual;
    int (*function)(int argc, char **argv);
} cli_command;

/* The list of `liegrp help`; it ends with a NULL manual. */
extern const cli_command cli_commands[];
/* The tool itself, its page liegrp(1). */
extern const cli_manual cli_tool_manual;

/* The manual of a command, or of the tool itself for ""; NULL for an unknown command. */
const cli_manual *cli_manual_of(const char *command);
/* Calls the subcommand, whose name is argv[0]. An unknown name is refused, with the nearest one. */
int cli_call(const char *command, int argc, char **argv);
/* Name and summary of command i (cli_list_at). */
cli_item cli_command_at(int i);

extern const cli_manual cli_list_manual, cli_info_manual, cli_run_manual, cli_optimise_manual, cli_gait_manual,
    cli_identify_manual, cli_sweep_manual, cli_figure_manual, cli_convergence_manual, cli_bench_manual,
    cli_verify_manual, cli_help_manual, cli_complete_manual;

int cli_list(int argc, char **argv);
int cli_figure(int argc, char **argv);
int cli_info(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_optimise(int argc, char **argv);
int cli_gait(int argc, char **argv);
int cli_identify(int argc, char **argv);
int cli_sweep_command(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_convergence(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_help(int argc, char **argv);
int cli_complete(int argc, char **argv);

#endif
