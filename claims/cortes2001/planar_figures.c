/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of [P0] and [P1] that show planar systems. */
#include "claims/cortes2001/dla.h"

#include <stdio.h>

/* From low to high. */
typedef struct range {
    double low, high;
} range;

/* The energies and constraints of a run. */
typedef struct band {
    range H;                   /* H(p~) */
    range plus;                /* H(p^+) */
    range middle;              /* the energy of L at the middles of the steps, with the steps' velocities */
    range early, late;         /* H(p~) in the first and the second half */
    double residual, discrete; /* largest |A J^-1 p~|, and |omega_d| at the middles */
    lg_trend trend;            /* of H(p~): */
    double slope, half;
} band;

static double energy_of(const claim_system *s, const double *q, const double *p)
{
    double H = NAN;
    return lg_system_energy(s->S, &H, 0, q, p, NULL) == LG_OK ? H : NAN;
}

/* The middle of q0 and q1 and D_2 L_d of the midpoint rule there; these systems are abelian. */
static void arrive(const claim_system *s, double h, const double *q0, const double *v, double *middle, double *p)
{
    const lg_call c = claim_call(s, (double[]){0});
    double J[CLAIM_DIM * CLAIM_DIM], slope[CLAIM_DIM] = {0}, dV[CLAIM_DIM];
    for (int i = 0; i < s->n; i++) middle[i] = q0[i] + h / 2 * v[i];
    claim_metric(s, 0, middle, J);
    claim_gradient(s, 0, middle, dV);
    if (s->S->callbacks.metric_gradient != NULL && s->S->callbacks.metric_gradient(&c, middle, v, slope) != 0)
        slope[0] = NAN;
    for (int i = 0; i < s->n; i++) p[i] = claim_dot(s->n, J + i * s->n, v) + h / 2 * (slope[i] - dV[i]);
}

/* An integrator at t = h whose first two points are exact. */
static lg_integrator *launch_exactly(claim_report *r, const claim_system *s, const char *method, double h)
{
    claim_state one;
    double v[CLAIM_DIM], middle[CLAIM_ELEMENT], p[CLAIM_DIM];
    lg_integrator *it;
    if (!claim_truth(r, s, h, 16, &one, NULL)) return NULL;
    for (int i = 0; i < s->n; i++) v[i] = (one.g[i] - s->g0[i]) / h;
    arrive(s, h, s->g0, v, middle, p);
    it = claim_start(r, s, method, "exp", h, LG_START_REACTION);
    if (it == NULL) return NULL;
    if (strncmp(method, "gni", 3) == 0) {
        double Q[CLAIM_DIM * CLAIM_DIM], minus[CLAIM_DIM];
        if (lg_system_projectors(s->S, NULL, Q, NULL, h, one.g, NULL) != LG_OK) Q[0] = NAN;
        for (int i = 0; i < s->n; i++) minus[i] = p[i] - 2 * claim_dot(s->n, Q + i * s->n, p);
        memcpy(p, minus, sizeof p);
    }
    if (claim_ok(r, lg_integrator_start_momentum(it, h, one.g, p), "start", lg_integrator_message(it))) return it;
    lg_integrator_destroy(it);
    return NULL;
}

/* The energy of L and omega_d in the middle of a step from q0 with velocity v. */
static double look_at_middle(const claim_system *s, double h, const double *q0, const double *v, double *discrete)
{
    double middle[CLAIM_ELEMENT], p[CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM];
    arrive(s, h, q0, v, middle, p);
    claim_metric(s, 0, middle, J);
    for (int i = 0; i < s->n; i++) p[i] = claim_dot(s->n, J + i * s->n, v);
    claim_rows(s, 0, middle, A, NULL);
    for (int i = 0; i < s->m; i++) *discrete = claim_larger(*discrete, fabs(claim_dot(s->n, A + i * s->n, v)));
    return energy_of(s, middle, p);
}

static void widen(range *R, double value)
{
    if (!(value >= R->low)) R->low = value;
    if (!(value <= R->high)) R->high = value;
}

