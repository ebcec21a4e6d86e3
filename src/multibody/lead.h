/* SPDX-License-Identifier: BSD-3-Clause */
/* lead.h: leaders, frames whose motion is given. A drive has one; the rows of rows/drive.h make a coordinate or a body
 * follow it. Frames are numbered bodies, the world, leaders: rows act on a leader as on a body that nothing moves. */
#ifndef LG_MULTIBODY_LEAD_H
#define LG_MULTIBODY_LEAD_H

#include "multibody/plan.h"

/* A leader at a time: its place and attitude, its twist and the derivative of that, in space. That of a coordinate is
 * at (q, 0, 0). */
typedef struct mb_led {
    double pose[7], twist[6], acceleration[6];
} mb_led;

/* Why a leader is nowhere. */
typedef enum mb_stray_kind {
    MB_STRAY_NONE,
    MB_STRAY_CODE,   /* the caller's function failed */
    MB_STRAY_FINITE, /* it gives a number that is not finite, or no unit quaternion */
    MB_STRAY_TABLE   /* the table has no such time */
} mb_stray_kind;

typedef struct mb_stray {
    mb_stray_kind kind;
    int drive, code; /* what the function returned */
    double t;
} mb_stray;

/* The leader of drive i at time t. 0; or 1, *why says why, and *to is not defined. */
int mb_lead(const mb_plan *plan, int i, double t, mb_led *to, mb_stray *why);
/* A time that all tables have, if there is one; 0 where they have that. */
double mb_first_time(const mb_plan *plan);
/* 1: all tables have time t. Otherwise *why says which does not. */
int mb_tables_have(const mb_plan *plan, double t, mb_stray *why);
int mb_has_tables(const mb_plan *plan);

#endif
