/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop of a run: steps, the figures that are kept at every one, rows, progress. run.c has what surrounds it. */
#ifndef LIEGRP_SRC_RUN_LOOP_H
#define LIEGRP_SRC_RUN_LOOP_H

#include <liegrp/run/run.h>

#include "base/message.h"
#include "integrators/collocation/step_size.h"
#include "run/accuracy.h"
#include "run/keeper.h"
#include "run/watch.h"
#include "run/writer.h"

typedef struct lg_loop {
    lg_motion *mo;
    const lg_run_options *o;
    double *u;           /* the controls that are held */
    lg_monitor *monitor; /* NULL: the caller wants none */
    double *row;
    lg_writer *writer;     /* NULL: no rows are written */
    lg_provenance origin;  /* of the rows */
    lg_accuracy *accuracy; /* NULL: it is not measured */
    lg_run_result *result;
    lg_error *error;
    lg_observation observation; /* of the present state */
    lg_watch watch;             /* of all states */
    double began, reported;     /* clock at the start and when progress was last called */
    int64_t step;               /* the present state */
    int64_t stride, next;       /* the clock is read every `stride` steps, next at this one */
    int resumed;                /* 1: the present state and those before were seen, and their rows written */
    lg_keeper keeper;
} lg_loop;

/* Seconds on a clock that only goes forward. */
double lg_loop_now(void);
/* Sets the clock; all other members that a run sets come after it. */
void lg_loop_begin(lg_loop *l);
/* Progress on the way to one state, which may take long: what the motion asks. */
lg_pause lg_loop_pause(lg_loop *l);
/* Makes l->origin if a caller or a file needs it. LG_ERROR_INTERRUPTED: the caller refuses it. */
lg_status lg_loop_tell(lg_loop *l);
/* Opens the file of the rows, and continues from a checkpoint if there is one. */
lg_status lg_loop_open(lg_loop *l);
/* The part of the loop in the checkpoint of a run (base/checkpoint.h). */
void lg_loop_describe(lg_lines *lines, const lg_loop *l);
void lg_loop_list(lg_tape *t, lg_loop *l);
/* All steps. */
lg_status lg_loop_walk(lg_loop *l);
/* Closes the file, of which an error of the system alone leaves nothing; what was seen becomes the result. Returns the
 * status of the run. */
lg_status lg_loop_end(lg_loop *l, lg_status status);
/* A result without figures. */
void lg_run_result_blank(lg_run_result *f);
/* Is the caller's result of a size that there is? LG_ERROR_ARGUMENT. */
lg_status lg_run_result_check(const lg_run_result *result, lg_error *e);
/* Gives the caller as much of the result as there is room for; 1 from _has_accuracy: there is room for that. */
void lg_run_result_give(lg_run_result *result, const lg_run_result *own);
int lg_run_result_has_accuracy(const lg_run_result *result);

#endif
