/* SPDX-License-Identifier: BSD-3-Clause */
/* activation.h: what forces take of controls: numbers within limits, or activations, states of first order. A control
 * is held, so that its activation has a closed form in the time since it changed: it is kept as its value at a time
 * (mb_motion::act), and steps do not touch it. */
#ifndef LG_MULTIBODY_ACTIVATION_H
#define LG_MULTIBODY_ACTIVATION_H

#include "multibody/plan.h"

/* At time t: a of control i, or u within its limits if it acts at once. */
double mb_activation_at(const mb_plan *plan, int i, const double *control, const double *act, double t);
/* input[] of all controls: means from t to t + h; h = 0: at t. */
void mb_inputs(const mb_plan *plan, double *input, const double *control, const double *act, double t, double h);
/* input[] of all controls, where u[] are activations themselves. */
void mb_inputs_of_activations(const mb_plan *plan, double *input, const double *u);
/* The time from t on to where the first activation reaches a limit, if that is more than `slack` and less than `rest`,
 * both in the direction of the motion; otherwise rest. */
double mb_activations_rest(const mb_plan *plan, const double *control, const double *act, double t, double rest,
                           double slack);
/* Activations as at a start at time t. */
void mb_activations_begin(const mb_plan *plan, double *act, double t);
/* Controls become u at time t. */
void mb_activations_turn(const mb_plan *plan, double *act, const double *control, const double *u, double t);
/* A control that acts with dynamics; -1: none. */
int mb_first_activation(const mb_plan *plan);

#endif
