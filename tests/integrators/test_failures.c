/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures are reported and leave the state as it was: failing callbacks at every call, NaN, steps that are
 * too large, rows that become dependent, inconsistent starts, malformed names and arguments. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/systems.h"

/* Everything that can be read from an integrator: numbers first. */
typedef struct snapshot {
    double g[SUITE_ELEMENT], p_plus[SUITE_DIM], p_minus[SUITE_DIM], p_tilde[SUITE_DIM], xi[SUITE_DIM], v[SUITE_DIM],
        lambda[4];
    double scalars[5]; /* t, H(p~), H(p-), constraint residual, normal part */
    int64_t index;
    int iterations;
} snapshot;

static snapshot look(const lg_integrator *it, int constraints)
{
    snapshot s;
    const lg_group *G = lg_integrator_group(it);
    size_t n = sizeof(double) * (size_t)lg_group_dim(G);
    memset(&s, 0, sizeof s);
    memcpy(s.g, lg_integrator_configuration(it), sizeof(double) * (size_t)lg_group_element_size(G));
    memcpy(s.p_plus, lg_integrator_momentum_plus(it), n);
    memcpy(s.p_minus, lg_integrator_momentum_minus(it), n);
    memcpy(s.p_tilde, lg_integrator_momentum(it), n);
    memcpy(s.xi, lg_integrator_step_velocity(it), n);
    memcpy(s.lambda, lg_integrator_multipliers(it), sizeof(double) * (size_t)constraints);
    suite_ok("velocity", lg_integrator_velocity(it, s.v));
    const double scalars[5] = {lg_integrator_time(it), lg_integrator_energy(it), lg_integrator_energy_post(it),
                               lg_integrator_constraint_residual(it), lg_integrator_normal_part(it)};
    memcpy(s.scalars, scalars, sizeof scalars);
    s.index = lg_integrator_step_index(it);
    s.iterations = lg_integrator_iterations(it);
    return s;
}

static void same(const char *what, const snapshot *a, const snapshot *b)
{
    suite_same_bits(what, (const double *)a, (const double *)b, (int)(offsetof(snapshot, index) / sizeof(double)));
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->iterations, b->iterations);
}

/* ---- a system whose callbacks can be made to fail ---- */
enum { WELL, FAIL_ONCE, FAIL_FROM, SPOIL };

typedef struct trap {
    test_system base;
    int metric; /* 1: inertia by a callback */
    int mode, at, calls;
    const char *hit; /* the callback that was hit */
} trap;

/* 1 if this call has to fail; *spoil is set if it must return NaN. */
static int hit(const lg_call *c, const char *name, int *spoil)
{
    trap *t = *(trap *const *)c->context;
    t->calls++;
    *spoil = 0;
    if (t->mode == WELL || t->calls < t->at || (t->mode != FAIL_FROM && t->calls > t->at)) return 0;
    if (t->calls == t->at) t->hit = name;
    *spoil = t->mode == SPOIL;
    return t->mode == SPOIL ? 0 : 77;
}

static const test_system *base(const lg_call *c)
{
    return &(*(trap *const *)c->context)->base;
}

static int trapped_V(const lg_call *c, const double *g, double *V)
{
    int spoil, code = hit(c, "potential", &spoil);
    if (code == 0) code = base(c)->S.callbacks.potential(c, g, V);
    if (spoil) *V = NAN;
    return code;
}

static int trapped_dV(const lg_call *c, const double *g, double *out)
{
    int spoil, code = hit(c, "potential_gradient", &spoil);
    if (code == 0) code = base(c)->S.callbacks.potential_gradient(c, g, out);
    if (spoil) out[0] = NAN;
    return code;
}

static int trapped_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    int spoil, code = hit(c, "covectors", &spoil);
    if (code == 0) code = base(c)->S.callbacks.covectors(c, g, mu, Y);
    if (spoil) mu[0] = NAN;
    return code;
}

