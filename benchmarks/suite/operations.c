/* SPDX-License-Identifier: BSD-3-Clause */
#include "benchmarks/suite/operations.h"

#include <math.h>
#include <string.h>

#include "benchmarks/suite/textbook.h"

int bench_size_a(const bench_work *w)
{
    return w->operation == BENCH_TAU || w->operation == BENCH_DTAU || w->operation == BENCH_DTAU_INV
               ? lg_group_dim(w->G)
               : lg_group_element_size(w->G);
}

int bench_size_b(const bench_work *w)
{
    return w->operation == BENCH_COMPOSE ? lg_group_element_size(w->G)
           : w->operation == BENCH_COAD  ? lg_group_dim(w->G)
                                         : 0;
}

int bench_size_out(const bench_work *w)
{
    const int n = lg_group_dim(w->G), e = lg_group_element_size(w->G);
    const int size[BENCH_OPERATIONS] = {e, n, n * n, n * n, e, e, n * n, n};
    return size[w->operation];
}

/* Through the generic functions for any group
 * ------------------------------------------------------------------------- */

/* Loops over all elements; `call` is the operation on one element: out, a, b. */
#define EACH(w, count, size_out, size_a, size_b, call)                                                                 \
    for (long done = 0; done < (count); done += (w)->elements)                                                         \
        for (long i = 0; i < (w)->elements; i++) {                                                                     \
            double *out = (w)->out + i * (size_out);                                                                   \
            const double *a = (w)->a + i * (size_a), *b = (size_b) > 0 ? (w)->b + i * (size_b) : NULL;                 \
            (void)b;                                                                                                   \
            call;                                                                                                      \
        }

double bench_single(void *work, long count)
{
    bench_work *w = work;
    const lg_group *G = w->G;
    const lg_retraction *r = w->r;
    const int so = bench_size_out(w), sa = bench_size_a(w), sb = bench_size_b(w);
    switch (w->operation) {
    case BENCH_TAU:
        EACH(w, count, so, sa, sb, w->failures += lg_retraction_tau(r, G, out, a) != LG_OK)
        break;
    case BENCH_TAU_INV:
        EACH(w, count, so, sa, sb, w->failures += lg_retraction_tau_inv(r, G, out, a) != LG_OK)
        break;
    case BENCH_DTAU:
        EACH(w, count, so, sa, sb, w->failures += lg_retraction_dtau(r, G, out, a) != LG_OK)
        break;
    case BENCH_DTAU_INV:
        EACH(w, count, so, sa, sb, w->failures += lg_retraction_dtau_inv(r, G, out, a) != LG_OK)
        break;
    case BENCH_COMPOSE:
        EACH(w, count, so, sa, sb, w->failures += lg_group_compose(G, out, a, b) != LG_OK)
        break;
    case BENCH_INVERSE:
        EACH(w, count, so, sa, sb, w->failures += lg_group_inverse(G, out, a) != LG_OK)
        break;
    case BENCH_AD:
        EACH(w, count, so, sa, sb, w->failures += lg_group_Ad(G, out, a) != LG_OK)
        break;
    default:
        EACH(w, count, so, sa, sb, w->failures += lg_group_coAd_apply(G, out, a, b) != LG_OK)
        break;
    }
    return w->out[0];
}

static lg_status batch(const bench_work *w, const lg_batch *all)
{
    switch (w->operation) {
    case BENCH_TAU:
        return lg_batch_tau(w->r, w->G, all, w->out, w->a);
    case BENCH_TAU_INV:
        return lg_batch_tau_inv(w->r, w->G, all, w->out, w->a);
    case BENCH_DTAU:
        return lg_batch_dtau(w->r, w->G, all, w->out, w->a);
    case BENCH_DTAU_INV:
        return lg_batch_dtau_inv(w->r, w->G, all, w->out, w->a);
    case BENCH_COMPOSE:
        return lg_batch_compose(w->G, all, w->out, w->a, w->b);
    case BENCH_INVERSE:
        return lg_batch_inverse(w->G, all, w->out, w->a);
    case BENCH_AD:
        return lg_batch_Ad(w->G, all, w->out, w->a);
    default:
        return lg_batch_coAd_apply(w->G, all, w->out, w->a, w->b);
    }
}

double bench_batch(void *work, long count)
{
    bench_work *w = work;
    lg_batch all = lg_batch_default((size_t)w->elements);
    all.layout = w->layout;
    all.width = w->width;
    for (long done = 0; done < count; done += w->elements) w->failures += batch(w, &all) != LG_OK;
    return w->out[0];
}

/* Through the functions of one group ------------------------------------------------------------------------------- */

#define LOOP(name, size_out, size_a, size_b, call)                                                                     \
    static double name(void *work, long count)                                                                         \
    {                                                                                                                  \
        bench_work *w = work;                                                                                          \
        EACH(w, count, size_out, size_a, size_b, call)                                                                 \
        return w->out[0];                                                                                              \
    }

