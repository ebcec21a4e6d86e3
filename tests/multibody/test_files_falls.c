/* SPDX-License-Identifier: BSD-3-Clause */
/* Robots of files, with a surface of every kind, fall on the ground: the account, the gaps, the cone. */
#include "support/model_files.h"
#include "support/touching.h"

/* With rotors of this inertia, from this attitude. */
static const char mjcf[] =
    "<mujoco><compiler angle='radian'/><asset><mesh name='m' file='m.obj'/></asset><default><joint "
    "armature='%s'/></default><worldbody><geom name='floor' type='plane' size='0 0 1' friction='.2'/><body "
    "name='trunk' pos='0 0 1' quat='%s'><freejoint/><geom type='box' size='.2 .1 .1' friction='.7'/><body pos='.3 0 "
    "0'><joint axis='0 1 0' range='-.8 .8'/><geom type='capsule' size='.05' fromto='0 0 0 .3 0 0'/><geom type='mesh' "
    "mesh='m' pos='.3 0 0'/></body><body pos='-.3 0 0'><joint axis='1 0 0' range='-.8 .8' frictionloss='.1'/><geom "
    "type='cylinder' size='.1 .05'/></body><body pos='0 .3 0'><joint axis='1 0 0' damping='.02'/><geom "
    "type='ellipsoid' size='.1 .2 .05'/></body><body pos='0 -.3 0'><joint type='ball'/><geom size='.1' "
    "condim='1'/></body></body></worldbody></mujoco>";

#define LINK(name, shape)                                                                                              \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='.02' iyy='.02' izz='.02'/></inertial><contact>"    \
    "<lateral_friction value='.4'/><restitution value='.3'/></contact><collision><geometry>" shape "</geometry>"       \
    "</collision></link>"
#define HINGE(name, place, axis)                                                                                       \
    "<joint name='to_" name "' type='revolute'><origin xyz='" place "'/><parent link='trunk'/><child link='" name      \
    "'/><axis xyz='" axis "'/><limit lower='-.7' upper='.7'/><dynamics friction='.05' damping='.1'/></joint>"
static const char urdf[] = "<robot name='r'>" LINK("trunk", "<box size='.4 .2 .2'/>")
    LINK("a", "<cylinder radius='.1' length='.3'/>") LINK("b", "<capsule radius='.1' length='.3'/>")
        LINK("c", "<sphere radius='.1'/>") LINK("d", "<mesh filename='m.obj'/>") HINGE("a", ".3 0 0", "0 1 0")
            HINGE("b", "-.3 0 0", "1 0 0") HINGE("c", "0 .3 0", "0 0 1")
                HINGE("d", "0 -.3 0",
                      "0 1 0") "<liegrp root='floating'><ground friction='1' restitution='1'/></liegrp></robot>";

/* Of URDF the root is turned to this attitude, and 1 m above the ground. */
static void fall(const char *name, const double *attitude)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_mechanism *m = NULL;
    lg_motion *mo;
    options.contacts = LG_FILE_CONTACTS_GROUND;
    for (int k = 0; attitude != NULL && k < 4; k++) options.attitude[k] = attitude[k];
    options.position[2] = attitude != NULL;
    mechanism_well(lg_mechanism_read(&m, model_path(name), &options), m);
    mechanism_well(lg_mechanism_compile(m), m);
    suite_ok("motion", motion_create(&mo, m, "sem", 0.005));
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    touch_watch w = touch_begin(mo);
    touch_run(&w, mo, 200);
    suite_near1("balance", w.balance, 0, 1e-12, w.size);
    assert_true(w.gap >= -1e-12 && w.gap < 1e-3 && lg_motion_impacts(mo) >= 1);
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

static void of_mjcf(void **unused)
{
    static const char *const attitudes[] = {"1 0 0 0", ".9 .3 .2 0", ".5 -.5 .7 .1", "0 1 .2 0"};
    static const char *const rotors[] = {"0", ".01", ".05"};
    (void)unused;
    for (int i = 0; i < 12; i++) {
        char text[2000];
        suite_case("%s, rotors of %s kg m^2", attitudes[i % 4], rotors[i / 4]);
        (void)snprintf(text, sizeof text, mjcf, rotors[i / 4], attitudes[i % 4]);
        model_write("robot.xml", text);
        fall("robot.xml", NULL);
    }
    model_remove("robot.xml");
}

static void of_urdf(void **unused)
{
    static const double attitudes[][4] = {
        {0, 0, 0, 1}, {0.36, 0.48, 0, 0.8}, {-0.5, 0.5, 0.5, 0.5}, {0.96, 0.28, 0, 0}};
    (void)unused;
    model_write("robot.urdf", urdf);
    for (int i = 0; i < 4; i++) suite_case("%d", i), fall("robot.urdf", attitudes[i]);
    model_remove("robot.urdf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_mjcf), cmocka_unit_test(of_urdf)};
    suite_begin("multibody/files_falls");
    model_write("m.obj", "v -.1 -.1 -.1\nv .2 -.1 -.1\nv -.1 .2 -.1\nv -.1 -.1 .2\nf 1 2 3\nf 1 2 4\n");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    model_remove("m.obj");
    return failed + rmdir(model_path(""));
}
