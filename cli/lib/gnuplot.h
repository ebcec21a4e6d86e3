/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures through gnuplot. */
#ifndef LIEGRP_CLI_GNUPLOT_H
#define LIEGRP_CLI_GNUPLOT_H

#include <stdio.h>

#include "cli/lib/file.h"

/* 1 if the name ends in .png, .svg or .pdf. */
int cli_plot_knows(const char *file);

/* A picture to be drawn. */
typedef struct cli_picture {
    const char *command;                         /* the subcommand, for messages */
    const char *file;                            /* its extension selects the terminal */
    int width, height;                           /* in pixels of 1/96 inch */
    void (*write)(FILE *f, const void *context); /* the script after the terminal settings; all texts that are not
                                                  * ours, such as names, go through text_gnuplot() */
    const void *context;
} cli_picture;

/* Draws it. 0, or the exit status after a message; an existing file is then unchanged. */
int cli_gnuplot(const cli_picture *p);

#endif
