/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps, part of the walk at the head of collocation.c. One sweep, of all stages at once:
 *   place      g_i, p_i from the rates                                  stages_place()
 *   fields     A_i, b_i, J_i at g_i                                     fields.c
 *   correct    stage form: p_i onto A_i xi_i = b_i, lambda accordingly  sweep_put(), stages_update_multipliers()
 *   rates      g_i', p_i'; rate form: lambda_i                          sweep_rate()
 * If momenta lead (lg_sweep_choose()), then from the second sweep on p_i is placed first and projected onto the rows of
 * the sweep before, g_i is placed by these momenta, and the fields come last. A force then acts on g after one sweep
 * instead of two. */
#include "integrators/collocation/stages.h"

#include <float.h>
#include <string.h>

#include "base/dense.h"
#include "base/lane_size.h"
#include "base/small.h"
#include "integrators/collocation/sums.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"
#include "mechanics/gram.h"

/* A change of the stages that no longer shrinks is round-off below this bound; the second bound holds where differences
 * replace derivatives. */
#define STAGES_ROUND_OFF 1e-10
#define STAGES_ROUGH     1e-7
/* Larger changes show how fast the sweeps contract, and those of the first sweeps are not round-off: that of a long
 * prediction can grow once before it disappears. */
#define STAGES_CLEAR 1e-13
/* The contraction that is assumed if only one change is known, and is small. */
#define STAGES_SUPPOSED 0.1
/* A larger change means divergence. */
#define STAGES_FAR 1e3

/* After sweep k, a change below this that no longer shrinks is round-off. */
KERNEL double stages_noise(const lg_plan *P, int k)
{
    if (k > 2) return P->differenced ? STAGES_ROUGH : STAGES_ROUND_OFF;
    return k > 1 ? STAGES_CLEAR : 0;
}

/* ---- setting up ---- */

static void stages_set_length(lg_stages *o, const lg_stage_task *task)
{
    const lg_tableau *T = task->tableau;
    if (o->h == task->h) return;
    stages_columns(o->weights, T->a, task->h, T->s, o->blocks);
    stages_columns(o->inverse, T->inverse, 1 / task->h, T->s, o->blocks);
    o->h = task->h;
}

static void stages_set_times(lg_stages *o, const lg_stage_task *task)
{
    const lg_tableau *T = task->tableau;
    for (int b = 0; b < o->blocks; b++) {
        real c;
        if ((b + 1) * LANES <= T->s)
            memcpy(&c, T->c + b * LANES, sizeof c);
        else
            for (int l = 0; l < LANES; l++) as_doubles(&c)[l] = T->c[b * LANES + l < T->s ? b * LANES + l : T->s - 1];
        o->node[b]->t = task->t + task->h * c;
    }
}

/* The controls of all blocks, unless they are held. */
static void stages_set_controls(lg_workspace *w, const lg_stage_task *task)
{
    lg_stages *o = w->stages;
    const int s = task->tableau->s, c = w->plan->S->callbacks.control_count;
    o->steered = task->controls != NULL;
    for (int k = 0; o->steered && k < o->blocks * LANES; k++) {
        const double *from = task->controls + (k < s ? k : s - 1) * c;
        double *to = as_doubles(o->controls + k / LANES * c) + k % LANES;
        for (int j = 0; j < c; j++) to[j * LANES] = from[j];
#if LANES > 1
        memcpy(o->lane_controls + k * c, from, sz(c) * sizeof *from);
#endif
    }
}

/* Predicts the rates from the previous step. */
static void stages_predict(lg_stages *o, const lg_stage_task *task, int numbers)
{
    const int s = task->tableau->s;
    real *columns = o->columns;
    const lg_extension *x = task->extension;
    if (o->at != x->at || o->span != x->span) stages_columns(columns, x->E, 1, s, o->blocks);
    o->at = x->at, o->span = x->span;
    stages_continue(o->rate, s, o->blocks, numbers, columns, task->memory);
}

/* ---- one sweep ---- */

/* Scales of changes, and their reciprocals. */
typedef struct stages_scale {
    double g, p, per_g, per_p;
} stages_scale;

