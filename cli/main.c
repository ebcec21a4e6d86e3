/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp: the command line. This file only selects the subcommand. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <liegrp/liegrp.h>

#include "cli/commands.h"

/* A standard stream that was closed would become the next file that is opened, and messages would be written into that.
 * It is opened here so that it can be neither read nor written. */
static void occupy_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/* --color WHEN or --color=WHEN, before the command, in *used arguments; the variables that cli_coloured() reads say it
 * on. */
static int take_colour(int argc, char **argv, int *used)
{
    const char *when = argv[1] + strlen("--color");
    *used = *when == '=' ? 1 : 2;
    when = *when == '=' ? when + 1 : argc > 2 ? argv[2] : "";
    if (strcmp(when, "always") == 0)
        (void)unsetenv("NO_COLOR"), (void)setenv("CLICOLOR_FORCE", "1", 1);
    else if (strcmp(when, "never") == 0)
        (void)setenv("NO_COLOR", "1", 1);
    else if (strcmp(when, "auto") != 0)
        return cli_wrong("", "--color must be always, never or auto, got '%s'", when);
    return CLI_WELL;
}

int main(int argc, char **argv)
{
    occupy_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error to be reported */
    if (argc > 1 && (strcmp(argv[1], "--color") == 0 || strncmp(argv[1], "--color=", 8) == 0)) {
        int used = 0;
        if (take_colour(argc, argv, &used) != CLI_WELL) return CLI_WRONG_USE;
        argc -= used, argv += used;
    }
    if (argc < 2) {
        cli_write_help(&cli_tool_manual, stderr);
        return CLI_WRONG_USE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return cli_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2) return cli_wrong("", "unexpected argument '%s' after --version", argv[2]);
        printf("liegrp %s\n", lg_version());
        return cli_flush("--version", CLI_WELL);
    }
    return cli_call(argv[1], argc - 1, argv + 1);
}
