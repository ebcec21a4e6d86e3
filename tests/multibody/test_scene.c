/* SPDX-License-Identifier: BSD-3-Clause */
/* What mechanisms look like: wheels on the ground that do not slip, shapes of one's own, refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>
#include <liegrp/multibody/contact.h>

#include "scenes.h"
#include "suite.h"
#include "support/mechanisms.h"

enum { MOST = 200 * LG_POSE_SIZE, STEPS = 100 };

/* Heights are holonomic constraints: they hold to the solver's tolerance. Distances and springs end at bodies. */
static void motions(void **unused)
{
    static double poses[3][MOST];
    double way = 0;
    (void)unused;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m;
        lg_motion *mo;
        lg_scene *scene;
        double total[2] = {0, 0};
        suite_case("%s", lg_gallery_name(i));
        mechanism_well(lg_gallery_create(&m, i), m);
        motion_well(motion_create(&mo, m, NULL, lg_gallery_step(i) / 2), mo);
        motion_well(lg_gallery_start(mo, i), mo);
        assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
        assert_int_equal(lg_scene_body_count(scene), lg_mechanism_body_count(m));
        assert_true(lg_scene_body_count(scene) * LG_POSE_SIZE <= MOST);
        assert_true(lg_scene_shape_count(scene) >= lg_mechanism_body_count(m));
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(lg_motion_poses(mo, poses[n % 3]), LG_OK);
            scene_poses_well(lg_gallery_name(i), scene, poses[n % 3]);
            scene_touches(lg_gallery_name(i), scene, poses[n % 3], 1e-11);
            if (n >= 2) scene_add_slip(total, scene, poses[(n + 1) % 3], poses[(n + 2) % 3], poses[n % 3]);
            motion_well(lg_motion_step(mo, 1), mo);
        }
        suite_below("slip", total[0], 0.03 * total[1] + 1e-9);
        way += total[1];
        lg_scene_destroy(scene);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    suite_above("way", way, 1);
}

/* The model of a mechanism has the same scene, and its configuration gives the poses of the motion. */
static void models(void **unused)
{
    static double own[MOST], through[MOST], g[MOST], p[MOST];
    const int i = lg_gallery_index("bicycle");
    lg_mechanism *m;
    lg_motion *mo;
    lg_model *M;
    const lg_scene *scene;
    (void)unused;
    mechanism_well(lg_gallery_create(&m, i), m);
    assert_int_equal(lg_model_of_mechanism(&M, m, NULL), LG_OK);
    motion_well(lg_motion_create(&mo, M, NULL), mo);
    motion_well(lg_motion_start(mo, 0, NULL, 1), mo);
    motion_well(lg_motion_step(mo, 7), mo);
    assert_int_equal(lg_model_scene(M, &scene), LG_OK);
    assert_int_equal(lg_scene_body_count(scene), lg_mechanism_body_count(m));
    assert_int_equal(lg_motion_state(mo, g, NULL, p), LG_OK);
    assert_int_equal(lg_motion_poses(mo, own), LG_OK);
    assert_int_equal(lg_model_poses(M, through, 0, g), LG_OK);
    for (int k = 0; k < LG_POSE_SIZE * lg_scene_body_count(scene); k++)
        suite_near1("pose", through[k], own[k], 1e-15, 1);
    lg_motion_destroy(mo);
    lg_model_destroy(M);
    lg_mechanism_destroy(m);
}

/* A bar on a pivot: a rod, or with more inertia along it a box with edges 1.2, 1.2, 2. */
static lg_mechanism *bar(int rod)
{
    lg_mechanism *m;
    lg_body b = lg_body_default("bar");
    lg_joint j = lg_joint_default("pivot", LG_JOINT_REVOLUTE, NULL, "bar");
    mechanism_well(lg_mechanism_create(&m), m);
    b.mass = 3, b.inertia[0] = b.inertia[1] = rod ? 1.0025 : 1.36, b.inertia[2] = rod ? 0.005 : 0.72;
    b.centre[2] = -1, j.axis[0] = 1, j.axis[2] = 0;
    mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
    mechanism_well(lg_mechanism_add_joint(m, NULL, &j), m);
    return m;
}

