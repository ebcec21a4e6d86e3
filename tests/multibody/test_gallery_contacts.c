/* SPDX-License-Identifier: BSD-3-Clause */
/* Mechanisms of the gallery that touch do what is known of each of them in closed form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/contact.h>
#include <liegrp/multibody/gallery.h>
#include <liegrp/run/ensemble.h>

#include "support/mechanisms.h"

#define G  9.81
#define PI 3.14159265358979323846

enum { TOLD = 64 };

/* A motion of the gallery, and its impacts. */
typedef struct show {
    lg_mechanism *m;
    lg_motion *mo;
    double approach[TOLD], loss[TOLD], H0;
    int impacts;
} show;

static int tell(double t, const lg_impact *impacts, int count, void *context)
{
    show *s = context;
    (void)t;
    if (s->impacts == TOLD) return 0;
    for (int i = 0; i < count; i++) {
        s->approach[s->impacts] = fmax(s->approach[s->impacts], impacts[i].approach);
        s->loss[s->impacts] += impacts[i].loss;
    }
    s->impacts++;
    return 0;
}

static void open_with(show *s, const char *name, const char *parameter, double value)
{
    const int i = lg_gallery_index(name);
    memset(s, 0, sizeof *s);
    suite_case("%s", name);
    mechanism_well(lg_gallery_describe(&s->m, i), s->m);
    if (parameter != NULL) mechanism_well(lg_mechanism_set_parameter(s->m, parameter, value), s->m);
    mechanism_well(lg_mechanism_compile(s->m), s->m);
    motion_well(motion_create(&s->mo, s->m, NULL, lg_gallery_step(i)), s->mo);
    motion_well(lg_gallery_start(s->mo, i), s->mo);
    motion_well(lg_motion_set_impact(s->mo, tell, s), s->mo);
    s->H0 = lg_motion_energy(s->mo);
}

static void to(show *s, double t)
{
    motion_well(lg_motion_run_to(s->mo, t), s->mo);
    suite_near1("balance", lg_motion_energy(s->mo) - s->H0, lg_motion_work(s->mo), 1e-12, 1 + fabs(s->H0));
}

static void done(show *s)
{
    lg_motion_destroy(s->mo);
    lg_mechanism_destroy(s->m);
}

/* Pose and twist of a body by its name. */
static void look(const show *s, const char *body, double *pose, double *twist)
{
    const int b = lg_mechanism_body(s->m, body);
    motion_well(lg_motion_body_pose(s->mo, pose, b), s->mo);
    motion_well(lg_motion_body_twist(s->mo, twist, b), s->mo);
}

static double joint(const show *s, const char *name, double *rate)
{
    double q;
    motion_well(lg_motion_joint(s->mo, &q, rate, lg_mechanism_joint(s->m, name)), s->mo);
    return q;
}

static double height(const show *s, const char *body)
{
    double pose[7], twist[6];
    look(s, body, pose, twist);
    return pose[2];
}

/* It comes down with e^n sqrt(2 g H), and rolls with 5/7 of its speed. */
static void bouncing_ball(void **unused)
{
    show s;
    double pose[7], v[6];
    (void)unused;
    open_with(&s, "bouncing-ball", NULL, 0);
    to(&s, 12);
    assert_true(s.impacts > 15);
    for (int i = 0; i < 15; i++) suite_near1("approach", s.approach[i], pow(0.8, i) * sqrt(2 * G), 1e-10, sqrt(2 * G));
    look(&s, "ball", pose, v);
    suite_near1("speed", v[0], 0.5 * 5 / 7, 1e-12, 1);
    suite_near1("it rolls", v[0], 0.1 * v[4], 1e-13, 1);
    suite_near1("height", pose[2], 0.1, 1e-12, 1);
    done(&s);
}

