/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of subcommands, and liegrp help. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

const cli_command cli_commands[] = {
    {&cli_list_manual, cli_list},
    {&cli_info_manual, cli_info},
    {&cli_run_manual, cli_run},
    {&cli_optimise_manual, cli_optimise},
    {&cli_gait_manual, cli_gait},
    {&cli_identify_manual, cli_identify},
    {&cli_sweep_manual, cli_sweep_command},
    {&cli_figure_manual, cli_figure},
    {&cli_convergence_manual, cli_convergence},
    {&cli_bench_manual, cli_bench},
    {&cli_verify_manual, cli_verify},
    {&cli_help_manual, cli_help},
    {&cli_complete_manual, cli_complete},
    {NULL, NULL},
};

enum { MOST_COMMANDS = sizeof cli_commands / sizeof cli_commands[0] };

cli_item cli_command_at(int i)
{
    const cli_manual *m = cli_commands[i].manual;
    return m != NULL ? (cli_item){m->command, m->summary} : (cli_item){NULL, NULL};
}

static const cli_command *find(const char *name)
{
    const cli_command *c = cli_commands;
    while (c->manual != NULL && strcmp(c->manual->command, name) != 0) c++;
    return c->manual != NULL ? c : NULL;
}

const cli_manual *cli_manual_of(const char *command)
{
    const cli_command *c = find(command);
    return command[0] == '\0' ? &cli_tool_manual : c != NULL ? c->manual : NULL;
}

static int unknown(const char *command, const char *name)
{
    const char *names[MOST_COMMANDS];
    for (int i = 0; i < MOST_COMMANDS; i++) names[i] = cli_command_at(i).name;
    return cli_unknown(command, "command", name, names);
}

int cli_call(const char *command, int argc, char **argv)
{
    const cli_command *c = find(command);
    if (c != NULL && argc == 2 && strcmp(argv[1], "-h") == 0) return cli_print_brief(c->manual);
    if (c != NULL) return c->function(argc, argv);
    if (command[0] == '-') return cli_wrong("", "unknown option '%s'", command);
    return unknown("", command);
}

static const cli_option tool_options[] = {
    {"version", NULL, "prints the version"},
    {"color", "WHEN", "before COMMAND: colours always, never, or auto, the default: on terminals without NO_COLOR"},
    {NULL, NULL, NULL},
};

static const cli_item tool_exits[] = {
    {"0", "success"},
    {"1", "a claim failed, or no optimum or minimum was found"},
    {"2", "wrong use, or a file that cannot be written"},
    {"3", "the computation failed"},
    {"130", "stopped by Ctrl-C"},
    {NULL, NULL},
};

const cli_manual cli_tool_manual = {
    .command = "",
    .summary = "geometric integration of mechanical systems on Lie groups",
    .usage = "liegrp COMMAND [ARGUMENT...]",
    .text =
        "Simulates mechanical systems with nonholonomic constraints on Lie groups, and mechanisms of bodies, joints "
        "and wheels.",
    .shown = cli_command_at,
    .options = tool_options,
    .notes = "`liegrp COMMAND --help` describes a command, and so does `man liegrp-COMMAND`; `liegrp COMMAND -h` is "
             "shorter.",
    .exits = tool_exits,
    .examples = "liegrp run rolling-ball --step 0.1 --steps 1000 --output ball.csv --plot ball.png",
    .words = cli_command_at,
};

/* liegrp help ------------------------------------------------------------------------------------------------------ */

enum { O_PAGE };

static const cli_option options[] = {
    [O_PAGE] = {"man", NULL, "prints the manual page instead, in roff, for man(1)"},
    {NULL, NULL, NULL},
};

static const cli_item exits[] = {{"0", "success"}, {"2", "wrong use"}, {NULL, NULL}};

const cli_manual cli_help_manual = {
    .command = "help",
    .summary = "describes a command, or lists all",
    .usage = "liegrp help [COMMAND] [--man]",
    .text = "`liegrp help COMMAND` prints what `liegrp COMMAND --help` prints. Without COMMAND it lists all commands.",
    .options = options,
    .exits = exits,
    .examples = "liegrp help run\nliegrp help --man run > liegrp-run.1",
    .words = cli_command_at,
};

int cli_help(int argc, char **argv)
{
    cli_parser p = cli_begin("help", options, argc, argv);
    const cli_manual *m = NULL;
    int page = 0;
    for (int found; (found = cli_next(&p)) != CLI_END;) {
        if (found == CLI_HELP) return cli_print_help(&cli_help_manual);
        if (found == CLI_BAD) return CLI_WRONG_USE;
        if (found == O_PAGE) page = 1;
        if (found != CLI_WORD) continue;
        if (m != NULL) return cli_wrong("help", "unexpected argument '%s': one command at a time", p.value);
        m = p.value[0] != '\0' ? cli_manual_of(p.value) : NULL;
        if (m == NULL) return unknown("help", p.value);
    }
    if (m == NULL) m = &cli_tool_manual;
    if (!page) return cli_print_help(m);
    cli_print_page(m, cli_command_at);
    return cli_flush("help", CLI_WELL);
}
