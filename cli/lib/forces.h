/* SPDX-License-Identifier: BSD-3-Clause */
/* --force: controls of a system that has none, each a force along velocities. */
#ifndef LIEGRP_CLI_FORCES_H
#define LIEGRP_CLI_FORCES_H

#include "cli/lib/system.h"

#define CLI_FORCE_OPTION                                                                                               \
    {                                                                                                                  \
        "force", "NAME=VELOCITY...",                                                                                   \
            "for a system without forces: a control that pushes along velocities, such as xi_4-xi_3; repeatable"       \
    }

/* Adds the controls of all options number `option` (negative: none) of a command line to a system, whose model becomes
 * another one: set its values afterwards. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_add_forces(const char *command, const cli_option *options, int option, int argc, char **argv, cli_system *S);
/* NULL is allowed. */
void cli_forces_free(cli_forces *f);

#endif
