/* SPDX-License-Identifier: BSD-3-Clause */
/* sweeps.h: what contacts in a step and at a node have in common. */
#ifndef LG_MULTIBODY_CONTACT_SWEEPS_H
#define LG_MULTIBODY_CONTACT_SWEEPS_H

#include "multibody/contact/contact.h"

/* 1: it has a gap, which is closed but for rounding. */
int mb_is_closed(const mb_plan *plan, const mb_contact *c, double gap);
/* Those that act have places, in their order. 0: there is no room for all. */
int mb_contacts_list(mb_contacts *c);
/* components.c: 1: nothing but contacts couples bodies. */
int mb_is_free(const mb_plan *plan);
/* Components of free bodies by c->acts, in c->root; c->marked: 1 for those in which nothing acts. */
void mb_components_find(mb_contacts *c, const mb_plan *plan);
/* Marks the components of contact i. */
void mb_components_mark(mb_contacts *c, const mb_plan *plan, int i);
/* 1: those of contact i are marked. */
int mb_components_has(const mb_contacts *c, const mb_plan *plan, int i);
/* Rows of what acts, and these times the mobilities. */
void mb_contacts_rows(mb_motion *m, const mb_place *at);
/* operator.c: memory; the operator of what acts with its relations, of friction and without bounds above, and for the
 * first relations. 0: it has no room. */
void mb_contacts_operator_take(mb_contacts *c, lg_arena *a, const mb_plan *plan);
int mb_contacts_operator(mb_motion *m, const mb_place *at);
int mb_contacts_set(mb_motion *m, int relations);
/* c->W alone, of at most MB_DENSE_ROWS rows. */
void mb_contacts_matrix(mb_motion *m, const mb_place *at);
/* The averaged pose of the step, and a node. */
mb_place mb_place_between(const mb_motion *m, const mb_node *n0, const mb_node *n1);
mb_place mb_place_at(const mb_motion *m, const mb_node *n);
/* m->twist: the twists of all frames at the node. */
void mb_contacts_twists(mb_motion *m, const mb_node *n);
/* What overlaps at the end of the step, or comes to in its parts, acts. Returns how many began to. */
int mb_contacts_join(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* xi += s J^-1 of the wrenches m->wrench, at the averaged pose; returns |d xi|^2 in the metric. */
double mb_contacts_shift(mb_motion *m, double s);
/* faces.c: of the face that falls: how long it does so still, 0: it is there; 1: most of its tilt is gone after a part. */
double mb_face_falls(const mb_motion *m, const mb_node *n);
int mb_face_flattens(const mb_motion *m, const mb_node *n0, const mb_node *n1);
/* Points of a rim act in its place where the other side has come down too. 1: some do. */
int mb_faces_meet(const mb_motion *m, const mb_node *n);
/* The rim whose other side has come down first in a step, faster than the capture speed; -1: none. */
int mb_faces_strike(const mb_motion *m, const mb_node *n0, const mb_node *n1);
/* paired.c: memory; rows in a sweep; the end of the step. */
void mb_pairs_take(mb_contacts *c, lg_arena *a, const mb_plan *plan);
void mb_pairs_place(mb_motion *m, const mb_node *n0, const mb_node *n1);
void mb_pairs_arrive(mb_motion *m, const mb_node *n0, mb_node *n1, double h);
/* y = L^-1 A J^-1 of the wrenches m->wrench, which the rows A of joints take. */
void mb_contacts_answer(mb_motion *m, const mb_place *at);
/* f += s row^T x of what acts; three: x has three numbers for each contact, else one for each row. */
void mb_contacts_wrench(const mb_contacts *c, mb_pair *f, double s, const double *x, int three);
/* push += the impulses x of what acts. */
void mb_contacts_impulse(mb_contacts *c, const double *x, int three);
/* u = row.twist of what acts. */
void mb_contacts_velocities(const mb_contacts *c, double *u, const mb_pair *twist);
/* u = row.xi of what acts, in the step. */
void mb_contacts_step_velocities(mb_motion *m, double *u);
/* solve.c: x from b, W and the first relations; h = 0: an impact; change: of velocities, in a sweep. 0: not found. */
int mb_contacts_solve(mb_motion *m, int relations, double h, double change);
/* node.c: the rate of the gap at a node. */
double mb_contact_rate(mb_motion *m, const mb_contact *k, const mb_node *n);

#endif
