/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of collocation with an instance in every lane: its verbs, those of collocation.c and projection.c in lanes.
 * The work at a stage is the code of sweep.c; the sums over stages are here. instances_step.c makes the step of them,
 * and tangent.c its derivative. */
#include "integrators/collocation/instances.h"

#include <string.h>

#include "base/lane_size.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"

int lg_instances_spans(lg_instances *o, const lg_plan *P, lg_span *s)
{
    s[0] = (lg_span){as_doubles(&o->span), 1}, s[1] = (lg_span){as_doubles(&o->at), 1};
    s[2] = (lg_span){as_doubles(o->memory), o->tableau.s * stages_numbers(P)};
    return 3;
}

/* ---- sums over stages ---- */

#ifdef LG_TANGENT
#define instances_sum tangent_sum
#else
KERNEL real instances_sum(int s, const double *weights, const real *r, int stride)
{
#define INSTANCES_AT(j) ((j)*stride)
    LG_STAGES_SUM(s, weights, 1, r, INSTANCES_AT)
#undef INSTANCES_AT
}
#endif

static void instances_set_length(lg_instances *o, duration length)
{
    const int s = o->tableau.s;
    const double h = seconds(length);
    o->length = length;
    if (o->h == h) return;
    for (int i = 0; i < s * s; i++) o->weights[i] = h * o->tableau.a[i];
    for (int i = 0; i < s * s; i++) o->inverse[i] = 1 / h * o->tableau.inverse[i];
    o->h = h;
}

/* x_k = start + sum_j h a_kj r_j at every stage k, for `count` numbers from number `first` on; change, unless NULL:
 * their largest change, for each stage. */
KERNEL int instances_move(int s, const lg_instances *o, const lg_stages *of, int numbers, int first, int count,
                          const real *start, real *const *x, real *change)
{
    for (int k = 0; change && k < s; k++) change[k] = splat(0);
    for (int i = 0; i < count; i++) {
        real r[LG_STAGES_MOST];
        for (int j = 0; j < s; j++) r[j] = of->rate[j * numbers + first + i];
        for (int k = 0; k < s; k++) {
            const real sum = lengthened(instances_sum(s, o->weights + k * s, r, 1), o->length) + start[i];
            if (change) change[k] = larger_size(magnitude(sum - x[k][i]), change[k]);
            x[k][i] = sum;
        }
    }
    return 0;
}

/* F(s, ...), unrolled for the usual number of stages. */
#define INSTANCES_SIZED(s, F, ...) ((s) == LG_STAGES_USUAL ? F(LG_STAGES_USUAL, __VA_ARGS__) : F(s, __VA_ARGS__))

/* Places numbers [first, first + count) of all stages in x; change, unless NULL: their largest change, for each stage.
 */
static void instances_place(const lg_workspace *w, int first, int count, const real *start, real *const *x,
                            real *change)
{
    const lg_instances *o = w->instances;
    (void)INSTANCES_SIZED(o->tableau.s, instances_move, o, w->stages, stages_numbers(w->plan), first, count, start, x,
                          change);
}

static void instances_place_momenta(const lg_workspace *w, const lg_node *a, real *p)
{
    instances_place(w, w->plan->element_size, w->plan->n, a->p_tilde, w->stages->momenta, p);
}

static void instances_place_elements(const lg_workspace *w, const lg_node *a, real *g)
{
    instances_place(w, 0, w->plan->element_size, a->g, w->stages->elements, g);
}

/* lambda <- lambda - a^-1 residual / h, from the residuals of all stages. */
KERNEL int instances_update_multipliers(int s, const lg_plan *P, const lg_instances *o, const lg_stages *of)
{
    const int m = P->m, numbers = stages_numbers(P), first = P->element_size + P->n;
    for (int i = 0; i < m; i++) {
        real r[LG_STAGES_MOST];
        for (int j = 0; j < s; j++) r[j] = of->residual[j * m + i];
        for (int k = 0; k < s; k++) {
            real *to = &of->rate[k * numbers + first + i];
            *to = *to - instances_sum(s, o->inverse + k * s, r, 1);
        }
    }
    return 0;
}

/* ---- sweeps ---- */

