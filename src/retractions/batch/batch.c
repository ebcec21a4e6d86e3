/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on arrays: factor by factor, by the loops of kernels.c where there are some, else one element at a time.
 */
#include <liegrp/retractions/batch.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/width.h"
#include "retractions/batch/kernels.h"

/* How many numbers an argument has. */
typedef enum span { NOTHING, ALGEBRA, ELEMENT, MATRIX } span;

typedef lg_status (*single_fn)(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                               const double *b);

typedef struct operation {
    lg_batch_op exp, cay; /* the loop for each retraction; the same where none is concerned */
    span out, a, b;
    single_fn single;
} operation;

/* One call, and where in its things the present factor stands. */
typedef struct call {
    const operation *op;
    const lg_batch *batch;
    const lg_batch_row *rows;
    double *out;
    const double *a, *b;
    size_t out_size, a_size, b_size; /* numbers of a whole thing */
    int n;                           /* dimension of the whole group */
    lg_status status;                /* the first failure of an element */
} call;

static const lg_sized kind = LG_SIZED_AS(lg_batch, layout, "start from lg_batch_default()");

void lg_batch_init(lg_batch *batch, size_t size, size_t count)
{
    const lg_batch own = {sizeof own, count, LG_LAYOUT_ELEMENTS, 0};
    lg_sized_give(&kind, batch, size, &own);
}

static size_t size_of(span s, const lg_group *G)
{
    const size_t n = (size_t)lg_group_dim(G);
    return s == NOTHING ? 0 : s == ALGEBRA ? n : s == ELEMENT ? (size_t)lg_group_element_size(G) : n * n;
}

/* Number `first` of the things and those behind it. */
static lg_view view_of(const call *c, const double *array, size_t size, size_t first)
{
    const int entries = c->batch->layout == LG_LAYOUT_ENTRIES;
    const lg_view v = {NULL, entries ? c->batch->count : 1, entries ? 1 : size};
    lg_view moved = v;
    moved.at = array != NULL ? (double *)(uintptr_t)array + first * v.entry : NULL;
    return moved;
}

/* Where a factor's part of an argument begins. */
static size_t offset_of(const call *c, span s, size_t at, size_t gat)
{
    return s == ALGEBRA ? at : s == ELEMENT ? gat : at * (size_t)c->n + at;
}

/* ---- one element at a time ---- */

static void gather(double *x, const lg_view *v, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++) x[i] = v->at[i * v->entry + k * v->instance];
}

static void scatter(const call *c, const double *x, const lg_view *v, int n, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++) {
        const size_t place = c->op->out == MATRIX ? i / (size_t)n * (size_t)c->n + i % (size_t)n : i;
        v->at[place * v->entry + k * v->instance] = x[i];
    }
}

static lg_status slowly(call *c, const lg_retraction *r, const lg_group *F, const lg_loop *L)
{
    const operation *op = c->op;
    const size_t out = size_of(op->out, F), a = size_of(op->a, F), b = size_of(op->b, F);
    double *x = malloc((out + a + b) * sizeof *x);
    if (x == NULL) return LG_ERROR_MEMORY;
    for (size_t k = 0; k < c->batch->count; k++) {
        lg_status status;
        gather(x + out, &L->a, a, k);
        if (b > 0) gather(x + out + a, &L->b, b, k);
        status = op->single(r, F, x, x + out, x + out + a);
        if (status != LG_OK) {
            for (size_t i = 0; i < out; i++) x[i] = NAN;
            if (c->status == LG_OK) c->status = status;
        }
        scatter(c, x, &L->out, lg_group_dim(F), out, k);
    }
    free(x);
    return c->status == LG_ERROR_MEMORY ? LG_ERROR_MEMORY : LG_OK;
}

/* ---- factors ---- */

static const lg_batch_row *row_of(const lg_batch_row *row, const lg_group *F)
{
    while (row->kind != F->kind && row->kind != LG_KIND_USER) row++;
    return row;
}

static lg_status factor(call *c, const lg_retraction *r, const lg_group *F, size_t at, size_t gat)
{
    const operation *op = c->op;
    const int plain = op->exp == op->cay,
              known = plain || r->kind == LG_RETRACTION_EXP || r->kind == LG_RETRACTION_CAYLEY;
    const lg_loop_fn loop = row_of(c->rows, F)->loop[plain || r->kind == LG_RETRACTION_EXP ? op->exp : op->cay];
    const lg_loop L = {
        .out = view_of(c, c->out, c->out_size, offset_of(c, op->out, at, gat)),
        .a = view_of(c, c->a, c->a_size, offset_of(c, op->a, at, gat)),
        .b = view_of(c, c->b, c->b_size, op->b == NOTHING ? 0 : offset_of(c, op->b, at, gat)),
        .row = op->out == MATRIX ? (size_t)c->n : size_of(op->out, F),
        .count = c->batch->count,
        .n = lg_group_dim(F),
    };
    if (loop == NULL || !known) return slowly(c, r, F, &L);
    if (loop(&L) > 0 && c->status == LG_OK) c->status = LG_ERROR_DOMAIN;
    return LG_OK;
}

