/* SPDX-License-Identifier: BSD-3-Clause */
/* [P3]: the statements on the momentum map P of the discrete Chaplygin sleigh, against dla:midpoint. */
#include "claims/fedorov2005/map.h"

/* Theorem 4 -------------------------------------------------------------------------------------------------------- */

/* The largest misfits of a run. */
typedef struct map_run {
    double map, turn;              /* (22), p1' = 2 K dtheta - p1, and (23) at each state */
    double path;                   /* (22) iterated, over the growth of rounding errors in p1 */
    double constraint;             /* (13), (14) */
    double motion;                 /* (15), (18) */
    double lemma;                  /* (21) */
    double reaction, printed;      /* (16), (17) with lambda of (5), and with the sign as printed */
    double momentum, printed_mass; /* (20), and with the mu_x that lacks its m */
    double scale;
} map_run;

/* The residuals of the paper's equations for one step, from (theta, p) to (next, out) by dq; dq0 is the step before. */
static void look_at_step(const sleigh *k, map_run *run, double theta, const double *p, const double *dq0,
                         const double *dq, double lambda)
{
    const double m = k->m, ma = k->m * k->a, d = dq[2], d0 = dq0[2], c = cos(theta), s = sin(theta);
    const double cm = cos(theta + d / 2), sm = sin(theta + d / 2), c0 = cos(theta - d0 / 2), s0 = sin(theta - d0 / 2);
    const double before = theta - d0, l = k->h * k->h * lambda;
    const double mu[2] = {m * dq[0] - ma * d * sm, m * dq[1] + ma * d * cm};
    const double nu[2] = {m * dq0[0] - ma * d0 * s0, m * dq0[1] + ma * d0 * c0};
    const double p2 = m * (dq[0] * c + dq[1] * s) - ma * d * sin(d / 2);
    const double left = k->K * d + ma / 2 * d * (dq[0] * cm + dq[1] * sm);
    const double right = k->K * d0 - ma / 2 * d0 * (dq0[0] * c0 + dq0[1] * s0);
    const double across = -(dq[0] * c + dq[1] * s) * sin(d / 2) + (-dq[0] * s + dq[1] * c) * cos(d / 2);
    run->constraint = claim_larger(run->constraint, claim_larger(fabs(-dq[0] * sm + dq[1] * cm), fabs(across)));
    run->motion = claim_larger(run->motion, fabs(left - right));
    run->motion = claim_larger(run->motion, fabs(p2 - m * (dq0[0] * c + dq0[1] * s) - ma * d0 * sin(d0 / 2)));
    run->lemma = claim_larger(run->lemma, fabs(dq0[0] * c + dq0[1] * s - dq0[0] * cos(before) - dq0[1] * sin(before)));
    run->reaction = claim_larger(run->reaction, claim_larger(fabs(mu[0] - nu[0] - l * s), fabs(mu[1] - nu[1] + l * c)));
    run->printed = claim_larger(run->printed, claim_larger(fabs(mu[0] - nu[0] + l * s), fabs(mu[1] - nu[1] - l * c)));
    run->momentum = claim_larger(run->momentum, claim_larger(fabs(mu[0] * c + mu[1] * s - p[1]), fabs(left - p[0])));
    run->printed_mass = claim_larger(run->printed_mass, fabs((dq[0] - ma * d * sm) * c + mu[1] * s - p[1]));
}

/* Steps, each against P; *growth: of p1, and of its rounding errors. */
static int run_map(claim_report *r, const sleigh *k, lg_integrator *it, int steps, map_run *run)
{
    double p[2], path[2], next[2], dq0[3] = {0}, dq[3], growth = 1, first;
    memset(run, 0, sizeof *run);
    sleigh_momenta(k, it, path);
    first = fabs(path[0]);
    for (int i = 0; i < steps; i++) {
        double theta = lg_integrator_configuration(it)[2], d;
        sleigh_momenta(k, it, p);
        if (!claim_steps(r, it, 1)) return 0;
        for (int j = 0; j < 3; j++) dq[j] = k->h * lg_integrator_step_velocity(it)[j];
        if (i > 0) look_at_step(k, run, theta, p, dq0, dq, lg_integrator_multipliers(it)[0]);
        memcpy(dq0, dq, sizeof dq);
        d = sleigh_turn(k, p);
        sleigh_map(k, p, d, next);
        run->turn = claim_larger(run->turn, fabs(d - dq[2]));
        run->map = claim_larger(run->map, fabs(2 * k->K * d - p[0] - next[0]));
        sleigh_momenta(k, it, p);
        run->map = claim_larger(run->map, claim_gap(next, p, 2));
        sleigh_map(k, path, sleigh_turn(k, path), next);
        memcpy(path, next, sizeof path);
        growth = claim_larger(growth, fabs(p[0]) / first);
        run->path = claim_larger(run->path, claim_gap(path, p, 2) / growth);
        run->scale = claim_larger(run->scale, hypot(p[0], p[1]));
    }
    return 1;
}

