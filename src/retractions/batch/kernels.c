/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups' kernels in loops over arrays, LANES elements at a time. Compiled once a width, with the instructions of
 * that width: each build has the one list below as its only symbol. */
#include "retractions/batch/kernels.h"
#include "groups/se2.h"
#include "groups/se23.h"
#include "groups/se3.h"
#include "groups/so2.h"
#include "groups/so3.h"

#include <string.h>

#define WIDTH_NAME_(name, width) name##_##width
#define WIDTH_NAME(name, width)  WIDTH_NAME_(name, width)

/* ---- between arrays and reals ---- */

#if LANES == 1

KERNEL void fetch(real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    (void)used;
    for (int i = 0; i < size; i++)
        x[i] = v->at[((size_t)(i / columns) * row + (size_t)(i % columns)) * v->entry + k * v->instance];
}

KERNEL void put(const real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    (void)used;
    for (int i = 0; i < size; i++)
        v->at[((size_t)(i / columns) * row + (size_t)(i % columns)) * v->entry + k * v->instance] = x[i];
}

KERNEL size_t count_bad(mask bad, int used)
{
    (void)used;
    return bad ? 1 : 0;
}

#else

/* A vector anywhere in memory: memcpy() into `real` would go through the stack in pieces. */
typedef double loose __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* Lanes beyond `used` repeat the last one, so that they cost nothing extraordinary. */
KERNEL void fetch(real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    const double *at = v->at + k * v->instance;
    for (int i = 0; i < size; i++) {
        const double *p = at + ((size_t)(i / columns) * row + (size_t)(i % columns)) * v->entry;
        if (v->instance == 1 && used == LANES) {
            x[i] = (real) * (const loose *)p;
        } else {
            real y = splat(p[0]);
            for (int l = 1; l < LANES; l++) y[l] = p[(size_t)(l < used ? l : used - 1) * v->instance];
            x[i] = y;
        }
    }
}

KERNEL void put(const real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    double *at = v->at + k * v->instance;
    for (int i = 0; i < size; i++) {
        double *p = at + ((size_t)(i / columns) * row + (size_t)(i % columns)) * v->entry;
        if (v->instance == 1 && used == LANES) {
            *(loose *)p = (loose)x[i];
        } else {
            for (int l = 0; l < used; l++) p[(size_t)l * v->instance] = x[i][l];
        }
    }
}

KERNEL size_t count_bad(mask bad, int used)
{
    size_t count = 0;
    if (!any(bad)) return 0;
    for (int l = 0; l < used; l++) count += bad[l] != 0;
    return count;
}

#endif

/* Where a map of the algebra has no value, all numbers are NaN; returns how many of the `used` lanes. */
KERNEL size_t lose(real *y, int count, mask bad, int used)
{
    if (!any(bad)) return 0;
    for (int i = 0; i < count; i++) y[i] = sel(bad, splat((double)NAN), y[i]);
    return count_bad(bad, used);
}

static inline size_t fewer(size_t left, size_t most)
{
    return left < most ? left : most;
}

#define LOOP_OVER(L, k, used)                                                                                          \
    for (size_t k = 0, used = fewer((L)->count, LANES); k < (L)->count; k += LANES, used = fewer((L)->count - k, LANES))

enum { TILE = 64 };

/* `count` matrices from k0 on, out of the tile. */
static void flush(const lg_loop *L, const double *tile, int n, size_t k0, size_t count)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double *to = L->out.at + ((size_t)i * L->row + (size_t)j) * L->out.entry + k0;
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
            fetch(x, in, in, in, &L->a, k, (int)used);                                                                 \
            name(y, x);                                                                                                \
            put(y, outs, outs, outs, &L->out, k, (int)used);                                                           \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

/* A NaN that goes into a tangent comes out in all entries, as factor.c has it. */
KERNEL void poison(real *y, int count, const real *x, int n)
{
    mask lost = x[0] != x[0];
    for (int i = 1; i < n; i++) lost = either(lost, x[i] != x[i]);
    if (!any(lost)) return;
    for (int i = 0; i < count; i++) y[i] = sel(lost, splat((double)NAN), y[i]);
}