static int watch(claim_report *r, const claim_system *s, lg_integrator *it, int64_t steps, band *b)
{
    static const range none = {INFINITY, -INFINITY};
    memset(b, 0, sizeof *b);
    b->H = b->plus = b->middle = b->early = b->late = none;
    lg_trend_begin(&b->trend);
    for (int64_t k = 1; k <= steps; k++) {
        double q0[CLAIM_ELEMENT];
        memcpy(q0, lg_integrator_configuration(it), (size_t)s->size * sizeof *q0);
        if (!claim_steps(r, it, 1)) return 0;
        widen(&b->H, lg_integrator_energy(it));
        widen(k <= steps / 2 ? &b->early : &b->late, lg_integrator_energy(it));
        widen(&b->plus, energy_of(s, lg_integrator_configuration(it), lg_integrator_momentum_plus(it)));
        widen(&b->middle,
              look_at_middle(s, lg_integrator_step_size(it), q0, lg_integrator_step_velocity(it), &b->discrete));
        b->residual = claim_larger(b->residual, lg_integrator_constraint_residual(it));
        lg_trend_add(&b->trend, lg_integrator_time(it), lg_integrator_energy(it));
    }
    b->slope = lg_trend_slope(&b->trend, &b->half);
    return 1;
}

/* A run of `steps` steps from the initial data of s, or from two exact points. 0 after trouble. */
static int run(claim_report *r, const claim_system *s, const char *method, double h, int64_t steps, int exact, band *b)
{
    lg_integrator *it = exact ? launch_exactly(r, s, method, h) : claim_start_projected(r, s, method, "exp", h);
    const int ok = it != NULL && watch(r, s, it, steps, b);
    lg_integrator_destroy(it);
    return ok;
}

/* [P1], figures 1 to 4: DLA against rk4 ---------------------------------------------------------------------------- */

/* The range shown in a figure. */
static void shown(claim_report *r, const range *R, double low, double high, const char *of)
{
    claim_between(r, R->low, low - 5e-4, low + 5e-4, "read off an independent run", "least %s, h = 0.2, t <= 250", of);
    claim_between(r, R->high, high - 5e-4, high + 5e-4, "read off an independent run", "largest %s", of);
}

/* The energy of DLA stays in its band without trend, that of rk4 has a trend; DLA keeps omega_d, rk4 leaves the
 * constraint. */
static void bounded(claim_report *r, const claim_system *s, double h, double T)
{
    const int64_t steps = (int64_t)lround(T / h);
    double width;
    band b;
    if (!run(r, s, "dla:midpoint", h, steps, 0, &b)) return;
    width = b.H.high - b.H.low;
    claim_below(r, (b.late.high - b.late.low) / (b.early.high - b.early.low), 1.1, "a bounded oscillation",
                "width of the band of H(p~), second half over first");
    claim_below(r, fabs(b.slope) * T / width, 0.05, "no trend", "|slope| T of H(p~) over the width of its band");
    claim_below(r, b.discrete, 2e-13, "round-off, measured 3e-14", "|omega_d|");
    claim_below(r, b.residual, 5e-15, "round-off", "|A J^-1 p~|");
    if (!run(r, s, "rk4", h, steps, 0, &b)) return;
    claim_control(r, fabs(b.slope) * T / width, 0.1, "rk4 loses energy steadily", "|slope| T over that width");
    claim_control(r, b.residual, 1e-6, "rk4 drifts off the constraint", "|A v|");
}

/* Widths of the band go like h^2, the loss of rk4 in a time like h^5. */
static void scaling(claim_report *r, const claim_system *s, double h, double T)
{
    band b[2];
    for (int i = 0; i < 2; i++)
        if (!run(r, s, "dla:midpoint", h / (1 << i), (int64_t)lround(T / h) << i, 0, &b[i])) return;
    claim_between(r, (b[0].H.high - b[0].H.low) / (b[1].H.high - b[1].H.low), 3.8, 4.2, "O(h^2)",
                  "width of the band of H(p~), h = %g over h/2", h);
    for (int i = 0; i < 2; i++)
        if (!run(r, s, "rk4", h / (1 << i), (int64_t)lround(T / h) << i, 0, &b[i])) return;
    claim_between(r, b[0].slope / b[1].slope, 28, 36, "O(h^5), dissipation of rk4", "slope of H, h = %g over h/2", h);
}

