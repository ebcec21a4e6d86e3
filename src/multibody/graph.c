/* SPDX-License-Identifier: BSD-3-Clause */
/* Vertices are blocks of rows; two are adjacent if they share a body other than the world. */
#include "multibody/graph.h"

#include <stdlib.h>
#include <string.h>

/* A growing list of integers. */
typedef struct list {
    int *at;
    int count, room;
} list;

static int list_reserve(list *l, int count)
{
    if (count <= l->room) return 1;
    int room = l->room > 0 ? l->room : 4;
    while (room < count) room *= 2;
    int *at = realloc(l->at, (size_t)room * sizeof *at);
    if (at == NULL) return 0;
    l->at = at, l->room = room;
    return 1;
}

static int list_add(list *l, int value)
{
    if (!list_reserve(l, l->count + 1)) return 0;
    l->at[l->count++] = value;
    return 1;
}

/* a <- a united with b, without `x` and `y`; both ascend, and so does the result, for which `spare` has the memory. */
static int list_unite(list *a, const list *b, int x, int y, list *spare)
{
    spare->count = 0;
    if (!list_reserve(spare, a->count + b->count)) return 0;
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        int next;
        if (j == b->count || (i < a->count && a->at[i] <= b->at[j])) {
            next = a->at[i++];
            if (j < b->count && b->at[j] == next) j++;
        } else {
            next = b->at[j++];
        }
        if (next != x && next != y) spare->at[spare->count++] = next;
    }
    const list swap = *a;
    *a = *spare, *spare = swap;
    return 1;
}

