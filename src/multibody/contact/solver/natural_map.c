/* SPDX-License-Identifier: BSD-3-Clause */
/* Alart and Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991), doi:10.1016/0045-7825(91)90022-X. */
#include "multibody/contact/solver/natural_map.h"

#include <float.h>
#include <math.h>

static double length(const double *t)
{
    return sqrt(t[0] * t[0] + t[1] * t[1]);
}

void mb_ncp_scales(double *d, const mb_ncp *p)
{
    double most = 0;
    for (int i = 0; i < p->contacts; i++) {
        const double *W = p->kernel->local + MB_NCP_BLOCK * i;
        d[i] = W[0];
        for (int k = 1; k < p->contact[i].rows; k++) d[i] = fmax(d[i], W[4 * k]);
        most = fmax(most, d[i]);
    }
    for (int i = 0; i < p->contacts; i++) d[i] = most > 0 ? fmax(d[i], 1e-10 * most) : 1; /* rows that cannot move */
}

/* F of one contact: u where its set does not act, so that digits of P do not enter. */
static void map_contact(double *F, const mb_ncp_contact *c, double d, const double *P, const double *u)
{
    const double normal = P[0] - u[0] / d, clamped = mb_ncp_clamp(c, normal), radius = c->friction * clamped;
    const double z[2] = {P[1] - u[1] / d, P[2] - u[2] / d}, most = length(z);
    F[0] = clamped == normal ? u[0] : d * (P[0] - clamped);
    for (int k = 1; k < c->rows; k++)
        F[k] = most <= radius && radius > 0 ? u[k] : d * (P[k] - (most > 0 ? radius / most * z[k - 1] : 0));
}

double mb_ncp_map(double *F, const mb_ncp *p, const double *d, const double *P, const double *u)
{
    double most = 0;
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        double x[3], v[3], f[3];
        mb_ncp_get(x, c, P), mb_ncp_get(v, c, u);
        map_contact(f, c, d[i], x, v);
        mb_ncp_put(F, c, f);
        for (int k = 0; k < c->rows; k++)
            if (!(fabs(f[k]) <= most) && !isnan(most)) most = fabs(f[k]);
    }
    return most / p->speed;
}

void mb_ncp_project(double *x, const mb_ncp_contact *c)
{
    const double mu = c->friction, most = c->rows > 1 ? length(x + 1) : 0;
    if (c->rows > 1 && most > mu * x[0]) { /* onto the mantle, or the apex */
        const double normal = fmax(0, (x[0] + mu * most) / (1 + mu * mu));
        const double radius = mu * fmax(normal, c->low);
        for (int k = 1; k < 3 && most > radius; k++) x[k] *= radius / most;
        x[0] = fmax(normal, c->low);
        return;
    }
    x[0] = mb_ncp_clamp(c, x[0]);
}

void mb_ncp_exact_cone(double *P, const mb_ncp *p)
{
    for (int i = 0; i < p->contacts; i++) {
        const mb_ncp_contact *c = &p->contact[i];
        double x[3];
        mb_ncp_get(x, c, P);
        x[0] = mb_ncp_clamp(c, x[0]);
        const double radius = c->friction * x[0], most = length(x + 1);
        if (most > radius)
            for (int k = 1; k < 3; k++) x[k] *= radius / most * (1 - 4 * DBL_EPSILON);
        mb_ncp_put(P, c, x);
    }
}
