/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions. A product is split into factors (factor.c); vectors and elements of a product are concatenated,
 * matrices are block diagonal, so each factor works on its own piece. */
#include "retractions/retraction.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"

typedef enum shape { ELEMENT, VECTOR, MATRIX } shape;

/* One function of the interface: its operation on a factor, and the shapes of its output and of its first input; the
 * second input, if any, is a vector. */
typedef struct operation {
    lg_retraction_factor_operation factor;
    shape out, in;
    int inputs;
} operation;

static const operation TAU = {lg_retraction_factor_tau, ELEMENT, VECTOR, 1};
static const operation TAU_INV = {lg_retraction_factor_tau_inv, VECTOR, ELEMENT, 1};
static const operation DTAU = {lg_retraction_factor_dtau, MATRIX, VECTOR, 1};
static const operation DTAU_INV = {lg_retraction_factor_dtau_inv, MATRIX, VECTOR, 1};
static const operation DTAU_APPLY = {lg_retraction_factor_dtau_apply, VECTOR, VECTOR, 2};
static const operation DTAU_INV_APPLY = {lg_retraction_factor_dtau_inv_apply, VECTOR, VECTOR, 2};
static const operation DTAU_DUAL = {lg_retraction_factor_dtau_dual, VECTOR, VECTOR, 2};
static const operation DTAU_INV_DUAL = {lg_retraction_factor_dtau_inv_dual, VECTOR, VECTOR, 2};
static const operation DERIVATIVE = {lg_retraction_factor_dtau_inv_dual_derivative, MATRIX, VECTOR, 2};

/* ---- splitting ---- */

static const lg_sized kind = LG_SIZED_AS(lg_retraction, dtau_inv_dual_derivative, "set .size = sizeof(lg_retraction)");

static int is_factor(const lg_retraction *r, const lg_group *G)
{
    return r->kind != LG_RETRACTION_PRODUCT && G->kind != LG_KIND_PRODUCT;
}

static int part_count(const lg_retraction *r, const lg_group *G)
{
    return r->kind == LG_RETRACTION_PRODUCT ? r->count : lg_group_factor_count(G);
}

static const lg_retraction *part(const lg_retraction *r, int i)
{
    return r->kind == LG_RETRACTION_PRODUCT ? r->factors[i] : r;
}

lg_status lg_retraction_validate(const lg_retraction *r, const char *caller, lg_error *e)
{
    if (!r) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the retraction is NULL", caller);
    lg_status status = lg_sized_check(&kind, r->size, r->name, e);
    if (status != LG_OK) return status;
    if (r->kind != LG_RETRACTION_PRODUCT && (!r->tau || !r->dtau_inv))
        return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the retraction lacks tau or dtau_inv", caller);
    for (int i = 0; r->kind == LG_RETRACTION_PRODUCT && r->factors && i < r->count && status == LG_OK; i++)
        if (r->factors[i]) status = lg_retraction_validate(r->factors[i], caller, e);
    return status;
}

int lg_retraction_supports(const lg_retraction *r, const lg_group *G)
{
    if (!r || !G) return 0;
    if (!lg_sized_fits(&kind, r->size)) return 0;
    int (*const supports)(const lg_retraction *r, const lg_group *G) = LG_FIELD(lg_retraction, r, supports);
    if (is_factor(r, G)) return r->tau && r->dtau_inv && (!supports || supports(r, G));
    if (r->kind == LG_RETRACTION_PRODUCT && (!r->factors || r->count != lg_group_factor_count(G))) return 0;
    for (int i = 0; i < part_count(r, G); i++)
        if (!lg_retraction_supports(part(r, i), lg_group_factor(G, i))) return 0;
    return 1;
}

/* A factor's block of a matrix; the whole matrix needs none. */
static double *take_block(lg_arena *arena, const lg_group *factor, int stride)
{
    return factor->dim == stride ? NULL : lg_part_doubles(arena, (size_t)factor->dim * (size_t)factor->dim);
}

