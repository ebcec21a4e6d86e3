/* SPDX-License-Identifier: BSD-3-Clause */
/* DLA and the GNI in the plane against an independent implementation (planar_*.json), a metric J(g) and the discrete
 * Lagrangian of a user among them: states, momenta, energies, multipliers. Groups: test_dla_groups.c, test_reference.c;
 * what the methods keep: claims/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

/* The library's names of the reference's methods. */
static const struct {
    const char *key, *method;
} methods[] = {{"dla_mid", "dla:midpoint"},
               {"dla_mid", "dla"},
               {"dla_mid", "dla:alpha=0.5"},
               {"dla_mid", "dla:symmetric-alpha=0.5"},
               {"dla_sym0", "dla:trapezoidal"},
               {"dla_sym0", "dla:symmetric-alpha=0"},
               {"dla_sym0", "dla:symmetric-alpha=1"},
               {"dla_a0", "dla:alpha=0"},
               {"dla_midleft", "dla:midleft"},
               {"gni_mid", "gni:midpoint"},
               {"gni_sym0", "gni"},
               {"gni_a0", "gni:euler-a"},
               {"gni_mid", "gni:user"}};

enum { METHODS = sizeof methods / sizeof methods[0] };

static const struct {
    const char *file, *name;
    int potential;
} planar[] = {{"planar_particle_free.json", "particle_quad", 0},
              {"planar_particle_quad.json", "particle_quad", 1},
              {"planar_snakeboard.json", "snakeboard", 0},
              {"planar_sleigh.json", "sleighM", 0}};

enum { PLANAR = sizeof planar / sizeof planar[0] };

/* The system with the file's initial data. */
static void planar_make(test_system *t, int i, const cJSON *root)
{
    energy_system_make(t, planar[i].name);
    if (!planar[i].potential) t->S.callbacks.potential = NULL, t->S.callbacks.potential_gradient = NULL;
    const int n = lg_group_dim(t->S.group);
    ref_exactly(t->g0, n, root, "q0");
    ref_exactly(t->xi0, n, root, "v0");
    t->h = ref_number(ref_get(root, "h"));
}

/* Of a key that the state has. */
static void near_if_any(const char *what, const double *got, const cJSON *node, const char *key, int n,
                        double tolerance)
{
    if (cJSON_GetObjectItemCaseSensitive(node, key) != NULL) ref_near(what, got, node, key, n, tolerance);
}

/* q_k, p+_k = D_2 L_d(q_{k-1}, q_k) and, one step later, the multiplier of DLA at q_k, an impulse of the opposite sign.
 */
static void check_state(const test_system *t, const lg_integrator *it, const cJSON *state, double tolerance)
{
    const int n = lg_group_dim(t->S.group);
    const double *q = lg_integrator_configuration(it), *plus = lg_integrator_momentum_plus(it);
    double H = NAN, impulse[2];
    suite_ok("energy", lg_system_energy(&t->S, &H, lg_integrator_time(it), q, plus, NULL));
    near_if_any("q", q, state, "q", n, tolerance);
    near_if_any("p+", plus, state, "p_plus", n, tolerance);
    near_if_any("p-", lg_integrator_momentum_minus(it), state, "p_minus", n, tolerance);
    near_if_any("p~", lg_integrator_momentum(it), state, "p_avg", n, tolerance);
    suite_near1("H(p+)", H, ref_number(ref_get(state, "H_plus")), tolerance, 14);
    if (cJSON_GetObjectItemCaseSensitive(state, "H_minus") != NULL)
        suite_near1("H(p-)", lg_integrator_energy_post(it), ref_number(ref_get(state, "H_minus")), tolerance, 14);
    if (cJSON_GetObjectItemCaseSensitive(state, "lam") == NULL) return;
    lg_integrator *next = NULL;
    suite_ok("clone", lg_integrator_clone(&next, it));
    run_steps(next, 1);
    for (int a = 0; a < t->S.constraint_count; a++) impulse[a] = -t->h * lg_integrator_multipliers(next)[a];
    near_if_any("impulse", impulse, state, "lam", t->S.constraint_count, tolerance);
    run_end(&next);
}

