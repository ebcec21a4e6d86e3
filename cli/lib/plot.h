/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture of a run through gnuplot: the configuration on the left, the energy against time on the right. */
#ifndef LIEGRP_CLI_PLOT_H
#define LIEGRP_CLI_PLOT_H

#include <stdint.h>
#include <stdio.h>

#include <liegrp/run/model.h>

typedef struct cli_plot cli_plot;

/* A plot of a model from at most `rows` rows, thinned to about 5000; NULL: out of memory. */
cli_plot *cli_plot_begin(lg_model *M, int64_t rows);
/* One row of the run. */
void cli_plot_row(cli_plot *p, const double *row);
/* Writes the file (beside its name, then renamed). 0, or the exit status after a message. */
int cli_plot_draw(cli_plot *p, const char *file, const char *title);
void cli_plot_end(cli_plot *p);

/* For any picture: `set xlabel 'NAME [UNIT]'`, without the brackets for "". */
void cli_plot_label(FILE *f, const char *axis, const char *name, const char *unit);
/* 1 if the catalog gives this system units; positions are then in m, angles in rad, energies in J. */
int cli_plot_has_units(const lg_model *M);

#endif
