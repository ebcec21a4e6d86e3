/* SPDX-License-Identifier: BSD-3-Clause */
/* A factor keeps D_k = P L U of the diagonal, the blocks A_ik below it, and D_k^-1 A_kj beside it. */
#include "multibody/contact/solver/elimination.h"

#include <math.h>
#include <string.h>

void mb_elimination_take(mb_elimination *e, lg_arena *a, int vertices, int blocks)
{
    const size_t n = sz(vertices);
    e->blocks_room = blocks, e->vertices_room = vertices, e->count = e->blocks = 0;
    e->block = lg_take(a, n * n * sizeof(int));
    if (e->block != NULL) memset(e->block, 0, n * n * sizeof *e->block);
    e->joined = lg_take(a, (sz(blocks) + 2) * sizeof(int));
    e->order = lg_take(a, n * sizeof(int));
    e->first = lg_take(a, (n + 1) * sizeof(int));
    e->later = lg_take(a, (sz(blocks) / 2 + 1) * sizeof(int));
    e->head = lg_take(a, n * sizeof(int));
    e->next = lg_take(a, (sz(blocks) + 2) * sizeof(int));
    e->best = lg_take(a, (2 * n + 2) * sizeof(int));
    e->degree = lg_take(a, n * sizeof(int));
    e->wait = lg_take(a, n * sizeof(int));
    e->size = lg_take(a, n * sizeof(int));
}

void mb_blocks_take(mb_blocks *m, lg_arena *a, int vertices, int blocks)
{
    m->diagonal = lg_take_doubles(a, MB_BLOCK * sz(vertices));
    m->other = lg_take_doubles(a, MB_BLOCK * sz(blocks));
    m->pivot = lg_take(a, 6 * sz(vertices) * sizeof(int));
}

/* ---- the graph ---- */

void mb_elimination_begin(mb_elimination *e, int count)
{
    const int n = e->vertices_room, known = e->blocks <= e->blocks_room;
    for (int i = 0; i < e->blocks && known; i += 2)
        e->block[e->joined[i] * n + e->joined[i + 1]] = e->block[e->joined[i + 1] * n + e->joined[i]] = 0;
    if (!known) memset(e->block, 0, sz(n) * sz(n) * sizeof *e->block);
    e->count = count, e->blocks = 0;
    for (int i = 0; i < count; i++) e->degree[i] = 0, e->size[i] = 6, e->head[i] = -1;
}

/* A block is one of vertex i; its neighbour in the list of pairs is that of the other vertex. */
static void note(mb_elimination *e, int block, int i)
{
    e->joined[block] = i, e->next[block] = e->head[i], e->head[i] = block;
}

void mb_elimination_join(mb_elimination *e, int i, int k)
{
    const int n = e->vertices_room;
    if (i == k || e->block[i * n + k] > 0) return;
    if (e->blocks < e->blocks_room) note(e, e->blocks, i), note(e, e->blocks + 1, k);
    e->block[i * n + k] = ++e->blocks;
    e->block[k * n + i] = ++e->blocks;
    e->degree[i]++, e->degree[k]++;
}

/* The one of two vertices that is eliminated first; degrees of eliminated ones are -1. */
static int sooner(const mb_elimination *e, int i, int k)
{
    const int may_i = e->degree[i] >= 0 && e->wait[i] == 0, may_k = e->degree[k] >= 0 && e->wait[k] == 0;
    if (may_i != may_k) return may_i ? i : k;
    return e->degree[i] < e->degree[k] || (e->degree[i] == e->degree[k] && i < k) ? i : k;
}

/* The degree of a vertex has changed. */
static void rank(mb_elimination *e, int i)
{
    for (int k = (e->count + i) / 2; k > 0; k /= 2) e->best[k] = sooner(e, e->best[2 * k], e->best[2 * k + 1]);
}

static void rank_all(mb_elimination *e, int late)
{
    const int n = e->count;
    for (int i = 0; i < n; i++) {
        e->wait[i] = 0, e->best[n + i] = i;
        for (int b = e->head[i]; b >= 0 && i >= late; b = e->next[b]) e->wait[i] += e->joined[b ^ 1] < late;
    }
    for (int k = n - 1; k > 0; k--) e->best[k] = sooner(e, e->best[2 * k], e->best[2 * k + 1]);
}

/* The vertices that k meets become later[from] to later[next - 1], ascending; returns `next`. */
static int meets(mb_elimination *e, int k, int from)
{
    int next = from;
    for (int b = e->head[k]; b >= 0; b = e->next[b]) {
        const int i = e->joined[b ^ 1];
        if (e->degree[i] < 0) continue;
        int at = next++;
        for (; at > from && e->later[at - 1] > i; at--) e->later[at] = e->later[at - 1];
        e->later[at] = i;
    }
    return next;
}

