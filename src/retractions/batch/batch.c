/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations on arrays run factor by factor, by the loops of kernels.c if they exist, else one element at a
 * time. */
#include "retractions/batch/batch.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/width.h"

/* Elements at a time of an operation with intermediate results, the dimension up to which these are kept, and elements
 * of a product at a time. */
enum { CHUNK = 32, LARGEST = 32, PIECE = 256 };

/* One whole argument: number i of item k is at view.at[i * entry + k * instance]. */
typedef struct argument {
    lg_view view;
    lg_batch_span span;
} argument;

/* One call. */
typedef struct call {
    const lg_batch_operation *op;
    const lg_batch_row *rows;
    const lg_retraction *r;
    argument arguments[4]; /* TO, BESIDE, FIRST, SECOND */
    size_t count;
    int n, m;         /* dimension and rows of the matrix of the whole group */
    lg_status status; /* the first failure of an element */
} call;

/* The current factor, and its offsets within elements, algebra and matrices of the whole group. */
typedef struct part {
    const lg_group *F;
    const lg_retraction *r;
    size_t at, gat, mat;
} part;

static const lg_sized kind = LG_SIZED_AS(lg_batch, layout, "start from lg_batch_default()");

void lg_batch_init(lg_batch *batch, size_t size, size_t count)
{
    const lg_batch own = {sizeof own, count, LG_LAYOUT_ELEMENTS, 0};
    lg_sized_give(&kind, batch, size, &own);
}

static size_t size_of(lg_batch_span s, const lg_group *G)
{
    const size_t n = (size_t)lg_group_dim(G), m = (size_t)lg_group_matrix_size(G);
    const size_t sizes[] = {0, n, (size_t)lg_group_element_size(G), n * n, m * m, 2 * n * n};
    return sizes[s];
}

/* The rows of a matrix of the whole group, or of a factor; 0: no matrix. */
static size_t side_of(lg_batch_span s, int n, int m)
{
    return s == MATRIX ? (size_t)n : s == REPRESENTATION ? (size_t)m : 0;
}

static lg_view view_of(const lg_batch *batch, const double *array, size_t size)
{
    const int entries = batch->layout == LG_LAYOUT_ENTRIES;
    const lg_view v = {(double *)(uintptr_t)array, entries ? batch->count : 1, entries ? 1 : size};
    return v;
}

/* The factor's part of an argument. */
static lg_view part_of(const call *c, int place, const part *p)
{
    const argument *whole = &c->arguments[place];
    const size_t begins[] = {0, p->at, p->gat, p->at * (size_t)c->n + p->at, p->mat * (size_t)c->m + p->mat};
    lg_view v = whole->view;
    if (v.at != NULL) v.at += begins[whole->span] * v.entry;
    return v;
}

/* ---- one element at a time ---- */

/* The index, within the whole argument, of number i of a factor's part. */
static size_t place_of(const call *c, int which, const lg_group *F, size_t i)
{
    const lg_batch_span s = c->arguments[which].span;
    const size_t whole = side_of(s, c->n, c->m), side = side_of(s, F->dim, F->matrix_size);
    return side > 0 ? i / side * whole + i % side : i;
}

static void gather(const call *c, double *x, int which, const part *p, size_t count, size_t k)
{
    const lg_view v = part_of(c, which, p);
    for (size_t i = 0; i < count; i++) x[i] = v.at[place_of(c, which, p->F, i) * v.entry + k * v.instance];
}

static void scatter(const call *c, const double *x, int which, const part *p, size_t count, size_t k)
{
    const lg_view v = part_of(c, which, p);
    for (size_t i = 0; i < count; i++) v.at[place_of(c, which, p->F, i) * v.entry + k * v.instance] = x[i];
}

static lg_status single(const lg_batch_single *s, const part *p, double *out, const double *a, const double *b)
{
    if (s->group_pair != NULL) return s->group_pair(p->F, out, out + size_of(MATRIX, p->F), a, b);
    if (s->group_1 != NULL) return s->group_1(p->F, out, a);
    if (s->group_2 != NULL) return s->group_2(p->F, out, a, b);
    if (s->retraction_1 != NULL) return s->retraction_1(p->r, p->F, out, a);
    return s->retraction_2(p->r, p->F, out, a, b);
}

static lg_status slowly(call *c, const part *p)
{
    const lg_batch_operation *op = c->op;
    const size_t out = size_of(op->out, p->F), a = size_of(op->first, p->F), b = size_of(op->second, p->F);
    double *x = malloc((out + a + b) * sizeof *x);
    if (x == NULL) return LG_ERROR_MEMORY;
    for (size_t k = 0; k < c->count; k++) {
        lg_status status;
        gather(c, x + out, FIRST, p, a, k);
        gather(c, x + out + a, SECOND, p, b, k);
        status = single(&op->single, p, x, x + out, x + out + a);
        if (status != LG_OK) {
            for (size_t i = 0; i < out; i++) x[i] = NAN;
            if (c->status == LG_OK) c->status = status;
        }
        if (op->out == PAIR) scatter(c, x + out / 2, BESIDE, p, out / 2, k);
        scatter(c, x, TO, p, op->out == PAIR ? out / 2 : out, k);
    }
    free(x);
    return c->status == LG_ERROR_MEMORY ? LG_ERROR_MEMORY : LG_OK;
}

