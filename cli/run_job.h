/* SPDX-License-Identifier: BSD-3-Clause */
/* A run, made by `liegrp run` or another command: its options (run_options.c) and its course (run_job.c). */
#ifndef LIEGRP_CLI_RUN_JOB_H
#define LIEGRP_CLI_RUN_JOB_H

#include "cli/lib/checkpoint.h"
#include "cli/lib/controls.h"
#include "cli/lib/file.h"
#include "cli/lib/mechanism.h"
#include "cli/lib/origin.h"
#include "cli/lib/plot.h"
#include "cli/run_view.h"
#include "cli/summary.h"

/* Everything about one run. */
typedef struct run_job {
    const char *command;       /* that makes it, "run" */
    const cli_option *options; /* of that command; options of a run have equal names in all */
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

/* ---- run_options.c; functions return CLI_WELL, or the exit status after a message ---- */

/* An empty job with the options of a command, and its command line, which --from may replace; end it in any case. */
int run_job_begin(run_job *j, const cli_origin_kind *kind, int *argc, char ***argv);
void run_job_end(run_job *j);
/* The number of the command's option of this name; CLI_BAD: it has none. */
int run_job_number(const run_job *j, const char *name);
/* Takes the value of an option of runs, or CLI_WORD; other options do nothing. */
int run_job_option(run_job *j, int option, const char *value);
/* Opens the system, and checks all that needs no step. The lists are of cli_refuse_options(). */
int run_job_open(run_job *j, int argc, char **argv, const int *of_models, const int *of_mechanisms);
/* Checks the files that are written; `own` is one of the command alone. */
int run_job_files(run_job *j, int argc, char **argv, cli_named_file own);
/* Sets --param and --init in a system. */
int run_job_values(run_job *j, int argc, char **argv, const cli_system *S);

/* ---- run_job.c ---- */

/* Makes it. The exit status. */
int run_job_run(run_job *j);

#endif
