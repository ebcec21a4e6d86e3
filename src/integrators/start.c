/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts: from a velocity or a momentum to a method's state, and back to the last start (docs/theory.md section 4).
 * Each rule maps p~_0 = J xi_0 to its state (lg_rule::begin): with p^- for the state
 *   reaction  p^-_0 = J xi_0 + (h/2) A^T lambda_0 + h (w_0 - 1/2) (dV - f)
 *   legendre  p^-_0 = J xi_0
 *   paper     p^-_0 = (dtau^-1_{h xi_0})^* J xi_0
 * with the multipliers of the continuous equations; methods whose state satisfies the constraints start from J xi_0. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/message.h"
#include "integrators/engine/compensation.h"
#include "integrators/integrator.h"
#include "mechanics/gram.h"

/* The largest distance of an initial element from the group at which it is accepted and projected. */
#define ELEMENT_TOLERANCE 1e-6
/* The largest |A (xi - Y)|, relative to its terms, of an accepted initial velocity. */
#define VELOCITY_TOLERANCE 1e-9
/* The largest |phi|, relative to |d phi|, of an accepted initial configuration. */
#define POSITION_TOLERANCE 1e-9

/* ---- the continuous equations ---- */

static lg_acceleration start_carve_acceleration(lg_arena *a, const lg_field *f)
{
    lg_acceleration o;
    lg_acceleration_carve(&o, f, a);
    return o;
}

/* Projections of initial data, in lg_workspace::dense. */
typedef struct initial {
    double *rows;     /* A J^-1, m x n */
    double *gram;     /* the factors of A J^-1 A^T, m x m */
    double *residual; /* phi, or A xi - b, then C^-1 times that: m */
    double *shift;    /* -J^-1 A^T C^-1 phi, n */
} initial;

static initial start_carve_initial(lg_arena *a, const lg_plan *P)
{
    const size_t n = sz(P->n), m = sz(P->m);
    initial o = {.rows = lg_borrow_doubles(a, m * n)};
    o.gram = lg_borrow_doubles(a, m * m);
    o.residual = lg_borrow_doubles(a, m), o.shift = lg_borrow_doubles(a, n);
    return o;
}

static initial start_initial(const lg_workspace *w)
{
    lg_arena a = {(char *)w->dense, 0};
    return start_carve_initial(&a, w->plan);
}

size_t lg_start_bytes(const lg_plan *P, const lg_field *field)
{
    lg_arena a = {NULL, 0}, b = {NULL, 0};
    (void)start_carve_acceleration(&a, field);
    (void)lg_borrow_doubles(&a, sz(P->n)); /* a rate */
    (void)start_carve_initial(&b, P);
    return a.used > b.used ? a.used : b.used;
}

int lg_continuous_multipliers(lg_workspace *w, lg_node *b, const real *xi, real *rate)
{
    const lg_plan *P = w->plan;
    lg_arena arena = {(char *)w->dense, 0};
    lg_acceleration o = start_carve_acceleration(&arena, w->field);
    double *xidot = lg_borrow_doubles(&arena, sz(P->n));
    int code = 0;
    if (P->m == 0 && !rate) return 0;
    lg_status st = lg_field_acceleration(w->field, &o, b->t, b->g, xi, xidot, &code);
    if (st == LG_ERROR_CALLBACK) return lg_workspace_fail_callback(w, code);
    if (st == LG_ERROR_SINGULAR && o.bad) return lg_workspace_fail_row(w, o.bad);
    if (st == LG_ERROR_SINGULAR) return lg_workspace_fail_status(w, st, "metric");
    if (st != LG_OK) return lg_workspace_fail_status(w, st, "the continuous equations");
    memcpy(b->lambda, o.lambda, sz(P->m) * sizeof *b->lambda);
    if (rate) memcpy(rate, xidot, sz(P->n) * sizeof *rate);
    return 0;
}

