/* SPDX-License-Identifier: BSD-3-Clause */
/** @file run.h
 *  A whole trajectory of a motion: steps, rows, figures.
 *
 *  The names of momenta follow docs/conventions.md: p^+ arrives at a node, p^- leaves it, p~ is the momentum at the
 *  node that satisfies the constraints. */
#ifndef LIEGRP_RUN_RUN_H
#define LIEGRP_RUN_RUN_H

#include <stdio.h>

#include "../integrators/diagnostics.h"
#include "monitor.h"
#include "motion.h"

LG_BEGIN

/** Format of a file of results. */
typedef enum lg_format {
    LG_FORMAT_CSV, /**< one header line, %.17g */
    LG_FORMAT_NPY, /**< NumPy array with named fields; refuses names that numpy.load() has no room for (10000 bytes) */
    LG_FORMAT_NPZ, /**< compressed archive of that array, `rows`, and its provenance; needs zlib when liegrp is built */
    LG_FORMAT_HDF5 /**< compressed table `rows`, provenance as attributes; needs HDF5 when liegrp is built, and loads it
                    *   when it writes. Runs that write it may be in several threads if that HDF5 is made for it, as
                    *   Debian's is */
} lg_format;

/** The lg_format that the ending of a file's name stands for: .csv, .npy, .npz, .h5 or .hdf5, in any case; -1: another
 *  ending, or none, or NULL. */
LG_API int lg_format_of_file(const char *file);

/** Reports progress. A nonzero return stops the run, which then succeeds with the steps made so far. */
typedef int (*lg_progress)(int64_t step, int64_t steps, void *context);
/** Receives every row that is written, in the order of lg_model_column(). A nonzero return stops the run as for
 *  lg_progress. */
typedef int (*lg_row)(const double *row, int columns, void *context);
/** Sets the controls u (lg_model_control_count() numbers), which are constant during the coming step, or polynomials in
 *  it, see lg_run_options::control_degree. On entry u holds
 *  the controls of the previous step, at first those of lg_motion_set_control(). It is called at every node, the last
 *  one too, before the node's row. A nonzero return ends the run with LG_ERROR_CALLBACK. */
typedef int (*lg_controller)(const lg_motion *mo, double *u, void *context);
/** Sees a state of a motion. A nonzero return stops the run, which then succeeds with the steps made so far. */
typedef int (*lg_motion_observer)(const lg_motion *mo, void *context);

/** Caller data stored in checkpoints of a run, such as sums of a row callback. */
typedef struct lg_run_memory {
    void *at;     /**< where they are */
    size_t bytes; /**< how many */
} lg_run_memory;
/** Called once a checkpoint has been read, with its step; the caller's memory is filled. A nonzero return refuses it:
 *  LG_ERROR_INTERRUPTED. */
typedef int (*lg_run_resumed)(int64_t step, void *context);

/** Receives the provenance of a run before its first step, see lg_run_options::provenance. A nonzero return refuses the
 *  run: LG_ERROR_INTERRUPTED. */
typedef int (*lg_provenance_reader)(const char *text, void *context);

