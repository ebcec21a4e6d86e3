/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructors of the quadratic groups. A group is ONE block, [lg_group | lg_quadratic | name | arrays], so that
 * lg_group_destroy() frees it with one lg_release(). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/lapack.h"
#include "groups/member.h"
#include "groups/quadratic.h"

#define AT(A, n, i, j) (A)[(size_t)(i) * (size_t)(n) + (size_t)(j)]

enum {
    NAME_SIZE = 48,
    SIZE_LIMIT = 256,       /* dim^2 of any algebra in 256 x 256 matrices still is an int */
    SIZE_LIMIT_GENERAL = 64 /* the singular value decomposition of an n^2 x n^2 matrix */
};

/* The data of a group that its constructor collects before the block is allocated. */
typedef struct draft {
    char name[NAME_SIZE];
    int n, dim, proper;
    double *P;          /* n x n */
    double *correction; /* n^2 x n^2 or NULL */
    int *first;         /* room for n^2 + 1 */
    lg_quadratic_entry *entry;
} draft;

static void draft_free(draft *d)
{
    free(d->P);
    free(d->correction);
    free(d->first);
    free(d->entry);
}

static lg_status draft_open(draft *d, int n, size_t entries)
{
    memset(d, 0, sizeof *d);
    if (!LG_HAS_LAPACK) return LG_ERROR_UNSUPPORTED; /* logarithms, and the general algebra */
    const size_t nn = (size_t)n * (size_t)n;
    d->n = n;
    d->P = calloc(nn, sizeof *d->P);
    d->first = calloc(nn + 1, sizeof *d->first);
    d->entry = calloc(entries, sizeof *d->entry);
    return d->P != NULL && d->first != NULL && d->entry != NULL ? LG_OK : LG_ERROR_MEMORY;
}

/* Adds an entry to the basis element that is being written. */
static void add_entry(draft *d, int row, int column, double value)
{
    d->entry[d->first[d->dim + 1]++] = (lg_quadratic_entry){row, column, value};
}

/* Ends a basis element; the next one starts where it ends. */
static void end_element(draft *d)
{
    d->dim++;
    if (d->dim < d->n * d->n) d->first[d->dim + 1] = d->first[d->dim];
}

/* ---- from the draft to the group ---- */

/* P = sum_i sign[i] e_i e_image[i]^T with signs +-1? */
static int is_signed_permutation(const double *P, int n, int *image, double *sign)
{
    for (int i = 0; i < n; i++) {
        int nonzero = 0;
        for (int j = 0; j < n; j++) {
            if (AT(P, n, i, j) == 0.0) continue;
            nonzero++;
            image[i] = j;
            sign[i] = AT(P, n, i, j);
        }
        if (nonzero != 1 || fabs(sign[i]) != 1.0) return 0;
        for (int k = 0; k < i; k++)
            if (image[k] == image[i]) return 0;
    }
    return 1;
}

/* P = +-K K^T, and K^-1? */
static int is_definite(const double *P, int n, double *root, double *root_inverse)
{
    const double sign = P[0] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (AT(P, n, i, j) != AT(P, n, j, i)) return 0;
            AT(root, n, i, j) = sign * AT(P, n, i, j);
        }
    if (lg_cholesky(root, n, NULL) != LG_OK) return 0;
    lg_set_identity(root_inverse, n);
    for (int c = 0; c < n; c++) /* forward substitution, column by column */
        for (int i = c; i < n; i++) {
            double sum = AT(root_inverse, n, i, c);
            for (int k = c; k < i; k++) sum -= AT(root, n, i, k) * AT(root_inverse, n, k, c);
            AT(root_inverse, n, i, c) = sum / AT(root, n, i, i);
        }
    return 1;
}

static int is_scalar(const double *P, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (AT(P, n, i, j) != (i == j ? P[0] : 0.0)) return 0;
    return 1;
}

/* The arrays of a group, still writable. */
typedef struct layout {
    lg_group *G;
    lg_quadratic *q;
    char *name;
    double *P, *P_inverse, *sign, *weight, *root, *root_inverse, *correction;
    int *image, *first;
    lg_quadratic_entry *entry;
} layout;

static layout lay_out(lg_arena *a, const draft *d)
{
    const size_t n = (size_t)d->n, nn = n * n, dim = (size_t)d->dim;
    layout b;
    b.G = lg_take(a, sizeof *b.G);
    b.q = lg_take(a, sizeof *b.q);
    b.name = lg_take(a, NAME_SIZE);
    b.P = lg_take_doubles(a, nn);
    b.P_inverse = lg_take_doubles(a, nn);
    b.sign = lg_take_doubles(a, n);
    b.weight = lg_take_doubles(a, dim);
    b.root = lg_take_doubles(a, nn);
    b.root_inverse = lg_take_doubles(a, nn);
    b.correction = d->correction != NULL ? lg_take_doubles(a, nn * nn) : NULL;
    b.image = lg_take(a, n * sizeof *b.image);
    b.first = lg_take(a, (dim + 1) * sizeof *b.first);
    b.entry = lg_take(a, (size_t)d->first[d->dim] * sizeof *b.entry);
    return b;
}

