/* SPDX-License-Identifier: BSD-3-Clause */
/* lg_group_check(): the axioms of a group, of its algebra and of its maps, on random elements. */
#include "retractions/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "groups/list.h"
#include "groups/member.h"

/* ---- the group ---- */

static lg_status on_group(lg_check *k, const char *what, const double *g)
{
    if (!k->G->residual) return LG_OK;
    const double off = k->G->residual(k->G, g, k->work);
    if (off <= k->tolerance * fmax(1, lg_norm_max(g, k->e))) return LG_OK;
    return lg_check_fail(k, LG_ERROR_ARGUMENT, "residual is %.3g for %s; it must be 0 on the group", off, what);
}

static lg_status check_inverse_and_identity(lg_check *k)
{
    double *one = k->u[0], *i = k->u[1], *r = k->u[2];
    lg_status st = on_group(k, "a random element", k->a);
    if (st == LG_OK) st = lg_check_identity(k, one);
    if (st == LG_OK) st = lg_check_compose(k, r, one, k->a);
    if (st == LG_OK) st = lg_check_elements(k, "e a = a (identity, compose)", r, k->a, NULL, NULL);
    if (st == LG_OK) st = lg_check_compose(k, r, k->a, one);
    if (st == LG_OK) st = lg_check_elements(k, "a e = a (identity, compose)", r, k->a, NULL, NULL);
    if (st == LG_OK) st = lg_check_inverse(k, i, k->a);
    if (st == LG_OK) st = lg_check_compose(k, r, k->a, i);
    if (st == LG_OK) st = lg_check_elements(k, "a a^-1 = e (inverse)", r, one, k->a, NULL);
    if (st == LG_OK) st = lg_check_compose(k, r, i, k->a);
    return st == LG_OK ? lg_check_elements(k, "a^-1 a = e (inverse)", r, one, k->a, NULL) : st;
}

static lg_status check_associativity(lg_check *k)
{
    double *ab = k->u[0], *bc = k->u[1], *left = k->u[2], *right = k->u[3];
    lg_status st = lg_check_compose(k, ab, k->a, k->b);
    if (st == LG_OK) st = on_group(k, "a product of two elements", ab);
    if (st == LG_OK) st = lg_check_compose(k, left, ab, k->c);
    if (st == LG_OK) st = lg_check_compose(k, bc, k->b, k->c);
    if (st == LG_OK) st = lg_check_compose(k, right, k->a, bc);
    if (st == LG_OK) st = lg_check_elements(k, "(ab)c = a(bc) (compose)", left, right, k->a, NULL);
    if (st != LG_OK || !k->G->abelian) return st;
    st = lg_check_compose(k, left, k->b, k->a);
    return st == LG_OK ? lg_check_elements(k, "ab = ba (abelian = 1)", ab, left, k->a, NULL) : st;
}

static lg_status check_random(lg_check *k)
{
    if (!lg_check_equal(k, k->a, k->b)) return LG_OK;
    return lg_check_fail(k, LG_ERROR_ARGUMENT, "random draws the same element twice");
}

/* ---- the adjoint representation and the algebra ---- */

/* The chart of a tau(s eta) a^-1, whose derivative is Ad_a eta. */
static lg_status conjugates(lg_check *k, double s, double *out)
{
    double *x = k->own[4], *g = k->u[4];
    for (int i = 0; i < k->n; i++) x[i] = s * k->eta[i];
    lg_status st = lg_check_unary(k, "tau of exp or cay", lg_check_map(k)->tau, g, k->e, x, k->n);
    if (st == LG_OK) st = lg_check_compose(k, g, k->a, g);
    if (st == LG_OK) st = lg_check_inverse(k, k->u[5], k->a);
    if (st == LG_OK) st = lg_check_compose(k, g, g, k->u[5]);
    return st == LG_OK ? lg_check_chart(k, out, g) : st;
}

/* Ad_tau(s xi) eta, whose derivative is ad_xi eta. */
static lg_status adjoints(lg_check *k, double s, double *out)
{
    double *x = k->own[4], *g = k->u[4];
    for (int i = 0; i < k->n; i++) x[i] = s * k->xi[i];
    lg_status st = lg_check_unary(k, "tau of exp or cay", lg_check_map(k)->tau, g, k->e, x, k->n);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[2], g);
    if (st == LG_OK) lg_matvec(out, k->M[2], k->eta, k->n, k->n);
    return st;
}

