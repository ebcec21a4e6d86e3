/* SPDX-License-Identifier: BSD-3-Clause */
/* [P1] section 5.3: reduction of Chaplygin systems, theorem 5.5 on every Chaplygin system, theorem 5.6. */
#include "claims/cortes2001/chaplygin_splits.h"

/* Theorem 5.5 ------------------------------------------------------------------------------------------------------ */

enum { S = CLAIM_DIM };

/* The four parts of (32). */
typedef struct pieces {
    double D1[S], D2[S], minus[S], plus[S];
} pieces;

/* The largest differences between RDLA and DLA, and the residual of (32). */
typedef struct misfit {
    double g, p, xi, lambda, energy, equation, without, opposite, scale;
} misfit;

/* RDLA at the initial data; NULL if the library refuses, or after trouble. */
static lg_chaplygin *reduce(claim_report *r, const char *name, const lg_system *S0, const chaplygin_split *part,
                            const char *tau, double h, const double *g0, const double *v)
{
    lg_chaplygin *o = NULL;
    lg_status status = lg_chaplygin_create(&o, S0, part->shape, part->s, tau, h);
    claim_case(r, name, "dla:midpoint", tau);
    if (status == LG_OK) status = lg_chaplygin_start(o, 0, g0, v);
    if (status == LG_OK) return o;
    if (status != LG_ERROR_UNSUPPORTED) (void)claim_ok(r, status, name, lg_chaplygin_message(o));
    lg_chaplygin_destroy(o);
    return NULL;
}

/* DLA there, with the horizontal velocity (v, -A v). */
static lg_integrator *whole(claim_report *r, const claim_system *s, const lg_system *S0, const chaplygin_split *part,
                            const char *tau, lg_chaplygin *o, const double *v)
{
    lg_integrator *it = NULL;
    double A[S * S], shape[S], xi[S] = {0};
    lg_status status;
    lg_chaplygin_shape(o, shape);
    if (!claim_ok(r, lg_chaplygin_connection(o, A, shape), "connection", lg_chaplygin_message(o))) return NULL;
    for (int b = 0; b < part->s; b++) {
        xi[part->shape[b]] = v[b];
        for (int i = 0; i < part->d; i++) xi[part->fibre[i]] -= A[i * part->s + b] * v[b];
    }
    status = lg_integrator_create(&it, S0, "dla:midpoint", tau, s->h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, s->g0, xi, LG_START_REACTION, 0);
    if (status == LG_OK) return it;
    if (!claim_refused(r, s, "dla:midpoint", tau, status, lg_integrator_message(it)))
        (void)claim_ok(r, status, "dla:midpoint", lg_integrator_message(it));
    lg_integrator_destroy(it);
    return NULL;
}

/* One step of RDLA with its residual of (32) against the step before. */
static int reduced_step(claim_report *r, lg_chaplygin *o, const chaplygin_split *part, int first, pieces *before,
                        misfit *most)
{
    double shape[S], v[S];
    pieces now;
    lg_chaplygin_shape(o, shape);
    if (!claim_ok(r, lg_chaplygin_step(o), "RDLA", lg_chaplygin_message(o))) return 0;
    for (int b = 0; b < part->s; b++) v[b] = lg_chaplygin_step_velocity(o)[part->shape[b]];
    if (!claim_ok(r, lg_chaplygin_slopes(o, now.D1, now.D2, now.minus, now.plus, shape, v), "slopes",
                  lg_chaplygin_message(o)))
        return 0;
    for (int b = 0; b < part->s && !first; b++) {
        const double action = now.D1[b] + before->D2[b], force = now.minus[b] + before->plus[b];
        most->equation = claim_larger(most->equation, fabs(action - force));
        most->without = claim_larger(most->without, fabs(action));
        most->opposite = claim_larger(most->opposite, fabs(action + force));
    }
    *before = now;
    return 1;
}

