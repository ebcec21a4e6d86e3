/* SPDX-License-Identifier: BSD-3-Clause */
/* mjcf.h: the parts of the MJCF reader. */
#ifndef LG_MULTIBODY_FILES_MJCF_H
#define LG_MULTIBODY_FILES_MJCF_H

#include "multibody/files/reader.h"

typedef struct mj_reader {
    mb_reader *r;
    double unit;   /* of angles, rad */
    char euler[4]; /* the convention, by its name in lg_so3_from_euler() */
    int autolimits;
    int unnamed_line, unnamed; /* constraints without a name so far in this line */
} mj_reader;

/* ---- mjcf_values.c ---- */

/* Gives an element the attributes of its class that it lacks; `childclass` (NULL: none) is that of the bodies around.
 */
void mj_inherit(mj_reader *o, mb_element *e, const char *childclass);
/* Marks the defaults of elements that are read: unknown ones are reported where they are used. */
void mj_pass_defaults(mj_reader *o);
/* 1: a range of the element holds: the attribute `name` is "true", or "auto" and there is a range. */
int mj_is_limited(mj_reader *o, mb_element *e, const char *name, int range);
/* pos and one of quat, axisangle, euler, xyaxes, zaxis. */
mb_place mj_place(mj_reader *o, mb_element *e);
/* "base" and a number, kept as long as the document. */
const char *mj_name(mj_reader *o, const char *base, int number);

/* ---- mjcf_joints.c ---- */

/* The joint or joints of a body, as one joint to its parent. */
void mj_joints(mj_reader *o, mb_element *body, int link, int parent, const char *childclass);

/* ---- shapes.c ---- */

/* The geoms of a body or of the world (link -1), after mb_emit(). */
void mj_read_geoms(mj_reader *o, mb_element *parent, int link);

#endif