static lg_status check_Ad(lg_check *k)
{
    const int n = k->n;
    double *left = k->u[0], *right = k->u[1], *ab = k->u[2];
    lg_status st = lg_check_compose(k, ab, k->a, k->b);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[0], ab);
    if (st == LG_OK) lg_matvec(left, k->M[0], k->xi, n, n);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[1], k->b);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[0], k->a);
    if (st != LG_OK) return st;
    lg_matvec(ab, k->M[1], k->xi, n, n);
    lg_matvec(right, k->M[0], ab, n, n);
    st = lg_check_numbers(k, "Ad_ab = Ad_a Ad_b", "Ad_ab", left, "Ad_a Ad_b", right, n, k->a, k->xi);
    if (st == LG_OK && lg_check_map(k) && lg_check_has_chart(k)) {
        st = lg_check_slope(k, conjugates, right, n);
        lg_matvec(left, k->M[0], k->eta, n, n);
        if (st == LG_OK)
            st = lg_check_numbers(k, "Ad_g xi = d/ds g exp(s xi) g^-1", "Ad", left, "differences", right, n, k->a,
                                  k->eta);
    }
    if (st != LG_OK || !k->G->abelian) return st;
    lg_matvec(left, k->M[0], k->eta, n, n);
    return lg_check_numbers(k, "Ad = 1 (abelian = 1)", "Ad", left, "the flag", k->eta, n, k->a, k->eta);
}

static lg_status check_coAd(lg_check *k)
{
    const int n = k->n;
    double *given = k->u[0], *right = k->u[1];
    if (!k->G->coAd) return LG_OK;
    lg_status st = lg_check_binary(k, "coAd", k->G->coAd, given, n, k->a, k->e, k->eta, n);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[0], k->a);
    if (st != LG_OK) return st;
    lg_matvec_transposed(right, k->M[0], k->eta, n, n);
    return lg_check_numbers(k, "Ad*_g p = (Ad_g)^T p", "coAd", given, "Ad", right, n, k->a, k->eta);
}

/* out = [x, y] by the matrix of ad. */
static lg_status bracket(lg_check *k, double *out, const double *x, const double *y)
{
    const lg_status st = lg_check_ad(k, k->M[2], x);
    if (st == LG_OK) lg_matvec(out, k->M[2], y, k->n, k->n);
    return st;
}

static lg_status check_bracket(lg_check *k)
{
    const int n = k->n;
    double *xy = k->u[0], *yx = k->u[1], *t = k->u[2], *s = k->u[3];
    lg_status st = bracket(k, xy, k->xi, k->eta);
    if (st == LG_OK) st = bracket(k, yx, k->eta, k->xi);
    if (st != LG_OK) return st;
    for (int i = 0; i < n; i++) t[i] = -yx[i];
    st = lg_check_numbers(k, "[xi, eta] = -[eta, xi] (ad)", "ad_xi eta", xy, "-ad_eta xi", t, n, NULL, k->xi);
    if (st == LG_OK && lg_check_map(k)) { /* it tells Ad from ad before Jacobi, which a factor would not change */
        st = lg_check_slope(k, adjoints, t, n);
        if (st == LG_OK)
            st = lg_check_numbers(k, "ad_xi = d/ds Ad_exp(s xi)", "ad", xy, "differences of Ad", t, n, NULL, k->xi);
    }
    if (st == LG_OK) st = bracket(k, s, xy, k->zeta); /* [[xi, eta], zeta] = [xi, [eta, zeta]] - [eta, [xi, zeta]] */
    if (st == LG_OK) st = bracket(k, t, k->eta, k->zeta);
    if (st == LG_OK) st = bracket(k, k->u[4], k->xi, t);
    if (st == LG_OK) st = bracket(k, t, k->xi, k->zeta);
    if (st == LG_OK) st = bracket(k, k->u[5], k->eta, t);
    if (st != LG_OK) return st;
    for (int i = 0; i < n; i++) t[i] = k->u[4][i] - k->u[5][i];
    st = lg_check_numbers(k, "Jacobi's identity (ad)", "ad_[xi, eta] zeta", s, "[ad_xi, ad_eta] zeta", t, n, NULL,
                          k->xi);
    if (st == LG_OK) st = lg_check_Ad(k, k->M[0], k->a);
    if (st != LG_OK) return st;
    lg_matvec(s, k->M[0], xy, n, n);
    lg_matvec(k->u[4], k->M[0], k->xi, n, n);
    lg_matvec(k->u[5], k->M[0], k->eta, n, n);
    st = bracket(k, t, k->u[4], k->u[5]);
    return st == LG_OK ? lg_check_numbers(k, "Ad_g [xi, eta] = [Ad_g xi, Ad_g eta]", "the left", s, "the right", t, n,
                                          k->a, k->xi)
                       : st;
}