static int trapped_along(const lg_call *c, const double *g, const double *eta, double *dmu, double *dY)
{
    int spoil, code = hit(c, "covectors_derivative", &spoil);
    if (code == 0) code = base(c)->S.callbacks.covectors_derivative(c, g, eta, dmu, dY);
    if (spoil) dmu[0] = NAN;
    return code;
}

/* The metric of the base times 1 + sin(x)/10, x the first coordinate of R^n; on SO(3) it is constant. So a failed step
 * that left the metric of another node behind would show. */
static double stretch(const lg_group *G, const double *g)
{
    return lg_group_factor(G, 0)->kind == LG_KIND_RN ? 1 + 0.1 * sin(g[0]) : 1;
}

static void unstretched(const lg_system *S, double *J)
{
    int n = lg_group_dim(S->group);
    for (int i = 0; i < n * n; i++) J[i] = S->inertia != NULL ? S->inertia[i] : 0;
    for (int i = 0; i < n && S->inertia_diagonal != NULL; i++) J[i * n + i] = S->inertia_diagonal[i];
}

static int trapped_metric(const lg_call *c, const double *g, double *J)
{
    int spoil, code = hit(c, "metric", &spoil), n = lg_group_dim(base(c)->S.group);
    unstretched(&base(c)->S, J);
    for (int i = 0; i < n * n; i++) J[i] *= stretch(base(c)->S.group, g);
    if (spoil) J[0] = NAN;
    return code;
}

static int trapped_dT(const lg_call *c, const double *g, const double *xi, double *out)
{
    int spoil, code = hit(c, "metric_gradient", &spoil), n = lg_group_dim(base(c)->S.group);
    double J[SUITE_MATRIX], p[SUITE_DIM];
    unstretched(&base(c)->S, J);
    mat_apply(p, J, xi, n, n);
    if (lg_group_factor(base(c)->S.group, 0)->kind == LG_KIND_RN) out[0] = 0.05 * cos(g[0]) * mat_dot(xi, p, n);
    if (spoil) out[0] = NAN;
    return code;
}

/* `gradients`: 0 leaves the derivatives to differences. The context of S is the address of a pointer to the trap. */
static lg_system set_trap(trap *t, trap **self, const char *name, int metric, int gradients)
{
    memset(t, 0, sizeof *t);
    test_system_make(&t->base, name);
    *self = t;
    lg_system S = t->base.S;
    S.context = self;
    if (S.callbacks.potential != NULL) S.callbacks.potential = trapped_V;
    if (S.callbacks.covectors != NULL) S.callbacks.covectors = trapped_rows;
    S.callbacks.potential_gradient = S.callbacks.potential != NULL && gradients ? trapped_dV : NULL;
    S.callbacks.covectors_derivative =
        S.callbacks.covectors_derivative != NULL && S.callbacks.covectors != NULL && gradients ? trapped_along : NULL;
    if (metric) {
        S.inertia = S.inertia_diagonal = NULL;
        S.callbacks.metric = trapped_metric;
        S.callbacks.metric_gradient = gradients ? trapped_dT : NULL;
    }
    return S;
}

/* A NaN that the step had no use for (the residual at the solution, say) may pass: the state is then the right one. */
static void unspoilt(lg_integrator *it, lg_integrator *clean, int constraints)
{
    suite_ok("a step without", lg_integrator_step(clean));
    snapshot a = look(it, constraints), b = look(clean, constraints);
    same("a step of one that was left alone", &a, &b);
}

/* Fails at call `at` of the next step, then recovers; returns 0 when the step has fewer calls, 1 when the state is as
 * it was, 2 when the step was well in spite of the NaN. */
static int fail_and_recover(lg_integrator *it, trap *t, int mode, int at, lg_status want, int constraints)
{
    snapshot before = look(it, constraints);
    t->mode = mode;
    t->at = at;
    t->calls = 0;
    t->hit = NULL;
    lg_status status = lg_integrator_step(it);
    t->mode = WELL;
    if (t->hit == NULL) {
        suite_ok("step without a hit", status);
        return 0;
    }
    if (mode == SPOIL && status == LG_OK) return 2;
    if (status != want)
        suite_fail("call %d (%s): %s instead of %s: %s", at, t->hit, lg_status_name(status), lg_status_name(want),
                   lg_integrator_message(it));
    if (mode != SPOIL) {
        suite_contains("message", lg_integrator_message(it), t->hit);
        suite_contains("message", lg_integrator_message(it), "77");
    }
    suite_contains("message", lg_integrator_message(it), "step 4");
    snapshot after = look(it, constraints);
    same("the state after a failed step", &after, &before);
    return 1;
}

