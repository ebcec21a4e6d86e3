/* SPDX-License-Identifier: BSD-3-Clause */
/* The consistency of every system: derivatives, initial data, projectors, invariants, the closed form, its bodies. */
#include "claims/framework/variants.h"
#include "claims/consistency/catalog_bodies.h"

/* Parameters of special cases: more invariants, closed forms, other signs. */
static const struct {
    const char *system, *settings;
} special[] = {
    {"ball-on-inclined-turntable", "friction=0"},
    {"ball-on-inclined-turntable", "friction=0 tilt=0 bearing=0"},
    {"ball-on-inclined-turntable", "friction=1e-4 tilt=0 bearing=0 I=2e-4"},
    {"chaplygin-sleigh", "a=-0.3 I=1.7 m=0.6"},
    {"chaplygin-sleigh-planar", "a=0"},
    {"chaplygin-sleigh-planar", "a=-0.3 m=1.4"},
    {"chaplygin-sphere", "I1=1.1 I2=1.1 I3=1.1 m=2"},
    {"chaplygin-sphere", "I1=1.1 I2=1.1 I3=1.1 Omega=0"},
    {"rolling-ball", "I1=1.1 I2=1.1 I3=1.1 r=0.8"},
    {"rolling-ball", "I1=1.1 I2=1.1 I3=1.1 Omega=0 m=2"},
    {"turntable", "I1=1.1 I2=1.1 I3=1.1 r=0.8"},
    {"heavy-top", "I1=1.2 I2=1.2 I3=0.8 chi1=0 chi2=0 chi3=0.3"},
    {"heavy-top", "I1=1.6 I2=1.6 I3=0.8 chi1=0.3 chi2=-0.2 chi3=0"},
    {"rigid-body", "I1=1.3 I2=1.3 I3=0.7"},
    {"rigid-body", "I1=0.7 I2=1.3 I3=1.3"},
    {"rigid-body", "I1=1.3 I2=0.7 I3=1.3"},
    {"suslov", "I12=0 I13=0 I23=0"},
    {"suslov", "a1=0.3 a2=-0.4"},
    {"suslov", "I12=0.3 I13=-0.2 I23=0.4"},
    {"two-link-arm", "g=0 m1=1.3 l2=0.7"},
    {"two-wheeled-robot", "a=0"},
    {"two-wheeled-robot", "a=0 c=0 tau_left=-0.2"},
    {"veselova-top", "chi1=0 chi2=0 chi3=0"},
    {"veselova-top", "chi1=0 chi2=0 chi3=0 I11=1.3 I22=1.3 I33=1.3 I12=0 I13=0 I23=0"},
    {"affine-line", "I1=1.4 I2=0.6"},
    {"snakeboard", "m=1.3 J=0.7 J1=0.2 r=0.8"},
    {"cvt", "c2=-0.1 quartic=1"},
    {"mobile-robot", "m=1.4 I=0.8 Iw=0.3 r=1.2"},
    {"double-spherical-pendulum", "m1=0.7 m2=1.3 l1=1.2 l2=0.8"},
    {"mobile-arm", "m=1.3 I=0.7 kx=0.4 k=1"},
    {"roller-racer", "m=1.3 I=0.7 d=0.4"},
    {"cart-trailer", "m=1.3 a=-0.2 b=0.2 mt=0.6 at=0.2 d=0.5"},
};

/* The figures that the controls collect over all systems. */
typedef struct controls {
    double stale; /* largest change of an invariant with the momentum of the start */
    double freed; /* largest |T - sum over the bodies|/T with a metric of another system: of doubled velocities */
    int refused;  /* systems with a wrong gradient that the check refused, */
    int offered;  /* and the number of such systems */
} controls;

/* Initial data ----------------------------------------------------------------------------------------------------- */

