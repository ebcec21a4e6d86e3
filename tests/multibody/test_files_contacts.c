/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact from files: surfaces, pairs, the ground and stops of URDF; limits and friction of joints that are read with
 * contacts. */
#include <math.h>

#include "support/model_files.h"
#include "support/motions.h"

#define BOX                                                                                                            \
    "<robot name='r'><link name='box'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" \
    "<link name='lid'/><joint name='glue' type='fixed'><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/>"             \
    "<parent link='box'/><child link='lid'/></joint><liegrp root='floating'>"
#define END "</liegrp></robot>"
#define ARM(joint, extension)                                                                                          \
    "<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='1 0 0'/><mass value='1'/><inertia "    \
    "ixx='.1' iyy='.1' izz='.1'/></inertial></link><joint name='j' type='revolute'><parent link='base'/><child "       \
    "link='arm'/><axis xyz='0 1 0'/>" joint "</joint>" extension "</robot>"
#define MJCF(joint)                                                                                                    \
    "<mujoco><worldbody><geom type='plane'/><body name='b'>" joint                                                     \
    "<inertial pos='1 0 0' mass='1' diaginertia='.1 .1 .1'/></body></worldbody></mujoco>"

static lg_mechanism *with_contacts(const char *text)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    options.contacts = LG_FILE_CONTACTS_JOINTS;
    return mechanism_of_text(text, &options);
}

static void surfaces(void **unused)
{
    lg_surface s;
    lg_surface_pair p;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        BOX "<surface name='skin' link='lid' kind='box' half='.1 .2 .3' position='1 0 0' attitude='0 0 0 2' "
            "friction='.25' restitution='.75' group='4'/>"
            "<surface name='keel' link='box' kind='hull' points='0 0 0  1 0 0  0 1 0  0 0 1'/>"
            "<surface name='wall' link='world' kind='plane' position='0 0 -3'/><ground friction='.9' restitution='.1'/>"
            "<surface_pair name='p' first='skin' second='ground' friction='.3'/>"
            "<surface_pair name='q' first='keel' second='ground' ignored='true'/>" END,
        NULL);
    assert_int_equal(lg_mechanism_surface_count(m), 4);
    lg_surface_init(&s, sizeof s), lg_surface_pair_init(&p, sizeof p);
    mechanism_well(lg_mechanism_read_surface(m, &s, 0), m);
    assert_string_equal(s.body, "box");
    suite_near("position", s.position, (double[]){0, 1, 1}, 3, 1e-15, 1);
    suite_near("attitude", s.attitude, (double[]){0, 0, sqrt(0.5), sqrt(0.5)}, 4, 1e-15, 1);
    suite_near("half", s.half, (double[]){0.1, 0.2, 0.3}, 3, 0, 1);
    assert_true(s.kind == LG_SURFACE_BOX && s.group == 4 && s.friction == 0.25 && s.restitution == 0.75);
    mechanism_well(lg_mechanism_read_surface(m, &s, 1), m);
    assert_true(s.kind == LG_SURFACE_HULL && s.points == 4 && s.point[3] == 1 && s.friction == 0.5);
    mechanism_well(lg_mechanism_read_surface(m, &s, 3), m);
    assert_string_equal(s.name, "ground");
    assert_true(s.body == NULL && s.kind == LG_SURFACE_PLANE && s.friction == 0.9 && s.restitution == 0.1);
    mechanism_well(lg_mechanism_read_surface_pair(m, &p, 0), m);
    assert_true(!p.ignored && p.friction == 0.3 && p.restitution < 0);
    mechanism_well(lg_mechanism_read_surface_pair(m, &p, 1), m);
    assert_true(p.ignored);
    lg_mechanism_destroy(m);
}

