/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct products: every operation works factor by factor, so aliasing is as safe as in the factors. Matrices are block
 * diagonal. */
#include "base/arena.h"
#include "groups/coadjoint.h"
#include "groups/blocks.h"
#include "groups/product.h"
#include "groups/member.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lg_sized kind = LG_SIZED_AS(lg_group, cay, "set .size = sizeof(lg_group)");

int lg_group_complete(const lg_group *G)
{
    return G && lg_sized_fits(&kind, G->size) && G->dim > 0 && G->element_size > 0 && G->identity && G->compose &&
           G->inverse && G->Ad && G->ad;
}

lg_status lg_group_validate(const lg_group *G, const char *caller, lg_error *e)
{
    const char *wrong = lg_group_complete(G) ? lg_group_blocks_wrong(G) : NULL;
    if (lg_group_complete(G) && !wrong) return LG_OK;
    if (!G) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: the group is NULL", caller);
    if (wrong) return lg_fail(e, LG_ERROR_ARGUMENT, "%s: group '%s': %s", caller, lg_group_name(G), wrong);
    const lg_status status = lg_sized_check(&kind, G->size, lg_group_name(G), e);
    if (status != LG_OK) return status;
    return lg_fail(e, LG_ERROR_ARGUMENT,
                   "%s: group '%s' is incomplete; it needs dim, element_size, identity, compose, inverse, Ad, ad",
                   caller, G->name ? G->name : "?");
}

/* The offsets that apply to an argument of an operation. */
typedef enum span { ALGEBRA, ELEMENT } span;

static int offset(const lg_product *p, span s, int i)
{
    return s == ALGEBRA ? p->at[i] : p->gat[i];
}

static int width(const lg_group *F, span s)
{
    return s == ALGEBRA ? F->dim : F->element_size;
}

/* Scratch: a factor's matrix block, a copy of two inputs, then the factors' own. */
static size_t block_doubles(const lg_group *G)
{
    const lg_product *p = lg_product_of(G);
    size_t most = 0;
    for (int i = 0; i < p->count; i++) {
        size_t d = (size_t)p->factors[i]->dim, N = (size_t)p->factors[i]->matrix_size, b = d > N ? d : N;
        if (b > most) most = b;
    }
    return most * most;
}

static size_t own_bytes(const lg_group *G)
{
    size_t longest = (size_t)(G->element_size > G->dim ? G->element_size : G->dim);
    return lg_round_up((block_doubles(G) + 2 * longest) * sizeof(double));
}

static void *inner(const lg_group *G, void *work)
{
    return (char *)work + own_bytes(G);
}

static double *copy_of(const lg_group *G, const double *v, int count, void *work, int slot)
{
    size_t longest = (size_t)(G->element_size > G->dim ? G->element_size : G->dim);
    double *copy = (double *)work + block_doubles(G) + (size_t)slot * longest;
    memcpy(copy, v, (size_t)count * sizeof *v);
    return copy;
}

static void put_block(double *M, int N, int at, const double *block, int b)
{
    for (int r = 0; r < b; r++)
        memcpy(M + (size_t)(at + r) * (size_t)N + (size_t)at, block + r * b, (size_t)b * sizeof *M);
}

static void get_block(double *block, const double *M, int N, int at, int b)
{
    for (int r = 0; r < b; r++)
        memcpy(block + r * b, M + (size_t)(at + r) * (size_t)N + (size_t)at, (size_t)b * sizeof *M);
}

/* A vector-valued operation of one or two inputs, factor by factor. */
typedef lg_group_unary (*pick_unary)(const lg_group *F);
typedef lg_group_binary (*pick_binary)(const lg_group *F);

