/* SPDX-License-Identifier: BSD-3-Clause */
/* sem: its order and those of its compositions, against Runge-Kutta-Munthe-Kaas on the equations without multipliers,
 * which shares only the system's callbacks with sem; the limit h -> 0. */
#include <stdio.h>

#include "claims/sem/arcs.h"

#define SOURCE "this library, docs/theory.md section "

/* Orders ---------------------------------------------------------------------------------------------------------- */

enum { LEVELS = 13 };
static const int counts[LEVELS] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};

/* The accuracy that the reference needs, for order 2 and for orders up to 8. */
static const double LOW = 1e-10, HIGH = 2e-13;

/* The true state at time T = 16 h: 4096 steps of order 4, or fewer that do. */
typedef struct target {
    double T;
    claim_state truth;
    double floor; /* errors below this come from the reference or round-off */
} target;

static int read_end(claim_report *r, const claim_system *s, double T, int steps, claim_state *end)
{
    lg_integrator *it = claim_start(r, s, "rkmk4", "exp", T / steps, LG_START_REACTION);
    const int ok = it != NULL && claim_steps(r, it, steps);
    if (ok) claim_read(it, end);
    lg_integrator_destroy(it);
    return ok;
}

/* Doubles the steps of the reference until they change it by less than `enough`, relative to its size: beyond that it
 * is not the reference that limits which errors are seen. 0 after claim_trouble(). */
static int aim(claim_report *r, const claim_system *s, double enough, target *x)
{
    claim_state half;
    double size = 1, error = INFINITY;
    int steps = 256;
    x->T = 16 * s->h;
    if (!read_end(r, s, x->T, steps, &x->truth)) return 0;
    while (steps < 4096 && (r->full || !(error < enough * size))) {
        half = x->truth, steps *= 2;
        if (!read_end(r, s, x->T, steps, &x->truth)) return 0;
        for (int i = 0; i < s->size; i++) size = fmax(size, fabs(x->truth.g[i]));
        for (int i = 0; i < s->n; i++) size = fmax(size, fabs(x->truth.p[i]));
        error = fmax(claim_distance(s->G, x->truth.g, half.g), claim_gap(x->truth.p, half.p, s->n));
    }
    x->floor = fmax(r->slack, 1) * 1e-13 * size + error / 10; /* 4096 roundings in a random walk; order 4: error/15 */
    if (error < 1e-9 * size) return 1;
    claim_trouble(r, "%s: %d and %d steps of rkmk4 differ by %g", s->name, steps / 2, steps, error);
    return 0;
}

/* Errors of g and p after T with 2, 3, 4, 6 ... steps, until both are near the floor; NaN where a step fails because it
 * is too long for the system. Returns how many levels there are, 0: refused. */
static int measure(claim_report *r, const claim_system *s, const target *x, const char *method, const char *retraction,
                   double *g, double *p)
{
    int levels = 0;
    while (levels < LEVELS) {
        const int steps = counts[levels];
        lg_integrator *it = claim_start(r, s, method, retraction, x->T / steps, LG_START_REACTION);
        claim_state end;
        if (it == NULL) return 0;
        g[levels] = p[levels] = NAN;
        if (lg_integrator_run(it, steps, 1, NULL, NULL) == LG_OK) {
            claim_read(it, &end);
            g[levels] = claim_distance(s->G, x->truth.g, end.g);
            p[levels] = claim_gap(x->truth.p, end.p, s->n);
        }
        lg_integrator_destroy(it);
        levels++;
        if (g[levels - 1] < 20 * x->floor && p[levels - 1] < 20 * x->floor) break;
    }
    return levels;
}

/* The observed order: from the last errors that are 20 times above the floor, with half the steps and with all of them;
 * the floor shifts it by 0.07 at most. NaN: fewer than two do. */
static double observed(const double *error, int levels, double floor)
{
    int last = levels - 1;
    while (last >= 0 && !(error[last] > 20 * floor)) last--;
    return last >= 2 ? log(error[last - 2] / error[last]) / log((double)counts[last] / counts[last - 2]) : NAN;
}

