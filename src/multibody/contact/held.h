/* SPDX-License-Identifier: BSD-3-Clause */
/* held.h: contacts that are held through a step: closed at both of its nodes and under load, with tangents that do one
 * thing all the time. A step all of whose contacts are held, or open at both nodes, has a derivative, in which each
 * relation of a contact is an equation; any other step has an event in it. */
#ifndef LG_MULTIBODY_CONTACT_HELD_H
#define LG_MULTIBODY_CONTACT_HELD_H

#include "multibody/contact/contact.h"

/* What the tangents of a contact do, in a step or at its end; of dry friction its only row. P are impulses, u
 * velocities of rows; at the end of the step the impulses of the relation are P + Q, and those of MB_GRIP_GIVEN Q. */
typedef enum mb_grip {
    MB_GRIP_NONE,    /* there are none */
    MB_GRIP_STICKS,  /* u_t = 0 */
    MB_GRIP_SLIPS,   /* |u_t| P_t + mu P_n u_t = 0 */
    MB_GRIP_VISCOUS, /* P_t + c P_n u_t = 0 */
    MB_GRIP_GIVEN    /* P_t stays what it is */
} mb_grip;

/* A contact with its impulses in the step, P, and at its end, Q. */
typedef struct mb_held {
    const mb_contact *contact;
    mb_grip step, node;
    double P[3], Q[3];
} mb_held;

struct mb_sparse;
/* Those of the step that led to `after` from the state of `before`: *count of them, at most as many as contacts.
 *  - LG_ERROR_SINGULAR: there is an event in it; before->head.error names the contact.
 *  - LG_ERROR_UNSUPPORTED: a contact has no such derivative. */
lg_status mb_held_find(struct mb_sparse *before, const struct mb_sparse *after, mb_held *held, int *count,
                       const char *who);
/* 1: both do the same. */
int mb_held_alike(const mb_held *a, int a_count, const mb_held *b, int b_count);

#endif
