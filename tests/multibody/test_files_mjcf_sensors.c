/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites and sensors of MJCF: the values of the sensors are MuJoCo's (3.14), at a state of ours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/multibody/parameters.h>

#include "groups/rotation.h"
#include "multibody/files/reader.h"
#include "support/mechanisms.h"
#include "support/motions.h"

static const char text[] =
    "<mujoco><compiler angle='radian'/>"
    "<default><site pos='0.01 0.02 0.03'/><default class='tip'><site quat='0.5 0.5 -0.5 0.5'/></default></default>"
    "<worldbody><site name='origin' pos='1 0 0'/>"
    "<body name='ship' pos='0.1 0.2 1' quat='0.8 0.1 0.2 0.3'><freejoint name='float'/>"
    "<inertial pos='0.02 0.03 0.01' mass='2' diaginertia='0.02 0.03 0.04'/>"
    "<body name='plate' pos='0.1 0 0.3' euler='0.2 0.1 0.4'><site name='imu' euler='0.3 0.2 0.1'/>"
    "<body name='arm' pos='0 0 0.4'><joint name='h' axis='0 1 0.2' ref='0.3'/>"
    "<inertial pos='0.1 0 0' mass='0.5' diaginertia='0.004 0.005 0.006'/>"
    "<site name='tip' class='tip' pos='0.3 0 0'/></body></body></body></worldbody>"
    "<sensor><framepos name='a' objtype='site' objname='tip'/><framequat name='b' objtype='site' objname='tip'/>"
    "<framexaxis name='x' objtype='site' objname='imu'/><frameyaxis name='y' objtype='xbody' objname='plate'/>"
    "<framezaxis name='z' objtype='xbody' objname='arm'/><framelinvel name='c' objtype='site' objname='tip'/>"
    "<frameangvel name='d' objtype='xbody' objname='arm'/><velocimeter name='e' site='imu'/>"
    "<gyro name='f' site='tip' cutoff='1.5'/><jointpos name='g' joint='h'/><jointvel joint='h'/>"
    "<framepos name='energy' objtype='site' objname='origin'/><touch name='t' site='tip'/>"
    "<framepos name='r' objtype='site' objname='tip' reftype='site' refname='nowhere'/>"
    "<gyro name='s' site='nowhere'/><jointpos name='u' joint='nothing'/><framequat name='v' objtype='body' "
    "objname='arm'/></sensor>"
    "<keyframe><key qpos='0.3 0.2 0.9 0.5 0.5 -0.3 0.1 0.7' qvel='0.1 -0.2 0.3 0.4 0.5 -2.6 1.1'/></keyframe></mujoco>";

static const struct {
    const char *name, *unit;
    double value;
} columns[] = {
    {"a_x", "m", 0.3055462078052351},
    {"a_y", "m", -0.4555769127354011},
    {"a_z", "m", 1.1259459915960879},
    {"b_qx", "-", 0.6019177554667994},
    {"b_qy", "-", -0.5340606341020775},
    {"b_qz", "-", 0.462404772755113},
    {"b_qw", "-", -0.37236552054344335},
    {"x_x", "-", 0.21732327337689655},
    {"x_y", "-", -0.07328133623334476},
    {"x_z", "-", 0.9733449751288629},
    {"y_x", "-", -0.9286630671051714},
    {"y_y", "-", 0.04213860395802549},
    {"y_z", "-", 0.3685230601350271},
    {"z_x", "-", 0.0019221304715584253},
    {"z_y", "-", -0.9872883441412567},
    {"z_z", "-", 0.158927753829423},
    {"c_x", "m/s", 1.2133093545842821},
    {"c_y", "m/s", -0.052889687155717485},
    {"c_z", "m/s", -0.2698830322728075},
    {"d_x", "rad/s", -0.2290282555259393},
    {"d_y", "rad/s", 2.196240922316165},
    {"d_z", "rad/s", 1.3325390954282696},
    {"e_x", "m/s", 0.278564669035302},
    {"e_y", "m/s", -0.40224112248868216},
    {"e_z", "m/s", 0.36868281109890283},
    {"f_x", "rad/s", -1.5},
    {"f_y", "rad/s", -1.5},
    {"f_z", "rad/s", -0.7119811336791928},
    {"g", "rad", 0.7},
    {"jointvel11", "rad/s", 1.1},
    {"energy_x", "m", 1},
    {"energy_y", "m", 0},
    {"energy_z", "m", 0},
};
enum { COLUMNS = sizeof columns / sizeof columns[0], ROOM = 128 };

