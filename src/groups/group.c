/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations on any group: argument checks, scratch, and generic code for operations that a descriptor leaves
 * out. */
#include <liegrp/groups/group.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "groups/blocks.h"
#include "groups/member.h"
#include "groups/product.h"
#include "groups/rotation.h"
#include "groups/scratch.h"

/* ---- calls with scratch ---- */

static lg_status run_unary(const lg_group *G, lg_group_unary op, double *out, const double *in)
{
    lg_scratch s;
    lg_status st = lg_scratch_open(&s, G, 0);
    if (st == LG_OK) st = op(G, out, in, s.work);
    lg_scratch_close(&s);
    return st;
}

static lg_status run_binary(const lg_group *G, lg_group_binary op, double *out, const double *a, const double *b)
{
    lg_scratch s;
    lg_status st = lg_scratch_open(&s, G, 0);
    if (st == LG_OK) st = op(G, out, a, b, s.work);
    lg_scratch_close(&s);
    return st;
}

static lg_status unary(const lg_group *G, lg_group_unary op, double *out, const double *in)
{
    if (!lg_group_complete(G) || !out || !in) return LG_ERROR_ARGUMENT;
    return op ? run_unary(G, op, out, in) : LG_ERROR_UNSUPPORTED;
}

/* A public function of one input, whose operation may be missing. */
#define UNARY(name, op)                                                                                                \
    lg_status name(const lg_group *G, double *out, const double *in)                                                   \
    {                                                                                                                  \
        return unary(G, G ? (op) : NULL, out, in);                                                                     \
    }

/* ---- facts ---- */

int lg_group_dim(const lg_group *G)
{
    return G ? G->dim : 0;
}

int lg_group_element_size(const lg_group *G)
{
    return G ? G->element_size : 0;
}

int lg_group_matrix_size(const lg_group *G)
{
    return G ? G->matrix_size : 0;
}

const char *lg_group_name(const lg_group *G)
{
    return G && G->name ? G->name : "(no group)";
}

void lg_group_destroy(lg_group *G)
{
    void (*const destroy)(lg_group * G) = G ? LG_FIELD(lg_group, G, destroy) : NULL;
    if (destroy) destroy(G);
}

void lg_group_free(lg_group *G)
{
    free(G);
}

/* ---- operations that every group has ---- */

lg_status lg_group_identity(const lg_group *G, double *g)
{
    return lg_group_complete(G) && g ? G->identity(G, g) : LG_ERROR_ARGUMENT;
}

lg_status lg_group_compose(const lg_group *G, double *r, const double *a, const double *b)
{
    return lg_group_complete(G) && r && a && b ? run_binary(G, G->compose, r, a, b) : LG_ERROR_ARGUMENT;
}

UNARY(lg_group_inverse, G->inverse)
UNARY(lg_group_Ad, G->Ad)
UNARY(lg_group_ad, G->ad)

static void transpose(double *M, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double t = M[i * n + j];
            M[i * n + j] = M[j * n + i];
            M[j * n + i] = t;
        }
}

lg_status lg_group_coAd(const lg_group *G, double *M, const double *g)
{
    lg_status st = lg_group_Ad(G, M, g);
    if (st == LG_OK) transpose(M, G->dim);
    return st;
}

lg_status lg_group_coad(const lg_group *G, double *M, const double *xi)
{
    lg_status st = lg_group_ad(G, M, xi);
    if (st == LG_OK) transpose(M, G->dim);
    return st;
}

/* out = M v or M^T v with the matrix of `op` at `at`, of a group that is not a product. */
static lg_status through_one_matrix(const lg_group *G, lg_group_unary op, int transposed, double *out, const double *at,
                                    const double *v)
{
    lg_scratch s;
    int n = G->dim;
    lg_status st = lg_scratch_open(&s, G, sz(n) * sz(n) + sz(n));
    if (st == LG_ERROR_MEMORY) return st;
    double *M = s.own, *result = M + n * n;
    st = op(G, M, at, s.work);
    for (int i = 0; st == LG_OK && i < n; i++) {
        result[i] = 0;
        for (int j = 0; j < n; j++) result[i] += (transposed ? M[j * n + i] : M[i * n + j]) * v[j];
    }
    if (st == LG_OK) memcpy(out, result, sz(n) * sizeof *out);
    lg_scratch_close(&s);
    return st;
}

/* The matrix to apply: Ad at an element, ad at a vector. */
typedef enum through_which { THROUGH_AD, THROUGH_SMALL_AD } through_which;

/* Applies Ad or ad by its matrix; of a product factor by factor, because the rest of its matrix is zero. */
static lg_status through_matrix(const lg_group *G, through_which which, int transposed, double *out, const double *at,
                                const double *v)
{
    lg_status st = LG_OK;
    if (G->kind != LG_KIND_PRODUCT)
        return through_one_matrix(G, which == THROUGH_AD ? G->Ad : G->ad, transposed, out, at, v);
    for (int i = 0; i < lg_group_factor_count(G) && st == LG_OK; i++) {
        const lg_group *F = lg_group_factor(G, i);
        st = through_matrix(F, which, transposed, out, at, v);
        at += which == THROUGH_AD ? F->element_size : F->dim;
        v += F->dim;
        out += F->dim;
    }
    return st;
}

lg_status lg_group_Ad_apply(const lg_group *G, double *out, const double *g, const double *eta)
{
    return lg_group_complete(G) && out && g && eta ? through_matrix(G, THROUGH_AD, 0, out, g, eta) : LG_ERROR_ARGUMENT;
}

