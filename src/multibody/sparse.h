/* SPDX-License-Identifier: BSD-3-Clause */
/* The sparse algebra of mechanisms on `real`, in which lanes have no meaning: products with the rows, their Gram matrix
 * C = A J^-1 A^T, its block Cholesky factor C = L L^T, triangular solves. */
#ifndef LG_MULTIBODY_SPARSE_H
#define LG_MULTIBODY_SPARSE_H

#include "multibody/rows/vectors.h"

/* The six numbers of a part, two at a time. At width 1 two make a vector that every machine has; at the others a number
 * is one already. The order of sums is the same at all widths. */
#if LANES == 1
typedef double mb_two __attribute__((vector_size(16), aligned(8), may_alias));
#define MB_TWO(x, c)    (((mb_two *)(x))[c])
#define MB_TWO_OF(x, c) (((const mb_two *)(x))[c])
enum { MB_CHUNKS = 3 };
#else
typedef real mb_two;
#define MB_TWO(x, c)    ((x)[c])
#define MB_TWO_OF(x, c) ((x)[c])
enum { MB_CHUNKS = 6 };
#endif

KERNEL real mb_dot6(const real *a, const real *b)
{
#if LANES == 1
    const mb_two s =
        MB_TWO_OF(a, 0) * MB_TWO_OF(b, 0) + MB_TWO_OF(a, 1) * MB_TWO_OF(b, 1) + MB_TWO_OF(a, 2) * MB_TWO_OF(b, 2);
    return s[0] + s[1];
#else
    return (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5]);
#endif
}

/* f <- 0, of all bodies and the world. */
KERNEL void mb_clear(mb_pair *f, int bodies)
{
    for (int b = 0; b <= bodies; b++)
        for (int k = 0; k < 6; k++) f[b].v[k] = splat(0);
}

/* The inverse inertia of one body, in space: 1/m and R I^-1 R^T (xx, yy, zz, xy, xz, yz). */
typedef struct mb_mobility {
    real inverse_mass;
    real turn[6];
} mb_mobility;

/* The parts of the rows of all blocks, row by row; `product` = rows times J^-1. */
typedef struct mb_rows {
    mb_pair *row, *product;
} mb_rows;

/* Specialises a kernel on the number of rows. */
#define MB_EACH(m, F)                                                                                                  \
    switch (m) {                                                                                                       \
    case 1:                                                                                                            \
        F(1);                                                                                                          \
        break;                                                                                                         \
    case 2:                                                                                                            \
        F(2);                                                                                                          \
        break;                                                                                                         \
    case 3:                                                                                                            \
        F(3);                                                                                                          \
        break;                                                                                                         \
    case 4:                                                                                                            \
        F(4);                                                                                                          \
        break;                                                                                                         \
    case 5:                                                                                                            \
        F(5);                                                                                                          \
        break;                                                                                                         \
    default:                                                                                                           \
        F(6);                                                                                                          \
        break;                                                                                                         \
    }

KERNEL void mb_mobile(real *y, const mb_mobility *M, const real *x)
{
    const real *t = M->turn;
    y[0] = t[0] * x[0] + t[3] * x[1] + t[4] * x[2];
    y[1] = t[3] * x[0] + t[1] * x[1] + t[5] * x[2];
    y[2] = t[4] * x[0] + t[5] * x[1] + t[2] * x[2];
}

/* R I^-1 R^T of a body. */
KERNEL void mb_mobility_of(mb_mobility *M, const real *R, double inverse_mass, const double *inverse_inertia)
{
    real S[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            S[3 * i + k] = R[3 * i] * inverse_inertia[k] + R[3 * i + 1] * inverse_inertia[3 + k] +
                           R[3 * i + 2] * inverse_inertia[6 + k];
    static const int of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    M->inverse_mass = splat(inverse_mass);
    for (int i = 0; i < 6; i++) M->turn[i] = mb_dot(S + 3 * of[i][0], R + 3 * of[i][1]);
}

/* J^-1 times one part of a row; nothing of the world moves. */
KERNEL void mb_part_product(mb_pair *p, const mb_pair *w, const mb_mobility *M)
{
    for (int k = 0; k < 3; k++) p->v[k] = M->inverse_mass * w->v[k];
    mb_mobile(p->v + 3, M, w->v + 3);
}

/* value += P Q^T over the parts of one body, m x n; rows of P and Q are `sp` and `sq` parts apart. */
KERNEL void mb_gram_term(real *value, int m, int n, const mb_pair *P, int sp, const mb_pair *Q, int sq)
{
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) value[i * n + k] = value[i * n + k] + mb_dot6(P[i * sp].v, Q[k * sq].v);
}

