/* SPDX-License-Identifier: BSD-3-Clause */
/* Ensembles of motions: every instance has the bits of a motion alone, at every width and number of threads, also next
 * to instances that fail. */
#include <math.h>
#include <string.h>

#include <liegrp/base/random.h>
#include <liegrp/base/width.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/tendon.h>

#include "support/random_mechanisms.h"

enum { INSTANCES = 11, MOST = 192, FIGURES = 1024 };

static const double x_axis[3] = {1, 0, 0}, y_axis[3] = {0, 1, 0}, z_axis[3] = {0, 0, 1};

/* An arm of `axes` links with a motor and a spring on every axis. */
static lg_mechanism *sprung(int axes, double damping, double stiffness)
{
    static const double *const axis[3] = {z_axis, y_axis, x_axis};
    lg_mechanism *m;
    char name[16], last[16] = "", joint[16];
    mechanism_well(lg_mechanism_create(&m), NULL);
    for (int i = 0; i < axes; i++) {
        const double at[3] = {0.1 * i, 0, 0.3 * i};
        (void)snprintf(name, sizeof name, "link %d", i + 1);
        (void)snprintf(joint, sizeof joint, "axis %d", i + 1);
        mechanism_add_body(m, name, 0.1 * i, 0.02, 0.3 * i + 0.15);
        lg_joint j = lg_joint_default(joint, LG_JOINT_REVOLUTE, i > 0 ? last : NULL, name);
        memcpy(j.point, at, sizeof at), memcpy(j.axis, axis[i % 3], sizeof j.axis);
        j.damping = damping, j.stiffness = stiffness, j.friction = damping, j.friction_speed = 0.5;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
        const lg_motor motor = lg_motor_default(name, joint);
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
        memcpy(last, name, sizeof last);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static lg_mechanism *arm(int axes, double damping)
{
    return sprung(axes, damping, 0);
}

/* Three links, with a tendon from the ground over the first to the last, a spring with slack and a motor on it. */
static lg_mechanism *pulled(double stiffness)
{
    static const lg_tendon_term cord[] = {{LG_TENDON_POINT, NULL, 0, {0.3, 0, 0}},
                                          {LG_TENDON_POINT, "a", 0, {0.1, 0, 0}},
                                          {LG_TENDON_POINT, "c", 0, {0, 0.1, 0}},
                                          {LG_TENDON_JOINT, "second", 0.1, {0, 0, 0}}};
    static const double at[3][3] = {{0, 0, 0}, {0, 0, 0.3}, {0, 0, 0.6}};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", 0, 0, 0.15), mechanism_add_body(m, "b", 0, 0, 0.45);
    mechanism_add_body(m, "c", 0, 0, 0.75);
    mechanism_add_joint(m, "first", LG_JOINT_REVOLUTE, NULL, "a", at[0], y_axis);
    mechanism_add_joint(m, "second", LG_JOINT_REVOLUTE, "a", "b", at[1], x_axis);
    mechanism_add_joint(m, "third", LG_JOINT_REVOLUTE, "b", "c", at[2], y_axis);
    lg_tendon t = lg_tendon_default("cord");
    t.term = cord, t.terms = 4, t.stiffness = stiffness, t.damping = 1, t.rest_lower = 0.9, t.rest_upper = 0.95;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &t), m);
    const lg_motor winch = lg_motor_default("winch", "cord");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &winch), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* A ball on a long rod and a wheel that rolls: rows of position and of velocity. */
static lg_mechanism *wheel(void)
{
    static const double at[3] = {0, 0, 0.5};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "disk", 0, 0, 0.5);
    mechanism_add_body(m, "bob", 0, 0, 0.2);
    mechanism_add_joint(m, "hinge", LG_JOINT_REVOLUTE, "disk", "bob", at, y_axis);
    lg_wheel w = lg_wheel_default("rim", "disk");
    w.radius = 0.5;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* The setup of a case's instances. */
typedef struct plan {
    const lg_mechanism *m;
    const char *method;
    double h;
    int halvings;
    int wild;     /* instance that turns too fast for the step; -1: none */
    double speed; /* of its joints, times 1/h */
    int steps;    /* 0: 13 */
    int alone;    /* 1: by one thread only */
    lg_status (*start)(int64_t i, lg_motion *mo, const struct plan *p); /* NULL: any joints */
    int exhibit;                                                        /* its number in the gallery */
} plan;

