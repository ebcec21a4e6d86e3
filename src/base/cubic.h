/* SPDX-License-Identifier: BSD-3-Clause */
/* cubic.h: the cubic spline through points, with two continuous derivatives ("not a knot": the first two pieces are one
 * cubic, and so are the last two; three points give a parabola, two a line). */
#ifndef LIEGRP_SRC_BASE_CUBIC_H
#define LIEGRP_SRC_BASE_CUBIC_H

/* second[columns i + c] = the second derivative of column c at times[i], of `count` >= 2 rows of values at increasing
 * times. Returns 0: out of memory. */
int lg_cubic_make(double *second, const double *times, const double *values, int count, int columns);
/* y, y' and y'' of each column at a time from the first to the last. */
void lg_cubic_evaluate(double *y, double *rate, double *bend, const double *times, const double *values,
                       const double *second, int count, int columns, double t);

#endif
