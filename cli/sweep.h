/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of liegrp sweep. The points of a grid are computed in rounds. In each round every rank has a batch of
 * points; the rows are written in the order of their numbers. A row depends on its number alone, not on the division
 * into rounds or on the rank that computes it. */
#ifndef LIEGRP_CLI_SWEEP_H
#define LIEGRP_CLI_SWEEP_H

#include <liegrp/liegrp.h>

#include "cli/grid.h"
#include "cli/lib/controls.h"
#include "cli/lib/mechanism.h"
#include "cli/ranks.h"
#include "run/writer.h"

/* The work at every point, and the columns of its rows: instance, the swept values, status, the columns of liegrp run,
 * energy_drift, constraint_largest. */
typedef struct cli_sweep {
    cli_system S;          /* with its defaults; grid points are set on it, or on copies */
    const lg_group *group; /* of a model */
    cli_grid grid;
    cli_controls controls; /* constants */
    lg_ensemble_options e;
    int apart;            /* 1: points are stepped one by one; a mechanism whose parameters vary is compiled for each */
    int64_t steps, every; /* every 0: a row at the end only */
    int64_t watch;        /* number of steps between unwrappings of angles; 0: no angles */
    int unwrapped;        /* columns of the configuration then, else 0 */
    int blind;            /* 1: whether the step resolves the motion is not checked */
    char **names;
    char *integers; /* 1: a column of whole numbers */
    int columns, at_status, at_row, run_columns;
    int *column_of; /* for each range over an initial configuration: its column; -1: another range */
} cli_sweep;

/* Sets the columns from S and grid. 0, or 1: out of memory. Free it in either case. */
int cli_sweep_columns(cli_sweep *s);
void cli_sweep_free(cli_sweep *s);
/* The largest number of rows of a point. */
int64_t cli_sweep_each(const cli_sweep *s);

enum { CLI_DESCRIBED = 3 }; /* number of failures whose messages are printed */

/* The figures of a part of a sweep. */
typedef struct cli_tally {
    int64_t instances, failed, steps; /* steps: the sum over all instances */
    int64_t by_status[LG_STATUS_COUNT];
    double drift, constraint, gain; /* the largest value (-1: none), and where it occurs */
    int64_t drift_at, constraint_at, gain_at;
    int64_t examined, unresolved, unresolved_at; /* points where the step does not resolve the motion; the worst */
    double worst;                                /* its lg_resolution_worst(); -1: none */
    int described;
    struct {
        int64_t instance;
        lg_status status;
        char message[LG_MESSAGE_SIZE];
    } failure[CLI_DESCRIBED]; /* the first ones */
} cli_tally;

/* The points [first, first + count), dealt to the ranks in turn in blocks, so that every rank gets a share of the
 * expensive and of the cheap regions of a grid. */
typedef struct cli_deal {
    int64_t first, count, block;
    int rank, ranks; /* this rank, and the number of ranks */
} cli_deal;

cli_deal cli_deal_out(int64_t first, int64_t count, int rank, int ranks);
/* How many points belong to this rank, and the number of its i-th point. */
int64_t cli_deal_count(const cli_deal *d);
int64_t cli_deal_point(const cli_deal *d, int64_t i);

/* A rank's points of a deal: their rows, then data for their computation. */
typedef struct cli_batch {
    cli_deal deal;
    int64_t count;
    int64_t *filled; /* rows of each point, in `rows` at [point * each] */
    double *rows;
    cli_tally tally;
    const cli_sweep *sweep;
    lg_ensemble *E; /* NULL: points are stepped one by one */
    int64_t made;   /* points that E and the arrays have room for */
    int threads;    /* one by one: how many computed the last round */
    char message[LG_MESSAGE_SIZE];
    int64_t each;
    double *written;            /* where angles are unwrapped: configuration as written, at the last observation */
    double *drift, *constraint; /* in the last row */
    double *gain;               /* the energy that impacts added, lg_motion_impact_gain() */
    lg_resolution *seen;        /* of every point */
    double examining;           /* seconds that it took, all rounds together */
    char *text;                 /* rows as they are written */
    size_t text_size;
} cli_batch;

/* An empty batch; end it with cli_batch_end(). */
void cli_batch_begin(cli_batch *b, const cli_sweep *s);
void cli_batch_end(cli_batch *b);
/* Makes room for `count` points, 0 or more. *message points to the reason of a failure. */
lg_status cli_batch_size(cli_batch *b, int64_t count, const char **message);
/* Computes this rank's points of a deal, for which there is room. Calls `tell` several times a second with the part
 * that is done; a nonzero return stops the computation. 1: stopped, there are no rows; 0: the rows are complete. */
int cli_batch_compute(cli_batch *b, const cli_deal *deal, int (*tell)(double done, void *context), void *context);
/* Passes the rows of all ranks' batches, in the order of the points, to the writer of rank 0. Every rank calls it; a
 * failure to write is reported to rank 0. */
lg_status cli_batch_write(const cli_batch *b, const cli_ranks *r, lg_writer *w, lg_format format, lg_error *e);
/* cli/sweep_mechanism.c: how motions of its points step; the ensemble of a mechanism, or NULL where points are stepped
 * one by one. */
lg_motion_options cli_sweep_motion(const cli_sweep *s);
lg_status cli_batch_make_mechanism(cli_batch *b, int64_t count, const char **message);
/* The motion becomes point i at its start. */
lg_status cli_batch_start_motion(const cli_batch *b, int64_t i, lg_motion *mo);
/* Computes points one by one. */
int cli_batch_compute_apart(cli_batch *b, int (*tell)(double done, void *context), void *context);
/* Parts of both: the next row of point i for the motion's state; the consequences of its failure; a row for a point
 * that could not start; point i in the tally. */
void cli_batch_add_row(cli_batch *b, int64_t i, const lg_motion *mo, lg_status status);
void cli_batch_add_failure(cli_batch *b, int64_t i, const lg_motion *mo, lg_status status);
double cli_batch_larger(double a, double b); /* a NaN stays */
double cli_batch_residual(const lg_motion *mo);
void cli_batch_add_empty_row(cli_batch *b, int64_t i, lg_status status);
void cli_batch_count(cli_batch *b, int64_t i, lg_status status, int64_t steps, const char *reason);
/* 1: the resolution of this point's motion is checked. */
int cli_sweep_examines(const cli_sweep *s, int64_t point);
/* cli/sweep_resolution.c: for about 1000 points of a sweep it is checked whether the step resolves the motion, in the
 * first steps and later. Returns the next step after `done` with a check; the number of steps: no more checks. */
int64_t cli_batch_mark(const cli_sweep *s, int64_t done);
/* Checks the resolution of the batch's points at their present states. 1: stopped. */
int cli_batch_examine(cli_batch *b);
/* Counts point i. */
void cli_batch_count_resolution(cli_batch *b, int64_t i);
/* Adds the figures of other points, in any order. */
void cli_tally_add(cli_tally *all, const cli_tally *part);
/* Adds the figures of all ranks' batches to those of rank 0. */
void cli_tally_gather(cli_tally *all, const cli_batch *b, const cli_ranks *r);

/* The summary of a sweep. */
typedef struct cli_sweep_end {
    const cli_sweep *sweep;
    const cli_tally *tally; /* of all ranks */
    double seconds;
    int ranks, threads, width;
} cli_sweep_end;

/* Prints it to standard error. */
void cli_sweep_summary(const cli_sweep_end *j);

#endif
