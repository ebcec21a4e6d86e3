/* SPDX-License-Identifier: BSD-3-Clause */
/* The look of a model, from its callbacks or from its group. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/elementary.h>
#include <liegrp/multibody/scene.h>

#include "multibody/mechanism.h"
#include "multibody/scene.h"
#include "run/model_private.h"
#include "scene/scene.h"

/* The look of a group ---------------------------------------------------------------------------------------------- */

/* A body that blocks give: a position with the attitude that follows it; without one, a point; an attitude; an angle.
 */
typedef struct block_body {
    lg_block_kind kind;   /* what its attitude is stored as; LG_BLOCK_POSITION: it has none */
    int place, dimension; /* of its position; dimension 0: at the origin */
    int attitude;
} block_body;

/* Dimension of the space that such a rotation turns; 0: it is no rotation. */
static int space_of(lg_block_kind kind)
{
    return kind == LG_BLOCK_QUATERNION ? 3 : kind == LG_BLOCK_PLANE_ROTATION ? 2 : 0;
}

/* The next body from block *b on; *angle counts those that a block of angles has given. 0: there is none. */
static int next_body(const lg_group *G, int *b, int *angle, block_body *body)
{
    enum { MOST_ANGLES = 3 };
    for (; *b < lg_group_block_count(G); ++*b, *angle = 0) {
        const lg_group_block block = lg_group_block_at(G, *b);
        *body = (block_body){block.kind, block.element, 0, block.element + *angle};
        if (block.kind == LG_BLOCK_ANGLES && *angle < block.element_size && *angle < MOST_ANGLES) return ++*angle;
        if (space_of(block.kind) > 0) return ++*b;
        if (block.kind != LG_BLOCK_VECTOR && block.kind != LG_BLOCK_POSITION) continue;
        lg_group_block next = lg_group_block_at(G, ++*b);
        if (next.kind == LG_BLOCK_VELOCITY) next = lg_group_block_at(G, ++*b);
        const int turned = space_of(next.kind) == block.element_size;
        body->dimension = block.element_size < 3 ? block.element_size : 3;
        body->kind = turned ? next.kind : LG_BLOCK_POSITION;
        body->attitude = next.element;
        *b += turned;
        return 1;
    }
    return 0;
}

static void add_default_bodies(const lg_group *G, lg_scene *scene)
{
    block_body b;
    for (int at = 0, angle = 0; next_body(G, &at, &angle, &b);) {
        const int point = b.kind == LG_BLOCK_POSITION;
        char name[32];
        int body;
        snprintf(name, sizeof name, "%s %d", point ? "point" : "body", lg_scene_body_count(scene) + 1);
        if (lg_scene_add_body(scene, &body, name) != LG_OK) return; /* the scene has the message */
        lg_shape shape = lg_shape_default(name, point ? LG_SHAPE_SPHERE : LG_SHAPE_AXES, body);
        shape.dimensions[0] = point ? 0.1 : 1;
        shape.trail = b.dimension > 0;
        lg_status_ignore(lg_scene_add(scene, NULL, &shape));
    }
}

static int default_body_count(const lg_group *G)
{
    block_body b;
    int count = 0;
    for (int at = 0, angle = 0; next_body(G, &at, &angle, &b);) count++;
    return count;
}

/* The attitude about z with this cosine and sine. */
static void turn_about_z(double *q, double cosine, double sine)
{
    const double half = 0.5 * lg_real_atan2(sine, cosine);
    q[2] = lg_real_sin(half), q[3] = lg_real_cos(half);
}

static void default_poses(const lg_group *G, double *pose, const double *g)
{
    block_body b;
    for (int at = 0, angle = 0; next_body(G, &at, &angle, &b); pose += LG_POSE_SIZE) {
        const double *turn = g + b.attitude;
        for (int k = 0; k < b.dimension; k++) pose[k] = g[b.place + k];
        if (b.kind == LG_BLOCK_PLANE_ROTATION) turn_about_z(pose + 3, turn[0], turn[1]);
        if (b.kind == LG_BLOCK_ANGLES) turn_about_z(pose + 3, lg_real_cos(turn[0]), lg_real_sin(turn[0]));
        if (b.kind == LG_BLOCK_QUATERNION) memcpy(pose + 3, turn, 4 * sizeof *turn);
    }
}

