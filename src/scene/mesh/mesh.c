/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes: reading by format, scaling. */
#include "scene/mesh/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "scene/mesh/build.h"

typedef struct format_facts {
    const char *ending;
    void (*read)(mesh_build *b, const unsigned char *bytes, size_t size);
} format_facts;

/* By lg_mesh_format. */
static const format_facts formats[] = {
    {NULL, NULL}, {".stl", mesh_read_stl}, {".obj", mesh_read_obj}, {".msh", mesh_read_msh}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

enum { SHOWN = 120 }; /* so much of the end of a name is in messages */

static lg_status find_format(int *format, const char *name, lg_error *e)
{
    const size_t length = strlen(name);
    if (*format < 0 || *format >= FORMATS)
        return lg_fail(e, LG_ERROR_ARGUMENT, "%.120s: format %d is not an lg_mesh_format", name, *format);
    for (int i = 1; i < FORMATS && *format == LG_MESH_BY_NAME; i++) {
        const size_t ending = strlen(formats[i].ending);
        if (length > ending && strcasecmp(name + length - ending, formats[i].ending) == 0) *format = i;
    }
    if (*format != LG_MESH_BY_NAME) return LG_OK;
    return lg_fail(e, LG_ERROR_UNSUPPORTED,
                   "%.120s: meshes in .stl, .obj and .msh files are read; convert this one, for example with "
                   "'assimp export FILE FILE.stl'",
                   name);
}

lg_status lg_mesh_parse(lg_mesh *m, const void *bytes, size_t size, const char *name, lg_mesh_format format,
                        lg_error *e)
{
    const size_t length = strlen(name);
    mesh_build b = {.name = length > SHOWN ? name + length - SHOWN : name, .error = e};
    int found = (int)format;
    *m = (lg_mesh){0};
    lg_error_clear(e);
    b.status = find_format(&found, name, e);
    if (b.status != LG_OK) return b.status;
    if (size > LG_MESH_BYTES)
        return lg_fail(e, LG_ERROR_IO, "%.120s: it has more than %zu MiB, which is the most that is read", b.name,
                       LG_MESH_BYTES >> 20);
    formats[found].read(&b, bytes, size);
    if (b.status == LG_OK && b.mesh.vertices == 0)
        b.status = lg_fail(e, LG_ERROR_ARGUMENT, "%.120s: it contains no vertices; is it the right file?", b.name);
    if (found != LG_MESH_OBJ) b.mesh.first = b.mesh.triangles;
    return mesh_finish(&b, m);
}

lg_status lg_mesh_read(lg_mesh *m, const char *path, lg_mesh_format format, lg_error *e)
{
    void *bytes = NULL;
    size_t size = 0;
    int found = (int)format;
    *m = (lg_mesh){0};
    lg_error_clear(e);
    lg_status st = find_format(&found, path, e);
    if (st == LG_OK) st = lg_file_read(path, LG_MESH_BYTES, &bytes, &size, e);
    if (st != LG_OK) return st;
    if (bytes == NULL) return lg_fail_system(e, path, ENOENT);
    st = lg_mesh_parse(m, bytes, size, path, format, e);
    free(bytes);
    return st;
}

lg_status lg_mesh_of_points(lg_mesh *m, const double *point, int points, const char *name, lg_error *e)
{
    mesh_build b = {.name = name, .error = e};
    *m = (lg_mesh){0};
    lg_error_clear(e);
    for (int i = 0; i < points; i++) (void)mesh_add_vertex(&b, point + 3 * (size_t)i);
    return mesh_finish(&b, m);
}

lg_status lg_mesh_of_triangles(lg_mesh *m, const double *point, int points, const int *triangle, int triangles,
                               const char *name, lg_error *e)
{
    mesh_build b = {.name = name, .error = e};
    *m = (lg_mesh){0};
    lg_error_clear(e);
    for (int i = 0; i < triangles; i++) {
        int corner[3];
        for (int k = 0; k < 3; k++) {
            const int p = triangle[3 * (size_t)i + (size_t)k];
            corner[k] = p >= 0 && p < points ? mesh_add_vertex(&b, point + 3 * (size_t)p) : -1;
        }
        if (b.status == LG_OK) mesh_add_triangle(&b, corner[0], corner[1], corner[2]);
    }
    return mesh_finish(&b, m);
}

void lg_mesh_free(lg_mesh *m)
{
    free(m->vertex), free(m->triangle);
    *m = (lg_mesh){0};
}

lg_status lg_mesh_scale(lg_mesh *m, const double *scale, const char *name, lg_error *e)
{
    for (int i = 0; i < 3; i++) {
        double most = 0;
        for (size_t k = 0; k < (size_t)m->vertices; k++) most = fmax(most, fabs(m->vertex[3 * k + (size_t)i]));
        if (!isfinite(scale[i]) || fabs(scale[i]) <= 0 || !(most * fabs(scale[i]) <= LG_MESH_FAR))
            return lg_fail(e, LG_ERROR_ARGUMENT,
                           "%.120s: scale %d is %g; it must be finite and not 0, and keep coordinates below %g", name,
                           i + 1, scale[i], LG_MESH_FAR);
    }
    for (size_t k = 0; k < 3 * (size_t)m->vertices; k++) m->vertex[k] = m->vertex[k] * scale[k % 3] + 0.0;
    const int mirrors = (scale[0] < 0) ^ (scale[1] < 0) ^ (scale[2] < 0);
    m->mirrored ^= mirrors;
    for (size_t t = 0; mirrors && t < (size_t)m->triangles; t++) {
        int *corner = m->triangle + 3 * t;
        const int second = corner[1];
        corner[1] = corner[2], corner[2] = second;
    }
    return LG_OK;
}
