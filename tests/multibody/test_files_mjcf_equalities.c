/* SPDX-License-Identifier: BSD-3-Clause */
/* Equalities of joints and tendons of MJCF: exact accelerations with MuJoCo's masses, forces and rows
 * (tests/data/multibody_mujoco_equalities.json, written by mujoco_equalities.mjs), written and read back; <gear> of
 * <liegrp>. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>

#include "support/mechanisms.h"
#include "support/model_files.h"

enum { MOST = 8 };

static void mujoco(void **unused)
{
    const cJSON *item, *state;
    int states = 0;
    (void)unused;
    cJSON *all = ref_load("multibody_mujoco_equalities.json");
    cJSON_ArrayForEach(item, ref_get(all, "items"))
    {
        lg_dynamics *d;
        lg_mechanism *m = mechanism_of_text(ref_get(item, "mjcf")->valuestring, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("dynamics", lg_dynamics_create(&d, m));
        const int n = lg_dynamics_count(d);
        assert_in_range(n, 1, MOST);
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            double q[MOST], v[MOST], a[MOST], right[MOST], largest = 1, got, rate;
            lg_motion *mo;
            suite_case("%s, state %d", ref_get(item, "name")->valuestring, states++);
            ref_exactly(q, n, state, "q"), ref_exactly(v, n, state, "v"), ref_exactly(right, n, state, "a");
            suite_ok("state", lg_dynamics_set(d, q, v));
            suite_ok("acceleration", lg_dynamics_acceleration(d, a, NULL, NULL));
            for (int i = 0; i < n; i++) largest = fmax(largest, fabs(right[i]));
            suite_near("acceleration", a, right, n, 1e-11, largest);
            motion_well(motion_create(&mo, m, "sem", 1e-3),
                        mo); /* the residual stays round-off in a motion from there */
            motion_well(lg_motion_start_joints(mo, 0, q, v, 0), mo);
            motion_well(lg_motion_step(mo, 200), mo);
            got = lg_motion_gap(mo), rate = lg_motion_slip(mo);
            suite_near1("gap", got, 0, 1e-12, 1), suite_near1("slip", rate, 0, 1e-11, 1);
            lg_motion_destroy(mo);
        }
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
    assert_int_equal(states, 15);
    cJSON_Delete(all);
}

#define PAIR(equality)                                                                                                 \
    "<mujoco><compiler angle='radian'/><worldbody><body name='a'><joint name='j' axis='0 1 0' ref='0.4'/>"             \
    "<inertial mass='1' pos='0.3 0 0' diaginertia='1 1 1'/><body name='b' pos='0.5 0 0'>"                              \
    "<joint name='k' axis='0 1 0' ref='-0.3'/><inertial mass='1' pos='0.2 0 0' diaginertia='1 1 1'/></body></body>"    \
    "</worldbody><equality>" equality "</equality></mujoco>"

static lg_gear gear_of(const lg_mechanism *m)
{
    lg_gear g = lg_gear_default(NULL, NULL, NULL);
    assert_int_equal(lg_mechanism_gear_count(m), 1);
    suite_ok("gear", lg_mechanism_read_gear(m, &g, 0));
    return g;
}

static double value_of(const lg_gear *g, double q)
{
    return g->offset + q * (g->ratio + q * (g->quadratic + q * (g->cubic + q * g->quartic)));
}

/* The polynomial of the changes since qpos0 becomes one of the positions, and is written as the former. */
static void written(void **unused)
{
    static const char *const texts[] = {"<joint joint1='k' joint2='j' polycoef='0.1 0.2 0.3 0.4 0.5'/>",
                                        "<joint joint1='k' polycoef='0.1 0.2'/>",
                                        "<joint joint1='k' joint2='j' polycoef='0.1 0'/>"};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, PAIR("%s"), texts[i]);
        suite_case("%s", texts[i]);
        lg_mechanism *m = mechanism_of_text(text, NULL), *n;
        lg_gear g = gear_of(m);
        for (int k = 0; k < 4; k++) {
            const double d = i == 0 ? 0.3 * k : 0; /* the value at d = 0.3 k */
            suite_near1("value", value_of(&g, 0.4 + d), -0.3 + 0.1 + d * (0.2 + d * (0.3 + d * (0.4 + d * 0.5))), 1e-15,
                        1);
        }
        assert_true((i == 0) == (g.driver != NULL));
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_freedoms(m), 1);
        mechanism_well(lg_mechanism_write(m, model_path("out.xml"), NULL), m);
        mechanism_well(model_read(&n, "out.xml"), n);
        const lg_gear back = gear_of(n);
        assert_true((i == 0) == (back.driver != NULL));
        for (int k = 0; k < 4; k++) suite_near1("value", value_of(&back, 0.3 * k), value_of(&g, 0.3 * k), 1e-14, 1);
        mechanism_well(lg_mechanism_compile(n), n);
        lg_mechanism_destroy(n);
        suite_status("URDF", lg_mechanism_write(m, model_path("out.urdf"), NULL), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_mechanism_message(m), i == 0 ? "has powers of its driver" : "does not drive");
        mechanism_well(lg_mechanism_write(m, model_path("out.urdf"), (const char *const[]){"gear", "gravity", NULL}),
                       m);
        mechanism_well(model_read(&n, "out.urdf"), n);
        assert_int_equal(lg_mechanism_gear_count(n), 0);
        lg_mechanism_destroy(n), lg_mechanism_destroy(m);
        model_remove("out.xml"), model_remove("out.urdf");
    }
    assert_int_equal(rmdir(model_path("")), 0);
}

