/* SPDX-License-Identifier: BSD-3-Clause */
/** @file system.h
 *  A mechanical system in body (left-trivialised) coordinates: group, metric, potential, constraints, forces.
 *
 *  The Lagrangian is L(t, g, xi) = 1/2 xi.J(g) xi - V(t, g) with body velocity xi = g^-1 g'. Velocity constraints are
 *  A(t, g)(xi - Y(t, g)) = 0 with rows A and drift Y, holonomic constraints phi(t, g) = 0, forces f(t, g, xi, u). Pi =
 *  J Y is the momentum of the drift, p~ the momentum at a node, p^+ and p^- those before and after the reactions act
 *  there (docs/conventions.md). All derivatives are left-trivialised: <dV(g), eta> = d/ds V(g exp(s eta)) at s = 0. */
#ifndef LIEGRP_MECHANICS_SYSTEM_H
#define LIEGRP_MECHANICS_SYSTEM_H

#include "../groups/group.h"
#include "../scene/scene.h"

LG_BEGIN

/** Data for a callback besides its inputs, filled by the library. The struct grows at its end. */
typedef struct lg_call {
    const void *context; /**< lg_system::context */
    const double *param; /**< the parameters' values, lg_system::parameter_count of them */
    double t;            /**< time at which the callback is evaluated */
    int lanes; /**< number of instances that this call evaluates: value i of instance l is at [i*lanes + l], in inputs,
                *   outputs, parameters and controls. It is 1, or a width that the machine has (lg_width_supported()) if
                *   the system says that it understands lanes; arrays are then aligned to lanes*sizeof(double) bytes */
    const double *control; /**< the controls' values, lg_callbacks::control_count of them, constant during a step */
    const double *times;   /**< the time of each instance, `lanes` of them; times[0] is t */
} lg_call;

/** *V = V(g). A callback returns 0, or a code of yours that aborts the step and is reported. */
typedef int (*lg_scalar_fn)(const lg_call *c, const double *g, double *V);
/** out = a (co)vector or matrix field at g; `out` is zero on entry. */
typedef int (*lg_field_fn)(const lg_call *c, const double *g, double *out);
/** out = a field at g that depends on a velocity; `out` is zero on entry. */
typedef int (*lg_field_along_fn)(const lg_call *c, const double *g, const double *xi, double *out);
/** out = d/ds f(t, g exp(s eta), xi + s dxi, u + s du) at s = 0 of a force f, n numbers, zero on entry. The velocity xi
 *  and the controls u are those of the call; du has lg_callbacks::control_count numbers. */
typedef int (*lg_force_along_fn)(const lg_call *c, const double *g, const double *xi, const double *eta,
                                 const double *dxi, const double *du, double *out);
/** Rows mu (m x n) and drift Y (n) at g; both are zero on entry. */
typedef int (*lg_covectors_fn)(const lg_call *c, const double *g, double *mu, double *Y);
/** Derivatives of rows and drift along eta: dmu = d/ds mu(g exp(s eta)), dY = d/ds Y(g exp(s eta)); zero on entry. */
typedef int (*lg_covectors_along_fn)(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY);
/** Rows mu and drift Y at g, their derivatives dmu and dY along xi, and dV, in one call; zero on entry. */
typedef int (*lg_together_fn)(const lg_call *c, const double *g, const double *xi, double *mu, double *Y, double *dmu,
                              double *dY, double *dV);
/** What three callbacks of a system return, in one call, where they have a sine, a rotation or a surface in common. It
 *  is called in place of them as long as the system has exactly these, so that a copy of a system in which one of them
 *  is another needs no thought. */
typedef struct lg_together {
    /** The numbers of the three, but for rounding; with LG_LANES_DERIVATIVES it understands lanes. */
    lg_together_fn value;
    lg_covectors_fn covectors;                  /**< lg_callbacks::covectors */
    lg_covectors_along_fn covectors_derivative; /**< lg_callbacks::covectors_derivative */
    lg_field_fn potential_gradient;             /**< lg_callbacks::potential_gradient; NULL without a potential */
} lg_together;

/** out = omega_d(g0, g1), one number per row: a discrete velocity constraint, in units of A (xi - Y). */
typedef int (*lg_discrete_fn)(const lg_call *c, double h, const double *g0, const double *g1, double *out);
/** out = D_1 L_d or D_2 L_d (n numbers), left-trivialised, of a discrete Lagrangian L_d(g0, g1) that contains the
 *  factor h. */
typedef int (*lg_slope_fn)(const lg_call *c, double h, const double *g0, const double *g1, double *out);

/** out = a field between two configurations g0 and g1 = g0 tau(h xi); c->t is the time in the middle. `out` is zero on
 *  entry. Values of the functions of this type are paired with the displacement x: g1 - g0 on an abelian factor, twice
 *  tan(angle/2) along the axis of g0^-1 g1 on SO(3), which is h xi for the retraction "cayley". */
