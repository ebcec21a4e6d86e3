/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mesh_file_add(mesh_file *f, const void *bytes, size_t size)
{
    if (f->size + size > f->room) {
        f->room = 2 * (f->size + size);
        f->bytes = realloc(f->bytes, f->room);
        assert_non_null(f->bytes);
    }
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

void mesh_file_print(mesh_file *f, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    assert_in_range(length, 0, sizeof text - 1);
    mesh_file_add(f, text, (size_t)length);
}

const char *mesh_style_name(mesh_style style)
{
    static const char *const names[MESH_STYLES] = {"it.stl", "it.STL", "it.obj", "it.Obj", "it.msh"};
    return names[style];
}

lg_mesh_format mesh_style_format(mesh_style style)
{
    return style <= STL_ASCII ? LG_MESH_STL : style == MSH ? LG_MESH_MSH : LG_MESH_OBJ;
}

static void add_count(mesh_file *f, int count)
{
    const uint32_t n = (uint32_t)count;
    for (int i = 0; i < 4; i++) {
        const unsigned char byte = (unsigned char)(n >> 8 * i);
        mesh_file_add(f, &byte, 1);
    }
}

static void add_point(mesh_file *f, const double *x)
{
    for (int i = 0; i < 3; i++) {
        const float own = (float)x[i];
        int bits;
        memcpy(&bits, &own, sizeof bits);
        add_count(f, bits);
    }
}

static const double *corner(const lg_mesh *m, int t, int i)
{
    return m->vertex + 3 * (size_t)m->triangle[3 * (size_t)t + (size_t)i];
}

static void write_stl(mesh_file *f, const lg_mesh *m, int ascii)
{
    static const double none[3] = {0, 0, 0};
    char header[80] = "solid by a program that begins binary files with this word";
    if (ascii) {
        mesh_file_print(f, "solid first of them\n");
    } else {
        mesh_file_add(f, header, sizeof header);
        add_count(f, m->triangles);
    }
    for (int t = 0; t < m->triangles; t++) {
        if (ascii) {
            mesh_file_print(f, " facet normal nan 0 0\n  outer loop\n");
            for (int i = 0; i < 3; i++)
                mesh_file_print(f, "   vertex %.17g %.17g\t%.17g\r\n", corner(m, t, i)[0], corner(m, t, i)[1],
                                corner(m, t, i)[2]);
            mesh_file_print(f, "  endloop\n endfacet\n");
            if (t == 1) mesh_file_print(f, "endsolid first of them\n\nSOLID\n");
        } else {
            add_point(f, none);
            for (int i = 0; i < 3; i++) add_point(f, corner(m, t, i));
            mesh_file_add(f, "\0", 2);
        }
    }
    if (ascii) mesh_file_print(f, "endsolid\n");
}

static void write_obj(mesh_file *f, const lg_mesh *m, int back)
{
    if (back) mesh_file_print(f, "\xef\xbb\xbf# with a slash at the end \\\nmtllib no.mtl\n");
    for (int v = 0; v < m->vertices && !back; v++) {
        const double *x = m->vertex + 3 * (size_t)v;
        mesh_file_print(f, "v %.17g %.17g %.17g 0.5 0.5 0.5\nvn 1 0 0\n", x[0], x[1], x[2]);
    }
    for (int t = 0; t < m->triangles; t++) {
        const int *v = m->triangle + 3 * (size_t)t;
        if (back) {
            for (int i = 0; i < 3; i++)
                mesh_file_print(f, "v %.17g \\\r\n %.17g %.17g\n", corner(m, t, i)[0], corner(m, t, i)[1],
                                corner(m, t, i)[2]);
            mesh_file_print(f, "vt 0 0\nf -3/-1 %d//1 -1/1/1 # and so on\n", 3 * t + 2);
        } else {
            mesh_file_print(f, "f %d/1/1 %d %d\n", v[0] + 1, v[1] + 1, v[2] + 1);
        }
    }
}

static void write_msh(mesh_file *f, const lg_mesh *m)
{
    static const double none[3] = {0, 0, 0};
    add_count(f, m->vertices), add_count(f, m->vertices), add_count(f, 0), add_count(f, m->triangles);
    for (int v = 0; v < m->vertices; v++) add_point(f, m->vertex + 3 * (size_t)v);
    for (int v = 0; v < m->vertices; v++) add_point(f, none);
    for (int i = 0; i < 3 * m->triangles; i++) add_count(f, m->triangle[i]);
}

mesh_file mesh_file_of(const lg_mesh *m, mesh_style style)
{
    mesh_file f = {0};
    if (style == STL_BINARY || style == STL_ASCII)
        write_stl(&f, m, style == STL_ASCII);
    else if (style == MSH)
        write_msh(&f, m);
    else
        write_obj(&f, m, style == OBJ_BACK);
    return f;
}

/* Shapes ---------------------------------------------------------------------------------------------------------- */

lg_mesh mesh_of(const double *points, int vertices, const int *triangles, int count)
{
    lg_mesh m = {.vertices = vertices, .triangles = count, .first = count};
    m.vertex = malloc(3 * (size_t)vertices * sizeof *m.vertex);
    m.triangle = malloc((3 * (size_t)count + 1) * sizeof *m.triangle);
    assert_true(m.vertex != NULL && m.triangle != NULL);
    memcpy(m.vertex, points, 3 * (size_t)vertices * sizeof *m.vertex);
    if (count > 0) memcpy(m.triangle, triangles, 3 * (size_t)count * sizeof *m.triangle);
    return m;
}

static lg_mesh hull_of(const double *points, int vertices)
{
    lg_mesh hull, m = mesh_of(points, vertices, NULL, 0);
    lg_error e;
    suite_ok("hull", lg_mesh_hull(&hull, &m, "points", &e));
    lg_mesh_free(&m);
    return hull;
}

lg_mesh mesh_cube(void)
{
    static const int triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                      2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    double x[24];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) x[3 * i + k] = (i >> k & 1) - 0.5;
    return mesh_of(x, 8, triangles, 12);
}

