/* SPDX-License-Identifier: BSD-3-Clause */
/** @file composed.h
 *  Mechanisms with composed joints, and their twins with light bodies between the motions. */
#ifndef TESTS_SUPPORT_COMPOSED_H
#define TESTS_SUPPORT_COMPOSED_H

#include "support/mechanisms.h"

enum { COMPOSED_MOST = 2 * LG_JOINT_MOTIONS /**< positions */ };

/** Random motions of a joint, whose screws are well apart where all positions are 0 and near there. */
void composed_motions(lg_joint *joint, int motions, lg_rng *rng);
/** Adds the joint; between > 0: its motions NAME_1, NAME_2 and so on as joints with bodies of this mass between. */
void composed_add(lg_mechanism *m, const lg_joint *joint, double between);
/** Parts besides, where motion i of a joint is NAME, mark, i. */
typedef void (*composed_parts)(lg_mechanism *m, const char *mark, int motions);
/** The world, a composed joint "first" of so many motions, the body "one", and a composed joint "second" of two or
 *  three, described from the body "two" to "one", each as composed_add(); compiled. parts: NULL: none. */
lg_mechanism *composed_pair(int motions, lg_rng *rng, double between, composed_parts parts);
/** A random state, positions within half a radian or metre. */
void composed_state(double *q, double *v, const lg_mechanism *m, lg_rng *rng);

#endif
