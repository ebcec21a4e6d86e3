/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of an optimum, shared by its files. One block, divided by carve() in optimum.c, and an integrator with its
 * linearisation, or a course of a mechanism. What differs between them is a table, lg_moves.
 *
 * Of a system, coordinates near node k are (eta, dp) for (g_k exp(eta), p_k + dp). The defect is (log(x_{k+1}^-1
 * step(x_k)), difference of momenta). Its rows are multiplied by the left Jacobian of the logarithm, so that the model
 * of a stage is dx_{k+1} = Ad_w (A dx_k + B du_k + F dh) + d with w = g_{k+1}^-1 step(g_k), without approximation. Of a
 * mechanism they are y on the frame of the node (multibody/course.h). */
#ifndef LG_CONTROL_OPTIMUM_H
#define LG_CONTROL_OPTIMUM_H

#include <liegrp/control/optimum.h>

#include "control/path.h"
#include "control/riccati.h"
#include "integrators/collocation/controls.h"
#include "integrators/integrator.h"
#include "integrators/linearisation/linearisation.h"

/* Nodes, controls and step, with what they are worth. Of a mechanism g are states of a course, and there is no p. */
typedef struct lg_iterate {
    double *g, *p, *u, h;
    double *parameter;    /* free ones */
    double *frame;        /* of a mechanism's nodes */
    double *defect, *end; /* N x k, one per end condition */
    double *path, *slack; /* (N + 1) x m, inequalities (path.h) */
    double violation;     /* length of all defects and end conditions, each relative to its scale */
    double cost;
} lg_iterate;

enum { LG_FILTER_SIZE = 256 };

/* Pairs (violation, cost with barrier) that a trial must not be worse than in both numbers. */
typedef struct lg_filter {
    int count;
    double most; /* violations beyond it are refused */
    double violation[LG_FILTER_SIZE], cost[LG_FILTER_SIZE];
} lg_filter;

/* What systems (point.c, model.c) and mechanisms (mechanism.c) do each in their own way. Functions return LG_OK, or a
 * status with o->error set. */
typedef struct lg_moves {
    /* Node k of `to` <- that of `now`, displaced by `length` times the model's solution. */
    lg_status (*displace)(lg_optimum *o, lg_iterate *to, int k, double length);
    /* All nodes, before steps are made from them. */
    lg_status (*settle)(lg_optimum *o, lg_iterate *x);
    /* Defect k, which counts in the violation. */
    lg_status (*step)(lg_optimum *o, lg_iterate *x, int k);
    /* Node k + 1 <- the end of step k. */
    lg_status (*follow)(lg_optimum *o, lg_iterate *x, int k);
    /* End conditions, which count in the violation. */
    lg_status (*end)(lg_optimum *o, lg_iterate *x);
    /* Configuration and momentum, or positions and velocities, of node k as a cost sees them. */
    lg_status (*read)(lg_optimum *o, const lg_iterate *x, int k, const double **g, const double **p);
    /* Gradient and Hessian of a cost with respect to these and to u <- those with respect to a node's coordinates. */
    lg_status (*pull)(lg_optimum *o, const lg_iterate *x, int k, double *gradient, double *hessian);
    /* A, B, d of stage k of the model at `now`; C and e. */
    lg_status (*stage)(lg_optimum *o, int k);
    lg_status (*target)(lg_optimum *o);
    /* Second derivatives of step k, weighted by costates; k = N: of the end conditions. */
    void (*curve)(lg_optimum *o, int k);
    /* Scales of a node's coordinates, from the model. */
    lg_status (*rescale)(lg_optimum *o);
    /* Costates of the nodes of `from` become those of `now`. */
    void (*carry)(lg_optimum *o, const lg_iterate *from);
    /* E of the model, where the start is free. */
    lg_status (*tangents)(lg_optimum *o);
    /* What a coordinate of a node, or an end condition, is called. */
    void (*name)(const lg_optimum *o, int row, int end, char *text, size_t size);
} lg_moves;

