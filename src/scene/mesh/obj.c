/* SPDX-License-Identifier: BSD-3-Clause */
/* OBJ: vertices `v`, faces `f`, and where objects begin, `o` and `g`. The vertices are read first, since a face may
 * come before its vertices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/mesh/build.h"

typedef struct object_file {
    mesh_text t;
    int *vertex, vertices, vertex_room; /* where each vertex is after merging */
    int *corner, corner_room;           /* of the face at hand */
    int before;                         /* vertices above the line at hand: negative numbers count back from there */
    int ended;                          /* the first object that has faces has ended */
} object_file;

static void read_vertex(object_file *o)
{
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = mesh_coordinate(&o->t, mesh_word_of_line(&o->t));
    int *more = mesh_room(o->t.build, o->vertex, &o->vertex_room, o->vertices, sizeof *more);
    if (more == NULL) return;
    o->vertex = more;
    o->vertex[o->vertices++] = mesh_add_vertex(o->t.build, x);
}

/* "7", "7/1", "7/1/3", "7//3" and "-1": the number of the vertex from 0; -1 after a refusal. */
static int corner_of(object_file *o, mesh_word w)
{
    const int back = w.at[0] == '-';
    size_t i = (size_t)back;
    long long number = 0;
    for (; i < w.length && w.at[i] >= '0' && w.at[i] <= '9' && number < 1LL << 40; i++)
        number = 10 * number + (w.at[i] - '0');
    const size_t digits = i - (size_t)back;
    if (i < w.length && w.at[i] == '/')
        while (i < w.length && strchr("0123456789/-", w.at[i]) != NULL && w.at[i] != '\0') i++;
    const long long at = back ? o->before - number : number - 1;
    if (digits > 0 && i == w.length && number > 0 && at >= 0 && at < o->vertices) return (int)at;
    if (digits == 0 || i != w.length)
        mesh_refuse_line(&o->t, "'%.*s' is no corner of a face; write v, v/vt, v/vt/vn or v//vn", MESH_WORD(w));
    else
        mesh_refuse_line(&o->t,
                         "the face has corner '%.*s', and the file has %d vertices, %d of them above; numbers "
                         "begin with 1, and -1 is the last vertex above",
                         MESH_WORD(w), o->vertices, o->before);
    return -1;
}

static const double *point(const object_file *o, int i)
{
    return o->t.build->mesh.vertex + 3 * (size_t)o->corner[i];
}

static void across(double *n, const double *a, const double *b, const double *c)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
}

static double distance2(const double *a, const double *b)
{
    double d = 0;
    for (int i = 0; i < 3; i++) d += (a[i] - b[i]) * (a[i] - b[i]);
    return d;
}

/* A fan from the first corner. Of a face with four corners, whose shape is not unique if they are not in a plane, the
 * shorter diagonal is an edge; MuJoCo takes the second one if they are equal, and so does this. */
static void cut(object_file *o, int corners)
{
    mesh_build *b = o->t.build;
    double sum[3] = {0, 0, 0}, n[3];
    int turns = 0;
    if (corners == 4 && !(distance2(point(o, 0), point(o, 2)) < distance2(point(o, 1), point(o, 3)))) {
        mesh_add_triangle(b, o->corner[0], o->corner[1], o->corner[3]);
        mesh_add_triangle(b, o->corner[1], o->corner[2], o->corner[3]);
        return;
    }
    for (int i = 1; i + 1 < corners; i++) {
        mesh_add_triangle(b, o->corner[0], o->corner[i], o->corner[i + 1]);
        across(n, point(o, 0), point(o, i), point(o, i + 1));
        for (int k = 0; k < 3; k++) sum[k] += n[k];
    }
    for (int i = 1; i + 1 < corners; i++) {
        across(n, point(o, 0), point(o, i), point(o, i + 1));
        const double along = n[0] * sum[0] + n[1] * sum[1] + n[2] * sum[2];
        turns |= along < -1e-9 * (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    }
    b->mesh.concave += turns;
}

static void read_face(object_file *o)
{
    mesh_build *b = o->t.build;
    int corners = 0;
    for (mesh_word w; (w = mesh_word_of_line(&o->t)).length > 0 && *w.at != '#';) {
        const int at = corner_of(o, w);
        int *more = at >= 0 ? mesh_room(b, o->corner, &o->corner_room, corners, sizeof *more) : NULL;
        if (more == NULL) return;
        o->corner = more;
        o->corner[corners++] = o->vertex[at];
    }
    if (corners < 3)
        mesh_refuse_line(&o->t, "the face has %d corners; it needs at least three", corners);
    else
        cut(o, corners);
    if (!o->ended) b->mesh.first = b->mesh.triangles;
}

/* The lines of one pass: vertices or faces. */
static void read_lines(object_file *o, int faces)
{
    static const char *const surfaces[] = {"surf", "curv", "curv2", "cstype", "bzp", "bsp"};
    const mesh_build *b = o->t.build;
    while (o->t.at < o->t.end && b->status == LG_OK) {
        const mesh_word w = mesh_word_of_line(&o->t);
        if (mesh_is_word(w, "v")) {
            o->before++;
            if (!faces) read_vertex(o);
        }
        if (faces && mesh_is_word(w, "f")) read_face(o);
        if (mesh_is_word(w, "o") || mesh_is_word(w, "g")) o->ended |= b->mesh.triangles > 0;
        for (int i = 0; i < 6 && !faces; i++) {
            if (mesh_is_word(w, surfaces[i]))
                mesh_refuse_line(&o->t, "'%s' is a free-form curve or surface; export triangles", surfaces[i]);
        }
        mesh_skip_line(&o->t);
    }
}

void mesh_read_obj(mesh_build *b, const unsigned char *bytes, size_t size)
{
    object_file o = {0};
    for (int faces = 0; faces < 2 && b->status == LG_OK; faces++) {
        o.t = mesh_text_of(b, bytes, size, "OBJ"), o.before = 0;
        read_lines(&o, faces);
    }
    free(o.vertex), free(o.corner);
}
