/* SPDX-License-Identifier: BSD-3-Clause */
/** @file model.h
 *  A model: a system with named parameters, initial data, invariants and, where one is known, its exact solution. */
#ifndef LIEGRP_RUN_MODEL_H
#define LIEGRP_RUN_MODEL_H

#include "../mechanics/system.h"
#include "../multibody/mechanism.h"

LG_BEGIN

/** A model: opaque. */
typedef struct lg_model lg_model;

/** A quantity of the state that the true motion conserves (or that the paper plots): its value at (t, g, p~), where p~
 *  is the momentum at a node that satisfies the constraints (docs/conventions.md). */
typedef struct lg_invariant {
    const char *name;    /**< such as "spatial_momentum_1", written to the column `inv_spatial_momentum_1` */
    const char *meaning; /**< one phrase */
    int (*value)(const lg_call *c, const double *g, const double *p, double *out); /**< computes it: *out, one number */
} lg_invariant;

/** The description of a system. Fill one and pass it to lg_model_create(); the catalog does nothing else. */
typedef struct lg_model_definition {
    size_t size;                             /**< sizeof(lg_model_definition): it grows at its end */
    const char *name;                        /**< such as "rolling-ball" */
    const char *summary;                     /**< one line */
    const char *source;                      /**< where it comes from, with equation numbers */
    const char *remark;                      /**< what a user must know; may be NULL */
    const lg_group *(*group)(void);          /**< a static group; NULL: a product of `factors` */
    int factor_count;                        /**< number of factors */
    const lg_group *(*const *factors)(void); /**< static factors of the product */
    /** Names of the coordinates (of R^n, T^n) in order; NULL, or an entry that is NULL or "": q_1, q_2 ... Names are
     *  UTF-8, of which 60 bytes count. Any characters are allowed: CSV and NPY quote them. A name that another column
     *  has already (`t`, `xi_1`, `energy`) gets a number, `energy_2`. */
    const char *const *coordinate_names;
    int parameter_count;            /**< number of parameters */
    const lg_parameter *parameters; /**< names, units, defaults, ranges */
    int constraint_count;           /**< m, number of velocity constraints */
    int invariant_count;            /**< number of invariants */
    const lg_invariant *invariants; /**< the invariants */
    int has_constant_rows;          /**< 1: configure() fills `rows` with a constant matrix */
    /** Computes from the parameters the inertia J (n x n, zero on entry; not used if there is callbacks.metric) and, if
     *  has_constant_rows, the rows (m x n, zero on entry). A nonzero return refuses the parameters, with the reason in
     *  `why` (LG_MESSAGE_SIZE bytes). configure(), initial() and exact() see the parameters as c->param, and
     *  callbacks.model_context as c->context. */
    lg_arrays_fn configure;
    /** Computes from the parameters the default g0 (an element on the holonomic constraints) and xi0 (n), consistent
     *  after projection. Both are zero on entry. A nonzero return becomes LG_ERROR_CALLBACK. */
    int (*initial)(const lg_call *c, double *g0, double *xi0);
    /** The exact solution at time c->t from (g0, xi0) at time 0; may be NULL. It returns nonzero where the closed form
     *  does not hold. */
    int (*exact)(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi);
    double step; /**< a step that resolves the default motion, and the default of `liegrp run`; 0: 0.01 */
    /** The functions of the system. lg_callbacks::lanes does not concern the invariants, which always see one instance.
     */
    lg_callbacks callbacks;
} lg_model_definition;

/** Creates a model. The objects that the definition points to must outlive it. On failure *M still holds the message
 *  (lg_model_message()). */
