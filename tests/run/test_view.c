/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of runs: which rows are kept, the contents of the data, texts that look like markup, and refusals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <liegrp/multibody/contact.h>

#include "support/motions.h"
#include "support/suite.h"

#define OK(call) suite_ok(#call, call)

static const char FRAME[] = "<script id=data>" LG_VIEW_MARK "</script>";

/* The six bits of a digit. */
static unsigned digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    assert_true(c != '\0' && at != NULL);
    return (unsigned)(at - digits);
}

/* The doubles, or floats, of the quoted text behind `name`; returns how many. */
static int64_t decode(const char *text, const char *name, void *out, size_t size)
{
    unsigned char *bytes = out;
    size_t count = 0;
    const char *p = strstr(text, name);
    assert_non_null(p);
    p += strlen(name);
    while (*p != '"') {
        unsigned bits = 0;
        int pads = 0;
        for (int i = 0; i < 4; i++, p++) {
            bits = bits << 6 | (*p == '=' ? 0 : digit(*p));
            pads += *p == '=';
        }
        for (int i = 0; i < 3 - pads; i++) bytes[count++] = (unsigned char)(bits >> (16 - 8 * i));
    }
    assert_int_equal(count % size, 0);
    return (int64_t)(count / size);
}

static lg_view *view_of(lg_model **M, const char *system)
{
    lg_view *v;
    int track = -1;
    OK(lg_catalog_create(M, system));
    OK(lg_view_create(&v, system, NULL));
    OK(lg_view_add(v, &track, *M, "sem"));
    assert_int_equal(track, 0);
    return v;
}

static void close_view(lg_view *v, lg_model *M)
{
    lg_view_destroy(v);
    lg_model_destroy(M);
}

static int add(const double *row, int columns, void *context)
{
    (void)columns;
    return lg_view_row(context, 0, row) != LG_OK;
}

/* Rows 0, 2^k, 2 2^k ... and the last one, whatever their number; t is that of the step to the bit, and the pose is
 * that of the row: x = t. */
static void test_thinning(void **state)
{
    static const int64_t steps[] = {0, 1, 2, 3, 4997, 4998, 4999, 5000, 5001, 9998, 10000, 19999, 40003};
    static double t[6000];
    static float poses[6000 * LG_POSE_SIZE];
    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        lg_model *M;
        const char *json;
        double row[64] = {0};
        lg_view *v = view_of(&M, "chaplygin-sleigh");
        const int x = lg_model_column_find(M, "x");
        suite_case("%lld steps", (long long)steps[k]);
        for (int64_t i = 0; i <= steps[k]; i++) {
            row[0] = (double)i, row[1] = row[x] = 0.1 * (double)i;
            OK(lg_view_row(v, 0, row));
        }
        const int64_t rows = lg_view_row_count(v, 0);
        assert_true(rows <= 5000 && (rows > 2499 || rows == steps[k] + 1));
        OK(lg_view_json(v, &json));
        const char *column = strstr(json, "\"name\": \"t\"");
        assert_non_null(column);
        assert_int_equal(decode(column, "\"values\": \"", t, sizeof *t), rows);
        const int64_t every = rows > 1 ? (int64_t)llround(t[1] / 0.1) : 1;
        assert_int_equal(every & (every - 1), 0);
        for (int64_t i = 0; i + 1 < rows; i++) assert_true(t[i] == 0.1 * (double)(i * every));
        assert_true(t[rows - 1] == 0.1 * (double)steps[k]);
        assert_int_equal(decode(json, "\"poses\": \"", poses, sizeof *poses), rows * LG_POSE_SIZE);
        for (int64_t i = 0; i < rows; i++) assert_true(poses[i * LG_POSE_SIZE] == (float)t[i]);
        close_view(v, M);
    }
}

