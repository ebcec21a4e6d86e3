/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of mechanisms by name, and descriptions that are read. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/multibody/scene.h>

#include "support/mechanisms.h"

/* Every parameter of the gallery: its name finds it, and what is set is read. */
static void all(void **unused)
{
    (void)unused;
    for (int g = 0; g < lg_gallery_count(); g++) {
        lg_mechanism *m;
        char name[128];
        mechanism_well(lg_gallery_describe(&m, g), m);
        const int count = lg_mechanism_parameter_count(m);
        assert_true(count >= 3 + 13 * lg_mechanism_body_count(m));
        for (int i = 0; i < count; i++) {
            const int length = lg_mechanism_parameter_name(m, name, sizeof name, i);
            suite_case("%s: %s", lg_gallery_name(g), name);
            assert_int_equal(length, (int)strlen(name));
            assert_int_equal(lg_mechanism_parameter(m, name), i);
            assert_non_null(lg_mechanism_parameter_unit(m, i));
            mechanism_well(lg_mechanism_set_parameter(m, name, 1000 + i), m);
            suite_near1("value", lg_mechanism_parameter_value(m, i), 1000 + i, 0, 1);
        }
        for (int i = 0; i < count; i++) suite_near1("value", lg_mechanism_parameter_value(m, i), 1000 + i, 0, 1);
        assert_int_equal(lg_mechanism_parameter_name(m, name, sizeof name, count), -1);
        assert_true(isnan(lg_mechanism_parameter_value(m, -1)));
        assert_null(lg_mechanism_parameter_unit(m, count));
        lg_mechanism_destroy(m);
    }
}

/* A parameter acts: the frequency of a pendulum under another gravity, and its energy with another mass. */
static void act(void **unused)
{
    const int g = lg_gallery_index("furuta");
    lg_mechanism *m;
    lg_motion *mo;
    lg_body b = lg_body_default(NULL);
    double first = 0;
    (void)unused;
    for (int heavy = 0; heavy < 2; heavy++) {
        mechanism_well(lg_gallery_describe(&m, g), m);
        if (heavy) mechanism_well(lg_mechanism_set_parameter(m, "pendulum.mass", 0.24), m);
        if (heavy) mechanism_well(lg_mechanism_set_parameter(m, "gravity.z", -2 * 9.81), m);
        mechanism_well(lg_mechanism_compile(m), m);
        motion_well(motion_create(&mo, m, NULL, 0.01), mo);
        motion_well(lg_gallery_start(mo, g), mo);
        if (heavy) suite_near1("energy", lg_motion_energy(mo), 4 * first, 1e-13, 1);
        first = lg_motion_energy(mo);
        lg_motion_destroy(mo);
        assert_int_equal(lg_mechanism_read_body(m, &b, 1), LG_OK);
        assert_string_equal(b.name, "pendulum");
        suite_near1("mass", b.mass, heavy ? 0.24 : 0.12, 0, 1);
        assert_int_equal(lg_mechanism_set_parameter(m, "pendulum.mass", 1), LG_ERROR_ARGUMENT);
        assert_non_null(strstr(lg_mechanism_message(m), "is compiled"));
        lg_mechanism_destroy(m);
    }
}

/* Impossible combinations are refused by compilation, after which the mechanism can be corrected. */
static void refusals(void **unused)
{
    static const struct {
        const char *name;
        double bad, good;
        const char *words;
    } cases[] = {
        {"chassis.mass", -1, 5, "body 'chassis': mass is -1"},
        {"chassis.inertia_xx", 5, 0.1, "no distribution of mass"},
        {"left axle.damping", -0.1, 0.1, "damping is -0.1"},
        {"left wheel.radius", 0, 0.1, "radius 0 must be positive"},
    };
    lg_mechanism *m;
    (void)unused;
    mechanism_well(lg_gallery_describe(&m, lg_gallery_index("vehicle")), m);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        suite_case("%s", cases[i].name);
        mechanism_well(lg_mechanism_set_parameter(m, cases[i].name, cases[i].bad), m);
        assert_int_equal(lg_mechanism_compile(m), LG_ERROR_ARGUMENT);
        if (strstr(lg_mechanism_message(m), cases[i].words) == NULL) fail_msg("%s", lg_mechanism_message(m));
        mechanism_well(lg_mechanism_set_parameter(m, cases[i].name, cases[i].good), m);
    }
    assert_int_equal(lg_mechanism_set_parameter(m, "chasis.mass", 1), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_mechanism_message(m), "chassis.mass"));
    assert_int_equal(lg_mechanism_set_parameter(m, "chassis", 1), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_set_parameter(m, "chassis.mass", (double)NAN), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_set_parameter(NULL, "chassis.mass", 1), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_set_parameter(m, NULL, 1), LG_ERROR_ARGUMENT);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_mechanism_destroy(m);
}

