/* SPDX-License-Identifier: BSD-3-Clause */
/* The baselines RK4 and RKMK4: order four in g and xi on every system, group and retraction; RK4 leaves the group and
 * wraps only angles; a step that fails writes nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/engine/plan.h"
#include "integrators/steps/baselines.h"
#include "support/bench.h"
#include "support/energy_systems.h"
#include "support/matrix.h"
#include "support/reference.h"
#include "support/roster.h"

typedef lg_status (*step_fn)(lg_field *f, lg_baseline *o, double t, double h, const double *g0, const double *xi0,
                             double *g1, double *xi1, int *code);

static const step_fn steps[2] = {lg_rk4_step, lg_rkmk4_step};
static const char *const step_names[2] = {"rk4", "rkmk4"};

typedef struct runner {
    bench b;
    lg_baseline o;
    lg_factor_plan factors[8];
    void *block;
} runner;

static void runner_open(runner *r, const lg_system *S, const lg_retraction *tau)
{
    lg_arena size = {NULL, 0};
    bench_open(&r->b, S, tau);
    lg_baseline_carve(&r->o, &r->b.alone.f, &size);
    r->block = malloc(size.used);
    assert_non_null(r->block);
    lg_arena arena = {r->block, 0};
    lg_baseline_carve(&r->o, &r->b.alone.f, &arena);
    assert_in_range(lg_plan_factor_count(S->group), 1, 8);
    r->o.factors = r->factors, r->o.factor_count = lg_plan_factors(r->factors, S->group, r->b.alone.f.r);
}

static void runner_close(runner *r)
{
    free(r->block);
    bench_close(&r->b);
}

/* From (0, g, xi) to T in `count` steps, in place. */
static void run(runner *r, step_fn step, double T, int count, double *g, double *xi)
{
    for (int k = 0; k < count; k++) {
        int code = -1;
        suite_ok("step", step(&r->b.alone.f, &r->o, k * T / count, T / count, g, xi, g, xi, &code));
        assert_int_equal(code, 0);
    }
}

enum { LEVELS = 5, COARSE = 16 };

/* Least-squares slope of log error against log h over those errors that are above the floor; 4 if less than four are:
 * the method is exact there, to rounding, or as good as that. */
static double slope(const double *error, double floor_at)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int n = 0;
    for (int i = 0; i < LEVELS && error[i] > floor_at; i++, n++) {
        double x = -i * log(2), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return n < 4 ? 4 : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* ---- every system ---- */

/* How long, so that the coarsest of the five steps, T/COARSE, lies in the range of the order. Light links swing fast.
 */
static double horizon(const test_system *t)
{
    int links = strcmp(t->name, "twolink") == 0 || strncmp(t->name, "arm", 3) == 0 || strcmp(t->name, "racer") == 0;
    return (links ? 8 : 20) * t->h;
}

/* Matrix and velocity at the end: from the file, else by the tests' own integrator with a finest step an
 * eighth of ours, whose error is then 1/4096 of ours. */
static void truth(const test_system *t, double T, const cJSON *item, double *M, double *xi)
{
    double g[SUITE_ELEMENT], J[SUITE_MATRIX], p[SUITE_DIM];
    int n = lg_group_dim(t->S.group);
    if (item != NULL && T == 2) {
        test_system_element(t->S.group, g, ref_get(ref_get(item, "t=2"), "g"));
        ref_exactly(p, n, ref_get(item, "t=2"), "p");
        system_metric(&t->S, T, g, J);
        assert_true(mat_solve(xi, J, p, n));
    } else {
        memcpy(g, t->g0, sizeof g);
        memcpy(xi, t->xi0, sizeof(double) * SUITE_DIM);
        system_truth(&t->S, T, COARSE * (1 << (LEVELS - 1)) * (suite_reduced() ? 4 : 8), g, xi);
    }
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, M, g));
}