/* Poses are those that the model gives for the run's own configurations. */
static void test_poses(void **state)
{
    static float poses[4000];
    static const char *const systems[] = {"rolling-disk", "chaplygin-sleigh", "heavy-top", "double-spherical-pendulum"};
    (void)state;
    for (size_t k = 0; k < sizeof systems / sizeof systems[0]; k++) {
        lg_model *M;
        const char *json;
        const lg_scene *scene;
        double g[64], pose[64 * LG_POSE_SIZE];
        model_run o = model_run_default();
        lg_run_result r = lg_run_result_default();
        lg_view *v = view_of(&M, systems[k]);
        suite_case("%s", systems[k]);
        o.motion.step = 0.01, o.run.steps = 10, o.run.row = add, o.run.row_context = v, o.run.accuracy = 0;
        OK(model_run_whole(M, &r, &o));
        OK(lg_view_json(v, &json));
        OK(lg_model_scene(M, &scene));
        OK(lg_model_initial(M, g, NULL, NULL));
        OK(lg_model_poses(M, pose, 0, g));
        const int numbers = LG_POSE_SIZE * lg_scene_body_count(scene);
        assert_int_equal(decode(json, "\"poses\": \"", poses, sizeof *poses), 11 * numbers);
        double moved = 0;
        for (int i = 0; i < numbers; i++) {
            suite_near1("pose", (double)poses[i], pose[i], 1e-6, 1);
            moved = fmax(moved, fabs((double)poses[10 * numbers + i] - pose[i]));
        }
        suite_above("moved", moved, 1e-4);
        close_view(v, M);
    }
}

/* A mechanism's poses from its rows are those of its motion; loops that no column shows close. */
static void test_motion(void **state)
{
    static const char *const names[] = {"four-bar", "bicycle", "double-pendulum", "snake"};
    static float poses[4000];
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        lg_mechanism *m;
        lg_motion *mo;
        lg_model *c;
        lg_view *v;
        const char *json;
        double row[400], pose[400];
        int track;
        suite_case("%s", names[k]);
        OK(lg_gallery_create(&m, lg_gallery_index(names[k])));
        OK(lg_model_of_mechanism(&c, m, NULL));
        OK(lg_motion_create(&mo, c, NULL));
        OK(lg_motion_start(mo, 0, NULL, 1));
        OK(lg_view_create(&v, names[k], "a mechanism"));
        OK(lg_view_add(v, &track, c, "sem"));
        OK(lg_motion_step(mo, 20));
        OK(lg_motion_row(mo, row));
        OK(lg_view_row(v, track, row));
        OK(lg_motion_poses(mo, pose));
        OK(lg_view_json(v, &json));
        const int64_t numbers = decode(json, "\"poses\": \"", poses, sizeof *poses);
        assert_int_equal(numbers, LG_POSE_SIZE * lg_mechanism_body_count(m));
        for (int64_t b = 0; b < numbers; b += LG_POSE_SIZE) {
            const double sign = (double)poses[b + 6] * pose[b + 6] + (double)poses[b + 5] * pose[b + 5] +
                                            (double)poses[b + 4] * pose[b + 4] + (double)poses[b + 3] * pose[b + 3] <
                                        0
                                    ? -1
                                    : 1;
            for (int64_t i = b; i < b + LG_POSE_SIZE; i++)
                suite_near1("pose", (i - b >= 3 ? sign : 1) * (double)poses[i], pose[i], 2e-6, 1);
        }
        row[2] = (double)NAN;
        assert_int_equal(lg_view_row(v, track, row), LG_ERROR_ARGUMENT);
        assert_non_null(strstr(lg_view_message(v), "is not finite"));
        assert_int_equal(lg_view_row_count(v, track), 1);
        lg_view_destroy(v);
        lg_motion_destroy(mo);
        lg_model_destroy(c);
        lg_mechanism_destroy(m);
    }
}

/* No text ends the element that holds it, and quotes and line ends survive. */
static void test_texts(void **state)
{
    static const char bad[] = "</script><img src=x onerror=alert(1)>\"'\\\n&lt;";
    lg_model *M;
    const char *json;
    (void)state;
    lg_view *v = view_of(&M, "chaplygin-sleigh");
    OK(lg_view_note(v, 0, bad));
    OK(lg_view_origin(v, bad, bad));
    OK(lg_view_column(v, 0, 2, bad, bad));
    OK(lg_view_json(v, &json));
    assert_null(strchr(json, '<'));
    int found = 0;
    for (const char *p = json; (p = strstr(p, "\\u003c/script>\\u003cimg src=x")) != NULL; p++) found++;
    assert_int_equal(found, 5);
    close_view(v, M);
}

