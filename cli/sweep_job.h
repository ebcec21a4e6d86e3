/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a sweep (sweep.c) and its course (sweep_rounds.c). */
#ifndef LIEGRP_CLI_SWEEP_JOB_H
#define LIEGRP_CLI_SWEEP_JOB_H

#include "cli/lib/origin.h"
#include "cli/sweep_checkpoint.h"

/* Everything about one sweep. */
typedef struct sweep_job {
    cli_sweep s;
    cli_mechanism_options mechanism;
    const char *system, *time, *steps, *format, *seed, *output;
    const char *method, *start, *retraction; /* as they were given */
    sweep_plot plot;
    int stepped; /* --step was given */
    FILE *stream;
    lg_format kind;
    lg_writer *writer;
    cli_origin origin;
    lg_provenance provenance; /* of the rows */
    int anonymous;            /* --no-provenance */
    sweep_checkpoint keep;
    cli_ranks ranks;
    int64_t first, count, done; /* the requested instances, and how many of them are complete */
    cli_deal deal;              /* of the current round */
    cli_batch b;
    cli_tally all; /* on rank 0 */
    int stopped;   /* the exit status after an interruption */
    int resumed;   /* 1: from a checkpoint */
    int quiet, bar;
    double began;
    int width, threads; /* the instances of the finished rounds */
} sweep_job;

/* Makes it. The exit status. */
int sweep_run(sweep_job *j);

#endif
