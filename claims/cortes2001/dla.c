/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1]: the discrete Lagrange-d'Alembert integrators (DLA): their orders and the two-form. */
#include "claims/cortes2001/dla.h"

#include <stdlib.h>

const claim_dla_rule *claim_dla_case(int i, const char **retraction)
{
    static const claim_dla_rule rules[CLAIM_DLA_RULES] = {{"dla:midpoint", 1, 0},
                                                          {"dla:trapezoidal", 1, 0},
                                                          {"dla:symmetric-alpha=0.2", 1, 0},
                                                          {"dla:midleft", 0, 0},
                                                          {"dla:alpha=0.3", 0, 1}};
    *retraction = claim_retraction(i % CLAIM_DLA_TAUS);
    return &rules[i / CLAIM_DLA_TAUS];
}

int claim_near(const claim_system *s, lg_rng *rng, double size, double *t, double *g)
{
    double eta[CLAIM_DIM];
    for (int i = 0; i < s->n; i++) eta[i] = lg_rng_normal(rng);
    *t = s->traits & CLAIM_TIME ? 2 * lg_rng_uniform(rng) : 0;
    return claim_shift(s->G, g, s->g0, eta, size);
}

int claim_shift(const lg_group *G, double *out, const double *g, const double *eta, double by)
{
    double scaled[CLAIM_DIM], step[CLAIM_ELEMENT];
    for (int i = 0; i < lg_group_dim(G); i++) scaled[i] = by * eta[i];
    return lg_group_exp(G, step, scaled) == LG_OK && lg_group_compose(G, out, g, step) == LG_OK;
}

double claim_larger(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

double claim_dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Order ------------------------------------------------------------------------------------------------------------ */

/* Does A xi - b, at fixed xi, change along the arcs g exp(s xi)? If not, all points of an arc give the same
 * constraint. */
static int rows_notice_place(const claim_system *s)
{
    const int from = s->S->callbacks.holonomic_count;
    double most = 0;
    lg_rng rng = {21};
    for (int k = 0; k < 5; k++) {
        double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], g[CLAIM_ELEMENT], xi[CLAIM_DIM], t, before[CLAIM_ROWS];
        if (!claim_near(s, &rng, 0.3, &t, g)) return 1;
        for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(&rng);
        claim_rows(s, t, g, A, b);
        for (int i = from; i < s->m; i++) before[i] = claim_dot(s->n, A + i * s->n, xi) - b[i];
        if (!claim_shift(s->G, g, g, xi, 0.4)) return 1;
        claim_rows(s, t + 0.4, g, A, b);
        for (int i = from; i < s->m; i++)
            most = claim_larger(most, fabs(claim_dot(s->n, A + i * s->n, xi) - b[i] - before[i]));
    }
    return most > 1e-10;
}

/* The order of one quantity; it is undefined where errors are at the level of the reference's own. */
static void order_is_two(claim_report *r, double order, double error, double floor, const char *of)
{
    if (isnan(order))
        claim_below(r, error, 10 * fmax(1, r->slack) * floor, "exact: no error to fit", "error of %s", of);
    else
        claim_order_between(r, order, 1.95, 2.05, "a symmetric rule has an even order; steps h/2 to h/16",
                            "order of %s", of);
}

/* The distance of two methods with the same step at time T. 0: refused, or trouble. */
static int apart(claim_report *r, const claim_system *s, const char *const *methods, const char *tau, double T,
                 int count, double *g, double *p)
{
    claim_state end[2];
    for (int i = 0; i < 2; i++) {
        lg_integrator *it = claim_start(r, s, methods[i], tau, T / count, LG_START_REACTION);
        int ok;
        if (it == NULL) return 0;
        ok = claim_steps(r, it, count);
        claim_read(it, &end[i]);
        lg_integrator_destroy(it);
        if (!ok) return 0;
    }
    *g = claim_distance(s->G, end[0].g, end[1].g);
    *p = claim_gap(end[0].p, end[1].p, s->n);
    return 1;
}

