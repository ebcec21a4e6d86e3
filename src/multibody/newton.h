/* SPDX-License-Identifier: BSD-3-Clause */
/* newton.h: Newton's correction where sweeps run away. */
#ifndef LG_MULTIBODY_NEWTON_H
#define LG_MULTIBODY_NEWTON_H

#include "multibody/step.h"

/* Factors the saddle-point matrix of the present sweep. */
LG_ENGINE void mb_newton_factor(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* From xi before a sweep (mixing.before) and after it (x.xi): Newton's xi; returns |change|^2 in the metric. */
LG_ENGINE real mb_newton_correct(mb_motion *m, const mb_node *n0, const mb_node *n1, double h);
/* The rounding of stiff forces relative to the motion, in the worst lane: a lower bound of corrections. */
LG_ENGINE double mb_newton_floor(const mb_motion *m, const mb_node *n0, const mb_node *n1, double h);

#endif
