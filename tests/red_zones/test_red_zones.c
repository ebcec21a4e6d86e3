/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays within a block of memory: none of them is left by what mechanisms and systems do, at every vector width. The
 * program has red zones (src/base/arena.c) in every build. A broken one ends it with a message. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <liegrp/base/width.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/linearise.h>

#include "base/arena.h"
#include "multibody/motion.h"
#include "red_zones.h"
#include "support/bench.h"
#include "support/blocks.h"
#include "support/mechanisms.h"

/* ---- the zones themselves ---- */

enum { ARRAYS = 5 };
static const size_t array_bytes[ARRAYS] = {24, 0, 52, 640, 8};

/* Takes them from a block, one of them in lanes and one from an arena within an array. */
static void carve(lg_arena *a, char **array)
{
    for (int i = 0; i < ARRAYS; i++) {
        if (i == 3) lg_align(a);
        array[i] = lg_take(a, array_bytes[i]);
    }
}

static char *open_block(char **array)
{
    lg_arena a = {NULL, 48};
    carve(&a, array);
    char *memory = lg_reserve(a.used);
    assert_non_null(memory);
    const size_t bytes = a.used;
    a = (lg_arena){memory, 48};
    carve(&a, array);
    assert_int_equal(a.used, bytes);
    return memory;
}

