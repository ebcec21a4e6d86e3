/* SPDX-License-Identifier: BSD-3-Clause */
/* [P4]: the limits of the sleigh's and Suslov's motions: equation (19), its ellipses and eigenvalues (figure 4), and
 * the asymptotic motion of theorems 7 and 8. */
#include <stdio.h>

#include "claims/bloch2005/survey.h"

/* Sleighs -----------------------------------------------------------------------------------------------------------
 */

/* Its parameters, and K = I + m a^2. */
typedef struct sleigh {
    double m, I, a, K;
} sleigh;

static int open_sleigh(claim_report *r, claim_system *s, sleigh *q, const char *settings)
{
    const double *p;
    if (!claim_open(r, s, "chaplygin-sleigh", settings)) return 0;
    p = s->S->parameter_values;
    *q = (sleigh){p[0], p[1], p[2], p[1] + p[0] * p[2] * p[2]};
    return 1;
}

static const char *const sleighs[] = {"", "m=1 I=1 a=1", "m=2.5 I=0.4 a=0.3", "m=0.7 I=1.3 a=-0.6"};
enum { SLEIGHS = sizeof sleighs / sizeof sleighs[0] };

/* The nonholonomic momentum of the paper: p_1 about the contact, p_2 along the blade; the velocity that has it. */
static int nonholonomic(const claim_system *s, const double *g, const double *p, const void *context, double *out)
{
    (void)s, (void)g, (void)context;
    out[0] = p[2], out[1] = p[0];
    return 0;
}

static void velocity_of(const sleigh *q, double p1, double p2, double *xi)
{
    xi[0] = p2 / q->m, xi[1] = 0, xi[2] = p1 / q->K;
}

/* Starts at (p1, p2); NULL as claim_start(). */
static lg_integrator *start_at(claim_report *r, claim_system *s, const sleigh *q, double p1, double p2,
                               const char *method, const char *retraction, double h)
{
    velocity_of(q, p1, p2, s->xi0);
    return claim_start(r, s, method, retraction, h, LG_START_REACTION);
}

/* (19): p_1' = -a p_1 p_2/K, p_2' = m a p_1^2/K^2. */
static void equation_19(claim_report *r, const claim_system *s, const sleigh *q)
{
    double worst = 0, xi[3], rate[2];
    lg_rng rng = {51};
    for (int i = 0; i < (r->full ? 100 : 5); i++) {
        const double p1 = lg_rng_normal(&rng), p2 = lg_rng_normal(&rng);
        const double want[2] = {-q->a * p1 * p2 / q->K, q->m * q->a * p1 * p1 / (q->K * q->K)};
        velocity_of(q, p1, p2, xi);
        if (!survey_rate(r, s, s->g0, xi, 2, nonholonomic, NULL, rate)) return;
        worst = fmax(worst, claim_gap(rate, want, 2));
    }
    claim_case(r, s->name, NULL, NULL);
    claim_below(r, worst, 2e-11, "differences: rounding, 2e-16 over a step of 3e-4", "|p' - (19)|, random p");
}

/* From a ring of starts: the ellipse is kept and the positive end of its axis p_1 = 0 (negative for a < 0) reached. */
static void phase_portrait(claim_report *r, claim_system *s, const sleigh *q, const char *method,
                           const char *retraction)
{
    enum { STARTS = 7 };
    double off = 0, left = 0, wrong = 0;
    for (int i = 0; i < STARTS; i++) {
        const double angle = 0.3 + 6.283185307179586 * i / STARTS,
                     size = 0.6 + 0.2 * i; /* none of the starts is an equilibrium */
        const double p1 = size * sqrt(q->K) * sin(angle), p2 = size * sqrt(q->m) * cos(angle);
        const double kappa = fabs(q->m * q->a * (size / sqrt(q->m)) / q->K), h = 0.1;
        const int64_t steps = (int64_t)(40 / kappa / h) * (r->full ? 20 : 1);
        lg_integrator *it = start_at(r, s, q, p1, p2, method, retraction, h);
        const double *p = it != NULL ? lg_integrator_momentum(it) : NULL;
        if (it == NULL) return;
        for (int64_t k = 0; k < steps && claim_steps(r, it, 1); k++) {
            p = lg_integrator_momentum(it);
            off = fmax(off, fabs((p[2] * p[2] / q->K + p[0] * p[0] / q->m) / (size * size) - 1));
            wrong = fmax(wrong, fabs((p[2] * p[2] / q->I + p[0] * p[0] / q->m) / (size * size) - 1));
        }
        left = fmax(left, hypot(p[2] / sqrt(q->K), p[0] / sqrt(q->m) - copysign(size, q->a)) / size);
        lg_integrator_destroy(it);
    }
    claim_below(r, off, r->full ? 4e-12 : 4e-13, "round-off of the energy, thousands of steps",
                "|p1^2/K + p2^2/m - 2E| / 2E, %d starts until kappa t = 40", STARTS);
    claim_below(r, left, r->full ? 2e-12 : 2e-13, "exp(-40 + 5) and round-off of the energy",
                "distance from the attracting end of p1 = 0 at the end");
    claim_control(r, wrong, 1e-3, "another ellipse: I for K", "|p1^2/I + p2^2/m - 2E| / 2E");
}

