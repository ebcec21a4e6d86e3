/* SPDX-License-Identifier: BSD-3-Clause */
/* The tape of the Taylor method, peers_taylor.c: operations on power series in time, in the order in which their
 * coefficients are computed. A node is a series. */
#ifndef BENCHMARKS_PEERS_TAYLOR_H
#define BENCHMARKS_PEERS_TAYLOR_H

#include <stddef.h>

#include "benchmarks/problems.h"

typedef int taylor_node;
typedef struct taylor_tape taylor_tape;

/* The constant series 1. */
enum { TAYLOR_ONE = 0 };

/* c a b. */
typedef struct taylor_term {
    double c;
    taylor_node a, b;
} taylor_term;

/* The constant and all terms; those with c = 0 cost nothing. It is cheapest where all products of two series have the
 * same |c|: a factor of another one gets a scaled copy. */
taylor_node taylor_sum(taylor_tape *t, double constant, const taylor_term *terms, size_t count);
#define TAYLOR_SUM(t, constant, ...)                                                                                   \
    taylor_sum(t, constant, (const taylor_term[]){__VA_ARGS__},                                                        \
               sizeof((const taylor_term[]){__VA_ARGS__}) / sizeof(taylor_term))
/* c a / b. */
taylor_node taylor_quotient(taylor_tape *t, double c, taylor_node a, taylor_node b);
taylor_node taylor_root(taylor_tape *t, taylor_node a);
void taylor_turn(taylor_tape *t, taylor_node a, taylor_node *sine, taylor_node *cosine);

/* Puts the right-hand side of problems.c on the tape: y has a node for each number, dy gets them. */
typedef void taylor_equations(taylor_tape *t, const problem_data *d, const taylor_node *y, taylor_node *dy);
/* NULL: there is no tape for this system. */
taylor_equations *taylor_find(const char *system);

/* The series about y that the opened peer steps with, at a fraction of that step: the state and its derivative. */
void taylor_expand(void *opened, const double *y, double fraction, double *x, double *dx);

#endif