/* ---- matrices ---- */

static lg_status matrices_along(lg_check *k, double s, double *out)
{
    double *x = k->own[4], *g = k->u[4];
    for (int i = 0; i < k->n; i++) x[i] = s * k->xi[i];
    const lg_status st = lg_check_unary(k, "tau of exp or cay", lg_check_map(k)->tau, g, k->e, x, k->n);
    return st == LG_OK ? lg_check_unary(k, "to_matrix", k->G->to_matrix, out, k->N * k->N, g, k->e) : st;
}

static lg_status check_hat(lg_check *k)
{
    const lg_group *G = k->G;
    const int NN = k->N * k->N;
    double *X = k->u[0], *back = k->u[1];
    if (!G->hat || k->N < 1) return LG_OK;
    lg_status st = lg_check_unary(k, "hat", G->hat, X, NN, k->xi, k->n);
    if (st == LG_OK && G->vee) {
        st = lg_check_unary(k, "vee", G->vee, back, k->n, X, NN);
        if (st == LG_OK) st = lg_check_numbers(k, "vee hat = 1", "vee", back, "the vector", k->xi, k->n, NULL, k->xi);
    }
    if (st != LG_OK || !G->to_matrix || !lg_check_map(k)) return st;
    st = lg_check_slope(k, matrices_along, back, NN);
    return st == LG_OK ? lg_check_numbers(k, "hat xi = d/ds to_matrix(exp(s xi))", "hat", X, "differences", back, NN,
                                          NULL, k->xi)
                       : st;
}

static lg_status check_matrices(lg_check *k)
{
    const lg_group *G = k->G;
    const int N = k->N, NN = N * N;
    double *A = k->u[0], *B = k->u[1], *AB = k->u[2], *ab = k->u[3], *back = k->u[4];
    if (!G->to_matrix || N < 1) return LG_OK;
    lg_status st = lg_check_unary(k, "to_matrix", G->to_matrix, A, NN, k->a, k->e);
    if (st == LG_OK) st = lg_check_unary(k, "to_matrix", G->to_matrix, B, NN, k->b, k->e);
    if (st == LG_OK) st = lg_check_compose(k, ab, k->a, k->b);
    if (st == LG_OK) st = lg_check_unary(k, "to_matrix", G->to_matrix, AB, NN, ab, k->e);
    if (st != LG_OK) return st;
    lg_matmul(back, A, B, N, N, N);
    st = lg_check_numbers(k, "to_matrix(ab) = to_matrix(a) to_matrix(b)", "the left", AB, "the right", back, NN, k->a,
                          NULL);
    if (st == LG_OK) st = lg_check_identity(k, ab);
    if (st == LG_OK) st = lg_check_unary(k, "to_matrix", G->to_matrix, B, NN, ab, k->e);
    if (st != LG_OK) return st;
    lg_set_identity(back, N);
    st = lg_check_numbers(k, "to_matrix(e) = 1", "to_matrix", B, "the unit matrix", back, NN, NULL, NULL);
    if (st != LG_OK || !G->from_matrix) return st;
    st = lg_check_unary(k, "from_matrix", G->from_matrix, ab, k->e, A, NN);
    if (st == LG_OK) st = lg_check_unary(k, "to_matrix", G->to_matrix, B, NN, ab, k->e);
    return st == LG_OK ? lg_check_numbers(k, "from_matrix(to_matrix(g)) = g", "there and back", B, "to_matrix", A, NN,
                                          k->a, NULL)
                       : st;
}

/* ---- nearness ---- */

