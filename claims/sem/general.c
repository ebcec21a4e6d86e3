/* SPDX-License-Identifier: BSD-3-Clause */
/* sem with metrics J(g) and with holonomic constraints; the effect of alpha = 1 (`sem:momentum`). */
#include "claims/framework/variants.h"

/* Round-off of H over so many steps: a bias of the solver of at most 8e-17 a step. */
static double roundoff(int64_t steps)
{
    return 1e-13 + 8e-17 * (double)steps;
}

/* H in a run that must not conserve it. */
static void loses_energy(claim_report *r, const claim_system *s, const char *method, double bound, const char *why)
{
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, method, "exp", s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, 200, &x)) claim_control(r, x.energy, bound, why, "largest |H - H_0|, relative, 200 steps");
    lg_integrator_destroy(it);
}

/* Metric J(g) ----------------------------------------------------------------------------------------------------- */

static void metric_run(claim_report *r, const claim_system *s, const char *method, const char *retraction)
{
    claim_extremes x;
    const int64_t steps = r->full ? 100000 : 500;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, steps, &x)) {
        claim_below(r, x.energy, roundoff(steps), "round-off; the Gauss error is smaller",
                    "largest |H - H_0|, relative, %lld steps", (long long)steps);
        claim_below(r, x.constraint, 1e-14, "round-off", "largest |A xi - b|");
    }
    lg_integrator_destroy(it);
}

static void metric_body(claim_report *r, const claim_system *s, void *context)
{
    claim_system other;
    claim_variant a = {.slope = 1e-6};
    lg_rng rng = {31};
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        metric_run(r, s, "sem", claim_retraction(i));
        metric_run(r, s, "sem:gauss=8", claim_retraction(i));
        claim_agrees(r, s, "sem", claim_retraction(i));
    }
    for (int k = 0; k < 3; k++)
        if (claim_move(r, &other, s, &rng, 0.1)) metric_run(r, &other, "sem:gauss=8", "exp");
    if (!claim_own_systems(r)) return;
    loses_energy(r, s, "nsv", 1e-7, "the variational step conserves another quantity");
    loses_energy(r, s, "gni", 1e-7, "the variational step conserves another quantity");
    loses_energy(r, s, "sem:gauss=1", 1e-7, "one Gauss node is not enough");
    if (s->S->callbacks.metric_gradient == NULL) return;
    claim_vary(&other, &a, s);
    loses_energy(r, &other, "sem", 1e-11, "dT has an error of 1e-6");
}

/* A constant metric given by a callback: nothing changes. */
static void constant_body(claim_report *r, const claim_system *s, void *context)
{
    claim_system spread;
    claim_variant a = {.spread = 1};
    claim_state one, other;
    (void)context;
    claim_vary(&spread, &a, s);
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        if (!claim_state_after(r, s, "sem", claim_retraction(i), s->h, 50, &one)) continue;
        if (!claim_state_after(r, &spread, "sem", claim_retraction(i), s->h, 50, &other)) continue;
        claim_below(r, claim_state_gap(s, &one, &other), 3e-13, "round-off, what the solver leaves in 50 steps",
                    "J as a callback against J as a matrix, 50 steps");
    }
}

/* The largest changes of (p_x, p_y, L) in space over a run: of the first body in the plane, or the sum of both. */
static int spatial_changes(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                           int bodies, double *change)
{
    const int64_t steps = r->full ? 100000 : 500;
    double back[CLAIM_ELEMENT], first[3] = {0}, now[CLAIM_DIM];
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    int ok = it != NULL;
    for (int i = 0; i < 3; i++) change[i] = 0;
    for (int64_t k = 0; ok && k <= steps; k++) {
        lg_status status = lg_group_inverse(s->G, back, lg_integrator_configuration(it));
        if (status == LG_OK) status = lg_group_coAd_apply(s->G, now, back, lg_integrator_momentum(it));
        ok = claim_ok(r, status, "the momentum in space", NULL) && claim_steps(r, it, 1);
        for (int i = 0; i < 3; i++) {
            if (bodies == 2) now[i] += now[3 + i];
            if (k == 0) first[i] = now[i];
            change[i] = fmax(change[i], fabs(now[i] - first[i]));
        }
    }
    lg_integrator_destroy(it);
    return ok;
}

