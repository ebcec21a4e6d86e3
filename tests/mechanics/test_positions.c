/* SPDX-License-Identifier: BSD-3-Clause */
/* Holonomic constraints, forces, controls and discrete constraints of a system: what validate refuses and says, what
 * check finds, the fields, and projectors over all rows. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/energy_systems.h"
#include "support/matrix.h"

static void refused(const char *what, const lg_system *S, const char *one, const char *two)
{
    lg_error e;
    suite_case("%s", what);
    suite_status(what, lg_system_validate(S, &e), LG_ERROR_ARGUMENT);
    suite_contains("message", e.message, one);
    suite_contains("message", e.message, two);
}

static int no_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)c;
    (void)g;
    (void)xi;
    (void)out;
    return 0;
}

static int no_discrete(const lg_call *c, double h, const double *g0, const double *g1, double *out)
{
    (void)c;
    (void)h;
    (void)g0;
    (void)g1;
    (void)out;
    return 0;
}

static void test_validate(void **state)
{
    (void)state;
    test_system moving, free, wheeled;
    energy_system_make(&moving, "movpend");
    energy_system_make(&wheeled, "trailer");
    test_system_make(&free, "suslov");
    lg_system S = moving.S;
    suite_ok("a good one", lg_system_validate(&S, NULL));
    S.callbacks.holonomic_count = -1;
    refused("negative number", &S, "-1 holonomic", "0 or more");
    S.callbacks.holonomic_count = 0;
    refused("a position without its number", &S, "holonomic is given", "holonomic_count is 0");
    S = moving.S;
    S.callbacks.holonomic = NULL;
    refused("a differential without position", &S, "holonomic_differential without holonomic", "set holonomic");
    S.callbacks.holonomic_differential = NULL;
    refused("a rate without position", &S, "holonomic_rate without holonomic", "set holonomic");
    S.callbacks.holonomic_rate = NULL;
    refused("a number without position", &S, "1 holonomic constraints", "holonomic is NULL");
    S = moving.S;
    S.callbacks.holonomic_count = 4;
    refused("more than dimensions", &S, "4 holonomic constraints and 0 constraints", "dimension 3");
    S = wheeled.S;
    suite_ok("2 + 2 of 6", lg_system_validate(&S, NULL));
    S.callbacks.holonomic_count = 5;
    refused("rows and positions together", &S, "5 holonomic constraints and 2 constraints", "at most 6");
    S.callbacks.holonomic_count = 4;
    suite_ok("4 + 2 of 6", lg_system_validate(&S, NULL));
    S.callbacks.holonomic_count = 2147483647; /* no overflow */
    refused("very many", &S, "2147483647 holonomic constraints", "at most 6");
    S = free.S;
    S.callbacks.control_count = -2;
    refused("negative controls", &S, "-2 controls", "0 or more");
    S.callbacks.control_count = 2;
    refused("controls without force", &S, "2 controls without force", "set force");
    S.callbacks.force = no_force;
    suite_ok("controls", lg_system_validate(&S, NULL));
    S.callbacks.discrete_constraint = no_discrete;
    suite_ok("a discrete constraint", lg_system_validate(&S, NULL));
    S.constraint_count = 0, S.covector_matrix = NULL;
    refused("a discrete constraint without rows", &S, "discrete_constraint", "constraints is 0");
}

/* ---- check ---- */

/* A system whose callback `which` is off by `by` in one entry, is NaN there, or fails. */
typedef struct wrong {
    const test_system *t;
    const char *which;
    int entry, nan, code;
    double by;
} wrong;

static int spoil(const lg_call *c, const char *which, double *out)
{
    const wrong *w = c->context;
    if (strcmp(w->which, which) != 0) return 0;
    out[w->entry] = w->nan ? NAN : out[w->entry] + w->by;
    return w->code;
}

static lg_call own(const lg_call *c)
{
    const wrong *w = c->context;
    lg_call d = *c;
    d.context = w->t->S.context;
    return d;
}