/* Scales of changes. */
typedef struct instances_scale {
    real g, p;
} instances_scale;

KERNEL void instances_enlarge(real *size, const real *x, int n)
{
    for (int i = 0; i < n; i++) *size = greater(*size, magnitude(x[i]));
}

/* One sweep; *change is how much the stages of each lane moved. */
static int instances_sweep(lg_workspace *w, const lg_node *a, const instances_scale *scale, real *change)
{
    const lg_plan *P = w->plan;
    const lg_instances *o = w->instances;
    const lg_stages *of = w->stages;
    const int corrects = stages_corrects(P), s = o->tableau.s;
    const real per_g = 1.0 / scale->g, per_p = 1.0 / scale->p;
    real g[LG_STAGES_MOST], p[LG_STAGES_MOST], most = splat(0);
    instances_place_momenta(w, a, p);
    if (corrects && of->leads && of->puts(w, p)) return 1;
    if (of->leads && of->follow(w)) return 1;
    instances_place_elements(w, a, g);
    if (corrects && !of->leads && of->puts(w, p)) return 1;
    for (int k = 0; k < s; k++) most = larger_size(most, larger_size(magnitude(g[k] * per_g), magnitude(p[k] * per_p)));
    if (corrects) (void)INSTANCES_SIZED(s, instances_update_multipliers, P, o, of);
    if (of->rates(w)) return 1;
    *change = most;
    return any(most != most);
}

/* Is Y = 0 at b, and so A Y? Then the product can be skipped. */
static int instances_has_no_drift(const lg_plan *P, const lg_node *b)
{
    mask drifts = other(every_lane());
    for (int i = 0; i < P->n; i++) drifts = either(drifts, b->drift[i] != 0.0);
    return !P->holonomic && !any(drifts);
}

/* Lanes with rows that have a right side at some stage. */
static mask instances_moving(lg_workspace *w)
{
    const lg_plan *P = w->plan;
    mask moving = other(every_lane());
    for (int k = 0; P->sides && k < w->instances->tableau.s; k++) {
        lg_node *b = w->stages->node[k];
        if (P->drift && instances_has_no_drift(P, b)) continue;
        if (P->rate_form && P->drift) lg_node_sides(w, b);
        for (int i = 0; i < P->m; i++) moving = either(moving, b->right_side[i] != 0.0);
    }
    return moving;
}

/* ---- the end of a step ---- */

/* to = from + h sum_j b_j r_j; rounding errors are carried on. */
static void instances_add(const lg_tableau *T, duration h, const real *rates, const real *from, const real *carry,
                          real *to, real *rest, int count)
{
    for (int i = 0; i < count; i++) {
        const real *r = rates + i * T->s;
        real even = splat(0), odd = splat(0);
        for (int j = 0; j < T->s; j++) {
            if (j & 1)
                odd = odd + T->b[j] * r[j];
            else
                even = even + T->b[j] * r[j];
        }
        const real step = h * (even + odd) + carry[i], sum = from[i] + step, back = sum - from[i];
        to[i] = sum;
        rest[i] = (from[i] - (sum - back)) + (step - back);
    }
}

static void instances_take_round_off(const lg_plan *P, real *g)
{
    for (int k = 0; k < P->factor_count; k++)
        P->factors[k].table->settle(&P->factors[k], g + P->factors[k].element_offset);
}

/* Moves the lanes `going` of b->g by `shift`. */
static int instances_shift(lg_workspace *w, lg_node *b, const real *shift, mask going)
{
    const lg_plan *P = w->plan;
    real *moved = w->spare->g;
    memcpy(moved, b->g, sz(P->element_size) * sizeof *moved);
    if (lg_move_lanes(w, moved, b->g, shift, going)) return 1;
    instances_take_round_off(P, moved);
    for (int i = 0; i < P->element_size; i++) b->g[i] = sel(going, moved[i], b->g[i]);
    return 0;
}

