/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors against the stored values. A result consists of blocks, translations and rotations, that may differ in size by
 * any factor: each error is relative to the size of its block. */
#include <math.h>
#include <string.h>

#include "benchmarks/suite/operations.h"
#include "benchmarks/suite/truth.h"

enum { ITEMS = 96, MOST = 36 };

/* The parts of an item: R^2 of a product, translations, rotations. */
typedef struct parts {
    int plane, translation, rotation; /* numbers of each in an algebra vector */
} parts;

static parts parts_of(const lg_group *G)
{
    const lg_group *last = lg_group_factor(G, lg_group_factor_count(G) - 1);
    parts p = {lg_group_dim(G) - lg_group_dim(last), 0, lg_group_dim(last)};
    if (last->kind == LG_KIND_SE2) p.translation = 2;
    if (last->kind == LG_KIND_SE3) p.translation = 3;
    p.rotation -= p.translation;
    return p;
}

static const bench_truth *find(const char *key, const char *field)
{
    for (const bench_truth *t = bench_truths; t->key != NULL; t++)
        if (strcmp(t->key, key) == 0 && strcmp(t->field, field) == 0) return t;
    return NULL;
}

/* The numbers of the plane before the stored numbers of an item on R^2 x G. */
static const double plane_a[2] = {0.625, -1.5}, plane_b[2] = {-0.375, 2.25};

static void fill(double *to, const bench_truth *t, const double *plane, int extra)
{
    for (int k = 0; k < t->count; k++) {
        for (int i = 0; i < extra; i++) *to++ = plane[i];
        for (int i = 0; i < t->size; i++) *to++ = (double)t->values[k * t->size + i];
    }
}

/* The true result of item k, with the part of R^2. */
static void want(long double *out, const bench_work *w, const bench_truth *t, int k, int extra)
{
    const long double *v = t->values + (long)k * t->size;
    const int n = lg_group_dim(w->G), inner = n - extra, matrix = bench_size_out(w) == n * n;
    if (matrix) {
        for (int i = 0; i < n * n; i++) {
            const int row = i / n - extra, column = i % n - extra;
            out[i] = row >= 0 && column >= 0 ? v[row * inner + column] : i / n == i % n;
        }
        return;
    }
    for (int i = 0; i < extra; i++) {
        out[i] = w->operation == BENCH_COAD      ? plane_b[i]
                 : w->operation == BENCH_COMPOSE ? (long double)plane_a[i] + plane_b[i]
                 : w->operation == BENCH_INVERSE ? -plane_a[i]
                                                 : plane_a[i];
    }
    for (int i = 0; i < t->size; i++) out[extra + i] = v[i];
}

typedef struct comparison {
    const double *got;
    const long double *want;
    double worst, least; /* so far; a block counts as at least so large */
} comparison;

/* The block [first, last) of entries whose index, by `column`, is in [from, to): all if column is 0. */
static void compare(comparison *c, int first, int last, int columns, int from, int to)
{
    long double size = c->least, error = 0;
    for (int i = first; i < last; i++) {
        if (columns > 0 && (i % columns < from || i % columns >= to)) continue;
        const long double e = fabsl((long double)c->got[i] - c->want[i]);
        size = fmaxl(size, fabsl(c->want[i]));
        if (!(e <= error)) error = e;
    }
    if (!(error > 0 || error != error)) return;
    const double relative = error == error ? (double)(error / size) : INFINITY; /* a NaN counts as the largest error */
    if (relative > c->worst) c->worst = relative;
}

/* A quaternion's scalar and a cosine are compared with 1, a sine with the angle. */
static void compare_element(comparison *c, const lg_group *G, parts p, double angle)
{
    const int at = p.plane + p.translation, e = lg_group_element_size(G);
    const double least = c->least;
    compare(c, 0, p.plane, 0, 0, 0);
    compare(c, p.plane, at, 0, 0, 0);
    if (p.rotation == 1) {
        c->least = fmax(least, fmin(1, angle));
        compare(c, at + 1, e, 0, 0, 0);
        c->least = 1;
        compare(c, at, at + 1, 0, 0, 0);
    } else if (e - at == 4) {
        compare(c, at, e - 1, 0, 0, 0);
        c->least = 1;
        compare(c, e - 1, e, 0, 0, 0);
    } else {
        compare(c, at, e, 0, 0, 0);
    }
    c->least = least;
}

static void compare_vector(comparison *c, const lg_group *G, parts p)
{
    const int at = p.plane + p.translation;
    compare(c, 0, p.plane, 0, 0, 0);
    compare(c, p.plane, at, 0, 0, 0);
    compare(c, at, lg_group_dim(G), 0, 0, 0);
}

/* Blocks [[A, B], [0, A]]: B, which is as large as the translation, is a block of its own. */
static void compare_matrix(comparison *c, const lg_group *G, parts p)
{
    const int n = lg_group_dim(G), at = p.plane + p.translation;
    compare(c, 0, at * n, n, 0, at);
    compare(c, 0, at * n, n, at, n);
    compare(c, at * n, n * n, 0, 0, 0);
}

static void compare_item(comparison *c, const bench_work *w, const double *a)
{
    const parts p = parts_of(w->G);
    switch (w->operation) {
    case BENCH_TAU:
        compare_element(c, w->G, p, fabs(a[lg_group_dim(w->G) - 1]));
        break;
    case BENCH_COMPOSE:
    case BENCH_INVERSE:
        compare_element(c, w->G, p, 1);
        break;
    case BENCH_DTAU:
    case BENCH_DTAU_INV:
    case BENCH_AD:
        compare_matrix(c, w->G, p);
        break;
    default:
        compare_vector(c, w->G, p);
    }
}

static double largest(const double *v, int n, double so_far)
{
    for (int i = 0; i < n; i++) so_far = fmax(so_far, fabs(v[i]));
    return so_far;
}

double bench_error(const bench_work *given, bench_run run, const char *key)
{
    static const char *const result[] = {"tau", "inv", "dtau", "dtau_inv", "compose", "inverse", "Ad", "coAd"};
    bench_work w = *given;
    const int of_retraction = w.operation < BENCH_COMPOSE, sa = bench_size_a(&w), sb = bench_size_b(&w);
    const bench_truth *a = find(key, !of_retraction ? "a" : w.operation == BENCH_TAU_INV ? "g" : "xi");
    const bench_truth *b = sb > 0 ? find(key, w.operation == BENCH_COAD ? "p" : "b") : NULL;
    const bench_truth *truth = find(key, result[w.operation]);
    const int extra = parts_of(w.G).plane;
    double in[ITEMS * 16], other[ITEMS * 16], out[ITEMS * MOST];
    long double right[MOST];
    comparison c = {NULL, right, 0, 0};
    if (a == NULL || truth == NULL || (sb > 0 && b == NULL) || a->count > ITEMS) return (double)NAN;
    fill(in, a, plane_a, extra);
    if (b != NULL) fill(other, b, plane_b, extra);
    w.a = in, w.b = other, w.out = out, w.elements = a->count, w.layout = LG_LAYOUT_ELEMENTS, w.failures = 0;
    run(&w, w.elements);
    if (w.failures > 0) return INFINITY;
    for (int k = 0; k < truth->count; k++) {
        /* sums of inputs may cancel */
        c.least = of_retraction ? 0 : largest(in + k * sa, sa, sb > 0 ? largest(other + k * sb, sb, 0) : 0);
        c.got = out + k * bench_size_out(&w);
        want(right, &w, truth, k, extra);
        compare_item(&c, &w, in + k * sa);
    }
    return c.worst;
}