/* The workspace of the largest factor, its block of a matrix in front. */
static size_t leaves_bytes(const lg_retraction *r, const lg_group *G, int stride)
{
    size_t largest = 0;
    if (is_factor(r, G)) {
        lg_arena arena = {NULL, 0};
        (void)take_block(&arena, G, stride);
        return arena.used + lg_retraction_factor_work_bytes(r, G);
    }
    for (int i = 0; i < part_count(r, G); i++) {
        const size_t bytes = leaves_bytes(part(r, i), lg_group_factor(G, i), stride);
        if (bytes > largest) largest = bytes;
    }
    return largest;
}

/* Copies of the inputs (so that outputs may alias them), then the factors' part. */
typedef struct frame {
    double *a, *b;
    void *factor;
} frame;

static frame retraction_carve(const lg_group *G, lg_arena *arena)
{
    const int n = G->dim, e = G->element_size;
    frame f;
    f.a = lg_part_doubles(arena, (size_t)(n > e ? n : e));
    f.b = lg_part_doubles(arena, (size_t)n);
    f.factor = lg_part(arena, 0);
    return f;
}

size_t lg_retraction_work_bytes(const lg_retraction *r, const lg_group *G)
{
    lg_arena arena = {NULL, 0};
    (void)retraction_carve(G, &arena);
    return arena.used + leaves_bytes(r, G, G->dim);
}

/* One call: the whole output, its row length where it is a matrix, and the inputs. */
typedef struct call {
    const operation *op;
    double *out;
    int stride;
    const double *a, *b;
    void *work;
} call;

/* The factor whose algebra starts at `at` and whose element starts at `gat`. */
static lg_status act_on_factor(const call *c, const lg_retraction *r, const lg_group *G, int at, int gat)
{
    const int n = G->dim;
    const double *a = c->a + (c->op->in == ELEMENT ? gat : at);
    const double *b = c->b + at;
    lg_arena arena = {c->work, 0};
    double *block = take_block(&arena, G, c->stride);
    void *work = lg_part(&arena, 0);
    if (c->op->out != MATRIX) return c->op->factor(r, G, c->out + (c->op->out == ELEMENT ? gat : at), a, b, work);
    if (n == c->stride) return c->op->factor(r, G, c->out, a, b, work);

    const lg_status status = c->op->factor(r, G, block, a, b, work);
    for (int i = 0; status == LG_OK && i < n; i++)
        memcpy(c->out + (size_t)(at + i) * (size_t)c->stride + at, block + (size_t)i * (size_t)n,
               (size_t)n * sizeof(double));
    return status;
}

static lg_status act(const call *c, const lg_retraction *r, const lg_group *G, int at, int gat)
{
    if (is_factor(r, G)) return act_on_factor(c, r, G, at, gat);
    for (int i = 0; i < part_count(r, G); i++) {
        const lg_group *factor = lg_group_factor(G, i);
        const lg_status status = act(c, part(r, i), factor, at, gat);
        if (status != LG_OK) return status;
        at += factor->dim;
        gat += factor->element_size;
    }
    return LG_OK;
}

static lg_status run(const operation *op, const lg_retraction *r, const lg_group *G, double *out, const double *a,
                     const double *b, void *work)
{
    const size_t n = (size_t)G->dim;
    lg_arena arena = {work, 0};
    const frame f = retraction_carve(G, &arena);
    const call c = {op, out, G->dim, f.a, f.b, f.factor};
    memcpy(f.a, a, (op->in == ELEMENT ? (size_t)G->element_size : n) * sizeof(double));
    if (op->inputs == 2) memcpy(f.b, b, n * sizeof(double));
    if (op->out == MATRIX && !is_factor(r, G)) memset(out, 0, n * n * sizeof(double));
    return act(&c, r, G, 0, 0);
}

/* ---- with the caller's workspace ---- */

/* clang-format off */
#define WITH_1(name, op)                                                                                               \
    lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *a, void *work)                \
    {                                                                                                                  \
        return run(&op, r, G, out, a, NULL, work);                                                                     \
    }
