/* SPDX-License-Identifier: BSD-3-Clause */
/* The accuracy of differences that replace a derivative, as a step knows it. */
#ifndef LG_INTEGRATORS_INEXACT_H
#define LG_INTEGRATORS_INEXACT_H

#include "integrators/engine/workspace.h"

/* Resets the known round-off. */
static inline void lg_inexact_forget(lg_workspace *w)
{
    if (!w->plan->differenced) return;
    w->field->force_noise = w->field->row_noise = 0;
    w->force_noise = w->row_noise = splat(0);
}

/* Beyond width 1: adds the round-off of one evaluation, which the field has, to lane l. */
static inline void lg_inexact_note(lg_workspace *w, int l)
{
    double *force = as_doubles(&w->force_noise) + l, *rows = as_doubles(&w->row_noise) + l;
    if (!w->plan->differenced) return;
    *force = w->field->force_noise > *force ? w->field->force_noise : *force;
    *rows = w->field->row_noise > *rows ? w->field->row_noise : *rows;
    w->field->force_noise = w->field->row_noise = 0;
}

/* The uncertainty of a step's velocities: |J^-1| h times the round-off of forces. */
static inline real lg_inexact_velocity(lg_workspace *w, duration h, const lg_node *a)
{
    const lg_plan *P = w->plan;
    real most = splat(0);
#if LANES == 1
    w->force_noise = w->field->force_noise, w->row_noise = w->field->row_noise;
#endif
    for (int i = 0; i < P->n; i++) {
        real sum = P->diagonal ? magnitude(a->metric_inverse[i]) : splat(0);
        for (int j = 0; !P->diagonal && j < P->n; j++) sum = sum + magnitude(a->metric_inverse[i * P->n + j]);
        most = greater(most, sum);
    }
    return (h < 0 ? -h : h) * most * w->force_noise;
}

/* inexact.c: 1 if the differences are too inexact for the step from a to b. For a plan that is
 * `differenced`. */
LG_ENGINE int lg_inexact_spoils(lg_workspace *w, duration h, const lg_node *a, const lg_node *b);

#endif
