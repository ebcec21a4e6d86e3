/* SPDX-License-Identifier: BSD-3-Clause */
/* convergence.h: convergence of the sweeps, lane by lane, and lanes that wait for others. */
#ifndef LG_MULTIBODY_CONVERGENCE_H
#define LG_MULTIBODY_CONVERGENCE_H

#include "multibody/step.h"

enum { MB_SWEEPS_MOST = 300 };

/* Convergence of the sweeps of one lane. */
typedef struct mb_convergence {
    double last, best; /* the last correction, and the last that was clearly smaller than all before */
    double theta;      /* contraction */
    double floor;      /* corrections below which a standstill is rounding */
    int idle;          /* sweeps since the best */
    int slow;          /* sweeps in turn that hardly contract far from the end */
    int lost;          /* 1: done is -1, and the corrections grew */
    int done;          /* 1: converged, 2: stagnated at round-off, -1: diverged */
} mb_convergence;

/* Sweeps from a guess whose contraction is theta. */
LG_ENGINE void mb_convergence_begin(mb_convergence *convergence, real theta);
/* After a sweep whose correction was e, which is `moved` of what is rounding of poses. Sweeps have converged when the
 * corrections to come, e theta + e theta^2 + ..., are below the rounding, or when they stand still at its floor.
 * `least` is the contraction that they are trusted to have at best. */
LG_ENGINE void mb_judge(mb_convergence *p, double e, double moved, int sweep, double least);
/* The lanes whose `done` is `how`; 0: whose `done` is not 0. */
LG_ENGINE mask mb_done(const mb_convergence *convergence, int how);
/* Where lanes are done, `to` becomes `from`. */
LG_ENGINE void mb_choose(mask done, real *to, const real *from, int count);
/* Lanes that are done repeat their last sweep while others continue: restores its input. */
LG_ENGINE void mb_hold(mb_motion *m, mask done);

#endif
