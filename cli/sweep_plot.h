/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of a sweep: figures at the end of the instances over one swept value, or a map over two. */
#ifndef LIEGRP_CLI_SWEEP_PLOT_H
#define LIEGRP_CLI_SWEEP_PLOT_H

#include "cli/sweep.h"

enum { SWEEP_PANELS = 12 };

typedef struct sweep_plot {
    const cli_sweep *s;
    const char *file, *columns; /* as they were given; NULL: no picture, the usual columns */
    int axes, axis[2];          /* ranges with more than one value, and their number */
    int panels, column[SWEEP_PANELS];
    int width; /* numbers per point: the axes, then the columns */
    int64_t room, used;
    double *points;
} sweep_plot;

/* Chooses the columns once those of the sweep are known, and makes room for `count` points. Does nothing without a
 * file. CLI_WELL, or CLI_WRONG_USE after a message; end it in either case. */
int sweep_plot_begin(sweep_plot *p, const cli_sweep *s, int64_t count, int ranks);
/* The last rows of all points of a batch. */
void sweep_plot_add(sweep_plot *p, const cli_batch *b);
/* Draws the collected points. 0, or the exit status after a message. */
int sweep_plot_draw(const sweep_plot *p);
void sweep_plot_end(sweep_plot *p);

#endif
