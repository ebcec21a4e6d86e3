/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"

#include <math.h>
#include <string.h>

#include "matrix.h"

lg_integrator *run_start_at(const lg_system *S, const char *method, const char *retraction, double h, double t0,
                            const double *g0, const double *xi0)
{
    lg_integrator *it = NULL;
    if (lg_integrator_create(&it, S, method, retraction, h) != LG_OK)
        suite_fail("create %s, %s: %s", method, retraction, lg_integrator_message(it));
    if (lg_integrator_start(it, t0, g0, xi0, LG_START_REACTION, 0) != LG_OK)
        suite_fail("start %s, %s: %s", method, retraction, lg_integrator_message(it));
    return it;
}

lg_integrator *run_start(const test_system *t, const char *method, const char *retraction, double h)
{
    return run_start_at(&t->S, method, retraction, h, 0, t->g0, t->xi0);
}

void run_steps(lg_integrator *it, int64_t steps)
{
    if (lg_integrator_run(it, steps, steps > 0 ? steps : 1, NULL, NULL) != LG_OK)
        suite_fail("step %lld: %s", (long long)lg_integrator_step_index(it), lg_integrator_message(it));
}

void run_end(lg_integrator **it)
{
    lg_integrator_destroy(*it);
    *it = NULL;
}

/* The larger, or a NaN that is met once and for all. */
static void raise(double *most, double value)
{
    if (!(value <= *most)) *most = value;
}

run_extremes run_watch(lg_integrator *it, int64_t steps, int work)
{
    run_extremes w = {.rise = -INFINITY, .size = 1};
    const double first = lg_integrator_energy(it);
    const int n = lg_group_dim(lg_integrator_group(it));
    double before = first, sum = 0, lost = 0; /* compensated: 1e5 works of the size of H */
    for (int64_t k = 0; k < steps; k++) {
        if (lg_integrator_step(it) != LG_OK)
            suite_fail("step %lld: %s", (long long)lg_integrator_step_index(it), lg_integrator_message(it));
        const double H = lg_integrator_energy(it);
        raise(&w.energy, fabs(H - first));
        if (4 * k >= 3 * steps) raise(&w.last, fabs(H - first));
        raise(&w.rise, H - before);
        if (work) {
            const double add = lg_integrator_step_work(it) - lost, next = sum + add;
            lost = (next - sum) - add;
            sum = next;
            raise(&w.balance, fabs(H - first - sum));
        }
        before = H;
        raise(&w.constraint, lg_integrator_constraint_residual(it));
        raise(&w.position, lg_integrator_holonomic_residual(it));
        for (int i = 0; i < n; i++) raise(&w.size, fabs(lg_integrator_momentum(it)[i]));
    }
    return w;
}

void run_read(run_state *out, const lg_integrator *it)
{
    const lg_group *G = lg_integrator_group(it);
    memset(out, 0, sizeof *out);
    suite_ok("to_matrix", lg_group_to_matrix(G, out->M, lg_integrator_configuration(it)));
    memcpy(out->p, lg_integrator_momentum(it), sizeof(double) * (size_t)lg_group_dim(G));
}

double run_difference(const lg_group *G, const run_state *a, const run_state *b)
{
    const int N = lg_group_matrix_size(G);
    return fmax(suite_distance(a->M, b->M, N * N), suite_distance(a->p, b->p, lg_group_dim(G)));
}

double run_there_and_back(const test_system *t, const char *method, const char *retraction, double h, int steps)
{
    const lg_group *G = t->S.group;
    run_state start, end;
    double xi[SUITE_DIM], most = 1;
    lg_integrator *there = run_start(t, method, retraction, h);
    run_read(&start, there);
    run_steps(there, steps);
    run_read(&end, there);
    for (int i = 0; i < lg_group_matrix_size(G) * lg_group_matrix_size(G); i++) most = fmax(most, fabs(end.M[i]));
    suite_ok("velocity", lg_integrator_velocity(there, xi));
    lg_integrator *back =
        run_start_at(&t->S, method, retraction, -h, lg_integrator_time(there), lg_integrator_configuration(there), xi);
    run_steps(back, steps);
    run_read(&end, back);
    run_end(&there);
    run_end(&back);
    return run_difference(G, &start, &end) / most;
}

void run_to(run_state *out, const test_system *t, const char *method, const char *retraction, double T, int count)
{
    lg_integrator *it = run_start(t, method, retraction, T / count);
    run_steps(it, count);
    run_read(out, it);
    run_end(&it);
}

void run_truth(run_state *out, const test_system *t, double T, int steps)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    memcpy(g, t->g0, sizeof g);
    memcpy(xi, t->xi0, sizeof xi);
    system_truth(&t->S, T, steps, g, xi);
    memset(out, 0, sizeof *out);
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, out->M, g));
    system_momentum(&t->S, T, g, xi, out->p);
}

/* Least-squares slope of log error against log h, over the errors above the floor. */
static double slope(const double *error, const int *counts, int n, double floor, int *used)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, k = 0;
    for (int i = 0; i < n; i++) {
        if (!(error[i] > floor)) continue;
        const double x = -log(counts[i]), y = log(error[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        k += 1;
    }
    *used = (int)k;
    return (k * sxy - sx * sy) / (k * sxx - sx * sx);
}

run_orders run_measure(const test_system *t, const run_state *truth, const char *method, const char *retraction,
                       double T, const int *counts, int n, double floor)
{
    enum { MOST = 12 };
    double eg[MOST], ep[MOST];
    const int N = lg_group_matrix_size(t->S.group);
    run_orders o;
    assert_true(n <= MOST);
    for (int i = 0; i < n; i++) {
        run_state s;
        run_to(&s, t, method, retraction, T, counts[i]);
        eg[i] = suite_distance(s.M, truth->M, N * N);
        ep[i] = suite_distance(s.p, truth->p, lg_group_dim(t->S.group));
    }
    o.g = slope(eg, counts, n, floor, &o.used_g);
    o.p = slope(ep, counts, n, floor, &o.used_p);
    o.error_g = eg[n - 1];
    o.error_p = ep[n - 1];
    return o;
}

void run_near_order(const char *what, double order, int used, double want, double slack)
{
    if (used < 3) return;
    if (!(fabs(order - want) <= slack)) suite_fail("%s: order %.3f instead of %g (%d errors)", what, order, want, used);
}

double run_multipliers(double error[2], const test_system *t, const char *method, double T, const int counts[2],
                       int more)
{
    const int holonomic = t->S.callbacks.holonomic_count, all = holonomic + t->S.constraint_count;
    double g[SUITE_ELEMENT], xi[SUITE_DIM], unused[SUITE_DIM], lambda[6], size = 1;
    memcpy(g, t->g0, sizeof g), memcpy(xi, t->xi0, sizeof xi);
    system_truth(&t->S, T, 1000, g, xi);
    system_acceleration(&t->S, T, g, xi, unused, lambda);
    for (int level = 0; level < 2; level++) {
        lg_integrator *it = run_start(t, method, "exp", T / counts[level]);
        run_steps(it, counts[level] + more);
        error[level] = 0;
        for (int a = 0; a < all; a++) {
            const double got = a < holonomic ? lg_integrator_holonomic_multipliers(it)[a]
                                             : lg_integrator_multipliers(it)[a - holonomic];
            error[level] = fmax(error[level], fabs(got - lambda[a]));
            size = fmax(size, fabs(lambda[a]));
        }
        run_end(&it);
    }
    return size;
}
