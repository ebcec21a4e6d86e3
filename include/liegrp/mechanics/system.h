/* SPDX-License-Identifier: BSD-3-Clause */
/** @file system.h
 *  What the physics says, in body (left-trivialised) coordinates: a group, a metric, a potential, covectors, a drift.
 *
 *  L(t, g, xi) = 1/2 xi.J(g) xi - V(t, g), velocities xi = g^-1 g'; velocity constraints A(t, g)(xi - Y(t, g)) = 0,
 *  holonomic constraints phi(t, g) = 0, forces f(t, g, xi, u). All derivatives are left-trivialised:
 *  <dV(g), eta> = d/ds V(g exp(s eta)) at s = 0. */
#ifndef LIEGRP_MECHANICS_SYSTEM_H
#define LIEGRP_MECHANICS_SYSTEM_H

#include "../groups/group.h"

LG_BEGIN

/** What a callback receives besides its inputs. The library makes it, and it grows at its end. */
typedef struct lg_call {
    const void *context; /**< lg_system::context */
    const double *param; /**< the parameters' values, lg_system::parameter_count of them */
    double t;            /**< time at which the callback is asked */
    int lanes; /**< how many instances are asked for at once: value i of instance l stands at [i*lanes + l], in inputs,
                    outputs, parameters and controls; 1, or where the system says that it understands lanes a width
                    that the machine has (lg_width_supported()), and arrays then stand at multiples of
                    lanes*sizeof(double) bytes */
    const double *control; /**< the controls' values, lg_callbacks::control_count of them, held during a step */
    const double *times;   /**< the time of each instance, `lanes` of them; times[0] is t */
} lg_call;

/** *V = V(g). Callbacks return 0, or a code of the user's that aborts the step and is reported. */
typedef int (*lg_scalar_fn)(const lg_call *c, const double *g, double *V);
/** out = a (co)vector or matrix field at g; `out` is zero on entry. */
typedef int (*lg_field_fn)(const lg_call *c, const double *g, double *out);
/** out = a field at g that depends on a velocity; `out` is zero on entry. */
typedef int (*lg_field_along_fn)(const lg_call *c, const double *g, const double *xi, double *out);
/** Rows mu (m x n) and drift Y (n) at g; both are zero on entry. */
typedef int (*lg_covectors_fn)(const lg_call *c, const double *g, double *mu, double *Y);
/** Derivatives of rows and drift along eta: dmu = d/ds mu(g exp(s eta)), dY likewise; zero on entry. */
typedef int (*lg_covectors_along_fn)(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY);
/** omega_d(g0, g1), one number a row: a discrete velocity constraint, in units of A (xi - Y). */
typedef int (*lg_discrete_fn)(const lg_call *c, double h, const double *g0, const double *g1, double *out);
/** D_1 L_d or D_2 L_d, left-trivialised, of a discrete Lagrangian L_d(g0, g1) that contains the factor h. */
typedef int (*lg_slope_fn)(const lg_call *c, double h, const double *g0, const double *g1, double *out);

/** A named parameter. */
typedef struct lg_parameter {
    const char *name;    /**< "Omega" */
    const char *unit;    /**< "rad/s"; "" for none */
    const char *meaning; /**< one phrase */
    double value;        /**< default */
    double low;          /**< least value allowed (may be -INFINITY) */
    double high;         /**< largest value allowed (may be INFINITY) */
    int open;            /**< 1: the bounds themselves are not allowed */
} lg_parameter;

/** Which callbacks of a system can be asked for several instances at once (lg_callbacks::lanes). */
enum {
    LG_LANES_ONE = 0,        /**< none: every call has lg_call::lanes == 1 */
    LG_LANES_EQUAL_TIME = 1, /**< what a step evaluates understands lanes, and reads the one time lg_call::t */
    LG_LANES_OWN_TIMES = 2   /**< the same, and it reads lg_call::times: instances at different times share a call */
};

/** What a system computes: its functions of the configuration, and the facts about them. Zeros: none. lg_system and
 *  lg_model_definition share it as their last member; it grows at its end. */
typedef struct lg_callbacks {
    int control_count;   /**< number of controls u, lg_call::control */
    int holonomic_count; /**< number of holonomic constraints; holonomic_count + constraint_count < n */
    /** LG_LANES_ONE, LG_LANES_EQUAL_TIME or LG_LANES_OWN_TIMES. What a step evaluates is metric, metric_gradient,
     *  potential, potential_gradient, force, covectors, drift, holonomic, holonomic_differential and holonomic_rate.
     *  With lanes it must give each instance the bits that it gets alone; it is then called once for all instances of
     *  a block of an ensemble. The other callbacks always see one instance. */
    int lanes;
    int time_dependent; /**< 1: some callback reads lg_call::t or lg_call::times */

    lg_field_fn metric;                  /**< J(g), n x n, instead of a constant inertia; NULL: constant */
    lg_field_along_fn metric_gradient;   /**< dT(g, xi): left differential of 1/2 xi.J(g) xi at fixed xi; NULL:
                                              differences */
    lg_scalar_fn potential;              /**< V(g); NULL: none */
    lg_field_fn potential_gradient;      /**< dV(g), n numbers; NULL: differences */
    lg_field_along_fn potential_hessian; /**< d/ds dV(g exp(s eta)) at s = 0, n numbers, eta in the velocity's place;
                                              needs potential_gradient. NULL: differences. For linearisations only */
    lg_field_along_fn force;             /**< f(t, g, xi, u), n numbers, a covector beside -dV; NULL: none */

    lg_covectors_fn covectors;                  /**< rows (constraint_count x n) and drift Y (n) at g; NULL: constant
                                                     rows */
    lg_field_fn drift;                          /**< Y(g), n numbers, beside constant rows; NULL: linear constraints */
    lg_covectors_along_fn covectors_derivative; /**< NULL: differences. Needed by the start LG_START_REACTION only */

    lg_field_fn holonomic;              /**< phi(t, g), holonomic_count numbers; NULL: none */
    lg_field_fn holonomic_differential; /**< d phi, holonomic_count x n; NULL: differences */
    lg_field_fn holonomic_rate;         /**< partial derivative of phi with respect to t; NULL: differences where
                                             time_dependent, else 0 */

    lg_discrete_fn discrete_constraint; /**< omega_d of your own, constraint_count numbers (method `dla:user`) */
    lg_slope_fn discrete_slope_1;       /**< D_1 L_d of a discrete Lagrangian of your own (method option `user`) */
    lg_slope_fn discrete_slope_2;       /**< D_2 L_d of it */
} lg_callbacks;

