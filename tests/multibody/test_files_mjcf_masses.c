/* SPDX-License-Identifier: BSD-3-Clause */
/* MJCF: masses and inertias of geoms, bounds of <compiler>, <include>, <frame>, <replicate>, springs and dampers that
 * the inertia determines, what may be ignored. States at t = 1 are MuJoCo's (3.14, RK4 with steps of 1e-4). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "support/mechanisms.h"
#include "support/model_files.h"

#define INERTIAL "<inertial pos='0 0 -0.3' mass='1' diaginertia='0.03 0.03 0.002'/>"

/* ---- motions as MuJoCo's ---- */

static const struct {
    const char *text;
    int joints;
    double q[2], v[2], to_q[2], to_v[2];
} motions[] = {
    {"<mujoco><compiler angle='radian'/><worldbody><body name='upper' pos='0 0 1'><joint name='shoulder' axis='0 1 0'/>"
     "<geom type='capsule' fromto='0 0 0 0.1 0 -0.5' size='0.04'/><geom type='sphere' pos='0.1 0 -0.5' size='0.06' "
     "mass='0.8'/><body name='lower' pos='0.1 0 -0.5'><joint name='elbow' axis='0 1 0'/><geom type='box' pos='0 0 -0.2' "
     "size='0.02 0.03 0.2' euler='0 0.2 0' density='500'/></body></body></worldbody></mujoco>",
     2,
     {0.3, 0},
     {0, 2},
     {0.08479018191382205, -0.07347717245551186},
     {0.2735535246652965, 1.372052678752191}},
    {"<mujoco><worldbody><body name='finger' pos='0 0 0.5'><inertial pos='0 0 -0.05' mass='0.02' "
     "diaginertia='2e-5 2e-5 4e-6'/><joint name='j' axis='0 1 0'/><body name='pad' pos='0 0 -0.12'><geom type='box' "
     "size='0.01 0.01 0.02' mass='0.015'/></body></body></worldbody></mujoco>",
     1,
     {0.3},
     {0},
     {-0.2885303379325264},
     {0.7958957668334843}},
    {"<mujoco><worldbody><frame pos='0 0 1' euler='0 0 30'><body name='p'>" INERTIAL
     "<joint name='j' axis='0 1 0'/></body></frame></worldbody></mujoco>",
     1,
     {0.3},
     {0},
     {0.06325014554941075},
     {1.446604184515833}},
    {"<mujoco><default><default class='turned'><geom type='box' size='0.1 0.02 0.02' euler='0 90 0' mass='0'/></default>"
     "</default><worldbody><body name='p' pos='0 0 1'>" INERTIAL
     "<joint name='j' axis='0 1 0'/><geom class='turned' quat='1 0 1 0'/></body></worldbody></mujoco>",
     1,
     {0.3},
     {0},
     {0.06325014554941075},
     {1.446604184515833}},
    {"<mujoco><worldbody><body name='p' pos='0 0 1' gravcomp='0.8'>" INERTIAL
     "<joint name='j' axis='0 1 0'/></body></worldbody></mujoco>",
     1,
     {0.3},
     {0},
     {-0.17731830453795788},
     {-0.5332267494799282}},
    {"<mujoco><worldbody><body name='p' pos='0 0 1'>" INERTIAL
     "<joint name='j' axis='0 1 0' springdamper='0.1 0.5'/></body></worldbody></mujoco>",
     1,
     {0.3},
     {0},
     {0.000003524249757571525},
     {0.00023811377615233273}},
};

static void moves(lg_mechanism *m, int joints, const double *q, const double *v, const double *to_q, const double *to_v)
{
    lg_motion *mo;
    double x[4];
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, "gauss", 0.01), mo);
    motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
    motion_well(lg_motion_step(mo, 100), mo);
    suite_ok("positions", lg_motion_positions(mo, x, x + joints));
    suite_near("q", x, to_q, joints, 1e-11, 1);
    suite_near("v", x + joints, to_v, joints, 1e-11, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void as_mujoco(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        suite_case("%s", motions[i].text);
        moves(mechanism_of_text(motions[i].text, NULL), motions[i].joints, motions[i].q, motions[i].v, motions[i].to_q,
              motions[i].to_v);
    }
}

/* ---- masses ---- */