/* ---- loops ---- */

static const lg_batch_row *row_of(const lg_batch_row *row, const lg_group *F)
{
    while (row->kind != F->kind && row->kind != LG_KIND_USER) row++;
    return row;
}

/* The loop for a step on a factor, or NULL. */
static lg_loop_fn loop_of(const call *c, const part *p, const lg_batch_step *step)
{
    const lg_batch_row *row = row_of(c->rows, p->F);
    if (step->exp == step->cay || p->r->kind == LG_RETRACTION_EXP) return row->loop[step->exp];
    return p->r->kind == LG_RETRACTION_CAYLEY ? row->loop[step->cay] : NULL;
}

static int has_loops(const call *c, const part *p)
{
    if (c->op->count > 1 && p->F->dim > LARGEST) return 0;
    for (int i = 0; i < c->op->count; i++)
        if (loop_of(c, p, &c->op->steps[i]) == NULL) return 0;
    return 1;
}

/* One step on `count` elements at these places. */
static void take(call *c, const part *p, const lg_batch_step *step, const lg_view *places, size_t count)
{
    const int matrix = c->op->first == REPRESENTATION ? FIRST : TO;
    const size_t whole = side_of(c->arguments[matrix].span, c->n, c->m);
    const int transposed = step->flags & TRANSPOSED;
    const lg_loop L = {
        .out = places[step->out],
        .a = places[step->a],
        .b = places[step->b],
        .row = transposed ? 1 : whole,
        .column = transposed ? whole : 1,
        .count = count,
        .sign = step->flags & NEGATIVE ? -1.0 : 1.0,
        .raw = step->flags & RAW,
        .n = p->F->dim,
    };
    if (loop_of(c, p, step)(&L) > 0 && c->status == LG_OK) c->status = LG_ERROR_DOMAIN;
}

/* Intermediate results of a factor, number by number; returns the block to free. */
static double *intermediate(lg_view *places, const lg_group *F)
{
    const size_t n = (size_t)F->dim, e = (size_t)F->element_size, sizes[] = {n, n, e, e};
    double *block = malloc((2 * n + 2 * e) * CHUNK * sizeof *block), *at = block;
    for (int i = 0; block != NULL && X + i < NOWHERE; at += sizes[i] * CHUNK, i++)
        places[X + i] = (lg_view){at, CHUNK, 1};
    return block;
}

static lg_status quickly(call *c, const part *p)
{
    lg_view places[NOWHERE + 1] = {{0}};
    double *block = NULL;
    for (int i = TO; i <= SECOND; i++) places[i] = part_of(c, i, p);
    if (c->op->count == 1) {
        take(c, p, &c->op->steps[0], places, c->count);
        return LG_OK;
    }
    block = intermediate(places, p->F);
    if (block == NULL) return LG_ERROR_MEMORY;
    for (size_t k = 0; k < c->count; k += CHUNK) {
        const size_t count = c->count - k < CHUNK ? c->count - k : CHUNK;
        for (int i = 0; i < c->op->count; i++) take(c, p, &c->op->steps[i], places, count);
        for (int i = TO; i <= SECOND; i++) {
            if (places[i].at != NULL) places[i].at += count * places[i].instance;
        }
    }
    free(block);
    return LG_OK;
}

/* ---- factors ---- */

/* The factors of a product, including nested products. */
static lg_status factors(call *c, part p)
{
    const lg_group *G = p.F;
    const lg_retraction *r = p.r;
    if (G->kind != LG_KIND_PRODUCT) return has_loops(c, &p) ? quickly(c, &p) : slowly(c, &p);
    for (int i = 0; i < lg_group_factor_count(G); i++) {
        p.F = lg_group_factor(G, i);
        p.r = r != NULL && r->kind == LG_RETRACTION_PRODUCT ? r->factors[i] : r;
        const lg_status status = factors(c, p);
        if (status != LG_OK) return status;
        p.at += (size_t)p.F->dim;
        p.gat += (size_t)p.F->element_size;
        p.mat += (size_t)p.F->matrix_size;
    }
    return LG_OK;
}

/* The sign of the matrix in a slot. */
static int negative(const lg_batch_operation *op, int place)
{
    int flags = 0;
    for (int i = 0; i < op->count; i++)
        if ((int)op->steps[i].out == place) flags = op->steps[i].flags;
    return flags & NEGATIVE;
}

