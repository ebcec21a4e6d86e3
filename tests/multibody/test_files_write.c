/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_mechanism_write(): what is written and read back has the same masses to the bit, and moves in the same way; what
 * the format cannot say is refused by name and leaves an existing file as it was. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <liegrp/multibody/gallery.h>
#include <liegrp/multibody/scene.h>

#include "support/model_files.h"
#include "support/random_mechanisms.h"

enum { MOST = 64, STEPS = 100 };

/* Everything that one of the formats cannot say. */
static const char *const all[] = {"wheel",   "sphere_contact", "thruster", "drive",     "distance", "friction",
                                  "loop",    "motor",          "gear",     "inertia",   "free",     "spring",
                                  "damping", "limits",         "armature", "stiffness", "gravity",  "gravcomp",
                                  "surface", "restitution",    NULL};

static lg_mechanism *again(lg_status *status, const char *file)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_mechanism *m;
    options.keep_fixed = 1;
    *status = lg_mechanism_read(&m, model_path(file), &options);
    return m;
}

/* Both from one state that the constraints allow; poses of the bodies after some steps, to `tolerance`. */
static void same_motion(lg_mechanism *m, lg_mechanism *n, lg_rng *rng, double h, double tolerance)
{
    const int bodies = lg_mechanism_body_count(m), controls = lg_mechanism_motor_count(m);
    double v[6 * MOST], g[7 * MOST], xi[6 * MOST], x[7 * MOST], u[6 * MOST], size = 1e-3;
    lg_motion *a, *b;
    assert_in_range(bodies, 1, MOST);
    motion_well(motion_create(&a, m, "gauss", h), a), motion_well(motion_create(&b, n, "gauss", h), b);
    for (int i = 0; i < 6 * MOST; i++) v[i] = 0.3 * lg_rng_normal(rng), u[i] = 0.01 * lg_rng_normal(rng);
    if (controls > 0) motion_well(lg_motion_set_control(a, u), a), motion_well(lg_motion_set_control(b, u), b);
    motion_well(lg_motion_start_joints(a, 0, NULL, v, 1), a);
    for (int i = 0; i < bodies; i++) {
        const int to = lg_mechanism_body(n, lg_mechanism_body_name(m, i));
        suite_case("%s body %s", lg_mechanism_body_name(m, 0), lg_mechanism_body_name(m, i));
        assert_in_range(to, 0, bodies - 1);
        suite_ok("pose", lg_motion_body_pose(a, g + 7 * to, i));
        suite_ok("twist", lg_motion_body_twist(a, xi + 6 * to, i));
    }
    motion_well(lg_motion_start_poses(b, 0, g, xi, 1), b);
    motion_well(lg_motion_step(a, STEPS), a), motion_well(lg_motion_step(b, STEPS), b);
    for (int i = 0; i < bodies; i++) {
        suite_ok("pose", lg_motion_body_pose(a, g + 7 * i, i));
        suite_ok("pose", lg_motion_body_pose(b, x + 7 * i, lg_mechanism_body(n, lg_mechanism_body_name(m, i))));
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(g[7 * i + k]));
        double dot = 0;
        for (int k = 3; k < 7; k++) dot += g[7 * i + k] * x[7 * i + k];
        for (int k = 3; k < 7 && dot < 0; k++) x[7 * i + k] = -x[7 * i + k];
    }
    for (int i = 0; i < bodies; i++) {
        suite_near(lg_mechanism_body_name(m, i), x + 7 * i, g + 7 * i, 3, tolerance, size);
        suite_near(lg_mechanism_body_name(m, i), x + 7 * i + 3, g + 7 * i + 3, 4, tolerance, 1);
    }
    lg_motion_destroy(a), lg_motion_destroy(b);
}

