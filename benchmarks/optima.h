/* SPDX-License-Identifier: BSD-3-Clause */
/* Of bench_optima: a problem of optimal control, and IPOPT's solution of it. */
#ifndef LG_BENCHMARKS_OPTIMA_H
#define LG_BENCHMARKS_OPTIMA_H

#include <liegrp/liegrp.h>

/* n, the group's dimension, and e, the size of its elements, are at most this. */
enum { OPTIMA_MOST = 4 };

/* A problem without path inequalities, costs of its own or free time, all of whose end conditions hold. Momenta are
 * p = span y: constant rows leave `momenta` of the n components, and y are those that `kept` names. */
typedef struct optima_problem {
    const char *name;
    lg_optimum_problem *given;
    const double *nodes; /* configurations of the guess; NULL: a line from start to target */
    int momenta;
    const double *span; /* n x momenta; NULL: identity */
    const int *kept;
} optima_problem;

/* A point, and what a solver says of it. */
typedef struct optima_result {
    int solved, iterations;
    double cost, stepping; /* stepping: nanoseconds in steps and their derivatives */
} optima_result;

/* The problem as IPOPT sees it: opaque. Exits with a message where something is missing. */
typedef struct optima_ipopt optima_ipopt;
optima_ipopt *optima_ipopt_create(const optima_problem *problem);
void optima_ipopt_destroy(optima_ipopt *peer);
/* Solves from nodes (g, p) and controls u. `near` 1: they are an optimum but for a disturbance, so the barrier begins
 * small. */
optima_result optima_ipopt_solve(optima_ipopt *peer, const double *g, const double *p, const double *u, int near);

#endif
