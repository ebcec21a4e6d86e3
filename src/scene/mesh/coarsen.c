/* SPDX-License-Identifier: BSD-3-Clause */
/* Coarser meshes, by clusters of vertices in the cells of a grid (J. Rossignac, P. Borrel, 1993). */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/mesh/mesh.h"

enum {
    CELLS = 1 << 16, /* the finest grid: so many cells along the longest side */
    ROUNDS = 24      /* of which a third halve the range */
};

typedef struct keyed {
    uint64_t key;
    int vertex;
} keyed;

typedef struct corners {
    int at[3];
} corners;

typedef struct grid {
    const lg_mesh *m;
    double least[3], side; /* of the box; its longest side */
    keyed *sorted;
    int *cluster; /* of each vertex */
    int clusters;
    corners *triangle; /* those that are left, each once, with the smallest corner first */
    int triangles;
} grid;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int by_corners(const void *a, const void *b)
{
    const corners *x = a, *y = b;
    int order = 0;
    for (int i = 0; i < 3 && order == 0; i++) order = (x->at[i] > y->at[i]) - (x->at[i] < y->at[i]);
    return order;
}

static void cluster(grid *g, int cells)
{
    const size_t vertices = (size_t)g->m->vertices;
    for (size_t v = 0; v < vertices; v++) {
        uint64_t key = 0;
        for (size_t i = 0; i < 3; i++) {
            const double at = (g->m->vertex[3 * v + i] - g->least[i]) / g->side * cells;
            key = key << 20 | (uint64_t)fmin(at, cells - 1);
        }
        g->sorted[v] = (keyed){key, (int)v};
    }
    qsort(g->sorted, vertices, sizeof *g->sorted, by_key);
    g->clusters = 0;
    for (size_t v = 0; v < vertices; v++) {
        if (v == 0 || g->sorted[v].key != g->sorted[v - 1].key) g->clusters++;
        g->cluster[g->sorted[v].vertex] = g->clusters - 1;
    }
}

static void keep_triangles(grid *g)
{
    int all = 0;
    for (size_t t = 0; t < (size_t)g->m->triangles; t++) {
        int c[3], first = 0;
        for (size_t i = 0; i < 3; i++) c[i] = g->cluster[g->m->triangle[3 * t + i]];
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        for (int i = 1; i < 3; i++) first = c[i] < c[first] ? i : first;
        g->triangle[all++] = (corners){{c[first], c[(first + 1) % 3], c[(first + 2) % 3]}};
    }
    if (all > 0) qsort(g->triangle, (size_t)all, sizeof *g->triangle, by_corners);
    g->triangles = 0;
    for (int t = 0; t < all; t++) {
        const int repeated = g->triangles > 0 && by_corners(&g->triangle[t], &g->triangle[g->triangles - 1]) == 0;
        if (!repeated) g->triangle[g->triangles++] = g->triangle[t];
    }
}

/* A grid with few enough triangles, and not with far fewer. Their number grows about with the square of that of cells:
 * the next guess, or else bisection. */
static void choose_grid(grid *g, int most)
{
    int fits = 2, fails = CELLS + 1, cells = 0; /* 2: eight clusters have at most 112 triangles */
    double guess = sqrt(most / 6.0);
    for (int round = 0; fails - fits > 1 && round < ROUNDS; round++) {
        const int middle = fits + (fails - fits) / 2;
        cells = round % 3 < 2 && guess > fits && guess < fails ? (int)fmax(guess, fits + 1) : middle;
        cluster(g, cells), keep_triangles(g);
        if (g->triangles <= most)
            fits = cells;
        else
            fails = cells;
        if (fits == cells && g->triangles >= 0.9 * most) break;
        guess = cells * sqrt(0.95 * most / (g->triangles + 1));
    }
    if (cells != fits) cluster(g, fits), keep_triangles(g);
}

