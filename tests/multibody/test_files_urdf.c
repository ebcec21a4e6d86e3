/* SPDX-License-Identifier: BSD-3-Clause */
/* URDF files that are not perfect: what is not read and would change the motion, what may be ignored, blanks before the
 * declaration, transmissions, meshes of packages. */
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>
#include <liegrp/multibody/scene.h>

#include "multibody/files/reader.h"
#include "support/model_files.h"

#define MASS "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define ROBOT(joint, rest)                                                                                             \
    "<robot name='r'><link name='a'/><link name='b'>" MASS "</link>"                                                   \
    "<joint name='j' " joint "<parent link='a'/><child link='b'/></joint>" rest "</robot>"

static lg_mechanism *with_ignored(const char *text, const char *name)
{
    const char *const names[] = {name, NULL};
    lg_mechanism_file o = lg_mechanism_file_default();
    o.ignore = names;
    return mechanism_of_text(text, &o);
}

static void refused(const char *text, const char *words)
{
    mechanism_rejected(LG_ERROR_UNSUPPORTED, text, words);
}

/* What would change the motion is refused, and read without it if its name is ignored; what says nothing is read. */
static void rule(void **unused)
{
    static const struct {
        const char *text, *words, *name, *remark;
    } cases[] = {
        {ROBOT("type='continuous'><dynamics damping='1' friction='0.5'/>", ""),
         "robot:1: friction of <dynamics> is not read and would change the motion; without it: --ignore friction",
         "friction", "friction of <dynamics> is ignored, as you ask"},
        {ROBOT("type='continuous'><dynamics dampening='1'/>", ""), "dampening of <dynamics>", "dampening",
         "dampening of <dynamics> is ignored"},
        {ROBOT("type='continuous'><spring stiffness='1'/>", ""), "<spring> is not read and would change", "spring",
         "<spring> is ignored"},
        {ROBOT("type='planar'><dynamics damping='1'/>", ""), "damping of <dynamics>", "damping",
         "damping of <dynamics> is ignored"},
        {ROBOT("type='floating'><dynamics damping='1'/>", ""), "damping of <dynamics>", "damping",
         "damping of <dynamics> is ignored"},
        {ROBOT("type='continuous'>", "<link name='c'><Inertial/></link><joint name='k' type='fixed'><parent link='b'/>"
                                     "<child link='c'/></joint>"),
         "<Inertial> is not read", "Inertial", "<Inertial> is ignored"},
    };
    static const char *const read[] = {
        ROBOT("type='continuous'><dynamics damping='1' friction='0.0'/><limit effort='1' velocity='2' current='3'/>",
              ""),
        ROBOT("type='planar'><dynamics damping='0'/><limit lower='1'/>", ""),
        ROBOT("type='floating'><dynamics damping='0'/><axis xyz='0 0 1'/>", ""),
        ROBOT(
            "type='continuous'><safety_controller k_velocity='1'/><calibration rising='1'/>",
            "<gazebo><static>true</static></gazebo><link name='c'><visual><blob friction='1'/></visual><sensor/></link>"
            "<joint name='k' type='fixed'><parent link='b'/><child link='c'/><mimic joint='j'/></joint>"),
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        refused(cases[i].text, cases[i].words);
        lg_mechanism *m = with_ignored(cases[i].text, cases[i].name);
        assert_true(mechanism_remarked(m, cases[i].remark));
        assert_false(mechanism_remarked(m, "nothing is ignored"));
        lg_mechanism_destroy(m);
    }
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) lg_mechanism_destroy(mechanism_of_text(read[i], NULL));
}

/* Limits and collisions are one remark each; a mimic of a joint that is left out is left out with it. */
static void not_acted_on(void **unused)
{
    static const char text[] = ROBOT(
        "type='revolute'><limit lower='-1' upper='1' effort='1' velocity='1'/>",
        "<link name='c'><collision><geometry><box/></geometry></collision><collision/></link><joint name='k' "
        "type='prismatic'><parent link='b'/><child link='c'/><limit lower='0' upper='1'/><mimic joint='j'/></joint>");
    (void)unused;
    lg_mechanism *m = mechanism_of_text(text, NULL);
    assert_true(mechanism_remarked(m, "2 joint limits are watched, not enforced"));
    assert_true(mechanism_remarked(m, "2 colliding shapes of links pass through each other"));
    assert_true(mechanism_remarked(m, "joint 'k' is left out"));
    assert_false(mechanism_remarked(m, "<collision>"));
    assert_int_equal(lg_mechanism_gear_count(m), 0);
    lg_mechanism_destroy(m);
}

