/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input: every public function of mechanisms and motions answers with a status and words that say what would be
 * right; a step allocates nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocations.h"
#include "support/random_mechanisms.h"

static const double zero[3] = {0, 0, 0}, z_axis[3] = {0, 0, 1};

static lg_mechanism *empty(void)
{
    lg_mechanism *m;
    mechanism_well(lg_mechanism_create(&m), NULL);
    return m;
}

static lg_body good_body(const char *name)
{
    lg_body b = lg_body_default(name);
    b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.1;
    return b;
}

static void says(lg_mechanism *m, lg_status st, const char *text)
{
    suite_status(lg_mechanism_message(m), st, LG_ERROR_ARGUMENT);
    suite_contains("message", lg_mechanism_message(m), text);
}

static void bad_body(lg_mechanism *m, size_t offset, double value, const char *text)
{
    lg_body b = good_body("bad");
    memcpy((char *)&b + offset, &value, sizeof value);
    const int before = lg_mechanism_body_count(m);
    int index = 42;
    says(m, lg_mechanism_add_body(m, &index, &b), text);
    suite_contains("name", lg_mechanism_message(m), "'bad'");
    assert_int_equal(lg_mechanism_body_count(m), before);
    assert_int_equal(index, 42);
}

static void bodies(void **unused)
{
    (void)unused;
    lg_mechanism *m = empty();
    bad_body(m, offsetof(lg_body, mass), 0, "positive");
    bad_body(m, offsetof(lg_body, mass), -1, "positive");
    bad_body(m, offsetof(lg_body, mass), NAN, "positive");
    bad_body(m, offsetof(lg_body, mass), INFINITY, "finite");
    bad_body(m, offsetof(lg_body, inertia), -1, "positive definite");
    bad_body(m, offsetof(lg_body, inertia), NAN, "finite");
    bad_body(m, offsetof(lg_body, inertia), 1, "sum of the other two");
    bad_body(m, offsetof(lg_body, centre), NAN, "finite");
    bad_body(m, offsetof(lg_body, position), INFINITY, "finite");
    bad_body(m, offsetof(lg_body, attitude), NAN, "finite");
    bad_body(m, offsetof(lg_body, attitude), 1, "unit quaternion");
    lg_body b = good_body("");
    says(m, lg_mechanism_add_body(m, NULL, &b), "no name");
    b.name = NULL;
    says(m, lg_mechanism_add_body(m, NULL, &b), "no name");
    b = good_body("twin");
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    says(m, lg_mechanism_add_body(m, NULL, &b), "taken");
    b.size = 3;
    says(m, lg_mechanism_add_body(m, NULL, &b), "lg_body_default()");
    says(m, lg_mechanism_add_body(m, NULL, NULL), "NULL");
    lg_mechanism_destroy(m);
    m = empty();
    says(m, lg_mechanism_compile(m), "no body");
    lg_mechanism_destroy(m);
}

static void bad_joint(const lg_joint *j, const char *text)
{
    lg_mechanism *m = empty();
    const lg_body a = good_body("a"), b = good_body("b");
    mechanism_well(lg_mechanism_add_body(m, NULL, &a), m);
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    lg_status st = lg_mechanism_add_joint(m, NULL, j);
    if (st == LG_OK) st = lg_mechanism_compile(m);
    says(m, st, text);
    suite_contains("name", lg_mechanism_message(m), "'bad'");
    lg_mechanism_destroy(m);
}

