/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run and a comparison are told alike: parameters, initial data, start, method, retraction. */
#ifndef LIEGRP_CLI_CHOICE_H
#define LIEGRP_CLI_CHOICE_H

#include <liegrp/liegrp.h>

#include "options.h"

/* The options number `param` and `init` of a command line, NAME=VALUE each, into the model. CLI_WELL, or CLI_WRONG_USE
 * after a message. */
int cli_set_values(const char *command, const cli_option *options, int param, int init, int argc, char **argv,
                   lg_model *M);
/* lg_start by name. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_read_start(const char *command, const char *name, int *start);
/* Is there such a retraction? CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_check_retraction(const char *command, const char *name);
/* Prints the library's message in the words of the command line, for a method that does not exist with the one that
 * may have been meant. */
void cli_print_failure(const char *command, const char *method, lg_status status, const char *message);
/* 1 for what data and step sizes can bring about while a run goes on: exit status 3. */
int cli_is_numeric(lg_status status);

#endif
