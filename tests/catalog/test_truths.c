/* SPDX-License-Identifier: BSD-3-Clause */
/* Systems of the catalog at later times, by their closed forms or the continuous equations, against values that
 * independent implementations computed in multiprecision. */
#include <math.h>
#include <string.h>

#include "support/energy_systems.h"
#include "support/models.h"
#include "support/reference.h"

typedef struct reference {
    const char *system;
    double t;
    int exact; /* 1: compare exact(), 0: compare the integration above */
    double g[SUITE_DIM],
        xi[SUITE_DIM]; /* NaN: not compared; rotations by their matrix's first row in place of the quaternion */
} reference;

static const reference truths[] = {
    {"particle", 2, 1, {2.518874246081882, -3, -9.8754845034029}, {1.6124515496597098, 1, -4.8373546489791295}},
    {"particle-quadratic",
     2,
     0,
     {-0.15564869234802367, 0.308071742363045, -0.9975697645494606},
     {-1.6418595201408195, -1.3454306385372659, -0.5058105230851353}},
    {"rigid-body",
     5,
     0,
     {-0.085866883545564608, -0.87860609652323888, 0.46976398910768955},
     {0.75852115336640373, -0.72478226081705842, -0.47418910281518346}},
    {"biinvariant-so3",
     2,
     0,
     {0.3239258883932014588641, -0.8719029598157242829667, -0.3672291484798758164006},
     {-0.1153497962455782207982, -0.0534941494717811861508, 0.2555060418968531168133}},
    {"suslov",
     5,
     0,
     {0.68699388181376720, 0.14595540541964493, -0.71185421680231612},
     {1.4005378548018648, 0.47147322181417750, 0}},
    {"chaplygin-sleigh",
     5,
     1,
     {-0.46663819768527767, -1.1372307930830890, 0.71655866563638, -0.69752683009431},
     {0.61747916551139396, 0, 0.98971610156230415}},
    {"rolling-ball",
     10,
     1,
     {-5.026115290428850415, 3.242102813889209158, NAN, NAN, NAN},
     {0.1031588744443163367, -1.410446116171540166, -3.615669174257310249, 3.345261688333525494, 0}},
    {"rolling-ball",
     2,
     0,
     {2.03515700061672045637, 3.551623453880893351766, 0.7273975013667217513516, -0.04775371096721100791545,
      -0.6845527431062635797269},
     {-0.02064938155235734070642, 1.414062800246688182548, 0.6210942003700322738219, 3.53097407232853601106, 0}},
};

static void check_truth(const reference *r)
{
    const model_example x = {.system = r->system};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const lg_group *last = lg_group_factor(S->group, lg_group_factor_count(S->group) - 1);
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], g[SUITE_ELEMENT], xi[SUITE_DIM], R[9];
    int at = lg_group_element_size(S->group), shown = at;
    const lg_call c = {.param = S->parameter_values, .t = r->t, .lanes = 1};
    model_start(M, g0, xi0);
    memcpy(g, g0, sizeof g);
    memcpy(xi, xi0, sizeof xi);
    if (r->exact)
        assert_int_equal(lg_model_describe(M)->exact(&c, g0, xi0, g, xi), 0);
    else
        system_truth(S, r->t, 4000, g, xi);
    if (last->kind == LG_KIND_SO3) {
        at -= 4;
        shown = at + 3;
        suite_ok("to_matrix", lg_group_to_matrix(last, R, g + at));
        memcpy(g + at, R, 3 * sizeof *R);
    }
    for (int i = 0; i < shown; i++)
        if (!isnan(r->g[i])) suite_near1("g", g[i], r->g[i], 1e-11, 1);
    suite_near("xi", xi, r->xi, lg_group_dim(S->group), 1e-11, 1);
    lg_model_destroy(M);
}

static void test_reference_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++) check_truth(&truths[k]);
}

/* The truth of planar_*.json, computed with 35 digits. */
static void check_planar_truth(const char *file, const char *system, int angles)
{
    cJSON *root = ref_load(file);
    const cJSON *truth = ref_get(root, "truth");
    const model_example x = {.system = system};
    lg_model *M = model_open(&x);
    double g0[SUITE_ELEMENT], xi0[SUITE_DIM], q[5], v[5], got_q[5], got_v[5];
    const lg_system *S = model_system(M);
    const int n = lg_group_dim(S->group);
    model_start(M, g0, xi0);
    ref_exactly(q, n, root, "q0");
    ref_exactly(v, n, root, "v0");
    suite_near("q0", g0, q, n, SUITE_EPS, 1);
    suite_near("v0", xi0, v, n, 2 * SUITE_EPS, 2);
    int count = cJSON_GetArraySize(ref_get(truth, "t"));
    assert_true(count > 3);
    for (int i = 0; i < count; i++) {
        const double t = ref_number(cJSON_GetArrayItem(ref_get(truth, "t"), i));
        assert_int_equal(ref_numbers(q, n, cJSON_GetArrayItem(ref_get(truth, "q"), i)), n);
        assert_int_equal(ref_numbers(v, n, cJSON_GetArrayItem(ref_get(truth, "v"), i)), n);
        assert_int_equal(lg_model_describe(M)->exact(&(lg_call){.param = S->parameter_values, .t = t, .lanes = 1}, g0,
                                                     xi0, got_q, got_v),
                         0);
        for (int j = 2; j < 2 + angles; j++) q[j] = remainder(q[j], 2 * SUITE_PI);
        suite_near("q", got_q, q, n, 1e-13, 10);
        suite_near("v", got_v, v, n, 1e-13, 10);
    }
    lg_model_destroy(M);
    cJSON_Delete(root);
}

