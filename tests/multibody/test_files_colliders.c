/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of files that collide: as surfaces, with their values, which of them touch, and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/model_files.h"

#define INERTIAL "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define LINK(inside)                                                                                                   \
    "<robot name='r'><link name='l'>" INERTIAL inside "</link><liegrp root='floating'><ground friction='1' "           \
    "restitution='1'/></liegrp></robot>"
#define SHAPE(shape) LINK("<collision><geometry>" shape "</geometry></collision>")
#define MASS         "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/>"
/* A free body over the ground. */
#define FREE(inside)                                                                                                   \
    "<mujoco><worldbody><geom name='floor' type='plane' size='0 0 1'/><body name='b' pos='0 0 3'><freejoint/>" MASS    \
        inside "</body></worldbody></mujoco>"
/* A trunk with two legs, of two hinges each; `last` may be <contact>. */
#define BALL "size='.1'"
#define BOX  "type='box' size='.1 .1 .1'"
#define CAN  "type='cylinder' size='.1 .1'"
#define ROBOT(option, of_legs, of_feet, last)                                                                          \
    "<mujoco>" option "<worldbody><geom name='floor' type='plane' size='0 0 1'/><body name='trunk' pos='0 0 3'>"       \
    "<freejoint/>" MASS "<geom name='trunk' size='.2'/>" LEG("a", of_legs, of_feet)                                    \
        LEG("b", of_legs, of_feet) "</body></worldbody>" last "</mujoco>"
#define LEG(name, of_leg, of_foot)                                                                                     \
    "<body name='leg_" name "' pos='0 0 -.5'><joint name='hip_" name "' axis='0 1 0'/>" MASS "<geom name='leg_" name   \
    "' " of_leg "/><body name='foot_" name "' pos='0 0 -.5'><joint name='knee_" name "' axis='0 1 0'/>" MASS           \
    "<geom name='foot_" name "' " of_foot "/></body></body>"

static lg_mechanism *with(const char *text, lg_file_contacts contacts, const char *const *ignore)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    options.contacts = contacts, options.ignore = ignore;
    return mechanism_of_text(text, &options);
}

static int number_of(const lg_mechanism *m, const char *name)
{
    for (int i = 0; i < lg_mechanism_surface_count(m); i++)
        if (strcmp(lg_mechanism_surface_name(m, i), name) == 0) return i;
    suite_fail("there is no surface '%s'", name);
    return -1;
}

static lg_surface surface(const lg_mechanism *m, const char *name)
{
    lg_surface s;
    lg_surface_init(&s, sizeof s);
    mechanism_well(lg_mechanism_read_surface(m, &s, number_of(m, name)), m);
    return s;
}

/* What two surfaces are to each other. */
static lg_surface_meeting meeting(const lg_mechanism *m, const char *a, const char *b)
{
    lg_surface_meeting is, back;
    const int i = number_of(m, a), j = number_of(m, b);
    suite_ok("meeting", lg_mechanism_surface_meeting(m, &is, i, j));
    suite_ok("and back", lg_mechanism_surface_meeting(m, &back, j, i));
    assert_true(is.touch == back.touch && is.reason == back.reason && is.friction == back.friction);
    return is;
}

/* The file is refused with all contacts. */
static void rejected(const char *text, lg_status want, const char *words)
{
    lg_mechanism *m;
    lg_mechanism_file options = lg_mechanism_file_default();
    options.contacts = LG_FILE_CONTACTS_ALL;
    suite_case("%s: %.300s", words, text);
    model_write("robot.xml", text);
    suite_status("read", lg_mechanism_read(&m, model_path("robot.xml"), &options), want);
    suite_contains("message", lg_mechanism_message(m), words);
    lg_mechanism_destroy(m);
}

/* ---- URDF ---- */

