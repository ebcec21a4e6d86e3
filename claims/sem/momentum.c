/* SPDX-License-Identifier: BSD-3-Clause */
/* sem: the discrete momentum equation, horizontal symmetries, moving energies (docs/theory.md section 6). */
#include "claims/sem/arcs.h"

#define SOURCE "this library, docs/theory.md section 6"

static double pairing(int n, const double *p, const double *eta)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i] * eta[i];
    return sum;
}

static double length(int n, const double *v)
{
    return sqrt(pairing(n, v, v));
}

/* out = Ad_exp(-c y) eta: eta carried from the arc's beginning to its point c with its spatial value kept. */
static int carry(const claim_arc *a, double c, const double *eta, double *out)
{
    double y[CLAIM_DIM], W[CLAIM_ELEMENT];
    for (int i = 0; i < a->s->n; i++) y[i] = -c * a->y[i];
    return lg_group_exp(a->s->G, W, y) == LG_OK && lg_group_Ad_apply(a->s->G, out, W, eta) == LG_OK;
}

/* The momentum equation ------------------------------------------------------------------------------------------- */

/* The quadrature of the forces along the arc in a method. */
typedef enum where { ENDS, GAUSS_2 = 2, GAUSS_4 = 4 } where;

/* Pairing with the field of constant spatial value that is eta at the arc's beginning: its impulses from the potential
 * (and the metric's gradient) and from the force during the step. */
static double impulse(const claim_arc *a, where rule, const double *xi, const double *eta)
{
    const claim_system *s = a->s;
    double there[CLAIM_DIM], sum = 0, f[CLAIM_DIM] = {0}, g[CLAIM_ELEMENT];
    for (int i = 0; i < (rule == ENDS ? 2 : (int)rule); i++) {
        double weight = 0.5;
        const double c = rule == ENDS ? i : claim_gauss((int)rule, i, &weight);
        if (!carry(a, c, eta, there)) return NAN;
        for (int j = 0; j < s->n && rule != ENDS; j++) there[j] *= a->k[j];
        sum -= a->h * weight * claim_arc_slope(a, c, there);
    }
    if (s->S->callbacks.force != NULL) {
        const lg_call c = claim_call(s, (double[]){a->t + a->h / 2});
        if (!carry(a, 0.5, eta, there) || !claim_arc_point(a, 0.5, g) || s->S->callbacks.force(&c, g, xi, f) != 0)
            return NAN;
        sum += a->h * pairing(s->n, f, there);
    }
    return sum;
}

/* Largest defects in a run of J_1 - J_0 = <p^+_1, eta_1 - (eta_0 carried along)> + impulse, J = <p, eta>. */
typedef struct momentum_run {
    double horizontal; /* fields in the distribution: P e_j */
    double tilted;     /* fields e_j */
    double turned;     /* the same as horizontal, carried by Ad_W instead of its inverse */
    double scale;      /* largest |p||eta||g|: log(g_0^-1 g_1) is known to the rounding of g */
    double reaction;   /* largest multiplier */
} momentum_run;

/* Rows of P*: the fields P e_j at (t, g). 0 after claim_trouble(). */
static int fields(claim_report *r, const claim_system *s, double t, const double *g, double *P)
{
    if (s->m > 0) return claim_ok(r, lg_system_projectors(s->S, P, NULL, NULL, t, g, NULL), "projectors", NULL);
    memset(P, 0, (size_t)(s->n * s->n) * sizeof *P);
    for (int i = 0; i < s->n; i++) P[i * s->n + i] = 1;
    return 1;
}

/* One field: eta_0 at the start, eta_1 at the end; defect of the equation. */
static double defect(const claim_arc *a, where rule, const lg_integrator *it, const double *p0, const double *eta0,
                     const double *eta1, double direction)
{
    const int n = a->s->n;
    const double *p1 = lg_integrator_momentum(it);
    double there[CLAIM_DIM], J0 = pairing(n, p0, eta0), J1 = pairing(n, p1, eta1), right;
    if (!carry(a, direction, eta0, there)) return NAN;
    right = pairing(n, a->p_plus, eta1) - pairing(n, a->p_plus, there);
    right += impulse(a, rule, lg_integrator_step_velocity(it), eta0);
    return fabs(J1 - J0 - right);
}