static void test_orders(void **state)
{
    (void)state;
    cJSON *root = ref_load("group_truth.json");
    test_system t;
    for (int i = 0; bench_system(&t, i); i++) {
        double M[SUITE_MATRIX], want[SUITE_DIM], T = horizon(&t);
        int n = lg_group_dim(t.S.group), N = lg_group_matrix_size(t.S.group);
        runner r;
        /* the file's sleigh and suslov are those of test_system_make() */
        truth(&t, T, i < TEST_SYSTEMS ? cJSON_GetObjectItemCaseSensitive(root, t.name) : NULL, M, want);
        runner_open(&r, &t.S, NULL);
        for (int m = 0; m < 2; m++) {
            double eg[LEVELS], exi[LEVELS], speed = 1 + mat_norm(want, n);
            for (int k = 0; k < LEVELS; k++) {
                double g[SUITE_ELEMENT], xi[SUITE_DIM], got[SUITE_MATRIX];
                memcpy(g, t.g0, sizeof g);
                memcpy(xi, t.xi0, sizeof xi);
                suite_case("%s, %s, %d steps", t.name, step_names[m], COARSE << k);
                run(&r, steps[m], T, COARSE << k, g, xi);
                suite_ok("to_matrix", lg_group_to_matrix(t.S.group, got, g));
                eg[k] = suite_distance(got, M, N * N);
                exi[k] = suite_distance(xi, want, n);
            }
            suite_case("%s, %s", t.name, step_names[m]);
            suite_near1("order in g", slope(eg, 1e-13 * speed), 4, 0.25, 1);
            suite_near1("order in xi", slope(exi, 1e-13 * speed), 4, 0.25, 1);
            suite_below("error in g", eg[LEVELS - 1], 1e-6 * speed);
            suite_below("error in xi", exi[LEVELS - 1], 1e-6 * speed);
        }
        runner_close(&r);
    }
    cJSON_Delete(root);
}

/* ---- every group: a free body against RKMK4 with steps eight times finer than the finest, which keeps the spatial
 * momentum Ad*_{g^-1} J xi to 1/4096 of the error at the finest. T is short, since a body on a group that is not
 * compact runs away ---- */

static const double inertia[SUITE_DIM] = {1,   1.3, 1.6, 0.9, 1.2, 1.5, 0.8, 1.1, 1.4, 1.7,
                                          1.0, 1.3, 1.6, 0.9, 1.2, 1.5, 0.8, 1.1, 1.4, 1.7};

static void spatial_momentum(const lg_group *G, const double *g, const double *xi, double *out)
{
    double p[SUITE_DIM], back[SUITE_ELEMENT];
    for (int i = 0; i < lg_group_dim(G); i++) p[i] = inertia[i] * xi[i];
    suite_ok("inverse", lg_group_inverse(G, back, g));
    suite_ok("coAd", lg_group_coAd_apply(G, out, back, p));
}

/* Over the two finest steps whose errors are above the rounding, since random bodies are not all in the range of the
 * order at the coarsest ones. At least: by luck a quantity may do better. */
static void order_four(const char *what, const double *error, double scale)
{
    int last = 0;
    while (last < LEVELS && error[last] > 1e-12 * scale) last++;
    if (last > 1) suite_above(what, log2(error[last - 2] / error[last - 1]), 3.6);
    suite_below(what, error[LEVELS - 1], 1e-6 * scale);
}

/* Adds the errors of both steps; returns the size of the state. */
static double add_free_body(runner *r, const char *label, double error[2][LEVELS], lg_rng *rng)
{
    const lg_group *G = r->b.alone.S.group;
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], pi0[SUITE_DIM], want[SUITE_ELEMENT], xi[SUITE_DIM], pi[SUITE_DIM];
    int n = lg_group_dim(G), element_size = lg_group_element_size(G);
    suite_normal(xi0, n, rng);
    for (int k = 0; k < n; k++) xi0[k] *= 0.5;
    suite_ok("exp", lg_group_exp(G, g0, xi0));
    suite_case("free body on %s", label);
    suite_input("xi0", xi0, n);
    memcpy(want, g0, sizeof g0);
    memcpy(xi, xi0, sizeof xi0);
    run(r, lg_rkmk4_step, 0.5, 64 << (LEVELS - 1), want, xi);
    spatial_momentum(G, g0, xi0, pi0);
    spatial_momentum(G, want, xi, pi);
    double scale = 1 + mat_norm(pi0, n) + mat_norm(want, element_size);
    suite_near("spatial momentum", pi, pi0, n, 1e-12, scale);
    for (int k = 0; k < LEVELS; k++)
        for (int m = 0; m < 2; m++) {
            double g[SUITE_ELEMENT];
            suite_case("free body on %s, %s, %d steps", label, step_names[m], 8 << k);
            suite_input("xi0", xi0, n);
            memcpy(g, g0, sizeof g0);
            memcpy(xi, xi0, sizeof xi0);
            run(r, steps[m], 0.5, 8 << k, g, xi);
            error[m][k] += suite_distance(g, want, element_size);
        }
    return scale;
}

