/* SPDX-License-Identifier: BSD-3-Clause */
/* path.h: inequalities c >= 0 at the nodes of an optimum. Each has a slack s > 0 with c - s = 0 and a multiplier z with
 * z s = mu. Newton's corrections are eliminated into the stage of the model, with w = (coordinates of the node, h, u):
 *
 *     ds = c - s + J dw + delta dz,     s dz + z ds = mu - s z,
 *     H += J' D J,     g -= J' (z + D (mu/z - c)),     D = 1/(s/z + delta).
 *
 * Without delta D has no bound, and its rounding would be the multipliers' error; as dz goes to 0, delta changes no
 * solution, and a small one hardly changes the corrections. An infinite slack marks an inequality that does not hold at
 * its node. */
#ifndef LG_CONTROL_PATH_H
#define LG_CONTROL_PATH_H

#include <liegrp/control/optimum.h>

#include "base/arena.h"
#include "base/message.h"

/* sign (x[number] - level) >= 0, with x = (g, p). */
typedef struct lg_path_bound {
    int number;
    double level, sign;
} lg_path_bound;

/* A ball on a body, whose centre is `point` in the body's axes, from its centre of mass. */
typedef struct lg_path_ball {
    int body;
    double point[3], radius;
    lg_obstacle obstacle;
    double place[3], size[3];
} lg_path_ball;

/* Below, m is the number of inequalities of a node. */
typedef struct lg_path {
    int count; /* m = own + balls + bounds, in this order */
    int own, balls, bounds;
    int exact; /* 1: the callback gives derivatives */
    lg_path_fn call;
    const void *context;
    lg_path_ball *ball;
    lg_path_bound *bound;
    double *scale;         /* m: by how much it changes where the node's coordinates change by their scales */
    double *z, *lack;      /* (N + 1) x m: multipliers; c - s in the model */
    double *by, *change;   /* (N + 1) x m: Newton's corrections of slacks and multipliers */
    double *weight, *next; /* (N + 1) x m: D; the multiplier that follows where the node does not move */
    double soft;           /* delta in scales; 0 where multipliers are not corrected */
    double *jacobian;      /* (N + 1) x m x w */
    double *slope;         /* (N + 1) x w: gradient of the cost - J' z */
    double *kept;          /* (N + 1) x w: q and r of the model, while they are others */
    double *own_jacobian;  /* scratch: own x (2 n + c) */
    double *table, *move;  /* scratch: 8 m; 3 w */
} lg_path;

struct lg_iterate;
/* path.c: counts, before there is memory; memory; numbers. */
lg_status lg_path_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e);
void lg_path_carve(lg_optimum *o, lg_arena *a);
lg_status lg_path_fill(lg_optimum *o, const lg_optimum_problem *p, lg_error *e);
/* Values at node k of x. */
lg_status lg_path_values(lg_optimum *o, const struct lg_iterate *x, int k, double *values);
/* Values where (y, h, u) of node k of `now` are displaced by `by`, w numbers. */
lg_status lg_path_displaced(lg_optimum *o, int k, const double *by, double *values);
/* The jacobian of a ball's value with respect to coordinates y of node k of `now`. */
void lg_path_ball_slope(const lg_optimum *o, const lg_path_ball *ball, int k, double *row);
/* The problem's own inequalities at a node, for the function `who`; jacobian may be NULL. */
lg_status lg_path_own(lg_optimum *o, const char *who, const lg_cost_call *call, double *values, double *jacobian);
/* What inequality i is called. */
void lg_path_name(const lg_optimum *o, int i, char *text, size_t size);

/* path_model.c: derivatives at `now`; scales; second derivatives of -z'c, added to the curvature; those of the user
 * against differences. */
lg_status lg_path_linearise(lg_optimum *o);
void lg_path_rescale(lg_optimum *o);
void lg_path_curve(lg_optimum *o);
lg_status lg_path_check(lg_optimum *o, int k, double tolerance);

/* path_search.c. Forgets slacks; values, and what they add to the square of the violation; the first slacks, and which
 * inequalities hold at the ends. */
void lg_path_forget(lg_optimum *o);
lg_status lg_path_evaluate(lg_optimum *o, struct lg_iterate *x);
lg_status lg_path_begin(lg_optimum *o);
/* z = mu/s. */
void lg_path_center(lg_optimum *o);
/* Adds to the model; to that of the shortest correction; corrections of slacks from the model's solution. */
void lg_path_assemble(lg_optimum *o);
void lg_path_assemble_shortest(lg_optimum *o);
void lg_path_directions(lg_optimum *o);
/* What the slope of cost and barrier is besides q'x + r'u. */
double lg_path_slope(const lg_optimum *o);
/* The second-order correction of a trial of this length begins; ends. */
void lg_path_correct(lg_optimum *o, double length);
void lg_path_restore(lg_optimum *o);
/* path.slope. */
void lg_path_slopes(const lg_optimum *o);
/* The largest |c - s| in scales. */
double lg_path_error(const lg_optimum *o);
/* The most violated inequality and its node, and by how much. */
double lg_path_worst(const lg_optimum *o, int *inequality, int *node);

#endif
