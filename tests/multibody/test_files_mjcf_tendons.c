/* SPDX-License-Identifier: BSD-3-Clause */
/* Tendons of MJCF, actuators on tendons and sites, equalities between sites: accelerations against MuJoCo
 * (tests/data/multibody_mujoco_tendons.json, written by mujoco_tendons.mjs), refusals, what is left out. */
#include <math.h>
#include <string.h>

#include <liegrp/multibody/dynamics.h>
#include <liegrp/multibody/parameters.h>
#include <liegrp/multibody/tendon.h>

#include "support/mechanisms.h"

enum { MOST = 8 };

#define MODEL(inside, after)                                                                                           \
    "<mujoco><worldbody><site name='w' pos='0.2 0 0'/><body name='a'><joint name='j'/>"                                \
    "<inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/><site name='s' pos='0 0 0.1'/><body name='b' pos='0 0 1'>"    \
    "<joint name='k' type='slide'/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/>"                               \
    "<site name='t' pos='0 0.1 0'/>" inside "</body></body></worldbody>" after "</mujoco>"
#define TENDON(text) MODEL("", "<tendon>" text "</tendon>")

static void mujoco(void **unused)
{
    const cJSON *item, *state;
    int states = 0;
    (void)unused;
    cJSON *all = ref_load("multibody_mujoco_tendons.json");
    cJSON_ArrayForEach(item, ref_get(all, "items"))
    {
        lg_dynamics *d;
        lg_mechanism *m = mechanism_of_text(ref_get(item, "mjcf")->valuestring, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        suite_ok("dynamics", lg_dynamics_create(&d, m));
        const int n = lg_dynamics_count(d);
        const int controls = lg_mechanism_motor_count(m) + lg_mechanism_thruster_count(m);
        assert_in_range(n, 1, MOST);
        cJSON_ArrayForEach(state, ref_get(item, "states"))
        {
            double q[MOST], v[MOST], u[MOST], a[MOST], right[MOST], largest = 0;
            suite_case("%s, state %d", ref_get(item, "name")->valuestring, states++);
            ref_exactly(q, n, state, "q"), ref_exactly(v, n, state, "v"), ref_exactly(right, n, state, "a");
            ref_exactly(u, controls, state, "u");
            if (lg_mechanism_thruster_count(m) > 0) { /* the one motor comes first here, and last in the file */
                const double last = u[controls - 1];
                memmove(u + 1, u, ((size_t)controls - 1) * sizeof *u), u[0] = last;
            }
            suite_ok("state", lg_dynamics_set(d, q, v));
            suite_ok("acceleration", lg_dynamics_acceleration(d, a, controls > 0 ? u : NULL, NULL));
            for (int i = 0; i < n; i++) largest = fmax(largest, fabs(right[i]));
            suite_near("acceleration", a, right, n, 1e-12, largest);
        }
        lg_dynamics_destroy(d), lg_mechanism_destroy(m);
    }
    assert_int_equal(states, 21);
    cJSON_Delete(all);
}

/* ---- equalities ---- */

/* Sites that are apart are brought together, and those of a weld with their axes; a held sum is a gear. */
static void equalities(void **unused)
{
    static const char *const kinds[] = {"connect", "weld"};
    char text[2048];
    (void)unused;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(text, sizeof text,
                       "<mujoco><worldbody><body name='a'><freejoint/><inertial mass='1' pos='0 0 0' diaginertia='1 1 "
                       "1'/><frame pos='0 0.1 0'><site name='s' pos='0 0 0.1' quat='0.9 0.1 0.2 0'/></frame></body>"
                       "<body name='b' pos='0 0 1'><freejoint/><inertial mass='1' pos='0.1 0 0' diaginertia='1 1 1'/>"
                       "<site name='t' pos='0 0.2 0.1' quat='0.5 0.5 0.1 0'/></body></worldbody><equality>"
                       "<%s site1='s' site2='t'/></equality></mujoco>",
                       kinds[i]);
        suite_case("%s", kinds[i]);
        lg_mechanism *m = mechanism_of_text(text, NULL);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_freedoms(m), i ? 6 : 9);
        lg_motion *mo;
        double s[3], t[3];
        motion_well(motion_create(&mo, m, "sem", 0.01), mo);
        motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
        motion_well(lg_motion_step(mo, 20), mo);
        motion_well(lg_motion_point(mo, s, NULL, lg_mechanism_body(m, "a"), (const double[3]){0, 0.1, 0.1}), mo);
        motion_well(lg_motion_point(mo, t, NULL, lg_mechanism_body(m, "b"), (const double[3]){0, 0.2, 0.1}), mo);
        suite_near("sites", s, t, 3, 1e-12, 1);
        lg_motion_destroy(mo), lg_mechanism_destroy(m);
    }
    lg_mechanism *m = mechanism_of_text(MODEL("", "<tendon><fixed name='f'><joint joint='j' coef='2'/><joint joint='k' "
                                                  "coef='-3'/></fixed></tendon><equality><tendon tendon1='f' "
                                                  "polycoef='0.1'/></equality>"),
                                        NULL);
    lg_gear g = lg_gear_default(NULL, NULL, NULL);
    suite_ok("gear", lg_mechanism_read_gear(m, &g, 0));
    assert_string_equal(g.joint, "j");
    suite_near1("ratio", g.ratio, 1.5, 1e-15, 1), suite_near1("offset", g.offset, 0.05, 1e-15, 1);
    lg_mechanism_destroy(m);
}