/* A rod on a pivot is a bar that goes as far beyond its centre of mass. */
static void rod(void **unused)
{
    lg_mechanism *m = bar(1);
    lg_scene *scene;
    (void)unused;
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    assert_int_equal(lg_scene_shape_count(scene), 3); /* the bar, its tip, the pivot */
    const lg_shape *s = lg_scene_shape(scene, 0);
    assert_int_equal(s->kind, LG_SHAPE_ROD);
    suite_near1("from", s->position[2], 0, 1e-15, 1);
    suite_near1("to", s->end[2], -2, 1e-15, 1);
    suite_near1("tip", lg_scene_shape(scene, 1)->position[2], -2, 1e-15, 1);
    assert_int_equal(lg_scene_shape(scene, 1)->trail, 1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

/* The bars of a four-bar linkage are as long as its bars; no inertia box is left. */
static void bars(void **unused)
{
    const double length[] = {0.4, 1, 0.8};
    lg_mechanism *m;
    lg_scene *scene;
    int seen = 0;
    (void)unused;
    mechanism_well(lg_gallery_create(&m, lg_gallery_index("four-bar")), m);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    for (int i = 0; i < lg_scene_shape_count(scene); i++) {
        const lg_shape *s = lg_scene_shape(scene, i);
        double square = 0;
        assert_int_not_equal(s->kind, LG_SHAPE_BOX);
        if (s->kind != LG_SHAPE_ROD) continue;
        for (int k = 0; k < 3; k++) square += (s->end[k] - s->position[k]) * (s->end[k] - s->position[k]);
        suite_near1("length", sqrt(square), length[s->body], 1e-12, 1);
        seen++;
    }
    assert_int_equal(seen, 3);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

static void own_shapes(void **unused)
{
    lg_mechanism *m = bar(0);
    lg_scene *scene;
    lg_shape mine = lg_shape_default("mine", LG_SHAPE_SPHERE, 0);
    int index = -1;
    (void)unused;
    suite_status("not compiled", lg_mechanism_scene(m, &scene), LG_ERROR_ARGUMENT);
    assert_null(scene);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    assert_int_equal(lg_scene_shape_count(scene), 3); /* the box, a rod from its middle to the pivot, the pivot */
    const lg_shape *box = lg_scene_shape(scene, 0);
    assert_int_equal(box->kind, LG_SHAPE_BOX);
    for (int k = 0; k < 3; k++) suite_near1("edge", box->dimensions[k], k < 2 ? 1.2 : 2, 1e-14, 1);
    suite_near1("place", box->position[2], -1, 1e-15, 1);
    lg_scene_destroy(scene);
    mine.body = 1;
    suite_status("no body", lg_mechanism_add_shape(m, &index, &mine), LG_ERROR_ARGUMENT);
    assert_non_null(strstr(lg_mechanism_message(m), "no body 1"));
    suite_status("NULL", lg_mechanism_add_shape(NULL, &index, &mine), LG_ERROR_ARGUMENT);
    suite_status("no shape", lg_mechanism_add_shape(m, &index, NULL), LG_ERROR_ARGUMENT);
    suite_status("no place", lg_mechanism_scene(m, NULL), LG_ERROR_ARGUMENT);
    suite_status("no motion", lg_motion_poses(NULL, (double[LG_POSE_SIZE]){0}), LG_ERROR_ARGUMENT);
    mine.body = mine.end_body = 0;
    assert_int_equal(lg_mechanism_add_shape(m, &index, &mine), LG_OK);
    assert_int_equal(index, 0);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    assert_int_equal(lg_scene_shape_count(scene), 2); /* mine instead of box and rod, and the pivot */
    assert_string_equal(lg_scene_shape(scene, 0)->name, "mine");
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

/* A ball in a bowl of the world is its own sphere, one on it both; a sphere off the centre leaves the box. */
static void spheres(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        lg_mechanism *m;
        lg_scene *scene;
        lg_body b = lg_body_default("ball");
        b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.016, b.position[2] = i == 0 ? 0.3 : 0.7;
        mechanism_well(lg_mechanism_create(&m), NULL);
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        lg_sphere_contact c = lg_sphere_contact_default("foot", NULL, "ball");
        c.inside = i == 0, c.parent_radius = 0.5, c.child_radius = 0.2, c.child_centre[0] = i == 2 ? 0.1 : 0;
        mechanism_well(lg_mechanism_add_sphere_contact(m, NULL, &c), m);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
        const int count = lg_scene_shape_count(scene);
        const lg_shape *last = lg_scene_shape(scene, count - 1);
        assert_int_equal(count, 1 + i);
        assert_int_equal(lg_scene_shape(scene, 0)->kind, i == 2 ? LG_SHAPE_BOX : LG_SHAPE_SPHERE);
        assert_int_equal(last->kind, LG_SHAPE_SPHERE);
        assert_int_equal(last->body, 0);
        suite_near1("radius", last->dimensions[0], 0.2, 0, 1);
        suite_near1("centre", last->position[0], c.child_centre[0], 0, 1);
        lg_scene_destroy(scene);
        lg_mechanism_destroy(m);
    }
}

/* A plane of a body is a sheet, unless other surfaces show the body; surfaces far from a body's centre leave its box.
 */
static void surfaces(void **unused)
{
    static const struct {
        const char *name;
        int sheets, boxes; /* boxes: bodies as their inertia shows them, and surfaces */
    } cases[] = {{"gripper", 0, 4}, {"pushed-stack", 0, 5}, {"tippe-top", 0, 0}, {"passive-walker", 0, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lg_mechanism *m;
        lg_scene *scene;
        int sheets = 0, boxes = 0;
        suite_case("%s", cases[i].name);
        mechanism_well(lg_gallery_create(&m, lg_gallery_index(cases[i].name)), m);
        assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
        for (int k = 0; k < lg_scene_shape_count(scene); k++) {
            const lg_shape *s = lg_scene_shape(scene, k);
            const int sheet = s->kind == LG_SHAPE_BOX && s->dimensions[2] == 0;
            sheets += sheet, boxes += s->kind == LG_SHAPE_BOX && !sheet;
            assert_true(s->kind != LG_SHAPE_PLANE || s->body < 0);
        }
        assert_int_equal(sheets, cases[i].sheets);
        assert_int_equal(boxes, cases[i].boxes);
        lg_scene_destroy(scene);
        lg_mechanism_destroy(m);
    }
    lg_mechanism *m = bar(0); /* with a sole and a plate below it */
    lg_scene *scene;
    lg_surface sole = lg_surface_default("sole", lg_mechanism_body_name(m, 0));
    sole.kind = LG_SURFACE_SPHERE, sole.half[0] = 0.1, sole.position[2] = -2; /* the centre is at -1 */
    mechanism_well(lg_mechanism_add_surface(m, NULL, &sole), m);
    sole = lg_surface_default("plate", lg_mechanism_body_name(m, 0)), sole.kind = LG_SURFACE_PLANE, sole.group = 1;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &sole), m);
    sole = lg_surface_default("ground", NULL), sole.kind = LG_SURFACE_PLANE, sole.position[2] = -3, sole.group = 1;
    mechanism_well(lg_mechanism_add_surface(m, NULL, &sole), m);
    mechanism_well(lg_mechanism_compile(m), m);
    assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
    int boxes = 0, sheets = 0;
    for (int k = 0; k < lg_scene_shape_count(scene); k++) {
        const lg_shape *s = lg_scene_shape(scene, k);
        if (s->kind != LG_SHAPE_BOX) continue;
        boxes += s->dimensions[2] > 0, sheets += s->dimensions[2] == 0;
    }
    assert_int_equal(boxes, 1);
    assert_int_equal(sheets, 1);
    lg_scene_destroy(scene);
    lg_mechanism_destroy(m);
}

/* Terrain is a mesh with the colour of ground, where its surface is: both kinds, and below a file's other shapes. */
static void terrain(void **unused)
{
    static const double x[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0.25, 0, 1, 0}, z[6] = {0, 0.5, 0, 0.25, 0, 0};
    static const int corner[6] = {0, 1, 2, 0, 2, 3};
    (void)unused;
    for (int heights = 0; heights < 2; heights++) {
        lg_mechanism *m = NULL;
        lg_scene *scene = NULL;
        const char *text = NULL;
        lg_surface s = lg_surface_default("hills", NULL);
        mechanism_well(lg_mechanism_create(&m), NULL);
        lg_body b = lg_body_default("b");
        b.mass = 1, b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
        mechanism_well(lg_mechanism_add_body(m, NULL, &b), m);
        s.position[0] = 3;
        if (heights)
            s.kind = LG_SURFACE_HEIGHTS, s.rows = 2, s.columns = 3, s.height = z, s.half[0] = s.half[1] = 1;
        else
            s.kind = LG_SURFACE_TRIANGLES, s.points = 4, s.point = x, s.triangles = 2, s.triangle = corner;
        mechanism_well(lg_mechanism_add_surface(m, NULL, &s), m);
        mechanism_well(lg_mechanism_compile(m), m);
        assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
        int found = 0;
        for (int i = 0; i < lg_scene_shape_count(scene); i++) {
            const lg_shape *look = lg_scene_shape(scene, i);
            if (look->kind != LG_SHAPE_MESH) continue;
            found++;
            assert_int_equal(look->shade, LG_SHADE_GROUND);
            assert_int_equal(look->body, -1);
            assert_int_equal(look->triangles, heights ? 4 : 2);
            assert_int_equal(look->points, heights ? 6 : 4);
            assert_true(look->position[0] == 3 && look->point[3 * 1 + 2] == (heights ? 0.5 : 0));
        }
        assert_int_equal(found, 1);
        assert_int_equal(lg_scene_json(scene, &text), LG_OK);
        suite_contains("page", text, heights ? "\"triangles\": 4" : "\"triangles\": 2");
        lg_scene_destroy(scene);
        lg_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions),    cmocka_unit_test(models),  cmocka_unit_test(rod),      cmocka_unit_test(bars),
        cmocka_unit_test(own_shapes), cmocka_unit_test(spheres), cmocka_unit_test(surfaces), cmocka_unit_test(terrain),
    };
    suite_begin("multibody/scene");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
