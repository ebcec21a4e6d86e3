/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamics for controllers against MuJoCo (tests/data/multibody_mujoco.json, written by mujoco_states.mjs): an arm with
 * skew axes, a tree with slides and a universal joint, a trunk on two legs that floats; rotors, springs, dampers. */
#include <math.h>

#include "support/dynamic_states.h"
#include "support/mechanisms.h"

enum { MOST = 12 };

/* To 1e-12 of the largest entry. */
static void near(const char *what, const double *got, const cJSON *state, const char *key, int count)
{
    double right[MOST * MOST], largest = 0;
    ref_exactly(right, count, state, key);
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(right[i]));
    suite_above("it is not zero", largest, 0);
    suite_near(what, got, right, count, 1e-12, largest);
}

static void check_state(lg_dynamics *d, const cJSON *state, int body, const double *point)
{
    const int n = lg_dynamics_count(d);
    double q[MOST], v[MOST], a[MOST], M[MOST * MOST], c[MOST], passive[MOST], J[6 * MOST], bend[6];
    ref_exactly(q, n, state, "q"), ref_exactly(v, n, state, "v"), ref_exactly(a, n, state, "a");
    dynamics_well(lg_dynamics_set(d, q, v), d);
    dynamics_well(lg_dynamics_mass_matrix(d, M), d);
    near("mass matrix", M, state, "mass_matrix", n * n);
    dynamics_well(lg_dynamics_bias(d, c), d);
    dynamics_well(lg_dynamics_passive(d, passive), d);
    for (int i = 0; i < n; i++) c[i] += passive[i]; /* MuJoCo's has neither springs nor dampers */
    near("bias", c, state, "bias", n);
    dynamics_well(lg_dynamics_inverse(d, c, a), d);
    near("inverse dynamics", c, state, "inverse", n);
    dynamics_well(lg_dynamics_jacobian(d, J, body, point), d);
    near("Jacobian", J, state, "jacobian", 6 * n);
    dynamics_well(lg_dynamics_jacobian_rate(d, J, body, point), d);
    for (int i = 0; i < 6; i++) bend[i] = dynamic_dot(J + i * n, v, n);
    near("rate of the Jacobian", bend, state, "jacobian_rate_v", 6);
}

static void mujoco(void **unused)
{
    const cJSON *item, *state;
    int states = 0;
    (void)unused;
    cJSON *all = ref_load("multibody_mujoco.json");
    cJSON_ArrayForEach(item, ref_get(all, "items"))
    {
        double point[3];
        lg_dynamics *d;
        lg_mechanism *m = mechanism_of_text(ref_get(item, "mjcf")->valuestring, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("dynamics", lg_dynamics_create(&d, m));
        assert_in_range(lg_dynamics_count(d), 1, MOST);
        ref_exactly(point, 3, item, "point");
        const int body = lg_mechanism_body(m, ref_get(item, "tool")->valuestring);
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            suite_case("%s, state %d", ref_get(item, "name")->valuestring, states++);
            check_state(d, state, body, point);
        }
        lg_dynamics_destroy(d);
        lg_mechanism_destroy(m);
    }
    assert_int_equal(states, 9);
    cJSON_Delete(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mujoco)};
    suite_begin("multibody/dynamics_peers");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