#define UNARY(group, op, size_out, size_a)                                                                             \
    LOOP(our_##group##_##op, size_out, size_a, 0, lg_##group##_##op(out, a))                                           \
    LOOP(book_##group##_##op, size_out, size_a, 0, textbook_##group##_##op(out, a))
#define CHECKED(group, op, size_out, size_a)                                                                           \
    LOOP(our_##group##_##op, size_out, size_a, 0, w->failures += lg_##group##_##op(out, a) != LG_OK)                   \
    LOOP(book_##group##_##op, size_out, size_a, 0, textbook_##group##_##op(out, a))
#define BINARY(group, op, size_out, size_a, size_b)                                                                    \
    LOOP(our_##group##_##op, size_out, size_a, size_b, lg_##group##_##op(out, a, b))                                   \
    LOOP(book_##group##_##op, size_out, size_a, size_b, textbook_##group##_##op(out, a, b))
#define OURS(group, op, size_out, size_a) LOOP(our_##group##_##op, size_out, size_a, 0, lg_##group##_##op(out, a))
#define OURS_CHECKED(group, op, size_out, size_a)                                                                      \
    LOOP(our_##group##_##op, size_out, size_a, 0, w->failures += lg_##group##_##op(out, a) != LG_OK)
#define GROUP(group, n, e)                                                                                             \
    UNARY(group, exp, e, n)                                                                                            \
    CHECKED(group, log, n, e)                                                                                          \
    UNARY(group, dexp, (n) * (n), n)                                                                                   \
    UNARY(group, dexp_inv, (n) * (n), n)                                                                               \
    BINARY(group, compose, e, e, e)                                                                                    \
    UNARY(group, inverse, e, e)                                                                                        \
    UNARY(group, Ad, (n) * (n), e)                                                                                     \
    BINARY(group, coAd_apply, n, e, n)

GROUP(so3, 3, 4)
UNARY(so3, cay, 4, 3)
CHECKED(so3, cay_inv, 3, 4)
UNARY(so3, dcay, 9, 3)
UNARY(so3, dcay_inv, 9, 3)
GROUP(se2, 3, 4)
OURS(se2, cay, 4, 3)
OURS_CHECKED(se2, cay_inv, 3, 4)
OURS(se2, dcay, 9, 3)
OURS(se2, dcay_inv, 9, 3)
GROUP(se3, 6, 7)
OURS(se3, cay, 7, 6)
OURS_CHECKED(se3, cay_inv, 6, 7)
OURS(se3, dcay, 36, 6)
OURS(se3, dcay_inv, 36, 6)

#define BOTH(group, op, best)                                                                                          \
    {                                                                                                                  \
        our_##group##_##op, book_##group##_##op, best                                                                  \
    }
#define ALONE(group, op)                                                                                               \
    {                                                                                                                  \
        our_##group##_##op, NULL, NAN                                                                                  \
    }
#define REST(group, compose_best)                                                                                      \
    BOTH(group, compose, compose_best), BOTH(group, inverse, NAN), BOTH(group, Ad, NAN), BOTH(group, coAd_apply, NAN)

/* In the order of bench_operation: with exp, with Cayley. */
static const bench_direct direct[3][2][BENCH_OPERATIONS] = {
    {{BOTH(so3, exp, 15), BOTH(so3, log, 21), BOTH(so3, dexp, 28), BOTH(so3, dexp_inv, 26), REST(so3, 2.5)},
     {BOTH(so3, cay, NAN), BOTH(so3, cay_inv, NAN), BOTH(so3, dcay, NAN), BOTH(so3, dcay_inv, NAN)}},
    {{BOTH(se2, exp, 11), BOTH(se2, log, 22), BOTH(se2, dexp, 11), BOTH(se2, dexp_inv, NAN), REST(se2, 2)},
     {ALONE(se2, cay), ALONE(se2, cay_inv), ALONE(se2, dcay), ALONE(se2, dcay_inv)}},
    {{BOTH(se3, exp, 46), BOTH(se3, log, 68), BOTH(se3, dexp, 108), BOTH(se3, dexp_inv, 117), REST(se3, 7.5)},
     {ALONE(se3, cay), ALONE(se3, cay_inv), ALONE(se3, dcay), ALONE(se3, dcay_inv)}},
};

bench_direct bench_direct_find(const lg_group *G, bench_operation operation, const char *retraction)
{
    static const bench_direct none = {NULL, NULL, NAN};
    const lg_group *const groups[3] = {lg_so3(), lg_se2(), lg_se3()};
    for (int i = 0; i < 3; i++) {
        if (groups[i] == G) return direct[i][strcmp(retraction, "cayley") == 0][operation];
    }
    return none;
}
