/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures through gnuplot. */
#ifndef LIEGRP_CLI_GNUPLOT_H
#define LIEGRP_CLI_GNUPLOT_H

#include "cli/lib/file.h"
#include "cli/lib/sheet.h"

/* 1 if the name ends in .png, .svg or .pdf. */
int cli_plot_knows(const char *file);
/* CLI_WELL, or CLI_WRONG_USE after a message: the name given to --plot (NULL: none) does not. */
int cli_plot_check(const char *command, const char *file);

/* Draws the sheet for a subcommand, which messages name; the file's ending selects the terminal. 0, or the exit status
 * after a message; an existing file is then unchanged. */
int cli_gnuplot(const char *command, const char *file, const sheet *s);

#endif
