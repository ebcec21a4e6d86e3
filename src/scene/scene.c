/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene: two lists that grow, and their text. */
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "scene/mesh/page.h"

static const lg_sized shape_size = LG_SIZED_AS(lg_shape, body, "start from lg_shape_default()");

static const char *const kind_names[] = {"axes", "sphere", "ellipsoid", "cylinder", "torus",
                                         "box",  "rod",    "plane",     "mesh"};
static const char *const shade_names[] = {"body", "second", "wheel", "metal", "mark", "ground", "ghost"};
enum { KINDS = sizeof kind_names / sizeof kind_names[0], SHADES = sizeof shade_names / sizeof shade_names[0] };
enum { LG_HULL_POINTS = 1000000, LG_TRIANGLES = 4000000 };

void lg_shape_init(lg_shape *shape, size_t size)
{
    const lg_shape own = {
        .size = sizeof own, .attitude = {0, 0, 0, 1}, .rolls_on = -1, .colour = {-1, -1, -1, 1}, .scale = {1, 1, 1}};
    lg_sized_give(&shape_size, shape, size, &own);
}

/* Making and freeing ---------------------------------------------------------------------------------------------- */

lg_status lg_scene_create(lg_scene **scene)
{
    if (scene == NULL) return LG_ERROR_ARGUMENT;
    *scene = calloc(1, sizeof **scene);
    return *scene != NULL ? LG_OK : LG_ERROR_MEMORY;
}

/* What a scene owns of a shape. */
static void free_copies(const lg_shape *s)
{
    free((char *)(uintptr_t)s->name);
    free((char *)(uintptr_t)s->mesh);
    free((double *)(uintptr_t)s->point);
    free((int *)(uintptr_t)s->triangle);
}

void lg_scene_destroy(lg_scene *scene)
{
    if (scene == NULL) return;
    for (int i = 0; i < scene->bodies; i++) free(scene->body[i]);
    for (int i = 0; i < scene->shapes; i++) free_copies(&scene->shape[i]);
    free(scene->body);
    free(scene->parent);
    free(scene->shape);
    lg_json_free(&scene->json);
    free(scene);
}

const char *lg_scene_message(const lg_scene *scene)
{
    return scene != NULL ? scene->error.message : LG_NO_OBJECT("scene");
}

static lg_status out_of_memory(lg_scene *scene)
{
    return lg_fail(&scene->error, LG_ERROR_MEMORY, "the scene: out of memory");
}

/* Makes room for another item of `width` bytes in a list; NULL: out of memory, and the list is unchanged. */
static void *grow(void *list, int used, int *room, size_t width)
{
    if (used < *room) return list;
    const int more = *room > 0 ? 2 * *room : 16;
    void *larger = realloc(list, (size_t)more * width);
    if (larger != NULL) *room = more;
    return larger;
}

/* Remembers the first failure. */
static lg_status seen(lg_scene *scene, lg_status status)
{
    if (status != LG_OK && scene->first.status == LG_OK) scene->first = scene->error;
    return status;
}

static lg_status add_body(lg_scene *scene, int *index, const char *name)
{
    if (name == NULL) return lg_fail(&scene->error, LG_ERROR_ARGUMENT, "body %d has no name", scene->bodies);
    char **list = grow(scene->body, scene->bodies, &scene->body_room, sizeof *list);
    if (list == NULL) return out_of_memory(scene);
    scene->body = list;
    list[scene->bodies] = strdup(name);
    if (list[scene->bodies] == NULL) return out_of_memory(scene);
    if (index != NULL) *index = scene->bodies;
    scene->bodies++;
    return LG_OK;
}

lg_status lg_scene_add_body(lg_scene *scene, int *index, const char *name)
{
    return scene != NULL ? seen(scene, add_body(scene, index, name)) : LG_ERROR_ARGUMENT;
}

/* Shapes ---------------------------------------------------------------------------------------------------------- */

static int finite_all(const double *v, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(v[i])) return 0;
    }
    return 1;
}

static lg_status check_numbers(lg_error *e, const lg_shape *s, const char *name)
{
    const double *q = s->attitude, length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const char *what = !finite_all(s->position, 3)     ? "position"
                       : !finite_all(q, 4)             ? "attitude"
                       : !finite_all(s->dimensions, 3) ? "dimensions"
                       : !finite_all(s->end, 3)        ? "end"
                                                       : NULL;
    if (what != NULL) return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': its %s are not finite numbers", name, what);
    if (!(fabs(length - 1) <= 1e-6))
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': its attitude must be a unit quaternion, its length is %g",
                       name, length);
    for (int i = 0; i < 3; i++) {
        if (s->dimensions[i] < 0)
            return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': dimension %d must be >= 0, got %g", name, i + 1,
                           s->dimensions[i]);
    }
    return LG_OK;
}