#define SPOILED(name)                                                                                                  \
    static int spoiled_##name(const lg_call *c, const double *g, double *out)                                          \
    {                                                                                                                  \
        const wrong *w = c->context;                                                                                   \
        const lg_call d = own(c);                                                                                      \
        (void)w->t->S.callbacks.name(&d, g, out);                                                                      \
        return spoil(c, #name, out);                                                                                   \
    }
SPOILED(holonomic)
SPOILED(holonomic_differential)
SPOILED(holonomic_rate)
SPOILED(potential)
SPOILED(potential_gradient)

static int spoiled_force(const lg_call *c, const double *g, const double *xi, double *out)
{
    (void)g;
    assert_non_null(c->control);
    assert_true(c->control[0] == 0 && c->control[1] == 0);
    out[1] = -xi[1];
    return spoil(c, "force", out);
}

static lg_system spoiled(const wrong *w)
{
    lg_system S = w->t->S;
    S.context = w;
    S.callbacks.potential = spoiled_potential;
    S.callbacks.potential_gradient = spoiled_potential_gradient;
    S.callbacks.holonomic = spoiled_holonomic;
    S.callbacks.holonomic_differential = spoiled_holonomic_differential;
    S.callbacks.holonomic_rate = spoiled_holonomic_rate;
    S.callbacks.force = spoiled_force;
    S.callbacks.control_count = 2;
    return S;
}

static void found(const char *what, const lg_system *S, lg_status want, const char *word, const char *entry)
{
    lg_rng rng = suite_rng(48000);
    lg_error e;
    const wrong *w = S->context;
    suite_case("check: %s", what);
    lg_status status = lg_system_check(S, &rng, w->t->g0, 5, 0, &e);
    if (status != want) suite_fail("%s instead of %s: %s", lg_status_name(status), lg_status_name(want), e.message);
    suite_contains("which", e.message, word);
    suite_contains("which entry", e.message, entry);
}

static void test_check(void **state)
{
    (void)state;
    test_system t;
    energy_system_make(&t, "movpend");
    wrong w = {.t = &t, .which = "nothing"};
    const lg_system S = spoiled(&w);
    found("all is well", &S, LG_OK, "", "");
    w = (wrong){.t = &t, .which = "holonomic_differential", .entry = 1, .by = 1e-4};
    found("differential", &S, LG_ERROR_ARGUMENT, "holonomic_differential", "(1,2)");
    w.by = 1e-9;
    found("differential within the tolerance", &S, LG_OK, "", "");
    w.nan = 1;
    found("NaN differential", &S, LG_ERROR_NOT_FINITE, "holonomic constraints", "not finite");
    w.nan = 0, w.code = 7;
    found("failing differential", &S, LG_ERROR_CALLBACK, "holonomic_differential", "7");
    w = (wrong){.t = &t, .which = "holonomic_rate", .by = 1e-4};
    found("rate", &S, LG_ERROR_ARGUMENT, "holonomic_rate", "entry 1");
    w.nan = 1;
    found("NaN rate", &S, LG_ERROR_NOT_FINITE, "holonomic constraints", "rate");
    w.nan = 0, w.code = 8;
    found("failing rate", &S, LG_ERROR_CALLBACK, "holonomic_rate", "8");
    w = (wrong){.t = &t, .which = "holonomic", .code = 9};
    found("failing position", &S, LG_ERROR_CALLBACK, "holonomic", "9");
    w = (wrong){.t = &t, .which = "force", .entry = 2, .nan = 1};
    found("NaN force", &S, LG_ERROR_NOT_FINITE, "force", "entry 3");
    w = (wrong){.t = &t, .which = "force", .code = 10};
    found("failing force", &S, LG_ERROR_CALLBACK, "force", "10");
    w = (wrong){.t = &t, .which = "potential", .nan = 1};
    found("NaN potential", &S, LG_ERROR_NOT_FINITE, "potential", "nan");
    w = (wrong){.t = &t, .which = "potential_gradient", .entry = 2, .by = 1e-3};
    found("gradient", &S, LG_ERROR_ARGUMENT, "potential_gradient", "entry 3");
    w = (wrong){.t = &t, .which = "nothing"};
    lg_system still = S;
    still.callbacks.time_dependent = 0;
    found("a moving constraint in a system without time", &still, LG_ERROR_ARGUMENT, "holonomic ", "time_dependent");
    still.callbacks.holonomic_rate = NULL;
    found("the same without its rate", &still, LG_ERROR_ARGUMENT, "holonomic ", "time_dependent");
}

/* Every system of the tests is right, the time-dependent ones at random times; a derivative that is right at t = 0 only
 * is found, and the user's derivative of moving rows is not blamed for lacking the time's part. */
static int late(const lg_call *c, const double *g, double *out)
{
    const wrong *w = c->context;
    const lg_call d = own(c);
    (void)w->t->S.callbacks.holonomic_rate(&d, g, out);
    out[0] *= 1 + c->t;
    return 0;
}

static void test_check_all(void **state)
{
    (void)state;
    test_system t;
    lg_error e;
    for (int i = 0; bench_system(&t, i); i++) {
        lg_rng rng = suite_rng(49000 + (uint64_t)i);
        suite_case("%s", t.name);
        if (lg_system_check(&t.S, &rng, t.g0, suite_count(20), 0, &e) != LG_OK) suite_fail("%s", e.message);
    }
    energy_system_make(&t, "movpend");
    wrong w = {.t = &t, .which = "nothing"};
    lg_system S = spoiled(&w);
    S.callbacks.holonomic_rate = late;
    found("wrong but at t = 0", &S, LG_ERROR_ARGUMENT, "holonomic_rate", "entry 1");
}

static int twin_lengths(const lg_call *c, const double *q, double *phi)
{
    (void)c;
    phi[0] = mat_dot(q, q, 3) / 2 - 1;
    phi[1] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 2;
    return 0;
}

static int radial(const lg_call *c, const double *g, double *mu, double *Y)
{
    (void)c;
    (void)Y;
    mu[3] = 1;
    memcpy(mu + 4, g, 3 * sizeof *g);
    return 0;
}

static void test_check_rank(void **state)
{
    (void)state;
    static const double unit[4] = {1, 1, 1, 1}, g[4] = {0.4, -0.6, 1.1, 0.2};
    lg_system S = lg_system_default(lg_rn(4));
    lg_rng rng = suite_rng(1);
    lg_error e;
    S.inertia_diagonal = unit;
    S.callbacks.holonomic_count = 2;
    S.callbacks.holonomic = twin_lengths;
    suite_case("dependent holonomic constraints");
    suite_status("check", lg_system_check(&S, &rng, g, 3, 0, &e), LG_ERROR_SINGULAR);
    suite_contains("message", e.message, "holonomic constraint 2");
    suite_case("a row that depends on the holonomic constraint");
    S.callbacks.holonomic_count = 1;
    S.constraint_count = 2;
    S.callbacks.covectors = radial;
    suite_status("check", lg_system_check(&S, &rng, g, 3, 0, &e), LG_ERROR_SINGULAR);
    suite_contains("message", e.message, "covectors: row 2");
    suite_contains("message", e.message, "holonomic constraints");
    suite_status("projectors", lg_system_projectors(&S, NULL, NULL, NULL, 0, g, &e), LG_ERROR_SINGULAR);
    suite_contains("message", e.message, "constraint 2");
    S.callbacks.holonomic_count = 0, S.callbacks.holonomic = NULL;
    suite_case("the same rows without it");
    suite_ok("check", lg_system_check(&S, &rng, g, 3, 0, &e));
}

/* ---- fields ---- */

/* phi, d phi and phi_t as the user has them, from all sources; all rows and their b; the hidden rate against the
 * acceleration's own definition, d^2/ds^2 of phi along the motion. */
static void test_fields(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++) {
        if (t.S.callbacks.holonomic_count == 0) continue;
        int n = lg_group_dim(t.S.group), holonomic = t.S.callbacks.holonomic_count,
            all = holonomic + t.S.constraint_count;
        lg_system plain = bench_stripped(&t.S), half = plain;
        half.callbacks.holonomic_differential = t.S.callbacks.holonomic_differential;
        const lg_system *kind[3] = {&t.S, &plain, &half};
        double A[6 * SUITE_DIM], b[6], want[6], hidden[6], Y[SUITE_DIM];
        assert_int_equal(system_rows(&t.S, 0.7, t.g0, A, b), all);
        for (int k = 0; k < 3; k++) {
            bench o;
            double B[6 * SUITE_DIM], c[6];
            bench_open(&o, kind[k], k == 1 ? lg_retraction_second_kind() : NULL);
            lg_field *f = &o.alone.f;
            suite_case("fields of %s, source %d", t.name, k);
            assert_int_equal(lg_field_all_rows(f, 0.7, t.g0, B, Y, c), 0);
            double tolerance = bench_sharp(&t) ? 1e-9 : 1e-11;
            suite_near("A", B, A, all * n, tolerance, 1 + mat_norm(A, all * n));
            suite_near("b", c, b, all, tolerance, 1 + mat_norm(b, all));
            assert_int_equal(lg_field_hidden_rate(f, 0.7, t.g0, t.xi0, hidden), 0);
            if (k == 0) memcpy(want, hidden, sizeof want);
            suite_near("hidden rate", hidden, want, holonomic, k ? 100 * tolerance : 0, 1 + mat_norm(want, holonomic));
            bench_close(&o);
        }
    }
}

