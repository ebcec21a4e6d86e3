/* SPDX-License-Identifier: BSD-3-Clause */
/* [P0]: what the geometric nonholonomic integrator (GNI) conserves: the energy, and the average momentum
 * (docs/theory.md sections 3 and 5). */
#include "claims/framework/random_systems.h"

/* The traits with work, or with fields that the group's own multiplication changes. */
enum { NOT_FREE = CLAIM_POTENTIAL | CLAIM_WORK | CLAIM_METRIC | CLAIM_POSITION_ROWS };

/* Energy ----------------------------------------------------------------------------------------------------------- */

static const char theorem_1[] = "round-off: 60 x 2e-16 and at worst 1e-16 a step, all of one sign";
static const char not_biinvariant[] = "neither bi-invariant nor symmetric about an axis: O(h^2), 3e-7 to 1e-3";

/* The rounding error of an energy after a number of steps: a random walk, but in regular motions every step may round
 * the same way. */
static double round_off(int64_t steps)
{
    return 2e-16 * 60 + 1e-16 * (double)steps;
}

/* An integrator with an arbitrary p^-_0: the theorems do not require it to satisfy the constraints, and if it does, a
 * right-invariant distribution leaves nothing to reflect. */
static lg_integrator *start_anywhere(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    lg_integrator *it = claim_start_projected(r, s, method, retraction, s->h);
    double p[CLAIM_DIM], scale = 0;
    lg_rng rng = {23};
    if (it == NULL) return NULL;
    for (int i = 0; i < s->n; i++) scale = fmax(scale, fabs(lg_integrator_momentum(it)[i]));
    for (int i = 0; i < s->n; i++) p[i] = lg_integrator_momentum_minus(it)[i] + 0.2 * scale * lg_rng_normal(&rng);
    if (claim_ok(r, lg_integrator_start_momentum(it, 0, lg_integrator_configuration(it), p), "start",
                 lg_integrator_message(it)))
        return it;
    lg_integrator_destroy(it);
    return NULL;
}

/* Largest change of H(p^-) or, with `average`, of H(p~). NaN: refused or trouble. */
static double change(claim_report *r, const claim_system *s, const char *method, const char *retraction, int64_t steps,
                     int average)
{
    claim_extremes x;
    lg_integrator *it = start_anywhere(r, s, method, retraction);
    const int ok = it != NULL && claim_watch(r, it, steps, &x);
    lg_integrator_destroy(it);
    return ok ? (average ? x.energy : x.post) : (double)NAN;
}

/* H(p^-) for all retractions. Without a potential all variants are the same method; two of them as a check. */
static void keeps_energy(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"gni", "gni:midpoint"};
    const int64_t steps = *(const int64_t *)context;
    for (int i = 0; i < 4 && claim_retraction(i / 2) != NULL; i++) {
        const double d = change(r, s, methods[i % 2], claim_retraction(i / 2), steps, 0);
        if (!isnan(d)) claim_below(r, d, round_off(steps), theorem_1, "change of H(p^-), %d steps", (int)steps);
    }
}

static void loses_energy(claim_report *r, const claim_system *s, const char *method, int64_t steps, const char *why)
{
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const double d = change(r, s, method, claim_retraction(i), steps, 0);
        claim_control(r, d, 1e-9, why, "change of H(p^-), %d steps", (int)steps);
    }
}

/* A discrete Lagrangian that is invariant from the left only, h (|xi|^2/2 + 0.1 (xi_1^2 - xi_2 xi_3)), xi =
 * cay^-1(W)/h: its slopes are those of the kinetic energy with the momentum of that. */
static int own_slope(const double *g0, const double *g1, double h, double side, double *out)
{
    double W[4], x[3], p[3];
    if (lg_group_inverse(lg_so3(), W, g0) != LG_OK || lg_group_compose(lg_so3(), W, W, g1) != LG_OK) return 1;
    if (lg_retraction_tau_inv(lg_retraction_cayley(), lg_so3(), x, W) != LG_OK) return 2;
    p[0] = 1.2 * x[0] / h, p[1] = (x[1] - 0.1 * x[2]) / h, p[2] = (x[2] - 0.1 * x[1]) / h;
    for (int i = 0; i < 3; i++) x[i] *= side;
    if (lg_retraction_dtau_inv_dual(lg_retraction_cayley(), lg_so3(), out, x, p) != LG_OK) return 3;
    for (int i = 0; i < 3; i++) out[i] *= -side;
    return 0;
}

static int own_slope_1(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c;
    return own_slope(g0, g1, h, 1, out); /* -(dtau^-1_x)^* p */
}

static int own_slope_2(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c;
    return own_slope(g0, g1, h, -1, out); /* (dtau^-1_-x)^* p */
}

