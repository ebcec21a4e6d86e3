/* SPDX-License-Identifier: BSD-3-Clause */
/* length.h: which length of step suits a tolerance (docs/theory.md section 18). It is decided here from errors and from
 * the roughness of rates, whatever it is that moves: systems (pace.c) and mechanisms (multibody/course.c).
 *
 * Who moves is called the carrier. */
#ifndef LG_INTEGRATORS_LENGTH_H
#define LG_INTEGRATORS_LENGTH_H

#include <math.h>

#include "base/tape.h"

/* Tolerances that can be asked for. */
#define LG_TOLERANCE_LEAST 1e-13
#define LG_TOLERANCE_MOST  1e-1

/* Times closer than this part of a row are the same. */
#define LG_PACE_SAME 1e-9

/* Sweeps of a carrier's step, at most. */
enum { LG_PACE_SWEEPS = 40 };

typedef struct lg_pace {
    double tolerance;   /* 0: the integrator's steps are those of the method */
    double length;      /* of the carrier's steps, before they are fitted to rows; 0: to be found */
    int valid;          /* the carrier is on this trajectory */
    double leg;         /* its next step, fitted */
    int legs;           /* so many of these are left before a row */
    int patience;       /* so many of these until it is measured again */
    double cap;         /* a length that took many sweeps; 0: none. It grows slowly, as motions change */
    int quiet;          /* steps since an error was measured */
    int calm;           /* steps in turn that could have been longer */
    double measured;    /* the error of a step of `length` when that was */
    double roughness;   /* of the rates then */
    double error;       /* estimated, of the last step */
    double taken;       /* its length */
    double rough;       /* roughness of the step that was tried last */
    double noise;       /* the part of its error that is known: what its sweeps left, or what was mended at its end */
    int tried;          /* its sweeps */
    double contraction; /* of the sweeps of the one that was measured last */
    int measured_sweeps;
    double momentum; /* the largest so far */
    double late;     /* what rounding takes off the carrier's time */
    int sweeps;      /* since the last row */
} lg_pace;

/* What a carrier can do. Nonzero: it failed. */
typedef struct lg_carrier {
    int stages;
    int alone;    /* 1: controls may change at a row, beyond which it does not step */
    void *moving; /* the first argument of these */
    /* A step of h from nothing; p->rough, p->contraction; */
    int (*try)(void *moving, double h);
    /* and how fast the state changed in it, 1/s, where rows are h apart. */
    double (*rate)(const void *moving, double h);
    /* The error of a step of h; p->rough, p->contraction, p->measured_sweeps. */
    int (*measure)(void *moving, double h, double *error);
    /* The step p->leg; p->rough, p->noise, p->tried. */
    int (*attempt)(void *moving);
    /* The step that was tried is the carrier's. */
    void (*accept)(void *moving);
    /* 1: a failure that shorter steps do not mend. */
    int (*hopeless)(const void *moving);
} lg_carrier;

/* What is decided so far, for a checkpoint. */
void lg_pace_list(lg_pace *p, lg_tape *t);
/* The length that suits the tolerance where the carrier is. */
int lg_pace_find(lg_pace *p, const lg_carrier *c, double h);
/* The carrier's next step, towards a row `rest` ahead. 0; 1: it failed; -1: no step is short enough. */
int lg_pace_carry(lg_pace *p, const lg_carrier *c, double rest, double h);

/* The time at the end of the step p->leg, which is taken, from t. What rounding takes off is made up for. */
static inline double lg_pace_clock(lg_pace *p, double t)
{
    const double leg = p->leg + p->late, end = t + leg;
    p->late = leg - (end - t);
    p->taken = p->leg;
    return end;
}

/* Of few digits, so that machines whose powers differ in the last one do the same. */
static inline double lg_few_digits(double x)
{
    int exponent;
    const double part = frexp(x, &exponent);
    return ldexp(floor(256 * part) / 256, exponent);
}

#endif