/* Triangles and heights, read, written and read again. */
static void terrain(void **unused)
{
    lg_surface s;
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        BOX "<surface name='skin' link='box' kind='sphere' half='.1'/>"
            "<surface name='roof' link='world' kind='triangles' position='0 0 -3' points='0 0 0  1 0 0  0 1 0  1 1 .5' "
            "triangles='0 1 2  2 1 3'/>"
            "<surface name='hill' link='world' kind='heights' half='1 2' position='0 0 -4' rows='2' "
            "heights='0 .5 0  .1 0 .25'/>" END,
        NULL);
    lg_surface_init(&s, sizeof s);
    for (int k = 0; k < 2; k++) {
        mechanism_well(lg_mechanism_read_surface(m, &s, 1), m);
        assert_true(s.kind == LG_SURFACE_TRIANGLES && s.points == 4 && s.triangles == 2 && s.point[11] == 0.5);
        assert_true(s.triangle[2] == 2 && s.triangle[5] == 3 && s.body == NULL);
        mechanism_well(lg_mechanism_read_surface(m, &s, 2), m);
        assert_true(s.kind == LG_SURFACE_HEIGHTS && s.rows == 2 && s.columns == 3 && s.half[1] == 2);
        assert_true(s.height[1] == 0.5 && s.height[5] == 0.25);
        if (k == 1) break;
        mechanism_well(lg_mechanism_compile(m), m);
        mechanism_well(lg_mechanism_write(m, model_path("hill.urdf"), NULL), m);
        lg_mechanism_destroy(m);
        suite_ok("read", model_read(&m, "hill.urdf"));
        model_remove("hill.urdf");
    }
    lg_mechanism_destroy(m);
}

#define FIELD(hfield)                                                                                                  \
    "<mujoco><asset><hfield name='h' " hfield "/></asset><worldbody><geom name='hill' type='hfield' hfield='h' "       \
    "pos='0 0 -2'/><body name='b'><freejoint/><geom name='ball' size='.1' mass='1'/></body></worldbody></mujoco>"

/* A height field of MJCF: its rows from the greatest y down, scaled to lie between 0 and size[2]. */
static void height_field(void **unused)
{
    static const double want[6] = {0, 1.5, 3, 0.75, 0, 2.25};
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_surface s;
    (void)unused;
    options.contacts = LG_FILE_CONTACTS_GROUND;
    lg_surface_init(&s, sizeof s);
    lg_mechanism *m = mechanism_of_text(FIELD("nrow='2' ncol='3' size='1 2 3 .1' elevation='3 2 5  2 4 6'"), &options);
    mechanism_well(lg_mechanism_read_surface(m, &s, 0), m);
    assert_true(s.kind == LG_SURFACE_HEIGHTS && s.rows == 2 && s.columns == 3 && s.body == NULL);
    assert_true(s.half[0] == 1 && s.half[1] == 2 && s.position[2] == -2 && s.rule == LG_FRICTION_GREATER);
    suite_near("heights", s.height, want, 6, 1e-15, 1);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_surface_meeting meeting;
    mechanism_well(lg_mechanism_surface_meeting(m, &meeting, 0, 1), m);
    assert_int_equal(meeting.touch, 1);
    lg_mechanism_destroy(m);
}

