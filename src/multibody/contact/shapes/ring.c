/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a circle and a line are nearest, near a place where they would touch: the foot y of the way d from the circle
 * to the line has d.(t - e (t.e)) = 0 with the tangent t of the circle and the direction e of the line. The normal t x
 * e is smooth where they cross, where d is no direction. */
#include "multibody/contact/shapes/ring.h"

#include <float.h>
#include <math.h>

#include <liegrp/base/elementary.h>

enum { MB_RING_MOST = 30 };

#define MB_UPRIGHT 0.7 /* a line that is steeper passes the circle at its side, else over its face */

int mb_ring_is_upright(const double *e)
{
    return fabs(e[2]) > MB_UPRIGHT;
}

double mb_ring_near(double radius, const double *m, const double *e)
{
    const double a = e[0] * e[0] + e[1] * e[1], b = m[0] * e[0] + m[1] * e[1];
    const double c = m[0] * m[0] + m[1] * m[1] - radius * radius;
    return mb_ring_is_upright(e) ? -m[2] / e[2] : (sqrt(fmax(b * b - a * c, 0)) - b) / a;
}

int mb_ring_meets(double radius, const double *m, const double *e, mb_ring *to)
{
    const double far = sqrt(m[0] * m[0] + m[1] * m[1]);
    double at[2] = {m[0] / far, m[1] / far}, d[3], n[3], turn = 1;
    if (!(far > 0)) return 0;
    for (int i = 0; i < MB_RING_MOST && fabs(turn) > DBL_EPSILON; i++) {
        const double out[3] = {at[0], at[1], 0}, t[3] = {-at[1], at[0], 0};
        const double te = mb_dot3(t, e), oe = mb_dot3(out, e);
        for (int k = 0; k < 3; k++) d[k] = m[k] - radius * out[k];
        const double de = mb_dot3(d, e), slope = mb_dot3(d, t) - de * te;
        const double bend = radius * (1 - te * te) + mb_dot3(d, out) - de * oe;
        if (!(bend > 0)) return 0;
        double s, c;
        turn = slope / bend;
        lg_real_sincos(&s, &c, fmin(fmax(turn, -0.5), 0.5));
        at[0] = c * out[0] - s * out[1], at[1] = s * out[0] + c * out[1];
    }
    const double out[3] = {at[0], at[1], 0}, t[3] = {-at[1], at[0], 0};
    mb_cross3(n, t, e);
    double size = sqrt(mb_dot3(n, n));
    if (n[0] * at[0] + n[1] * at[1] + n[2] < 0) size = -size;
    for (int k = 0; k < 3; k++) to->normal[k] = n[k] / size, to->on[k] = radius * out[k], d[k] = m[k] - radius * out[k];
    to->gap = mb_dot3(to->normal, d), to->along = -mb_dot3(d, e), to->slant = fabs(size);
    return 1;
}