static void shapes_of_urdf(void **unused)
{
    static const struct {
        const char *shape;
        lg_surface_kind kind;
        double half[3];
    } cases[] = {
        {"<box size='1 2 3'/>", LG_SURFACE_BOX, {0.5, 1, 1.5}},
        {"<sphere radius='.5'/>", LG_SURFACE_SPHERE, {0.5, 0, 0}},
        {"<cylinder radius='.5' length='3'/>", LG_SURFACE_CYLINDER, {0.5, 1.5, 0}},
        {"<capsule radius='.5' length='3'/>", LG_SURFACE_CAPSULE, {0.5, 1.5, 0}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       LINK("<collision%s><origin xyz='1 2 3' rpy='0 0 %.17g'/><geometry>%s"
                            "</geometry></collision>"),
                       i > 0 ? " name='skin'" : "", acos(-1) / 2, cases[i].shape);
        lg_mechanism *m = with(text, LG_FILE_CONTACTS_ALL, NULL);
        const lg_surface s = surface(m, i > 0 ? "skin" : "l_collision");
        assert_true(s.kind == cases[i].kind && s.friction == 0.5 && s.restitution == 0 && s.group == 0);
        suite_near("half", s.half, cases[i].half, 3, 0, 1);
        suite_near("position", s.position, (double[]){1, 2, 3}, 3, 1e-15, 1);
        suite_near("attitude", s.attitude, (double[]){0, 0, sqrt(0.5), sqrt(0.5)}, 4, 1e-15, 1);
        assert_string_equal(s.body, "l");
        mechanism_well(lg_mechanism_compile(m), m);
        assert_true(meeting(m, s.name, "ground").touch);
        lg_mechanism_destroy(m);

        m = with(text, LG_FILE_CONTACTS_NONE, NULL); /* the ground alone */
        assert_true(lg_mechanism_surface_count(m) == 1 && lg_mechanism_remark_count(m) == 0);
        lg_mechanism_destroy(m);
        m = with(text, LG_FILE_CONTACTS_JOINTS, NULL);
        assert_int_equal(lg_mechanism_surface_count(m), 1);
        assert_true(mechanism_remarked(m, "1 colliding shapes of links pass through each other and the ground"));
        lg_mechanism_destroy(m);
    }
}

/* Values of Bullet, of Gazebo for a link, and of SDF in the shape: the last counts. */
static void values_of_urdf(void **unused)
{
    static const char *const ignore[] = {"rolling_friction", "mu2", NULL};
    (void)unused;
    lg_mechanism *m =
        with(LINK("<contact><lateral_friction value='.7'/><restitution value='.4'/><stiffness "
                  "value='3e4'/></contact><collision><geometry><sphere radius='1'/></geometry></collision>"
                  "<collision><geometry><sphere radius='2'/></geometry><surface><friction><ode><mu>.2</mu>"
                  "<mu2>.2</mu2></ode></friction></surface></collision>"),
             LG_FILE_CONTACTS_ALL, NULL);
    assert_true(surface(m, "l_collision").friction == 0.7 && surface(m, "l_collision").restitution == 0.4);
    assert_true(surface(m, "l_collision_2").friction == 0.2 && surface(m, "l_collision_2").restitution == 0.4);
    assert_true(mechanism_remarked(m, "stiffness, damping and the like make contacts soft; contacts here are rigid"));
    mechanism_well(lg_mechanism_compile(m), m);
    const lg_surface_meeting is = meeting(m, "l_collision", "ground"); /* of 1 and 1 */
    assert_true(is.touch && is.reason == LG_MEETING_SMALLER && is.friction == 0.7 && is.restitution == 0.4);
    assert_true(meeting(m, "l_collision", "l_collision_2").reason == LG_MEETING_ONE_BODY);
    lg_mechanism_destroy(m);

#define GAZEBO(inside)                                                                                                 \
    "<robot name='r'><link name='l'>" INERTIAL "<collision><geometry><sphere radius='1'/></geometry></collision>"      \
    "</link><gazebo reference='l'>" inside "</gazebo><gazebo reference='k'><mu1>9</mu1></gazebo>"                      \
    "<liegrp root='floating'/></robot>"
    m = with(GAZEBO("<mu1> 0.9 </mu1><mu2>.9</mu2><kp>1e6</kp><material>Red</material>"), LG_FILE_CONTACTS_ALL, NULL);
    assert_true(surface(m, "l_collision").friction == 0.9);
    assert_true(mechanism_remarked(m, "kp, kd and the like make contacts soft; contacts here are rigid"));
    assert_true(mechanism_remarked(m, "<material> is not read"));
    lg_mechanism_destroy(m);
    rejected(GAZEBO("<mu1>.9</mu1><mu2>.8</mu2>"), LG_ERROR_UNSUPPORTED, "without it: --ignore mu2");
    rejected(GAZEBO("<mu1>-.9</mu1>"), LG_ERROR_ARGUMENT, "<mu1> is '-.9'; it must be a number that is not negative");
    rejected(GAZEBO("<slip1>.1</slip1>"), LG_ERROR_UNSUPPORTED, "without it: --ignore slip1");
    rejected(GAZEBO("<torsional/>"), LG_ERROR_UNSUPPORTED, "without it: --ignore torsional");
    m = with(GAZEBO("<mu1>.9</mu1><mu2>.8</mu2>"), LG_FILE_CONTACTS_ALL, ignore);
    assert_true(surface(m, "l_collision").friction == 0.9 && mechanism_remarked(m, "<mu2> is ignored, as you ask"));
    lg_mechanism_destroy(m);
}

