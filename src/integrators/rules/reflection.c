/* SPDX-License-Identifier: BSD-3-Clause */
/* The reflection of the GNI (docs/theory.md section 3):
 *
 *   p_minus = p_plus - 2 A^T u,   C u = A J'^-1 (p_plus - Pi),   C = A J'^-1 A^T,   Pi = J Y,
 *   p_tilde = p_plus - A^T u,     h lambda = -2 u,
 *
 * that is p^- = (P - Q)* p^+ + 2 Q* Pi; J' is the projectors' metric. With holonomic constraints it takes place in
 * their tangent space: first p^+ is projected onto the hidden rows, then reflected with all rows. Its relatives: no
 * velocity constraints at all (p^- = p^+), and the reflection that restarts at every node. */
#include "integrators/rules/reflection.h"

#include <string.h>

#include "base/dense.h"
#include "integrators/engine/compensation.h"
#include "integrators/engine/rule.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"
#include "mechanics/gram.h"
#include "retractions/retraction.h"

/* u -= A J'^-1 Pi, if the projectors' metric is not the kinetic one and the rows are not constant. */
static void reflection_subtract_drift(const lg_workspace *w, const lg_node *b, real *u)
{
    const lg_plan *P = w->plan;
    const int m = P->m, n = P->n;
    const real *raised = w->reflection.raised;
    for (int i = 0; i < n; i++) {
        real pi = P->diagonal ? b->metric[i] * b->drift[i] : b->metric[i * n] * b->drift[0];
        for (int j = 1; !P->diagonal && j < n; j++) pi = pi + b->metric[i * n + j] * b->drift[j];
        for (int r = 0; r < m; r++) u[r] = u[r] - raised[r * n + i] * pi;
    }
}

/* u = R p - D Y, row by row. The drift is summed separately, since it is known before p^+. */
KERNEL void reflection_apply(real *u, const real *R, const real *p_plus, const real *D, const real *Y, int m, int n)
{
    for (int a = 0; a < m; a++) {
        real s = R[a * n] * p_plus[0], d = D ? D[a * n] * Y[0] : s;
        for (int i = 1; D && i < n; i++) d = d + D[a * n + i] * Y[i];
        if (D) s = s - d;
        for (int i = 1; i < n; i++) s = s + R[a * n + i] * p_plus[i];
        u[a] = s;
    }
}

/* rest = R carry + S p: the rounding error of u = R p. S may be NULL. */
KERNEL void reflection_lacks(real *rest, const real *R, const real *S, const real *p, const real *carry, int m, int n)
{
    for (int a = 0; a < m; a++) {
        rest[a] = R[a * n] * carry[0];
        for (int i = 1; i < n; i++) rest[a] = rest[a] + R[a * n + i] * carry[i];
        for (int i = 0; S && i < n; i++) rest[a] = rest[a] + S[a * n + i] * p[i];
    }
}

/* C u = A J'^-1 (p^+ - Pi) with rows or a metric that change. */
KERNEL int reflection_solve(lg_workspace *w, const lg_node *b, real *u, int m, int n)
{
    const lg_plan *P = w->plan;
    const real *own = w->constants.projector_inverse;
    real *raised = w->reflection.raised, *gram = w->reflection.gram;
    gram_rows(raised, b->rows, own ? own : b->metric_inverse, P->projector_diagonal, m, n);
    const int bad = gram_factor(gram, raised, b->rows, m, n);
    if (bad) return lg_workspace_fail_row(w, bad);
    const int plain = P->drift && !own && !P->holonomic; /* A J^-1 J Y = A Y */
    reflection_apply(u, raised, b->p_plus, plain ? b->rows : NULL, b->drift, m, n);
    for (int r = 0; P->holonomic && P->affine && r < m; r++) u[r] = u[r] - b->right_side[r];
    if (P->drift && own) reflection_subtract_drift(w, b, u);
    gram_solve(gram, u, m);
    if (!P->compensated) return 0;
    reflection_lacks(w->reflection.rest, raised, NULL, b->p_plus, b->carry + P->element_size, m, n);
    gram_solve(gram, w->reflection.rest, m);
    return 0;
}

