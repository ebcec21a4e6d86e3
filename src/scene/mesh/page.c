/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes as text. One is in memory at a time. */
#include "scene/mesh/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/file.h"
#include "scene/mesh/mesh.h"

/* 1: both show one file. */
static int is_like(const lg_shape *a, const lg_shape *b)
{
    return a->mesh != NULL && b->mesh != NULL && strcmp(a->mesh, b->mesh) == 0;
}

int lg_mesh_list_add(lg_mesh_list *list, const lg_shape *s)
{
    int i = 0;
    if (s->mesh == NULL && s->points == 0) return -1;
    while (i < list->count && !is_like(list->first[i], s)) i++;
    if (i == LG_MESH_FILES) return -1;
    if (i == list->count) list->first[list->count++] = s;
    return i;
}

/* Vertices of triangles, in the order of their first one, and triangles; `number` has room for one of each vertex, and
 * `text` for both lists. */
static void write_numbers(lg_json *j, const lg_mesh *m, int *number, char *text)
{
    int used = 0;
    lg_base64 c = {.at = text};
    for (int i = 0; i < m->vertices; i++) number[i] = -1;
    for (int i = 0; i < 3 * m->triangles; i++) {
        const int v = m->triangle[i];
        if (number[v] >= 0) continue;
        number[v] = used++;
        for (int k = 0; k < 3; k++) lg_base64_float(&c, (float)m->vertex[3 * v + k]);
    }
    lg_base64_finish(&c);
    lg_json_text(j, "vertices", text);
    c = (lg_base64){.at = text};
    for (int i = 0; i < 3 * m->triangles; i++) lg_base64_word(&c, (uint32_t)number[m->triangle[i]]);
    lg_base64_finish(&c);
    lg_json_text(j, "faces", text);
}

/* Without the folders of the one who made the page. */
static const char *without_folder(const char *text, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    return strncmp(text, path, folder) == 0 ? text + folder : text;
}

/* The mesh of a file. */
static lg_status read(lg_mesh *m, const char *path, const char *name, lg_error *e)
{
    void *bytes = NULL;
    size_t size;
    lg_status st = lg_file_read(path, LG_MESH_BYTES, &bytes, &size, e);
    if (st == LG_OK && bytes == NULL) st = lg_fail_system(e, name, ENOENT);
    if (st == LG_OK) st = lg_mesh_parse(m, bytes, size, name, LG_MESH_BY_NAME, e);
    free(bytes);
    return st;
}

/* The mesh of a shape, of vertices alone their hull, with at most so many triangles. */
static lg_status make(lg_mesh *coarse, int *triangles, const lg_shape *s, const char *name, int most, lg_error *e)
{
    lg_mesh m = {0}, hull = {0};
    double moved;
    lg_status st = s->mesh != NULL ? read(&m, s->mesh, name, e)
                   : s->triangles == 0
                       ? lg_mesh_of_points(&m, s->point, (int)s->points, name, e)
                       : lg_mesh_of_triangles(&m, s->point, (int)s->points, s->triangle, (int)s->triangles, name, e);
    if (st == LG_OK && m.triangles == 0) {
        st = lg_mesh_hull(&hull, &m, name, e);
        lg_mesh_free(&m);
        m = hull;
    }
    *triangles = m.triangles;
    if (st == LG_OK) st = lg_mesh_coarsen(coarse, &moved, &m, most, e);
    lg_mesh_free(&m);
    return st;
}

static void write_mesh(lg_json *j, const lg_shape *s, int most)
{
    const char *path = s->mesh != NULL ? s->mesh : s->name != NULL ? s->name : "a hull";
    const char *name = s->mesh != NULL ? without_folder(path, path) : path;
    lg_mesh m = {0};
    lg_error error;
    int triangles;
    const lg_status st = make(&m, &triangles, s, name, most, &error);
    int *number = malloc(((size_t)m.vertices + 1) * sizeof *number);
    char *text = malloc(LG_BASE64_ROOM(36 * (size_t)m.triangles));
    lg_json_open(j, NULL, '{');
    lg_json_text(j, "name", name);
    if (st != LG_OK) {
        lg_json_text(j, "fault", without_folder(error.message, path));
    } else if (number != NULL && text != NULL) {
        lg_json_whole(j, "triangles", triangles);
        write_numbers(j, &m, number, text);
    }
    lg_json_close(j, '}');
    j->failed |= number == NULL || text == NULL || st == LG_ERROR_MEMORY;
    free(number), free(text);
    lg_mesh_free(&m);
}

void lg_mesh_list_write(const lg_mesh_list *list, lg_json *j)
{
    int most = LG_MESH_TRIANGLES / list->count;
    if (most > LG_MESH_TRIANGLES_EACH) most = LG_MESH_TRIANGLES_EACH;
    if (most < LG_MESH_FEWEST) most = LG_MESH_FEWEST;
    lg_json_open(j, "meshes", '[');
    for (int i = 0; i < list->count && !j->failed; i++) write_mesh(j, list->first[i], most);
    lg_json_close(j, ']');
}