/* Number by number, n * n streams lie far apart, for round counts at the same place of their pages, where caches can
 * keep few of them: TILE elements at a time are collected, so that each stream is written in one piece. */
#define MATRIX(name, in, n, poisoned, beyond)                                                                          \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        double tile[n * n * TILE] __attribute__((aligned(64)));                                                        \
        size_t failed = 0;                                                                                             \
        const lg_view inner = {tile, TILE, 1};                                                                         \
        const int tiled = n > 3 && L->out.instance == 1 && L->count > LANES;                                           \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[in], y[n * n];                                                                                      \
            const size_t at = k % TILE;                                                                                \
            fetch(x, in, in, in, &L->a, k, (int)used);                                                                 \
            name(y, x);                                                                                                \
            if (poisoned) poison(y, n *n, x, in);                                                                      \
            failed += lose(y, n * n, beyond(x), (int)used);                                                            \
            if (!tiled) {                                                                                              \
                put(y, n *n, L->row, n, &L->out, k, (int)used);                                                        \
                continue;                                                                                              \
            }                                                                                                          \
            put(y, n *n, n, n, &inner, at, LANES);                                                                     \
            if (at + LANES == TILE || k + used == L->count) flush(L, tile, n, k - at, at + used);                      \
        }                                                                                                              \
        return failed;                                                                                                 \
    }

#define CHECKED(name, in, outs)                                                                                        \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        size_t failed = 0;                                                                                             \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[in], y[outs];                                                                                       \
            fetch(x, in, in, in, &L->a, k, (int)used);                                                                 \
            failed += lose(y, outs, name(y, x), (int)used);                                                            \
            put(y, outs, outs, outs, &L->out, k, (int)used);                                                           \
        }                                                                                                              \
        return failed;                                                                                                 \
    }

