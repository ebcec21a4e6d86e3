/* SPDX-License-Identifier: BSD-3-Clause */
/* Named starts of MJCF: positions at t0 + 0.3 as MuJoCo (3.14) has them from the same keys, by its RK4 with steps of
 * 1e-4. */
#include <stdlib.h>
#include <string.h>

#include "multibody/files/reader.h"
#include "support/mechanisms.h"
#include "support/motions.h"

#define MODEL                                                                                                          \
    "<mujoco><compiler angle='radian'/><worldbody>"                                                                    \
    "<body name='ship' pos='0.1 0.2 1' quat='0.8 0.1 0.2 0.3'><freejoint name='float'/>"                               \
    "<inertial pos='0.02 0.03 0.01' mass='2' diaginertia='0.02 0.03 0.04'/>"                                           \
    "<body name='ball' pos='0.1 0 0.3' euler='0.2 0.1 0.4'><joint name='s' type='ball' pos='0.02 0 0.01'/>"            \
    "<inertial pos='0.05 0 0.2' mass='1' diaginertia='0.01 0.02 0.015'/>"                                              \
    "<body name='arm' pos='0 0 0.4'><joint name='h' axis='0 1 0.2' ref='0.3' damping='0.1'/>"                          \
    "<joint name='d' type='slide' axis='1 0 0' ref='0.1' stiffness='5'/>"                                              \
    "<inertial pos='0.1 0 0' mass='0.5' diaginertia='0.004 0.005 0.006'/></body></body></body>"                        \
    "<body name='pan' pos='1 0 0'><joint axis='1 0 0'/>"                                                               \
    "<inertial pos='0 0.1 -0.2' mass='0.7' diaginertia='0.01 0.02 0.015'/></body></worldbody>"                         \
    "<actuator><motor name='m1' joint='d' gear='2'/><position name='p1' joint='h' kp='3'/></actuator>"                 \
    "<keyframe>\n<key name='go' time='0.25' qpos='0.3 0.2 0.9 0.5 0.5 -0.3 0.1  0.9 0.2 -0.1 0.3  0.7 0.25  -0.4'"     \
    " qvel='0.1 -0.2 0.3 0.4 0.5 -0.6  0.7 -0.8 0.9  1.1 -0.2  0.6' ctrl='0.7 0.5'/>"                                  \
    "<key qvel='0 0 0 0 0 1 0 0 0 0 0 0'/>\n"