/* A joint and a spring of one name, which have fields of the same names. */
static void kinds(void **unused)
{
    static const double origin[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    char name[64];
    lg_mechanism *m;
    lg_spring s = lg_spring_default("knee", NULL, "shank"), read = lg_spring_default(NULL, NULL, NULL);
    lg_joint j = lg_joint_default(NULL, LG_JOINT_FREE, NULL, NULL);
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), m);
    mechanism_add_body(m, "shank", 0.3, 0, 0);
    mechanism_add_joint(m, "knee", LG_JOINT_REVOLUTE, NULL, "shank", origin, axis);
    mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    mechanism_well(lg_mechanism_set_parameter(m, "knee.stiffness", 3), m);
    mechanism_well(lg_mechanism_set_parameter(m, "spring:knee.stiffness", 4), m);
    mechanism_well(lg_mechanism_set_parameter(m, "joint:knee.damping", 5), m);
    assert_int_equal(lg_mechanism_read_joint(m, &j, 0), LG_OK);
    assert_int_equal(lg_mechanism_read_spring(m, &read, 0), LG_OK);
    suite_near1("joint", j.stiffness, 3, 0, 1);
    suite_near1("joint", j.damping, 5, 0, 1);
    suite_near1("spring", read.stiffness, 4, 0, 1);
    (void)lg_mechanism_parameter_name(m, name, sizeof name, lg_mechanism_parameter_count(m) - 1);
    assert_string_equal(name, "spring:knee.damping");
    assert_int_equal(lg_mechanism_read_spring(m, &read, 1), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_read_spring(m, NULL, 0), LG_ERROR_ARGUMENT);
    read.size = 5;
    assert_int_equal(lg_mechanism_read_spring(m, &read, 0), LG_ERROR_ARGUMENT);
    lg_mechanism_destroy(m);
}

static void loops(void **unused)
{
    lg_mechanism *m;
    (void)unused;
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("four-bar")), m);
    int closing = 0;
    for (int i = 0; i < lg_mechanism_joint_count(m); i++) closing += lg_mechanism_joint_closes(m, i);
    assert_int_equal(closing, 1);
    assert_int_equal(lg_mechanism_joint_closes(m, 17), 0);
    lg_mechanism_destroy(m);
}

/* Many parts: names and numbers of parameters, loops and the look take time that grows with the number of parts. With
 * time that grows with its square this does not end within the limit of a test. */
static void many(void **unused)
{
    enum { BODIES = 20000 };
    lg_mechanism *m;
    lg_scene *scene;
    char name[2][64];
    (void)unused;
    mechanism_well(lg_mechanism_create(&m), m);
    for (int i = 0; i < BODIES; i++) {
        lg_body b = lg_body_default(name[i % 2]);
        lg_joint j = lg_joint_default(name[i % 2], i % 4 == 3 ? LG_JOINT_PRISMATIC : LG_JOINT_REVOLUTE,
                                      i > 0 ? name[1 - i % 2] : NULL, name[i % 2]);
        (void)snprintf(name[i % 2], sizeof name[0], "link.%d", i);
        b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 1, b.position[0] = 0.1 * i;
        j.point[0] = 0.1 * i, j.axis[0] = 1;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    }
    const int count = lg_mechanism_parameter_count(m);
    assert_int_equal(count, 3 + (14 + 6) * BODIES);
    for (int i = 0; i < count; i++) {
        (void)lg_mechanism_parameter_name(m, name[0], sizeof name[0], i);
        assert_int_equal(lg_mechanism_parameter(m, name[0]), i);
        assert_non_null(lg_mechanism_parameter_unit(m, i));
    }
    mechanism_well(lg_mechanism_compile(m), m);
    for (int i = 0; i < BODIES; i++) assert_int_equal(lg_mechanism_joint_closes(m, i), 0);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all),   cmocka_unit_test(act),   cmocka_unit_test(refusals),
        cmocka_unit_test(kinds), cmocka_unit_test(loops), cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