/* The initial data of the definition, before any projection: on the group, the holonomic constraints, and the rows. */
static void check_initial(claim_report *r, const claim_system *s)
{
    const lg_call c = claim_call(s, (double[]){0});
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], phi[CLAIM_ROWS] = {0};
    double most = 0, off = 0;
    if (!claim_ok(r, lg_model_initial(s->M, g, xi, NULL), "lg_model_initial", lg_model_message(s->M))) return;
    if (s->S->callbacks.holonomic_count > 0 && s->S->callbacks.holonomic(&c, g, phi) != 0) phi[0] = NAN;
    for (int a = 0; a < s->S->callbacks.holonomic_count; a++) off = fmax(off, isnan(phi[a]) ? INFINITY : fabs(phi[a]));
    claim_rows(s, 0, g, A, b);
    for (int a = 0; a < s->m; a++) {
        double sum = -b[a], size = fabs(b[a]);
        for (int i = 0; i < s->n; i++) sum += A[a * s->n + i] * xi[i], size += fabs(A[a * s->n + i] * xi[i]);
        if (size > 0) most = fmax(most, fabs(sum) / size);
    }
    claim_below(r, lg_group_residual(s->G, g), 1e-15, "round-off", "initial configuration, distance from the group");
    claim_below(r, off, 2e-15, "round-off", "initial configuration, |phi|");
    const lg_model_definition *d = lg_model_describe(s->M), *listed = lg_catalog_definition(d->name);
    if (listed == NULL || listed->name != d->name) return; /* may need a start */
    claim_below(r, most, 4e-15, "round-off", "initial velocity, |A xi - b| relative to its terms");
}

/* Derivatives ------------------------------------------------------------------------------------------------------ */

static int wrong_gradient(const lg_call *c, const double *g, double *out)
{
    const claim_system *s = c->context;
    lg_call own = *c;
    own.context = s->S->context;
    if (s->S->callbacks.potential_gradient(&own, g, out) != 0) return 1;
    for (int i = 0; i < s->n; i++) out[i] *= 1.01;
    return 0;
}

static int own_potential(const lg_call *c, const double *g, double *V)
{
    const claim_system *s = c->context;
    lg_call own = *c;
    own.context = s->S->context;
    return s->S->callbacks.potential(&own, g, V);
}

static int wrong_potential(const lg_call *c, const double *g, double *V)
{
    const int code = own_potential(c, g, V);
    *V *= 1.01;
    return code;
}

static int right_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    const claim_system *s = c->context;
    lg_call own = *c;
    own.context = s->S->context;
    return s->S->callbacks.potential_hessian(&own, g, eta, out);
}

/* Only potential and gradient of the system, the gradient with a wrong coefficient. */
static void offer_wrong(const claim_system *s, controls *all)
{
    double dV[CLAIM_DIM], size = 0;
    lg_system S = lg_system_default(s->G);
    lg_rng rng = {2};
    lg_error e;
    double one[CLAIM_DIM];
    claim_gradient(s, 0, s->g0, dV);
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(dV[i])), one[i] = 1;
    if (s->S->callbacks.potential_gradient == NULL || s->S->callbacks.time_dependent || size < 0.01) return;
    S.inertia_diagonal = one;
    S.context = s;
    S.parameter_values = s->S->parameter_values;
    S.parameter_count = s->S->parameter_count;
    S.parameters = s->S->parameters;
    S.callbacks.potential = own_potential;
    S.callbacks.potential_gradient = wrong_gradient;
    all->offered++;
    all->refused += lg_system_check(&S, &rng, s->g0, 4, 1e-8, &e) == LG_ERROR_ARGUMENT;
    S.callbacks.potential_hessian = s->S->callbacks.potential_hessian;
    for (int i = 0; i < s->n; i++) dV[i] = 0; /* the derivative along (1, ..., 1); of weights it may be 0 */
    static const double t = 0;
    const lg_call call = {s, S.parameter_values, t, 1, NULL, &t};
    if (S.callbacks.potential_hessian == NULL || right_hessian(&call, s->g0, one, dV)) return;
    size = 0;
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(dV[i]));
    if (size < 0.01) return;
    S.callbacks.potential = wrong_potential;
    S.callbacks.potential_hessian = right_hessian;
    all->offered++;
    all->refused += lg_system_check(&S, &rng, s->g0, 4, 1e-8, &e) == LG_ERROR_ARGUMENT;
}

