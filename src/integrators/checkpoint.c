/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of an integrator: everything on which the next step depends, and everything that can be read. */
#include "integrators/checkpoint.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/collocation/collocation.h"

/* The tolerance when the system's fields at the state are compared with those of the checkpoint: functions of other
 * machines round differently. */
#define CHECKPOINT_SAME 1e-9

/* ---- of what ---- */

static void checkpoint_describe_retraction(lg_lines *l, const lg_plan *P)
{
    lg_lines_text(l, "retraction", P->retraction->name);
    for (int k = 0; k < P->factor_count; k++) lg_lines_text(l, "factor", P->factors[k].retraction->name);
}

void lg_integrator_describe(lg_lines *l, const void *object)
{
    const lg_integrator *it = object;
    const lg_system *S = &it->S;
    const size_t n = sz(it->plan.n);
    lg_lines_text(l, "method", it->plan.method.name);
    checkpoint_describe_retraction(l, &it->plan);
    lg_lines_number(l, "step", it->h);
    lg_lines_text(l, "group", S->group->name);
    lg_lines_number(l, "element", it->plan.element_size);
    lg_lines_number(l, "dimension", it->plan.n);
    lg_lines_number(l, "holonomic-constraints", it->plan.holonomic);
    lg_lines_number(l, "constraints", it->plan.m);
    lg_lines_number(l, "controls", S->callbacks.control_count);
    for (int i = 0; i < S->parameter_count; i++)
        if (S->parameter_values != NULL)
            lg_lines_number(l, S->parameters != NULL ? S->parameters[i].name : "parameter", S->parameter_values[i]);
    lg_lines_numbers(l, "inertia", S->inertia, n * n);
    lg_lines_numbers(l, "inertia", S->inertia_diagonal, n);
    lg_lines_numbers(l, "rows", S->covector_matrix, sz(it->plan.nonholonomic) * n);
    lg_lines_numbers(l, "projector-metric", S->projector_metric, n * n);
}

/* ---- its numbers ---- */

static void checkpoint_list_settings(lg_tape *t, lg_integrator *it)
{
    lg_workspace *w = it->workspace;
    lg_tape_double(t, &w->tolerance), lg_tape_double(t, &w->implicit_tolerance);
    lg_tape_int(t, &w->iterations_max, 1, INT32_MAX, LG_WRONG_SETTINGS);
    lg_tape_int(t, &w->evaluations_max, 1, INT32_MAX, LG_WRONG_SETTINGS);
    if (t->reads) lg_integrator_shape_controls(it, 0);
    lg_tape_doubles(t, it->control, sz(it->S.callbacks.control_count));
    if (t->reads && !(w->tolerance > 0 && w->implicit_tolerance > 0)) t->wrong = LG_WRONG_SETTINGS;
}

static void checkpoint_list_start(lg_tape *t, lg_integrator *it)
{
    int started = it->started;
    lg_tape_int(t, &started, 0, 1, LG_WRONG_START);
    lg_tape_long(t, &it->step, 0, INT64_MAX / 2, LG_WRONG_STEPS);
    lg_tape_long(t, &it->base_step, 0, INT64_MAX / 2, LG_WRONG_STEPS);
    lg_tape_double(t, &it->t0), lg_tape_double(t, &it->base_t);
    lg_tape_doubles(t, it->first_g, sz(it->plan.element_size));
    lg_tape_doubles(t, it->first, 4 * sz(it->plan.n));
    lg_tape_doubles(t, lg_first_lambda(it), sz(it->plan.m));
    it->started = (short)started;
}

static void checkpoint_list_node(lg_tape *t, const lg_workspace *w, int which)
{
    lg_span s[LG_SPANS];
    lg_span_list(t, s, lg_workspace_node(w, which, s));
}

/* For each field of the system at a node: a sum, and the sum of the magnitudes of its numbers. */
static int checkpoint_witness(const lg_workspace *w, double (*sum)[2])
{
    const lg_node *b = w->now;
    const lg_plan *P = w->plan;
    const size_t n = sz(P->n), m = sz(P->m);
    const int metric = b->metric != w->constants.metric, rows = b->rows != w->constants.rows;
    const lg_span s[] = {{b->metric, metric ? (int)(n * n) : 0},
                         {b->rows, rows ? (int)(m * n) : 0},
                         {b->drift, b->drift != NULL ? (int)n : 0},
                         {b->right_side, b->right_side != NULL ? (int)m : 0}};
    const int count = (int)(sizeof s / sizeof *s);
    for (int k = 0; k < count; k++) {
        sum[k][0] = sum[k][1] = 0;
        for (int i = 0; i < s[k].count; i++) {
            sum[k][0] += (1 + 0.01 * (i % 64)) * s[k].at[i];
            sum[k][1] += 2 * fabs(s[k].at[i]);
        }
    }
    return count;
}

