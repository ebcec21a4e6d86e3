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
#define LG_TOLERANCE_LEAST 1e-14
#define LG_TOLERANCE_MOST  1e-1

/* Times closer than this part of a row are the same. */
#define LG_PACE_SAME 1e-9

/* Sweeps of a carrier's step, and its steps between two rows, at most: a row that is further away is refused. Where the
 * fuzzer asks, every input ends soon. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { LG_PACE_SWEEPS = 40, LG_PACE_STEPS = 256 };
#else
enum { LG_PACE_SWEEPS = 40, LG_PACE_STEPS = 1000000 };
#endif
/* Steps may become longer on the way; a row that would take so many is refused before the first one. */
enum { LG_PACE_HOPELESS = 100 * LG_PACE_STEPS };

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
    int steps;       /* likewise, but where the way to a row was stopped from there on; how far they led */
    double gone;
} lg_pace;

/* Who may stop the carrier on its way to a row, asked every LG_PACE_ASKS steps; nonzero: it stops. NULL: nobody. */
typedef struct lg_pause {
    int (*asked)(void *context);
    void *context;
} lg_pause;
enum { LG_PACE_ASKS = 64 };

/* How the carrier's next step ends. */
typedef enum lg_pace_end {
    LG_PACE_WENT,
    LG_PACE_FAILED,
    LG_PACE_NONE,   /* no step is short enough */
    LG_PACE_FAR,    /* the row is more than LG_PACE_STEPS away */
    LG_PACE_STOPPED /* by lg_pause; the next call goes on from there */
} lg_pace_end;

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
    const lg_pause *pause;
} lg_carrier;

/* What is decided so far, for a checkpoint. */
void lg_pace_list(lg_pace *p, lg_tape *t);
/* The length that suits the tolerance where the carrier is. */
int lg_pace_find(lg_pace *p, const lg_carrier *c, double h);
/* The carrier's next step, towards a row `rest` ahead. */
lg_pace_end lg_pace_carry(lg_pace *p, const lg_carrier *c, double rest, double h);
/* On the way to a row. */
static inline void lg_pace_begin_row(lg_pace *p)
{
    p->steps = 0, p->gone = 0;
}
/* It ended: the sweeps that it took, if it was found. Where it was only stopped, they go on being counted. */
static inline int lg_pace_end_row(lg_pace *p, int stopped)
{
    const int sweeps = p->sweeps;
    if (!stopped) p->sweeps = 0;
    return sweeps;
}
/* Why LG_PACE_FAR, and what would be right, for rows of h. */
void lg_pace_print_far(const lg_pace *p, double h, char *text, size_t size);

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