/* A one-sided rule has errors O(h), its symmetric partner O(h^2), so the two differ by O(h). */
static void order_is_one(claim_report *r, const claim_system *s, const char *method, const char *tau, double T)
{
    const char *const pair[2] = {"dla:midpoint", method};
    double g[2], p[2], order_g, order_p;
    for (int k = 0; k < 2; k++)
        if (!apart(r, s, pair, tau, T, 128 << k, &g[k], &p[k])) return;
    claim_case(r, s->name, method, tau);
    order_g = log2(g[0] / g[1]), order_p = log2(p[0] / p[1]);
    claim_order_between(r, order_g, 0.95, 1.05, "a one-sided rule; steps h/16, h/32", "order of g - g of dla:midpoint");
    claim_order_between(r, order_p, 0.95, 1.05, "a one-sided rule; steps h/16, h/32",
                        "order of p~ - p~ of dla:midpoint");
    claim_control(r, 2 - order_g, 0.5, "a one-sided rule is not of order 2", "2 - order of g");
}

static void order_of(claim_report *r, const claim_system *s, void *context)
{
    const double T = 8 * s->h;
    const int notice = rows_notice_place(s);
    const int moves = s->traits & (CLAIM_METRIC | CLAIM_POTENTIAL | CLAIM_FORCE | CLAIM_TIME) ? 1 : 0;
    claim_state truth;
    double known = 0;
    (void)context;
    if (!claim_truth(r, s, T, 16, &truth, &known)) return;
    for (int i = 0; i < CLAIM_DLA_CASES; i++) {
        const char *tau;
        const claim_dla_rule *rule = claim_dla_case(i, &tau);
        const double floor = 30 * known + 1e-12;
        claim_order order;
        if (!rule->symmetric && (notice || (rule->moves_L && moves))) {
            order_is_one(r, s, rule->method, tau, T);
            continue;
        }
        if (!claim_measure_order(r, s, rule->method, tau, LG_START_REACTION, T, 16, r->full ? 6 : 4, &truth, floor,
                                 &order))
            continue;
        order_is_two(r, order.g, order.error_g, floor, "g");
        order_is_two(r, order.p, order.error_p, floor, "p~");
    }
}

static void orders(claim_report *r)
{
    claim_each(r, 0, 0, order_of, NULL);
}

/* The two-form ----------------------------------------------------------------------------------------------------- */

/* The derivative of a step at (g, p): what (eta, p) and b = h A(g)^T lambda become. */
typedef struct step_map {
    int n;
    double p0[CLAIM_DIM], p1[CLAIM_DIM], b[CLAIM_DIM];
    double eta[2 * CLAIM_DIM][CLAIM_DIM];      /* row j: d eta_1 along direction j of (eta_0, p_0) */
    double mu[2 * CLAIM_DIM][CLAIM_DIM];       /* d p_1 */
    double reaction[2 * CLAIM_DIM][CLAIM_DIM]; /* d b */
} step_map;

/* d b = h (dA^T lambda + A^T dlambda), dA by differences of order 6. */
static void reaction_map(const claim_system *s, double t, const double *g, double h, const double *lambda,
                         const double *jacobian, int columns, step_map *map)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, e = 1e-3;
    const int n = s->n, from = s->S->callbacks.holonomic_count;
    double A[CLAIM_ROWS * CLAIM_DIM], moved[CLAIM_ELEMENT];
    claim_rows(s, t, g, A, NULL);
    for (int i = from; i < s->m; i++)
        for (int l = 0; l < n; l++) {
            map->b[l] += h * lambda[i - from] * A[i * n + l];
            for (int j = 0; j < 2 * n; j++)
                map->reaction[j][l] += h * jacobian[(2 * n + i) * columns + j] * A[i * n + l];
        }
    for (int j = 0; j < n; j++)
        for (int k = -3; k <= 3; k++) {
            double eta[CLAIM_DIM] = {0};
            if (k == 0) continue;
            eta[j] = 1;
            if (!claim_shift(s->G, moved, g, eta, k * e)) map->b[0] = NAN;
            claim_rows(s, t, moved, A, NULL);
            for (int i = from; i < s->m; i++)
                for (int l = 0; l < n; l++)
                    map->reaction[j][l] +=
                        (k > 0 ? 1 : -1) * weight[abs(k) - 1] / e * h * lambda[i - from] * A[i * n + l];
        }
}