/* Fills a product's matrix around its blocks with zeros, with the sign of the matrix. A single block needs nothing. */
static void surround(const call *c, const lg_group *G)
{
    while (G->kind == LG_KIND_PRODUCT && lg_group_factor_count(G) == 1) G = lg_group_factor(G, 0);
    for (int place = TO; place <= BESIDE && G->kind == LG_KIND_PRODUCT; place++) {
        const argument *a = &c->arguments[place];
        const size_t side = side_of(a->span, c->n, c->m), size = side * side;
        const int rows = a->view.entry == 1; /* element by element, else number by number */
        const size_t lines = rows ? c->count : size, length = rows ? size : c->count;
        const double zero = negative(c->op, place) ? -0.0 : 0.0;
        for (size_t i = 0; i < (size > 0 ? lines : 0); i++) {
            double *line = a->view.at + i * (rows ? a->view.instance : a->view.entry);
            for (size_t k = 0; k < length; k++) line[k] = zero;
        }
    }
}

/* Runs piece by piece: lengths of vectors need whole vectors, and a piece stays in the cache for all factors. */
static lg_status pieces(call *c, part p)
{
    const int vectors = c->op->length;
    const size_t count = c->count, most = vectors ? CHUNK : p.F->kind == LG_KIND_PRODUCT ? PIECE : count;
    lg_view to = c->arguments[TO].view;
    lg_status status = LG_OK;
    double *block = vectors ? malloc((size_t)c->n * CHUNK * sizeof *block) : NULL;
    if (vectors && block == NULL) return LG_ERROR_MEMORY;
    if (vectors) c->arguments[TO].view = (lg_view){block, CHUNK, 1};
    for (size_t k = 0; k < count && status == LG_OK; k += most) {
        c->count = count - k < most ? count - k : most;
        surround(c, p.F);
        status = factors(c, p);
        if (vectors)
            c->rows[0].loop[LG_BATCH_LENGTH](
                &(lg_loop){.out = to, .a = c->arguments[TO].view, .count = c->count, .n = c->n});
        to.at += c->count * to.instance;
        for (int i = vectors ? FIRST : TO; i <= SECOND; i++) {
            lg_view *v = &c->arguments[i].view;
            if (v->at != NULL) v->at += c->count * v->instance;
        }
    }
    free(block);
    return status;
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
    size_t most = 1;
    if (G == NULL || out == NULL || a == NULL) return LG_ERROR_ARGUMENT;
    if (batch->count == 0) return LG_ERROR_ARGUMENT;
    if (batch->layout != LG_LAYOUT_ELEMENTS && batch->layout != LG_LAYOUT_ENTRIES) return LG_ERROR_ARGUMENT;
    for (int s = ALGEBRA; s <= PAIR; s++) {
        const size_t size = size_of((lg_batch_span)s, G);
        if (size > most) most = size;
    }
    if (batch->count > PTRDIFF_MAX / sizeof(double) / most) return LG_ERROR_ARGUMENT;
    return batch->width >= 0 && batch->width <= INT_MAX && lg_width_choose((int)batch->width) > 0 ? LG_OK
                                                                                                  : LG_ERROR_ARGUMENT;
}

lg_status lg_batch_run(const lg_batch_operation *op, const lg_retraction *r, const lg_group *G, const lg_batch *given,
                       double *out, const double *a, const double *b)
{
    lg_batch own = {0};
    lg_status status = given != NULL ? lg_sized_take(&kind, &own, given, NULL) : LG_ERROR_ARGUMENT;
    const lg_batch *batch = &own;
    if (status == LG_OK) status = batch_check(G, batch, out, a);
    if (status != LG_OK) return status;
    if (op->second != NOTHING && b == NULL) return LG_ERROR_ARGUMENT;
    if (op->single.retraction_1 != NULL || op->single.retraction_2 != NULL) {
        if (r == NULL) return LG_ERROR_ARGUMENT;
        if (!lg_retraction_supports(r, G)) return LG_ERROR_UNSUPPORTED;
    }
    const size_t size = op->length ? 1 : size_of(op->out, G);
    call c = {
        .op = op,
        .rows = rows_of(lg_width_choose((int)batch->width)),
        .arguments = {{view_of(batch, out, size), op->out == PAIR ? MATRIX : op->out},
                      {{0}, NOTHING},
                      {view_of(batch, a, size_of(op->first, G)), op->first},
                      {view_of(batch, b, size_of(op->second, G)), op->second}},
        .count = batch->count,
        .n = lg_group_dim(G),
        .m = lg_group_matrix_size(G),
        .status = LG_OK,
    };
    if (op->out == PAIR) {
        c.arguments[BESIDE] = c.arguments[TO];
        c.arguments[BESIDE].view.at += size / 2 * c.arguments[TO].view.entry;
    }
    status = pieces(&c, (part){G, r, 0, 0, 0});
    return status != LG_OK ? status : c.status;
}
