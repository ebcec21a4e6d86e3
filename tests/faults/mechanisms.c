/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms of the gallery and of files, motions of every method, and all that is made of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "models.h"
#include "runs.h"

enum { ROOM = 1 << 16 };

static struct {
    lg_mechanism *m;
    lg_model *of; /* what mo is a motion of */
    lg_motion *mo, *copy;
    lg_ensemble *E;
    lg_model *M;
    lg_run_result result;
} own;

static void close_all(void)
{
    lg_motion_destroy(own.copy);
    lg_ensemble_destroy(own.E);
    lg_model_destroy(own.M);
    lg_motion_destroy(own.mo);
    lg_model_destroy(own.of);
    lg_mechanism_destroy(own.m);
    memset(&own, 0, sizeof own);
    fault_file_close();
}

static const char *const *methods(void)
{
    static const char *const names[] = {
        "sem", "rattle", "gauss", "sem@yoshida4", "rattle@suzuki4", "gauss:stages=3", "gauss tolerance", NULL};
    return names;
}

static const char *const *few_methods(void)
{
    static const char *const names[] = {"sem", "rattle", "gauss", NULL};
    return names;
}

static lg_status make(fault_case *c)
{
    lg_mechanism_destroy(own.m);
    own.m = NULL;
    lg_status st = lg_gallery_create(&own.m, c->i);
    if (own.m != NULL) c->said = lg_mechanism_message(own.m);
    return st;
}

static int wrench(double t, const double *poses, const double *twists, double *out, void *context)
{
    (void)poses, (void)twists, (void)context;
    if (fault_callback()) return FAULT_CODE;
    out[2] += 0.01 * t;
    return 0;
}

static lg_status motion(fault_case *c)
{
    const int found = strstr(c->b, "tolerance") != NULL;
    lg_motion_options o = lg_motion_options_default();
    lg_motion_destroy(own.mo);
    lg_model_destroy(own.of);
    own.mo = NULL, own.of = NULL;
    o.method = found ? "gauss" : c->b[0] ? c->b : NULL;
    lg_status st = lg_model_of_mechanism(&own.of, own.m, NULL);
    if (st != LG_OK && own.of != NULL) c->said = lg_model_message(own.of);
    if (st == LG_OK) st = lg_motion_create(&own.mo, own.of, &o);
    if (own.mo != NULL) c->said = lg_motion_message(own.mo);
    if (st == LG_OK && found) st = lg_motion_set_tolerance(own.mo, 1e-9);
    if (st == LG_OK && strncmp(c->b, "rattle", 6) != 0) st = lg_motion_set_wrench(own.mo, wrench, NULL);
    return st;
}

static lg_status start(fault_case *c)
{
    lg_status st = lg_gallery_start(own.mo, c->i);
    c->said = lg_motion_message(own.mo);
    return st;
}

static void read(fault_case *c, const lg_motion *mo)
{
    for (int b = 0; b < lg_mechanism_body_count(own.m); b++) {
        double pose[7], twist[6];
        if (lg_motion_body_pose(mo, pose, b) != LG_OK || lg_motion_body_twist(mo, twist, b) != LG_OK)
            suite_fail("%s", lg_motion_message(mo));
        fault_fold(c, pose, 7), fault_fold(c, twist, 6);
    }
    fault_fold(c, &(double){lg_motion_energy(mo)}, 1);
}

static lg_status steps(fault_case *c)
{
    lg_status st = LG_OK;
    while (st == LG_OK && lg_motion_time(own.mo) < 2.5 * lg_gallery_step(c->i)) st = lg_motion_step(own.mo, 1);
    c->said = lg_motion_message(own.mo);
    if (st == LG_OK) read(c, own.mo);
    return st;
}

static int passing(const lg_motion *mo, double *f, void *context)
{
    if (fault_callback()) return FAULT_CODE;
    *f = lg_motion_time(mo) - *(const double *)context;
    return 0;
}