/* The numbers of bodies, to the bit. */
static void same_bodies(const lg_mechanism *m, const lg_mechanism *n)
{
    assert_int_equal(lg_mechanism_body_count(n), lg_mechanism_body_count(m));
    for (int i = 0; i < lg_mechanism_body_count(m); i++) {
        lg_body a = lg_body_default(NULL), b = lg_body_default(NULL);
        suite_ok("body", lg_mechanism_read_body(m, &a, i));
        suite_ok("body", lg_mechanism_read_body(n, &b, lg_mechanism_body(n, a.name)));
        suite_case("%s", a.name);
        assert_true(a.mass == b.mass && fabs(a.gravity - b.gravity) < 1e-15);
        for (int k = 0; k < 6; k++) assert_true(a.inertia[k] == b.inertia[k]);
        for (int k = 0; k < 3; k++) assert_true(a.centre[k] == b.centre[k]);
    }
}

/* Writes it as MJCF; 1: it is read back and moves alike, 0: the format cannot say it, and the message says what. */
static int goes_round(lg_mechanism *m, lg_rng *rng, double h, double tolerance)
{
    lg_status status = lg_mechanism_write(m, model_path("out.xml"), NULL);
    if (status != LG_OK) {
        suite_status("refused", status, LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_mechanism_message(m), "--ignore");
        mechanism_well(lg_mechanism_write(m, model_path("out.xml"), all), m);
        lg_mechanism_destroy(again(&status, "out.xml"));
        return 0;
    }
    lg_mechanism *n = again(&status, "out.xml");
    mechanism_well(status, n);
    mechanism_well(lg_mechanism_compile(n), n);
    assert_int_equal(lg_mechanism_freedoms(n), lg_mechanism_freedoms(m));
    same_bodies(m, n);
    same_motion(m, n, rng, h, tolerance);
    lg_mechanism_destroy(n);
    return 1;
}

static void gallery(void **unused)
{
    static const char *const lost[] = {"bicycle", "vehicle", "balancing-robot", "snake", "andrews"};
    lg_rng rng = {3};
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m;
        int refused = i >= gallery_without_contacts();
        suite_case("%s", lg_gallery_name(i));
        for (size_t k = 0; k < sizeof lost / sizeof lost[0]; k++) refused |= strcmp(lost[k], lg_gallery_name(i)) == 0;
        mechanism_well(lg_gallery_create(&m, i), m);
        const int round = goes_round(m, &rng, 1e-3, 1e-11);
        if (strcmp(lg_gallery_name(i), "andrews") != 0) assert_int_equal(round, !refused);
        lg_mechanism_destroy(m);
    }
}

static void random_ones(void **unused)
{
    enum { DRAWN = 240 };
    lg_rng rng = {5};
    int round[RANDOM_FAMILIES] = {0};
    (void)unused;
    for (int i = 0; i < DRAWN; i++) {
        const random_family f = (random_family)(i % RANDOM_FAMILIES);
        random_mechanism r;
        random_mechanism_draw(&r, f, 2 + (int)(8 * lg_rng_uniform(&rng)), 1, &rng);
        suite_case("family %d, %d", (int)f, i);
        if (lg_mechanism_compile(r.m) == LG_OK && f != RANDOM_NEARLY) round[f] += goes_round(r.m, &rng, 1e-4, 1e-10);
        lg_mechanism_destroy(r.m);
    }
    suite_above("trees", round[RANDOM_TREE], 10), suite_above("loops", round[RANDOM_LOOPS] + round[RANDOM_COPIES], 2);
    suite_above("planar loops", round[RANDOM_PLANAR], 10), assert_int_equal(round[RANDOM_WHEELS], 0);
}

