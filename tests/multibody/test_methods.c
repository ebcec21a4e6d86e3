/* SPDX-License-Identifier: BSD-3-Clause */
/* Every dense method on mechanisms: its order, or why it does not take them. */
#include <math.h>
#include <string.h>

#include <liegrp/integrators/linearisation.h>
#include <liegrp/multibody/gallery.h>

#include "support/mechanism_systems.h"

typedef enum gallery { PENDULUM, DRIVEN, ROLLING, GALLERY } gallery;

/* Two links; two links with spring, damper and motor; a disk that rolls. */
static lg_mechanism *gallery_of(gallery which)
{
    static const double y[3] = {0, 1, 0}, tilted[3] = {0.3, 0, 1}, first[3] = {0, 0, 0}, second[3] = {1, 0, 0};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "a", which == ROLLING ? 0 : 0.5, 0, 0);
    if (which == ROLLING) {
        lg_wheel w = lg_wheel_default("disk", "a");
        w.radius = 0.5, w.ground_point[2] = -0.5, w.ground_velocity[0] = 0.1;
        mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    } else {
        lg_joint k = lg_joint_default("k", which == DRIVEN ? LG_JOINT_REVOLUTE : LG_JOINT_SPHERICAL, "a", "b");
        mechanism_add_body(m, "b", 1.5, 0, 0);
        mechanism_add_joint(m, "j", LG_JOINT_REVOLUTE, NULL, "a", first, y);
        memcpy(k.point, second, sizeof second), memcpy(k.axis, tilted, sizeof tilted);
        if (which == DRIVEN) k.stiffness = 2, k.damping = 0.1;
        mechanism_well(lg_mechanism_add_joint(m, NULL, &k), m);
    }
    if (which == DRIVEN) {
        const lg_motor motor = lg_motor_default("motor", "k");
        mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    }
    mechanism_well(lg_mechanism_keep_order(m), m);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

typedef struct truth {
    const lg_system *S;
    double g0[14], xi0[12], g[14]; /* at 0, and at 0.2 */
    int bodies;
} truth;

static const double torque = 0.5;

/* A sparse composition of order 6. */
static void truth_of(truth *t, lg_mechanism *m)
{
    lg_motion *mo;
    lg_integrator *it;
    double v[12], p[12];
    for (int i = 0; i < 12; i++) v[i] = 0.5 + 0.1 * i;
    t->S = system_of(m), t->bodies = lg_mechanism_body_count(m);
    motion_well(motion_create(&mo, m, "sem@kahan-li6", 0.005), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, v, 1), mo);
    suite_ok("state", lg_motion_state(mo, t->g0, NULL, p));
    if (t->S->callbacks.control_count) motion_well(lg_motion_set_control(mo, &torque), mo);
    motion_well(lg_motion_step(mo, 40), mo);
    suite_ok("state", lg_motion_state(mo, t->g, NULL, NULL));
    integrator_well(lg_integrator_create(&it, t->S, "sem", "exp", 0.1), it);
    integrator_well(lg_integrator_start_momentum(it, 0, t->g0, p), it);
    suite_ok("velocity", lg_integrator_velocity(it, t->xi0));
    lg_integrator_destroy(it);
    lg_motion_destroy(mo);
}

/* The distance from the truth with a step; -1: the method refuses the system, in these words. */
static double distance_of(const truth *t, const char *method, const char *retraction, int steps, const char *words)
{
    lg_integrator *it;
    double off = 0;
    const lg_status st = lg_integrator_create(&it, t->S, method, retraction, 0.2 / steps);
    if (words[0]) {
        suite_status("refusal", st, LG_ERROR_UNSUPPORTED);
        suite_contains("words", lg_integrator_message(it), words);
        lg_integrator_destroy(it);
        return -1;
    }
    integrator_well(st, it);
    integrator_well(lg_integrator_start(it, 0, t->g0, t->xi0, LG_START_REACTION, 0), it);
    if (t->S->callbacks.control_count) integrator_well(lg_integrator_set_control(it, &torque), it);
    for (int i = 0; i < steps; i++) integrator_well(lg_integrator_step(it), it);
    for (int i = 0; i < 7 * t->bodies; i++) off = fmax(off, fabs(lg_integrator_configuration(it)[i] - t->g[i]));
    lg_integrator_destroy(it);
    return off;
}

