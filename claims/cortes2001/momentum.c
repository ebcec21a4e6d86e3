/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1] section 5.2: the effect of DLA on momenta of symmetries. */
#include "claims/cortes2001/dla.h"

#include <stdlib.h>

/* Symmetries: left translations that leave L alone ----------------------------------------------------------------- */

/* A basis of covariant directions e_1 ... e_count in the algebra, as rows. */
typedef struct subspace {
    int count;
    double e[CLAIM_DIM][CLAIM_DIM];
} subspace;

/* The subspace of V where <c, .> = 0. */
static void cut(subspace *V, int n, const double *c)
{
    double value[CLAIM_DIM] = {0};
    int pivot = 0;
    for (int a = 0; a < V->count; a++) {
        value[a] = claim_dot(n, c, V->e[a]);
        if (fabs(value[a]) > fabs(value[pivot])) pivot = a;
    }
    if (V->count == 0 || fabs(value[pivot]) < 1e-7) return;
    for (int a = 0; a < V->count; a++)
        for (int i = 0; i < n && a != pivot; i++) V->e[a][i] -= value[a] / value[pivot] * V->e[pivot][i];
    V->count--;
    for (int i = 0; i < n; i++) V->e[pivot][i] = V->e[V->count][i];
    for (int a = 0; a < V->count; a++) {
        const double size = sqrt(claim_dot(n, V->e[a], V->e[a]));
        for (int i = 0; i < n; i++) V->e[a][i] /= size;
    }
}

/* The covector c in the body becomes one in space: <c, Ad_{g^-1} .>. */
static void cut_body(subspace *V, const claim_system *s, const double *g, const double *c)
{
    double inverse[CLAIM_ELEMENT], space[CLAIM_DIM];
    if (lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_coAd_apply(s->G, space, inverse, c) != LG_OK)
        V->count = 0;
    cut(V, s->n, space);
}

/* Left differentials of all entries of J(g), by differences of order 6. */
static void cut_metric(subspace *V, const claim_system *s, double t, const double *g)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, e = 1e-3;
    double dJ[CLAIM_DIM * CLAIM_DIM][CLAIM_DIM] = {{0}}, J[CLAIM_DIM * CLAIM_DIM], moved[CLAIM_ELEMENT];
    const int n = s->n;
    for (int i = 0; i < n; i++)
        for (int j = -3; j <= 3; j++) {
            double eta[CLAIM_DIM] = {0};
            if (j == 0) continue;
            eta[i] = 1;
            if (!claim_shift(s->G, moved, g, eta, j * e)) V->count = 0;
            claim_metric(s, t, moved, J);
            for (int k = 0; k < n * n; k++) dJ[k][i] += (j > 0 ? 1 : -1) * weight[abs(j) - 1] * J[k] / e;
        }
    for (int k = 0; k < n * n; k++) cut_body(V, s, g, dJ[k]);
}

/* xi with L(exp(s xi) g, .) = L(g, .); with `horizontal` also xi_Q in D everywhere. Holonomic constraints must be
 * invariant too. */
static void symmetries(const claim_system *s, int horizontal, subspace *V)
{
    const int n = s->n, rows = horizontal ? s->m : s->S->callbacks.holonomic_count;
    lg_rng rng = {22};
    memset(V, 0, sizeof *V);
    V->count = n;
    for (int i = 0; i < n; i++) V->e[i][i] = 1;
    for (int k = 0; k < n + 4 && V->count > 0; k++) {
        double g[CLAIM_ELEMENT], t, dV[CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM];
        if (!claim_near(s, &rng, 0.4, &t, g)) V->count = 0;
        claim_gradient(s, t, g, dV);
        cut_body(V, s, g, dV);
        claim_rows(s, t, g, A, NULL);
        for (int i = 0; i < rows; i++) cut_body(V, s, g, A + i * n);
        if (s->traits & CLAIM_METRIC) cut_metric(V, s, t, g);
    }
}

/* The momenta <p, Ad_{g^-1} e_a> of a basis. */
static void momenta(const claim_system *s, const subspace *V, const double *g, const double *p, double *out)
{
    double inverse[CLAIM_ELEMENT], space[CLAIM_DIM];
    if (lg_group_inverse(s->G, inverse, g) != LG_OK || lg_group_coAd_apply(s->G, space, inverse, p) != LG_OK)
        space[0] = NAN;
    for (int a = 0; a < V->count; a++) out[a] = claim_dot(s->n, space, V->e[a]);
}

/* The scale of rounding errors of those momenta: |p| times the largest |Ad_{g^-1} e_a|. */
static double reach(const claim_system *s, const subspace *V, const double *g, const double *p)
{
    double inverse[CLAIM_ELEMENT], body[CLAIM_DIM], most = 0;
    if (lg_group_inverse(s->G, inverse, g) != LG_OK) return NAN;
    for (int a = 0; a < V->count; a++) {
        if (lg_group_Ad_apply(s->G, body, inverse, V->e[a]) != LG_OK) return NAN;
        most = claim_larger(most, sqrt(claim_dot(s->n, body, body) * claim_dot(s->n, p, p)));
    }
    return most;
}