/* The GNI's parasitic mode grows where the motion contracts and reverses it; with a = 0 there is no attraction. */
static void portrait_controls(claim_report *r)
{
    static const char *const settings[] = {"", "a=0"}, *const methods[] = {"gni", "sem"};
    static const char *const why[] = {"a spurious reversal: the parasitic mode", "no attraction"};
    for (int i = 0; i < 2; i++) {
        claim_system s;
        sleigh q;
        if (!open_sleigh(r, &s, &q, settings[i])) continue;
        for (int j = 0; claim_retraction(j) != NULL; j++) {
            lg_integrator *it = start_at(r, &s, &q, q.K, -0.6, methods[i], claim_retraction(j), 0.1);
            const double size = sqrt(q.K * q.K / q.K + 0.36 / q.m);
            if (it == NULL) continue;
            if (claim_steps(r, it, 700)) {
                const double *p = lg_integrator_momentum(it);
                claim_control(r, hypot(p[2] / sqrt(q.K), p[0] / sqrt(q.m) - size) / size, 0.1, why[i],
                              "distance from the attracting end at t = 70");
            }
            lg_integrator_destroy(it);
        }
        claim_close(&s);
    }
}

static void closed_form(claim_report *r, claim_system *s, const sleigh *q)
{
    claim_state truth, end;
    const double T = 10;
    lg_integrator *it;
    velocity_of(q, q->K, -0.6 * q->m, s->xi0);
    if (!claim_truth(r, s, T, 1, &truth, NULL)) return;
    it = claim_start(r, s, "sem@kahan-li8", "exp", 0.1, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_steps(r, it, 100)) {
        claim_read(it, &end);
        claim_below(r, claim_gap(end.p, truth.p, 3), 1e-11, "order 8, h = 0.1", "|p - sech, tanh| at t = 10");
        claim_below(r, claim_distance(s->G, end.g, truth.g), 1e-11, "order 8, h = 0.1",
                    "pose at t = 10 against quadrature of the Gudermannian");
    }
    lg_integrator_destroy(it);
}

static void ellipses(claim_report *r)
{
    static const char *const methods[] = {"sem", "nsv", "smv"};
    claim_system s;
    sleigh q;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < SLEIGHS; i++) {
        if (!open_sleigh(r, &s, &q, sleighs[i])) continue;
        equation_19(r, &s, &q);
        closed_form(r, &s, &q);
        for (int k = 0; k < 3; k++)
            for (int j = 0; claim_retraction(j) != NULL; j++)
                phase_portrait(r, &s, &q, methods[k], claim_retraction(j));
        claim_close(&s);
    }
    portrait_controls(r);
}

/* Eigenvalues ----------------------------------------------------------------------------------------------------- */

/* The derivative of p' at (0, p2): central differences of rates, exact for quadratic equations. */
static int linearised(claim_report *r, const claim_system *s, const sleigh *q, double p2, double *D)
{
    for (int i = 0; i < 2; i++) {
        double xi[3], plus[2], minus[2];
        velocity_of(q, i == 0, p2 + (i == 1), xi);
        if (!survey_rate(r, s, s->g0, xi, 2, nonholonomic, NULL, plus)) return 0;
        velocity_of(q, -(i == 0), p2 - (i == 1), xi);
        if (!survey_rate(r, s, s->g0, xi, 2, nonholonomic, NULL, minus)) return 0;
        for (int k = 0; k < 2; k++) D[k * 2 + i] = (plus[k] - minus[k]) / 2;
    }
    return 1;
}