/* P^-1: the transpose of a signed permutation, exactly; otherwise by LU. root serves as scratch. */
static lg_status invert_form(const layout *b, int n, int permutation)
{
    if (permutation) {
        lg_transpose(b->P_inverse, b->P, n);
        return LG_OK;
    }
    int *pivots = b->image;
    memcpy(b->root, b->P, (size_t)n * (size_t)n * sizeof *b->root);
    if (lg_lu_factor(b->root, pivots, n) != LG_OK) return LG_ERROR_SINGULAR;
    lg_lu_inverse(b->P_inverse, b->root, pivots, n);
    const double condition = lg_norm1(b->P, n) * lg_norm1(b->P_inverse, n);
    return condition * n * DBL_EPSILON < 1.0 ? LG_OK : LG_ERROR_SINGULAR;
}

static lg_status quadratic_create_fill(const layout *b, const draft *d)
{
    const int n = d->n;
    const size_t nn = (size_t)n * (size_t)n;
    memcpy(b->name, d->name, NAME_SIZE);
    memcpy(b->P, d->P, nn * sizeof *b->P);
    memcpy(b->first, d->first, (size_t)(d->dim + 1) * sizeof *b->first);
    memcpy(b->entry, d->entry, (size_t)d->first[d->dim] * sizeof *b->entry);
    if (b->correction != NULL) memcpy(b->correction, d->correction, nn * nn * sizeof *b->correction);
    for (int k = 0; k < d->dim; k++) {
        double sum = 0.0;
        for (int e = b->first[k]; e < b->first[k + 1]; e++) sum += b->entry[e].value * b->entry[e].value;
        b->weight[k] = 1.0 / sum;
    }
    const int permutation = is_signed_permutation(b->P, n, b->image, b->sign);
    const lg_status status = invert_form(b, n, permutation);
    if (status != LG_OK) return status;
    const int scalar = is_scalar(b->P, n), definite = !scalar && is_definite(b->P, n, b->root, b->root_inverse);
    *b->q = (lg_quadratic){
        .n = n,
        .dim = d->dim,
        .proper = d->proper,
        .form = scalar     ? LG_FORM_ORTHOGONAL
                : definite ? LG_FORM_DEFINITE
                           : LG_FORM_GENERAL,
        .P = b->P,
        .P_inverse = b->P_inverse,
        .image = permutation ? b->image : NULL,
        .sign = b->sign,
        .first = b->first,
        .entry = b->entry,
        .weight = b->weight,
        .root = definite ? b->root : NULL,
        .root_inverse = definite ? b->root_inverse : NULL,
        .correction = b->correction,
    };
    return LG_OK;
}

static const lg_group_block quadratic_create_blocks[] = {{.kind = LG_BLOCK_MATRIX}};

static void quadratic_create_release(lg_group *G)
{
    lg_release(G);
}

static lg_status quadratic_create_build(lg_group **G, const draft *d)
{
    lg_arena a = {NULL, 0};
    (void)lay_out(&a, d);
    void *block = lg_reserve(a.used);
    if (block == NULL) return LG_ERROR_MEMORY;
    a = (lg_arena){block, 0};
    const layout b = lay_out(&a, d);
    const lg_status status = quadratic_create_fill(&b, d);
    if (status != LG_OK) {
        lg_release(block);
        return status;
    }
    b.G->size = sizeof *b.G;
    b.G->name = b.name;
    b.G->kind = LG_KIND_QUADRATIC;
    b.G->dim = d->dim;
    b.G->element_size = d->n * d->n;
    b.G->matrix_size = d->n;
    b.G->work_bytes = lg_quadratic_work(d->n, d->dim) * sizeof(double);
    b.G->data = b.q;
    b.G->destroy = quadratic_create_release;
    b.G->block_count = 1;
    b.G->blocks = quadratic_create_blocks;
    lg_quadratic_bind(b.G);
    *G = b.G;
    return LG_OK;
}

/* ---- SO(n), SO(p,q) ---- */

/* P = diag(1 x p, -1 x (n - p)), basis e_i e_j^T - (P_ii/P_jj) e_j e_i^T for i > j. */
static lg_status make_orthogonal(lg_group **G, int p, int n, const char *name)
{
    draft d;
    lg_status status = draft_open(&d, n, (size_t)n * (size_t)n);
    if (status == LG_OK) {
        snprintf(d.name, sizeof d.name, "%s", name);
        d.proper = 1;
        for (int i = 0; i < n; i++) AT(d.P, n, i, i) = i < p ? 1.0 : -1.0;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < i; j++) {
                add_entry(&d, i, j, 1.0);
                add_entry(&d, j, i, (i < p) == (j < p) ? -1.0 : 1.0);
                end_element(&d);
            }
        status = quadratic_create_build(G, &d);
    }
    draft_free(&d);
    return status;
}