/* The arm's car without its wheels, in no field: SE(2) acts from the left; in a field it does not. */
static void free_arm(claim_report *r)
{
    static const char *const settings[] = {"kx=0", NULL};
    claim_variant a = {.freed = 1};
    double change[3];
    for (int k = 0; k < 2; k++) {
        claim_system s, free;
        if (!claim_open(r, &s, "mobile-arm", settings[k])) return;
        claim_vary(&free, &a, &s);
        for (int i = 0; claim_retraction(i) != NULL; i++) {
            if (!spatial_changes(r, &free, "sem", claim_retraction(i), 1, change)) break;
            if (k == 1)
                claim_control(r, change[0], 1e-3, "V depends on the place", "change of p_x in space, no wheels");
            for (int j = 0; k == 0 && j < 3; j++)
                claim_below(r, change[j], r->full ? 1e-10 : 3e-13, "round-off times the distance travelled",
                            "change of momentum %d in space, no wheels", j + 1);
        }
        claim_close(&s);
    }
}

/* The planar sleigh's final speed is sqrt(2 E/m): a metric in which the gni's parasitic mode grows. */
static void planar_sleigh(claim_report *r)
{
    static const char *const methods[] = {"sem", "gni"};
    claim_system s;
    if (!claim_open(r, &s, "chaplygin-sleigh-planar", NULL)) return;
    for (int k = 0; k < 2; k++) {
        lg_integrator *it = claim_start(r, &s, methods[k], "exp", 0.1, LG_START_REACTION);
        double xi[CLAIM_DIM], speed;
        if (it == NULL) break;
        speed = sqrt(2 * lg_integrator_energy(it)); /* of mass 1 */
        if (claim_steps(r, it, 2000) &&
            claim_ok(r, lg_integrator_velocity(it, xi), "lg_integrator_velocity", lg_integrator_message(it))) {
            const double error = fabs(hypot(xi[0], xi[1]) - speed);
            if (k == 0)
                claim_below(r, error, 1e-12, "exact energy, theta' ~ exp(-100)", "error of the speed at t = 200");
            else
                claim_control(r, error, 1e-4, "spurious reversals", "error of the speed at t = 200");
        }
        lg_integrator_destroy(it);
    }
    claim_close(&s);
}

static void metric(claim_report *r)
{
    claim_each(r, CLAIM_METRIC, CLAIM_WORK, metric_body, NULL);
    claim_each(r, 0, CLAIM_METRIC, constant_body, NULL);
    if (!claim_own_systems(r)) return;
    free_arm(r);
    planar_sleigh(r);
}

/* Holonomic constraints -------------------------------------------------------------------------------------------- */

static void holonomic_run(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                          double gauss)
{
    claim_extremes x;
    const int64_t steps = r->full ? 100000 : 500;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it == NULL) return;
    if (claim_watch(r, it, steps, &x)) {
        claim_below(r, x.holonomic, 1e-14, "round-off, 5 times the solver's tolerance", "largest |phi|");
        claim_below(r, x.constraint, 1e-13, "round-off", "largest |A xi - b|");
        claim_below(r, x.balance / (1 + x.energy), roundoff(steps) + gauss * (double)steps,
                    "round-off; moving constraints: 1e-15 a step, phi to 4e-15",
                    "largest |H - H_0 - W|, relative, %lld steps", (long long)steps);
    }
    lg_integrator_destroy(it);
}

