/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written beside their name and renamed when complete. */
#ifndef LIEGRP_CLI_FILE_H
#define LIEGRP_CLI_FILE_H

#include <stdio.h>

/* What goes into a file. */
typedef void (*cli_writer)(FILE *f, const void *context);

/* "./FILE.part", or "FILE.part" where the name begins with '/': gnuplot reads other beginnings its own way. To be
 * freed; NULL: out of memory. */
char *cli_part_name(const char *file);
/* Can the file be written there? Asked before a long run. 0, or the exit status after a message. */
int cli_file_possible(const char *command, const char *file);
/* Writes the file. 0, or the exit status after a message; then there is no file, or the one of before. */
int cli_file_write(const char *command, const char *file, cli_writer write, const void *context);
/* "liegrp COMMAND: WHAT: WHY" on standard error; returns the exit status. */
int cli_complain(const char *command, const char *what, const char *why);

#endif