static void test_groups(void **state)
{
    (void)state;
    const roster_group *list = roster_groups();
    for (int i = 0; i < ROSTER_GROUPS; i++) {
        lg_system S = lg_system_default(list[i].G);
        lg_rng rng = suite_rng(51000 + (uint64_t)i);
        double error[2][LEVELS] = {{0}}, scale = 0;
        runner r;
        S.inertia_diagonal = inertia;
        runner_open(&r, &S, NULL);
        for (int k = 0; k < 3; k++) scale += add_free_body(&r, list[i].label, error, &rng);
        for (int m = 0; m < 2; m++) {
            suite_case("free body on %s, %s", list[i].label, step_names[m]);
            order_four("element", error[m], scale);
        }
        runner_close(&r);
    }
}

/* A user's copy of a group, whose elements RK4 can move by differences only (good to 1e-12 a unit of time), along
 * whichever retraction. */
static void test_user_group(void **state)
{
    (void)state;
    const lg_retraction *parts[2] = {lg_retraction_cayley(), lg_retraction_second_kind()};
    lg_retraction *mixed = NULL;
    suite_ok("product", lg_retraction_create_product(&mixed, parts, 2));
    const lg_group *base[3] = {lg_so3(), lg_se3(), test_system_plane_and_attitude()};
    for (int i = 0; i < 3; i++) {
        lg_group copy;
        lg_group *with = NULL;
        roster_user_group(&copy, base[i], i % 2);
        const lg_group *factors[2] = {lg_rn(1), &copy}, *own[2] = {lg_rn(1), base[i]};
        lg_group *plain = NULL;
        suite_ok("product", lg_group_create_product(&with, factors, 2));
        suite_ok("product", lg_group_create_product(&plain, own, 2));
        lg_system S = lg_system_default(with);
        double g[3][SUITE_ELEMENT], xi[3][SUITE_DIM];
        lg_rng rng = suite_rng(52000);
        S.inertia_diagonal = inertia;
        suite_case("a user's copy of %s", lg_group_name(base[i]));
        suite_ok("identity", lg_group_identity(plain, g[0]));
        suite_normal(xi[0], lg_group_dim(plain), &rng);
        memcpy(g[1], g[0], sizeof g[0]);
        memcpy(xi[1], xi[0], sizeof xi[0]);
        memcpy(g[2], g[0], sizeof g[0]);
        memcpy(xi[2], xi[0], sizeof xi[0]);
        for (int m = 0; m < 3; m++) {
            runner r;
            S.group = m ? with : plain;
            runner_open(&r, &S, m == 2 ? mixed : NULL);
            run(&r, lg_rk4_step, 1, 10, g[m], xi[m]);
            runner_close(&r);
        }
        int element_size = lg_group_element_size(plain), n = lg_group_dim(plain);
        for (int m = 1; m < 3; m++) {
            suite_near("element", g[m], g[0], element_size, 1e-11, 1 + mat_norm(g[0], element_size));
            suite_near("velocity", xi[m], xi[0], n, 1e-13, 1 + mat_norm(xi[0], n));
        }
        lg_group_destroy(with);
        lg_group_destroy(plain);
    }
    lg_retraction_destroy(mixed);
}

/* ---- every retraction: RKMK4 has order four with each, one that is not symmetric too ---- */