/* Evaluates the system at the state that was read: different fields mean another system. */
static void checkpoint_check_system(lg_tape *t, lg_workspace *w)
{
    static const char *const names[] = {
        "the system has another metric at that state", "the system has other rows at that state",
        "the system has another drift at that state", "the system has other right sides at that state"};
    double kept[4][2], now[4][2];
    w->destination = w->now;
    const int count = checkpoint_witness(w, kept);
    if (lg_node_evaluate(w, w->now)) {
        t->wrong = "the system cannot be evaluated at that state";
        return;
    }
    (void)checkpoint_witness(w, now);
    for (int k = 0; k < count && t->wrong == NULL; k++)
        if (!(fabs(kept[k][0] - now[k][0]) <= CHECKPOINT_SAME * fmax(kept[k][1], now[k][1]))) t->wrong = names[k];
}

/* V at the state; NaN if the callback fails. */
static double checkpoint_potential(const lg_integrator *it)
{
    const lg_node *b = it->workspace->now;
    lg_field field = it->field;
    double V = 0;
    return lg_field_potential(&field, b->t, b->g, &V) ? NAN : V;
}

static void checkpoint_list_potential(lg_tape *t, lg_integrator *it)
{
    const lg_node *b = it->workspace->now;
    const int asks = t->at != NULL && it->started && t->wrong == NULL;
    const double here = asks ? checkpoint_potential(it) : 0;
    double V = here, size;
    lg_tape_double(t, &V);
    if (!t->reads || !asks) return;
    lg_raise(&it->plan, it->report, b, b->p_tilde);
    size = fabs(V) + fabs(here) + fabs(lg_dot(it->report, b->p_tilde, it->plan.n));
    if (!(fabs(V - here) <= CHECKPOINT_SAME * size) && !(isnan(V) && isnan(here)))
        t->wrong = "the system has another potential at that state";
}

/* The ends of steps are counted from the base; a state at another time would be inconsistent. */
static void checkpoint_check_time(lg_tape *t, const lg_integrator *it)
{
    const double time = it->base_t + (double)(it->step - it->base_step) * it->h;
    if (!t->reads || !it->started || t->wrong != NULL) return;
    if (!(fabs(it->workspace->now->t - time) <= CHECKPOINT_SAME * (fabs(it->h) + fabs(time))))
        t->wrong = "its time is not that of its steps";
}

static void checkpoint_list_state(lg_tape *t, lg_integrator *it)
{
    lg_workspace *w = it->workspace;
    unsigned char *begin = t->at;
    const size_t used = t->used;
    checkpoint_list_node(t, w, 0);
    if (t->reads && it->started && t->wrong == NULL) { /* then once more: what it said is kept to the bit */
        checkpoint_check_system(t, w);
        t->at = begin, t->used = used;
        checkpoint_list_node(t, w, 0);
    }
    checkpoint_check_time(t, it);
    checkpoint_list_node(t, w, 1);
    checkpoint_list_potential(t, it);
}

static void checkpoint_list_history(lg_tape *t, lg_workspace *w)
{
    for (int i = 0; w->history != NULL && i < w->plan->stages; i++) {
        lg_span s[LG_SPANS];
        lg_history *o = &w->history[i];
        lg_span_list(t, s, lg_workspace_history(w, i, s));
        if (!t->reads || (lg_tape_is_whole(o->known, LG_HISTORY) && lg_tape_is_whole(o->order, LG_HISTORY))) continue;
        o->known = o->order = 0;
        t->wrong = LG_WRONG_HISTORY;
    }
}

void lg_integrator_list(lg_tape *t, void *object)
{
    lg_integrator *it = object;
    checkpoint_list_settings(t, it);
    checkpoint_list_start(t, it);
    checkpoint_list_state(t, it);
    checkpoint_list_history(t, it->workspace);
    if (it->workspace->collocation != NULL) lg_collocation_list(it->workspace, t);
}

/* ---- the public functions ---- */

static const lg_kept kept = {"integrator", "lg_integrator_load", lg_integrator_describe, lg_integrator_list};

size_t lg_integrator_saved_bytes(const lg_integrator *it)
{
    return it != NULL && it->made && it->started ? lg_checkpoint_bytes(&kept, it) : 0;
}

lg_status lg_integrator_save(const lg_integrator *it, void *bytes, size_t size)
{
    if (it == NULL || !it->made || !it->started || it->busy || bytes == NULL) return LG_ERROR_ARGUMENT;
    if (lg_integrator_degree(it)) return LG_ERROR_UNSUPPORTED;
    if (size != lg_checkpoint_bytes(&kept, it)) return LG_ERROR_ARGUMENT;
    lg_checkpoint_write(&kept, it, bytes);
    return LG_OK;
}

lg_status lg_integrator_load(lg_integrator *it, const void *bytes, size_t size)
{
    if (it == NULL || !it->made) return LG_ERROR_ARGUMENT;
    lg_status st = lg_integrator_enter(it, "lg_integrator_load");
    if (st != LG_OK) return st;
    st = lg_checkpoint_read(&kept, it, bytes, size, &it->error);
    if (st == LG_OK) lg_error_clear(&it->error), it->moves++;
    return lg_integrator_leave(it, st);
}
