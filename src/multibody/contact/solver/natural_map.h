/* SPDX-License-Identifier: BSD-3-Clause */
/* natural_map.h: the residual of the problem, its projections and the exact cone. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_NATURAL_MAP_H
#define LG_MULTIBODY_CONTACT_SOLVER_NATURAL_MAP_H

#include "multibody/contact/solver/problem.h"

/* The three numbers of a contact, 0 where it has no row. */
static inline void mb_ncp_get(double *x, const mb_ncp_contact *c, const double *v)
{
    x[0] = v[c->at];
    x[1] = c->rows > 1 ? v[c->at + 1] : 0;
    x[2] = c->rows > 2 ? v[c->at + 2] : 0;
}

static inline void mb_ncp_put(double *v, const mb_ncp_contact *c, const double *x)
{
    for (int k = 0; k < c->rows; k++) v[c->at + k] = x[k];
}

static inline double mb_ncp_clamp(const mb_ncp_contact *c, double normal)
{
    return normal < c->low ? c->low : normal > c->high ? c->high : normal;
}

/* d[i] <- the largest diagonal entry of W_ii, positive even where W_ii = 0. */
void mb_ncp_scales(double *d, const mb_ncp *p);

/* F <- the natural map of Alart and Curnier in units of velocity: z = P - u/d, F = d (P - Pr(z)), where Pr clamps z_n
 * and projects z_t onto the disc of radius mu Pr(z_n). Returns max |F| / speed; NaN for NaN. */
double mb_ncp_map(double *F, const mb_ncp *p, const double *d, const double *P, const double *u);

/* x <- the nearest point of a contact's set of impulses: interval, or cone above `low`. */
void mb_ncp_project(double *x, const mb_ncp_contact *c);

/* Clamps P_n and shortens P_t, so that computed lengths |P_t| <= mu P_n hold exactly. What holds is not changed. */
void mb_ncp_exact_cone(double *P, const mb_ncp *p);

#endif
