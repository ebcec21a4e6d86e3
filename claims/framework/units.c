/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's system in units of its own. The claims draw random states of size 1 and take differences with steps of 1e-3,
 * which means nothing for a planet in metres or a microbe in kilograms. With g = S g', xi_i = s_i xi'_i/T and energies
 * in E, powers of two each, the same system has lengths, times and energies near 1; scaling translations is an
 * automorphism of R^n, SE(2) and SE(3). */
#include <stdio.h>

#include "claims/framework/harness.h"

enum { CONTROLS = 20, INVARIANTS = 8 };

/* The callbacks of a definition have no context, and `verify` checks one user's system at a time: it is stored here,
 * before the claims start. */
static struct {
    lg_model_definition made;
    const lg_model_definition *of;
    const lg_group *G;
    int n, size;
    double S[CLAIM_ELEMENT], s[CLAIM_DIM], T, E, row[CLAIM_ROWS], phi[CLAIM_ROWS], control[CONTROLS];
    lg_invariant invariants[INVARIANTS];
} unit;

/* The original's call, and its element. */
typedef struct inner {
    lg_call c;
    double u[CONTROLS], g[CLAIM_ELEMENT], xi[CLAIM_DIM];
} inner;

static inner *enter(inner *in, const lg_call *c, const double *g, const double *xi)
{
    in->c = *c;
    in->c.t = c->t * unit.T, in->c.times = &in->c.t;
    for (int i = 0; i < unit.of->callbacks.control_count && c->control != NULL; i++)
        in->u[i] = c->control[i] * unit.control[i];
    if (c->control != NULL) in->c.control = in->u;
    for (int i = 0; i < unit.size && g != NULL; i++) in->g[i] = g[i] * unit.S[i];
    for (int i = 0; i < unit.n && xi != NULL; i++) in->xi[i] = xi[i] * unit.s[i];
    return in;
}

/* A covector of energies a unit of the group. */
static int leave(int code, double *out)
{
    for (int i = 0; i < unit.n; i++) out[i] *= unit.s[i] / unit.E;
    return code;
}

static void leave_metric(double *J)
{
    for (int i = 0; i < unit.n * unit.n; i++)
        J[i] *= unit.s[i / unit.n] * unit.s[i % unit.n] / (unit.T * unit.T * unit.E);
}

static void leave_rows(double *rows, int m, const double *by)
{
    for (int i = 0; i < m * unit.n; i++) rows[i] *= unit.s[i % unit.n] / by[i / unit.n];
}

static void leave_velocity(double *xi)
{
    for (int i = 0; i < unit.n; i++) xi[i] *= unit.T / unit.s[i];
}

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    const int code = unit.of->configure(c, J, rows, why);
    leave_metric(J);
    if (unit.of->has_constant_rows) leave_rows(rows, unit.of->constraint_count, unit.row);
    return code;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    const int code = unit.of->initial(c, g0, xi0);
    for (int i = 0; i < unit.size; i++) g0[i] /= unit.S[i];
    leave_velocity(xi0);
    return code;
}

static int exact(const lg_call *c, const double *g0, const double *xi0, double *g, double *xi)
{
    inner in;
    int code;
    enter(&in, c, g0, xi0);
    for (int i = 0; i < unit.n; i++) in.xi[i] /= unit.T;
    code = unit.of->exact(&in.c, in.g, in.xi, g, xi);
    for (int i = 0; i < unit.size; i++) g[i] /= unit.S[i];
    leave_velocity(xi);
    return code;
}

static int metric(const lg_call *c, const double *g, double *J)
{
    inner in;
    const int code = unit.of->callbacks.metric(&enter(&in, c, g, NULL)->c, in.g, J);
    leave_metric(J);
    return code;
}

static int metric_gradient(const lg_call *c, const double *g, const double *xi, double *out)
{
    inner in;
    enter(&in, c, g, xi);
    for (int i = 0; i < unit.n; i++) in.xi[i] /= unit.T;
    return leave(unit.of->callbacks.metric_gradient(&in.c, in.g, in.xi, out), out);
}

static int potential(const lg_call *c, const double *g, double *V)
{
    inner in;
    const int code = unit.of->callbacks.potential(&enter(&in, c, g, NULL)->c, in.g, V);
    *V /= unit.E;
    return code;
}

static int potential_gradient(const lg_call *c, const double *g, double *out)
{
    inner in;
    return leave(unit.of->callbacks.potential_gradient(&enter(&in, c, g, NULL)->c, in.g, out), out);
}

static int potential_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    inner in;
    return leave(unit.of->callbacks.potential_hessian(&enter(&in, c, g, eta)->c, in.g, in.xi, out), out);
}

