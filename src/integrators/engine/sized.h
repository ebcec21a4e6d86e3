/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over rows and velocities with constant lengths for the sizes of rigid bodies and their products with a plane or
 * space: LG_SIZED(m, n, F, ...) is F(m, n, ...), F a KERNEL function that returns int, with m and n as literals where
 * they are among these. */
#ifndef LG_INTEGRATORS_SIZED_H
#define LG_INTEGRATORS_SIZED_H

#define LG_SIZED_ROWS(n, rows, F, ...)                                                                                 \
    ((rows) == 1   ? F(1, n, __VA_ARGS__)                                                                              \
     : (rows) == 2 ? F(2, n, __VA_ARGS__)                                                                              \
     : (rows) == 3 ? F(3, n, __VA_ARGS__)                                                                              \
                   : F(rows, n, __VA_ARGS__))

#define LG_SIZED(rows, columns, F, ...)                                                                                \
    ((columns) == 3   ? LG_SIZED_ROWS(3, rows, F, __VA_ARGS__)                                                         \
     : (columns) == 5 ? LG_SIZED_ROWS(5, rows, F, __VA_ARGS__)                                                         \
     : (columns) == 6 ? LG_SIZED_ROWS(6, rows, F, __VA_ARGS__)                                                         \
                      : F(rows, columns, __VA_ARGS__))

/* LG_SIZED for a length alone: F(n, ...). */
#define LG_SIZED_COLUMNS(n, F, ...)                                                                                    \
    ((n) == 3 ? F(3, __VA_ARGS__) : (n) == 5 ? F(5, __VA_ARGS__) : (n) == 6 ? F(6, __VA_ARGS__) : F(n, __VA_ARGS__))

#endif
