/* SPDX-License-Identifier: BSD-3-Clause */
/* Snapshots: the minimal state of an instance while another one uses the integrator. The state's spans (spans.c), then
 * the history of each sub-step; all else follows from these, the time and the system. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/wide.h"

size_t lg_snapshot_size(const lg_plan *P)
{
    return lg_state_size(P) + (P->fused ? 0 : sz(P->stages) * lg_history_size(P));
}

static double *snapshot_save(const lg_span *s, int count, double *to)
{
    for (int k = 0; k < count; to += s[k++].count) memcpy(to, s[k].at, sz(s[k].count) * sizeof *to);
    return to;
}

void lg_snapshot_save(const lg_workspace *w, double *snapshot)
{
    lg_span s[LG_SPANS];
    snapshot = snapshot_save(s, lg_workspace_state(w, s), snapshot);
    for (int i = 0; w->history && i < w->plan->stages; i++)
        snapshot = snapshot_save(s, lg_workspace_history(w, i, s), snapshot);
}

static const double *snapshot_load(const lg_span *s, int count, const double *from)
{
    for (int k = 0; k < count; from += s[k++].count) memcpy(s[k].at, from, sz(s[k].count) * sizeof *from);
    return from;
}

int lg_snapshot_load(lg_workspace *w, double t, const double *snapshot)
{
    lg_node *b = w->now;
    lg_span s[LG_SPANS];
    const int n = w->plan->n;
    lg_fill_nan(b->p_plus, n), lg_fill_nan(b->xi, n), lg_fill_nan(b->lambda, w->plan->m);
    b->t = t, b->work = NAN, b->iterations = 0, w->length = 0;
    snapshot = snapshot_load(s, lg_workspace_state(w, s), snapshot);
    if (w->plan->method.rule->snapshot_is_state) memcpy(b->p_minus, b->p_tilde, sz(n) * sizeof *b->p_minus);
    for (int i = 0; w->history && i < w->plan->stages; i++)
        snapshot = snapshot_load(s, lg_workspace_history(w, i, s), snapshot);
    w->destination = b;
    return lg_node_evaluate(w, b);
}

/* ---- the numbers of a scalar ---- */

/* The constant inertia of S in the form of the workspace: the matrix or its diagonal. */
static double snapshot_inertia_entry(const lg_system *S, const lg_plan *P, int k)
{
    const int i = P->diagonal ? k : k / P->n, j = P->diagonal ? k : k % P->n;
    if (S->inertia) return S->inertia[i * P->n + j];
    return i == j ? S->inertia_diagonal[i] : 0;
}

/* Copies `count` numbers; 1 if that changes them. */
static int snapshot_take_numbers(double *to, const double *from, size_t count)
{
    if (!to || !from || !memcmp(to, from, count * sizeof *to)) return 0;
    memcpy(to, from, count * sizeof *to);
    return 1;
}

static int snapshot_take_inertia(lg_workspace *w, const lg_system *S)
{
    const lg_plan *P = w->plan;
    int changed = 0;
    for (int k = 0; P->constant_metric && k < (P->diagonal ? P->n : P->n * P->n); k++) {
        const double J = snapshot_inertia_entry(S, P, k);
        changed |= snapshot_take_numbers(w->constants.metric + k, &J, 1);
    }
    return changed;
}

/* lg_workspace_load() does not check a diagonal. */
static int snapshot_is_positive(const lg_workspace *w)
{
    for (int i = 0; w->plan->constant_metric && w->plan->diagonal && i < w->plan->n; i++)
        if (!(w->constants.metric[i] > 0) || !isfinite(w->constants.metric[i])) return 0;
    return 1;
}

lg_status lg_integrator_adopt(lg_integrator *it, const lg_system *S, lg_error *e)
{
    lg_workspace *w = it->workspace;
    const size_t n = sz(it->plan.n), m = sz(it->plan.nonholonomic), count = sz(S->parameter_count);
    double *values = (double *)(uintptr_t)it->S.parameter_values; /* the integrator's own copy */
    int changed = snapshot_take_inertia(w, S);
    changed |= snapshot_take_numbers(w->constants.given_rows, S->covector_matrix, m * n);
    changed |= snapshot_take_numbers(w->constants.given_projector, S->projector_metric, n * n);
    for (size_t i = 0; i < count; i++)
        values[i] = S->parameter_values ? S->parameter_values[i] : S->parameters[i].value;
    if (!changed) return LG_OK;
    if (snapshot_is_positive(w) ? !lg_workspace_load(w)
                                : lg_workspace_fail_status(w, LG_ERROR_SINGULAR, "inertia") == 0)
        return LG_OK;
    return lg_explain(it, "lg_integrator_adopt", e);
}

/* Are functions and facts equal? lg_callbacks has no padding: four ints, then pointers. */
static int snapshot_same_callbacks(const lg_callbacks *a, const lg_callbacks *b)
{
    _Static_assert(offsetof(lg_callbacks, metric) == 4 * sizeof(int), "padding would be compared");
    return memcmp(a, b, sizeof *a) == 0;
}

int lg_integrator_fits(const lg_integrator *it, const lg_system *S)
{
    const lg_system *o = &it->S;
    return S->group == o->group && S->context == o->context && snapshot_same_callbacks(&S->callbacks, &o->callbacks) &&
           S->constraint_count == o->constraint_count && S->parameter_count == o->parameter_count &&
           !S->covector_matrix == !o->covector_matrix && !S->projector_metric == !o->projector_metric &&
           lg_plan_suits(&it->plan, S);
}