static int force(const lg_call *c, const double *g, const double *xi, double *out)
{
    inner in;
    enter(&in, c, g, xi);
    for (int i = 0; i < unit.n; i++) in.xi[i] /= unit.T;
    return leave(unit.of->callbacks.force(&in.c, in.g, in.xi, out), out);
}

static int covectors(const lg_call *c, const double *g, double *mu, double *Y)
{
    inner in;
    const int code = unit.of->callbacks.covectors(&enter(&in, c, g, NULL)->c, in.g, mu, Y);
    leave_rows(mu, unit.of->constraint_count, unit.row);
    leave_velocity(Y);
    return code;
}

static int drift(const lg_call *c, const double *g, double *Y)
{
    inner in;
    const int code = unit.of->callbacks.drift(&enter(&in, c, g, NULL)->c, in.g, Y);
    leave_velocity(Y);
    return code;
}

static int covectors_derivative(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    inner in;
    const int code = unit.of->callbacks.covectors_derivative(&enter(&in, c, g, eta)->c, in.g, in.xi, dmu, dY);
    leave_rows(dmu, unit.of->constraint_count, unit.row);
    leave_velocity(dY);
    return code;
}

static int covectors_rate(const lg_call *c, const double *g, double *dmu, double *dY)
{
    inner in;
    const int m = unit.of->constraint_count,
              code = unit.of->callbacks.covectors_rate(&enter(&in, c, g, NULL)->c, in.g, dmu, dY);
    leave_rows(dmu, m, unit.row);
    leave_velocity(dY);
    for (int i = 0; i < m * unit.n; i++) dmu[i] *= unit.T;
    for (int i = 0; i < unit.n; i++) dY[i] *= unit.T;
    return code;
}

static int holonomic(const lg_call *c, const double *g, double *out)
{
    inner in;
    const int code = unit.of->callbacks.holonomic(&enter(&in, c, g, NULL)->c, in.g, out);
    for (int a = 0; a < unit.of->callbacks.holonomic_count; a++) out[a] /= unit.phi[a];
    return code;
}

static int holonomic_differential(const lg_call *c, const double *g, double *out)
{
    inner in;
    const int code = unit.of->callbacks.holonomic_differential(&enter(&in, c, g, NULL)->c, in.g, out);
    leave_rows(out, unit.of->callbacks.holonomic_count, unit.phi);
    return code;
}

static int holonomic_rate(const lg_call *c, const double *g, double *out)
{
    inner in;
    const int code = unit.of->callbacks.holonomic_rate(&enter(&in, c, g, NULL)->c, in.g, out);
    for (int a = 0; a < unit.of->callbacks.holonomic_count; a++) out[a] *= unit.T / unit.phi[a];
    return code;
}

static int holonomic_acceleration(const lg_call *c, const double *g, const double *xi, double *out)
{
    inner in;
    enter(&in, c, g, xi);
    for (int i = 0; i < unit.n; i++) in.xi[i] /= unit.T;
    const int code = unit.of->callbacks.holonomic_acceleration(&in.c, in.g, in.xi, out);
    for (int a = 0; a < unit.of->callbacks.holonomic_count; a++) out[a] *= unit.T * unit.T / unit.phi[a];
    return code;
}

/* The value of invariant k, in the original's unit: p_i xi_i is an energy. */
static int invariant(int k, const lg_call *c, const double *g, const double *p, double *out)
{
    inner in;
    enter(&in, c, g, NULL);
    for (int i = 0; i < unit.n; i++) in.xi[i] = p[i] * unit.E * unit.T / unit.s[i];
    return unit.of->invariants[k].value(&in.c, in.g, in.xi, out);
}

#define INVARIANT(k)                                                                                                   \
    static int invariant_##k(const lg_call *c, const double *g, const double *p, double *out)                          \
    {                                                                                                                  \
        return invariant(k, c, g, p, out);                                                                             \
    }
INVARIANT(0)
INVARIANT(1)
INVARIANT(2)
INVARIANT(3)
INVARIANT(4)
INVARIANT(5)
INVARIANT(6)
INVARIANT(7)

/* Scales ---------------------------------------------------------------------------------------------------------- */

/* The power of two near x, or 1 where x is near 1, zero or not finite. */
static double power_of_two(double x, double near)
{
    if (!isfinite(x) || x <= 0 || (x <= near && x >= 1 / near)) return 1;
    return ldexp(1, (int)lround(log2(x)));
}

/* The extent of a run, as far as it gets in units that may be wrong for it: the largest coordinate and velocity of
 * every entry, and the energy of the motion. */
typedef struct extent {
    double g[CLAIM_ELEMENT], xi[CLAIM_DIM], energy;
} extent;

