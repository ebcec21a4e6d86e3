/* SPDX-License-Identifier: BSD-3-Clause */
/* The energy-momentum step with shared multipliers (sem): energy, constraints, symmetry (docs/theory.md section 6). */
#include "claims/sem/arcs.h"

#define SOURCE "this library, docs/theory.md section 6"

/* The forms of sem that are different methods on a system; NULL at the end. */
static const char *form(const claim_system *s, int i)
{
    static const char *const all[] = {"sem", "sem@suzuki4", "sem:gonzalez", "sem:gauss=1", "sem:momentum"};
    const int fields = (s->traits & (CLAIM_POTENTIAL | CLAIM_METRIC)) != 0,
              positions = s->S->callbacks.holonomic_count > 0;
    const int count = positions ? 5 : fields ? 4 : 2;
    return i < count ? all[i] : NULL;
}

/* Energy ---------------------------------------------------------------------------------------------------------- */

/* H - H_0 to round-off; a step of the method consists of `parts`. */
static void energy_of(claim_report *r, const claim_system *s, const char *method, const char *retraction, int64_t steps,
                      int parts)
{
    claim_extremes x;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    if (it != NULL && claim_watch(r, it, steps, &x))
        claim_below(r, x.energy, claim_rounding(6e-15, 1, steps * parts),
                    "round-off: a walk of 6e-15, one rounding a step", "largest |H - H_0|/H_0, %d steps", (int)steps);
    lg_integrator_destroy(it);
}

/* H - H_0 is exactly the Gauss error of the potential (and of the metric) along the arcs. Returns the largest |H -
 * H_0|, relative. */
static double energy_with_nodes(claim_report *r, const claim_system *s, int nodes, const char *retraction,
                                int64_t steps)
{
    static const char *const methods[] = {"sem:gauss=1", "sem:gauss=2", "sem:gauss=3", "sem"};
    lg_integrator *it = claim_start(r, s, methods[nodes - 1], retraction, s->h, LG_START_REACTION);
    double H0, sum = 0, worst = 0, most = 0, scale;
    claim_arc a;
    if (it == NULL) return NAN;
    H0 = lg_integrator_energy(it), scale = fabs(H0);
    for (int64_t k = 0; k < steps; k++) {
        double kinetic = 0;
        if (!claim_arc_step(r, s, it, &a)) break;
        for (int i = 0; i < s->n; i++) kinetic += 0.5 * a.p_plus[i] * a.arriving[i];
        scale = fmax(scale, kinetic);
        sum += claim_arc_defect(&a, nodes);
        most = claim_worse(most, fabs(lg_integrator_energy(it) - H0));
        worst = claim_worse(worst, fabs(lg_integrator_energy(it) - H0 - sum));
    }
    claim_below(r, worst / scale, claim_rounding(12e-15, 2, steps), "round-off of H and of the sum, two a step",
                "largest |H - H_0 - Gauss error of V, J along the arcs|/H_0, %d steps", (int)steps);
    lg_integrator_destroy(it);
    return most / scale;
}

static void energy_of_system(claim_report *r, const claim_system *s, void *context)
{
    const int64_t steps = r->full ? 100000 : 500;
    const char *tau;
    (void)context;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        if (!claim_differs(s, i)) continue;
        energy_of(r, s, "sem:gauss=8", tau, steps, 1);
        energy_of(r, s, "sem:gonzalez", tau, steps, 1);
        energy_of(r, s, "sem:gauss=8@suzuki4", tau, steps / 5, 5);
        if (s->S->callbacks.holonomic_count > 0) {
            energy_of(r, s, "sem", tau, steps, 1);
            energy_of(r, s, "sem:momentum", tau, steps, 1);
        } else {
            (void)energy_with_nodes(r, s, 4, tau, steps);
            (void)energy_with_nodes(r, s, 2, tau, steps);
        }
    }
}

/* One node is not enough, and neither are other inner steps between the same kicks. */
static void energy_controls(claim_report *r)
{
    static const struct {
        const char *system, *settings, *method;
        double bound;
    } bad[] = {{"mobile-robot", "", "nsv", 1e-3}, {"cvt", "c2=-0.1", "smv", 1e-3}, {"suslov", "", "nsv", 1e-5}};
    static const char *const tops[] = {"heavy-top", "veselova-top", "mobile-robot", "two-link-arm"};
    claim_system s;
    claim_extremes x;
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        if (!claim_open(r, &s, tops[i], NULL)) continue;
        claim_control(r, energy_with_nodes(r, &s, 1, "exp", 500), 1e-8, "one Gauss node drifts, 1e4 times the bound",
                      "largest |H - H_0|/H_0, 500 steps");
        claim_close(&s);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (!claim_open(r, &s, bad[i].system, bad[i].settings)) continue;
        lg_integrator *it = claim_start(r, &s, bad[i].method, "exp", s.h, LG_START_REACTION);
        if (it != NULL && claim_watch(r, it, 500, &x))
            claim_control(r, x.energy, bad[i].bound, "the trapezoidal inner step leaves O(h^2)",
                          "largest |H - H_0|/H_0, 500 steps");
        lg_integrator_destroy(it);
        claim_close(&s);
    }
}

