/* SPDX-License-Identifier: BSD-3-Clause */
/* Between arrays and reals, for the loops of kernels.c: LANES elements at a time. */
#ifndef LG_RETRACTIONS_BATCH_ARRAYS_H
#define LG_RETRACTIONS_BATCH_ARRAYS_H

#include <float.h>

#include <liegrp/base/elementary.h>

#include "base/lane.h"
#include "retractions/batch/kernels.h"

#if LANES == 1

/* The numbers of a matrix with `columns` columns, whose rows begin `row` numbers apart; a vector has one row. */
KERNEL void fetch_in(real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    (void)used;
    for (int i = 0; i < size; i++)
        x[i] = v->at[((size_t)(i / columns) * row + (size_t)(i % columns)) * v->entry + k * v->instance];
}

KERNEL void put_in(const real *x, int size, size_t row, size_t column, int columns, const lg_view *v, size_t k,
                   int used)
{
    (void)used;
    for (int i = 0; i < size; i++)
        v->at[((size_t)(i / columns) * row + (size_t)(i % columns) * column) * v->entry + k * v->instance] = x[i];
}

KERNEL real angles(real y, real x)
{
    return lg_real_atan2(y, x);
}

KERNEL size_t count_bad(mask bad, int used)
{
    (void)used;
    return bad ? 1 : 0;
}

#else

/* A vector anywhere in memory: memcpy() into `real` would go through the stack in pieces. */
typedef double loose __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

#if LANE_BUILTIN(__builtin_shufflevector)

/* Two or four numbers of one element. Contiguous elements are read and written in such rows, since single numbers
 * would take one move each. */
enum { ROW = LANES == 2 ? 2 : 4 };

typedef double strip __attribute__((vector_size(8 * ROW)));
typedef double loose_strip __attribute__((vector_size(8 * ROW), aligned(8), may_alias));

#if LANES == 2
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#elif LANES == 4
#define LOW(a, b)       __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define HIGH(a, b)      __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define FIRST_TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define LAST_TWO(a, b)  __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define LOW(a, b)       __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define HIGH(a, b)      __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define FIRST_TWO(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LAST_TWO(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#endif

/* ROW numbers of LANES elements, each in a row, to one real a number, or back: the transpose of each square block. */
KERNEL void transpose_rows(real x[ROW])
{
    const real a = LOW(x[0], x[1]), b = HIGH(x[0], x[1]);
#if LANES == 2
    x[0] = a;
    x[1] = b;
#else
    const real c = LOW(x[2], x[3]), d = HIGH(x[2], x[3]);
    x[0] = FIRST_TWO(a, c);
    x[1] = FIRST_TWO(b, d);
    x[2] = LAST_TWO(a, c);
    x[3] = LAST_TWO(b, d);
#endif
}

KERNEL void fetch_rows(real x[ROW], const double *p, size_t instance)
{
    for (size_t k = 0; k < ROW; k++) {
        const strip here = *(const loose_strip *)(p + k * instance);
#if LANES == 8
        const strip behind = *(const loose_strip *)(p + (k + ROW) * instance);
        x[k] = __builtin_shufflevector(here, behind, 0, 1, 2, 3, 4, 5, 6, 7);
#else
        x[k] = here;
#endif
    }
    transpose_rows(x);
}

KERNEL void put_rows(const real y[ROW], double *p, size_t instance)
{
    real x[ROW];
    for (int k = 0; k < ROW; k++) x[k] = y[k];
    transpose_rows(x);
    for (size_t k = 0; k < ROW; k++) {
#if LANES == 8
        *(loose_strip *)(p + k * instance) = (loose_strip)__builtin_shufflevector(x[k], x[k], 0, 1, 2, 3);
        *(loose_strip *)(p + (k + ROW) * instance) = (loose_strip)__builtin_shufflevector(x[k], x[k], 4, 5, 6, 7);
#else
        *(loose_strip *)(p + k * instance) = (loose_strip)x[k];
#endif
    }
}

