/* SPDX-License-Identifier: BSD-3-Clause */
/* Collocation between its nodes: dense output and events to the order of its steps, constraints there, steps that
 * reading does not change, copies that continue bit for bit. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/runs.h"

static const char *const methods[] = {"gauss", "gauss:stages=4", "gauss:stages=6,rate"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* NULL where the method does not take the system. */
static lg_integrator *try_start(const test_system *t, const char *method, double h)
{
    lg_integrator *it = NULL;
    suite_case("%s, %s, h = %g", t->name, method, h);
    if (lg_integrator_create(&it, &t->S, method, "exp", h) == LG_OK) {
        suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
        return it;
    }
    run_end(&it);
    return NULL;
}

/* Largest difference in entries of g, as a matrix, and of xi. */
static double apart(const lg_group *G, const double *g, const double *xi, const double *q, const double *v)
{
    double M[SUITE_MATRIX], N[SUITE_MATRIX];
    const int size = lg_group_matrix_size(G) * lg_group_matrix_size(G);
    suite_ok("to_matrix", lg_group_to_matrix(G, M, g));
    suite_ok("to_matrix", lg_group_to_matrix(G, N, q));
    return fmax(suite_distance(M, N, size), suite_distance(xi, v, lg_group_dim(G)));
}

static double largest(const double *x, int n, double most)
{
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* ---- between the nodes ---- */

/* How far the point at s of the last step is from a run with eight times as many steps. */
static double error_inside(const test_system *t, const lg_integrator *it, double s)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM], v[SUITE_DIM], time;
    suite_ok("inside", lg_integrator_interpolate(it, &time, g, xi, s));
    lg_integrator *fine = run_start(t, "gauss", "exp", lg_integrator_step_size(it) / 8);
    suite_ok("fine run", lg_integrator_run_to(fine, time, 1, NULL, NULL));
    suite_ok("velocity", lg_integrator_velocity(fine, v));
    const double off = apart(t->S.group, g, xi, lg_integrator_configuration(fine), v);
    run_end(&fine);
    return off / largest(v, lg_group_dim(t->S.group), 1);
}

/* A (v - Y) there, relative. */
static void check_rows_inside(const test_system *t, const lg_integrator *it, double s)
{
    double A[SUITE_MATRIX], b[SUITE_DIM], g[SUITE_ELEMENT], xi[SUITE_DIM], time;
    const int n = lg_group_dim(t->S.group);
    suite_ok("inside", lg_integrator_interpolate(it, &time, g, xi, s));
    const int m = system_rows(&t->S, time, g, A, b);
    for (int a = 0; a < m; a++) {
        double off = -b[a], size = fmax(1, fabs(b[a]));
        for (int i = 0; i < n; i++) off += A[a * n + i] * xi[i], size += fabs(A[a * n + i] * xi[i]);
        suite_near1("A xi inside", off, 0, 1e-14, size);
    }
}

static void test_inside(void **state)
{
    (void)state;
    static const double at[] = {0.01, 0.3, 0.5, 0.85, 0.999};
    test_system t;
    int cases = 0;
    for (int i = 0; bench_system(&t, i); i++) {
        lg_integrator *it = try_start(&t, "gauss", t.h);
        for (int step = 0; it != NULL && step < 4; step += 3) { /* without a memory of stages, and with one */
            run_steps(it, 1 + step);
            for (int k = 0; k < 5; k++, cases++) {
                suite_below("error inside", error_inside(&t, it, at[k]), 1e-12);
                check_rows_inside(&t, it, at[k]);
            }
        }
        run_end(&it);
    }
    suite_above("cases", cases, 200);
}

/* At three points of the last one of `count` steps to T = 1. */
static double error_of(const test_system *t, const char *method, int count)
{
    double most = 0;
    lg_integrator *it = run_start(t, method, "exp", 1.0 / count);
    run_steps(it, count);
    for (int k = 1; k <= 3; k++) most = fmax(most, error_inside(t, it, k / 4.0));
    run_end(&it);
    return most;
}

