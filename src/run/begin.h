/* SPDX-License-Identifier: BSD-3-Clause */
/* What starts of motions, ensembles and measurements of orders share. */
#ifndef LIEGRP_SRC_RUN_BEGIN_H
#define LIEGRP_SRC_RUN_BEGIN_H

#include <liegrp/run/motion.h>

#include "base/message.h"

/* LG_ERROR_INCONSISTENT: a configuration that the user gave (its columns, NaN where he did not) violates phi = 0. */
lg_status lg_run_check_configuration(lg_error *e, const lg_model *M, const double *columns, const double *g0);

/* How motions from the model's initial state are made. */
typedef struct lg_run_course {
    const lg_motion_options *o;
    int project;
} lg_run_course;

/* *motion = one that has made `steps` steps of h; destroy it also after a failure. */
lg_status lg_run_arrive(lg_motion **motion, lg_model *M, const lg_run_course *course, double h, int64_t steps,
                        lg_error *e);
/* 1 for what another step size may mend: the numerics failed. */
int lg_run_is_numeric(lg_status status);

#endif
