/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by rules whose state is p~: shared and middle multipliers, baselines; DLA starts like them. */
#include "integrators/rules/state.h"

#include <math.h>

const real *lg_depart_state(lg_workspace *w, duration h, const lg_node *a)
{
    (void)w, (void)h;
    return a->p_tilde;
}

int lg_arrive_state(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    (void)h, (void)a;
    for (int i = 0; i < w->plan->n; i++) b->p_minus[i] = b->p_tilde[i] = b->p_plus[i];
    b->work = splat((double)NAN);
    return 0;
}

int lg_begin_state(lg_workspace *w, duration h, lg_node *b, int start)
{
    (void)h, (void)start;
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = b->p_minus[i] = b->p_tilde[i];
    return 0;
}
