/* SPDX-License-Identifier: BSD-3-Clause */
/* A factor keeps D_k = P L U of the diagonal, the blocks A_ik below it, and D_k^-1 A_kj beside it. */
#include "multibody/contact/solver/elimination.h"

#include <math.h>
#include <string.h>

void mb_elimination_take(mb_elimination *e, lg_arena *a, int vertices, int blocks)
{
    const size_t n = sz(vertices);
    e->room = vertices, e->blocks_room = blocks;
    e->block = lg_take(a, n * n * sizeof(int));
    e->order = lg_take(a, n * sizeof(int));
    e->first = lg_take(a, (n + 1) * sizeof(int));
    e->later = lg_take(a, (sz(blocks) / 2 + 1) * sizeof(int));
    e->degree = lg_take(a, n * sizeof(int));
    e->wait = lg_take(a, n * sizeof(int));
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
    e->count = count, e->blocks = 0;
    for (int i = 0; i < count * count; i++) e->block[i] = -1;
    memset(e->degree, 0, sz(count) * sizeof(int));
}

void mb_elimination_join(mb_elimination *e, int i, int k)
{
    if (i == k || e->block[i * e->count + k] >= 0) return;
    e->block[i * e->count + k] = e->blocks++;
    e->block[k * e->count + i] = e->blocks++;
    e->degree[i]++, e->degree[k]++;
}

/* The vertex that comes next; degrees of eliminated ones are -1. */
static int least(const mb_elimination *e)
{
    int best = -1;
    for (int i = 0; i < e->count; i++)
        if (e->degree[i] >= 0 && e->wait[i] == 0 && (best < 0 || e->degree[i] < e->degree[best])) best = i;
    return best;
}

static int is_joined(const mb_elimination *e, int i, int k)
{
    return e->block[i * e->count + k] >= 0;
}

/* Fill: a late vertex waits for its new neighbours too. */
static void fill(mb_elimination *e, int i, int k, int late)
{
    if (is_joined(e, i, k)) return;
    mb_elimination_join(e, i, k);
    if (i >= late && k < late) e->wait[i]++;
    if (k >= late && i < late) e->wait[k]++;
}

int mb_elimination_order(mb_elimination *e, int late)
{
    const int n = e->count;
    int next = 0;
    for (int i = 0; i < n; i++) {
        e->wait[i] = 0;
        for (int k = 0; k < late && i >= late; k++) e->wait[i] += is_joined(e, i, k);
    }
    for (int p = 0; p < n; p++) {
        const int k = e->order[p] = least(e);
        const int from = e->first[p] = next;
        e->degree[k] = -1;
        for (int i = 0; i < n; i++) {
            if (e->degree[i] < 0 || !is_joined(e, i, k)) continue;
            if (next < e->blocks_room / 2) e->later[next] = i;
            next++;
            e->degree[i]--;
            if (i >= late && k < late) e->wait[i]--;
        }
        if (next > e->blocks_room / 2) continue; /* goes on only to count */
        for (int s = from; s < next; s++)
            for (int t = from; t < s; t++) fill(e, e->later[s], e->later[t], late);
    }
    e->first[n] = next;
    return e->blocks <= e->blocks_room && next <= e->blocks_room / 2;
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

int mb_block_factor(double *A, int *pivot)
{
    for (int k = 0; k < 6; k++) {
        int p = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(A[6 * i + k]) > fabs(A[6 * p + k])) p = i;
        pivot[k] = p;
        if (!(fabs(A[6 * p + k]) > 0) || !isfinite(A[6 * p + k])) return 0;
        for (int j = 0; j < 6 && p != k; j++) swap(A + 6 * k + j, A + 6 * p + j);
        A[7 * k] = 1 / A[7 * k];
        for (int i = k + 1; i < 6; i++) {
            const double l = A[6 * i + k] *= A[7 * k];
            for (int j = k + 1; j < 6; j++) A[6 * i + j] -= l * A[6 * k + j];
        }
    }
    return 1;
}

void mb_block_solve(const double *A, const int *pivot, double *x, int columns, int stride)
{
    for (int c = 0; c < columns; c++) {
        double y[6];
        for (int r = 0; r < 6; r++) y[r] = x[stride * r + c];
        for (int k = 0; k < 6; k++) swap(y + k, y + pivot[k]); /* all of them first: whole rows of L were swapped */
        for (int i = 1; i < 6; i++)
            for (int k = 0; k < i; k++) y[i] -= A[6 * i + k] * y[k];
        for (int i = 5; i >= 0; i--) {
            for (int k = i + 1; k < 6; k++) y[i] -= A[6 * i + k] * y[k];
            y[i] *= A[7 * i];
        }
        for (int r = 0; r < 6; r++) x[stride * r + c] = y[r];
    }
}

/* C -= A B. */
static void multiply(double *C, const double *A, const double *B)
{
    for (int i = 0; i < 6; i++) {
        double sum[6] = {0};
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++) sum[j] += A[6 * i + k] * B[6 * k + j];
        for (int j = 0; j < 6; j++) C[6 * i + j] -= sum[j];
    }
}

int mb_blocks_factor(mb_blocks *m, const mb_elimination *e)
{
    for (int p = 0; p < e->count; p++) {
        const int k = e->order[p];
        double *D = m->diagonal + MB_BLOCK * k;
        if (!mb_block_factor(D, m->pivot + 6 * k)) return 0;
        for (int t = e->first[p]; t < e->first[p + 1]; t++) {
            double *beside = mb_block_of(m, e, k, e->later[t]);
            mb_block_solve(D, m->pivot + 6 * k, beside, 6, 6);
            for (int s = e->first[p]; s < e->first[p + 1]; s++)
                multiply(mb_block_of(m, e, e->later[s], e->later[t]), mb_block_of(m, e, e->later[s], k), beside);
        }
    }
    return 1;
}

/* y -= A x. */
static void subtract(double *y, const double *A, const double *x)
{
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) y[i] -= A[6 * i + k] * x[k];
}

void mb_blocks_solve(const mb_blocks *m, const mb_elimination *e, double *x)
{
    for (int p = 0; p < e->count; p++) {
        const int k = e->order[p];
        mb_block_solve(m->diagonal + MB_BLOCK * k, m->pivot + 6 * k, x + 6 * k, 1, 1);
        for (int s = e->first[p]; s < e->first[p + 1]; s++)
            subtract(x + 6 * e->later[s], mb_block_of(m, e, e->later[s], k), x + 6 * k);
    }
    for (int p = e->count - 1; p >= 0; p--) {
        const int k = e->order[p];
        for (int s = e->first[p]; s < e->first[p + 1]; s++)
            subtract(x + 6 * k, mb_block_of(m, e, k, e->later[s]), x + 6 * e->later[s]);
    }
}
