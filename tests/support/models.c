/* SPDX-License-Identifier: BSD-3-Clause */
#include "models.h"

#include <math.h>
#include <string.h>

#include "energy_systems.h"
#include "matrix.h"
#include "motions.h"

int model_left_out(const char *const *name)
{
    return suite_reduced() && (name - lg_catalog_names()) % 5 != 0;
}

lg_model *model_open(const model_example *x)
{
    lg_model *M = NULL;
    suite_case("%s, %s = %g", x->system, x->set[0].name ? x->set[0].name : "default", x->set[0].value);
    if (lg_catalog_create(&M, x->system) != LG_OK) suite_fail("%s", lg_model_message(M));
    for (int i = 0; i < 12 && x->set[i].name != NULL; i++)
        if (lg_model_set(M, x->set[i].name, x->set[i].value) != LG_OK) suite_fail("%s", lg_model_message(M));
    return M;
}

const lg_system *model_system(lg_model *M)
{
    const lg_system *S = NULL;
    if (lg_model_system(M, &S) != LG_OK) suite_fail("%s", lg_model_message(M));
    return S;
}

lg_model *model_with(test_system *t, const char *system, const setting *set)
{
    model_example x = {.system = system};
    for (int i = 0; set != NULL && set[i].name != NULL; i++) x.set[i] = set[i];
    lg_model *M = model_open(&x);
    *t = (test_system){.name = lg_model_describe(M)->name, .S = *model_system(M), .h = 0.05};
    if (lg_model_initial(M, t->g0, t->xi0, NULL) != LG_OK) suite_fail("%s", lg_model_message(M));
    return M;
}

double model_parameter(const lg_model *M, const char *name)
{
    double value = NAN;
    suite_ok(name, lg_model_get(M, &value, name));
    return value;
}

void model_start(lg_model *M, double *g, double *xi)
{
    const lg_system *S = model_system(M);
    const int n = lg_group_dim(S->group);
    double A[6 * SUITE_DIM], b[6], phi[6] = {0}, size = 1;
    lg_call c = system_call(S, 0);
    if (lg_model_initial(M, g, xi, NULL) != LG_OK) suite_fail("%s", lg_model_message(M));
    suite_input("g0", g, lg_group_element_size(S->group));
    suite_below("distance from the group", lg_group_residual(S->group, g), 4 * SUITE_EPS);
    for (int i = 0; i < n; i++) size = fmax(size, fabs(xi[i]));
    const int m = system_rows(S, 0, g, A, b);
    for (int a = 0; a < m; a++)
        suite_below("A xi - b at the start", fabs(mat_dot(A + a * n, xi, n) - b[a]), 16 * SUITE_EPS * size);
    if (S->callbacks.holonomic != NULL) assert_int_equal(S->callbacks.holonomic(&c, g, phi), 0);
    for (int a = 0; a < S->callbacks.holonomic_count; a++) suite_below("phi at the start", fabs(phi[a]), 4 * SUITE_EPS);
}

void model_derivatives(lg_model *M)
{
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    lg_rng rng = suite_rng(3);
    lg_error error;
    model_start(M, g, xi);
    if (lg_system_check(model_system(M), &rng, g, 20, 1e-6, &error) != LG_OK) suite_fail("%s", error.message);
}

static void values(lg_model *M, double t, const double *g, const double *xi, double *out)
{
    const lg_model_definition *d = lg_model_describe(M);
    const lg_system *S = model_system(M);
    const lg_call c = system_call(S, t);
    double p[SUITE_DIM];
    system_momentum(S, t, g, xi, p);
    for (int i = 0; i < d->invariant_count; i++) assert_int_equal(d->invariants[i].value(&c, g, p, &out[i]), 0);
}

void model_invariants(lg_model *M, double T, int steps, double bound, int undefined)
{
    const lg_model_definition *d = lg_model_describe(M);
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], first[SUITE_DIM], now[SUITE_DIM];
    int unknown = 0;
    model_start(M, g0, xi0);
    values(M, 0, g0, xi0, first);
    for (int i = 0; i < d->invariant_count; i++) unknown += isnan(first[i]) != 0;
    assert_int_equal(unknown, undefined);
    const int anew = model_system(M)->callbacks.time_dependent; /* the truth counts its time from 0 */
    double g[SUITE_ELEMENT], xi[SUITE_DIM];
    memcpy(g, g0, sizeof g);
    memcpy(xi, xi0, sizeof xi);
    for (int k = 1; k <= 3; k++) {
        const int parts = anew ? k : 1;
        if (anew) memcpy(g, g0, sizeof g), memcpy(xi, xi0, sizeof xi);
        system_truth(model_system(M), T * parts / 3, steps * parts / 3, g, xi);
        values(M, T * k / 3, g, xi, now);
        for (int i = 0; i < d->invariant_count; i++) {
            const double change = fabs(now[i] - first[i]);
            assert_int_equal(isnan(now[i]) != 0, isnan(first[i]) != 0);
            if (isnan(first[i])) continue;
            if (strstr(d->invariants[i].meaning, "not conserved"))
                suite_above(d->invariants[i].name, change, bound);
            else
                suite_below(d->invariants[i].name, change, bound);
        }
    }
}

