/* SPDX-License-Identifier: BSD-3-Clause */
/* The element <liegrp> of a URDF: wheels, springs and loops, also on links that were merged into a body. Limits
 * of joints, and the event that one is reached. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "multibody/mechanism.h"
#include "support/mechanisms.h"

#define MASS "<inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define JOINT(name, type, parent, child, rest)                                                                         \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" rest "</joint>"

static lg_motion *started(lg_mechanism *m, double h)
{
    lg_motion *mo;
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("motion", motion_create(&mo, m, NULL, h));
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    return mo;
}

static void finish(lg_motion *mo, lg_mechanism *m)
{
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* `mount` is part of b: 1 m along its y, its x axis along b's y, its y axis along b's -x. */
#define MOUNTED                                                                                                        \
    "<link name='a'/><link name='b'>" MASS                                                                             \
    "</link><link name='mount'/>" JOINT("j", "floating", "a", "b", "<origin xyz='0 0 5'/>")                            \
        JOINT("k", "fixed", "b", "mount", "<origin xyz='0 1 0' rpy='0 0 1.5707963267948966'/>")

static void parts_on_merged_links(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        "<robot name='r'>" MOUNTED "<liegrp><wheel name='w' link='mount' radius='0.3' tube='0.1' kind='disk' "
        "contact='edge' centre='1 2 3' axle='0 1 0' ground_normal='0 1 1' ground_point='1 1 1' ground_velocity='3 0 0' "
        "ground_spin='2'/><wheel name='v' link='b' radius='1' kind='ball' contact='slides'/>"
        "<wheel name='o' link='b' radius='1' contact='omni' roller_angle='-0.75'/>"
        "<spring name='s' link1='world' link2='mount' point1='4 5 6' point2='1 2 3' stiffness='7' rest='0.5' "
        "damping='8'/><sphere_contact name='c' link1='mount' link2='world' radius1='1' radius2='0.25' centre1='1 2 3' "
        "centre2='4 5 6' contact='slides' inside='true'/></liegrp></robot>",
        NULL);
    lg_sphere_contact c = lg_sphere_contact_default("", NULL, NULL);
    const lg_wheel *w = MB_WHEEL_OF(m, 0), *v = MB_WHEEL_OF(m, 1);
    const lg_spring *s = MB_SPRING_OF(m, 0);
    const double turned[3] = {-2, 2, 3}; /* of (1, 2, 3) on the mount */
    assert_string_equal(w->body, "b");
    suite_near("centre", w->centre, turned, 3, 1e-15, 1);
    suite_near("axle", w->axle, (const double[3]){-1, 0, 0}, 3, 1e-15, 1);
    suite_near("radius, tube, spin", (const double[3]){w->radius, w->tube, w->ground_spin},
               (const double[3]){0.3, 0.1, 2}, 3, 0, 1);
    suite_near("normal", w->ground_normal, (const double[3]){0, 1, 1}, 3, 0, 1);
    suite_near("point", w->ground_point, (const double[3]){1, 1, 1}, 3, 0, 1);
    suite_near("velocity", w->ground_velocity, (const double[3]){3, 0, 0}, 3, 0, 1);
    assert_true(w->kind == LG_WHEEL_DISK && w->contact == LG_CONTACT_EDGE);
    assert_true(v->kind == LG_WHEEL_BALL && v->contact == LG_CONTACT_SLIDES);
    assert_true(MB_WHEEL_OF(m, 2)->contact == LG_CONTACT_OMNI && MB_WHEEL_OF(m, 2)->roller_angle == -0.75);
    assert_null(s->parent);
    assert_string_equal(s->child, "b");
    suite_near("points", s->parent_point, (const double[3]){4, 5, 6}, 3, 0, 1);
    suite_near("points", s->child_point, turned, 3, 1e-15, 1);
    suite_near("spring", (const double[3]){s->stiffness, s->rest, s->damping}, (const double[3]){7, 0.5, 8}, 3, 0, 1);
    suite_ok("contact", lg_mechanism_read_sphere_contact(m, &c, 0));
    assert_string_equal(c.parent, "b");
    assert_null(c.child);
    suite_near("centre", c.parent_centre, turned, 3, 1e-15, 1);
    suite_near("centre", c.child_centre, (const double[3]){4, 5, 6}, 3, 0, 1);
    suite_near("radii", (const double[2]){c.parent_radius, c.child_radius}, (const double[2]){1, 0.25}, 2, 0, 1);
    assert_true(c.contact == LG_CONTACT_SLIDES && c.inside == 1);
    lg_mechanism_destroy(m);
}

/* A loop of each kind leaves as many freedoms as its joint has, and stays closed. */
static void kinds_of_loops(void **unused)
{
    (void)unused;
    static const struct {
        const char *type, *more;
        int freedoms;
    } loops[] = {{"fixed", "", 0},     {"revolute", "", 1},    {"continuous", "", 1},
                 {"prismatic", "", 1}, {"cylindrical", "", 2}, {"universal", "<axis2 xyz='0 1 0'/>", 2},
                 {"spherical", "", 3}, {"planar", "", 3},      {"distance", "<child_origin xyz='0.1 0.2 0.3'/>", 5}};
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[2048];
        (void)snprintf(
            text, sizeof text,
            "<robot name='r'>" MOUNTED "<link name='c'>" MASS "</link>" JOINT(
                "l", "continuous", "a", "c",
                "") "<liegrp><loop_joint name='loop' type='%s' link1='c' link2='mount'><origin xyz='0.5 0 0'/>"
                    "<axis xyz='0 0 3'/>%s</loop_joint></liegrp></robot>",
            loops[i].type, loops[i].more);
        suite_case("%s", loops[i].type);
        lg_mechanism *m = mechanism_of_text(text, NULL);
        lg_motion *mo = started(m, 0.005);
        assert_int_equal(lg_mechanism_freedoms(m), 1 + loops[i].freedoms);
        motion_well(lg_motion_step(mo, 20), mo);
        suite_below("gap", lg_motion_gap(mo), 1e-13);
        finish(mo, m);
    }
}

