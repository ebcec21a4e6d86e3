/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the stages: cheap ones first. After each, `best` is the best point of the whole call. */
#include "multibody/contact/solver/solve.h"

#include <math.h>
#include <string.h>

#define PROXIMAL 1e-5 /* less amplifies the round-off of redundant rows, more takes more steps */

static int solved(const mb_ncp_work *w, const mb_ncp *p)
{
    return w->best_residual <= p->tolerance;
}

static int by_newton(mb_ncp_work *w, const mb_ncp *p)
{
    mb_ncp_newton(w, p, 7, PROXIMAL);
    return w->best_residual <= p->floor;
}

static int by_seidel(mb_ncp_work *w, const mb_ncp *p)
{
    static const int sweeps[] = {8, 20};
    for (int i = 0; i < 2 && !solved(w, p); i++) {
        mb_ncp_move(w, p, &w->x, i == 0 ? w->start.P : w->best);
        if (!mb_ncp_seidel(w, p, sweeps[i])) return 0;
        mb_ncp_newton(w, p, 7, PROXIMAL);
    }
    return solved(w, p);
}

/* Runs the stages until one solves the problem. */
static mb_ncp_stage run(mb_ncp_work *w, const mb_ncp *p, mb_ncp_effort effort)
{
    static int (*const stage[])(mb_ncp_work *, const mb_ncp *) = {by_newton, by_seidel};
    const int count = (int)(sizeof stage / sizeof *stage);
    (void)effort;
    for (int i = 0; i < count; i++)
        if (stage[i](w, p)) return (mb_ncp_stage)(MB_NCP_NEWTON + i);
    return (mb_ncp_stage)(MB_NCP_NEWTON + count - 1);
}

mb_ncp_outcome mb_ncp_solve(mb_ncp_work *w, const mb_ncp *p, double *P, mb_ncp_effort effort, mb_ncp_report *report)
{
    *report = (mb_ncp_report){.outcome = MB_NCP_SOLVED, .stage = MB_NCP_ENTRY};
    w->best_residual = (double)INFINITY;
    w->factorisations = w->evaluations = w->sweeps = 0;
    mb_ncp_scales(w->d, p);
    mb_ncp_move(w, p, &w->start, P);
    report->residual = w->start.residual;
    if (w->start.residual <= p->tolerance) return MB_NCP_SOLVED;
    mb_ncp_move(w, p, &w->x, P);
    if (isfinite(w->start.residual)) report->stage = run(w, p, effort);
    report->outcome = solved(w, p) || (report->stage == MB_NCP_NEWTON && w->best_residual <= p->floor) ? MB_NCP_SOLVED
                      : w->best_residual <= 30 * p->floor                                              ? MB_NCP_FLOOR
                                                                                                       : MB_NCP_REFUSED;
    report->residual = w->best_residual;
    report->factorisations = w->factorisations;
    report->evaluations = w->evaluations;
    report->sweeps = w->sweeps;
    if (report->outcome != MB_NCP_REFUSED) {
        memcpy(P, w->best, sz(p->rows) * sizeof *P);
        mb_ncp_exact_cone(P, p);
    }
    return report->outcome;
}
