/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by re-stepping, the mathematics: what holds at a node holds at an event, times and states at events and after
 * them converge with the method's order, the normal part of the GNI does not jump. What a call does and refuses is in
 * test_event_rules.c. */
#include <math.h>
#include <string.h>

#include "support/bench.h"
#include "support/runs.h"

static const char *const methods[] = {
    "sem", "gni", "nsv", "dla", "sem@suzuki4", "gni@yoshida4", "rk4", "gauss", "gauss:stages=4,rate", "variational"};
enum { METHODS = sizeof methods / sizeof methods[0] };

static int keeps_constraints(const char *method)
{
    return strcmp(method, "rk4") != 0;
}

/* NULL where the method does not take the system. */
static lg_integrator *try_start(const test_system *t, const char *method, double h)
{
    lg_integrator *it = NULL;
    lg_status status = lg_integrator_create(&it, &t->S, method, "exp", h);
    if (status == LG_ERROR_UNSUPPORTED) {
        run_end(&it);
        return NULL;
    }
    suite_ok(lg_integrator_message(it), status);
    suite_ok(lg_integrator_message(it), lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0));
    return it;
}

/* ---- event functions ---- */

/* A number that depends on everything: on the matrix of g and on xi. */
static double mixture(const lg_group *G, const double *g, const double *xi)
{
    double M[SUITE_MATRIX], s = 0;
    const int N = lg_group_matrix_size(G), n = lg_group_dim(G);
    suite_ok("to_matrix", lg_group_to_matrix(G, M, g));
    for (int i = 0; i < N * N; i++) s += sin(1 + i) * M[i];
    for (int i = 0; i < n; i++) s += cos(2 + 3 * i) * xi[i];
    return s;
}

/* f = (t - T) + eps (mixture - c), or the sine of it: what the tests make events of. */
typedef struct goal {
    const lg_group *G;
    double T, eps, c, omega;
    long *calls;
} goal;

static int approach(const lg_call *c, const double *g, const double *xi, double *f)
{
    const goal *e = c->context;
    if (e->calls != NULL) ++*e->calls;
    *f = c->t - e->T;
    if (e->eps != 0) *f += e->eps * (mixture(e->G, g, xi) - e->c);
    if (e->omega > 0) *f = sin(e->omega * *f);
    return 0;
}

static double approach_at(const goal *e, const lg_integrator *it)
{
    double xi[SUITE_DIM], f;
    const lg_call c = {.context = e, .t = lg_integrator_time(it), .lanes = 1};
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    (void)approach(&c, lg_integrator_configuration(it), xi, &f);
    return f;
}

static int step_to_event(lg_integrator *it, const lg_event *event)
{
    int found = 7;
    if (lg_integrator_step_to_event(it, &found, event) != LG_OK)
        suite_fail("step %lld: %s", (long long)lg_integrator_step_index(it), lg_integrator_message(it));
    return found;
}

/* ---- what holds at nodes holds at events ---- */

/* sum |A_i||xi_i| + |b|, the scale of a row's round-off. */
static double row_scale(const lg_integrator *it, const lg_system *S)
{
    double A[SUITE_MATRIX], b[SUITE_DIM], xi[SUITE_DIM], most = 1;
    const int n = lg_group_dim(S->group),
              m = system_rows(S, lg_integrator_time(it), lg_integrator_configuration(it), A, b);
    suite_ok("velocity", lg_integrator_velocity(it, xi));
    for (int a = 0; a < m; a++) {
        double s = fabs(b[a]);
        for (int i = 0; i < n; i++) s += fabs(A[a * n + i] * xi[i]);
        most = fmax(most, s);
    }
    return most;
}

