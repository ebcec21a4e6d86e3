/* SPDX-License-Identifier: BSD-3-Clause */
/* Orthonormal rows at a node, and how the frames of two nodes are aligned (docs/theory.md section 6):
 *   C = A J^-1 A^T = L L^T,  N = L^-1 A,  beta = L^-1 b;  O = the orthogonal polar factor of N_1 (J_0^-1 + J_1^-1)
 * N_0^T. With the raw rows of `smv` N = A, beta = b, and L holds C itself. */
#include "integrators/rules/multipliers.h"

#include "base/small.h"
#include "integrators/engine/sized.h"
#include "integrators/engine/workspace.h"
#include "mechanics/gram.h"

/* Removes from row r, in some lanes, its part along the rows before it. Returns the square of the rest. */
KERNEL real frame_subtract(int m, int n, lg_node *b, int r, mask some)
{
    real *restrict N = b->frame + r * n, *restrict NJ = b->frame_raised + r * n;
    for (int c = 0; c < r; c++) {
        const real *restrict Nc = b->frame + c * n, *restrict NJc = b->frame_raised + c * n;
        const real l = sel(some, small_dot(n, N, NJc), splat(0));
        b->frame_factor[r * m + c] = b->frame_factor[r * m + c] + l;
        for (int i = 0; i < n; i++) N[i] = N[i] - l * Nc[i], NJ[i] = NJ[i] - l * NJc[i];
    }
    return small_dot(n, N, NJ);
}

/* N and N J^-1 by the Gram-Schmidt process in the metric J^-1, row by row, twice where little of a row is left
 * and round-off along the rows before it is no longer small relative to it; the diagonal of L holds reciprocals.
 * Returns 0, or 1 + the row that depends on those before it. */
KERNEL int frame_orthonormal(int m, int n, const lg_plan *P, lg_node *b)
{
    gram_rows(b->frame_raised, b->rows, b->metric_inverse, P->diagonal, m, n);
    for (int r = 0; r < m; r++) {
        real *N = b->frame + r * n, *NJ = b->frame_raised + r * n;
        for (int i = 0; i < n; i++) N[i] = b->rows[r * n + i];
        const real full = small_dot(n, N, NJ);
        for (int c = 0; c < r; c++) b->frame_factor[r * m + c] = splat(0);
        real size2 = frame_subtract(m, n, b, r, every_lane());
        const mask cancelled = size2 <= GRAM_CANCELLED * full;
        if (any(cancelled)) size2 = frame_subtract(m, n, b, r, cancelled);
        if (any(size2 <= GRAM_RANK * full)) return r + 1; /* NaN passes: it is reported as such later */
        const real s = 1.0 / root(size2);
        for (int i = 0; i < n; i++) N[i] = s * N[i], NJ[i] = s * NJ[i];
        b->frame_factor[r * m + r] = s;
    }
    return 0;
}

/* The raw rows, and C = A J^-1 A^T in L. */
static int frame_raw(const lg_workspace *w, const lg_plan *P, lg_node *b)
{
    const int m = P->m, n = P->n;
    gram_rows(b->frame_raised, b->rows, b->metric_inverse, P->diagonal, m, n);
    for (int i = 0; i < m * n; i++) b->frame[i] = b->rows[i];
    for (int r = 0; r < m; r++)
        for (int c = 0; c < m; c++) b->frame_factor[r * m + c] = small_dot(n, b->frame_raised + r * n, b->rows + c * n);
    return gram_factor(w->reflection.gram, b->frame_raised, b->rows, m, n);
}

/* beta <- L^-1 beta. */
static void frame_forward(real *beta, const real *L, int m)
{
    for (int a = 0; a < m; a++) {
        for (int c = 0; c < a; c++) beta[a] = beta[a] - L[a * m + c] * beta[c];
        beta[a] = beta[a] * L[a * m + a];
    }
}

/* N, N J^-1 and L, or the raw rows. */
static int frame_build(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int bad = P->method.raw ? frame_raw(w, P, b) : LG_SIZED(P->m, P->n, frame_orthonormal, P, b);
    return bad ? lg_workspace_fail_row(w, bad) : 0;
}

#if LANES == 1
int lg_frame_constant(lg_workspace *w)
{
    return frame_build(w, w->now);
}
#endif

int lg_frame(lg_workspace *w, lg_node *b)
{
    const lg_plan *P = w->plan;
    const int constant = w->constants.frame && b->frame == w->constants.frame;
    if (!constant && frame_build(w, b)) return 1;
    if (!P->affine) return 0;
    for (int r = 0; r < P->m; r++) b->frame_right_side[r] = b->right_side[r];
    if (!P->method.raw) frame_forward(b->frame_right_side, b->frame_factor, P->m);
    return 0;
}

KERNEL int frame_eliminate(int m, real *M, real *z)
{
    small_solve(m, M, z);
    return 0;
}

