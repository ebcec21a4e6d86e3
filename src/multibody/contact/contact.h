/* SPDX-License-Identifier: BSD-3-Clause */
/* contact.h: what can touch, and what holds still by dry friction: relations between bodies that are no equations. Each
 * has a normal row, and where surfaces touch two tangential ones. The normal row at the averaged pose of a step is the
 * exact discrete derivative of the gap,
 *
 *   h row.xi = gap_1 - gap_0,
 *
 * so that the balance of energy holds for any impulse along it. They act in steps of sem, at width 1; events/ has those
 * of gauss. */
#ifndef LG_MULTIBODY_CONTACT_H
#define LG_MULTIBODY_CONTACT_H

#include <liegrp/multibody/contact.h>

#include "multibody/contact/solver/dense.h"
#include "multibody/contact/solver/solve.h"
#include "multibody/contact/solver/sparse.h"
#include "multibody/step.h"

typedef enum mb_contact_kind {
    MB_CONTACT_STOP,    /* of a coordinate: gap = side (q - limit) */
    MB_CONTACT_DRY,     /* dry friction of a coordinate, at most `bound`: it has no gap */
    MB_CONTACT_POINT,   /* a point of b, or a sphere about it, and a plane of a */
    MB_CONTACT_ROUND,   /* an ellipsoid or a torus of b, and a plane of a that does not turn */
    MB_CONTACT_SPHERES, /* two spheres */
    MB_CONTACT_LINE,    /* a sphere of b, and a line of a that does not turn: the third axis of its frame */
    MB_CONTACT_RIM,     /* the rim of a cylinder of b, and a plane of a */
    MB_CONTACT_RING,    /* the rim of a cylinder of a, and an edge of b, or the axis of what is round about it */
    MB_CONTACT_EDGES,   /* two edges that cross, or axes of what is round about them */
    MB_CONTACT_SHAPES,  /* two shapes where they are nearest (shapes/shape.h) */
    MB_CONTACT_EMPTY    /* room for a feature of two shapes, or for two shapes */
} mb_contact_kind;

typedef struct mb_contact {
    mb_contact_kind kind;
    int rows;              /* 1, or 3 with the tangents */
    int source;            /* the coordinate */
    int surface[2], wheel; /* -1: none */
    int body[2];
    int face; /* 1: the rim of a face, which acts unless it is nearly flat on the plane; -1: a point of it, which acts
               * instead; 0: neither */
    double side, limit, bound;
    double friction, restitution, viscous;
    double along;       /* friction along the heading over `friction`, which is that across; 1: there is no heading */
    int axle;           /* the axis of frame[1] that is across the heading; -1: the first axis is along it */
    double at[2][3];    /* a point of the plane or a centre, from each body's centre of mass, in its axes */
    double radius[2];   /* of spheres, of a tube */
    double frame[2][9]; /* of a plane: its tangents and its normal are the columns; of a round shape and others: its
                         * axes; of an edge: the third is along it */
    double half[3];     /* of a round shape, along its axes */
    const struct mb_shape *shape[2]; /* NULL: a ball about `at` */
    int room; /* of two shapes: how many contacts after this one are for features of theirs (features.c) */
} mb_contact;

enum { MB_FALLS_NONE = -1, MB_FALLS_NO_MORE = -2 }; /* of mb_contacts::falls */

enum {
    MB_CONTACT_PARTS = 6, /* parts of the rows of one contact */
    MB_CONTACT_ROWS = 3072,
    MB_BODY_ROWS = 60, /* rows that may act at once: MB_CONTACT_ROWS, or so many for each body */
    MB_DENSE_ROWS = 36 /* of a dense W */
};

/* What shapes may overlap by at a start and after a step, of the mechanism's size. */
#define MB_OVERLAP 1e-9

/* What of the change of a gap of shapes is below this, relative to the size, is rounding to their rows (shapes.c). */
#define MB_SHAPES_NOISE (32 * DBL_EPSILON)

