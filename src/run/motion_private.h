/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run of a motion shares with the measurement of its accuracy. */
#ifndef LIEGRP_SRC_RUN_MOTION_PRIVATE_H
#define LIEGRP_SRC_RUN_MOTION_PRIVATE_H

#include <liegrp/run/motion_run.h>

#include "run/accuracy.h"

/* Motions; the source is an lg_motion_source. */
extern const lg_mover_kind lg_mover_motion;

/* A state of a motion, to begin others from. */
typedef struct lg_motion_source {
    const lg_motion *like; /* what is not about the state or the step */
    double t;
    double *poses, *twists, *control;
} lg_motion_source;

/* All names. */
char *const *lg_motion_columns_names(const lg_motion_columns *c);

/* Starts the motion at rest where and when a whole row says. Errors of lg_motion_start(), and LG_ERROR_ARGUMENT: a
 * position is not finite, or a quaternion none. */
lg_status lg_motion_columns_place(const lg_motion_columns *c, lg_motion *mo, const double *row);

/* Takes the present state. LG_ERROR_MEMORY; free it in either case. */
lg_status lg_motion_source_take(lg_motion_source *s, const lg_motion *mo);
void lg_motion_source_free(lg_motion_source *s);

#endif
