/* SPDX-License-Identifier: BSD-3-Clause */
/* <attach> of MJCF: a body of a model in another folder, with its classes, settings, mesh, motors and sensors, attached
 * twice. Positions at t = 0.3 are MuJoCo's (3.14), by its RK4 with steps of 1e-4, whose mesh has floats. */
#include <string.h>

#include "support/model_files.h"
#include "support/motions.h"

static const char child[] =
    "<mujoco model='child'><compiler angle='radian' eulerseq='zyx' meshdir='parts' autolimits='false'/>"
    "<option gravity='0 0 0'/><include file='more.xml'/><worldbody><body name='base' childclass='heavy'>"
    "<body name='torso' pos='0 0 0.5' euler='0.3 0.2 0.1'><joint name='h' axis='1 0 0' springref='0.4' stiffness='2'/>"
    "<geom size='0.1' pos='0 0.2 0'/><body name='arm' pos='0.3 0 0' childclass='strong'>"
    "<joint name='e' axis='0 1 0' ref='0.2'/><geom type='mesh' mesh='ell'/><site name='tip' pos='0.1 0.2 0.3'/></body>"
    "</body></body><body name='other'><joint name='o' axis='1 0 0'/><geom size='0.1' pos='0 0.2 0'/></body></worldbody>"
    "<actuator><motor name='mh' joint='h'/><motor name='me' joint='e' class='strong'/><motor name='mo' joint='o'/>"
    "</actuator><equality><joint joint1='o' joint2='e'/></equality>"
    "<sensor><framepos name='t' objtype='site' objname='tip'/></sensor><keyframe><key name='k'/></keyframe></mujoco>";

static const char more[] =
    "<mujoco><default><joint damping='0.1'/><geom density='500'/><default class='strong'><joint damping='0.3'/>"
    "<motor gear='3'/></default><default class='heavy'><geom density='2000'/><joint damping='0.2'/></default></default>"
    "<asset><mesh file='ell.obj' scale='0.5 0.5 0.5'/></asset></mujoco>";

static const char ell[] = "v 0 0 0\nv 0.4 0.02 0.01\nv 0.41 0.1 0\nv 0.12 0.11 0.02\nv 0.1 0.5 0\nv -0.02 0.48 0.01\n"
                          "v 0.03 -0.02 0.2\nv 0.42 0 0.22\nv 0.44 0.08 0.19\nv 0.15 0.09 0.21\nv 0.13 0.49 0.2\n"
                          "v 0.01 0.46 0.23\nf 1 3 2\nf 1 4 3\nf 1 6 4\nf 4 6 5\nf 7 8 9\nf 7 9 10\nf 7 10 12\n"
                          "f 10 11 12\nf 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\n"
                          "f 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n";

#define HOST(attach)                                                                                                   \
    "<mujoco><default><joint damping='7'/><motor gear='9'/></default>"                                                 \
    "<asset><model name='c' file='sub/child.xml'/><model file='b.xml'/></asset><worldbody>"                            \
    "<body name='host' pos='0.1 0 0' euler='10 20 0'><joint name='hj' axis='1 0 1' damping='0.5'/>"                    \
    "<geom size='0.1' pos='0 0.1 0'/>" attach                                                                          \
    "</worldbody><actuator><motor name='own' joint='hj'/></actuator></mujoco>"

static const char host[] = HOST(
    "<frame pos='0.2 0 0' euler='0 0 40'><attach model='c' body='torso' prefix='p_'/></frame></body>"
    "<body name='n'><replicate count='2' offset='1 0 0'><attach model='c' body='arm' prefix='q_'/></replicate></body>");

static void write_all(void)
{
    const char *const folders[] = {"sub", "sub/parts"};
    model_write("main.xml", host);
    for (int i = 0; i < 2; i++) (void)mkdir(model_path(folders[i]), 0700);
    model_write("sub/child.xml", child), model_write("sub/more.xml", more), model_write("sub/parts/ell.obj", ell);
    model_write("b.xml", "<mujoco model='named'><worldbody><body name='x'><joint/><geom size='1'/></body></worldbody>"
                         "</mujoco>");
}

