/* SPDX-License-Identifier: BSD-3-Clause */
/* metric.h: the kinetic metric M = L L^T of the coordinates. Lengths in it have no units to choose: forces are L^-1
 * tau, rates L^T a, rows G L^-T. */
#ifndef LG_MULTIBODY_DYNAMICS_METRIC_H
#define LG_MULTIBODY_DYNAMICS_METRIC_H

#include "multibody/dynamics/least.h"
#include "multibody/dynamics/rows.h"

#define MB_DEPENDENT 1e-10 /* rows and motors whose part of their own is shorter depend on others */

/* Memory that grows with the square of the coordinates: taken when it is first asked for. r is the number of rows, and
 * one more for each coordinate and each limit of joints that close loops. */
typedef struct mb_dense {
    double *L;        /* n x n: the factor of M */
    double *G, *bend; /* r x n, r */
    double *rows;     /* the rows in the metric, times `unit` */
    double *unit;     /* what makes their lengths 1; before, their free lengths */
    double *B;        /* n x motors in the metric, or n x n */
    double *tau, *x;  /* n, or motors */
    double *start;    /* n */
    double *work, *beta;
    int *pivot;
    char *held; /* n: 1: the coordinate stays; and each of those limits: 1: the position stays at the lower one, 2: at
                 * the upper one */
} mb_dense;

/* d->dense with L at this state. LG_ERROR_MEMORY; LG_ERROR_SINGULAR: M is singular to rounding. */
lg_status mb_metric(lg_dynamics *d, const char *who);
/* dense->rows from the first `count` rows of dense->G: count x n, or the transpose. Rows that are rounding become 0. */
void mb_metric_rows(lg_dynamics *d, int count, int transposed);
/* x <- L^-1 x, entries `stride` apart; x <- L^-T x; |L^T a|; |x|. */
void mb_into_metric(const lg_dynamics *d, double *x, int stride);
void mb_out_of_metric(const lg_dynamics *d, double *x);
double mb_metric_length(const lg_dynamics *d, const double *a);
double mb_stride_length(const double *x, int n, int stride);

#endif