lg_status lg_group_create_so(lg_group **G, int n)
{
    char name[NAME_SIZE];
    if (G == NULL) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (n < 2) return LG_ERROR_ARGUMENT;
    if (n > SIZE_LIMIT) return LG_ERROR_UNSUPPORTED;
    snprintf(name, sizeof name, "SO(%d)", n);
    return make_orthogonal(G, n, n, name);
}

lg_status lg_group_create_so_pq(lg_group **G, int p, int q)
{
    char name[NAME_SIZE];
    if (G == NULL) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (p < 0 || q < 0 || (p < 2 && q < 2 && p + q < 2)) return LG_ERROR_ARGUMENT;
    if (p > SIZE_LIMIT || q > SIZE_LIMIT || p + q > SIZE_LIMIT) return LG_ERROR_UNSUPPORTED;
    snprintf(name, sizeof name, "SO(%d,%d)", p, q);
    return make_orthogonal(G, p, p + q, name);
}

/* ---- Sp(2n) ---- */

/* x = [[A, B], [C, -A^T]] with symmetric B, C. */
static void symplectic_basis(draft *d, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            add_entry(d, i, j, 1.0);
            add_entry(d, m + j, m + i, -1.0);
            end_element(d);
        }
    for (int block = 0; block < 2; block++) { /* B above the diagonal, then C below it */
        const int row = block == 0 ? 0 : m, column = m - row;
        for (int i = 0; i < m; i++)
            for (int j = i; j < m; j++) {
                add_entry(d, row + i, column + j, 1.0);
                if (j > i) add_entry(d, row + j, column + i, 1.0);
                end_element(d);
            }
    }
}

lg_status lg_group_create_sp(lg_group **G, int n)
{
    draft d;
    if (G == NULL) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (n < 1) return LG_ERROR_ARGUMENT;
    if (n > SIZE_LIMIT / 2) return LG_ERROR_UNSUPPORTED;
    lg_status status = draft_open(&d, 2 * n, 4 * (size_t)n * (size_t)n);
    if (status == LG_OK) {
        snprintf(d.name, sizeof d.name, "Sp(%d)", 2 * n);
        for (int i = 0; i < n; i++) {
            AT(d.P, 2 * n, i, n + i) = 1.0;
            AT(d.P, 2 * n, n + i, i) = -1.0;
        }
        symplectic_basis(&d, n);
        status = quadratic_create_build(G, &d);
    }
    draft_free(&d);
    return status;
}

/* ---- any P ---- */

/* The singular value decomposition of K: x -> x^T P + P x on n x n matrices, m = n^2; column-major m x m arrays. */
typedef struct algebra_svd {
    double *K, *U, *Vt, *s, *rest;
    int m, rank;
} algebra_svd;

/* K = U diag(s) Vt. The `_work` routine takes our workspace; the other routine of LAPACKE prints a message when memory
 * runs out. */
static lg_status singular_values(algebra_svd *v)
{
    double best;
    int info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', v->m, v->m, v->K, v->m, v->s, v->U, v->m, v->Vt, v->m,
                                   &best, -1);
    double *work = info == 0 ? malloc((size_t)best * sizeof *work) : NULL;
    if (work == NULL) return LG_ERROR_MEMORY;
    info = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', v->m, v->m, v->K, v->m, v->s, v->U, v->m, v->Vt, v->m, work,
                               (int)best);
    free(work);
    return info == 0 ? LG_OK : LG_ERROR_CONVERGENCE;
}

static lg_status decompose(algebra_svd *v, const double *P, int n)
{
    const size_t m = (size_t)v->m;
    memset(v->K, 0, m * m * sizeof *v->K);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                const size_t row = (size_t)i * (size_t)n + (size_t)j;
                v->K[row + m * (size_t)(k * n + i)] += AT(P, n, k, j); /* (x^T P)_ij = sum_k x_ki P_kj */
                v->K[row + m * (size_t)(k * n + j)] += AT(P, n, i, k); /* (P x)_ij = sum_k P_ik x_kj */
            }
    if (!lg_all_finite(v->K, (int)(m * m))) return LG_ERROR_ARGUMENT; /* sums overflow; LAPACK would not return */
    const lg_status status = singular_values(v);
    if (status != LG_OK) return status;
    const double noise = 8.0 * v->m * DBL_EPSILON * v->s[0];
    for (v->rank = 0; v->rank < v->m && v->s[v->rank] > noise; v->rank++) {
    }
    return LG_OK;
}

