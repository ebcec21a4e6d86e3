/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of this library so far: none, and the reflection of the GNI, p^- = (P - Q)* p^+ + 2 Q* Pi (docs/theory.md
 * section 3). */
#include <string.h>

#include "integrators/engine.h"
#include "mechanics/gram.h"

/* u -= A J'^-1 Pi, Pi = J Y, where the projectors have a metric of their own and the rows are no constants. */
static void subtract_drift(lg_work *w, const lg_node *b, real *u)
{
    const lg_plan *P = w->plan;
    int m = P->m, n = P->n;
    for (int i = 0; i < n; i++) {
        real pi = P->diagonal ? w->J[i] * b->Y[i] : w->J[i * n] * b->Y[0];
        for (int j = 1; !P->diagonal && j < n; j++) pi = pi + w->J[i * n + j] * b->Y[j];
        for (int a = 0; a < m; a++) u[a] = u[a] - w->AW[a * n + i] * pi;
    }
}

/* The drift is summed by itself: it is known before p^+. */
K void apply_rows(real *u, const real *R, const real *pp, const real *D, const real *Y, int m, int n)
{
    for (int a = 0; a < m; a++) {
        real s = R[a * n] * pp[0], d = D ? D[a * n] * Y[0] : s;
        for (int i = 1; D && i < n; i++) d = d + D[a * n + i] * Y[i];
        if (D) s = s - d;
        for (int i = 1; i < n; i++) s = s + R[a * n + i] * pp[i];
        u[a] = s;
    }
}

/* u = C^-1 A J'^-1 (p^+ - Pi), then p^- = p^+ - 2 A^T u, p~ = p^+ - A^T u, and h A^T lambda = p^- - p^+. Where m and n
 * are constants the loops unroll, and a local u stays in registers. */
K int reflect(lg_work *w, double h, lg_node *b, real *u, int m, int n)
{
    const lg_plan *P = w->plan;
    if (P->constant_rows && P->constant_metric) {
        apply_rows(u, w->AW, b->pp, w->KJ, b->Y, m, n);
    } else {
        gram_rows(w->AW, b->A, w->Pinv, P->projector_diagonal, m, n);
        int bad = gram_factor(w->C, w->AW, b->A, m, n);
        if (bad) return lg_work_fail(w, LG_ERROR_SINGULAR, "covectors", bad, 0, 0);
        int plain = P->drift && w->Pinv == w->Jinv; /* A J^-1 J Y = A Y */
        apply_rows(u, w->AW, b->pp, plain ? b->A : NULL, b->Y, m, n);
        if (P->drift && !plain) subtract_drift(w, b, u);
        gram_solve(w->C, u, m);
    }
    for (int i = 0; i < n; i++) {
        real s = b->A[i] * u[0];
        for (int a = 1; a < m; a++) s = s + b->A[a * n + i] * u[a];
        b->pt[i] = b->pp[i] - s;
        b->pm[i] = b->pp[i] - 2.0 * s;
    }
    for (int a = 0; a < m; a++) b->lambda[a] = (-2.0 / h) * u[a];
    return 0;
}

/* The sizes of rigid bodies and their products with a plane or space get loops of constant length. */
K int reflect_sized(lg_work *w, double h, lg_node *b, real *u, int m, int n)
{
    switch (n) {
    case 3:
        return reflect(w, h, b, u, m, 3);
    case 5:
        return reflect(w, h, b, u, m, 5);
    case 6:
        return reflect(w, h, b, u, m, 6);
    default:
        return reflect(w, h, b, u, m, n);
    }
}

int lg_reflect(lg_work *w, double h, lg_node *b)
{
    int n = w->plan->n;
    real u[3];
    switch (w->plan->m) {
    case 0:
        memcpy(b->pm, b->pp, (size_t)n * sizeof *b->pm);
        memcpy(b->pt, b->pp, (size_t)n * sizeof *b->pt);
        return 0;
    case 1:
        return reflect_sized(w, h, b, u, 1, n);
    case 2:
        return reflect_sized(w, h, b, u, 2, n);
    case 3:
        return reflect_sized(w, h, b, u, 3, n);
    default:
        return reflect(w, h, b, w->rhs, w->plan->m, n);
    }
}

/* ---- rules ---- */

static const real *depart_with_state(lg_work *w, double h, const lg_node *a)
{
    (void)w, (void)h;
    return a->pm;
}

static int arrive_by_reflection(lg_work *w, double h, const lg_node *a, lg_node *b)
{
    (void)a;
    return lg_work_evaluate_rows(w, b) || lg_reflect(w, h, b);
}

const lg_rule lg_rule_none = {"none", LG_GIVES_SYMMETRIC, 0, depart_with_state, arrive_by_reflection};
const lg_rule lg_rule_reflection = {"reflection", LG_CAN_CONSTRAIN | LG_GIVES_SYMMETRIC, 0, depart_with_state,
                                    arrive_by_reflection};