/* Where block number i begins in `size` >= ROW numbers: the last one ends with them. */
KERNEL int block_at(int i, int size)
{
    return ROW * (i + 1) <= size ? ROW * i : size - ROW;
}

KERNEL int fetch_in_rows(real *x, int size, const lg_view *v, size_t k, int used)
{
    if (size < ROW || v->entry != 1 || used < LANES) return 0;
    for (int i = 0; ROW * i < size; i++) {
        const int at = block_at(i, size);
        fetch_rows(x + at, v->at + k * v->instance + at, v->instance);
    }
    return 1;
}

KERNEL int put_in_rows(const real *x, int size, const lg_view *v, size_t k, int used)
{
    if (size < ROW || v->entry != 1 || used < LANES) return 0;
    for (int i = 0; ROW * i < size; i++) {
        const int at = block_at(i, size);
        put_rows(x + at, v->at + k * v->instance + at, v->instance);
    }
    return 1;
}

#else

KERNEL int fetch_in_rows(real *x, int size, const lg_view *v, size_t k, int used)
{
    (void)x, (void)size, (void)v, (void)k, (void)used;
    return 0;
}

KERNEL int put_in_rows(const real *x, int size, const lg_view *v, size_t k, int used)
{
    (void)x, (void)size, (void)v, (void)k, (void)used;
    return 0;
}

#endif

/* Lanes beyond `used` repeat the last one, so that they cause no rare cases. */
KERNEL void fetch_in(real *x, int size, size_t row, int columns, const lg_view *v, size_t k, int used)
{
    const double *at = v->at + k * v->instance;
    if ((row == (size_t)columns || size == columns) && fetch_in_rows(x, size, v, k, used)) return;
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

KERNEL void put_in(const real *x, int size, size_t row, size_t column, int columns, const lg_view *v, size_t k,
                   int used)
{
    double *at = v->at + k * v->instance;
    if (column == 1 && (row == (size_t)columns || size == columns) && put_in_rows(x, size, v, k, used)) return;
    for (int i = 0; i < size; i++) {
        double *p = at + ((size_t)(i / columns) * row + (size_t)(i % columns) * column) * v->entry;
        if (v->instance == 1 && used == LANES) {
            *(loose *)p = (loose)x[i];
        } else {
            for (int l = 0; l < used; l++) p[(size_t)l * v->instance] = x[i][l];
        }
    }
}

/* Of the points (x, y). */
KERNEL real angles(real y, real x)
{
    for (int l = 0; l < LANES; l++) y[l] = lg_real_atan2(y[l], x[l]);
    return y;
}

KERNEL size_t count_bad(mask bad, int used)
{
    size_t count = 0;
    if (!any(bad)) return 0;
    for (int l = 0; l < used; l++) count += bad[l] != 0;
    return count;
}

#endif

KERNEL void fetch(real *x, int size, const lg_view *v, size_t k, int used)
{
    fetch_in(x, size, 0, size, v, k, used);
}

KERNEL void put(const real *x, int size, const lg_view *v, size_t k, int used)
{
    put_in(x, size, 0, 1, size, v, k, used);
}

/* Entry (i, j) of the matrix that a loop writes. */
KERNEL void put_entry(real y, const lg_loop *L, size_t i, size_t j, size_t k, int used)
{
    const lg_view entry = {L->out.at + (i * L->row + j * L->column) * L->out.entry, 0, L->out.instance};
    const real signed_y = L->sign * y;
    put(&signed_y, 1, &entry, k, used);
}

/* Number i of an item. */
KERNEL real number(const lg_view *v, size_t i, size_t k, int used)
{
    const lg_view one = {v->at + i * v->entry, 0, v->instance};
    real x;
    fetch(&x, 1, &one, k, used);
    return x;
}

KERNEL mask finite(real x)
{
    return magnitude(x) <= DBL_MAX;
}

/* Sets all numbers to NaN where a map of the algebra has no value; returns the number of such lanes among `used`. */
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

#endif
