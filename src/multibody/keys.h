/* SPDX-License-Identifier: BSD-3-Clause */
/* keys.h: named starts of a file. One block without pointers, so that a copy is a copy of its bytes. */
#ifndef LG_MULTIBODY_KEYS_H
#define LG_MULTIBODY_KEYS_H

#include <stddef.h>

#include "multibody/mechanism.h"

/* A joint of the file, in its order. Of a ball the numbers are a quaternion w, x, y, z and the angular velocity in the
 * child's axes; of a free joint a position before that, and the velocity of the origin in the parent's. */
typedef struct mb_keyed {
    lg_joint_kind kind; /* revolute, prismatic, spherical or free */
    int joint;          /* of the mechanism; -1: it has no such joint */
    int position;       /* of a revolute or prismatic one */
    double attitude[4]; /* x, y, z, w at assembly, which turns velocities where the positions are not given */
} mb_keyed;

/* Numbers of the file: positions, then velocities, controls and activations; those that it does not give have no room.
 */
typedef struct mb_key {
    size_t name, refusal; /* texts, by their place in the block; refusal 0: none */
    size_t number;        /* the first */
    double time;
    int positions, velocities, controls, activations;
} mb_key;

typedef struct mb_keys {
    size_t bytes; /* of the block */
    int count, joints, controls;
    size_t keyed, control; /* mb_keyed of `joints`; int of `controls`, the control of each actuator of the file or -1,
                            * and behind them the place of each activation of the file among those of the mechanism */
    mb_key key[];
} mb_keys;

static inline const void *mb_in_keys(const mb_keys *k, size_t place)
{
    return (const char *)k + place;
}

/* As many positions, or velocities, as the file gives for a joint. */
static inline int mb_keyed_count(const mb_keyed *j, int velocity)
{
    const int turns = velocity ? 3 : 4;
    return j->kind == LG_JOINT_FREE ? 3 + turns : j->kind == LG_JOINT_SPHERICAL ? turns : 1;
}

/* Fills positions and velocities that key i gives, where first[joint] (-1: it closes a loop) says; controls, and
 * activations in the order of controls, that it does not give are what they are. 0: a quaternion is 0. */
int mb_key_write(const mb_keys *k, int i, double *q, double *v, double *u, double *act, const int *first);

#endif
