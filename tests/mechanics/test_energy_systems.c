/* SPDX-License-Identifier: BSD-3-Clause */
/* The systems of tests/support/energy_systems.h themselves: their initial states are those of the reference files,
 * their derivatives are right at any time, and their continuous equations, written a second time in the tests,
 * reproduce the independently integrated truths; and H of every system. No integrator is involved. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/energy_systems.h"
#include "support/matrix.h"
#include "support/reference.h"

/* ---- initial states ---- */

static void same_start(const char *key, const char *name, const cJSON *state)
{
    test_system t;
    double p[SUITE_DIM], want[SUITE_DIM], H;
    energy_system_make(&t, name);
    suite_case("start of %s", key);
    assert_int_equal(ref_number(ref_get(state, "k")), 0);
    test_system_same_element("g_0", t.S.group, t.g0, ref_get(state, "g"), 1e-15);
    system_momentum(&t.S, 0, t.g0, t.xi0, p);
    ref_exactly(want, lg_group_dim(t.S.group), state, "p");
    suite_near("p_0", p, want, lg_group_dim(t.S.group), 1e-14, 1);
    suite_ok("energy", lg_system_energy(&t.S, &H, 0, t.g0, p, NULL));
    const double H0 = ref_number(ref_get(state, "H"));
    suite_near1("H_0", H, H0, 1e-14, fmax(1, fabs(H0)));
}

static void test_starts(void **state)
{
    (void)state;
    cJSON *root = ref_load("energy_momentum_states.json");
    for (const cJSON *item = ref_get(root, "systems")->child; item != NULL; item = item->next) {
        char name[64];
        snprintf(name, sizeof name, "%s", item->string);
        *strrchr(name, '_') = '\0';
        if (strchr(name, '_') != NULL) *strchr(name, '_') = '\0'; /* sphp_exp_a1 */
        same_start(item->string, name, cJSON_GetArrayItem(ref_get(item, "states"), 0));
    }
    cJSON_Delete(root);
    root = ref_load("methods_states.json");
    for (const cJSON *item = ref_get(root, "systems")->child; item != NULL; item = item->next)
        same_start(item->string, item->string, cJSON_GetArrayItem(ref_get(item->child, "states"), 0));
    cJSON_Delete(root);
}

/* The other starts are consistent: rows and holonomic constraints hold, the driver of the transmission
 * rotates.
 */
static void test_consistent(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        double A[6 * SUITE_DIM], b[6], phi[6] = {0};
        energy_system_make(&t, energy_system_name(i));
        suite_case("%s", t.name);
        lg_call c = system_call(&t.S, 0);
        int n = lg_group_dim(t.S.group), m = system_rows(&t.S, 0, t.g0, A, b);
        for (int a = 0; a < m; a++) suite_near1("row", mat_dot(A + a * n, t.xi0, n), b[a], 1e-15, 4);
        if (t.S.callbacks.holonomic_count > 0) assert_int_equal(t.S.callbacks.holonomic(&c, t.g0, phi), 0);
        for (int a = 0; a < t.S.callbacks.holonomic_count; a++) suite_near1("phi", phi[a], 0, 1e-15, 1);
    }
    test_system t;
    energy_system_make(&t, "cvt_non");
    suite_near1("driver", t.xi0[2] * t.xi0[2] / 2 + cos(t.g0[2]), 2.125, 1e-15, 1);
    energy_system_make(&t, "rattle-");
    double p[6], H;
    system_momentum(&t.S, 0, t.g0, t.xi0, p);
    suite_ok("energy", lg_system_energy(&t.S, &H, 0, t.g0, p, NULL));
    suite_near1("rattleback's energy", H, 0.0998430965, 5e-11, 1);
}

/* ---- derivatives ---- */

static void test_checked(void **state)
{
    (void)state;
    for (int i = 0; energy_system_name(i) != NULL; i++) {
        test_system t;
        lg_error error;
        lg_rng rng = suite_rng(32);
        energy_system_make(&t, energy_system_name(i));
        suite_case("lg_system_check of %s", t.name);
        suite_ok("validate", lg_system_validate(&t.S, NULL));
        if (lg_system_check(&t.S, &rng, t.g0, 5, 0, &error) != LG_OK) suite_fail("check: %s", error.message);
    }
}

/* ---- continuous equations ---- */

static void near_truth(const test_system *t, double T, int steps, const double *M, const double *xi, double tolerance)
{
    double g[SUITE_ELEMENT], v[SUITE_DIM], got[SUITE_MATRIX];
    int N = lg_group_matrix_size(t->S.group);
    memcpy(g, t->g0, sizeof g);
    memcpy(v, t->xi0, sizeof v);
    system_truth(&t->S, T, steps, g, v);
    suite_ok("to_matrix", lg_group_to_matrix(t->S.group, got, g));
    if (M != NULL) suite_near("g", got, M, N * N, tolerance, 1);
    suite_near("xi", v, xi, lg_group_dim(t->S.group), tolerance, 1);
}