/* The user's derivatives against the library's differences, and the motions with either. */
static void check_derivatives(claim_report *r, const claim_system *s, controls *all)
{
    lg_system plain = *s->S;
    claim_system without = *s;
    claim_state a, b;
    lg_rng rng = {3};
    lg_error e = {LG_OK, ""};
    const lg_status status = lg_system_check(s->S, &rng, s->g0, 6, 1e-8, &e);
    claim_below(r, status != LG_OK, 0, "difference formulas of order 4 with step 1e-3", "derivatives that differ: %s",
                e.message);
    offer_wrong(s, all);
    plain.callbacks.potential_gradient = NULL, plain.callbacks.potential_hessian = NULL,
    plain.callbacks.metric_gradient = NULL;
    plain.callbacks.covectors_derivative = NULL, plain.callbacks.holonomic_differential = NULL,
    plain.callbacks.holonomic_rate = NULL, plain.callbacks.holonomic_acceleration = NULL;
    plain.callbacks.covectors_rate = NULL;
    without.S = &plain;
    if (claim_state_after(r, s, "rkmk4", "exp", s->h / 2, 6, &a) &&
        claim_state_after(r, &without, "rkmk4", "exp", s->h / 2, 6, &b))
        claim_below(r, claim_state_gap(s, &a, &b), 1e-10, "differences: 1e-13, of second ones 1e-11, over the steps",
                    "6 steps with and without the system's derivatives");
    if (s->S->callbacks.holonomic_count > 0 && claim_state_after(r, s, "rkmk4", "second-kind", s->h / 2, 6, &a) &&
        claim_state_after(r, &without, "rkmk4", "second-kind", s->h / 2, 6, &b))
        claim_below(r, claim_state_gap(s, &a, &b), 1e-10, "differences, by a retraction that is not symmetric",
                    "6 steps with and without the system's derivatives");
    if (claim_state_after(r, s, "sem", "exp", s->h / 2, 6, &a) &&
        claim_state_after(r, &without, "sem", "exp", s->h / 2, 6, &b))
        claim_below(r, claim_state_gap(s, &a, &b), 5e-11, "differences: 1e-13, of phi twice, over the steps",
                    "6 steps with and without the system's derivatives");
}

/* Projectors ------------------------------------------------------------------------------------------------------- */

/* A K^-1 P = 0, P A^T = 0, P + Q = 1 in the projectors' own metric K; A J^-1 Pi = b; a step of the GNI is a
 * reflection. */
