/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of a point from cores of shapes, in their frames. */
#include "multibody/contact/shapes/shape.h"

#include <float.h>
#include <math.h>

enum { MB_ROOT_MOST = 80 };

/* |v| with v/|v|, or the axis `otherwise` if v is 0. */
static double length_of(double *normal, const double *v, int otherwise)
{
    const double length = sqrt(mb_dot3(v, v));
    for (int k = 0; k < 3; k++) normal[k] = length > 0 ? v[k] / length : k == otherwise;
    return length;
}

/* q: how far p is beyond the core along two directions that are perpendicular, negative inside. */
static double beyond(const double *q, double *share)
{
    if (q[0] <= 0 && q[1] <= 0) {
        const int nearer = q[1] > q[0];
        share[0] = !nearer, share[1] = nearer;
        return q[nearer];
    }
    const double x = fmax(q[0], 0), y = fmax(q[1], 0), length = sqrt(x * x + y * y);
    share[0] = x / length, share[1] = y / length;
    return length;
}

/* A cylinder about z, or a disk, of height 0. */
static double from_cylinder(const mb_shape *s, const double *p, double *normal)
{
    const double far = sqrt(p[0] * p[0] + p[1] * p[1]), height = s->kind == LG_SURFACE_DISK ? 0 : s->half[1];
    const double q[2] = {far - s->half[0], fabs(p[2]) - height};
    double share[2];
    const double apart = beyond(q, share);
    normal[0] = far > 0 ? share[0] * p[0] / far : share[0], normal[1] = far > 0 ? share[0] * p[1] / far : 0;
    normal[2] = p[2] < 0 ? -share[1] : share[1];
    return apart;
}

/* The circle of a torus. */
static double from_circle(const mb_shape *s, const double *p, double *normal)
{
    const double far = sqrt(p[0] * p[0] + p[1] * p[1]), out = far - s->half[0];
    const double v[3] = {far > 0 ? out * p[0] / far : out, far > 0 ? out * p[1] / far : 0, p[2]};
    return length_of(normal, v, 2);
}

/* The point of the ellipsoid that is nearest is D^2 p/(t + D^2), where t makes S = |D p/(t + D^2)|^2 = 1: Newton's
 * iteration for 1/sqrt(S) = 1, between bounds. */
static double from_ellipsoid(const mb_shape *s, const double *p, double *normal)
{
    const double *D = s->half, least = fmin(D[0], fmin(D[1], D[2]));
    const double floor = -least * least * (1 - 1e-9);
    double lo = floor, hi = 0, t, v[3];
    for (int k = 0; k < 3; k++) lo = fmax(lo, D[k] * fabs(p[k]) - D[k] * D[k]);
    for (int k = 0; k < 3; k++) hi += D[k] * D[k] * p[k] * p[k];
    hi = fmax(sqrt(hi) - least * least, lo), t = lo;
    for (int i = 0; i < MB_ROOT_MOST; i++) {
        double S = 0, slope = 0;
        for (int k = 0; k < 3; k++) {
            const double y = t + D[k] * D[k], x = D[k] * p[k] / y;
            S += x * x, slope -= 2 * x * x / y;
        }
        *(S > 1 ? &lo : &hi) = t;
        const double step = slope < 0 ? 2 * S * (1 - sqrt(S)) / slope : 0, next = t + step;
        if (fabs(step) <= DBL_EPSILON * (fabs(t) + least * least) || hi - lo <= DBL_EPSILON * (t + least * least))
            break;
        t = next > lo && next < hi ? next : 0.5 * (lo + hi);
    }
    for (int k = 0; k < 3; k++) v[k] = p[k] / (t + D[k] * D[k]);
    return t * length_of(normal, v, D[0] == least ? 0 : D[1] == least ? 1 : 2);
}

/* ---- polytopes ---- */

/* v: from the segment a b to p. */
static void from_segment(double *v, const double *a, const double *b, const double *p)
{
    double e[3], d[3];
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k], d[k] = p[k] - a[k];
    const double t = fmin(fmax(mb_dot3(d, e) / mb_dot3(e, e), 0), 1);
    for (int k = 0; k < 3; k++) v[k] = t < 0.5 ? d[k] - t * e[k] : (p[k] - b[k]) + (1 - t) * e[k];
}

/* 1: the foot of p on the plane of face f is in it; else v is from its boundary to p. */
static int over_face(const mb_polytope *s, int f, const double *p, double *v)
{
    double least = INFINITY;
    int inside = 1;
    for (int i = s->first[f], before = s->first[f + 1] - 1; i < s->first[f + 1]; before = i++) {
        const double *a = s->corner + 3 * s->loop[before], *b = s->corner + 3 * s->loop[i];
        double e[3], d[3], out[3], near[3];
        for (int k = 0; k < 3; k++) e[k] = b[k] - a[k], d[k] = p[k] - a[k];
        mb_cross3(out, e, s->normal + 3 * f);
        if (mb_dot3(out, d) <= 0) continue;
        inside = 0;
        from_segment(near, a, b, p);
        const double square = mb_dot3(near, near);
        if (square < least) least = square, v[0] = near[0], v[1] = near[1], v[2] = near[2];
    }
    return inside;
}

static double from_polytope(const mb_polytope *s, const double *p, double *normal)
{
    double highest = -INFINITY, least = INFINITY, v[3] = {0};
    int above = 0, face = -1;
    for (int f = 0; f < s->faces; f++) {
        const double height = mb_dot3(s->normal + 3 * f, p) - s->height[f];
        if (height > highest) highest = height, above = f;
    }
    for (int f = 0; f < s->faces && highest > 0; f++) {
        const double height = mb_dot3(s->normal + 3 * f, p) - s->height[f];
        double near[3];
        if (height <= 0) continue;
        const int over = over_face(s, f, p, near);
        const double apart = over ? height : sqrt(mb_dot3(near, near));
        if (apart >= least) continue;
        least = apart, face = over ? f : -1;
        for (int k = 0; k < 3 && !over; k++) v[k] = near[k];
    }
    if (!(highest > 0)) face = above, least = highest;
    if (face < 0) return length_of(normal, v, 0);
    for (int k = 0; k < 3; k++) normal[k] = s->normal[3 * face + k];
    return least;
}

double mb_point_apart(const mb_shape *s, const double *p, double *normal)
{
    const double up = fmin(fmax(p[2], -s->half[1]), s->half[1]);
    switch (s->kind) {
    case LG_SURFACE_CAPSULE:
        return length_of(normal, (const double[]){p[0], p[1], p[2] - up}, 0);
    case LG_SURFACE_CYLINDER:
    case LG_SURFACE_DISK:
        return from_cylinder(s, p, normal);
    case LG_SURFACE_TORUS:
        return from_circle(s, p, normal);
    case LG_SURFACE_ELLIPSOID:
        return from_ellipsoid(s, p, normal);
    case LG_SURFACE_BOX:
    case LG_SURFACE_HULL:
        return from_polytope(s->solid, p, normal);
    default:
        return length_of(normal, p, 2);
    }
}
