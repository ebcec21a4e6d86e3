/* SPDX-License-Identifier: BSD-3-Clause */
/* One multiplier in the middle, drift-kick-drift (docs/theory.md section 6): kinetic flow over h/2, then
 *   p' = p - h dV(g_m) + h A(g_m)^T l,
 * kinetic flow over h/2, with l such that A_1 J^-1 p_1 = b_1. */
#include <math.h>

#include "base/dense.h"
#include "base/small.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"
#include "mechanics/gram.h"

static int middle_drift(lg_workspace *w, double h, const real *g0, const real *p0, real *xi, real *g1, real *p1)
{
    const lg_plan *P = w->plan;
    for (int k = 0; k < P->flow_count; k++) {
        const lg_block *f = &w->blocks[k];
        if (f->flow(w, f, 0.5 * h, p0 + f->offset, xi + f->offset, g0 + f->element_offset, g1 + f->element_offset,
                    p1 + f->offset) < 0)
            return 1;
    }
    return 0;
}

/* r = b_1 - A_1 J^-1 p_1 after the second drift with p = w->middle->kicked + h A_m^T l. */
static int middle_residual(lg_workspace *w, double h, const lg_node *m, const real *l, lg_node *b, real *r)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    for (int i = 0; i < n; i++) {
        m->p_minus[i] = w->middle->kicked[i];
        for (int a = 0; a < P->m; a++) m->p_minus[i] += h * l[a] * m->rows[a * n + i];
    }
    if (middle_drift(w, h, m->g, m->p_minus, b->xi, b->g, b->p_plus) || lg_node_evaluate_rows(w, b)) return 1;
    gram_rows(w->middle->rows_raised, b->rows, b->metric_inverse, P->diagonal, P->m, n);
    for (int a = 0; a < P->m; a++)
        r[a] = (P->affine ? b->right_side[a] : 0) - small_dot(n, w->middle->rows_raised + a * n, b->p_plus);
    return 0;
}

/* l by a chord: the Jacobian is h A_1 J^-1 A_m^T up to O(h^2). */
static int middle_solve(lg_workspace *w, double h, const lg_node *m, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int n = P->n, k = P->m;
    real *l = b->lambda, *r = w->middle->residual;
    double size = INFINITY, last;
    for (int a = 0; a < k; a++) l[a] = 0;
    for (int it = 1; it <= w->evaluations_max; it++) {
        b->iterations = it;
        if (middle_residual(w, h, m, l, b, r)) return 1;
        last = size;
        size = 0;
        for (int a = 0; a < k; a++) size = fmax(size, fabs(r[a]) / lg_norm_max(b->rows + a * n, n));
        if (!lg_all_finite(r, k)) size = INFINITY;
        double scale = lg_norm_max(b->xi, n);
        if (size <= w->implicit_tolerance * scale || (it > 2 && size >= 0.5 * last && size <= 2e-12 * scale)) return 0;
        if (!(size < 1e100)) break;
        for (int a = 0; a < k; a++)
            for (int c = 0; c < k; c++)
                w->middle->matrix[a * k + c] = h * small_dot(n, w->middle->rows_raised + a * n, m->rows + c * n);
        lg_eliminate(w->middle->matrix, r, k);
        for (int a = 0; a < k; a++) l[a] += r[a];
    }
    return lg_workspace_fail(w, LG_ERROR_CONVERGENCE, "the multiplier in the middle", 0, (int)b->iterations, size);
}

static int middle_kick(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    lg_node *m = w->middle->node;
    m->t = a->t + 0.5 * h;
    if (middle_drift(w, h, a->g, a->p_tilde, m->xi, m->g, m->p_plus)) return 1;
    if (lg_node_evaluate(w, m)) return 1;
    for (int i = 0; i < n; i++) w->middle->kicked[i] = m->p_plus[i] - (P->potential ? h * m->gradient[i] : 0);
    b->iterations = 1;
    if (P->m ? middle_solve(w, h, m, b) : middle_drift(w, h, m->g, w->middle->kicked, b->xi, b->g, b->p_plus)) return 1;
    for (int i = 0; i < n; i++) b->xi[i] = 0.5 * (m->xi[i] + b->xi[i]);
    return 0;
}

const lg_rule lg_rule_middle = {.name = "multiplier in the middle",
                                .gives = LG_CAN_CONSTRAIN,
                                .needs = LG_NEEDS_CONSTANT_METRIC | LG_REFUSES_FORCE | LG_NEEDS_MIDDLE,
                                .state = LG_STATE_P_TILDE,
                                .depart = lg_depart_state,
                                .middle_kick = middle_kick,
                                .arrive = lg_arrive_state,
                                .begin = lg_begin_state};