static lg_mechanism *keyed(const char *more)
{
    char *text = malloc(strlen(MODEL) + strlen(more) + 64);
    assert_non_null(text);
    strcat(strcat(strcpy(text, MODEL), more), "</keyframe></mujoco>");
    lg_mechanism *m = mechanism_of_text(text, NULL);
    free(text);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

/* Position, or quaternion w, x, y, z, as MuJoCo has it, of a joint. */
static void compare(const lg_motion *mo, const lg_mechanism *m, const char *joint, int at, const double *want,
                    int count)
{
    double q[6], turn[4], got[4];
    motion_well(lg_motion_joint(mo, q, NULL, lg_mechanism_joint(m, joint)), mo);
    memcpy(got, q + at, 3 * sizeof *got);
    if (count == 4) {
        lg_so3_exp(turn, q + at);
        got[0] = turn[3];
        memcpy(got + 1, turn, 3 * sizeof *got);
    }
    for (int k = 0; k < count; k++) suite_near1(joint, got[k], want[k], 1e-9, 1);
}

static void as_mujoco(void **unused)
{
    static const double want[2][14] = {
        {0.3316417605175236, 0.15425493989081776, 0.5474373986944984, 0.6111070964664433, 0.7310736377873461,
         -0.26859924826545, 0.14118745203439376, 0.8295502744903305, 0.2648257176691282, -0.11543250507256247,
         0.47790063624849927, 0.38508579738540355, 0.22957380344753872, -0.37388823995783604},
        {0.09949413089222443, 0.20096209796793432, 0.5588171693568491, 0.845269050733031, 0.15978543316209856,
         0.20864062227357488, 0.4652504035026485, 0.9966500124790774, -0.009858328301179742, 0.08061394885951084,
         0.009641433391300367, 0.018985633127597563, 0.03520352727980716, -0.5369764012025438}};
    (void)unused;
    lg_mechanism *m = keyed("");
    for (int k = 0; k < 2; k++) {
        lg_motion *mo;
        suite_case("key %s", lg_mechanism_key_name(m, k));
        assert_int_equal(motion_create(&mo, m, "gauss:stages=4", 0.005), LG_OK);
        motion_well(lg_motion_start_key(mo, k, 0), mo);
        suite_near1("time", lg_motion_time(mo), k == 0 ? 0.25 : 0, 0, 1);
        suite_near1("motor", lg_motion_control(mo)[0], k == 0 ? 0.7 : 0, 0, 1);
        motion_well(lg_motion_step(mo, 60), mo);
        compare(mo, m, "float", 0, want[k], 3);
        compare(mo, m, "float", 3, want[k] + 3, 4);
        compare(mo, m, "s", 0, want[k] + 7, 4);
        compare(mo, m, "h+d", 0, want[k] + 11, 2);
        compare(mo, m, "pan", 0, want[k] + 13, 1);
        motion_well(lg_motion_reset(mo), mo);
        suite_near1("motor after a reset", lg_motion_control(mo)[0], k == 0 ? 0.7 : 0, 0, 1);
        lg_motion_destroy(mo);
    }
    assert_string_equal(lg_mechanism_key_name(m, 1), "1");
    assert_null(lg_mechanism_key_name(m, 2));
    lg_mechanism_destroy(m);
}

/* A wrong key refuses no file; it says why when it is asked for. */
static void wrong_keys(void **unused)
{
    static const char *const words[] = {"text:3: qpos of key 'short' has 3 numbers, and the model has 14",
                                        "text:3: act of key 'muscle' has 1 numbers, and the model has 0", "text:3: ctrl of key 'c' has 1 numbers",
                                        "key 'flat' has a quaternion of length 0", "there is no key 6"};
    (void)unused;
    lg_motion *mo;
    lg_mechanism *m = keyed("<key name='short' qpos='1 2 3'/><key name='muscle' act='1'/><key name='c' ctrl='1'/>"
                            "<key name='flat' qpos='0 0 0 0 0 0 0  1 0 0 0  0 0 0'/>");
    lg_model *M = motion_model(m);
    double row[64];
    assert_int_equal(motion_create(&mo, m, "sem", 0.005), LG_OK);
    for (int k = 0; k < 5; k++) {
        suite_status("start", lg_motion_start_key(mo, 2 + k, 1), k < 3 ? LG_ERROR_UNSUPPORTED : LG_ERROR_ARGUMENT);
        suite_contains("message", lg_motion_message(mo), words[k]);
    }
    suite_status("negative", lg_motion_start_key(mo, -1, 1), LG_ERROR_ARGUMENT);
    suite_status("no row", lg_model_key(M, NULL, 0), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_model_key(M, row, 0), LG_OK);
    suite_status("nothing", lg_motion_start_key(NULL, 0, 0), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_model_key(NULL, row, 0), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_key_count(NULL), 0);
    assert_null(lg_mechanism_key_name(NULL, 0));
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A model of a definition has none; one whose parameters are set has those of its mechanism. */
static void of_models(void **unused)
{
    (void)unused;
    double row[64];
    lg_model *M;
    lg_motion *mo;
    lg_mechanism *m = keyed("");
    assert_int_equal(lg_catalog_create(&M, "suslov"), LG_OK);
    suite_status("a definition", lg_model_key(M, row, 0), LG_ERROR_ARGUMENT);
    lg_model_destroy(M);
    assert_int_equal(lg_model_of_mechanism(&M, m, NULL), LG_OK);
    assert_int_equal(lg_model_set(M, "ship.mass", 3), LG_OK);
    assert_int_equal(lg_motion_create(&mo, M, NULL), LG_OK);
    motion_well(lg_motion_start_key(mo, 0, 0), mo);
    suite_near1("time", lg_motion_time(mo), 0.25, 0, 1);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    static const char begin[] = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><keyframe>";
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"<key qpos='nan'/>", "'nan' is not a finite number"},
        {"<key qvel='1e999'/>", "is not a finite number"},
        {"<key time='soon'/>", "is not a finite number"},
        {"<key name='a'/><key name='a'/>", "two keys are called 'a'"},
        {"<key name='1'/><key/>", "two keys are called '1'"},
        {"<key zeal='1'/>", "zeal of <key> is not read"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "%s%s</keyframe></mujoco>", begin, cases[i].text);
        mechanism_rejected(strstr(text, "zeal") != NULL ? LG_ERROR_UNSUPPORTED : LG_ERROR_ARGUMENT, text,
                           cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(wrong_keys),
        cmocka_unit_test(of_models),
        cmocka_unit_test(refused),
    };
    suite_begin("multibody/files_mjcf_keys");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