/** Options of a run; start from lg_run_options_default(). */
typedef struct lg_run_options {
    size_t size;        /**< sizeof(lg_run_options), set by lg_run_options_default() */
    int64_t steps;      /**< default 1000 */
    int64_t every;      /**< a row is written after every `every`-th step; default 1 */
    const char *output; /**< file, NULL for none; written under a private name in the same folder, locked against other
                         *   writers, and renamed when complete and on the disk. An existing file keeps its
                         *   permissions; a symbolic link is written through; devices and pipes are written
                         *   directly */
    lg_format format;   /**< format of the file */
    lg_progress progress;   /**< may be NULL; called about once per 100 ms of steps */
    void *progress_context; /**< passed to progress */
    lg_row row;             /**< may be NULL */
    void *row_context;      /**< passed to row */
    FILE *stream;           /**< a stream to write rows to instead of a file; NULL: none */
    lg_controller control;  /**< may be NULL: controls stay as lg_motion_set_control() has set them */
    void *control_context;  /**< passed to control */
    lg_monitor **monitor;   /**< may be NULL; otherwise *monitor becomes a monitor that watches the run and, at its end,
                             *   receives the growth rate predicted there. Read it, and destroy it also after
                             *   a failure */
    int64_t monitor_every;  /**< sampling interval of the monitor; default 0: chosen from the number of steps, see
                             *   lg_monitor_create() */
    int64_t accuracy;       /**< 1, the default: once the run is over, its accuracy is measured, lg_run_result::resolved
                             *   and the fields before it. That repeats the first 1000 steps, or 1 of 128 of a longer
                             *   run, with half the step, for at most a second or a tenth of the run's time, and calls
                             *   the system's callbacks for it. 0: it is not */
    lg_motion_observer observe; /**< may be NULL; called with every state, the first one too, before its row. A nonzero
                                 *   return stops the run as for row */
    void *observe_context;      /**< passed to observe */
    const char *checkpoint;     /**< a file that keeps the run's state, so that a run that was killed can continue:
                                 *   written whole at intervals, and when progress, row or observe stops the run;
                                 *   removed when the run is over. The rows so far are then kept in the folder of `output`
                                 *   under a private name, and `output` appears at the end. NULL, the default: none */
    double checkpoint_every;    /**< seconds between checkpoints; 0, the default: 60 */
    int64_t resume;             /**< 1: continue from the checkpoint, to the bit, if the file is there. 0, the
                                 *   default: a checkpoint that is there is refused */
    const char *checkpoint_label; /**< one line, may be NULL: a checkpoint with another one is refused. For what the
                                   *   library does not see, such as the table behind a controller */
    const lg_run_memory *memory;  /**< what belongs to a checkpoint besides, may be NULL */
    int64_t memory_count;         /**< how many of these */
    lg_run_resumed resumed;       /**< may be NULL; called when the run continues from a checkpoint */
    void *resumed_context;        /**< passed to resumed */
    int64_t
        provenance; /**< the rows' provenance, a JSON object: library and how it was built, system with parameters and
                     *   initial data, method, retraction, steps and what else the rows depend on. 0, the default:
                     *   in files that have a place for it (NPZ, HDF5). 1: also of CSV and NPY, in a file of the
                     *   same name and `.json`. -1: nowhere. Where a file is replaced, its old one goes in any case */
    const char *system;           /**< what the provenance calls the model; NULL, the default: lg_model_name() */
    const char *const *arguments; /**< the command line for the provenance, may be NULL */
    int64_t argument_count;       /**< how many words these are */
    const char *const *inputs;    /**< files that the run depends on, may be NULL; the provenance has their SHA-256 */
    int64_t input_count;          /**< how many of these */
    lg_provenance_reader read_provenance; /**< may be NULL; sees the provenance before the first step */
    void *read_provenance_context;        /**< passed to read_provenance */
    int64_t control_degree; /**< beyond 0 `control` sets controls as lg_motion_set_control_nodes() takes them, so that u
                             *   has control_degree + 1 times as many numbers, 0 at first; accuracy must be 0, and
                             *   checkpoint NULL. Default 0 */
} lg_run_options;

