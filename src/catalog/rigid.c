/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the systems with a rigid body under gravity: the weight, and the inertia from its six entries. The rest is
 * in rigid.h. */
#include "catalog/laned.h"
#include "catalog/rigid.h"
#include "catalog/systems.h"

#include <stdio.h>

#include <liegrp/groups/so3.h>

/* On R^3 x SO(3) with the mass and gravity as the parameters 0 and 1. */
KERNEL int weight(const lane_call *c, const real *g, real *V)
{
    *V = c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G] * g[2];
    return 0;
}

LG_LANED_FIELD(lg_catalog_weight, weight)
LG_LANED_FIELD(lg_catalog_weight_gradient, weight_gradient)

#if LANES == 1

int lg_catalog_inertia(double *J, char *why, const double *entry, int stride)
{
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const double minor = entry[0] * entry[3] - entry[1] * entry[1];
    const double det = entry[5] * minor - entry[0] * entry[4] * entry[4] - entry[3] * entry[2] * entry[2] +
                       2 * entry[1] * entry[2] * entry[4];
    if (!(entry[0] > 0) || !(minor > 0) || !(det > 0)) {
        (void)snprintf(
            why, LG_MESSAGE_SIZE,
            "the inertia is not positive definite: I11 = %g, I11 I22 - I12^2 = %g, determinant = %g must be positive",
            entry[0], minor, det);
        return 1;
    }
    for (int i = 0; i < 9; i++) J[i / 3 * stride + i % 3] = entry[place[i]];
    return 0;
}

int lg_catalog_no_hessian(const lg_call *c, const double *g, const double *eta, double *out)
{
    (void)c, (void)g, (void)eta, (void)out; /* zero on entry */
    return 0;
}

double lg_catalog_contact_momentum(const double *q, const double *p, const double *p_omega, double r, int i)
{
    const double lever[3] = {-p[1], p[0], 0};
    double L[3];
    lg_so3_act(L, q, p_omega);
    return L[i] + r * lever[i];
}

#endif
