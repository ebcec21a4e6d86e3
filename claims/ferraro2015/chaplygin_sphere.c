/* SPDX-License-Identifier: BSD-3-Clause */
/* The ball of [P2] section 7.4 with real rolling, on a table at rest (the Chaplygin sphere) or rotating: the integrals
 * that the GNI conserves. */
#include <stdio.h>

#include "claims/ferraro2015/balls.h"
#include "claims/ferraro2015/paper_nodes.h"

/* K = R p_omega + r (-p_y, p_x, 0), the angular momentum about the contact point, in space. */
static int contact_momentum(const ball *b, const double *g, const double *p, double *K)
{
    double R[9];
    if (lg_group_to_matrix(lg_so3(), R, g + 2) != LG_OK) return 0;
    for (int i = 0; i < 3; i++) K[i] = R[3 * i] * p[2] + R[3 * i + 1] * p[3] + R[3 * i + 2] * p[4];
    K[0] -= b->r * p[1];
    K[1] += b->r * p[0];
    return 1;
}

/* Largest |K - K_0|/|K_0| of p-, p+ and p~ over `steps` steps. */
static void drift_of_K(claim_report *r, const ball *b, const char *method, const char *tau, int64_t steps, double *most)
{
    lg_integrator *it = claim_start(r, &b->s, method, tau, 0.1, LG_START_REACTION);
    double K0[3] = {0}, K[3], size;
    int ok = it != NULL && contact_momentum(b, b->s.g0, lg_integrator_momentum(it), K0);
    size = fmax(fmax(fabs(K0[0]), fabs(K0[1])), fabs(K0[2]));
    for (int i = 0; i < 3; i++) most[i] = ok ? 0 : NAN;
    for (int64_t k = 0; ok && k < steps; k++) {
        const double *p[3];
        if (!claim_steps(r, it, 1)) most[0] = NAN;
        if (isnan(most[0])) break;
        p[0] = lg_integrator_momentum_minus(it), p[1] = lg_integrator_momentum_plus(it),
        p[2] = lg_integrator_momentum(it);
        for (int i = 0; i < 3; i++) {
            if (!contact_momentum(b, lg_integrator_configuration(it), p[i], K)) K[0] = NAN;
            most[i] = paper_larger(most[i], claim_gap(K, K0, 3) / size);
        }
    }
    lg_integrator_destroy(it);
}

/* A random sphere with three moments, at rest or on a rotating table. */
static int open_sphere(claim_report *r, ball *b, int k, lg_rng *rng)
{
    char settings[160];
    const double I1 = 0.8 + lg_rng_uniform(rng), I2 = I1 + 0.5 * lg_rng_uniform(rng);
    const double I3 = I2 + 0.6 * (lg_rng_uniform(rng) - 0.5), m = 1 + lg_rng_uniform(rng);
    const double radius = 0.6 + 0.8 * lg_rng_uniform(rng), Omega = 0.5 * lg_rng_normal(rng);
    if (k == 0) return ball_open(r, b, "chaplygin-sphere", NULL, NULL);
    snprintf(settings, sizeof settings, "m=%.2f r=%.2f Omega=%.2f I1=%.2f I2=%.2f I3=%.2f", m, radius,
             k % 2 == 0 ? 0 : Omega, I1, I2, I3);
    return ball_open(r, b, "chaplygin-sphere", settings, rng);
}

static void contact_momenta(claim_report *r)
{
    static const char *const names[3] = {"p-", "p+", "p~"};
    lg_rng rng = {61};
    double most[3];
    ball b;
    for (int k = 0; k < 5; k++) {
        if (!open_sphere(r, &b, k, &rng)) continue;
        for (int i = 0; claim_retraction(i) != NULL; i++) {
            const int steps = r->full ? 1000000 : 10000;
            drift_of_K(r, &b, "gni", claim_retraction(i), steps, most);
            for (int j = 0; j < 3; j++)
                claim_below(r, most[j], r->full ? 1e-11 : 3e-13, "round-off of the steps",
                            "|K - K_0|/|K_0| of %s, %d steps", names[j], steps);
        }
        claim_close(&b.s);
    }
    if (!ball_open(r, &b, "rolling-ball", "m=3 Omega=0.2 I1=1 I2=1.1 I3=1.2", NULL)) return;
    drift_of_K(r, &b, "gni", "cayley", 1000, most);
    claim_control(r, most[2], 1e-6, "rolling written with omega in the body", "|K - K_0|/|K_0|");
    claim_close(&b.s);
    if (!ball_open(r, &b, "chaplygin-sphere", NULL, NULL)) return;
    drift_of_K(r, &b, "rk4", "exp", 1000, most);
    claim_control(r, most[2], 1e-9, "a method without the symmetry", "|K - K_0|/|K_0| of rk4");
    claim_close(&b.s);
}