/* A base on a slide, two hinges in series with numbers of their own, a ball; servos, limits, a gear. */
static const char everything[] =
    "<mujoco><compiler angle='radian'/><option timestep='0.004' gravity='0.1 0 -3'/><worldbody>"
    "<body name='a' pos='0.1 0.2 0.3' euler='0.1 0.2 0.3' gravcomp='0.25'><joint name='x' type='slide' axis='1 2 0' "
    "ref='0.3' stiffness='4' springref='0.1' damping='0.5' armature='0.2' range='-1 2'/>"
    "<inertial pos='0 0.1 0' mass='2' diaginertia='0.1 0.2 0.15' euler='0.4 0 0'/>"
    "<body name='b' pos='0 0 0.5'><joint name='h1' pos='0 0 0.1' axis='0 1 1' ref='0.2'/>"
    "<joint name='h2' pos='0.1 0 0' axis='1 0 0' ref='-0.4' damping='0.3' stiffness='2'/>"
    "<inertial pos='0 0 0.1' mass='1' diaginertia='0.02 0.03 0.04'/>"
    "<body name='c' pos='0.2 0 0'><joint name='ball' type='ball' pos='0 0 0.2' damping='0.1' armature='0.03'/>"
    "<inertial pos='0.1 0 0' mass='1' diaginertia='0.02 0.03 0.04'/><body name='d'><joint name='y' type='slide'/>"
    "<inertial pos='0 0 0' mass='1' diaginertia='0.02 0.03 0.04'/></body></body></body></body>"
    "<body name='e'><joint name='z' axis='0 1 0'/><inertial pos='0 0 1' mass='1' diaginertia='0.02 0.03 0.04'/></body>"
    "<body name='free' pos='2 0 0'><freejoint/><inertial pos='0.3 0 0' mass='1' diaginertia='0.02 0.03 0.04'/>"
    "<geom type='box' size='0.1 0.2 0.3' pos='0 0 1' contype='0' conaffinity='0'/></body>"
    "</worldbody><equality><joint joint1='z' joint2='y' polycoef='0 0.5 0 0 0'/></equality><actuator>"
    "<motor name='m' joint='x' gear='3' forcerange='-2 1'/><position name='p' joint='h1' kp='20' kv='2' gear='-2' "
    "forcerange='-5 5'/><velocity name='v' joint='h2' kv='3'/><general name='g' joint='h1' gainprm='0.5' "
    "biastype='affine' biasprm='0 -20 -2'/></actuator></mujoco>";