/* Points of a contact at a pose: those of bodies a and b that touch, from the centres of mass, the normal at a and the
 * directions across it. */
typedef struct mb_meeting {
    real xa[3], xb[3], normal[3], across[2][3];
} mb_meeting;

/* Where rows are, with those of joints and the factor of their Gram matrix: the averaged pose, f = 1/2, or a node. */
typedef struct mb_place {
    mb_site site;
    const mb_mobility *mobility;
    const mb_pair *joints;
    const mb_symbolic *S;
    const real *factor;
    int blocks, rows;
    double f;
} mb_place;

/* A part of a step before a landing, in which only what is closed acts, and what settles. Of a trial only the gaps at
 * its end are of interest. */
typedef enum mb_landing { MB_LANDING_NONE, MB_LANDING_PART, MB_LANDING_TRIAL } mb_landing;

/* Normal rows of contacts that are paired, at a place, and the factor of their W (paired.c). */
typedef struct mb_pairs {
    mb_pair *row, *product;
    double *L;
} mb_pairs;

/* The contacts of a motion. Arrays of a contact each, or of three numbers for each, unless said otherwise. */
typedef struct mb_contacts {
    mb_contact *contact; /* the plan's, with features of shapes as they are at the last node */
    double *key;         /* of the feature of each, or of the pair in a slot (near.h), 0: none */
    int rooms, keyed;    /* 1: there is room for features; or for pairs */
    const int *number;   /* in an island: theirs in the motion; NULL: its own */
    int most;            /* contacts of the plan */
    int count;           /* contacts, with those of slots that are taken */
    int rows_most;
    int acting; /* those that act in the step; which: their numbers, ascending; row_of: their first rows */
    int rows;   /* of these */
    int *which, *row_of;
    int *acts, *rests;  /* rests: 1: it does not act in this step, whatever its gap */
    int *root, *marked; /* of a body: the smallest number in its component; 1: that takes part (components.c) */
    int *settles;       /* 1: it comes down slowly, and acts while a landing is looked for */
    double *gap0, *gap; /* at both nodes of the step */
    double *P, *R;      /* impulses in the step; scratch */
    double *push;       /* the impulse of a sub-step on b, in space; of a coordinate: along it */
    double *force;      /* those of the last whole step over its length */
    double length;      /* the step whose impulses P are */
    double whole;       /* of the whole step: rounding of a gap is divided by it */
    mb_landing landing;
    mb_ncp_effort effort;
    int refused;           /* 1: the impulses of a sweep or a node were not found, or something overlaps there */
    int overlaps;          /* the contact of two shapes that do; -1: none */
    int landed;            /* 1: what was open came down faster than the capture speed */
    double apex;           /* after this what an impact threw up turns, and comes back in the step; INFINITY: nothing */
    double work[LG_WORKS]; /* of impulses in the last step, by kinds */
    double *node;          /* rows of the plan: forces of joints while impulses act at nodes (reactions.c) */
    /* of the rows that act */
    mb_pair *row, *product;
    double *y, *W, *b, *u, *x, *v, *u0, *compression, *led;
    mb_ncp_contact *relation, *relation_of;
    /* paired.c: 1: all that act are rows of joints in this step */
    int paired;
    mb_pairs pairs[3]; /* at its beginning, at its end, and of the averaged pose, whose rows are `row` */
    double *kick;      /* at both nodes */
    mb_pair *depart;   /* of frames: what that at the first adds to their momenta */
    double *begin;     /* rows of the plan: forces of joints while it acts there */
    /* operator.c */
    mb_place place;
    mb_ncp_kernel *kernel;
    int set; /* the relations that it is set for */
    mb_ncp_dense dense;
    mb_ncp_sparse sparse;
    mb_ncp_body *body;
    mb_ncp_rows *joint, *side;
    int joints;
    mb_ncp_work work_of;
    int struck; /* 1: the last look for an impact found one */
    int falls;  /* the rim whose face comes down on its other side in this step, or none, or no more */
    /* options and counts */
    int law; /* an lg_impact_law */
    double capture;
    int localise, events_most, separate;
    double impacts, gained; /* since the start: their number, and what they added to H */
    /* near.c */
    const struct mb_near *near; /* NULL: no contact is a slot */
    struct mb_bound *bound;     /* of surfaces at the beginning of the step */
    int *order;                 /* of surfaces along an axis */
    double *found;              /* keys of pairs that are near */
    struct mb_contacts *all;    /* of an island: those of the motion; else these */
    const int *body_of;         /* of an island: its bodies in the motion */
    int strayed;                /* 1: a surface moved farther than was foreseen */
    int totals;                 /* numbers of `carry`: what rounding takes of the motion's works and of their sum */
    double *carry;
} mb_contacts;

