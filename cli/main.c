/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp: the command line. This file only selects the subcommand. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <liegrp/liegrp.h>

#include "cli/lib/options.h"

typedef struct command {
    const char *name;
    int (*function)(int argc, char **argv);
    const char *help;
} command;

static const command commands[] = {
    {"list", cli_list, "names of groups, retractions, methods, compositions, systems, mechanisms, claims, figures"},
    {"info", cli_info, "describes a system or a mechanism: parameters, initial data, columns, source"},
    {"run", cli_run, "computes a trajectory of a system, or a motion of a mechanism"},
    {"sweep", cli_sweep_command, "runs many instances over ranges of parameters and initial values"},
    {"figure", cli_figure, "draws a figure from the papers, or one of ours, as data and as a picture"},
    {"convergence", cli_convergence, "measures the orders of methods and retractions on a system"},
    {"bench", cli_bench, "measures the cost of operations, steps and methods on this machine"},
    {"verify", cli_verify, "checks the theorems of the papers by measurement"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fputs(
        "liegrp simulates mechanical systems with nonholonomic constraints on Lie groups, and mechanisms of bodies, joints "
        "and\nwheels.\n\n"
        "usage: liegrp COMMAND [ARGUMENT...]\n\n",
        to);
    for (int i = 0; i < COMMANDS; i++) fprintf(to, "  %-11s  %s\n", commands[i].name, commands[i].help);
    fputs("\n  liegrp COMMAND --help describes a command\n"
          "  liegrp --version\n\n"
          "Exit status: 0 success; 1 a claim failed; 2 wrong use, or a file that cannot be written; 3 the numerics "
          "failed;\n"
          "130 stopped by Ctrl-C.\n\n"
          "Example: liegrp run rolling-ball --step 0.1 --steps 1000 --output ball.csv --plot ball.png\n",
          to);
}

static int call(const char *name, int argc, char **argv)
{
    const char *names[COMMANDS + 1];
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) return commands[i].function(argc, argv);
        names[i] = commands[i].name;
    }
    names[COMMANDS] = NULL;
    if (name[0] == '-') return cli_wrong("", "unknown option '%s'", name);
    return cli_unknown("", "command", name, names);
}

/* `liegrp help COMMAND` is `liegrp COMMAND --help`. */
static int help_on(char *name)
{
    char option[] = "--help";
    char *argv[] = {name, option, NULL};
    return call(name, 2, argv);
}

/* A standard stream that was closed would become the next file that is opened, and messages would be written into that.
 * What is opened here instead cannot be read or written. */
static void occupy_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    occupy_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error to be reported */
    if (argc < 2) {
        print_help(stderr);
        return CLI_WRONG_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        if (argc > 2) return help_on(argv[2]);
        print_help(stdout);
        return cli_flush("help", CLI_WELL);
    }
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2) return cli_wrong("", "unexpected argument '%s' after --version", argv[2]);
        printf("liegrp %s\n", lg_version());
        return cli_flush("--version", CLI_WELL);
    }
    return call(argv[1], argc - 1, argv + 1);
}