static void check_projectors(claim_report *r, const claim_system *s, const double *own)
{
    const int n = s->n;
    double P[CLAIM_DIM * CLAIM_DIM], Q[CLAIM_DIM * CLAIM_DIM], Pi[CLAIM_DIM], J[CLAIM_DIM * CLAIM_DIM], u[CLAIM_DIM];
    double A[CLAIM_ROWS * CLAIM_DIM], b[CLAIM_ROWS], most = 0, affine = 0, scale = 0;
    lg_system S = *s->S;
    lg_error e = {LG_OK, ""};
    S.projector_metric = own;
    if (!claim_ok(r, lg_system_projectors(&S, P, Q, Pi, 0, s->g0, &e), "projectors", e.message)) return;
    claim_rows(s, 0, s->g0, A, b);
    claim_metric(s, 0, s->g0, J);
    for (int a = 0; a < s->m; a++) {
        double w[CLAIM_DIM], size = 0;
        if (!claim_solve(n, own != NULL ? own : J, A + a * n, w)) most = INFINITY;
        for (int i = 0; i < n; i++) size += fabs(w[i]);
        for (int i = 0; i < n; i++) {
            double left = 0, right = 0;
            for (int k = 0; k < n; k++) left += w[k] * P[k * n + i], right += P[i * n + k] * A[a * n + k];
            most = fmax(most, fmax(fabs(left) / size, fabs(right)));
        }
        if (!claim_solve(n, J, A + a * n, w)) affine = INFINITY;
        for (int i = 0; i < n; i++) b[a] -= w[i] * Pi[i], scale = fmax(scale, fabs(w[i] * Pi[i]));
        affine = fmax(affine, fabs(b[a]));
    }
    for (int i = 0; i < n * n; i++) most = fmax(most, fabs(P[i] + Q[i] - (i % (n + 1) == 0)));
    claim_below(r, most, 1e-14, "round-off", "%s: A K^-1 P* = 0, P* A^T = 0, P + Q = 1",
                own != NULL ? "another metric" : "kinetic metric");
    claim_below(r, affine, 1e-14 * fmax(scale, 1), "round-off", "A J^-1 Pi = b");
    if (s->S->callbacks.holonomic_count > 0) return;
    claim_system with = *s;
    with.S = &S;
    lg_integrator *it = claim_start(r, &with, "gni", "exp", s->h, LG_START_REACTION);
    if (it != NULL && claim_steps(r, it, 2)) {
        const double *pp = lg_integrator_momentum_plus(it), *pm = lg_integrator_momentum_minus(it);
        double gap = 0, size = 0;
        if (lg_system_projectors(&S, P, Q, Pi, lg_integrator_time(it), lg_integrator_configuration(it), &e) != LG_OK)
            P[0] = NAN;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += (P[i * n + k] - Q[i * n + k]) * pp[k] + 2 * Q[i * n + k] * Pi[k];
            u[i] = sum - pm[i];
            gap = fmax(gap, isnan(u[i]) ? INFINITY : fabs(u[i])), size = fmax(size, fabs(pp[i]));
        }
        claim_below(r, gap / fmax(size, 1e-300), 1e-14, "round-off", "p^- = (P - Q)* p^+ + 2 Q* Pi, %s",
                    own != NULL ? "another metric" : "kinetic metric");
    }
    lg_integrator_destroy(it);
}

static void check_all_projectors(claim_report *r, const claim_system *s)
{
    double K[CLAIM_DIM * CLAIM_DIM];
    if (s->m == 0) return;
    check_projectors(r, s, NULL);
    claim_metric(s, 0, s->g0, K);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) K[i * s->n + j] *= 1 + 0.5 * (i == j) * (1 + i % 3);
    if (s->S->callbacks.holonomic_count == 0) check_projectors(r, s, K);
}

/* The true motion -------------------------------------------------------------------------------------------------- */

enum { STEPS = 40, INVARIANTS = 8 };

/* The composition that computes the true motion. */
static lg_integrator *accurate(claim_report *r, const claim_system *s, double h)
{
    static const char *const methods[] = {"sem@kahan-li8", "sem:gauss=8@kahan-li6", "gni@kahan-li6"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        lg_integrator *it = claim_start(r, s, methods[i], "exp", h, LG_START_REACTION);
        if (it != NULL) return it;
    }
    claim_trouble(r, "no composition of high order");
    return NULL;
}

/* 40 steps of 17 stages at round-off; those of user-supplied systems may be longer. */
static double bound(const claim_report *r)
{
    return claim_own_systems(r) ? 1e-13 : 1e-9;
}

/* The scale of an invariant: its size over states near the current one. */
static double size_of(const claim_system *s, const lg_invariant *v, const double *g, const double *p)
{
    const lg_call c = claim_call(s, (double[]){0});
    double q[CLAIM_DIM], W[CLAIM_ELEMENT], xi[CLAIM_DIM], value, most = 0, size = 0;
    lg_rng rng = {9};
    for (int i = 0; i < s->n; i++) size = fmax(size, fabs(p[i]));
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < s->n; i++) {
            q[i] = p[i] + 0.3 * size * lg_rng_normal(&rng);
            xi[i] = 0.3 * lg_rng_normal(&rng);
        }
        if (lg_group_exp(s->G, W, xi) != LG_OK || lg_group_compose(s->G, W, g, W) != LG_OK) continue;
        if (v->value(&c, W, q, &value) == 0 && isfinite(value)) most = fmax(most, fabs(value));
    }
    return most;
}

