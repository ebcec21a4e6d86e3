/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups' kernels in loops over arrays, LANES elements at a time. Compiled once a width, with the instructions of
 * that width: each build has the one list below as its only symbol. */
#include "retractions/batch/arrays.h"
#include "retractions/batch/plain.h"
#include "groups/list.h"
#include "groups/unit.h"

#include <string.h>

#define WIDTH_NAME_(name, width) name##_##width
#define WIDTH_NAME(name, width)  WIDTH_NAME_(name, width)

enum { TILE = 64 };

/* Writes `count` matrices, from number k0 on, out of the tile. */
static void flush(const lg_loop *L, const double *tile, int n, size_t k0, size_t count)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double *to = L->out.at + ((size_t)i * L->row + (size_t)j * L->column) * L->out.entry + k0;
            memcpy(to, tile + (i * n + j) * TILE, count * sizeof *to);
        }
    }
}

/* ---- loops: name, numbers of an input, of the output ---- */

#define UNARY(name, in, outs)                                                                                          \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[in], y[outs];                                                                                       \
            fetch(x, in, &L->a, k, (int)used);                                                                         \
            name(y, x);                                                                                                \
            put(y, outs, &L->out, k, (int)used);                                                                       \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

/* A NaN in the input of a tangent gives NaN in all entries, as in factor.c. */
KERNEL void poison(real *y, int count, const real *x, int n)
{
    mask lost = x[0] != x[0];
    for (int i = 1; i < n; i++) lost = either(lost, x[i] != x[i]);
    if (!any(lost)) return;
    for (int i = 0; i < count; i++) y[i] = sel(lost, splat((double)NAN), y[i]);
}

/* The n * n output streams are far apart, for round counts at equal offsets of their pages, and caches hold only few
 * such lines. So TILE elements at a time are collected, and each stream is written in one piece. */
#define MATRIX(name, in, n, poisoned, beyond)                                                                          \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        double tile[n * n * TILE] __attribute__((aligned(64)));                                                        \
        size_t failed = 0;                                                                                             \
        const lg_view inner = {tile, TILE, 1};                                                                         \
        const int tiled = n > 3 && L->out.instance == 1 && L->out.entry > TILE && L->count > LANES;                    \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[in], y[n * n];                                                                                      \
            const size_t at = k % TILE;                                                                                \
            fetch(x, in, &L->a, k, (int)used);                                                                         \
            name(y, x);                                                                                                \
            if (poisoned && !L->raw) poison(y, n *n, x, in);                                                           \
            failed += lose(y, n * n, beyond(x), (int)used);                                                            \
            for (int i = 0; i < n * n; i++) y[i] = L->sign * y[i];                                                     \
            if (!tiled) {                                                                                              \
                put_in(y, n *n, L->row, L->column, n, &L->out, k, (int)used);                                          \
                continue;                                                                                              \
            }                                                                                                          \
            put_in(y, n *n, n, 1, n, &inner, at, LANES);                                                               \
            if (at + LANES == TILE || k + used == L->count) flush(L, tile, n, k - at, at + used);                      \
        }                                                                                                              \
        return failed;                                                                                                 \
    }

#define CHECKED_IN(name, in, columns, outs)                                                                            \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        size_t failed = 0;                                                                                             \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[in], y[outs];                                                                                       \
            fetch_in(x, in, L->row, columns, &L->a, k, (int)used);                                                     \
            failed += lose(y, outs, name(y, x), (int)used);                                                            \
            put(y, outs, &L->out, k, (int)used);                                                                       \
        }                                                                                                              \
        return failed;                                                                                                 \
    }

#define CHECKED(name, in, outs) CHECKED_IN(name, in, in, outs)

