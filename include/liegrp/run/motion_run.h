/* SPDX-License-Identifier: BSD-3-Clause */
/** @file motion_run.h
 *  A whole motion of a mechanism: steps, columns, figures; what run.h is for models. */
#ifndef LIEGRP_RUN_MOTION_RUN_H
#define LIEGRP_RUN_MOTION_RUN_H

#include "../integrators/diagnostics.h"
#include "../multibody/motion.h"
#include "run.h"

LG_BEGIN

/** The columns of a mechanism: their names, units and meanings, and their values in a motion. Opaque; it does not
 *  change, and any number of threads may share it. */
typedef struct lg_motion_columns lg_motion_columns;

/** Makes the columns of a compiled mechanism, which must outlive them. In this order:
 *  - step, t
 *  - JOINT for each joint of the spanning tree: its position; JOINT_1, JOINT_2, ... where it has several
 *  - BODY_x, BODY_y, BODY_z, BODY_qx, BODY_qy, BODY_qz, BODY_qw for each body that floats: the pose of its frame
 *  - JOINT_vel, JOINT_vel_1, ...: velocities of these joints
 *  - BODY_vx, BODY_vy, BODY_vz, BODY_wx, BODY_wy, BODY_wz: velocity of the frame's origin and angular velocity, in
 *    space
 *  - JOINT_tau for each motor: its torque or force during the step that begins
 *  - energy, work (of motors, dampers, moving ground, your wrenches), gap and slip, see lg_motion_gap()
 *
 *  A name that is taken already gets _2, _3, ...
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or the mechanism is not compiled.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_columns_create(lg_motion_columns **columns, const lg_mechanism *m);
/** Frees them. NULL is allowed. */
LG_API void lg_motion_columns_destroy(lg_motion_columns *c);
/** How many there are. */
LG_API int lg_motion_columns_count(const lg_motion_columns *c);
/** The name of column i; NULL if there is none. */
LG_API const char *lg_motion_columns_name(const lg_motion_columns *c, int i);
/** Its unit; "-": a pure number. */
LG_API const char *lg_motion_columns_unit(const lg_motion_columns *c, int i);
/** What it is, in words. */
LG_API const char *lg_motion_columns_meaning(const lg_motion_columns *c, int i);
/** The number of the column of this name; -1: there is none. */
LG_API int lg_motion_columns_find(const lg_motion_columns *c, const char *name);
/** The row of a motion's present state, lg_motion_columns_count() numbers.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, or the motion is not started or is one of another mechanism. */
LG_API LG_MUST_CHECK lg_status lg_motion_columns_row(const lg_motion_columns *c, double *row, const lg_motion *mo);
/** Starts a motion at t = 0 from a row, of which the columns of positions and velocities count; NaN: as the motion is
 *  now, which must have been started. Of a quaternion that is given in part the rest is scaled to length 1. With
 *  project = 1 everything is projected onto loops, wheels and gears; with 0 positions that are given must satisfy them
 *  as they are, and so must velocities that are given; otherwise these are projected. After a failure the motion must
 *  be started again.
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started or is one of another mechanism, or no quaternion
 *    of length 1 has the components that are given.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - others: those of lg_motion_start(). */
LG_API LG_MUST_CHECK lg_status lg_motion_columns_start(const lg_motion_columns *c, lg_motion *mo, const double *row,
                                                       int project);

/** Sets the controls u (a number for each motor), which are constant during the coming step. On entry u holds the
 *  controls of the previous step. It is called at every node, the last one too, before the node's row. A nonzero return
 *  ends the run with LG_ERROR_CALLBACK. */
typedef int (*lg_motion_controller)(const lg_motion *mo, double *u, void *context);
/** Sees a state of a motion. A nonzero return stops the run, which then succeeds with the steps made so far. */
typedef int (*lg_motion_observer)(const lg_motion *mo, void *context);