/* All fields in one step; P0, P1 as fields() gives them at its ends. */
static void measure_step(const claim_arc *a, where rule, const lg_integrator *it, const double *p0, const double *P0,
                         const double *P1, momentum_run *x)
{
    const int n = a->s->n;
    double unit[CLAIM_DIM], far = 1;
    for (int i = 0; i < a->s->size; i++) far = fmax(far, fabs(a->g[i]));
    for (int j = 0; j < n; j++) {
        const double *e0 = P0 + j * n, *e1 = P1 + j * n;
        for (int i = 0; i < n; i++) unit[i] = i == j;
        x->tilted = claim_worse(x->tilted, defect(a, rule, it, p0, unit, unit, 1));
        x->scale = fmax(x->scale, far * length(n, p0) * length(n, e0));
        if (length(n, e0) < 1e-3) continue; /* e_j is all but normal to the distribution */
        x->horizontal = claim_worse(x->horizontal, defect(a, rule, it, p0, e0, e1, 1));
        x->turned = claim_worse(x->turned, defect(a, rule, it, p0, e0, e1, -1));
    }
    for (int k = 0; k < a->s->m; k++) x->reaction = claim_worse(x->reaction, fabs(lg_integrator_multipliers(it)[k]));
}

static int run_momentum(claim_report *r, const claim_system *s, const char *method, const char *retraction, where rule,
                        int steps, momentum_run *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double P0[CLAIM_DIM * CLAIM_DIM], P1[CLAIM_DIM * CLAIM_DIM], p0[CLAIM_DIM];
    int ok = it != NULL;
    claim_arc a;
    memset(x, 0, sizeof *x);
    for (int k = 0; ok && k < steps && (k == 0 || claim_resolved(s, it)); k++) {
        memcpy(p0, lg_integrator_momentum(it), (size_t)s->n * sizeof *p0);
        ok = fields(r, s, lg_integrator_time(it), lg_integrator_configuration(it), P0) &&
             claim_arc_step(r, s, it, &a) && fields(r, s, lg_integrator_time(it), lg_integrator_configuration(it), P1);
        if (ok) measure_step(&a, rule, it, p0, P0, P1, x);
    }
    lg_integrator_destroy(it);
    x->horizontal /= x->scale, x->tilted /= x->scale, x->turned /= x->scale;
    return ok;
}

/* Cases in which an error is invisible: no reaction; <p^+, Ad eta> with p^+ along Ad*_W's axis. */
static void equation_controls(claim_report *r, const claim_system *s, const momentum_run *x)
{
    if (x->reaction > 1e-6)
        claim_control(r, x->tilted, 1e-9, "fields outside the distribution: the reaction acts",
                      "largest defect of the momentum equation");
    if (!(s->traits & (CLAIM_ABELIAN | CLAIM_BIINVARIANT)))
        claim_control(r, x->turned, 1e-9, "Ad_W in place of its inverse", "largest defect of the momentum equation");
}

static void equation_of_system(claim_report *r, const claim_system *s, void *context)
{
    static const struct {
        const char *method;
        where rule;
    } list[] = {{"sem", GAUSS_4}, {"sem:gauss=2", GAUSS_2}, {"nsv", ENDS}, {"smv", ENDS}};
    const int steps = r->full ? 10000 : 40;
    const char *tau;
    momentum_run x;
    (void)context;
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        for (size_t k = 0; claim_differs(s, i) && k < sizeof list / sizeof list[0]; k++) {
            if (list[k].rule == ENDS && s->traits & (CLAIM_METRIC | CLAIM_WORK)) continue;
            if (!run_momentum(r, s, list[k].method, tau, list[k].rule, steps, &x)) continue;
            claim_below(r, x.horizontal, r->full ? 2e-13 : 2e-14,
                        "the solver stops at 1e-14 of the velocities; rarely, where it stagnates, at 1e-13",
                        "largest defect of the momentum equation/|p||eta||g|, %d steps", steps);
            if (k == 0) equation_controls(r, s, &x);
        }
    }
}