/* RDLA and DLA side by side, while the group's block of the rows is far from singular. */
static int side_by_side(claim_report *r, const claim_system *s, const chaplygin_split *part, lg_chaplygin *o,
                        lg_integrator *it, int steps, misfit *most)
{
    pieces before;
    memset(most, 0, sizeof *most);
    for (int k = 0; k < steps && chaplygin_block(s, part, lg_integrator_configuration(it)) > 0.1; k++) {
        double p[S];
        const double *plus;
        if (!reduced_step(r, o, part, k == 0, &before, most) || !claim_steps(r, it, 1)) return 0;
        plus = lg_integrator_momentum_plus(it);
        if (!claim_ok(r, lg_chaplygin_momentum_plus(o, p), "p+", lg_chaplygin_message(o))) return 0;
        most->g =
            claim_larger(most->g, claim_distance(s->G, lg_chaplygin_configuration(o), lg_integrator_configuration(it)));
        most->p = claim_larger(most->p, claim_gap(p, plus, s->n));
        most->xi =
            claim_larger(most->xi, claim_gap(lg_chaplygin_step_velocity(o), lg_integrator_step_velocity(it), s->n));
        most->lambda =
            claim_larger(most->lambda, claim_gap(lg_chaplygin_multipliers(o), lg_integrator_multipliers(it), part->d));
        most->energy = claim_larger(most->energy, fabs(lg_chaplygin_energy(o) - lg_integrator_energy(it)));
        for (int i = 0; i < s->n; i++) most->scale = claim_larger(most->scale, fabs(plus[i]));
    }
    return 1;
}

static void say(claim_report *r, const misfit *most)
{
    static const char *const why = "round-off of 30 steps, measured 6e-14 of the momenta";
    claim_below(r, most->g / most->scale, 5e-13, why, "configurations of RDLA, reconstructed, and of DLA");
    claim_below(r, most->p / most->scale, 5e-13, why, "p+ of RDLA and of DLA");
    claim_below(r, most->xi / most->scale, 1e-12, why, "velocities of the steps");
    claim_below(r, most->lambda / most->scale, 1e-12, "round-off over h, measured 1e-13", "multipliers");
    claim_below(r, most->energy / most->scale, 5e-13, why, "energies of the projected momentum");
    claim_below(r, most->equation / most->scale, 1e-13, "round-off of a step, measured 1e-14", "(32)");
    if (most->without / most->scale < 1e-12) return; /* a system without gyroscopic force */
    claim_control(r, most->without / most->scale, 1e-7, "without the forces F^-, F^+", "(32)");
    claim_control(r, most->opposite / most->scale, 1e-7, "with +F_d = -F on the right, as (34) prints it", "(32)");
}

/* |(F^- + F^+)/h - F| at the middle of a step of length h with velocity v; *power = |v.F|. NAN after trouble. */
static double away_from_force(claim_report *r, const claim_system *s, const lg_system *S0, const chaplygin_split *part,
                              double h, const double *v, double *power)
{
    lg_chaplygin *o = reduce(r, s->name, S0, part, "exp", h, s->g0, v);
    double shape[S], middle[S], F[S], most = 0;
    pieces now;
    lg_status status;
    if (o == NULL) return NAN;
    lg_chaplygin_shape(o, shape);
    for (int b = 0; b < part->s; b++) middle[b] = shape[b] + h / 2 * v[b];
    status = lg_chaplygin_force(o, F, middle, v);
    if (status == LG_OK) status = lg_chaplygin_slopes(o, now.D1, now.D2, now.minus, now.plus, shape, v);
    if (!claim_ok(r, status, "forces", lg_chaplygin_message(o))) most = NAN;
    for (int b = 0; b < part->s; b++) most = claim_larger(most, fabs((now.minus[b] + now.plus[b]) / h - F[b]));
    *power = fabs(claim_dot(part->s, v, F));
    lg_chaplygin_destroy(o);
    return most;
}

/* The discrete forces tend to F like h^2, or are h F to round-off. F does no work. */
static void forces_tend(claim_report *r, const claim_system *s, const lg_system *S0, const chaplygin_split *part,
                        const double *v)
{
    double power, coarse = away_from_force(r, s, S0, part, s->h / 32, v, &power);
    const double fine = away_from_force(r, s, S0, part, s->h / 64, v, &power);
    claim_below(r, power, 1e-12, "gyroscopic, up to differences of the rows", "v.F");
    if (coarse < 1e-9)
        claim_below(r, coarse, 1e-11, "exact for a linear connection, over h", "(F^- + F^+)/h - F");
    else
        claim_order_between(r, log2(coarse / fine), 1.9, 2.1, "O(h^2), steps h/32, h/64", "order of (F^- + F^+)/h - F");
}