/* Back to the state that was kept before some steps. */
static lg_status load(fault_case *c)
{
    static unsigned char bytes[1 << 20];
    const size_t size = lg_motion_saved_bytes(own.mo);
    if (size > sizeof bytes) suite_fail("a checkpoint of %zu bytes", size);
    suite_ok("save", lg_motion_save(own.mo, bytes, size));
    lg_status st = lg_motion_load(own.mo, bytes, size);
    c->said = lg_motion_message(own.mo);
    return st;
}

static lg_status event(fault_case *c)
{
    double when = 4.3 * lg_gallery_step(c->i);
    const lg_motion_event e = lg_motion_event_default(passing, &when);
    int found = 0;
    lg_status st = LG_OK;
    while (st == LG_OK && !found && lg_motion_time(own.mo) < 2 * when) st = lg_motion_step_to_event(own.mo, &found, &e);
    c->said = lg_motion_message(own.mo);
    if (st == LG_OK && !found) suite_fail("no event");
    if (st == LG_OK) read(c, own.mo);
    return st;
}

/* Objects made from a motion -------------------------------------------------------------------------------------- */

static lg_status linearise(fault_case *c)
{
    static double A[ROOM], B[ROOM];
    const int n = lg_motion_freedoms(own.mo, NULL);
    const double before = lg_motion_time(own.mo);
    lg_status st = lg_motion_linearise(own.mo, A, B, NULL, NULL);
    c->said = lg_motion_message(own.mo);
    if (lg_motion_time(own.mo) != before) suite_fail("the motion moved");
    if (st == LG_OK) fault_fold(c, A, n), read(c, own.mo);
    return st;
}

static lg_status columns(fault_case *c)
{
    static double row[ROOM];
    lg_model_destroy(own.M);
    own.M = NULL;
    lg_status st = lg_gallery_start(own.mo, c->i); /* where a failed call begins again */
    if (st == LG_OK) st = lg_motion_row(own.mo, row);
    if (st == LG_OK) st = lg_motion_start(own.mo, 0, row, 1);
    c->said = lg_motion_message(own.mo);
    if (st != LG_OK) return st;
    st = lg_model_of_mechanism(&own.M, own.m, NULL);
    c->said = own.M != NULL ? lg_model_message(own.M) : NULL;
    if (st == LG_OK) fault_fold(c, row, lg_model_column_count(own.M));
    return st;
}

static lg_status run(fault_case *c)
{
    lg_run_options o = lg_run_options_default();
    lg_status st = lg_gallery_start(own.mo, c->i);
    if (st != LG_OK) return st;
    o.steps = 5, o.output = fault_file();
    own.result = lg_run_result_default();
    fault_file_begin();
    st = lg_run(own.mo, &own.result, &o);
    c->said = own.result.message;
    fault_file_end(c, st);
    if (st != LG_OK) return st;
    fault_fold(c, &own.result.energy_first, 3), fault_fold(c, &own.result.error_rotation, 3);
    return st;
}

static lg_status resolution(fault_case *c)
{
    lg_resolution r = lg_resolution_default();
    lg_status st = lg_motion_resolution(own.mo, &r, 2);
    if (st == LG_OK) fault_fold(c, &r.rotation, 3);
    return st;
}

static const char *const *ensemble_methods(void)
{
    static const char *const names[] = {"sem", "rattle", "gauss", "gauss tolerance", NULL};
    return names;
}

static lg_status ensemble(fault_case *c)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    o.method = lg_motion_tolerance(own.mo) > 0 ? "gauss" : c->b, o.tolerance = lg_motion_tolerance(own.mo);
    o.step = lg_gallery_step(c->i), o.threads = 1, o.width = 2;
    lg_ensemble_destroy(own.E);
    own.E = NULL;
    if (lg_motion_set_wrench(own.mo, NULL, NULL) != LG_OK) suite_fail("%s", lg_motion_message(own.mo));
    lg_status st = lg_ensemble_create(&own.E, own.of, 3, &o);
    if (own.E != NULL) c->said = lg_ensemble_message(own.E);
    return st;
}

static lg_status ensemble_set(fault_case *c)
{
    lg_status st = LG_OK;
    for (int64_t i = 0; i < 3 && st == LG_OK; i++) st = lg_ensemble_set(own.E, i, own.mo);
    c->said = lg_ensemble_message(own.E);
    return st;
}

