/* SPDX-License-Identifier: BSD-3-Clause */
/* [P2] sections 5 and 6: orders of the nonholonomic Euler methods and of RATTLE, with affine constraints too, and the
 * papers' recursions (13), (14), (15) compared with the library's steps. */
#include "claims/ferraro2015/paper_nodes.h"

/* Orders ---------------------------------------------------------------------------------------------------------- */

/* Where the run ends, with what steps it is cut, and what is round-off there. */
typedef struct race {
    double T, floor;
    int count, levels;
    claim_state truth;
} race;

static int begin_race(claim_report *r, const claim_system *s, race *o)
{
    double error;
    o->T = 10 * s->h;
    o->count = 20;
    o->levels = r->full ? 7 : 5;
    if (!claim_truth(r, s, o->T, 20, &o->truth, &error)) return 0;
    o->floor = fmax(1e-12 * fmax(1, paper_largest(o->truth.p, s->n)), 10 * error);
    return 1;
}

static void orders(claim_report *r, const claim_system *s, const race *o, const char *method, lg_start start,
                   double low, double high, const char *why)
{
    static const char *const names[] = {"start reaction", "start legendre", "start paper"};
    claim_order x;
    for (int i = 0; claim_retraction(i) != NULL; i++)
        if (claim_measure_order(r, s, method, claim_retraction(i), start, o->T, o->count, o->levels, &o->truth,
                                o->floor, &x))
            paper_order(r, &x, o->floor, low, high, why, names[start]);
}

/* An order that the claim's own band must reject; where every start is exact there is nothing to measure. */
static void other_order(claim_report *r, const claim_system *s, const race *o, const char *method, lg_start start,
                        double high, const char *why)
{
    claim_order x;
    if (!claim_measure_order(r, s, method, "exp", start, o->T, o->count, o->levels, &o->truth, o->floor, &x)) return;
    if (isnan(paper_least_order(&x)))
        claim_skip(r, "distance of the order");
    else
        claim_control(r, fabs(paper_least_order(&x) - high), 0.1, why, "distance of the order from %g", high);
}

/* The papers' recursions ------------------------------------------------------------------------------------------ */

/* p_{k+1/2} = p~ - (h/2)(V_q + mu^T lambda~), q' = q + h M^-1 p_{k+1/2}, p~' = p_{k+1/2} - (h/2)(V_q' + mu'^T lambda~')
 * with mu' (M^-1 (p~' + (w0 - 1/2) h V_q') - Y') = 0: (13) for w0 = 1, (14) for w0 = 0, (15) for w0 = 1/2, and with
 * Y their affine extensions. */
static int paper_step(const claim_system *s, double w0, double h, paper_node *x)
{
    double half[CLAIM_DIM], v[CLAIM_DIM], dV[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], move[CLAIM_ELEMENT];
    claim_metric(s, 0, x->g, J);
    paper_momentum(s, x, h, -0.5, -1, half);
    if (!claim_solve(s->n, J, half, v)) return 0;
    for (int i = 0; i < s->n; i++) v[i] *= h;
    if (lg_group_exp(s->G, move, v) != LG_OK || lg_group_compose(s->G, x->g, x->g, move) != LG_OK) return 0;
    claim_gradient(s, 0, x->g, dV);
    for (int i = 0; i < s->n; i++) v[i] = half[i] + (w0 - 1) * h * dV[i];
    if (!paper_multipliers(s, x->g, v, x->lambda)) return 0;
    for (int a = 0; a < s->m; a++) x->lambda[a] *= 2 / h;
    memcpy(x->p, half, sizeof half);
    paper_momentum(s, x, h, -0.5, -1, half);
    memcpy(x->p, half, sizeof half);
    return 1;
}

/* p~_0 for the velocity xi_0 and an arbitrary lambda~_0, which the methods leave free. */
static lg_status start_nodes(const claim_system *s, double w0, lg_integrator *it, paper_node *x, lg_rng *rng)
{
    const double h = lg_integrator_step_size(it);
    double dV[CLAIM_DIM], minus[CLAIM_DIM];
    memcpy(x->g, s->g0, sizeof s->g0);
    claim_gradient(s, 0, s->g0, dV);
    paper_lower(s, s->g0, s->xi0, x->p);
    for (int i = 0; i < s->n; i++) x->p[i] -= (w0 - 0.5) * h * dV[i];
    for (int a = 0; a < s->m; a++) x->lambda[a] = lg_rng_normal(rng);
    paper_momentum(s, x, h, w0 - 0.5, -1, minus);
    return lg_integrator_start_momentum(it, 0, s->g0, minus);
}