static int look(const lg_system *S, const double *g0, const double *xi0, double h, extent *x)
{
    enum { STEPS = 40 };
    lg_integrator *it = NULL;
    double xi[CLAIM_DIM];
    int seen = 0;
    lg_status status = lg_integrator_create(&it, S, "sem", "exp", h);
    if (status == LG_OK) status = lg_integrator_start(it, 0, g0, xi0, LG_START_REACTION, 1);
    memset(x, 0, sizeof *x);
    for (int k = 0; k <= STEPS && status == LG_OK; k++, seen++) {
        double kinetic = 0;
        status = lg_integrator_velocity(it, xi);
        for (int i = 0; i < unit.size; i++) x->g[i] = fmax(x->g[i], fabs(lg_integrator_configuration(it)[i]));
        for (int i = 0; i < unit.n; i++) {
            x->xi[i] = fmax(x->xi[i], fabs(xi[i]));
            kinetic += xi[i] * lg_integrator_momentum(it)[i] / 2;
        }
        x->energy = fmax(x->energy, kinetic);
        if (k < STEPS && status == LG_OK) status = lg_integrator_step(it);
    }
    lg_integrator_destroy(it);
    return seen > 0;
}

/* The largest way along `count` coordinates from number a on that the energy allows in a unit of time. */
static double allowed_way(const claim_system *s, const extent *x, int a, int count)
{
    double J[CLAIM_DIM * CLAIM_DIM], most = 0;
    claim_metric(s, 0, s->g0, J);
    for (int i = a; i < a + count; i++) most = fmax(most, unit.T * sqrt(2 * x->energy / J[i * s->n + i]));
    return most;
}

/* Lengths: those of R^n each its own, those of SE(2) and SE(3) one a factor. Where coordinates stay at 0 but for
 * round-off, as those of a body that spins at the origin, the way that the energy allows. 1 if any is not 1. */
static int measure_lengths(const claim_system *s, const extent *x)
{
    const double near = 10, round_off = 1e-9;
    int e = 0, a = 0, changed = 0;
    for (int i = 0; i < unit.size; i++) unit.S[i] = 1;
    for (int i = 0; i < unit.n; i++) unit.s[i] = 1;
    for (int f = 0; f < lg_group_factor_count(unit.G); f++) {
        const lg_group *F = lg_group_factor(unit.G, f);
        const int count = F->kind == LG_KIND_RN    ? lg_group_dim(F)
                          : F->kind == LG_KIND_SE2 ? 2
                          : F->kind == LG_KIND_SE3 ? 3
                                                   : 0;
        double own[CLAIM_DIM], most = 0;
        for (int i = 0; i < count; i++) own[i] = fmax(x->g[e + i], x->xi[a + i] * unit.T), most = fmax(most, own[i]);
        const double way = allowed_way(s, x, a, count);
        if (most <= round_off * way) most = way;
        for (int i = 0; i < count; i++) {
            const double length = F->kind == LG_KIND_RN && own[i] > 1e-6 * most ? own[i] : most;
            unit.S[e + i] = unit.s[a + i] = power_of_two(length, near);
            changed |= unit.s[a + i] != 1;
        }
        e += lg_group_element_size(F), a += lg_group_dim(F);
    }
    return changed;
}

/* The largest entry of every row, in the new lengths; a unit of control moves the system by about as much as it does.
 */
static void measure_rows(const claim_system *s)
{
    double A[CLAIM_ROWS * CLAIM_DIM], f[2][CLAIM_DIM] = {{0}}, u[CONTROLS] = {0}, t = 0;
    const int mh = s->S->callbacks.holonomic_count, controls = s->S->callbacks.control_count;
    claim_rows(s, 0, s->g0, A, NULL);
    for (int a = 0; a < s->m; a++) {
        double most = 0;
        for (int i = 0; i < s->n; i++) most = fmax(most, fabs(A[a * s->n + i]) * unit.s[i]);
        *(a < mh ? &unit.phi[a] : &unit.row[a - mh]) = power_of_two(most, 10);
    }
    for (int k = 0; k < controls; k++) {
        double most = 0;
        lg_call c = lg_system_call(s->S, &t, u);
        unit.control[k] = 1;
        u[k] = 0;
        memset(f, 0, sizeof f);
        if (s->S->callbacks.force == NULL || s->S->callbacks.force(&c, s->g0, s->xi0, f[0]) != 0) continue;
        u[k] = 1;
        if (s->S->callbacks.force(&c, s->g0, s->xi0, f[1]) == 0)
            for (int i = 0; i < s->n; i++) most = fmax(most, fabs(f[1][i] - f[0][i]) * unit.s[i] / unit.E);
        unit.control[k] = power_of_two(1 / most, 100);
        u[k] = 0;
    }
}

