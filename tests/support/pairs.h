/* SPDX-License-Identifier: BSD-3-Clause */
/** @file pairs.h
 *  Pairs of bodies in minimal coordinates, for the oracle: any joint or wheel carries the first, any joint the second.
 */
#ifndef TESTS_SUPPORT_PAIRS_H
#define TESTS_SUPPORT_PAIRS_H

#include <liegrp/multibody/mechanism.h>

#include "support/oracle.h"

/* A joint from the world or body 0 to body i, as frames on both. */
typedef struct link {
    lg_joint_kind kind;
    double on_parent[3], parent[9], on_child[3], child[9], length;
} pair_link;

/* A chain of two bodies; the first has a joint to the ground, or is a wheel on it. */
typedef struct pair {
    pair_link joint[2];
    double centre[2][3]; /* centres of mass in the bodies' frames */
    double mass[2], inertia[2][9];
    int wheels; /* 1: body 0 is a wheel instead of being joined to the world */
    lg_wheel wheel;
    double plane[9], wheel_frame[9]; /* the second axis of wheel_frame is the axle */
    double ratio, offset;            /* of a gear from joint 0 to joint 1; 0: none */
    double curve[3];                 /* and its powers 2, 3, 4 */
    double on_world[3], on_last[3];  /* ends of a spring */
    double stiffness, damping, rest; /* of it; the joints' ones are these divided by 3 and 5 */
    int rod;                         /* 1: a rod of that length instead of the spring */
    double effort;                   /* of a motor on each joint that takes one */
} pair;

/** Frames of both bodies. */
void pair_frames(const pair *p, const double *q, oracle_pose *frame);
/** 1: one position, on which springs, dampers and motors can act. */
int pair_scalar(lg_joint_kind kind);
/** The pair's equations; p must outlive them. */
oracle pair_oracle(const pair *p, const double *gravity);
/** The length of the spring or rod. */
double pair_length(const pair *p, const double *q);

#endif