/* Random data with momenta of that size. */
static void shake(claim_system *s, lg_rng *rng, double size)
{
    for (int i = 0; i < s->n; i++) {
        s->g0[i] += 0.5 * lg_rng_normal(rng);
        s->xi0[i] += size * lg_rng_normal(rng);
    }
}

static void particle_figure(claim_report *r)
{
    const double T = r->full ? 20000 : 250;
    lg_rng rng = {51};
    claim_system s;
    band b;
    if (!claim_own_systems(r) || !claim_open(r, &s, "particle-quadratic", NULL)) return;
    if (run(r, &s, "dla:midpoint", 0.2, 1250, 0, &b)) {
        shown(r, &b.plus, 2.490, 2.520, "H(p+)");
        shown(r, &b.middle, 2.455, 2.470, "energy at the middles");
    }
    if (run(r, &s, "dla:midpoint", 0.2, 1250, 1, &b)) shown(r, &b.plus, 2.498, 2.528, "H(p+), two exact points");
    if (run(r, &s, "rk4", 0.2, 1250, 0, &b)) {
        claim_between(r, b.H.low, 2.4835, 2.4848, "figure 1: rk4 falls", "least H, h = 0.2, t <= 250");
        claim_between(r, b.residual, 6.0e-4, 6.2e-4, "figure 2", "largest |z' - y x'|");
    }
    if (r->full && run(r, &s, "dla:midpoint", 0.2, 1000000, 0, &b)) {
        shown(r, &b.plus, 2.4901, 2.5198, "H(p+), 1e6 steps");
        claim_below(r, fabs(b.slope), 2 * b.half, "no trend, 95 %", "|slope| of H(p~), 1e6 steps");
    }
    scaling(r, &s, 0.2, 250);
    for (int i = 0; i < 6; i++) {
        bounded(r, &s, i % 2 == 0 ? 0.2 : 0.15, T);
        shake(&s, &rng, 0.4);
    }
    claim_close(&s);
}

static void robot_figure(claim_report *r)
{
    static const char *const settings[] = {NULL, "Iw=0.5", "m=2 r=0.7", "I=0.4 Iw=2 r=1.3", "m=0.5 I=3"};
    const double T = r->full ? 20000 : 250;
    lg_rng rng = {52};
    if (!claim_own_systems(r)) return;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        claim_system s;
        band b;
        if (!claim_open(r, &s, "mobile-robot", settings[i])) return;
        if (i == 0) {
            if (run(r, &s, "dla:midpoint", 0.2, 1250, 0, &b)) shown(r, &b.H, -2.130, -2.111, "H(p~)");
            if (run(r, &s, "rk4", 0.2, 1250, 0, &b)) {
                claim_between(r, b.H.low, -2.2095, -2.2075, "figure 3: rk4 falls", "least H, h = 0.2, t <= 250");
                claim_between(r, b.residual, 3.7e-5, 3.9e-5, "figure 4", "largest |omega_1|, |omega_2|");
            }
            scaling(r, &s, 0.1, 250);
        }
        bounded(r, &s, 0.2, T);
        shake(&s, &rng, 0.3);
        bounded(r, &s, 0.2, T);
        claim_close(&s);
    }
}

/* [P0], figure 2: energies of the free particle -------------------------------------------------------------------- */

/* Largest |H - H_0|/H_0 of H(p^-) for the GNI and of H(p^+) else, where in y it was and how it ended. */
typedef struct hump {
    double top, at, end;
} hump;

