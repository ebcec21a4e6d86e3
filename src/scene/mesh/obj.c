/* SPDX-License-Identifier: BSD-3-Clause */
/* OBJ: vertices `v`, faces `f`, and where objects begin, `o` and `g`. The vertices are read first, since a face may
 * come before its vertices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/mesh/build.h"

#define LOOKS 1000000000LL /* the most looks at corners of concave faces */

typedef struct object_file {
    mesh_text t;
    int *vertex, vertices, vertex_room; /* where each vertex is after merging */
    int *corner, corner_room;           /* of the face at hand */
    long long looks;                    /* at corners, to cut concave faces */
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

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Is the corner the tip of a triangle that can be cut off: it turns as the face does, and no corner is in it? */
static int is_ear(object_file *o, const double *normal, int corners, int tip)
{
    const double *x[3] = {point(o, (tip + corners - 1) % corners), point(o, tip), point(o, (tip + 1) % corners)};
    double n[3];
    across(n, x[0], x[1], x[2]);
    if (!(dot(n, normal) > 0)) return 0;
    for (int i = 0; i < corners; i++) {
        const double *p = point(o, i);
        int within = p != x[0] && p != x[1] && p != x[2];
        for (int k = 0; k < 3 && within; k++) {
            across(n, x[k], x[(k + 1) % 3], p);
            within = dot(n, normal) >= 0;
        }
        o->looks++;
        if (within) return 0;
    }
    return 1;
}

/* Cuts ears off a concave face until none is left; returns the number of corners that are left. */
static int clip(object_file *o, const double *normal, int corners)
{
    for (int tip = 0, tried = 0; corners > 3 && tried < corners && o->looks < LOOKS;) {
        if (tip >= corners) tip = 0;
        if (!is_ear(o, normal, corners, tip)) {
            tip++, tried++;
            continue;
        }
        int *at = o->corner;
        mesh_add_triangle(o->t.build, at[(tip + corners - 1) % corners], at[tip], at[(tip + 1) % corners]);
        corners--;
        memmove(at + tip, at + tip + 1, (size_t)(corners - tip) * sizeof *at);
        tried = 0;
    }
    return corners;
}

/* Twice the area of the face, along its normal. */
static void sum_fan(const object_file *o, double *normal, int corners)
{
    double n[3];
    normal[0] = normal[1] = normal[2] = 0;
    for (int i = 1; i + 1 < corners; i++) {
        across(n, point(o, 0), point(o, i), point(o, i + 1));
        for (int k = 0; k < 3; k++) normal[k] += n[k];
    }
}

/* 1: a triangle of the fan from the first corner turns against the face. */
static int fan_overlaps(const object_file *o, const double *normal, int corners)
{
    double n[3];
    int against = 0;
    for (int i = 1; i + 1 < corners; i++) {
        across(n, point(o, 0), point(o, i), point(o, i + 1));
        against |= dot(n, normal) <= 0 && dot(n, n) > 1e-18 * dot(normal, normal);
    }
    return against;
}

/* Begins a face of four corners with the next one. */
static void turn(object_file *o)
{
    const int first = o->corner[0];
    memmove(o->corner, o->corner + 1, 3 * sizeof first);
    o->corner[3] = first;
}

/* A fan from the first corner, of a concave face after its ears. A face with four corners that are not in a plane has
 * no shape of its own: its shorter diagonal is an edge, of equal ones the second, as in MuJoCo. */
static void cut(object_file *o, int corners)
{
    mesh_build *b = o->t.build;
    double normal[3];
    if (corners == 4 && !(distance2(point(o, 0), point(o, 2)) < distance2(point(o, 1), point(o, 3)))) turn(o);
    sum_fan(o, normal, corners);
    if (fan_overlaps(o, normal, corners)) {
        if (corners == 4) turn(o);
        if (corners > 4) corners = clip(o, normal, corners);
        b->mesh.overlapping += fan_overlaps(o, normal, corners);
    }
    for (int i = 1; i + 1 < corners; i++) mesh_add_triangle(b, o->corner[0], o->corner[i], o->corner[i + 1]);
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