typedef int (*lg_mean_fn)(const lg_call *c, double h, const double *g0, const double *g1, double *out);

/** Computes a system's arrays of numbers from the parameters c->param: the constant inertia J (n x n) and the constant
 *  rows (m x n), both zero on entry. J is not used if there is lg_callbacks::metric; rows is NULL if there are no
 *  constant ones. A nonzero return refuses the parameters, with the reason in `why` (LG_MESSAGE_SIZE bytes, "" on
 *  entry). */
typedef int (*lg_arrays_fn)(const lg_call *c, double *J, double *rows, char *why);

/** Adds the bodies and shapes of a system to an empty scene, for the parameters c->param. A refusal of the scene is
 *  reported with its message, whatever the callback returns. */
typedef int (*lg_look_fn)(const lg_call *c, lg_scene *scene);
/** poses = where the bodies are, LG_POSE_SIZE numbers each: position, unit quaternion x, y, z, w. On entry all bodies
 *  lie at the origin, unturned. */
typedef int (*lg_poses_fn)(const lg_call *c, const double *g, double *poses);

/** A named parameter. */
typedef struct lg_parameter {
    const char *name;    /**< such as "Omega" */
    const char *unit;    /**< such as "rad/s"; "" for none */
    const char *meaning; /**< one phrase */
    double value;        /**< default */
    double low;          /**< smallest allowed value (may be -INFINITY) */
    double high;         /**< largest allowed value (may be INFINITY) */
    int open;            /**< 1: the bounds themselves are excluded */
} lg_parameter;

/** Which callbacks of a system understand several instances at once (lg_callbacks::lanes). */
enum {
    LG_LANES_ONE = 0,        /**< none: every call has lg_call::lanes == 1 */
    LG_LANES_EQUAL_TIME = 1, /**< the callbacks of a step understand lanes and read the one time lg_call::t */
    LG_LANES_OWN_TIMES = 2,  /**< the same, and they read lg_call::times: instances at different times share a call */
    LG_LANES_DERIVATIVES = 4 /**< added to one of the two above: the derivatives of rows, holonomic constraints and dV
                              *   understand lanes in the same way */
};

/** Words about a column of a run or about a control, for people who read tables and pictures. */
typedef struct lg_column_text {
    const char *name; /**< such as "alpha", "xi_4", "inv_p_psi"; for a control a name without '=', such as "torque" */
    const char *unit; /**< such as "m/s"; "" for a pure number */
    const char *meaning; /**< one phrase; NULL: the usual one */
} lg_column_text;

/** The functions of the configuration that a system computes, and facts about them. Zero means none. The struct is the
 *  last member of both lg_system and lg_model_definition and grows at its end. */