static int cross(claim_report *r, const claim_system *s, const char *method, double h, int steps, hump *out)
{
    const int gni = strncmp(method, "gni", 3) == 0;
    lg_integrator *it = claim_start(r, s, method, "exp", h, LG_START_REACTION);
    double H0 = NAN;
    memset(out, 0, sizeof *out);
    if (it == NULL) return 0;
    for (int k = 0; k < steps && claim_steps(r, it, 1); k++) {
        const double H = gni ? lg_integrator_energy_post(it)
                             : energy_of(s, lg_integrator_configuration(it), lg_integrator_momentum_plus(it));
        if (k == 0) H0 = H;
        out->end = (H - H0) / H0;
        if (!(fabs(out->end) <= out->top)) out->top = fabs(out->end), out->at = lg_integrator_configuration(it)[1];
    }
    lg_integrator_destroy(it);
    return 1;
}

static void crossing(claim_report *r, claim_system *s, int own)
{
    static const char *const methods[] = {"gni", "gni:midpoint", "gni:euler-a", "gni:alpha=0.3"};
    const double h = 0.2, vy = s->xi0[1];
    const int steps = (int)lround(-2 * s->g0[1] / (h * vy));
    hump dla, fine, gni;
    for (int i = 0; i < 4; i++)
        if (cross(r, s, methods[i], h, r->full ? 1000000 : steps, &gni))
            claim_below(r, gni.top, r->full ? 1e-12 : 1e-14, "round-off, carried by p", "|H(p-) - H_0|/H_0, h = 0.2");
    if (!cross(r, s, "dla:midpoint", h, steps, &dla) || !cross(r, s, "dla:midpoint", h / 2, 2 * steps, &fine)) return;
    if (own) claim_between(r, dla.top, 4.6e-3, 4.8e-3, "figure 2, independent run", "hump of H(p+)/H_0, h = 0.2");
    claim_control(r, dla.top, 1e-4, "DLA does not conserve it", "hump of H(p+)/H_0 for H(p-) = H_0");
    claim_below(r, fabs(dla.at), 1.01 * h * vy, "the hump is at y = 0", "|y| at the top");
    claim_below(r, fabs(dla.end), 1e-13, "H(p+) is even in y", "H(p+) back at the end");
    claim_between(r, dla.top / fine.top, 3.8, 4.2, "O(h^2)", "hump, h = 0.2 over h = 0.1");
}

static void energy_figure(claim_report *r)
{
    lg_rng rng = {53};
    claim_system s;
    if (!claim_own_systems(r) || !claim_open(r, &s, "particle", NULL)) return;
    for (int i = 0; i < 6; i++) {
        crossing(r, &s, i == 0);
        s.xi0[0] = 0.5 + lg_rng_uniform(&rng);
        s.xi0[1] = 0.5 + lg_rng_uniform(&rng);
        s.g0[1] = -0.2 * s.xi0[1] * 20;
        s.xi0[2] = s.g0[1] * s.xi0[0];
    }
    claim_close(&s);
}

/* [P0], figure 5: errors on the sleigh ----------------------------------------------------------------------------- */

/* Errors in R^3 after the first steps, q0 and q1 exact; out[j] after at[j] steps, the last: the largest so far. */
enum { MARKS = 3 };
static int errors_of(claim_report *r, const claim_system *s, const char *method, double h, const int *at, double *out)
{
    lg_integrator *it = launch_exactly(r, s, method, h);
    double most = 0;
    int j = 0;
    if (it == NULL) return 0;
    for (int k = 2; j < MARKS; k++) {
        const double *q;
        claim_state truth;
        double e;
        if (!claim_steps(r, it, 1) || !claim_truth(r, s, lg_integrator_time(it), 16, &truth, NULL)) break;
        q = lg_integrator_configuration(it);
        e = hypot(hypot(q[0] - truth.g[0], q[1] - truth.g[1]), remainder(q[2] - truth.g[2], 8 * atan(1)));
        most = claim_larger(most, e);
        if (k == at[j]) out[j++] = e;
    }
    lg_integrator_destroy(it);
    out[MARKS] = most;
    return j == MARKS;
}