static void equation(claim_report *r)
{
    claim_each(r, 0, CLAIM_POSITION_ROWS, equation_of_system, NULL);
}

/* Horizontal symmetries ------------------------------------------------------------------------------------------- */

/* The null space of a symmetric positive M (n x n, overwritten) by elimination with the largest pivots: `basis` gets
 * its vectors as rows. Returns their number. */
static int null_space(int n, double *M, double tolerance, double *basis)
{
    int column[CLAIM_DIM], rank = 0;
    for (int i = 0; i < n; i++) column[i] = i;
    for (; rank < n; rank++) {
        int best = rank;
        for (int i = rank; i < n; i++)
            if (M[column[i] * n + column[i]] > M[column[best] * n + column[best]]) best = i;
        const int c = column[best];
        if (!(M[c * n + c] > tolerance)) break;
        column[best] = column[rank], column[rank] = c;
        const double pivot = M[c * n + c];
        for (int j = 0; j < n; j++) M[c * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = M[i * n + c];
            for (int j = 0; i != c && j < n; j++) M[i * n + j] -= factor * M[c * n + j];
        }
    }
    for (int k = rank; k < n; k++) {
        double *out = basis + (k - rank) * n;
        memset(out, 0, (size_t)n * sizeof *out);
        out[column[k]] = 1;
        for (int i = 0; i < rank; i++) out[column[i]] = -M[column[i] * n + column[k]];
    }
    return n - rank;
}

/* M += the square of the covector `row` at g, carried to the identity and normalised: zeta is in its kernel if the
 * field Ad_g^-1 zeta is. */
static int forbid(const claim_system *s, const double *g, const double *row, double *M)
{
    double back[CLAIM_ELEMENT], q[CLAIM_DIM];
    const double size = length(s->n, row);
    if (!(size > 1e-9)) return !isnan(size);
    if (lg_group_inverse(s->G, back, g) != LG_OK || lg_group_coAd_apply(s->G, q, back, row) != LG_OK) return 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) M[i * s->n + j] += q[i] * q[j] / (size * size);
    return 1;
}

/* All zeta for which the left action of exp(s zeta) leaves metric, potential and force as they are and is in the
 * distribution, found at random configurations: `basis` gets them as rows. Returns their number, -1: trouble. */
static int symmetries(const claim_system *s, double *basis)
{
    enum { SAMPLES = 24 };
    double M[CLAIM_DIM * CLAIM_DIM] = {0}, A[CLAIM_ROWS * CLAIM_DIM], row[CLAIM_DIM], e[CLAIM_DIM];
    claim_arc a;
    lg_rng rng = {21};
    int ok = 1;
    memset(&a, 0, sizeof a);
    a.s = s;
    for (int k = 0; ok && k < SAMPLES; k++) {
        const lg_call c = claim_call(s, (double[]){a.t = lg_rng_uniform(&rng)});
        ok = lg_group_random(s->G, a.g, &rng) == LG_OK;
        (void)claim_rows(s, a.t, a.g, A, NULL);
        for (int m = 0; m < s->m; m++) ok = ok && forbid(s, a.g, A + m * s->n, M);
        for (int i = 0; i < s->n; i++) a.leaving[i] = a.arriving[i] = lg_rng_normal(&rng);
        for (int i = 0; i < s->n; i++) {
            for (int j = 0; j < s->n; j++) e[j] = i == j;
            row[i] = claim_arc_slope(&a, 0, e);
        }
        ok = ok && forbid(s, a.g, row, M);
        memset(row, 0, sizeof row);
        if (s->S->callbacks.force != NULL)
            ok = ok && s->S->callbacks.force(&c, a.g, a.leaving, row) == 0 && forbid(s, a.g, row, M);
    }
    return ok ? null_space(s->n, M, 1e-10 * SAMPLES, basis) : -1;
}