/* ---- consistent initial data ---- */

static lg_status start_explain(lg_integrator *it)
{
    return lg_explain(it, "lg_integrator_start", &it->error);
}

/* Evaluates the node; an error if that fails. */
static lg_status start_evaluate(lg_integrator *it, lg_node *b)
{
    const double *values;
    int count;
    if (lg_node_evaluate(it->workspace, b)) return start_explain(it);
    if (!lg_find_not_finite(it, b, &values, &count)) return LG_OK;
    lg_workspace_fail(it->workspace, LG_ERROR_NOT_FINITE, "a field of the system", 0, 0, 0);
    return start_explain(it);
}

/* b->g = g0, projected onto the group; an error if it is too far away. */
static lg_status start_place(lg_integrator *it, lg_node *b, double t0, const double *g0)
{
    const lg_group *G = it->S.group;
    double off = G->residual ? G->residual(G, g0, it->workspace->scratch) : 0;
    b->t = t0;
    it->workspace->destination = b;
    if (!isfinite(t0) || !lg_all_finite(g0, it->plan.element_size))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "lg_integrator_start: t0 or g0 is not finite");
    if (!(off <= ELEMENT_TOLERANCE))
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_start: g0 is off the group %s by %.3g; expected less than %g", G->name, off,
                       ELEMENT_TOLERANCE);
    lg_status st = LG_OK;
    if (off > 0 && G->project)
        st = G->project(G, b->g, g0, it->workspace->scratch);
    else
        memcpy(b->g, g0, (size_t)it->plan.element_size * sizeof *g0);
    if (st != LG_OK) return lg_fail(&it->error, st, "lg_integrator_start: g0 cannot be projected onto %s", G->name);
    return start_evaluate(it, b);
}

/* u = C^-1 r over the first `count` rows of the node in the metric; an error names a dependent row. */
static lg_status start_solve_rows(lg_integrator *it, const lg_node *b, double *u, int count)
{
    const lg_plan *P = &it->plan;
    initial o = start_initial(it->workspace);
    gram_rows(o.rows, b->rows, b->metric_inverse, P->diagonal, count, P->n);
    int bad = gram_factor(o.gram, o.rows, b->rows, count, P->n);
    if (bad)
        return lg_fail(&it->error, LG_ERROR_SINGULAR, "lg_integrator_start: %s %d depends on the rows before it at g0",
                       bad <= P->holonomic ? "holonomic constraint" : "row",
                       bad <= P->holonomic ? bad : bad - P->holonomic);
    gram_solve(o.gram, u, count);
    return LG_OK;
}

/* The largest |phi(t0, g)|, relative to d phi, and the index of that constraint. */
static lg_status start_holonomic_residual(lg_integrator *it, const lg_node *b, double *phi, double *most, int *which)
{
    const lg_plan *P = &it->plan;
    int code = lg_field_holonomic(&it->field, b->t, b->g, phi);
    *most = 0;
    if (code) {
        lg_workspace_fail_callback(it->workspace, code);
        return start_explain(it);
    }
    for (int r = 0; r < P->holonomic; r++) {
        if (!isfinite(phi[r]))
            return lg_fail(&it->error, LG_ERROR_NOT_FINITE,
                           "lg_integrator_start: holonomic constraint %d is not finite at g0: phi = %g", r + 1, phi[r]);
        double size = lg_norm_max(b->rows + r * P->n, P->n), off = fabs(phi[r]) / (size > 0 ? size : 1);
        if (!(off <= *most)) *most = off, *which = r;
    }
    return LG_OK;
}

