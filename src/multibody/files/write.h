/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: from a compiled mechanism to a file. write.c finds the tree, the numbers of positions and what is lost;
 * write_mjcf.c and write_urdf.c write the elements.
 *
 * The first failure stays in `status`; after it nothing is written. */
#ifndef LG_MULTIBODY_FILES_WRITE_H
#define LG_MULTIBODY_FILES_WRITE_H

#include <stdio.h>

#include <liegrp/multibody/file.h>

#include "multibody/files/place.h"
#include "multibody/parts/joint.h"

/* How a body hangs on the tree. */
typedef struct mb_branch {
    int joint;       /* -1: none, the body floats */
    int parent;      /* a body; the number of bodies is the world */
    int reverse;     /* 1: the joint's child is the parent here */
    int first, next; /* child and sibling; -1: none */
} mb_branch;

/* The numbers of a position of a joint, those of the joint, of its coordinates and of rotors of motors together. */
typedef struct mb_written {
    char *name;
    double q; /* as assembled */
    double stiffness, rest, damping, armature, lower, upper;
    double friction; /* dry */
    int stops;       /* 1: the limits are stops */
    double stop_restitution;
} mb_written;

/* A point of a body to which spring or tendon `of` is tied as its number says. */
typedef struct mb_site_of_tendon {
    const char *of;
    int number, body;
    double point[3];
} mb_site_of_tendon;

typedef struct mb_writer {
    lg_mechanism *m;
    FILE *out;
    lg_status status;
    const char *what; /* "MJCF" or "URDF" */
    const char *const *ignore;
    int bodies, joints;
    mb_branch *branch;    /* bodies, and the world */
    mb_place *place;      /* frames of bodies as assembled, and the world's */
    mb_written *position; /* MB_POSITIONS_MOST a joint */
    char *in_tree;        /* joints */
    int *gear, *motor;    /* of URDF: 1 + that of a joint; 0: none */
    int *first_thing; /* on body b (the world is the last): thing[first_thing[b]] ... thing[first_thing[b + 1] - 1] */
    int *thing;       /* shapes i that were given; sites: -1 - i */
    mb_site_of_tendon *site;
    int sites;
} mb_writer;

/* A hinge or a slide of a joint, in the frame of the tree's child as assembled. */
typedef struct mb_motion_of_child {
    int slides, position; /* of the joint */
    double axis[3], point[3];
} mb_motion_of_child;

/* ---- write.c ---- */

/* Writes what needs no escapes. */
void mb_put(mb_writer *w, const char *format, ...) LG_PRINTF(2, 3);
/* ` ATTRIBUTE="text"` with a suffix; a text that XML cannot hold is refused. */
void mb_put_text(mb_writer *w, const char *attribute, const char *text, const char *suffix);
/* ` ATTRIBUTE="1 2 3"`, to the last bit. */
void mb_put_numbers(mb_writer *w, const char *attribute, const double *x, int count);
/* One number, unless it is `otherwise`. */
void mb_put_number(mb_writer *w, const char *attribute, double x, double otherwise);
/* Spaces at the beginning of an element. */
void mb_put_indent(mb_writer *w, int depth);
/* Fails. */
void mb_write_fails(mb_writer *w, lg_status status, const char *format, ...) LG_PRINTF(3, 4);
/* Something is not the same in the file: a remark, and a comment at its end. */
void mb_say(mb_writer *w, const char *format, ...) LG_PRINTF(2, 3);
/* The format cannot say this: refused, unless the caller ignores `word`. */
void mb_lose(mb_writer *w, const char *word, const char *format, ...) LG_PRINTF(3, 4);

/* The hinge or slide of the tree that a motor or a gear names; NULL: it is another position. */
const mb_written *mb_written_named(const mb_writer *w, int *joint, const char *name);
/* The hinges and slides of the tree's joint of body b, from the parent on; their number. */
int mb_motions_of_child(const mb_writer *w, mb_motion_of_child *to, int b);
/* Where joint j is on body b, in its frame; of the world in space. */
void mb_point_on(const mb_writer *w, double *point, int j, int child);
/* The next body of a walk in depth, from `bodies`, the world, before the first; -1: no more. *depth follows; *closed:
 * how many elements end before it. */
int mb_walk_on(const mb_writer *w, int b, int *depth, int *closed);

/* ---- write_things.c ---- */

/* Sorts shapes and sites by their bodies. */
void mb_take_things(mb_writer *w);
/* Can MJCF say this tendon? */
int mb_tendon_fits(const mb_writer *w, const lg_tendon *t);
/* <tendon>: springs and tendons. */
void mb_put_tendons(mb_writer *w);

void mb_write_mjcf(mb_writer *w);
void mb_write_urdf(mb_writer *w);

#endif
