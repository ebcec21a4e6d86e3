/* SPDX-License-Identifier: BSD-3-Clause */
/** @file rotation.h
 *  Shared by the modules with rotations: unit vectors and nearest rotations. Nothing is written on failure. */
#ifndef LIEGRP_SRC_GROUPS_ROTATION_H
#define LIEGRP_SRC_GROUPS_ROTATION_H

#include <math.h>

#include <liegrp/base/status.h>

/** A matrix counts as a noisy rotation Q up to the distance LG_ROTATION_NEAR |Q| (Frobenius). */
#define LG_ROTATION_NEAR 0.5

/** out = in/|in|, n <= 4, without overflow or underflow. LG_ERROR_DOMAIN: in = 0. NaN or infinite: NaN. */
static inline lg_status lg_unit(double *out, const double *in, int n)
{
    double n2 = 0, top = 0, t[4];
    for (int i = 0; i < n; i++) {
        n2 += in[i] * in[i];
        top = fmax(top, fabs(in[i]));
    }
    if (top <= 0.0 && !isnan(n2)) return LG_ERROR_DOMAIN;
    if (isnan(n2) || isinf(top)) {
        for (int i = 0; i < n; i++) out[i] = NAN;
        return LG_OK;
    }
    if (!(n2 > 1e-250 && n2 < 1e250)) {
        n2 = 0;
        for (int i = 0; i < n; i++) n2 += (in[i] / top) * (in[i] / top);
    } else {
        top = 1;
    }
    const double length = sqrt(n2);
    for (int i = 0; i < n; i++) t[i] = in[i] / top / length;
    for (int i = 0; i < n; i++) out[i] = t[i];
    return LG_OK;
}

/** Euclidean norm without overflow or underflow; NaN for NaN. */
static inline double lg_length(const double *v, int n)
{
    double s = 0, top = 0;
    for (int i = 0; i < n; i++) {
        s += v[i] * v[i];
        top = fmax(top, fabs(v[i]));
    }
    if (isnan(s) || (s > 1e-250 && s < 1e250) || top <= 0.0 || isinf(top)) return sqrt(s);
    s = 0;
    for (int i = 0; i < n; i++) s += (v[i] / top) * (v[i] / top);
    return top * sqrt(s);
}

#endif