lg_mesh mesh_tetrahedron(void)
{
    static const double x[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    static const int triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    return mesh_of(x, 4, triangles, 4);
}

lg_mesh mesh_octahedron(void)
{
    static const double x[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    return hull_of(x, 6);
}

lg_mesh mesh_icosahedron(void)
{
    const double golden = (1 + sqrt(5)) / 2;
    double x[36];
    for (int i = 0; i < 12; i++) {
        const double own[3] = {0, i & 1 ? 1 : -1, i & 2 ? golden : -golden};
        for (int k = 0; k < 3; k++) x[3 * i + (k + i / 4) % 3] = own[k];
    }
    return hull_of(x, 12);
}

lg_mesh mesh_sphere(int n)
{
    const int around = 2 * n, vertices = (n - 1) * around + 2;
    double *x = malloc(3 * (size_t)vertices * sizeof *x);
    int *t = malloc(6 * (size_t)(n * around) * sizeof *t), count = 0;
    assert_true(x != NULL && t != NULL);
    for (int v = 0; v < vertices; v++) {
        const double theta = v == 0 ? 0 : v == vertices - 1 ? SUITE_PI : SUITE_PI * (1 + (v - 1) / around) / n;
        const double phi = SUITE_PI * ((v + around - 1) % around) / n;
        x[3 * v] = sin(theta) * cos(phi), x[3 * v + 1] = sin(theta) * sin(phi), x[3 * v + 2] = cos(theta);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < around; k++) {
            const int next = (k + 1) % around, up = 1 + (i - 1) * around, down = up + around;
            const int corners[6] = {i > 0 ? up + k : 0, down + k, down + next, down + next, up + next, up + k};
            if (i < n - 1) memcpy(t + 3 * (size_t)count++, corners, 3 * sizeof *t);
            if (i == 0) continue;
            memcpy(t + 3 * (size_t)count++, corners + 3, 3 * sizeof *t);
            if (i == n - 1) t[3 * count - 3] = vertices - 1;
        }
    }
    const lg_mesh m = mesh_of(x, vertices, t, count);
    free(x), free(t);
    return m;
}

lg_mesh mesh_moved(const lg_mesh *m, const double *R, const double *r)
{
    lg_mesh to = mesh_of(m->vertex, m->vertices, m->triangle, m->triangles);
    for (int v = 0; v < m->vertices; v++) {
        const double *x = m->vertex + 3 * (size_t)v;
        for (int i = 0; i < 3; i++)
            to.vertex[3 * (size_t)v + (size_t)i] =
                r[i] + (R == NULL ? x[i] : R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2]);
    }
    return to;
}