/* p^- = p^+ - 2 A^T u with its rounding errors, also those of products with numbers of few decimals: their digits are
 * periodic, so the rounding error of a product with such a constant is not random but equal for many u. */
KERNEL void reflection_compensated(const lg_workspace *w, lg_node *b, const real *u, int m, int n)
{
    const real *rest = w->reflection.rest;
    real *carry = b->carry + w->plan->element_size;
    for (int i = 0; i < n; i++) {
        real s, low, x, e;
        exact_product(&s, &low, b->rows[i], u[0]);
        low = low + b->rows[i] * rest[0];
        for (int r = 1; r < m; r++) {
            exact_product(&x, &e, b->rows[r * n + i], u[r]);
            compensated_gather(&s, &low, x, e + b->rows[r * n + i] * rest[r]);
        }
        compensated_add(&b->p_minus[i], &carry[i], b->p_plus[i], carry[i] - 2.0 * low, -2.0 * s);
    }
}

/* The reflection. For constant m and n the loops unroll, and a local u stays in registers. */
KERNEL int reflection(lg_workspace *w, duration h, lg_node *b, real *u, int m, int n)
{
    const lg_constants *constants = &w->constants;
    if (w->plan->constant_rows && w->plan->constant_metric) { /* u = K p^+ - K J Y */
        const real *K = constants->reflector, *K_rest = constants->reflector_rest;
        reflection_apply(u, K, b->p_plus, constants->reflector_drift, b->drift, m, n);
        if (K_rest) reflection_lacks(w->reflection.rest, K, K_rest, b->p_plus, b->carry + w->plan->element_size, m, n);
    } else if (reflection_solve(w, b, u, m, n))
        return 1;
    for (int i = 0; i < n; i++) {
        real s = b->rows[i] * u[0];
        for (int r = 1; r < m; r++) s = s + b->rows[r * n + i] * u[r];
        b->p_tilde[i] = b->p_plus[i] - s;
        b->p_minus[i] = b->p_plus[i] - 2.0 * s;
    }
    for (int r = 0; r < m; r++) b->lambda[r] = (-2.0 / h) * u[r];
    if (w->plan->compensated) reflection_compensated(w, b, u, m, n);
    return 0;
}

/* The sizes of rigid bodies and their products with a plane or space get loops of constant length. */
KERNEL int reflection_sized(lg_workspace *w, duration h, lg_node *b, real *u, int m, int n)
{
    switch (n) {
    case 3:
        return reflection(w, h, b, u, m, 3);
    case 5:
        return reflection(w, h, b, u, m, 5);
    case 6:
        return reflection(w, h, b, u, m, 6);
    default:
        return reflection(w, h, b, u, m, n);
    }
}

/* Without rows. */
KERNEL int reflection_go_free(int n, lg_node *b)
{
    for (int i = 0; i < n; i++) b->p_minus[i] = b->p_tilde[i] = b->p_plus[i];
    return 0;
}

int lg_reflect(lg_workspace *w, duration h, lg_node *b)
{
    int n = w->plan->n;
    real u[3];
    switch (w->plan->m) {
    case 0:
        return LG_SIZED_COLUMNS(n, reflection_go_free, b);
    case 1:
        return reflection_sized(w, h, b, u, 1, n);
    case 2:
        return reflection_sized(w, h, b, u, 2, n);
    case 3:
        return reflection_sized(w, h, b, u, 3, n);
    default:
        return reflection(w, h, b, w->reflection.u, w->plan->m, n);
    }
}

#if LANES == 1
/* The rounding error of K, C^-1 A J'^-1 (1 - A^T K) with the rounded K, column by column: a constant error of K A^T = 1
 * would change the energy always in one direction. */
