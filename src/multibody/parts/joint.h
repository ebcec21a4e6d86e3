/* SPDX-License-Identifier: BSD-3-Clause */
/* joint.h: what there is to know about a kind of joint. */
#ifndef LG_MULTIBODY_PARTS_JOINT_H
#define LG_MULTIBODY_PARTS_JOINT_H

#include "multibody/mechanism.h"
#include "multibody/parts/part.h"

typedef struct mb_position {
    mb_position_kind kind;
    int axis;                       /* or component; the rotation vector's are last */
    const char *unit, *rate, *what; /* of columns */
} mb_position;

/* The look: nothing, arms from the centres of mass, and at their end a pin or a ball; a pin on
 * each body; a bar between both points. */
typedef enum mb_look { MB_LOOK_NOTHING, MB_LOOK_ARMS, MB_LOOK_PIN, MB_LOOK_PINS, MB_LOOK_BALL, MB_LOOK_BAR } mb_look;

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

/* Position i of a joint, and how many there are. */
const mb_position *mb_position_of(const lg_joint *j, int i);
static inline int mb_position_count(const lg_joint *j)
{
    return j->kind == LG_JOINT_COMPOSED ? (int)j->motions : mb_joint_kinds[j->kind].positions;
}

/* names.c: the position that a name has, number i of joint j; NULL: none. */
const mb_position *mb_position_named(const lg_mechanism *m, int *j, int *i, const char *name);

static inline int mb_joint_row_count(const lg_joint *j)
{
    const mb_joint_kind *k = &mb_joint_kinds[j->kind];
    return j->kind == LG_JOINT_COMPOSED ? 6 - (int)j->motions : k->rows.translational + k->rows.rotational;
}

/* The position that is the angle about the axis, which is unwound; -1: none. Those of composed joints all are. */
static inline int mb_joint_angle(const lg_joint *j)
{
    const mb_joint_kind *k = &mb_joint_kinds[j->kind];
    for (int i = 0; i < k->positions; i++)
        if (k->position[i]->kind == MB_TURNS && k->position[i]->axis == 2) return i;
    return -1;
}

/* chain.c: refuses motions that are none; joint i of m takes its motions and its frames on both bodies. */
lg_status mb_check_motions(lg_mechanism *m, const lg_joint *j);
lg_status mb_take_motions(lg_mechanism *m, int i, const mb_placed *a, const mb_placed *b);
/* Writes what a checkpoint compares of them. */
void mb_describe_motions(lg_lines *l, const mb_chain *chain);
/* The composed joint whose motions are nearest to depend on each other at these coordinates of the plan, -1: there is
 * none; *pivot: what one of them has besides those before it, relative to all of it, 1: nothing is near. */
int mb_locked_joint(double *pivot, const lg_mechanism *m, const double *q);

#endif
