/* SPDX-License-Identifier: BSD-3-Clause */
/* step_size.h: the step size for a tolerance (docs/theory.md section 18). It is chosen from measured errors and from
 * the roughness of the rates, for systems (collocation/adaptive.c) and mechanisms (multibody/adaptive.c) alike.
 *
 * An internal integrator makes *substeps* along the trajectory; states are *delivered* at output points. */
#ifndef LG_INTEGRATORS_STEP_SIZE_H
#define LG_INTEGRATORS_STEP_SIZE_H

#include <math.h>

#include "base/tape.h"

/* Tolerances that can be asked for. */
#define LG_TOLERANCE_LEAST 1e-14
#define LG_TOLERANCE_MOST  1e-1

/* Times closer than this part of an output interval are equal. */
#define LG_SAME_TIME 1e-9

/* The largest number of sweeps of a substep, and of substeps between two output points: an output point that is
 * further away is an error. Smaller for the fuzzer, so that every input ends soon. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { LG_SUBSTEP_SWEEPS = 40, LG_SUBSTEPS_MOST = 256 };
#else
enum { LG_SUBSTEP_SWEEPS = 40, LG_SUBSTEPS_MOST = 1000000 };
#endif
/* Substeps may grow on the way; an output point that would take this many is refused before the first one. */
enum { LG_SUBSTEPS_HOPELESS = 100 * LG_SUBSTEPS_MOST };

typedef struct lg_step_size {
    double tolerance;          /* 0: steps have the length that the caller gives */
    double current;            /* the step size, before it is fitted to output points; 0: to be found */
    int valid;                 /* the internal integrator is on this trajectory */
    double substep;            /* the next substep, fitted */
    int substeps_left;         /* this many of that length are left before an output point */
    int measure_every;         /* substeps between two measurements of the error */
    double cap;                /* a step size that took many sweeps; 0: no cap. It grows slowly, as motions change */
    int since_measured;        /* substeps since an error was measured */
    int small_errors;          /* substeps in turn that could have been longer */
    double measured_error;     /* of a step of size `current`, when it was measured */
    double measured_roughness; /* of the rates at that time */
    double error;              /* estimated, of the last substep */
    double taken;              /* its length */
    double roughness;          /* of the substep that was tried last */
    double noise;              /* the known part of its error: left by the sweeps, or corrected at its end */
    int tried_sweeps;          /* its sweeps */
    double contraction;        /* of the sweeps of the step that was measured last */
    int measured_sweeps;
    double momentum_scale; /* the largest momentum so far: changes of momenta are relative to it */
    double time_rest;      /* the rounding error of the time, which the next substep includes */
    int sweeps;            /* since the last output point */
    int substeps;          /* since the last output point, or since a stop before it; their total length is `elapsed` */
    double elapsed;
} lg_step_size;

/* Called every LG_PAUSE_EVERY substeps between output points; nonzero stops the internal integrator. May be
 * NULL. */
typedef struct lg_pause {
    int (*asked)(void *context);
    void *context;
} lg_pause;
enum { LG_PAUSE_EVERY = 64 };

/* How a substep ends. */
typedef enum lg_substep_end {
    LG_SUBSTEP_MADE,
    LG_SUBSTEP_FAILED,
    LG_SUBSTEP_TOO_LONG, /* it fails at any length */
    LG_SUBSTEP_TOO_MANY, /* the output point is more than LG_SUBSTEPS_MOST away */
    LG_SUBSTEP_STOPPED   /* by lg_pause; the next call continues from there */
} lg_substep_end;

/* The internal integrator, of a system or of a mechanism. Functions return nonzero when they fail. */
typedef struct lg_substepper {
    int stages;
    int alone;    /* 1: no substep may pass an output point: controls may change there, or tables end */
    void *moving; /* the first argument of the functions below */
    /* A substep of h without a predictor; sets p->roughness, p->contraction. */
    int (*probe)(void *moving, double h);
    /* The rate of change of the state in that substep, 1/s, where output points are h apart. */
    double (*rate)(const void *moving, double h);
    /* The error of a substep of h; sets p->roughness, p->contraction, p->measured_sweeps. */
    int (*measure)(void *moving, double h, double *error);
    /* The substep p->substep; sets p->roughness, p->noise, p->tried_sweeps. */
    int (*attempt)(void *moving);
    /* Accepts the substep that was tried. */
    void (*accept)(void *moving);
    /* 1: the failure does not depend on the length of the substep. */
    int (*hopeless)(const void *moving);
    const lg_pause *pause;
} lg_substepper;

/* Lists the decisions so far, for a checkpoint. */
void lg_step_size_list(lg_step_size *p, lg_tape *t);
/* Finds the step size for the tolerance at the present state. */
int lg_step_size_find(lg_step_size *p, const lg_substepper *c, double h);
/* The next substep, towards an output point `rest` ahead. */
lg_substep_end lg_step_size_advance(lg_step_size *p, const lg_substepper *c, double rest, double h);
/* Starts the counts of the way to an output point. */
static inline void lg_step_size_begin_output(lg_step_size *p)
{
    p->substeps = 0, p->elapsed = 0;
}
/* Returns the sweeps on the way to an output point. If the way was only stopped, counting continues. */
static inline int lg_step_size_end_output(lg_step_size *p, int stopped)
{
    const int sweeps = p->sweeps;
    if (!stopped) p->sweeps = 0;
    return sweeps;
}
/* Prints the cause of LG_SUBSTEP_TOO_MANY and advice, for output points h apart. */
void lg_step_size_print_far(const lg_step_size *p, double h, char *text, size_t size);

/* Returns the time at the end of the accepted substep that began at t. Rounding is compensated. */
static inline double lg_step_size_end_time(lg_step_size *p, double t)
{
    const double substep = p->substep + p->time_rest, end = t + substep;
    p->time_rest = substep - (end - t);
    p->taken = p->substep;
    return end;
}

/* Rounds to 8 binary digits, so that machines whose powers differ in the last digit do the same. */
static inline double lg_few_digits(double x)
{
    int exponent;
    const double part = frexp(x, &exponent);
    return ldexp(floor(256 * part) / 256, exponent);
}

#endif
