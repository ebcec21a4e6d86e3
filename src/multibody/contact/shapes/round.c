/* SPDX-License-Identifier: BSD-3-Clause */
/* The gap of two cylinders or ellipsoids: the greatest F over all normals by Newton's method on the sphere, over those
 * across the axis of a cylinder, which its side has, and those along it, which its faces have. */
#include "multibody/contact/shapes/separate.h"

#include <float.h>
#include <math.h>

#include <liegrp/base/elementary.h>

enum { MB_ASCENTS_MOST = 60, MB_HALVES_MOST = 40, MB_TURNS_MOST = 120 };

#define MB_TURN 0.02 /* rad: the first turn of a normal, when the greatest F is sought on a circle */

double mb_round_support(const mb_shape *s, const double *n, double *y)
{
    if (s->kind == LG_SURFACE_ELLIPSOID) {
        double square = 0;
        for (int k = 0; k < 3; k++) square += s->half[k] * s->half[k] * n[k] * n[k];
        const double size = sqrt(square);
        for (int k = 0; k < 3; k++) y[k] = size > 0 ? s->half[k] * s->half[k] * n[k] / size : 0;
        return size;
    }
    const double across = sqrt(n[0] * n[0] + n[1] * n[1]);
    for (int k = 0; k < 2; k++) y[k] = across > 0 ? s->half[0] * n[k] / across : 0;
    y[2] = n[2] > 0 ? s->half[1] : n[2] < 0 ? -s->half[1] : 0;
    return s->half[0] * across + s->half[1] * fabs(n[2]);
}

/* t.(second derivative of the support function).t of tangents t and u. */
static double bend(const mb_shape *s, const double *n, const double *t, const double *u)
{
    double nn = 0, tu = 0, nt = 0, nu = 0;
    const int ellipsoid = s->kind == LG_SURFACE_ELLIPSOID;
    for (int k = 0; k < (ellipsoid ? 3 : 2); k++) {
        const double w = ellipsoid ? s->half[k] * s->half[k] : 1;
        nn += w * n[k] * n[k], tu += w * t[k] * u[k], nt += w * n[k] * t[k], nu += w * n[k] * u[k];
    }
    if (!(nn > 0)) return 0;
    return (ellipsoid ? 1 : s->half[0]) * (tu - nt * nu / nn) / sqrt(nn);
}

/* A host and a guest at a place in its frame; guest NULL: a point. */
typedef struct mb_rounds {
    const mb_shape *host, *guest;
    const mb_placing *at;
    double size;
} mb_rounds;

/* F(n), and the points of both, in the host's frame. */
static double value(const mb_rounds *r, const double *n, double *on_host, double *on_guest)
{
    double back[3], both = mb_round_support(r->host, n, on_host);
    for (int k = 0; k < 3; k++) back[k] = -n[k], on_guest[k] = 0;
    mb_back3(back, r->at->R, back);
    if (r->guest != NULL) both += mb_round_support(r->guest, back, on_guest);
    mb_turn3(on_guest, r->at->R, on_guest);
    for (int k = 0; k < 3; k++) on_guest[k] += r->at->x[k];
    return mb_dot3(n, r->at->x) - both;
}

static double curvature(const mb_rounds *r, const double *n, const double *t, const double *u)
{
    double of[3][3];
    if (r->guest == NULL) return bend(r->host, n, t, u);
    mb_back3(of[0], r->at->R, n), mb_back3(of[1], r->at->R, t), mb_back3(of[2], r->at->R, u);
    return bend(r->host, n, t, u) + bend(r->guest, of[0], of[1], of[2]);
}

/* The step of Newton's method among unit vectors, across `axis` if it is given. */
static void step_of(const mb_rounds *r, const double *n, double F, const double *slope, const double *axis,
                    double *step)
{
    const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : fabs(n[1]) < fabs(n[2]) ? 1 : 2;
    double t[2][3];
    const double e[3] = {least == 0, least == 1, least == 2};
    mb_cross3(t[0], axis != NULL ? axis : e, n);
    const double length = sqrt(mb_dot3(t[0], t[0]));
    for (int k = 0; k < 3; k++) t[0][k] /= length;
    mb_cross3(t[1], n, t[0]);
    const double ga = mb_dot3(slope, t[0]), gb = mb_dot3(slope, t[1]), soft = 1e-8 * r->size;
    double a = curvature(r, n, t[0], t[0]) + F, x, y = 0;
    if (axis != NULL) {
        x = ga / fmax(a, soft);
    } else {
        double b = curvature(r, n, t[0], t[1]), d = curvature(r, n, t[1], t[1]) + F;
        const double middle = 0.5 * (a + d), spread = sqrt(0.25 * (a - d) * (a - d) + b * b);
        const double more = middle - spread < soft ? soft - (middle - spread) : 0; /* it shall be definite */
        a += more, d += more;
        const double det = a * d - b * b;
        x = (d * ga - b * gb) / det, y = (a * gb - b * ga) / det;
    }
    for (int k = 0; k < 3; k++) step[k] = x * t[0][k] + y * t[1][k];
}

