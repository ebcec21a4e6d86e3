/* SPDX-License-Identifier: BSD-3-Clause */
/* Many surfaces: pairs that are near each other share slots. The same bodies with so many pairs fewer that each has a
 * contact of its own, which is the case up to 1000 pairs, move alike to the bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/touching.h"

enum { BODIES = 46, SIDE = 4, APART = 36 };

/* Where body i is dropped, in layers of SIDE x SIDE. */
static void place(double *at, int i, double pitch)
{
    at[0] = pitch * (i % SIDE) + 0.01 * sin(i), at[1] = pitch * (i / SIDE % SIDE) + 0.01 * cos(3 * i);
    at[2] = 0.6 * pitch + pitch * (i / (SIDE * SIDE));
}

/* Spheres, or boxes, capsules and spheres, above the ground; fixed: each pair has a contact of its own. */
static lg_mechanism *heap(int shapes, double pitch, int fixed)
{
    static const double half[3][3] = {{0.1, 0, 0}, {0.1, 0.08, 0.06}, {0.06, 0.08, 0}};
    static const lg_surface_kind kind[3] = {LG_SURFACE_SPHERE, LG_SURFACE_BOX, LG_SURFACE_CAPSULE};
    lg_mechanism *m = touch_ground(1, 1, 0);
    for (int i = 0; i < BODIES; i++) {
        double at[3];
        char name[8];
        const int of = shapes ? i % 3 : 0;
        place(at, i, pitch);
        snprintf(name, sizeof name, "b%d", i);
        touch_body(m, name, 1 + i % 4, NULL, at, shapes ? 0.3 * i : 0);
        touch_surface(m, name, name, kind[of], half[of], 0.4, i % 2 ? 0.3 : 0);
    }
    for (int i = 0; i < APART && fixed; i++) { /* of opposite sides, which never touch */
        char name[8], first[8], second[8];
        snprintf(name, sizeof name, "p%d", i);
        snprintf(first, sizeof first, "b%d", SIDE * (i % 9)),
            snprintf(second, sizeof second, "b%d", SIDE * (i / 9) + 3);
        lg_surface_pair p = lg_surface_pair_default(name, first, second);
        p.ignored = 1;
        mechanism_well(lg_mechanism_add_surface_pair(m, NULL, &p), m);
    }
    return m;
}

static void poses_of(double *x, const lg_motion *mo)
{
    for (int b = 0; b < BODIES; b++) {
        suite_ok("pose", lg_motion_body_pose(mo, x + 13 * b, b));
        suite_ok("twist", lg_motion_body_twist(mo, x + 13 * b + 7, b));
    }
}

static void expect_same(const char *what, const lg_motion *a, const lg_motion *b)
{
    double x[13 * BODIES], y[13 * BODIES];
    poses_of(x, a), poses_of(y, b);
    suite_same_bits(what, x, y, 13 * BODIES);
    if (lg_motion_impacts(a) != lg_motion_impacts(b)) suite_fail("%s: impacts differ", what);
}

/* The contact of two surfaces at most, and the forces of all, are those of the fixed list. */
static void expect_forces(const lg_motion *slots, const lg_motion *fixed)
{
    double sum[2] = {0, 0};
    const lg_motion *mo[2] = {slots, fixed};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < lg_motion_contact_count(mo[k]); i++) {
            lg_contact_state s;
            suite_ok("contact", lg_motion_contact(mo[k], &s, i));
            for (int x = 0; x < 3; x++) sum[k] += fabs(s.force[x]) * (1 + s.surface[0] + 7 * s.surface[1]);
        }
    suite_near1("forces", sum[0], sum[1], 1e-12, sum[1]);
}

