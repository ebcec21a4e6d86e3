/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's system, made ready for claims whose bounds were found on the ledger's systems: it moves, its step resolves
 * the motion, and the bounds on round-off know how it rounds. */
#include "claims/framework/variants.h"

/* The state after `steps` steps of sem from other initial data. 0: a step failed. */
static int end_of(const claim_system *s, const double *g0, const double *xi0, double h, int steps, claim_state *end,
                  double *xi)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, s->S, "sem", "exp", h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1);
    for (int k = 0; k < steps && status == LG_OK; k++) status = lg_integrator_step(it);
    if (status == LG_OK) claim_read(it, end);
    if (status == LG_OK && xi != NULL) status = lg_integrator_velocity(it, xi);
    lg_integrator_destroy(it);
    return status == LG_OK;
}

static double largest(const double *v, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* A system that starts at rest gets the velocity that it has after some steps, or, in an equilibrium, a push. */
static int set_moving(claim_report *r, claim_system *s)
{
    enum { LATER = 25 };
    const double rest = 1e-9 / s->h;
    claim_state end;
    lg_rng rng = {53};
    double xi[CLAIM_DIM] = {0}, size = largest(s->xi0, s->n);
    if (size > rest) return 1;
    if (!end_of(s, s->g0, s->xi0, s->h, LATER, &end, xi) || !(largest(xi, s->n) > rest))
        for (int i = 0; i < s->n; i++) xi[i] = 1e-2 / s->h * lg_rng_normal(&rng);
    memcpy(s->xi0, xi, sizeof s->xi0);
    return claim_settle(r, s);
}

/* Halves the step until half of it leads nearly to the same state. */
static void resolve(claim_system *s)
{
    enum { STEPS = 16, HALVINGS = 10 };
    const double enough = 1e-3;
    for (int k = 0; k < HALVINGS; k++, s->h /= 2) {
        claim_state coarse, fine;
        double way, size;
        if (!end_of(s, s->g0, s->xi0, s->h, STEPS, &coarse, NULL)) continue;
        if (!end_of(s, s->g0, s->xi0, s->h / 2, 2 * STEPS, &fine, NULL)) continue;
        way = fmax(claim_distance(s->G, s->g0, fine.g), largest(s->xi0, s->n) * s->h), size = largest(fine.p, s->n);
        if (claim_distance(s->G, coarse.g, fine.g) <= enough * way &&
            claim_gap(coarse.p, fine.p, s->n) <= enough * size)
            return;
    }
}

/* How much the motion amplifies a small change of the velocity, in units of the way and of the momentum. */
static double growth(const claim_system *s)
{
    enum { STEPS = 200 };
    const double change = 1e-6;
    claim_state a, b;
    double xi[CLAIM_DIM], way, size;
    for (int i = 0; i < s->n; i++) xi[i] = s->xi0[i] * (1 + (i % 2 ? -change : change));
    if (!end_of(s, s->g0, s->xi0, s->h, STEPS, &a, NULL) || !end_of(s, s->g0, xi, s->h, STEPS, &b, NULL)) return 1;
    way = fmax(claim_distance(s->G, s->g0, a.g), largest(s->xi0, s->n) * s->h), size = largest(a.p, s->n);
    return fmax(claim_distance(s->G, a.g, b.g) / way, claim_gap(a.p, b.p, s->n) / size) / change;
}

/* 1 if the library differentiates something of the system by differences. */
static int has_differences(const lg_system *S)
{
    const lg_callbacks *f = &S->callbacks;
    return (f->potential != NULL && f->potential_gradient == NULL) ||
           (f->metric != NULL && f->metric_gradient == NULL) ||
           (f->covectors != NULL && f->covectors_derivative == NULL) ||
           (f->holonomic != NULL && f->holonomic_differential == NULL);
}

int claim_prepare_own(claim_report *r, claim_system *s)
{
    const double unknown = 100, differences = 100;
    if (!set_moving(r, s)) return 0;
    resolve(s);
    r->slack = unknown * (has_differences(s->S) ? differences : 1) * fmax(1, growth(s));
    if (!isfinite(r->slack)) r->slack = unknown;
    return 1;
}