/* ---- MJCF ---- */

static void geoms(void **unused)
{
    static const struct {
        const char *geom;
        lg_surface_kind kind;
        double half[3];
    } cases[] = {
        {"size='.5'", LG_SURFACE_SPHERE, {0.5, 0, 0}},
        {"type='capsule' size='.5 2'", LG_SURFACE_CAPSULE, {0.5, 2, 0}},
        {"type='capsule' size='.5' fromto='0 0 -1 0 0 2'", LG_SURFACE_CAPSULE, {0.5, 1.5, 0}},
        {"type='cylinder' size='.5 2'", LG_SURFACE_CYLINDER, {0.5, 2, 0}},
        {"type='box' size='.5 1 2'", LG_SURFACE_BOX, {0.5, 1, 2}},
        {"type='ellipsoid' size='.5 1 2'", LG_SURFACE_ELLIPSOID, {0.5, 1, 2}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text, FREE("<geom %s friction='.6 .1' condim='%d'/>"), cases[i].geom,
                       i == 1 ? 1 : 3);
        lg_mechanism *m = with(text, LG_FILE_CONTACTS_ALL, NULL);
        const lg_surface s = surface(m, "b_geom"), floor = surface(m, "floor");
        assert_true(floor.kind == LG_SURFACE_PLANE && floor.body == NULL && floor.friction == 1);
        assert_true(s.kind == cases[i].kind && s.friction == (i == 1 ? 0 : 0.6) && s.restitution == 0);
        suite_near("half", s.half, cases[i].half, 3, 1e-15, 1);
        mechanism_well(lg_mechanism_compile(m), m);
        const lg_surface_meeting is = meeting(m, "b_geom", "floor");
        assert_true(is.touch && is.reason == LG_MEETING_GREATER && is.friction == 1);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m =
        with(FREE("<geom size='.1' solref='.02 1'/><geom size='.1' margin='.01'/>"), LG_FILE_CONTACTS_ALL, NULL);
    assert_true(
        mechanism_remarked(m, "solref, solimp, margin and gap make contacts soft; contacts here are rigid (2 times"));
    lg_mechanism_destroy(m);
}

/* Friction, condim and bits as MuJoCo combines them; a class counts, and priority before the greater. */
static void values_of_geoms(void **unused)
{
    static const struct {
        const char *floor, *geom;
        int touch;
        double friction;
    } cases[] = {
        {"friction='.3'", "friction='.2'", 1, 0.3},
        {"friction='.3'", "friction='.2' priority='1'", 1, 0.2},
        {"friction='.3' condim='1'", "friction='.2' condim='1'", 1, 0},
        {"friction='.3'", "friction='.2' condim='1'", 1, 0.3},
        {"friction='.3' condim='1'", "friction='.2'", 1, 0.3}, /* the greater condim, and the greater friction */
        {"friction='.3' condim='1' priority='2'", "friction='.2' priority='1'", 1, 0},
        {"class='slick'", "class='slick'", 1, 0.05},
        {"class='slick' friction='.4'", "class='slick'", 1, 0.4},
        {"contype='2'", "", 1, 1},
        {"contype='2' conaffinity='2'", "", 0, 0},
        {"contype='0' conaffinity='4'", "contype='4' conaffinity='0'", 1, 1},
        {"contype='0' conaffinity='0'", "", 0, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        (void)snprintf(text, sizeof text,
                       "<mujoco><default><default class='slick'><geom friction='.05'/></default></default><worldbody>"
                       "<geom name='floor' type='plane' size='0 0 1' %s/><body name='b' pos='0 0 3'><freejoint/>" MASS
                       "<geom name='skin' size='.5' %s/></body></worldbody></mujoco>",
                       cases[i].floor, cases[i].geom);
        suite_case("%s, %s", cases[i].floor, cases[i].geom);
        lg_mechanism *m = with(text, LG_FILE_CONTACTS_ALL, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        if (lg_mechanism_surface_count(m) == 2) {
            const lg_surface_meeting is = meeting(m, "skin", "floor");
            assert_true(is.touch == cases[i].touch && is.friction == cases[i].friction);
        } else {
            assert_false(cases[i].touch);
        }
        lg_mechanism_destroy(m);
    }
}

/* ---- which of them touch ---- */

static void pairs(void **unused)
{
    (void)unused;
    lg_mechanism *m = with(ROBOT("", BALL, BALL, ""), LG_FILE_CONTACTS_ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "trunk", "leg_a").reason == LG_MEETING_NEIGHBOURS);
    assert_true(meeting(m, "leg_a", "foot_a").reason == LG_MEETING_NEIGHBOURS);
    assert_true(meeting(m, "trunk", "foot_a").touch && meeting(m, "leg_a", "leg_b").touch);
    assert_true(meeting(m, "foot_a", "floor").touch && meeting(m, "trunk", "floor").touch);
    lg_mechanism_destroy(m);

    m = with(ROBOT("<option><flag filterparent='disable'/></option>", BALL, BALL, ""), LG_FILE_CONTACTS_ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "trunk", "leg_a").touch && meeting(m, "leg_a", "foot_a").touch);
    lg_mechanism_destroy(m);

    m = with(ROBOT("", BALL, BALL,
                   "<contact><exclude body1='leg_b' body2='leg_a'/><exclude body1='world' body2='foot_a'/><pair "
                   "geom1='leg_a' geom2='trunk' friction='.3 .3'/><pair geom1='foot_b' geom2='floor' condim='1'/>"
                   "</contact>"),
             LG_FILE_CONTACTS_ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "leg_a", "leg_b").reason == LG_MEETING_IGNORED);
    assert_true(meeting(m, "foot_a", "floor").reason == LG_MEETING_IGNORED);
    assert_true(meeting(m, "trunk", "leg_a").reason == LG_MEETING_PAIR && meeting(m, "trunk", "leg_a").friction == 0.3);
    assert_true(meeting(m, "foot_b", "floor").touch && meeting(m, "foot_b", "floor").friction == 0);
    lg_mechanism_destroy(m);

    m = with("<mujoco><worldbody><body name='b'><freejoint/><geom name='x' size='.1'/><body><geom name='y' size='.1'/>"
             "</body></body></worldbody><contact><pair geom1='x' geom2='y'/></contact></mujoco>",
             LG_FILE_CONTACTS_ALL, NULL);
    assert_true(mechanism_remarked(m, "a <pair> of geoms of one rigid body changes no motion"));
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "x", "y").reason == LG_MEETING_ONE_BODY);
    lg_mechanism_destroy(m);

    m = with(ROBOT("", BALL, BALL, ""), LG_FILE_CONTACTS_GROUND, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "trunk", "foot_a").reason == LG_MEETING_GROUP && meeting(m, "foot_a", "floor").touch);
    assert_true(mechanism_remarked(m, "6 colliding geoms touch planes alone and pass through each other, as you ask"));
    lg_mechanism_destroy(m);

    m = with(ROBOT("<option><flag contact='disable'/></option>", BALL, BALL, ""), LG_FILE_CONTACTS_ALL, NULL);
    assert_int_equal(lg_mechanism_surface_count(m), 0);
    assert_true(mechanism_remarked(m, "contacts do not act, as <flag> says"));
    lg_mechanism_destroy(m);
}

