/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that serve any dimension, number by number: R^n and T^n, then any group. */
#ifndef LG_RETRACTIONS_BATCH_PLAIN_H
#define LG_RETRACTIONS_BATCH_PLAIN_H

#include "groups/nearest.h"
#include "retractions/batch/arrays.h"

/* ---- R^n and T^n: number by number ---- */

/* Numbers i to i + 3 of an item, or number i alone: contiguous numbers move in one piece. */
#define BLOCKS(i, count, n) for (int i = 0, count; count = (n)-i >= 4 ? 4 : 1, i < (n); i += count)

KERNEL lg_view from_number(const lg_view *v, int i)
{
    const lg_view moved = {v->at + (size_t)i * v->entry, v->entry, v->instance};
    return moved;
}

KERNEL void fetch_block(real x[4], int count, const lg_view *v, int i, size_t k, int used)
{
    const lg_view from = from_number(v, i);
    if (count == 4)
        fetch(x, 4, &from, k, used);
    else
        fetch(x, 1, &from, k, used);
}

KERNEL void put_block(const real x[4], int count, const lg_view *v, int i, size_t k, int used)
{
    const lg_view to = from_number(v, i);
    if (count == 4)
        put(x, 4, &to, k, used);
    else
        put(x, 1, &to, k, used);
}