/* The file is the frame with the data in it, or is not there. */
static void test_file(void **state)
{
    char name[] = "/tmp/liegrp-view-XXXXXX", text[4096] = "";
    lg_model *M;
    const char *json;
    (void)state;
    lg_view *v = view_of(&M, "chaplygin-sleigh");
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    close(fd);
    OK(lg_view_write(v, name, FRAME));
    OK(lg_view_json(v, &json));
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    const size_t size = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[size] = '\0';
    assert_int_equal(strncmp(text, "<script id=data>{", 17), 0);
    assert_string_equal(text + (size < 10 ? 0 : size - 9), "</script>");
    assert_int_equal(strncmp(text + 16, json, strlen(json) < sizeof text - 17 ? strlen(json) : sizeof text - 17), 0);
    unlink(name);
    assert_int_equal(lg_view_write(v, name, "no mark"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_write(v, name, LG_VIEW_MARK LG_VIEW_MARK), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_view_message(v), "once"));
    assert_int_not_equal(access(name, F_OK), 0);
    assert_int_equal(lg_view_write(v, "/nowhere/at/all.html", FRAME), LG_ERROR_IO);
    close_view(v, M);
}

static void test_contracts(void **state)
{
    lg_model *M;
    lg_view *v = NULL, *none = NULL;
    double row[64] = {0};
    const char *json;
    int track;
    (void)state;
    assert_int_equal(lg_view_create(NULL, "x", NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_create(&none, NULL, NULL), LG_ERROR_ARGUMENT);
    assert_null(none);
    assert_int_equal(lg_view_add(NULL, &track, NULL, "a"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_row(NULL, 0, row), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_json(NULL, &json), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_write(NULL, "a", "b"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_note(NULL, 0, "a"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_origin(NULL, "a", "b"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_row_count(NULL, 0), 0);
    assert_non_null(strstr(lg_view_message(NULL), "there is no view"));
    lg_view_destroy(NULL);
    v = view_of(&M, "heavy-top");
    assert_string_equal(lg_view_message(v), "");
    assert_int_equal(lg_view_add(v, &track, M, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_add(v, &track, NULL, "a"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_row(v, 1, row), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_view_message(v), "there is no track 1"));
    assert_int_equal(lg_view_row(v, 0, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_row(v, 0, row), LG_ERROR_ARGUMENT); /* a quaternion of length 0 */
    assert_int_equal(lg_view_column(v, 0, -1, "m", "x"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_column(v, 0, lg_model_column_count(M), "m", "x"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_column(v, 0, 0, NULL, "x"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_note(v, 0, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_note(v, 7, "a"), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_json(v, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_row_count(v, 0), 0);
    assert_int_equal(lg_view_row_count(v, 3), 0);
    close_view(v, M);
}

enum { TOUCH = 12, LONG = 5200 };

/* A ball and a hull that fall on the ground, ten corners in all: more than rows have columns for. */
static lg_mechanism *falling(void)
{
    static const double corner[27] = {-0.1, -0.1, -0.1, 0.1,  -0.1, -0.1, -0.1, 0.1, -0.1, 0.1,  0.1, -0.1, 0, 0,
                                      0.1,  0.05, 0,    0.05, 0,    0.05, 0.05, 0,   0.02, 0.05, 0,   0,    0};
    lg_mechanism *m;
    OK(lg_mechanism_create(&m));
    for (int i = 0; i < 2; i++) {
        lg_body b = lg_body_default(i ? "stone" : "ball");
        lg_surface s = lg_surface_default(i ? "hull" : "skin", b.name);
        b.mass = 1, b.position[0] = i, b.position[2] = i ? 0.1 : 0.3;
        for (int k = 0; k < 3; k++) b.inertia[k] = 0.01;
        s.kind = i ? LG_SURFACE_HULL : LG_SURFACE_SPHERE, s.half[0] = i ? 0 : 0.1, s.friction = 0.4, s.group = 1;
        if (i) s.points = 9, s.point = corner;
        OK(lg_mechanism_add_body(m, NULL, &b));
        OK(lg_mechanism_add_surface(m, NULL, &s));
    }
    lg_surface ground = lg_surface_default("ground", NULL);
    ground.kind = LG_SURFACE_PLANE, ground.friction = 1;
    OK(lg_mechanism_add_surface(m, NULL, &ground));
    OK(lg_mechanism_compile(m));
    return m;
}

/* Those of a motion that are closed, with their numbers. */
static void compare_contacts(const float *at, int count, const lg_motion *mo)
{
    int closed = 0;
    for (int i = 0; i < lg_motion_contact_count(mo); i++) {
        lg_contact_state s;
        OK(lg_motion_contact(mo, &s, i));
        if (s.mode == LG_CONTACT_OPEN) continue;
        while (closed < count && (int)at[TOUCH * closed] < i) closed++;
        assert_true(closed < count);
        const float *v = at + TOUCH * closed;
        assert_true(v[0] == (float)i && v[1] == (float)s.mode && v[2] == 0.4F);
        for (int k = 0; k < 3; k++)
            assert_true(v[3 + k] == (float)s.point[k] && v[6 + k] == (float)s.normal[k] &&
                        v[9 + k] == (float)s.force[k]);
    }
}

/* The contacts of a row are those of its motion, and stay with it when rows are thinned. */
static void test_contacts(void **state)
{
    static uint32_t counts[6000];
    static float values[6000 * TOUCH * 10];
    const char *json;
    double row[200], z[41];
    int track;
    lg_mechanism *m = falling();
    lg_model *M;
    lg_motion *mo;
    lg_view *v;
    (void)state;
    OK(lg_model_of_mechanism(&M, m, NULL));
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.01;
    OK(lg_motion_create(&mo, M, &o));
    OK(lg_motion_start(mo, 0, NULL, 0));
    OK(lg_view_create(&v, "falling", NULL));
    OK(lg_view_add(v, &track, M, "sem"));
    assert_int_equal(lg_view_contacts(v, track, mo), LG_ERROR_ARGUMENT); /* no row yet */
    for (int i = 0; i <= LONG; i++) {
        if (i > 0 && i <= 40) OK(lg_motion_step(mo, 1)); /* both rest by then */
        OK(lg_motion_row(mo, row));
        if (i <= 40) z[i] = row[lg_model_column_find(M, "ball_z")]; /* the hull stands, the ball is near later */
        OK(lg_view_row(v, track, row));
        OK(lg_view_contacts(v, track, mo));
        if (i != 10 && i != LONG) continue;
        OK(lg_view_json(v, &json));
        const int64_t rows = decode(json, "\"counts\": \"", counts, sizeof *counts);
        assert_int_equal(rows, lg_view_row_count(v, track));
        suite_contains("most", json, i == LONG ? "\"contacts\": {\"most\": 5," : "\"contacts\": {\"most\": 4,");
        const int64_t every = i == LONG ? 2 : 1;
        int64_t first = 0;
        for (int64_t r = 0; r < rows; r++) assert_int_equal(counts[r], r * every < 40 && z[r * every] > 0.12 ? 4 : 5);
        for (int64_t r = 0; r + 1 < rows; r++) first += counts[r];
        assert_int_equal(decode(json, "\"values\": \"", values, sizeof *values), TOUCH * (first + counts[rows - 1]));
        compare_contacts(values + TOUCH * first, (int)counts[rows - 1], mo);
    }
    suite_contains("hull", json, "\"triangles\"");
    OK(lg_motion_step(mo, 1));
    assert_int_equal(lg_view_contacts(v, track, mo), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_view_message(v), "the motion is at t = ");
    assert_int_equal(lg_view_contacts(v, 1, mo), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_contacts(v, track, NULL), LG_ERROR_ARGUMENT);
    assert_int_equal(lg_view_contacts(NULL, track, mo), LG_ERROR_ARGUMENT);
    lg_view_destroy(v);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* A ball of a cradle, on a hinge half a metre above it. */
static void hang_ball(lg_mechanism *m, int i)
{
    const double x = 0.1 * i;
    char name[24];
    (void)snprintf(name, sizeof name, "ball%d", i);
    lg_body b = lg_body_default(name);
    lg_joint j = lg_joint_default(name, LG_JOINT_REVOLUTE, NULL, name);
    lg_surface s = lg_surface_default(name, name);
    b.mass = 0.5, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.0005, b.position[0] = x;
    j.axis[1] = 1, j.axis[2] = 0, j.point[0] = x, j.point[2] = 0.5;
    s.kind = LG_SURFACE_SPHERE, s.half[0] = 0.05, s.friction = 0, s.restitution = 1;
    OK(lg_mechanism_add_body(m, NULL, &b));
    OK(lg_mechanism_add_joint(m, NULL, &j));
    OK(lg_mechanism_add_surface(m, NULL, &s));
}

/* A force that is rounding has no arrow: between the balls of a cradle that touch. */
static void test_rounding(void **state)
{
    static float values[TOUCH * 10];
    const char *json;
    int track, rounding = 0;
    const double raised[5] = {0.5, 0, 0, 0, 0};
    lg_mechanism *m;
    lg_model *M;
    lg_motion *mo;
    lg_view *v;
    double row[200];
    (void)state;
    OK(lg_mechanism_create(&m));
    for (int i = 0; i < 5; i++) hang_ball(m, i);
    OK(lg_mechanism_compile(m));
    OK(lg_model_of_mechanism(&M, m, NULL));
    lg_motion_options o = lg_motion_options_default();
    o.step = 0.005;
    OK(lg_motion_create(&mo, M, &o));
    OK(lg_motion_start_joints(mo, 0, raised, NULL, 0));
    lg_contact_options one_by_one = lg_contact_options_default();
    one_by_one.law = LG_IMPACT_SEQUENTIAL;
    OK(lg_motion_set_contact(mo, &one_by_one));
    OK(lg_motion_step(mo, 416));
    OK(lg_view_create(&v, "cradle", NULL));
    OK(lg_view_add(v, &track, M, "sem"));
    OK(lg_motion_row(mo, row));
    OK(lg_view_row(v, track, row));
    OK(lg_view_contacts(v, track, mo));
    for (int i = 0; i < lg_motion_contact_count(mo); i++) {
        lg_contact_state s;
        OK(lg_motion_contact(mo, &s, i));
        const double force = hypot(hypot(s.force[0], s.force[1]), s.force[2]);
        rounding += force > 0 && force < 1e-9;
    }
    printf("%d forces of round-off\n", rounding);
    OK(lg_view_json(v, &json));
    const int64_t count = decode(json, "\"values\": \"", values, sizeof *values);
    assert_true(count > 0 && count % TOUCH == 0);
    for (int64_t i = 0; i < count; i += TOUCH)
        for (int k = 9; k < TOUCH; k++) assert_true(values[i + k] == 0 || fabsf(values[i + k]) > 1e-9F);
    lg_view_destroy(v);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* Curves that are in no row, to the bit; a page without them does not have the member. */
static void test_charts(void **state)
{
    static const double x[3] = {0, 0.1, 0.3}, y[3] = {1.0 / 3, -2, 1e300};
    double back[4];
    lg_model *M;
    const char *json;
    int chart = -1;
    lg_view *v = view_of(&M, "suslov");
    (void)state;
    OK(lg_view_json(v, &json));
    assert_null(strstr(json, "\"charts\""));
    OK(lg_view_chart(v, &chart, "a <title>", "what it is", "t", 0));
    assert_int_equal(chart, 0);
    OK(lg_view_curve(v, chart, "one", 0, 0, x, y, 3));
    OK(lg_view_curve(v, chart, "two", 1, 1, x, y, 1));
    OK(lg_view_chart(v, &chart, "none", "", "iteration", 1));
    assert_int_equal(chart, 1);
    OK(lg_view_json(v, &json));
    const char *at = strstr(json, "\"charts\"");
    assert_non_null(at);
    suite_contains("title", at, "a \\u003ctitle>");
    suite_contains("abscissa", at, "\"abscissa\": \"iteration\"");
    assert_int_equal(decode(at, "\"x\": \"", back, sizeof *back), 3);
    for (int i = 0; i < 3; i++) assert_true(back[i] == x[i]);
    assert_int_equal(decode(at, "\"y\": \"", back, sizeof *back), 3);
    for (int i = 0; i < 3; i++) assert_true(back[i] == y[i]);
    suite_status("no chart", lg_view_curve(v, 2, "a", 0, 0, x, y, 3), LG_ERROR_ARGUMENT);
    suite_contains("message", lg_view_message(v), "no chart 2");
    suite_status("no points", lg_view_curve(v, 0, "a", 0, 0, x, y, 0), LG_ERROR_ARGUMENT);
    suite_status("colour", lg_view_curve(v, 0, "a", -1, 0, x, y, 3), LG_ERROR_ARGUMENT);
    suite_status("label", lg_view_curve(v, 0, NULL, 0, 0, x, y, 3), LG_ERROR_ARGUMENT);
    suite_status("title", lg_view_chart(v, &chart, NULL, "", "t", 0), LG_ERROR_ARGUMENT);
    suite_status("view", lg_view_chart(NULL, &chart, "", "", "t", 0), LG_ERROR_ARGUMENT);
    close_view(v, M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thinning), cmocka_unit_test(test_poses),    cmocka_unit_test(test_motion),
        cmocka_unit_test(test_texts),    cmocka_unit_test(test_file),     cmocka_unit_test(test_contracts),
        cmocka_unit_test(test_contacts), cmocka_unit_test(test_rounding), cmocka_unit_test(test_charts),
    };
    suite_begin("view");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
