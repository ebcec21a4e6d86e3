/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step of collocation, in numbers that carry derivatives: the sweeps of instances.c, in which each
 * block is one stage, are repeated from the rates of the solved step until the derivatives are their fixed point, too,
 * at the rate at which the stages converged. Values begin each sweep anew, and a direction that has converged is held,
 * so that no derivative depends on its neighbours.
 *
 * Callbacks are evaluated through engine/callbacks.h, off the group, too: they must understand these numbers. */
#include "integrators/collocation/instances.h"

#include "integrators/engine/callbacks.h"
#include "integrators/engine/tangent.h"

/* ---- fields.c for these numbers ---- */

static void fields_begin(lg_workspace *w)
{
    w->stages->together = NULL;
}

KERNEL int fields_at(int, int, lg_workspace *w, int at)
{
    const lg_plan *P = w->plan;
    if (P->constant_metric && P->constant_rows && !P->drift) return 0;
    return lg_node_evaluate_rows(w, w->stages->node[at]);
}

KERNEL int fields_gradient(int n, lg_workspace *w, int at, real *dV)
{
    lg_node *b = w->stages->node[at];
    return lg_evaluate(w, LG_CALLBACK_GRADIENT, &b->t, b->g, NULL, dV, n);
}

KERNEL int fields_together(int, int, lg_workspace *, int, const real *)
{
    return 1; /* fields_begin() */
}

static int fields_steered_force(lg_workspace *w, int at, const real *xi, real *f)
{
    const lg_node *b = w->stages->node[at];
    double *held = w->lanes->wide_control;
    w->lanes->wide_control = as_doubles(w->stages->controls + at * w->plan->S->callbacks.control_count);
    const int bad = lg_evaluate(w, LG_CALLBACK_FORCE, &b->t, b->g, xi, f, w->plan->n);
    w->lanes->wide_control = held;
    return bad;
}

KERNEL int fields_row_rates(int m, int n, lg_workspace *w, int at, const real *xi)
{
    real *A = w->stages->rows_rate;
    return lg_evaluate_row_rates(w, w->stages->node[at], xi, A, A + m * n, w->stages->partial);
}

#include "integrators/collocation/sweep.c"

#include "integrators/collocation/instances.c"

/* ---- sweeps of derivatives ---- */

/* Changes below this, relative, end the sweeps; so do changes that no longer shrink and are below one of the others:
 * relative, or, for derivatives of which only round-off is left, as they are. */
#define TANGENT_CLEAR     1e-16
#define TANGENT_ROUND_OFF 1e-9
#define TANGENT_NOTHING   1e-13

/* What is known of each direction. */
typedef struct tangent_progress {
    double change[LG_DIRECTIONS]; /* of the sweep before, relative */
    bool held[LG_DIRECTIONS];
    int busy; /* number of directions that are not held */
} tangent_progress;

/* Rates of the solved step into the values, and those of held directions into their derivatives; the rates of the
 * others are saved (lg_instances::memory). */
static void tangent_restore(lg_workspace *w, const double *rates, const tangent_progress *progress)
{
    const lg_instances *o = w->instances;
    const int s = o->tableau.s, numbers = stages_numbers(w->plan);
    for (int j = 0; j < s; j++)
        for (int i = 0; i < numbers; i++) {
            real *rate = &w->stages->rate[j * numbers + i], *saved = &o->memory[i * s + j];
            for (int d = 0; progress->busy < LG_DIRECTIONS && d < LG_DIRECTIONS; d++)
                if (progress->held[d]) tangent_set(*rate, d, tangent_get(*saved, d));
            rate->v = rates[i * s + j];
            *saved = *rate;
        }
}

/* The largest derivatives in every direction. */
typedef struct tangent_sizes {
    tangent_vector d[TANGENT_VECTORS];
} tangent_sizes;