static void controls_of(double *u, int64_t i, int count)
{
    for (int k = 0; k < count; k++) u[k] = 0.3 * sin((double)(3 * i + k));
}

/* Starts instance i of a mechanism of the gallery: the others have its positions, other velocities and controls. */
static lg_status begin_exhibit(int64_t i, lg_motion *mo, const plan *p)
{
    double q[MOST], v[MOST], u[MOST];
    lg_rng rng = {(uint64_t)(1 + i + 100 * p->exhibit)};
    lg_status st = lg_gallery_start(mo, p->exhibit);
    if (st != LG_OK || i == 0) return st;
    const int n = lg_motion_position_count(mo), controls = lg_mechanism_motor_count(p->m);
    assert_in_range(n, 1, MOST);
    st = lg_motion_positions(mo, q, v);
    for (int k = 0; k < n; k++) {
        v[k] = v[k] * (0.6 + 0.4 * lg_rng_uniform(&rng)) + 0.1 * (lg_rng_uniform(&rng) - 0.5);
        if (i == p->wild) v[k] += p->speed / p->h;
    }
    for (int k = 0; k < controls; k++) u[k] = lg_rng_uniform(&rng) - 0.5;
    if (st == LG_OK && controls > 0) st = lg_motion_set_control(mo, u);
    return st == LG_OK ? lg_motion_start_joints(mo, 0.5, q, v, 1) : st;
}

/* Starts instance i. */
static lg_status begin(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    const plan *p = context;
    double q[MOST], v[MOST], u[MOST];
    if (p->start != NULL) return p->start(i, mo, p);
    const int n = lg_motion_position_count(mo);
    assert_in_range(n, 1, MOST);
    const lg_status st = lg_motion_positions(mo, q, NULL);
    if (st != LG_OK) return st;
    for (int k = 0; k < n; k++) {
        v[k] = 0.4 * cos((double)(5 * i + 7 * k));
        if (i == p->wild) v[k] *= p->speed / p->h;
    }
    controls_of(u, i, lg_mechanism_motor_count(p->m));
    if (lg_mechanism_motor_count(p->m) > 0 && lg_motion_set_control(mo, u) != LG_OK) return LG_ERROR_ARGUMENT;
    return lg_motion_start_joints(mo, 0.5, q, v, 1);
}

