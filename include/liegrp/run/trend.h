/* SPDX-License-Identifier: BSD-3-Clause */
/** @file trend.h
 *  Does a quantity drift? The slope of a series that streams by, with a confidence interval, in constant memory. */
#ifndef LIEGRP_RUN_TREND_H
#define LIEGRP_RUN_TREND_H

#include <stdint.h>

#include "../base/export.h"

LG_BEGIN

/** Most blocks that a series is cut into. */
#define LG_TREND_BLOCKS 64

/** A series of points (t, x) in the order of t: lg_trend_begin(), lg_trend_add(), lg_trend_slope(). The fields are for
 * reading. */
typedef struct lg_trend {
    int64_t count;             /**< points added */
    int64_t width;             /**< points in a block */
    int blocks;                /**< blocks that are complete */
    double first;              /**< the first x */
    double low;                /**< least x */
    double high;               /**< largest x */
    double t[LG_TREND_BLOCKS]; /**< mean t of each block */
    double x[LG_TREND_BLOCKS]; /**< mean of x - first of each block */
    int64_t filled;            /**< points in the block that is being filled */
    double t_sum;              /**< their sum of t */
    double x_sum;              /**< and of x - first */
    double scale;              /**< largest |x| */
} lg_trend;

/** An empty series. */
LG_API void lg_trend_begin(lg_trend *s);
/** One point more; a NaN makes all answers NaN. */
LG_API void lg_trend_add(lg_trend *s, double t, double x);
/** Least-squares slope of the block means (32 to 64 blocks of equal length, once there are as many points); NaN for
 *  fewer than 2 points. *half (may be NULL) is the half width of its 95 % confidence interval; NaN for fewer than 8
 *  points. It follows Student's t, is widened by the factor sqrt((1 + r) / (1 - r)) for the correlation r > 0 of
 *  neighbouring residuals, and is never less than what the rounding of x leaves open. A drift is significant where
 *  |slope| > half. The interval is valid (measured on Gauss-Markov noise) if the series is a hundred times longer than
 *  the correlation time of its noise; it is too narrow below that. */
LG_API double lg_trend_slope(const lg_trend *s, double *half);

LG_END

#endif
