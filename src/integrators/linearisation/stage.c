/* SPDX-License-Identifier: BSD-3-Clause */
/* The partial derivatives of one stage's F(z; x) and Y(z; x) (docs/theory.md section 14). */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/collocation/collocation.h"
#include "integrators/linearisation/linearisation.h"
#include "retractions/retraction.h"

static int stage_failed(lg_workspace *w, lg_status st)
{
    return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, "the coordinates near an element");
}

int lg_linearisation_move(lg_linearisation *lin, double *g, const double *from, int j, double e)
{
    const lg_integrator *o = lin->implicit_copy;
    const lg_group *G = o->S.group;
    memset(lin->eta, 0, sz(o->plan.n) * sizeof *lin->eta);
    lin->eta[j] = e;
    lg_status st = lg_retraction_tau_with(lin->near, G, lin->moved, lin->eta, lin->scratch);
    if (st == LG_OK) st = G->compose(G, g, from, lin->moved, lin->scratch);
    return stage_failed(o->workspace, st);
}

int lg_linearisation_centre(lg_linearisation *lin)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_group *G = lin->implicit_copy->S.group;
    return stage_failed(w, G->inverse(G, lin->inverse, w->next->g, lin->scratch));
}

void lg_stage_steer(lg_linearisation *lin, int which, double e, int whole)
{
    const int numbers = lin->controls;
    const int count = whole ? lin->implicit_copy->S.callbacks.control_count : numbers;
    double kept[LG_CONTROL_NODES_MOST];
    for (int i = which, k = 0; which >= 0 && i < numbers; i += count, k++)
        kept[k] = lin->control[i], lin->control[i] += e;
    lg_integrator_put_controls(lin->implicit_copy, lin->control);
    for (int i = which, k = 0; which >= 0 && i < numbers; i += count, k++) lin->control[i] = kept[k];
}

int lg_stage_displace(lg_linearisation *lin, int column, double e, double *h)
{
    lg_integrator *implicit_copy = lin->implicit_copy;
    lg_node *a = implicit_copy->workspace->now;
    const int n = implicit_copy->plan.n, controls = lin->controls, c = column;
    double whole = lin->h;
    memcpy(a->g, lin->g, sz(implicit_copy->plan.element_size) * sizeof *a->g);
    memcpy(a->p_tilde, lin->p, sz(n) * sizeof *a->p_tilde);
    lg_stage_steer(lin, c - 2 * n, e, 0);
    memcpy(lin->seen, lin->parameters, sz(implicit_copy->S.parameter_count) * sizeof *lin->seen);
    if (c >= 0 && c < n && lg_linearisation_move(lin, a->g, lin->g, c, e)) return 1;
    if (c >= n && c < 2 * n) a->p_tilde[c - n] += e;
    if (c == 2 * n + controls) whole += e;
    if (c > 2 * n + controls) lin->seen[c - 2 * n - controls - 1] += e;
    memcpy(a->p_plus, a->p_tilde, sz(n) * sizeof *a->p_plus);
    memcpy(a->p_minus, a->p_tilde, sz(n) * sizeof *a->p_minus);
    a->t = lin->t0 + lin->before * whole;
    implicit_copy->workspace->next->t = lin->t0 + (lin->before + lin->share) * whole;
    implicit_copy->workspace->destination = implicit_copy->workspace->next;
    lg_collocation_begin(implicit_copy->workspace, a);
    *h = lin->share * whole;
    if (lg_arrays_follow(lin)) return 1;
    return lg_node_evaluate(implicit_copy->workspace, a);
}

/* F at the trial z; what has no implicit form is solved. */
static int stage_residual(lg_linearisation *lin, double h, const double *z, double *F)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    lg_node *a = w->now, *b = w->next;
    const int n = w->plan->n;
    if (!lin->nz) return lg_step_move(w, h, w->now, w->next);
    lg_implicit_scatter(w, z, b->xi);
    w->implicit->trial.departing = w->plan->method.rule->depart(w, h, a);
    if (lg_step_residual(w, h, a, b->xi, b, F)) return 1;
    memcpy(b->p_plus, w->implicit->trial.p_plus, sz(n) * sizeof *b->p_plus);
    lg_implicit_gather(w, b->xi, lin->lagged);
    for (int i = n; i < lin->nz; i++) F[i] = z[i] - lin->lagged[i];
    return 0;
}