/* As the fixed list, also where one body is shot at others, which move farther in the step than was foreseen. */
static void as_fixed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        static const double pitch[] = {0.22, 0.32, 0.25};
        lg_mechanism *m[2] = {heap(i == 1, pitch[i], 0), heap(i == 1, pitch[i], 1)};
        lg_motion *mo[2];
        suite_case(i == 0 ? "spheres" : i == 1 ? "shapes" : "a shot");
        for (int k = 0; k < 2; k++) {
            mo[k] = touch_motion(m[k], 0.005);
            double v[6 * BODIES] = {0};
            v[6 * 45] = -2, v[6 * 45 + 2] = -1;
            if (i == 2) v[6 * 35] = -40;
            motion_well(lg_motion_start_joints(mo[k], 0, NULL, v, 0), mo[k]);
        }
        touch_watch w = touch_begin(mo[0]);
        for (int step = 0; step < 12; step++) {
            touch_run(&w, mo[0], i == 1 ? 4 : 8);
            motion_well(lg_motion_step(mo[1], i == 1 ? 4 : 8), mo[1]);
            expect_same("slots", mo[0], mo[1]), expect_forces(mo[0], mo[1]);
        }
        suite_above("impacts", (double)lg_motion_impacts(mo[0]), 20);
        if (!(lg_motion_contact_count(mo[0]) < lg_motion_contact_count(mo[1]))) suite_fail("no slots");
        for (int k = 0; k < 2; k++) lg_motion_destroy(mo[k]), lg_mechanism_destroy(m[k]);
    }
}

/* A checkpoint and a clone list the same contacts, and go on alike; a reset starts anew. */
static void saved_and_loaded(void **unused)
{
    lg_mechanism *m = heap(1, 0.32, 0);
    lg_motion *mo = touch_motion(m, 0.005), *other = NULL, *copy;
    (void)unused;
    motion_well(motion_create(&other, m, "sem", 0.005), other);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo),
        motion_well(lg_motion_start_joints(other, 0, NULL, NULL, 0), other);
    const size_t bytes = lg_motion_saved_bytes(mo);
    void *state = malloc(bytes);
    for (int i = 0; i < 5; i++) {
        suite_case("step %d", 8 * i);
        suite_ok("save", lg_motion_save(mo, state, bytes));
        motion_well(lg_motion_load(other, state, bytes), other);
        motion_well(lg_motion_clone(&copy, mo), mo);
        const lg_motion *const of[2] = {other, copy};
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < lg_motion_contact_count(mo) || c < lg_motion_contact_count(of[k]); c++) {
                lg_contact_state s, t;
                suite_ok("contact", lg_motion_contact(mo, &s, c)), suite_ok("contact", lg_motion_contact(of[k], &t, c));
                if (memcmp(&s, &t, sizeof s) != 0) suite_fail("contact %d differs", c);
            }
        motion_well(lg_motion_step(mo, 8), mo);
        motion_well(lg_motion_step(other, 8), other), motion_well(lg_motion_step(copy, 8), copy);
        expect_same("a checkpoint", mo, other), expect_same("a clone", mo, copy);
        lg_motion_destroy(copy);
    }
    free(state);
    motion_well(lg_motion_reset(mo), mo), motion_well(lg_motion_start_joints(other, 0, NULL, NULL, 0), other);
    suite_near1("contacts", lg_motion_contact_count(mo), lg_motion_contact_count(other), 0, 1);
    motion_well(lg_motion_step(mo, 8), mo), motion_well(lg_motion_step(other, 8), other);
    expect_same("a reset", mo, other);
    lg_motion_destroy(mo), lg_motion_destroy(other), lg_mechanism_destroy(m);
}

/* Too many pairs for the slots are refused, and the state stays. */
static void too_many(void **unused)
{
    lg_mechanism *m = heap(0, 0.22, 0);
    lg_motion *mo = touch_motion(m, 0.005);
    double v[6 * BODIES], x[13 * BODIES], y[13 * BODIES];
    (void)unused;
    for (int i = 0; i < 6 * BODIES; i++) v[i] = i % 6 == 2 ? 500 : 0;
    suite_case("500 m/s");
    if (lg_motion_start_joints(mo, 0, NULL, v, 0) != LG_ERROR_CONVERGENCE) suite_fail("not refused");
    suite_contains("pairs", lg_motion_message(mo),
                   "pairs of surfaces are near each other, of at most 376; take a smaller");
    for (int i = 0; i < BODIES; i++) v[6 * i + 2] = 1;
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 0), mo);
    poses_of(x, mo);
    motion_well(lg_motion_step(mo, 1), mo);
    poses_of(y, mo);
    suite_near1("height", y[2] - x[2], 0.005 * (1 - 0.5 * 9.81 * 0.005), 1e-12, 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

int main(void)
{
    suite_begin("contact_heaps");
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_fixed), cmocka_unit_test(saved_and_loaded),
                                       cmocka_unit_test(too_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
