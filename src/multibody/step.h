/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h: the numbers of a mechanism in motion on `real`, and one step of them. */
#ifndef LG_MULTIBODY_STEP_H
#define LG_MULTIBODY_STEP_H

#include "base/arena.h"
#include "multibody/coordinates.h"
#include "multibody/sparse.h"

/* A pose: centre of mass, quaternion x, y, z, w, and its matrix. */
typedef struct mb_pose {
    real r[3], q[4], R[9];
} mb_pose;

/* What is known at a node: poses, rows with the factor of their Gram matrix, phi, momenta in space. */
typedef struct mb_node {
    mb_pose *pose;         /* bodies and the world */
    mb_mobility *mobility; /* the same */
    mb_rows rows;
    real *factor;
    real *phi;   /* holonomic rows */
    mb_pair *p;  /* bodies: m r', and the spin about the centre of mass, in space */
    real *drift; /* rows: A xi = drift */
    real *q;     /* coordinates, angles unwound */
} mb_node;

/* l and the vector d along a spring, at one pose. */
KERNEL real mb_spring_length(const mb_spring *s, const mb_pose *pose, real *xa, real *xb, real *d)
{
    const mb_pose *a = &pose[s->a], *b = &pose[s->b];
    mb_turn_constant(xa, a->R, s->anchor_a);
    mb_turn_constant(xb, b->R, s->anchor_b);
    for (int k = 0; k < 3; k++) d[k] = (b->r[k] - a->r[k]) + (xb[k] - xa[k]);
    return root(mb_dot(d, d));
}

/* Unknowns of a step: velocities, the gauge's multipliers l, those of the holonomic rows mu. */
typedef struct mb_unknowns {
    mb_pair *xi; /* linear in space, angular in the body */
    real *l, *mu;
} mb_unknowns;

/* The three steps before, of one place in a composition. */
typedef struct mb_history {
    mb_unknowns past[3];
    int known;
    int stiff;    /* steps to come that begin with Newton's correction */
    double theta; /* contraction of the last iteration, in the worst lane */
} mb_history;

/* What Newton's correction needs besides. */
typedef struct mb_newton {
    real *factor, *x;
    mb_pair *before;      /* xi before the sweep */
    mb_mobility *inertia; /* `turn` alone: the inverse of the averaged pose's mobility */
} mb_newton;

typedef struct mb_motion mb_motion;
struct mb_motion {
    const mb_plan *plan;
    mb_node node[2]; /* the state, and the node that the step tries */
    int now;
    mb_rows mean; /* holonomic rows at the averaged pose, J^-1 too */
    real *mean_factor;
    mb_mobility *mean_mobility;
    mb_pose *mean_pose; /* r and R alone */
    mb_pair *slope;     /* two parts for each coordinate: its row at the averaged pose */
    real *control;      /* u, constant during a step */
    mb_unknowns x;
    mb_history *history; /* one a sub-step */
    mb_pair *minus, *plus, *force, *wrench, *twist;
    real *y;
    mb_newton newton;
    int rattle;    /* 1: the variational step (rattle.c); x.mu are lambda0 then */
    real *kick[2]; /* its multipliers lambda0 and lambda1 of the last step */
    /* wrenches of the caller's, added to `force` before each sweep; NULL: none. Nonzero: the callback failed */
    int (*ask)(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
    real *motor_work; /* of each control in the last step */
    real work;        /* of all that does work in the last step */
    real scale;       /* |h f|^2 in the metric, beside which corrections are small */
    int sweeps;
    int callback; /* what `ask` returned */
};

/* The rows that the plan keeps of the first `blocks` blocks, phi of holonomic ones, drift of the others; p0 and p1 are
 * the ends of an averaged pose. */
void mb_rows_evaluate(const mb_plan *plan, mb_pair *parts, real *phi, real *drift, const mb_pose *pose,
                      const mb_pose *p0, const mb_pose *p1, const real *q, int blocks);
/* The rows of the driven coordinates. */
void mb_slopes(const mb_plan *plan, mb_pair *slope, const mb_pose *pose, const mb_pose *p0, const mb_pose *p1);
/* Coordinates [from, to) of a node, angles on the branch nearest to near[]. */
void mb_coordinates(const mb_plan *plan, mb_node *n, const real *near, int from, int to);
/* R and the mobility of all bodies of a node from its quaternions. */
void mb_turn_bodies(const mb_plan *plan, mb_node *n);

/* Memory for `stages` sub-steps. */
void mb_motion_carve(mb_motion *m, lg_arena *a, const mb_plan *plan, int stages);
void mb_node_carve(mb_node *n, lg_arena *a, const mb_plan *plan);
/* Poses (centre of mass and quaternion, 7 a body) and the world's. */
void mb_node_load(const mb_plan *plan, mb_node *n, const double *pose);
/* Turns a pose by a small rotation vector in space. */
void mb_turn_pose(mb_pose *p, const real *turn);
/* All rows of a block of any plan over the same parts, with phi or drift. */
void mb_rows_of(const mb_plan *plan, const mb_block *k, mb_pair *row, real *value, const mb_node *n);
/* Rows, phi, drift and factor at a node whose poses and coordinates are known. `regular` is added to the diagonal of
 * the Gram matrix, relative to it. */
void mb_node_rows(const mb_plan *plan, mb_node *n, double regular);
/* R, the mobility and the coordinates of a node from its poses (r, q); angles on the branch nearest to near[]. */
void mb_node_place(const mb_plan *plan, mb_node *n, const real *near);
/* One step of Newton towards phi = 0 in the kinetic metric; x has room for the rows, wrench for bodies and world. */
void mb_close(const mb_plan *plan, mb_node *n, real *x, mb_pair *wrench);
/* p <- p - A^T C^-1 (A J^-1 p - drift), twice. */
void mb_settle(const mb_plan *plan, mb_node *n, real *x, mb_pair *twist);
/* One step of h from node[now]; the state becomes node[now ^ 1]. `force` are wrenches in space (without gravity) during
 * the step. Returns 0, or 1 and the state stays as it was. */
int mb_step(mb_motion *m, double h, int stage);
/* g1 = g0 cay(h xi) with x.xi, and the averaged pose. */
void mb_arc(mb_motion *m, const mb_node *n0, mb_node *n1, double h);
/* f <- the forces of the step: drives and springs between two nodes, with the averaged pose and slopes, and m->force.
 */
void mb_forces(mb_motion *m, mb_pair *f, const mb_node *n0, const mb_node *n1, double h);
/* sqrt(size/scale) in the worst lane; NaN if there is one. */
double mb_worst_lane(real size, real scale);
/* H = T + V at a node, and the larger of T and |V|. */
real mb_energy(const mb_plan *plan, const mb_node *n, real *size);

#endif
