/* SPDX-License-Identifier: BSD-3-Clause */
/** @file optimum.h
 *  Optimal control: the controls that bring a system or a mechanism from a state to a target at the least cost.
 *
 *  A state is x = (g, p), with the momentum p that the method carries from step to step (linearisation.h); controls u_k
 *  are held over step k of length h. Of all x_1 ... x_N, u_0 ... u_{N-1}, and of all h where the time is free, an
 *  optimum minimises
 *
 *      sum_k h [1/2 u_k.R u_k + l(t_k, x_k, u_k)] + m(t_N, x_N) + weight N h
 *
 *  subject to x_{k+1} = step(x_k, u_k), to the end conditions, to low <= u_k <= high, and to path inequalities
 *  c(t_k, x_k, u_k) >= 0 at all nodes: bounds of states, clearances from obstacles, functions of your own. The step is
 * that of an integrator, so what the method keeps exactly (constraints, the balance of energy) holds exactly in the
 * optimum.
 *
 *  With lg_optimum_problem::degree d > 0 controls are polynomials of degree d inside each step of `gauss`, as
 *  lg_integrator_set_control_nodes() makes them: u_k are their values at the d + 1 nodes of lg_control_nodes(), node
 *  after node. Quadrature with these nodes and weights b_i replaces the sum of costs by h sum_i b_i [1/2 u_i.R u_i +
 *  l(t_i, x_i, u_i)], with the states x_i there; it gives the integral of the effort exactly. Limits hold at the nodes;
 *  between them the polynomial may exceed them. Cost and costates of an optimum without limits that act converge with
 *  order 2 (d + 1), where controls that are held (d = 0) let every method have order 2.
 *
 *  Of a mechanism (lg_optimum_problem::mechanism) a state is x = (q, v), the joint positions and velocities of
 *  lg_motion_positions(), the controls are its motors and thrusters, and the step is that of lg_motion_step(): a motion
 *  that starts at (q, v) of node 0 with these controls is the optimum. Wherever g and p stand below, read q and v,
 *  n = e = lg_motion_position_count() numbers each, with plain differences in place of logarithms. Nodes lie on loops,
 *  wheels and gears to rounding.
 *
 *  Nodes and controls are unknowns of one problem, which Newton's method solves in coordinates near the nodes: steps
 *  are linearised by lg_linearisation_step(), or as lg_motion_linearise_along() does it, their curvature is that of
 *  lg_linearisation_curvature() where it needs no differences, else a difference of such derivatives, a sweep over the
 *  stages solves the linear system, a barrier keeps controls off their limits, and a filter decides on the length of a
 *  correction. Nodes of a guess need not be a motion. If no control moves an end condition at the guess (a sleigh at
 *  rest has to go sideways), the iteration begins at a motion with fixed pseudo-random controls instead. The optimum is
 *  a local one; another guess may lead to a better one.
 *
 *  A gait, a relative periodic orbit, is a motion that closes (lg_optimum_problem::closes): it ends in its own start,
 *  displaced by a symmetry of the system. Its start is free but for its place and its phase, its displacement may be
 *  free in part, and its period is the time. lg_optimum_move() to another displacement continues it. Of a mechanism the
 *  guess is a shape: the iteration begins at a motion near it, which up to 20 corrections find. Its stability
 *  under its controls is in lg_trajectory_multipliers() of N steps from its first node.
 *
 *  Controls may be velocities. Where a system has as many velocity constraints as velocities, the drift Y(t, g, u) of
 *  these prescribes the motion and may read the controls (lg_callbacks::drift, lg_callbacks::covectors). Momenta follow
 *  then: start_p and target_p must be NULL, and costs and inequalities must not depend on p.
 *
 *  Parameters of a system may be unknowns too (lg_optimum_problem::parameter_free): one value for the whole motion,
 *  which makes the cost least.
 *
 *  All memory is taken when the object is created; an iteration does not allocate, lock or print. An object belongs to
 *  one thread at a time. A callback may read the optimum that calls it; functions that solve, check, guess or move that
 *  one return LG_ERROR_ARGUMENT there, and lg_optimum_destroy() does nothing. */