/* Kinds that cannot touch are refused by name, unless they need not. */
static void kinds(void **unused)
{
    static const char *const ignore[] = {"condim", NULL};
    (void)unused;
    rejected("<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 0 0 0'/></asset><worldbody>"
             "<geom name='hills' type='hfield' hfield='h'/><body name='b' pos='0 0 3'><freejoint/>" MASS
             "<geom name='can' " CAN "/></body></worldbody></mujoco>",
             LG_ERROR_UNSUPPORTED,
             "'can' (cylinder) would touch 'hills' (heights), a pair of kinds that has no contacts; take capsules or "
             "spheres instead, leave the terrain out (--ignore hfield), or exclude the pair in the file");
    rejected(FREE("<geom size='.1' condim='6'/>"), LG_ERROR_UNSUPPORTED, "as condim 3: --ignore condim");
    lg_mechanism *m = with(FREE("<geom size='.1' condim='6' friction='.4'/>"), LG_FILE_CONTACTS_ALL, ignore);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "b_geom", "floor").friction == 1);
    assert_true(mechanism_remarked(m, "condim 6 is ignored and taken as 3, as you ask"));
    lg_mechanism_destroy(m);
    m = with(ROBOT("", CAN, BALL, ""), LG_FILE_CONTACTS_ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_mechanism_destroy(m);
    m = with(ROBOT("", BOX, BALL, ""), LG_FILE_CONTACTS_ALL, NULL);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_mechanism_destroy(m);
}

