/* SPDX-License-Identifier: BSD-3-Clause */
/* A terrain from triangles: their neighbours, patches and sharp edges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "multibody/contact/shapes/terrain.h"

/* Corners so near to a plane, relative to the terrain's size, are on it. */
#define MB_EVEN 1e-12

static const char *const no_vertex = "names a vertex that is not there";
static const char *const thin = "has no area";
static const char *const crowded = "has a side that three triangles share: give each side one or two";
static const char *const turned = "has the other winding than its neighbour: let all be counterclockwise from outside";

static double *take(char **at, size_t count)
{
    double *taken = (double *)(void *)*at;
    *at += count * sizeof(double);
    return taken;
}

static int *take_ints(char **at, size_t count)
{
    int *taken = (int *)(void *)*at;
    *at += count * sizeof(int);
    return taken;
}

static mb_terrain *block(int vertices, int triangles)
{
    const size_t v = (size_t)vertices, t = (size_t)triangles;
    const size_t doubles = 3 * v + 4 * t, ints = 3 * t + 3 * t + t + (v + 1) + 3 * t + t;
    mb_terrain *g =
        malloc(sizeof *g + 2 * t * sizeof(mb_terrain_box) + doubles * sizeof(double) + ints * sizeof(int) + t);
    if (g == NULL) return NULL;
    *g = (mb_terrain){.vertices = vertices, .triangles = triangles};
    char *at = (char *)(g + 1);
    g->box = (mb_terrain_box *)(void *)at, at += 2 * t * sizeof *g->box;
    g->vertex = (double(*)[3])(void *)take(&at, 3 * v), g->normal = (double(*)[3])(void *)take(&at, 3 * t);
    g->height = take(&at, t);
    g->corner = (int(*)[3])(void *)take_ints(&at, 3 * t), g->beyond = (int(*)[3])(void *)take_ints(&at, 3 * t);
    g->patch = take_ints(&at, t), g->first = take_ints(&at, v + 1), g->star = take_ints(&at, 3 * t);
    g->order = take_ints(&at, t), g->sharp = (unsigned char *)at;
    return g;
}

/* The plane of a triangle. 0: it has no area. */
static int plane_of(mb_terrain *g, int t)
{
    double e[2][3], longest = 0;
    const double *a = g->vertex[g->corner[t][0]];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) e[i][k] = g->vertex[g->corner[t][i + 1]][k] - a[k];
    for (int i = 0; i < 2; i++) longest = fmax(longest, mb_dot3(e[i], e[i]));
    double *n = g->normal[t];
    mb_cross3(n, e[0], e[1]);
    const double length = sqrt(mb_dot3(n, n));
    for (int k = 0; k < 3; k++) n[k] /= length;
    g->height[t] = mb_dot3(n, a);
    return length > 1e-9 * longest;
}

/* The triangles about each vertex. */
static void gather(mb_terrain *g)
{
    memset(g->first, 0, ((size_t)g->vertices + 1) * sizeof *g->first);
    for (int t = 0; t < g->triangles; t++)
        for (int i = 0; i < 3; i++) g->first[g->corner[t][i] + 1]++;
    for (int v = 0; v < g->vertices; v++) g->first[v + 1] += g->first[v];
    for (int t = g->triangles - 1; t >= 0; t--) /* each fills from behind, and is where it began then */
        for (int i = 0; i < 3; i++) g->star[--g->first[g->corner[t][i] + 1]] = t;
    for (int v = 0; v < g->vertices; v++) g->first[v] = g->first[v + 1];
    g->first[g->vertices] = 3 * g->triangles;
}

/* The triangle with the side from vertex a to b. -1: none; -2: there are several. */
static int with_side(const mb_terrain *g, int a, int b)
{
    int found = -1;
    for (int k = g->first[a]; k < g->first[a + 1]; k++)
        for (int i = 0; i < 3; i++)
            if (g->corner[g->star[k]][i] == a && g->corner[g->star[k]][(i + 1) % 3] == b)
                found = found == -1 ? g->star[k] : -2;
    return found;
}

static const char *join(mb_terrain *g, int t)
{
    for (int i = 0; i < 3; i++) {
        const int a = g->corner[t][i], b = g->corner[t][(i + 1) % 3];
        const int back = with_side(g, b, a);
        if (with_side(g, a, b) == -2) return back == -1 ? turned : crowded;
        if (back == -2) return crowded;
        g->beyond[t][i] = back;
    }
    return NULL;
}

/* 1: a triangle is in the plane of another. */
static int is_even(const mb_terrain *g, int t, int with, double near)
{
    int on = mb_dot3(g->normal[t], g->normal[with]) > 0;
    for (int i = 0; i < 3; i++)
        on &= fabs(mb_dot3(g->normal[with], g->vertex[g->corner[t][i]]) - g->height[with]) <= near;
    return on;
}