/* g <- g exp(-J^-1 d phi^T C^-1 phi) until phi = 0. */
static lg_status start_project_holonomic(lg_integrator *it, lg_node *b)
{
    const lg_plan *P = &it->plan;
    lg_workspace *w = it->workspace;
    double most = INFINITY, last;
    initial o = start_initial(w);
    double *phi = o.residual, *shift = o.shift;
    int which = 0;
    for (int i = 0; i < 50; i++) {
        last = most;
        lg_status st = start_holonomic_residual(it, b, phi, &most, &which);
        if (st != LG_OK) return st;
        if (most <= 1e-16 || (most <= 1e-14 && most >= 0.5 * last)) return LG_OK;
        if ((st = start_solve_rows(it, b, phi, P->holonomic)) != LG_OK) return st;
        for (int j = 0; j < P->n; j++) {
            shift[j] = 0;
            for (int r = 0; r < P->holonomic; r++) shift[j] -= o.rows[r * P->n + j] * phi[r];
        }
        if (lg_field_move(&it->field, it->field.moved, b->g, shift)) break;
        memcpy(b->g, it->field.moved, sz(P->element_size) * sizeof *b->g);
        if ((st = start_evaluate(it, b)) != LG_OK) return st;
    }
    return lg_fail(&it->error, LG_ERROR_CONVERGENCE,
                   "lg_integrator_start: g0 cannot be projected onto phi = 0; holonomic constraint %d stays at %.3g",
                   which + 1, most);
}

static lg_status start_check_holonomic(lg_integrator *it, lg_node *b, int project)
{
    double most, *phi = start_initial(it->workspace).residual;
    int which = 0;
    if (!it->plan.holonomic) return LG_OK;
    lg_status st = start_holonomic_residual(it, b, phi, &most, &which);
    if (st != LG_OK || most <= POSITION_TOLERANCE * 1e-6) return st;
    if (project) return start_project_holonomic(it, b);
    if (most <= POSITION_TOLERANCE) return LG_OK;
    return lg_fail(&it->error, LG_ERROR_INCONSISTENT,
                   "lg_integrator_start: g0 violates holonomic constraint %d: phi = %.6g, expected 0; set "
                   "project = 1 to project it",
                   which + 1, phi[which]);
}

/* Projects again if the first projection left more than round-off, which happens for nearly dependent rows. */
static void start_project_again(const lg_plan *P, const lg_node *b, const initial *o, double *xi)
{
    double *r = o->residual, most = 0, size = lg_norm_max(xi, P->n);
    if (P->drift) size += lg_norm_max(b->drift, P->n);
    for (int a = 0; a < P->m; a++) {
        lg_row_residual(&r[a], P, b, a, xi);
        most = fmax(most, fabs(r[a]) / lg_norm_max(b->rows + a * P->n, P->n));
    }
    if (!(most > 1e-13 * size)) return;
    gram_solve(o->gram, r, P->m);
    for (int i = 0; i < P->n; i++)
        for (int a = 0; a < P->m; a++) xi[i] -= o->rows[a * P->n + i] * r[a];
}