static void invariants_of(const test_system *t, const char *method)
{
    lg_integrator *it = try_start(t, method, t->h);
    if (it == NULL) return;
    const goal e = {.G = t->S.group, .T = 0.2 * t->h, .eps = 0.01 * t->h, .omega = 0.8 / t->h};
    const lg_event event = {.size = sizeof(lg_event), .value = approach, .context = &e};
    const double H0 = lg_integrator_energy(it), T0 = fabs(H0) + 1;
    double work = 0, scale = T0;
    int events = 0;
    suite_case("invariants of %s, %s", t->name, method);
    for (int k = 0; k < 40; k++) {
        const double before = lg_integrator_time(it);
        const int found = step_to_event(it, &event);
        work += lg_integrator_step_work(it);
        scale = fmax(scale, fabs(lg_integrator_energy(it)) + fabs(lg_integrator_step_work(it)));
        assert_int_equal(lg_integrator_step_index(it), k + 1);
        suite_above("time", lg_integrator_time(it), before);
        if (found != 0) {
            events++;
            suite_below("|f| at the event", fabs(approach_at(&e, it)), 1e-11); /* 1e-12 h times omega, and round-off */
        }
        if (keeps_constraints(method)) {
            suite_below("constraint", lg_integrator_constraint_residual(it), 1e-14 * row_scale(it, &t->S));
            suite_below("position", lg_integrator_holonomic_residual(it), 1e-14);
        }
        if (strncmp(method, "sem", 3) == 0)
            suite_below("H - H_0 - work", fabs(lg_integrator_energy(it) - H0 - work), 1e-12 * scale);
    }
    assert_in_range(events, 7, 11); /* 40 steps at most, pi/0.8 of them from one root to the next */
    run_end(&it);
}

static void test_invariants(void **state)
{
    (void)state;
    test_system t;
    for (int i = 0; bench_system(&t, i); i++)
        for (int m = 0; m < METHODS; m++) invariants_of(&t, methods[m]);
}

/* A free rigid body, no constraints: R p is constant, at events too. */
static void test_spatial_momentum(void **state)
{
    (void)state;
    static const char *const list[] = {"variational", "nsv", "sem", "sem@suzuki4", "gni"};
    static const double J[3] = {1, 1.5, 2.2}, q0[4] = {0, 0, 0, 1}, xi0[3] = {0.7, -0.4, 1.1};
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = J;
    for (int m = 0; m < 5; m++) {
        const goal e = {.G = S.group, .T = 0.01, .eps = 0.01, .omega = 5};
        const lg_event event = {.size = sizeof(lg_event), .value = approach, .context = &e};
        double P[3];
        suite_case("spatial momentum of %s", list[m]);
        lg_integrator *it = run_start_at(&S, list[m], "cayley", 0.1, 0, q0, xi0);
        const double want[3] = {J[0] * xi0[0], J[1] * xi0[1], J[2] * xi0[2]};
        int events = 0;
        for (int k = 0; k < 100; k++) {
            events += step_to_event(it, &event) != 0;
            lg_so3_act(P, lg_integrator_configuration(it), lg_integrator_momentum(it));
            suite_near("R p", P, want, 3, 1e-14 * (k + 1), 2.5);
        }
        assert_true(events > 10);
        run_end(&it);
    }
}

/* ---- orders ---- */

/* Where the continuous motion is at its event, and at the end. */
typedef struct truth {
    double T;
    goal e;
    run_state event, end;
} truth;

static void find_truth(truth *w, const test_system *t, double T)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM], last = 0, rate = 0;
    w->T = T;
    for (int k = 0; k <= 20; k++) { /* the fastest change of the mixture */
        memcpy(g, t->g0, sizeof g);
        memcpy(xi, t->xi0, sizeof xi);
        if (k > 0) system_truth(&t->S, k * T / 20, 30 * k, g, xi);
        const double now = mixture(t->S.group, g, xi);
        if (k > 0) rate = fmax(rate, fabs(now - last) / (T / 20));
        last = now;
    }
    w->e = (goal){.G = t->S.group, .T = 0.637 * T, .eps = 0.3 / rate};
    memcpy(g, t->g0, sizeof g);
    memcpy(xi, t->xi0, sizeof xi);
    system_truth(&t->S, w->e.T, 1500, g, xi);
    w->e.c = mixture(t->S.group, g, xi);
    memset(&w->event, 0, sizeof w->event);
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, w->event.M, g));
    system_momentum(&t->S, w->e.T, g, xi, w->event.p);
    run_truth(&w->end, t, T, 2500);
}