/* ---- projectors over all rows ---- */

static void test_projectors(void **state)
{
    (void)state;
    test_system t;
    int seen = 0;
    for (int i = 0; bench_system(&t, i); i++) {
        if (t.S.callbacks.holonomic_count == 0) continue;
        int n = lg_group_dim(t.S.group);
        double P[36], Q[36], Pi[6], J[36], other[36], A[36], b[6], E[36], w[36], v[6], trace = 0;
        seen++;
        for (int metric = 0; metric < 2; metric++) {
            static const double uneven[3] = {1, 1.3, 1.6};
            lg_system S = t.S;
            if (t.S.callbacks.time_dependent) S.inertia_diagonal = uneven; /* the moving pendulum: Pi is not zero */
            for (int j = 0; j < n * n; j++) other[j] = j % (n + 1) == 0 ? 2 + 0.3 * (j % 5) : 0.1 * cos(j / n + j % n);
            if (metric) S.projector_metric = other;
            suite_case("projectors of %s, metric %d", t.name, metric);
            int rows = system_rows(&S, 0.4, t.g0, A, b);
            system_metric(&S, 0.4, t.g0, J);
            suite_ok("projectors", lg_system_projectors(&S, P, Q, Pi, 0.4, t.g0, NULL));
            mat_identity(E, n);
            for (int j = 0; j < n * n; j++) w[j] = P[j] + Q[j];
            suite_near("P* + Q* = 1", w, E, n * n, 4 * SUITE_EPS, 1 + mat_norm(Q, n * n));
            mat_mul(w, Q, Q, n, n, n);
            suite_near("Q*^2 = Q*", w, Q, n * n, 256 * SUITE_EPS, 1 + mat_norm(Q, n * n) * mat_norm(Q, n * n));
            trace = 0;
            for (int j = 0; j < n; j++) trace += Q[j * n + j];
            suite_near1("trace of Q*", trace, rows, 256 * SUITE_EPS, 1 + mat_norm(Q, n * n));
            for (int a = 0; a < rows; a++) {
                mat_apply(v, Q, A + a * n, n, n);
                suite_near("Q* A^T = A^T", v, A + a * n, n, 256 * SUITE_EPS, 1 + mat_norm(A, rows * n));
                assert_true(mat_solve(v, metric ? other : J, A + a * n, n));
                mat_mul(w, v, P, 1, n, n);
                suite_near("A J'^-1 P* = 0", w, (double[6]){0}, n, 256 * SUITE_EPS,
                           1 + mat_norm(v, n) * mat_norm(P, n * n));
            }
            assert_true(mat_solve(v, J, Pi, n)); /* A J^-1 Pi = b, and Pi lies in the rows: the shortest one */
            mat_apply(w, A, v, rows, n);
            suite_near("A J^-1 Pi = b", w, b, rows, 256 * SUITE_EPS, 1 + mat_norm(A, rows * n) * mat_norm(v, n));
            mat_apply(w, Q, Pi, n, n);
            suite_near("Pi = A^T something", w, Pi, n, 256 * SUITE_EPS, 1 + mat_norm(Pi, n));
            if (!t.S.callbacks.time_dependent) suite_near("nothing moves", Pi, (double[6]){0}, n, 0, 1);
        }
    }
    suite_above("systems with positions", seen, 5);
}

int main(void)
{
    suite_begin("holonomic constraints, forces, controls");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validate),   cmocka_unit_test(test_check),  cmocka_unit_test(test_check_all),
        cmocka_unit_test(test_check_rank), cmocka_unit_test(test_fields), cmocka_unit_test(test_projectors),
    };
    return cmocka_run_group_tests_name("holonomic constraints, forces, controls", tests, NULL, NULL);
}
