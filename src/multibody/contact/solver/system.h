/* SPDX-License-Identifier: BSD-3-Clause */
/* system.h: the bodies behind W = f G J^-1 Pi G^T. */
#ifndef LG_MULTIBODY_CONTACT_SOLVER_SYSTEM_H
#define LG_MULTIBODY_CONTACT_SOLVER_SYSTEM_H

#include "multibody/plan.h"

/* Successive rows on the velocities (v, omega) of some bodies. */
typedef struct mb_ncp_rows {
    int rows, sides;         /* at most 6; at most MB_SIDES_MOST */
    int body[MB_SIDES_MOST]; /* each at most once; `bodies` and more: the world */
    const double *part;      /* 6 coefficients for each row and side: part[6 (row sides + side)] */
} mb_ncp_rows;

typedef struct mb_ncp_body {
    double mass, inertia[6]; /* about the centre of mass: xx, yy, zz, xy, xz, yz, in the frame of omega; definite */
} mb_ncp_body;

typedef struct mb_ncp_system {
    int bodies, contacts, joints;
    const mb_ncp_body *body;
    const mb_ncp_rows *contact; /* G: one entry for each contact of the problem, with the same numbers of rows */
    const mb_ncp_rows *joint;   /* A: independent rows that stay 0 */
    double factor;              /* f */
} mb_ncp_system;

#endif