/* Mass, centre and inertia of the only body, with this in <compiler> and these geoms. */
static lg_body body_of(const char *compiler, const char *geoms)
{
    char text[1024];
    lg_body b = lg_body_default(NULL);
    (void)snprintf(
        text, sizeof text,
        "<mujoco><compiler angle='radian' %s/><worldbody><body name='b'><joint/>%s</body></worldbody></mujoco>",
        compiler, geoms);
    lg_mechanism *m = mechanism_of_text(text, NULL);
    mechanism_well(lg_mechanism_read_body(m, &b, 0), m);
    lg_mechanism_destroy(m);
    b.name = NULL;
    return b;
}

static void solids(void **unused)
{
    const double pi = SUITE_PI;
    (void)unused;
    lg_body b = body_of("", "<geom type='ellipsoid' size='0.1 0.2 0.3' density='500' pos='1 0 0'/>");
    const double m = 500 * 4 * pi / 3 * 0.006;
    suite_near1("mass", b.mass, m, 1e-14, m);
    suite_near("centre", b.centre, (const double[3]){1, 0, 0}, 3, 1e-15, 1);
    suite_near("ellipsoid", b.inertia, (const double[6]){m / 5 * 0.13, m / 5 * 0.1, m / 5 * 0.05, 0, 0, 0}, 6, 1e-13,
               m);
    b = body_of("", "<geom type='cylinder' fromto='0 0 0 0 0.4 0' size='0.1' mass='2'/>");
    suite_near("cylinder", b.inertia, (const double[6]){2 * (0.01 / 4 + 0.16 / 12), 0.01, 2 * (0.01 / 4 + 0.16 / 12)},
               6, 1e-14, 1);
    suite_near("centre", b.centre, (const double[3]){0, 0.2, 0}, 3, 1e-15, 1);
    b = body_of("", "<geom size='0.1'/><geom type='plane' size='1 1 1'/><geom size='5' mass='0'/><geom size='5' "
                    "density='0'/><geom size='7' group='6'/>");
    suite_near1("sphere", b.mass, 1000 * 4 * pi / 3 * 0.001, 1e-14, 4);
    suite_near1("and its inertia", b.inertia[1], 0.004 * b.mass, 1e-15, 1);
    b = body_of("inertiagrouprange='6 6'", "<geom size='0.1'/><geom size='0.2' group='6'/>");
    suite_near1("groups", b.mass, 1000 * 4 * pi / 3 * 0.008, 1e-14, 40);
    b = body_of("inertiafromgeom='true'",
                "<inertial pos='0 0 0' mass='9' diaginertia='1 1 1'/><geom size='0.1' mass='2'/>");
    suite_near1("of the geom", b.mass, 2, 0, 1);
    b = body_of("", "<inertial pos='0 0 0' mass='9' diaginertia='1 1 1'/><geom size='0.1' mass='2'/>");
    suite_near1("of the inertial", b.mass, 9, 0, 1);
    /* two halves of a box are the box */
    b = body_of("", "<geom type='box' size='0.1 0.2 0.3' pos='0 0 0.3' mass='1'/><geom type='box' size='0.1 0.2 0.3' "
                    "pos='0 0 -0.3' mass='1'/>");
    const lg_body whole = body_of("", "<geom type='box' size='0.1 0.2 0.6' mass='2'/>");
    suite_near("halves", b.inertia, whole.inertia, 6, 1e-15, 1);
}

/* A surface is what a solid gains when all of its sizes grow. */
static void surfaces(void **unused)
{
    static const struct {
        const char *type;
        int sizes, grow; /* how many of them grow */
    } kinds[] = {{"sphere", 1, 1}, {"capsule", 2, 1}, {"cylinder", 2, 2}, {"box", 3, 3}};
    static const double size[3] = {0.1, 0.25, 0.4}, w[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 1e-3;
    (void)unused;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        double want[7] = {0};
        char geom[256];
        suite_case("%s", kinds[k].type);
        for (int i = -4; i <= 4; i++) {
            double s[3];
            for (int n = 0; n < 3; n++) s[n] = size[n] + (n < kinds[k].grow ? i * h : 0);
            (void)snprintf(geom, sizeof geom, "<geom type='%s' size='%.17g %.17g %.17g' density='3'/>", kinds[k].type,
                           s[0], s[1], s[2]);
            if (i == 0) continue;
            const lg_body b = body_of("", geom);
            const double share = (i > 0 ? w[i - 1] : -w[-i - 1]) / h;
            want[6] += share * b.mass;
            for (int n = 0; n < 6; n++) want[n] += share * b.inertia[n];
        }
        (void)snprintf(geom, sizeof geom, "<geom type='%s' size='0.1 0.25 0.4' density='3' shellinertia='true'/>",
                       kinds[k].type);
        const lg_body b = body_of("", geom);
        suite_near1("mass", b.mass, want[6], 1e-10, want[6]);
        suite_near("inertia", b.inertia, want, 6, 1e-10, want[6]);
    }
}

