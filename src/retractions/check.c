/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of lg_group_check() and lg_retraction_check(). */
#include "retractions/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/differences.h"
#include "groups/member.h"
#include "groups/product.h"

/* Guard values behind every array; no computation returns them. */
enum { GUARDS = 8, WORK_GUARDS = 64 };
static const double GUARD = -0x1.5a5a5a5a5a5a5p-777;
#define WORK_GUARD 0x5a

/* ---- memory ---- */

static int most(int a, int b)
{
    return a > b ? a : b;
}

static double *take_array(lg_arena *arena, int count)
{
    return lg_take_doubles(arena, (size_t)count + GUARDS);
}

static void check_carve(lg_check *k, lg_arena *arena)
{
    const int room = most(most(k->n, k->e), k->N * k->N);
    double **const named[] = {&k->a, &k->b, &k->c, &k->xi, &k->eta, &k->zeta, &k->short_xi};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) *named[i] = take_array(arena, room);
    for (int i = 0; i < LG_CHECK_ARRAYS; i++) k->u[i] = take_array(arena, room);
    for (int i = 0; i < LG_CHECK_PRIVATE; i++) k->own[i] = take_array(arena, most(room, k->n * k->n));
    for (int i = 0; i < LG_CHECK_MATRICES; i++) k->M[i] = take_array(arena, k->n * k->n);
    k->work = lg_take(arena, k->G->work_bytes + WORK_GUARDS);
}

lg_status lg_check_open(lg_check *k, const char *caller, const lg_group *G, const lg_retraction *r, lg_rng *rng,
                        double tolerance, lg_error *e)
{
    lg_arena arena = {NULL, 0};
    *k = (lg_check){.G = G, .r = r, .rng = rng, .tolerance = tolerance > 0 ? tolerance : 1e-6, .length = 1, .error = e};
    const lg_status status = lg_group_validate(G, caller, e);
    if (status != LG_OK) return status;
    k->n = G->dim, k->e = G->element_size, k->N = G->matrix_size;
    if (r)
        snprintf(k->subject, sizeof k->subject, "%s: %.40s on %.60s", caller, r->name ? r->name : "(no name)",
                 lg_group_name(G));
    else
        snprintf(k->subject, sizeof k->subject, "%s: %.80s", caller, lg_group_name(G));
    check_carve(k, &arena);
    k->block = lg_reserve(arena.used);
    if (!k->block) return lg_fail(e, LG_ERROR_MEMORY, "%s: out of memory", caller);
    arena = (lg_arena){k->block, 0};
    check_carve(k, &arena);
    memset(k->work + G->work_bytes, WORK_GUARD, WORK_GUARDS);
    return LG_OK;
}

void lg_check_close(lg_check *k)
{
    lg_release(k->block);
    k->block = NULL;
}