#ifndef LIEGRP_CONTROL_OPTIMUM_H
#define LIEGRP_CONTROL_OPTIMUM_H

#include "../mechanics/system.h"
#include "../multibody/mechanism.h"

LG_BEGIN

/** A problem with its best solution so far: opaque. Below, n is the group's dimension, e its elements' size, N the
 *  number of steps, c the number of controls, of polynomials (degree + 1) times as many, those at all nodes. */
typedef struct lg_optimum lg_optimum;

/** Where a cost is evaluated. The struct grows at its end. */
typedef struct lg_cost_call {
    const void *context; /**< lg_optimum_problem::cost_context */
    double t;            /**< k h, of polynomials (k + c_i) h with a node c_i of lg_control_nodes() */
    int node;            /**< k, from 0 to N */
    int steps;           /**< N */
    const double *g;     /**< configuration, e numbers; of a mechanism joint positions */
    const double *p;     /**< momentum, n numbers; of a mechanism joint velocities */
    const double *u;     /**< controls of the step that begins here, of polynomials at this time, one number for each
                          *   control; NULL at the last node */
} lg_cost_call;

/** *value = a cost at a node; with gradient (s numbers) and Hessian (s x s, symmetric) with respect to (eta, p, u) for
 *  g exp(eta), of a mechanism to (q, v, u); s = 2 n + number of controls, without u 2 n. Both are zero on entry, and
 * NULL where only the value is needed. A return other than 0 refuses the point. */
typedef int (*lg_cost_fn)(const lg_cost_call *c, double *value, double *gradient, double *hessian);

/** values = lg_optimum_problem::path_count numbers, each of which must be >= 0 at this node; INFINITY: there is no
 *  such inequality at this node, of which there are the same in every call. With lg_optimum_problem::path_jacobian
 *  also their derivatives, path_count x s, with respect to (eta, p, u) for g exp(eta), of a mechanism to (q, v, u);
 *  s = 2 n + c, without u 2 n. Both are zero on entry; jacobian is NULL where only values are needed, and where
 *  differences find it. lg_cost_call::context is lg_optimum_problem::path_context. A return other than 0 refuses the
 *  point. */
typedef int (*lg_path_fn)(const lg_cost_call *c, double *values, double *jacobian);

/** Shapes of obstacles, which do not move. */
typedef enum lg_obstacle {
    LG_OBSTACLE_SPHERE,    /**< centre `place`, radius extent[0] */
    LG_OBSTACLE_BOX,       /**< centre `place`, half edges `extent`, parallel to the axes of space */
    LG_OBSTACLE_HALF_SPACE /**< behind the plane through `place` whose normal, of any length, is `extent` */
} lg_obstacle;

/** A ball on a body of a mechanism that stays outside of an obstacle at all nodes. Start from lg_clearance_default().
 */
typedef struct lg_clearance {
    size_t size;          /**< sizeof(lg_clearance), set by lg_clearance_default() */
    const char *body;     /**< its name */
    double point[3];      /**< centre of the ball, in the body's frame, m */
    lg_obstacle obstacle; /**< what it avoids */
    double place[3];      /**< of the obstacle, in space, m */
    double extent[3];     /**< of the obstacle, see lg_obstacle */
    double radius;        /**< of the ball, m; 0: the point alone */
} lg_clearance;
/** Initialises a clearance of `size` bytes; see lg_clearance_default(). */
LG_API void lg_clearance_init(lg_clearance *clearance, size_t size, const char *body);
/** The origin of a body's frame, which avoids nothing yet. */
static inline lg_clearance lg_clearance_default(const char *body)
{
    lg_clearance clearance;
    lg_clearance_init(&clearance, sizeof clearance, body);
    return clearance;
}

/** A problem of optimal control. Start from lg_optimum_problem_default(). Arrays are copied; the system's group and
 *  context, or the mechanism, must outlive the optimum. */
