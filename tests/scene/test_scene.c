/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes: what they refuse, support points against the lowest of many points, and their JSON. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "suite.h"

static lg_scene *with_body(void)
{
    lg_scene *scene;
    assert_int_equal(lg_scene_create(&scene), LG_OK);
    assert_int_equal(lg_scene_add_body(scene, NULL, "body"), LG_OK);
    return scene;
}

static void refused(lg_scene *scene, const lg_shape *shape, const char *words)
{
    const int count = lg_scene_shape_count(scene);
    suite_status(words, lg_scene_add(scene, NULL, shape), LG_ERROR_ARGUMENT);
    if (strstr(lg_scene_message(scene), words) == NULL) fail_msg("'%s' is not in: %s", words, lg_scene_message(scene));
    assert_int_equal(lg_scene_shape_count(scene), count);
}

#define REFUSED(change, words)                                                                                         \
    do {                                                                                                               \
        lg_shape s = lg_shape_default("it", LG_SHAPE_SPHERE, 0);                                                       \
        change;                                                                                                        \
        refused(scene, &s, words);                                                                                     \
    } while (0)

static void refusals(void **unused)
{
    lg_scene *scene = with_body();
    (void)unused;
    assert_string_equal(lg_scene_message(scene), "");
    REFUSED(s.kind = 9, "no kind 9");
    REFUSED(s.kind = -1, "no kind -1");
    REFUSED(s.shade = 7, "no shade 7");
    REFUSED(s.body = 1, "no body 1");
    REFUSED(s.body = -2, "no body -2");
    REFUSED(s.end_body = 3, "no body 3");
    REFUSED(s.position[1] = (double)NAN, "position");
    REFUSED(s.attitude[0] = (double)INFINITY, "attitude");
    REFUSED(s.attitude[3] = 0.5, "unit quaternion");
    REFUSED(s.dimensions[2] = -1, "dimension 3");
    REFUSED(s.dimensions[0] = (double)NAN, "dimensions");
    REFUSED(s.end[0] = (double)NAN, "end");
    REFUSED(s.trail = 3, "trail");
    REFUSED(s.trail = 2, "trail 2");
    REFUSED(s.rolls_on = 0, "no plane");
    REFUSED(s.rolls_on = -2, "no plane");
    REFUSED(s.size = 8, "size");
    REFUSED(s.size = sizeof s + 8, "size");
    refused(scene, NULL, "NULL");
    const lg_shape plane = lg_shape_default(NULL, LG_SHAPE_PLANE, -1);
    assert_int_equal(lg_scene_add(scene, NULL, &plane), LG_OK);
    REFUSED((s.kind = LG_SHAPE_AXES, s.rolls_on = 0), "do not roll");
    REFUSED((s.kind = LG_SHAPE_PLANE, s.rolls_on = 0), "do not roll");
    REFUSED((s.kind = LG_SHAPE_MESH, s.mesh = "a.stl", s.rolls_on = 0), "do not roll");
    REFUSED(s.kind = LG_SHAPE_MESH, "a mesh needs a file");
    const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, hole[12] = {0, 0, (double)NAN};
    const int sides[4] = {0, 1, 2, 3};
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 3, s.point = corner), "4 to 1000000");
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 4, s.point = hole), "finite");
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 4), "it has 4 points");
    REFUSED((s.kind = LG_SHAPE_MESH, s.mesh = "a.stl", s.points = 4, s.point = corner), "a file, or the points");
    REFUSED((s.kind = LG_SHAPE_BOX, s.points = 4, s.point = corner), "it has 4 points");
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 2, s.point = corner, s.triangles = 1, s.triangle = sides),
            "3 to 4000000");
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 3, s.point = corner, s.triangles = 1, s.triangle = sides + 1),
            "it has 1 triangles");
    REFUSED((s.kind = LG_SHAPE_MESH, s.points = 3, s.point = corner, s.triangles = 1), "it has 1 triangles");
    REFUSED((s.kind = LG_SHAPE_MESH, s.mesh = "a.stl", s.triangles = 1, s.triangle = sides), "it has 1 triangles");
    REFUSED((s.kind = LG_SHAPE_MESH, s.mesh = "a.stl", s.scale[1] = 0), "a scale");
    REFUSED((s.kind = LG_SHAPE_MESH, s.mesh = "a.stl", s.scale[2] = (double)NAN), "a scale");
    REFUSED(s.colour[0] = 0.5, "red, green and blue");
    REFUSED(s.colour[3] = 1.5, "opacity");
    REFUSED(s.colour[3] = (double)NAN, "opacity");
    suite_status("no name", lg_scene_add_body(scene, NULL, NULL), LG_ERROR_ARGUMENT);
    suite_status("nowhere", lg_scene_create(NULL), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_scene_add_body(NULL, NULL, "x"), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_scene_add(NULL, NULL, &plane), LG_ERROR_ARGUMENT);
    suite_status("nothing", lg_scene_json(scene, NULL), LG_ERROR_ARGUMENT);
    double gap;
    suite_status("rolls on nothing", lg_scene_gap(scene, &gap, NULL, &gap, 0), LG_ERROR_ARGUMENT);
    suite_status("no shape", lg_scene_gap(scene, &gap, NULL, &gap, 5), LG_ERROR_ARGUMENT);
    assert_null(lg_scene_shape(scene, 1));
    assert_null(lg_scene_body_name(scene, 1));
    assert_int_equal(lg_scene_body_count(NULL), 0);
    assert_non_null(lg_scene_message(NULL));
    lg_scene_destroy(scene);
    lg_scene_destroy(NULL);
}

