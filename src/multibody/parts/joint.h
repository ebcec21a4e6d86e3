/* SPDX-License-Identifier: BSD-3-Clause */
/* joint.h: what there is to know about a kind of joint. */
#ifndef LG_MULTIBODY_PARTS_JOINT_H
#define LG_MULTIBODY_PARTS_JOINT_H

#include "multibody/mechanism.h"

typedef struct mb_position {
    mb_position_kind kind;
    int axis;                       /* or component; the rotation vector's are last */
    const char *unit, *rate, *what; /* of columns */
} mb_position;

/* The look: nothing, arms from the centres of mass, and at their end a pin or a ball; a bar between both points.
 */
typedef enum mb_look { MB_LOOK_NOTHING, MB_LOOK_ARMS, MB_LOOK_PIN, MB_LOOK_BALL, MB_LOOK_BAR } mb_look;

typedef struct mb_joint_kind {
    const char *name;
    struct {
        int translational, axis[3], rotational, pair[3][2];
    } rows; /* as in mb_joint (docs/theory.md section 17) */
    int positions;
    const mb_position *position[6];
    int distance; /* 1: its row is that of a distance instead */
    mb_look look;
} mb_joint_kind;

/* By lg_joint_kind. */
extern const mb_joint_kind mb_joint_kinds[];

/* Of joint j. */
static inline const mb_joint_kind *mb_joint_facts(const lg_mechanism *m, int j)
{
    return &mb_joint_kinds[MB_JOINT_OF(m, j)->kind];
}

/* names.c: the position that a name has, number i of joint j; NULL: none. */
const mb_position *mb_position_named(const lg_mechanism *m, int *j, int *i, const char *name);

static inline int mb_joint_row_count(const mb_joint_kind *k)
{
    return k->rows.translational + k->rows.rotational;
}

/* The position that is the angle about the axis, which is unwound; -1: none. */
static inline int mb_joint_angle(const mb_joint_kind *k)
{
    for (int i = 0; i < k->positions; i++)
        if (k->position[i]->kind == MB_TURNS && k->position[i]->axis == 2) return i;
    return -1;
}

#endif
