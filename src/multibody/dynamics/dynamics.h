/* SPDX-License-Identifier: BSD-3-Clause */
/* dynamics.h: a mechanism in the coordinates of its spanning tree, at one state. */
#ifndef LG_MULTIBODY_DYNAMICS_H
#define LG_MULTIBODY_DYNAMICS_H

#include <string.h>

#include <liegrp/multibody/dynamics.h>

#include "multibody/motion.h"

/* The motion that a coordinate's velocity gives to all that it carries: about an axis through a point, or along the
 * axis. The rates are those of this state's motion. */
typedef struct mb_screw {
    double axis[3], point[3], axis_rate[3], point_rate[3];
    int turns;
} mb_screw;

/* Bodies that move as one: mass, centre of mass, inertia about it (xx, yy, zz, xy, xz, yz), in space. */
typedef struct mb_composite {
    double mass, centre[3], inertia[6];
} mb_composite;

/* Limits of a position of a joint that closes a loop. */
typedef struct mb_loop_limit {
    mb_coordinate of;
    double lower, upper;
} mb_loop_limit;

enum { MB_PASSIVE_ALONG = 1, MB_PASSIVE_ANY = 2 }; /* along coordinates of the tree; others */

struct lg_dynamics {
    lg_error error;
    const lg_mechanism *m;
    mb_sparse *mo;           /* a motion that never steps: numbers of positions, frames, and the node of its rows */
    int n, bodies;           /* coordinates; bodies without rotors */
    int rotors;              /* of joints that close loops */
    int rows;                /* in tree coordinates, redundant ones too */
    int position_rows;       /* the first of them */
    int rank, position_rank; /* of all rows, and of those */
    int passive;             /* which springs, dampers and frictions there are: MB_PASSIVE_... */
    int node;                /* 1: the motion's node is at this state */
    double *q, *v;           /* the state */
    double *kept, *read;     /* 2 n: the state before, and one to be taken */
    int *first, *count;      /* of each body: the coordinates of its link */
    double *lower, *upper;   /* limits of coordinates */
    int limits;              /* of positions of joints that close loops: */
    mb_loop_limit *limit;
    double *solution;              /* 2 a row of the plan */
    double *armature;              /* of coordinates */
    double *along;                 /* a row along them */
    mb_screw *screw;               /* likewise */
    mb_pair *bend;                 /* of bodies: acceleration less that which the parent and the rates of v give */
    mb_pair *force, *acceleration; /* bodies and the world */
    struct mb_dense *dense;        /* motors.c; NULL: not asked for yet */
    mb_composite *composite;       /* bodies: of each with all that it carries */
};

/* The velocity of point p, carried by the coordinate, for v = 1. */
static inline void mb_screw_at(double *u, const mb_screw *s, const double *p)
{
    if (!s->turns) {
        memcpy(u, s->axis, sizeof s->axis);
        return;
    }
    const double x = p[0] - s->point[0], y = p[1] - s->point[1], z = p[2] - s->point[2], *e = s->axis;
    u[0] = e[1] * z - e[2] * y, u[1] = e[2] * x - e[0] * z, u[2] = e[0] * y - e[1] * x;
}

/* The rate of that, where p moves with velocity v. */
static inline void mb_screw_rate_at(double *u, const mb_screw *s, const double *p, const double *v)
{
    double x[3], y[3];
    if (!s->turns) {
        memcpy(u, s->axis_rate, sizeof s->axis_rate);
        return;
    }
    for (int k = 0; k < 3; k++) x[k] = p[k] - s->point[k], y[k] = v[k] - s->point_rate[k];
    small_cross(u, s->axis_rate, x);
    small_cross(x, s->axis, y);
    for (int k = 0; k < 3; k++) u[k] += x[k];
}

/* dynamics.c */

/* The arguments of a function: `given` NULL is refused. */
lg_status mb_dynamics_begin(lg_dynamics *d, const void *given, const char *who);
/* LG_ERROR_NOT_FINITE: one of the numbers that the caller gave is not; NULL: none were given. */
lg_status mb_dynamics_finite(lg_dynamics *d, const double *x, int count, const char *what, const char *who);
/* The coordinate of the tree that a force acts along; -1: another length. */
int mb_dynamics_along(const lg_dynamics *d, const mb_force *f);
/* Places all bodies by d->q and d->v; 0: a number is not finite. */
int mb_dynamics_place(lg_dynamics *d);
/* q (n) moves by small displacements x: rotation vectors are multiplied by theirs. */
void mb_dynamics_move(const lg_dynamics *d, double *q, const double *x);
/* The node of d->mo comes to this state: poses, coordinates, momenta, and the twists of its bodies. */
void mb_dynamics_node(lg_dynamics *d);

/* forward.c */

/* Takes the state, the controls and the wrench function of a motion: d->mo->wrenches become the accelerations of all
 * bodies (6 each: centre of mass, angular), rows and multipliers those of the node, slopes those of its forces. */
lg_status mb_observe(lg_dynamics *d, const mb_sparse *mo);
/* Refuses accelerations where contacts push. */
lg_status mb_dynamics_touches(lg_dynamics *d, const char *who);
/* The wrench on a body that the multipliers of a block are, of its part s. */
void mb_observed_reaction(const lg_dynamics *d, double *wrench, const mb_block *k, int s);

/* limits.c */

/* The most limits that joints that close loops may have. */
int mb_dynamics_limits_most(const lg_dynamics *d);
/* Fills d->lower, upper, limit and limits. */
void mb_dynamics_take_limits(lg_dynamics *d);
/* The position that limit i is of, where the node is at this state; an angle comes on the branch that is nearest to the
 * middle of its limits, or to the one that there is. */
double mb_loop_limit_value(const lg_dynamics *d, int i);
/* to (n) <- its derivative along the coordinates. */
void mb_loop_limit_row(lg_dynamics *d, double *to, int i);

/* inverse.c */

/* tau_i += the forces and torques about centres of mass f of bodies, along coordinate i. f is destroyed. */
void mb_dynamics_gather(const lg_dynamics *d, double *tau, mb_pair *f);
/* d->acceleration of all bodies and the world: of rates a (NULL: 0), and with `coupling` of the velocities. */
void mb_dynamics_accelerate(lg_dynamics *d, const double *a, int coupling);
/* f <- (m a, I alpha + w x I w) of bodies whose coordinates have rates a (NULL: 0); coupling: 0: as at rest. */
void mb_dynamics_inertia(lg_dynamics *d, mb_pair *f, const double *a, int coupling);

#endif
