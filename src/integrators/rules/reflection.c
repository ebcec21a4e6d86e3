/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules without unknown multipliers: none, the reflection of the GNI, p^- = (P - Q)* p^+ + 2 Q* Pi (docs/theory.md
 * section 3), and its restart every step. With position constraints the reflection takes place in their tangent space:
 * first p^+ is projected onto the hidden rows, then reflected with all rows. */
#include "integrators/engine/engine.h"
#include "integrators/engine/sized.h"
#include "mechanics/gram.h"

/* u -= A J'^-1 Pi, Pi = J Y, where the projectors have a metric of their own and the rows are no constants. */
static void subtract_drift(lg_workspace *w, const lg_node *b, real *u)
{
    const lg_plan *P = w->plan;
    int m = P->m, n = P->n;
    for (int i = 0; i < n; i++) {
        real pi = P->diagonal ? b->J[i] * b->Y[i] : b->J[i * n] * b->Y[0];
        for (int j = 1; !P->diagonal && j < n; j++) pi = pi + b->J[i * n + j] * b->Y[j];
        for (int a = 0; a < m; a++) u[a] = u[a] - w->AW[a * n + i] * pi;
    }
}

/* The drift is summed by itself: it is known before p^+. */
KERNEL void apply_rows(real *u, const real *R, const real *p_plus, const real *D, const real *Y, int m, int n)
{
    for (int a = 0; a < m; a++) {
        real s = R[a * n] * p_plus[0], d = D ? D[a * n] * Y[0] : s;
        for (int i = 1; D && i < n; i++) d = d + D[a * n + i] * Y[i];
        if (D) s = s - d;
        for (int i = 1; i < n; i++) s = s + R[a * n + i] * p_plus[i];
        u[a] = s;
    }
}

/* u = C^-1 A J'^-1 (p^+ - Pi), then p^- = p^+ - 2 A^T u, p~ = p^+ - A^T u, and h A^T lambda = p^- - p^+. Where m and n
 * are constants the loops unroll, and a local u stays in registers. */
KERNEL int reflect(lg_workspace *w, double h, lg_node *b, real *u, int m, int n)
{
    const lg_plan *P = w->plan;
    if (P->constant_rows && P->constant_metric) {
        apply_rows(u, w->AW, b->p_plus, w->KJ, b->Y, m, n);
    } else {
        gram_rows(w->AW, b->A, w->Pinv ? w->Pinv : b->Jinv, P->projector_diagonal, m, n);
        int bad = gram_factor(w->C, w->AW, b->A, m, n);
        if (bad) return lg_workspace_fail_row(w, bad);
        int plain = P->drift && !w->Pinv && !P->holonomic; /* A J^-1 J Y = A Y */
        apply_rows(u, w->AW, b->p_plus, plain ? b->A : NULL, b->Y, m, n);
        for (int a = 0; P->holonomic && P->affine && a < m; a++) u[a] = u[a] - b->b[a];
        if (P->drift && w->Pinv) subtract_drift(w, b, u);
        gram_solve(w->C, u, m);
    }
    for (int i = 0; i < n; i++) {
        real s = b->A[i] * u[0];
        for (int a = 1; a < m; a++) s = s + b->A[a * n + i] * u[a];
        b->p_tilde[i] = b->p_plus[i] - s;
        b->p_minus[i] = b->p_plus[i] - 2.0 * s;
    }
    for (int a = 0; a < m; a++) b->lambda[a] = (-2.0 / h) * u[a];
    return 0;
}

/* The sizes of rigid bodies and their products with a plane or space get loops of constant length. */
KERNEL int reflect_sized(lg_workspace *w, double h, lg_node *b, real *u, int m, int n)
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

/* Without rows. */
KERNEL int go_free(int n, lg_node *b)
{
    for (int i = 0; i < n; i++) b->p_minus[i] = b->p_tilde[i] = b->p_plus[i];
    return 0;
}

