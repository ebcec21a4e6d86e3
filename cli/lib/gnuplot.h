/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures through gnuplot, and files that are written under a temporary name and renamed when complete. */
#ifndef LIEGRP_CLI_GNUPLOT_H
#define LIEGRP_CLI_GNUPLOT_H

#include <stdio.h>

/* 1 if the name ends in .png, .svg or .pdf. */
int cli_plot_knows(const char *file);
/* Can the file be written there? Call it before a long run. 0, or the exit status after a message. */
int cli_plot_possible(const char *command, const char *file);

/* A picture to be drawn. */
typedef struct cli_picture {
    const char *command;                         /* the subcommand, for messages */
    const char *file;                            /* its extension selects the terminal */
    int width, height;                           /* in pixels of 1/96 inch */
    void (*write)(FILE *f, const void *context); /* the script after the terminal and output settings */
    const void *context;
} cli_picture;

/* Draws it. 0, or the exit status after a message; an existing file is then unchanged. */
int cli_gnuplot(const cli_picture *p);
/* Writes a file through write(), with the same guarantees. */
int cli_write_beside(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                     const void *context);

#endif