static lg_mechanism *sensed(int sensors)
{
    lg_mechanism_file o = lg_mechanism_file_default();
    o.sensors = sensors;
    lg_mechanism *m = mechanism_of_text(text, &o);
    mechanism_well(lg_mechanism_compile(m), m);
    return m;
}

static void as_mujoco(void **unused)
{
    static const char *const methods[] = {"sem", "gauss", "rk4"};
    (void)unused;
    lg_mechanism *m = sensed(1);
    lg_model *M = motion_model(m);
    const int first = lg_model_column_count(M) - COLUMNS;
    double row[ROOM], next[ROOM];
    for (int k = 0; k < 3; k++) {
        lg_motion *mo;
        suite_case("%s", methods[k]);
        assert_int_equal(motion_create(&mo, m, methods[k], 0.01), LG_OK);
        motion_well(lg_motion_start_key(mo, 0, 0), mo);
        motion_well(lg_motion_row(mo, row), mo);
        for (int i = 0; i < COLUMNS; i++) {
            const lg_column *c = lg_model_column(M, first + i);
            assert_string_equal(c->name, columns[i].name);
            assert_string_equal(c->unit, columns[i].unit);
            assert_int_equal(c->kind, LG_COLUMN_FIGURE);
            suite_near1(c->name, row[first + i], columns[i].value, 1e-13, 1);
        }
        motion_well(lg_motion_step(mo, 1), mo);
        motion_well(lg_motion_row(mo, row), mo);
        motion_well(lg_motion_interpolate(mo, next, 1), mo);
        suite_near("interpolated", next + first, row + first, COLUMNS, 1e-9, 1);
        lg_motion_destroy(mo);
    }
    assert_string_equal(lg_model_column(M, first - 1)->name, "slip");
    assert_true(mechanism_remarked(m, "<touch> among the sensors has no column"));
    assert_true(mechanism_remarked(m, "<framequat> among the sensors has no column"));
    assert_true(mechanism_remarked(m, "<framepos> among the sensors has no column"));
    assert_true(mechanism_remarked(m, "<gyro> among the sensors has no column"));
    assert_true(mechanism_remarked(m, "<jointpos> among the sensors has no column"));
    lg_mechanism_destroy(m);
}

/* The columns of a sensor in a row; MuJoCo's quaternions begin with w, and both signs are one attitude. */
static void compare_sensor(const lg_model *M, const double *row, const cJSON *sensor)
{
    static const char *const parts[3][4] = {{""}, {"_x", "_y", "_z"}, {"_qw", "_qx", "_qy", "_qz"}};
    double want[4], got[4], largest = 1, dot = 0;
    const int n = ref_numbers(want, 4, sensor);
    suite_case("%s", sensor->string);
    for (int k = 0; k < n; k++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s%s", sensor->string, parts[n / 2][k]);
        const int column = lg_model_column_find(M, name);
        assert_in_range(column, 0, lg_model_column_count(M) - 1);
        got[k] = row[column], largest = fmax(largest, fabs(want[k])), dot += want[k] * got[k];
    }
    for (int k = 0; n == 4 && dot < 0 && k < 4; k++) got[k] = -got[k];
    suite_near(sensor->string, got, want, n, 1e-9, largest);
}

