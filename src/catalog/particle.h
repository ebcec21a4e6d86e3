/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of the nonholonomic particle, z' = y x'. */
#ifndef LG_CATALOG_PARTICLE_H
#define LG_CATALOG_PARTICLE_H

#include "catalog/laned.h"

KERNEL int particle_rows(const lane_call *c, const real *g, real *mu, real *Y)
{
    (void)c, (void)Y;
    mu[0] = -g[1];
    mu[2] = splat(1);
    return 0;
}

KERNEL int particle_rows_along(const lane_call *c, const real *g, const real *eta, real *dmu, real *dY)
{
    (void)c, (void)g, (void)dY;
    dmu[0] = -eta[1];
    return 0;
}

#endif
