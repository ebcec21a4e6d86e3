/* SPDX-License-Identifier: BSD-3-Clause */
/* search.h: the root of a function in a bracket. The finder is T. R. Chandrupatla, A new hybrid quadratic/bisection
 * algorithm for finding the zero of a nonlinear function without using derivatives, Adv. Eng. Softw. 28 (1997), from a
 * secant instead of a bisection. */
#ifndef LG_INTEGRATORS_SEARCH_H
#define LG_INTEGRATORS_SEARCH_H

#include <math.h>

/* After so many points the rest is bisection: at most 50 to the smallest tolerance. */
#define LG_SEARCH_TRIES 40

/* x[0] is the newest point, x[1] the other end of the bracket, x[2] the one that was dropped last. */
typedef struct lg_search {
    double x[3], f[3];
    int tries;
} lg_search;

/* The next s: inverse quadratic interpolation where the three points say that it may be trusted, else the middle; away
 * from both ends so that the bracket closes. */
static inline double lg_search_propose(const lg_search *r, double tolerance)
{
    const double *x = r->x, *f = r->f, width = fabs(x[1] - x[0]);
    double t = 0.5, least = tolerance / width;
    if (!r->tries) {
        t = f[0] / (f[0] - f[1]);
    } else if (r->tries < LG_SEARCH_TRIES) {
        double xi = (x[0] - x[1]) / (x[2] - x[1]), phi = (f[0] - f[1]) / (f[2] - f[1]);
        if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)
            t = f[0] / (f[1] - f[0]) * (f[2] / (f[1] - f[2])) +
                (x[2] - x[0]) / (x[1] - x[0]) * (f[0] / (f[2] - f[0])) * (f[1] / (f[2] - f[1]));
    }
    if (!(t >= 0 && t <= 1)) t = 0.5; /* f is infinite at an end */
    t = fmin(fmax(t, fmin(least, 0.5)), 1 - fmin(least, 0.5));
    return x[0] + t * (x[1] - x[0]);
}

static inline void lg_search_insert(lg_search *r, double x, double f)
{
    int same = (f < 0) == (r->f[0] < 0);
    r->x[2] = r->x[!same], r->f[2] = r->f[!same];
    if (!same) r->x[1] = r->x[0], r->f[1] = r->f[0];
    r->x[0] = x, r->f[0] = f;
    r->tries++;
}

#endif