/* The distance of a node of the recursion from the library's, momenta relative. */
static double apart(const claim_system *s, const paper_node *x, const paper_node *y)
{
    const double scale = fmax(1, paper_largest(x->p, s->n)), p = claim_gap(x->p, y->p, s->n) / scale;
    const double lambda = s->h * claim_gap(x->lambda, y->lambda, s->m) / scale;
    return paper_larger(claim_distance(s->G, x->g, y->g), paper_larger(p, lambda));
}

/* Largest deviation of the recursion with w0 from the library's method over `steps` steps. */
static double deviation(claim_report *r, const claim_system *s, double method, double w0, int steps)
{
    lg_integrator *it = NULL;
    lg_rng rng = {21};
    paper_node x, y;
    double most = 0;
    lg_status status = lg_integrator_create(&it, s->S, paper_method(method), "exp", s->h);
    if (status == LG_OK) status = start_nodes(s, w0, it, &x, &rng);
    claim_case(r, s->name, paper_method(method), "exp");
    if (!claim_ok(r, status, "start", lg_integrator_message(it))) steps = 0, most = NAN;
    for (int k = 0; k < steps; k++) {
        double far = NAN;
        if (claim_steps(r, it, 1) && paper_step(s, w0, s->h, &x)) {
            paper_read(s, w0, it, &y);
            far = apart(s, &x, &y);
        }
        most = paper_larger(most, far);
        if (isnan(most)) break;
    }
    lg_integrator_destroy(it);
    return most;
}

/* The scope of (13) to (15): R^n and T^n with a constant metric, only a potential and rows. */
static int paper_form(const claim_system *s)
{
    return (s->traits & CLAIM_ABELIAN) != 0 && (s->traits & PAPER_WITHOUT) == 0;
}

static void same_as_paper(claim_report *r, const claim_system *s, double w0, const char *equation)
{
    if (!paper_form(s)) return;
    claim_below(r, deviation(r, s, w0, w0, 50), 5e-13, "round-off: 50 steps of a few 1e-15, grown by the motion",
                "deviation from %s, arbitrary lambda~_0, 50 steps", equation);
    if (paper_has_slopes(s) && w0 != 0.5)
        claim_control(r, deviation(r, s, w0, 1 - w0, 50), 1e-6, "the other method's constraint, (13e) for (14e)",
                      "deviation from the other recursion");
}

/* euler-orders ---------------------------------------------------------------------------------------------------- */

static void euler_orders_of(claim_report *r, const claim_system *s, void *context)
{
    static const char *const equation[2] = {"(13)", "(14)"};
    const int slopes = paper_has_slopes(s);
    race o;
    (void)context;
    if (!begin_race(r, s, &o)) return;
    for (int k = 0; k < 2; k++) {
        if (slopes)
            orders(r, s, &o, paper_method(1 - k), LG_START_REACTION, 0.85, 1.15,
                   "theorem 5.2: 1, and 0.88 to 1.09 at finite steps");
        else
            orders(r, s, &o, paper_method(1 - k), LG_START_REACTION, 1.95, 2.05, "without slopes of L_d it is RATTLE");
        same_as_paper(r, s, 1 - k, equation[k]);
    }
    if (slopes) other_order(r, s, &o, "gni:trapezoidal", LG_START_REACTION, 1, "RATTLE is of order 2, not 1");
}

static void euler_orders(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, euler_orders_of, NULL);
}

/* rattle-order ---------------------------------------------------------------------------------------------------- */

static void rattle_order_of(claim_report *r, const claim_system *s, void *context)
{
    static const char why[] = "[P0], second order; theory 2, seen 1.97 to 2.00";
    race o;
    (void)context;
    if (!begin_race(r, s, &o)) return;
    orders(r, s, &o, "gni:trapezoidal", LG_START_REACTION, 1.95, 2.05, why);
    orders(r, s, &o, "gni:trapezoidal", LG_START_LEGENDRE, 1.95, 2.05, why);
    same_as_paper(r, s, 0.5, "(15)");
    if (!paper_has_slopes(s)) return;
    for (int k = 0; k < 2; k++) other_order(r, s, &o, paper_method(1 - k), LG_START_REACTION, 2, "Euler is of order 1");
}

static void rattle_order(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, rattle_order_of, NULL);
}

/* affine-order ---------------------------------------------------------------------------------------------------- */