/* Patches grow from their least triangles; g->order is a queue until there are boxes. */
static void grow(mb_terrain *g, double near)
{
    for (int t = 0; t < g->triangles; t++) g->patch[t] = -1;
    for (int least = 0; least < g->triangles; least++) {
        int count = 0;
        if (g->patch[least] >= 0) continue;
        g->patch[least] = least, g->order[count++] = least;
        for (int i = 0; i < count; i++)
            for (int s = 0; s < 3; s++) {
                const int t = g->beyond[g->order[i]][s];
                if (t < 0 || g->patch[t] >= 0 || !is_even(g, t, least, near)) continue;
                g->patch[t] = least, g->order[count++] = t;
            }
    }
    for (int t = 0; t < g->triangles; t++)
        memcpy(g->normal[t], g->normal[g->patch[t]], sizeof g->normal[t]), g->height[t] = g->height[g->patch[t]];
}

/* 1: side i of t is convex, or a border. */
static int is_sharp(const mb_terrain *g, int t, int i)
{
    const int b = g->beyond[t][i], v = g->corner[t][i];
    double d[3], height = 0;
    if (b < 0) return 1;
    if (g->patch[b] == g->patch[t]) return 0;
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) d[k] = g->vertex[g->corner[b][c]][k] - g->vertex[v][k];
        const double own = mb_dot3(g->normal[t], d);
        if (fabs(own) > fabs(height)) height = own;
    }
    return height < 0;
}

static void sharpen(mb_terrain *g)
{
    for (int t = 0; t < g->triangles; t++) {
        g->sharp[t] = 0;
        for (int i = 0; i < 3; i++)
            if ((g->beyond[t][i] < 0 || g->beyond[t][i] > t) && is_sharp(g, t, i))
                g->sharp[t] = (unsigned char)(g->sharp[t] | 1 << i);
    }
    for (int t = 0; t < g->triangles; t++)
        for (int i = 0; i < 3; i++)
            for (int end = 0; end < 2 && (g->sharp[t] >> i & 1); end++) {
                const int v = g->corner[t][(i + end) % 3], owner = g->star[g->first[v]];
                for (int c = 0; c < 3; c++)
                    if (g->corner[owner][c] == v) g->sharp[owner] = (unsigned char)(g->sharp[owner] | 8 << c);
            }
}

/* Vertices and corners are set. */
static const char *finish(mb_terrain *g, int *where)
{
    double far = 0, sum = 0;
    const char *why = NULL;
    for (int t = 0; t < g->triangles; t++)
        if (!plane_of(g, t)) return *where = t, thin;
    gather(g);
    for (int t = 0; t < g->triangles && why == NULL; t++) why = join(g, t), *where = t;
    if (why != NULL) return why;
    for (int v = 0; v < g->vertices; v++) far = fmax(far, mb_dot3(g->vertex[v], g->vertex[v]));
    grow(g, MB_EVEN * sqrt(far));
    sharpen(g);
    mb_terrain_plant(g);
    for (int t = 0; t < g->triangles; t++)
        for (int i = 0; i < 3; i++) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = g->vertex[g->corner[t][i]][k] - g->vertex[g->corner[t][(i + 1) % 3]][k];
            sum += sqrt(mb_dot3(d, d));
        }
    g->size = sum / (3 * g->triangles);
    return NULL;
}

mb_terrain *mb_terrain_make(const double *vertex, int vertices, const int *triangle, int triangles, const char **why,
                            int *where)
{
    *why = NULL, *where = 0;
    for (int t = 0; t < triangles; t++)
        for (int i = 0; i < 3; i++)
            if (triangle[3 * t + i] < 0 || triangle[3 * t + i] >= vertices) return *why = no_vertex, *where = t, NULL;
    mb_terrain *g = block(vertices, triangles);
    if (g == NULL) return NULL;
    memcpy(g->vertex, vertex, 3 * (size_t)vertices * sizeof *vertex);
    memcpy(g->corner, triangle, 3 * (size_t)triangles * sizeof *triangle);
    *why = finish(g, where);
    if (*why == NULL) return g;
    free(g);
    return NULL;
}

mb_terrain *mb_terrain_of_heights(const double *height, int rows, int columns, const double *half, const char **why)
{
    int where, t = 0;
    mb_terrain *g = block(rows * columns, 2 * (rows - 1) * (columns - 1));
    *why = NULL;
    if (g == NULL) return NULL;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            double *x = g->vertex[r * columns + c];
            x[0] = half[0] * (2.0 * c / (columns - 1) - 1), x[1] = half[1] * (2.0 * r / (rows - 1) - 1);
            x[2] = height[r * columns + c];
        }
    for (int r = 0; r + 1 < rows; r++)
        for (int c = 0; c + 1 < columns; c++) {
            const int a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
            memcpy(g->corner[t++], (const int[]){a, b, e}, sizeof *g->corner);
            memcpy(g->corner[t++], (const int[]){a, e, d}, sizeof *g->corner);
        }
    *why = finish(g, &where);
    if (*why == NULL) return g;
    free(g);
    return NULL;
}