/* ---- what is refused, and what is left out ---- */

#define TWO "<site site='s'/><site site='t'/>"
#define ACT(text)                                                                                                      \
    MODEL("<body name='ball'><joint name='ball' type='ball'/><geom size='0.1'/></body>",                               \
          "<tendon><spatial name='c'>" TWO "</spatial></tendon><actuator>" text "</actuator>")

static void refused(void **unused)
{
    static const struct {
        lg_status status;
        const char *text, *words;
    } cases[] = {
        {LG_ERROR_ARGUMENT, TENDON("<fixed stiffness='1'/>"), "has 0 terms"},
        {LG_ERROR_ARGUMENT, TENDON("<fixed stiffness='1'><joint joint='none' coef='1'/></fixed>"),
         "'none' is no hinge"},
        {LG_ERROR_ARGUMENT, TENDON("<fixed stiffness='1'><joint joint='j'/></fixed>"), "coef"},
        {LG_ERROR_ARGUMENT, TENDON("<fixed stiffness='1'><joint joint='j' coef='nan'/></fixed>"), "coef"},
        {LG_ERROR_ARGUMENT, TENDON("<spatial damping='1'><site site='s'/><site site='x'/></spatial>"), "no site 'x'"},
        {LG_ERROR_ARGUMENT, TENDON("<spatial damping='1'><site site='s'/></spatial>"), "only point of its branch"},
        {LG_ERROR_ARGUMENT, TENDON("<spatial damping='1'><site site='s'/><pulley divisor='0'/>" TWO "</spatial>"),
         "only point"},
        {LG_ERROR_ARGUMENT, TENDON("<spatial damping='1'><pulley divisor='0'/>" TWO "</spatial>"), "divisor 0"},
        {LG_ERROR_UNSUPPORTED,
         TENDON("<spatial damping='1'><site site='s'/><geom geom='g'/><site site='t'/></spatial>"),
         "wraps around a geom"},
        {LG_ERROR_UNSUPPORTED, TENDON("<spatial stiffness='1 2'>" TWO "</spatial>"), "polynomial"},
        {LG_ERROR_UNSUPPORTED, TENDON("<spatial damping='1' frictionloss='1'>" TWO "</spatial>"), "frictionloss of"},
        {LG_ERROR_UNSUPPORTED, TENDON("<spatial damping='1' armature='1'>" TWO "</spatial>"), "armature of"},
        {LG_ERROR_ARGUMENT, TENDON("<spatial stiffness='1' springlength='2 1'>" TWO "</spatial>"), "rest_lower"},
        {LG_ERROR_UNSUPPORTED, ACT("<motor cranksite='s' slidersite='t'/>"), "acts on no joint, tendon or site"},
        {LG_ERROR_UNSUPPORTED, ACT("<motor site='s' refsite='t'/>"), "refsite of"},
        {LG_ERROR_UNSUPPORTED, ACT("<position site='s'/>"), "is a servo"},
        {LG_ERROR_ARGUMENT, ACT("<motor site='w'/>"), "fixed to the world"},
        {LG_ERROR_ARGUMENT, ACT("<motor tendon='none'/>"), "'none' is not there"},
        {LG_ERROR_UNSUPPORTED, ACT("<position tendon='c' dampratio='1'/>"), "dampratio on a tendon"},
        {LG_ERROR_UNSUPPORTED, ACT("<motor joint='ball' gear='0 0 1'/>"), "only if its parent is the world"},
        {LG_ERROR_UNSUPPORTED,
         MODEL("",
               "<tendon><fixed name='f'><joint joint='j' coef='1'/></fixed><fixed name='g'><joint joint='k' coef='1'/>"
               "</fixed></tendon><equality><tendon tendon1='f' tendon2='g'/></equality>"),
         "tendon2: lengths of two tendons"},
        {LG_ERROR_ARGUMENT, MODEL("", "<equality><tendon tendon1='f'/></equality>"), "there is no tendon 'f'"},
        {LG_ERROR_ARGUMENT,
         MODEL("", "<tendon><fixed name='f'><joint joint='j' coef='1'/></fixed></tendon><equality><tendon tendon1='f' "
                   "polycoef='nan'/></equality>"),
         "polycoef"},
        {LG_ERROR_ARGUMENT, MODEL("", "<equality><connect site1='s' site2='x'/></equality>"), "no site 'x'"},
        {LG_ERROR_ARGUMENT, MODEL("<site name='s'/>", "<equality><connect site1='s' site2='t'/></equality>"),
         "a second site 's'"},
        {LG_ERROR_UNSUPPORTED,
         MODEL("<site name='u' fromto='0 0 0 1 0 0'/>", "<equality><connect site1='s' site2='u'/></equality>"),
         "fromto of a site"},
        {LG_ERROR_UNSUPPORTED,
         "<mujoco><worldbody><body name='frame'><joint name='x' axis='1 0 0'/><site name='s'/><body name='a' "
         "pos='0 0 1'><joint name='y' axis='0 1 0'/><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/></body></body>"
         "<site name='t'/></worldbody><equality><connect site1='s' site2='t'/></equality></mujoco>",
         "frame between motions"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        suite_case("case %zu", i);
        mechanism_rejected(cases[i].status, cases[i].text, cases[i].words);
    }
}

static void left_out(void **unused)
{
    (void)unused;
    lg_mechanism *m = mechanism_of_text(
        TENDON("<spatial range='0 1' limited='true'>" TWO "</spatial><spatial name='j' stiffness='1' range='0 1' "
               "limited='true'>" TWO "</spatial><fixed><joint joint='none' coef='1'/></fixed>"),
        NULL);
    assert_int_equal(mechanism_remarked(m, "2 tendon limits are not enforced"), 1);
    assert_int_equal(mechanism_remarked(m, "tendons that exert no force are not read (2 times"), 1);
    assert_int_equal(lg_mechanism_tendon_count(m), 1);
    assert_string_equal(lg_mechanism_tendon_name(m, 0), "j tendon"); /* a joint has that name */
    lg_mechanism_destroy(m);
    /* A torque in the axes of a floating body, and of a ball of the world's. */
    m = mechanism_of_text(
        "<mujoco><worldbody><body name='a'><joint name='a' type='free'/><geom size='0.1'/></body><body "
        "name='b' pos='1 0 0'><joint name='b' type='ball'/><geom size='0.1'/></body></worldbody>"
        "<actuator><motor joint='a' gear='0 0 0 1 2 2'/><motor joint='b' gear='0 3 4'/></actuator>"
        "</mujoco>",
        NULL);
    for (int i = 0; i < 2; i++) {
        lg_thruster t = lg_thruster_default(NULL, NULL);
        suite_ok("thruster", lg_mechanism_read_thruster(m, &t, i));
        suite_near1("force", t.force, 0, 0, 1), suite_near1("torque", t.torque, i ? 5 : 3, 1e-15, 10);
        suite_near("axis", t.axis, i ? (const double[3]){0, 3, 4} : (const double[3]){1, 2, 2}, 3, 1e-15, 10);
    }
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mujoco), cmocka_unit_test(equalities),
                                       cmocka_unit_test(refused), cmocka_unit_test(left_out)};
    suite_begin("multibody/files_mjcf_tendons");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