/* A product's factors, products among them too. */
static lg_status factors(call *c, const lg_retraction *r, const lg_group *G, size_t at, size_t gat)
{
    if (G->kind != LG_KIND_PRODUCT) return factor(c, r, G, at, gat);
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        const lg_group *F = lg_group_factor(G, i);
        const lg_retraction *own = r != NULL && r->kind == LG_RETRACTION_PRODUCT ? r->factors[i] : r;
        const lg_status status = factors(c, own, F, at, gat);
        if (status != LG_OK) return status;
        at += (size_t)lg_group_dim(F);
        gat += (size_t)lg_group_element_size(F);
    }
    return LG_OK;
}

/* ---- calls ---- */

static const lg_batch_row *rows_of(int width)
{
    LG_IF_WIDTH_8(if (width == 8) return lg_batch_rows_8;)
    LG_IF_WIDTH_4(if (width == 4) return lg_batch_rows_4;)
    return width == 2 ? lg_batch_rows_2 : lg_batch_rows_1;
}

static lg_status batch_check(const lg_group *G, const lg_batch *batch, const double *out, const double *a)
{
    size_t most;
    if (G == NULL || out == NULL || a == NULL) return LG_ERROR_ARGUMENT;
    if (batch->count == 0) return LG_ERROR_ARGUMENT;
    if (batch->layout != LG_LAYOUT_ELEMENTS && batch->layout != LG_LAYOUT_ENTRIES) return LG_ERROR_ARGUMENT;
    most = size_of(MATRIX, G) > size_of(ELEMENT, G) ? size_of(MATRIX, G) : size_of(ELEMENT, G);
    if (batch->count > PTRDIFF_MAX / sizeof(double) / most) return LG_ERROR_ARGUMENT;
    return batch->width >= 0 && batch->width <= INT_MAX && lg_width_choose((int)batch->width) > 0 ? LG_OK
                                                                                                  : LG_ERROR_ARGUMENT;
}

static lg_status run(const operation *op, const lg_retraction *r, const lg_group *G, const lg_batch *given, double *out,
                     const double *a, const double *b)
{
    lg_batch own = {0};
    lg_status status = given != NULL ? lg_sized_take(&kind, &own, given, NULL) : LG_ERROR_ARGUMENT;
    const lg_batch *batch = &own;
    if (status == LG_OK) status = batch_check(G, batch, out, a);
    if (status != LG_OK) return status;
    call c = {
        .op = op,
        .batch = batch,
        .rows = rows_of(lg_width_choose((int)batch->width)),
        .out = out,
        .a = a,
        .b = b,
        .out_size = size_of(op->out, G),
        .a_size = size_of(op->a, G),
        .b_size = size_of(op->b, G),
        .n = lg_group_dim(G),
        .status = LG_OK,
    };
    if (op->b != NOTHING && b == NULL) return LG_ERROR_ARGUMENT;
    if (op->exp != op->cay) {
        if (r == NULL) return LG_ERROR_ARGUMENT;
        if (!lg_retraction_supports(r, G)) return LG_ERROR_UNSUPPORTED;
    }
    if (op->out == MATRIX && G->kind == LG_KIND_PRODUCT) memset(out, 0, batch->count * c.out_size * sizeof *out);
    status = factors(&c, r, G, 0, 0);
    return status != LG_OK ? status : c.status;
}

static lg_status single_tau(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)
{
    (void)b;
    return lg_retraction_tau(r, G, out, a);
}

static lg_status single_tau_inv(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                const double *b)
{
    (void)b;
    return lg_retraction_tau_inv(r, G, out, a);
}

static lg_status single_dtau(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)
{
    (void)b;
    return lg_retraction_dtau(r, G, out, a);
}

static lg_status single_dtau_inv(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                 const double *b)
{
    (void)b;
    return lg_retraction_dtau_inv(r, G, out, a);
}

static lg_status single_compose(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                const double *b)
{
    (void)r;
    return lg_group_compose(G, out, a, b);
}

static lg_status single_inverse(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                const double *b)
{
    (void)r, (void)b;
    return lg_group_inverse(G, out, a);
}

static lg_status single_Ad(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)
{
    (void)r, (void)b;
    return lg_group_Ad(G, out, a);
}

static lg_status single_coAd(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)
{
    (void)r;
    return lg_group_coAd_apply(G, out, a, b);
}

