/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a step against differences of the step itself, extrapolated (Ridders), for every method and system;
 * products from both sides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "integrators/integrator.h"
#include "support/bench.h"
#include "support/matrix.h"
#include "support/runs.h"

enum { ROWS = 3 * SUITE_DIM, COLUMNS = 2 * SUITE_DIM + 8 };

static const char *const retractions[] = {"exp", "cayley"};
static const char *const composed[] = {"sem@yoshida4", "gni@suzuki4", "dla@kahan-li6", NULL};

/* ---- the step as a function ---- */

/* What a step is made from, and a copy of the integrator that makes it from anywhere. */
typedef struct world {
    lg_integrator *it, *probe;
    int n, m, controls, parameters, rows, columns;
    double inverse[SUITE_ELEMENT]; /* of the next configuration */
    double parameter[8];
} world;

/* The momentum that the method carries on. */
static const double *carried(const lg_integrator *it)
{
    const char *name = it->plan.method.name;
    if (strncmp(name, "dla", 3) == 0) return lg_momentum_plus(it);
    if (strncmp(name, "gni", 3) == 0 || strncmp(name, "rattle", 6) == 0 || strncmp(name, "variational", 11) == 0)
        return lg_momentum_minus(it);
    return lg_momentum(it);
}

/* (eta, p, lambda) after the step from inputs displaced by e in `column`. */
static void step_from(world *w, int column, double e, double *y)
{
    const lg_group *G = lg_integrator_group(w->it);
    lg_integrator *o = w->probe;
    lg_node *b = o->work->now;
    const int n = w->n, c = column;
    double eta[SUITE_DIM] = {0}, g[SUITE_ELEMENT];
    lg_copy_node(&o->plan, b, w->it->work->now);
    memcpy(b->pt, carried(w->it), sizeof(double) * (size_t)n);
    memcpy(w->parameter, w->it->S.parameter_values ? w->it->S.parameter_values : eta,
           sizeof(double) * (size_t)w->parameters);
    memcpy(o->control, w->it->control, sizeof(double) * (size_t)w->controls);
    o->h = w->it->h;
    if (c >= 0 && c < n) {
        eta[c] = e;
        suite_ok("exp", lg_exp(G, g, eta));
        suite_ok("compose", lg_compose(G, b->g, b->g, g));
    } else if (c >= n && c < 2 * n) {
        b->pt[c - n] += e;
    } else if (c >= 2 * n && c < 2 * n + w->controls) {
        o->control[c - 2 * n] += e;
    } else if (c == 2 * n + w->controls) {
        o->h += e;
    } else if (c >= 0) {
        w->parameter[c - 2 * n - w->controls - 1] += e;
    }
    memcpy(b->pp, b->pt, sizeof(double) * (size_t)n);
    memcpy(b->pm, b->pt, sizeof(double) * (size_t)n);
    b->t = w->it->work->now->t;
    o->base_t = b->t, o->step = o->base_step = 0, o->started = 1;
    lg_work_forget(o->work);
    if (lg_work_evaluate(o->work, b)) suite_fail("the displaced node");
    if (lg_step(o) != LG_OK) suite_fail("displaced by %g in %d: %s", e, c, lg_message(o));
    if (column < 0) {
        suite_ok("inverse", lg_inverse(G, w->inverse, lg_configuration(o)));
        return;
    }
    suite_ok("compose", lg_compose(G, g, w->inverse, lg_configuration(o)));
    suite_ok("log", lg_log(G, y, g));
    memcpy(y + n, carried(o), sizeof(double) * (size_t)n);
    memcpy(y + 2 * n, o->work->now->lambda, sizeof(double) * (size_t)w->m);
}

/* Ridders: central differences with steps e, e/2, ..., extrapolated; eta, p and lambda each from where all its entries
 * are most certain. */
static void difference(world *w, int column, double e, double *d, double *uncertain)
{
    enum { LEVELS = 6 };
    double plus[ROWS], minus[ROWS], row[LEVELS][ROWS], last[LEVELS][ROWS];
    const int end[4] = {0, w->n, 2 * w->n, w->rows};
    for (int i = 0; i < 3; i++) uncertain[i] = INFINITY;
    for (int k = 0; k < LEVELS; k++, e /= 2) {
        step_from(w, column, e, plus);
        step_from(w, column, -e, minus);
        for (int i = 0; i < w->rows; i++) row[0][i] = (plus[i] - minus[i]) / (2 * e);
        for (int j = 1; j <= k; j++) {
            const double f = pow(4, j);
            for (int i = 0; i < w->rows; i++) row[j][i] = (f * row[j - 1][i] - last[j - 1][i]) / (f - 1);
            for (int block = 0; block < 3; block++) {
                const int from = end[block], count = end[block + 1] - from;
                const double off = fmax(suite_distance(row[j] + from, row[j - 1] + from, count),
                                        suite_distance(row[j] + from, last[j - 1] + from, count));
                if (!(off < uncertain[block])) continue;
                uncertain[block] = off;
                memcpy(d + from, row[j] + from, sizeof(double) * (size_t)count);
            }
        }
        memcpy(last, row, sizeof last);
    }
}

