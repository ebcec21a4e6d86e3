/* SPDX-License-Identifier: BSD-3-Clause */
/* A mechanism as an lg_system: its derivatives, its states, and that the dense `sem:cholesky` makes the steps of the
 * sparse one, which it shares no solver with. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/integrators/integrator.h>
#include <liegrp/multibody/system.h>

#include "support/matrix.h"
#include "support/mechanisms.h"

enum { MOST = 8 };

static const lg_system *system_of(lg_mechanism *m)
{
    const lg_system *S;
    mechanism_well(lg_mechanism_system(m, &S), m);
    return S;
}

static void integrator_well(lg_status st, const lg_integrator *it)
{
    if (st != LG_OK) suite_fail("%s: %s", lg_status_name(st), lg_integrator_message(it));
}

/* The integrator of a mechanism's system, from the state of its motion. */
static lg_integrator *dense_of(lg_mechanism *m, const lg_motion *mo, const char *method, double h)
{
    double g[7 * MOST], p[6 * MOST];
    lg_integrator *it;
    integrator_well(lg_integrator_create(&it, system_of(m), method, "cayley", h), it);
    suite_ok("state", lg_motion_state(mo, g, p));
    integrator_well(lg_integrator_start_momentum(it, 0, g, p), it);
    return it;
}

/* Both after some steps; quaternions of both have the sign that steps give them. */
static void compare(const lg_motion *mo, const lg_integrator *it, int bodies, double tolerance)
{
    double g[7 * MOST], p[6 * MOST];
    suite_ok("state", lg_motion_state(mo, g, p));
    suite_near("configuration", lg_integrator_configuration(it), g, 7 * bodies, tolerance, 1);
    suite_near("momentum", lg_integrator_momentum(it), p, 6 * bodies, tolerance, fmax(1, mat_norm(p, 6 * bodies)));
}

static void both_steps(lg_mechanism *m, lg_motion *mo, double h, int steps, double tolerance)
{
    lg_integrator *it = dense_of(m, mo, "sem:cholesky", h);
    const double H = lg_motion_energy(mo);
    suite_near1("energy at the start", lg_integrator_energy(it), H, 1e-13, fmax(1, fabs(H)));
    for (int i = 0; i < steps; i++) {
        const double before = lg_integrator_energy(it);
        integrator_well(lg_integrator_step(it), it);
        motion_well(lg_motion_step(mo, 1), mo);
        suite_near1("balance", lg_integrator_energy(it) - before, lg_integrator_step_work(it), 1e-11,
                    fmax(1, fabs(before)));
    }
    compare(mo, it, lg_mechanism_body_count(m), tolerance);
    lg_integrator_destroy(it);
}

static void reference_states(void **unused)
{
    static const char *const names[] = {"double_pendulum_chol", "spherical_chain5_chol", "fourbar_chol",
                                        "bicycle_chol"};
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    for (int i = 0; i < 4; i++) {
        suite_case("%s", names[i]);
        const cJSON *item = ref_get(all, names[i]);
        lg_mechanism *m = mechanism_of(item);
        lg_motion *mo = motion_of(m, item, "sem");
        both_steps(m, mo, ref_number(ref_get(item, "h")), 10, 1e-12);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    cJSON_Delete(all);
}

/* The polar gauge against references of its own. The four-bar's have all 20 rows by least norm. */
static void polar_states(void **unused)
{
    static const struct {
        const char *name;
        double tolerance;
    } items[] = {{"double_pendulum_polar", 1e-12}, {"spherical_chain5_polar", 1e-12}, {"fourbar_polar", 1e-8}};
    (void)unused;
    cJSON *all = ref_load("multibody_states.json");
    for (int i = 0; i < 3; i++) {
        suite_case("%s", items[i].name);
        const cJSON *item = ref_get(all, items[i].name), *state;
        lg_mechanism *m = mechanism_of(item);
        lg_motion *mo = motion_of(m, item, "sem");
        lg_integrator *it = dense_of(m, mo, "sem", ref_number(ref_get(item, "h")));
        const int bodies = lg_mechanism_body_count(m);
        int k = 0;
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            double g[7 * MOST], p[6 * MOST];
            for (; k < (int)ref_number(ref_get(state, "k")); k++) integrator_well(lg_integrator_step(it), it);
            ref_exactly(g, 7 * bodies, state, "g");
            ref_exactly(p, 6 * bodies, state, "p");
            suite_near("g", lg_integrator_configuration(it), g, 7 * bodies, items[i].tolerance, 1);
            suite_near("p", lg_integrator_momentum(it), p, 6 * bodies, items[i].tolerance,
                       fmax(1, mat_norm(p, 6 * bodies)));
        }
        lg_integrator_destroy(it);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    cJSON_Delete(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_states),
        cmocka_unit_test(polar_states),
    };
    suite_begin("multibody/system");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
