/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo's MSH: numbers of vertices, normals, texture coordinates and triangles, then the vertices, normals and texture
 * coordinates as floats and the triangles as numbers of vertices. */
#include <stdlib.h>
#include <string.h>

#include "scene/mesh/build.h"

enum { HEADER = 16 };

static void read_triangles(mesh_build *b, const unsigned char *bytes, size_t at, size_t triangles, const int *vertex,
                           uint32_t vertices)
{
    for (size_t t = 0; t < triangles && b->status == LG_OK; t++) {
        uint32_t corner[3];
        for (size_t i = 0; i < 3; i++) {
            const size_t here = at + 12 * t + 4 * i;
            corner[i] = mesh_count_at(bytes + here);
            if (corner[i] < vertices) continue;
            mesh_refuse_byte(b, here, "triangle %zu has corner %ld, and the vertices are 0 to %ld", t,
                             (long)(int32_t)corner[i], (long)vertices - 1);
            return;
        }
        mesh_add_triangle(b, vertex[corner[0]], vertex[corner[1]], vertex[corner[2]]);
    }
}

void mesh_read_msh(mesh_build *b, const unsigned char *bytes, size_t size)
{
    uint32_t count[4];
    if (size < HEADER) {
        mesh_refuse_byte(b, size, "the file ends; an MSH file begins with four numbers of %d bytes", HEADER);
        return;
    }
    if (memcmp(bytes, "$MeshFormat", 11) == 0)
        mesh_refuse_byte(b, 0,
                         "this is a mesh of Gmsh, which shares the ending; convert it to STL: gmsh -save -format stl");
    for (size_t i = 0; i < 4; i++) {
        count[i] = mesh_count_at(bytes + 4 * i);
        if (count[i] > INT32_MAX)
            mesh_refuse_byte(b, 4 * i, "the count %ld is negative; is it an MSH file?", (long)(int32_t)count[i]);
    }
    const uint64_t before = HEADER + 12 * (uint64_t)count[0] + 12 * (uint64_t)count[1] + 8 * (uint64_t)count[2];
    const uint64_t want = before + 12 * (uint64_t)count[3];
    if (want != size)
        mesh_refuse_byte(
            b, 0,
            "%ld vertices, %ld normals, %ld texture coordinates and %ld triangles take %llu bytes, and the "
            "file has %zu; it is cut off, or no MSH file",
            (long)count[0], (long)count[1], (long)count[2], (long)count[3], (unsigned long long)want, size);
    if (b->status != LG_OK) return;
    int *vertex = malloc((count[0] + 1) * sizeof *vertex); /* where each is after merging */
    if (vertex == NULL) {
        b->status = lg_fail(b->error, LG_ERROR_MEMORY, "%.120s: out of memory", b->name);
        return;
    }
    for (size_t i = 0; i < count[0] && b->status == LG_OK; i++) {
        double x[3];
        mesh_point_at(b, x, bytes, HEADER + 12 * i);
        vertex[i] = mesh_add_vertex(b, x);
    }
    if (b->status == LG_OK) read_triangles(b, bytes, (size_t)before, count[3], vertex, count[0]);
    free(vertex);
}
