/* SPDX-License-Identifier: BSD-3-Clause */
/* Accelerations and multipliers of the continuous system: against the tests' own writing of the same equations, against
 * balances that the equations imply, and (test_physics.c) against mechanics derived otherwise. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/energy_systems.h"
#include "support/matrix.h"

/* A state near the initial one, its velocity free or on the constraints. */
static double random_state(const test_system *t, double *g, double *xi, int consistent, lg_rng *rng)
{
    const double far = bench_sharp(t) ? 0.02 : 0.2;
    double eta[SUITE_DIM], time = t->S.callbacks.time_dependent ? 3 * lg_rng_uniform(rng) : 0;
    int n = lg_group_dim(t->S.group);
    suite_normal(eta, n, rng);
    for (int i = 0; i < n; i++) eta[i] *= far;
    suite_ok("exp", lg_group_exp(t->S.group, g, eta));
    suite_ok("compose", lg_group_compose(t->S.group, g, t->g0, g));
    suite_normal(eta, n, rng);
    for (int i = 0; i < n; i++) xi[i] = t->xi0[i] + far * eta[i];
    if (consistent) system_project(&t->S, time, g, xi);
    suite_input("g", g, lg_group_element_size(t->S.group));
    suite_input("xi", xi, n);
    suite_input("t", &time, 1);
    return time;
}

/* First differences of order 4 on both sides are good to 1e-11 of the terms, second differences to 1e-10. */
static void test_second_writing(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++) {
        lg_system plain = bench_stripped(&t.S);
        bench full, bare, bent;
        lg_rng rng = suite_rng(41000 + (uint64_t)i);
        int n = lg_group_dim(t.S.group);
        bench_open(&full, &t.S, NULL);
        bench_open(&bare, &plain, NULL);
        bench_open(&bent, &plain, lg_retraction_second_kind());
        for (int k = 0; k < suite_count(20); k++) {
            double g[SUITE_ELEMENT], xi[SUITE_DIM], want[SUITE_DIM], got[SUITE_DIM];
            suite_case("%s, state %d", t.name, k);
            double time = random_state(&t, g, xi, k % 2, &rng), inertia = bench_sharp(&t) ? 5e3 : 1;
            double lambda[6];
            system_acceleration(&t.S, time, g, xi, want, lambda);
            double scale = 1 + mat_norm(want, n) + mat_norm(xi, n) * mat_norm(xi, n);
            bench_accelerate(&full, time, g, xi, got);
            suite_near("with the user's derivatives", got, want, n, 1e-10 * inertia, scale);
            int rows = t.S.callbacks.holonomic_count + t.S.constraint_count;
            suite_near("multipliers", full.a.lambda, lambda, rows, 1e-10 * inertia, scale + mat_norm(lambda, rows));
            bench_accelerate(&bare, time, g, xi, got);
            suite_near("with differences", got, want, n, 1e-9 * inertia, scale);
            bench_accelerate(&bent, time, g, xi, got);
            suite_near("with differences along another retraction", got, want, n, 1e-9 * inertia, scale);
        }
        bench_close(&full), bench_close(&bare), bench_close(&bent);
    }
}

/* ---- balances ---- */

/* g exp(s xi + s^2/2 xi'), xi + s xi': the motion up to s^2. */
static void follow(const lg_group *G, double s, const double *g, const double *xi, const double *xidot, double *g_s,
                   double *xi_s)
{
    double eta[SUITE_DIM];
    int n = lg_group_dim(G);
    for (int i = 0; i < n; i++) {
        eta[i] = s * xi[i] + 0.5 * s * s * xidot[i];
        xi_s[i] = xi[i] + s * xidot[i];
    }
    suite_ok("exp", lg_group_exp(G, g_s, eta));
    suite_ok("compose", lg_group_compose(G, g_s, g, g_s));
}