/* Errors of one run of `count` steps of T/count: of time and state at the event, and at the end. */
static void errors_of(lg_integrator *it, const truth *w, double *at_event, double *at_end)
{
    long calls = 0, most = 0;
    goal e = w->e;
    e.calls = &calls;
    const lg_event event = {.size = sizeof(lg_event), .value = approach, .context = &e, .direction = LG_CROSSING_UP};
    run_state s;
    int found = 0;
    while (found == 0 && lg_integrator_time(it) < w->T) {
        calls = 0;
        found = step_to_event(it, &event);
        most = calls;
    }
    assert_int_equal(found, 1);
    suite_below("calls of f in the step with the event", (double)most, 10);
    run_read(&s, it);
    *at_event = fmax(fabs(lg_integrator_time(it) - w->e.T), run_difference(e.G, &s, &w->event));
    suite_ok(lg_integrator_message(it), lg_integrator_run_to(it, w->T, 1, NULL, NULL));
    suite_same_bits("time at the end", (const double[1]){lg_integrator_time(it)}, &w->T, 1);
    run_read(&s, it);
    *at_end = run_difference(e.G, &s, &w->end);
}

static double slope_of(const double *error, const int *counts, int n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < n; i++) {
        const double x = -log(counts[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void test_orders(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "suslov",  "sleigh",  "ball_phys", "vtop", "sleigh_pot",
                                        "sphp",     "sleighM", "movpend", "sdrive",    "blade"};
    static const int counts[] = {12, 16, 24, 32, 48};
    for (int i = 0; i < 11; i++) {
        test_system t;
        truth w;
        energy_system_make(&t, names[i]);
        find_truth(&w, &t, 1);
        for (int m = 0; m < METHODS; m++) {
            const int order = strchr(methods[m], '@') != NULL || strcmp(methods[m], "rk4") == 0 ? 4 : 2;
            double at_event[5], at_end[5];
            int k = 0;
            if (strncmp(methods[m], "gauss", 5) == 0) continue; /* test_collocation_dense.c */
            for (; k < 5; k++) {
                lg_integrator *it = try_start(&t, methods[m], w.T / counts[k]);
                if (it == NULL) break;
                suite_case("order of %s, %s, %d steps", t.name, methods[m], counts[k]);
                errors_of(it, &w, &at_event[k], &at_end[k]);
                run_end(&it);
            }
            if (k == 0) continue;
            suite_case("order of %s, %s", t.name, methods[m]);
            suite_near1("order at the event", slope_of(at_event, counts, 5), order, 0.2, 1);
            suite_near1("order at the end", slope_of(at_end, counts, 5), order, 0.2, 1);
        }
    }
}

/* ---- the normal part of the GNI ---- */

/* How far p^- - p~ is from what it was before a step of s h. */
static double jump_of(const test_system *t, const char *method, double h, double s)
{
    double before[SUITE_DIM], most = 0;
    lg_integrator *it = run_start(t, method, "exp", h);
    const int n = lg_group_dim(t->S.group);
    run_steps(it, 4);
    for (int i = 0; i < n; i++) before[i] = lg_integrator_momentum_minus(it)[i] - lg_integrator_momentum(it)[i];
    const goal e = {.T = lg_integrator_time(it) + s * h};
    const lg_event event = {.size = sizeof(lg_event), .value = approach, .context = &e};
    assert_int_equal(step_to_event(it, &event), 1);
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(lg_integrator_momentum_minus(it)[i] - lg_integrator_momentum(it)[i] - before[i]));
    run_end(&it);
    return most;
}

/* The normal part is h/2 times a multiplier that moves by O(s h) in a step of s h and has a parasitic part of O(h^2),
 * which the step turns round; the difference p^- - p~ loses digits with 1/s. It is 0.02 to 0.05 itself. */
static void test_normal_part(void **state)
{
    (void)state;
    static const char *const names[] = {"particle", "sleigh", "ball_phys", "vtop", "se3", "reduced_mixed"};
    static const char *const list[] = {"gni", "gni:midpoint", "gni@yoshida4"};
    for (int i = 0; i < 6; i++)
        for (int m = 0; m < 3; m++)
            for (int k = 0; k < 16; k++) {
                test_system t;
                if (i < 4)
                    energy_system_make(&t, names[i]);
                else
                    test_system_make(&t, names[i]);
                const double s = 0.9 * pow(10, -0.8 * k), noise = 2e-15 / fmax(s, 1e-6);
                suite_case("jump of the normal part, %s, %s, s = %g", t.name, list[m], s);
                for (double h = 0.1; h > 0.02; h /= 2)
                    suite_below("jump", jump_of(&t, list[m], h, s), 0.5 * s * h * h + 0.1 * h * h * h + noise);
            }
}

int main(void)
{
    suite_begin("events");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_spatial_momentum),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_normal_part),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