static lg_status each(const lg_group *G, pick_unary pick, double *out, span so, const double *in, span si, void *work)
{
    const lg_product *p = lg_product_of(G);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_group_unary op = pick(F);
        lg_status st = op ? op(F, out + offset(p, so, i), in + offset(p, si, i), inner(G, work)) : LG_ERROR_UNSUPPORTED;
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

static lg_status each2(const lg_group *G, pick_binary pick, double *out, span so, const double *a, span sa,
                       const double *b, span sb, void *work)
{
    const lg_product *p = lg_product_of(G);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_group_binary op = pick(F);
        lg_status st = op ? op(F, out + offset(p, so, i), a + offset(p, sa, i), b + offset(p, sb, i), inner(G, work))
                          : LG_ERROR_UNSUPPORTED;
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

/* A matrix-valued operation: block diagonal, n x n. */
static lg_status matrix_of(const lg_group *G, pick_unary pick, double *M, const double *in, span si, void *work)
{
    const lg_product *p = lg_product_of(G);
    double *block = work;
    const double *v = copy_of(G, in, width(G, si), work, 0);
    memset(M, 0, (size_t)G->dim * (size_t)G->dim * sizeof *M);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_group_unary op = pick(F);
        lg_status st = op ? op(F, block, v + offset(p, si, i), inner(G, work)) : LG_ERROR_UNSUPPORTED;
        if (st != LG_OK) return st;
        put_block(M, G->dim, p->at[i], block, F->dim);
    }
    return LG_OK;
}

#define PICK(name, type, expression)                                                                                   \
    static type pick_##name(const lg_group *F)                                                                         \
    {                                                                                                                  \
        return expression;                                                                                             \
    }
PICK(inverse, lg_group_unary, F->inverse)
PICK(Ad, lg_group_unary, F->Ad)
PICK(ad, lg_group_unary, F->ad)
PICK(compose, lg_group_binary, F->compose)
PICK(exp, lg_group_unary, F->exp ? F->exp->tau : NULL)
PICK(log, lg_group_unary, F->exp ? F->exp->tau_inv : NULL)
PICK(dexp, lg_group_unary, F->exp ? F->exp->dtau : NULL)
PICK(dexp_inv, lg_group_unary, F->exp ? F->exp->dtau_inv : NULL)
PICK(cay, lg_group_unary, F->cay ? F->cay->tau : NULL)
PICK(cay_inv, lg_group_unary, F->cay ? F->cay->tau_inv : NULL)
PICK(dcay, lg_group_unary, F->cay ? F->cay->dtau : NULL)
PICK(dcay_inv, lg_group_unary, F->cay ? F->cay->dtau_inv : NULL)

static lg_status product_identity(const lg_group *G, double *g)
{
    const lg_product *p = lg_product_of(G);
    lg_status st = LG_OK;
    for (int i = 0; i < p->count && st == LG_OK; i++) st = p->factors[i]->identity(p->factors[i], g + p->gat[i]);
    return st;
}

static lg_status product_compose(const lg_group *G, double *r, const double *a, const double *b, void *work)
{
    return each2(G, pick_compose, r, ELEMENT, a, ELEMENT, b, ELEMENT, work);
}

static lg_status product_inverse(const lg_group *G, double *r, const double *a, void *work)
{
    return each(G, pick_inverse, r, ELEMENT, a, ELEMENT, work);
}

static lg_status product_Ad(const lg_group *G, double *M, const double *g, void *work)
{
    return matrix_of(G, pick_Ad, M, g, ELEMENT, work);
}

static lg_status product_ad(const lg_group *G, double *M, const double *xi, void *work)
{
    return matrix_of(G, pick_ad, M, xi, ALGEBRA, work);
}

/* Factors without coAd use the matrix of Ad. */
static lg_status coAd(const lg_group *G, double *out, const double *g, const double *mu, void *work)
{
    const lg_product *p = lg_product_of(G);
    double *M = work;
    const double *v = copy_of(G, mu, G->dim, work, 0), *e = copy_of(G, g, G->element_size, work, 1);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_status st = lg_coadjoint(F, out + p->at[i], e + p->gat[i], v + p->at[i], M, inner(G, work));
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

/* ---- matrix representation ---- */

static lg_status to_blocks(const lg_group *G, int of_algebra, double *X, const double *in, void *work)
{
    const lg_product *p = lg_product_of(G);
    int N = G->matrix_size;
    double *block = work;
    const double *v = copy_of(G, in, of_algebra ? G->dim : G->element_size, work, 0);
    memset(X, 0, (size_t)N * (size_t)N * sizeof *X);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_group_unary op = of_algebra ? F->hat : F->to_matrix;
        lg_status st = op(F, block, v + (of_algebra ? p->at[i] : p->gat[i]), inner(G, work));
        if (st != LG_OK) return st;
        put_block(X, N, p->mat[i], block, F->matrix_size);
    }
    return LG_OK;
}

static lg_status from_blocks(const lg_group *G, int of_algebra, double *out, const double *X, void *work)
{
    const lg_product *p = lg_product_of(G);
    double *block = work, *result = copy_of(G, X, 0, work, 0);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_group_unary op = of_algebra ? F->vee : F->from_matrix;
        get_block(block, X, G->matrix_size, p->mat[i], F->matrix_size);
        lg_status st = op(F, result + (of_algebra ? p->at[i] : p->gat[i]), block, inner(G, work));
        if (st != LG_OK) return st;
    }
    memcpy(out, result, (size_t)(of_algebra ? G->dim : G->element_size) * sizeof *out);
    return LG_OK;
}