/* value += P Q^T of a block's rows with themselves: the lower triangle, which is all that the factor reads. */
KERNEL void mb_gram_square(real *value, int m, const mb_pair *P, const mb_pair *Q, int stride)
{
    for (int i = 0; i < m; i++)
        for (int k = 0; k <= i; k++) value[i * m + k] = value[i * m + k] + mb_dot6(P[i * stride].v, Q[k * stride].v);
}

/* A <- its Cholesky factor, with reciprocals on the diagonal. */
KERNEL void mb_factor_diagonal(real *A, int m)
{
    for (int k = 0; k < m; k++) {
        real s = A[k * m + k];
        for (int j = 0; j < k; j++) s = s - A[k * m + j] * A[k * m + j];
        const real r = 1.0 / root(s);
        A[k * m + k] = r;
        for (int i = k + 1; i < m; i++) {
            real t = A[i * m + k];
            for (int j = 0; j < k; j++) t = t - A[i * m + j] * A[k * m + j];
            A[i * m + k] = t * r;
        }
    }
}

/* B <- B L^-T, n x m, of a factored diagonal block. */
KERNEL void mb_solve_right(real *B, int n, const real *L, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) {
            real s = B[i * m + k];
            for (int j = 0; j < k; j++) s = s - B[i * m + j] * L[k * m + j];
            B[i * m + k] = s * L[k * m + k];
        }
}

/* C -= A B^T, n x p, over m columns. */
KERNEL void mb_update(real *C, const real *A, int n, const real *B, int p, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p; k++) {
            real s = A[i * m] * B[k * m];
            for (int j = 1; j < m; j++) s = s + A[i * m + j] * B[k * m + j];
            C[i * p + k] = C[i * p + k] - s;
        }
}

/* C -= A A^T, n x n, its lower triangle. */
KERNEL void mb_update_square(real *C, const real *A, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            real s = A[i * m] * A[k * m];
            for (int j = 1; j < m; j++) s = s + A[i * m + j] * A[k * m + j];
            C[i * n + k] = C[i * n + k] - s;
        }
}

/* y -= B x (n x m) and x -= B^T y. */
KERNEL void mb_minus(real *y, const real *B, int n, int m, const real *x)
{
    for (int i = 0; i < n; i++) y[i] = y[i] - small_dot(m, B + i * m, x);
}
KERNEL void mb_minus_transposed(real *x, const real *B, int n, int m, const real *y)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) x[k] = x[k] - B[i * m + k] * y[i];
}

/* x <- L^-1 x and L^-T x of a diagonal block. */
KERNEL void mb_forward_diagonal(real *x, const real *L, int m)
{
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < k; j++) x[k] = x[k] - L[k * m + j] * x[j];
        x[k] = x[k] * L[k * m + k];
    }
}
KERNEL void mb_backward_diagonal(real *x, const real *L, int m)
{
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++) x[k] = x[k] - L[j * m + k] * x[j];
        x[k] = x[k] * L[k * m + k];
    }
}

/* J^-1 A^T of a block. */
KERNEL void mb_products_block(const mb_block *k, mb_rows A, const mb_mobility *M)
{
    for (int i = 0; i < k->rows; i++)
        for (int s = 0; s < k->sides; s++) {
            const int p = k->part + i * k->sides + s;
            mb_part_product(&A.product[p], &A.row[p], &M[k->body[s]]);
        }
}

/* J^-1 A^T of the first `blocks` blocks. */
static inline void mb_products(const mb_plan *plan, mb_rows A, const mb_mobility *M, int blocks)
{
    for (int e = 0; e < blocks; e++) mb_products_block(&plan->block[e], A, M);
}