static void bounds(void **unused)
{
    (void)unused;
    lg_body b = body_of("boundmass='3'", "<geom size='0.1' mass='2'/>");
    suite_near1("boundmass", b.mass, 3, 0, 1);
    b = body_of("boundinertia='0.02'", "<geom type='box' size='0.01 0.02 0.5' mass='2' euler='0.3 0.2 0.1'/>");
    const lg_body as =
        body_of("", "<inertial pos='0 0 0' mass='2' euler='0.3 0.2 0.1' diaginertia='0.16693333333333333 "
                    "0.16673333333333332 0.02'/>");
    suite_near("boundinertia", b.inertia, as.inertia, 6, 1e-15, 1);
    b = body_of("balanceinertia='true'", "<inertial pos='0 0 0' mass='2' diaginertia='1 1 4'/>");
    suite_near("balance", b.inertia, (const double[6]){2, 2, 2}, 6, 1e-15, 1);
    b = body_of("settotalmass='5'", "<geom size='0.1' mass='2'/>");
    suite_near1("total", b.mass, 5, 1e-15, 5);
    suite_near1("and its inertia", b.inertia[0], 5 * 0.004, 1e-15, 1);
}

/* ---- servos ---- */

/* kv = 2 z sqrt(kp M/n^2), M the diagonal entry at the start. */
static void damping_ratio(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        "<mujoco><worldbody><body name='p' pos='0 0 1'>" INERTIAL "<joint name='j' axis='0 1 0'/><body pos='0 0 -0.6'>"
        "<inertial pos='0 0 -0.1' mass='2' diaginertia='0.01 0.01 0.01'/><joint name='k' axis='0 1 0'/></body></body>"
        "</worldbody><actuator><position joint='j' kp='20' dampratio='0.7' gear='2'/></actuator></mujoco>",
        NULL);
    lg_motor motor = lg_motor_default(NULL, NULL);
    mechanism_well(lg_mechanism_read_motor(m, &motor, 0), m);
    const double M = 0.03 + 0.09 + 0.01 + 2 * 0.49;
    suite_near1("kv", motor.velocity_gain, 2 * 0.7 * sqrt(20 * M / 4), 1e-14, 10);
    lg_mechanism_destroy(m);
}

/* ---- files, frames, copies ---- */

static void includes(void **unused)
{
    lg_mechanism *m;
    (void)unused;
    model_write("options.xml", "<mujoco><option timestep='0.002' gravity='0 0 -3.7'/></mujoco>");
    model_write("inner.xml", "<mujocoinclude>" INERTIAL "<joint name='j' axis='0 1 0'/></mujocoinclude>");
    model_write("body.xml",
                "<mujocoinclude><body name='p' pos='0 0 1'><include file='inner.xml'/></body></mujocoinclude>");
    model_write("main.xml",
                "<mujoco><include file='options.xml'/><worldbody><include file='body.xml'/></worldbody></mujoco>");
    mechanism_well(model_read(&m, "main.xml"), m);
    moves(m, 1, (const double[1]){0.3}, NULL, (const double[1]){-0.29794575518443817},
          (const double[1]){-0.10579939515752909});
    model_write("own.xml", "<mujocoinclude><include file='own.xml'/></mujocoinclude>");
    model_fails("<mujoco><include file='own.xml'/></mujoco>", LG_ERROR_ARGUMENT,
                "own.xml:1: file 'own.xml' is included a second");
    model_fails("<mujoco><include file='main.xml'/></mujoco>", LG_ERROR_ARGUMENT, "includes itself");
    model_fails("<mujoco><include file='none.xml'/></mujoco>", LG_ERROR_IO,
                "main.xml:1: file 'none.xml': No such file");
    model_fails("<mujoco><include/></mujoco>", LG_ERROR_ARGUMENT, "no attribute 'file'");
    model_fails("<mujoco><include file='/etc/passwd'/></mujoco>", LG_ERROR_ARGUMENT,
                "'/etc/passwd' is outside of the model's folder; allow it: --within FOLDER");
    model_fails("<mujoco><include file='../../etc/passwd'/></mujoco>", LG_ERROR_ARGUMENT,
                "outside of the model's folder");
    assert_int_equal(symlink("/etc/passwd", model_path("away.xml")), 0);
    model_fails("<mujoco><include file='away.xml'/></mujoco>", LG_ERROR_ARGUMENT, "outside of the model's folder");
    model_remove("away.xml");
    assert_int_equal(mkfifo(model_path("pipe.xml"), 0600), 0);
    model_fails("<mujoco><include file='pipe.xml'/></mujoco>", LG_ERROR_IO, "pipe.xml");
    model_remove("pipe.xml");
    model_write("bad.xml", "<mujoco>\n<option");
    model_fails("<mujoco><include file='bad.xml'/></mujoco>", LG_ERROR_ARGUMENT, "bad.xml:2: this is not well-formed");
    model_write("odd.xml",
                "<mujoco>\n<worldbody><body><joint frictionloss='1'/>" INERTIAL "</body></worldbody></mujoco>");
    model_fails("<mujoco><include file='odd.xml'/></mujoco>", LG_ERROR_UNSUPPORTED,
                "odd.xml:2: frictionloss of <joint>");
    static const char *const all[] = {"options.xml", "inner.xml", "body.xml", "main.xml",
                                      "own.xml",     "bad.xml",   "odd.xml"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) model_remove(all[i]);
    assert_int_equal(rmdir(model_path("")), 0);
}