/* The last ball goes with the speed of the first, and comes back; the others stay, but for the gaps of 1 um. */
static void cradle(void **unused)
{
    show s;
    double rate;
    (void)unused;
    open_with(&s, "cradle", NULL, 0);
    const double arm = 0.5, own = 0.4 * 0.05 * 0.05, speed = sqrt(2 * G * arm * (1 - cos(0.5)) / (arm * arm + own));
    while (s.impacts == 0) motion_well(lg_motion_step(s.mo, 1), s.mo);
    suite_near1("approach", s.approach[0], arm * speed, 1e-4, 1); /* of the step, order 2 */
    for (int round = 0; round < 6; round++) {
        const int far = round % 2 ? 1 : 5;
        const char *const name = far == 5 ? "hinge5" : "hinge1", *const other = far == 5 ? "hinge1" : "hinge5";
        suite_below("the first stays", fabs(joint(&s, other, &rate)), 1e-4);
        suite_below("the middle stays", fabs(joint(&s, "hinge3", &rate)), 1e-4);
        double most = 0;
        const int before = s.impacts;
        do {
            motion_well(lg_motion_step(s.mo, 1), s.mo);
            most = fmax(most, fabs(joint(&s, name, &rate)));
        } while (s.impacts == before);
        assert_int_equal(s.impacts - before, 4);
        suite_near1("swing", most, 0.5, 1e-4, 1);
    }
    suite_near1("energy", lg_motion_energy(s.mo), s.H0, 1e-12, 1);
    done(&s);
}

/* It turns over, and stands on its stem; Jellett's integral L.(centre - contact) stays. */
static void tippe_top(void **unused)
{
    static const double R = 0.02;
    show s;
    double pose[7], v[6], P[3], L[3], jellett[2];
    (void)unused;
    open_with(&s, "tippe-top", NULL, 0);
    for (int end = 0; end < 2; end++) {
        if (end) to(&s, 8);
        look(&s, "top", pose, v);
        motion_well(lg_motion_momentum(s.mo, P, L), s.mo);
        const double x = pose[3], y = pose[4], z = pose[5], w = pose[6];
        const double axis[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}; /* in space */
        const double own[3] = {L[0] - (pose[1] * P[2] - pose[2] * P[1]), L[1] - (pose[2] * P[0] - pose[0] * P[2]),
                               L[2] - (pose[0] * P[1] - pose[1] * P[0])};
        /* from the contact to the centre of mass: R e_z - 0.3 R axis */
        jellett[end] = own[2] * R - 0.3 * R * (own[0] * axis[0] + own[1] * axis[1] + own[2] * axis[2]);
        suite_near1("axis", axis[2], end ? -1 : cos(0.1), 1e-5, 1);
    }
    suite_near1("height", pose[2], 1.3 * R, 1e-7, 1);
    suite_near1("Jellett's integral", jellett[1] / jellett[0], 1, 3e-3, 1);
    done(&s);
}

/* Housner: an impact leaves (1 - 3/2 sin^2 alpha)^2 of the energy. */
static void rocking_block(void **unused)
{
    const double sine2 = 0.01 / 0.17, left = (1 - 1.5 * sine2) * (1 - 1.5 * sine2), rest = 20 * G * 0.4;
    show s;
    double pose[7], v[6];
    (void)unused;
    open_with(&s, "rocking-block", NULL, 0);
    to(&s, 2);
    double H = s.H0 - rest;
    for (int i = 0; i < 4; i++) {
        suite_near1("loss", s.loss[i], (1 - left) * H, 2e-7, H);
        H -= s.loss[i];
    }
    to(&s, 8);
    look(&s, "block", pose, v);
    suite_near1("height at rest", pose[2], 0.4, 1e-12, 1);
    done(&s);
}

/* All fall, one after the other; the last one lies flat. */
static void dominoes(void **unused)
{
    show s;
    double fell[9] = {0}, pose[7], v[6];
    char name[24];
    (void)unused;
    open_with(&s, "dominoes", NULL, 0);
    while (lg_motion_time(s.mo) < 0.5) {
        motion_well(lg_motion_step(s.mo, 1), s.mo);
        for (int i = 1; i <= 8; i++) {
            (void)snprintf(name, sizeof name, "domino%d", i);
            look(&s, name, pose, v);
            if (fell[i] == 0 && 2 * asin(pose[4]) > atan2(0.004, 0.024)) fell[i] = lg_motion_time(s.mo);
        }
    }
    for (int i = 1; i <= 8; i++) suite_above("falls after the one before", fell[i] - fell[i - 1], 0);
    to(&s, 0.6);
    suite_near1("the last one lies", height(&s, "domino8"), 0.004, 1e-12, 1);
    look(&s, "domino1", pose, v);
    suite_below("speed", sqrt(v[0] * v[0] + v[2] * v[2]) + fabs(v[4]), 1e-9);
    done(&s);
}