static void whole_model(void **unused)
{
    lg_rng rng = {7};
    lg_status status;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(everything, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(goes_round(m, &rng, 1e-3, 1e-12), 1);
    lg_mechanism *n = again(&status, "out.xml");
    mechanism_well(status, n);
    assert_int_equal(lg_mechanism_motor_count(n), 4);
    assert_true(lg_mechanism_file_step(n) == 0.004);
    for (int i = 0; i < 4; i++) {
        lg_motor a = lg_motor_default(NULL, NULL), b = lg_motor_default(NULL, NULL);
        suite_ok("motor", lg_mechanism_read_motor(m, &a, i));
        suite_ok("motor", lg_mechanism_read_motor(n, &b, i));
        assert_string_equal(a.name, b.name);
        assert_string_equal(a.joint, b.joint);
        assert_true(a.ratio == b.ratio && a.position_gain == b.position_gain && a.velocity_gain == b.velocity_gain);
        assert_true(a.lower == b.lower && a.upper == b.upper && a.control_gain == b.control_gain);
    }
    lg_joint x = lg_joint_default(NULL, LG_JOINT_FIXED, NULL, NULL);
    suite_ok("joint", lg_mechanism_read_joint(n, &x, lg_mechanism_joint(n, "x")));
    assert_true(x.stiffness == 4 && x.rest == 0.1 && x.damping == 0.5 && x.armature == 0.2);
    assert_true(x.lower == -1 && x.upper == 2);
    lg_mechanism_destroy(n), lg_mechanism_destroy(m);
}

/* One that URDF can say: hinges off the origins of their bodies, a slide, a body that floats. */
static const char plain[] =
    "<mujoco><compiler angle='radian'/><worldbody><body name='a' pos='0.1 0.2 0.3' euler='0.1 0.2 0.3'>"
    "<joint name='x' axis='1 2 0' pos='0.2 0 0.1' damping='0.5' range='-1 2'/>"
    "<inertial pos='0 0.1 0' mass='2' fullinertia='0.1 0.2 0.15 0.01 0.02 0.03'/>"
    "<body name='b' pos='0 0 0.5' euler='0 1 0'><joint name='y' type='slide' axis='0 1 1'/>"
    "<inertial pos='0 0 0.1' mass='1' diaginertia='0.02 0.03 0.04'/>"
    "<geom type='sphere' size='0.1' contype='0' conaffinity='0'/></body></body>"
    "<body name='c'><joint name='z' axis='0 1 0'/><inertial pos='0 0 1' mass='1' diaginertia='0.02 0.03 0.04'/></body>"
    "<body name='f' pos='3 0 0'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='0.02 0.03 0.04'/></body>"
    "</worldbody><equality><joint name='z' joint1='z' joint2='y' polycoef='0 0.5 0 0 0'/></equality>"
    "<actuator><motor name='x' joint='x'/></actuator></mujoco>";

static double joint_now(const lg_motion *mo, const lg_mechanism *m, const char *name)
{
    double q[6];
    suite_ok("joint", lg_motion_joint(mo, q, NULL, lg_mechanism_joint(m, name)));
    return q[0];
}

static void as_urdf(void **unused)
{
    static const char *const names[] = {"x", "y", "z"};
    lg_status status;
    lg_motion *a, *b;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(plain, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_well(lg_mechanism_write(m, model_path("out.urdf"), NULL), m);
    lg_mechanism *n = again(&status, "out.urdf");
    mechanism_well(status, n);
    mechanism_well(lg_mechanism_compile(n), n);
    assert_int_equal(lg_mechanism_freedoms(n), lg_mechanism_freedoms(m));
    assert_int_equal(lg_mechanism_gear_count(n), 1);
    for (int i = 0; i < 4; i++) {
        lg_body one = lg_body_default(NULL), two = lg_body_default(NULL);
        suite_ok("body", lg_mechanism_read_body(m, &one, i));
        suite_ok("body", lg_mechanism_read_body(n, &two, lg_mechanism_body(n, one.name)));
        assert_true(one.mass == two.mass && memcmp(one.inertia, two.inertia, sizeof one.inertia) == 0);
    }
    lg_joint x = lg_joint_default(NULL, LG_JOINT_FIXED, NULL, NULL);
    suite_ok("joint", lg_mechanism_read_joint(n, &x, lg_mechanism_joint(n, "x")));
    assert_true(x.damping == 0.5 && x.lower == -1 && x.upper == 2);
    motion_well(motion_create(&a, m, "gauss", 1e-3), a), motion_well(motion_create(&b, n, "gauss", 1e-3), b);
    motion_well(lg_motion_start_joints(a, 0, NULL, NULL, 1), a);
    motion_well(lg_motion_start_joints(b, 0, NULL, NULL, 1), b);
    motion_well(lg_motion_step(a, STEPS), a), motion_well(lg_motion_step(b, STEPS), b);
    for (int i = 0; i < 3; i++) suite_near1(names[i], joint_now(b, n, names[i]), joint_now(a, m, names[i]), 1e-12, 1);
    suite_above("it moves", fabs(joint_now(a, m, "x")), 1e-3);
    lg_motion_destroy(a), lg_motion_destroy(b);
    lg_mechanism_destroy(n), lg_mechanism_destroy(m);
}

/* A body on a hinge with a fault, whose file must stay as it was. */
static void refused(const char *what, const char *file, lg_mechanism *m, lg_status want, const char *words)
{
    char text[32] = "";
    suite_case("%s", what);
    mechanism_well(lg_mechanism_compile(m), m);
    model_write(file, "an older file");
    suite_status("write", lg_mechanism_write(m, model_path(file), NULL), want);
    suite_contains("message", lg_mechanism_message(m), words);
    FILE *f = fopen(model_path(file), "r");
    assert_non_null(f);
    assert_true(fgets(text, sizeof text, f) != NULL && fclose(f) == 0);
    assert_string_equal(text, "an older file");
    if (want == LG_ERROR_UNSUPPORTED && strstr(words, "--ignore") != NULL) {
        const int before = lg_mechanism_remark_count(m);
        mechanism_well(lg_mechanism_write(m, model_path(file), all), m);
        assert_int_equal(lg_mechanism_remark_count(m), before + 1);
        suite_contains("remark", lg_mechanism_remark(m, before), "ignored, as you ask");
    }
    lg_mechanism_destroy(m);
}

static lg_mechanism *on_hinge(lg_joint *joint, const char *body)
{
    const double up[3] = {0, 1, 0};
    lg_mechanism *m;
    suite_ok("create", lg_mechanism_create(&m));
    mechanism_add_body(m, body, 0, 0, 0);
    *joint = lg_joint_default("hinge", LG_JOINT_REVOLUTE, NULL, body);
    memcpy(joint->axis, up, sizeof up);
    return m;
}

static void refusals(void **unused)
{
    lg_joint j;
    lg_mechanism *m = on_hinge(&j, "b");
    (void)unused;
    j.friction = 1, j.friction_speed = 0.1;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("friction", "out.xml", m, LG_ERROR_UNSUPPORTED,
            "joint 'hinge' has dry friction that a speed rounds off, "
            "which MJCF cannot say; without it: --ignore friction");
    m = on_hinge(&j, "b");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const lg_thruster t = lg_thruster_default("fan", "b");
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
    refused("thruster", "out.xml", m, LG_ERROR_UNSUPPORTED,
            "thruster 'fan' pushes a body, which MJCF cannot say; "
            "without it: --ignore thruster");
    m = on_hinge(&j, "b");
    j.stiffness = 1;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("a spring in URDF", "out.urdf", m, LG_ERROR_UNSUPPORTED,
            "joint 'hinge' has a spring, which URDF cannot say; without it: --ignore stiffness");
    m = on_hinge(&j, "b");
    j.kind = LG_JOINT_SPHERICAL;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("a ball in URDF", "out.urdf", m, LG_ERROR_UNSUPPORTED, "joint 'hinge' is spherical, which URDF cannot say");
    m = on_hinge(&j, "world");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("a body called world", "out.xml", m, LG_ERROR_UNSUPPORTED, "a body is called 'world'");
    m = on_hinge(&j, "b\x01");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("a name", "out.xml", m, LG_ERROR_ARGUMENT, "has a character that no XML file can hold");
    m = on_hinge(&j, "b");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    refused("an ending", "out.txt", m, LG_ERROR_ARGUMENT, "ends neither in .xml or .mjcf nor in .urdf");
    m = on_hinge(&j, "b");
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    suite_status("not compiled", lg_mechanism_write(m, model_path("out.xml"), NULL), LG_ERROR_ARGUMENT);
    suite_status("no path", lg_mechanism_write(m, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_mechanism_write(NULL, model_path("out.xml"), NULL), LG_ERROR_ARGUMENT);
    mechanism_well(lg_mechanism_compile(m), m);
    suite_status("no folder", lg_mechanism_write(m, "/no/such/folder/out.xml", NULL), LG_ERROR_IO);
    lg_mechanism_destroy(m);
}

#define INERTIAL "<inertial pos='0.1 0 0.2' mass='2' diaginertia='0.1 0.2 0.15'/>"

/* Tendons of joints and of points, with a slack spring and a servo; without a length of its own that is as assembled.
 */
static void tendons(void **unused)
{
    static const char text[] =
        "<mujoco><worldbody><site name='w' pos='0.3 0 0.2'/><body name='a'><joint name='j' axis='0 1 0' stiffness='2'/>" INERTIAL
        "<site name='s' pos='0.1 0 0.1'/><body name='b' pos='0 0 1'><joint name='k' "
        "type='slide' axis='1 0 0' ref='0.2' springref='0.2'/>" INERTIAL
        "<site name='t' pos='0 0.1 0'/></body></body></worldbody>"
        "<tendon><fixed name='f' stiffness='3' springlength='-0.1 0.4' damping='0.2'><joint joint='j' coef='2'/><joint "
        "joint='k' coef='-1'/></fixed><spatial name='p' stiffness='5'><site site='w'/><site site='s'/><pulley "
        "divisor='2'/><site site='s'/><site site='t'/></spatial></tendon><actuator><position name='m' tendon='p' "
        "kp='4'/></actuator></mujoco>";
    lg_rng rng = {7};
    (void)unused;
    lg_mechanism *m = mechanism_of_text(text, NULL);
    const lg_tendon_term term[] = {{LG_TENDON_JOINT, "j", 1, {0, 0, 0}},
                                   {LG_TENDON_POINT, "a", 0, {0, 0, 1}},
                                   {LG_TENDON_POINT, NULL, 0, {1, 0, 0}}};
    lg_tendon mixed = lg_tendon_default("mixed");
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(goes_round(m, &rng, 1e-3, 1e-12));
    lg_mechanism_destroy(m);
    m = mechanism_of_text(text, NULL);
    mixed.term = term, mixed.terms = 3;
    mechanism_well(lg_mechanism_add_tendon(m, NULL, &mixed), m);
    refused("a tendon of both", "out.xml", m, LG_ERROR_UNSUPPORTED, "tendon 'mixed' has joints and points");
}

/* Names with characters that mean something in XML. */
static void names(void **unused)
{
    static const char name[] = "a <b> & \"c\" -- d\te";
    lg_joint j;
    lg_status status;
    lg_mechanism *m = on_hinge(&j, name);
    (void)unused;
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    const lg_thruster t = lg_thruster_default(name, name);
    mechanism_well(lg_mechanism_add_thruster(m, NULL, &t), m);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_well(lg_mechanism_write(m, model_path("out.xml"), all), m);
    lg_mechanism *n = again(&status, "out.xml");
    mechanism_well(status, n);
    assert_string_equal(lg_mechanism_body_name(n, 0), name);
    lg_mechanism_destroy(n), lg_mechanism_destroy(m);
}

/* Seconds to read, compile and write `count` bodies with a shape and an actuator without a name each. */
static double seconds_of(int count)
{
    FILE *f = fopen(model_path("out.xml"), "w");
    lg_mechanism *m;
    assert_non_null(f);
    (void)fputs("<mujoco><worldbody>", f);
    for (int i = 0; i < count; i++)
        (void)fprintf(f, "<body name='b%d' pos='%d 0 0'><joint name='j%d'/><geom size='0.1'/></body>", i, i, i);
    (void)fputs("</worldbody><actuator>", f);
    for (int i = 0; i < count; i++) (void)fprintf(f, "<motor joint='j%d'/>", i / 2);
    (void)fputs("</actuator></mujoco>", f);
    assert_int_equal(fclose(f), 0);
    const clock_t before = clock();
    mechanism_well(lg_mechanism_read(&m, model_path("out.xml"), NULL), m);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_well(lg_mechanism_write(m, model_path("out.xml"), NULL), m);
    const double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    lg_mechanism_destroy(m);
    return seconds;
}

/* Eight times the bodies take about eight times as long, not 64 times. */
static void large(void **unused)
{
    double ratio = INFINITY;
    (void)unused;
    for (int i = 0; i < 5 && !(ratio < 20); i++) ratio = fmin(ratio, seconds_of(16000) / seconds_of(2000));
    suite_below("ratio", ratio, 20);
}

static int end(void **unused)
{
    (void)unused;
    model_remove("out.xml"), model_remove("out.urdf"), model_remove("out.txt");
    return rmdir(model_path(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gallery), cmocka_unit_test(random_ones), cmocka_unit_test(whole_model),
        cmocka_unit_test(as_urdf), cmocka_unit_test(refusals),    cmocka_unit_test(names),
        cmocka_unit_test(tendons), cmocka_unit_test(large),
    };
    suite_begin("multibody/files_write");
    return cmocka_run_group_tests(tests, NULL, end);
}