/* On a table at rest H(p~) stays within O(h^2) of H_0 for all times. */
static void energy_at_rest(claim_report *r)
{
    static const struct {
        const char *tau;
        double error[2];
    } seen[] = {{"cayley", {4.29e-6, 1.07e-6}}, {"exp", {1.39e-6, 3.49e-7}}};
    ball b;
    if (!ball_open(r, &b, "chaplygin-sphere", "Omega=0", NULL)) return;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const double h = k == 0 ? 0.1 : 0.05, T = r->full ? 1e5 : 1500;
            lg_integrator *it = claim_start(r, &b.s, "gni", seen[i].tau, h, LG_START_REACTION);
            claim_extremes x;
            double slope, half;
            if (it != NULL && claim_watch(r, it, (int64_t)(T / h + 0.5), &x)) {
                slope = x.H.slope, half = x.H.half;
                claim_between(r, x.energy, 0.98 * seen[i].error[k], 1.02 * seen[i].error[k],
                              "O(h^2), measured independently", "largest |H(p~) - H_0|/H_0, h = %g, T = %g", h, T);
                claim_below(r, fabs(slope) * T / x.scale, fmax(half * T / x.scale, 0.02 * x.energy),
                            "no drift, 95 per cent", "|slope of H(p~)| T/H_0, h = %g", h);
                claim_between(r, x.normal / h, 0.019, 0.021, "bounded, O(h): seen 0.0198",
                              "largest |p- - p~|/h, h = %g", h);
            }
            lg_integrator_destroy(it);
        }
    claim_close(&b.s);
}

/* On a rotating table H is not constant but H - Omega m (x y' - y x') is. */
static void moving_energy(claim_report *r)
{
    lg_rng rng = {62};
    for (int k = 0; k < 3; k++) {
        ball b;
        claim_state end;
        double before, after, J;
        if (!open_sphere(r, &b, 2 * k + 1, &rng)) continue;
        J = b.Omega * b.m;
        if (claim_truth(r, &b.s, 10, 400, &end, NULL)) {
            double p0[CLAIM_DIM], H0 = NAN, change;
            (void)claim_momentum_of(r, &b.s, 0, b.s.g0, b.s.xi0, p0);
            if (lg_system_energy(b.s.S, &H0, 0, b.s.g0, p0, NULL) != LG_OK) H0 = NAN;
            before = H0 - J * (b.s.g0[0] * p0[1] - b.s.g0[1] * p0[0]) / b.m;
            after = end.energy - J * (end.g[0] * end.p[1] - end.g[1] * end.p[0]) / b.m;
            change = fabs(end.energy - H0);
            claim_below(r, fabs(after - before) / H0, 5e-13, "order 8, steps of 0.025",
                        "change of H - Omega m (x y' - y x'), t = 10, of H_0");
            claim_control(r, change / H0, 1e-3, "the table does work", "change of H, t = 10, of H_0");
        }
        claim_close(&b.s);
    }
}

static void integrals(claim_report *r)
{
    if (!claim_own_systems(r)) return;
    contact_momenta(r);
    energy_at_rest(r);
    moving_energy(r);
}

const claim claims_chaplygin_sphere[] = {
    {"chaplygin-sphere-integrals",
     "The angular momentum about the contact point of the Chaplygin sphere, on any rotating table, is conserved to "
     "round-off by the GNI in p-, p+ and p~; on a table at rest the energy error is bounded, O(h^2); on a rotating "
     "table the moving energy is constant.",
     "[P2] 7.4; [P0] corollary 3", 0.2, integrals},
    {0},
};