static const char *const names[] = {"reduced_affine", "particle", "veselova_top", "ball_phys"};
static const char *const methods[] = {"gni:trapezoidal", "gni:euler-a", "gni:euler-b", "gni:midpoint",
                                      "gauss:stages=2,stage"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static void over_traps(int mode, lg_status want)
{
    for (int i = 0; i < 4 * METHODS * 2 * 2; i++) {
        const char *name = names[i / 4 / METHODS], *method = methods[i / 4 % METHODS];
        if (mode == SPOIL && strncmp(method, "gauss", 5) == 0) continue; /* sweeps begin anew: well, with other bits */
        trap t, *self;
        lg_system S = set_trap(&t, &self, name, i / 2 % 2, i % 2);
        lg_integrator *it = NULL, *clean = NULL;
        suite_case("%s, %s, metric callback %d, derivatives %d", name, method, i / 2 % 2, i % 2);
        suite_ok("create", lg_integrator_create(&it, &S, method, i % 3 ? "cayley" : "exp", 0.05));
        suite_ok("start", lg_integrator_start(it, 0, t.base.g0, t.base.xi0, LG_START_REACTION, 0));
        suite_ok("run", lg_integrator_run(it, 3, 1, NULL, NULL));
        const int stride = suite_reduced() || mode == FAIL_FROM ? 3 : 1; /* FAIL_ONCE takes all of the same ways */
        int at = 1 + i % stride;
        do { /* each call in turn, each time from the same state */
            suite_ok("clone", lg_integrator_clone(&clean, it));
            int outcome = fail_and_recover(it, &t, mode, at, want, S.constraint_count);
            at += stride;
            if (outcome != 1) {
                if (outcome == 2) unspoilt(it, clean, S.constraint_count);
                lg_integrator_destroy(clean);
                if (outcome == 0) break;
                suite_ok("back", lg_integrator_reset(it));
                suite_ok("run", lg_integrator_run(it, 3, 1, NULL, NULL));
                continue;
            }
            lg_integrator *again = NULL;
            suite_ok("clone", lg_integrator_clone(&again, it));
            suite_ok("the step after a failure", lg_integrator_step(again));
            suite_ok("a step without", lg_integrator_step(clean));
            snapshot a = look(again, S.constraint_count), b = look(clean, S.constraint_count);
            same("recovery through a clone", &a, &b);
            lg_integrator_destroy(again);
            lg_integrator_destroy(clean);
        } while (at < 2000);
        assert_in_range(at, 3, 1999);
        lg_integrator_destroy(it);
    }
}

static void test_callback_fails_once(void **state)
{
    (void)state;
    over_traps(FAIL_ONCE, LG_ERROR_CALLBACK);
}

static void test_callback_fails_from_then_on(void **state)
{
    (void)state;
    over_traps(FAIL_FROM, LG_ERROR_CALLBACK);
}

static void test_callback_returns_nan(void **state)
{
    (void)state;
    over_traps(SPOIL, LG_ERROR_NOT_FINITE);
}

/* An integrator continues after a failure as if nothing had happened. */
static void test_goes_on_after_failure(void **state)
{
    (void)state;
    for (int i = 0; i < 16; i++) {
        trap t, *self;
        lg_system S = set_trap(&t, &self, names[i / 4], i / 2 % 2, i % 2);
        lg_integrator *it = NULL, *clean = NULL;
        suite_case("%s continues, metric callback %d, derivatives %d", names[i / 4], i / 2 % 2, i % 2);
        suite_ok("create", lg_integrator_create(&it, &S, "gni", "cayley", 0.05));
        suite_ok("start", lg_integrator_start(it, 0, t.base.g0, t.base.xi0, LG_START_REACTION, 0));
        suite_ok("clone", lg_integrator_clone(&clean, it));
        for (int k = 0; k < 20; k++) {
            t.mode = k % 2 ? FAIL_FROM : SPOIL;
            t.at = 1 + 7 * k % 40;
            t.calls = 0;
            lg_status status = lg_integrator_step(it);
            t.mode = WELL;
            if (status != LG_OK) suite_ok("step", lg_integrator_step(it));
            suite_ok("step", lg_integrator_step(clean));
            snapshot a = look(it, S.constraint_count), b = look(clean, S.constraint_count);
            same("a run with failures in it", &a, &b);
        }
        lg_integrator_destroy(it);
        lg_integrator_destroy(clean);
    }
}

/* A start that fails at any of its calls leaves the state as it was, and the way on from there too. */
static void fail_every_call_of_start(lg_integrator *it, trap *t, int spoil, int calls, int constraints)
{
    snapshot before = look(it, constraints);
    for (int at = 1; at <= calls; at++) {
        t->mode = spoil ? SPOIL : FAIL_ONCE;
        t->at = at;
        t->calls = 0;
        lg_status status = lg_integrator_start(it, 1, t->base.g0, t->base.xi0, LG_START_REACTION, 0);
        t->mode = WELL;
        if (status != (spoil ? LG_ERROR_NOT_FINITE : LG_ERROR_CALLBACK)) {
            suite_fail("call %d (%s): %s: %s", at, t->hit, lg_status_name(status), lg_integrator_message(it));
        }
        if (!spoil) suite_contains("message", lg_integrator_message(it), t->hit);
        snapshot after = look(it, constraints);
        same("the state after a failed start", &after, &before);
    }
}

static void test_start_fails(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * 16; i++) {
        trap t, *self;
        lg_system S = set_trap(&t, &self, names[i / 4 % 4], i / 2 % 2, i % 2);
        lg_integrator *it = NULL, *clean = NULL;
        suite_case("start of %s, metric callback %d, derivatives %d, NaN %d", names[i / 4 % 4], i / 2 % 2, i % 2,
                   i / 16);
        suite_ok("create", lg_integrator_create(&it, &S, "gni:euler-a", "cayley", 0.05));
        suite_ok("start", lg_integrator_start(it, 0, t.base.g0, t.base.xi0, LG_START_REACTION, 0));
        int calls = t.calls;
        suite_ok("run", lg_integrator_run(it, 3, 1, NULL, NULL));
        suite_ok("clone", lg_integrator_clone(&clean, it));
        fail_every_call_of_start(it, &t, i / 16, calls, S.constraint_count);
        suite_ok("a step after failed starts", lg_integrator_step(it));
        unspoilt(it, clean, S.constraint_count);
        lg_integrator_destroy(it);
        lg_integrator_destroy(clean);
    }
}