/* Two rows of three, from the least y up, in MuJoCo's own format. */
static void write_field(const char *name, size_t size)
{
    static const char bytes[33] =
        "\2\0\0\0\3\0\0\0\0\0\x40\x40\0\0\0\x40\0\0\xa0\x40\0\0\0\x40\0\0\x80\x40\0\0\xd0\x40";
    FILE *f = fopen(model_path(name), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Heights of 2 rows and columns, of which one is not a number. */
static void write_hole(const char *name)
{
    static const char bytes[25] = "\2\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0\x7f\0\0\0\0";
    FILE *f = fopen(model_path(name), "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, 24, f), 24);
    assert_int_equal(fclose(f), 0);
}

static lg_status read_field(lg_mechanism **m, const char *text)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    options.contacts = LG_FILE_CONTACTS_ALL;
    model_write("main.xml", text);
    return lg_mechanism_read(m, model_path("main.xml"), &options);
}

/* A height field from a file: found as meshes are, its first row that of the least y. Heights are those of MuJoCo 2.2.
 */
static void height_field_file(void **unused)
{
    static const double want[6] = {2. / 3, 0, 2, 0, 4. / 3, 3};
    static const char *const models[] = {
        FIELD("file='hill.bin' size='1 2 3 .1'"),
        FIELD("file='hill.bin' content_type='image/vnd.mujoco.hfield' size='1 2 3 .1'"),
        "<mujoco><compiler meshdir='maps'/><asset><hfield file='hill.bin' size='1 2 3 .1'/></asset><worldbody>"
        "<geom name='hill' type='hfield' hfield='hill'/><body name='b' pos='0 0 9'><freejoint/>"
        "<geom name='ball' size='.1' mass='1'/></body></worldbody></mujoco>",
    };
    lg_mechanism *m;
    lg_surface s;
    (void)unused;
    lg_surface_init(&s, sizeof s);
    write_field("hill.bin", 32);
    assert_int_equal(mkdir(model_path("maps"), 0700), 0);
    write_field("maps/hill.bin", 32);
    for (int i = 0; i < 3; i++) {
        suite_case("%s", models[i]);
        suite_ok("read", read_field(&m, models[i]));
        mechanism_well(lg_mechanism_read_surface(m, &s, 0), m);
        assert_true(s.kind == LG_SURFACE_HEIGHTS && s.rows == 2 && s.columns == 3);
        suite_near("heights", s.height, want, 6, 1e-15, 1);
        mechanism_well(lg_mechanism_compile(m), m);
        lg_mechanism_destroy(m);
    }
    model_remove("maps/hill.bin");
    assert_int_equal(rmdir(model_path("maps")), 0);
    model_remove("hill.bin");
}

/* A model that is attached brings its height fields along, from its own folder. */
static void height_field_attached(void **unused)
{
    lg_mechanism *m;
    lg_surface s;
    (void)unused;
    lg_surface_init(&s, sizeof s);
    assert_int_equal(mkdir(model_path("land"), 0700), 0);
    write_field("land/hill.bin", 32);
    model_write("land/land.xml",
                "<mujoco model='land'><asset><hfield file='hill.bin' size='1 2 3 .1'/><hfield name='n' nrow='2' "
                "ncol='2' elevation='0 1 2 3' size='1 2 3 .1'/></asset><worldbody><geom name='g' type='hfield' "
                "hfield='hill'/><geom name='k' type='hfield' hfield='n' pos='5 0 0'/></worldbody></mujoco>");
    suite_ok("read", read_field(&m, "<mujoco><asset><model name='land' file='land/land.xml'/></asset><worldbody>"
                                    "<frame pos='0 0 -9'><attach model='land' prefix='a_'/></frame><body name='b'>"
                                    "<freejoint/><geom name='ball' size='.1' mass='1'/></body></worldbody></mujoco>"));
    for (int i = 0; i < 2; i++) {
        mechanism_well(lg_mechanism_read_surface(m, &s, i), m);
        assert_string_equal(s.name, i == 0 ? "a_g" : "a_k");
        assert_true(s.kind == LG_SURFACE_HEIGHTS && s.position[2] == -9 && s.columns == 3 - i);
    }
    lg_mechanism_destroy(m);
    model_remove("land/hill.bin"), model_remove("land/land.xml");
    assert_int_equal(rmdir(model_path("land")), 0);
}

static void height_field_file_refused(void **unused)
{
    static const struct {
        const char *text;
        lg_status status;
        const char *words;
    } wrong[] = {
        {FIELD("file='none.bin' size='1 1 1 1'"), LG_ERROR_IO, "main.xml:1: file 'none.bin': No such file"},
        {FIELD("file='/dev/zero' size='1 1 1 1'"), LG_ERROR_ARGUMENT, "outside of the model's folder"},
        {FIELD("file='short.bin' size='1 1 1 1'"), LG_ERROR_ARGUMENT,
         "short.bin: byte 0: 2 rows and 3 columns take 32"},
        {FIELD("file='short.bin' nrow='2' size='1 1 1 1'"), LG_ERROR_ARGUMENT, "nrow, ncol or elevation beside it"},
        {FIELD("file='short.bin' content_type='image/jpeg' size='1 1 1 1'"), LG_ERROR_ARGUMENT, "content_type"},
        {FIELD("file='short.bin' content_type='image/png' size='1 1 1 1'"), LG_ERROR_ARGUMENT, "begin as a PNG file"},
        {FIELD("file='hill.bin' size='1 1 0 1'"), LG_ERROR_ARGUMENT, "number 3 of size is 0; it must be positive"},
        {FIELD("file='hill.bin'"), LG_ERROR_ARGUMENT, "size"},
        {FIELD("file='hole.bin' size='1 1 1 1'"), LG_ERROR_ARGUMENT, "hole.bin"},
        {FIELD("nrow='2' ncol='2' size='1 1 1 1' elevation='0 nan 0 0'"), LG_ERROR_ARGUMENT, "elevation"},
        {FIELD("nrow='2' ncol='2' size='1 1 1 1' elevation='0 0 0'"), LG_ERROR_ARGUMENT, "elevation"},
    };
    lg_mechanism *m;
    (void)unused;
    write_field("hill.bin", 32), write_field("short.bin", 31), write_hole("hole.bin");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        suite_case("%s", wrong[i].text);
        suite_status("read", read_field(&m, wrong[i].text), wrong[i].status);
        suite_contains("message", lg_mechanism_message(m), wrong[i].words);
        lg_mechanism_destroy(m);
    }
    model_remove("hill.bin"), model_remove("short.bin"), model_remove("hole.bin"), model_remove("main.xml");
}

static void joints(void **unused)
{
    lg_joint j = lg_joint_default("", LG_JOINT_FREE, NULL, NULL);
    (void)unused;
    lg_mechanism *m = with_contacts(ARM("<limit lower='-1' upper='.5'/><dynamics friction='3'/>", ""));
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 1 && j.lower == -1 && j.upper == 0.5 && j.friction == 3 && j.friction_speed == 0);
    assert_false(mechanism_remarked(m, "watched"));
    lg_mechanism_destroy(m);

    m = mechanism_of_text(ARM("<limit lower='-1' upper='.5'/>", "<liegrp><stops joint='j' restitution='.4'/></liegrp>"),
                          NULL);
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 1 && j.stop_restitution == 0.4);
    lg_mechanism_destroy(m);

    m = mechanism_of_text(ARM("<limit lower='-1' upper='.5'/>", ""), NULL);
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 0);
    assert_true(mechanism_remarked(m, "1 joint limit is watched, not enforced"));
    lg_mechanism_destroy(m);

    m = with_contacts(MJCF("<joint name='j' axis='0 1 0' range='-30 60' frictionloss='2'/><geom size='.1'/>"));
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 1 && j.friction == 2);
    suite_near1("upper", j.upper, acos(-1) / 3, 1e-15, 1);
    assert_true(mechanism_remarked(m, "2 colliding geoms pass through each other and the ground"));
    lg_mechanism_destroy(m);

    m = with_contacts("<mujoco><option><flag constraint='disable'/></option><worldbody><body name='b'><joint name='j' "
                      "range='-30 60' frictionloss='2'/><inertial pos='1 0 0' mass='1' diaginertia='.1 .1 .1'/></body>"
                      "</worldbody></mujoco>");
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 0 && j.friction == 0);
    lg_mechanism_destroy(m);

    m = with_contacts("<mujoco><option><flag limit='disable'/></option><worldbody><body name='b'><joint name='j' "
                      "range='-30 60' frictionloss='2'/><inertial pos='1 0 0' mass='1' diaginertia='.1 .1 .1'/></body>"
                      "</worldbody></mujoco>");
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_true(j.stops == 0 && j.friction == 2);
    lg_mechanism_destroy(m);
}