LG_API LG_MUST_CHECK lg_status lg_model_create(lg_model **M, const lg_model_definition *definition);
/** Creates the model of a compiled mechanism, which must outlive it. Its motions start, where nothing else is given, as
 *  assembled and at rest, those of an exhibit of the gallery as lg_gallery_start() says. The methods are those of
 *  mechanisms (lg_motion_create()) and all others, by lg_mechanism_system().
 *  - LG_ERROR_ARGUMENT: the mechanism is NULL or not compiled.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_model_of_mechanism(lg_model **M, lg_mechanism *m, const char *name);
/** Frees the object. NULL is allowed. */
LG_API void lg_model_destroy(lg_model *M);
/** Message of the last failed call; "" if no call has failed. */
LG_API const char *lg_model_message(const lg_model *M);
/** Its name, such as "rolling-ball". */
LG_API const char *lg_model_name(const lg_model *M);
/** The mechanism that it was created of; NULL: it is one of a definition. What lg_model_set() sets does not change it:
 *  lg_model_mechanism(lg_motion_model(mo)) has the parameters of a motion. */
LG_API const lg_mechanism *lg_model_mechanism(const lg_model *M);
/** Number of controls. */
LG_API int lg_model_control_count(const lg_model *M);
/** The model's own copy of its definition; NULL: it is the model of a mechanism. */
LG_API const lg_model_definition *lg_model_describe(const lg_model *M);
/** The default step of runs: that of the definition, or 0.01 if that is 0. NaN for NULL and for a model whose creation
 *  failed. */
LG_API double lg_model_default_step(const lg_model *M);
/** Sets a parameter, of a mechanism by its name of parameters.h, "crank.mass". Motions that exist keep theirs. The next
 *  motion, system or scene compiles a mechanism with all that is set, which may refuse it; each mechanism that was
 *  compiled stays in memory until the model is destroyed.
 *  - LG_ERROR_ARGUMENT: no such parameter (the message lists all, or the nearest ones of a mechanism), or the value is
 *    out of its range.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_model_set(lg_model *M, const char *parameter, double value);
/** *value = the value of a parameter.
 *  - LG_ERROR_ARGUMENT: no such parameter. */
LG_API LG_MUST_CHECK lg_status lg_model_get(const lg_model *M, double *value, const char *parameter);
/** Sets an initial value by column name: a configuration column (`x`, `qx_2`, `theta`) or `xi_1` ... `xi_n`.
 *  lg_model_initial() checks quaternions.
 *  - LG_ERROR_ARGUMENT: no such column (the message lists all). */
LG_API LG_MUST_CHECK lg_status lg_model_set_initial(lg_model *M, const char *column, double value);
/** row = named start `key` of the file of a mechanism (lg_mechanism_key_name()), lg_model_column_count() numbers: time,
 *  positions, velocities and controls; NaN in all other columns, and for positions that the file does not give.
 *  lg_motion_start_key() starts a motion from it; lg_motion_start(mo, row[1], row, project) does so without the
 * controls.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the model is not one of a mechanism, it has no such start, or a quaternion
 * of it is 0.
 *  - LG_ERROR_UNSUPPORTED: the start is wrong in the file, or has what is not read: the message says where and what.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_model_key(lg_model *M, double *row, int key);
/** *S = the system for the present parameters. It belongs to the model and is valid until the next lg_model_set().
 *  - LG_ERROR_SINGULAR: these parameters give a singular inertia or dependent rows.
 *  - LG_ERROR_ARGUMENT: these parameters are refused. */
LG_API LG_MUST_CHECK lg_status lg_model_system(lg_model *M, const lg_system **S);
/** The initial data g0 (element) and xi0 (n): the defaults for the present parameters, overwritten by
 *  lg_model_set_initial(). Quaternions within 1e-3 of unit length are normalised. Of a quaternion that is given in part
 *  the rest is scaled so that its length is 1; where that is impossible it is refused. *velocity_given (may be NULL)
 *  says whether any xi was set: lg_run() projects the default velocity onto the constraints, but only checks a velocity
 *  or configuration that the user set. */
