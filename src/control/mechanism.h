/* SPDX-License-Identifier: BSD-3-Clause */
/* mechanism.h: what the files of an optimum of a mechanism share. */
#ifndef LG_CONTROL_MECHANISM_H
#define LG_CONTROL_MECHANISM_H

#include "control/optimum.h"
#include "multibody/course.h"

/* The frame and the state of node k. */
static inline double *lg_steer_frame(const lg_optimum *o, const lg_iterate *x, int k)
{
    return x->frame + sz(k) * mb_course_frame(o->course);
}

static inline double *lg_steer_node(const lg_optimum *o, const lg_iterate *x, int k)
{
    return x->g + sz(k) * sz(o->element);
}

/* Positions and velocities of node k, in scratch. */
lg_status lg_steer_read(lg_optimum *o, const lg_iterate *x, int k, const double **q, const double **v);
/* The course's step is step k of `now`; the last node has none, and stands for its own end. */
lg_status lg_steer_set(lg_optimum *o, int k);
/* mechanism_curve.c: lg_moves::curve. */
void lg_steer_curve(lg_optimum *o, int k);
/* mechanism_gait.c */
/* lg_moves::tangents. */
lg_status lg_steer_tangents(lg_optimum *o);
/* C_0 of the model of a motion that closes; end conditions that follow from others leave the model. */
lg_status lg_steer_close(lg_optimum *o);

#endif
