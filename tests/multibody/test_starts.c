/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts with projection: impulses of a wheel and of a joint to the world act on the world and on nothing else, so
 * wheels do not slip, the steps continue consistently, and an impact loses the energy that its projection removes. */
#include <math.h>
#include <string.h>

#include "support/mechanisms.h"

static const double centre[3] = {0, 0, 0}, beside[3] = {0.05, 0.02, -0.03};
static const double near[3] = {0.5, 0.3, 1}, far[3] = {3, 2, 1};

/* ---- one disk on a rod ---- */

static void rolls_on(double lean, const double *to, const double *at)
{
    static const double twist[6] = {1, 0.2, 0.1, 0.3, 2, 0.4};
    lg_mechanism *m = mechanism_disk_on_rod(lean, 0.01, to, at);
    lg_motion *mo;
    double pose[7];
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    suite_ok("pose", lg_motion_body_pose(mo, pose, 0));
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
    suite_below("slip at the start", lg_motion_slip(mo), 1e-14);
    const double H = lg_motion_energy(mo);
    motion_well(lg_motion_step(mo, 20), mo);
    suite_below("slip", lg_motion_slip(mo), 1e-14);
    suite_near1("energy", lg_motion_energy(mo), H, 1e-14, fabs(H));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void disk_on_rod(void **unused)
{
    static const double lean[] = {0, 0.3, 0.8};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        suite_case("lean %g", lean[i]);
        rolls_on(lean[i], near, centre);
        rolls_on(lean[i], near, beside);
        rolls_on(lean[i], far, centre);
    }
}

/* A free disk is caught by rod and ground. With the rows A of the contact and of the rod written out, and the inertia J
 * in space, T falls by (A xi)^T (A J^-1 A^T)^-1 (A xi)/2 = 0.204299 J. */
static void impact(void **unused)
{
    static const double twist[6] = {1, 0.2, 0.1, 0.3, 2, 0.4}, lean = 0.4;
    const double pose[7] = {0, 0, 0.2 * cos(lean), sin(lean / 2), 0, 0, cos(lean / 2)};
    (void)unused;
    lg_mechanism *caught = mechanism_disk_on_rod(lean, 0.013, near, beside),
                 *free = mechanism_disk_on_rod(lean, 0.013, NULL, NULL);
    lg_motion *before, *after;
    double lost;
    motion_well(motion_create(&before, free, NULL, 0.01), before);
    motion_well(motion_create(&after, caught, NULL, 0.01), after);
    motion_well(lg_motion_start_poses(before, 0, pose, twist, 0), before);
    motion_well(lg_motion_continue(after, &lost, before), after);
    suite_near1("lost", lost, 0.2042985433961441, 1e-13, 1);
    suite_below("slip", lg_motion_slip(after), 1e-14);
    lg_motion_destroy(before), lg_motion_destroy(after);
    lg_mechanism_destroy(caught), lg_mechanism_destroy(free);
}

/* ---- many ---- */

