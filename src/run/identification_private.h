/* SPDX-License-Identifier: BSD-3-Clause */
/** @file identification_private.h
 *  Inside an identification: its problem, its present values and their runs. */
#ifndef LIEGRP_SRC_RUN_IDENTIFICATION_PRIVATE_H
#define LIEGRP_SRC_RUN_IDENTIFICATION_PRIVATE_H

#include <liegrp/run/identification.h>

#include "base/arena.h"
#include "base/message.h"
#include "base/text.h"

/** Kinds of columns. Residuals have a place for each column. An attitude uses the first three of its four; the fourth
 *  is 0, and so is that of a missing measurement. */
typedef enum lg_measured { LG_MEASURED_NUMBER, LG_MEASURED_ANGLE, LG_MEASURED_ATTITUDE, LG_MEASURED_PART } lg_measured;

typedef struct lg_measured_column {
    int at;           /* in a row */
    lg_measured kind; /* ATTITUDE: qx; PART: qy, qz, qw */
    double size;      /* of values: the largest, of angles 1 */
    int part[4];      /* of an attitude: which of the C columns are qx, qy, qz, qw */
} lg_measured_column;

/** A sample as near to a node as this, of a step, is there. */
#define LG_AT_A_NODE 1e-9

struct lg_identification {
    lg_error error;
    lg_model *model; /* NULL: there is only the message */
    lg_motion_options options;
    double t0;
    lg_controller control;
    void *control_context;
    double *controls;            /* control_steps of them; NULL: none */
    int64_t control_steps, made; /* made: steps of the present run */
    int P, C, S, M;              /* unknowns, columns, samples, and places of residuals, S C */
    lg_unknown *unknown;         /* with scales that are not 0, and names of its own */
    lg_measured_column *column;  /* C */
    double *sigma, *times, *values;
    int estimates_sigma; /* 1: no sigma was given */
    int measurements;
    double *x, *predicted, *r; /* P, M, M: the present point */
    double *trial_x, *trial_predicted, *trial_r;
    double *row, *control_now; /* of the model */
    double *J;                 /* M x (P + 1) by columns: derivatives of r, and r; then R and Q^T r */
    double *length;            /* P: lengths of the columns of J */
    double *B, *V, *singular;  /* R scaled = U singular V^T: B holds U singular; by columns */
    double *share;             /* P: U^T Q^T r */
    double *step;              /* P: the correction */
    double *h;                 /* P: steps of differences */
    double chi2, correction;
    int rank, iterations, solved;
};

/** Makes the run of the values x, and fills predicted and r. Errors are those of the run, whose message is the
 *  object's. */
lg_status lg_identification_evaluate(lg_identification *id, const double *x, double *predicted, double *r);
/** *own, *options = copies in the library's size, which are right for themselves and for the model; own->options is
 *  options. */
lg_status lg_identification_take(lg_identification_problem *own, lg_motion_options *options,
                                 const lg_identification_problem *problem, lg_error *e);
/** Fills the arrays of *id from the problem, and takes the first guess from the model. */
lg_status lg_identification_fill(lg_identification *id, const lg_identification_problem *problem);

#endif
