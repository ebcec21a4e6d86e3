/* SPDX-License-Identifier: BSD-3-Clause */
/* An integrator that instances of one structure take in turn, the *representative* of their class: the functions that
 * an ensemble (src/run) needs in addition to integrators/engine/wide.h. Between its turns an instance is a snapshot,
 * its controls and its clock. */
#ifndef LG_INTEGRATORS_INSTANCES_H
#define LG_INTEGRATORS_INSTANCES_H

#include <liegrp/integrators/integrator.h>

#include "base/message.h"
#include "integrators/engine/wide.h"

/* Doubles in a snapshot of an instance. */
size_t lg_instance_size(const lg_integrator *it);
/* The representative takes control_count controls, which its next start or load evaluates. */
void lg_instance_set_control(lg_integrator *it, const double *control);
/* Does the state hold a part of the reaction to the controls, and so change with them? */
int lg_instance_feels_control(const lg_integrator *it);
/* Sets the clock to `step` steps after t0. */
void lg_instance_set_clock(lg_integrator *it, double t0, int64_t step);
/* Loads the instance's controls, clock and snapshot, at time t. On failure the text is in *e. */
lg_status lg_instance_load(lg_integrator *it, const double *control, double t0, int64_t step, double t,
                           const double *snapshot, lg_error *e);
/* The snapshot of its state. */
void lg_instance_save(const lg_integrator *it, double *snapshot);
/* The present state becomes the one that lg_integrator_reset() goes back to. */
void lg_instance_set_first(lg_integrator *it);
/* One step; 1: it failed, *e says why and the state is as it was. */
int lg_instance_step(lg_integrator *it, const char *function, lg_error *e);

#endif