/* Places numbers [first, first + count) of all blocks; most, unless NULL: their largest change. */
KERNEL void stages_place(const lg_plan *P, const lg_stages *o, const lg_stage_task *task, int first, int count,
                         const double *start, real *const *to, real *most)
{
    const int s = task->tableau->s, numbers = stages_numbers(P);
    const double *r = as_doubles(o->rate) + first * LANES;
    if (s == LG_STAGES_USUAL)
        stages_move(LG_STAGES_USUAL, LG_STAGES_USUAL / (LANES < 8 ? LANES : 8), numbers, count, o->weights, start, r,
                    to, most);
    else
        stages_move(s, o->blocks, numbers, count, o->weights, start, r, to, most);
}

static void stages_place_momenta(const lg_plan *P, const lg_stages *o, const lg_stage_task *task, real *p)
{
    if (stages_corrects(P)) /* they move once more */
        stages_place(P, o, task, P->element_size, P->n, task->p, o->momenta, NULL);
    else
        stages_place(P, o, task, P->element_size, P->n, task->p, o->momenta, p);
}

static void stages_place_elements(const lg_plan *P, const lg_stages *o, const lg_stage_task *task, real *g)
{
    stages_place(P, o, task, 0, P->element_size, task->g, o->elements, g);
}

/* lambda <- lambda - a^-1 residual / h, from the residuals of all stages. */
static void stages_update_multipliers(const lg_plan *P, lg_stages *o, int s)
{
    const int m = P->m, numbers = stages_numbers(P), first = P->element_size + P->n;
    const double *r = as_doubles(o->residual);
    for (int b = 0; b < o->blocks; b++)
        for (int a = 0; a < m; a++) {
            real *to = &o->rate[b * numbers + first + a];
            *to = *to - stages_sum(s, o->blocks, m, o->inverse + b, r + a * LANES);
        }
}

/* One sweep; *change is how much the stages moved. If momenta do not lead and all stages fit into one vector, elements
 * are placed first: their rates are ready before those of momenta, so the vector units need not wait. */
static int stages_sweep(lg_workspace *w, const lg_stage_task *task, const stages_scale *scale, double *change)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    const int corrects = stages_corrects(P), first = LANES >= LG_STAGES_USUAL && !o->leads;
    real g[LG_STAGES_MOST], p[LG_STAGES_MOST], most = splat(0);
    if (first) stages_place_elements(P, o, task, g);
    stages_place_momenta(P, o, task, p);
    if (o->leads && ((corrects && o->puts(w, p)) || o->follow(w))) return 1;
    if (!first) stages_place_elements(P, o, task, g);
    if (corrects && !o->leads && o->puts(w, p)) return 1;
    for (int b = 0; b < o->blocks; b++)
        most = larger_size(most, larger_size(magnitude(g[b] * scale->per_g), magnitude(p[b] * scale->per_p)));
    *change = largest_size(most);
    if (corrects) stages_update_multipliers(P, o, task->tableau->s);
    return o->rates(w);
}

/* Sets the times of the stages, and the common arguments of callbacks. */
static void stages_open(lg_workspace *w, const lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    stages_set_times(w->stages, task);
    stages_set_controls(w, task);
    w->stages->leads = 0;
    fields_begin(w);
    if (task->anew && P->m && P->constant_rows && P->constant_metric)
        (void)LG_SIZED(P->m, P->n, sweep_gram, w, w->stages->node[0]);
}

/* ---- sweeps until the stages converge ---- */

static double stages_norm(const double *x, int n, double least)
{
    for (int i = 0; i < n; i++) least = fabs(x[i]) > least ? fabs(x[i]) : least;
    return least;
}

/* The scale of momenta: the larger of initial and present ones. */
static void stages_measure(const lg_plan *P, const lg_stages *o, stages_scale *scale)
{
    real most = splat(scale->p);
    for (int b = 0; b < o->blocks; b++)
        for (int i = 0; i < P->n; i++) most = greater(most, magnitude(o->node[b]->p_tilde[i]));
    scale->p = 0;
    for (int l = 0; l < LANES; l++) scale->p = lane_of(most, l) > scale->p ? lane_of(most, l) : scale->p;
    scale->per_p = 1 / scale->p;
}

/* Puts all stages at the initial state: their rates are the first guess. */
static int stages_begin(lg_workspace *w, const lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    const int numbers = stages_numbers(P);
    for (int i = 0; i < o->blocks * numbers; i++) o->rate[i] = splat(0);
    for (int b = 0; b < o->blocks; b++) {
        lg_node *node = o->node[b];
        for (int i = 0; i < P->element_size; i++) node->g[i] = splat(task->g[i]);
        for (int i = 0; i < P->n; i++) node->p_tilde[i] = splat(task->p[i]);
        if (stages_corrects(P) && fields_at(P->m, P->n, w, b)) return 1;
    }
    return o->rates(w);
}