/* The momentum equation -------------------------------------------------------------------------------------------- */

/* Projector (count x count) onto g^q = {xi in V : xi_Q(q) in D}, a smooth section of it in each column. */
static void section(const claim_system *s, const subspace *V, double t, const double *g, double *P)
{
    const int k = V->count, from = s->S->callbacks.holonomic_count;
    double A[CLAIM_ROWS * CLAIM_DIM], B[CLAIM_ROWS][CLAIM_DIM];
    int rank = 0;
    claim_rows(s, t, g, A, NULL);
    for (int i = from; i < s->m; i++) {
        double size;
        momenta(s, V, g, A + i * s->n, B[rank]);
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < rank; j++) {
                const double along = claim_dot(k, B[j], B[rank]);
                for (int a = 0; a < k; a++) B[rank][a] -= along * B[j][a];
            }
        size = sqrt(claim_dot(k, B[rank], B[rank]));
        if (size < 1e-6) continue;
        for (int a = 0; a < k; a++) B[rank][a] /= size;
        rank++;
    }
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            P[a * k + b] = a == b;
            for (int j = 0; j < rank; j++) P[a * k + b] -= B[j][a] * B[j][b];
        }
}

/* The figures of one run. */
typedef struct momentum_run {
    double scale;    /* largest reach() */
    double equation; /* largest J_{k+1}(xi_{k+1}) - J_k(xi_k) - <p_{k+1}, (xi_{k+1} - xi_k)_Q> */
    double change;   /* largest J_{k+1}(xi_{k+1}) - J_k(xi_k) */
    double turn;     /* largest change of xi in a step */
    double impulse;  /* largest <p_{k+1} - p_k, xi_Q> - h <lambda_k, A(g_k) xi_Q>, xi not in D */
    double reaction; /* largest of these impulses */
} momentum_run;

/* The impulse that the reaction of the last step, at g0, gave to the symmetries of V. */
static void impulses(const claim_system *s, const subspace *V, const lg_integrator *it, double t, const double *g0,
                     double *out)
{
    double A[CLAIM_ROWS * CLAIM_DIM], row[CLAIM_DIM];
    claim_rows(s, t, g0, A, NULL);
    for (int a = 0; a < V->count; a++) out[a] = 0;
    for (int i = 0; i < s->S->constraint_count; i++) {
        momenta(s, V, g0, A + (s->S->callbacks.holonomic_count + i) * s->n, row);
        for (int a = 0; a < V->count; a++)
            out[a] += lg_integrator_step_size(it) * lg_integrator_multipliers(it)[i] * row[a];
    }
}

/* Compares step k with step k - 1: projectors P, momenta M, impulses of the reaction. */
static void compare_momenta(momentum_run *out, int k, const double *P0, const double *P, const double *M0,
                            const double *M, const double *impulse)
{
    for (int a = 0; a < k; a++) {
        double left = 0, right = 0;
        for (int b = 0; b < k; b++) {
            left += M[b] * P[b * k + a] - M0[b] * P0[b * k + a];
            right += M[b] * (P[b * k + a] - P0[b * k + a]);
            out->turn = claim_larger(out->turn, fabs(P[b * k + a] - P0[b * k + a]));
        }
        out->equation = claim_larger(out->equation, fabs(left - right));
        out->change = claim_larger(out->change, fabs(left));
        out->impulse = claim_larger(out->impulse, fabs(M[a] - M0[a] - impulse[a]));
        out->reaction = claim_larger(out->reaction, fabs(impulse[a]));
    }
}

static int run_momenta(claim_report *r, const claim_system *s, const subspace *V, lg_integrator *it, int steps,
                       momentum_run *out)
{
    double P[2][CLAIM_DIM * CLAIM_DIM], M[2][CLAIM_DIM], g0[CLAIM_ELEMENT], impulse[CLAIM_DIM], t0;
    memset(out, 0, sizeof *out);
    momenta(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it), M[0]);
    section(s, V, lg_integrator_time(it), lg_integrator_configuration(it), P[0]);
    for (int step = 1; step <= steps; step++) {
        const int now = step % 2;
        t0 = lg_integrator_time(it);
        memcpy(g0, lg_integrator_configuration(it), (size_t)s->size * sizeof *g0);
        if (!claim_steps(r, it, 1)) return 0;
        momenta(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it), M[now]);
        section(s, V, lg_integrator_time(it), lg_integrator_configuration(it), P[now]);
        impulses(s, V, it, t0, g0, impulse);
        out->scale =
            claim_larger(out->scale, reach(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it)));
        compare_momenta(out, V->count, P[1 - now], P[now], M[1 - now], M[now], impulse);
    }
    return 1;
}