static void reflection_rest(lg_workspace *w, const double *Jinv)
{
    const lg_plan *P = w->plan;
    const int n = P->n, m = P->m;
    const double *A = w->constants.rows, *K = w->constants.reflector;
    double *left = w->compensation, *left_rest = left + n, *raised = left + 2 * n, *raised_rest = left + 3 * n;
    double *lacks = w->reflection.u, x, e;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            left[i] = i == j, left_rest[i] = 0;
            for (int r = 0; r < m; r++) {
                exact_product(&x, &e, -A[r * n + i], K[r * n + j]);
                compensated_gather(&left[i], &left_rest[i], x, e);
            }
        }
        for (int i = 0; i < n; i++) {
            const int at = P->projector_diagonal ? i : 0, count = P->projector_diagonal ? 1 : n;
            const double *row = Jinv + (P->projector_diagonal ? i : i * n);
            compensated_dot(count, row, left + at, left_rest + at, &raised[i], &raised_rest[i]);
        }
        for (int r = 0; r < m; r++) {
            compensated_dot(n, A + r * n, raised, raised_rest, &x, &e);
            lacks[r] = x + e;
        }
        gram_solve(w->reflection.gram, lacks, m);
        for (int r = 0; r < m; r++) w->constants.reflector_rest[r * n + j] = lacks[r];
    }
}

/* K = C^-1 A J'^-1, built in place from A J'^-1, and K J. */
int lg_reflect_constant(lg_workspace *w, const real *J)
{
    const lg_plan *P = w->plan;
    const lg_constants *constants = &w->constants;
    const int n = P->n, m = P->m;
    const real *own = constants->projector_inverse;
    real *K = constants->reflector, *gram = w->reflection.gram, *column = w->reflection.u;
    gram_rows(K, constants->rows, own ? own : constants->metric_inverse, P->projector_diagonal, m, n);
    const int bad = gram_factor(gram, K, constants->rows, m, n);
    if (bad) return lg_workspace_fail(w, LG_ERROR_SINGULAR, "covector_matrix", bad, 0, 0);
    for (int j = 0; j < n; j++) {
        for (int r = 0; r < m; r++) column[r] = K[r * n + j];
        gram_solve(gram, column, m);
        for (int r = 0; r < m; r++) K[r * n + j] = column[r];
    }
    if (constants->reflector_rest) reflection_rest(w, own ? own : constants->metric_inverse);
    if (constants->reflector_drift) lg_matmul(constants->reflector_drift, K, J, m, n, n);
    return 0;
}
#endif

int lg_project_hidden(lg_workspace *w, lg_node *b, real *p, duration scale)
{
    const lg_plan *P = w->plan;
    const int holonomic = P->holonomic, n = P->n;
    real *raised = w->reflection.raised, *gram = w->reflection.gram, *u = w->reflection.u;
    gram_rows(raised, b->rows, b->metric_inverse, P->diagonal, holonomic, n);
    int bad = gram_factor(gram, raised, b->rows, holonomic, n);
    if (bad) return lg_workspace_fail_row(w, bad);
    reflection_apply(u, raised, p, NULL, NULL, holonomic, n);
    for (int r = 0; P->affine && r < holonomic; r++) u[r] = u[r] - b->right_side[r];
    gram_solve(gram, u, holonomic);
    for (int r = 0; r < holonomic; r++) {
        for (int i = 0; i < n; i++) p[i] = p[i] - u[r] * b->rows[r * n + i];
        b->lambda[r] = b->lambda[r] + scale * u[r];
    }
    return 0;
}

void lg_kick_rows(const lg_plan *P, lg_node *b, double s)
{
    const int n = P->n;
    for (int i = 0; i < n; i++) b->p_minus[i] = b->p_tilde[i];
    for (int r = P->holonomic; r < P->m; r++)
        for (int i = 0; i < n; i++) b->p_minus[i] = b->p_minus[i] + (s * b->lambda[r]) * b->rows[r * n + i];
}