/* Files below a folder that the caller allows: by .., by an absolute path, by a link; a mesh of a model that is
 * attached from there; nothing beyond. */
static void within(void **unused)
{
    static const char *const folders[] = {"a", "b", "b/m"};
    static const char *const names[] = {"../b/part.xml", "%s/b/part.xml", "link.xml"};
    char text[512], root[128], own[128], name[256];
    lg_mechanism_file o = lg_mechanism_file_default();
    lg_mechanism *m;
    (void)unused;
    (void)snprintf(root, sizeof root, "%s", model_path(""));
    root[strlen(root) - 1] = '\0';
    (void)snprintf(own, sizeof own, "%s", model_path("a"));
    for (int i = 0; i < 3; i++) assert_int_equal(mkdir(model_path(folders[i]), 0700), 0);
    model_write("b/part.xml",
                "<mujocoinclude><worldbody><body name='p'>" INERTIAL "<joint name='j'/></body></worldbody>"
                "</mujocoinclude>");
    model_write("b/m/solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    model_write("b/child.xml",
                "<mujoco model='c'><compiler meshdir='m'/><asset><mesh file='solid.obj'/></asset><worldbody>"
                "<body name='p'><joint name='j'/><geom type='mesh' mesh='solid'/></body></worldbody></mujoco>");
    assert_int_equal(symlink("../b/part.xml", model_path("a/link.xml")), 0);
    for (int i = 0; i < 5; i++) {
        (void)snprintf(name, sizeof name, i < 3 ? names[i] : i == 3 ? "../b/child.xml" : "%s/b/child.xml", root);
        (void)snprintf(
            text, sizeof text,
            i < 3 ? "<mujoco><include file='%s'/></mujoco>"
                  : "<mujoco><asset><model file='%s'/></asset><worldbody><attach model='c' body='p' prefix=''/>"
                    "</worldbody></mujoco>",
            name);
        suite_case("%s", text);
        model_write("a/main.xml", text);
        const char *const folder[] = {NULL, own, root};
        for (int k = 0; k < 3; k++) {
            o.within = folder[k];
            const lg_status st = lg_mechanism_read(&m, model_path("a/main.xml"), &o);
            suite_status("read", st, k < 2 ? LG_ERROR_ARGUMENT : LG_OK);
            if (k < 2)
                suite_contains("message", lg_mechanism_message(m),
                               k == 0 ? "is outside of the model's folder; allow it: --within FOLDER"
                                      : "is outside of the model's folder and of that of --within; allow it");
            else
                assert_true(lg_mechanism_body(m, "p") >= 0);
            lg_mechanism_destroy(m);
        }
    }
    model_write("a/main.xml", "<mujoco><include file='../../../etc/passwd'/></mujoco>");
    suite_status("beyond", lg_mechanism_read(&m, model_path("a/main.xml"), &o), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), "outside");
    lg_mechanism_destroy(m);
    o.within = "/etc/passwd";
    suite_status("no folder", lg_mechanism_read(&m, model_path("a/main.xml"), &o), LG_ERROR_IO);
    suite_contains("message", lg_mechanism_message(m), "within: '/etc/passwd' is no folder (--within FOLDER)");
    lg_mechanism_destroy(m);
    static const char *const all[] = {"a/main.xml", "a/link.xml", "b/part.xml", "b/child.xml", "b/m/solid.obj"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) model_remove(all[i]);
    for (int i = 2; i >= 0; i--) assert_int_equal(rmdir(model_path(folders[i])), 0);
}

