/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a run (--view), and runs of other methods on that page (--compare). */
#ifndef LIEGRP_CLI_RUN_VIEW_H
#define LIEGRP_CLI_RUN_VIEW_H

#include <liegrp/run/view.h>

#include "cli/lib/mechanism.h"

enum { CLI_COMPARED = 8 }; /* largest number of methods in addition to the run's own */

/* A method whose rows are shown. */
typedef struct cli_shown {
    const char *method;
    cli_instance start; /* whose model has the parameters that are set */
    int track;
    char lost[512]; /* the time from which the view cannot show its rows, and the reason; empty: it shows all */
} cli_shown;

typedef struct cli_run_view {
    const char *file;    /* NULL: no page */
    const char *compare; /* as given */
    char *methods;       /* its copy, cut up */
    cli_shown shown[1 + CLI_COMPARED];
    int count;
    lg_view *view;
    char *command, *provenance;
    const lg_motion *now; /* the motion whose rows come */
    lg_status (*add)(lg_view *v, void *context); /* adds what a command shows besides; may be NULL */
    void *add_context;
    int spent; /* 1: out of memory, so there is no page */
} cli_run_view;

struct run_job;

/* Checks the options, and keeps the command. CLI_WELL, or CLI_WRONG_USE after a message. */
int cli_run_view_settle(struct run_job *j, int argc, char **argv);
/* Makes the view and its tracks, and tries each method that is compared. The exit status, after a message. */
int cli_run_view_begin(struct run_job *j);
/* A row of the run. */
void cli_run_view_row(cli_run_view *w, const double *row);
/* Where the rows come from. */
void cli_run_view_provenance(cli_run_view *w, const char *text);
/* Runs the other methods and writes the page. The exit status, after a message. */
int cli_run_view_end(struct run_job *j, lg_status status);
void cli_run_view_free(cli_run_view *w);

#endif
