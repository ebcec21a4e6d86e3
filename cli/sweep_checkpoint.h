/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of a sweep: the instances that are complete, their figures, and where their rows are. */
#ifndef LIEGRP_CLI_SWEEP_CHECKPOINT_H
#define LIEGRP_CLI_SWEEP_CHECKPOINT_H

#include "cli/lib/checkpoint.h"
#include "cli/sweep_plot.h"
#include "run/keeper.h"

/* State of a sweep between two rounds, on rank 0. */
typedef struct sweep_checkpoint {
    cli_checkpoint o;   /* the options */
    const cli_sweep *s; /* the rest is the caller's, too */
    const char *retraction;
    lg_format format;
    int writes;           /* 1: rows go to a file */
    int64_t first, count; /* the requested instances */
    int64_t *done;        /* how many of these are complete */
    cli_tally *all;
    int *width, *threads;
    sweep_plot *plot;
    double *began; /* clock */
    uint64_t said; /* a checksum of the given parameters and initial values; 0: none */
    lg_keeper keeper;
} sweep_checkpoint;

/* One more of these. CLI_WELL. */
int sweep_checkpoint_say(sweep_checkpoint *c, const char *value);
/* Begins; *found = 1: continues from a checkpoint. */
lg_status sweep_checkpoint_begin(sweep_checkpoint *c, int *found, lg_error *e);
/* After a round of a sweep that has checkpoints: writes one if it is due, or if it is `wanted`. */
lg_status sweep_checkpoint_pass(sweep_checkpoint *c, lg_writer *w, int wanted, lg_error *e);
/* Ends the writer: `stopped`, with a checkpoint, leaves the rows for later; otherwise as lg_writer_close(), and the
 * checkpoint has done its service. */
lg_status sweep_checkpoint_close(sweep_checkpoint *c, lg_writer *w, int keep, int stopped, lg_error *e);

#endif
