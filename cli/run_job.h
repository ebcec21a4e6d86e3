/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a run (run.c) and its course (run_job.c). */
#ifndef LIEGRP_CLI_RUN_JOB_H
#define LIEGRP_CLI_RUN_JOB_H

#include "cli/lib/checkpoint.h"
#include "cli/lib/controls.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/origin.h"
#include "cli/lib/plot.h"
#include "cli/run_view.h"
#include "cli/summary.h"

/* Everything about one run. */
typedef struct run_job {
    const char *system, *time, *steps, *plot_file, *plot_columns, *format;
    const char *start, *retraction, *method; /* as they were given */
    cli_run_options o;
    lg_run_result result;
    cli_system S;
    cli_mechanism_options mechanism;
    plot_choice choice;
    cli_plot *plot;
    cli_run_view view;
    cli_checkpoint keep;
    cli_origin origin;
    int quiet, rows_seen;
    int anonymous;       /* --no-provenance */
    int stepped;         /* --step was given */
    int watched, probed; /* --monitor, --probe */
    lg_monitor *monitor;
    cli_probes probes;
    lg_account account;
    cli_controls controls;
    cli_events events;
    int bar;      /* 1: the progress bar is on the screen */
    int normal;   /* the column of the normal part in a row; -1: rows have no such column */
    double most;  /* its largest value in all rows */
    double began; /* clock */
} run_job;

/* Makes it. The exit status. */
int run_job_run(run_job *j);

#endif