/* ---- meshes ---- */

#define MESH                                                                                                           \
    "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><geom name='floor' type='plane' size='0 0 1'/>"    \
    "<body name='b' pos='0 0 3'><freejoint/>" MASS "<geom name='skin' type='mesh' mesh='m'/></body></worldbody>"       \
    "</mujoco>"
#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static lg_status read_mesh(lg_mechanism **m, const char *ending, const char *text, const char *mesh,
                           const char *const *ignore)
{
    lg_mechanism_file options = lg_mechanism_file_default();
    char name[16];
    (void)snprintf(name, sizeof name, "robot.%s", ending);
    options.contacts = LG_FILE_CONTACTS_ALL, options.ignore = ignore;
    model_write(name, text), model_write("m.obj", mesh);
    return lg_mechanism_read(m, model_path(name), &options);
}

/* The hull of the points; those that are inside, and those that are there twice, are none of it. */
static void hulls(void **unused)
{
    static const char urdf[] = SHAPE("<mesh filename='m.obj' scale='2 3 -4'/>");
    static const char *const ignore[] = {"mesh", NULL};
    lg_mechanism *m;
    (void)unused;
    mechanism_well(read_mesh(&m, "xml", MESH, CORNERS "v .1 .1 .1\nv 1 0 0\nf 1 2 3\nf 4 5 6\n", NULL), m);
    assert_true(surface(m, "skin").kind == LG_SURFACE_HULL && surface(m, "skin").points == 4);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(meeting(m, "skin", "floor").touch);
    lg_mechanism_destroy(m);

    mechanism_well(read_mesh(&m, "urdf", urdf, CORNERS "v .1 .1 .1\nf 1 2 3\nf 1 2 5\n", NULL), m);
    const lg_surface s = surface(m, "l_collision");
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int i = 0; i < 3 * s.points; i++)
        low[i % 3] = fmin(low[i % 3], s.point[i]), high[i % 3] = fmax(high[i % 3], s.point[i]);
    assert_int_equal(s.points, 4);
    suite_near("low", low, (double[]){0, 0, -4}, 3, 0, 1), suite_near("high", high, (double[]){2, 3, 0}, 3, 0, 1);
    assert_int_equal(lg_mechanism_file_count(m), 1);
    lg_mechanism_destroy(m);

    mechanism_well(read_mesh(&m, "xml", MESH, "v 0 0 0\n", ignore), m);
    assert_int_equal(lg_mechanism_surface_count(m), 1);
    assert_true(mechanism_remarked(m, "<geom> of type 'mesh' is ignored and touches nothing, as you ask"));
    lg_mechanism_destroy(m);
}

