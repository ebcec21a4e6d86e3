/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a compiled mechanism, in this order:
 * - step, t
 * - JOINT for each joint of the spanning tree: its position; JOINT_1, JOINT_2, ... where it has several
 * - BODY_x, BODY_y, BODY_z, BODY_qx, BODY_qy, BODY_qz, BODY_qw for each body that floats: the pose of its frame
 * - JOINT_vel, JOINT_vel_1, ...: velocities of these joints
 * - BODY_vx, BODY_vy, BODY_vz, BODY_wx, BODY_wy, BODY_wz: velocity of the frame's origin and angular velocity, in space
 * - JOINT_tau for each motor, its torque or force during the step that begins; JOINT_set for a servo, what it follows,
 *   THRUSTER_thrust for each thruster, its control
 * - DRIVE_force for each drive of a joint, DRIVE_fx, _fy, _fz, _tx, _ty, _tz for one of a body: the mean of the step
 * that ended, NaN before the first; DRIVE_work
 * - CONTACT_gap, _n, _t, _mode for each contact, if there are at most 8, and impacts (contact_columns.h)
 * - energy, work, the kinds of work that its parts may do, named as in lg_account, gap and slip
 *
 * A name that is taken already gets _2, _3, ... They do not change; threads may share them. */
#ifndef LIEGRP_SRC_RUN_MOTION_COLUMNS_H
#define LIEGRP_SRC_RUN_MOTION_COLUMNS_H

#include <liegrp/run/model.h>

#include "multibody/motion.h"

typedef struct lg_motion_columns lg_motion_columns;

/* Of a compiled mechanism, which must outlive them. LG_ERROR_MEMORY. */
lg_status lg_motion_columns_create(lg_motion_columns **columns, const lg_mechanism *m);
void lg_motion_columns_destroy(lg_motion_columns *c);
int lg_motion_columns_count(const lg_motion_columns *c);
char *const *lg_motion_columns_names(const lg_motion_columns *c);
const lg_column *lg_motion_columns_column(const lg_motion_columns *c, int i);
/* -1: no column has this name. */
int lg_motion_columns_find(const lg_motion_columns *c, const char *name);
/* 1: column i is a position, a velocity or an activation. */
int lg_motion_columns_is_initial(const lg_motion_columns *c, int i);
/* The row of the present state, with these in place of the motion's own; account NULL: NaN. */
lg_status lg_motion_columns_row(const lg_motion_columns *c, double *row, const mb_sparse *mo, int64_t step, double work,
                                const double *account);
/* Time, positions, velocities and controls of a state that `mo` is to show; NaN in place of figures at the end. */
lg_status lg_motion_columns_show(const lg_motion_columns *c, double *row, mb_sparse *mo, double t, const double *g,
                                 const double *xi);
/* As lg_motion_start(): NaN is what the motion, which must have been started, is now. */
lg_status lg_motion_columns_start(const lg_motion_columns *c, mb_sparse *mo, double t0, const double *row, int project);
/* row = time, positions, velocities and controls of named start i of the file, NaN where it gives none; positions that
 * it does not give are those at assembly. LG_ERROR_ARGUMENT: no such key, or a quaternion is 0; LG_ERROR_UNSUPPORTED:
 * the file's is refused; LG_ERROR_MEMORY. */
lg_status lg_motion_columns_key(const lg_motion_columns *c, double *row, int i, lg_error *e);
/* Starts the motion at rest where and when a whole row says. Errors of lg_motion_start_joints(), and
 * LG_ERROR_ARGUMENT: a position is not finite, or a quaternion none. */
lg_status lg_motion_columns_place(const lg_motion_columns *c, mb_sparse *mo, const double *row);

#endif