/* 1: a program ends that adds x to the double behind an array, or sets a byte there. */
static int ends(int array, size_t behind, double x)
{
    const pid_t child = fork();
    int status;
    if (child == 0) {
        char *at[ARRAYS];
        char *memory = open_block(at);
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(0);
        double *number = (double *)(void *)(at[array] + (array_bytes[array] + 7) / 8 * 8 + behind);
        if (x != 0) *number += x;
        lg_release(memory);
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void zones(void **unused)
{
    static const double x[] = {1e300, 1, -1e-17, 1e-290, INFINITY, NAN};
    char *array[ARRAYS];
    (void)unused;
    char *memory = open_block(array);
    for (int i = 0; i < ARRAYS; i++) {
        assert_int_equal((size_t)(array[i] - memory) % 16, 0);
        for (size_t k = 0; k < array_bytes[i]; k++) assert_int_equal(array[i][k], 0);
        memset(array[i], 0x5a, array_bytes[i]);
    }
    assert_int_equal((size_t)array[3] % LG_ALIGN, 0);
    lg_release(memory);
    lg_release(NULL);
    for (int i = 0; i < ARRAYS; i++) {
        suite_case("array %d", i);
        assert_false(ends(i, 0, 0));
        for (size_t k = 0; k < sizeof x / sizeof x[0]; k++) assert_true(ends(i, 0, x[k]));
        assert_true(ends(i, 8, 1) && ends(i, 504, 1) && ends(i, 1016, 1));
    }
}

/* ---- mechanisms ---- */

enum { SETTLED_MOST = 64 };

static void push(double *wrenches)
{
    for (int k = 0; k < 6; k++) wrenches[k] = 0.01 * k;
}

static int wrench(double t, const double *poses, const double *twists, double *wrenches, void *context)
{
    (void)t, (void)poses, (void)twists, (void)context;
    push(wrenches);
    return 0;
}

static int passes(const lg_motion *mo, double *f, void *context)
{
    *f = lg_motion_time(mo) - *(const double *)context;
    return 0;
}

static void start_at(lg_motion *mo, int exhibit)
{
    static const double twist[6] = {1, 0.2, 0.1, 0.3, 2, 0.4};
    double pose[7];
    if (exhibit >= 0) {
        motion_well(lg_gallery_start(mo, exhibit), mo);
        return;
    }
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
}

static void look_at(lg_motion *mo, int derivatives)
{
    double q[256], v[256], *A;
    const int k = lg_motion_freedoms(mo, NULL);
    suite_ok("positions", lg_motion_positions(mo, q, v));
    suite_ok("momentum", lg_motion_momentum(mo, q, v));
    suite_above("numbers", lg_motion_energy(mo) + lg_motion_gap(mo) + lg_motion_slip(mo) + lg_motion_work(mo), -1e9);
    if (!derivatives) return;
    A = malloc(sz(k * k) * sizeof *A);
    assert_non_null(A);
    motion_well(lg_motion_linearise(mo, A, NULL, NULL, NULL), mo);
    motion_well(lg_motion_linearise_step(mo, A, NULL, NULL, NULL), mo);
    free(A);
}

/* Starts with projection, steps, stops at an event, continues in another motion, is stored and read. */
static void use(const lg_mechanism *m, const char *method, int exhibit)
{
    const double h = exhibit >= 0 ? lg_gallery_step(exhibit) : 0.01;
    lg_motion *mo, *next;
    double lost, when;
    int found;
    const lg_status st = motion_create(&mo, m, method, h);
    if (st == LG_OK) {
        motion_well(motion_create(&next, m, method, h), next);
        start_at(mo, exhibit);
        motion_well(lg_motion_step(mo, 4), mo);
        when = lg_motion_time(mo) + 0.3 * h;
        const lg_motion_event event = lg_motion_event_default(passes, &when);
        motion_well(lg_motion_step_to_event(mo, &found, &event), mo);
        motion_well(lg_motion_continue(next, &lost, mo), next);
        if (strncmp(method, "rattle", 6) != 0) motion_well(lg_motion_set_wrench(next, wrench, NULL), next);
        motion_well(lg_motion_step(next, 2), next);
        const size_t bytes = lg_motion_saved_bytes(mo);
        void *saved = malloc(bytes);
        assert_non_null(saved);
        motion_well(lg_motion_save(mo, saved, bytes), mo);
        motion_well(lg_motion_load(mo, saved, bytes), mo);
        if (strcmp(method, "gauss") == 0 && lg_motion_set_tolerance(mo, 1e-8) != LG_OK) /* with contacts */
            assert_non_null(strstr(lg_motion_message(mo), "contacts"));
        motion_well(lg_motion_step(mo, 2), mo);
        look_at(mo, exhibit < 1 && method[0] != 'r');
        free(saved);
        lg_motion_destroy(next);
    } else /* rattle takes no wheels and dampers */
        assert_int_equal(st, LG_ERROR_UNSUPPORTED);
    lg_motion_destroy(mo);
}

static lg_status begin(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    start_at(mo, *(const int *)context);
    return i % 5 == 4 ? lg_motion_start_joints(mo, 0, NULL, NULL, 1) : LG_OK;
}

static void use_ensemble(const lg_mechanism *m, const char *method, int exhibit, int width)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    o.method = method, o.width = width, o.threads = 1, o.step = exhibit >= 0 ? lg_gallery_step(exhibit) : 0.01;
    if (lg_ensemble_create(&E, motion_model(m), 11, &o) == LG_OK) {
        suite_ok("start", lg_ensemble_set_all(E, begin, &exhibit));
        suite_ok("run", lg_ensemble_run(E, 4, 2, NULL, NULL));
        assert_int_equal(lg_ensemble_retired(E), 0);
    }
    lg_ensemble_destroy(E);
}

static lg_mechanism *mechanism(int exhibit)
{
    static const double to[3] = {0.5, 0.3, 1}, at[3] = {0.05, 0.02, -0.03};
    lg_mechanism *m = NULL;
    if (exhibit < 0) return mechanism_disk_on_rod(0.3, 0.013, to, at);
    mechanism_well(lg_gallery_create(&m, exhibit), m);
    return m;
}

static void set_width(int width)
{
    char text[8];
    (void)snprintf(text, sizeof text, "%d", width);
    assert_int_equal(setenv("LIEGRP_WIDTH", text, 1),
                     0); /* stages of collocation, and where the program asks for none */
}

static void mechanisms(void **unused)
{
    static const char *const methods[] = {"sem",
                                          "sem@suzuki4",
                                          "rattle",
                                          "rattle@yoshida4",
                                          "gauss",
                                          "gauss:stages=1",
                                          "gauss:stages=3",
                                          "gauss:stages=6",
                                          "gauss:stages=16"};
    (void)unused;
    for (int e = -1; e < lg_gallery_count(); e++) {
        lg_mechanism *m = mechanism(e);
        const int piled = e == lg_gallery_index("pushed-stack"); /* piles are for sem */
        for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
            for (int width = 1; width <= lg_width_best(); width *= 2) {
                suite_case("%s, %s, width %d", e < 0 ? "disk on a rod" : lg_gallery_name(e), methods[k], width);
                set_width(width);
                if (methods[k][0] == 'g' ? !piled : width == 1) use(m, methods[k], e);
                if (methods[k][0] != 'g') use_ensemble(m, methods[k], e, width);
            }
        lg_mechanism_destroy(m);
    }
}

/* Momenta that the rows do not allow, projected by a motion and by a node of several lanes. */
static void settle_both(mb_sparse *mo, void (*settle)(const mb_plan *, double *, const double *))
{
    const mb_plan *plan = &mo->mechanism->plan;
    mb_node *n = &mo->numbers.node[mo->numbers.now];
    double poses[7 * SETTLED_MOST], p[6 * SETTLED_MOST], want[6 * SETTLED_MOST];
    assert_in_range(plan->bodies, 1, SETTLED_MOST);
    for (int b = 0; b < plan->bodies; b++) {
        memcpy(poses + 7 * b, n->pose[b].r, 3 * sizeof *poses),
            memcpy(poses + 7 * b + 3, n->pose[b].q, 4 * sizeof *poses);
        for (int k = 0; k < 6; k++) p[6 * b + k] = n->p[b].v[k] += 0.1 * sin(6 * b + k);
    }
    mb_settle(plan, n, mo->multiplier, mo->numbers.twist);
    for (int b = 0; b < plan->bodies; b++) memcpy(want + 6 * b, n->p[b].v, sizeof n->p[b].v);
    settle(plan, p, poses);
    suite_near("momenta", p, want, 6 * plan->bodies, 1e-12, 1);
}

static void settled(void **unused)
{
    static void (*const settle[])(const mb_plan *, double *, const double *) = {
        red_zones_settle_2,
#ifdef LG_WIDTH_4
        red_zones_settle_4,
#endif
#ifdef LG_WIDTH_8
        red_zones_settle_8,
#endif
    };
    (void)unused;
    for (int e = -1; e < lg_gallery_count(); e++)
        for (int i = 0; i < (int)(sizeof settle / sizeof settle[0]) && lg_width_supported(2 << i); i++) {
            lg_mechanism *m = mechanism(e);
            lg_motion *mo;
            suite_case("%s, width %d", e < 0 ? "disk on a rod" : lg_gallery_name(e), 2 << i);
            motion_well(motion_create(&mo, m, NULL, 0.01), mo);
            start_at(mo, e);
            settle_both(mo->bodies, settle[i]);
            lg_motion_destroy(mo);
            lg_mechanism_destroy(m);
        }
}

/* ---- systems ---- */

static void use_system(const test_system *t, const char *method, const char *retraction)
{
    lg_integrator *it = NULL;
    lg_linearisation *lin = NULL;
    double g[SUITE_ELEMENT], xi[SUITE_DIM], time;
    if (lg_integrator_create(&it, &t->S, method, retraction, t->h) == LG_OK) {
        for (int rule = LG_START_REACTION; rule <= LG_START_PAPER; rule++)
            lg_status_ignore(lg_integrator_start(it, 0, t->g0, t->xi0, (lg_start)rule, 1));
        suite_ok("start", lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 1));
        for (int k = 0; k < 3; k++) suite_ok(lg_integrator_message(it), lg_integrator_step(it));
        lg_status_ignore(lg_integrator_interpolate(it, &time, g, xi, 0.4));
        if (retraction[0] == 'e' && lg_linearisation_create(&lin, it) == LG_OK)
            lg_status_ignore(lg_linearisation_step(lin, it));
        lg_linearisation_destroy(lin);
        suite_ok("reset", lg_integrator_reset(it));
    }
    lg_integrator_destroy(it);
}

