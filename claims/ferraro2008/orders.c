/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNI: the effect of its starts, and its compositions (docs/theory.md sections 4, 5 and 9). */
#include <stdio.h>

#include "claims/framework/harness.h"

/* Compositions ----------------------------------------------------------------------------------------------------- */

/* Tables of Yoshida, Suzuki, Kahan and Li, as in the literature. */
static const struct composition {
    const char *name;
    int order, stages;
    double c[9];
} compositions[] = {
    {"yoshida4", 4, 3, {1.351207191959657634, -1.702414383919315268, 1.351207191959657634}},
    {"suzuki4",
     4,
     5,
     {0.4144907717943757371, 0.4144907717943757371, -0.6579630871775029486, 0.4144907717943757371,
      0.4144907717943757371}},
    {"kahan-li6",
     6,
     9,
     {0.39216144400731413928, 0.3325991367893594386, -0.70624617255763935981, 0.08221359629355080023,
      0.7985439909348299634, 0.08221359629355080023, -0.70624617255763935981, 0.3325991367893594386,
      0.39216144400731413928}},
};
enum { COMPOSITIONS = 3, STAGES = 9 };

/* One step of the table by single steps of the GNI, with p^- passed on unchanged or, with `rescale`, with its normal
 * part scaled to the next step. */
static int naive_step(claim_report *r, const claim_system *s, lg_integrator *const *stage, const struct composition *c,
                      int rescale, const lg_integrator **last)
{
    for (int k = 0; k < c->stages; k++) {
        if (*last != NULL) {
            double p[CLAIM_DIM];
            const double ratio = rescale ? lg_integrator_step_size(stage[k]) / lg_integrator_step_size(*last) : 1;
            for (int i = 0; i < s->n; i++)
                p[i] = lg_integrator_momentum(*last)[i] +
                       ratio * (lg_integrator_momentum_minus(*last)[i] - lg_integrator_momentum(*last)[i]);
            const lg_status status = lg_integrator_start_momentum(stage[k], lg_integrator_time(*last),
                                                                  lg_integrator_configuration(*last), p);
            if (!claim_ok(r, status, "a stage", lg_integrator_message(stage[k]))) return 0;
        }
        if (!claim_steps(r, stage[k], 1)) return 0;
        *last = stage[k];
    }
    return 1;
}

/* Errors of g at T with `count`, 2 count ... steps of the naive composition; NaN after trouble. */
/* The order of what it says, where errors are above round-off. */
static void order_if_any(claim_report *r, double order, double low, double high, const char *why, const char *what,
                         const char *more)
{
    if (isnan(order))
        claim_skip(r, "order");
    else
        claim_order_between(r, order, low, high, why, "order of %s%s%s%s", what, more[0] != '\0' ? "`" : "", more,
                            more[0] != '\0' ? "`" : "");
}

static void naive_errors(claim_report *r, const claim_system *s, const char *retraction, const struct composition *c,
                         int rescale, double T, int count, int levels, const claim_state *truth, double *errors)
{
    for (int level = 0; level < levels; level++) {
        const int steps = count << level;
        lg_integrator *stage[STAGES] = {NULL};
        const lg_integrator *last = NULL;
        int ok = 1;
        for (int k = 0; k < c->stages; k++) {
            stage[k] = claim_start(r, s, "gni", retraction, c->c[k] * T / steps, LG_START_REACTION);
            ok = ok && stage[k] != NULL;
        }
        for (int k = 0; ok && k < steps; k++) ok = naive_step(r, s, stage, c, rescale, &last);
        errors[level] = ok ? claim_distance(s->G, truth->g, lg_integrator_configuration(last)) : (double)NAN;
        for (int k = 0; k < c->stages; k++) lg_integrator_destroy(stage[k]);
    }
}

/* The length of the run, the number of steps and the floor: errors below it come from the reference or round-off. */
enum { BEGIN = 4, LEVELS = 4 };

