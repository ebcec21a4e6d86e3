/* SPDX-License-Identifier: BSD-3-Clause */
/* A SYSTEM on the command line: a name from the catalog, or a file with a system of the user. */
#ifndef LIEGRP_CLI_SYSTEM_H
#define LIEGRP_CLI_SYSTEM_H

#include <liegrp/run/model.h>

/* *M = the system; destroy it also after a failure. A name that contains '/' or ends in .so is a shared object that
 * defines `const lg_model_definition *liegrp_system(void)`; it stays loaded until the program ends, as its definition
 * must outlive the model. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_open_system(const char *command, const char *name, lg_model **M);
/* The SYSTEM, if it is the name of a file; else NULL. */
const char *cli_system_file(const char *name);

#endif