static lg_motion *alone(const plan *p, int64_t i)
{
    lg_motion *mo;
    motion_well(motion_create(&mo, p->m, p->method, p->h), mo);
    motion_well(lg_motion_set_halvings(mo, p->halvings), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    motion_well(begin(i, NULL, mo, (void *)(uintptr_t)p), mo);
    return mo;
}

static lg_ensemble *make(const plan *p, int width, int threads)
{
    lg_ensemble_options o = lg_ensemble_options_default();
    lg_ensemble *E;
    o.method = p->method, o.step = p->h, o.halvings = p->halvings, o.width = width, o.threads = threads;
    suite_ok("create", lg_ensemble_create(&E, motion_model(p->m), INSTANCES, &o));
    suite_ok("set all", lg_ensemble_set_all(E, begin, (void *)(uintptr_t)p));
    assert_int_equal(lg_ensemble_width(E), width);
    return E;
}

/* All that can be read of a motion, as numbers. */
static int figures(double *x, const plan *p, const lg_motion *mo)
{
    double *at = x;
    *at++ = lg_motion_time(mo), *at++ = lg_motion_energy(mo), *at++ = lg_motion_work(mo);
    for (int b = 0; b < lg_mechanism_body_count(p->m); b++) {
        suite_ok("pose", lg_motion_body_pose(mo, at, b)), at += 7;
        suite_ok("twist", lg_motion_body_twist(mo, at, b)), at += 6;
    }
    for (int k = 0; k < lg_mechanism_motor_count(p->m); k++) *at++ = lg_motion_motor_work(mo, k);
    suite_ok("positions", lg_motion_positions(mo, at, NULL));
    return (int)(at - x) + lg_motion_position_count(mo);
}

static void same_bits(const double *a, const double *b, int count, int64_t i)
{
    if (memcmp(a, b, (size_t)count * sizeof *a) == 0) return;
    for (int k = 0; k < count; k++)
        if (memcmp(a + k, b + k, sizeof *a) != 0)
            fail_msg("instance %lld: number %d is %.17g, alone %.17g", (long long)i, k, a[k], b[k]);
}

static int steps_of(const plan *p)
{
    return p->steps > 0 ? p->steps : 13;
}

/* Motions alone after all steps. */
typedef struct soloists {
    double x[INSTANCES][FIGURES];
    int count;
    lg_status status[INSTANCES];
    char message[INSTANCES][LG_MESSAGE_SIZE];
    int64_t retired;
} soloists;

static void play(soloists *s, const plan *p)
{
    s->retired = 0;
    for (int64_t i = 0; i < INSTANCES; i++) {
        lg_motion *mo = alone(p, i);
        s->status[i] = lg_motion_step(mo, steps_of(p));
        s->retired += s->status[i] != LG_OK;
        (void)snprintf(s->message[i], sizeof s->message[i], "%s", lg_motion_message(mo));
        s->count = figures(s->x[i], p, mo);
        assert_in_range(s->count, 1, FIGURES);
        lg_motion_destroy(mo);
    }
}

/* Every instance against a motion alone, after two runs. */
static void compare(const plan *p, const soloists *s, lg_ensemble *E)
{
    double x[FIGURES];
    lg_motion *read;
    suite_ok("run", lg_ensemble_run(E, 7, 1, NULL, NULL));
    suite_ok("run", lg_ensemble_run(E, steps_of(p) - 7, 1, NULL, NULL));
    assert_int_equal(lg_ensemble_retired(E), s->retired);
    for (int64_t i = 0; i < INSTANCES; i++) {
        assert_int_equal(lg_ensemble_status(E, i), s->status[i]);
        assert_string_equal(lg_ensemble_reason(E, i), s->message[i]);
        suite_ok("motion", lg_ensemble_motion(&read, E, i));
        (void)figures(x, p, read);
        lg_motion_destroy(read);
        same_bits(x, s->x[i], s->count, i);
        if (s->status[i] == LG_OK) assert_int_equal(lg_ensemble_steps(E, i), steps_of(p));
    }
}

/* At every width, with one thread or two in turns. Returns how many fail. */
static int64_t case_of(const plan *p)
{
    static const int widths[] = {1, 2, 4, 8};
    static soloists s;
    static int turn;
    play(&s, p);
    for (int w = 0; w < 4; w++) {
        const int threads = p->alone ? 1 : 1 + (w + turn) % 2;
        if (!lg_width_supported(widths[w])) continue;
        suite_case("body '%s', %s, h = %g, width %d, %d threads", lg_mechanism_body_name(p->m, 0), p->method, p->h,
                   widths[w], threads);
        lg_ensemble *E = make(p, widths[w], threads);
        compare(p, &s, E);
        lg_ensemble_destroy(E);
    }
    turn++;
    return s.retired;
}

static void bits(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(7, 0), *rolls = wheel();
    assert_int_equal(case_of(&(plan){.m = m, .method = "sem", .h = 0.01, .wild = -1}), 0);
    assert_int_equal(case_of(&(plan){.m = m, .method = "sem@suzuki4", .h = 0.02, .wild = -1}), 0);
    assert_int_equal(case_of(&(plan){.m = rolls, .method = "sem", .h = 0.01, .wild = -1}), 0);
    lg_mechanism_destroy(m);
    lg_mechanism_destroy(rolls);
}

/* Instances whose sweeps alone do not contract, all of them or one among others. */
static void stiff(void **unused)
{
    (void)unused;
    lg_mechanism *spring = sprung(4, 0, 1e5), *damper = sprung(3, 1e3, 0), *m = arm(4, 0);
    assert_int_equal(case_of(&(plan){.m = spring, .method = "sem", .h = 0.01, .wild = -1}), 0);
    assert_int_equal(case_of(&(plan){.m = spring, .method = "sem@suzuki4", .h = 0.01, .wild = -1}), 0);
    assert_int_equal(case_of(&(plan){.m = damper, .method = "sem", .h = 0.01, .wild = -1}), 0);
    for (int i = 1; i <= 3; i++)
        assert_int_equal(case_of(&(plan){.m = m, .method = "sem", .h = 0.02, .wild = 6, .speed = 0.25 * i}), 0);
    lg_mechanism_destroy(spring);
    lg_mechanism_destroy(damper);
    lg_mechanism_destroy(m);
}

static void tendons(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        lg_mechanism *m = pulled(i < 2 ? 50 : 1e3);
        assert_int_equal(case_of(&(plan){.m = m, .method = i % 2 ? "sem@suzuki4" : "sem", .h = 0.01, .wild = -1}), 0);
        lg_mechanism_destroy(m);
    }
}

