/* SPDX-License-Identifier: BSD-3-Clause */
/* Callbacks on vector lanes. All that steps evaluate (potential and gradient, metric and gradient, force, rows, drift,
 * positions), and the derivatives of rows and gradients, are written once against `real`, one number of every lane, and
 * compiled once per width, like the kernels: src/meson.build lists such files. In one of them
 *
 *     K int rows(const lane_call *c, const real *g, real *mu, real *Y) { ... }
 *     LG_LANED_COVECTORS(lg_snakeboard_rows, rows)
 *
 *     #if LANES == 1
 *     ... the rest: parameters, initial data, invariants, exact solution, definition ...
 *     #endif
 *
 * makes lg_snakeboard_rows() the callback, and the definition says `.lanes = LG_LANED_ALL`. At width 1 `real` is
 * double. The unit of tangents (base/tangent.h) compiles these files, too, and steps are differentiated through them.
 *
 * All lanes run the same instructions: if one instance needs another case than its neighbour, both cases are computed
 * and sel() selects. Nonzero, as from a callback, if any lane fails; the step is then done lane by lane. */
#ifndef LG_CATALOG_LANED_H
#define LG_CATALOG_LANED_H

#include <string.h>

#include <liegrp/mechanics/system.h>

#include "base/lane.h"
#include "base/width.h"
#include "mechanics/field.h"

/* lg_call as these functions see it. */
typedef struct lane_call {
    const real *param, *control;
    const lg_call *of;
} lane_call;

/* The value of lg_callbacks::lanes for such systems. */
enum { LG_LANED_ALL = LG_LANES_OWN_TIMES | LG_LANES_DERIVATIVES | LG_LANES_TANGENTS };

#define LG_LANED_FIELD(name, of)                                                                                       \
    LG_LANED(name, (const lg_call *c, const double *g, double *out), (c, g, out),                                      \
             of(&call, (const real *)g, (real *)out))
#define LG_LANED_ALONG(name, of)                                                                                       \
    LG_LANED(name, (const lg_call *c, const double *g, const double *xi, double *out), (c, g, xi, out),                \
             of(&call, (const real *)g, (const real *)xi, (real *)out))
#define LG_LANED_COVECTORS(name, of)                                                                                   \
    LG_LANED(name, (const lg_call *c, const double *g, double *mu, double *Y), (c, g, mu, Y),                          \
             of(&call, (const real *)g, (real *)mu, (real *)Y))

#define LG_LANED_COVECTORS_ALONG(name, of)                                                                             \
    LG_LANED_RATE(name, (const lg_call *c, const double *g, const double *eta, double *dmu, double *dY),               \
                  (c, g, eta, dmu, dY), of(&call, (const real *)g, (const real *)eta, (real *)dmu, (real *)dY))

/* dV = 0, for systems without potential. */
KERNEL int no_gradient(const lane_call *c, const real *g, real *dV)
{
    (void)c, (void)g, (void)dV;
    return 0;
}

/* lg_together::value from the three functions that it replaces, for elements of e numbers and velocities of n: compiled
 * as one they share common subexpressions, since their outputs cannot alias their inputs. */
#define LG_LANED_TOGETHER(name, e, n, rows, along, gradient)                                                           \
    KERNEL int name##_of(const lane_call *c, const real *g, const real *xi, real *mu, real *Y, real *dmu, real *dY,    \
                         real *dV)                                                                                     \
    {                                                                                                                  \
        real at[e], eta[n];                                                                                            \
        for (int i = 0; i < (e); i++) at[i] = g[i];                                                                    \
        for (int i = 0; i < (n); i++) eta[i] = xi[i];                                                                  \
        return rows(c, at, mu, Y) || along(c, at, eta, dmu, dY) || gradient(c, at, dV);                                \
    }                                                                                                                  \
    LG_LANED_PLAIN(name,                                                                                               \
                   (const lg_call *c, const double *g, const double *xi, double *mu, double *Y, double *dmu,           \
                    double *dY, double *dV),                                                                           \
                   (c, g, xi, mu, Y, dmu, dY, dV),                                                                     \
                   name##_of(&call, (const real *)g, (const real *)xi, (real *)mu, (real *)Y, (real *)dmu, (real *)dY, \
                             (real *)dV))

#define LG_LANED_CALL const lane_call call = {(const real *)c->param, (const real *)c->control, c}

#if LANES == 1

