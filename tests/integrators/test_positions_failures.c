/* SPDX-License-Identifier: BSD-3-Clause */
/* Holonomic constraints that are violated at a start, redundant, lose their rank on the way, fail or are refused: what
 * is said, and that the state stays as it was. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"
#include "support/runs.h"

static const char *const methods[] = {"sem", "gni", "gni:midpoint", "gni-r", "dla", "dla:trapezoidal", "rk4", "rkmk4"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static lg_integrator *make(const lg_system *S, const char *method, double h)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, "exp", h) != LG_OK)
        suite_fail("create %s: %s", method, lg_integrator_message(it));
    return it;
}

/* The number after `mark` in the message. */
static double number_in(const char *message, const char *mark)
{
    const char *at = strstr(message, mark);
    if (at == NULL) suite_fail("no '%s' in '%s'", mark, message);
    return strtod(at + strlen(mark), NULL);
}

/* ---- consistent starts ---- */

static const char *const names[] = {"sphp", "dsp", "movpend", "trailer", "diskH"};

/* g0 moved by e along a random direction. */
static void push_off(const test_system *t, double e, lg_rng *rng, double *g)
{
    double x[SUITE_DIM], W[SUITE_ELEMENT];
    suite_normal(x, lg_group_dim(t->S.group), rng);
    for (int i = 0; i < lg_group_dim(t->S.group); i++) x[i] *= e;
    suite_ok("exp", lg_group_exp(t->S.group, W, x));
    suite_ok("compose", lg_group_compose(t->S.group, g, t->g0, W));
}

static void positions_of(const test_system *t, double time, const double *g, double *phi)
{
    const lg_call c = system_call(&t->S, time);
    memset(phi, 0, sizeof(double) * (size_t)t->S.callbacks.holonomic_count);
    assert_int_equal(t->S.callbacks.holonomic(&c, g, phi), 0);
}

/* A refused start leaves the state of the start before. */
static void test_refused(void **state)
{
    (void)state;
    lg_rng rng = suite_rng(73);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < METHODS; k++) {
            test_system t;
            run_state before, after;
            double g[SUITE_ELEMENT], xi[SUITE_DIM], phi[2], A[6 * SUITE_DIM], b[6];
            energy_system_make(&t, names[i]);
            const int n = lg_group_dim(t.S.group);
            lg_integrator *it = run_start(&t, methods[k], "exp", t.h);
            run_steps(it, 2);
            run_read(&before, it);
            suite_case("g0 off phi = 0: %s, %s", t.name, methods[k]);
            push_off(&t, 0.01, &rng, g);
            suite_status("start", lg_integrator_start(it, 0, g, t.xi0, LG_START_REACTION, 0), LG_ERROR_INCONSISTENT);
            const int which = (int)number_in(lg_integrator_message(it), "holonomic constraint ");
            positions_of(&t, 0, g, phi);
            suite_near1("phi", number_in(lg_integrator_message(it), "phi = "), phi[which - 1], 1e-5,
                        fabs(phi[which - 1]));
            suite_contains("message", lg_integrator_message(it), "project = 1");
            suite_status("start", lg_integrator_start_momentum(it, 0, g, before.p), LG_ERROR_INCONSISTENT);
            for (int row = 0; row < t.S.callbacks.holonomic_count + t.S.constraint_count; row++) {
                suite_case("xi0 off row %d: %s, %s", row + 1, t.name, methods[k]);
                /* off this row only: J^-1 A^T C^-1 e_row */
                system_rows(&t.S, 0, t.g0, A, b);
                for (int j = 0; j < n; j++) xi[j] = t.xi0[j] + 0.01 * A[row * n + j];
                lg_status st = lg_integrator_start(it, 0, t.g0, xi, LG_START_REACTION, 0);
                suite_status("start", st, LG_ERROR_INCONSISTENT);
                suite_contains("message", lg_integrator_message(it), "project = 1");
            }
            run_read(&after, it);
            suite_below("state moved", run_difference(t.S.group, &before, &after), 0);
            assert_int_equal(lg_integrator_step_index(it), 2);
            run_end(&it);
        }
}

/* A callback that fails at a chosen call. */
static int until_failure;
static double failed_at;
static lg_field_fn callback_that_fails;

static int fails_at_a_call(const lg_call *c, const double *g, double *out)
{
    if (--until_failure != 0) return callback_that_fails(c, g, out);
    failed_at = c->times[0];
    return 7;
}

