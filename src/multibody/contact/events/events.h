/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h: contacts in the steps of gauss. Each has a mode for a part of a step, in which the motion is smooth:
 *
 *   open     no force; its gap stays positive
 *   slides   row_n xi' + bend_n = 0 with the force lambda_n (row_n - mu d row_t), d = u_t/|u_t|; lambda_n stays
 * positive sticks   row xi' + bend = 0 of all its rows; lambda_n stays positive and |lambda_t| <= mu lambda_n
 *
 * so that at every stage the forces follow from poses and velocities, as those of joints do. Dry friction of a joint
 * sticks with |lambda| <= bound, or slides with the force -bound d; a viscous contact slides with -c lambda_n u_t. What
 * stays positive is a margin: a part ends where the first of them is zero (search.c), and there modes are chosen anew
 * (modes.c). */
#ifndef LG_MULTIBODY_CONTACT_EVENTS_H
#define LG_MULTIBODY_CONTACT_EVENTS_H

#include "multibody/contact/sweeps.h"
#include "multibody/motion.h"

struct mb_stage_workspace;

typedef enum mb_event_mode { MB_EVENT_OPEN, MB_EVENT_SLIDES, MB_EVENT_STICKS } mb_event_mode;

/* Margins of a contact: the gap, or the normal force; and how far the force is inside the cone, or the speed of slip.
 */
enum { MB_MARGIN_NORMAL, MB_MARGIN_TANGENT, MB_MARGINS };

enum { MB_EVENT_CONTACTS = 64 };

/* Where rates are evaluated: at stages, or at a node, without the forces of contacts. */
typedef enum mb_event_place { MB_EVENT_STAGES, MB_EVENT_NODE, MB_EVENT_FREE } mb_event_place;

/* Arrays of a contact each; those of stages have the contacts of stage after stage, then of a node. */
typedef struct mb_events {
    mb_motion *motion;
    int count, stages;
    mb_event_place place;
    int *mode;
    int *asked;        /* of what an event has ended: the mode that follows, else -1 */
    double slow;       /* of the fastest: a slip below this speed ends with its part */
    int *straight;     /* 1: its slip has not turned in the last part */
    double *fall;      /* how fast the speed of its slip falls, at the node that was evaluated last */
    double *direction; /* two: of slip, where a part begins */
    double *heading;   /* two: at the stage that was evaluated last */
    double *turned;    /* of stages, two: that of friction in the last sweep */
    double *turn;      /* of stages: how much it has to turn */
    double *turns;     /* of stages, of each pair of contacts with three rows: what friction of the second one, turned
                        * by 1 rad, adds to the acceleration of the first one across its own friction */
    double *change;    /* a matrix of all stages of these */
    int *change_pivot;
    int tangents; /* contacts with three rows; tangent: their numbers among these */
    int *tangent;
    int swept;       /* 1: a sweep of the step has been made */
    double *begin;   /* three: forces of rows where a part begins, which are shared so as long as it lasts */
    double *first;   /* MB_MARGINS: where a part begins */
    double *last;    /* MB_MARGINS: where it ends */
    double *gap;     /* of stages: of what is open */
    double *u, *x;   /* of stages, three: velocities of rows and their forces */
    double *pull;    /* of stages, three: the force on b, in space; of a coordinate: along it */
    double *free;    /* rows: accelerations without forces of contacts */
    double force;    /* the scale of forces */
    double speed;    /* the fastest in the step so far, and what gravity makes in it */
    double searched; /* the length of the last trial */
    /* of rows that act at a stage or a node, W = row J^-1 Pi row^T */
    double *y, *W, *bend, *z, *matrix, *right, *room, *impulse, *solution;
    int *pivot;
    mb_pair *push;
} mb_events;

/* The function that a margin was found below zero of, by samples at s in a part: value at s, and before it. */
typedef struct mb_hit {
    int contact, margin; /* -1: none */
    int at_end;          /* 1: at the end of the part, and not before */
    double s, value, before_s, before;
} mb_hit;