/* ---- the numerics ---- */

static lg_integrator *suslov(const char *retraction, double h)
{
    test_system t;
    lg_integrator *it = NULL;
    test_system_make(&t, "suslov");
    suite_ok("create", lg_integrator_create(&it, &t.S, "gni", retraction, h));
    suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0));
    return it;
}

static void test_no_convergence(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        lg_integrator *it = suslov(k ? "exp" : "cayley", 0.1);
        suite_case("too few iterations, %s", k ? "exp" : "cayley");
        suite_ok("step", lg_integrator_step(it));
        assert_in_range(lg_integrator_iterations(it), 1, 10);
        snapshot before = look(it, 1);
        suite_ok("set_newton", lg_integrator_set_newton(it, 1e-8, 1));
        suite_status("step", lg_integrator_step(it), LG_ERROR_CONVERGENCE);
        suite_contains("message", lg_integrator_message(it), "1 iteration");
        snapshot after = look(it, 1);
        same("state", &after, &before);
        suite_ok("set_newton", lg_integrator_set_newton(it, 1e-8, 50));
        suite_ok("step", lg_integrator_step(it));
        assert_string_equal(lg_integrator_message(it), ""); /* all is well again */
        suite_status("tolerance 0", lg_integrator_set_newton(it, 0, 50), LG_ERROR_ARGUMENT);
        suite_status("tolerance NaN", lg_integrator_set_newton(it, NAN, 50), LG_ERROR_ARGUMENT);
        suite_status("no iterations", lg_integrator_set_newton(it, 1e-8, 0), LG_ERROR_ARGUMENT);
        lg_integrator_destroy(it);
    }
}