static int swings(const lg_call *c, const double *g, double *V)
{
    *V = cos(c->times[0]) * g[0];
    return 0;
}

/* Whatever call of phi_t or V(t, g) fails inside a step, the step fails and the state stays; a repeated step is
 * one that never failed. Where the work alone asks for V before or after the step, it is NaN. */
static void test_rates_that_fail(void **state)
{
    static const char *const by[] = {"sem", "sem:gauss=2", "sem@suzuki4", "gni", "gauss"};
    (void)state;
    for (int k = 0; k < 5; k++)
        for (int potential = 0; potential < 2; potential++) {
            test_system t;
            run_state before, after, want;
            energy_system_make(&t, "movpend");
            callback_that_fails = potential ? swings : t.S.callbacks.holonomic_rate;
            *(potential ? &t.S.callbacks.potential : &t.S.callbacks.holonomic_rate) = fails_at_a_call;
            if (potential) t.S.callbacks.potential_gradient = NULL;
            suite_case("%s of movpend, %s", potential ? "V" : "phi_t", by[k]);
            until_failure = 0;
            lg_integrator *it = run_start(&t, by[k], "exp", t.h), *other;
            run_steps(it, 2);
            run_read(&before, it);
            suite_ok("clone", lg_integrator_clone(&other, it));
            run_steps(other, 1);
            run_read(&want, other);
            run_end(&other);
            for (int call = 1, failed = 1; failed; call++) {
                suite_ok("clone", lg_integrator_clone(&other, it));
                until_failure = call;
                const lg_status status = lg_integrator_step(other);
                failed = until_failure <= 0;
                until_failure = 0;
                const double part = (failed_at - 2 * t.h) / t.h;
                if (failed && status == LG_OK) {
                    assert_true(potential && isnan(lg_integrator_step_work(other)));
                    if (k < 2) assert_true(part < 0 || part > 1);
                } else if (failed) {
                    suite_status("a callback fails", status, LG_ERROR_CALLBACK);
                    suite_contains("message", lg_integrator_message(other), "returned 7");
                    run_read(&after, other);
                    suite_below("state moved", run_difference(t.S.group, &before, &after), 0);
                    suite_ok("again", lg_integrator_step(other));
                }
                run_read(&after, other);
                suite_below("the step", run_difference(t.S.group, &want, &after), k == 2 ? 1e-14 : 0); /* new guesses */
                run_end(&other);
            }
            run_end(&it);
        }
}

/* Which row, and by how much. */
static void test_rows_are_named(void **state)
{
    (void)state;
    test_system t;
    double xi[6], A[4 * 6], b[4];
    energy_system_make(&t, "trailer");
    system_rows(&t.S, 0, t.g0, A, b);
    for (int row = 0; row < 4; row++) {
        double T[16] = {0}, e[4] = {0}, x[4]; /* the shortest change that only this row sees */
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) T[4 * i + j] = mat_dot(A + 6 * i, A + 6 * j, 6);
        e[row] = 0.25;
        assert_true(mat_solve(x, T, e, 4));
        for (int j = 0; j < 6; j++) {
            xi[j] = t.xi0[j];
            for (int i = 0; i < 4; i++) xi[j] += x[i] * A[6 * i + j];
        }
        lg_integrator *it = make(&t.S, "gni", 0.1);
        suite_case("row %d", row + 1);
        suite_status("start", lg_integrator_start(it, 0, t.g0, xi, LG_START_REACTION, 0), LG_ERROR_INCONSISTENT);
        const char *mark = row < 2 ? "violates the rate of holonomic constraint " : "violates constraint ";
        suite_near1("row", number_in(lg_integrator_message(it), mark), row < 2 ? row + 1 : row - 1, 0, 1);
        suite_near1("by", number_in(lg_integrator_message(it), row < 2 ? "phi_t = " : "Y) = "), 0.25, 1e-6, 1);
        run_end(&it);
    }
}

/* phi = 0 to round-off; what moved g is J^-1 d phi^T times something, up to the square of its length: the nearest point
 * in the metric; xi0 projected there along J^-1 A^T. */