static lg_status check_plane(lg_error *e, const lg_scene *scene, const lg_shape *s, const char *name)
{
    if (s->trail < 0 || s->trail > 2)
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': its trail must be 0, 1 or 2, got %" PRId64, name,
                       s->trail);
    if (s->rolls_on == -1) {
        if (s->trail == 2)
            return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': trail 2 is that of a shape that rolls on a plane",
                           name);
        return LG_OK;
    }
    if (s->rolls_on < 0 || s->rolls_on >= scene->shapes || scene->shape[s->rolls_on].kind != LG_SHAPE_PLANE)
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "shape '%.60s': it rolls on shape %" PRId64 ", which is no plane; add the "
                       "plane first",
                       name, s->rolls_on);
    if (s->kind == LG_SHAPE_PLANE || s->kind == LG_SHAPE_AXES || s->kind == LG_SHAPE_MESH)
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': planes, axes and meshes do not roll", name);
    return LG_OK;
}

/* 1: the colour is that of the shade. */
static int has_shade(const lg_shape *s)
{
    return s->colour[0] == -1 && s->colour[1] == -1 && s->colour[2] == -1;
}

/* 1: triangles name points that are there. */
static int are_there(const lg_shape *s)
{
    for (int64_t i = 0; i < 3 * s->triangles; i++) {
        if (s->triangle[i] < 0 || s->triangle[i] >= s->points) return 0;
    }
    return 1;
}

static lg_status check_look(lg_error *e, const lg_shape *s, const char *name)
{
    for (int i = has_shade(s) ? 3 : 0; i < 4; i++) {
        if (!(s->colour[i] >= 0 && s->colour[i] <= 1))
            return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': %s must be from 0 to 1, got %g", name,
                           i < 3 ? "red, green and blue" : "the opacity", s->colour[i]);
    }
    if (s->kind == LG_SHAPE_MESH && (s->mesh == NULL) == (s->points == 0))
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': a mesh needs a file, or the points of a hull", name);
    const int least = s->triangles != 0 ? 3 : 4, most = s->triangles != 0 ? LG_TRIANGLES : LG_HULL_POINTS;
    if (s->points != 0 && (s->kind != LG_SHAPE_MESH || s->points < least || s->points > most || s->point == NULL ||
                           !finite_all(s->point, (int)(3 * s->points))))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "shape '%.60s': it has %" PRId64 " points; a mesh may have %d to %d finite ones", name,
                       s->points, least, most);
    if (s->triangles != 0 &&
        (s->points == 0 || s->triangles < 1 || s->triangles > LG_TRIANGLES || s->triangle == NULL || !are_there(s)))
        return lg_fail(e, LG_ERROR_ARGUMENT,
                       "shape '%.60s': it has %" PRId64 " triangles; a mesh with points may have 1 to %d of these",
                       name, s->triangles, LG_TRIANGLES);
    for (int i = 0; i < 3 && s->kind == LG_SHAPE_MESH; i++) {
        if (s->scale[i] == 0 || !isfinite(s->scale[i]))
            return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': a scale must be finite and not 0, got %g", name,
                           s->scale[i]);
    }
    return LG_OK;
}

static lg_status check_shape(lg_error *e, const lg_scene *scene, const lg_shape *s)
{
    const char *name = s->name != NULL ? s->name : "";
    if (s->kind < 0 || s->kind >= KINDS)
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': there is no kind %" PRId64, name, s->kind);
    if (s->shade < 0 || s->shade >= SHADES)
        return lg_fail(e, LG_ERROR_ARGUMENT, "shape '%.60s': there is no shade %" PRId64, name, s->shade);
    const int64_t bodies[2] = {s->body, s->end_body};
    for (int i = 0; i < 2; i++) {
        if (bodies[i] < -1 || bodies[i] >= scene->bodies)
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "shape '%.60s': there is no body %" PRId64 "; the scene has %d, and -1 is space", name,
                           bodies[i], scene->bodies);
    }
    lg_status status = check_numbers(e, s, name);
    if (status == LG_OK) status = check_look(e, s, name);
    return status == LG_OK ? check_plane(e, scene, s, name) : status;
}