static void joints(void **unused)
{
    (void)unused;
    const lg_joint good = lg_joint_default("bad", LG_JOINT_REVOLUTE, "a", "b");
    lg_joint j = good;
#define BAD(text, ...)                                                                                                 \
    j = good;                                                                                                          \
    __VA_ARGS__;                                                                                                       \
    bad_joint(&j, text)
    BAD("there is no body 'ghost'", j.child = "ghost");
    BAD("there is no body 'ghost'", j.parent = "ghost");
    BAD("connects body 'a' with itself", j.child = "a");
    BAD("connects the world with itself", j.child = j.parent = NULL);
    BAD("kind", j.kind = (lg_joint_kind)10);
    BAD("kind", j.kind = (lg_joint_kind)-1);
    BAD("axis is zero", j.axis[2] = 0);
    BAD("not finite", j.axis[2] = NAN);
    BAD("not finite", j.point[1] = INFINITY);
    BAD("not finite", j.damping = NAN);
    BAD("not be negative", j.damping = -1);
    BAD("not be negative", j.stiffness = -1);
    BAD("not finite", j.friction = INFINITY);
    BAD("friction is -1; it must not be negative", j.friction = -1);
    BAD("friction_speed is -2; it must not be negative", j.friction = 1; j.friction_speed = -2);
    BAD("it has stops, but no limits", j.stops = 1);
    BAD("stops at 1 and 1 leave no room", j.stops = 1; j.lower = j.upper = 1);
    BAD("stops at 2 and 1 leave no room", j.stops = 1; j.lower = 2; j.upper = 1);
    BAD("stops is 2; it must be 0 or 1", j.stops = 2; j.upper = 1);
    BAD("stop_restitution is 1.5; it must be from 0 to 1", j.stops = 1; j.upper = 1; j.stop_restitution = 1.5);
    BAD("stop_restitution is nan", j.stop_restitution = NAN);
    BAD("lengths and angles", j.kind = LG_JOINT_FREE; j.friction = j.friction_speed = 1);
    BAD("not be negative", j.length = -1; j.kind = LG_JOINT_DISTANCE);
    BAD("coincide", j.kind = LG_JOINT_DISTANCE);
    BAD("parent_frame is not a rotation", j.on_bodies = 1; j.parent_frame[0] = 2);
    BAD("child_frame is not a rotation", j.on_bodies = 1; j.child_frame[8] = -1);
    BAD("lengths and angles", j.kind = LG_JOINT_SPHERICAL; j.stiffness = 1);
    BAD("in_space", j.kind = LG_JOINT_PRISMATIC; j.in_space = 1);
    BAD("parallel", j.second[2] = 1);
#undef BAD
}

static void other_parts(void **unused)
{
    (void)unused;
    lg_mechanism *m = empty();
    const lg_body a = good_body("a");
    mechanism_well(lg_mechanism_add_body(m, NULL, &a), m);
    lg_wheel w = lg_wheel_default("w", "a");
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "radius 0 must be positive");
    w.radius = 1, w.tube = -1;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "tube -1");
    w.tube = 0, w.axle[1] = 0;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "axle is zero");
    w.axle[1] = 1, w.ground_normal[2] = 0;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "ground_normal is zero");
    w.ground_normal[2] = 1, w.kind = LG_WHEEL_BALL, w.contact = LG_CONTACT_EDGE;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "no edge");
    w.contact = LG_CONTACT_ROLLS, w.tube = 0.1;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "a ball has no tube");
    w.tube = 0, w.ground_velocity[0] = 1, w.ground_velocity[2] = 0.1;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "leaves the plane with 0.1 m/s");
    w.contact = (lg_contact)7;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "lg_contact");
    w = lg_wheel_default("w", "a"), w.radius = 1;
    for (int i = 0; i < 3; i++) { /* a contact without rollers */
        w.contact = (lg_contact)i, w.roller_angle = i == 1 ? NAN : 0.5;
        says(m, lg_mechanism_add_wheel(m, NULL, &w), "belongs to a wheel with rollers, contact omni");
    }
    w.contact = LG_CONTACT_OMNI, w.roller_angle = 45;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "roller_angle 45 must be in [-pi/2, pi/2] rad");
    w.roller_angle = NAN;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "roller_angle nan must be in");
    w.roller_angle = 0, w.kind = LG_WHEEL_BALL;
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "a ball has no rollers");
    lg_spring s = lg_spring_default("s", NULL, "a");
    s.stiffness = -1;
    says(m, lg_mechanism_add_spring(m, NULL, &s), "not be negative");
    s.stiffness = 1, s.damping = NAN;
    says(m, lg_mechanism_add_spring(m, NULL, &s), "finite");
    lg_gear g = lg_gear_default("g", "x", "y");
    g.ratio = 0;
    says(m, lg_mechanism_add_gear(m, NULL, &g), "not 0");
    says(m, lg_mechanism_set_gravity(m, NULL), "three finite numbers");
    says(m, lg_mechanism_set_gravity(m, (const double[3]){0, NAN, 0}), "three finite numbers");
    lg_mechanism_destroy(m);
}