/* Adds a body's contribution to the Gram matrix: five numbers of mb_symbolic::term. */
KERNEL void mb_gram_of_body(const mb_plan *plan, real *L, mb_rows A, const int *t)
{
    const mb_block *p = &plan->block[t[1]], *q = &plan->block[t[3]];
    const mb_pair *P = A.product + p->part + t[2], *Q = A.row + q->part + t[4];
#define MB_TERM(m)                                                                                                     \
    if (p == q && t[2] == t[4])                                                                                        \
        mb_gram_square(L + t[0], m, P, Q, p->sides);                                                                   \
    else if (q->rows == (m))                                                                                           \
        mb_gram_term(L + t[0], m, m, P, p->sides, Q, q->sides);                                                        \
    else                                                                                                               \
        mb_gram_term(L + t[0], m, q->rows, P, p->sides, Q, q->sides)
    MB_EACH(p->rows, MB_TERM)
#undef MB_TERM
}

/* L <- C = A J^-1 A^T, the blocks that the factor has. */
static inline void mb_gram(const mb_plan *plan, const mb_symbolic *S, real *L, mb_rows A)
{
    for (int i = 0; i < S->numbers; i++) L[i] = splat(0);
    for (int i = 0; i < S->terms; i++) mb_gram_of_body(plan, L, A, S->term + 5 * i);
}

/* The pivot of column k. */
static inline void mb_factor_pivot(const mb_plan *plan, const mb_symbolic *S, real *L, int k)
{
    real *D = L + S->diagonal[k];
#define MB_DIAGONAL(m) mb_factor_diagonal(D, m)
    MB_EACH(plan->block[S->block[k]].rows, MB_DIAGONAL)
#undef MB_DIAGONAL
}

/* The blocks below the pivot of column k, and their subtraction from the columns after it. */
static inline void mb_factor_below(const mb_plan *plan, const mb_symbolic *S, real *L, int k)
{
    const int m = plan->block[S->block[k]].rows, from = S->first[k], to = S->first[k + 1];
    const int *target = S->target + S->target_at[k];
    const real *D = L + S->diagonal[k];
    for (int s = from; s < to; s++) {
        const int n = plan->block[S->block[S->row[s]]].rows;
#define MB_RIGHT(m)                                                                                                    \
    if (n == (m))                                                                                                      \
        mb_solve_right(L + S->value[s], m, D, m);                                                                      \
    else                                                                                                               \
        mb_solve_right(L + S->value[s], n, D, m)
        MB_EACH(m, MB_RIGHT)
        for (int t = from; t <= s; t++) {
            const int p = plan->block[S->block[S->row[t]]].rows;
            real *C = L + *target++;
#define MB_UPDATE(m)                                                                                                   \
    if (n == (m) && t == s)                                                                                            \
        mb_update_square(C, L + S->value[s], m, m);                                                                    \
    else if (n == (m) && p == (m))                                                                                     \
        mb_update(C, L + S->value[s], m, L + S->value[t], m, m);                                                       \
    else                                                                                                               \
        mb_update(C, L + S->value[s], n, L + S->value[t], p, m)
            MB_EACH(m, MB_UPDATE)
        }
    }
#undef MB_RIGHT
#undef MB_UPDATE
}

/* L <- the factor of C, column by column; a pivot that is not positive gives NaN. */
static inline void mb_factor(const mb_plan *plan, const mb_symbolic *S, real *L)
{
    for (int k = 0; k < S->count; k++) mb_factor_pivot(plan, S, L, k), mb_factor_below(plan, S, L, k);
}

/* The factors of two matrices, interleaved: their pivots are chains of roots and divisions, which then overlap.
 */
static inline void mb_factor_two(const mb_plan *plan, const mb_symbolic *S, real *L, real *M)
{
    for (int k = 0; k < S->count; k++) {
        mb_factor_pivot(plan, S, L, k), mb_factor_pivot(plan, S, M, k);
        mb_factor_below(plan, S, L, k), mb_factor_below(plan, S, M, k);
    }
}

/* x <- L^-1 x; x is indexed by rows as the blocks are. */
static inline void mb_forward(const mb_plan *plan, const mb_symbolic *S, const real *L, real *x)
{
    for (int k = 0; k < S->count; k++) {
        const mb_block *c = &plan->block[S->block[k]];
        real *y = x + c->at;
#define MB_SOLVE(m) mb_forward_diagonal(y, L + S->diagonal[k], m)
        MB_EACH(c->rows, MB_SOLVE)
        for (int s = S->first[k]; s < S->first[k + 1]; s++) {
            const mb_block *r = &plan->block[S->block[S->row[s]]];
#define MB_BELOW(m)                                                                                                    \
    if (r->rows == (m))                                                                                                \
        mb_minus(x + r->at, L + S->value[s], m, m, y);                                                                 \
    else                                                                                                               \
        mb_minus(x + r->at, L + S->value[s], r->rows, m, y)
            MB_EACH(c->rows, MB_BELOW)
        }
#undef MB_SOLVE
#undef MB_BELOW
    }
}

