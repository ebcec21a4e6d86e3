/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults of a mesh: holes, triangles that face the other way or have no area, its volume and its size. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/mesh/mesh.h"

#define LARGE 20 /* metres; no part of a robot is longer */

/* An edge as its vertices, the smaller one first, and its direction in the last bit. */
static uint64_t edge_of(int from, int to)
{
    const uint64_t low = (uint64_t)(from < to ? from : to), high = (uint64_t)(from < to ? to : from);
    return low << 32 | high << 1 | (from > to);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static lg_status count_edges(lg_mesh_faults *f, const lg_mesh *m, lg_error *e)
{
    const size_t count = 3 * (size_t)m->triangles;
    uint64_t *edge = malloc((count + 1) * sizeof *edge);
    if (edge == NULL) return lg_fail(e, LG_ERROR_MEMORY, "the edges of a mesh: out of memory");
    for (size_t i = 0; i < count; i++) edge[i] = edge_of(m->triangle[i], m->triangle[i % 3 == 2 ? i - 2 : i + 1]);
    if (count > 0) qsort(edge, count, sizeof *edge, by_number);
    for (size_t i = 0, next; i < count; i = next) {
        int along = 0, against = 0;
        for (next = i; next < count && edge[next] >> 1 == edge[i] >> 1; next++) {
            along += (edge[next] & 1) == 0;
            against += (edge[next] & 1) == 1;
        }
        f->open_edges += along + against == 1;
        f->opposed_edges += along != against && along + against > 1;
        f->shared_edges += along == against && along > 1;
    }
    free(edge);
    return LG_OK;
}

/* Areas and the signed volume, with the middle of the box as apex; triangles without area. */
static void measure(lg_mesh_faults *f, const lg_mesh *m, const double *middle)
{
    for (size_t t = 0; t < (size_t)m->triangles; t++) {
        double x[3][3], n[3], n2 = 0, edge2 = 0, volume = 0;
        for (size_t k = 0; k < 9; k++)
            x[k / 3][k % 3] = m->vertex[3 * (size_t)m->triangle[3 * t + k / 3] + k % 3] - middle[k % 3];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            double d2 = 0;
            n[i] = (x[1][j] - x[0][j]) * (x[2][k] - x[0][k]) - (x[1][k] - x[0][k]) * (x[2][j] - x[0][j]);
            for (int l = 0; l < 3; l++) d2 += (x[i][l] - x[j][l]) * (x[i][l] - x[j][l]);
            edge2 = fmax(edge2, d2);
            n2 += n[i] * n[i];
            volume += x[0][i] * n[i];
        }
        f->flat += !(sqrt(n2) > 1e-12 * edge2);
        f->area += 0.5 * sqrt(n2);
        f->volume += volume / 6;
    }
}

lg_status lg_mesh_examine(lg_mesh_faults *f, const lg_mesh *m, lg_error *e)
{
    double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
    *f = (lg_mesh_faults){
        .flat = m->collapsed, .overlapping = m->overlapping, .mirrored = m->mirrored, .triangles = m->triangles};
    for (size_t k = 0; k < 3 * (size_t)m->vertices; k++) {
        least[k % 3] = k < 3 ? m->vertex[k] : fmin(least[k % 3], m->vertex[k]);
        most[k % 3] = k < 3 ? m->vertex[k] : fmax(most[k % 3], m->vertex[k]);
    }
    for (int i = 0; i < 3; i++) {
        f->extent[i] = most[i] - least[i];
        least[i] += f->extent[i] / 2;
    }
    measure(f, m, least);
    return count_edges(f, m, e);
}

int lg_mesh_is_closed(const lg_mesh_faults *f)
{
    return f->triangles > 0 && f->open_edges == 0 && f->opposed_edges == 0;
}

/* Appends words after "; ". */
static void say(char *text, size_t room, int *used, const char *words)
{
    const size_t at = (size_t)*used;
    *used += snprintf(at < room ? text + at : NULL, at < room ? room - at : 0, "%s%s", at > 0 ? "; " : "", words);
}

#define SAY(condition, ...)                                                                                            \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            snprintf(words, sizeof words, __VA_ARGS__);                                                                \
            say(text, room, &used, words);                                                                             \
        }                                                                                                              \
    } while (0)

int lg_mesh_describe(char *text, size_t room, const lg_mesh_faults *f)
{
    char words[200];
    int used = 0;
    const double longest = fmax(f->extent[0], fmax(f->extent[1], f->extent[2]));
    const int closed = lg_mesh_is_closed(f), hollow = fabs(f->volume) <= 1e-12 * f->area * sqrt(f->area);
    if (room > 0) text[0] = '\0';
    SAY(f->triangles + f->flat == 0, "it has no triangles, so its convex hull stands for it");
    SAY(f->open_edges > 0, "its surface has holes: %d edges belong to one triangle only", f->open_edges);
    SAY(f->opposed_edges > 0, "at %d edges its triangles face opposite sides", f->opposed_edges);
    SAY(closed && hollow, "it encloses no volume");
    SAY(closed && !hollow && f->volume < 0, "its triangles face inwards: its volume is %g", f->volume);
    SAY(f->flat > 0, "%d triangles have no area", f->flat);
    SAY(f->overlapping > 0, "%d faces could not be cut into triangles without overlap", f->overlapping);
    SAY(f->mirrored, "its scale mirrors it");
    SAY(longest > LARGE, "it is %.4g long; if its unit is the millimetre, scale it by 0.001", longest);
    return used;
}
