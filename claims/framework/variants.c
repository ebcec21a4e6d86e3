/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems with one change: every callback calls that of the original system, with the original call. */
#include <stdio.h>

#include "claims/framework/variants.h"

/* The call that the original system receives. */
static const claim_variant *behind(const lg_call *c, lg_call *inner)
{
    const claim_variant *a = c->context;
    *inner = *c;
    inner->context = a->of->S->context;
    inner->t = c->t - a->later;
    return a;
}

static int metric(const lg_call *c, const double *g, double *out)
{
    lg_call inner;
    const claim_variant *a = behind(c, &inner);
    if (!a->spread) return a->of->S->callbacks.metric(&inner, g, out);
    claim_metric(a->of, inner.t, g, out);
    return 0;
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *out)
{
    lg_call inner;
    const claim_variant *a = behind(c, &inner);
    int code;
    if (a->spread) return 0;
    code = a->of->S->callbacks.metric_gradient(&inner, g, xi, out);
    for (int i = 0; i < a->of->n; i++) out[i] *= 1 + a->slope;
    return code;
}

static int potential(const lg_call *c, const double *g, double *V)
{
    lg_call inner;
    return behind(c, &inner)->of->S->callbacks.potential(&inner, g, V);
}

static int potential_gradient(const lg_call *c, const double *g, double *out)
{
    lg_call inner;
    return behind(c, &inner)->of->S->callbacks.potential_gradient(&inner, g, out);
}

static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    lg_call inner;
    const claim_variant *a = behind(c, &inner);
    const int code = a->of->S->callbacks.force != NULL ? a->of->S->callbacks.force(&inner, g, xi, out) : 0;
    for (int i = 0; i < a->of->n; i++) out[i] -= a->resistance[i] * xi[i];
    return code;
}

static int position(const lg_call *c, const double *g, double *out)
{
    lg_call inner;
    return behind(c, &inner)->of->S->callbacks.holonomic(&inner, g, out);
}

static int holonomic_differential(const lg_call *c, const double *g, double *out)
{
    lg_call inner;
    return behind(c, &inner)->of->S->callbacks.holonomic_differential(&inner, g, out);
}

static int holonomic_rate(const lg_call *c, const double *g, double *out)
{
    lg_call inner;
    return behind(c, &inner)->of->S->callbacks.holonomic_rate(&inner, g, out);
}

/* mu <- B mu: dominant diagonal, and every entry changes with time and place. */
static void mix(const lg_call *c, const double *g, int m, int n, double *mu)
{
    double rows[CLAIM_ROWS * CLAIM_DIM];
    memcpy(rows, mu, (size_t)(m * n) * sizeof *mu);
    memset(mu, 0, (size_t)(m * n) * sizeof *mu);
    for (int r = 0; r < m; r++)
        for (int k = 0; k < m; k++) {
            const double swing = sin(3 * c->t + g[0] + 2 * g[1] + 0.7 * (r + k));
            const double weight = k == r ? 1.5 + 0.4 * swing : 0.4 * swing * (k < r ? 1 : -1);
            for (int i = 0; i < n; i++) mu[r * n + i] += weight * rows[k * n + i];
        }
}

/* mu <- mu (1 + s P), P e_i = e_(i+1). */
static void turn(double s, int m, int n, double *mu)
{
    for (int r = 0; r < m; r++) {
        double *row = mu + r * n, first = row[0];
        for (int i = 0; i < n; i++) row[i] += s * (i + 1 < n ? row[i + 1] : first);
    }
}

static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    lg_call inner;
    const claim_variant *a = behind(c, &inner);
    const lg_system *S = a->of->S;
    const int n = a->of->n, m = S->constraint_count;
    if (a->lowered) {
        (void)claim_rows(a->of, inner.t, g, mu, NULL);
        return 0;
    }
    if (S->callbacks.covectors != NULL) {
        const int code = S->callbacks.covectors(&inner, g, mu, Y);
        if (code != 0) return code;
    } else {
        memcpy(mu, S->covector_matrix, (size_t)(m * n) * sizeof *mu);
        if (S->callbacks.drift != NULL && S->callbacks.drift(&inner, g, Y) != 0) return 1;
    }
    if (a->turned != 0) turn(a->turned * sin(c->t), m, n, mu);
    if (a->mixed) mix(c, g, m, n, mu);
    return 0;
}