typedef struct expected {
    const char *method;
    int order;
    double below, above; /* the tolerance for observed orders at finite steps */
} expected;

static void order_of(claim_report *r, const char *of, const double *error, int levels, const target *x,
                     const expected *e)
{
    const double slope = observed(error, levels, x->floor);
    if (!isnan(slope))
        claim_order_between(r, slope, e->order - e->below, e->order + e->above, "symmetric methods have even orders",
                            "order of %s, error %.1e at last", of, error[levels - 1]);
    else /* no level has a significant error */
        claim_below(r, error[levels - 1], 20 * x->floor, "20 times the error of the reference", "error of %s", of);
}

static void orders_of_system(claim_report *r, const claim_system *s, double enough, const expected *list, int count)
{
    const char *tau;
    double g[LEVELS], p[LEVELS];
    target x;
    if (!aim(r, s, enough, &x)) return;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++)
        for (int k = 0; claim_differs(s, i) && k < count; k++) {
            const int levels = measure(r, s, &x, list[k].method, tau, g, p);
            if (levels == 0) continue;
            order_of(r, "g", g, levels, &x, &list[k]);
            order_of(r, "p", p, levels, &x, &list[k]);
        }
}

static void order_two(claim_report *r, const claim_system *s, void *context)
{
    static const expected list[] = {
        {"sem", 2, 0.05, 0.05},
        {"sem:gonzalez", 2, 0.05, 0.05},
        {"sem:gauss=1", 2, 0.05, 0.05},
        {"sem:momentum", 2, 0.05, 0.05},
    };
    (void)context;
    orders_of_system(r, s, LOW, list, s->S->callbacks.holonomic_count > 0 ? 4 : 3);
}

/* Of collocation, as far as its errors are above round-off. */
static void order_of_stages(claim_report *r, const claim_system *s, void *context)
{
    static const expected list[] = {
        {"gauss:stages=1", 2, 0.1, 0.1}, {"gauss:stages=2", 4, 0.3, 0.5}, {"gauss:stages=3", 6, 0.6, 1.5}};
    (void)context;
    orders_of_system(r, s, HIGH, list, 3);
}

static void gauss_order(claim_report *r)
{
    claim_system s;
    target x;
    double g[LEVELS], p[LEVELS];
    claim_each(r, 0, 0, order_of_stages, NULL);
    if (!claim_own_systems(r) || !claim_open(r, &s, "heavy-top", NULL)) return;
    if (aim(r, &s, HIGH, &x)) {
        const int levels = measure(r, &s, &x, "rkmk4", "exp", g, p);
        claim_control(r, fabs(observed(g, levels, x.floor) - 6), 1.5, "order 4", "|order of g - 6|");
    }
    claim_close(&s);
}

static void order(claim_report *r)
{
    static const struct {
        const char *system, *method;
    } bad[] = {
        {"particle-potential", "gni:euler-a"}, {"heavy-top", "gni:euler-a"}, {"particle-potential", "dla:midleft"}};
    double g[LEVELS], p[LEVELS];
    claim_system s;
    target x;
    claim_each(r, 0, 0, order_two, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0] && claim_own_systems(r); i++) {
        if (!claim_open(r, &s, bad[i].system, NULL)) continue;
        if (aim(r, &s, LOW, &x)) {
            const int levels = measure(r, &s, &x, bad[i].method, "exp", g, p);
            claim_control(r, fabs(observed(p, levels, x.floor) - 2), 0.8, "one-sided: order 1", "|order of p - 2|");
        }
        claim_close(&s);
    }
}

/* Compositions ---------------------------------------------------------------------------------------------------- */

/* Orders above the expected are those of systems whose leading error is small at these steps. In double precision few
 * steps lie between the range of order 8 and the floor, only enough to distinguish 8 from 6. */
static void high_orders(claim_report *r, const claim_system *s, void *context)
{
    static const expected list[] = {
        {"sem@yoshida4", 4, 0.15, 0.15},
        {"sem@suzuki4", 4, 0.15, 0.15},
        {"sem@kahan-li6", 6, 0.4, 1.2},
        {"sem@kahan-li8", 8, 1, 3},
    };
    (void)context;
    orders_of_system(r, s, HIGH, list, 4);
}