/* Forces, accelerations, tendons, subtrees and so on of a model with all that they depend on. */
static void all_of_mujoco(void **unused)
{
    static const char *const methods[] = {"gauss", "sem"};
    lg_mechanism_file o = lg_mechanism_file_default();
    cJSON *all = ref_load("multibody_mujoco_sensors.json");
    const cJSON *key, *sensor;
    (void)unused;
    o.sensors = 1;
    lg_mechanism *m = mechanism_of_text(ref_get(all, "mjcf")->valuestring, &o);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_model *M = motion_model(m);
    double row[ROOM * 2];
    assert_in_range(lg_model_column_count(M), 1, ROOM * 2);
    for (int k = 0; k < 2; k++) {
        lg_motion *mo;
        int count = 0, number = 0;
        assert_int_equal(motion_create(&mo, m, methods[k], 0.01), LG_OK);
        cJSON_ArrayForEach(key, ref_get(all, "keys"))
        {
            motion_well(lg_motion_start_key(mo, number++, 0), mo);
            motion_well(lg_motion_row(mo, row), mo);
            cJSON_ArrayForEach(sensor, key)
            {
                compare_sensor(M, row, sensor);
                count++;
            }
        }
        assert_int_equal(count, 3 * 75);
        lg_motion_destroy(mo);
    }
    assert_false(mechanism_remarked(m, "has no column"));
    lg_mechanism_destroy(m);
    cJSON_Delete(all);
}

/* Numbers that were set since the file was read count; of a body with other ones no part is known. */
static void parameters(void **unused)
{
    static const char *const set[] = {"arm.mass", "m.ratio"};
    static const double to[] = {2.4, 6};
    cJSON *all = ref_load("multibody_mujoco_sensors.json");
    lg_mechanism_file o = lg_mechanism_file_default();
    double row[2][ROOM * 2];
    (void)unused;
    o.sensors = 1;
    lg_mechanism *m = mechanism_of_text(ref_get(all, "mjcf")->valuestring, &o);
    for (int k = 0; k < 2; k++) {
        lg_mechanism *n = mechanism_of_text(ref_get(all, "mjcf")->valuestring, &o);
        for (int i = 0; i < 2 && k == 1; i++) mechanism_well(lg_mechanism_set_parameter(n, set[i], to[i]), n);
        mechanism_well(lg_mechanism_compile(n), n);
        lg_motion *mo;
        assert_int_equal(motion_create(&mo, n, "sem", 0.01), LG_OK);
        motion_well(lg_motion_start_key(mo, 2, 0), mo);
        motion_well(lg_motion_row(mo, row[k]), mo);
        lg_motion_destroy(mo), lg_mechanism_destroy(n);
    }
    mechanism_well(lg_mechanism_compile(m), m);
    lg_model *M = motion_model(m);
#define COLUMN(k, name) row[k][lg_model_column_find(M, name)]
    suite_near1("length", COLUMN(1, "actuatorpos44"), 3 * COLUMN(0, "actuatorpos44"), 1e-12, 1);
    suite_near1("force", COLUMN(1, "actuatorfrc52"), COLUMN(0, "actuatorfrc52"), 1e-12, 1);
    suite_above("centre", fabs(COLUMN(1, "subtreecom67_x") - COLUMN(0, "subtreecom67_x")), 1e-3);
    assert_true(isnan(COLUMN(1, "subtreecom66_x")) && isnan(COLUMN(1, "force6_x")));
    assert_true(isfinite(COLUMN(0, "force6_x")) && isfinite(COLUMN(1, "force9_x")));
    lg_mechanism_destroy(m);
    cJSON_Delete(all);
}

#define LINK(name, place, joint, inside)                                                                               \
    "<body name='" name "' pos='" place "'><joint name='" joint                                                        \
    "' axis='0 1 0'/><inertial pos='0.2 0.05 0.1' mass='2' "                                                           \
    "diaginertia='0.1 0.2 0.15'/><site name='" name "'/>" inside "</body>"