/* A default that is meant for hinges is one for free joints, too, which have no dry friction. */
static void of_free_joints(void **unused)
{
#define DEFAULT(loss)                                                                                                  \
    "<mujoco><default><joint frictionloss='2'/></default><worldbody><body name='b'><joint name='f' type='free' " loss  \
    "/><geom size='.1'/><body name='c'><joint name='j'/><geom size='.1'/></body></body></worldbody></mujoco>"
    static const char *const ignore[] = {"frictionloss", NULL};
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_joint j = lg_joint_default("", LG_JOINT_FREE, NULL, NULL);
    lg_mechanism *m;
    (void)unused;
    options.contacts = LG_FILE_CONTACTS_JOINTS;
    model_write("main.xml", DEFAULT(""));
    suite_status("refused", lg_mechanism_read(&m, model_path("main.xml"), &options), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "a free joint has no dry friction here, and its frictionloss");
    lg_mechanism_destroy(m);
    model_remove("main.xml");
    for (int k = 0; k < 2; k++) {
        options.ignore = k == 0 ? ignore : NULL;
        m = mechanism_of_text(k == 0 ? DEFAULT("") : DEFAULT("frictionloss='0'"), &options);
        mechanism_well(lg_mechanism_read_joint(m, &j, lg_mechanism_joint(m, "j")), m);
        assert_true(j.friction == 2);
        assert_int_equal(mechanism_remarked(m, "frictionloss of a free joint is ignored, as you ask"), k == 0);
        lg_mechanism_destroy(m);
    }
}

