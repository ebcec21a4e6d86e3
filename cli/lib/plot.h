/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of a run through gnuplot: panels with curves against time and plane curves. */
#ifndef LIEGRP_CLI_PLOT_H
#define LIEGRP_CLI_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include <liegrp/integrators/integrator.h>

#include "cli/lib/plot_columns.h"

typedef struct cli_plot cli_plot;

/* A plot of a system from at most `rows` rows, thinned to about 5000; NULL: out of memory. */
cli_plot *cli_plot_begin(const plot_choice *choice, const cli_system *S, int64_t rows);
/* 1: it shows work, which rows of definitions lack: cli_plot_state() has to see every state. */
int cli_plot_sums_work(const cli_plot *p);
/* Every state, before its row: an lg_motion_observer with cli_plot as context, which sums up the work. */
int cli_plot_state(const lg_motion *mo, void *context);
/* One row of the run. */
void cli_plot_row(cli_plot *p, const double *row);
/* The collected numbers, two arrays, for a checkpoint. */
void cli_plot_collected(cli_plot *p, void *at[2], size_t bytes[2]);
/* 1: the numbers that were read back are possible. */
int cli_plot_is_sound(const cli_plot *p);
/* Writes the file under a temporary name, then renames it. 0, or the exit status after a message. */
int cli_plot_draw(cli_plot *p, const char *file, const char *title);
void cli_plot_end(cli_plot *p);

#endif