static int truth_of(claim_report *r, const claim_system *s, double *T, claim_state *truth, double *floor)
{
    double error;
    *T = 5 * s->h;
    if (!claim_truth(r, s, *T, 40, truth, &error)) return 0;
    *floor = fmax(20 * error, 2e-12);
    return 1;
}

static void composes(claim_report *r, const claim_system *s, void *context)
{
    claim_state truth;
    double T, floor;
    (void)context;
    if (!truth_of(r, s, &T, &truth, &floor)) return;
    for (int k = 0; k < 2 * COMPOSITIONS && claim_retraction(k % 2) != NULL; k++) {
        const struct composition *c = &compositions[k / 2];
        char method[32];
        claim_order o;
        snprintf(method, sizeof method, "gni@%s", c->name);
        if (!claim_measure_order(r, s, method, claim_retraction(k % 2), LG_START_REACTION, T, BEGIN, LEVELS, &truth,
                                 floor, &o))
            continue;
        order_if_any(r, o.g, c->order - 0.4, INFINITY, "order of the table", "g, 4 to 32 steps", "");
        order_if_any(r, o.p, c->order - 0.4, INFINITY, "order of the table", "p~, 4 to 32 steps", "");
    }
}

/* By hand: naive, and with the normal part rescaled. */
static void composes_naively(claim_report *r, const char *name)
{
    claim_system s;
    claim_state truth;
    double T, floor, errors[LEVELS];
    if (!claim_open(r, &s, name, "")) return;
    if (truth_of(r, &s, &T, &truth, &floor)) {
        for (int k = 0; k < 2 * COMPOSITIONS && claim_retraction(k % 2) != NULL; k++) {
            const struct composition *c = &compositions[k / 2];
            naive_errors(r, &s, claim_retraction(k % 2), c, 0, T, BEGIN, LEVELS, &truth, errors);
            claim_order_between(r, claim_slope(errors, LEVELS, floor), 1.7, 2.4, "p^- passed on unchanged",
                                "order of g with %s done naively", c->name);
            claim_control(r, c->order - claim_slope(errors, LEVELS, floor), 1.5, "other methods miss by about 0.4",
                          "by how much it misses the order of %s", c->name);
            naive_errors(r, &s, claim_retraction(k % 2), c, 1, T, BEGIN, LEVELS, &truth, errors);
            claim_order_between(r, claim_slope(errors, LEVELS, floor), 3.6, 4.6,
                                "single steps are not near the identity", "order of g with %s and rescaling only",
                                c->name);
        }
    }
    claim_close(&s);
}

static void composition_order(claim_report *r)
{
    static const char *const names[] = {"particle-potential", "suslov", "chaplygin-sleigh", "veselova-top"};
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, composes, NULL);
    for (int i = 0; claim_own_systems(r) && i < 4; i++) composes_naively(r, names[i]);
}

/* Starts ----------------------------------------------------------------------------------------------------------- */

static const struct {
    lg_start start;
    const char *name;
} starts[] = {{LG_START_REACTION, "reaction"}, {LG_START_LEGENDRE, "legendre"}, {LG_START_PAPER, "paper"}};

/* The components of p^- - p~ along the rows, C^-1 A J^-1 (p^- - p~). 0: singular. */
static int normal_components(const claim_system *s, const lg_integrator *it, double *u)
{
    double J[CLAIM_DIM * CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], B[CLAIM_DIM], C[CLAIM_ROWS * CLAIM_ROWS];
    const int n = s->n, m = claim_rows(s, lg_integrator_time(it), lg_integrator_configuration(it), A, NULL);
    claim_metric(s, lg_integrator_time(it), lg_integrator_configuration(it), J);
    for (int b = 0; b < m; b++) {
        if (!claim_solve(n, J, A + b * n, B)) return 0;
        u[b] = 0;
        for (int i = 0; i < n; i++)
            u[b] += B[i] * (lg_integrator_momentum_minus(it)[i] - lg_integrator_momentum(it)[i]);
        for (int a = 0; a < m; a++) {
            C[a * m + b] = 0;
            for (int i = 0; i < n; i++) C[a * m + b] += A[a * n + i] * B[i];
        }
    }
    return claim_solve(m, C, u, u);
}