static int map_step(claim_report *r, const claim_system *s, lg_integrator *it, step_map *map)
{
    static const int MOST = 2 * CLAIM_DIM + 32;
    double jacobian[(2 * CLAIM_DIM + CLAIM_ROWS) * (2 * CLAIM_DIM + 32)], g[CLAIM_ELEMENT];
    lg_linearisation *lin = NULL;
    const double t = lg_integrator_time(it);
    const int n = s->n;
    lg_status status = lg_linearisation_create(&lin, it);
    int ok, columns = lg_linearisation_columns(lin);
    memset(map, 0, sizeof *map);
    map->n = n;
    memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
    memcpy(map->p0, lg_integrator_momentum_plus(it), (size_t)n * sizeof *map->p0);
    if (columns > MOST) status = LG_ERROR_UNSUPPORTED;
    if (status == LG_OK) status = lg_linearisation_step(lin, it);
    if (status == LG_OK) status = lg_linearisation_jacobian(lin, jacobian);
    ok = claim_ok(r, status, "derivative of a step", lg_linearisation_message(lin));
    lg_linearisation_destroy(lin);
    if (!ok) return 0;
    memcpy(map->p1, lg_integrator_momentum_plus(it), (size_t)n * sizeof *map->p1);
    for (int j = 0; j < 2 * n; j++)
        for (int i = 0; i < n; i++) {
            map->eta[j][i] = jacobian[i * columns + j];
            map->mu[j][i] = jacobian[(n + i) * columns + j];
        }
    reaction_map(s, t, g, lg_integrator_step_size(it), lg_integrator_multipliers(it), jacobian, columns, map);
    return 1;
}

/* d<p, theta>, theta the Maurer-Cartan form, of (eta, mu) and (zeta, nu). */
static double form(const lg_group *G, const double *p, const double *eta, const double *mu, const double *zeta,
                   const double *nu)
{
    const int n = lg_group_dim(G);
    double bracket[CLAIM_DIM];
    if (lg_group_ad_apply(G, bracket, eta, zeta) != LG_OK) return NAN;
    return claim_dot(n, mu, zeta) - claim_dot(n, nu, eta) - claim_dot(n, p, bracket);
}

/* Directions e_j, row by row, with eta in the kernel of d phi: the part along d phi is removed. */
static void tangent_directions(const claim_system *s, double t, const double *g, double e[2 * CLAIM_DIM][2 * CLAIM_DIM])
{
    const int n = s->n, k = s->S->callbacks.holonomic_count;
    double A[CLAIM_ROWS * CLAIM_DIM], C[CLAIM_ROWS * CLAIM_ROWS], z[CLAIM_ROWS];
    memset(e, 0, sizeof(double[2 * CLAIM_DIM][2 * CLAIM_DIM]));
    for (int j = 0; j < 2 * n; j++) e[j][j] = 1;
    if (k == 0) return;
    claim_rows(s, t, g, A, NULL);
    for (int i = 0; i < k * k; i++) C[i] = claim_dot(n, A + i / k * n, A + i % k * n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < k; i++) z[i] = A[i * n + j];
        if (!claim_solve(k, C, z, z)) e[j][j] = NAN;
        for (int i = 0; i < k; i++)
            for (int l = 0; l < n; l++) e[j][l] -= z[i] * A[i * n + l];
    }
}

/* out = the combination of rows with the weights e. */
static void combine(int n, double rows[2 * CLAIM_DIM][CLAIM_DIM], const double *e, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int l = 0; l < 2 * n; l++) out[i] += e[l] * rows[l][i];
    }
}

/* Largest misfits of after = before + sign x reaction over all pairs of directions, for signs 1, 0 and -1, relative to
 * the largest value of a form. */
typedef struct misfits {
    double right, without, opposite;
} misfits;