/* Each of the joints in series keeps its own, with MJCF and where URDF joins links without mass. */
static void in_series(void **unused)
{
    lg_coordinate c = lg_coordinate_default("", "");
    (void)unused;
    lg_mechanism *m = with_contacts(MJCF("<joint name='x' axis='1 0 0' range='-30 30'/><joint name='y' axis='0 1 0' "
                                         "frictionloss='2'/><joint name='z' axis='0 0 1'/>"));
    assert_int_equal(lg_mechanism_coordinate_count(m), 3);
    mechanism_well(lg_mechanism_read_coordinate(m, &c, 0), m);
    assert_true(c.stops == 1 && c.friction == 0);
    mechanism_well(lg_mechanism_read_coordinate(m, &c, 1), m);
    assert_true(c.stops == 0 && c.friction == 2);
    lg_mechanism_destroy(m);

    m = mechanism_of_text(
        "<robot name='r'><link name='base'/><link name='frame'/><link name='arm'><inertial><mass value='1'/><inertia "
        "ixx='.1' iyy='.1' izz='.1'/></inertial></link><joint name='first' type='revolute'><parent link='base'/><child "
        "link='frame'/><axis xyz='0 1 0'/><limit lower='-1' upper='1'/></joint><joint name='second' type='prismatic'>"
        "<parent link='frame'/><child link='arm'/><axis xyz='0 1 1'/><limit lower='-2' upper='2'/></joint>"
        "<liegrp><stops joint='second' restitution='.5'/></liegrp></robot>",
        NULL);
    mechanism_well(lg_mechanism_read_coordinate(m, &c, 0), m);
    assert_true(c.stops == 0 && c.upper == 1);
    mechanism_well(lg_mechanism_read_coordinate(m, &c, 1), m);
    assert_true(c.stops == 1 && c.stop_restitution == 0.5 && c.upper == 2);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {BOX "<surface name='s' link='box' half='1'/>" END, "<surface> has no attribute 'kind'"},
        {BOX "<surface name='s' link='box' kind='cube' half='1'/>" END, "cube"},
        {BOX "<surface name='s' link='body' kind='sphere' half='1'/>" END, "there is no link 'body'"},
        {BOX "<surface name='s' link='box' kind='sphere' half='-1'/>" END, "half[0] is -1; of kind sphere"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' friction='-1'/>" END, "friction is -1"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' restitution='2'/>" END, "restitution is 2"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' attitude='0 0 0 0'/>" END, "attitude"},
        {BOX "<surface name='s' link='box' kind='hull' points='1 2 3 4'/>" END, "each point has three"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' group='.5'/>" END, "group is 0.5"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' contype='1e10'/>" END, "contype is 1e+10"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' rule='mean'/>" END, "mean"},
        {BOX "<surface name='s' link='box' kind='sphere' half='1' mass='1'/>" END, "mass of <surface> is not known"},
        {BOX "<surface_pair name='p' first='a'/>" END, "'second'"},
        {BOX "<ground friction='-1'/>" END, "friction is -1"},
        {ARM("", "<liegrp><stops joint='j'/></liegrp>"), "joint 'j' has no limits"},
        {ARM("<limit lower='0' upper='1'/>", "<liegrp><stops joint='k'/></liegrp>"), "there is no joint 'k'"},
        {ARM("<limit lower='0' upper='1'/>", "<liegrp><stops joint='j' restitution='2'/></liegrp>"),
         "stop_restitution is 2"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        mechanism_rejected(LG_ERROR_ARGUMENT, cases[i].text, cases[i].words);
    mechanism_rejected(LG_ERROR_UNSUPPORTED, ARM("<dynamics friction='3'/>", ""),
                       "(lg_mechanism_file::ignore); as dry friction: --contacts (lg_mechanism_file::contacts)");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, MJCF("<joint frictionloss='2'/>"),
                       "(lg_mechanism_file::ignore); as dry friction: --contacts (lg_mechanism_file::contacts)");
}

