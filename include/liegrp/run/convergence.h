/* SPDX-License-Identifier: BSD-3-Clause */
/** @file convergence.h
 *  Observed orders: errors at a time T against a reference, over steps that are halved, separately for reduced and
 *  reconstructed variables.
 *
 *  Errors are Euclidean norms in the coordinates of the algebra. A measurement has these columns:
 *  - one per factor of a product, named after it ("R^2", "SO(3)", a second "SE(2)_2"): |log(a^-1 b)|, so that angles
 *    are compared modulo 2 pi. Beside a factor that does not commute, R^n and T^n are the shape, or base, and count as
 *    reduced variables. Other factors are group elements, reconstructed from the reduced motion;
 *  - of a mechanism instead "BODY position" and "BODY attitude" for each body, reconstructed variables;
 *  - "configuration": all factors together;
 *  - "momentum": the body momentum p~ at the node (docs/conventions.md), a reduced variable;
 *  - "energy": H(g, p~). */
#ifndef LIEGRP_RUN_CONVERGENCE_H
#define LIEGRP_RUN_CONVERGENCE_H

#include "motion.h"

LG_BEGIN

/** Largest number of levels. */
#define LG_CONVERGENCE_LEVELS 12
/** Largest number of columns. A product of more than 12 factors has no columns for single factors. */
#define LG_CONVERGENCE_COLUMNS 15

/** The variables that a column measures. */
typedef enum lg_variables {
    LG_VARIABLES_REDUCED,       /**< the shape, or the body momentum */
    LG_VARIABLES_RECONSTRUCTED, /**< group elements */
    LG_VARIABLES_BOTH           /**< the energy, and a configuration that holds a shape and group elements */
} lg_variables;

/** A column, and how accurate the reference is there. */
typedef struct lg_convergence_column {
    char name[32];     /**< see above */
    lg_variables kind; /**< reduced or reconstructed */
    int exact;         /**< 1: from the model's exact solution; 0: from the method of the reference */
    double error;      /**< estimated error of the reference itself at T; for the exact solution its rounding */
    double scale;      /**< size of the quantity, to which rounding is relative */
} lg_convergence_column;

/** The state of a model at a time T as accurately as it can be known: opaque. Once created, it serves any number of
 *  measurements, on several threads at a time. */
typedef struct lg_reference lg_reference;

/** Creates the reference for T = `steps` steps of options->step (NULL: the default options), from the model's initial
 *  state; `project` as for lg_motion_start(). Method, retraction and start do not matter. The reference uses the
 *  model's exact() where it has values. The rest is computed with the first of sem\@kahan-li8, sem:gauss=8\@kahan-li6,
 *  gni\@kahan-li6 and rk4 that accepts the model. Its steps are halved until two results differ by rounding only, or
 *  until they are a 64th of options->step (4096th for rk4) and more than 8192; the last difference is the estimate of
 *  the error. On failure *R still holds the message (lg_reference_message()), unless it is NULL.
 *  - LG_ERROR_ARGUMENT: invalid options, or steps < 1.
 *  - LG_ERROR_UNSUPPORTED: the group has no exp and log.
 *  - LG_ERROR_INCONSISTENT: the initial data violate the constraints.
 *  - LG_ERROR_CONVERGENCE, LG_ERROR_DOMAIN, LG_ERROR_SINGULAR, LG_ERROR_NOT_FINITE, LG_ERROR_CALLBACK: no method
 *    reaches T.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_reference_create(lg_reference **R, lg_model *M, const lg_motion_options *options,
                                                   int64_t steps, int project);
/** Frees the object. NULL is allowed. */
LG_API void lg_reference_destroy(lg_reference *R);
/** The message of the failure; "" after success. */
LG_API const char *lg_reference_message(const lg_reference *R);
/** The method that computed what is not exact; NULL: everything is exact. */
LG_API const char *lg_reference_method(const lg_reference *R);
/** The step of that method; NaN: everything is exact. */
LG_API double lg_reference_step(const lg_reference *R);
/** Number of columns. */
LG_API int lg_reference_column_count(const lg_reference *R);
/** Column i; NULL if i is out of range. */
LG_API const lg_convergence_column *lg_reference_column(const lg_reference *R, int i);

/** The errors with one step size. */
typedef struct lg_convergence_level {
    double step;                          /**< h */
    int64_t steps;                        /**< T / h */
    lg_status status;                     /**< LG_OK, or why T was not reached with this step */
    char message[LG_MESSAGE_SIZE];        /**< the message of that failure; "" after success */
    double error[LG_CONVERGENCE_COLUMNS]; /**< the errors; NaN if T was not reached */
    double floor[LG_CONVERGENCE_COLUMNS]; /**< what an error must exceed to say something about the method: 10 times the
                                           *   reference's error, plus rounding, 1e-14 sqrt(steps) of the scale */
    int used[LG_CONVERGENCE_COLUMNS];     /**< 1: the error enters the order */
} lg_convergence_level;

/** A measurement. */
typedef struct lg_convergence {
    int columns;                                       /**< as lg_reference_column_count() */
    int levels;                                        /**< number of step sizes */
    lg_convergence_level level[LG_CONVERGENCE_LEVELS]; /**< from the coarsest step to the finest */
    double order[LG_CONVERGENCE_COLUMNS]; /**< least-squares slope of log(error) over log(h) through the errors used;
                                           *   NaN: fewer than two are used */
    char message[LG_MESSAGE_SIZE];        /**< why nothing was measured; "" after success */
} lg_convergence;

/** Measures the errors of motions with these options (NULL: the default) against R, with the steps options->step, 1/2,
 *  1/4, ... of it, `steps` of the first, and the orders. From the coarsest step on, errors are used until the first
 *  that does not exceed its floor. If a step size does not reach T, its level has a status; the measurement continues.
 *  The model must be as it was when R was created. Errors are those of lg_motion_create() and lg_motion_start(), and:
 *  - LG_ERROR_ARGUMENT: `levels` is not in [2, LG_CONVERGENCE_LEVELS], T is not that of R, or a name is unknown.
 *  - LG_ERROR_UNSUPPORTED: method, retraction and model do not fit together. */
LG_API LG_MUST_CHECK lg_status lg_convergence_measure(lg_model *M, lg_convergence *c, const lg_reference *R,
                                                      const lg_motion_options *options, int64_t steps, int levels);

LG_END

#endif