/* The step, halved while a run of the claims' length does not end with it: some motions lead to a place where rows
 * become dependent, and the claims are about the motion before. */
static double lasting_step(claim_report *r, const lg_model_definition *d)
{
    enum { STEPS = 2100, HALVINGS = 7 }; /* claims make up to 2000 steps */
    claim_system s;
    double h = d->step;
    int lasts = 0;
    if (!(d->step > 0) || !claim_open_definition(r, &s, d, NULL)) return d->step;
    for (int k = 0; k < HALVINGS && !lasts; k++) {
        lg_integrator *it = NULL;
        lg_status status = lg_integrator_create(&it, s.S, "sem", "exp", ldexp(h, -k));
        if (status == LG_OK) status = lg_integrator_start(it, 0, s.g0, s.xi0, LG_START_REACTION, 1);
        for (int i = 0; i < STEPS && status == LG_OK; i++) status = lg_integrator_step(it);
        lg_integrator_destroy(it);
        lasts = status == LG_OK;
        if (lasts) h = ldexp(h, -k);
    }
    claim_close(&s);
    return h;
}

/* The definition, once the units are known. */
static void make(const lg_model_definition *d, double step)
{
    static int (*const values[INVARIANTS])(const lg_call *, const double *, const double *, double *) = {
        invariant_0, invariant_1, invariant_2, invariant_3, invariant_4, invariant_5, invariant_6, invariant_7};
    lg_callbacks *f = &unit.made.callbacks;
    unit.made = *d;
    unit.made.step = step / unit.T;
    unit.made.configure = configure, unit.made.initial = initial;
    if (d->exact != NULL) unit.made.exact = exact;
    if (unit.made.invariant_count > INVARIANTS) unit.made.invariant_count = 0;
    for (int k = 0; k < unit.made.invariant_count; k++)
        unit.invariants[k] = d->invariants[k], unit.invariants[k].value = values[k];
    unit.made.invariants = unit.invariants;
    f->lanes = LG_LANES_ONE;
    if (f->metric != NULL) f->metric = metric;
    if (f->metric_gradient != NULL) f->metric_gradient = metric_gradient;
    if (f->potential != NULL) f->potential = potential;
    if (f->potential_gradient != NULL) f->potential_gradient = potential_gradient;
    if (f->potential_hessian != NULL) f->potential_hessian = potential_hessian;
    if (f->force != NULL) f->force = force;
    if (f->covectors != NULL) f->covectors = covectors;
    if (f->drift != NULL) f->drift = drift;
    if (f->covectors_derivative != NULL) f->covectors_derivative = covectors_derivative;
    if (f->covectors_rate != NULL) f->covectors_rate = covectors_rate;
    if (f->holonomic != NULL) f->holonomic = holonomic;
    if (f->holonomic_differential != NULL) f->holonomic_differential = holonomic_differential;
    if (f->holonomic_rate != NULL) f->holonomic_rate = holonomic_rate;
    if (f->holonomic_acceleration != NULL) f->holonomic_acceleration = holonomic_acceleration;
    f->discrete_constraint = NULL, f->discrete_slope_1 = f->discrete_slope_2 = NULL; /* in no claim's loop */
}

const lg_model_definition *claim_in_own_units(const lg_model_definition *d, char *why)
{
    const double usual_step = 0.05, near_time = 5, near_energy = 30;
    claim_report r = {0};
    claim_system s;
    extent x;
    const lg_model_definition *best = d, *listed = lg_catalog_definition(d->name);
    if (listed != NULL && listed->configure == d->configure) return d; /* claims know its numbers */
    if (!claim_open_definition(&r, &s, d, NULL)) {
        (void)snprintf(why, LG_MESSAGE_SIZE, "%s", r.count > 0 ? r.measures[0].trouble : "out of memory");
        best = NULL;
        goto done;
    }
    unit.of = d, unit.G = s.G, unit.n = s.n, unit.size = s.size;
    unit.T = power_of_two(s.h / usual_step, near_time);
    if (s.S->callbacks.control_count <= CONTROLS && look(s.S, s.g0, s.xi0, s.h, &x)) {
        const int lengths = measure_lengths(&s, &x);
        unit.E = power_of_two(x.energy, near_energy);
        measure_rows(&s);
        double step;
        if (lengths || unit.T != 1 || unit.E != 1) make(d, s.h), best = &unit.made;
        step = lasting_step(&r, best);
        if (step < best->step) make(d, step * unit.T), best = &unit.made;
    }
    claim_close(&s);
done:
    claim_report_free(&r);
    return best;
}
