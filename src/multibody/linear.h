/* SPDX-License-Identifier: BSD-3-Clause */
/* linear.h: what linearisation works with. */
#ifndef LG_MULTIBODY_LINEAR_H
#define LG_MULTIBODY_LINEAR_H

#include "multibody/motion.h"

#define MB_LINEAR_FINE                                                                                                 \
    0.0015 /* how far displacements go in steps that are chained: radians, and parts of the reach                      \
            */

typedef struct mb_linear {
    mb_sparse *mo, *copy;        /* the state, and where displaced ones are written */
    int n;                       /* 6 a body */
    int count[2];                /* freedoms of positions and of velocities */
    int steps;                   /* 1: the derivative of a step */
    double small;                /* how far displacements go: radians, and parts of the reach */
    const double *spin;          /* of the axes; NULL: at rest */
    const struct mb_linear *end; /* the state after the step, on whose basis the result is; NULL: on that of `mo` */
    char *memory;
    const char *who;
    double *basis[2];     /* rows of n numbers */
    double *candidate[2]; /* n x n */
    double *first;        /* 2 n: the present twists are the second half */
    double *z, *sum, *to; /* 2 n: a deviation, its derivative, a value */
    double *from;         /* 2 n: twists at the displaced state */
    double *tangent;      /* n: the derivative of the twists */
    double *low;          /* n: the same, of lower order */
    double *x;            /* 2 a row */
    double *read;         /* joint positions and velocities, twice */
    double *now;          /* those of the present state */
    double *near;         /* of the copy's coordinates, if it is not a copy of the motion: what is next to them */
    int other;            /* 1: it is not, but the motion of another mechanism */
    double *control;      /* by how much each control is changed */
    mb_pose *after;       /* poses after the step */
    struct mb_held *held; /* contacts that the step holds, `contacts` of them (contact/held.h) */
    int contacts;
    char *room; /* of mb_linear_exact_bytes(), kept from call to call; NULL: taken anew each time */
} mb_linear;

/* linearise.c */

/* Memory of all arrays; n, count, mo and copy are set. */
void mb_linear_carve(mb_linear *L, lg_arena *a);
/* The copy keeps the rows that the motion's next step does: the choice is no smooth function of the state. */
void mb_linear_copy_choice(mb_linear *L);
/* The copy's state <- that of the motion displaced by s z, projected. */
lg_status mb_linear_place(mb_linear *L, const double *z, double s);
/* The copy makes a step from its state, which is read. */
lg_status mb_linear_advance(mb_linear *L);
/* to <- the copy's state: r and the rotation from L->after, and the twists. */
void mb_linear_read(mb_linear *L);
/* The matrices that are not NULL, by differences. */
lg_status mb_linear_difference(mb_linear *L, double *A, double *B, double *C);
/* The control's limits, two numbers, beyond which a force does not follow it. */
void mb_control_limits(const mb_plan *plan, int j, double *limit);
/* A, B (may be NULL) and h (may be NULL) of the step that the copy has made from the motion's state. */
lg_status mb_linear_step(mb_linear *L, double *A, double *B, double *h);

/* Refuses motions that have no derivative, and with contacts those that `touches` does not allow. */
lg_status mb_linear_refuse(mb_sparse *mo, const char *who, int touches);
/* Takes the copy of L->mo and all memory. */
lg_status mb_linear_open(mb_linear *L);
/* Frees them. */
void mb_linear_close(mb_linear *L);
/* A copy of the motion at its state, that displaced states can be written into. */
lg_status mb_linear_copy(mb_linear *L);
/* The copy makes the step; L->after <- its poses. */
lg_status mb_linear_step_copy(mb_linear *L);
/* A and B from the derivative of the step that led to `after`, if it has one: what mb_linear_exact() returns. */
int mb_linear_exactly(mb_linear *L, mb_sparse *after, double *A, double *B);
/* The derivative of a step with respect to its length. */
lg_status mb_linear_length(mb_linear *L, double *column_of_h);
/* Column i of a matrix with `columns` from L->sum, on the basis of the state or of the one after the step. */
void mb_linear_column(const mb_linear *L, double *M, int i, int columns);

/* tangent.c */

/* y = J x of n numbers in space, at the present state. */
void mb_linear_metric(const mb_linear *L, double *y, const double *x);
/* Both bases at the present state; the copy's memory serves for the factor of the holonomic rows. */
lg_status mb_linear_bases(mb_linear *L);

/* acceleration.c */

/* The largest rotation or part of the reach in n numbers. */
double mb_linear_size(const mb_linear *L, const double *v);
/* Velocity and angular velocity in space of all bodies at a node. */
void mb_linear_twists(const mb_linear *L, double *xi, const mb_node *n);
/* to <- (xi, a) at the copy's state. */
lg_status mb_linear_accelerate(mb_linear *L);

/* contact/linear.c */

/* The copy's contacts have the options of the motion, and all bodies make a step together. */
void mb_linear_touch(mb_linear *L);
/* L->held <- the contacts that the step to `after` holds. Errors are those of mb_held_find(), and LG_ERROR_MEMORY. */
lg_status mb_linear_hold(mb_linear *L, const mb_sparse *after);
/* The step that the copy has made holds the same ones. LG_ERROR_SINGULAR: others; and errors of mb_held_find(). */
lg_status mb_linear_holds(mb_linear *L);
/* Fails for a step with contacts of which mb_linear_exact() returned `exact`: it is not differenced. */
lg_status mb_linear_unheld(mb_linear *L, int exact);

/* exact.c */

/* Memory that the next function needs for a motion; 0: it has no such form. */
size_t mb_linear_exact_bytes(const mb_linear *L, const mb_sparse *after);
/* The derivative of the step that led to `after` with respect to the basis of L->mo and the controls: 2 n numbers for
 * each, a deviation in space. 1, and *deviations is memory that lg_release() takes unless it is L->room; 0: the step
 * has no such form, its sweeps do not contract, or memory is out; -1: impulses of its contacts are not unique. */
int mb_linear_exact(const mb_linear *L, mb_sparse *after, double **deviations);

#endif
