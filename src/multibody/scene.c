/* SPDX-License-Identifier: BSD-3-Clause */
/* The look of a mechanism: shapes that were given, then those of its parts (parts/). */
#include "multibody/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <liegrp/groups/so3.h>

#include "groups/rotation.h"
#include "multibody/motion.h"
#include "multibody/parts/part.h"
#include "scene/scene.h"

/* Shapes of one's own --------------------------------------------------------------------------------------------- */

/* Adds the bodies of the mechanism that the scene lacks. */
static lg_status add_bodies(const lg_mechanism *m, lg_scene *scene)
{
    lg_status status = LG_OK;
    for (int b = lg_scene_body_count(scene); b < mb_seen(m, MB_BODIES) && status == LG_OK; b++)
        status = lg_scene_add_body(scene, NULL, MB_BODY(m, b)->name);
    return status;
}

lg_status lg_mechanism_add_shape(lg_mechanism *m, int *index, const lg_shape *shape)
{
    lg_status status = LG_OK;
    if (m == NULL) return LG_ERROR_ARGUMENT;
    lg_error_clear(&m->error);
    if (m->look == NULL) status = lg_scene_create(&m->look);
    if (status != LG_OK) return lg_fail(&m->error, status, "lg_mechanism_add_shape: out of memory");
    status = add_bodies(m, m->look);
    if (status == LG_OK) status = lg_scene_add(m->look, index, shape);
    return status == LG_OK ? LG_OK : lg_fail(&m->error, status, "%s", lg_scene_message(m->look));
}

/* The look of parts ------------------------------------------------------------------------------------------- */

int mb_look_host(const mb_maker *k, int b)
{
    return b >= k->m->plan.bodies ? -1 : k->m->hub != NULL ? k->m->hub[b].host : b;
}

void mb_look_add(const mb_maker *k, const lg_shape *shape)
{
    lg_status_ignore(lg_scene_add(k->scene, NULL, shape)); /* the scene remembers it */
}

void mb_look_from_centre(const mb_maker *k, double *x, int body, const double *anchor)
{
    for (int i = 0; i < 3; i++) x[i] = anchor[i] + (body >= 0 ? MB_BODY(k->m, body)->centre[i] : 0);
}

void mb_look_mark(const mb_maker *k, int b, const double *centre, double radius)
{
    const int body = mb_look_host(k, b);
    if (body >= 0 && !(lg_length(centre, 3) > 1e-9 * radius)) k->shown[body] = MB_SHOWN_PART;
}

void mb_look_along(double *q, const double *d)
{
    const double w = 1 + d[2], length = sqrt(d[0] * d[0] + d[1] * d[1] + w * w);
    const int down = !(length > 1e-6);
    q[0] = down ? 1 : -d[1] / length, q[1] = down ? 0 : d[0] / length, q[2] = 0, q[3] = down ? 0 : w / length;
}

double mb_look_size(const mb_maker *k, int a, int b)
{
    const double x = a >= 0 ? k->size[a] : INFINITY, y = b >= 0 ? k->size[b] : INFINITY;
    return x < y ? x : y;
}

void mb_look_arm(const mb_maker *k, int body, const double *anchor)
{
    if (body < 0 || k->shown[body] == MB_SHOWN_OWN || k->shown[body] == MB_SHOWN_PART) return;
    if (!(lg_length(anchor, 3) > 1e-9 * k->size[body])) return;
    lg_shape rod = lg_shape_default(MB_BODY(k->m, body)->name, LG_SHAPE_ROD, body);
    memcpy(rod.position, MB_BODY(k->m, body)->centre, sizeof rod.position);
    mb_look_from_centre(k, rod.end, body, anchor);
    rod.dimensions[0] = 0.02 * k->size[body], rod.shade = LG_SHADE_METAL;
    mb_look_add(k, &rod);
}

void mb_look_rod(const mb_maker *k, const char *name, int a, int b, const double *from, const double *to, int shade)
{
    lg_shape rod = lg_shape_default(name, LG_SHAPE_ROD, a);
    mb_look_from_centre(k, rod.position, a, from);
    mb_look_from_centre(k, rod.end, b, to);
    rod.end_body = b, rod.shade = shade;
    rod.dimensions[0] = 0.015 * mb_look_size(k, a, b);
    mb_look_add(k, &rod);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

/* The shapes that were given, in their order. */
static void add_given(const mb_maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) mb_look_add(k, lg_scene_shape(k->m->look, i));
}

