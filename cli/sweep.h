/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp sweep, in parts: the points of a grid are computed in batches, any range [first, first + count) of them by
 * itself, and batches are written in the order of the points. A row does not depend on how the points are cut into
 * batches, nor on who computes them. */
#ifndef LIEGRP_CLI_SWEEP_H
#define LIEGRP_CLI_SWEEP_H

#include <liegrp/liegrp.h>

#include "grid.h"

/* What is to be done at every point, and the columns of its rows: instance, the swept values, status, those of
 * liegrp run, energy_drift, constraint_largest. */
typedef struct cli_sweep {
    lg_model *M; /* as it comes; grid points are set on it */
    const lg_group *group;
    cli_grid grid;
    lg_ensemble_options e;
    int64_t steps, every; /* every 0: a row at the end only */
    int64_t watch;        /* angles are followed so often; 0: there are none */
    char **names;
    char *integers; /* 1: a column of whole numbers */
    int columns, at_status, at_row, run_columns;
    int *column_of; /* of each range that is an initial configuration: its column; -1: none */
} cli_sweep;

/* Columns from M and grid. 0, or 1: out of memory. To be freed in any case. */
int cli_sweep_columns(cli_sweep *s);
void cli_sweep_free(cli_sweep *s);
/* Most rows of a point. */
int64_t cli_sweep_each(const cli_sweep *s);

enum { CLI_TOLD = 3 }; /* failures that are told in words */

/* Figures of a part of a sweep. */
typedef struct cli_tally {
    int64_t instances, failed, steps; /* steps: of all instances together */
    int64_t by_status[LG_STATUS_COUNT];
    double drift, constraint; /* the largest, -1: none; and where */
    int64_t drift_at, constraint_at;
    int told;
    struct {
        int64_t instance;
        lg_status status;
        char message[LG_MESSAGE_SIZE];
    } failure[CLI_TOLD]; /* the first ones */
} cli_tally;

/* A range of points: first its rows, then what is needed while they are computed. */
typedef struct cli_batch {
    int64_t first, count;
    int64_t *filled; /* rows of each point, in `rows` at [point * each] */
    double *rows;
    cli_tally tally;
    const cli_sweep *sweep;
    lg_ensemble *E;
    int64_t made; /* points that E and the arrays have room for */
    int64_t each;
    double *written;            /* configuration as written, at the last look */
    double *drift, *constraint; /* in the last row */
} cli_batch;

/* An empty batch, to be ended by cli_batch_end(). */
void cli_batch_begin(cli_batch *b, const cli_sweep *s);
void cli_batch_end(cli_batch *b);
/* Room for `count` points; the ensemble says what it takes. *message points to what went wrong. */
lg_status cli_batch_size(cli_batch *b, int64_t count, const char **message);
/* Computes the points [first, first + count) for which there is room. `tell` is told how much of it is done, several
 * times a second, and stops it by a nonzero return. 1: stopped, there are no rows; 0: they are there. */
int cli_batch_compute(cli_batch *b, int64_t first, int (*tell)(double done, void *context), void *context);
/* Adds the figures of points that follow. */
void cli_tally_add(cli_tally *all, const cli_tally *part);

#endif