static void say_map(claim_report *r, const sleigh *k, const map_run *run, int steps)
{
    static const char *const why = "round-off of a step, measured 2e-14";
    const double s = run->scale;
    claim_below(r, run->map / s, 1e-13, why, "(22) and p1' = 2 K dtheta - p1");
    claim_below(r, run->turn / s, 1e-13, why, "(23)");
    claim_below(r, run->path / s, 1e-13, "round-off, measured 2e-14", "(22) iterated %d times", steps);
    claim_below(r, run->constraint / s, 1e-13, why, "(13), (14)");
    claim_below(r, run->motion / s, 1e-13, why, "(15), (18)");
    claim_below(r, run->lemma / s, 1e-13, why, "lemma 1, (21)");
    claim_below(r, run->momentum / s, 1e-13, why, "(19), (20), with m in mu_x");
    claim_below(r, run->reaction / s, 1e-13, why, "(16), (17), with lambda_k of (5)");
    claim_control(r, run->printed / s, 1e-3, "the sign of lambda as printed", "(16), (17)");
    if (fabs(k->m - 1) > 0.1) claim_control(r, run->printed_mass / s, 1e-3, "mu_x as printed, without m", "(20)");
}

static void momentum_map(claim_report *r)
{
    const int steps = r->full ? 5000 : 200;
    sleigh k;
    lg_rng rng = {31};
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < SLEIGHS && sleigh_numbered(r, &k, i); i++, claim_close(&k.s))
        for (int j = 0; j < 6; j++) {
            double p[2], theta = sleigh_heading(&rng);
            lg_integrator *it;
            map_run run;
            sleigh_random(&k, &rng, 0.3, p);
            it = sleigh_launch(r, &k, claim_retraction(j % 2), p, theta, lg_rng_normal(&rng), 1);
            if (it == NULL) continue;
            if (run_map(r, &k, it, steps, &run)) say_map(r, &k, &run, steps);
            lg_integrator_destroy(it);
        }
}

/* Theorem 5 -------------------------------------------------------------------------------------------------------- */

/* The largest misfits of a run with a = 0, or nearly. */
typedef struct circle_run {
    double momentum, turn, chord, centre;
    double printed; /* |(dx, dy)| without the 1/cos(dtheta/2) of the proof's formula */
} circle_run;

/* The chord of signed length l deviates from the heading theta_k by dtheta/2, like that of the circle which touches the
 * blade at each node, with the signed radius l/(2 sin(dtheta/2)). */
static int run_circle(claim_report *r, const sleigh *k, lg_integrator *it, int steps, circle_run *run)
{
    double p0[2], d0 = 0, l0 = 0, centre0[2] = {0}, p[2];
    memset(run, 0, sizeof *run);
    sleigh_momenta(k, it, p0);
    for (int i = 0; i < steps; i++) {
        const double *q = lg_integrator_configuration(it), x = q[0], y = q[1], theta = q[2];
        double d, dx, dy, along, length, radius, centre[2];
        if (!claim_steps(r, it, 1)) return 0;
        dx = k->h * lg_integrator_step_velocity(it)[0], dy = k->h * lg_integrator_step_velocity(it)[1],
        d = k->h * lg_integrator_step_velocity(it)[2];
        along = dx * cos(theta) + dy * sin(theta);
        length = copysign(hypot(dx, dy), along), radius = length / 2 / sin(d / 2);
        centre[0] = x - radius * sin(theta), centre[1] = y + radius * cos(theta);
        sleigh_momenta(k, it, p);
        if (i == 0) d0 = d, l0 = length, memcpy(centre0, centre, sizeof centre);
        run->momentum = claim_larger(run->momentum, claim_gap(p, p0, 2));
        run->turn = claim_larger(run->turn, fabs(d - d0));
        run->chord = claim_larger(run->chord, claim_larger(fabs(length - l0), fabs(length - along / cos(d / 2))));
        run->centre = claim_larger(run->centre, claim_gap(centre, centre0, 2) / (1 + fabs(radius)));
        run->printed = claim_larger(run->printed, fabs(length - along));
    }
    return 1;
}

