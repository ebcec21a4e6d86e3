/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes of models: parts that follow from the group, parts from callbacks, and refusals. */
#include <math.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "suite.h"

static const lg_group *plane(void)
{
    return lg_rn(2);
}

static const lg_group *space(void)
{
    return lg_rn(3);
}

static const lg_group *angles(void)
{
    return lg_torus(5);
}

/* SE_2(3) as a user's group: its blocks say where a body is. */
static const lg_group *own_pose(void)
{
    static lg_group own;
    own = *lg_se23();
    own.kind = LG_KIND_USER;
    return &own;
}

/* A pose of the plane with its angle first in the algebra. */
static const lg_group *own_plane_pose(void)
{
    static const lg_group_block blocks[] = {{LG_BLOCK_POSITION, 0, 2, 1, 2, "u v"},
                                            {LG_BLOCK_PLANE_ROTATION, 2, 2, 0, 1, "phi"}};
    static lg_group own;
    own = *lg_se2();
    own.kind = LG_KIND_USER;
    own.blocks = blocks, own.block_count = 2;
    return &own;
}

/* It and two angles, a product that is a factor. */
static const lg_group *nested(void)
{
    static lg_group *pair;
    const lg_group *const factors[] = {own_plane_pose(), lg_torus(2)};
    if (pair == NULL) suite_ok("product", lg_group_create_product(&pair, factors, 2));
    return pair;
}

static const lg_group *line(void)
{
    return lg_rn(1);
}

static int configure(const lg_call *c, double *J, double *rows, char *why)
{
    (void)c, (void)J, (void)rows, (void)why;
    return 0;
}

static int initial(const lg_call *c, double *g0, double *xi0)
{
    (void)c, (void)g0, (void)xi0;
    return 0;
}

static lg_model *model_of(const lg_group *(*const *factors)(void), int count, lg_look_fn look, lg_poses_fn poses)
{
    static const lg_parameter size = {"size", "m", "size", 1, 0, INFINITY, 0};
    const lg_model_definition d = {.size = sizeof d,
                                   .name = "thing",
                                   .factors = factors,
                                   .factor_count = count,
                                   .parameters = &size,
                                   .parameter_count = 1,
                                   .configure = configure,
                                   .initial = initial,
                                   .callbacks = {.look = look, .poses = poses}};
    lg_model *M;
    assert_int_equal(lg_model_create(&M, &d), LG_OK);
    return M;
}

/* R^3 x SO(3), SE(2), R^2 x SO(2), SE_2(3), SO(3), R^2, T^5: nine bodies. */
static void defaults(void **unused)
{
    static const lg_group *(*const factors[])(void) = {space,    lg_so3, lg_se2, plane, lg_so2,
                                                       own_pose, lg_so3, plane,  angles};
    const double half = sqrt(0.5);
    const double g[] = {1,
                        2,
                        3,
                        0,
                        1,
                        0,
                        0, /* R^3 x SO(3) */
                        4,
                        5,
                        0,
                        1, /* SE(2) */
                        6,
                        7,
                        -1,
                        0, /* R^2 x SO(2) */
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        1,
                        0,
                        0,
                        0, /* SE_2(3) */
                        0,
                        0,
                        1,
                        0,
                        14,
                        15, /* SO(3), R^2 */
                        SUITE_PI / 2,
                        0,
                        SUITE_PI,
                        0.3,
                        0.4};
    const double want[9][7] = {{1, 2, 3, 0, 1, 0, 0},       {4, 5, 0, 0, 0, half, half}, {6, 7, 0, 0, 0, 1, 0},
                               {8, 9, 10, 1, 0, 0, 0},      {0, 0, 0, 0, 0, 1, 0},       {14, 15, 0, 0, 0, 0, 1},
                               {0, 0, 0, 0, 0, half, half}, {0, 0, 0, 0, 0, 0, 1},       {0, 0, 0, 0, 0, 1, 0}};
    double poses[9 * LG_POSE_SIZE];
    const lg_scene *scene;
    lg_model *M = model_of(factors, 9, NULL, NULL);
    (void)unused;
    assert_int_equal(lg_model_scene(M, &scene), LG_OK);
    assert_int_equal(lg_scene_body_count(scene), 9);
    assert_int_equal(lg_scene_shape(scene, 0)->kind, LG_SHAPE_AXES);
    assert_int_equal(lg_scene_shape(scene, 5)->kind, LG_SHAPE_SPHERE);
    assert_int_equal(lg_model_poses(M, poses, 0, g), LG_OK);
    for (int i = 0; i < 9 * LG_POSE_SIZE; i++) {
        suite_case("body %d, number %d", i / LG_POSE_SIZE, i % LG_POSE_SIZE);
        suite_near1("pose", poses[i], want[i / LG_POSE_SIZE][i % LG_POSE_SIZE], 1e-15, 16);
    }
    suite_status("no place", lg_model_poses(M, NULL, 0, g), LG_ERROR_ARGUMENT);
    suite_status("no element", lg_model_poses(M, poses, 0, NULL), LG_ERROR_ARGUMENT);
    suite_status("no scene", lg_model_scene(M, NULL), LG_ERROR_ARGUMENT);
    suite_status("no model", lg_model_scene(NULL, &scene), LG_ERROR_ARGUMENT);
    lg_model_destroy(M);
}

