/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of the arrays of a workspace that differ between instances, in one order at every width. */
#include "integrators/engine/workspace.h"

#include <stdint.h>

#include "integrators/collocation/collocation.h"
#include "integrators/collocation/instances.h"
#include "integrators/engine/rule.h"

static void span_add(lg_span *s, int *k, const real *at, size_t count)
{
    if (at && count) s[(*k)++] = (lg_span){(double *)(uintptr_t)at, (int)count};
}

int lg_workspace_constants(const lg_workspace *w, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_constants *o = &w->constants;
    const size_t n = sz(P->n), m = sz(P->m), metric = P->constant_metric ? n * (P->diagonal ? 1 : n) : 0;
    int k = 0;
    span_add(s, &k, o->metric, metric), span_add(s, &k, o->metric_inverse, metric);
    span_add(s, &k, o->rows, m * n), span_add(s, &k, o->given_rows, sz(P->nonholonomic) * n);
    span_add(s, &k, o->frame, m * n), span_add(s, &k, o->frame_raised, m * n), span_add(s, &k, o->frame_factor, m * m);
    span_add(s, &k, o->reflector, m * n), span_add(s, &k, o->reflector_rest, m * n);
    span_add(s, &k, o->reflector_drift, m * n);
    span_add(s, &k, o->projector_inverse, n * n), span_add(s, &k, o->given_projector, n * n);
    return k;
}

int lg_workspace_block(const lg_workspace *w, int block, lg_span *s)
{
    const lg_block *b = &w->blocks[block];
    const size_t size = sz(b->factor->n) * (b->factor->diagonal ? 1 : sz(b->factor->n));
    int k = 0;
    if (w->plan->diagonal || b->J == w->constants.metric) return 0;
    span_add(s, &k, b->J, size), span_add(s, &k, b->Jinv, size);
    return k;
}

int lg_workspace_node_spans(const lg_workspace *w, const lg_node *b, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_constants *o = &w->constants;
    const size_t n = sz(P->n), m = sz(P->m);
    int k = 0;
    span_add(s, &k, &b->t, 1), span_add(s, &k, b->g, sz(P->element_size));
    if (b->metric != o->metric) span_add(s, &k, b->metric, n * n), span_add(s, &k, b->metric_inverse, n * n);
    if (b->rows != o->rows) span_add(s, &k, b->rows, m * n);
    span_add(s, &k, b->drift, n), span_add(s, &k, b->right_side, m);
    if (b->frame != o->frame) {
        span_add(s, &k, b->frame, m * n), span_add(s, &k, b->frame_raised, m * n);
        span_add(s, &k, b->frame_factor, m * m);
    }
    span_add(s, &k, b->frame_right_side, m), span_add(s, &k, b->gradient, n), span_add(s, &k, &b->potential, 1);
    span_add(s, &k, b->p_plus, n), span_add(s, &k, b->p_minus, n), span_add(s, &k, b->p_tilde, n);
    span_add(s, &k, b->xi, n), span_add(s, &k, b->lambda, m);
    span_add(s, &k, &b->work, 1), span_add(s, &k, &b->iterations, 1);
    span_add(s, &k, b->carry, n + sz(P->element_size)), span_add(s, &k, &b->kept, P->method.collocation_stages ? 1 : 0);
    span_add(s, &k, b->balance, LG_BALANCE_ENTRIES);
    return k;
}

/* The memory of collocation of the previous step. */
static int span_memory(const lg_workspace *w, lg_span *s)
{
#if LANES == 1
    return w->collocation ? lg_collocation_spans(w, s) : 0;
#else
    return w->instances ? lg_instances_spans(w->instances, w->plan, s) : 0;
#endif
}

int lg_workspace_node(const lg_workspace *w, int which, lg_span *s)
{
    const lg_plan *P = w->plan;
    int k = lg_workspace_node_spans(w, which ? w->next : w->now, s);
    if (which) return k;
    span_add(s, &k, &w->length, 1), span_add(s, &k, &w->energy, P->fused ? 0 : 1);
    return k + span_memory(w, s + k);
}

/* Do snapshots contain the reported numbers, velocity, multipliers, work and iterations? For implicit steps if all fits
 * into eight times the size of g and p, and for rules whose snapshots hold all momenta. */
static int span_has_report(const lg_plan *P)
{
    const size_t state = sz(P->element_size + P->n), history = sz(P->stages) * lg_history_size(P);
    if (P->fused) return 0;
    return !P->method.rule->snapshot_is_state || state + history + sz(P->n + P->m) + 2 <= 8 * state;
}

size_t lg_history_size(const lg_plan *P)
{
    return 3 + sz(P->n * P->n) + LG_HISTORY * sz(lg_implicit_size(P));
}

size_t lg_state_size(const lg_plan *P)
{
    const size_t momenta = P->method.rule->snapshot_is_state ? 1 : 3;
    const size_t carried = (P->method.collocation_stages || P->compensated ? sz(P->element_size + P->n) : 0) +
                           (P->keeps_energy ? LG_BALANCE_ENTRIES : 0);
    const size_t memory =
        P->method.collocation_stages ? 3 + sz(P->method.collocation_stages) * sz(P->element_size + P->n + P->m) : 0;
    return carried + memory + sz(P->element_size) + momenta * sz(P->n) + (span_has_report(P) ? sz(P->n + P->m) + 2 : 0);
}

int lg_workspace_state(const lg_workspace *w, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_node *b = w->now;
    const size_t n = sz(P->n);
    int k = 0;
    span_add(s, &k, b->g, sz(P->element_size)), span_add(s, &k, b->p_tilde, n);
    if (!P->method.rule->snapshot_is_state) span_add(s, &k, b->p_plus, n), span_add(s, &k, b->p_minus, n);
    span_add(s, &k, b->carry, n + sz(P->element_size)), span_add(s, &k, &b->kept, P->method.collocation_stages ? 1 : 0);
    span_add(s, &k, b->balance, LG_BALANCE_ENTRIES);
    k += span_memory(w, s + k);
    if (!span_has_report(P)) return k;
    span_add(s, &k, b->xi, n), span_add(s, &k, b->lambda, sz(P->m));
    span_add(s, &k, &b->work, 1), span_add(s, &k, &b->iterations, 1);
    return k;
}

int lg_workspace_history(const lg_workspace *w, int stage, lg_span *s)
{
    const lg_plan *P = w->plan;
    const lg_history *o = w->history ? &w->history[stage] : NULL;
    int k = 0;
    if (!o) return 0;
    span_add(s, &k, &o->h, 1), span_add(s, &k, &o->known, 1), span_add(s, &k, &o->order, 1);
    span_add(s, &k, o->inverse_jacobian, sz(P->n * P->n));
    span_add(s, &k, o->differences, LG_HISTORY * sz(lg_implicit_size(P)));
    return k;
}