/* A body on a wheel that a joint ties to the world. */
static lg_mechanism *tied(lg_joint_kind kind, lg_wheel_kind wheel, lg_contact contact, double spin)
{
    static const double axis[3] = {0.1, 0.2, 1}, hub[3] = {0.6, -0.2, 0.5}, elbow[3] = {0.3, 0.2, 0.7};
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    mechanism_add_body(m, "disk", 0, 0, 0.5);
    lg_wheel w = lg_wheel_default("wheel", "disk");
    w.kind = wheel, w.contact = contact, w.radius = 0.5, w.ground_spin = spin;
    if (contact == LG_CONTACT_OMNI) w.roller_angle = 0.7;
    mechanism_well(lg_mechanism_add_wheel(m, NULL, &w), m);
    if (kind == LG_JOINT_DISTANCE) {
        lg_joint j = lg_joint_default("tie", kind, NULL, "disk");
        memcpy(j.parent_point, near, sizeof near), memcpy(j.child_point, beside, sizeof beside);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    } else { /* an arm, which leaves the wheel two freedoms and more */
        mechanism_add_body(m, "arm", 0.4, 0, 0.6);
        mechanism_add_joint(m, "tie", kind, NULL, "arm", hub, axis);
        mechanism_add_joint(m, "elbow", LG_JOINT_SPHERICAL, "arm", "disk", elbow, axis);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static const struct {
    const char *name;
    lg_joint_kind kind;
    lg_wheel_kind wheel;
    lg_contact contact;
    double spin;
} mechanisms[] = {
    {"disk, distance", LG_JOINT_DISTANCE, LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0},
    {"ball, distance", LG_JOINT_DISTANCE, LG_WHEEL_BALL, LG_CONTACT_ROLLS, 0},
    {"ball on a turntable, distance", LG_JOINT_DISTANCE, LG_WHEEL_BALL, LG_CONTACT_ROLLS, 0.7},
    {"blade, distance", LG_JOINT_DISTANCE, LG_WHEEL_DISK, LG_CONTACT_EDGE, 0},
    {"disk, point", LG_JOINT_SPHERICAL, LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0},
    {"disk, hinge", LG_JOINT_REVOLUTE, LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0},
    {"ball on a turntable, hinge", LG_JOINT_REVOLUTE, LG_WHEEL_BALL, LG_CONTACT_ROLLS, -1},
    {"disk, universal", LG_JOINT_UNIVERSAL, LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0},
    {"disk, cylindrical", LG_JOINT_CYLINDRICAL, LG_WHEEL_DISK, LG_CONTACT_ROLLS, 0},
    {"ball, planar", LG_JOINT_PLANAR, LG_WHEEL_BALL, LG_CONTACT_ROLLS, 0},
    {"rollers on a turntable, distance", LG_JOINT_DISTANCE, LG_WHEEL_DISK, LG_CONTACT_OMNI, 0.7},
};
enum { MECHANISMS = sizeof mechanisms / sizeof mechanisms[0], STARTS = 2000 / MECHANISMS };

/* Random twists, and poses near those of assembly. */
static void start_at_random(lg_motion *mo, const double *assembled, int bodies, lg_rng *rng)
{
    double pose[14], twist[12], off[14];
    suite_normal(off, 7 * bodies, rng), suite_normal(twist, 6 * bodies, rng);
    for (int i = 0; i < 7 * bodies; i++) pose[i] = assembled[i] + 0.01 * off[i];
    motion_well(lg_motion_start_poses(mo, 0, pose, twist, 1), mo);
    suite_input("pose", pose, 7 * bodies), suite_input("twist", twist, 6 * bodies);
}

static void many_starts(void **unused)
{
    (void)unused;
    for (int k = 0; k < MECHANISMS; k++) {
        lg_mechanism *m = tied(mechanisms[k].kind, mechanisms[k].wheel, mechanisms[k].contact, mechanisms[k].spin);
        const int bodies = lg_mechanism_body_count(m);
        lg_motion *mo;
        double assembled[14];
        lg_rng rng = suite_rng((uint64_t)k);
        motion_well(motion_create(&mo, m, k % 2 ? "gauss" : "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        for (int b = 0; b < bodies; b++) suite_ok("pose", lg_motion_body_pose(mo, assembled + 7 * b, b));
        for (int i = 0; i < suite_count(STARTS); i++) {
            suite_case("%s, start %d", mechanisms[k].name, i);
            start_at_random(mo, assembled, bodies, &rng);
            suite_below("slip", lg_motion_slip(mo), 1e-14);
            suite_below("gap", lg_motion_gap(mo), 1e-14);
        }
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
}

/* ---- whichever engine moves it ---- */

/* Every start starts the motion, and a reset comes back to it. */
static void engines(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rattle", "sem:gauss=2", "rk4"};
    static const double q[2] = {0.4, -0.3}, v[2] = {0.7, 0.2};
    const int number = lg_gallery_index("double-pendulum");
    (void)unused;
    lg_mechanism *m;
    mechanism_well(lg_gallery_create(&m, number), m);
    for (int i = 0; i < 5; i++) {
        double g[14], xi[12], poses[14], twists[12], want[4], at[4];
        lg_motion *mo, *last;
        motion_well(motion_create(&last, m, "sem", 0.01), last);
        motion_well(motion_create(&mo, m, methods[i], 0.01), mo);
        for (int way = 0; way < 4; way++) {
            suite_case("%s, start %d", methods[i], way);
            if (way == 3)
                motion_well(lg_gallery_start(last, number), last);
            else
                motion_well(lg_motion_start_joints(last, 0.5 * way, q, v, 0), last);
            suite_ok("state", lg_motion_state(last, g, xi, NULL));
            suite_ok("poses", lg_motion_poses(last, poses));
            for (int b = 0; b < 2; b++) suite_ok("twist", lg_motion_body_twist(last, twists + 6 * b, b));
            suite_ok("positions", lg_motion_positions(last, want, want + 2));
            if (way == 0) motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
            if (way == 1) motion_well(lg_motion_start_poses(mo, 0.5, poses, twists, 1), mo);
            if (way == 2) motion_well(lg_motion_start_state(mo, 1, g, xi, 1), mo);
            if (way == 3) motion_well(lg_gallery_start(mo, number), mo);
            for (int again = 0; again < 2; again++) {
                suite_near1("time", lg_motion_time(mo), lg_motion_time(last), 0, 1);
                suite_ok("positions", lg_motion_positions(mo, at, at + 2));
                suite_near("state", at, want, 4, 1e-13, 1);
                motion_well(lg_motion_step(mo, 5), mo);
                suite_ok("positions", lg_motion_positions(mo, at, at + 2));
                if (fabs(at[0] - want[0]) + fabs(at[1] - want[1]) < 1e-3) suite_fail("it does not move");
                suite_ok("reset", lg_motion_reset(mo));
            }
        }
        lg_motion_destroy(mo), lg_motion_destroy(last);
    }
    lg_mechanism_destroy(m);
}

static int push(double t, const double *poses, const double *twists, double *wrenches, void *context)
{
    (void)t, (void)poses, (void)twists, (void)context;
    wrenches[0] = 1;
    return 0;
}

/* A dense method refuses starts that it does not have. */
static void dense(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    lg_motion *mo, *from;
    double A[16], wrench[6];
    int joint;
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("double-pendulum")), m);
    motion_well(motion_create(&from, m, "sem", 0.01), from);
    motion_well(motion_create(&mo, m, "sem:gauss=2", 0.01), mo);
    motion_well(lg_motion_start(from, 0, NULL, 1), from);
    suite_status("start", lg_motion_start_joints(mo, 0, (double[2]){NAN, 0}, NULL, 1), LG_ERROR_NOT_FINITE);
    suite_contains("start", lg_motion_message(mo), "not finite");
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    suite_status("wrench", lg_motion_set_wrench(mo, push, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("wrench", lg_motion_message(mo), "takes no wrench function; create the motion with sem or gauss");
    suite_status("continue", lg_motion_continue(mo, NULL, from), LG_ERROR_UNSUPPORTED);
    suite_contains("continue", lg_motion_message(mo), "create the motion with sem or gauss");
    suite_status("step", lg_motion_linearise_step(mo, A, NULL, NULL, NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("step", lg_motion_message(mo), "lg_linearisation");
    suite_ok("linearise", lg_motion_linearise(mo, A, NULL, NULL, NULL));
    suite_status("linearise", lg_motion_linearise(mo, NULL, NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_contains("linearise", lg_motion_message(mo), "A is NULL");
    suite_status("reaction", lg_motion_joint_wrench(mo, wrench, 0), LG_ERROR_UNSUPPORTED);
    assert_true(isnan(lg_motion_motor_work(mo, 0)));
    assert_true(lg_motion_limit(mo, &joint) > 0);
    lg_motion_destroy(mo), lg_motion_destroy(from), lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disk_on_rod), cmocka_unit_test(impact), cmocka_unit_test(many_starts),
        cmocka_unit_test(engines),     cmocka_unit_test(dense),
    };
    suite_begin("multibody/starts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