/* Steps of c h, (1 - 2c) h, c h by hand; 0 after claim_trouble(). */
static int jumps(claim_report *r, const claim_system *s, double c, double T, int steps, claim_state *end)
{
    const double H = T / steps, part[3] = {c * H, (1 - 2 * c) * H, c * H};
    double t = 0;
    lg_integrator *it = claim_start(r, s, "sem", "exp", H, LG_START_REACTION);
    int ok = it != NULL;
    if (ok) claim_read(it, end);
    lg_integrator_destroy(it);
    for (int k = 0; ok && k < 3 * steps; k++) {
        ok = claim_ok(r, lg_integrator_create(&it, s->S, "sem", "exp", part[k % 3]), "create", NULL) &&
             claim_ok(r, lg_integrator_start_momentum(it, t, end->g, end->p), "start", lg_integrator_message(it)) &&
             claim_steps(r, it, 1);
        if (ok) claim_read(it, end);
        t += part[k % 3];
        lg_integrator_destroy(it);
    }
    return ok;
}

/* Yoshida's composition by hand is the library's; with another coefficient the order stays 2. */
static void by_hand(claim_report *r, const claim_system *s)
{
    const double good = 1 / (2 - cbrt(2)), T = 8 * s->h;
    claim_state hand, library;
    double error[3];
    target x;
    lg_integrator *it = claim_start(r, s, "sem@yoshida4", "exp", T / 8, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_steps(r, it, 8) && jumps(r, s, good, T, 8, &hand)) {
        claim_read(it, &library);
        claim_case(r, s->name, "sem@yoshida4", "exp");
        claim_below(r, fmax(claim_distance(s->G, hand.g, library.g), claim_gap(hand.p, library.p, s->n)), 2e-13,
                    "round-off of 24 steps", "difference from steps of 1.35 h, -1.70 h, 1.35 h by hand");
    }
    lg_integrator_destroy(it);
    if (!aim(r, s, LOW, &x)) return;
    for (int k = 0; k < 3; k++) {
        if (!jumps(r, s, 1.3, x.T, 16 << k, &hand)) return;
        error[k] = claim_gap(x.truth.p, hand.p, s->n);
    }
    claim_case(r, s->name, "sem, 1.3 h, -1.6 h, 1.3 h", "exp");
    claim_control(r, fabs(log2(error[1] / error[2]) - 4), 1.5, "wrong coefficients: order 2", "|order of p - 4|");
}

static void composition(claim_report *r)
{
    static const char *const names[] = {"particle-potential", "suslov", "veselova-top", "turntable"};
    claim_system s;
    claim_each(r, 0, 0, high_orders, NULL);
    for (int i = 0; i < 4 && claim_own_systems(r); i++) {
        if (!claim_open(r, &s, names[i], NULL)) continue;
        by_hand(r, &s);
        claim_close(&s);
    }
}

/* The limit h -> 0 ------------------------------------------------------------------------------------------------ */

/* Of the eigenvalues of a step's derivative on (eta, p), directions off the constraints included. */
typedef struct spectrum {
    int zeros;       /* how many are 0: the step projects onto the constraints */
    double from_one; /* of the others, the largest |lambda - 1| */
    double flip;     /* largest 1/|lambda + 1|, 1e12 at most */
    double largest;  /* largest |lambda| */
    double nearest;  /* least |lambda - wanted| */
} spectrum;

static int look(claim_report *r, const claim_system *s, const char *method, const char *retraction, double h,
                double wanted, spectrum *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, h, LG_START_REACTION);
    double M[4 * CLAIM_DIM * CLAIM_DIM], re[2 * CLAIM_DIM], im[2 * CLAIM_DIM];
    const int ok = it != NULL && claim_step_matrix(r, s, it, M) && claim_eigenvalues(2 * s->n, M, re, im);
    lg_integrator_destroy(it);
    memset(x, 0, sizeof *x);
    x->nearest = INFINITY;
    for (int i = 0; ok && i < 2 * s->n; i++) {
        const double size = hypot(re[i], im[i]);
        if (size < 0.3)
            x->zeros++;
        else
            x->from_one = claim_worse(x->from_one, hypot(re[i] - 1, im[i]));
        x->flip = claim_worse(x->flip, fmin(1e12, 1 / hypot(re[i] + 1, im[i])));
        x->largest = claim_worse(x->largest, size);
        x->nearest = fmin(x->nearest, hypot(re[i] - wanted, im[i]));
    }
    return ok;
}