/* Projects an element, and numbers near it that are not an element unless all arrays of numbers are. */
static lg_status check_project(lg_check *k)
{
    const lg_group *G = k->G;
    const double tolerance = k->tolerance;
    double *near = k->u[0], *back = k->u[1];
    lg_status st = LG_OK;
    if (G->project) {
        st = lg_check_unary(k, "project", G->project, back, k->e, k->a, k->e);
        if (st == LG_OK) st = lg_check_elements(k, "project(a) = a", back, k->a, k->a, NULL);
    }
    if (st != LG_OK || k->e <= k->n || !G->residual) return st;
    for (int i = 0; i < k->e; i++) near[i] = k->a[i] + 1e-4 * lg_rng_normal(k->rng);
    if (G->residual(G, near, k->work) <= k->tolerance * 1e-3)
        return lg_check_fail(k, LG_ERROR_ARGUMENT, "residual is 0 for numbers that are no element");
    if (!G->project || G->project(G, back, near, k->work) != LG_OK) return LG_OK;
    st = on_group(k, "the result of project", back);
    if (st != LG_OK) return st;
    k->tolerance = 0.3;
    const int found = lg_check_equal(k, back, k->a);
    k->tolerance = tolerance;
    if (found) return LG_OK;
    return lg_check_fail(k, LG_ERROR_ARGUMENT, "project moves numbers near an element far away from it");
}

/* ---- maps ---- */

static lg_status check_exponential(lg_check *k)
{
    const lg_group *G = k->G;
    const double s = 0.7, t = 0.55;
    double *x = k->u[0], *one = k->u[1], *two = k->u[2];
    if (!G->exp || !G->exp->tau) return LG_OK;
    for (int i = 0; i < k->n; i++) x[i] = s * k->xi[i];
    lg_status st = lg_check_unary(k, "exp->tau", G->exp->tau, one, k->e, x, k->n);
    for (int i = 0; i < k->n; i++) x[i] = t * k->xi[i];
    if (st == LG_OK) st = lg_check_unary(k, "exp->tau", G->exp->tau, two, k->e, x, k->n);
    if (st == LG_OK) st = lg_check_compose(k, two, one, two);
    for (int i = 0; i < k->n; i++) x[i] = (s + t) * k->xi[i];
    if (st == LG_OK) st = lg_check_unary(k, "exp->tau", G->exp->tau, one, k->e, x, k->n);
    if (st == LG_OK) st = on_group(k, "exp(xi)", one);
    return st == LG_OK ? lg_check_elements(k, "exp(s xi) exp(t xi) = exp((s + t) xi)", two, one, NULL, k->xi) : st;
}

/* Checks exp and cay as retractions. */
static lg_status check_maps(lg_check *k)
{
    const lg_retraction *const maps[2] = {lg_retraction_exp(), lg_retraction_cayley()};
    lg_status st = LG_OK;
    for (int i = 0; i < 2 && st == LG_OK; i++) {
        if (!lg_retraction_supports(maps[i], k->G)) continue;
        k->r = maps[i];
        st = lg_check_retraction_here(k);
        k->r = NULL;
    }
    return st;
}

/* exp(x_1 e_1) ... exp(x_n e_n) with x = second_kind_inv(g) is g, for g = exp(xi). */
static lg_status check_second_kind(lg_check *k)
{
    const lg_group *G = k->G;
    const lg_group_unary inverse = LG_FIELD(lg_group, G, second_kind_inv);
    double *g = k->u[0], *x = k->u[1], *product = k->u[2], *one = k->u[3], *factor = k->u[4];
    if (!inverse || !G->exp || !G->exp->tau) return LG_OK;
    lg_status st = lg_check_unary(k, "exp->tau", G->exp->tau, g, k->e, k->xi, k->n);
    if (st == LG_OK) st = lg_check_unary(k, "second_kind_inv", inverse, x, k->n, g, k->e);
    if (st == LG_OK) st = lg_check_identity(k, product);
    memset(one, 0, (size_t)k->n * sizeof *one);
    for (int i = 0; i < k->n && st == LG_OK; i++) {
        one[i] = x[i];
        st = lg_check_unary(k, "exp->tau", G->exp->tau, factor, k->e, one, k->n);
        if (st == LG_OK) st = lg_check_compose(k, product, product, factor);
        one[i] = 0;
    }
    return st == LG_OK
               ? lg_check_elements(k, "exp(x_1 e_1) ... exp(x_n e_n) = g, x = second_kind_inv(g)", product, g, g, NULL)
               : st;
}

/* ---- blocks ---- */

/* Largest difference of angles or numbers between a block of g exp(xi) and that of g, moved by xi; 0 for other kinds of
 * blocks. */