typedef struct lg_optimum_problem {
    size_t size;             /**< sizeof(lg_optimum_problem), set by lg_optimum_problem_default() */
    const lg_system *system; /**< with controls: lg_callbacks::control_count > 0; no holonomic constraints */
    const char *method;      /**< as for lg_integrator_create() or, of a mechanism, lg_motion_create(); NULL: "sem" */
    const char *retraction;  /**< as for lg_integrator_create(); NULL: "exp"; a mechanism has no other */
    int steps;               /**< N >= 1 */
    double time;             /**< N h > 0; where the time is free, its first guess */
    double time_low;         /**< bounds of a free time, 0 < time_low < time_high; */
    double time_high;        /**< both 0: the time is given */
    double time_weight;      /**< cost of a unit of time */
    /** R, symmetric positive definite, a row for each control of the system or mechanism. NULL: identity, but
     * 1/limit^2, of the larger one, for a motor that has limits. */
    const double *effort;
    /** One number for each control, -INFINITY for none; NULL: none. Motors have their own limits besides. */
    const double *control_low;
    const double *control_high; /**< one number for each control, INFINITY for none; NULL: none */
    const double *start_g;      /**< where the motion starts; NULL: identity, or as the mechanism is assembled */
    const double *start_p;      /**< its momentum or velocity; NULL: 0 */
    const double *target_g;     /**< where it ends; NULL: anywhere; see `closes` */
    const double *target_p;     /**< its momentum; NULL: any */
    /** 2 n numbers, 1 for each end condition that holds: components of log(target_g^-1 g_N), then of p_N - target_p; of
     *  a mechanism q_N - target_g, then v_N - target_p. 0 leaves it free. NULL: all of which there is a target. */
    const int *target_rows;
    lg_cost_fn running_cost;  /**< l; NULL: none */
    lg_cost_fn end_cost;      /**< m; NULL: none */
    const void *cost_context; /**< passed to both */
    /** Compiled, with motors or thrusters; NULL: `system`, and one of them is NULL. Its contacts, stops, dry friction,
     *  servos, drives and activations are refused. */
    const lg_mechanism *mechanism;
    /** 1: a gait, a motion that closes. It ends in its own start, displaced by D = target_g from the left: g_N = D g_0
     *  and p_N = p_0; target_g NULL: D = 1. target_p must be NULL. target_rows are of log((D g_0)^-1 g_N), those of the
     *  displacement that hold; all momenta close. Displacements, free ones too, must be symmetries of the system, as
     *  poses on a plane and angles that nothing depends on are; shapes close. Of a mechanism target_g is added to the
     *  positions, q_N = q_0 + target_g, and v_N = v_0: places and angles of joints may be displaced, but not the
     *  attitude of a floating body, with which its velocities would turn. 0: the motion ends at the target. */
    int closes;
    /** 2 n numbers, 1 for each coordinate (eta, p) of the start that is free; start_g and start_p give the others, and
     *  the first guess of all. On velocity constraints the momentum follows. NULL: none is free; of a motion that
     *  closes all momenta are, and those directions of the configuration in which the system is not invariant but for
     *  the first of these, which fixes the phase (not if the system depends on time, which fixes it). Of a mechanism
     *  they are positions and velocities. */
    const int *start_free;
    lg_path_fn path;          /**< inequalities of your own; NULL: none */
    const void *path_context; /**< passed to it */
    int path_count;           /**< how many they are */
    int path_jacobian;        /**< 1: `path` gives their derivatives; 0: differences, which must agree, find them */
    /** Bounds of the numbers of (g, p) at all nodes, e + n numbers, of a mechanism of (q, v); -INFINITY for none, NULL:
     *  none. At a start that is given, and for a number that an end condition gives, they are only checked. */
    const double *state_low;
    const double *state_high;       /**< as state_low, INFINITY for none */
    const lg_clearance *clearances; /**< of a mechanism; NULL: none */
    int64_t clearance_count;        /**< how many they are */
    /** Of the polynomials that controls are inside a step, 0 to 7; 0: they are held. Beyond 0 the method must be
     * `gauss` with at least degree + 1 stages, and there must be no mechanism. */
    int64_t degree;
    /** Of a system: lg_system::parameter_count numbers, 1 for each parameter that is an unknown of the problem; its
     *  value is the first guess. Constant arrays of the system must not depend on it. NULL: none is free. */
    const int *parameter_free;
    const double *parameter_low;  /**< bounds of those that are free, one number a parameter; NULL or -INFINITY: none */
    const double *parameter_high; /**< as parameter_low; NULL or INFINITY: none */
} lg_optimum_problem;