static void check_invariants(claim_report *r, const claim_system *s, double h, controls *all)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    double first[INVARIANTS], off[INVARIANTS] = {0}, size[INVARIANTS], p0[CLAIM_DIM], value, stale;
    lg_integrator *it = d->invariant_count > 0 && d->invariant_count <= INVARIANTS ? accurate(r, s, h) : NULL;
    for (int k = 0; it != NULL && k <= STEPS; k++) {
        const lg_call c = claim_call(s, (double[]){lg_integrator_time(it)});
        for (int i = 0; i < d->invariant_count; i++) {
            const lg_invariant *v = &d->invariants[i];
            if (v->value(&c, lg_integrator_configuration(it), lg_integrator_momentum(it), &value) != 0) value = NAN;
            if (k == 0) {
                memcpy(p0, lg_integrator_momentum(it), (size_t)s->n * sizeof *p0);
                first[i] = value;
                size[i] = fmax(fabs(value), size_of(s, v, lg_integrator_configuration(it), p0));
                continue;
            }
            if (isnan(first[i])) continue;
            if (!(fabs(value - first[i]) <= off[i])) off[i] = fabs(value - first[i]);
            if (v->value(&c, lg_integrator_configuration(it), p0, &stale) == 0)
                all->stale = fmax(all->stale, fabs(stale - first[i]) / size[i]);
        }
        if (k < STEPS && !claim_steps(r, it, 1)) break;
    }
    for (int i = 0; it != NULL && i < d->invariant_count; i++)
        if (!isnan(first[i]) && strstr(d->invariants[i].meaning, "not conserved") == NULL)
            claim_below(r, off[i] / size[i], bound(r), "round-off: order 8 with half the step", "%s along %d steps",
                        d->invariants[i].name, STEPS);
    lg_integrator_destroy(it);
}

/* A complete closed form continues from its own result; it needs no steps, so T is large. */
static void check_flow(claim_report *r, const claim_system *s, double T)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const double *param = s->S->parameter_values;
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], h[CLAIM_ELEMENT], v[CLAIM_DIM], most, size = 1, way = 1;
    if (s->S->callbacks.time_dependent ||
        d->exact(&(lg_call){.param = param, .t = T, .lanes = 1}, s->g0, s->xi0, g, xi) != 0)
        return;
    for (int i = 0; i < s->size; i++) way = fmax(way, isnan(g[i]) ? INFINITY : fabs(g[i]));
    for (int i = 0; i < s->n; i++) size = fmax(size, isnan(xi[i]) ? INFINITY : fabs(xi[i]));
    if (isinf(way) || isinf(size) || d->exact(&(lg_call){.param = param, .t = T, .lanes = 1}, g, xi, h, v) != 0) return;
    memcpy(xi, v, sizeof xi);
    if (d->exact(&(lg_call){.param = param, .t = 2 * T, .lanes = 1}, s->g0, s->xi0, g, v) != 0) return;
    most = fmax(claim_distance(s->G, g, h) / way, claim_gap(xi, v, s->n) / size);
    claim_below(r, most, 1e-11, "round-off, grown along the motion", "exact(T) twice against exact(2 T), T = %g", T);
}

static int has_exact(const claim_system *s)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM];
    return d->exact != NULL &&
           d->exact(&(lg_call){.param = s->S->parameter_values, .t = s->h, .lanes = 1}, s->g0, s->xi0, g, xi) == 0;
}

