/* SPDX-License-Identifier: BSD-3-Clause */
/* linear.h: what linearisation works with. */
#ifndef LG_MULTIBODY_LINEAR_H
#define LG_MULTIBODY_LINEAR_H

#include "multibody/motion.h"

typedef struct mb_linear {
    lg_motion *mo, *copy; /* the state, and where displaced ones are written */
    int n;                /* 6 a body */
    int count[2];         /* freedoms of positions and of velocities */
    int steps;            /* 1: the derivative of a step */
    const double *spin;   /* of the axes; NULL: at rest */
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

#endif
