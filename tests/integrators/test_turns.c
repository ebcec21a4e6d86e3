/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that turn by more than 2^20 rad: whatever the group, the method and the retraction, no step succeeds whose
 * angle has lost its digits, and a step that fails leaves the state as it was. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "suite.h"

static const char *const methods[] = {"gni", "sem", "dla", "nsv", "variational", "gni@suzuki4", "rk4", "rkmk4"};
static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=4"};
static const double inertia[9] = {1, 1.5, 2.2, 1.1, 1.7, 2.5, 0.9, 1.3, 2.1};

/* All velocities at once, of either sign. */
static lg_status start(lg_integrator **it, const lg_group *G, const char *method, const char *retraction, double size)
{
    double g0[10], xi[9];
    lg_system S = lg_system_default(G);
    S.inertia_diagonal = inertia;
    for (int i = 0; i < lg_group_dim(G); i++) xi[i] = size * (0.5 + 0.1 * i) * (i % 2 ? -1 : 1);
    suite_ok("identity", lg_group_identity(G, g0));
    const lg_status status = lg_integrator_create(it, &S, method, retraction, 1.0);
    return status == LG_OK ? lg_integrator_start(*it, 0, g0, xi, LG_START_REACTION, 0) : status;
}

/* The angles of a step, from the velocity that it reports. */
static double turned(const lg_group *G, lg_integrator *it)
{
    const int n = lg_group_dim(G), first = lg_group_block_at(G, lg_group_block_count(G) - 1).algebra;
    const double *xi = lg_integrator_step_velocity(it);
    double sum = 0;
    for (int i = first; i < n; i++) sum += xi[i] * xi[i];
    return sqrt(sum);
}

static void try_step(const lg_group *G, const char *method, const char *retraction, double size)
{
    lg_integrator *it = NULL;
    double before[10];
    const size_t bytes = (size_t)lg_group_element_size(G) * sizeof(double);
    suite_case("%s, %s, %s, velocities of %g", G->name, method, retraction, size);
    lg_status status = start(&it, G, method, retraction, size);
    for (int k = 0; status == LG_OK && k < 3; k++) {
        memcpy(before, lg_integrator_configuration(it), bytes);
        status = lg_integrator_step(it);
        if (status == LG_OK)
            suite_below("angle of a step", turned(G, it) * (strchr(method, '@') ? 0.66 : 1), 1048576 * (1 + 1e-12));
        if (status != LG_OK && memcmp(before, lg_integrator_configuration(it), bytes) != 0)
            suite_fail("the state moved");
    }
    lg_integrator_destroy(it);
}

static void test_every_method(void **state)
{
    lg_group own = *lg_se3(); /* its blocks say what turns */
    own.kind = LG_KIND_USER;
    const lg_group *const groups[] = {lg_torus(2), lg_so2(), lg_so3(), lg_se2(), lg_se3(), lg_se23(), &own};
    static const double sizes[] = {1e3, 3e6, 1e9, 1e16, 1e93, 1e160, 1e300};
    (void)state;
    for (int g = 0; g < 7; g++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
            for (size_t r = 0; r < sizeof retractions / sizeof retractions[0]; r++)
                for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
                    try_step(groups[g], methods[m], retractions[r], sizes[k]);
}

static void test_words(void **state)
{
    lg_integrator *it = NULL;
    (void)state;
    suite_case("words");
    suite_ok("start", start(&it, lg_torus(2), "gni", "exp", 1e9));
    suite_status("step", lg_integrator_step(it), LG_ERROR_DOMAIN);
    suite_contains("message", lg_integrator_message(it), "rad in one step");
    suite_contains("message", lg_integrator_message(it), "h = 1 is too large");
    lg_integrator_destroy(it);
    suite_ok("start", start(&it, lg_torus(2), "gni", "exp", 1e6));
    suite_ok("step", lg_integrator_step(it));
    lg_integrator_destroy(it);
}

int main(void)
{
    suite_begin("large rotations in a step");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_method), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