/* A step far too large: exp has no solution there (dexp is singular at 2 pi). Told as such, with h and the step. */
static void test_step_too_large(void **state)
{
    (void)state;
    static const char *const systems[] = {"suslov",        "sleigh",    "so3_bi",      "se3",
                                          "reduced_mixed", "ball_phys", "veselova_top"};
    for (int i = 0; i < 7 * 2; i++) {
        test_system t;
        int failed = 0;
        test_system_make(&t, systems[i / 2]);
        for (double h = 10; h <= 1e8; h *= 10) {
            lg_integrator *it = NULL;
            suite_case("%s, %s, h = %g", t.name, i % 2 ? "exp" : "cayley", h);
            suite_ok("create", lg_integrator_create(&it, &t.S, "gni", i % 2 ? "exp" : "cayley", h));
            suite_ok("start", lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_LEGENDRE, 0));
            for (int k = 0; k < 20; k++) {
                snapshot before = look(it, t.S.constraint_count);
                lg_status status = lg_integrator_step(it);
                if (status == LG_OK) {
                    assert_false(suite_any_nan(lg_integrator_configuration(it), lg_group_element_size(t.S.group)));
                    assert_false(suite_any_nan(lg_integrator_momentum_minus(it), lg_group_dim(t.S.group)));
                    continue;
                }
                failed++;
                const char *message = lg_integrator_message(it);
                int told = status == LG_ERROR_CONVERGENCE || status == LG_ERROR_NOT_FINITE || status == LG_ERROR_DOMAIN;
                if (told) suite_contains("message", message, "h =");
                /* configurations of 1e9 and more make anything singular, but a NaN is no dependent row */
                if (!told && (h < 1e5 || status != LG_ERROR_SINGULAR || strstr(message, "nan") != NULL)) {
                    suite_fail("%s: %s", lg_status_name(status), message);
                }
                snapshot after = look(it, t.S.constraint_count);
                same("state", &after, &before);
                break;
            }
            lg_integrator_destroy(it);
        }
        if (i / 2 == 0 && i % 2) assert_true(failed > 0); /* suslov with exp */
    }
}

/* Rows that vanish at x = 1: free motion x = t arrives there at step 8 exactly. */
static int vanishing_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[1] = 1 - g[0];
    return 0;
}

/* Two rows that become parallel at x = 1. */
static int parallel_rows(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[1] = 1;
    mu[4] = g[0];
    mu[5] = 1 - g[0];
    return 0;
}

static void test_rank_loss(void **state)
{
    (void)state;
    static const double ones[3] = {1, 1, 1}, q0[3] = {0, 0, 0}, v0[3] = {1, 0, 0};
    for (int k = 0; k < 2; k++) {
        lg_system S = lg_system_default(lg_rn(3));
        lg_integrator *it = NULL;
        S.inertia_diagonal = ones;
        S.constraint_count = 1 + k;
        S.callbacks.covectors = k ? parallel_rows : vanishing_rows;
        suite_case("rank loss with %d rows", 1 + k);
        suite_ok("create", lg_integrator_create(&it, &S, "gni", "exp", 0.125));
        suite_ok("start", lg_integrator_start(it, 0, q0, v0, LG_START_REACTION, 0));
        suite_ok("run", lg_integrator_run(it, 7, 1, NULL, NULL));
        snapshot before = look(it, 1 + k);
        suite_status("step", lg_integrator_step(it), LG_ERROR_SINGULAR);
        suite_contains("which row", lg_integrator_message(it), k ? "row 2" : "row 1");
        suite_contains("which step", lg_integrator_message(it), "step 8");
        snapshot after = look(it, 1 + k);
        same("state", &after, &before);
        const double there[3] = {1, 0, 0};
        suite_status("start there", lg_integrator_start(it, 0, there, v0, LG_START_REACTION, 0), LG_ERROR_SINGULAR);
        suite_status("start there", lg_integrator_start_momentum(it, 0, there, v0), LG_ERROR_SINGULAR);
        lg_integrator_destroy(it);
    }
}