static lg_status single_Ad_apply(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                 const double *b)
{
    (void)r;
    return lg_group_Ad_apply(G, out, a, b);
}

static lg_status single_ad(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)
{
    (void)r, (void)b;
    return lg_group_ad(G, out, a);
}

static lg_status single_ad_apply(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                 const double *b)
{
    (void)r;
    return lg_group_ad_apply(G, out, a, b);
}

static lg_status single_coad_apply(const lg_retraction *r, const lg_group *G, double *out, const double *a,
                                   const double *b)
{
    (void)r;
    return lg_group_coad_apply(G, out, a, b);
}

lg_status lg_batch_tau(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *g, const double *xi)
{
    static const operation op = {LG_BATCH_EXP, LG_BATCH_CAY, ELEMENT, ALGEBRA, NOTHING, single_tau};
    return run(&op, r, G, batch, g, xi, NULL);
}

lg_status lg_batch_tau_inv(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *xi,
                           const double *g)
{
    static const operation op = {LG_BATCH_LOG, LG_BATCH_CAY_INV, ALGEBRA, ELEMENT, NOTHING, single_tau_inv};
    return run(&op, r, G, batch, xi, g, NULL);
}

lg_status lg_batch_dtau(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *M, const double *xi)
{
    static const operation op = {LG_BATCH_DEXP, LG_BATCH_DCAY, MATRIX, ALGEBRA, NOTHING, single_dtau};
    return run(&op, r, G, batch, M, xi, NULL);
}

lg_status lg_batch_dtau_inv(const lg_retraction *r, const lg_group *G, const lg_batch *batch, double *M,
                            const double *xi)
{
    static const operation op = {LG_BATCH_DEXP_INV, LG_BATCH_DCAY_INV, MATRIX, ALGEBRA, NOTHING, single_dtau_inv};
    return run(&op, r, G, batch, M, xi, NULL);
}

lg_status lg_batch_compose(const lg_group *G, const lg_batch *batch, double *c, const double *a, const double *b)
{
    static const operation op = {LG_BATCH_COMPOSE, LG_BATCH_COMPOSE, ELEMENT, ELEMENT, ELEMENT, single_compose};
    return run(&op, NULL, G, batch, c, a, b);
}

lg_status lg_batch_inverse(const lg_group *G, const lg_batch *batch, double *c, const double *a)
{
    static const operation op = {LG_BATCH_INVERSE, LG_BATCH_INVERSE, ELEMENT, ELEMENT, NOTHING, single_inverse};
    return run(&op, NULL, G, batch, c, a, NULL);
}

lg_status lg_batch_Ad(const lg_group *G, const lg_batch *batch, double *M, const double *g)
{
    static const operation op = {LG_BATCH_AD, LG_BATCH_AD, MATRIX, ELEMENT, NOTHING, single_Ad};
    return run(&op, NULL, G, batch, M, g, NULL);
}

lg_status lg_batch_coAd_apply(const lg_group *G, const lg_batch *batch, double *q, const double *g, const double *p)
{
    static const operation op = {LG_BATCH_COAD, LG_BATCH_COAD, ALGEBRA, ELEMENT, ALGEBRA, single_coAd};
    return run(&op, NULL, G, batch, q, g, p);
}

lg_status lg_batch_Ad_apply(const lg_group *G, const lg_batch *batch, double *zeta, const double *g, const double *eta)
{
    static const operation op = {LG_BATCH_AD_APPLY, LG_BATCH_AD_APPLY, ALGEBRA, ELEMENT, ALGEBRA, single_Ad_apply};
    return run(&op, NULL, G, batch, zeta, g, eta);
}

lg_status lg_batch_ad(const lg_group *G, const lg_batch *batch, double *M, const double *xi)
{
    static const operation op = {LG_BATCH_SMALL_AD, LG_BATCH_SMALL_AD, MATRIX, ALGEBRA, NOTHING, single_ad};
    return run(&op, NULL, G, batch, M, xi, NULL);
}

lg_status lg_batch_ad_apply(const lg_group *G, const lg_batch *batch, double *zeta, const double *xi, const double *eta)
{
    static const operation op = {LG_BATCH_SMALL_AD_APPLY, LG_BATCH_SMALL_AD_APPLY, ALGEBRA, ALGEBRA, ALGEBRA,
                                 single_ad_apply};
    return run(&op, NULL, G, batch, zeta, xi, eta);
}

lg_status lg_batch_coad_apply(const lg_group *G, const lg_batch *batch, double *q, const double *xi, const double *p)
{
    static const operation op = {LG_BATCH_SMALL_COAD_APPLY, LG_BATCH_SMALL_COAD_APPLY, ALGEBRA, ALGEBRA, ALGEBRA,
                                 single_coad_apply};
    return run(&op, NULL, G, batch, q, xi, p);
}
