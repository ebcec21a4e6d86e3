/* SPDX-License-Identifier: BSD-3-Clause */
/** @file spline.h
 *  Cubic splines on any group that has an exponential, with velocity and acceleration.
 *
 *  Both kinds are cumulative, g(u) = g_0 exp(c_1(u) w_1) exp(c_2(u) w_2) exp(c_3(u) w_3) in each interval, 0 <= u <= 1
 *  (M. Kim, M. Kim, S. Shin, A general construction scheme for unit quaternion curves, SIGGRAPH 1995):
 *  - *B-spline* (lg_spline_create_bspline()): w_j = log(g_{j-1}^-1 g_j) of four neighbours among the control elements,
 *    c = ((5 + 3u - 3u^2 + u^3)/6, (1 + 3u + 3u^2 - 2u^3)/6, u^3/6). Position, velocity and acceleration are continuous
 *    (C^2). It passes near the control elements, not through them.
 *  - *Hermite* (lg_spline_create_hermite()): through given elements with given velocities; the cubic Bezier curve with
 *    w_1 = h xi_0/3, w_3 = h xi_1/3, exp(w_2) = exp(-w_1) g_0^-1 g_1 exp(-w_3) and c = (1 - (1-u)^3, 3u^2 - 2u^3, u^3).
 *    Position and velocity are continuous (C^1); the acceleration is not.
 *
 *  Left-invariant: from the elements a g_i the curve is a g(t). Neighbours must be near enough for the logarithm: less
 *  than pi apart in angle. Velocities are left-trivialised, xi = g^-1 dg/dt, and the acceleration is dxi/dt. On R^n
 *  these are the ordinary cubic splines. */
#ifndef LIEGRP_GROUPS_SPLINE_H
#define LIEGRP_GROUPS_SPLINE_H

#include "group.h"

LG_BEGIN

/** A curve on a group, made of cubic pieces. It belongs to one thread at a time. */
typedef struct lg_spline lg_spline;

/** *s = the B-spline of `count` control elements, one after the other in `control`, on [t0, t0 + (count - 3) h]: the
 *  piece number i of length h is made of the control elements i, ..., i + 3. The elements are copied; G must outlive s.
 *  - LG_ERROR_ARGUMENT: a NULL, count < 4, or h is not positive or a time is not finite.
 *  - LG_ERROR_UNSUPPORTED: G has no exponential or no logarithm.
 *  - LG_ERROR_DOMAIN: two neighbours have no logarithm between them; the message has their numbers.
 *  - LG_ERROR_NOT_FINITE: an element has a number that is not finite.
 *  - LG_ERROR_MEMORY: out of memory. */
LG_API LG_MUST_CHECK lg_status lg_spline_create_bspline(lg_spline **s, const lg_group *G, const double *control,
                                                        int count, double t0, double h, lg_error *error);
/** *s = the Hermite spline through `count` elements g at the increasing times `times`, with the velocities xi
 *  (lg_group_dim() numbers each). The arrays are copied; G must outlive s.
 *  - LG_ERROR_ARGUMENT: a NULL, count < 2, or the times do not increase or are not finite.
 *  - LG_ERROR_UNSUPPORTED, LG_ERROR_DOMAIN, LG_ERROR_NOT_FINITE, LG_ERROR_MEMORY: as lg_spline_create_bspline(). */
LG_API LG_MUST_CHECK lg_status lg_spline_create_hermite(lg_spline **s, const lg_group *G, const double *times,
                                                        const double *g, const double *xi, int count, lg_error *error);
/** Frees a spline; NULL is ignored. */
LG_API void lg_spline_destroy(lg_spline *s);

/** First time of the curve. */
LG_API double lg_spline_begin(const lg_spline *s);
/** Last time of the curve. */
LG_API double lg_spline_end(const lg_spline *s);
/** g, the velocity xi = g^-1 dg/dt and the acceleration dxi/dt at time t; each may be NULL. At a seam the later piece
 *  counts. Nothing is allocated.
 *  - LG_ERROR_ARGUMENT: s is NULL.
 *  - LG_ERROR_DOMAIN: t is NaN or outside [lg_spline_begin(), lg_spline_end()]. */
LG_API LG_MUST_CHECK lg_status lg_spline_evaluate(lg_spline *s, double *g, double *xi, double *acceleration, double t);

LG_END

#endif
