/* SPDX-License-Identifier: BSD-3-Clause */
/** @file optima.h
 *  Systems that tests of optimal control steer, and what these do with an optimum. */
#ifndef TESTS_SUPPORT_OPTIMA_H
#define TESTS_SUPPORT_OPTIMA_H

#include <math.h>

#include <liegrp/liegrp.h>

#include "suite.h"

/* ---- systems ---- */

static const double zero[64], unit_inertia[3] = {1, 1, 1};

static inline int torque(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < 3 * c->lanes; i++) f[i] = c->control[i];
    return 0;
}

/* A free body with principal moments of inertia, steered by three torques. */
static inline lg_system body(const double *inertia)
{
    lg_system S = lg_system_default(lg_so3());
    S.inertia_diagonal = inertia;
    S.callbacks.force = torque, S.callbacks.control_count = 3, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

static inline int sleigh_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    const int L = c->lanes;
    (void)g, (void)xi;
    for (int i = 0; i < L; i++) f[i] = c->control[i], f[2 * L + i] = c->control[L + i];
    return 0;
}

/* Chaplygin's sleigh, m = 1, I = 1, a = 0.2, with a force along the blade and a torque about the contact. */
static inline lg_system sleigh(void)
{
    static const double inertia[9] = {1, 0, 0, 0, 1, 0.2, 0, 0.2, 1.04}, row[3] = {0, 1, 0};
    lg_system S = lg_system_default(lg_se2());
    S.inertia = inertia, S.constraint_count = 1, S.covector_matrix = row;
    S.callbacks.force = sleigh_force, S.callbacks.control_count = 2, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

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
