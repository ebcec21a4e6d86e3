/* SPDX-License-Identifier: BSD-3-Clause */
/* Text for people: on a terminal its lines fit, and exponents are superscripts. Files and pipes get plain lines. */
#ifndef LIEGRP_CLI_FIT_H
#define LIEGRP_CLI_FIT_H

#include <stdio.h>

/* Standard output while it is kept. */
typedef struct cli_fit {
    FILE *kept; /* NULL: nothing is */
    int out, width;
} cli_fit;

/* From here on what is written to stdout is kept, if stdout is a terminal at least 40 columns wide. */
void cli_fit_begin(cli_fit *t);
/* Writes what was kept, line by line. */
void cli_fit_end(cli_fit *t);

/* A line of at most `width` columns where blanks allow. The lines that follow it begin below its last column, the text
 * behind two blanks or more, if that is in the left half, else four blanks in. `symbols` 1: kg m^2/s, p^- and J^-1 are
 * written with superscripts, and blanks keep columns where they are. A list a,b,c without blanks that is wider gets
 * them. */
void cli_fit_line(FILE *f, const char *line, int width, int symbols);

#endif