#define LOOP(sensors)                                                                                                  \
    "<mujoco><worldbody>" LINK("a", "0 0 0", "ja",                                                                     \
                               LINK("b", "0.1 0 0.4", "jb",                                                            \
                                    "<body name='tool'><inertial pos='0 0 "                                            \
                                    "0.1' mass='1' diaginertia='0.1 0.1 0.1'/><site name='tool'/></body>"))            \
        LINK("c", "0.5 0 0", "jc",                                                                                     \
             "") "</worldbody>"                                                                                        \
                 "<equality><connect body1='b' body2='c' anchor='0.4 0 0'/></equality><sensor>" sensors                \
                 "</sensor></mujoco>"

/* A force on every body. */
static int wind(double time, const double *poses, const double *twists, double *wrenches, void *bodies)
{
    (void)time, (void)poses, (void)twists;
    for (int b = 0; b < *(const int *)bodies; b++) wrenches[6 * b] += 7, wrenches[6 * b + 4] += 3;
    return 0;
}

/* Where a loop is closed, forces at a joint of the tree are those of its rows, of which a short step tells the mean. */
static void in_loops(void **unused)
{
    static const char *const joints[] = {"ja", "jb", "jc"}, *const sites[] = {"a", "b", "c"};
    lg_mechanism_file o = lg_mechanism_file_default();
    (void)unused;
    o.sensors = 1;
    lg_mechanism *m = mechanism_of_text(LOOP("<force name='fa' site='a'/><force name='fb' site='b'/><force name='fc' "
                                             "site='c'/><torque name='ta' site='a'/><force name='no' site='tool'/>"),
                                        &o);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_true(mechanism_remarked(m, "<force> among the sensors has no column"));
    lg_model *M = motion_model(m);
    lg_motion *mo;
    double row[ROOM];
    assert_int_equal(motion_create(&mo, m, "sem", 1e-6), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, (const double[3]){1.5, -1, 2}, 1), mo);
    motion_well(lg_motion_step(mo, 1), mo);
    motion_well(lg_motion_row(mo, row), mo);
    for (int i = 0; i < 3; i++) {
        char name[8];
        double wrench[6];
        (void)snprintf(name, sizeof name, "f%s_x", sites[i]);
        const double *f = row + lg_model_column_find(M, name);
        suite_ok("wrench", lg_motion_joint_wrench(mo, wrench, lg_mechanism_joint(m, joints[i])));
        suite_near1(joints[i], lg_length(f, 3), lg_length(wrench, 3), 1e-4, lg_length(wrench, 3));
        suite_above("it is loaded", lg_length(f, 3), 5);
    }
    lg_motion *dense;
    double own[ROOM], q[3], v[3];
    const int first = lg_model_column_find(M, "fa_x");
    int bodies = 3;
    motion_well(lg_motion_set_wrench(mo, wind, &bodies), mo);
    motion_well(lg_motion_row(mo, own), mo);
    suite_above("wind", suite_distance(own + first, row + first, 9), 2);
    motion_well(lg_motion_step(mo, 1), mo);
    motion_well(lg_motion_row(mo, row), mo), motion_well(lg_motion_interpolate(mo, own, 1), mo);
    suite_near("inside a step", own + first, row + first, 12, 1e-6, 100);
    motion_well(lg_motion_set_wrench(mo, NULL, NULL), mo), motion_well(lg_motion_row(mo, row), mo);
    assert_int_equal(motion_create(&dense, m, "rk4", 1e-6), LG_OK);
    suite_ok("positions", lg_motion_positions(mo, q, v));
    motion_well(lg_motion_start_joints(dense, 0, q, v, 0), dense);
    motion_well(lg_motion_row(dense, own), dense);
    suite_near("of a dense method", own + first, row + first, 12, 1e-9, 100);
    lg_motion_destroy(dense);
    suite_near1("no motor", row[lg_model_column_find(M, "ta_y")], 0, 1e-9, 1);
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* A sensor never refuses a file: what it names is not there, is fixed, is no body, is late, never changes. */
static void odd(void **unused)
{
    static const char odd_text[] =
        "<mujoco><worldbody><site name='w'/><body name='a'><joint name='j'/><geom size='.1' pos='.2 0 0'/><site "
        "name='s'/><body name='m'><joint name='k' axis='0 1 0'/><site name='none'/><body name='n'><joint name='l' axis='1 "
        "0 0'/><geom size='.1' pos='.1 0 0'/><site name='t'/></body></body></body><body name='z'><geom size='.1'/><site "
        "name='q'/></body></worldbody><tendon><spatial name='p'><pulley divisor='2'/><site site='s'/><site "
        "site='t'/></spatial><spatial name='same'><site site='s'/><site site='s'/></spatial><spatial name='lost'><site "
        "site='none'/><site site='t'/></spatial><spatial name='wrap'><site site='s'/><geom geom='g'/><site "
        "site='t'/></spatial></tendon><actuator><motor name='x' joint='j' gear='2'/><motor joint='j'/><general "
        "name='ig' joint='k' dyntype='filter'/></actuator><sensor><force site='w'/><torque/><force site='zz'/>"
        "<force site='none'/><accelerometer/><framelinacc objtype='body' objname='m'/><framelinacc objtype='xbody' "
        "objname='m'/><subtreecom/><subtreeangmom body='none'/><actuatorfrc actuator='ig'/><actuatorfrc/>"
        "<jointactuatorfrc joint='nope'/><tendonpos tendon='same'/><tendonvel tendon='lost'/><tendonpos tendon='wrap'/>"
        "<tendonactuatorfrc tendon='p'/><ballquat joint='j'/><ballangvel/><force site='t' delay='0.1' nsample='3'/>"
        "<framepos objtype='site' objname='t' reftype='body' refname='a'/><e_potential/><clock cutoff='0'/><force "
        "site='t'/><tendonpos tendon='p'/><force site='q'/></sensor></mujoco>";
    lg_mechanism_file o = lg_mechanism_file_default();
    (void)unused;
    o.sensors = 1, o.ignore = (const char *const[]){"general", NULL};
    lg_mechanism *m = mechanism_of_text(odd_text, &o);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_model *M = motion_model(m);
    const int first = lg_model_column_find(M, "slip") + 1, count = lg_model_column_count(M);
    assert_int_equal(count - first, 1 + 1 + 3 + 1 + 3);
    lg_motion *mo;
    double row[ROOM];
    assert_int_equal(motion_create(&mo, m, "sem", 1e-3), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 0), mo);
    motion_well(lg_motion_step(mo, 2), mo), motion_well(lg_motion_row(mo, row), mo);
    for (int i = first; i < count; i++) assert_true(isfinite(row[i]));
    lg_motion_destroy(mo), lg_mechanism_destroy(m);
}