static int stages_moving(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    for (int b = 0; P->sides && b < o->blocks; b++) {
        if (P->rate_form && P->drift) lg_node_sides(w, o->node[b]);
        for (int a = 0; a < P->m; a++)
            if (any(o->node[b]->right_side[a] != 0.0)) return 1;
    }
    return 0;
}

/* Copies number i of stage j to [i s + j]. */
static void stages_report(lg_workspace *w, lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const int s = task->tableau->s, numbers = stages_numbers(P);
    const double *r = (const double *)o->rate;
    stages_gather(task->rates, s, numbers, r);
    task->moving = stages_moving(w);
}

/* The first guess of all rates. */
static int stages_guess(lg_workspace *w, const lg_stage_task *task)
{
    stages_set_length(w->stages, task);
    stages_open(w, task);
    if (!task->memory) return stages_begin(w, task);
    stages_predict(w->stages, task, stages_numbers(w->plan));
    return 0;
}

/* Judges sweep k, in which the stages moved by `change`, and by `last` in the one before (INFINITY: unknown).
 * 1: they have converged, -1: they diverge, 0: continue. */
static int stages_judge(const lg_plan *P, lg_stage_task *task, int k, double last, double change)
{
    const double ratio = last < INFINITY ? change / last : 1;
    if (last > STAGES_CLEAR && (change > STAGES_CLEAR || task->contraction > 1))
        task->contraction = last < INFINITY ? ratio : STAGES_SUPPOSED;
    if (change * ratio <= task->tolerance || (ratio >= 1 && change < stages_noise(P, k))) return 1;
    return change <= STAGES_FAR && k < task->sweeps_most ? 0 : -1;
}

int lg_stages_solve(lg_workspace *w, lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    stages_scale scale = {stages_norm(task->g, P->element_size, 1),
                          stages_norm(task->p, P->n, lg_larger(task->momentum_scale, DBL_MIN)), 1, 1};
    double change = INFINITY;
    int k = 0, verdict = 0;
    task->contraction = 0;
    scale.per_g = 1 / scale.g;
    if (stages_guess(w, task)) return 1;
    for (; verdict == 0; k++) {
        const double last = k > 1 ? change : INFINITY;
        o->leads = o->can_lead && k > 0;
        if (stages_sweep(w, task, &scale, &change)) return 1;
        if (k == 0)
            stages_measure(P, o, &scale); /* its change has no scale yet */
        else
            verdict = stages_judge(P, task, k, last, change);
    }
    task->defect = change, task->sweeps = k;
    if (verdict < 0) return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, k, change);
    stages_report(w, task);
    return 0;
}

/* ---- the fields alone ---- */

/* Puts block `at` at the state of the task. */
static void stages_show(const lg_plan *P, lg_stages *o, const lg_stage_task *task, int at)
{
    const int s = task->tableau->s, e = P->element_size, n = P->n;
    stages_scatter(o->node[at]->g, s, e, at, task->memory);
    stages_scatter(o->node[at]->p_tilde, s, n, at, task->memory + e * s);
    stages_scatter(o->rate + at * stages_numbers(P) + e + n, s, P->m, at, task->memory + (e + n) * s);
}

/* Replaces the multipliers of block `at` by A xi - b. */
static int stages_evaluate_rows(lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const lg_node *b = o->node[at];
    const int m = P->m, n = P->n;
    real *last = o->rate + at * stages_numbers(P) + P->element_size + n;
    if (sweep_prepare(m, n, w, b, o->raised, o->gram)) return 1;
    sweep_miss(m, n, o->raised, b->p_tilde, P->sides ? b->right_side : NULL, last);
    return 0;
}

int lg_stages_fields(lg_workspace *w, lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    stages_open(w, task);
    for (int b = 0; b < o->blocks; b++) {
        stages_show(P, o, task, b);
        if (stages_corrects(P) && fields_at(P->m, P->n, w, b)) return 1;
    }
    if (o->rates(w)) return 1;
    for (int b = 0; stages_corrects(P) && b < o->blocks; b++)
        if (stages_evaluate_rows(w, b)) return 1;
    stages_gather(task->rates, task->tableau->s, stages_numbers(P), (const double *)o->rate);
    return 0;
}