/* The closed form, as far as it is known: NaN where it is not. */
static void check_exact(claim_report *r, const claim_system *s, double h)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    const double *param = s->S->parameter_values, T = STEPS * h;
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], back[CLAIM_DIM], velocity[CLAIM_DIM], most = 0, v = 0, size = 1, distance;
    const double *truth, *known = g;
    lg_integrator *it;
    if (d->exact == NULL || d->exact(&(lg_call){.param = param, .t = T, .lanes = 1}, s->g0, s->xi0, g, xi) != 0) return;
    it = accurate(r, s, h);
    if (it != NULL && claim_steps(r, it, STEPS) && lg_integrator_velocity(it, velocity) == LG_OK) {
        truth = lg_integrator_configuration(it);
        for (int f = 0; f < lg_group_factor_count(s->G); f++) {
            const lg_group *F = lg_group_factor(s->G, f);
            if (!isnan(known[0]) && lg_group_distance(F, &distance, known, truth) == LG_OK) most = fmax(most, distance);
            known += lg_group_element_size(F), truth += lg_group_element_size(F);
        }
        for (int i = 0; i < s->n; i++) size = fmax(size, fabs(velocity[i]));
        for (int i = 0; i < s->n; i++)
            if (!isnan(xi[i])) v = fmax(v, fabs(xi[i] - velocity[i]));
        claim_below(r, most, 5 * bound(r), "round-off: order 8 with half the step", "exact configuration at t = %g", T);
        claim_below(r, v / size, bound(r), "round-off: order 8 with half the step", "exact velocity at t = %g", T);
    }
    lg_integrator_destroy(it);
    check_flow(r, s, 100 * h);
    if (d->exact(&(lg_call){.param = param, .t = 0, .lanes = 1}, s->g0, s->xi0, g, back) != 0) return;
    for (int i = 0; i < s->n; i++)
        if (isnan(back[i])) back[i] = s->xi0[i];
    claim_below(r, claim_gap(back, s->xi0, s->n) / size, 4e-15, "round-off", "exact velocity at t = 0");
}

/* Kinetic energy --------------------------------------------------------------------------------------------------- */

static void check_bodies(claim_report *r, const claim_system *s, controls *all)
{
    const lg_call c = claim_call(s, (double[]){0});
    double J[CLAIM_DIM * CLAIM_DIM], g[CLAIM_ELEMENT], xi[CLAIM_DIM], T, kinetic, V, V0, U, U0, most = 0, lift = 0;
    const int weighs = s->S->callbacks.potential != NULL && claim_weight_of_bodies(s, s->g0, &V0) &&
                       s->S->callbacks.potential(&c, s->g0, &U0) == 0;
    lg_rng rng = {13};
    int told = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < s->n; i++) xi[i] = 0.5 * lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return;
        for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(&rng);
        if (!claim_kinetic_of_bodies(s, g, xi, &T)) return;
        if (weighs && claim_weight_of_bodies(s, g, &V) && s->S->callbacks.potential(&c, g, &U) == 0)
            lift = fmax(lift, fabs((U - U0) - (V - V0)) / fmax(1, fabs(V)));
        claim_metric(s, 0, g, J);
        kinetic = 0;
        for (int i = 0; i < s->n; i++)
            for (int j = 0; j < s->n; j++) kinetic += xi[i] * J[i * s->n + j] * xi[j] / 2;
        most = fmax(most, fabs(kinetic - T) / T);
        all->freed = fmax(all->freed, fabs(1.01 * kinetic - T) / T);
        told++;
    }
    if (told > 0)
        claim_below(r, most, 5e-12, "differences of order 6 with step 1e-3", "kinetic energy, metric against bodies");
    if (weighs) claim_below(r, lift, 1e-14, "round-off", "potential, against weights and heights");
}

