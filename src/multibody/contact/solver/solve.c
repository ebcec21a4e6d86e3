/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of the stages: cheap ones first. After each, `best` is the best point of the whole call. */
#include "multibody/contact/solver/solve.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define PROXIMAL 1e-5 /* less amplifies the round-off of redundant rows, more takes more steps */

#define AT_FLOOR 30 /* residual over the floor at which all methods have been seen to end */

static int solved(const mb_ncp_work *w, const mb_ncp *p)
{
    return w->best_residual <= p->tolerance;
}

static int by_newton(mb_ncp_work *w, const mb_ncp *p)
{
    mb_ncp_newton(w, p, p->kernel->begin != NULL ? 7 : 20, PROXIMAL); /* with joints, no Gauss-Seidel follows */
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

static int by_admm(mb_ncp_work *w, const mb_ncp *p)
{
    mb_ncp_move(w, p, &w->x, w->start.P);
    mb_ncp_admm(w, p, PROXIMAL);
    return solved(w, p);
}

/* An interior point to this residual, then Newton. */
static int inside(mb_ncp_work *w, const mb_ncp *p, double scale, double target, double proximal)
{
    mb_ncp_interior(w, p, scale, target);
    mb_ncp_newton(w, p, 12, proximal);
    return solved(w, p);
}

static int by_interior(mb_ncp_work *w, const mb_ncp *p)
{
    if (inside(w, p, 1, 1e-6, PROXIMAL) || inside(w, p, 1, 1e-11, 1e-8)) return 1;
    mb_ncp_move(w, p, &w->x, w->best);
    mb_ncp_newton(w, p, 12, PROXIMAL);
    return solved(w, p);
}

/* Newton at length; more damping than elsewhere, since it comes from far away. */
static int wander(mb_ncp_work *w, const mb_ncp *p, int most, double proximal)
{
    mb_ncp_newton(w, p, most, proximal);
    return solved(w, p);
}

/* Starts that have little in common: each solves a third of the random problems that are left. */
static int by_starts(mb_ncp_work *w, const mb_ncp *p)
{
    mb_ncp_move(w, p, &w->x, w->best);
    if (wander(w, p, 50, PROXIMAL)) return 1;
    mb_ncp_move(w, p, &w->x, w->start.P);
    if (mb_ncp_seidel(w, p, 1000) && wander(w, p, 50, 1e-4)) return 1;
    mb_ncp_interior(w, p, 3, 0.1);
    return wander(w, p, 50, 1e-4);
}

/* Coefficients of friction that grow from 0, each problem from the solution before. */
static int homotopy(mb_ncp_work *w, const mb_ncp *p, int steps)
{
    mb_ncp q = *p;
    q.contact = w->contact;
    mb_ncp_move(w, p, &w->x, w->start.P);
    for (int j = 0; j <= steps; j++) {
        memcpy(w->contact, p->contact, sz(p->contacts) * sizeof *w->contact);
        for (int i = 0; i < p->contacts; i++) w->contact[i].friction *= (double)j / steps;
        w->best_residual = (double)INFINITY; /* of this problem */
        mb_ncp_move(w, &q, &w->x, w->x.P);
        mb_ncp_newton(w, &q, 25, PROXIMAL);
        if (!solved(w, &q)) inside(w, &q, 1, 1e-6, PROXIMAL);
        mb_ncp_move(w, &q, &w->x, w->best);
    }
    return solved(w, p);
}

static int by_last(mb_ncp_work *w, const mb_ncp *p)
{
    static const double proximal[] = {1e-3, 1e-4, 1e-5}, far[][2] = {{30, 0.1}, {1, 0.03}, {1, 0.3}, {300, 0.01}};
    for (int i = 0; i < 4; i++) {
        mb_ncp_interior(w, p, far[i][0], far[i][1]);
        if (wander(w, p, 50, 1e-4)) return 1;
    }
    for (int i = 0; i < 3; i++) {
        memset(w->x.P, 0, sz(p->rows) * sizeof *w->x.P);
        mb_ncp_move(w, p, &w->x, w->x.P);
        if (wander(w, p, 100, proximal[i])) return 1;
    }
    for (int i = 0; i < 8 && mb_ncp_seidel(w, p, 100); i++) /* from where Newton ended */
        if (wander(w, p, 20, 1e-4)) return 1;
    return homotopy(w, p, 24);
}

/* Runs the stages until one solves the problem. */
static mb_ncp_stage run(mb_ncp_work *w, const mb_ncp *p, mb_ncp_effort effort)
{
    static int (*const stage[MB_NCP_LAST])(mb_ncp_work *, const mb_ncp *) = {by_newton,   by_seidel, by_admm,
                                                                             by_interior, by_starts, by_last};
    const int count = effort == MB_NCP_WHOLE ? MB_NCP_LAST : MB_NCP_LAST - 1;
    const int dear = p->floor > p->tolerance ? MB_NCP_ADMM : MB_NCP_STARTS; /* not worth it at the floor */
    int i = 0;
    for (; i < count; i++) {
        if (MB_NCP_NEWTON + i >= dear && w->best_residual <= AT_FLOOR * p->floor) break;
        if (stage[i](w, p)) return (mb_ncp_stage)(MB_NCP_NEWTON + i);
    }
    return (mb_ncp_stage)(MB_NCP_NEWTON + i - 1);
}

/* The largest residual of dry friction. */
static double creep(const mb_ncp *p, const double *F)
{
    double most = 0;
    for (int i = 0; i < p->contacts; i++)
        if (p->contact[i].high < (double)INFINITY) most = fmax(most, fabs(F[p->contact[i].at]));
    return most / p->speed;
}

/* What dry friction holds in a solution P, but creeps within the tolerance, is held by one more factor, if it can be.
 */
static void hold(mb_ncp_work *w, const mb_ncp *p, double *P)
{
    mb_ncp q = *p;
    q.tolerance = p->still;
    mb_ncp_move(w, p, &w->x, P);
    mb_ncp_newton(w, &q, 1, PROXIMAL);
    if (!(w->x.residual <= p->tolerance) || creep(p, w->x.F) > 0.1 * creep(p, w->start.F)) return;
    memcpy(P, w->x.P, sz(p->rows) * sizeof *P);
    mb_ncp_exact_cone(P, p);
}

mb_ncp_outcome mb_ncp_solve(mb_ncp_work *w, const mb_ncp *p, double *P, mb_ncp_effort effort, mb_ncp_report *report)
{
    assert(p->contacts <= w->contacts);
    *report = (mb_ncp_report){.outcome = MB_NCP_SOLVED, .stage = MB_NCP_ENTRY};
    w->best_residual = (double)INFINITY;
    w->factorisations = w->evaluations = w->sweeps = 0;
    mb_ncp_scales(w->d, p);
    mb_ncp_move(w, p, &w->start, P);
    report->residual = w->start.residual;
    if (w->start.residual <= p->tolerance) {
        if (p->still > 0 && creep(p, w->start.F) > p->still) hold(w, p, P);
        return MB_NCP_SOLVED;
    }
    mb_ncp_move(w, p, &w->x, P);
    if (isfinite(w->start.residual)) report->stage = run(w, p, effort);
    report->outcome = solved(w, p) || (report->stage == MB_NCP_NEWTON && w->best_residual <= p->floor) ? MB_NCP_SOLVED
                      : w->best_residual <= AT_FLOOR * p->floor                                        ? MB_NCP_FLOOR
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
