/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenes.h"

#include <math.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "suite.h"

static const double *pose_of(const double *poses, int64_t body)
{
    static const double rest[LG_POSE_SIZE] = {0, 0, 0, 0, 0, 0, 1};
    return body < 0 ? rest : poses + LG_POSE_SIZE * body;
}

void scene_place(double *y, const double *poses, int64_t body, const double *x)
{
    const double *pose = pose_of(poses, body);
    lg_so3_act(y, pose + 3, x);
    for (int k = 0; k < 3; k++) y[k] += pose[k];
}

void scene_poses_well(const char *name, const lg_scene *scene, const double *poses)
{
    for (int b = 0; b < lg_scene_body_count(scene); b++) {
        const double *p = poses + LG_POSE_SIZE * b;
        const double length = sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
        if (!(fabs(length - 1) < 1e-9) || !isfinite(p[0] + p[1] + p[2]))
            fail_msg("%s: body '%s' has no pose", name, lg_scene_body_name(scene, b));
    }
}

void scene_touches(const char *name, const lg_scene *scene, const double *poses, double height)
{
    for (int s = 0; s < lg_scene_shape_count(scene); s++) {
        const lg_shape *shape = lg_scene_shape(scene, s);
        double gap;
        if (shape->rolls_on < 0) continue;
        assert_int_equal(lg_scene_gap(scene, &gap, NULL, poses, s), LG_OK);
        if (!(fabs(gap) < height)) fail_msg("%s: '%s' is %g above its plane", name, shape->name, gap);
    }
}

/* Where the point of `body` that is at `point` now is in other poses. */
static void follow(double *y, const double *now, const double *other, int64_t body, const double *point)
{
    const double *pose = pose_of(now, body);
    double local[3];
    for (int k = 0; k < 3; k++) local[k] = point[k] - pose[k];
    lg_so3_act_inverse(local, pose + 3, local);
    scene_place(y, other, body, local);
}

void scene_add_slip(double *total, const lg_scene *scene, const double *before, const double *now, const double *after)
{
    static const double up[3] = {0, 0, 1}, side[3] = {0, 1, 0};
    for (int s = 0; s < lg_scene_shape_count(scene); s++) {
        const lg_shape *shape = lg_scene_shape(scene, s);
        double gap, point[3], ends[2][3], ground[2][3], centre[2][3], n[3], d[3], far = 0, slip = 0, along = 0;
        if (shape->rolls_on < 0 || (shape->kind == LG_SHAPE_SPHERE && shape->shade != LG_SHADE_WHEEL)) continue;
        const lg_shape *plane = lg_scene_shape(scene, (int)shape->rolls_on);
        assert_int_equal(lg_scene_gap(scene, &gap, point, now, s), LG_OK);
        lg_so3_act(n, plane->attitude, up);
        lg_so3_act(n, pose_of(now, plane->body) + 3, n);
        for (int e = 0; e < 2; e++) {
            const double *other = e == 0 ? before : after;
            follow(ends[e], now, other, shape->body, point);
            follow(ground[e], now, other, plane->body, point);
            scene_place(centre[e], other, shape->body, shape->position);
        }
        for (int k = 0; k < 3; k++) {
            d[k] = ends[1][k] - ends[0][k] - (ground[1][k] - ground[0][k]);
            along += n[k] * d[k];
            far += pow(centre[1][k] - centre[0][k] - (ground[1][k] - ground[0][k]), 2);
        }
        for (int k = 0; k < 3; k++) d[k] -= along * n[k];
        slip = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (shape->shade != LG_SHADE_WHEEL) { /* across alone */
            double axis[3];
            lg_so3_act(axis, shape->attitude, shape->kind == LG_SHAPE_BOX ? side : up);
            lg_so3_act(axis, pose_of(now, shape->body) + 3, axis);
            slip = fabs(d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2]);
        }
        far = sqrt(far);
        total[0] += slip, total[1] += far;
    }
}

int scene_is_connected(const char *name, const lg_scene *scene, const double *poses)
{
    double at[2][3];
    int ends = 0;
    for (int s = 0; s < lg_scene_shape_count(scene); s++) {
        const lg_shape *shape = lg_scene_shape(scene, s);
        if (shape->name == NULL || strcmp(shape->name, "hitch") != 0) continue;
        scene_place(at[ends % 2], poses, shape->body, shape->position);
        ends++;
        if (ends % 2 == 1) continue;
        for (int k = 0; k < 3; k++) {
            if (!(fabs(at[0][k] - at[1][k]) < 1e-9)) fail_msg("%s: its hitch is open", name);
        }
    }
    assert_int_equal(ends % 2, 0);
    return ends / 2;
}