/* Forces by their power, and columns that are not invariants. */
static void check_power(claim_report *r, const claim_system *s)
{
    const lg_model_definition *d = lg_model_describe(s->M);
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], f[CLAIM_DIM], u[CLAIM_DIM], p[CLAIM_DIM], power, spin, most = 0, whirl = 0;
    lg_call c = claim_call(s, (double[]){0});
    lg_rng rng = {29};
    int told = 0, spun = 0;
    c.control = u;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < s->n; i++) xi[i] = 0.5 * lg_rng_normal(&rng), u[i] = lg_rng_normal(&rng);
        if (lg_group_exp(s->G, g, xi) != LG_OK || lg_group_compose(s->G, g, s->g0, g) != LG_OK) return;
        for (int i = 0; i < s->n; i++) xi[i] = lg_rng_normal(&rng), f[i] = 0;
        if (claim_spin_of(s, g, xi, &spin) && claim_momentum_of(r, s, 0, g, xi, p)) {
            double value = NAN;
            (void)d->invariants[1].value(&c, g, p, &value);
            whirl = fmax(whirl, isnan(value) ? INFINITY : fabs(value - spin));
            spun = 1;
        }
        if (!claim_power_of_forces(s, g, xi, u, &power)) continue;
        if (s->S->callbacks.force(&c, g, xi, f) != 0) f[0] = NAN;
        for (int i = 0; i < s->n; i++) power -= f[i] * xi[i];
        most = fmax(most, isnan(power) ? INFINITY : fabs(power));
        told = 1;
    }
    if (told) claim_below(r, most, 1e-14, "round-off", "power of the forces against motors, brakes and friction");
    if (spun) claim_below(r, whirl, 1e-13, "round-off of an inertia of condition 9", "spin about the vertical");
}

/* The claim -------------------------------------------------------------------------------------------------------- */

static void one(claim_report *r, const claim_system *s, void *context)
{
    controls *all = context;
    claim_system moved;
    lg_rng rng = {43};
    claim_case(r, s->name, NULL, NULL);
    check_initial(r, s);
    claim_case(r, s->name, NULL, NULL);
    check_bodies(r, s, all);
    check_derivatives(r, s, all);
    check_all_projectors(r, s);
    check_invariants(r, s, s->h / 2, all);
    check_exact(r, s, s->h / 2);
    check_exact(r, s, -s->h / 2);
    check_power(r, s);
    for (int k = 0; k < 2 && claim_move(r, &moved, s, &rng, 0.2); k++) {
        for (int i = 0; i < s->n;
             i++) /* closed forms may need a component to be exactly 0, which the projection left at 1e-17 */
            if (fabs(moved.xi0[i]) < 1e-14) moved.xi0[i] = 0;
        for (int i = 0; k == 1 && (s->traits & (CLAIM_DRIFT | CLAIM_TIME)) == 0 && i < s->n; i++) moved.xi0[i] *= -1;
        check_invariants(r, &moved, s->h / 8, all);
        check_exact(r, &moved, s->h / 8);
        claim_below(r, has_exact(s) && !has_exact(&moved), 0, "the same parameters",
                    "data that the closed form refuses");
    }
}

static void consistent(claim_report *r)
{
    controls all = {0};
    claim_each(r, 0, 0, one, &all);
    for (size_t i = 0; claim_own_systems(r) && i < sizeof special / sizeof special[0]; i++) {
        claim_system s;
        if (!claim_open(r, &s, special[i].system, special[i].settings)) continue;
        one(r, &s, &all);
        claim_close(&s);
    }
    claim_case(r, NULL, NULL, NULL);
    if (!claim_own_systems(r)) return;
    claim_control(r, all.stale, 1e-2, "the momentum is that of the start", "an invariant along the motion");
    claim_control(r, all.freed, 5e-3, "a metric of 1.01 times the inertia", "kinetic energy against the bodies");
    claim_control(r, all.refused, all.offered, "a gradient of 1.01 times dV", "systems that the check refuses, of %d",
                  all.offered);
}

const claim claims_catalog_consistent[] = {
    {"catalog-consistent",
     "For every system the derivatives are those of its functions, initial data lie on the constraints, projectors and "
     "Pi fit the rows, invariants are constant along the true motion, closed forms are that motion, and the kinetic "
     "energy is that of its bodies.",
     "this library, docs/theory.md sections 1 and 3; sources of the systems", 1, consistent},
    {0},
};