static void energy(claim_report *r)
{
    claim_each(r, 0, CLAIM_WORK, energy_of_system, NULL);
    if (claim_own_systems(r)) energy_controls(r);
}

/* Constraints ----------------------------------------------------------------------------------------------------- */

/* The residuals of the constraints in a run. */
typedef struct residuals {
    double velocity; /* largest |A xi - sign b| */
    double scale;    /* largest sum of the sizes of the terms that add up to it; a motion may stop for a moment */
    double position; /* largest |phi| */
} residuals;

static void add_residuals(const claim_system *s, const lg_integrator *it, double sign, residuals *x)
{
    double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], xi[CLAIM_DIM], phi[CLAIM_ROWS] = {0};
    const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
    (void)claim_rows(s, c.t, lg_integrator_configuration(it), A, b);
    if (lg_integrator_velocity(it, xi) != LG_OK) xi[0] = NAN;
    for (int a = 0; a < s->m; a++) {
        double sum = -sign * b[a], size = fabs(b[a]), speed = 0;
        for (int i = 0; i < s->n; i++) {
            sum += A[a * s->n + i] * xi[i];
            size += fabs(A[a * s->n + i] * xi[i]);
            speed = fmax(speed, fabs(xi[i]));
        }
        x->velocity = claim_worse(x->velocity, fabs(sum));
        x->scale = fmax(x->scale, fmax(size, speed));
    }
    if (s->S->callbacks.holonomic_count > 0 && s->S->callbacks.holonomic(&c, lg_integrator_configuration(it), phi) != 0)
        phi[0] = NAN;
    for (int a = 0; a < s->S->callbacks.holonomic_count; a++) x->position = claim_worse(x->position, fabs(phi[a]));
}

/* The residuals over `steps` steps, fewer if the motion becomes too fast for them; returns their number, 0: refused. */
static int64_t watch_rows(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                          int64_t steps, double sign, double *velocity, double *position)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    residuals x = {0};
    int64_t k = 0;
    int ok = it != NULL;
    for (; ok && k < steps && (k == 0 || claim_resolved(s, it)); k++) {
        ok = claim_steps(r, it, 1);
        add_residuals(s, it, sign, &x);
    }
    lg_integrator_destroy(it);
    *velocity = x.velocity / x.scale;
    *position = x.position;
    return ok ? k : 0;
}

static void constraint_of_system(claim_report *r, const claim_system *s, void *context)
{
    const int64_t steps = r->full ? 100000 : 300;
    const char *tau, *method;
    double velocity, position;
    (void)context;
    if (s->m == 0) return;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        for (int k = 0; claim_differs(s, i) && (method = form(s, k)) != NULL; k++) {
            const int64_t done = watch_rows(r, s, method, tau, steps, 1, &velocity, &position);
            if (done == 0) continue;
            claim_below(r, velocity, 5e-15, "round-off of a node, attained 8e-16",
                        "largest |A xi - b|/(|A||xi| + |b|), %d steps", (int)done);
            if (s->S->callbacks.holonomic_count > 0)
                claim_below(r, position, 1e-14, "round-off of a node; the solver stops at 4e-15",
                            "largest |phi|, %d steps", (int)done);
        }
    }
    if (s->traits & CLAIM_DRIFT && watch_rows(r, s, "sem", "exp", 20, -1, &velocity, &position))
        claim_control(r, velocity, 0.1, "the drift with the wrong sign", "largest |A xi + b|/(|A||xi| + |b|)");
}

static void constraint(claim_report *r)
{
    static const char *const drifting[] = {"snakeboard", "mobile-robot", "veselova-top", "rolling-disk", "turntable"};
    double velocity, position;
    claim_system s;
    claim_each(r, 0, 0, constraint_of_system, NULL);
    for (int i = 0; i < 5 && claim_own_systems(r); i++) {
        if (!claim_open(r, &s, drifting[i], NULL)) continue;
        if (watch_rows(r, &s, "rk4", "exp", 300, 1, &velocity, &position))
            claim_control(r, velocity, 1e-9, "without multipliers rows drift",
                          "largest |A xi - b|/(|A||xi| + |b|), 300 steps");
        claim_close(&s);
    }
}

/* Symmetry -------------------------------------------------------------------------------------------------------- */

/* The way back: by steps of -h, or by steps of h with the momentum reversed. */
typedef enum way { BY_MINUS_H, TURNED } way;

/* `steps` steps there and as many back: distance from the start, that of momenta relative to the largest; NaN: refused
 * or trouble. */
