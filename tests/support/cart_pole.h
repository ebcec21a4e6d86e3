/* SPDX-License-Identifier: BSD-3-Clause */
/** @file cart_pole.h
 *  A cart with a pole, which tests and benchmarks of optimal control swing up. */
#ifndef TESTS_SUPPORT_CART_POLE_H
#define TESTS_SUPPORT_CART_POLE_H

#include <liegrp/liegrp.h>

/* A cart with a pole, M. Kelly's numbers: masses 1 and 0.3, length 0.5; the pole hangs at 0. */
static const double CART = 1, POLE = 0.3, LENGTH = 0.5, GRAVITY = 9.81;

static inline int cart_metric(const lg_call *c, const double *g, double *J)
{
    const int L = c->lanes;
    for (int i = 0; i < L; i++) {
        J[i] = CART + POLE, J[3 * L + i] = POLE * LENGTH * LENGTH;
        J[L + i] = J[2 * L + i] = POLE * LENGTH * lg_real_cos(g[L + i]);
    }
    return 0;
}

static inline int cart_metric_gradient(const lg_call *c, const double *g, const double *xi, double *dT)
{
    const int L = c->lanes;
    for (int i = 0; i < L; i++) dT[L + i] = -POLE * LENGTH * lg_real_sin(g[L + i]) * xi[i] * xi[L + i];
    return 0;
}

static inline int cart_potential(const lg_call *c, const double *g, double *V)
{
    for (int i = 0; i < c->lanes; i++) V[i] = -POLE * GRAVITY * LENGTH * lg_real_cos(g[c->lanes + i]);
    return 0;
}

static inline int cart_potential_gradient(const lg_call *c, const double *g, double *dV)
{
    const int L = c->lanes;
    for (int i = 0; i < L; i++) dV[L + i] = POLE * GRAVITY * LENGTH * lg_real_sin(g[L + i]);
    return 0;
}

static inline int cart_force(const lg_call *c, const double *g, const double *xi, double *f)
{
    (void)g, (void)xi;
    for (int i = 0; i < c->lanes; i++) f[i] = c->control[i];
    return 0;
}

static inline lg_system cart(void)
{
    lg_system S = lg_system_default(lg_rn(2));
    S.callbacks.metric = cart_metric, S.callbacks.metric_gradient = cart_metric_gradient;
    S.callbacks.potential = cart_potential, S.callbacks.potential_gradient = cart_potential_gradient;
    S.callbacks.force = cart_force, S.callbacks.control_count = 1, S.callbacks.lanes = LG_LANES_OWN_TIMES;
    return S;
}

#endif