/* A point of the surface of a shape in its frame, from u and v in [0, 1]. */
static void on_surface(double *y, const lg_shape *s, double u, double v)
{
    const double *a = s->dimensions, c = cos(2 * SUITE_PI * u), d = sin(2 * SUITE_PI * u), z = cos(SUITE_PI * v),
                 r = sin(SUITE_PI * v);
    const int all = s->kind == LG_SHAPE_ELLIPSOID;

    switch (s->kind) {
    case LG_SHAPE_CYLINDER:
        y[0] = a[0] * c, y[1] = a[0] * d, y[2] = v < 0.5 ? -a[1] / 2 : a[1] / 2;
        break;
    case LG_SHAPE_TORUS:
        y[0] = (a[0] + a[1] * cos(2 * SUITE_PI * v)) * c, y[1] = (a[0] + a[1] * cos(2 * SUITE_PI * v)) * d;
        y[2] = a[1] * sin(2 * SUITE_PI * v);
        break;
    case LG_SHAPE_BOX:
        for (int k = 0; k < 3; k++) y[k] = ((int)(8 * u) >> k & 1) ? a[k] / 2 : -a[k] / 2;
        break;
    default:
        y[0] = a[0] * r * c, y[1] = a[all] * r * d, y[2] = a[2 * all] * z;
    }
}

/* The lowest of N x N points lies above the support point by at most their distance squared over the size, (pi/N)^2. */
static void supports(void **unused)
{
    enum { N = 400 };
    static const int kinds[] = {LG_SHAPE_SPHERE, LG_SHAPE_ELLIPSOID, LG_SHAPE_CYLINDER, LG_SHAPE_TORUS, LG_SHAPE_BOX};
    lg_rng rng = {5};
    (void)unused;
    for (int trial = 0; trial < 20; trial++) {
        const int kind = kinds[trial % 5];
        lg_scene *scene = with_body();
        lg_shape plane = lg_shape_default("ground", LG_SHAPE_PLANE, -1), s = lg_shape_default("it", kind, 0);
        double pose[LG_POSE_SIZE], gap, point[3], n[3], lowest = INFINITY;
        assert_int_equal(lg_group_random(lg_se3(), pose, &rng), LG_OK);
        assert_int_equal(lg_group_random(lg_so3(), s.attitude, &rng), LG_OK);
        assert_int_equal(lg_group_random(lg_so3(), plane.attitude, &rng), LG_OK);
        s.position[0] = 0.3, plane.position[2] = -0.7;
        s.dimensions[0] = 1.1, s.dimensions[1] = 0.4, s.dimensions[2] = 0.7, s.rolls_on = 0;
        assert_int_equal(lg_scene_add(scene, NULL, &plane), LG_OK);
        assert_int_equal(lg_scene_add(scene, NULL, &s), LG_OK);
        assert_int_equal(lg_scene_gap(scene, &gap, point, pose, 1), LG_OK);
        lg_so3_act(n, plane.attitude, (const double[3]){0, 0, 1});
        for (int i = 0; i < N * N; i++) {
            double y[3], height = 0;
            on_surface(y, &s, (i % N + 0.5) / N, (double)(i / N) / (N - 1));
            lg_so3_act(y, s.attitude, y);
            for (int k = 0; k < 3; k++) y[k] += s.position[k];
            lg_so3_act(y, pose + 3, y);
            for (int k = 0; k < 3; k++) height += n[k] * (y[k] + pose[k] - plane.position[k]);
            lowest = fmin(lowest, height);
        }
        suite_case("kind %d", kind);
        suite_below("below all points", gap, lowest + 1e-13);
        suite_below("but not by much", lowest - gap, 4 * 1.5 * SUITE_PI * SUITE_PI / N / N);
        lg_scene_destroy(scene);
    }
}