/* The contacts of a motion of this plan, NULL while the arena is measured. */
mb_contacts *mb_contacts_carve(lg_arena *a, const mb_plan *plan);

/* rows.c: the gap at a node; the rows, body a's part first, at a node or at an averaged pose. */
#if LANES == 1 || defined LG_TANGENT
LG_ENGINE real mb_contact_gap(const mb_plan *plan, const mb_contact *c, const mb_node *n);
LG_ENGINE void mb_contact_rows(const mb_plan *plan, const mb_contact *c, mb_pair *row, const mb_site *at);
#endif

/* shapes.c: those of shapes, by their touch at poses: the pose is an averaged one between p0 and p1. */
double mb_shapes_gap(const mb_contact *c, const mb_pose *pose);
void mb_shapes_rows(const mb_contact *c, mb_meeting *k, mb_pair *row, const mb_site *at);

/* features.c: the features of shapes at a node take their rooms; a feature that was there stays where it was, with its
 * impulses. */
void mb_contacts_meet(mb_contacts *c, const mb_node *n);
/* Features of terrain under which the shapes i come in a step without having been over them take rooms, and act; how
 * many. */
int mb_features_join(mb_contacts *c, const mb_plan *plan, int i, const mb_node *n0, const mb_node *n1);
/* Contact i as it is at the node, with the feature that c->key says. */
mb_contact mb_contact_at(const mb_contacts *c, int i, const mb_node *n);
/* 1: contact i is of two shapes, and a feature of theirs is as near. */
int mb_contact_is_told(const mb_contacts *c, const mb_plan *plan, const double *gap, int i);

/* Of surfaces: the point of b that touches, or would first, and the normal from a to b, in space. */
void mb_contact_where(const mb_contact *c, const mb_node *n, double *point, double *normal);
/* 1: of a rim and points on it the others act, as the tilt at the node says. */
int mb_contact_rests(const mb_contact *c, const mb_node *n);

/* reading.c: the name of the surface or wheel of b (side 1), of the surface of a or "ground". */
const char *mb_contact_side(const lg_mechanism *m, const mb_contact *c, int side);

/* sweeps.c: the verbs of a step (step.c). */
void mb_contacts_begin(mb_motion *m, const mb_node *n0, double h);
void mb_contacts_place(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
void mb_contacts_push(mb_motion *m, double h);
/* Corrects the impulses, xi and mu after corrections of this size; returns that of its own, NaN if there is none. */
double mb_contacts_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double size);
/* paired.c: the verbs of a step whose contacts hold in both directions. 1: it may be such a step. */
int mb_pairs_begin(mb_motion *m, const mb_node *n0, double h);
void mb_pairs_depart(mb_motion *m);
/* In place of the correction of xi. */
double mb_pairs_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, double *scale);
/* 0: one of them pulls, or something else comes to act: it is no such step. */
int mb_pairs_hold(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* Their works become those of the step. */
void mb_contacts_account(mb_motion *m);

/* node.c: impulses at the end of a step, with the works of all; 1: they were not found. */
int mb_contacts_arrive(mb_motion *m, const mb_node *n0, mb_node *n1, double h);
/* An impact at the node, if something approaches faster than the capture speed. 1: it was not found. */
int mb_contacts_strike(mb_motion *m, mb_node *n, double whole);

#endif