static void reduction_of(claim_report *r, const claim_system *s, const lg_system *S0, const chaplygin_split *part)
{
    static const char *const taus[] = {"exp", "cayley", "second-kind", "exp:order=2"};
    lg_rng rng = {62};
    double v[S];
    for (int b = 0; b < part->s; b++) v[b] = s->xi0[part->shape[b]] + 0.3 * lg_rng_normal(&rng);
    forces_tend(r, s, S0, part, v);
    for (int i = 0; i < 4; i++) {
        lg_chaplygin *o = reduce(r, s->name, S0, part, taus[i], s->h, s->g0, v);
        lg_integrator *it = o != NULL ? whole(r, s, S0, part, taus[i], o, v) : NULL;
        misfit most;
        if (it != NULL && side_by_side(r, s, part, o, it, r->full ? 80 : 30, &most)) {
            say(r, &most);
            chaplygin_figures(r, o, part, s->h);
        }
        lg_integrator_destroy(it);
        lg_chaplygin_destroy(o);
    }
}

/* The closed forms: three shapes in a row of dla:midpoint. */
static int three(claim_report *r, lg_integrator *it, int at, double *q)
{
    for (int k = 0; k < 3; k++) {
        q[2 * k] = lg_integrator_configuration(it)[at], q[2 * k + 1] = lg_integrator_configuration(it)[at + 1];
        if (k < 2 && !claim_steps(r, it, 1)) return 0;
    }
    return 1;
}

/* L*_d of the particle in x^2 + y^2 with F = (-y x'y', y x'^2) at the middles, half of it to either end. */
static void particle_form(claim_report *r)
{
    double most = 0, without = 0, q[6];
    claim_system s;
    lg_integrator *it;
    if (!claim_open(r, &s, "particle-quadratic", NULL)) return;
    it = claim_start(r, &s, "dla:midpoint", "exp", 0.1, LG_START_REACTION);
    for (int k = 0; it != NULL && k < 250 && three(r, it, 0, q); k++) {
        double slope[2] = {0}, force[2] = {0};
        for (int leg = 0; leg < 2; leg++) {
            const double *a = q + 2 * leg, y = (a[1] + a[3]) / 2, vx = (a[2] - a[0]) / 0.1, vy = (a[3] - a[1]) / 0.1;
            const double sign = leg == 0 ? 1 : -1; /* D_2 of the leg that arrives, D_1 of the one that leaves */
            slope[0] += sign * (1 + y * y) * vx - 0.05 * (a[0] + a[2]);
            slope[1] += sign * vy + 0.05 * (y * vx * vx - 2 * y);
            force[0] -= 0.05 * y * vx * vy, force[1] += 0.05 * y * vx * vx;
        }
        most = claim_larger(most, claim_gap(slope, force, 2));
        without = claim_larger(without, claim_larger(fabs(slope[0]), fabs(slope[1])));
    }
    claim_below(r, most, 1e-12, "round-off over h, measured 3e-14", "theorem 5.5 written out for the particle");
    claim_control(r, without, 1e-2, "without the force", "theorem 5.5 written out for the particle");
    lg_integrator_destroy(it);
    claim_close(&s);
}

/* The robot: theta'' = 0 and (3 Iw + m r^2 cos(dtheta/2)) psi'' = -5 (cos + cos), differences for derivatives. */
static void robot_form(claim_report *r)
{
    const double m = 1.3, Iw = 0.7, R = 0.8, h = 0.1;
    double most = 0, wrong = 0, q[6];
    claim_system s;
    lg_integrator *it;
    if (!claim_open(r, &s, "mobile-robot", "m=1.3 Iw=0.7 r=0.8")) return;
    it = claim_start(r, &s, "dla:midpoint", "exp", h, LG_START_REACTION);
    for (int k = 0; it != NULL && k < 60 && three(r, it, 2, q); k++) {
        const double turn = remainder(q[4] - q[2], 8 * atan(1)), before = remainder(q[2] - q[0], 8 * atan(1));
        const double ahead = remainder(q[5] - q[3], 8 * atan(1)), back = remainder(q[3] - q[1], 8 * atan(1));
        const double torque = -5 * h * h * (cos(q[3] + ahead / 2) + cos(q[3] - back / 2));
        most = claim_larger(most, fabs(turn - before));
        most = claim_larger(most, fabs((3 * Iw + m * R * R * cos(turn / 2)) * (ahead - back) - torque));
        wrong = claim_larger(wrong, fabs((3 * Iw + m * R * R) * (ahead - back) - torque));
    }
    claim_below(r, most, 1e-12, "round-off, measured 2e-14", "theorem 5.5 written out for the robot");
    claim_control(r, wrong, 1e-6, "m r^2 for m r^2 cos(dtheta/2)", "theorem 5.5 written out for the robot");
    lg_integrator_destroy(it);
    claim_close(&s);
}