struct lg_optimum {
    int made; /* 0: only a message, from a creation that failed */
    int busy; /* 1: a function is running; callers are then its callbacks */
    int solved, iterations;
    size_t bytes;
    lg_error error;
    lg_error obstacle; /* why a trial of the last search has no value or no model; status LG_OK: they all have */
    const lg_moves *moves;
    lg_integrator *it;
    lg_linearisation *lin;
    struct mb_course *course; /* of a mechanism */
    const lg_group *G;
    const lg_retraction *map; /* the exponential */
    void *scratch;            /* of its operations */
    int n, element;           /* of a mechanism: joint positions, numbers of a state */
    int k, half;              /* coordinates of a node: 2 n, n; of a mechanism all that are free, those that displace */
    int controls, steps, ends, timed, constrained,
        limited; /* controls: numbers of a step, of polynomials at all nodes */
    int degree;  /* of these polynomials */
    double node_at[LG_CONTROL_NODES_MOST], node_weight[LG_CONTROL_NODES_MOST];
    double *cut;    /* the polynomial up to node i by its values at nodes: (degree + 1)^2 weights for each i */
    double *inside; /* scratch of a running cost there */
    int closes;     /* 1: target_g displaces the start, and p_N = p_0 */
    int kinematic;  /* 1: constraints give the whole velocity, from g and u; momenta are no states, they follow */
    int curved;     /* 1: the projection onto velocity constraints depends on the configuration */
    int frees;      /* coordinates of the start that may be free; on constraints they may depend on each other */
    /* the problem */
    double time, h_low, h_high, weight;
    int unknowns; /* free parameters of the system */
    int *unknown; /* their numbers */
    double *parameter_low, *parameter_high, *parameter_scale, *parameter_first;
    double *effort, *low, *high;
    double *start_g, *start_p, *target_g, *target_p;
    int has_g, has_p, measured, shaken;
    int *row;     /* of end condition i: a component of (log, p), 0 ... 2 n - 1 */
    int *free;    /* 1: this coordinate of the start is free; 2 n */
    int *implied; /* 1: end condition i follows from the others and the constraints, and the model leaves it out */
    int *order;   /* 2 n, scratch */
    double *goal; /* where the motion must end; 4 elements, scratch of gait.c behind the first */
    lg_cost_fn running, final;
    const void *context;
    lg_optimum_watch_fn watch; /* NULL: none */
    void *watch_context;
    /* the iterate */
    lg_iterate now, trial;
    double *costate, *nu; /* (N + 1) x k, ends */
    double *z_low, *z_high, z_time[2], mu;
    double *z_parameter; /* of the lower and the upper bound of each */
    lg_filter filter;
    double *scale; /* of a node's coordinates and of controls: k + c */
    double *end_scale;
    double size;  /* of the cost */
    double brake; /* of a stride: weight of what a correction moves, relative to the cost */
    int settling; /* of a stride whose guess becomes a motion first: 1 + corrections that are left for that; 0: it did
                   */
    lg_path path;
    lg_riccati model;
    double *hessian, *curvature, *gradient;            /* of cost and steps at each node, w x w, w x w, w; w = z + c */
    double *jacobian, *raw, *weights, *J, *D, *column; /* scratch */
    double *second;                                    /* scratch of curve.c: w x w, 2 n x n, 2 n */
    double *move_g, *move_w, *move_p, *displaced;
    double *defect, *end; /* second-order correction */
    /* of a mechanism: what people read, positions and velocities of nodes, and costates of these */
    double *positions, *velocities, *shown;
    double *C, *reading, *turned, *value; /* scratch: 2 n x k, 4 n, (2 n + c)^2, 4 w */
    double *after, *before;               /* scratch: covectors in space */
};

/* Numbers of z = (eta, p, h, free parameters), and of (z, u). */
static inline int lg_optimum_z(const lg_optimum *o)
{
    return o->k + o->timed + o->unknowns;
}
static inline int lg_optimum_w(const lg_optimum *o)
{
    return lg_optimum_z(o) + o->controls;
}