static double block_error(const lg_group_block *b, const double *before, const double *after, const double *xi)
{
    const int turn = b->kind == LG_BLOCK_PLANE_ROTATION, angles = turn || b->kind == LG_BLOCK_ANGLES;
    double most = 0;
    if (!angles && b->kind != LG_BLOCK_VECTOR) return 0;
    for (int i = 0; i < b->algebra_size; i++) {
        const double from = turn ? atan2(before[1], before[0]) : before[i];
        const double error = (turn ? atan2(after[1], after[0]) : after[i]) - from - xi[i];
        most = fmax(most, fabs(angles ? remainder(error, 2 * acos(-1.0)) : error));
    }
    return most;
}

/* Numbers of a rotation have length 1; angles and coordinates grow by xi. */
static lg_status check_blocks(lg_check *k)
{
    const lg_group *G = k->G;
    const lg_group_maps *map = lg_check_map(k);
    double *step = k->u[0], *next = k->u[1];
    lg_status st = map && map == G->exp ? lg_check_unary(k, "exp->tau", map->tau, step, k->e, k->xi, k->n) : LG_OK;
    if (st == LG_OK && map && map == G->exp) st = lg_check_compose(k, next, k->a, step);
    for (int i = 0; i < lg_group_block_count(G) && st == LG_OK; i++) {
        const lg_group_block b = lg_group_block_at(G, i);
        const double *a = k->a + b.element, length = sqrt(lg_dot(a, a, b.element_size));
        const int rotation = b.kind == LG_BLOCK_PLANE_ROTATION || b.kind == LG_BLOCK_QUATERNION;
        if (rotation && !(fabs(length - 1) <= k->tolerance))
            return lg_check_fail(k, LG_ERROR_ARGUMENT, "block %d is a rotation, but its numbers have length %g", i + 1,
                                 length);
        if (!map || map != G->exp) continue;
        const double error = block_error(&b, a, next + b.element, k->xi + b.algebra);
        if (!(error <= k->tolerance * (1 + length)))
            return lg_check_fail(k, LG_ERROR_ARGUMENT,
                                 "block %d: g exp(xi) does not add xi to its coordinates or angles, the error is %g",
                                 i + 1, error);
    }
    return st;
}

/* ---- the whole ---- */

/* The engine has its own code for the library's groups and finds them by their kind. */
static lg_status check_kind(lg_check *k)
{
    const lg_group *G = k->G;
    const lg_group *own = G->kind == LG_KIND_RN ? lg_rn(1) : G->kind == LG_KIND_TORUS ? lg_torus(1) : NULL;
#define OWN(group, name, n, e, m, turn)                                                                                \
    if (G->kind == LG_KIND_##group) own = lg_##name();
    LG_GROUPS(OWN)
    if (!own || (G->compose == own->compose && G->inverse == own->inverse && G->Ad == own->Ad && G->ad == own->ad &&
                 G->exp == own->exp && G->cay == own->cay && G->coAd == own->coAd))
        return LG_OK;
    return lg_check_fail(k, LG_ERROR_ARGUMENT,
                         "kind is that of the library's %s, but the operations are not; a group "
                         "of your own has LG_KIND_USER",
                         own->name);
}

static lg_status check_point(lg_check *k)
{
    static lg_status (*const steps[])(lg_check *) = {
        check_inverse_and_identity,
        check_associativity,
        check_random,
        check_hat,
        check_matrices,
        check_exponential,
        check_Ad,
        check_coAd,
        check_bracket,
        check_project,
        check_maps,
        check_second_kind,
        check_blocks,
    };
    lg_status st = lg_check_draw(k);
    for (size_t i = 0; st == LG_OK && i < sizeof steps / sizeof steps[0]; i++) st = steps[i](k);
    return st;
}

lg_status lg_group_check(const lg_group *G, lg_rng *rng, int points, double tolerance, lg_error *e)
{
    lg_check k;
    if (points < 1 || !rng)
        return lg_fail(e, LG_ERROR_ARGUMENT, "lg_group_check: %d points, expected at least 1, and a generator", points);
    lg_status st = lg_check_open(&k, "lg_group_check", G, NULL, rng, tolerance, e);
    if (st == LG_OK && G->kind == LG_KIND_PRODUCT)
        for (int i = 0; i < lg_group_factor_count(G) && st == LG_OK; i++)
            st = lg_group_check(lg_group_factor(G, i), rng, points, tolerance, e);
    if (st == LG_OK) st = check_kind(&k);
    for (int i = 0; i < points && st == LG_OK; i++) st = check_point(&k);
    lg_check_close(&k);
    return st;
}
