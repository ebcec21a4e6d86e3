/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of motions with a tolerance: every instance finds its steps as it would alone, to the last bit, however the
 * states are divided into runs. */
#include <math.h>
#include <string.h>

#include <liegrp/base/random.h>
#include <liegrp/multibody/gallery.h>

#include "support/mechanisms.h"

enum { INSTANCES = 5, MOST = 192, FIRST = 7, SECOND = 12 };

typedef struct plan {
    lg_mechanism *m;
    int exhibit;
    const char *method;
    double h, tolerance;
} plan;

/* Instance 0 as the gallery has it, the others with other velocities. */
static lg_status begin(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    const plan *p = context;
    double q[MOST], v[MOST];
    lg_rng rng = {(uint64_t)(1 + i + 100 * p->exhibit)};
    const int n = lg_motion_position_count(mo);
    lg_status st = lg_gallery_start(mo, p->exhibit);
    if (st != LG_OK || i == 0) return st;
    assert_in_range(n, 1, MOST);
    st = lg_motion_positions(mo, q, v);
    for (int k = 0; k < n; k++) v[k] = v[k] * (0.6 + 0.4 * lg_rng_uniform(&rng)) + 0.1 * (lg_rng_uniform(&rng) - 0.5);
    return st == LG_OK ? lg_motion_start_joints(mo, 0.5, q, v, 1) : st;
}

static lg_motion *make(const plan *p)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, p->m, p->method, p->h), mo);
    motion_well(lg_motion_set_tolerance(mo, p->tolerance), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    return mo;
}

/* The controls of instance i after the first run. */
static int controls_of(double *u, const plan *p, int64_t i)
{
    const int count = lg_mechanism_motor_count(p->m);
    for (int k = 0; k < count; k++) u[k] = 0.3 * sin((double)(3 * i + k));
    return count;
}

static void compare_bodies(const plan *p, const lg_motion *a, const lg_motion *b)
{
    double x[2] = {lg_motion_time(a), lg_motion_work(a)}, y[2] = {lg_motion_time(b), lg_motion_work(b)};
    suite_same_bits("time and work", x, y, 2);
    for (int i = 0; i < lg_mechanism_body_count(p->m); i++) {
        double pose[2][7], twist[2][6];
        suite_ok("pose", lg_motion_body_pose(a, pose[0], i));
        suite_ok("pose", lg_motion_body_pose(b, pose[1], i));
        suite_same_bits("pose", pose[0], pose[1], 7);
        suite_ok("twist", lg_motion_body_twist(a, twist[0], i));
        suite_ok("twist", lg_motion_body_twist(b, twist[1], i));
        suite_same_bits("twist", twist[0], twist[1], 6);
    }
    x[0] = lg_motion_found_step(a), y[0] = lg_motion_found_step(b);
    suite_same_bits("the step that was found", x, y, 1);
}

/* Instance i against a motion alone, and both 3 states later. */
static void compare(const plan *p, const lg_ensemble *E, int64_t i)
{
    double u[MOST];
    lg_motion *mo = make(p), *read;
    suite_case("%s, instance %d", lg_gallery_name(p->exhibit), (int)i);
    motion_well(begin(i, NULL, mo, (void *)(uintptr_t)p), mo);
    motion_well(lg_motion_step(mo, FIRST), mo);
    if (controls_of(u, p, i) > 0) motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_step(mo, SECOND), mo);
    suite_ok("motion", lg_ensemble_motion(&read, E, i));
    compare_bodies(p, read, mo);
    motion_well(lg_motion_step(mo, 3), mo);
    motion_well(lg_motion_step(read, 3), read);
    compare_bodies(p, read, mo);
    lg_motion_destroy(mo);
    lg_motion_destroy(read);
}

static void run(const plan *p, int threads)
{
    double u[INSTANCES * MOST];
    int64_t count = 0;
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    o.method = p->method, o.step = p->h, o.tolerance = p->tolerance, o.threads = threads;
    suite_case("%s, %d threads", lg_gallery_name(p->exhibit), threads);
    suite_ok("create", lg_ensemble_create(&E, motion_model(p->m), INSTANCES, &o));
    assert_int_equal(lg_ensemble_width(E), 1);
    suite_ok("set all", lg_ensemble_set_all(E, begin, (void *)(uintptr_t)p));
    suite_ok("run", lg_ensemble_run(E, FIRST, 1, NULL, NULL));
    for (int64_t i = 0; i < INSTANCES; i++) count += controls_of(u + count, p, i);
    if (count > 0) suite_ok("controls", lg_ensemble_set_controls(E, 0, u, INSTANCES));
    suite_ok("run", lg_ensemble_run(E, 5, 1, NULL, NULL));
    suite_ok("run", lg_ensemble_run(E, SECOND - 5, 1, NULL, NULL));
    assert_int_equal(lg_ensemble_retired(E), 0);
    for (int64_t i = 0; i < INSTANCES; i++) compare(p, E, i);
    lg_ensemble_destroy(E);
}

static void gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        plan p = {.exhibit = i, .method = i % 3 ? "gauss" : "gauss:stages=4", .tolerance = i % 2 ? 1e-9 : 1e-6};
        p.h = lg_gallery_step(i) * (i % 2 ? 1 : 3);
        mechanism_well(lg_gallery_create(&p.m, i), p.m);
        run(&p, 1 + i % 2);
        lg_mechanism_destroy(p.m);
    }
}

static lg_status meddle(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    const lg_status st = lg_motion_set_tolerance(mo, i == 1 ? 1e-5 : 0);
    return st == LG_OK && i > 0 ? begin(i, NULL, mo, context) : st;
}

static void refusals(void **unused)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    plan p = {.method = "gauss", .h = 0.01, .tolerance = 1e-6};
    (void)unused;
    suite_case("refusals");
    mechanism_well(lg_gallery_create(&p.m, 0), p.m);
    o.tolerance = 1e-9;
    suite_status("sem", lg_ensemble_create(&E, motion_model(p.m), 2, &o), LG_ERROR_UNSUPPORTED);
    suite_contains("sem", lg_ensemble_message(E), "create the motion with gauss");
    lg_ensemble_destroy(E);
    o.method = "gauss", o.tolerance = 1e-20;
    suite_status("1e-20", lg_ensemble_create(&E, motion_model(p.m), 2, &o), LG_ERROR_ARGUMENT);
    suite_contains("1e-20", lg_ensemble_message(E), "from 1e-14");
    lg_ensemble_destroy(E);
    o.tolerance = 1e-9, o.step = p.h;
    suite_ok("create", lg_ensemble_create(&E, motion_model(p.m), 3, &o));
    lg_motion *mo = make(&p);
    suite_status("set", lg_ensemble_set(E, 0, mo), LG_ERROR_ARGUMENT);
    suite_contains("set", lg_ensemble_message(E), "the motion has the tolerance 1e-06, the ensemble 1e-09");
    suite_ok("set all", lg_ensemble_set_all(E, meddle, &p));
    assert_int_equal(lg_ensemble_retired(E), 3);
    suite_contains("set all", lg_ensemble_reason(E, 1),
                   "the setter: the motion has the tolerance 1e-05, the ensemble 1e-09");
    suite_ok("set all", lg_ensemble_set_all(E, begin, &p)); /* as if nothing had been */
    assert_int_equal(lg_ensemble_retired(E), 0);
    suite_ok("run", lg_ensemble_run(E, 3, 1, NULL, NULL));
    lg_motion_destroy(mo);
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(p.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gallery), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