void claim_vary(claim_system *out, claim_variant *a, const claim_system *s)
{
    const lg_system *S = s->S;
    double J[CLAIM_DIM * CLAIM_DIM];
    a->of = s;
    a->S = *S;
    a->S.context = a;
    a->S.callbacks.lanes = 0;
    claim_metric(s, 0, s->g0, J);
    for (int i = 0; i < s->n; i++) a->resistance[i] = a->friction * (1 + 0.5 * i) * J[i * s->n + i];
    if (a->spread) a->S.inertia = a->S.inertia_diagonal = NULL;
    if (S->callbacks.metric != NULL || a->spread) a->S.callbacks.metric = metric;
    if (S->callbacks.metric_gradient != NULL || a->spread) a->S.callbacks.metric_gradient = metric_gradient;
    if (S->callbacks.potential != NULL) a->S.callbacks.potential = potential;
    if (S->callbacks.potential_gradient != NULL) a->S.callbacks.potential_gradient = potential_gradient;
    a->S.callbacks.potential_hessian = NULL;
    if (S->callbacks.force != NULL || a->friction != 0) a->S.callbacks.force = force;
    if (S->constraint_count > 0 || a->lowered) {
        a->S.callbacks.covectors = covectors;
        a->S.covector_matrix = NULL, a->S.callbacks.drift = NULL;
    }
    a->S.callbacks.covectors_derivative = NULL, a->S.callbacks.covectors_rate = NULL;
    a->S.callbacks.holonomic_acceleration = NULL;
    if (S->callbacks.holonomic != NULL) a->S.callbacks.holonomic = position;
    if (S->callbacks.holonomic_differential != NULL) a->S.callbacks.holonomic_differential = holonomic_differential;
    if (S->callbacks.holonomic_rate != NULL) a->S.callbacks.holonomic_rate = holonomic_rate;
    a->S.callbacks.discrete_constraint = NULL, a->S.callbacks.discrete_slope_1 = a->S.callbacks.discrete_slope_2 = NULL;
    if (a->mixed || a->turned != 0) a->S.callbacks.time_dependent = 1;
    if (a->freed) a->S.constraint_count = 0, a->S.callbacks.covectors = NULL;
    if (a->lowered) {
        a->S.constraint_count += S->callbacks.holonomic_count;
        a->S.callbacks.holonomic_count = 0;
        a->S.callbacks.holonomic = a->S.callbacks.holonomic_differential = a->S.callbacks.holonomic_rate = NULL;
    }
    *out = *s;
    out->S = &a->S;
    if (a->friction != 0) out->traits |= CLAIM_FORCE;
    if (a->S.callbacks.time_dependent) out->traits |= CLAIM_TIME;
}

int claim_move(claim_report *r, claim_system *out, const claim_system *s, lg_rng *rng, double amount)
{
    double xi[CLAIM_DIM], W[CLAIM_ELEMENT], size = 0;
    lg_integrator *it;
    int ok;
    *out = *s;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(s->xi0[i]));
    if (size == 0) size = 1; /* starts at rest */
    for (int i = 0; i < s->n; i++) {
        out->xi0[i] += amount * size * lg_rng_normal(rng);
        xi[i] = amount * lg_rng_normal(rng);
    }
    if (!claim_ok(r, lg_group_exp(s->G, W, xi), "exp", NULL)) return 0;
    if (!claim_ok(r, lg_group_compose(s->G, out->g0, s->g0, W), "compose", NULL)) return 0;
    it = claim_start_projected(r, out, "sem", "exp", s->h);
    if (it == NULL) return 0;
    memcpy(out->g0, lg_integrator_configuration(it), (size_t)s->size * sizeof *out->g0);
    ok = claim_ok(r, lg_integrator_velocity(it, out->xi0), "lg_integrator_velocity", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return ok;
}

/* Runs --------------------------------------------------------------------------------------------------------- */

int claim_state_after(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                      int64_t steps, claim_state *out)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION);
    int ok;
    if (it == NULL) return 0;
    ok = claim_steps(r, it, steps);
    claim_read(it, out);
    lg_integrator_destroy(it);
    return ok;
}

double claim_state_gap(const claim_system *s, const claim_state *a, const claim_state *b)
{
    double size = 0;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(a->p[i]));
    return fmax(claim_distance(s->G, a->g, b->g), claim_gap(a->p, b->p, s->n) / size);
}

double claim_there_and_back(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                            double h, int64_t steps)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION), *back = NULL;
    double p[CLAIM_DIM], gap = NAN;
    claim_state start, end;
    lg_status status;
    if (it == NULL) return NAN;
    claim_read(it, &start);
    if (claim_steps(r, it, steps)) {
        memcpy(p, lg_integrator_momentum(it), (size_t)s->n * sizeof *p);
        status = lg_integrator_create(&back, s->S, method, retraction, -h);
        if (status == LG_OK)
            status = lg_integrator_start_momentum(back, lg_integrator_time(it), lg_integrator_configuration(it), p);
        if (claim_ok(r, status, "the way back", lg_integrator_message(back)) && claim_steps(r, back, steps)) {
            claim_read(back, &end);
            gap = claim_state_gap(s, &start, &end);
        }
    }
    lg_integrator_destroy(back);
    lg_integrator_destroy(it);
    return gap;
}

void claim_agrees(claim_report *r, const claim_system *s, const char *base, const char *retraction)
{
    enum { STEPS = 4, PARTS = 128, FINE = 4 };
    claim_state step, truth;
    char method[48];
    if (!claim_state_after(r, s, "rkmk4", retraction, s->h / PARTS, STEPS * PARTS, &truth)) return;
    snprintf(method, sizeof method, "%s@kahan-li8", base);
    if (!claim_state_after(r, s, method, retraction, s->h / FINE, STEPS * FINE, &step)) return;
    claim_below(r, claim_state_gap(s, &step, &truth), 1e-11, "orders 8 with h/4 and 4 with h/128",
                "distance from the continuous equations, t = %g", STEPS * s->h);
}