/* Projects b->g onto phi = 0 in the metric. */
static int instances_project_position(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_stages *of = w->stages;
    const int count = P->holonomic, n = P->n;
    real *phi = of->residual, *shift = of->extra, last = splat(INFINITY);
    mask going = every_lane();
    if (!count) return 0;
    if (lg_node_evaluate_rows(w, b) || LG_SIZED(count, n, sweep_gram, w, b)) return 1;
    for (int k = 0; k < PROJECTION_ITERATIONS; k++) {
        real most = splat(0);
        if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &b->t, b->g, NULL, phi, count)) return 1;
        instances_enlarge(&most, phi, count);
        going = both(going, most < 0.5 * last);
        if (!any(going)) return 0;
        last = most;
        gram_solve(of->gram, phi, count);
        for (int i = 0; i < n; i++) shift[i] = splat(0);
        (void)LG_SIZED(count, n, sweep_push, of->raised, phi, shift, -1.0);
        if (instances_shift(w, b, shift, going)) return 1;
    }
    return 0;
}

KERNEL int instances_share(int m, int n, const lg_stages *of, const real *p, const real *side, real *z)
{
    sweep_share(m, n, of->raised, of->gram, p, side, z);
    return 0;
}

/* p_1 from p^_1, by projection onto all rows. */
static int instances_project_momentum(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    real *z = w->stages->residual;
    memcpy(b->p_tilde, b->p_plus, sz(P->n) * sizeof *b->p_tilde);
    if (!P->m) return 0;
    if (LG_SIZED(P->m, P->n, sweep_gram, w, b)) return 1;
    (void)LG_SIZED(P->m, P->n, instances_share, w->stages, b->p_tilde, P->sides ? b->right_side : NULL, z);
    return LG_SIZED(P->m, P->n, sweep_push, b->rows, z, b->p_tilde, -1.0);
}

/* *T, *V at b. */
static int instances_energies(lg_workspace *w, const lg_node *b, real *T, real *V)
{
    const lg_plan *P = w->plan;
    *V = splat(0), *T = splat(0);
    if (P->potential && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, V, 1)) return 1;
    lg_raise(P, w->vector, b, b->p_tilde);
    for (int i = 0; i < P->n; i++) *T = *T + b->p_tilde[i] * w->vector[i];
    *T = 0.5 * *T;
    return 0;
}

/* Lanes in which H should be conserved. */
static mask instances_conserve(const lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const int timed = P->S->callbacks.time_dependent && (P->potential || !P->constant_metric);
    mask moving = w->instances->moving;
    if (P->force || timed) return other(every_lane());
    for (int i = 0; P->sides && i < P->m; i++)
        moving = either(moving, either(a->right_side[i] != 0.0, b->right_side[i] != 0.0));
    return other(moving);
}

static int instances_keep_energy(lg_workspace *w, const lg_node *a, lg_node *b)
{
    const mask conserve = instances_conserve(w, a, b), unknown = both(conserve, a->kept != a->kept);
    const real none = splat((double)NAN);
    real T, V, kept = a->kept;
    b->kept = none;
    if (!any(conserve)) return 0;
    if (any(unknown)) {
        if (instances_energies(w, a, &T, &V)) return 1;
        kept = sel(unknown, T + V, kept);
    }
    b->kept = sel(conserve, kept, none);
    if (instances_energies(w, b, &T, &V)) return 1;
    const real wanted = b->kept - V;
    const mask scales = both(magnitude(wanted - T) <= PROJECTION_SHARE * T, wanted > 0.0);
    const real factor = root(sel(scales, wanted / T, splat(1)));
    for (int i = 0; i < w->plan->n; i++) b->p_tilde[i] = b->p_tilde[i] * factor;
    return 0;
}

static int instances_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const size_t bytes = sz(P->n) * sizeof(real);
    (void)h;
    if (instances_project_position(w, b) || lg_node_evaluate_rows(w, b)) return 1;
    if (instances_project_momentum(w, b) || instances_keep_energy(w, a, b)) return 1;
    memcpy(b->p_plus, b->p_tilde, bytes), memcpy(b->p_minus, b->p_tilde, bytes);
    lg_raise(P, w->vector, a, a->p_tilde);
    lg_raise(P, b->xi, b, b->p_tilde);
    for (int i = 0; i < P->n; i++) b->xi[i] = 0.5 * (w->vector[i] + b->xi[i]);
    for (int r = 0; r < P->m; r++) b->lambda[r] = splat((double)NAN);
    b->work = splat((double)NAN);
    return 0;
}