/* The callbacks of the model --------------------------------------------------------------------------------------- */

static lg_call call_at(const lg_model *M, const double *t)
{
    const lg_call c = {
        .context = M->definition->callbacks.model_context, .param = M->param, .t = *t, .lanes = 1, .times = t};
    return c;
}

/* Fills the scene and says what went wrong. */
static lg_status look(lg_model *M, lg_scene *scene)
{
    const lg_model_definition *d = M->definition;
    const double t = 0;
    const lg_call c = call_at(M, &t);
    int code = 0;
    if (d->callbacks.look == NULL && d->callbacks.poses != NULL)
        return lg_fail(&M->error, LG_ERROR_ARGUMENT, "%s: it has the callback `poses`, but no `look` that adds bodies",
                       d->name);
    if (d->callbacks.look != NULL) {
        code = d->callbacks.look(&c, scene);
    } else {
        add_default_bodies(M->group, scene);
    }
    if (scene->first.status != LG_OK)
        return lg_fail(&M->error, scene->first.status, "%s: its look: %.250s", d->name, scene->first.message);
    if (code != 0) return lg_fail(&M->error, LG_ERROR_CALLBACK, "%s: the callback `look` returned %d", d->name, code);
    const int bodies = lg_scene_body_count(scene), known = default_body_count(M->group);
    if (d->callbacks.poses == NULL && bodies != known)
        return lg_fail(&M->error, LG_ERROR_ARGUMENT,
                       "%s: its look has %d bodies; without the callback `poses` there are those of the group, %d",
                       d->name, bodies, known);
    return LG_OK;
}

lg_status lg_model_scene(lg_model *M, const lg_scene **scene)
{
    lg_status status = lg_model_begin(M);
    if (status != LG_OK || scene == NULL) return status != LG_OK ? status : LG_ERROR_ARGUMENT;
    lg_model *now;
    status = lg_model_now(&now, M);
    if (status != LG_OK) return status;
    if (now != M) {
        status = lg_model_scene(now, scene);
        if (status != LG_OK) M->error = now->error;
        return status;
    }
    if (M->scene == NULL && M->mechanism != NULL) {
        status = lg_mechanism_scene(M->mechanism, &M->scene);
        if (status != LG_OK) return lg_fail(&M->error, status, "%s: its scene: %s", M->name, lg_status_text(status));
    }
    if (M->scene == NULL) {
        lg_scene *made = NULL;
        status = lg_scene_create(&made);
        if (status != LG_OK) return lg_fail(&M->error, status, "%s: out of memory", M->definition->name);
        status = look(M, made);
        if (status != LG_OK) {
            lg_scene_destroy(made);
            return status;
        }
        M->scene = made;
    }
    *scene = M->scene;
    return LG_OK;
}

lg_status lg_model_poses(lg_model *M, double *poses, double t, const double *g)
{
    const lg_scene *scene = NULL;
    const lg_status status = lg_model_scene(M, &scene);
    if (status != LG_OK || poses == NULL || g == NULL) return status != LG_OK ? status : LG_ERROR_ARGUMENT;
    if (M->mechanism != NULL) {
        mb_frames_of(M->described != NULL ? M->with->mechanism : M->mechanism, poses, g);
        return LG_OK;
    }
    for (int i = 0; i < LG_POSE_SIZE * lg_scene_body_count(scene); i++) poses[i] = i % LG_POSE_SIZE == LG_POSE_SIZE - 1;
    if (M->definition->callbacks.poses == NULL) {
        default_poses(M->group, poses, g);
        return LG_OK;
    }
    const lg_call c = call_at(M, &t);
    const int code = M->definition->callbacks.poses(&c, g, poses);
    if (code == 0) return LG_OK;
    return lg_fail(&M->error, LG_ERROR_CALLBACK, "%s: the callback `poses` returned %d", M->definition->name, code);
}
