/* SPDX-License-Identifier: BSD-3-Clause */
/* Random mechanisms: they compile or are refused with a message; a step that returns LG_OK has kept the balance of
 * energy, all joints and all rolling, redundant rows included, and converges with order 2. LG_TEST_RANDOM sets how many
 * are made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/random_mechanisms.h"

enum { RANDOM_STEPS = 40, RANDOM_DRAWN = 120 };

static const char *const families[] = {"tree", "loops", "planar", "wheels", "copies", "nearly"};

/* The largest velocity, angular ones at the size of the mechanism or 1 m. */
static double speed_of(const random_mechanism *r, const lg_motion *mo)
{
    double speed = 1;
    for (int b = 0; b < r->bodies; b++) {
        double t[6];
        suite_ok("twist", lg_motion_body_twist(mo, t, b));
        for (int k = 0; k < 6; k++) speed = fmax(speed, fabs(t[k]) * (k < 3 ? 1 : fmax(1, r->size)));
    }
    return speed;
}

static void check_laws(const random_mechanism *r, const lg_motion *mo, double H, double scale)
{
    const double nearly = r->family == RANDOM_NEARLY ? 100 : 1; /* copies that are off by 1e-11 count as redundant */
    suite_near1("balance", lg_motion_energy(mo) - H, lg_motion_work(mo), 1e-10, scale + fabs(lg_motion_work(mo)));
    suite_below("gap", lg_motion_gap(mo), nearly * 3e-12 * fmax(1, r->size));
    suite_below("slip", lg_motion_slip(mo), nearly * 1e-10 * speed_of(r, mo));
}

/* Steps of h; the state's positions to x. */
static lg_status run(const random_mechanism *r, double h, int steps, const double *v, double *x)
{
    lg_motion *mo;
    double u[RANDOM_BODIES];
    motion_well(motion_create(&mo, r->m, NULL, h), mo);
    for (int i = 0; i < RANDOM_BODIES; i++) u[i] = r->mass * r->size * sin(i + 1.0);
    if (lg_model_control_count(lg_motion_model(mo)) > 0) motion_well(lg_motion_set_control(mo, u), mo);
    lg_status st = lg_motion_start_joints(mo, 0, NULL, v, 1);
    if (st == LG_OK) {
        const double H = lg_motion_energy(mo);
        double scale = fabs(H);
        for (int k = 0; k < steps && st == LG_OK; k++) {
            scale = fmax(scale, random_mechanism_scale(r, mo) + fabs(lg_motion_energy(mo)));
            st = lg_motion_step(mo, 1);
            check_laws(r, mo, H, scale);
        }
        for (int b = 0; b < r->bodies; b++) {
            double pose[7];
            suite_ok("pose", lg_motion_body_pose(mo, pose, b));
            memcpy(x + 3 * b, pose, 3 * sizeof *x);
        }
    }
    if (st != LG_OK && strlen(lg_motion_message(mo)) < 40) suite_fail("refused without a word");
    lg_motion_destroy(mo);
    return st;
}

/* 1: it moved, and steps of h, h/2, h/4 lead to positions whose differences fall by 4; smaller ones are tried where
 * they do not yet. */
static int attack(const random_mechanism *r, lg_rng *rng)
{
    double v[6 * RANDOM_BODIES], x[2][3 * RANDOM_BODIES], off[2] = {0, 0};
    if (lg_mechanism_compile(r->m) != LG_OK) {
        if (strlen(lg_mechanism_message(r->m)) < 40) suite_fail("refused without a word");
        return 0;
    }
    suite_normal(v, 6 * RANDOM_BODIES, rng);
    for (int i = 0; i < 6 * RANDOM_BODIES; i++) v[i] /= sqrt(r->size);
    for (int i = 0; i < 8; i++) {
        if (run(r, 0.004 * sqrt(r->size) / (1 << i), RANDOM_STEPS << i, v, x[i % 2]) != LG_OK) return 0;
        off[0] = off[1];
        if (i > 0) off[1] = suite_distance(x[0], x[1], 3 * r->bodies) / r->size;
        if (i > 1 && (off[1] < 0.35 * off[0] || off[1] < 1e-9)) return 1;
    }
    suite_fail("order: positions differ by %g, with half the step by %g", off[0], off[1]);
}

static void random_mechanisms(void **unused)
{
    const char *count = getenv("LG_TEST_RANDOM");
    int moved[RANDOM_FAMILIES] = {0}, drawn[RANDOM_FAMILIES] = {0};
    (void)unused;
    for (int i = 0, n = count != NULL ? atoi(count) : suite_count(RANDOM_DRAWN); i < n; i++) {
        lg_rng rng = suite_rng(1000 + (uint64_t)i);
        const random_family f = (random_family)(i % RANDOM_FAMILIES);
        random_mechanism r;
        const double u = lg_rng_uniform(&rng);
        random_mechanism_draw(&r, f, 2 + (int)(u * u * (f == RANDOM_TREE ? 28 : 8)), i / 6 % 2 ? 3 : 1, &rng);
        suite_case("%s %d", families[f], i);
        moved[f] += attack(&r, &rng), drawn[f]++;
        lg_mechanism_destroy(r.m);
    }
    for (int f = 0; f < RANDOM_FAMILIES; f++) {
        suite_case("%s: %d of %d moved", families[f], moved[f], drawn[f]);
        if (drawn[f] >= 20) suite_above("share that moves", moved[f], 0.3 * drawn[f]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_mechanisms)};
    suite_begin("multibody/random");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
