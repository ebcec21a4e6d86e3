/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweeps. One sweep, of all stages at once:
 *   place      g_i, p_i from the rates                                  stages_place()
 *   fields     A_i, b_i, J_i at g_i                                     engine/node.c
 *   correct    stage form: p_i onto A_i xi_i = b_i, lambda accordingly  stages_correct()
 *   rates      g_i', p_i' anew; rate form: lambda_i                     stages_rate() */
#include "integrators/collocation/stages.h"

#include <float.h>
#include <string.h>

#include "base/small.h"
#include "integrators/collocation/sums.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/lanes.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"
#include "mechanics/gram.h"

/* A change of the stages that no longer shrinks is round-off below this; where differences stand in for derivatives,
 * below the other. */
#define STAGES_ROUND_OFF 1e-10
#define STAGES_ROUGH     1e-7
/* Larger changes tell how fast the sweeps contract. */
#define STAGES_CLEAR 1e-13
/* What sweeps contract by at least where one change alone is known, and is small. */
#define STAGES_SUPPOSED 0.1
/* Where they changed so much, they run away. */
#define STAGES_FAR 1e3

KERNEL int stages_numbers(const lg_plan *P)
{
    return P->element_size + P->n + P->m;
}

/* Stage form: are there rows that momenta have to be put onto? */
KERNEL int stages_corrects(const lg_plan *P)
{
    return P->m && !P->rate_form;
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
    for (int b = 0; b < o->blocks; b++)
        for (int l = 0; l < LANES; l++) {
            const int i = b * LANES + l;
            as_doubles(&o->node[b]->t)[l] = task->t + task->h * T->c[i < T->s ? i : T->s - 1];
        }
}

/* The rates that the step before predicts. */
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

/* Places block b: g, p_tilde and how far they moved; the stage form's momentum, which is not on its rows yet, into
 * o->force. */
KERNEL void stages_place_of(int s, int blocks, const lg_plan *P, lg_stages *o, const lg_stage_task *task, int b,
                            real *g, real *p)
{
    const int numbers = stages_numbers(P), e = P->element_size;
    const double *r = as_doubles(o->rate);
    stages_move(s, blocks, numbers, e, o->weights + b, task->g, r, o->node[b]->g, g);
    if (stages_corrects(P))
        stages_move(s, blocks, numbers, P->n, o->weights + b, task->p, r + e * LANES, o->force, NULL);
    else
        stages_move(s, blocks, numbers, P->n, o->weights + b, task->p, r + e * LANES, o->node[b]->p_tilde, p);
}

static void stages_place(const lg_plan *P, lg_stages *o, const lg_stage_task *task, int b, real *g, real *p)
{
    const int s = task->tableau->s;
    if (s == LG_STAGES_USUAL)
        stages_place_of(LG_STAGES_USUAL, LG_STAGES_USUAL / (LANES < 8 ? LANES : 8), P, o, task, b, g, p);
    else
        stages_place_of(s, o->blocks, P, o, task, b, g, p);
}

/* A J^-1 and its Gram matrix. */
KERNEL int stages_gram(int m, int n, lg_workspace *w, const lg_node *b)
{
    lg_stages *o = w->stages;
    gram_rows(o->raised, b->rows, b->metric_inverse, w->plan->diagonal, m, n);
    return gram_factor(o->gram, o->raised, b->rows, m, n);
}

/* Where they change; else they stand there since the step began. */
KERNEL int stages_prepare(int m, int n, lg_workspace *w, const lg_node *b)
{
    const lg_plan *P = w->plan;
    if (P->constant_rows && P->constant_metric) return 0;
    const int bad = stages_gram(m, n, w, b);
    return bad ? lg_workspace_fail_row(w, bad) : 0;
}

/* z = A J^-1 x - side at b; `side` is m numbers, or NULL where it is 0. */
KERNEL int stages_miss(int m, int n, lg_workspace *w, const real *x, const real *side, real *z)
{
    const lg_stages *o = w->stages;
    for (int a = 0; a < m; a++) {
        z[a] = small_dot(n, o->raised + a * n, x);
        if (side) z[a] = z[a] - side[a];
    }
    return 0;
}

/* z = C^-1 (A J^-1 x - side). */
KERNEL int stages_share(int m, int n, lg_workspace *w, const real *x, const real *side, real *z)
{
    stages_miss(m, n, w, x, side, z);
    gram_solve(w->stages->gram, z, m);
    return 0;
}

/* p <- p - A^T z. */
KERNEL int stages_push(int m, int n, const real *A, const real *z, real *p, double sign)
{
    for (int a = 0; a < m; a++)
        for (int i = 0; i < n; i++) p[i] = p[i] + sign * (A[a * n + i] * z[a]);
    return 0;
}

/* Rate form: lambda = -C^-1 (A J^-1 f - right), f <- f + A^T lambda. */
KERNEL int stages_react(int m, int n, lg_workspace *w, const lg_node *b, const real *right, real *lambda, real *f)
{
    if (stages_prepare(m, n, w, b)) return 1;
    stages_share(m, n, w, f, right, lambda);
    for (int a = 0; a < m; a++) lambda[a] = -lambda[a];
    return stages_push(m, n, b->rows, lambda, f, 1.0);
}