static misfits compare_forms(const claim_system *s, step_map *map, double t, const double *g)
{
    const int n = s->n;
    double e[2 * CLAIM_DIM][2 * CLAIM_DIM], eta[2 * CLAIM_DIM][CLAIM_DIM], mu[2 * CLAIM_DIM][CLAIM_DIM];
    double b[2 * CLAIM_DIM][CLAIM_DIM], size = 0;
    misfits most = {0};
    tangent_directions(s, t, g, e);
    for (int j = 0; j < 2 * n; j++) {
        combine(n, map->eta, e[j], eta[j]);
        combine(n, map->mu, e[j], mu[j]);
        combine(n, map->reaction, e[j], b[j]);
        for (int k = 0; k < j; k++) {
            const double after = form(s->G, map->p1, eta[j], mu[j], eta[k], mu[k]);
            const double before = form(s->G, map->p0, e[j], e[j] + n, e[k], e[k] + n);
            const double reaction = form(s->G, map->b, e[j], b[j], e[k], b[k]);
            most.right = claim_larger(most.right, fabs(after - before - reaction));
            most.without = claim_larger(most.without, fabs(after - before));
            most.opposite = claim_larger(most.opposite, fabs(after - before + reaction));
            size = claim_larger(size, claim_larger(fabs(after), fabs(before)));
        }
    }
    most.right /= size, most.without /= size, most.opposite /= size;
    return most;
}

/* A state near the initial data, off the velocity constraints: at a random place or, with holonomic constraints, on the
 * motion; with a random momentum. */
static int start_somewhere(claim_report *r, const claim_system *s, lg_integrator *it, lg_rng *rng)
{
    double g[CLAIM_ELEMENT], p[CLAIM_DIM], t, scale = 0;
    if (s->S->callbacks.holonomic_count > 0) {
        if (!claim_ok(r, lg_integrator_start(it, 0, s->g0, s->xi0, LG_START_REACTION, 0), "start",
                      lg_integrator_message(it)) ||
            !claim_steps(r, it, 1 + (int64_t)(20 * lg_rng_uniform(rng))))
            return 0;
        memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
        t = lg_integrator_time(it);
    } else if (!claim_near(s, rng, 0.2, &t, g)) {
        return 0;
    }
    if (!claim_momentum_of(r, s, t, g, s->xi0, p)) return 0;
    for (int k = 0; k < s->n; k++) scale = claim_larger(scale, fabs(p[k]));
    for (int k = 0; k < s->n; k++) p[k] += 0.2 * scale * lg_rng_normal(rng);
    return claim_ok(r, lg_integrator_start_momentum(it, t, g, p), "start", lg_integrator_message(it));
}

static void two_form_of(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    for (int i = 0; i < CLAIM_DLA_CASES; i++) {
        const char *tau;
        const claim_dla_rule *rule = claim_dla_case(i, &tau);
        lg_integrator *it = claim_start(r, s, rule->method, tau, s->h, LG_START_REACTION);
        lg_rng rng = {(uint64_t)(40 + i)};
        step_map map;
        if (it == NULL) continue;
        for (int k = 0; k < (r->full ? 50 : 2) && start_somewhere(r, s, it, &rng); k++) {
            const double t = lg_integrator_time(it);
            double g[CLAIM_ELEMENT];
            misfits most;
            memcpy(g, lg_integrator_configuration(it), (size_t)s->size * sizeof *g);
            if (!map_step(r, s, it, &map)) break;
            most = compare_forms(s, &map, t, g);
            claim_below(r, most.right, 1e-11, "derivatives of steps by differences of order 8, measured 5e-13",
                        "(22): after - before - d beta");
            if (!(s->traits & CLAIM_VELOCITY_ROWS) || k > 0) continue;
            claim_control(r, most.without, 1e-3, "the two-form itself is not preserved", "after - before");
            claim_control(r, most.opposite, 1e-3, "d beta with the wrong sign", "after - before + d beta");
        }
        lg_integrator_destroy(it);
    }
}

static void two_form(claim_report *r)
{
    claim_each(r, 0, CLAIM_FORCE, two_form_of, NULL);
}

const claim claims_dla[] = {
    {"dla-order",
     "DLA converges with order 2 in g and p~ under symmetric rules (midpoint, trapezoidal, two points) and with order "
     "1 under one-sided ones, on every system with every retraction.",
     "[P1] section 3; [P0] section 5, Example 3", 0.3, orders},
    {"dla-symplectic-form",
     "The flow of DLA changes the discrete two-form by the differential of the reaction, at any point of Q x Q: "
     "Phi*Omega = Omega + d beta; under holonomic constraints too, pulled back to them.",
     "[P1] (22)", 0.3, two_form},
    {0},
};
