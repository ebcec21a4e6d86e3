/* SPDX-License-Identifier: BSD-3-Clause */
/** @file reference.h
 *  Inside a reference; for the measurement of orders. */
#ifndef LIEGRP_SRC_RUN_REFERENCE_H
#define LIEGRP_SRC_RUN_REFERENCE_H

#include <liegrp/run/convergence.h>

#include "base/message.h"

/** A state at T. */
typedef struct lg_end_state {
    double *g, *p; /* element, momentum p~ */
    double energy; /* H(g, p~) */
} lg_end_state;

struct lg_reference {
    lg_error error;
    const lg_group *group;
    double time; /* T */
    int project;
    lg_end_state state;
    int columns, factors; /* the first `factors` columns are about factors */
    lg_convergence_column column[LG_CONVERGENCE_COLUMNS];
    const char *method; /* NULL: all is exact */
    double step;
};

/** Differences of two states, one a column; NaN where there is none. */
void lg_reference_compare(const lg_reference *R, double *difference, const lg_end_state *a, const lg_end_state *b);
/** *own = the options in the library's size, with a step. LG_ERROR_ARGUMENT: they, or the number of steps, make no
 * sense. */
lg_status lg_reference_options(lg_motion_options *own, const lg_model *M, const lg_motion_options *given, int64_t steps,
                               lg_error *e);
/** The group of the states, which a mechanism's model has to make first. */
lg_status lg_reference_group(const lg_group **group, lg_model *M, lg_error *e);

#endif