/* A map of the algebra. */
#define MAP(name, in, outs, beyond)                                                                                    \
    KERNEL mask checked_##name(real y[outs], const real x[in])                                                         \
    {                                                                                                                  \
        name(y, x);                                                                                                    \
        return beyond(x);                                                                                              \
    }                                                                                                                  \
    CHECKED(checked_##name, in, outs)

/* Ensures the promise of retraction.h for y, the result of the vectors x and u: finite vectors give finite numbers or,
 * as for `bad` lanes, no result; a NaN in the input gives NaN in all numbers. */
KERNEL size_t settle(real *y, const real *x, const real *u, int n, mask bad, int used)
{
    real given = splat(0.0), got = splat(0.0); /* NaN where a number is not finite */
    mask lost = other(every_lane());
    for (int i = 0; i < n; i++) {
        given = given + ((x[i] - x[i]) + (u[i] - u[i]));
        got = got + (y[i] - y[i]);
    }
    if (!any(either(bad, either(given != given, got != got)))) return 0;
    for (int i = 0; i < n; i++) lost = either(lost, either(x[i] != x[i], u[i] != u[i]));
    bad = either(bad, both(given == given, got != got));
    for (int i = 0; i < n; i++) y[i] = sel(either(bad, lost), splat((double)NAN), y[i]);
    return count_bad(bad, used);
}

/* A tangent, its inverse or the dual of one, applied to a vector. */
#define TANGENT(name, n, beyond)                                                                                       \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        size_t failed = 0;                                                                                             \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[n], u[n], y[n];                                                                                     \
            fetch(x, n, &L->a, k, (int)used);                                                                          \
            fetch(u, n, &L->b, k, (int)used);                                                                          \
            name(y, x, u);                                                                                             \
            failed += settle(y, x, u, n, beyond(x), (int)used);                                                        \
            put(y, n, &L->out, k, (int)used);                                                                          \
        }                                                                                                              \
        return failed;                                                                                                 \
    }

#define BINARY(name, first, second, outs)                                                                              \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[first], u[second], y[outs];                                                                         \
            fetch(x, first, &L->a, k, (int)used);                                                                      \
            fetch(u, second, &L->b, k, (int)used);                                                                     \
            name(y, x, u);                                                                                             \
            put(y, outs, &L->out, k, (int)used);                                                                       \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

/* The lanes without a value, for an operation that always has one. */
KERNEL mask nowhere(const real *x)
{
    (void)x;
    return other(every_lane());
}

/* A matrix, or its transpose, times a vector, in the order of sums of lg_matvec(). */
#define PRODUCT(name, matrix, in, n, transposed)                                                                       \
    KERNEL void name(real y[n], const real x[in], const real v[n])                                                     \
    {                                                                                                                  \
        real M[n * n];                                                                                                 \
        matrix(M, x);                                                                                                  \
        for (int i = 0; i < n; i++) {                                                                                  \
            real sum = splat(0.0);                                                                                     \
            for (int j = 0; j < n; j++) sum = sum + (transposed ? M[j * n + i] : M[i * n + j]) * v[j];                 \
            y[i] = sum;                                                                                                \
        }                                                                                                              \
    }

#define APPLY(name, matrix, in, n, transposed)                                                                         \
    PRODUCT(name, matrix, in, n, transposed)                                                                           \
    BINARY(name, in, n, n)

