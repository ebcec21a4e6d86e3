/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas that several systems of the catalog share. */
#include "catalog/systems.h"

#include <liegrp/groups/so3.h>

#define FACTOR(name, group)                                                                                            \
    const lg_group *lg_catalog_##name(void)                                                                            \
    {                                                                                                                  \
        return group;                                                                                                  \
    }
LG_CATALOG_FACTORS(FACTOR)

int lg_catalog_uniform_rotation(double *q, const double *q0, const double *w, double t)
{
    const double angle[3] = {t * w[0], t * w[1], t * w[2]};
    double step[4];
    if (lg_group_exp(lg_so3(), step, angle) != LG_OK) return 1;
    return lg_group_compose(lg_so3(), q, q0, step) != LG_OK;
}

static int spatial_momentum(const double *g, const double *p, int i, double *out)
{
    double L[3];
    lg_so3_act(L, g, p);
    *out = L[i];
    return 0;
}

int lg_catalog_spatial_momentum_1(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    return spatial_momentum(g, p, 0, out);
}

int lg_catalog_spatial_momentum_2(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    return spatial_momentum(g, p, 1, out);
}

int lg_catalog_spatial_momentum_3(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    return spatial_momentum(g, p, 2, out);
}

int lg_catalog_attitude_pose(const lg_call *c, const double *g, double *poses)
{
    (void)c;
    for (int i = 0; i < 4; i++) poses[3 + i] = g[i];
    return 0;
}

int lg_catalog_momentum_squared(const lg_call *c, const double *g, const double *p, double *out)
{
    (void)c;
    (void)g;
    *out = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    return 0;
}

double lg_catalog_gd_difference(double s0, double d)
{
    /* gd(s) = 2 atan(tanh(s/2)) and the subtraction theorem of the tangent; far out sinh and cosh would overflow. */
    if (fabs(d) + fabs(s0) > 600) return 2 * (atan(tanh((s0 + d) / 2)) - atan(tanh(s0 / 2)));
    return 2 * atan(sinh(d / 2) / cosh(s0 + d / 2));
}

double lg_catalog_angle(double angle)
{
    static const double pi = 3.14159265358979323846;
    const double r = remainder(angle, 2 * pi);
    return r <= -pi ? pi : r;
}

void lg_catalog_plane_to_body(const double *q, const double *v, double *g, double *body)
{
    const double x = v[0], y = v[1];
    double s, c;
    lg_real_sincos(&s, &c, q[2]);
    g[0] = q[0];
    g[1] = q[1];
    g[2] = c;
    g[3] = s;
    body[0] = c * x + s * y;
    body[1] = c * y - s * x;
    body[2] = v[2];
}

void lg_catalog_plane_from_body(const double *g, const double *body, double *q, double *v)
{
    const double along = body[0], across = body[1];
    q[0] = g[0];
    q[1] = g[1];
    q[2] = lg_real_atan2(g[3], g[2]);
    v[0] = g[2] * along - g[3] * across;
    v[1] = g[3] * along + g[2] * across;
    v[2] = body[2];
}