/* The errors of the figure, and the orders behind them. */
static void sleigh_own(claim_report *r, const claim_system *s)
{
    static const struct {
        const char *method;
        double want[MARKS], low, high;
    } rows[] = {{"gni:midpoint", {3.2e-3, 4.9e-3, 5.1e-2}, 1.95, 2.05},
                {"dla:midpoint", {4.4e-3, 1.13e-2, 1.32e-2}, 1.95, 2.05},
                {"dla:midleft", {0.30, 0.80, 3.4}, 0.8, 1.05}};
    static const int marks[MARKS] = {20, 50, 100}, short_run[MARKS] = {5, 20, 50}, twice[MARKS] = {10, 40, 100};
    double e[MARKS + 1], fine[MARKS + 1];
    for (int i = 0; i < 3; i++) {
        if (!errors_of(r, s, rows[i].method, 0.1, marks, e)) return;
        for (int j = 0; j < MARKS; j++)
            claim_between(r, e[j] / rows[i].want[j], 0.97, 1.03, "figure 5, independent run, two digits",
                          "error at k = %d over %.3g", marks[j], rows[i].want[j]);
        if (!errors_of(r, s, rows[i].method, 0.1, short_run, e)) return;
        if (!errors_of(r, s, rows[i].method, 0.05, twice, fine)) return;
        claim_between(r, log2(e[MARKS] / fine[MARKS]), rows[i].low, rows[i].high, "order of the rule",
                      "order of the largest error, t <= 5");
    }
}

/* The errors of both methods are similar; with the constraint at the left end that of DLA is 10 to 500 times as
 * large. */
static void sleigh_alike(claim_report *r, const claim_system *s)
{
    static const int marks[MARKS] = {5, 20, 50};
    double gni[MARKS + 1], dla[MARKS + 1], left[MARKS + 1];
    if (!errors_of(r, s, "gni:midpoint", 0.1, marks, gni) || !errors_of(r, s, "dla:midleft", 0.1, marks, left)) return;
    if (!errors_of(r, s, "dla:midpoint", 0.1, marks, dla)) return;
    claim_between(r, gni[MARKS] / dla[MARKS], 0.1, 3, "measured 0.2 to 1.5",
                  "largest error of gni:midpoint over DLA's");
    claim_control(r, left[MARKS] / dla[MARKS], 10, "omega_d at the left end", "error of dla:midleft over DLA's");
}

static void sleigh_figure(claim_report *r)
{
    lg_rng rng = {54};
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < (r->full ? 100 : 10); i++) {
        const double a = i == 0 ? 0.2 : 0.1 + 0.3 * lg_rng_uniform(&rng);
        const double heading = 6 * lg_rng_uniform(&rng) - 3;
        const double u = (i % 2 ? -1 : 1) * (0.5 + 1.5 * lg_rng_uniform(&rng));
        char settings[32];
        claim_system s;
        snprintf(settings, sizeof settings, "a=%.3g", a);
        if (!claim_open(r, &s, "chaplygin-sleigh-planar", settings)) return;
        if (i == 0) {
            sleigh_own(r, &s);
        } else {
            s.g0[2] = heading;
            s.xi0[0] = u * cos(heading), s.xi0[1] = u * sin(heading), s.xi0[2] = 0.3 + lg_rng_uniform(&rng);
        }
        sleigh_alike(r, &s);
        claim_close(&s);
    }
}

const claim claims_planar_figures[] = {
    {"particle-figure",
     "Particle in x^2 + y^2: the energy of DLA oscillates in a band of width O(h^2) without a trend, that of the "
     "classical Runge-Kutta method falls; DLA keeps the discrete constraint, Runge-Kutta drifts off.",
     "[P1] section 6.1, figures 1, 2", 0.2, particle_figure},
    {"robot-figure", "As particle-figure, on the mobile robot with fixed orientation in 10 sin psi.",
     "[P1] section 6.2, figures 3, 4", 0.2, robot_figure},
    {"gni-dla-energy-figure",
     "Free particle: H(p^-) of the GNI is constant, H(p^+) of DLA has a hump where it passes y = 0 and comes back.",
     "[P0] section 5, figure 2", 0.1, energy_figure},
    {"sleigh-error-figure",
     "From two exact points GNI and midpoint DLA follow the sleigh with similar errors; the constraint at the left end "
     "makes DLA worse by one to two orders of magnitude.",
     "[P0] section 5, figure 5", 0.2, sleigh_figure},
    {0},
};
