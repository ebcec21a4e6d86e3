/* SPDX-License-Identifier: BSD-3-Clause */
/* A motion that methods and other people's integrators compute: its system, its start, its true end, and how far off an
 * end is. */
#ifndef BENCH_MOTION_H
#define BENCH_MOTION_H

#include <liegrp/liegrp.h>

enum { BENCH_STATE = 32 }; /* numbers of (g, xi), at most */

typedef struct bench_motion {
    const char *label;
    lg_model *M;
    const lg_system *S;
    int element, dim;
    double y0[BENCH_STATE]; /* (g, xi) */
    double step;            /* what `liegrp run` takes: resolves the motion */
    double energy, scale;   /* at the start, and what errors of the energy are relative to */
    double T;
    double end[BENCH_STATE]; /* at T, where the reference got to */
    double uncertain;        /* how far the reference may be off */
    int known;               /* 0: too far to say anything, as after a long chaotic motion; errors are NaN */
    char reference[64];      /* what computed it */
    char message[LG_MESSAGE_SIZE];
} bench_motion;

/* A system of the catalog, or a definition of one's own (then `system` is only its label), with parameters NAME=VALUE;
 * NULL: the defaults. Nonzero: message says why; close it all the same. */
int bench_motion_open(bench_motion *m, const char *system, const lg_model_definition *own, const char *parameter,
                      double value);
void bench_motion_close(bench_motion *m);
/* Computes the end at T with sem@kahan-li8 (another method where that fails) at steps that are halved until two ends
 * differ by rounding, or no less than the two before, or have taken `most` steps. Nonzero: message says why. */
int bench_motion_reference(bench_motion *m, double T, long most);

/* An integrator at the start; NULL: message says why. */
lg_integrator *bench_motion_integrator(bench_motion *m, const char *method, const lg_retraction *retraction, double h);
/* |log(g^-1 end)| of a state's configuration, which may be a little off the group; NaN: it is far off, or the end is
 * not known. */
double bench_motion_error(const bench_motion *m, const double *g);
/* |H(g, xi) - H_0| relative to the scale, and the largest of |A (xi - Y)| and the distance of g from the group. */
double bench_motion_energy(const bench_motion *m, const double *y);
double bench_motion_constraint(const bench_motion *m, const double *y);

#endif