/* E(t, g, xi) = T + V, then the rows A xi - b; returns how many numbers. */
static int watched(const lg_system *S, double t, const double *g, const double *xi, double *out)
{
    double p[SUITE_DIM], A[6 * SUITE_DIM], b[6], V = 0;
    lg_call c = system_call(S, t);
    int n = lg_group_dim(S->group), rows = system_rows(S, t, g, A, b);
    system_momentum(S, t, g, xi, p);
    if (S->callbacks.potential != NULL) assert_int_equal(S->callbacks.potential(&c, g, &V), 0);
    out[0] = 0.5 * mat_dot(p, xi, n) + V;
    for (int a = 0; a < rows; a++) out[1 + a] = mat_dot(A + a * n, xi, n) - b[a];
    return 1 + rows;
}

/* d/ds at s = 0, by differences of order 4, of what is watched along the motion, or with g and xi held. The step is a
 * thousandth of the time in which the acceleration turns the velocity. */
static void rate_of(const lg_system *S, double t, const double *g, const double *xi, const double *xidot, double *rate)
{
    static const double weight[2] = {8.0 / 12, -1.0 / 12};
    double step = 1e-3 / (1 + sqrt(xidot != NULL ? mat_norm(xidot, lg_group_dim(S->group)) : 0));
    double x[SUITE_ELEMENT], v[SUITE_DIM], plus[8], minus[8];
    memset(rate, 0, 8 * sizeof *rate);
    for (int k = 1; k <= 2; k++) {
        double s = k * step;
        int count = 0;
        for (int side = 0; side < 2; side++) {
            double at = side ? -s : s;
            if (xidot != NULL) follow(S->group, at, g, xi, xidot, x, v);
            count = watched(S, t + at, xidot != NULL ? x : g, xidot != NULL ? v : xi, side ? minus : plus);
        }
        for (int i = 0; i < count; i++) rate[i] += weight[k - 1] / step * (plus[i] - minus[i]);
    }
}

/* dE/dt = <f, xi> + lambda.A xi + dE/dt at fixed (g, xi) less xi.J_t xi, which is twice its kinetic part; no system
 * here has J(t). And d/dt (A xi - b) = 0. Both whether xi satisfies the constraints or not; then lambda.A xi =
 * lambda.b. */
static void test_balances(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++) {
        bench b;
        lg_rng rng = suite_rng(42000 + (uint64_t)i);
        int n = lg_group_dim(t.S.group);
        bench_open(&b, &t.S, NULL);
        for (int k = 0; k < suite_count(20); k++) {
            double g[SUITE_ELEMENT], xi[SUITE_DIM], xidot[SUITE_DIM], f[SUITE_DIM] = {0}, A[6 * SUITE_DIM], c[6];
            double along[8], held[8], size[6];
            suite_case("balances of %s, state %d", t.name, k);
            double time = random_state(&t, g, xi, k % 2, &rng), power = 0, most = 1;
            bench_accelerate(&b, time, g, xi, xidot);
            lg_call call = system_call(&t.S, time);
            if (t.S.callbacks.force != NULL) assert_int_equal(t.S.callbacks.force(&call, g, xi, f), 0);
            power = mat_dot(f, xi, n);
            int rows = system_rows(&t.S, time, g, A, c);
            for (int a = 0; a < rows; a++) {
                double work = b.a.lambda[a] * mat_dot(A + a * n, xi, n);
                power += work;
                most = fmax(most, fabs(work));
                size[a] = 1 + mat_norm(A + a * n, n) * (mat_norm(xidot, n) + mat_norm(xi, n) * mat_norm(xi, n));
            }
            rate_of(&t.S, time, g, xi, xidot, along);
            rate_of(&t.S, time, g, xi, NULL, held);
            double p[SUITE_DIM];
            system_momentum(&t.S, time, g, xi, p);
            most += fabs(mat_dot(p, xidot, n)) + mat_norm(p, n) * mat_norm(xi, n) * mat_norm(xi, n) + fabs(along[0]);
            suite_near1("energy", along[0], power + held[0], 1e-9, most);
            for (int a = 0; a < rows; a++) suite_near1("A xi - b", along[1 + a], 0, 1e-9, size[a]);
        }
        bench_close(&b);
    }
}