static void reduction(claim_report *r)
{
    chaplygin_each(r, reduction_of);
    if (!claim_own_systems(r)) return;
    particle_form(r);
    robot_form(r);
}

/* Theorem 5.6 ------------------------------------------------------------------------------------------------------ */

/* Q = R^s x R^d with rows [A(r), 1], A_ab = a_ab + B_abc r_c + c_a r_b^3, V = |r|^2/2 + r_1^4/4 + r_1 r_2/3, and either
 * L = |r'|^2/2 + |xi + A r'|^2/2 - V, for which p = 0 on D, or L = |r'|^2/2 + |xi|^2/2 - V. */
typedef struct family {
    const char *name;
    int flat, square, cubic; /* B_abc = B_acb; the first Lagrangian; c_a != 0 */
    int s, d;
    double a[2][3], B[2][3][3], c[2];
} family;

static void connection(const family *o, const double *r, double A[2][3])
{
    for (int i = 0; i < o->d; i++)
        for (int b = 0; b < o->s; b++)
            A[i][b] = o->a[i][b] + claim_dot(o->s, o->B[i][b], r) + o->c[i] * r[b] * r[b] * r[b];
}

/* Its derivative along eta. */
static void connection_rate(const family *o, const double *r, const double *eta, double dA[2][3])
{
    for (int i = 0; i < o->d; i++)
        for (int b = 0; b < o->s; b++) dA[i][b] = claim_dot(o->s, o->B[i][b], eta) + 3 * o->c[i] * r[b] * r[b] * eta[b];
}

static int family_rows(const lg_call *call, const double *q, double *mu, double *Y)
{
    const family *o = call->context;
    double A[2][3];
    (void)Y;
    connection(o, q, A);
    for (int i = 0; i < o->d; i++) {
        memcpy(mu + i * (o->s + o->d), A[i], (size_t)o->s * sizeof *mu);
        mu[i * (o->s + o->d) + o->s + i] = 1;
    }
    return 0;
}

static int family_rows_rate(const lg_call *call, const double *q, const double *eta, double *dmu, double *dY)
{
    const family *o = call->context;
    double dA[2][3];
    (void)dY;
    connection_rate(o, q, eta, dA);
    for (int i = 0; i < o->d; i++) memcpy(dmu + i * (o->s + o->d), dA[i], (size_t)o->s * sizeof *dmu);
    return 0;
}

static int family_potential(const lg_call *call, const double *q, double *V)
{
    const family *o = call->context;
    *V = claim_dot(o->s, q, q) / 2 + q[0] * q[0] * q[0] * q[0] / 4 + q[0] * q[1] / 3;
    return 0;
}

static int family_gradient(const lg_call *call, const double *q, double *dV)
{
    const family *o = call->context;
    memcpy(dV, q, (size_t)o->s * sizeof *dV);
    dV[0] += q[0] * q[0] * q[0] + q[1] / 3, dV[1] += q[0] / 3;
    return 0;
}

/* J = [1 + A^T A, A^T; A, 1] or 1. */
static int family_metric(const lg_call *call, const double *q, double *J)
{
    const family *o = call->context;
    const int n = o->s + o->d;
    double A[2][3];
    connection(o, q, A);
    for (int i = 0; i < n; i++) J[i * n + i] = 1;
    for (int i = 0; i < o->d && o->square; i++)
        for (int b = 0; b < o->s; b++) {
            J[(o->s + i) * n + b] = J[b * n + o->s + i] = A[i][b];
            for (int k = 0; k < o->s; k++) J[b * n + k] += A[i][b] * A[i][k];
        }
    return 0;
}

/* J* = 1 or 1 + A^T A. */
static int reduced_metric(const lg_call *call, const double *q, double *J)
{
    const family *o = call->context;
    double A[2][3];
    connection(o, q, A);
    for (int b = 0; b < o->s; b++)
        for (int k = 0; k < o->s; k++) {
            J[b * o->s + k] = b == k;
            for (int i = 0; i < o->d && !o->square; i++) J[b * o->s + k] += A[i][b] * A[i][k];
        }
    return 0;
}