/* Eigenvalues of D p'/D p of a step, three, all real here; ascending. */
static int step_eigenvalues(claim_report *r, const claim_system *s, const lg_integrator *it, double *e)
{
    double M[36], block[9], im[3];
    if (!claim_step_matrix(r, s, it, M)) return 0;
    for (int i = 0; i < 9; i++) block[i] = M[(3 + i / 3) * 6 + 3 + i % 3];
    if (!claim_eigenvalues(3, block, e, im)) return 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (e[j] > e[j + 1]) {
                const double x = e[j];
                e[j] = e[j + 1], e[j + 1] = x;
            }
    return 1;
}

/* The eigenvalue nearest to x. */
static double nearest(const double *e, double x)
{
    double best = e[0];
    for (int i = 1; i < 3; i++)
        if (fabs(e[i] - x) < fabs(best - x)) best = e[i];
    return best;
}

/* Errors of the multiplier s of a step against exp(mu h) for three h; of the GNI also {s, 1, -1/s}. */
static void step_multipliers(claim_report *r, claim_system *s, const sleigh *q, double p2, const char *method,
                             const char *retraction)
{
    const double mu = -q->a * p2 / q->K;
    double error[3];
    for (int i = 0; i < 3; i++) {
        const double h = 0.2 / (1 << i);
        double e[3], *p, before[3], multiplier;
        lg_integrator *it = start_at(r, s, q, 0, p2, method, retraction, h);
        if (it == NULL) return;
        memcpy(before, lg_integrator_momentum(it), sizeof before);
        if (!step_eigenvalues(r, s, it, e) || !claim_steps(r, it, 1)) {
            lg_integrator_destroy(it);
            return;
        }
        p = (double[3]){0};
        memcpy(p, lg_integrator_momentum(it), 3 * sizeof *p);
        lg_integrator_destroy(it);
        if (i == 0)
            claim_below(r, claim_gap(p, before, 3), 1e-14, "round-off", "a straight run, one step: change of p");
        multiplier = nearest(e, exp(mu * h));
        error[i] = fabs(multiplier - exp(mu * h));
        if (strcmp(method, "gni") != 0) continue;
        claim_below(r, fabs(nearest(e, 1) - 1), 1e-10, "derivative of a step", "p2 = %g, h = %g: |eigenvalue - 1|", p2,
                    h);
        claim_below(r, fabs(nearest(e, -1 / multiplier) * multiplier + 1), 1e-10, "derivative of a step",
                    "p2 = %g, h = %g: |s s' + 1| of its parasitic s'", p2, h);
    }
    claim_above(r, claim_slope(error, 3, 1e-13), 2.8, "order 2: local errors of order 3 and more",
                "p2 = %g: order of s - exp(mu h), %.2e at h = 0.05", p2, error[2]);
}

static void eigenvalues(claim_report *r)
{
    static const double speeds[] = {1, -1, 2.2, -0.4};
    static const char *const methods[] = {"gni", "gni-r", "sem", "nsv", "smv", "sml", "dla"};
    claim_system s;
    sleigh q;
    double D[4], re[2], im[2];
    if (!claim_own_systems(r)) return;
    for (int i = 0; i <= SLEIGHS; i++) {
        if (!open_sleigh(r, &s, &q, i < SLEIGHS ? sleighs[i] : "a=0")) continue;
        for (int k = 0; k < 4; k++) {
            const double mu = -q.a * speeds[k] / q.K;
            if (!linearised(r, &s, &q, speeds[k], D) || !claim_eigenvalues(2, D, re, im)) break;
            claim_case(r, s.name, NULL, NULL);
            claim_below(r, fabs(re[0] * re[1]) + fabs(im[0]), 1e-10, "differences", "p2 = %g: one eigenvalue is 0",
                        speeds[k]);
            claim_below(r, fabs(re[0] + re[1] - mu), 1e-10, "differences", "p2 = %g: the other is -a p2/K = %.6f",
                        speeds[k], mu);
            if (i < SLEIGHS)
                claim_control(r, fabs(re[0] + re[1]), 1e-3, "a = 0 would preserve volume", "p2 = %g: |divergence|",
                              speeds[k]);
        }
        for (size_t m = 0; i < SLEIGHS && m < sizeof methods / sizeof methods[0]; m++)
            for (int j = 0; claim_retraction(j) != NULL; j++)
                for (int k = 0; k < 2; k++) step_multipliers(r, &s, &q, speeds[k], methods[m], claim_retraction(j));
        claim_close(&s);
    }
}