#define EACH(name, formula)                                                                                            \
    static size_t loop_##name(const lg_loop *L)                                                                        \
    {                                                                                                                  \
        const lg_view a = L->a, b = L->b.at == NULL ? a : L->b, out = L->out;                                          \
        BLOCKS(i, count, L->n)                                                                                         \
        {                                                                                                              \
            LOOP_OVER(L, k, used)                                                                                      \
            {                                                                                                          \
                real first[4], second[4], result[4];                                                                   \
                fetch_block(first, count, &a, i, k, (int)used);                                                        \
                fetch_block(second, count, &b, i, k, (int)used);                                                       \
                for (int l = 0; l < count; l++) {                                                                      \
                    const real x = first[l], u = second[l];                                                            \
                    (void)x, (void)u;                                                                                  \
                    result[l] = formula;                                                                               \
                }                                                                                                      \
                put_block(result, count, &out, i, k, (int)used);                                                       \
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

/* NaN if one of the n numbers of an item is NaN, else 0. */
KERNEL real taint_of(const lg_view *v, int n, size_t k, int used)
{
    real taint = splat(0.0);
    for (int i = 0; i < n; i++) {
        const real x = number(v, (size_t)i, k, used);
        taint = sel(x != x, x, taint);
    }
    return taint;
}

/* out = b; a NaN of either vector spreads over all numbers. */
static size_t loop_tainted(const lg_loop *L)
{
    LOOP_OVER(L, k, used)
    {
        const real taint = taint_of(&L->a, L->n, k, (int)used) + taint_of(&L->b, L->n, k, (int)used);
        for (int i = 0; i < L->n; i++) {
            const lg_view out = from_number(&L->out, i);
            const real y = sel(taint != taint, taint, number(&L->b, (size_t)i, k, (int)used));
            put(&y, 1, &out, k, (int)used);
        }
    }
    return 0;
}

/* M = d 1; a NaN of the input spreads over the matrix. */
KERNEL size_t scalar_matrix(const lg_loop *L, double d)
{
    LOOP_OVER(L, k, used)
    {
        const real taint = taint_of(&L->a, L->n, k, (int)used);
        for (size_t i = 0; i < (size_t)L->n; i++)
            for (size_t j = 0; j < (size_t)L->n; j++) put_entry((i == j ? d : 0.0) + taint, L, i, j, k, (int)used);
    }
    return 0;
}

/* Such a matrix times b; infinities give the NaN of a sum of products with zeros. */
KERNEL size_t scalar_apply(const lg_loop *L, double d)
{
    LOOP_OVER(L, k, used)
    {
        const real taint = taint_of(&L->a, L->n, k, (int)used);
        real many = splat(0.0);
        for (int i = 0; i < L->n; i++)
            many = many + sel(finite(number(&L->b, (size_t)i, k, (int)used)), splat(0.0), splat(1.0));
        for (int i = 0; i < L->n; i++) {
            const lg_view out = from_number(&L->out, i);
            const real v = number(&L->b, (size_t)i, k, (int)used), own = sel(finite(v), splat(0.0), splat(1.0));
            const real y = sel(many > own, splat((double)NAN), 0.0 + d * v) + taint;
            put(&y, 1, &out, k, (int)used);
        }
    }
    return 0;
}

static size_t loop_unit(const lg_loop *L)
{
    return scalar_matrix(L, 1.0);
}

static size_t loop_zero(const lg_loop *L)
{
    return scalar_matrix(L, 0.0);
}

static size_t loop_unit_apply(const lg_loop *L)
{
    return scalar_apply(L, 1.0);
}

static size_t loop_zero_apply(const lg_loop *L)
{
    return scalar_apply(L, 0.0);
}

/* [[1, x], [0, 1]] with another diagonal. */
KERNEL size_t translation(const lg_loop *L, double diagonal)
{
    const size_t n = (size_t)L->n;
    LOOP_OVER(L, k, used)
    {
        for (size_t i = 0; i <= n; i++) {
            for (size_t j = 0; j <= n; j++) {
                const real y = i < n && j == n ? number(&L->a, i, k, (int)used) : splat(i == j ? diagonal : 0.0);
                put_entry(y, L, i, j, k, (int)used);
            }
        }
    }
    return 0;
}

/* 2 x 2 blocks [[c, -s], [s, c]]; of an algebra vector [[0, -x], [x, 0]]. */
KERNEL size_t turns(const lg_loop *L, int of_algebra)
{
    LOOP_OVER(L, k, used)
    {
        for (size_t i = 0; i < 2 * (size_t)L->n; i += 2) {
            const real x = number(&L->a, i / 2, k, (int)used);
            real s = x, c = splat(0.0);
            if (!of_algebra) lane_sincos(x, &s, &c);
            s = sel(x == 0.0, x, s); /* keeps the sign of zero */
            for (size_t j = 0; j < 2 * (size_t)L->n; j += 2) {
                const real none = splat(0.0);
                put_entry(i == j ? c : none, L, i, j, k, (int)used);
                put_entry(i == j ? -s : none, L, i, j + 1, k, (int)used);
                put_entry(i == j ? s : none, L, i + 1, j, k, (int)used);
                put_entry(i == j ? c : none, L, i + 1, j + 1, k, (int)used);
            }
        }
    }
    return 0;
}

static size_t loop_rn_to_matrix(const lg_loop *L)
{
    return translation(L, 1.0);
}

static size_t loop_rn_hat(const lg_loop *L)
{
    return translation(L, 0.0);
}

static size_t loop_torus_to_matrix(const lg_loop *L)
{
    return turns(L, 0);
}

static size_t loop_torus_hat(const lg_loop *L)
{
    return turns(L, 1);
}

/* The last column, if the others are within 1/2 of those of the identity in total; NaN in these propagates. */
static size_t loop_rn_from_matrix(const lg_loop *L)
{
    const size_t n = (size_t)L->n;
    size_t failed = 0;
    LOOP_OVER(L, k, used)
    {
        real off = splat(0.0);
        for (size_t i = 0; i <= n; i++) {
            for (size_t j = 0; j < n + (i == n); j++)
                off = off + magnitude(number(&L->a, i * L->row + j, k, (int)used) - (i == j ? 1.0 : 0.0));
        }
        for (size_t i = 0; i < n; i++) {
            const lg_view out = from_number(&L->out, (int)i);
            const real x = number(&L->a, i * L->row + n, k, (int)used);
            real y = i == 0 ? sel(off != off, off, x) : x;
            lose(&y, 1, off > 0.5, (int)used);
            put(&y, 1, &out, k, (int)used);
        }
        failed += count_bad(off > 0.5, (int)used);
    }
    return failed;
}

/* The angles of the plane rotations that are nearest to the blocks. */
static size_t loop_torus_from_matrix(const lg_loop *L)
{
    size_t failed = 0;
    LOOP_OVER(L, k, used)
    {
        mask bad = other(every_lane());
        for (int i = 0; i < L->n; i++) {
            const size_t at = 2 * (size_t)i * (L->row + 1) * L->a.entry;
            const lg_view block = {L->a.at + at, L->a.entry, L->a.instance}, out = from_number(&L->out, i);
            real b[4], cs[2], angle;
            fetch_in(b, 4, L->row, 2, &block, k, (int)used);
            bad = either(bad, lane_plane_rotation(cs, b[0], b[1], b[2], b[3]));
            angle = lg_wrap(angles(cs[1], cs[0]));
            put(&angle, 1, &out, k, (int)used);
        }
        for (int i = 0; any(bad) && i < L->n; i++) {
            const lg_view out = from_number(&L->out, i);
            real angle = number(&out, 0, k, (int)used);
            lose(&angle, 1, bad, (int)used);
            put(&angle, 1, &out, k, (int)used);
        }
        failed += count_bad(bad, (int)used);
    }
    return failed;
}

/* ---- any group ---- */

static size_t loop_identity(const lg_loop *L)
{
    const lg_view out = L->out;
    for (size_t i = 0; i < (size_t)L->n; i++) {
        for (size_t j = 0; j < (size_t)L->n; j++) {
            double *to = out.at + (i * L->row + j * L->column) * out.entry;
            for (size_t k = 0; k < L->count; k++) to[k * out.instance] = i == j;
        }
    }
    return 0;
}

/* |a|, as lg_length() computes it. */
static size_t loop_length(const lg_loop *L)
{
    LOOP_OVER(L, k, used)
    {
        real s = splat(0.0), top = splat(0.0);
        for (size_t i = 0; i < (size_t)L->n; i++) {
            const real x = number(&L->a, i, k, (int)used);
            s = s + x * x;
            top = greater(top, magnitude(x));
        }
        const mask plain = either(s != s, both(s > 1e-250, s < 1e250));
        const mask rare = both(other(plain), both(top > 0.0, top <= DBL_MAX));
        real y = root(s);
        if (any(rare)) {
            const real by = sel(rare, top, splat(1.0));
            s = splat(0.0);
            for (size_t i = 0; i < (size_t)L->n; i++) {
                const real x = number(&L->a, i, k, (int)used) / by;
                s = s + x * x;
            }
            y = sel(rare, top * root(s), y);
        }
        put(&y, 1, &L->out, k, (int)used);
    }
    return 0;
}

#endif