static void variational(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(5, 0), *spring = sprung(3, 0, 100);
    assert_int_equal(case_of(&(plan){.m = m, .method = "rattle", .h = 0.01, .wild = -1}), 0);
    assert_int_equal(case_of(&(plan){.m = m, .method = "rattle@suzuki4", .h = 0.02, .wild = 2, .speed = 1}), 0);
    assert_int_equal(case_of(&(plan){.m = m, .method = "rattle", .h = 0.02, .wild = 3, .speed = 20}), 1);
    assert_int_equal(case_of(&(plan){.m = spring, .method = "rattle", .h = 0.01, .wild = -1}), 0);
    lg_mechanism_destroy(m);
    lg_mechanism_destroy(spring);
}

static void failures(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(4, 0.05);
    assert_int_equal(case_of(&(plan){.m = m, .method = "sem", .h = 0.02, .wild = 3, .speed = 20}), 1);
    assert_int_equal(case_of(&(plan){.m = m, .method = "sem@suzuki4", .h = 0.02, .wild = 5, .speed = 20}), 1);
    assert_int_equal(case_of(&(plan){.m = m, .method = "sem", .h = 0.02, .halvings = 1, .wild = 3, .speed = 20}), 1);
    const plan halved = {.m = m, .method = "sem", .h = 0.02, .halvings = 6, .wild = 3, .speed = 8},
               whole = {.m = m, .method = "sem", .h = 0.02, .wild = 3, .speed = 8};
    assert_int_equal(case_of(&halved), 0);
    lg_motion *mo = alone(&whole, 3); /* halving was needed */
    assert_int_not_equal(lg_motion_step(mo, 13), LG_OK);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* All of the gallery, with one instance that fails. */
static void gallery(void **unused)
{
    (void)unused;
    for (int i = 0; i < gallery_without_contacts(); i += suite_reduced() ? 2 : 1) {
        lg_mechanism *m;
        mechanism_well(lg_gallery_create(&m, i), m);
        assert_int_equal(case_of(&(plan){.m = m,
                                         .method = "sem",
                                         .h = lg_gallery_step(i),
                                         .wild = 6,
                                         .speed = 20,
                                         .start = begin_exhibit,
                                         .exhibit = i}),
                         1);
        lg_mechanism_destroy(m);
    }
}

/* A parallelogram that runs towards the flat configuration, instances at different rates. */
static lg_status begin_passage(int64_t i, lg_motion *mo, const plan *p)
{
    const double rate = (double)(3 + p->exhibit) + 0.37 * (double)i, v[3] = {-rate, rate, -rate};
    const double a = 0.02 * (double)i, q[3] = {a, -a, a};
    return lg_motion_start_joints(mo, 0, q, v, 1);
}

static lg_mechanism *parallelogram(double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double A[3] = {0, 0, 0}, B[3] = {c, s, 0}, C[3] = {2 + c, s, 0}, D[3] = {2, 0, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "crank", 0.5 * c, 0.5 * s, 0);
    mechanism_add_body(m, "coupler", 1 + c, s, 0);
    mechanism_add_body(m, "rocker", 2 + 0.5 * c, 0.5 * s, 0);
    mechanism_add_joint(m, "hip", LG_JOINT_REVOLUTE, NULL, "crank", A, z_axis);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, "crank", "coupler", B, z_axis);
    mechanism_add_joint(m, "ankle", LG_JOINT_REVOLUTE, "coupler", "rocker", C, z_axis);
    mechanism_add_joint(m, "toe", LG_JOINT_REVOLUTE, NULL, "rocker", D, z_axis);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Steps that converge and are refused by a check are refused in lanes too. */
static void passages(void **unused)
{
    static const double steps[] = {0.05, 0.03, 0.02, 0.007};
    int64_t fail = 0;
    (void)unused;
    lg_mechanism *m = parallelogram(1);
    for (int k = 0; k < 4; k++)
        for (int halvings = 0; halvings < 3; halvings += 2)
            fail += case_of(&(plan){.m = m,
                                    .method = "sem",
                                    .h = steps[k],
                                    .halvings = halvings,
                                    .wild = -1,
                                    .alone = 1,
                                    .steps = (int)(0.5 / steps[k]),
                                    .start = begin_passage,
                                    .exhibit = k});
    suite_above("instances that fail", (double)fail, 20);
    lg_mechanism_destroy(m);
}

static lg_status begin_random(int64_t i, lg_motion *mo, const plan *p)
{
    double v[MOST], u[RANDOM_BODIES];
    lg_rng rng = suite_rng(100 * (uint64_t)p->exhibit + (uint64_t)i);
    suite_normal(v, MOST, &rng);
    suite_normal(u, RANDOM_BODIES, &rng);
    for (int k = 0; k < MOST; k++) v[k] *= 0.004 / p->h * (i == p->wild ? p->speed : 1);
    for (int k = 0; k < RANDOM_BODIES; k++) u[k] *= 0.1;
    if (lg_mechanism_motor_count(p->m) > 0 && lg_motion_set_control(mo, u) != LG_OK) return LG_ERROR_ARGUMENT;
    return lg_motion_start_joints(mo, 0, NULL, v, 1);
}

static void random_mechanisms(void **unused)
{
    int64_t fail = 0, drawn = 0;
    (void)unused;
    for (int i = 0; i < suite_count(36); i++) {
        lg_rng rng = suite_rng(7000 + (uint64_t)i);
        random_mechanism r;
        random_mechanism_draw(&r, (random_family)(i % RANDOM_FAMILIES), 2 + i % 7, i / 6 % 2 ? 3 : 1, &rng);
        if (lg_mechanism_compile(r.m) == LG_OK)
            fail += case_of(&(plan){.m = r.m,
                                    .method = "sem",
                                    .h = 0.004 * sqrt(r.size),
                                    .wild = 4,
                                    .speed = 50,
                                    .alone = 1,
                                    .start = begin_random,
                                    .exhibit = i}),
                drawn += INSTANCES;
        lg_mechanism_destroy(r.m);
    }
    suite_above("instances that fail", (double)fail, 0.05 * (double)drawn);
    suite_above("instances that move", (double)(drawn - fail), 0.2 * (double)drawn);
}

/* ---- observers, controls, single instances ---- */

typedef struct watch {
    const plan *p;
    double wrench[INSTANCES][6];
    int calls[INSTANCES];
    int64_t stop; /* instance that is to stop after its second call */
} watch;

static int look(int64_t i, const lg_motion *mo, void *context)
{
    watch *w = context;
    if (lg_motion_joint_wrench(mo, w->wrench[i], 1) != LG_OK) return 1;
    return ++w->calls[i] == 2 && i == w->stop;
}

static void observers(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(3, 0);
    const plan p = {.m = m, .method = "sem", .h = 0.01, .wild = -1};
    watch w = {.p = &p, .stop = 4};
    lg_ensemble *E = make(&p, 2, 2);
    double u[2 * 3] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, wrench[6];
    suite_ok("controls", lg_ensemble_set_controls(E, 6, u, 2));
    suite_ok("run", lg_ensemble_run(E, 9, 3, look, &w));
    for (int64_t i = 0; i < INSTANCES; i++) {
        lg_motion *mo = alone(&p, i);
        if (i == 6 || i == 7) motion_well(lg_motion_set_control(mo, u + 3 * (i - 6)), mo);
        motion_well(lg_motion_step(mo, i == w.stop ? 6 : 9), mo);
        motion_well(lg_motion_joint_wrench(mo, wrench, 1), mo);
        assert_int_equal(w.calls[i], i == w.stop ? 2 : 3);
        same_bits(w.wrench[i], wrench, 6, i);
        assert_int_equal(lg_ensemble_status(E, i), i == w.stop ? LG_ERROR_INTERRUPTED : LG_OK);
        assert_int_equal(lg_ensemble_steps(E, i), i == w.stop ? 6 : 9);
        if (i == 8) { /* instance 4 continues from another motion */
            double a[FIGURES], b[FIGURES];
            lg_motion *read;
            suite_ok("set", lg_ensemble_set(E, 4, mo));
            suite_ok("run", lg_ensemble_run(E, 5, 1, NULL, NULL));
            motion_well(lg_motion_step(mo, 5), mo);
            suite_ok("motion", lg_ensemble_motion(&read, E, 4));
            same_bits(a, b, figures(a, &p, read) + 0 * figures(b, &p, mo), 4);
            suite_ok("back", lg_ensemble_run(E, 0, 1, NULL, NULL));
            lg_motion_destroy(read), lg_motion_destroy(mo);
            break;
        }
        lg_motion_destroy(mo);
    }
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

static lg_status refuses(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    (void)M;
    const double bad[3] = {NAN, 0, 0};
    return i == 2 ? lg_motion_start_joints(mo, 0, bad, NULL, 1) : i == 3 ? (lg_status)-5 : begin(i, NULL, mo, context);
}

static void refused(const lg_mechanism *m, const lg_ensemble_options *o, lg_status want, const char *words)
{
    lg_ensemble *E;
    suite_status(words, lg_ensemble_create(&E, motion_model(m), 4, o), want);
    suite_contains(words, lg_ensemble_message(E), words);
    suite_status(words, lg_ensemble_run(E, 1, 1, NULL, NULL), want);
    lg_ensemble_destroy(E);
}

static void refusals(void **unused)
{
    (void)unused;
    lg_mechanism *m = arm(3, 0);
    const plan p = {.m = m, .method = "sem", .h = 0.01, .wild = -1};
    lg_ensemble *E;
    lg_ensemble_options o = lg_ensemble_options_default();
    o.width = 3, refused(m, &o, LG_ERROR_ARGUMENT, "width 3");
    o.width = 0, o.method = "gni", refused(m, &o, LG_ERROR_UNSUPPORTED, "got 'gni'; step motions one by one");
    o.method = NULL, o.retraction = "cayley", refused(m, &o, LG_ERROR_UNSUPPORTED, "mechanisms has no retraction");
    o.retraction = NULL, o.halvings = 31, refused(m, &o, LG_ERROR_ARGUMENT, "31 halvings");
    E = make(&p, 2, 1);
    suite_ok("set all", lg_ensemble_set_all(E, refuses, (void *)(uintptr_t)&p));
    assert_int_equal(lg_ensemble_retired(E), 2);
    assert_int_equal(lg_ensemble_status(E, 2), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_ensemble_status(E, 3), LG_ERROR_CALLBACK);
    suite_ok("run", lg_ensemble_run(E, 2, 1, NULL, NULL));
    suite_contains("text", lg_ensemble_reason(E, 2), "finite");
    suite_contains("text", lg_ensemble_reason(E, 3), "the setter returned -5");
    lg_motion *mo;
    assert_int_equal(lg_ensemble_motion(&mo, E, 2), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_ensemble_motion(&mo, E, INSTANCES), LG_ERROR_ARGUMENT);
    assert_null(mo);
    const double u[3] = {0, INFINITY, 0};
    assert_int_equal(lg_ensemble_set_controls(E, 0, u, 1), LG_ERROR_NOT_FINITE);
    assert_int_equal(lg_ensemble_set_controls(E, INSTANCES, u, 1), LG_ERROR_ARGUMENT);
    lg_ensemble_destroy(E);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits),
        cmocka_unit_test(failures),
        cmocka_unit_test(gallery),
        cmocka_unit_test(passages),
        cmocka_unit_test(random_mechanisms),
        cmocka_unit_test(observers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(stiff),
        cmocka_unit_test(variational),
        cmocka_unit_test(tendons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