static void say_circle(claim_report *r, const circle_run *run, int steps)
{
    static const char *const why = "round-off: half an ulp a step";
    const double bound = 1e-16 * steps;
    claim_below(r, run->momentum, bound, why, "change of (p1, p2), %d steps", steps);
    claim_below(r, run->turn, bound, why, "change of dtheta, %d steps", steps);
    claim_below(r, run->chord, bound, why, "change of the chord (dx cos + dy sin)/cos(dtheta/2), %d steps", steps);
    claim_below(r, run->centre, 2 * bound, why, "motion of the circle's centre, %d steps", steps);
    claim_control(r, run->printed, 1e-9, "the proof of theorem 5 omits cos(dtheta/2)", "chord - (dx cos + dy sin)");
}

static void balanced(claim_report *r)
{
    const int steps = r->full ? 1000000 : 1000;
    lg_rng rng = {32};
    sleigh k;
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 3 * SLEIGHS; i++) {
        const int control = i % 3 == 2; /* with its own a */
        double p[2], D[4], theta = sleigh_heading(&rng);
        lg_integrator *it;
        circle_run run;
        if (!sleigh_numbered(r, &k, i / 3)) return;
        if (!control) {
            claim_close(&k.s);
            if (!sleigh_open(r, &k, k.m, k.J, 0, k.h)) return;
        }
        sleigh_random(&k, &rng, 0.3, p);
        it = sleigh_launch(r, &k, claim_retraction(i % 2), p, theta, lg_rng_normal(&rng), 1);
        if (it != NULL && run_circle(r, &k, it, control ? 10 : steps, &run)) {
            if (control)
                claim_control(r, run.momentum, 1e-4, "not balanced", "change of (p1, p2)");
            else
                say_circle(r, &run, steps);
        }
        lg_integrator_destroy(it);
        if (!control && sleigh_derivative(r, &k, p, theta, D))
            claim_below(r, fabs(D[0] * D[3] - D[1] * D[2] - 1), 1e-13, "differences of order 8, measured 6e-15",
                        "det DP - 1");
        claim_close(&k.s);
    }
}

/* Theorem 6 -------------------------------------------------------------------------------------------------------- */

/* The straight run (0, p2) and its derivative. */
static void equilibrium(claim_report *r, const sleigh *k, double p2, double theta)
{
    static const char *const why = "differences of order 8, measured 4e-13";
    const double p[2] = {0, p2}, lambda = sleigh_multiplier(k, p2), size = claim_larger(1, fabs(lambda));
    double D[4], now[2];
    if (!sleigh_travel(r, k, p, theta, 1, 1, now)) return;
    claim_below(r, claim_gap(now, p, 2) / (k->K + fabs(p2)), 3e-15, "round-off of a step", "P(0, p2) - (0, p2)");
    if (!sleigh_derivative(r, k, p, theta, D)) return;
    claim_below(r, fabs(D[0] - lambda) / size, 5e-12, why, "lambda_1 of p2 = %.3g", p2);
    claim_below(r, copysign(1, k->a * p2) * (fabs(D[0]) - 1), 0, "stable or not", "|lambda_1| - 1, with a p2's sign");
    claim_below(r, fabs(D[3] - 1), 5e-12, why, "lambda_2 = 1");
    claim_below(r, claim_larger(fabs(D[1]), fabs(D[2])), 5e-12, why, "the off-diagonal entries of DP");
    if (fabs(k->a * p2) > 0.1 * k->K)
        claim_control(r, fabs(D[0] - exp(-k->a * p2 / k->K)) / size, 1e-6, "the continuous sleigh's multiplier",
                      "lambda_1 - exp(-a p2/K)");
}

/* A small p1 near the equilibrium changes by |lambda_1|^N, and p2 stays. */
static void neighbourhood(claim_report *r, const sleigh *k, double p2, double theta)
{
    const double lambda = fabs(sleigh_multiplier(k, p2)), small = 1e-6 * k->K, p[2] = {small, p2};
    const int most = (int)(log(1e3) / fabs(log(lambda))), steps = most < 1 ? 1 : most > 60 ? 60 : most;
    double now[2];
    if (!sleigh_travel(r, k, p, theta, 1, steps, now)) return;
    claim_between(r, fabs(now[0]) / small / pow(lambda, steps), 0.99, 1.01, "linear for small p1",
                  "|p1| after %d steps over |lambda_1|^%d, a p2/2K = %.3g", steps, steps, k->a * p2 / k->K / 2);
    if (lambda < 1) claim_below(r, fabs(now[1] - p2) / k->K, 1e-10, "O(p1^2)", "change of p2");
}