static lg_status add_shape(lg_scene *scene, int *index, const lg_shape *shape)
{
    lg_shape own;
    if (shape == NULL) return lg_fail(&scene->error, LG_ERROR_ARGUMENT, "lg_scene_add: the shape is NULL");
    lg_shape_init(&own, sizeof own);
    lg_status status = lg_sized_take(&shape_size, &own, shape, &scene->error);
    if (status == LG_OK) status = check_shape(&scene->error, scene, &own);
    if (status != LG_OK) return status;
    lg_shape *list = grow(scene->shape, scene->shapes, &scene->shape_room, sizeof *list);
    if (list == NULL) return out_of_memory(scene);
    scene->shape = list;
    const lg_shape from = own;
    const size_t bytes = 3 * (size_t)own.points * sizeof *own.point;
    double *point = own.points > 0 ? malloc(bytes) : NULL;
    const size_t corners = 3 * (size_t)own.triangles * sizeof *own.triangle;
    int *triangle = own.triangles > 0 ? malloc(corners) : NULL;
    if (from.name != NULL) own.name = strdup(from.name);
    if (from.mesh != NULL) own.mesh = strdup(from.mesh);
    own.point = point, own.triangle = triangle;
    if ((from.name != NULL && own.name == NULL) || (from.mesh != NULL && own.mesh == NULL) ||
        (own.points > 0 && point == NULL) || (own.triangles > 0 && triangle == NULL)) {
        free_copies(&own);
        return out_of_memory(scene);
    }
    if (point != NULL) memcpy(point, from.point, bytes);
    if (triangle != NULL) memcpy(triangle, from.triangle, corners);
    list[scene->shapes] = own;
    if (index != NULL) *index = scene->shapes;
    scene->shapes++;
    return LG_OK;
}

lg_status lg_scene_add(lg_scene *scene, int *index, const lg_shape *shape)
{
    return scene != NULL ? seen(scene, add_shape(scene, index, shape)) : LG_ERROR_ARGUMENT;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

int lg_scene_body_count(const lg_scene *scene)
{
    return scene != NULL ? scene->bodies : 0;
}

const char *lg_scene_body_name(const lg_scene *scene, int i)
{
    return i >= 0 && i < lg_scene_body_count(scene) ? scene->body[i] : NULL;
}

int lg_scene_shape_count(const lg_scene *scene)
{
    return scene != NULL ? scene->shapes : 0;
}

const lg_shape *lg_scene_shape(const lg_scene *scene, int i)
{
    return i >= 0 && i < lg_scene_shape_count(scene) ? &scene->shape[i] : NULL;
}

static void write_shape(lg_json *j, const lg_shape *s, int mesh)
{
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", s->name);
    lg_json_text(j, "kind", kind_names[s->kind]);
    lg_json_text(j, "shade", shade_names[s->shade]);
    lg_json_whole(j, "body", s->body);
    lg_json_numbers(j, "position", s->position, 3);
    lg_json_numbers(j, "attitude", s->attitude, 4);
    lg_json_numbers(j, "dimensions", s->dimensions, 3);
    lg_json_whole(j, "end_body", s->end_body);
    lg_json_numbers(j, "end", s->end, 3);
    lg_json_whole(j, "rolls_on", s->rolls_on);
    lg_json_whole(j, "trail", s->trail);
    if (has_shade(s))
        lg_json_raw(j, "colour", "null");
    else
        lg_json_numbers(j, "colour", s->colour, 3);
    lg_json_number(j, "opacity", s->colour[3]);
    if (s->kind == LG_SHAPE_MESH) {
        lg_json_whole(j, "mesh", mesh);
        lg_json_numbers(j, "scale", s->scale, 3);
    }
    lg_json_close(j, '}');
}

lg_status lg_scene_json(lg_scene *scene, const char **text)
{
    if (scene == NULL || text == NULL) return LG_ERROR_ARGUMENT;
    lg_json *j = &scene->json;
    lg_mesh_list list = {.of = malloc(((size_t)scene->shapes + 1) * sizeof *list.of)};
    if (list.of == NULL) return out_of_memory(scene);
    for (int i = 0; i < scene->shapes; i++) list.of[i] = lg_mesh_list_add(&list, &scene->shape[i]);
    lg_json_free(j);
    memset(j, 0, sizeof *j);
    lg_json_open(j, NULL, '{');
    lg_json_open(j, "bodies", '[');
    for (int i = 0; i < scene->bodies; i++) lg_json_text(j, NULL, scene->body[i]);
    lg_json_close(j, ']');
    lg_json_open(j, "shapes", '[');
    for (int i = 0; i < scene->shapes; i++) write_shape(j, &scene->shape[i], list.of[i]);
    lg_json_close(j, ']');
    if (list.count > 0) lg_mesh_list_write(&list, j);
    if (scene->parent != NULL) {
        lg_json_open(j, "parents", '[');
        for (int i = 0; i < scene->bodies; i++) lg_json_whole(j, NULL, scene->parent[i]);
        lg_json_close(j, ']');
    }
    lg_json_close(j, '}');
    free(list.of);
    if (j->failed) return out_of_memory(scene);
    *text = j->text;
    return LG_OK;
}