static lg_status ensemble_run(fault_case *c)
{
    const int steps = strncmp(c->b, "gauss", 5) == 0 ? 1 : 3; /* a step of gauss with a stack takes half a second */
    lg_status st = lg_ensemble_run(own.E, steps, 1, NULL, NULL);
    c->said = lg_ensemble_message(own.E);
    for (int64_t i = 0; i < 3; i++) fault_fold_text(c, lg_ensemble_reason(own.E, i));
    return st;
}

static lg_status ensemble_motion(fault_case *c)
{
    lg_motion_destroy(own.copy);
    own.copy = NULL;
    lg_status st = lg_ensemble_motion(&own.copy, own.E, 2);
    if (st == LG_OK) read(c, own.copy);
    return st;
}

static lg_status as_system(fault_case *c)
{
    const lg_system *S = NULL;
    double g[2000], p[2000];
    lg_status st = lg_mechanism_system(own.m, &S);
    c->said = lg_mechanism_message(own.m);
    if (st == LG_OK) st = lg_motion_state(own.mo, g, NULL, p);
    if (st == LG_OK) fault_fold(c, g, S->group->element_size), fault_fold(c, p, S->group->dim);
    return st;
}

static lg_status as_model(fault_case *c)
{
    lg_model_destroy(own.M);
    own.M = NULL;
    const lg_system *S;
    lg_status st = lg_model_of_mechanism(&own.M, own.m, "mine");
    if (st == LG_OK) st = lg_model_system(own.M, &S);
    if (own.M != NULL) c->said = lg_model_message(own.M);
    for (int i = 0; st == LG_OK && i < lg_model_column_count(own.M); i++)
        fault_fold_text(c, lg_model_column(own.M, i)->name);
    return st;
}

/* From files ------------------------------------------------------------------------------------------------------ */

#define ROBOTS LG_TEST_DATA "/../../examples/robots/"

static const char *const *files(void)
{
    static const char *const names[] = {"arm.urdf",    "cart_pole.xml", "fourbar.urdf",
                                        "fourbar.xml", "mecanum.urdf",  "quadruped.urdf",
                                        "rover.urdf",  "scara.urdf",    NULL};
    return names;
}

static lg_status from_file(fault_case *c)
{
    char path[4096];
    lg_mechanism_file o = lg_mechanism_file_default();
    o.keep_fixed = c->i % 2;
    snprintf(path, sizeof path, "%s%s", ROBOTS, c->a);
    lg_mechanism_destroy(own.m);
    own.m = NULL;
    lg_status st = lg_mechanism_read(&own.m, path, &o);
    if (own.m != NULL) c->said = lg_mechanism_message(own.m);
    return st;
}

static lg_status compile(fault_case *c)
{
    lg_status st = lg_mechanism_compile(own.m);
    c->said = lg_mechanism_message(own.m);
    if (st != LG_OK) return st;
    for (int i = 0; i < lg_mechanism_body_count(own.m); i++) fault_fold_text(c, lg_mechanism_body_name(own.m, i));
    fault_fold(c, &(double){lg_mechanism_rank(own.m)}, 1);
    return st;
}

/* One of each kind of part ---------------------------------------------------------------------------------------- */

static lg_status build(fault_case *c)
{
    lg_mechanism_destroy(own.m);
    own.m = NULL;
    lg_status st = lg_mechanism_create(&own.m);
    if (own.m != NULL) c->said = lg_mechanism_message(own.m);
    return st;
}

