/* SPDX-License-Identifier: BSD-3-Clause */
/* Mass properties. A tetrahedron with a vertex at 0 and a triangle (a, b, c), s = a + b + c, has
 *
 *     V = det(a, b, c)/6,   int x = V s/4,   int x x^T = V (s s^T + a a^T + b b^T + c c^T)/20,
 *
 * and the triangle itself, of area A, int x x^T = A (s s^T + a a^T + b b^T + c c^T)/12. */
#include <math.h>
#include <string.h>

#include "scene/mesh/mesh.h"

/* A sum with the rounding of its additions (A. Neumaier, 1974). */
typedef struct sum {
    double value, rest;
} sum;

static void add(sum *s, double x)
{
    const double total = s->value + x;
    s->rest += fabs(s->value) >= fabs(x) ? (s->value - total) + x : (x - total) + s->value;
    s->value = total;
}

static double total(const sum *s)
{
    return s->value + s->rest;
}

/* The corners of a triangle seen from a point, and their sum. */
typedef struct corners {
    double a[3], b[3], c[3], s[3];
} corners;

static corners seen_from(const double *apex, const lg_mesh *m, int t)
{
    const int *v = m->triangle + 3 * (size_t)t;
    corners o;
    for (size_t i = 0; i < 3; i++) {
        o.a[i] = m->vertex[3 * (size_t)v[0] + i] - apex[i];
        o.b[i] = m->vertex[3 * (size_t)v[1] + i] - apex[i];
        o.c[i] = m->vertex[3 * (size_t)v[2] + i] - apex[i];
        o.s[i] = o.a[i] + o.b[i] + o.c[i];
    }
    return o;
}

static double area_of(const corners *o)
{
    double n2 = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double n = (o->b[j] - o->a[j]) * (o->c[k] - o->a[k]) - (o->b[k] - o->a[k]) * (o->c[j] - o->a[j]);
        n2 += n * n;
    }
    return 0.5 * sqrt(n2);
}

static double volume_of(const corners *o)
{
    double det = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        det += o->a[i] * (o->b[j] * o->c[k] - o->b[k] * o->c[j]);
    }
    return det / 6;
}

static double measure_of(const corners *o, lg_mesh_kind kind)
{
    const double size = kind == LG_MESH_SHELL ? area_of(o) : volume_of(o);
    return kind == LG_MESH_LEGACY ? fabs(size) : size;
}

/* Sum of the measures, and its centre, of the tetrahedra over `apex`, or of the triangles. */
static double first_moments(double *centre, const double *apex, const lg_mesh *m, lg_mesh_kind kind)
{
    sum all = {0, 0}, moment[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int t = 0; t < m->triangles; t++) {
        const corners o = seen_from(apex, m, t);
        const double size = measure_of(&o, kind);
        add(&all, size);
        for (int i = 0; i < 3; i++) add(&moment[i], size * o.s[i]);
    }
    const double parts = kind == LG_MESH_SHELL ? 3 : 4, size = total(&all);
    for (int i = 0; i < 3; i++) centre[i] = apex[i] + (fabs(size) > 0 ? total(&moment[i]) / (parts * size) : 0);
    return size;
}

/* The sum again, and int x x^T about the centre. */
static double second_moments(double *P, const double *centre, const lg_mesh *m, lg_mesh_kind kind)
{
    sum all = {0, 0}, moment[9];
    memset(moment, 0, sizeof moment);
    for (int t = 0; t < m->triangles; t++) {
        const corners o = seen_from(centre, m, t);
        const double size = measure_of(&o, kind);
        add(&all, size);
        for (int i = 0; i < 9; i++) {
            const int j = i / 3, k = i % 3;
            add(&moment[i], size * (o.s[j] * o.s[k] + o.a[j] * o.a[k] + o.b[j] * o.b[k] + o.c[j] * o.c[k]));
        }
    }
    for (int i = 0; i < 9; i++) P[i] = total(&moment[i]) / (kind == LG_MESH_SHELL ? 12 : 20);
    return total(&all);
}