/* ---- what is handed to callbacks ---- */

typedef struct spy {
    const test_system *t;
    double u[2]; /* the control values seen last */
    int calls, failing, code;
    int poison; /* fill the output with NaN at the failing call */
} spy;

static int seen(const lg_call *c)
{
    spy *s = (spy *)(uintptr_t)c->context;
    assert_non_null(c->control);
    memcpy(s->u, c->control, sizeof s->u);
    return s->calls++ == s->failing ? s->code : 0;
}

static int poisoned(const lg_call *c)
{
    const spy *s = c->context;
    return s->poison && s->calls == s->failing + 1;
}

static lg_call inner(const lg_call *c)
{
    const spy *s = c->context;
    lg_call d = *c;
    d.context = s->t->S.context;
    return d;
}

#define SPY_ON(name, type)                                                                                             \
    static int spy_##name(const lg_call *c, const double *g, double *out)                                              \
    {                                                                                                                  \
        const spy *s = c->context;                                                                                     \
        const lg_call d = inner(c);                                                                                    \
        int code = seen(c);                                                                                            \
        (void)s->t->S.callbacks.name(&d, g, out);                                                                      \
        if (poisoned(c)) *out = NAN;                                                                                   \
        return code;                                                                                                   \
    }
SPY_ON(potential, lg_scalar_fn)
SPY_ON(potential_gradient, lg_field_fn)
SPY_ON(holonomic, lg_field_fn)
SPY_ON(holonomic_differential, lg_field_fn)
SPY_ON(holonomic_rate, lg_field_fn)

static int spy_metric(const lg_call *c, const double *g, double *J)
{
    int code = seen(c);
    (void)g;
    J[0] = J[4] = J[8] = 1 + 0.1 * g[0] * g[0];
    if (poisoned(c)) J[4] = NAN;
    return code;
}

static int spy_slope(const lg_call *c, const double *g, const double *xi, double *out)
{
    int code = seen(c);
    out[0] = 0.1 * g[0] * mat_dot(xi, xi, 3);
    if (poisoned(c)) out[0] = NAN;
    return code;
}

static int spy_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    int code = seen(c);
    mu[0] = 1, mu[1] = sin(g[1]), mu[2] = 0.5;
    Y[1] = sin(g[0]), Y[2] = c->t;
    if (poisoned(c)) mu[0] = NAN;
    return code;
}

static int spy_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    int code = seen(c);
    (void)g;
    out[0] = c->control[0];
    out[1] = c->control[1] - xi[1];
    if (poisoned(c)) out[0] = NAN;
    return code;
}

/* Everything that a system can have, on R^3: a pendulum with a moving pivot, a row, a metric, a driven force. */
static void spy_make(spy *s, const test_system *t, lg_system *S, int plain)
{
    *s = (spy){.t = t, .failing = -1};
    *S = t->S;
    S->context = s;
    S->inertia_diagonal = NULL;
    S->callbacks.metric = spy_metric;
    S->callbacks.metric_gradient = spy_slope;
    S->callbacks.potential = spy_potential;
    S->callbacks.potential_gradient = spy_potential_gradient;
    S->callbacks.force = spy_force;
    S->callbacks.control_count = 2;
    S->constraint_count = 1;
    S->callbacks.covectors = spy_rows;
    S->callbacks.holonomic = spy_holonomic;
    S->callbacks.holonomic_differential = spy_holonomic_differential;
    S->callbacks.holonomic_rate = spy_holonomic_rate;
    if (plain) *S = bench_stripped(S);
}