typedef struct lg_callbacks {
    int control_count;   /**< number of controls u, see lg_call::control */
    int holonomic_count; /**< number of holonomic constraints; holonomic_count + constraint_count <= n */
    /** LG_LANES_ONE, LG_LANES_EQUAL_TIME or LG_LANES_OWN_TIMES, to either of which LG_LANES_DERIVATIVES may be added.
     *  The first three concern the callbacks that every step evaluates: metric, metric_gradient, potential,
     *  potential_gradient, force, covectors, drift, holonomic, holonomic_differential and holonomic_rate;
     *  LG_LANES_DERIVATIVES concerns covectors_derivative, covectors_rate, holonomic_acceleration, potential_hessian
     *  and together. With lanes, each instance must get the same bits as in a call of its own. A block of an
     *  ensemble then makes one call for all its instances. All other callbacks always see one instance. */
    int lanes;
    int time_dependent; /**< 1: some callback reads lg_call::t or lg_call::times */

    lg_field_fn metric;                  /**< J(g), n x n, replaces a constant inertia; NULL: constant */
    lg_field_along_fn metric_gradient;   /**< dT(g, xi), n numbers: left differential of 1/2 xi.J(g) xi at fixed xi;
                                          *   NULL: differences */
    lg_scalar_fn potential;              /**< V(g); NULL: none */
    lg_field_fn potential_gradient;      /**< dV(g), n numbers; NULL: differences */
    lg_field_along_fn potential_hessian; /**< d/ds dV(g exp(s eta)) at s = 0, n numbers, with eta passed as the
                                          *   velocity; needs potential_gradient. NULL: differences. Only linearisations
                                          *   use it */
    lg_field_along_fn force;             /**< f(t, g, xi, u), n numbers, a covector that is added to -dV; NULL: none */

    lg_covectors_fn covectors;                  /**< rows (constraint_count x n) and drift Y (n) at g; NULL: constant
                                                 *   rows */
    lg_field_fn drift;                          /**< Y(g), n numbers, together with constant rows; NULL: linear
                                                 *   constraints */
    lg_covectors_along_fn covectors_derivative; /**< derivative of rows and drift along a direction, at fixed t; NULL:
                                                 *   differences. Accelerations need it, see covectors_rate */

    lg_field_fn holonomic;              /**< phi(t, g), holonomic_count numbers; NULL: none */
    lg_field_fn holonomic_differential; /**< d phi, holonomic_count x n, row-major; NULL: differences */
    lg_field_fn holonomic_rate;         /**< partial derivative of phi with respect to t; NULL: differences if
                                         *   time_dependent, else 0 */

    lg_discrete_fn discrete_constraint; /**< omega_d of your own, constraint_count numbers (method `dla:user`) */
    lg_slope_fn discrete_slope_1;       /**< D_1 L_d of your own discrete Lagrangian (method option `user`) */
    lg_slope_fn discrete_slope_2;       /**< D_2 L_d of the same Lagrangian */

    const lg_column_text *columns; /**< units and meanings of columns, a NULL name ends them; NULL: those that follow
                                    *   from the group. The unit of a coordinate `q` gives those of its velocity and
                                    *   its momentum. Used by `liegrp info` and pictures, not by a step */
    const lg_column_text
        *controls;    /**< the controls' names, units and meanings, control_count of them; NULL: u_1, ... */
    const char *plot; /**< what a picture of a run shows, as `liegrp run --plot-columns` takes it; NULL: chosen from the
                       *   group, the constraints and the invariants */

    /** What `sem` takes instead of integrals of d phi, dV and f along the arc, on products of abelian groups and SO(3):
     *  energy and constraints then hold without an error of quadrature. All are symmetric in g0 and g1, and where these
     *  coincide they are d phi, dV and f. If phi is bilinear in the positions r and rotations R of bodies, its rows are
     *  d phi at the averaged pose ((r0 + r1)/2, (R0 + R1)/2): the matrix is not a rotation, and a torque T in space
     *  gives the entries R^T T. NULL: the integrals. They do not go with time_dependent. */
    lg_mean_fn holonomic_mean; /**< G, holonomic_count x n, with G x = phi(g1) - phi(g0) */
    lg_mean_fn potential_mean; /**< G, n numbers, with G x = V(g1) - V(g0) */
    lg_mean_fn force_mean;     /**< f, n numbers, whose work is f x */

    /** Partial derivatives of rows and drift with respect to t, at fixed g. NULL: 0 unless time_dependent, then
     *  differences. With covectors_derivative it gives the rates d/dt A(t, g) and d/dt Y(t, g) along a motion, which
     *  accelerations need (the baselines, the start LG_START_REACTION): A xi' = A' (Y - xi) + A Y'. */
    lg_covectors_fn covectors_rate;
    /** d^2/ds^2 phi(t + s, g exp(s xi)) at s = 0, holonomic_count numbers: the acceleration of phi at constant xi,
     *  which is minus d phi.xi' where the constraint is kept. NULL: differences. */
    lg_field_along_fn holonomic_acceleration;

    const void *model_context; /**< in an lg_model_definition: lg_call::context of all its functions, which must outlive
                                *   all models made from it. A system has lg_system::context, and does not use this */

    lg_look_fn look; /**< what a model looks like: lg_model_scene(); NULL: axes and points that follow from the group.
                      *   c->times[0] is 0. No step uses this and the next */
    lg_poses_fn
        poses; /**< where the bodies of `look` are at time c->times[0]: lg_model_poses(); NULL: as the group says
                */

    /** Three callbacks in one; it must outlive all objects made from the system. `gauss` uses it in its rate form,
     * where the metric is constant and there are neither holonomic constraints nor time_dependent. NULL: one after
     * another
     */
    const lg_together *together;

    /** What lg_system::inertia_diagonal or inertia and lg_system::covector_matrix are for other values of the
     *  parameters. Linearisations use it: without it, derivatives with respect to parameters are not known (NaN) where
     *  a system has such arrays. If the arrays do not depend on the parameters, it returns the arrays. In an
     *  lg_model_definition it is not used: lg_model_definition::configure has its place. */
    lg_arrays_fn arrays;

    /** The derivative of `force` along a change of configuration, velocity and controls; NULL: differences. Only
     *  linearisations use it, where steps are differentiated by tangents. */
    lg_force_along_fn force_derivative;
} lg_callbacks;

/** A mechanical system. Start from lg_system_default(). An integrator copies the arrays of numbers when it is created.
 *  The group, the context and the parameters' names must outlive the integrator. */