/* Suslov's body -----------------------------------------------------------------------------------------------------
 */

/* Inertias with I = c 1 + B^T B, a random or e_3; i = 0: the defaults. */
static int open_suslov(claim_report *r, claim_system *s, int i, int along_e3)
{
    static const char *const names[9] = {"I11", "I12", "I13", "I22", "I23", "I33", "a1", "a2", "a3"};
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    char settings[240] = "";
    double B[9], a[3];
    int used = 0;
    lg_rng rng = {(uint64_t)(60 + i)};
    for (int k = 0; k < 9; k++) B[k] = 0.8 * lg_rng_normal(&rng);
    for (int k = 0; k < 3; k++) a[k] = along_e3 ? k == 2 : lg_rng_normal(&rng);
    for (int k = 0; i > 0 && k < 9; k++) {
        double value = k < 6 ? (row[k] == column[k] ? 0.5 : 0) : a[k < 6 ? 0 : k - 6];
        for (int j = 0; k < 6 && j < 3; j++) value += B[3 * j + row[k]] * B[3 * j + column[k]];
        used += snprintf(settings + used, sizeof settings - (size_t)used, "%s=%.6f ", names[k], value);
    }
    if (!claim_open(r, s, "suslov", settings)) return 0;
    if (i > 0) snprintf(s->label, sizeof s->label, "suslov, random %d%s", i, along_e3 ? ", a = e3" : "");
    return 1;
}

/* The attracting equilibrium of the start's energy: Omega along +-a x I a, where mu = -<Omega, I^-1 a x a>/<a, I^-1 a>
 * is negative. *rate = |mu|, at which it attracts. */
static int attracting(const claim_system *s, double *omega, double *rate)
{
    const double *I = s->S->inertia, *a = s->S->covector_matrix;
    double Ia[3], w[3], cross[3], energy = 0, size = 0;
    for (int i = 0; i < 3; i++) Ia[i] = survey_dot(I + 3 * i, a, 3);
    if (!claim_solve(3, I, a, w)) return 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        omega[i] = a[j] * Ia[k] - a[k] * Ia[j];
        cross[i] = w[j] * a[k] - w[k] * a[j];
    }
    for (int i = 0; i < 3; i++) {
        energy += s->xi0[i] * survey_dot(I + 3 * i, s->xi0, 3);
        size += omega[i] * survey_dot(I + 3 * i, omega, 3);
    }
    const double mu = -survey_dot(omega, cross, 3) / survey_dot(a, w, 3), scale = sqrt(energy / size);
    for (int i = 0; i < 3; i++) omega[i] *= mu < 0 ? scale : -scale;
    *rate = fabs(mu) * scale;
    return 1;
}

/* sin phi = tanh(kappa (t - t0)) for a = e_3 against order 8, for both directions of time. */
static void suslov_closed_form(claim_report *r, const claim_system *s)
{
    for (int i = 0; i < 6; i++) {
        const double T = (i % 2 == 0 ? 1 : -1) * (double)(1 << i);
        claim_state truth, end;
        double xi[3], g[4];
        lg_integrator *it;
        if (lg_model_describe(s->M)->exact(&(lg_call){.param = s->S->parameter_values, .t = T, .lanes = 1}, s->g0,
                                           s->xi0, g, xi) != 0) {
            claim_trouble(r, "no closed form");
            return;
        }
        it = claim_start(r, s, "sem@kahan-li8", "exp", T / (20 * fabs(T)), LG_START_REACTION);
        if (it == NULL || !claim_momentum_of(r, s, 0, s->g0, xi, truth.p)) return;
        if (claim_steps(r, it, (int64_t)(20 * fabs(T)))) {
            claim_read(it, &end);
            claim_below(r, claim_gap(end.p, truth.p, 3), 1e-12, "order 8, h = 0.05, and round-off",
                        "|p - closed form| at t = %g", T);
        }
        lg_integrator_destroy(it);
    }
}