lg_status lg_group_coAd_apply(const lg_group *G, double *out, const double *g, const double *p)
{
    if (!lg_group_complete(G) || !out || !g || !p) return LG_ERROR_ARGUMENT;
    return G->coAd ? run_binary(G, G->coAd, out, g, p) : through_matrix(G, THROUGH_AD, 1, out, g, p);
}

lg_status lg_group_ad_apply(const lg_group *G, double *out, const double *xi, const double *eta)
{
    return lg_group_complete(G) && out && xi && eta ? through_matrix(G, THROUGH_SMALL_AD, 0, out, xi, eta)
                                                    : LG_ERROR_ARGUMENT;
}

lg_status lg_group_coad_apply(const lg_group *G, double *out, const double *xi, const double *p)
{
    return lg_group_complete(G) && out && xi && p ? through_matrix(G, THROUGH_SMALL_AD, 1, out, xi, p)
                                                  : LG_ERROR_ARGUMENT;
}

/* ---- operations that may be missing ---- */

UNARY(lg_group_hat, G->hat)
UNARY(lg_group_vee, G->vee)
UNARY(lg_group_to_matrix, G->to_matrix)
UNARY(lg_group_from_matrix, G->from_matrix)
UNARY(lg_group_exp, G->exp ? G->exp->tau : NULL)
UNARY(lg_group_log, G->exp ? G->exp->tau_inv : NULL)

double lg_group_residual(const lg_group *G, const double *g)
{
    lg_scratch s;
    if (!lg_group_complete(G) || !g) return NAN;
    if (!G->residual) return lg_blocks_residual(G, g, NULL);
    if (lg_scratch_open(&s, G, 0) != LG_OK) return NAN;
    double r = G->residual(G, g, s.work);
    lg_scratch_close(&s);
    return r;
}

int lg_group_is_valid(const lg_group *G, const double *g, double tolerance)
{
    return lg_group_residual(G, g) <= tolerance;
}

lg_status lg_group_project(const lg_group *G, double *out, const double *g)
{
    if (!lg_group_complete(G) || !out || !g) return LG_ERROR_ARGUMENT;
    if (G->project) return run_unary(G, G->project, out, g);
    if (lg_group_residual(G, g) > 1e-6) return LG_ERROR_UNSUPPORTED; /* the group has no such operation */
    memmove(out, g, sz(G->element_size) * sizeof *out);
    return LG_OK;
}

/* For groups without generator: exp, or Cayley, of normal coordinates. */
static lg_status random_by_map(const lg_group *G, double *g, lg_rng *rng, lg_scratch *s)
{
    const lg_group_maps *maps = G->exp ? G->exp : G->cay;
    if (!maps || !maps->tau) return LG_ERROR_UNSUPPORTED;
    for (int i = 0; i < G->dim; i++) s->own[i] = lg_rng_normal(rng);
    return maps->tau(G, g, s->own, s->work);
}

lg_status lg_group_random(const lg_group *G, double *g, lg_rng *rng)
{
    lg_scratch s;
    if (!lg_group_complete(G) || !g || !rng) return LG_ERROR_ARGUMENT;
    if (lg_scratch_open(&s, G, sz(G->dim)) != LG_OK) return LG_ERROR_MEMORY;
    const lg_group_random_fn random = LG_FIELD(lg_group, G, random);
    lg_status st = random ? random(G, g, rng, s.work) : random_by_map(G, g, rng, &s);
    lg_scratch_close(&s);
    return st;
}

/* own[0..] = log(a^-1 b), followed by an element. */
static lg_status group_difference(const lg_group *G, lg_scratch *s, const double *a, const double *b)
{
    double *e = s->own + G->dim;
    lg_status st = G->inverse(G, e, a, s->work);
    if (st == LG_OK) st = G->compose(G, e, e, b, s->work);
    return st == LG_OK ? G->exp->tau_inv(G, s->own, e, s->work) : st;
}

lg_status lg_group_distance(const lg_group *G, double *d, const double *a, const double *b)
{
    lg_scratch s;
    if (!lg_group_complete(G) || !d || !a || !b) return LG_ERROR_ARGUMENT;
    if (!G->exp || !G->exp->tau_inv) return LG_ERROR_UNSUPPORTED;
    if (lg_scratch_open(&s, G, sz(G->dim) + sz(G->element_size)) != LG_OK) return LG_ERROR_MEMORY;
    lg_status st = group_difference(G, &s, a, b);
    if (st == LG_OK) *d = lg_length(s.own, G->dim);
    lg_scratch_close(&s);
    return st;
}

lg_status lg_group_interpolate(const lg_group *G, double *r, const double *a, const double *b, double t)
{
    lg_scratch s;
    if (!lg_group_complete(G) || !r || !a || !b) return LG_ERROR_ARGUMENT;
    if (!G->exp || !G->exp->tau || !G->exp->tau_inv) return LG_ERROR_UNSUPPORTED;
    if (lg_scratch_open(&s, G, sz(G->dim) + sz(G->element_size)) != LG_OK) return LG_ERROR_MEMORY;
    double *e = s.own + G->dim;
    lg_status st = group_difference(G, &s, a, b);
    for (int i = 0; i < G->dim; i++) s.own[i] *= t;
    if (st == LG_OK) st = G->exp->tau(G, e, s.own, s.work);
    if (st == LG_OK) st = G->compose(G, r, a, e, s.work);
    lg_scratch_close(&s);
    return st;
}
