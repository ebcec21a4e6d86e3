/* SPDX-License-Identifier: BSD-3-Clause */
/* An integrator that instances of one structure use in turn, the *representative* of their class: the functions that
 * an ensemble (src/run) needs in addition to integrators/engine/wide.h. Between its turns an instance is a snapshot,
 * its controls and its clock. */
#ifndef LG_INTEGRATORS_INSTANCES_H
#define LG_INTEGRATORS_INSTANCES_H

#include <liegrp/integrators/integrator.h>

#include "base/message.h"
#include "integrators/engine/wide.h"

/* Doubles in a snapshot of an instance. */
size_t lg_instance_size(const lg_integrator *it);
/* Sets the control_count controls of the representative; its next start or load evaluates them. */
void lg_instance_set_control(lg_integrator *it, const double *control);
/* Does the state change with the controls? It does where it contains a part of the reaction to them, or where
 * constraints prescribe the velocity. */
int lg_instance_feels_control(const lg_integrator *it);
/* Do constraints prescribe all velocities of a system with controls? These may be what the drift depends on. */
int lg_instance_is_prescribed(const lg_integrator *it);
/* Sets the clock to `step` steps after t0. */
void lg_instance_set_clock(lg_integrator *it, double t0, int64_t step);
/* Loads the instance's controls, clock and snapshot, at time t. On failure the text is in *e. */
lg_status lg_instance_load(lg_integrator *it, const double *control, double t0, int64_t step, double t,
                           const double *snapshot, lg_error *e);
/* Saves a snapshot of its state. */
void lg_instance_save(const lg_integrator *it, double *snapshot);
/* Makes the present state the one that lg_integrator_reset() returns to. */
void lg_instance_set_first(lg_integrator *it);
/* One step. Returns 1 if it failed: *e has the reason and the state is unchanged. */
int lg_instance_step(lg_integrator *it, const char *function, lg_error *e);

#endif