/* xi <- xi - J^-1 A^T C^-1 (A xi - b); an error names a dependent row. */
static lg_status start_make_consistent(lg_integrator *it, const lg_node *b, double *xi, int project, int momentum)
{
    const lg_plan *P = &it->plan;
    int n = P->n, m = P->m;
    initial o = start_initial(it->workspace);
    double *r = o.residual;
    /* A velocity that a step cannot add to the configuration: at rest it is the scale. */
    const double least = DBL_EPSILON * (1 + lg_norm_max(b->g, P->element_size)) / fabs(it->h);
    for (int a = 0; a < m; a++) {
        double s, size = lg_norm_max(xi, n), row = lg_norm_max(b->rows + a * n, n);
        lg_row_residual(&s, P, b, a, xi);
        if (P->drift) size += lg_norm_max(b->drift, n);
        size = size * row + (a < P->holonomic && P->affine ? fabs(b->right_side[a]) : 0);
        r[a] = s;
        if (project || fabs(s) <= fmax(VELOCITY_TOLERANCE * size, least * row)) continue;
        if (momentum)
            return lg_fail(&it->error, LG_ERROR_INCONSISTENT,
                           "lg_integrator_start_momentum: p0 violates %s %d: A J^-1 p0 - b = %.6g, expected 0; '%s' "
                           "starts from a momentum that satisfies the constraints",
                           a < P->holonomic ? "the rate of holonomic constraint" : "constraint",
                           a < P->holonomic ? a + 1 : a - P->holonomic + 1, s, P->method.name);
        if (a < P->holonomic)
            return lg_fail(&it->error, LG_ERROR_INCONSISTENT,
                           "lg_integrator_start: xi0 violates the rate of holonomic constraint %d: d phi xi0 + phi_t = "
                           "%.6g, expected 0; set project = 1 to project it",
                           a + 1, s);
        return lg_fail(&it->error, LG_ERROR_INCONSISTENT,
                       "lg_integrator_start: xi0 violates constraint %d: A (xi0 - Y) = %.6g, expected 0; set "
                       "project = 1 to project it",
                       a - P->holonomic + 1, s);
    }
    if (!m) return LG_OK;
    lg_status st = start_solve_rows(it, b, r, m);
    for (int i = 0; st == LG_OK && project && i < n; i++)
        for (int a = 0; a < m; a++) xi[i] -= o.rows[a * n + i] * r[a];
    if (st == LG_OK && project) start_project_again(P, b, &o, xi);
    return st;
}

/* ---- the public starts ---- */

/* The value of lg_integrator_step_work() before the first step. */
static double start_no_work(const lg_plan *P)
{
    return P->accounts_work ? 0 : NAN;
}

void lg_integrator_set_first(lg_integrator *it)
{
    const lg_node *b = it->workspace->now;
    const int n = it->plan.n;
    const double *part[4] = {b->p_plus, b->p_minus, b->p_tilde, b->xi};
    it->t0 = b->t;
    memcpy(it->first_g, b->g, (size_t)it->plan.element_size * sizeof *b->g);
    for (int k = 0; k < 4; k++) memcpy(it->first + k * n, part[k], (size_t)n * sizeof(double));
    for (int a = 0; a < it->plan.m; a++) lg_first_lambda(it)[a] = b->lambda[a];
}

/* Makes the new node the state, and the one to which reset returns. */
/* The next node becomes the present one. */
static void start_exchange(lg_integrator *it)
{
    lg_workspace *w = it->workspace;
    lg_node *b = w->next;
    memset(b->xi, 0, (size_t)it->plan.n * sizeof *b->xi);
    lg_compensated_begin(&it->plan, b);
    b->iterations = 0;
    b->work = start_no_work(&it->plan);
    w->next = w->now, w->now = b;
    lg_history_clear(w);
}

static lg_status start_accept(lg_integrator *it, double t0)
{
    start_exchange(it);
    it->base_t = t0, it->step = it->base_step = 0, it->started = 1, it->moves++;
    lg_integrator_set_first(it);
    lg_error_clear(&it->error);
    return LG_OK;
}

static lg_status start_begin(lg_integrator *it, double t0, const double *g0, const double *vector)
{
    if (!g0 || !vector)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_start: g0 or the initial velocity (momentum) is NULL");
    if (!lg_all_finite(vector, it->plan.n))
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE,
                       "lg_integrator_start: the initial velocity (momentum) is not finite");
    lg_compensated_begin(&it->plan, it->workspace->next);
    return start_place(it, it->workspace->next, t0, g0);
}

static lg_status start_check_finite(lg_integrator *it, const lg_node *b)
{
    int n = it->plan.n;
    int code;
    const char *callback = lg_probe(it, b, &code);
    if (code) {
        lg_workspace_fail_callback(it->workspace, code);
        return start_explain(it);
    }
    if (callback)
        return lg_fail(&it->error, LG_ERROR_NOT_FINITE, "lg_integrator_start: callback %s is not finite at g0",
                       callback);
    if (lg_all_finite(b->p_minus, n) && lg_all_finite(b->p_plus, n) && lg_all_finite(b->p_tilde, n)) return LG_OK;
    lg_workspace_fail(it->workspace, LG_ERROR_NOT_FINITE, "the initial momentum", 0, 0, 0);
    return start_explain(it);
}

