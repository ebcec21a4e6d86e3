/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the systems with a rigid body under gravity, at every width: gamma, the vertical in the body; a convex body
 * that rolls on a plane without slipping. */
#ifndef LG_CATALOG_RIGID_H
#define LG_CATALOG_RIGID_H

#include "catalog/laned.h"
#include "catalog/systems.h"
#include "groups/so3.h"

/* gamma = R^T e_3, the vertical in the body of attitude q. */
KERNEL void vertical(real *gamma, const real *q)
{
    const real up[3] = {splat(0), splat(0), splat(1)};
    so3_unrotate(gamma, q, up);
}

/* A convex body that rolls on a plane: the height f(gamma) of its centre of mass, the gradient of f, which leads from
 * the contact to the centre of mass, and its second derivative. */
typedef struct surface {
    real height, slope[3], hessian[9];
} surface;

/* No slip along x, y (rows = 2) and also z (rows = 3) on R^shift x SO(3), R^3 x SO(3) if rows = 3: `mu` is zero on
 * entry, `q` is the attitude. A body whose centre of mass has the height f(gamma) touches the plane at rho = -grad f
 * from the centre of mass, and x' = R (rho x omega): row a is (e_a; rho x r_a), r_a the rows of R. Row 3 is the
 * differential of z - f. */
KERNEL void rolling_rows(real *mu, const real *q, const surface *s, int rows, int shift)
{
    real R[9];
    so3_to_matrix(R, q);
    for (int a = 0; a < rows; a++) {
        real *row = mu + a * (shift + 3);
        row[a] = splat(1);
        so3_cross(row + shift, R + 3 * a, s->slope);
    }
}

/* Their derivative along eta, the angular part: d r_a = r_a x eta, d grad f = H (gamma x eta). */
KERNEL void rolling_rows_along(real *dmu, const real *q, const real *eta, const surface *s, int rows, int shift)
{
    real R[9], turn[3], bend[3];
    so3_to_matrix(R, q);
    so3_cross(turn, R + 6, eta);
    for (int i = 0; i < 3; i++) bend[i] = so3_dot(s->hessian + 3 * i, turn);
    for (int a = 0; a < rows; a++) {
        real one[3], two[3];
        so3_cross(one, R + 3 * a, eta);
        so3_cross(one, one, s->slope);
        so3_cross(two, R + 3 * a, bend);
        for (int i = 0; i < 3; i++) dmu[a * (shift + 3) + shift + i] = one[i] + two[i];
    }
}

/* Velocity in space of the centre of mass for the body angular velocity omega. */
KERNEL void rolling_velocity(real *v, const real *q, const real *omega, const surface *s)
{
    so3_cross(v, omega, s->slope);
    so3_rotate(v, q, v);
}

/* A ball of radius r with its centre of mass at chi from its centre; NULL: in the middle. f = r |gamma| + <chi, gamma>:
 * on vectors across gamma its second derivative is r times the identity. */
KERNEL void ball_surface(surface *s, real r, const real *chi, const real *q)
{
    real gamma[3];
    vertical(gamma, q);
    s->height = r;
    for (int i = 0; i < 9; i++) s->hessian[i] = i % 4 == 0 ? r : splat(0);
    for (int i = 0; i < 3; i++) {
        const real offset = chi != NULL ? chi[i] : splat(0);
        s->height = s->height + offset * gamma[i];
        s->slope[i] = r * gamma[i] + offset;
    }
}

/* A disk: f = r sqrt(gamma_1^2 + gamma_2^2). 1 where it lies flat and the contact is undefined. */
KERNEL int disk_surface(surface *s, const real *param, const real *q)
{
    const real r = param[LG_DISK_R];
    real gamma[3];
    vertical(gamma, q);
    const real c = root(gamma[0] * gamma[0] + gamma[1] * gamma[1]);
    if (any(other(c > 0.0))) return 1;
    const real e[3] = {gamma[0] / c, gamma[1] / c, splat(0)};
    s->height = r * c;
    for (int i = 0; i < 3; i++) s->slope[i] = r * e[i];
    for (int i = 0; i < 9; i++) s->hessian[i] = splat(0);
    s->hessian[0] = r / c * e[1] * e[1];
    s->hessian[4] = r / c * e[0] * e[0];
    s->hessian[1] = s->hessian[3] = -r / c * e[0] * e[1];
    return 0;
}

/* dV of a body's weight, where the height of its centre of mass is g[2]. */
KERNEL int weight_gradient(const lane_call *c, const real *g, real *out)
{
    (void)g;
    out[2] = c->param[LG_ROLLING_M] * c->param[LG_ROLLING_G];
    return 0;
}

#endif
