/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cubic.h"

#include <stdlib.h>

/* Slope of column c between rows i and i + 1. */
static double slope(const double *times, const double *y, int columns, int c, int i)
{
    return (y[columns * (i + 1) + c] - y[columns * i + c]) / (times[i + 1] - times[i]);
}

/* The second derivatives m inside obey h m_(i-1) + 2 (h + k) m_i + k m_(i+1) = 6 (slope_i - slope_(i-1)), h and k being
 * the lengths of the pieces before and behind; the ends follow from the third derivative. */
static void solve_inside(double *second, double *upper, const double *times, const double *y, int count, int columns,
                         int c)
{
    const int last = count - 1;
    const double first = (times[1] - times[0]) / (times[2] - times[1]);
    const double end = (times[last] - times[last - 1]) / (times[last - 1] - times[last - 2]);
    for (int i = 1; i < last; i++) {
        const double h = times[i] - times[i - 1], k = times[i + 1] - times[i];
        double below = i > 1 ? h : 0, middle = 2 * (h + k), above = i + 1 < last ? k : 0;
        if (i == 1) middle += h * (1 + first), above -= h * first;
        if (i == last - 1) middle += k * (1 + end), below -= k * end;
        double right = 6 * (slope(times, y, columns, c, i) - slope(times, y, columns, c, i - 1));
        if (i > 1) middle -= below * upper[i - 1], right -= below * second[columns * (i - 1) + c];
        upper[i] = above / middle, second[columns * i + c] = right / middle;
    }
    for (int i = last - 2; i > 0; i--) second[columns * i + c] -= upper[i] * second[columns * (i + 1) + c];
    double *m = second + c;
    m[0] = (1 + first) * m[columns] - first * m[2 * columns];
    m[columns * last] = (1 + end) * m[columns * (last - 1)] - end * m[columns * (last - 2)];
}

int lg_cubic_make(double *second, const double *times, const double *values, int count, int columns)
{
    double *upper = count > 3 ? calloc((size_t)count, sizeof *upper) : NULL;
    if (count > 3 && upper == NULL) return 0;
    for (int c = 0; c < columns; c++) {
        if (count > 3) {
            solve_inside(second, upper, times, values, count, columns, c);
            continue;
        }
        const double m = count < 3 ? 0
                                   : 2 * (slope(times, values, columns, c, 1) - slope(times, values, columns, c, 0)) /
                                         (times[2] - times[0]);
        for (int i = 0; i < count; i++) second[columns * i + c] = m;
    }
    free(upper);
    return 1;
}

void lg_cubic_evaluate(double *y, double *rate, double *bend, const double *times, const double *values,
                       const double *second, int count, int columns, double t)
{
    int low = 0, high = count - 1; /* times[low] <= t < times[high], or the last piece */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    const double h = times[high] - times[low], a = (times[high] - t) / h, b = (t - times[low]) / h;
    for (int c = 0; c < columns; c++) {
        const double y0 = values[columns * low + c], y1 = values[columns * high + c];
        const double m0 = second[columns * low + c], m1 = second[columns * high + c];
        y[c] = a * y0 + b * y1 + h * h / 6 * (a * (a * a - 1) * m0 + b * (b * b - 1) * m1);
        rate[c] = (y1 - y0) / h + h / 6 * ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0);
        bend[c] = a * m0 + b * m1;
    }
}
