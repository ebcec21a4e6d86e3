/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/convergence.h"

#include <math.h>
#include <string.h>

enum { MB_IDLE_MOST = 25 };

LG_ENGINE void mb_convergence_begin(mb_convergence *convergence, real theta)
{
    for (int l = 0; l < LANES; l++)
        convergence[l] = (mb_convergence){.best = INFINITY, .theta = lane_of(theta, l), .floor = 1e-11};
}

LG_ENGINE void mb_judge(mb_convergence *p, double e, double moved, int sweep, double least)
{
    const double floor = moved < 1e-4 ? INFINITY : p->floor;
    const double last = p->last;
    if (sweep > 1) p->theta = fmin(fmax(e / p->last, least), 2);
    p->last = e;
    p->idle = e < 0.7 * p->best ? 0 : p->idle + 1;
    if (p->idle == 0) p->best = e;
    p->slow = p->theta > 0.5 && e > 1e-9 ? p->slow + 1 : 0;
    if (!(e < 1e3 || moved < 1))
        p->done = -1, p->lost = !(last < 1);
    else if (e * p->theta < 2e-16 * (1 - p->theta))
        p->done = 1;
    else if (p->idle >= 4 && e < floor)
        p->done = 2;
    else if (p->idle > MB_IDLE_MOST)
        p->done = -1, p->lost = !(p->best < 1);
}

LG_ENGINE mask mb_done(const mb_convergence *convergence, int how)
{
    real is = splat(0);
    for (int l = 0; l < LANES; l++)
        as_doubles(&is)[l] = how == 0 ? convergence[l].done != 0 : convergence[l].done == how;
    return is > 0.0;
}

LG_ENGINE void mb_choose(mask done, real *to, const real *from, int count)
{
    for (int i = 0; i < count; i++) to[i] = sel(done, from[i], to[i]);
}

LG_ENGINE void mb_hold(mb_motion *m, mask done)
{
    const mb_plan *plan = m->plan;
    if (any(done)) {
        mb_choose(done, m->x.xi->v, m->held.xi->v, 6 * plan->bodies);
        mb_choose(done, m->x.l, m->held.l, plan->rows);
        mb_choose(done, m->x.mu, m->held.mu, plan->holonomic_rows);
    }
    memcpy(m->held.xi, m->x.xi, (size_t)plan->bodies * sizeof *m->held.xi);
    memcpy(m->held.l, m->x.l, (size_t)plan->rows * sizeof *m->held.l);
    memcpy(m->held.mu, m->x.mu, (size_t)plan->holonomic_rows * sizeof *m->held.mu);
}
