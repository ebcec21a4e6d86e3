/* SPDX-License-Identifier: BSD-3-Clause */
/* DLA in the plane (docs/theory.md section 7) against the independent implementation: states and multipliers of
 * planar_*.json, the discrete sleigh's momentum map [P3], the discrete constraint, reversibility, the discrete momentum
 * equation, dependence on the frame, the energies of the papers' figures. On groups: test_dla_groups.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/runs.h"

/* ---- states ---- */

/* The library's names of the reference's discretisations. */
static const struct {
    const char *key, *method;
} discretisations[] = {{"dla_mid", "dla:midpoint"},    {"dla_mid", "dla"},
                       {"dla_mid", "dla:alpha=0.5"},   {"dla_mid", "dla:symmetric-alpha=0.5"},
                       {"dla_sym0", "dla:trapezoidal"}, {"dla_sym0", "dla:symmetric-alpha=0"},
                       {"dla_sym0", "dla:symmetric-alpha=1"},
                       {"dla_a0", "dla:alpha=0"},      {"dla_midleft", "dla:midleft"}};

enum { DISCRETISATIONS = sizeof discretisations / sizeof discretisations[0] };

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
    if (!planar[i].potential) t->S.potential = NULL, t->S.potential_gradient = NULL;
    const int n = lg_dim(t->S.group);
    ref_exactly(t->g0, n, root, "q0");
    ref_exactly(t->xi0, n, root, "v0");
    t->h = ref_number(ref_get(root, "h"));
}

static void near_vector(const char *what, const double *got, const cJSON *node, const char *key, int n,
                        double tolerance)
{
    double want[SUITE_DIM], scale = 1;
    ref_exactly(want, n, node, key);
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(want[i]));
    suite_near(what, got, want, n, tolerance, scale);
}

/* H(q, p) with the metric at q, by the test's own arithmetic. */
static double energy_of(const test_system *t, double time, const double *q, const double *p)
{
    const int n = lg_dim(t->S.group);
    double J[SUITE_MATRIX], v[SUITE_DIM], V = 0;
    const lg_call c = system_call(&t->S, time);
    system_metric(&t->S, time, q, J);
    assert_true(mat_solve(v, J, p, n));
    if (t->S.potential != NULL) assert_int_equal(t->S.potential(&c, q, &V), 0);
    return mat_dot(v, p, n) / 2 + V;
}

/* q_k, p+_k = D_2 L_d(q_{k-1}, q_k) and, one step later, the multiplier at q_k, an impulse of the opposite sign. */
static void states(const test_system *t, const cJSON *run, const char *method)
{
    const int n = lg_dim(t->S.group);
    const cJSON *state;
    char label[80];
    lg_integrator *it = run_start(t, method, "exp", t->h);
    cJSON_ArrayForEach(state, ref_get(run, "states"))
    {
        const int k = atoi(state->string);
        const double tolerance = 1e-14 * (10 + k);
        snprintf(label, sizeof label, "%s, %s, step %d", t->name, method, k);
        suite_case("%s", label);
        run_steps(it, k - lg_step_index(it));
        near_vector("q", lg_configuration(it), state, "q", n, tolerance);
        near_vector("p+", lg_momentum_plus(it), state, "p_plus", n, tolerance);
        suite_near1("H(p+)", energy_of(t, lg_time(it), lg_configuration(it), lg_momentum_plus(it)),
                    ref_number(ref_get(state, "H_plus")), tolerance, 14);
        lg_integrator *next = NULL;
        double impulse[2];
        suite_ok("clone", lg_integrator_clone(&next, it));
        run_steps(next, 1);
        for (int a = 0; a < t->S.constraints; a++) impulse[a] = -t->h * lg_multipliers(next)[a];
        near_vector("impulse", impulse, state, "lam", t->S.constraints, tolerance);
        run_end(&next);
    }
    run_end(&it);
}

static void test_states(void **state)
{
    (void)state;
    int count = 0;
    for (int i = 0; i < PLANAR; i++) {
        cJSON *root = ref_load(planar[i].file);
        test_system t;
        planar_make(&t, i, root);
        for (int k = 0; k < DISCRETISATIONS; k++) {
            const cJSON *run = cJSON_GetObjectItemCaseSensitive(ref_get(root, "methods"), discretisations[k].key);
            if (run == NULL) continue;
            states(&t, run, discretisations[k].method);
            count++;
        }
        cJSON_Delete(root);
    }
    assert_int_equal(count, 4 * 8 + 2);
}

int main(void)
{
    suite_begin("DLA in the plane");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
    };
    return cmocka_run_group_tests_name("dla", tests, NULL, NULL);
}