/* The trial becomes the present point, and that the trial. */
static inline void lg_optimum_exchange(lg_optimum *o)
{
    const lg_iterate before = o->now;
    o->now = o->trial, o->trial = before;
}

/* A stride, the gait of a mechanism: its guess is a shape, seldom a motion, and all motions near rest nearly close. */
static inline int lg_optimum_strides(const lg_optimum *o)
{
    return o->closes && o->course;
}

/* The correction of h. */
static inline double lg_optimum_time_change(const lg_optimum *o)
{
    return o->timed ? o->model.border[o->model.size.frees] : 0;
}

/* optimum.c: marks the optimum busy; an error if it is busy already. What enters it sets o->busy = 0 when it leaves. */
lg_status lg_optimum_enter(lg_optimum *o, const char *function);

/* point.c. Functions return LG_OK, or a status with o->error set. */
/* out = log(a^-1 b); o->move_w = a^-1 b. */
lg_status lg_optimum_difference(lg_optimum *o, double *out, const double *a, const double *b);
/* out = g exp(eta); they may be o->move_g and o->displaced. */
lg_status lg_optimum_displace(lg_optimum *o, double *out, const double *g, const double *eta);
/* The user's cost at a node, for the function `who`: value, and if they are not NULL gradient and Hessian in the order
 * (eta, p, u). 0 where the problem has none. */
lg_status lg_point_own_cost(lg_optimum *o, const char *who, const lg_cost_call *call, double *value, double *gradient,
                            double *hessian);
/* Projects momenta onto constraints; defects, end conditions and cost. */
lg_status lg_point_evaluate(lg_optimum *o, lg_iterate *x);
/* trial = now moved by `length` along the model's solution. */
lg_status lg_point_move(lg_optimum *o, double length);
/* The cost at node k of x; gradient and Hessian (w and w x w in the order (z, u)) may be NULL. */
lg_status lg_point_cost(lg_optimum *o, const lg_iterate *x, int k, double *value, double *gradient, double *hessian);
/* -mu times the sum of logarithms of the distances from limits. */
double lg_point_barrier(const lg_optimum *o, const lg_iterate *x);

extern const lg_moves lg_moves_system, lg_moves_mechanism;
/* point.c: those of a system that model.c does not have. */
lg_status lg_point_displace(lg_optimum *o, lg_iterate *to, int k, double length);
lg_status lg_point_settle(lg_optimum *o, lg_iterate *x);
lg_status lg_point_step(lg_optimum *o, lg_iterate *x, int k);
lg_status lg_point_follow(lg_optimum *o, lg_iterate *x, int k);
lg_status lg_point_end(lg_optimum *o, lg_iterate *x);
lg_status lg_point_read(lg_optimum *o, const lg_iterate *x, int k, const double **g, const double **p);

/* mechanism.c: what people read becomes that of `now`. */
void lg_steer_show(lg_optimum *o);
lg_status lg_steer_gains(const lg_optimum *o, double *K);
/* nodes.c: controls that are polynomials inside a step */
/* Refuses a degree that the problem cannot have; sizes of o, and the integrator's degree. */
lg_status lg_nodes_open(lg_optimum *o, const lg_optimum_problem *problem, lg_error *e);
/* Number of controls of the system or mechanism. */
static inline int lg_nodes_count(const lg_optimum *o)
{
    return o->controls / (o->degree + 1);
}
/* Adds the running cost of step k, at the nodes of its controls, to what lg_point_cost() gives: *value without h. */
lg_status lg_nodes_cost(lg_optimum *o, const lg_iterate *x, int k, double *value, double *gradient, double *hessian);
/* o->effort holds the effort's matrix of these; it becomes that of the values at all nodes. */
void lg_nodes_spread_effort(lg_optimum *o);
/* kinematic.c: constraints prescribe the velocity */
/* o->kinematic, and what such a system cannot have. */
lg_status lg_kinematic_open(lg_optimum *o, const lg_optimum_problem *p, lg_error *e);
/* Refuses constraints of some velocities that depend on controls. */
lg_status lg_kinematic_check(lg_optimum *o, lg_error *e);
/* The step of time h from node k at o->move_g with the controls o->displaced + n, and its derivative, o->jacobian as a
 * linearisation has it. */
