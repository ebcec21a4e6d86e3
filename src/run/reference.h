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
    lg_end_state state;
    int columns, factors; /* the first `factors` columns are about factors */
    lg_convergence_column column[LG_CONVERGENCE_COLUMNS];
    const char *method; /* NULL: all is exact */
    double step;
};

/** Differences of two states, one a column; NaN where there is none. */
void lg_reference_compare(const lg_reference *R, double *difference, const lg_end_state *a, const lg_end_state *b);
/** Options that neither a reference nor a measurement takes. LG_ERROR_ARGUMENT. */
lg_status lg_reference_check(const lg_run_options *o, lg_error *e);

#endif
