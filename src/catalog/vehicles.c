/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the vehicles of the catalog: a car with a link on it, and default velocities that satisfy the rows. */
#include "catalog/laned.h"
#include "catalog/look.h"
#include "catalog/systems.h"
#include "groups/so3.h"

/* The link's centre of mass is at (b + l cos alpha, l sin alpha) in the car's axes and moves there with (v1 - l s (w +
 * alpha'), v2 + b w + l c (w + alpha')); its angular velocity is w + alpha'. */
KERNEL void link_metric(const real *param, real alpha, real *J)
{
    const real ml = param[LG_LINK_ML], b = param[LG_LINK_B], l = param[LG_LINK_L], Il = param[LG_LINK_IL];
    real sine, cosine;
    sincos_of(alpha, &sine, &cosine);
    const real s = ml * l * sine, c = ml * l * cosine;
    J[0] = J[5] = param[LG_LINK_M] + ml;
    J[2] = J[8] = J[3] = J[12] = -s;
    J[6] = J[9] = ml * b + c;
    J[7] = J[13] = c;
    J[10] = param[LG_LINK_I] + Il + ml * (b * b + l * l) + 2 * b * c;
    J[11] = J[14] = Il + ml * l * l + b * c;
    J[15] = Il + ml * l * l;
}

KERNEL int link_inertia(const lane_call *c, const real *g, real *J)
{
    link_metric(c->param, g[4], J);
    return 0;
}

KERNEL int link_inertia_gradient(const lane_call *c, const real *g, const real *xi, real *dT)
{
    const real *param = c->param, turn = xi[2] + xi[3];
    real sine, cosine;
    sincos_of(g[4], &sine, &cosine);
    const real along = cosine * xi[0] + sine * (xi[1] + param[LG_LINK_B] * xi[2]);
    dT[3] = -param[LG_LINK_ML] * param[LG_LINK_L] * turn * along;
    return 0;
}

LG_LANED_FIELD(lg_catalog_link_inertia, link_inertia)
LG_LANED_ALONG(lg_catalog_link_inertia_gradient, link_inertia_gradient)

#if LANES == 1

void lg_catalog_link_metric(const double *param, double alpha, double *J)
{
    link_metric(param, alpha, J);
}

int lg_catalog_link_poses(const lg_call *c, const double *g, double *poses)
{
    double *link = poses + LG_POSE_SIZE;
    lg_look_plane_pose(poses, g[0], g[1], g[2], g[3]);
    lg_look_carry(link, poses, c->param[LG_LINK_B], 0, 0);
    lg_look_turn(link, 2, g[4]);
    return 0;
}

static void cross_with_axis(double *out, int axis, const double *r)
{
    double e[3] = {0, 0, 0};
    e[axis] = 1;
    so3_cross(out, e, r);
}

void lg_catalog_across(double *u, double *v, const double *r)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(r[i]) < fabs(r[axis])) axis = i;
    cross_with_axis(u, axis, r);
    so3_cross(v, r, u);
}

static double product(const double *J, const double *u, const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += u[i] * J[i * n + j] * v[j];
    return sum;
}

void lg_catalog_onto_plane(double *xi, const double *J, const double *u, const double *v, int n)
{
    const double uu = product(J, u, u, n), uv = product(J, u, v, n), vv = product(J, v, v, n);
    const double ux = product(J, u, xi, n), vx = product(J, v, xi, n), det = uu * vv - uv * uv;
    const double a = (vv * ux - uv * vx) / det, b = (uu * vx - uv * ux) / det;
    for (int i = 0; i < n; i++) xi[i] = a * u[i] + b * v[i];
}

#endif