#define WITH_2(name, op)                                                                                               \
    lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *a,                            \
                   const double *b, void *work)                                                                        \
    {                                                                                                                  \
        return run(&op, r, G, out, a, b, work);                                                                        \
    }
/* clang-format on */
WITH_1(lg_retraction_tau_with, TAU)
WITH_1(lg_retraction_tau_inv_with, TAU_INV)
WITH_1(lg_retraction_dtau_with, DTAU)
WITH_1(lg_retraction_dtau_inv_with, DTAU_INV)
WITH_2(lg_retraction_dtau_inv_apply_with, DTAU_INV_APPLY)
WITH_2(lg_retraction_dtau_dual_with, DTAU_DUAL)
WITH_2(lg_retraction_dtau_inv_dual_with, DTAU_INV_DUAL)
WITH_2(lg_retraction_dtau_inv_dual_derivative_with, DERIVATIVE)

/* ---- with a workspace of our own: on the stack, or from the heap for large groups ---- */

#define STACK_BYTES 6144u

/* Ensures that finite inputs give finite outputs, or LG_ERROR_DOMAIN and NaN. */
static lg_status promise(const operation *op, const lg_group *G, double *out)
{
    const int n = G->dim, count = op->out == MATRIX ? n * n : op->out == VECTOR ? n : G->element_size;
    if (lg_all_finite(out, count)) return LG_OK;
    lg_fill_nan(out, count);
    return LG_ERROR_DOMAIN;
}

static lg_status run_promising(const operation *op, const lg_retraction *r, const lg_group *G, double *out,
                               const double *a, const double *b, void *work)
{
    const int given = op->in == VECTOR && lg_all_finite(a, G->dim) && (op->inputs == 1 || lg_all_finite(b, G->dim));
    const lg_status status = run(op, r, G, out, a, b, work);
    return status == LG_OK && given ? promise(op, G, out) : status;
}

static lg_status run_alone(const operation *op, const lg_retraction *r, const lg_group *G, double *out, const double *a,
                           const double *b)
{
    _Alignas(LG_ALIGN) char stack[STACK_BYTES];
    if (!r || !G || !out || !a || (op->inputs == 2 && !b)) return LG_ERROR_ARGUMENT;
    if (!lg_retraction_supports(r, G)) return LG_ERROR_UNSUPPORTED;

    const size_t bytes = lg_retraction_work_bytes(r, G);
    if (bytes <= STACK_BYTES) return run_promising(op, r, G, out, a, b, stack);
    void *heap = malloc(bytes);
    if (!heap) return LG_ERROR_MEMORY;
    const lg_status status = run_promising(op, r, G, out, a, b, heap);
    free(heap);
    return status;
}

/* clang-format off */
#define ALONE_1(name, op)                                                                                              \
    lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *a)                            \
    {                                                                                                                  \
        return run_alone(&op, r, G, out, a, NULL);                                                                     \
    }
#define ALONE_2(name, op)                                                                                              \
    lg_status name(const lg_retraction *r, const lg_group *G, double *out, const double *a, const double *b)           \
    {                                                                                                                  \
        return run_alone(&op, r, G, out, a, b);                                                                        \
    }
/* clang-format on */
ALONE_1(lg_retraction_tau, TAU)
ALONE_1(lg_retraction_tau_inv, TAU_INV)
ALONE_1(lg_retraction_dtau, DTAU)
ALONE_1(lg_retraction_dtau_inv, DTAU_INV)
ALONE_2(lg_retraction_dtau_apply, DTAU_APPLY)
ALONE_2(lg_retraction_dtau_inv_apply, DTAU_INV_APPLY)
ALONE_2(lg_retraction_dtau_dual, DTAU_DUAL)
ALONE_2(lg_retraction_dtau_inv_dual, DTAU_INV_DUAL)
ALONE_2(lg_retraction_dtau_inv_dual_derivative, DERIVATIVE)