/* "... it needs to be left-invariant only". */
static void keeps_energy_own(claim_report *r, int64_t steps)
{
    lg_model_definition d = *lg_catalog_definition("biinvariant-so3");
    claim_system s;
    d.name = "biinvariant-so3 own L_d";
    d.callbacks.discrete_slope_1 = own_slope_1;
    d.callbacks.discrete_slope_2 = own_slope_2;
    if (!claim_open_definition(r, &s, &d, "distribution=0")) return;
    const double kept = change(r, &s, "gni:user", "cayley", steps, 0);
    claim_below(r, kept, round_off(steps) + 1e-15 * (double)steps, "p^+ to the solver's 1e-14, at random",
                "change of H(p^-), %d steps", (int)steps);
    claim_close(&s);
}

/* Ours beyond the theorem: a quadratic V on R^n at the midpoint, where V's difference is its slope times the step. */
static void keeps_energy_quadratic(claim_report *r, int64_t steps)
{
    static const char *const settings[][2] = {
        {"particle-quadratic", ""}, {"contact-oscillator", "eps=0"}, {"contact-oscillator", "eps=0 shift=1"}};
    for (int i = 0; i < 3; i++) {
        claim_system s;
        if (!claim_open(r, &s, settings[i][0], settings[i][1])) continue;
        const double kept = change(r, &s, "gni:midpoint", "exp", steps, 0);
        claim_below(r, kept, round_off(steps) + 1e-15 * (double)steps, "p^+ to the solver's 1e-14, at random",
                    "change of H(p^-), quadratic V");
        loses_energy(r, &s, "gni:trapezoidal", 1000, "V is not at the midpoint: O(h^2)");
        claim_close(&s);
    }
}

/* Also ours: if J is symmetric about an axis (a planar body, a symmetric top), tau commutes with Ad, and H depends only
 * on the momentum about the axis and on invariants of all Ad*, then both the free step and the reflection keep H. */
static void keeps_energy_symmetric(claim_report *r, int64_t steps)
{
    static const char *const settings[][2] = {
        {"chaplygin-sleigh", ""},
        {"chaplygin-sleigh", "m=2 I=0.3 a=0.7"},
        {"suslov", "I11=1.3 I12=0 I13=0 I22=1.3 I23=0 I33=2 a1=0.3 a2=-0.5 a3=1"},
        {"rigid-body", "I1=1.7 I2=1.7 I3=1"},
    };
    for (int i = 0; i < 4; i++) {
        claim_system s;
        if (!claim_open(r, &s, settings[i][0], settings[i][1])) continue;
        keeps_energy(r, &s, &steps);
        claim_close(&s);
    }
}

static void energy_biinvariant(claim_report *r)
{
    static const char *const others[] = {"suslov", "body-se3", "rigid-body"};
    int64_t steps = r->full ? 1000000 : 1000;
    claim_each(r, CLAIM_BIINVARIANT, NOT_FREE, keeps_energy, &steps);
    if (!claim_own_systems(r)) return;
    keeps_energy_own(r, steps);
    keeps_energy_quadratic(r, steps);
    keeps_energy_symmetric(r, steps);
    for (int i = 0; i < 2 * RANDOM_WITH_BIINVARIANT; i++) {
        random_system d;
        if (claim_random_system(r, &d, i / 2, RANDOM_LEFT | RANDOM_RIGHT, i < 2 ? 1 : 1 + i % 2, 1, 100 + (uint64_t)i))
            keeps_energy(r, &d.s, &steps);
        claim_random_system_free(&d);
        if (claim_random_system(r, &d, i / 2, RANDOM_LEFT | RANDOM_RIGHT, i < 2 ? 1 : 1 + i % 2, 0, 100 + (uint64_t)i))
            loses_energy(r, &d.s, "gni", 1000, not_biinvariant);
        claim_random_system_free(&d);
    }
    for (int i = 0; i < 3; i++) {
        claim_system s;
        if (!claim_open(r, &s, others[i], "")) continue;
        loses_energy(r, &s, "gni", 1000, not_biinvariant);
        claim_close(&s);
    }
}

/* The average momentum --------------------------------------------------------------------------------------------- */

/* The rows at g as seen from space, A Ad_{g^-1}, made orthonormal. 0: dependent. */
static int spatial_rows(const claim_system *s, const double *g, double *B)
{
    const int n = s->n;
    double A[CLAIM_ROWS * CLAIM_DIM], inverse[CLAIM_ELEMENT];
    if (lg_group_inverse(s->G, inverse, g) != LG_OK) return 0;
    claim_rows(s, 0, g, A, NULL);
    for (int a = 0; a < s->m; a++) { /* rows are covectors: A Ad = (Ad* A^T)^T */
        double *row = B + a * n, length = 0;
        if (lg_group_coAd_apply(s->G, row, inverse, A + a * n) != LG_OK) return 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int b = 0; b < a; b++) {
                double along = 0;
                for (int i = 0; i < n; i++) along += row[i] * B[b * n + i];
                for (int i = 0; i < n; i++) row[i] -= along * B[b * n + i];
            }
        }
        for (int i = 0; i < n; i++) length += row[i] * row[i];
        if (!(length > 1e-20)) return 0;
        for (int i = 0; i < n; i++) row[i] /= sqrt(length);
    }
    return 1;
}

