/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives of callbacks by central differences. The step is the usual one, unless round-off or truncation would
 * dominate there. */
#ifndef LG_MECHANICS_DIFFERENCE_H
#define LG_MECHANICS_DIFFERENCE_H

#include "mechanics/field.h"

/* A function to differentiate: `sample` computes `count` numbers at f->moved and time t, on the line g exp(s eta),
 * t + s. With `factors` it computes f->n numbers for each of them, which are summed with these weights. */
typedef struct lg_difference lg_difference;
struct lg_difference {
    int (*sample)(lg_field *f, const lg_difference *d, double t, double *values);
    double t;
    const double *g;
    const double *eta;     /* one direction; NULL: time alone, or along each axis of the algebra */
    const double *xi;      /* a further argument of the sample */
    const double *factors; /* f->n weights, or NULL */
    int count;
    enum { LG_FIRST_4, LG_FIRST_6, LG_SECOND_6 } order; /* first or second derivative; the usual step's order */
    int axes;                                           /* 1: along each axis, at fixed time */
    int timed;                                          /* 1: time changes along the line */
    int sized; /* 1: values have a natural scale (metrics, rows); 0: an arbitrary constant (potentials) */
};

/* out[i * directions + j] = the derivative of value i in direction j, directions = n along the axes and 1 else. 0, or
 * what a callback returned; f->found has the error bounds. */
int lg_difference_all(lg_field *f, const lg_difference *d, double *out);
/* The size of the scratch for `count` values, in doubles. */
size_t lg_difference_size(int count, int directions);

#endif