static void test_order(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "suslov", "sleigh", "ball_phys", "vtop", "sphp", "sleighM"};
    static const char *const list[] = {"gauss:stages=1", "gauss:stages=2", "gauss:stages=2,rate"};
    static const int order[] = {2, 4, 4};
    for (int i = 0; i < 7; i++)
        for (int m = 0; m < 3; m++) {
            test_system t;
            energy_system_make(&t, names[i]);
            if (m == 2 && t.S.callbacks.metric) continue; /* the rate form takes constant metrics only */
            const double coarse = error_of(&t, list[m], 20), fine = error_of(&t, list[m], 60);
            suite_case("order between nodes of %s, %s", t.name, list[m]);
            suite_near1("order", log(coarse / fine) / log(3), order[m], 0.4, 1);
        }
}

/* ---- reading changes nothing ---- */

static void same(const char *what, const lg_integrator *a, const lg_integrator *b, const test_system *t)
{
    const int n = lg_group_dim(t->S.group), m = t->S.callbacks.holonomic_count + t->S.constraint_count;
    suite_same_bits(what, lg_integrator_configuration(a), lg_integrator_configuration(b),
                    lg_group_element_size(t->S.group));
    suite_same_bits(what, lg_integrator_momentum(a), lg_integrator_momentum(b), n);
    suite_same_bits(what, lg_integrator_step_velocity(a), lg_integrator_step_velocity(b), n);
    suite_same_bits(what, lg_integrator_holonomic_multipliers(a), lg_integrator_holonomic_multipliers(b), m);
    assert_int_equal(lg_integrator_iterations(a), lg_integrator_iterations(b));
}

static void looked_at(const test_system *t, const char *method)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    lg_integrator *a = try_start(t, method, t->h), *b = try_start(t, method, t->h);
    for (int k = 0; a != NULL && k < 8; k++) {
        run_steps(a, 1);
        run_steps(b, 1);
        for (int j = 0; j <= k; j++) suite_ok("inside", lg_integrator_interpolate(b, NULL, g, xi, (j + 0.5) / (k + 1)));
        same("a run that was looked into", b, a, t);
    }
    run_end(&a);
    run_end(&b);
}

static void test_looking(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < METHODS; m++) looked_at(&t, methods[m]);
}

/* A copy, and the run itself after a reset, continue as the run did. */
static void continues(const test_system *t, const char *method)
{
    lg_integrator *it = try_start(t, method, t->h), *copy = NULL, *again = NULL;
    if (it == NULL) return;
    run_steps(it, 5);
    suite_ok("clone", lg_integrator_clone(&copy, it));
    same("the copy", copy, it, t);
    run_steps(it, 4);
    run_steps(copy, 4);
    same("steps of the copy", copy, it, t);
    suite_ok("reset", lg_integrator_reset(copy));
    again = try_start(t, method, t->h);
    same("after the reset", copy, again, t);
    run_steps(again, 9);
    run_steps(copy, 9);
    same("steps after the reset", copy, again, t);
    same("the run from the start", again, it, t);
    run_end(&it);
    run_end(&copy);
    run_end(&again);
}

static void test_copies(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < METHODS; m++) continues(&t, methods[m]);
}

/* ---- events ---- */

/* f = t - T + eps (mixture - c): it rises through 0 once where eps is small. */
typedef struct goal {
    const lg_group *G;
    double T, eps, c;
} goal;

static double mixture(const lg_group *G, const double *g, const double *xi)
{
    double M[SUITE_MATRIX], s = 0;
    const int N = lg_group_matrix_size(G), n = lg_group_dim(G);
    suite_ok("to_matrix", lg_group_to_matrix(G, M, g));
    for (int i = 0; i < N * N; i++) s += sin(1 + i) * M[i];
    for (int i = 0; i < n; i++) s += cos(2 + 3 * i) * xi[i];
    return s;
}

static int approach(const lg_call *c, const double *g, const double *xi, double *f)
{
    const goal *e = c->context;
    *f = c->t - e->T + e->eps * (mixture(e->G, g, xi) - e->c);
    return 0;
}

/* The goal that a run with an eighth of the step passes after 4.6 steps. */
static goal find_goal(const test_system *t, double h, double *g, double *xi)
{
    goal e = {.G = t->S.group, .T = 4.6 * h};
    lg_integrator *it = run_start(t, "gauss", "exp", h / 8);
    suite_ok("before", lg_integrator_run_to(it, 4.5 * h, 1, NULL, NULL));
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    const double before = mixture(e.G, lg_integrator_configuration(it), xi);
    suite_ok("there", lg_integrator_run_to(it, e.T, 1, NULL, NULL));
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    memcpy(g, lg_integrator_configuration(it), sizeof *g * (size_t)lg_group_element_size(e.G));
    e.c = mixture(e.G, g, xi);
    e.eps = 0.3 / fmax(1, fabs(e.c - before) / (0.1 * h));
    run_end(&it);
    return e;
}