static void test_projected(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < METHODS; k++) {
            test_system t;
            double off[2];
            energy_system_make(&t, names[i]);
            const int n = lg_group_dim(t.S.group);
            const double t0 = t.S.callbacks.time_dependent ? 0.3 : 0;
            for (int level = 0; level < 2; level++) {
                lg_rng rng = suite_rng(74);
                double g[SUITE_ELEMENT], W[SUITE_ELEMENT], move[SUITE_DIM], xi[SUITE_DIM], v[SUITE_DIM], size = 0;
                push_off(&t, level == 0 ? 0.02 : 0.01, &rng, g);
                suite_normal(xi, n, &rng);
                lg_integrator *it = make(&t.S, methods[k], t.h);
                suite_case("%s projected, %s", t.name, methods[k]);
                if (lg_integrator_start(it, t0, g, xi, LG_START_REACTION, 1) != LG_OK)
                    suite_fail("start: %s", lg_integrator_message(it));
                suite_below("phi", lg_integrator_holonomic_residual(it), 1e-15);
                suite_below("A xi - b", lg_integrator_constraint_residual(it), 1e-14);
                suite_ok("velocity", lg_integrator_velocity(it, v));
                system_project(&t.S, t0, lg_integrator_configuration(it), xi);
                suite_near("xi", v, xi, n, 1e-13, 1);
                suite_ok("inverse", lg_group_inverse(t.S.group, W, g));
                suite_ok("compose", lg_group_compose(t.S.group, W, W, lg_integrator_configuration(it)));
                suite_ok("log", lg_group_log(t.S.group, move, W));
                lg_system bare = t.S; /* holonomic constraints only, at rest: the part of `move` along them */
                bare.constraint_count = 0, bare.callbacks.holonomic_rate = NULL, bare.callbacks.covectors = NULL,
                bare.covector_matrix = NULL;
                memcpy(v, move, sizeof v);
                system_project(&bare, t0, lg_integrator_configuration(it), v);
                off[level] = 0;
                for (int j = 0; j < n; j++) off[level] = fmax(off[level], fabs(v[j])), size += fabs(move[j]);
                suite_above("g moved", size, 1e-3);
                run_steps(it, 3);
                run_end(&it);
            }
            suite_below("across", off[0], 0.02 * 0.02 * 10);
            suite_below("across, half as far", off[1], fmax(0.3 * off[0], 1e-12));
        }
}

/* ---- what cannot be projected; what is not finite; what fails ---- */

enum { WELL, NEVER_ZERO, NOT_A_NUMBER, FAILS, TWICE, ALONG_THE_ROW, LOSES_RANK };

typedef struct trap {
    int kind;
    int calls, failing; /* the call that fails, < 0: none */
} trap;

static int hit(const lg_call *c)
{
    trap *k = *(trap *const *)c->context;
    return k->failing >= 0 && k->calls++ == k->failing ? 7 : 0;
}

/* R^3 with phi = z (and others of the same kind). */
static int trap_position(const lg_call *c, const double *q, double *phi)
{
    const trap *k = *(trap *const *)c->context;
    phi[0] = q[2];
    if (k->kind == NEVER_ZERO) phi[0] = 1 + q[2] * q[2];
    if (k->kind == NOT_A_NUMBER) phi[0] = NAN;
    if (k->kind == TWICE) phi[1] = 2 * q[2];
    if (k->kind == FAILS) return 9;
    return hit(c);
}

static int trap_differential(const lg_call *c, const double *q, double *out)
{
    const trap *k = *(trap *const *)c->context;
    out[2] = k->kind == NEVER_ZERO ? 2 * q[2] : 1;
    if (k->kind == TWICE) out[5] = 2;
    return hit(c);
}

/* mu = (1 - y, 0, 1): with phi = z a row of its own but where y = 1. */
static int trap_rows(const lg_call *c, const double *q, double *mu, double *Y)
{
    const trap *k = *(trap *const *)c->context;
    (void)Y;
    mu[0] = k->kind == ALONG_THE_ROW ? 0 : 1 - q[1];
    mu[2] = 1;
    return hit(c);
}

static lg_system trap_system(trap **self, int rows)
{
    static const double J[3] = {1, 1.5, 2};
    lg_system S = lg_system_default(lg_rn(3));
    S.context = self;
    S.inertia_diagonal = J;
    S.callbacks.holonomic_count = (*self)->kind == TWICE ? 2 : 1;
    S.callbacks.holonomic = trap_position;
    S.callbacks.holonomic_differential = trap_differential;
    if (rows) S.constraint_count = 1, S.callbacks.covectors = trap_rows;
    return S;
}

