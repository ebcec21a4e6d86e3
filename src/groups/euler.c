/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler angles of quaternions in the 24 conventions. A convention is read as R = R_i(alpha) R_j(beta) R_k(gamma), from
 * left to right; extrinsic ones have their letters and angles in the other order. */
#include <liegrp/groups/euler.h>

#include <float.h>
#include <math.h>
#include <string.h>
#include <liegrp/base/elementary.h>
#include <liegrp/groups/so3.h>

#include "groups/euler.h"

static const char *const euler_names[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY",
                                          "YZY", "ZXZ", "ZYZ", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                          "xyx", "xzx", "yxy", "yzy", "zxz", "zyz", NULL};

const char *const *lg_so3_euler_names(void)
{
    return euler_names;
}

/* Axes from left to right; first, third: the positions of alpha and gamma among the three angles. */
typedef struct euler_order {
    int axis[3];
    int first, third;
} euler_order;

static lg_status euler_read(euler_order *o, const char *name)
{
    const char *const *known = euler_names;
    while (name && *known && strcmp(*known, name) != 0) known++;
    if (!name || !*known) return LG_ERROR_ARGUMENT;
    const int intrinsic = name[0] < 'a';
    o->first = intrinsic ? 0 : 2;
    o->third = 2 - o->first;
    o->axis[0] = name[o->first] - (intrinsic ? 'X' : 'x');
    o->axis[1] = name[1] - (intrinsic ? 'X' : 'x');
    o->axis[2] = name[o->third] - (intrinsic ? 'X' : 'x');
    return LG_OK;
}

lg_status lg_so3_from_euler(double q[static 4], const double angles[static 3], const char *convention)
{
    euler_order o;
    double r[4] = {0, 0, 0, 1};
    const lg_status st = euler_read(&o, convention);
    if (st != LG_OK) return st;
    const double turn[3] = {angles[o.first], angles[1], angles[o.third]};
    for (int i = 0; i < 3; i++) {
        double f[4] = {0};
        lg_real_sincos(&f[o.axis[i]], &f[3], 0.5 * turn[i]);
        lg_so3_compose(r, r, f);
    }
    memcpy(q, r, sizeof r);
    return LG_OK;
}

/* Into [0, pi] or [-pi/2, pi/2]: arctangents have errors of an ulp. NaN stays. */
static double euler_beta(int same, double beta)
{
    const double pi = 3.14159265358979323846, low = same ? 0 : -pi / 2, high = same ? pi : pi / 2;
    return beta < low ? low : beta > high ? high : beta;
}

/* With s = +-1 the parity of (k, j, i) the half-angle products are, for three different axes,
 *   (w - q_j, q_k + s q_i) = minus (cos, sin)(sum), (w + q_j, s q_i - q_k) = plus (cos, sin)(difference),
 * sum = (gamma + s alpha)/2, difference = (s alpha - gamma)/2, minus : plus = tan(pi/4 - beta/2), and for i = k and the
 * other axis l, (w, q_k) and (q_j, s q_l) with s = the parity of (k, j, l) and minus : plus = cot(beta/2). A sum stays
 * accurate where the difference is lost and the other way round. */
lg_status lg_so3_to_euler(double angles[static 3], const double q[static 4], const char *convention)
{
    euler_order o;
    const lg_status st = euler_read(&o, convention);
    if (st != LG_OK) return st;
    const double norm2 = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
    if (norm2 < 0.25 || norm2 > 1e300) return LG_ERROR_DOMAIN;
    const int same = o.axis[0] == o.axis[2], k = o.axis[2], j = o.axis[1], i = same ? 3 - k - j : o.axis[0];
    const double sign = (k - j) * (j - i) * (i - k) > 0 ? 1 : -1, w = q[3], x = q[k], y = q[j], z = sign * q[i];
    const double a = same ? w : w - y, b = same ? x : x + z, c = same ? y : w + y, d = same ? z : z - x;
    const double minus = sqrt(a * a + b * b), plus = sqrt(c * c + d * d), lost = 2 * DBL_EPSILON;
    const double sum = lg_real_atan2(b, a), difference = lg_real_atan2(d, c), flip = same ? 1 : sign;
    const int low = plus <= lost * minus, high = minus <= lost * plus;
    double alpha = flip * (sum + difference), gamma = sum - difference;
    double beta = same ? 2 * lg_real_atan2(plus, minus) : lg_real_atan2(2 * (w * y - x * z), plus * minus);
    if (low || high) { /* alpha or gamma is 0, whichever the name has last */
        alpha = o.first == 0 ? flip * 2 * (low ? sum : difference) : 0.0;
        gamma = o.first == 0 ? 0.0 : 2 * (low ? sum : -difference);
        beta = low ? -INFINITY : INFINITY;
    }
    angles[1] = euler_beta(same, beta);
    angles[o.first] = euler_wrapped(alpha);
    angles[o.third] = euler_wrapped(gamma);
    return LG_OK;
}
