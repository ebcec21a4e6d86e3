/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h: the numbers of a mechanism in motion on `real`, and one step of them. They are compiled once for each vector
 * width, as one translation unit (width.c); geometry and masses are those of all lanes. */
#ifndef LG_MULTIBODY_STEP_H
#define LG_MULTIBODY_STEP_H

#include "base/arena.h"
#include "integrators/engine/width.h"
#include "multibody/rows/coordinate.h"
#include "multibody/lead.h"
#include "multibody/spans.h"
#include "multibody/sparse.h"

/* A node: poses, rows with the factor of their Gram matrix, phi, momenta in space. */
typedef struct mb_node {
    mb_pose *pose;         /* bodies, the world, leaders */
    mb_mobility *mobility; /* the same */
    mb_rows rows;
    real *factor;
    real *phi;      /* holonomic rows */
    mb_pair *p;     /* bodies: m r', and the spin about the centre of mass, in space; the world: without meaning */
    real *drift;    /* rows: A xi = drift */
    real *q;        /* coordinates, angles unwound */
    mb_pair *given; /* twists of the world and the leaders, then the derivatives of these */
} mb_node;

/* Unknowns of a step: velocities, the gauge's multipliers l, those of the holonomic rows mu. */
typedef struct mb_unknowns {
    mb_pair *xi; /* linear in space, angular in the body */
    real *l, *mu;
} mb_unknowns;

/* I^-1 of body b applied in its axes. */
KERNEL void mb_inverse_inertia(const mb_plan *plan, int b, real *w, const real *p)
{
    const double *I = plan->inverse_inertia + 9 * b;
    const real x = p[0], y = p[1], z = p[2];
    for (int k = 0; k < 3; k++) w[k] = I[3 * k] * x + I[3 * k + 1] * y + I[3 * k + 2] * z;
}

enum { MB_PAST = 5 };

/* The last steps, of one place in a composition, and the one that they replaced: a step can be taken back. */
typedef struct mb_history {
    mb_unknowns past[MB_PAST + 1];
    real known; /* how many of them there are */
    real theta; /* contraction of the last sweeps */
    real stiff; /* steps to come that begin with Newton's correction */
} mb_history;

enum { MB_MIXED = 4 };

/* Anderson's acceleration (mixing.c), at width 1. */
typedef struct mb_mixing {
    int count;                /* sweeps remembered */
    mb_pair *before;          /* xi before the sweep */
    mb_unknowns last;         /* after the last one */
    mb_pair *f;               /* last.xi - before */
    mb_unknowns dF[MB_MIXED]; /* what the last sweeps changed `last` by */
    mb_pair *df[MB_MIXED];    /* and `f` */
} mb_mixing;

/* What Newton's correction needs besides, at width 1. */
typedef struct mb_correction {
    real *factor, *x;
    mb_mobility *inertia; /* `turn` alone: the inverse of the averaged pose's mobility */
} mb_correction;

