/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree of boxes about triangles: each box is cut in halves of as many triangles across its longest side. */
#include <math.h>
#include <string.h>

#include "multibody/contact/shapes/terrain.h"

static double middle(const mb_terrain *g, int t, int axis)
{
    return g->vertex[g->corner[t][0]][axis] + g->vertex[g->corner[t][1]][axis] + g->vertex[g->corner[t][2]][axis];
}

static int is_before(const mb_terrain *g, int a, int b, int axis)
{
    const double x = middle(g, a, axis), y = middle(g, b, axis);
    return x < y || (x == y && a < b);
}

/* Orders o[0] to o[count - 1] so that those before number `at` are before it along the axis. */
static void halve(const mb_terrain *g, int *o, int count, int at, int axis)
{
    int lo = 0, hi = count - 1;
    while (lo < hi) {
        const int pivot = o[(lo + hi) / 2];
        int i = lo, j = hi;
        while (i <= j) {
            while (is_before(g, o[i], pivot, axis)) i++;
            while (is_before(g, pivot, o[j], axis)) j--;
            if (i > j) break;
            const int swap = o[i];
            o[i++] = o[j], o[j--] = swap;
        }
        if (at <= j)
            hi = j;
        else if (at >= i)
            lo = i;
        else
            return;
    }
}

static void bound(const mb_terrain *g, mb_terrain_box *b)
{
    for (int k = 0; k < 3; k++) b->low[k] = INFINITY, b->high[k] = -INFINITY;
    for (int i = b->first; i < b->first + b->count; i++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                const double x = g->vertex[g->corner[g->order[i]][c]][k];
                b->low[k] = fmin(b->low[k], x), b->high[k] = fmax(b->high[k], x);
            }
}

static void plant(mb_terrain *g, int first, int count)
{
    const int at = g->boxes++;
    mb_terrain_box *b = &g->box[at];
    int axis = 0;
    b->first = first, b->count = count, b->other = -1;
    bound(g, b);
    if (count <= MB_TERRAIN_LEAF) return;
    for (int k = 1; k < 3; k++)
        if (b->high[k] - b->low[k] > b->high[axis] - b->low[axis]) axis = k;
    halve(g, g->order + first, count, count / 2, axis);
    plant(g, first, count / 2);
    b->other = g->boxes;
    plant(g, first + count / 2, count - count / 2);
}

void mb_terrain_plant(mb_terrain *g)
{
    for (int t = 0; t < g->triangles; t++) g->order[t] = t;
    g->boxes = 0;
    plant(g, 0, g->triangles);
}

static int overlaps(const mb_terrain_walk *w, const double *low, const double *high)
{
    for (int k = 0; k < 3; k++)
        if (low[k] > w->high[k] || high[k] < w->low[k]) return 0;
    return 1;
}

mb_terrain_walk mb_terrain_within(const mb_terrain *g, const double *low, const double *high)
{
    mb_terrain_walk w = {.terrain = g, .top = 1};
    memcpy(w.low, low, sizeof w.low), memcpy(w.high, high, sizeof w.high);
    return w;
}

int mb_terrain_next(mb_terrain_walk *w)
{
    const mb_terrain *g = w->terrain;
    for (;;) {
        while (w->at < w->end) {
            const int t = g->order[w->at++];
            double low[3], high[3];
            for (int k = 0; k < 3; k++) {
                const double a = g->vertex[g->corner[t][0]][k], b = g->vertex[g->corner[t][1]][k],
                             c = g->vertex[g->corner[t][2]][k];
                low[k] = fmin(a, fmin(b, c)), high[k] = fmax(a, fmax(b, c));
            }
            if (overlaps(w, low, high)) return t;
        }
        if (w->top == 0) return -1;
        const int i = w->stack[--w->top];
        const mb_terrain_box *b = &g->box[i];
        if (!overlaps(w, b->low, b->high)) continue;
        if (b->other < 0)
            w->at = b->first, w->end = b->first + b->count;
        else
            w->stack[w->top++] = b->other, w->stack[w->top++] = i + 1;
    }
}