/* A rod between two bodies above z = 0 is lowest at its lower end, by its radius across its axis. */
static void rods(void **unused)
{
    lg_scene *scene = with_body();
    const lg_shape plane = lg_shape_default("ground", LG_SHAPE_PLANE, -1);
    lg_shape rod = lg_shape_default("rod", LG_SHAPE_ROD, 0);
    double poses[2 * LG_POSE_SIZE] = {0, 0, 2, 0, 0, 0, 1, 3, 0, 6, 0, 0, 0, 1}, gap, point[3];
    (void)unused;
    assert_int_equal(lg_scene_add_body(scene, NULL, "other"), LG_OK);
    assert_int_equal(lg_scene_add(scene, NULL, &plane), LG_OK);
    rod.end_body = 1, rod.dimensions[0] = 0.5, rod.rolls_on = 0;
    assert_int_equal(lg_scene_add(scene, NULL, &rod), LG_OK);
    assert_int_equal(lg_scene_gap(scene, &gap, point, poses, 1), LG_OK);
    suite_near1("gap", gap, 2 - 0.5 * 0.6, 1e-15, 2);
    suite_near1("along", point[0], 0.5 * 0.8, 1e-15, 1);
    poses[9] = 2; /* level: all of it is lowest, and the point is in the middle */
    assert_int_equal(lg_scene_gap(scene, &gap, point, poses, 1), LG_OK);
    suite_near1("level", gap, 1.5, 1e-15, 2);
    suite_near1("middle", point[0], 1.5, 1e-15, 2);
    lg_scene_destroy(scene);
}

static void json(void **unused)
{
    lg_scene *scene = with_body();
    const char *text = NULL;
    const lg_shape plane = lg_shape_default(NULL, LG_SHAPE_PLANE, -1);
    lg_shape s = lg_shape_default("a \"wheel\"", LG_SHAPE_TORUS, 0);
    (void)unused;
    s.shade = LG_SHADE_WHEEL, s.dimensions[0] = 0.1, s.rolls_on = 0, s.trail = 2;
    assert_int_equal(lg_scene_add(scene, NULL, &plane), LG_OK);
    assert_int_equal(lg_scene_add(scene, NULL, &s), LG_OK);
    for (int time = 0; time < 2; time++) { /* the second text is not behind the first */
        assert_int_equal(lg_scene_json(scene, &text), LG_OK);
        cJSON *root = cJSON_Parse(text);
        assert_non_null(root);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "bodies"), 0)), "body");
        const cJSON *shapes = cJSON_GetObjectItem(root, "shapes"), *second = cJSON_GetArrayItem(shapes, 1);
        assert_int_equal(cJSON_GetArraySize(shapes), 2);
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetArrayItem(shapes, 0), "name")));
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(second, "name")), "a \"wheel\"");
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(second, "kind")), "torus");
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(second, "shade")), "wheel");
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(second, "attitude")), 4);
        suite_near1("dimension", cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(second, "dimensions"), 0)),
                    0.1, 0, 1);
        assert_int_equal((int)cJSON_GetNumberValue(cJSON_GetObjectItem(second, "rolls_on")), 0);
        assert_int_equal((int)cJSON_GetNumberValue(cJSON_GetObjectItem(second, "trail")), 2);
        cJSON_Delete(root);
    }
    lg_scene_destroy(scene);
}

/* A flat square of n x n x 2 triangles, after one vertex that is in no triangle. */
static void write_square(const char *path, int n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    (void)fprintf(f, "v 9 9 9\n");
    for (int i = 0; i <= n; i++)
        for (int k = 0; k <= n; k++) (void)fprintf(f, "v %d %d 0\n", i, k);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const int at = 2 + i * (n + 1) + k;
            (void)fprintf(f, "f %d %d %d %d\n", at, at + n + 1, at + n + 2, at + 1);
        }
    assert_int_equal(fclose(f), 0);
}

static const cJSON *item(const cJSON *list, int i, const char *name)
{
    return cJSON_GetObjectItem(cJSON_GetArrayItem(list, i), name);
}