/* Points on both links meet, though they are apart at position 0; the axis is the same on both. */
static void loops_close(void **unused)
{
    (void)unused;
    static const char text[] =
        "<robot name='r'><link name='ground'/><link name='crank'>" MASS "</link><link name='coupler'>" MASS "</link>"
        "<link name='rocker'>" MASS "</link>"
        "<joint name='1' type='continuous'><parent link='ground'/><child link='crank'/><axis xyz='0 1 0'/></joint>"
        "<joint name='2' type='continuous'><parent link='crank'/><child link='coupler'/><origin xyz='0 0 0.2'/>"
        "<axis xyz='0 1 0'/></joint>"
        "<joint name='3' type='continuous'><parent link='coupler'/><child link='rocker'/><origin xyz='0.5 0 0'/>"
        "<axis xyz='0 1 0'/></joint>"
        "<liegrp><loop_joint name='pin' type='revolute' link1='ground' link2='rocker'>"
        "<origin xyz='0.6 0 0.1' rpy='0 0.5 0'/><child_origin xyz='0 0 -0.3'/><axis xyz='0 1 0'/>"
        "</loop_joint></liegrp></robot>";
    lg_mechanism *m = mechanism_of_text(text, NULL);
    lg_motion *mo = started(m, 0.005);
    double p[3], q[2];
    for (int i = 0; i < 5; i++) {
        motion_well(lg_motion_point(mo, p, NULL, lg_mechanism_body(m, "rocker"), (const double[3]){0, 0, -0.3}), mo);
        suite_near("pin", p, (const double[3]){0.6, 0, 0.1}, 3, 1e-13, 1);
        motion_well(lg_motion_step(mo, 20), mo);
    }
    /* the angle of the pin: that of the rocker in space less that of the frame on the ground */
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        motion_well(lg_motion_joint(mo, q, NULL, j), mo);
        sum += q[0];
    }
    motion_well(lg_motion_joint(mo, q, NULL, 3), mo);
    suite_near1("angle", remainder(q[0] - (sum - 0.5), 2 * SUITE_PI), 0, 1e-13, 1);
    finish(mo, m);
}

static int room(const lg_motion *mo, double *f, void *unused)
{
    (void)unused;
    *f = lg_motion_limit(mo, NULL);
    return 0;
}

/* ---- limits ---- */

static void limits(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    const double zero[3] = {0, 0, 0};
    suite_ok("mechanism", lg_mechanism_create(&m));
    mechanism_add_body(m, "bob", 0.5, 0, 0);
    lg_joint j = lg_joint_default("pivot", LG_JOINT_REVOLUTE, NULL, "bob");
    memcpy(j.point, zero, sizeof zero);
    j.axis[1] = 1, j.axis[2] = 0, j.lower = 1, j.upper = -1;
    suite_status("limits", lg_mechanism_add_joint(m, NULL, &j), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "lower <= upper");
    j.lower = NAN;
    suite_status("limits", lg_mechanism_add_joint(m, NULL, &j), LG_ERROR_ARGUMENT);
    j.lower = -1, j.upper = 1, j.kind = LG_JOINT_SPHERICAL;
    suite_status("limits", lg_mechanism_add_joint(m, NULL, &j), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "lengths and angles");
    j.kind = LG_JOINT_REVOLUTE, j.lower = -0.5, j.upper = 0.8;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    lg_motion *mo = started(m, 0.005);
    int which = -1, passed = 0;
    for (int i = 0; i < 200; i++) { /* it falls towards +pi/2 */
        double q;
        motion_well(lg_motion_step(mo, 1), mo);
        motion_well(lg_motion_joint(mo, &q, NULL, 0), mo);
        suite_near1("room", lg_motion_limit(mo, &which), fmin(q + 0.5, 0.8 - q), 1e-15, 1);
        assert_int_equal(which, 0);
        passed |= lg_motion_limit(mo, NULL) < 0;
    }
    assert_true(passed);
    /* the event that it is reached */
    const lg_motion_event event = lg_motion_event_default(room, NULL);
    int found = 0;
    double q;
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    for (int i = 0; i < 200 && !found; i++) motion_well(lg_motion_step_to_event(mo, &found, &event), mo);
    assert_int_equal(found, -1);
    motion_well(lg_motion_joint(mo, &q, NULL, 0), mo);
    suite_near1("at the limit", q, 0.8, 1e-12, 1);
    finish(mo, m);
    assert_true(isnan(lg_motion_limit(NULL, &which)));
    m = mechanism_of_text("<robot name='r'>" MOUNTED "</robot>", NULL);
    mo = started(m, 0.005);
    assert_true(isinf(lg_motion_limit(mo, &which)) && which == -1);
    finish(mo, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_on_merged_links),
        cmocka_unit_test(kinds_of_loops),
        cmocka_unit_test(loops_close),
        cmocka_unit_test(limits),
    };
    suite_begin("files_parts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