/* What shows the bodies, besides themselves. */
static void find_shown(const mb_maker *k)
{
    for (int i = 0; i < lg_scene_shape_count(k->m->look); i++) {
        const int64_t body = lg_scene_shape(k->m->look, i)->body;
        if (body >= 0) k->shown[body] = MB_SHOWN_OWN;
    }
    for (int kind = 0; kind < MB_KINDS; kind++)
        for (int i = 0; mb_kind_of(kind)->mark != NULL && i < mb_seen(k->m, kind); i++) mb_kind_of(kind)->mark(k, i);
}

static void fill(const mb_maker *k)
{
    find_shown(k);
    mb_look_bodies(k);
    add_given(k);
    for (int first = 1; first >= 0; first--)
        for (int kind = 0; kind < MB_KINDS; kind++) {
            const mb_part_kind *part = mb_kind_of(kind);
            if (part->show == NULL || part->show_first != first) continue;
            for (int i = 0; i < mb_seen(k->m, kind); i++) part->show(k, i);
        }
}

/* The body that a body hangs on in the tree. */
static void find_parents(const mb_maker *k)
{
    lg_scene *scene = k->scene;
    scene->parent = malloc((size_t)scene->bodies * sizeof *scene->parent + 1);
    if (scene->parent == NULL) {
        (void)lg_fail(&scene->first, LG_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int b = 0; b < scene->bodies; b++) scene->parent[b] = -1;
    for (int i = 0; i < mb_seen(k->m, MB_JOINTS); i++) {
        const int end[2] = {k->m->joint[i].a, k->m->joint[i].b};
        for (int e = 0; e < 2; e++) {
            const int body = mb_look_host(k, end[e]), other = mb_look_host(k, end[1 - e]);
            if (body >= 0 && body != other && k->m->link[end[e]].joint == i) scene->parent[body] = other;
        }
    }
}

static void fill_scene(const lg_mechanism *m, lg_scene *scene)
{
    const size_t bodies = (size_t)mb_seen(m, MB_BODIES) + 1;
    const size_t ends = 2 * (size_t)mb_seen(m, MB_JOINTS) + 1;
    const mb_maker k = {m,
                        scene,
                        calloc(bodies, sizeof(double)),
                        calloc(bodies, sizeof(int)),
                        calloc(bodies, sizeof(int)),
                        calloc(ends, sizeof(int))};
    if (k.size == NULL || k.shown == NULL || k.first == NULL || k.at == NULL) {
        (void)lg_fail(&scene->first, LG_ERROR_MEMORY, "out of memory");
    } else if (add_bodies(m, scene) == LG_OK) {
        fill(&k);
        find_parents(&k);
    }
    free(k.size), free(k.shown), free(k.first), free(k.at);
}

lg_status lg_mechanism_scene(const lg_mechanism *m, lg_scene **scene)
{
    lg_scene *made = NULL;
    if (scene == NULL) return LG_ERROR_ARGUMENT;
    *scene = NULL;
    if (m == NULL || !m->compiled) return LG_ERROR_ARGUMENT;
    lg_status status = lg_scene_create(&made);
    if (status != LG_OK) return status;
    fill_scene(m, made);
    status = made->first.status;
    if (status != LG_OK) {
        lg_scene_destroy(made);
        return status;
    }
    *scene = made;
    return LG_OK;
}

void mb_frames_of(const lg_mechanism *m, double *poses, const double *g)
{
    for (int b = 0; b < mb_seen(m, MB_BODIES); b++) {
        double x[3];
        lg_so3_act(x, g + 7 * b + 3, MB_BODY(m, b)->centre);
        for (int i = 0; i < 3; i++) poses[7 * b + i] = g[7 * b + i] - x[i];
        memcpy(poses + 7 * b + 3, g + 7 * b + 3, 4 * sizeof *poses);
    }
}

void mb_sparse_poses(const mb_sparse *mo, double *poses)
{
    for (int b = 0; b < mb_seen(mo->mechanism, MB_BODIES); b++)
        lg_status_ignore(lg_motion_body_pose(&mo->head, poses + LG_POSE_SIZE * b, b));
}
