/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph of Newton's saddle-point matrix [J + K, A^T; A, 0]: vertices are bodies, then blocks of rows. Joints,
 * springs and tendons join their bodies. A block is eliminated after all its bodies, so that its pivot is never
 * singular. */
#include "multibody/saddle.h"

#include <stdlib.h>
#include <string.h>

typedef struct pairs {
    int *at;
    int count, room;
} pairs;

static int add_pair(pairs *p, int i, int k)
{
    if (p->count == p->room) {
        const int room = p->room > 0 ? 2 * p->room : 64;
        int *at = realloc(p->at, 2 * (size_t)room * sizeof *at);
        if (at == NULL) return 0;
        p->at = at, p->room = room;
    }
    p->at[2 * p->count] = i, p->at[2 * p->count + 1] = k;
    p->count++;
    return 1;
}

static int mb_links(const mb_plan *p)
{
    return p->joints + p->lines + p->pairs;
}

/* Bodies that a joint, a force between points or a tendon joins. */
static void bodies_of(const mb_plan *p, int link, int *a, int *b)
{
    const int joint = link < p->joints;
    const int line = link - p->joints, pair = line - p->lines;
    *a = joint ? p->joint[link].a : pair >= 0 ? p->pair[2 * pair] : p->line[line].a;
    *b = joint ? p->joint[link].b : pair >= 0 ? p->pair[2 * pair + 1] : p->line[line].b;
}

static int collect(const mb_plan *p, pairs *to)
{
    int well = 1;
    for (int i = 0; well && i < mb_links(p); i++) {
        int a, b;
        bodies_of(p, i, &a, &b);
        if (a != b && a < p->bodies && b < p->bodies) well = add_pair(to, a, b);
    }
    for (int e = 0; well && e < p->blocks; e++)
        for (int s = 0; well && s < p->block[e].sides; s++)
            if (p->block[e].body[s] < p->bodies) well = add_pair(to, p->block[e].body[s], p->bodies + e);
    return well;
}

/* The index of the numbers of pair (i, k); -1: the pair has no numbers. */
static int place_of(const mb_plan *p, const int *position, int i, int k)
{
    if (i == k || i >= p->bodies || k >= p->bodies) return -1;
    const int x = position[i], y = position[k];
    return mb_number_at(&p->saddle.factor, x > y ? x : y, x > y ? y : x);
}

/* Blocks' vertices follow the bodies'; the world has none. */
static void find_places(mb_plan *p, const int *position)
{
    mb_saddle *s = &p->saddle;
    for (int b = 0; b < p->bodies; b++) s->body[b] = s->factor.diagonal[position[b]];
    s->body[p->bodies] = -1;
    for (int i = 0; i < mb_links(p); i++) {
        int a, b;
        bodies_of(p, i, &a, &b);
        s->link[2 * i] = place_of(p, position, a, b);
        s->link[2 * i + 1] = a < p->bodies && b < p->bodies && position[a] > position[b];
    }
    for (int e = 0; e < p->blocks; e++)
        for (int k = 0; k < p->block[e].sides; k++) {
            const int b = p->block[e].body[k];
            s->side[MB_SIDES_MOST * e + k] =
                b >= p->bodies ? -1 : mb_number_at(&s->factor, position[p->bodies + e], position[b]);
        }
}

int mb_saddle_make(mb_plan *p)
{
    mb_saddle *s = &p->saddle;
    const size_t count = (size_t)p->bodies + (size_t)p->blocks;
    pairs of = {NULL, 0, 0};
    int *position = malloc((count + 1) * sizeof *position);
    s->rows = malloc((count + 1) * sizeof *s->rows);
    s->body = malloc(((size_t)p->bodies + 1) * sizeof *s->body);
    s->link = malloc((2 * (size_t)mb_links(p) + 1) * sizeof *s->link);
    s->side = malloc(((size_t)MB_SIDES_MOST * (size_t)p->blocks + 1) * sizeof *s->side);
    int well = position && s->rows && s->body && s->link && s->side && collect(p, &of);
    for (int b = 0; well && b < p->bodies; b++) s->rows[b] = 6;
    for (int e = 0; well && e < p->blocks; e++) s->rows[p->bodies + e] = p->block[e].rows;
    well = well && mb_symbolic_join(&s->factor, position, s->rows, (int)count, of.at, of.count, p->bodies);
    if (well) find_places(p, position);
    free(position), free(of.at);
    if (!well) mb_saddle_free(s);
    return well;
}

void mb_saddle_free(mb_saddle *s)
{
    mb_symbolic_free(&s->factor);
    free(s->rows), free(s->body), free(s->link), free(s->side);
    memset(s, 0, sizeof *s);
}