lg_status lg_kinematic_step(lg_optimum *o, int k, double h);
/* As lg_linearisation_apply_transposed(), with o->jacobian. */
void lg_kinematic_apply_transposed(const lg_optimum *o, double *out, const double *weights);
/* parameters.c. Steps take the free parameters of x; parameter i by more. */
void lg_free_load(lg_optimum *o, const lg_iterate *x);
void lg_free_displace(lg_optimum *o, int i, double by);
/* The correction of free parameter i; the sum of logarithms of distances from bounds; slopes relative to their terms.
 */
double lg_free_change(const lg_optimum *o, int i);
double lg_free_barrier(const lg_optimum *o, const lg_iterate *x);
double lg_free_slopes(const lg_optimum *o);
/* gait.c */
/* o->goal = the configuration in which x must end. */
lg_status lg_gait_goal(lg_optimum *o, const lg_iterate *x);
/* E of the model, and the number of its columns: the tangents of the start that are free and independent. */
lg_status lg_gait_tangents(lg_optimum *o);
/* Makes `count` rows of length n orthonormal, the longest remainder first; order[r] is the row that became row r.
 * Returns how many have more than `least` left. */
int lg_gait_orthonormalise(double *rows, int *order, int count, int n, double least);
/* Leaves end conditions out of the model that the constraints imply, as many momenta as there are constraints. */
lg_status lg_gait_rows(lg_optimum *o);

/* model.c */
/* Scales, from derivatives of steps: rotations 1; momenta what they are, or what moves by 1 in the whole time; controls
 * alike. */
lg_status lg_optimum_rescale(lg_optimum *o);
/* The scale of number j of (z, u). */
double lg_optimum_column_scale(const lg_optimum *o, int j);
/* Derivatives of steps, costs and end conditions at `now`. */
lg_status lg_optimum_linearise(lg_optimum *o);
/* curve.c: has the step second derivatives that are not differences? H <- those of step k, weighted by the costates. */
int lg_curve_has(const lg_optimum *o);
lg_status lg_curve_stage(lg_optimum *o, int k, double *H);
/* Second derivatives of steps, weighted by the costates. A stage whose neighbours cannot be stepped has none. */
void lg_optimum_curve(lg_optimum *o);
/* The model with `share` of the curvature and with the barrier. */
void lg_optimum_assemble(lg_optimum *o, double share);
/* The model of the shortest correction that satisfies all conditions. */
void lg_optimum_assemble_shortest(lg_optimum *o);
/* Solves it as it is. 0; or 1: it has no minimum. */
int lg_optimum_solve_model(lg_optimum *o);
/* Solves it by the ladder of penalties and shares of curvature, of a stride first by that of brakes. 0; or 1: it has no
 * minimum. */
int lg_optimum_correct(lg_optimum *o);
/* Makes the brake stronger (factor > 1) or weaker. */
void lg_optimum_brake(lg_optimum *o, double factor);

/* search.c */
/* Forgets all pairs. */
void lg_filter_begin(lg_optimum *o);
/* Moves along the model's solution as far as the filter allows, multipliers too, and linearises there. A trial whose
 * steps cannot be solved or linearised is too long. 0; 1: it does not move, o->obstacle may say why. */
int lg_search(lg_optimum *o);
/* One correction that reduces the violation alone, linearised there; multipliers of conditions become 0. 0; 1: it
 * cannot be reduced, and o->obstacle says why if that is because the shortest trial has no value or no model. */
int lg_search_restore(lg_optimum *o);

#endif
