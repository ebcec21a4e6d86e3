/* SPDX-License-Identifier: BSD-3-Clause */
/** @file closed.h
 *  Functions of a factor's table that only call kernels of its group, one line each. In a group of n dimensions with e
 *  numbers in an element, `part` numbers from number `at` on have length 1. */
#ifndef LIEGRP_SRC_INTEGRATORS_FACTORS_CLOSED_H
#define LIEGRP_SRC_INTEGRATORS_FACTORS_CLOSED_H

#include "integrators/factors/legendre.h"
#include "integrators/steps/quadrature.h"

/* clang-format off */
/** lg_factor::flow by the retraction `map` with the tangent d`map`. */
#define LG_CLOSED_FLOW(name, group, map, n, e, part, at)                                                               \
    static int name(lg_workspace *w, const lg_block *b, duration h, const real *p_minus, real *xi, const real *g0,       \
                    real *g1, real *p_plus)                                                                            \
    {                                                                                                                  \
        real x[n], W[e];                                                                                               \
        int it = legendre_solve(w, b, n, b->factor->diagonal, group##_d##map##_inv_dual,                               \
                                group##_d##map##_inv_dual_derivative, h, p_minus, xi);                                 \
        for (int i = 0; i < n; i++) x[i] = h * xi[i];                                                                  \
        group##_##map(W, x);                                                                                           \
        group##_compose(g1, g0, W);                                                                                    \
        small_renormalise(part, g1 + at);                                                                              \
        group##_coAd(p_plus, W, p_minus);                                                                              \
        return it;                                                                                                     \
    }
/** lg_factor::advance by the retraction `map`, log map(x) = `factor` x. */
#define LG_CLOSED_ADVANCE(name, group, map, part, at, factor)                                                          \
    static int name(lg_workspace *w, const lg_factor_plan *f, const real *x, const real *g0, real *W, real *g1,        \
                    real *k)                                                                                           \
    {                                                                                                                  \
        (void)w, (void)f;                                                                                              \
        group##_##map(W, x);                                                                                           \
        group##_compose(g1, g0, W);                                                                                    \
        small_renormalise(part, g1 + at);                                                                              \
        *k = factor;                                                                                                   \
        return 0;                                                                                                      \
    }
/** lg_factor::points. */
#define LG_CLOSED_POINTS(name, group, n)                                                                               \
    static int name(lg_workspace *w, const lg_factor_plan *f, const lg_quadrature_node *c, int count, const real *y,   \
                    const real *g0, real *U, real *g, int stride)                                                      \
    {                                                                                                                  \
        (void)w, (void)f;                                                                                              \
        for (int k = 0; k < count; k++, U += stride, g += stride) {                                                    \
            real x[n];                                                                                                 \
            for (int i = 0; i < n; i++) x[i] = c[k].c * y[i];                                                          \
            group##_exp(U, x);                                                                                         \
            group##_compose(g, g0, U);                                                                                 \
        }                                                                                                              \
        return 0;                                                                                                      \
    }
/** lg_factor::transport and lg_factor::dual: a covector p at an element or an argument. */
#define LG_CLOSED_DUAL(name, kernel)                                                                                   \
    static int name(lg_workspace *w, const lg_factor_plan *f, const real *where, const real *p, real *out)             \
    {                                                                                                                  \
        (void)w, (void)f;                                                                                              \
        kernel(out, where, p);                                                                                         \
        return 0;                                                                                                      \
    }
/** lg_factor::settle. */
#define LG_CLOSED_SETTLE(name, part, at)                                                                               \
    static void name(const lg_factor_plan *f, real *g)                                                                 \
    {                                                                                                                  \
        (void)f;                                                                                                       \
        small_renormalise(part, g + at);                                                                               \
    }
/* clang-format on */

#endif