/* 1 if the distribution is right-invariant: as seen from space it is the same everywhere. */
static int right_invariant(const claim_system *s)
{
    double first[CLAIM_ROWS * CLAIM_DIM], B[CLAIM_ROWS * CLAIM_DIM], g[CLAIM_ELEMENT], xi[CLAIM_DIM];
    lg_rng rng = {17};
    if (!spatial_rows(s, s->g0, first)) return 0;
    for (int k = 0; k < 4; k++) {
        double inside = 0; /* trace of the product of the projectors onto both: m if they are the same */
        for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK ||
            !spatial_rows(s, g, B))
            return 0;
        for (int a = 0; a < s->m; a++) {
            for (int b = 0; b < s->m; b++) {
                double along = 0;
                for (int i = 0; i < s->n; i++) along += first[a * s->n + i] * B[b * s->n + i];
                inside += along * along;
            }
        }
        if (fabs(inside - s->m) > 1e-10) return 0;
    }
    return 1;
}

/* Largest |p~_k - Ad*_W p~_{k-1}| over the steps, relative to |p~|. NaN: refused or trouble. */
static double transport(claim_report *r, const claim_system *s, const char *method, const char *retraction, int steps)
{
    lg_integrator *it = start_anywhere(r, s, method, retraction);
    double most = it != NULL ? 0 : (double)NAN;
    for (int k = 0; k < steps && it != NULL; k++) {
        claim_state before;
        double W[CLAIM_ELEMENT], moved[CLAIM_DIM], scale = 0;
        claim_read(it, &before);
        if (!claim_steps(r, it, 1) || lg_group_inverse(s->G, W, before.g) != LG_OK) break;
        if (lg_group_compose(s->G, W, W, lg_integrator_configuration(it)) != LG_OK) break;
        if (lg_group_coAd_apply(s->G, moved, W, before.p) != LG_OK) break;
        for (int i = 0; i < s->n; i++) scale = fmax(scale, fabs(moved[i]));
        most = fmax(most, claim_gap(moved, lg_integrator_momentum(it), s->n) / scale);
    }
    lg_integrator_destroy(it);
    return most;
}

/* Two figures for right-invariant distributions; for others they are the control. */
static void carries_average(claim_report *r, const claim_system *s, void *context)
{
    const int64_t steps = *(const int64_t *)context;
    const int holds = right_invariant(s);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const double kept = change(r, s, "gni", claim_retraction(i), steps, 1);
        const double moved = transport(r, s, "gni", claim_retraction(i), 200);
        if (isnan(kept)) continue;
        if (holds) {
            claim_below(r, kept, round_off(steps), theorem_1, "change of H(p~), %d steps", (int)steps);
            claim_below(r, moved, 1e-14, "round-off of a step", "|p~_k - Ad*_W p~_{k-1}|/|p~|");
        } else {
            claim_control(r, kept, 1e-4, "the distribution is not right-invariant", "change of H(p~)");
            claim_control(r, moved, 1e-3, "the distribution is not right-invariant", "|p~_k - Ad*_W p~_{k-1}|/|p~|");
        }
    }
}

static void average_momentum(claim_report *r)
{
    int64_t steps = r->full ? 1000000 : 1000;
    claim_each(r, CLAIM_BIINVARIANT | CLAIM_VELOCITY_ROWS, NOT_FREE, carries_average, &steps);
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 4 * RANDOM_WITH_BIINVARIANT; i++) {
        random_system d;
        const int rows = i % 2 == 0 ? RANDOM_RIGHT : RANDOM_LEFT | RANDOM_RIGHT;
        if (claim_random_system(r, &d, i / 4, rows, i < 4 ? 1 : 1 + i / 2 % 2, 1, 200 + (uint64_t)i))
            carries_average(r, &d.s, &steps);
        claim_random_system_free(&d);
    }
}

const claim claims_gni_energy[] = {
    {"gni-energy-biinvariant",
     "The GNI conserves H(g, p^-) for a bi-invariant metric without potential, for any distribution, retraction and "
     "left-invariant discrete Lagrangian; at the midpoint also with a quadratic potential on R^n; without potential "
     "also for planar bodies and symmetric tops, whose metrics are not bi-invariant. For metrics without such a "
     "symmetry it does not.",
     "[P0] theorem 1; the extension: this library, docs/theory.md section 5", 0.3, energy_biinvariant},
    {"gni-average-momentum",
     "If, besides, the distribution is right-invariant, the average momentum p~ of the GNI is transported by right "
     "translation, p~_k = Ad*_W p~_{k-1}, and H(g, p~) is constant; with other distributions it is not.",
     "[P0] 4.4", 0.3, average_momentum},
    {0},
};