/* The alternating part of the first four of them, (u_0 - 3 u_1 + 3 u_2 - u_3)/8: what a start excites of the parasitic
 * mode. The smooth part, (h/2) lambda, leaves O(h^4). NaN: refused or trouble. */
static double excited(claim_report *r, const claim_system *s, const char *retraction, double h, lg_start start)
{
    static const double weight[4] = {0.125, -0.375, 0.375, -0.125};
    lg_integrator *it = claim_start(r, s, "gni", retraction, h, start);
    double sum[CLAIM_ROWS] = {0}, u[CLAIM_ROWS], most = 0;
    int ok = it != NULL;
    for (int k = 0; k < 4 && ok; k++) {
        ok = (k == 0 || claim_steps(r, it, 1)) && normal_components(s, it, u);
        for (int a = 0; ok && a < s->m; a++) sum[a] += weight[k] * u[a];
    }
    lg_integrator_destroy(it);
    for (int a = 0; a < s->m; a++) most = fmax(most, fabs(sum[a]));
    return ok ? most : (double)NAN;
}

/* How the excited amplitude falls with h: at least h^3 for `reaction`, h for the others where there is a reaction. */
static void excites(claim_report *r, const claim_system *s, const char *retraction)
{
    double of[2][LEVELS];
    for (int k = 0; k < LEVELS; k++)
        for (int i = 0; i < 2; i++) of[i][k] = excited(r, s, retraction, ldexp(s->h, -k - 1), starts[i].start);
    const double slope = claim_slope(of[1], LEVELS, 1e-13 * fmax(1, r->slack)),
                 better = claim_slope(of[0], LEVELS, 1e-13 * fmax(1, r->slack));
    if (isnan(slope) || slope > 1.5) { /* no reaction at the start, or one that starts from 0 */
        for (int i = 0; i < 3; i++) claim_skip(r, "what the starts excite");
        return;
    }
    claim_order_between(r, slope, 0.9, 1.1, "half the reaction is missing", "excited by `legendre`: power of h");
    if (!isnan(better))
        claim_order_between(r, better, 2.5, INFINITY, "docs/theory.md section 4", "excited by `reaction`: power of h");
    else
        claim_skip(r, "excited by `reaction`: power of h");
    claim_control(r, of[1][LEVELS - 1] / of[0][LEVELS - 1], 10, "at h/16", "excited by `legendre` over by `reaction`");
}

/* 1 if ad*_xi J xi has a component along D at the start, which makes `paper` a method of order 1. */
static int paper_is_off(const claim_system *s)
{
    double J[CLAIM_DIM * CLAIM_DIM], P[CLAIM_DIM * CLAIM_DIM], p[CLAIM_DIM], along[CLAIM_DIM], most = 0, size = 0;
    const int n = s->n;
    claim_metric(s, 0, s->g0, J);
    for (int i = 0; i < n; i++) {
        p[i] = 0;
        for (int j = 0; j < n; j++) p[i] += J[i * n + j] * s->xi0[j];
        size = fmax(size, fabs(p[i]));
    }
    if (lg_group_coad_apply(s->G, p, s->xi0, p) != LG_OK) return 0;
    if (lg_system_projectors(s->S, P, NULL, NULL, 0, s->g0, NULL) != LG_OK) return 0;
    for (int i = 0; i < n; i++) {
        along[i] = 0;
        for (int j = 0; j < n; j++) along[i] += P[i * n + j] * p[j];
        most = fmax(most, fabs(along[i]));
    }
    return most > 1e-3 * size;
}

