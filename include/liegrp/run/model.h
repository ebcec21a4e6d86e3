/* SPDX-License-Identifier: BSD-3-Clause */
/** @file model.h
 *  A model: a system with named parameters, initial data, invariants and, where one is known, its exact solution. */
#ifndef LIEGRP_RUN_MODEL_H
#define LIEGRP_RUN_MODEL_H

#include "../mechanics/system.h"

LG_BEGIN

/** A model: opaque. */
typedef struct lg_model lg_model;

/** A quantity of the state that the true motion conserves (or that the paper plots): its value at (t, g, p~). */
typedef struct lg_invariant {
    const char *name;    /**< "spatial_momentum_1": column `inv_spatial_momentum_1` */
    const char *meaning; /**< one phrase */
    int (*value)(const lg_call *c, const double *g, const double *p, double *out); /**< its value */
} lg_invariant;

/** How a system is described. Fill one and hand it to lg_model_create(): the catalog does nothing else. */
typedef struct lg_model_definition {
    size_t size;                             /**< sizeof(lg_model_definition): it grows at its end */
    const char *name;                        /**< "rolling-ball" */
    const char *summary;                     /**< one line */
    const char *source;                      /**< where it comes from, with equation numbers */
    const char *remark;                      /**< what a user must know, may be NULL */
    const lg_group *(*group)(void);          /**< static group; or NULL and */
    int factor_count;                        /**< the number of */
    const lg_group *(*const *factors)(void); /**< static factors of a product */
    const char *const *coordinate_names;     /**< names of the R^n and T^n coordinates in order; may be NULL */
    int parameter_count;                     /**< number of parameters */
    const lg_parameter *parameters;          /**< names, units, defaults, ranges */
    int constraint_count;                    /**< m */
    int invariant_count;                     /**< number of invariants */
    const lg_invariant *invariants;          /**< the invariants */
    int has_constant_rows;                   /**< 1: configure() fills `rows` with a constant matrix */
    /** These three see the parameters as c->param; c->context is NULL.
     *  From parameters: inertia J (n x n, zero on entry; not used beside `metric`) and, if has_constant_rows, rows
     * (m x n, zero on entry). Nonzero return: refuse, with the reason in `why` (LG_MESSAGE_SIZE bytes). */
    int (*configure)(const lg_call *c, double *J, double *rows, char *why);
    /** From parameters: default g0 (element, on the holonomic constraints) and xi0 (n), consistent after projection;
     * both are zero on entry. Nonzero return: LG_ERROR_CALLBACK. */
    int (*initial)(const lg_call *c, double *g0, double *xi0);
    /** Exact solution at time c->t from (g0, xi0) at time 0, or NULL; returns nonzero where the closed form does not
     * hold.
     */
    int (*exact)(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi);
    double step; /**< a step that resolves the default motion (what `liegrp run` takes by default); 0: 0.01 */
    /** What the system computes: LG_LANES_EQUAL_TIME or _OWN_TIMES do not concern the invariants, which always see one
     * instance. configure()'s inertia is not used beside callbacks.metric. */
    lg_callbacks callbacks;
} lg_model_definition;

/** Makes a model; what the definition points to must outlive it. On failure *M still holds the message
 *  (lg_model_message()). */
LG_API LG_MUST_CHECK lg_status lg_model_create(lg_model **M, const lg_model_definition *definition);
/** Frees it; NULL is left alone. */
LG_API void lg_model_destroy(lg_model *M);
/** The last error's text, "" when all is well. */
LG_API const char *lg_model_message(const lg_model *M);
/** Its definition: the model's own copy. */
LG_API const lg_model_definition *lg_model_describe(const lg_model *M);
/** The step that runs take by default: its definition's, 0.01 where that has none (0); NaN for NULL and for a model
 * whose creation failed. */
LG_API double lg_model_default_step(const lg_model *M);
/** Sets a parameter. LG_ERROR_ARGUMENT: no such parameter (the message lists those there are), or out of its range. */
LG_API LG_MUST_CHECK lg_status lg_model_set(lg_model *M, const char *parameter, double value);
/** A parameter's value. LG_ERROR_ARGUMENT: no such parameter. */
LG_API LG_MUST_CHECK lg_status lg_model_get(const lg_model *M, double *value, const char *parameter);
/** Sets an initial value by column name: a configuration column (`x`, `qx_2`, `theta`) or `xi_1` ... `xi_n`.
 *  LG_ERROR_ARGUMENT: no such column (the message lists them). Quaternions are checked by lg_model_initial(). */
LG_API LG_MUST_CHECK lg_status lg_model_set_initial(lg_model *M, const char *column, double value);
/** The system for the present parameters; belongs to the model, valid until the next lg_model_set().
 *  LG_ERROR_SINGULAR, LG_ERROR_ARGUMENT: these parameters make no system. */
LG_API LG_MUST_CHECK lg_status lg_model_system(lg_model *M, const lg_system **S);
/** Initial data: defaults for the present parameters, overwritten by what lg_model_set_initial() said. Quaternions
 *  within 1e-3 of a unit are normalised, others refused. *velocity_given (may be NULL) tells whether any xi was set:
 *  lg_run() projects the default velocity onto the constraints; what the user gives, velocity or configuration, it
 *  checks. */
LG_API LG_MUST_CHECK lg_status lg_model_initial(lg_model *M, double *g0, double *xi0, int *velocity_given);
/** Number of configuration columns as written (SE(2) has x, y, theta). */
LG_API int lg_model_column_count(const lg_model *M);
/** Name of configuration column i. */
LG_API const char *lg_model_column(const lg_model *M, int i);
/** The configuration as written. `previous` (may be NULL) holds the columns of the step before, from which angles of
 *  T^n and SE(2) are unwrapped. */
LG_API void lg_model_columns(const lg_model *M, double *columns, const double *g, const double *previous);

LG_END

#endif
