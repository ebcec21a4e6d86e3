/* SPDX-License-Identifier: BSD-3-Clause */
/* The derivative of a mechanism's step by numbers that carry derivatives: against differences of steps, which a wrench
 * of the caller's asks for; the same bits at every width. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "support/mechanisms.h"

enum { MOST = 48, CONTROLS = 24 };

typedef struct matrices {
    double A[MOST * MOST], B[MOST * CONTROLS], C[2 * MOST * MOST];
    int k, controls, positions;
} matrices;

static int nothing(double t, const double *poses, const double *twists, double *wrenches, void *context)
{
    (void)t, (void)poses, (void)twists, (void)wrenches, (void)context;
    return 0;
}

/* A mechanism of the gallery after three steps of h times its own, with controls. */
static lg_motion *open_motion(lg_mechanism **m, const char *name, double part)
{
    const int i = lg_gallery_index(name);
    lg_motion *mo;
    mechanism_well(lg_gallery_create(m, i), *m);
    motion_well(motion_create(&mo, *m, "sem", part * lg_gallery_step(i)), mo);
    motion_well(lg_gallery_start(mo, i), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    return mo;
}

static void close_motion(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Along the motion, or as lg_motion_linearise_step() from axes that turn. */
static void derive(matrices *M, lg_motion *mo, const lg_mechanism *m, int along)
{
    const double spin[3] = {0.3, -0.2, 0.5};
    memset(M, 0, sizeof *M);
    M->k = lg_motion_freedoms(mo, NULL), M->controls = lg_mechanism_motor_count(m);
    M->positions = lg_motion_position_count(mo);
    assert_true(M->k <= MOST && M->controls <= CONTROLS && M->positions <= MOST);
    if (along)
        motion_well(lg_motion_linearise_along(mo, M->A, M->B, NULL), mo);
    else
        motion_well(lg_motion_linearise_step(mo, M->A, M->B, M->C, spin), mo);
}

static void compare(const char *what, const double *a, const double *b, int count, double within)
{
    double size = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(b[i]));
    suite_near(what, a, b, count, within, size);
}

/* Differences are right to about `within`. */
static void check(const char *name, double part, double within)
{
    static matrices exact, other;
    lg_mechanism *m;
    lg_motion *mo = open_motion(&m, name, part);
    for (int along = 0; along < 2; along++) {
        suite_case("%s, %g of its step%s", name, part, along ? ", along" : "");
        motion_well(lg_motion_set_wrench(mo, NULL, NULL), mo);
        derive(&exact, mo, m, along);
        motion_well(lg_motion_set_wrench(mo, nothing, NULL), mo);
        derive(&other, mo, m, along);
        compare("A", exact.A, other.A, exact.k * exact.k, along ? within : 300 * within); /* displacements are larger */
        compare("B", exact.B, other.B, exact.k * exact.controls, along ? within : 300 * within);
        compare("C", exact.C, other.C, 2 * exact.positions * exact.k, 1e-15);
#ifdef LG_TANGENTS
        assert_memory_not_equal(exact.A, other.A, sizeof exact.A);
#endif
    }
    close_motion(mo, m);
}

static void against_differences(void **unused)
{
    (void)unused;
    static const char *const names[] = {"double-pendulum", "furuta", "four-bar", "bricard", "strandbeest", "vehicle"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        check(names[i], 1, 5e-12);
        check(names[i], -0.5, 5e-12);
    }
    check("chain", 1, 1e-11), check("arm", 1, 2e-11), check("bicycle", 1, 4e-11);
}

/* Steps that sweeps alone hardly solve. */
static void long_steps(void **unused)
{
    (void)unused;
    check("double-pendulum", 4, 1e-10), check("arm", 2, 1e-9), check("vehicle", 3, 1e-9);
}

static void same_bits(void **unused)
{
    (void)unused;
    static const char *const names[] = {"double-pendulum", "arm", "four-bar", "vehicle", "chain"};
    static const char *const widths[] = {"1", "2", "4", "8"};
    static matrices first, other;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        lg_mechanism *m;
        lg_motion *mo = open_motion(&m, names[i], 1);
        for (int w = 0; w < 4; w++) {
            suite_case("%s, width %s", names[i], widths[w]);
            setenv("LIEGRP_WIDTH", widths[w], 1);
            derive(w ? &other : &first, mo, m, 1);
            unsetenv("LIEGRP_WIDTH");
            if (w) suite_same_bits("A", other.A, first.A, first.k * first.k);
            if (w) suite_same_bits("B", other.B, first.B, first.k * first.controls);
        }
        close_motion(mo, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_differences),
        cmocka_unit_test(long_steps),
        cmocka_unit_test(same_bits),
    };
    suite_begin("multibody/linearise_exact");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
