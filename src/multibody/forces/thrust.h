/* SPDX-License-Identifier: BSD-3-Clause */
/* thrust.h: forces and torques that turn with their body. */
#ifndef LG_MULTIBODY_FORCES_THRUST_H
#define LG_MULTIBODY_FORCES_THRUST_H

#include "multibody/rows/vectors.h"

/* The control, held between its limits. */
KERNEL real mb_thrust_of(const mb_thruster *t, const real *control)
{
    const real u = control[t->control];
    return sel(u < t->limit[0], splat(t->limit[0]), sel(u > t->limit[1], splat(t->limit[1]), u));
}

/* The wrench in space of a thruster on its body with the matrix R; control = NULL: it is off. */
KERNEL void mb_thrust(mb_pair *f, const mb_thruster *t, const real *R, const real *control)
{
    const real u = control != NULL ? mb_thrust_of(t, control) : splat(0);
    for (int part = 0; part < 2; part++) {
        real *to = f->v + 3 * part;
        mb_turn_constant(to, R, t->wrench + 3 * part);
        for (int k = 0; k < 3; k++) to[k] = u * to[k];
    }
}

#endif