/* From the free step to the state at b. */
static int stage_arrive(lg_linearisation *lin, double h)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_rule *rule = w->plan->method.rule;
    if (rule->arrive(w, h, w->now, w->next) || (rule->recall && rule->recall(w, w->next))) return 1;
    if (lin->ratio != 0 && rule->rescale) rule->rescale(w, lin->ratio, w->next);
    return 0;
}

int lg_stage_read(lg_linearisation *lin, double h, double *y)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    const lg_plan *P = w->plan;
    const lg_group *G = P->S->group;
    const lg_node *b = w->next;
    lg_status st = G->compose(G, lin->moved, lin->inverse, b->g, lin->scratch);
    if (st == LG_OK) st = lg_retraction_tau_inv_with(lin->near, G, y, lin->moved, lin->scratch);
    if (st != LG_OK) return stage_failed(w, st);
    memcpy(y + P->n, P->method.rule->depart(w, h, b), sz(P->n) * sizeof *y);
    memcpy(y + 2 * P->n, b->lambda, sz(P->m) * sizeof *y);
    return 0;
}

/* (F, y) with `column` of (z, x) displaced by e; eta of y in coordinates near the base. Where h is displaced h z stays
 * what it was: z is but a coordinate of the solution, and the multipliers contain phi(g_1)/h^2, whose round-off would
 * be differenced if g_1 moved. */
static int stage_sample(lg_linearisation *lin, int column, double e, double *f)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    double h;
    lin->expansions.next = 0;
    memcpy(lin->trial, lin->z, sz(lin->nz) * sizeof *lin->z);
    if (column >= 0 && column < lin->nz) lin->trial[column] += e;
    if (lg_stage_displace(lin, column - lin->nz, e, &h)) return 1;
    for (int i = 0; i < lin->nz; i++) lin->trial[i] *= lin->share * lin->h / h;
    if (stage_residual(lin, h, lin->trial, f) || stage_arrive(lin, h)) return 1;
    if (lg_stage_read(lin, h, f + lin->nz)) return 1;
    if (lg_all_finite(f, lin->nz + lin->ny)) return 0;
    return lg_workspace_fail_status(w, LG_ERROR_NOT_FINITE, "the residual of the step");
}

/* ---- differences ---- */

/* The derivatives with respect to `column` of (z, x). */
static int stage_differentiate(lg_linearisation *lin, lg_stage *stage, int column)
{
    const int n = lin->implicit_copy->plan.n, nz = lin->nz, count = nz + lin->ny;
    const lg_differenced f = {stage_sample, 4, {nz, nz + n, nz + 2 * n, count}, {lg_norm_max(lin->z, nz), 1, 0, 0}};
    if (lg_differentiate_input(lin, &f, column, lin->scale[column], column - nz)) return 1;
    for (int i = 0; i < count; i++) stage->partial[i * (nz + lin->nx) + column] = lin->best[i];
    return 0;
}

/* ---- a stage ---- */

/* Scales of inputs and unknowns: positions 1; velocities the largest velocity and, except for collocation, at least one
 * that changes positions by 1 in a step; momenta that velocity times the metric; controls and parameters their size; h
 * itself, but for baselines at least a time in which positions change by 1. */
static void stage_measure(lg_linearisation *lin)
{
    const lg_integrator *implicit_copy = lin->implicit_copy;
    const lg_node *a = implicit_copy->workspace->now, *b = implicit_copy->workspace->next;
    const int n = implicit_copy->plan.n, diagonal = implicit_copy->plan.diagonal;
    const int direct = (implicit_copy->plan.method.step->needs & LG_IS_DIRECT) != 0;
    const double fastest = fmax(1, lg_norm_max(b->xi, n));
    const double speed =
        implicit_copy->plan.method.collocation_stages ? fastest : fmax(fastest, 1 / fabs(lin->share * lin->h));
    double *s = lin->scale;
    for (int i = 0; i < lin->nz; i++) *s++ = speed;
    for (int i = 0; i < n; i++) *s++ = 1;
    for (int i = 0; i < n; i++) *s++ = speed * (diagonal ? a->metric[i] : a->metric[i * n + i]);
    for (int i = 0; i < lin->controls; i++) *s++ = fmax(1, fabs(lin->control[i]));
    *s++ = direct ? fmax(fabs(lin->h), 1 / fastest) : fabs(lin->h);
    for (int i = 0; i < implicit_copy->S.parameter_count; i++)
        *s++ = lin->parameters[i] != 0 ? fabs(lin->parameters[i]) : 1;
}

