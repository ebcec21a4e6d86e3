/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule of Gauss collocation: the last verbs of the walk at the head of collocation.c, from close to keep, after the
 * stages are solved (docs/theory.md section 18). Close and momenta use C = A J^-1 A^T, close that of the holonomic rows
 * alone. H_0 is the energy at the start of the run, so that errors do not accumulate. */
#include "integrators/collocation/collocation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/sized.h"
#include "integrators/rules/state.h"
#include "mechanics/gram.h"

/* A J^-1 and its Gram matrix of the first `count` rows, into the reflection's scratch or the frame of constant rows. */
KERNEL int projection_gram(int count, int n, lg_workspace *w, const lg_node *b)
{
    lg_reflection_scratch *o = &w->reflection;
    gram_rows(o->raised, b->rows, b->metric_inverse, w->plan->diagonal, count, n);
    const int bad = gram_factor(o->gram, o->raised, b->rows, count, n);
    return bad ? lg_workspace_fail_row(w, bad) : 0;
}

/* x <- x - M z for rows M of n numbers. */
static void projection_take(double *x, const double *M, const double *z, int count, int n)
{
    for (int a = 0; a < count; a++)
        for (int i = 0; i < n; i++) x[i] -= M[a * n + i] * z[a];
}

/* Projects b->g onto phi = 0 in the metric, with the rows at the initial b->g, which is close. */
static int projection_close(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int count = P->holonomic, n = P->n;
    double *phi = w->reflection.u, *shift = w->vector, last = INFINITY;
    if (!count) return 0;
    if (lg_node_evaluate_rows(w, b) || projection_gram(count, n, w, b)) return 1;
    for (int k = 0; k < PROJECTION_ITERATIONS; k++) {
        if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &b->t, b->g, NULL, phi, count)) return 1;
        const double most = lg_norm_max(phi, count);
        if (!(most < 0.5 * last)) return 0;
        last = most;
        gram_solve(w->reflection.gram, phi, count);
        for (int i = 0; i < n; i++) shift[i] = 0;
        projection_take(shift, w->reflection.raised, phi, count, n);
        const int code = lg_field_move(w->field, w->field->moved, b->g, shift);
        if (code) return lg_workspace_fail_callback(w, code);
        memcpy(b->g, w->field->moved, sz(P->element_size) * sizeof *b->g);
        lg_collocation_settle(P, b->g, w->scratch);
    }
    return 0;
}

/* p_1 from p^_1, by projection onto all m rows of n numbers. */
KERNEL int projection_correct(int m, int n, lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_reflection_scratch *o = &w->reflection;
    double *z = o->u, *p = b->p_tilde;
    if (projection_gram(m, n, w, b)) return 1;
    for (int a = 0; a < m; a++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += o->raised[a * n + i] * p[i];
        z[a] = P->sides ? sum - b->right_side[a] : sum;
    }
    gram_solve(o->gram, z, m);
    projection_take(p, b->rows, z, m, n);
    return 0;
}

static int projection_momenta(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    for (int i = 0; i < P->n; i++) b->p_tilde[i] = b->p_plus[i];
    return P->m ? LG_SIZED(P->m, P->n, projection_correct, w, b) : 0;
}

/* *T, *V at b. */
static int projection_energies(lg_workspace *w, const lg_node *b, double *T, double *V)
{
    const lg_plan *P = w->plan;
    *V = 0;
    if (P->potential && lg_evaluate(w, LG_CALLBACK_POTENTIAL, &b->t, b->g, NULL, V, 1)) return 1;
    lg_raise(P, w->vector, b, b->p_tilde);
    *T = 0.5 * lg_dot(b->p_tilde, w->vector, P->n);
    return 0;
}

static int projection_moves(const lg_plan *P, const lg_node *b)
{
    for (int a = 0; P->sides && a < P->m; a++)
        if (b->right_side[a] != 0) return 1;
    return 0;
}

/* Should H be conserved: is there no force, time dependence or moving row? */
static int projection_conserves(const lg_workspace *w, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const int timed = P->S->callbacks.time_dependent && (P->potential || !P->constant_metric);
    return !P->force && !timed && !w->collocation->moving && !projection_moves(P, a) && !projection_moves(P, b);
}