static void start_fails(int kind, int rows, const double *q0, int project, lg_status want, const char *part)
{
    static const double v0[3] = {0, 1, 0};
    for (int k = 0; k < METHODS; k++) {
        trap o = {kind, 0, -1}, *self = &o;
        const lg_system S = trap_system(&self, rows);
        lg_integrator *it = make(&S, methods[k], 0.1);
        suite_case("%s: %s", part, methods[k]);
        suite_status("start", lg_integrator_start(it, 0, q0, v0, LG_START_REACTION, project), want);
        suite_contains("message", lg_integrator_message(it), part);
        run_end(&it);
    }
}

static void test_starts_fail(void **state)
{
    (void)state;
    static const double above[3] = {0, 0, 0.7}, on[3] = {0.3, 0.2, 0};
    start_fails(NEVER_ZERO, 0, above, 1, LG_ERROR_CONVERGENCE, "cannot be projected");
    start_fails(NOT_A_NUMBER, 0, on, 0, LG_ERROR_NOT_FINITE, "not finite");
    start_fails(NOT_A_NUMBER, 0, on, 1, LG_ERROR_NOT_FINITE, "not finite");
    start_fails(FAILS, 0, on, 0, LG_ERROR_CALLBACK, "holonomic returned 9");
    start_fails(TWICE, 0, on, 0, LG_ERROR_SINGULAR, "2 depends on the rows before it");
    start_fails(TWICE, 0, on, 1, LG_ERROR_SINGULAR, "2 depends on the rows before it");
    start_fails(ALONG_THE_ROW, 1, on, 0, LG_ERROR_SINGULAR, "row 1 depends on the rows before it");
}

/* y' = 1 and y = 1 at the fifth node. */
static void test_rank_loss(void **state)
{
    (void)state;
    static const double q0[3] = {0, 0.5, 0}, v0[3] = {0, 1, 0};
    for (int k = 0; k < METHODS; k++) {
        trap o = {LOSES_RANK, 0, -1}, *self = &o;
        const lg_system S = trap_system(&self, 1);
        run_state before, after;
        lg_integrator *it = make(&S, methods[k], 0.1);
        suite_case("rows become dependent: %s", methods[k]);
        suite_ok("start", lg_integrator_start(it, 0, q0, v0, LG_START_REACTION, 0));
        run_steps(it, 4);
        run_read(&before, it);
        for (int again = 0; again < 2; again++) {
            suite_status("step", lg_integrator_step(it), LG_ERROR_SINGULAR);
            suite_contains("message", lg_integrator_message(it), "step 5");
            suite_contains("message", lg_integrator_message(it), "depends on the rows before it");
            run_read(&after, it);
            suite_below("state moved", run_difference(S.group, &before, &after), 0);
            assert_int_equal(lg_integrator_step_index(it), 4);
            suite_near1("t", lg_integrator_time(it), 0.4, 1e-15, 1);
        }
        run_end(&it);
    }
}

/* ---- methods that take none ---- */

static void test_methods_refuse(void **state)
{
    (void)state;
    static const char *const none[] = {"nsv", "smv", "sml", "sem:gonzalez", "nsv@suzuki4"};
    test_system t;
    lg_integrator *it = NULL;
    energy_system_make(&t, "trailer");
    for (int k = 0; k < 5; k++) {
        suite_case("trailer, %s", none[k]);
        suite_status("create", lg_integrator_create(&it, &t.S, none[k], "exp", 0.1), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_integrator_message(it), "holonomic constraints");
        suite_contains("message", lg_integrator_message(it), "sem");
        run_end(&it);
    }
    static const char *const free[] = {"rattle", "variational", "variational:midpoint"};
    for (int k = 0; k < 3; k++) {
        suite_case("trailer, %s", free[k]);
        suite_status("create", lg_integrator_create(&it, &t.S, free[k], "exp", 0.1), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_integrator_message(it), "takes no velocity constraints");
        run_end(&it);
    }
    static const double J[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    t.S.projector_metric = J;
    suite_case("projectors in a metric of their own");
    suite_status("create", lg_integrator_create(&it, &t.S, "gni", "exp", 0.1), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_integrator_message(it), "projector_metric");
    run_end(&it);
}

int main(void)
{
    suite_begin("holonomic constraints that fail");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_rows_are_named),
        cmocka_unit_test(test_rates_that_fail), cmocka_unit_test(test_projected),
        cmocka_unit_test(test_starts_fail),     cmocka_unit_test(test_rank_loss),
        cmocka_unit_test(test_methods_refuse),
    };
    return cmocka_run_group_tests_name("positions_failures", tests, NULL, NULL);
}