KERNEL void tangent_enlarge(tangent_sizes *most, const real &x, double unit)
{
    for (int k = 0; k < TANGENT_VECTORS; k++) {
        const tangent_vector size = unit * (x.d[k] < 0 ? -x.d[k] : x.d[k]);
        most->d[k] = size > most->d[k] ? size : most->d[k];
    }
}

/* Notes the change of a number since the sweep before (lg_instances::rates). */
KERNEL void tangent_note(tangent_sizes *size, tangent_sizes *moved, real *last, const real &x, double unit)
{
    tangent_enlarge(size, x, unit);
    tangent_enlarge(moved, x - *last, unit);
    *last = x;
}

/* The largest entry of a row. */
static double tangent_row(const real *row, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(row[i].v));
    return most;
}

/* The change of each direction of the stages in this sweep, relative: of configurations, and of momenta and of what
 * reactions add to them in a step, in such units that they move configurations in a step. Reactions count since forces
 * that they cancel leave only round-off. */
static void tangent_measure(lg_workspace *w, double h, double *change, double *absolute)
{
    const lg_plan *P = w->plan;
    const int s = w->instances->tableau.s, e = P->element_size, n = P->n;
    tangent_sizes size = {}, moved = {};
    real *last = w->instances->rates;
    double unit = 0;
    for (int i = 0; i < n; i++) unit = fmax(unit, fabs(h * w->now->metric_inverse[P->diagonal ? i : i * (n + 1)].v));
    for (int j = 0; j < s; j++) {
        const lg_node *b = w->stages->node[j];
        for (int i = 0; i < e; i++) tangent_note(&size, &moved, last++, b->g[i], 1);
        for (int i = 0; i < n; i++) tangent_note(&size, &moved, last++, b->p_tilde[i], unit);
        for (int a = 0; a < P->m; a++)
            tangent_enlarge(&size, w->stages->rate[j * (e + n + P->m) + e + n + a],
                            fabs(h) * unit * tangent_row(b->rows + a * n, n));
    }
    for (int d = 0; d < LG_DIRECTIONS; d++) {
        absolute[d] = ((const double *)moved.d)[d];
        change[d] = absolute[d] > 0 ? absolute[d] / ((const double *)size.d)[d] : 0;
    }
}

/* Holds the directions that have converged after sweep k. Parameters and controls move the stages from the second sweep
 * on, for the first time. */
static void tangent_judge(lg_workspace *w, double h, int k, tangent_progress *o)
{
    double change[LG_DIRECTIONS], absolute[LG_DIRECTIONS];
    tangent_measure(w, h, change, absolute);
    for (int d = 0; d < LG_DIRECTIONS; d++) {
        const double ratio = o->change[d] > 0 ? change[d] / o->change[d] : 1;
        if (o->held[d]) continue;
        o->change[d] = change[d];
        const int noise = ratio >= 0.5 && (change[d] < TANGENT_ROUND_OFF || absolute[d] < TANGENT_NOTHING);
        o->held[d] = k > 1 && (noise || change[d] == 0 || change[d] * fmin(ratio, 1) <= TANGENT_CLEAR);
        o->busy -= o->held[d];
    }
}

/* The stages where the step departs: the solved rates, and no derivatives. */
static void tangent_begin(lg_workspace *w, duration h, const double *rates, tangent_progress *o)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    const lg_tableau *T = &w->instances->tableau;
    for (int k = 0; k < T->s; k++) of->node[k]->t = w->now->t + h * T->c[k];
    fields_begin(w);
    if (P->m && P->constant_rows && P->constant_metric) (void)LG_SIZED(P->m, P->n, sweep_gram, w, of->node[0]);
    for (int i = 0; i < T->s * stages_numbers(P); i++) of->rate[i] = w->instances->rates[i] = splat(0);
    for (int d = 0; d < LG_DIRECTIONS; d++) o->held[d] = 0, o->change[d] = 0;
    o->busy = LG_DIRECTIONS;
    tangent_restore(w, rates, o);
}

