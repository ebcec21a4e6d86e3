/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of collocation with an instance in every lane: its rule and its free step, over the verbs of instances.c.
 *
 * A lane converges when its instance alone would; its rates are then saved, and later sweeps, which other lanes need,
 * cannot change them. Instances with different memories, that do not converge or meet any other exception
 * are left to the scalar (engine/wide.h). */
#include "integrators/collocation/instances.h"

#include <string.h>

#include "base/lane_size.h"
#include "integrators/collocation/collocation.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"

/* ---- the first guess ---- */

/* Predicts the rates from the previous step. */
KERNEL int instances_predict_from(int s, const lg_instances *o, lg_stages *to, int numbers)
{
    for (int i = 0; i < numbers; i++) {
        real r[LG_STAGES_MOST];
        for (int j = 0; j < s; j++) r[j] = o->memory[i * s + j];
        for (int k = 0; k < s; k++) to->rate[k * numbers + i] = instances_sum(s, o->extension.E + k * s, r, 1);
    }
    return 0;
}

/* Starts the stages at the initial state, with its rates or with those that the memory predicts. */
static int instances_begin(lg_workspace *w, duration h, const lg_node *a, int remembers)
{
    const lg_plan *P = w->plan;
    const lg_instances *o = w->instances;
    lg_stages *of = w->stages;
    const int s = o->tableau.s, numbers = stages_numbers(P);
    for (int k = 0; k < s; k++) of->node[k]->t = a->t + h * o->tableau.c[k];
    of->leads = 0;
    fields_begin(w);
    if (P->m && P->constant_rows && P->constant_metric) (void)LG_SIZED(P->m, P->n, sweep_gram, w, of->node[0]);
    if (remembers) return INSTANCES_SIZED(s, instances_predict_from, o, of, numbers);
    for (int i = 0; i < s * numbers; i++) of->rate[i] = splat(0);
    for (int k = 0; k < s; k++) {
        lg_node *node = of->node[k];
        memcpy(node->g, a->g, sz(P->element_size) * sizeof(real));
        memcpy(node->p_tilde, a->p_tilde, sz(P->n) * sizeof(real));
        if (stages_corrects(P) && fields_at(P->m, P->n, w, k)) return 1;
    }
    return of->rates(w);
}

/* ---- sweeps until they converge ---- */

/* Saves the rates of the lanes `rest`, which converged after that many sweeps. */
static void instances_put_aside(lg_workspace *w, mask rest, int sweeps)
{
    lg_instances *o = w->instances;
    const lg_stages *of = w->stages;
    const int s = o->tableau.s, numbers = stages_numbers(w->plan);
    for (int i = 0; i < numbers; i++)
        for (int j = 0; j < s; j++) o->rates[i * s + j] = sel(rest, of->rate[j * numbers + i], o->rates[i * s + j]);
    o->moving = either(both(rest, instances_moving(w)), both(other(rest), o->moving));
    o->sweeps = sel(rest, splat(sweeps), o->sweeps);
}

/* Sweeps until every lane has converged: the test of lg_stages_solve(), lane by lane. */
static int instances_converge(lg_workspace *w, const lg_node *a)
{
    const lg_plan *P = w->plan;
    instances_scale scale = {splat(1), splat(DBL_MIN)};
    mask busy = every_lane();
    real change = splat(0), last = splat(0);
    instances_enlarge(&scale.g, a->g, P->element_size), instances_enlarge(&scale.p, a->p_tilde, P->n);
    if (instances_sweep(w, a, &scale, &change)) return 1;
    for (int k = 0; k < w->instances->tableau.s; k++) instances_enlarge(&scale.p, w->stages->node[k]->p_tilde, P->n);
    w->stages->leads = w->stages->can_lead;
    for (int k = 1;; k++, last = change) {
        if (instances_sweep(w, a, &scale, &change)) return 1;
        const real ratio = k > 1 ? change / last : splat(1);
        mask rest = either(change * ratio <= w->implicit_tolerance, both(ratio >= 1.0, change < stages_noise(P, k)));
        rest = both(rest, busy);
        if (any(rest)) instances_put_aside(w, rest, k + 1);
        busy = both(busy, other(rest));
        if (!any(busy)) return 0;
        if (any(both(busy, other(change <= STAGES_FAR))) || k >= w->evaluations_max) return 1;
    }
}

/* Do all lanes have the same position in steps of equal length? */
static int instances_agree(lg_instances *o)
{
    return !any(either(o->span != splat(lane_of(o->span, 0)), o->at != splat(lane_of(o->at, 0))));
}

/* Is there a memory from which a step of length h can be predicted? */
static int instances_remember(lg_instances *o, double h)
{
    return lg_tableau_leads(&o->tableau, &o->extension, lane_of(o->at, 0), h, lane_of(o->span, 0));
}

/* ---- the free step and the rule ---- */

static int instances_advance(lg_workspace *w, duration h, const lg_node *a, const real *p0, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_instances *o = w->instances;
    const int e = P->element_size, s = o->tableau.s;
    (void)p0;
    if (!instances_agree(o)) return 1;
    instances_set_length(o, h);
    if (instances_begin(w, h, a, instances_remember(o, h)) || instances_converge(w, a)) return 1;
    instances_add(&o->tableau, h, o->rates, a->g, a->carry, b->g, b->carry, e);
    instances_add(&o->tableau, h, o->rates + e * s, a->p_tilde, a->carry + e, b->p_plus, b->carry + e, P->n);
    instances_take_round_off(P, b->g);
    b->iterations = o->sweeps;
    return 0;
}

static void instances_keep(lg_workspace *w, duration h, const lg_node *b)
{
    lg_instances *o = w->instances;
    real *memory = o->memory;
    (void)b;
    o->memory = o->rates, o->rates = memory;
    o->span = splat(h), o->at = splat(1);
}

static const lg_rule lg_rule_instances = {.name = "collocation",
                                          .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                          .needs = LG_NEEDS_SIDES,
                                          .wide = LG_WIDE_COLLOCATION,
                                          .state = LG_STATE_P_TILDE,
                                          .snapshot_is_state = 1,
                                          .depart = lg_depart_state,
                                          .arrive = instances_arrive,
                                          .keep = instances_keep};

static const lg_free_step lg_free_step_instances = {.name = "collocation",
                                                    .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                                    .needs = LG_IS_DIRECT,
                                                    .wide = LG_WIDE_COLLOCATION,
                                                    .advance = instances_advance};