/* It slides as one body from mu (m g) on, and not before. */
static void pushed_stack(void **unused)
{
    const double rest = 24;
    show s;
    double pose[7], v[6];
    char name[24];
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        open_with(&s, "pushed-stack", NULL, 0);
        if (!slides) motion_well(lg_motion_set_control(s.mo, &rest), s.mo);
        to(&s, 1);
        for (int i = 1; i <= 5; i++) {
            (void)snprintf(name, sizeof name, "box%d", i);
            look(&s, name, pose, v);
            suite_near1("way", pose[0], slides ? 0.5 * (26 - 0.5 * 5 * G) / 5 : 0, 1e-10, 1);
            suite_near1("height", pose[2], 0.1 * (2 * i - 1), 1e-12, 1);
        }
        done(&s);
    }
    /* it does not turn: what its impulses are solved to is no motion that a step must resolve */
    lg_run_options o = lg_run_options_default();
    lg_run_result f = lg_run_result_default();
    open_with(&s, "pushed-stack", NULL, 0);
    o.steps = 300;
    motion_well(lg_run(s.mo, &f, &o), s.mo);
    assert_int_equal(f.resolved, 1);
    done(&s);
}

/* McGeer: an impact leaves eta = (I + m l^2 cos(2 alpha)) / (I + m l^2) of the speed, and in the steady gait a step's
 * descent gives back what it takes; the square of the speed comes nearer by eta^2 a step. */
static void passive_walker(void **unused)
{
    const double I = 1.5, J = I + 10, alpha = PI / 8, eta = (I + 10 * cos(2 * alpha)) / J;
    const double gain = 4 * 10 * G * sin(alpha) * sin(0.08) / J, steady = gain / (1 - eta * eta);
    show s;
    double pose[7], v[6], before = 0, rate = 0;
    int walked = 0;
    (void)unused;
    open_with(&s, "passive-walker", NULL, 0);
    while (s.impacts < 20) {
        motion_well(lg_motion_step(s.mo, 1), s.mo);
        if (s.impacts == walked) continue;
        /* before the impact, by the speed at which the next feet come down */
        const double square = pow(s.approach[walked] / (2 * sin(alpha)), 2);
        suite_near1("loss", s.loss[walked], 0.5 * J * (1 - eta * eta) * square, 1e-6, square);
        if (walked > 0 && walked < 10)
            suite_near1("comes nearer by eta^2", square - steady, eta * eta * (before - steady), 1e-5, steady);
        before = square, rate = square, walked = s.impacts;
    }
    suite_near1("steady", rate, steady, 1e-5, steady);
    look(&s, "wheel", pose, v);
    suite_below("straight on", fabs(pose[1]), 1e-9);
    to(&s, 20);
    done(&s);
}

/* The box goes up with the fingers, without slip; with less friction it stays. */
static void gripper(void **unused)
{
    show s;
    (void)unused;
    open_with(&s, "gripper", NULL, 0);
    to(&s, 0.2);
    const double held = height(&s, "box") - joint(&s, "lift", NULL);
    to(&s, 3.5);
    suite_near1("slip", height(&s, "box") - joint(&s, "lift", NULL), held, 1e-10, 1);
    suite_near1("lifted", joint(&s, "lift", NULL), 0.3 - 2.4 * G / 4000, 1e-5, 1);
    suite_above("height", height(&s, "box"), 0.37);
    done(&s);
    open_with(&s, "gripper", "sides.friction", 0.2); /* 8 N of 9.81 */
    to(&s, 1);
    suite_near1("stays", height(&s, "box"), 0.08, 1e-10, 1);
    done(&s);
}

enum { GRIPPERS = 8 };

/* Each grips with its own force, from 6 N on; from m g/2 mu = 8.2 N on the box does not slip down. */
static lg_status grip(int64_t i, lg_model *M, lg_motion *mo, void *context)
{
    const double force = 6 + 2 * (double)i, u[3] = {0.2, force, force};
    (void)M;
    const lg_status st = lg_gallery_start(mo, *(const int *)context);
    return st == LG_OK ? lg_motion_set_control(mo, u) : st;
}