static void lists_free(list *l, int count)
{
    for (int i = 0; l != NULL && i < count; i++) free(l[i].at);
    free(l);
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The blocks at each body. */
static list *blocks_at_bodies(const mb_block *block, int count, int world)
{
    list *at = calloc((size_t)world + 1, sizeof *at);
    int well = at != NULL;
    for (int e = 0; well && e < count; e++) {
        for (int s = 0; well && s < block[e].sides; s++)
            if (block[e].body[s] < world) well = list_add(&at[block[e].body[s]], e);
    }
    if (well) return at;
    lists_free(at, world + 1);
    return NULL;
}

/* Sorts a list, each number once. */
static void ascend(list *l)
{
    int kept = 0;
    if (l->count > 0) qsort(l->at, (size_t)l->count, sizeof *l->at, compare);
    for (int i = 0; i < l->count; i++)
        if (i == 0 || l->at[i] != l->at[i - 1]) l->at[kept++] = l->at[i];
    l->count = kept;
}

/* The neighbours of each block, ascending; `name` (NULL: none) renumbers the blocks. */
static list *neighbours(const mb_block *block, int count, int world, const int *name)
{
    list *body = blocks_at_bodies(block, count, world), *near = calloc((size_t)count + 1, sizeof *near);
    int well = body != NULL && near != NULL;
    for (int x = 0; well && x < world; x++)
        for (int i = 0; well && i < body[x].count; i++)
            for (int k = 0; well && k < body[x].count; k++) {
                const int p = body[x].at[i], q = body[x].at[k];
                if (p != q) well = list_add(&near[name != NULL ? name[p] : p], name != NULL ? name[q] : q);
            }
    for (int e = 0; well && e < count; e++) ascend(&near[e]);
    lists_free(body, body != NULL ? world + 1 : 0);
    if (well) return near;
    lists_free(near, near != NULL ? count : 0);
    return NULL;
}

/* Neighbours of vertices that are joined in pairs, ascending; `name` (NULL: none) renumbers them. */
static list *joined(const int *pair, int pairs, int count, const int *name)
{
    list *near = calloc((size_t)count + 1, sizeof *near);
    int well = near != NULL;
    for (int i = 0; well && i < pairs; i++) {
        const int p = name != NULL ? name[pair[2 * i]] : pair[2 * i];
        const int q = name != NULL ? name[pair[2 * i + 1]] : pair[2 * i + 1];
        well = list_add(&near[p], q) && list_add(&near[q], p);
    }
    for (int e = 0; well && e < count; e++) ascend(&near[e]);
    if (well) return near;
    lists_free(near, near != NULL ? count : 0);
    return NULL;
}

/* ---- least degree ---- */

/* A heap of (degree, block); old entries stay and are skipped. */
typedef struct heap {
    long long *at;
    int count, room;
} heap;

static int heap_push(heap *h, int degree, int block)
{
    if (h->count == h->room) {
        const int room = h->room > 0 ? 2 * h->room : 64;
        long long *at = realloc(h->at, (size_t)room * sizeof *at);
        if (at == NULL) return 0;
        h->at = at, h->room = room;
    }
    int i = h->count++;
    const long long key = ((long long)degree << 32) | block;
    for (; i > 0 && h->at[(i - 1) / 2] > key; i = (i - 1) / 2) h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = key;
    return 1;
}

static long long heap_pop(heap *h)
{
    const long long least = h->at[0], last = h->at[--h->count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= h->count) break;
        if (child + 1 < h->count && h->at[child + 1] < h->at[child]) child++;
        if (h->at[child] >= last) break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = last;
    return least;
}

/* Eliminates block e: its neighbours become a clique. */
static int eliminate(list *near, int e, heap *h, list *spare)
{
    for (int i = 0; i < near[e].count; i++) {
        const int u = near[e].at[i];
        if (!list_unite(&near[u], &near[e], e, u, spare) || !heap_push(h, near[u].count, u)) return 0;
    }
    return 1;
}

/* A vertex from `late` on waits until all its neighbours before `late` are eliminated. */
static int order_by_degree(int *order, list *near, int count, int late)
{
    list spare = {NULL, 0, 0}, *after = calloc((size_t)late + 1, sizeof *after);
    int *wait = calloc((size_t)count + 1, sizeof *wait);
    char *done = calloc((size_t)count + 1, 1);
    heap h = {NULL, 0, 0};
    int well = near != NULL && after != NULL && wait != NULL && done != NULL, position = 0;
    for (int e = 0; well && e < count; e++) {
        well = heap_push(&h, near[e].count, e);
        for (int i = 0; well && e >= late && i < near[e].count; i++)
            if (near[e].at[i] < late) wait[e]++, well = list_add(&after[near[e].at[i]], e);
    }
    while (well && position < count) {
        const long long key = heap_pop(&h);
        const int e = (int)(key & 0xffffffff);
        if (done[e] || wait[e] > 0 || (int)(key >> 32) != near[e].count) continue;
        done[e] = 1;
        order[position++] = e;
        for (int i = 0; e < late && i < after[e].count; i++) wait[after[e].at[i]]--;
        well = eliminate(near, e, &h, &spare);
    }
    lists_free(after, after != NULL ? late : 0);
    free(wait), free(spare.at), free(done), free(h.at);
    return well;
}

int mb_order(int *order, const mb_block *block, int count, int world)
{
    list *near = neighbours(block, count, world, NULL);
    const int well = order_by_degree(order, near, count, count);
    lists_free(near, near != NULL ? count : 0);
    return well;
}

/* ---- the symbolic factor ---- */

/* below[k] <- the positions > k where column k of the factor has blocks, by the elimination tree. */
static int fill(list *below, int count)
{
    list spare = {NULL, 0, 0};
    int well = 1;
    for (int k = 0; well && k < count; k++) {
        int kept = 0; /* blocks eliminated before are above */
        for (int i = 0; i < below[k].count; i++)
            if (below[k].at[i] > k) below[k].at[kept++] = below[k].at[i];
        below[k].count = kept;
        if (kept > 0) well = list_unite(&below[below[k].at[0]], &below[k], below[k].at[0], -1, &spare);
    }
    free(spare.at);
    return well;
}

static int at_most(int value, long long *sum)
{
    *sum += value;
    return *sum < 2000000000;
}

int mb_number_at(const mb_symbolic *S, int i, int k)
{
    if (i == k) return S->diagonal[k];
    int low = S->first[k], high = S->first[k + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (S->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return S->value[low];
}

static int *take(int count)
{
    return malloc(((size_t)count + 1) * sizeof(int));
}

static int make_columns(mb_symbolic *S, const int *rows, const list *below)
{
    long long blocks = 0, targets = 0, numbers = 0;
    for (int k = 0; k < S->count; k++) {
        const int c = below[k].count;
        blocks += c, targets += (long long)c * (c + 1) / 2;
        if (!at_most(0, &blocks) || !at_most(0, &targets)) return 0;
    }
    S->first = take(S->count + 1), S->diagonal = take(S->count), S->target_at = take(S->count + 1);
    S->row = take((int)blocks), S->value = take((int)blocks), S->target = take((int)targets);
    if (!S->first || !S->diagonal || !S->target_at || !S->row || !S->value || !S->target) return 0;
    int next = 0;
    for (int k = 0; k < S->count; k++) {
        const int m = rows[S->block[k]];
        S->first[k] = next, S->diagonal[k] = (int)numbers;
        if (!at_most(m * m, &numbers)) return 0;
        for (int i = 0; i < below[k].count; i++) {
            S->row[next] = below[k].at[i], S->value[next++] = (int)numbers;
            if (!at_most(m * rows[S->block[below[k].at[i]]], &numbers)) return 0;
        }
    }
    S->first[S->count] = next;
    S->numbers = (int)numbers;
    next = 0;
    for (int k = 0; k < S->count; k++) {
        S->target_at[k] = next;
        for (int s = S->first[k]; s < S->first[k + 1]; s++)
            for (int t = S->first[k]; t <= s; t++) S->target[next++] = mb_number_at(S, S->row[s], S->row[t]);
    }
    S->target_at[S->count] = next;
    return 1;
}

/* Which part of its rows acts on body x. */
static int side_of(const mb_block *k, int x)
{
    int s = 0;
    while (k->body[s] != x) s++;
    return s;
}

/* Which blocks meet at which body: contributions to the Gram matrix. */
static int make_terms(mb_symbolic *S, const mb_block *block, const int *position, int world)
{
    list *body = blocks_at_bodies(block, S->count, world), terms = {NULL, 0, 0};
    int well = body != NULL;
    for (int x = 0; well && x < world; x++)
        for (int i = 0; well && i < body[x].count; i++)
            for (int k = 0; well && k < body[x].count; k++) {
                const int p = body[x].at[i], q = body[x].at[k];
                if (position[p] < position[q]) continue;
                well = list_reserve(&terms, terms.count + 5);
                if (!well) break;
                int *t = terms.at + terms.count;
                t[0] = mb_number_at(S, position[p], position[q]);
                t[1] = p, t[2] = side_of(&block[p], x), t[3] = q, t[4] = side_of(&block[q], x);
                terms.count += 5;
            }
    lists_free(body, body != NULL ? world + 1 : 0);
    S->term = terms.at, S->terms = terms.count / 5;
    return well;
}

/* The factor in this order of vertices with these neighbours; position[] takes the inverse of order[]. */
static int begin(mb_symbolic *S, const int *order, int count, int *position)
{
    memset(S, 0, sizeof *S);
    S->count = count;
    S->block = take(count);
    if (S->block == NULL || position == NULL) return 0;
    memcpy(S->block, order, (size_t)count * sizeof *order);
    for (int k = 0; k < count; k++) position[order[k]] = k;
    return 1;
}

int mb_symbolic_make(mb_symbolic *S, const mb_block *block, const int *order, int count, int world)
{
    int *position = take(count), *rows = take(count);
    list *below = NULL;
    int well = begin(S, order, count, position) && rows != NULL;
    for (int e = 0; well && e < count; e++) rows[e] = block[e].rows;
    if (well) below = neighbours(block, count, world, position);
    well = well && below != NULL && fill(below, count) && make_columns(S, rows, below) &&
           make_terms(S, block, position, world);
    lists_free(below, below != NULL ? count : 0);
    free(position), free(rows);
    if (!well) mb_symbolic_free(S);
    return well;
}

int mb_symbolic_join(mb_symbolic *S, int *position, const int *rows, int count, const int *pair, int pairs, int late)
{
    int *order = take(count);
    list *near = joined(pair, pairs, count, NULL), *below = NULL;
    int well = order != NULL && near != NULL && order_by_degree(order, near, count, late);
    memset(S, 0, sizeof *S);
    well = well && begin(S, order, count, position);
    if (well) below = joined(pair, pairs, count, position);
    well = well && below != NULL && fill(below, count) && make_columns(S, rows, below);
    lists_free(near, near != NULL ? count : 0), lists_free(below, below != NULL ? count : 0);
    free(order);
    if (!well) mb_symbolic_free(S);
    return well;
}

void mb_symbolic_free(mb_symbolic *S)
{
    free(S->block), free(S->first), free(S->row), free(S->value), free(S->diagonal);
    free(S->target), free(S->target_at), free(S->term);
    memset(S, 0, sizeof *S);
}