static void test_inconsistent_start(void **state)
{
    (void)state;
    lg_integrator *it = suslov("exp", 0.1);
    const double g0[4] = {0, 0, 0, 1}, bad[3] = {0.5, -0.8, 0.3}, off[4] = {0, 0, 0, 1.01},
                 almost[4] = {0, 0, 0, 1 + 1e-8};
    const double nan3[3] = {0, NAN, 0}, nan4[4] = {0, 0, 0, NAN}, zero4[4] = {0, 0, 0, 0};
    double mu[3];
    suite_case("inconsistent start");
    snapshot before = look(it, 1);
    suite_status("start", lg_integrator_start(it, 0, g0, bad, LG_START_REACTION, 0), LG_ERROR_INCONSISTENT);
    suite_contains("which row", lg_integrator_message(it), "constraint 1");
    suite_contains("by how much", lg_integrator_message(it), "0.3");
    suite_status("NaN velocity", lg_integrator_start(it, 0, g0, nan3, LG_START_REACTION, 0), LG_ERROR_NOT_FINITE);
    suite_status("NaN momentum", lg_integrator_start_momentum(it, 0, g0, nan3), LG_ERROR_NOT_FINITE);
    suite_status("NaN element", lg_integrator_start(it, 0, nan4, bad, LG_START_REACTION, 1), LG_ERROR_NOT_FINITE);
    suite_status("NaN time", lg_integrator_start(it, NAN, g0, bad, LG_START_REACTION, 1), LG_ERROR_NOT_FINITE);
    suite_status("zero quaternion", lg_integrator_start(it, 0, zero4, bad, LG_START_REACTION, 1), LG_ERROR_ARGUMENT);
    suite_status("off the group", lg_integrator_start(it, 0, off, bad, LG_START_REACTION, 1), LG_ERROR_ARGUMENT);
    suite_status("no such start", lg_integrator_start(it, 0, g0, bad, 7, 0), LG_ERROR_ARGUMENT);
    suite_status("no element", lg_integrator_start(it, 0, NULL, bad, LG_START_REACTION, 0), LG_ERROR_ARGUMENT);
    suite_status("no velocity", lg_integrator_start(it, 0, g0, NULL, LG_START_REACTION, 0), LG_ERROR_ARGUMENT);
    snapshot after = look(it, 1);
    same("state", &after, &before);
    suite_ok("projected", lg_integrator_start(it, 0, almost, bad, LG_START_LEGENDRE, 1));
    assert_string_equal(lg_integrator_message(it), "");
    suite_ok("velocity", lg_integrator_velocity(it, mu));
    suite_near1("constraint", mu[2], 0, 1e-15, 1);
    suite_near1("g0 was projected", lg_group_residual(lg_so3(), lg_integrator_configuration(it)), 0, 4 * SUITE_EPS, 1);
    suite_ok("step", lg_integrator_step(it));
    lg_integrator_destroy(it);
}

int main(void)
{
    suite_begin("failures");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callback_fails_once),  cmocka_unit_test(test_callback_fails_from_then_on),
        cmocka_unit_test(test_callback_returns_nan), cmocka_unit_test(test_goes_on_after_failure),
        cmocka_unit_test(test_start_fails),          cmocka_unit_test(test_no_convergence),
        cmocka_unit_test(test_step_too_large),       cmocka_unit_test(test_rank_loss),
        cmocka_unit_test(test_inconsistent_start),
    };
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