/* The largest distance from the attracting end in the later half of a run of 80 e-foldings. */
static void suslov_end(claim_report *r, const claim_system *s, const char *method, const char *retraction, int fails)
{
    double end[3], rate, omega[3], most = 0, size;
    int64_t half;
    lg_integrator *it;
    if (!attracting(s, end, &rate)) return;
    half = (int64_t)((r->full && !fails ? 2000 : 40) / rate / s->h);
    size = survey_norm(end, 3);
    it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    for (int64_t k = 0; k < 2 * half; k++) {
        if (!claim_steps(r, it, 1) || lg_integrator_velocity(it, omega) != LG_OK) most = NAN;
        if (isnan(most)) break;
        if (k >= half) most = fmax(most, claim_gap(omega, end, 3) / size);
    }
    if (fails)
        claim_control(r, most, 0.5, "a spurious reversal: the parasitic mode", "|Omega - end| / |end|, t to %.0f",
                      lg_integrator_time(it));
    else
        claim_below(r, most, r->full ? 5e-12 : 2e-13, "equilibrium and energy are exact: round-off",
                    "|Omega - end| / |end|, t to %.0f", lg_integrator_time(it));
    lg_integrator_destroy(it);
}

/* The parasitic mode: H(p^-) stays constant, H(p~) collapses. */
static void suslov_energies(claim_report *r, const claim_system *s, const char *retraction)
{
    double rate, end[3];
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, "gni", retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (attracting(s, end, &rate) && claim_watch(r, it, (int64_t)(100 / rate / s->h), &x)) {
        claim_below(r, x.post, 2e-2, "bounded: O(h^2), 7e-4 to 6e-3 over these inertias",
                    "largest |H(p^-) - H_0| / H_0");
        claim_below(r, x.H.low / x.scale, 1e-3, "lost to the parasitic mode", "least H(p~) / H_0");
    }
    lg_integrator_destroy(it);
}

static void asymptotics(claim_report *r)
{
    claim_system s;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4; i++) {
        if (!open_suslov(r, &s, i, 1)) continue;
        suslov_closed_form(r, &s);
        claim_close(&s);
    }
    for (int i = 0; i < (r->full ? 20 : 5); i++) {
        if (!open_suslov(r, &s, i, 0)) continue;
        for (int j = 0; claim_retraction(j) != NULL; j++) {
            suslov_end(r, &s, "sem", claim_retraction(j), 0);
            if (i >= 5) continue;
            suslov_end(r, &s, "gni", claim_retraction(j), 1);
            suslov_energies(r, &s, claim_retraction(j));
        }
        claim_close(&s);
    }
}

const claim claims_survey_stability[] = {
    {"sleigh-ellipses",
     "The sleigh's momenta satisfy p1' = -a p1 p2/(I + m a^2), p2' = m a p1^2/(I + m a^2)^2; their curves are "
     "ellipses, and the positive p2 axis attracts all of them.",
     "[P4] equation (19), figure 4", 0.1, ellipses},
    {"sleigh-eigenvalues",
     "At a straight run one eigenvalue is 0 and the other -a p2/(I + m a^2): volume is preserved only for a = 0. A "
     "step has the multiplier of the motion with its order; the GNI's eigenvalues are s, 1 and the parasitic -1/s.",
     "[P4] equation (19); this library, docs/theory.md section 5", 0.05, eigenvalues},
    {"suslov-asymptotics",
     "Every motion of Suslov's body tends to the equilibrium along a x I a at which the momentum flow contracts, as "
     "sin phi = tanh(kappa (t - t0)) for a = e3, with its energy; the GNI keeps H(p^-) and loses H(p~) there.",
     "[P4] theorems 7, 8, equation (18)", 0.1, asymptotics},
    {0},
};