/* dT_k = (xi + A v).(d_k A) v; on M, where it is not 0, the same without xi. */
static void slope_of(const family *o, const double *q, const double *v, const double *xi, double *dT)
{
    double A[2][3], dA[2][3];
    connection(o, q, A);
    for (int k = 0; k < o->s; k++) {
        double eta[3] = {0};
        eta[k] = 1;
        connection_rate(o, q, eta, dA);
        for (int i = 0; i < o->d; i++)
            dT[k] += ((xi != NULL ? xi[i] : 0) + claim_dot(o->s, A[i], v)) * claim_dot(o->s, dA[i], v);
    }
}

static int family_slope(const lg_call *call, const double *q, const double *v, double *dT)
{
    const family *o = call->context;
    if (o->square) slope_of(o, q, v, v + o->s, dT);
    return 0;
}

static int reduced_slope(const lg_call *call, const double *q, const double *v, double *dT)
{
    const family *o = call->context;
    if (!o->square) slope_of(o, q, v, NULL, dT);
    return 0;
}

static void family_fill(family *o, lg_rng *rng, int s, int d)
{
    o->s = s, o->d = d;
    for (int i = 0; i < d; i++) {
        o->c[i] = o->cubic ? 0.3 * (i + 1) : 0;
        for (int b = 0; b < s; b++) {
            o->a[i][b] = 0.5 * lg_rng_normal(rng);
            for (int k = 0; k < s; k++) o->B[i][b][k] = o->flat && k < b ? o->B[i][k][b] : 0.5 * lg_rng_normal(rng);
        }
    }
}

/* The system on Q, or with d = 0 the one on M. */
static lg_system family_system(const family *o, int d)
{
    lg_system S0 = lg_system_default(lg_rn(o->s + d));
    S0.context = o;
    S0.callbacks.metric = d > 0 ? family_metric : reduced_metric;
    S0.callbacks.metric_gradient = d > 0 ? family_slope : reduced_slope;
    S0.callbacks.potential = family_potential, S0.callbacks.potential_gradient = family_gradient;
    if (d > 0)
        S0.constraint_count = d, S0.callbacks.covectors = family_rows,
        S0.callbacks.covectors_derivative = family_rows_rate;
    return S0;
}

/* The largest differences between RDLA and the variational integrator of L*, and the forces of RDLA. */
typedef struct variation {
    double path, momentum, force, lambda;
    double halves; /* F^- and F^+ against h/2 F at the middle */
} variation;

/* F, and its halves, for the step from r0 that c has made. */
static int look_at_forces(claim_report *r, const family *o, lg_chaplygin *c, const double *r0, double h,
                          variation *most)
{
    const double *v = lg_chaplygin_step_velocity(c);
    double middle[3], F[3];
    pieces now;
    for (int b = 0; b < o->s; b++) middle[b] = r0[b] + h / 2 * v[b];
    if (!claim_ok(r, lg_chaplygin_force(c, F, middle, v), "F", lg_chaplygin_message(c))) return 0;
    if (!claim_ok(r, lg_chaplygin_slopes(c, now.D1, now.D2, now.minus, now.plus, r0, v), "slopes",
                  lg_chaplygin_message(c)))
        return 0;
    for (int b = 0; b < o->s; b++) {
        most->force = claim_larger(most->force, fabs(F[b]));
        most->halves = claim_larger(most->halves, fabs(now.minus[b] - h / 2 * F[b]));
        most->halves = claim_larger(most->halves, fabs(now.plus[b] - h / 2 * F[b]));
    }
    return 1;
}

static int vary(claim_report *r, const family *o, lg_chaplygin *c, lg_integrator *it, variation *most)
{
    memset(most, 0, sizeof *most);
    for (int k = 0; k < 40; k++) {
        double shape[3];
        lg_chaplygin_shape(c, shape);
        if (!claim_ok(r, lg_chaplygin_step(c), "RDLA", lg_chaplygin_message(c)) || !claim_steps(r, it, 1)) return 0;
        if (!look_at_forces(r, o, c, shape, lg_integrator_step_size(it), most)) return 0;
        lg_chaplygin_shape(c, shape);
        most->path = claim_larger(most->path, claim_gap(shape, lg_integrator_configuration(it), o->s));
        most->momentum =
            claim_larger(most->momentum, claim_gap(lg_chaplygin_momentum(c), lg_integrator_momentum_plus(it), o->s));
        for (int i = 0; i < o->d; i++) most->lambda = claim_larger(most->lambda, fabs(lg_chaplygin_multipliers(c)[i]));
    }
    return 1;
}

