/* SPDX-License-Identifier: BSD-3-Clause */
/** @file trend.h
 *  The drift of a quantity: the slope of a streamed series with a confidence interval, in constant memory. */
#ifndef LIEGRP_RUN_TREND_H
#define LIEGRP_RUN_TREND_H

#include <stdint.h>

#include "../base/export.h"

LG_BEGIN

/** Largest number of blocks of a series. */
#define LG_TREND_BLOCKS 64

/** A series of points (t, x) in the order of t: lg_trend_begin(), lg_trend_add(), lg_trend_slope(). Read the fields,
 *  but do not write them. */
typedef struct lg_trend {
    int64_t count;             /**< number of points added */
    int64_t width;             /**< number of points in a block */
    int blocks;                /**< number of complete blocks */
    double first;              /**< the first x */
    double low;                /**< smallest x */
    double high;               /**< largest x */
    double t[LG_TREND_BLOCKS]; /**< mean t of each block */
    double x[LG_TREND_BLOCKS]; /**< mean of x - first of each block */
    int64_t filled;            /**< number of points in the block that is being filled */
    double t_sum;              /**< their sum of t */
    double x_sum;              /**< their sum of x - first */
    double scale;              /**< largest |x| */
} lg_trend;

/** Starts an empty series. */
LG_API void lg_trend_begin(lg_trend *s);
/** Adds one point. A NaN makes all results NaN. */
LG_API void lg_trend_add(lg_trend *s, double t, double x);
/** The least-squares slope of the block means (32 to 64 blocks of equal length, once there are as many points); NaN for
 *  fewer than 2 points. *half (may be NULL) is the half width of its 95 % confidence interval; NaN for fewer than 8
 *  points. The interval follows Student's t and is widened by the factor sqrt((1 + r) / (1 - r)) for the correlation
 *  r > 0 of neighbouring residuals. It is never smaller than what the rounding of x permits. A drift is significant if
 *  |slope| > half. The interval is valid (measured on Gauss-Markov noise) if the series is a hundred times longer than
 *  the correlation time of its noise; for shorter series it is too narrow. */
LG_API double lg_trend_slope(const lg_trend *s, double *half);

LG_END

#endif