static double step_of(const world *w, int column, double sharp)
{
    const lg_node *b = w->it->work->now;
    const int n = w->n, c = column;
    double v[SUITE_DIM], speed = 1;
    suite_ok("velocity", lg_velocity(w->it, v));
    for (int i = 0; i < n; i++) speed = fmax(speed, fabs(v[i]));
    if (c < n) return 0.1 * sharp;
    if (c < 2 * n) return 0.1 * sharp * speed * (w->it->plan.diagonal ? b->J[c - n] : b->J[(c - n) * (n + 1)]);
    if (c < 2 * n + w->controls) return 0.1;
    if (c == 2 * n + w->controls) return 0.1 * w->it->h;
    return 0.01;
}

static void open_world(world *w, lg_integrator *it)
{
    memset(w, 0, sizeof *w);
    w->it = it;
    suite_ok("clone", lg_integrator_clone(&w->probe, it));
    suite_ok("solver", lg_integrator_set_solver(w->probe, 1e-16, 400));
    w->n = it->plan.n, w->m = it->plan.m, w->controls = it->S.controls, w->parameters = it->S.parameter_count;
    w->rows = 2 * w->n + w->m, w->columns = 2 * w->n + w->controls + 1 + w->parameters;
    if (w->parameters) w->probe->S.parameter_values = w->parameter;
    step_from(w, -1, 0, NULL);
}

/* ---- */

static double worst, worst_adjoint;

static void check(const char *name, const char *method, const char *retraction, lg_integrator *it)
{
    static double J[ROWS * COLUMNS], D[ROWS * COLUMNS];
    double d[ROWS], uncertain[ROWS], scale[3][COLUMNS] = {{0}};
    world w;
    lg_linearisation *lin = NULL;
    open_world(&w, it);
    suite_ok("create", lg_linearisation_create(&lin, it));
    if (lg_linearise(lin, it) != LG_OK) suite_fail("%s", lg_linearisation_message(lin));
    suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
    (void)scale;
    const int end[4] = {0, w.n, 2 * w.n, w.rows};
    double most = 0, unc = 0; int wr = 0, wc = 0;
    for (int c = 0; c < w.columns; c++) {
        difference(&w, c, step_of(&w, c, it->plan.mh ? 3 * it->h : strncmp(name, "rattle", 6) ? 1 : 0.2), d, uncertain);
        for (int k = 0; k < 3; k++) {
            double size = 1e-300;
            for (int r = end[k]; r < end[k + 1]; r++) size = fmax(size, fabs(d[r]));
            if (k == 1) for (int r = 0; r < w.n; r++) size = fmax(size, fabs(d[r])*it->work->now->J[it->plan.diagonal ? r : r * (w.n + 1)]);
            if (size < 1) size = 1;
            for (int r = end[k]; r < end[k + 1]; r++) {
                double off = fabs(J[r * w.columns + c] - d[r]) / size;
                if (!(off <= most)) most = off, unc = uncertain[k] / size, wr = r, wc = c;
            }
        }
    }
    (void)D;
    double v[COLUMNS], u[ROWS], Jv[ROWS], JTu[COLUMNS], a = 0, b = 0, s = 0;
    lg_rng rng = suite_rng(7);
    suite_normal(v, w.columns, &rng), suite_normal(u, w.rows, &rng);
    suite_ok("apply", lg_linearisation_apply(lin, Jv, v));
    suite_ok("apply", lg_linearisation_apply_transposed(lin, JTu, u));
    for (int r = 0; r < w.rows; r++) {
        a += u[r] * Jv[r];
        for (int c = 0; c < w.columns; c++) s += fabs(u[r] * J[r * w.columns + c] * v[c]);
    }
    for (int c = 0; c < w.columns; c++) b += JTu[c] * v[c];
    const double adj = fabs(a - b) / s;
    if (most > 1e-10 || adj > 1e-14 || most != most)
        printf("%-14s %-24s %-7s off %.1e (uncertain %.1e) at %d,%d of n=%d m=%d, adjoint %.1e\n", name, method, retraction, most,
               unc, wr, wc, w.n, w.m, adj);
    worst = fmax(worst, most), worst_adjoint = fmax(worst_adjoint, adj);
    lg_linearisation_destroy(lin);
    lg_integrator_destroy(w.probe);
}

static void test_all(void **state)
{
    (void)state;
    test_system t;
    int combos = 0, refused = 0;
    for (int i = 0; bench_system(&t, i); i++)
        for (int list = 0; list < 2; list++)
            for (const char *const *m = list ? composed : lg_method_names(); *m; m++)
                for (int r = 0; r < 2; r++) {
                    lg_integrator *it = NULL;
                    suite_case("%s, %s, %s", t.name, *m, retractions[r]);
                    if (lg_integrator_create(&it, &t.S, *m, retractions[r], t.h) != LG_OK) {
                        refused++;
                    } else {
                        if (lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION) != LG_OK)
                            suite_fail("%s", lg_message(it));
                        run_steps(it, 3);
                        check(t.name, *m, retractions[r], it);
                        combos++;
                    }
                    lg_integrator_destroy(it);
                }
    printf("%d combinations, %d refused; worst %.1e, adjoint %.1e\n", combos, refused, worst, worst_adjoint);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    suite_begin("linearisation");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
