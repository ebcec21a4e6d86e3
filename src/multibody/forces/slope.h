/* SPDX-License-Identifier: BSD-3-Clause */
/* slope.h: the derivative of a force along a length, for Newton's correction (newton.c). */
#ifndef LG_MULTIBODY_FORCES_SLOPE_H
#define LG_MULTIBODY_FORCES_SLOPE_H

#include <string.h>

#include "multibody/forces/along.h"
#include "multibody/rows/form.h"

/* Returns s of the matrix s f = (h^2/4) stiffness + (h/2) damping. */
static inline real mb_action_form(mb_action *x, mb_form *f, const mb_force *s, const mb_pair *slope, double h)
{
    memset(f, 0, sizeof *f);
    if (s->coordinate >= 0) {
        const real *row = slope[2 * s->coordinate].v; /* both parts, one after the other */
        for (int p = 0; p < 12; p++)
            for (int q = 0; q < 12; q++) f->K[p][q] = row[p] * row[q];
        return 0.25 * h * h * x->stiffness + 0.5 * h * x->damping;
    }
    real u[3]; /* without a length it pulls alike in all directions */
    const real across = sel(x->q0 + x->q1 > 0.0, -(x->mean + x->drag) / x->over, x->stiffness);
    for (int e = 0; e < 3; e++) u[e] = x->d[e] / x->over, x->d[e] = x->d[e] * across;
    mb_form_tension(f, x->xa, x->xb, u, across, x->stiffness - across + 2 / h * x->damping, x->d);
    return splat(0.25 * h * h);
}

#endif