#ifdef LG_TANGENTS
#define LG_LANED_TANGENTS(X, name, what)                                                                               \
    X(name##_t2, -2, what) LG_IF_WIDTH_4(X(name##_t4, -4, what)) LG_IF_WIDTH_8(X(name##_t8, -8, what))
#define LG_LANED_CURVED(X, name, what)                                                                                 \
    X(name##_c2, -2 * LG_CURVED_LANES, what)                                                                           \
    LG_IF_WIDTH_4(X(name##_c4, -4 * LG_CURVED_LANES, what)) LG_IF_WIDTH_8(X(name##_c8, -8 * LG_CURVED_LANES, what))
#else
#define LG_LANED_TANGENTS(X, name, what)
#define LG_LANED_CURVED(X, name, what)
#endif
/* The widths of this build: of every callback, of those that collocation alone calls with tangents, which have no
 * second derivatives, and of those that nobody calls with tangents. The caller makes sure that the processor has the
 * width (lg_call::lanes). */
#define LG_LANED_PLAIN_WIDTHS(X, name, what)                                                                           \
    X(name##_x2, 2, what) LG_IF_WIDTH_4(X(name##_x4, 4, what)) LG_IF_WIDTH_8(X(name##_x8, 8, what))
#define LG_LANED_RATE_WIDTHS(X, name, what)       LG_LANED_PLAIN_WIDTHS(X, name, what) LG_LANED_TANGENTS(X, name, what)
#define LG_LANED_ALL_WIDTHS(X, name, what)        LG_LANED_RATE_WIDTHS(X, name, what) LG_LANED_CURVED(X, name, what)
#define LG_LANED_DECLARE(name, width, parameters) int name parameters;
#define LG_LANED_DISPATCH(name, width, arguments)                                                                      \
    if (c->lanes == (width)) return name arguments;

#define LG_LANED_OF(WIDTHS, name, parameters, arguments, answer)                                                       \
    WIDTHS(LG_LANED_DECLARE, name, parameters)                                                                         \
    int name parameters;                                                                                               \
    int name parameters                                                                                                \
    {                                                                                                                  \
        if (c->lanes != 1) {                                                                                           \
            WIDTHS(LG_LANED_DISPATCH, name, arguments)                                                                 \
            return 1;                                                                                                  \
        }                                                                                                              \
        LG_LANED_CALL;                                                                                                 \
        return answer;                                                                                                 \
    }

#define LG_LANED(name, parameters, arguments, answer)                                                                  \
    LG_LANED_OF(LG_LANED_ALL_WIDTHS, name, parameters, arguments, answer)
#define LG_LANED_RATE(name, parameters, arguments, answer)                                                             \
    LG_LANED_OF(LG_LANED_RATE_WIDTHS, name, parameters, arguments, answer)
#define LG_LANED_PLAIN(name, parameters, arguments, answer)                                                            \
    LG_LANED_OF(LG_LANED_PLAIN_WIDTHS, name, parameters, arguments, answer)

#elif defined(LG_TANGENT)

#ifdef LG_CURVED
#define LG_LANED_JOIN(name, vector) name##_c##vector
#else
#define LG_LANED_JOIN(name, vector) name##_t##vector
#endif
#define LG_LANED_NAME(name, vector) LG_LANED_JOIN(name, vector)
#define LG_LANED(name, parameters, arguments, answer)                                                                  \
    extern "C" int LG_LANED_NAME(name, LG_TANGENT) parameters;                                                         \
    int LG_LANED_NAME(name, LG_TANGENT) parameters                                                                     \
    {                                                                                                                  \
        LG_LANED_CALL;                                                                                                 \
        return (answer) ? 1 : LG_TANGENT_ANSWER;                                                                       \
    }
#define LG_LANED_PLAIN(name, parameters, arguments, answer)
#ifdef LG_CURVED
#define LG_LANED_RATE(name, parameters, arguments, answer)
#else
#define LG_LANED_RATE LG_LANED
#endif

#else

#define LG_LANED_JOIN(name, width) name##_x##width
#define LG_LANED_NAME(name, width) LG_LANED_JOIN(name, width)
#define LG_LANED(name, parameters, arguments, answer)                                                                  \
    int LG_LANED_NAME(name, LANES) parameters;                                                                         \
    int LG_LANED_NAME(name, LANES) parameters                                                                          \
    {                                                                                                                  \
        LG_LANED_CALL;                                                                                                 \
        return answer;                                                                                                 \
    }
#define LG_LANED_RATE  LG_LANED
#define LG_LANED_PLAIN LG_LANED

#endif

/* The time of each lane. */
KERNEL real time_of(const lane_call *c)
{
#if LANES == 1
    return c->of->t;
#else
    real t;
    memcpy(&t, c->of->times, sizeof t); /* which need not be aligned */
    return t;
#endif
}

/* sin x and cos x with the bits of lg_real_sincos(). */
KERNEL void sincos_of(real x, real *s, real *c)
{
    real sine;
    lane_sincos(x, &sine, c);
    *s = sel(x == 0.0, x, sine); /* keeps the sign of zero */
}
KERNEL real sin_of(real x)
{
    real s, c;
    sincos_of(x, &s, &c);
    return s;
}
KERNEL real cos_of(real x)
{
    real s, c;
    sincos_of(x, &s, &c);
    return c;
}

#endif