/* Climbs from n; returns F. */
static double ascend(const mb_rounds *r, double *n, const double *axis)
{
    double p[3], q[3], slope[3], step[3], next[3];
    double F = value(r, n, p, q);
    for (int i = 0; i < MB_ASCENTS_MOST; i++) {
        for (int k = 0; k < 3; k++) slope[k] = q[k] - p[k];
        step_of(r, n, F, slope, axis, step);
        double share = 1, G = F;
        const double length = sqrt(mb_dot3(step, step));
        if (!(length > 2 * DBL_EPSILON)) break;
        if (length > 0.5) share = 0.5 / length;
        int higher = 0;
        for (int half = 0; half < MB_HALVES_MOST && !higher; half++, share *= 0.5) {
            for (int k = 0; k < 3; k++) next[k] = n[k] + share * step[k];
            const double size = sqrt(mb_dot3(next, next));
            for (int k = 0; k < 3; k++) next[k] /= size;
            G = value(r, next, p, q);
            higher = G > F || (half == 0 && G >= F - 4 * DBL_EPSILON * r->size && length < 1e-6);
        }
        if (!higher) break;
        for (int k = 0; k < 3; k++) n[k] = next[k];
        F = G;
        if (length < 1e-9) break; /* it converges quadratically */
    }
    return value(r, n, p, q);
}

/* Tries n: the point that touches is the guest's if the host has a line or a face there, else the host's. */
static void try_normal(const mb_rounds *r, const double *n, int of_guest, mb_apart *to)
{
    double p[3], q[3];
    const double F = value(r, n, p, q);
    if (!(F > to->gap)) return;
    to->gap = F;
    for (int k = 0; k < 3; k++) to->normal[k] = n[k], to->foot[k] = of_guest ? q[k] : p[k] + F * n[k];
}

/* The sides of two cylinders that cross. */
static void try_sides(const mb_rounds *r, mb_apart *to)
{
    const double a[3] = {0, 0, 1}, b[3] = {r->at->R[2], r->at->R[5], r->at->R[8]}, *x = r->at->x;
    double n[3], p[3], q[3], c[3];
    mb_cross3(n, a, b);
    const double square = mb_dot3(n, n);
    if (!(square > 1e-12)) return;
    mb_cross3(c, x, a);
    const double t = mb_dot3(c, n) / square;
    /* What of x is across both axes: the direction a x b of axes that are nearly parallel is rounded. */
    const double past = (x[0] * b[0] + x[1] * b[1]) / (b[0] * b[0] + b[1] * b[1]);
    for (int k = 0; k < 3; k++) n[k] = k < 2 ? x[k] - past * b[k] : 0;
    const double size = sqrt(mb_dot3(n, n));
    if (!(size > 1e-9 * r->size)) return;
    for (int k = 0; k < 3; k++) n[k] /= size;
    const double F = value(r, n, p, q), sides = mb_dot3(n, x) - (r->host->half[0] + r->guest->half[0]);
    if (!(F > to->gap) || F < sides - 1e-9 * r->size) return;
    to->gap = sides;
    for (int k = 0; k < 3; k++) to->normal[k] = n[k], to->foot[k] = x[k] + t * b[k] - r->guest->half[0] * n[k];
}

static void try_cylinder(const mb_rounds *r, const double *axis, const double *guess, int of_guest, mb_apart *to)
{
    double n[3];
    for (int side = -1; side < 2; side += 2) {
        for (int k = 0; k < 3; k++) n[k] = side * axis[k];
        try_normal(r, n, of_guest, to);
    }
    const double along = mb_dot3(guess, axis);
    for (int k = 0; k < 3; k++) n[k] = guess[k] - along * axis[k];
    const double size = sqrt(mb_dot3(n, n));
    if (!(size > 1e-9)) return;
    for (int k = 0; k < 3; k++) n[k] /= size;
    (void)ascend(r, n, axis);
    try_normal(r, n, of_guest, to);
}

/* Between a cylinder's side and its face, as its rim has them at x, which is in its frame: across `edge`, if given. */
static int rim_normal(double *n, const double *x, const double *edge)
{
    const double far = sqrt(x[0] * x[0] + x[1] * x[1]);
    if (!(far > 0)) return 0;
    n[0] = x[0] / far, n[1] = x[1] / far, n[2] = x[2] < 0 ? -1 : 1;
    const double along = edge != NULL ? mb_dot3(n, edge) / mb_dot3(edge, edge) : 0;
    for (int k = 0; k < 3 && edge != NULL; k++) n[k] -= along * edge[k];
    const double size = sqrt(mb_dot3(n, n));
    for (int k = 0; k < 3; k++) n[k] /= size;
    return size > 1e-9;
}