static void say_family(claim_report *r, const family *o, const variation *most)
{
    if (!o->cubic)
        claim_below(r, most->halves / claim_larger(1, most->force), 1e-13, "A linear: exact, measured 5e-15",
                    "F^- and F^+ are h/2 F at the middle");
    else if (!o->square)
        claim_control(r, most->halves, 1e-9, "A is not linear", "F^- and F^+ are h/2 F at the middle");
    if (!o->flat && !o->square) {
        claim_control(r, most->force, 1e-5, "a connection with curvature", "|F|");
        claim_control(r, most->path, 1e-5, "a connection with curvature", "RDLA - variational:midpoint of L*");
        return;
    }
    claim_below(r, most->force, 5e-14, "round-off, measured 2e-15", "|F|");
    if (o->square) claim_below(r, most->lambda, 1e-13, "p = 0 on D", "multipliers");
    if (o->cubic && !o->square) {
        claim_control(r, most->path, 1e-9, "A is not linear: F = 0 but F^- is not",
                      "RDLA - variational:midpoint of L*");
        return;
    }
    claim_below(r, most->path, 5e-13, "round-off of 40 steps, measured 3e-14", "RDLA - variational:midpoint of L*: r");
    claim_below(r, most->momentum, 5e-13, "round-off of 40 steps, measured 3e-14", "RDLA - variational:midpoint: P");
}

static void family_member(claim_report *r, family *o, lg_rng *rng)
{
    static const int sizes[3][2] = {{2, 1}, {3, 2}, {2, 2}};
    const double h = 0.1;
    for (int k = 0; k < 3; k++) {
        double g0[5] = {0}, v[3];
        chaplygin_split part = {.shape = {0, 1, 2}, .s = sizes[k][0], .d = sizes[k][1]};
        lg_system all, reduced;
        lg_chaplygin *c;
        lg_integrator *it = NULL;
        variation most;
        lg_status status;
        family_fill(o, rng, sizes[k][0], sizes[k][1]);
        all = family_system(o, o->d), reduced = family_system(o, 0);
        for (int b = 0; b < o->s; b++) g0[b] = 0.4 * lg_rng_normal(rng), v[b] = lg_rng_normal(rng);
        c = reduce(r, o->name, &all, &part, "exp", h, g0, v);
        if (c == NULL) continue;
        status = lg_integrator_create(&it, &reduced, "variational:midpoint", "exp", h);
        if (status == LG_OK) status = lg_integrator_start_momentum(it, 0, g0, lg_chaplygin_momentum(c));
        if (claim_ok(r, status, "variational:midpoint", lg_integrator_message(it)) && vary(r, o, c, it, &most))
            say_family(r, o, &most);
        lg_integrator_destroy(it);
        lg_chaplygin_destroy(c);
    }
}

static void variational(claim_report *r)
{
    family families[] = {
        {.name = "p = 0, curved", .square = 1},
        {.name = "p = 0, A not linear", .square = 1, .cubic = 1},
        {.name = "flat", .flat = 1},
        {.name = "curved"},
        {.name = "flat, A not linear", .flat = 1, .cubic = 1},
    };
    lg_rng rng = {63};
    if (!claim_own_systems(r)) return;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        for (int k = 0; k < (r->full ? 50 : 3); k++) family_member(r, &families[i], &rng);
}

const claim claims_chaplygin[] = {
    {"chaplygin-reduction",
     "RDLA on shape space, (32) with its forces, is the projection of midpoint DLA for every Chaplygin system and "
     "retraction, and its reconstruction gives DLA back; F^- + F^+ tends to h F, which does no work.",
     "[P1] theorem 5.5, (30)-(32)", 0.1, reduction},
    {"chaplygin-variational",
     "If the reduced system has no gyroscopic force, F = 0, the group is abelian and the connection linear in r, RDLA "
     "is the variational midpoint integrator of L*; where p = 0 on D, even without linearity.",
     "[P1] theorem 5.6", 0.1, variational},
    {0},
};
