/* SPDX-License-Identifier: BSD-3-Clause */
/* Retractions against the reference implementation: retractions.json (SO(3), SE(2), SE(3)) and quadratic_groups.json
 * (SO(4), SO(2,1), Sp(2)). Tolerances: docs/theory.md section 2, 5e-15 of the largest entry, relaxed
 * where dexp^-1 grows near 2 pi like 1/(2 pi - |w|). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/matrix.h"
#include "support/reference.h"
#include "support/suite.h"

typedef struct place {
    const char *prefix;
    const lg_group *G;
} place;

static double largest(const double *x, int n)
{
    double m = 1;
    for (int i = 0; i < n; i++) m = fmax(m, fabs(x[i]));
    return m;
}

static void check_tangents(const lg_retraction *r, const lg_group *G, const cJSON *item, const double *xi,
                           double tolerance)
{
    int n = lg_group_dim(G);
    double want[36], got[36], g[16];
    ref_exactly(want, n * n, item, "dtau");
    suite_ok("dtau", lg_retraction_dtau(r, G, got, xi));
    suite_near("dtau", got, want, n * n, 5e-15, largest(want, n * n));
    ref_exactly(want, n * n, item, "dtau_inv");
    suite_ok("dtau_inv", lg_retraction_dtau_inv(r, G, got, xi));
    suite_near("dtau_inv", got, want, n * n, tolerance, largest(want, n * n));
    ref_exactly(want, n * n, item, "Ad_tau");
    suite_ok("tau", lg_retraction_tau(r, G, g, xi));
    suite_ok("Ad", lg_group_Ad(G, got, g));
    suite_near("Ad_tau", got, want, n * n, 5e-15, largest(want, n * n));
}

static void check_round_trip(const lg_retraction *r, const lg_group *G, const double *xi, const char *label)
{
    int n = lg_group_dim(G);
    double g[16], back[6];
    suite_ok("tau", lg_retraction_tau(r, G, g, xi));
    suite_ok("tau_inv", lg_retraction_tau_inv(r, G, back, g));
    int at = n == 6 ? 3 : 0; /* at pi the sign of the axis is free */
    if (strcmp(label, "pi") == 0 && r == lg_retraction_exp() && mat_dot(back + at, xi + at, n - at) < 0) {
        for (int i = at; i < n; i++) back[i] = -back[i];
        n = G == lg_so3() ? 3 : 0;
    }
    suite_near("tau^-1(tau(xi))", back, xi, n, 2e-14, largest(xi, n));
}

static void test_classical(void **state)
{
    (void)state;
    cJSON *root = ref_load("retractions.json");
    const place places[] = {{"SO3", lg_so3()}, {"SE2", lg_se2()}, {"SE3", lg_se3()}};
    for (int k = 0; k < 6; k++) {
        const lg_group *G = places[k / 2].G;
        const lg_retraction *r = k % 2 ? lg_retraction_cayley() : lg_retraction_exp();
        int n = lg_group_dim(G), N = lg_group_matrix_size(G);
        char key[16];
        snprintf(key, sizeof key, "%s_%s", places[k / 2].prefix, k % 2 ? "cay" : "exp");
        const cJSON *item;
        cJSON_ArrayForEach(item, ref_get(root, key))
        {
            const char *label = ref_get(item, "label")->valuestring;
            double xi[6], want[16], got[16], g[7];
            ref_exactly(xi, n, item, "xi_hex");
            suite_case("%s at %s", key, label);
            suite_input("xi", xi, n);
            ref_exactly(want, N * N, item, "tau");
            suite_ok("tau", lg_retraction_tau(r, G, g, xi));
            suite_ok("to_matrix", lg_group_to_matrix(G, got, g));
            suite_near("tau", got, want, N * N, 5e-15, largest(want, N * N));
            double gap = fabs(2 * SUITE_PI - mat_norm(xi + (n == 3 && G == lg_so3() ? 0
                                                            : n == 3                ? 2
                                                                                    : 3),
                                                      n == 3 && G != lg_so3() ? 1 : 3));
            check_tangents(r, G, item, xi, k % 2 == 0 && gap < 1e-2 ? 4e-15 / gap : 5e-15);
            if (cJSON_IsTrue(ref_get(item, "principal"))) check_round_trip(r, G, xi, label);
        }
    }
    cJSON_Delete(root);
}

static void test_quadratic(void **state)
{
    (void)state;
    cJSON *root = ref_load("quadratic_groups.json");
    lg_group *so4 = NULL, *so21 = NULL, *sp2 = NULL;
    suite_ok("SO(4)", lg_group_create_so(&so4, 4));
    suite_ok("SO(2,1)", lg_group_create_so_pq(&so21, 2, 1));
    suite_ok("Sp(2)", lg_group_create_sp(&sp2, 1));
    const place places[] = {{"SO4", so4}, {"SO21", so21}, {"Sp2", sp2}};
    for (int k = 0; k < 6; k++) {
        const lg_group *G = places[k / 2].G;
        const lg_retraction *r = k % 2 ? lg_retraction_cayley() : lg_retraction_exp();
        int n = lg_group_dim(G), N = lg_group_matrix_size(G);
        double xi[6], want[36], got[36], g[16];
        char key[16];
        snprintf(key, sizeof key, "%s_%s", places[k / 2].prefix, k % 2 ? "cay" : "exp");
        const cJSON *item = ref_get(root, key);
        suite_case("%s", key);
        ref_exactly(xi, n, item, "xi");
        ref_exactly(want, N * N, item, "tau");
        suite_ok("tau", lg_retraction_tau(r, G, g, xi));
        suite_ok("to_matrix", lg_group_to_matrix(G, got, g));
        suite_near("tau", got, want, N * N, 5e-15, largest(want, N * N));
        ref_exactly(want, n * n, item, "ad");
        suite_ok("ad", lg_group_ad(G, got, xi));
        suite_near("ad", got, want, n * n, 4 * SUITE_EPS, 1);
        check_tangents(r, G, item, xi, 5e-15);
        check_round_trip(r, G, xi, "generic");
    }
    lg_group_destroy(so4);
    lg_group_destroy(so21);
    lg_group_destroy(sp2);
    cJSON_Delete(root);
}

int main(void)
{
    suite_begin("retractions against the reference");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classical), cmocka_unit_test(test_quadratic)};
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