static lg_status product_hat(const lg_group *G, double *X, const double *xi, void *work)
{
    return to_blocks(G, 1, X, xi, work);
}

static lg_status product_vee(const lg_group *G, double *xi, const double *X, void *work)
{
    return from_blocks(G, 1, xi, X, work);
}

static lg_status product_to_matrix(const lg_group *G, double *R, const double *g, void *work)
{
    return to_blocks(G, 0, R, g, work);
}

static lg_status product_from_matrix(const lg_group *G, double *g, const double *R, void *work)
{
    return from_blocks(G, 0, g, R, work);
}

/* ---- validity ---- */

static double product_residual(const lg_group *G, const double *g, void *work)
{
    const lg_product *p = lg_product_of(G);
    double most = 0;
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        double r = F->residual ? F->residual(F, g + p->gat[i], inner(G, work)) : 0;
        if (!(r <= most)) most = r;
        if (isnan(r)) return r;
    }
    return most;
}

static lg_status product_project(const lg_group *G, double *out, const double *g, void *work)
{
    const lg_product *p = lg_product_of(G);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        lg_status st = LG_OK;
        if (F->project)
            st = F->project(F, out + p->gat[i], g + p->gat[i], inner(G, work));
        else
            memmove(out + p->gat[i], g + p->gat[i], (size_t)F->element_size * sizeof *g);
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

static lg_status product_random_element(const lg_group *G, double *g, lg_rng *rng, void *work)
{
    const lg_product *p = lg_product_of(G);
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        const lg_group_random_fn random = LG_FIELD(lg_group, F, random);
        lg_status st = random ? random(F, g + p->gat[i], rng, inner(G, work)) : LG_ERROR_UNSUPPORTED;
        if (st != LG_OK) return st;
    }
    return LG_OK;
}

/* ---- closed forms ---- */