/* Largest change of <p, Ad_g^-1 zeta> over the rows of `basis` in a run, relative to |Ad*_g^-1 p||zeta|; NaN: refused.
 */
static double momentum_change(claim_report *r, const claim_system *s, const char *method, const char *retraction,
                              const double *basis, int count, int64_t steps)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double before[CLAIM_DIM] = {0}, back[CLAIM_ELEMENT], q[CLAIM_DIM], worst = 0, size = 0;
    int ok = it != NULL;
    for (int64_t k = 0; ok && k <= steps && (k < 2 || claim_resolved(s, it)); k++) {
        if (k > 0) ok = claim_steps(r, it, 1);
        if (lg_group_inverse(s->G, back, lg_integrator_configuration(it)) != LG_OK) ok = 0;
        if (lg_group_coAd_apply(s->G, q, back, lg_integrator_momentum(it)) != LG_OK) ok = 0;
        size = fmax(size, length(s->n, q));
        for (int j = 0; j < count; j++) {
            const double J = pairing(s->n, q, basis + j * s->n);
            if (k == 0) before[j] = J;
            worst = claim_worse(worst, fabs(J - before[j]) / length(s->n, basis + j * s->n));
        }
    }
    lg_integrator_destroy(it);
    return ok ? worst / size : NAN;
}

static void symmetry_of_system(claim_report *r, const claim_system *s, void *context)
{
    static const char *const methods[] = {"sem", "sem:gauss=1", "sem:momentum", "sem@suzuki4", "nsv", "sml"};
    const int64_t steps = r->full ? 100000 : 300;
    double basis[CLAIM_DIM * CLAIM_DIM];
    const int count = symmetries(s, basis);
    const char *tau;
    (void)context;
    if (count < 0) claim_trouble(r, "%s: its symmetries cannot be found", s->name);
    for (int i = 0; count > 0 && (tau = claim_retraction(i)) != NULL; i++) {
        for (size_t k = 0; claim_differs(s, i) && k < sizeof methods / sizeof methods[0]; k++) {
            if (k == 2 && s->S->callbacks.holonomic_count == 0) continue; /* is sem */
            const double change = momentum_change(r, s, methods[k], tau, basis, count, steps);
            if (!isnan(change))
                claim_below(r, change, claim_rounding(1e-15, 1, (k == 3 ? 5 : 1) * steps),
                            "round-off: a walk of 1e-15, one rounding a step",
                            "largest change of %d horizontal momenta/|p|, %d steps", count, (int)steps);
        }
    }
}

/* The numbers of symmetries of known systems; other momenta change, and Gonzalez' discrete gradient breaks them. */
static void symmetry_controls(claim_report *r)
{
    static const struct {
        const char *system, *method;
        int count;
        double change; /* of all spatial momenta */
    } known[] = {{"particle", "sem", 1, 0.1},          {"snakeboard", "sem", 2, 0.1}, {"rigid-body", "sem", 3, 0},
                 {"chaplygin-sphere", "sem", 3, 0.01}, {"heavy-top", "sem", 1, 1e-3}, {"cvt", "sem", 0, 0.1},
                 {"mobile-robot", "sem", 1, 0.1},      {"affine-line", "sem", 2, 0}};
    double basis[CLAIM_DIM * CLAIM_DIM], all[CLAIM_DIM * CLAIM_DIM];
    claim_system s;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!claim_open(r, &s, known[i].system, NULL)) continue;
        const int count = symmetries(&s, basis);
        claim_between(r, count, known[i].count, known[i].count, "by hand", "number of horizontal symmetries");
        memset(all, 0, sizeof all);
        for (int k = 0; k < s.n; k++) all[k * s.n + k] = 1;
        if (known[i].change > 0)
            claim_control(r, momentum_change(r, &s, "sem", "exp", all, s.n, 300), known[i].change,
                          "momenta that are not horizontal", "largest change of spatial momenta/|p|, 300 steps");
        if (i == 6 && count == 1)
            claim_control(r, momentum_change(r, &s, "sem:gonzalez", "exp", basis, count, 2000), 1e-6,
                          "the correction along J xi is not horizontal",
                          "largest change of 1 horizontal momentum/|p|, 2000 steps");
        claim_close(&s);
    }
}