/** Initialises a problem of `size` bytes; see lg_optimum_problem_default(). */
LG_API void lg_optimum_problem_init(lg_optimum_problem *problem, size_t size, const lg_system *S);
/** The problem of S (NULL: set the mechanism) with 40 steps in time 1, effort 1/2 |u|^2, no target and no limits. */
static inline lg_optimum_problem lg_optimum_problem_default(const lg_system *S)
{
    lg_optimum_problem problem;
    lg_optimum_problem_init(&problem, sizeof problem, S);
    return problem;
}

/** Creates the problem and its first guess, see lg_optimum_guess(). On failure *o still holds the message: read it with
 *  lg_optimum_message() and free it with lg_optimum_destroy().
 *  - LG_ERROR_ARGUMENT: a number is missing or out of its range; the message says which, and what would be right.
 *  - LG_ERROR_SINGULAR: the effort is not positive definite; the message names the pivot.
 *  - LG_ERROR_ARGUMENT: a limit of a control is beyond that of its motor.
 *  - LG_ERROR_DOMAIN: the logarithm of start_g^-1 target_g does not exist.
 *  - LG_ERROR_INCONSISTENT: start_p or target_p violates the constraints; of a mechanism the start.
 *  - LG_ERROR_UNSUPPORTED: there are holonomic constraints; or velocity constraints with a method whose state is not
 *    the momentum on them (gni, dla); or a free time of a system that depends on time; or a step of the mechanism
 *    that has no derivative, as with contacts, servos and drives.
 *  - LG_ERROR_UNSUPPORTED: constraints that prescribe the velocity, with a gait, a free start, a free parameter or a
 *    degree; or constraints of some velocities alone that depend on controls.
 *  - LG_ERROR_UNSUPPORTED: a degree beyond 0 with another method than gauss, or of a mechanism.
 *  - LG_ERROR_MEMORY: out of memory; *o is NULL.
 *  - other errors: those of lg_integrator_create(), or lg_motion_create() and lg_motion_start_joints(). */
LG_API LG_MUST_CHECK lg_status lg_optimum_create(lg_optimum **o, const lg_optimum_problem *problem);
/** Frees the object. NULL is allowed. */
LG_API void lg_optimum_destroy(lg_optimum *o);
/** Memory of the object in bytes, everything included. */
LG_API size_t lg_optimum_bytes(const lg_optimum *o);
/** The text of the last error; "" after success. For NULL it says that there is no object. */
LG_API const char *lg_optimum_message(const lg_optimum *o);

/** Sets the point that the next lg_optimum_solve() begins with, and forgets multipliers. Each pointer may be NULL:
 *  - g: N + 1 configurations; NULL: equally spaced from start to target along start_g exp(s log(start_g^-1
 *    target_g)), or all at the start where there is no target;
 *  - p: N + 1 momenta; NULL: from start_p to target_p, linearly. The first node is the start where that is not
 *    free. Momenta are projected onto velocity constraints, nodes of a mechanism onto all of its constraints. Of a
 *    mechanism positions without a target stay where they start;
 *  - u: N x c controls; NULL: 0. Controls beyond their limits, or near to them, are moved inside.
 *
 *  `time` is the first value of a free time; 0: that of the problem. A guess is not needed: creation makes the one with
 *  all NULL.
 *  - LG_ERROR_ARGUMENT: a configuration is off the group, or `time` is not within its bounds.
 *  - LG_ERROR_NOT_FINITE: a number is not finite. */