static void test_group_truth(void **state)
{
    (void)state;
    cJSON *root = ref_load("group_truth.json");
    for (const cJSON *item = root->child; item != NULL; item = item->next) {
        if (!cJSON_IsObject(item)) continue;
        test_system t;
        double g[SUITE_ELEMENT], M[SUITE_MATRIX], xi[SUITE_DIM];
        test_system_make(&t, item->string);
        suite_case("truth of %s", t.name);
        const cJSON *at = ref_get(item, "t=1");
        test_system_element(t.S.group, g, ref_get(at, "g"));
        suite_ok("to_matrix", lg_group_to_matrix(t.S.group, M, g));
        ref_exactly(xi, lg_group_dim(t.S.group), at, "xi");
        near_truth(&t, 1, 400, M, xi, 1e-10);
    }
    cJSON_Delete(root);
}

/* The rolling disk in its three formulations, Suslov's problem and the particle in the bowl at t = 1 (0.5: the disk).
 */
static void test_rigid_truth(void **state)
{
    (void)state;
    static const char *const disks[] = {"disk", "diskH", "diskB"};
    test_system t;
    double w[3], v[6], xy[2];
    cJSON *root = ref_load("rigid_disk.json");
    const cJSON *at = cJSON_GetArrayItem(ref_get(root, "truth"), 1);
    ref_exactly(w, 3, at, "Omega");
    ref_exactly(xy, 2, at, "xy");
    for (int i = 0; i < 3; i++) {
        energy_system_make(&t, disks[i]);
        int n = lg_group_dim(t.S.group);
        double g[SUITE_ELEMENT], R[9], want[9];
        memcpy(g, t.g0, sizeof g);
        memcpy(v, t.xi0, sizeof v);
        suite_case("truth of %s", t.name);
        system_truth(&t.S, 0.5, 400, g, v);
        suite_near("Omega", v + n - 3, w, 3, 1e-9, 1);
        suite_near("xy", g, xy, 2, 1e-9, 1);
        suite_ok("to_matrix", lg_group_to_matrix(lg_so3(), R, g + n - 3));
        ref_exactly(want, 9, at, "R");
        suite_near("R", R, want, 9, 1e-9, 1);
    }
    cJSON_Delete(root);
    root = ref_load("rigid_suslov.json");
    energy_system_make(&t, "suslov");
    suite_case("truth of %s", t.name);
    ref_exactly(w, 3, cJSON_GetArrayItem(ref_get(root, "truth"), 1), "Omega");
    near_truth(&t, 1, 400, NULL, w, 1e-10);
    cJSON_Delete(root);
    root = ref_load("planar_particle_quad.json");
    energy_system_make(&t, "particle_quad");
    suite_case("truth of %s", t.name);
    assert_int_equal(ref_numbers(v, 3, cJSON_GetArrayItem(ref_get(ref_get(root, "truth"), "v"), 2)), 3);
    near_truth(&t, 1, 400, NULL, v, 1e-10);
    cJSON_Delete(root);
}

/* ---- H of all systems of the tests ---- */

/* H = 1/2 p.J^-1 p + V, by a solve of the test's own. */
static void test_energy(void **state)
{
    (void)state;
    for (int i = 0; i < TEST_SYSTEMS; i++) {
        test_system t;
        double J[36] = {0}, p[6], v[6], V = 0, H = NAN;
        lg_rng rng = suite_rng(32000 + (uint64_t)i);
        test_system_make(&t, test_system_names[i]);
        int n = lg_group_dim(t.S.group);
        suite_case("energy of %s", t.name);
        suite_normal(p, n, &rng);
        for (int j = 0; j < n; j++) J[j * n + j] = t.S.inertia_diagonal != NULL ? t.S.inertia_diagonal[j] : 0;
        if (t.S.inertia != NULL) memcpy(J, t.S.inertia, sizeof(double) * (size_t)(n * n));
        assert_true(mat_solve(v, J, p, n));
        const lg_call c = system_call(&t.S, 0);
        if (t.S.callbacks.potential != NULL) t.S.callbacks.potential(&c, t.g0, &V);
        suite_ok("energy", lg_system_energy(&t.S, &H, 0, t.g0, p, NULL));
        suite_near1("H", H, 0.5 * mat_dot(p, v, n) + V, 16 * SUITE_EPS, 1 + mat_dot(p, v, n));
        suite_status("no g", lg_system_energy(&t.S, &H, 0, NULL, p, NULL), LG_ERROR_ARGUMENT);
        suite_status("no p", lg_system_energy(&t.S, &H, 0, t.g0, NULL, NULL), LG_ERROR_ARGUMENT);
        suite_status("no H", lg_system_energy(&t.S, NULL, 0, t.g0, p, NULL), LG_ERROR_ARGUMENT);
        suite_status("no system", lg_system_energy(NULL, &H, 0, t.g0, p, NULL), LG_ERROR_ARGUMENT);
    }
}

int main(void)
{
    suite_begin("systems of the energy-momentum tests");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),      cmocka_unit_test(test_consistent), cmocka_unit_test(test_group_truth),
        cmocka_unit_test(test_rigid_truth), cmocka_unit_test(test_checked),    cmocka_unit_test(test_energy),
    };
    return cmocka_run_group_tests_name("energy_systems", tests, NULL, NULL);
}