/* ---- hooks ---- */

static const real *reflection_depart(lg_workspace *w, duration h, const lg_node *a)
{
    (void)w, (void)h;
    return a->p_minus;
}

/* Removes the hidden part of p^+, as the right part of RATTLE's kick. Writes to `kept` the multipliers of both parts
 * together, the mean force of the step; a single part is half of it only if L_d is symmetric. */
static int reflection_arrive_hidden(lg_workspace *w, duration h, lg_node *b)
{
    const int holonomic = w->plan->holonomic;
    for (int r = 0; r < holonomic; r++) b->lambda[r] = w->implicit->multiplier.value[r];
    if (lg_project_hidden(w, b, b->p_plus, -1 / h)) return 1;
    for (int r = 0; r < holonomic; r++) w->reflection.kept[r] = b->lambda[r];
    return 0;
}

static int reflection_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const int holonomic = w->plan->holonomic;
    (void)a;
    b->work = splat((double)NAN);
    if (w->plan->m == 0 && w->plan->constant_metric) return LG_SIZED_COLUMNS(w->plan->n, reflection_go_free, b);
    if (lg_node_evaluate_rows(w, b)) return 1;
    if (holonomic && reflection_arrive_hidden(w, h, b)) return 1;
    if (lg_reflect(w, h, b)) return 1;
    for (int r = 0; r < holonomic; r++) b->lambda[r] = b->lambda[r] + w->reflection.kept[r];
    return 0;
}

/* The normal part of p^- is proportional to the step. */
static void reflection_rescale(lg_workspace *w, double ratio, lg_node *b)
{
    const int n = w->plan->n;
    real *carry = w->plan->compensated ? b->carry + w->plan->element_size : NULL;
    for (int i = 0; carry && i < n; i++)
        compensated_add(&b->p_minus[i], &carry[i], b->p_minus[i], carry[i],
                        (ratio - 1) * (b->p_minus[i] - b->p_tilde[i]));
    for (int i = 0; !carry && i < n; i++) b->p_minus[i] = b->p_tilde[i] + ratio * (b->p_minus[i] - b->p_tilde[i]);
}

#if LANES == 1

/* After the reflection, recomputes p^- from p~ with the multipliers of the continuous equations. */
static int reflection_arrive_and_restart(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    if (reflection_arrive(w, h, a, b)) return 1;
    lg_raise(P, w->vector, b, b->p_tilde);
    return lg_continuous_multipliers(w, b, w->vector, NULL) || (lg_kick_rows(P, b, 0.5 * h), 0);
}

