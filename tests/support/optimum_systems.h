/* SPDX-License-Identifier: BSD-3-Clause */
/** @file optimum_systems.h
 *  Systems that tests and benchmarks of optimal control steer. */
#ifndef TESTS_SUPPORT_OPTIMUM_SYSTEMS_H
#define TESTS_SUPPORT_OPTIMUM_SYSTEMS_H

#include <liegrp/liegrp.h>

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

#endif
