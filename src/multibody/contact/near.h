/* SPDX-License-Identifier: BSD-3-Clause */
/* near.h: pairs of surfaces that are near each other. A mechanism with many pairs has no contacts for each of them, but
 * slots at the end of its list: a contact, and room for features. At the beginning of a step those pairs take them that
 * may come to touch in it, in the order of their surfaces; a pair that stays keeps its features and impulses. A surface
 * that moves farther in the step than was foreseen makes it be repeated, so that no pair is missed. */
#ifndef LG_MULTIBODY_CONTACT_NEAR_H
#define LG_MULTIBODY_CONTACT_NEAR_H

#include "multibody/contact/contact.h"
#include "multibody/contact/meet.h"
#include "multibody/motion.h"

/* Which contacts are slots, and the surfaces that take them: all but planes and terrain. */
typedef struct mb_near {
    const lg_mechanism *m;
    int first, stride, slots; /* the first one's contact; contacts of each; their number */
    int surfaces;
    int *surface;  /* body by body */
    int *first_of; /* those of body b: surface[first_of[b]] to surface[first_of[b + 1] - 1]; the world is the last */
} mb_near;

/* Where a surface was at the beginning of a step: in the box x - half, x + half. */
typedef struct mb_bound {
    double x[3], half[3];
    double margin; /* no point of it moves farther in the step */
    double way;    /* but one has moved so far */
} mb_bound;

/* The most repetitions of a step with greater margins. */
enum { MB_NEAR_MOST = 12 };

/* Of a mechanism with so many pairs, each with at most `room` features; NULL: out of memory. For free(). */
mb_near *mb_near_make(lg_mechanism *m, int64_t pairs, int room, int rows);

/* Memory of the contacts of a motion. */
void mb_near_carve(mb_contacts *c, lg_arena *a, const mb_plan *plan);
/* How many contacts there are, as the keys of slots say. */
int mb_near_count(const mb_contacts *c);
/* The pairs that may touch in a step of h from the node take the slots; again: margins are at least twice the ways of
 * the step that was tried. LG_ERROR_CONVERGENCE: there are too few slots. */
lg_status mb_near_begin(mb_sparse *mo, const mb_node *n, double h, int again);
/* Notes surfaces that have moved farther than their margins, in c->all->strayed. */
void mb_near_watch(const mb_plan *plan, mb_contacts *c, const mb_node *n);
/* Contact i of a slot that is taken, by the key of the slot, features without their places. */
mb_contact mb_near_contact(const mb_contacts *c, int i);

#endif