/* Each file is there once, without vertices that no triangle has, and no larger than the bound; one that cannot be read
 * says why, and names no folder. */
static void meshes(void **unused)
{
    static const char *const names[] = {"small.obj", "large.obj", "small.obj", "none.stl"};
    char path[4][96], folder[64];
    lg_scene *scene = with_body();
    const char *text = NULL;
    (void)unused;
    (void)snprintf(folder, sizeof folder, "/tmp/liegrp-scene-%ld", (long)getpid());
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i < 4; i++) {
        lg_shape s = lg_shape_default(NULL, LG_SHAPE_MESH, 0);
        (void)snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        if (i < 2) write_square(path[i], i == 0 ? 1 : 100);
        s.mesh = path[i], s.scale[0] = -2, s.colour[0] = s.colour[1] = s.colour[2] = 0.5, s.colour[3] = 0.25;
        assert_int_equal(lg_scene_add(scene, NULL, &s), LG_OK);
        memset(path[i], i == 3 ? 0 : path[i][0], 1); /* it is a copy that counts */
    }
    assert_int_equal(lg_scene_json(scene, &text), LG_OK);
    assert_null(strstr(text, folder));
    cJSON *root = cJSON_Parse(text);
    const cJSON *list = cJSON_GetObjectItem(root, "meshes"), *shapes = cJSON_GetObjectItem(root, "shapes");
    assert_int_equal(cJSON_GetArraySize(list), 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal((int)cJSON_GetNumberValue(item(shapes, i, "mesh")), i == 3 ? 2 : i % 2);
    suite_near1("scale", cJSON_GetNumberValue(cJSON_GetArrayItem(item(shapes, 0, "scale"), 0)), -2, 0, 1);
    suite_near1("colour", cJSON_GetNumberValue(cJSON_GetArrayItem(item(shapes, 0, "colour"), 2)), 0.5, 0, 1);
    suite_near1("opacity", cJSON_GetNumberValue(item(shapes, 0, "opacity")), 0.25, 0, 1);
    assert_string_equal(cJSON_GetStringValue(item(list, 0, "faces")), "AAAAAAEAAAACAAAAAAAAAAIAAAADAAAA");
    assert_int_equal(strlen(cJSON_GetStringValue(item(list, 0, "vertices"))), 64); /* 4 vertices, 48 bytes */
    assert_int_equal((int)cJSON_GetNumberValue(item(list, 1, "triangles")), 20000);
    const size_t faces = strlen(cJSON_GetStringValue(item(list, 1, "faces"))) / 16;
    assert_true(faces <= 4000 && faces > 1000);
    assert_string_equal(cJSON_GetStringValue(item(list, 2, "name")), "none.stl");
    suite_contains("fault", cJSON_GetStringValue(item(list, 2, "fault")), "none.stl");
    cJSON_Delete(root);
    lg_scene_destroy(scene);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path[i], sizeof path[i], "%s/%s", folder, names[i]);
        assert_int_equal(unlink(path[i]), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* The hull of points is a mesh of the page; one without a volume is a fault. */
static void hulls(void **unused)
{
    static const double cube[30] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1,   0,   0, 0, 1,
                                    1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 1, 1, 1};
    (void)unused;
    lg_scene *scene;
    const char *text;
    suite_ok("create", lg_scene_create(&scene));
    for (int i = 0; i < 2; i++) {
        lg_shape s = lg_shape_default(i ? "flat" : "cube", LG_SHAPE_MESH, -1);
        s.points = i ? 4 : 10, s.point = cube;
        suite_ok("add", lg_scene_add(scene, NULL, &s));
    }
    assert_true(lg_scene_shape(scene, 0)->point != cube);
    suite_ok("json", lg_scene_json(scene, &text));
    cJSON *root = cJSON_Parse(text);
    const cJSON *list = cJSON_GetObjectItem(root, "meshes");
    assert_int_equal(cJSON_GetArraySize(list), 2);
    assert_int_equal((int)cJSON_GetNumberValue(item(list, 0, "triangles")), 12);
    suite_contains("name", cJSON_GetStringValue(item(list, 0, "name")), "cube");
    suite_contains("fault", cJSON_GetStringValue(item(list, 1, "fault")), "flat");
    cJSON_Delete(root);
    lg_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals), cmocka_unit_test(supports), cmocka_unit_test(rods),
        cmocka_unit_test(json),     cmocka_unit_test(meshes),   cmocka_unit_test(hulls),
    };
    suite_begin("scene/scene");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