static void identity_of_system(claim_report *r, const claim_system *s, void *context)
{
    const int zeros = s->m + s->S->callbacks.holonomic_count;
    const char *tau;
    spectrum x, y;
    (void)context;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        if (!claim_differs(s, i)) continue;
        if (!look(r, s, "sem", tau, s->h / 8, 1, &x) || !look(r, s, "sem", tau, s->h / 16, 1, &y)) continue;
        claim_between(r, x.zeros, zeros, zeros, "one per row, one more per holonomic constraint",
                      "number of eigenvalues of a step that are 0");
        claim_below(r, y.from_one, fmax(0.52 * x.from_one, 1e-12), "I + O(h): half of that of twice the step",
                    "largest |lambda - 1| of the others");
        claim_below(r, y.flip, 1.02, "0 or near 1", "largest 1/|lambda + 1|");
        if (s->traits & CLAIM_VELOCITY_ROWS && look(r, s, "gni", tau, s->h / 16, 1, &y))
            claim_control(r, y.flip, 100, "the parasitic mode: -1", "largest 1/|lambda + 1|");
    }
}

/* The sleigh's straight run at speed v: the angular velocity falls by exp(-x) in a step, x = h m a v/(I + m a^2). */
static void straight_run(claim_report *r)
{
    const char *tau;
    char settings[80];
    lg_rng rng = {31};
    spectrum x;
    claim_system s;
    for (int k = 0; k < 6; k++) {
        const double a = k == 0 ? 0.2 : floor(100 + 500 * lg_rng_uniform(&rng)) / 1000;
        const double v = k == 0 ? 1 : 0.5 + lg_rng_uniform(&rng), step = 0.1 * a * v / (1 + a * a);
        (void)snprintf(settings, sizeof settings, "a=%.3f", a);
        if (!claim_open(r, &s, "chaplygin-sleigh", settings)) continue;
        s.xi0[0] = v, s.xi0[1] = s.xi0[2] = 0;
        for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
            if (look(r, &s, "sem", tau, 0.1, exp(-step), &x))
                claim_below(r, x.nearest, 1.1 * step * step * step / 12, "x^3/12: (1 - x/2)/(1 + x/2) for exp(-x)",
                            "eigenvalue of the straight run less exp(-x), x = %.4f", step);
            if (look(r, &s, "gni", tau, 0.1, 1, &x))
                claim_control(r, x.largest - 1, step / 2, "|det| = 1: the parasitic mode grows",
                              "largest |lambda| - 1");
        }
        claim_close(&s);
    }
}

static void near_identity(claim_report *r)
{
    claim_each(r, 0, 0, identity_of_system, NULL);
    if (claim_own_systems(r)) straight_run(r);
}

const claim claims_sem_order[] = {
    {"sem-order",
     "sem converges with order 2 in configuration and momentum, on every system, with exp and Cayley, for any number "
     "of Gauss nodes; one-sided methods have order 1.",
     SOURCE "6", 0.6, order},
    {"sem-composition-order",
     "Compositions of sem have the orders of their tables without any correction: Yoshida's and Suzuki's 4, those of "
     "Kahan and Li 6 and 8; with other coefficients the order stays 2.",
     SOURCE "9", 1, composition},
    {"sem-near-identity",
     "A step of sem tends to the identity on the constraints as h -> 0: its derivative has an eigenvalue 0 for every "
     "row, the others tend to 1 like h, none is near -1, where the GNI has its parasitic mode.",
     SOURCE "6", 0.05, near_identity},
    {"gauss-order",
     "Gauss collocation with S stages has order 2 S in configuration and momentum, multipliers and projections included.",
     SOURCE "18", 0.6, gauss_order},
    {0},
};
