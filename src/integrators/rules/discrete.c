/* SPDX-License-Identifier: BSD-3-Clause */
/* Multipliers that act at the start of the step, so that its end satisfies the constraints (docs/theory.md section 7):
 *   p^- = p + h B^T z,   psi(xi) = 0,
 * with B the rows at the node; psi = phi(g_1)/h for holonomic constraints (SHAKE, RATTLE), and for DLA also the
 * discrete constraint omega_d(g_0, g_1). With xn = xi - R the z of a trial xi solve D (xn - xi) = -psi, D = d psi/d xi
 * up to O(h): (h D J^-1 B^T) z = D R_0 - psi, R_0 the residual at p^- = p. */
#include "base/small.h"
#include "integrators/engine/callbacks.h"
#include "integrators/engine/free_step.h"
#include "integrators/engine/rule.h"
#include "integrators/rules/state.h"

/* Rows of D and -psi of the holonomic constraints. */
static int discrete_holonomic(lg_workspace *w, duration h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    real *phi = o->holonomic.phi;
    if (lg_evaluate(w, LG_CALLBACK_HOLONOMIC, &b->t, b->g, NULL, phi, P->holonomic)) return 1;
    for (int r = 0; r < P->holonomic; r++) o->multiplier.value[r] = -phi[r] / h;
    for (int i = 0; i < P->holonomic * P->n; i++) o->discrete.differential[i] = b->rows[i];
    return 0;
}

/* Velocity rows and drift at a point. */
static int discrete_rows(lg_workspace *w, const real *t, real *g, real *A, real *Y)
{
#if LANES == 1
    const int code = lg_field_rows(w->field, *t, g, A, Y);
    return code ? lg_workspace_fail_callback(w, code) : 0;
#else
    const lg_plan *P = w->plan;
    lg_node at = *w->next;
    at.t = *t, at.g = g, at.drift = Y;
    for (int i = 0; i < P->n; i++) Y[i] = splat(0);
    if (P->drift && lg_evaluate_rows(w, &at, A)) return 1;
    for (int i = 0; !P->S->callbacks.covectors && i < P->nonholonomic * P->n; i++) A[i] = w->constants.given_rows[i];
    return 0;
#endif
}

/* Rows of the velocity constraints in omega_d: the mean of mu (xi - Y) over its points. */
static int discrete_points(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_discrete_scratch *o = &w->implicit->discrete;
    const real *xi = w->implicit->trial.xi, *mu = o->rows, *Y = o->drift;
    const int n = P->n, holonomic = P->holonomic;
    real *value = w->implicit->multiplier.value;
    for (int r = holonomic; r < P->m; r++) value[r] = splat(0);
    for (int i = holonomic * n; i < P->m * n; i++) o->differential[i] = splat(0);
    for (int k = 0; k < P->method.rows; k++) {
        const lg_point point = P->method.row[k];
        if (lg_point_on_arc(w, point.s, a, b, o->point)) return 1;
        const real t = a->t + point.s * h;
        if (discrete_rows(w, &t, o->point, o->rows, o->drift)) return 1;
        for (int r = 0; r < P->nonholonomic; r++)
            for (int i = 0; i < n; i++) {
                const real entry = point.weight * mu[r * n + i];
                real *D = o->differential + (holonomic + r) * n + i;
                *D = *D + entry;
                value[holonomic + r] = value[holonomic + r] - entry * (xi[i] - Y[i]);
            }
    }
    return 0;
}

