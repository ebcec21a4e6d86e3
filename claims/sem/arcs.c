/* SPDX-License-Identifier: BSD-3-Clause */
/* The arc of a step of sem. */
#include "claims/sem/arcs.h"

int claim_resolved(const claim_system *s, const lg_integrator *it)
{
    const double *xi = lg_integrator_step_velocity(it), h = lg_integrator_step_size(it);
    for (int f = 0, at = 0; f < lg_group_factor_count(s->G); f++) {
        const lg_group *G = lg_group_factor(s->G, f);
        for (int i = at; i < at + lg_group_dim(G) && !G->abelian; i++)
            if (!(fabs(h * xi[i]) <= 1)) return 0;
        at += lg_group_dim(G);
    }
    return 1;
}

double claim_rounding(double walk, double roundings, int64_t steps)
{
    return walk * sqrt((double)steps) + roundings * 0x1p-52 * (double)steps;
}

double claim_worse(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

int claim_differs(const claim_system *s, int retraction)
{
    return retraction == 0 || !(s->traits & CLAIM_ABELIAN);
}

double claim_gauss(int nodes, int i, double *weight)
{
    /* Positive nodes on [-1, 1] and their weights, from the outermost. */
    static const double node[4][2] = {
        {0}, {0.57735026918962576}, {0.77459666924148338, 0}, {0.86113631159405258, 0.33998104358485626}};
    static const double share[4][2] = {{2}, {1}, {5.0 / 9, 8.0 / 9}, {0.34785484513745386, 0.65214515486254614}};
    const int mirror = nodes - 1 - i, k = i < mirror ? i : mirror;
    const double x = node[nodes - 1][k];
    *weight = share[nodes - 1][k] / 2;
    return i < mirror ? (1 - x) / 2 : (1 + x) / 2;
}

/* k of every factor: y is parallel to x there. */
static void scales(claim_arc *a, const double *x)
{
    const lg_group *G = a->s->G;
    for (int f = 0, at = 0; f < lg_group_factor_count(G); f++) {
        const int n = lg_group_dim(lg_group_factor(G, f));
        double xy = 0, xx = 0;
        for (int i = at; i < at + n; i++) xy += x[i] * a->y[i], xx += x[i] * x[i];
        for (int i = at; i < at + n; i++) a->k[i] = xx > 0 ? xy / xx : 1;
        at += n;
    }
}

static void apply(int n, const double *J, const double *v, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int j = 0; j < n; j++) out[i] += J[i * n + j] * v[j];
    }
}

int claim_arc_step(claim_report *r, const claim_system *s, lg_integrator *it, claim_arc *a)
{
    const double *xi, *g1;
    double J[CLAIM_DIM * CLAIM_DIM], x[CLAIM_DIM], g[CLAIM_ELEMENT];
    a->s = s;
    a->t = lg_integrator_time(it);
    a->h = lg_integrator_step_size(it);
    memcpy(a->g, lg_integrator_configuration(it), (size_t)s->size * sizeof *a->g);
    if (!claim_steps(r, it, 1)) return 0;
    xi = lg_integrator_step_velocity(it);
    g1 = lg_integrator_configuration(it);
    if (!claim_ok(r, lg_group_inverse(s->G, g, a->g), "inverse", NULL)) return 0;
    if (!claim_ok(r, lg_group_compose(s->G, g, g, g1), "compose", NULL)) return 0;
    if (!claim_ok(r, lg_group_log(s->G, a->y, g), "log", NULL)) return 0;
    for (int i = 0; i < s->n; i++) x[i] = a->h * xi[i];
    scales(a, x);
    memcpy(a->p_plus, lg_integrator_momentum_plus(it), (size_t)s->n * sizeof *a->p_plus);
    claim_metric(s, lg_integrator_time(it), g1, J);
    if (!claim_solve(s->n, J, a->p_plus, a->arriving)) return 0;
    for (int i = 0; i < s->n; i++) a->leaving[i] = 2 * xi[i] - a->arriving[i];
    claim_metric(s, a->t, a->g, J);
    apply(s->n, J, a->leaving, a->p_minus);
    return 1;
}

int claim_arc_point(const claim_arc *a, double c, double *out)
{
    double y[CLAIM_DIM];
    for (int i = 0; i < a->s->n; i++) y[i] = c * a->y[i];
    return lg_group_exp(a->s->G, out, y) == LG_OK && lg_group_compose(a->s->G, out, a->g, out) == LG_OK;
}

/* V at point c of the arc, at its time. */
static double potential(const claim_arc *a, double c)
{
    const lg_call call = claim_call(a->s, (double[]){a->t + c * a->h});
    double g[CLAIM_ELEMENT], V = 0;
    if (!claim_arc_point(a, c, g)) return NAN;
    return a->s->S->callbacks.potential == NULL || a->s->S->callbacks.potential(&call, g, &V) == 0 ? V : (double)NAN;
}

/* v^-.J v^+/2 at g exp(c y) exp(s eta); 0 where the metric is constant. */
static double kinetic(const claim_arc *a, double c, const double *eta, double s)
{
    const claim_system *S = a->s;
    double g[CLAIM_ELEMENT], moved[CLAIM_ELEMENT], step[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], p[CLAIM_DIM], sum = 0;
    if (!(S->traits & CLAIM_METRIC)) return 0;
    for (int i = 0; i < S->n; i++) step[i] = s * eta[i];
    if (!claim_arc_point(a, c, g) || lg_group_exp(S->G, moved, step) != LG_OK) return NAN;
    if (lg_group_compose(S->G, g, g, moved) != LG_OK) return NAN;
    claim_metric(S, a->t + c * a->h, g, J);
    apply(S->n, J, a->arriving, p);
    for (int i = 0; i < S->n; i++) sum += 0.5 * a->leaving[i] * p[i];
    return sum;
}

double claim_arc_slope(const claim_arc *a, double c, const double *eta)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
    double size = 0, e, sum = 0, g[CLAIM_ELEMENT], dV[CLAIM_DIM];
    for (int i = 0; i < a->s->n; i++) size = fmax(size, fabs(eta[i]));
    if (size == 0) return 0;
    if (a->s->traits & CLAIM_POTENTIAL) {
        if (!claim_arc_point(a, c, g)) return NAN;
        claim_gradient(a->s, a->t + c * a->h, g, dV);
        for (int i = 0; i < a->s->n; i++) sum += dV[i] * eta[i];
    }
    e = 0.01 / size; /* truncation (0.01)^6/140 of the scale at which J changes, rounding 1e-16/0.01 */
    for (int j = 1; j <= 3; j++) sum -= weight[j - 1] * (kinetic(a, c, eta, j * e) - kinetic(a, c, eta, -j * e)) / e;
    return sum;
}

double claim_arc_defect(const claim_arc *a, int nodes)
{
    double sum = potential(a, 1) - potential(a, 0) - kinetic(a, 1, a->y, 0) + kinetic(a, 0, a->y, 0);
    if (!(a->s->traits & (CLAIM_POTENTIAL | CLAIM_METRIC))) return 0;
    for (int i = 0; i < nodes; i++) {
        double weight;
        const double c = claim_gauss(nodes, i, &weight);
        sum -= weight * claim_arc_slope(a, c, a->y);
    }
    return sum;
}