static void as_mujoco(void **unused)
{
    static const char *const motors[] = {"own", "p_mh", "p_me", "q_me0", "q_me1"}, *const joints[] = {"hj", "p_h",
                                                                                                      "p_e", "q_e0",
                                                                                                      "q_e1"};
    static const double gear[] = {9, 1, 3, 3, 3},
                        want[] = {-0.7831652231322903, -1.4258298328859262, 0.6950711229949847, 2.0274707244983943,
                                  2.243344864470291},
                        place[] = {1.5216076581358218, 0.2, -0.2255882218901439}; /* of q_t1 */
    (void)unused;
    double u[5], row[64];
    lg_motion *mo;
    lg_mechanism *m;
    lg_mechanism_file o = lg_mechanism_file_default();
    o.sensors = 1;
    write_all();
    mechanism_well(lg_mechanism_read(&m, model_path("main.xml"), &o), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_motor_count(m), 5);
    assert_int_equal(lg_mechanism_gear_count(m), 0);
    assert_int_equal(lg_mechanism_file_count(m), 4); /* the mesh for each of both */
    assert_true(mechanism_remarked(m, "keys of a model that is attached are not read"));
    for (int i = 0; i < 5; i++) {
        lg_motor motor = lg_motor_default(NULL, NULL);
        mechanism_well(lg_mechanism_read_motor(m, &motor, i), m);
        assert_string_equal(motor.name, motors[i]);
        suite_near1("gear", motor.ratio, gear[i], 0, 1);
        u[i] = 0.1 * (i + 1);
    }
    assert_int_equal(motion_create(&mo, m, "gauss:stages=4", 0.005), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_set_control(mo, u), mo);
    motion_well(lg_motion_step(mo, 60), mo);
    for (int i = 0; i < 5; i++) {
        double q;
        motion_well(lg_motion_joint(mo, &q, NULL, lg_mechanism_joint(m, joints[i])), mo);
        suite_near1(joints[i], q, want[i], 1e-7, 1);
    }
    motion_well(lg_motion_row(mo, row), mo);
    suite_near("q_t1", row + lg_model_column_find(motion_model(m), "q_t1_x"), place, 3, 1e-7, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* The world of a model; a model without a name of its own; without a prefix and twice. */
static void other_ways(void **unused)
{
    (void)unused;
    lg_mechanism *m;
    write_all();
    model_write("main.xml", HOST("<attach model='c' prefix=''/><attach model='named' body='x' prefix='s_'/></body>"
                                 "<attach model='named' prefix='t_'/>"));
    mechanism_well(model_read(&m, "main.xml"), m);
    const char *const names[] = {"torso", "arm", "other", "s_x", "t_x"};
    for (int i = 0; i < 5; i++) assert_true(lg_mechanism_body(m, names[i]) >= 0);
    assert_int_equal(lg_mechanism_gear_count(m), 1);
    assert_int_equal(lg_mechanism_motor_count(m), 4);
    lg_mechanism_destroy(m);
}

static void refusals(void **unused)
{
    static const struct {
        const char *attach, *other; /* b.xml */
        lg_status status;
        const char *words;
    } wrong[] = {
        {"model='d' body='x' prefix=''", NULL, LG_ERROR_ARGUMENT, "there is no <model name=\"d\"> in <asset>"},
        {"model='named' body='y' prefix=''", NULL, LG_ERROR_ARGUMENT, "the model has no body 'y'"},
        {"model='named' body='x'", NULL, LG_ERROR_ARGUMENT, "no attribute 'prefix'"},
        {"body='x' prefix='p'", NULL, LG_ERROR_ARGUMENT, "no attribute 'model'"},
        {"model='named' body='host' prefix=''",
         "<mujoco model='named'><worldbody><body name='host'/></worldbody></mujoco>", LG_ERROR_ARGUMENT, "host"},
        {"model='s' prefix=''",
         "<mujoco model='s'><asset><model name='s' file='b.xml'/></asset><worldbody><body>"
         "<attach model='s' prefix='a'/>"
         "</body></worldbody></mujoco>",
         LG_ERROR_ARGUMENT, "models attach each other more than 16 deep; does one attach itself?"},
        {"model='s' prefix=''", "<mujoco model='s'><deformable/></mujoco>", LG_ERROR_UNSUPPORTED,
         "<deformable> of a model"},
        {"model='s' prefix=''", "<mujoco model='s'><compiler boundmass='1'/></mujoco>", LG_ERROR_UNSUPPORTED,
         "boundmass"},
        {"model='s' prefix='' body='f'",
         "<mujoco model='s'><worldbody><frame pos='1 0 0'><body name='f'/></frame></worldbody></mujoco>",
         LG_ERROR_UNSUPPORTED, "inside of a <frame>"},
        {"model='s' prefix=''", "<robot name='s'/>", LG_ERROR_ARGUMENT, "the root element is <robot>"},
        {"model='s' prefix=''", "<mujoco model='s'", LG_ERROR_ARGUMENT, "b.xml:1"},
        {"model='s' prefix=''",
         "<mujoco model='s'><worldbody><body><joint/><geom size='nan'/></body></worldbody></mujoco>", LG_ERROR_ARGUMENT,
         "b.xml:1: size of <geom>: 'nan' is not a finite number"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1024];
        write_all();
        if (wrong[i].other != NULL) model_write("b.xml", wrong[i].other);
        (void)snprintf(text, sizeof text, HOST("<attach %s/></body>"), wrong[i].attach);
        model_fails(text, wrong[i].status, wrong[i].words);
    }
    model_fails("<mujoco><asset><model name='c' file='/dev/zero'/></asset><worldbody><attach model='c' prefix=''/>"
                "</worldbody></mujoco>",
                LG_ERROR_ARGUMENT, "outside of the model's folder");
    model_fails("<mujoco><asset><model name='c' file='../x.xml'/></asset><worldbody><attach model='c' prefix=''/>"
                "</worldbody></mujoco>",
                LG_ERROR_IO, "No such file");
    mechanism_rejected(LG_ERROR_UNSUPPORTED, host, "this text has no folder");
    const char *const files[] = {"main.xml", "b.xml", "sub/child.xml", "sub/more.xml", "sub/parts/ell.obj"};
    for (int i = 0; i < 5; i++) model_remove(files[i]);
    assert_int_equal(rmdir(model_path("sub/parts")), 0);
    assert_int_equal(rmdir(model_path("sub")), 0);
    assert_int_equal(rmdir(model_path("")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(refusals),
    };
    suite_begin("multibody/files_mjcf_attach");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