static double there_and_back(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                             int steps, way how)
{
    const double sign = how == TURNED ? -1 : 1;
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION), *back = NULL;
    claim_state start, end;
    double t, distance = NAN, size = 0;
    lg_status status;
    if (it == NULL) return NAN;
    claim_read(it, &start);
    if (!claim_steps(r, it, steps)) goto done;
    claim_read(it, &end);
    t = how == TURNED ? 0 : lg_integrator_time(it);
    for (int i = 0; i < s->n; i++) {
        size = fmax(size, fmax(fabs(start.p[i]), fabs(end.p[i])));
        end.p[i] *= sign;
    }
    status = lg_integrator_create(&back, s->S, method, retraction, sign == -1 ? s->h : -s->h);
    if (status == LG_OK) status = lg_integrator_start_momentum(back, t, end.g, end.p);
    if (!claim_ok(r, status, "the way back", lg_integrator_message(back)) || !claim_steps(r, back, steps)) goto done;
    claim_read(back, &end);
    for (int i = 0; i < s->n; i++) end.p[i] *= sign;
    distance = fmax(claim_distance(s->G, start.g, end.g), claim_gap(start.p, end.p, s->n) / size);
done:
    lg_integrator_destroy(it);
    lg_integrator_destroy(back);
    return distance;
}

static void symmetry_of_system(claim_report *r, const claim_system *s, void *context)
{
    const int steps = r->full ? 200 : 100;
    const double bound = r->full ? 1e-11 : 5e-12;
    const char *const why = "round-off of these steps, attained 2e-12 after 400";
    const char *tau, *method;
    (void)context;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        for (int k = 0; claim_differs(s, i) && (method = form(s, k)) != NULL; k++) {
            const double d = there_and_back(r, s, method, tau, steps, BY_MINUS_H);
            if (isnan(d)) continue;
            claim_below(r, d, bound, why, "distance from the start after %d steps of h and %d of -h", steps, steps);
            if (s->traits & CLAIM_WORK) continue;
            claim_below(r, there_and_back(r, s, method, tau, steps, TURNED), bound, why,
                        "distance from the start after %d steps, p reversed, %d steps", steps, steps);
        }
    }
}

/* Of collocation up to its projection at the nodes, which is of higher order. */
static void gauss_there_and_back(claim_report *r, const claim_system *s, void *context)
{
    (void)context;
    claim_below(r, there_and_back(r, s, "gauss", "exp", 200, BY_MINUS_H), 1e-11, "round-off of 400 steps",
                "distance from the start after 200 steps of h and 200 of -h");
    if (!(s->traits & CLAIM_WORK))
        claim_below(r, there_and_back(r, s, "gauss", "exp", 200, TURNED), 1e-11, "round-off of 400 steps",
                    "distance from the start after 200 steps, p reversed, 200 steps");
}

static void gauss_symmetry(claim_report *r)
{
    claim_system s;
    claim_each(r, 0, 0, gauss_there_and_back, NULL);
    if (!claim_own_systems(r) || !claim_open(r, &s, "two-link-arm", NULL)) return;
    claim_control(r, there_and_back(r, &s, "rkmk4", "exp", 200, BY_MINUS_H), 1e-9,
                  "Runge-Kutta steps of order 4 are not symmetric", "distance from the start after 200 steps and back");
    claim_close(&s);
}

static void symmetry_controls(claim_report *r)
{
    static const struct {
        const char *system, *method, *why;
        way how;
    } bad[] = {{"particle", "gni-r", "restarts at every node", BY_MINUS_H},
               {"suslov", "gni-r", "restarts at every node", BY_MINUS_H},
               {"veselova-top", "gni-r", "restarts at every node", TURNED},
               {"chaotic-oscillator", "gni-r", "restarts at every node", TURNED},
               {"two-link-arm", "rkmk4", "Runge-Kutta steps of order 4 are not symmetric", BY_MINUS_H}};
    claim_system s;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (!claim_open(r, &s, bad[i].system, NULL)) continue;
        claim_control(r, there_and_back(r, &s, bad[i].method, "exp", 200, bad[i].how), 1e-9, bad[i].why,
                      "distance from the start after 200 steps and back");
        claim_close(&s);
    }
}

static void symmetry(claim_report *r)
{
    claim_each(r, 0, 0, symmetry_of_system, NULL);
    if (claim_own_systems(r)) symmetry_controls(r);
}

const claim claims_sem[] = {
    {"sem-energy",
     "Without forces, drift and time-dependence sem conserves the energy H on every system, for any metric and the "
     "linear constraints, with exp and Cayley: the two kicks of the shared multiplier along orthonormal rows do no net "
     "work. The remaining error is the Gauss error of V and J along the arcs, to round-off; one Gauss node drifts.",
     SOURCE, 0.25, energy},
    {"sem-constraint",
     "sem satisfies the linear, affine and time-dependent velocity constraints and the holonomic constraints at every "
     "node to round-off, with any number of Gauss nodes and in compositions.",
     SOURCE, 0.2, constraint},
    {"sem-symmetric",
     "A step of -h undoes a step of h, on every system and with any number of Gauss nodes, forces and time-dependence "
     "included; where nothing does work reversing the momentum does the same.",
     SOURCE, 0.5, symmetry},
    {"gauss-reversible",
     "A step of -h of Gauss collocation undoes a step of h to round-off where its stages resolve the motion, on every "
     "system; where nothing does work reversing the momentum does the same.",
     "this library, docs/theory.md section 18", 0.5, gauss_symmetry},
    {0},
};