/* Up to step 100: then the sleigh's parasitic mode has grown by e^5 (docs/theory.md section 5), and all rounding. */
static void states(const test_system *t, const lg_system *S, const cJSON *run, const char *method, double unit)
{
    const int gni = strncmp(method, "gni", 3) == 0, bends = S->callbacks.metric != NULL;
    const cJSON *state;
    double p[SUITE_DIM];
    lg_integrator *it = run_start_at(S, method, "exp", t->h, 0, t->g0, t->xi0);
    if (gni) {
        if (bends)
            near_if_any("p-_0 of the start", lg_integrator_momentum_minus(it), run, "p_minus_0", lg_group_dim(S->group),
                        1e-9);
        ref_exactly(p, lg_group_dim(S->group), run, "p_minus_0");
        suite_ok("start", lg_integrator_start_momentum(it, 0, t->g0, p));
    }
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        const int k = atoi(state->string);
        if (gni && k > 100) continue;
        suite_case("%s, %s, gradient %d, step %d", t->name, method, S->callbacks.metric_gradient != NULL, k);
        run_steps(it, k - lg_integrator_step_index(it));
        check_state(t, it, state, unit * (gni && bends ? 3 * (1 + k) : 10 + k));
        if (gni) suite_below("constraint", lg_integrator_constraint_residual(it), 1e-14);
    }
    run_end(&it);
}

/* L_d = h L((q0 + q1)/2, (q1 - q0)/h) by the system's own callbacks; its context is the system. */
static int slope(const lg_call *c, double h, const double *q0, const double *q1, double *out, double sign)
{
    const lg_system *S = c->context;
    const int n = lg_group_dim(S->group);
    double q[SUITE_DIM], v[SUITE_DIM], p[SUITE_DIM], dT[SUITE_DIM] = {0}, dV[SUITE_DIM] = {0};
    for (int i = 0; i < n; i++) q[i] = (q0[i] + q1[i]) / 2, v[i] = (q1[i] - q0[i]) / h;
    system_momentum(S, 0, q, v, p);
    if (S->callbacks.metric_gradient != NULL) S->callbacks.metric_gradient(c, q, v, dT);
    if (S->callbacks.potential_gradient != NULL) S->callbacks.potential_gradient(c, q, dV);
    for (int i = 0; i < n; i++) out[i] = sign * p[i] + h / 2 * (dT[i] - dV[i]);
    return 0;
}

static int slope_1(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return slope(c, h, q0, q1, out, -1);
}

static int slope_2(const lg_call *c, double h, const double *q0, const double *q1, double *out)
{
    return slope(c, h, q0, q1, out, 1);
}

static void test_states(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < PLANAR; i++) {
        cJSON *root = ref_load(planar[i].file);
        test_system t;
        planar_make(&t, i, root);
        for (int k = 0; k < METHODS; k++) {
            const cJSON *run = cJSON_GetObjectItemCaseSensitive(ref_get(root, "methods"), methods[k].key);
            lg_system S = t.S;
            if (run == NULL) continue;
            S.context = &t.S;
            S.callbacks.discrete_slope_1 = slope_1, S.callbacks.discrete_slope_2 = slope_2;
            states(&t, strstr(methods[k].method, "user") ? &S : &t.S, run, methods[k].method, 1e-14);
            count++;
            if (t.S.callbacks.metric_gradient == NULL || strncmp(methods[k].method, "gni", 3) != 0 || k == METHODS - 1)
                continue;
            S = t.S;
            S.callbacks.metric_gradient = NULL;
            states(&t, &S, run, methods[k].method, 1e-12); /* differences are good to 1e-12 a step */
        }
        cJSON_Delete(root);
    }
    assert_int_equal(count, 4 * 8 + 2 + 4 * 2 + 2 * 2);
}

int main(void)
{
    suite_begin("planar systems against the reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_states)};
    return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