/* Largest difference where `want` is known; quaternions have two signs. */
static double gap(const double *got, const double *want, int n, int either, int *known)
{
    double d = 0, e = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(want[i])) continue;
        ++*known;
        d = fmax(d, fabs(got[i] - want[i]));
        e = fmax(e, fabs(got[i] + want[i]));
    }
    return either ? fmin(d, e) : d;
}

int model_exact(const model_example *x, lg_model *M, double T, int steps, double bound)
{
    const lg_model_definition *d = lg_model_describe(M);
    const lg_system *S = model_system(M);
    double g[SUITE_ELEMENT], xi[SUITE_DIM], exact_g[SUITE_ELEMENT], exact_xi[SUITE_DIM], error = 0;
    int known = 0, at = 0;
    assert_int_equal(d->exact == NULL, x->exact < 0);
    if (x->exact < 0) return 0;
    model_start(M, g, xi);
    const int refused =
        d->exact(&(lg_call){.param = S->parameter_values, .t = T, .lanes = 1}, g, xi, exact_g, exact_xi) != 0;
    assert_int_equal(refused, x->exact == 0);
    if (refused) return 0;
    system_truth(S, T, steps, g, xi);
    for (int f = 0; f < lg_group_factor_count(S->group); f++) {
        const lg_group *F = lg_group_factor(S->group, f);
        error = fmax(error, gap(g + at, exact_g + at, lg_group_element_size(F), F->kind == LG_KIND_SO3, &known));
        at += lg_group_element_size(F);
    }
    suite_below("exact configuration", error, bound);
    suite_below("exact velocity", gap(xi, exact_xi, lg_group_dim(S->group), 0, &known), bound);
    return known;
}

void model_methods(const model_example *x, lg_model *M, int64_t steps)
{
    static const char *const methods[] = {"sem", "gni", "dla"};
    const lg_system *S = model_system(M);
    double g[SUITE_ELEMENT], xi[SUITE_DIM], A[6 * SUITE_DIM], b[6];
    model_start(M, g, xi);
    int works = S->callbacks.force != NULL || S->callbacks.time_dependent;
    for (int a = system_rows(S, 0, g, A, b) - 1; a >= 0; a--) works |= b[a] != 0; /* a drift */
    for (int k = 0; k < 3; k++) {
        model_run o = model_run_default();
        lg_run_result r = lg_run_result_default();
        o.motion.method = methods[k];
        o.motion.step = x->h;
        o.run.steps = steps;
        suite_case("%s by %s", x->system, methods[k]);
        if (model_run_whole(M, &r, &o) != LG_OK) suite_fail("%s", r.message);
        suite_below("constraints", r.constraint, 1e-13);
        if (S->callbacks.holonomic_count > 0) suite_below("positions", r.holonomic, 1e-14);
        if (k == 0) {
            const double scale = fmax(fmax(fabs(r.energy_low), fabs(r.energy_high)), 1);
            suite_below("balance of energy", r.balance, 1e-12 * scale);
            if (!works) suite_below("energy", r.energy_high - r.energy_low, 1e-12 * scale);
        }
        if (x->steady) continue;
        o.run.steps = 40;
        const double order = lg_run_observed_order(M, &o.motion, o.run.steps);
        if (!(order > 1.9 && order < 2.1)) suite_fail("the order is %g", order);
    }
}

void model_refused(const char *system, const char *parameter, double value, const char *word)
{
    const model_example x = {.system = system};
    const lg_system *S = NULL;
    lg_model *M = model_open(&x);
    lg_status status = lg_model_set(M, parameter, value);
    if (status == LG_OK) status = lg_model_system(M, &S);
    suite_status(parameter, status, LG_ERROR_ARGUMENT);
    suite_contains(parameter, lg_model_message(M), word);
    lg_model_destroy(M);
}
