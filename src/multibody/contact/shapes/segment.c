/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance from a convex core along a segment is convex: its least is where its slope n.e changes sign. */
#include "multibody/contact/shapes/shape.h"

#include <float.h>
#include <math.h>

enum { MB_SLOPES_MOST = 120 };

double mb_segment_apart(const mb_shape *s, const double *m, const double *e, double *t, double *normal)
{
    const double level = 2 * DBL_EPSILON * sqrt(mb_dot3(e, e));
    double p[3], lo = -1, hi = 1, apart = 0, at = 0, f = 0, g = 0, low = 1, high = 1;
    for (int i = 0; i < MB_SLOPES_MOST; i++) {
        /* Regula falsi (Illinois) with bisections between. */
        at = i == 0       ? -1
             : i == 1     ? 1
             : i % 2 == 1 ? 0.5 * (lo + hi)
                          : lo + (hi - lo) * (low * f / (low * f - high * g));
        if (i > 1 && !(at > lo && at < hi)) at = 0.5 * (lo + hi);
        if (i > 1 && !(at > lo && at < hi)) break;
        for (int k = 0; k < 3; k++) p[k] = m[k] + at * e[k];
        apart = mb_point_apart(s, p, normal);
        const double slope = mb_dot3(normal, e);
        if (fabs(slope) <= level || (i == 0 && slope > 0) || (i == 1 && slope < 0)) break;
        if (i < 2) {
            *(i == 0 ? &f : &g) = slope;
        } else if (slope < 0) {
            lo = at, f = slope, low = 1, high *= 0.5;
        } else {
            hi = at, g = slope, high = 1, low *= 0.5;
        }
    }
    *t = at;
    return apart;
}
