/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop of a run: steps, the figures that are kept at every one, rows, progress. What moves is an integrator of a
 * model (run.c) or a motion of a mechanism (motion_run.c). */
#ifndef LIEGRP_SRC_RUN_LOOP_H
#define LIEGRP_SRC_RUN_LOOP_H

#include <liegrp/run/run.h>

#include "base/message.h"
#include "integrators/collocation/step_size.h"
#include "run/accuracy.h"
#include "run/keeper.h"
#include "run/watch.h"
#include "run/writer.h"

/* What the loop asks of the run that it is part of. */
typedef struct lg_loop_kind {
    lg_observation (*observation)(const void *run); /* of the present state */
    double (*work)(const void *run);                /* of the last step */
    int (*iterations)(const void *run);             /* of the last step */
    int (*observe)(void *run);                      /* the present state, seen; nonzero: stop */
    lg_status (*prepare)(void *run); /* the coming step, before the present state's row; NULL: nothing to do */
    void (*row)(double *row, void *run, int64_t step, int due); /* of the present state, where it is due */
    /* Makes step number `step` + 1. LG_ERROR_INTERRUPTED: lg_loop_pause() stopped it, and the state is as before. */
    lg_status (*advance)(void *run, int64_t step);
} lg_loop_kind;

/* What the caller says of checkpoints. */
typedef struct lg_loop_keeping {
    lg_keeper_options options;
    const char *label; /* NULL: none */
    const lg_run_memory *memory;
    int64_t count; /* of these */
    lg_run_resumed resumed;
    void *context;
} lg_loop_keeping;

typedef struct lg_loop {
    const lg_loop_kind *kind;
    void *run;
    int64_t steps, every;
    lg_progress progress;
    void *progress_context;
    lg_row hand_out;
    void *row_context;
    int columns;
    double *row;
    lg_writer *writer;     /* NULL: no rows are written */
    lg_provenance origin;  /* of the rows */
    int64_t wanted;        /* 1: it goes beside files that have no place for it; -1: nowhere */
    lg_accuracy *accuracy; /* NULL: nobody measures it */
    lg_run_result *result;
    lg_error *error;
    lg_observation observation; /* of the present state */
    lg_watch watch;             /* of all states */
    double began, reported;     /* clock at the start and when progress was last called */
    int64_t step;               /* the present state */
    int64_t stride, next;       /* the clock is read every `stride` steps, next at this one */
    int resumed;                /* 1: the present state and those before were seen, and their rows written */
    lg_loop_keeping keeping;
    lg_keeper keeper;
} lg_loop;

/* Seconds on a clock that only goes forward. */
double lg_loop_now(void);
/* Sets the clock; all other members that a run sets come after it. */
void lg_loop_begin(lg_loop *l);
/* Progress on the way to one state, which may take long: what the run's mover asks. */
lg_pause lg_loop_pause(lg_loop *l);
/* What the caller says of provenance. */
typedef struct lg_loop_origin {
    int64_t wanted; /* lg_run_options::provenance */
    lg_provenance_caller caller;
    lg_provenance_reader read_provenance;
    void *context;
} lg_loop_origin;

/* Makes l->origin where somebody wants to know: describe() adds what is run. LG_ERROR_INTERRUPTED: the caller refuses
 * it. */
lg_status lg_loop_tell(lg_loop *l, const lg_loop_origin *origin, const lg_writer_options *rows, const char *run,
                       void (*describe)(lg_provenance *p, const void *run));
/* Opens the file of the rows, and goes on from a checkpoint if there is one. */
lg_status lg_loop_open(lg_loop *l, const lg_writer_options *rows);
/* What the checkpoint of a run has of its loop (base/checkpoint.h). */
void lg_loop_describe(lg_lines *lines, const lg_loop *l);
void lg_loop_list(lg_tape *t, lg_loop *l);
/* All steps. */
lg_status lg_loop_walk(lg_loop *l);
/* Closes the file, of which an error of the system alone leaves nothing; what was seen becomes the result. Returns the
 * status of the run. */
lg_status lg_loop_end(lg_loop *l, lg_status status);
/* A result without figures. */
void lg_run_result_blank(lg_run_result *f);
/* The length of a step that was found: the shortest and the longest are kept. */
void lg_run_result_found(lg_run_result *f, double step);
/* Is the caller's result of a size that there is? LG_ERROR_ARGUMENT. */
lg_status lg_run_result_check(const lg_run_result *result, lg_error *e);
/* Gives the caller as much of the result as there is room for; 1 from _has_accuracy: there is room for that. */
void lg_run_result_give(lg_run_result *result, const lg_run_result *own);
int lg_run_result_has_accuracy(const lg_run_result *result);

#endif
