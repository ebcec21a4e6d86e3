/* SPDX-License-Identifier: BSD-3-Clause */
/** @file convergence.h
 *  Observed orders: errors at a time T against the truth, over steps that are halved, separately for what is reduced
 *  and what is reconstructed.
 *
 *  The columns of a measurement, errors as Euclidean norms in the coordinates of the algebra:
 *  - one a factor of a product, named after it ("R^2", "SO(3)", a second "SE(2)_2"): |log(a^-1 b)|, so that angles are
 *    compared modulo 2 pi. Beside a factor that does not commute, R^n and T^n are the shape, or base, and reduced
 *    variables; other factors are group elements, reconstructed from the reduced motion;
 *  - "configuration": all factors together;
 *  - "momentum": the body momentum p~, a reduced variable;
 *  - "energy": H(g, p~). */
#ifndef LIEGRP_RUN_CONVERGENCE_H
#define LIEGRP_RUN_CONVERGENCE_H

#include "run.h"

LG_BEGIN

/** Most levels. */
#define LG_CONVERGENCE_LEVELS 12
/** Most columns; a product of more than 12 factors has none for each of them. */
#define LG_CONVERGENCE_COLUMNS 15

/** What a column is about. */
typedef enum lg_variables {
    LG_VARIABLES_REDUCED,       /**< the shape, or the body momentum */
    LG_VARIABLES_RECONSTRUCTED, /**< group elements */
    LG_VARIABLES_BOTH           /**< the energy, and a configuration that holds a shape and group elements */
} lg_variables;

/** A column, and how well the reference knows it. */
typedef struct lg_convergence_column {
    char name[32];     /**< see above */
    lg_variables kind; /**< reduced or reconstructed */
    int exact;         /**< 1: by the model's exact solution, 0: by the method of the reference */
    double error;      /**< estimate of the reference's own error at T; for the exact solution its rounding */
    double scale;      /**< size of the quantity, which rounding is relative to */
} lg_convergence_column;

/** The state of a model at a time T as well as it can be known: opaque. Made once, it serves any number of
 *  measurements, on several threads at a time. */
typedef struct lg_reference lg_reference;

/** The reference for T = options->step * options->steps from the model's present parameters and initial data
 *  (options->project as in lg_run(); method, retraction and start do not matter). What the model's exact() tells is
 *  taken from there. The rest is computed with the first of sem\@kahan-li8, sem:gauss=8\@kahan-li6, gni\@kahan-li6
 *  and rk4 that takes the system, with steps that are halved until two results differ by rounding only, or until they
 *  are a 64th of options->step (4096th for rk4) and more than 8192; the last difference is the estimate of the error.
 *  On failure *R still holds
 *  the message (lg_reference_message()), unless it is NULL. LG_ERROR_ARGUMENT: options that make no sense, a
 * controller; LG_ERROR_UNSUPPORTED: the group has no exp and log; LG_ERROR_INCONSISTENT: initial data off the
 * constraints; LG_ERROR_CONVERGENCE, LG_ERROR_DOMAIN, LG_ERROR_SINGULAR, LG_ERROR_NOT_FINITE, LG_ERROR_CALLBACK: no
 * method arrives at T; LG_ERROR_MEMORY. */
LG_API LG_MUST_CHECK lg_status lg_reference_create(lg_reference **R, lg_model *M, const lg_run_options *options);
/** Frees the object. NULL is allowed. */
LG_API void lg_reference_destroy(lg_reference *R);
/** The text of the error, "" if there was none. */
LG_API const char *lg_reference_message(const lg_reference *R);
/** The method that computed what is not exact; NULL: all is exact. */
LG_API const char *lg_reference_method(const lg_reference *R);
/** The step of that method; NaN: all is exact. */
LG_API double lg_reference_step(const lg_reference *R);
/** Number of columns. */
LG_API int lg_reference_column_count(const lg_reference *R);
/** Column i, NULL for other i. */
LG_API const lg_convergence_column *lg_reference_column(const lg_reference *R, int i);

/** One step size. */
typedef struct lg_convergence_level {
    double step;                          /**< h */
    int64_t steps;                        /**< T / h */
    lg_status status;                     /**< LG_OK, or why T was not reached with this step */
    char message[LG_MESSAGE_SIZE];        /**< the same in words, "" if there was none */
    double error[LG_CONVERGENCE_COLUMNS]; /**< NaN where there is none */
    double floor[LG_CONVERGENCE_COLUMNS]; /**< what an error must exceed to say something about the method: 10 times the
                                           *   reference's error, plus rounding, 1e-14 sqrt(steps) of the scale */
    int used[LG_CONVERGENCE_COLUMNS];     /**< 1: it stands in the order */
} lg_convergence_level;

/** A measurement. */
typedef struct lg_convergence {
    int columns;                                       /**< as lg_reference_column_count() */
    int levels;                                        /**< number of step sizes */
    lg_convergence_level level[LG_CONVERGENCE_LEVELS]; /**< from the coarsest step to the finest */
    double order[LG_CONVERGENCE_COLUMNS]; /**< slope of least squares of log(error) over log(h) through what
                                           *   is used; NaN: fewer than two errors are */
    char message[LG_MESSAGE_SIZE];        /**< why nothing was measured, "" if there was none */
} lg_convergence;

/** Errors of options->method with options->retraction and options->start against R, with the steps options->step,
 *  1/2, 1/4, ... of it, and the orders. From the coarsest step on, errors are used until the first that does not exceed
 *  its floor. A step size with which T is not reached is a level with a status; the measurement goes on. The model must
 *  be as it was when R was made. LG_ERROR_ARGUMENT: `levels` not in [2, LG_CONVERGENCE_LEVELS], another T than R's,
 *  unknown names, a controller; LG_ERROR_UNSUPPORTED: method, retraction and system do not fit; others of
 *  lg_integrator_create() and lg_integrator_start(). */
LG_API LG_MUST_CHECK lg_status lg_convergence_measure(lg_model *M, lg_convergence *c, const lg_reference *R,
                                                      const lg_run_options *options, int levels);

LG_END

#endif