static int look(const lg_call *c, lg_scene *scene)
{
    lg_shape s = lg_shape_default("ball", LG_SHAPE_SPHERE, 0);
    s.dimensions[0] = c->param[0];
    if (c->param[0] > 10) return 5;
    if (lg_scene_add_body(scene, NULL, "ball") != LG_OK) return 1;
    if (c->param[0] > 5) s.body = 7;
    lg_status_ignore(lg_scene_add(scene, NULL, &s)); /* the model sees it all the same */
    return 0;
}

static int poses_at(const lg_call *c, const double *g, double *poses)
{
    poses[0] = g[0] + c->times[0];
    return g[0] > 100 ? 3 : 0;
}

static void refused(lg_model *M, lg_status status, const char *words)
{
    const lg_scene *scene = NULL;
    suite_status(words, lg_model_scene(M, &scene), status);
    if (strstr(lg_model_message(M), words) == NULL) fail_msg("'%s' is not in: %s", words, lg_model_message(M));
}

static void callbacks(void **unused)
{
    static const lg_group *(*const factors[])(void) = {plane, plane};
    double poses[LG_POSE_SIZE], g[4] = {1, 2, 3, 4};
    const lg_scene *scene;
    lg_model *M = model_of(factors, 2, look, poses_at);
    (void)unused;
    assert_int_equal(lg_model_set(M, "size", 2), LG_OK);
    assert_int_equal(lg_model_scene(M, &scene), LG_OK);
    suite_near1("size", lg_scene_shape(scene, 0)->dimensions[0], 2, 0, 1);
    assert_int_equal(lg_model_set(M, "size", 3), LG_OK); /* another look */
    assert_int_equal(lg_model_scene(M, &scene), LG_OK);
    suite_near1("size", lg_scene_shape(scene, 0)->dimensions[0], 3, 0, 1);
    assert_int_equal(lg_model_poses(M, poses, 0.5, g), LG_OK);
    suite_near1("place", poses[0], 1.5, 0, 1);
    suite_near1("attitude", poses[6], 1, 0, 1);
    g[0] = 101;
    suite_status("poses", lg_model_poses(M, poses, 0, g), LG_ERROR_CALLBACK);
    assert_non_null(strstr(lg_model_message(M), "returned 3"));
    assert_int_equal(lg_model_set(M, "size", 6), LG_OK);
    refused(M, LG_ERROR_ARGUMENT, "no body 7");
    assert_int_equal(lg_model_set(M, "size", 11), LG_OK);
    refused(M, LG_ERROR_CALLBACK, "returned 5");
    lg_model_destroy(M);
    M = model_of(factors, 2, look, NULL);
    refused(M, LG_ERROR_ARGUMENT, "1 bodies");
    lg_model_destroy(M);
    M = model_of(factors, 2, NULL, poses_at);
    refused(M, LG_ERROR_ARGUMENT, "no `look`");
    lg_model_destroy(M);
}

/* Blocks that are more than an element. */
static const lg_group *wrong_blocks(void)
{
    static lg_group own;
    own = *lg_so2();
    own.kind = LG_KIND_USER;
    own.blocks = lg_se3()->blocks, own.block_count = lg_se3()->block_count;
    return &own;
}

/* A model refuses them before it makes columns. */
static void refusals(void **unused)
{
    static const lg_group *(*const factors[])(void) = {line, wrong_blocks};
    lg_model_definition d = {.size = sizeof d,
                             .name = "thing",
                             .factors = factors,
                             .factor_count = 2,
                             .configure = configure,
                             .initial = initial};
    lg_model *M;
    (void)unused;
    for (int i = 0; i < 2; i++) {
        suite_status("model", lg_model_create(&M, &d), LG_ERROR_ARGUMENT);
        suite_contains("message", lg_model_message(M),
                       i == 0 ? "thing: factor 2: group 'SO(2)': " : "thing: group 'SO(2)': ");
        lg_model_destroy(M);
        d.factors = NULL, d.factor_count = 0, d.group = wrong_blocks;
    }
}

/* Names, unwrapped angles and initial values follow from the blocks. */
static void columns(void **unused)
{
    static const lg_group *(*const factors[])(void) = {line, nested, own_plane_pose};
    static const char *const names[] = {"q_1", "u", "v", "phi", "q_2", "q_3", "u_2", "v_2", "phi_2"};
    static const double before[] = {0, 0, 0, 6.5, 0, -9, 0, 0, 0}, want[] = {1, 2, 3, 7.28, -3, -9.28, 4, 5, -0.5};
    const double g[] = {1, 2, 3, cos(7.28), sin(7.28), -3, 2 * SUITE_PI - 9.28, 4, 5, cos(0.5), -sin(0.5)};
    double written[9], g0[11], xi0[9];
    lg_model *M = model_of(factors, 3, NULL, NULL);
    (void)unused;
    assert_int_equal(lg_model_column_count(M), 2 + 3 * 9 + 4);
    for (int i = 0; i < 9; i++) assert_string_equal(lg_model_column(M, 2 + i)->name, names[i]);
    lg_model_write(M, written, g, before);
    for (int i = 0; i < 9; i++) suite_near1(names[i], written[i], want[i], 1e-14, 10);
    for (int i = 0; i < 9; i++) suite_ok("set", lg_model_set_initial(M, names[i], want[i]));
    suite_ok("initial", lg_model_initial(M, g0, xi0, NULL));
    for (int i = 0; i < 11; i++) suite_near1("initial element", g0[i], g[i], 1e-14, 10);
    lg_model_destroy(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(callbacks),
                                       cmocka_unit_test(columns), cmocka_unit_test(refusals)};
    suite_begin("run/scenes");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