/* instances_sweep() without the changes of values. */
static int tangent_sweep(lg_workspace *w, const lg_node *a)
{
    const lg_plan *P = w->plan;
    const lg_stages *of = w->stages;
    const int corrects = stages_corrects(P);
    real change[LG_STAGES_MOST];
    instances_place_momenta(w, a, NULL);
    if (corrects && of->leads && of->puts(w, change)) return 1;
    if (of->leads && of->follow(w)) return 1;
    instances_place_elements(w, a, NULL);
    if (corrects && !of->leads && of->puts(w, change)) return 1;
    if (corrects) (void)INSTANCES_SIZED(w->instances->tableau.s, instances_update_multipliers, P, w->instances, of);
    return of->rates(w);
}

static int tangent_sweeps(lg_workspace *w, duration h, const lg_node *a)
{
    const double *rates = w->lanes->task->z;
    tangent_progress progress;
    tangent_begin(w, h, rates, &progress);
    for (int k = 0; progress.busy; k++) {
        w->stages->leads = w->stages->can_lead && k > 0;
        if (tangent_sweep(w, a)) return 1;
        tangent_judge(w, seconds(h), k, &progress);
        tangent_restore(w, rates, &progress);
        if (k > w->evaluations_max) return lg_workspace_fail_status(w, LG_ERROR_CONVERGENCE, "derivatives of stages");
    }
    return 0;
}

static int tangent_collocate(lg_workspace *w, duration h, const lg_node *a, const real *, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_instances *o = w->instances;
    const int e = P->element_size, s = o->tableau.s;
    instances_set_length(o, h);
    for (int i = 0; i < e + P->n; i++) a->carry[i] = splat(0);
    w->now->kept = splat((double)NAN);
    if (tangent_sweeps(w, h, a)) return 1;
    o->moving = instances_moving(w);
    instances_add(&o->tableau, h, o->memory, a->g, a->carry, b->g, b->carry, e);
    instances_add(&o->tableau, h, o->memory + e * s, a->p_tilde, a->carry + e, b->p_plus, b->carry + e, P->n);
    instances_take_round_off(P, b->g);
    return 0;
}

/* ---- the node ---- */

/* lambda = -C^-1 (A J^-1 f - b' + A' xi) at b, by the first stage, with the controls of b. */
static int tangent_multipliers(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_stages *of = w->stages;
    const int m = P->m, n = P->n;
    lg_node *at = of->node[0];
    real *f = w->vector, *xi = of->velocity;
    if (!m) return 0;
    of->steered = 0;
    at->t = b->t;
    for (int i = 0; i < P->element_size; i++) at->g[i] = b->g[i];
    for (int i = 0; i < n; i++) at->p_tilde[i] = b->p_tilde[i];
    if (fields_at(m, n, w, 0)) return 1;
    sweep_raise(n, P, at, at->p_tilde, xi);
    if (sweep_forces(n, w, 0, xi, f) || sweep_turn(w, SWEEP_ANY, 0, n, xi, at->p_tilde, f) ||
        sweep_right(m, n, w, 0, xi, of->residual, of->residual) || sweep_prepare(m, n, w, at, of->raised, of->gram))
        return 1;
    sweep_share(m, n, of->raised, of->gram, f, of->residual, b->lambda);
    for (int i = 0; i < m; i++) b->lambda[i] = -b->lambda[i];
    return 0;
}

static int tangent_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    return instances_arrive(w, h, a, b) || tangent_multipliers(w, b);
}

static const lg_rule tangent_collocation_rule = {
    .name = "collocation", .needs = LG_NEEDS_SIDES, .depart = lg_depart_state, .arrive = tangent_arrive};

static const lg_free_step tangent_collocation_step = {
    .name = "collocation", .needs = LG_IS_DIRECT, .advance = tangent_collocate};