/* Means of clusters, and how far vertices have moved. */
static void place_vertices(lg_mesh *to, double *moved, const grid *g)
{
    const size_t vertices = (size_t)g->m->vertices;
    size_t next;
    for (size_t v = 0; v < vertices; v = next) {
        const size_t c = (size_t)g->cluster[g->sorted[v].vertex];
        for (next = v; next < vertices && g->sorted[next].key == g->sorted[v].key; next++) continue;
        for (size_t i = 0; i < 3; i++) {
            double mean = 0;
            for (size_t k = v; k < next; k++)
                mean += g->m->vertex[3 * (size_t)g->sorted[k].vertex + i] / (double)(next - v);
            to->vertex[3 * c + i] = mean;
        }
    }
    for (size_t v = 0; v < vertices; v++) {
        double d2 = 0;
        for (size_t i = 0; i < 3; i++) {
            const double d = g->m->vertex[3 * v + i] - to->vertex[3 * (size_t)g->cluster[v] + i];
            d2 += d * d;
        }
        *moved = fmax(*moved, sqrt(d2));
    }
}

static void find_box(grid *g)
{
    for (size_t i = 0; i < 3; i++) {
        double most = g->least[i] = g->m->vertex[i];
        for (size_t v = 1; v < (size_t)g->m->vertices; v++) {
            g->least[i] = fmin(g->least[i], g->m->vertex[3 * v + i]);
            most = fmax(most, g->m->vertex[3 * v + i]);
        }
        g->side = fmax(g->side, most - g->least[i]);
    }
}

static int make_room(lg_mesh *to, int vertices, int triangles)
{
    to->vertex = malloc((3 * (size_t)vertices + 1) * sizeof *to->vertex);
    to->triangle = malloc((3 * (size_t)triangles + 1) * sizeof *to->triangle);
    to->vertices = vertices, to->triangles = to->first = triangles;
    if (to->vertex == NULL || to->triangle == NULL) lg_mesh_free(to);
    return to->vertex != NULL;
}

static int copy(lg_mesh *to, const lg_mesh *m)
{
    if (!make_room(to, m->vertices, m->triangles)) return 0;
    memcpy(to->vertex, m->vertex, 3 * (size_t)m->vertices * sizeof *m->vertex);
    if (m->triangles > 0) memcpy(to->triangle, m->triangle, 3 * (size_t)m->triangles * sizeof *m->triangle);
    return 1;
}

static int coarsen(lg_mesh *to, double *moved, grid *g, int most)
{
    find_box(g);
    choose_grid(g, most);
    if (!make_room(to, g->clusters, g->triangles)) return 0;
    place_vertices(to, moved, g);
    for (size_t t = 0; t < (size_t)g->triangles; t++)
        memcpy(to->triangle + 3 * t, g->triangle[t].at, sizeof g->triangle[t].at);
    return 1;
}

lg_status lg_mesh_coarsen(lg_mesh *to, double *moved, const lg_mesh *m, int most, lg_error *e)
{
    grid g = {.m = m};
    int done = 0;
    *to = (lg_mesh){0};
    *moved = 0;
    if (most < LG_MESH_FEWEST)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_mesh_coarsen: at most %d triangles; the bound must be at least %d",
                       most, (int)LG_MESH_FEWEST);
    if (m->triangles <= most) {
        done = copy(to, m);
    } else {
        g.sorted = malloc((size_t)m->vertices * sizeof *g.sorted);
        g.cluster = malloc((size_t)m->vertices * sizeof *g.cluster);
        g.triangle = malloc((size_t)m->triangles * sizeof *g.triangle);
        done = g.sorted != NULL && g.cluster != NULL && g.triangle != NULL && coarsen(to, moved, &g, most);
        free(g.sorted), free(g.cluster), free(g.triangle);
    }
    return done ? LG_OK : lg_fail(e, LG_ERROR_MEMORY, "lg_mesh_coarsen: out of memory");
}
