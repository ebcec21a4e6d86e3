/* SPDX-License-Identifier: BSD-3-Clause */
/** @file mechanism.h
 *  A mechanism as an lg_model: lg_run(), ensembles, orders of convergence and monitors of a mechanism with any method.
 */
#ifndef LIEGRP_RUN_MECHANISM_H
#define LIEGRP_RUN_MECHANISM_H

#include "../multibody/system.h"
#include "model.h"

LG_BEGIN

/** Creates a model of the mechanism's system (lg_mechanism_system()). Columns are `BODY_x`, `BODY_y`, `BODY_z`, the
 *  centre of mass of each body, and its quaternion, `qx` ... `qw` of the first, `qx_2` ... of the second; velocities
 *  are `xi_1` ..., six a body: of the centre of mass in space, and angular in the body. Controls have the motors'
 *  names. The model has no parameters.
 *
 *  It starts from the present state of `start`, a motion of the same mechanism; NULL: from rest, as assembled. That
 *  state is copied. `name` is the model's name, NULL: "mechanism"; `step` its step, 0: 0.01. The mechanism must outlive
 *  the model and whatever is made of it. Call for one mechanism from one thread at a time. On failure *M still holds
 *  the message: read it with lg_model_message() and free it with lg_model_destroy().
 *  - LG_ERROR_ARGUMENT: the mechanism is not compiled, or cannot move; `start` is of another mechanism, or has not been
 *    started; the step is negative or not finite.
 *  - LG_ERROR_UNSUPPORTED: a gear between two angles has a ratio that lg_mechanism_system() does not take.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_mechanism_model(lg_model **M, lg_mechanism *m, const lg_motion *start,
                                                  const char *name, double step);

LG_END

#endif