/* p <- free - A^T z with z = C^-1 (A J^-1 free - side), and the largest change of p in every lane. */
KERNEL int stages_put(int m, int n, lg_workspace *w, lg_node *b, const real *free_momentum, const real *side, real *z,
                      real *most)
{
    const real *A = b->rows;
    real *p = b->p_tilde, change = splat(0);
    if (stages_prepare(m, n, w, b)) return 1;
    stages_share(m, n, w, free_momentum, side, z);
    for (int i = 0; i < n; i++) {
        real sum = free_momentum[i];
        for (int a = 0; a < m; a++) sum = sum - A[a * n + i] * z[a];
        change = larger_size(change, magnitude(sum - p[i]));
        p[i] = sum;
    }
    *most = change;
    return 0;
}

/* Stage form: p_i from o->force onto its rows; what that took is the residual. */
static int stages_correct(lg_workspace *w, int at, real *change)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    const real *side = P->sides ? b->right_side : NULL;
    return LG_SIZED(P->m, P->n, stages_put, w, b, o->force, side, o->residual + at * P->m, change);
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

/* right = A Y' - A' (xi - Y) of the velocity rows. */
KERNEL int stages_bend(int m, int n, const real *rows, const real *drift, const real *A, const real *Y, const real *xi,
                       real *right)
{
    for (int a = 0; a < m; a++) {
        real sum = rows[a * n] * Y[0] - A[a * n] * (xi[0] - drift[0]);
        for (int i = 1; i < n; i++) sum = sum + (rows[a * n + i] * Y[i] - A[a * n + i] * (xi[i] - drift[i]));
        right[a] = sum;
    }
    return 0;
}

/* Rate form: right = b' - A' xi of every row. */
static int stages_acceleration(lg_workspace *w, lg_node *b, const real *xi, real *right)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const int n = P->n, first = P->holonomic;
    const real *A = o->rows_rate, *Y = A + P->nonholonomic * n;
    if (first && lg_evaluate(w, LG_CALLBACK_HOLONOMIC_ACCELERATION, &b->t, b->g, xi, right, first)) return 1;
    for (int a = 0; a < first; a++) right[a] = -right[a];
    if (!P->drift) {
        for (int a = first; a < P->m; a++) right[a] = splat(0);
        return 0;
    }
    if (fields_row_rates(w, b, xi)) return 1;
    (void)LG_SIZED(P->nonholonomic, n, stages_bend, b->rows + first * n, b->drift, A, Y, xi, right + first);
    return 0;
}

KERNEL int stages_negate(int n, real *to, const real *from)
{
    for (int i = 0; i < n; i++) to[i] = -from[i];
    return 0;
}

/* dp = -dV + f + dT at b. */
static int stages_forces(lg_workspace *w, lg_node *b, const real *xi, real *dp)
{
    const lg_plan *P = w->plan;
    real *extra = w->stages->extra;
    if (P->potential) {
        if (fields_gradient(w, b, extra)) return 1;
        (void)LG_SIZED_COLUMNS(P->n, stages_negate, dp, extra);
    } else
        for (int i = 0; i < P->n; i++) dp[i] = splat(0);
    if (P->force) {
        if (lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, extra, P->n)) return 1;
        for (int i = 0; i < P->n; i++) dp[i] = dp[i] + extra[i];
    }
    if (P->constant_metric) return 0;
    if (lg_evaluate(w, LG_CALLBACK_METRIC_GRADIENT, &b->t, b->g, xi, extra, P->n)) return 1;
    for (int i = 0; i < P->n; i++) dp[i] = dp[i] + extra[i];
    return 0;
}

/* The rates of block `at`. */
static int stages_rate(lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    real *dg = o->rate + at * stages_numbers(P), *dp = dg + P->element_size, *lambda = dp + P->n, *xi = o->velocity;
    lg_raise(P, xi, b, b->p_tilde);
    if (stages_forces(w, b, xi, dp)) return 1;
    for (int k = 0; k < P->factor_count; k++) {
        const lg_factor_plan *f = &P->factors[k];
        if (lg_factor_rates(w, f, b->g + f->element_offset, xi + f->offset, b->p_tilde + f->offset,
                            dg + f->element_offset, o->force + f->offset))
            return 1;
        for (int i = f->offset; !f->group->abelian && i < f->offset + f->n; i++) dp[i] = dp[i] + o->force[i];
    }
    if (!P->m) return 0;
    if (P->rate_form) {
        real *right = o->residual + at * P->m;
        if (stages_acceleration(w, b, xi, right)) return 1;
        return LG_SIZED(P->m, P->n, stages_react, w, b, right, lambda, dp);
    }
    (void)LG_SIZED(P->m, P->n, stages_push, b->rows, lambda, dp, 1.0);
    return 0;
}