/* For gauss with s stages; NULL while the arena is measured. */
mb_events *mb_events_carve(lg_arena *a, const mb_plan *plan, int s);

/* bends.c: phi'' of the gap while twists stay what they are, and what tangents change by, of rows that
 * mb_contact_rows() gives; at->twist is known. */
void mb_event_bends(const mb_plan *plan, const mb_contact *c, double *bend, const mb_pair *row, const mb_site *at);

/* rows.c: the shortest x with the least |M x - b| of E->matrix, n x n, and E->right, which both are lost; x goes into
 * that. Where more contacts hold a body than its freedoms need, forces are not unique: these are, and smooth. */
void mb_events_solve(mb_events *E, int n);
/* Rows of what acts at a node whose rows of joints are factored, W, and u = row.twist. */
void mb_events_rows(mb_events *E, const mb_node *n, const mb_pair *twist);
/* f <- the wrenches of impulses x of the rows that act, with what joints answer; z (rows of joints): less these. */
void mb_events_wrench(mb_events *E, const mb_node *n, const double *x, mb_pair *f, double *z);
/* Contact a of those that act: its first unknown force and their number, given the modes; unknowns of all. */
int mb_event_unknowns(const mb_events *E, int i);

/* turn.c: friction follows the directions of slip at all stages, as the velocities of a sweep are. */
void mb_events_turn(mb_events *E, struct mb_stage_workspace *o, const mb_stage_task *task);
/* E->heading at a stage; at a node that of the velocities of what acts. */
void mb_events_head(mb_events *E, int stage);
/* What the forces of a stage, which are known, change. */
void mb_events_turned(mb_events *E, int stage);

/* stage.c, besides mb_events_react() (equations.h): works and mean forces of contacts in the step of h that has been
 * solved, by the weights of its stages. */
void mb_events_account(mb_events *E, const double *weight, double h);
/* A step begins: nothing is known of its stages. */
static inline void mb_events_begin(mb_events *E)
{
    E->swept = 0;
}
/* 1: friction takes energy. */
int mb_events_dissipate(const mb_events *E);

/* settle.c: poses to where closed gaps are zero; momenta to where their rows have no velocity. 0: too far off. */
int mb_events_close(mb_events *E, mb_node *n);
void mb_events_settle(mb_events *E, mb_node *n);

/* margins.c: those of contact i at a stage, or at the node that was evaluated last; those that it has not are INFINITY.
 * d: the direction of its slip before, which follows. */
void mb_event_margins(const mb_events *E, int stage, int i, double *d, double *to);
/* 1: a function of the caller's has failed in the last trial or probe: mb_explain() says how. */
int mb_events_failed(const mb_sparse *mo);
/* E->last at a node at time t. 0: the caller's function failed. */
int mb_events_arrive(mb_sparse *mo, mb_node *n, double t);
/* The first margin that is below zero in a part of length s, which was made. */
mb_hit mb_events_look(const mb_sparse *mo, double s);
/* When the line through both samples of a hit is zero. */
double mb_event_foreseen(const mb_hit *hit);
/* What is zero but for rounding, of margin k of contact i. */
double mb_event_nothing(const mb_sparse *mo, int i, int k);

/* search.c: the part of `length` after which the first margin is zero; *hit is that in a part of this length, then the
 * one that ends the part. 0: it was not found. */
double mb_events_search(mb_sparse *mo, double length, mb_hit *hit);

/* modes.c: modes at the present node, after impacts and landings there; *events counts these. */
lg_status mb_events_choose(mb_sparse *mo, int *events);
/* Marks what an event of this kind ends. */
void mb_events_ask(mb_sparse *mo, const mb_hit *hit);

/* advance.c: a step of h. On failure the state is not what it was. */
lg_status mb_events_advance(mb_sparse *mo, double h);
/* Refuses contacts that have no events. */
lg_status mb_events_take(mb_sparse *mo, const lg_mechanism *m, const char *method);

#endif
