/* SPDX-License-Identifier: BSD-3-Clause */
/* course.h: steps of a mechanism, with their derivatives, from states that the caller keeps, such as the nodes of an
 * optimum (control/mechanism.c). A step does not allocate.
 *
 * A state x is an array: poses (centre of mass and quaternion) of all bodies, their twists in space, coordinates. Near
 * x are the states that displace it by a deviation z = Z y in space (linearise.h), projected onto the rows; the frame
 * of x holds Z and J Z, each k vectors of n numbers. How far another state is from x is y = (J Z)^T z. */
#ifndef LG_MULTIBODY_COURSE_H
#define LG_MULTIBODY_COURSE_H

#include "multibody/linear.h"

typedef struct mb_course {
    lg_error error;
    size_t bytes;
    mb_sparse *base, *copy, *end; /* the state, where displaced ones are and steps are made, where steps should end */
    mb_linear at, to;             /* of `base`; of `end`, which has no copy */
    int warm;                     /* 1: the last step of the copy is near the next one */
    int k, positions, state;      /* numbers of y; of joint positions; of x */
    const double *frame;          /* of the state that mb_course_set() was given */
    double *z, *x;                /* scratch: 2 n; a state */
} mb_course;

/* For steps of a method of mechanisms. On failure *e says why.
 *  - LG_ERROR_UNSUPPORTED: a step has no derivative, such as one with contacts, or depends on time. */
lg_status mb_course_create(mb_course **o, const lg_mechanism *m, const char *method, double h, lg_error *e);
void mb_course_destroy(mb_course *o);
size_t mb_course_bytes(const mb_course *o);
/* Numbers of a frame. */
static inline size_t mb_course_frame(const mb_course *o)
{
    return 2 * sz(o->k) * sz(o->at.n);
}

/* Below, errors are in o->error. x <- joint positions and velocities (NULL: as assembled; at rest), as
 * lg_motion_start_joints() takes them. */
lg_status mb_course_start(mb_course *o, double *x, const double *q, const double *v, int project);
/* q and v (each may be NULL) of x. */
lg_status mb_course_read(mb_course *o, double *q, double *v, const double *x);
/* The frame of x. */
lg_status mb_course_look(mb_course *o, double *frame, const double *x);
/* C: joint positions and velocities of x change by C y, 2 positions x k. */
lg_status mb_course_reading(mb_course *o, double *C, const double *x, const double *frame);
/* to <- x displaced by y. */
lg_status mb_course_displace(mb_course *o, double *to, const double *x, const double *frame, const double *y);
/* y <- how far `other` is from x. */
void mb_course_difference(mb_course *o, double *y, const double *other, const double *x, const double *frame);

/* The step from x with controls u, which begins at t; its end is measured from x1. NULL: that one is not needed. */
lg_status mb_course_set(mb_course *o, const double *x, const double *frame, const double *u, double t, double h,
                        const double *x1, const double *frame1);
/* x1 <- the state after it. */
lg_status mb_course_step(mb_course *o, double *x1);
/* Its derivatives: y1 = A y + B u' + H h'; H may be NULL. */
lg_status mb_course_linearise(mb_course *o, double *A, double *B, double *H);
/* What mb_course_value() sums up; each NULL: 0. */
typedef struct mb_course_weights {
    const double *after;   /* 2 n: times how far the step ends from x1, in space; NULL: there is no step */
    const double *before;  /* 2 n: times how far it begins from x */
    const double *reading; /* 2 positions: times joint positions and velocities where it begins */
} mb_course_weights;
/* *value <- that of the step from x displaced by y, with controls u, and by `longer` longer. */
lg_status mb_course_value(mb_course *o, double *value, const double *y, const double *u, double longer,
                          const mb_course_weights *weights);
/* w, 2 n numbers <- the covector on z that is c on y, in the frame of a state; or c from w. */
void mb_course_spread(const mb_course *o, double *w, const double *c, const double *frame);
void mb_course_gather(const mb_course *o, double *c, const double *w, const double *frame);

#endif