int mb_elimination_order(mb_elimination *e, int late)
{
    const int n = e->count, edges = e->blocks; /* blocks from here on are fill, for which nothing waits */
    int next = 0;
    if (edges > e->blocks_room) return 0;
    rank_all(e, late);
    for (int p = 0; p < n; p++) {
        const int k = e->order[p] = e->best[1], from = e->first[p] = next;
        e->degree[k] = -1;
        next = meets(e, k, from);
        for (int s = from; s < next; s++) {
            const int i = e->later[s];
            e->degree[i]--;
            if (i >= late && k < late && e->block[i * e->vertices_room + k] <= edges) e->wait[i]--;
            for (int t = from; t < s; t++) mb_elimination_join(e, i, e->later[t]);
        }
        if (e->blocks > e->blocks_room) return 0;
        for (int s = from; s < next; s++) rank(e, e->later[s]);
        rank(e, k);
    }
    e->first[n] = next;
    return 1;
}

/* ---- blocks ---- */

void mb_blocks_clear(mb_blocks *m, const mb_elimination *e)
{
    memset(m->diagonal, 0, MB_BLOCK * sz(e->count) * sizeof(double));
    memset(m->other, 0, MB_BLOCK * sz(e->blocks) * sizeof(double));
}

static void swap(double *x, double *y)
{
    const double keep = *x;
    *x = *y, *y = keep;
}

static void swap6(double *x, double *y)
{
    for (int k = 0; k < 6; k++) swap(x + k, y + k);
}

int mb_block_factor(double *A, int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[6 * i + k]) > fabs(A[6 * p + k])) p = i;
        pivot[k] = p;
        if (!(fabs(A[6 * p + k]) > 0) || !isfinite(A[6 * p + k])) return 0;
        if (p != k) swap6(A + 6 * k, A + 6 * p);
        A[7 * k] = 1 / A[7 * k];
        for (int i = k + 1; i < n; i++) {
            const double l = A[6 * i + k] *= A[7 * k];
            for (int j = k + 1; j < n; j++) A[6 * i + j] -= l * A[6 * k + j];
        }
    }
    return 1;
}

/* All rows are swapped first: the factor swapped whole rows of L. */
void mb_block_solve(const double *A, const int *pivot, double *x, int n)
{
    for (int k = 0; k < n; k++) swap(x + k, x + pivot[k]);
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= A[6 * i + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= A[6 * i + k] * x[k];
        x[i] *= A[7 * i];
    }
}

/* X <- A^-1 X, n rows of 6. */
static void solve_rows(const double *A, const int *pivot, double *X, int n)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k) swap6(X + 6 * k, X + 6 * pivot[k]);
    for (int i = 1; i < n; i++)
        for (int k = 0; k < i; k++) mb_add6(X + 6 * i, -A[6 * i + k], X + 6 * k);
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) mb_add6(X + 6 * i, -A[6 * i + k], X + 6 * k);
        for (int c = 0; c < 3; c++) ((mb_twin *)(X + 6 * i))[c] *= A[7 * i];
    }
}

/* C -= A B: n rows, m between. */
static void multiply(double *C, const double *A, const double *B, int n, int m)
{
    for (int i = 0; i < n; i++) {
        mb_twin sum[3] = {{0, 0}, {0, 0}, {0, 0}};
        for (int k = 0; k < m; k++)
            for (int c = 0; c < 3; c++) sum[c] += A[6 * i + k] * ((const mb_twin *)(B + 6 * k))[c];
        for (int c = 0; c < 3; c++) ((mb_twin *)(C + 6 * i))[c] -= sum[c];
    }
}

int mb_blocks_factor(mb_blocks *m, const mb_elimination *e)
{
    for (int p = 0; p < e->count; p++) {
        const int k = e->order[p], n = e->size[k];
        double *D = m->diagonal + MB_BLOCK * k;
        if (!mb_block_factor(D, m->pivot + 6 * k, n)) return 0;
        for (int t = e->first[p]; t < e->first[p + 1]; t++) {
            double *beside = mb_block_of(m, e, k, e->later[t]);
            solve_rows(D, m->pivot + 6 * k, beside, n);
            for (int s = e->first[p]; s < e->first[p + 1]; s++) {
                const int i = e->later[s];
                multiply(mb_block_of(m, e, i, e->later[t]), mb_block_of(m, e, i, k), beside, e->size[i], n);
            }
        }
    }
    return 1;
}

/* y -= A x: n rows of 6. */
static void subtract(double *y, const double *A, const double *x, int n)
{
    const mb_twin *v = (const mb_twin *)x;
    for (int i = 0; i < n; i++) {
        const mb_twin *row = (const mb_twin *)(A + 6 * i), sum = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        y[i] -= sum[0] + sum[1];
    }
}

void mb_blocks_solve(const mb_blocks *m, const mb_elimination *e, double *x)
{
    for (int p = 0; p < e->count; p++) {
        const int k = e->order[p];
        mb_block_solve(m->diagonal + MB_BLOCK * k, m->pivot + 6 * k, x + 6 * k, e->size[k]);
        for (int s = e->first[p]; s < e->first[p + 1]; s++)
            subtract(x + 6 * e->later[s], mb_block_of(m, e, e->later[s], k), x + 6 * k, e->size[e->later[s]]);
    }
    for (int p = e->count - 1; p >= 0; p--) {
        const int k = e->order[p];
        for (int s = e->first[p]; s < e->first[p + 1]; s++)
            subtract(x + 6 * k, mb_block_of(m, e, k, e->later[s]), x + 6 * e->later[s], e->size[k]);
    }
}