/* Error of p^- at T against the true p, by which it is off by half a reaction. */
static double leaving_order(claim_report *r, const claim_system *s, const char *retraction, double T,
                            const claim_state *truth, double floor)
{
    double errors[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        const int steps = 8 << k;
        lg_integrator *it = claim_start(r, s, "gni", retraction, T / steps, LG_START_REACTION);
        const int ok = it != NULL && claim_steps(r, it, steps);
        errors[k] = ok ? claim_gap(lg_integrator_momentum_minus(it), truth->p, s->n) : (double)NAN;
        lg_integrator_destroy(it);
    }
    return claim_slope(errors, LEVELS, floor);
}

static void starts_with(claim_report *r, const claim_system *s, void *context)
{
    claim_state truth;
    double T, floor;
    (void)context;
    if (!truth_of(r, s, &T, &truth, &floor)) return;
    for (int k = 0; claim_retraction(k) != NULL; k++) {
        const char *tau = claim_retraction(k);
        for (int i = 0; i < 3; i++) {
            claim_order o;
            const int off = starts[i].start == LG_START_PAPER && paper_is_off(s);
            if (starts[i].start == LG_START_PAPER && !claim_own_systems(r)) continue; /* known for the ledger's only */
            if (!claim_measure_order(r, s, "gni", tau, starts[i].start, T, 8, LEVELS, &truth, floor, &o)) continue;
            if (off) {
                claim_control(r, 2 - o.g, 0.3, "a first-order start", "by how much `paper` misses order 2");
            } else {
                order_if_any(r, o.g, 1.9, 2.1, "order 2", "g from ", starts[i].name);
                order_if_any(r, o.p, 1.9, 2.1, "order 2", "p~ from ", starts[i].name);
            }
        }
        const double order = leaving_order(r, s, tau, T, &truth, floor);
        if (!isnan(order) && order < 1.5)
            claim_order_between(r, order, 0.9, 1.1, "half a reaction", "order of p^- itself from `reaction`");
        else
            claim_skip(r, "order of p^- itself from `reaction`");
        if (s->S->callbacks.holonomic_count == 0) excites(r, s, tau);
    }
}

/* The paper's cases, by name: order 1 where ad*_xi J xi has a component along D, else 2. */
static void paper_cases(claim_report *r)
{
    static const struct {
        const char *name, *settings;
        int off;
    } list[] = {{"suslov", "", 1},
                {"chaplygin-sleigh", "", 1},
                {"biinvariant-so3", "", 0},
                {"rolling-ball", "", 0},
                {"particle", "", 0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        claim_system s;
        if (!claim_open(r, &s, list[i].name, list[i].settings)) continue;
        claim_case(r, s.name, "gni", NULL);
        claim_between(r, paper_is_off(&s), list[i].off, list[i].off, "[P2] and the theory of starts",
                      "1: `paper` is of order 1 here");
        claim_close(&s);
    }
}

static void start_order(claim_report *r)
{
    claim_each(r, CLAIM_VELOCITY_ROWS, 0, starts_with, NULL);
    if (claim_own_systems(r)) paper_cases(r);
}

const claim claims_gni_orders[] = {
    {"gni-composition-order",
     "Composed with each coefficient as two half steps and the normal part rescaled between them, the GNI has the "
     "order of the table, 4 or 6; done naively it stays at 2, and with the rescaling alone Kahan and Li's stay at 4.",
     "this library, docs/theory.md section 9", 0.3, composition_order},
    {"start-order",
     "From p^-_0 with half the reaction, and from J xi_0, the trapezoidal GNI converges with order 2 in g and p~; from "
     "xi_1/2 := xi_0 as in [P0] with order 1 where ad*_xi J xi has a component along D. The first excites the "
     "parasitic mode at O(h^3), the second at O(h); p^- itself is off by O(h).",
     "this library, docs/theory.md section 4; [P2] 7.4", 0.3, start_order},
    {0},
};