static void test_planar_truth(void **state)
{
    (void)state;
    check_planar_truth("planar_snakeboard.json", "snakeboard-planar", 3);
    check_planar_truth("planar_sleigh.json", "chaplygin-sleigh-planar", 1);
}

/* Attitude and velocity at t = 1 and 5, and 100 steps of the variational method (no rows: the GNI). The file's error is
 * below 6e-16, that of the integration here below 1e-10. */
static void test_top_reference(void **state)
{
    const model_example x = {.system = "heavy-top"};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    cJSON *file = ref_load("rigid_so3_rigid_body.json");
    const cJSON *top = ref_get(file, "heavy_top"), *node;
    double g[4], w[3], R[9], want[9], H, p[3];
    (void)state;
    cJSON_ArrayForEach(node, ref_get(top, "truth"))
    {
        const double t = ref_number(ref_get(node, "t"));
        model_start(M, g, w);
        if (t > 0) system_truth(S, t, (int)(2000 * t), g, w);
        suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g));
        ref_exactly(want, 9, node, "R");
        suite_near("R", R, want, 9, 1e-9, 1);
        ref_exactly(want, 3, node, "Omega");
        suite_near("Omega", w, want, 3, 1e-9, 1);
    }
    model_start(M, g, w);
    system_momentum(S, 0, g, w, p);
    suite_ok("energy", lg_system_energy(S, &H, 0, g, p, NULL));
    suite_near1("energy", H, ref_number(ref_get(top, "energy")), 1e-13, 30);
    cJSON_Delete(file);
    lg_model_destroy(M);
}

/* Positions, attitude, velocity and the linear integrals at t = 0.5, 1, 2, 5: the file's error is below 2e-14, that of
 * the integration here below 1e-10. */
static void check_disk(const char *system)
{
    const model_example x = {.system = system};
    lg_model *M = model_open(&x);
    const lg_system *S = model_system(M);
    const lg_call c = system_call(S, 0);
    cJSON *file = ref_load("rigid_disk.json");
    const cJSON *truth = ref_get(file, "truth"), *node;
    const cJSON *integrals = ref_get(ref_get(file, "linear_integrals"), "values");
    int k = 0;
    cJSON_ArrayForEach(node, truth)
    {
        const double t = ref_number(ref_get(node, "t"));
        double g[7], xi[6], p[6], R[9], want[9], C[2];
        model_start(M, g, xi);
        if (t > 0) system_truth(S, t, (int)(2000 * t), g, xi);
        suite_ok("matrix", lg_group_to_matrix(lg_so3(), R, g + 3));
        ref_exactly(want, 2, node, "xy");
        suite_near("xy", g, want, 2, 1e-9, 1);
        ref_exactly(want, 9, node, "R");
        suite_near("R", R, want, 9, 1e-9, 1);
        ref_exactly(want, 3, node, "Omega");
        suite_near("Omega", xi + 3, want, 3, 1e-9, 1);
        suite_near1("z", g[2], ref_number(ref_get(node, "z")), 1e-9, 1);
        system_momentum(S, t, g, xi, p);
        for (int i = 0; i < 2; i++) {
            const cJSON *values = cJSON_GetArrayItem(integrals, k);
            assert_int_equal(lg_model_describe(M)->invariants[i].value(&c, g, p, &C[i]), 0);
            suite_near1("C", C[i], ref_number(ref_get(values, i == 0 ? "C1" : "C2")), t > 0 ? 1e-9 : 2e-14, 1);
        }
        k++;
    }
    assert_int_equal(k, 5);
    cJSON_Delete(file);
    lg_model_destroy(M);
}

static void test_disk_reference(void **state)
{
    (void)state;
    check_disk("rolling-disk");
    check_disk("rolling-disk-exact");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_values),
        cmocka_unit_test(test_planar_truth),
        cmocka_unit_test(test_top_reference),
        cmocka_unit_test(test_disk_reference),
    };
    suite_begin("catalog: truths");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