static void horizontal(claim_report *r)
{
    claim_each(r, 0, 0, symmetry_of_system, NULL);
    if (claim_own_systems(r)) symmetry_controls(r);
}

/* Moving energies ------------------------------------------------------------------------------------------------- */

static void drift(const claim_system *s, double t, const double *g, double *Y)
{
    const lg_call c = claim_call(s, (double[]){t});
    double mu[CLAIM_ROWS * CLAIM_DIM] = {0};
    memset(Y, 0, (size_t)s->n * sizeof *Y);
    if (s->S->callbacks.covectors != NULL) {
        if (s->S->callbacks.covectors(&c, g, mu, Y) != 0) Y[0] = NAN;
    } else if (s->S->callbacks.drift != NULL && s->S->callbacks.drift(&c, g, Y) != 0) {
        Y[0] = NAN;
    }
}

/* Of a run, E = H - <p, Y>; all relative to the largest |H|, |<p, Y>|. */
typedef struct moving {
    double identity; /* largest |E - E_0 + sum of (<p^+, Y_1> - <p^-, Y_0>)| */
    double energy;   /* largest |E - E_0| */
    double wrong;    /* the same with H + <p, Y> */
    double inner;    /* largest |sum| */
    double H;        /* largest |H - H_0| */
} moving;

static int run_moving(claim_report *r, const claim_system *s, const char *method, const char *retraction, int64_t steps,
                      moving *x)
{
    lg_integrator *it = claim_start(r, s, method, retraction, s->h, LG_START_REACTION);
    double Y0[CLAIM_DIM], Y1[CLAIM_DIM], first, H0, inner = 0, scale;
    int ok = it != NULL;
    claim_arc a;
    memset(x, 0, sizeof *x);
    if (!ok) return 0;
    drift(s, lg_integrator_time(it), lg_integrator_configuration(it), Y1);
    first = pairing(s->n, lg_integrator_momentum(it), Y1);
    H0 = lg_integrator_energy(it), scale = fmax(fabs(H0), fabs(first));
    for (int64_t k = 0; ok && k < steps; k++) {
        memcpy(Y0, Y1, sizeof Y0);
        if (!(ok = claim_arc_step(r, s, it, &a))) break;
        drift(s, lg_integrator_time(it), lg_integrator_configuration(it), Y1);
        const double paired = pairing(s->n, lg_integrator_momentum(it), Y1), H = lg_integrator_energy(it),
                     E = H - H0 - paired + first;
        inner += pairing(s->n, a.p_plus, Y1) - pairing(s->n, a.p_minus, Y0) - claim_arc_defect(&a, 4);
        scale = fmax(scale, fmax(fabs(H), fabs(paired)));
        x->identity = claim_worse(x->identity, fabs(E + inner));
        x->energy = claim_worse(x->energy, fabs(E));
        x->wrong = claim_worse(x->wrong, fabs(H - H0 + paired - first));
        x->inner = claim_worse(x->inner, fabs(inner));
        x->H = claim_worse(x->H, fabs(H - H0));
    }
    lg_integrator_destroy(it);
    x->identity /= scale, x->energy /= scale, x->wrong /= scale, x->inner /= scale, x->H /= scale;
    return ok;
}

