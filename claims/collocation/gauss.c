/* SPDX-License-Identifier: BSD-3-Clause */
/* Gauss collocation: properties at its nodes, and the accuracy reached under a tolerance. */
#include "claims/framework/harness.h"

#define SOURCE "this library, docs/theory.md section 18"

/* Energy and constraints ------------------------------------------------------------------------------------------ */

/* T + |V| at the present state. */
static double size_of(const lg_integrator *it)
{
    double xi[CLAIM_DIM], T = 0;
    if (lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    for (int i = 0; i < lg_group_dim(lg_integrator_group(it)); i++) T += 0.5 * xi[i] * lg_integrator_momentum(it)[i];
    return T + fabs(lg_integrator_energy(it) - T);
}

/* The largest residual of the rows, relative to their terms. */
static double rows_off(const claim_system *s, const lg_integrator *it)
{
    double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], xi[CLAIM_DIM], most = 0;
    const int m = claim_rows(s, lg_integrator_time(it), lg_integrator_configuration(it), A, b);
    if (lg_integrator_velocity(it, xi) != LG_OK) return NAN;
    for (int a = 0; a < m; a++) {
        double off = -b[a], size = fmax(1, fabs(b[a]));
        for (int i = 0; i < s->n; i++) {
            off += A[a * s->n + i] * xi[i];
            size = fmax(size, fabs(A[a * s->n + i] * xi[i]));
        }
        if (!(fabs(off) / size <= most)) most = fabs(off) / size;
    }
    return most;
}

/* Walks 2000 steps, or 1e5; 0: refused or trouble. */
static int walk(claim_report *r, const claim_system *s, const char *method, double tolerance, double *energy,
                double *rows, double *positions)
{
    const int steps = r->full ? 100000 : 2000;
    lg_integrator *it = claim_start(r, s, method, "exp", s->h, LG_START_REACTION);
    int ok = it != NULL;
    double H0 = 0, size = 0;
    *energy = *rows = *positions = 0;
    if (ok && tolerance > 0)
        ok = claim_ok(r, lg_integrator_set_tolerance(it, tolerance), "the tolerance", lg_integrator_message(it));
    if (ok) H0 = lg_integrator_energy(it), size = size_of(it);
    for (int k = 0; ok && k < steps; k++) {
        ok = claim_steps(r, it, 1);
        size = fmax(size, size_of(it));
        *energy = fmax(*energy, fabs(lg_integrator_energy(it) - H0));
        *rows = fmax(*rows, rows_off(s, it));
        *positions = fmax(*positions, lg_integrator_holonomic_residual(it));
        if (isnan(size)) break;
    }
    *energy /= size;
    lg_integrator_destroy(it);
    return ok;
}

static void keeps_of_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const why = "round-off of a node: nothing accumulates";
    const double slack = fmax(r->slack, 1);
    double energy, rows, positions;
    (void)context;
    for (int k = 0; k < 2; k++) {
        if (!walk(r, s, "gauss", k ? 1e-6 : 0, &energy, &rows, &positions)) continue;
        const char *of = k ? "found for 1e-6" : "of h";
        if (!(s->traits & CLAIM_WORK))
            claim_below(r, energy, 4e-15 * slack, why, "largest |H - H_0|/max(T + |V|), steps %s", of);
        if (s->m) claim_below(r, rows, 1e-14 * slack, why, "largest |A xi - b| of its terms, steps %s", of);
        if (s->S->callbacks.holonomic_count)
            claim_below(r, positions, 1e-14 * slack, why, "largest |phi|, steps %s", of);
    }
}

static void keeps(claim_report *r)
{
    static const char *const names[] = {"heavy-top", "rolling-disk"};
    double energy, rows, positions;
    claim_system s;
    claim_each(r, 0, 0, keeps_of_system, NULL);
    for (int i = 0; i < 2 && claim_own_systems(r); i++) {
        if (!claim_open(r, &s, names[i], NULL)) continue;
        if (walk(r, &s, "rk4", 0, &energy, &rows, &positions))
            claim_control(r, energy, 1e-12, "a Runge-Kutta method alone keeps no energy",
                          "largest |H - H_0|/max(T + |V|)");
        claim_close(&s);
    }
}

/* A tolerance ----------------------------------------------------------------------------------------------------- */

/* How far the state at T is from the true one, relative to its size. */
static double error_for(claim_report *r, const claim_system *s, double T, double tolerance, const claim_state *truth)
{
    lg_integrator *it = claim_start(r, s, "gauss", "exp", T, LG_START_REACTION);
    double error = NAN, size = 1;
    claim_state end;
    int ok = it != NULL &&
             claim_ok(r, lg_integrator_set_tolerance(it, tolerance), "the tolerance", lg_integrator_message(it)) &&
             claim_steps(r, it, 1);
    if (ok) {
        claim_read(it, &end);
        for (int i = 0; i < s->size; i++) size = fmax(size, fabs(end.g[i]));
        error = claim_distance(s->G, truth->g, end.g) / size;
        size = 1e-300;
        for (int i = 0; i < s->n; i++) size = fmax(size, fabs(end.p[i]));
        error = fmax(error, claim_gap(truth->p, end.p, s->n) / size);
    }
    lg_integrator_destroy(it);
    return error;
}

static void tolerance_of_system(claim_report *r, const claim_system *s, void *context)
{
    static const double tolerances[] = {1e-3, 1e-6, 1e-9};
    const double T = 16 * s->h;
    claim_state truth;
    double error;
    (void)context;
    if (!claim_truth(r, s, T, 64, &truth, &error)) return;
    for (int k = 0; k < 3; k++)
        claim_below(r, error_for(r, s, T, tolerances[k], &truth), tolerances[k] + 10 * error,
                    "a few steps, each a hundredth of the tolerance", "error after 16 h for the tolerance %g",
                    tolerances[k]);
}

static void tolerance(claim_report *r)
{
    claim_each(r, 0, 0, tolerance_of_system, NULL);
}

const claim claims_gauss[] = {
    {"gauss-keeps",
     "Gauss collocation satisfies velocity constraints and holonomic constraints at every node to round-off, and where "
     "nothing does work the energy, on every system, whatever the step and the tolerance are; nothing accumulates.",
     SOURCE, 1.5, keeps},
    {"gauss-tolerance", "Steps that are found for a tolerance lead to errors below it, on every system.", SOURCE, 0.5,
     tolerance},
    {0},
};