/* Are all moments int (n x)^2 positive, up to rounding? Then the principal moments obey the triangle inequality. */
static int is_of_a_body(const double *P)
{
    const double trace = P[0] + P[4] + P[8], least = -1e-9;
    double n[9], det = 0;
    if (!(trace > 0)) return 0;
    for (int i = 0; i < 9; i++) n[i] = P[i] / trace;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (n[4 * i] < least || n[4 * i] * n[4 * j] - n[3 * i + j] * n[3 * j + i] < least) return 0;
        det += n[i] * (n[3 + j] * n[6 + k] - n[3 + k] * n[6 + j]);
    }
    return det >= least;
}

/* The mean point of the surface; its area. */
static double middle_of_surface(double *middle, const lg_mesh *m)
{
    double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    for (size_t k = 0; k < 3 * (size_t)m->vertices; k++) {
        least[k % 3] = k < 3 ? m->vertex[k] : fmin(least[k % 3], m->vertex[k]);
        most[k % 3] = k < 3 ? m->vertex[k] : fmax(most[k % 3], m->vertex[k]);
    }
    for (int i = 0; i < 3; i++) least[i] = least[i] + (most[i] - least[i]) / 2;
    return first_moments(middle, least, m, LG_MESH_SHELL);
}

static lg_status refuse_volume(double volume, double area, const char *name, lg_error *e)
{
    if (volume < 0)
        return lg_fail(e, LG_ERROR_DOMAIN,
                       "%.120s: its volume is %g: the triangles face inwards; turn them over, or take the volume of "
                       "the convex hull (inertia=\"convex\")",
                       name, volume);
    return lg_fail(e, LG_ERROR_DOMAIN,
                   "%.120s: it encloses no volume (%g, with an area of %g); take the mass of its surface "
                   "(inertia=\"shell\")",
                   name, volume, area);
}

static lg_status weigh(lg_mesh_mass *mass, const lg_mesh *m, lg_mesh_kind kind, const char *name, lg_error *e)
{
    double P[9], middle[3];
    const double area = middle_of_surface(middle, m);
    if (!(area > 0)) return lg_fail(e, LG_ERROR_DOMAIN, "%.120s: the area of its surface is 0", name);
    const double measure = first_moments(mass->centre, middle, m, kind);
    const double tiny = kind == LG_MESH_SHELL ? 0 : 1e-12 * area * sqrt(area);
    if (!(fabs(measure) > tiny) || measure < 0) return refuse_volume(measure, area, name, e);
    mass->measure = second_moments(P, mass->centre, m, kind);
    if (!(mass->measure > 0 && is_of_a_body(P))) /* with holes, another apex gives another volume */
        return lg_fail(e, LG_ERROR_DOMAIN,
                       "%.120s: no body has the inertia of this surface, which has holes or intersects itself; take "
                       "its convex hull (inertia=\"convex\")",
                       name);
    for (int i = 0; i < 9; i++) mass->inertia[i] = (i % 4 == 0 ? P[0] + P[4] + P[8] : 0) - P[i];
    return LG_OK;
}

lg_status lg_mesh_weigh(lg_mesh_mass *mass, const lg_mesh *m, lg_mesh_kind kind, const char *name, lg_error *e)
{
    lg_mesh hull;
    lg_mesh_mass own = {0};
    lg_status st = LG_OK;
    if (kind != LG_MESH_CONVEX && m->triangles + m->collapsed > 0) {
        st = weigh(&own, m, kind, name, e);
    } else {
        st = lg_mesh_hull(&hull, m, name, e);
        if (st == LG_OK) st = weigh(&own, &hull, kind, name, e);
        lg_mesh_free(&hull);
    }
    if (st == LG_OK) *mass = own;
    return st;
}