/* A method's message for a mechanism that it refuses: constraints first, then its demands on the system. */
static const char *words_of(const char *method, int velocity)
{
    const int own = strstr(method, ":user") != NULL;
    if (strcmp(method, "sem:gonzalez") == 0) return "neither holonomic constraints nor forces";
    if (strcmp(method, "nsv") == 0 || strcmp(method, "smv") == 0 || strcmp(method, "sml") == 0)
        return "takes no holonomic constraints";
    if (velocity && (strncmp(method, "rattle", 6) == 0 || strncmp(method, "variational", 11) == 0))
        return "takes no velocity constraints";
    if (own && velocity && strcmp(method, "dla:user") == 0) return "own discrete constraint";
    return own ? "own discrete Lagrangian" : "";
}

/* 1 where points lie to one side; without forces and velocity constraints such methods are conjugate to better ones. */
static double order_of(const char *method, gallery which)
{
    if (strncmp(method, "rk", 2) == 0) return 4;
    if (strncmp(method, "gauss", 5) == 0) return 16;
    if (which != PENDULUM && strstr(method, "euler") != NULL) return 1;
    return which == ROLLING && strcmp(method, "dla:midleft") == 0 ? 1 : 2;
}

/* Every method runs on mechanisms with its order, or says why not. */
static void methods(void **unused)
{
    static const char *const retractions[] = {"cayley", "exp"};
    (void)unused;
    for (int which = 0; which < GALLERY; which++) {
        lg_mechanism *m = gallery_of((gallery)which);
        truth t;
        truth_of(&t, m);
        for (int i = 0; lg_method_names()[i] != NULL; i++) {
            const char *method = lg_method_names()[i], *words = words_of(method, which == ROLLING);
            const char *retraction = retractions[i % 2];
            suite_case("mechanism %d, %s, %s", which, method, retraction);
            const double off = distance_of(&t, method, retraction, 16, words);
            if (off < 0) continue;
            const double finer = distance_of(&t, method, retraction, 32, words), order = log2(off / finer);
            if (order_of(method, (gallery)which) > 4) { /* there is round-off only */
                suite_below("distance", fmax(off, finer), 1e-9);
                continue;
            }
            suite_near1("order", order, order_of(method, (gallery)which), 0.15, 1);
        }
        lg_mechanism_destroy(m);
    }
}

/* ---- the gallery ---- */

typedef struct ending {
    double g[7 * MECHANISM_MOST], work, H0, H, gap, off;
} ending;

/* Steps of a method from a motion's state; 0: refused. */
static int end_of(ending *e, lg_mechanism *m, const lg_motion *mo, const char *method, const char *retraction, double h,
                  int steps)
{
    const lg_system *S = system_of(m);
    double p[6 * MECHANISM_MOST];
    lg_integrator *it;
    const char *words = words_of(method, S->constraint_count > 0);
    const lg_status st = lg_integrator_create(&it, S, method, retraction, h);
    if (words[0]) {
        suite_status("refusal", st, LG_ERROR_UNSUPPORTED);
        suite_contains("words", lg_integrator_message(it), words);
        lg_integrator_destroy(it);
        return 0;
    }
    integrator_well(st, it);
    suite_ok("state", lg_motion_state(mo, e->g, NULL, p));
    integrator_well(lg_integrator_start_momentum(it, 0, e->g, p), it);
    if (S->callbacks.control_count) integrator_well(lg_integrator_set_control(it, gallery_controls), it);
    e->work = e->gap = e->off = 0, e->H0 = lg_integrator_energy(it);
    for (int i = 0; i < steps; i++) {
        integrator_well(lg_integrator_step(it), it);
        e->work += lg_integrator_step_work(it);
        e->gap = fmax(e->gap, lg_integrator_holonomic_residual(it));
        e->off = fmax(e->off, lg_integrator_constraint_residual(it));
    }
    e->H = lg_integrator_energy(it);
    memcpy(e->g, lg_integrator_configuration(it), (size_t)(7 * lg_mechanism_body_count(m)) * sizeof *e->g);
    lg_integrator_destroy(it);
    return 1;
}

/* Where a sparse composition of order 6 arrives from there. */
static void arrive(double *g, lg_mechanism *m, int i, double h)
{
    lg_motion *mo = gallery_motion(m, i, "sem@kahan-li6", h / 4);
    motion_well(lg_motion_step(mo, 16), mo);
    suite_ok("state", lg_motion_state(mo, g, NULL, NULL));
    lg_motion_destroy(mo);
}

/* Four steps, and twice as many of half the size: joints stay closed, `sem` balances the energy and does not slip, and
 * the distance from the true motion falls as the order says. */