/* |A J^-1 p~ - A Y|, relative to the velocities of p~ and of p+, of which it is a part. */
static double row_residual(const claim_system *s, double t, const double *g, const double *p, const double *plus)
{
    double J[CLAIM_DIM * CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], v[CLAIM_DIM], w[CLAIM_DIM], most = 0;
    claim_metric(s, t, g, J);
    claim_rows(s, t, g, A, b);
    if (!claim_solve(s->n, J, p, v) || !claim_solve(s->n, J, plus, w)) return NAN;
    for (int a = 0; a < s->m; a++) {
        double sum = -b[a];
        for (int i = 0; i < s->n; i++) sum += A[a * s->n + i] * v[i];
        most = paper_larger(most, fabs(sum) / fmax(1, paper_largest(A + a * s->n, s->n)));
    }
    return isnan(v[0]) ? NAN : most / fmax(1, fmax(paper_largest(v, s->n), paper_largest(w, s->n)));
}

/* p- = (P - Q)* p+ - 2 Q* Pi, with the sign in (38b) as printed, and the mean of both. */
static int printed_sign(const claim_system *s, const lg_integrator *it, double *minus, double *mean)
{
    const double *plus = lg_integrator_momentum_plus(it);
    double P[CLAIM_DIM * CLAIM_DIM], Q[CLAIM_DIM * CLAIM_DIM], Pi[CLAIM_DIM];
    if (lg_system_projectors(s->S, P, Q, Pi, lg_integrator_time(it), lg_integrator_configuration(it), NULL) != LG_OK)
        return 0;
    for (int i = 0; i < s->n; i++) {
        minus[i] = 0;
        for (int j = 0; j < s->n; j++)
            minus[i] += (P[i * s->n + j] - Q[i * s->n + j]) * plus[j] - 2 * Q[i * s->n + j] * Pi[j];
        mean[i] = (plus[i] + minus[i]) / 2;
    }
    return 1;
}

/* Largest residual of the rows at p~ over `steps` steps, `printed`: with that sign. */
static double rows_along(claim_report *r, const claim_system *s, const char *retraction, int steps, int printed)
{
    lg_integrator *it = claim_start(r, s, "gni:trapezoidal", retraction, s->h, LG_START_REACTION);
    double minus[CLAIM_DIM], mean[CLAIM_DIM], g[CLAIM_ELEMENT], most = it != NULL ? 0 : NAN;
    for (int k = 0; it != NULL && k < steps; k++) {
        double off = NAN;
        if (claim_steps(r, it, 1) && (!printed || printed_sign(s, it, minus, mean))) {
            const double t = lg_integrator_time(it);
            memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
            off = row_residual(s, t, g, printed ? mean : lg_integrator_momentum(it), lg_integrator_momentum_plus(it));
            if (printed && lg_integrator_start_momentum(it, t, g, minus) != LG_OK) off = NAN;
        }
        most = paper_larger(most, off);
        if (isnan(most)) break;
    }
    lg_integrator_destroy(it);
    return most;
}

static void affine_order_of(claim_report *r, const claim_system *s, void *context)
{
    const int steps = r->full ? 100000 : 1000;
    race o;
    (void)context;
    if (!begin_race(r, s, &o)) return;
    orders(r, s, &o, "gni:trapezoidal", LG_START_REACTION, 1.95, 2.05, "theory 2, seen 1.97 to 2.00");
    orders(r, s, &o, "gni:trapezoidal", LG_START_LEGENDRE, 1.95, 2.05, "theory 2, seen 1.97 to 2.00");
    same_as_paper(r, s, 0.5, "the affine (15)");
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        claim_below(r, rows_along(r, s, claim_retraction(i), steps, 0), 5e-15, "round-off of one solve",
                    "A J^-1 (p~ - Pi), %d steps", steps);
        claim_control(r, rows_along(r, s, claim_retraction(i), 20, 1), 1e-3, "the sign in (38b) as printed",
                      "A J^-1 (p~ - Pi), 20 steps");
    }
}

static void affine_order(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS | CLAIM_DRIFT, 0, affine_order_of, NULL);
}

const claim claims_euler[] = {
    {"euler-orders",
     "The nonholonomic Euler methods A and B converge with order 1 on every system whose Lagrangian has slopes, with "
     "exp and with Cayley; on R^n they are the recursions (13) and (14).",
     "[P2] theorem 5.2, (13), (14)", 0.1, euler_orders},
    {"rattle-order",
     "Nonholonomic RATTLE, the GNI of the trapezoidal discrete Lagrangian, converges with order 2 in g and p~ on every "
     "system, with exp and with Cayley, from p-_0 with and without the reaction; on R^n it is the recursion (15).",
     "[P2] remark 5.1, (15); [P0]", 0.1, rattle_order},
    {"affine-order",
     "RATTLE with affine constraints converges with order 2, and p~ satisfies A J^-1 (p~ - Pi) = 0 to round-off; with "
     "the sign in (38b) as printed it does not.",
     "[P2] (28), (38)", 0.1, affine_order},
    {0},
};