static void momentum_equation_of(claim_report *r, const claim_system *s, void *context)
{
    const int steps = r->full ? 2000 : 100;
    subspace V;
    (void)context;
    symmetries(s, 0, &V);
    if (V.count == 0) return;
    for (int i = 0; i < CLAIM_DLA_CASES; i++) {
        const char *tau;
        const claim_dla_rule *rule = claim_dla_case(i, &tau);
        lg_integrator *it = claim_start(r, s, rule->method, tau, s->h, LG_START_REACTION);
        momentum_run run;
        if (it == NULL) continue;
        if (run_momenta(r, s, &V, it, steps, &run)) {
            claim_below(r, run.equation / run.scale, 5e-14, "round-off of a step, measured 5e-15",
                        "equation (24), the sections of %d symmetries of L", V.count);
            claim_below(r, run.impulse / run.scale, 5e-14, "round-off of a step, measured 5e-15",
                        "<p+, xi_Q> changes by h <lambda, A xi_Q>, xi not in D");
            if (run.turn > 1e-3)
                claim_control(r, run.change / run.scale, 1e-6, "a momentum along turning directions is not conserved",
                              "change of <p+, xi_Q> in a step");
        }
        lg_integrator_destroy(it);
    }
}

static void momentum_equation(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_FORCE, momentum_equation_of, NULL);
}

/* Horizontal symmetries -------------------------------------------------------------------------------------------- */

/* Largest change of the momenta of V in a run, relative to reach(); *reaction: the largest multiplier. */
static double drift(claim_report *r, const claim_system *s, const subspace *V, lg_integrator *it, int steps,
                    double *reaction)
{
    double first[CLAIM_DIM], now[CLAIM_DIM], most = 0, scale = 0;
    momenta(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it), first);
    *reaction = 0;
    for (int k = 0; k < steps; k++) {
        if (!claim_steps(r, it, 1)) return NAN;
        momenta(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it), now);
        most = claim_larger(most, claim_gap(now, first, V->count));
        scale = claim_larger(scale, reach(s, V, lg_integrator_configuration(it), lg_integrator_momentum_plus(it)));
        for (int i = 0; i < s->S->constraint_count; i++)
            *reaction = claim_larger(*reaction, fabs(lg_integrator_multipliers(it)[i]));
    }
    return most / scale;
}

static void horizontal_of(claim_report *r, const claim_system *s, void *context)
{
    const int steps = r->full ? 200000 : 1000;
    subspace all, V;
    (void)context;
    symmetries(s, 1, &V);
    symmetries(s, 0, &all);
    if (V.count == 0) return;
    for (int i = 0; i < CLAIM_DLA_CASES; i++) {
        const char *tau;
        const claim_dla_rule *rule = claim_dla_case(i, &tau);
        lg_integrator *it = claim_start(r, s, rule->method, tau, s->h, LG_START_REACTION);
        double change, reaction;
        if (it == NULL) continue;
        change = drift(r, s, &V, it, steps, &reaction);
        claim_below(r, change, 5e-17 * steps, "round-off: a quarter of an ulp a step",
                    "change of the momenta of %d horizontal symmetries, %d steps", V.count, steps);
        /* Where there is a reaction, the momenta that are not horizontal do change. */
        if (all.count > V.count && reaction > 1e-6 &&
            claim_ok(r, lg_integrator_reset(it), "reset", lg_integrator_message(it))) {
            change = drift(r, s, &all, it, 100, &reaction);
            claim_control(r, change, 1e-4, "a symmetry of L that is not horizontal",
                          "change of the momenta of all %d symmetries of L", all.count);
        }
        lg_integrator_destroy(it);
    }
}

static void horizontal_symmetry(claim_report *r)
{
    claim_system s;
    claim_each(r, CLAIM_VELOCITY_ROWS, CLAIM_FORCE, horizontal_of, NULL);
    /* Without its potential Veselova's top has the rotations about the horizontal axes. */
    if (!claim_own_systems(r) || !claim_open(r, &s, "veselova-top", "chi1=0 chi2=0 chi3=0")) return;
    horizontal_of(r, &s, NULL);
    claim_close(&s);
}

const claim claims_dla_momentum[] = {
    {"dla-momentum-equation",
     "Along any section of the symmetries that lie in D the discrete momentum of DLA changes only through the change "
     "of the section, and along a symmetry that does not lie in D by the impulse of the reaction.",
     "[P1] theorem 5.3, (24), (27)", 0.1, momentum_equation},
    {"dla-horizontal-symmetry", "DLA conserves the momenta of horizontal symmetries.", "[P1] corollary 5.4", 0.1,
     horizontal_symmetry},
    {0},
};