static void moving_of_system(claim_report *r, const claim_system *s, void *context)
{
    const int64_t steps = r->full ? 100000 : 500;
    const char *tau;
    moving x;
    (void)context;
    if (s->traits & CLAIM_TIME && s->traits & CLAIM_POTENTIAL) return; /* V(t, g) works as well */
    for (int i = 0; (tau = claim_retraction(i)) != NULL; i++) {
        if (!claim_differs(s, i) || !run_moving(r, s, "sem", tau, steps, &x)) continue;
        claim_below(r, x.identity, claim_rounding(2e-14, 4, steps),
                    "round-off of the sum: two pairings, p^- = J(2 xi - v^+)",
                    "largest |E - E_0 + sum(<p^+,Y_1> - <p^-,Y_0>)|/H, E = H - <p,Y>, %d steps", (int)steps);
        if (x.inner < 1e-9)
            claim_below(r, x.energy, claim_rounding(3e-15, 1, steps), "round-off: a walk of 3e-15, one rounding a step",
                        "largest |E - E_0|/H, %d steps: the inner step keeps <p,Y>", (int)steps);
        else
            claim_control(r, x.energy, 1e-3, "Y is not a symmetry that the inner step keeps",
                          "largest |E - E_0|/H, %d steps", (int)steps);
        claim_control(r, x.wrong, 0.1, "Y with the wrong sign", "largest change of H + <p,Y>");
        claim_control(r, x.H, 1e-3, "the drift does work", "largest change of H");
    }
}

/* Balls on a table that turns uniformly, for several tables and moments of inertia; other methods. */
static void balls(claim_report *r)
{
    static const char *const settings[] = {"Omega=0.2", "Omega=-0.5 I1=0.8", "Omega=1.1 I3=1.9 r=0.6"};
    static const char *const methods[] = {"nsv", "gni"};
    const int64_t steps = r->full ? 100000 : 500;
    const char *tau;
    moving x;
    claim_system s;
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        if (!claim_open(r, &s, "chaplygin-sphere", settings[k])) continue;
        for (int i = 0; (tau = claim_retraction(i)) != NULL; i++)
            if (run_moving(r, &s, "sem", tau, steps, &x))
                claim_below(r, x.energy, claim_rounding(3e-15, 1, steps),
                            "round-off: a walk of 3e-15, one rounding a step",
                            "largest |E - E_0|/H, E = H - <p,Y>, %d steps", (int)steps);
        for (int i = 0; i < 2; i++)
            if (run_moving(r, &s, methods[i], "cayley", 500, &x))
                claim_control(r, x.energy, 1e-6, "trapezoidal inner step: O(h^2)", "largest |E - E_0|/H, 500 steps");
        claim_close(&s);
    }
}

static void moving_energy(claim_report *r)
{
    claim_each(r, CLAIM_DRIFT, CLAIM_FORCE | CLAIM_POSITION_ROWS, moving_of_system, NULL);
    if (claim_own_systems(r)) balls(r);
}

const claim claims_sem_momentum[] = {
    {"sem-momentum-equation",
     "The discrete momentum equation J_1 - J_0 = <p^+_1, (zeta_1 - zeta_0)_Q> holds exactly for every section zeta of "
     "the distribution, to which V, J(g) and forces add the impulse of their quadrature; for nsv and smv as well.",
     SOURCE ", after [P0] theorem 2", 0.1, equation},
    {"sem-horizontal-symmetry",
     "Momenta of horizontal symmetries, and all momenta of left symmetries in systems without constraints, are "
     "constant for any number of Gauss nodes; the symmetries of every system are found numerically. Gonzalez' discrete "
     "gradient breaks them.",
     SOURCE ", after [P0] corollary 3", 0.05, horizontal},
    {"sem-moving-energy",
     "With affine constraints the moving energy H - <p, Y> changes in a step only as the inner step changes <p, Y>; "
     "and so it is constant where Y is a symmetry, as for balls on a turning table.",
     SOURCE, 0.03, moving_energy},
    {0},
};