static void test_retractions(void **state)
{
    (void)state;
    static const char *const names[] = {"se3", "ball_phys", "veselova_top"};
    cJSON *root = ref_load("group_truth.json");
    lg_retraction *mixed = NULL;
    const lg_retraction *parts[2] = {lg_retraction_exp(), lg_retraction_second_kind()};
    suite_ok("product", lg_retraction_create_product(&mixed, parts, 2));
    for (int s = 0; s < 3; s++) {
        test_system t;
        double M[SUITE_MATRIX], want[SUITE_DIM];
        test_system_make(&t, names[s]);
        int n = lg_group_dim(t.S.group), N = lg_group_matrix_size(t.S.group);
        truth(&t, 2, cJSON_GetObjectItemCaseSensitive(root, t.name), M, want);
        for (int i = 0; i <= ROSTER_RETRACTIONS; i++) {
            const lg_retraction *tau = i < ROSTER_RETRACTIONS ? roster_retractions()[i] : mixed;
            double eg[LEVELS], exi[LEVELS];
            runner r;
            if (tau == mixed && s != 1) continue;
            runner_open(&r, &t.S, tau);
            assert_ptr_equal(r.b.alone.f.r, tau);
            for (int k = 0; k < LEVELS; k++) {
                double g[SUITE_ELEMENT], xi[SUITE_DIM], got[SUITE_MATRIX];
                suite_case("%s, rkmk4 with %s (%d), %d steps", t.name, tau->name, i, COARSE << k);
                memcpy(g, t.g0, sizeof g);
                memcpy(xi, t.xi0, sizeof xi);
                run(&r, lg_rkmk4_step, 2, COARSE << k, g, xi);
                suite_ok("to_matrix", lg_group_to_matrix(t.S.group, got, g));
                eg[k] = suite_distance(got, M, N * N);
                exi[k] = suite_distance(xi, want, n);
            }
            order_four("element", eg, 1);
            order_four("velocity", exi, 1);
            runner_close(&r);
        }
    }
    lg_retraction_destroy(mixed);
    cJSON_Delete(root);
}

/* ---- RK4 is not brought back onto the group, but for angles ---- */

static void test_off_the_group(void **state)
{
    (void)state;
    test_system t;
    runner r;
    test_system_make(&t, "se3");
    runner_open(&r, &t.S, NULL);
    for (int m = 0; m < 2; m++) {
        double g[SUITE_ELEMENT], xi[SUITE_DIM];
        memcpy(g, t.g0, sizeof g);
        memcpy(xi, t.xi0, sizeof xi);
        suite_case("%s on SE(3)", step_names[m]);
        run(&r, steps[m], m ? 400 : 4, m ? 4000 : 20, g, xi); /* in 4000 steps rounding would take it off */
        double off = lg_group_residual(lg_se3(), g);
        if (m == 0)
            suite_above("off the group", off, 1e-8);
        else
            suite_below("off the group", off, 4 * SUITE_EPS);
    }
    runner_close(&r);
}

static int cosines(const lg_call *c, const double *g, double *V)
{
    (void)c;
    *V = cos(g[0] + 2 * g[1]) + 0.5 * sin(g[1]) + 0.2 * cos(g[2]);
    return 0;
}

/* Motions on R^3 and on R^1 x (T^2) nested are equal: angles agree modulo 2 pi and lie in (-pi, pi]. */
static void test_angles(void **state)
{
    (void)state;
    lg_group *made = NULL;
    const lg_group *factors[2] = {lg_rn(1), lg_torus(2)};
    suite_ok("product", lg_group_create_product(&made, factors, 2));
    for (int m = 0; m < 2; m++) {
        double g[2][3] = {{0.3, 3, -2}, {0.3, 3, -2}}, xi[2][3] = {{0.5, 4, -3}, {0.5, 4, -3}}, most = 0;
        lg_system S = lg_system_default(lg_rn(3));
        runner plane, torus;
        S.inertia_diagonal = inertia;
        S.callbacks.potential = cosines;
        runner_open(&plane, &S, NULL);
        S.group = made;
        runner_open(&torus, &S, NULL);
        for (int k = 0; k < 200; k++) {
            suite_case("%s on angles, step %d", step_names[m], k);
            run(&plane, steps[m], 0.05, 1, g[0], xi[0]);
            run(&torus, steps[m], 0.05, 1, g[1], xi[1]);
            suite_near("velocities", xi[1], xi[0], 3, 1e-11 * (k + 1), 10); /* the gradient is a difference */
            suite_near1("a length", g[1][0], g[0][0], 1e-11 * (k + 1), 10);
            for (int i = 1; i < 3; i++) {
                suite_near1("an angle", remainder(g[1][i] - g[0][i], 2 * SUITE_PI), 0, 1e-11 * (k + 1), 10);
                most = fmax(most, fabs(g[0][i]));
            }
            assert_true(lg_group_residual(made, g[1]) == 0);
        }
        suite_above("turns", most, 20);
        runner_close(&plane), runner_close(&torus);
    }
    lg_group_destroy(made);
}