#if LANES == 1
/* The system's own omega_d. */
static int discrete_user(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_implicit *o = w->implicit;
    real *value = o->multiplier.value;
    lg_call c = lg_field_call(w->field, &a->t);
    for (int r = P->holonomic; r < P->m; r++) value[r] = 0;
    w->field->failed = "discrete_constraint";
    int code = P->S->callbacks.discrete_constraint(&c, h, a->g, b->g, value + P->holonomic);
    for (int r = P->holonomic; r < P->m; r++) value[r] = -value[r];
    for (int i = P->holonomic * P->n; i < P->m * P->n; i++) o->discrete.differential[i] = a->rows[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}
#endif

/* psi of the velocity constraints: the system's own, or of these points. */
static int discrete_constraint(lg_workspace *w, duration h, const lg_node *a, const lg_node *b)
{
    if (w->plan->method.step->needs & LG_NEEDS_SLOPES) return LG_AT_WIDTH_1(discrete_user(w, h, a, b));
    return discrete_points(w, h, a, b);
}

/* Computes k multipliers from D and -psi, and p^- from them. */
static void discrete_solve(lg_workspace *w, duration h, const lg_node *a, int k)
{
    const lg_discrete_scratch *o = &w->implicit->discrete;
    const lg_multiplier_scratch *system = &w->implicit->multiplier;
    const int n = w->plan->n;
    real *z = system->value, *p_minus = w->implicit->trial.p_minus;
    for (int s = 0; s < k; s++) {
        lg_raise_mean(w, o->raised, a, a->rows + s * n);
        for (int r = 0; r < k; r++) system->matrix[r * k + s] = h * small_dot(n, o->differential + r * n, o->raised);
    }
    for (int r = 0; r < k; r++) z[r] = z[r] + small_dot(n, o->differential + r * n, o->residual);
    lg_eliminate(system->matrix, z, k);
    for (int r = 0; r < k; r++)
        for (int i = 0; i < n; i++) p_minus[i] = p_minus[i] + (h * z[r]) * a->rows[r * n + i];
}

int lg_multipliers_discrete(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_free_step *step = P->method.step;
    lg_trial *trial = &w->implicit->trial;
    const int n = P->n, discrete = P->nonholonomic && (P->method.rule->needs & LG_IS_DISCRETE);
    const int k = discrete ? P->m : P->holonomic;
    for (int i = 0; i < n; i++) trial->p_minus[i] = trial->departing[i];
    if (k) {
        if (P->holonomic && discrete_holonomic(w, h, b)) return 1;
        if (discrete && discrete_constraint(w, h, a, b)) return 1;
        for (int i = 0; i < n; i++) trial->p_plus[i] = splat(0);
        if (step->residual(w, h, a, trial->xi, b, w->implicit->discrete.residual)) return 1;
        discrete_solve(w, h, a, k);
    }
    for (int i = 0; i < n; i++) trial->p_plus[i] = splat(0);
    if (trial->transported && lg_transport_all(w, trial->W, trial->p_minus, trial->p_plus)) return 1;
    for (int i = 0; i < n; i++) trial->p_plus[i] = trial->p_plus[i] + trial->impulse[i];
    return 0;
}

/* ---- the rule of DLA: the state is p^+, the multipliers are those of the node that was left ---- */

static const real *discrete_depart(lg_workspace *w, duration h, const lg_node *a)
{
    (void)w, (void)h;
    return a->p_plus;
}

/* p~ = P* p^+ + Q* Pi is the projection onto the constraints of the node. */
static int discrete_report(lg_workspace *w, duration h, lg_node *b)
{
    if (lg_reflect(w, h, b)) return 1;
    for (int i = 0; i < w->plan->n; i++) b->p_minus[i] = b->p_tilde[i];
    return 0;
}

static int discrete_arrive(lg_workspace *w, duration h, const lg_node *a, lg_node *b)
{
    (void)a;
    if (lg_node_evaluate_rows(w, b) || discrete_report(w, h, b)) return 1;
    for (int r = 0; r < w->plan->m; r++) b->lambda[r] = w->implicit->multiplier.value[r];
    b->work = splat((double)NAN);
    return 0;
}

/* The normal part of p^+, half a kick, affects the multiplier of the next step but not the step. */
static void discrete_rescale(lg_workspace *w, double ratio, lg_node *b)
{
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = b->p_tilde[i] + ratio * (b->p_plus[i] - b->p_tilde[i]);
}

LG_ENGINE const lg_rule lg_rule_discrete = {.name = "discrete constraint",
                                            .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION,
                                            .needs = LG_IS_DISCRETE | LG_NEEDS_SOLVER,
                                            .wide = LG_WIDE_TANGENT,
                                            .state = LG_STATE_P_PLUS,
                                            .depart = discrete_depart,
                                            .multipliers = lg_multipliers_discrete,
                                            .arrive = discrete_arrive,
                                            .begin = lg_begin_state,
                                            .begin_momentum = discrete_report,
                                            .rescale = discrete_rescale};