/* p^-_0 from p~ for each kind of start (docs/theory.md section 4). */
static int reflection_start(lg_workspace *w, duration h, lg_node *b, int start)
{
    const lg_plan *P = w->plan;
    const int n = P->n;
    const double shift = 0.5 * h * (P->w0 - P->w1); /* h (w_0 - 1/2); 0 at the midpoint */
    double *acts = w->vector;
    memcpy(b->p_minus, b->p_tilde, sz(n) * sizeof *b->p_minus);
    if (start == LG_START_PAPER) {
        double *x = w->vector;
        for (int i = 0; i < n; i++) x[i] = h * b->xi[i];
        lg_status st =
            lg_retraction_dtau_inv_dual_with(P->retraction, P->S->group, b->p_minus, x, b->p_tilde, w->scratch);
        return st == LG_OK ? 0 : lg_workspace_fail_status(w, st, "the retraction's tangent at h xi0");
    }
    if (start != LG_START_REACTION) return 0;
    lg_kick_rows(P, b, 0.5 * h);
    if (shift == 0) return 0;
    int code = lg_field_gradient(w->field, b->t, b->g, acts);
    for (int i = 0; i < n; i++) b->p_minus[i] += shift * acts[i];
    if (!code) code = lg_field_force(w->field, b->t, b->g, b->xi, acts);
    for (int i = 0; i < n; i++) b->p_minus[i] -= shift * acts[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

/* p^+ is the reflection of p^- (an involution), which also gives p~ and the multipliers. */
static int reflection_back(lg_workspace *w, duration h, lg_node *b)
{
    const int n = w->plan->n;
    memcpy(b->p_plus, b->p_minus, sz(n) * sizeof *b->p_plus);
    if (lg_reflect(w, h, b)) return 1;
    for (int i = 0; i < n; i++) { /* what came out as p^- is p^+ */
        const double p_plus = b->p_minus[i];
        b->p_minus[i] = b->p_plus[i];
        b->p_plus[i] = p_plus;
    }
    for (int r = 0; r < w->plan->m; r++) b->lambda[r] = -b->lambda[r];
    return 0;
}

/* Keeps p~, the initial state, and the multipliers of the reaction that is part of p^-_0. */
static int reflection_begin(lg_workspace *w, duration h, lg_node *b, int start)
{
    const lg_plan *P = w->plan;
    double *lambda = w->reflection.kept, *p_tilde = w->vector;
    memcpy(lambda, b->lambda, sz(P->m) * sizeof *lambda);
    if (reflection_start(w, h, b, start)) return 1;
    if (P->holonomic && lg_project_hidden(w, b, b->p_minus, 0)) return 1;
    memcpy(p_tilde, b->p_tilde, sz(P->n) * sizeof *p_tilde);
    if (reflection_back(w, h, b)) return 1;
    memcpy(b->p_tilde, p_tilde, sz(P->n) * sizeof *p_tilde);
    if (start == LG_START_REACTION) memcpy(b->lambda, lambda, sz(P->m) * sizeof *lambda);
    return 0;
}

static int reflection_begin_momentum(lg_workspace *w, duration h, lg_node *b)
{
    if (w->plan->holonomic && lg_project_hidden(w, b, b->p_minus, 0)) return 1;
    return reflection_back(w, h, b);
}

#endif

/* ---- rules ---- */

LG_ENGINE const lg_rule lg_rule_none = {.name = "none",
                                        .gives = LG_CAN_POSITION,
                                        .wide = LG_WIDE_EXPLICIT | LG_WIDE_TANGENT,
                                        .state = LG_STATE_P_MINUS,
                                        .depart = reflection_depart,
                                        .multipliers = LG_SMOOTH_HOOK(lg_multipliers_discrete),
                                        .arrive = reflection_arrive,
                                        .begin = LG_WIDTH_1(reflection_begin),
                                        .begin_momentum = LG_WIDTH_1(reflection_begin_momentum)};
LG_ENGINE const lg_rule lg_rule_reflection = {.name = "reflection",
                                              .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                              .needs = LG_HAS_NORMAL_PART,
                                              .wide = LG_WIDE_EXPLICIT | LG_WIDE_TANGENT,
                                              .state = LG_STATE_P_MINUS,
                                              .depart = reflection_depart,
                                              .multipliers = LG_SMOOTH_HOOK(lg_multipliers_discrete),
                                              .arrive = reflection_arrive,
                                              .begin = LG_WIDTH_1(reflection_begin),
                                              .begin_momentum = LG_WIDTH_1(reflection_begin_momentum),
                                              .rescale = reflection_rescale};
#if LANES == 1
const lg_rule lg_rule_restart = {.name = "restarted reflection",
                                 .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                 .state = LG_STATE_P_MINUS,
                                 .restarts = 1,
                                 .why_not_symmetric = "it starts afresh at every node",
                                 .depart = reflection_depart,
                                 .multipliers = lg_multipliers_discrete,
                                 .arrive = reflection_arrive_and_restart,
                                 .begin = reflection_begin,
                                 .begin_momentum = reflection_begin_momentum,
                                 .rescale = reflection_rescale};
#endif
