/* SPDX-License-Identifier: BSD-3-Clause */
/* liegrp sweep, in parts: the points of a grid are computed in rounds, in each of which every rank has a batch of them,
 * and written in the order of their numbers. A row depends on its number alone: not on how the points are cut into
 * rounds, nor on who computes them. */
#ifndef LIEGRP_CLI_SWEEP_H
#define LIEGRP_CLI_SWEEP_H

#include <liegrp/liegrp.h>

#include "cli/grid.h"
#include "cli/ranks.h"
#include "run/writer.h"

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

/* The points [first, first + count), dealt to ranks in turn by blocks of so many, so that dear and cheap regions of a
 * grid come to all of them. */
typedef struct cli_deal {
    int64_t first, count, block;
    int rank, ranks; /* who is asking, and how many they are */
} cli_deal;

cli_deal cli_deal_out(int64_t first, int64_t count, int rank, int ranks);
/* How many of them are this rank's, and the number of its i-th. */
int64_t cli_deal_count(const cli_deal *d);
int64_t cli_deal_point(const cli_deal *d, int64_t i);

/* A rank's points of a deal: first their rows, then what is needed while they are computed. */
typedef struct cli_batch {
    cli_deal deal;
    int64_t count;
    int64_t *filled; /* rows of each point, in `rows` at [point * each] */
    double *rows;
    cli_tally tally;
    const cli_sweep *sweep;
    lg_ensemble *E;
    int64_t made; /* points that E and the arrays have room for */
    int64_t each;
    double *written;            /* configuration as written, at the last look */
    double *drift, *constraint; /* in the last row */
    char *text;                 /* rows as they are written */
    size_t text_size;
} cli_batch;

/* An empty batch, to be ended by cli_batch_end(). */
void cli_batch_begin(cli_batch *b, const cli_sweep *s);
void cli_batch_end(cli_batch *b);
/* Room for `count` points, 0 or more; the ensemble says what it takes. *message points to what went wrong. */
lg_status cli_batch_size(cli_batch *b, int64_t count, const char **message);
/* Computes this rank's points of a deal, for which there is room. `tell` is told how much of it is done, several times
 * a second, and stops it by a nonzero return. 1: stopped, there are no rows; 0: they are there. */
int cli_batch_compute(cli_batch *b, const cli_deal *deal, int (*tell)(double done, void *context), void *context);
/* The rows of all ranks' batches in the order of the points into the writer of rank 0. Every rank calls it; what cannot
 * be written is told to rank 0. */
lg_status cli_batch_write(const cli_batch *b, const cli_ranks *r, lg_writer *w, lg_format format, lg_error *e);
/* Adds the figures of other points, in whatever order. */
void cli_tally_add(cli_tally *all, const cli_tally *part);
/* Adds those of all ranks' batches to rank 0's. */
void cli_tally_gather(cli_tally *all, const cli_batch *b, const cli_ranks *r);

#endif