LG_API LG_MUST_CHECK lg_status lg_optimum_guess(lg_optimum *o, const double *g, const double *p, const double *u,
                                                double time);
/** Moves start (g, p) or target or both, and keeps nodes, controls and multipliers: the next lg_optimum_solve() begins
 *  at the last optimum. Each of the four may be NULL: unchanged. For continuation, and for control by prediction. Of a
 *  motion that closes target_g is the displacement.
 *  - LG_ERROR_ARGUMENT: a configuration is off the group, there is no such target, or a displacement is no symmetry.
 *  - LG_ERROR_NOT_FINITE: a number is not finite.
 *  - LG_ERROR_INCONSISTENT: a momentum violates the constraints. */
LG_API LG_MUST_CHECK lg_status lg_optimum_move(lg_optimum *o, const double *start_g, const double *start_p,
                                               const double *target_g, const double *target_p);

/** Sees a point of the iteration, by lg_optimum_read() and the functions below it. A nonzero return ends the solution.
 */
typedef int (*lg_optimum_watch_fn)(const lg_optimum *o, void *context);
/** lg_optimum_solve() calls `watch` with the point before each correction and with the last one; NULL: not. */
LG_API void lg_optimum_watch(lg_optimum *o, lg_optimum_watch_fn watch, void *context);

/** Solves the problem in at most `iterations` iterations, from the guess or, after an earlier call, from its result.
 *  Stops when the error of all conditions, each relative to its terms, is below `tolerance`, such as 1e-9; with limits
 *  the cost is then above its least value by at most about `tolerance` of it. On failure the best point so far stays
 *  readable, and the message says what is wrong there.
 *  - LG_ERROR_ARGUMENT: iterations < 0, or tolerance is not within 1e-14 and 0.1.
 *  - LG_ERROR_CONVERGENCE: no optimum after `iterations`; or no correction reduces what the conditions lack: the
 *    message has the largest defect with its node and row, or the end condition that no control moves, or the path
 *    inequality that stays violated, by how much and at which node. A correction that leads to steps which cannot be
 *    solved, or to a callback that refuses, is shortened; where all of them do, the message says at which node, and
 * why.
 *  - LG_ERROR_INTERRUPTED: the function of lg_optimum_watch() ended it.
 *  - LG_ERROR_INCONSISTENT: a given start, or a number that the target gives, violates a path inequality.
 *  - LG_ERROR_UNSUPPORTED: the derivative with respect to a free parameter is not known, as lg_linearisation_step()
 * says.
 *  - LG_ERROR_UNSUPPORTED: a cost or `path` depends on the momentum, which constraints prescribe.
 *  - LG_ERROR_DOMAIN: differences do not find the derivative of a path inequality at a node, as where it bends.
 *  - LG_ERROR_CALLBACK: a cost or `path` refuses the guess.
 *  - LG_ERROR_NOT_FINITE: a cost or a path inequality is not finite at the guess.
 *  - other errors: those of lg_linearisation_step() at a node; the message says at which. */
LG_API LG_MUST_CHECK lg_status lg_optimum_solve(lg_optimum *o, int iterations, double tolerance);

