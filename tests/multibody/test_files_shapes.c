/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of files: on which bodies they are and where, links that became part of another too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "multibody/files/reader.h"
#include "suite.h"

static lg_scene *scene_of(const char *text, lg_mechanism **m)
{
    lg_mechanism_file options;
    lg_scene *scene = NULL;
    lg_mechanism_file_init(&options, sizeof options);
    if (mb_read_text(m, "text", text, strlen(text), &options) != LG_OK) fail_msg("%s", lg_mechanism_message(*m));
    if (lg_mechanism_compile(*m) != LG_OK) fail_msg("%s", lg_mechanism_message(*m));
    assert_int_equal(lg_mechanism_scene(*m, &scene), LG_OK);
    return scene;
}

static void is(const lg_scene *scene, int i, int kind, int body, double x, double y, double z, double first)
{
    const lg_shape *s = lg_scene_shape(scene, i);
    const double want[4] = {x, y, z, first};
    suite_case("shape %d", i);
    assert_non_null(s);
    assert_int_equal(s->kind, kind);
    assert_int_equal(s->body, body);
    for (int k = 0; k < 4; k++) suite_near1("place", k < 3 ? s->position[k] : s->dimensions[0], want[k], 1e-14, 1);
}

#define INERTIAL "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"

/* The camera is fixed to the arm by a joint at (0, 0, 1) that is turned by 90 degrees about z: x there is y here. */
static void urdf(void **unused)
{
    static const char text[] =
        "<robot name='r'><link name='base'><visual><geometry><sphere radius='0.3'/></geometry></visual></link>"
        "<link name='arm'>" INERTIAL "<visual><origin xyz='0 0 0.5'/><geometry><cylinder radius='0.1' length='1'/>"
        "</geometry><material name='red'/></visual><visual><geometry><mesh filename='a.stl'/></geometry></visual></link>"
        "<link name='camera'><visual><origin xyz='0.2 0 0'/><geometry><box size='0.4 0.1 0.1'/></geometry></visual></link>"
        "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint>"
        "<joint name='k' type='fixed'><parent link='arm'/><child link='camera'/>"
        "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/></joint></robot>";
    lg_mechanism *m;
    lg_scene *scene = scene_of(text, &m);
    int meshes = 0;
    (void)unused;
    is(scene, 0, LG_SHAPE_SPHERE, -1, 0, 0, 0, 0.3);
    is(scene, 1, LG_SHAPE_CYLINDER, 0, 0, 0, 0.5, 0.1);
    is(scene, 2, LG_SHAPE_BOX, 0, 0, 0.2, 1, 0.4);
    suite_near1("turned", lg_scene_shape(scene, 2)->attitude[2], sqrt(0.5), 1e-15, 1);
    assert_int_equal(lg_scene_shape_count(scene), 4); /* and the axis of j: the arm has shapes of its own */
    for (int i = 0; lg_mechanism_remark(m, i) != NULL; i++)
        meshes += strstr(lg_mechanism_remark(m, i), "meshes are not shown: this text has no folder") != NULL;
    assert_int_equal(meshes, 1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

static void mjcf(void **unused)
{
    static const char text[] =
        "<mujoco><default><geom size='0.2'/></default><worldbody><geom type='plane' size='3 2 1'/>"
        "<body name='a' pos='0 0 1'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint name='j'/><geom/>"
        "<geom type='capsule' size='0.1' fromto='0 0 0 1 0 0'/><geom type='ellipsoid' size='1 2 3' pos='0 1 0'/>"
        "<geom type='box' size='1 2 3'/><geom type='cylinder' size='0.5 2'/><geom type='mesh' mesh='m'/></body>"
        "</worldbody></mujoco>";
    lg_mechanism *m;
    lg_scene *scene = scene_of(text, &m);
    int meshes = 0;
    (void)unused;
    is(scene, 0, LG_SHAPE_PLANE, -1, 0, 0, 0, 6);
    is(scene, 1, LG_SHAPE_SPHERE, 0, 0, 0, 0, 0.2); /* of its class */
    is(scene, 2, LG_SHAPE_CYLINDER, 0, 0.5, 0, 0, 0.1);
    suite_near1("length", lg_scene_shape(scene, 2)->dimensions[1], 1, 1e-15, 1);
    double axis[3];
    lg_so3_act(axis, lg_scene_shape(scene, 2)->attitude, (const double[3]){0, 0, 1});
    suite_near1("along x", fabs(axis[0]), 1, 1e-15, 1);
    suite_near1("ends", lg_scene_shape(scene, 3)->position[0] + lg_scene_shape(scene, 4)->position[0], 1, 1e-15, 1);
    suite_near1("apart", fabs(lg_scene_shape(scene, 3)->position[0] - lg_scene_shape(scene, 4)->position[0]), 1, 1e-15,
                1);
    is(scene, 5, LG_SHAPE_ELLIPSOID, 0, 0, 1, 0, 1);
    is(scene, 6, LG_SHAPE_BOX, 0, 0, 0, 0, 2);
    is(scene, 7, LG_SHAPE_CYLINDER, 0, 0, 0, 0, 0.5);
    suite_near1("length", lg_scene_shape(scene, 7)->dimensions[1], 4, 1e-15, 1);
    for (int i = 0; lg_mechanism_remark(m, i) != NULL; i++)
        meshes += strstr(lg_mechanism_remark(m, i), "this <geom> is not shown: there is no <mesh") != NULL;
    assert_int_equal(meshes, 1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

static void coloured(const lg_scene *scene, int i, double red, double green, double blue, double opacity)
{
    const double want[4] = {red, green, blue, opacity};
    suite_case("shape %d", i);
    for (int k = 0; k < 4; k++) suite_near1("colour", lg_scene_shape(scene, i)->colour[k], want[k], 0, 1);
}

/* Materials by name, of the robot or of a visual before, their own colours, and those that no one defines. A look that
 * is wrong is left out. */
static void colours(void **unused)
{
    static const char look[] = "<geometry><capsule radius='0.1' length='1'/></geometry>";
    static const char visual[] = "<visual><geometry><sphere radius='0.1'/></geometry>";
    char text[2000];
    lg_mechanism *m;
    (void)unused;
    (void)snprintf(text, sizeof text,
                   "<robot name='r'><material name='red'><color rgba='0.8 0.2 0.1 1'/></material><link name='a'/>"
                   "<link name='b'>" INERTIAL "%s<material name='red'/></visual>%s<material name='own'><color "
                   "rgba='0 0.5 1 0.4'/></material></visual>%s<material name='own'/></visual>%s<material name='none'/>"
                   "</visual>%s<material name='red'><color rgba='0 0 2 1'/></material></visual>"
                   "<visual><geometry><box size='1 2'/></geometry></visual><visual name='cap'>%s</visual></link><joint "
                   "name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>",
                   visual, visual, visual, visual, visual, look);
    lg_scene *scene = scene_of(text, &m);
    coloured(scene, 0, 0.8, 0.2, 0.1, 1);
    coloured(scene, 1, 0, 0.5, 1, 0.4);
    coloured(scene, 2, 0, 0.5, 1, 0.4);
    coloured(scene, 3, -1, -1, -1, 1);
    coloured(scene, 4, 0, 0, 1, 1);
    is(scene, 5, LG_SHAPE_CYLINDER, 0, 0, 0, 0, 0.1);
    is(scene, 6, LG_SHAPE_SPHERE, 0, 0, 0, -0.5, 0.1);
    assert_string_equal(lg_scene_shape(scene, 5)->name, "cap");
    int wrong = 0;
    for (int i = 0; lg_mechanism_remark(m, i) != NULL; i++)
        wrong += strstr(lg_mechanism_remark(m, i), "this <visual> is not shown: size of <box> is '1 2'") != NULL;
    assert_int_equal(wrong, 1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
    scene = scene_of(
        "<mujoco><default><material rgba='0 1 0 1'/></default><asset><material name='g' specular='0.5' texture='t'><layer/></material></asset>"
        "<worldbody><body><joint/><geom size='0.1' material='g'/><geom size='0.1' material='g' "
        "rgba='1 0 0 0.5'/><geom size='0.2' group='3'/><geom size='0.1'/></body></worldbody></mujoco>",
        &m);
    coloured(scene, 0, 0, 1, 0, 1);
    coloured(scene, 1, 1, 0, 0, 0.5);
    coloured(scene, 2, -1, -1, -1, 1);
    is(scene, 2, LG_SHAPE_SPHERE, 0, 0, 0, 0, 0.1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(urdf), cmocka_unit_test(mjcf), cmocka_unit_test(colours)};
    suite_begin("multibody/files_shapes");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