int lg_collocation_energy(lg_workspace *w, const lg_node *b, double *H)
{
    double T, V;
    if (projection_energies(w, b, &T, &V)) return 1;
    *H = T + V;
    return 0;
}

/* The factor that restores the conserved H; NaN if H is not conserved, or off by more than errors of the method. */
static int projection_find_factor(lg_workspace *w, const lg_node *a, lg_node *b)
{
    lg_collocation *o = w->collocation;
    double T, V;
    o->factor = b->kept = NAN;
    if (!projection_conserves(w, a, b)) return 0;
    b->kept = a->kept;
    if (isnan(a->kept) && lg_collocation_energy(w, a, &b->kept)) return 1;
    if (projection_energies(w, b, &T, &V)) return 1;
    const double wanted = b->kept - V;
    if (fabs(wanted - T) <= PROJECTION_SHARE * T && wanted > 0) o->factor = sqrt(wanted / T);
    return 0;
}

static int projection_energy(lg_workspace *w, const lg_node *a, lg_node *b)
{
    lg_collocation *o = w->collocation;
    if (!o->fixed && projection_find_factor(w, a, b)) return 1;
    if (isnan(o->factor)) return 0;
    if (o->fixed && projection_energies(w, b, &o->kinetic, &o->potential)) return 1;
    for (int i = 0; i < w->plan->n; i++) b->p_tilde[i] *= o->factor;
    return 0;
}

int lg_collocation_arrive(lg_workspace *w, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (projection_close(w, b)) return 1;      /* phi(g_1) = 0 */
    if (lg_node_evaluate_rows(w, b)) return 1; /* A, b at g_1 */
    if (projection_momenta(w, b)) return 1;    /* A J^-1 p_1 = b */
    if (projection_energy(w, a, b)) return 1;  /* H(g_1, p_1) = H_0 */
    lg_raise(P, w->vector, a, a->p_tilde);
    lg_raise(P, b->xi, b, b->p_tilde);
    for (int i = 0; i < P->n; i++) {
        b->p_plus[i] = b->p_minus[i] = b->p_tilde[i];
        b->xi[i] = 0.5 * (w->vector[i] + b->xi[i]);
    }
    for (int r = 0; r < P->m; r++) b->lambda[r] = NAN;
    b->work = NAN;
    return 0;
}

static int projection_arrive(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    (void)h;
    return lg_collocation_arrive(w, a, b);
}

static void projection_keep(lg_workspace *w, double h, const lg_node *b)
{
    lg_collocation *o = w->collocation;
    double *memory = o->memory;
    (void)b;
    o->memory = o->rates, o->rates = memory;
    o->span = h, o->at = 1;
}

/* A J^-1 f = b' - A' xi. */
static int projection_recall(lg_workspace *w, lg_node *b)
{
    if (!w->plan->m || !isnan(b->lambda[0])) return 0;
    lg_raise(w->plan, w->vector, b, b->p_tilde);
    return lg_continuous_multipliers(w, b, w->vector, NULL);
}

void lg_collocation_begin(lg_workspace *w, lg_node *a)
{
    if (!w->collocation) return;
    for (int i = 0; i < w->plan->element_size + w->plan->n; i++) a->carry[i] = 0;
    a->kept = NAN;
    lg_collocation_forget(w);
}

static int projection_begin(lg_workspace *w, double h, lg_node *b, int start)
{
    lg_collocation_begin(w, b);
    return lg_begin_state(w, h, b, start);
}

static int projection_begin_momentum(lg_workspace *w, double h, lg_node *b)
{
    return projection_begin(w, h, b, 0);
}

const lg_rule lg_rule_collocation = {.name = "collocation",
                                     .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                     .needs = LG_NEEDS_SIDES,
                                     .wide = LG_WIDE_COLLOCATION,
                                     .state = LG_STATE_P_TILDE,
                                     .snapshot_is_state = 1,
                                     .depart = lg_depart_state,
                                     .arrive = projection_arrive,
                                     .begin = projection_begin,
                                     .begin_momentum = projection_begin_momentum,
                                     .keep = projection_keep,
                                     .recall = projection_recall};