/** Figures of a run; start from lg_run_result_default(). */
typedef struct lg_run_result {
    size_t size;              /**< sizeof(lg_run_result), set by lg_run_result_default() */
    int64_t steps;            /**< steps done */
    double time;              /**< t at the end */
    double seconds;           /**< wall time of the whole run, including the writing but not lg_run_options::accuracy */
    double energy_first;      /**< H(p~) at the start */
    double energy_low;        /**< smallest H(p~) */
    double energy_high;       /**< largest H(p~) */
    double energy_slope;      /**< drift of H(p~) per unit of time, by lg_trend_slope(); NaN for fewer than 2 states */
    double energy_post_drift; /**< largest |H(p^-) - H(p^-)_0| for the GNI, relative to |H(p^-)_0|, or where that
                               *   vanishes to the largest |H(p~)|; else NaN */
    double work;              /**< done in the run, the change of the sum of lg_motion_account(); NaN where the method
                               *   does not know it */
    double balance;           /**< largest |H(p~) - H(p~)_0 - work up to then|; NaN where the work is */
    double constraint;        /**< largest lg_motion_slip(), the rows d phi of holonomic constraints included */
    double holonomic;         /**< largest lg_motion_gap(); NaN without holonomic constraints */
    double normal_first;      /**< largest |p^- - p~| in the first tenth for the GNI; else NaN */
    double normal_last;       /**< the same in the last tenth */
    const char *iterations;   /**< what the next two count: "Newton iterations" (of the factor that needed most),
                               *   "residual evaluations" if a step is solved as a whole, "sweeps" of the step of
                               *   mechanisms; NULL: nothing is solved */
    double iterations_mean;   /**< mean per step; of a composition, the sub-step that needed most */
    int iterations_most;      /**< largest number in a step */
    int interrupted;          /**< 1: progress or row stopped the run */
    char message[LG_MESSAGE_SIZE]; /**< what went wrong; "" after success */
    double energy_slope_half;      /**< half width of the 95 % confidence interval of energy_slope; NaN for fewer than 8
                                    *   states */
    double error_rotation;  /**< estimated largest error of rotations, radians, from a run of half steps; NaN: nothing
                             *   turns, or it was not measured, here and below. Where error_steps < steps it is measured
                             *   in these steps and grows with time from there: the error is at least that. See
                             *   lg_resolution for what rotations, positions and velocities are */
    double error_position;  /**< the same of positions */
    double error_velocity;  /**< the same of velocities, relative to the largest velocity */
    int64_t error_steps;    /**< steps that were compared; 0: none */
    int64_t error_parts;    /**< with so many steps each: 2, or more where a run of half steps fails; 1: compared with a
                             *   run of a tolerance that is a thousand times smaller */
    double error_lost;      /**< the first time at which the estimate exceeds a tenth of the motion (of the largest
                             *   velocity, of the largest distance from the start, or 0.3 rad); NaN: it does not */
    int64_t samples;        /**< steps that were repeated in smaller ones from the same state */
    double resolution;      /**< lg_resolution_worst() of these; NaN: no step was repeated */
    double resolution_time; /**< the time at which that step begins */
    double turn;            /**< lg_resolution::turn: the largest rotation in one of these steps, radians */
    int64_t resolved;       /**< 1: the step resolves the motion, as far as is known: lg_resolution_suffices() */
    double found_shortest;  /**< of the steps that were found for a tolerance; NaN without one */
    double found_longest;   /**< the longest of these; NaN without a tolerance */
    int64_t wheel;          /**< of a mechanism: the wheel with the least normal force; -1: no wheel's is known */
    double wheel_force;     /**< that force, N: lg_motion_wheel_normal(). Negative: the ground pulls; NaN: not known */
    double wheel_force_time; /**< the end of the step with that force */
    double lift_time; /**< the first time at which the ground pulls on a wheel, or two spheres in contact each other, by
                       *   more than rounding: real ones lift there, the later motion is that of wheels that cannot
                       * lift; NaN: the ground never pulls */
} lg_run_result;

/** Initialises options of `size` bytes; see lg_run_options_default(). */
LG_API void lg_run_options_init(lg_run_options *options, size_t size);
/** The default options. */
static inline lg_run_options lg_run_options_default(void)
{
    lg_run_options options;
    lg_run_options_init(&options, sizeof options);
    return options;
}
/** Initialises a result of `size` bytes; see lg_run_result_default(). */
LG_API void lg_run_result_init(lg_run_result *result, size_t size);
/** An empty result for lg_run() to fill. */
static inline lg_run_result lg_run_result_default(void)
{
    lg_run_result result;
    lg_run_result_init(&result, sizeof result);
    return result;
}
/** Runs a motion that has been started, from its present state on. The result is filled as far as the run came, even
 *  if it fails. Errors are those of lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started, an option is impossible, or a `size` is not set
 *    (lg_motion_message() names it); the checkpoint is damaged, of another run, or there without `resume`; or the
 *    library was built without the format.
 *  - LG_ERROR_NOT_FINITE: a control is not finite.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - LG_ERROR_INTERRUPTED: `read_provenance` refused the run.
 *  - LG_ERROR_IO: a file could not be written, one of `inputs` not read, or the rows of a checkpoint are not there any
 *    more. With a checkpoint the run can continue once the cause is removed. */
LG_API LG_MUST_CHECK lg_status lg_run(lg_motion *mo, lg_run_result *result, const lg_run_options *options);
/** The observed order of the configuration: log2 of the ratio of the differences of motions from the model's initial
 *  state with h, h/2 and h/4 after `steps` steps of h. NaN if one fails. */
LG_API double lg_run_observed_order(lg_model *M, const lg_motion_options *options, int64_t steps);
/** Adds to *r what `steps` steps from the present state show of its resolution: each is repeated in smaller ones from
 *  the same state, as by lg_diagnostics_resolution(). The motion stays as it is; its controls hold. Errors are those of
 *  lg_motion_step(), for the full steps, and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started, the size of *r is wrong, or steps < 1.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_resolution(const lg_motion *mo, lg_resolution *r, int64_t steps);

LG_END

#endif