int lg_stage_settle(lg_linearisation *lin)
{
    lg_workspace *w = lin->implicit_copy->workspace;
    double h;
    if (lg_stage_displace(lin, LG_NO_COLUMN, 0, &h) || lg_step_move(w, h, w->now, w->next)) return 1;
    if (lin->nz) lg_implicit_gather(w, w->next->xi, lin->z);
    stage_measure(lin);
    return lg_linearisation_centre(lin);
}

/* Does a column leave alone what the potential's expansions do not know: time, controls and parameters? */
static int stage_expands(const lg_linearisation *lin, int column)
{
    const int c = column - lin->nz, n = lin->implicit_copy->plan.n;
    const int h = 2 * n + lin->controls;
    return c < 2 * n || (c == h && !lin->implicit_copy->S.callbacks.time_dependent);
}

static int stage_differentiate_all(lg_linearisation *lin, lg_stage *stage)
{
    lg_expansions_record(lin);
    if (stage_sample(lin, LG_NO_COLUMN, 0, lin->plus)) return 1;
    for (int column = 0; column < lin->nz + lin->nx; column++) {
        lg_expansions_use(lin, stage_expands(lin, column));
        if (stage_differentiate(lin, stage, column)) return 1;
    }
    return 0;
}

/* F_z has pivots about 1: is one of them within the errors of differenced callbacks? */
static int stage_is_uncertain(const lg_linearisation *lin, const lg_stage *stage)
{
    const int nz = lin->nz;
    const double error = lin->exact.width ? 4 * lin->inexact : 0;
    for (int i = 0; i < nz; i++)
        if (fabs(stage->LU[i * (nz + 1)]) < error) return 1;
    return 0;
}

/* LU of F_z. */
static int stage_factor(lg_linearisation *lin, lg_stage *stage)
{
    const int nz = lin->nz;
    for (int i = 0; i < nz; i++)
        memcpy(stage->LU + i * nz, stage->partial + i * (nz + lin->nx), sz(nz) * sizeof(double));
    if (!nz || (lg_lu_factor(stage->LU, stage->pivots, nz) == LG_OK && !stage_is_uncertain(lin, stage))) return 0;
    return lg_workspace_fail_status(lin->implicit_copy->workspace, LG_ERROR_SINGULAR, "the Jacobian of the step");
}

/* Callbacks see the stage as it is. */
static int stage_look(lg_linearisation *lin)
{
    lg_integrator *copy = lin->implicit_copy;
    lg_stage_steer(lin, LG_NO_COLUMN, 0, 0);
    memcpy(lin->seen, lin->parameters, sz(copy->S.parameter_count) * sizeof *lin->seen);
    return lg_arrays_follow(lin);
}

/* By tangents. */
static int stage_differentiate_exactly(lg_linearisation *lin, lg_stage *stage)
{
    const lg_integrator *copy = lin->implicit_copy;
    if (lin->nz && !lin->solved && lg_stage_settle(lin)) return 1;
    memcpy(stage->g, lin->g, sz(copy->plan.element_size) * sizeof *stage->g);
    memcpy(stage->p, lin->p, sz(copy->plan.n) * sizeof *stage->p);
    memcpy(stage->z, lin->z, sz(lin->nz) * sizeof *stage->z);
    if (stage_look(lin) || lg_exact_differentiate(lin, stage) || stage_factor(lin, stage)) return 1;
    memcpy(lin->g, lin->exact.g1, sz(copy->plan.element_size) * sizeof *lin->g);
    memcpy(lin->p, lin->exact.p1, sz(copy->plan.n) * sizeof *lin->p);
    return 0;
}

int lg_stage_differentiate(lg_linearisation *lin, int i)
{
    lg_stage *stage = &lin->stages[i];
    if (lin->exact.width) return stage_differentiate_exactly(lin, stage);
    const lg_plan *P = &lin->implicit_copy->plan;
    int bad = lg_stage_settle(lin) || stage_differentiate_all(lin, stage);
    lg_expansions_use(lin, 0);
    if (bad || stage_factor(lin, stage) || stage_sample(lin, LG_NO_COLUMN, 0, lin->plus)) return 1;
    memcpy(lin->g, lin->implicit_copy->workspace->next->g, sz(P->element_size) * sizeof *lin->g);
    memcpy(lin->p, lin->plus + lin->nz + P->n, sz(P->n) * sizeof *lin->p);
    return 0;
}