/** Figures of the present point: its cost, and how far it is from an optimum. The struct grows at its end. */
typedef struct lg_optimum_figures {
    double cost;            /**< the cost, without barrier */
    double time;            /**< N h */
    double defect;          /**< largest component of log(x_{k+1}^-1 step(x_k, u_k)) */
    double end;             /**< largest end condition that is not satisfied */
    double stationarity;    /**< largest component of the cost's gradient on the conditions, relative to its terms */
    double complementarity; /**< how far limits may hold the cost above its least value, relative to the cost */
    int iterations;         /**< iterations of the last lg_optimum_solve() */
    int end_rank;           /**< number of end conditions that are independent */
    int end_count;          /**< number of end conditions */
    int solved;             /**< 1: the last lg_optimum_solve() succeeded */
    double penalty;         /**< weight of the end in the gains, see lg_optimum_gains() */
    int path_inequality;    /**< the path inequality that is violated most, */
    int path_node;          /**< at this node, */
    double path;            /**< by this; 0: none is violated */
} lg_optimum_figures;
/** Fills *f. `size` is sizeof *f.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or size is 0. */
LG_API LG_MUST_CHECK lg_status lg_optimum_read(const lg_optimum *o, lg_optimum_figures *f, size_t size);

/** The number of steps N. 0 for NULL. This and all functions below serve the object that holds only a message too. */
LG_API int lg_optimum_steps(const lg_optimum *o);
/** g_k, (N + 1) x e numbers; of a mechanism those of the last solve or guess. This and the pointers below are valid
 *  until the object is destroyed; NULL without one. */
LG_API const double *lg_optimum_configurations(const lg_optimum *o);
/** p_k, (N + 1) x n numbers. */
LG_API const double *lg_optimum_momenta(const lg_optimum *o);
/** u_k, N x c numbers. */
LG_API const double *lg_optimum_controls(const lg_optimum *o);
/** lg_optimum_problem::degree. */
LG_API int lg_optimum_degree(const lg_optimum *o);
/** u = the controls at time t, one number for each control. At a node they are those of the step that begins there.
 *  - LG_ERROR_ARGUMENT: u is NULL, t is not within 0 and the time, or o holds only a message. */
LG_API LG_MUST_CHECK lg_status lg_optimum_control_at(const lg_optimum *o, double t, double *u);
/** The derivative of the least cost with respect to the state x_k, (N + 1) x 2 n numbers, in body axes; of a mechanism
 *  with respect to q and v, the shortest one where these are not independent. */
LG_API const double *lg_optimum_costates(const lg_optimum *o);
/** The number of the system's parameters; 0 of a mechanism. */
LG_API int lg_optimum_parameter_count(const lg_optimum *o);
/** Their values, with the best ones of those that are free. */
LG_API const double *lg_optimum_parameters(const lg_optimum *o);
/** The number m of path inequalities at a node: those of lg_optimum_problem::path, then clearances, then bounds of
 *  states: of each number in turn the lower and the upper one, where it has them. */
LG_API int lg_optimum_path_count(const lg_optimum *o);
/** Their values, (N + 1) x m numbers. */
LG_API const double *lg_optimum_path(const lg_optimum *o);
/** Their multipliers, (N + 1) x m numbers >= 0: the derivative of the least cost with respect to a constant that is
 *  subtracted from the value. 0 where an inequality does not hold. */
LG_API const double *lg_optimum_path_multipliers(const lg_optimum *o);
/** The regulator along the optimum, N x c x 2 n numbers: u = u_k + K_k (log(g_k^-1 g), p - p_k) minimises the
 *  second-order model of cost and penalty/2 |end|^2 from node k on, without limits that are not active there. Of a
 *  mechanism it takes (q - q_k, v - v_k).
 *  - LG_ERROR_ARGUMENT: K is NULL, or the last lg_optimum_solve() did not succeed. */
LG_API LG_MUST_CHECK lg_status lg_optimum_gains(const lg_optimum *o, double *K);

/** Compares gradients and Hessians of the problem's costs, and the jacobian that `path` gives, with differences at the
 *  present nodes.
 *  - LG_ERROR_ARGUMENT: an entry differs by more than `tolerance` (<= 0: 1e-5) of its scale; the message names the
 *    cost, the node, the entry and both values.
 *  - LG_ERROR_CALLBACK: a cost refuses a point.
 *  - LG_ERROR_NOT_FINITE: a value is not finite. */
LG_API LG_MUST_CHECK lg_status lg_optimum_check(lg_optimum *o, double tolerance);

LG_END

#endif
