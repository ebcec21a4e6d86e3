/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a mechanism's figures: energy, work, the kinds of work for which it has parts, gap and slip. */
#ifndef LIEGRP_SRC_RUN_FIGURE_COLUMNS_H
#define LIEGRP_SRC_RUN_FIGURE_COLUMNS_H

#include "multibody/motion.h"

typedef struct lg_figure_column {
    const char *name, *unit, *meaning;
    int parts[3], count; /* it exists with a part of one of these kinds; 0: always */
    int work;            /* the kind of work; -1: another figure */
} lg_figure_column;

/* Column i of a mechanism; NULL: there are no more. */
const lg_figure_column *lg_figure_column_at(const lg_mechanism *m, int i);
int lg_figure_column_count(const lg_mechanism *m);
/* 1: one of them has this name. */
int lg_is_figure(const lg_mechanism *m, const char *name);
/* Writes them, with this work and account (NULL: NaN); returns where they end. */
double *lg_figure_row(double *at, const mb_sparse *mo, double work, const double *account);

#endif