/* What has no hull, or one that is too large. */
static void bad_hulls(void **unused)
{
    static const struct {
        const char *mesh, *words;
        lg_status want;
    } cases[] = {
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "without it: --ignore mesh", LG_ERROR_DOMAIN},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 2 2 0\nf 1 2 3\nf 2 4 3\n", "plane", LG_ERROR_DOMAIN},
        {CORNERS "v nan 0 0\nf 1 2 3\n", "m.obj", LG_ERROR_ARGUMENT},
        {CORNERS "v 1e400 0 0\nf 1 2 3\n", "m.obj", LG_ERROR_ARGUMENT},
        {"", "m.obj", LG_ERROR_ARGUMENT},
    };
    static const char *const models[] = {"xml", "urdf"};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 2; k++) {
            lg_mechanism *m;
            suite_case("%s, %s", models[k], cases[i].mesh);
            const lg_status st =
                read_mesh(&m, models[k], k == 0 ? MESH : SHAPE("<mesh filename='m.obj'/>"), cases[i].mesh, NULL);
            suite_status(lg_mechanism_message(m), st, cases[i].want);
            suite_contains("message", lg_mechanism_message(m), cases[i].words);
            lg_mechanism_destroy(m);
        }
    enum { MANY = 100000 };
    char *points = malloc(MANY * 64 + 1), *at = points;
    assert_non_null(points);
    for (int i = 0; i < MANY; i++) {
        const double z = 1 - 2 * (i + 0.5) / MANY, r = sqrt(1 - z * z);
        at += sprintf(at, "v %.9f %.9f %.9f\n", r * cos(2.4 * i), r * sin(2.4 * i), z);
    }
    for (int k = 0; k < 2; k++) {
        lg_mechanism *m;
        const lg_status st = read_mesh(&m, models[k], k == 0 ? MESH : SHAPE("<mesh filename='m.obj'/>"), points, NULL);
        suite_status(lg_mechanism_message(m), st, LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_mechanism_message(m),
                       "vertices, more than 4096; make the mesh coarser, or without");
        lg_mechanism_destroy(m);
    }
    free(points);
    rejected(SHAPE("<mesh filename='n.obj'/>"), LG_ERROR_ARGUMENT,
             "mesh 'n.obj' is not read, and a contact needs it: there is no such file; without it: --ignore mesh");
    rejected(SHAPE("<mesh filename='n.dae'/>"), LG_ERROR_ARGUMENT,
             "meshes in '.dae' files are not read, and a contact");
}

/* ---- what is refused ---- */