void lg_eliminate(real *M, real *z, int m)
{
    (void)(m == 1   ? frame_eliminate(1, M, z)
           : m == 2 ? frame_eliminate(2, M, z)
                    : LG_SIZED_COLUMNS(m, frame_eliminate, M, z));
}

/* ---- alignment ---- */

/* m = 2: O = (B + s cof B)/|.|, s = sign(det B). */
KERNEL void frame_polar2(real *O, const real *B)
{
    const real det = B[0] * B[3] - B[1] * B[2], s = sel(det < 0.0, splat(-1), splat(1));
    const real a = B[0] + s * B[3], b = B[1] - s * B[2];
    const real size2 = a * a + b * b;
    const real r = 1.0 / root(sel(size2 > 0.0, size2, splat(1)));
    const real c = sel(size2 > 0.0, a * r, splat(1)), d = sel(size2 > 0.0, b * r, splat(0));
    O[0] = c, O[1] = d, O[2] = -s * d, O[3] = s * c;
}

#if LANES == 1
/* X <- X^-T, by elimination with row pivots of X (m x m), Y is scratch; 0: singular. */
static int frame_inverse_transposed(real *X, real *Y, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) Y[i * m + j] = splat(i == j);
    for (int k = 0; k < m; k++) { /* X^T Y' = 1: eliminate with the columns of X as rows */
        int best = k;
        for (int i = k + 1; i < m; i++)
            if (any(magnitude(X[k * m + i]) > magnitude(X[k * m + best]))) best = i;
        for (int j = 0; j < m && best != k; j++) {
            real s = X[j * m + k], t = Y[k * m + j];
            X[j * m + k] = X[j * m + best], X[j * m + best] = s;
            Y[k * m + j] = Y[best * m + j], Y[best * m + j] = t;
        }
        if (any(X[k * m + k] == 0.0)) return 0;
        const real r = 1.0 / X[k * m + k];
        for (int i = 0; i < m; i++) {
            if (i == k) continue;
            const real f = X[k * m + i] * r;
            for (int j = 0; j < m; j++) {
                X[j * m + i] = X[j * m + i] - f * X[j * m + k];
                Y[i * m + j] = Y[i * m + j] - f * Y[k * m + j];
            }
        }
        for (int j = 0; j < m; j++) X[j * m + k] = X[j * m + k] * r, Y[k * m + j] = Y[k * m + j] * r;
    }
    for (int i = 0; i < m * m; i++) X[i] = Y[i];
    return 1;
}

/* Newton's iteration X <- (X + X^-T)/2 from B, which is orthogonal up to O(h^2). 0, or 1: no convergence. */
static int frame_polar_any(real *O, real *B, real *Y, int m)
{
    for (int it = 0; it < 60; it++) {
        real *X = B, *last = O, change = splat(0);
        for (int i = 0; i < m * m; i++) last[i] = X[i];
        if (!frame_inverse_transposed(X, Y, m)) return 1;
        for (int i = 0; i < m * m; i++) {
            X[i] = 0.5 * (X[i] + last[i]);
            change = sel(magnitude(X[i] - last[i]) > change, magnitude(X[i] - last[i]), change);
        }
        if (!any((change <= 1e-8) == 0)) { /* quadratic: the next one would be round-off */
            for (int i = 0; i < m * m; i++) O[i] = X[i];
            return 0;
        }
    }
    return 1;
}
#else
/* Pivots differ from lane to lane. */
static int frame_polar_any(real *O, real *B, real *Y, int m)
{
    (void)O, (void)B, (void)Y, (void)m;
    return 1;
}
#endif

/* m = 3: the same iteration as above with X^-T = cof X/det X. */
static int frame_polar3(real *O, real *X)
{
    mask live = every_lane();
    for (int it = 0, behind = LANES_BEHIND; it < 60; it++) {
        real C[9], change = splat(0);
        small_cross(C, X + 3, X + 6), small_cross(C + 3, X + 6, X), small_cross(C + 6, X, X + 3);
        const real r = 0.5 / small_dot(3, X, C);
        for (int i = 0; i < 9; i++) {
            const real next = 0.5 * X[i] + r * C[i], d = magnitude(next - X[i]);
            change = sel(d > change, d, change);
            X[i] = sel(live, next, X[i]);
        }
        live = both(live, other(change <= 1e-8)); /* quadratic: the next one would be round-off */
        if (any(live)) continue;
        if (behind-- > 0) {
            live = every_lane();
            continue;
        }
        for (int i = 0; i < 9; i++) O[i] = X[i];
        return 0;
    }
    return 1;
}

int lg_polar(real *O, real *B, real *Y, int m)
{
    if (m == 1) {
        O[0] = sel(B[0] < 0.0, splat(-1), splat(1));
        return 0;
    }
    if (m == 2) {
        frame_polar2(O, B);
        return 0;
    }
    for (int i = 0; i < m * m; i++) B[i] = 0.5 * B[i];
    return m == 3 ? frame_polar3(O, B) : frame_polar_any(O, B, Y, m);
}