/* x <- L^-T x. */
static inline void mb_backward(const mb_plan *plan, const mb_symbolic *S, const real *L, real *x)
{
    for (int k = S->count - 1; k >= 0; k--) {
        const mb_block *c = &plan->block[S->block[k]];
        real *y = x + c->at;
        for (int s = S->first[k]; s < S->first[k + 1]; s++) {
            const mb_block *r = &plan->block[S->block[S->row[s]]];
#define MB_BELOW(m)                                                                                                    \
    if (r->rows == (m))                                                                                                \
        mb_minus_transposed(y, L + S->value[s], m, m, x + r->at);                                                      \
    else                                                                                                               \
        mb_minus_transposed(y, L + S->value[s], r->rows, m, x + r->at)
            MB_EACH(c->rows, MB_BELOW)
        }
#define MB_SOLVE(m) mb_backward_diagonal(y, L + S->diagonal[k], m)
        MB_EACH(c->rows, MB_SOLVE)
#undef MB_SOLVE
#undef MB_BELOW
    }
}

/* to += s W^T x over m rows, whose parts are `stride` apart. */
KERNEL void mb_push_side(real *to, const mb_pair *w, int stride, int m, double s, const real *x)
{
    for (int c = 0; c < MB_CHUNKS; c++) {
        mb_two sum = MB_TWO_OF(w->v, c) * x[0];
        for (int i = 1; i < m; i++) sum = sum + MB_TWO_OF(w[i * stride].v, c) * x[i];
        MB_TWO(to, c) = MB_TWO(to, c) + s * sum;
    }
}

/* f += s A^T x of a block. */
KERNEL void mb_push_block(const mb_block *k, const mb_pair *row, mb_pair *f, double s, const real *x)
{
    const real *y = x + k->at;
    if (k->rows == 0) return;
    for (int side = 0; side < k->sides; side++) {
        const mb_pair *w = row + k->part + side;
        real *to = f[k->body[side]].v;
#define MB_SIDE(m)                                                                                                     \
    if (k->sides == 2)                                                                                                 \
        mb_push_side(to, w, 2, m, s, y);                                                                               \
    else                                                                                                               \
        mb_push_side(to, w, k->sides, m, s, y)
        MB_EACH(k->rows, MB_SIDE)
#undef MB_SIDE
    }
}

/* f += s A^T x of the first `blocks` blocks. */
static inline void mb_push(const mb_plan *plan, const mb_pair *row, mb_pair *f, double s, const real *x, int blocks)
{
    for (int e = 0; e < blocks; e++) mb_push_block(&plan->block[e], row, f, s, x);
}

/* y = A v of a block, angular velocities in space; the world's is 0. */
KERNEL void mb_pull_block(const mb_block *k, const mb_pair *row, real *y, const mb_pair *v)
{
    const mb_pair *w = row + k->part;
    for (int i = 0; i < k->rows; i++) {
        real s = mb_dot6(w->v, v[k->body[0]].v);
        w++;
        for (int side = 1; side < k->sides; side++, w++) s = s + mb_dot6(w->v, v[k->body[side]].v);
        y[k->at + i] = s;
    }
}

/* The power of a drive's rows with multipliers x whose leader moves as it does in `moves`, of the world and the
 * leaders: what follows goes with -(row on the leader) (velocity of the leader). */
KERNEL real mb_drive_power(const mb_plan *plan, const mb_block *k, const mb_pair *row, const real *x,
                           const mb_pair *moves)
{
    const int side = k->sides - 1; /* the leader's */
    real power = splat(0);
    for (int i = 0; i < k->rows; i++)
        power =
            power - x[k->at + i] * mb_dot6(row[k->part + i * k->sides + side].v, moves[k->body[side] - plan->bodies].v);
    return power;
}

/* y = A v of the first `blocks` blocks. */
static inline void mb_pull(const mb_plan *plan, const mb_pair *row, real *y, const mb_pair *v, int blocks)
{
    for (int e = 0; e < blocks; e++) mb_pull_block(&plan->block[e], row, y, v);
}

#endif
