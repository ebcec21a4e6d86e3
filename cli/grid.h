/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of a sweep: the product of ranges of parameters and initial values, or random draws from their box. Point
 * number i does not depend on the others, so a sweep can be cut anywhere. */
#ifndef LIEGRP_CLI_GRID_H
#define LIEGRP_CLI_GRID_H

#include "cli/lib/attitude.h"
#include "cli/lib/options.h"

enum { CLI_RANGES = 64 }; /* the most ranges that can be swept */

/* NAME=FROM:TO:COUNT, FROM:TO of a random sweep, or a VALUE that all points share. */
typedef struct cli_range {
    char name[160];
    int initial;                /* 1: an initial value, by its column; 0: a parameter, or a control */
    int control;                /* 1 + the number of the control that varies; 0: no control does */
    const cli_attitude *turned; /* it is the angle of this axis; NULL: it is not */
    int swept;                  /* 0: one value */
    double from, to;
    int64_t count; /* in a grid */
} cli_range;

typedef struct cli_grid {
    cli_range *range;
    int ranges, swept; /* all ranges, and those that are swept */
    int64_t count;     /* of points */
    int64_t random;    /* points to draw; 0: a grid */
    uint64_t seed;
    cli_attitudes attitudes; /* that all points share, or whose angle is swept */
} cli_grid;

/* Reads the options number `param` and `init` of a command line, and those number `control` that are ranges; `random`
 * and `seed` must be set before. Checks the ends of each range on a system. CLI_WELL, or CLI_WRONG_USE after a message;
 * free the grid in either case. */
int cli_grid_read(cli_grid *grid, const char *command, const cli_option *options, int param, int init, int control,
                  int argc, char **argv, const cli_system *S);
void cli_grid_free(cli_grid *grid);
/* The swept values of point i, grid->swept numbers. In a grid the last range varies fastest. */
void cli_grid_point(const cli_grid *grid, int64_t i, double *values);
/* Replaces the controls u that are swept. */
void cli_grid_controls(const cli_grid *grid, int64_t i, double *u);
/* Sets point i in the system, shared values included. */
lg_status cli_grid_set(const cli_grid *grid, int64_t i, const cli_system *S);

#endif