/* The event, its state, and the state at the end of a run that continues after it. */
static void meets(const test_system *t, const char *method)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM], v[SUITE_DIM];
    const int n = lg_group_dim(t->S.group);
    lg_integrator *it = try_start(t, method, t->h);
    if (it == NULL) return;
    const goal e = find_goal(t, t->h, g, xi);
    const lg_event event = {.size = sizeof(lg_event), .value = approach, .context = &e};
    int found = 0;
    suite_case("event of %s, %s", t->name, method);
    while (!found && lg_integrator_step_index(it) < 6)
        suite_ok(lg_integrator_message(it), lg_integrator_step_to_event(it, &found, &event));
    const double scale = largest(xi, n, 1);
    assert_int_equal(found, 1);
    suite_near1("time of the event", lg_integrator_time(it), e.T, 1e-12, 1);
    suite_ok("velocity", lg_integrator_velocity(it, v));
    suite_below("state at the event", apart(e.G, lg_integrator_configuration(it), v, g, xi), 1e-12 * scale);
    lg_integrator *fine = run_start(t, "gauss", "exp", t->h / 8);
    suite_ok("on", lg_integrator_run_to(it, 9.3 * t->h, 1, NULL, NULL));
    suite_ok("fine run", lg_integrator_run_to(fine, 9.3 * t->h, 1, NULL, NULL));
    suite_ok("velocity", lg_integrator_velocity(it, v));
    suite_ok("velocity", lg_integrator_velocity(fine, xi));
    suite_below("state after the event",
                apart(e.G, lg_integrator_configuration(it), v, lg_integrator_configuration(fine), xi), 1e-12 * scale);
    run_end(&fine);
    run_end(&it);
}

static void test_events(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++) meets(&t, "gauss");
}

/* ---- failures ---- */

static lg_field_fn gradient;
static const lg_integrator *inner;
static int broken, asked;

static int fragile(const lg_call *c, const double *g, double *out)
{
    double xi[SUITE_DIM];
    if (inner != NULL && broken == 0) {
        asked = 1;
        suite_status("from a callback", lg_integrator_interpolate(inner, NULL, NULL, xi, 0.5), LG_ERROR_ARGUMENT);
    }
    return broken ? 3 : gradient(c, g, out);
}

static void test_failures(void **state)
{
    (void)state;
    test_system t;
    double g[SUITE_ELEMENT] = {7}, xi[SUITE_DIM] = {7}, time = 7;
    energy_system_make(&t, "vtop");
    gradient = t.S.callbacks.potential_gradient;
    t.S.callbacks.potential_gradient = fragile;
    lg_integrator *it = run_start(&t, "gauss", "exp", 0.1), *clean = run_start(&t, "gauss", "exp", 0.1);
    suite_case("a callback that fails inside");
    run_steps(it, 3);
    broken = 1;
    suite_status("inside", lg_integrator_interpolate(it, &time, g, xi, 0.5), LG_ERROR_CALLBACK);
    assert_true(g[0] == 7 && xi[0] == 7 && time == 7);
    suite_ok("a node", lg_integrator_interpolate(it, &time, g, xi, 1));
    broken = 0, inner = it;
    suite_ok("inside", lg_integrator_interpolate(it, &time, g, xi, 0.5));
    suite_near1("t", time, 0.25, 1e-15, 1);
    assert_int_equal(asked, 1);
    inner = NULL;
    run_steps(it, 3);
    run_steps(clean, 6);
    same("afterwards", it, clean, &t);
    run_end(&it);
    run_end(&clean);
}

int main(void)
{
    suite_begin("collocation between nodes");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside), cmocka_unit_test(test_order),  cmocka_unit_test(test_looking),
        cmocka_unit_test(test_copies), cmocka_unit_test(test_events), cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests_name("collocation between nodes", tests, NULL, NULL);
}
