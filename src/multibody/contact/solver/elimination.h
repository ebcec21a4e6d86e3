/* SPDX-License-Identifier: BSD-3-Clause */
/* elimination.h: block LU on a graph. Vertices own 6 unknowns, edges two blocks of 6 x 6; the matrix need not be
 * symmetric. Pivoting is inside the diagonal blocks. All memory is taken beforehand, so that the graph may change in a
 * step. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_ELIMINATION_H
#define LG_MULTIBODY_CONTACT_SOLVER_ELIMINATION_H

#include "base/arena.h"

enum { MB_BLOCK = 36 }; /* numbers of a block, row-major */

/* Two numbers: a vector that every machine has. */
typedef double mb_twin __attribute__((vector_size(16), aligned(8), may_alias));

/* y += a x, 6 numbers. */
static inline void mb_add6(double *y, double a, const double *x)
{
    for (int c = 0; c < 3; c++) ((mb_twin *)y)[c] += a * ((const mb_twin *)x)[c];
}

/* The graph, and with its order the pattern of the factor. */
typedef struct mb_elimination {
    int blocks_room;    /* most off-diagonal blocks */
    int count, blocks;  /* of the present graph; blocks: those that it needs, also where they are too many */
    int vertices_room;  /* most vertices */
    int *block;         /* [i * vertices_room + k]: 1 + the number of block (i, k), 0: zero */
    int *order;         /* vertices as they are eliminated */
    int *first, *later; /* the vertex order[p] meets later[first[p]] to later[first[p + 1] - 1] */
    int *joined;        /* of blocks, in pairs: their vertices */
    int *head, *next;   /* the blocks of a vertex: head[i], next[head[i]], ..., -1; block e is beside joined[e] */
    int *degree, *wait;
    int *best; /* a tree over the vertices: which of them comes next */
    int *size; /* unknowns of each vertex: 6 unless it is set after mb_elimination_begin() */
} mb_elimination;

/* The numbers of a matrix, then of its factor. */
typedef struct mb_blocks {
    double *diagonal, *other; /* by vertex; by block */
    int *pivot;               /* 6 a vertex */
} mb_blocks;

void mb_elimination_take(mb_elimination *e, lg_arena *a, int vertices, int blocks);
void mb_blocks_take(mb_blocks *m, lg_arena *a, int vertices, int blocks);

/* Begins a graph without edges; joins two vertices. */
void mb_elimination_begin(mb_elimination *e, int count);
void mb_elimination_join(mb_elimination *e, int i, int k);
/* Orders by least degree, first vertices first; those from `late` on come after those that they were joined to before
 * `late`. 0: there is no room for the blocks of the factor: e->blocks of them are needed. */
int mb_elimination_order(mb_elimination *e, int late);

/* The matrix 0. */
void mb_blocks_clear(mb_blocks *m, const mb_elimination *e);
/* Block (i, k) of the matrix; i == k or vertices that are joined. */
static inline double *mb_block_of(const mb_blocks *m, const mb_elimination *e, int i, int k)
{
    return i == k ? m->diagonal + MB_BLOCK * i
                  : m->other + (size_t)MB_BLOCK * sz(e->block[i * e->vertices_room + k] - 1);
}

/* Factors in place. 0: a diagonal block is singular or not finite. */
int mb_blocks_factor(mb_blocks *m, const mb_elimination *e);
/* x <- the solution, 6 numbers a vertex. */
void mb_blocks_solve(const mb_blocks *m, const mb_elimination *e, double *x);

/* LU of one block of n rows in place, with partial pivoting. 0: singular or not finite. */
int mb_block_factor(double *A, int *pivot, int n);
/* x <- A^-1 x. */
void mb_block_solve(const double *A, const int *pivot, double *x, int n);

#endif
