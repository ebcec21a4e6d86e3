/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of problems.c in quadruple precision, 113 bits. */
#ifndef BENCHMARKS_RACE_QUAD_H
#define BENCHMARKS_RACE_QUAD_H

typedef __float128 quad;
typedef struct quad_equations quad_equations;

/* The equations of a system with these parameters; y gets the start, moved onto |q| = 1 and A xi = 0. NULL: there are
 * none, or memory ran out. */
quad_equations *quad_open(const char *system, const double *param, int count, const double *start, quad *y);
void quad_derivative(const quad_equations *e, const quad *y, quad *dy);
int quad_size(const quad_equations *e);
void quad_close(quad_equations *e);

#endif
