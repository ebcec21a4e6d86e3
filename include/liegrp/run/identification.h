/* SPDX-License-Identifier: BSD-3-Clause */
/** @file identification.h
 *  Identification: the parameters and the start with which the motions of a model fit measurements.
 *
 *  Measured are columns of rows (lg_model_column()) at times t_s: joint positions, velocities, poses, momenta,
 *  energies. Of the unknowns x, parameters and initial values by name, an identification minimises
 *
 *      chi^2(x) = sum over samples s and columns i of |r_si|^2,    r_si = (model_i(t_s; x) - measured_si) / sigma_i
 *
 *  where the difference of angles is that modulo 2 pi, and that of an attitude, four columns NAME_qx, NAME_qy, NAME_qz,
 *  NAME_qw, is the rotation vector log(measured^-1 model), three numbers in rad. Between nodes the model's row is
 *  lg_motion_interpolate(): take samples at nodes, or steps that are short compared to sigma.
 *
 *  The method is that of Levenberg and Marquardt with columns scaled to length 1. Derivatives of r are central
 *  differences of whole runs, of order 4, so everything that has a name can be unknown, with every method of every
 *  model; an iteration makes 4 runs for each unknown. Directions of x that the data do not determine, whose singular
 *  value is below 1e-7 of the largest, stay as they are at the first guess, and lg_identification_solve() names them.
 *
 *  An object belongs to one thread at a time. Runs allocate: their motions are made anew. */
#ifndef LIEGRP_RUN_IDENTIFICATION_H
#define LIEGRP_RUN_IDENTIFICATION_H

#include "run.h"

LG_BEGIN

/** An identification: opaque. Below, P is the number of unknowns, S that of samples, C that of columns. */
typedef struct lg_identification lg_identification;

/** A number that is looked for. Its first guess is what the model has. */
typedef struct lg_unknown {
    const char *name; /**< a parameter, as lg_model_set() takes it; with `initial` a column, lg_model_set_initial() */
    int initial;      /**< 1: it is an initial value */
    double scale;     /**< a change of it that counts; 0: its size at the guess, or 1 where that is 0. Differences
                       *   begin with 1e-3 of it, and adapt */
} lg_unknown;

/** What is identified from which data. Start from lg_identification_problem_default(). Everything is copied but the
 *  mechanism or definition of the model and the contexts of callbacks, which must outlive the identification. */
typedef struct lg_identification_problem {
    size_t size;                      /**< sizeof(lg_identification_problem), set by the default */
    const lg_model *model;            /**< with its present parameters and initial values, the first guess */
    const lg_motion_options *options; /**< method, retraction, step > 0; NULL: the default ones */
    double t0;                        /**< when motions start; default 0. The start is projected onto the constraints */
    int unknown_count;                /**< P, from 1 to 200 */
    const lg_unknown *unknowns;       /**< P of them */
    int column_count;                 /**< C >= 1 */
    const char *const *columns;       /**< C names of columns; of an attitude all four */
    const double *sigma;              /**< C standard deviations > 0, of an attitude in rad in all four; NULL: all equal
                                       *   and unknown, to be estimated from the residuals */
    int sample_count;                 /**< S >= 1 */
    const double *times;              /**< S times, not before t0, ascending */
    const double *values;             /**< S x C measurements; NaN: none */
    lg_controller control;            /**< controls of each step, as in lg_run_options; NULL: none */
    void *control_context;            /**< passed to control */
    const double *controls;           /**< instead of control: those of each step from t0 on, held in it; NULL: none */
    int64_t control_steps;            /**< how many there are, each lg_model_control_count() numbers: up to the last
                                       *   sample */
} lg_identification_problem;

/** Initialises a problem of `size` bytes; see lg_identification_problem_default(). */
LG_API void lg_identification_problem_init(lg_identification_problem *problem, size_t size, const lg_model *model);
/** A problem with this model, without unknowns and data. */
static inline lg_identification_problem lg_identification_problem_default(const lg_model *model)
{
    lg_identification_problem problem;
    lg_identification_problem_init(&problem, sizeof problem, model);
    return problem;
}

/** Creates the identification and makes the run of the first guess. On failure *id still holds the message: read it
 *  with lg_identification_message() and free it with lg_identification_destroy().
 *  - LG_ERROR_ARGUMENT: a count, name, time, value, scale or deviation is missing or out of its range; an unknown is
 *    there twice; of an attitude there are fewer than four columns or a quaternion that is not of unit length; there
 *  are fewer measurements than unknowns. The message says which, and what would be right.
 *  - LG_ERROR_NOT_FINITE: the model's value of a column is not known at a sample: such columns need samples at nodes.
 *  - LG_ERROR_MEMORY: out of memory; *id may be NULL.
 *  - other errors: those of lg_motion_create(), lg_motion_start(), lg_motion_step() with the first guess. */
LG_API LG_MUST_CHECK lg_status lg_identification_create(lg_identification **id,
                                                        const lg_identification_problem *problem);
/** Frees the object. NULL is allowed. */
LG_API void lg_identification_destroy(lg_identification *id);
/** The text of the last error; "" after success. For NULL it says that there is no object. */
LG_API const char *lg_identification_message(const lg_identification *id);

/** Improves the unknowns until a correction changes none by more than `tolerance` of its scale, such as 1e-8, in at
 *  most `iterations` iterations. On failure the best values so far stay readable.
 *  - LG_ERROR_ARGUMENT: iterations < 1, or tolerance is not within 1e-12 and 0.1.
 *  - LG_ERROR_SINGULAR: there is a minimum, and the data do not determine all unknowns there: the message names the
 *    combination. Fix one of its unknowns, or measure more.
 *  - LG_ERROR_CONVERGENCE: no minimum after `iterations`, or no correction makes chi^2 smaller.
 *  - other errors: those of a run with a neighbour of the present values, whose unknown the message names. */
LG_API LG_MUST_CHECK lg_status lg_identification_solve(lg_identification *id, int iterations, double tolerance);

/** Figures of the present values. The struct grows at its end. */
typedef struct lg_identification_figures {
    double chi2;      /**< sum of squared residuals */
    int measurements; /**< number of residuals: an attitude has 3 */
    int rank;         /**< combinations of the unknowns that the data determine; -1 before the first iteration */
    int iterations;   /**< of the last lg_identification_solve() */
    int solved;       /**< 1: it succeeded */
    double scatter;   /**< sqrt(chi2 / (measurements - rank)), 1 where model and sigma are right; NaN without freedom */
    double correction; /**< the last correction, the largest one relative to its scale */
} lg_identification_figures;
/** Fills *f. `size` is sizeof *f.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or size is 0. */
LG_API LG_MUST_CHECK lg_status lg_identification_read(const lg_identification *id, lg_identification_figures *f,
                                                      size_t size);
/** The P present values, valid until the object is destroyed; NULL without one. */
LG_API const double *lg_identification_values(const lg_identification *id);
/** covariance = that of the values, P x P: (J^T J)^-1 with J the derivative of r, times scatter^2 where no sigma was
 *  given. The standard error of a value is the root of its diagonal entry. Along combinations that are not determined
 *  it is INFINITY or, mixed, NaN.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or there was no iteration yet. */
LG_API LG_MUST_CHECK lg_status lg_identification_covariance(const lg_identification *id, double *covariance);
/** What the model has in place of the measurements, S x C, valid until the object is destroyed; NULL without one. */
LG_API const double *lg_identification_predicted(const lg_identification *id);

LG_END

#endif