/* What depends on the time has no state alone. */
static void drives(void **unused)
{
    (void)unused;
    lg_mechanism_file o = lg_mechanism_file_default();
    o.sensors = 1;
    lg_mechanism *m = mechanism_of_text(LOOP("<force name='fa' site='a'/>"), &o);
    lg_drive d = lg_drive_default("drive", "ja");
    d.count = 2, d.times = (const double[2]){0, 1}, d.values = (const double[2]){0, 1};
    mechanism_well(lg_mechanism_add_drive(m, NULL, &d), m);
    mechanism_well(lg_mechanism_compile(m), m);
    lg_motion *mo;
    double row[ROOM];
    assert_int_equal(motion_create(&mo, m, "sem", 1e-3), LG_OK);
    motion_well(lg_motion_start_joints(mo, 0, NULL, NULL, 1), mo);
    for (int i = 0; i < 2; i++) {
        suite_status("row", lg_motion_row(mo, row), LG_ERROR_UNSUPPORTED);
        suite_contains("message", lg_motion_message(mo),
                       "sensors of forces and accelerations: lg_dynamics_create: drive");
    }
    lg_motion_destroy(mo);
    lg_mechanism_destroy(m);
}

/* Without the option rows are as they were. */
static void not_asked(void **unused)
{
    (void)unused;
    lg_mechanism *with = sensed(1), *without = sensed(0);
    lg_model *a = motion_model(with), *b = motion_model(without);
    assert_int_equal(lg_model_column_count(a), lg_model_column_count(b) + COLUMNS);
    for (int i = 0; i < lg_model_column_count(b); i++)
        assert_string_equal(lg_model_column(a, i)->name, lg_model_column(b, i)->name);
    assert_true(mechanism_remarked(without, "sensors are columns where they are asked for"));
    lg_mechanism_destroy(with);
    lg_mechanism_destroy(without);
}