static lg_status start_velocity(lg_integrator *it, double t0, const double *g0, const double *xi0, lg_start start,
                                int project)
{
    lg_status st = start_begin(it, t0, g0, xi0);
    if (st != LG_OK) return st;
    if (start != LG_START_REACTION && start != LG_START_LEGENDRE && start != LG_START_PAPER)
        return lg_fail(&it->error, LG_ERROR_ARGUMENT,
                       "lg_integrator_start: unknown start %d; expected LG_START_REACTION, _LEGENDRE or _PAPER",
                       (int)start);
    lg_workspace *w = it->workspace;
    lg_node *b = w->next;
    if ((st = start_check_holonomic(it, b, project)) != LG_OK) return st;
    memcpy(b->xi, xi0, sz(it->plan.n) * sizeof *xi0);
    if ((st = start_make_consistent(it, b, b->xi, project, 0)) != LG_OK) return st;
    lg_lower(&it->plan, b->p_tilde, b, b->xi);
    if (lg_continuous_multipliers(w, b, b->xi, NULL)) return start_explain(it);
    if (it->plan.method.rule->begin(w, it->h * lg_plan_stage(&it->plan, 0), b, (int)start)) return start_explain(it);
    st = start_check_finite(it, b);
    return st == LG_OK ? start_accept(it, t0) : st;
}

/* Callbacks may not start or reset the integrator that calls them. */
static lg_status start_enter(lg_integrator *it, const char *function)
{
    if (!it) return LG_ERROR_ARGUMENT;
    if (!it->made) return it->error.status == LG_OK ? LG_ERROR_ARGUMENT : it->error.status;
    return lg_integrator_enter(it, function);
}

lg_status lg_integrator_start(lg_integrator *it, double t0, const double *g0, const double *xi0, lg_start start,
                              int project)
{
    const lg_status st = start_enter(it, "lg_integrator_start");
    return st == LG_OK ? lg_integrator_leave(it, start_velocity(it, t0, g0, xi0, start, project)) : st;
}

/* The next node <- this state. */
static lg_status start_momentum_node(lg_integrator *it, double t0, const double *g0, const double *p0, int project)
{
    lg_status st = start_begin(it, t0, g0, p0);
    if (st != LG_OK) return st;
    lg_workspace *w = it->workspace;
    lg_node *b = w->next;
    const lg_rule *rule = it->plan.method.rule;
    double h = it->h * lg_plan_stage(&it->plan, 0);
    const size_t bytes = sz(it->plan.n) * sizeof *p0;
    if ((st = start_check_holonomic(it, b, 0)) != LG_OK) return st;
    memset(b->lambda, 0, sz(it->plan.m) * sizeof *b->lambda);
    memcpy(b->p_minus, p0, bytes), memcpy(b->p_plus, p0, bytes), memcpy(b->p_tilde, p0, bytes);
    if (rule->state == LG_STATE_P_TILDE) {
        lg_raise(&it->plan, b->xi, b, p0);
        if ((st = start_make_consistent(it, b, b->xi, project, 1)) != LG_OK) return st;
        if (project && it->plan.m) {
            lg_lower(&it->plan, b->p_tilde, b, b->xi);
            memcpy(b->p_minus, b->p_tilde, bytes), memcpy(b->p_plus, b->p_tilde, bytes);
        }
    }
    if (rule->begin_momentum && rule->begin_momentum(w, h, b)) return start_explain(it);
    return start_check_finite(it, b);
}

static lg_status start_momentum(lg_integrator *it, double t0, const double *g0, const double *p0, int project)
{
    const lg_status st = start_momentum_node(it, t0, g0, p0, project);
    return st == LG_OK ? start_accept(it, t0) : st;
}