lg_status lg_check_fail(lg_check *k, lg_status status, const char *format, ...)
{
    char text[LG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return lg_fail(k->error, status, "%s: %s", k->subject, text);
}

/* ---- operations ---- */

void lg_check_guard(double *out, int count)
{
    lg_fill_nan(out, count);
    for (int i = 0; i < GUARDS; i++) out[count + i] = GUARD;
}

/* Checks that an operation wrote all its numbers, all finite, and nothing beyond them. */
lg_status lg_check_watch(lg_check *k, const char *name, lg_status status, const double *out, int count)
{
    if (status != LG_OK)
        return lg_check_fail(k, status, "%s returns %s: %s", name, lg_status_name(status), lg_status_text(status));
    for (int i = 0; i < GUARDS; i++)
        if (memcmp(&out[count + i], &GUARD, sizeof GUARD) != 0)
            return lg_check_fail(k, LG_ERROR_ARGUMENT,
                                 "%s writes more than %d numbers; are dim (%d), element_size (%d) "
                                 "and matrix_size (%d) right?",
                                 name, count, k->n, k->e, k->N);
    for (int i = 0; i < WORK_GUARDS; i++)
        if (k->work[k->G->work_bytes + (size_t)i] != WORK_GUARD)
            return lg_check_fail(k, LG_ERROR_ARGUMENT,
                                 "%s writes beyond the %zu bytes of scratch that work_bytes asks "
                                 "for",
                                 name, k->G->work_bytes);
    for (int i = 0; i < count; i++)
        if (!isfinite(out[i]))
            return lg_check_fail(k, LG_ERROR_NOT_FINITE, "%s: number %d of %d is %g", name, i + 1, count, out[i]);
    return LG_OK;
}

/* Repeats the operation in place, which must give the same bits. */
static lg_status watch_alias(lg_check *k, const char *name, lg_status status, const double *in_place, const double *out,
                             int count)
{
    if (status == LG_OK && memcmp(in_place, out, (size_t)count * sizeof *out) == 0) return LG_OK;
    return lg_check_fail(k, LG_ERROR_ARGUMENT,
                         "%s gives other numbers when its output is its input; outputs may alias inputs, so compute "
                         "all numbers before the first is written",
                         name);
}

lg_status lg_check_unary(lg_check *k, const char *name, lg_group_unary op, double *out, int count, const double *in,
                         int size)
{
    double *in_place = k->own[0], *result = k->own[6];
    lg_check_guard(result, count);
    lg_status status = lg_check_watch(k, name, op(k->G, result, in, k->work), result, count);
    if (status != LG_OK) return status;
    memcpy(in_place, in, (size_t)size * sizeof *in);
    status = watch_alias(k, name, op(k->G, in_place, in_place, k->work), in_place, result, count);
    memcpy(out, result, (size_t)count * sizeof *out);
    return status;
}

lg_status lg_check_binary(lg_check *k, const char *name, lg_group_binary op, double *out, int count, const double *a,
                          int a_size, const double *b, int b_size)
{
    double *in_place = k->own[0], *result = k->own[6];
    lg_check_guard(result, count);
    lg_status status = lg_check_watch(k, name, op(k->G, result, a, b, k->work), result, count);
    if (status != LG_OK) return status;
    memcpy(in_place, a, (size_t)a_size * sizeof *a);
    status = watch_alias(k, name, op(k->G, in_place, in_place, b, k->work), in_place, result, count);
    if (status != LG_OK) return status;
    memcpy(in_place, b, (size_t)b_size * sizeof *b);
    status = watch_alias(k, name, op(k->G, in_place, a, in_place, k->work), in_place, result, count);
    memcpy(out, result, (size_t)count * sizeof *out);
    return status;
}

lg_status lg_check_identity(lg_check *k, double *g)
{
    lg_check_guard(g, k->e);
    return lg_check_watch(k, "identity", k->G->identity(k->G, g), g, k->e);
}

lg_status lg_check_compose(lg_check *k, double *out, const double *a, const double *b)
{
    return lg_check_binary(k, "compose", k->G->compose, out, k->e, a, k->e, b, k->e);
}

lg_status lg_check_inverse(lg_check *k, double *out, const double *g)
{
    return lg_check_unary(k, "inverse", k->G->inverse, out, k->e, g, k->e);
}

lg_status lg_check_Ad(lg_check *k, double *M, const double *g)
{
    return lg_check_unary(k, "Ad", k->G->Ad, M, k->n * k->n, g, k->e);
}

lg_status lg_check_ad(lg_check *k, double *M, const double *xi)
{
    return lg_check_unary(k, "ad", k->G->ad, M, k->n * k->n, xi, k->n);
}

/* ---- charts ---- */

const lg_group_maps *lg_check_map(const lg_check *k)
{
    if (k->G->exp && k->G->exp->tau) return k->G->exp;
    return k->G->cay && k->G->cay->tau ? k->G->cay : NULL;
}

/* tau^-1 of the map, or NULL. */
static lg_group_unary inverse_map(const lg_check *k)
{
    const lg_group_maps *maps = lg_check_map(k);
    return maps ? maps->tau_inv : NULL;
}

static int has_matrices(const lg_check *k)
{
    return k->N > 0 && k->G->to_matrix && k->G->vee;
}

int lg_check_has_chart(const lg_check *k)
{
    return inverse_map(k) || has_matrices(k) || (k->r && LG_FIELD(lg_retraction, k->r, tau_inv));
}

lg_status lg_check_chart(lg_check *k, double *x, const double *g)
{
    const lg_group_unary map = inverse_map(k);
    double *R = k->own[1];
    if (map)
        return lg_check_unary(k, map == (k->G->exp ? k->G->exp->tau_inv : NULL) ? "exp->tau_inv" : "cay->tau_inv", map,
                              x, k->n, g, k->e);
    if (!has_matrices(k)) {
        lg_check_guard(x, k->n);
        return lg_check_watch(k, "tau_inv", lg_retraction_tau_inv(k->r, k->G, x, g), x, k->n);
    }
    lg_status status = lg_check_unary(k, "to_matrix", k->G->to_matrix, R, k->N * k->N, g, k->e);
    for (int i = 0; status == LG_OK && i < k->N; i++) R[i * k->N + i] -= 1;
    return status == LG_OK ? lg_check_unary(k, "vee", k->G->vee, x, k->n, R, k->N * k->N) : status;
}

/* ---- random elements and vectors ---- */

lg_status lg_check_draw(lg_check *k)
{
    double *const elements[] = {k->a, k->b, k->c}, *const vectors[] = {k->xi, k->eta, k->zeta};
    for (int i = 0; i < 3; i++) {
        lg_check_guard(elements[i], k->e);
        const lg_status status = lg_group_random(k->G, elements[i], k->rng);
        if (status == LG_ERROR_UNSUPPORTED)
            return lg_check_fail(k, status, "no random elements: the group has none of random, exp and cay");
        const lg_status seen = lg_check_watch(k, "random", status, elements[i], k->e);
        if (seen != LG_OK) return seen;
        lg_check_guard(vectors[i], k->n);
        for (int j = 0; j < k->n; j++) { /* no number near 0, where an error would hide */
            const double u = lg_rng_uniform(k->rng);
            vectors[i][j] = (u < 0.5 ? -0.65 : -0.35) + u;
        }
    }
    return LG_OK;
}

/* ---- comparisons ---- */

static double check_scale(const double *x, const double *y, int count)
{
    return fmax(1, fmax(lg_norm_max(x, count), lg_norm_max(y, count)));
}

/* The entry with the largest difference if that is too large, else -1. */
static int worst(const lg_check *k, const double *x, const double *y, int count)
{
    double largest = k->tolerance * check_scale(x, y, count);
    int at = -1;
    for (int i = 0; i < count; i++) {
        if (fabs(x[i] - y[i]) <= largest) continue;
        largest = fabs(x[i] - y[i]), at = i;
    }
    return at;
}

/* ", at g = (...), xi = (...)" */
static void print_place(const lg_check *k, char *text, size_t size, const double *at, const double *v)
{
    char numbers[90];
    size_t used = 0;
    text[0] = '\0';
    if (at) {
        lg_print_values(numbers, sizeof numbers, at, k->e);
        used = (size_t)snprintf(text, size, " at g = (%s)", numbers);
    }
    if (!v || used >= size) return;
    lg_print_values(numbers, sizeof numbers, v, k->n);
    snprintf(text + used, size - used, "%s xi = (%s)", at ? "," : " at", numbers);
}

lg_status lg_check_numbers(lg_check *k, const char *identity, const char *left, const double *x, const char *right,
                           const double *y, int count, const double *at, const double *v)
{
    char place[200];
    const int i = worst(k, x, y, count);
    if (i < 0) return LG_OK;
    print_place(k, place, sizeof place, at, v);
    return lg_check_fail(k, LG_ERROR_ARGUMENT, "%s fails: number %d of %d is %.9g by %s, %.9g by %s%s", identity, i + 1,
                         count, x[i], left, y[i], right, place);
}

int lg_check_equal(lg_check *k, const double *x, const double *y)
{
    const lg_group *G = k->G;
    const int NN = k->N * k->N;
    double *p = k->own[2], *q = k->own[3];
    if (worst(k, x, y, k->e) < 0) return 1;
    if (NN > 0 && G->to_matrix && G->to_matrix(G, p, x, k->work) == LG_OK && G->to_matrix(G, q, y, k->work) == LG_OK)
        return worst(k, p, q, NN) < 0;
    if (!lg_check_has_chart(k) || G->inverse(G, p, x, k->work) != LG_OK || G->compose(G, p, p, y, k->work) != LG_OK)
        return 0;
    return lg_check_chart(k, q, p) == LG_OK && lg_norm_max(q, k->n) <= k->tolerance * check_scale(x, y, k->e);
}

lg_status lg_check_elements(lg_check *k, const char *identity, const double *x, const double *y, const double *at,
                            const double *v)
{
    char left[70], right[70], place[150];
    if (lg_check_equal(k, x, y)) return LG_OK;
    lg_print_values(left, sizeof left, x, k->e);
    lg_print_values(right, sizeof right, y, k->e);
    print_place(k, place, sizeof place, at, v);
    return lg_check_fail(k, LG_ERROR_ARGUMENT, "%s fails: (%s) and (%s)%s", identity, left, right, place);
}

/* ---- differences ---- */

lg_status lg_check_slope(lg_check *k, lg_check_curve curve, double *out, int count)
{
    static const double weight[] = {LG_CENTRAL_6};
    const double d = k->length > 1 ? 0.005 : 0.02 * k->length;
    double *value = k->own[5];
    memset(out, 0, (size_t)count * sizeof *out);
    for (int j = 0; j < 6; j++) {
        const double side = j < 3 ? 1 : -1;
        const lg_status status = curve(k, side * d * (j % 3 + 1), value);
        if (status != LG_OK) return status;
        for (int i = 0; i < count; i++) out[i] += side * weight[j % 3] / d * value[i];
    }
    return LG_OK;
}