/* A name that ignores nothing is listed, with the reason, in both dialects. */
static void idle_names(void **unused)
{
    static const char *const texts[] = {
        ROBOT("type='continuous'><dynamics damping='1'/>", ""),
        "<mujoco><worldbody><body><joint name='j' damping='1'/><geom size='0.1'/></body></worldbody></mujoco>"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        lg_mechanism *m = with_ignored(texts[i], "frictionlos");
        assert_true(mechanism_remarked(
            m, "nothing is ignored as 'frictionlos': no element and no attribute of the file has this name"));
        lg_mechanism_destroy(m);
        m = with_ignored(texts[i], "damping");
        assert_true(
            mechanism_remarked(m, "nothing is ignored as 'damping': what has this name is read, or changes no motion"));
        lg_mechanism_destroy(m);
    }
}

/* Blanks before the declaration, which expat refuses, are skipped with a remark; lines are those of the file. */
static void blanks(void **unused)
{
    static const char *const before[] = {"\n", " \t\r\n\n", "\xEF\xBB\xBF\n"};
    char text[800];
    (void)unused;
    for (int i = 0; i < 3; i++) {
        (void)snprintf(text, sizeof text, "%s<?xml version='1.0'?>%s", before[i],
                       ROBOT("type='continuous'>", "\n<x/>"));
        lg_mechanism *m = mechanism_of_text(text, NULL);
        assert_true(mechanism_remarked(m, "blanks before <?xml ...?> are skipped"));
        assert_true(mechanism_remarked(m, i == 1 ? "text:4: <x> is not read" : "text:3: <x> is not read"));
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = mechanism_of_text("\xEF\xBB\xBF<?xml version='1.0'?>" ROBOT("type='continuous'>", ""), NULL);
    assert_int_equal(lg_mechanism_remark_count(m), 0);
    lg_mechanism_destroy(m);
}

/* A single object does not move unless it floats, as the message says. */
static void single(void **unused)
{
    static const char text[] = "<robot name='r'><link name='a'>" MASS "</link></robot>";
    lg_mechanism_file o = lg_mechanism_file_default();
    (void)unused;
    mechanism_rejected(LG_ERROR_ARGUMENT, text,
                       "nothing moves: every link is fixed to the world; let its root float: --floating");
    mechanism_rejected(LG_ERROR_ARGUMENT,
                       "<robot name='r'><link name='world'/><link name='a'>" MASS "</link><joint name='j' type='fixed'>"
                       "<parent link='world'/><child link='a'/></joint></robot>",
                       "its root is the link 'world': make the joint to its child a floating one");
    o.root = LG_ROOT_FLOATING;
    lg_mechanism *m = mechanism_of_text(text, &o);
    assert_int_equal(lg_mechanism_body_count(m), 1);
    lg_mechanism_destroy(m);
}

/* Not of URDF, but of a program that many files are for. */
static void spherical(void **unused)
{
    lg_joint j = lg_joint_default(NULL, LG_JOINT_FIXED, NULL, NULL);
    (void)unused;
    lg_mechanism *m = mechanism_of_text(ROBOT("type='spherical'><axis xyz='0 0 0'/><dynamics damping='2'/>", ""), NULL);
    suite_ok("joint", lg_mechanism_read_joint(m, &j, 0));
    assert_int_equal(j.kind, LG_JOINT_SPHERICAL);
    suite_near1("damping", j.damping, 2, 0, 1);
    assert_int_equal(lg_mechanism_motor_count(m), 0);
    lg_mechanism_destroy(m);
}

/* ---- transmissions ---- */

#define TRANSMISSION(inside) "<transmission name='t'>" inside "</transmission>"

static double ratio_of(const char *text)
{
    lg_motor motor = lg_motor_default(NULL, NULL);
    lg_mechanism *m = mechanism_of_text(text, NULL);
    assert_int_equal(lg_mechanism_motor_count(m), 1);
    suite_ok("motor", lg_mechanism_read_motor(m, &motor, 0));
    lg_mechanism_destroy(m);
    return motor.ratio;
}

static void transmissions(void **unused)
{
    static const struct {
        const char *text;
        double ratio;
    } cases[] = {
        {ROBOT("type='continuous'>", ""), 1},
        {ROBOT("type='continuous'>", TRANSMISSION("<type>a</type><joint name='j'/><actuator name='m'>"
                                                  "<mechanicalReduction> -79.5\n</mechanicalReduction></actuator>")),
         -79.5},
        {ROBOT("type='continuous'>", TRANSMISSION("<mechanicalReduction>2</mechanicalReduction><joint name='j'/>")), 2},
        {ROBOT("type='continuous'>",
               "<ros2_control>" TRANSMISSION(
                   "<joint name='j'><mechanical_reduction>3</mechanical_reduction></joint>") "</ros2_control>"),
         3},
        {ROBOT("type='continuous'>", TRANSMISSION("<joint name='j'/><joint name='k'/><mechanicalReduction>2"
                                                  "</mechanicalReduction>")),
         1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        suite_case("%s", cases[i].text);
        suite_near1("ratio", ratio_of(cases[i].text), cases[i].ratio, 0, 1);
    }
    mechanism_rejected(LG_ERROR_ARGUMENT,
                       ROBOT("type='continuous'>", TRANSMISSION("<joint name='j'/>"
                                                                "<mechanicalReduction>0</mechanicalReduction>")),
                       "it must be a number other than 0");
    mechanism_rejected(LG_ERROR_ARGUMENT,
                       ROBOT("type='continuous'>", TRANSMISSION("<joint name='j'/>"
                                                                "<mechanicalReduction>2:1</mechanicalReduction>")),
                       "'2:1'; it must be a number");
    mechanism_rejected(LG_ERROR_ARGUMENT,
                       ROBOT("type='continuous'>",
                             TRANSMISSION("<joint name='j'/>")
                                 TRANSMISSION("<joint name='j'/><mechanicalReduction>2</mechanicalReduction>")),
                       "ratios 1 and 2");
    lg_mechanism *m = mechanism_of_text(ROBOT("type='continuous'>", TRANSMISSION("<joint name='k'/>")), NULL);
    assert_true(mechanism_remarked(m, "<transmission>: joint 'k' has no motor"));
    lg_mechanism_destroy(m);
}

/* ---- meshes that are shown ---- */

static const char solid[] = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                            "endloop\nendfacet\nendsolid\n";

/* The number of meshes of a file with a visual of this name, and whether a remark has these words (NULL: none). */
static void shows(const char *name, const char *packages, const char *words)
{
    char text[600], folder[256];
    const char *const list[] = {folder, NULL};
    lg_mechanism_file o = lg_mechanism_file_default();
    lg_mechanism *m;
    lg_scene *scene;
    int meshes = 0;
    suite_case("%s, %s", name, packages != NULL ? packages : "");
    if (packages != NULL) o.packages = list;
    (void)snprintf(folder, sizeof folder, "%s", packages != NULL ? packages : ""); /* model_path() has one buffer */
    (void)snprintf(text, sizeof text,
                   "<robot name='r'><link name='a'/><link name='b'>" MASS "<visual><geometry><mesh filename='%s'/>"
                   "</geometry></visual></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                   "</joint></robot>",
                   name);
    model_write("bot/urdf/bot.urdf", text);
    suite_ok("read", lg_mechanism_read(&m, model_path("bot/urdf/bot.urdf"), &o));
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("scene", lg_mechanism_scene(m, &scene));
    for (int i = 0; i < lg_scene_shape_count(scene); i++) meshes += lg_scene_shape(scene, i)->kind == LG_SHAPE_MESH;
    assert_int_equal(meshes, words == NULL);
    if (words != NULL) assert_true(mechanism_remarked(m, words));
    if (words == NULL) assert_int_equal(lg_mechanism_remark_count(m), 0);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

/* Meshes next to the file and in packages, by option, around the file and by the environment; nothing leads elsewhere.
 */
static void packages(void **unused)
{
    static const char *const folders[] = {"bot", "bot/urdf", "bot/meshes", "other", "other/tool"};
    static const char *const files[] = {"bot/urdf/a.stl", "bot/meshes/b.STL", "other/tool/c.stl", "d.stl"};
    char named[256], other[192], missing[256];
    lg_mechanism_file o = lg_mechanism_file_default();
    lg_mechanism *m;
    (void)unused;
    for (int i = 0; i < 5; i++) assert_int_equal(mkdir(model_path(folders[i]), 0700), 0);
    for (int i = 0; i < 4; i++) model_write(files[i], solid);
    (void)snprintf(named, sizeof named, "tools=%s", model_path("other/tool"));
    (void)snprintf(other, sizeof other, "%s", model_path("other"));
    (void)unsetenv("ROS_PACKAGE_PATH");
    shows("a.stl", NULL, NULL);
    shows("./a.stl", NULL, NULL);
    shows("e.stl", NULL, "mesh 'e.stl' is not shown: there is no such file");
    shows("a.dae", NULL, "meshes in '.dae' files are not shown");
    shows("../meshes/b.STL", NULL, "is outside of the model's folder; allow it: --within FOLDER");
    shows("../meshes/b.STL", model_path("bot"), NULL);
    shows("package://tool/c.stl", NULL, "meshes of package 'tool' are not shown: it is not found; --package");
    shows("package://tool/c.stl", other, NULL);
    shows("package://tool/c.stl", model_path("other/tool"), NULL);
    shows("package://tools/c.stl", named, NULL);
    shows("package://tool/../../d.stl", other, "outside");
    shows("package://../d.stl", other, "is not found");
    shows("package://tool/none.stl", other, "there is no such file");
    shows("/dev/zero.stl", NULL, "there is no such file");
    assert_int_equal(mkdir(model_path("bot/urdf/f.stl"), 0700), 0);
    shows("f.stl", NULL, "it is not a file of at most 256 MiB");
    shows("package://bot/meshes/b.STL", NULL, "it is not found");
    model_write("bot/package.xml", "<package/>");
    shows("package://bot/meshes/b.STL", NULL, NULL);
    suite_ok("environment", setenv("ROS_PACKAGE_PATH", other, 1) == 0 ? LG_OK : LG_ERROR_IO);
    shows("package://tool/c.stl", NULL, "it is not found");
    model_write("other/tool/package.xml", "<package/>");
    shows("package://tool/c.stl", NULL, NULL);
    (void)unsetenv("ROS_PACKAGE_PATH");
    (void)snprintf(missing, sizeof missing, "tool=%s", model_path("nowhere"));
    const char *const wrong[] = {missing, NULL};
    o.packages = wrong;
    suite_status("no folder", lg_mechanism_read(&m, model_path("bot/urdf/bot.urdf"), &o), LG_ERROR_IO);
    suite_contains("message", lg_mechanism_message(m), "nowhere' is no folder (--package NAME=FOLDER or FOLDER)");
    lg_mechanism_destroy(m);
    for (int i = 0; i < 4; i++) model_remove(files[i]);
    model_remove("bot/package.xml"), model_remove("other/tool/package.xml"), model_remove("bot/urdf/bot.urdf");
    assert_int_equal(rmdir(model_path("bot/urdf/f.stl")), 0);
    for (int i = 4; i >= 0; i--) assert_int_equal(rmdir(model_path(folders[i])), 0);
    assert_int_equal(rmdir(model_path("")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rule),          cmocka_unit_test(not_acted_on),
                                       cmocka_unit_test(idle_names),    cmocka_unit_test(blanks),
                                       cmocka_unit_test(single),        cmocka_unit_test(spherical),
                                       cmocka_unit_test(transmissions), cmocka_unit_test(packages)};
    suite_begin("multibody/files_urdf");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