/* p2 grows, as a does, by 2 m a dtheta sin(dtheta/2), at least 2/pi m a dtheta^2, wherever p1 is not 0. */
static void no_other_equilibrium(claim_report *r, const sleigh *k, lg_rng *rng)
{
    double least = INFINITY;
    for (int i = 0; i < 50; i++) {
        double p[2], now[2], d;
        sleigh_random(k, rng, 0.4, p);
        d = sleigh_turn(k, p);
        if (isnan(d) || fabs(d) < 0.01) continue;
        if (!sleigh_travel(r, k, p, 0, 1, 1, now)) return;
        least = claim_larger(-least, -(now[1] - p[1]) / (k->m * k->a * d * d));
        least = -least;
    }
    claim_above(r, least, 2 / 3.14159265358979323846, "sin x >= 2 x/pi",
                "(p2' - p2)/(m a dtheta^2): no equilibrium with p1 != 0");
}

static void equilibria(claim_report *r)
{
    /* a p2/2K; the theorem covers those inside (-1, 1), but the formula for lambda_1 holds for the others as well. */
    static const double part[] = {-3, -1.2, -0.8, -0.3, -0.05, 0.05, 0.3, 0.8, 1.2, 3};
    sleigh k;
    lg_rng rng = {33};
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < SLEIGHS && sleigh_numbered(r, &k, i); i++, claim_close(&k.s)) {
        for (size_t j = 0; j < sizeof part / sizeof part[0]; j++) {
            const double p2 = part[j] * 2 * k.K / k.a, theta = sleigh_heading(&rng);
            equilibrium(r, &k, p2, theta);
            neighbourhood(r, &k, p2, theta);
        }
        no_other_equilibrium(r, &k, &rng);
    }
}

/* Corollary 2 ------------------------------------------------------------------------------------------------------ */

static void volume_at(claim_report *r, const sleigh *k, const double *p, double theta)
{
    double D[4], det;
    if (!sleigh_derivative(r, k, p, theta, D)) return;
    det = D[0] * D[3] - D[1] * D[2];
    claim_below(r, fabs(det - sleigh_determinant(k, p, 0.25)), 2e-13, "differences of order 8, measured 9e-15",
                "det DP at (%.3g, %.3g) against its closed form", p[0], p[1]);
    if (k->a == 0) {
        claim_below(r, fabs(det - 1), 1e-13, "differences of order 8, measured 6e-15", "det DP - 1");
        return;
    }
    claim_above(r, fabs(det - 1), 1e-5, "the volume is not preserved", "|det DP - 1| at (%.3g, %.3g)", p[0], p[1]);
    if (fabs(sleigh_turn(k, p)) > 0.1)
        claim_control(r, fabs(det - sleigh_determinant(k, p, 1)), 1e-7, "dF/ddtheta as printed, without a factor 1/4",
                      "det DP at (%.3g, %.3g)", p[0], p[1]);
}

static void measure(claim_report *r)
{
    static const double known[3][3] = {
        {0.06, -0.24, 1.04723378111}, {0.3, 0.2, 0.959683169808}, {0.3, -0.2, 1.03868750221}};
    sleigh k;
    lg_rng rng = {34};
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < 2 * SLEIGHS && sleigh_numbered(r, &k, i / 2); i++, claim_close(&k.s)) {
        double D[4], p[2];
        if (i % 2 == 1) {
            claim_close(&k.s);
            if (!sleigh_open(r, &k, k.m, k.J, 0, k.h)) return;
        }
        for (int j = 0; j < 3 && i == 0; j++)
            if (sleigh_derivative(r, &k, known[j], 0.4, D))
                claim_below(r, fabs(D[0] * D[3] - D[1] * D[2] - known[j][2]), 6e-12, "12 digits are given",
                            "det DP at (%g, %g)", known[j][0], known[j][1]);
        for (int j = 0; j < 6; j++) {
            sleigh_random(&k, &rng, 0.3, p);
            volume_at(r, &k, p, sleigh_heading(&rng));
        }
    }
}

/* Heteroclinic orbits ---------------------------------------------------------------------------------------------- */

/* p2 where the orbit of p ends, at p1 = 0, forwards or backwards in time. NAN after trouble. */
static double limit(claim_report *r, const sleigh *k, const double *p, double time)
{
    lg_integrator *it = sleigh_launch(r, k, "exp", p, 0, 0, time);
    double now[2] = {p[0], NAN};
    for (int i = 0; it != NULL && i < 20000 && fabs(now[0]) > 1e-13 * k->K; i++) {
        if (!claim_steps(r, it, 1)) break;
        sleigh_momenta(k, it, now);
    }
    lg_integrator_destroy(it);
    return fabs(now[0]) <= 1e-13 * k->K ? now[1] : NAN;
}