int lg_reflect(lg_workspace *w, double h, lg_node *b)
{
    int n = w->plan->n;
    real u[3];
    switch (w->plan->m) {
    case 0:
        return LG_SIZED_COLUMNS(n, go_free, b);
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

int lg_project_hidden(lg_workspace *w, lg_node *b, real *p, double scale)
{
    const lg_plan *P = w->plan;
    const int holonomic = P->holonomic, n = P->n;
    real *u = w->rhs;
    gram_rows(w->AW, b->A, b->Jinv, P->diagonal, holonomic, n);
    int bad = gram_factor(w->C, w->AW, b->A, holonomic, n);
    if (bad) return lg_workspace_fail_row(w, bad);
    apply_rows(u, w->AW, p, NULL, NULL, holonomic, n);
    for (int a = 0; P->affine && a < holonomic; a++) u[a] = u[a] - b->b[a];
    gram_solve(w->C, u, holonomic);
    for (int a = 0; a < holonomic; a++) {
        for (int i = 0; i < n; i++) p[i] = p[i] - u[a] * b->A[a * n + i];
        b->lambda[a] = b->lambda[a] + scale * u[a];
    }
    return 0;
}

/* ---- rules ---- */

static const real *depart(lg_workspace *w, double h, const lg_node *a)
{
    (void)w, (void)h;
    return a->p_minus;
}

/* The hidden part of p^+ taken off, as the right part of RATTLE's kick. Into w->hidden: the multipliers of both parts
 * together, the mean force of the step; one part alone is half of it only where L_d is symmetric. */
static int arrive_hidden(lg_workspace *w, double h, lg_node *b)
{
    for (int a = 0; a < w->plan->holonomic; a++) b->lambda[a] = w->implicit->z[a];
    if (lg_project_hidden(w, b, b->p_plus, -1 / h)) return 1;
    for (int a = 0; a < w->plan->holonomic; a++) w->hidden[a] = b->lambda[a];
    return 0;
}

static int arrive_by_reflection(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const int holonomic = w->plan->holonomic;
    (void)a;
    b->work = splat((double)NAN);
    if (w->plan->m == 0 && w->plan->constant_metric) return LG_SIZED_COLUMNS(w->plan->n, go_free, b);
    if (lg_workspace_evaluate_rows(w, b)) return 1;
    if (holonomic && arrive_hidden(w, h, b)) return 1;
    if (lg_reflect(w, h, b)) return 1;
    for (int r = 0; r < holonomic; r++) b->lambda[r] = b->lambda[r] + w->hidden[r];
    return 0;
}

#if LANES == 1
/* After the reflection p^- starts again from p~ with the multipliers of the continuous equations. */
static int arrive_and_restart(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (arrive_by_reflection(w, h, a, b)) return 1;
    lg_raise(P, w->kick, b, b->p_tilde);
    return lg_continuous_multipliers(w, b, w->kick, NULL) || (lg_kick_rows(P, b, 0.5 * h), 0);
}
#endif

/* p^- = p~ + s mu^T lambda, velocity rows only. */
void lg_kick_rows(const lg_plan *P, lg_node *b, double s)
{
    const int n = P->n;
    for (int i = 0; i < n; i++) b->p_minus[i] = b->p_tilde[i];
    for (int a = P->holonomic; a < P->m; a++)
        for (int i = 0; i < n; i++) b->p_minus[i] = b->p_minus[i] + (s * b->lambda[a]) * b->A[a * n + i];
}

/* The normal part of p^- is proportional to the step. */
static void rescale(lg_workspace *w, double ratio, lg_node *b)
{
    for (int i = 0; i < w->plan->n; i++) b->p_minus[i] = b->p_tilde[i] + ratio * (b->p_minus[i] - b->p_tilde[i]);
}

const lg_rule lg_rule_none = {.name = "none",
                              .gives = LG_CAN_POSITION | LG_GIVES_SYMMETRIC,
                              .depart = depart,
                              .multipliers = LG_WIDTH_1(lg_multipliers_discrete),
                              .arrive = arrive_by_reflection,
                              .begin = LG_WIDTH_1(lg_begin_reflection)};
const lg_rule lg_rule_reflection = {.name = "reflection",
                                    .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION | LG_GIVES_SYMMETRIC,
                                    .needs = LG_IS_REFLECTION,
                                    .depart = depart,
                                    .multipliers = LG_WIDTH_1(lg_multipliers_discrete),
                                    .arrive = arrive_by_reflection,
                                    .begin = LG_WIDTH_1(lg_begin_reflection),
                                    .rescale = rescale};
#if LANES == 1
const lg_rule lg_rule_restart = {.name = "restarted reflection",
                                 .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                 .depart = depart,
                                 .multipliers = lg_multipliers_discrete,
                                 .arrive = arrive_and_restart,
                                 .begin = lg_begin_reflection,
                                 .rescale = rescale};
#endif