static void bad_values(void **unused)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {LINK("<collision/>"), "<geometry>"},
        {SHAPE(""), "<geometry> of a <collision> has no sphere, capsule, box, cylinder or mesh"},
        {SHAPE("<cone radius='1'/>"), "<geometry> of a <collision> has no sphere"},
        {SHAPE("<box/>"), "<box> has no attribute 'size'"},
        {SHAPE("<box size='1 2'/>"), "size"},
        {SHAPE("<sphere radius='0'/>"), "half[0] is 0; of kind sphere it must be positive"},
        {SHAPE("<sphere radius='nan'/>"), "radius"},
        {SHAPE("<cylinder radius='1' length='-1'/>"), "half[1] is -0.5; of kind cylinder"},
        {LINK("<contact><lateral_friction value='-1'/></contact><collision><geometry><sphere radius='1'/></geometry>"
              "</collision>"),
         "friction is -1"},
        {LINK("<contact><restitution value='2'/></contact><collision><geometry><sphere radius='1'/></geometry>"
              "</collision>"),
         "restitution is 2"},
        {LINK("<contact><lateral_friction/></contact><collision><geometry><sphere radius='1'/></geometry></collision>"),
         "<lateral_friction> has no attribute 'value'"},
        {FREE("<geom size='0'/>"), "half[0] is 0; of kind sphere"},
        {FREE("<geom size='.1' condim='2'/>"), "condim is 2; it must be 1, 3, 4 or 6"},
        {FREE("<geom size='.1' condim='nan'/>"), "condim"},
        {FREE("<geom size='.1' friction='-1'/>"), "friction is -1"},
        {FREE("<geom size='.1' contype='1.5'/>"), "contype is 1.5; it must be a whole number of 32 bits"},
        {FREE("<geom size='.1' conaffinity='1e10'/>"), "conaffinity is 1e+10"},
        {FREE("<geom size='.1' priority='.5'/>"), "priority is 0.5; it must be a whole number"},
        {FREE("<geom size='.1' priority='1e99'/>"), "priority is 1e+99"},
        {ROBOT("", BALL, BALL, "<contact><pair geom1='floor'/></contact>"), "<pair> has no attribute 'geom2'"},
        {ROBOT("", BALL, BALL, "<contact><pair geom1='floor' geom2='arm'/></contact>"),
         "geom2 of <pair>: there is no <geom name=\"arm\">"},
        {ROBOT("", BALL, BALL, "<contact><pair geom1='floor' geom2='floor'/></contact>"), "itself"},
        {ROBOT("", BALL, BALL, "<contact><pair geom1='floor' geom2='trunk' friction='-1 -1'/></contact>"),
         "friction is -1"},
        {ROBOT("", BALL, BALL,
               "<contact><pair geom1='floor' geom2='trunk'/><pair geom1='trunk' geom2='floor'/></contact>"),
         "a second <pair> of the same geoms"},
        {ROBOT("", BALL, BALL, "<contact><exclude body1='trunk' body2='arm'/></contact>"),
         "body2 of <exclude>: there is no body 'arm'"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        rejected(cases[i].text, LG_ERROR_ARGUMENT, cases[i].words);
    rejected(FREE("<geom type='sdf' size='.1'/>"), LG_ERROR_UNSUPPORTED, "without it: --ignore sdf");
    rejected(ROBOT("", BALL, BALL, "<contact><pair geom1='floor' geom2='trunk' friction='.5'/></contact>"),
             LG_ERROR_UNSUPPORTED, "<pair> has the frictions 0.5 and 1 along two directions");
    rejected(ROBOT("<option><flag override='enable'/></option>", BALL, BALL, ""), LG_ERROR_UNSUPPORTED,
             "without it: --ignore override");
    rejected(
        LINK("<contact><rolling_friction value='.1'/></contact><collision><geometry><sphere radius='1'/></geometry>"
             "</collision>"),
        LG_ERROR_UNSUPPORTED, "without it: --ignore rolling_friction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_urdf),  cmocka_unit_test(values_of_urdf), cmocka_unit_test(geoms),
        cmocka_unit_test(values_of_geoms), cmocka_unit_test(pairs),          cmocka_unit_test(kinds),
        cmocka_unit_test(hulls),           cmocka_unit_test(bad_hulls),      cmocka_unit_test(bad_values)};
    suite_begin("multibody/files_colliders");
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    model_remove("robot.xml"), model_remove("robot.urdf"), model_remove("m.obj");
    return failed + rmdir(model_path(""));
}
