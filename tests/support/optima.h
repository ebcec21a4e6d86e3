/* SPDX-License-Identifier: BSD-3-Clause */
/** @file optima.h
 *  What tests of optimal control do with an optimum. */
#ifndef TESTS_SUPPORT_OPTIMA_H
#define TESTS_SUPPORT_OPTIMA_H

#include <math.h>

#include "suite.h"
#include "support/optimum_systems.h"

static const double zero[64], unit_inertia[3] = {1, 1, 1};

/* 2 rad about (1, 2, 3). */
static inline void turned(double *g)
{
    const double s = sin(1.0) / sqrt(14.0);
    g[0] = s, g[1] = 2 * s, g[2] = 3 * s, g[3] = cos(1.0);
}

/* From rest to rest in time 1.5. */
static inline lg_optimum_problem slew(const lg_system *S, int steps, const double *target)
{
    lg_optimum_problem p = lg_optimum_problem_default(S);
    p.steps = steps, p.time = 1.5, p.target_g = target, p.target_p = zero;
    return p;
}

/* ---- an optimum ---- */

static inline lg_optimum *open(const lg_optimum_problem *p)
{
    lg_optimum *o = NULL;
    if (lg_optimum_create(&o, p) != LG_OK) suite_fail("create: %s", lg_optimum_message(o));
    return o;
}

static inline lg_optimum_figures solve(lg_optimum *o, int iterations, double tolerance)
{
    lg_optimum_figures f;
    if (lg_optimum_solve(o, iterations, tolerance) != LG_OK) suite_fail("solve: %s", lg_optimum_message(o));
    suite_ok("read", lg_optimum_read(o, &f, sizeof f));
    return f;
}

#endif