/** Options of a run; start from lg_motion_run_options_default(). */
typedef struct lg_motion_run_options {
    size_t size;                  /**< sizeof(lg_motion_run_options), set by lg_motion_run_options_default() */
    int64_t steps;                /**< default 1000 */
    int64_t every;                /**< a row is written after every `every`-th step; default 1 */
    const char *output;           /**< file, NULL for none, as lg_run_options::output */
    FILE *stream;                 /**< a stream to write rows to instead of a file; NULL: none */
    int64_t format;               /**< an lg_format, of the file */
    lg_progress progress;         /**< may be NULL; called about once per 100 ms of steps */
    void *progress_context;       /**< passed to progress */
    lg_row row;                   /**< may be NULL; receives every row that is written */
    void *row_context;            /**< passed to row */
    lg_motion_controller control; /**< may be NULL: controls stay as lg_motion_set_control() has set them */
    void *control_context;        /**< passed to control */
    lg_motion_observer observe;   /**< may be NULL; called with every state, the first one too, before its row */
    void *observe_context;        /**< passed to observe */
    int64_t accuracy; /**< 1, the default: once the run is over, its accuracy is measured, as lg_run_options::accuracy.
                       * A wrench of your own is called for it. 0: it is not */
    const char *checkpoint;       /**< as lg_run_options::checkpoint, and those that follow */
    double checkpoint_every;      /**< as there */
    int64_t resume;               /**< as there */
    const char *checkpoint_label; /**< as there */
    const lg_run_memory *memory;  /**< what belongs to a checkpoint besides, may be NULL */
    int64_t memory_count;         /**< how many of these */
    lg_run_resumed resumed;       /**< may be NULL; called when the run goes on from a checkpoint */
    void *resumed_context;        /**< passed to resumed */
    int64_t provenance;           /**< as lg_run_options::provenance, and those that follow. Of the mechanism it has all
                                   *   parameters and the state at the start */
    const char *system;           /**< what the provenance calls the mechanism; NULL, the default: "mechanism" */
    const char *const *arguments; /**< as there */
    int64_t argument_count;       /**< as there */
    const char *const *inputs;    /**< as there */
    int64_t input_count;          /**< as there */
    lg_provenance_reader read_provenance; /**< as there */
    void *read_provenance_context;        /**< as there */
} lg_motion_run_options;

/** Initialises options of `size` bytes; see lg_motion_run_options_default(). */
LG_API void lg_motion_run_options_init(lg_motion_run_options *options, size_t size);
/** The default options. */
static inline lg_motion_run_options lg_motion_run_options_default(void)
{
    lg_motion_run_options options;
    lg_motion_run_options_init(&options, sizeof options);
    return options;
}

/** Runs a motion that has been started, from its present state on. The result is filled as far as the run came, even if
 *  it fails. In it, `work` is what was done since the start, `balance` the largest |H - H_0 - work|, `holonomic` the
 *  largest gap, `constraint` the largest slip, and iterations are sweeps. With lg_motion_set_tolerance() steps are
 *  those of the motion, as for lg_run_options::tolerance. Errors are those of lg_motion_step(), and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started, an option is impossible, or a `size` is not set.
 *  - LG_ERROR_NOT_FINITE: a control is not finite.
 *  - LG_ERROR_MEMORY: out of memory.
 *  - LG_ERROR_INTERRUPTED: `read_provenance` refused the run.
 *  - LG_ERROR_IO: the file could not be written, or one of `inputs` not read. */
LG_API LG_MUST_CHECK lg_status lg_motion_run(lg_motion *mo, lg_run_result *result,
                                             const lg_motion_run_options *options);

/** As lg_diagnostics_resolution(): makes `steps` steps from the present state, repeats each in smaller ones from the
 *  same state, and adds what it sees to *r. The motion stays as it is; its controls hold. Errors are those of
 *  lg_motion_step(), for the full steps, and:
 *  - LG_ERROR_ARGUMENT: a pointer is NULL, the motion is not started, the size of *r is wrong, or steps < 1.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_motion_resolution(const lg_motion *mo, lg_resolution *r, int64_t steps);

LG_END

#endif
