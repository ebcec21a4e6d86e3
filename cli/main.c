/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp: the command line. This file only selects the subcommand. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
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

int main(int argc, char **argv)
{
    occupy_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error to be reported */
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