LG_API LG_MUST_CHECK lg_status lg_model_initial(lg_model *M, double *g0, double *xi0, int *velocity_given);
/** The kind of quantity in a column. */
typedef enum lg_column_kind {
    LG_COLUMN_FIGURE,        /**< of the step or the state: number, time, energy, work, residuals */
    LG_COLUMN_CONFIGURATION, /**< of g, or a joint's position, or of the pose of a body that floats */
    LG_COLUMN_VELOCITY,      /**< of xi, or the rate of such a position */
    LG_COLUMN_MOMENTUM,      /**< of p~ */
    LG_COLUMN_CONTROL,       /**< torque or force of a motor during the step that begins */
    LG_COLUMN_INVARIANT,     /**< an lg_invariant */
    LG_COLUMN_ACTIVATION     /**< of a motor or thruster whose control acts with dynamics (lg_activation) */
} lg_column_kind;
/** A column of the rows of a model's motions. */
typedef struct lg_column {
    const char *name;    /**< such as "theta"; no other column has it */
    const char *unit;    /**< such as "rad"; "-": a pure number; "": the model does not say */
    const char *meaning; /**< a description in one phrase */
    lg_column_kind kind; /**< the kind of quantity */
} lg_column;
/** Number of columns of a row. Of a definition these are step, t, the configuration as written (SE(2), for example, has
 *  x, y, theta), xi_1 ... xi_n, p_1 ... p_n, energy, energy_post, constraint, normal, inv_NAME for each invariant. Of a
 *  mechanism:
 *  - step, t
 *  - JOINT for each joint of the spanning tree: its position; JOINT_1, JOINT_2, ... where it has several,
 *    or the name of the lg_coordinate that is the position
 *  - BODY_x, BODY_y, BODY_z, BODY_qx, BODY_qy, BODY_qz, BODY_qw for each body that floats: the pose of its frame
 *  - JOINT_vel, JOINT_vel_1, ...: velocities of these joints
 *  - BODY_vx, BODY_vy, BODY_vz, BODY_wx, BODY_wy, BODY_wz: velocity of the frame's origin and angular velocity, in
 *    space
 *  - JOINT_tau for each motor: its torque or force during the step that begins
 *  - energy, work, gap and slip, as lg_motion_energy() and so on
 *
 *  A name that is taken already gets _2, _3, ... */
LG_API int lg_model_column_count(const lg_model *M);
/** Column i, owned by the model; NULL if i is out of range. */
LG_API const lg_column *lg_model_column(const lg_model *M, int i);
/** The number of the column of this name; -1: no column has it. */
LG_API int lg_model_column_find(const lg_model *M, const char *name);
/** Writes an element g as the columns of the configuration; nothing for a model of a mechanism. `previous` (may be
 *  NULL) holds those of the previous step, from which angles of T^n and SE(2) are unwrapped. */
LG_API void lg_model_write(const lg_model *M, double *columns, const double *g, const double *previous);

/** *scene = the look of the model with the present parameters, from lg_callbacks::look. A model without that callback
 *  has the look of its group: R^3 x SO(3), R^2 x SO(2), SE(3), SE_2(3), SE(2), SO(3) and SO(2) each give a body with
 *  axes, which is at the origin if an SO has no position; R^n gives a point at its first three coordinates, T^n a body
 *  turned about z for each of its first three angles; other groups give nothing. It belongs to the model and is valid
 *  until the next lg_model_scene() or lg_model_set().
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_ARGUMENT: there is lg_callbacks::poses without `look`, or `look` without `poses` adds another number of
 *    bodies than follows from the group.
 *  - LG_ERROR_ARGUMENT: `look` added something that the scene refused; the message is the scene's.
 *  - LG_ERROR_CALLBACK: `look` failed.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_model_scene(lg_model *M, const lg_scene **scene);
/** poses = where the bodies of lg_model_scene() are at time t in the configuration g, LG_POSE_SIZE numbers a body. It
 *  allocates only what lg_model_scene() does, once for the present parameters.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL.
 *  - LG_ERROR_CALLBACK: lg_callbacks::poses failed.
 *  - other errors: those of lg_model_scene(). */
LG_API LG_MUST_CHECK lg_status lg_model_poses(lg_model *M, double *poses, double t, const double *g);

LG_END

#endif
