/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion that our methods and other integrators compute: its system, its start, its true end, and the error of an
 * end. */
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

#include <liegrp/liegrp.h>

enum { BENCH_STATE = 32 }; /* most numbers of (g, xi) */

typedef struct bench_motion {
    const char *label;
    lg_model *M;
    const lg_system *S;
    int element, dim;
    double y0[BENCH_STATE]; /* (g, xi) */
    double step;            /* the step of `liegrp run`, which resolves the motion */
    double energy, scale;   /* energy at the start, and the scale of energy errors */
    double T;
    double end[BENCH_STATE]; /* the end of the reference at T */
    double uncertain;        /* the error estimate of the reference */
    int known;               /* 0: too large for comparisons, as after a long chaotic motion; errors are NaN */
    char reference[64];      /* the method that computed it */
    char message[LG_MESSAGE_SIZE];
} bench_motion;

/* A system of the catalog, or a definition of one's own (then `system` is only its label), with parameters NAME=VALUE;
 * NULL: the defaults. Nonzero: failure, with the reason in message; close it all the same. */
int bench_motion_open(bench_motion *m, const char *system, const lg_model_definition *own, const char *parameter,
                      double value);
void bench_motion_close(bench_motion *m);
/* Computes the end at T with sem@kahan-li8 (another method where that fails) at steps that are halved until two ends
 * differ by rounding, or no less than the two before, or have taken `most` steps. Nonzero: failure, with the reason in
 * message. */
int bench_motion_reference(bench_motion *m, double T, long most);

/* An integrator at the start; NULL: failure, with the reason in message. */
lg_integrator *bench_motion_integrator(bench_motion *m, const char *method, const lg_retraction *retraction, double h);
/* |log(g^-1 end)| of a state's configuration, which may be a little off the group; NaN: it is far off, or the end is
 * not known. */
double bench_motion_error(const bench_motion *m, const double *g);
/* |H(g, xi) - H_0| relative to the scale, and the largest of |A (xi - Y)| and the distance of g from the group. */
double bench_motion_energy(const bench_motion *m, const double *y);
double bench_motion_constraint(const bench_motion *m, const double *y);

#endif