/* The slope of F = n.p - s(n) along the circle of normals n = cos(turn) n0 + sin(turn) t0. */
static double turned(const mb_shape *host, const double *p, const double *n0, const double *t0, double turn, double *n)
{
    double y[3], slope = 0;
    double c, s;
    lg_real_sincos(&s, &c, turn);
    for (int k = 0; k < 3; k++) n[k] = c * n0[k] + s * t0[k];
    (void)mb_round_support(host, n, y);
    for (int k = 0; k < 3; k++) slope += (p[k] - y[k]) * (c * t0[k] - s * n0[k]);
    return slope;
}

int mb_rim_apart(const mb_shape *host, const double *p, const double *edge, double *normal)
{
    double n0[3], t0[3], lo = 0, hi = 0, step = MB_TURN, low = 1, high = 1;
    if (!rim_normal(n0, p, edge)) return 0;
    mb_cross3(t0, edge, n0);
    const double length = sqrt(mb_dot3(t0, t0));
    for (int k = 0; k < 3; k++) t0[k] /= length;
    double f = turned(host, p, n0, t0, 0, normal), g = f;
    if (f < 0) step = -step;
    while (g * step > 0 && fabs(hi) < 1.5)
        lo = hi, f = g, hi += step, step *= 2, g = turned(host, p, n0, t0, hi, normal);
    if (g * step > 0) return 0;
    for (int i = 0; i < MB_TURNS_MOST && g != 0; i++) { /* regula falsi (Illinois) with bisections between */
        double at = i % 2 ? 0.5 * (lo + hi) : lo + (hi - lo) * (low * f / (low * f - high * g));
        if (!((at > lo && at < hi) || (at < lo && at > hi))) break;
        const double slope = turned(host, p, n0, t0, at, normal);
        if (slope * f > 0)
            lo = at, f = slope, low = 1, high *= 0.5;
        else
            hi = at, g = slope, high = 1, low *= 0.5;
    }
    return 1;
}

/* Rims, from where the shapes are nearest as far as is known: from the normals that either has there, and between. */
static void try_rims(const mb_rounds *r, mb_apart *to)
{
    double n[3][3] = {{0}}, x[3];
    const double *foot = to->foot;
    for (int k = 0; k < 3; k++) x[k] = foot[k] - r->at->x[k];
    mb_back3(x, r->at->R, x);
    if (r->host->kind == LG_SURFACE_CYLINDER) (void)rim_normal(n[0], foot, NULL);
    if (r->guest->kind == LG_SURFACE_CYLINDER) (void)rim_normal(n[1], x, NULL);
    mb_turn3(n[1], r->at->R, n[1]);
    for (int k = 0; k < 3; k++) n[1][k] = -n[1][k], n[2][k] = n[0][k] + n[1][k];
    for (int i = 0; i < 3; i++) {
        const double size = sqrt(mb_dot3(n[i], n[i]));
        if (!(size > 1e-9)) continue;
        for (int k = 0; k < 3; k++) n[i][k] /= size;
        (void)ascend(r, n[i], NULL);
        try_normal(r, n[i], 1, to);
    }
}

void mb_rounds_apart(const mb_shape *host, const mb_shape *guest, const mb_placing *at, mb_apart *to)
{
    const double z[3] = {0, 0, 1}, axis[3] = {at->R[2], at->R[5], at->R[8]};
    const mb_rounds r = {host, guest, at,
                         host->half[0] + host->half[1] + host->half[2] + guest->half[0] + guest->half[1]};
    double guess[2][3], back[3];
    to->gap = -INFINITY;
    (void)mb_point_apart(host, at->x, guess[0]);
    mb_back3(back, at->R, at->x);
    for (int k = 0; k < 3; k++) back[k] = -back[k];
    (void)mb_point_apart(guest, back, guess[1]);
    mb_turn3(guess[1], at->R, guess[1]);
    for (int k = 0; k < 3; k++) guess[1][k] = -guess[1][k];
    for (int i = 0; i < 2; i++) {
        double n[3] = {guess[i][0], guess[i][1], guess[i][2]};
        if (host->kind == LG_SURFACE_CYLINDER) try_cylinder(&r, z, n, 1, to);
        if (guest->kind == LG_SURFACE_CYLINDER) try_cylinder(&r, axis, n, 0, to);
        (void)ascend(&r, n, NULL);
        try_normal(&r, n, 1, to);
    }
    try_rims(&r, to);
    if (host->kind == LG_SURFACE_CYLINDER && guest->kind == LG_SURFACE_CYLINDER) try_sides(&r, to);
}
