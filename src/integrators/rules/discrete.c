/* SPDX-License-Identifier: BSD-3-Clause */
/* Multipliers that act where the step departs, so that the step ends where it should (docs/theory.md section 7):
 *   p^- = p + h B^T z,   psi(xi) = 0,
 * with B the rows at the node; psi = phi(g_1)/h for position constraints (SHAKE, RATTLE), and for DLA also the discrete
 * constraint omega_d(g_0, g_1). With xn = xi - R the z of a trial xi solve D (xn - xi) = -psi, D = d psi/d xi up to
 * O(h): (h D J^-1 B^T) z = D R_0 - psi. */
#include "base/small.h"
#include "integrators/engine/engine.h"

/* Rows d psi/d xi into o->NT and -psi into o->z for the position constraints. */
static int position_part(lg_workspace *w, double h, const lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    int code = lg_field_holonomic(w->field, b->t, b->g, o->phi);
    if (code) return lg_workspace_fail_callback(w, code);
    for (int r = 0; r < P->holonomic; r++) o->z[r] = -o->phi[r] / h;
    for (int i = 0; i < P->holonomic * P->n; i++) o->NT[i] = b->A[i];
    return 0;
}

/* The velocity constraints in omega_d: the mean of mu (xi - Y) over its points. */
static int point_part(lg_workspace *w, double h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n, holonomic = P->holonomic;
    real *rows = o->rows, *Y = o->f;
    for (int r = holonomic; r < P->m; r++) o->z[r] = splat(0);
    for (int i = holonomic * n; i < P->m * n; i++) o->NT[i] = splat(0);
    for (int k = 0; k < P->method.rows; k++) {
        const lg_point point = P->method.row[k];
        if (lg_point_on_arc(w, point.s, a, b, o->mid)) return 1;
        int code = lg_field_rows(w->field, a->t + point.s * h, o->mid, rows, Y);
        if (code) return lg_workspace_fail_callback(w, code);
        for (int r = 0; r < P->nonholonomic; r++)
            for (int i = 0; i < n; i++) {
                const real entry = point.weight * rows[r * n + i];
                o->NT[(holonomic + r) * n + i] = o->NT[(holonomic + r) * n + i] + entry;
                o->z[holonomic + r] = o->z[holonomic + r] - entry * (o->xi[i] - Y[i]);
            }
    }
    return 0;
}

/* The system's own omega_d. */
static int user_part(lg_workspace *w, double h, const lg_node *a, const lg_node *b)
{
    const lg_plan *P = w->plan;
    const lg_system *S = P->S;
    lg_implicit *o = w->implicit;
    lg_call c = lg_field_call(w->field, &a->t);
    for (int r = P->holonomic; r < P->m; r++) o->z[r] = 0;
    w->field->failed = "discrete_constraint";
    int code = S->callbacks.discrete_constraint(&c, h, a->g, b->g, o->z + P->holonomic);
    for (int r = P->holonomic; r < P->m; r++) o->z[r] = -o->z[r];
    for (int i = P->holonomic * P->n; i < P->m * P->n; i++) o->NT[i] = a->A[i];
    return code ? lg_workspace_fail_callback(w, code) : 0;
}

/* k multipliers: z holds -psi, NT holds D, R the residual at p^- = p. */
static void solve(lg_workspace *w, double h, const lg_node *a, int k)
{
    lg_implicit *o = w->implicit;
    const int n = w->plan->n;
    for (int s = 0; s < k; s++) {
        lg_raise_mean(w, o->f, a, a->A + s * n);
        for (int r = 0; r < k; r++) o->M[r * k + s] = h * small_dot(n, o->NT + r * n, o->f);
    }
    for (int r = 0; r < k; r++) o->z[r] = o->z[r] + small_dot(n, o->NT + r * n, o->f1);
    lg_eliminate(o->M, o->z, k);
    for (int r = 0; r < k; r++)
        for (int i = 0; i < n; i++) o->p_minus[i] = o->p_minus[i] + (h * o->z[r]) * a->A[r * n + i];
}

int lg_multipliers_discrete(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    const lg_plan *P = w->plan;
    lg_implicit *o = w->implicit;
    const int n = P->n, discrete = P->nonholonomic && (P->method.rule->needs & LG_IS_DISCRETE),
              k = discrete ? P->m : P->holonomic;
    for (int i = 0; i < n; i++) o->p_minus[i] = o->given[i];
    if (k) {
        if (P->holonomic && position_part(w, h, b)) return 1;
        if (discrete && (P->method.inner == &lg_inner_user ? user_part : point_part)(w, h, a, b)) return 1;
        for (int i = 0; i < n; i++) o->p_plus[i] = splat(0);
        if (P->method.inner->residual(w, h, a, o->xi, b, o->f1)) return 1;
        solve(w, h, a, k);
    }
    for (int i = 0; i < n; i++) o->p_plus[i] = splat(0);
    if (o->transported && lg_transport_all(w, o->W, o->p_minus, o->p_plus)) return 1;
    for (int i = 0; i < n; i++) o->p_plus[i] = o->p_plus[i] + o->c[i];
    return 0;
}

/* ---- the rule of DLA: the state is p^+, the multipliers are those of the node that was left ---- */

static const real *depart(lg_workspace *w, double h, const lg_node *a)
{
    (void)w, (void)h;
    return a->p_plus;
}

/* p~ = P* p^+ + Q* Pi is the projection onto the constraints of the node. */
static int report(lg_workspace *w, double h, lg_node *b)
{
    if (lg_workspace_evaluate_rows(w, b) || lg_reflect(w, h, b)) return 1;
    for (int i = 0; i < w->plan->n; i++) b->p_minus[i] = b->p_tilde[i];
    return 0;
}

static int arrive(lg_workspace *w, double h, const lg_node *a, lg_node *b)
{
    (void)a;
    if (report(w, h, b)) return 1;
    for (int r = 0; r < w->plan->m; r++) b->lambda[r] = w->implicit->z[r];
    b->work = splat(NAN);
    return 0;
}

/* The normal part of p^+, half a kick, does not matter to the next step but to its multiplier. */
static void rescale(lg_workspace *w, double ratio, lg_node *b)
{
    for (int i = 0; i < w->plan->n; i++) b->p_plus[i] = b->p_tilde[i] + ratio * (b->p_plus[i] - b->p_tilde[i]);
}

const lg_rule lg_rule_discrete = {.name = "discrete constraint",
                                  .gives = LG_CAN_CONSTRAIN | LG_CAN_POSITION | LG_GIVES_SYMMETRIC,
                                  .needs = LG_IS_DISCRETE | LG_NEEDS_SOLVER,
                                  .depart = depart,
                                  .multipliers = lg_multipliers_discrete,
                                  .arrive = arrive,
                                  .begin = lg_begin_state,
                                  .rescale = rescale};
