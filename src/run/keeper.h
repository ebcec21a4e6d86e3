/* SPDX-License-Identifier: BSD-3-Clause */
/** @file keeper.h
 *  The checkpoints of a long run, in a file: when one is due, what belongs to it, and going on from it.
 *
 *  The file appears whole or not at all (base/file.h). It is there as long as the run is not finished. The rows so far
 *  stand beside their target under a private name; the checkpoint tells it, and how many of its bytes count. */
#ifndef LIEGRP_SRC_RUN_KEEPER_H
#define LIEGRP_SRC_RUN_KEEPER_H

#include "base/checkpoint.h"
#include "run/writer.h"

/** Seconds between checkpoints by default. */
#define LG_KEEPER_EVERY 60.0

/** The options of checkpoints. */
typedef struct lg_keeper_options {
    const char *path; /**< NULL: no checkpoints */
    double every;     /**< seconds between two of them; 0: LG_KEEPER_EVERY */
    int resume;       /**< 1: continue from an existing one; 0: it is refused */
} lg_keeper_options;

typedef struct lg_keeper {
    lg_kept kept;
    void *run;            /**< what is kept; the rest is set by lg_keeper_begin() */
    const char *path;     /**< NULL: there are no checkpoints */
    double every;         /**< seconds between two of them */
    double last;          /**< clock, when the last one was written */
    lg_writer_place rows; /**< for lg_keeper_list() */
} lg_keeper;

/** Reads the checkpoint if there is one; *found = 1: it was. LG_ERROR_IO; LG_ERROR_ARGUMENT: it is damaged, or of
 * another run. */
lg_status lg_keeper_begin(lg_keeper *k, const lg_keeper_options *options, double now, int *found, lg_error *e);
/** The line on the format of the rows; 0: there are no rows. */
void lg_keeper_describe(lg_lines *l, int rows, lg_format format);
/** The place of the rows; to be listed with what is kept. */
void lg_keeper_list(lg_tape *t, lg_keeper *k);
/** 1: `now` is the time for a checkpoint. */
int lg_keeper_is_due(const lg_keeper *k, double now);
/** Writes one; `w` (NULL: none) are the rows. LG_ERROR_IO, LG_ERROR_MEMORY. */
lg_status lg_keeper_write(lg_keeper *k, lg_writer *w, double now, lg_error *e);
/** The run is finished. */
void lg_keeper_end(const lg_keeper *k);

#endif