/* A map of the algebra. */
#define MAP(name, in, outs, beyond)                                                                                    \
    KERNEL mask checked_##name(real y[outs], const real x[in])                                                         \
    {                                                                                                                  \
        name(y, x);                                                                                                    \
        return beyond(x);                                                                                              \
    }                                                                                                                  \
    CHECKED(checked_##name, in, outs)

#define BINARY(name, first, second, outs)                                                                              \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        LOOP_OVER(L, k, used)                                                                                          \
        {                                                                                                              \
            real x[first], u[second], y[outs];                                                                         \
            fetch(x, first, first, first, &L->a, k, (int)used);                                                        \
            fetch(u, second, second, second, &L->b, k, (int)used);                                                     \
            name(y, x, u);                                                                                             \
            put(y, outs, outs, outs, &L->out, k, (int)used);                                                           \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

/* For an operation that every element has. */
KERNEL mask nowhere(const real *x)
{
    (void)x;
    return other(every_lane());
}

/* A matrix, or its transpose, times a vector, in the order of sums of lg_group_Ad_apply(). */
#define APPLY(name, matrix, in, n, transposed)                                                                         \
    KERNEL void name(real y[n], const real x[in], const real v[n])                                                     \
    {                                                                                                                  \
        real M[n * n];                                                                                                 \
        matrix(M, x);                                                                                                  \
        for (int i = 0; i < n; i++) {                                                                                  \
            real sum = splat(0.0);                                                                                     \
            for (int j = 0; j < n; j++) sum = sum + (transposed ? M[j * n + i] : M[i * n + j]) * v[j];                 \
            y[i] = sum;                                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    BINARY(name, in, n, n)

#define GROUP(group, n, e)                                                                                             \
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
    APPLY(group##_coad_apply, group##_ad, n, n, 1)

/* What SO(3) calls otherwise. */
KERNEL void so3_Ad(real R[9], const real q[4])
{
    so3_to_matrix(R, q);
}

KERNEL void so2_ad(real M[1], const real w[1])
{
    M[0] = so2_unless_nan(splat(0.0), w[0]);
}

KERNEL void so3_ad(real W[9], const real w[3])
{
    so3_hat(W, w);
}

KERNEL void so3_coAd(real y[3], const real q[4], const real x[3])
{
    so3_unrotate(y, q, x);
}

GROUP(so2, 1, 2)
GROUP(so3, 3, 4)
GROUP(se2, 3, 4)
GROUP(se3, 6, 7)
GROUP(se23, 9, 10)

/* ---- R^n and T^n: number by number ---- */

#define EACH(name, formula)                                                                                            \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        for (int i = 0; i < L->n; i++) {                                                                               \
            const lg_view in = {L->a.at + (size_t)i * L->a.entry, L->a.entry, L->a.instance};                          \
            const lg_view other = {L->b.at == NULL ? in.at : L->b.at + (size_t)i * L->b.entry, L->b.entry,             \
                                   L->b.instance};                                                                     \
            const lg_view out = {L->out.at + (size_t)i * L->out.entry, L->out.entry, L->out.instance};                 \
            LOOP_OVER(L, k, used)                                                                                      \
            {                                                                                                          \
                real x, u, y;                                                                                          \
                fetch(&x, 1, 1, 1, &in, k, (int)used);                                                                 \
                fetch(&u, 1, 1, 1, &other, k, (int)used);                                                              \
                (void)u;                                                                                               \
                y = formula;                                                                                           \
                put(&y, 1, 1, 1, &out, k, (int)used);                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

EACH(copy, x)
EACH(second, u)
EACH(sum, x + u)
EACH(minus, -x)
EACH(wrap, lg_wrap(x))
EACH(wrapped_sum, lg_wrap(x + u))
EACH(wrapped_minus, lg_wrap(-x))

/* M = 1; a NaN of the input spreads over the matrix. */
static size_t loop_unit(const lg_loop *L)
{
    LOOP_OVER(L, k, used)
    {
        real taint = splat(0.0);
        for (int i = 0; i < L->n; i++) {
            const lg_view in = {L->a.at + (size_t)i * L->a.entry, L->a.entry, L->a.instance};
            real x;
            fetch(&x, 1, 1, 1, &in, k, (int)used);
            taint = sel(x != x, x, taint);
        }
        for (int i = 0; i < L->n; i++) {
            for (int j = 0; j < L->n; j++) {
                const lg_view out = {L->out.at + ((size_t)i * L->row + (size_t)j) * L->out.entry, 0, L->out.instance};
                const real y = (i == j ? 1.0 : 0.0) + taint;
                put(&y, 1, 1, 1, &out, k, (int)used);
            }
        }
    }
    return 0;
}

/* ---- the list of the groups ---- */

/* clang-format off */
#define ROW(kind, group)                                                                                               \
    {kind, {loop_checked_##group##_exp, loop_##group##_log, loop_##group##_dexp, loop_##group##_dexp_inv,              \
            loop_checked_##group##_cay, loop_##group##_cay_inv, loop_##group##_dcay, loop_##group##_dcay_inv,          \
            loop_##group##_compose, loop_##group##_inverse, loop_##group##_Ad, loop_##group##_coAd,             \
            loop_##group##_Ad_apply, loop_##group##_ad, loop_##group##_ad_apply, loop_##group##_coad_apply}}

const lg_batch_row WIDTH_NAME(lg_batch_rows, LANES)[] = {
    {LG_KIND_RN, {loop_copy, loop_copy, loop_unit, loop_unit, loop_copy, loop_copy, loop_unit, loop_unit, loop_sum,
                  loop_minus, loop_unit, loop_second}},
    {LG_KIND_TORUS, {loop_wrap, loop_copy, loop_unit, loop_unit, loop_wrap, loop_copy, loop_unit, loop_unit,
                     loop_wrapped_sum, loop_wrapped_minus, loop_unit, loop_second}},
    ROW(LG_KIND_SO2, so2),
    ROW(LG_KIND_SO3, so3),
    ROW(LG_KIND_SE2, se2),
    ROW(LG_KIND_SE3, se3),
    ROW(LG_KIND_SE23, se23),
    {LG_KIND_USER, {NULL}},
};
/* clang-format on */
