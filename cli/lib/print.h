/* SPDX-License-Identifier: BSD-3-Clause */
/* Output for people. Names of files, links, columns and systems come from outside and may contain characters that
 * control a terminal. */
#ifndef LIEGRP_CLI_PRINT_H
#define LIEGRP_CLI_PRINT_H

#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"

/* As fprintf(), and what %s inserts is shown as lg_text_shown() does (base/text.h): a name has no newlines, escape
 * sequences or marks of direction. The format's own characters stay. It knows %s, %c, %d, %u, %x and %f, %e,
 * %g, with flags, width, precision (also *), and the lengths l, ll, z and j. */
void cli_print(FILE *f, const char *format, ...) LG_PRINTF(2, 3);
void cli_vprint(FILE *f, const char *format, va_list arguments) LG_PRINTF(2, 0);

/* The message of the library behind the name of the function that it begins with, "lg_run: "; without one all of it. */
const char *cli_behind_function(const char *message);

#endif