typedef struct lg_system {
    size_t size;           /**< sizeof(lg_system), set by lg_system_default(); set it to your own sizeof in a copy of a
                            *   system that the library made */
    const lg_group *group; /**< where the configuration lives */
    const void *context;   /**< passed to every callback */

    /** The metric: exactly one of inertia_diagonal, inertia and callbacks.metric. This one is a constant diagonal, n
     *  numbers. */
    const double *inertia_diagonal;
    const double *inertia; /**< constant symmetric positive definite n x n matrix */

    int constraint_count;           /**< m, number of velocity constraints (rows); 0 <= m <= n. n of them prescribe
                                     *   the velocity, Y(t, g), which may also depend on
                                     *   lg_call::control */
    int parameter_count;            /**< number of named parameters */
    const double *covector_matrix;  /**< constant rows, m x n, row-major; NULL: callbacks.covectors */
    const double *projector_metric; /**< metric J' of the projectors, n x n; NULL: the kinetic metric */

    const lg_parameter *parameters; /**< the parameters' descriptions; may be NULL */
    const double *parameter_values; /**< their values; NULL: the defaults of `parameters` */

    lg_callbacks callbacks; /**< what the system computes */
} lg_system;

/** The lg_call that a callback of S receives for one instance at time *t, so that you can call it yourself. `control`
 *  may be NULL if the system has no controls. The struct keeps the pointers. */
static inline lg_call lg_system_call(const lg_system *S, const double *t, const double *control)
{
    const lg_call call = {S->context, S->parameter_values, *t, 1, control, t};
    return call;
}

/** Initialises a system of `size` bytes; see lg_system_default(). */
LG_API void lg_system_init(lg_system *S, size_t size, const lg_group *G);
/** An empty system on G: no metric yet, no potential, no constraints. */
static inline lg_system lg_system_default(const lg_group *G)
{
    lg_system S;
    lg_system_init(&S, sizeof S, G);
    return S;
}

/** Checks that the system is complete and consistent. `error` may be NULL.
 *  - LG_ERROR_ARGUMENT: something is missing or contradictory; the message says what.
 *  - LG_ERROR_ARGUMENT: the group has more than 10000 dimensions.
 *  - LG_ERROR_SINGULAR: a constant inertia is not symmetric positive definite (the message names the entry or pivot),
 *    or constant rows are dependent.
 *  - LG_ERROR_SINGULAR: an inertia is nearly singular. Of a diagonal entry less than 1e-7 is left when the other
 *    velocities give way, so that these lose more than seven digits; scales do not matter. */
LG_API LG_MUST_CHECK lg_status lg_system_validate(const lg_system *S, lg_error *error);

/** Compares every derivative that the user supplies with differences. The comparison takes place at `points` random
 *  elements near g0 (NULL: anywhere in the group), at t = 0, or at random times in [0, 1) if time_dependent. All
 *  controls are 0, and small where lanes are compared. At the same points it checks that
 *  - the metric is positive definite;
 *  - potential and force are finite;
 *  - holonomic and velocity constraints together have full rank;
 *  - nothing depends on time if time_dependent is 0;
 *  - callbacks declared to understand lanes do so.
 *
 *  Errors:
 *  - LG_ERROR_ARGUMENT: an entry differs by more than `tolerance` times its scale (<= 0: 1e-6), something depends on
 *    time although time_dependent is 0, or a callback does not understand lanes as declared. The message names the
 *    callback, the entry, both values and the point.
 *  - LG_ERROR_SINGULAR: the metric is not definite, or constraints are dependent.
 *  - LG_ERROR_NOT_FINITE: a value is not finite.
 *  - LG_ERROR_CALLBACK: a callback failed. */
LG_API LG_MUST_CHECK lg_status lg_system_check(const lg_system *S, lg_rng *rng, const double *g0, int points,
                                               double tolerance, lg_error *error);

/** H(g, p) = 1/2 p.J(g)^-1 p + V(g) at time t. */
LG_API LG_MUST_CHECK lg_status lg_system_energy(const lg_system *S, double *H, double t, const double *g,
                                                const double *p, lg_error *error);

/** The projectors Q* = A^T C^-1 A J'^-1 and P* = 1 - Q* on covectors at g, C = A J'^-1 A^T, as n x n matrices, and Pi =
 *  J Y (n numbers). Each output may be NULL. The reflection of the GNI is p -> (P - Q)* p + 2 Q* Pi.
 *
 *  A system with holonomic constraints uses all rows A = [d phi; mu]. Its motion satisfies A xi = b = [-phi_t; mu Y],
 *  and Pi is the covector with A J^-1 Pi = b that is shortest in the kinetic metric, Pi = A^T (A J^-1 A^T)^-1 b. It is
 *  zero if nothing moves.
 *  - LG_ERROR_SINGULAR: the rows are dependent. */
LG_API LG_MUST_CHECK lg_status lg_system_projectors(const lg_system *S, double *P_star, double *Q_star, double *Pi,
                                                    double t, const double *g, lg_error *error);

LG_END

#endif