/* Holonomic constraints as velocity rows only: H is conserved, phi drifts by O(h^2). */
static void lowered_run(claim_report *r, const claim_system *s)
{
    double phi[CLAIM_ROWS] = {0}, most = 0;
    claim_system rows;
    claim_variant a = {.lowered = 1};
    lg_integrator *it;
    claim_vary(&rows, &a, s);
    it = claim_start(r, &rows, "sem", "exp", s->h, LG_START_REACTION);
    for (int k = 0; it != NULL && k < 200 && claim_steps(r, it, 1); k++) {
        const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
        (void)s->S->callbacks.holonomic(&c, lg_integrator_configuration(it), phi);
        for (int i = 0; i < s->S->callbacks.holonomic_count; i++) most = fmax(most, fabs(phi[i]));
    }
    if (it != NULL) claim_control(r, most, 1e-8, "d phi as velocity rows", "largest |phi|, 200 steps");
    lg_integrator_destroy(it);
}

/* Order 2, against the true motion, with more steps than by default because of a stiff spring. */
static void holonomic_order(claim_report *r, const claim_system *s, const char *method)
{
    claim_state truth;
    claim_order o;
    const double T = 8 * s->h;
    if (!claim_truth(r, s, T, 32, &truth, NULL)) return;
    if (!claim_measure_order(r, s, method, "exp", LG_START_REACTION, T, 16, 4, &truth, 1e-12, &o)) return;
    claim_order_between(r, o.g, 1.9, 2.1, "order 2", "order of the configuration");
    claim_order_between(r, o.p, 1.9, 2.1, "order 2", "order of the momentum");
}

static void holonomic_body(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"sem", "sem:momentum"}, *const fine[] = {"sem:gauss=8",
                                                                                   "sem:momentum,gauss=8"};
    const double gauss = s->traits & CLAIM_TIME ? 1.5e-15 : 0; /* a step */
    lg_rng rng = {32};
    claim_system moved;
    (void)context;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; claim_retraction(i) != NULL; i++) {
            holonomic_run(r, s, methods[k], claim_retraction(i), gauss);
            claim_agrees(r, s, methods[k], claim_retraction(i));
        }
        holonomic_order(r, s, methods[k]);
        for (int j = 0; j < 3; j++)
            if (claim_move(r, &moved, s, &rng, 0.1)) holonomic_run(r, &moved, fine[k], "exp", gauss);
    }
    if (!claim_own_systems(r) || (s->traits & CLAIM_WORK) != 0) return;
    loses_energy(r, s, "rattle", 1e-7, "the multipliers of RATTLE");
    loses_energy(r, s, "gni", 1e-7, "the multipliers of RATTLE");
    loses_energy(r, s, "dla", 1e-7, "the multipliers of SHAKE");
    lowered_run(r, s);
}

static void holonomic(claim_report *r)
{
    claim_each(r, CLAIM_POSITION_ROWS, 0, holonomic_body, NULL);
}

/* alpha = 1 ------------------------------------------------------------------------------------------------------- */

/* Angular momenta of masses in space, sum q x p. */
static void angular(const lg_integrator *it, int n, double *out)
{
    const double *q = lg_integrator_configuration(it), *p = lg_integrator_momentum(it);
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < n; k += 3)
            out[i] += q[k + (i + 1) % 3] * p[k + (i + 2) % 3] - q[k + (i + 2) % 3] * p[k + (i + 1) % 3];
    }
}

/* The largest change of the angular momentum: of all three components, or of the vertical one. */
static double angular_change(claim_report *r, const claim_system *s, const char *method, int all, int64_t steps)
{
    double first[3], now[3], most = 0;
    lg_integrator *it = claim_start(r, s, method, "exp", 0.1, LG_START_REACTION);
    if (it == NULL) return NAN;
    angular(it, s->n, first);
    for (int64_t k = 0; k < steps && claim_steps(r, it, 1); k++) {
        angular(it, s->n, now);
        most = fmax(most, all ? claim_gap(now, first, 3) : fabs(now[2] - first[2]));
    }
    lg_integrator_destroy(it);
    return most;
}