/* Written and read again it is the same mechanism. */
static void written(void **unused)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    lg_joint j = lg_joint_default("", LG_JOINT_FREE, NULL, NULL);
    lg_surface a, b;
    lg_surface_pair p;
    lg_mechanism *n;
    (void)unused;
    options.contacts = 1;
    lg_surface_init(&a, sizeof a), lg_surface_init(&b, sizeof b), lg_surface_pair_init(&p, sizeof p);
    lg_mechanism *m = mechanism_of_text(
        ARM("<origin xyz='0 0 2'/><limit lower='-1' upper='.5'/><dynamics friction='3' damping='.1'/>",
            "<liegrp><stops joint='j' restitution='.4'/><surface name='tip' link='arm' kind='hull' points='2 0 0 2 0 .1' "
            "position='0 .5 0' attitude='0 .6 0 .8' friction='.3' restitution='.2' group='7'/><surface name='lid' "
            "link='arm' kind='box' half='.1 .2 .3' contype='2' conaffinity='-6' priority='1' rule='greater'/><ground/><surface_pair name='p' first='tip' second='ground' "
            "friction='.7'/><surface_pair name='q' first='lid' second='ground' ignored='true'/></liegrp>"),
        &options);
    mechanism_well(lg_mechanism_compile(m), m);
    mechanism_well(lg_mechanism_write(m, model_path("out.urdf"), NULL), m);
    assert_true(mechanism_remarked(m, "1 position has stops and 1 dry friction: liegrp reads them so with --contacts"));
    mechanism_well(lg_mechanism_read(&n, model_path("out.urdf"), &options), n);
    mechanism_well(lg_mechanism_read_joint(n, &j, 0), n);
    assert_true(j.stops == 1 && j.stop_restitution == 0.4 && j.friction == 3 && j.damping == 0.1 && j.upper == 0.5);
    assert_int_equal(lg_mechanism_surface_count(n), 3);
    for (int i = 0; i < 3; i++) {
        mechanism_well(lg_mechanism_read_surface(m, &a, i), m), mechanism_well(lg_mechanism_read_surface(n, &b, i), n);
        suite_near("position", b.position, a.position, 3, 1e-15, 1);
        suite_near("attitude", b.attitude, a.attitude, 4, 1e-15, 1);
        suite_near("half", b.half, a.half, 3, 0, 1);
        assert_true(a.kind == b.kind && a.friction == b.friction && a.restitution == b.restitution &&
                    a.group == b.group && a.points == b.points && a.contype == b.contype && a.rule == b.rule &&
                    a.conaffinity == b.conaffinity && a.priority == b.priority);
        assert_true(i == 1 ? b.contype == 2 && b.priority == 1 && b.rule == LG_FRICTION_GREATER : b.priority == 0);
        if (a.points > 0) suite_near("points", b.point, a.point, 3 * a.points, 0, 1);
    }
    mechanism_well(lg_mechanism_read_surface_pair(n, &p, 0), n);
    assert_true(!p.ignored && p.friction == 0.7 && p.restitution < 0);
    mechanism_well(lg_mechanism_read_surface_pair(n, &p, 1), n);
    assert_true(p.ignored);
    lg_mechanism_destroy(n);

    suite_status("surfaces", lg_mechanism_write(m, model_path("out.xml"), NULL), LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "surface 'tip' touches others, which MJCF cannot say");
    suite_status("restitution", lg_mechanism_write(m, model_path("out.xml"), (const char *[]){"surface", NULL}),
                 LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "the stops of 'j' have a restitution of 0.4");
    mechanism_well(lg_mechanism_write(m, model_path("out.xml"), (const char *[]){"surface", "restitution", NULL}), m);
    mechanism_well(lg_mechanism_read(&n, model_path("out.xml"), &options), n);
    mechanism_well(lg_mechanism_read_joint(n, &j, 0), n);
    assert_true(j.stops == 1 && j.friction == 3 && j.lower == -1);
    lg_mechanism_destroy(n);
    lg_mechanism_destroy(m);
    model_remove("out.xml"), model_remove("out.urdf");
    assert_int_equal(rmdir(model_path("")), 0);
}

/* Limits of 0 and 0, as some exporters write them, hold nothing. */
static void no_room(void **unused)
{
    lg_joint j;
    (void)unused;
    lg_mechanism *m = with_contacts(ARM("<limit lower='0' upper='0' effort='0' velocity='0'/>", ""));
    lg_joint_init(&j, sizeof j);
    mechanism_well(lg_mechanism_read_joint(m, &j, 0), m);
    assert_int_equal(j.stops, 0);
    assert_true(mechanism_remarked(m, "limits that leave a joint no room are no stops"));
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces),
        cmocka_unit_test(terrain),
        cmocka_unit_test(height_field),
        cmocka_unit_test(height_field_file),
        cmocka_unit_test(height_field_attached),
        cmocka_unit_test(height_field_file_refused),
        cmocka_unit_test(joints),
        cmocka_unit_test(of_free_joints),
        cmocka_unit_test(in_series),
        cmocka_unit_test(refused),
        cmocka_unit_test(written),
        cmocka_unit_test(no_room),
    };
    suite_begin("multibody/files_contacts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