/* The orbits through p2 = 0 and those between two points that R = (p1, -p2) exchanges are their own mirror images. */
static void symmetric_orbit(claim_report *r, const sleigh *k, double d)
{
    const double points[2][2] = {{k->K * d, 0}, {k->K * d, -k->m * k->a * d * sin(d / 2)}};
    for (int i = 0; i < 2; i++) {
        const double start = limit(r, k, points[i], -1), end = limit(r, k, points[i], 1);
        claim_below(r, fabs(start + end) / k->K, 3e-14, "round-off, exact by P R P = R",
                    "the ends of a symmetric orbit: (0, %.3g) and (0, %.3g)", start, end);
        claim_above(r, k->a > 0 ? end : -end, 1e-3 * k->K, "p2 grows as a does", "where the orbit ends");
    }
}

static void reversible(claim_report *r, const sleigh *k, lg_rng *rng)
{
    double most = 0, p[2], back[2];
    for (int i = 0; i < 20; i++) {
        sleigh_random(k, rng, 0.3, p);
        if (!sleigh_travel(r, k, p, sleigh_heading(rng), 1, 1, back)) return;
        back[1] = -back[1];
        if (!sleigh_travel(r, k, back, sleigh_heading(rng), 1, 1, back)) return;
        back[1] = -back[1];
        most = claim_larger(most, claim_gap(back, p, 2) / k->K);
    }
    claim_below(r, most, 2e-14, "round-off of two steps, measured 3e-15", "R P R P = 1");
}

/* |p2(end)/c - 1|, the largest over orbits that leave (0, -c) at as many phases. */
static double split(claim_report *r, const sleigh *k, double c)
{
    const double p2 = -copysign(c, k->a), lambda = sleigh_multiplier(k, p2);
    const int phases = r->full ? 16 : 8;
    double most = 0;
    for (int i = 0; i < phases; i++) {
        const double p[2] = {1e-8 * k->K * pow(lambda, (double)i / phases), p2};
        most = claim_larger(most, fabs(limit(r, k, p, 1) / -p2 - 1));
    }
    return most;
}

static void heteroclinic(claim_report *r)
{
    sleigh k;
    lg_rng rng = {35};
    if (!claim_own_systems(r)) return;
    for (int i = 0; i < SLEIGHS && sleigh_numbered(r, &k, i); i++, claim_close(&k.s)) {
        double c = 0.06 * k.K / fabs(k.a);
        for (int j = 0; j < 8; j++) symmetric_orbit(r, &k, (j % 2 == 0 ? 0.1 : -0.1) * (j + 1));
        reversible(r, &k, &rng);
        claim_below(r, split(r, &k, c), 1e-13, "round-off, the splitting is below it",
                    "any orbit that leaves (0, -c) ends at (0, c), c = %.3g", c);
        if (i > 0) continue;
        claim_below(r, split(r, &k, 1), 1e-13, "round-off, the splitting is 2e-15", "the same, c = 1");
        claim_between(r, split(r, &k, 1.5), 3.5e-8, 4.5e-8, "P iterated by itself gives 4.3e-8", "they split, c = 1.5");
        claim_control(r, split(r, &k, 1.8), 1e-5, "generic orbits of large momentum, P by itself 1.8e-5", "c = 1.8");
    }
}

const claim claims_discrete_sleigh[] = {
    {"sleigh-momentum-map",
     "The momenta of dla:midpoint follow the map P of the paper, its path the equations of the paper, for every "
     "sleigh, step, heading and momentum across the blade.",
     "[P3] theorem 4, (13)-(23), lemma 1", 0.1, momentum_map},
    {"sleigh-balanced",
     "With a = 0 the momenta of the discrete sleigh, its turn and its chord are constant, its contact moves on a "
     "circle and P preserves the volume.",
     "[P3] theorem 5", 0.1, balanced},
    {"sleigh-equilibria",
     "The equilibria of P are the straight runs (0, p2), with multipliers (2K - a p2)/(2K + a p2) and 1: stable, in p1 "
     "asymptotically, for a p2 > 0, beyond 2K too, unstable for a p2 < 0.",
     "[P3] theorem 6, (24)", 0.1, equilibria},
    {"sleigh-measure", "P preserves the volume of the momentum plane if and only if a = 0.", "[P3] corollary 2", 0.1,
     measure},
    {"sleigh-heteroclinic",
     "P is reversible, P R P = R with R = (p1, -p2): orbits that are their own mirror images connect (0, -c) to (0, c) "
     "exactly, all others up to an exponentially small splitting.",
     "[P3] section 4.4, figure 2; the reversor is this library's", 0.8, heteroclinic},
    {0},
};
