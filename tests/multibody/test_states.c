/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse step against reference states of an independent implementation (multibody_states.json): poses and momenta
 * after 1, 2 and 10 steps, with constraints eliminated in the order of the lists. */
#include <math.h>
#include <string.h>

#include "support/matrix.h"
#include "support/mechanisms.h"

static void check_state(const lg_motion *mo, const cJSON *item, const cJSON *state)
{
    const cJSON *from;
    double g[7 * 16], p[6 * 16];
    int b = 0;
    (void)ref_numbers(g, 7 * 16, ref_get(state, "g"));
    (void)ref_numbers(p, 6 * 16, ref_get(state, "p"));
    cJSON_ArrayForEach(from, ref_get(item, "bodies"))
    {
        double pose[7], twist[6], w[3], I[9], momentum[6];
        const double mass = ref_number(ref_get(from, "mass"));
        suite_ok("pose", lg_motion_body_pose(mo, pose, b));
        suite_ok("twist", lg_motion_body_twist(mo, twist, b));
        suite_near("pose", pose, g + 7 * b, 7, 1e-13, 1);
        lg_so3_act_inverse(w, pose + 3, twist + 3);
        ref_exactly(I, 9, from, "inertia");
        mat_apply(momentum + 3, I, w, 3, 3);
        for (int k = 0; k < 3; k++) momentum[k] = mass * twist[k];
        suite_near("momentum", momentum, p + 6 * b, 6, 1e-12, fmax(1, mat_norm(p, 6)));
        b++;
    }
}

static void states(void **unused)
{
    static const char *const names[] = {"double_pendulum_chol", "spherical_chain5_chol", "fourbar_chol",
                                        "bicycle_chol"};
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    for (int i = 0; i < 4; i++) {
        suite_case("%s", names[i]);
        const cJSON *item = ref_get(all, names[i]), *state;
        lg_mechanism *m = mechanism_of(item);
        lg_motion *mo = motion_of(m, item, "sem");
        int k = 0;
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            const int to = (int)ref_number(ref_get(state, "k"));
            motion_well(lg_motion_step(mo, to - k), mo);
            k = to;
            check_state(mo, item, state);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    cJSON_Delete(all);
}

/* A four-bar has 20 rows of rank 17, and says which ones depend on others. */
static void redundant_rows(void **unused)
{
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    lg_mechanism *m = mechanism_of(ref_get(all, "fourbar_chol"));
    assert_int_equal(lg_mechanism_row_count(m), 20);
    assert_int_equal(lg_mechanism_rank(m), 17);
    assert_int_equal(lg_mechanism_freedoms(m), 1);
    suite_contains("redundant", lg_mechanism_redundant(m, 0), "joint 'j3': rows 3, 4 and 5 depend on");
    assert_null(lg_mechanism_redundant(m, 1));
    lg_mechanism_destroy(m);
    cJSON_Delete(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),

        cmocka_unit_test(redundant_rows),
    };
    suite_begin("multibody/states");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