/** A mechanical system. Start from lg_system_default(). Arrays of numbers are copied when an integrator is made; the
 *  group, the context and the parameters' names must outlive it. */
typedef struct lg_system {
    size_t size;           /**< sizeof(lg_system), set by lg_system_default(); in a copy of a system that the library
                                made, set it to your sizeof */
    const lg_group *group; /**< where the configuration lives */
    const void *context;   /**< handed to every callback */

    /** The metric: exactly one of inertia_diagonal, inertia and callbacks.metric. Constant diagonal, n numbers. */
    const double *inertia_diagonal;
    const double *inertia; /**< constant symmetric positive definite n x n matrix */

    int constraint_count;           /**< m, number of velocity rows; 0 <= m < n */
    int parameter_count;            /**< number of named parameters */
    const double *covector_matrix;  /**< constant rows, m x n; or callbacks.covectors */
    const double *projector_metric; /**< metric J' of the projectors, n x n; NULL: the kinetic one */

    const lg_parameter *parameters; /**< the parameters' descriptions; may be NULL */
    const double *parameter_values; /**< their values; NULL: the defaults of `parameters` */

    lg_callbacks callbacks; /**< what the system computes */
} lg_system;

/** What a callback of S receives for one instance at time *t with these controls (NULL: it has none): for calling one
 *  yourself. The pointers are kept. */
static inline lg_call lg_system_call(const lg_system *S, const double *t, const double *control)
{
    const lg_call call = {S->context, S->parameter_values, *t, 1, control, t};
    return call;
}

/** lg_system_default() of a system of `size` bytes. */
LG_API void lg_system_init(lg_system *S, size_t size, const lg_group *G);
/** A system on G with nothing in it: no metric yet, no potential, no constraints. */
static inline lg_system lg_system_default(const lg_group *G)
{
    lg_system S;
    lg_system_init(&S, sizeof S, G);
    return S;
}

/** Is the system complete and consistent? *error may be NULL. LG_ERROR_ARGUMENT: what is missing or contradictory;
 *  LG_ERROR_SINGULAR: a constant inertia that is not symmetric positive definite (says which entry or pivot), constant
 *  rows that are dependent. */
LG_API LG_MUST_CHECK lg_status lg_system_validate(const lg_system *S, lg_error *error);

/** Compares every derivative that the user supplied with differences at `points` random elements near g0 (NULL: random
 *  in the whole group), at t = 0, or at random times in [0, 1) if time_dependent, with all controls 0, small ones where
 * lanes are compared. Checks there that the metric is definite, that potential and force are finite, and that position
 * constraints and velocity rows together have full rank, that nothing of this depends on time if time_dependent is 0,
 * and that callbacks that are said to understand lanes do. LG_ERROR_ARGUMENT: it does, they do not, or an entry is off
 * by more than `tolerance` times its scale (<= 0: 1e-6), the message says which entry of which callback, both values
 * and where; LG_ERROR_SINGULAR, LG_ERROR_NOT_FINITE, LG_ERROR_CALLBACK: as named. */
LG_API LG_MUST_CHECK lg_status lg_system_check(const lg_system *S, lg_rng *rng, const double *g0, int points,
                                               double tolerance, lg_error *error);

/** H(g, p) = 1/2 p.J(g)^-1 p + V(g) at time t. */
LG_API LG_MUST_CHECK lg_status lg_system_energy(const lg_system *S, double *H, double t, const double *g,
                                                const double *p, lg_error *error);

/** Q* = A^T C^-1 A J'^-1 and P* = 1 - Q*, C = A J'^-1 A^T, as n x n matrices on covectors at g (either may be NULL),
 *  and Pi = J Y (n, may be NULL). The reflection of the GNI is p -> (P - Q)* p + 2 Q* Pi. A system with position
 *  constraints takes all rows A = [d phi; mu]; its motion has A xi = b = [-phi_t; mu Y], and Pi is the covector with
 *  A J^-1 Pi = b that is shortest in the kinetic metric, Pi = A^T (A J^-1 A^T)^-1 b: zero where nothing moves.
 *  LG_ERROR_SINGULAR: dependent rows. */
LG_API LG_MUST_CHECK lg_status lg_system_projectors(const lg_system *S, double *P_star, double *Q_star, double *Pi,
                                                    double t, const double *g, lg_error *error);

LG_END

#endif