static lg_status add(fault_case *c)
{
    static const char *const names[] = {"a", "b"};
    c->said = lg_mechanism_message(own.m);
    for (int i = lg_mechanism_body_count(own.m); i < 2; i++) {
        lg_body b = lg_body_default(names[i]);
        b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.1, b.position[0] = 1 + i;
        const lg_status st = lg_mechanism_add_body(own.m, NULL, &b);
        if (st != LG_OK) return st;
    }
    for (int i = lg_mechanism_joint_count(own.m); i < 2; i++) {
        lg_joint j = lg_joint_default(i ? "second" : "first", LG_JOINT_REVOLUTE, i ? "a" : NULL, names[i]);
        const lg_status st = lg_mechanism_add_joint(own.m, NULL, &j);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

static lg_status add_others(fault_case *c)
{
    lg_status st = LG_OK;
    c->said = lg_mechanism_message(own.m);
    if (lg_mechanism_spring_count(own.m) == 0) {
        lg_spring s = lg_spring_default("spring", "a", "b");
        s.stiffness = 3;
        st = lg_mechanism_add_spring(own.m, NULL, &s);
    }
    if (st == LG_OK && lg_mechanism_motor_count(own.m) == 0) {
        const lg_motor m = lg_motor_default("motor", "first");
        st = lg_mechanism_add_motor(own.m, NULL, &m);
    }
    if (st == LG_OK && lg_mechanism_gear_count(own.m) == 0) {
        lg_gear g = lg_gear_default("gear", "second", "first");
        g.ratio = 2;
        st = lg_mechanism_add_gear(own.m, NULL, &g);
    }
    if (st == LG_OK && lg_mechanism_wheel_count(own.m) == 0) {
        lg_wheel w = lg_wheel_default("wheel", "b");
        w.radius = 0.1;
        st = lg_mechanism_add_wheel(own.m, NULL, &w);
    }
    return st;
}

static lg_status scene(fault_case *c)
{
    lg_scene *made = NULL;
    const lg_status st = lg_mechanism_scene(own.m, &made);
    for (int i = 0; i < lg_scene_shape_count(made); i++) fault_fold(c, lg_scene_shape(made, i)->position, 3);
    lg_scene_destroy(made);
    return st;
}

static lg_status shape(fault_case *c)
{
    const lg_shape s = lg_shape_default("mine", LG_SHAPE_BOX, 0);
    const lg_status st = lg_mechanism_add_shape(own.m, NULL, &s);
    c->said = lg_mechanism_message(own.m);
    return st;
}

#define MOTION make, motion, start
const fault_row fault_mechanisms[] = {
    {.name = "mechanism by parts", .stride = 1, .verbs = {build, add, add_others}, .close = close_all},
    {.name = "mechanism from a file",
     .first = files,
     .stride = 1,
     .verbs = {from_file, compile},
     .close = close_all,
     .quiet = {FAULT_STREAM, NULL},
     .quiet_most = 1},
    {.name = "motion",
     .first = fault_gallery,
     .second = methods,
     .stride = 4,
     .verbs = {MOTION, steps, load, event},
     .close = close_all,
     .other_bits = "a step that failed forgets what the steps before had guessed"},
    {.name = "linearised motion",
     .first = fault_gallery,
     .second = few_methods,
     .stride = 5,
     .verbs = {MOTION, linearise},
     .close = close_all},
    {.name = "columns of a motion",
     .first = fault_gallery,
     .stride = 1,
     .verbs = {MOTION, columns},
     .close = close_all},
    {.name = "lg_run of mechanisms",
     .first = fault_gallery,
     .second = few_methods,
     .stride = 2,
     .verbs = {MOTION, run, resolution},
     .close = close_all,
     .quiet = {FAULT_STREAM "; and measurements during a run never end it", NULL},
     .quiet_most = 6,
     .elsewhere = "measurements during a run never end it: tests/run/test_accuracy.c"},
    {.name = "ensemble of motions",
     .first = fault_gallery,
     .second = ensemble_methods,
     .stride = 2,
     .verbs = {MOTION, ensemble, ensemble_set, ensemble_run, ensemble_motion},
     .close = close_all,
     .elsewhere = "an instance whose wrench fails is retired: tests/multibody/test_ensembles.c"},
    {.name = "scene of a mechanism",
     .first = fault_gallery,
     .stride = 1,
     .verbs = {make, scene, shape, scene},
     .close = close_all},
    {.name = "mechanism as system, model",
     .first = fault_gallery,
     .stride = 1,
     .verbs = {MOTION, as_system, as_model},
     .close = close_all},
    {.name = NULL},
};