/* A message about a part with a long name still says what is wrong. */
static void long_names(void **unused)
{
    (void)unused;
    char name[5000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    lg_mechanism *m = empty();
    lg_body b = good_body(name);
    b.mass = 0;
    says(m, lg_mechanism_add_body(m, NULL, &b), "positive");
    b.mass = 1, b.inertia[0] = -1;
    says(m, lg_mechanism_add_body(m, NULL, &b), "positive definite");
    b.inertia[0] = 0.1;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    says(m, lg_mechanism_add_body(m, NULL, &b), "taken");
    lg_joint j = lg_joint_default(name, (lg_joint_kind)10, NULL, name);
    says(m, lg_mechanism_add_joint(m, NULL, &j), "lg_joint_kind");
    const lg_wheel w = lg_wheel_default(name, name);
    says(m, lg_mechanism_add_wheel(m, NULL, &w), "radius 0");
    const lg_gear g = {.size = sizeof g, .name = name, .driver = "x"};
    says(m, lg_mechanism_add_gear(m, NULL, &g), "ratio 0");
    lg_spring s = lg_spring_default(name, name, name);
    mechanism_well(lg_mechanism_add_spring(m, NULL, &s), m);
    says(m, lg_mechanism_compile(m), "with itself");
    lg_mechanism_destroy(m);
}

/* Names that only compilation can look up. */
static void names(void **unused)
{
    (void)unused;
    for (int i = 0; i < 7; i++) {
        lg_mechanism *m = empty();
        const lg_body a = good_body("a");
        mechanism_well(lg_mechanism_add_body(m, NULL, &a), m);
        mechanism_add_joint(m, "ball", LG_JOINT_SPHERICAL, NULL, "a", zero, z_axis);
        const lg_motor motor = lg_motor_default("drive", i == 0 ? "none" : "ball");
        lg_wheel wheel = lg_wheel_default("drive", i == 2 ? "none" : NULL);
        lg_spring spring = lg_spring_default("drive", NULL, i == 4 ? "none" : NULL);
        const lg_gear gear = lg_gear_default("drive", "ball", i == 6 ? "ball" : "none");
        wheel.radius = 1, spring.stiffness = 1;
        mechanism_well(i < 2   ? lg_mechanism_add_motor(m, NULL, &motor)
                       : i < 4 ? lg_mechanism_add_wheel(m, NULL, &wheel)
                       : i < 6 ? lg_mechanism_add_spring(m, NULL, &spring)
                               : lg_mechanism_add_gear(m, NULL, &gear),
                       m);
        assert_string_equal(i < 2   ? lg_mechanism_motor_name(m, 0)
                            : i < 4 ? lg_mechanism_wheel_name(m, 0)
                            : i < 6 ? lg_mechanism_spring_name(m, 0)
                                    : lg_mechanism_gear_name(m, 0),
                            "drive");
        assert_null(lg_mechanism_gear_name(m, 1));
        const char *const text[] = {"there is no joint 'none'",
                                    "joint 'ball' has 3 positions; name one",
                                    "there is no body 'none'",
                                    "is on no body",
                                    "there is no body 'none'",
                                    "connects the world with itself",
                                    "joint 'ball' has 3 positions; name one"};
        says(m, lg_mechanism_compile(m), text[i]);
        suite_contains("name", lg_mechanism_message(m), "'drive'");
        lg_mechanism_destroy(m);
    }
}

static lg_mechanism *pendulum(void)
{
    lg_mechanism *m = empty();
    mechanism_add_body(m, "bob", 0.3, 0, -0.4);
    mechanism_add_joint(m, "pivot", LG_JOINT_REVOLUTE, NULL, "bob", zero, (const double[3]){0, 1, 0});
    const lg_motor motor = lg_motor_default("motor", "pivot");
    mechanism_well(lg_mechanism_add_motor(m, NULL, &motor), m);
    return m;
}

static void compiled(void **unused)
{
    (void)unused;
    lg_mechanism *m = pendulum();
    lg_motion *mo;
    suite_status("not compiled", motion_create(&mo, m, NULL, 0.01), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "lg_mechanism_compile()");
    lg_motion_destroy(mo);
    mechanism_well(lg_mechanism_compile(m), m);
    const lg_body b = good_body("late");
    says(m, lg_mechanism_add_body(m, NULL, &b), "compiled");
    says(m, lg_mechanism_compile(m), "compiled");
    says(m, lg_mechanism_keep_order(m), "compiled");
    says(m, lg_mechanism_set_gravity(m, zero), "compiled");
    assert_null(lg_mechanism_body_name(m, 1));
    assert_null(lg_mechanism_joint_name(m, -1));
    assert_int_equal(lg_mechanism_body(m, NULL), -1);
    assert_int_equal(lg_mechanism_joint(m, "bob"), -1);
    static const struct {
        const char *method;
        double h;
        const char *text;
    } bad[] = {{"sem", NAN, "finite"},
               {"rk5", 0.1, "rk5"},
               {"", 0.1, "method"},
               {"sem@none", 0.1, "composition"},
               {"sem@", 0.1, "composition"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        suite_status("create", motion_create(&mo, m, bad[i].method, bad[i].h), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_motion_message(mo), bad[i].text);
        suite_status("step", lg_motion_step(mo, 1), LG_ERROR_ARGUMENT);
        suite_status("start", lg_motion_start_joints(mo, 0, NULL, NULL, 1), LG_ERROR_ARGUMENT);
        lg_motion_destroy(mo);
    }
    lg_mechanism_destroy(m);
}

static int not_a_number(double t, const double *poses, const double *twists, double *wrench, void *context)
{
    (void)t, (void)poses, (void)twists, (void)context;
    wrench[4] = NAN;
    return 0;
}

static void motions(void **unused)
{
    (void)unused;
    const double nan1[1] = {NAN}, poses[7] = {0}, one[1] = {1};
    const double hangs[7] = {0.3, 0, -0.4, 0, 0, 0, 1}, turned[7] = {0.3, 0, 0.4, 1, 0, 0, 0};
    double out[7];
    lg_mechanism *m = pendulum();
    lg_motion *mo;
    mechanism_well(lg_mechanism_compile(m), m);
    motion_well(motion_create(&mo, m, NULL, 0.01), mo);
    suite_status("not started", lg_motion_step(mo, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "lg_motion_start()");
    suite_status("not started", lg_motion_body_pose(mo, out, 0), LG_ERROR_ARGUMENT);
    assert_true(isnan(lg_motion_energy(mo)));
    suite_status("NaN", lg_motion_start_joints(mo, 0, nan1, NULL, 1), LG_ERROR_NOT_FINITE);
    suite_status("NaN", lg_motion_start_joints(mo, 0, NULL, nan1, 1), LG_ERROR_NOT_FINITE);
    suite_status("NaN", lg_motion_start_joints(mo, NAN, NULL, NULL, 1), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_motion_message(mo), "t0 is not finite");
    suite_status("too fast, not projected", lg_motion_start_joints(mo, 0, NULL, (const double[1]){1e200}, 0),
                 LG_ERROR_NOT_FINITE);
    suite_status("too large", lg_motion_start_joints(mo, 0, (const double[1]){1e17}, NULL, 1), LG_ERROR_NOT_FINITE);
    suite_status("wrong way round", lg_motion_start_poses(mo, 0, turned, NULL, 0), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "joint 'pivot' is closed the wrong way round");
    suite_status("slips", lg_motion_start_poses(mo, 0, hangs, (const double[6]){0, 0, 1}, 0), LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "joint 'pivot' by 1");
    suite_status("too fast", lg_motion_start_joints(mo, 0, NULL, (const double[1]){1e200}, 1), LG_ERROR_NOT_FINITE);
    suite_status("no poses", lg_motion_start_poses(mo, 0, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("zero quaternion", lg_motion_start_poses(mo, 0, poses, NULL, 1), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "'bob'");
    suite_status("open", lg_motion_start_poses(mo, 0, (const double[7]){1, 1, 1, 0, 0, 0, 1}, NULL, 0),
                 LG_ERROR_INCONSISTENT);
    suite_contains("message", lg_motion_message(mo), "joint 'pivot'");
    suite_status("NULL", lg_motion_set_control(mo, NULL), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_motion_message(mo), "lg_motion_set_control: the controls are NULL");
    suite_status("NaN", lg_motion_set_control(mo, nan1), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_motion_message(mo), "'motor'");
    suite_status("halvings", lg_motion_set_halvings(mo, -1), LG_ERROR_ARGUMENT);
    suite_status("halvings", lg_motion_set_halvings(mo, 31), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_start_joints(mo, 0, NULL, one, 1), mo);
    suite_status("negative", lg_motion_step(mo, -1), LG_ERROR_ARGUMENT);
    suite_status("body", lg_motion_body_pose(mo, out, 1), LG_ERROR_ARGUMENT);
    suite_status("body", lg_motion_body_twist(mo, out, -1), LG_ERROR_ARGUMENT);
    suite_status("joint", lg_motion_joint(mo, out, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("wrench", lg_motion_joint_wrench(mo, out, 0), LG_ERROR_ARGUMENT);
    suite_status("wheel", lg_motion_wheel_force(mo, out, 0), LG_ERROR_ARGUMENT);
    motion_well(lg_motion_set_wrench(mo, not_a_number, NULL), mo);
    suite_status("NaN in a user's wrench", lg_motion_step(mo, 1), LG_ERROR_NOT_FINITE);
    suite_contains("message", lg_motion_message(mo), "body 'bob'");
    motion_well(lg_motion_set_wrench(mo, NULL, NULL), mo);
    motion_well(lg_motion_step(mo, 3), mo);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

static void nothing_at_all(void **unused)
{
    (void)unused;
    lg_motion *mo;
    double x[7];
    suite_status("create", lg_mechanism_create(NULL), LG_ERROR_ARGUMENT);
    suite_status("add", lg_mechanism_add_body(NULL, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("compile", lg_mechanism_compile(NULL), LG_ERROR_ARGUMENT);
    suite_status("motion", motion_create(NULL, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("motion", motion_create(&mo, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    lg_motion_destroy(mo);
    suite_status("step", lg_motion_step(NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("start", lg_motion_start_joints(NULL, 0, NULL, NULL, 1), LG_ERROR_ARGUMENT);
    suite_status("pose", lg_motion_body_pose(NULL, x, 0), LG_ERROR_ARGUMENT);
    suite_status("momentum", lg_motion_momentum(NULL, x, x), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_body_count(NULL) + lg_mechanism_rank(NULL) + lg_motion_position_count(NULL), 0);
    assert_non_null(lg_mechanism_message(NULL));
    assert_non_null(lg_motion_message(NULL));
    suite_status("link", lg_mechanism_link(NULL, NULL, NULL, "a"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_remark_count(NULL), 0);
    assert_null(lg_mechanism_remark(NULL, 0));
    assert_true(lg_mechanism_file_step(NULL) <= 0);
    lg_mechanism_destroy(NULL);
    lg_motion_destroy(NULL);
}

/* Reading a missing file fails with a message, with expat and without. */
static void no_file(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    const lg_status st = lg_mechanism_read(&m, "no/robot.urdf", NULL);
#ifdef LG_WITHOUT_EXPAT
    suite_status("without expat", st, LG_ERROR_UNSUPPORTED);
    suite_contains("message", lg_mechanism_message(m), "built without expat");
    suite_contains("message", lg_mechanism_message(m), "libexpat1-dev");
#else
    suite_status("no file", st, LG_ERROR_IO);
    suite_contains("message", lg_mechanism_message(m), "no/robot.urdf: No such file");
#endif
    lg_mechanism_destroy(m);
}

/* A mechanism with a bit of everything. */
static lg_mechanism *drawn(int i)
{
    lg_rng rng = suite_rng(4000 + (uint64_t)i);
    random_mechanism r;
    random_mechanism_draw(&r, (random_family)(i % RANDOM_NEARLY), 5, 1, &rng);
    return r.m;
}

static void steps_allocate_nothing(void **unused)
{
    (void)unused;
    only_if_counted();
    for (int i = 0; i < 25; i++) {
        lg_mechanism *m = drawn(i);
        lg_motion *mo;
        if (lg_mechanism_compile(m) == LG_OK) {
            motion_well(motion_create(&mo, m, NULL, 0.001), mo);
            const long before = allocations;
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
            lg_status_ignore(lg_motion_set_halvings(mo, 3));
            lg_status_ignore(lg_motion_step(mo, 10));
            (void)(lg_motion_gap(mo) + lg_motion_slip(mo));
            assert_int_equal(allocations, before);
            lg_motion_destroy(mo);
        }
        lg_mechanism_destroy(m);
    }
}

/* Names, positions and units of kinds, and nothing beyond them. */
static void kinds(void **unused)
{
    static const char *const joints[] = {"fixed",     "revolute", "prismatic", "cylindrical", "universal",
                                         "spherical", "planar",   "distance",  "free",        "composed"};
    static const char *const units[] = {"", "r", "m", "mr", "rr", "rrr", "mmr", "", "mmmrrr", ""};
    static const char *const wheels[] = {"disk", "ball"}, *const contacts[] = {"rolls", "edge", "slides", "omni",
                                                                               "real"};
    (void)unused;
    for (int i = -1; i <= LG_JOINT_COMPOSED + 1; i++) {
        const lg_joint_kind kind = (lg_joint_kind)i;
        const int is = i >= 0 && i <= LG_JOINT_COMPOSED, count = is ? (int)strlen(units[i]) : -1;
        suite_case("kind %d", i);
        assert_int_equal(lg_joint_kind_positions(kind), count);
        assert_null(lg_joint_kind_unit(kind, -1));
        assert_null(lg_joint_kind_unit(kind, is ? count : 0));
        if (is)
            assert_string_equal(lg_joint_kind_name(kind), joints[i]);
        else
            assert_null(lg_joint_kind_name(kind));
        for (int k = 0; k < count; k++)
            assert_string_equal(lg_joint_kind_unit(kind, k), units[i][k] == 'm' ? "m" : "rad");
    }
    for (int i = 0; i < 2; i++) assert_string_equal(lg_wheel_kind_name((lg_wheel_kind)i), wheels[i]);
    for (int i = 0; i < 5; i++) assert_string_equal(lg_contact_name((lg_contact)i), contacts[i]);
    for (int i = -1; i < 6; i += 6) { /* -1 and 5 */
        assert_null(lg_wheel_kind_name((lg_wheel_kind)i));
        assert_null(lg_contact_name((lg_contact)i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),
        cmocka_unit_test(joints),
        cmocka_unit_test(other_parts),
        cmocka_unit_test(names),
        cmocka_unit_test(long_names),
        cmocka_unit_test(compiled),
        cmocka_unit_test(motions),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(no_file),
        cmocka_unit_test(kinds),
        cmocka_unit_test(steps_allocate_nothing),
    };
    suite_begin("multibody/contracts");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