/* Frames in frames, with a class; three copies on a circle. */
static void frames(void **unused)
{
    lg_body b = lg_body_default(NULL);
    lg_joint j = lg_joint_default(NULL, LG_JOINT_REVOLUTE, NULL, NULL);
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        "<mujoco><default><default class='soft'><joint damping='3' axis='1 0 0'/></default></default><worldbody>"
        "<frame pos='1 0 0' euler='0 0 90' childclass='soft'><frame pos='0 2 0'><body name='a'><frame pos='0 0 0.5'>"
        "<joint name='ja' pos='0 0 1'/></frame>" INERTIAL "</body></frame></frame>"
        "<replicate count='3' euler='0 0 120' offset='0 0 0' sep='-'><body name='arm' pos='1 0 0'>" INERTIAL
        "<joint name='hinge' axis='0 1 0'/></body></replicate></worldbody></mujoco>",
        NULL);
    mechanism_well(lg_mechanism_read_body(m, &b, 0), m);
    suite_near("place", b.position, (const double[3]){-1, 0, 0}, 3, 1e-15, 1);
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    suite_near1("class", j.damping, 3, 0, 1);
    suite_near("axis", j.axis, (const double[3]){0, 1, 0}, 3, 1e-15, 1);
    suite_near("point", j.point, (const double[3]){-1, 0, 1.5}, 3, 1e-15, 1);
    for (int i = 0; i < 3; i++) {
        const double angle = 2 * SUITE_PI / 3 * i, at[3] = {cos(angle), sin(angle), 0};
        char name[16];
        (void)snprintf(name, sizeof name, "arm-%d", i);
        assert_int_equal(lg_mechanism_body(m, name), 1 + i);
        mechanism_well(lg_mechanism_read_body(m, &b, 1 + i), m);
        suite_near("copy", b.position, at, 3, 1e-15, 1);
        (void)snprintf(name, sizeof name, "hinge-%d", i);
        assert_int_equal(lg_mechanism_joint(m, name), 1 + i);
    }
    lg_mechanism_destroy(m);
}

/* ---- what may be ignored ---- */

static void ignored(void **unused)
{
    static const char *const names[] = {"frictionloss", "tendon", "general", NULL};
    static const char text[] =
        "<mujoco><worldbody><body><joint name='j' frictionloss='0.2' range='-1 1' limited='true'/>" INERTIAL
        "<geom size='0.1'/></body><geom type='plane' size='1 1 1'/></worldbody><tendon><fixed damping='1'/><spatial/></tendon>"
        "<actuator><general tendon='t'/></actuator><sensor><gyro site='s'/></sensor></mujoco>";
    static const char *const said[] = {"frictionloss of <joint> is ignored, as you ask",
                                       "<tendon> is ignored, as you ask (2 times",
                                       "<general> is ignored, as you ask",
                                       "1 joint limit is watched, not enforced",
                                       "2 colliding geoms pass through each other",
                                       "sensors are columns where they are asked for"};
    lg_mechanism_file o = lg_mechanism_file_default();
    (void)unused;
    o.ignore = names;
    lg_mechanism *m = mechanism_of_text(text, &o);
    for (size_t k = 0; k < sizeof said / sizeof said[0]; k++) {
        suite_case("%s", said[k]);
        assert_true(mechanism_remarked(m, said[k]));
    }
    assert_int_equal(lg_mechanism_remark_count(m), (int)(sizeof said / sizeof said[0]));
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco), cmocka_unit_test(solids),        cmocka_unit_test(surfaces),
        cmocka_unit_test(bounds),    cmocka_unit_test(damping_ratio), cmocka_unit_test(within),
        cmocka_unit_test(includes),  cmocka_unit_test(frames),        cmocka_unit_test(ignored),
    };
    suite_begin("multibody/files_mjcf_masses");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