static void use_block(const test_system *t, const char *method, const char *retraction, int width)
{
    static block b;
    if (width == 1 || !block_open(&b, &t->S, method, retraction, t->h, t->g0, t->xi0, width)) return;
    for (int k = 0; k < 3; k++) block_step(&b);
    block_close(&b);
}

static void systems(void **unused)
{
    static const char *const retractions[] = {"exp", "cayley", "second-kind", "exp:order=4"};
    static const char *const more[] = {"sem:compensated", "gni:compensated",     "sem@yoshida4",
                                       "gauss:stages=1",  "gauss:stages=5,rate", NULL};
    const char *const *const lists[] = {lg_method_names(), more};
    test_system t;
    (void)unused;
    for (int i = 0; bench_system(&t, i); i++)
        for (int k = 0; k < 2; k++)
            for (const char *const *method = lists[k]; *method != NULL; method++)
                for (int r = 0; r < 4; r++)
                    for (int width = 1; width <= lg_width_best(); width *= 2) {
                        const char *retraction = retractions[r];
                        suite_case("%s, %s, %s, width %d", t.name, *method, retraction, width);
                        set_width(width);
                        if (width == 1 || strncmp(*method, "gauss", 5) == 0) use_system(&t, *method, retraction);
                        use_block(&t, *method, retraction, width);
                    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones),
        cmocka_unit_test(mechanisms),
        cmocka_unit_test(settled),
        cmocka_unit_test(systems),
    };
    suite_begin("red zones");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
