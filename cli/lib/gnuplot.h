/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures through gnuplot, and files that are written beside their names and renamed when complete. */
#ifndef LIEGRP_CLI_GNUPLOT_H
#define LIEGRP_CLI_GNUPLOT_H

#include <stdio.h>

/* 1 if the name ends in .png, .svg or .pdf. */
int cli_plot_knows(const char *file);
/* Can the file be written there? Asked before a long run. 0, or the exit status after a message. */
int cli_plot_possible(const char *command, const char *file);

/* A picture to be drawn. */
typedef struct cli_picture {
    const char *command;                         /* the subcommand, for messages */
    const char *file;                            /* its end chooses the terminal */
    int width, height;                           /* in pixels */
    int enhanced;                                /* 1: ^ and _ in texts raise and lower */
    void (*write)(FILE *f, const void *context); /* the script behind terminal and output */
    const void *context;
} cli_picture;

/* Draws it. 0, or the exit status after a message; a file that exists is then as it was. */
int cli_gnuplot(const cli_picture *p);
/* Writes a file through write(). The same promises. */
int cli_write_beside(const char *command, const char *file, void (*write)(FILE *f, const void *context),
                     const void *context);

#endif
