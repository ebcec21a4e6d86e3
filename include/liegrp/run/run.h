/* SPDX-License-Identifier: BSD-3-Clause */
/** @file run.h
 *  A whole trajectory of a model: steps, columns, figures. */
#ifndef LIEGRP_RUN_RUN_H
#define LIEGRP_RUN_RUN_H

#include <stdio.h>

#include "../integrators/integrator.h"
#include "model.h"
#include "monitor.h"

LG_BEGIN

/** Format of a file of results. */
typedef enum lg_format {
    LG_FORMAT_CSV, /**< one header line, %.17g */
    LG_FORMAT_NPY  /**< NumPy array with named fields */
} lg_format;

/** Called to report progress; nonzero stops the run, which then ends well with what it has. */
typedef int (*lg_progress)(int64_t step, int64_t steps, void *context);
/** Called for every row that is written, in the order of lg_run_column(). */
typedef int (*lg_row)(const double *row, int columns, void *context);
/** Sets the controls u (lg_callbacks::control_count numbers; those of the step before on entry, zeros at first) that
 * are held during the coming step; nonzero ends the run with LG_ERROR_CALLBACK. */
typedef int (*lg_controller)(const lg_integrator *it, double *u, void *context);

/** Options of a run; start from lg_run_options_default(). */
typedef struct lg_run_options {
    size_t size;            /**< sizeof(lg_run_options), set by lg_run_options_default() */
    const char *method;     /**< default "sem" */
    const char *retraction; /**< default "exp" */
    double step;            /**< h; 0, the default: the model's own step, lg_model_default_step() */
    int64_t steps;          /**< default 1000 */
    int64_t every;          /**< rows are written every so many steps, default 1 */
    lg_start start;         /**< default LG_START_REACTION */
    int project;            /**< 1: project the initial configuration and velocity onto the constraints */
    const char *output;     /**< file, NULL for none; written beside its name and renamed when complete */
    lg_format format;       /**< format of the file */
    lg_progress progress;   /**< may be NULL; called about every 100 ms' worth of steps */
    void *progress_context; /**< handed to progress */
    lg_row row;             /**< may be NULL */
    void *row_context;      /**< handed to row */
    FILE *stream;           /**< a stream that rows are written to instead of a file; NULL: none */
    lg_controller control;  /**< may be NULL: all controls stay 0 */
    void *control_context;  /**< handed to control */
    lg_monitor **monitor;   /**< may be NULL; else *monitor becomes one that watches the run and gets, at its end, the
                             * growth rate predicted there. Read it, and destroy it whatever lg_run() returns */
    int64_t monitor_every;  /**< its K, default 0: by the number of steps, see lg_monitor_create() */
    lg_observer finish;     /**< may be NULL; called with the last state, also of a run that failed on the way; what it
                             * returns does not matter */
    void *finish_context;   /**< handed to finish */
} lg_run_options;

/** Figures of a run; start from lg_run_result_default(). */
typedef struct lg_run_result {
    size_t size;              /**< sizeof(lg_run_result), set by lg_run_result_default() */
    int64_t steps;            /**< steps done */
    double time;              /**< t at the end */
    double seconds;           /**< wall time of the whole run, its writing included */
    double energy_first;      /**< H(p~) at the start */
    double energy_low;        /**< least H(p~) */
    double energy_high;       /**< largest H(p~) */
    double energy_slope;      /**< drift of H(p~) per unit of time by lg_trend_slope(); NaN for fewer than 2 states */
    double energy_post_drift; /**< largest |H(p^-) - H(p^-)_0| / max(1e-300, |H(p^-)_0|); NaN: only for the GNI */
    double work;              /**< sum of lg_integrator_step_work(), 0 where nothing does work; NaN: only for `sem` */
    double balance;           /**< largest |H(p~) - H(p~)_0 - work until then|; NaN likewise */
    double constraint;        /**< largest |A (xi - Y)|, rows d phi of holonomic constraints included */
    double holonomic;         /**< largest |phi|; NaN without holonomic constraints */
    double normal_first;      /**< largest |p^- - p~| in the first tenth; NaN: only for the GNI */
    double normal_last;       /**< and in the last tenth */
    const char *iterations;   /**< what the next two count: "Newton iterations" (the factor that took most), or
                               * "residual evaluations" where a step is solved as a whole; NULL: nothing is solved */
    double iterations_mean;   /**< per step, or per sub-step of a composition the one that took most */
    int iterations_most;      /**< most in a step */
    int interrupted;          /**< 1: progress or row asked to stop */
    char message[LG_MESSAGE_SIZE]; /**< what went wrong, "" when all is well */
    double energy_slope_half;      /**< half width of the 95 % confidence interval of energy_slope; NaN for fewer than 8
                                    *   states */
} lg_run_result;

/** lg_run_options_default() of options of `size` bytes. */
LG_API void lg_run_options_init(lg_run_options *options, size_t size);
/** The defaults. */
static inline lg_run_options lg_run_options_default(void)
{
    lg_run_options options;
    lg_run_options_init(&options, sizeof options);
    return options;
}
/** lg_run_result_default() of a result of `size` bytes. */
LG_API void lg_run_result_init(lg_run_result *result, size_t size);
/** The figures of no run, for lg_run() to fill. */
static inline lg_run_result lg_run_result_default(void)
{
    lg_run_result result;
    lg_run_result_init(&result, sizeof result);
    return result;
}
/** Number of columns of a row. */
LG_API int lg_run_column_count(const lg_model *M);
/** Name of column i: step, t, configuration, xi_*, p_*, energy, energy_post, constraint, normal, inv_*. */
LG_API const char *lg_run_column(const lg_model *M, int i);
/** The row of an integrator's present state, lg_run_column_count() numbers: of a system of this model's definition,
 * with the integrator's own parameters. `columns` is its configuration as written, by lg_model_columns().
 * LG_ERROR_ARGUMENT: NULL, an integrator that has not started or is of another kind. */
LG_API LG_MUST_CHECK lg_status lg_run_row(const lg_model *M, double *row, const lg_integrator *it,
                                          const double *columns);
/** Runs a model. The result is filled as far as the run came also when it fails. LG_ERROR_ARGUMENT: the result's `size`
 *  is not set (lg_model_message() says so); statuses of lg_integrator_create(),
 *  lg_integrator_start(), lg_integrator_step(); LG_ERROR_IO: the file. */
LG_API LG_MUST_CHECK lg_status lg_run(lg_model *M, lg_run_result *result, const lg_run_options *options);
/** Observed order of the configuration: runs with h, h/2, h/4 over the same time and log2 of the ratio of the
 *  differences; NaN where a run fails. */
LG_API double lg_run_observed_order(lg_model *M, const lg_run_options *options);

LG_END

#endif