/* An ensemble of grippers, on any number of threads, is as many grippers alone. */
static void grippers(void **unused)
{
    int exhibit = lg_gallery_index("gripper");
    show s;
    (void)unused;
    for (int threads = 1; threads < 4; threads += 2) {
        lg_ensemble *E;
        lg_ensemble_options o = lg_ensemble_options_default();
        open_with(&s, "gripper", NULL, 0);
        o.step = lg_gallery_step(exhibit), o.threads = threads;
        suite_ok("ensemble", lg_ensemble_create(&E, motion_model(s.m), GRIPPERS, &o));
        suite_ok("set", lg_ensemble_set_all(E, grip, &exhibit));
        suite_ok("run", lg_ensemble_run(E, 300, 300, NULL, NULL));
        for (int i = 0; i < GRIPPERS; i++) {
            lg_motion *of_ensemble;
            double pose[7], alone[7];
            const int box = lg_mechanism_body(s.m, "box");
            suite_case("%d threads, gripper %d", threads, i);
            suite_ok("status", lg_ensemble_status(E, i));
            suite_ok("motion", lg_ensemble_motion(&of_ensemble, E, i));
            motion_well(lg_motion_body_pose(of_ensemble, pose, box), of_ensemble);
            lg_motion_destroy(of_ensemble);
            suite_ok("alone", grip(i, NULL, s.mo, &exhibit));
            motion_well(lg_motion_step(s.mo, 300), s.mo);
            motion_well(lg_motion_body_pose(s.mo, alone, box), s.mo);
            suite_same_bits("box", pose, alone, 7);
            assert_true((pose[2] > 0.2) == (i >= 2)); /* lifted */
        }
        lg_ensemble_destroy(E);
        done(&s);
    }
}

/* While its wheels stick it is the bicycle that rolls; then it falls, slides, and comes to rest for good. */
static void falling_bicycle(void **unused)
{
    show s;
    lg_mechanism *m;
    lg_motion *mo;
    double pose[7], v[6], own[7], still[7], poses[4 * 7], twists[4 * 6];
    (void)unused;
    open_with(&s, "falling-bicycle", NULL, 0);
    const int rolls = lg_gallery_index("bicycle");
    mechanism_well(lg_gallery_create(&m, rolls), m);
    motion_well(motion_create(&mo, m, NULL, lg_gallery_step(lg_gallery_index("falling-bicycle"))), mo);
    for (int b = 0; b < 4; b++) {
        motion_well(lg_motion_body_pose(s.mo, poses + 7 * b, b), s.mo);
        motion_well(lg_motion_body_twist(s.mo, twists + 6 * b, b), s.mo);
    }
    motion_well(lg_motion_start_poses(mo, 0, poses, twists, 0), mo);
    to(&s, 0.5);
    motion_well(lg_motion_run_to(mo, 0.5), mo);
    look(&s, "frame", pose, v);
    motion_well(lg_motion_body_pose(mo, own, lg_mechanism_body(m, "frame")), mo);
    suite_near("as the wheels roll", pose, own, 7, 3e-5, 1);
    to(&s, 1);
    assert_int_equal(s.impacts, 0);
    to(&s, 4);
    look(&s, "frame", still, v);
    suite_below("height of the frame", still[2], 0.4);
    suite_below("speed", sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), 1e-10);
    to(&s, 5);
    look(&s, "frame", pose, v);
    suite_near("does not creep", pose, still, 7, 1e-11, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
    done(&s);
}

/* Its spin reverses, as that of the catalog's rattleback, which rolls by a constraint. */
static void rattleback(void **unused)
{
    show s;
    double pose[7], v[6];
    lg_model *M;
    lg_motion *mo;
    (void)unused;
    suite_ok("catalog", lg_catalog_create(&M, "rattleback"));
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.001;
    suite_ok("create", lg_motion_create(&mo, M, &o));
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    open_with(&s, "rattleback-friction", NULL, 0);
    const int columns = lg_model_column_count(M), spin = lg_model_column_find(M, "inv_vertical_spin");
    double *row = calloc((size_t)columns, sizeof *row);
    assert_true(spin >= 0);
    for (int k = 1; k <= 5; k++) {
        to(&s, k);
        motion_well(lg_motion_run_to(mo, k), mo);
        motion_well(lg_motion_row(mo, row), mo);
        look(&s, "stone", pose, v);
        suite_near1("spin", v[5], row[spin], 0.03, 1);
    }
    suite_above("it has reversed", v[5], 1);
    free(row);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball),   cmocka_unit_test(cradle),     cmocka_unit_test(tippe_top),
        cmocka_unit_test(rocking_block),   cmocka_unit_test(dominoes),   cmocka_unit_test(pushed_stack),
        cmocka_unit_test(passive_walker),  cmocka_unit_test(gripper),    cmocka_unit_test(grippers),
        cmocka_unit_test(falling_bicycle), cmocka_unit_test(rattleback),
    };
    suite_begin("multibody/gallery_contacts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
