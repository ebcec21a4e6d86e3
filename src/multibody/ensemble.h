/* SPDX-License-Identifier: BSD-3-Clause */
/* ensemble.h: an ensemble of motions, and its threads' workers. */
#ifndef LG_MULTIBODY_ENSEMBLE_H
#define LG_MULTIBODY_ENSEMBLE_H

#include <liegrp/multibody/motion_ensemble.h>

#include "multibody/lanes.h"
#include "multibody/motion.h"

/* What a thread steps instances in. */
typedef struct mb_worker {
    mb_sparse *scalar;
    mb_wide *wide; /* NULL at width 1 */
} mb_worker;

struct lg_motion_ensemble {
    lg_error error;
    const lg_mechanism *mechanism;
    int64_t count, units;
    int width, threads, halvings, busy;
    double tolerance;
    const mb_lanes_table *table;
    double part[MB_STAGES_MOST]; /* lengths of the sub-steps */
    mb_worker *workers;
    size_t size; /* of an instance's state, in numbers */
    double *state, *t0, *assembled;
    int64_t *steps;
    lg_status *status;
    char *started; /* 1: there is a state */
    char **reason; /* NULL: none */
};

/* The scalar's numbers, `*state` spans of its state first. */
int mb_motion_spans(mb_sparse *mo, mb_span *span, int *state);
/* The motion becomes the state, or the state the motion's. */
void mb_unpack(mb_sparse *mo, const double *state, double t0, int64_t steps);
void mb_pack(const mb_sparse *mo, double *state);
/* Retires instance i. */
void mb_retire(lg_motion_ensemble *E, int64_t i, lg_status status, const char *reason);
/* Calls the task for every unit of instances, on all threads. */
typedef void (*mb_task)(lg_motion_ensemble *E, mb_worker *worker, int64_t first, int64_t last, void *context);
void mb_each(lg_motion_ensemble *E, mb_task task, void *context);

#endif