/* A held tendon, with a spring or without, is written and read back; one that is left out is no tendon. */
static void tendons(void **unused)
{
    static const char *const inside[] = {"", "stiffness='20'"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        (void)snprintf(
            text, sizeof text,
            "<mujoco><worldbody><site name='w' pos='0 0 1'/><body name='a'><joint axis='0 1 0' name='j'/>"
            "<inertial mass='1' pos='0.3 0 0' diaginertia='1 1 1'/><body name='b' pos='0.5 0 0'><joint name='k' "
            "axis='0 1 0'/><inertial mass='1' pos='0.2 0 0' diaginertia='1 1 1'/><site name='s' pos='0.4 0 0'/>"
            "</body></body></worldbody><tendon><spatial name='t' %s><site site='w'/><site site='s'/></spatial>"
            "</tendon><equality><tendon tendon1='t' polycoef='-0.1'/></equality></mujoco>",
            inside[i]);
        lg_mechanism *m = mechanism_of_text(text, NULL), *n;
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_freedoms(m), 1);
        assert_false(mechanism_remarked(m, "exert no force"));
        mechanism_well(lg_mechanism_write(m, model_path("out.xml"), NULL), m);
        mechanism_well(model_read(&n, "out.xml"), n);
        mechanism_well(lg_mechanism_compile(n), n);
        assert_int_equal(lg_mechanism_freedoms(n), 1);
        lg_mechanism *pair[2] = {m, n};
        double q[2][2];
        for (int k = 0; k < 2; k++) {
            lg_motion *mo;
            motion_well(motion_create(&mo, pair[k], "gauss", 0.01), mo);
            motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
            motion_well(lg_motion_step(mo, 50), mo);
            suite_ok("positions", lg_motion_positions(mo, q[k], NULL));
            lg_motion_destroy(mo);
        }
        suite_near("motion", q[1], q[0], 2, 1e-11, 1);
        lg_mechanism_destroy(m), lg_mechanism_destroy(n);
        model_remove("out.xml");
        lg_mechanism_file o = lg_mechanism_file_default();
        o.ignore = (const char *const[]){"tendon", NULL};
        m = mechanism_of_text(text, &o);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_freedoms(m), 2);
        lg_mechanism_destroy(m);
    }
}

static void refused(void **unused)
{
    (void)unused;
    mechanism_rejected(LG_ERROR_ARGUMENT, PAIR("<joint joint1='k' joint2='k'/>"), "are one joint");
    mechanism_rejected(LG_ERROR_ARGUMENT, PAIR("<joint joint1='k' joint2='x'/>"), "'x' is no hinge");
    mechanism_rejected(LG_ERROR_ARGUMENT, PAIR("<joint joint2='k'/>"), "joint1");
    mechanism_rejected(LG_ERROR_ARGUMENT, PAIR("<joint joint1='k' joint2='j' polycoef='0 1 nan'/>"), "polycoef");
    mechanism_rejected(LG_ERROR_ARGUMENT, PAIR("<joint joint1='k' joint2='j' polycoef='0 1 2 3 4 5'/>"),
                       "1 to 5 numbers");
}

#define ROBOT(gear)                                                                                                    \
    "<robot name='r'><link name='w'/><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"     \
    "</inertial></link><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" \
    "<joint name='j' type='continuous'><parent link='w'/><child link='a'/></joint><joint name='k' type='prismatic'>"   \
    "<parent link='a'/><child link='b'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"                 \
    "<liegrp><gear name='g' " gear "/></liegrp></robot>"

static void of_urdf(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        ROBOT("joint='k' driver='j' ratio='2' offset='0.1' quadratic='3' cubic='-4' quartic='5'"), NULL);
    lg_gear g = gear_of(m);
    assert_string_equal(g.driver, "j"), assert_string_equal(g.joint, "k");
    assert_true(g.ratio == 2 && g.offset == 0.1 && g.quadratic == 3 && g.cubic == -4 && g.quartic == 5);
    lg_mechanism_destroy(m);
    m = mechanism_of_text(ROBOT("joint='k' offset='0.1'"), NULL);
    g = gear_of(m);
    assert_true(g.driver == NULL && g.ratio == 0 && g.offset == 0.1);
    lg_mechanism_destroy(m);
    mechanism_rejected(LG_ERROR_ARGUMENT, ROBOT("driver='j'"), "'joint'");
    mechanism_rejected(LG_ERROR_ARGUMENT, ROBOT("joint='k' driver='j' curve='1'"), "curve of <gear> is not known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mujoco), cmocka_unit_test(tendons), cmocka_unit_test(written),
                                       cmocka_unit_test(refused), cmocka_unit_test(of_urdf)};
    suite_begin("multibody/files_mjcf_equalities");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
