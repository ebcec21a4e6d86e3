/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model looks like, by its own callbacks or as its group says. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <liegrp/base/elementary.h>

#include "run/model_private.h"
#include "scene/scene.h"

/* What the group says -----------------------------------------------------------------------------------------------
 */

enum { MOST_BODIES = 3 }; /* of one factor */

/* A body that factors give: where its numbers stand in an element. */
typedef struct factor_body {
    lg_group_kind kind;   /* what its attitude is stored as; LG_KIND_RN: it has none */
    int place, dimension; /* of its position; dimension 0: at the origin */
    int attitude;
} factor_body;

/* The dimension of the space that a group of rotations turns; 0: it is none. */
static int space_of(const lg_group *factor)
{
    return factor->kind == LG_KIND_SO3 ? 3 : factor->kind == LG_KIND_SO2 ? 2 : 0;
}

/* The bodies of factor *f, whose numbers begin at *at; both move on behind what was read. Returns their number. */
static int read_factors(const lg_group *G, int *f, int *at, factor_body *bodies)
{
    const lg_group *factor = lg_group_factor(G, *f), *next = lg_group_factor(G, *f + 1);
    const int begin = *at, size = factor->element_size;
    *f += 1, *at += size;
    bodies[0] = (factor_body){factor->kind, begin, 0, begin};
    switch (factor->kind) {
    case LG_KIND_SO2:
    case LG_KIND_SO3:
        return 1;
    case LG_KIND_SE2:
        bodies[0].dimension = 2, bodies[0].attitude += 2;
        return 1;
    case LG_KIND_SE3:
        bodies[0].dimension = 3, bodies[0].attitude += 3;
        return 1;
    case LG_KIND_SE23:
        bodies[0].dimension = 3, bodies[0].attitude += 6;
        return 1;
    case LG_KIND_RN:
        bodies[0].dimension = size < 3 ? size : 3;
        if (next == NULL || space_of(next) != size) return 1;
        bodies[0].kind = next->kind, bodies[0].attitude += size;
        *f += 1, *at += next->element_size;
        return 1;
    case LG_KIND_TORUS:
        for (int i = 0; i < MOST_BODIES; i++) bodies[i] = (factor_body){factor->kind, begin, 0, begin + i};
        return size < MOST_BODIES ? size : MOST_BODIES;
    default:
        return 0;
    }
}

static void add_default_bodies(const lg_group *G, lg_scene *scene)
{
    factor_body bodies[MOST_BODIES];
    for (int f = 0, at = 0; f < lg_group_factor_count(G);) {
        const int count = read_factors(G, &f, &at, bodies);
        for (int i = 0; i < count; i++) {
            const int point = bodies[i].kind == LG_KIND_RN;
            char name[32];
            int body;
            snprintf(name, sizeof name, "%s %d", point ? "point" : "body", lg_scene_body_count(scene) + 1);
            if (lg_scene_add_body(scene, &body, name) != LG_OK) return; /* the scene's message says so */
            lg_shape shape = lg_shape_default(name, point ? LG_SHAPE_SPHERE : LG_SHAPE_AXES, body);
            shape.dimensions[0] = point ? 0.1 : 1;
            shape.trail = bodies[i].dimension > 0;
            lg_status_ignore(lg_scene_add(scene, NULL, &shape));
        }
    }
}

static int default_body_count(const lg_group *G)
{
    factor_body bodies[MOST_BODIES];
    int count = 0;
    for (int f = 0, at = 0; f < lg_group_factor_count(G);) count += read_factors(G, &f, &at, bodies);
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
    factor_body bodies[MOST_BODIES];
    for (int f = 0, at = 0; f < lg_group_factor_count(G);) {
        const int count = read_factors(G, &f, &at, bodies);
        for (int i = 0; i < count; i++, pose += LG_POSE_SIZE) {
            const double *turn = g + bodies[i].attitude;
            for (int k = 0; k < bodies[i].dimension; k++) pose[k] = g[bodies[i].place + k];
            switch (bodies[i].kind) {
            case LG_KIND_SO2:
            case LG_KIND_SE2:
                turn_about_z(pose + 3, turn[0], turn[1]);
                break;
            case LG_KIND_TORUS:
                turn_about_z(pose + 3, lg_real_cos(turn[0]), lg_real_sin(turn[0]));
                break;
            case LG_KIND_RN:
                break;
            default:
                memcpy(pose + 3, turn, 4 * sizeof *turn);
            }
        }
    }
}

/* What the model says -----------------------------------------------------------------------------------------------
 */

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
    if (scene->error.status != LG_OK)
        return lg_fail(&M->error, scene->error.status, "%s: its look: %.250s", d->name, scene->error.message);
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
