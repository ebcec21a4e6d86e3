/* SPDX-License-Identifier: BSD-3-Clause */
/* What rules share whose state is p~ itself: shared and middle multipliers, baselines; DLA begins like them. */
#include <math.h>

#include "integrators/engine/engine.h"

const real *lg_depart_state(lg_work *w, double h, const lg_node *a)
{
    (void)w, (void)h;
    return a->pt;
}

int lg_arrive_state(lg_work *w, double h, const lg_node *a, lg_node *b)
{
    (void)h, (void)a;
    for (int i = 0; i < w->plan->n; i++) b->pm[i] = b->pt[i] = b->pp[i];
    b->work = splat((double)NAN);
    return 0;
}

int lg_begin_state(lg_work *w, double h, lg_node *b, int start)
{
    (void)h, (void)start;
    for (int i = 0; i < w->plan->n; i++) b->pp[i] = b->pm[i] = b->pt[i];
    return 0;
}