#define BLOCKWISE(map)                                                                                                 \
    static lg_status map##_tau(const lg_group *G, double *g, const double *xi, void *work)                             \
    {                                                                                                                  \
        return each(G, pick_##map, g, ELEMENT, copy_of(G, xi, G->dim, work, 0), ALGEBRA, work);                        \
    }                                                                                                                  \
    static lg_status map##_dtau(const lg_group *G, double *M, const double *xi, void *work)                            \
    {                                                                                                                  \
        return matrix_of(G, pick_d##map, M, xi, ALGEBRA, work);                                                        \
    }                                                                                                                  \
    static lg_status map##_dtau_inv(const lg_group *G, double *M, const double *xi, void *work)                        \
    {                                                                                                                  \
        return matrix_of(G, pick_d##map##_inv, M, xi, ALGEBRA, work);                                                  \
    }
BLOCKWISE(exp)
BLOCKWISE(cay)

static lg_status exp_tau_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    return each(G, pick_log, xi, ALGEBRA, copy_of(G, g, G->element_size, work, 0), ELEMENT, work);
}

static lg_status cay_tau_inv(const lg_group *G, double *xi, const double *g, void *work)
{
    return each(G, pick_cay_inv, xi, ALGEBRA, copy_of(G, g, G->element_size, work, 0), ELEMENT, work);
}

static const lg_group_maps exp_maps = {exp_tau, exp_tau_inv, exp_dtau, exp_dtau_inv, NULL, NULL};
static const lg_group_maps cay_maps = {cay_tau, cay_tau_inv, cay_dtau, cay_dtau_inv, NULL, NULL};

/* ---- construction: group, name, factors and offsets in one block, freed by one free() ---- */

static void product_fill(lg_group *G, lg_product *p, int *at, int *gat, int *mat, lg_group_block *blocks)
{
    int represented = 1, with_exp = 1, with_cay = 1, abelian = 1;
    size_t most = 0;
    for (int i = 0; i < p->count; i++) {
        const lg_group *F = p->factors[i];
        at[i] = G->dim, gat[i] = G->element_size, mat[i] = G->matrix_size;
        for (int b = 0; b < lg_group_block_count(F); b++, G->block_count++) {
            blocks[G->block_count] = lg_group_block_at(F, b);
            blocks[G->block_count].element += gat[i], blocks[G->block_count].algebra += at[i];
        }
        G->dim += F->dim, G->element_size += F->element_size, G->matrix_size += F->matrix_size;
        represented &= F->matrix_size > 0 && F->hat && F->vee && F->to_matrix && F->from_matrix;
        with_exp &= F->exp && F->exp->tau && F->exp->tau_inv;
        with_cay &= F->cay && F->cay->tau && F->cay->tau_inv;
        abelian &= F->abelian;
        if (F->work_bytes > most) most = F->work_bytes;
    }
    p->at = at, p->gat = gat, p->mat = mat;
    G->blocks = blocks;
    G->abelian = abelian;
    if (!represented) G->matrix_size = 0;
    G->identity = product_identity, G->compose = product_compose, G->inverse = product_inverse, G->Ad = product_Ad,
    G->ad = product_ad, G->coAd = coAd;
    if (represented)
        G->hat = product_hat, G->vee = product_vee, G->to_matrix = product_to_matrix,
        G->from_matrix = product_from_matrix;
    G->residual = product_residual, G->project = product_project, G->random = product_random_element;
    if (with_exp) G->exp = &exp_maps;
    if (with_cay) G->cay = &cay_maps;
    G->work_bytes = own_bytes(G) + most;
}

static void join_names(char *name, const lg_group *const *factors, int count)
{
    *name = 0;
    for (int i = 0; i < count; i++) {
        int nested = factors[i]->kind == LG_KIND_PRODUCT;
        sprintf(name + strlen(name), "%s%s%s%s", i ? " x " : "", nested ? "(" : "",
                factors[i]->name ? factors[i]->name : "?", nested ? ")" : "");
    }
}

lg_status lg_group_create_product(lg_group **G, const lg_group *const *factors, int count)
{
    if (!G) return LG_ERROR_ARGUMENT;
    *G = NULL;
    if (!factors || count < 1) return LG_ERROR_ARGUMENT;
    size_t letters = 1, k = (size_t)count, blocks = 0;
    int64_t dim = 0, element_size = 0, matrix_size = 0;
    for (int i = 0; i < count; i++) {
        if (!lg_group_complete(factors[i]) || lg_group_blocks_wrong(factors[i])) return LG_ERROR_ARGUMENT;
        blocks += (size_t)lg_group_block_count(factors[i]);
        dim += factors[i]->dim, element_size += factors[i]->element_size, matrix_size += factors[i]->matrix_size;
        if (dim > INT_MAX || element_size > INT_MAX || matrix_size > INT_MAX) return LG_ERROR_ARGUMENT;
        letters += (factors[i]->name ? strlen(factors[i]->name) : 1) + 5;
    }
    char *block = calloc(1, sizeof(lg_group) + sizeof(lg_product) + blocks * sizeof(lg_group_block) +
                                k * sizeof(lg_group *) + 3 * k * sizeof(int) + letters);
    if (!block) return LG_ERROR_MEMORY;
    lg_group *g = (lg_group *)(void *)block;
    lg_product *p = (lg_product *)(void *)(block + sizeof *g);
    lg_group_block *own = (lg_group_block *)(void *)(block + sizeof *g + sizeof *p);
    const lg_group **list = (const lg_group **)(void *)(own + blocks);
    int *at = (int *)(void *)(list + k);
    char *name = (char *)(at + 3 * k);
    memcpy(list, factors, k * sizeof *list);
    join_names(name, factors, count);
    p->count = count, p->factors = list;
    *g = (lg_group){.size = sizeof *g, .name = name, .kind = LG_KIND_PRODUCT, .data = p, .destroy = lg_group_free};
    product_fill(g, p, at, at + k, at + 2 * k, own);
    *G = g;
    return LG_OK;
}

int lg_group_factor_count(const lg_group *G)
{
    return !G ? 0 : G->kind == LG_KIND_PRODUCT ? lg_product_of(G)->count : 1;
}

const lg_group *lg_group_factor(const lg_group *G, int i)
{
    if (i < 0 || i >= lg_group_factor_count(G)) return NULL;
    return G->kind == LG_KIND_PRODUCT ? lg_product_of(G)->factors[i] : G;
}
