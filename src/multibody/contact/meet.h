/* SPDX-License-Identifier: BSD-3-Clause */
/* meet.h: surfaces on their bodies, from which contacts are made. */
#ifndef LG_MULTIBODY_CONTACT_MEET_H
#define LG_MULTIBODY_CONTACT_MEET_H

#include "multibody/contact/contact.h"
#include "multibody/contact/touch.h"
#include "multibody/contact/shapes/manifold.h"
#include "multibody/mechanism.h"

/* A surface on its body: its frame from the centre of mass, in the body's axes. */
typedef struct mb_surface {
    int body;
    double at[3], frame[9];
    mb_shape shape; /* its polytope is made when something meets it */
} mb_surface;

/* parts/terrain.c: of a surface of any kind; its shape, when it is terrain. */
lg_status mb_check_terrain(lg_mechanism *m, const lg_surface *s);
lg_status mb_make_terrain(lg_mechanism *m, mb_surface *s, const lg_surface *from);

/* What a pair is about: its surfaces, in ascending order. */
typedef struct mb_surfaces {
    int first, second;
} mb_surfaces;

/* Of slots (near.h). 1: surfaces i < j, neither of them a plane, have contacts. */
int mb_pair_touches(const lg_mechanism *m, int i, int j);
/* Their contacts c, with the first where they are nearest, and room for features; those after it, up to `count` in all,
 * are empty. */
void mb_pair_contacts(const lg_mechanism *m, mb_contact *c, int i, int j, int count);

#endif