static void pendulum(claim_report *r, const char *settings, int all)
{
    const int64_t steps = r->full ? 100000 : 2000;
    lg_rng rng = {33};
    claim_system s, moved;
    if (!claim_open(r, &s, "double-spherical-pendulum", settings)) return;
    for (int k = 0; k < 3; k++) {
        if (!claim_move(r, &moved, &s, &rng, k == 0 ? 0 : 0.2)) break;
        claim_below(r, angular_change(r, &moved, "sem:momentum", all, steps), 2 * roundoff(steps),
                    "round-off, momenta of size 1 to 3", all ? "change of the angular momentum" : "change of L_z");
        claim_control(r, angular_change(r, &moved, "sem", all, 200), 1e-6,
                      "alpha = 0: u moves q off the symmetric form",
                      all ? "change of the angular momentum" : "change of L_z");
    }
    claim_close(&s);
}

/* Cart and trailer with castors for wheels, without a field. Every alpha conserves the momentum of common translations,
 * which leave phi unchanged. Common rotations do so where phi = 0 only, not between the nodes; and under Cayley the
 * arcs of both bodies have their own factor k, so that the mean of d phi no longer annihilates common motions. */
static void castors(claim_report *r)
{
    static const char *const methods[] = {"sem", "sem:momentum"};
    claim_variant a = {.freed = 1};
    claim_system s, free;
    double change[3];
    if (!claim_open(r, &s, "cart-trailer", "kx=0 ky=0")) return;
    claim_vary(&free, &a, &s);
    for (int k = 0; k < 2; k++) {
        if (!spatial_changes(r, &free, methods[k], "exp", 2, change)) break;
        claim_below(r, fmax(change[0], change[1]), r->full ? 1e-11 : 2e-13, "round-off",
                    "change of (p_x, p_y) in space, no wheels");
        claim_control(r, change[2], 1e-7, "phi turns with the bodies", "change of L in space, no wheels");
        if (!spatial_changes(r, &free, methods[k], "cayley", 2, change)) break;
        claim_control(r, fmax(change[0], change[1]), 1e-9, "factors of the arcs differ",
                      "change of (p_x, p_y) in space, no wheels");
    }
    claim_close(&s);
}

/* Without holonomic constraints alpha does not occur in the equations. */
static void same_body(claim_report *r, const claim_system *s, void *context)
{
    claim_state one, other;
    (void)context;
    if (!claim_state_after(r, s, "sem", "exp", s->h, 20, &one)) return;
    if (!claim_state_after(r, s, "sem:momentum", "exp", s->h, 20, &other)) return;
    claim_below(r, claim_state_gap(s, &one, &other), 0, "the same arithmetic", "distance from sem, 20 steps");
}

static void reversible_body(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    for (int i = 0; claim_retraction(i) != NULL; i++) {
        const double gap = claim_there_and_back(r, s, "sem:momentum", claim_retraction(i), s->h, 200);
        if (!isnan(gap)) claim_below(r, gap, 1e-12, "round-off of 400 steps", "200 steps there and back");
    }
}

static void momentum_consistent(claim_report *r)
{
    claim_each(r, 0, CLAIM_POSITION_ROWS, same_body, NULL);
    claim_each(r, CLAIM_POSITION_ROWS, 0, reversible_body, NULL);
    if (!claim_own_systems(r)) return;
    pendulum(r, NULL, 0);
    pendulum(r, "m2=2 l2=0.5 g=3", 0);
    pendulum(r, "g=0", 1);
    castors(r);
}

const claim claims_sem_general[] = {
    {"sem-metric",
     "With a metric J(g) that depends on the configuration sem keeps H, the constraints and the momentum in space, and "
     "tends to the continuous equations; for a constant J it is the step for constant metrics.",
     "this library, docs/theory.md section 6", 0.6, metric},
    {"sem-holonomic",
     "Holonomic constraints hold exactly at the nodes, together with H (or its balance) and the velocity constraints, "
     "with order 2. With RATTLE's multipliers H is not conserved; with d phi as velocity rows phi is not.",
     "this library, docs/theory.md section 6", 0.6, holonomic},
    {"sem-momentum-consistent",
     "With alpha = 1 (sem:momentum) the angular momentum of masses in space on rods is exact too, which alpha = 0 "
     "keeps to order 2 only; momenta of left symmetries of phi are exact for both along exp.",
     "this library, docs/theory.md section 6", 0.3, momentum_consistent},
    {0},
};
