/* SPDX-License-Identifier: BSD-3-Clause */
/* linear.h: what linearisation works with. */
#ifndef LG_MULTIBODY_LINEAR_H
#define LG_MULTIBODY_LINEAR_H

#include "multibody/motion.h"

typedef struct mb_linear {
    mb_sparse *mo, *copy;        /* the state, and where displaced ones are written */
    int n;                       /* 6 a body */
    int count[2];                /* freedoms of positions and of velocities */
    int steps;                   /* 1: the derivative of a step */
    double small;                /* how far displacements go: radians, and parts of the reach */
    const double *spin;          /* of the axes; NULL: at rest */
    const struct mb_linear *end; /* the state after the step, on whose basis the result is; NULL: on that of `mo` */
    char *memory;
    const char *who;
    double *basis[2];     /* rows of n numbers */
    double *candidate[2]; /* n x n */
    double *first;        /* 2 n: the present twists are the second half */
    double *z, *sum, *to; /* 2 n: a deviation, its derivative, a value */
    double *from;         /* 2 n: twists at the displaced state */
    double *tangent;      /* n: the derivative of the twists */
    double *x;            /* 2 a row */
    double *read;         /* joint positions and velocities, twice */
    double *control;      /* by how much each control is changed */
    mb_pose *after;       /* poses after the step */
} mb_linear;

/* tangent.c */

/* y = J x of n numbers in space, at the present state. */
void mb_linear_metric(const mb_linear *L, double *y, const double *x);
/* Both bases at the present state; the copy's memory serves for the factor of the holonomic rows. */
lg_status mb_linear_bases(mb_linear *L);

/* acceleration.c */

/* The largest rotation or part of the reach in n numbers. */
double mb_linear_size(const mb_linear *L, const double *v);
/* Velocity and angular velocity in space of all bodies at a node. */
void mb_linear_twists(const mb_linear *L, double *xi, const mb_node *n);
/* to <- (xi, a) at the copy's state. */
lg_status mb_linear_accelerate(mb_linear *L);

/* exact.c */

/* The derivative of the step that led to `after` with respect to the basis of L->mo and the controls: 2 n numbers for
 * each, a deviation in space. 1, and *deviations is memory that lg_release() takes; 0: the step has no such form, its
 * sweeps do not contract, or memory is out. */
int mb_linear_exact(const mb_linear *L, mb_sparse *after, double **deviations);

#endif