static void test_controls(void **state)
{
    (void)state;
    static const double u[2] = {0.7, -1.3}, zeros[2] = {0, 0};
    test_system t;
    energy_system_make(&t, "movpend");
    for (int plain = 0; plain < 2; plain++) {
        spy s;
        lg_system S;
        bench b;
        double idle[3], driven[3], p[3];
        spy_make(&s, &t, &S, plain);
        suite_case("controls, derivatives by %s", plain ? "differences" : "the user");
        bench_open(&b, &S, NULL);
        memcpy(s.u, u, sizeof u);
        bench_accelerate(&b, 0.3, t.g0, t.xi0, idle);
        suite_same_bits("zeros without controls", s.u, zeros, 2);
        b.alone.f.control = u;
        for (int k = 0; k < s.calls; k++) s.u[0] = 0;
        bench_accelerate(&b, 0.3, t.g0, t.xi0, driven);
        suite_same_bits("the owner's", s.u, u, 2);
        /* J (driven - idle) = P (u, 0): what the rows leave of the control force */
        double J = 1 + 0.1 * t.g0[0] * t.g0[0], A[6], dummy[2];
        for (int i = 0; i < 3; i++) p[i] = J * (driven[i] - idle[i]) - (i < 2 ? u[i] : 0);
        lg_call c = {.context = &s, .t = 0.3, .lanes = 1, .control = u};
        memset(A, 0, sizeof A);
        double Y[3] = {0};
        t.S.callbacks.holonomic_differential(&(lg_call){.context = t.S.context, .t = 0.3, .lanes = 1}, t.g0, A);
        spy_rows(&c, t.g0, A + 3, Y);
        mat_apply(dummy, A, (double[3]){driven[0] - idle[0], driven[1] - idle[1], driven[2] - idle[2]}, 2, 3);
        suite_near("A (difference) = 0", dummy, zeros, 2, 1e-9, 1);
        double normal[3] = {A[1] * A[5] - A[2] * A[4], A[2] * A[3] - A[0] * A[5], A[0] * A[4] - A[1] * A[3]};
        suite_near1("reactions only", mat_dot(normal, p, 3), 0, 1e-9, mat_norm(normal, 3));
        bench_close(&b);
    }
}

/* All of it together, against the tests' own writing. */
static void test_everything(void **state)
{
    (void)state;
    test_system t, all = {.name = "everything"};
    energy_system_make(&t, "movpend");
    for (int plain = 0; plain < 2; plain++) {
        spy s;
        lg_system S;
        bench b;
        lg_rng rng = suite_rng(43000);
        spy_make(&s, &t, &all.S, 0);
        memcpy(all.g0, t.g0, sizeof t.g0);
        memcpy(all.xi0, t.xi0, sizeof t.xi0);
        S = plain ? bench_stripped(&all.S) : all.S;
        bench_open(&b, &S, NULL);
        for (int k = 0; k < 20; k++) {
            double g[3], xi[3], want[3], got[3];
            suite_case("everything, derivatives by %s, state %d", plain ? "differences" : "the user", k);
            double time = random_state(&all, g, xi, k % 2, &rng);
            system_acceleration(&all.S, time, g, xi, want, NULL);
            bench_accelerate(&b, time, g, xi, got);
            suite_near("acceleration", got, want, 3, plain ? 1e-9 : 1e-10, 1 + mat_norm(want, 3));
        }
        bench_close(&b);
    }
}

/* ---- failures ---- */