lg_status lg_integrator_start_momentum(lg_integrator *it, double t0, const double *g0, const double *p0)
{
    const lg_status st = start_enter(it, "lg_integrator_start_momentum");
    return st == LG_OK ? lg_integrator_leave(it, start_momentum(it, t0, g0, p0, 0)) : st;
}

lg_status lg_integrator_place(lg_integrator *it, double h, double t0, const double *g0, const double *p0,
                              const double *u)
{
    const lg_status st = start_enter(it, "lg_integrator_place");
    if (st != LG_OK) return st;
    it->h = h, it->started = 0;
    lg_integrator_put_controls(it, u);
    return lg_integrator_leave(it, start_momentum(it, t0, g0, p0, 1));
}

lg_status lg_integrator_obey(lg_integrator *it, const double *u)
{
    lg_workspace *w = it->workspace;
    const size_t bytes = (size_t)it->S.callbacks.control_count * sizeof *u;
    const real work = w->now->work;
    double *before = it->report;
    memcpy(before, it->control, bytes), memcpy(it->control, u, bytes);
    const lg_status st = start_momentum_node(it, w->now->t, w->now->g, w->now->p_tilde, 1);
    if (st != LG_OK) {
        memcpy(it->control, before, bytes);
        return st;
    }
    start_exchange(it);
    w->now->work = work;
    return LG_OK;
}

const double *lg_integrator_carried(const lg_integrator *it)
{
    return it->plan.method.rule->depart(it->workspace, it->h, it->workspace->now);
}

void lg_copy_node(const lg_plan *P, lg_node *to, const lg_node *from)
{
    size_t n = sz(P->n) * sizeof(double);
    to->t = from->t, to->iterations = from->iterations, to->work = from->work;
    memcpy(to->g, from->g, sz(P->element_size) * sizeof(double));
    memcpy(to->p_plus, from->p_plus, n), memcpy(to->p_minus, from->p_minus, n), memcpy(to->p_tilde, from->p_tilde, n),
        memcpy(to->xi, from->xi, n);
    if (P->m) memcpy(to->lambda, from->lambda, sz(P->m) * sizeof(double));
    if (from->carry && to->carry) memcpy(to->carry, from->carry, sz(P->element_size + P->n) * sizeof(double));
    to->kept = from->kept;
    if (from->balance && to->balance) memcpy(to->balance, from->balance, LG_BALANCE_ENTRIES * sizeof(double));
}

lg_status lg_integrator_reset(lg_integrator *it)
{
    lg_status st = lg_not_ready(it, "lg_integrator_reset");
    if (st == LG_OK) st = lg_integrator_enter(it, "lg_integrator_reset");
    if (st != LG_OK) return st;
    lg_workspace *w = it->workspace;
    lg_node *b = w->next;
    int n = it->plan.n;
    double *part[4] = {b->p_plus, b->p_minus, b->p_tilde, b->xi};
    b->t = it->t0, b->iterations = 0, b->work = start_no_work(&it->plan);
    w->destination = b;
    memcpy(b->g, it->first_g, (size_t)it->plan.element_size * sizeof *b->g);
    for (int k = 0; k < 4; k++) memcpy(part[k], it->first + k * n, (size_t)n * sizeof(double));
    for (int a = 0; a < it->plan.m; a++) b->lambda[a] = lg_first_lambda(it)[a];
    b->kept = NAN;
    lg_compensated_begin(&it->plan, b);
    if (lg_node_evaluate(w, b)) return lg_integrator_leave(it, lg_explain(it, "lg_integrator_reset", &it->error));
    w->next = w->now, w->now = b;
    lg_history_clear(w);
    it->base_t = it->t0, it->step = it->base_step = 0, it->moves++;
    lg_error_clear(&it->error);
    return lg_integrator_leave(it, LG_OK);
}
