/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures through gnuplot: a script in a temporary file, drawn beside the picture's name and renamed. */
#ifndef LIEGRP_CLI_GNUPLOT_H
#define LIEGRP_CLI_GNUPLOT_H

#include <stdio.h>

#include "file.h"

/* 1 if the name ends in .png, .svg or .pdf. */
int cli_gnuplot_knows(const char *file);
/* Text between gnuplot's single quotes. */
void cli_gnuplot_quote(FILE *f, const char *text);
/* `set xlabel 'NAME [UNIT]'`, without the brackets for "". */
void cli_gnuplot_label(FILE *f, const char *axis, const char *name, const char *unit);
/* Draws what write() puts into the script behind terminal and output, `width` by `height` pixels of 1/100 inch. 0, or
 * the exit status after a message. */
int cli_gnuplot_draw(const char *command, const char *file, int width, int height, cli_writer write,
                     const void *context);

#endif