/* An orthonormal basis of the null space that does not depend on the basis from the decomposition: pivoted Gram-Schmidt
 * on the columns of the projector (in K), taking the first of the longest columns each time. */
static void null_basis(draft *d, algebra_svd *v)
{
    const int m = v->m, n = d->n, dim = m - v->rank;
    const size_t mm = (size_t)m;
    double *projector = v->K, *b = v->rest;
    memset(projector, 0, mm * mm * sizeof *projector);
    for (int k = v->rank; k < m; k++)
        for (size_t i = 0; i < mm; i++)
            for (size_t j = 0; j < mm; j++)
                projector[i * mm + j] += v->Vt[(size_t)k + i * mm] * v->Vt[(size_t)k + j * mm];
    for (int k = 0; k < dim; k++) {
        size_t pivot = 0;
        for (size_t i = 1; i < mm; i++)
            if (projector[i * mm + i] > projector[pivot * mm + pivot] + 1e-9) pivot = i;
        const double length = sqrt(projector[pivot * mm + pivot]);
        for (size_t i = 0; i < mm; i++) b[i] = projector[i * mm + pivot] / length;
        for (size_t i = 0; i < mm; i++)
            for (size_t j = 0; j < mm; j++) projector[i * mm + j] -= b[i] * b[j];
        for (int i = 0; i < m; i++)
            if (fabs(b[i]) > 4.0 * DBL_EPSILON) add_entry(d, i / n, i % n, b[i]);
        end_element(d);
    }
}

/* K^+ = V S^-1 U^T, row-major. */
static lg_status pseudo_inverse(draft *d, const algebra_svd *v)
{
    const size_t m = (size_t)v->m;
    d->correction = calloc(m * m, sizeof *d->correction);
    if (d->correction == NULL) return LG_ERROR_MEMORY;
    for (size_t k = 0; k < (size_t)v->rank; k++)
        for (size_t i = 0; i < m; i++) {
            const double scaled = v->Vt[k + i * m] / v->s[k];
            for (size_t j = 0; j < m; j++) d->correction[i * m + j] += scaled * v->U[j + k * m];
        }
    return LG_OK;
}

/* P^T = P or P^T = -P, to roundoff: then M -> M* is an involution. */
static int is_involutive(const double *P, int n)
{
    double even = 0.0, odd = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            odd = fmax(odd, fabs(AT(P, n, i, j) - AT(P, n, j, i)));
            even = fmax(even, fabs(AT(P, n, i, j) + AT(P, n, j, i)));
        }
    return fmin(even, odd) <= 8.0 * DBL_EPSILON * lg_norm_max(P, n * n);
}

static lg_status draft_algebra(draft *d)
{
    const int m = d->n * d->n;
    const size_t mm = (size_t)m * (size_t)m;
    double *block = malloc((3 * mm + 2 * (size_t)m) * sizeof *block);
    if (block == NULL) return LG_ERROR_MEMORY;
    algebra_svd v = {block, block + mm, block + 2 * mm, block + 3 * mm, block + 3 * mm + m, m, 0};
    lg_status status = decompose(&v, d->P, d->n);
    if (status == LG_OK && v.rank == m) status = LG_ERROR_DOMAIN;
    if (status == LG_OK) null_basis(d, &v);
    if (status == LG_OK && !is_involutive(d->P, d->n)) status = pseudo_inverse(d, &v);
    free(block);
    return status;
}

/* 1 if P is too close to a singular matrix; work: n^2 doubles and n pivots. */
static int is_singular(const double *P, int n, double *work)
{
    int *pivots = (int *)(void *)(work + (size_t)n * (size_t)n);
    memcpy(work, P, (size_t)n * (size_t)n * sizeof *work);
    return lg_lu_factor(work, pivots, n) != LG_OK;
}

lg_status lg_group_create_quadratic(lg_group **G, const double *P, int n)
{
    draft d;
    if (G == NULL) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (P == NULL || n < 2) return LG_ERROR_ARGUMENT;
    if (n > SIZE_LIMIT_GENERAL) return LG_ERROR_UNSUPPORTED;
    const size_t nn = (size_t)n * (size_t)n;
    if (!lg_all_finite(P, (int)nn)) return LG_ERROR_ARGUMENT;
    lg_status status = draft_open(&d, n, nn * nn);
    if (status == LG_OK) {
        snprintf(d.name, sizeof d.name, "Quadratic(%d)", n);
        memcpy(d.P, P, nn * sizeof *P);
        double *work = malloc(lg_lu_bytes(n));
        status = work == NULL ? LG_ERROR_MEMORY : is_singular(P, n, work) ? LG_ERROR_SINGULAR : draft_algebra(&d);
        free(work);
        if (status == LG_OK) status = quadratic_create_build(G, &d);
    }
    draft_free(&d);
    return status;
}
