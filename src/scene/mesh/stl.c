/* SPDX-License-Identifier: BSD-3-Clause */
/* STL. A binary file has a header of 80 bytes, the number of triangles and 50 bytes for each. Its header may begin with
 * "solid", as an ASCII file does, so its size decides. Normals are ignored: the order of the corners says which side is
 * outside. */
#include <stdio.h>
#include <string.h>

#include "scene/mesh/build.h"

enum { HEADER = 84, RECORD = 50 };

static void read_binary(mesh_build *b, const unsigned char *bytes, size_t count)
{
    for (size_t t = 0; t < count && b->status == LG_OK; t++) {
        int corner[3];
        for (size_t i = 0; i < 3; i++) {
            double x[3];
            mesh_point_at(b, x, bytes, HEADER + RECORD * t + 12 * (i + 1));
            corner[i] = mesh_add_vertex(b, x);
        }
        mesh_add_triangle(b, corner[0], corner[1], corner[2]);
    }
    if (count == 0) mesh_refuse_byte(b, 80, "the number of triangles is 0; export the mesh again");
}

static void expect(mesh_text *t, const char *word)
{
    const mesh_word w = mesh_next_word(t);
    if (mesh_is_word(w, word)) return;
    if (w.length == 0)
        mesh_refuse_line(t, "the file ends where '%s' is expected; it is cut off", word);
    else
        mesh_refuse_line(t, "'%.*s' stands where ASCII STL has '%s'; export the mesh again", MESH_WORD(w), word);
}

/* A normal may be nan in files of others. */
static void read_facet(mesh_text *t)
{
    int corner[3] = {0, 0, 0};
    expect(t, "normal");
    for (int i = 0; i < 3; i++) (void)mesh_next_word(t);
    expect(t, "outer"), expect(t, "loop");
    for (int i = 0; i < 3 && t->build->status == LG_OK; i++) {
        double x[3];
        expect(t, "vertex");
        for (int k = 0; k < 3; k++) x[k] = mesh_coordinate(t, mesh_next_word(t));
        corner[i] = mesh_add_vertex(t->build, x);
    }
    expect(t, "endloop"), expect(t, "endfacet");
    if (t->build->status == LG_OK) mesh_add_triangle(t->build, corner[0], corner[1], corner[2]);
}

static void read_ascii(mesh_build *b, const unsigned char *bytes, size_t size)
{
    mesh_text t = mesh_text_of(b, bytes, size, "ASCII STL");
    for (int first = 1; b->status == LG_OK; first = 0) {
        const mesh_text before = t;
        if (mesh_next_word(&t).length == 0 && !first) break;
        t = before;
        expect(&t, "solid");
        mesh_skip_line(&t);
        for (;;) {
            const mesh_text here = t;
            const mesh_word w = mesh_next_word(&t);
            if (mesh_is_word(w, "endsolid") || b->status != LG_OK) break;
            t = mesh_is_word(w, "facet") ? t : here;
            if (mesh_is_word(w, "facet"))
                read_facet(&t);
            else
                expect(&t, w.length == 0 ? "endsolid" : "facet");
        }
        mesh_skip_line(&t);
    }
    if (b->mesh.vertices == 0) mesh_refuse_line(&t, "the file has no facet; export the mesh again");
}

/* A zero byte near the beginning is that of a header or a number. */
static int looks_ascii(const unsigned char *bytes, size_t size)
{
    mesh_build none = {.name = ""};
    mesh_text t = mesh_text_of(&none, bytes, size < 512 ? size : 512, "");
    return none.status == LG_OK && mesh_is_word(mesh_next_word(&t), "solid");
}

void mesh_read_stl(mesh_build *b, const unsigned char *bytes, size_t size)
{
    const uint64_t count = size >= HEADER ? mesh_count_at(bytes + 80) : 0;
    if (size >= HEADER && HEADER + RECORD * count == size)
        read_binary(b, bytes, (size_t)count);
    else if (looks_ascii(bytes, size))
        read_ascii(b, bytes, size);
    else if (size < HEADER)
        mesh_refuse_byte(b, size,
                         "the file ends; a binary STL has %d bytes before its triangles, and an ASCII one "
                         "begins with 'solid'",
                         HEADER);
    else
        mesh_refuse_byte(b, 80, "%llu triangles take %llu bytes, and the file has %zu; it is cut off, or no STL",
                         (unsigned long long)count, (unsigned long long)(HEADER + RECORD * count), size);
}