static void sites(void **unused)
{
    (void)unused;
    int body;
    double pose[7];
    lg_mechanism *m = sensed(0);
    static const char *const names[] = {"imu", "origin", "tip"};
    assert_int_equal(lg_mechanism_site_count(m), 3);
    for (int i = 0; i < 3; i++) assert_string_equal(lg_mechanism_site_name(m, i), names[i]);
    assert_null(lg_mechanism_site_name(m, 3));
    suite_ok("site", lg_mechanism_site(m, &body, pose, "tip"));
    assert_string_equal(lg_mechanism_body_name(m, body), "arm");
    suite_near("pose", pose, (const double[7]){0.3, 0, 0, 0.5, -0.5, 0.5, 0.5}, 7, 1e-15, 1);
    suite_ok("in another body", lg_mechanism_site(m, &body, NULL, "imu"));
    assert_string_equal(lg_mechanism_body_name(m, body), "ship");
    suite_ok("in space", lg_mechanism_site(m, &body, pose, "origin"));
    assert_int_equal(body, -1);
    suite_near1("x", pose[0], 1, 0, 1);
    suite_status("none", lg_mechanism_site(m, &body, pose, "top"), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_mechanism_site(NULL, &body, pose, "tip"), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_mechanism_site(m, NULL, pose, "tip"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_mechanism_site_count(NULL), 0);
    lg_mechanism_destroy(m);
}

static void refused(void **unused)
{
    (void)unused;
#define SITES(sites) "<mujoco><worldbody><body><joint/><geom size='1'/>" sites "</body></worldbody></mujoco>"
    mechanism_rejected(LG_ERROR_ARGUMENT, SITES("<site name='a'/><site name='a'/>"), "a second site 'a'");
    mechanism_rejected(LG_ERROR_ARGUMENT, SITES("<site name='a' pos='0 0 nan'/>"), "'nan' is not a finite number");
    mechanism_rejected(LG_ERROR_ARGUMENT, SITES("<site name='a' quat='0 0 0 0'/>"), "length 0");
    lg_mechanism *m =
        mechanism_of_text(SITES("<site/><site fromto='0 0 1 0 0 3' type='capsule' size='1' name='a'/>"), NULL);
    double pose[7];
    int body;
    suite_ok("site", lg_mechanism_site(m, &body, pose, "a"));
    suite_near1("its middle", pose[2], 2, 1e-15, 1);
    lg_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_mujoco), cmocka_unit_test(all_of_mujoco), cmocka_unit_test(parameters),
        cmocka_unit_test(in_loops),  cmocka_unit_test(odd),           cmocka_unit_test(drives),
        cmocka_unit_test(not_asked), cmocka_unit_test(sites),         cmocka_unit_test(refused),
    };
    suite_begin("multibody/files_mjcf_sensors");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