/* ---- failures ---- */

typedef struct trap {
    int calls, failing, code, nan;
} trap;

static int trapped(const lg_call *c, const double *g, const double *xi, double *out)
{
    trap *k = (trap *)(uintptr_t)c->context;
    (void)g;
    for (int i = 0; i < 3; i++) out[i] = -0.1 * xi[i];
    if (k->calls++ != k->failing) return 0;
    if (k->nan) out[1] = NAN;
    return k->code;
}

/* Each of the four calls of the force fails, or returns NaN: nothing is written; then the step is as ever, in place or
 * not. */
static void test_failures(void **state)
{
    (void)state;
    test_system t;
    test_system_make(&t, "suslov");
    trap k = {.failing = -1};
    t.S.context = &k;
    t.S.callbacks.force = trapped;
    for (int m = 0; m < 2; m++) {
        runner r;
        double g[4], xi[3], good_g[4], good_xi[3];
        int code = -1;
        k = (trap){.failing = -1};
        runner_open(&r, &t.S, NULL);
        lg_field *f = &r.b.alone.f;
        suite_case("%s", step_names[m]);
        suite_ok("step", steps[m](f, &r.o, 0, 0.1, t.g0, t.xi0, good_g, good_xi, &code));
        assert_int_equal(k.calls, 4);
        for (int i = 0; i < 8; i++) {
            k = (trap){.failing = i / 2, .nan = i % 2, .code = i % 2 ? 0 : 70 + i};
            suite_case("%s, call %d %s", step_names[m], i / 2, i % 2 ? "returns NaN" : "fails");
            memcpy(g, t.g0, sizeof g);
            memcpy(xi, t.xi0, sizeof xi);
            suite_status("step", steps[m](f, &r.o, 0, 0.1, g, xi, g, xi, &code),
                         i % 2 ? LG_ERROR_NOT_FINITE : LG_ERROR_CALLBACK);
            assert_int_equal(code, i % 2 ? 0 : 70 + i);
            suite_same_bits("g", g, t.g0, 4);
            suite_same_bits("xi", xi, t.xi0, 3);
            k.failing = -1;
            suite_ok("step", steps[m](f, &r.o, 0, 0.1, g, xi, g, xi, &code));
            suite_same_bits("g", g, good_g, 4);
            suite_same_bits("xi", xi, good_xi, 3);
        }
        runner_close(&r);
    }
}

/* Finite accelerations, but the new place is not. */
static void test_overflow(void **state)
{
    (void)state;
    lg_system S = lg_system_default(lg_rn(1));
    runner r;
    S.inertia_diagonal = inertia;
    runner_open(&r, &S, NULL);
    for (int m = 0; m < 2; m++) {
        double g = 0.5, xi = 1e308;
        int code = -1;
        suite_case("%s", step_names[m]);
        suite_status("step", steps[m](&r.b.alone.f, &r.o, 0, 100, &g, &xi, &g, &xi, &code), LG_ERROR_NOT_FINITE);
        assert_true(g == 0.5 && xi == 1e308);
    }
    runner_close(&r);
}

int main(void)
{
    suite_begin("baselines");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_groups),        cmocka_unit_test(test_user_group),
        cmocka_unit_test(test_retractions), cmocka_unit_test(test_off_the_group), cmocka_unit_test(test_angles),
        cmocka_unit_test(test_failures),    cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests_name("baselines", tests, NULL, NULL);
}
