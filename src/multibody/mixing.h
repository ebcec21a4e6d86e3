/* SPDX-License-Identifier: BSD-3-Clause */
/* mixing.h: Anderson's acceleration of sweeps that contract slowly, at width 1. */
#ifndef LG_MULTIBODY_MIXING_H
#define LG_MULTIBODY_MIXING_H

#include "multibody/step.h"

/* Forgets the sweeps before. */
void mb_mixing_begin(mb_motion *m);
/* After a sweep that began with velocities m->mixing.before: remembers it, and where `mix` is 1 replaces the unknowns
 * by the combination of the last sweeps that leaves the velocities most nearly alone. */
void mb_mixing_sweep(mb_motion *m, int mix);

#endif