/* Every call of every callback in turn fails, then returns NaN; the next call is well again. */
static void test_callbacks_fail(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "movpend");
    for (int plain = 0; plain < 2; plain++) {
        spy s;
        lg_system S;
        bench b;
        double good[3], again[3], bad[3];
        int code = 0;
        spy_make(&s, &t, &S, plain);
        bench_open(&b, &S, NULL);
        bench_accelerate(&b, 0.3, t.g0, t.xi0, good);
        int calls = s.calls;
        suite_above("calls", calls, plain ? 40 : 15);
        for (int k = 0; k < calls; k++) {
            suite_case("call %d of %d fails, derivatives by %s", k + 1, calls, plain ? "differences" : "the user");
            s.calls = 0, s.failing = k, s.code = 40 + k, s.poison = 0;
            b.alone.f.failed = NULL;
            suite_status("code", lg_field_acceleration(&b.alone.f, &b.a, 0.3, t.g0, t.xi0, bad, &code),
                         LG_ERROR_CALLBACK);
            assert_int_equal(code, 40 + k);
            assert_non_null(b.alone.f.failed);
            assert_int_equal(s.calls, k + 1);
            s.calls = 0, s.code = 0, s.poison = 1;
            suite_status("NaN", lg_field_acceleration(&b.alone.f, &b.a, 0.3, t.g0, t.xi0, bad, &code),
                         LG_ERROR_NOT_FINITE);
            assert_int_equal(code, 0);
            s.failing = -1;
            bench_accelerate(&b, 0.3, t.g0, t.xi0, again);
            suite_same_bits("well again", again, good, 3);
        }
        bench_close(&b);
    }
}

static int twice(const lg_call *c, const double *g, double *out)
{
    const double *scale = c->context;
    for (int a = 0; a < 2; a++) /* |q|^2/2 - 1 and a multiple of it */
        out[a] = (a ? *scale : 1) * (mat_dot(g, g, 3) / 2 - 1);
    return 0;
}

static int radial(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    memcpy(mu, g, 3 * sizeof *g);
    return 0;
}

static int indefinite(const lg_call *c, const double *g, double *J)
{
    (void)c;
    (void)g;
    J[0] = J[4] = 1;
    J[8] = -1;
    return 0;
}

static void test_singular(void **state)
{
    (void)state;
    static const double unit[3] = {1, 1, 1}, g[3] = {0.4, -0.6, 1.1}, xi[3] = {0.3, 0.2, 0.5}, scale = 3;
    lg_system S = lg_system_default(lg_rn(3));
    bench b;
    double xidot[3];
    int code = -1;
    S.inertia_diagonal = unit;
    S.context = &scale;
    S.callbacks.holonomic_count = 2;
    S.callbacks.holonomic = twice;
    bench_open(&b, &S, NULL);
    suite_case("the second holonomic constraint depends on the first");
    suite_status("status", lg_field_acceleration(&b.alone.f, &b.a, 0, g, xi, xidot, &code), LG_ERROR_SINGULAR);
    assert_int_equal(b.a.bad, 2);
    int row = b.a.bad;
    assert_string_equal(lg_field_row_kind(&b.alone.f, &row), "holonomic constraint");
    assert_int_equal(row, 2);
    bench_close(&b);
    suite_case("a row that depends on the holonomic constraint");
    S.callbacks.holonomic_count = S.constraint_count = 1;
    S.callbacks.holonomic_differential = NULL;
    S.callbacks.covectors = radial;
    bench_open(&b, &S, NULL);
    suite_status("status", lg_field_acceleration(&b.alone.f, &b.a, 0, g, xi, xidot, &code), LG_ERROR_SINGULAR);
    assert_int_equal(row = b.a.bad, 2);
    assert_string_equal(lg_field_row_kind(&b.alone.f, &row), "constraint");
    assert_int_equal(row, 1);
    bench_close(&b);
    suite_case("the metric is not positive definite");
    S.inertia_diagonal = NULL;
    S.callbacks.metric = indefinite;
    bench_open(&b, &S, NULL);
    b.a.bad = 7; /* of an earlier call */
    suite_status("status", lg_field_acceleration(&b.alone.f, &b.a, 0, g, xi, xidot, &code), LG_ERROR_SINGULAR);
    assert_int_equal(b.a.bad, 0);
    bench_close(&b);
}

int main(void)
{
    suite_begin("accelerations");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_writing), cmocka_unit_test(test_balances),       cmocka_unit_test(test_controls),
        cmocka_unit_test(test_everything),     cmocka_unit_test(test_callbacks_fail), cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests_name("accelerations", tests, NULL, NULL);
}