static void promises(lg_mechanism *m, int i, const lg_motion *mo, const char *method, const char *retraction)
{
    const int numbers = 7 * lg_mechanism_body_count(m), energetic = strncmp(method, "sem", 3) == 0;
    const double h = 0.5 * lg_gallery_step(i), order = order_of(method, ROLLING);
    double there[7 * MECHANISM_MOST];
    ending e[2];
    if (!end_of(&e[0], m, mo, method, retraction, h, 4)) return;
    (void)end_of(&e[1], m, mo, method, retraction, h / 2, 8);
    if (order < 4) suite_below("phi", e[0].gap, 1e-11);
    if (energetic) suite_below("slip", e[0].off, 1e-10 * fmax(1, fabs(e[0].H0)));
    if (energetic) suite_near1("balance", e[0].H - e[0].H0, e[0].work, 1e-10, fmax(1, fabs(e[0].H0)));
    arrive(there, m, i, h);
    suite_below("distance", suite_distance(e[1].g, there, numbers),
                1.4 * pow(0.5, order) * suite_distance(e[0].g, there, numbers) + 1e-11);
}

static void gallery_methods(void **unused)
{
    static const char *const retractions[] = {"cayley", "exp"};
    int count = 0;
    (void)unused;
    while (lg_method_names()[count] != NULL) count++;
    for (int i = 0; i < gallery_without_contacts(); i++) {
        lg_mechanism *m = gallery_mechanism(i, 0);
        lg_motion *mo = gallery_motion(m, i, "sem", lg_gallery_step(i));
        const int bodies = lg_mechanism_body_count(m), each = bodies > 7 ? 0 : bodies > 5 ? 5 : 1;
        for (int k = 0; each > 0 && k < count; k += each) {
            const char *method = lg_method_names()[k], *retraction = retractions[(i + k) % 2];
            suite_case("%s, %s, %s", lg_gallery_name(i), method, retraction);
            promises(m, i, mo, method, retraction);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* Compositions make the same steps, too. */
static void compositions(void **unused)
{
    static const char *const names[][2] = {{"sem@suzuki4", "sem:cholesky@suzuki4"},
                                           {"sem@kahan-li6", "sem:cholesky@kahan-li6"}};
    (void)unused;
    for (int n = 0; n < 4; n++) {
        suite_case("%s, mechanism %d", names[n % 2][0], 1 + n / 2);
        lg_mechanism *m = gallery_of(n / 2 ? ROLLING : DRIVEN);
        lg_rng rng = suite_rng(5);
        lg_motion *mo = motion_started(m, names[n % 2][0], 0.02, &rng);
        lg_integrator *it = dense_of(m, mo, names[n % 2][1], 0.02);
        for (int i = 0; i < 5; i++) integrator_well(lg_integrator_step(it), it);
        motion_well(lg_motion_step(mo, 5), mo);
        mechanism_compare(mo, it, lg_mechanism_body_count(m), 1e-12);
        lg_integrator_destroy(it);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* The derivative of a step with respect to a motor's torque, by differences. */
static void linearised(void **unused)
{
    (void)unused;
    lg_mechanism *m = gallery_of(DRIVEN);
    lg_linearisation *lin;
    truth t;
    double y[2][24], J[(24 + 10) * (24 + 2)];
    const double e = 1e-3;
    truth_of(&t, m);
    for (int i = 0; i < 3; i++) {
        lg_integrator *it;
        const double u = torque + (i - 1) * e;
        integrator_well(lg_integrator_create(&it, t.S, "sem:cholesky", "cayley", 0.05), it);
        integrator_well(lg_integrator_start(it, 0, t.g0, t.xi0, LG_START_REACTION, 0), it);
        integrator_well(lg_integrator_set_control(it, &u), it);
        if (i == 1) {
            suite_ok("create", lg_linearisation_create(&lin, it));
            assert_int_equal(lg_linearisation_rows(lin), 34);
            assert_int_equal(lg_linearisation_columns(lin), 26);
            suite_ok("compute", lg_linearisation_compute(lin, it));
            suite_ok("jacobian", lg_linearisation_jacobian(lin, J));
            lg_linearisation_destroy(lin);
        } else {
            integrator_well(lg_integrator_step(it), it);
            memcpy(y[i / 2], lg_integrator_momentum(it), 12 * sizeof **y);
        }
        lg_integrator_destroy(it);
    }
    for (int k = 0; k < 12; k++) suite_near1("dp/du", J[(12 + k) * 26 + 24], (y[1][k] - y[0][k]) / (2 * e), 1e-8, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods),
        cmocka_unit_test(gallery_methods),
        cmocka_unit_test(compositions),
        cmocka_unit_test(linearised),
    };
    suite_begin("multibody/methods");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
