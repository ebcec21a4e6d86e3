/* SPDX-License-Identifier: BSD-3-Clause */
/* islands.h: steps of free bodies, island by island. Bodies of an island are connected by closed contacts; nothing else
 * connects them. Each island makes a step with impacts of its own, and those that come to touch make it again together:
 * an impact re-steps only what it touches. */
#ifndef LG_MULTIBODY_CONTACT_ISLANDS_H
#define LG_MULTIBODY_CONTACT_ISLANDS_H

#include "multibody/contact/landing.h"
#include "multibody/motion.h"

/* What an impact of an island did at a contact. */
typedef struct mb_struck {
    double t;
    int body; /* of the island */
    lg_impact impact;
} mb_struck;

/* Arrays are of bodies, or of contacts. */
struct mb_islands {
    mb_sparse one; /* the motion of one island; its plan has the bodies of that */
    double *mass, *weight, *inertia, *inverse_inertia;
    int *number; /* of a contact of the island, among those of the motion */
    int *root;   /* the island: a body of it, of smaller number, or itself; the last one is the smallest */
    int *member, *next_member;     /* the bodies of an island, ascending, from its smallest: lists that end in -1 */
    int *touching, *next_touching; /* and its contacts */
    int *place, *body;             /* of a body in its island; of the body that makes its step, in the motion */
    int *due;                      /* 1: the island of this smallest body has a step to make */
    double *work, *gained;         /* of an island: by kinds, and what impacts added */
    double *impulse;               /* of contacts before the step, as mb_contacts_save() leaves them */
    mb_struck *struck;
    int strikes, strikes_most;
    int present; /* the island that makes its step */
    int tells;   /* 1: the caller is told of impacts */
};

/* NULL: the mechanism couples its bodies, or it is the size that is measured. */
mb_islands *mb_islands_carve(lg_arena *a, const mb_sparse *mo);
/* A step of h, as mb_contacts_advance(). */
lg_status mb_islands_advance(mb_sparse *mo, double h);
/* landing.c: a step of h of all bodies together. */
lg_status mb_contacts_advance_all(mb_sparse *mo, double h);

#endif
