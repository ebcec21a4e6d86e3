/* SPDX-License-Identifier: BSD-3-Clause */
/* The gallery, and mechanisms drawn at random, by the dense methods: the derivatives of their systems; `sem:cholesky`
 * makes the steps of the sparse motion; every method keeps what it promises, or refuses in words; both linearisations
 * agree. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define lapack_complex_double double _Complex
#include <lapacke.h>

#include <liegrp/integrators/linearisation.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "support/matrix.h"
#include "support/mechanism_systems.h"
#include "support/random_mechanisms.h"

static int rolls(const lg_mechanism *m)
{
    const lg_system *S;
    mechanism_well(lg_mechanism_system((lg_mechanism *)(uintptr_t)m, &S), m);
    return S->constraint_count > 0;
}

/* ---- systems ---- */

static void derivatives(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        suite_case("%s", lg_gallery_name(i));
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = gallery_motion(m, i, "sem", lg_gallery_step(i));
        double g[7 * MECHANISM_MOST];
        lg_rng rng = {3};
        lg_error e;
        suite_ok("state", lg_motion_state(mo, g, NULL));
        if (lg_system_validate(system_of(m), &e) != LG_OK) suite_fail("%s", e.message);
        if (lg_system_check(system_of(m), &rng, g, 2, 0, &e) != LG_OK) suite_fail("%s", e.message);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* ---- the same steps ---- */

/* Cholesky's factor of rows in the order of elimination is the sparse one; rows of wheels stand behind all others, and
 * there the order must be kept. */
static void both_steps(void **unused)
{
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++)
        for (int kept = 0; kept < 2; kept++) {
            lg_mechanism *m = gallery_mechanism(i, kept);
            const int bodies = lg_mechanism_body_count(m), large = bodies > 10;
            const double h = large ? 0.001 : lg_gallery_step(i);
            suite_case("%s%s", lg_gallery_name(i), kept ? ", order kept" : "");
            if ((kept || !rolls(m)) && !(large && !kept)) {
                lg_motion *mo = gallery_motion(m, i, "sem", h);
                mechanism_both_steps(m, mo, h, large ? 2 : 10, 1e-12);
                lg_motion_destroy(mo);
            }
            lg_mechanism_destroy(m);
        }
}

/* 1: both made ten steps, and they are the same. */
static int random_steps(const random_mechanism *r, lg_rng *rng)
{
    const double h = 0.002 * sqrt(r->size);
    const lg_system *S;
    lg_motion *mo;
    lg_integrator *it;
    double v[6 * RANDOM_BODIES], g[7 * MECHANISM_MOST], p[6 * MECHANISM_MOST], g1[7 * MECHANISM_MOST];
    mechanism_well(lg_mechanism_keep_order(r->m), r->m);
    if (lg_mechanism_compile(r->m) != LG_OK || lg_mechanism_system(r->m, &S) != LG_OK) return 0;
    suite_normal(v, 6 * RANDOM_BODIES, rng);
    for (int i = 0; i < 6 * RANDOM_BODIES; i++) v[i] /= sqrt(r->size);
    motion_well(lg_motion_create(&mo, r->m, "sem", h), mo);
    int well = lg_motion_start(mo, 0, NULL, v, 1) == LG_OK;
    if (well) {
        suite_ok("state", lg_motion_state(mo, g, p));
        integrator_well(lg_integrator_create(&it, S, "sem:cholesky", "cayley", h), it);
        well = lg_integrator_start_momentum(it, 0, g, p) == LG_OK;
        for (int i = 0; i < 10 && well; i++) well = lg_motion_step(mo, 1) == LG_OK && lg_integrator_step(it) == LG_OK;
        if (well) {
            suite_ok("state", lg_motion_state(mo, g, p));
            memcpy(g1, lg_integrator_configuration(it), (size_t)(7 * r->bodies) * sizeof *g1);
            for (int b = 0; b < 7 * r->bodies; b++)
                if (b % 7 < 3) g[b] /= r->size, g1[b] /= r->size;
            suite_near("configuration", g1, g, 7 * r->bodies, 1e-12, 1 + mat_norm(g, 7 * r->bodies));
            suite_near1("energy", lg_integrator_energy(it), lg_motion_energy(mo), 1e-11,
                        random_mechanism_scale(r, mo) + fabs(lg_motion_energy(mo)));
        }
        lg_integrator_destroy(it);
    }
    lg_motion_destroy(mo);
    return well;
}

static void random_mechanisms(void **unused)
{
    int same = 0;
    const int drawn = suite_count(80);
    (void)unused;
    for (int i = 0; i < drawn; i++) {
        lg_rng rng = suite_rng(3000 + (uint64_t)i);
        random_mechanism r;
        suite_case("mechanism %d of family %d", i, i % RANDOM_NEARLY);
        random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 2 + i % 4, 1, &rng);
        same += random_steps(&r, &rng);
        lg_mechanism_destroy(r.m);
    }
    suite_above("share that moves by both", same, 0.5 * drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),
        cmocka_unit_test(both_steps),
        cmocka_unit_test(random_mechanisms),
    };
    suite_begin("multibody/dense");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