/* A tangent, its inverse and the dual of the tangent, applied; the dual of the inverse is a kernel. */
#define TANGENTS(tangent, n, beyond)                                                                                   \
    PRODUCT(tangent##_apply, tangent, n, n, 0)                                                                         \
    PRODUCT(tangent##_inv_apply, tangent##_inv, n, n, 0)                                                               \
    PRODUCT(tangent##_dual, tangent, n, n, 1)                                                                          \
    TANGENT(tangent##_apply, n, beyond)                                                                                \
    TANGENT(tangent##_inv_apply, n, beyond)                                                                            \
    TANGENT(tangent##_dual, n, beyond)                                                                                 \
    TANGENT(tangent##_inv_dual, n, beyond)

/* The nearest element: its last `turn` numbers are scaled to length 1. */
#define PROJECT(group, e, turn)                                                                                        \
    KERNEL mask group##_project(real r[e], const real g[e])                                                            \
    {                                                                                                                  \
        for (int i = 0; i < (e) - (turn); i++) r[i] = g[i];                                                            \
        return lane_unit(r + (e) - (turn), g + (e) - (turn), turn);                                                    \
    }                                                                                                                  \
    CHECKED(group##_project, e, e)

#define GROUP(kind, group, n, e, m, turn)                                                                              \
    MAP(group##_exp, n, e, group##_exp_beyond)                                                                         \
    CHECKED(group##_log, e, n)                                                                                         \
    MATRIX(group##_dexp, n, n, 1, group##_dexp_beyond)                                                                 \
    MATRIX(group##_dexp_inv, n, n, 1, group##_dexp_beyond)                                                             \
    MAP(group##_cay, n, e, group##_cay_beyond)                                                                         \
    CHECKED(group##_cay_inv, e, n)                                                                                     \
    MATRIX(group##_dcay, n, n, 1, group##_cay_beyond)                                                                  \
    MATRIX(group##_dcay_inv, n, n, 1, group##_cay_beyond)                                                              \
    BINARY(group##_compose, e, e, e)                                                                                   \
    UNARY(group##_inverse, e, e)                                                                                       \
    MATRIX(group##_Ad, e, n, 0, nowhere)                                                                               \
    BINARY(group##_coAd, e, n, n)                                                                                      \
    APPLY(group##_Ad_apply, group##_Ad, e, n, 0)                                                                       \
    MATRIX(group##_ad, n, n, 0, nowhere)                                                                               \
    APPLY(group##_ad_apply, group##_ad, n, n, 0)                                                                       \
    APPLY(group##_coad_apply, group##_ad, n, n, 1)                                                                     \
    MATRIX(group##_to_matrix, e, m, 0, nowhere)                                                                        \
    CHECKED_IN(group##_from_matrix, (m) * (m), m, e)                                                                   \
    MATRIX(group##_hat, n, m, 0, nowhere)                                                                              \
    PROJECT(group, e, turn)                                                                                            \
    TANGENTS(group##_dexp, n, group##_dexp_beyond)                                                                     \
    TANGENTS(group##_dcay, n, group##_cay_beyond)

LG_GROUPS(GROUP)

/* ---- the list of the groups ---- */

/* clang-format off */
#define OF_ANY_GROUP loop_identity, loop_minus, loop_length

#define ROW(kind_, group, n, e, m, turn)                                                                               \
    {LG_KIND_##kind_, {loop_checked_##group##_exp, loop_##group##_log, loop_##group##_dexp, loop_##group##_dexp_inv,              \
            loop_checked_##group##_cay, loop_##group##_cay_inv, loop_##group##_dcay, loop_##group##_dcay_inv,          \
            loop_##group##_compose, loop_##group##_inverse, loop_##group##_Ad, loop_##group##_coAd,                    \
            loop_##group##_Ad_apply, loop_##group##_ad, loop_##group##_ad_apply, loop_##group##_coad_apply,            \
            loop_##group##_to_matrix, loop_##group##_hat, loop_##group##_project,                                      \
            loop_##group##_dexp_apply, loop_##group##_dexp_inv_apply, loop_##group##_dexp_dual,                        \
            loop_##group##_dexp_inv_dual, loop_##group##_dcay_apply, loop_##group##_dcay_inv_apply,                    \
            loop_##group##_dcay_dual, loop_##group##_dcay_inv_dual, loop_##group##_from_matrix, OF_ANY_GROUP}},

/* A group of numbers that are added: maps between vectors and elements, sum, inverse, matrices. */
#define ADDED(kind, group, wrap, sum, minus)                                                                           \
    {kind, {wrap, loop_copy, loop_unit, loop_unit, wrap, loop_copy, loop_unit, loop_unit, sum, minus, loop_unit,       \
            loop_second, loop_unit_apply, loop_zero, loop_zero_apply, loop_zero_apply, loop_##group##_to_matrix,       \
            loop_##group##_hat, wrap, loop_unit_apply, loop_unit_apply, loop_unit_apply, loop_tainted,                 \
            loop_unit_apply, loop_unit_apply, loop_unit_apply, loop_tainted,                                           \
            loop_##group##_from_matrix, OF_ANY_GROUP}}

const lg_batch_row WIDTH_NAME(lg_batch_rows, LANES)[] = {
    ADDED(LG_KIND_RN, rn, loop_copy, loop_sum, loop_minus),
    ADDED(LG_KIND_TORUS, torus, loop_wrap, loop_wrapped_sum, loop_wrapped_minus),
    LG_GROUPS(ROW)
    {LG_KIND_USER, {NULL}},
};
/* clang-format on */