typedef struct mb_motion mb_motion;
struct mb_motion {
    const mb_plan *plan;
    mb_node node[2]; /* the state, and the node that the step tries */
    int now;
    mb_rows mean; /* holonomic rows at the averaged pose, J^-1 too */
    real *mean_factor;
    mb_mobility *mean_mobility;
    mb_pose *mean_pose; /* r and R alone */
    mb_pair *led;       /* velocities of the world and the leaders in the step */
    mb_pair *slope;     /* two parts for each coordinate: its row at the averaged pose */
    real *control;      /* u, constant during a step */
    real *input;        /* what forces take of it: the same numbers, or what activations make of it in the step */
    real *act;          /* of each control, if there are activations: its activation at a time, and that time */
    mb_unknowns x;
    mb_unknowns held;    /* of lanes: what the sweep began with */
    mb_history *history; /* one a sub-step */
    mb_pair *minus, *plus, *force, *wrench, *twist;
    real *y;
    mb_correction newton;
    char *limit; /* of each control, at width 1: an mb_limit, and the force of its servo (limits.h) */
    real *servo;
    int decided;   /* 1: these count */
    int undecided; /* of a step that failed: 1 + the servo that comes to its limit and off it again */
    mb_mixing mixing;
    int rattle;     /* 1: the variational step (rattle.c); x.mu are lambda0 then */
    real *kick[2];  /* its multipliers lambda0 and lambda1 of the last step */
    real *reaction; /* MB_REACTION a block of mb_room(): the means over a whole step, sub-step by sub-step */
    real *owed;     /* rows: what is still to be added at its last node */
    real summed;    /* 1: they are those of the last step; 0: it had one sub-step, which still has to be added */
    /* user-supplied wrenches, added to `force` before each sweep; NULL: none. Nonzero: the callback failed */
    int (*ask)(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
    real *choice;       /* which rows the plan keeps (mb_choice_numbers); of no length where none is redundant */
    real *motor_work;   /* of each control, drive and kind in the last step */
    real work;          /* of all that does work in the last step */
    real scale;         /* |h f|^2 in the metric, the scale of corrections */
    real velocity_jump; /* of the velocities in the last step; only if the plan closes loops */
    double span;        /* |h| of the whole step of which this is a stage */
    real abrupt;        /* > 1: velocities changed so much that the step is looked at near a singular configuration */
    real extrapolated;  /* number of steps through which they had been extrapolated */
    real sweeps;
    struct mb_contacts *contacts;       /* NULL: nothing touches, or it is wide (contact/contact.h) */
    struct mb_collocation *collocation; /* NULL: another method (collocation.c) */
    int callback;                       /* what `ask` returned */
    double t;                           /* where the step begins; only leaders and activations ask for it */
    mb_stray stray;                     /* of a step that failed: the leader that is nowhere */
    int lost; /* of a step that failed: 1: its sweeps ran away, and the poses they tried say nothing */
};

/* Memory for vectors. */
static inline void *mb_take(lg_arena *a, size_t bytes)
{
    lg_align(a);
    return lg_take(a, bytes);
}

#define MB_TAKE(a, type, count) ((type *)mb_take(a, (size_t)(count) * sizeof(type)))

/* Of mb_motion::choice: 1 if the rows are not those as compiled; for each row the reciprocal pivot beyond which the
 * choice is looked at; 1 or 0 for each row of plan->whole. */
enum { MB_CHOICE_OTHER, MB_CHOICE_LIMITS };

static inline int mb_choice_rows(const mb_plan *plan)
{
    return MB_CHOICE_LIMITS + plan->rows;
}

static inline int mb_choice_numbers(const mb_plan *plan)
{
    return plan->whole != NULL ? mb_choice_rows(plan) + plan->whole->rows : 0;
}

/* The rows that the plan keeps of the first `blocks` blocks, phi of holonomic ones, drift of the others; n0 and n1 are
 * the ends of an averaged pose. */
LG_ENGINE void mb_rows_evaluate(const mb_plan *plan, mb_pair *parts, real *phi, real *drift, const mb_pose *pose,
                                const mb_node *n0, const mb_node *n1, int blocks);
/* A' xi - drift' of the rows that the plan keeps, where bodies and the world move with these twists. */
LG_ENGINE void mb_curvature(const mb_plan *plan, real *bend, const mb_node *n, const mb_pair *twist);
/* The rows of the driven coordinates, likewise. */
LG_ENGINE void mb_slopes(const mb_plan *plan, mb_pair *slope, const mb_pose *pose, const mb_node *n0,
                         const mb_node *n1);
/* Coordinates [from, to) of a node, angles on the branch nearest to near[]. */
LG_ENGINE void mb_coordinates(const mb_plan *plan, mb_node *n, const real *near, int from, int to);
/* R and the mobility of all bodies of a node from its quaternions. */
LG_ENGINE void mb_turn_bodies(const mb_plan *plan, mb_node *n);

/* The leaders of a node at time t, of lane l alone if l >= 0. 0; or 1, *why says why, and the node is not what it was.
 */
LG_ENGINE int mb_node_lead(const mb_plan *plan, mb_node *n, double t, int l, mb_stray *why);
/* Twists, or others, of frames that nothing moves: to[] is of all frames, from[] of the world and the leaders; NULL: 0.
 */
KERNEL void mb_ground_twists(const mb_plan *plan, mb_pair *to, const mb_pair *from)
{
    for (int i = 0; i < plan->grounds; i++)
        for (int k = 0; k < 6; k++) to[plan->bodies + i].v[k] = from != NULL ? from[i].v[k] : splat(0);
}

/* Memory for `stages` sub-steps. */
LG_ENGINE void mb_motion_carve(mb_motion *m, lg_arena *a, const mb_plan *plan, int stages);
LG_ENGINE void mb_node_carve(mb_node *n, lg_arena *a, const mb_plan *plan);
/* All that is known at a node, the world aside. */
LG_ENGINE void mb_node_copy(const mb_plan *plan, mb_node *to, const mb_node *from);
/* Work, or a power, of a kind counts in the sum of all, and among works[] (NULL: not wanted) in that of its kind. */
KERNEL void mb_add_work(const mb_plan *plan, real *all, real *works, lg_work kind, real own)
{
    *all = *all + own;
    if (works != NULL) works[mb_kind_at(plan, kind)] = works[mb_kind_at(plan, kind)] + own;
}

/* What is done in a step. */
KERNEL void mb_did(mb_motion *m, lg_work kind, real work)
{
    mb_add_work(m->plan, &m->work, m->motor_work, kind, work);
}

/* Totals since the start. */
typedef struct mb_totals {
    real *work, *motor_work; /* that of all, and of each control, drive and kind */
    real *scale;             /* of the energies' terms */
    real *pivot, *jumped;    /* as in mb_sparse */
} mb_totals;
/* All numbers of the motion: first the `*state` spans from which a step continues bit for bit once the node is placed
 * and its rows are evaluated, then those that can be read besides. Returns the number of spans. */
LG_ENGINE int mb_spans(mb_motion *m, int stages, mb_totals totals, mb_span *span, int *state);
/* history.c: extrapolates the unknowns through the last steps; first guesses are J^-1 p0, of the lanes that have no
 * other. */
LG_ENGINE void mb_guess(mb_motion *m, const mb_history *s);
LG_ENGINE void mb_first_guess(mb_motion *m, const mb_node *n0, mask first);
LG_ENGINE void mb_remember(mb_motion *m, mb_history *s);
/* Velocities in the metric that are rounding of poses. */
LG_ENGINE double mb_jitter(const mb_plan *plan, double h);
/* How far the velocities of a step are from those extrapolated, relative to them and to what forces can do. */
LG_ENGINE real mb_velocity_jump(const mb_motion *m, const mb_history *s, const mb_node *n0, double h);
/* How far velocities are apart, whatever the masses, relative to the largest of both nodes. */
LG_ENGINE real mb_velocities_apart(const mb_plan *plan, const mb_node *n0, const mb_node *n1);
/* How abruptly velocities change, whatever the masses: 1 is what a motion that is resolved may do. */
LG_ENGINE real mb_abruptness(const mb_motion *m, const mb_history *s, const mb_node *n0, const mb_node *n1, double h);
/* Takes back what mb_step() remembered; `known` and `theta` are those before. */
LG_ENGINE void mb_unremember(mb_history *s, real known, real theta);
/* A pose of 7 numbers, centre of mass and quaternion, in all lanes; the world's; those of all bodies and the world's.
 */
LG_ENGINE void mb_pose_load(mb_pose *p, const double *pose);
LG_ENGINE void mb_world_load(mb_pose *p);
LG_ENGINE void mb_node_load(const mb_plan *plan, mb_node *n, const double *pose);
/* Turns a pose by a small rotation vector in space. */
LG_ENGINE void mb_turn_pose(mb_pose *p, const real *turn);
/* All rows of a block of any plan over the same parts, with phi or drift. */
LG_ENGINE void mb_rows_of(const mb_plan *plan, const mb_block *k, mb_pair *row, real *value, const mb_node *n);
/* Rows, phi, drift and Gram matrix at a node whose poses and coordinates are known. */
LG_ENGINE void mb_node_gram(const mb_plan *plan, mb_node *n);
/* Rows, phi, drift and factor at a node whose poses and coordinates are known. `regular` is added to the diagonal of
 * the Gram matrix, relative to it. */
LG_ENGINE void mb_node_rows(const mb_plan *plan, mb_node *n, double regular);
/* R, the mobility and the coordinates of a node from its poses (r, q); angles on the branch nearest to near[]. */
LG_ENGINE void mb_node_place(const mb_plan *plan, mb_node *n, const real *near);
/* One step of Newton towards phi = 0 in the kinetic metric; x has room for the rows, wrench for bodies and world. */
LG_ENGINE void mb_close(const mb_plan *plan, mb_node *n, real *x, mb_pair *wrench);
/* mb_close() with another factor: of the holonomic rows alone, or of a node near by. */
LG_ENGINE void mb_close_with(const mb_plan *plan, const mb_symbolic *S, const real *factor, mb_node *n, real *x,
                             mb_pair *wrench);
/* p <- p - A^T C^-1 (A J^-1 p - drift), twice. */
LG_ENGINE void mb_settle(const mb_plan *plan, mb_node *n, real *x, mb_pair *twist);
/* One step of h from node[now]; the state becomes node[now ^ 1]. `force` are wrenches in space (without gravity) during
 * the step. Returns 0, or 1 and the state stays as it was. */
LG_ENGINE int mb_step(mb_motion *m, double h, int stage);
/* reactions.c: m->reaction begins at zero; those of the sub-step that was made are added, times `weight`; after the
 * last one they are whole. */
LG_ENGINE void mb_reactions_begin(mb_motion *m, int summed);
LG_ENGINE void mb_reactions_add(mb_motion *m, double weight);
LG_ENGINE void mb_reactions_end(mb_motion *m);
/* g1 = g0 cay(h xi) with x.xi, and the averaged pose. */
LG_ENGINE void mb_arc(mb_motion *m, const mb_node *n0, mb_node *n1, double h);
/* forces/forces.c. f <- the forces of the step: those between two nodes, with the averaged pose and slopes, gravity and
 * m->force. */
LG_ENGINE void mb_forces(mb_motion *m, mb_pair *f, const mb_node *n0, const mb_node *n1, double h);
/* mb_did() of what forces without a potential do, and m->motor_work. motors: 1: only held forces of motors, whose work
 * both nodes tell. */
LG_ENGINE void mb_forces_work(mb_motion *m, const mb_node *n0, const mb_node *n1, double h, int motors);
/* Forces at a node whose bodies move with these twists, those of the world too; NULL: at rest. `slope` becomes the rows
 * of the driven coordinates. Returns the power of what has no potential, held forces of motors aside; powers[] (NULL:
 * not wanted) become those of the motors, and those of kinds grow by what is returned. */
LG_ENGINE real mb_node_forces(const mb_plan *plan, mb_pair *f, const mb_node *n, const mb_pair *twist, mb_pair *slope,
                              const real *control, real *powers);
/* T at a node. */
LG_ENGINE real mb_kinetic(const mb_plan *plan, const mb_node *n);
/* H = T + V at a node, and the larger of T and |V|. */
LG_ENGINE real mb_energy(const mb_plan *plan, const mb_node *n, real *size);

#endif
