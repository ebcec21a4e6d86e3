/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.h: how sweeps go, lane by lane, and lanes that wait for others. */
#ifndef LG_MULTIBODY_PACE_H
#define LG_MULTIBODY_PACE_H

#include "multibody/step.h"

enum { MB_SWEEPS_MOST = 300 };

/* How the sweeps of one lane go. */
typedef struct mb_pace {
    double last, best; /* the last correction, and the last that was clearly better than all before */
    double theta;      /* contraction */
    double floor;      /* corrections below which a standstill is rounding */
    int idle;          /* sweeps since the best */
    int slow;          /* sweeps in turn that hardly contract far from the end */
    int lost;          /* 1: done is -1, and the sweeps ran away */
    int done;          /* 1: converged, 2: at a standstill at the floor of rounding, -1: they lead nowhere */
} mb_pace;

/* Sweeps from a guess whose contraction is theta. */
LG_ENGINE void mb_pace_begin(mb_pace *pace, real theta);
/* After a sweep whose correction was e, which is `moved` of what is rounding of poses. Sweeps have converged when the
 * corrections to come, e theta + e theta^2 + ..., are below the rounding, or when they stand still at its floor.
 * `least` is the contraction that they are trusted to have at best. */
LG_ENGINE void mb_judge(mb_pace *p, double e, double moved, int sweep, double least);
/* The lanes that are done with this; 0: with anything. */
LG_ENGINE mask mb_done(const mb_pace *pace, int how);
/* Where lanes are done, `to` becomes `from`. */
LG_ENGINE void mb_choose(mask done, real *to, const real *from, int count);
/* Lanes that are done make their last sweep again while others go on: what it begins with comes back. */
LG_ENGINE void mb_hold(mb_motion *m, mask done);

#endif
