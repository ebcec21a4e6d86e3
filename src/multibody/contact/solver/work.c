/* SPDX-License-Identifier: BSD-3-Clause */
#include "multibody/contact/solver/work.h"

#include <math.h>
#include <string.h>

static void take_point(mb_ncp_point *x, lg_arena *a, size_t rows)
{
    x->P = lg_take_doubles(a, rows);
    x->u = lg_take_doubles(a, rows);
    x->F = lg_take_doubles(a, rows);
}

void mb_ncp_work_take(mb_ncp_work *w, lg_arena *a, int contacts)
{
    const size_t n = sz(contacts), rows = 3 * n;
    double **vector[] = {&w->k,          &w->r,          &w->dP,          &w->du,          &w->best,      &w->admm.x,
                         &w->interior.P, &w->interior.v, &w->interior.dP, &w->interior.dv, &w->interior.e};
    double **doubled[] = {&w->admm.state, &w->admm.image, &w->admm.last_state, &w->admm.last_image};
    w->contacts = contacts;
    w->d = lg_take_doubles(a, n);
    w->interior.psi = lg_take_doubles(a, n);
    w->interior.dpsi = lg_take_doubles(a, n);
    w->interior.gap = lg_take_doubles(a, 2 * n);
    w->K = lg_take_doubles(a, MB_NCP_BLOCK * n);
    w->held = lg_take_doubles(a, MB_NCP_BLOCK * n);
    w->contact = lg_take(a, n * sizeof *w->contact);
    take_point(&w->x, a, rows), take_point(&w->trial, a, rows), take_point(&w->start, a, rows);
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = lg_take_doubles(a, rows);
    for (size_t i = 0; i < sizeof doubled / sizeof *doubled; i++) *doubled[i] = lg_take_doubles(a, 2 * rows);
    for (int i = 0; i < MB_NCP_MEMORY; i++) {
        w->admm.dF[i] = lg_take_doubles(a, 2 * rows);
        w->admm.dG[i] = lg_take_doubles(a, 2 * rows);
    }
}

void mb_ncp_evaluate(mb_ncp_work *w, const mb_ncp *p, mb_ncp_point *x)
{
    p->kernel->apply(p->kernel, x->u, x->P);
    for (int i = 0; i < p->rows; i++) x->u[i] += p->b[i];
    x->residual = mb_ncp_map(x->F, p, w->d, x->P, x->u);
    double sum = 0;
    for (int i = 0; i < p->rows; i++) sum += x->F[i] * x->F[i];
    x->norm = sqrt(sum);
    w->evaluations++;
    if (!(x->residual < w->best_residual)) return;
    w->best_residual = x->residual;
    memcpy(w->best, x->P, sz(p->rows) * sizeof *x->P);
}

void mb_ncp_move(mb_ncp_work *w, const mb_ncp *p, mb_ncp_point *x, const double *P)
{
    memmove(x->P, P, sz(p->rows) * sizeof *P);
    mb_ncp_evaluate(w, p, x);
}

int mb_ncp_factor(mb_ncp_work *w, const mb_ncp *p)
{
    w->factorisations++;
    return p->kernel->factor(p->kernel, w->K);
}