/* What the callbacks of this call have in common. */
static void stages_open(lg_workspace *w, const lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    stages_set_times(w->stages, task);
    w->stages->at_once = fields_at_once(w);
    if (P->m && P->constant_rows && P->constant_metric) (void)LG_SIZED(P->m, P->n, stages_gram, w, w->stages->node[0]);
}

/* ---- sweeps until the stages stand still ---- */

/* Sizes that changes are relative to. */
typedef struct stages_scale {
    double g, p;
} stages_scale;

static double stages_norm(const double *x, int n, double least)
{
    for (int i = 0; i < n; i++) least = fabs(x[i]) > least ? fabs(x[i]) : least;
    return least;
}

/* Momenta are as large as they start or become. */
static void stages_measure(const lg_plan *P, const lg_stages *o, stages_scale *scale)
{
    for (int b = 0; b < o->blocks; b++)
        scale->p = stages_norm((const double *)o->node[b]->p_tilde, P->n * LANES, scale->p);
}

/* One sweep; *change is how much the stages moved. */
static int stages_sweep(lg_workspace *w, const lg_stage_task *task, const stages_scale *scale, double *change)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    const int corrects = stages_corrects(P);
    const double per_g = 1 / scale->g, per_p = 1 / scale->p;
    real most = splat(0);
    for (int b = 0; b < o->blocks; b++) {
        real g, p;
        stages_place(P, o, task, b, &g, &p);
        if (fields_at(w, o->node[b])) return 1;
        if (corrects && stages_correct(w, b, &p)) return 1;
        most = larger_size(most, larger_size(magnitude(g * per_g), magnitude(p * per_p)));
    }
    if (corrects) stages_update_multipliers(P, o, task->tableau->s);
    for (int b = 0; b < o->blocks; b++)
        if (stages_rate(w, b)) return 1;
    *change = largest_size(most);
    return 0;
}

/* All stages where the step departs: their rates are the first guess. */
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
        if (fields_at(w, node) || stages_rate(w, b)) return 1;
    }
    return 0;
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

/* Number i of stage j to [i s + j]. */
static void stages_report(lg_workspace *w, lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    const lg_stages *o = w->stages;
    const int s = task->tableau->s, numbers = stages_numbers(P);
    const double *r = (const double *)o->rate;
    stages_gather(task->rates, s, numbers, r);
    task->moving = stages_moving(w);
}

int lg_stages_solve(lg_workspace *w, lg_stage_task *task)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    const double rough = P->differenced ? STAGES_ROUGH : STAGES_ROUND_OFF;
    stages_scale scale = {stages_norm(task->g, P->element_size, 1),
                          stages_norm(task->p, P->n, fmax(task->momentum, DBL_MIN))};
    double last = INFINITY, change = INFINITY;
    int k = 0;
    task->contraction = 0;
    stages_set_length(o, task);
    stages_open(w, task);
    if (task->memory)
        stages_predict(o, task, stages_numbers(P));
    else if (stages_begin(w, task))
        return 1;
    for (;; k++, last = change) {
        if (stages_sweep(w, task, &scale, &change)) return 1;
        if (k == 0) {
            stages_measure(P, o, &scale);
            change = INFINITY;
            continue;
        }
        const double ratio = last < INFINITY ? change / last : 1;
        if (change > STAGES_CLEAR) task->contraction = last < INFINITY ? ratio : STAGES_SUPPOSED;
        if (change * ratio <= task->tolerance || (ratio >= 1 && change < rough && k > 1)) break;
        if (!(change <= STAGES_FAR) || k >= task->sweeps_most) {
            task->defect = change, task->sweeps = k + 1;
            return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the stages", 0, k + 1, change);
        }
    }
    task->defect = change, task->sweeps = k + 1;
    stages_report(w, task);
    return 0;
}

/* ---- the fields by themselves ---- */

/* g', p' of block `at` where the task says; and A xi - b in the stage form, else lambda. */
static int stages_evaluate(lg_workspace *w, const lg_stage_task *task, int at)
{
    const lg_plan *P = w->plan;
    lg_stages *o = w->stages;
    lg_node *b = o->node[at];
    const int s = task->tableau->s, e = P->element_size, n = P->n;
    real *last = o->rate + at * stages_numbers(P) + e + n;
    stages_scatter(b->g, s, e, at, task->memory);
    stages_scatter(b->p_tilde, s, n, at, task->memory + e * s);
    stages_scatter(last, s, P->m, at, task->memory + (e + n) * s);
    if (fields_at(w, b) || stages_rate(w, at)) return 1;
    if (!stages_corrects(P)) return 0;
    if (LG_SIZED(P->m, n, stages_prepare, w, b)) return 1;
    return LG_SIZED(P->m, n, stages_miss, w, b->p_tilde, P->sides ? b->right_side : NULL, last);
}

int lg_stages_fields(lg_workspace *w, lg_stage_task *task)
{
    lg_stages *o = w->stages;
    stages_open(w, task);
    for (int b = 0; b < o->blocks; b++)
        if (stages_evaluate(w, task, b)) return 1;
    stages_gather(task->rates, task->tableau->s, stages_numbers(w->plan), (const double *)o->rate);
    return 0;
}
